"""Codes that lie under one another, as classifications write them."""

from __future__ import annotations

from collections.abc import Iterator

_CATEGORY = len("A00")


def beginnings(code: str) -> Iterator[str]:
    """A code and every shorter one that it lies under, the longest first."""
    for n in range(len(code), _CATEGORY - 1, -1):
        if code[n - 1] != ".":
            yield code[:n]
