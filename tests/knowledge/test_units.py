"""Units: there and back again is where one was; unlike units are refused, never guessed."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from conftest import compiled, examples
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.model.quantity import Quantity, Units, number

UNITS: Units = compiled().library.units
TABLE = compiled().library.units_table
SYMBOLS = sorted({u for units in TABLE.dimensions.values() for u in units} | set(TABLE.count) | set(TABLE.aliases))
SPELLINGS = sorted((spelling, symbol) for symbol, others in TABLE.aliases.items() for spelling in others)
PAIRS = sorted((a, b) for units in TABLE.dimensions.values() for a in units for b in units)
_SYMBOL = st.sampled_from(SYMBOLS)
_PLAIN = st.sampled_from(sorted({u for pair in PAIRS for u in pair} | set(TABLE.count)))
# a ratio that a table already reads as something else (m/uL: a million in a microlitre) is written as that
_RATIO = st.one_of(_SYMBOL, st.tuples(_PLAIN, _PLAIN).map("/".join).map(lambda unit: UNITS.symbol(unit) or unit))
_VALUE = st.decimals(min_value=Decimal("0.001"), max_value=Decimal(10**6), places=3)


def _near(a: Decimal, b: Decimal) -> bool:
    return abs(Fraction(a) - Fraction(b)) <= abs(Fraction(b)) * Fraction(1, 10**20)


@settings(max_examples=examples(120), deadline=None)
@given(pair=st.sampled_from(PAIRS), value=_VALUE)
def test_converting_there_and_back_gives_the_amount_again(pair: tuple[str, str], value: Decimal) -> None:
    there = UNITS.convert(Quantity(value, pair[0]), pair[1])
    assert there is not None
    back = UNITS.convert(Quantity(there, pair[1]), pair[0])
    assert back is not None
    assert _near(back, value)


@settings(max_examples=examples(120), deadline=None)
@given(a=_RATIO, b=_RATIO, x=_VALUE, y=_VALUE)
def test_comparing_the_other_way_round_turns_the_answer_round(a: str, b: str, x: Decimal, y: Decimal) -> None:
    one, other = UNITS.compare(Quantity(x, a), Quantity(y, b)), UNITS.compare(Quantity(y, b), Quantity(x, a))
    assert (one is None) == (other is None)
    assert one is None or other is None or one == -other


@settings(max_examples=examples(120), deadline=None)
@given(a=_RATIO, b=_RATIO, x=_VALUE, y=_VALUE)
def test_what_compares_converts_and_both_agree(a: str, b: str, x: Decimal, y: Decimal) -> None:
    order, converted = UNITS.compare(Quantity(x, a), Quantity(y, b)), UNITS.convert(Quantity(x, a), b)
    assert (order is None) == (converted is None) == (UNITS.dimension(a) != UNITS.dimension(b))
    if converted is not None and not _near(converted, y):
        assert order == (converted > y) - (converted < y)


@settings(max_examples=examples(200), deadline=None)
@given(pair=st.sampled_from(PAIRS), x=_VALUE, y=_VALUE, z=_VALUE)
def test_comparing_is_transitive_across_units(pair: tuple[str, str], x: Decimal, y: Decimal, z: Decimal) -> None:
    a, b, c = Quantity(x, pair[0]), Quantity(y, pair[1]), Quantity(z, pair[0])
    if UNITS.compare(a, b) == UNITS.compare(b, c) == -1:
        assert UNITS.compare(a, c) == -1


@settings(max_examples=examples(120), deadline=None)
@given(st.text(max_size=20) | st.tuples(st.from_regex(r"[-+0-9.,]{1,9}", fullmatch=True), st.text(max_size=8)).map(" ".join))
def test_any_text_is_an_amount_or_none_and_never_an_exception(text: str) -> None:
    found = UNITS.parse(text)
    if found is not None:
        assert UNITS.dimension(found.unit) is not None
        assert UNITS.parse(str(found)) is not None


@settings(max_examples=examples(200), deadline=None)
@given(value=_VALUE, unit=_RATIO)
def test_an_amount_reads_back_as_it_was_written(value: Decimal, unit: str) -> None:
    read = UNITS.parse(str(Quantity(value, unit)))
    assert read is not None
    assert read.value == value
    assert UNITS.compare(read, Quantity(value, unit)) == 0


@pytest.mark.parametrize("a", sorted(TABLE.dimensions))
def test_no_dimension_converts_into_another(a: str) -> None:
    first = next(iter(TABLE.dimensions[a]))
    for b, units in TABLE.dimensions.items():
        for unit in units:
            assert (UNITS.convert(Quantity(Decimal(1), first), unit) is None) == (a != b)


def test_a_thing_that_is_counted_equals_only_itself() -> None:
    for a in TABLE.count:
        for b in SYMBOLS:
            order = UNITS.compare(Quantity(Decimal(1), a), Quantity(Decimal(1), b))
            assert order == (0 if a == b else None), (a, b)


def test_every_spelling_means_its_unit_and_no_spelling_means_two() -> None:
    wrong = {spelling: (UNITS.symbol(spelling), symbol) for spelling, symbol in SPELLINGS if UNITS.symbol(spelling) != symbol}
    assert wrong == {}


def test_a_spelling_in_another_case_means_the_same_unit_or_nothing_at_all() -> None:
    """Where upper case makes it another unit's own spelling (MU is a million units, mU a thousandth), that one is meant."""
    spelled = dict(SPELLINGS) | {s: s for s in SYMBOLS}
    for spelling, symbol in spelled.items():
        for other in (spelling.upper(), spelling.lower(), spelling.title()):
            assert UNITS.symbol(other) in {symbol, spelled.get(other), None}, (spelling, other)


@pytest.mark.parametrize(
    "pair", [("mg", "mL"), ("mmol", "mg"), ("tablet", "mg"), ("unit", "mg"), ("mg/dL", "mmol/L"), ("mL/min", "mL/min/1.73m2")]
)
def test_what_only_looks_alike_is_refused(pair: tuple[str, str]) -> None:
    assert UNITS.convert(Quantity(Decimal(1), pair[0]), pair[1]) is None
    assert UNITS.compare(Quantity(Decimal(1), pair[0]), Quantity(Decimal(1), pair[1])) is None


@pytest.mark.parametrize(
    ("text", "shown"),
    [("4,000 mg", "4000 mg"), ("0.50 mg", "0.5 mg"), ("100 mcg/kg", "100 mcg/kg"), ("30 mL/min/{1.73_m2}", "30 mL/min/1.73m2"),
     ("1.0 gram", "1 g"), ("5MG", "5 mg"), (" 2  tablets ", "2 tablet")],
)  # fmt: skip
def test_an_amount_is_shown_with_its_canonical_unit(text: str, shown: str) -> None:
    assert str(UNITS.parse(text)) == shown


@pytest.mark.parametrize("text", ["", "mg", "5", "5 mgg", "1,00 mg", "1..5 mg", "five mg", "5 mg mg", "NaN mg", "inf mg"])
def test_what_is_not_a_number_with_a_known_unit_is_no_amount(text: str) -> None:
    assert UNITS.parse(text) is None


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-inf", "sNaN", "1e999", "1e-999", "9" * 40, "", " ", "1 2", "0x10", "½"])
def test_a_number_that_is_not_finite_or_far_too_long_is_none(text: str) -> None:
    assert number(text) is None
