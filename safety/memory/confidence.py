"""How much stands behind a value: whose word it is, how lately it was said, and how often.

Authority 0.5, recency 0.3, and 0.2 for log(1 + mentions), as the paper on bi-temporal arbitration weighs them (section 3.2);
what a formal constraint speaks against counts for less. Never more than 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log

from safety.memory.chains import Candidate
from safety.memory.events import Authority

_AUTHORITY: Mapping[Authority, int] = {"clinician": 100, "record": 100, "patient": 50, "caregiver": 50, "inferred": 30}
_OF_AUTHORITY, _OF_RECENCY, _OF_MENTIONS = 50, 30, 20
_PENALTY = 10
_WHOLE = 100


def confidence(candidate: Candidate, turns: int, doubted: frozenset[str] = frozenset()) -> float:
    """From 0 to 1, to three digits. `turns`: the last turn that is known; `doubted`: events that a constraint speaks against."""
    whose = max(_AUTHORITY[by] for by in candidate.whose)
    recency = _OF_RECENCY * candidate.latest / turns if turns else 0
    points = _OF_AUTHORITY * whose / _WHOLE + recency + _OF_MENTIONS * log(1 + candidate.mentions)
    if doubted and any(e.event in doubted for e in candidate.evidence):
        points -= _PENALTY
    return round(min(max(points, 0), _WHOLE) / _WHOLE, 3)
