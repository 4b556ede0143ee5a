"""The shape of an alert policy as people write it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from safety.knowledge.shapes import Kind, Review, SeverityWord, Shape, Text, YesNo


def _listed(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


class PolicyLineShape(Shape):
    """One line: what it is about, whether it interrupts, and why."""

    role: Literal["prescriber", "pharmacist", "patient"] | None = None
    severity: Annotated[list[SeverityWord], BeforeValidator(_listed)] = Field(default_factory=list)
    kind: Annotated[list[Kind], BeforeValidator(_listed)] = Field(default_factory=list)
    tags: Annotated[list[str], BeforeValidator(_listed)] = Field(default_factory=list)
    escalate: Annotated[list[Literal["none", "pharmacist", "clinician", "emergency"]], BeforeValidator(_listed)] = Field(
        default_factory=list
    )
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
