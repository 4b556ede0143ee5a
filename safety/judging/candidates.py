"""Which entries could concern a patient: looked up by drug, never by going through all of them."""

from __future__ import annotations

from collections.abc import Iterable

from safety.knowledge import library as lib

_COVERED = {
    "interaction": "interaction", "contraindication": "contraindication", "renal": "contraindication",
    "hepatic": "contraindication", "pregnancy": "contraindication", "lactation": "contraindication",
    "age": "contraindication", "otc_disallowed": "contraindication", "allergy": "contraindication",
    "otc_limit": "dose", "dose": "dose",
}  # fmt: skip
CHECKS = ("interaction", "contraindication", "dose")
"""The kinds of knowledge whose absence for a drug is told in `not_covered`."""


class Index:
    """From drug to the drug lines that mean it; immutable, made once for a library.

    An entry is a candidate when each of its bound drug lines is met by some drug of the patient. An entry without a
    bound line is looked up by the problem it is about, when the problem list is told; one whose lines mean any drug
    (same ingredient twice, allergy to what is taken) is always a candidate.
    """

    def __init__(self, library: lib.Library) -> None:
        self._alone: dict[str, list[int]] = {}
        """Entries that one drug is enough for."""
        self._lines: dict[str, list[tuple[int, int]]] = {}
        """Entries that need others beside it, and which of their lines it meets."""
        self._wanted: list[int] = []
        self._problems: list[frozenset[str] | None] = []
        """The problems without one of which an entry has nothing to say."""
        self._always: list[int] = []
        self._by_condition: dict[str, list[int]] = {}
        self._entries = library.entries
        self._holds: dict[str, set[str]] = {}
        self._limited: set[str] = set()
        for n, entry in enumerate(library.entries):
            listed = [leaf for leaf in entry.slots if leaf.members is not None]
            self._wanted.append((1 << len(listed)) - 1)
            needed = [leaf for leaf in entry.condition if isinstance(leaf, lib.HasLeaf)]
            self._problems.append(frozenset(needed[0].conditions) if needed else None)
            if entry.status != "active":
                continue
            if not listed:
                about = next((leaf for leaf in entry.condition if isinstance(leaf, lib.HasLeaf)), None)
                if entry.slots or about is None:
                    self._always.append(n)
                else:
                    for condition in about.conditions:
                        self._by_condition.setdefault(condition, []).append(n)
            for bit, leaf in enumerate(listed):
                for drug in leaf.members or ():
                    if len(listed) == 1:
                        self._alone.setdefault(drug, []).append(n)
                    else:
                        self._lines.setdefault(drug, []).append((n, 1 << bit))
                    if entry.kind == "otc_limit":
                        self._limited.add(drug)
                    if entry.kind in _COVERED:
                        self._holds.setdefault(drug, set()).add(_COVERED[entry.kind])

    def candidates(self, drugs: Iterable[str], conditions: Iterable[str] | None) -> list[lib.Entry]:
        """Entries that could concern somebody with these drugs and problems (`None`: not told), in order of id."""
        found = set(self._always)
        met: dict[int, int] = {}
        for drug in drugs:
            found.update(self._alone.get(drug, ()))
            for n, bit in self._lines.get(drug, ()):
                met[n] = met.get(n, 0) | bit
        wanted, problems = self._wanted, self._problems
        found.update([n for n, bits in met.items() if bits == wanted[n]])
        if conditions is None:
            found.update(n for numbers in self._by_condition.values() for n in numbers)
            return [self._entries[n] for n in sorted(found)]
        told = frozenset(conditions)
        for condition in told:
            found.update(self._by_condition.get(condition, ()))
        return [self._entries[n] for n in sorted(found) if (needed := problems[n]) is None or not needed.isdisjoint(told)]

    def limited(self, drug: str) -> bool:
        """Whether a limit of what is bought is held for this drug."""
        return drug in self._limited

    def holds(self, drug: str) -> list[str]:
        """Which kinds of knowledge name this drug."""
        found = self._holds.get(drug, set())
        return [kind for kind in CHECKS if kind in found]
