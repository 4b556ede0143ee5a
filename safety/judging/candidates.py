"""Which entries could concern a patient: looked up by drug, never by going through all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from safety.knowledge import library as lib
from safety.knowledge.store import Lookup

CHECKS = (
    "interaction", "contraindication", "dose", "allergy", "pregnancy", "lactation", "age", "kidney", "liver", "otc",
    "duplicate", "route",
)  # fmt: skip
"""The kinds of check that a medicine is put to; what is not held of one is told in every report that it matters to."""
_COVERED: dict[str, tuple[str, ...]] = {
    "interaction": ("interaction",), "contraindication": ("contraindication",), "otc_disallowed": ("contraindication", "otc"),
    "dose": ("dose",), "otc_limit": ("dose", "otc"), "allergy": ("allergy",), "duplicate": ("duplicate",), "route": ("route",),
    "pregnancy": ("pregnancy",), "lactation": ("lactation",), "age": ("age",), "renal": ("kidney",), "hepatic": ("liver",),
}  # fmt: skip
_OF_ONE = frozenset(
    {"contraindication", "otc_disallowed", "dose", "otc_limit", "renal", "hepatic", "pregnancy", "lactation", "age"}
)
"""Kinds about one medicine in one patient: what they ask of the patient is knowledge of that, too."""
_ASKED: dict[type[lib.LeafType], str] = {
    lib.PregnancyLeaf: "pregnancy", lib.BreastfeedingLeaf: "lactation", lib.AgeLeaf: "age", lib.KidneyLeaf: "kidney",
}  # fmt: skip


class CandidateIndex(Struct, frozen=True):
    """What `Index` looks up, worked out once for a library; entries by their position in the order of their ids.

    `alone`: entries that one drug is enough for. `lines`: from a drug to entries that need others beside it, with which of
    their bound drug lines it meets and which lines they have, as bits. `always`: entries that concern everybody.
    `about`: entries without a drug, by the problem they are about; `of_problems`: all of these. `needs`: the problems
    without one of which an entry (its position, as text) has nothing to say. `holds`: which kinds of knowledge name a
    drug; `of_any`: which speak of every drug. `limited`: drugs with a limit of what is bought.
    """

    alone: Lookup[tuple[int, ...]]
    lines: Lookup[tuple[tuple[int, int, int], ...]]
    always: tuple[int, ...]
    about: Lookup[tuple[int, ...]]
    of_problems: Sequence[int]
    needs: Lookup[tuple[str, ...]]
    holds: Lookup[tuple[str, ...]]
    limited: Lookup[bool]
    of_any: tuple[str, ...] = ()


def within(leaves: Iterable[lib.LeafType]) -> Iterator[lib.LeafType]:
    """Lines, and the lines inside them."""
    for leaf in leaves:
        yield leaf
        if isinstance(leaf, lib.AnyLeaf | lib.AllLeaf):
            yield from within(leaf.lines)
        elif isinstance(leaf, lib.NotLeaf):
            yield from within((leaf.line,))


def asked_by(entry: lib.Entry) -> Iterator[lib.LeafType]:
    """Everything that an entry asks of a patient, but for how loud it is."""
    yield from within(entry.condition)
    yield from within(entry.constraint.lines)
    for limit in entry.constraint.limits:
        yield from within(limit.who)
    if entry.doses is not None:
        for row in (*entry.doses.ranges, *entry.doses.adjust):
            yield from within(row.who)


class _Gathering:
    def __init__(self, kidney: Iterable[str], liver: Iterable[str]) -> None:
        self.kidney, self.liver = frozenset(kidney), frozenset(liver)
        """Tests of the kidneys; problems of the liver."""
        self.alone: dict[str, list[int]] = {}
        self.lines: dict[str, list[tuple[int, int, int]]] = {}
        self.always: list[int] = []
        self.about: dict[str, list[int]] = {}
        self.needs: dict[str, tuple[str, ...]] = {}
        self.holds: dict[str, set[str]] = {}
        self.limited: dict[str, bool] = {}
        self.of_any: set[str] = set()

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
        asked = [*asked_by(entry)]
        checks = {*_COVERED.get(entry.kind, ()), *(self._asked(asked) if entry.kind in _OF_ONE else ())}
        if any(leaf.members is None for leaf in entry.slots) and entry.kind in ("allergy", "duplicate"):
            self.of_any.update(checks)
        for bit, members in enumerate(listed):
            for drug in members:
                if len(listed) == 1:
                    self.alone.setdefault(drug, []).append(n)
                else:
                    self.lines.setdefault(drug, []).append((n, 1 << bit, (1 << len(listed)) - 1))
                if entry.switched_off:  # what a site retired is not held
                    continue
                self.holds.setdefault(drug, set()).update(checks)
                if entry.kind == "otc_limit":
                    self.limited[drug] = True

    def _asked(self, leaves: Iterable[lib.LeafType]) -> Iterator[str]:
        """Which checks lines about a patient are knowledge of."""
        for leaf in leaves:
            if type(leaf) in _ASKED:
                yield _ASKED[type(leaf)]
            elif isinstance(leaf, lib.LabLeaf | lib.ChangeLeaf) and leaf.test in self.kidney:
                yield "kidney"
            elif isinstance(leaf, lib.HasLeaf) and not self.liver.isdisjoint(leaf.conditions):
                yield "liver"


def _index(entries: Sequence[lib.Entry], labs: Sequence[lib.Lab], conditions: Sequence[lib.Condition]) -> CandidateIndex:
    ill = {c.id for c in conditions if c.liver}
    found = _Gathering((t.id for t in labs if t.role), (c.id for c in conditions if not ill.isdisjoint(c.is_a)))
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
        of_any=tuple(kind for kind in CHECKS if kind in found.of_any),
    )


CANDIDATES = lib.Derived("candidates", CandidateIndex, ("entries", "labs", "conditions"), _index)


class Tests(Struct, frozen=True):
    """The sides (low, high) on which an entry looks at tests, by test; `kidneys`: it asks how well the kidneys work;
    `pregnancy`: it asks about pregnancy."""

    sides: Mapping[str, frozenset[str]]
    kidneys: bool
    pregnancy: bool = False


_SIDES = {"at_least": "high", "above": "high", "at_most": "low", "under": "low"}


def _tests_of(entry: lib.Entry) -> Tests:
    sides: dict[str, frozenset[str]] = {}
    kidneys = False
    for leaf in asked_by(entry):
        if isinstance(leaf, lib.LabLeaf):
            looked = {_SIDES[b.op] for b in leaf.bounds} | ({"high"} if leaf.words else set())
            sides[leaf.test] = sides.get(leaf.test, frozenset()) | looked
        elif isinstance(leaf, lib.ChangeLeaf):
            sides[leaf.test] = sides.get(leaf.test, frozenset())  # it looks at a change: where a result lies, it says nothing of
        kidneys = kidneys or isinstance(leaf, lib.KidneyLeaf)
    pregnancy = any(isinstance(leaf, lib.PregnancyLeaf) and leaf.present for leaf in asked_by(entry))
    return Tests(sides, kidneys, pregnancy)


class _Alone(Struct, frozen=True):
    """Entries that one drug is enough for: those about no problem, and the others by the problems they are about."""

    anyhow: list[int]
    about: dict[str, list[int]]


_BOTH = 0b11


class _Beside(Struct, frozen=True):
    """Entries that need others beside a drug: those of two lines, by the line that it meets, and those of more."""

    first: frozenset[int]
    second: frozenset[int]
    more: tuple[tuple[int, int, int], ...]


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
        self._alone: dict[str, _Alone] = {}
        self._known: dict[int, lib.Entry] = {}
        self._pairs: dict[str, _Beside] = {}

    def candidates(self, drugs: Iterable[str], conditions: Iterable[str] | None) -> list[lib.Entry]:
        """Entries that could concern somebody with these drugs and problems (`None`: not told), in order of id."""
        index, each = self._index, list(drugs)
        if conditions is None:
            alone = [index.alone.get(drug, ()) for drug in each]
            return self._entries_at(self._always.union(index.of_problems, self._together(each), *alone))
        told = frozenset(conditions)
        found = set(self._always)
        for condition in told:
            found.update(index.about.get(condition, ()))
        found.update(self._together(each))
        found = {n for n in found if (one_of := self.needed(n)) is None or not one_of.isdisjoint(told)}
        for drug in each:
            own = self._of_one(drug)
            found.update(own.anyhow)
            for condition in told.intersection(own.about):
                found.update(own.about[condition])
        return self._entries_at(found)

    def together(self, drugs: Iterable[str], conditions: Iterable[str], *, untold: bool) -> Iterator[tuple[int, lib.Entry]]:
        """Entries that could concern any of several patients with these drugs and problems between them, by their position;
        `untold`: the problems of one are not told."""
        index, each = self._index, list(drugs)
        found = self._always.union(self._together(each), *[index.alone.get(drug, ()) for drug in each])
        about = index.of_problems if untold else [n for condition in conditions for n in index.about.get(condition, ())]
        places = sorted({*found, *about})
        return zip(places, self._entries_at(places), strict=True)

    def _entries_at(self, found: Iterable[int]) -> list[lib.Entry]:
        known, entries = self._known, self._entries
        return [known.get(n) or known.setdefault(n, entries[n]) for n in sorted(found)]

    def _together(self, drugs: Sequence[str]) -> list[int]:
        """Entries about several medicines, each line of which is met by one of these drugs."""
        each = [self._beside(drug) for drug in drugs]
        first, second = set[int]().union(*[one.first for one in each]), set[int]().union(*[one.second for one in each])
        met: dict[int, int] = {}
        wanted: dict[int, int] = {}
        for one in each:
            for n, bit, all_bits in one.more:
                met[n] = met.get(n, 0) | bit
                wanted[n] = all_bits
        return [*(first & second), *(n for n, bits in met.items() if bits == wanted[n])]

    def _beside(self, drug: str) -> _Beside:
        """The entries that need others beside a drug, sorted once by which of their lines it meets."""
        found = self._pairs.get(drug)
        if found is None:
            lines = self._index.lines.get(drug, ())
            of_two = [(n, bit) for n, bit, all_bits in lines if all_bits == _BOTH]
            first, second = (frozenset(n for n, bit in of_two if bit == side) for side in (1, 2))
            found = self._pairs[drug] = _Beside(first, second, tuple(line for line in lines if line[2] != _BOTH))
        return found

    def needed(self, n: int) -> frozenset[str] | None:
        """The problems without one of which an entry has nothing to say; None where there are none."""
        if n not in self._needs:
            needed = self._index.needs.get(str(n))
            self._needs[n] = frozenset(needed) if needed is not None else None
        return self._needs[n]

    def _of_one(self, drug: str) -> _Alone:
        """The entries that one drug is enough for, sorted once by what they are about."""
        found = self._alone.get(drug)
        if found is None:
            found = _Alone([], {})
            for n in self._index.alone.get(drug, ()):
                needed = self.needed(n)
                if needed is None:
                    found.anyhow.append(n)
                for condition in needed or ():
                    found.about.setdefault(condition, []).append(n)
            self._alone[drug] = found
        return found

    def limited(self, drug: str) -> bool:
        """Whether a limit of what is bought is held for this drug."""
        return drug in self._index.limited

    def spoken_of(self, drug: str) -> int:
        """How many lines of rules about two medicines name this drug."""
        return len(self._index.lines.get(drug, ()))

    def holds(self, drug: str) -> list[str]:
        """Which kinds of knowledge name this drug."""
        return list(self._index.holds.get(drug, ()))

    @property
    def of_any(self) -> tuple[str, ...]:
        """Which kinds of knowledge speak of every drug: the same ingredient twice, an allergy to what is taken."""
        return self._index.of_any

    def tests_of(self, entry: lib.Entry) -> Tests:
        """Which tests an entry looks at, and on which sides a result is looked at; whether it asks for the kidneys."""
        found = self._tests.get(entry.id)
        return self._tests.setdefault(entry.id, _tests_of(entry)) if found is None else found

    @cached_property
    def _tests(self) -> dict[str, Tests]:
        return {}
