"""Tables of what people say of a medicine: one ordered table for each question, the first row that fits decides."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

FOLDER = "kb/spoken"
NOTHING = "nothing"
"""What a row says that is there so that no later row takes its words."""


class Question(Struct, frozen=True):
    """One question that is asked of what people say: the answers that a row may give, of what it is asked, and how.

    - `of`: the words as they were `said`, the `words` with numbers as digits, the `statement` made plain, or each `part` of it.
    - `asks`: for the `first` row that fits, for the first row for `each` answer, or for `every` place that a row fits.
    - `deniable`: a row does not fit where it is denied right before ("I never skip it").
    """

    answers: tuple[str, ...]
    of: Literal["said", "words", "statement", "part"] = "part"
    asks: Literal["first", "each", "every"] = "first"
    deniable: bool = False
    reads: dict[str, tuple[str, ...]] = {}
    """What has to be read, one of these roles, for an answer to mean anything."""


def _happened(*answers: str) -> Question:
    return Question(answers, deniable=True)


QUESTIONS: dict[str, Question] = {
    "rewriting": Question(("plainly",), "words", "every"),
    "more-than-directions": Question(("more",), "said"),
    "two-names": Question(("same", "added"), "statement"),
    # the statement as a whole
    "commands": Question(("command",), "statement"),
    "borrowed": Question(("borrowed",), "statement"),
    "given-twice": Question(("double", "by-accident"), "statement"),
    "depends": Question(("aside",), "statement", "every"),
    "turns": Question(("cut",), "statement", "every"),
    "corrections": Question(("corrected",), "statement", "every"),
    "signs": Question(("one-day", "taken-then", "past"), "statement", "each"),
    "supply": Question(
        ("filled", "holds", "supply-days", "lasted", "some-left", "none-left"), "statement", "each",
        reads={"filled": ("period",), "holds": ("units",), "supply-days": ("period",), "lasted": ("period",)},
    ),
    # a part of it: whose, when, whether it tells of what is taken
    "asides": Question(("aside",), asks="every"),
    "hangs-on": Question(("irregular", "condition"), asks="every"),
    "whose": Question(("cared-for", "somebody-else")),
    "standing": Question(("asked", "wished", "planned", "not-a-dose", "told")),
    "prescriber": Question(("order-changed",)),
    "exceptions": Question(("exception",)),
    "past": Question(("past", "until-now")),
    "contrasts": Question(("instead",)),
    "supposed": Question(("supposed",)),
    "as-told": Question(("as-prescribed", "not-as-told")),
    "denied": Question(("denied",)),
    "doubted": Question(("doubted",), "statement"),
    # what happened, in the order in which it is told
    "unsure": _happened("unsure"),
    "if-missed": _happened("if-missed"),
    "forgotten": _happened("forgotten"),
    "skipped": _happened("skipped"),
    "irregular": _happened("irregular"),
    "ran-out": _happened("ran-out"),
    "stopped": _happened("stopped"),
    "not-needed": _happened("not-needed"),
    "doubled": _happened("double"),
    "extra": _happened("extra"),
    "own-change": _happened("more-dose", "less-dose"),
    "further-dose": _happened("second-dose", "third-dose"),
    "to-be-safe": _happened("to-be-safe"),
    "make-up": _happened("make-up"),
    "by-accident": _happened("by-accident"),
    "together": _happened("all-at-once"),
    "half-dose": _happened("half-dose"),
    "halved": _happened("halved"),
    "broken-up": _happened("broken-up"),
    "lasted-short": _happened("lasted-short"),
    "another-day": Question(("earlier-day",)),
    "missing": Question(("cut",)),
    # how much, how often, when
    "set-apart": Question(("aside",), asks="every"),
    "amounts": Question(
        ("amount", "strength", "often", "day", "occasion", "slot", "weekdays", "pieces"), "statement", "every",
        reads={
            "amount": ("count",), "pieces": ("count",), "strength": ("each",), "often": ("times", "every", "every-which"),
            "occasion": ("occasion",), "slot": ("part-of-day",), "weekdays": ("weekday", "weekdays-in-plural"),
        },
    ),
    "of-taking": Question(("taking",), "statement"),
    "bare-numbers": Question(("amount", "pieces"), "statement", "every", reads={"amount": ("count",), "pieces": ("count",)}),
    "beside": Question(("added",), "statement"),
    "both-sides": Question(("both-sides",), "statement"),
    "comparing": Question(
        ("often", "last", "amount"), "statement", "each", reads={"often": ("times",), "last": ("times",), "amount": ("count",)}
    ),
    # how a medicine is spoken of, in talk of many things
    "contexts": Question(
        (
            "taking", "stopped", "missed", "considering", "asking", "allergic", "prescribed", "someone-elses", "denied",
            "perhaps-taking", "still-taking", "held", "out", "mentioned", "was-taking", "pending-taking", "pending-stopped", 
            "pending-allergic",
            "replaced-by", "to-be-replaced-by", "to-be-replaced-later", "replaces", "ordered-in-short", "instead-of-the-last",
        ),
        "statement",
    ),
    "only-thought-of": Question(("still-taking", "considering", "ordered-in-short"), "statement"),
    "changes": Question(("started", "changed", "held", "resumed"), "statement"),
    "said-of-it": Question(("again", "taking", "stopped", "missed", "denied", "considering"), "statement"),
    "asked-about": Question(("taking", "allergic"), "statement"),
    "to-a-machine": Question(("instruction",), "statement"),
    "treatments": Question(("medicine",), "statement"),
}  # fmt: skip
"""Every question that the reading room asks; a table of kb/spoken holds the rows that answer it."""
PERIODS = ("hour", "day", "week", "month", "year")
NUMBERS_GIVEN = ("count", "most", "each", "times", "every", "parts")
"""What a row may give as a number, beside `period`, `form`, and `weak` and `daily` (yes)."""
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
