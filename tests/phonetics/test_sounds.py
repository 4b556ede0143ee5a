"""How words are said, and how alike two sayings are."""

from __future__ import annotations

import pytest

from safety.engine import Engine
from safety.reading.names.likeness import SOUNDS, Said, sound_distance, sound_likeness, spelling_likeness
from safety.reading.names.sounds import pronounce, say


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("knight", "night"), ("phone", "fone"), ("see", "sea"),
        ("psalm", "salm"), ("rough", "ruff"), ("quick", "kwik"), ("write", "rite"),
    ],
)  # fmt: skip
def test_words_that_sound_alike_are_said_alike(one: str, other: str) -> None:
    assert sound_likeness(Said(say(one)), Said(say(other))) > 0.9


def test_every_name_of_the_library_is_said_in_known_sounds(engine: Engine) -> None:
    for name in (n.text for item in (*engine.library.drugs, *engine.library.products) for n in item.names):
        words = "".join(c if c.isalpha() and c.isascii() else " " for c in name.lower())
        assert set(pronounce(words)) <= set(SOUNDS), name
        assert pronounce(words) or not words.strip(), name


def test_a_distance_is_nothing_to_itself_the_same_both_ways_and_less_for_nearer_sounds() -> None:
    for a, b in (("pin", "bin"), ("metformin", "metmorfin"), ("s", "Skru"), ("", "tap")):
        assert sound_distance(Said(a), Said(a)) == 0
        assert sound_distance(Said(a), Said(b)) == pytest.approx(sound_distance(Said(b), Said(a)))
    assert sound_distance(Said("pAt"), Said("bAt")) < sound_distance(Said("pAt"), Said("rAt"))
    assert sound_distance(Said("pIt"), Said("pEt")) < sound_distance(Said("pIt"), Said("pAt"))


def test_a_distance_that_exceeds_what_is_asked_for_is_only_said_to_exceed_it() -> None:
    far, near = sound_distance(Said("kAlklAk"), Said("mimi"), 1.0), sound_distance(Said("pin"), Said("bin"), 1.0)
    assert far > 1.0
    assert near == sound_distance(Said("pin"), Said("bin"))


def test_swapped_neighbours_count_as_one_slip() -> None:
    assert spelling_likeness("abcdefghij", "abdcefghij") == pytest.approx(0.9)
