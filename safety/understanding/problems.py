"""The problem list in the library's terms; what is not recognised, or only in part, is asked about."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from safety.knowledge.library import Condition
from safety.model.patient import Age, Allergy, LabResult, Told
from safety.model.position import Position
from safety.model.problem_line import Head, ProblemLine, Rest, When
from safety.model.report import Unresolved
from safety.text import fold, printable
from safety.understanding.allergies import KnownAllergy
from safety.understanding.intake import Taken
from safety.understanding.terms import Terms

_SUSPECTED = "suspected"
_HAPPENED = frozenset({"told", "history", "recent", "resolved", "done"})
_UNHAD = frozenset({"denied", "risk", "planned", "screening", "vaccinated"})
"""What is said of somebody who does not have it."""
_NOT_HERS = _UNHAD | {_SUSPECTED, "family"}
_WEEK, _MONTH, _YEAR, _MONTHS = 7, 30, 365, 12
_CENTURY, _TWO_DIGITS = 100, 10
_WHAT = "Which condition is meant? It is not one of ours, so no rule about it was judged."
_TAIL = "What does {words} mean here? The rest of the line was read, and this was not: it may say when, how grave or of what."


class Problem(Struct, frozen=True):
    """A problem on the list that we recognise, with everything it is a kind of; `active` None: "history of", now unclear.

    `ago`: when it was, as days (least, most) before the day that is judged; None where that is not told.
    """

    id: str
    kinds: tuple[str, ...]
    active: bool | None
    text: str
    ago: tuple[int, int] | None = None


class Problems(Struct, frozen=True):
    """Everything that the lines of a problem list tell; `own` are those that the patient has or had.

    `denied` with the number of the line that denies it.
    `results` with the line that each stands on; `taken`: what is eaten, drunk or smoked; `reactions`: what a medicine did;
    `not_hers`: lines, by number, that deny or doubt something, or tell it of somebody else. `weeks`: of a pregnancy.
    """

    own: tuple[Problem, ...] = ()
    suspected: tuple[Problem, ...] = ()
    family: tuple[Problem, ...] = ()
    denied: tuple[tuple[Problem, int], ...] = ()
    results: tuple[tuple[LabResult, Position], ...] = ()
    reactions: tuple[KnownAllergy, ...] = ()
    taken: tuple[Taken, ...] = ()
    not_hers: frozenset[int] = frozenset()
    weeks: Decimal | None = None


def read_problems(
    told: tuple[Told, ...] | None, terms: Terms, day: date, unresolved: list[Unresolved], age: Age | None = None
) -> Problems | None:
    """What the problem list tells, `None` where it was not told; what is not recognised is added to `unresolved`.

    A line that says there are none is no problem; the list is told all the same. `age`: of the patient, on that day.
    """
    if told is None:
        return None
    found = _Found(terms, day, unresolved, age)
    for n, one in enumerate(told):
        if one.codes or not terms.denials.no_conditions(one.text):
            found.line(n, one)
    found.contradictions()
    return Problems(
        tuple(found.own), tuple(found.suspected), tuple(found.family), tuple(found.denied), tuple(found.results),
        tuple(found.reactions), tuple(found.taken), frozenset(found.not_hers),
        found.weeks.pop() if len(found.weeks) == 1 else None,
    )  # fmt: skip


class _Found:
    """What was found so far, line by line."""

    def __init__(self, terms: Terms, day: date, unresolved: list[Unresolved], age: Age | None) -> None:
        self.terms, self.day, self.unresolved, self.age = terms, day, unresolved, age
        self.conditions: Mapping[str, Condition] = terms.library.condition
        self.own: list[Problem] = []
        self.suspected: list[Problem] = []
        self.family: list[Problem] = []
        self.denied: list[tuple[Problem, int]] = []
        self.results: list[tuple[LabResult, Position]] = []
        self.reactions: list[KnownAllergy] = []
        self.taken: list[Taken] = []
        self.not_hers: set[int] = set()
        self.weeks: set[Decimal] = set()

    def line(self, n: int, told: Told) -> None:
        """One line: its code decides where we know it; else every condition that its words name."""
        coded = self.terms.coded(told)
        onset = self._ago(When("", told.onset, told.onset)) if told.onset else None
        if coded is not None:
            active = told.status == "active" and not coded[1]
            self.own.append(Problem(coded[0], self.conditions[coded[0]].is_a, active, printable(told.text), onset))
            return
        texts = dict.fromkeys((told.text, *(c.display for c in told.codes if c.display)))
        lines = [self.terms.problems.read(text) for text in texts]
        line = next((found for found in lines if found.heads), lines[0])
        whole = self.terms.named(fold(told.text)) if not line.heads else None
        if whole is not None:  # words that say of others that something was done, and name one of ours by themselves
            problem = Problem(whole, self.conditions[whole].is_a, told.status == "active", printable(told.text), onset)
            self.own.append(problem)
            return
        if any(h.standing in _NOT_HERS for h in line.heads):
            self.not_hers.add(n)
        rests, only_did = self._reactions(line)
        for head in line.heads:
            if head not in only_did:
                self._head(n, head, line, told, onset)
        self._results(line, n)
        told_something = bool(line.heads or line.measured)
        if not told_something and self._otherwise(line, rests):
            return
        if rests or not told_something:
            self._ask(n, told, line, rests)

    # -------------------------------------------------------------- conditions

    def _head(self, n: int, head: Head, line: ProblemLine, told: Told, onset: tuple[int, int] | None) -> None:
        i = self.terms.named(head.name)
        assert i is not None
        i = self._of_what_stands_before(head, line) or i
        known = self.conditions[i]
        text = printable(head.text if len(line.heads) > 1 or head.standing != "told" else told.text)
        ago = self._ago(head.when) if head.when is not None else onset
        if head.when is not None and head.when.gestation and any(self.conditions[k].pregnancy for k in known.is_a):
            ago = None
            if head.standing in _HAPPENED:
                self.weeks.add(Decimal(head.when.gestation[0] // _WEEK))
        problem = Problem(i, known.is_a, self._active(head, known, told, ago), text, ago)
        if head.standing == _SUSPECTED:
            self.suspected.append(replace(problem, active=None))
        elif head.standing == "family":
            self.family.append(problem)
        elif head.standing in _UNHAD:
            self.denied.append((problem, n))
        else:
            self.own.append(problem)

    def _of_what_stands_before(self, head: Head, line: ProblemLine) -> str | None:
        """A narrower name, of a kind of what the line named before ("T2DM with neuropathy": a diabetic one)."""
        if not head.within:
            return None
        before = [self.terms.named(h.name) for h in line.heads if h.end <= head.start and h.standing == head.standing]
        kinds = {k for i in before if i for k in self.conditions[i].is_a}
        for word in self.terms.adjectives if kinds else ():
            named = self.terms.named(f"{word} {head.name}")
            if named is not None and not kinds.isdisjoint(self.conditions[named].is_a):
                return named
        return None

    def _active(self, head: Head, known: Condition, told: Told, ago: tuple[int, int] | None) -> bool | None:
        """Whether it is there now: as the line and the record say, else by how long such a thing lasts."""
        if told.status == "past" or head.standing == "resolved":
            return False
        if head.standing == "recent" or known.lifelong:
            return True
        lasts = known.lasts
        if head.standing == "told" and head.when is not None and head.when.span:
            return True
        if lasts is not None and ago is None and head.when is not None and head.when.age is not None:
            return None
        if lasts is not None and ago is not None and head.when is not None:
            return True if ago[1] <= lasts else False if ago[0] > lasts else None
        if head.standing in ("history", "done"):
            return False if lasts is not None else None
        return True

    def _ago(self, when: When) -> tuple[int, int] | None:
        """So many days (least, most) before the day that is judged; None where it does not say, or says a later day."""
        if when.ago is not None:
            return when.ago
        if when.age is not None and self.age is not None:
            years = int(self.age.months) // _MONTHS - when.age
            return (max((years - 1) * _YEAR, 0), (years + 1) * _YEAR) if years >= 0 else None
        if when.short is not None:
            return self._either(*when.short)
        if when.first is None or when.last is None or when.first > self.day:
            return None
        return max((self.day - when.last).days, 0), (self.day - when.first).days

    def _either(self, month: int, number: int) -> tuple[int, int] | None:
        """From the later to the earlier of the days that "3/22" may mean: the last 22nd of March, or a day of March 2022."""
        today = self.day
        days = [d for year in (today.year, today.year - 1) if (d := _date(year, month, number)) is not None and d <= today][:1]
        century = today.year // _CENTURY * _CENTURY
        year = century + number if century + number <= today.year else century - _CENTURY + number
        first = _date(year, month, 1)
        meant = year >= century or not days  # "11/30" is no November of 1930
        if first is not None and first <= today and number >= _TWO_DIGITS and meant:
            days += [first, min(first + timedelta(days=_MONTH), today)]
        return ((today - max(days)).days, (today - min(days)).days) if days else None

    def contradictions(self) -> None:
        """Where the list says both that somebody has something and that not: it is taken to hold, and asked."""
        for problem, n in self.denied:
            against = next((p for p in self.own if p.active and problem.id in p.kinds), None)
            if against is not None:
                where = Position("conditions", n)
                ask = f"Which holds? The list denies `{problem.text}` and names `{against.text}`: that is taken to hold."
                self.unresolved.append(Unresolved(problem.text, where, "contradicted", [], ask))

    # -------------------------------------------------------------- what else a line tells

    def _results(self, line: ProblemLine, n: int) -> None:
        where = Position("conditions", n)
        self.results += [(LabResult(line.text[m.start : m.end], as_written=True), where) for m in line.measured]

    def _reactions(self, line: ProblemLine) -> tuple[list[Rest], list[Head]]:
        """What is left of a line once the medicines are out that did what it names ("angioedema from lisinopril").

        And the conditions that are no more than that ("PCN: rash"): nothing is asked of them but what did it.
        """
        grades = self.terms.allergies
        did = [h for h in line.heads if h.standing in _HAPPENED and grades.grade(h.text, None)]
        left: list[Rest] = []
        only: list[Head] = []
        for rest in line.rests:
            head = _beside(rest, did)
            known, unread = grades.read(Allergy(rest.text, head.text)) if head is not None else ([], [rest.text])
            if head is None or unread or any(k.ask for k in known):
                left.append(rest)
                continue
            self.reactions += known
            if self.conditions[self.terms.named(head.name) or ""].unjudged:
                only.append(head)
        return left, only

    def _otherwise(self, line: ProblemLine, rests: list[Rest]) -> bool:
        """Whether a line that names no condition tells something else whole: that there is none, an allergy, food or drink."""
        if line.denies and not rests:
            return True
        if self.terms.of_allergy.search(line.text):
            known, unread = self.terms.allergies.read(Allergy(line.text))
            if known and not unread and not any(k.ask for k in known):
                self.reactions += known
                return True
        if self.terms.not_eaten.search(line.text):
            return False
        taken = self.terms.intake.read(line.text)
        if taken.food is None or (taken.left and taken.daily is None):
            return False
        self.taken.append(taken)
        return True

    # -------------------------------------------------------------- what is asked

    def _ask(self, n: int, told: Told, line: ProblemLine, rests: list[Rest]) -> None:
        where, text = Position("conditions", n), printable(told.text)
        if not line.heads and not line.measured:
            near = self.terms.conditions_near(told.text)
            self.unresolved.append(Unresolved(text, where, "unrecognised", near, _WHAT))
            return
        words = ", ".join(f"`{printable(r.text)}`" for r in rests)
        self.unresolved.append(Unresolved(text, where, "unread", [], _TAIL.format(words=words)))


def _beside(rest: Rest, did: list[Head]) -> Head | None:
    """What words that may name a medicine stand right before, or after with a cause between."""
    before = next((h for h in did if 0 <= h.start - rest.end <= len(": ")), None)
    return before or next((h for h in reversed(did) if h.end <= rest.start and rest.after_cause), None)


def _date(year: int, month: int, number: int) -> date | None:
    """The day, where there is such a day."""
    try:
        return date(year, month, number)
    except ValueError:
        return None
