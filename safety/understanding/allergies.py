"""What somebody is allergic to, from the words it was told in: the allergen, whom it covers, how grave it was."""

from __future__ import annotations

import re
from functools import cached_property

from msgspec import Struct

from safety.knowledge.library import Library
from safety.model.patient import Allergy, Code
from safety.reading.names.resolver import NameAnswer, Resolver
from safety.text import fold, printable
from safety.understanding.allergy_words import allergy_words
from safety.understanding.meaning import SURE
from safety.understanding.vocabulary import TERMS

_LIST = re.compile(r"[,;/&+\n]|\band\b", re.I)
_LIST_OUTSIDE = re.compile(r"(?:[,;/&+\n]|\band\b)(?![^(]*\))", re.I)
"""What stands between two allergens; inside brackets it stands between two reactions."""
_NEAR, _SHORTEST_NEAR = 88, 6
_NEAR_ENOUGH = 85
"""From this likeness on an allergy is also checked as the drug it may mean; anything further off is only asked about."""


class KnownAllergy(Struct, frozen=True):
    """An allergy in the library's terms: the drug, class or allergen it names, all drugs it covers, and its grade.

    `ask`: what to ask where the name was guessed.
    """

    target: str
    drugs: frozenset[str]
    grade: str | None
    text: str
    ask: str = ""


class _Named(Struct, frozen=True):
    target: str
    drugs: frozenset[str]
    ask: str = ""


class _Piece(Struct):
    """A stretch of a line that names an allergen, and what was said to have happened."""

    text: str
    agent: _Named
    reactions: list[str]


def _beside_code(text: str, coded: _Named, found: list[_Piece]) -> list[_Piece]:
    """What the code names and what the text names, each once; of the same medicine the wider of the two."""
    others = [p for p in found if p.agent.target != coded.target]
    if coded.drugs and any(coded.drugs < p.agent.drugs for p in others):
        return others
    wider = (p for p in others if not p.agent.drugs or not p.agent.drugs <= coded.drugs)
    return [_Piece(text, coded, [text]), *wider]


class AllergyReader:
    """Reads lines of an allergy list; immutable, made once for a library."""

    def __init__(self, library: Library, resolver: Resolver) -> None:
        self._library = library
        self._resolver = resolver
        self._words = allergy_words(library.language)
        self._index = library.derived(TERMS)
        self._allergens = self._index.allergens

    @cached_property
    def _graded(self) -> list[tuple[str, str]]:
        return [(w, grade) for grade, words in self._library.reactions.items() for w in words]

    @cached_property
    def _grades(self) -> dict[str, str]:
        return {fold(w): grade for w, grade in self._graded if fold(w) not in self._words.capitals}

    @cached_property
    def _abbreviated(self) -> dict[str, str]:
        return {w: grade for w, grade in self._graded if fold(w) in self._words.capitals}

    @cached_property
    def _reaction(self) -> re.Pattern[str] | None:
        longest_first = sorted({fold(w) for w, _ in self._graded}, key=len, reverse=True)
        return re.compile(r"\b(?:" + "|".join(map(re.escape, longest_first)) + r")\b") if longest_first else None

    def read(self, told: Allergy) -> tuple[list[KnownAllergy], list[str]]:
        """The allergies that a line names (`PCN, codeine (nausea)`: two), and what of it was not recognised.

        A reaction counts for the allergen before it (`rash: penicillin`: after it). Where text and code differ, both count.
        """
        text = self._words.header.sub("", told.to)
        coded = self._named("", told.codes, guess=False) if told.codes else None
        whole = self._sure(text) or self._beside_reaction(text)
        found, unread = ([_Piece(text, whole, [text])], []) if whole else self._pieces(text)
        if coded is not None:
            # words of the code's own name ("Dander (animal) allergy") are read when the code is, in whatever language
            read = not found or any(fold(c.display) == fold(text) for c in told.codes)
            return self._known(_beside_code(text, coded, found), told), [] if read else unread
        if not found and (guessed := self._guess(text, told.codes)):
            return self._known([_Piece(text, guessed, [text])], told), []
        guesses = {u: self._guess(u, ()) for u in unread if not self._words.treated.search(u)}
        found += [_Piece(u, guess, [u]) for u, guess in guesses.items() if guess is not None]
        left = [u for u in unread if guesses.get(u) is None]
        return self._known(found, told), left if found else [told.to]

    def _known(self, pieces: list[_Piece], told: Allergy) -> list[KnownAllergy]:
        known = []
        for piece in pieces:
            said = "; ".join([*(self._words.when.sub(" ", r) for r in piece.reactions), told.reaction or ""])
            shown = piece.text if len(pieces) > 1 else f"{told.to} ({told.reaction})" if told.reaction else told.to
            grade = self.grade(said, told.severity)
            known.append(KnownAllergy(piece.agent.target, piece.agent.drugs, grade, printable(shown), piece.agent.ask))
        return known

    def grade(self, reaction: str | None, severity: str | None) -> str | None:
        """How grave a reaction was, from the words it was told in; the gravest where several are named."""
        text = self._words.denied.sub(" ", reaction or "")
        padded = f" {fold(text)} "
        found = {grade for word, grade in self._grades.items() if f" {word} " in padded}
        found |= {grade for word, grade in self._abbreviated.items() if re.search(rf"\b{word}\b", text)}
        grave = (severity or "").strip().lower()
        if (
            (grave in self._words.grave or self._words.gravely.search(text))
            and found != {"intolerance"}
            and "severe_skin" not in found
        ):
            return "severe"
        if grave == "mild" and not found:
            return "mild"
        return next((g for g in ("severe_skin", "severe", "mild", "intolerance") if g in found), None)

    def medicine(self, text: str) -> frozenset[str] | None:
        """The ingredients of the medicine or class that a text names and nothing else; None if it is none, or only guessed."""
        named = self._sure(text)
        return named.drugs if named is not None and named.drugs else None

    # -------------------------------------------------------------- the allergen

    def _sure(self, text: str, codes: tuple[Code, ...] = ()) -> _Named | None:
        named = self._named(text, codes, guess=False) if text else None
        return named if named is not None and not named.ask else None

    def _sides(self, text: str) -> list[str]:
        return [side for side in (part.strip(" ,;.") for part in self._words.split.split(text)) if side]

    def _beside_reaction(self, text: str) -> _Named | None:
        """The allergen of `penicillin: hives` or `hives (penicillin)`: one side names it, the other only what happened."""
        sides = self._sides(text)
        named = {n: agent for n, side in enumerate(sides) if (agent := self._sure(side)) is not None}
        if len(named) != 1 or len(sides) < 2 or self._words.not_theirs.search(text):
            return None
        only_happened = all(self._happened(side) for n, side in enumerate(sides) if n not in named)
        return next(iter(named.values())) if only_happened else None

    def _happened(self, text: str) -> bool:
        """Whether a text tells a reaction, its time or its absence, and nothing else."""
        return not self._bare(self._words.denied.sub(" ", text)) and not self._words.untold.search(text)

    def _pieces(self, text: str) -> tuple[list[_Piece], list[str]]:
        """The allergens of a line one by one with what was said of each, and what could not be read."""
        found: list[_Piece] = []
        unread: list[str] = []
        before: list[str] = []
        for part in (p.strip() for p in _LIST_OUTSIDE.split(text)):
            if not part or self._words.no_others.fullmatch(part.strip(" .")):
                continue
            sides = [(side, self._agent(side)) for side in self._stretches(part)]
            if self._words.not_theirs.search(part) or (
                found and any(agent for _, agent in sides) and self._words.treated.search(part)
            ):
                unread.append(part)
                continue
            for side, agent in sides:
                if agent is not None and found and self._words.treated.search(side):
                    unread.append(side)
                elif agent is not None:
                    found.append(_Piece(side, agent, [side, *before]))
                    before = []
                elif not self._happened(side):
                    unread.append(side)
                elif found:
                    found[-1].reactions.append(side)
                else:
                    before.append(side)
        return found, unread

    def _stretches(self, part: str) -> list[str]:
        """The sides of a part; one that itself lists (`rash, nausea`) item by item, unless it is the name of one thing."""
        items = (([side] if self._sure(side) else _LIST.split(side)) for side in self._sides(part))
        return [item.strip() for side in items for item in side if item.strip()]

    def _agent(self, text: str) -> _Named | None:
        bare = self._bare(text)
        return self._sure(text) or (self._sure(bare) if bare else None)

    def _guess(self, text: str, codes: tuple[Code, ...]) -> _Named | None:
        """The allergen where it is written otherwise, with what to ask; the shortest way of reading it first."""
        if not codes and (not self._bare(text) or self._words.not_theirs.search(text)):
            return None
        ways = {text: None, **dict.fromkeys(self._sides(text)), self._bare(text): None}
        found = (self._named(way, codes if way == text else ()) for way in sorted(ways, key=len) if way)
        return next((named for named in found if named is not None), None)

    def _bare(self, text: str) -> str:
        """What is left of a text without reactions, years and filling words."""
        left = fold(self._words.when.sub(" ", text))
        if self._reaction is not None:
            left = self._reaction.sub(" ", left)
        return " ".join(word for word in left.split() if word not in self._words.fillers and not word.isdigit())

    def _named(self, text: str, codes: tuple[Code, ...], *, guess: bool = True) -> _Named | None:
        """What a name means: class, allergen, drug or product; with a question where it was guessed."""
        coded = (self._allergens.get(f"{code.system}:{code.code}") for code in codes)
        allergen = next((found for found in coded if found), None)
        if allergen is not None:
            return _Named(allergen, frozenset())
        ways = (self._by_name(each, codes, guess=guess) for each in (text, *(c.display for c in codes)))
        return next((named for named in ways if named is not None), None)

    def _by_name(self, name: str, codes: tuple[Code, ...], *, guess: bool) -> _Named | None:
        """What one way of calling it means; guessed at only where that is asked for."""
        stripped = " ".join(w for w in fold(name).split() if w not in self._words.about)
        group = self._resolver.class_of(name) or self._resolver.class_of(stripped)
        if group:
            return _Named(group, frozenset(self._library.drug_class[group].members))
        allergen = self._allergens.get(fold(name)) or self._allergens.get(stripped)
        if allergen:
            return _Named(allergen, frozenset())
        read = self._resolver.read(stripped or name, codes, guess=guess)
        if read.answer.status == "match":
            target = read.answer.product or read.drugs[0]
            return _Named(target, frozenset(read.drugs), "" if read.answer.via in SURE else read.answer.ask)
        return (self._class_near(stripped) or self._one_of(read.answer)) if guess else None

    def _class_near(self, text: str) -> _Named | None:
        """The class whose name is a letter or two away from what was written (`penicilin`); None if none is."""
        from rapidfuzz import fuzz, process

        if len(text) < _SHORTEST_NEAR:
            return None
        best = process.extractOne(text, self._index.class_names, scorer=fuzz.ratio, score_cutoff=_NEAR)
        if best is None:
            return None
        near = self._library.drug_class[self._index.classes[best[0]]]
        return _Named(
            near.id, frozenset(near.members), f"Is the allergy to {near.name}? It is written otherwise; checked as such."
        )

    def _one_of(self, answer: NameAnswer) -> _Named | None:
        """The candidates that are near enough to be meant, all together; None without any."""
        near = [c for c in answer.candidates if 100 * c.score >= _NEAR_ENOUGH]
        maybe = [d for c in near for d in ((c.drug,) if isinstance(c.drug, str) else c.drug)]
        products = [p for p in map(self._library.product.get, maybe) if p]
        drugs = frozenset([d for d in maybe if d in self._library.drug] + [d for p in products for d in p.drugs])
        return _Named(maybe[0], drugs, answer.ask) if drugs else None
