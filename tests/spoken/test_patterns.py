"""The small language of kb/spoken: what each mark of it finds, and that nothing written in it is misread silently."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safety.knowledge.language import Language, WordList
from safety.knowledge.library import Library
from safety.knowledge.patterns import PatternError, parse
from safety.knowledge.spoken import SpokenRow, SpokenTable
from safety.reading.spoken.examples import spelled_out
from safety.reading.spoken.matching import Table, Words

LANGUAGE = Language(
    (
        WordList("language.days", "Days", ("monday", "monday morning"), {"monday": "mon", "monday morning": "mon"}),
        WordList("language.who", "Who", ("i", "he"), {}),
    )
)
PLAIN = st.sampled_from(["take", "took", "it", "my", "2", "2.5", "20", "50s", ",", ".", "monday", "i", "he", "forgot"])


def table(*words: str, says: str = "yes", **phrases: str) -> Table:
    rows = tuple(SpokenRow(f"row-{n}", (says,) if says else (), (w,), "", "") for n, w in enumerate(words))
    return Table(SpokenTable("spoken.test", "", rows, phrases), LANGUAGE)


def found(pattern: str, text: str, **phrases: str) -> str | None:
    hit = table(pattern, **phrases).first(Words(f"{text} "))
    return None if hit is None else hit.taken.strip()


@pytest.mark.parametrize(
    ("pattern", "text", "taken"),
    [
        ("took it", "i took it", "took it"),
        ("took it", "i took its", None),
        ("took it", "mistook it", None),
        ("took it", "took , it", None),
        ("(took | takes) it", "he takes it", "takes it"),
        ("took [all of] it", "took it", "took it"),
        ("took [all of] it", "took all of it", "took all of it"),
        ("took ...2 it", "took all of it", "took all of it"),
        ("took ...1 it", "took all of it", None),
        ("took ... it", "took all but one of it", "took all but one of it"),
        ("took ... it", "took one , left it", None),
        ("took ..., it", "took one , left it", "took one , left it"),
        ("took ..., it", "took one . left it", None),
        ("took ...; it", "took one . left it", "took one . left it"),
        ("took * it", "took all it", "took all it"),
        ("took * it", "took 2 it", None),
        ("took #", "took 2.5 mg", "took 2.5"),
        ("took ##", "took 2 mg", None),
        ("took ##", "took 20 mg", "took 20"),
        ("took ##", "took 2.5 mg", "took 2.5"),
        ("my #each's", "my 50s", "my 50s"),
        ("my #each's", "my 50", None),
        ("at #clock", "at 8:30", "at 8:30"),
        ("#whole pills", "1.5 pills", None),
        ("({days} [and])+", "monday and monday morning", "monday and monday morning"),
        ("{who} forgot", "he forgot", "he forgot"),
        ("forgot !(that)", "forgot that", None),
        ("forgot !(that)", "forgot this", "forgot"),
        ("forgot &(this)", "forgot this", "forgot"),
        ("forgot &(this)", "forgot", None),
        ("only ..., >> if it", "only , say , if it", "if it"),
        ("START forgot", "i forgot", None),
        ("forgot END", "forgot it", None),
        ("forgot END", "i forgot", "forgot"),
        ("<who> forgot", "she forgot", "she forgot"),
        ("one | two words", "two words", "two words"),
    ],
)  # fmt: skip
def test_each_mark_of_the_language_finds_what_it_says(pattern: str, text: str, taken: str | None) -> None:
    assert found(pattern, text, who="she | he") == taken


def test_a_number_is_read_as_its_digits_and_a_phrase_as_what_it_means() -> None:
    hit = table("#count on {days}").first(Words("2.5 on monday morning "))
    assert hit is not None
    assert (hit.read, hit.said) == ({"count": "2.5", "days": "mon"}, {"count": "2.5", "days": "monday morning"})


def test_the_first_row_that_fits_decides_wherever_its_words_stand() -> None:
    hit = table("it", "took").first(Words("took it "))
    assert hit is not None
    assert (hit.row.id, hit.start, hit.end) == ("row-0", 5, 8)


def test_words_that_an_earlier_row_took_are_not_taken_again() -> None:
    hits = table("took it", "it", "him").every(Words("took it , it , him "))
    assert [(hit.row.id, hit.taken) for hit in hits] == [("row-0", "took it "), ("row-1", "it "), ("row-2", "him ")]


def test_a_row_that_says_nothing_takes_its_words_from_the_rows_below() -> None:
    rows = (SpokenRow("quiet", (), ("took it",), "", ""), SpokenRow("loud", ("yes",), ("it",), "", ""))
    quiet = Table(SpokenTable("spoken.test", "", rows), LANGUAGE)
    hit = quiet.first(Words("took it "))
    assert hit is not None
    assert hit.says == ()
    assert quiet.every(Words("took it ")) == []


@pytest.mark.parametrize(
    ("pattern", "wrong"),
    [
        ("", "the pattern is empty"),
        ("(a | b", "`)` is missing"),
        ("[a | b", "`]` is missing"),
        ("a)", "`)` closes nothing"),
        ("(a]", "`]` closes nothing"),
        ("a |", "there is nothing on one side of `|`"),
        ("()", "there is nothing in the brackets"),
        ("!(a)+", "`)+` repeats words that are taken, not what follows"),
        ("Took it", "`Took` is nothing that a pattern is made of"),
        ("took {It}", "`{It}` is nothing that a pattern is made of"),
        ("<nobody>", "`<nobody>` is not among the `phrases` of the table"),
        ("<ring>", "the phrase `<ring>` holds itself"),
    ],
)
def test_what_cannot_be_read_is_told(pattern: str, wrong: str) -> None:
    with pytest.raises(PatternError) as error:
        parse(pattern, {"ring": "a <ring>"})
    assert error.value.message == wrong


@given(st.text(alphabet="ab {}()[]|!&*.#,;><?'+-SE2", max_size=24))
def test_any_pattern_is_read_or_refused_and_one_that_is_read_can_be_searched(pattern: str) -> None:
    try:
        parse(pattern, {})
    except PatternError:
        return
    if "{" in pattern:
        return
    words = Words("a b a 2 b . a ")
    hit = table(pattern).first(words)
    assert hit is None or 0 <= hit.start <= hit.end <= len(words.text)


@given(st.lists(PLAIN, max_size=12), st.integers(0, 4))
def test_a_gap_is_as_wide_as_it_says(between: list[str], most: int) -> None:
    words = [w for w in between if w not in (",", ".", "took", "it")]
    assert (found(f"took ...{most} it", " ".join(["took", *words, "it"])) is not None) == (len(words) <= most)


@given(st.lists(PLAIN, min_size=1, max_size=12))
def test_what_was_taken_stands_in_the_words_where_it_is_said_to_stand(words: list[str]) -> None:
    text = Words("".join(f"{w} " for w in words))
    for hit in table("took [it]", "my #each's", "# | {days}", "{who}").every(text):
        assert text.text[hit.start : hit.end] == hit.taken
        assert hit.start == 0 or text.text[hit.start - 1] == " "
        assert hit.taken.endswith(" ")


def test_every_way_in_which_a_row_can_be_said_is_found_by_that_row(library: Library) -> None:
    """No word that a row lists is out of its reach."""
    missed = []
    for spoken in library.spoken:
        for row in spoken.rows:
            alone = Table(SpokenTable(spoken.id, "", (row,), spoken.phrases), library.language)
            ways = list(spelled_out(row, spoken, library.language))[::2]  # every other one has a word behind it
            missed += [f"{spoken.id} {row.id}: {way.text}" for way in ways if alone.first(way) is None]
    assert missed == []
