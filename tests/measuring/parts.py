"""What each part of guessing a name brings: the same rows with the part taken out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from measuring.names import Row, measure
from safety.knowledge.library import Library
from safety.reading.names.guessing import Guesser, Option
from safety.reading.names.index import VOCABULARY
from safety.reading.names.likeness import Said, blocking_key
from safety.reading.names.nearest import Near, Nearest
from safety.reading.names.resolver import Resolver


class PartRow(Struct):
    """Without a part: of rows that mean one drug, how many were right at once, asked about with it among the candidates, and
    taken for another; of the other rows, how many were taken for a drug. `middle_ms`: the median time of a name."""

    without: str
    right: int
    asked: int
    wrong: int
    taken: int
    middle_ms: float


class _LettersAlone(Nearest):
    """Names are narrowed down without jellyfish's codes: by pairs of letters."""

    def _sharing(self, wanted: frozenset[str], least: int) -> list[int]:
        return super()._sharing(frozenset(p for p in wanted if p.lower() == p), least)


class _CodesAlone(Nearest):
    """Names are narrowed down without pairs of letters: by those of jellyfish's codes."""

    def _sharing(self, wanted: frozenset[str], least: int) -> list[int]:
        return super()._sharing(frozenset(p for p in wanted if p.upper() == p), least)


class _KeysAlone(Nearest):
    """Names are narrowed down without pairs: by rapidfuzz over all keys, as several words are."""

    def _narrowed(self, words: str, letters: str, sounds: str, typed: bool, least_letters: float) -> list[int]:
        found = process.extract(blocking_key(letters, sounds), self._keys, scorer=Levenshtein.normalized_similarity, limit=60)
        return [n for _, _, n in found]


class _PairsAlone(Nearest):
    """Several words are narrowed down without rapidfuzz over all keys: by pairs, as one word is."""

    def _narrowed(self, words: str, letters: str, sounds: str, typed: bool, least_letters: float) -> list[int]:
        return super()._narrowed(letters, letters, sounds, typed, least_letters)


class _NoSounds(Nearest):
    """Names are compared without their sounds."""

    def _compare(self, n: int, spelt: float, said: Said, typed: bool, least: float) -> Near | None:
        return Near(self._written(n), spelt, spelt, spelt, False) if spelt >= least else None


class _NoLetters(Nearest):
    """Names are compared without their letters."""

    def _compare(self, n: int, spelt: float, said: Said, typed: bool, least: float) -> Near | None:
        near = super()._compare(n, spelt, said, False, 0.0)
        return Near(near.written, near.sound, near.sound, near.letters, False) if near and near.sound >= least else None


class _NoLookalikes(Guesser):
    """Look-alikes are no reason to ask."""

    def _with_lookalikes(self, run: object, ranked: list[Option]) -> list[Option]:
        return ranked


class _NothingBeside(Guesser):
    """The strength, form and route beside a name say nothing."""

    def _as_sold(self, options: list[Option], beside: object) -> list[Option]:
        return options


class _AnyBeginning(Guesser):
    """A name may begin with another sound than what was told."""

    def _begin_alike(self, heard: str, name: str) -> bool:
        return True


_PARTS: Sequence[tuple[str, type[Nearest], type[Guesser]]] = (
    ("nothing", Nearest, Guesser),
    ("jellyfish codes", _LettersAlone, Guesser),
    ("pairs of letters", _CodesAlone, Guesser),
    ("both of these", _KeysAlone, Guesser),
    ("rapidfuzz over keys", _PairsAlone, Guesser),
    ("sounds", _NoSounds, Guesser),
    ("letters", _NoLetters, Guesser),
    ("look-alikes", Nearest, _NoLookalikes),
    ("same beginning", Nearest, _AnyBeginning),
    ("strength beside", Nearest, _NothingBeside),
)


def measure_parts(library: Library, rows: Sequence[Row], clock: Callable[[], float]) -> Iterator[PartRow]:
    """A row for guessing with everything, and one for each part taken out."""
    as_one = [Row(r.heard, "one" if len(r.meant) == 1 else "none", r.meant) for r in rows]
    for without, near, guesser in _PARTS:
        ask = resolver_with(library, near, guesser).name
        ask("warm up")
        tallies = {t.kind: t for t in measure(as_one, ask, clock)}
        one, none = tallies["one"], tallies.get("none")
        yield PartRow(without, one.right, one.among, one.wrong, none.wrong if none else 0, one.middle_ms)


def with_strengths(rows: Sequence[Row], library: Library) -> list[Row]:
    """The rows that mean one drug, each with a strength behind the name that the drug is sold in by itself."""
    found = []
    for row in rows:
        drug = library.drug.get(next(iter(row.meant[0]))) if len(row.meant) == 1 and len(row.meant[0]) == 1 else None
        if drug is not None and drug.strengths:
            found.append(Row(f"{row.heard} {drug.strengths[0]}", row.kind, row.meant))
    return found


def resolver_with(library: Library, near: type[Nearest], guesser: type[Guesser]) -> Resolver:
    """A resolver that finds near names, or decides between them, in another way."""
    resolver = Resolver(library)
    made = guesser(library, resolver.words, resolver.short_forms, resolver._drugs_of, resolver._shown)
    made._nearest = near(library.derived(VOCABULARY))
    resolver.__dict__["_guesser"] = made
    return resolver
