"""Where the words of one order and its structure cannot both hold: its dose, how often, a day's amount, the route, as needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from safety.model.directions import Directions, TimesPerDay, amount_in_words, how_often_in_words
from safety.model.quantity import Quantity, QuantityRange, Units
from safety.reading.directions.galenic import ACTUATIONS, SOLIDS, forms_apart, one_way
from safety.reading.directions.told import Tellings
from safety.understanding.amounts import Contents, amounts_of

Aspect = Literal["dose", "frequency", "day", "most in a day", "route", "as needed", "strength", "form"]
_UNEVEN = Fraction(6, 5)
"""Less often than daily no two ways of saying it come out even: "on alternate days" is three or four times a week."""
_CUT_INTO = (2, 3, 4)
"""Into how many equal parts a tablet is cut."""


class Difference(Struct, frozen=True):
    """A part of which words and structure of one order say what cannot both be."""

    part: Aspect
    words: Directions
    structure: Directions


def differences(
    told: Tellings, known: Directions, contents: Contents | None, units: Units, *, combination: bool = False
) -> tuple[Difference, ...]:
    """Each part once, of the first words that contradict the structure.

    Words that say the same or say it more narrowly ("1 tablet" of 500 mg and 500 mg; "1 tablet" and 1 to 2; "at bedtime" and
    once a day) do not contradict it, nor do words that are silent. `known` is what the whole comes to: it lends the strength,
    by which an amount of the drug and a number of tablets are compared.
    """
    found: dict[Aspect, Difference] = {}
    amounts = None if combination else _one_too_many(told, known, units)
    if amounts is not None:
        found["strength"] = Difference("strength", *amounts)
    if (counted := _counted_otherwise(told)) is not None:
        found["form"] = Difference("form", told.name, counted)
    if told.structure is None:
        return tuple(found.values())
    compared = _Compared(told.structure, known, contents, units, combination)
    for words in _compared_words(told):
        for part in compared.parts(words):
            found.setdefault(part, Difference(part, words, told.structure))
    return tuple(found.values())


def _counted_otherwise(told: Tellings) -> Directions | None:
    """The telling whose dose counts what the form beside the name cannot be: one patch of a tablet."""
    rest = (one for one in (told.structure, told.sig, *told.beside) if one is not None and one.dose is not None)
    return next((one for one in rest if one.dose is not None and forms_apart(told.name.form, one.dose[0].unit)), None)


def _compared_words(told: Tellings) -> Iterator[Directions]:
    """The words that are held against the structure: after the name only what has a frequency is a dose, the rest describes
    the product; of what stands beside, only what was understood to the last word."""
    yield told.name if told.name.times_per_day else replace(told.name, dose=None)
    if told.sig is not None:
        yield told.sig
    yield from (words for words in told.beside if not words.unread)


def _one_too_many(told: Tellings, known: Directions, units: Units) -> tuple[Directions, Directions] | None:
    """An amount of the drug that one telling names, and that is neither the strength nor the dose nor a day's amount; or a
    strength of which the dose is no part that can be cut. With what is judged instead."""
    for words in (told.name, told.sig, *(one for one in told.beside if not one.unread)):
        amount = _named(words, units) if words is not None else None
        if amount is not None and not _accounted(amount, known, units):
            return Directions("", strength=amount), known
    bare = _bare_range(told.name)
    if bare is not None and known.strength is not None and not _in_either(bare, known):
        return Directions("", dose=bare), known
    one, dose = known.strength, known.dose
    if one is None or dose is None or not _one_piece(known) or units.compare(dose[1], one) != -1:
        return None
    share = units.convert(dose[1], one.unit)
    cut = share is not None and any(share * parts % one.value == 0 for parts in _CUT_INTO)
    return None if cut else (Directions("", strength=one), replace(known, strength=None))


def _bare_range(words: Directions) -> QuantityRange | None:
    """Two numbers without a unit beside the name and no time to take them ("citalopram 5-10")."""
    dose = words.dose
    bare = dose is not None and not words.times_per_day and dose[0] != dose[1] and not dose[0].unit and not dose[1].unit
    return dose if bare else None


def _in_either(bare: QuantityRange, known: Directions) -> bool:
    """Whether the two numbers are those of the dose, or one of them is that of the strength."""
    values = {end.value for end in bare}
    of_dose = known.dose is not None and values <= {end.value for end in known.dose}
    return of_dose or (known.strength is not None and known.strength.value in values)


def _named(words: Directions, units: Units) -> Quantity | None:
    """What a telling names as a strength, or as an amount of the drug with no time to take it."""
    if words.strength is not None:
        return words.strength if not words.strength_per and "/" not in words.strength.unit else None
    alone = words.dose is not None and not words.times_per_day and words.dose[0] == words.dose[1]
    amount = words.dose[0] if alone and words.dose is not None else None
    return amount if amount is not None and units.dimension(amount.unit) in ("mass", "activity") else None


def _accounted(amount: Quantity, known: Directions, units: Units) -> bool:
    """Whether an amount is one of those that are judged; where nothing of its kind is, it contradicts nothing."""
    found = [units.compare(amount, one) for one in _known_amounts(known)]
    return 0 in found or (known.strength is None and not any(one is not None for one in found))


def _known_amounts(known: Directions) -> Iterator[Quantity]:
    told = [known.dose, known.per_day, *(step.dose for step in known.steps)]
    ends = [end for both in told if both is not None for end in both]
    yield from ends
    if known.strength is not None:
        yield known.strength
        yield from (Quantity(end.value * known.strength.value, known.strength.unit) for end in ends)


def _one_piece(known: Directions) -> bool:
    """Whether the strength is what one tablet or capsule holds."""
    solid = known.form is None or known.form.endswith(("tablet", "capsule"))
    return solid and known.strength is not None and not known.strength_per and known.route in (None, "oral")


class _Compared:
    """The structure of one order, held against one telling in words after the other."""

    def __init__(
        self, structure: Directions, known: Directions, contents: Contents | None, units: Units, combination: bool
    ) -> None:  # fmt: skip
        self.structure, self.known, self.contents = structure, known, contents
        self.units, self.combination = units, combination

    def parts(self, words: Directions) -> Iterator[Aspect]:
        """The parts in which these words contradict the structure."""
        schedule = list(self._schedule(words))
        yield from schedule or (["day"] if self._days_apart(words) else [])
        if self._apart(_most(words), _most(self.structure)):
            yield "most in a day"
        if not one_way(words.route, self.structure.route):
            yield "route"
        if words.as_needed and self.structure.as_needed is False:
            yield "as needed"

    def _schedule(self, words: Directions) -> Iterator[Aspect]:
        if self._doses(words):
            yield "dose"
        if _rates_apart(_rates(words), _rates(self.structure)):
            yield "frequency"

    def _days_apart(self, words: Directions) -> bool:
        """The day, where one of the two tells it as such; otherwise dose and frequency say it."""
        told = words.per_day is not None or self.structure.per_day is not None
        return told and self._apart(_day(words), _day(self.structure))

    def _doses(self, words: Directions) -> bool:
        """One dose; told of both eyes, it may be meant for each of them or for both together."""
        mine, theirs = self._widest(_doses(words)), self._widest(_doses(self.structure))
        together = mine and tuple(Quantity(q.value * words.sites, q.unit) for q in mine)
        return self._apart(mine, theirs) and (together is None or self._apart((together[0], together[1]), theirs))

    def _widest(self, doses: Sequence[QuantityRange]) -> QuantityRange | None:
        """From the lowest to the highest of several; None where they cannot be compared."""
        if not doses:
            return None
        low, high = doses[0]
        for other_low, other_high in doses[1:]:
            below, above = self._compare(other_low, low), self._compare(other_high, high)
            if below is None or above is None:
                return None
            low, high = (other_low if below < 0 else low), (other_high if above > 0 else high)
        return low, high

    def _apart(self, mine: QuantityRange | None, theirs: QuantityRange | None) -> bool:
        """Whether the one is surely less than the other, or allows more than it."""
        if mine is None or theirs is None:
            return False
        return self._compare(mine[1], theirs[0]) == -1 or self._compare(mine[1], theirs[1]) == 1

    def _compare(self, one: Quantity, other: Quantity) -> int | None:
        """As amounts of one kind, or else as amounts of the drug; None where neither can be said."""
        if self._counts_alike(one.unit, other.unit):
            return (one.value > other.value) - (one.value < other.value)
        direct = self.units.compare(one, other)
        if direct is not None:
            return direct
        held = self._of_the_drug(one), self._of_the_drug(other)
        return self.units.compare(held[0], held[1]) if held[0] is not None and held[1] is not None else None

    def _counts_alike(self, one: str, other: str) -> bool:
        """Whether two units count the same; a bare number counts whatever is counted."""
        if {one, other} <= SOLIDS or {one, other} <= ACTUATIONS:
            return True
        counted = all((self.units.dimension(unit) or f"count:{unit}").startswith("count:") for unit in (one, other))
        return counted and "" in (one, other)

    def _of_the_drug(self, amount: Quantity) -> Quantity | None:
        k = self.known
        alone = Directions(
            "", strength=k.strength, strength_per=k.strength_per, dose=(amount, amount), form=k.form, route=k.route
        )
        single = amounts_of(alone, self.contents, self.units, combination=self.combination).single
        return single[1] if single is not None else None


def _doses(told: Directions) -> list[QuantityRange]:
    return [told.dose] if told.dose else [step.dose for step in told.steps if step.dose]


def _rates(told: Directions) -> list[TimesPerDay]:
    return [told.times_per_day] if told.times_per_day else [step.times_per_day for step in told.steps if step.times_per_day]


def _rates_apart(mine: Sequence[TimesPerDay], theirs: Sequence[TimesPerDay]) -> bool:
    """Whether the one is surely seldomer than the other, or allows more than it."""
    if not mine or not theirs:
        return False
    most = max(high for _, high in mine)
    least, top = min(low for low, _ in theirs), max(high for _, high in theirs)
    if most < 1 and top < 1:
        most, least, top = most, least / _UNEVEN, top * _UNEVEN
    return most < least or most > top


def _day(told: Directions) -> QuantityRange | None:
    """The day's amount as told, or as dose and frequency come to."""
    if told.per_day is not None or told.dose is None or told.times_per_day is None:
        return told.per_day
    (low, high), (fewest, most) = told.dose, told.times_per_day
    return Quantity(_product(low, fewest), low.unit), Quantity(_product(high, most), high.unit)


def _product(amount: Quantity, times: Fraction) -> Decimal:
    value = Fraction(amount.value) * times
    return Decimal(value.numerator) / Decimal(value.denominator)


def _most(told: Directions) -> QuantityRange | None:
    """The most in a day, where it is told."""
    return (told.day_max, told.day_max) if told.day_max is not None else None


# --- asking --------------------------------------------------------------------------------------------------------


def question(found: Sequence[Difference]) -> str:
    """What to ask: the one against the other, and what is judged meanwhile."""
    forms = next((d for d in found if d.part == "form"), None)
    if forms is not None:
        return f"Which holds: {forms.words.form}, or {_doses_said(forms.structure)}? The {forms.words.form} is judged until then."
    words = ", ".join(_said(difference.part, difference.words) for difference in found)
    structure = ", ".join(_said(difference.part, difference.structure) for difference in found)
    if any(difference.part == "strength" for difference in found):
        return f"Which holds: {words}, or {structure}? The latter is judged until then."
    return f"Which holds: {words} (as its text says), or {structure} (as its fields say)? The fields are judged until then."


def _said(aspect: Aspect, told: Directions) -> str:
    return _IN_WORDS[aspect](told)


def _doses_said(told: Directions) -> str:
    return " or ".join(dict.fromkeys(amount_in_words(dose) for dose in _doses(told)))


def _rates_said(told: Directions) -> str:
    one = [(told.times_per_day, told.interval_hours)]
    rates = one if told.times_per_day else [(step.times_per_day, step.interval_hours) for step in told.steps]
    return " or ".join(dict.fromkeys(how_often_in_words(*rate) for rate in rates if rate[0]))


_IN_WORDS: Mapping[Aspect, Callable[[Directions], str]] = {
    "dose": _doses_said,
    "frequency": _rates_said,
    "day": lambda told: f"{amount_in_words(_day(told))} a day",
    "most in a day": lambda told: f"at most {amount_in_words(_most(told))} a day",
    "strength": lambda told: amount_in_words((told.strength, told.strength) if told.strength else told.dose),
    "form": lambda told: told.form or "",
    "route": lambda told: told.route or "",
    "as needed": lambda told: "as needed" if told.as_needed else "not as needed",
}
