"""What every extractor is: text in, an `Extraction` out, whose every item quotes the text."""

from __future__ import annotations

from typing import Protocol

from safety.edge.extraction import Extraction


class Extractor(Protocol):
    """Reads a text; nothing about a text raises, and what was not understood is not there."""

    def extract(self, text: str) -> Extraction:
        """Everything that the text says of medicines and of the patient."""
