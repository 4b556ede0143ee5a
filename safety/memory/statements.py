"""What somebody said, taken apart into single statements that can each be held against a record."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from safety.memory.events import Time
from safety.model.patient import Medication

StatementKind = Literal[
    "medicine", "allergy", "condition", "alarm", "result", "vaccine", "procedure", "plan", "intake", "pregnancy", "habit",
    "routine", "other", "family", "unclear",
]  # fmt: skip
"""`alarm`: a symptom with which nobody waits; `pregnancy`: pregnant or breastfeeding; `routine`: nothing on which a record bears;
`other`: of somebody else; `family`: a disease of a relative by blood; `unclear`: it may be clinical, and was not understood."""
Manner = Literal[
    "taking", "partly", "beyond", "stopped", "denied", "missed", "considering", "asking", "prescribed", "tolerated", "has",
    "still", "over", "suspected", "done", "planned", "follows", "fails", "measured", "level", "consumes", "said",
]  # fmt: skip


Change = Literal["", "started", "changed", "held", "resumed"]


class Statement(Struct, frozen=True):
    """One thing that was said. `name`: what of, as it was said; `key`: by which it is found, where that is known.

    `open`: the name may mean several things, and these are the medicines among them. `change`: what is told to have become of a
    medicine. `kin`: it is told of somebody who is called by what they are to the speaker, "Mom". `span`: the sentence that says
    it, from which character of the text to before which.
    """

    kind: StatementKind
    manner: Manner
    name: str
    key: str = ""
    medicine: Medication | None = None
    drugs: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    value: str = ""
    unit: str = ""
    reaction: str = ""
    when: Time | None = None
    guessed: bool = False
    change: Change = ""
    kin: bool = False
    span: tuple[int, int] = (0, 0)


class Narrative(Struct, frozen=True):
    """One text of a narrative, with everything that it states."""

    text: str
    statements: tuple[Statement, ...]
