"""A text as words: each folded once, each where it stands; and the patterns that lists of words make."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from safety.reading.wording import any_of, cleaned, key_of, worded
from safety.text import fold

TEXTS = st.text(max_size=80) | st.text("aáàñçüΩµ½²’'-+/&%.,0123456789 AZmgé", max_size=80)
PHRASES = st.lists(st.text("abc d", min_size=1, max_size=6).filter(lambda t: t.strip() != ""), min_size=1, max_size=6)


@given(TEXTS)
def test_every_word_stands_where_its_span_says(text: str) -> None:
    line = worded(cleaned(text))
    assert len(line.words) == len(line.starts) == len(line.ends)
    after = 0
    for word, start, end in zip(line.words, line.starts, line.ends, strict=True):
        assert after <= start < end <= len(line.text)
        assert worded(line.text[start:end]).words == [word]
        after = end


@given(TEXTS)
def test_nothing_is_left_between_words_that_a_name_could_be_made_of(text: str) -> None:
    line = worded(cleaned(text))
    rest = list(line.text)
    for start, end in zip(line.starts, line.ends, strict=True):
        rest[start:end] = " " * (end - start)
    assert [c for c in rest if c.isascii() and c.isalnum()] == []


@given(TEXTS)
def test_a_key_is_found_again_under_its_own_key(text: str) -> None:
    assert key_of(key_of(text)) == key_of(text)


@given(st.text("abcdeéñü ", max_size=40))
def test_letters_case_and_accents_do_not_matter(text: str) -> None:
    plain = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    assert key_of(text.upper()) == key_of(text) == key_of(plain)


@given(st.text("abc def-", max_size=40))
def test_names_of_letters_have_one_key_in_both_foldings(text: str) -> None:
    assert key_of(text) == fold(text)


@given(PHRASES, st.integers(0, 5))
def test_a_pattern_matches_each_of_its_phrases_whole(phrases: list[str], n: int) -> None:
    pattern = re.compile(any_of(phrases))
    phrase = phrases[n % len(phrases)]
    assert pattern.fullmatch("  ".join(phrase.split())) is not None


@given(PHRASES, st.text("abc d", max_size=8))
def test_a_pattern_matches_nothing_that_is_none_of_its_phrases(phrases: list[str], text: str) -> None:
    known = {tuple(p.split()) for p in phrases}
    if re.compile(any_of(phrases)).fullmatch(text):
        assert tuple(text.split()) in known
