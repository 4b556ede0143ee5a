"""A line of the list that tells several medicines → a medication for each, with the words and fields that are its own."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from safety.model.patient import Medication
from safety.model.position import Position
from safety.understanding.meaning import Meaning, MeaningOf

_DEEPEST = 8
_JOINING = ("+", "/", "&")


class Mixed(Struct, frozen=True):
    """What a line of several medicines tells beside them: something eaten or drunk, or a dose that is nobody's (then `ask`)."""

    text: str
    eaten: bool = False
    medicines: tuple[str, ...] = ()
    ask: str = ""
    where: Position = Position("medications", 0)


def apart(told: Medication, meaning_of: MeaningOf) -> tuple[tuple[Medication, ...], tuple[Mixed, ...]]:
    """The medications of one line; it is itself the only one where it tells one.

    Route, dates, supply and what it is for go with each. An amount that a field tells beside several names that we know is
    nobody's: it goes with none, and is asked about. Where a record tells it in numbers, the line is asked about as a whole.
    """
    if told.contains:
        return (told,), ()
    if meaning_of(told).read.supply:
        return (), ()
    parts, eaten = _texts(told, meaning_of, _DEEPEST)
    if parts == (told.drug or told.text,) and not eaten:
        return (told,), ()
    several = sum(meaning_of(Medication(text)).read.answer.status == "match" for text in parts) > 1
    if several and told.directions is not None:
        return (told,), ()
    also = [Mixed(text, eaten=True) for text in eaten]
    own = [w for w in (told.strength, told.dose, told.frequency, told.sig) if w]
    if own and several:
        amount = ", ".join(own)
        also.append(Mixed(amount, medicines=parts, ask=f"Of which medicine is {amount} told: {_either(parts)}?"))
        told = replace(told, strength=None, dose=None, frequency=None, sig=None)
    named = told.drug is not None
    return tuple(replace(told, text=text, drug=text if named else None, codes=()) for text in parts), tuple(also)


def taken_together(told: Medication, each: Sequence[Medication], *, seldom: bool) -> bool:
    """As in "haldol 5 / ativan 2 IM q6h prn": whether nothing but a stroke stands between the medicines of a line; a plus where
    the last is taken once a day or more seldom, "allopurinol 300 + colchicine 0.6 daily"."""
    text, at = told.drug or told.text, 0
    for n, one in enumerate(each):
        begins = text.find(one.text, at)
        if begins < 0 or (n and text[at:begins].strip() not in (_JOINING if seldom else ("/",))):
            return False
        at = begins + len(one.text)
    return len(each) > 1


def _texts(told: Medication, meaning_of: MeaningOf, deeper: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of each medicine, and what is eaten; a part may tell several in its turn."""
    meaning = meaning_of(told)
    parts = meaning.read.parts
    if not parts or not deeper:
        return (told.drug or told.text,), ()
    said = _said_of_all(told, meaning)
    medicines: list[str] = []
    eaten: list[str] = []
    for part in parts:
        if part.eaten:
            eaten.append(part.text)
            continue
        text = (
            f"{said} {part.text}"
            if said and not part.begun and meaning_of(Medication(part.text)).noted.status == "taken"
            else part.text
        )
        if meaning_of(Medication(text)).read.supply:
            continue
        inner, also = _texts(Medication(text), meaning_of, deeper - 1)
        medicines += inner
        eaten += also
    return tuple(medicines), tuple(eaten)


def _said_of_all(told: Medication, meaning: Meaning) -> str:
    """That the medicines of a line are held or were stopped, told before the first of them: it is said of each."""
    noted = meaning.noted
    begins = (told.drug or told.text).lower().lstrip(" (-").startswith(noted.said.lower())
    return noted.said if noted.status != "taken" and noted.said and begins else ""


def _either(names: Sequence[str]) -> str:
    return " or ".join((", ".join(names[:-1]), names[-1]))
