"""Making inputs for the fuzzer out of real ones, and making one that fails as small as it stays one."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Sequence
from typing import Any

JUNK: tuple[Any, ...] = (
    None, True, False, 0, -1, 1e308, -1e-320, 10**40, float("inf"), float("nan"), "", " ", "\x00", "\ud800", "💊" * 3, "ß", "½",
    "٣", "1e999", "-", "null", "[]", "{}", "9" * 400, "a" * 3000, "((((", "\n\n;;,,", "2026-13-45", "0000-00-00", [], {}, [[]],
    {"": ""}, [None], {"drug": {}}, {"$ref": "#"}, "five point point six", "12O/8O", "1/0", "%s%n", "../../etc/passwd",
)  # fmt: skip
ODD = "\x00\x1b\u200b\u202e\ufeff½²µ→≥'\"`;:,.()[]{}<>|/\\-+*=%0123456789 \n\tİıßﬁ💊"
_LONGEST = 20_000
_DEEPEST = 40
_IN_WORDS = 0.8
"""So often only words are changed: what is wrongly built is refused before anything is read."""


def text_of(value: Any) -> str:
    """Text stays text; anything else as it would be written."""
    return value if isinstance(value, str) else json.dumps(value, default=str)


def mutated(value: Any, dice: random.Random, keep: frozenset[str], deep: int = 0) -> Any:
    """A value with something about it changed; what stands under the keys `keep` at the top keeps its kind."""
    if isinstance(value, str):
        return mutated_text(value, dice)
    if deep == 0 and dice.random() < _IN_WORDS and (places := texts(value)):
        return with_text(value, dice.choice(places), dice)
    if deep > _DEEPEST or not isinstance(value, dict | list) or not value:
        return copy.deepcopy(dice.choice(JUNK))
    found = copy.copy(value)
    at = dice.choice(list(found) if isinstance(found, dict) else range(len(found)))
    what = dice.random()
    if deep == 0 and isinstance(found, dict) and at in keep:
        what = 0.0
    if what < 0.7:
        found[at] = mutated(found[at], dice, frozenset(), deep + 1)
    elif what < 0.8:
        del found[at]
    elif what < 0.9 and isinstance(found, list):
        found.append(copy.deepcopy(found[at]))
    elif what < 0.95:
        found[at] = [found[at]] * dice.randint(1, 30)
    else:
        found[at] = copy.deepcopy(dice.choice(JUNK))
    return found


def texts(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where words stand in a value."""
    if isinstance(value, str):
        return [path]
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, item in inner for found in texts(item, (*path, key))][:500]


def with_text(value: Any, path: Sequence[Any], dice: random.Random) -> Any:
    """The value with the words at one place changed."""
    if not path:
        return mutated_text(value, dice)
    found = copy.copy(value)
    found[path[0]] = with_text(found[path[0]], path[1:], dice)
    return found


def mutated_text(text: str, dice: random.Random) -> str:
    """A text cut, doubled, spliced with itself, or with odd characters in it."""
    found = list(text[:_LONGEST])
    for _ in range(dice.randint(1, 4)):
        at = dice.randint(0, len(found))
        what = dice.random()
        if what < 0.5:
            found[at:at] = dice.choice(ODD) * dice.choice((1, 1, 1, 3, 40))
        elif what < 0.7:
            del found[at : at + dice.randint(1, 8)]
        elif what < 0.9:
            begin = dice.randint(0, len(found))
            found[at:at] = found[begin : begin + dice.randint(1, 40)]
        else:
            found[at:at] = list(text_of(dice.choice(JUNK)))
    return "".join(found)[:_LONGEST]


def smaller(value: Any) -> Sequence[Any]:
    """The same input with one part less."""
    if isinstance(value, dict):
        return [{k: v for k, v in value.items() if k != key} for key in value] + [
            {**value, key: less} for key, inner in value.items() for less in smaller(inner)
        ]
    if isinstance(value, list):
        return [value[:n] + value[n + 1 :] for n in range(len(value))] + [
            [*value[:n], less, *value[n + 1 :]] for n, inner in enumerate(value) for less in smaller(inner)
        ]
    if isinstance(value, str) and len(value) > 1:
        half = len(value) // 2
        return [value[:half], value[half:], *(value[:n] + value[n + 1 :] for n in range(min(len(value), 60)))]
    return []
