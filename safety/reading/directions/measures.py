"""Numbers and what they count or measure: "2 tablets (20 mg total)", "160 mg/5 mL", "40 mg/day"."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from safety.model.directions import KINDS_OF_PARENTERAL, Window
from safety.model.quantity import Quantity, in_parts
from safety.reading.directions.galenic import (
    ACTUATIONS,
    COURSE_DAYS,
    METERED_FORMS,
    MOST_AT_ONCE,
    MOST_BARE_UNITS,
    MOST_UNTOLD,
    PARTS_OF_DAY,
    PARTS_TAKEN,
    RELEASED_OVER_TIME,
    UNIT_FORMS,
    WIDEST_RANGE,
)
from safety.reading.directions.notes import DAY, ONE, AmountNote, SlotNote, found_is
from safety.reading.directions.repeats import Repeats
from safety.reading.directions.tokens import Range

NOON = 12
_DIGITS_OF_A_CLOCK = 4
_HOURS_OF_A_DAY = 24
_WHOLE = 100
"""More percent than the whole is no strength."""
_STOPS = frozenset(",;.)")
_MARKS = frozenset(",;:-()")
_IN_HALVES, _MOST_OF_A_RARE_ONE = Decimal("0.5"), 3
"""Of patches, films and the like nobody takes more at once, and of nothing other parts than halves."""
_LEAST_OF_A_PATCH = Decimal("0.1")
_MOST_PUFFS = 12
"""So many puffs are taken at once, at most: "110 inh" is a strength."""
_SPOONS = frozenset((Decimal(5), Decimal(15), Decimal("1.25")))
"""In so many mL the strength of a liquid is told."""
_MOST_OF_A_PEN, _ML_OF_A_VIAL, _WEIGHED = 3, 3, "mg"
"""A pen or syringe holds less than so many mL; a vial for the nebulizer so many, of milligrams."""
_LEAST_ASIDE = 4
"""A shorter word behind a number may be a unit: "5 oz"."""
_NOT_AS_A_PEN = frozenset(("intravenous", "intra-arterial", "epidural"))
"""Under the skin and into a muscle, "1" may be a pen or a syringe of it; so into nothing else."""
_FAR = 8
_OPENS = frozenset(("(", ",", ";", "-"))
_ADDING = frozenset(("plus", "="))
_BETWEEN_TIMES = frozenset((",", ";", "and", "&", "+", "/"))
_DAYS = frozenset(("d", "day", "days"))
_RATES = {"hour": "h", "minute": "min"}
_IN_DAYS = {"day": 1, "week": 7}
CLAUSE_KINDS = frozenset(
    (
        "often",
        "daily",
        "slot",
        "meals",
        "weekday",
        "weekday set",
        "as needed",
        "route",
        "nothing",
        "most",
        "up to",
        "then",
        "once",
    )
) | {"step", "today", "rest of week", "snacks", "weekday range", "awake"}


class Measures(Repeats):
    """Reads what stands at a number."""

    def _number(self, i: int) -> int:
        num = self.num(i)
        assert num is not None
        word = self.word(i + 1)
        found = self.find(i + 1)
        if found and found[1] == "divided":
            self.divided = True
            return self._note_often(Fraction(num[0]), Fraction(num[1]), i, found[0])
        if word in self.lex.times:
            done = self._product(i, num) or self._times(i, i + 2, num)
            if done > i:
                return done
            return self._bare(i, num) if word == "x" else i
        if self._before_numbered_days(i + 1):
            return self._amount_alone(i, num)
        done = self._of_no_dose(i) or self._of_a_pack(i, num) or self._induction_from(i)
        if done:
            return done
        if word in self.lex.time or word in self.lex.hourly or (word in self.lex.nights and word not in self.lex.doses):
            return self._number_of_time(i, num)
        return self._clock(i, num) or self._amount_alone(i, num)

    def _amount_alone(self, i: int, num: Range) -> int:
        if self._on_lettered_days(i + 1):
            return self._bare(i, num)  # "7.5 T/Th/Sa"
        return (
            self._half_of_one(i, num)
            or self._given_off(i, num)
            or self._held_in(i, num)
            or self._amount(i, num)
            or self._by_needle(i, num)
            or self._bare(i, num)
        )

    def _of_a_pack(self, i: int, num: Range) -> int:
        """Past a pack of so many, "EpiPen 2-pack": what is handed out, and no dose; 0 where it is none."""
        at = i + 1 + (self.word(i + 1) == "-")
        return at + 1 if num[0] > 1 and self.word(at) in self.lex.packs else 0

    def _of_no_dose(self, i: int) -> int:
        """Past a number that tells how it is given: "14 on 7 off", "extended infusion 4 h", "in 8 oz"; 0 where it is none."""
        word, before = self.word(i + 1), self.word(i - 1)
        if word == "on":
            return self._on_and_off(i)
        if word == "of" and self._days_of_a_cycle(i):
            return self._row(i)
        if word == ":" and self.num(i + 2) is not None and self.word(i + 3) in self.lex.eaten:
            return i + 4 + (self.word(i + 4) == "ratio")  # "1:10 carbs"
        if word == "of" and self.num(i + 2) is not None and self.lex.time.get(self.word(i + 3)) == "month":
            return i + 4  # "2 of 4 months": how far a course has come
        if before == "(" and word == "left" and self.word(i + 2) == ")":
            return i + 2  # "(2 left)"
        if word in self.lex.grains and self._in_grains(i):
            return i + 2
        if self.lex.time.get(word) in ("hour", "minute") and before in self.lex.infused:
            return i + 2
        if word in self.lex.lengths and self.word(i + 2) in self.lex.ribbons:
            return self._ribbon(i)
        return i + 2 if word in self.lex.cupfuls and before in ("in", "with", "of", "w") else 0

    def _ribbon(self, i: int) -> int:
        """As in "1/2 inch ribbon OU qid": one application, however long the strip is."""
        self.amounts.append(AmountNote(ONE, ONE, self.units.symbol("application") or "application", "count", i, i + 3))
        return i + 3

    def _induction_from(self, i: int) -> int:
        """As in "at 0, 2, 6 wks then q8wks": weeks told before the word for them; 0 where they are none."""
        j = i
        while self.num(j) is not None or self.word(j) in (",", "and"):
            j += 1
        listed = j > i + 1 and self.word(i + 1) in (",", "and") and self.lex.time.get(self.word(j)) == "week"
        return self._induction(i, i) if listed else 0

    def _induction(self, i: int, j: int) -> int:
        """Doses that are closer together at first."""
        raise NotImplementedError

    def _days_of_a_cycle(self, i: int) -> bool:
        """As in "daily 21 of 28 days" or "4 of 6 weeks": on so many in a row of so many."""
        days, cycle = self.num(i), self.num(i + 2)
        return days is not None and cycle is not None and days[1] < cycle[0] and self.lex.time.get(self.word(i + 3)) in _IN_DAYS

    def _row(self, i: int) -> int:
        """Past "21 of 28 days": on so many days one after the other."""
        days = self.num(i)
        assert days is not None
        self.rows.append(days[1] * _IN_DAYS[self.lex.time[self.word(i + 3)]])
        return i + 4

    def _held_in(self, i: int, num: Range) -> int:
        """As in "160/5 10 mL": so much in so many mL, where it is sold so and a volume is taken; 0 where it is none."""
        per, volume = self.num(i + 2), self.units.symbol("mL")
        of_one = per is None and self.word(i + 2) == "ml"
        if self.word(i + 1) != "/" or num[0] != num[1] or self.amounts or volume is None:
            return 0
        in_one = self._activity_in_one(num) if of_one else None
        if in_one is not None:
            self.amounts.append(AmountNote(num[0], num[0], in_one, "concentration", i, i + 3))
            return i + 3  # "100/mL 15 units" of insulin
        much = ONE if of_one else per[0] if per is not None and per[0] == per[1] else None
        if not much:  # nothing is held in no volume
            return 0
        if not self._volume_follows(i + 3):
            return self._a_whole_pen(i, num[0], much, i + 3)
        if not (of_one or much in _SPOONS):
            return 0
        unit = self.unit_of(num[0] / much, True, True) or self.unit_of(num[0], True, True)
        if unit is None:
            return 0
        self.amounts.append(AmountNote(num[0], num[0], unit, "concentration", i, i + 3, Quantity(much, volume)))
        return i + 3

    def _given_off(self, i: int, num: Range) -> int:
        """As in "0.2/24h patch": what a patch gives off in a day, as it is sold; 0 where it is none."""
        under = self.num(i + 2)
        day = under is not None and set(under) == {_HOURS_OF_A_DAY} and self.lex.time.get(self.word(i + 3)) == "hour"
        if self.word(i + 1) != "/" or not day or num[0] != num[1] or self.amounts or "patch" not in self.words:
            return 0
        unit = self.unit_of(num[0], True, True)
        if unit is None:
            return 0
        self.amounts.append(AmountNote(num[0], num[0], unit, "strength", i, i + 4))
        return i + 4

    def _a_whole_pen(self, i: int, amount: Decimal, much: Decimal, end: int) -> int:
        """As in "40/0.4 q2w", "140/mL", "2.5/3 neb": all that a pen, a syringe or a vial holds, and in how many mL it is; 0 where
        it is not sold so, or where another amount is told."""
        end += self.word(end) == "ml"
        if any(self.num(k) and self._unit(k + 1) for k in range(end, len(self.words))):
            return 0
        in_ml = self.word(end - 1) == "ml" or in_parts(much)  # "40/2" may be two pens
        whole = {q.unit for q in self.unit_of.single_doses if q.value == amount and in_ml}
        drawn = not whole and self.unit_of.only_injected and much < _MOST_OF_A_PEN and not self.unit_of.single_doses
        nebulized = self.unit_of.inhaled and much == _ML_OF_A_VIAL and not {"neb", "nebs", "nebulizer"}.isdisjoint(self.words)
        if drawn or nebulized:
            unit = self.unit_of(amount / much if drawn else amount, True, True) or (_WEIGHED if nebulized else None)
            whole = {unit} if unit else set()
        if len(whole) != 1:
            return 0
        self.amounts.append(AmountNote(amount, amount, whole.pop(), "mass", i, end))
        return end

    def _activity_in_one(self, num: Range) -> str | None:
        """The unit of an insulin's strength told without one, "100/mL"; None for what is not given by units."""
        unit = self.unit_of(ONE * 20, True, False) if self.unit_of.only_injected and num[0] in self.lex.insulin else None
        return self.units.symbol(f"{unit}/mL") if unit is not None and unit in self.lex.activity.values() else None

    def _volume_follows(self, i: int) -> bool:
        """Whether a volume is told within the next words."""
        for k in range(i, min(i + _FAR, len(self.words))):
            read = self._unit(k + 1) if self.num(k) else None
            if read is not None and read[2] == "volume":
                return True
        return False

    def _before_numbered_days(self, i: int) -> bool:
        """As in "50 d 3-7", "125 d1-21 q28": what stands before is no number of days."""
        num = self.num(i + 1)
        if num is None or self.word(i + 2) in self.lex.counted or self._unit(i + 2) is not None:
            return False
        alone = self.word(i) == "day" and num[0] == num[1] and (self.num(i - 1) or num)[0] > MOST_BARE_UNITS
        return (self.word(i) in _DAYS and num[0] < num[1]) or (self.word(i) == "d" and num[0] == num[1] == ONE) or alone

    def _clock(self, i: int, num: Range) -> int:
        """As in "8 am", "8:30 pm", "at 08:00", "12 noon": a moment of the day; 0 if it is none."""
        if num[0] != num[1]:
            return 0
        military = self._of_four_digits(i)
        if military:
            return military
        if num[0] == NOON and self.word(i + 1) == "noon":
            return i + 1
        j, minutes = i + 1, self.num(i + 2) if self.word(i + 1) == ":" else None
        if minutes:
            j = i + 3
        half = self.word(j) if self.word(j) in ("am", "pm") else ""
        if not half and not minutes and self._between_times(i, num[0]):
            self.slots.append(SlotNote(f"{num[0]}", i, j, None))
            return j  # "9 am 12 3 pm"
        if not half and not (minutes and self.word(i - 1) in ("at", "and", ",")):
            return 0
        if half and not minutes and not self._is_moment(i, j, num[0]):
            return 0
        end = j + bool(half)
        name = f"{num[0]}:{minutes[0] if minutes else 0} {half}"
        self.slots.append(SlotNote(name, i, end, self._moment(i, num[0], minutes[0] if minutes else Decimal(0), half)))
        return end

    def _of_four_digits(self, i: int) -> int:
        """As in "[0900]", "at 2100", "0900, 2100": a moment, where a nought, "at" or another one beside it tells so."""
        raw = self.raws[i]
        if (
            len(raw) != _DIGITS_OF_A_CLOCK
            or not raw.isdecimal()
            or int(raw[:2]) >= 2 * NOON
            or int(raw[2:]) >= 60
            or int(raw) % 5
        ):
            return 0
        before = self.slots[-1] if self.slots else None
        beside = before is not None and before.end >= i - 1 and before.on_the_clock
        of_hours = self.lex.time.get(self.word(i + 1)) == "hour"
        if not (raw[0] == "0" or self.word(i - 1) in ("at", "q") or beside or of_hours):
            return 0
        at = int(raw[:2]) * 60 + int(raw[2:])
        self.slots.append(SlotNote(raw, i, i + 1 + of_hours, Window(at, at), on_the_clock=True))
        return i + 1 + of_hours

    def _between_times(self, i: int, hour: Decimal) -> bool:
        before = self.slots[-1] if self.slots and self.slots[-1].end == i else None
        after = self.num(i + 1) is not None and self.word(i + 2) in ("am", "pm")
        return before is not None and before.name not in PARTS_OF_DAY and after and 1 <= hour <= NOON

    def _is_moment(self, i: int, j: int, hour: Decimal) -> bool:
        """Not in "40 am 20 pm", "1 am, 2 hs": there the number is what is taken."""
        if not 1 <= hour <= NOON or hour != hour.to_integral_value():
            return False
        before = self.slots[-1] if self.slots and self.slots[-1].end >= i - 2 else None
        if before is not None and self.word(i - 1) != "at":
            return before.name not in PARTS_OF_DAY or not any(a.end == before.start for a in self.amounts)
        if self.word(i - 1) == "at":
            return True
        k = j + 1 + (self.word(j + 1) in (",", "and", ";"))
        beside, after = self.num(k), self.find(k + 1)
        counts = beside is not None and found_is(after, "slot") and hour <= MOST_AT_ONCE and beside[1] <= MOST_AT_ONCE
        return not counts

    def _moment(self, i: int, hour: Decimal, minute: Decimal, half: str) -> Window | None:
        """The minute of the day; None for one that may be in either half of it: "5:00", but not "05:00" or "17:00"."""
        if hour != hour.to_integral_value() or not 0 <= minute < 60:
            return None
        if half:
            at = (int(hour) % NOON + (NOON if half == "pm" else 0)) * 60 + int(minute)
            return Window(at, at) if 1 <= hour <= NOON else None
        sure = self.raws[i].startswith("0") or NOON < hour < 24
        at = int(hour) * 60 + int(minute)
        return Window(at, at) if sure else None

    def _number_of_time(self, i: int, num: Range) -> int:
        word, after = self.word(i + 1), self.word(i + 2)
        unit = self.lex.time.get(word)
        other = self._on_and_off(i) or self._most_in_hours(i, num)
        if other:
            return other
        if word in self.lex.hourly or (unit == "hour" and after in self.lex.hourly):
            if num[0] <= 0:
                return i
            return self._note_often(24 / Fraction(num[1]), 24 / Fraction(num[0]), i, i + 2, num)
        locked = self.find(i + 2)
        if locked is not None and locked[1] == "lockout":
            self.as_needed.append(i)
            return locked[0]  # "10 min lockout"
        if after == "later" and unit == "hour" and self.slots:
            self.slots.append(SlotNote(after, i, i + 3, None))
            return i + 3  # "4.5 g at bedtime and 4.5 g 2.5 h later"
        if after in self.lex.before_after:
            return i + 3 + self._is_another(i + 3)  # "30 minutes before a meal", "… before lasix"
        lasts = unit == "hour" and num[0] == num[1] and num[0] in (12, 24)
        first = i == 0 and found_is(self.find(i + 2), "often", "daily", "slot")  # "Zyrtec-D 12 hr bid"
        if (lasts and (self.num(i + 2) or first)) or after in self.lex.forms:
            self.release.append("extended-release")  # "24 HR … 25 MG Extended Release Tablet"
            return i + 2
        days = COURSE_DAYS.get(unit or "day")
        if days is not None and (num[0] > 1 or unit != "day" or self._period(i + 2) is not None):
            return self._days_told(i, i + 2, num[1] * days)
        return i

    def _is_another(self, i: int) -> bool:
        """Whether a word tells nothing of dosing: behind "30 min before" it is what else is taken or done."""
        word = self.word(i)
        plain = word[:1].isalpha() and self.num(i) is None and not self.starts(i) and not self._special(i)
        return plain and self._unit(i) is None and word not in self.lex.time

    def _most_in_hours(self, i: int, num: Range) -> int:
        """As in "4-hr limit 24 mg": the most in so many hours, and so in a day; 0 where that is not told."""
        found = self.find(i + 2)
        if not found_is(found, "most") or found is None or self.lex.time.get(self.word(i + 1)) != "hour" or num[0] != num[1]:
            return 0
        j = found[0]
        while self.word(j) in self.lex.between_most or self.word(j) == ":":
            j += 1
        value, read = self.num(j), self._unit(j + 1)
        told = {a.unit for a in self.amounts if a.kind == "mass"}
        if read is None and value is not None and len(told) == 1 and self.word(j + 1) in ("", ",", ";", ")"):
            read = j + 1, told.pop(), "mass"  # "1 mg q10min lockout, 4h max 20"
        if value is None or read is None or not 0 < num[0] <= _HOURS_OF_A_DAY:
            return 0
        self.day_max.append((Quantity(value[1] * _HOURS_OF_A_DAY / num[0], read[1]), i, read[0]))
        return read[0]

    def _product(self, i: int, num: Range) -> int:
        """As in "2 x 10 mL" is 20 mL in one dose; "1 x 500 mg tablet" is one tablet of 500 mg."""
        second = self.num(i + 2)
        if self.word(i + 1) != "x" or second is None or second[0] != second[1]:
            return 0
        read = self._unit(i + 3)
        if read is None:
            return 0
        end, unit, kind = read
        if kind == "count":
            return self._of_that_strength(i, num, second, (end, unit))
        if self._form_follows(end) in UNIT_FORMS:
            self.amounts.append(AmountNote(num[0], num[1], "", "bare", i, i + 2))
            return i + 2
        self.amounts.append(AmountNote(num[0] * second[0], num[1] * second[0], unit, kind, i, end))
        return end

    def _of_that_strength(self, i: int, num: Range, pieces: Range, counted: tuple[int, str]) -> int:
        """As in "40 x4 caps": what one holds, where it is sold so, and how many; nobody counts pieces twice."""
        unit = self.unit_of(num[0], True, True) if num[0] == num[1] and not self.amounts else None
        if unit is None:
            return self._give_up(i, counted[0])
        self.amounts.append(AmountNote(num[0], num[0], unit, "strength", i, i + 1))
        self.amounts.append(AmountNote(*pieces, counted[1], "count", i + 2, counted[0]))
        return counted[0]

    def _by_needle(self, i: int, num: Range) -> int:
        """As in "dilaudid 0.5 IV", "vanc 1 IV": a number right before a way of injecting is no count of pieces, but an amount as
        it is sold for that; into a vein it is unread where that is not certain."""
        found = self.find(i + 1)
        into = found[2] if found is not None and found[1] == "route" else ""
        if self.unit_of.of_the_nose and self.raws[i + 1 : i + 2] == ["IN"] and not self.amounts:
            self.lone.append((num, i))
            return self._give_up(i, i + 1)  # "narcan 2 IN"
        of_number = self.unit_of.by_needle
        if into not in KINDS_OF_PARENTERAL or of_number is None or self.amounts or self.unit_before or self._behind_unread(i):
            return 0
        units = {of_number(value) for value in num}
        unit = units.pop() if len(units) == 1 else None
        if unit is not None:
            self.amounts.append(AmountNote(num[0], num[1], unit, "mass", i, i + 1))
            return i + 1
        if into not in _NOT_AS_A_PEN:
            return 0
        self.lone.append((num, i))
        return self._give_up(i, i + 1)

    def _half_of_one(self, i: int, num: Range) -> int:
        """As in "half a 40", "1/2 of a 25": half a piece of that strength; 0 where it is none that is sold."""
        at = i + 1 + (self.word(i + 1) == "of")
        held = self.num(at + 1)
        of_one = num == (_IN_HALVES, _IN_HALVES) and self.word(at) in ("a", "an") and not self.amounts
        if not of_one or held is None or held[0] != held[1]:
            return 0
        unit = None if self._unit(at + 2) else self.unit_of(held[0], True, True)
        if unit is None:
            return 0
        self.amounts.append(AmountNote(held[0], held[0], unit, "strength", at + 1, at + 2))
        self.amounts.append(AmountNote(num[0], num[1], "", "bare", i, i + 1))
        return at + 2

    def _amount(self, i: int, num: Range) -> int:
        """An amount that starts with the number at i; 0 where no unit can be read."""
        j = i + 1
        if num[0] < 1:
            while self.word(j) in self.lex.before_noun:
                j += 1
        if self.word(j) == "%":
            if num[1] > _WHOLE:
                return self._give_up(i, j + 1)
            self.amounts.append(AmountNote(num[0], num[1], "%", "percent", i, j + 1))
            return j + 1
        counted = self._counted_form(j)
        if counted > j and self.word(i - 1) != "/":
            return self._count(i, counted, num)
        named = self._strength_of_form(i, j, num)
        if named:
            return named
        read = self._unit(j)
        if read is None:
            return self._puff_in_short(i, j, num) or self._weight_of_the_patient(i)
        end, unit, kind = read
        if num[1] > num[0] * WIDEST_RANGE and kind == "mass":
            return self._give_up(i, end)
        if kind == "count":
            if num[1] > _MOST_PUFFS and found_is(self.find(j), "route"):
                return 0  # "110 inh 2 puffs"
            if self.word(i - 1) == "/":
                return self._give_up(i, i + 1)  # "5/500 tablet"
            injected = unit == "injection" and num[0] == num[1] and num[0] != num[0].to_integral_value()
            return self._shot(i, j, num) if injected else self._count(i, j, num)
        return self._measured(AmountNote(num[0], num[1], unit, kind, i, end))

    def _puff_in_short(self, i: int, j: int, num: Range) -> int:
        """As in "2p bid" of what is inhaled: puffs, where how often follows; "at 2p" is an hour; 0 where it is none."""
        often = found_is(self.find(j + 1), "often", "daily", "as needed") or self.word(j + 1) in ("q", "every")
        short = self.lex.puff_in_short.get(self.word(j))
        if short is None or not self.unit_of.inhaled or self.word(i - 1) == "at" or num[1] > MOST_BARE_UNITS or not often:
            return 0
        self.amounts.append(AmountNote(num[0], num[1], short, "count", i, j + 1))
        return j + 1

    def _on_lettered_days(self, i: int) -> bool:
        """Whether days by their letters begin here, between strokes, the second of them later in the week."""
        day, later = (self.lex.day_letters.get(self.word(k)) for k in (i, i + 2))
        if day is None or later is None or self.word(i + 1) != "/":
            return False
        return self.lex.week.index(day) < self.lex.week.index(later)

    def _weight_of_the_patient(self, i: int) -> int:
        """As in "5 mL tid (10.5 kg)": never a dose; 0 where it is none."""
        weighed = (
            bool(self.amounts) and self.word(i - 1) in _OPENS and self.units.symbol(self.raws[i + 1]) == "kg"
            if (i + 1 < len(self.raws))
            else False
        )
        return i + 2 if weighed and self.word(i + 2) in ("", ")", ",", ";", ".") else 0

    def _in_grains(self, i: int) -> bool:
        """As in "60 mg (1 grain)", "1 grain (60 mg)": whether it is told in milligrams as well."""
        before = bool(self.amounts) and self.amounts[-1].kind in ("mass", "strength") and self.word(i - 1) in _OPENS
        read = self._unit(i + 4) if self.word(i + 2) == "(" and self.num(i + 3) else None
        return before or (read is not None and read[2] == "mass")

    def _shot(self, i: int, j: int, num: Range) -> int:
        """As in "0.25 shot": a part of a shot is no count, but an amount as it is sold, or unread."""
        unit = self.unit_of(num[0], True, True)
        if unit is None:
            return self._give_up(i, j + 1)
        self.amounts.append(AmountNote(num[0], num[1], unit, "mass", i, j + 1))
        return j + 1

    def _strength_of_form(self, i: int, j: int, num: Range) -> int:
        """As in "ranolazine 500 tabs", "gabapentin 300 cap": what one of the form holds, where it is sold so."""
        form = self._form_follows(j)
        if num[0] != num[1] or form not in UNIT_FORMS or self.amounts:
            return 0
        many = num[1] > MOST_BARE_UNITS
        if not many and self.raws[j].lower() not in self.lex.one_of_a_form:
            return 0
        unit = self.unit_of(num[1], True, "." in self.raws[i])
        counted, no_number = many and self._counts(self._past_form(j)), self._is_no_number_of(i, j, num[1])
        if no_number and form in RELEASED_OVER_TIME and not _LEAST_OF_A_PATCH <= num[1] <= _MOST_OF_A_RARE_ONE:
            return self._give_up(i, j)  # "fentanyl 50 patch": 50 of what?
        if unit is None or not (counted or no_number):
            return 0
        self.amounts.append(AmountNote(num[0], num[1], unit, "strength", i, j))
        return j

    def _is_no_number_of(self, i: int, j: int, number: Decimal) -> bool:
        """Whether nobody takes so many of one form, told in the singular ("50 tab", "4 odt"); "take 5 tab" may be taken."""
        if i - 1 in self.verbs or self.raws[j].lower() not in self.lex.one_of_a_form:
            return False
        rare = self.raws[j].lower() in self.lex.rarely_several
        return number > MOST_BARE_UNITS or number % _IN_HALVES != 0 or (rare and number > _MOST_OF_A_RARE_ONE)

    def _past_form(self, i: int) -> int:
        while found_is(self.find(i), "form", "release", "route", "verb") or self.word(i) in _MARKS:
            found = self.find(i)
            i = found[0] if found else i + 1
        return i

    def _counts(self, i: int) -> bool:
        """Whether a number tells how many are taken, not how often or how long."""
        num = self.num(i)
        after = self.word(i + 1)
        return num is not None and num[1] <= MOST_BARE_UNITS and after not in self.lex.times and after not in self.lex.time

    def _counted_form(self, j: int) -> int:
        """Past the words between a number and what is counted ("2 extended release tablets"); j if there are none."""
        k = j
        while k < j + 5:
            found = self.find(k)
            if found is None or found[1] not in ("release", "route") or self.word(k) in self.lex.counted:
                break
            k = found[0]
        return k if k > j and self.word(k) in self.lex.counted and self.word(k) in self.lex.forms else j

    def _count(self, i: int, at: int, num: Range) -> int:
        """As in "2 tablets": a count; "2 (extended release) tablets" tells the form too; "1 tablet a day" is once daily."""
        read = self._unit(at)
        assert read is not None
        end, unit, _ = read
        for k in range(i + 1, at):
            found = self.find(k)
            if found and found[1] in ("release", "route"):
                getattr(self, "_on_" + found[1])(k, found[0], found[2])
        if self.word(at) in self.lex.forms and unit != "injection":
            self.forms.append((self.lex.forms[self.word(at)], at))
        part, end = self._and_a_part(num, end, unit)
        amount = AmountNote(num[0] + part, num[1] + part, unit, "count", i, end)
        return self._per_day(amount) or self._close(amount)

    def _and_a_part(self, num: Range, end: int, unit: str) -> tuple[Decimal, int]:
        """As in "one tablet and a half", "1 tab and 1/2 tab": the part, and where it ends; nothing added where none stands."""
        j = end + 1 + (self.word(end + 1) == "a")
        part = self.num(j)
        if self.word(end) != "and" or part is None or not part[0] == part[1] < 1 or num[0] != num[0].to_integral_value():
            return Decimal(0), end
        again = self._unit(j + 1)
        if again is not None and again[1] != unit:
            return Decimal(0), end
        return part[0], again[0] if again else j + 1

    def _per_day(self, amount: AmountNote) -> int:
        """As in "40 mg/day", "2 tablets a day", "3 g per 24 hours"; one of a thing a day is one dose, once a day."""
        if self.word(amount.end) == "daily" or self.word(amount.end) in ("each", "every", "q"):
            return 0
        total = self.word(amount.end) in self.lex.total
        period = self._period(amount.end + total)
        if period is None or period[1] != (DAY, DAY):
            return 0
        if amount.low == amount.high <= 1 and amount.kind in ("count", "bare"):
            self.amounts.append(amount)
            return self._note_often(DAY, DAY, amount.end, period[0])
        amount.kind, amount.end = "per_day", period[0]
        self.amounts.append(amount)
        return period[0]

    def _per_week(self, amount: AmountNote) -> int:
        """As in "15 mg/week": one dose of what is taken once a week; of anything else it is not told in how many doses."""
        period = self._period(amount.end)
        if period is None or period[1] != (7 * DAY, 7 * DAY) or not self.unit_of.once_a_week or amount.kind != "mass":
            return 0
        self.amounts.append(amount)
        return self._note_often(DAY / 7, DAY / 7, amount.end, period[0])

    def _measured(self, amount: AmountNote) -> int:
        """A mass or volume: with what stands under the stroke, and whether a form makes it a strength."""
        done = self._per_day(amount) or self._per_week(amount)
        if done:
            return done
        amount.end += self.word(amount.end) in self.lex.counted_in and self.word(amount.end + 1) in ("/", "per")  # "mg PE/kg"
        if self.word(amount.end) == "/" or self._is_per(amount.end):
            return self._over(amount)
        if (self.word(amount.end) in self.lex.total and self.word(amount.end + 1) == "daily" and not self.amounts) or (
            self.word(amount.end) == "daily" and self.word(amount.end + 1) in self.lex.total
        ):
            amount.kind, amount.end = "per_day", amount.end + 2
        elif amount.kind == "mass":
            form = self._form_follows(amount.end)
            if form in UNIT_FORMS or form in METERED_FORMS:
                amount.kind = "strength" if amount.low == amount.high else "unclear"
        return self._close(amount)

    def _is_per(self, i: int) -> bool:
        """Whether "per" and a unit follow; "10 mL per G tube" says by which route."""
        alone = self.find(i) is None or found_is(self.find(i), "glue")
        return self.word(i) == "per" and alone and self._under(i + 1) is not None

    def _close(self, amount: AmountNote) -> int:
        """Join "5 mg to 10 mg" into one, and note "total" or "each"; a maximum told afterwards makes it unclear."""
        word = self.word(amount.end)
        if word in ("to", "or", "-") and amount.low == amount.high:
            num, read = self.num(amount.end + 1), self._unit(amount.end + 2)
            if num and read and read[1] == amount.unit and amount.high < num[1] <= amount.high * WIDEST_RANGE:
                amount.high, amount.end = num[1], read[0]
                if amount.kind == "mass" and self._form_follows(amount.end) in UNIT_FORMS:
                    amount.kind = "unclear"  # "10 mg-20 mg tablet" is a combination
        if self.word(amount.end) in self.lex.total:
            amount.note, amount.end = "total", amount.end + 1
        elif self.word(amount.end) == "each" and not self._each_place_or_time(amount.end + 1):
            amount.note, amount.end = "each", amount.end + 1
        elif self.word(amount.end) in ("max", "maximum") and not self._max_ahead(amount.end):
            amount.kind, amount.end = "unclear", amount.end + 1
        self.amounts.append(amount)
        return amount.end

    def _each_place_or_time(self, i: int) -> bool:
        """As in "Each nostril", "each morning", "each HD": not "500 mg each"."""
        found = self.find(i)
        if found_is(self.find(i - 1), "nothing"):
            return True
        place = f"each {self.word(i)}" in self.lex.each_place
        return place or self.word(i) in self.lex.time or found_is(found, "slot", "weekday", "meals")

    def _max_ahead(self, i: int) -> bool:
        found = self.find(i)
        j = found[0] if found else i + 1
        while self.word(j) in self.lex.between_most or self.word(j) == ":":
            j += 1
        return self.num(j) is not None

    def _under(self, i: int) -> tuple[int, Decimal, str, str] | None:
        """What stands under the stroke: where it ends, number, unit, kind (count volume mass weight dose hour)."""
        num, j, value = self.num(i), i, ONE
        if num:
            if num[0] != num[1] or num[0] <= 0:
                return None
            value, j = num[0], i + 1
        word = self.word(j)
        if word in self.lex.doses:
            return j + 1, value, "dose", "dose"
        per_time = _RATES.get(self.lex.time.get(word, ""))
        if per_time is not None and value == 1:
            return j + 1, value, per_time, "hour"
        if word and self.units.symbol(self.raws[j]) == "kg":
            return (j + 1, value, "kg", "weight") if value == 1 else None
        area = 2 if word == "m" and self.num(j + 1) == (Decimal(2), Decimal(2)) else 0
        if area or (word in ("square", "sq") and self.word(j + 1) in ("m", "meter", "metre", "meters")):
            return (j + 2, value, "m2", "weight") if value == 1 else None
        read = self._unit(j)
        if read is None:
            return self._in_a_pen(j, value)
        return read[0], value, read[1], read[2]

    def _in_a_pen(self, i: int, value: Decimal) -> tuple[int, Decimal, str, str] | None:
        """As in "40 mg/0.4 pen": that many mL."""
        volume = self.units.symbol("mL")
        found = self.find(i)
        if not 0 < value < 1 or volume is None or found is None or found[1:] != ("form", "injection"):
            return None
        return i, value, volume, "volume"

    def _over(self, amount: AmountNote) -> int:
        """As in "10 mg/mL", "160 mg/5 mL", "90 mcg/actuation", "15 mg/kg"; anything else ("5 mg/325 mg") is not read."""
        under = self._under(amount.end + 1)
        if under is not None and under[3] == "mass" and self.word(under[0]) in self.lex.eaten:
            return under[0] + 1  # "1 unit per 8 g carbs"
        if under is None or (amount.low != amount.high and under[3] not in ("weight", "hour")):
            end = amount.end + 1
            while end < len(self.words) and (self.num(end) or self.word(end) == "/" or self._unit(end)):
                end += 1
            return self._give_up(amount.start, end)
        end, value, unit, kind = under
        amount.end = end
        if kind == "dose" and value == 1:
            return self._close(amount)
        if kind in ("weight", "hour") or (kind == "mass" and value != 1):
            return self._weight_or_rate(amount, unit, kind)
        if kind == "count" and value == 1 and unit not in ACTUATIONS:
            amount.kind = "strength"
        elif value == 1:
            top = f"{amount.unit}/{unit}"
            amount.unit, amount.kind = self.units.symbol(top) or top, "concentration"
        else:
            amount.kind, amount.per = "concentration", Quantity(value, unit)
        return self._close(amount)

    def _weight_or_rate(self, amount: AmountNote, unit: str, kind: str) -> int:
        top = self.units.symbol(f"{amount.unit}/{unit}")
        if kind == "mass" or top is None:
            return self._give_up(amount.start, amount.end)
        amount.unit, amount.kind = top, "weight" if kind == "weight" else "per_hour"
        if kind == "weight":
            done = self._per_day(amount)
            if done:
                return done
            if self.word(amount.end) in ("/", "per"):
                rate = self.units.symbol(f"{top}/{_RATES.get(self.lex.time.get(self.word(amount.end + 1), ''), '?')}")
                if rate is not None:
                    amount.unit, amount.kind = rate, "per_hour"
                elif self.word(amount.end + 1) not in self.lex.doses:
                    return self._give_up(amount.start, min(amount.end + 2, len(self.words)))
                amount.end += 2
        return self._close(amount)

    def _bare(self, i: int, num: Range) -> int:
        """A number alone, "1 po bid": that many units of the form; only where it stands like one, and is small."""
        j = i + 1
        if self.unit_before and i - 1 not in self.unread and self._goes_on(j):
            unit, kind, before = self.unit_before
            if kind == "count" or before <= num[0] * WIDEST_RANGE <= num[1] * WIDEST_RANGE <= before * WIDEST_RANGE**2:
                self.amounts.append(AmountNote(num[0], num[1], unit, kind, i, j))
                return j  # "40 mg … then 20": of what was told before
        sold = self._as_sold(i, num)
        if sold:
            return sold
        loose = i == 0 or (self.joined_at != i and i - 1 not in self.unread)
        counted_after = self.num(j) is not None and self.word(j + 1) in self.lex.times  # "800 six times a day"
        if num[1] > MOST_BARE_UNITS and loose and (self._goes_on(j) or counted_after):
            self.lone.append((num, i))
        if not 0 < num[1] <= MOST_BARE_UNITS or self._behind_unread(i):
            return i
        if self._no_count(i, num):
            if loose and self._goes_on(j):
                self.lone.append((num, i))
            return i
        amount = AmountNote(num[0], num[1], "", "bare", i, j)
        done = self._per_day(amount)
        if done:
            return done
        if i and self.joined_at == i and self.word(i - 1) not in self.lex.before_bare:
            return i
        if not self._goes_on(j):
            return i
        self.amounts.append(amount)
        return j

    def _behind_unread(self, i: int) -> bool:
        """Whether the word before was not understood, and may be what is counted; "baby", "home" and the like are not."""
        return i - 1 in self.unread and self.words[i - 1] not in self.lex.asides

    def _no_count(self, i: int, num: Range) -> bool:
        """As in "xopenex 0.63 q6h", "Ampyra 10 q12h": more, or another part of one, than anybody takes unless told to."""
        if self._is_patch() and num[1] > _MOST_OF_A_RARE_ONE:
            return True  # "butrans patch 10 weekly"
        if self.unit_before or i - 1 in self.verbs or self.forms:
            return False
        if not self.amounts and all(map(self.unit_of.may_be_strength, num)):
            return True
        return num[1] > MOST_UNTOLD or ("." in self.raws[i] and num[0] not in PARTS_TAKEN)

    def _is_patch(self) -> bool:
        """Whether a patch was told before."""
        return any(form.endswith("patch") for form, _ in self.forms)

    def _as_sold(self, i: int, num: Range) -> int:
        """As in "40 bid" of what is sold with 40 mg: an amount in that unit; 0 where the number may be anything else."""
        j = i + 1
        second = self._second_of_two(i)
        joined = self.joined_at == i and i and not self._may_join(self.word(i - 1)) and not self._behind_a_part_of_day(i)
        while found_is(self.find(j), "release") or self.word(j) in self.lex.bought:
            j += 1  # "81 EC daily", "10 OTC qd"
        j += self.word(j) == ":" and self._counted_next(j + 1)  # "500: 2 qam"
        follows = self._goes_on(j) or self._counted_next(j) or (self.alternating and self.word(j) == "/") or self._added(j)
        if self._behind_unread(i) or (joined and not second) or not follows:
            return 0
        said = (bool(self.word(j)) or self.part) and self.word(j) not in _STOPS
        said = said and not self._is_patch()  # of a patch several are not put on to make up a dose
        decimal = second or ("." in self.raws[i] and num[0] == num[1])
        units = {self.unit_of(value, said, decimal) for value in num}
        unit = units.pop() if len(units) == 1 else self._unit_of_a_range(num, said)
        if unit is None:
            return self._give_up(i, i + 1) if second and self._slot_next(i + 1) else 0
        of_a_patch = num[0] == num[1] < 1 and self._is_patch()  # "patch 0.05 twice weekly"
        self.amounts.append(AmountNote(num[0], num[1], unit, "strength" if of_a_patch else "mass", i, i + 1))
        return i + 1

    def _unit_of_a_range(self, num: Range, said: bool) -> str | None:
        """As in "haldol 2-5 q6h": both are strengths of one piece, and the higher one is no count."""
        low, high = num
        return self.unit_of(high, said, False) if low < high and self.unit_of.may_be_strength(low) else None

    def _behind_a_part_of_day(self, i: int) -> bool:
        """As in "100 qam / 250 qhs", "5 MWF / 2.5 TTSS": a stroke between two times, each with its own dose."""
        of_days = any(found is not None and found[0] == i - 1 for found in map(self.find, self.weekday_at))
        return self.word(i - 1) == "/" and (of_days or any(slot.end == i - 1 for slot in self.slots))

    def _second_of_two(self, i: int) -> bool:
        """As in "4 qam, 2 qhs": a number behind an amount that has its own part of the day, so that it is no count of those."""
        before = self.amounts[-1] if self.amounts else None
        if before is None or before.kind != "mass" or self.word(i - 1) not in _BETWEEN_TIMES:
            return False
        return any(slot.start == before.end and slot.end == i - 1 for slot in self.slots)

    def _slot_next(self, i: int) -> bool:
        return found_is(self.find(i), "slot")

    def _may_join(self, word: str) -> bool:
        """Whether behind this joining word a number alone may be a dose."""
        plain = word in self.lex.before_bare or word in _ADDING or word == "to"
        return plain or (self.alternating and word in ("with", "/"))

    def _added(self, i: int) -> bool:
        """As in "150 + 75 = 225 mg"."""
        return self.word(i) in _ADDING and self.num(i + 1) is not None

    def _counted_next(self, i: int) -> bool:
        """As in "10 1 po daily", "800 six times a day": the strength, and then how many or how often."""
        num = self.num(i)
        if num is None:
            return False
        a_day = self._period(i + 1) is not None
        counted = self.word(i + 1) in self.lex.times or (num[1] <= MOST_AT_ONCE and (a_day or self._goes_on(i + 1)))
        puffs = self.unit_of.inhaled and self.word(i + 1) in self.lex.puff_in_short  # "110 2p bid"
        return counted or puffs or self._unit(i + 1) is not None

    def _days_follow(self, i: int) -> bool:
        """As in "10 days 1-21", "100 30 min before breakfast", "125 21 on 7 off", "10 8a & noon"."""
        if self.num(i) is not None and self.word(i + 1) == "on" and "off" in self.words[i + 2 : i + 6]:
            return True
        if self.num(i) is not None and self.word(i + 1) in ("am", "pm") and "at" not in self.words[i : i + 1]:
            return any(found_is(self.find(k), "slot") or self.word(k) in ("am", "pm") for k in range(i + 2, i + 6))
        if self.word(i) in _DAYS:
            return self.num(i + 1) is not None
        return self.num(i) is not None and self.word(i + 1) in self.lex.time and self.word(i + 2) in self.lex.before_after

    def _goes_on(self, i: int) -> bool:
        """Whether word i could follow a bare number: the end, a known phrase, or a strength ("2 500 mg tablets")."""
        word = self.word(i)
        if not word or word in self.lex.after_bare or word in self.lex.adverbs or self._days_follow(i):
            return True
        if word in self.lex.asides and self.find(i) is None and len(word) >= _LEAST_ASIDE and word not in self.lex.refused:
            return self._goes_on(i + 1)  # "25 crushed q12"
        if self.num(i):
            if self.word(i + 1) in self.lex.times:
                return True  # "2 3x/week"
            read = self._unit(i + 1)
            return read is not None and self._form_follows(read[0]) in UNIT_FORMS
        found = self.find(i)
        return found is not None and found[1] in CLAUSE_KINDS
