"""Which way what is taken differs from what would be right, where both were told: "two instead of one"."""

from __future__ import annotations

from decimal import Decimal

from safety.model import events as e
from safety.reading.spoken.matching import Hit, Table, Words


class Comparing:
    """Compares the first numbers of two runs of words."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def events(self, mine: Words, right: Words) -> tuple[str, ...]:
        """More or less of it, more or less often; nothing where they are alike or cannot be compared."""
        told, other = self.table.firsts(mine), self.table.firsts(right)
        if "amount" not in told and "often" in told:
            often = other.get("often") or other.get("last")
            return _compared(told["often"], often, "times", e.MORE_OFTEN, e.LESS_OFTEN)
        if "amount" not in told or "often" in other or _unlike(told["amount"], other.get("amount")):
            return ()
        return _compared(told["amount"], other.get("amount"), "count", e.MORE_DOSE, e.LESS_DOSE)


def _unlike(mine: Hit, right: Hit | None) -> bool:
    """Whether both amounts have a unit, and not the same one."""
    units = {hit.read["mass"] for hit in (mine, right) if hit is not None and "mass" in hit.read}
    return len(units) > 1


def _compared(mine: Hit, right: Hit | None, role: str, more: str, less: str) -> tuple[str, ...]:
    if right is None:
        return ()
    a, b = (Decimal(hit.read[role]) for hit in (mine, right))
    return () if a == b else (more if a > b else less,)
