"""What compiling gives."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from safety.errors import Problem
from safety.knowledge.library import Library
from safety.knowledge.memory import Memory
from safety.knowledge.proofs import Cases, Proof, Remarks


class Compiled(Struct, frozen=True):
    """A library (complete only if there are no problems), the cases of its entries, the problems in order.

    `remarks`: what there is to tidy, by the id of a rule or class. `memory`: what the next compiling may take over; None
    where all of it stands in a store already.
    """

    library: Library
    cases: Cases
    problems: tuple[Problem, ...]
    remarks: Mapping[str, Remarks] = {}
    memory: Memory | None = None

    @property
    def proofs(self) -> tuple[Proof, ...]:
        """All cases, in order of the ids of their entries."""
        return tuple(proof for proofs in self.cases.values() for proof in proofs)
