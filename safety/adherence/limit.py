"""One limit that a reported dose was held against, in quantities; put into words only where the answer is made."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from safety.judging.judgement import DoseFound
from safety.knowledge import library as lib
from safety.model.quantity import Quantity, Units
from safety.model.report import Citation, DoseLimit
from safety.understanding.amounts import UNTOLD, Span

LimitKind = Literal["single", "day", "interval", "days", "use"]


class JudgedLimit(Struct, frozen=True):
    """What is taken against the bounds in force for this patient; `exceeded` is None where that is not known.

    `kind` "use": not to be used at all, which has neither amount nor bounds. `found`: of a dose in use, where it is left.
    """

    tier: str
    kind: LimitKind
    drug: str
    rule: str
    title: str
    exceeded: bool | None
    evidence: tuple[Citation, ...]
    escalate: str = "none"
    amount: Span = UNTOLD
    bounds: lib.Bounds = ()
    found: DoseFound | None = None

    @property
    def taken(self) -> str:
        """What is taken, in words; "not told" and why where it is not."""
        if self.found is not None:
            return self.found.told
        if self.kind == "use":
            return ""
        low, high = self.amount.low, self.amount.high
        if low is None and high is not None:
            return str(high)
        return "not told" if self.kind == "days" and low is None else str(self.amount)

    @property
    def allowed(self) -> str:
        """The bounds, in words."""
        if self.found is not None:
            return self.found.bound
        if self.kind == "use":
            return "not to be used"
        return " or ".join(dict.fromkeys(_shown(bound) for bound in self.bounds))

    @property
    def known(self) -> bool:
        """Whether anything is known of what is taken."""
        return self.found is not None or self.amount.low is not None or self.amount.high is not None

    def times_over(self, units: Units) -> int:
        """How many whole times the least of the amount is the first of the bounds; 0 where that cannot be said."""
        least = self.amount.low
        most = self.bounds[0].value if self.bounds else None
        if least is None or most is None or not most.value:
            return 0
        value = units.convert(least, most.unit)
        return int(value / most.value) if value is not None else 0

    def answered(self) -> DoseLimit:
        """As it stands in the answer."""
        return DoseLimit(
            self.tier, self.kind, self.drug, self.taken, self.allowed, self.exceeded, self.rule, self.title,
            list(self.evidence), self.escalate,
        )  # fmt: skip


def _shown(bound: lib.Bound) -> str:
    """A bound, and how it was written where it was worked out for this patient."""
    value: Quantity = bound.value
    return str(value) if bound.text in ("", str(value)) else f"{value} ({bound.text})"
