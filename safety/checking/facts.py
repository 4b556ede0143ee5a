"""What is known of one patient on one day, in the library's terms; and what of it was not recognised."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from safety.checking.allergies import AllergyReader, KnownAllergy
from safety.checking.entries import Entry, line_reader, understand
from safety.checking.intake import Taken, foods_by_name, taken
from safety.checking.kidney import Clearance, clearance, derived_results
from safety.dosing.amounts import Body
from safety.formulas.body import bsa_mosteller
from safety.knowledge.library import Lab, Library
from safety.names.resolver import Resolver
from safety.patient import Age, Case, Intake, LabResult, Patient, Pregnancy, Told, age_from_birth
from safety.quantity import Quantity, number
from safety.report import Unresolved
from safety.text import fold, printable

_OF_DRUGS = frozenset({"nkda", "nkma", "drug", "drugs", "medication", "medications", "medicine", "medicines"})
_RESULT = re.compile(r"\s*(<=|>=|<|>|≤|≥)?\s*(\S.*?)\s*\Z", re.S)
_HISTORY = re.compile(
    r"^(?:(?:past|personal|previous|prior|known)? ?(?:medical )?(?:history|hx) of (?:an? )?"
    r"|h / o |prior |previous |s / p |status post )"
)
_NEAR = 88
_NO_UNIT = {"1", "ratio", "{inr}", "{ratio}", "unitless", "index"}
_HAIR = Decimal("0.000000001")
_CONDITION_WORDS = frozenset(["disorder", "finding", "situation", "diagnosis", "diagnosed"])
_BESIDE = _CONDITION_WORDS | frozenset(
    ["left", "right", "bilateral", "chronic", "known", "new", "newly", "longstanding", "stable", "controlled", "uncontrolled",
     "well", "poorly"]
)  # fmt: skip
"""Words beside a problem that leave it what it is; how severe it is, is not among them: that may be another problem."""


class Problem(Struct, frozen=True):
    """A problem on the list that we recognise, with everything it is a kind of; `active` None: "history of", now unclear."""

    id: str
    kinds: tuple[str, ...]
    active: bool | None
    text: str


class Result(Struct, frozen=True):
    """One usable result, in the test's own unit; `low`/`high` differ for results such as `<5`; `derived`: worked out."""

    low: Decimal | None
    high: Decimal | None
    on: date | None
    shown: str
    unusable: str = ""
    derived: bool = False


class Terms:
    """Looks conditions, allergies and tests up by code or text; immutable, made once for a library."""

    def __init__(self, library: Library, resolver: Resolver) -> None:
        self.library = library
        self.resolver = resolver
        self.read_line = line_reader(library, resolver)
        self._condition_codes: dict[tuple[str, str], tuple[str, bool]] = {}
        self._conditions: dict[str, str] = {}
        for c in library.conditions:
            self._condition_codes.update(dict.fromkeys(c.codes, (c.id, False)))
            self._condition_codes.update(dict.fromkeys(c.past_codes, (c.id, True)))
            for text in (c.name, *c.synonyms):
                self._conditions.setdefault(fold(text), c.id)
        self.allergies = AllergyReader(library, resolver)
        self.foods = foods_by_name(library)
        self._labs = {f"loinc:{code}": t for t in library.labs for code in t.loinc}
        for t in library.labs:
            for text in (t.id, t.name, *t.synonyms):
                self._labs.setdefault(fold(text), t)

    def condition(self, told: Told) -> tuple[str, bool | None] | None:
        """A problem's id and whether it is told to be past; None if it is not recognised.

        "History of X" means, on many problem lists, that somebody has X: whether it is past is then not known (None).
        """
        for code in told.codes:
            found = self._condition_codes.get((code.system, code.code))
            if found:
                return found
        for text in (told.text, *(c.display for c in told.codes)):
            ways = (fold(text), _without(text, _CONDITION_WORDS), _without(text, _BESIDE))
            known = next((self._conditions[way] for way in ways if way in self._conditions), None)
            if known:
                return known, False
            if text in self.library.condition:
                return text, False
            history = _HISTORY.sub("", fold(text), count=1)
            if history in self._conditions:
                return self._conditions[history], None
        return None

    def conditions_near(self, text: str) -> list[str]:
        """Up to three problems whose names are close to what was written, to ask about; never taken for them."""
        from rapidfuzz import fuzz, process

        found = process.extract(fold(text), sorted(self._conditions), scorer=fuzz.ratio, score_cutoff=_NEAR, limit=6)
        return list(dict.fromkeys(self.library.condition[self._conditions[name]].name for name, _, _ in found))[:3]

    def lab(self, told: LabResult) -> Lab | None:
        """Which test a result is of; None if it is none of ours."""
        for code in told.codes:
            found = self._labs.get(f"{code.system}:{code.code}")
            if found:
                return found
        return self._labs.get(fold(told.test)) or self._labs.get(told.test)


def _range(sign: str, value: Decimal) -> tuple[Decimal | None, Decimal | None]:
    """The lowest and highest value that a result such as `<5` or `≥ 90` leaves open; equal for a plain number."""
    if sign in ("<", ">"):  # just short of the number
        value = value - _HAIR if sign == "<" else value + _HAIR
    if sign[:1] in ("<", "≤"):
        return None, value
    return (value, None) if sign else (value, value)


def _without(text: str, words: frozenset[str]) -> str:
    return " ".join(w for w in fold(text).split() if w not in words)


class Facts:
    """One patient on one day. Lists are `None` where not told."""

    def __init__(self, case: Case, terms: Terms, day: date) -> None:
        self.case = case
        self.patient: Patient = case.patient
        self.terms = terms
        self.library = terms.library
        self.units = terms.library.units
        self.day = day
        self.entries: tuple[Entry, ...] = understand(case, terms.read_line, day, self._body())
        self.unresolved: list[Unresolved] = []
        born = case.patient.birth_date
        self.age: Age | None = case.patient.age or (age_from_birth(born, day) if born and born <= day else None)
        self.problems = self._problems()
        self.allergies = self._allergies()
        self._unknown_tests()
        self._unknown_foods()
        for entry in self.entries:
            if not entry.resolved:
                a = entry.answer
                candidates = [c.name for c in a.candidates]
                status = a.status if a.status != "match" else "unrecognised"
                self.unresolved.append(Unresolved(printable(entry.told.text), entry.where, status, candidates, a.ask))

    @cached_property
    def current(self) -> tuple[Entry, ...]:
        """Entries that are taken now, or are to be taken."""
        return tuple(e for e in self.entries if e.current and e.resolved)

    @cached_property
    def each_current(self) -> tuple[tuple[Entry, str], ...]:
        """Each ingredient of what is taken now, with its entry."""
        return tuple((e, d) for e in self.current for d in e.drugs)

    @cached_property
    def each_ever(self) -> tuple[tuple[Entry, str], ...]:
        """Each ingredient of every entry that we recognise, stopped ones too."""
        return tuple((e, d) for e in self.entries if e.resolved for d in e.drugs)

    @cached_property
    def unresolved_current(self) -> bool:
        """Whether an entry that is taken now is one that we do not recognise."""
        return any(e.current and not e.resolved for e in self.entries)

    def _problems(self) -> tuple[Problem, ...] | None:
        if self.patient.conditions is None:
            return None
        found = []
        for n, told in enumerate(self.patient.conditions):
            known = self.terms.condition(told)
            if known is None:
                ask = "Which condition is meant? It is not one of ours, so no rule about it was judged."
                near = self.terms.conditions_near(told.text)
                self.unresolved.append(Unresolved(printable(told.text), f"conditions[{n}]", "unrecognised", near, ask))
                continue
            i, past = known
            active = None if past is None and told.status == "active" else told.status == "active" and not past
            found.append(Problem(i, self.library.condition[i].is_a, active, printable(told.text)))
        return tuple(found)

    def _allergies(self) -> tuple[KnownAllergy, ...] | None:
        if self.patient.allergies is None:
            return None
        found: list[KnownAllergy] = []
        strange = False
        for n, told in enumerate(self.patient.allergies):
            if told.denied:
                continue
            known, unread = self.terms.allergies.read(told)
            for part in unread:
                strange = True
                ask = "What exactly is the allergy to? It is not recognised, so no drug was checked against it."
                self.unresolved.append(Unresolved(printable(part), f"allergies[{n}]", "unrecognised", [], ask))
            for one in known:
                if one.ask:  # a guessed name is checked against, and asked about
                    name = [self._name(one.target)]
                    self.unresolved.append(Unresolved(printable(told.to), f"allergies[{n}]", "ambiguous", name, one.ask))
            found += known
        self._contradicted(found, strange)
        return tuple(found)

    def _contradicted(self, found: list[KnownAllergy], strange: bool) -> None:
        """Where the list says both that there are none and which there are: the allergies stand, and it is asked.

        "No known *drug* allergies" contradicts only an allergy that covers a drug, or one that was not recognised.
        """
        for n, told in enumerate(self.patient.allergies or ()):
            if not told.denied:
                continue
            of_drugs = bool(_OF_DRUGS & set(fold(told.to).split()))
            against = [a.text for a in found if a.drugs or not of_drugs]
            if against or strange:
                named = ", ".join(against) or "one that is not recognised"
                ask = f"Which holds? The list says that there are none, and names {named}. Until then that is taken to hold."
                self.unresolved.append(Unresolved(printable(told.to), f"allergies[{n}]", "contradicted", [], ask))

    def _name(self, i: str) -> str:
        item = self.library.by_id.get(i)
        return str(getattr(item, "name", i))

    def _unknown_tests(self) -> None:
        """A test told in words only that we do not know; a coded one that no rule asks about is nobody's question."""
        for n, told in enumerate(self.patient.labs or ()):
            if not told.codes and self.terms.lab(told) is None:
                ask = "Which test is this? It is not one of ours, so no rule looked at it."
                self.unresolved.append(Unresolved(printable(told.test), f"labs[{n}]", "unrecognised", [], ask))

    @cached_property
    def results(self) -> Mapping[str, tuple[Result, ...]] | None:
        """Usable and unusable results by test, those of later days left out; None if labs were not told."""
        if self.patient.labs is None:
            return None
        found: dict[str, list[Result]] = {}
        for told in self.patient.labs:
            test = self.terms.lab(told)
            if test is not None and (told.on is None or told.on <= self.day):
                found.setdefault(test.id, []).append(self._result(told, test))
        told_results = {i: tuple(rs) for i, rs in found.items()}
        return {**told_results, **derived_results(self, told_results)}

    def _result(self, told: LabResult, test: Lab) -> Result:
        shown = printable(f"{told.value} {told.unit or ''}".strip()) + (f" on {told.on}" if told.on else ", undated")
        match = _RESULT.match("" if told.value is None else str(told.value))
        value = number(match[2]) if match else None
        if match is None or value is None:
            return Result(None, None, told.on, shown, "is not a number")
        if test.unitless and (told.unit or "1").strip().lower() in _NO_UNIT:
            told = replace(told, unit=test.unit)
        if not told.unit:
            return Result(None, None, told.on, shown, f"has no unit (in {test.unit}?)")
        exact = self._in_unit(Quantity(value, self.units.symbol(told.unit) or told.unit.strip()), test)
        if exact is None:
            return Result(None, None, told.on, shown, f"is in a unit that cannot be read as {test.unit}")
        low, high = test.plausible_low, test.plausible_high
        if (low is not None and exact < low) or (high is not None and exact > high):
            return Result(None, None, told.on, shown, "is not plausible: please check the value and its unit")
        return Result(*_range(match[1] or "", exact), told.on, shown)

    def _in_unit(self, told: Quantity, test: Lab) -> Decimal | None:
        direct = self.units.convert(told, test.unit)
        if direct is not None:
            return direct
        for other in test.other_units:
            if other.unit == told.unit:
                return told.value * other.factor + other.offset
        return None

    def _body(self) -> Body | None:
        weight, area = self.kilograms[0], self.surface[0]
        return Body(weight, area) if weight is not None or area is not None else None

    @cached_property
    def kilograms(self) -> tuple[Decimal | None, str]:
        """The weight in kg, and the fact that is missing for it."""
        weight = self.patient.weight
        found = self.units.convert(weight, "kg") if weight is not None else None
        return found, "" if found is not None else "weight"

    @cached_property
    def surface(self) -> tuple[Decimal | None, str]:
        """The body surface in m2 (Mosteller), and the fact that is missing for it."""
        weight, height = self.patient.weight, self.patient.height
        if weight is None or height is None:
            return None, "weight" if weight is None else "height"
        kg, cm = self.units.convert(weight, "kg"), self.units.convert(height, "cm")
        found = bsa_mosteller(Quantity(kg, "kg"), Quantity(cm, "cm")).value if kg is not None and cm is not None else None
        return found, "" if found is not None else "height"

    @cached_property
    def intake(self) -> tuple[Taken, ...] | None:
        """What is eaten, drunk and smoked, in our terms; None where it is not told."""
        return None if self.patient.intake is None else self._foods(self.patient.intake)

    @cached_property
    def diet_limits(self) -> tuple[Taken, ...]:
        """The limits that a clinician set."""
        return self._foods(self.patient.diet_limits or ())

    def _foods(self, told: tuple[Intake, ...]) -> tuple[Taken, ...]:
        found = (taken(t, self.terms.foods, self.units) for t in told if not t.denied)
        return tuple(t for t in found if t is not None)

    def _unknown_foods(self) -> None:
        for key, told in (("intake", self.patient.intake), ("diet_limits", self.patient.diet_limits)):
            for n, t in enumerate(told or ()):
                if not t.denied and taken(t, self.terms.foods, self.units) is None:
                    ask = "What is meant by this? It is not among the foods and drinks that our rules are about."
                    self.unresolved.append(Unresolved(t.text, f"{key}[{n}]", "unrecognised", [], ask))

    @cached_property
    def kidney(self) -> Clearance:
        """The clearance of the kidneys, as well as it is known."""
        return clearance(self)

    @cached_property
    def pregnancy(self) -> tuple[Pregnancy | None, str]:
        """What is told of pregnancy, and a note where it contradicts the problem list."""
        told = self.patient.pregnancy
        listed = any(p.active and self.library.condition[k].pregnancy for p in self.problems or () for k in p.kinds)
        if listed and told is not None and not told.present:
            return None, "told as not pregnant, but the problem list says pregnant"
        if listed and told is None:
            return Pregnancy(True), "on the problem list"
        return told, "told"

    @cached_property
    def breastfeeding(self) -> bool | None:
        """Whether breastfeeding, told or on the problem list."""
        if self.patient.breastfeeding is not None:
            return self.patient.breastfeeding
        listed = any(p.active and self.library.condition[k].breastfeeding for p in self.problems or () for k in p.kinds)
        return True if listed else None
