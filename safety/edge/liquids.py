"""How much of a liquid: its strength and the volume behind it are one dose ("160 mg/5 mL 3 tsp every 4 hours")."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from safety.edge.dosing import Dosed
from safety.edge.extraction import Quoted, Span
from safety.reading.wording import Wording

IsVolume = Callable[[str], bool]
_OF_SO_MUCH = re.compile(r"\S+ ?[^\s/\d]+/(?:\d+(?:\.\d+)?)? ?(?P<unit>[^\W\d]+)")
_SO_MUCH = re.compile(r"\d+(?:\.\d+)?(?:-\d+(?:\.\d+)?)? (?P<unit>[^\W\d]+)")
_BETWEEN = re.compile(r"[ \t,:;-]*\(?[ \t]*")


def with_volumes(line: Wording, found: Sequence[Dosed], is_volume: IsVolume) -> list[Dosed]:
    """Doses in order, a strength with the volume right behind it as one; a strength alone stays as it is."""
    kept: list[Dosed] = []
    for one in found:
        before = kept[-1] if kept else None
        dose = _together(line, before, one, is_volume) if before is not None else None
        if before is not None and dose is not None:
            kept[-1] = replace(one, first=before.first, dose=dose)
        else:
            kept.append(one)
    return kept


def _together(line: Wording, before: Dosed, one: Dosed, is_volume: IsVolume) -> Quoted | None:
    if before.dose is None or one.dose is None or before.directions is not None:
        return None
    strength, volume = _OF_SO_MUCH.fullmatch(before.dose.value), _SO_MUCH.fullmatch(one.dose.value)
    if strength is None or volume is None or not (is_volume(strength["unit"]) and is_volume(volume["unit"])):
        return None
    start, end = before.dose.span.start, one.dose.span.end
    if _BETWEEN.fullmatch(line.text, before.dose.span.end, one.dose.span.start) is None:
        return None
    return Quoted(Span(start, end, line.text[start:end]), f"{before.dose.value} {one.dose.value}")
