"""What a conversing agent is asked to do after a turn: short tasks, each with what it rests on."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from safety.edge.extraction import Extraction
from safety.model.report import Citation

TaskKind = Literal[
    "escalate", "avoid", "correct_dose", "advise", "educate", "lab", "follow_up", "ask", "spell", "confirm", "reconcile",
    "refer", "permit",
]  # fmt: skip
"""`permit`: nothing that is held speaks against it, and nothing was left open; `refer`: it cannot be said."""
Call = Literal["none", "pharmacist", "clinician", "emergency"]


class Task(Struct, frozen=True):
    """One task: `id` stays the same for as long as the reason does; `about`: drugs or tests by id; `said`: what it answers.

    `rule`: the rule, limit or dose that it rests on; `instead`: what may be offered, checked for this patient.
    """

    id: str
    kind: TaskKind
    text: str
    about: tuple[str, ...] = ()
    said: str = ""
    severity: str = ""
    escalate: Call = "none"
    rule: str = ""
    instead: tuple[str, ...] = ()
    evidence: tuple[Citation, ...] = ()


class TurnAnswer(Struct, frozen=True):
    """What one turn brings: `tasks` that are new, `withdrawn` ids that no longer hold, and every task that is `open` now."""

    tasks: tuple[Task, ...]
    withdrawn: tuple[str, ...]
    open: tuple[Task, ...]
    extraction: Extraction
    as_of: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain values."""
        built: dict[str, Any] = msgspec.to_builtins(self)
        return built | {"extraction": self.extraction.to_dict()}

    def prompt(self) -> str:
        """The new tasks as lines to put before a conversing agent, the most urgent first."""
        return "\n".join(f"<TASK {t.kind}> {t.text}" for t in self.tasks)
