"""Three-valued logic keeps its laws; amounts compare exactly whatever unit they are told in."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from safety.judging.bounds import keeps, span_within
from safety.knowledge.library import Bound, Library
from safety.model.quantity import Quantity
from safety.model.truth import Seen, Truth, all_of, any_of

truths = st.sampled_from([True, False, None])
parts = st.lists(st.tuples(truths, st.text("ab", max_size=2)), max_size=5)
amounts = st.decimals(0, 10**6, places=6, allow_nan=False)
OPS = ("at_least", "at_most", "under", "above")


def seen(told: list[tuple[Truth, str]]) -> list[Seen]:
    return [Seen(truth, text, ("it",) if truth is None else ()) for truth, text in told]


@given(parts)
def test_all_is_false_with_one_false_and_not_known_with_one_not_known(told: list[tuple[Truth, str]]) -> None:
    found = all_of(seen(told)).truth
    values = [t for t, _ in told]
    assert found is (False if False in values else None if None in values else True)


@given(parts)
def test_any_is_the_mirror_of_all(told: list[tuple[Truth, str]]) -> None:
    turned = [(None if t is None else not t, text) for t, text in told]
    one, other = any_of(seen(told)).truth, all_of(seen(turned)).truth
    assert one is (None if other is None else not other)


@given(parts)
def test_what_is_not_known_always_says_what_would_settle_it(told: list[tuple[Truth, str]]) -> None:
    for found in (all_of(seen(told)), any_of(seen(told))):
        assert (found.truth is None) is bool(found.needs)


@given(amounts, amounts, st.sampled_from(["mg", "mcg", "g"]), st.sampled_from(["mg", "mcg", "g"]))
def test_amounts_compare_as_exact_fractions_do(library: Library, a: Decimal, b: Decimal, one: str, other: str) -> None:
    factor = {"mcg": Fraction(1, 1000), "mg": Fraction(1), "g": Fraction(1000)}
    left, right = Fraction(a) * factor[one], Fraction(b) * factor[other]
    assert library.units.compare(Quantity(a, one), Quantity(b, other)) == (left > right) - (left < right)


@given(amounts, amounts, st.sampled_from(OPS), st.sampled_from([None, "low", "high", "both"]))
def test_a_span_is_inside_only_where_every_amount_in_it_is(
    library: Library, a: Decimal, b: Decimal, op: str, known: str | None
) -> None:
    low, high = sorted((a, b))
    bound = Bound(op, Quantity(Decimal(500), "mg"), "")  # type: ignore[arg-type]
    ends = (
        Quantity(low, "mg") if known in ("low", "both") else None,
        Quantity(high, "mg") if known in ("high", "both") else None,
    )
    got = span_within(*ends, (bound,), library.units)
    sides = [keeps(op, (v > 500) - (v < 500)) for v in (low, high)]
    if known == "both":
        assert got is (True if all(sides) else False if not any(sides) else None)
    elif got is not None and known is not None:  # one end that is known can only decide for the side it closes
        assert got is sides[0 if known == "low" else 1]
    else:
        assert known is not None or got is None


@given(amounts, st.sampled_from(OPS))
def test_who_watches_changes_no_answer(library: Library, a: Decimal, op: str) -> None:
    bound = Bound(op, Quantity(Decimal(500), "mg"), "")  # type: ignore[arg-type]
    told: list[int] = []
    amount = Quantity(a, "mg")
    plain = span_within(amount, amount, (bound,), library.units)
    assert span_within(amount, amount, (bound,), library.units, lambda _, order: told.append(order)) is plain
    assert set(told) == {(a > 500) - (a < 500)}
