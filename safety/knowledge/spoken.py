"""Tables of what people say of a medicine: one ordered table for each question, the first row that fits decides."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

FOLDER = "kb/spoken"
NOTHING = "nothing"
"""What a row says that is there so that no later row takes its words."""

# What each question may be answered with; the reading room asks these and no others, in this order.
QUESTIONS: dict[str, frozenset[str]] = {
    # normalising
    "rewriting": frozenset({"plainly"}),
    # the statement as a whole
    "commands": frozenset({"command"}),
    "borrowed": frozenset({"borrowed"}),
    "given-twice": frozenset({"double", "by-accident"}),
    "depends": frozenset({"aside"}),
    "turns": frozenset({"cut"}),
    "corrections": frozenset({"corrected"}),
    "signs": frozenset({"one-day", "taken-then", "past"}),
    "supply": frozenset({"filled", "holds", "supply-days", "lasted", "some-left", "none-left"}),
    # a part of it: whose, when, whether it tells of what is taken
    "asides": frozenset({"aside"}),
    "hangs-on": frozenset({"irregular", "condition"}),
    "whose": frozenset({"cared-for", "somebody-else"}),
    "standing": frozenset({"asked", "wished", "planned", "not-a-dose", "told"}),
    "prescriber": frozenset({"order-changed"}),
    "exceptions": frozenset({"exception"}),
    "past": frozenset({"past", "until-now"}),
    "contrasts": frozenset({"instead"}),
    "supposed": frozenset({"supposed"}),
    "as-told": frozenset({"as-prescribed", "not-as-told"}),
    "denied": frozenset({"denied"}),
    # what happened
    "unsure": frozenset({"unsure"}),
    "if-missed": frozenset({"if-missed"}),
    "forgotten": frozenset({"forgotten"}),
    "skipped": frozenset({"skipped"}),
    "irregular": frozenset({"irregular"}),
    "ran-out": frozenset({"ran-out"}),
    "stopped": frozenset({"stopped"}),
    "not-needed": frozenset({"not-needed"}),
    "doubled": frozenset({"double"}),
    "extra": frozenset({"extra"}),
    "own-change": frozenset({"more-dose", "less-dose"}),
    "further-dose": frozenset({"second-dose", "third-dose"}),
    "to-be-safe": frozenset({"to-be-safe"}),
    "make-up": frozenset({"make-up"}),
    "by-accident": frozenset({"by-accident"}),
    "together": frozenset({"all-at-once"}),
    "half-dose": frozenset({"half-dose"}),
    "halved": frozenset({"halved"}),
    "broken-up": frozenset({"broken-up"}),
    "lasted-short": frozenset({"lasted-short"}),
    "another-day": frozenset({"earlier-day"}),
    "missing": frozenset({"cut"}),
    # how much, how often, when
    "set-apart": frozenset({"aside"}),
    "amounts": frozenset({"amount", "strength", "often", "day", "occasion", "slot", "weekdays", "pieces"}),
    "of-taking": frozenset({"taking"}),
    "bare-numbers": frozenset({"amount", "pieces"}),
    "beside": frozenset({"added"}),
    "both-sides": frozenset({"both-sides"}),
    "comparing": frozenset({"often", "last", "amount"}),
}


_PLACE = re.compile(r"(?P<mark>\{=?|#)(?P<role>[a-z-]+)\}?")


def places_in(becomes: str) -> list[str]:
    """The roles whose words stand in how a row is said plainly."""
    return [m["role"] for m in _PLACE.finditer(becomes)]


def filled(becomes: str, said: Mapping[str, str], means: Mapping[str, str]) -> str:
    """How a row is said plainly: `{list}` and `#number` as they were said, `{=list}` as what it means, nothing if left out."""
    return _PLACE.sub(lambda m: (means if m["mark"] == "{=" else said).get(m["role"], ""), becomes)


class SpokenRow(Struct, frozen=True):
    """One row: what it says (nothing: no later row has these words), in which words, and what shows that it is so.

    `words` are patterns, any of which will do; `gives` is read as if it had been said; `becomes` is how it is said plainly.
    """

    id: str
    says: tuple[str, ...]
    words: tuple[str, ...]
    example: str
    near_miss: str
    gives: dict[str, str] = {}
    becomes: str = ""
    origin: str = ""
    place: str = ""


class SpokenTable(Struct, frozen=True):
    """The rows that answer one question, a site's before ours; `phrases` are parts of patterns by name."""

    id: str
    question: str
    rows: tuple[SpokenRow, ...]
    phrases: dict[str, str] = {}
    origin: str = ""
    place: str = ""
