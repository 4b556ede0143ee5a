"""`medsafe audit`."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

import click
import msgspec

from safety.answering.checker import Checker
from safety.cli.cases import InPlace, cases
from safety.cli.common import Counter, as_of_option, json_option, overlay_option, read_text, today, working
from safety.cli.main import EXIT_FINDINGS, EXIT_OK
from safety.cli.page import Page
from safety.desk.audit import Asked, Audit, audited
from safety.desk.cohort import Firing, firing
from safety.desk.keeping import sources_named
from safety.desk.remarks import LINE, Line, Remark
from safety.desk.signing import signatures_in
from safety.engine import RECIPE, VERSION, cache_folder
from safety.errors import KnowledgeError, Place, Problem, RequestError
from safety.knowledge.collecting import base_folder, collect
from safety.knowledge.library import Drug, Library
from safety.knowledge.snapshot import load_compiled
from safety.model.patient import Case
from safety.model.report import Report
from safety.text import did_you_mean

_SHOWN = 3
_TRIED = (None, "cases.boundary")
"""What is asked for when every case is tried."""


@click.command()
@click.argument("folder", required=False, metavar="[KNOWLEDGE]")
@click.option("--line", "only", metavar="LINE", help="Only this line, with everything that it found.")
@click.option("--drugs", metavar="FILE", help="The medicines that matter, one a line (default: every one with a monograph).")
@click.option("--fda", metavar="FILE.csv", help="The FDA's class of each medicine (columns `name`, `epc`), to compare ours with.")
@click.option("--cohort", "cohort", multiple=True, metavar="CASES", help="Patients in whom rules are counted (files, folders).")
@click.option("--html", "page", type=click.Path(dir_okay=False, path_type=Path), help="Write one self-contained page.")
@as_of_option
@overlay_option
@json_option
def audit(
    folder: str | None, only: str | None, drugs: str | None, fda: str | None, cohort: tuple[str, ...], page: Path | None,
    as_of: date | None, overlays: tuple[str, ...], as_json: bool,
) -> int:  # fmt: skip
    """What there is to mend in the knowledge, by line: reviews, evidence,
    coverage, contradictions, rules that cannot speak, classes, limits, links.

    \b
    medsafe audit
    medsafe audit --line evidence.unread
    medsafe audit --html audit.html --cohort patients/

    Exit code 1 where something is to mend, 0 where nothing is.
    """
    if only is not None and only not in LINE:
        hint = did_you_mean(only, LINE, cutoff=50) or f"lines: {' '.join(LINE)}"
        raise RequestError([Problem(Place("--line"), "R301", f"`{only}` is no line of an audit", hint)])
    base, extra = Path(folder) if folder else base_folder(), [Path(o) for o in overlays]
    working("Reading the knowledge" + (" and trying the cases of every rule (about half a minute)" if only in _TRIED else ""))
    compiled = load_compiled(base, extra, cache_folder(), RECIPE)
    if compiled.problems:
        raise KnowledgeError(compiled.problems)
    library, day = compiled.library, as_of or today()
    checker, signed = Checker(library, VERSION), signatures_in([base, *extra])
    asked = Asked(
        day, signed, _drugs(drugs, library, checker) if drugs else (), _classes(fda) if fda else {},
        _firing(cohort, checker, day) if cohort else None, sources_named(collect(base, extra).files), None if page else only,
    )  # fmt: skip
    found = audited(compiled, checker, asked)
    if page is not None:
        from safety.desk.page import audit_page

        page.write_text(audit_page(found, library, signed), encoding="utf-8")
    chosen = [r for r in found.remarks if only in (None, r.line)]
    if as_json:
        for one in chosen:
            click.echo(msgspec.json.encode(one))
    else:
        _print(found, library, only, page)
    return EXIT_FINDINGS if any(LINE[r.line].to_mend for r in chosen) else EXIT_OK


def _drugs(file: str, library: Library, checker: Checker) -> list[Drug]:
    """The monographs of the medicines that a file names. Raises RequestError for a name that is none of ours."""
    found: dict[str, Drug] = {}
    problems: list[Problem] = []
    for n, line in enumerate(read_text(file).splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        answer = checker.resolver.name(line.strip())
        ids = [answer.drug] if isinstance(answer.drug, str) else list(answer.drug or ())
        known = [library.drug[i] for i in ids if i in library.drug] if answer.status == "match" else []
        found |= {drug.id: drug for drug in known}
        if not known:
            problems.append(Problem(Place(file, n, 1), "R301", f"`{line.strip()}` is no medicine with a monograph", answer.ask))
    if problems:
        raise RequestError(problems)
    return list(found.values())


def _classes(file: str) -> dict[str, str]:
    """The FDA's class of each medicine. Raises RequestError where the columns are not there."""
    rows = csv.DictReader(read_text(file).splitlines())
    if rows.fieldnames is None or not {"name", "epc"} <= set(rows.fieldnames):
        raise RequestError([Problem(Place(file, 1, 1), "R212", "has no columns `name` and `epc`", "is this a table of classes?")])
    return {row["name"]: row["epc"] for row in rows if row["name"] and row["epc"]}


def _firing(items: Sequence[str], checker: Checker, day: date) -> Firing:
    """How often rules speak in the cases of files and folders; a case that cannot be read stops it, with what is wrong."""
    counter = Counter("patients")

    def reports() -> Iterator[Report]:
        for given in cases(items, InPlace(), (), fhir=False):
            if not isinstance(given.case, Case):
                raise given.case
            counter.step()
            yield checker.check(given.case, given.case.as_of or day)

    found = firing(reports())
    counter.done()
    return found


# ------------------------------------------------------------------ on the terminal


def _print(found: Audit, library: Library, only: str | None, page: Path | None) -> None:
    out = Page()
    if only is not None:
        _remarks(out, LINE[only], [r for r in found.remarks if r.line == only], None)
        return
    out.line(f"Audit of the knowledge {library.version} as of {found.day}", "bold")
    out.line(f"{len(library.entries):,} rules, {len(found.matrix):,} medicines, {found.to_mend:,} remarks to mend")
    for heading, to_mend in (("TO MEND", True), ("TO KNOW", False)):
        told = [(line, count) for line, count in found.counts if line.to_mend is to_mend and count]
        if told:
            out.line()
            out.line(heading, "bold yellow" if to_mend else "bold cyan")
        for line, count in told:
            out.line(f"{count:>7,}  {line.id:<22} {line.title}")
    for line, count in found.counts:
        if count:
            _remarks(out, line, [r for r in found.remarks if r.line == line.id], _SHOWN)
    out.line()
    clean = [line.id for line, count in found.counts if not count and line.id not in found.not_looked]
    if clean:
        out.paragraph(f"Nothing found: {', '.join(clean)}.", 0, "dim")
    wants = dict.fromkeys(found.not_looked.values())
    for want in wants:
        lines = ", ".join(line for line, wanted in found.not_looked.items() if wanted == want)
        out.paragraph(f"Not looked at without {want}: {lines}.", 0, "dim")
    if page is not None:
        out.line(f"Written: {page}")


def _remarks(out: Page, line: Line, remarks: Sequence[Remark], most: int | None) -> None:
    out.line()
    out.line(f"{line.id}: {line.title}", "bold")
    for one in remarks[:most]:
        out.paragraph(one.place, 2, "dim")
        out.paragraph(f"{one.about}: {one.says}", 4)
    if most is not None and len(remarks) > most:
        out.paragraph(f"{len(remarks) - most:,} more: medsafe audit --line {line.id}", 2, "dim")
    elif most is None:
        out.line()
        out.line(f"{len(remarks):,} found; more of each: medsafe show ID", "dim")
