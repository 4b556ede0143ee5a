"""What the amounts of one text mean together: strength, dose, a day's amount; and the form and route they are told for."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, zip_longest

import msgspec

from safety.model.quantity import Quantity, QuantityRange
from safety.reading.directions.galenic import FORM_BY_ROUTE, HELD_IN_ONE, ROUTE_OF_FORM, THROUGH_THE_MOUTH, UNIT_FORMS
from safety.reading.directions.notes import AmountNote, found_is
from safety.reading.directions.phrases import Scan
from safety.reading.directions.tokens import UNREADABLE

_PIECES = frozenset({"count", "bare"})
_DOSES = frozenset({"count", "bare", "volume", "mass", "weight", "per_day", "per_hour"})
_OF_THE_PRODUCT = frozenset({"strength", "percent", "concentration"})
_USED_UP = frozenset({"syringe", "injection", "vial", ""})
"""A pen and a syringe count as one; a number alone counts them."""
_ONE = (Decimal(1), Decimal(1))
_JOINED = frozenset(("and", "plus", ",", ";", "/"))
_MOST_TIMES = 6
_LIGHTEST, _HEAVIEST = Decimal("0.3"), Decimal(300)
"""Kilograms that a patient weighs."""
_HALF = Decimal("0.5")
_MG_PER_ML_OF_A_PERCENT = 10
_NEARLY = 50
"""Two strengths that differ by less than one in so many are the same, rounded: 0.083 % and 2.5 mg/3 mL."""


class AmountsTold:
    """The notes of one scan, and what its amounts come to; anything that they do not settle is put among the unread."""

    def __init__(
        self, text: str, scan: Scan, strength: Quantity | None = None, strength_per: Quantity | None = None
    ) -> None:  # fmt: skip
        self.text, self.scan = text, scan
        self.strength, self.strength_per = strength, strength_per
        self.stated = strength, strength_per  # … before what stands beside a count is brought in
        self.own_times: list[int] | None = None  # "5 mg tid and 10 mg hs"
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
            if amount.kind in _DOSES:
                self._unclear(amount.start, amount.end)
        for o in scan.often:
            self._unclear(o.start, o.end)
        self.dose = self.times = self.hours = self.per_day = self.days = None
        self.once = False

    # --- form and route --------------------------------------------------------------------------------------------
    def _form_and_route(self) -> tuple[str | None, str | None]:
        route = self._route()
        forms = {FORM_BY_ROUTE.get((form, route or ""), form) for form, _ in self.scan.forms}
        if len(forms) > 1:
            forms.discard("injection")
        form = forms.pop() if len(forms) == 1 else None
        if form and len(set(self.scan.release)) == 1:
            form = f"{self.scan.release[0]} {form}"
        if route is None and not self.scan.routes and form:
            route = ROUTE_OF_FORM.get(form) or _route_in_name(form)
        return form, route

    def _route(self) -> str | None:
        """The one route told; "by mouth" beside what is inhaled or dissolved in the mouth says only that."""
        routes = set(self.scan.routes)
        if routes & THROUGH_THE_MOUTH:
            routes.discard("oral")
        return routes.pop() if len(routes) == 1 else None

    # --- strength --------------------------------------------------------------------------------------------------
    def _strengths(self, form: str | None) -> list[AmountNote]:
        """Take out what describes the product or the day; what is left are doses."""
        left: list[AmountNote] = []
        told = self._added_strengths(self._without_equivalents(self.scan.amounts))
        for n, (amount, after) in enumerate(zip_longest(told, told[1:])):
            if _size_of_package(amount, after) or _size_in_brackets(self.scan, told[n - 1] if n else None, amount):
                continue
            if (
                amount.kind in _OF_THE_PRODUCT
                or (amount.kind == "per_hour" and not self._is_infused(amount, form))
                or amount.note == "each"
                or (amount.kind == "per_day" and self._given_off(amount, form))
            ):
                self._strength(amount)
            elif amount.kind == "per_day":
                self._day(amount)
            elif amount.kind == "unclear" or amount.high <= 0:
                self._unclear(amount.start, amount.end)
            else:
                left.append(amount)
        return left

    def _is_infused(self, amount: AmountNote, form: str | None) -> bool:
        """As in "5-15 mg/hr", "… then 8 mg/hr": how fast it runs in, as one step of it or within a range."""
        return (self.scan.part or amount.low != amount.high) and not (form or "").endswith("patch")

    def _added_strengths(self, told: list[AmountNote]) -> list[AmountNote]:
        """As in "150 mg + 75 mg caps": what is added up is taken together, and no strength of the other."""
        kept = list(told)
        for n, (first, second) in enumerate(pairwise(told)):
            alike = first.unit == second.unit and {first.kind, second.kind} in ({"mass", "strength"}, {"strength"})
            between = [
                w
                for k, w in enumerate(self.scan.words[first.end : second.start], first.end)
                if not found_is(self.scan.find(k), "form", "release")
            ]
            if alike and between == ["plus"] and first.low == first.high and second.low == second.high:
                kept[n] = msgspec.structs.replace(kept[n], kind="mass", end=second.start - 1)
                kept[n + 1] = msgspec.structs.replace(second, kind="mass")
        return kept

    def _without_equivalents(self, told: list[AmountNote]) -> list[AmountNote]:
        """As in "325 mg (65 mg elemental)", "1080 mg (10 mEq)", "2.5 mg/3 mL (0.083%)", "10% (20 mEq/15 mL)": of two ways to say
        what one holds, the one that doses are told in."""
        kept: list[AmountNote] = []
        for amount in told:
            before = kept[-1] if kept else None
            if before is not None and self._in_brackets_behind(before, amount):
                if self._says_it_again(before, amount):
                    if self._sold_by(amount) and not self._sold_by(before):
                        kept[-1] = msgspec.structs.replace(amount, kind=before.kind)
                    continue
                if before.kind == "percent" and amount.kind == "concentration":
                    kept[-1] = amount
                    continue
            kept.append(amount)
        return kept

    def _sold_by(self, amount: AmountNote) -> bool:
        """Whether the medicine is sold in that strength, told in that unit."""
        return self.scan.unit_of(amount.low, False, True) == amount.unit

    def _in_brackets_behind(self, first: AmountNote, second: AmountNote) -> bool:
        """Whether an amount stands in brackets of its own right behind another, with nothing but what it is an amount of."""
        words = self.scan.words
        if words[first.end : second.start] != ["("]:
            return False
        after = second.end
        while after < len(words) and words[after] in self.scan.lex.of_the_element:
            after += 1
        return words[after : after + 1] == [")"]

    def _says_it_again(self, first: AmountNote, second: AmountNote) -> bool:
        """Whether the second of two amounts is the first in another unit, or that of the part that counts."""
        by_element = self.scan.word(second.end) in self.scan.lex.of_the_element
        if first.kind != "concentration" and first.kind in ("mass", "strength") and second.kind == "mass":
            units = self.scan.units
            if by_element or units.dimension(first.unit) != units.dimension(second.unit):
                self.scan.unread.difference_update(range(second.end, second.end + by_element))
                return True
            return False
        if first.kind != "concentration" or second.kind not in ("percent", "concentration"):
            return False
        one, other = (self._per_volume(a) for a in (first, second))
        return one is not None and other is not None and abs(one - other) * _NEARLY <= one

    def _per_volume(self, amount: AmountNote) -> Fraction | None:
        """Milligrams, or units, in one mL."""
        if amount.kind == "percent":
            return Fraction(amount.low) * _MG_PER_ML_OF_A_PERCENT
        top, _, under = amount.unit.partition("/")
        per = amount.per or Quantity(Decimal(1), under)
        volume = self.scan.units.convert(per, "mL") if per.unit else None
        mass = self.scan.units.convert(Quantity(amount.low, top), "mg")
        value = mass if mass is not None else amount.low
        return Fraction(value) / Fraction(volume) if volume else None

    def _given_off(self, amount: AmountNote, form: str | None) -> bool:
        """As in "21 mg/24 h patch": what the patch gives off, not what is told to take."""
        return bool(form) and str(form).endswith("patch") and "/" in self.scan.words[amount.start : amount.end]

    def _strength(self, amount: AmountNote) -> None:
        told = Quantity(amount.low, amount.unit)
        another = self.strength is not None and (self.strength, self.strength_per) != (told, amount.per)
        if amount.low != amount.high or amount.low <= 0 or another:
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
        doses = self._summed(self._by_weight_and_in_all(doses))
        doses = self._all_in_it(self._halved(self._pair_with_strength(doses)))
        self._so_many_a_day(doses)
        if not doses:
            self._one_of_the_form(form)
        elif len(doses) > 1 and (
            self._by_part_of_day(doses) or self._with_meals_and_snacks(doses) or self._by_how_bad(doses) or self._once_more(doses)
        ):
            return
        elif self._several_doses(doses):
            self._no_schedule()
        elif self._number_before(doses[0]):
            for amount in doses:
                self._unclear(amount.start, amount.end)
        elif self.scan.divided and doses[0].kind in ("mass", "volume"):
            self._day(doses[0])
        else:
            self.dose = Quantity(doses[0].low, doses[0].unit), Quantity(doses[0].high, doses[0].unit)

    def _by_weight_and_in_all(self, doses: list[AmountNote]) -> list[AmountNote]:
        """As in "10 mg/kg (700 mg)", "6 mg/kg = 500 mg": what it comes to, where that is what somebody can weigh."""
        kinds = {d.kind for d in doses}
        if len(doses) == 2 and kinds == {"weight", "volume"} and doses[0].kind == "volume" and self._in_brackets(doses[1]):
            return doses[:1]  # "5 mL bid (1 mg/kg/dose)"
        if len(doses) != 2 or kinds != {"weight", "mass"}:
            return doses
        by_weight, mass = sorted(doses, key=lambda d: d.kind != "weight")
        top, _, under = by_weight.unit.partition("/")
        first, second = sorted(doses, key=lambda d: d.start)
        between = set(self.scan.words[first.end : second.start])
        told = self.scan.units.convert(Quantity(mass.low, mass.unit), top)
        if told is None or under != "kg" or mass.low != mass.high or not by_weight.high or between & {"and", "plus", "or", "to"}:
            return doses
        return [mass] if _LIGHTEST <= told / by_weight.high <= _HEAVIEST else doses

    def _in_brackets(self, amount: AmountNote) -> bool:
        return self.scan.word(amount.start - 1) in ("(", "=")

    def _summed(self, doses: list[AmountNote]) -> list[AmountNote]:
        """As in "150 + 75 = 225 mg", "140 mg cap + 20 mg cap (= 160 mg)": the sum is the dose."""
        together = self._side_by_side(doses)
        if together:
            return together
        if len(doses) != 3 or any(d.low != d.high for d in doses):
            return doses
        first, second, whole = doses
        units = {d.unit for d in doses} - {""}
        added = "plus" in self.scan.words[first.end : second.start] and "=" in self.scan.words[second.end : whole.start]
        if not added or len(units) != 1 or first.low + second.low != whole.low:
            return doses
        self.scan.unread.difference_update(range(first.end, whole.start))
        self.scan.steps = [i for i in self.scan.steps if not first.end <= i < whole.start]
        return [msgspec.structs.replace(whole, unit=units.pop())]

    def _side_by_side(self, doses: list[AmountNote]) -> list[AmountNote]:
        """As in "4 mg + 1 mg qam", "60 + 30 mg daily (90 mg total)": two strengths taken together as one dose, and perhaps what
        they come to; nothing where they are no such two."""
        told = {d.unit for d in doses}
        if (
            len(doses) not in (2, 3)
            or len(told) != 1
            or {d.kind for d in doses} != {"mass"}
            or any(d.low != d.high for d in doses)
        ):
            return []
        first, second, *total = doses
        rates = [note.start for notes in (self.scan.often, self.scan.slots) for note in notes]
        whole = first.low + second.low
        apart = self.scan.words[first.end : second.start] != ["plus"] or any(at < second.start for at in rates)
        said = {i for i in self.scan.unread if self.scan.num(i) == (whole, whole)}  # "(total 225)"
        if apart or not rates or any(t.low != whole for t in total) or self.scan.unread - said or self.scan.weekdays:
            return []
        self.scan.unread.difference_update(said)
        return [msgspec.structs.replace(second, low=whole, high=whole, start=first.start)]

    def _all_in_it(self, doses: list[AmountNote]) -> list[AmountNote]:
        """As in "140 mg/mL 1 pen q14d", "40 mg/0.8 mL q2wk": all that is in one, of what is sold so and used up at once."""
        held = self._held_in_one_dose()
        if held is None or self.per_day or not (self.times or self.scan.as_needed or self.scan.once):
            return doses
        if not doses:
            at = len(self.scan.words)
            return [AmountNote(held.value, held.value, held.unit, "mass", at, at)]
        if len(doses) == 1 and doses[0].unit in _USED_UP and doses[0].low == doses[0].high == doses[0].low.to_integral_value():
            one = doses[0]
            return [
                msgspec.structs.replace(one, low=one.low * held.value, high=one.high * held.value, unit=held.unit, kind="mass")
            ]
        return doses

    def _held_in_one_dose(self) -> Quantity | None:
        """What the pen, syringe or vial holds whose label gives that strength; None where it is not known to be one dose."""
        strength = self.strength
        if strength is None:
            return None
        top, _, under = strength.unit.partition("/")
        in_so_much = self.strength_per is not None and self.scan.units.dimension(self.strength_per.unit) == "volume"
        held = Quantity(strength.value, top)
        sold = any(self.scan.units.compare(held, whole) == 0 for whole in self.scan.unit_of.single_doses)
        drawn_up = (
            self.scan.unit_of.only_injected and in_so_much and self.strength_per is not None and self.strength_per.value < 1
        )
        return held if drawn_up or (sold and (in_so_much or under == "mL")) else None

    def _halved(self, doses: list[AmountNote]) -> list[AmountNote]:
        """As in "cuts 50 mg in half": half of one; beside a number of pieces which half is meant is not known."""
        if not self.scan.halved or len(doses) > 1:
            return doses
        if doses and doses[0].kind != "mass":
            self.scan.unread.update(range(doses[0].start, doses[0].end) if doses[0].low == 1 else ())
            return doses
        if doses:
            self._strength(doses[0])
        at = doses[0].start if doses else 0
        return [AmountNote(_HALF, _HALF, self.scan.units.symbol("tablet") or "tablet", "count", at, at)]

    def _so_many_a_day(self, doses: list[AmountNote]) -> None:
        """As in "50 mg, 2 tabs 2/day": beside a dose, a number alone is how often."""
        told = self.per_day[0] if self.per_day else None
        if told is None or told.unit or not doses or told.value != told.value.to_integral_value() or told.value > _MOST_TIMES:
            return
        if self.times in (None, (Fraction(told.value),) * 2):
            self.times, self.per_day = (Fraction(told.value),) * 2, None

    def _several_doses(self, doses: list[AmountNote]) -> bool:
        """Whether they are not one dose said over again: they differ, or one is added to the other."""
        different = len({(d.low, d.high, d.unit) for d in doses}) > 1
        return different or any(self.scan.word(d.start - 1) in ("and", "plus", "with", "or") for d in doses[1:])

    def _number_before(self, amount: AmountNote) -> bool:
        """A number not understood before an amount may multiply it ("3 spoons 5 mL"): then the dose is not known.

        A count is safe unless the number stands right before it; so is an amount after a verb ("… take 5 mL").
        """
        verb = max((v for v in self.scan.verbs if v < amount.start), default=0)
        first = amount.start - 1 if amount.kind in _PIECES else verb
        return any(first <= i < amount.start and self._multiplies(i) for i in self.scan.unread)

    def _multiplies(self, i: int) -> bool:
        """Whether a word that was not understood is a number other than one."""
        return self.scan.words[i] == UNREADABLE or (self.scan.nums[i] or _ONE) != _ONE

    def _pair_with_strength(self, doses: list[AmountNote]) -> list[AmountNote]:
        """Beside "2 tablets" a mass is the strength ("10 mg, 2 tablets") or the total ("2 tablets (20 mg total)")."""
        doses = self._in_units(doses)
        counts = [d for d in doses if d.kind in _PIECES]
        masses = [d for d in doses if d.kind == "mass"]
        if len(masses) == len(doses) == 1 and self.per_day and self.per_day[0].unit in HELD_IN_ONE - {""}:
            self._strength(masses[0])  # "500 mg, 2 tablets a day"
            return []
        if masses and counts and not self._apart_by_days(masses[0], counts[0]):
            for mass in masses:
                self._mass_and_count(mass, counts)
            return [d for d in doses if d.kind != "mass"]
        volumes = [d for d in doses if d.kind == "volume"]
        if len(masses) == len(volumes) == 1:
            return self._mass_and_volume(masses[0], volumes[0])
        if len(masses) == len(doses) == 2 and self._verb_between(*masses) and masses[0].low == masses[0].high:
            self._strength(masses[0])
            return [masses[1]]
        return _without_ones(doses) if volumes else doses

    def _in_units(self, doses: list[AmountNote]) -> list[AmountNote]:
        """As in "5 units with breakfast, 7 lunch, 8 dinner": numbers alone beside units are units."""
        symbols = {self.scan.units.symbol(word) or word for word in self.scan.lex.activity.values()}
        first = next((d.unit for d in doses if d.kind == "mass"), None)
        if first not in symbols or not doses or doses[0].unit != first or any(d.unit not in (first, "") for d in doses):
            return doses
        if len(doses) == 2 and doses[1].start == doses[0].end:
            return doses  # "2000 one a day": so many of that strength
        return [msgspec.structs.replace(d, unit=first, kind="mass") if d.kind == "bare" else d for d in doses]

    def _apart_by_days(self, first: AmountNote, second: AmountNote) -> bool:
        """As in "112 mcg Mon-Sat, 1/2 tab Sun", "100 mcg daily, 2 tabs Sundays": each with days of its own."""
        days = self.scan.weekday_at
        told = [*days, *(o.start for o in self.scan.often)]
        return any(first.end <= d < second.start for d in told) and any(d >= second.end for d in days)

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
        if not self.scan.lex.after_another.isdisjoint(self.scan.words[max(0, mass.start - 3) : mass.start]):
            self._unclear(mass.start, mass.end)  # "start after finishing 30 mg"
        elif mass.note == "each" or (before and self.scan.words[before.end : mass.start] == ["of"]):
            self._strength(mass)
        elif not self._held_by_strength(mass, count):
            self._strength_or_total(mass, count, in_order=before is None)

    def _held_by_strength(self, mass: AmountNote, count: AmountNote) -> bool:
        """Whether a mass is what so many of the strength told come to: it says nothing new."""
        told = self.strength
        if told is None or told.unit != mass.unit:
            return False
        return told.value * count.low == mass.low and told.value * count.high == mass.high

    def _strength_or_total(self, mass: AmountNote, count: AmountNote, *, in_order: bool) -> None:
        """A mass told before a count (`in_order`) is the strength, unless a verb leads to it; after it, what all hold."""
        in_brackets = in_order and self.scan.word(count.start - 1) in ("(", "=", "or", "as")
        if in_order and not in_brackets and (count.low == 1 or not self._verb_only_before(mass, count)):
            self._strength(mass)  # "500 mg, 2 tablets"; but "take 650 mg 2 tablets" may be either
            return
        exact = count.low == 1 or mass.note == "total" or mass.low != mass.high or in_brackets or self._share_is_sold(mass, count)
        one = _exact_share(mass, count) if exact else None
        if in_brackets and mass.note != "total" and self._only_one_is_sold(mass, count, one):
            self._strength(mass)  # "50 mg (2.5 tab)" of what is sold with 50 mg, and never with 20
        elif one is None:
            self._unclear(mass.start, mass.end)
        else:
            self._strength(AmountNote(one, one, mass.unit, "strength", mass.start, mass.end))

    def _share_is_sold(self, mass: AmountNote, count: AmountNote) -> bool:
        """As in "6 tabs (15 mg)" of what is sold with 2.5 mg, and not with 15: all of them together hold so much."""
        share = _exact_share(mass, count) if count.low == count.high and mass.low == mass.high else None
        sold = self.scan.unit_of
        behind = self.scan.word(mass.start - 1) == "(" and count.end == mass.start - 1
        return behind and share is not None and sold.may_be_strength(share) and not sold.may_be_strength(mass.low)

    def _only_one_is_sold(self, mass: AmountNote, count: AmountNote, share: Decimal | None) -> bool:
        """Whether the mass is a strength that the medicine is sold in, and what one of so many would hold of it is not."""
        sold = self.scan.unit_of
        if count.low != count.high or mass.low != mass.high or sold(mass.low, False, True) != mass.unit:
            return False
        return share is None or sold(share, False, True) is None

    def _one_of_the_form(self, form: str | None) -> None:
        """As in "20 mg tablet once daily", singular and with a frequency, is one tablet; without one, a description."""
        scan, strength = self.scan, self.strength
        if form is None or strength is None or self.per_day or not (self.times or scan.as_needed):
            return
        if self.strength_per and form == "injection" and self.strength_per.value < 1:
            self.dose = strength, strength  # "40 mg/0.4 mL pen every 14 days": all that is in it
            return
        if self.strength_per or "/" in strength.unit or not self.times:
            return
        words = {scan.words[i] for _, i in scan.forms}
        if len(words) > 1 or not form.endswith(tuple(UNIT_FORMS)) or not scan.unread.isdisjoint(_numbers(scan)):
            return
        word = words.pop() if words else ""
        unit = self.scan.lex.counted.get(word)
        if unit and not word.endswith("s"):
            one = Quantity(Decimal(1), scan.units.symbol(unit) or unit)
            self.dose = one, one

    def _by_part_of_day(self, doses: list[AmountNote]) -> bool:
        """As in "1 tablet in the morning and 2 at bedtime": each amount with the parts of the day that follow it."""
        unit, told = _one_unit(doses), self.own_times or self._times_by_part(doses)
        if unit is None or told is None:
            return False
        low, high = min(d.low for d in doses), max(d.low for d in doses)
        self.by_part = True
        self.dose = Quantity(low, unit), Quantity(high, unit)
        self.times = (Fraction(sum(told)),) * 2
        if low != high:
            total = sum((d.low * times for d, times in zip(doses, told, strict=True)), Decimal(0))
            self.per_day = Quantity(total, unit), Quantity(total, unit)
        return True

    def _with_meals_and_snacks(self, doses: list[AmountNote]) -> bool:
        """As in "4 with meals and 2 with snacks": one dose is one of the two; how often snacks are eaten is not told."""
        scan, unit = self.scan, _one_unit(doses)
        eaten = sorted((*scan.meals, *scan.snacks))
        if len(doses) != 2 or unit is None or len(scan.meals) != 1 or len(scan.snacks) != 1 or scan.slots:
            return False
        if any(not doses[0].end <= o.start < doses[1].start for o in scan.often):
            return False
        if not doses[0].start < eaten[0] < doses[1].start < eaten[1]:
            return False
        self.dose = Quantity(min(d.low for d in doses), unit), Quantity(max(d.high for d in doses), unit)
        self.times = None
        return True

    def _by_how_bad(self, doses: list[AmountNote]) -> bool:
        """As in "5 mg q4h prn moderate pain, 10 mg q4h prn severe pain": either, as often as is told of both."""
        scan, unit = self.scan, _one_unit(doses)
        if len(doses) != 2 or unit is None or self.times is None or scan.steps or scan.durations or scan.thens or scan.markers:
            return False
        first, second = doses
        each = any(first.end <= n < second.start for n in scan.as_needed) and any(n >= second.end for n in scan.as_needed)
        told = any(first.end <= o.start < second.start for o in scan.often)
        if not (each and told):
            return False
        self.dose = Quantity(min(first.low, second.low), unit), Quantity(max(first.high, second.high), unit)
        return True

    def _once_more(self, doses: list[AmountNote]) -> bool:
        """As in "20 mg daily, may take extra 20 mg prn weight gain": once more of the same, on a day when it is needed."""
        scan, unit = self.scan, _one_unit(doses)
        if (
            len(doses) != 2
            or unit is None
            or doses[0].low != doses[1].low
            or self.times is None
            or self.times[0] != self.times[1]
        ):
            return False
        first, second = doses
        extra = [i for i in scan.steps if first.end <= i < second.start and scan.words[i] in scan.lex.steps.extra]
        told = all(o.end <= second.start for o in scan.often) and not (scan.durations or scan.thens or scan.markers)
        needed = any(n > first.end for n in scan.as_needed)
        if not extra or len(scan.steps) > len(extra) or not told or not needed:
            return False
        why = range(max(scan.as_needed), len(scan.words))  # what the other one is for
        scan.unread.difference_update([i for i in why if scan.words[i].isalpha()])
        scan.steps, scan.as_needed = [], [n for n in scan.as_needed if n < first.end]
        self.dose = Quantity(first.low, unit), Quantity(first.high, unit)
        self.times = self.times[0], self.times[1] + 1
        return True

    def _times_of_each(self, told: list[AmountNote]) -> list[int] | None:
        """As in "5 mg tid and 10 mg at bedtime": how often each of two doses is taken on one day, where they are joined and told
        of different times; None where anything else is told."""
        scan = self.scan
        counts = [d for d in told if d.kind in _PIECES]
        beside = [d for d in told if d.kind not in _PIECES]
        strength = len(counts) == 2 and len(beside) == 1 and beside[0].kind == "mass" and beside[0] is told[0]
        doses = counts if strength else [d for d in told if d.kind in _DOSES]
        if len(doses) != 2 or len(told) != 2 + strength or _one_unit(doses) is None or doses[0].kind == "per_day":
            return None
        if scan.steps or scan.durations or scan.thens or scan.markers or scan.weekdays or scan.meals or scan.as_needed:
            return None
        if _JOINED.isdisjoint(scan.words[doses[0].end : doses[1].start]) or scan.unread:
            return None
        each = [self._times_within(doses[0].start, doses[1].start), self._times_within(doses[1].start, len(scan.words))]
        rates = [rate for _, rate in each]
        return [times for times, _ in each] if all(times for times, _ in each) and rates.count(True) == 1 else None

    def _times_within(self, start: int, end: int) -> tuple[int, bool]:
        """How often a day the words from one place to another tell, and whether by a number; 0 where that is not one count."""
        scan = self.scan
        rates = [o for o in scan.often if start <= o.start < end and not o.weak]
        slots = {slot.name for slot in scan.slots if start <= slot.start < end}
        if len(rates) == 1 and not slots:
            one = rates[0]
            whole = one.low == one.high >= 1 and one.low.denominator == 1 and not one.ceiling
            return (int(one.low) if whole else 0), True
        return (len(slots) if not rates else 0), False

    def _times_by_part(self, doses: list[AmountNote]) -> list[int] | None:
        """How many parts of the day follow each amount; None where one has none, or anything else tells how often."""
        scan, slots = self.scan, self.scan.slots
        if scan.meals or scan.weekdays or self.hours or any(not o.weak for o in scan.often):
            return None
        ends = [*(d.start for d in doses[1:]), len(scan.words)]
        told = [sum(d.start < s.start < end for s in slots) for d, end in zip(doses, ends, strict=True)]
        once_each = len({s.name for s in slots}) == len(slots) == sum(told)
        return told if all(told) and once_each else None


def _numbers(scan: Scan) -> set[int]:
    return {i for i, num in enumerate(scan.nums) if num} | {i for i, word in enumerate(scan.words) if word == UNREADABLE}


def _route_in_name(form: str) -> str | None:
    """The route that a form's own name tells: an oral solution."""
    named = (route for (_, route), name in FORM_BY_ROUTE.items() if name == form)
    return next((route for route in named if f"{route} " in f"{form} "), None)


def _size_of_package(amount: AmountNote, after: AmountNote | None) -> bool:
    """As in "0.4 ML 100 MG/ML Prefilled Syringe"."""
    beside = after is not None and after.kind == "concentration" and after.start == amount.end
    return amount.kind in ("volume", "count") and beside


def _size_in_brackets(scan: Scan, before: AmountNote | None, amount: AmountNote) -> bool:
    """As in "100 unit/mL (3 mL) pen": how large the package is."""
    behind = before is not None and before.kind == "concentration" and scan.words[before.end : amount.start] == ["("]
    return amount.kind == "volume" and behind and scan.word(amount.end) == ")" and found_is(scan.find(amount.end + 1), "form")


def _without_ones(doses: list[AmountNote]) -> list[AmountNote]:
    """Without bare ones beside a volume, which only say that it is taken once."""
    bare = [d for d in doses if d.kind == "bare"]
    return [d for d in doses if d.kind != "bare"] if all(b.low == b.high == 1 for b in bare) else doses


def _one_unit(doses: list[AmountNote]) -> str | None:
    """The unit of exact amounts of which some may have left it out; None for ranges and for different units."""
    units = {d.unit for d in doses if d.unit}
    return None if len(units) > 1 or any(d.low != d.high for d in doses) else units.pop() if units else ""


def _exact_share(mass: AmountNote, count: AmountNote) -> Decimal | None:
    """What one holds, where so many hold the mass; None where that is no exact number or differs along a range."""
    if not count.low:
        return None
    one = Fraction(mass.low) / Fraction(count.low)
    value = Decimal(one.numerator) / Decimal(one.denominator)
    return value if one * Fraction(count.high) == Fraction(mass.high) and Fraction(value) == one else None
