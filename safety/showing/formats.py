"""Reports as Markdown, as a table of findings, and as SARIF for tools that gather findings on files."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from safety.model.report import Finding, Report
from safety.showing.words import WHOM

COLUMNS = (
    "case", "as_of", "verdict", "severity", "interrupt", "kind", "rule", "title", "medicines", "advice", "escalate", "harm",
    "sources",
)  # fmt: skip
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|!])")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_LEVEL = {"contraindicated": "error", "major": "error", "moderate": "warning", "minor": "note"}


def markdown(report: Report, name: str = "") -> str:
    """A report as Markdown: verdict, findings with what to do and why, questions, what silence does not cover."""
    lines = [f"## {_md(report.id or name or 'report')}: {report.verdict} (as of {report.as_of})", ""]
    for f in report.findings:
        lines += [f"### {f.severity.upper()}: {_md(f.title)}", ""]
        lines += [f"- **{label}**: {_md(text)}" for label, text in _told(f) if text]
        lines += [f"- also ({one.severity}): {_md(one.title)}: {_md(one.advice)}" for one in f.also]
        lines += [f"- rule `{f.rule}`", ""]
    lines += _listed("To measure", [d.called for d in report.due])
    lines += _listed("To ask", [q.ask for q in report.questions])
    lines += _listed("Not looked at, or not fully", [hole.text for hole in report.unknown_because])
    made = report.made_by
    lines += [f"medsafe {made.engine}, knowledge {made.knowledge} ({made.sha256[:12]}). Not a medical device.", ""]
    return "\n".join(lines)


def _told(f: Finding) -> list[tuple[str, str]]:
    return [
        ("about", "; ".join(f"{s.text} ({s.where})" for s in f.subjects)), ("do", f.advice), ("call", WHOM[f.escalate]),
        ("instead", "; ".join(o.order for o in f.instead)), ("or else", f.if_unavoidable), ("why", f"{f.why} Risk: {f.harm}."),
        ("source", "; ".join(f"{c.title}{', ' + c.at if c.at else ''} ({c.checked})" for c in f.evidence)),
    ]  # fmt: skip


def _listed(title: str, items: Sequence[str]) -> list[str]:
    return [f"### {title}", "", *(f"- {_md(item)}" for item in items), ""] if items else []


def _md(text: str) -> str:
    """Text that Markdown takes as it stands; a patient's words make no markup."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def table_rows(report: Report, name: str = "") -> Iterable[dict[str, str]]:
    """One row a rule that spoke; a report without findings has one row, so that no case is lost."""
    case = {"case": report.id or name, "as_of": report.as_of, "verdict": report.verdict}
    for f in report.every_finding:
        yield case | {
            "severity": f.severity, "interrupt": "yes" if f.interrupt else "no", "kind": f.kind, "rule": f.rule, "title": f.title,
            "medicines": "; ".join(s.text for s in f.subjects), "advice": f.advice, "escalate": f.escalate, "harm": f.harm,
            "sources": "; ".join(c.title for c in f.evidence),
        }  # fmt: skip
    if not report.findings:
        yield case


def table(rows: Iterable[Mapping[str, str]], *, head: bool = True) -> str:
    """Rows as CSV. A cell that a spreadsheet would take for a formula is written as text."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n")
    if head:
        writer.writeheader()
    for row in rows:
        writer.writerow({key: as_text(cell) for key, cell in row.items()})
    return out.getvalue()


def as_text(cell: str) -> str:
    """A cell that a spreadsheet shows as it is, also where it would take it for a formula."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def sarif(reports: Sequence[tuple[str, Report]]) -> dict[str, Any]:
    """Reports as one SARIF 2.1.0 log: a result for each rule that spoke, in the file that its case stands in."""
    rules: dict[str, Any] = {}
    results = []
    for file, report in reports:
        for f in report.every_finding:
            level = _LEVEL[f.severity]
            rules.setdefault(
                f.rule, {"id": f.rule, "shortDescription": {"text": f.title}, "defaultConfiguration": {"level": level}}
            )
            results.append(
                {
                    "ruleId": f.rule, "level": level, "message": {"text": f"{f.title}. {f.advice}".strip()},
                    "locations": [{
                        "physicalLocation": {"artifactLocation": {"uri": file}},
                        "logicalLocations": [{"fullyQualifiedName": str(s.where)} for s in f.subjects],
                    }],
                    "properties": {"severity": f.severity, "interrupt": f.interrupt, "case": report.id or ""},
                }
            )  # fmt: skip
    made = reports[0][1].made_by if reports else None
    driver = {
        "name": "medsafe", "version": made.engine if made else "", "rules": list(rules.values()),
        "properties": {"knowledge": made.knowledge if made else "", "sha256": made.sha256 if made else ""},
    }  # fmt: skip
    return {
        "version": "2.1.0", "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }  # fmt: skip
