"""Directions in several steps, "4 tablets daily for 3 days, then 3 …": cut into their steps, each read for itself.

A step may leave out what the one before it told (unit, dose, frequency). One that cannot be read makes the whole unread.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Final

import msgspec
from msgspec import Struct

from safety.model.directions import Directions, DosingStep, HoursApart, TimesPerDay
from safety.model.quantity import Quantity, QuantityRange
from safety.reading.directions.galenic import COURSE_DAYS, is_rate
from safety.reading.directions.notes import ONE, found_is
from safety.reading.directions.phrases import Scan
from safety.reading.directions.tokens import NUMBER, Tokens
from safety.reading.directions.words import StepWords

ReadPart = Callable[[Scan], Directions]

MOST_STEPS: Final = 60
_LONGEST_PHRASE: Final = 3
_MOST_EXCEPTED: Final = 4
"""On fewer days of the week another dose is taken instead."""
_ONCE: Final = (Fraction(1), Fraction(1))
_DOSES: Final = frozenset({"count", "bare", "volume", "mass", "weight", "per_hour"})


class _Part(Struct):
    """The words of one step, and what cut it off: then, except, to (a new dose), up, down (so much at a time), or nothing."""

    cut: str
    start: int
    end: int
    after: Decimal | None = None  # days that the step before it lasts: "after 1 week …"


class _Rate(Struct, frozen=True):
    """How often in one step."""

    times: TimesPerDay | None
    hours: HoursApart | None = None
    once: bool = False


def read_steps(scan: Scan, read: ReadPart) -> tuple[DosingStep, ...] | None:
    """The steps of a text that has more than one dose or frequency; `None` where a step cannot be read."""
    parts = _cut(scan)
    if parts is None or len(parts) > MOST_STEPS:
        return None
    steps = _Steps(scan, read, parts).read()
    return None if steps is None else _said_once(steps)


def days_of(steps: tuple[DosingStep, ...]) -> Decimal | None:
    """How long all steps last; `None` if one of them goes on."""
    told = [step.days for step in steps if step.days is not None]
    return sum(told, Decimal(0)) if told and len(told) == len(steps) else None


# --- cutting -------------------------------------------------------------------------------------------------------
def _separator(words: list[str], i: int, told: StepWords) -> tuple[str, int] | None:
    for phrase, kind in told.separators:
        if tuple(words[i : i + len(phrase)]) == phrase:
            return kind, i + len(phrase)
    way = told.changes.get(words[i])
    if way is None:
        return None
    j = i + 1
    while j < len(words) and words[j] in told.between:
        j += 1
    if words[j : j + 1] in (["to"], ["by"]):
        return words[j] if words[j] == "to" else way, j + 1
    return (way, j) if words[j : j + 1] == [NUMBER] else None


def _cut(scan: Scan) -> list[_Part] | None:
    """The parts of a text, cut at what separates steps and where a new dose or day begins one.

    None where no dose is told, but for one that is taken ever less often ("1 wk qid, then 1 wk bid").
    """
    less_often = min(len(scan.durations), len(scan.often)) > 1
    if not any(a.kind in _DOSES for a in scan.amounts) and not less_often:
        return None
    cutting, parts, i = _Cutting(scan), [], 0
    part = _Part("", 0, 0)
    while i < len(scan.words):
        found = None if _is_goal(scan, i) else _separator(scan.words, i, scan.lex.steps)
        begins = cutting.begins(part, i) if found is None else None
        if found is None and begins is None:
            i += 1
            continue
        cut, start = found or ("", begins or 0)
        if cut == "then" and start >= len(scan.words):
            part.cut = part.cut or cut  # "…, 100 mg qd thereafter"
        part.end = i if found else start
        parts.append(part)
        part = _Part(cut, start, start)
        i = start if found else i + 1
    part.end = len(scan.words)
    return [p for p in (*parts, part) if _says_something(scan, p)]


def _is_goal(scan: Scan, i: int) -> bool:
    """As in "titrate to MAP > 65": words of a change that were read as what the dose is adjusted to."""
    return found_is(scan.find(i), "step") and scan.words[i] in scan.lex.steps.changes and i not in (*scan.steps, *scan.unread)


class _Cutting:
    """Where in a text a new step begins that no word separates from the one before."""

    def __init__(self, scan: Scan) -> None:
        self.scan = scan
        self.doses = [a.start for a in scan.amounts if a.kind in _DOSES]
        self.often = [o.start for o in scan.often]
        self.rates = {*self.often, *(slot.start for slot in scan.slots)}
        self.lengths = [i for _, i in scan.durations]
        self.marks = _marks(scan) | {i for kind, i in scan.todays if kind == "dose"}
        self.by_day = bool(scan.markers and self.doses) and min(scan.markers) < self.doses[0]

    def begins(self, part: _Part, i: int) -> int | None:
        """Where a new step starts, if word i begins one after a dose of the part so far."""
        words = self.scan.words
        new = i in self.scan.markers if self.by_day else i in self.doses and words[i - 1] != "("
        first = next((d for d in self.doses if part.start <= d < i), None) if part.cut not in ("up", "down") else None
        if not new and self._another_rate(part, i):
            return i
        if not new or first is None:
            return None
        if self.by_day:
            return i - 1 if words[i - 1] == "on" else i
        timed = any(first < m < i for m in self.marks)
        told_before = i - 1 in self.scan.verbs and any(part.start <= o < i for o in self.often)
        but_on = (
            words[i - 1] in (",", ";") and any(first < o < i for o in self.often) and any(d > i for d in self.scan.weekday_at)
        )
        loaded = any(words[k] in self.scan.lex.steps.first for k in range(first, i)) and part.start == 0
        return i if timed or told_before or but_on or loaded else None

    def _another_rate(self, part: _Part, i: int) -> bool:
        """As in "4 mg q6h x 2 days, q8h x 2 days": behind a comma and a length of time, how often the same dose is taken next."""
        dosed = not self.doses or any(d < i for d in self.doses)
        lasted = any(part.start <= length < i for length in self.lengths)
        rated = any(part.start <= rate < i for rate in self.rates)
        return not self.by_day and i in self.rates and self.scan.words[i - 1] in (",", ";") and dosed and lasted and rated


def _says_something(scan: Scan, part: _Part) -> bool:
    words = set(scan.words[part.start : part.end])
    return bool(words) and not words <= scan.lex.steps.nothing - scan.lex.steps.goes_on


def _marks(scan: Scan) -> set[int]:
    """Where a text tells on which days, or for how long, something is taken."""
    seldom = {o.start for o in scan.often if o.high < 1}
    return {i for _, i in scan.durations} | set(scan.markers) | set(scan.weekday_at) | seldom


class _Steps:
    """The parts of one text, read in order."""

    def __init__(self, scan: Scan, read: ReadPart, parts: list[_Part]) -> None:
        self.scan, self.read_part, self.parts = scan, read, parts
        self.words = scan.lex.steps
        self.steps: list[DosingStep] = []
        self.last: Scan | None = None
        self.weekdays: set[str] = set()

    def read(self) -> tuple[DosingStep, ...] | None:
        """All steps, or `None`."""
        for k, part in enumerate(self.parts):
            if self._ends(part):
                if k != len(self.parts) - 1:
                    return None
                break
            if (k or not self._is_told_elsewhere(part)) and not self._off(part) and not self._part(part, first=not k):
                return None
        self._often_from_the_last()
        return tuple(self.steps) if self.steps else None

    def _is_told_elsewhere(self, part: _Part) -> bool:
        """As in "starter pack as directed, then 30 mg bid": the package tells the first days, the line what comes after them."""
        scan = Scan(_some(self.scan, part.start, part.end), self.scan.lex, unit_of=self.scan.unit_of)
        told = scan.amounts or scan.often or scan.slots or scan.durations or scan.steps or scan.as_needed or scan.weekdays
        return len(self.parts) > 1 and not told and not scan.unread and not any(scan.nums)

    def _ends(self, part: _Part) -> bool:
        """Whether a part says only that it is over, or begins again."""
        return (
            bool(self.steps)
            and set(self.scan.words[part.start : part.end]) <= self.words.ends | self.words.nothing | self.words.again
        )

    def _part(self, part: _Part, *, first: bool) -> bool:
        words, tokens = self.scan.words[part.start : part.end], self._without_after(part)
        ramp = part.cut in ("up", "down")
        if not (self._ramp(part, tokens) if ramp else self._step(part.cut, tokens, not self.words.first.isdisjoint(words))):
            return False
        if part.after is not None:
            self._last_lasted(part.after, -2 if not first and len(self.steps) > 1 else -1)
        return True

    def _off(self, part: _Part) -> bool:
        """As in "then stop for 21 days", "then 7 days off": nothing is taken for so long."""
        words = self.scan.words[part.start : part.end]
        told = {days for days, i in self.scan.durations if part.start <= i < part.end}
        last = self.steps[-1] if self.steps else None
        if part.cut != "then" or len(told) != 1 or last is None or last.dose is None or self.words.pauses.isdisjoint(words):
            return False
        if set(words) - self.words.ends - self.words.nothing - {NUMBER, "for", "x", *self.scan.lex.time}:
            return False
        nothing = Quantity(Decimal(0), last.dose[0].unit)
        self.steps.append(DosingStep((nothing, nothing), None, None, told.pop()))
        return True

    def _beside(self, cut: str, scan: Scan) -> bool:
        """Whether a part may be meant on the same days as the one before it: then the two would add up."""
        before, self.last = self.last, scan
        shared = self.weekdays & set(scan.weekdays)
        self.weekdays |= set(scan.weekdays)
        again = any(kind == "dose" for kind, _ in scan.todays)  # "2 tabs now and 2 tabs in 12 hours"
        loaded = before is not None and not self.words.first.isdisjoint(before.words)  # "180 mg load, 90 mg bid"
        if before is None or again or loaded or cut in ("to", "except"):
            return False
        in_turn = len(self.steps) > 1 and bool(scan.durations) and all(step.days for step in self.steps)
        if in_turn or (not scan.amounts and _marks(before)):
            return False  # "qhs x3d, bid x3d": the same dose, otherwise timed
        if cut == "then":
            return bool(before.slots) and not _marks(before)  # "2 in the morning, then 1 every 6 hours"
        return not _but_on(before, scan) and _may_add_up(before, scan, shared=bool(shared))

    def _without_after(self, part: _Part) -> Tokens:
        """The words of a part without "after 1 week", which tells how long the step before it lasts."""
        scan, kept = self.scan, Tokens()
        i = part.start
        while i < part.end:
            length = COURSE_DAYS.get(scan.lex.time.get(scan.word(i + 2), ""))
            num = scan.num(i + 1)
            if scan.word(i) in ("after", "in") and num and length and part.after is None:
                part.after = num[1] * length
                i += 3
                continue
            if scan.word(i) == "next" and (scan.lex.time.get(scan.word(i + 1)) or scan.word(i + 1) in scan.lex.occasions):
                i += 2  # "increase to 10 next month"
                continue
            prelude = scan.word(i) in self.words.prelude and not any(at < i <= at + _LONGEST_PHRASE for at in scan.as_needed)
            if not prelude or scan.word(i + 1) == "day" or _is_goal(scan, i):
                kept.add(scan.words[i], scan.raws[i], scan.nums[i])
            i += 1
        return kept

    def _last_lasted(self, days: Decimal, at: int) -> None:
        if self.steps[at].days is None:
            self.steps[at] = msgspec.structs.replace(self.steps[at], days=days)

    def _scanned(self, tokens: Tokens) -> tuple[Scan, Directions] | None:
        """One part read; `None` if a word of it that may matter was not understood."""
        scan = Scan(tokens, self.scan.lex, self._unit_before(), self.scan.unit_of)
        so_far, told = days_of(tuple(self.steps)), {days for days, _ in scan.durations}
        if so_far is not None and len(told) == 2 and max(told) == so_far + min(told):
            scan.durations = [(days, i) for days, i in scan.durations if days == min(told)]  # the whole course, told last
        sig = self.read_part(scan)
        several = len({days for days, _ in scan.durations}) > 1 or len(scan.markers) > 1
        return None if scan.steps or scan.unread - scan.remarks or several else (scan, sig)

    def _unit_before(self) -> tuple[str, str, Decimal] | None:
        """What the dose of the step before is told in: unit, kind, amount."""
        before = next((s.dose[1] for s in reversed(self.steps) if s.dose), None)
        if before is None or not before.unit:
            return None
        dimension = self.scan.units.dimension(before.unit) or "count:"
        kind = "count" if dimension.startswith("count:") else "volume" if dimension == "volume" else "mass"
        return before.unit, kind, before.value

    def _step(self, cut: str, tokens: Tokens, first: bool) -> bool:
        found = self._scanned(tokens)
        if found is None or self._beside(cut, found[0]):
            return False
        scan, sig = found
        last = next((s for s in reversed(self.steps) if s.dose is None or s.dose[1].value), None)
        amount, rate = self._amount(cut, scan, sig, last), self._rate(scan, sig, first)
        if amount is None or (scan.rest_of_week and not (rate.times and 0 < rate.times[0] < 1)):
            return False
        if amount[0] is not None and is_rate(amount[0][1].unit):
            rate = _Rate(None)  # "… then 8 mg/hr": it runs
        elif rate.times is None and amount[1] is None and last is not None:
            rate = _Rate(last.times_per_day, last.interval_hours)
        days = sig.days if sig.days is not None else ONE if scan.markers and not scan.onward else None
        self.steps.append(DosingStep(amount[0], rate.times, amount[1], days, bool(scan.as_needed), rate.once, rate.hours))
        return True

    def _rate(self, scan: Scan, sig: Directions, first: bool) -> _Rate:
        """How often in one step: on a day that is named once, on the rest of the week what is left of it."""
        if scan.rest_of_week:
            left = 1 - sum((s.times_per_day[1] for s in self.steps if s.times_per_day), Fraction(0))
            return _Rate((left, left), sig.interval_hours)
        untold = sig.times_per_day is None or sig.once
        if scan.markers and untold:
            return _Rate(_ONCE, sig.interval_hours)
        first = first or any(kind == "dose" for kind, _ in scan.todays)
        if sig.once or (sig.times_per_day is None and first):
            return _Rate(_ONCE if sig.per_day is None else sig.times_per_day, sig.interval_hours, once=True)
        return _Rate(sig.times_per_day, sig.interval_hours)

    def _amount(
        self, cut: str, scan: Scan, sig: Directions, last: DosingStep | None
    ) -> tuple[QuantityRange | None, QuantityRange | None] | None:
        """The dose or day's amount of a step, else that of the step before; None where neither can be meant."""
        if sig.dose is None and sig.per_day is None:
            timed = bool(sig.times_per_day or scan.as_needed)
            told = any(a.kind in _DOSES for a in scan.amounts)
            bare = not self.steps and bool(sig.times_per_day and scan.durations) and not told
            if bare and not cut and sig.day_max is None:
                return None, None  # "OU qid x1wk then tid x1wk": how much at a time is told nowhere
            if last is None or cut == "except" or not timed or scan.amounts or sig.day_max or scan.forms:
                return None  # nothing that can be added to the step before
            return last.dose, None if sig.times_per_day else last.per_day
        return None if sig.dose is not None and sig.dose[0].unit != sig.dose[1].unit else (sig.dose, sig.per_day)

    def _often_from_the_last(self) -> None:
        """As in "5 mL x 1 day, 2.5 mL x 4 days daily": a frequency told only at the end holds for all."""
        first, second = self.steps[0], self.steps[1] if len(self.steps) > 1 else None
        if second and second.times_per_day and first.days is None and _untimed(first):
            self.steps[0] = msgspec.structs.replace(first, times_per_day=_ONCE, once=True)
        for k, (one, after) in enumerate(pairwise(self.steps)):
            if _untimed(one) and _runs(after) and not one.as_needed:
                self.steps[k] = msgspec.structs.replace(one, times_per_day=_ONCE, once=True)  # "80 mg bolus, then 8 mg/hr"
        later = None
        for k in range(len(self.steps) - 1, -1, -1):
            step = self.steps[k]
            nothing = step.dose is not None and not step.dose[1].value
            if _untimed(step) and (later is not None or nothing) and self._timed():
                self.steps[k] = msgspec.structs.replace(step, times_per_day=later or _ONCE)
            later = step.times_per_day or later

    def _timed(self) -> bool:
        return any(step.times_per_day is not None for step in self.steps)

    # --- so much more at a time ------------------------------------------------------------------------------------
    def _ramp(self, part: _Part, tokens: Tokens) -> bool:
        """As in "Increase by 300 mg every 3 days to 900 mg": from the step before to the amount told, or to nothing."""
        at = next((i for i, word in enumerate(tokens.words) if i and word in self.words.toward), None)
        if at is None and part.cut == "down":
            all_of_it = self._so_much_at_a_time(tokens)  # "decrease by 10 mg every 3 days"
            return all_of_it is not None and self._walk(*all_of_it, None)
        by = self._so_much_at_a_time(_some(tokens, 0, at)) if at is not None else None
        if at is None or by is None:
            return False
        rest = at
        while rest < len(tokens.words) and tokens.words[rest] in self.words.target | self.words.toward:
            rest += 1
        goal = _some(tokens, rest, len(tokens.words))
        amount, period = by
        if set(goal.words) <= self.words.ends | self.words.nothing:
            return part.cut == "down" and self._walk(amount, period, None)
        found = self._scanned(goal)
        return found is not None and self._toward(part.cut, amount, period, found[1])

    def _so_much_at_a_time(self, tokens: Tokens) -> tuple[Quantity, Decimal] | None:
        """By how much, and after how many whole days each time; None where that is not all that is told."""
        first = Scan(tokens, self.scan.lex, unit_of=self.scan.unit_of)
        if len(first.amounts) != 1 or len(first.often) != 1 or first.unread or first.steps:
            return None
        by, often = first.amounts[0], first.often[0]
        if by.low != by.high or often.low != often.high or not 0 < often.low <= 1 or (1 / often.low).denominator != 1:
            return None
        return Quantity(by.low, by.unit), Decimal((1 / often.low).numerator)

    def _toward(self, way: str, by: Quantity, period: Decimal, goal: Directions) -> bool:
        last = self.steps[-1] if self.steps else None
        if goal.per_day is not None:
            self.steps.append(DosingStep(None, None, goal.per_day))
            return last is not None
        if goal.dose is None or goal.dose[0] != goal.dose[1]:
            return False
        target = goal.dose[1]
        if last is None:
            if way == "down" or target.unit != by.unit:
                return False
            self.steps.append(DosingStep((Quantity(Decimal(0), by.unit), target), goal.times_per_day))
            return True
        higher = last.dose is not None and self.scan.units.compare(target, last.dose[1]) == (1 if way == "up" else -1)
        return higher and self._walk(by, period, target, goal.times_per_day)

    def _walk(self, by: Quantity, period: Decimal, target: Quantity | None, times: TimesPerDay | None = None) -> bool:
        """One step for each amount on the way; the last one goes on, unless the way ends at nothing."""
        last = self.steps[-1] if self.steps else None
        if last is None or last.dose is None or last.dose[0] != last.dose[1]:
            return False
        if {q.unit for q in (last.dose[0], by, target or by)} != {by.unit}:
            return False
        value, end = last.dose[0].value, target.value if target else Decimal(0)
        way = 1 if end > value else -1
        self._last_lasted(period, -1)
        while (end - value) * way > by.value:
            value += by.value * way
            one = Quantity(value, by.unit)
            self.steps.append(msgspec.structs.replace(last, dose=(one, one), days=period, once=False))
            if len(self.steps) > MOST_STEPS:
                return False
        if target is not None:
            times = times or last.times_per_day
            self.steps.append(msgspec.structs.replace(last, dose=(target, target), times_per_day=times, days=None))
        return True


def _but_on(before: Scan, scan: Scan) -> bool:
    """As in "112 mcg daily, 1/2 tab on Sundays": instead of it on those days, unless a word adds it."""
    every_day = bool(before.often) and all(o.low == o.high == 1 for o in before.often) and not before.weekdays
    few = 0 < len(set(scan.weekdays)) < _MOST_EXCEPTED and not scan.often
    return every_day and few and not before.durations and before.word(len(before.words) - 1) not in ("and", "plus", "with")


def _slot_names(scan: Scan) -> set[str]:
    return {slot.name for slot in scan.slots}


def _untimed(step: DosingStep) -> bool:
    """Whether a step does not tell how often."""
    return step.times_per_day is None and step.per_day is None and not _runs(step)


def _runs(step: DosingStep) -> bool:
    """Whether it runs in at a rate."""
    return step.dose is not None and is_rate(step.dose[1].unit)


def _some(tokens: Tokens | Scan, start: int, end: int) -> Tokens:
    some = Tokens()
    some.words, some.raws, some.nums = tokens.words[start:end], tokens.raws[start:end], tokens.nums[start:end]
    return some


def _said_once(steps: tuple[DosingStep, ...]) -> tuple[DosingStep, ...]:
    """Without a second telling of the same steps ("2 then 1 … 2 pills on the first day and 1 each day")."""
    half = len(steps) // 2
    if len(steps) == 2 * half > 2:
        first, second = ([_told(s) for s in some] for some in (steps[:half], steps[half:]))
        if first == second:
            return steps[:half]
    return steps


def _told(step: DosingStep) -> tuple[object, ...]:
    dose = step.dose and tuple(q.value for q in step.dose)
    return dose, step.times_per_day, step.per_day, step.days


def _may_add_up(before: Scan, scan: Scan, *, shared: bool) -> bool:
    """Whether two parts may be meant on the same days: on one that both name, or where nothing tells them apart."""
    apart = bool(scan.markers or scan.weekdays or scan.rest_of_week)
    if not (_marks(scan) or apart) or not (_marks(before) or scan.markers):
        return True
    return shared or not (apart or _slot_names(before) == _slot_names(scan))
