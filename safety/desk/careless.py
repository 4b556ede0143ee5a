"""What `medsafe lint` says of rules that compile and still cannot be meant so: carelessness that no case would show."""

from __future__ import annotations

from typing import Final

from safety.desk.keeping import in_force, placeholder, unlikely_review
from safety.desk.reach import impossible_rule
from safety.desk.remarks import Remark
from safety.errors import Place, Problem
from safety.knowledge.library import Library

_TOLD: Final = {
    "text.placeholder": ("K707", "write what only you can know"),
    "reach.impossible": ("K708", "which of the two is meant?"),
    "review.reviewer": ("K709", 'write the license too, "NAME, RPh OH 03-1-23456", or leave `by_whom` empty'),
    "review.order": ("K710", "`due` comes after `last`"),
}


def careless(library: Library, part: str = "") -> list[Problem]:
    """Placeholders, conditions that no patient meets, reviewers without a license, and reviews due before they were."""
    entries = (e for e in in_force(library) if e.place.startswith(part))
    remarks = (r for e in entries for r in (*placeholder(e), *impossible_rule(e, library.units), *unlikely_review(e)))
    return sorted(_problem(r) for r in remarks)


def _problem(r: Remark) -> Problem:
    code, hint = _TOLD[r.line]
    file, line, column = r.place.rsplit(":", 2)
    return Problem(Place(file, int(line), int(column)), code, f"{r.about}: {r.says}", hint)
