"""What is said, held against the record: agreement, contradiction, gap, no relevance, or not assessed. Neither is changed.

Each statement is judged by the rule of its kind and answered with the resources that it was held against, exactly as the record
has them. What no rule is about is `not_assessed`, never an agreement.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from safety.answering.checker import Checker
from safety.answering.labs import answer_lab
from safety.labs.request import read_lab_request
from safety.memory.amounts import Amounts, ToldAmount
from safety.memory.anchoring import Anchoring
from safety.memory.habits import Habits
from safety.memory.record import Cited, ClinicalRecord, Recorded, RecordKind
from safety.memory.statements import Narrative, Statement
from safety.memory.subjects import Meant, Understanding, in_units_of_one
from safety.memory.values import Regimen, relation, same_day
from safety.memory.whose import Whose
from safety.model.directions import TimesPerDay
from safety.model.lab_answer import LabAnswer
from safety.model.patient import Allergy, Case, Medication, Patient, Told
from safety.model.quantity import Quantity, number
from safety.model.report import Finding, Report, Subject
from safety.reading.wording import alone, any_of
from safety.text import fold

Outcome = Literal["agreement", "contradiction", "gap", "no_relevance", "not_assessed"]
Severity = Literal["none", "low", "medium", "high"]
SEVERITIES: tuple[Severity, ...] = ("none", "low", "medium", "high")
_RANK: dict[Outcome, int] = {"contradiction": 0, "gap": 1, "not_assessed": 2, "agreement": 3, "no_relevance": 4}
_SURE, _FAIRLY, _HARDLY = 95, 80, 60
_GUESSED, _STALEST = 20, 40
_WHOLE = 100
_LONG_STALE = 3
"""An order of which nothing was written for so many times its window is most likely an order that nobody ended."""
_NO_HABIT = frozenset({"medicine", "allergy", "alarm", "result", "vaccine", "procedure", "plan", "pregnancy", "condition"})
"""What a text may tell beside a habit."""
_USES = {"uses": "used now", "not": "not used now", "former": "given up", "never": "never used"}
_TAKEN = frozenset({"taking", "partly", "beyond", "missed"})
_NOT_YET = frozenset({"considering", "asking", "prescribed"})
"""Said of a medicine that need not be taken yet."""
_IDLE = frozenset({
    "allergy", "allergies", "the", "and", "intolerance", "drug", "any", "anything", "disorder", "finding", "with", "never", "not",
    "have", "had", "has",
})  # fmt: skip
"""Words that name nothing, though records and people say them."""
_SIDES = frozenset({"left", "right", "bilateral", "both"})
"""Words of a side, which no name of an operation stands or falls by."""
_OPEN_WEIGHS = frozenset({"pregnancy"})
"""Of these kinds a danger that waits for a fact weighs as one that is found: which week it is, nobody has told."""
_LOUD = frozenset({"contraindicated", "major"})
_WELL = "normal"
_CONVERTED, _TENS = 3, 10
"""So many decimals nobody says: such a number was told in another unit."""
_TWICE = 2
_OR_MORE = re.compile(r"(\d+)\s*(?:-|to|or)\s*(\d+)")
_NUMBERS = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
_NEAR = 5
"""Within so many words behind "I take" stands what is taken."""
_FAR = 5
"""A dose so many times the other is a slip of the unit or the point."""


class Judged(Struct, frozen=True):
    """One statement judged: the outcome, how grave, whether it cannot wait, how sure (0 to 1), why, and held against what."""

    about: str
    outcome: Outcome
    severity: Severity
    safety_critical: bool
    confidence: float
    justification: str
    cited: tuple[Cited, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The judgement as plain values."""
        return {
            "about": self.about, "result": self.outcome, "severity": self.severity, "safety_critical": self.safety_critical,
            "confidence": self.confidence, "justification": self.justification,
            "fhir_resources_considered": [c.to_dict() for c in self.cited],
        }  # fmt: skip


class Reconciled(Struct, frozen=True):
    """One text judged: by the gravest of its statements; `parts` are all of them."""

    text: str
    parts: tuple[Judged, ...]

    @property
    def outcome(self) -> Outcome:
        """The gravest outcome of its parts."""
        return min((p.outcome for p in self.parts), key=_RANK.__getitem__, default="not_assessed")

    @property
    def severity(self) -> Severity:
        """The gravest severity of its parts."""
        return max((p.severity for p in self.parts), key=SEVERITIES.index, default="none")

    @property
    def safety_critical(self) -> bool:
        """Whether any part cannot wait."""
        return any(p.safety_critical for p in self.parts)

    @property
    def leading(self) -> tuple[Judged, ...]:
        """The parts that the outcome rests on."""
        return tuple(p for p in self.parts if p.outcome == self.outcome)

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values."""
        lead = self.leading
        cited = dict.fromkeys(c for p in (lead or self.parts) for c in p.cited)
        return {
            "text": self.text, "result": self.outcome, "severity": self.severity, "safety_critical": self.safety_critical,
            "confidence": min((p.confidence for p in lead), default=0), "justification": " ".join(p.justification for p in lead),
            "fhir_resources_considered": [c.to_dict() for c in cited], "parts": [p.to_dict() for p in self.parts],
        }  # fmt: skip


class Reconciliation(Struct, frozen=True):
    """A narrative against a record: every text, and what a complete list left out."""

    patient: str
    as_of: date
    results: tuple[Reconciled, ...]
    omissions: tuple[Judged, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The reconciliation as plain values."""
        counted = {o: sum(r.outcome == o for r in self.results) for o in _RANK}
        return {
            "reconciliation": 1, "patient": self.patient, "as_of": self.as_of.isoformat(), "counts": counted,
            "results": [r.to_dict() for r in self.results], "omissions": [o.to_dict() for o in self.omissions],
        }  # fmt: skip


class Reconciler:
    """Judges statements by one library; made once, never changed."""

    def __init__(self, checker: Checker, understanding: Understanding) -> None:
        self.checker, self.understanding = checker, understanding
        self._terms, self._library = checker.terms, checker.library
        bad = checker.library.language.words("taken-at-bad-moments")
        self._for_bad_moments = frozenset(d for name in bad for d in checker.resolver.read(name).drugs)
        self._reacts = alone(checker.library.language.words("reacts-in-talk"))
        self._outgrown = alone(checker.library.language.words("allergy-is-over"))
        self._never = alone(checker.library.language.words("never-had-at-all"))
        self._taking_now = alone(checker.library.language.words("takes-it-now"))
        self._only_where_taken = alone(checker.library.language.words("only-where-taken"))
        self._only_at = alone(checker.library.language.words("only-at"))
        self._not_needed = alone(checker.library.language.words("was-not-needed"))
        self._by_oneself = alone(checker.library.language.words("got-without-a-prescriber"))
        self._more_now = alone(checker.library.language.words("needs-it-more-now"))
        self._now_and_then = alone(checker.library.language.words("now-and-then"))
        self._many_drinks, self._most_days = (
            alone(checker.library.language.words(w)) for w in ("many-drinks-at-once", "each-day-or-so")
        )
        known = (checker.terms.condition(Told(name)) for name in checker.library.language.words("weighed-for-water"))
        self._watery = frozenset(found[0] for found in known if found is not None)
        self._by_the_day = frozenset(understanding.test(one) for one in checker.library.language.words("measured-every-day"))
        self._body_weight = understanding.test(checker.library.language.words("body-weight")[0])
        self._grave, self._watched = (self._medicines(how) for how in ("grave", "watched"))
        language = checker.library.language
        self._activities = _families(language.meaning("care-activities"))
        self._operations = _families(language.meaning("operations-in-talk"))
        self._vaccines = _families(language.meaning("vaccine-families"))
        self._any_operation = frozenset(language.words("stands-for-any-operation"))
        self._halves = frozenset(language.words("and-a-half"))
        self._surgical = re.compile(rf"{any_of(language.words('surgical-words'))}(?!\w)", re.I)
        self._in_the_past = alone(language.words("told-as-past"))
        self._habits, self._grave_habits = Habits(checker), frozenset(language.words("grave-habits"))
        self._whose = Whose(language)
        self._anchoring = Anchoring(checker, understanding)
        self._amounts = Amounts(checker, understanding)
        self._gravities = language.read("gravity-of-statements", _gravity_of, "a severity and `critical` or `waits`")
        self._gravely = alone(language.words("signs-of-a-grave-reaction"))
        denied = language.words("grave-when-denied")
        known = (self._terms.condition(Told(name)) for name in denied)
        self._grave_when_denied = frozenset([*map(fold, denied), *(found[0] for found in known if found is not None)])
        self._rules: dict[str, Callable[[Statement, ClinicalRecord, Case, date], Judged]] = {
            "medicine": self._medicine, "allergy": self._allergy, "condition": self._condition, "alarm": self._alarm,
            "result": self._result, "vaccine": self._vaccine, "procedure": self._procedure, "plan": self._plan,
            "intake": self._intake, "pregnancy": self._pregnancy, "habit": self._habit,
        }  # fmt: skip

    def _medicines(self, how: str) -> frozenset[str]:
        """The medicines whose stop harms so soon, by the names of their classes."""
        told = self._library.language.meaning("harm-when-stopped")
        names = [name for name, meaning in told.items() if meaning == how]
        return frozenset(d for name in names for one in self._terms.allergies.read(Allergy(name))[0] for d in one.drugs)

    def reconcile(
        self, record: ClinicalRecord, case: Case, narrative: Sequence[Narrative], as_of: date, *, complete: bool = False
    ) -> Reconciliation:  # fmt: skip
        """Every text of a narrative against the record. `complete`: the texts are said to name everything that is taken.

        `case`: the case that the same record tells, against which a medicine that is not on it is checked.
        """
        results = tuple(
            Reconciled(n.text, tuple(self._judged(s, record, case, as_of) for s in self._anchored(n, record))) for n in narrative
        )
        omitted = tuple(self._omissions(record, narrative, as_of)) if complete else ()
        return Reconciliation(record.patient, as_of, results, omitted)

    def _anchored(self, told: Narrative, record: ClinicalRecord) -> tuple[Statement, ...]:
        """The statements of a text; where none was understood, what it tells of the items of the record that it names."""
        if self._whose.of_another(told.text):
            return told.statements
        habits = self._habits.statements(told.text, record)
        if habits:
            names = {h.key for h in habits}
            others = (s for s in told.statements if s.kind in _NO_HABIT and not names & self._habits.of(s.name).keys())
            return (*habits, *others)
        if all(s.kind in ("unclear", "routine", "intake") for s in told.statements):
            whole = Statement("unclear", "said", told.text, value=told.text)
            found = self._anchoring.statements(whole, record) or self._habits.used(told.text)
            intake = tuple(s for s in told.statements if s.kind == "intake") if found else ()
            return (*found, *intake) or told.statements
        if "?" in told.text or not all(s.kind in ("condition", "plan") for s in told.statements):
            return told.statements
        return self._repainted(told, record)

    def _repainted(self, told: Narrative, record: ClinicalRecord) -> tuple[Statement, ...]:
        """The statements of a text; what none of the record bears out, told as it is painted, where the record has that."""
        painted = [s for s in self._anchoring.painted(told.text, record) if self._has(s, record)]
        if not painted or any(self._has(s, record) for s in told.statements):
            return told.statements
        return tuple(painted)

    def _has(self, said: Statement, record: ClinicalRecord) -> bool:
        """Whether the record has what a statement is about."""
        if said.kind == "plan":
            return any(said.key in _named(i.text, self._activities) for i in record.of("plan"))
        if said.kind == "procedure":
            return any(said.key in _named(i.text, self._operations) for i in record.of("procedure"))
        return said.kind == "condition" and any(self._same_condition(said.key, i) for i in record.of("condition"))

    def _judged(self, said: Statement, record: ClinicalRecord, case: Case, as_of: date) -> Judged:
        if said.kin and self._is_too_young(case, as_of):
            return Judged(said.name, "no_relevance", "none", False, _sure(_FAIRLY), "It is said of a parent of the patient.")
        rule = self._rules.get(said.kind)
        if rule is None:
            if said.kind == "unclear":
                return Judged(
                    said.name, "not_assessed", "none", False, 0, "It may be clinical, and no rule says what to hold it against."
                )
            if said.kind == "family":
                why = f"{said.name} is told of a relative, and no record of the family is held against it."
                return Judged(said.name, "not_assessed", "none", False, 0, why)
            why = "It is said of somebody else." if said.kind == "other" else "No clinical record bears on it."
            return Judged(said.name, "no_relevance", "none", False, _sure(_FAIRLY), why)
        found = rule(said, record, case, as_of)
        return replace(found, confidence=round(max(found.confidence - _GUESSED / _WHOLE, 0), 2)) if said.guessed else found

    def _is_too_young(self, case: Case, as_of: date) -> bool:
        """Whether somebody called "Mom" or "Dad" can hardly be the patient."""
        born = case.patient.birth_date
        return born is not None and (as_of - born).days < self._days("parent of somebody who speaks for them")

    # -------------------------------------------------------------- medicines

    def _medicine(self, said: Statement, record: ClinicalRecord, case: Case, as_of: date) -> Judged:
        said = self._settled(said, record, as_of)
        if not said.drugs and said.open and said.manner == "taking" and not self._any_on_record(said.open, record):
            why = f"`{said.name}` is told as taken; the record has none of that kind, whichever it is."
            return self._answer(said, "gap", "medium", False, why, [], as_of)
        if said.manner == "tolerated" and not said.drugs and said.open:
            return self._tolerated(replace(said, drugs=said.open), record, as_of)
        if not said.drugs:
            why = f"`{said.name}` is no one medicine, so it was held against none."
            return Judged(said.name, "not_assessed", "none", False, 0, why)
        held = self._on_record(said.drugs, record)
        now = [i for i in held if _is_taken(i, as_of)]
        if said.manner == "tolerated":
            return self._tolerated(said, record, as_of)
        if said.manner in ("stopped", "denied"):
            return self._not_taken(said, now, held, record, as_of)
        if said.manner == "missed":
            return self._missed(said, now, record, as_of)
        if now:
            return self._taken(said, now, as_of)
        return self._not_on_record(said, held, record, case, as_of)

    def _settled(self, said: Statement, record: ClinicalRecord, as_of: date) -> Statement:
        """A name that may mean several medicines means the one of them that is on the record."""
        if said.drugs or not said.open:
            return said
        taken = [self._meant(i) for i in record.of("medicine") if _is_taken(i, as_of)]
        meant: set[tuple[str, ...]] = {m.drugs for m in taken if len(m.drugs) == 1 and m.drugs[0] in said.open}
        if len(meant) > 1:  # "the water pill, 40"
            numbers = {Decimal(n) for n in _NUMBERS.findall(said.value)}
            dosed = [m for m in taken if m.drugs in meant and m.regimen.dose is not None]
            meant = {m.drugs for m in dosed if m.regimen.dose is not None and m.regimen.dose.amount[1].value in numbers} or meant
        return replace(said, drugs=meant.pop()) if len(meant) == 1 else said

    def _meant(self, item: Recorded) -> Meant:
        assert item.medicine is not None
        return self.understanding.medicine(item.medicine)

    def _on_record(self, drugs: tuple[str, ...], record: ClinicalRecord) -> list[Recorded]:
        """Orders of the same ingredients; without one, those that hold one of them."""
        listed = [(i, set(self._meant(i).drugs)) for i in record.of("medicine") if i.status != "planned"]
        salts = set(self.understanding.salts(drugs))  # "my iron" is the iron that is ordered
        same = [i for i, ingredients in listed if ingredients == set(drugs) or (ingredients and ingredients <= salts)]
        return same or [i for i, ingredients in listed if ingredients & set(drugs)]

    def _any_on_record(self, drugs: tuple[str, ...], record: ClinicalRecord) -> bool:
        return any(set(self._meant(i).drugs) & set(drugs) for i in record.of("medicine"))

    def _danger(self, drugs: Iterable[str]) -> tuple[Severity, bool]:
        """How grave it is that a medicine is not taken as ordered, and whether that cannot wait."""
        named = set(drugs)
        if named & self._grave:
            return "high", True
        return "medium", bool(named & self._watched)

    def _not_taken(
        self, said: Statement, now: list[Recorded], held: list[Recorded], record: ClinicalRecord, as_of: date
    ) -> Judged:  # fmt: skip
        barred = self._barring(said, record) if not now and said.manner == "stopped" else []
        if barred:
            why = f"{said.name} is told as taken before; an allergy to {barred[0].text} is on the record."
            return self._answer(said, "gap", "medium", False, why, [*held, *barred], as_of)
        if not now and held:
            return self._answer(said, "agreement", "none", False, f"The record has {said.name} as ended.", held, as_of)
        if not now:
            if said.manner == "denied":
                return self._answer(said, "agreement", "none", False, f"The record has no {said.name} either.", [], as_of)
            return self._answer(said, "gap", "low", False, f"{said.name} is told as stopped; the record never had it.", [], as_of)
        stale = all(self._age(i, as_of) > _LONG_STALE for i in now) and self._weight(said) != "grave"
        needed = all(_as_needed(self._meant(i)) for i in now)
        if stale or needed:
            why = f"{said.name} is told as not taken; the record still has it as current"
            old = ", though nothing was written of it for long" if stale else ", to be taken as needed"
            return self._answer(said, "contradiction", "low", False, f"{why}{old}.", now, as_of)
        severity, soon = self._danger(said.drugs)
        why = f"{said.name} is told as {'stopped' if said.manner == 'stopped' else 'not taken'}; the record has it as current."
        return self._answer(said, "contradiction", "high", soon or severity == "high", why, now, as_of)

    def _missed(self, said: Statement, now: list[Recorded], record: ClinicalRecord, as_of: date) -> Judged:
        how = "not taken for now" if said.change == "held" else "not taken faithfully"
        if not now:
            why = f"{said.name} is told as {how}; the record does not have it as current."
            return self._answer(said, "gap", "medium", False, why, [], as_of)
        if not said.change and self._not_needed.search(said.value) is not None and all(_as_needed(self._meant(i)) for i in now):
            return self._not_taken(replace(said, manner="denied"), now, now, record, as_of)
        out = said.change == "held" and said.when is not None and (as_of - said.when.last).days >= self._days("out of a medicine")
        if out:
            return self._not_taken(replace(said, manner="stopped", change=""), now, now, record, as_of)
        less = self._less_often(said, now)
        if less:
            why = f"{said.name}: {less}"
            return self._answer(replace(said, manner="taking"), "contradiction", *self._danger(said.drugs), why, now, as_of)
        severity, soon = self._danger(said.drugs)
        why = f"{said.name} is on the record and told as {how}, which the record does not say."
        return self._answer(said, "gap", severity, soon, why, now, as_of)

    def _less_often(self, said: Statement, now: list[Recorded]) -> str:
        """What is at odds where it is told, too, how often it is taken instead: "only in the morning, the other one slips"."""
        if said.medicine is None or self._only_at.search(said.value) is None:
            return ""
        orders = ((i, self._meant(i)) for i in now)
        odds = [self._odds(order, self._amounts.told(said, i, order).regimen) for i, order in orders]
        return odds[0] if all(odds) else ""

    def _taken(self, said: Statement, now: list[Recorded], as_of: date) -> Judged:
        if said.manner == "partly" and not all(_in_parts(i) for i in now):
            severity, soon = self._danger(said.drugs)
            why = f"Only a part of {said.name} is told as taken; the record has it whole."
            return self._answer(said, "contradiction", severity, soon, why, now, as_of)
        if said.manner == "beyond":
            why = f"More of {said.name} is told as taken than was; the record has it as ordered."
            severity, soon = self._danger(said.drugs)
            return self._answer(said, "contradiction", severity, soon, why, now, as_of)
        if said.manner in ("considering", "asking"):
            why = f"{said.name} is spoken of, and nothing is said of how it is taken; the record has it as current."
            return Judged(said.name, "not_assessed", "none", False, 0, why, tuple(i.cited for i in now))
        if said.medicine is None:
            return self._answer(said, "agreement", "none", False, f"The record has {said.name} as current.", now, as_of)
        return self._taken_so(said, [(i, self._meant(i)) for i in now], as_of)

    def _taken_so(self, said: Statement, now: list[tuple[Recorded, Meant]], as_of: date) -> Judged:
        """A medicine that is told as taken, held against each order by how much and how often."""
        told = [(i, order, self._amounts.told(said, i, order)) for i, order in now]
        odds = [(i, self._odds(order, amount.regimen), amount) for i, order, amount in told]
        agreeing = [(i, amount) for i, what, amount in odds if not what]
        items = [i for i, _ in now]
        if self._needs_more(said, items, [amount for _, _, amount in told]):
            why = f"{said.name} is to be taken at bad moments; it is told as needed more now than before."
            return self._answer(said, "gap", "medium", True, why, items, as_of)
        often = agreeing[0][1].regimen.often if agreeing else None
        if often is not None and not often.as_needed and all(_at_will(self._meant(i)) for i, _ in agreeing):
            why = f"The record has {said.name} as needed; it is told as taken {often}."
            return self._answer(said, "contradiction", self._danger(said.drugs)[0], False, why, [i for i, _ in agreeing], as_of)
        so = [i for i, amount in agreeing if not amount.unread]
        if so:
            return self._answer(said, "agreement", "none", False, f"The record has {said.name} so.", so, as_of)
        if agreeing:
            why = f"How much of {said.name} is told could not be read as the record counts it."
            return Judged(said.name, "not_assessed", "none", False, 0, why, tuple(i.cited for i, _ in agreeing))
        severity, soon = self._danger(said.drugs)
        if all(self._same_in_a_day(order, amount.regimen) for _, order, amount in told):
            why = f"{said.name}: the day's amount is told as taken at once; {odds[0][1]}"
            return self._answer(said, "contradiction", "medium", False, why, items, as_of)
        if any(self._is_far(order, amount) for _, order, amount in told):
            severity, soon = "high", True
        soon = soon or any(self._doubles(order, amount.regimen) for _, order, amount in told)
        return self._answer(said, "contradiction", severity, soon, f"{said.name}: {odds[0][1]}", items, as_of)

    def _is_far(self, order: Meant, amount: ToldAmount) -> bool:
        return self._far(order.regimen, in_units_of_one(replace(order, regimen=amount.regimen), order.each).regimen)

    def _needs_more(self, said: Statement, now: list[Recorded], told: list[ToldAmount]) -> bool:
        """Whether a medicine for bad moments is told as needed more than it was."""
        meant = set(said.drugs) & self._for_bad_moments
        if not meant or not all(_as_needed(self._meant(i)) for i in now):
            return False
        often = next((amount.regimen.often for amount in told), None)
        daily = often is not None and not often.as_needed and often.times is not None and often.times[1] > 1
        return daily or self._more_now.search(said.value) is not None

    def _odds(self, order: Meant, told: Regimen) -> str:
        """What is at odds between an order and what is told; empty where nothing is, or nothing can be compared."""
        units, ordered = self.understanding.units, order.regimen
        told = in_units_of_one(replace(order, regimen=told), order.each).regimen
        if same_day(ordered, told, units) and not self._otherwise_spread(ordered, told):
            return ""
        for what, old, new in (("dose", ordered.dose, told.dose), ("frequency", ordered.often, told.often)):
            if old is not None and new is not None and relation(old, new, units) == "differs":
                return f"the record has {old}, and {new} is told ({what})."
        day, other = ordered.day(), told.day()
        if told.per_day is not None and day is not None and other is not None and day[1] == other[1] and day[0] != other[0]:
            return f"the record comes to {_shown(day)} a day, and {_shown(other)} is told."
        return ""

    def _same_in_a_day(self, order: Meant, told: Regimen) -> bool:
        meant = in_units_of_one(replace(order, regimen=told), order.each).regimen
        return same_day(order.regimen, meant, self.understanding.units)

    def _otherwise_spread(self, ordered: Regimen, told: Regimen) -> bool:
        """Whether the same amount of a day is told as taken at once that is ordered as several doses, each so much."""
        if told.per_day is not None or told.often is None or ordered.often is None or told.dose is None or ordered.dose is None:
            return False
        once, several = told.often.times, ordered.often.times
        return once is not None and several is not None and once[1] == 1 < several[0] and not told.at_once

    def _doubles(self, order: Meant, told: Regimen) -> bool:
        """Whether at least twice the dose that is ordered is told."""
        meant = in_units_of_one(replace(order, regimen=told), order.each).regimen.dose
        if order.regimen.dose is None or meant is None:
            return False
        a, b = order.regimen.dose.amount[1], meant.amount[1]
        value = self.understanding.units.convert(b, a.unit)
        return value is not None and bool(a.value) and value / a.value >= _TWICE

    def _far(self, ordered: Regimen, told: Regimen) -> bool:
        if ordered.often is not None and told.often is not None and _times_apart(ordered.often.times, told.often.times) >= _FAR:
            return True
        if ordered.dose is None or told.dose is None:
            return False
        a, b = ordered.dose.amount[1], told.dose.amount[1]
        value = self.understanding.units.convert(b, a.unit)
        return value is not None and bool(a.value) and bool(value) and max(value / a.value, a.value / value) >= _FAR

    def _not_on_record(
        self, said: Statement, held: list[Recorded], record: ClinicalRecord, case: Case, as_of: date
    ) -> Judged:  # fmt: skip
        severity, soon, what = self._if_taken(said, case, as_of)
        direct = self._barring(said, record)
        barred = direct or (self._barring_by_kind(said, record, as_of) if severity == "high" else [])
        if barred:
            severity, soon, what = "high", True, f" An allergy to {barred[0].text} is on the record."
        if direct and said.manner in _TAKEN and self._reacts.search(said.value) is not None and not self._takes_now(said.value):
            why = f"{said.name} is told with what it did; the record has an allergy to it."
            return self._answer(said, "agreement", "none", False, why, direct, as_of)
        if direct and said.manner in _TAKEN:
            why = f"{said.name} is told as taken; the record has it as what is not borne.{what}"
            return self._answer(said, "contradiction", "high", True, why, [*held, *direct], as_of)
        if said.manner in _NOT_YET and severity != "high":
            severity = "low"
        if held and said.manner in ("taking", "partly", "beyond"):
            danger = self._danger(said.drugs)
            severity, soon = max((severity, danger[0]), key=SEVERITIES.index), soon or danger[1]
            why = f"{said.name} is told as taken; the record has it as ended.{what}"
            return self._answer(said, "contradiction", severity, soon, why, [*held, *barred], as_of)
        verb = {"considering": "thought of", "asking": "asked about", "prescribed": "ordered"}.get(said.manner, "taken")
        why = f"{said.name} is told as {verb}; the record does not have it.{what}"
        return self._answer(said, "gap", severity, soon, why, [*held, *barred], as_of)

    def _if_taken(self, said: Statement, case: Case, as_of: date) -> tuple[Severity, bool, str]:
        """How grave it is that it is taken beside everything on the record, as a check says."""
        told = said.medicine or Medication(said.name)
        report = self.checker.check(replace(case, plan=(told,), reading=None), as_of)
        open_ = [u for u in report.unknown if u.kind in _OPEN_WEIGHS and u.severity in _LOUD and _of_the_plan(u.subjects)]
        if open_ and self._is_pregnant(case):
            return "high", True, f" {open_[0].title}: {open_[0].ask}"
        speaking = [f for f in report.every_finding if _of_the_plan(f.subjects)]
        unknown_and_grave = (
            bool(set(said.drugs) & self._grave) or self._by_oneself.search(said.value) is not None
        ) and not self._is_bought(said)
        worst = min(speaking, key=lambda f: ("contraindicated", "major", "moderate", "minor").index(f.severity), default=None)
        if worst is None:
            return ("low" if self._is_bought(said) else "medium"), unknown_and_grave, ""
        with_grave = (self._is_with_a_grave_one(f, report, said) for f in speaking if f.severity == "moderate")
        unborn = self._is_pregnant(case) and worst.severity == "moderate" and not self._is_bought(said)
        unwatched = worst.severity == "moderate" and self._is_regular(said)
        grave = worst.severity in _LOUD or any(with_grave) or unborn or unknown_and_grave or unwatched
        high = worst.severity in _LOUD
        least: Severity = "low" if self._is_bought(said) else "medium"
        return ("high" if high else "medium" if worst.severity == "moderate" else least), grave, f" {worst.title}."

    def _takes_now(self, told: str, name: str = "") -> bool:
        """Whether words tell that something is taken these days, and not what happens whenever it is. `name`: taken is what
        is so called, a few words behind."""
        now = self._taking_now.finditer(self._only_where_taken.sub(" ", told))
        return any(not name or fold(name) in fold(" ".join(hit.string[hit.end() :].split()[:_NEAR])) for hit in now)

    def _is_regular(self, said: Statement) -> bool:
        """Whether a medicine is told as taken, and not only when it is needed or now and then: what is to be watched with it,
        nobody watches who does not know of it."""
        told = self.understanding.medicine(said.medicine).regimen.often if said.medicine is not None else None
        rarely = (told is not None and told.as_needed) or self._now_and_then.search(said.value) is not None
        return said.manner in ("taking", "beyond") and not rarely

    def _is_bought(self, said: Statement) -> bool:
        """Whether every ingredient is sold without a prescription."""
        return all(self._library.drug[d].supply == "otc" for d in said.drugs if d in self._library.drug)

    def _is_pregnant(self, case: Case) -> bool:
        known = (self._terms.condition(told) for told in case.patient.conditions or () if told.status != "past")
        return any(
            self._library.condition[one[0]].pregnancy for one in known if one is not None and one[0] in self._library.condition
        )

    def _is_with_a_grave_one(self, found: Finding, report: Report, said: Statement) -> bool:
        """Whether a finding joins it to a medicine whose derangement harms soon."""
        told = [s.drug for f in report.every_finding if f.rule == found.rule for s in f.subjects]
        drugs = {d for drug in told if drug is not None for d in ((drug,) if isinstance(drug, str) else drug)}
        return bool((drugs - set(said.drugs)) & (self._grave | self._watched))

    def _barring(self, said: Statement, record: ClinicalRecord) -> list[Recorded]:
        """Allergies on the record that cover a medicine."""
        found = []
        for item in record.of("allergy"):
            known = self._terms.allergies.read(Allergy(item.text, codes=item.codes))[0] if not item.none else []
            if item.status == "current" and any(set(said.drugs) & one.drugs for one in known):
                found.append(item)
        return found

    def _barring_by_kind(self, said: Statement, record: ClinicalRecord, as_of: date) -> list[Recorded]:
        """Allergies on the record to another medicine of a kind, for which a check would not give this one."""
        found = []
        for item in record.of("allergy"):
            told = (Allergy(item.text, codes=item.codes),)
            patient = Patient(allergies=told)
            report = self.checker.check(Case(patient, plan=(Medication(said.name),)), as_of) if self._bars(item) else None
            if report is not None and any(f.kind == "allergy" and f.severity in _LOUD for f in report.every_finding):
                found.append(item)
        return found

    def _bars(self, item: Recorded) -> bool:
        return not item.none and item.status == "current" and self._is_of_a_drug(item)

    def _tolerated(self, said: Statement, record: ClinicalRecord, as_of: date) -> Judged:
        barred = self._barring(said, record) or self._barring_by_kind(said, record, as_of)
        if not barred:
            why = f"{said.name} is told as taken before without harm; the record does not speak of that."
            return Judged(said.name, "not_assessed", "none", False, 0, why)
        if said.when is None:
            why = f"{said.name} is told as no trouble; an allergy that covers it is on the record."
            return self._answer(said, "contradiction", "high", True, why, barred, as_of)
        why = (
            f"{said.name} is told as taken without harm, and an allergy that covers it is on the record: it is to be looked into."
        )
        return self._answer(said, "gap", "medium", False, why, barred, as_of)

    # -------------------------------------------------------------- allergies

    def _allergy(self, said: Statement, record: ClinicalRecord, case: Case, as_of: date) -> Judged:
        listed = [i for i in record.of("allergy") if i.status == "current" and not i.none]
        nones = [i for i in record.of("allergy") if i.none]
        if said.manner == "denied":
            return self._no_allergy(said, listed, nones, record, as_of)
        matching = [i for i in listed if self._same_allergy(said, i)]
        past = [i for i in record.of("allergy") if i.status != "current" and not i.none and self._same_allergy(said, i)]
        if said.manner == "over" or (said.manner == "has" and self._outgrown.search(said.reaction) is not None):
            return self._allergy_over(said, matching, past, as_of)
        if matching and self._takes_now(said.reaction, said.name):
            why = f"{said.name} is told as taken; the record has an allergy to it."
            return self._answer(said, "contradiction", "high", True, why, matching, as_of)
        if matching:
            return self._answer(said, "agreement", "none", False, f"The record has an allergy to {said.name}.", matching, as_of)
        if past:
            why = f"An allergy to {said.name} is told; the record has it as over."
            return self._answer(said, "contradiction", "medium", True, why, past, as_of)
        grave = bool(said.drugs) or self._gravely.search(said.reaction) is not None
        why = f"An allergy to {said.name} is told, and the record does not have it"
        if nones:
            return self._answer(said, "contradiction", "high", True, f"{why}: it says that there is none.", nones, as_of)
        return self._answer(said, "gap", "high" if grave else "medium", grave, f"{why}.", [], as_of)

    def _allergy_over(self, said: Statement, now: list[Recorded], past: list[Recorded], as_of: date) -> Judged:
        if now:
            why = f"An allergy to {said.name} is told as over; the record has it still."
            return self._answer(said, "contradiction", "high", True, why, now, as_of)
        if past:
            why = f"The record has the allergy to {said.name} as over, too."
            return self._answer(said, "agreement", "none", False, why, past, as_of)
        why = f"An allergy to {said.name} is told as over; the record does not have it."
        return self._answer(said, "gap", "low", False, why, [], as_of)

    def _no_allergy(
        self, said: Statement, listed: list[Recorded], nones: list[Recorded], record: ClinicalRecord, as_of: date
    ) -> Judged:  # fmt: skip
        if said.key in ("*", "drugs"):
            against = [i for i in listed if said.key == "*" or self._is_of_a_drug(i)]
        else:
            against = [i for i in listed if self._same_allergy(said, i)]
        if against:
            named = ", ".join(i.text for i in against)
            why = f"An allergy is denied that the record has: {named}."
            return self._answer(said, "contradiction", "high", True, why, against, as_of)
        if said.key in ("*", "drugs") and not nones and not listed:
            return self._answer(said, "gap", "low", False, "No allergies are told; the record says nothing of any.", [], as_of)
        past = [i for i in record.of("allergy") if i.status != "current" and not i.none and self._same_allergy(said, i)]
        if said.key.startswith("text:") and listed and not past:
            why = f"What is denied with `{said.name}` is not known, and the record has allergies."
            return Judged(said.name, "not_assessed", "none", False, 0, why)
        return self._answer(said, "agreement", "none", False, "The record has no such allergy either.", [*nones, *past], as_of)

    def _same_allergy(self, said: Statement, item: Recorded) -> bool:
        known = self._terms.allergies.read(Allergy(item.text, codes=item.codes))[0]
        if any(said.key and said.key == one.target for one in known) or any(set(said.drugs) & one.drugs for one in known):
            return True
        return bool(_stems(said.name) & _stems(item.text))

    def _is_of_a_drug(self, item: Recorded) -> bool:
        known, unread = self._terms.allergies.read(Allergy(item.text, codes=item.codes))
        return bool(unread) or any(one.drugs for one in known)

    # -------------------------------------------------------------- problems, alarms, pregnancy, intake

    def _condition(self, said: Statement, record: ClinicalRecord, case: Case, as_of: date) -> Judged:
        listed = [i for i in record.of("condition", "procedure") if not i.none]
        matching = [i for i in listed if self._same_condition(said.key, i)]
        if said.manner == "denied" and not matching:  # "no lung disease" denies every one that is so called
            matching = [i for i in listed if _stems(said.name) and _stems(said.name) <= _stems(i.text)]
        done = [i for i in matching if i.kind == "procedure" and i.status == "past"]
        if done and not (said.manner == "denied" and any(i.kind == "condition" and i.status != "past" for i in matching)):
            return self._happened(said, done, as_of, said.name)
        now, past = [i for i in matching if i.status != "past"], [i for i in matching if i.status == "past"]
        if said.manner == "denied":
            return self._no_condition(said, now, past, record, as_of)
        if said.manner == "over":
            return self._over_condition(said, now, past, as_of)
        if now:
            return self._answer(said, "agreement", "none", False, f"The record has {said.name}.", now, as_of)
        if past and self._in_the_past.search(said.value) is not None:
            return self._answer(
                said, "agreement", "none", False, f"The record has {said.name} as past, and so it is told.", past, as_of
            )
        if past and said.manner == "still":
            why = f"{said.name} is told as still there; the record has it as past."
            return self._answer(said, "contradiction", "medium", False, why, past, as_of)
        shown = self._shown_by_a_result(said, record, case, as_of) if not past else []
        if shown:
            why = f"{said.name} is told; the record has {shown[0].text} {shown[0].value} {shown[0].unit}, which is so."
            return self._answer(said, "agreement", "none", False, why, shown, as_of)
        why = f"{said.name} is told; the record {'has it only as past' if past else 'does not have it'}."
        return self._answer(said, "gap", "low" if said.manner == "suspected" else "medium", False, why, past, as_of)

    def _shown_by_a_result(self, said: Statement, record: ClinicalRecord, case: Case, as_of: date) -> list[Recorded]:
        """The newest result of a test that is what a condition is called by, "a little anemic" of a low hemoglobin."""
        tests = {lab.id: level for lab in self._library.labs for level, means in lab.of_disease.items() if said.key in means[:1]}
        found = []
        for test, level in tests.items():
            listed = [i for i in record.of("result") if self.understanding.test_of(i.text, i.codes) == test and i.on is not None]
            newest = max(listed, key=lambda i: i.on or date.min, default=None)
            if newest is not None and self._level_of(newest, case, as_of) == level:
                found.append(newest)
        return found

    def _no_condition(
        self, said: Statement, now: list[Recorded], past: list[Recorded], record: ClinicalRecord, as_of: date
    ) -> Judged:  # fmt: skip
        if now:
            why = f"{said.name} is denied; the record has it."
            return self._answer(said, "contradiction", "medium", False, why, now, as_of)
        if past and self._never.search(said.value) is not None:
            why = f"{said.name} is told as never had; the record has it as past."
            return self._answer(said, "contradiction", "low", False, why, past, as_of)
        if any(self._may_be_meant(said, i) for i in record.of("procedure")):
            why = f"{said.name} is denied; the record has operations or examinations that may be meant."
            return Judged(said.name, "not_assessed", "none", False, 0, why)
        if said.key.startswith("text:") and not past:
            return Judged(said.name, "not_assessed", "none", False, 0, f"What is denied with `{said.name}` is not known.")
        return self._answer(said, "agreement", "none", False, f"The record has no {said.name} now either.", past, as_of)

    def _may_be_meant(self, said: Statement, item: Recorded) -> bool:
        """Whether what is denied may be this operation: it bears the same words, or both are surgery at large."""
        both = self._surgical.search(said.name) is not None and self._surgical.search(item.text) is not None
        return both or bool(_stems(said.value) & _stems(item.text))

    def _over_condition(self, said: Statement, now: list[Recorded], past: list[Recorded], as_of: date) -> Judged:
        if now:
            return self._answer(said, "gap", "low", False, f"{said.name} is told as over; the record has it still.", now, as_of)
        if past:
            return self._answer(said, "agreement", "none", False, f"The record has {said.name} as past.", past, as_of)
        return self._answer(said, "gap", "low", False, f"{said.name} is told as past; the record does not have it.", [], as_of)

    def _same_condition(self, key: str, item: Recorded) -> bool:
        """Whether one is the other, or a kind of it."""
        found = self._terms.condition(Told(item.text, item.codes))
        if found is not None and key.startswith("text:"):
            named = _stems(key[len("text:") :])
            return bool(named) and named <= _stems(item.text)
        if found is None:
            return bool(key.startswith("text:") and _stems(key[len("text:") :]) & _stems(item.text))
        kinds = self._library.condition[found[0]].is_a
        own = self._library.condition[key].is_a if key in self._library.condition else (key,)
        return key in kinds or found[0] in own

    def _alarm(self, said: Statement, record: ClinicalRecord, case: Case, as_of: date) -> Judged:
        why = f"`{said.name}` is told: that does not wait, whatever the record says."
        return self._answer(said, "gap", "high", True, why, [], as_of)

    def _pregnancy(self, said: Statement, record: ClinicalRecord, case: Case, as_of: date) -> Judged:
        matching = [i for i in record.of("condition") if i.status != "past" and self._same_condition(said.key, i)]
        if said.manner == "over":
            return self._pregnancy_over(said, matching, as_of)
        if matching:
            return self._answer(said, "agreement", "none", False, f"The record has {said.name}.", matching, as_of)
        why = f"{said.name} is told; the record does not have it, and many medicines are judged by it."
        return self._answer(said, "gap", "high", False, why, [], as_of)

    def _pregnancy_over(self, said: Statement, now: list[Recorded], as_of: date) -> Judged:
        """A pregnancy that is told as over; one that the record has is another if it began later."""
        ended = [i for i in now if said.when is None or i.on is None or said.when.last >= i.on]
        if ended:
            why = f"{said.name} is told as over; the record has it still, and many medicines are judged by it."
            return self._answer(said, "contradiction", "high", False, why, ended, as_of)
        return self._answer(said, "gap", "low", False, f"A {said.name} is told as over; the record has no such one.", [], as_of)

    def _intake(self, said: Statement, record: ClinicalRecord, case: Case, as_of: date) -> Judged:
        patient = replace(case.patient, intake=(*(case.patient.intake or ()), said.value or said.name))
        plain = {f.rule for f in self.checker.check(replace(case, reading=None), as_of).every_finding}
        report = self.checker.check(replace(case, patient=patient, reading=None), as_of)
        new = [f for f in report.every_finding if f.rule not in plain]
        if not new and "uses" in self._habits.of(said.value).values():
            why = f"{said.name} is told; the record has nothing of such a habit."
            child = self._is_pregnant(case)
            return self._answer(said, "gap", "high" if child else "medium", child or self._is_much(said.value), why, [], as_of)
        if not new and self._terms.intake.read(said.value).daily is None:
            return Judged(said.name, "no_relevance", "none", False, _sure(_HARDLY), "Nothing on the record bears on it.")
        if not new:
            why = f"{said.name} is told; the record does not have it."
            return self._answer(said, "gap", "medium", self._is_much(said.value), why, [], as_of)
        told_of = (
            {d for s in f.subjects if s.drug is not None for d in ((s.drug,) if isinstance(s.drug, str) else s.drug)} for f in new
        )
        grave = any(f.severity in _LOUD for f in new) or any(drugs & self._grave for drugs in told_of)
        why = f"{said.name} is told; the record does not have it. {new[0].title}."
        return self._answer(said, "gap", "high" if grave else "medium", grave or self._is_much(said.value), why, [], as_of)

    def _is_much(self, told: str) -> bool:
        """Whether more is drunk on most days than labels let pass."""
        plain = _OR_MORE.sub(r"\2", self.checker.spoken.plainly.in_digits(told).text)
        if self._most_days.search(plain) is None:
            return False
        daily = self._terms.intake.read(plain).daily
        most = self._library.most("told", "drinks in a day")
        return self._many_drinks.search(plain) is not None or (
            daily is not None and daily.unit == most.unit and daily.value > most.value
        )

    def _habit(self, said: Statement, record: ClinicalRecord, case: Case, as_of: date) -> Judged:
        item, use = self._habits.on_record(said.key, record)[0]
        shown = f"{item.text} {item.value}".strip()
        if self._habits.agree(said.value, use):
            return self._answer(said, "agreement", "none", False, f"The record has it so: {shown}.", [item], as_of)
        why = f"{said.name} is told as {_USES[said.value]}; the record has {shown}."
        return self._answer(said, "contradiction", "medium", False, why, [item], as_of)

    # -------------------------------------------------------------- results

    def _result(self, said: Statement, record: ClinicalRecord, case: Case, as_of: date) -> Judged:
        if fold(said.unit) in self._halves and said.value.isdecimal():  # "71 and a half kilos"
            said = replace(said, value=f"{said.value}.5", unit="")
        listed = [i for i in record.of("result") if self.understanding.test_of(i.text, i.codes) == said.key and i.on is not None]
        newest = max(listed, key=lambda i: i.on or date.min, default=None)
        if said.manner == "level":
            return self._result_in_words(said, newest, case, as_of)
        severity, critical = self._level(said, newest, case, as_of)
        if newest is None or newest.on is None:
            why = f"{said.name} {said.value} is told; the record has no such result."
            return self._answer(said, "gap", severity, critical, why, [], as_of)
        shown = f"{newest.value} {newest.unit}".strip()
        if self._same_value(said, newest):
            why = f"The record has {said.name} {shown} on {newest.on}."
            return self._answer(said, "agreement", "none", False, why, [newest], as_of)
        moved, why_so = self._weight_moved(said, newest, record, as_of)
        if moved:
            severity, critical = "high", True
        if self._is_another(said, newest, as_of):
            why = f"{said.name} {said.value} is told; the newest on the record is {shown}, of {newest.on}."
            return self._answer(said, "gap", severity, critical, why, [newest, *why_so], as_of)
        why = f"{said.name} {said.value} is told; the record has {shown} on {newest.on}."
        critical = critical or self._is_played_down(said, newest, case, as_of)
        return self._answer(said, "contradiction", severity, critical, why, [newest], as_of)

    def _is_played_down(self, said: Statement, newest: Recorded, case: Case, as_of: date) -> bool:
        """Whether a recorded result is out of its range, and what is told lies on the better side of it."""
        told, had = self._in_the_unit_of(said, newest), number(newest.value)
        if told is None or had is None:
            return False
        level = self._level_of(newest, case, as_of)
        return (level == "high" and told < had) or (level == "low" and told > had)

    def _in_the_unit_of(self, said: Statement, item: Recorded) -> Decimal | None:
        told = number(said.value)
        if told is not None and said.unit and item.unit:
            return self._library.units.convert(Quantity(told, said.unit), item.unit) or told
        return told

    def _weight_moved(
        self, said: Statement, newest: Recorded, record: ClinicalRecord, as_of: date
    ) -> tuple[bool, list[Recorded]]:
        """Whether a weight that is told is so far from the recorded one that it does not wait; and why, if a problem says so."""
        unit = said.unit or newest.unit
        now, then = (self._library.units.convert(Quantity(v, u), "kg") if v is not None else None
                     for v, u in ((number(said.value), unit), (number(newest.value), newest.unit)))  # fmt: skip
        if said.key != self._body_weight or now is None or not then or newest.on is None:
            return False, []
        watery = [
            i for i in record.of("condition") if i.status == "current" and any(self._same_condition(k, i) for k in self._watery)
        ]
        told = partial(self._library.most, "told")
        lately = (as_of - newest.on).days <= (self._library.units.convert(told("days in which such water is gained"), "d") or 0)
        water = bool(watery) and lately and now - then > told("water gained by a failing heart").value
        return water or abs(now - then) / then * 100 > told("change of weight").value, watery if water else []

    def _result_in_words(self, said: Statement, newest: Recorded | None, case: Case, as_of: date) -> Judged:
        """A result that is told without its number, "my potassium was normal", by the range that the recorded one is held to."""
        level = self._level_of(newest, case, as_of) if newest is not None else ""
        if newest is None or newest.on is None or not level:
            why = f"{said.name} is told as {said.value}; the record has no result that can be held against it."
            return Judged(said.name, "not_assessed", "none", False, 0, why)
        shown = f"{newest.value} {newest.unit}".strip()
        if self._is_another(said, newest, as_of):
            why = f"{said.name} is told as {said.value}; the newest on the record is {shown}, of {newest.on}."
            return Judged(said.name, "not_assessed", "none", False, 0, why, (newest.cited,))
        if level == said.value:
            why = f"The record has {said.name} {shown} on {newest.on}, which is {level}."
            return self._answer(said, "agreement", "none", False, why, [newest], as_of)
        severity, critical = self._level(replace(said, value=newest.value, unit=newest.unit), newest, case, as_of)
        why = f"{said.name} is told as {said.value}; the record has {shown} on {newest.on}, which is {level}."
        critical = critical or said.value == _WELL
        return self._answer(said, "contradiction", severity, critical, why, [newest], as_of)

    def _is_another(self, said: Statement, newest: Recorded, as_of: date) -> bool:
        """Whether what is told is a later result than the newest that the record has, or that one is old."""
        later = said.when is not None and newest.on is not None
        days = (said.when.first - newest.on).days if later and said.when is not None and newest.on is not None else 0
        days_apart = later and said.when is not None and said.when.first == said.when.last and self._comes_and_goes(said)
        return days > (0 if days_apart else self._days("result of the same time")) or self._age(newest, as_of) > 1

    def _comes_and_goes(self, said: Statement) -> bool:
        """Whether a result is another one every day, as a sugar or a pressure is."""
        return said.key in self._by_the_day

    def _level_of(self, item: Recorded, case: Case, as_of: date) -> str:
        """Whether a recorded result is `high`, `low` or `normal`; empty where that is not known."""
        lab = self._library.lab.get(self.understanding.test_of(item.text, item.codes))
        if lab is None or number(item.value) is None:
            return ""
        status = self._answer_of(lab.name, item.value, item.unit, case, as_of).status
        return next((level for level in ("high", "low", "normal") if level in status), "")

    def _answer_of(self, name: str, value: str, unit: str, case: Case, as_of: date) -> LabAnswer:
        """What the laboratory rules say of one result of this patient."""
        told = {"test": name, "value": value} | ({"unit": unit} if unit else {})
        request = read_lab_request({"patient": {}, **told})
        whose = replace(case.patient, labs=request.case.patient.labs)
        return answer_lab(self.checker, replace(request, case=replace(request.case, patient=whose)), as_of)

    def _same_value(self, said: Statement, item: Recorded) -> bool:
        """Whether a told value is the recorded one, in the unit in which it is told and rounded as people round."""
        a, b = number(said.value), number(item.value)
        if b is not None and said.unit and item.unit:
            b = self._library.units.convert(Quantity(b, item.unit), said.unit) or b
        if a is None or b is None:
            return fold(said.value) == fold(item.value)
        told, had = (max(-int(n.as_tuple().exponent), 0) for n in (a, b))
        if a >= _WHOLE and not a % _TENS and round(b, -1) == a:
            return True  # "about two hundred pounds"
        return round(b, told) == a or (told >= _CONVERTED and round(a, had) == b)

    def _level(self, said: Statement, newest: Recorded | None, case: Case, as_of: date) -> tuple[Severity, bool]:
        """How grave a result is: critical ones cannot wait. Without a unit it is told in that of the record."""
        lab = self._library.lab.get(said.key)
        if lab is None or number(said.value) is None:
            return "medium", False
        unit = said.unit or (newest.unit if newest is not None else "")
        answer = self._answer_of(lab.name, said.value, unit, case, as_of)
        waits = not answer.status.startswith("critical") and answer.escalate not in ("clinician", "emergency")
        return ("medium", False) if waits else ("high", True)

    # -------------------------------------------------------------- vaccines, procedures, plans

    def _vaccine(self, said: Statement, record: ClinicalRecord, case: Case, as_of: date) -> Judged:
        given = [i for i in record.of("vaccine") if i.status == "past" and said.key in _named(i.text, self._vaccines)]
        if said.when is not None:
            given = [i for i in given if i.on is None or _near(i.on, said.when, self._days("result"))]
        many = int(said.value) if said.value.isdigit() else 1
        if said.manner == "done" and 0 < len(given) < many:
            why = f"{many} of the {said.name} are told as given; the record has {len(given)}."
            return self._answer(said, "gap", "low", False, why, given, as_of)
        return self._happened(said, given, as_of, f"a {said.name}")

    def _procedure(self, said: Statement, record: ClinicalRecord, case: Case, as_of: date) -> Judged:
        done = [i for i in record.of("procedure", "condition") if said.key in _named(i.text, self._operations)]
        if said.key.startswith("text:"):
            done = [i for i in record.of("procedure") if i.text == said.name]
        if said.key in self._any_operation:
            done = [i for i in record.of("procedure") if self._surgical.search(i.text)]
        return self._happened(said, [i for i in done if i.status not in ("not_done", "planned")], as_of, said.name)

    def _happened(self, said: Statement, done: list[Recorded], as_of: date, what: str) -> Judged:
        if said.manner == "denied":
            if done:
                why = f"{said.name} is denied; the record has it as done."
                return self._answer(said, "contradiction", "low", False, why, done[-1:], as_of)
            return self._answer(said, "agreement", "none", False, f"The record has no {said.name} either.", [], as_of)
        if said.manner == "planned":
            return self._answer(said, "gap", "low", False, f"{what} is to come, which the record does not say.", [], as_of)
        if done:
            return self._answer(said, "agreement", "none", False, f"The record has {said.name}.", done[-1:], as_of)
        return self._answer(said, "gap", "low", False, f"{said.name} is told as done; the record does not have it.", [], as_of)

    def _plan(self, said: Statement, record: ClinicalRecord, case: Case, as_of: date) -> Judged:
        asked = [i for i in record.of("plan") if i.status == "current" and said.key in _named(i.text, self._activities)]
        if not asked:
            why = f"No care plan on the record asks for {said.name}."
            return Judged(said.name, "not_assessed", "none", False, 0, why)
        if said.manner == "denied":
            why = f"A care plan asks for {said.name}, and it is told as never asked for."
            return self._answer(said, "contradiction", "low", False, why, asked, as_of)
        if said.manner == "fails":
            why = f"A care plan asks for {said.name}, and it is told that this is not done."
            return self._answer(said, "gap", "low", False, why, asked, as_of)
        return self._answer(said, "agreement", "none", False, f"A care plan asks for {said.name}.", asked, as_of)

    # -------------------------------------------------------------- what a complete list leaves out

    def _omissions(self, record: ClinicalRecord, narrative: Sequence[Narrative], as_of: date) -> Iterable[Judged]:
        named = {
            d for n in narrative for s in n.statements if s.kind == "medicine" for d in self._settled(s, record, as_of).drugs
        }
        for item in record.of("medicine"):
            meant = self._meant(item)
            if not _is_taken(item, as_of) or named & set(meant.drugs):
                continue
            severity, soon = self._danger(meant.drugs)
            why = f"{item.text} is on the record as current, and the list that is said to be complete does not name it."
            severity = "low" if self._age(item, as_of) > 1 or _as_needed(meant) else severity
            said = Statement("medicine", "denied", meant.name)
            yield self._answer(said, "gap", severity, soon and severity != "low", why, [item], as_of)

    # -------------------------------------------------------------- how sure

    def _answer(
        self, said: Statement, outcome: Outcome, severity: Severity, soon: bool, why: str, items: Sequence[Recorded], as_of: date
    ) -> Judged:  # fmt: skip
        """The judgement, as grave as the table says; what rests on records that are old for their kind is less sure."""
        severity, soon = self._gravity(said, outcome, severity, soon, items)
        points = _SURE if items else _FAIRLY
        ages = [self._age(i, as_of) for i in items]
        if ages and min(ages) > 1:
            points = max(int(points / min(ages)), _STALEST)
            why = f"{why} The record is old: last written {max(i.dated for i in items if i.dated is not None)}."
        return Judged(said.name, outcome, severity, soon, _sure(points), why, tuple(dict.fromkeys(i.cited for i in items)))

    def _gravity(
        self, said: Statement, outcome: Outcome, severity: Severity, soon: bool, items: Sequence[Recorded]
    ) -> tuple[Severity, bool]:  # fmt: skip
        """How grave a difference is by the table; what a rule has found graver, or has reason to call low, stays so."""
        told = self._gravities.get(f"{said.kind} {said.manner} {outcome} {self._weight(said, items)}")
        if told is None or (severity == "low" and said.kind == "medicine"):
            return severity, soon
        grave, waits = told
        return max((severity, grave), key=SEVERITIES.index), soon or not waits

    def _weight(self, said: Statement, items: Sequence[Recorded] = ()) -> str:
        """How much hangs on what a statement is about."""
        if said.kind == "medicine":
            named = set(said.drugs)
            return "grave" if named & self._grave else "watched" if named & self._watched else "plain"
        if said.kind == "allergy":
            return "grave" if said.drugs or self._gravely.search(said.reaction) is not None else "plain"
        if said.kind == "habit":
            return "grave" if said.key in self._grave_habits else "plain"
        held = (self._terms.condition(Told(i.text, i.codes)) for i in items)
        keys = [said.key, *(found[0] for found in held if found is not None)]
        kinds = {kind for key in keys if key in self._library.condition for kind in self._library.condition[key].is_a}
        return "grave" if {*keys, fold(said.name), *kinds} & self._grave_when_denied else "plain"

    def _age(self, item: Recorded, as_of: date) -> float:
        """How old a record is, as a share of the time for which its kind is as good as fresh; 0 for what does not go stale."""
        row: dict[RecordKind, str] = {
            "medicine": "medicine", "condition": "condition", "result": "result", "procedure": "procedure", "plan": "plan",
        }  # fmt: skip
        if item.kind not in row or item.dated is None:
            return 0
        return max((as_of - item.dated).days, 0) / self._days(row[item.kind])

    def _days(self, row: str) -> int:
        return int(self._library.units.convert(self._library.most("staleness", row), "d") or 1)


def _gravity_of(_: str, meaning: str) -> tuple[Severity, bool]:
    """`high critical` → how grave it is, and whether it can wait."""
    known: dict[str, Severity] = {"low": "low", "medium": "medium", "high": "high"}
    severity, when = meaning.split()
    return known[severity], {"waits": True, "critical": False}[when]


def _sure(points: int) -> float:
    return round(points / _WHOLE, 2)


def _of_the_plan(subjects: Iterable[Subject]) -> bool:
    """Whether what is told of is among what is to be started."""
    return any(s.where.among == "plan" for s in subjects)


def _is_taken(item: Recorded, as_of: date) -> bool:
    return item.status == "current" and (item.ends is None or item.ends >= as_of)


def _in_parts(item: Recorded) -> bool:
    """Whether a part of a unit is what is ordered."""
    told = item.medicine.directions if item.medicine is not None else None
    dose = told.dose if told is not None else None
    said = (item.medicine.sig or "").lower() if item.medicine is not None else ""
    return (dose is not None and dose[0].value < 1) or any(part in said for part in ("half", "1/2", "½", "0.5 "))


def _as_needed(meant: Meant) -> bool:
    return meant.regimen.often is not None and meant.regimen.often.as_needed


def _at_will(meant: Meant) -> bool:
    """Whether it is ordered as needed, without how often at most."""
    return _as_needed(meant) and meant.regimen.often is not None and meant.regimen.often.times is None


def _times_apart(one: TimesPerDay | None, other: TimesPerDay | None) -> Fraction:
    """How many times as often the one is as the other: weekly and daily are seven apart."""
    if one is None or other is None or not one[1] or not other[1]:
        return Fraction(1)
    return max(Fraction(one[1]) / Fraction(other[1]), Fraction(other[1]) / Fraction(one[1]))


def _shown(day: tuple[tuple[Any, Any], str]) -> str:
    return str(Quantity(Decimal(day[0][1].numerator) / Decimal(day[0][1].denominator), day[1]))


def _near(on: date, when: Any, days: int) -> bool:
    return bool((when.first - on).days <= days and (on - when.last).days <= days)


def _families(meanings: dict[str, str]) -> dict[str, str]:
    return {fold(phrase): family for phrase, family in meanings.items()}


def _named(text: str, families: dict[str, str]) -> set[str]:
    """Which of the families a text names."""
    words = f" {fold(text).replace('(', ' ').replace(')', ' ')} "
    words = f" {' '.join(w for w in words.replace(',', ' ').split() if w not in _SIDES)} "
    return {family for phrase, family in families.items() if f" {phrase} " in words}


def _stems(text: str) -> set[str]:
    """The words of a text that name something, without the ending of the plural."""
    return {w.rstrip("s") for w in fold(text).split() if w not in _IDLE and len(w) > 2}
