"""Everything that was told of how one medication is taken: in words, in fields, in structure; and what it comes to."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from safety.model.directions import ONE_DOSE, Directions
from safety.model.patient import Medication
from safety.reading.directions.fields import read_fields
from safety.reading.directions.layers import either_windows, laid_over
from safety.reading.directions.notes import UnitOf, none_sold
from safety.reading.directions.sig import read_sig
from safety.reading.directions.structure import settled
from safety.reading.directions.words import Lexicon


class Tellings(Struct, frozen=True):
    """The directions as told in words, telling by telling, and in `structure` (fields, codes and numbers).

    `name`: the words that follow the name; `sig`: the instruction. `beside`: words of the same order that decide nothing: a
    line of text told with the fields it was put into, an instruction beside the one that counts. `together`: what all come to.
    """

    name: Directions
    together: Directions
    sig: Directions | None = None
    beside: tuple[Directions, ...] = ()
    structure: Directions | None = None


def read_told(medication: Medication, rest: str, lex: Lexicon, unit_of: UnitOf = none_sold, line: str = "") -> Tellings:
    """The directions of a medication; `rest` is its text without the name. Structure wins over its sig, its sig over its text.

    `line`: what stands beside the name in a line of text told with the fields. Words beside that were not understood are unread
    like any other, though they decide nothing.
    """
    name = read_sig(rest, lex, unit_of)
    sig = read_sig(medication.sig, lex, unit_of) if medication.sig else None
    structure = _structure(medication, lex, words_tell=bool(sig is not None and (sig.dose or sig.per_day or sig.steps)))
    together = name
    for told in (sig, structure):
        together = laid_over(together, told) if told is not None else together
    beside = tuple(read_sig(text, lex) for text in (line, *medication.beside) if text)
    for told in beside:
        windows = either_windows(together.windows, told.windows)
        together = replace(together, windows=windows, unread=together.unread + told.unread)
    return Tellings(name, together, sig, beside, structure)


def _structure(medication: Medication, lex: Lexicon, *, words_tell: bool) -> Directions | None:
    """Fields, and over them what was told in numbers and codes; a dose told in doses is whatever the words tell."""
    fields = read_fields(medication, lex) if _has_fields(medication) else None
    coded = medication.directions
    if coded is not None:
        in_doses = words_tell and coded.dose is not None and coded.dose[1].unit == ONE_DOSE
        coded = settled(replace(coded, dose=None) if in_doses else coded, lex)
    return laid_over(fields, coded) if fields is not None and coded is not None else fields or coded


def _has_fields(medication: Medication) -> bool:
    m = medication
    return any(told is not None for told in (m.strength, m.dose, m.frequency, m.form, m.route, m.as_needed, m.days))


def line_beside(medication: Medication) -> str:
    """A line of text told beside the fields, not put together from them."""
    m = medication
    if not m.drug or m.text == " ".join(filter(None, (m.drug, m.strength, m.form, m.dose, m.route, m.frequency, m.sig))):
        return ""
    return m.text
