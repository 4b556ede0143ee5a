"""What a patient or a payer asks of a regimen ("no injections", "once daily", "formulary: …"): read by the words of
`kb/constraints/`, checked medicine by medicine. Three-valued: what is not read, or not known, is neither met nor broken."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct

from safety.knowledge.library import Ask, Library, Members, PlanConstraint
from safety.model.quantity import number
from safety.reading.names.resolver import Resolver
from safety.scoring.critic import Critique
from safety.scoring.measures import kinds_of
from safety.text import fold
from safety.understanding.medications import Entry

_PIECES = re.compile(r"[,;]|\bor\b|\band\b|\bnor\b", re.I)
_AS_WRITTEN = frozenset({"exact", "salt", "known-misspelling", "code"})
_BRANDS = frozenset({"brand", "product"})


class Wanted(Struct, frozen=True):
    """A constraint as it was read: which one, and the medicines or the number that its words name.

    `not_read`: words in it that name no medicine that is known; a constraint with some is never surely met.
    """

    id: str
    drugs: Members = {}
    number: Decimal | None = None
    not_read: tuple[str, ...] = ()


class Answered(Struct, frozen=True):
    """Whether a regimen meets a constraint: as it was told, which ones it was read as (none: not read), yes, no or not known, and
    the medicines, or what else, that decide it."""

    text: str
    constraints: list[str]
    met: bool | None
    because: list[str]


class Proposed(Struct, frozen=True):
    """What constraints are held against: the medicines as they were understood, and what the critic says of them."""

    entries: tuple[Entry, ...]
    critique: Critique


class Constraints:
    """Reads and checks constraints; made once for a library."""

    def __init__(self, library: Library, resolver: Resolver) -> None:
        self._library, self._resolver = library, resolver
        self._by_id = {c.id: c for c in library.constraints}
        self._plain, self._naming = _phrases(library.constraints)
        self._tiers = {drug: tier for c in library.constraints for drug, tier in c.tiers.items()}
        self._classes = {fold(name): c.members for c in library.classes for name in (c.name, *c.synonyms)}

    # -------------------------------------------------------------- reading

    def read(self, text: str) -> list[Wanted]:
        """What a text asks for; empty where none of the words that are known stands in it.

        Words that name something ("avoid {medicines}") count where no whole phrase does ("no injections").
        """
        folded = f" {fold(text)} "
        found = dict.fromkeys(i for phrase, i in self._plain if f" {phrase} " in folded)
        return [Wanted(i) for i in found] or self._named(text)

    def _named(self, text: str) -> list[Wanted]:
        pieces = [piece for piece in _PIECES.split(text) if piece.strip()]
        for before, after, i in self._naming:
            told = _after(fold(pieces[0]), before, after) if pieces else None
            if told is None:
                continue
            if self._by_id[i].asks.named is not None:
                return [self._medicines(i, [told, *map(fold, pieces[1:])])]
            value = number(told)
            return [Wanted(i, number=value, not_read=() if value is not None else (told,))]
        return []

    def _medicines(self, i: str, names: Sequence[str]) -> Wanted:
        drugs: Members = {}
        strange = []
        for name in filter(None, names):
            if (members := self._classes.get(name)) is not None:
                drugs |= members
                continue
            answer = self._resolver.name(name)
            told = answer.drug if answer.status == "match" and answer.via not in (None, "phonetic", "spelling", "split") else None
            if told is None:
                strange.append(name)
            else:
                drugs |= dict.fromkeys((told,) if isinstance(told, str) else told, ())
        return Wanted(i, drugs, None, tuple(strange))

    # -------------------------------------------------------------- checking

    def check(self, text: str, regimen: Proposed) -> Answered:
        """Whether a regimen meets what a text asks."""
        wanted = self.read(text)
        if not wanted:
            return Answered(text, [], None, ["not read"])
        found = [(met, why) for one in wanted for met, why in self._judged(one, regimen)]
        met = False if any(m is False for m, _ in found) else None if any(m is None for m, _ in found) else True
        because = [why for m, why in found if m is met and met is not True]
        return Answered(text, [one.id for one in wanted], met, list(dict.fromkeys(because)))

    def _judged(self, wanted: Wanted, regimen: Proposed) -> Iterator[tuple[bool | None, str]]:
        """Each medicine, and each thing asked of the whole, with whether it is as asked."""
        asks = self._by_id[wanted.id].asks
        for name in wanted.not_read:
            yield None, f"{name}: not read"
        most = _number("medicines", asks.medicines, asks, wanted)
        if most is not None or "medicines" in asks.told:
            count = len(regimen.entries)
            yield (None if most is None else count <= most), f"{count} medicines"
        for kind in asks.breaks_no:
            yield _breaks_no(kind, regimen.critique), kind
        of_one = [test for test in self._tests(asks, wanted) if test is not None]
        for entry in regimen.entries:
            for test in of_one:
                yield (test(entry) if entry.resolved else None), entry.described

    def _tests(self, asks: Ask, wanted: Wanted) -> list[Callable[[Entry], bool | None] | None]:
        """What every medicine is asked."""
        often, tier = _number("times_a_day", asks.times_a_day, asks, wanted), _number("tier", asks.tier, asks, wanted)
        return [
            (lambda e: _none_of(e.routes, asks.not_by)) if asks.not_by else None,
            (lambda e: _all_of(e.routes, asks.only_by)) if asks.only_by else None,
            (lambda e: self._not_as(e, asks.not_as)) if asks.not_as else None,
            (lambda e: None if self._not_as(e, asks.unsure_as) is not True else True) if asks.unsure_as else None,
            (lambda e: _not(_is_among(e, asks.without))) if asks.without else None,
            (lambda e: _not(_is_among(e, wanted.drugs))) if asks.named == "without" else None,
            (lambda e: _is_among(e, wanted.drugs)) if asks.named == "only" else None,
            _by_generic_name if asks.generic else None,
            (lambda e: _supplied(e, asks.supply or "")) if asks.supply else None,
            (lambda e: _so_often(e, often)) if often is not None or "times_a_day" in asks.told else None,
            (lambda e: self._of_tier(e, tier)) if tier is not None or "tier" in asks.told else None,
        ]  # fmt: skip

    def _not_as(self, entry: Entry, forms: Sequence[str]) -> bool | None:
        """Whether it is in none of these forms; where its form is not told, by those that it is sold in."""
        if entry.form is not None:
            return not any(form in entry.form.split() or form == entry.form for form in forms)
        if "oral" not in entry.routes:
            return True
        known = [self._library.drug[d].forms for d in entry.drugs if d in self._library.drug]
        sold = [form for each in known for form in each]
        if not sold or len(known) != len(entry.drugs):
            return None
        barred = [any(form in one.split() for form in forms) for one in sold]
        return True if not any(barred) else False if all(barred) else None

    def _of_tier(self, entry: Entry, most: Decimal | None) -> bool | None:
        tiers = [self._tiers.get(drug) for drug in entry.drugs]
        if most is None or not tiers or None in tiers or (entry.answer.via in _BRANDS):
            return None
        return all(tier is not None and tier <= most for tier in tiers)


def _phrases(constraints: Iterable[PlanConstraint]) -> tuple[list[tuple[str, str]], list[tuple[str, str, str]]]:
    """Phrases that stand alone, and those that name something (what stands before and behind it), the longest first."""
    plain, naming = [], []
    for c in constraints:
        for words in c.says:
            before, brace, rest = words.partition("{")
            if brace:
                naming.append((fold(before), fold(rest.partition("}")[2]), c.id))
            else:
                plain.append((fold(words), c.id))
    return sorted(plain, key=lambda p: (-len(p[0]), p)), sorted(naming, key=lambda p: (-len(p[0]), p))


def _after(piece: str, before: str, behind: str) -> str | None:
    """What a piece names after the words before it; None where they do not stand in it."""
    at = f" {piece} ".find(f" {before} ")
    if at < 0:
        return None
    rest = piece[at + len(before) :].strip()
    if behind and not rest.endswith(behind):
        return None
    return rest.removesuffix(behind).strip() or None


# ------------------------------------------------------------------ of one medicine


def _number(name: str, written: Decimal | None, asks: Ask, wanted: Wanted) -> Decimal | None:
    """A number of a constraint: as it is written, or as the words tell it."""
    return wanted.number if name in asks.told else written


def _not(truth: bool | None) -> bool | None:
    return None if truth is None else not truth


def _none_of(possible: Sequence[str], barred: Sequence[str]) -> bool | None:
    """Whether it is surely none of those that are barred; None where it may be."""
    if not possible:
        return None
    hit = [one in barred for one in possible]
    return False if all(hit) else None if any(hit) else True


def _all_of(possible: Sequence[str], allowed: Sequence[str]) -> bool | None:
    return _not(_none_of(possible, allowed))


def _is_among(entry: Entry, members: Members) -> bool | None:
    """Whether it is one of these drugs, as it is taken; of a combination, any of its ingredients."""
    found = [_is_member(entry, drug, members) for drug in entry.drugs]
    return True if any(found) else None if None in found else False


def _is_member(entry: Entry, drug: str, members: Members) -> bool | None:
    if drug not in members:
        return False
    ways = members[drug]
    if not ways:
        return True
    hits = {route for route in entry.routes if any(way.routes is None or route in way.routes for way in ways)}
    return True if hits and hits == {*entry.routes} else None if hits else False


def _by_generic_name(entry: Entry) -> bool | None:
    via = entry.answer.via
    if via in _BRANDS:
        return False
    return True if via in _AS_WRITTEN else None


def _supplied(entry: Entry, wanted: str) -> bool | None:
    return _all_of(entry.supplies, (wanted,))


def _so_often(entry: Entry, most: Decimal | None) -> bool | None:
    """Whether it is taken at most so many times a day; of directions in steps, in every step."""
    if most is None:
        return None
    d = entry.directions
    told: list[Fraction | None] = []
    for step in d.steps or (d,):
        if step.times_per_day is not None:
            told.append(step.times_per_day[1])
        elif step.interval_hours is not None:
            told.append(Fraction(24) / Fraction(step.interval_hours[0]))
        else:
            told.append(Fraction(0) if step.once else None)
    if any(times is not None and times > most for times in told):
        return False
    return None if None in told else True


def _breaks_no(kind: str, critique: Critique) -> bool | None:
    if any(r.kind == kind and r.level != "minor" for r in critique.raised):
        return False
    return None if any(kind in kinds_of(u) for u in critique.unknowns) else True


def all_met(answers: Sequence[Answered]) -> bool | None:
    """Whether a regimen meets every constraint."""
    if any(a.met is False for a in answers):
        return False
    return None if any(a.met is None for a in answers) else True
