"""The text of a direction → what is taken, how often, how: right, or `None` with the words that were not understood."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import msgspec

from safety.model.directions import Directions, DirectionsPart, PartOfDay, part_at
from safety.model.quantity import Quantity, QuantityRange
from safety.reading.directions.clock import windows_told
from safety.reading.directions.galenic import (
    ACTUATIONS,
    FORM_BY_ROUTE,
    HELD_IN_ONE,
    PARTS_OF_DAY,
    ROUTE_OF_FORM,
    THROUGH_THE_MOUTH,
    UNIT_FORMS,
)
from safety.reading.directions.notes import AmountNote, RateNote, SlotNote
from safety.reading.directions.phrases import Scan
from safety.reading.directions.scale import is_scale, read_scale
from safety.reading.directions.spanish import in_english
from safety.reading.directions.steps import days_of, read_steps
from safety.reading.directions.tokens import UNREADABLE, Tokens
from safety.reading.directions.words import Lexicon

LONGEST_TEXT = 2000
_NOTHING: frozenset[DirectionsPart] = frozenset()
_SCHEDULE: frozenset[DirectionsPart] = frozenset({"dose", "frequency"})


def read_sig(text: str, lex: Lexicon) -> Directions:
    """Read the directions that follow a drug's name; one dose and one frequency, or steps that each have them, or neither.

    Directions with a step that cannot be read, with a condition on a number ("if above 200 …") or that contradict
    themselves give no dose and no frequency, and list what was not read; a daily maximum, strength, form and route are
    still given. Everyday Spanish is read like English.
    """
    if len(text) > LONGEST_TEXT:
        return Directions(text, unread=(text[:80] + "…",), windows=None, unclear=_SCHEDULE)
    reading = _Reading(text, Scan(in_english(text, lex.spanish) or text, lex))
    sig = reading.sig()
    if reading.several or is_scale(reading.scan):
        return _with_scale(sig, reading.scan) or _with_steps(sig, reading)
    return sig


def read_tokens(tokens: Tokens, lex: Lexicon) -> Directions:
    """What words and numbers that stand alone tell: an amount with its unit, a strength."""
    return _Reading("", Scan(tokens, lex)).sig()


def _with_scale(sig: Directions, scan: Scan) -> Directions | None:
    """A sig whose dose hangs on a reading: any from nothing to the highest told; `None` if it is none or cannot be read."""
    scale = read_scale(scan)
    if scale is None:
        return msgspec.structs.replace(sig, scale=True) if is_scale(scan) and sig.dose is None else None
    rest = Scan(scale.rest, scan.lex)
    often = _Reading(sig.text, rest).sig()
    if any(rest.num(i) for i in rest.unread) or often.dose or often.per_day or rest.steps:
        return None
    dose = Quantity(Decimal(0), scale.unit), Quantity(scale.highest, scale.unit)
    return msgspec.structs.replace(
        sig, dose=dose, times_per_day=often.times_per_day, interval_hours=often.interval_hours, day_max=often.day_max,
        per_day=None, once=False, unread=often.unread, scale=True, windows=None, unclear=_NOTHING,
    )  # fmt: skip


def _with_steps(sig: Directions, reading: _Reading) -> Directions:
    """A sig that one dose and one frequency cannot say, with its steps; unchanged where they cannot be read."""
    if not reading.several:
        return sig
    units = reading.scan.units
    steps = read_steps(reading.scan, lambda part: _Reading(sig.text, part, sig.strength, sig.strength_per).sig())
    if not steps:
        return sig
    if any(step.dose and units.dimension(step.dose[1].unit) == "mass" for step in steps):
        strength, per = reading.stated  # a mass that seemed to be a strength is the dose of another step
        sig = msgspec.structs.replace(sig, strength=strength, strength_per=per)
    one, days = steps[0], days_of(steps)
    if len(steps) == 1:
        return msgspec.structs.replace(
            sig, dose=one.dose, times_per_day=one.times_per_day, per_day=one.per_day, days=days, once=one.once,
            interval_hours=one.interval_hours, unread=(), windows=None, unclear=_NOTHING,
        )  # fmt: skip
    return msgspec.structs.replace(sig, steps=steps, days=days, unread=(), windows=None, unclear=_NOTHING)


class _Reading:
    """What the notes of one scan mean together; anything they do not settle is put among the unread."""

    def __init__(
        self, text: str, scan: Scan, strength: Quantity | None = None, strength_per: Quantity | None = None
    ) -> None:  # fmt: skip
        self.text, self.scan = text, scan
        self.strength, self.strength_per = strength, strength_per
        self.stated = strength, strength_per  # … before what stands beside a count is brought in
        self.by_part = False  # "1 in the morning and 2 at night"
        self.several = False  # more than one dose and one frequency can say
        self.dose: QuantityRange | None = None
        self.per_day: QuantityRange | None = None
        self.times: tuple[Fraction, Fraction] | None = None
        self.hours: tuple[Decimal, Decimal] | None = None
        self.days: Decimal | None = None
        self.day_max: Quantity | None = None
        self.once = False

    def sig(self) -> Directions:
        scan = self.scan
        form, route = self._form_and_route()
        doses = self._strengths(form)
        self.stated = self.strength, self.strength_per
        self._how_often()
        self._how_long()
        self._doses(doses, form)
        self._most_in_a_day()
        if self._in_steps() or self._day_contradicted():
            self._no_schedule()
        reason = self._reason()
        unread = tuple(scan.raws[i] for i in sorted(scan.unread))
        lone = scan.lone[0][0] if len(scan.lone) == 1 and not (self.dose or self.per_day or self.several) else None
        return Directions(
            self.text, self.strength, self.strength_per, self.dose, self.times, self.hours, True if scan.as_needed else None,
            self.day_max, self.per_day, route, form, self.days, self.once, self._sites(), reason,
            unread, number=lone,
            parts_of_day=tuple(dict.fromkeys(part for slot in scan.slots if (part := _part(slot)) is not None)),
            windows=None if scan.part else windows_told(scan, self.times), unclear=self._not_understood() if unread else _NOTHING,
        )  # fmt: skip

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

    def _unclear(self, start: int, end: int) -> None:
        self.scan.unread.update(range(start, end))

    # --- form and route --------------------------------------------------------------------------------------------
    def _form_and_route(self) -> tuple[str | None, str | None]:
        scan = self.scan
        routes = set(scan.routes)
        if "oral" in routes and routes & THROUGH_THE_MOUTH:
            routes.discard("oral")
        route = routes.pop() if len(routes) == 1 else None
        forms = {FORM_BY_ROUTE.get((form, route or ""), form) for form, _ in scan.forms}
        if len(forms) > 1 and "injection" in forms:
            forms.discard("injection")
        form = forms.pop() if len(forms) == 1 else None
        release = set(scan.release)
        if form and len(release) == 1:
            form = f"{release.pop()} {form}"
        if route is None and not scan.routes and form:
            route = ROUTE_OF_FORM.get(form) or next(
                (r for (_, r), f in FORM_BY_ROUTE.items() if f == form and f"{r} " in f"{f} "), None
            )
        return form, route

    # --- strength --------------------------------------------------------------------------------------------------
    def _strengths(self, form: str | None) -> list[AmountNote]:
        """Take out what describes the product or the day; what is left are doses."""
        left: list[AmountNote] = []
        told = self.scan.amounts
        for k, amount in enumerate(told):
            if amount.kind in ("volume", "count") and [(a.kind, a.start) for a in told[k + 1 : k + 2]] == [
                ("concentration", amount.end)
            ]:
                continue  # "0.4 ML 100 MG/ML Prefilled Syringe": the size of the package
            if amount.kind in ("strength", "percent", "concentration", "per_hour") or amount.note == "each":
                self._strength(amount)
            elif (
                amount.kind == "per_day" and form and form.endswith("patch") and "/" in self.scan.words[amount.start : amount.end]
            ):
                self._unclear(amount.start, amount.end)  # 21 mg/24 h is what the patch gives off, not what is told to take
            elif amount.kind == "per_day":
                self._day(amount)
            elif amount.kind == "unclear" or amount.high <= 0:
                self._unclear(amount.start, amount.end)
            else:
                left.append(amount)
        return left

    def _strength(self, amount: AmountNote) -> None:
        told = Quantity(amount.low, amount.unit)
        if (
            amount.low != amount.high
            or amount.low <= 0
            or (self.strength or told) != told
            or (self.strength and self.strength_per != amount.per)
        ):
            self._unclear(amount.start, amount.end)
        else:
            self.strength, self.strength_per = told, amount.per

    def _day(self, amount: AmountNote) -> None:
        told = Quantity(amount.high, amount.unit)
        if amount.low != amount.high or amount.low <= 0 or (self.per_day or (told, told)) != (told, told):
            self._unclear(amount.start, amount.end)
        else:
            self.per_day = told, told

    # --- dose ------------------------------------------------------------------------------------------------------
    def _doses(self, doses: list[AmountNote], form: str | None) -> None:
        doses = self._pair_with_strength(doses)
        if not doses:
            self._one_of_the_form(form)
            return
        if len(doses) > 1 and self._by_part_of_day(doses):
            return
        first = doses[0]
        same = all((d.low, d.high, d.unit) == (first.low, first.high, first.unit) for d in doses)
        added = any(self.scan.word(d.start - 1) in ("and", "plus", "with", "or") for d in doses[1:])
        if len(doses) > 1 and (added or not same):
            self._no_schedule()
            return
        if self._number_before(first):
            for amount in doses:
                self._unclear(amount.start, amount.end)
            return
        if self.scan.divided and first.kind in ("mass", "volume"):
            self._day(first)
            return
        self.dose = Quantity(first.low, first.unit), Quantity(first.high, first.unit)

    def _number_before(self, amount: AmountNote) -> bool:
        """A number not understood before an amount may multiply it ("3 spoons 5 mL"): then the dose is not known.

        A count is safe unless the number stands right before it; so is an amount after a verb ("… take 5 mL").
        """
        scan = self.scan
        first = (
            amount.start - 1 if amount.kind in ("count", "bare") else max((v for v in scan.verbs if v < amount.start), default=0)
        )
        one = (Decimal(1), Decimal(1))
        return any(
            first <= i < amount.start and (scan.words[i] == UNREADABLE or (scan.nums[i] or one) != one) for i in scan.unread
        )

    def _pair_with_strength(self, doses: list[AmountNote]) -> list[AmountNote]:
        """Beside "2 tablets" a mass is the strength ("10 mg, 2 tablets") or the total ("2 tablets (20 mg total)")."""
        counts = [d for d in doses if d.kind in ("count", "bare")]
        volumes = [d for d in doses if d.kind == "volume"]
        masses = [d for d in doses if d.kind == "mass"]
        if len(masses) == 1 and len(volumes) == 1 and not counts:
            return self._mass_and_volume(masses[0], volumes[0])
        if masses and counts:
            for mass in masses:
                self._mass_and_count(mass, counts)
            return [d for d in doses if d.kind != "mass"]
        if len(masses) == 2 and len(doses) == 2 and self._verb_between(*masses) and masses[0].low == masses[0].high:
            self._strength(masses[0])
            return [masses[1]]
        bare = [d for d in doses if d.kind == "bare"]
        return [d for d in doses if d.kind != "bare"] if volumes and bare and all(b.low == b.high == 1 for b in bare) else doses

    def _verb_between(self, first: AmountNote, second: AmountNote) -> bool:
        """As in "500 mg, take 1000 mg twice daily"; but "81 mg daily, continue 90 mg twice daily" are two doses."""
        verbs = self.scan.verbs
        if any(first.end <= o.start < second.start for o in self.scan.often):
            return False
        return any(first.end <= v < second.start for v in verbs) and not any(v < first.start for v in verbs)

    def _verb_only_before(self, mass: AmountNote, count: AmountNote) -> bool:
        verbs = self.scan.verbs
        return any(v < mass.start for v in verbs) and not any(mass.end <= v < count.start for v in verbs)

    def _mass_and_volume(self, mass: AmountNote, volume: AmountNote) -> list[AmountNote]:
        """As in "5 mL (250 mg)", "250 mg (5 mL)": side by side they say the same dose twice."""
        first, second = sorted((mass, volume), key=lambda a: a.start)
        between = self.scan.words[first.end : second.start]
        if first is mass and between[:1] == ["in"] and mass.low == mass.high:
            return [mass]  # "4.5 g in D5W 250 mL": what it is dissolved in
        if mass.low != mass.high or volume.low != volume.high or any(w not in ("(", "or", ",", "=", ":") for w in between):
            if mass.start < volume.start:
                self._unclear(mass.start, mass.end)
                return [volume]
            return [mass, volume]
        if self.strength is None:
            self.strength = Quantity(mass.low, mass.unit)
            self.strength_per = Quantity(volume.low, volume.unit)
        return [volume]

    def _mass_and_count(self, mass: AmountNote, counts: list[AmountNote]) -> None:
        before = max((c for c in counts if c.start < mass.start), key=lambda c: c.start, default=None)
        count = before or counts[0]
        told = self.strength
        if not self.scan.lex.after_another.isdisjoint(self.scan.words[max(0, mass.start - 3) : mass.start]):
            self._unclear(mass.start, mass.end)  # "start after finishing 30 mg"
            return
        if mass.note == "each" or (before and self.scan.words[before.end : mass.start] == ["of"]):
            self._strength(mass)
            return
        if told and told.unit == mass.unit and told.value * count.low == mass.low and told.value * count.high == mass.high:
            return
        in_brackets = before is None and self.scan.word(count.start - 1) in ("(", "=", "or", "as")
        if before is None and not in_brackets and (count.low == 1 or not self._verb_only_before(mass, count)):
            self._strength(mass)  # "500 mg, 2 tablets"; but "take 650 mg 2 tablets" may be either
            return
        one = Fraction(mass.low) / Fraction(count.low) if count.low else None
        exact = one is not None and (count.low == 1 or mass.note == "total" or mass.low != mass.high or in_brackets)
        if one is None or not exact or one * Fraction(count.high) != Fraction(mass.high):
            self._unclear(mass.start, mass.end)
            return
        value = Decimal(one.numerator) / Decimal(one.denominator)
        if Fraction(value) != one:
            self._unclear(mass.start, mass.end)
            return
        self._strength(AmountNote(value, value, mass.unit, "strength", mass.start, mass.end))

    def _one_of_the_form(self, form: str | None) -> None:
        """As in "20 mg tablet once daily", singular and with a frequency, is one tablet; without one, a description."""
        scan = self.scan
        words = {scan.words[i] for _, i in scan.forms}
        if self.strength is None or self.strength_per or "/" in self.strength.unit or not (self.times and form) or self.per_day:
            return
        if len(words) == 1 and any(form.endswith(f) for f in UNIT_FORMS) and scan.unread.isdisjoint(_numbers(scan)):
            word = words.pop()
            unit = self.scan.lex.counted.get(word)
            if unit and not word.endswith("s"):
                one = Quantity(Decimal(1), scan.units.symbol(unit) or unit)
                self.dose = one, one

    def _by_part_of_day(self, doses: list[AmountNote]) -> bool:
        """As in "1 tablet in the morning and 2 at bedtime": each amount with the parts of the day that follow it."""
        scan, slots = self.scan, self.scan.slots
        if not slots or scan.meals or scan.weekdays or self.hours or any(not o.weak for o in scan.often):
            return False
        unit = next((d.unit for d in doses if d.unit), "")
        if any(d.low != d.high or d.unit not in ("", unit) for d in doses):
            return False
        ends = [d.start for d in doses[1:]] + [len(scan.words)]
        told = [[s.name for s in slots if d.start < s.start < end] for d, end in zip(doses, ends, strict=True)]
        if not all(told) or sum(map(len, told)) != len(slots) or len({s.name for s in slots}) != len(slots):
            return False
        total = sum((d.low * len(at) for d, at in zip(doses, told, strict=True)), Decimal(0))
        low, high = min(d.low for d in doses), max(d.low for d in doses)
        self.by_part = True
        self.dose = Quantity(low, unit), Quantity(high, unit)
        self.times = (Fraction(len(slots)),) * 2
        if low != high:
            self.per_day = Quantity(total, unit), Quantity(total, unit)
        return True

    # --- how often -------------------------------------------------------------------------------------------------
    def _how_often(self) -> None:
        scan = self.scan
        strong = [o for o in scan.often if not o.weak]
        ceilings = [o for o in strong if o.ceiling]
        if ceilings and len(ceilings) < len(strong):
            for o in ceilings:  # "every 4 hours, up to 5 times a day"
                scan.day_max.append((Quantity(Decimal(o.high.numerator), "dose"), o.start, o.end))
            strong = [o for o in strong if not o.ceiling]
        told = {(o.low, o.high) for o in strong}
        if len(told) > 1:
            self._conflict(strong)
            return
        slots, joined = self._slots()
        if strong:
            self.times = strong[0].low, strong[0].high
            self.hours = next((o.hours for o in strong if o.hours), None)
            self._with_slots(strong, slots, joined)
        elif slots and self._one_unread(scan):
            self.times = None  # "morning and nghit"
        elif slots or scan.meals:
            count = Fraction(len(slots) + (3 if scan.meals else 0))
            self.times = count, count
        elif any(o.weak for o in scan.often):
            self.times = Fraction(1), Fraction(1)
        self._on_weekdays(strong)
        if scan.once and self.times is None and not scan.weekdays:
            self.times, self.once = (Fraction(1), Fraction(1)), True

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
        for slot in scan.slots:
            between = scan.words[found[-1].start + 1 : slot.start] if found else []
            if found and _one_moment(found[-1], slot) and not {"and", ","} & set(between):
                continue
            found.append(slot)
        before = scan.words[max(0, found[0].start - 3) : found[0].start] if found else []
        return {slot.name for slot in found}, "and" in before

    def _with_slots(self, strong: list[RateNote], slots: set[str], joined: bool) -> None:
        """A number and the parts of the day must agree ("twice daily, morning and night"); "tid and at bedtime" is 4."""
        assert self.times is not None
        low, high = self.times
        count = len(slots)
        with_meals = count + 3 if self.scan.meals else count
        if not slots or low <= count <= high or low <= with_meals <= high or (high < 1 and count == 1):
            return
        if low == high == 3 and slots == {"night"} and (joined or self.scan.meals):
            self.times = Fraction(4), Fraction(4)
            return
        self._conflict(strong)

    def _on_weekdays(self, strong: list[RateNote]) -> None:
        days = len(set(self.scan.weekdays))
        if not days:
            return
        if self.times == (Fraction(days, 7),) * 2:
            return
        if (self.times or (Fraction(1),) * 2) != (Fraction(1),) * 2:
            self._conflict(strong)
            self.times = None
        else:
            self.times = (Fraction(days, 7),) * 2

    # --- course, maximum, steps ------------------------------------------------------------------------------------
    def _how_long(self) -> None:
        told = {days for days, _ in self.scan.durations}
        if len(told) == 1:
            self.days = told.pop()

    def _most_in_a_day(self) -> None:
        for told, start, end in self.scan.day_max:
            if self.day_max is None and told.value > 0:
                self.day_max = told
            elif told != self.day_max:
                self._unclear(start, end)

    def _in_steps(self) -> bool:
        scan = self.scan
        noted = [a.start for a in scan.amounts] + [o.start for o in scan.often] + scan.as_needed
        noted += [i for _, i in scan.durations] + [s.start for s in scan.slots]
        noted += scan.directed
        if self.by_part and not (scan.steps or scan.durations or scan.markers or scan.directed):
            return False  # "2 in the morning, then 1 at night"
        self.scan.steps += [i for i in scan.thens if any(at > i for at in noted)]
        return bool(scan.steps) or len({days for days, _ in scan.durations}) > 1

    def _no_schedule(self) -> None:
        """More than one dose and one frequency can say: give neither, and list all the words that told them."""
        scan, self.several = self.scan, True
        scan.unread.update(scan.steps)
        for amount in scan.amounts:
            if amount.kind in ("count", "bare", "volume", "mass", "weight", "per_day"):
                self._unclear(amount.start, amount.end)
        for o in scan.often:
            self._unclear(o.start, o.end)
        self.dose = self.times = self.hours = self.per_day = self.days = None
        self.once = False

    def _reason(self) -> str | None:
        """The words not understood that follow "for" or "as needed": why it is taken. They leave the unread list."""
        scan = self.scan
        taken: list[int] = []
        for i in sorted(scan.unread):
            if not scan.words[i].isalpha() or (scan.starts(i) and scan.words[i] not in self.scan.lex.describing) or scan.steps:
                continue
            if (
                (scan.words[i - 1] in ("for", "prn") and i)
                or i - 1 in taken
                or self._after_as_needed(i)
                or self._after_joined(i, taken)
            ):
                taken.append(i)
        scan.unread.difference_update(taken)
        scan.remarks.update(taken)
        return " ".join(scan.raws[i] for i in taken) or None

    def _after_as_needed(self, i: int) -> bool:
        return any(
            i - 3 <= at < i and all(self.scan.word(k) in ("as", "needed", "if", "when", "required", "for") for k in range(at, i))
            for at in self.scan.as_needed
        )

    def _after_joined(self, i: int, taken: list[int]) -> bool:
        return bool(taken) and taken[-1] == i - 2 and self.scan.word(i - 1) in ("and", "or", "of", "/", "in", "-")


def _part(slot: SlotNote) -> PartOfDay | None:
    """The part of the day that is named, or that a time by the clock falls in."""
    return PARTS_OF_DAY.get(slot.name) or (part_at(slot.window.start) if slot.window is not None else None)


def _one_moment(first: SlotNote, second: SlotNote) -> bool:
    """As in "every evening at bedtime", "every morning at 6 am": two words for one dose, where nothing joins them."""
    if {first.name, second.name} == {"evening", "night"}:
        return True
    clock = [slot for slot in (first, second) if slot.name not in PARTS_OF_DAY]
    return len(clock) == 1 and first.window is not None and second.window is not None and first.window.meets(second.window)


def _numbers(scan: Scan) -> set[int]:
    return {i for i, num in enumerate(scan.nums) if num} | {i for i, word in enumerate(scan.words) if word == UNREADABLE}
