"""The shape of a dose table as people write it: what is right for whom, what changes it, and its proof."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from safety.knowledge.shapes import (
    Amount,
    AsList,
    DrugId,
    Evidence,
    HarmIds,
    Lines,
    Review,
    RuleRoute,
    SeverityWord,
    Shape,
    Text,
    YesNo,
)

DoseWord = Literal["CORRECT", "HIGH", "LOW", "UNKNOWN", "not_applicable"]


class AmountBounds(Shape):
    """One dose, or a day's amount: below `at_least` too low, above `at_most` too high; `usual` is shown, not judged."""

    at_least: Amount | None = None
    usual: Amount | None = None
    at_most: Amount | None = None
    cap: Amount | None = None

    @model_validator(mode="after")
    def _says_something(self) -> AmountBounds:
        if self.at_least is None and self.at_most is None and self.usual is None:
            raise ValueError("says nothing: write `at_least`, `usual` or `at_most`")
        if self.cap is not None and self.at_most is None:
            raise ValueError("`cap` limits an `at_most` per kg or per m2: write that too")
        return self


class TimeBounds(Shape):
    """The time between two doses, or the length of a course."""

    at_least: Amount | None = None
    at_most: Amount | None = None


class DoseRangeShape(Shape):
    """One range (for whom it is right) or one adjustment (what changes it for some)."""

    id: Text
    for_: Annotated[list[str], AsList] = Field([], alias="for")
    route: Annotated[list[RuleRoute], AsList] | None = None
    form: Annotated[list[str], AsList] | None = None
    who: Lines = Field(default_factory=list)
    single: AmountBounds | None = None
    day: AmountBounds | None = None
    interval: TimeBounds | None = None
    days: TimeBounds | None = None
    in_a_row: YesNo = False
    severity: SeverityWord | None = None
    why: str = ""
    note: str = ""

    @model_validator(mode="after")
    def _limits_something(self) -> DoseRangeShape:
        if not (self.single or self.day or self.interval or self.days):
            raise ValueError("a range needs `single`, `day`, `interval` or `days`")
        if self.in_a_row and self.days is None:
            raise ValueError("`in_a_row` says how `days` are counted: write those too")
        return self


class DoseCaseShape(Shape):
    """A patient, and what medicine says of the dose."""

    name: Text
    given: dict[str, Any]
    expect: DoseWord
    missing: list[str] = Field(default_factory=list)
    severity: SeverityWord | None = None
    hard: YesNo | None = None
    suspect: str | None = None


class DoseShape(Shape):
    """The doses of one ingredient."""

    id: str
    drug: DrugId
    status: Literal["draft", "active", "retired"] = "active"
    review: Review
    severity: SeverityWord = "moderate"
    too_low: SeverityWord = "minor"
    must_know: YesNo = False
    harm: HarmIds
    harm_text: Text | None = None
    harm_low: HarmIds | None = None
    harm_low_text: Text | None = None
    missed_dose: str = ""
    note: str = ""
    route: Annotated[list[RuleRoute], AsList] | None = None
    form: Annotated[list[str], AsList] | None = None
    ranges: list[DoseRangeShape] = Field(min_length=1)
    adjust: list[DoseRangeShape] = Field(default_factory=list)
    evidence: list[Evidence] = Field(min_length=1)
    cases: list[DoseCaseShape] = Field(default_factory=list)
    replaced_by: str | None = None

    @model_validator(mode="after")
    def _words_what_it_names(self) -> DoseShape:
        if self.harm_low_text is not None and self.harm_low is None:
            raise ValueError("`harm_low_text` words a `harm_low`: write that too")
        return self
