"""Doses that hang on a reading, "150-200: 2 units, 201-250: 4 units": from nothing to the highest of them."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from msgspec import Struct

from safety.reading.directions.phrases import Scan
from safety.reading.directions.tokens import Tokens

LOWEST_READING: Final = Decimal(40)
HIGHEST_READING: Final = Decimal(1000)


class Scale(Struct, frozen=True):
    """The highest dose of a scale with its unit, and the words of the text that tell neither doses nor readings."""

    highest: Decimal
    unit: str
    rest: Tokens


def is_scale(scan: Scan) -> bool:
    """Whether a text speaks of a sliding scale."""
    return not scan.lex.scale.names.isdisjoint(scan.words)


def of_the_product(scan: Scan) -> set[int]:
    """The words that tell what the product holds, "100 unit/mL"."""
    return {i for a in scan.amounts if a.kind in ("concentration", "percent", "strength") for i in range(a.start, a.end)}


def without_names(scan: Scan) -> Tokens:
    """The words of a text without those that name a sliding scale, "ac per sliding scale"."""
    rest = Tokens()
    for i, word in enumerate(scan.words):
        if word not in scan.lex.scale.names:
            rest.add(word, scan.raws[i], scan.nums[i])
    return rest


def read_scale(scan: Scan) -> Scale | None:
    """The scale that a text tells; `None` where it tells none, or more than a scale, or a number in it is not understood."""
    if not scan.lex.scale.more.isdisjoint(scan.words) or scan.durations:
        return None
    doses, readings = _numbers(scan)
    if not _is_whole(scan, doses, readings):
        return None
    unit = scan.units.symbol("unit")
    highest = max(high for high, _, _ in doses)
    if unit is None or highest <= 0:
        return None
    told = {i for _, start, end in doses for i in range(start, end)} | readings
    rest = Tokens()
    for i, word in enumerate(scan.words):
        if i not in told and _is_left(scan, i, told):
            rest.add(word, scan.raws[i], scan.nums[i])
    return Scale(highest, unit, rest)


def _is_whole(scan: Scan, doses: list[tuple[Decimal, int, int]], readings: set[int]) -> bool:
    """Whether every dose hangs on a reading: "10 units before meals, 150-200 2 units" does not, "1 unit for every 50 above"
    has no highest dose."""
    if any(scan.word(i - 1) in ("every", "each", "per", "q") for i in readings):
        return False
    if len(doses) > 1 and len(doses) > len(readings):
        return False
    if len(doses) > 1 and not all(_paired(scan, start, end, readings) for _, start, end in doses):
        return False
    return bool(doses) and (is_scale(scan) or (len(doses) > 1 and len(readings) > 1))


def _is_left(scan: Scan, i: int, told: set[int]) -> bool:
    """Whether a word tells something besides the doses and readings."""
    in_limit = any(start <= i < end for _, start, end in scan.day_max)
    in_time = any(o.start <= i < o.end for o in scan.often)
    return in_limit or in_time or scan.words[i] not in scan.lex.scale.compared or not _beside(i, told)


def _beside(i: int, told: set[int]) -> bool:
    """Whether a word stands close to a dose or a reading."""
    return any(k in told for k in range(i - 4, i + 5))


def _paired(scan: Scan, start: int, end: int, readings: set[int]) -> bool:
    """Whether a reading stands before or after a dose with only comparing words between."""
    before, after = start - 1, end
    while before not in readings and scan.word(before) in scan.lex.scale.compared:
        before -= 1
    while after not in readings and scan.word(after) in scan.lex.scale.compared:
        after += 1
    return before in readings or after in readings


def _numbers(scan: Scan) -> tuple[list[tuple[Decimal, int, int]], set[int]]:
    """The doses (highest, where they start and end) and the places of the readings."""
    doses: list[tuple[Decimal, int, int]] = []
    readings: set[int] = set()
    taken = {i for _, start, end in scan.day_max for i in range(start, end)}
    taken |= {i for o in scan.often for i in range(o.start, o.end)} | of_the_product(scan)
    for i, num in enumerate(scan.nums):
        if num is None or i in taken:
            continue
        if scan.word(i + 1) in scan.lex.activity:
            doses.append((num[1], i, i + 2))
        elif LOWEST_READING <= num[0] <= num[1] <= HIGHEST_READING and scan.word(i + 1) != "%":
            readings.add(i)
        elif i - 2 in readings and scan.word(i - 1) in (":", "=") and num[1] < LOWEST_READING:
            doses.append((num[1], i, i + 1))
    return doses, readings
