"""The shape of a table of factors as people write it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from safety.knowledge.shapes import Amount, AsList, Bounded, DrugId, Fact, Route, Shape, Text


class Reference(Shape):
    """The dose that the others are set beside."""

    drug: DrugId
    dose: Amount


class FactorRow(Shape):
    """One drug by these routes: what one `per` of it counts, or the dose equivalent to the reference."""

    drug: DrugId
    route: Annotated[list[Route], AsList] = Field(min_length=1)
    form: Annotated[list[str], AsList] = Field(default_factory=list)
    per: Amount
    factor: Amount | None = None
    equivalent: Amount | None = None
    daily: Bounded | None = None
    source: str | None = None

    @model_validator(mode="after")
    def _one_of_two(self) -> FactorRow:
        if (self.factor is None) is (self.equivalent is None):
            raise ValueError("say `factor` or `equivalent`, and not both")
        return self


class NotCounted(Shape):
    """A drug that the table leaves out on purpose."""

    drug: DrugId
    because: Text


class FactorsShape(Fact):
    """A table of factors."""

    title: Text
    unit: Text
    edition: Amount = ""
    reference: Reference | None = None
    factors: list[FactorRow] = Field(min_length=1)
    not_counted: list[NotCounted] = Field(default_factory=list)
    notes: list[Text] = Field(default_factory=list)
