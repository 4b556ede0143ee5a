"""The text of a direction → what is taken, how often, how: right, or `None` with the words that were not understood."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import msgspec

from safety.model.directions import PARENTERAL, Directions, DirectionsPart, DosingStep, PartOfDay, TimesPerDay, part_at
from safety.model.quantity import Quantity
from safety.reading.directions.asides import Asides
from safety.reading.directions.clock import windows_told
from safety.reading.directions.divided import in_full
from safety.reading.directions.galenic import ACTUATIONS, HELD_IN_ONE, PARTS_OF_DAY, SOLIDS, UNIT_FORMS, is_rate
from safety.reading.directions.notes import RateNote, SlotNote, UnitOf, found_is, none_sold
from safety.reading.directions.phrases import Scan
from safety.reading.directions.scale import is_scale, of_the_product, read_scale, without_names
from safety.reading.directions.spanish import in_english
from safety.reading.directions.steps import days_of, read_steps
from safety.reading.directions.tokens import UNREADABLE, Tokens, in_numbers
from safety.reading.directions.words import Lexicon

LONGEST_TEXT = 2000
_MEALS_A_DAY = 3
_WEEK = 7
_HOURS = 24
_CLAUSE_MARKS = frozenset((",", ";", ".", "(", "-"))
_ADDED_WITH = frozenset(("plus", "and", "with", ",", ";"))
_TAKEN = frozenset({"count", "bare", "volume", "mass"})
_EVERY_DAY_OR_OTHER = frozenset((Fraction(n, 2),) * 2 for n in (1, 2))
_AWAKE = Fraction(2, 3)
"""Of a day, at the least: "every 4 hours while awake" is 4 to 6 times."""
_NOTHING: frozenset[DirectionsPart] = frozenset()
_SCHEDULE: frozenset[DirectionsPart] = frozenset({"dose", "frequency"})


def read_sig(text: str, lex: Lexicon, unit_of: UnitOf = none_sold) -> Directions:
    """Read the directions that follow a drug's name; one dose and one frequency, or steps that each have them, or neither.

    Directions with a step that cannot be read, with a condition on a number ("if above 200 …") or that contradict
    themselves give no dose and no frequency, and list what was not read; a daily maximum, strength, form and route are
    still given. Everyday Spanish is read like English. `unit_of`: what a number alone may be a strength in.
    """
    if len(text) > LONGEST_TEXT:
        return Directions(text, unread=(text[:80] + "…",), windows=None, unclear=_SCHEDULE)
    english = in_english(text, lex.spanish) or text
    falling = in_numbers(english)
    english = english if falling else in_full(english, lex, unit_of)
    tapered = None if falling else lex.untold_taper.search(english)
    before = read_sig(english[: tapered.start()], lex, unit_of) if tapered is not None else None
    if before is not None and (before.dose or before.per_day or before.steps):
        return _before_a_taper(text, before)
    reading = _Reading(text, Scan(english, lex, unit_of=unit_of))
    sig = reading.sig()
    by_turns = _by_turns(sig, reading.scan)
    if by_turns is not None:
        return by_turns
    if reading.several or is_scale(reading.scan):
        return _with_scale(sig, reading.scan) or _with_steps(sig, reading)
    return sig


def _before_a_taper(text: str, sig: Directions) -> Directions:
    """As in "9 mg daily x8wk, then taper": less and less after what is told, for as long as nobody says."""
    steps = sig.steps and (*sig.steps[:-1], msgspec.structs.replace(sig.steps[-1], days=None))
    return msgspec.structs.replace(sig, text=text, days=None, steps=tuple(steps))


def read_tokens(tokens: Tokens, lex: Lexicon) -> Directions:
    """What words and numbers that stand alone tell: an amount with its unit, a strength."""
    return _Reading("", Scan(tokens, lex)).sig()


def _by_turns(sig: Directions, scan: Scan) -> Directions | None:
    """As in "5 mg alternating with 2.5 mg", "alternate 5 and 2.5 mg": each every other day; `None` where that is not all."""
    if scan.lex.alternating.isdisjoint(scan.words):
        return None
    amounts = [a for a in scan.amounts if a.kind in _TAKEN]
    rates = {(o.low, o.high) for o in scan.often}
    if (
        len(amounts) != 2
        or len({a.unit for a in amounts}) > 1
        or not rates <= _EVERY_DAY_OR_OTHER
        or scan.durations
        or scan.slots
    ):
        return None
    told = (
        {i for a in amounts for i in range(a.start, a.end)}
        | set(scan.steps)
        | {i for o in scan.often for i in range(o.start, o.end)}
    )
    if {i for i in scan.unread if scan.words[i] not in scan.lex.alternating} - told or scan.weekdays or scan.thens:
        return None
    half = (Fraction(1, 2),) * 2
    steps = tuple(DosingStep((Quantity(a.low, a.unit), Quantity(a.high, a.unit)), half) for a in amounts)
    return msgspec.structs.replace(
        sig, dose=None, times_per_day=None, per_day=None, once=False, interval_hours=None, steps=steps, unread=(), windows=None,
        unclear=_NOTHING, number=None,
    )  # fmt: skip


def _with_scale(sig: Directions, scan: Scan) -> Directions | None:
    """A sig whose dose hangs on a reading: any from nothing to the highest told; `None` if it is none or cannot be read."""
    beside = _dose_and_a_scale(sig, scan) if is_scale(scan) else None
    if beside is not None:
        return beside
    scale = read_scale(scan)
    if scale is None:
        return _by_a_scale_untold(sig, scan) if is_scale(scan) and sig.dose is None else None
    rest = Scan(scale.rest, scan.lex)
    often = _Reading(sig.text, rest).sig()
    if any(rest.num(i) for i in rest.unread) or often.dose or often.per_day or rest.steps:
        return None
    dose = Quantity(Decimal(0), scale.unit), Quantity(scale.highest, scale.unit)
    return msgspec.structs.replace(
        sig, dose=dose, times_per_day=often.times_per_day, interval_hours=often.interval_hours, day_max=often.day_max,
        per_day=None, once=False, unread=often.unread, scale=True, windows=None, unclear=_NOTHING,
    )  # fmt: skip


def _by_a_scale_untold(sig: Directions, scan: Scan) -> Directions:
    """As in "per sliding scale ac": how often, and no dose; beside any other number it stays unread."""
    in_time = {i for often in scan.often for i in range(often.start, often.end)}  # "q6h"
    if any(scan.num(i) for i in set(range(len(scan.words))) - of_the_product(scan) - in_time):
        return msgspec.structs.replace(sig, scale=True)
    return msgspec.structs.replace(_Reading(sig.text, Scan(without_names(scan), scan.lex)).sig(), scale=True)


def _dose_and_a_scale(sig: Directions, scan: Scan) -> Directions | None:
    """As in "6 units tid ac + SSI": a dose told whole, to which a scale that is only named adds; `None` where that is not all."""
    first = next(i for i, word in enumerate(scan.words) if word in scan.lex.scale.names)
    if scan.word(first - 1) not in _ADDED_WITH:
        return None
    rest = Tokens()
    for i, word in enumerate(scan.words):
        if i != first - 1 and word not in scan.lex.scale.names:
            rest.add(word, scan.raws[i], scan.nums[i])
    told = _Reading(sig.text, Scan(rest, scan.lex, unit_of=scan.unit_of)).sig()
    dose = told.dose
    in_units = dose is not None and dose[0].value == dose[1].value and dose[1].unit in scan.lex.activity.values()
    whole = in_units and told.times_per_day is not None and not (told.unread or told.steps or told.per_day)
    return msgspec.structs.replace(told, scale=True, windows=None) if whole else None


def _with_steps(sig: Directions, reading: _Reading) -> Directions:
    """A sig that one dose and one frequency cannot say, with its steps; unchanged where they cannot be read."""
    if not reading.several:
        return sig
    units = reading.scan.units
    steps = read_steps(reading.scan, lambda part: _Reading(sig.text, part, *_of_the_product(sig)).sig())
    if not steps:
        return sig
    masses = {step.dose[1] for step in steps if step.dose and units.dimension(step.dose[1].unit) == "mass"}
    if (
        len(masses) == 1
        and reading.stated == (None, None)
        and any(s.dose and s.dose[1].unit in HELD_IN_ONE - {""} for s in steps)
    ):
        sig = msgspec.structs.replace(sig, strength=masses.pop(), strength_per=None)  # "112 mcg Mon-Sat, 1/2 tab Sun"
    elif masses:
        strength, per = reading.stated  # a mass that seemed to be a strength is the dose of another step
        sig = msgspec.structs.replace(sig, strength=strength, strength_per=per)
    if sig.strength is not None and any(step.dose and step.dose[1].unit == sig.strength.unit for step in steps):
        sig = msgspec.structs.replace(sig, strength=None) if is_rate(sig.strength.unit) else sig  # "80 mg, then 8 mg/hr"
    one, days = steps[0], days_of(steps)
    if len(steps) == 1:
        return msgspec.structs.replace(
            sig, dose=one.dose, times_per_day=one.times_per_day, per_day=one.per_day, days=days, once=one.once,
            interval_hours=one.interval_hours, unread=(), windows=None, unclear=_NOTHING,
        )  # fmt: skip
    return msgspec.structs.replace(sig, steps=steps, days=days, unread=(), windows=None, unclear=_NOTHING)


def _of_the_product(sig: Directions) -> tuple[Quantity | None, Quantity | None]:
    """What one holds, which each step goes by; how fast something runs in is no such strength."""
    runs = sig.strength is not None and is_rate(sig.strength.unit)
    return (None, None) if runs else (sig.strength, sig.strength_per)


class _Reading(Asides):
    """What the notes of one scan mean together; anything they do not settle is put among the unread."""

    def sig(self) -> Directions:
        scan = self.scan
        self.plain = () if scan.steps else tuple(self._plain_reasons())
        scan.unread.difference_update(self.plain)
        reason = self._reason()
        self._set_aside()
        form, route = self._form_and_route()
        doses = self._strengths(form)
        self.stated = self.strength, self.strength_per
        self.own_times = self._times_of_each(doses)
        self._how_often()
        self._hours_listed()
        self._how_long()
        self._repeated()
        self._doses(doses, form)
        self._most_in_a_day()
        if self._in_steps() or self._day_contradicted() or self._number_between_days():
            self._no_schedule()
        unread = tuple(scan.raws[i] for i in sorted(scan.unread))
        return Directions(
            self.text, self.strength, self.strength_per, self.dose, self.times, self.hours, True if scan.as_needed else None,
            self.day_max, self.per_day, route, form, self.days, self.once, self._sites(), reason, unread,
            number=self._number_alone(), parts_of_day=_parts(scan), windows=None if scan.part else windows_told(scan, self.times),
            unclear=self._not_understood() if unread else _NOTHING,
            injected=next(iter(scan.injected)) if route == PARENTERAL and len(scan.injected) == 1 else None,
            in_a_row=max(scan.rows, default=None),
        )  # fmt: skip

    def _number_alone(self) -> tuple[Decimal, Decimal] | None:
        """A number too large to be a count, where nothing else tells how much."""
        silent = not (self.dose or self.per_day or self.several)
        return self.scan.lone[0][0] if silent and len(self.scan.lone) == 1 else None

    def _not_understood(self) -> frozenset[DirectionsPart]:
        """With words left unread: what of dose and frequency they may have told."""
        if self.times or self.per_day:
            return _NOTHING
        return frozenset({"frequency"}) if self.dose else _SCHEDULE

    def _sites(self) -> int:
        """Places that come in twos each get drops, sprays or a measure; a vial or a tablet is used up for both."""
        counted = self.dose is not None and self.dose[0].unit in HELD_IN_ONE - ACTUATIONS - {""}
        return 2 if self.scan.both and not counted else 1

    def _day_contradicted(self) -> bool:
        """A day's amount beside a dose and a frequency that come to another: "2 twice daily, 3 a day"."""
        if self.by_part or not (self.dose and self.times and self.per_day) or self.dose[0].unit != self.per_day[0].unit:
            return False
        low, high = (Fraction(q.value) * times for q, times in zip(self.dose, self.times, strict=True))
        return not low <= Fraction(self.per_day[0].value) <= high

    def _number_between_days(self) -> bool:
        """As in "5 MWF; 2.5? TThSa": a number not understood between days of the week may be another dose on the later ones."""
        days = self.scan.weekday_at
        return len(days) > 1 and any(days[0] < i < days[-1] and self._multiplies(i) for i in self.scan.unread)

    # --- how often -------------------------------------------------------------------------------------------------
    def _how_often(self) -> None:
        scan, strong = self.scan, self._rates()
        if self.own_times:
            return  # each dose has its own
        if len({(o.low, o.high) for o in strong}) > 1:
            self.times = self._on_some_days(strong)
            if self.times is None:
                self._conflict(strong)
            return
        if strong and strong[0].high > 1 and len(scan.weekday_at) > 1 and any(o.weak for o in scan.often):
            self.times = min(strong[0].low, Fraction(1)), strong[0].high  # "bid M-F, daily on weekends"
            return
        if strong and self._seldom_beside_daily(strong[0]):
            self._conflict(strong)
            return
        if strong:
            self.times = strong[0].low, strong[0].high
            self.hours = next((o.hours for o in strong if o.hours), None)
            if scan.awake and self.hours:
                self.times = self.times[0] * _AWAKE, self.times[1]
            self._with_slots(strong)
        else:
            self.times = self._by_slots()
        self._on_weekdays(strong)
        if scan.some_days_off and self.times == (Fraction(1),) * 2:
            self.times = Fraction(1, _WEEK), self.times[1]
        if self.times is None and scan.rows and not scan.part and self._swallowed():
            self.times = Fraction(1), Fraction(1)  # "125 mg 3 wk on, 1 wk off"
        if scan.once and self.times is None and not scan.weekdays:
            self.times, self.once = (Fraction(1), Fraction(1)), True

    def _swallowed(self) -> bool:
        """Whether tablets, capsules or an amount of what is in them are told, and nothing that is worn or given in."""
        scan = self.scan
        taken = [a for a in scan.amounts if a.kind in ("mass", "count", "bare")]
        worn = any(a.kind == "count" and a.unit not in SOLIDS for a in taken) or any(
            form not in UNIT_FORMS for form, _ in scan.forms
        )
        return bool(taken) and not (worn or scan.injected or scan.once or scan.weekdays)

    def _hours_listed(self) -> None:
        """As in "5x/day (6,9,12,3,6)": an hour for each of the doses of a day."""
        scan, times = self.scan, self.times
        count = times[0] if times is not None and times[0] == times[1] else Fraction(0)
        for i in [i for i in scan.unread if scan.words[i] == UNREADABLE]:
            hours = scan.raws[i].split(",")
            if len(hours) == count > 1 and all(h.isdigit() and 0 < int(h) <= _HOURS for h in hours):
                scan.unread.discard(i)

    def _seldom_beside_daily(self, rate: RateNote) -> bool:
        """As in "200 mg daily, cleaning every 6 months": taken so often, and seldom something else is done; "daily, 5 days a
        week" is one telling, and so is "once a week in the morning"."""
        daily = [o.end for o in self.scan.often if o.weak and o.end <= rate.start]
        if rate.high > 1 and any(self._unread_word(end, rate.start) for end in daily):
            return True  # "1000 mg daily with prednisone 5 bid"
        if rate.high >= 1 or (rate.low == rate.high and (rate.low * _WEEK).denominator == 1 and rate.low * _WEEK > 1):
            return False
        if any(found_is(self.scan.find(o.start), "daily") for o in self.scan.often if o.weak):
            return True
        return any(slot.end <= rate.start and self._something_else(slot.end, rate.start) for slot in self.scan.slots)

    def _something_else(self, start: int, end: int) -> bool:
        """Whether a word that is no part of directions stands between a mark and what follows: "…, level every 3 months"."""
        mark = next((i for i in range(start, end) if self.scan.words[i] in _CLAUSE_MARKS), end)
        if self._unread_word(start, end):
            return True
        return any(self.scan.words[i].isalpha() and self.scan.words[i] not in self.scan.lex.phrases for i in range(mark, end))

    def _unread_word(self, start: int, end: int) -> bool:
        return any(self.scan.words[i].isalpha() for i in self.scan.unread & set(range(start, end)))

    @staticmethod
    def _on_some_days(strong: list[RateNote]) -> TimesPerDay | None:
        """As in "bid 3 days a week": so often on each of those days, and on average less; None where two rates contradict."""
        rates = sorted({(o.low, o.high) for o in strong})
        if len(rates) != 2 or any(low != high for low, high in rates):
            return None
        seldom, often = rates[0][0], rates[1][0]
        days = seldom * _WEEK
        return (seldom * often, often) if often >= 1 and days.denominator == 1 and 2 <= days < _WEEK else None

    def _rates(self) -> list[RateNote]:
        """The frequencies told, without a bare "daily"; a ceiling beside another ("every 4 hours, up to 5 times a day") is a
        maximum in a day."""
        strong = [o for o in self.scan.often if not o.weak]
        rates = [o for o in strong if not o.ceiling]
        if not rates:
            return strong
        for o in strong:
            if o.ceiling:
                self.scan.day_max.append((Quantity(Decimal(o.high.numerator), "dose"), o.start, o.end))
        return rates

    def _by_slots(self) -> TimesPerDay | None:
        """How often by the parts of the day that are told, and by meals; else once, where "daily" is all that is told."""
        scan, slots = self.scan, self._slots()[0]
        if slots and self._one_unread(scan):
            return None  # "morning and nghit"
        if scan.snacks and not slots:
            return None
        if slots or scan.meals:
            count = Fraction(len(slots) + (_MEALS_A_DAY if scan.meals and not self._at_those_meals(slots) else 0))
            if not slots and any(o.weak for o in scan.often):
                count = Fraction(1)  # "20 mg daily with meals", "QD AC"
            return count, count
        return (Fraction(1), Fraction(1)) if scan.often else None

    def _at_those_meals(self, slots: set[str]) -> bool:
        """As in "40 qam ac": before the meal of that part of the day; at night, or joined on, it is one dose more."""
        scan = self.scan
        joined = not _ADDED_WITH.isdisjoint(scan.word(slot.start - 1) for slot in scan.slots)
        return bool(slots) and "night" not in slots and not joined and scan.word(min(scan.meals) - 1) not in _ADDED_WITH

    def _conflict(self, told: list[RateNote]) -> None:
        self.times = self.hours = None
        for o in told:
            self._unclear(o.start, o.end)

    @staticmethod
    def _one_unread(scan: Scan) -> bool:
        """Whether a word not understood is joined to a part of the day, and may be another one."""
        ends = {s.start for s in scan.slots}
        return any(scan.word(i - 1) in ("and", ",") and i - 2 in ends for i in scan.unread)

    def _slots(self) -> tuple[set[str], bool]:
        """The parts of the day told, and whether the first of them was joined on with "and"."""
        scan = self.scan
        found: list[SlotNote] = []
        for slot in self._parts_or_clock():
            between = scan.words[found[-1].start + 1 : slot.start] if found else []
            if found and _one_moment(found[-1], slot) and not {"and", ","} & set(between):
                continue
            found.append(slot)
        before = scan.words[max(0, found[0].start - 3) : found[0].start] if found else []
        return {slot.name for slot in found}, "and" in before

    def _parts_or_clock(self) -> list[SlotNote]:
        """The parts of the day told; hours by the clock, "[0900]", beside as many of them say only when they are."""
        hours = [slot for slot in self.scan.slots if slot.on_the_clock]
        parts = [slot for slot in self.scan.slots if not slot.on_the_clock]
        if not (hours and parts):
            return self.scan.slots
        if len(hours) != len(parts):
            for slot in hours:
                self._unclear(slot.start, slot.end)
        return parts

    def _with_slots(self, strong: list[RateNote]) -> None:
        """A number and the parts of the day must agree ("twice daily, morning and night"); "tid and at bedtime" is 4."""
        assert self.times is not None
        (low, high), (slots, joined) = self.times, self._slots()
        count = len(slots)
        agreed = {count, count + _MEALS_A_DAY} if self.scan.meals else {count}
        if count == 1 and all(slot.on_the_clock for slot in self.scan.slots):
            return  # "bid [0900]" tells the hour of one of them
        if not slots or any(low <= one <= high for one in agreed) or (high < 1 and count == 1):
            return
        if low == high == _MEALS_A_DAY and slots == {"night"} and (joined or self.scan.meals):
            self.times = Fraction(4), Fraction(4)
            return
        self._conflict(strong)

    def _on_weekdays(self, strong: list[RateNote]) -> None:
        days = len(set(self.scan.weekdays))
        if self.scan.days_off:
            self._without_days_off(strong)
            return
        if not days:
            return
        if self.times == (Fraction(days, 7),) * 2:
            return
        if self.times and days > 1 and self.times[0] == self.times[1] > 1:
            self.times = self.times[0] * Fraction(days, 7), self.times[1]  # "bid MWF"
            return
        if (self.times or (Fraction(1),) * 2) != (Fraction(1),) * 2:
            self._conflict(strong)
            self.times = None
        else:
            self.times = (Fraction(days, 7),) * 2

    def _without_days_off(self, strong: list[RateNote]) -> None:
        """As in "daily except Sunday": on the days that are left; other days told besides contradict it."""
        left = Fraction(_WEEK - len(self.scan.days_off), _WEEK)
        told = set(self.scan.weekdays)
        if told and (told & self.scan.days_off or len(told) != left * _WEEK):
            self._conflict(strong)
        elif self.times is None or self.times == (Fraction(1),) * 2:
            self.times = left, left
        elif self.times[0] == self.times[1] > 1:
            self.times = self.times[0] * left, self.times[1]
        elif self.times != (left, left):
            self._conflict(strong)

    # --- course, maximum, steps ------------------------------------------------------------------------------------
    def _how_long(self) -> None:
        told = {days for days, _ in self.scan.durations}
        if len(told) == 1:
            self.days = told.pop()

    def _most_in_a_day(self) -> None:
        """The daily maximum; one of a dose by weight or surface that is given once a day, or less often, is of the day, too."""
        seldom = self.once or self.times is None or self.times[1] <= 1
        by_body = self.dose is not None and self.dose[1].unit.endswith(("/kg", "/m2")) and seldom
        for told, start, end in self.scan.at_once:
            if (by_body and self.scan.units.dimension(told.unit)) or self._holds_several_doses(told):
                self.scan.day_max.append((told, start, end))
            else:
                self._unclear(start, end)
        for told, start, end in self.scan.day_max:
            if self.day_max is None and told.value > 0:
                self.day_max = told
            elif told != self.day_max:
                self._unclear(start, end)

    def _holds_several_doses(self, told: Quantity) -> bool:
        """As in "650 mg q6h, max 3 g", "2 mg prn, max 16 mg": so much is no single dose of several, so it is of a day."""
        several = self.times[1] > 1 if self.times is not None else bool(self.scan.as_needed)
        if self.dose is None or not several:
            return False
        twice = Quantity(self.dose[1].value * 2, self.dose[1].unit)
        return self.scan.units.dimension(told.unit) == "mass" and self.scan.units.compare(told, twice) in (0, 1)

    def _in_steps(self) -> bool:
        scan = self.scan
        if self.by_part and not (scan.steps or scan.durations or scan.markers or scan.directed):
            return False  # "2 in the morning, then 1 at night"
        last = max(self._noted(), default=-1)
        scan.steps += [i for i in scan.thens if last > i]
        in_turn = len(scan.durations) > 1 and len({(o.low, o.high) for o in scan.often}) > 1
        return bool(scan.steps) or in_turn or len({days for days, _ in scan.durations}) > 1

    def _noted(self) -> list[int]:
        """Where anything is told of how much, how often or how long."""
        scan = self.scan
        spans = [note.start for notes in (scan.amounts, scan.often, scan.slots) for note in notes]
        return [*spans, *scan.as_needed, *scan.directed, *(i for _, i in scan.durations)]


def _parts(scan: Scan) -> tuple[PartOfDay, ...]:
    """The parts of the day told, each once, in order."""
    return tuple(dict.fromkeys(part for slot in scan.slots if (part := _part(slot)) is not None))


def _part(slot: SlotNote) -> PartOfDay | None:
    """The part of the day that is named, or that a time by the clock falls in."""
    return PARTS_OF_DAY.get(slot.name) or (part_at(slot.window.start) if slot.window is not None else None)


def _one_moment(first: SlotNote, second: SlotNote) -> bool:
    """As in "every evening at bedtime", "every morning at 6 am": two words for one dose, where nothing joins them."""
    if {first.name, second.name} == {"evening", "night"}:
        return True
    clock = [slot for slot in (first, second) if slot.name not in PARTS_OF_DAY]
    return len(clock) == 1 and first.window is not None and second.window is not None and first.window.meets(second.window)
