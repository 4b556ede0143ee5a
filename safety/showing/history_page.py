"""A history as a page: bars for each line, conflicts marked, and what to ask; one file, all text escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from safety.showing.pages import render

_LEFT, _WIDTH, _RIGHT, _ROW, _TOP, _BOTTOM = 210, 610, 50, 26, 14, 30
_NARROWEST = 3
_TICKS = 5


def history_page(
    drawn: Mapping[str, Any], belief: Mapping[str, Any], findings: Sequence[Mapping[str, Any]] | None, name: str
) -> str:  # fmt: skip
    """The page of a history: its strips, its belief and (where they were asked for) its findings, each as plain values."""
    first, last = date.fromisoformat(drawn["first"]), date.fromisoformat(drawn["last"])
    span = max((last - first).days, 1)

    def x(day: str) -> float:
        return round(_LEFT + _WIDTH * (date.fromisoformat(day) - first).days / span, 1)

    rows = [_row(strip, n, x, drawn["last"]) for n, strip in enumerate(drawn["strips"])]
    spells = [_spell(spell, n + len(rows), x, drawn["last"]) for n, spell in enumerate(findings or ())]
    step = span / (_TICKS - 1)
    days = dict.fromkeys(date.fromordinal(first.toordinal() + round(n * step)).isoformat() for n in range(_TICKS))
    height = _TOP + (len(rows) + len(spells)) * _ROW + _BOTTOM
    return render(
        "history.html", name=name, belief=belief, rows=rows, spells=spells, looked=findings is not None, left=_LEFT,
        width=_LEFT + _WIDTH + _RIGHT, height=height, ticks=[(x(d), d) for d in days],
    )  # fmt: skip


def _row(strip: Mapping[str, Any], n: int, x: Any, last: str) -> dict[str, Any]:
    y = _TOP + n * _ROW + _ROW // 2
    bars = []
    for segment in strip["segments"]:
        start, end = x(segment["first"]), x(segment["last"])
        bars.append({**segment, "x": start, "width": max(round(end - start, 1), _NARROWEST)})
    marks = [{"x": x(t["on"]), **t} for t in strip["told"] if t["on"] <= last and x(t["on"]) >= _LEFT]
    return {**strip, "y": y, "bars": bars, "marks": marks}


def _spell(spell: Mapping[str, Any], n: int, x: Any, last: str) -> dict[str, Any]:
    start, end = x(spell["since"]), x(spell["until"] or last)
    return {**spell, "y": _TOP + n * _ROW + _ROW // 2, "x": start, "width": max(round(end - start, 1), _NARROWEST)}
