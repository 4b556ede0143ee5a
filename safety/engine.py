"""What callers hold: `load()` gives an `Engine`; an engine answers. Nothing here decides anything."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from safety.adherence.request import DoseRequest, read_dose_request
from safety.answering.checker import Checker
from safety.errors import Place, Problem, RequestError
from safety.judging.candidates import CANDIDATES
from safety.judging.judgement import Judgement
from safety.knowledge.collecting import base_folder
from safety.knowledge.library import ENTRY_INDEX, Library
from safety.knowledge.policy import Role
from safety.knowledge.snapshot import Recipe, load_library
from safety.model.patient import Case
from safety.model.report import DoseAnswer, Report
from safety.reading.case import Path_, read_case
from safety.reading.names.index import NAMES, VOCABULARY
from safety.reading.names.resolver import NameAnswer
from safety.understanding.vocabulary import TERMS

VERSION = "0.1.0"
RECIPE = Recipe(VERSION, (ENTRY_INDEX, NAMES, VOCABULARY, TERMS, CANDIDATES))
"""With what knowledge is compiled and kept."""
DayLike = date | str


class Engine:
    """Knowledge, loaded: immutable, may be shared between threads."""

    def __init__(self, library: Library, remake: Callable[[], Engine]) -> None:
        self._checker = Checker(library, VERSION)
        self._remake = remake

    @property
    def library(self) -> Library:
        """The frozen knowledge that answers are made from."""
        return self._checker.library

    @property
    def checker(self) -> Checker:
        """The room that judges; for commands that show its inner steps."""
        return self._checker

    def check(self, case: Case | Mapping[str, Any] | str, as_of: DayLike | None = None, *, role: Role = "pharmacist") -> Report:
        """Judge a case as of a day (given here or in the case); `role` is who would be interrupted.

        Raises RequestError for a malformed case or no day.
        """
        read = as_case(case)
        return self._checker.check(read, _day(as_of, read), role)

    def check_many(self, cases: Iterable[Case | Mapping[str, Any] | str], as_of: DayLike | None = None) -> Iterator[Report]:
        """Judge cases one after the other; each answer equals what `check` gives for that case alone."""
        for case in cases:
            yield self.check(case, as_of)

    def why(self, rule: str, case: Case | Mapping[str, Any] | str, as_of: DayLike | None = None) -> Judgement:
        """Why a rule did, or did not, speak for a case, step by step."""
        read = as_case(case)
        return self._checker.why(rule, read, _day(as_of, read))

    def name(self, text: str) -> NameAnswer:
        """What a drug name means: a match, candidates with a question, or unrecognised."""
        return self._checker.resolver.name(text)

    def dose(self, request: DoseRequest | Mapping[str, Any] | str, as_of: DayLike | None = None) -> DoseAnswer:
        """Whether a reported dose is CORRECT, HIGH or LOW: against the prescription, else its label, ceiling, doses in use.

        Raises RequestError for a malformed request or no day.
        """
        from safety.adherence.answer import answer_dose  # reading what people say is paid for by who asks for it

        read = as_dose_request(request)
        return answer_dose(self._checker, read, _day(as_of, read.case))

    def reload(self) -> Engine:
        """A new engine with the knowledge as it is on disk now; this one stays as it is."""
        return self._remake()


def load(
    overlays: Sequence[str | os.PathLike[str]] = (),
    *,
    base: str | os.PathLike[str] | None = None,
    cache: str | os.PathLike[str] | bool | None = True,
    on_compile: Callable[[], None] = lambda: None,
) -> Engine:
    """Load the embedded knowledge (or a `base` folder) with a site's overlays on top.

    `cache`: folder for compiled knowledge; True is the user's cache folder, None or False keeps nothing. Knowledge that
    brings its own (an installed package) is compiled only where it was changed or has overlays.
    Raises KnowledgeError with every problem found.
    """
    root = Path(base) if base is not None else base_folder()
    folder = None if cache is None or cache is False else cache_folder() if cache is True else Path(cache)
    library = load_library(root, [Path(o) for o in overlays], folder, RECIPE, on_compile)
    return Engine(library, lambda: load(overlays, base=base, cache=cache, on_compile=on_compile))


def cache_folder() -> Path:
    """Where snapshots are kept: `MEDSAFE_CACHE`, or `medsafe` in the user's cache folder."""
    named = os.environ.get("MEDSAFE_CACHE")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "medsafe"


def as_case(case: Case | Mapping[str, Any] | str) -> Case:
    """A case from a Case, plain values, or YAML (or JSON) text. Raises RequestError."""
    if isinstance(case, Case):
        return case
    if isinstance(case, str):
        return case_from_text(case, "case")
    return read_case(case)


def case_from_text(text: str, shown: str) -> Case:
    """A case written as YAML or JSON; problems say file, line and column. Raises RequestError."""
    from safety.knowledge.documents import read_text

    document, problems = read_text(text, shown)
    if document is None:
        raise RequestError(problems)

    def locate(path: Path_) -> Place:
        assert document is not None
        return document.place(path, of_key=bool(path) and isinstance(path[-1], str))

    return read_case(document.value, locate)


def as_dose_request(request: DoseRequest | Mapping[str, Any] | str, shown: str = "request") -> DoseRequest:
    """A dose request from a DoseRequest, plain values, or YAML (or JSON) text. Raises RequestError."""
    if isinstance(request, DoseRequest):
        return request
    if not isinstance(request, str):
        return read_dose_request(request)
    from safety.knowledge.documents import read_text

    document, problems = read_text(request, shown)
    if document is None:
        raise RequestError(problems)

    def locate(path: Path_) -> Place:
        assert document is not None
        return document.place(path, of_key=bool(path) and isinstance(path[-1], str))

    return read_dose_request(document.value, locate)


def _day(as_of: DayLike | None, case: Case) -> date:
    day = as_of if as_of is not None else case.as_of
    if isinstance(day, date):
        return day
    if day is None:
        problem = Problem(
            Place("as_of"), "R117", "no day to judge on", "pass as_of=date(2026, 11, 20) or write `as_of:` in the case"
        )
        raise RequestError([problem])
    try:
        return date.fromisoformat(day)
    except ValueError:
        raise RequestError([Problem(Place("as_of"), "R112", f"`{day}` is not a day", "write it as 2026-11-20")]) from None


__all__ = ["VERSION", "DayLike", "Engine", "as_case", "as_dose_request", "cache_folder", "case_from_text", "load"]
