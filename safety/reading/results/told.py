"""What one line of results comes to: each result as a value, and the words that were not understood."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Literal

from msgspec import Struct

Sign = Literal["", "<", "<=", ">", ">=", "~"]
Flag = Literal["", "high", "low", "critical_high", "critical_low", "critical", "abnormal", "normal"]
Fault = Literal["", "value", "not_done", "name"]
"""Why a result says nothing: its value could not be read, it was not measured, or no test is named."""


class ToldResult(Struct, frozen=True):
    """One result as a line tells it.

    `test`: the id of the test, empty where it is none of ours; `name`: what it is called there, with the specimen before it.
    `value`: a number, or what a word says (`positive`, `negative`, `trace`, `1+` …); None with a `fault`, whose words are `said`.
    `unit`: the symbol of `kb/units.yaml`, else as written; None where none is told. `range`: the laboratory's own, as told;
    `goal`: what it is meant to be. `on`: the day, where one is told. `earlier`: said to be an older one ("baseline 1.1").
    `fasting`: the line tells that it was drawn fasting, or that it was not.
    `alone`: the test that is told beside this one as a rule ("BP 140"). `timed`: the line tells when the sample was drawn, as a
    level asks; `hour`: at which hour of the day; `after`: how many hours after a dose.
    `heard`: the words in which the number was told, "five point six": it is read back to whoever told it.
    `start`, `end`: where it stands in the text of the line.
    """

    test: str
    name: str
    value: Decimal | str | None = None
    sign: Sign = ""
    unit: str | None = None
    flag: Flag = ""
    range: str = ""
    goal: str = ""
    on: date | None = None
    earlier: bool = False
    fault: Fault = ""
    said: str = ""
    start: int = 0
    end: int = 0
    timed: bool = False
    hour: int | None = None
    after: Decimal | None = None
    alone: str = ""
    fasting: bool | None = None
    heard: str = ""


class ToldLine(Struct, frozen=True):
    """A line of results: its text as it was read, the results in order, and the words that nothing was made of.

    `taken_back`: what the speaker put right himself, or what was measured again as its sample was no good.
    """

    text: str
    results: tuple[ToldResult, ...]
    left: tuple[str, ...] = ()
    taken_back: tuple[str, ...] = ()
