"""Reports, entries and the form as self-contained HTML: one file each, nothing loaded from elsewhere, all text escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from msgspec import UnsetType
from msgspec.structs import replace

from safety.errors import Problem
from safety.knowledge.entries import Entry
from safety.knowledge.library import Library
from safety.model.patient import Case
from safety.model.report import SEVERITIES, Citation, Finding, Report
from safety.showing.timeline import Timeline, timeline_of
from safety.showing.words import WHOM

_SLOT = re.compile(r"\{([a-z][a-z0-9_]*)\}")
VERDICTS: Mapping[str, str] = {
    "violated": "Something here breaks a rule",
    "unknown": "Not everything could be judged",
    "clear": "Nothing stands against it",
}
CHECKED: Mapping[str, str] = {
    "read": "the text was opened and read",
    "secondary": "read in a text that cites it",
    "recalled": "from memory, not opened",
}


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("safety.showing"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters["anchor"] = _anchor
    made.globals.update(WHOM=WHOM, CHECKED=CHECKED, SEVERITIES=SEVERITIES, VERDICTS=VERDICTS)
    return made


def _anchor(text: str) -> str:
    """An id as the name of a place on a page."""
    return "".join(c if c.isalnum() or c in "-_." else "-" for c in text)


class Shown(msgspec.Struct, frozen=True):
    """A report to be shown: with the case, its dated facts stand on a line of time; `name` where the case has no id."""

    report: Report
    case: Case | None = None
    name: str = ""


def report_page(shown: Sequence[Shown], library: Library, *, links: str = "") -> str:
    """Whole reports as one HTML page, one after the other.

    `links`: where entries are served ("/entry/"); empty: they are not, and ids stand as text.
    """
    return render("report.html", all=[_report(one.report, library, one.case, one.name, links) for one in shown])


def form_page(
    given: Mapping[str, str], *, report: Report | None = None, library: Library | None = None, case: Case | None = None,
    problems: Sequence[Problem] = (), links: str = "", as_of: str = "",
) -> str:  # fmt: skip
    """The page where a patient is entered or pasted; with the report, or with what could not be read, below."""
    shown = _report(report, library, case, "", links) if report is not None and library is not None else None
    return render("form.html", given=given, shown=shown, problems=problems, links=links, as_of=as_of)


def entry_page(item: object, library: Library, *, links: str = "") -> str:
    """An item of the knowledge as a page: of a rule whom it is about, what it asks, what to do, what it rests on; of any other
    its fields."""
    if isinstance(item, Entry):
        told = {key: in_words(getattr(item, key)) for key in ("title", "advice", "if_unavoidable", "why")}
        return render("entry.html", entry=replace(item, **told), lines=asks(item), links=links)
    fields: dict[str, Any] = msgspec.to_builtins(item, enc_hook=str)
    return render("fields.html", fields=fields, links=links)


def in_words(text: str) -> str:
    """A text of a rule with each slot in words, as no patient fills it: "{nsaid}" is "the nsaid"."""
    return _SLOT.sub(lambda slot: f"the {slot[1].replace('_', ' ')}", text or "")


def asks(entry: Entry) -> list[tuple[str, str, str]]:
    """Each line of a rule: of whom it is, or what must be true of them; in the author's words, and where it stands."""
    lines = [("about", leaf) for leaf in entry.condition] + [("must hold", leaf) for leaf in entry.constraint.lines]
    return [(role, str(getattr(leaf, "text", "")), str(getattr(leaf, "place", ""))) for role, leaf in lines]


def render(template: str, **values: Any) -> str:
    """A page of this look, with nothing loaded from elsewhere."""
    return _environment().get_template(template).render(css=Markup(page_style()), **values)


@cache
def page_style() -> str:
    """How pages look."""
    source, _, _ = PackageLoader("safety.showing").get_source(_environment(), "page.css")
    return source


def _report(report: Report, library: Library, case: Case | None, name: str, links: str) -> dict[str, Any]:
    findings = report.findings
    return {
        "report": report,
        "name": report.id or name or "report",
        "counts": {severity: sum(f.severity == severity for f in findings) for severity in SEVERITIES},
        "loud": sum(f.interrupt for f in findings),
        "evidence": _evidence(findings),
        "rows": _rows(report, library),
        "timeline": timeline_of(case, report.as_of) if case is not None else Timeline(),
        "sources": _sources(findings),
        "untold": [h.about.removeprefix("lab.").replace("_", " ") for h in report.unknown_because if h.because == "not told"],
        "holes": [hole for hole in report.unknown_because if hole.because != "not told"],
        "changes": [] if isinstance(report.site_changes, UnsetType) else [str(c) for c in report.site_changes],
        "signed": [] if isinstance(report.made_by.signed, UnsetType) else report.made_by.signed,
        "left_out": [] if isinstance(report.read, UnsetType) else list(report.read.unread),
        "links": links,
    }


def _rows(report: Report, library: Library) -> list[dict[str, Any]]:
    """One row a medicine: as it was told, what it was taken for, and which findings speak of it, by severity."""
    rows = []
    lacking = {str(n.where): n for n in report.not_covered}
    for told in report.medications:
        drugs = [told.drug] if isinstance(told.drug, str) else list(told.drug or ())
        about = [f for f in report.findings if any(s.where == told.where for one in (f, *f.also) for s in one.subjects)]
        rows.append(
            {
                "text": told.text, "where": str(told.where), "planned": not told.current, "status": told.status,
                "drug": " + ".join(library.name_of(drug) for drug in drugs), "findings": about,
                "lacks": lacking[str(told.where)].lacks if str(told.where) in lacking else [],
            }
        )  # fmt: skip
    return rows


def _evidence(findings: Sequence[Finding]) -> dict[str, int]:
    """How many citations were read, read elsewhere, or recalled."""
    cited = {(c.source, c.at, c.checked) for card in findings for f in (card, *card.also) for c in f.evidence}
    return {how: sum(checked == how for _, _, checked in cited) for how in CHECKED}


def _sources(findings: Sequence[Finding]) -> list[Citation]:
    """Each source once, in the order that the findings cite them."""
    seen = {(c.source, c.at, c.checked): c for card in findings for f in (card, *card.also) for c in f.evidence}
    return list(seen.values())
