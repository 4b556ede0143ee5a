"""One line of a problem list as it was read: the conditions it names, what it says of each, and what was not read."""

from __future__ import annotations

from datetime import date
from typing import Literal

from msgspec import Struct

Standing = Literal[
    "told",
    "recent",
    "history",
    "done",
    "resolved",
    "suspected",
    "denied",
    "family",
    "nobody",
    "risk",
    "planned",
    "screening",
    "vaccinated",
]
"""Whether, when and whose: `told` says nothing but that it is there; `done` is an operation or event that was gone through;
`nobody`: none of the kin has it."""


class When(Struct, frozen=True):
    """A day between `first` and `last`, or so many days (least, most) before the day that is judged; as it was written.

    `short`: "3/22", the 22nd of March or March of 2022: it does not say which. `age`: at which age, in years; `gestation`: how
    many days (least, most) of a pregnancy; `span`: so long it lasts or lasted, which need not be how long ago it was; `latest`:
    it was then or before ("SDH s/p burr hole 2022"), `earliest`: then or later; `pregnant`: weeks as only a pregnancy is counted
    ("23w4d"); `month`: the last such month ("in June").
    """

    text: str
    first: date | None = None
    last: date | None = None
    ago: tuple[int, int] | None = None
    short: tuple[int, int] | None = None
    age: int | None = None
    gestation: tuple[int, int] | None = None
    span: bool = False
    latest: bool = False
    earliest: bool = False
    pregnant: bool = False
    month: int | None = None


class Mark(Struct, frozen=True):
    """What is said beside a condition and leaves it what it is: `severity`, `laterality`, `course`, `episode`, `recent`,
    `grade`, `size`, `marker`, `parity` or `count`."""

    kind: str
    text: str


class Head(Struct, frozen=True):
    """A condition by the name it was written with, from `start` to `end` of the text; `cause`: what it is told to come from.

    `within`: it is named as one of those that the condition before has with it ("T2DM with neuropathy"). `episode`: what is said
    is said of a flare of it ("COPD exacerbation, resolved"); `disease`: the name without the word for the flare, if it has one.
    `listed`: it stands under a heading of all that somebody has and had ("PMH: GERD"). `cured`: it is over because of an
    operation in the same breath, if that was done ("severe AS, TAVR 12/10" on the day before).
    """

    name: str
    text: str
    start: int
    end: int
    standing: Standing = "told"
    when: When | None = None
    marks: tuple[Mark, ...] = ()
    cause: str = ""
    within: bool = False
    episode: bool = False
    disease: str = ""
    listed: bool = False
    cured: bool = False


class Measured(Struct, frozen=True):
    """A result inside a line ("EF 30% 3/2022"), from its test to its unit or day: the test and the value as written.

    `counted`: the value stands before what is counted ("60 MME").
    """

    test: str
    value: str
    start: int
    end: int
    counted: bool = False


class Rest(Struct, frozen=True):
    """Words that were not read. `after_cause`: they stand where a cause is told ("due to …", "on …"); `taking`: behind "on".

    `standing`: what the word before says of them ("no …", "avoid …").
    """

    text: str
    start: int
    end: int
    after_cause: bool = False
    standing: Standing = "told"
    taking: bool = False
    when: When | None = None


class ProblemLine(Struct, frozen=True):
    """Everything of one line; every word of it stands in one of these, or adds nothing. `denies`: it has a word of denial;
    `pregnant_for`: so many days (least, most) of a pregnancy of now, also where nothing else names one ("G2P1 at 23w4d");
    `of_kin`: it begins with somebody else, of whom all of it tells; `names_kin`: somebody else stands in it.
    """

    text: str
    heads: tuple[Head, ...] = ()
    measured: tuple[Measured, ...] = ()
    rests: tuple[Rest, ...] = ()
    denies: bool = False
    pregnant_for: tuple[int, int] | None = None
    of_kin: bool = False
    names_kin: bool = False
