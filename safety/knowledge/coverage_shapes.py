"""The shape of the coverage ledger as people write it: what one label states, check by check, and what is held of it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from safety.knowledge.shapes import Evidence, Fact, Shape, Text, YesNo

Check = Literal[
    "interaction", "contraindication", "dose", "allergy", "pregnancy", "lactation", "age", "kidney", "liver", "otc",
    "duplicate", "route",
]  # fmt: skip


class SectionShape(Shape):
    """What the label states for one kind of check: nothing; or what is held of it, by entry, and what was left out."""

    at: Text
    nothing: YesNo = False
    held: list[str] = Field(default_factory=list)
    left_out: list[Text] = Field(default_factory=list)

    @model_validator(mode="after")
    def _says_one_thing(self) -> SectionShape:
        if self.nothing is bool(self.held or self.left_out):
            raise ValueError("say `nothing: yes`, or what is `held` and what was `left_out` of it")
        return self


class CoverageShape(Fact):
    """The ledger of one drug: the label that was read, and what it comes to for each kind of check."""

    drug: str
    evidence: list[Evidence] = Field(min_length=1)
    sections: dict[Check, SectionShape] = Field(min_length=1)
