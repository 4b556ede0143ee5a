"""Q(R), the quality of a regimen: MedConsultBench (its Table 7) says that it combines safety (no interaction or profile
violations) and completeness (coverage of gold components), and leaves the formula open. Ours, said here and in every summary:

    Q(R) = S(R) · C(R)
    S(R) = 1 - |medicines of R that conflict with the profile, or stand in a severe pair or a hard violation| / (|R| + ε)
    C(R) = Σ credit of each gold component / (number of gold components + ε)

A component is one active ingredient of the gold regimen. Its credit: the same ingredient by the same route, `1`, of which the
share `dose` is lowered to fidelity = smaller daily dose / larger one (where one is not told: `strict` counts the fidelity as
0, `report` and `lenient` compare no dose); another ingredient that is the same
twice beside it (both fill one rule of duplicates), `class_equivalent`; else 0. Each ingredient of R stands for one component.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from msgspec import Struct

from safety.knowledge.library import Library
from safety.model.quantity import Quantity
from safety.scoring.measures import EPSILON, NOTHING, Counted, Regimen, over
from safety.understanding.medications import Entry

_SAME_TWICE = "duplicate"


class Weights(Struct, frozen=True):
    """What a gold component counts for: `class_equivalent` for another medicine of its class; `dose`, the share of a component's
    credit that rests on its dose."""

    class_equivalent: float = 0.5
    dose: float = 0.5


class Component(Struct, frozen=True):
    """One active ingredient of a regimen: which drug, by which routes, how much in a day where told; None: not recognised."""

    drug: str | None
    routes: tuple[str, ...]
    day: Quantity | None
    text: str


class Covered(Struct, frozen=True):
    """A gold component, what stands for it in the regimen and how, and its credit. `stands_for`: empty where nothing does."""

    component: str
    by: str
    stands_for: str
    fidelity: float | None
    credit: Counted


class Coverage(Struct, frozen=True):
    """How the components of a reference are covered by a regimen; `completeness` is C(R)."""

    components: tuple[Covered, ...]
    completeness: Counted


def components_of(entries: Iterable[Entry], library: Library) -> list[Component]:
    """The active ingredients of what is taken or proposed, each once for a route, its doses added where all are told."""
    found: dict[tuple[str | None, tuple[str, ...], str], list[Quantity | None]] = {}
    for entry in entries:
        if not entry.current:
            continue
        for drug in entry.drugs if entry.resolved else (None,):
            day = entry.day(drug, library.units) if drug is not None else None
            amount = day.high if day is not None and not day.why and day.low == day.high else None
            text = library.name_of(drug) if drug is not None else entry.described
            found.setdefault((drug, entry.routes, text), []).append(amount)
    return [Component(drug, routes, _sum(days, library), text) for (drug, routes, text), days in found.items()]


def _sum(days: Sequence[Quantity | None], library: Library) -> Quantity | None:
    first = days[0]
    if first is None:
        return None
    values = [library.units.convert(day, first.unit) if day is not None else None for day in days]
    known = [value for value in values if value is not None]
    return Quantity(sum(known, Decimal(0)), first.unit) if len(known) == len(values) else None


class Equivalence:
    """Which two drugs are the same twice: both fill one rule against duplicates, and so one may stand for the other."""

    def __init__(self, library: Library) -> None:
        rules = [e for e in library.entries if e.kind == _SAME_TWICE and len(e.slots) == 2]
        members = [[s.members for s in e.slots if s.members is not None] for e in rules]
        self._groups = [frozenset(a) for a, b in (two for two in members if len(two) == 2) if a.keys() == b.keys()]

    def holds(self, a: str, b: str) -> bool:
        """Whether the two are of one class in which one is enough."""
        return any(a in group and b in group for group in self._groups)


def coverage(
    gold: Sequence[Component], own: Sequence[Component], library: Library, same: Equivalence, weights: Weights, *,
    replaced: bool = False,
) -> Coverage:  # fmt: skip
    """How much of a reference regimen another one holds.

    `replaced`: what stands for no component may have been put in the place of one that is missing, and be as good.
    """
    left = list(own)
    matched = {n: _take(left, (c for c in left if _is_same(g, c))) for n, g in enumerate(gold)}
    for n, g in enumerate(gold):
        if matched[n] is None:
            matched[n] = _take(left, (c for c in left if _is_of_class(g, c, same)))
    strangers = any(c.drug is None for c in left) or (replaced and bool(left))
    rows = tuple(_covered(g, matched[n], strangers, library, weights) for n, g in enumerate(gold))
    return Coverage(rows, _mean([row.credit for row in rows]))


def _take(left: list[Component], fitting: Iterable[Component]) -> Component | None:
    """The first that fits, which then stands for nothing else."""
    found = next(iter(fitting), None)
    if found is not None:
        left.remove(found)
    return found


def _is_same(g: Component, c: Component) -> bool:
    return g.drug is not None and g.drug == c.drug and _by_one_route(g, c)


def _is_of_class(g: Component, c: Component, same: Equivalence) -> bool:
    return g.drug is not None and c.drug is not None and _by_one_route(g, c) and same.holds(g.drug, c.drug)


def _by_one_route(g: Component, c: Component) -> bool:
    return not g.routes or not c.routes or not {*g.routes}.isdisjoint(c.routes)


def _covered(g: Component, by: Component | None, strangers: bool, library: Library, weights: Weights) -> Covered:
    if g.drug is None or (by is None and strangers):  # a name that nobody knows may be the very component
        return Covered(g.text, "", "", None, Counted(0.0, None, 1.0))
    if by is None:
        return Covered(g.text, "", "", None, Counted(0.0, 0.0, 0.0))
    if by.drug != g.drug:
        credit = weights.class_equivalent
        return Covered(g.text, by.text, "class", None, Counted(credit, credit, credit))
    fidelity = _fidelity(g, by, library)
    if fidelity is None:
        return Covered(g.text, by.text, "ingredient", None, Counted(1.0 - weights.dose, 1.0, 1.0))
    credit = 1.0 - weights.dose * (1.0 - fidelity)
    return Covered(g.text, by.text, "ingredient", fidelity, Counted(credit, credit, credit))


def _fidelity(g: Component, by: Component, library: Library) -> float | None:
    """The smaller of two daily doses over the larger; None where one is not told or they are not comparable."""
    if g.day is None or by.day is None:
        return None
    own = library.units.convert(by.day, g.day.unit)
    if own is None or not own or not g.day.value:
        return None
    return float(min(own, g.day.value) / max(own, g.day.value))


def _mean(credits: Sequence[Counted]) -> Counted:
    """The mean credit: a component that is not recognised counts as nothing, is left out, or counts in full."""
    count = len(credits)
    judged = [c.report for c in credits if c.report is not None]
    return Counted(
        over(sum(c.strict or 0.0 for c in credits), count),
        None if count and not judged else over(sum(judged), len(judged)),
        over(sum(c.lenient or 0.0 for c in credits), count),
    )


def safe_share(regimen: Regimen) -> Counted:
    """S(R): the share of the medicines against which nothing severe stands; 1 where nothing is proposed."""
    bad = {m for m in regimen.medicines if m in regimen.conflicting or m in regimen.hard or any(m in p for p in regimen.severe)}
    open_ = {
        m for m in regimen.medicines if m in regimen.not_judged or any(m in p for p in regimen.pairs_not_judged)
    } - bad  # fmt: skip
    count, judged = len(regimen.medicines), len(regimen.medicines) - len(open_)
    return Counted(
        1.0 - (len(bad) + len(open_)) / (count + EPSILON),
        None if count and not judged else 1.0 - len(bad) / (judged + EPSILON),
        1.0 - len(bad) / (count + EPSILON),
    )


def quality(safe: Counted, completeness: Counted) -> Counted:
    """Q(R) = S(R) · C(R)."""
    if completeness == NOTHING:
        return NOTHING
    if safe.report is None or completeness.report is None:  # nothing of it is known
        return Counted(0.0, None, 1.0)
    ends = (safe.strict or 0.0) * (completeness.strict or 0.0), (safe.lenient or 0.0) * (completeness.lenient or 0.0)
    return Counted(ends[0], safe.report * completeness.report, ends[1])
