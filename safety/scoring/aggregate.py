"""One score of many metrics: direction, robust normalization over a reference set, group weights, the safety gate.

MedConsultBench, appendix I. The steps are the paper's; what it leaves open (how quartiles are cut, which models are the
reference) is said by `Settings`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec
from msgspec import Struct

Direction = Literal["up", "down"]
Group = Literal["process", "diagnosis", "treatment", "follow-up"]
GROUP_WEIGHTS: Mapping[Group, float] = {"process": 0.55, "diagnosis": 0.20, "treatment": 0.15, "follow-up": 0.10}


class Metric(Struct, frozen=True):
    """A metric of a table: which way is better, and which group its weight comes from."""

    name: str
    better: Direction
    group: Group


METRICS: tuple[Metric, ...] = (
    Metric("MNI-Comp", "up", "process"), Metric("CPR_w", "down", "process"), Metric("IGE", "up", "process"),
    Metric("Hit@1", "up", "process"), Metric("POVR", "down", "process"), Metric("F1_core", "up", "diagnosis"),
    Metric("SWDS", "up", "diagnosis"), Metric("PSC", "up", "treatment"), Metric("DDIV", "down", "treatment"),
    Metric("PCR", "down", "treatment"), Metric("FQR", "up", "follow-up"), Metric("DCSR", "up", "follow-up"),
)  # fmt: skip
"""The paper's twelve, as its Table 2 names them."""


class Settings(Struct, frozen=True):
    """How metrics become one score.

    - `clip`: how many interquartile ranges from the center the scale reaches on either side; what lies beyond counts as its end.
    - `centre_rank`: None: the median; else its rank among the reference values, from 1 for the worst; halves lie between two.
    - `least_spread`: a smaller interquartile range counts as this.
    - `gate`: the most that a model with a hard violation gets.
    """

    clip: float = 2.0
    centre_rank: float | None = None
    least_spread: float = 1e-6
    gate: float = 0.45


class Model(Struct, frozen=True):
    """One row: a model's metrics by name; `hard`: how many hard violations its plans had, None where that is not told."""

    name: str
    values: Mapping[str, float]
    hard: int | None = None
    reference: bool = True


class Scale(Struct, frozen=True):
    """The center and the interquartile range of one metric in the reference set, higher being better, and its weight."""

    metric: str
    centre: float
    spread: float
    weight: float


class Scored(Struct, frozen=True):
    """A model's score: before and after the gate, its rank (1 is best; equals share one), and each metric on the scale 0 to 1.

    `clipped`: the metrics that lay beyond the ends of the scale; `gated`: whether the cap was applied, None where nothing is
    told of hard violations.
    """

    name: str
    raw: float
    score: float
    rank: int
    parts: Mapping[str, float]
    clipped: tuple[str, ...]
    gated: bool | None


class Aggregate(Struct, frozen=True):
    """The scores of a table, best first, with the scales and settings that they were made with."""

    models: tuple[Scored, ...]
    scales: tuple[Scale, ...]
    settings: Settings

    def to_json(self) -> bytes:
        """The scores as JSON on one line."""
        return msgspec.json.encode(self)


def aggregate(models: Sequence[Model], metrics: Sequence[Metric] = METRICS, settings: Settings | None = None) -> Aggregate:
    """Scores of models, best first. Every model must have every metric, and at least one must be of the reference set.

    A group's weight is shared evenly by its metrics; where a group has none, the other groups share what there is.
    """
    how = settings or Settings()
    weights = _weights(metrics)
    scales = tuple(_scale(metric, models, weights[metric.name], how) for metric in metrics)
    rows = [_scored(model, metrics, scales, how) for model in models]
    rows.sort(key=lambda row: (-row.score, row.name))
    ranked: list[Scored] = []
    for n, row in enumerate(rows):
        rank = ranked[-1].rank if ranked and ranked[-1].score == row.score else n + 1
        ranked.append(Scored(row.name, row.raw, row.score, rank, row.parts, row.clipped, row.gated))
    return Aggregate(tuple(ranked), scales, how)


def _weights(metrics: Sequence[Metric]) -> dict[str, float]:
    present = {m.group for m in metrics}
    whole = sum(weight for group, weight in GROUP_WEIGHTS.items() if group in present)
    return {m.name: GROUP_WEIGHTS[m.group] / whole / sum(o.group == m.group for o in metrics) for m in metrics}


def _scale(metric: Metric, models: Sequence[Model], weight: float, how: Settings) -> Scale:
    values = sorted(_turned(metric, model.values[metric.name]) for model in models if model.reference)
    rank = (len(values) + 1) / 2 if how.centre_rank is None else how.centre_rank
    spread = quantile(values, 0.75) - quantile(values, 0.25)
    return Scale(metric.name, _at_rank(values, rank), max(spread, how.least_spread), weight)


def quantile(values: Sequence[float], share: float) -> float:
    """The quantile of sorted values, by a straight line between the two that it lies between (as NumPy does by default)."""
    return _at_rank(values, 1 + share * (len(values) - 1))


def _at_rank(values: Sequence[float], rank: float) -> float:
    low = min(max(int(rank), 1), len(values))
    high = min(low + 1, len(values))
    return values[low - 1] + (values[high - 1] - values[low - 1]) * (rank - low)


def _turned(metric: Metric, value: float) -> float:
    return value if metric.better == "up" else -value


def _scored(model: Model, metrics: Sequence[Metric], scales: Sequence[Scale], how: Settings) -> Scored:
    parts: dict[str, float] = {}
    clipped = []
    for metric, scale in zip(metrics, scales, strict=True):
        place = 0.5 + (_turned(metric, model.values[metric.name]) - scale.centre) / (2 * how.clip * scale.spread)
        parts[metric.name] = min(max(place, 0.0), 1.0)
        if parts[metric.name] != place:
            clipped.append(metric.name)
    raw = sum(scale.weight * parts[scale.metric] for scale in scales)
    gated = None if model.hard is None else model.hard > 0
    score = min(raw, how.gate) if gated else raw
    return Scored(model.name, raw, score, 0, parts, tuple(clipped), gated)
