"""What was told of a patient: events that are only ever added. A correction and a retraction are events too."""

from __future__ import annotations

import hashlib
from datetime import date
from typing import Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from safety.model.patient import Medication

Authority = Literal["clinician", "record", "patient", "caregiver", "inferred"]
"""Whose word it is: a clinician's, the clinical record's, the patient's own, a caregiver's, or drawn from something else."""
AUTHORITIES: tuple[Authority, ...] = get_args(Authority)

Act = Literal[
    "prescribed", "started", "taking", "changed", "held", "resumed", "stopped", "denies", "confirmed",
    "irregular", "regular", "filled", "asks", "considers", "others",
    "has", "suspected", "resolved", "allergic", "measured", "retracted",
]  # fmt: skip
"""What is told. Of medicines: `taking` and `denies` say how it is, `started`, `changed`, `held`, `resumed` and `stopped` that it
became so, `confirmed` settles what was open; `irregular` and `regular` speak of how faithfully, `filled` of a supply handed out;
`asks` only takes for granted that it is taken; `considers` and `others` (somebody else takes it) say nothing of this patient."""
ACTS: tuple[Act, ...] = get_args(Act)

Kind = Literal["medicine", "condition", "allergy", "result", "nothing"]
Known: TypeAlias = int | date | None
"""How much is known: up to a turn, up to the end of a day, or (None) everything."""


class Time(Struct, frozen=True, order=True):
    """When something was: on one day, or on a day that is only known to lie between two."""

    first: date
    last: date

    @property
    def exact(self) -> bool:
        """Whether the day is known."""
        return self.first == self.last

    def __str__(self) -> str:
        if self.exact:
            return self.first.isoformat()
        if self.first == date.min:
            return f"by {self.last}"
        return f"between {self.first} and {self.last}"


def on(day: date) -> Time:
    """A day that is known."""
    return Time(day, day)


class Provenance(Struct, frozen=True):
    """Where the words stand: the document or resource, from which character to which, and the words."""

    source: str = ""
    start: int | None = None
    end: int | None = None
    text: str = ""


class Event(Struct, frozen=True):
    """One thing that was told, as it was told: by whom, in which turn and on which day, of what, and for when.

    `told` with `turn`: when it came to be known. `when`: when it was so, None for the day it was told; `dated`: that was told in
    words of its own. `until`: the last day it is meant to last. `medicine`, `condition`, `allergy`, `test`: what it is about.
    `among`: it was said of one of these medicines, and which one is open: it is an event of each of them.
    `corrects`, `retracts`: the ids of events that no longer count once this one is known. `because_of`: the medicine that did it.
    """

    id: str
    turn: int
    told: date
    by: Authority
    says: Act
    medicine: Medication | None = None
    condition: str = ""
    allergy: str = ""
    reaction: str = ""
    test: str = ""
    value: str = ""
    unit: str = ""
    codes: tuple[tuple[str, str], ...] = ()
    when: Time | None = None
    until: date | None = None
    days: int | None = None
    why: str = ""
    because_of: str = ""
    corrects: tuple[str, ...] = ()
    retracts: tuple[str, ...] = ()
    said: Provenance = Provenance()
    among: tuple[str, ...] = ()

    @property
    def kind(self) -> Kind:
        """What it is about."""
        if self.medicine is not None:
            return "medicine"
        return "condition" if self.condition else "allergy" if self.allergy else "result" if self.test else "nothing"

    @property
    def dated(self) -> bool:
        """Whether it was told when it was, apart from the day of the telling."""
        return self.when is not None

    @property
    def at(self) -> Time:
        """When it was so: as told, else the day it was told."""
        return self.when if self.when is not None else on(self.told)

    @property
    def order(self) -> tuple[date, int, int, str]:
        """The order in which events came to be known; of one turn, as they were said, then by their ids."""
        return self.told, self.turn, self.said.start or 0, self.id

    def to_dict(self) -> dict[str, Any]:
        """The event as plain values, without what was not told."""
        built = msgspec.to_builtins(self)
        return {key: value for key, value in built.items() if value not in (None, "", [], {})} | {"turn": self.turn}


def event_id(event: Event) -> str:
    """An id that follows from everything the event tells, so that the same event told twice is one event."""
    content = encoded(replace(event, id=""))
    return hashlib.sha256(content).hexdigest()[:16]


def encoded(event: Event) -> bytes:
    """The event as one line of JSON, the same bytes for the same event."""
    data = msgspec.json.encode(event, order="sorted")
    return data if event.among else data.replace(b'"among":[],', b"", 1)


def decoded(data: bytes | str) -> Event:
    """An event from its line of JSON."""
    return msgspec.json.decode(data, type=Event)
