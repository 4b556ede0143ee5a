"""Test results in each test's own unit: usable, or why not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from decimal import Context, Decimal
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from safety.knowledge.library import Lab
from safety.model.patient import LabResult
from safety.model.quantity import Quantity, Units, number
from safety.reading.results.unsaid import plausible, unsaid
from safety.text import printable
from safety.understanding.terms import Terms

_RESULT = re.compile(r"\s*(<=|>=|<|>|≤|≥)?\s*(\S.*?)\s*\Z", re.S)
_AS_ONE = re.compile(r"\s*(<=|>=|<|>|≤|≥)?\s*(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s?([^\d\s.,:/-].*?)\s*", re.S)
_PARTED = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
_GRADE = re.compile(r"[1-4] ?\+|\+{1,4}")
_TITRE = re.compile(r"(<|<=|≤)?\s*1\s?:\s?(\d{1,6})")
_CODED = re.compile(r"\s*\((?:finding|qualifier value)\)\Z", re.I)
"""What a term of SNOMED ends in: "Urine ketone test = trace (finding)"."""
_BETWEEN = re.compile(r"\s*(\d+(?:\.\d+)?)\s?-\s?(\d+(?:\.\d+)?)\s*\Z")
"""A result told roughly, as from one number to another: "150s" is read as 150-159."""
_MEASURED = Context(prec=10)
"""No measurement has more figures: there and back in another unit, a value at a limit is still at it."""
_HAIR = Decimal("0.000000001")


Fault = Literal["unread", "unit", "implausible"]
"""Why a result cannot be used: not a number, no unit or one that it cannot be read in, or not possible."""


class Result(Struct, frozen=True):
    """One usable result, in the test's own unit; `low`/`high` differ for results such as `<5`; `derived`: worked out.

    `word`: what a result in words says (`positive`, `trace`, `2+`), of a test that comes in words.
    `assumed`: the units in which it may be, where none was told: it is usable, and still asked about.
    `earlier`: told as an older one ("baseline 1.1").
    `corrected`: for what, of a result that another test corrects, and `measured`: what it was before.
    """

    low: Decimal | None
    high: Decimal | None
    on: date | None
    shown: str
    unusable: str = ""
    fault: Fault | None = None
    derived: bool = False
    word: str = ""
    assumed: tuple[str, ...] = ()
    earlier: bool = False
    corrected: str = ""
    measured: Decimal | None = None


def read_results(
    told: Iterable[LabResult], terms: Terms, day: date, months: Decimal | None = None
) -> dict[str, tuple[Result, ...]]:
    """Usable and unusable results by test, of somebody so old; those of later days are left out."""
    found: dict[str, list[Result]] = {}
    for one in told:
        test = terms.lab(one)
        if test is not None and (one.on is None or one.on <= day):
            found.setdefault(test.id, []).append(result_of(one, test, terms, months))
    return {i: tuple(results) for i, results in found.items()}


def result_of(told: LabResult, test: Lab, terms: Terms, months: Decimal | None = None) -> Result:
    """One result in the unit of its test, of somebody so old, or why it cannot be used."""
    shown = printable(f"{told.value} {told.unit or ''}".strip()) + _when(told)
    word = _word(told, test, terms)
    if word:
        return Result(None, None, told.on, shown, word=word)
    told = _on_a_scale(told, test)
    if (between := _BETWEEN.match(str(told.value))) is not None and not told.fault:
        least, most = (result_of(replace(told, value=end), test, terms, months) for end in between.groups())
        return _between(least, most, shown)
    told = _told_apart(told, test, terms.library.units)
    sign, value = _number(told)
    if value is None:
        return Result(None, None, told.on, shown, "is not a number", "unread")
    if test.unitless and (told.unit or "1").strip().lower() in terms.no_unit:
        told = replace(told, unit=test.unit)
    if not told.unit:
        return _without_unit(sign, value, told, test, months)
    units = terms.library.units
    exact = _in_unit(Quantity(value, units.symbol(told.unit) or told.unit.strip()), test, units)
    if exact is None:
        return Result(None, None, told.on, shown, f"is in a unit that cannot be read as {test.unit}", "unit")
    if not plausible(exact, test) and (thousands := _in_thousands(told, units, test)) is not None:
        return Result(*_range(sign, thousands), told.on, shown)
    if not plausible(exact, test):
        return Result(None, None, told.on, shown, "is not plausible: please check the value and its unit", "implausible")
    return Result(*_range(sign, exact), told.on, shown, derived=bool(told.worked_out))


def _in_thousands(told: LabResult, units: Units, test: Lab) -> Decimal | None:
    """A number with a point before each three figures, as they are parted abroad, where it cannot be as it stands and can be so:
    leukocytes of "3.400 /mm3"."""
    said = str(told.value)
    value = number(said.replace(".", "")) if _PARTED.fullmatch(said) else None
    unit = (told.unit or "").strip()
    exact = _in_unit(Quantity(value, units.symbol(unit) or unit), test, units) if value is not None else None
    return exact if exact is not None and plausible(exact, test) else None


def _between(least: Result, most: Result, shown: str) -> Result:
    """A result that lies between two numbers: usable where each is, and lies as far as the two allow."""
    unusable = next((one for one in (least, most) if one.fault is not None or one.low is None or one.high is None), None)
    if unusable is not None:
        return replace(unusable, shown=shown)
    if least.low is None or most.high is None or least.low > most.high:
        return Result(None, None, least.on, shown, "is not a number", "unread")
    return replace(least, high=most.high, shown=shown, assumed=tuple(dict.fromkeys((*least.assumed, *most.assumed))))


def newest_of(results: Iterable[Result], day: date) -> list[Result]:
    """The results of the newest day; one without a day is of `day`, and one told as an earlier one is older than all others."""
    kept = list(results)
    last = max(((not r.earlier, r.on or day) for r in kept), default=None)
    return sorted((r for r in kept if (not r.earlier, r.on or day) == last), key=lambda r: r.shown)


def _when(told: LabResult) -> str:
    return f" on {told.on}" if told.on else ", undated"


def _word(told: LabResult, test: Lab, terms: Terms) -> str:
    """What a result in words, or in grades, says; of a test that comes in numbers nothing."""
    if test.expected is None:
        return ""
    said = _CODED.sub("", str(told.value).strip())
    said = said.rpartition("=")[2].strip() if told.codes else said
    words = terms.result_words
    found = (
        words.get(said.lower(), "") or (said if _GRADE.fullmatch(said) else "") or _of_titre(said, test) or _of_count(told, test)
    )
    return found or (words.get(said.lower().rpartition(" ")[2], "") if told.codes else "")


def _of_titre(said: str, test: Lab) -> str:
    """What a dilution says: positive from the test's own on, in between neither; of a test that names none any is positive."""
    found = _TITRE.fullmatch(said)
    if found is None:
        return ""
    if found[1]:
        return "negative"
    if test.titre is None or int(found[2]) >= test.titre:
        return "positive"
    return "indeterminate"


def _of_count(told: LabResult, test: Lab) -> str:
    """What a count says of a test in words: ">100,000 CFU/mL" of a culture; fewer say neither. So many may stand alone."""
    if test.counted is None:
        return ""
    sign, value = _number(told)
    unit, least, less = test.counted
    bare = told.unit is None and value is not None and value >= least
    if value is None or not (bare or (told.unit or "").replace(" ", "").lower() == unit.lower()):
        return ""
    return "positive" if value >= least and not sign.startswith(("<", "≤")) else less


def _on_a_scale(told: LabResult, test: Lab) -> LabResult:
    """A word that stands for a number beyond what an instrument shows, as that number: "HI" of a glucose meter."""
    said = str(told.value).strip().lower()
    meant = next((number_ for word, number_ in test.off_scale if word == said), None)
    return told if meant is None else replace(told, value=meant, unit=test.unit, fault="")


def _told_apart(told: LabResult, test: Lab, units: Units) -> LabResult:
    """A number and its unit written as one, "6.8 mmol/L" or "79% RA" in a field for words, where the unit is one of the test."""
    found = _AS_ONE.fullmatch(str(told.value)) if isinstance(told.value, str) and not (told.unit or told.fault) else None
    for unit in (found[3], found[3].split()[0]) if found is not None else ():
        if _in_unit(Quantity(Decimal(1), units.symbol(unit) or unit), test, units) is not None and found is not None:
            return replace(told, value=f"{found[1] or ''}{found[2].replace(',', '')}", unit=unit)
    return told


def _number(told: LabResult) -> tuple[str, Decimal | None]:
    """The sign before the number and the number; none where the line, or the value, could not be read."""
    match = _RESULT.match("" if told.value is None or told.fault else str(told.value))
    return (match[1] or "", number(match[2])) if match else ("", None)


def _without_unit(sign: str, value: Decimal, told: LabResult, test: Lab, months: Decimal | None) -> Result:
    """A number without a unit: judged by all that it may come to, the lowest and the highest, and still asked about."""
    when = _when(told)
    may_be = unsaid(value, test, months)
    shown = printable(str(told.value))
    units = tuple(unit for unit, _ in may_be.readings)
    if not units:
        return Result(None, None, told.on, shown + when, f"has no unit (in {test.unit}?)", "implausible")
    if len(may_be.values) == 1 and not may_be.usual:
        return Result(None, None, told.on, shown + when, f"has no unit, and is plausible only in {units[0]}", "unit")
    ends = [_range(sign, each) for each in may_be.values]
    lows, highs = [low for low, _ in ends], [high for _, high in ends]
    low = None if None in lows else min(one for one in lows if one is not None)
    high = None if None in highs else max(one for one in highs if one is not None)
    if test.unit_goes_unsaid and may_be.usual:
        return Result(low, high, told.on, shown + when)
    shown = f"{shown} (unit not told, taken as {' or '.join(units)}){when}"
    return Result(low, high, told.on, shown, assumed=units)


def _in_unit(told: Quantity, test: Lab, units: Units) -> Decimal | None:
    direct = units.convert(told, test.unit)
    if direct is not None:
        return direct if told.unit == test.unit else _MEASURED.plus(direct)
    for other in test.other_units:
        if other.unit == told.unit:
            return _MEASURED.plus(told.value * other.factor + other.offset)
    return None


def _range(sign: str, value: Decimal) -> tuple[Decimal | None, Decimal | None]:
    """The lowest and highest value that a result such as `<5` or `≥ 90` leaves open; equal for a plain number."""
    if sign in ("<", ">"):  # just short of the number
        value = value - _HAIR if sign == "<" else value + _HAIR
    if sign[:1] in ("<", "≤"):
        return None, value
    return (value, None) if sign else (value, value)
