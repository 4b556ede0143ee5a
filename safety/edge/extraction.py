"""What a text says of medicines and the patient: items that each quote the text, and how each was normalised."""

from __future__ import annotations

from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

Context = Literal[
    "taking", "stopped", "missed", "considering", "asking", "allergic", "prescribed", "someone_elses", "denied", "mentioned"
]  # fmt: skip
"""How a medicine is spoken of. `prescribed`: a clinician orders or recommends it; `denied`: told as not taken; `mentioned`:
named, and nothing is said of who takes it."""
CONTEXTS: tuple[Context, ...] = get_args(Context)
Change = Literal["", "started", "changed", "held", "resumed", "continued"]
"""What is told to have become of a medicine: it is new, its dose is another, it is not taken for now, it is taken again, or it is
ordered to go on as it is."""
TAKEN: frozenset[str] = frozenset({"taking", "missed"})
PROPOSED: frozenset[str] = frozenset({"prescribed", "considering", "asking"})
Reader = Literal["dictionary", "model"]
"""Who found an item; what only a model found is in no case until somebody confirms it."""
Speaker = Literal["patient", "clinician", "other", "unknown"]
ConditionStanding = Literal["active", "past", "suspected", "denied", "family"]
FactKind = Literal["age", "sex", "weight", "height", "pregnancy", "breastfeeding"]


class Span(Struct, frozen=True):
    """A part of the text: from the character `start` to before `end`, and what stands there."""

    start: int
    end: int
    text: str


class Quoted(Struct, frozen=True):
    """Words of the text and what they were read as."""

    span: Span
    value: str


class Normalised(Struct, frozen=True):
    """What a name was taken to be: the id of a drug (several for a combination), how, and a question where it is not certain."""

    drug: str | tuple[str, ...] | None
    name: str | None
    via: str | None
    status: Literal["match", "ambiguous", "unrecognised"]
    confirm: bool = False
    ask: str = ""
    candidates: tuple[str, ...] = ()


class MedicationSaid(Struct, frozen=True):
    """A medicine that was named: where, what it is, in which context, and what was said of dose, directions, time and reason.

    `also`: other places where it is named in this context. `was`: a value that the speaker, or a second reader, put otherwise;
    with it goes a question.
    `change`: what is told to have become of it, where its context does not say so.
    """

    span: Span
    normalised: Normalised
    context: Context
    speaker: Speaker = "unknown"
    dose: Quoted | None = None
    directions: Quoted | None = None
    time: Quoted | None = None
    reason: Quoted | None = None
    also: tuple[Span, ...] = ()
    was: str = ""
    ask: str = ""
    by: Reader = "dictionary"
    route: Quoted | None = None
    change: Change = ""

    @property
    def is_taken(self) -> bool:
        """Whether it is one of the medicines that are taken: told so, or ordered to go on."""
        return self.context in TAKEN or (self.context == "prescribed" and self.change == "continued")

    @property
    def drugs(self) -> tuple[str, ...]:
        """The drugs it was taken to be; none where that is open."""
        drug = self.normalised.drug
        return () if drug is None else (drug,) if isinstance(drug, str) else drug


class ResultSaid(Struct, frozen=True):
    """A result: the test by its id, its name, the value and unit as read."""

    span: Span
    test: str
    name: str
    value: str
    unit: str | None = None
    ask: str = ""
    by: Reader = "dictionary"


class ConditionSaid(Struct, frozen=True):
    """A condition that was named, by its id, and whether the patient has it.

    `listed`: how a list of problems tells it, where it is told as earlier: "stroke two years ago", "history of gout".
    """

    span: Span
    condition: str
    name: str
    standing: ConditionStanding
    by: Reader = "dictionary"
    listed: str = ""


class AllergySaid(Struct, frozen=True):
    """What the patient reacts to, and how if told; `denied`: told that there is no such allergy, or none at all."""

    span: Span
    to: str
    drug: str | tuple[str, ...] | None = None
    reaction: Quoted | None = None
    denied: bool = False
    confirm: bool = False
    ask: str = ""
    by: Reader = "dictionary"


class IntakeSaid(Struct, frozen=True):
    """Something eaten, drunk or smoked; `denied`: told as not."""

    span: Span
    food: str
    denied: bool = False


class FactSaid(Struct, frozen=True):
    """A fact about the patient, with the value as a case takes it ("72 y", "female", "81 kg", "weeks 23")."""

    span: Span
    fact: FactKind
    value: str


class Extraction(Struct, frozen=True):
    """Everything that was understood of a text; `by`: who read it (`dictionary`, or the model's name).

    `notes`: what a reader said that was not believed, and why; never the words of a patient.
    """

    medications: tuple[MedicationSaid, ...] = ()
    results: tuple[ResultSaid, ...] = ()
    conditions: tuple[ConditionSaid, ...] = ()
    allergies: tuple[AllergySaid, ...] = ()
    intake: tuple[IntakeSaid, ...] = ()
    facts: tuple[FactSaid, ...] = ()
    vaccines: tuple[MedicationSaid, ...] = ()
    by: str = "dictionary"
    notes: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing was found."""
        return not (
            self.medications or self.results or self.conditions or self.allergies or self.intake or self.facts or self.vaccines
        )

    def spans(self) -> tuple[Span, ...]:
        """Every span that is quoted."""
        found: list[Span] = []
        for m in (*self.medications, *self.vaccines):
            found += [m.span, *m.also, *(q.span for q in (m.dose, m.directions, m.time, m.reason, m.route) if q is not None)]
        for items in (self.results, self.conditions, self.allergies, self.intake, self.facts):
            found += [item.span for item in items]
        found += [a.reaction.span for a in self.allergies if a.reaction is not None]
        return tuple(found)

    def to_dict(self) -> dict[str, Any]:
        """The extraction as plain values."""
        built: dict[str, Any] = msgspec.to_builtins(self)
        return {"extraction": 1, **built}

    def to_json(self) -> bytes:
        """The extraction as JSON on one line, the same bytes for the same text."""
        return msgspec.json.encode(self.to_dict())
