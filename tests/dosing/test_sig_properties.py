"""What holds for every direction, whatever its words."""

from __future__ import annotations

from dosing_units import LEX, UNITS
from hypothesis import given, settings
from hypothesis import strategies as st
from measuring.directions import day_of

from safety.model.directions import Directions
from safety.model.quantity import Quantity
from safety.reading.directions.sig import read_sig
from safety.understanding.amounts import Amounts, amounts_of

WORDS = (
    "take give 1 2 3 10 12 40 150 200 500 0.5 1/2 mg g mcg mL units tablet tablets capsule puffs drops % / - to or and plus "
    "every q 4 6  8 h hours daily bid tid twice three times a day week month as needed prn max mdd not more than up in 24 "
    "then for x days week po by  mouth each both eyes nostril at bedtime morning noon ( ) , . ; : = > once now today first "
    "on 1 until if unless stop increase  decrease by taper sliding scale kg m2 dose doses total divided extended release "
    "oral monday except other half of dozen couple xyzzy  tome una tableta cada horas veces al dia "
)
VOCABULARY = st.lists(st.sampled_from(WORDS.split()), max_size=60).map(" ".join)
LONG = st.lists(st.sampled_from(WORDS.split()), max_size=400).map(lambda words: " ".join(words)[:2000])
DOSES = [
    "1 tablet", "two tablets", "1-2 tablets", "1/2 tablet", "one and a half tablets", "500 mg", "0.5 g", "10 mL", "2 puffs",
    "10 units",
]  # fmt: skip
ROUTES = ["", "by mouth", "po", "under the skin"]
OFTEN = [
    "daily", "once a day", "twice daily", "three times a day", "bid", "every 6 hours", "q4-6h", "every other day", "every 3 days",
    "weekly", "once a week", "twice a week", "once a month", "at bedtime", "with meals", "in the morning and at night",
    "2 times every 1 day", "every 12 weeks", "1 to 2 times a day", "four times a day",
]  # fmt: skip
TAILS = ["", "for 10 days", "with food", "for pain"]
PARTS = st.tuples(st.sampled_from(DOSES), st.sampled_from(ROUTES), st.sampled_from(OFTEN), st.sampled_from(TAILS))


def read(text: str) -> Directions:
    return read_sig(text, LEX)


def joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def meant(text: str) -> tuple[object, ...]:
    sig = read(text)
    return sig.dose, sig.times_per_day, sig.per_day, sig.as_needed, sig.days, sig.route, sig.steps, sig.day_max


def day(text: str) -> tuple[Quantity, Quantity] | None:
    """The day in the unit that is told: counts and volumes stand for themselves."""
    told = day_of(read(text), UNITS)
    if told is None:
        return None
    amount = told.split(" for ")[0]
    numbers, _, unit = amount.partition(" ")
    low, _, high = numbers.partition("..")
    found = UNITS.parse(f"{low} mg"), UNITS.parse(f"{high or low} mg")
    assert found[0] is not None
    assert found[1] is not None
    return Quantity(found[0].value, unit), Quantity(found[1].value, unit)


@settings(deadline=None)
@given(st.one_of(st.text(max_size=2000), VOCABULARY, LONG))
def test_any_text_is_read_without_an_error(text: str) -> None:
    found = amounts_of(read(text), None, UNITS)
    assert isinstance(found, Amounts)
    assert (found.day is None) <= bool(found.why_not)


@settings(deadline=None)
@given(VOCABULARY)
def test_steps_and_amounts_are_never_upside_down(text: str) -> None:
    sig = read(text)
    for step in sig.steps:
        assert step.dose is None or step.dose[0].value <= step.dose[1].value
        assert step.days is None or step.days > 0
    if sig.steps:
        assert sig.unread == ()
        assert (sig.dose, sig.per_day) == (None, None)
    found = amounts_of(sig, None, UNITS)
    for pair in (found.single, found.day):
        assert pair is None or 0 <= pair[0].value <= pair[1].value or pair[0].unit != pair[1].unit


@settings(deadline=None)
@given(PARTS, st.sampled_from([str.upper, str.title, str.lower]), st.integers(1, 3))
def test_case_and_spacing_change_nothing(parts: tuple[str, ...], cased: object, spaces: int) -> None:
    text = joined(*parts)
    assert callable(cased)
    assert meant((" " * spaces).join(cased(text).split())) == meant(text)
    assert meant(f"\n{text}\t") == meant(text)


@settings(deadline=None)
@given(PARTS)
def test_the_order_of_phrases_changes_nothing(parts: tuple[str, ...]) -> None:
    dose, route, often, tail = parts
    assert meant(joined(route, often, dose, tail)) == meant(joined(dose, route, often, tail))
    assert meant(joined(dose, often, route, tail)) == meant(joined(dose, route, often, tail))


@settings(deadline=None)
@given(st.sampled_from(ROUTES), st.sampled_from(OFTEN))
def test_numbers_in_words_and_in_digits_are_one(route: str, often: str) -> None:
    for words, digits in (
        ("two tablets", "2 tablets"),
        ("half a tablet", "1/2 tablet"),
        ("one and a half tablets", "1.5 tablets"),
    ):
        assert meant(joined(words, route, often)) == meant(joined(digits, route, often))


@settings(deadline=None)
@given(st.integers(1, 5000), st.sampled_from(OFTEN))
def test_milligrams_and_grams_are_one_amount(value: int, often: str) -> None:
    small = amounts_of(read(f"{value} mg {often}"), None, UNITS).day
    large = amounts_of(read(f"{value / 1000:.3f} g {often}"), None, UNITS).day
    assert small is not None
    assert large is not None
    assert [UNITS.compare(a, b) for a, b in zip(small, large, strict=True)] == [0, 0]


@settings(deadline=None)
@given(PARTS, st.data())
def test_a_direction_cut_short_never_tells_more(parts: tuple[str, ...], data: st.DataObject) -> None:
    text = joined(*parts)
    whole, short = day(text), day(text[: data.draw(st.integers(0, len(text)))])
    assert whole is not None, text
    if short is not None:
        assert short[1].value <= whole[1].value
        assert short[1].unit == whole[1].unit


@settings(deadline=None)
@given(st.one_of(VOCABULARY, PARTS.map(lambda p: joined(*p))), st.sampled_from(["as needed", "prn", "as needed for pain"]))
def test_as_needed_never_raises_the_highest(text: str, needed: str) -> None:
    before, after = day(text), day(f"{text} {needed}")
    if before is not None and after is not None and before[1].unit == after[1].unit:
        assert after[1].value <= before[1].value
        assert after[0].value <= before[0].value
