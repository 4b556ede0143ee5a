"""How the knowledge is kept: by when it is looked at again, who stands for it, on what it rests, what nothing points at."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from typing import Final

from safety.desk.remarks import Remark, remark
from safety.desk.signing import Signature, has_license, state_of
from safety.knowledge.collecting import KnowledgeFile
from safety.knowledge.entries import Entry
from safety.knowledge.library import Library

_LOUD: Final = frozenset(("contraindicated", "major"))
_SOURCES: Final = "kb/sources"
_SOURCE: Final = re.compile(rb"\bsource\.[a-z0-9]+(?:-[a-z0-9]+)*")
_TO_FILL_IN: Final = re.compile(
    r"\b(?:todo|tbd|fixme|xxx+|lorem ipsum|placeholder|fill (?:this )?in)\b|\?\?\?|<[a-z][a-z -]*>", re.I
)


def in_force(library: Library) -> list[Entry]:
    """The judged entries that are active and not retired by a site."""
    return [e for e in library.entries if e.status == "active" and not e.switched_off]


def reviews(library: Library, signed: Mapping[str, Signature], day: date) -> Iterator[Remark]:
    """Reviews that are overdue, out of order, unsigned, signed by nobody licensed, or of other words than are there now."""
    for e in in_force(library):
        if e.due is not None and e.due < day:
            yield remark("review.overdue", e.id, e.place, f"was due on {e.due}, last looked at on {e.reviewed}")
        yield from unlikely_review(e)
        yield from _signing(e, signed)


def unlikely_review(e: Entry) -> Iterator[Remark]:
    """A review that is due before it was made, and reviewers who are named without a license."""
    if e.due is not None and e.due < e.reviewed:
        yield remark("review.order", e.id, e.place, f"due on {e.due}, before it was last looked at on {e.reviewed}")
    for who in e.by_whom:
        if not has_license(who):
            yield remark("review.reviewer", e.id, e.place, f"`{who}` is named without a license and its number")


def _signing(e: Entry, signed: Mapping[str, Signature]) -> Iterator[Remark]:
    standing = state_of(e, signed)
    newest = standing.newest
    if standing.state == "changed" and newest is not None:
        yield remark("review.changed", e.id, e.place, f"{newest.by} ({newest.license}) signed other words on {newest.on}")
    elif standing.state == "unsigned":
        yield remark("review.unsigned", e.id, e.place, "nobody licensed has signed it")


def evidence(library: Library) -> Iterator[Remark]:
    """Entries that rest on memory, on one source, or, though loud, on no text that was opened."""
    for e in in_force(library):
        how = {c.checked for c in e.evidence}
        sources = {c.source for c in e.evidence}
        if how <= {"recalled"}:
            yield remark("evidence.recalled", e.id, e.place, "no source was opened")
        elif len(sources) == 1:
            yield remark("evidence.single", e.id, e.place, f"only {next(iter(sources))}")
        if e.severity in _LOUD and "read" not in how:
            yield remark("evidence.unread", e.id, e.place, f"{e.severity}; checked: {', '.join(sorted(how)) or 'nothing cited'}")


def sources_named(files: Iterable[KnowledgeFile]) -> frozenset[str]:
    """The sources that a file other than their own names, be it in the evidence of a rule, a medicine, a class or a table."""
    texts = (file.data for file in files if file.folder != _SOURCES)
    return frozenset(i.decode() for data in texts for i in _SOURCE.findall(data))


def loose_ends(library: Library, cited: Collection[str]) -> Iterator[Remark]:
    """Sources (but for those `cited`) and harms that nothing points at, rules retired for what is not there, words to fill in."""
    for source in library.sources:
        if source.id not in cited:
            yield remark("links.unused", source.id, source.place, "nothing cites it")
    harms = {h for e in library.entries for h in e.harms} | set(_pointed_at(library))
    for harm in library.harms:
        if harm.id not in harms:
            yield remark("links.unused", harm.id, harm.place, "no rule names it")
    for e in library.entries:
        yield from _entry_ends(e, library)


def _pointed_at(library: Library) -> Iterator[str]:
    """Harms that another harm, or a dose table's low side, is told by."""
    yield from library.harm_root.values()
    for e in library.entries:
        if e.doses is not None:
            yield from e.doses.harms_low


def _entry_ends(e: Entry, library: Library) -> Iterator[Remark]:
    if e.status == "retired" and e.replaced_by:
        following = library.entry.get(library.current_id(e.replaced_by))
        if following is None or following.status != "active":
            yield remark("links.replaced", e.id, e.place, f"replaced by {e.replaced_by}, which is not in force")
    if e.status == "active":
        yield from placeholder(e)


def placeholder(e: Entry) -> Iterator[Remark]:
    """The first words of a rule that were meant to be filled in."""
    for text in (e.title, e.advice, e.if_unavoidable, e.why, e.harm, *(c.at for c in e.evidence)):
        found = _TO_FILL_IN.search(text)
        if found:
            yield remark("text.placeholder", e.id, e.place, f"`{found[0]}` in: {text[:70]}")
            return
