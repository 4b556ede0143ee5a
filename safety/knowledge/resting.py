"""Letting Python's collector of garbage rest while many objects are made that stay, and once they are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_resting() -> Iterator[None]:
    """Compiling makes many objects and little garbage: looking for it meanwhile takes longer than the compiling itself."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


_SELDOM = (50_000, 50, 50)
"""How many objects are made before the collector looks for garbage: answering makes next to none that it is needed for."""


def let_collector_rest() -> None:
    """For a process of ours that answers until it ends: what is held stays as long as the process does, so the collector need
    not walk it again and again (each walk is a tenth of a second in which nobody is answered)."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_SELDOM)
