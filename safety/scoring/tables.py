"""A table of metrics, one row a model, as people write it: CSV → models and metrics. Raises RequestError with every slip."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence

from safety.errors import Place, Problem, RequestError
from safety.scoring.aggregate import GROUP_WEIGHTS, METRICS, Direction, Group, Metric, Model
from safety.text import did_you_mean, printable

_HARD = "hard"
_ARROWS: Mapping[str, Direction] = {"↑": "up", "↓": "down"}
_KNOWN = {m.name.lower().replace("-", "").replace("_", ""): m for m in METRICS}


def read_metrics(
    text: str, shown: str, told: Iterable[tuple[str, str, str]] = (), outside: Iterable[str] = ()
) -> tuple[list[Model], list[Metric]]:
    """The models and metrics of a table: first column the model, one column a metric, optionally `hard` (hard violations).

    The paper's metrics are known by name; others are told as (name, "up" or "down", group), or by an arrow behind the name for
    the direction. `outside`: models that are scored and are no part of the reference.
    """
    rows = list(csv.reader(io.StringIO(text)))
    if len(rows) < 2 or len(rows[0]) < 2:
        raise RequestError([Problem(Place(shown, 1, 1), "R210", "is no table of metrics", "first line: model,PSC,DDIV,…")])
    problems: list[Problem] = []
    head = [cell.strip() for cell in rows[0]]
    metrics = _columns(head, shown, {name: (way, group) for name, way, group in told}, problems)
    models = [_row(row, n, head, metrics, shown, set(outside), problems) for n, row in enumerate(rows[1:], 2) if any(row)]
    names = [m.name for m in models]
    for name in outside:
        if name not in names:
            problems.append(Problem(Place(shown), "R211", f"has no model `{printable(name, 60)}`", did_you_mean(name, names)))
    problems += [Problem(Place(shown), "R212", f"has the model `{n}` twice") for n in dict.fromkeys(names) if names.count(n) > 1]
    if not problems and not any(m.reference for m in models):
        problems.append(Problem(Place(shown), "R213", "has no model left to be the reference"))
    if problems:
        raise RequestError(problems)
    return models, [m for m in metrics if m is not None]


def _columns(
    head: Sequence[str], shown: str, told: Mapping[str, tuple[str, str]], problems: list[Problem]
) -> list[Metric | None]:
    """What each column but the first holds; None for hard violations."""
    found: list[Metric | None] = []
    for n, cell in enumerate(head[1:], 2):
        name = cell.rstrip("↑↓ ").strip()
        if name.lower() == _HARD:
            found.append(None)
            continue
        known = _KNOWN.get(name.lower().replace("-", "").replace("_", "").replace(" ", ""))
        way = told.get(name, ("", ""))[0] or _ARROWS.get(cell[-1:], "") or (known.better if known else "")
        group = told.get(name, ("", ""))[1] or (known.group if known else "")
        if way not in ("up", "down") or group not in GROUP_WEIGHTS:
            hint = f"say --metric '{printable(name, 40)}=up:treatment' (up or down; {', '.join(GROUP_WEIGHTS)})"
            problems.append(
                Problem(Place(shown, 1, n), "R214", f"`{printable(name, 60)}`: which way is better, in which group?", hint)
            )
            way, group = "up", "treatment"
        found.append(Metric(name, _way(way), _group(group)))
    named = [m.name for m in found if m]
    problems += [
        Problem(Place(shown, 1, 1), "R212", f"has the column `{n}` twice") for n in dict.fromkeys(named) if named.count(n) > 1
    ]
    return found


def _way(text: str) -> Direction:
    return "down" if text == "down" else "up"


def _group(text: str) -> Group:
    return next(group for group in GROUP_WEIGHTS if group == text)


def _row(
    row: Sequence[str], line: int, head: Sequence[str], metrics: Sequence[Metric | None], shown: str, outside: set[str],
    problems: list[Problem],
) -> Model:  # fmt: skip
    name = row[0].strip() if row else ""
    if not name or len(row) != len(head):
        problems.append(
            Problem(Place(shown, line, 1), "R215", f"must have a model and {len(head) - 1} numbers, not {len(row)} cells")
        )
        return Model(name, {})
    values: dict[str, float] = {}
    hard: int | None = None
    for n, (metric, cell) in enumerate(zip(metrics, row[1:], strict=True), 2):
        value = _number(cell)
        if value is None or (metric is None and (value < 0 or value != int(value))):
            problems.append(Problem(Place(shown, line, n), "R216", f"`{printable(cell, 40)}` is not a number that fits here"))
        elif metric is None:
            hard = int(value)
        else:
            values[metric.name] = value
    return Model(name, values, hard, name not in outside)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
