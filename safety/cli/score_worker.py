"""What a process of `medsafe score` does: it loads the engine once, and scores the plans that it is given."""

from __future__ import annotations

import gc
from collections.abc import Sequence

from safety.engine import load
from safety.scoring.bench import Settings
from safety.scoring.plans import Plan, Unreadable
from safety.scoring.scored import Scored
from safety.scoring.scorer import Scorer

_held: list[Scorer] = []
"""The scorer of this process."""


_SELDOM = (50_000, 50, 50)
"""How many objects are made before Python's collector looks for garbage: scoring makes next to none that it is needed for."""


def let_collector_rest() -> None:
    """The knowledge stays as long as the process does: the collector need not walk it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_SELDOM)


def start(overlays: tuple[str, ...], settings: Settings) -> None:
    """Load the engine, once a process."""
    engine = load(overlays)
    let_collector_rest()
    _held[:] = [Scorer(engine.checker, settings, tell=engine.read_texts)]


def work(plans: Sequence[Plan | Unreadable]) -> list[Scored | Unreadable]:
    """The scores of these plans."""
    return list(_held[0].score(plans))
