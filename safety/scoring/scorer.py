"""Plans → scores: each plan is checked by the engine and its report is what is scored.

The seams: `check` answers cases with reports (one by one, or a whole batch at once: only the reports matter), and `tell` reads
free text into a case. Neither is known here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec.structs import replace

from safety.answering.checker import Checker
from safety.errors import EngineError, Place, Problem, RequestError
from safety.model.patient import Case, age_from_birth
from safety.model.refused import Refused
from safety.model.report import Report
from safety.scoring.bench import Bench, Check, Settings
from safety.scoring.critic import Critique, critique
from safety.scoring.measures import NOTHING, Counted, Regimen, ddiv, ddiv_current, families, pcr, psc, regimen_of
from safety.scoring.plans import Part, Plan, Unreadable
from safety.scoring.quality import Coverage, quality, safe_share
from safety.scoring.repair import Repairer
from safety.scoring.revising import Revision, revision
from safety.scoring.scored import Scored

Tell = Callable[[Case, Mapping[Part, str]], tuple[Case, Mapping[str, Any]]]
"""Reads free text into a case; also what was read, with the place of every statement."""
AT_ONCE = 1024
NO_MODEL = "(not told)"


class Scorer:
    """Scores plans with one library."""

    def __init__(
        self, checker: Checker, settings: Settings | None = None, *, check: Check | None = None, tell: Tell | None = None
    ) -> None:
        self.bench = Bench(checker, settings, check)
        self.checker, self.library, self.settings = checker, checker.library, self.bench.settings
        self._tell = tell
        self._repairer = Repairer(self.bench) if self.settings.repairs else None
        self._kinds = tuple(sorted({e.kind for e in checker.library.entries if e.kind != "omission"}))

    def score(self, plans: Iterable[Plan | Unreadable]) -> Iterator[Scored | Unreadable]:
        """Every plan's score, in their order; what could not be read, or could not be checked, stands in its place."""
        rows = iter(plans)
        while chunk := list(islice(rows, AT_ONCE)):
            ready = [self._ready(row) for row in chunk]
            asked = [case for _, cases, _ in ready for case in cases]
            reports = iter(self.bench.reports(asked))
            for row, cases, read in ready:
                yield self._scored(row, cases, list(islice(reports, len(cases))), read)

    # -------------------------------------------------------------- before the check

    def _ready(self, row: Plan | Unreadable) -> tuple[Plan | Unreadable, tuple[Case, ...], Mapping[str, Any]]:
        """A row with the cases to be checked for it: none for a row that is no plan."""
        if isinstance(row, Unreadable):
            return row, (), {}
        try:
            case, read = self._told(row)
        except RequestError as error:
            return Unreadable(row.line, row.case.id, tuple(error.problems)), (), {}
        revised = (replace(case, plan=case.revised),) if case.constraints and case.revised is not None else ()
        return row, (case, *revised), read

    def _told(self, row: Plan) -> tuple[Case, Mapping[str, Any]]:
        """The case with its day and its texts read. Raises RequestError where there is no day, or nobody to read a text."""
        case, read = row.case, dict[str, Any]()
        day = case.as_of or self.settings.as_of
        if day is None:
            hint = "pass as_of (or --as-of), or write `as_of:` in every case"
            raise RequestError([Problem(Place(f"line {row.line}"), "R117", "no day to judge on", hint)])
        case = replace(case, as_of=day)
        if row.texts:
            if self._tell is None:
                hint = "score with an engine, which reads text, or pass the medicines as a list"
                raise RequestError(
                    [Problem(Place(f"line {row.line}"), "R222", "holds free text, and nobody reads it here", hint)]
                )
            case, told = self._tell(case, row.texts)
            read = dict(told)
        return case, read

    # -------------------------------------------------------------- after it

    def _scored(
        self, row: Plan | Unreadable, cases: Sequence[Case], answers: Sequence[Report | Refused], read: Mapping[str, Any]
    ) -> Scored | Unreadable:
        if isinstance(row, Unreadable):
            return row
        if len(answers) != len(cases):
            raise EngineError("the check did not answer every case")
        refused = [slip for answer in answers if isinstance(answer, Refused) for slip in answer.error]
        if refused:
            problems = tuple(Problem(Place(f"line {row.line} {s.place}".strip()), s.code, s.message, s.hint) for s in refused)
            return Unreadable(row.line, row.case.id, problems)
        reports = [answer for answer in answers if isinstance(answer, Report)]
        return self._of(row, cases, reports, read)

    def _of(self, row: Plan, cases: Sequence[Case], reports: Sequence[Report], read: Mapping[str, Any]) -> Scored:
        case, report = cases[0], reports[0]
        said, regimen = critique(report, self.library), regimen_of(report)
        covered = self._covered(case)
        counted = _counted(said, regimen, covered)
        revised = self._revised(cases, reports) if case.constraints else None
        if revised is not None:
            counted |= {"DCSR": revised.success, "constraints": revised.met}
        return Scored(
            row.line, case.id, case.model or NO_MODEL, report.as_of,
            {**_of_case(case), **row.tags}, said, counted, families(said, self._kinds),
            len(regimen.medicines), len(regimen.pairs), sum(p in regimen.severe for p in regimen.pairs),
            covered.components if covered is not None else (), revised, read,
            tuple(self._repairer.repairs(case)) if self._repairer is not None and said.overall_safe is False else (),
        )  # fmt: skip

    def _revised(self, cases: Sequence[Case], reports: Sequence[Report]) -> Revision:
        """Whether the last plan of a case meets its constraints and keeps the quality of the first."""
        first, last = cases[0], cases[-1]
        answers = self.bench.answers(first.constraints, last, critique(reports[-1], self.library))
        reference = self.bench.components(first) if first.gold is None else self.bench.components(replace(first, plan=first.gold))
        qualities = [
            quality(safe_share(regimen_of(report)), self.bench.held(reference, case, replaced=first.gold is None).completeness)
            for case, report in ((first, reports[0]), (last, reports[-1]))
        ]
        return revision(answers, qualities[0], qualities[1], first.core, revised=first.revised is not None)

    def _covered(self, case: Case) -> Coverage | None:
        """How the plan covers the gold regimen; None where none is told."""
        if case.gold is None:
            return None
        return self.bench.held(self.bench.components(replace(case, plan=case.gold)), case)


def _counted(said: Critique, regimen: Regimen, covered: Coverage | None) -> dict[str, Counted]:
    safe = safe_share(regimen)
    complete = covered.completeness if covered is not None else NOTHING
    return {
        "DCSR": NOTHING,
        "constraints": NOTHING,
        "PSC": psc(said), "DDIV": ddiv(regimen), "DDIV_current": ddiv_current(regimen), "PCR": pcr(regimen),
        "Q": quality(safe, complete), "S": safe, "C": complete,
    }  # fmt: skip


_AGES = ((18 * 12, "0-17"), (65 * 12, "18-64"), (80 * 12, "65-79"))


def _of_case(case: Case) -> dict[str, str]:
    """What any case can be grouped by: the age of the patient, and whether its diagnosis is a core one."""
    tags = {"core": "yes" if case.core else "no"} if case.core is not None else {}
    born = case.patient.birth_date
    day = case.as_of
    age = case.patient.age or (age_from_birth(born, day) if born is not None and day is not None and born <= day else None)
    if age is not None:
        tags["age"] = next((band for under, band in _AGES if age.months < under), "80+")
    return tags
