"""DCSR: whether the plan that a model gave once it was told of constraints meets them, and keeps its quality (MedConsultBench,
appendix H.2):

    y = 1 [R_new meets every constraint, and Q(R_new) ≥ τ · Q(R_orig)];  τ = 0.9 where core diagnoses are involved, else 0.8

Only cases with at least one constraint count. Where no revised plan is told, the plan stands as it was. Where it is not told
whether a core diagnosis is involved, one is taken to be, for that asks for more. Where there is no gold regimen the plan itself
is the reference: what the revised plan keeps of it counts, and what it put in the place of something else is not known to be as
good.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from safety.scoring.constraints import Answered, all_met
from safety.scoring.measures import NOTHING, Counted

CORE, OTHER = 0.9, 0.8
_ROUNDING = 1e-9


class Revision(Struct, frozen=True):
    """What a revised plan made of the constraints: each with its answer, the qualities before and after, what is asked of the
    later one, and whether it is a success. `revised`: whether another plan was told at all."""

    answers: tuple[Answered, ...] = ()
    revised: bool = False
    tau: float = CORE
    before: Counted = NOTHING
    after: Counted = NOTHING
    met: Counted = NOTHING
    success: Counted = NOTHING


def revision(answers: Sequence[Answered], before: Counted, after: Counted, core: bool | None, *, revised: bool) -> Revision:
    """The outcome of a case with constraints."""
    tau = OTHER if core is False else CORE
    met = _counted(all_met(answers))
    return Revision(tuple(answers), revised, tau, before, after, met, _success(met, before, after, tau))


def _counted(truth: bool | None) -> Counted:
    return Counted(0.0, None, 1.0) if truth is None else Counted(float(truth), float(truth), float(truth))


def _success(met: Counted, before: Counted, after: Counted, tau: float) -> Counted:
    """Under `strict` the worst of what is possible, under `lenient` the best; under `report` where all of it is known."""
    strict = bool(met.strict) and _kept(before.lenient, after.strict, tau) is True
    lenient = bool(met.lenient) and _kept(before.strict, after.lenient, tau) is True
    kept = _kept(before.report, after.report, tau)
    known = False if met.report == 0 or kept is False else None if met.report is None or kept is None else True
    if strict == lenient:
        known = strict
    return Counted(float(strict), None if known is None else float(known), float(lenient))


def _kept(before: float | None, after: float | None, tau: float) -> bool | None:
    """Whether the quality is kept, to within the rounding of numbers."""
    return None if before is None or after is None else after >= tau * before - _ROUNDING
