"""An audit of the knowledge: every line that it looks for, over a whole library, as of a day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date

from msgspec import Struct

from safety.answering.checker import Checker
from safety.answering.proof import unproved_among
from safety.desk.asymmetric import one_sided
from safety.desk.cohort import Firing, frequencies
from safety.desk.held import Row, classes, matrix, uncovered
from safety.desk.keeping import evidence, in_force, loose_ends, reviews
from safety.desk.limits import uneven
from safety.desk.pairs import disagreements, pair_counts
from safety.desk.policies import idle_lines
from safety.desk.reach import unreachable
from safety.desk.remarks import LINE, LINES, Line, Remark, in_order
from safety.desk.signing import Signature
from safety.errors import Problem
from safety.knowledge.compiled import Compiled
from safety.knowledge.library import Drug


class Asked(Struct, frozen=True):
    """What an audit is made with beside the knowledge: the day, who signed what, which medicines matter (empty: all), the FDA's
    class of each medicine by name (empty: not compared), and how often rules spoke in a cohort (None: there was none).

    `cited`: the sources that a file names. `only`: the one line that is looked for (None: every one).
    """

    day: date
    signed: Mapping[str, Signature] = {}
    drugs: Sequence[Drug] = ()
    fda: Mapping[str, str] = {}
    cohort: Firing | None = None
    cited: frozenset[str] = frozenset()
    only: str | None = None


class Audit(Struct, frozen=True):
    """Everything that was found, in order of its line and place; what is held of each medicine; how many pairs each rule covers;
    and the lines that were not looked at, with what they want."""

    day: date
    remarks: tuple[Remark, ...]
    matrix: tuple[Row, ...]
    pairs: Mapping[str, int]
    cohort: Firing | None
    not_looked: Mapping[str, str]

    @property
    def counts(self) -> list[tuple[Line, int]]:
        """Each line and how much it found."""
        found = Counter(r.line for r in self.remarks)
        return [(line, found[line.id]) for line in LINES]

    @property
    def to_mend(self) -> int:
        """How many remarks are of something to mend."""
        return sum(LINE[r.line].to_mend for r in self.remarks)


_WANTS = {
    "classes.missing": "--fda FILE", "classes.extra": "--fda FILE", "cohort.silent": "--cohort CASES",
    "cohort.loud": "--cohort CASES",
}  # fmt: skip


def audited(compiled: Compiled, checker: Checker, asked: Asked) -> Audit:
    """Audit a library that compiled without a problem."""
    library = compiled.library
    rows = matrix(library, checker.index, asked.drugs or library.drugs)
    found = [one for look in _looking(compiled, checker, asked, rows) for one in look() if asked.only in (None, one.line)]
    unseen = {line: wants for line, wants in _WANTS.items() if not (asked.fda if wants.startswith("--fda") else asked.cohort)}
    return Audit(asked.day, tuple(in_order(found)), tuple(rows), pair_counts(in_force(library)), asked.cohort, unseen)


def _looking(compiled: Compiled, checker: Checker, asked: Asked, rows: Sequence[Row]) -> Iterator[Callable[[], Iterable[Remark]]]:
    """What is to be looked through for the lines that are asked for."""
    library, cohort = compiled.library, asked.cohort
    entries = in_force(library)
    looks: tuple[tuple[str, Callable[[], Iterable[Remark]]], ...] = (
        ("review", lambda: reviews(library, asked.signed, asked.day)),
        ("evidence", lambda: evidence(library)),
        ("cases", lambda: _boundaries(compiled, checker)),
        ("coverage", lambda: uncovered(library, checker.index, rows)),
        ("contradiction reach breadth", lambda: disagreements(entries)),
        ("contradiction", lambda: one_sided(entries, library)),
        ("contradiction", lambda: idle_lines(library)),
        ("reach", lambda: unreachable(library)),
        ("classes", lambda: classes(library, asked.fda)),
        ("limits", lambda: uneven(library)),
        ("links text", lambda: loose_ends(library, asked.cited)),
        ("cohort", lambda: frequencies(cohort, library) if cohort is not None else ()),
    )
    about = asked.only and asked.only.partition(".")[0]
    return (look for lines, look in looks if about is None or about in lines.split())


def _boundaries(compiled: Compiled, checker: Checker) -> Iterable[Remark]:
    """Numbers of rules that no case tries on both sides."""
    library = compiled.library
    problems = unproved_among(in_force(library), lambda i: compiled.cases.get(i, ()), library, checker.made_by.engine)
    return (_of_problem(p) for p in problems)


def _of_problem(p: Problem) -> Remark:
    about = p.message.partition(" of ")[2].partition(":")[0]
    return Remark("cases.boundary", about, str(p.place), p.message, f"medsafe lint {p.place.file}")
