"""What to ask: one list for the whole report, each question once, the one that may bring the worst first.

Asked is what a pharmacist would ask at the counter. What is not told and could bring no loud finding about this list, or
only for somebody who takes a medicine already and bears it, stays a hole of the report (`unknown_because`) and a note.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from safety.answering.questions import question, together
from safety.judging.supposing import OF_A_MEDICINE
from safety.knowledge.library import Library
from safety.model.position import Position
from safety.model.report import RANK, Finding, Hole, Question, Severity, Subject, Understood, Unknown, Unresolved
from safety.understanding.meaning import SURE

PERSON = (
    "age", "sex", "weight", "height", "pregnancy", "breastfeeding", "conditions", "status", "allergies", "reaction", "intake",
)  # fmt: skip
"""Facts of the patient that are asked for in one breath, and the tests with them."""
_DOSES = frozenset({"dose", "otc_limit"})
_WORTH: Severity = "major"
_LIST = "medications"
_NAME = frozenset({"medication", _LIST})
_BEGINS_ANY_TIME = frozenset({"pregnancy", "breastfeeding"})
"""What may begin while a medicine is taken: that she bears it so far says nothing."""
_TAKEN_AS_USUAL = OF_A_MEDICINE - {"route"}
_OF_NAMES = frozenset({"medication", "name"})
"""What is not asked where the usual breaks nothing; by which way a medicine with several is taken is."""
_HALF_TOLD = frozenset({"status", "reaction"})
_NOT_READ = frozenset({"unread", "unit", "implausible", "left_out", "contradicted"})
_OF_MEDICINES = ("medications", "plan")
_FEW = 3
_NOT_GIVEN = frozenset({"stop", "replace"})
_About: TypeAlias = frozenset[tuple[Position, str]]


class Stakes(Struct, frozen=True):
    """What of this patient decides which questions are worth asking.

    `kidneys`: a problem on the list may mean that the kidneys work less well. `child`: told, and a child. `woman`: told as
    one. `loud_tests`: results that a loud rule about these medicines looks at, by their place. `loud_problems`,
    `tests_matter`: whether one of them would speak of some problem, of some test.
    """

    kidneys: bool = False
    child: bool = False
    woman: bool = False
    loud_tests: frozenset[Position] = frozenset()
    loud_problems: bool = False
    tests_matter: bool = False


class _Open(Struct):
    """A question in the making: the facts that are missing, and the rules that wait for them."""

    needs: dict[str, None] = field(default_factory=dict)
    rules: dict[str, None] = field(default_factory=dict)
    worst: Severity = "minor"
    about: str = ""

    def add(self, rules: Iterable[str], severity: Severity, needs: Iterable[str]) -> None:
        self.needs.update(dict.fromkeys(needs))
        self.rules.update(dict.fromkeys(rules))
        self.worst = min(self.worst, severity, key=RANK.__getitem__)

    def asked(self, ask: str) -> Question:
        return Question(ask, sorted(self.needs), sorted(self.rules), self.worst)


class Open(Struct, frozen=True):
    """What a report leaves open: rules that wait, what was told and not used, how medicines were read, and the holes."""

    unknown: Sequence[Unknown]
    unresolved: Sequence[Unresolved]
    medications: Sequence[Understood]
    holes: Sequence[Hole]
    findings: Sequence[Finding]


def questions_of(left: Open, stakes: Stakes, library: Library) -> list[Question]:
    """Each question once, worst first.

    The facts of the patient and the tests are one question, the names that are not sure another, what could not be read a
    third; what a loud finding assumes is asked. A rule that waits for several of these stands with the first of them. What could
    bring no more than a moderate finding, and doses that cannot be judged, are left to the notes; what no rule looks at is
    judged by hand, not asked.
    """
    waiting_for = _Waiting(stakes, library)
    answered = [_places(f) for f in left.findings if f.severity == "contraindicated" and f.do in _NOT_GIVEN and not f.assumed]
    for item in left.unknown:
        if not any(_about(item) <= places for places in answered):
            waiting_for.add(item)
    alone = [h for h in left.holes if h.about == _LIST and h.ask]
    if alone and left.medications:  # a plan was told, and not what is taken beside it
        waiting_for.person.add((), "contraindicated", (_LIST,))
        alone = []
    return _each_once(
        [
            *waiting_for.asked(),
            *_of_names(left),
            *_of_unread([u for u in left.unresolved if u.ask and not _is_name(u)], left.unknown, stakes),
            *_of_assumed(left.findings),
            *(Question(h.ask, [h.about], [], "contraindicated") for h in alone),
        ]
    )


# ------------------------------------------------------------------ rules that wait for a fact


class _Waiting:
    """The rules that wait for a fact worth asking for, by whom or what it is a fact of."""

    def __init__(self, stakes: Stakes, library: Library) -> None:
        self.stakes, self.library = stakes, library
        self.person = _Open()
        self.taken: dict[str, _Open] = {}

    def add(self, item: Unknown) -> None:
        """One rule, with the first of the facts that it waits for; doses, and what could bring little, with none."""
        if RANK[item.severity] > RANK[_WORTH] or not _NAME.isdisjoint(item.needs):
            return
        rules = (item.rule, *item.also)
        wanted = self._of_person(item)
        if wanted:
            self.person.about = self.person.about or item.title
            self.person.add(rules, item.severity, wanted)
            return
        rest = [n for n in item.needs if n not in PERSON and n not in self.library.lab and n not in _TAKEN_AS_USUAL]
        if rest and item.kind not in _DOSES and len(rest) == len(item.needs):
            told = "; ".join(dict.fromkeys(s.text for s in item.subjects if rest != ["route"] or self._several_routes(s)))
            if not told:
                return  # of what is only injected, nobody asks how it is taken
            self.taken.setdefault(f"{told}: {question(rest, self.library)}", _Open()).add(rules, item.severity, rest)

    def _several_routes(self, subject: Subject) -> bool:
        drugs = (subject.drug,) if isinstance(subject.drug, str) else subject.drug or ()
        return any(d in self.library.drug and len(self.library.drug[d].routes) > 1 for d in drugs)

    def _of_person(self, item: Unknown) -> list[str]:
        """The facts of the patient and the tests that a rule waits for, where they are worth asking.

        Of a medicine that is proposed all of them are. One that is taken already is borne, and was weighed when it was started:
        of it only what may have begun since, what was half told, a child's weight, and what a told problem makes doubtful.
        """
        needs = [n for n in item.needs if n in PERSON or n in self.library.lab]
        weight = [n for n in needs if n == "weight"]
        if item.kind in _DOSES:
            return weight if self.stakes.child else []
        if any(s.where.among == "plan" for s in item.subjects):
            return needs
        if len(needs) < len(item.needs):
            return []
        if self.stakes.woman and _BEGINS_ANY_TIME.issuperset(needs):
            return needs
        if _HALF_TOLD.issuperset(needs) or (self.stakes.child and weight == needs):
            return needs
        tests = all(n in self.library.lab for n in needs)
        if tests and self.stakes.kidneys and item.kind == "renal":
            return needs
        untold_problems = "conditions" in needs and item.severity == "contraindicated" and item.kind != "allergy"
        return needs if untold_problems else []

    def asked(self) -> Iterator[Question]:
        """What is asked of them."""
        yield from (open_.asked(ask) for ask, open_ in self.taken.items())
        needs = self.person.needs
        if needs:
            ordered = [n for n in (*PERSON, _LIST) if n in needs]
            ask = together([*ordered, *(n for n in needs if n not in ordered)], self.library)
            yield self.person.asked(f"{self.person.about}: {ask}" if _HALF_TOLD.issuperset(needs) else ask)


def waiting(unknown: Sequence[Unknown], asked: Sequence[Question]) -> list[Unknown]:
    """Rules that could not be judged, and that no question is worth."""
    settled = {rule for q in asked for rule in q.settles}
    return [item for item in unknown if item.rule not in settled]


def _about(item: Unknown) -> _About:
    return frozenset((s.where, s.text) for s in item.subjects)


def _places(f: Finding) -> _About:
    """The one medicine that a finding says not to give; of several it may be another that goes."""
    return frozenset((s.where, s.text) for s in f.subjects) if len(f.subjects) == 1 else frozenset()


# ------------------------------------------------------------------ what was told and not understood


def _of_names(left: Open) -> list[Question]:
    """Names that were not recognised, that may mean several, or that were guessed: one question for all of them."""
    unsure = [u for u in left.unresolved if u.ask and _is_name(u)]
    single = [_of_unresolved(u) for u in unsure]
    single += [_of_guess(m) for m in left.medications if m.current and m.status == "match" and m.via not in (None, *SURE)]
    if len(single) < 2:
        return single
    settles = sorted({rule for q in single for rule in q.settles})
    told = [_in_short(u, len(single) <= _FEW) for u in unsure]
    told += [q.ask for q in single[len(unsure) :]]
    worst = min((q.worst for q in single), key=RANK.__getitem__)
    return [Question(f"Which are meant, as they stand on the label: {'; '.join(told)}", [], settles, worst)]


def _is_name(item: Unresolved) -> bool:
    """Whether it is not known which medicine is meant."""
    return item.where.among in _OF_MEDICINES and item.status not in _NOT_READ and item.status != "unjudged"


def _in_short(item: Unresolved, few: bool) -> str:
    perhaps = f", perhaps {' or '.join(item.candidates[:_FEW])}" if item.candidates and few else ""
    return f"{item.text} ({item.where}){perhaps}"


def _of_unresolved(item: Unresolved) -> Question:
    """Something that was not recognised may be anything; where each reading would break the same rules, little hangs on it."""
    settles = sorted({rule for rules in item.would_break.values() for rule in rules})
    unused = item.status in _NOT_READ  # what it is of is known
    worst: Severity = "minor" if item.agree else "major" if unused else "contraindicated"
    return Question(f"{item.text} ({item.where}): {item.ask}", [], settles, worst)


def _of_guess(m: Understood) -> Question:
    return Question(f"{m.text} ({m.where}): {m.ask}", [], [], "contraindicated")


def _of_unread(items: Sequence[Unresolved], unknown: Sequence[Unknown], stakes: Stakes) -> list[Question]:
    """What could not be read and something loud hangs on: one question for all of it."""
    loud = {s.where for u in unknown if _is_loud(u) for s in u.subjects}
    worth = [item for item in items if _hangs_on(item, loud, stakes)]
    if len(worth) < 2:
        return [_of_unresolved(item) for item in worth]
    told = "; ".join(f"{item.text} ({item.where})" for item in worth)
    return [Question(f"Please say these in other words, as they could not be read or used: {told}", [], [], "major")]


def _is_loud(item: Unknown) -> bool:
    """Whether the way it is taken decides on a loud finding; of a medicine whose dose must be known, the dose always does."""
    return RANK[item.severity] <= RANK["moderate" if item.kind == "dose" else _WORTH] and not OF_A_MEDICINE.isdisjoint(item.needs)


def _hangs_on(item: Unresolved, loud: set[Position], stakes: Stakes) -> bool:
    if item.status in ("contradicted", "implausible", "unjudged"):
        return item.status != "unjudged"  # that is judged by hand
    if item.where.among in _OF_MEDICINES:
        return item.where in loud
    if item.where.among == "conditions":
        if item.status == "unread":  # words beside a problem that was read: a medicine that would break something, if taken
            return any(item.would_break.values())
        return stakes.loud_problems
    if item.where.among in ("labs", "vitals"):
        return item.where in stakes.loud_tests or (item.status == "unread" and stakes.tests_matter)
    return True


def _of_assumed(findings: Sequence[Finding]) -> Iterator[Question]:
    """What a loud finding assumes; what a name means is asked with the names."""
    asked: dict[str, _Open] = {}
    for f in findings:
        for one in f.assumed if RANK[f.severity] <= RANK[_WORTH] else ():
            if one.fact not in _OF_NAMES:
                asked.setdefault(one.ask, _Open()).add((f.rule,), f.severity, (one.fact,))
    yield from (open_.asked(ask) for ask, open_ in asked.items())


def _each_once(found: Iterable[Question]) -> list[Question]:
    once: dict[str, Question] = {}
    for q in found:
        before = once.get(q.ask)
        if before is not None:
            q = replace(q, settles=sorted({*before.settles, *q.settles}), worst=min(before.worst, q.worst, key=RANK.__getitem__))
        once[q.ask] = q
    return sorted(once.values(), key=lambda q: (RANK[q.worst], -len(q.settles), q.ask))
