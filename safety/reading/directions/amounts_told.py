"""What the amounts of one text mean together: strength, dose, a day's amount; and the form and route they are told for."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from safety.model.quantity import Quantity, QuantityRange
from safety.reading.directions.notes import AmountNote
from safety.reading.directions.phrases import Scan
from safety.reading.directions.tokens import UNREADABLE
from safety.reading.directions.words import (
    AFTER_ANOTHER,
    COUNTED,
    FORM_BY_ROUTE,
    ROUTE_OF_FORM,
    THROUGH_THE_MOUTH,
    UNIT_FORMS,
)

_PIECES = frozenset({"count", "bare"})
_DOSES = frozenset({"count", "bare", "volume", "mass", "weight", "per_day"})
_OF_THE_PRODUCT = frozenset({"strength", "percent", "concentration", "per_hour"})
_ONE = (Decimal(1), Decimal(1))


class AmountsTold:
    """The notes of one scan, and what its amounts come to; anything that they do not settle is put among the unread."""

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

    def _unclear(self, start: int, end: int) -> None:
        self.scan.unread.update(range(start, end))

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
        if not AFTER_ANOTHER.isdisjoint(self.scan.words[max(0, mass.start - 3) : mass.start]):
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
            unit = COUNTED.get(word)
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


def _numbers(scan: Scan) -> set[int]:
    return {i for i, num in enumerate(scan.nums) if num} | {i for i, word in enumerate(scan.words) if word == UNREADABLE}
