"""The problem list in the library's terms; what is not recognised, or only in part, is asked about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from safety.knowledge.library import Condition, Gene
from safety.model.patient import Allergy, LabResult, Told
from safety.model.position import Position
from safety.model.problem_line import Head, ProblemLine, Rest, When
from safety.model.quantity import number
from safety.model.report import Unresolved
from safety.text import fold, printable
from safety.understanding.allergies import KnownAllergy
from safety.understanding.findings import KnownDevice, KnownGene, KnownProcedure
from safety.understanding.happened import Happening
from safety.understanding.intake import Taken
from safety.understanding.problem_lists import Person
from safety.understanding.telling import spans
from safety.understanding.terms import Terms
from safety.understanding.vaccines import KnownVaccine
from safety.understanding.when import days_ago, told_day

_SUSPECTED = "suspected"
_HAPPENED = frozenset({"told", "history", "recent", "resolved", "done"})
_HAPPENED_WITHOUT_A_PAST = _HAPPENED - {"history"}
_UNHAD = frozenset({"denied", "risk", "planned", "screening", "vaccinated"})
"""What is said of somebody who does not have it."""
_NOT_HERS = _UNHAD | {_SUSPECTED, "family", "nobody"}
_ARROWS = frozenset({"->", "-->", "=>", "\u2192", ">"})
_GRAVE = frozenset({"severe", "severe_skin"})
_WEEK = 7
_BESIDE_A_HEAD = 8
_MONTH_DAYS = 31
_YEAR_DAYS = 12 * _MONTH_DAYS
_WHAT = "Which condition is meant? It is not one of ours, so no rule about it was judged."
_TAIL = "What does {words} mean here? The rest of the line was read, and this was not: it may say when, how grave or of what."

_UNTOLD = "Is {words} taken? The problem list names it, and it is not among the medications."
_BREAK = re.compile(r"[;\n]|,(?!\d)|\s--?\s|\.\s")
_ALLERGY_BREAK = re.compile(r"[;\n]|,(?!\d)|\.\s")
"""The same but for the dash, behind which it is told what an allergy does."""
_CODES = re.compile(r"\b[A-TV-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4})?(?!\w)")
_ALL_CODES = re.compile(rf"(?:{_CODES.pattern}[\s,;/&+]*)+")
_DOTTED = r"\b[A-TV-Z]\d[0-9A-Z]\.[0-9A-Z]{1,4}(?!\w)"
"""A code that is none of a vertebra or vitamin ("T12 fracture", "B12 deficiency")."""
_KIND_OF_CODE = re.compile(r"\s*\((?:disorder|finding|situation|procedure|event|morphologic abnormality)\)\Z")
_CODED = re.compile(
    rf"{_DOTTED}[\s:,-]+(?P<words>.*[A-Za-z]{{2}}.*)|(?P<before>.*[A-Za-z]{{2}}.*?)\s*[(\[](?i:icd\W*\d*\W*)?{_DOTTED}[)\]]"
)
_LISTED_IN_BRACKETS = re.compile(r"(?P<of>[a-z]+ \w+)\s*\((?P<what>[^()]*,[^()]*)\)", re.I)
"""What somebody is allergic to, in brackets behind a heading ("food allergies (egg, milk)")."""
_BEFORE_A_REACTION = frozenset({"(", "-", "--", ":", "->", "=", "- ("})


class Problem(Struct, frozen=True):
    """A problem on the list that we recognise, with everything it is a kind of; `active` None: "history of", now unclear.

    `ago`: when it was, as days (least, most) before the day that is judged; None where that is not told.
    """

    id: str
    kinds: tuple[str, ...]
    active: bool | None
    text: str
    ago: tuple[int, int] | None = None


class NamedMedicine(Struct, frozen=True):
    """A medicine that a line of the problem list names, and no list of medicines.

    `taken`: the line says that it is ("AF on warfarin"), where others only name it ("LQT1, nadolol"); `open`: it may be over, or
    not begun ("warfarin until 2019"). `drugs`: what the words come to, where that is known already; of a kind each that it may
    be (`one_of`). `asked`: the line asks about it.
    """

    text: str
    where: Position
    taken: bool
    open: bool
    drugs: tuple[str, ...] = ()
    one_of: bool = False
    asked: bool = True


class Problems(Struct, frozen=True):
    """Everything that the lines of a problem list tell; `own` are those that the patient has or had.

    `denied` with the number of the line that denies it.
    `results` with the line that each stands on; `taken`: what is eaten, drunk or smoked; `reactions`: what a medicine did;
    `not_hers`: lines, by number, that deny or doubt something, or tell it of somebody else. `weeks`: of a pregnancy.
    `procedures`, `devices`: those that stand in a line beside something else. `kin_denied`: what none of the kin has.
    `genes`: genetic results beside a condition. `ended`: parts of lines that tell of a medicine which is taken no more.
    `medicines`: those that lines name and that are on no list of them.
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
    vaccines: tuple[KnownVaccine, ...] = ()
    procedures: tuple[KnownProcedure, ...] = ()
    devices: tuple[KnownDevice, ...] = ()
    kin_denied: tuple[Problem, ...] = ()
    genes: tuple[KnownGene, ...] = ()
    ended: tuple[tuple[Position, str], ...] = ()
    medicines: tuple[NamedMedicine, ...] = ()


def read_problems(
    told: tuple[Told, ...] | None, terms: Terms, day: date, unresolved: list[Unresolved], person: Person | None = None
) -> Problems | None:
    """What the problem list tells, `None` where it was not told; what is not recognised is added to `unresolved`.

    A line that says there are none is no problem; the list is told all the same. One that denies another list ("no current
    medications") is asked about where nothing stands beside it: it says nothing of conditions. What it says hangs on no more of
    the `person` than was asked of it.
    """
    if told is None:
        return None
    found = _Found(terms, day, unresolved, person or Person())
    silent = all(not one.codes and terms.denials.of_another_list(one.text) for one in told)
    for n, one in enumerate(told):
        if silent:
            unresolved.append(Unresolved(printable(one.text), Position("conditions", n), "unrecognised", [], _WHAT))
        elif one.codes or not terms.denials.no_conditions(one.text):
            before = len(found.own)
            for part in _codes_apart(one):
                found.line(n, part)
            found.at.update({p.text: n for p in found.own[before:]})
    found.joined()
    found.contradictions()
    return Problems(
        tuple(found.own), tuple(found.suspected), tuple(found.family), tuple(found.denied), tuple(found.results),
        tuple(found.reactions), tuple(found.taken), frozenset(found.not_hers),
        found.weeks.pop() if len(found.weeks) == 1 else None, tuple(found.vaccines),
        tuple(found.gone_through), tuple(found.lived_with), tuple(found.kin_denied), tuple(found.genes),
        tuple(found.ended), tuple(found.not_the_cause()),
    )  # fmt: skip


class _Did(Struct, frozen=True):
    """What medicines did: the words of a line that are none of it, the conditions that are no more than what was done, so that
    nothing is asked of them but what did it, and those that tell of then and not of today."""

    left: list[Rest]
    only: list[Head]
    then: list[Head]


class _Found:
    """What was found so far, line by line."""

    def __init__(self, terms: Terms, day: date, unresolved: list[Unresolved], person: Person) -> None:
        self.person = person
        self.at: dict[str, int] = {}
        self.vaccines: list[KnownVaccine] = []
        self.gone_through: list[KnownProcedure] = []
        self.lived_with: list[KnownDevice] = []
        self.genes: list[KnownGene] = []
        self.ended: list[tuple[Position, str]] = []
        self.medicines: list[NamedMedicine] = []
        self.treated: dict[int, list[str]] = {}
        self.terms, self.day, self.unresolved = terms, day, unresolved
        self.conditions: Mapping[str, Condition] = terms.library.condition
        self.own: list[Problem] = []
        self.suspected: list[Problem] = []
        self.family: list[Problem] = []
        self.denied: list[tuple[Problem, int]] = []
        self.kin_denied: list[Problem] = []
        self.results: list[tuple[LabResult, Position]] = []
        self.reactions: list[KnownAllergy] = []
        self.taken: list[Taken] = []
        self.not_hers: set[int] = set()
        self.weeks: set[Decimal] = set()

    def line(self, n: int, told: Told) -> None:
        """One line: its code decides where we know it; else every condition that its words name."""
        self._cannot_be(n, told)
        onset = self._ago(When("", told.onset, told.onset)) if told.onset else None
        if not self._is_a_name(told) and self._by_code(told, onset):
            self._treated(n, self.terms.problems.read(told.text))
            beyond = self._beyond_its_code(told, onset)
            if beyond.heads or beyond.measured or beyond.rests:
                self._words(n, told, beyond, onset)
            return
        if self._vaccinated(n, told):
            return
        coded, told = told, _without_code(told)
        line = self._as_read(told)
        self._treated(n, line)
        if not line.heads and self._by_its_whole_name(told, onset):
            return
        if coded is not told and not (line.heads or line.measured) and self._by_code(_code_alone(coded), onset):
            return
        self._words(n, told, line, onset)

    def _is_a_name(self, told: Told) -> bool:
        """Whether a line without a code is the name of a condition, though it may be read as a code without its stop ("T21")."""
        return not told.codes and "." not in told.text and self.terms.named(fold(told.text)) is not None

    def _words(self, n: int, told: Told, line: ProblemLine, onset: tuple[int, int] | None) -> None:
        """What the words of a line say: genes, allergies, conditions and what stands beside them."""
        without = self._without_genes(n, told, line)
        if without is None:
            return
        line = self._not_yet_cured(without)
        if any(h.standing in _NOT_HERS for h in line.heads):
            self.not_hers.add(n)
        left = self._without_allergies(line)
        if left.heads or left.measured or left.rests or left == line:
            self._said(n, told, left, onset)

    def _by_code(self, told: Told, onset: tuple[int, int] | None) -> bool:
        """Whether the code of a line says what it is; then that is what there is."""
        coded = self.terms.coded(told)
        if coded is None:
            return False
        for i in coded.conditions:
            active = (told.status == "active" and not coded.past) or self.conditions[i].always
            self._has(self._problem(i, active, printable(told.text), onset))
        return True

    def _beyond_its_code(self, told: Told, onset: tuple[int, int] | None) -> ProblemLine:
        """The words of a line without what its code says: "T2DM with CKD 4" coded as diabetes tells of the kidneys, too.

        A grade beside what the code says is told here. A line that is nothing but a code has no words, and of what the code is
        called itself nothing is asked.
        """
        coded = self.terms.coded(told)
        line = self.terms.problems.read(told.text if told.codes else "")
        if coded is None:
            return line
        covered = {kind for i in coded.conditions for kind in self.conditions[i].is_a}
        said = [
            head for head in line.heads if (m := self.terms.meant(head.name)) is not None and not covered.isdisjoint(m.conditions)
        ]
        marks = [mark for head in said if head.standing in _HAPPENED for mark in head.marks]
        others = [mark for head in line.heads if head not in said for mark in head.marks]
        for each in dict.fromkeys(g for i in coded.conditions for g in self.terms.graded(i, marks, others)):
            self._has(self._problem(each, told.status == "active" and not coded.past, printable(told.text), onset))
        own = any(
            fold(_KIND_OF_CODE.sub("", code.display or "")) == fold(_KIND_OF_CODE.sub("", told.text)) for code in told.codes
        )
        return replace(line, heads=tuple(h for h in line.heads if h not in said), rests=() if own else line.rests)

    def _vaccinated(self, n: int, told: Told) -> bool:
        """Whether a line tells a vaccine and nothing else."""
        vaccines = self.terms.vaccines.elsewhere(told.text, Position("conditions", n), self.day, self._is_a_condition)
        self.vaccines += vaccines or []
        return vaccines is not None

    def _as_read(self, told: Told) -> ProblemLine:
        """The words of a line, or of its code where its own name no condition, with a medicine behind what it did."""
        turned = self.terms.induced(told.text)
        if turned is not None:
            return self.terms.problems.read(turned)
        lines = [
            self.terms.problems.read(text) for text in dict.fromkeys((told.text, *(c.display for c in told.codes if c.display)))
        ]
        return next((found for found in lines if found.heads), lines[0])

    def _by_its_whole_name(self, told: Told, onset: tuple[int, int] | None) -> bool:
        """Whether words that say of others that it was done name one of ours by themselves ("cataract surgery planned")."""
        i = self.terms.named(fold(told.text))
        if i is not None and not self.conditions[i].circumstance:
            self._has(self._problem(i, told.status == "active", printable(told.text), onset))
        return i is not None

    def _said(self, n: int, told: Told, line: ProblemLine, onset: tuple[int, int] | None) -> None:
        """The conditions of a line with what stands beside them; what is left of it is asked about."""
        did = self._reactions(line)
        if not (line.heads or line.measured or line.pregnant_for) and self._otherwise(
            line.text, denies=line.denies and not did.left, of_kin=line.of_kin
        ):
            return
        rests, eaten = self._parts(line, self._other_parts(n, line, did.left))
        left = [rest for rest in rests if not self._beside(n, line, rest)]
        if line.heads or line.measured:
            telling = self._telling(line, left)
            left = [rest for rest in left if not self.terms.adds_nothing(rest.text)]
            left += [one for one in telling if not any(one.start <= rest.start < one.end for rest in left)]
        left = [rest for rest in left if not self._is_treatment(n, rest)]
        for head in line.heads:
            if head not in did.only and head not in eaten:
                self._head(n, replace(head, standing="history") if head in did.then else head, line, told, onset)
                self._within_a_name(n, head)
        self._done_to_what_is_named(n, line)
        self._results(line, n)
        pregnant = self._pregnant(line, told)
        if left or not (line.heads or line.measured or line.rests or pregnant):
            self._ask(n, told, line, left)

    def _telling(self, line: ProblemLine, unread: list[Rest]) -> list[Rest]:
        """Parts of a line that tell something of which nothing was read, though each of their words may stand beside anything."""
        beside = (r for r in line.rests if r not in unread and r.standing != "denied" and not self.terms.is_idle(r.text))
        read = [(r.start, r.end) for r in beside]
        for head in line.heads:
            if self.terms.that_bled(head) is not None:
                said = [m.text.lower() for m in head.marks if m.text.lower() in self.terms.bleeding]
                read += [(at, at + len(word)) for word in said if (at := line.text.lower().find(word)) >= 0]
            sides = [re.escape(m.text) for m in head.marks if m.kind == "laterality" and m.text.isupper()]
            read += [found.span() for side in sides for found in re.finditer(rf"(?<!\w){side}(?!\w)", line.text)]  # "CE/IOL OD"
        here = Position("conditions", 0)
        told = [
            t for t in self.terms.telling.untold(line, read) if self.terms.findings.on_its_day(t.text, here, self.day) is None
        ]
        for start, end in self.terms.of_another_disease(line):
            part = next((i, j) for i, j in _spans(line.text) if i <= start < j)
            if not any(one.start <= start < one.end for one in told):
                told.append(Rest(line.text[start : part[1]].strip(), start, end))
        return told

    def _without_genes(self, n: int, told: Told, line: ProblemLine) -> ProblemLine | None:
        """A line without the genetic results in it ("NSCLC, EGFR L858R+"): they are results; None where nothing else was told."""
        kin = line.of_kin or any(h.standing in ("family", "nobody") for h in line.heads)
        found = [one for one in self.terms.findings.genes_within(line.text) if not self._doubted(line, one)]
        if kin:
            found = [
                one for one in found if self.terms.of_the_patient.search(line.text[: one[0]])
            ]  # "mom - breast ca, pt BRCA neg"
        if not found or (not line.heads and (self.terms.findings.only_genes(line.text) or self._unsure_of(line, found))):
            return line
        inside = [(start, end) for start, end, _, _ in found]
        heads = tuple(h for h in line.heads if not any(a <= h.start < b and (h.start > a or h.end < b) for a, b in inside))
        if line.heads and not heads:
            return replace(line, heads=())
        where = Position("conditions", n)
        self.genes += [KnownGene(gene.id, state, printable(line.text[a:b]), where) for a, b, gene, state in found]
        rests = tuple(r for r in line.rests if not any(start <= r.start < end for start, end in inside))
        measured = tuple(m for m in line.measured if not any(start <= m.start < end for start, end in inside))
        if not heads and not measured:
            left = [rest for rest in rests if not self._beside(n, line, rest)]
            if left:
                words = ", ".join(f"`{printable(r.text)}`" for r in left)
                ask = _TAIL.format(words=words)
                self.unresolved.append(Unresolved(printable(told.text), where, "unread", [], ask))
            return None
        return replace(line, heads=heads, rests=rests, measured=measured)

    def _not_yet_cured(self, line: ProblemLine) -> ProblemLine:
        """A line with the conditions still there that an operation is to end whose day lies ahead ("severe AS, TAVR 12/10")."""
        if not any(h.cured for h in line.heads) or not any(
            self._lies_ahead(h.when) and (i := self.terms.named(h.name)) and self.terms.operation(i) for h in line.heads
        ):
            return line
        return replace(line, heads=tuple(replace(h, standing="told") if h.cured else h for h in line.heads))

    @staticmethod
    def _unsure_of(line: ProblemLine, found: list[tuple[int, int, Gene, str]]) -> bool:
        """Whether a result with nothing but words that were not read beside it may be somebody else's, or doubted."""
        doubted = (r for r in line.rests for start, end, _, _ in found if start <= r.start < end and r.standing not in _HAPPENED)
        return line.names_kin or "?" in line.text or any(doubted)

    @staticmethod
    def _doubted(line: ProblemLine, found: tuple[int, int, Gene, str]) -> bool:
        """Whether the condition that begins where a gene does is doubted or denied ("denies tobacco, G6PD deficiency").

        Not where the result itself denies it ("BRCA neg").
        """
        start, _, gene, state = found
        denied = not gene.implies.get(state)
        return any(
            h.start == start and h.standing not in _HAPPENED and not (denied and h.standing == "denied") for h in line.heads
        )

    def _cannot_be(self, n: int, told: Told) -> None:
        """A beginning that lies ahead, or before the patient was born."""
        if told.onset is None:
            return
        ahead, age = told.onset > self.day, self.person.age
        lived = int(age.months + 1) * _MONTH_DAYS if age is not None else None
        before = lived is not None and (self.day - told.onset).days > lived
        if ahead or before:
            said = "lies after the day that is judged" if ahead else "lies before the patient was born"
            ask = f"Is {told.onset} right? It {said}."
            self.unresolved.append(Unresolved(printable(told.text), Position("conditions", n), "contradicted", [], ask))

    # -------------------------------------------------------------- conditions

    def _head(self, n: int, head: Head, line: ProblemLine, told: Told, onset: tuple[int, int] | None) -> None:
        meant = self.terms.that_bled(head) or self.terms.meant(head.name)
        assert meant is not None
        narrower = self._of_what_stands_before(head, line)
        as_told = replace(head, standing="resolved") if meant.past and head.standing == "told" else head
        others = [mark for h in line.heads if h is not head for mark in h.marks]
        for i in (narrower,) if narrower is not None else meant.conditions:
            for each in dict.fromkeys((i, *self.terms.graded(i, head.marks, others))):
                self._one(n, each, as_told, line, told, onset)

    def _one(self, n: int, i: str, head: Head, line: ProblemLine, told: Told, onset: tuple[int, int] | None) -> None:
        """One of the conditions that a name is."""
        known = self.conditions[i]
        ago = self._ago(head.when) if head.when is not None else onset or self._days_back(head, line.text)
        if known.circumstance:
            self._circumstance(n, head)
            self._gone_through(n, head, ago, line)
            return
        done = head.standing == "done" and head.when is not None and head.when.short is not None  # "s/p TKA 12/14"
        if head.standing in ("told", "done") and not done and self._lies_ahead(head.when) and self.terms.operation(i):
            head = replace(head, standing="planned")  # "TKR booked Jan 2027"
        if head.cured and self._is_cured_later(line):
            head = replace(head, standing="told", cured=False, when=None)  # "thyroidectomy 12/15 for PTC", on the first of it
        text = printable(head.text if len(line.heads) > 1 or head.standing != "told" else told.text)
        if head.when is not None and head.when.gestation and any(self.conditions[k].pregnancy for k in known.is_a):
            ago = None
            if head.standing in _HAPPENED:
                self.weeks.add(Decimal(head.when.gestation[0] // _WEEK))
        problem = self._problem(i, self._active(head, known, told, ago), text, ago)
        self._gone_through(n, head, ago, line)
        self._has_a_device(n, head, problem)
        if head.standing == _SUSPECTED or (
            head.standing == "denied" and head.episode and (known.lasts is None or known.lifelong)
        ):
            self.suspected.append(replace(problem, active=None))
        elif head.standing == "family":
            self.family.append(problem)
        elif head.standing == "nobody":
            self.kin_denied.append(problem)  # of the kin, who do not have it, and no word of the patient
        elif head.standing in _UNHAD:
            self.denied.append((problem, n))
            food = self.terms.intake.read(head.name).food if head.standing == "denied" else None
            if food is not None:
                self.taken.append(Taken(food, None, text, denied=True))
        else:
            self._has(problem, self.terms.named(head.disease) if head.disease else None)

    def _circumstance(self, n: int, head: Head) -> None:
        """A device that somebody lives with is held as one ("foley in"), though nobody is ill by it."""
        there = head.standing in _HAPPENED and head.standing not in ("history", "resolved")
        found = self.terms.findings.device(head.name) if there else None
        if found is not None:
            self.lived_with.append(KnownDevice(found.is_a, printable(head.text), Position("conditions", n), found.implies))

    def _problem(self, i: str, active: bool | None, text: str, ago: tuple[int, int] | None) -> Problem:
        """A condition of the patient; one that she outgrew is over and tells nothing of what it is a kind of."""
        known = self.conditions[i]
        age = self.person.age if known.outgrown is not None else None
        if known.outgrown is not None and age is not None and age.months * _MONTH_DAYS > known.outgrown:
            active = False
        over = known.outgrown is not None and active is False
        return Problem(i, (i,) if over else known.is_a, active, text, ago)

    def _has(self, problem: Problem, disease: str | None = None) -> None:
        """A problem of the patient, and what stays where it is over: the disease of a flare, or what such an event leaves."""
        self.own.append(problem)
        known = self.conditions[problem.id]
        flare = (disease,) if disease is not None and disease in known.is_a and disease != problem.id else ()
        for left in dict.fromkeys((*flare, *known.leaves)) if not problem.active else ():
            if not any(other.active and left in other.kinds for other in self.own):
                self.own.append(Problem(left, self.conditions[left].is_a, True, problem.text))

    def joined(self) -> None:
        """What two problems that are there now are together: cirrhosis and ascites, on one line or two."""
        now = [p for p in self.own if p.active]
        for i, both in self.terms.joined:
            of, beside = ([p for p in now if not named.isdisjoint(p.kinds)] for named in (set(both.of), set(both.beside)))
            if of and beside and not any(i in p.kinds for p in now):
                texts = dict.fromkeys((of[0].text, beside[0].text))
                self.own.append(Problem(i, self.conditions[i].is_a, True, " with ".join(texts)))

    def _pregnant(self, line: ProblemLine, told: Told) -> bool:
        """Weeks of a pregnancy, which is a problem of its own where the line names none ("G2P1 at 23w4d")."""
        if line.pregnant_for is None or told.status != "active":
            return False
        self.weeks.add(Decimal(line.pregnant_for[0] // _WEEK))
        named = any(self.conditions[k].pregnancy for p in self.own if p.active for k in p.kinds)
        i = self.terms.pregnancy
        if i is not None and not named:
            self.own.append(Problem(i, self.conditions[i].is_a, True, printable(told.text)))
        return True

    def _gone_through(self, n: int, head: Head, ago: tuple[int, int] | None, line: ProblemLine) -> None:
        """A condition whose name is that of a procedure is one with its day, done or planned ("kidney transplant 3/2024")."""
        planned = head.standing == "planned" or (
            head.standing == "told" and (self._lies_ahead(head.when) or (ago is None and self._said_ahead(line, head)))
        )
        found = self.terms.findings.procedure(head.name) if planned or head.standing in _HAPPENED else None
        if found is not None and self.terms.findings.device(head.name) is None:  # a "suprapubic cath" is no cardiac one
            status: Literal["done", "planned"] = "planned" if planned or found[1] else "done"
            where = Position("conditions", n)
            self.gone_through.append(KnownProcedure(found[0].is_a, status, None, printable(head.text), where, between=ago))

    def _said_of_a_procedure(self, line: ProblemLine, beside: Head | Rest) -> Happening:
        """What the part of a line in which a procedure stands says of it ("hernia repair next Tues", "had TURP Wed")."""
        part = next(line.text[i:j] for i, j in _spans(line.text) if i <= beside.start < j)
        return self.terms.findings.said_of(part, self.day)

    def _said_ahead(self, line: ProblemLine, head: Head) -> bool:
        told = self._said_of_a_procedure(line, head)
        return bool(told.names) and not told.denied and told.planned(self.day)

    def _has_a_device(self, n: int, head: Head, problem: Problem) -> None:
        """A condition that some device implies tells of that device ("PEG dependent")."""
        found = self.terms.findings.device_of(problem.id) if problem.active is not False and head.standing in _HAPPENED else None
        if found is not None:
            self.lived_with.append(KnownDevice(found.is_a, problem.text, Position("conditions", n), ""))

    def _of_what_stands_before(self, head: Head, line: ProblemLine) -> str | None:
        """A narrower name, of a kind of what the line named before ("T2DM with neuropathy": a diabetic one)."""
        if not head.within:
            return None
        before = [self.terms.named(h.name) for h in line.heads if h.end <= head.start and h.standing == head.standing]
        alone = self.terms.named(head.name)
        its_own = self.conditions[alone].is_a if alone else ()  # cirrhosis beside hepatitis B is no alcoholic one
        kinds = {k for i in before if i for k in self.conditions[i].is_a}.difference(its_own)
        for word in self.terms.adjectives if kinds else ():
            named = self.terms.named(f"{word} {head.name}")
            if named is not None and not kinds.isdisjoint(self.conditions[named].is_a):
                return named
        return None

    def _active(self, head: Head, known: Condition, told: Told, ago: tuple[int, int] | None) -> bool | None:
        """Whether it is there now: as the line and the record say, else by how long such a thing lasts."""
        if told.status == "past" or known.always:
            return known.always
        if head.episode and (known.lasts is None or known.lifelong):
            return True
        if head.standing == "resolved":
            return False
        if head.standing == "recent" or (known.lifelong and not head.cured):
            return True
        if head.standing == "told" and head.when is not None and head.when.span:
            return True
        if known.lasts is None:
            over = head.standing in ("history", "done") and not head.listed
            return None if over or (ago is not None and ago[0] > _YEAR_DAYS and self._came_once(head)) else True
        return self._passed(head, known.lasts, ago)

    @staticmethod
    def _came_once(head: Head) -> bool:
        """Whether it is told to have come a single time ("iritis x1 2017")."""
        return any(mark.kind == "count" and mark.text.strip(" xX") == "1" for mark in head.marks)

    def _passed(self, head: Head, lasts: int, ago: tuple[int, int] | None) -> bool | None:
        """Whether what lasts so many days is there now, by when it was; None where that is not told well enough."""
        if head.when is not None and ago is not None:
            return True if ago[1] <= lasts else False if ago[0] > lasts else True if head.when.latest else None
        if head.when is not None and head.when.age is not None:
            return None
        if head.standing in ("history", "done"):
            return False
        counted = head.when is None and any(m.kind == "count" for m in head.marks) and not self.terms.comes_back(head)
        return None if counted and ago is None else True

    def _is_cured_later(self, line: ProblemLine) -> bool:
        """Whether what a line tells, such as the operation that ends something, is told with a day that comes yet."""
        return any(head.standing in ("told", "done") and self._lies_ahead(head.when) for head in line.heads)

    def _lies_ahead(self, when: When | None) -> bool:
        """Whether a day is told that comes yet; "12/4" is the nearest fourth of December."""
        if when is not None and when.short is not None:
            nearest = told_day(when, self.day, None)[0]
            return nearest is not None and nearest > self.day
        return when is not None and when.first is not None and when.first > self.day

    def _days_back(self, head: Head, text: str) -> tuple[int, int] | None:
        """How long ago something was right behind which words of time stand ("CABG yesterday"), and not those of a visit; or
        whose day is counted ("postpartum day 2")."""
        counted = self._counted(head, text) if head.standing in _HAPPENED_WITHOUT_A_PAST else None
        if counted is not None:
            return max(counted - 1, 0), counted
        if head.standing != "recent":
            return None
        behind = text[head.end :].lstrip(" ,(-").lower()
        told = (days for said, days in self.terms.days_back.items() if re.match(rf"{re.escape(said)}(?![\w-])", behind))
        return next(told, None)

    def _counted(self, head: Head, text: str) -> int | None:
        """Which day of an event it is, told in its name, right behind it or right before: "PPD#2", "POD#2 s/p THA". Behind a
        comma only days after an operation or a birth are its own ("T2DM, day 5 of prednisone")."""
        for found in self.terms.day_counted.finditer(text):
            between = text[head.end : found.start()] if found.end() > head.end else text[found.end() : head.start]
            inside = head.start <= found.start() < head.end
            parted = not (found["after"] and found.start() >= head.end) and _BREAK.search(between) is not None
            if inside or (len(between) <= _BESIDE_A_HEAD and not parted):
                return int(found["days"])
        return None

    def _ago(self, when: When) -> tuple[int, int] | None:
        return days_ago(when, self.day, self.person.age)

    def contradictions(self) -> None:
        """Where the list says both that somebody has something and that not: it is taken to hold, and asked."""
        for problem in self.own:
            only, sex = self.terms.of_one_sex.get(problem.id), None
            if only is not None and (sex := self.person.sex) is not None and only != sex:
                ask = f"Is this the right patient, or the right line? `{problem.text}` does not go with {sex}."
                where = Position("conditions", self.at.get(problem.text, 0))
                self.unresolved.append(Unresolved(problem.text, where, "contradicted", [], ask))
        for problem, n in self.denied:
            against = next((p for p in self.own if p.active and problem.id in p.kinds), None)
            on_one_line = against is not None and self.at.get(against.text) == n and against.text != problem.text
            if against is not None and not on_one_line:  # "pericardial effusion, no tamponade" denies a part of it
                where = Position("conditions", n)
                ask = f"Which holds? The list denies `{problem.text}` and names `{against.text}`: that is taken to hold."
                self.unresolved.append(Unresolved(problem.text, where, "contradicted", [], ask))

    # -------------------------------------------------------------- what else a line tells

    def _is_a_condition(self, name: str) -> bool:
        return self.terms.named(name) is not None

    def _results(self, line: ProblemLine, n: int) -> None:
        where = Position("conditions", n)
        self.results += [
            (
                LabResult(m.test, number(m.value) or m.value)
                if m.counted
                else LabResult(line.text[m.start : m.end], as_written=True),
                where,
            )
            for m in line.measured
        ]

    def _without_allergies(self, line: ProblemLine) -> ProblemLine:
        """A line without the parts that tell an allergy and what it does, and nothing else ("peanut allergy (anaphylaxis)")."""
        if line.denies or line.of_kin or "?" in line.text or not self.terms.of_allergy.search(line.text):
            return line  # "febuxostat intolerant? no"
        for start, end in _spans(line.text, _ALLERGY_BREAK):
            heads = [h for h in line.heads if start <= h.start < end]
            text = _LISTED_IN_BRACKETS.sub(r"\g<of>: \g<what>", line.text[start:end].strip())
            theirs = all(h.standing in _HAPPENED for h in heads)
            if not (heads and theirs and self.terms.of_allergy.search(text)) or self.terms.refuted.search(text):
                continue
            known, unread = self.terms.allergies.read(Allergy(text))
            if known and not unread and not any(k.ask for k in known):
                self.reactions += known
                rests = tuple(r for r in line.rests if not start <= r.start < end)
                kept = tuple(h for h in line.heads if h not in heads or _is_all_of(h, text) or h.when is not None)
                line = replace(line, heads=kept, rests=rests)
        return line

    def _reactions(self, line: ProblemLine) -> _Did:
        """What is left of a line once the medicines are out that did what it names ("angioedema from lisinopril")."""
        grades = self.terms.allergies
        did = [h for h in line.heads if h.standing in _HAPPENED and grades.grade(self._called(h), None)]
        found = _Did([], [], [])
        for rest in line.rests:
            head = self._did_it(line.text, rest, did) or self._of_a_reaction(line.text, rest, did)
            head = None if head is not None and self._came_of_something_else(line, head, rest) else head
            if head is None and self._intolerance(line, rest, found):
                continue
            known, unread = grades.read(Allergy(rest.text, self._called(head))) if head is not None else ([], [rest.text])
            if head is None or unread or any(k.ask for k in known):
                found.left.append(rest)
                continue
            self.reactions += known
            grade = grades.grade(self._called(head), None)
            behind = rest.end <= head.start
            if (behind and grade not in _GRAVE) or self.conditions[self.terms.named(head.name) or ""].unjudged:
                found.only.append(head)  # "PCN: rash" is no rash of today
            elif (behind or (grade == "severe_skin" and not self._by_a_cause(line.text, head, rest))) and head.standing == "told":
                found.then.append(head)  # "sulfa: SJS", "SJS to sulfa" tell of then, "SJS 2/2 sulfa" may be of today
        return found

    def _called(self, head: Head) -> str:
        """As it was written, or by its name where the letters mean another condition than they spell ("SjS" is no SJS)."""
        return head.text if self.terms.named(fold(head.text)) in (None, self.terms.named(head.name)) else head.name

    def _did_it(self, text: str, rest: Rest, did: list[Head]) -> Head | None:
        """What words that may name a medicine stand right before, or after with a cause between.

        "On" may tell what it is taken for: then it did only what such medicines are never taken for, or what is told of a day.
        """
        head = _stands_beside(text, rest, did)
        asks = head is not None and rest.taking and head.end <= rest.start and not self._is_told_as_done(text, rest, head)
        return None if asks else head

    @staticmethod
    def _came_of_something_else(line: ProblemLine, head: Head, rest: Rest) -> bool:
        """Whether another cause is told before a medicine that is taken ("pancreatitis 2/2 TGs, on fenofibrate")."""
        others = (r for r in line.rests if r.after_cause and not r.taking and head.end <= r.start < rest.start)
        return rest.taking and any(others)

    def _is_told_as_done(self, text: str, rest: Rest, head: Head) -> bool:
        """Whether a medicine behind "on" is told to have done what stands before: it was taken "while" that came, or nobody takes
        it for that. A day alone says nothing: "anxiety 2018 on Zoloft", "hives 2020 on Zyrtec".
        """
        while_taken = text[head.end : rest.start].strip().lower() in self.terms.reaction_while
        return while_taken or self._may_have_done(rest, head)

    def _may_have_done(self, rest: Rest, head: Head) -> bool:
        """Whether words name a medicine that nobody takes for what stands beside it."""
        drugs = self.terms.medicine_on_a_line(rest.text)
        return drugs is not None and self.terms.did(self._called(head), drugs)

    def _intolerance(self, line: ProblemLine, rest: Rest, found: _Did) -> bool:
        """Whether words are an allergy or intolerance of their own; what stands in brackets behind it is what it does."""
        if self.terms.of_allergy.search(rest.text) and self.terms.refuted.search(line.text):
            return True  # "egg allergy outgrown"
        doubted = line.denies or line.of_kin or "?" in line.text or rest.standing not in _HAPPENED
        if doubted or not self.terms.of_allergy.search(rest.text):
            return False
        known, unread = self.terms.allergies.read(Allergy(rest.text))
        if not known or unread or any(k.ask for k in known):
            return False
        self.reactions += known
        found.only.extend(h for h in line.heads if line.text[rest.end : h.start].strip() in _BEFORE_A_REACTION)
        return True

    def _of_a_reaction(self, text: str, rest: Rest, did: list[Head]) -> Head | None:
        """What a medicine did, told with an arrow ("ibuprofen -> hives"), or with a dash or "with" where it was grave or nobody
        takes the medicine for it ("hives with naproxen").

        "Cetirizine - hives" tells what it is taken for as well.
        """
        for head in did:
            grave = self.terms.allergies.grade(self._called(head), None) in _GRAVE
            before = text[rest.end : head.start].strip() if rest.end <= head.start else ""
            after = self._between(text, head, rest)
            behind = after in self.terms.reaction_with and (not rest.taking or self._is_told_as_done(text, rest, head))
            did_it = before in _ARROWS or (grave and before == "-") or (behind and (grave or self._may_have_done(rest, head)))
            if did_it and self.terms.allergies.medicine(rest.text) is not None:
                return head
            if before in ("-", ":") and (self._is_no_medicine(rest, head) or self._may_have_done(rest, head)):
                return head  # "latex - hives", "penicillin - rash": nobody takes them for that
        return None

    @staticmethod
    def _between(text: str, head: Head, rest: Rest) -> str:
        """What stands between a condition and words behind it, without its day ("TEN 2011 (lamotrigine)")."""
        between = text[head.end : rest.start] if head.end <= rest.start else ""
        return between.replace(head.when.text, "", 1).strip().lower() if head.when is not None else between.strip().lower()

    def _by_a_cause(self, text: str, head: Head, rest: Rest) -> bool:
        """Whether a word of cause that no list of allergies has leads to a medicine ("2/2", not "to" or "with")."""
        return rest.after_cause and self._between(text, head, rest) not in self.terms.reaction_with

    def _is_no_medicine(self, rest: Rest, head: Head) -> bool:
        """Whether words name what people are allergic to and no medicine: a food, a sting, latex."""
        known, unread = self.terms.allergies.read(Allergy(rest.text, head.text))
        return bool(known) and not unread and all(not k.ask and not k.drugs for k in known)

    def _otherwise(self, text: str, *, denies: bool, of_kin: bool, not_taken: bool = False) -> bool:
        """Whether words that name no condition tell something else whole: that there is none, an allergy, food or drink.

        `not_taken`: a word before denies what is eaten, drunk or smoked ("no drugs, smoking, alcohol use").
        """
        if denies:
            return True
        if "?" not in text and not of_kin and self.terms.of_allergy.search(text):
            if self.terms.refuted.search(text):
                return True
            known, unread = self.terms.allergies.read(Allergy(text))
            if known and not unread and not any(k.ask for k in known):
                self.reactions += [k for k in known if k not in self.reactions]
                return True
        return self._is_eaten(text, denied=not_taken)

    def _other_parts(self, n: int, line: ProblemLine, rests: list[Rest]) -> list[Rest]:
        """What is left of a line without the parts that tell a vaccine, or a procedure with its day, and nothing else.

        "Crohn's, getting MMR shot"; "DM2, angiogram tomorrow".
        """
        where = Position("conditions", n)
        for start, end in _spans(line.text) if not line.of_kin and not line.names_kin else ():
            text = line.text[start:end].strip()
            heads = [h for h in line.heads if start <= h.start < end]
            if len(text) >= len(line.text.strip()) or any(start <= m.start < end for m in line.measured):
                continue
            if all(h.standing == "vaccinated" for h in heads):
                vaccines = self.terms.vaccines.elsewhere(text, where, self.day, self._is_a_condition)
                self.vaccines += vaccines or []
                if vaccines is not None or (not heads and self._has_its_day(text, where)):
                    rests = [r for r in rests if not start <= r.start < end]
        return rests

    def _done_to_what_is_named(self, n: int, line: ProblemLine) -> None:
        """A procedure with its day in a part whose condition is no more than what it is done to ("port placed yesterday")."""
        for start, end in _spans(line.text) if not line.of_kin and not line.names_kin else ():
            heads = [h for h in line.heads if start <= h.start < end]
            if not heads or any(h.standing != "told" or self.terms.findings.procedure(h.name) for h in heads):
                continue
            self._has_its_day(line.text[start:end].strip(), Position("conditions", n))

    def _has_its_day(self, text: str, where: Position) -> bool:
        """Whether words name a procedure with its day, or as one to come, and nothing else."""
        found = self.terms.findings.on_its_day(text, where, self.day)
        self.gone_through += [found] if found is not None else []
        return found is not None

    def _is_eaten(self, text: str, *, denied: bool = False) -> bool:
        if self.terms.not_eaten.search(text):
            return False
        taken = self.terms.intake.read(text)
        if taken.food is None or (taken.left and taken.daily is None):
            return False
        self.taken.append(replace(taken, denied=True, daily=None) if denied else taken)
        return True

    def _parts(self, line: ProblemLine, rests: list[Rest]) -> tuple[list[Rest], list[Head]]:
        """What is left of a line without the parts that tell food, drink, an allergy or that there is none ("…, 2 beers/d").

        And the heads that are no more than the name of a food there ("social EtOH").
        """
        eaten: list[Head] = []
        for start, end in _spans(line.text):
            inside = [r for r in rests if start <= r.start < end]
            if inside and end - start < len(line.text) and self.terms.denials.says_none(line.text[start:end].strip()):
                rests = [r for r in rests if r not in inside]
                eaten += [h for h in line.heads if start <= h.start < end]
                continue
            heads = [h for h in line.heads if start <= h.start < end]
            foods = [h for h in heads if self.terms.intake.is_food(h.name)]
            alone = not heads and inside
            more = (
                foods == heads
                and heads
                and (inside or heads[0].standing in ("told", _SUSPECTED))
                and end - start > len(heads[0].text) + 1
            )
            if not (alone or more) or any(start <= m.start < end for m in line.measured):
                continue
            text = line.text[start:end].strip()
            denied = bool(alone) and all(r.standing == "denied" for r in inside)
            if any(r.standing in _NOT_HERS - {"denied"} for r in inside):
                continue
            of_allergy = denied and self.terms.of_allergy.search(text) is not None
            said = bool(alone) and self._otherwise(text, denies=of_allergy, of_kin=line.of_kin, not_taken=denied)
            if said or (more and self._is_eaten(text)):
                rests = [r for r in rests if r not in inside]
                eaten += heads
        return rests, eaten

    def _beside(self, n: int, line: ProblemLine, rest: Rest) -> bool:
        """Whether words beside conditions name a medicine that needs no question, a device or a procedure."""
        drugs = self.terms.medicine_on_a_line(rest.text)
        if drugs is not None:
            return self._medicine(n, line, rest, drugs)
        if self.terms.is_idle(rest.text) or (not self.person.lists_medicines and self.terms.is_a_treatment(rest.text)):
            return True
        if rest.standing in ("denied", "family", "nobody"):
            return True  # nobody has it: nothing hangs on what it is
        where, text = Position("conditions", n), printable(rest.text)
        device = self.terms.findings.device(rest.text) if rest.standing in _HAPPENED else None
        if device is not None:
            self.lived_with.append(KnownDevice(device.is_a, text, where, device.implies))
            return True
        found = self.terms.findings.procedure(rest.text) if rest.standing in (*_HAPPENED, "planned") else None
        if found is not None:
            told = self._said_of_a_procedure(line, rest)
            if told.names and told.denied:
                return True  # "declined colonoscopy"
            ahead = found[1] or rest.standing == "planned" or self._lies_ahead(rest.when)
            ahead = told.planned(self.day) if told.names and told.ahead is not None else ahead
            ago = self._ago(rest.when) if rest.when is not None and not ahead else None
            self.gone_through.append(
                KnownProcedure(found[0].is_a, "planned" if ahead else "done", None, text, where, found[0].implies, ago)
            )
        return found is not None

    def _medicine(self, n: int, line: ProblemLine, rest: Rest, drugs: frozenset[str]) -> bool:
        """A medicine beside a condition: taken, and then it has a line of its own; else avoided, ended, or told to be the cause.

        Where no list of medicines was told, all of them are asked for at once.
        """
        caused = (rest.after_cause and not rest.taking) or self._did_something(line, rest)
        no_longer = not caused and self.terms.no_longer_taken(self._before_the_next(line, rest), rest.start, rest.end)
        against = caused or no_longer or rest.standing in ("denied", "risk")
        listed = not drugs.isdisjoint(self.person.taken)
        if no_longer and not listed and rest.standing in _HAPPENED:
            part = next((line.text[i:j] for i, j in _spans(line.text) if i <= rest.start < j), rest.text)
            self.ended.append((Position("conditions", n), part.strip()))
        if against and listed:
            said = "names it as a cause" if caused else "says that it was ended" if no_longer else "speaks against it"
            ask = (
                f"Is {printable(rest.text)} to be taken? The problem list {said}, and it is among the medications or in the plan."
            )
            self.unresolved.append(Unresolved(printable(rest.text), Position("conditions", n), "contradicted", [], ask))
        if not against and not listed and not line.of_kin and not line.names_kin:
            self._named_alone(n, line, rest)
        return against or listed or not self.person.lists_medicines

    def _treated(self, n: int, line: ProblemLine) -> None:
        """What a line says is taken, by name or by its kind, also inside the name of a condition ("HIV on ART")."""
        alone = () if self._judged_as_it_is(line) else self.terms.treatments.alone(line.text)
        said = self.terms.treatments.taken(line.text) or alone
        if not said or line.of_kin or line.names_kin:
            return
        for one in said:
            parts: tuple[Rest | Head, ...] = (*line.rests, *line.heads)
            part = next((p for p in parts if p.start < one.end and one.start < p.end), None)
            standing = part.standing if part is not None else "told"
            unlisted = one.one_of or not (isinstance(part, Rest) and self.terms.medicine_on_a_line(part.text) is not None)
            if standing not in ("told", "recent", "history", "done") or not unlisted:
                continue
            if self.terms.no_longer_taken(line.text, one.start, one.end):
                continue
            dated = part is not None and part.when is not None and not part.when.earliest
            meant = self.terms.perhaps_not_taken(line.text, one.start, one.end)
            open_ = standing not in ("told", "recent") or dated or meant
            where = Position("conditions", n)
            self.medicines.append(NamedMedicine(one.text, where, True, open_, one.drugs, one.one_of, asked=False))
            self.treated.setdefault(n, []).append(one.text)

    def _judged_as_it_is(self, line: ProblemLine) -> bool:
        """Whether a line names a condition that rules look at ("immunosuppression"), and not only what is done."""
        named = (self.terms.named(h.name) for h in line.heads)
        return any(i is not None and not self.conditions[i].circumstance for i in named)

    def not_the_cause(self) -> Iterator[NamedMedicine]:
        """The medicines that lines say are taken, but for those that did something ("hives on penicillin")."""
        for one in self.medicines:
            if not one.drugs or all(not r.drugs.issuperset(one.drugs) for r in self.reactions):
                yield one

    def _is_treatment(self, n: int, rest: Rest) -> bool:
        """Whether words are those of a treatment that the line says is taken, of which is asked by itself."""
        said = rest.text.lower()
        return any(said in text.lower() or text.lower() in said for text in self.treated.get(n, ()))

    def _named_alone(self, n: int, line: ProblemLine, rest: Rest) -> None:
        """A medicine that no list has."""
        told = rest.standing in ("told", "recent")
        if told or (rest.taking and rest.standing == "history"):  # "h/o DVT on warfarin"
            dated = rest.when is not None and not rest.when.earliest
            open_ = not told or dated or self.terms.perhaps_not_taken(line.text, rest.start, rest.end)
            self.medicines.append(NamedMedicine(rest.text, Position("conditions", n), rest.taking, open_))

    def _before_the_next(self, line: ProblemLine, rest: Rest) -> str:
        """A line up to the next medicine that it names: how that one ended says nothing of this ("on Zoloft, failed Lexapro")."""
        behind = (r for r in line.rests if r.start >= rest.end and self.terms.medicine_on_a_line(r.text) is not None)
        return line.text[: min((r.start for r in behind), default=None)]

    def _did_something(self, line: ProblemLine, rest: Rest) -> bool:
        """Whether words name a medicine right behind what it did to somebody ("wheezes w/ ASA"), and nobody takes it for that."""
        happened = (h for h in line.heads if h.standing in _HAPPENED)
        with_it = (h for h in happened if self._between(line.text, h, rest) in self.terms.reaction_with)
        return not rest.taking and any(self._may_have_done(rest, h) for h in with_it)

    def _within_a_name(self, n: int, head: Head) -> None:
        """A medicine that the name of a condition holds is asked for where it is not among those taken ("on methadone")."""
        said = self.terms.behind_taking.match(head.name) if head.standing in ("told", "recent", "vaccinated") else None
        drugs = self.terms.allergies.medicine(head.name[said.end() :]) if said is not None else None
        treated = said is not None and drugs is None and self.terms.is_a_treatment(head.name[said.end() :])  # "on chemo"
        if said is None or (drugs is None and not treated) or (drugs is not None and not drugs.isdisjoint(self.person.taken)):
            return
        if drugs is not None:
            self.medicines.append(NamedMedicine(head.name[said.end() :], Position("conditions", n), taken=True, open=False))
        if self.person.lists_medicines and n not in self.treated:
            ask = _UNTOLD.format(words=f"`{printable(head.text)}`")
            self.unresolved.append(Unresolved(printable(head.text), Position("conditions", n), "unread", [], ask))

    # -------------------------------------------------------------- what is asked

    def _ask(self, n: int, told: Told, line: ProblemLine, rests: list[Rest]) -> None:
        where, text = Position("conditions", n), printable(told.text)
        untold = [r for r in rests if self.terms.medicine_on_a_line(r.text) is not None]
        if untold and untold == rests:
            words = ", ".join(f"`{printable(r.text)}`" for r in untold)
            self.unresolved.append(Unresolved(text, where, "unread", [], _UNTOLD.format(words=words)))
            return
        if not line.heads and not line.measured:
            if self.terms.only_a_test(line.text):
                return
            near = self.terms.conditions_near(told.text)
            self.unresolved.append(Unresolved(text, where, "unrecognised", near, _WHAT))
            return
        words = ", ".join(f"`{printable(r.text)}`" for r in rests)
        self.unresolved.append(Unresolved(text, where, "unread", [], _TAIL.format(words=words)))


def _codes_apart(told: Told) -> tuple[Told, ...]:
    """A line of nothing but codes as one for each ("I10, E78.5"); any other line as it is."""
    codes = _CODES.findall(told.text) if not told.codes and _ALL_CODES.fullmatch(told.text) else []
    return tuple(replace(told, text=code) for code in codes) if len(codes) > 1 else (told,)


def _without_code(told: Told) -> Told:
    """A line without the code that it begins with, or ends with in brackets, before its own words ("Z88.0 allergy to PCN")."""
    found = _CODED.fullmatch(told.text)
    return replace(told, text=found["words"] or found["before"]) if found is not None else told


def _code_alone(told: Told) -> Told:
    return replace(told, text=_CODES.findall(told.text)[0])


def _is_all_of(head: Head, text: str) -> bool:
    """Whether a condition, with how grave or on which side it is, is all that a text says ("severe dust mite allergy")."""
    left = text.lower().replace(head.text.lower(), "", 1)
    for mark in head.marks:
        left = left.replace(mark.text.lower(), "", 1)
    return not left.strip(" ,-()")


def _spans(text: str, parted_by: re.Pattern[str] = _BREAK) -> Iterator[tuple[int, int]]:
    """Where each part of a line begins and ends, as commas and breaks part it; of allergies, none inside brackets."""
    breaks = parted_by.finditer(text)
    if parted_by is not _ALLERGY_BREAK:
        return spans(text, breaks)
    return spans(text, (b for b in breaks if text.count("(", 0, b.start()) <= text.count(")", 0, b.start())))


def _stands_beside(text: str, rest: Rest, did: list[Head]) -> Head | None:
    """What words that may name a medicine stand right before, or after with a cause between; not over a break ("on Clozaril;
    constipation")."""
    near = (h for h in did if 0 <= h.start - rest.end <= len(": "))
    before = next((h for h in near if ";" not in text[rest.end : h.start]), None)
    return before or next((h for h in reversed(did) if h.end <= rest.start and rest.after_cause), None)
