"""What callers hold: `load()` gives an `Engine`; an engine answers. Nothing here decides anything."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from safety.adherence.request import DoseRequest, read_dose_request
from safety.answering.checker import Checker
from safety.errors import EngineError, Place, Problem, RequestError
from safety.judging.candidates import CANDIDATES
from safety.judging.judgement import Judgement
from safety.knowledge.collecting import base_folder
from safety.knowledge.library import ENTRY_INDEX, Library
from safety.knowledge.policy import ROLES, Role
from safety.knowledge.snapshot import Recipe, load_library
from safety.model.patient import Case, Patient
from safety.model.refused import Refused, refused
from safety.model.report import DoseAnswer, Report
from safety.reading.case import Path_, read_case
from safety.reading.names.index import NAMES, VOCABULARY
from safety.reading.names.resolver import NameAnswer
from safety.text import did_you_mean, printable, whole
from safety.understanding.vocabulary import TERMS

if TYPE_CHECKING:
    from safety.answering.calculating import CalculatorCard
    from safety.edge.extraction import Extraction
    from safety.edge.extractor import Extractor
    from safety.edge.model import Endpoint
    from safety.edge.remembering import Remembering
    from safety.edge.stating import Stater
    from safety.edge.tasks import TurnAnswer
    from safety.edge.turning import Conversing
    from safety.formulas.answers import Answer
    from safety.labs.request import LabRequest
    from safety.memory.events import Authority, Event
    from safety.memory.reading import Told as ReadEvents
    from safety.memory.reconciling import Reconciler, Reconciliation
    from safety.memory.remembered import PatientMemory
    from safety.model.lab_answer import LabAnswer
    from safety.model.sig_answer import SigAnswer
    from safety.scoring.measures import Policy
    from safety.scoring.plans import Part, Plan
    from safety.scoring.repairs import Repair
    from safety.scoring.run import Scores

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

        Raises RequestError for a malformed case, no day, or a role that is none.
        """
        whose = _role(role)
        read = as_case(case)
        return self._checker.check(read, _day(as_of, read), whose)

    def brief(
        self, case: Case | Mapping[str, Any] | str, as_of: DayLike | None = None, *, role: Role = "pharmacist"
    ) -> dict[str, Any]:
        """What `check(…).brief()` gives, in about half the time, for who needs no more. Raises RequestError as `check` does."""
        whose = _role(role)
        read = as_case(case)
        return self._checker.in_brief(read, _day(as_of, read), whose)

    def check_many(
        self, cases: Iterable[Case | Mapping[str, Any] | str], as_of: DayLike | None = None, *, role: Role = "pharmacist"
    ) -> Iterator[Report | Refused]:
        """Judge cases one after the other; each answer equals what `check` gives for that case alone.

        A case that cannot be checked is answered by a `Refused` with every problem in it, and the rest goes on. Raises
        RequestError, before the first case, for what is wrong with all of them: the day, the role, or no list of cases.
        """
        whose = _role(role)
        day = _day_told(as_of)
        if isinstance(cases, str | bytes | Mapping) or not isinstance(cases, Iterable):
            hint = "pass a list (or any iterable) of cases; `check` takes a single one"
            raise RequestError([Problem(Place("cases"), "R118", f"cases must be several cases, not {_shown(cases)}", hint)])
        return (self._checked(n, case, day, whose) for n, case in enumerate(cases))

    def _checked(self, n: int, case: Any, day: date | None, role: Role) -> Report | Refused:
        """The answer to one of several cases, whatever is wrong with it."""
        given = case.get("id") if isinstance(case, Mapping) else getattr(case, "id", None)
        named = given if isinstance(given, str) else None
        try:
            return self.check(case, day, role=role)
        except RequestError as error:
            placed = (Problem(_of_many(p.place, n), p.code, p.message, p.hint) for p in error.problems)
            return refused(placed, named)
        except Exception as error:  # nothing about a patient may raise: this is ours, said without patient data
            told = error.problems if isinstance(error, EngineError) else EngineError(_failed(error)).problems
            return refused(told, named, ours=True)

    def why(self, rule: str, case: Case | Mapping[str, Any] | str, as_of: DayLike | None = None) -> Judgement:
        """Why a rule did, or did not, speak for a case, step by step. Raises RequestError."""
        _text(rule, "rule", "the id of a rule", "`medsafe list rules` names them")
        read = as_case(case)
        return self._checker.why(rule, read, _day(as_of, read))

    def name(self, text: str) -> NameAnswer:
        """What a drug name means: a match, candidates with a question, or unrecognised. Raises RequestError for no text."""
        return self._checker.resolver.name(_text(text, "name", "the name of a medicine as text", "as it was written or heard"))

    def dose(self, request: DoseRequest | Mapping[str, Any] | str, as_of: DayLike | None = None) -> DoseAnswer:
        """Whether a reported dose is CORRECT, HIGH or LOW: against the prescription, else its label, ceiling, doses in use.

        Raises RequestError for a malformed request or no day.
        """
        from safety.adherence.answer import answer_dose  # reading what people say is paid for by who asks for it

        read = as_dose_request(request)
        return answer_dose(self._checker, read, _day(as_of, read.case))

    def lab(self, request: LabRequest | Mapping[str, Any] | str, as_of: DayLike | None = None) -> LabAnswer:
        """Where a result lies and what to do about it: plausible, critical, in range, its trend, and what medicines do to it.

        `request`: the mapping of the contract, or a line as it was said ("my sugar was 250"). Raises RequestError for a malformed
        request or no day.
        """
        from safety.answering.labs import answer_lab
        from safety.labs.request import LabRequest, read_lab_request

        read = request if isinstance(request, LabRequest) else read_lab_request(request)
        return answer_lab(self._checker, read, _day(as_of, read.case))

    def extract(self, text: str, extractor: Extractor | None = None) -> Extraction:
        """What a text or a conversation says of medicines and the patient, every item quoting the text.

        By the dictionary; by another `extractor` where one is passed (`safety.edge.model` holds one that asks a language model).
        Nothing in a text raises; RequestError only where it is no text.
        """
        told = _text(text, "text", "a text", "what was said or written; several speakers as `Patient: …` on lines of their own")
        return (extractor or self.extractor).extract(told)

    def note(self, text: str, beside: Case | None = None) -> Case:
        """The case that a clinical note tells, beside a case that was known before: what is taken, what the note orders as the
        plan, problems, results, allergies. Nothing in a note raises; as no text is read whole, no such case comes out clear.
        """
        from safety.edge.as_case import case_of_note

        return case_of_note(self.extract(text), beside)

    def read_texts(self, case: Case, texts: Mapping[Part, str]) -> tuple[Case, Mapping[str, Any]]:
        """A case with what the free text of a plan and its patient tells; and what was read, with the place of each statement."""
        from safety.edge.plans import with_texts

        return with_texts(case, texts, self.extractor, self._checker.spoken)

    def score(
        self, plans: Iterable[Plan | Case | Mapping[str, Any]], *, policy: Policy = "report", by: Sequence[str] = (),
        as_of: DayLike | None = None,
    ) -> Scores:  # fmt: skip
        """The metrics of treatment plans, as `safety.scoring.score` gives them. Raises RequestError."""
        from safety.scoring.run import score

        return score(plans, self, policy=policy, by=by, as_of=_day_told(as_of))

    def repair(self, case: Case | Mapping[str, Any] | str, as_of: DayLike | None = None) -> list[Repair]:
        """The smallest changes that clear the hard violations of a case's plan, each checked, the most quality retained first.

        Empty where there is none to clear, or nothing clears it. Raises RequestError for a malformed case or no day.
        """
        from safety.scoring.bench import Bench
        from safety.scoring.repair import Repairer

        read = as_case(case)
        return Repairer(Bench(self._checker)).repairs(replace(read, as_of=_day(as_of, read)))

    @cached_property
    def extractor(self) -> Extractor:
        """The extractor without a model."""
        from safety.edge.dictionary import DictionaryExtractor

        return DictionaryExtractor(self._checker)

    def model_extractor(self, endpoint: Endpoint) -> Extractor:
        """The extractor that asks a model too (`medsafe[llm]`): pass it to `extract`. It adds, and decides nothing."""
        from safety.edge.dictionary import DictionaryExtractor
        from safety.edge.model import ModelExtractor

        return ModelExtractor(self._checker, DictionaryExtractor(self._checker), endpoint)

    def turn(
        self, history: Sequence[object], said: object, patient: Case | Mapping[str, Any] | str, as_of: DayLike | None = None
    ) -> TurnAnswer:
        """Tasks for a conversing agent after what was just said, beside a patient's record; and which earlier ones are withdrawn.

        `history`: what was said before, as text ("Patient: …", "Agent: …") or mappings (`role`, `content`); `said`: the same,
        once. `patient`: a case, or the mapping under its `patient`. Raises RequestError for a malformed record or no day.
        """
        from safety.edge.turning import line_of

        case = as_case({"patient": patient} if isinstance(patient, Mapping) and "patient" not in patient else patient)
        return self._conversing.turn([line_of(line) for line in _lines(history)], line_of(said), case, _day(as_of, case))

    @cached_property
    def _conversing(self) -> Conversing:
        from safety.edge.turning import Conversing

        return Conversing(self._checker, self.extractor)

    def calc(self, formula: str, /, **inputs: Any) -> Answer:
        """The answer of a formula, by its id, to inputs as text ("81 kg"), numbers, yes and no, or days.

        What is not given is not told, and the answer says what is missing. Raises RequestError for a formula or an input that
        there is none of, and for one that cannot be read.
        """
        from safety.answering.calculating import calculate

        named = _text(formula, "formula", "the id of a formula", "`engine.calculators()` lists them")
        return calculate(named, {key: _whole(told) for key, told in inputs.items()}, self.library, self._checker.resolver)

    def calculators(self) -> tuple[CalculatorCard, ...]:
        """Every formula that `calc` answers: what it is, where it is from, and its inputs."""
        from safety.answering.calculating import calculators

        return calculators(self.library)

    def sig(self, text: str) -> SigAnswer:
        """What directions say ("1 po bid prn", "amoxicillin 500 mg bid x10d"): each part with the characters that tell it, and
        the whole in a sentence. Raises RequestError for no text.
        """
        from safety.answering.directions import answer_sig

        told = _text(text, "sig", "directions as text", 'e.g. "1 tab po bid prn"')
        return answer_sig(told, self._checker.terms, self._checker.lexicon)

    def fhir(self, record: bytes | str | Mapping[str, Any] | Sequence[Any]) -> Case:
        """The case that one patient's FHIR R4 record tells; what could not be read of it is in `case.reading.unread`.

        `record`: a Bundle, one resource or a list of them, as JSON text, bytes or values. Raises RequestError for what is no
        such record (no JSON, no Patient or several).
        """
        from safety.reading.fhir.bundle import read_fhir

        if not isinstance(record, bytes | str | Mapping | list | tuple):
            raise RequestError(
                [Problem(Place("record"), "R120", f"must be a FHIR record, not {_shown(record)}", "as JSON or values")]
            )
        return read_fhir(_values(record), where="record")

    def remember(self, events: Iterable[Event] | Sequence[Mapping[str, Any]] | Mapping[str, Any] | str) -> PatientMemory:
        """One patient over time, from what was told: events, plain values of events, or both as YAML (or JSON) text.

        Ask it for what is believed of a day, for a check of that day, or for how findings come and go. Raises RequestError.
        """
        from safety.memory.events import Event
        from safety.memory.remembered import PatientMemory

        if isinstance(events, str | Mapping):
            told = events_from(events, self.library)
            return PatientMemory(self._checker, told.events, told.case)
        given = list(events)
        made = [e for e in given if isinstance(e, Event)]
        if len(made) == len(given):
            return PatientMemory(self._checker, made)
        told = events_from(given, self.library)
        return PatientMemory(self._checker, told.events, told.case)

    def events_of(
        self, record: bytes | str | Mapping[str, Any] | Sequence[Any], as_of: DayLike, after: int = 0
    ) -> tuple[Event, ...]:
        """What a patient's FHIR record tells as events, as it was read on a day; their turns count up from `after`.

        Raises RequestError for what is no such record, or no day.
        """
        from safety.memory.from_record import events_of
        from safety.memory.record import read_record
        from safety.memory.subjects import Understanding

        day = _day(as_of, Case(Patient()))
        return events_of(read_record(_values(record), where="record"), day, Understanding(self._checker), after)

    def events_said(
        self, text: str, told: DayLike, turn: int, *, by: Authority = "patient", source: str = "", before: Iterable[Event] = (),
    ) -> tuple[Event, ...]:  # fmt: skip
        """What was said in one turn, on a day, as events for a history; each keeps the words.

        `before`: the events of earlier turns, so that "I stopped it" and "I meant 25, not 50" are understood.
        Raises RequestError.
        """
        said, day = _text(text, "text", "a text", "what was said in one turn"), _day(told, Case(Patient()))
        return self._remembering.events(said, day, turn, by, source, before)

    def reconcile(
        self, record: bytes | str | Mapping[str, Any] | Sequence[Any], statements: Sequence[str], as_of: DayLike, *,
        complete: bool = False,
    ) -> Reconciliation:  # fmt: skip
        """What a patient says against their FHIR record, statement by statement; neither is changed.

        `complete`: the statements are said to name everything that is taken, so what they leave out is told too. Raises
        RequestError for what is no such record, no list of texts, or no day.
        """
        if isinstance(statements, str | bytes) or not all(isinstance(s, str) for s in statements):
            hint = "pass a list of texts, one statement each"
            raise RequestError([Problem(Place("statements"), "R118", "statements must be a list of texts", hint)])
        from safety.memory.record import read_record

        day, told = _day(as_of, Case(Patient())), _values(record)
        narrative = [self._stater.narrative(text, day) for text in statements]
        return self._reconciler.reconcile(read_record(told, where="record"), self.fhir(told), narrative, day, complete=complete)

    @cached_property
    def _stater(self) -> Stater:
        from safety.edge.stating import Stater
        from safety.memory.subjects import Understanding

        return Stater(self._checker, self.extractor, Understanding(self._checker))

    @cached_property
    def _remembering(self) -> Remembering:
        from safety.edge.remembering import Remembering

        return Remembering(self.library.language, self._stater)

    @cached_property
    def _reconciler(self) -> Reconciler:
        from safety.memory.reconciling import Reconciler
        from safety.memory.subjects import Understanding

        return Reconciler(self._checker, Understanding(self._checker))

    def reload(self) -> Engine:
        """A new engine with the knowledge as it is on disk now; this one stays as it is."""
        return self._remake()

    def __reduce__(self) -> tuple[Callable[..., Engine], tuple[Any, ...]]:
        """How it goes to another process: not the knowledge, but where it is; raises TypeError where that cannot be said."""
        if not isinstance(self._remake, Loading):
            raise TypeError("this engine was not made by safety.load(), so another process cannot load it")
        return _loaded_again, (self._remake.folders, self._remake.base, self._remake.cache, self.library.sha256)


class Loading(Struct, frozen=True):
    """From where an engine was loaded, so that it can be again."""

    folders: tuple[Path, ...]
    base: Path | None
    cache: Path | None
    on_compile: Callable[[], None]

    def __call__(self) -> Engine:
        library = load_library(self.base or base_folder(), list(self.folders), self.cache, RECIPE, self.on_compile)
        return Engine(library, self)


def _nothing() -> None:
    return None


def _loaded_again(folders: tuple[Path, ...], base: Path | None, cache: Path | None, sha256: str) -> Engine:
    """The same engine in another process. Raises EngineError if the knowledge on disk is another by now."""
    engine = Loading(folders, base, cache, _nothing)()
    if engine.library.sha256 != sha256:
        raise EngineError("the knowledge on disk has changed since this engine was loaded; load a new one and pass that")
    return engine


def load(
    overlays: Sequence[str | os.PathLike[str]] = (),
    *,
    base: str | os.PathLike[str] | None = None,
    cache: str | os.PathLike[str] | bool | None = True,
    on_compile: Callable[[], None] = _nothing,
) -> Engine:
    """Load the embedded knowledge (or a `base` folder) with a site's overlays on top.

    `cache`: folder for compiled knowledge; True is the user's cache folder, None or False keeps nothing. Knowledge that
    brings its own (an installed package) is compiled only where it was changed or has overlays.
    Raises KnowledgeError with every problem found, and RequestError where what was passed names no folder.
    """
    folders = _folders(overlays)
    root = _folder(base, "base") if base is not None else None
    folder = None if cache is None or cache is False else cache_folder() if cache is True else _folder(cache, "cache")
    return Loading(tuple(folders), root, folder, on_compile)()


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


def events_from(events: object, library: Library, shown: str = "events", after: int = 0) -> ReadEvents:
    """Events from plain values, or YAML (or JSON) text; problems say file, line and column. Raises RequestError."""
    from safety.knowledge.documents import read_text
    from safety.memory.reading import read_events
    from safety.memory.times import TimeReader

    times = TimeReader(library.language)
    if not isinstance(events, str):
        return read_events(events, times, after=after)
    document, problems = read_text(events, shown)
    if document is None:
        raise RequestError(problems)

    def locate(path: Path_) -> Place:
        assert document is not None
        return document.place(path, of_key=bool(path) and isinstance(path[-1], str))

    return read_events(document.value, times, locate, after)


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
    day = _day_told(as_of) or case.as_of
    if day is None:
        problem = Problem(
            Place("as_of"), "R117", "no day to judge on", "pass as_of=date(2026, 11, 20) or write `as_of:` in the case"
        )
        raise RequestError([problem])
    return day


def _day_told(as_of: object) -> date | None:
    """The day that was passed; of a moment, the day it lies on where it was told."""
    if isinstance(as_of, datetime):
        return as_of.date()
    if as_of is None or isinstance(as_of, date):
        return as_of
    if isinstance(as_of, str):
        with contextlib.suppress(ValueError):
            return date.fromisoformat(as_of)
    raise RequestError([Problem(Place("as_of"), "R112", f"{_shown(as_of)} is not a day", "write it as 2026-11-20")])


def _values(record: object) -> Any:
    """A record in plain dictionaries and lists, whatever mapping holds it."""
    if isinstance(record, Mapping):
        return {key: _values(value) for key, value in record.items()}
    return [_values(item) for item in record] if isinstance(record, list | tuple) else record


def _role(role: object) -> Role:
    if isinstance(role, str) and role in ROLES:
        return role
    hint = (did_you_mean(role, ROLES) if isinstance(role, str) else "") or f"one of: {' '.join(ROLES)}"
    raise RequestError([Problem(Place("role"), "R119", f"{_shown(role)} is not a role that we know", hint)])


def _text(value: object, place: str, what: str, hint: str) -> str:
    if isinstance(value, str):
        return str(_whole(value))
    raise RequestError([Problem(Place(place), "R120", f"must be {what}, not {_shown(value)}", hint)])


def _whole(value: Any) -> Any:
    """A text without halves of characters; anything else as it is."""
    return value if not isinstance(value, str) or value.isascii() else whole(value)


def _lines(history: object) -> Sequence[object]:
    if isinstance(history, str | Mapping):
        return [history]
    if isinstance(history, Sequence):
        return history
    hint = "a list of lines, the oldest first; [] at the beginning"
    raise RequestError([Problem(Place("history"), "R101", f"must be a list of what was said, not {_shown(history)}", hint)])


def _folders(overlays: object) -> list[Path]:
    if isinstance(overlays, str | bytes | os.PathLike) or not isinstance(overlays, Iterable):
        shown = os.fsdecode(overlays) if isinstance(overlays, str | bytes | os.PathLike) else "my-site/"
        hint = f'pass a list: overlays=["{printable(shown, 60)}"]'
        raise RequestError(
            [Problem(Place("overlays"), "R118", f"overlays must be a list of folders, not {_shown(overlays)}", hint)]
        )
    return [_folder(one, f"overlays[{n}]") for n, one in enumerate(overlays)]


def _folder(value: object, place: str) -> Path:
    if isinstance(value, str | os.PathLike) and os.fspath(value):
        return Path(value)
    raise RequestError([Problem(Place(place), "R120", f"must be the path of a folder, not {_shown(value)}", 'e.g. "my-site/"')])


def _shown(value: object) -> str:
    """What was passed, where it is short and plain; never a whole case."""
    if value is None:
        return "nothing"
    if isinstance(value, str | int | float):
        return f"`{printable(str(value), 60)}`"
    return f"a value of the type `{type(value).__name__}`"


def _of_many(place: Place, n: int) -> Place:
    """A place in one of several cases."""
    file = place.file.removeprefix("case")
    return Place(f"cases[{n}]{file if file.startswith(('.', '[')) or not file else f' {file}'}", place.line, place.column)


def _failed(error: Exception) -> str:
    return f"the engine failed on this case ({type(error).__name__})"


__all__ = ["VERSION", "DayLike", "Engine", "as_case", "as_dose_request", "cache_folder", "case_from_text", "load"]
