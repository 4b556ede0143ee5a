"""The shape of a score as people write it."""

from __future__ import annotations

from typing import Any

from pydantic import Field, model_validator

from safety.knowledge.shapes import Amount, Bounded, Fact, LabId, Shape, Text


class BandShape(Bounded):
    """So many points for an amount within these ends."""

    points: Amount


class ScoreLineShape(Shape):
    """One line: points for a yes, by a word, or by an age, a test's result, or an amount in a unit of its own."""

    key: str = Field(pattern="^[a-z][a-z0-9-]*$")
    yes: Amount | None = None
    words: dict[Text, Amount] | None = Field(None, min_length=1)
    age: list[BandShape] | None = Field(None, min_length=1)
    lab: LabId | None = None
    unit: Text | None = None
    believable: Bounded | None = None
    bands: list[BandShape] | None = Field(None, min_length=1)
    example: Amount = ""

    @model_validator(mode="after")
    def _one_of(self) -> ScoreLineShape:
        ways = [self.yes, self.words, self.age, self.lab, self.unit]
        if sum(way is not None for way in ways) != 1:
            raise ValueError("say one of `yes`, `words`, `age`, `lab`, `unit`")
        if (self.bands is not None) is not (self.lab is not None or self.unit is not None):
            raise ValueError("`bands` stand with `lab` or `unit`, and with nothing else")
        if self.unit is not None and self.believable is None:
            raise ValueError("`unit` needs `believable`: between which amounts it can be believed at all")
        return self


class MeaningShape(Bounded):
    """What sums within these ends mean."""

    says: Text


class ScoreCaseShape(Shape):
    """A patient, and the sum."""

    given: dict[str, Any]
    value: Amount


class ScoreShape(Fact):
    """A score."""

    title: Text
    unit: Text = "points"
    edition: Amount = ""
    lines: list[ScoreLineShape] = Field(min_length=1)
    meanings: list[MeaningShape] = Field(default_factory=list)
    notes: list[Text] = Field(default_factory=list)
    cases: list[ScoreCaseShape] = Field(min_length=1)
