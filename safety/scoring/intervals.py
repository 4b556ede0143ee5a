"""95 % intervals of a mean over cases, by drawing the cases again with replacement (the bootstrap, percentiles).

Only how often each value occurs matters, so that the order of the cases does not, nor how they were divided among machines. The
draws are fixed by the seed and by what is estimated; the same cases give the same interval to the last digit.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

from msgspec import Struct

RESAMPLES = 2000
_LEVEL = (2.5, 97.5)


class Sampling(Struct, frozen=True):
    """How often and from which seed cases are drawn again; `resamples` 0: no intervals."""

    seed: int = 20261120
    resamples: int = RESAMPLES


class Estimate(Struct, frozen=True):
    """A mean with its interval (None where there is none), over `n` cases; `left_out`: cases that it says nothing of."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    left_out: int


Counts = Mapping[float | None, int]
"""How many cases have each value; None: those that are left out."""


def estimate(counts: Counts, named: str, sampling: Sampling) -> Estimate:
    """The mean of the values, and in what interval it lies; `named`: what it is of, by which its draws differ from others'."""
    left_out = counts.get(None, 0)
    known = sorted((value, n) for value, n in counts.items() if value is not None and n)
    n = sum(count for _, count in known)
    if not n:
        return Estimate(None, None, None, 0, left_out)
    mean = sum(value * count for value, count in known) / n
    if not sampling.resamples:
        return Estimate(mean, None, None, n, left_out)
    low, high = _interval([*known, *([(None, left_out)] if left_out else [])], named, sampling)
    return Estimate(mean, low, high, n, left_out)


def _interval(values: list[tuple[float | None, int]], named: str, sampling: Sampling) -> tuple[float, float]:
    """Percentiles of the mean over cases drawn again; a draw of nothing but cases that are left out says nothing."""
    import numpy as np

    total = sum(count for _, count in values)
    generator = np.random.Generator(np.random.PCG64([sampling.seed, zlib.crc32(named.encode())]))
    drawn = generator.multinomial(total, [count / total for _, count in values], size=sampling.resamples)
    weights = np.array([0.0 if value is None else 1.0 for value, _ in values])
    numbers = np.array([value or 0.0 for value, _ in values])
    kept = (drawn * weights).sum(axis=1)
    means = (drawn * numbers).sum(axis=1)[kept > 0] / kept[kept > 0]
    low, high = np.percentile(means, _LEVEL)
    return float(low), float(high)


def can_sample() -> bool:
    """Whether intervals can be worked out here: NumPy comes with `medsafe[scoring]`."""
    from importlib.util import find_spec

    return find_spec("numpy") is not None
