"""What was found in a statement's words put together: amounts with the frequencies and parts of the day by them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec.structs import replace

from safety.model.directions import TimesPerDay
from safety.model.quantity import Quantity
from safety.reading.spoken.amounts import BARE, Amounts, Item
from safety.reading.spoken.matching import Table, Words
from safety.reading.spoken.reported import Regimen

_ONCE = (Fraction(1), Fraction(1))
_NEVER = (Fraction(0), Fraction(0))
_OVER_AND_OVER = re.compile(r"(?<!\S)(\d+(?:\.\d+)? )\1{2,}")
_SIDE_BY_SIDE = 2


class Regimens:
    """The ways of taking a medicine that words tell."""

    def __init__(self, tables: Mapping[str, Table], amounts: Amounts) -> None:
        self.amounts, self.beside, self.both_sides = amounts, tables["beside"], tables["both-sides"]

    def read(self, words: Words) -> tuple[Regimen, ...]:
        """Each way of taking it, in order; none where neither amount nor frequency nor part of the day was told."""
        words = Words(_OVER_AND_OVER.sub("", words.text))  # a number said over and over tells nothing
        found = self._joined(self.amounts.items(words), words)
        if self.both_sides.first(words):
            found = [_doubled(i) for i in found]
        return tuple(i for i in found if not i.empty or i.slots)

    def _joined(self, items: list[Item], words: Words) -> list[Regimen]:
        strength = _common_strength(items)
        amounts = [n for n, i in enumerate(items) if i.kind == "amount"]
        around = [i for i in items if i.kind not in ("amount", "strength")]
        if len(amounts) <= 1:
            return [_regimen(items[amounts[0]] if amounts else None, around, strength)]
        both = self._mass_beside_count([items[n] for n in amounts], around)
        if both is not None:
            return [_regimen(both, around, both.strength or strength)]
        built = [_regimen(items[n], own, items[n].strength or strength) for n, own in _shared_out(items, amounts)]
        return self._one_day(self._completed(built, [self._is_added(items, n, words) for n in amounts]))

    def _is_added(self, items: list[Item], n: int, words: Words) -> bool:
        """Whether an amount is told as taken beside what stands before it: "40 and 20"."""
        start = items[n - 1].end if n else 0
        return self.beside.first(Words(words.text[start : items[n].start])) is not None

    def _completed(self, regimens: list[Regimen], added: list[bool]) -> list[Regimen]:
        """An amount without a frequency of its own: added ("40 and 20, every day"), said again, or not clear which."""
        told = [i for i in regimens if i.times is not None]
        if len(told) == len(regimens) or not told:
            return regimens
        if len(regimens) == 2 and added[1] and (both := _as_one_dose(regimens[0], regimens[1])) is not None:
            return [both]
        found = (_with_frequency(i, plus, told[0]) for i, plus in zip(regimens, added, strict=True))
        return [i for i in found if i is not None]

    def _mass_beside_count(self, amounts: list[Item], around: list[Item]) -> Item | None:
        """As in "500 mg, one tablet" and "80 mg, two 40 mg tablets": one amount said in two ways."""
        if len(amounts) != 2 or any(amounts[0].end <= i.start < amounts[1].start for i in around):
            return None
        mass, count = amounts if self._is_mass(amounts[0]) else amounts[::-1]
        if not mass.dose or not count.dose or not self._is_mass(mass) or self._is_mass(count):
            return None
        if count.dose[0].unit == "dose":
            return mass
        if count.strength is not None:
            return count
        return Item("amount", amounts[0].start, amounts[1].end, dose=count.dose, strength=mass.dose[0])

    def _is_mass(self, item: Item) -> bool:
        return item.dose is not None and item.dose[0].unit in self.amounts.masses | {BARE}

    def _one_day(self, regimens: list[Regimen]) -> list[Regimen]:
        """As in "three a day, one at each meal": the day's number and its parts say the same; if not, neither counts."""
        whole = [i for i in regimens if i.per_day is not None]
        parts = [i for i in regimens if i.per_day is None and i.dose is not None]
        if len(whole) != 1 or not parts or not self._alike(whole[0], parts):
            return regimens
        if all(p.times is None for p in parts):
            return _parted(whole[0], parts)
        total = sum((Fraction(p.dose[1].value) * p.times[1] for p in parts if p.dose and p.times), Fraction(0))
        return parts if whole[0].per_day and total == Fraction(whole[0].per_day[1].value) else []

    def _alike(self, whole: Regimen, parts: Sequence[Regimen]) -> bool:
        """Whether a day's amount and its parts are both told in masses, or both in pieces."""
        if whole.per_day is None:
            return False
        measured = any(p.dose is not None and self.amounts.is_measured(p.dose) for p in parts)
        return measured is self.amounts.is_measured(whole.per_day)


def _with_frequency(regimen: Regimen, added: bool, first: Regimen) -> Regimen | None:
    """An regimen with the frequency of the first one that has one; None where it only says the same again."""
    if regimen.times is not None or regimen.per_day is not None:
        return regimen
    if added:
        return replace(regimen, times=first.times, hours=first.hours, at_least=first.at_least)
    return Regimen(None, regimen.strength, _NEVER) if regimen.dose != first.dose else None


def _common_strength(items: list[Item]) -> Quantity | None:
    """What one of them holds, where it is told once for all: "one 5 mg tablet in the morning and one at night"."""
    told = next((i.strength for i in items if i.kind == "strength"), None)
    held = {i.strength for i in items if i.kind == "amount" and i.strength}
    return told if told is not None else held.pop() if len(held) == 1 else None


def _shared_out(items: list[Item], amounts: list[int]) -> list[tuple[int, list[Item]]]:
    """Each amount with what belongs to it: what follows it, or, where the last thing told is an amount, what stands before."""
    ahead = amounts[0] > 0 and items[0].kind != "strength" and amounts[-1] == len(items) - 1
    found = []
    for k, n in enumerate(amounts):
        before = amounts[k - 1] + 1 if k else 0
        after = amounts[k + 1] if k + 1 < len(amounts) else len(items)
        own = items[before:n] if ahead else items[n + 1 : after]
        own = own if ahead or k else [*items[:n], *own]
        found.append((n, [i for i in own if i.kind not in ("amount", "strength")]))
    return found


def _regimen(amount: Item | None, around: list[Item], strength: Quantity | None) -> Regimen:
    """An amount (or none) with what stands by it."""
    slots = _slots(around)
    dose = amount.dose if amount else None
    held = (amount.strength if amount else None) or strength
    times, at_least = _times(around, slots, dose is not None)
    parts = next((i.parts for i in around if i.parts), 0)
    if dose is not None and any(i.per_day for i in around):
        if parts:
            low, high = (Quantity(q.value / parts, q.unit) for q in dose)
            return Regimen((low, high), held, (Fraction(parts),) * 2, None, slots)
        if times is None:
            return Regimen(None, held, None, dose, slots)
    hours = next((i.hours for i in _whole(around) if i.hours is not None), None)
    return Regimen(dose, held, times, None, slots, hours, at_least)


def _slots(around: list[Item]) -> tuple[str, ...]:
    slots = tuple(dict.fromkeys(i.slot for i in around if i.slot))
    if "evening" in slots and "night" in slots and _one_evening(around):
        return tuple(s for s in slots if s != "evening")
    return slots


def _one_evening(around: list[Item]) -> bool:
    """Whether evening and night stand side by side and mean one time: "every night before supper"."""
    told = [i for i in around if i.slot in ("evening", "night")]
    return len(told) == 2 and told[1].start - told[0].end <= _SIDE_BY_SIDE


def _whole(around: list[Item]) -> list[Item]:
    """The frequencies that hold for every day, not for one occasion; "with meals" only where there is no other."""
    whole = [i for i in around if i.kind == "often" and i.times and not i.at_least]
    return [i for i in whole if not i.weak] or whole


def _chosen(around: list[Item]) -> Item | None:
    """The frequency that counts: a number of times before "every 4 hours", that before "daily", any before one occasion."""
    whole = _whole(around)
    regular = [i for i in whole if i.times != _ONCE]
    if regular:
        return next((i for i in regular if i.hours is None), regular[0])
    often = whole or [i for i in around if i.kind == "often" and i.times]
    return often[0] if often else None


def _times(around: list[Item], slots: tuple[str, ...], dosed: bool) -> tuple[TimesPerDay | None, bool]:
    """How often a day, and whether there may have been more."""
    chosen = _chosen(around)
    times, at_least = (chosen.times, chosen.at_least) if chosen else (None, False)
    counted = [i.times for i in _whole(around) if i.times and i.times != _ONCE and i.hours is None]
    if len(counted) > 1:  # "three times a day but lately four"
        times = min(t[0] for t in counted), max(t[1] for t in counted)
    if len(slots) > 1 and times in (None, _ONCE):
        return (Fraction(len(slots)),) * 2, False
    if times is None and slots:  # "in the morning": whether that is all was not said
        return _ONCE, not dosed
    if chosen is not None and chosen.daily and not dosed and not slots:
        return times, True
    return times, at_least


def _doubled(regimen: Regimen) -> Regimen:
    """A dose for each of two eyes, ears or nostrils."""
    if regimen.dose is None:
        return regimen
    low, high = (Quantity(q.value * 2, q.unit) for q in regimen.dose)
    return replace(regimen, dose=(low, high))


def _parted(whole: Regimen, parts: Sequence[Regimen]) -> list[Regimen]:
    """A day's amount taken in doses of one size, however often that makes."""
    each = {p.dose[1].value for p in parts if p.dose}
    if len(each) != 1 or whole.per_day is None or 0 in each:
        return [whole]
    often = Fraction(whole.per_day[1].value) / Fraction(each.pop())
    return [Regimen(parts[0].dose, whole.strength or parts[0].strength, (often, often), None, parts[0].slots)]


def _as_one_dose(first: Regimen, second: Regimen) -> Regimen | None:
    """Two strengths taken together as one dose: "one 5 mg tablet and one 2.5 mg tablet every night"."""
    a, b = first.strength, second.strength
    if first.dose is None or second.dose is None or first.times is not None:
        return None
    if a is None or b is None or a == b or a.unit != b.unit:
        return None
    low, high = (Quantity(first.dose[n].value * a.value + second.dose[n].value * b.value, a.unit) for n in (0, 1))
    return replace(second, dose=(low, high), strength=None)
