"""How often and for how long: "every 4 to 6 hours", "twice a day", "x 7 days"."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from math import ceil

from safety.reading.directions.galenic import COURSE_DAYS, FEWEST_DAYS, PERIOD_DAYS
from safety.reading.directions.notes import DAY, ONE, AmountNote, Days, Notes, RateNote, found_is
from safety.reading.directions.tokens import Range

_HOURS_OF_A_DAY = 24
_NEARLY_ONE = Fraction(9, 10)
"""A month is told in days as it is meant: 28 to 31."""
_FOUR_DIGITS = re.compile(r"[012]\d[0-5][05]\Z")
_FIVE = (Decimal(5), Decimal(5))
_LONGEST_OCCASION = 4
_MOST_PIECES = 6
"""So many of one strength are told behind an "x", at most."""
_LONGEST_COURSE = 14
"""Days of what "day 3 of 10" is told; a cycle of treatment is longer."""


class Timing(Notes):
    """Reads the phrases that tell a frequency or a length of time."""

    def _note_often(self, low: Fraction, high: Fraction, i: int, end: int, hours: tuple[Decimal, Decimal] | None = None) -> int:
        self.often.append(RateNote(low, high, i, end, hours))
        return end

    def _every_minutes(self, i: int, end: int) -> int:
        """Every so many minutes, which is no frequency by itself."""
        return self._give_up(i, end)

    def _every(self, i: int) -> int:
        """As in "Every 4 to 6 hours", "q6h", "every other day", "every 3rd day"; "every morning" is left to the morning."""
        on_the_clock = self.word(i) == "q" and self.raws[i + 1 : i + 2] != [] and _FOUR_DIGITS.match(self.raws[i + 1])
        if on_the_clock or (self.num(i + 1) is not None and self.word(i + 2) in ("am", "pm")):
            return i + 1  # "q2pm", "every 8 am", "Q0600"
        if self.word(i) == "q" and self.num(i + 1) == _FIVE and self.word(i + 2) == "x":
            return self._every_minutes(i, i + 2)  # "0.4 q5 x3"
        j, num = self._how_many(i + 1)
        unit = self._unit_of_time(i, j)
        if unit is None and self._hours_untold(i, j, num):
            return self._note_often(24 / Fraction(num[1]), 24 / Fraction(num[0]), i, j, num)  # "q12"
        found = self.find(j)
        if unit is None and found is not None and found[1] == "slot" and num[0] == 2:
            unit, j = "day", found[0] - 1
        if unit is None or unit == "minute" or num[0] <= 0:
            return self._no_period(i, j, num, unit)
        shortest, longest = PERIOD_DAYS[unit]
        low, high = 1 / (longest * Fraction(num[1])), 1 / (shortest * Fraction(num[0]))
        return self._note_often(low, high, i, j + 1, num if unit == "hour" else None)

    def _how_many(self, j: int) -> tuple[int, Range]:
        """How many of a period, "4 to 6", "3rd", "other": where that ends, and one where nothing is told."""
        told = self.num(j)
        if told:
            return j + 1 + (self.word(j + 1) in self.lex.ordinal_ends), told
        if self.word(j) in self.lex.ordinals:
            return j + 1, (Decimal(self.lex.ordinals[self.word(j)]),) * 2
        return j, (ONE, ONE)

    def _of_a_course(self, i: int) -> bool:
        """As in "day 3 of 10": how far a course has come; a cycle has 21 or 28 days."""
        num = self.num(i + 1)
        named = self.lex.time.get(self.word(i + 2)) is not None or self.word(i + 2) in self.lex.cycles
        return self.word(i) in ("of", "/") and num is not None and num[0] == num[1] <= _LONGEST_COURSE and not named

    def _tells_of_a_course(self, j: int) -> bool:
        """Whether a day of so many stands here, and no unit of what is before it ("q8 d3/7", "q12 d4 of 14")."""
        return self.lex.time.get(self.word(j)) == "day" and self.num(j + 1) is not None and self._of_a_course(j + 2)

    def _unit_of_time(self, i: int, j: int) -> str | None:
        """The unit of time at word j; behind "q" and a number a letter more than elsewhere."""
        word = self.word(j)
        if self._tells_of_a_course(j):
            return None
        unit = self.lex.time.get(word) or ("hour" if word in self.lex.hourly else None)
        if unit is None and self.num(i + 1) and self.word(i) == "q":
            return self.lex.after_every.get(word)
        return unit

    def _hours_untold(self, i: int, j: int, num: Range) -> bool:
        """As in "q12", "q6 prn": a number that can only be of hours, with nothing behind it that may be another unit."""
        if self.word(i) != "q" or self.num(i + 1) is None or not set(num) <= self.lex.untold_hours:
            return False  # "q other night" is no "q2"
        ended = (
            not self.word(j)
            or self.word(j) in self.lex.supply | self.lex.asides | self.lex.infused
            or self.raws[j][:1] == "0"
            or self._tells_of_a_course(j)
            or (self.word(j) == "x" and self.num(j + 1) is not None)
        )
        return ended or self.find(j) is not None

    def _no_period(self, i: int, j: int, num: Range, unit: str | None) -> int:
        """Every so many minutes; "every morning", which is left to the morning; anything else is unread."""
        told = self.num(i + 1)
        if unit == "minute" and told and num[0] > 0:
            return self._every_minutes(i, j + 1)
        if not told and num[0] == 1 and found_is(self.find(j), "slot", "weekday", "weekday set", "daily", "meals"):
            return j
        if not told and num[0] == 1 and (self.word(j) in self.lex.adverbs or self.word(j) in self.lex.hourly):
            return j  # "q monthly"
        if not told and num[0] == 1 and self.word(j) in self.lex.day_letters and self.word(j + 1) in ("/", ","):
            return j  # "q M/W/F"
        return self._give_up(i, j + (unit is not None))

    def _period(self, i: int) -> tuple[int, Days, tuple[Decimal, Decimal] | None] | None:
        """As in "A day", "daily", "/24 h", "every 1 to 2 weeks": where it ends, how many days, and hours if so told."""
        word = self.word(i)
        if word in self.lex.adverbs:
            return i + 1, PERIOD_DAYS[self.lex.adverbs[word]], None
        j = i
        while self.word(j) in self.lex.before_period and j < i + 3:
            j += 1
        if j == i or (self.word(j) in ("d", "h") and self.word(j - 1) in self.lex.within):
            return None  # "in D5W" is no day
        num, told = (ONE, ONE), self.num(j)
        if told:
            num, j = told, j + 1
        unit = self.lex.time.get(self.word(j))
        if unit is None or unit == "minute" or num[0] <= 0:
            return None
        shortest, longest = PERIOD_DAYS[unit]
        return j + 1, (shortest * Fraction(num[0]), longest * Fraction(num[1])), num if unit == "hour" else None

    def _times(self, i: int, j: int, num: Range) -> int:
        """N times in a period; j is the word after "times". Without a period nothing is read."""
        period = self._period(j)
        if period is None and self.word(j) in ("day", "week", "wk", "d"):
            period = j + 1, PERIOD_DAYS[self.lex.time[self.word(j)]], None  # "3x day"
        if period is None:
            return i
        if num == (ONE, ONE) and self.word(j) in self.lex.within:
            self.once.append(i)
            return period[0]  # "x1 within 72 h"
        end, (shortest, longest), hours = period
        if num[1] != 1:
            hours = None
        return self._note_often(Fraction(num[0]) / longest, Fraction(num[1]) / shortest, i, end, hours)

    def _adverb_times(self, i: int) -> int:
        low = high = self.lex.adverb_times[self.word(i)]
        j = i + 1
        if self.word(j) in ("to", "or", "-") and self.word(j + 1) in self.lex.adverb_times:
            high, j = self.lex.adverb_times[self.word(j + 1)], j + 2
        elif self.word(j) in ("to", "or", "-") and self.num(j + 1) and self.word(j + 2) in self.lex.times:
            high, j = (self.num(j + 1) or (low, low))[1], j + 3
        done = self._times(i, j, (low, high)) if high >= low else i
        if done > i:
            return done
        found = self.find(j)
        if low == high == 1:
            if self.word(j) in self.lex.before_period and not found_is(found, "slot", "weekday", "nothing"):
                return i  # "once a …": a period that was not understood
            if not found_is(found, "slot"):
                self.once.append(i)
            return j
        return i

    def _period_alone(self, i: int) -> int:
        shortest, longest = PERIOD_DAYS[self.lex.adverbs[self.word(i)]]
        return self._note_often(1 / longest, 1 / shortest, i, i + 1)

    def _course(self, i: int) -> int:
        """As in "For 5 days", "x 7 days", "for up to 10 days": how long; "x 3 daily": how often; "x 1": once."""
        j = self._length_begins(i + 1)
        num = self._number_or_one(j)
        if num is None:
            return i
        resting = self._on_and_off(j) or self._then_off(j)
        if resting:
            return resting
        k = j + (self.num(j) is not None)
        word = self.word(k)
        days = self._days_of_one(word)
        if days is not None:
            return self._days_told(i, k + 1, num[1] * days)
        if self.words[i] == "x" and self.lex.time.get(word) == "hour":
            return self._days_told(i, k + 1, num[1] / _HOURS_OF_A_DAY)  # "q6h x 48h"
        at_amount = (i == 0 or (bool(self.amounts) and self.amounts[-1].end == i)) and word in ("every", "q", "each")
        if self.words[i] != "for" and not at_amount:
            done = self._times(i, k, num)
            if done > i:
                return done
        return self._so_many(i, k, num)

    def _length_begins(self, j: int) -> int:
        """Past "up to", and past words such as "the next"."""
        found = self.find(j)
        if found and found[1] in ("up to", "most"):
            j = found[0]  # "x up to 10 days", "x max 5 d"
        while self.word(j) in ("the", "next", "about", "a", "another", "first"):
            j += 1
        return j

    def _number_or_one(self, j: int) -> Range | None:
        """The number here; one before a length of time alone ("for the next week")."""
        return self.num(j) or ((ONE, ONE) if self.word(j) in self.lex.time else None)

    def _days_of_one(self, word: str) -> Decimal | None:
        """How many days a length of time has; a night counts as a day."""
        night = word in self.lex.nights and word not in self.lex.doses
        return COURSE_DAYS.get(self.lex.time.get(word, "day" if night else ""))

    def _so_many(self, i: int, k: int, num: Range) -> int:
        """A course told by its doses ("q6h x 4 doses", "x 1"), or by a number that may as well be of days ("bid x10")."""
        word = self.word(k)
        rate = self.often[-1].low if self.often else DAY if self._at_one_part_of_the_day(i) else Fraction(0)
        if word in self.lex.doses and num[0] == num[1] and num[0] > 1 and rate > 0:
            return self._days_told(i, k + 1, Decimal(ceil(Fraction(num[0]) / rate)))  # "q6h x 4 doses"
        if word in self.lex.doses and num[0] == num[1] > 1 and not self.often and self.amounts:
            return k + 1  # "20 mEq x2 doses": how many in all, and not how often
        if num == (ONE, ONE) and (word in self.lex.doses or self.words[i] == "x") and self._unit(k) is None:
            self.once.append(i)
            return k + (word in self.lex.doses)
        if self.words[i] == "for" or self._unit(k) is not None:
            return i
        if self._each_of_a_course(i, num):
            return self._days_told(i, k, num[1] / Decimal(min(rate, DAY).numerator) * min(rate, DAY).denominator)
        if self._so_many_of_them(i, k, num) or self._so_many_by_the_hour(i, num) or self._so_many_occasions(i, num):
            return k
        if self.amounts and self.amounts[-1].end == i:
            self.amounts[-1].kind = "unclear"  # "200 mg x 2" may be twice 200 mg
        return self._give_up(i, k)

    def _each_of_a_course(self, i: int, num: Range) -> bool:
        """As in "bid x10", "weekly x3", "q24h x 2": so many days, or doses where one is taken in a day or less often."""
        if num[0] == num[1] >= FEWEST_DAYS and self._at_one_part_of_the_day(i):
            return True
        if not self.often or num[0] != num[1] or (self.amounts and self.amounts[-1].end == i):
            return False
        last = self.often[-1]
        seldom = last.end == i and last.high <= 1 and last.high * _NEARLY_ONE <= last.low and not last.weak
        return seldom or (last.low >= 1 and num[0] >= FEWEST_DAYS)

    def _so_many_by_the_hour(self, i: int, num: Range) -> bool:
        """As in "q8h x 3": three doses or three days, no more than a few either way; for how long stays untold."""
        last = self.often[-1] if self.often else None
        return last is not None and last.end == i and last.hours is not None and num[0] == num[1] and 1 < num[0] < FEWEST_DAYS

    def _so_many_occasions(self, i: int, num: Range) -> bool:
        """As in "each HD x10": on so many of the occasions that are told right before."""
        told = (self.find(k) for k in range(max(0, i - _LONGEST_OCCASION), i))
        return (
            num[0] == num[1] and bool(self.amounts) and any(found_is(f, "nothing") and f is not None and f[0] == i for f in told)
        )

    def _at_one_part_of_the_day(self, i: int) -> bool:
        """As in "qhs x5": taken once a day, at the part of it that was told right before."""
        return not self.often and len(self.slots) == 1 and self.slots[0].end == i

    def _so_many_of_them(self, i: int, k: int, num: Range) -> bool:
        """As in "360 x2 bid", "200 mg x 3 prn", "gummies x2 at bedtime": so many of that strength, where how often is told by a
        word of its own behind it."""
        last = self.amounts[-1] if self.amounts else None
        if num[0] != num[1] or not 1 < num[0] <= _MOST_PIECES or num[0] != num[0].to_integral_value():
            return False
        if last is None and i == 0 and self._often_said(k):
            self.amounts.append(AmountNote(num[0], num[1], "", "bare", i, k))  # what one holds was told with the name
            return True
        if last is None or last.kind not in ("mass", "strength"):
            return False
        past_form = last.end
        while past_form < i and found_is(self.find(past_form), "form", "release", "route"):
            past_form += 1
        if past_form != i or last.low != last.high or not self._often_said(k):
            return False
        last.kind = "strength"
        self.amounts.append(AmountNote(num[0], num[1], "", "bare", i, k))
        return True

    def _often_said(self, i: int) -> bool:
        """Whether a word of its own tells how often, or that it is taken as needed."""
        said = self.find(i + (self.word(i) in ("at", "in", "every", "each")))
        return found_is(said, "often", "slot", "as needed") or (self.word(i) in self.lex.conditions and found_is(said, "step"))

    def _on_and_off(self, i: int) -> int:
        """As in "21 days on, 7 days off": past both; 0 where that is not told."""
        on = i + 1 + (self.word(i + 1) in self.lex.time)
        ahead = self.word(i - 1) == "on"
        if not ahead and self.word(on) != "on":
            return 0
        j = on + (not ahead)
        while self.word(j) in (",", "and", "then", "/", ";"):
            j += 1
        if ahead and self.word(j) != "off":
            return 0
        j += ahead
        off = j + 1 + (self.word(j + 1) in self.lex.time)
        second, first = self.num(j), self.num(i)
        if second is None or first is None or (not ahead and self.word(off) != "off"):
            return 0
        if not ahead and self.word(i + 1) == "on" and self.num(off + 1) is not None:
            return 0  # "1 on 12 h off 12 h"
        end = off + (not ahead)
        hours = {self.lex.time.get(self.word(k - 1), "hour") for k in (on, off)} == {"hour"}
        if hours and first[1] + second[1] == _HOURS_OF_A_DAY:
            self.often.append(RateNote(DAY, DAY, i, end, weak=True))  # once each day
        length = COURSE_DAYS.get(self.lex.time.get(self.word(on - 1), "day"))
        if length is not None:
            self.rows.append(first[1] * length)
        return end

    def _then_off(self, j: int) -> int:
        """As in "weekly x3 then off 1 wk", "x 3 weeks, out 1 week": for so long with it, so long without; past both, 0 where that
        is not told."""
        end = j + 1 + (self.word(j + 1) in self.lex.time)
        begun = end
        while self.word(end) in (",", "and", "then", "/", ";"):
            end += 1
        if end == begun or self.word(end) not in self.lex.resting:
            return 0
        end += self.word(end + 1) in ("x", "for")
        if self.num(end + 1) is None:
            numbered = self.lex.time.get(self.word(end + 1)) == "week" and self.num(end + 2) is not None
            return end + 3 if numbered else 0  # "off wk 4"
        return end + 3 if self.lex.time.get(self.word(end + 2)) in ("day", "week") else 0

    def _days_told(self, i: int, end: int, days: Decimal) -> int:
        """A course; but "5 days a week" is a pattern that no single frequency can say."""
        period = self._period(end)
        if period is not None and period[1] != (DAY, DAY):
            if period[1] == (7 * DAY, 7 * DAY) and 0 < days <= 7:
                return self._note_often(Fraction(days) / 7, Fraction(days) / 7, i, period[0])  # "5 days a week"
            self.steps.append(i)
            return period[0]
        self.durations.append((days, i))
        if self.word(end) in ("max", "maximum") and self.num(end + 1) is None:
            end += 1
        return end

    def _od(self, i: int) -> int:
        """`od` is the right eye after "in", with drops or before "q"; after tablets or milligrams once daily; else unread."""
        if self.word(i + 1) == "q" and self.num(i + 2) and self.amounts:
            self.routes.append("ophthalmic")  # "Eylea 2 mg OD q8wk": what is told once daily is told once
            return i + 1
        if self.word(i - 1) in ("in", "to", "into") or "ophthalmic" in self.routes or any(a.unit == "drop" for a in self.amounts):
            self.routes.append("ophthalmic")
            return i + 1
        if self.word(i - 1) in ("prn", "for"):
            return i  # "prn OD": an overdose
        if self.unit_of.of_the_eye and (self.often or found_is(self.find(i + 1), "often", "slot")):
            self.routes.append("ophthalmic")  # "alphagan TID OD": how often is told
            return i + 1
        if self.amounts and self.amounts[-1].kind in ("count", "mass"):
            return self._note_often(DAY, DAY, i, i + 1)
        return i

    def _on_often(self, i: int, end: int, times: str) -> int:
        low = high = Fraction(times)
        other = end + 1 if self.word(end) in ("-", "to", "or") else 0
        found = self.find(other) if other else None
        if found and found[1] == "often" and Fraction(found[2]) > low:
            end, high = found[0], Fraction(found[2])
        return self._note_often(low, high, i, end)

    def _on_daily(self, i: int, end: int, _: str) -> int:
        other = end + 1 if self.word(end) in ("-", "to", "or") else 0
        found = self.find(other) if other else None
        if found and found[1] == "often" and Fraction(found[2]) > 1:
            return self._note_often(DAY, Fraction(found[2]), i, found[0])
        self.often.append(RateNote(DAY, DAY, i, end, weak=True))
        return end

    def _on_once(self, i: int, end: int, _: str) -> int:
        self.once.append(i)
        return end
