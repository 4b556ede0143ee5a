"""A tally → the metrics of each model, with intervals, the share of what is not known, groups, and differences between models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from safety.model.report import MadeBy
from safety.scoring.critic import Raised
from safety.scoring.intervals import Estimate, Sampling, estimate
from safety.scoring.measures import EPSILON, NOTHING, POLICIES, Counted, Policy
from safety.scoring.plans import Unreadable
from safety.scoring.scored import METRICS, Scored
from safety.scoring.tally import ALL, LEVELS, Group, Tally


class Metric(Struct, frozen=True):
    """A metric of several cases under the policy that is named beside it, with its 95 % interval; and under every policy.

    `n`: cases that it is the mean of; `left_out`: cases that this policy says nothing of. Cases that it is not about (no gold
    regimen, no constraint) are in neither.
    """

    name: str
    better: str
    policy: Policy
    value: float | None
    low: float | None
    high: float | None
    n: int
    left_out: int
    strict: float | None
    report: float | None
    lenient: float | None


class OfGroup(Struct, frozen=True):
    """The metrics of the cases of one group."""

    by: str
    group: str
    plans: int
    states: dict[str, int]
    metrics: list[Metric]


class OfModel(Struct, frozen=True):
    """A model: how many plans, how many of them safe, unsafe, or open, its metrics, and what its plans break.

    `kinds`: for each kind of rule, the share of plans that break one; `worst`: how many plans by the worst that was found;
    `hard_rules`: how many plans break each hard rule, the most frequent first; `counts`: sums over its plans.
    """

    model: str
    plans: int
    states: dict[str, int]
    counts: dict[str, int]
    metrics: list[Metric]
    kinds: list[Metric]
    worst: dict[str, int]
    hard_rules: dict[str, int]
    groups: list[OfGroup]


class Difference(Struct, frozen=True):
    """How much a metric of one model is above that of another, over the cases that both answered and that are known for both."""

    metric: str
    model: str
    minus: str
    policy: Policy
    difference: float | None
    low: float | None
    high: float | None
    n: int
    left_out: int


class Slipped(Struct, frozen=True):
    """A row that could not be read or checked: its line, and why."""

    line: int
    id: str | None
    problems: list[str]


class Shown(Struct, frozen=True):
    """A plan with hard violations: where it stands, and each rule with its medicines, the reason and what to do."""

    line: int
    id: str | None
    model: str
    raised: list[Raised]


class Summary(Struct, frozen=True):
    """All of a run. Two runs on the same plans with the same settings give the same bytes. `examples`, `slips`: the first of
    them."""

    score: int
    policy: Policy
    settings: dict[str, Any]
    plans: int
    unreadable: int
    models: list[OfModel]
    differences: list[Difference]
    examples: list[Shown]
    slips: list[Slipped]
    notes: list[str]
    made_by: MadeBy

    def to_dict(self) -> dict[str, Any]:
        """The summary as plain values."""
        built: dict[str, Any] = msgspec.to_builtins(self)
        return built

    def to_json(self) -> bytes:
        """The summary as JSON, indented, the same bytes for the same plans."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n"


class How(Struct, frozen=True):
    """How a tally is summed up: the policy on what is not known, how intervals are drawn, what else is told with the numbers."""

    policy: Policy = "report"
    sampling: Sampling = Sampling()
    settings: Mapping[str, Any] = {}
    notes: Sequence[str] = ()


Paired = Mapping[tuple[str, str, str], Mapping[tuple[Counted, Counted], int]]
"""By metric and two models: how many cases have each two values."""


def summarise(tally: Tally, made_by: MadeBy, how: How, paired: Paired | None = None) -> Summary:
    """The metrics of every model."""
    days = sorted(tally.days)
    judged = {"as_of": days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"} if days else {}
    told = {"epsilon": EPSILON, **judged, "seed": how.sampling.seed, "resamples": how.sampling.resamples, **how.settings}
    return Summary(
        score=1,
        policy=how.policy,
        settings=told,
        plans=sum(sum(tally.worst[m].values()) for m in tally.models),
        unreadable=tally.unreadable_count,
        models=[_model(tally, model, how) for model in tally.models],
        differences=[_difference(key, counts, how) for key, counts in sorted((paired or {}).items())],
        examples=[Shown(e.line, e.id, e.model, list(e.raised)) for e in sorted(tally.examples, key=lambda e: (e.line, e.model))],
        slips=[_slip(u) for u in sorted(tally.unreadable, key=lambda u: u.line)],
        notes=list(how.notes),
        made_by=made_by,
    )


def _model(tally: Tally, model: str, how: How) -> OfModel:
    sums = tally.sums[model]
    kinds = sorted(kind for of, kind in tally.kinds if of == model)
    rules = sorted(tally.rules[model].items(), key=lambda item: (-item[1], item[0]))
    return OfModel(
        model=model,
        plans=sum(tally.worst[model].values()),
        states=_states(tally, model, ALL),
        counts={name: int(sums[name]) for name in sorted(sums)},
        metrics=_metrics(tally, model, ALL, how),
        kinds=[_metric(kind, "down", tally.kinds[model, kind], f"{model}/kind/{kind}", how) for kind in kinds],
        worst={level: tally.worst[model][level] for level in LEVELS},
        hard_rules=dict(rules),
        groups=[
            OfGroup(by, group, sum(tally.states[model, (by, group)].values()), _states(tally, model, (by, group)),
                    _metrics(tally, model, (by, group), how))
            for by, group in tally.groups(model)
        ],
    )  # fmt: skip


def _states(tally: Tally, model: str, group: Group) -> dict[str, int]:
    return {state: tally.states[model, group][state] for state in ("safe", "unsafe", "open")}


def _metrics(tally: Tally, model: str, group: Group, how: How) -> list[Metric]:
    named = "/".join((model, *group)) if group != ALL else model
    return [
        _metric(metric, better, tally.values[model, group, metric], f"{named}/{metric}", how)
        for metric, better in METRICS.items()
        if (model, group, metric) in tally.values
    ]


def _metric(name: str, better: str, counts: Counter[Counted], named: str, how: How) -> Metric:
    by_policy = {policy: _under(counts, policy) for policy in POLICIES}
    best = estimate(by_policy[how.policy], named, how.sampling)
    quiet = Sampling(how.sampling.seed, 0)
    strict, report, lenient = (estimate(by_policy[policy], named, quiet).value for policy in POLICIES)
    return Metric(name, better, how.policy, *_numbers(best), strict, report, lenient)


def _numbers(e: Estimate) -> tuple[float | None, float | None, float | None, int, int]:
    return e.value, e.low, e.high, e.n, e.left_out


def _under(counts: Mapping[Counted, int], policy: Policy) -> Counter[float | None]:
    found: Counter[float | None] = Counter()
    for counted, n in counts.items():
        found[counted.under(policy)] += n
    return found


def _difference(key: tuple[str, str, str], counts: Mapping[tuple[Counted, Counted], int], how: How) -> Difference:
    metric, one, other = key
    found: Counter[float | None] = Counter()
    for (a, b), n in counts.items():
        x, y = a.under(how.policy), b.under(how.policy)
        found[None if x is None or y is None else x - y] += n
    best = estimate(found, f"{one}-{other}/{metric}", how.sampling)
    return Difference(metric, one, other, how.policy, *_numbers(best))


def _slip(u: Unreadable) -> Slipped:
    return Slipped(u.line, u.id, [str(p) for p in u.problems])


def pairs_of(scored: Sequence[Scored]) -> Paired:
    """Of cases that several models answered, by their ids: how many have each two values of a metric.

    Where a model answers a case more than once, its first answer counts.
    """
    by_model: dict[str, dict[str, Mapping[str, Counted]]] = {}
    for row in sorted(scored, key=lambda row: row.line):
        if row.id is not None:
            by_model.setdefault(row.model, {}).setdefault(row.id, row.counted)
    found: dict[tuple[str, str, str], Counter[tuple[Counted, Counted]]] = {}
    names = sorted(by_model)
    for n, one in enumerate(names):
        for other in names[n + 1 :]:
            for case, values in by_model[one].items():
                if case in by_model[other]:
                    for metric in METRICS:
                        pair = values[metric], by_model[other][case][metric]
                        if NOTHING in pair:
                            continue
                        found.setdefault((metric, one, other), Counter())[pair] += 1
    return found
