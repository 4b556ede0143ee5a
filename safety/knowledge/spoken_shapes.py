"""The shape of a table of what people say."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from safety.knowledge.shapes import AsList, Fact, Shape, Text

OneOrMore = Annotated[list[Text], AsList]


class SpokenRowShape(Shape):
    """What is said in which words, an example that the row takes, and a near miss that it does not."""

    id: Text
    says: OneOrMore
    words: OneOrMore
    example: Text
    near_miss: Text
    gives: dict[str, Text] = Field(default_factory=dict)
    becomes: Text | None = None


class SpokenShape(Fact):
    """The rows that answer one question, the first that fits decides; a site's file adds before ours, or takes out (`remove`)."""

    question: Text | None = None
    phrases: dict[str, Text] = Field(default_factory=dict)
    rows: list[SpokenRowShape] = Field(default_factory=list)
    remove: list[Text] = Field(default_factory=list)
