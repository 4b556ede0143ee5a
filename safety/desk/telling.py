"""A rule in sentences: in plain words for whoever looks after patients, and in words for a patient to read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from safety.judging.judgement import Judgement
from safety.knowledge import leaves as lf
from safety.knowledge.entries import Entry, Limit
from safety.knowledge.library import Harm, Library
from safety.model.report import Severity
from safety.showing.words import WHOM

_FEW: Final = 3
_OPS: Final = {"at_least": "at least", "at_most": "at most", "under": "less than", "above": "more than"}
_AGES: Final = {"at_least": "{} or older", "at_most": "{} or younger", "under": "younger than {}", "above": "older than {}"}
_TIMES: Final = {"y": "years", "mo": "months", "wk": "weeks", "d": "days", "h": "hours", "min": "minutes"}
_ROUTES: Final = {
    "oral": "by mouth", "parenteral": "by injection", "rectal": "in the rectum", "topical": "on the skin",
    "transdermal": "as a patch", "ophthalmic": "in the eye", "otic": "in the ear", "nasal": "in the nose", "inhaled": "inhaled",
    "vaginal": "in the vagina", "intrauterine": "in the womb", "buccal": "in the cheek", "sublingual": "under the tongue",
    "implant": "as an implant", "intrathecal": "into the spinal fluid", "dental": "in the mouth",
    "intravenous": "into a vein", "intramuscular": "into a muscle", "subcutaneous": "under the skin",
}  # fmt: skip
_LIMITS: Final = {
    "dose_in_24h": "in 24 hours", "single_dose": "at once", "dose_interval": "between two doses", "days_of_use": "of use",
}  # fmt: skip
_LEVELS: Final[Mapping[Severity, str]] = {
    "contraindicated": "must not be", "major": "to be avoided unless a specialist has decided; act today",
    "moderate": "usable with a change of dose, timing or monitoring", "minor": "to be known",
}  # fmt: skip
_MAY: Final[Mapping[Severity, str]] = {
    "contraindicated": "They must not {}.", "major": "They should not {}, unless a specialist has decided so.",
    "moderate": "They may {} where something is done about it.", "minor": "They may {}; it is to be known.",
}  # fmt: skip
_SOON: Final[Mapping[Severity, str]] = {
    "contraindicated": "Call your pharmacist or doctor today, before you take the next dose.",
    "major": "Call your pharmacist or doctor today.",
    "moderate": "Tell your pharmacist or doctor in the next days.",
    "minor": "Mention it to your pharmacist or doctor at your next visit.",
}
_VERBS: Final[Mapping[str, str]] = {
    "stop": "They may want you to stop {it}.", "replace": "They may give you something else instead of {it}.",
    "reduce": "You may need a smaller amount of {it}.", "increase": "You may need a larger amount of {it}.",
    "separate": "You may have to take them some hours apart.", "add": "You may need something else beside {it}.",
    "monitor": "They may want to check on you, or on your blood, more often.", "ask": "They will have questions for you.",
    "inform": "They can tell you what to look out for.",
}  # fmt: skip
_INFINITIVE: Final = {"are": "be", "had": "have had"}
ALONE: Final = "Do not start, stop or change a prescribed medicine on your own. This is made from a rule; it does not know you."
EMERGENCY: Final = "This can be an emergency: call emergency services (911 in the US)."


class Told(Struct, frozen=True):
    """A rule in plain words, each with what it answers, and in sentences for a patient."""

    rule: str
    plain: tuple[tuple[str, str], ...]
    patient: tuple[str, ...]


def told(e: Entry, library: Library) -> Told:
    """A rule in words."""
    words = _Words(e, library)
    return Told(e.id, tuple((label, text) for label, text in words.plain() if text), tuple(words.patient()))


def in_names(e: Entry, library: Library, drug: str = "") -> Callable[[str], str]:
    """How a text of a rule reads with what each of its slots is: "Hold {drug}" is "Hold anticoagulants".

    `drug`: the medicine that it is told of: the one slot that may be it is called by its name ("Hold warfarin").
    """
    words = _Words(e, library)
    meant = [leaf.slot for leaf in e.slots if leaf.members is None or drug in leaf.members]
    if drug and len(meant) == 1:
        words.in_texts[meant[0]] = words.name(drug)
    return lambda text: _capital(words.filled(text))


def would_speak(j: Judgement, library: Library) -> str:
    """Of a rule that did not speak, the first line that kept it silent, and for whom it would have spoken."""
    step = next((s for s in j.trace if s.result is False), None)
    lines = (leaf for leaf in j.entry.condition if step is not None and (leaf.text, leaf.place) == (step.step, step.place))
    leaf = next(lines, None)
    if j.verdict != "not_applicable" or leaf is None:
        return ""
    whom = _Words(j.entry, library).line(leaf)
    return f"It would go on for people who {whom}." if whom else ""


class _Words:
    def __init__(self, e: Entry, library: Library) -> None:
        self.e = e
        self.library = library
        self.names = {leaf.slot: self.medicines(leaf, of="", such=False) for leaf in e.slots}
        if len(self.names) == 1 and e.slots[0].members is None:
            self.names[e.slots[0].slot] = "it"
        self.in_texts = _told_apart({leaf.slot: self.one_of(leaf) for leaf in e.slots})
        """What a slot is called in the rule's own texts, where a patient's report names the one medicine."""

    # -------------------------------------------------------------- the two texts

    def plain(self) -> Iterable[tuple[str, str]]:
        """Whom it is about, what must hold, what to do, why, what happens otherwise, on what it rests."""
        e = self.e
        yield "about", f"People who {self.whom()}."
        yield "then", self.demand()
        yield "how bad", f"{e.severity}: {_LEVELS[e.severity]}"
        for clause in e.severity_when:
            yield "", f"{clause.severity} for those who {self.all_of(clause.lines)}: {clause.because}"
        yield "do", _capital(self.filled(e.advice))
        yield "or else", self.filled(e.if_unavoidable)
        yield "tell", WHOM.get(e.escalate, e.escalate)
        yield "why", self.filled(e.why)
        yield "can cause", f"{e.harm}{f', within {e.onset}' if e.onset else ''}"
        yield "known by", "; ".join(dict.fromkeys(f"{c.title or c.source} ({c.checked})" for c in e.evidence))
        yield "signed", ", ".join(e.by_whom) or "by nobody licensed"

    def patient(self) -> Iterable[str]:
        """What it is about, what can happen, whom to ask and how soon; never a clinician's order."""
        e = self.e
        yield f"This matters if you {self.whom()}."
        if e.constraint.limits:
            yield self.demand()
        yield f"It can cause {_or([self.lay(i) for i in e.harms[:_FEW]])}."
        yield EMERGENCY if e.escalate == "emergency" else _SOON[e.severity]
        target = self.in_texts.get(e.target or "", "") or next(iter(self.in_texts.values()), "the medicine")
        yield _VERBS[e.do].format(it=target)
        yield ALONE

    def whom(self) -> str:
        """Whom the rule is about."""
        if self.e.doses is not None:
            return f"take {self.name(self.e.doses.drug)}"
        return self.all_of(self.e.condition) or "are treated"

    def demand(self) -> str:
        """What must be true of them."""
        kept = self.e.constraint
        called = _and(_twice([self.names.get(slot, slot.replace("_", " ")) for slot in kept.slots]))
        if kept.kind in ("avoid", "avoid_together"):
            return _MAY[self.e.severity].format(f"take {called} together" if kept.kind == "avoid_together" else f"use {called}")
        if kept.kind == "require":
            return f"They should {_to_be(self.all_of(kept.lines))}."
        if kept.limits:
            return "; ".join(self.limit(row, kept.kind) for row in kept.limits) + "."
        return f"The dose should be one of those listed (medsafe show {self.e.id})."

    def limit(self, row: Limit, kind: str) -> str:
        """One row of a limit."""
        whom = self.all_of(row.who)
        return f"{_capital(_amounts(row.bounds))} {_LIMITS[kind]}{f' for those who {whom}' if whom else ''}"

    def lay(self, harm: str) -> str:
        """A harm as a patient calls it."""
        found = self.library.by_id.get(harm)
        return found.plain or found.name if isinstance(found, Harm) else harm

    def filled(self, text: str) -> str:
        """A text of the rule with what each slot is."""
        for slot, name in self.in_texts.items():
            text = text.replace(f"{{{slot}}}", name)
        return text

    # -------------------------------------------------------------- the lines

    def all_of(self, lines: Sequence[lf.LeafType]) -> str:
        """Lines that all hold."""
        return _and(_twice([text for leaf in lines if (text := self.line(leaf))], "take "))

    def line(self, leaf: lf.LeafType) -> str:
        """One line, as it follows "people who" and "you"."""
        say: Callable[[_Words, Any], str] = _SAY[type(leaf)]
        return say(self, leaf)

    def called(self, ids: Iterable[str]) -> str:
        """Things by their names, any of them."""
        return _or([self.name(i) for i in ids])

    def name(self, i: str) -> str:
        """What something is called."""
        return str(getattr(self.library.by_id.get(i), "name", "")) or self.library.name_of(i)

    def medicines(self, leaf: lf.DrugLeaf, of: str = "take ", *, such: bool = True) -> str:
        """The medicines of a drug line; `such`: with the best known of a class."""
        members = leaf.members
        if members is None:
            return f"{of}any medicine"
        if len(members) <= _FEW:
            return of + _or([self.name(i) for i in members])
        known = sorted(members, key=lambda i: (-len(self.library.drug[i].names) if i in self.library.drug else 0, i))
        few = _or([self.name(i) for i in known[:_FEW]])
        named = self.class_of(leaf)
        if not named:
            return f"{of}{few}, or one of {len(members) - _FEW} others"
        return f"{of}{named} (such as {few})" if such else f"{of}{named}"

    def one_of(self, leaf: lf.DrugLeaf) -> str:
        """The one medicine that a drug line is met by: a few by name, one of a class by the class ("the anticoagulant")."""
        members = leaf.members or ()
        if members and len(members) <= _FEW:
            return _or([self.name(i) for i in members])
        named = self.class_of(leaf) if members else ""
        return f"the {_singular(named) or 'medicine'}"

    def class_of(self, leaf: lf.DrugLeaf) -> str:
        """The name of the first class that a drug line names."""
        return next((self.library.drug_class[w].name for w in _ids(leaf.text) if w in self.library.drug_class), "")

    def drug(self, leaf: lf.DrugLeaf) -> str:
        """A drug line: what, how, how much, since when."""
        if leaf.of is not None:
            which = self.names.get(leaf.of, "it")
            return f"take {which}{self._how(leaf)}" if self._how(leaf) else ""
        verb = "are to start " if leaf.among == "plan" else "take "
        return f"{self.medicines(leaf, verb)}{self._how(leaf)}"

    def _how(self, leaf: lf.DrugLeaf) -> str:
        parts = [
            f" {_or([_ROUTES.get(r, r) for r in leaf.routes])}" if leaf.routes else "",
            f" as {_or(leaf.forms)}" if leaf.forms else "",
            " without a prescription" if leaf.supply == "otc" else " by prescription" if leaf.supply else "",
            f", {_amounts(leaf.single_dose)} at once" if leaf.single_dose else "",
            f", {_amounts(leaf.daily_dose)} a day" if leaf.daily_dose else "",
            f" for {self.called(leaf.indications)}" if leaf.indications else "",
            f" (begun in the last {leaf.started_within} days)" if leaf.started_within else "",
            f" (or stopped it in the last {leaf.or_stopped_within} days)" if leaf.or_stopped_within else "",
        ]
        return "".join(parts)

    def has(self, leaf: lf.HasLeaf) -> str:
        """A problem, now, ever, or in the last days."""
        what = self.called(leaf.conditions)
        if leaf.within is not None:
            return f"had {what} in the last {leaf.within} days"
        return f"{'have, or ever had,' if leaf.ever else 'have'} {what}{' (or a close relative)' if leaf.family else ''}"

    def lab(self, leaf: lf.LabLeaf) -> str:
        """A result."""
        says = _or(leaf.words) or _amounts(leaf.bounds) or "on file"
        return f"have a result of {self.name(leaf.test)}: {says}"

    def change(self, leaf: lf.ChangeLeaf) -> str:
        """A result that moved."""
        far = f"by {leaf.by}" if leaf.by else f"by {leaf.percent}%" if leaf.percent else f"{leaf.times} times"
        return f"have a {self.name(leaf.test)} that {'rose' if leaf.up else 'fell'} {far} within {leaf.within} days"

    def procedure(self, leaf: lf.ProcedureLeaf) -> str:
        """An operation or examination."""
        what = self.called(leaf.procedures)
        done = f"had {what} in the last {leaf.done_within} days" if leaf.done_within is not None else ""
        return _or([text for text in (f"are to have {what}" if leaf.planned else "", done) if text])

    def pregnancy(self, leaf: lf.PregnancyLeaf) -> str:
        """Pregnant, or not, and how far."""
        when = f" in trimester {_or([str(t) for t in leaf.trimesters])}" if leaf.trimesters else ""
        weeks = f" ({_amounts(leaf.weeks)})" if leaf.weeks else ""
        return f"are {'' if leaf.present else 'not '}pregnant{when}{weeks}"

    def intake(self, leaf: lf.IntakeLeaf) -> str:
        """What is eaten, drunk or smoked."""
        much = " above the limit set" if leaf.over_limit else f" ({_amounts(leaf.bounds)} a day)" if leaf.bounds else ""
        return f"have {self.called(leaf.foods)}{much}"

    def allergy(self, leaf: lf.AllergyLeaf) -> str:
        """To what somebody is allergic."""
        to = self.names.get(leaf.slot, "it") if leaf.slot else self.called(leaf.targets)
        graded = f" ({_or([g.replace('_', ' ') for g in leaf.grades])})" if leaf.grades else ""
        return f"are allergic to {to}{graded}"

    def no(self, leaf: lf.NotLeaf) -> str:
        """What must not be so."""
        inner = self.line(leaf.line)
        first, _, rest = inner.partition(" ")
        if first == "are":
            return f"are not {rest}"
        return f"do not {inner}" if first in ("take", "have") else f"for whom it is not so that they {inner}" if inner else ""


_SAY: Final[Mapping[type, Callable[[_Words, Any], str]]] = {
    lf.DrugLeaf: _Words.drug,
    lf.IngredientLeaf: lambda _, leaf: "" if not leaf.same else "take the same medicine in both",
    lf.ApartLeaf: lambda w, leaf: f"take {_and([w.names.get(s, s) for s in leaf.slots])} {leaf.minutes} minutes apart",
    lf.HasLeaf: _Words.has,
    lf.LabLeaf: _Words.lab,
    lf.MeasuredLeaf: lambda w, leaf: f"had {w.called(leaf.tests)} measured in the last {leaf.within} days",
    lf.ChangeLeaf: _Words.change,
    lf.GeneLeaf: lambda w, leaf: f"have the gene result {w.name(leaf.gene)} {_or(leaf.states).replace('_', ' ')}",
    lf.ProcedureLeaf: _Words.procedure,
    lf.DeviceLeaf: lambda w, leaf: f"have {w.called(leaf.devices)}",
    lf.AgeLeaf: lambda _, leaf: f"are {_ages(leaf.bounds)}",
    lf.WeightLeaf: lambda _, leaf: f"have a weight of {_amounts(leaf.bounds)}",
    lf.KidneyLeaf: lambda _, leaf: f"have kidneys that clear {_amounts(leaf.bounds)}",
    lf.EquivalentLeaf: lambda w, leaf: f"take {_amounts(leaf.bounds)} in all",
    lf.IntakeLeaf: _Words.intake,
    lf.SexLeaf: lambda _, leaf: f"are {leaf.sex}",
    lf.PregnancyLeaf: _Words.pregnancy,
    lf.BreastfeedingLeaf: lambda _, leaf: f"are {'' if leaf.present else 'not '}breastfeeding",
    lf.AllergyLeaf: _Words.allergy,
    lf.BurdenLeaf: lambda w, leaf: f"take at least {leaf.at_least} of: {_such(w, leaf)}",
    lf.AnyLeaf: lambda w, leaf: _or([text for inner in leaf.lines if (text := w.line(inner))]),
    lf.AllLeaf: lambda w, leaf: w.all_of(leaf.lines),
    lf.NotLeaf: _Words.no,
}


def _such(words: _Words, leaf: lf.BurdenLeaf) -> str:
    return _or([words.name(i) for i in list(leaf.members)[: _FEW + 2]]) + " and the like"


def _ids(text: str) -> list[str]:
    return "".join(c if c.isalnum() or c in "-." else " " for c in text).split()


def _amounts(bounds: lf.Bounds) -> str:
    return _and([f"{_OPS[b.op]} {_timed(b)}" for b in bounds])


def _ages(bounds: lf.Bounds) -> str:
    return _and([_AGES[b.op].format(_timed(b)) for b in bounds])


def _timed(b: lf.Bound) -> str:
    """An amount with its unit spelt out where it is a time."""
    amount, _, unit = (b.text or str(b.value)).partition(" ")
    word = _TIMES.get(unit, unit)
    return f"{amount} {word[:-1] if amount == '1' and unit in _TIMES else word}".strip()


def _and(texts: Sequence[str]) -> str:
    return _joined(texts, "and")


def _or(texts: Sequence[str]) -> str:
    return _joined(texts, "or")


def _joined(texts: Sequence[str], word: str) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} {word} {texts[-1]}" if texts else ""


def _twice(texts: Sequence[str], verb: str = "") -> list[str]:
    """Texts, where the same one of medicines stands twice, once as two of them: "take two anticoagulants"."""
    both = {text for text in texts if texts.count(text) > 1 and text.startswith(verb)}
    two = {text: f"{verb}two {text.removeprefix(verb).replace('any medicine', 'medicines')}" for text in both}
    return list(dict.fromkeys(two.get(text, text) for text in texts))


def _singular(plural: str) -> str:
    """One of a class: "strong CYP3A4 inducers" has "strong CYP3A4 inducer"; empty where the name does not end in a plural."""
    if not plural.endswith("s") or plural.endswith(("ss", "us", "is")):
        return ""
    return f"{plural.removesuffix('ies')}y" if plural.endswith("ies") else plural.removesuffix("s")


def _told_apart(names: Mapping[str | None, str]) -> dict[str | None, str]:
    """Two slots of the same name: the one and the other."""
    found: dict[str | None, str] = {}
    for slot, name in names.items():
        twice = list(names.values()).count(name) > 1
        which = "other" if name in {n.replace("the one ", "the ", 1) for n in found.values()} else "one"
        found[slot] = name.replace("the ", f"the {which} ", 1) if twice and name.startswith("the ") else name
    return found


def _to_be(text: str) -> str:
    """What people "are" or "had", as what they should be or have had."""
    first, _, rest = text.partition(" ")
    return f"{_INFINITIVE.get(first, first)} {rest}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
