"""Statements → medicine by medicine, what was said of each: names found, the text parted between them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from safety.adherence.request import NOT_NAMED, Statement
from safety.answering.checker import Checker
from safety.knowledge.library import Library
from safety.model import events as r
from safety.model.quantity import Quantity
from safety.reading.directions.galenic import SOLIDS
from safety.reading.directions.sig import read_sig
from safety.reading.names.mentions import Mention, find_mentions, replaced
from safety.reading.names.resolver import ReadName, Resolver
from safety.reading.names.words import TalkWords
from safety.reading.spoken.amounts import is_pieces
from safety.reading.spoken.naming import AroundNames
from safety.reading.spoken.reported import Regimen, Reported
from safety.reading.spoken.statement import NAME
from safety.reading.spoken.supply import Supply
from safety.text import fold


class OneSaid(Struct, frozen=True):
    """What was said of one medicine. `drugs` empty: not named (the prescribed one is meant), or `open`: not settled which."""

    text: str
    told: Reported
    supply: Supply
    read: ReadName | None = None
    heard: str = ""
    drugs: tuple[str, ...] = ()
    open: bool = False
    confirm: bool = False
    fields: Statement | None = None
    other: Reported | None = None
    """The other reading of an amount that may be heard in two ways ("one forty": 140, or one of 40)."""

    @property
    def name(self) -> str:
        """The name as heard, folded."""
        return fold(self.heard)


def said_of(statement: Statement, checker: Checker, expected: Sequence[tuple[str, ...]]) -> list[OneSaid]:
    """One or more medicines' worth of a statement, in order; `expected` are the drugs of each prescription."""
    resolver, library = checker.resolver, checker.library
    wanted = [d for drugs in expected for d in drugs]
    fields = statement.fields
    named = fields.drug if fields is not None and fields.drug != NOT_NAMED else None
    text = _composed(statement)
    if named:
        read = resolver.read(named)
        whole = Mention(0, 0, named, read)
        inner = find_mentions(text, resolver, wanted)
        return [_one(replaced(text, inner, NAME, resolver.talk), statement, whole, wanted, checker)]
    around = checker.spoken.around
    mentions = [m for m in find_mentions(text, resolver, wanted) if not _describes(m, text, wanted, checker)]
    groups = _groups(mentions, wanted, resolver, library)
    if wanted and len(groups) == 1 and not set(wanted) & set(_meant(mentions[0], wanted, resolver, library)[0]):
        before = around.before(text[: mentions[0].start])
        if before != text[: mentions[0].start] and checker.spoken.tells_regimens(before):
            first = _one(before, statement, None, wanted, checker)
            shifted = [replace(m, start=m.start - len(before), end=m.end - len(before)) for m in mentions]
            rest = replaced(text[len(before) :], shifted, NAME, resolver.talk)
            return [first, _one(rest, statement, mentions[0], wanted, checker)]
    if len(groups) <= 1:
        told = _one(replaced(text, mentions, NAME, resolver.talk), statement, mentions[0] if mentions else None, wanted, checker)
        return [_both(told, mentions, text, around)]
    parted = _parted(text, mentions, groups, around, resolver.talk)
    return [_both(_one(chunk, statement, own[0], wanted, checker), own, text, around) for own, chunk in parted]


def _describes(m: Mention, text: str, wanted: Sequence[str], checker: Checker) -> bool:
    """Whether a word that is also a name only says what the prescribed medicine is for: "my heart pill"."""
    if set(m.drugs) & set(wanted) or not checker.spoken.around.is_medicine(text[m.end :]):
        return False
    return any(fold(m.text) in fold(checker.library.uses.get(d, "")).split() for d in wanted)


def _composed(statement: Statement) -> str:
    """The words, then what the fields say of dose and frequency."""
    fields = statement.fields
    parts = [statement.text]
    if fields is not None:
        parts.append(" ".join(w for w in (fields.sig, fields.dose, fields.frequency) if w))
    return ". ".join(p for p in parts if p)


def _one(text: str, statement: Statement, mention: Mention | None, wanted: Sequence[str], checker: Checker) -> OneSaid:
    spoken = checker.spoken
    told = _as_directions(text, checker) or spoken.read(text)
    fields = statement.fields
    if fields is not None and fields.strength:
        told = spoken.with_strength(told, fields.strength)
    told = replace(told, text=statement.text or text)
    other = replace(spoken.read(text, apart=True), text=told.text) if spoken.two_ways(text) else None
    if other == told:
        other = None
    supply = spoken.supply(text)
    if mention is None:
        return OneSaid(text, told, supply, fields=statement, other=other)
    drugs, confirm, open_ = _meant(mention, wanted, checker.resolver, checker.library)
    return OneSaid(text, told, supply, mention.read, mention.text, drugs, open_, confirm, statement, other)


def _as_directions(text: str, checker: Checker) -> Reported | None:
    """A statement that is nothing but directions, read as such: "one tablet q 6 h prn"; None for anything that is more."""
    words = text.replace(NAME, " ")
    around = checker.spoken.around
    directions = around.as_directions(words)
    if directions is None:
        return None
    sig = read_sig(directions, checker.lexicon)
    if sig.unread or sig.steps or sig.dose is None or sig.times_per_day is None or sig.once or sig.per_day:
        return None
    if sig.dose[1].unit in SOLIDS and not around.names_form(words) and not is_pieces(sig.dose[1].value):
        return None  # a bare number: of what, is weighed elsewhere
    low, high = (Quantity(q.value * sig.sites, q.unit) for q in sig.dose)
    hours = sig.interval_hours[0] if sig.interval_hours else None
    strength = sig.strength if sig.strength is not None and "/" not in sig.strength.unit and not sig.strength_per else None
    regimen = Regimen((low, high), strength, sig.times_per_day, None, sig.parts_of_day, hours)
    return checker.spoken.signed(Reported(text, (regimen,)), words)


def _meant(mention: Mention, wanted: Sequence[str], resolver: Resolver, library: Library) -> tuple[tuple[str, ...], bool, bool]:
    """The drugs a mention means, whether to ask back, and whether it stays open."""
    if mention.sure:
        return _part_of_name(mention, wanted, library) or mention.drugs, mention.read.answer.confirm, False
    near = _near_prescribed(mention, wanted, library)
    if near:
        return near, True, False
    named = resolver.class_of(re.sub(r"^(?:my|the|this|that)\s+", "", mention.text, flags=re.I))
    if named is not None:  # "my insulin", where one is prescribed
        members = library.drug_class[named].members
        mine = tuple(d for d in wanted if d in members)
        if len(mine) == 1:
            return mine, False, False
    return (), True, True


def _part_of_name(mention: Mention, wanted: Sequence[str], library: Library) -> tuple[str, ...]:
    """The one prescribed medicine whose name holds the word heard: "my potassium" where potassium chloride is prescribed."""
    if set(mention.drugs) & set(wanted):
        return ()
    mine = [d for d in wanted if fold(mention.text) in fold(library.name_of(d)).split()]
    return tuple(mine) if len(mine) == 1 else ()


def _near_prescribed(mention: Mention, wanted: Sequence[str], library: Library) -> tuple[str, ...]:
    """The prescribed drug, where a name as heard comes nearest to it and no name that is confused with it comes near.

    It is still asked about.
    """
    found = [((c.drug,) if isinstance(c.drug, str) else tuple(c.drug), c.score) for c in mention.read.answer.candidates]
    if not found or not set(found[0][0]) <= set(wanted) or (len(found) > 1 and found[1][1] >= found[0][1]):
        return ()
    others = {d for drugs, _ in found[1:] for d in drugs}
    confused = {d for pair in library.lookalikes if set(found[0][0]) & set(pair.members) for d in pair.members}
    return () if confused & others else found[0][0]


def _groups(mentions: Sequence[Mention], wanted: Sequence[str], resolver: Resolver, library: Library) -> list[list[Mention]]:
    """Mentions of the same medicine together: a brand and its generic are one."""
    found: list[tuple[frozenset[str], list[Mention]]] = []
    for m in mentions:
        drugs = frozenset(_meant(m, wanted, resolver, library)[0])
        for key, members in found:
            if key == drugs and _product(m) == _product(members[0]):
                members.append(m)
                break
        else:
            found.append((drugs, [m]))
    return [members for _, members in found]


def _product(m: Mention) -> str | None:
    """The product, where it is more than another name of one ingredient."""
    return m.read.answer.product if len(m.drugs) > 1 else None


def _parted(
    text: str, mentions: Sequence[Mention], groups: Sequence[list[Mention]], around: AroundNames, talk: TalkWords
) -> list[tuple[list[Mention], str]]:
    """The text cut between mentions of different medicines, at the last "and" or comma before the next one's amount."""
    group_of = {id(m): n for n, own in enumerate(groups) for m in own}
    chunks: dict[int, list[tuple[int, int]]] = {n: [] for n in range(len(groups))}
    start = 0
    for k, m in enumerate(mentions):
        end = len(text)
        if k + 1 < len(mentions):
            after = mentions[k + 1]
            if group_of[id(after)] == group_of[id(m)]:
                continue
            end = m.end + around.next_begins(text[m.end : after.start])
        chunks[group_of[id(m)]].append((start, end))
        start = end
    built = []
    for n, own in enumerate(groups):
        pieces = []
        for a, b in chunks[n]:
            inside = [Mention(m.start - a, m.end - a, m.text, m.read) for m in mentions if a <= m.start and m.end <= b]
            pieces.append(replaced(text[a:b], inside, NAME, talk))
        built.append((own, " . ".join(p.strip(" ,;") for p in pieces)))
    return built


def _both(one: OneSaid, mentions: Sequence[Mention], text: str, around: AroundNames) -> OneSaid:
    """Whether two names of one medicine are told as two medicines ("the brand and the generic, one of each")."""
    names = {fold(m.text) for m in mentions}
    if len(names) < 2:
        return one
    for a, b in pairwise(mentions):
        if fold(a.text) != fold(b.text) and around.are_two(text[a.end : b.start]):
            return replace(one, told=replace(one.told, events=(*one.told.events, r.BOTH_NAMES)))
    return one


def joined(said: Sequence[OneSaid]) -> Reported:
    """Several statements about one medicine as one: regimens are added up, a brand and its generic told as such."""
    regimens: tuple[Regimen, ...] = tuple(i for s in said for i in s.told.regimens)
    events = [e for s in said for e in s.told.events]
    names = {s.name for s in said if s.name}
    if len(names) > 1 and len([s for s in said if not s.told.empty]) > 1:
        events.append(r.BOTH_NAMES)
    signs = tuple(dict.fromkeys(sign for s in said for sign in s.told.signs))
    weekdays = tuple(dict.fromkeys(day for s in said for day in s.told.weekdays))
    return Reported(" · ".join(s.told.text for s in said if s.told.text), regimens, tuple(dict.fromkeys(events)), signs, weekdays)


def supply_of(said: Sequence[OneSaid], day: object) -> Supply:
    """What was told of the bottle, in words or in fields."""
    for s in said:
        f = s.fields
        if f is not None and (f.days_supply is not None or f.quantity_filled is not None or f.filled_on is not None):
            elapsed = Decimal((day - f.filled_on).days) if f.filled_on is not None else s.supply.elapsed  # type: ignore[operator]
            days = f.days_supply if f.days_supply is not None else s.supply.days
            units = f.quantity_filled if f.quantity_filled is not None else s.supply.units
            return Supply(units, days, elapsed, s.supply.left)
    return next((s.supply for s in said if s.supply.elapsed is not None), Supply())
