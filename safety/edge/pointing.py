"""What a turn leaves to the turns before it ("I stopped it", "the dose went up", "I meant 25, not 50") → said with its name.

Only what can be meant in one way is filled in: two medicines named last leave "it" open, and nothing is told of either.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from safety.knowledge.language import Language
from safety.memory.events import Event
from safety.memory.subjects import Understanding
from safety.model.patient import Medication
from safety.reading.wording import any_of


class Before(Struct, frozen=True):
    """Medicines that were told of: in the last turn that named one, and beside them in the turn before that named several."""

    last: tuple[str, ...] = ()
    other: tuple[str, ...] = ()


class Pointing:
    """Fills in names by the lists of one language; made once, never changed."""

    def __init__(self, language: Language, understanding: Understanding) -> None:
        words = language.words
        self._understanding = understanding
        self._one, self._all = _any(*words("points-to-one")), _any(*words("points-to-all"))
        self._other = _any(*words("points-to-the-other"))
        self._amount = re.compile(
            rf"(?<![\w.])(?:{any_of(words('amounts-pointed-by'))}|(?:\d+(?:\.\d+)?|{any_of(language.meaning('numbers'))})\s+"
            rf"{any_of(words('units-pointed-by'))})(?![\w-])(?!\s+of\b)",
            re.I,
        )
        self._numbers = language.meaning("numbers")
        number = rf"(?:\d+(?:\.\d+)?|{any_of(self._numbers)})"
        self._correction = re.compile(
            rf"(?<![\w.])(?P<new>{number})(?![\w.-])[^,.;]*[,;]?\s+not\s+(?P<old>{number})(?![\w-]|\.\d)", re.I
        )

    def before(self, told: Sequence[Event]) -> Before:
        """Which medicines "it", "both" and "the other one" can mean after everything that was told."""
        turns: dict[tuple[date, int], list[str]] = {}
        for event in told:
            if event.medicine is not None:
                turns.setdefault((event.told, event.turn), []).append(self._understanding.medicine(event.medicine).name)
        groups = [tuple(dict.fromkeys(names)) for _, names in sorted(turns.items(), key=lambda item: item[0])]
        if not groups:
            return Before()
        last = groups[-1]
        beside = next((g for g in reversed(groups[:-1]) if set(last) < set(g)), ())
        return Before(last, tuple(name for name in beside if name not in last))

    def spelled_out(self, text: str, named: int, before: Before) -> str:
        """The text with the names in it that its words point to; `named`: where it first names a medicine itself."""
        head, rest = text[:named], text[named:]
        if len(before.other) == 1:
            head = self._other.sub(before.other[0], head)
        if len(before.last) > 1:
            return self._all.sub(" and ".join(before.last), head) + rest
        if not before.last:
            return text
        (name,) = before.last
        if self._one.search(head):
            return self._one.sub(name, head) + rest
        return (head if rest else self._amount.sub(rf"\g<0> of {name}", head, count=1)) + rest

    def corrected(self, text: str, told: Sequence[Event]) -> tuple[Event, str] | None:
        """What was told with one number, told with the other ("25, not 50"), and the rest; None where nothing told last
        had that number."""
        hit = self._correction.search(text)
        if hit is None:
            return None
        new, old = (self._numbers.get(hit[part].lower(), hit[part]) for part in ("new", "old"))
        number = re.compile(rf"(?<![\d.]){re.escape(old)}(?![\d.])")
        found = {e.id: e for e in told if e.medicine is not None and len(number.findall(e.medicine.text)) == 1}
        newest = [e for e in found.values() if e.turn == max(one.turn for one in found.values())]
        if len(newest) != 1 or newest[0].medicine is None:
            return None
        one = replace(newest[0], medicine=Medication(number.sub(new, newest[0].medicine.text)), corrects=(newest[0].id,))
        return one, f"{text[: hit.start()]} {text[hit.end() :]}"


def _any(*phrases: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){any_of(phrases)}(?![\w'-])", re.I)
