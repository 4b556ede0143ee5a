"""What a process of `medsafe score` does: it loads the engine once, and scores the plans that it is given."""

from __future__ import annotations

from collections.abc import Sequence

from safety.engine import load
from safety.knowledge.resting import let_collector_rest
from safety.scoring.bench import Settings
from safety.scoring.plans import Plan, Unreadable
from safety.scoring.scored import Scored
from safety.scoring.scorer import Scorer

_held: list[Scorer] = []
"""The scorer of this process."""


def start(overlays: tuple[str, ...], settings: Settings) -> None:
    """Load the engine, once a process."""
    engine = load(overlays)
    let_collector_rest()
    _held[:] = [Scorer(engine.checker, settings, tell=engine.read_texts)]


def work(plans: Sequence[Plan | Unreadable]) -> list[Scored | Unreadable]:
    """The scores of these plans."""
    return list(_held[0].score(plans))
