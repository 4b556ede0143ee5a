"""Weeks that stand alone on a line, which may be those of a pregnancy ("UTI, 38 wks", "28 weeker")."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from decimal import Decimal

from safety.knowledge.language import Language
from safety.knowledge.library import AgeLeaf, Bound, Inference
from safety.model.patient import Age
from safety.reading.wording import any_of
from safety.text import fold

_PART = re.compile(r"[,;|\n()]|\s-\s")
_SIDES: dict[str, Callable[[Decimal, Decimal], bool]] = {
    "at_least": operator.ge,
    "at_most": operator.le,
    "above": operator.gt,
    "under": operator.lt,
}


class Carrying:
    """Finds such weeks, and tells who may be pregnant; immutable, made once for a library."""

    def __init__(self, language: Language, inferences: Iterable[Inference]) -> None:
        weeks = any_of(unit for unit, meant in language.meaning("time-units").items() if meant == "week")
        born = any_of(map(fold, language.words("weeks-of-the-unborn")))
        self._weeks = re.compile(rf"(?:at\s+|@\s*)?(?P<n>[1-9]\d?)[\s-]?(?:(?:{weeks})\.?|(?P<born>{born}))")
        self._born = frozenset(map(fold, language.words("weeks-of-the-unborn")))
        self._over = frozenset(map(fold, language.words("pregnancy-is-over"))) - self._born
        self._never = [i.when for i in inferences if i.pregnancy is False]

    def weeks(self, text: str) -> tuple[int, str] | None:
        """The weeks that make up a part of a line, with the part as written; none beside words of birth or of what is over."""
        found = None
        if self._over.isdisjoint(re.findall(r"[\w'/]+", fold(text))):
            for part in _PART.split(text):
                told = self._weeks.fullmatch(fold(part.strip()))
                found = (int(told["n"]), part.strip()) if told else found
        return found

    def may_be(self, age: Age | None, sex: str | None) -> bool:
        """Whether a woman of this age may be pregnant, as the inferences of the library have it; not where either is not told."""
        if sex != "female" or age is None:
            return False
        return not any(
            all(isinstance(leaf, AgeLeaf) and all(_inside(age, bound) for bound in leaf.bounds) for leaf in when)
            for when in self._never
        )


def _inside(age: Age, bound: Bound) -> bool:
    return _SIDES[bound.op](age.months, bound.value.value)
