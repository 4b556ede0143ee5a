"""The shape of an alert policy as people write it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from safety.knowledge.shapes import AsList, Escalate, Kind, Review, SeverityWord, Shape, Text, YesNo


class PolicyLineShape(Shape):
    """One line: what it is about, whether it interrupts, and why."""

    role: Literal["prescriber", "pharmacist", "patient"] | None = None
    severity: Annotated[list[SeverityWord], AsList] = Field(default_factory=list)
    kind: Annotated[list[Kind], AsList] = Field(default_factory=list)
    tags: Annotated[list[str], AsList] = Field(default_factory=list)
    escalate: Annotated[list[Escalate], AsList] = Field(default_factory=list)
    hard: YesNo | None = None
    about: Literal["plan", "existing"] | None = None
    interrupt: YesNo
    because: Text


class PolicyShape(Shape):
    """Whom a finding interrupts; the first line that fits decides."""

    id: str
    title: Text
    review: Review
    note: str = ""
    lines: list[PolicyLineShape] = Field(min_length=1)
