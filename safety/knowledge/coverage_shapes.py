"""The shape of the coverage ledger as people write it: what one label states, section by section, and where it is held."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from safety.knowledge.label_sections import SECTIONS, Reason, SectionName
from safety.knowledge.references import Of
from safety.knowledge.shapes import AsList, DrugId, Evidence, Fact, Route, Shape, Text

Check = Literal[
    "interaction", "contraindication", "dose", "allergy", "pregnancy", "lactation", "age", "kidney", "liver", "otc",
    "duplicate", "route",
]  # fmt: skip


def _nothing(value: Any) -> Any:
    return [] if value == "nothing" else value


class StatementShape(Shape):
    """One actionable statement of a label in our own words: for which checks, and by which entries it is held, or why by none."""

    says: Text
    for_: Annotated[list[Check], AsList] = Field(alias="for", min_length=1)
    held: Annotated[list[Annotated[str, Of("rule")]], AsList] = Field(default_factory=list)
    left_out: Reason | None = None

    @model_validator(mode="after")
    def _is_held_or_not(self) -> StatementShape:
        if bool(self.held) is (self.left_out is not None):
            raise ValueError("say by which entries it is `held`, or why it is `left_out`")
        return self


class CoverageShape(Fact):
    """The ledger of one label of a drug; `routes`: only taken so (left out: however it is taken)."""

    drug: DrugId
    routes: list[Route] = Field(default_factory=list)
    evidence: list[Evidence] = Field(min_length=1)
    sections: dict[
        SectionName,
        Annotated[
            list[StatementShape], BeforeValidator(_nothing, json_schema_input_type=Literal["nothing"] | list[StatementShape])
        ],
    ]
    unread: list[SectionName] = Field(default_factory=list)

    @property
    def supply(self) -> Literal["prescription", "otc"]:
        """Which kind of label it is: Drug Facts say how to use it without a prescription."""
        return "otc" if "directions" in {*self.sections, *self.unread} else "prescription"

    @model_validator(mode="after")
    def _is_whole(self) -> CoverageShape:
        told, wanted = {*self.sections, *self.unread}, SECTIONS[self.supply]
        missing = [section for section in wanted if section not in told]
        foreign = sorted(told.difference(wanted))
        if foreign:
            kind = "Drug Facts" if self.supply == "otc" else "a prescription label"
            raise ValueError(f"{_listed(foreign)} is no section of {kind}: it has {_listed(wanted)}")
        if missing:
            raise ValueError(f"{_listed(missing)} is missing: write its statements, `nothing`, or name it under `unread`")
        return self


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
