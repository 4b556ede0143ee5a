"""Why silence would say nothing: what is not told, not read, or contradicts itself; and which checks that leaves open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Literal

from msgspec.structs import replace

from safety.answering.coverage import Coverage
from safety.answering.questions import need_in_words, question
from safety.judging.candidates import CHECKS
from safety.judging.judgement import Judgement
from safety.model.patient import IN_WORDS, Patient, Reading
from safety.model.position import ListName
from safety.model.report import CheckState, Hole, Unresolved
from safety.understanding.facts import Facts
from safety.understanding.meaning import SURE

_EVERY = CHECKS
COULD_CHANGE: Mapping[ListName, tuple[str, ...]] = {
    "medications": _EVERY, "plan": _EVERY,
    "conditions": ("contraindication", "dose", "pregnancy", "lactation", "kidney", "liver"),
    "allergies": ("allergy",), "labs": ("contraindication", "dose", "kidney", "liver"), "vitals": ("contraindication", "dose"),
    "intake": ("interaction",), "diet_limits": ("interaction",), "genes": ("contraindication", "dose"),
    "procedures": ("contraindication",), "devices": ("contraindication", "route"), "vaccines": ("interaction",),
}  # fmt: skip
"""Which kinds of check would look at an item of each list."""
_DIRECTIONS = ("dose", "route", "otc")
_LISTS: tuple[ListName, ...] = (
    "conditions", "allergies", "labs", "vitals", "intake", "diet_limits", "genes", "procedures", "devices", "vaccines",
)  # fmt: skip
"""Lists that must be told, be it as empty: else leaving out what cannot be judged would look better than telling it."""
_OF_A_RULE = {"renal": "kidney", "hepatic": "liver", "otc_limit": "otc", "otc_disallowed": "otc", "food": "interaction",
              "burden": "interaction"}  # fmt: skip
_OF_RESULTS = "lab"
_OF_A_FACT: Mapping[str, list[str]] = {
    "age": ["age", "dose", "contraindication"], "birth_date": ["age", "dose", "contraindication"],
    "pregnancy": ["pregnancy", "lactation"], "weight": ["dose", "kidney"], "height": ["dose", "kidney"],
}  # fmt: skip
"""Which checks a fact of the patient that is not believed leaves open."""
_NOT_TOLD = frozenset({"medication"})
"""What a rule needs where a medicine was told and not recognised: that stands under what was not read."""


def with_changes(items: Iterable[Unresolved]) -> list[Unresolved]:
    """What could not be used, each with the checks that would look at it."""
    directions = ("unread", "contradicted")
    of_medications = ("medications", "plan")
    return [
        replace(
            u,
            could_change=list(
                _DIRECTIONS if u.where.among in of_medications and u.status in directions else COULD_CHANGE[u.where.among]
            ),
        )
        for u in items
    ]


def holes(facts: Facts, coverage: Coverage, open_: Sequence[Judgement], unresolved: Sequence[Unresolved]) -> list[Hole]:
    """Everything that keeps silence from meaning that there is nothing to say; `open_`: rules that wait for a fact."""
    return [
        *coverage.holes(),
        *_not_told(facts, coverage, open_),
        *_not_read(facts, unresolved),
        *_contradictions(facts),
    ]


def checks_of(coverage: Coverage, open_: Sequence[Hole]) -> tuple[dict[str, CheckState], dict[str, str]]:
    """Each kind of check that matters, whether it was made, and why not."""
    states: dict[str, CheckState] = {}
    why: dict[str, str] = {}
    for check, held in coverage.states().items():
        others = [h for h in open_ if check in h.checks]
        if held == {"not held"}:
            states[check] = "not held"
        else:
            states[check] = "partly" if others or held != {"judged"} else "judged"
        if others:
            why[check] = "; ".join(dict.fromkeys(_in_short(h, coverage) for h in others))
    return states, why


def _in_short(hole: Hole, coverage: Coverage) -> str:
    about = coverage.library.name_of(hole.about) if hole.because == "not held" else hole.about
    return f"{hole.because}: {about}"


def _check_of(kind: str) -> tuple[str, ...]:
    check = _OF_A_RULE.get(kind, kind)
    return (check,) if check in CHECKS else ()


# ------------------------------------------------------------------ not told


def _not_told(facts: Facts, coverage: Coverage, open_: Sequence[Judgement]) -> Iterator[Hole]:
    p = facts.patient
    missing: dict[str, dict[str, None]] = {}
    for fact, checks in _untold(p, facts, coverage.relevant):
        missing.setdefault(fact, {}).update(dict.fromkeys(checks))
    doubted = {d.fact for d in facts.doubts}
    for judgement in open_:
        for need in judgement.needs:
            if need not in _NOT_TOLD and need not in doubted:
                missing.setdefault(need, {}).update(dict.fromkeys(_check_of(judgement.entry.kind)))
    for fact, found in missing.items():
        asked = fact != "medications" or not p.medications_told  # who says that the list is not whole was asked already
        yield _hole(fact, tuple(found), coverage, asked=asked)


def _hole(fact: str, checks: tuple[str, ...], coverage: Coverage, *, asked: bool) -> Hole:
    """A fact that is not told, with the checks that it leaves open, in words; the same for everybody, and kept."""
    kept, library = coverage.labels.holes, coverage.library
    found = kept.get((fact, checks, asked))
    if found is None:
        ask = "Which medicines are taken, or none at all?" if fact == "medications" else question([fact], library)
        text = f"{need_in_words(fact, library)}: not told"
        found = kept[fact, checks, asked] = Hole("not told", fact, text, list(checks), ask=ask if asked else "")
    return found


def untold_lists(p: Patient) -> frozenset[ListName]:
    """Which lists of a patient were not told, be it as empty: each is a hole, with the checks that it leaves open anyway."""
    return frozenset([name for name in _LISTS if getattr(p, name) is None])


@lru_cache(1 << 14)
def opens_nothing(needs: frozenset[str], kind: str, untold: frozenset[ListName]) -> bool:
    """Whether these facts are lists that are holes anyway, for the check that a rule of this kind makes.

    A rule about a result that was told has nothing to wait for: what must be measured is a rule on monitoring.
    """
    checks = frozenset(_check_of(kind))
    return kind == _OF_RESULTS or all(need in untold and checks <= {*COULD_CHANGE[need]} for need in needs)


def _untold(p: Patient, facts: Facts, relevant: AbstractSet[str]) -> Iterator[tuple[str, Sequence[str]]]:
    if not p.medications_told or not p.medications_complete:
        yield "medications", _EVERY
    if facts.age is None:
        yield "age", ("age", "dose", "contraindication")
    if p.sex is None:
        yield "sex", ("pregnancy", "lactation")
    if "pregnancy" in relevant and facts.pregnancy[0] is None:
        yield "pregnancy", ("pregnancy",)
    if "lactation" in relevant and facts.breastfeeding is None:
        yield "breastfeeding", ("lactation",)
    for name in _LISTS:
        if getattr(p, name) is None:
            yield name, COULD_CHANGE[name]


# ------------------------------------------------------------------ not read


def _not_read(facts: Facts, unresolved: Sequence[Unresolved]) -> Iterator[Hole]:
    for u in unresolved:
        because = "contradicts" if u.status == "contradicted" else "not read"
        text = f"{u.text}: {u.status.replace('_', ' ')}"
        yield Hole(because, u.text, text, u.could_change, u.where, u.ask)  # type: ignore[arg-type]
    for entry in facts.current:
        if entry.answer.via not in (None, *SURE):
            text = f"{entry.described}: read as {entry.answer.name}, which is not written so"
            yield Hole("not read", entry.described, text, list(_EVERY), entry.where, entry.answer.ask)
    if facts.case.reading is not None:
        yield from _of_the_record(facts.case.reading)


def _of_the_record(reading: Reading) -> Iterator[Hole]:
    strangers = [u for u in reading.unread if u.kind == "stranger"]
    told = [u for u in reading.unread if u.kind == "part" and u.where in IN_WORDS]
    for u in told:
        yield Hole("not read", u.what, f"{u.what}: {u.why}", list(_EVERY))
    left = [u for u in reading.unread if u.kind in ("resource", "part") and u not in told]
    if strangers:
        yield Hole("not read", "another patient", another_patient(reading), list(_EVERY), ask="Is this the right record?")
    if left:
        text = f"{len(left)} resources of the record, or parts of them, were left out: see `read.unread`"
        yield Hole("not read", "record", text, list(_EVERY))
    if reading.not_read:
        counts = ", ".join(f"{count} {type_}" for type_, count in reading.not_read.items())
        yield Hole("not read", "record", f"nothing is read of {counts}", list(_EVERY))


def another_patient(reading: Reading | None) -> str:
    """The warning that parts of a record name somebody else; empty where none does."""
    strangers = [u for u in reading.unread if u.kind == "stranger"] if reading is not None else []
    if not strangers:
        return ""
    named = ", ".join(u.what for u in strangers[:3])
    return f"ANOTHER PATIENT is named by {len(strangers)} of the resources, which were left out: {named}"


# ------------------------------------------------------------------ contradictions


def _contradictions(facts: Facts) -> Iterator[Hole]:
    for doubt in facts.doubts:
        because: Literal["contradicts", "not read"] = "contradicts" if doubt.contradicts else "not read"
        yield Hole(because, doubt.fact, doubt.text, _OF_A_FACT[doubt.fact], ask=doubt.ask)
    p = facts.patient
    pregnancy, saw = facts.pregnancy
    if pregnancy is None and saw != "told":
        yield Hole("contradicts", "pregnancy", f"pregnancy: {saw}", ["pregnancy"], ask=question(["pregnancy"], facts.library))
    male = p.sex == "male"
    if male and (facts.breastfeeding or (pregnancy is not None and pregnancy.present)):
        yield Hole("contradicts", "sex", "told as male, and as pregnant or breastfeeding", ["pregnancy", "lactation"])
    if p.birth_date is not None and p.birth_date > facts.day:
        yield Hole("contradicts", "birth_date", "born after the day that is judged", ["age", "dose"])
