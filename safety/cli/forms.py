"""What `--format` writes of reports beside text and JSON: Markdown, a table, a page, SARIF."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from safety.knowledge.library import Library
from safety.model.patient import Case
from safety.model.report import Report

FORMATS = ("text", "json", "ndjson", "md", "csv", "html", "sarif")


Kept = list[tuple[Report, Any, str]]


class Writer:
    """Writes reports as they come, or all of them at the end."""

    def __init__(
        self, each: Callable[[Report, str, bool], str] | None, whole: Callable[[list[tuple[Report, Any, str]]], str]
    ) -> None:
        self._each, self._whole = each, whole
        self._kept: Kept = []
        self._first = True

    def one(self, report: Report, case: object, name: str) -> str:
        """What is written of one report at once."""
        if self._each is None:
            self._kept.append((report, case if isinstance(case, Case) else None, name))
            return ""
        text = self._each(report, name, self._first)
        self._first = False
        return text

    def end(self) -> str:
        """What is written when all are there."""
        return self._whole(self._kept)


def writer_of(form: str, library: Library) -> Writer | None:
    """The writer of a format; None for text and JSON."""
    if form in ("text", "json", "ndjson"):
        return None
    if form == "html":
        from safety.showing.pages import Shown, report_page

        return Writer(None, lambda kept: report_page([Shown(r, c, name) for r, c, name in kept], library) + "\n")
    from safety.showing import formats

    if form == "md":
        return Writer(lambda report, name, _: formats.markdown(report, name) + "\n", lambda _: "")
    if form == "csv":
        return Writer(lambda report, name, first: formats.table(formats.table_rows(report, name), head=first), lambda _: "")
    return Writer(None, lambda kept: msgspec.json.encode(formats.sarif([(name, r) for r, _, name in kept])).decode() + "\n")
