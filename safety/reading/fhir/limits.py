"""FHIR CarePlans and NutritionOrders → the limits that somebody set for food, drink and activity."""

from __future__ import annotations

import re
from collections.abc import Iterator

from safety.reading.fhir.record import Record
from safety.reading.fhir.values import Json, clean, decimal, obj, objs, shown, unit, word, words

_OVER = {
    "revoked": "it was revoked", "completed": "it is over", "cancelled": "it was cancelled",
    "entered-in-error": "it was entered in error",
    "not-started": "it was not begun", "stopped": "it was stopped",
}  # fmt: skip
_LIMITS = re.compile(
    r"\b(?:restrict\w*|limit\w*|low|reduced|no added|max(?:imum)?|at most|less than|under)\b|<|\d\s?(?:m?g|m?l)\b", re.I
)
"""What makes a line of a plan a limit; "diabetic diet" says none that is counted."""


def read_limits(record: Record) -> tuple[str, ...] | None:
    """The limits in words, from plans that are followed; what a plan tells beside them is listed. None where there is none."""
    found: dict[str, None] = {}
    for type_, lines in (("CarePlan", _plan), ("NutritionOrder", _nutrition)):
        for entry in record.about_patient(type_):
            status = word(entry.resource.get("status"))
            told = list(dict.fromkeys(lines(entry.resource)))
            limits = [line for line in told if _LIMITS.search(line)]
            if status in _OVER:
                record.leave(entry, _OVER[status])
            elif not limits:
                record.leave(
                    entry, "it names no limit of food, drink or activity" + (f": {', '.join(told)[:120]}" if told else "")
                )
            else:
                found.update(dict.fromkeys(limits))
                record.used[type_] += 1
                others = [line for line in told if line not in limits]
                if others:
                    record.note(entry, "activity", f"not read of it: {', '.join(others)[:120]}")
    return tuple(found) or None


def _plan(given: Json) -> Iterator[str]:
    for activity in objs(given.get("activity")):
        detail = obj(activity.get("detail"))
        text = words(detail.get("code")) or clean(detail.get("description"))
        if text and word(detail.get("status")) not in _OVER:
            yield text
    if not objs(given.get("activity")):
        yield from (text for key in ("title", "description") if (text := clean(given.get(key))))


def _nutrition(given: Json) -> Iterator[str]:
    diet = obj(given.get("oralDiet"))
    yield from (text for one in objs(diet.get("type")) if (text := words(one)))
    for nutrient in objs(diet.get("nutrient")):
        name, amount = words(nutrient.get("modifier")), obj(nutrient.get("amount"))
        value = decimal(amount.get("value"))
        if name:
            yield f"{name} {shown(value)} {unit(amount) or ''} a day" if value is not None else name
    if text := clean(diet.get("instruction")):
        yield text
