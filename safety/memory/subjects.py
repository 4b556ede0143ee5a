"""What an event is about, in the library's terms: which medicine, problem, allergy or test; how much and how often."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from safety.answering.checker import Checker
from safety.memory.events import Event
from safety.memory.values import Dose, Often, Regimen, Word
from safety.model.patient import Allergy, Code, LabResult, Medication, Told
from safety.model.quantity import Quantity, QuantityRange, in_parts, number
from safety.reading.directions.galenic import HELD_IN_ONE
from safety.text import fold, printable
from safety.understanding.amounts import amounts_of
from safety.understanding.bare import units_of
from safety.understanding.meaning import Meaning
from safety.understanding.results import result_of

LOCAL = frozenset({"topical", "ophthalmic", "otic", "nasal", "inhaled", "vaginal", "rectal", "dental", "intrauterine"})
"""Routes by which a medicine acts where it is put: what is so taken is another line than the same ingredient swallowed."""
_FEW = 10
"""So many tablets make up one dose at most."""
_DIGIT = re.compile(r"\s+(?=\d)")

Certainty = Literal["sure", "guessed", "open", "unknown"]


class Line(Struct, frozen=True, order=True):
    """What a chain of events is about: a medicine by its ingredients and, where it acts locally, its route; a problem, an
    allergy or a test."""

    kind: Literal["medicine", "condition", "allergy", "result"]
    key: str
    route: str = ""

    def __str__(self) -> str:
        return f"{self.kind}.{self.key}{'@' + self.route if self.route else ''}"


class Meant(Struct, frozen=True):
    """What one event tells, understood. `drugs`: the ingredients, none where the name is not known; `routes`: every one possible.

    `one_of`: the medicines that a name which is open may mean ("insulin"), and the compounds of one without its salt.
    `ask`: the question about a name that is not sure.
    """

    kind: Literal["medicine", "condition", "allergy", "result"]
    key: str
    name: str
    drugs: tuple[str, ...] = ()
    routes: tuple[str, ...] = ()
    form: str | None = None
    each: Quantity | None = None
    one_of: tuple[str, ...] = ()
    regimen: Regimen = Regimen()
    route: Word | None = None
    reason: Word | None = None
    days: int | None = None
    amount: Quantity | None = None
    word: str = ""
    ask: str = ""
    sure: Certainty = "sure"


class Understanding:
    """Reads events by one library; made once, never changed. The same words mean the same for everybody."""

    def __init__(self, checker: Checker) -> None:
        self.checker = checker
        self._terms = checker.terms
        self.units = checker.library.units
        self._whole = frozenset(map(fold, checker.library.language.words("whole-lists")))

    def meant(self, event: Event) -> Meant | None:
        """What the event is about; None for one that only takes back what was told."""
        if event.medicine is not None:
            return self.medicine(event.medicine)
        if event.condition:
            return self.condition(event.condition, event.codes)
        if event.allergy:
            return self.allergy(event.allergy, event.codes)
        return self._result(event) if event.test else None

    # -------------------------------------------------------------- medicines

    def drugs_called(self, name: str) -> tuple[str, ...]:
        """The ingredients of what is surely called so."""
        return tuple(self.checker.resolver.read(name).drugs)

    def is_talk(self, word: str) -> bool:
        """Whether a word is one of every day."""
        talk = self.checker.resolver.talk
        return word in talk.talk or word in talk.no_names

    def is_dosed(self, medicine: Medication) -> bool:
        """Whether it is told how much of a medicine is taken."""
        return self.medicine(medicine).regimen.dose is not None

    def medicine(self, told: Medication) -> Meant:
        """A medicine with how it is told to be taken."""
        meaning, heard = self._meaning(told)
        answer, drugs = meaning.read.answer, meaning.read.drugs
        reason = told.indication or meaning.directions.reason
        days = told.days if told.days is not None else meaning.directions.days
        known = Meant(
            "medicine", "+".join(sorted(drugs)) if drugs else f"text:{fold(heard)}", answer.name or printable(heard), drugs,
            meaning.routes, meaning.form, meaning.each, self._one_of(meaning), self._regimen(meaning, drugs), _route(meaning),
            self._reason(reason), int(days) if days is not None else None,
        )  # fmt: skip
        if not drugs:
            return replace(
                known, ask=answer.ask or f"Which medicine is `{printable(heard)}`?", sure="open" if known.one_of else "unknown"
            )
        return replace(known, ask=answer.ask, sure="guessed") if answer.confirm else known

    def is_sold(self, name: str, dose: Quantity) -> bool:
        """Whether a medicine is sold in that amount, or in what makes it up: a few tablets, so many units of an insulin."""
        library = self.checker.library
        read = self.checker.resolver.read(name)
        known = library.drug.get(read.drugs[0]) if len(read.drugs) == 1 else None
        if known is not None and any(q.value == dose.value and q.unit == dose.unit for q in known.strengths):
            return True
        return units_of(read, library, self.checker.lexicon)(dose.value, True, in_parts(dose.value)) == dose.unit

    def is_made_up(self, name: str, dose: Quantity) -> bool:
        """Whether an amount is that of a few tablets, or a few and a half, of a strength in which a medicine is sold."""
        read = self.checker.resolver.read(name)
        strengths = self._strengths(read.drugs[0]) if len(read.drugs) == 1 else ()
        return any(
            s.unit == dose.unit and s.value and not 2 * dose.value % s.value and 1 <= dose.value / s.value <= _FEW
            for s in strengths
        )

    def name_of(self, drug: str) -> str:
        """The name of an ingredient by its id; empty where no more than a name is known of it."""
        known = self.checker.library.drug.get(drug)
        return known.name if known is not None else ""

    def unit_sold(self, name: str, value: Decimal) -> str:
        """The unit in which a number alone is an amount that a medicine is sold in; empty where it is none."""
        read = self.checker.resolver.read(name)
        if len(read.drugs) != 1:
            return ""
        return units_of(read, self.checker.library, self.checker.lexicon)(value, True, in_parts(value)) or ""

    def _meaning(self, told: Medication) -> tuple[Meaning, str]:
        """How a medicine was read, and its name as heard; what stands behind a name that is not known is read all the same."""
        meaning = self._terms.meaning_of(told)
        heard = told.drug or told.text
        if meaning.read.answer.status == "match" or told.drug is not None:
            return meaning, heard
        name, *rest = _DIGIT.split(heard, maxsplit=1)
        if not rest:
            return meaning, heard
        return self._terms.meaning_of(replace(told, text=name, drug=name, sig=rest[0])), name

    def _one_of(self, meaning: Meaning) -> tuple[str, ...]:
        if meaning.read.drugs:
            return self.salts(meaning.read.drugs)
        candidates = (c.drug for c in meaning.read.answer.candidates)
        alone = tuple(d for d in candidates if isinstance(d, str))
        return tuple(meaning.read.one_of) or (alone if meaning.read.answer.via == "class" else ())

    def salts(self, drugs: tuple[str, ...]) -> tuple[str, ...]:
        """The compounds that a name without its salt may mean: "my potassium"."""
        named = self.checker.library.drug.get(drugs[0]) if len(drugs) == 1 else None
        if named is None or not named.names_salts:
            return ()
        wider = [c.members for c in self.checker.library.classes if named.id in c.members]
        among = min(wider, key=len, default=())
        alike = {d.id for d in self.checker.library.drugs if d.name.startswith(f"{named.name} ")}
        return tuple(sorted(alike | set(among) - {named.id}))

    def _regimen(self, meaning: Meaning, drugs: tuple[str, ...]) -> Regimen:
        d = meaning.directions
        single = self._single(meaning, drugs)
        needed = bool(d.as_needed)
        often = Often(d.times_per_day, needed) if d.times_per_day is not None or needed else None
        per_day = d.per_day if len(drugs) < 2 else None
        at_once = per_day is not None and len(drugs) == 1 and any(q in per_day for q in self._strengths(drugs[0]))
        return Regimen(Dose(single) if single is not None else None, often, per_day, at_once)

    def _strengths(self, drug: str) -> tuple[Quantity, ...]:
        known = self.checker.library.drug.get(drug)
        return tuple(known.strengths) if known is not None else ()

    def _single(self, meaning: Meaning, drugs: tuple[str, ...]) -> QuantityRange | None:
        """One dose of the ingredient where there is one; else as it was told."""
        d = meaning.directions
        if len(drugs) == 1:
            found = {amounts_of(d, option, self.units).single for option in meaning.contents(drugs[0])}
            if len(found) == 1 and (only := found.pop()) is not None:
                return only
        if d.dose is None and d.strength is not None and not d.strength_per and "/" not in d.strength.unit and len(drugs) == 1:
            return None if d.strength.unit == "%" else (d.strength, d.strength) if d.form is None else None
        return d.dose

    def _reason(self, text: str | None) -> Word | None:
        if not text:
            return None
        found = self._terms.named(fold(text))
        return Word(found or fold(text), printable(text))

    # -------------------------------------------------------------- problems, allergies, results

    def condition(self, text: str, codes: tuple[tuple[str, str], ...] = ()) -> Meant:
        """A problem or symptom; by its own words where it is none of ours."""
        told = Told(text, tuple(Code(s, c) for s, c in codes))
        found = self._terms.condition(told)
        if found is None:
            return Meant("condition", f"text:{fold(text)}", printable(text), sure="unknown")
        return Meant("condition", found[0], self.checker.library.condition[found[0]].name)

    def allergy(self, text: str, codes: tuple[tuple[str, str], ...] = ()) -> Meant:
        """What somebody reacts to; `all` stands for any allergy."""
        if fold(text) in self._whole:
            return Meant("allergy", "*", "any allergy")
        known, _ = self._terms.allergies.read(Allergy(text, codes=tuple(Code(s, c) for s, c in codes)))
        if not known:
            return Meant("allergy", f"text:{fold(text)}", printable(text), sure="unknown")
        drugs = tuple(sorted({d for one in known for d in one.drugs}))
        return Meant("allergy", "+".join(sorted({one.target for one in known})), printable(text), drugs)

    def test(self, text: str) -> str:
        """The key of a test by any of its names."""
        lab = self._terms.lab(LabResult(text))
        return lab.id if lab is not None else f"text:{fold(text)}"

    def test_of(self, text: str, codes: tuple[Code, ...]) -> str:
        """The key of a test by its codes or name."""
        lab = self._terms.lab(LabResult(text, codes=codes))
        return lab.id if lab is not None else f"text:{fold(text)}"

    def same_amount(self, test: str, one: Quantity, other: Quantity) -> bool:
        """Whether two results of a test are the same in different units."""
        lab = self.checker.library.lab.get(test)
        if lab is None:
            return self.units.compare(one, other) == 0
        a, b = (result_of(LabResult(lab.name, q.value, q.unit), lab, self._terms) for q in (one, other))
        return a.fault is None and a.low is not None and a.low == b.low

    def _result(self, event: Event) -> Meant:
        told = LabResult(event.test, codes=tuple(Code(s, c) for s, c in event.codes))
        lab = self._terms.lab(told)
        value = number(event.value)
        unit = self.units.symbol(event.unit) or event.unit
        amount = Quantity(value, unit) if value is not None else None
        key, name = (lab.id, lab.name) if lab is not None else (f"text:{fold(event.test)}", printable(event.test))
        return Meant("result", key, name, amount=amount, word="" if amount is not None else printable(event.value))


def _route(meaning: Meaning) -> Word | None:
    """The route that was told, or the only one there is."""
    route = meaning.directions.route
    return Word(route) if route else None


def is_local(routes: tuple[str, ...]) -> bool:
    """Whether it acts only where it is put."""
    return bool(routes) and LOCAL.issuperset(routes)


def in_units_of_one(meant: Meant, each: Quantity | None) -> Meant:
    """What is told in tablets, in what one of them holds; as it is told where that is not known."""
    dose = meant.regimen.dose
    if dose is None or each is None or dose.amount[1].unit not in HELD_IN_ONE:
        return meant
    low, high = (Quantity(q.value * each.value, each.unit) for q in dose.amount)
    return replace(meant, each=each, regimen=replace(meant.regimen, dose=Dose((low, high))))


def plural(count: int | Decimal, noun: str) -> str:
    """`1 day`, `3 days`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
