"""How well real directions are read: for each file of them, the day's amounts that are right, wrong and left unread."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any, Final

import msgspec

from safety.model.directions import Directions
from safety.model.quantity import Quantity, Units, number
from safety.reading.directions.galenic import PERIOD_DAYS, SOLIDS
from safety.reading.directions.sig import read_sig
from safety.reading.directions.words import Lexicon
from safety.understanding.amounts import Contents, amounts_of

Expected = Mapping[int, str | None]
FILES: Final = {
    "pharmacy": "sigs/parserx_real_sigs_unlabelled.txt",
    "nhs": "sigs/phs_gold.jsonl",
    "smart": "smart_stu3/_sig_text_to_structure.jsonl",
    "fhir": "fhir_r4_examples/_dosage_text_to_structure.jsonl",
}
_PERIODS: Final = {"d": "day", "h": "hour", "wk": "week", "mo": "month"}
_UNITS: Final = {"[drp]": "drop", "U": "unit", "TAB": "tablet", "ea": "", "{tablet}": "tablet", "{puff}": "puff", "{dose}": ""}


class Row(msgspec.Struct, frozen=True):
    """One direction, the day's amount that is expected of it and the one that was read (`None`: none)."""

    number: int
    text: str
    expected: str | None
    got: str | None


class Measured(msgspec.Struct, frozen=True):
    """The count of one file: a row nobody could tell a day's amount of counts as `untold` where nothing was read.

    `parsable` is right + wrong + abstained over rows with an amount; an amount read where none can be told is wrong.
    """

    rows: int
    right: int
    wrong: tuple[Row, ...]
    abstained: tuple[Row, ...]
    untold: int

    @property
    def parsable(self) -> int:
        """How many rows a person could tell a day's amount of."""
        return self.rows - self.untold - sum(row.expected is None for row in self.wrong)


def measure_sigs(real: Path, lex: Lexicon, expected: Mapping[str, Expected]) -> dict[str, Measured]:
    """Each file of real directions against what a person, or else the structure beside the text, says of it.

    `expected` has for each file the rows that were read by hand ("0..6 tablet for 10", None: no amount can be told).
    """
    return {name: _measure(real / path, lex, expected.get(name, {})) for name, path in FILES.items() if (real / path).exists()}


def day_of(sig: Directions, units: Units) -> str | None:
    """The day's amount of a sig in the unit it is told in, and the days: "0..6 tablet for 10"; `None` where not read."""
    told = [sig.per_day, *(step.dose for step in sig.steps), sig.dose]
    unit = next((amount[1] for amount in told if amount is not None), None)
    contents = None
    if unit is not None and (units.dimension(unit.unit) in (None, "volume") or unit.unit in SOLIDS or _counted(unit.unit, units)):
        contents = Contents(Quantity(Decimal(1), "mg"), Quantity(Decimal(1), unit.unit or "tablet"))
        if sig.day_max and sig.day_max.unit and units.compare(sig.day_max, unit) is None and sig.day_max.unit != "dose":
            sig = msgspec.structs.replace(sig, day_max=None)  # "1 tablet …, max 4 mg": not to be told in tablets
    found = amounts_of(sig, contents, units).day
    if found is None and unit is not None and unit.unit.endswith(("/kg", "/m2")):
        found = (unit, unit) if sig.times_per_day and sig.times_per_day[1] <= 1 else None
    if found is None:
        return None
    low, high = (_plain(q.value) for q in found)
    shown = unit.unit if contents and unit else found[1].unit
    days = f" for {_plain(sig.days)}" if sig.days else ""
    return f"{low if low == high else f'{low}..{high}'} {shown}".strip() + days


def _counted(unit: str, units: Units) -> bool:
    return (units.dimension(unit) or "").startswith("count:")


def _plain(value: Decimal) -> str:
    return f"{value.normalize():f}"


def _measure(path: Path, lex: Lexicon, expected: Expected) -> Measured:
    wrong: list[Row] = []
    abstained: list[Row] = []
    rows = right = untold = 0
    for n, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        told = _told(path, n, line, expected)
        if told is None:
            continue
        text, want = told
        rows += 1
        got = day_of(read_sig(text, lex), lex.units)
        row = Row(n, text, want, got)
        if got is None and want is None:
            untold += 1
        elif got is None:
            abstained.append(row)
        elif want is not None and _same(want, got):
            right += 1
        else:
            wrong.append(row)
    return Measured(rows, right, tuple(wrong), tuple(abstained), untold)


def _told(path: Path, n: int, line: str, expected: Expected) -> tuple[str, str | None] | None:
    """The text and the amount expected of it; `None` for a row that is no whole direction."""
    if path.suffix == ".txt":
        return (line, expected.get(n)) if line.strip() else None
    record = msgspec.json.decode(line)
    if "kind" in record:
        return (record["text"], expected.get(n)) if record["kind"] == "whole_instruction" else None
    return record["text"], expected[n] if n in expected else _structured(record)


def _structured(record: dict[str, Any]) -> str | None:
    """The highest of a day that the structure beside a text says: "..6 tablet"."""
    dosage = record.get("dosage") or {}
    rates = [rate["doseQuantity"] for rate in dosage.get("doseAndRate", ()) if "doseQuantity" in rate]
    dose = record.get("doseQuantity") or dosage.get("dose") or (rates or [None])[0]
    repeat = ((record.get("timing") or dosage.get("timing") or {}).get("repeat")) or {}
    if dose is None or not ("frequency" in repeat or "count" in repeat):
        return None
    value = Decimal(str(dose["value"]))
    unit = dose.get("unit") or dose.get("code") or ""
    times = Fraction(1)
    if "period" in repeat:
        shortest, _ = PERIOD_DAYS[_PERIODS[repeat["periodUnit"]]]
        times = Fraction(repeat["frequency"]) / (shortest * Fraction(str(repeat["period"])))
    return f"..{_plain(value * ceil(times))} {_UNITS.get(unit, unit)}".strip()


def _same(want: str, got: str) -> bool:
    """Whether two amounts are one; days, the lowest and the unit of a form count where both tell them."""
    (low, high, unit, days), (got_low, got_high, got_unit, got_days) = _parts(want), _parts(got)
    alike = unit == got_unit or "" in (unit, got_unit) or {unit, got_unit} <= SOLIDS
    return high == got_high and alike and (low is None or low == got_low) and (not days or not got_days or days == got_days)


def _parts(told: str) -> tuple[Decimal | None, Decimal | None, str, str]:
    amount, _, days = told.partition(" for ")
    numbers, _, unit = amount.partition(" ")
    low, _, high = numbers.partition("..")
    return number(low) if low or not high else None, number(high or low), unit, days
