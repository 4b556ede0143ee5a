"""What was told of something that we know, and cannot be used: directions not read, results without a unit or not plausible."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from safety.model.patient import LabResult, Medication
from safety.model.position import Position
from safety.model.report import Unresolved
from safety.text import fold, printable
from safety.understanding.medications import Entry
from safety.understanding.results import Result, result_of
from safety.understanding.terms import Terms
from safety.understanding.told_results import ToldResults

_ASK = {
    "unread": "What was the result, as a number? It could not be read, so no rule looked at it.",
    "implausible": "Is that the value, and the unit? It is not plausible, so no rule looked at it.",
}
_MOST_NAMED = 5


class _Group(Struct, frozen=True):
    """Results of one test that cannot be used for one reason: the first of them, and how many there are."""

    first: Unresolved
    count: int = 1


def unread_directions(entries: Iterable[Entry], terms: Terms) -> Iterator[Unresolved]:
    """Medications that are taken, with words in their directions that were not understood.

    Words that name a condition and nothing else ("2 g/hr IV (preE)") say what it is taken for, and no more.
    """
    for entry in entries:
        if entry.directions.unread and terms.named(fold(" ".join(entry.directions.unread))) is None:
            words = ", ".join(f"`{printable(w)}`" for w in entry.directions.unread)
            ask = f"What is meant by {words}? It was not read, and may say how much, how often or how it is taken."
            yield Unresolved(entry.described, entry.where, "unread", [], ask)


def unread_beside_what_was_stopped(entries: Iterable[Entry], terms: Terms) -> Iterator[Unresolved]:
    """Medicines that their line says were stopped or are held, with words in it that name another medicine, or that nobody knows
    ("stopped, then apixaban started", "stopped due to interaction with warfarin"); of how it was taken nothing is asked.
    """
    for entry in entries:
        if entry.current or entry.meaning.noted.status not in ("stopped", "held"):
            continue
        strange = [word for word in (*entry.directions.unread, *_reason(entry, terms)) if terms.is_strange(word)]
        if strange:
            words = ", ".join(f"`{printable(word)}`" for word in strange[:_MOST_NAMED])
            ask = f"What is {words}, on the line of a medicine that counts as stopped? If it is taken, give it a line of its own."
            yield Unresolved(entry.described, entry.where, "unread", [], ask)


def _reason(entry: Entry, terms: Terms) -> Iterator[str]:
    """The words of the reason of a stop that names neither a condition nor a result, without what people usually say."""
    why = entry.meaning.noted.why
    line = terms.problems.read(why) if why else None
    if line is not None and not (line.heads or line.measured):
        yield from (word for word in why.split() if fold(word) not in terms.reasons_of_a_stop)


def contradicted_lines(entries: Iterable[Entry], day: date) -> Iterator[Unresolved]:
    """Medications of which the name, or the days, were told in two ways that cannot both be."""
    for entry in entries:
        ask = "; ".join(_apart(entry, day))
        if ask:
            yield Unresolved(entry.described, entry.where, "contradicted", [], ask)


def _apart(entry: Entry, day: date) -> Iterator[str]:
    told, name = entry.told, entry.meaning.otherwise
    taken = entry.where.among == "medications"
    if name:
        one = printable(entry.answer.name or told.text)
        yield f"Which medicine is it: {one}, or `{printable(name)}`, which is told of it too?"
    if told.since is not None and told.until is not None and told.until < told.since:
        yield f"Is {told.until} right? It ends before it begins, on {told.since}."
    if taken and told.since is not None and told.since > day:
        yield f"Is it taken already? It is told to begin on {told.since}."
    if told.last_taken is not None and told.last_taken > day:
        yield f"Is {told.last_taken} right? It was last taken after the day that is judged."
    if taken and entry.current and _over(told, day):
        yield f"Is it still taken? {told.days} days from {told.since} are over, and no last day is told."


def _over(told: Medication, day: date) -> bool:
    """Whether a course whose days are told has ended, with nothing told of when."""
    return told.days is not None and told.since is not None and told.until is None and (day - told.since).days > told.days


def unread_reasons(entries: Iterable[Entry], terms: Terms) -> Iterator[Unresolved]:
    """What medicines are said to be taken for, where that is neither a problem that we know nor what people say of a use."""
    for entry in entries:
        told = entry.told.indication or _plain(entry.directions.reason)
        if told and not terms.reason(told):
            ask = f"What is `{printable(told)}`, for which it is taken? It was not read."
            yield Unresolved(printable(f"for {told}"), entry.where, "unread", [], ask)


def _plain(reason: str | None) -> str | None:
    """A reason told in the line; a reading at which one dose is taken ("SBP > 180") is none."""
    return reason if reason and all(word.isalpha() for word in re.findall(r"[^\s/'’.,&+-]+", reason)) else None


def unused_results(told: ToldResults, terms: Terms, day: date, months: Decimal | None = None) -> list[Unresolved]:
    """Results that we know and cannot use, each test once; those of other tests with codes; those judged in a unit that was
    not told; and words beside results that were not understood."""
    found: dict[tuple[str, str], _Group] = {}
    strange: dict[str, Position] = {}
    assumed: list[_Unsaid] = []
    for placed in told.results:
        one, where, test = placed.told, placed.where, placed.test
        if test is None or one.fault == "not_done":
            if one.codes and test is None and terms.intake.answer(one.test, one.value) is None:
                strange.setdefault(printable(one.test), where)
            continue
        result = result_of(one, test, terms, months)
        item = _later(one, where, day) or _unusable(one, where, result)
        if item is not None:
            key = (test.id, item.status)
            before = found.get(key)
            found[key] = replace(before, count=before.count + 1) if before else _Group(item)
        elif result.assumed:
            assumed.append(_Unsaid(printable(f"{one.test} {one.value}"), result.assumed, where))
    unused = (_together(group) for group in found.values())
    return [*unused, *_unknown(strange), *_units_unsaid(assumed), *_in_words(told), *_words_left(told)]


def _in_words(told: ToldResults) -> Iterator[Unresolved]:
    """Numbers that were told in words, each read back: what was heard may be another number."""
    for placed in told.results:
        one = placed.told
        if one.heard and not one.fault and placed.test is not None:
            ask = f"Is it {printable(str(one.value))}? It was told in words, and was judged as that."
            yield Unresolved(printable(f"{one.test} {one.heard}"), placed.where, "unread", [], ask)


def doubted_results(told: ToldResults, lists: Iterable[tuple[LabResult, Position]], terms: Terms) -> Iterator[Unresolved]:
    """Results of which it is told that the sample was not sound."""
    known = {placed.where for placed in told.results}
    for one, where in lists:
        text = f"{one.test} {one.value if one.value is not None else ''}"
        found = terms.doubtful.search(text)
        if where in known and found and not found["no"]:
            said = printable(found["said"])
            ask = f"Does this result hold, or is it to be measured again? It is told as `{said}`, and was judged as it stands."
            yield Unresolved(printable(text), where, "unread", [], ask)


def contradicted_results(told: ToldResults, terms: Terms) -> Iterator[Unresolved]:
    """Results whose name and code are those of two tests that share no word."""
    for placed in told.results:
        named = terms.lab(replace(placed.told, codes=())) if placed.told.codes else None
        if named is None or placed.test is None or named.id == placed.test.id:
            continue
        if not terms.share_a_word(placed.told.test, placed.test):
            ask = f"Which test is it? It is called {printable(placed.told.test)}, and its code is that of {placed.test.name}."
            yield Unresolved(printable(placed.told.test), placed.where, "contradicted", [], ask)


class _Unsaid(Struct, frozen=True):
    """A result without a unit, and the units that it was taken in."""

    text: str
    units: tuple[str, ...]
    where: Position


def _units_unsaid(assumed: list[_Unsaid]) -> Iterator[Unresolved]:
    """Results that were judged in a unit nobody told: one line for all of them."""
    if assumed:
        named = [f"{one.text} ({' or '.join(one.units)})" for one in assumed[:_MOST_NAMED]]
        more = f" and {len(assumed) - _MOST_NAMED} more" if len(assumed) > _MOST_NAMED else ""
        ask = "Are these the units? None was told; each result was judged in every unit in which it is plausible."
        yield Unresolved(f"{', '.join(named)}{more}", assumed[0].where, "unit", [], ask)


def _words_left(told: ToldResults) -> Iterator[Unresolved]:
    """Words beside results that nothing was made of."""
    for text, where in told.left:
        ask = f"What is meant by `{printable(text)}`? It stands beside a result and was not understood."
        yield Unresolved(printable(text), where, "unread", [], ask)


def _later(told: LabResult, where: Position, day: date) -> Unresolved | None:
    if told.on is None or told.on <= day:
        return None
    ask = f"Is {told.on} right? It lies after the day that is judged, so no rule looked at it."
    return Unresolved(printable(told.test), where, "left_out", [], ask)


def _unusable(told: LabResult, where: Position, result: Result) -> Unresolved | None:
    if result.fault is None:
        return None
    in_which = f"In which unit is it? It {result.unusable}, so no rule looked at it."
    ask = _ASK.get(result.fault, in_which)
    return Unresolved(f"{printable(told.test)} {result.shown}", where, result.fault, [], ask)


def _together(group: _Group) -> Unresolved:
    more = group.count - 1
    return replace(group.first, text=f"{group.first.text} (and {more} more)") if more else group.first


def _unknown(strange: dict[str, Position]) -> Iterator[Unresolved]:
    """Coded results of tests that are none of ours: one line for all of them."""
    if strange:
        names = list(strange)
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        ask = "These tests are none of ours, so no rule looked at them. Does one of them matter for a medicine?"
        yield Unresolved(f"{', '.join(names[:_MOST_NAMED])}{more}", strange[names[0]], "unjudged", [], ask)
