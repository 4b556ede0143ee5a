"""What is asked over HTTP → the answer as bytes, in one process: plain values in and out, so that a worker can do it."""

from __future__ import annotations

import pickle
import signal
import socket
import struct
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from safety.engine import Engine
from safety.errors import EngineError, Place, Problem, RequestError
from safety.knowledge.policy import Role
from safety.knowledge.resting import let_collector_rest
from safety.model.patient import Case
from safety.model.refused import refused
from safety.model.report import Due, Report
from safety.reading.cds.requests import CdsRequest, read_request
from safety.reading.cds.resources import gather
from safety.serving.brief import slim
from safety.serving.cards import Drafts, about_the_orders, at_signing, cards_of, due_cards, services
from safety.serving.fhir_out import bundle_of
from safety.serving.tools import problems_of

Json = dict[str, Any]
JSON, NDJSON = "application/json", "application/x-ndjson"
_ENCODE = msgspec.json.Encoder(decimal_format="string").encode
_DEEP = "more than {} brackets inside each other"


class Asked(Struct, frozen=True):
    """One request: what is asked (`check`, `cds/order-sign` …), the body, its options, and the day if nobody tells another.

    `replay`: of a request of a clinical system, the day on which its orders were written counts, for trying out old ones.
    """

    what: str
    body: bytes
    today: date
    options: Mapping[str, str] = {}
    deepest: int = 64
    replay: bool = False


class Answered(Struct, frozen=True):
    """The answer: its status in HTTP, its body and type, and what is counted of it (verdicts, cards by indicator)."""

    status: int
    body: bytes
    type: str = JSON
    counted: Mapping[str, int] = {}


def answer(engine: Engine, asked: Asked) -> Answered:
    """The answer to a request, whatever is wrong with it; no failure names a patient."""
    try:
        return _ASKED[asked.what.partition("/")[0]](engine, asked)
    except RequestError as error:
        return failed(400, problems_of(error))
    except Exception as error:  # ours; its text may hold patient data, so only its kind is told
        return failed(500, [{"place": asked.what, "what": f"the engine failed on this request ({type(error).__name__})"}])


def failed(status: int, problems: list[Json]) -> Answered:
    """An error as every route answers it."""
    return Answered(status, _ENCODE({"error": problems}))


def _value(asked: Asked) -> Any:
    """The JSON of a body, not nested too deep. Raises RequestError."""
    if depth(asked.body) > asked.deepest:
        raise _slip("body", "R004", _DEEP.format(asked.deepest))
    try:
        return msgspec.json.decode(asked.body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise _slip("body", "R003", "is not JSON", "send one JSON value, in UTF-8") from None


def depth(body: bytes) -> int:
    """How deep brackets lie in each other; those inside of text count too, so it is never too low for JSON."""
    deep = most = 0
    for byte in body.translate(None, _NO_BRACKETS):
        deep += 1 if byte in b"[{" else -1
        most = max(most, deep)
    return most


_NO_BRACKETS = bytes(b for b in range(256) if b not in b"[]{}")


def _slip(place: str, code: str, message: str, hint: str = "") -> RequestError:
    return RequestError([Problem(Place(place), code, message, hint)])


def _day(asked: Asked, own: date | str | None = None) -> date | str:
    return asked.options.get("as_of") or own or asked.today


# --- plain JSON ---


def _check(engine: Engine, asked: Asked) -> Answered:
    value = _value(asked)
    case: Any = engine.fhir(value) if isinstance(value, dict) and "resourceType" in value else value
    if not isinstance(case, Case | Mapping):
        raise _slip("body", "R101", "a case must be a mapping with `patient:`, or a FHIR record")
    own = case.as_of if isinstance(case, Case) else case.get("as_of")
    if asked.options.get("format") == "brief":
        told = engine.brief(case, _day(asked, own), role=_role(asked))
        return Answered(200, _ENCODE(slim(told)), counted={told["verdict"]: 1})
    report = engine.check(case, _day(asked, own), role=_role(asked))
    return Answered(200, _printed(report, asked.options.get("format", "json"), engine), counted={report.verdict: 1})


def _printed(report: Report, format_: str, engine: Engine) -> bytes:
    if format_ == "fhir":
        return _ENCODE(bundle_of(report, engine.library))
    if format_ != "json":
        raise _slip("format", "R114", f"`{format_[:40]}` is not a format", "one of: json brief fhir")
    return report.to_json()


def _role(asked: Asked) -> Role:
    role: Any = asked.options.get("role", "pharmacist")  # the engine says what is wrong with one that is none
    checked: Role = role
    return checked


def _batch(engine: Engine, asked: Asked) -> Answered:
    """A list of cases, or one a line; one answer each in the same order, whatever is wrong with one in between."""
    listed = asked.body.lstrip().startswith(b"[")
    cases = _value(asked) if listed else [*_lines(asked)]
    answers = [r.to_json() if not isinstance(r, EngineError) else b"{}" for r in _each(engine, cases, asked)]
    if listed:
        return Answered(200, b"[" + b",".join(answers) + b"]", counted={"cases": len(answers)})
    return Answered(200, b"".join(one + b"\n" for one in answers), NDJSON, {"cases": len(answers)})


def _each(engine: Engine, cases: list[Any], asked: Asked) -> Iterator[Any]:
    for n, case in enumerate(cases):
        if isinstance(case, RequestError):
            yield refused(case.problems)
            continue
        own = case.get("as_of") if isinstance(case, Mapping) else None
        try:
            day = _day(asked, own) if isinstance(own, str | None) else asked.today
            (one,) = engine.check_many([case], day, role=_role(asked))
        except RequestError as error:  # the day
            one = refused([Problem(Place(f"cases[{n}].{p.place}"), p.code, p.message, p.hint) for p in error.problems])
        yield one


def _lines(asked: Asked) -> Iterator[Any]:
    for n, line in enumerate(asked.body.split(b"\n"), 1):
        if line.strip():
            try:
                yield _value(msgspec.structs.replace(asked, body=line))
            except RequestError as error:
                yield RequestError([Problem(Place("body", n, 1), p.code, p.message, p.hint) for p in error.problems])


def _dose(engine: Engine, asked: Asked) -> Answered:
    value = _object(asked, "a dose request")
    found = engine.dose(value, _day(asked, value.get("as_of")))
    return Answered(200, found.to_json(), counted={found.verdict: 1})


def _lab(engine: Engine, asked: Asked) -> Answered:
    value = _object(asked, "a lab request")
    found = engine.lab(value, _day(asked, value.get("as_of")))
    return Answered(200, found.to_json(), counted={found.status: 1})


def _name(engine: Engine, asked: Asked) -> Answered:
    value = _object(asked, "a request")
    names = value.get("names")
    if names is None:
        return Answered(200, _ENCODE(engine.name(_text(value, "name")).to_dict()))
    if not isinstance(names, list) or len(names) > _MOST:
        raise _slip("names", "R103", f"`names` must be a list of at most {_MOST}")
    return Answered(200, _ENCODE([engine.name(_text({"name": one}, "name")).to_dict() for one in names]))


_MOST = 200


def _sig(engine: Engine, asked: Asked) -> Answered:
    return Answered(200, engine.sig(_text(_object(asked, "a request"), "text")).to_json())


def _calc(engine: Engine, asked: Asked) -> Answered:
    value = _object(asked, "a request")
    inputs = value.get("inputs") or {}
    if not isinstance(inputs, Mapping):
        raise _slip("inputs", "R101", "`inputs` must be a mapping", 'e.g. {"weight": "81 kg"}')
    return Answered(200, _ENCODE(engine.calc(_text(value, "formula"), **inputs).to_dict()))


def _calculators(engine: Engine, _: Asked) -> Answered:
    return Answered(200, _ENCODE([card.to_dict() for card in engine.calculators()]))


def _object(asked: Asked, noun: str) -> Mapping[str, Any]:
    value = _value(asked)
    if not isinstance(value, dict):
        raise _slip("body", "R101", f"{noun} must be a mapping of keys")
    return value


def _text(value: Mapping[str, Any], key: str) -> str:
    text = value.get(key)
    if not isinstance(text, str):
        raise _slip(key, "R106", f"`{key}` must be text")
    return text


def _version(engine: Engine, _: Asked) -> Answered:
    return Answered(200, _ENCODE(engine.checker.made_by))


# --- CDS Hooks ---


def _cds(engine: Engine, asked: Asked) -> Answered:
    """The cards for a request of a clinical system."""
    hook = asked.what.partition("/")[2]
    value = _value(asked)
    if not isinstance(value, dict):
        raise _slip("body", "R101", "a CDS Hooks request must be a mapping of keys")
    if value.get("hook") != hook:
        raise _slip("hook", "F011", f"this service answers the hook `{hook}`", "its id and the hook must fit")
    request = read_request(value, where="request")
    report = engine.check(request.case, _cds_day(asked, request), role="prescriber")
    drafts = Drafts(request.case, gather(value).pieces)
    if hook == "order-select":
        wanted = about_the_orders(report, drafts.selected(request.selections))
    else:
        wanted = at_signing(report) if hook == "order-sign" else report.findings
    cards = cards_of(report, engine.library, drafts, wanted, request.case.id or "unknown")
    if hook == "patient-view":
        cards += due_cards(report.due)
    elif hook == "order-sign":
        cards += due_cards(_due_again(engine, request.case, report, _cds_day(asked, request)))
    counted = {indicator: sum(c["indicator"] == indicator for c in cards) for indicator in ("info", "warning", "critical")}
    return Answered(200, _ENCODE({"cards": cards}), counted=counted)


def _due_again(engine: Engine, case: Case, report: Report, day: date) -> list[Due]:
    """Tests that are due for a medicine that is taken, and that what is ordered now needs as well: another opioid, a renewal."""
    due = [d for d in report.due if d.state == "due"]
    if not due or not case.plan:
        return []
    all_taken = replace(case.patient, medications=(*case.patient.medications, *case.plan))
    if_taken = engine.check(replace(case, patient=all_taken, plan=()), day, role="prescriber").due
    checker = engine.checker
    ordered = {checker.library.name_of(drug) for m in case.plan for drug in checker.terms.meaning_of(m).read.drugs}
    return [d for d in due if any(set(d.rules) & set(o.rules) and ordered & set(o.medicines) for o in if_taken)]


def _cds_day(asked: Asked, request: CdsRequest) -> date:
    written = max((m.since for m in request.case.plan if m.since is not None), default=None) if asked.replay else None
    return written or asked.today


_ASKED: dict[str, Callable[[Engine, Asked], Answered]] = {
    "check": _check, "batch": _batch, "dose": _dose, "lab": _lab, "name": _name, "sig": _sig, "calc": _calc,
    "calculators": _calculators, "version": _version, "cds": _cds,
}  # fmt: skip
HOOKS = tuple(service["hook"] for service in services())


# --- in a worker process ---

HEAD = struct.Struct("!Q")
"""Before each request and each answer: how many bytes it has."""


def framed(told: Asked | Answered) -> bytes:
    """A request or an answer as it goes to another process of ours, and to nobody else."""
    data = pickle.dumps(told)
    return HEAD.pack(len(data)) + data


def serve(engine: Engine, asks: socket.socket) -> None:
    """What a worker does until nobody asks any more: read a request, answer it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who stops the service tells us by closing the socket
    ready(engine)
    let_collector_rest()
    with asks, asks.makefile("rb") as incoming:
        while len(head := incoming.read(HEAD.size)) == HEAD.size:
            asked: Asked = pickle.loads(incoming.read(HEAD.unpack(head)[0]))
            asks.sendall(framed(answer(engine, asked)))


def ready(engine: Engine) -> None:
    """Answer once, so that the first who asks need not wait for the knowledge to be read."""
    drug = engine.library.drugs[0].name
    engine.check({"patient": {"medications": [f"{drug} 1 tablet daily", drug], "conditions": []}}, "2026-01-01")
