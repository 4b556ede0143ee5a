"""A report of a day of a course, "day 8, still taking 40 mg": the step of the order in which that day falls."""

from __future__ import annotations

import re
from fractions import Fraction

from msgspec.structs import replace

from safety.knowledge.language import Language
from safety.model.directions import Directions
from safety.reading.wording import any_of

_DAILY = (Fraction(1), Fraction(1))
"""Where no step tells how often, each is what is taken on one day."""


class CourseDay:
    """Finds the day of a course in what is said; made once for a language."""

    def __init__(self, language: Language) -> None:
        around = language.meaning("course-day")
        before, after, other = ([p for p, kind in around.items() if kind == k] for k in ("before", "after", "not"))
        excluded = "".join(rf"(?<!\b{re.escape(word)} )" for word in other)
        follows = rf"(?=\s*(?:[,;:.]|\Z|{any_of(after)}\b))"
        self._day = re.compile(rf"(?:\b{any_of(before)}\s+)?{excluded}\bday\s+(\d{{1,3}}){follows}\s*[,;:]?\s*", re.I)

    def told(self, text: str) -> tuple[str, int | None]:
        """What is said without the day of the course, and the day; None where none, or more than one, is told."""
        found = list(self._day.finditer(text))
        if len(found) != 1 or not int(found[0][1]):
            return text, None
        rest = f"{text[: found[0].start()]} {text[found[0].end() :]}".strip(" ,;")
        return (rest, int(found[0][1])) if rest else (text, None)


def on_day(directions: Directions, day: int) -> Directions:
    """The directions of one day of a course in steps; as they are where the step of that day is not told."""
    last, untimed = 0, all(step.times_per_day is None and step.per_day is None for step in directions.steps)
    for step in directions.steps:
        if step.once:
            return directions
        if step.days is None or last < day <= last + step.days:
            return replace(
                directions, steps=(), dose=step.dose, times_per_day=_DAILY if untimed else step.times_per_day,
                per_day=step.per_day, days=step.days,
                interval_hours=step.interval_hours, as_needed=step.as_needed or directions.as_needed,
            )  # fmt: skip
        last += int(step.days)
    return directions
