"""How much, how often and when, as the tables of kb/spoken find it in a statement's words: one item after the other."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from safety.knowledge.language import Language
from safety.model.directions import TimesPerDay
from safety.model.quantity import Quantity, QuantityRange, Units
from safety.reading.spoken.matching import Hit, Table, Words

BARE = "bare"
_MOST_PIECES, _MOST_HALVES = 10, 3
_DAYS_A_WEEK = 7
_DAYS = {"hour": Fraction(1, 24), "day": Fraction(1), "week": Fraction(7), "month": Fraction(30), "year": Fraction(365)}


class Item(Struct, frozen=True):
    """One thing found in the words: an amount, a strength, a frequency, a part of the day; from where to where.

    - `per_day`: what stands by it is a day's amount, taken in so many `parts` (0: not told). `at_least`: of one occasion.
    - `weak`: gives way to a number ("twice a day with meals"). `daily`: only "every day" was said, not how often on it.
    """

    kind: str
    start: int
    end: int
    dose: QuantityRange | None = None
    strength: Quantity | None = None
    times: TimesPerDay | None = None
    per_day: bool = False
    slot: str = ""
    hours: Decimal | None = None
    at_least: bool = False
    parts: int = 0
    weak: bool = False
    daily: bool = False


class Amounts:
    """The items of a statement, by the tables `amounts`, `of-taking` and `bare-numbers`."""

    def __init__(self, tables: Mapping[str, Table], language: Language, units: Units) -> None:
        self.amounts, self.of_taking, self.bare = tables["amounts"], tables["of-taking"], tables["bare-numbers"]
        self.slots = language.meaning("part-of-day")
        self.weekdays = language.meaning("weekday")
        dimensions = {unit: units.dimension(unit) for unit in language.meaning("unit").values()}
        self.masses = frozenset(unit for unit, dimension in dimensions.items() if dimension == "mass")
        self.activities = frozenset(unit for unit, dimension in dimensions.items() if dimension == "activity")
        self.read = {
            "amount": self._amount, "strength": self._strength, "often": self._often, "day": self._day,
            "occasion": self._occasion, "slot": self._slot, "weekdays": self._weekdays, "pieces": self._pieces,
        }  # fmt: skip

    def items(self, words: Words) -> list[Item]:
        """Every amount, frequency and part of the day, in order; a word belongs to one of them only."""
        hits = self.amounts.every(words)
        found = [self.read[hit.says[0]](hit) for hit in hits]
        if any(i.kind in ("often", "slot", "day") for i in found) or self.of_taking.first(words):
            beside = next((i.dose[0].unit for i in found if i.dose is not None and self.is_measured(i.dose)), "")
            found += [self._beside(self.read[hit.says[0]](hit), beside) for hit in self.bare.every(words, hits)]
        return sorted(found, key=lambda item: item.start)

    def is_measured(self, amount: QuantityRange) -> bool:
        """Whether an amount is told by weight or in units of activity, not in pieces."""
        return amount[1].unit in self.masses | self.activities

    def named_weekdays(self, words: Words) -> tuple[str, ...]:
        """The days of the week that words name, in order, each once."""
        found = (self.weekdays[word] for word in words.text.split() if word in self.weekdays)
        return tuple(dict.fromkeys(found))

    # -------------------------------------------------------------- what a row reads

    def _amount(self, hit: Hit) -> Item:
        return _amount_in(hit, hit.read.get("form") or hit.read.get("unit") or "")

    def _pieces(self, hit: Hit) -> Item:
        """A number without a unit: of tablets, where it can be; else of what the prescription counts."""
        pieces = is_pieces(Decimal(hit.read.get("most") or hit.read["count"]))
        return _amount_in(hit, hit.read.get("form", "") if pieces else BARE)

    def _strength(self, hit: Hit) -> Item:
        return Item("strength", hit.start, hit.end, strength=_held(hit))

    def _often(self, hit: Hit) -> Item:
        read = hit.read
        days = _DAYS[read.get("period") or read.get("week-or-month") or "day"]
        slot = self.slots.get(hit.said.get("period") or "", "") or read.get("day-part") or read.get("day-part-ly") or ""
        every = read.get("every") or read.get("every-which")
        hours = None
        if every is not None:
            low, high = _pair(every, read.get("most"))
            times = (1 / (days * Fraction(high)), 1 / (days * Fraction(low))) if low else None
            hours = low if read.get("period") == "hour" and low else None
        else:
            low, high = _pair(read["times"], read.get("most"))
            times = Fraction(low) / days, Fraction(high) / days
        return Item("often", hit.start, hit.end, times=times, hours=hours, slot=slot, weak="weak" in read, daily="daily" in read)

    def _day(self, hit: Hit) -> Item:
        return Item("day", hit.start, hit.end, per_day=True, parts=int(Decimal(hit.read.get("parts", "0"))))

    def _occasion(self, hit: Hit) -> Item:
        times = Fraction(hit.read.get("times", "1"))
        slot = self.slots.get(hit.said["occasion"].split()[-1], "")
        return Item("often", hit.start, hit.end, times=(times, times), slot=slot, at_least="times" not in hit.read)

    def _slot(self, hit: Hit) -> Item:
        return Item("slot", hit.start, hit.end, slot=hit.read["part-of-day"])

    def _weekdays(self, hit: Hit) -> Item:
        times = Fraction(len(self.named_weekdays(Words(hit.taken))), _DAYS_A_WEEK)
        return Item("often", hit.start, hit.end, times=(times, times))

    def _beside(self, item: Item, unit: str) -> Item:
        """A bare number beside an amount with a unit has that unit; by weight only where it can be no number of tablets."""
        bare = ("", BARE) if unit in self.activities else (BARE,)
        if not unit or item.dose is None or item.dose[0].unit not in bare:
            return item
        return replace(item, dose=(Quantity(item.dose[0].value, unit), Quantity(item.dose[1].value, unit)))


def is_pieces(value: Decimal) -> bool:
    """Whether a bare number can be a number of tablets: up to ten whole ones, up to three and a half."""
    if value == value.to_integral_value():
        return value <= _MOST_PIECES
    return value <= _MOST_HALVES and value * 2 == (value * 2).to_integral_value()


def _pair(low: str, high: str | None) -> tuple[Decimal, Decimal]:
    a, b = Decimal(low), Decimal(high or low)
    return (a, b) if a <= b else (b, a)


def _amount_in(hit: Hit, unit: str) -> Item:
    low, high = _pair(hit.read["count"], hit.read.get("most"))
    return Item("amount", hit.start, hit.end, dose=(Quantity(low, unit), Quantity(high, unit)), strength=_held(hit))


def _held(hit: Hit) -> Quantity | None:
    """What one of them holds; its unit may have been left off ("six of the 2.5 tablets")."""
    each = hit.read.get("each")
    return Quantity(Decimal(each), hit.read.get("mass", BARE)) if each is not None else None
