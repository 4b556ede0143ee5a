"""What somebody is allergic to, from the words it was told in: the allergen, whom it covers, how grave it was."""

from __future__ import annotations

import re

from msgspec import Struct

from safety.checking.entries import SURE
from safety.knowledge.library import DrugClass, Library
from safety.names.resolver import Resolver
from safety.patient import Allergy, Code
from safety.text import fold, printable

_ABOUT = frozenset(
    [
        "allergy", "allergic", "allergies", "to", "hypersensitivity", "intolerance", "intolerant", "reaction",
        "adverse", "drug", "finding", "disorder",
    ]
)  # fmt: skip
_FILLERS = _ABOUT | frozenset(
    [
        "a", "an", "and", "after", "as", "ago", "at", "baby", "because", "by", "cause", "caused", "causes", "child",
        "childhood", "developed", "due", "experienced", "for", "from", "gave", "get", "gets", "give", "gives", "given",
        "got", "had", "has", "have", "history", "hx", "i", "if", "in", "infant", "kid", "kids", "made", "make", "makes",
        "me", "mild", "moderate", "my", "of", "on", "patient", "per", "possible", "pt", "reactions", "reported",
        "reports", "severe", "since", "states", "takes", "taking", "the", "type", "unknown", "unspecified", "use",
        "when", "while", "with", "year", "years",
    ]
)  # fmt: skip
"""Words around an allergen and its reaction that name neither. No word that denies is among them."""
_SPLIT = re.compile(r"\s*(?::|->|→|=>?|\s[-–—]+\s|\(|\)|\b(?:causes?|caused|gives?|gave|makes?|made)\b)\s*", re.I)
"""What stands between an allergen and its reaction: `penicillin: hives`, `penicillin (hives)`, `penicillin gave me hives`."""
_LIST = re.compile(r"[,;/&+\n]|\band\b", re.I)
_WHEN = re.compile(
    r"\b(?:\w+ )?(?:years?|months?) (?:ago|old)\b|\b(?:in |since )?(?:19|20)\d\d\b|\bin \w+hood\b|\bage \d+\b", re.I
)
_DENIED = re.compile(r"\b(?:no|not|never|denie[sd]|denying|without|negative for)\b[^,;.]*", re.I)
_GRAVE = {"severe", "life-threatening", "fatal", "high criticality"}
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


class AllergyReader:
    """Reads lines of an allergy list; immutable, made once for a library."""

    def __init__(self, library: Library, resolver: Resolver) -> None:
        self._library = library
        self._resolver = resolver
        self._allergens: dict[str, str] = {}
        for a in library.allergens:
            self._allergens.update({f"{system}:{code}": a.id for system, code in a.codes})
            for text in (a.name, *a.synonyms):
                self._allergens.setdefault(fold(text), a.id)
        self._class_names_of = {fold(text): c for c in library.classes for text in (c.name, *c.synonyms)}
        self._class_names = sorted(self._class_names_of)
        self._grades = {fold(w): grade for grade, words in library.reactions.items() for w in words}
        longest_first = sorted(self._grades, key=len, reverse=True)
        self._reaction = re.compile(r"\b(?:" + "|".join(map(re.escape, longest_first)) + r")\b") if longest_first else None

    def read(self, told: Allergy) -> tuple[list[KnownAllergy], list[str]]:
        """The allergies that a line names (`PCN, codeine (nausea)`: two), and what of it was not recognised.

        A reaction that stands in the line counts for the allergen beside it; one by itself, for the whole line.
        """
        one = self._sure(told.to, told.codes) or self._beside_reaction(told.to)
        if one is None:
            several = self._several(told)
            if several is not None:
                return several
            one = self._sure(self._bare(told.to)) or self._guess(told.to, told.codes)
        if one is None:
            return [], [told.to]
        grade = self.grade(told.reaction or _WHEN.sub(" ", told.to), told.severity)
        shown = printable(f"{told.to} ({told.reaction})" if told.reaction else told.to)
        return [KnownAllergy(one.target, one.drugs, grade, shown, one.ask)], []

    def grade(self, reaction: str | None, severity: str | None) -> str | None:
        """How grave a reaction was, from the words it was told in; the gravest where several are named."""
        padded = f" {fold(_DENIED.sub(' ', reaction or ''))} "
        found = {grade for word, grade in self._grades.items() if f" {word} " in padded}
        grave = (severity or "").strip().lower()
        if grave in _GRAVE and found != {"intolerance"} and "severe_skin" not in found:
            return "severe"
        if grave == "mild" and not found:
            return "mild"
        return next((g for g in ("severe_skin", "severe", "mild", "intolerance") if g in found), None)

    # -------------------------------------------------------------- the allergen

    def _sure(self, text: str, codes: tuple[Code, ...] = ()) -> _Named | None:
        named = self._named(text, codes) if text else None
        return named if named is not None and not named.ask else None

    def _sides(self, text: str) -> list[str]:
        return [side for side in (part.strip(" ,;.") for part in _SPLIT.split(text)) if side]

    def _beside_reaction(self, text: str) -> _Named | None:
        """The allergen of `penicillin: hives` or `hives (penicillin)`: one side names it, the other what happened."""
        sides = self._sides(text)
        named = {n: agent for n, side in enumerate(sides) if (agent := self._sure(side)) is not None}
        if len(named) != 1 or len(sides) < 2:
            return None
        others = (side for n, side in enumerate(sides) if n not in named)
        told = all(not self._bare(side) or not (_LIST.search(side) or self._sure(self._bare(side))) for side in others)
        return next(iter(named.values())) if told else None

    def _several(self, told: Allergy) -> tuple[list[KnownAllergy], list[str]] | None:
        """The allergies of a line that lists them; None if it lists none that we know."""
        parts = [part for part in (p.strip() for p in _LIST.split(told.to)) if part]
        named = [(p, self._sure(p) or self._beside_reaction(p) or self._sure(self._bare(p))) for p in parts]
        if len(parts) < 2 or not any(agent for _, agent in named):
            return None
        apart = " ".join(part for part, agent in named if agent is None)
        found: list[KnownAllergy] = []
        for part, agent in named:
            if agent is not None:
                own = self.grade(_WHEN.sub(" ", part), None)
                grade = own or self.grade(told.reaction or _WHEN.sub(" ", apart), told.severity)
                found.append(KnownAllergy(agent.target, agent.drugs, grade, printable(part), agent.ask))
        return found, [part for part, agent in named if agent is None and self._bare(part)]

    def _guess(self, text: str, codes: tuple[Code, ...]) -> _Named | None:
        """The allergen where it is written otherwise, with what to ask; the shortest way of reading it first."""
        ways = {text: None, **dict.fromkeys(self._sides(text)), self._bare(text): None}
        found = (self._named(way, codes if way == text else ()) for way in sorted(ways, key=len) if way)
        return next((named for named in found if named is not None), None)

    def _bare(self, text: str) -> str:
        """What is left of a text without reactions, years and filling words."""
        left = fold(_WHEN.sub(" ", text))
        if self._reaction is not None:
            left = self._reaction.sub(" ", left)
        return " ".join(word for word in left.split() if word not in _FILLERS and not word.isdigit())

    def _named(self, text: str, codes: tuple[Code, ...]) -> _Named | None:
        """What a name means: class, allergen, drug or product; with a question where it was guessed."""
        for code in codes:
            found = self._allergens.get(f"{code.system}:{code.code}")
            if found:
                return _Named(found, frozenset())
        for each in (text, *(c.display for c in codes)):
            stripped = " ".join(w for w in fold(each).split() if w not in _ABOUT)
            group = self._resolver.class_of(each) or self._resolver.class_of(stripped)
            if group:
                return _Named(group, frozenset(self._library.drug_class[group].members))
            found = self._allergens.get(fold(each)) or self._allergens.get(stripped)
            if found:
                return _Named(found, frozenset())
            read = self._resolver.read(stripped or each, codes)
            if read.answer.status == "match":
                target = read.answer.product or read.drugs[0]
                return _Named(target, frozenset(read.drugs), "" if read.answer.via in SURE else read.answer.ask)
            near = self._class_near(stripped)
            if near is not None:
                ask = f"Is the allergy to {near.name}? It is written otherwise; checked as such."
                return _Named(near.id, frozenset(near.members), ask)
            near_enough = [c for c in read.answer.candidates if 100 * c.score >= _NEAR_ENOUGH]
            maybe = [d for c in near_enough for d in ((c.drug,) if isinstance(c.drug, str) else c.drug)]
            products = [p for p in map(self._library.product.get, maybe) if p]
            drugs = frozenset(maybe) & self._library.drug.keys() | {d for p in products for d in p.drugs}
            if drugs:
                return _Named(maybe[0], frozenset(drugs), read.answer.ask)
        return None

    def _class_near(self, text: str) -> DrugClass | None:
        """The class whose name is a letter or two away from what was written (`penicilin`); None if none is."""
        from rapidfuzz import fuzz, process

        if len(text) < _SHORTEST_NEAR:
            return None
        best = process.extractOne(text, self._class_names, scorer=fuzz.ratio, score_cutoff=_NEAR)
        return self._class_names_of[best[0]] if best else None
