"""Which entries could concern a patient: looked up by drug, never by going through all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from safety.knowledge import library as lib
from safety.knowledge.store import Lookup

_COVERED = {
    "interaction": "interaction", "contraindication": "contraindication", "renal": "contraindication",
    "hepatic": "contraindication", "pregnancy": "contraindication", "lactation": "contraindication",
    "age": "contraindication", "otc_disallowed": "contraindication", "allergy": "contraindication",
    "otc_limit": "dose", "dose": "dose",
}  # fmt: skip
CHECKS = ("interaction", "contraindication", "dose")
"""The kinds of knowledge whose absence for a drug is told in `not_covered`."""


class CandidateIndex(Struct, frozen=True):
    """What `Index` looks up, worked out once for a library; entries by their position in the order of their ids.

    `alone`: entries that one drug is enough for. `lines`: from a drug to entries that need others beside it, with which of
    their bound drug lines it meets and which lines they have, as bits. `always`: entries that concern everybody.
    `about`: entries without a drug, by the problem they are about; `of_problems`: all of these. `needs`: the problems
    without one of which an entry (its position, as text) has nothing to say. `holds`: which kinds of knowledge name a
    drug. `limited`: drugs with a limit of what is bought.
    """

    alone: Lookup[tuple[int, ...]]
    lines: Lookup[tuple[tuple[int, int, int], ...]]
    always: tuple[int, ...]
    about: Lookup[tuple[int, ...]]
    of_problems: Sequence[int]
    needs: Lookup[tuple[str, ...]]
    holds: Lookup[tuple[str, ...]]
    limited: Lookup[bool]


class _Gathering:
    def __init__(self) -> None:
        self.alone: dict[str, list[int]] = {}
        self.lines: dict[str, list[tuple[int, int, int]]] = {}
        self.always: list[int] = []
        self.about: dict[str, list[int]] = {}
        self.needs: dict[str, tuple[str, ...]] = {}
        self.holds: dict[str, set[str]] = {}
        self.limited: dict[str, bool] = {}

    def add(self, n: int, entry: lib.Entry) -> None:
        """One entry, by its position."""
        listed = [leaf.members for leaf in entry.slots if leaf.members is not None]
        about = next((leaf for leaf in entry.condition if isinstance(leaf, lib.HasLeaf)), None)
        if about is not None:
            self.needs[str(n)] = about.conditions
        if not listed and (entry.slots or about is None):
            self.always.append(n)
        elif not listed and about is not None:
            for condition in about.conditions:
                self.about.setdefault(condition, []).append(n)
        for bit, members in enumerate(listed):
            for drug in members:
                if len(listed) == 1:
                    self.alone.setdefault(drug, []).append(n)
                else:
                    self.lines.setdefault(drug, []).append((n, 1 << bit, (1 << len(listed)) - 1))
                if not entry.switched_off:  # what a site retired is not held
                    self.note(drug, entry.kind)

    def note(self, drug: str, kind: str) -> None:
        """That a kind of knowledge names a drug."""
        if kind == "otc_limit":
            self.limited[drug] = True
        if kind in _COVERED:
            self.holds.setdefault(drug, set()).add(_COVERED[kind])


def _index(entries: Sequence[lib.Entry]) -> CandidateIndex:
    found = _Gathering()
    for n, entry in enumerate(entries):
        if entry.status == "active":
            found.add(n, entry)
    return CandidateIndex(
        alone={drug: tuple(numbers) for drug, numbers in found.alone.items()},
        lines={drug: tuple(lines) for drug, lines in found.lines.items()},
        always=tuple(found.always),
        about={condition: tuple(numbers) for condition, numbers in found.about.items()},
        of_problems=tuple(sorted({n for numbers in found.about.values() for n in numbers})),
        needs=found.needs,
        holds={drug: tuple(kind for kind in CHECKS if kind in held) for drug, held in found.holds.items()},
        limited=found.limited,
    )


CANDIDATES = lib.Derived("candidates", CandidateIndex, ("entries",), _index)


class Index:
    """From drug to the drug lines that mean it; immutable.

    An entry is a candidate when each of its bound drug lines is met by some drug of the patient. An entry without a
    bound line is looked up by the problem it is about, when the problem list is told; one whose lines mean any drug
    (same ingredient twice, allergy to what is taken) is always a candidate.
    """

    def __init__(self, library: lib.Library) -> None:
        self._entries = library.entries
        self._index = library.derived(CANDIDATES)
        self._always = frozenset(self._index.always)
        self._needs: dict[int, frozenset[str] | None] = {}

    def candidates(self, drugs: Iterable[str], conditions: Iterable[str] | None) -> list[lib.Entry]:
        """Entries that could concern somebody with these drugs and problems (`None`: not told), in order of id."""
        index = self._index
        found = set(self._always)
        met: dict[int, int] = {}
        wanted: dict[int, int] = {}
        for drug in drugs:
            found.update(index.alone.get(drug, ()))
            for n, bit, all_bits in index.lines.get(drug, ()):
                met[n] = met.get(n, 0) | bit
                wanted[n] = all_bits
        found.update([n for n, bits in met.items() if bits == wanted[n]])
        if conditions is None:
            return [self._entries[n] for n in sorted(found.union(index.of_problems))]
        told = frozenset(conditions)
        for condition in told:
            found.update(index.about.get(condition, ()))
        needs = self._needs
        for n in found - needs.keys():
            needed = index.needs.get(str(n))
            needs[n] = frozenset(needed) if needed is not None else None
        return [self._entries[n] for n in sorted(found) if (one_of := needs[n]) is None or not one_of.isdisjoint(told)]

    def limited(self, drug: str) -> bool:
        """Whether a limit of what is bought is held for this drug."""
        return drug in self._index.limited

    def holds(self, drug: str) -> list[str]:
        """Which kinds of knowledge name this drug."""
        return list(self._index.holds.get(drug, ()))
