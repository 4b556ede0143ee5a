"""How well lines of a medication list are read against what a person says of them: name, dose, how often, and what is left over.

An answer is `right`, `asked` (not read, and the line says so), `lost` (not read, and nothing says so), `added` (read where
the person found nothing) or `wrong`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, Literal

from msgspec import Struct

from safety.engine import Engine
from safety.knowledge.library import Library
from safety.model.directions import Directions
from safety.model.patient import Case, Medication, Patient
from safety.model.quantity import Quantity, Units
from safety.reading.directions.galenic import ACTUATIONS, SOLIDS
from safety.understanding.amounts import amounts_of, each_daily
from safety.understanding.medications import Entry, understand

Outcome = Literal["right", "asked", "lost", "added", "wrong"]
PARTS: Final = ("name", "dose", "often", "as_needed", "whole")
_DAY: Final = date(2026, 11, 20)
_AMOUNT = re.compile(r"(?P<low>[\d.,]+)\s*(?:(?:-|to)\s*(?P<high>[\d.,]+)\s*)?(?P<unit>[A-Za-z][\w/ ]*|%)?\s*\Z")
_PER_DAY: Final = frozenset(("24 hr", "24 h", "24h", "24hr", "day", "d"))
_UNITS: Final = {"units": "unit", "hr": "h"}


class Outcomes(Struct, frozen=True):
    """What came of one line, part by part, and how it was read."""

    id: str
    text: str
    name: Outcome
    dose: Outcome
    often: Outcome
    as_needed: Outcome
    whole: Outcome
    shown: str = ""


class MedicationTally(Struct, frozen=True):
    """Of all lines: how often each part came out in which way; and the lines, in order."""

    rows: int
    parts: dict[str, dict[str, int]]
    lines: tuple[Outcomes, ...] = ()

    @property
    def wrong_amounts(self) -> int:
        """Lines whose dose or frequency is another than was told."""
        return sum("wrong" in (line.dose, line.often) for line in self.lines)


def measure_medications(rows: Iterable[Mapping[str, Any]], engine: Engine) -> MedicationTally:
    """A tally over lines with what is expected of each: `drug` (a list), `dose`, `times_per_day`, `days_between`, `as_needed`.

    Of `dose`, `times_per_day` and `as_needed`, what is left out may be anything.
    """
    lines = tuple(_line(row, engine) for row in rows)
    counts = {part: dict(Counter(getattr(line, part) for line in lines)) for part in PARTS}
    return MedicationTally(len(lines), counts, lines)


def told_of(text: str, engine: Engine) -> tuple[Entry, ...]:
    """The medications that a line is understood to tell."""
    case = Case(Patient(medications=(Medication(text),)))
    return understand(case, engine.checker.terms.meaning_of, _DAY)[0]


def directions_of(line: str, engine: Engine) -> Directions:
    """The directions of a line that tells one medicine of ours."""
    (entry,) = told_of(line, engine)
    assert entry.resolved, line
    return entry.directions


def dose_of(directions: Directions) -> str:
    """The amount taken at a time, as it is printed."""
    assert directions.dose is not None
    low, high = directions.dose
    return str(low) if low == high else f"{low} to {high}"


def _line(row: Mapping[str, Any], engine: Engine) -> Outcomes:
    want, entries = row["expect"], told_of(row["text"], engine)
    library = engine.library
    left = any(e.directions.unread or e.directions.unclear or not e.resolved or e.directions.number for e in entries)
    name: Outcome = _name(want["drug"], entries, engine) if "drug" in want else "right"
    dose = _dose(want, entries, library, engine, left=left) if "dose" in want else "right"
    often = _often(want, entries, left=left) if "times_per_day" in want else "right"
    needed = any(e.directions.as_needed or any(s.as_needed for s in e.directions.steps) for e in entries)
    as_needed: Outcome = (
        "right" if needed == bool(want.get("as_needed", needed)) else "added" if needed else "asked" if left else "lost"
    )
    whole: Outcome = "right" if name == "right" and not left else "asked" if left else "wrong"
    return Outcomes(row["id"], row["text"], name, dose, often, as_needed, whole, "; ".join(map(_shown, entries)))


def _shown(entry: Entry) -> str:
    d = entry.directions
    told = (entry.answer.name or entry.answer.status, d.strength, d.dose, d.times_per_day, d.per_day, d.steps, d.unread)
    return " ".join(str(t) for t in told if t)


# --- which medicine --------------------------------------------------------------------------------------------------
def _ids(name: str, engine: Engine) -> frozenset[str]:
    drug = engine.name(name).drug
    return frozenset([drug] if isinstance(drug, str) else drug or ())


def _name(want: Sequence[str], entries: Sequence[Entry], engine: Engine) -> Outcome:
    read = frozenset(d for e in entries for d in e.drugs if e.resolved)
    if not want:
        return "wrong" if read else "right"
    meant = [_ids(name, engine) for name in want]
    known = all(meant) and read == frozenset[str]().union(*meant)
    if known or (read and not all(meant) and all(_same_words(want, e, engine) for e in entries)):
        return "right"
    return "wrong" if read and not read <= frozenset[str]().union(*meant) else "asked"


def _same_words(want: Sequence[str], entry: Entry, engine: Engine) -> bool:
    """Whether what was read goes by the words that were expected, though no ingredient is held under them alone: dextrose is
    "glucose tablets", too."""
    words = set(re.findall(r"[a-z]{4,}", " ".join(want).lower()))
    others = (n for d in entry.drugs if d in engine.library.drug for n in engine.library.drug[d].names)
    called = " ".join([entry.answer.name or "", *(n.text for n in others)])
    return bool(words & set(re.findall(r"[a-z]{4,}", called.lower())))


# --- how much --------------------------------------------------------------------------------------------------------
def _dose(
    want: Mapping[str, Any], entries: Sequence[Entry], library: Library, engine: Engine, *, left: bool
) -> Outcome:  # fmt: skip
    """Of several doses that are right, the best that comes of any."""
    each = want["dose"] if isinstance(want["dose"], list) else [want["dose"]]
    return min((_this_dose(dose, want, entries, library, engine, left=left) for dose in each), key=_BEST.index)


_BEST: Final = ("right", "asked", "lost", "added", "wrong")


def _this_dose(
    dose: str | None, want: Mapping[str, Any], entries: Sequence[Entry], library: Library, engine: Engine, *, left: bool
) -> Outcome:  # fmt: skip
    told = [_amount(part) for part in (dose or "").split(" / ") if part]
    read = any(e.directions.dose or e.directions.per_day or e.directions.steps for e in entries)
    if not told or any(q is None for _, q in told):
        return "added" if read and not told else "right"
    outcomes = {_one_dose(_of(name, entries, engine), name, q, library, engine) for name, q in told if q}
    if outcomes == {True}:
        return "right"
    return "wrong" if False in outcomes else "asked" if left else "lost"


def _amount(text: str) -> tuple[str, tuple[Quantity, Quantity] | None]:
    """An amount of the sheet, with the ingredient where it names one: "oxycodone 10 mg", "25-50 mg", "0.1 mg/24 hr"."""
    at = next((i for i, c in enumerate(text) if c.isdigit()), len(text))
    found = _AMOUNT.match(text[at:])
    if found is None:
        return text[:at].strip(), None
    unit = (found["unit"] or "").strip()
    unit = "/".join(_UNITS.get(u, u) for u in unit.split("/"))
    low = Decimal(found["low"].replace(",", ""))
    return text[:at].strip(), (Quantity(low, unit), Quantity(Decimal((found["high"] or found["low"]).replace(",", "")), unit))


def _of(name: str, entries: Sequence[Entry], engine: Engine) -> Entry | None:
    ids = _ids(name, engine) if name else frozenset[str]()
    return next((e for e in entries if not ids or ids & set(e.drugs)), entries[0] if entries else None)


def _one_dose(
    entry: Entry | None, name: str, want: tuple[Quantity, Quantity], library: Library, engine: Engine
) -> bool | None:  # fmt: skip
    """Whether one dose is what is expected; None where none was read. Of several (morning, evening) the first is expected."""
    if entry is None:
        return None
    units = library.units
    d = entry.directions
    top, _, under = want[0].unit.partition("/")
    if under in _PER_DAY and d.strength is not None and d.form is not None and d.form.endswith("patch"):
        given_off = Quantity(want[0].value, top), Quantity(want[1].value, top)
        return _equal((d.strength, d.strength), given_off, units)  # "0.1 mg/24 hr" of a patch
    doses = [step.dose for step in d.steps] or [d.dose or d.per_day]
    if d.scale and d.dose is not None and not d.dose[0].value and units.compare(want[0], d.dose[1]) in (-1, 0):
        return True  # a scale is read as any dose up to its highest; its lowest is expected
    if any(dose and _equal(dose, want, units) for dose in doses) or (d.strength and _equal((d.strength,) * 2, want, units)):
        return True
    drug = next(iter(_ids(name, engine) & set(entry.drugs)), entry.drugs[0] if len(entry.drugs) == 1 else None)
    both = _single(entry, drug, units) if drug else None
    by_part = d.per_day is not None and d.dose is not None and d.dose[0] != d.dose[1]
    if by_part and d.dose is not None and any(_equal((q, q), want, units) for q in d.dose):
        return True
    if both is None and len(entry.drugs) > 1 and drug is None:
        both = _by_its_strength(entry, want, units)
    if both is None:
        return None if not any(doses) or drug is None else _unlike(doses, want, units)
    several = bool(d.steps) or both[0] != both[1]
    return _equal(both, want, units) or (several and any(_equal((q, q), want, units) for q in both))


def _single(entry: Entry, drug: str, units: Units) -> tuple[Quantity, Quantity] | None:
    """Lowest and highest of one dose; None where the strength that it counts in is not known."""
    several = len(entry.drugs) > 1
    told = [amounts_of(entry.directions, option, units, combination=several).single for option in entry.meaning.contents(drug)]
    return told[0] if len({str(both) for both in told}) == 1 else None


def _by_its_strength(entry: Entry, want: tuple[Quantity, Quantity], units: Units) -> tuple[Quantity, Quantity] | None:
    """Of a combination whose dose names no ingredient ("Adderall XR 20 mg", "Zosyn 3.375 g"): one dose of the ingredient, or of
    all together, that comes to it; None where none does."""
    each = [one for drug in entry.drugs if (one := _single(entry, drug, units)) is not None]
    if len(each) < len(entry.drugs):
        return None
    unit = each[0][0].unit
    told = [[units.convert(q, unit) for q in one] for one in each]
    whole = tuple(Quantity(sum((q for one in told if (q := one[n]) is not None), Decimal(0)), unit) for n in (0, 1))
    return next((one for one in (*each, (whole[0], whole[1])) if _equal(one, want, units)), None)


def _unlike(doses: Sequence[tuple[Quantity, Quantity] | None], want: tuple[Quantity, Quantity], units: Units) -> bool | None:
    """False where a dose was read in the kind of unit that is expected and is another, or a mass was taken for a count; None
    where they cannot be compared."""
    if any(dose and not dose[1].unit and dose[1].value == want[1].value for dose in doses):
        return _counted(want[1].unit) is not None
    alike = any(dose and _kind(dose[1].unit, units) == _kind(want[1].unit, units) for dose in doses)
    return False if alike else None


def _kind(unit: str, units: Units) -> str | None:
    return "count" if _counted(unit) is not None else units.dimension(units.symbol(unit) or unit)


def _counted(unit: str) -> str | None:
    one = unit.rstrip("s")
    return "piece" if one in SOLIDS else "puff" if one in ACTUATIONS else None


def _equal(got: tuple[Quantity, Quantity], want: tuple[Quantity, Quantity], units: Units) -> bool:
    for one, other in zip(got, want, strict=True):
        unit = units.symbol(other.unit) or units.symbol(other.unit.rstrip("s")) or other.unit
        both_counted = _counted(one.unit) is not None and _counted(one.unit) == _counted(unit)
        if both_counted or one.unit == unit:
            if one.value != other.value:
                return False
        elif units.compare(one, Quantity(other.value, unit)) != 0:
            return False
    return True


# --- how often -------------------------------------------------------------------------------------------------------
def _often(want: Mapping[str, Any], entries: Sequence[Entry], *, left: bool) -> Outcome:
    expected = _expected(want)
    d = entries[0].directions if entries else None
    times = ([s.times_per_day for s in each_daily(d.steps)] or [d.times_per_day]) if d is not None else [None]
    read = [t for t in times if t is not None]
    if expected is None and d is not None and d.once:
        return "right"  # a single dose has no frequency
    if expected is None:
        return "added" if read and d is not None and not d.steps else "right"
    if any(_close(t, expected) for t in read):
        return "right"
    if d is not None and not read and d.per_day is not None and expected == 1:
        return "right"
    if d is not None and expected == 1 and _once_each(d):
        return "right"  # "14 units am, 10 hs": of the first dose, which is expected, how often is once
    if d is not None and d.steps and expected == 1 and sum(t[1] for t in read if t[1] < 1) == 1:
        return "right"  # "5 mg MWF, 2.5 mg all other days" is something every day
    return "wrong" if read else "asked" if left else "lost"


def _once_each(d: Directions) -> bool:
    """Whether doses of different size are told for parts of the day, each taken once: what they add up to says so."""
    if d.dose is None or d.per_day is None or d.times_per_day not in ((Fraction(2),) * 2, (Fraction(3),) * 2):
        return False
    (low, high), total = (q.value for q in d.dose), d.per_day[1].value
    both = low + high
    return low < high and (total == both if d.times_per_day[0] == 2 else both < total < both + high + 1)


def _close(read: tuple[Fraction, Fraction], expected: Fraction) -> bool:
    """A month is told in days as it is meant: 28, 30 or 31."""
    low, high = read
    if low == 0:
        low = high
    return low <= expected <= high or abs(high - expected) * 20 <= expected


def _expected(want: Mapping[str, Any]) -> Fraction | None:
    if want["times_per_day"] is not None:
        return Fraction(str(want["times_per_day"]))
    return 1 / Fraction(str(want.get("days_between"))) if want.get("days_between") else None
