"""Drafts of word lists → the language: a site's files added to ours, included lists taken in, each phrase in one list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from msgspec import Struct

from safety.errors import Place, Problem
from safety.knowledge.documents import Path_
from safety.knowledge.drafts import Draft
from safety.knowledge.language import Language, WordList
from safety.knowledge.language_shapes import LanguageShape
from safety.knowledge.nouns import FactCompiler
from safety.text import did_you_mean

ONE_LIST = "a word stands in one list: include that list, or say under `odd` why it stands in both"


def language(facts: FactCompiler) -> Language:
    """Every list of words; problems go to the drafts."""
    return _Lists(facts).build()


class _Stands(Struct, frozen=True):
    """Where a phrase stands; its line is looked for only where something is to be said about it."""

    draft: Draft
    path: Path_

    @property
    def place(self) -> Place:
        """The place."""
        return self.draft.place(self.path)


@dataclass
class _Open:
    """A list while its files are read: its own phrases with their places, and what else the files say."""

    id: str
    title: str
    values: str
    origin: str
    place: Place
    phrases: dict[str, tuple[str | None, _Stands]] = field(default_factory=dict)
    includes: dict[str, Place] = field(default_factory=dict)
    excludes: dict[str, Place] = field(default_factory=dict)
    """Phrases of included lists that this one leaves out."""
    odd: dict[str, tuple[str, Place]] = field(default_factory=dict)
    shares: bool = False
    meanings: frozenset[str] = frozenset()
    """The meanings that our own file knows; what reads the list knows no other."""


class _Lists:
    def __init__(self, facts: FactCompiler) -> None:
        self.facts = facts
        self.problems = facts.problems
        self.open: dict[str, _Open] = {}
        self.done: dict[str, WordList] = {}

    def build(self) -> Language:
        for i, drafts in sorted(self.facts.drafts.language.items()):
            for draft in drafts:
                self._read(i, draft)
        for each in self.open.values():
            self._check_odd(each)
        self._each_in_one_list()
        for i in self.open:
            self._closed(i, ())
        return Language(tuple(self.done[i] for i in sorted(self.done)))

    # -------------------------------------------------------------- one file

    def _read(self, i: str, draft: Draft) -> None:
        shape = draft.shape
        assert isinstance(shape, LanguageShape)
        self.facts.citations(draft)
        into = self.open.get(i)
        if into is None:
            into = self.open[i] = self._opened(i, draft, shape)
        into.origin = draft.origin
        self._remove(into, draft, shape)
        for n, phrase in enumerate(shape.words):
            self._add(into, draft, ("words", n), phrase, None)
        for meaning, phrases in shape.meanings.items():
            if self._is_meaning(into, draft, meaning):
                for n, phrase in enumerate(phrases):
                    self._add(into, draft, ("meanings", meaning, n), phrase, meaning)
        for n, included in enumerate(shape.includes):
            if included in self.facts.drafts.language:
                into.includes.setdefault(included, draft.place(("includes", n)))
            elif included not in self.facts.drafts.broken:
                hint = did_you_mean(included, self.facts.drafts.language)
                self._problem(draft, ("includes", n), "K301", f"`{included}` is not a list of words that we know", hint)
        into.excludes.update({phrase: draft.place(("excludes", phrase), True) for phrase in shape.excludes})
        into.odd.update({phrase: (why, draft.place(("odd", phrase), True)) for phrase, why in shape.odd.items()})
        into.shares = into.shares or shape.shares is not None

    def _opened(self, i: str, draft: Draft, shape: LanguageShape) -> _Open:
        if shape.title is None:
            self._problem(draft, (), "K102", "`title` is missing: a list of words needs it")
        found = _Open(i, shape.title or "", shape.values or "words", draft.origin, draft.place(("id",), True))
        found.meanings = frozenset(shape.meanings)
        return found

    def _remove(self, into: _Open, draft: Draft, shape: LanguageShape) -> None:
        if shape.remove and not draft.origin:
            hint = "take the word out of the list itself"
            self._problem(draft, ("remove",), "K202", "`remove` is for a site's overlay", hint, of_key=True)
            return
        for n, phrase in enumerate(shape.remove):
            if into.phrases.pop(phrase, None) is None:
                hint = did_you_mean(phrase, into.phrases)
                self._problem(draft, ("remove", n), "K301", f"`{phrase}` does not stand in `{into.id}`", hint)
            into.odd.pop(phrase, None)

    def _is_meaning(self, into: _Open, draft: Draft, meaning: str) -> bool:
        path: Path_ = ("meanings", meaning)
        if into.values == "numbers":
            if _is_number(meaning):
                return True
            self._problem(draft, path, "K605", f"`{meaning}` is not a number", 'write 2, 0.5 or "1/7"', of_key=True)
            return False
        if into.values == "text" or meaning in into.meanings:
            return True
        hint = did_you_mean(meaning, into.meanings) or "its meanings: " + " ".join(sorted(into.meanings))
        self._problem(draft, path, "K606", f"`{meaning}` is not a meaning of `{into.id}`", hint, of_key=True)
        return False

    def _add(self, into: _Open, draft: Draft, path: Path_, phrase: str, meaning: str | None) -> None:
        plain = " ".join(phrase.lower().split())
        if plain != phrase:
            what = f"`{phrase}` is not in lower case with single spaces"
            self.problems.append(Problem(draft.place(path), "K601", what, f"write `{plain}`", plain))
            return
        before = into.phrases.get(phrase)
        if before is None:
            into.phrases[phrase] = meaning, _Stands(draft, path)
        elif before[0] != meaning:
            hint = (
                f"here it means `{before[0]}` already, at {before[1].place}"
                if before[0]
                else f"the first is at {before[1].place}"
            )
            self._problem(draft, path, "K603", f"`{phrase}` may mean one thing only", hint)
        else:
            self._problem(draft, path, "K203", f"`{phrase}` stands here a second time", f"the first is at {before[1].place}")

    # -------------------------------------------------------------- all lists together

    def _check_odd(self, each: _Open) -> None:
        for phrase, (_, place) in each.odd.items():
            if phrase not in each.phrases:
                hint = did_you_mean(phrase, each.phrases)
                self.problems.append(Problem(place, "K604", f"`odd` explains `{phrase}`, which is not in the list", hint))

    def _each_in_one_list(self) -> None:
        """No phrase in two lists, unless one of them says why."""
        holders: dict[str, list[_Open]] = {}
        for each in self.open.values():
            if each.shares:
                continue
            for phrase, (_, stands) in each.phrases.items():
                for other in holders.setdefault(phrase, []):
                    if phrase not in each.odd and phrase not in other.odd:
                        what = f"`{phrase}` stands in `{other.id}` as well, at {other.phrases[phrase][1].place}"
                        self.problems.append(Problem(stands.place, "K602", what, ONE_LIST))
                holders[phrase].append(each)

    def _closed(self, i: str, above: tuple[str, ...]) -> WordList | None:
        if i in self.done:
            return self.done[i]
        each = self.open[i]
        if i in above:
            ring = " → ".join([*above[above.index(i) :], i])
            self.problems.append(Problem(each.place, "K302", f"the list includes itself: {ring}"))
            return None
        words = dict.fromkeys(each.phrases)
        meanings = {phrase: meaning for phrase, (meaning, _) in each.phrases.items() if meaning is not None}
        left_out = set()
        for included in self._included(each, (*above, i)):
            taken = [phrase for phrase in included.words if phrase not in each.excludes]
            left_out |= each.excludes.keys() & set(included.words)
            words.update(dict.fromkeys(taken))
            for phrase in taken:
                if phrase in included.meanings:
                    meanings.setdefault(phrase, included.meanings[phrase])
        for phrase in each.excludes.keys() - left_out:
            what = f"`excludes` names `{phrase}`, which no included list holds"
            self.problems.append(Problem(each.excludes[phrase], "K604", what))
        if not words and not any(p.place.file == each.place.file for p in self.problems):
            self.problems.append(Problem(each.place, "K303", "the list has no word"))
        self.done[i] = WordList(
            i, each.title, tuple(words), meanings, tuple(each.includes), {p: why for p, (why, _) in each.odd.items()},
            each.origin, str(each.place),
        )  # fmt: skip
        return self.done[i]

    def _included(self, each: _Open, above: tuple[str, ...]) -> Iterator[WordList]:
        for included in each.includes:
            found = self._closed(included, above) if included in self.open else None
            if found is not None:
                yield found

    def _problem(self, draft: Draft, path: Path_, code: str, what: str, hint: str = "", *, of_key: bool = False) -> None:
        self.problems.append(Problem(draft.place(path, of_key), code, what, hint))


def _is_number(text: str) -> bool:
    try:
        return Fraction(text) >= 0
    except (ValueError, ZeroDivisionError):
        return False
