"""Reports, findings and traces as text for a terminal: 80 columns, understandable without colour."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec
from rich.console import Console
from rich.text import Text

from safety.answering.asking import waiting
from safety.desk.telling import would_speak
from safety.judging.judgement import Judgement
from safety.knowledge.library import Entry, Library
from safety.model.position import printed
from safety.model.report import RANK, Assumed, Citation, Due, Finding, MadeBy, Question, Report, Step, Unknown, Unresolved
from safety.showing.words import WHOM

_COLOUR = {"contraindicated": "bold red", "major": "red", "moderate": "yellow", "minor": "cyan"}
_WIDTH = 80
_SHOWN = 3
_LABEL = 9


def console() -> Console:
    """Standard output, at most 100 columns wide, 80 where it is not a terminal."""
    if sys.stdout.isatty():
        width = min(Console().width, 100)
        return Console(width=width, highlight=False, soft_wrap=False)
    columns = os.environ.get("COLUMNS", "")
    return Console(width=int(columns) if columns.isdecimal() else _WIDTH, highlight=False, soft_wrap=False)


class Page:
    """Writes labelled, wrapped paragraphs."""

    def __init__(self) -> None:
        self.out = console()

    def line(self, text: str = "", style: str = "") -> None:
        """One paragraph as it is."""
        self.out.print(Text(text, style=style))

    def labelled(self, label: str, text: str, style: str = "") -> None:
        """A label in a narrow column and wrapped text beside it; a longer label stands on a line of its own."""
        if not text:
            return
        if len(label) > _LABEL:
            self.out.print(Text(f"  {label}", style="dim"))
            label = ""
        body = Text(text, style=style)
        lines = body.wrap(self.out, self.out.width - 11)
        for n, line in enumerate(lines):
            line.rstrip()
            self.out.print(Text.assemble((f"  {label if n == 0 else '':<8} ", "dim"), line))  # the label alone is dim

    def wrapped(self, text: str, indent: int) -> list[str]:
        """The lines of a text that is to stand so far from the left."""
        return [line.plain.rstrip() for line in Text(text).wrap(self.out, self.out.width - indent)]

    def paragraph(self, text: str, indent: int = 2, style: str = "") -> None:
        """Wrapped text with an indent and no trailing spaces."""
        for line in Text(text, style=style).wrap(self.out, self.out.width - indent):
            line.rstrip()
            self.out.print(Text.assemble(" " * indent, line))


def print_report(report: Report, library: Library, file: str) -> None:
    """A whole report: verdict, findings, what is not known, not recognised, not covered."""
    page = Page()
    name = report.id or file
    style = {"violated": "bold red", "unknown": "bold yellow", "clear": "bold green"}[report.verdict]
    page.out.print(Text.assemble((name, "bold"), "  ", (report.verdict.upper(), style), f"  as of {report.as_of}"))
    page.line(_counts(report), "dim")
    cited: dict[str, int] = {}
    asked = frozenset(q.ask for q in report.questions)
    for finding in report.findings:
        page.line()
        _finding(page, finding, cited, asked)
    print_due(page, report.due)
    _questions(page, report, library)
    _confirm(page, report)
    _holes(page, report)
    _read(page, report)
    _site(page, report)
    for note in report.notes:
        page.line()
        page.paragraph(f"Note: {note}", 0)
    _sources(page, cited)


def print_due(page: Page, due: Sequence[Due]) -> None:
    """Tests that are worth measuring, a line for each: for which medicine, and what was last on file."""
    if due:
        page.line()
        page.line("TO MEASURE: suggestions, no rule is broken", "bold cyan")
    for one in due:
        last = f"last {one.last}" if one.last else "none on file" if one.state != "not told" else "not told"
        every = f", every {one.every} days" if one.every else ""
        state = "" if one.state == "due" else f" [{one.state}]"
        page.paragraph(f"{one.called}: {last}{every}{state}")


def print_closing(made: MadeBy) -> None:
    """What answered, and what it is for: once, after all reports."""
    page = Page()
    page.line()
    page.line(f"medsafe {made.engine}, knowledge {made.knowledge} ({made.sha256[:12]})", "dim")
    if made.overlays:
        page.line(f"with overlays: {', '.join(made.overlays)}", "dim")
    page.line("Decision support for a professional's judgement; not a medical device.", "dim")


def _sources(page: Page, cited: Mapping[str, int]) -> None:
    """What the findings rest on, each once, by the number that they refer to it with."""
    if cited:
        page.line()
        page.line("Sources", "dim")
    for text, n in cited.items():
        page.labelled(f"[{n}]", text)


def _site(page: Page, report: Report) -> None:
    """What the site changed of what speaks here, or would; and who answers for what is protected, in every report."""
    changes = [] if isinstance(report.site_changes, msgspec.UnsetType) else report.site_changes
    signed = [] if isinstance(report.made_by.signed, msgspec.UnsetType) else report.made_by.signed
    told = [str(c) for c in changes]
    lines = [*told, *(s for s in signed if s not in told)]
    if lines:
        page.line()
        page.line("CHANGED BY THE SITE", "bold yellow")
        for line in lines:
            page.paragraph(line)


def _counts(report: Report) -> str:
    loud = sum(f.interrupt for f in report.findings)
    parts = [
        f"{_n(len(report.findings), 'finding')}" + (f" ({loud} to act on now)" if loud else "") + _gathered(report),
        f"{_n(len(report.unknown), 'rule')} not decided" if report.unknown else "",
        f"{len(report.unresolved)} not recognised" if report.unresolved else "",
        f"{sum(not n.holds for n in report.not_covered)} not covered" if any(not n.holds for n in report.not_covered) else "",
    ]
    return ", ".join(p for p in parts if p)


def _gathered(report: Report) -> str:
    more = report.counts.before_grouping - report.counts.after_grouping
    return f", gathered from {report.counts.before_grouping} rules" if more else ""


def _n(count: int, noun: str) -> str:
    return f"{count or 'no'} {noun}{'' if count == 1 else 's'}"


def _finding(page: Page, f: Finding, cited: dict[str, int], asked: frozenset[str]) -> None:
    """One finding as a card; `asked`: what is asked below, for the whole report."""
    page.out.print(Text.assemble((f.severity.upper(), _COLOUR[f.severity]), "  ", (f.title, "bold")))
    page.labelled("about", "; ".join(f"{s.text} ({s.where})" for s in f.subjects))
    page.labelled("assumed", " ".join(_assumed(a, asked) for a in f.assumed))
    page.labelled("do", f.advice)
    page.labelled("call", WHOM[f.escalate])
    page.labelled("instead", "; ".join(o.order + (f" [mind {', '.join(o.mind)}]" if o.mind else "") for o in f.instead))
    page.labelled("or else", f.if_unavoidable)
    page.labelled("why", f"{f.why} Risk: {f.harm}.")
    page.labelled("saw", "; ".join(s for s in f.saw if s not in ("taken", "together")))
    if f.severity_because:
        page.labelled("level", f"{f.severity}, because {f.severity_because}")
    if f.severity_needs:
        page.labelled("level", f"could be higher; not told: {', '.join(f.severity_needs)}")
    _also(page, f)
    numbers = (cited.setdefault(sources([c]), len(cited) + 1) for c in f.evidence)
    page.labelled("source", ", ".join(f"[{n}]" for n in dict.fromkeys(numbers)))
    decided = "" if f.decided_by == "medsafe" else f" (decided by {f.decided_by})"
    page.labelled("rule", f.rule + decided, "dim")


def _assumed(one: Assumed, asked: frozenset[str]) -> str:
    """What is taken as usual; how to ask for it is said once."""
    told = f"{one.fact.capitalize()}: {one.value}."
    below = one.ask in asked or any(f"({one.where})" in ask and one.fact == "medication" for ask in asked)
    return told if below else f"{told} {one.ask}"


def _also(page: Page, f: Finding) -> None:
    """What was gathered under a finding: a rule that speaks of several medicines once, and the minor ones in one line."""
    again = [s.text for other in f.also if other.rule == f.rule for s in other.subjects if s not in f.subjects]
    page.labelled("also", f"the same with {'; '.join(dict.fromkeys(again))}" if again else "")
    rules: dict[str, list[Finding]] = {}
    for other in f.also:
        if other.rule != f.rule:
            rules.setdefault(other.rule, []).append(other)
    for first, *more in rules.values():
        if first.severity != "minor":
            others = dict.fromkeys(s.text for other in more for s in other.subjects if s not in first.subjects)
            besides = f" The same with {'; '.join(others)}." if others else ""
            advice = f": {first.advice}" if first.advice else "."
            page.labelled("also", f"{first.title} ({first.severity}){advice}{besides} [{first.rule}]")
    page.labelled("minor", "; ".join(f"{one.title} [{one.rule}]" for one, *_ in rules.values() if one.severity == "minor"))


def sources(evidence: Iterable[Citation]) -> str:
    """What something rests on, in one line."""
    return "; ".join(f"{c.title}{', ' + c.at if c.at else ''} ({c.checked})" for c in evidence)


def _questions(page: Page, report: Report, library: Library) -> None:
    """What to ask, each once, the question that may bring the worst first; then what waits without being worth one."""
    if report.questions:
        page.line()
        page.line("TO ASK: the answers that may change most come first", "bold yellow")
    about = {f"{item.text} ({item.where}): {item.ask}": item for item in report.unresolved}
    for n, asked in enumerate(report.questions, 1):
        page.paragraph(f"{n}. {asked.ask}")
        item = about.get(asked.ask)
        for told in _candidates(item) if item is not None else _settled(asked, report, library):
            page.paragraph(told, 5, "dim")
        for one in report.unresolved if item is None else ():
            if one.candidates and f"{one.text} ({one.where})" in asked.ask:
                page.paragraph(f"{one.text}: {'; '.join(_candidates(one))}", 5, "dim")
    left = waiting(report.unknown, report.questions)
    if left:
        page.line()
        page.paragraph(
            f"Not judged, as something was not told that may change little: {_waiting(left)} (--json says what).", 0, "dim"
        )


def _settled(asked: Question, report: Report, library: Library) -> Iterator[str]:
    """At worst what, and how many rules more."""
    titles = {item.rule: item.title for item in sorted(report.unknown, key=lambda u: RANK[u.severity], reverse=True)}
    worst = [titles[rule] for rule in asked.settles if rule in titles and library.entry[rule].severity == asked.worst]
    if not worst:
        return
    more = len(asked.settles) - len(worst[:_SHOWN])
    besides = f"; and {_n(more, 'rule')} more" if more else ""
    yield f"{asked.worst} at worst: {'; '.join(worst[:_SHOWN])}{besides}"


def _waiting(left: Sequence[Unknown]) -> str:
    told = dict.fromkeys(item.title for item in left)
    return "; ".join([*list(told)[:_SHOWN], *([f"{len(told) - _SHOWN} more"] if len(told) > _SHOWN else [])])


def _candidates(item: Unresolved) -> Iterator[str]:
    """What something that was not recognised may be, and what each reading would mean."""
    if item.candidates:
        yield f"perhaps {', '.join(item.candidates)}"
    if item.agree:
        broken = next(iter(item.would_break.values()))
        what = f"each of them would break {', '.join(broken)}" if broken else "none of them would break a rule"
        yield f"whichever it is: {what}"
    for name, rules in item.would_break.items() if item.agree is False else ():
        yield f"if {name}: {', '.join(rules) or 'no rule broken'}"


def _confirm(page: Page, report: Report) -> None:
    """Names that were written in a way that has been misread before; what was guessed is asked above."""
    asked = " ".join(q.ask for q in report.questions)
    matched = (m for m in report.medications if m.confirm and m.status == "match" and m.where.among != "conditions")
    left = [m for m in matched if m.ask not in asked]
    if left:
        page.line()
        page.line("PLEASE CONFIRM: written in a way that has been misread before", "bold yellow")
        for m in left:
            page.paragraph(f"{m.text} ({m.where}): {m.ask}")


def _holes(page: Page, report: Report) -> None:
    """Why silence says nothing: a line for each medicine, one for all that is not told; what is asked stands above."""
    holes = report.unknown_because
    if not holes:
        return
    asked = " ".join(q.ask for q in report.questions)
    page.line()
    page.line("Not looked at, or not fully (so silence on these points says nothing)", "dim")
    for hole in holes:
        if hole.because != "not told" and f"{hole.about} ({hole.where})" not in asked:
            page.paragraph(f"{hole.because.replace('contradicts', 'contradiction')}  {hole.text}", 2, "dim")
    untold = [hole.about.removeprefix("lab.").replace("_", " ") for hole in holes if hole.because == "not told"]
    if untold:
        page.paragraph(f"not told  {', '.join(untold)}", 2, "dim")


def _read(page: Page, report: Report) -> None:
    reading = report.read
    if isinstance(reading, msgspec.UnsetType):
        return
    page.line()
    counts = ", ".join(f"{n} {what}" for what, n in reading.used.items())
    page.labelled("read", counts)
    if reading.unread:
        page.labelled("left out", f"{len(reading.unread)}: " + "; ".join(f"{u.what} ({u.why})" for u in reading.unread[:5]))
        if len(reading.unread) > 5:
            page.labelled("", f"and {len(reading.unread) - 5} more (see --json)")


# ------------------------------------------------------------------ why


def print_why(judgement: Judgement, day: date, library: Library) -> None:
    """A judgement of a case: the verdict, every step with its place; of a rule that is silent, who would make it speak."""
    page = Page()
    entry = judgement.entry
    verdict = judgement.verdict.replace("_", " ").upper() if _in_force(entry, day) else "NOT IN FORCE"
    page.out.print(Text.assemble((entry.id, "bold"), f"  {verdict}  as of {day}"))
    page.line(entry.title)
    page.line()
    for step in judgement.trace:
        _step(page, step)
    page.line()
    page.paragraph(_told(judgement, day), 0)
    would = would_speak(judgement, library)
    if would:
        page.paragraph(would, 0)
    if judgement.because:
        page.line(f"Severity {judgement.severity}, because {judgement.because}.")
    page.paragraph(f"Source: {sources(entry.evidence)}", 0, "dim")


def _step(page: Page, step: Step) -> None:
    words = ("kept", "BROKEN") if step.step.startswith("must ") else ("yes", "no")
    mark, style = {True: (words[0], "green"), False: (words[1], "red"), None: ("?", "yellow")}[step.result]
    page.out.print(Text.assemble((f"{mark:<4}", style), f" {step.step}"))
    page.paragraph(f"had: {step.saw or 'nothing to say'}", 4)
    page.paragraph(step.place, 4, "dim")


def _told(j: Judgement, day: date) -> str:
    if not _in_force(j.entry, day):
        would = {"violated": " In force, it would speak.", "unknown": " In force, it would ask."}.get(j.verdict, "")
        return _why_not(j.entry, day) + would
    if j.dose is not None and j.entry.doses is not None:
        return f"Too {'much' if j.dose.direction == 'HIGH' else 'little'}: {j.dose.told}; a {j.severity} finding."
    if j.entry.doses is not None and j.verdict == "satisfied":
        return "The dose fits."
    if j.verdict == "violated":
        return f"Every line holds and the constraint is broken: a {j.severity} finding."
    if j.verdict == "unknown":
        return f"Not decided: {', '.join(j.needs)} would settle it."
    if j.verdict == "satisfied":
        return "The rule is about this patient, and its constraint is kept."
    return "A line does not hold: the rule is not about this patient."


def _in_force(entry: Entry, day: date) -> bool:
    return entry.in_force(day) and not entry.switched_off


def _why_not(entry: Entry, day: date) -> str:
    if entry.switched_off:
        return f"The rule is not in force: it is retired by {entry.switched_off}."
    if entry.status == "retired":
        place = "" if entry.replaced_by in (None, "none") else f": {entry.replaced_by} took its place"
        return f"The rule is not in force: it is retired{place}."
    return f"The rule is not in force on {day} (status {entry.status}, from {entry.start or 'always'})."


def judgement_values(j: Judgement, day: date, library: Library) -> dict[str, Any]:
    """A judgement as plain values."""
    return {
        "rule": j.entry.id,
        "as_of": day.isoformat(),
        "verdict": j.verdict,
        "in_force": _in_force(j.entry, day),
        **({} if _in_force(j.entry, day) else {"because_not": _why_not(j.entry, day)}),
        "severity": j.severity if j.verdict in ("violated", "unknown") else None,
        "because": j.because,
        "needs": list(j.needs),
        "subjects": [msgspec.to_builtins(s, enc_hook=printed) for s in j.subjects],
        "trace": [msgspec.to_builtins(s) for s in j.trace],
        "would_speak": would_speak(j, library),
    }
