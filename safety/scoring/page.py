"""The summary of a run as one HTML page that holds everything, with its plots drawn in it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from safety.scoring.scored import MEANINGS
from safety.scoring.summary import Difference, Metric, OfModel, Summary
from safety.showing.pages import render

_LEFT, _WIDTH, _ROW, _TOP = 190.0, 500.0, 30.0, 34.0


class Mark(Struct, frozen=True):
    """One line of a plot: a name, the range between the policies, the interval, and the value; in pixels, None where unknown."""

    name: str
    y: float
    text: str
    low: float | None
    high: float | None
    from_: float | None
    to: float | None
    at: float | None


class Plot(Struct, frozen=True):
    """A metric of every model (or a difference of every two), on a scale that is drawn below."""

    title: str
    note: str
    height: float
    ticks: list[tuple[float, str]]
    marks: list[Mark]
    zero: float | None = None


def score_page(summary: Summary) -> str:
    """The page of a run."""
    return render(
        "score.html",
        s=summary,
        plots=[plot for name in _named(summary.models) if (plot := _plot(name, summary.models)) is not None],
        differences=[plot for name in _named(summary.models) if (plot := _differences(name, summary.differences)) is not None],
        meanings=MEANINGS,
    )


def _named(models: Sequence[OfModel]) -> list[str]:
    return list(dict.fromkeys(m.name for model in models for m in model.metrics))


def _plot(name: str, models: Sequence[OfModel]) -> Plot | None:
    rows = [(model.model, m) for model in models for m in model.metrics if m.name == name and m.lenient is not None]
    if not rows:
        return None
    marks = [_mark(n, model, m) for n, (model, m) in enumerate(rows)]
    ticks = [(_LEFT + _WIDTH * part, f"{part:g}") for part in (0.0, 0.25, 0.5, 0.75, 1.0)]
    better = "higher is better" if rows[0][1].better == "up" else "lower is better"
    return Plot(name, better, _TOP + _ROW * len(marks) + 8, ticks, marks)


def _mark(n: int, model: str, m: Metric) -> Mark:
    ends = sorted(v for v in (m.strict, m.lenient) if v is not None)
    return Mark(model, _TOP + _ROW * n + 12, told(m), _x(m.low), _x(m.high), _x(ends[0]), _x(ends[-1]), _x(m.value))


def _x(value: float | None, low: float = 0.0, high: float = 1.0) -> float | None:
    return None if value is None else round(_LEFT + _WIDTH * (min(max(value, low), high) - low) / (high - low), 1)


def told(m: Metric | Difference) -> str:
    """A number with its interval, as it is read: `0.667 (0.500 to 0.833)`."""
    value = m.value if isinstance(m, Metric) else m.difference
    if value is None:
        return "not known"
    return f"{value:.3f}" + (f" ({m.low:.3f} to {m.high:.3f})" if m.low is not None and m.high is not None else "")


def _differences(name: str, differences: Sequence[Difference]) -> Plot | None:
    rows = [d for d in differences if d.metric == name and d.difference is not None]
    if not rows:
        return None
    most = max(0.05, *(abs(v) for d in rows for v in (d.difference, d.low, d.high) if v is not None))
    marks = [
        Mark(f"{d.model} − {d.minus}", _TOP + _ROW * n + 12, told(d), _x(d.low, -most, most), _x(d.high, -most, most), None, None,
             _x(d.difference, -most, most))
        for n, d in enumerate(rows)
    ]  # fmt: skip
    ticks = [(_LEFT + _WIDTH * (part + 1) / 2, f"{part * most:+.2f}") for part in (-1.0, -0.5, 0.0, 0.5, 1.0)]
    return Plot(name, "of the same cases", _TOP + _ROW * len(marks) + 8, ticks, marks, _LEFT + _WIDTH / 2)
