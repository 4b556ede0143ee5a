"""What people say made plain: numbers in words, contractions, spellings of units, slips of the keyboard."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safety.knowledge.library import Library
from safety.reading.spoken.statement import Spoken
from safety.reading.spoken.words import Plainly

ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
    *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS = ["_", "_", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


@pytest.fixture(scope="module")
def plainly(library: Library) -> Plainly:
    return Spoken(library).plainly


def plain(plainly: Plainly, text: str, *, apart: bool = False) -> str:
    return plainly.words(text, apart=apart).text.strip()


def spelled(n: int, joint: str = " ", link: str = " ") -> str:
    """A number in words; `joint` between twenty and one, `link` after hundred and thousand."""
    if n < 20:
        return ONES[n]
    if n < 100:
        return TENS[n // 10] + (joint + ONES[n % 10] if n % 10 else "")
    for size, name in ((1000, "thousand"), (100, "hundred")):
        if n >= size:
            rest = (link + spelled(n % size, joint, link)) if n % size else ""
            return f"{spelled(n // size, joint, link)} {name}{rest}"
    raise AssertionError


@given(st.integers(0, 9999), st.sampled_from([" ", "-"]), st.sampled_from([" ", " and "]))
def test_a_number_in_words_is_the_number_in_digits(plainly: Plainly, n: int, joint: str, link: str) -> None:
    assert plain(plainly, f"I take {spelled(n, joint, link)} mg") == f"i take {n} mg"


@given(st.integers(0, 999), st.lists(st.integers(0, 9), min_size=1, max_size=4))
def test_what_stands_behind_a_point_is_told_digit_by_digit(plainly: Plainly, n: int, digits: list[int]) -> None:
    text = f"{spelled(n)} point {' '.join(ONES[d] for d in digits)} mg"
    assert plain(plainly, text) == f"{n}.{''.join(map(str, digits))} mg"


@given(st.integers(1, 99))
def test_a_half_belongs_to_the_number_before_it(plainly: Plainly, n: int) -> None:
    assert plain(plainly, f"{spelled(n)} and a half tablets") == f"{n}.5 tablets"
    assert plain(plainly, f"{spelled(n)} 1/2 tablets") == f"{n}.5 tablets"
    assert plain(plainly, f"{n} tablets and a half") == f"{n}.5 tablets"


@given(st.integers(2, 9), st.integers(2, 9), st.integers(0, 9))
def test_three_digits_may_be_told_without_the_word_hundred(plainly: Plainly, a: int, b: int, c: int) -> None:
    text = f"{ONES[a]} {TENS[b]}{' ' + ONES[c] if c else ''} mg"
    assert plain(plainly, text) == f"{a}{b}{c} mg"


@given(st.integers(13, 9999))
def test_a_number_that_is_said_twice_is_that_number(plainly: Plainly, n: int) -> None:
    assert plain(plainly, f"{spelled(n)} {spelled(n)} mg twice a day") == plain(plainly, f"{spelled(n)} mg twice a day")


@given(st.integers(1, 9), st.integers(2, 9))
def test_a_count_and_a_strength_are_two_numbers(plainly: Plainly, count: int, tens: int) -> None:
    assert plain(plainly, f"{ONES[count]} {TENS[tens]} mg tablets") == f"{count} {tens}0 mg tablets"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I've been takin’ forty-mg twice", "i have been taking 40 mg 2 times"),
        ("1,500 mg", "1500 mg"),
        (".5 mg", "0.5 mg"),
        ("½ tablet", "0.5 tablet"),
        ("40-80mg", "40 to 80 mg"),
        ("twice b.i.d.", "2 times 2 times daily"),
        ("at 8:30 a.m.", "in the morning"),
        ("12.5 in the a.m. and 25 at 9 pm", "12.5 in the morning and 25 in the evening"),
        ("I am tired", "i am tired"),
        ("a couple of pills", "2 pills"),
        ("a dozen pills", "12 pills"),
        ("half of a tablet", "0.5 tablet"),
        ("half the dose", "half the dose"),
        ("half a day", "0.5 a day"),
        ("the white one", "the white one"),
        ("one of the forties", "1 of the 40s"),
        ("the one twelves", "the 112s"),
        ("five hundreds", "500s"),
        ("two hundreds", "2 100s"),
        ("five hundred three times a day", "500 3 times a day"),
        ("five hundred five hundred mg", "500 mg"),
        ("two hundred five hundred mg", "200 500 mg"),
        ("two hundred fifty five hundred mg", "250 500 mg"),
        ("one thousand five hundred mg", "1500 mg"),
        ("five five mg tablets", "5 5 mg tablets"),
        ("a hundred and five", "105"),
        ("a thousand units", "1000 unit"),
        ("one oh five", "105"),
        ("point two five of a milligram", "0.25 mg"),
        ("five tenths of a milligram", "0.5 mg"),
        ("a teaspoonful", "1 tsp"),
        ("I frgot it this mornign", "i forgot it this morning"),
        ("I mossed the light table", "i mossed the light table"),
        ("the bottle's empty", "the bottle is empty"),
        ("he no take it", "he did not take it"),
        ("", ""),
    ],
)
def test_it_is_made_plain(plainly: Plainly, text: str, words: str) -> None:
    assert plain(plainly, text) == words


def test_one_forty_may_be_heard_in_two_ways(plainly: Plainly) -> None:
    assert plainly.two_ways("one forty milligram pill")
    assert not plainly.two_ways("two forty milligram pills")
    assert plain(plainly, "one forty milligrams") == "140 mg"
    assert plain(plainly, "one forty milligrams", apart=True) == "1 40 mg"


@given(st.text(max_size=80))
def test_any_text_is_made_plain_in_lower_case_with_single_spaces(plainly: Plainly, text: str) -> None:
    words = plainly.words(text).text
    assert words == words.lower()
    assert "  " not in words
    assert words == "" or words.endswith(" ")


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz ,.'0123456789-", max_size=80))
def test_what_is_plain_stays_as_it_is_but_for_capitals(plainly: Plainly, text: str) -> None:
    assert plainly.words(text).text == plainly.words(text.upper()).text
    assert plainly.words(text).text == plainly.words(text.replace("'", "’")).text
