"""Patients of whom an entry says the same, because they are alike in everything that it asks.

A key names all that a judgement of an entry may hang on: the lines of the list that name its medicines, and what every line of it
comes to for the patient. Two patients with one key get one answer, so it is worked out once. A patient whose answer hangs on
more than a key can hold has none, and is judged by himself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from operator import itemgetter
from threading import Lock
from typing import TypeAlias

from msgspec import Struct

from safety.formulas.equivalents import Factors
from safety.judging.candidates import asked_by, within
from safety.judging.conditions import Logic
from safety.knowledge import library as lib
from safety.understanding.facts import Facts
from safety.understanding.medications import Entry

Key: TypeAlias = tuple[Hashable, ...]
SILENT: Key = ()
"""The key of an entry that is about somebody else."""
OWN = object()
"""Told of one patient alone: nothing that hangs on it is kept for others."""
_NO = 0
_NONE = frozenset[str]()
_OF_MEDICINES = (lib.DrugLeaf, lib.IngredientLeaf, lib.ApartLeaf, lib.BurdenLeaf, lib.EquivalentLeaf)
_BY_BODY = ("/kg", "/m2")
_PAIR = 2


class Question(Struct, frozen=True):
    """A line about the patient alone. `worded`: what was seen counts; `about`: all of the patient that it looks at, where that
    can be told."""

    line: lib.LeafType
    worded: bool
    about: tuple[str, ...] | None


class Hanging(Struct, frozen=True):
    """What the answer of an entry hangs on.

    `drugs`: those that it names, for or against; None: any at all. `questions`: the lines that ask something of the patient
    alone; `worded`: what was seen of the patient is said with its answer. `body`: its amounts go by weight or surface;
    `reasons`: problems that tell what its medicine is for; `reactions`: it asks for allergies to what is taken; `changes`: tests
    of which it looks at how they moved. Silent without: any of the `gates` among the questions, an ingredient that stands in
    two lines (`only_twice`), an allergy (`only_allergic`).
    """

    drugs: frozenset[str] | None
    questions: tuple[lib.LeafType, ...]
    gates: tuple[lib.LeafType, ...] = ()
    worded: bool = False
    body: bool = False
    reasons: frozenset[str] = frozenset()
    reactions: bool = False
    changes: frozenset[str] = frozenset()
    only_twice: bool = False
    only_allergic: bool = False
    only_fitting: lib.DrugLeaf | None = None
    """A line that means any medicine taken in some way, without one of which the entry is silent."""

    @property
    def special(self) -> bool:
        """Whether it hangs on more than lines and answers."""
        return bool(self.body or self.reasons or self.reactions or self.changes)


def hanging(entry: lib.Entry, factors: Iterable[Factors], *, worded: bool) -> Hanging:
    """What the answer of an entry hangs on; `worded`: what was seen of the patient is said with it."""
    lines = [*asked_by(entry), *within(line for clause in entry.severity_when for line in clause.lines)]
    rows = (*entry.doses.ranges, *entry.doses.adjust) if entry.doses is not None else ()
    top = [*entry.condition, *entry.constraint.lines]
    top += [line for limit in entry.constraint.limits for line in limit.who]
    top += [line for row in rows for line in row.who]
    top += [line for clause in entry.severity_when for line in clause.lines]
    amounts = [b for row in rows for b in (*row.single, *row.day)] + [
        b for limit in entry.constraint.limits for b in limit.bounds
    ]
    of_table = entry.doses is not None
    return Hanging(
        _drugs(entry, lines, {t.id: frozenset(r.drug for r in t.rows) for t in factors}),
        tuple(_of_the_patient(top)),
        () if of_table else tuple(line for line in entry.about_patient if _alone(line)),
        worded,
        any(b.value.unit.endswith(_BY_BODY) for b in amounts),
        frozenset(i for row in rows for i in row.indications),
        any(isinstance(line, lib.AllergyLeaf) and line.slot for line in lines),
        frozenset(line.test for line in lines if isinstance(line, lib.ChangeLeaf) and not line.asks),
        len(entry.slots) == _PAIR and any(same for _, _, same in entry.pairs),
        any(isinstance(line, lib.AllergyLeaf) and line.slot for line in entry.condition),
        _any_medicine(entry),
    )


def _any_medicine(entry: lib.Entry) -> lib.DrugLeaf | None:
    """The one line of an entry that is bound to a medicine, where it means any that is taken in some way, and whether one is so
    hangs on the line of the list alone."""
    (line,) = entry.slots if len(entry.slots) == 1 else (None,)
    if line is None or line.members is not None or line.of or not (line.routes or line.forms or line.says):
        return None
    more = line.indications or line.started_within is not None or line.or_stopped_within is not None
    return None if more else line


def _drugs(entry: lib.Entry, lines: Iterable[lib.LeafType], counted: dict[str, frozenset[str]]) -> frozenset[str] | None:
    """Every drug that an entry names, for or against; None where any drug is meant."""
    found = {entry.doses.drug} if entry.doses is not None else set[str]()
    for line in lines:
        if isinstance(line, lib.DrugLeaf) and line.members is None:
            if not line.of:
                return None
        elif isinstance(line, lib.DrugLeaf | lib.BurdenLeaf):
            found.update(line.members or ())
        elif isinstance(line, lib.EquivalentLeaf):
            found |= counted[line.table]
    return frozenset(found)


def _alone(line: lib.LeafType) -> bool:
    """Whether a line is about the patient alone, whatever is taken."""
    return bool(line.asks) and not any(isinstance(part, _OF_MEDICINES) for part in within((line,)))


def _of_the_patient(lines: Iterable[lib.LeafType]) -> Iterator[lib.LeafType]:
    """The widest lines that are about the patient alone."""
    for line in lines:
        if _alone(line):
            yield line
        elif isinstance(line, lib.AnyLeaf | lib.AllLeaf):
            yield from _of_the_patient(line.lines)
        elif isinstance(line, lib.NotLeaf):
            yield from _of_the_patient((line.line,))


Picking: TypeAlias = Callable[[Mapping[int, int]], Hashable]
"""Picks the answers to the questions of an entry out of those of a patient."""


class Asking(Struct, frozen=True):
    """What an entry asks, by the numbers of its questions: `gates`, without which it has nothing to say, and all of them."""

    hangs: Hanging
    gates: tuple[int, ...]
    numbers: tuple[int, ...]
    pick: Picking


class Telling:
    """Tells patients apart as far as entries do. What it met before is kept, so that keys are short; about `most` of it."""

    def __init__(self, library: lib.Library, worded: Callable[[lib.Entry], bool], most: int = 1 << 17) -> None:
        self._library, self._worded, self._most = library, worded, most
        self._asking: dict[str, Asking] = {}
        self._numbers: dict[Hashable, int] = {}
        self._lines: dict[Hashable, tuple[int, Entry]] = {}
        self._asked: dict[tuple[int, bool, bool], int] = {}
        self._alike: dict[Hashable, dict[int, int]] = {}
        self._fits: dict[tuple[str, str, int], bool] = {}
        self._told: dict[tuple[str, Hashable], int] = {}
        self.questions: list[Question] = []
        """Each by its number."""
        self._new = Lock()
        """Of two threads that meet something new, each gives it the number that no other thing has."""

    def of(self, entry: lib.Entry) -> Asking:
        """What an entry asks."""
        found = self._asking.get(entry.id)
        if found is None:
            hangs = hanging(entry, self._library.factors, worded=self._worded(entry))
            numbers = dict.fromkeys(self._question(line, hangs.worded) for line in hangs.questions)
            gates = dict.fromkeys(self._question(line, worded=False) for line in hangs.gates)
            found = self._asking[entry.id] = Asking(
                hangs, tuple(gates), tuple(numbers), itemgetter(*numbers) if numbers else _nothing
            )
        return found

    def _question(self, line: lib.LeafType, worded: bool) -> int:
        """The number of a question, the same for every line that is answered the same way."""
        asked = line.asks, line.missing_is_no is not None, worded
        number = self._asked.get(asked)
        if number is not None:
            return number
        with self._new:
            number = self._asked.setdefault(asked, len(self.questions))
            if number == len(self.questions):
                self.questions.append(Question(line, worded, _about(line, worded=worded)))
        return number

    def shared(self, about: tuple[str, ...], told: Hashable) -> dict[int, int]:
        """The answers that hang on these things alone, of everybody of whom the same is told of them."""
        return self._alike.setdefault((about, told), {})

    def side(self, name: str, told: Hashable) -> int:
        """A short name of what is told of one thing."""
        found = self._told.get((name, told))
        if found is None:
            with self._new:
                found = self._told.setdefault((name, told), len(self._told))
        return found

    def number(self, told: Hashable) -> int:
        """A short name of an answer that is neither yes nor no alone."""
        found = self._numbers.get(told)
        if found is None:
            with self._new:
                found = self._numbers.setdefault(told, len(self._numbers) + 2)
        return found

    def line(self, e: Entry) -> int:
        """A short name of a line of the list as it was understood, where it stands."""
        by_itself = None if e.directions is e.meaning.directions else e.directions
        body = e.body if e.meaning.by_body else None
        told = (id(e.meaning), e.index, e.where, e.told, e.current, e.stopped_on, by_itself, body)
        found = self._lines.get(told)
        if found is None:
            with self._new:
                found = self._lines.setdefault(told, (len(self._lines), e))  # keeps its meaning, whose id no other may get
        return found[0]

    def fits(self, leaf: lib.DrugLeaf, number: int, entry: Entry, logic: Logic) -> bool:
        """Whether a line of a rule may mean a line of the list, by its number: the same for everybody who takes it so."""
        asked = leaf.place, leaf.text, number
        found = self._fits.get(asked)
        if found is None:
            each = entry.drugs if entry.current and entry.resolved else ()
            found = self._fits[asked] = any(logic.fits(leaf, entry, drug).truth is not False for drug in each)
        return found

    @property
    def count_of_lines(self) -> int:
        """How many lines were met: their numbers lie below."""
        return len(self._lines)

    @property
    def full(self) -> bool:
        """Whether so much is kept that it is time to begin anew."""
        return len(self._numbers) + len(self._lines) + len(self._alike) + len(self._told) > self._most


def _nothing(answers: Mapping[int, int]) -> Hashable:
    return ()


_ASKS_ABOUT: dict[type[lib.LeafType], str] = {
    lib.HasLeaf: "problems", lib.LabLeaf: "results", lib.MeasuredLeaf: "results", lib.ChangeLeaf: "results",
    lib.AgeLeaf: "age", lib.SexLeaf: "sex", lib.WeightLeaf: "weight", lib.AllergyLeaf: "allergies", lib.GeneLeaf: "genes",
    lib.ProcedureLeaf: "procedures", lib.DeviceLeaf: "devices", lib.IntakeLeaf: "intake", lib.KidneyLeaf: "kidneys",
    lib.PregnancyLeaf: "pregnancy", lib.BreastfeedingLeaf: "breastfeeding",
}  # fmt: skip
"""What of a patient a line looks at; one that is not here looks at several things, and is asked of each patient."""
_GROUPS = frozenset({lib.AnyLeaf, lib.AllLeaf, lib.NotLeaf})
_FOLLOWS = frozenset({"kidneys", "pregnancy", "breastfeeding"})
"""What may follow from other facts: told apart by what it is, and not by what it follows from."""


def _about(line: lib.LeafType, *, worded: bool) -> tuple[str, ...] | None:
    """All that a line and those inside it look at; None where that is not told apart."""
    parts = [type(part) for part in within((line,)) if type(part) not in _GROUPS]
    if not all(part in _ASKS_ABOUT for part in parts):
        return None
    looks = {_ASKS_ABOUT[part] for part in parts}
    return None if worded and looks & _FOLLOWS else tuple(sorted(looks))


class _Sides:
    """What is told of the things that lines look at, each by a number that is the same for patients who are alike in it; None for
    what is told of one alone."""

    def __init__(self, facts: Facts, logic: Logic, telling: Telling) -> None:
        self._facts, self._logic, self._following = facts, logic, logic.following
        self._telling = telling
        self._told: dict[str, int | None] = {}

    def __getitem__(self, name: str) -> int | None:
        found = self._told.get(name)
        if found is None and name not in self._told:
            told = getattr(self, f"_{name}")()
            found = self._told[name] = None if told is OWN else self._telling.side(name, told)
        return found

    def _problems(self) -> Hashable:
        facts, listed = self._facts, self._facts.listed
        followed = tuple([(i, seen.saw) for i, seen in self._following])
        return facts.problems, facts.implied, listed.suspected, listed.family, followed

    def _results(self) -> Hashable:
        facts = self._facts
        if facts.results or facts.history or facts.findings.procedures:
            return OWN
        return facts.results is None, facts.patient.labs is None

    def _age(self) -> Hashable:
        return self._facts.age

    def _sex(self) -> Hashable:
        return self._facts.patient.sex

    def _weight(self) -> Hashable:
        return self._facts.patient.weight

    def _allergies(self) -> Hashable:
        return self._facts.allergies, self._facts.listed.reactions

    def _genes(self) -> Hashable:
        return self._facts.findings.genes, self._facts.patient.genes

    def _procedures(self) -> Hashable:
        return self._facts.findings.procedures, self._facts.patient.procedures is None

    def _devices(self) -> Hashable:
        return self._facts.findings.devices, self._facts.patient.devices is None

    def _kidneys(self) -> Hashable:
        known = self._logic.clearance()
        return known.low, known.high, known.needs

    def _pregnancy(self) -> Hashable:
        told, saw = self._facts.pregnancy
        return told, saw == "told", self._inferred("pregnancy") if told is None else None

    def _breastfeeding(self) -> Hashable:
        told = self._facts.breastfeeding
        return told, self._inferred("breastfeeding") if told is None else None

    def _inferred(self, fact: str) -> bool | None:
        found = self._logic.inferred(fact)
        return found[0] if found is not None else None

    def _intake(self) -> Hashable:
        facts = self._facts
        return facts.intake, facts.foods_on_lines, facts.not_taken, facts.diet_limits


class Answers(dict[int, int]):
    """What a patient answers to each question, worked out when it is first asked; or as it was for somebody alike in that."""

    def __init__(self, facts: Facts, telling: Telling) -> None:
        super().__init__()
        self._telling = telling
        self.logic = Logic(facts, steps=False)
        self._strict = Logic(facts, strict=True, steps=False)
        self._sides = _Sides(facts, self.logic, telling)
        self._shared: dict[tuple[str, ...], dict[int, int]] = {}

    def side(self, name: str) -> int | None:
        """What is told of one thing, by its number; None where it is told of this patient alone."""
        return self._sides[name]

    def __missing__(self, number: int) -> int:
        about = self._telling.questions[number].about
        if about is None:
            found = self[number] = self._answer(number)
            return found
        shared = self._shared.get(about)
        if shared is None:
            told = tuple([self._sides[name] for name in about])
            shared = self._shared[about] = {} if None in told else self._telling.shared(about, told)
        known = shared.get(number)
        if known is None:
            known = shared[number] = self._answer(number)
        self[number] = known
        return known

    def _answer(self, number: int) -> int:
        asked, logic = self._telling.questions[number], self.logic
        logic.excused.clear()
        seen = logic.line(asked.line)
        if seen.truth is not None and not logic.excused and not asked.worded:
            return int(seen.truth)
        excused = frozenset(logic.excused)
        strictly = self._strict.line(asked.line) if excused else seen
        saw = seen.saw if asked.worded else ""
        told = (seen.truth, seen.needs, excused, strictly.truth, strictly.needs, logic.missing(asked.line), saw)
        return self._telling.number(told)


class Likeness:
    """One patient: the key under which an entry's answer is kept."""

    def __init__(self, facts: Facts, telling: Telling) -> None:
        self.facts, self._telling = facts, telling
        self.answers = Answers(facts, telling)
        self.lines = [(telling.line(e), e.drugs) for e in facts.entries]
        """Each line of the list by its number, with its drugs."""
        self.base = facts.day, facts.patient.medications_complete
        """What every answer hangs on."""
        self.strange = frozenset(n for (n, _), e in zip(self.lines, facts.entries, strict=True) if e.current and not e.resolved)
        """Lines of medicines that nobody knows: any entry may hang on them."""
        self.reacts = bool(facts.allergies or facts.listed.reactions)
        """Whether an allergy is told."""
        each = [drug for e in facts.entries for drug in e.drugs]
        self.twice = len(set(each)) < len(each)
        """Whether an ingredient stands in two lines."""
        self.allergic = facts.allergies != () or bool(facts.listed.reactions)
        """Whether there is an allergy, or may be."""
        self._problems = {k for p in facts.problems or () if p.active is not False for k in p.kinds}

    def key(self, entry: lib.Entry) -> Key | None:
        """All that the entry's answer hangs on: `SILENT` where it has none to give, None where that is more than a key holds."""
        asking, answers = self._telling.of(entry), self.answers
        for gate in asking.gates:
            if answers[gate] == _NO:
                return SILENT
        hangs = asking.hangs
        if (hangs.only_twice and not self.twice) or (hangs.only_allergic and not self.allergic):
            return SILENT
        if hangs.only_fitting is not None and not any(self.fitting(hangs.only_fitting)):
            return SILENT
        if self.of_nobody_else(hangs):
            return None
        drugs = hangs.drugs or _NONE
        special = self.special(hangs) if hangs.special else ()
        lines = tuple([n for n, held in self.lines if not drugs.isdisjoint(held) or n in self.strange])
        return lines, asking.pick(answers), special, self.base

    def fitting(self, leaf: lib.DrugLeaf) -> Iterator[bool]:
        """Whether a line of a rule may mean each line of the list."""
        logic = self.answers.logic
        return (self._telling.fits(leaf, n, e, logic) for (n, _), e in zip(self.lines, self.facts.entries, strict=True))

    def of_nobody_else(self, hangs: Hanging) -> bool:
        """Whether an answer hangs on more than a key can hold: any medicine, this patient's allergies, how results moved."""
        if hangs.drugs is None or (hangs.reactions and self.reacts):
            return True
        return any(map(self.has_moved, hangs.changes))

    def has_moved(self, test: str) -> bool:
        """Whether results of a test are told that may have moved."""
        return bool(self.facts.history.get(test))

    def special(self, hangs: Hanging) -> Hashable:
        """What few entries ask beside: the body, what a medicine may be for, whether allergies are told."""
        facts = self.facts
        body = (facts.kilograms, facts.surface) if hangs.body else ()
        return body, frozenset(hangs.reasons & self._problems), facts.allergies is None
