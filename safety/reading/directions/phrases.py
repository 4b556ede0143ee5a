"""What each phrase of a direction says, one after the other: amounts, how often, when, by which route.

`Scan` walks over the words once and notes what it finds; `sig.py` decides what the notes mean together.
Every step looks a bounded number of words ahead, so the time grows with the length of the text and no faster.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Final

from safety.model.directions import KINDS_OF_PARENTERAL, PARENTERAL, Window
from safety.model.quantity import Quantity
from safety.reading.directions.galenic import COURSE_DAYS, PERIOD_DAYS
from safety.reading.directions.notes import DAY, ONE, AmountNote, RateNote, SlotNote, UnitOf, found_is, none_sold
from safety.reading.directions.thresholds import Thresholds
from safety.reading.directions.tokens import NUMBER, UNREADABLE, Range, Tokens
from safety.reading.directions.words import Lexicon

_IN_TWO = frozenset(("half", "two", "halves"))
_FAR = 8
"""Within so many words behind "cuts" stands "in half"."""
_NUMBERED = frozenset(("d", "day", "days", "week", "weeks", "wk", "wks"))
"""Before a number, they tell on which days or in which weeks."""
_FEWEST_APART = 3
"""So many days by their letters, at least, are a list without any mark between them."""
_AFTER_A_ROUTE = ("as needed", "often", "once", "most", "nothing", "daily", "repeat")
_UP_TO = frozenset(("through", "thru", "to", "and", "-", "until"))
_ONWARD = frozenset(("on", "onward", "onwards", "forward"))
_ALSO_DAYS = frozenset((",", "and", "d", "day", "days"))
_ALSO_WEEKS = frozenset((",", "and", "wk", "wks", "week", "weeks", "/"))
_FEWEST_WEEKS = 2
_BESIDE_A_RATIO = frozenset((":", "=", "of", "is", "ratio"))
_OF_A_CYCLE = frozenset(("of", "every", "q", "each", "/"))
_YEAR = re.compile(r"(?:19|20)\d\d\Z")


class Scan(Thresholds):
    """Reads one text from its first word to its last."""

    def __init__(
        self, text: str | Tokens, lex: Lexicon, unit_before: tuple[str, str, Decimal] | None = None, unit_of: UnitOf = none_sold
    ) -> None:
        super().__init__(text, lex, unit_before, unit_of)
        self._walk()

    def _walk(self) -> None:
        words, i, n = self.words, 0, len(self.words)
        while i < n:
            word = words[i]
            if word == NUMBER:
                j = self._number(i)
            elif word in self.lex.adverb_times:
                j = self._adverb_times(i)
            elif word in ("every", "q", "each"):
                j = self._phrase(i) if word == "each" or self._fixed(i) else self._every(i)
            else:
                j = self._phrase(i)
            if j <= i:
                self.unread.add(i)
                j = i + 1
            i = j

    def _fixed(self, i: int) -> bool:
        found = self.find(i)
        return found is not None and found[1] != "glue"

    def _phrase(self, i: int) -> int:
        word = self.words[i]
        special = self._into_a_course(i) or self._by_word(i, word)
        if special > i:
            return special
        found = self.find(i)
        if found is None:
            return i
        end, kind, meaning = found
        if kind == "glue":
            self.joined_at = end
            return end
        note = getattr(self, "_on_" + kind.replace(" ", "_"))
        return int(note(i, end, meaning))

    def _handed_out(self, i: int, word: str) -> int:
        """As in "#30", "refills 3": what is handed out, not what is taken; more than anybody hands out is unread."""
        num, most = self.num(i + 1), self.lex.most_supplied.get(word)
        believed = num is None or most is None or num[1] <= most
        return i + 2 if believed else self._give_up(i, i + 2)

    def _by_word(self, i: int, word: str) -> int:
        """Words whose sense depends on the number that follows."""
        if word == "x" and self._so_many_pieces(i):
            return i + 1  # "75 mg x 3 caps"
        if word in ("for", "x", "times"):
            return self._course(i)
        if word in self.lex.adverbs and word != "daily":
            return self._period_alone(i)
        if word in self.lex.hourly:
            return self._note_often(Fraction(24), Fraction(24), i, i + 1, (ONE, ONE))
        if word in self.lex.supply and self.num(i + 1):
            return self._handed_out(i, word)
        if word in ("a", "an", "whole") and self.word(i + 1) in self.lex.counted and self.word(i + 1) in self.lex.forms:
            return self._count(i, i + 1, (ONE, ONE))
        if word in _NUMBERED or word in self.lex.cycles:
            return self._of_days(i, word)
        if word == "in" and self.part and self.num(i + 1) and self.lex.time.get(self.word(i + 2)) in ("hour", "minute"):
            self.todays.append(("dose", i))
            return i + 3  # "… then 0.6 mg in 1 hour"
        if i == 0 and self.lex.time.get(word) == "hour" and self.num(1):
            return 1  # "Claritin-D 24h 1 qd"
        if word in _BY_LETTERS:
            return _BY_LETTERS[word](self, i)
        return self._beside(i, word)

    def _it(self, i: int) -> int:
        """As in "12 mg IT": in capitals behind an amount it is a route."""
        known = not self.word(i + 1).isalpha() or self.starts(i + 1) or self.word(i + 1) in ("d", "q", "x", "every")
        if self.raws[i] != "IT" or not self.amounts or self.amounts[-1].end != i or not known:
            return i
        self.routes.append("intrathecal")
        return i + 1

    def _in(self, i: int) -> int:
        """As in "4 mg IN" of what is sold for the nose: in capitals, where nothing follows that it is put into."""
        after = self.word(i + 1)
        if self.raws[i] != "IN" or not self.unit_of.of_the_nose or (after and not found_is(self.find(i + 1), *_AFTER_A_ROUTE)):
            return self._beside(i, "in")
        self.routes.append("nasal")
        return i + 1

    def _ns(self, i: int) -> int:
        """As in "4 mg NS" of what is sold as a spray for the nose."""
        if self.unit_of.of_the_nose:
            self.forms.append(("nasal spray", i))
        return i + self.unit_of.of_the_nose

    def _so_many_pieces(self, i: int) -> bool:
        """Whether how many tablets of the strength before it follows an x."""
        pieces = self.num(i + 1) is not None and self.word(i + 2) in self.lex.counted and self.word(i + 2) in self.lex.forms
        return pieces and bool(self.amounts) and self.amounts[-1].kind == "mass" and self.amounts[-1].end == i

    def _beside(self, i: int, word: str) -> int:
        """What a reading, a score or a reason is told with."""
        if word in self.lex.halving:
            return self._halving(i)
        if word == "in" and self.halved and "".join(self.raws[i + 1 : i + 2]).lower() in _IN_TWO:
            return i + 2
        if word in self.lex.day_letters:
            return self._by_letters(i)
        if word in self.lex.excepting and self.find(i) is None:
            return self._excepted(i + 1) or i  # "mon-sat, none sun"
        if word in self.lex.scored:
            return self._score(i)
        if word in self.lex.gains:
            return self._gain(i)
        return self._threshold(i) if word in self.lex.sides else i

    def _on_numbered_days(self, i: int, length: Decimal) -> int:
        """As in "On day 1", "days 2-5", "weeks 1 to 2": a step, and how long it lasts; on days of a cycle, how often."""
        if length == ONE:
            of_cycle = self._of_a_cycle(i)
            if of_cycle > i:
                return of_cycle
        num = self.num(i + 1)
        assert num is not None
        end = i + 2
        if self.word(end) in _UP_TO and self.num(end + 1) and num[0] == num[1]:
            last = (self.num(end + 1) or num)[1]
            apart = self.word(end) == "and" and last > num[0] + 1
            if apart:
                return self._give_up(i, end + 2)  # "day 1 and 15"
            if last > num[0] and self.word(end + 2) not in self.lex.counted:
                num, end = (num[0], last), end + 2
        if not self.part:
            self.steps.append(i)
        self.markers.append(i)
        if self.word(end) in _ONWARD and num[0] == num[1]:
            self.onward = True
            return end + 1  # "day 8 on"
        self.durations.append(((num[1] - num[0] + 1) * length, i))
        return end

    def _of_days(self, i: int, word: str) -> int:
        """As in "days 1-7", "week 2", "d1-14 q21d", "cycle days 3-7"."""
        if word in self.lex.cycles:
            return i + (self.word(i + 1) in _NUMBERED and self.num(i + 2) is not None)
        if self.num(i + 1) is None:
            return i
        if word == "d":
            of_cycle = self._of_a_cycle(i)
            return of_cycle if of_cycle > i else self._days_alone(i) or self._from_day_to_day(i)
        if word.startswith("w"):
            return self._induction(i, i + 1) or self._on_numbered_days(i, Decimal(7))
        if word == "days" and self.word(i + 2) == ",":
            of_cycle = self._of_a_cycle(i)
            listed = of_cycle if of_cycle > i else self._days_alone(i)
            if listed:
                return listed
        return self._on_numbered_days(i, ONE)

    def _days_alone(self, i: int) -> int:
        """As in "d1, 8, 15", "days 1, 4, 8, 11", "D1 of R-CHOP": single days of a cycle whose length is not told; how often stays
        untold. 0 where days are told in a row, or of several steps."""
        end, single = i + 1, 0
        j, num = self._next_day_listed(end)
        while num is not None:
            if num[0] < num[1] or self.word(j) in _UP_TO - {"and"}:
                return 0
            end, single = j, single + 1
            j, num = self._next_day_listed(end)
        others = any(not i <= k < end and word in _NUMBERED and self.num(k + 1) is not None for k, word in enumerate(self.words))
        return end if single and not (self.part or others) else 0

    def _induction(self, i: int, j: int) -> int:
        """As in "weeks 0, 2, 6, then q8wks": closer together at first; from the longest time between two doses to the shortest.
        0 where no such list is told, or nothing after it."""
        weeks: list[Decimal] = []
        while True:
            while self.word(j) in _ALSO_WEEKS:
                j += 1
            num = self.num(j)
            if num is None or num[0] != num[1] or (weeks and num[0] <= weeks[-1]):
                break
            weeks.append(num[0])
            j += 1
        j += self.word(j) in ("then", ";")
        if len(weeks) < _FEWEST_WEEKS or self.word(j) not in ("every", "q") or self.part:
            return 0
        before = len(self.often)
        end = self._every(j)
        if len(self.often) == before:
            return 0
        closest = min(later - sooner for sooner, later in pairwise(weeks))
        self.often[-1].start, self.often[-1].high = i, max(self.often[-1].high, 1 / (7 * Fraction(closest)))
        return end

    def _on_target(self, i: int, end: int, _: str) -> int:
        """As in "AUC 5": the exposure that a dose is worked out for; how much that is stays untold."""
        end += self.word(end) in ("=", "of", ":")
        return end + 1 if self.num(end) is not None else i

    def _on_ratio(self, i: int, end: int, _: str) -> int:
        """As in "I:C 1:10", "ISF 40": by what a dose is worked out from food or a reading; none of it is a dose."""
        while self.word(end) in _BESIDE_A_RATIO:
            end += 1
        if self.num(end) is None:
            return i
        end += 1
        if self.word(end) in (":", "/", "to") and self.num(end + 1) is not None:
            end += 2
        while self.word(end) in self.lex.reading_units or self.word(end) in self.lex.eaten or self.word(end) == "/":
            end += 1
        return end

    def _on_worn(self, i: int, end: int, _: str) -> int:
        """As in "remove after 12 h", "leave on 5 minutes": how long it stays where it was put."""
        end += self.word(end) in ("for", "after", "x", "in")
        return end + 2 if self.num(end) is not None and self.lex.time.get(self.word(end + 1)) in ("minute", "hour") else i

    def _on_lockout(self, i: int, end: int, _: str) -> int:
        """As in "lockout 10 min": no sooner again; what a patient gives himself is taken as needed."""
        end += self.word(end) in ("of", ":", "interval")
        if self.repeats and self.repeats[-1][1] == i:
            return end  # "q10min lockout"
        if self.num(end) is None or self.lex.time.get(self.word(end + 1)) not in ("minute", "hour"):
            return i
        self.as_needed.append(i)
        return end + 2

    def _from_day_to_day(self, i: int) -> int:
        """As in "d3-7": the days of a cycle that is not told; beside another of its kind, "d1", a day alone is one of them."""
        num = self.num(i + 1)
        beside = self.part or any(word == "d" and self.num(k + 1) for k, word in enumerate(self.words) if k != i)
        return self._on_numbered_days(i, ONE) if num is not None and (num[0] < num[1] or beside) else i

    def _of_a_cycle(self, i: int) -> int:
        """As in "days 1-14 of 21", "d1, 8, 15 q28d", "days 1-5 of a 28 day cycle": on which days of a cycle. On days in a row
        daily, unless more is told; on single days as often as they are many in it; `i` where no cycle is told."""
        start, single = i, 0
        in_a_row: list[Decimal] = []
        i, num = self._next_day_listed(i + 1)
        while num is not None:
            last = self.num(i + 1) if self.word(i) in _UP_TO - {"and"} else None
            if num[0] < num[1]:
                in_a_row.append(num[1] - num[0] + 1)
            elif last is not None:
                in_a_row.append(last[1] - num[0] + 1)
                i += 2
            else:
                single += 1
            i, num = self._next_day_listed(i)
        if single == 1 and not in_a_row and self._of_a_course(i):
            return i + 2
        length = self._length_of_a_cycle(i)
        if length is None:
            return start
        end, shortest, longest = length
        if not longest and (self.part or self._other_days(start)):
            return start  # "12 mg day 1, 8 mg days 2-4 of each cycle"
        if in_a_row:
            self.rows += in_a_row
            self.often.append(RateNote(DAY, DAY, start, end, weak=True))
        elif shortest and longest:
            self._note_often(Fraction(single) / longest, Fraction(single) / shortest, start, end)
        else:
            self._give_up(start, end)  # "day 2 of each cycle": how often is not told
        return end

    def _into_a_course(self, i: int) -> int:
        """Past "month 2 of 4", "wk 3/6": how far a course has come, which says nothing of how it is taken; else 0."""
        now, whole, after = self.num(i + 1), self.num(i + 3), self.word(i + 4)
        if self.lex.time.get(self.words[i]) not in ("week", "month") or self.word(i + 2) not in ("of", "/"):
            return 0
        if now is None or whole is None or after in self.lex.time or after in self.lex.cycles:
            return 0
        return i + 4 if now[0] == now[1] <= whole[0] == whole[1] else 0

    def _other_days(self, i: int) -> bool:
        """Whether days are told elsewhere, too."""
        return any(k != i and word in _NUMBERED and self.num(k + 1) is not None for k, word in enumerate(self.words))

    def _next_day_listed(self, i: int) -> tuple[int, Range | None]:
        """The next day or row of days of a list, "… 8", ", day 15", and where it ends; where the list ends if there is none."""
        j = i
        while self.word(j) in _ALSO_DAYS:
            j += 1
        num = self.num(j)
        return (i, None) if num is None else (j + 1, num)

    def _length_of_a_cycle(self, i: int) -> tuple[int, Fraction, Fraction] | None:
        """As in "of 21", "q28d", "of a 28 day cycle", "every 3 weeks", "of each month": where it ends, and how many days it has,
        nought where that is not told; None where no cycle is told."""
        i += self.word(i) == ","
        if self.word(i) not in _OF_A_CYCLE or (self.word(i) == "/" and self.num(i + 1) is None):
            return None
        i += 1
        while self.word(i) in ("a", "an", "the", "each", "every"):
            i += 1
        num, unit = self.num(i), self.lex.time.get(self.word(i + (self.num(i) is not None)))
        if num is None and unit != "month" and self.word(i) not in self.lex.cycles:
            return None
        i += 1
        if num is not None and unit in ("week", "month"):
            i += 1
        while self.word(i) in self.lex.cycles or self.lex.time.get(self.word(i)) == "day":
            i += 1
        if num is None:
            shortest, longest = PERIOD_DAYS["month"] if unit == "month" else (Fraction(0), Fraction(0))
            return i, shortest, longest
        low, high = PERIOD_DAYS[unit if unit in ("week", "month") else "day"]
        return i, low * Fraction(num[0]), high * Fraction(num[1])

    def _on_today(self, i: int, end: int, kind: str) -> int:
        """As in "today", "the first day": one day of a step; "now" is one dose of it."""
        self.todays.append((kind, i))
        if kind == "day":
            self.markers.append(i)
        return end

    def _of_insulin(self, i: int) -> int:
        """As in "U-100", "U 500": so many units in 1 mL; but "10 u" is a unit after a number."""
        j = i + 1 + (self.word(i + 1) == "-")
        num = self.num(j)
        top = self.units.symbol(f"{self.units.symbol('unit')}/{self.units.symbol('mL')}")
        if num is None or num[0] != num[1] or num[0] not in self.lex.insulin or top is None:
            return i
        self.amounts.append(AmountNote(num[0], num[0], top, "concentration", i, j + 1))
        return j + 1

    def _joins(self, i: int, end: int) -> bool:
        """Whether a plus adds an amount, or joins a part of the day to a meal or another part of the day ("qid ac + hs")."""
        if self.num(end) is not None and self._adds(i):
            return True
        before = self.find(i - 1) if i else None
        return found_is(before, "slot", "meals") and found_is(self.find(end), "slot")

    def _on_step(self, i: int, end: int, _: str) -> int:
        word = self.words[i]
        if word in self.lex.steps.ends and end == len(self.words) and self.durations and self.thens[-1:] == [i - 1]:
            self.thens.pop()
            return end  # "bid x7d then stop": the course says it
        if word == "plus" and self._joins(i, end):
            return end
        if word in self.lex.conditions:
            done = self._remark(end)
            if done and word == "until" and any(self._side(k) for k in range(end, done)):
                return done  # "until ANC > 1000": how long, and not how much
            if done:
                self.unread.update(k for k in range(i, done) if k == i or not found_is(self.find(k), "glue"))
                self.remarks.update(range(i, done))
                before = i - 1
                while found_is(self.find(before), "glue", "not") and self.words[before].isalpha():
                    before -= 1
                if word != "until" and before not in self.unread:
                    self.as_needed.append(i)  # "… if wheezing"; but "call if …" is about something else
                return done
        if word in self.lex.excepting:
            off = self._excepted(end)
            if off:
                return off
        goal = self._titrated_to(end)
        if goal:
            return goal
        if word in self.lex.changes and self.word(i - 1) == "to" and not self._change_follows(end):
            self.remarks.add(i)
            return end  # "to reduce pain": what it is for
        self.steps.append(i)
        return end

    def _adds(self, i: int) -> bool:
        """As in "40 units in the morning + 30 units in the evening", "150 + 75 = 225 mg": what is added is told of its own time,
        or the sum is told."""
        after_a_time = any(notes and notes[-1].end == i for notes in (self.slots, self.often))
        if self.amounts and self.amounts[-1].end == i and self.amounts[-1].kind in ("mass", "strength"):
            return True  # "4 mg + 1 mg qam"
        after_meals = bool(self.meals) and (found := self.find(self.meals[-1])) is not None and found[0] == i
        return after_a_time or after_meals or ("=" in self.words[i : i + _FAR] and "=" not in self.words[:i])

    def _titrated_to(self, i: int) -> int:
        """As in "titrate to 3-4 BMs a day": past what a dose is adjusted to; 0 where it is not all understood."""
        led = self.word(i) in ("to", "for")
        if not led and self.word(i - 1) not in self.lex.steps.changes:
            return 0
        i += led
        if self.word(i) in self.lex.read_for:
            at = self._side(i + 1) or i + 1
            at += self.word(at) == "-"  # "RASS -1"
            if self.num(at) is None:
                return 0
            at += 1
            while self.word(at) in self.lex.titrated_to or self.word(at) in self.lex.reading_units or self.word(at) == "x":
                at += 1
            return at  # "titrate to MAP > 65", "to aPTT 1.5-3x baseline"
        if not (led or self.num(i)):
            return 0
        j = i + (self.num(i) is not None)
        end = j
        while self.word(end) in self.lex.titrated_to:
            end += 1
        return end if end > j else 0

    def _remark(self, j: int) -> int:
        """Past a condition that tells no amount and no time, to the next stop; 0 where it does tell one."""
        start, until = j, self.word(j - 1) == "until"
        while j < len(self.words) and self.words[j] not in (",", ";", "."):
            beyond = self._side(j) if until and j > start else 0
            if beyond and self.num(beyond) is not None:
                j = self._past_its_unit(beyond + 1)  # "until ANC > 1000"
                continue
            found = self.find(j)
            if found_is(found, "then"):
                break
            if found_is(found, "often", "slot", "weekday", "most", "up to", "step", "day total", "divided"):
                return 0
            if self.num(j) or self.words[j] in self.lex.counted or self._special(j) or self.words[j] == UNREADABLE:
                return 0
            j += 1
        return j if j > start else 0

    def _change_follows(self, i: int) -> bool:
        return self.num(i) is not None or self.word(i) in self.lex.after_change

    def _halving(self, i: int) -> int:
        """As in "cuts 50 mg in half", "splits tab in two": half of one is what is taken; nothing where no half is told."""
        end = next((k for k in range(i + 1, min(i + _FAR, len(self.words))) if self.words[k] in ("in", ",", ";", ".")), i)
        if self.word(end) != "in" or self.raws[end + 1 : end + 2] == [] or self.raws[end + 1].lower() not in _IN_TWO:
            return i
        self.halved = True
        return i + 1

    def _on_not(self, i: int, end: int, _: str) -> int:
        """What must not be done, to the next stop: never read as something to take."""
        j = i
        while j < len(self.words) and self.words[j] not in (",", ";", "."):
            found = self.find(j)
            if j > i and found and found[1] == "most":
                break
            self.unread.add(j)
            j += 1
        return max(j, end)

    def _on_verb(self, i: int, end: int, route: str) -> int:
        self.verbs.append(i)
        if route:
            self.routes.append(route)
        return end

    def _on_form(self, i: int, end: int, form: str) -> int:
        self.forms.append((form, i))
        return end

    def _on_release(self, i: int, end: int, release: str) -> int:
        if release:
            self.release.append(release)
        return end

    def _on_route(self, i: int, end: int, route: str) -> int:
        after = self.word(end)
        if (
            self.word(i) in self.lex.describing
            and after.isalpha()
            and after not in self.lex.phrases
            and self._unit(end) is None
            and not self._special(end)
        ):
            return i  # "nasal congestion", "oral thrush": what it is for, not how it is taken
        if route in KINDS_OF_PARENTERAL:
            self.injected.add(route)
            route = PARENTERAL
        self.routes.append(route)
        return end

    def _on_both(self, i: int, end: int, route: str) -> int:
        self.both = True
        self.routes.append(route)
        return end

    def _on_slot(self, i: int, end: int, slot: str) -> int:
        hours = self.lex.hours.get(" ".join(self.words[i:end])) or self.lex.hours.get(" ".join(self.words[max(i - 1, 0) : end]))
        if self.word(end) in ("meal", "meals", "time"):
            end += 1
        self.slots.append(SlotNote(slot, i, end, Window(hours[0] * 60, hours[1] * 60) if hours else None))
        return end

    def _on_weekday(self, i: int, end: int, day: str) -> int:
        self.weekdays.append(day)
        self.weekday_at.append(i)
        after = self.find(end + 1)
        if self.word(end) in ("to", "through", "thru", "-") and after and after[1] == "weekday":
            first, last = self.lex.week.index(day), self.lex.week.index(after[2])
            self.weekdays += [self.lex.week[(first + k) % 7] for k in range((last - first) % 7 + 1)]  # "Monday to Friday"
            return after[0]
        return end

    def _on_rest_of_week(self, i: int, end: int, _: str) -> int:
        self.rest_of_week = True
        if not self.part:
            self.steps.append(i)
        return end

    def _on_then(self, i: int, end: int, _: str) -> int:
        self.thens.append(i)
        return end

    def _on_divided(self, i: int, end: int, _: str) -> int:
        self.divided = True
        return end

    def _on_snacks(self, i: int, end: int, _: str) -> int:
        self.snacks.append(i)
        return end

    def _on_weekday_range(self, i: int, end: int, days: str) -> int:
        first, last = (self.lex.week.index(day) for day in days.split())
        self.weekdays += self.lex.week[first : last + 1]
        self.weekday_at.append(i)
        return end

    def _on_weekday_set(self, i: int, end: int, days: str) -> int:
        """As in "MWF"; but "TTS-2" is a patch of the second size."""
        if self.word(end) == "-" and self.num(end + 1) is not None and "patch" in self.words:
            return end + 2
        self.weekdays += days.split()
        self.weekday_at.append(i)
        return end

    def _by_letters(self, i: int) -> int:
        """As in "M/W/F", "T Th Sa Su": days by their letters, two or more in their order; without strokes in capitals."""
        days: list[str] = []
        j = end = i
        marked = False
        while (day := self._day_of_letters(j)) is not None:
            days.append(day)
            end = j + 1
            stroke = self.word(end) in ("/", ",")
            j = end + stroke
            marked = marked or (stroke and self._day_of_letters(j) is not None)
        found = self.find(i)
        if found_is(found, "weekday range", "weekday set") and found is not None and found[0] >= end:
            return i  # "M-Sat", "T/Th"
        places = [self.lex.week.index(day) for day in days]
        if len(days) < 2 or places != sorted(set(places)):
            return i
        if not marked and (len(days) < _FEWEST_APART or not all(raw[:1].isupper() for raw in self.raws[i:end])):
            return i  # "M F" may be from one to the other
        self.weekdays += days
        self.weekday_at.append(i)
        return end

    def _day_of_letters(self, i: int) -> str | None:
        return self.lex.day_letters.get(self.word(i)) or self.lex.weekdays.get(self.word(i))

    def _excepted(self, i: int) -> int:
        """As in "except Sunday", "skip Sat and Sun": days on which none is taken, where nothing else is told of them; 0 where
        they are no days, or another dose is taken on them."""
        end, days = i, list[str]()
        while True:
            while self.word(end) in ("on", "for", "and", ",", "/", "the"):
                end += 1
            found = self.find(end)
            if not found_is(found, "weekday", "weekday set", "weekday range"):
                break
            assert found is not None
            days += self.lex.week[5:] if found[2] == "weekend" else found[2].split()
            end = found[0]
        if not days:
            return self._day_of_another(end)
        while self.word(end - 1) in ("and", ",", "/"):
            end -= 1
        ended = not self.word(end) or (self.word(end) in (",", ";", ".", ")") and self.num(end + 1) is None)
        if not ended or not self.amounts:
            return 0
        self.days_off.update(days)
        return end

    def _day_of_another(self, i: int) -> int:
        """As in "daily except MTX day": on some days none, it is not told how often; 0 where more is told."""
        named = self.word(i)[:1].isalpha() and self.find(i) is None and self.word(i + 1) in ("day", "days")
        if not named or not self.amounts or (self.word(i + 2) and self.word(i + 2) not in (",", ";", ".", ")")):
            return 0
        self.some_days_off = True
        return i + 2

    def _on_awake(self, i: int, end: int, _: str) -> int:
        self.awake = True
        return end

    def _on_nothing(self, i: int, end: int, _: str) -> int:
        if not self.lex.directed.isdisjoint(self.words[i:end]):
            self.directed.append(i)  # "… then as directed" is a step that is told elsewhere
        return end

    def _on_meals(self, i: int, end: int, _: str) -> int:
        if self.word(end) in self.lex.meals_with_times and found_is(self.find(end), "slot"):
            return end  # "ac breakfast" is before that one
        self.meals.append(i)
        return end

    def _on_because(self, i: int, end: int, _: str) -> int:
        """As in "d/t edema", "s/p DES 6/23": why it is taken, with the day of it; nothing where no word follows."""
        end += self.word(end) == ":"
        j = end
        while self.word(j)[:1].isalpha() and self.num(j) is None and not self._means_something(j):
            j += 1
        if j == end:
            return i
        if self.num(j) and self.word(j + 1) == "/" and self.num(j + 2):
            j += 5 if self.word(j + 3) == "/" and self.num(j + 4) else 3
        elif self.raws[j : j + 1] and _YEAR.match(self.raws[j]):
            j += 1
        self.reasons.append((end, j))
        return j

    def _means_something(self, i: int) -> bool:
        """Whether a word may tell how it is taken; a joining word between two that may not does not."""
        found = self.find(i)
        joins = found_is(found, "glue") and self.word(i + 1)[:1].isalpha() and self.find(i + 1) is None
        return not joins and (found is not None or self._special(i) or self._unit(i) is not None)

    def _on_as_needed(self, i: int, end: int, _: str) -> int:
        self.as_needed.append(i)
        return end

    def _on_most(self, i: int, end: int, daily: str) -> int:
        """As in "Not more than 8 in 24 hours", "max 3 g/day", "mdd 6": the most in one day; over anything else, unread."""
        in_day, j = bool(daily), end
        while self.word(j) in self.lex.between_most or self.word(j) in (":", "."):
            in_day = in_day or self.word(j) in ("daily", "day")
            j += 1
        num = self.num(j)
        if num is None:
            return self._give_up(i, j)
        if self.word(j + 1) in self.lex.time and COURSE_DAYS.get(self.lex.time[self.word(j + 1)]):
            self.durations.append((num[1] * COURSE_DAYS[self.lex.time[self.word(j + 1)]], i))
            return j + 2
        return self._most_number(i, j, num[1], in_day)

    def _most_number(self, i: int, j: int, value: Decimal, in_day: bool) -> int:
        word, k = self.word(j + 1), j + 1
        if word in self.lex.times or word in self.lex.doses:
            unit, k = "dose", j + 2
        else:
            read = self._unit(j + 1)
            if read is None:
                unit = self._unit_of_a_weight() if word in ("", ")", ",", ";") else ""
                if not unit and not self._goes_on(j + 1) and self.find(j + 1) is None:
                    return self._give_up(i, j + 2)
            else:
                k, unit, _ = read
        if self.word(k) in self.lex.total:
            k += 1
        period = self._period(k)
        if period is not None:
            if period[1] != (DAY, DAY):
                return self._give_up(i, period[0])
            in_day, k = True, period[0]
        if not in_day:
            self.at_once.append((Quantity(value, unit), i, k))
            return k
        self.day_max.append((Quantity(value, unit), i, k))
        return k

    def _unit_of_a_weight(self) -> str:
        """As in "1.5 mg/m2 (max 2)": the most is told in what stands over the stroke."""
        last = self.amounts[-1] if self.amounts else None
        return last.unit.partition("/")[0] if last is not None and last.kind == "weight" else ""

    def _on_up_to(self, i: int, end: int, _: str) -> int:
        """As in "Up to 3 times a day" is a ceiling on doses, "up to 8 tablets a day" on a day, "up to 2 tablets" on one."""
        num = self.num(end)
        if num is None:
            done = self._at_most_so_often(end)
            if done > end and self.often and self.often[-1].start == end:
                self.often[-1].low, self.often[-1].ceiling = Fraction(0), True
                return done
            return self._give_up(i, end)
        before = len(self.often), len(self.amounts)
        if self.word(end + 1) not in self.lex.times:
            read = self._unit(end + 1)
            period = self._period(read[0] if read else end + 1)
            if period and period[1] == (DAY, DAY):
                self.day_max.append((Quantity(num[1], read[1] if read else ""), i, period[0]))
                return period[0]
        done = self._number(end)
        if len(self.often) > before[0]:
            self.often[-1].low, self.often[-1].ceiling = Fraction(0), True
        elif len(self.amounts) > before[1]:
            self.amounts[-1].low = Decimal(0)
        return done if done > end else self._give_up(i, end + 1)

    def _at_most_so_often(self, i: int) -> int:
        """As in "up to twice daily", "up to TID", "up to q6h"."""
        found = self.find(i)
        if self.word(i) in self.lex.adverb_times:
            return self._adverb_times(i)
        if found is not None and found[1] == "often":
            return self._on_often(i, found[0], found[2])
        return self._every(i) if self.word(i) in ("q", "every") else i

    def _on_day_total(self, i: int, end: int, _: str) -> int:
        """As in "Total daily dose 40 mg"."""
        j = end
        while self.word(j) in ("of", "is", ":"):
            j += 1
        num, read = self.num(j), self._unit(j + 1)
        if num is None or read is None:
            if "daily" in self.words[i:end]:
                self.often.append(RateNote(DAY, DAY, i, end, weak=True))
            return end
        self.amounts.append(AmountNote(num[0], num[1], read[1], "per_day", i, read[0]))
        return read[0]


_BY_LETTERS: Final[dict[str, Callable[[Scan, int], int]]] = {
    "od": Scan._od,
    "u": Scan._of_insulin,
    "it": Scan._it,
    "in": Scan._in,
    "ns": Scan._ns,
}
"""Short words of several senses, each with what reads it."""
