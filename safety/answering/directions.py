"""A line of directions, with or without the medicine's name → what was understood, where it stands, and it all in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from safety.model.directions import ONE_DOSE, Directions, DosingStep, amount_in_words, how_often_in_words
from safety.model.patient import Medication
from safety.model.quantity import counted, plain
from safety.model.sig_answer import SigAnswer, SigPart, SigStatus, amount_said, most_said, often_said, step_said
from safety.reading.directions.places import parts_of
from safety.reading.directions.words import Lexicon
from safety.text import printable
from safety.understanding.meaning import Meaning
from safety.understanding.terms import Terms

_SHOWN = 6
_EVERY_OTHER_DAY = (Fraction(1, 2), Fraction(1, 2))
# how it is told to somebody: the verb, and what follows the amount
_HOW: dict[str, tuple[str, str]] = {
    "oral": ("Take", "by mouth"), "sublingual": ("Dissolve", "under the tongue"), "buccal": ("Dissolve", "in the cheek"),
    "parenteral": ("Inject", ""), "intravenous": ("Give", "into a vein"), "intramuscular": ("Inject", "into a muscle"),
    "subcutaneous": ("Inject", "under the skin"),
    "rectal": ("Insert", "into the rectum"), "vaginal": ("Insert", "into the vagina"),
    "topical": ("Apply", "to the skin"), "transdermal": ("Apply", "to the skin"), "ophthalmic": ("Put", "in the eye"),
    "otic": ("Put", "in the ear"), "nasal": ("Use", "in the nose"), "inhaled": ("Inhale", ""),
    "dental": ("Apply", "to the teeth"),
}  # fmt: skip
_OTHERWISE = ("Take", "")
_DAY_PARTS = {"morning": "in the morning", "noon": "at noon", "afternoon": "in the afternoon", "evening": "in the evening",
              "night": "at night"}  # fmt: skip


def answer_sig(text: str, terms: Terms, lex: Lexicon) -> SigAnswer:
    """What a line of directions says; of one that begins with a medicine's name, which medicine it is, too."""
    named = terms.resolver.read(text, written=True, guess=False)
    known = named.answer.status == "match" and not named.parts
    meaning = terms.meaning_of(Medication(text) if known else Medication("", sig=text))
    if not known and _doubtful(meaning.directions):  # a name that is misspelt is among the words not understood
        again = terms.meaning_of(Medication(text))
        if again.read.answer.status != "unrecognised" and not again.read.parts:
            meaning, known = again, True
    d = meaning.directions
    drugs = list(meaning.read.drugs)
    parts = _parts(text, meaning, known, lex)
    return SigAnswer(
        text=text, status=_status(d), says=_by_part_of_day(text, d, parts) or sentence(d),
        drug=drugs[0] if len(drugs) == 1 else drugs or None, name=meaning.read.answer.name if known else None,
        dose=amount_said(d.dose),
        frequency=often_said(d.times_per_day, d.interval_hours), per_day=amount_said(d.per_day),
        maximum_per_day=most_said(d.day_max), route=d.injected or d.route, form=d.form, strength=_strength(d), days=d.days,
        as_needed=d.as_needed, once=d.once, reason=d.reason, times_of_day=list(d.parts_of_day),
        steps=[step_said(step) for step in d.steps], state=meaning.noted.status, unread=list(d.unread),
        ask=_ask(meaning, known), parts=parts,
    )  # fmt: skip


def _doubtful(d: Directions) -> bool:
    return bool(d.unread) or (d.dose is None and d.times_per_day is None and not d.steps)


def _status(d: Directions) -> SigStatus:
    if not (d.dose or d.times_per_day or d.per_day or d.steps or d.number):
        return "unread"
    return "partly" if d.unread or d.unclear else "read"


def _strength(d: Directions) -> str | None:
    if d.strength is None:
        return None
    return f"{d.strength} in {d.strength_per}" if d.strength_per is not None else str(d.strength)


def _parts(text: str, meaning: Meaning, known: bool, lex: Lexicon) -> list[SigPart]:
    """The parts with the characters that tell them, counted in the text as it was given."""
    line = meaning.read.rest if known else text
    at = text.find(line) if line else len(text)
    if at < 0:  # the line was written in another way than it is kept: its words still stand somewhere in the whole
        line, at = text, 0
    name = text[:at].rstrip(" ,:;-") if known else ""
    found = [SigPart("name", 0, len(name), name)] if name else []
    spans = parts_of(line, meaning.directions, lex)
    return found + [SigPart(p.name, at + p.start, at + p.end, text[at + p.start : at + p.end]) for p in spans]


def _ask(meaning: Meaning, known: bool) -> str:
    """What to ask before relying on it: the medicine, words not understood, the unit of a number, how much or how often."""
    d = meaning.directions
    if known and meaning.read.answer.ask:
        return meaning.read.answer.ask
    if d.number is not None:
        return f"{plain(d.number[1])} of what: milligrams, milliliters, tablets?"
    if d.unread:
        return f"What is meant by {', '.join(f'`{printable(word, 40)}`' for word in d.unread[:_SHOWN])}?"
    if d.steps or d.per_day:
        return ""
    if d.dose is None:
        return "How much is taken each time?"
    return "" if d.times_per_day or d.once or d.as_needed else "How often is it taken?"


# --- in a sentence ---


def _by_part_of_day(text: str, d: Directions, parts: Sequence[SigPart]) -> str:
    """As in "1/2 tab qAM and 1 tab qhs": which dose belongs to which time is told only in the words themselves."""
    if d.steps or d.scale or sum(part.part == "dose" for part in parts) < 2:
        return ""
    return f"As written: {printable(text)}"


def sentence(d: Directions) -> str:
    """Directions as they are read back: "Take 500 mg by mouth twice a day for 10 days." Empty where nothing was understood."""
    verb, where = _HOW.get(d.injected or d.route or "", _OTHERWISE)
    if d.steps:
        joined = " alternating with " if all(s.times_per_day == _EVERY_OTHER_DAY and not s.days for s in d.steps) else ", then "
        said = f"{verb} {joined.join(_step(s, where if n == 0 else '') for n, s in enumerate(d.steps))}"
    else:
        said = " ".join(_words(d, verb if d.dose or d.per_day or d.number else "Use", where))
    if said in (verb, "Use"):
        return ""
    if d.day_max is not None:
        most = counted(d.day_max) + ("s" if d.day_max.unit == ONE_DOSE and d.day_max.value != 1 else "")
        said += f", at most {most} a day"
    unread = [word for word in d.unread if d.number is None or word != plain(d.number[1])]
    said += f" (not understood: {', '.join(printable(word, 40) for word in unread[:_SHOWN])})" if unread else ""
    return said + "."


def _words(d: Directions, verb: str, where: str) -> Iterator[str]:
    told = d.dose or d.per_day or d.times_per_day or d.number
    yield verb
    if d.dose is not None:
        yield amount_in_words(d.dose) + (" at each of 2 places" if d.sites == 2 else "")
    elif d.number is not None:
        yield f"{plain(d.number[1])} (unit not told)"
    elif d.per_day is not None:
        yield f"{amount_in_words(d.per_day)} a day"
    if told and where:
        yield where
    yield from filter(None, (_often(d), *_when(d)))
    if told and d.as_needed:
        yield "as needed"
    if told and d.reason:
        yield f"for {printable(d.reason, 80)}"
    if told and d.days is not None:
        yield _for_days(d.days)


def _often(d: Directions) -> str:
    if d.once:
        return "once"
    often = how_often_in_words(d.times_per_day, d.interval_hours)
    return f"in {often.removesuffix(' a day')} doses" if not d.dose and d.per_day and often.endswith("times a day") else often


def _when(d: Directions) -> Sequence[str]:
    said = [_DAY_PARTS[part] for part in d.parts_of_day]
    return [" and ".join(filter(None, (", ".join(said[:-1]), said[-1])))] if said else []


def _step(step: DosingStep, where: str) -> str:
    words = (
        amount_in_words(step.dose) or (f"{amount_in_words(step.per_day)} a day" if step.per_day else ""), where,
        "once" if step.once else how_often_in_words(step.times_per_day, step.interval_hours),
        "as needed" if step.as_needed else "", _for_days(step.days) if step.days is not None else "",
    )  # fmt: skip
    return " ".join(word for word in words if word)


def _for_days(days: Decimal) -> str:
    return f"for {plain(days)} day{'' if days == 1 else 's'}"
