"""What is noted while directions are read, and how a word, a unit or a fixed phrase is looked up."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct

from safety.model.directions import Window
from safety.model.quantity import Quantity
from safety.reading.directions.galenic import AMOUNT_DIMENSIONS, COUNTED_AS, NOT_A_DOSE
from safety.reading.directions.tokens import NUMBER, UNREADABLE, Range, Tokens, tokens_of
from safety.reading.directions.words import Lexicon

ONE = Decimal(1)
DAY = Fraction(1)
Days = tuple[Fraction, Fraction]


class UnitOf(Struct, frozen=True):
    """How the medicine is sold and taken, as far as that decides what its directions mean.

    Called with a number alone: in which unit it is a strength that the medicine is sold in, or several of it where more is said
    of it (the first `True`); None for one that may as well be a count, which one written as a decimal (the second) is not.
    `by_needle`: in which unit a number is as much as is injected of it at once; None where that is not certain.
    `is_strength`: whether one piece of it holds so much. `single_doses`: what a pen, syringe or vial holds of which everything is
    one dose; `once_a_week`: so it is taken;
    `only_injected`: it comes as nothing else; `inhaled`, `of_the_eye`, `of_the_nose`: it is sold so, too.
    """

    of_number: Callable[[Decimal, bool, bool], str | None] | None = None
    by_needle: Callable[[Decimal], str | None] | None = None
    is_strength: Callable[[Decimal], bool] | None = None
    single_doses: tuple[Quantity, ...] = ()
    once_a_week: bool = False
    only_injected: bool = False
    inhaled: bool = False
    of_the_eye: bool = False
    of_the_nose: bool = False

    def may_be_strength(self, number: Decimal) -> bool:
        """Whether one piece is sold in that strength: "lorazepam 1 tid" may be a milligram or a tablet."""
        return self.is_strength is not None and self.is_strength(number)

    def __call__(self, number: Decimal, said: bool, decimal: bool) -> str | None:
        """The unit of a number alone."""
        return self.of_number(number, said, decimal) if self.of_number is not None else None


none_sold = UnitOf()
"""Of a medicine that is not known, no number is a strength."""


class AmountNote(Struct):
    """One amount as written. `kind`: count bare volume mass weight concentration percent strength per_day per_hour.

    `per` is what a strength is held in (160 mg in 5 mL); `note` is "total" or "each" where that word follows.
    """

    low: Decimal
    high: Decimal
    unit: str
    kind: str
    start: int
    end: int
    per: Quantity | None = None
    note: str = ""


class RateNote(Struct):
    """How often: doses in a day, lowest and highest; hours between doses if told so; `weak` is a bare "daily"."""

    low: Fraction
    high: Fraction
    start: int
    end: int
    hours: tuple[Decimal, Decimal] | None = None
    weak: bool = False
    ceiling: bool = False  # "up to 3 times a day"


class SlotNote(Struct):
    """A moment or part of the day: its name or clock time, and when that is, if it is surely known."""

    name: str
    start: int
    end: int
    window: Window | None
    on_the_clock: bool = False  # told in four digits, "[0900]"


class Notes:
    """The notes taken from one text."""

    def __init__(
        self, text: str | Tokens, lex: Lexicon, unit_before: tuple[str, str, Decimal] | None = None, unit_of: UnitOf = none_sold
    ) -> None:
        tokens = tokens_of(text, lex) if isinstance(text, str) else text
        self.words, self.raws, self.nums = tokens.words, tokens.raws, tokens.nums
        self.lex = lex
        self.units = lex.units
        self.amounts: list[AmountNote] = []
        self.often: list[RateNote] = []
        self.slots: list[SlotNote] = []
        self.meals: list[int] = []
        self.weekdays: list[str] = []
        self.weekday_at: list[int] = []
        self.days_off: set[str] = set()  # "except Sunday"
        self.some_days_off = False  # "except MTX day"
        self.rest_of_week = False  # "… on all other days"
        self.day_max: list[tuple[Quantity, int, int]] = []
        self.at_once: list[tuple[Quantity, int, int]] = []  # "max 90 mg", with no day told
        self.durations: list[tuple[Decimal, int]] = []
        self.rows: list[Decimal] = []  # "21 days on, 7 off": so many days one after the other
        self.routes: list[str] = []
        self.injected: set[str] = set()  # into what
        self.forms: list[tuple[str, int]] = []
        self.release: list[str] = []
        self.verbs: list[int] = []
        self.steps: list[int] = []
        self.part = not isinstance(text, str)  # one step of a longer text
        self.unit_before = unit_before  # … what the dose of the step before is told in: unit, kind, amount
        self.unit_of = unit_of  # … and in which unit the medicine is sold in that strength
        self.markers: list[int] = []  # "day 1", "today": the day of a step
        self.onward = False  # "day 8 on"
        self.todays: list[tuple[str, int]] = []
        self.remarks: set[int] = set()  # words that were passed over on purpose
        self.repeats: list[tuple[int, int, Fraction | None]] = []  # "may repeat x1": how often, if told
        self.thresholds: list[tuple[int, int]] = []  # "> 160": a reading for which one dose is taken
        self.reasons: list[tuple[int, int]] = []  # "d/t edema", "s/p MI 2019"
        self.lone: list[tuple[Range, int]] = []  # a number alone, too many to be a count
        self.thens: list[int] = []
        self.directed: list[int] = []
        self.once: list[int] = []
        self.both = False
        self.as_needed: list[int] = []
        self.divided = False
        self.snacks: list[int] = []
        self.halved = False  # "cuts in half"
        self.alternating = not lex.alternating.isdisjoint(self.words)
        self.awake = False  # not at night
        self.unread: set[int] = set()
        self.joined_at = 0  # where the last joining word ended: a number after "in" or "for" is no dose

    def word(self, i: int) -> str:
        """The word at a position; empty past the end."""
        return self.words[i] if 0 <= i < len(self.words) else ""

    def num(self, i: int) -> Range | None:
        """The number at a position, if one stands there."""
        return self.nums[i] if 0 <= i < len(self.nums) else None

    def starts(self, i: int) -> bool:
        """Whether a fixed phrase starts at word i."""
        return self.find(i) is not None

    def find(self, i: int) -> tuple[int, str, str] | None:
        """The longest fixed phrase that starts at word i: where it ends, its kind and meaning."""
        rows = self.lex.phrases.get(self.words[i]) if i < len(self.words) else None
        if rows:
            for rest, kind, meaning in rows:
                if not rest:
                    return i + 1, kind, meaning
                end = i + 1 + len(rest)
                if tuple(self.words[i + 1 : end]) == rest:
                    return end, kind, meaning
        return None

    def _unit(self, i: int) -> tuple[int, str, str] | None:
        """A unit at word i: where it ends, its symbol, and what it measures (count, volume, mass)."""
        word = self.word(i)
        if not word or word in (NUMBER, UNREADABLE) or word in self.lex.time:
            return None
        counted = self.lex.counted.get(word)
        if counted is not None:
            counted = COUNTED_AS.get(counted, counted)
            return i + 1, self.units.symbol(counted) or counted, "count"
        if word in self.lex.activity:
            return i + 1, self.units.symbol(word) or self.units.symbol(self.lex.activity[word]) or self.lex.activity[word], "mass"
        if word in self.lex.refused or (word in self.lex.phrases and self.find(i) is not None):
            return None
        symbol = self.units.symbol(self.raws[i])
        dimension = self.units.dimension(symbol) if symbol else None
        if symbol is None or dimension is None or symbol in NOT_A_DOSE:
            return None
        if dimension not in AMOUNT_DIMENSIONS and not dimension.startswith("count:"):
            return None
        kind = "count" if dimension.startswith("count:") else "volume" if dimension == "volume" else "mass"
        return i + 1, symbol, kind

    def _special(self, i: int) -> bool:
        """Whether word i begins something that is read by its own rule rather than found among the phrases."""
        return self.word(i) in self.lex.special

    def _form_follows(self, i: int) -> str:
        """The form that an amount is written before: "325 MG (Oral) Tablet"; empty if none."""
        k = i
        while k < i + 6:
            if self.lex.counted.get(self.word(k)) == "pill":
                return "tablet"  # "four 200 mg pills": some solid form of that strength
            found = self.find(k)
            if found is None or found[1] not in ("form", "release", "route"):
                return ""
            if found[1] == "form":
                return found[2]
            k = found[0]
        return ""

    def _give_up(self, i: int, end: int) -> int:
        self.unread.update(range(i, min(end, len(self.words))))
        return end


def found_is(found: tuple[int, str, str] | None, *kinds: str) -> bool:
    """Whether a phrase was found and is of one of these kinds."""
    return found is not None and found[1] in kinds
