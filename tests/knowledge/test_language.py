"""Lists of words: each phrase in one list, lists that include lists, and what a site adds or takes out."""

from __future__ import annotations

from pathlib import Path

import pytest
from broken.laying import BASE, copy_of_base, lay
from conftest import compiled

import safety
from safety.engine import Engine
from safety.errors import KnowledgeError
from safety.knowledge.compiling import compile_folder
from safety.knowledge.language import Language
from safety.knowledge.library import Library
from safety.knowledge.snapshot import Recipe, load_library

MOODS = "kb/language/moods.yaml"


def site(folder: Path, text: str, where: str = MOODS, name: str = "site") -> Path:
    lay(folder / name, where, text)
    return folder / name


def language(*overlays: Path, root: Path = BASE) -> Language:
    found = compile_folder(root, overlays)
    assert found.problems == ()
    return found.library.language


def told(*overlays: Path) -> list[str]:
    return [str(p).partition("/kb/")[2] for p in compile_folder(BASE, overlays).problems]


def test_a_list_holds_its_own_phrases_and_then_those_it_includes() -> None:
    assert language().words("moods") == ("blithe", "jolly", "glumly", "good day", "hello")
    assert language().meaning("moods") == {"blithe": "good", "jolly": "good", "glumly": "bad"}


def test_a_list_that_nobody_wrote_is_told_with_its_address() -> None:
    with pytest.raises(safety.KnowledgeError) as error:
        language().words("smells")
    assert [(str(p.place), p.code) for p in error.value.problems] == [("kb/language/smells.yaml", "K024")]


def test_an_included_lists_meanings_are_kept(tmp_path: Path) -> None:
    root = copy_of_base(tmp_path)
    lay(root, "kb/language/all-moods.yaml", "id: language.all-moods\ntitle: All\nwords: [meh]\nincludes: [language.moods]\n")
    assert language(root=root).meaning("all-moods") == language(root=root).meaning("moods")
    assert language(root=root).words("all-moods")[0] == "meh"


def test_our_own_lists_stand_by_themselves() -> None:
    """Every list of the checkout compiles, and each phrase in two lists has its reason."""
    assert compiled().problems == ()


# ------------------------------------------------------------------ a site's words


def test_a_site_adds_words_to_our_list_and_the_list_says_so(tmp_path: Path) -> None:
    words = language(site(tmp_path, "id: language.moods\nmeanings: {bad: [grotty]}\n"))
    assert words.meaning("moods") == {"blithe": "good", "jolly": "good", "glumly": "bad", "grotty": "bad"}
    assert {each.id: each.origin for each in words if each.origin} == {"language.moods": "site"}


def test_a_site_takes_words_out_of_our_list(tmp_path: Path) -> None:
    words = language(site(tmp_path, "id: language.moods\nremove: [glumly]\n"))
    assert words.meaning("moods") == {"blithe": "good", "jolly": "good"}


def test_a_site_gives_a_word_another_meaning_by_taking_it_out_first(tmp_path: Path) -> None:
    words = language(site(tmp_path, "id: language.moods\nremove: [blithe]\nmeanings: {bad: [blithe]}\n"))
    assert words.meaning("moods")["blithe"] == "bad"
    assert told(site(tmp_path, "id: language.moods\nmeanings: {bad: [blithe]}\n", name="slip")) == [
        "language/moods.yaml:2:18: K603 `blithe` may mean one thing only\n"
        "  hint: here it means `good` already, at kb/language/moods.yaml:5:10"
    ]


def test_the_later_of_two_sites_reads_what_the_earlier_wrote(tmp_path: Path) -> None:
    first = site(tmp_path, "id: language.moods\nmeanings: {bad: [grotty]}\n", name="first")
    second = site(tmp_path, "id: language.moods\nremove: [grotty]\n", name="second")
    assert "grotty" not in language(first, second).words("moods")
    assert told(second) == ["language/moods.yaml:2:10: K301 `grotty` does not stand in `language.moods`"]


def test_a_site_writes_a_list_of_its_own(tmp_path: Path) -> None:
    own = site(tmp_path, "id: language.oaths\ntitle: Oaths\nwords: [egad]\n", "kb/language/oaths.yaml")
    assert language(own).words("oaths") == ("egad",)


def test_a_meaning_that_the_reader_does_not_know_is_told(tmp_path: Path) -> None:
    assert told(site(tmp_path, "id: language.moods\nmeanings: {badd: [grotty]}\n")) == [
        "language/moods.yaml:2:12: K606 `badd` is not a meaning of `language.moods`\n  hint: did you mean `bad`?"
    ]


def test_a_list_of_words_cannot_be_retired(tmp_path: Path) -> None:
    assert told(site(tmp_path, "id: language.moods\nretire: {reason: glum}\n")) == [
        "language/moods.yaml:2:1: K202 a list of words cannot be retired\n"
        "  hint: take out the words that are not wanted: `remove: [word]`"
    ]


def test_a_word_of_a_site_is_read(tmp_path: Path) -> None:
    """An everyday word that comes near a name stays a word."""
    engine: Engine = safety.load([site(tmp_path, "id: language.everyday\nwords: [ibuprofon]\n", "kb/language/everyday.yaml")],
                                 base=BASE, cache=None)  # fmt: skip
    assert safety.load(base=BASE, cache=None).name("ibuprofon").status == "match"
    assert engine.name("ibuprofon").status == "unrecognised"


# ------------------------------------------------------------------ kept and asked


def test_the_language_comes_back_from_a_snapshot_as_it_was(tmp_path: Path) -> None:
    first = load_library(BASE, [], tmp_path / "cache", Recipe("0"))
    again: Library = load_library(BASE, [], tmp_path / "cache", Recipe("0"))
    assert again.language == first.language
    assert again.language.words("moods") == first.language.words("moods")


def test_a_list_whose_meanings_a_reader_cannot_use_says_which_phrases_and_what_was_expected() -> None:
    with pytest.raises(KnowledgeError) as raised:
        language().read("moods", lambda _, meaning: int(meaning), "a mood under its number")
    told = [str(problem) for problem in raised.value.problems]
    assert told == [f"{MOODS}: K607 `{meaning}` is not a mood under its number" for meaning in (
        "good: blithe", "good: jolly", "bad: glumly")]  # fmt: skip


def test_what_a_reader_makes_of_each_meaning_is_found_by_its_phrase() -> None:
    assert language().read("moods", lambda phrase, meaning: (len(phrase), meaning), "anything") == {
        "blithe": (6, "good"), "jolly": (5, "good"), "glumly": (6, "bad")}  # fmt: skip
