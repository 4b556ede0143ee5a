"""The shape of a list of words as people write it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from safety.knowledge.shapes import Fact, Text


class LanguageShape(Fact):
    """Phrases (`words`), or phrases by what they mean (`meanings`); a site's file adds, or takes out (`remove`)."""

    title: Text | None = None
    words: list[Text] = Field(default_factory=list)
    meanings: dict[str, list[Text]] = Field(default_factory=dict)
    values: Literal["words", "numbers", "text"] | None = None
    includes: list[Text] = Field(default_factory=list)
    excludes: dict[str, Text] = Field(default_factory=dict)
    odd: dict[str, Text] = Field(default_factory=dict)
    shares: Text | None = None
    remove: list[Text] = Field(default_factory=list)

    @model_validator(mode="after")
    def _says_words(self) -> LanguageShape:
        if not (self.words or self.meanings or self.includes or self.remove):
            raise ValueError("a list of words holds `words`, `meanings` or `includes`")
        return self
