"""The tools of an agent, each once for MCP, OpenAI-style function calling and the rest: what goes in, what comes out, the call.

A call answers in at most 1.5 KB of plain values, or with `detail: full` all there is, under `full`. A slip of the caller is a
RequestError, whose problems say where, what and how to mend it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec
from msgspec import Struct

from safety.engine import Engine
from safety.errors import Place, Problem, RequestError
from safety.knowledge import library as lib
from safety.knowledge.policy import ROLES
from safety.model.position import printed
from safety.serving.brief import ROOM, fitted, slim
from safety.serving.inputs import AS_OF, CASE, DOSE_REQUEST, LAB_REQUEST, Json
from safety.text import did_you_mean, printable

_DETAIL: Json = {"enum": ["brief", "full"], "description": "brief (default): at most 1.5 KB"}
_STRING: Json = {"type": "string"}
_STRINGS: Json = {"type": "array", "items": _STRING}
_OBJECTS: Json = {"type": "array", "items": {"type": "object"}}
_MORE: Json = {"type": "object", "description": "how many of each list were left out; `detail: full` has them"}
_DRUG: Json = {"anyOf": [_STRING, _STRINGS, {"type": "null"}]}
_MOST_NAMES = 20
_ANSWER = tuple[Json, Callable[[], Any]]
"""What is told in brief, and the whole, worked out when it is asked for."""
_RUN = Callable[[Engine, Mapping[str, Any], date], _ANSWER]


class Tool(Struct, frozen=True):
    """One thing that an agent can ask for: its name, what it is for, the schemas of input and output, and how it is answered."""

    name: str
    title: str
    says: str
    input: Json
    output: Json
    run: _RUN


def call(engine: Engine, name: str, arguments: Mapping[str, Any], today: date) -> Json:
    """The answer of a tool to these arguments, in plain values. Raises RequestError for a slip of the caller."""
    tool = BY_NAME.get(name)
    if tool is None:
        raise _slip("tool", "R301", f"there is no tool `{printable(name, 60)}`", did_you_mean(name, BY_NAME) or " ".join(BY_NAME))
    known = tool.input["properties"]
    strange = [key for key in arguments if key not in known]
    if strange:
        hint = did_you_mean(strange[0], known) or f"arguments here: {' '.join(known)}"
        raise _slip(printable(strange[0], 60), "R102", f"`{printable(strange[0], 60)}` is not an argument of {name}", hint)
    detail = arguments.get("detail", "brief")
    if detail not in ("brief", "full"):
        raise _slip("detail", "R114", f"`{printable(str(detail), 60)}` is not a detail", "write `brief` or `full`")
    told = {key: value for key, value in arguments.items() if key != "detail"}
    brief, full = tool.run(engine, told, today)
    return brief if detail == "brief" else {**_headline(brief), "full": full()}


def _headline(brief: Json) -> Json:
    return {key: value for key, value in brief.items() if key in ("verdict", "status", "as_of", "rule", "drug")}


def problems_of(error: RequestError) -> list[Json]:
    """What was wrong, for whoever is to mend it: each with its place, what it is, and a hint."""
    return [slim({"place": str(p.place), "what": p.message, "hint": p.hint, "code": p.code}) for p in error.problems]


# --- each tool ---


def _resolve(engine: Engine, told: Mapping[str, Any], _: date) -> _ANSWER:
    answer = engine.name(_text(told, "name")).to_dict()
    return fitted({**answer, "heard": printable(answer["heard"])}, [("candidates", 5)]), lambda: answer


def _directions(engine: Engine, told: Mapping[str, Any], _: date) -> _ANSWER:
    answer = engine.sig(_text(told, "text")).to_dict()
    brief = {
        **answer,
        "text": printable(answer["text"]),
        "parts": [f"{p['part']} {p['start']}-{p['end']}" for p in answer["parts"]],
    }
    return fitted(brief, [("parts", 0)]), lambda: answer


def _regimen(engine: Engine, told: Mapping[str, Any], today: date) -> _ANSWER:
    role = told.get("role", "pharmacist")
    case = {key: value for key, value in told.items() if key != "role"}
    day = told.get("as_of") or today
    return slim(engine.brief(case, day, role=role)), lambda: engine.check(case, day, role=role).to_dict()


def _dose(engine: Engine, told: Mapping[str, Any], today: date) -> _ANSWER:
    answer = engine.dose(told, told.get("as_of") or today).to_dict()
    keys = ("verdict", "as_of", "task", "ask", "escalate", "drug", "name", "against", "reported_per_day", "expected_per_day",
            "axes", "suspects", "needs", "confirm", "candidates", "missed_dose")  # fmt: skip
    limits = [_limit(x) for x in answer["limits"] if x["exceeded"] is not False]
    return fitted(
        {k: answer[k] for k in keys} | {"limits": limits, "sources": _sources(answer["evidence"])}, _LESS
    ), lambda: answer


_LESS = [("sources", 2), ("limits", 3), ("sources", 0)]


def _limit(x: Json) -> Json:
    return {key: x[key] for key in ("rule", "kind", "amount", "limit", "exceeded")}


def _sources(evidence: Sequence[Json]) -> list[str]:
    """Which texts say so, each once."""
    return list(dict.fromkeys(f"{c['title'] or c['source']}, {c['at']}".strip(" ,") for c in evidence))


def _lab(engine: Engine, told: Mapping[str, Any], today: date) -> _ANSWER:
    answer = engine.lab(told, told.get("as_of") or today).to_dict()
    brief = {k: v for k, v in answer.items() if k not in ("evidence", "made_by", "also", "due")}
    brief["also"] = [{k: a[k] for k in ("test", "value", "status", "escalate", "task")} for a in answer["also"]]
    brief["due"] = [f"{d['name']}: {d['state']}" for d in answer["due"]]
    brief["sources"] = _sources(answer["evidence"])
    return fitted(brief, [("sources", 1), ("due", 3), ("medication_effects", 3), ("sources", 0)]), lambda: answer


def _calculate(engine: Engine, told: Mapping[str, Any], _: date) -> _ANSWER:
    cards = {card.id: card for card in engine.calculators()}
    formula = _text(told, "formula") if told.get("formula") is not None else None
    inputs = told.get("inputs") or {}
    if not isinstance(inputs, Mapping):
        raise _slip("inputs", "R101", "`inputs` must be a mapping of input to value", 'e.g. {"weight": "81 kg"}')
    if formula is None:
        return fitted({"formulas": list(cards)}), lambda: [card.to_dict() for card in cards.values()]
    if not inputs and formula in cards:
        card = cards[formula].to_dict()
        asks = [
            f"{i['key']}: {i['kind']}, as `{i['example']}`{' (optional)' if i.get('optional') else ''}" for i in card["inputs"]
        ]
        return fitted({"formula": card["id"], "name": card["name"], "unit": card["unit"], "inputs": asks}), lambda: card
    full = engine.calc(formula, **{str(key): value for key, value in inputs.items()}).to_dict()
    of = full["formula"]
    brief = {"formula": of["id"], "name": of["name"], "value": full["value"], "missing": list(full["missing"]),
             "refused": list(full["refused"]), "notes": list(full["notes"]), "low": full["low"], "high": full["high"],
             "used": [slim(u) for u in full["used"]], "source": f"{of['citation']} [{of['checked']}]"}  # fmt: skip
    return fitted(brief, [("used", 0)]), lambda: msgspec.to_builtins(full)


def _explain(engine: Engine, told: Mapping[str, Any], today: date) -> _ANSWER:
    rule = _text(told, "rule")
    entry = rule_of(engine.library, rule)
    card = _card(entry)
    if "patient" not in told:
        return fitted(card, [("sources", 2), ("condition", 8)]), lambda: whole(entry)
    case = {key: told[key] for key in ("patient", "plan", "as_of") if key in told}
    j = engine.why(rule, case, told.get("as_of") or today)
    trace = [{"step": s.step, "saw": s.saw, "result": s.result} for s in j.trace]
    found = {
        "rule": j.entry.id, "title": card["title"], "verdict": j.verdict, "because": j.because,
        "needs": list(j.needs), "saw": j.saw, "severity": j.severity if j.verdict in ("violated", "unknown") else "",
        "about": [printable(s.text, 80) for s in j.subjects], "trace": trace, "why": card["why"], "sources": card["sources"],
    }  # fmt: skip
    return fitted(found, [("sources", 1), ("trace", 8)]), lambda: found


def rule_of(library: lib.Library, rule: str) -> lib.Entry:
    """The rule of that id, or of one that it was. Raises RequestError, with what is near, if there is none."""
    entry = library.entry.get(library.current_id(rule))
    if entry is None:
        hint = did_you_mean(rule, library.entry, cutoff=60) or "findings name their rule; `coverage` tells what is held of a drug"
        raise _slip("rule", "R301", f"`{printable(rule, 80)}` is not a rule that we know", hint)
    return entry


def _card(e: lib.Entry) -> Json:
    return {
        "rule": e.id, "title": e.title, "kind": e.kind, "severity": e.severity,
        "in_force": e.status == "active" and not e.switched_off, "do": e.do, "advice": e.advice, "why": e.why, "harm": e.harm,
        "condition": [leaf.text for leaf in e.condition],
        "sources": _sources([msgspec.to_builtins(c) for c in e.evidence]), "place": e.place,
    }  # fmt: skip


def whole(item: object) -> Any:
    """Anything of the library in plain values."""
    return msgspec.json.decode(msgspec.json.encode(item, enc_hook=_in_words))


def _in_words(value: object) -> str:
    try:
        return printed(value)
    except NotImplementedError:
        return str(value)


def _coverage(engine: Engine, told: Mapping[str, Any], today: date) -> _ANSWER:
    names = told.get("drugs") or []
    if not isinstance(names, list) or len(names) > _MOST_NAMES or not all(isinstance(n, str) for n in names):
        raise _slip("drugs", "R103", f"`drugs` must be a list of at most {_MOST_NAMES} names", 'e.g. ["NAME"]')
    library = engine.library
    if not names:
        counts = {"rules": len(library.entries), "drugs": len(library.drugs), "conditions": len(library.conditions),
                  "tests": len(library.labs), "formulas": len(engine.calculators())}  # fmt: skip
        built = {"counts": counts, "made_by": msgspec.to_builtins(engine.checker.made_by)}
        return slim(built), lambda: built
    each = [_held_of(engine, name, today) for name in names]
    return fitted({"drugs": each}), lambda: {"drugs": each}


def _held_of(engine: Engine, name: str, today: date) -> Json:
    """Which checks can be made of a medicine, for a patient of whom nothing else is told (so that all may matter)."""
    report = engine.check({"patient": {"medications": [name]}}, today)
    read = report.medications[0] if report.medications else None
    if read is None or read.drug is None:
        told = {"status": read.status, "ask": read.ask} if read else {}
        return dict(slim({"name": printable(name, 80), **told}))
    lacks = {check for item in report.not_covered for check in item.lacks}
    ask = read.ask if read.confirm else ""
    drug = msgspec.to_builtins(read.drug)
    holds = sorted(report.checks.keys() - lacks)
    return dict(slim({"name": printable(name, 80), "drug": drug, "holds": holds, "lacks": sorted(lacks), "ask": ask}))


def _text(told: Mapping[str, Any], key: str) -> str:
    value = told.get(key)
    if not isinstance(value, str):
        raise _slip(key, "R105" if value is None else "R106", f"`{key}` is missing" if value is None else f"`{key}` must be text")
    return value


def _slip(place: str, code: str, message: str, hint: str = "") -> RequestError:
    return RequestError([Problem(Place(place), code, message, hint)])


# --- what they are ---


def _input(required: Sequence[str], defs: Json | None = None, **properties: Any) -> Json:
    built = {"type": "object", "properties": {**properties, "detail": _DETAIL}, "required": list(required),
             "additionalProperties": False}  # fmt: skip
    return built | ({"$defs": defs} if defs else {})


def _output(**properties: Any) -> Json:
    return {
        "type": "object",
        "properties": {**properties, "more": _MORE, "full": {"description": "everything, with detail: full"}},
    }


def _case_properties(*keys: str) -> Json:
    return {key: CASE["properties"][key] for key in keys}


def _short(request: Json, **instead: Json) -> Json:
    """The properties of a request, with what is told at length elsewhere in few words."""
    return {key: instead.get(key, value) for key, value in request["properties"].items()} | {"patient": _PATIENT}


_PATIENT: Json = {"type": ["object", "null"], "description": "as of check_regimen"}
_ORDER: Json = {"description": "the order as a line, fields, or a list of them; leave out if there is none"}
_SAID: Json = {"description": "the patient's own words, fields, or a list of them"}
_HISTORY: Json = {"type": "array", "description": "earlier results: {value, unit, on}"}
_ROLE: Json = {"enum": list(ROLES), "description": "who would be interrupted"}
TOOLS: tuple[Tool, ...] = (
    Tool(
        "resolve_drug", "Which medicine a name means",
        "Which medicine a name means, as typed or heard. `ambiguous` and `unrecognised` come with a question (`ask`): ask it, do "
        "not guess. `confirm: true`: read the name back.",
        _input(["name"], name={"type": "string", "description": "one name, with or without strength"}),
        _output(heard=_STRING, status={"enum": ["match", "ambiguous", "unrecognised"]}, drug=_DRUG, name=_STRING,
                confirm={"type": "boolean"}, candidates=_OBJECTS, ask=_STRING), _resolve,
    ),
    Tool(
        "read_directions", "What directions say",
        "Structured dose, frequency, route, duration and reason of directions (a sig), with or without the medicine's name; "
        "`says` is a sentence to read back, `unread` the words that were not understood.",
        _input(["text"], text={"type": "string", "description": '"1 tab po bid prn", "NAME 500 mg every 8 hours for 7 days"'}),
        _output(text=_STRING, status={"enum": ["read", "partly", "unread"]}, says=_STRING, drug=_DRUG, dose={"type": "object"},
                frequency={"type": "object"}, route=_STRING, unread=_STRINGS, ask=_STRING, parts={"type": "array"}), _directions,
    ),
    Tool(
        "check_regimen", "Check a patient's medicines",
        "Checks what a patient takes, and what is proposed (`plan`), against written rules: interactions, contraindications, "
        "allergies, doses, kidneys, pregnancy, age, monitoring. `violated`: see findings, each with a task; `unknown`: ask the "
        "questions; `clear`: nothing found and nothing left open. Leave out what was not told; [] means told there is none.",
        _input(["patient"], CASE["$defs"], **_case_properties("id", "as_of", "patient", "plan"), role=_ROLE),
        _output(verdict={"enum": ["violated", "unknown", "clear"]}, as_of=_STRING, findings=_OBJECTS, questions=_STRINGS,
                unresolved=_STRINGS, holes=_STRINGS, due=_STRINGS, made_by=_STRING), _regimen,
    ),
    Tool(
        "check_dose", "Is the dose that is taken right?",
        "Whether what a patient says they take is right: CORRECT, HIGH, LOW or UNKNOWN against the prescription, else the label "
        "and the ceiling over all products; with the task for the patient and whom to call.",
        _input(["reported"], **_short(DOSE_REQUEST, prescribed=_ORDER, reported=_SAID)),
        _output(verdict={"enum": ["CORRECT", "HIGH", "LOW", "UNKNOWN"]}, axes={"type": "object"}, task=_STRING, ask=_STRING,
                escalate=_STRING, drug=_DRUG, limits=_OBJECTS, needs=_STRINGS), _dose,
    ),
    Tool(
        "assess_lab", "Where a test result lies",
        "Where a test result lies (low, normal, high, critical, implausible) for this patient, its trend, what medicines do to "
        "it, and what to do. Without a result: which tests are due.",
        _input([], **_short(LAB_REQUEST, history=_HISTORY)),
        _output(test={"type": ["string", "null"]}, value=_STRING, status=_STRING, range={"type": "object"}, trend=_STRING,
                task=_STRING, ask=_STRING, escalate=_STRING), _lab,
    ),
    Tool(
        "calculate", "Clinical arithmetic",
        "A published formula's value with its source. Without `formula`: which there are; without `inputs`: what one needs. What "
        "is not given counts as not told, and the answer says what is missing.",
        _input([], formula={"type": "string", "description": "id, e.g. crcl"},
               inputs={"type": "object", "description": 'amounts with units: {"weight": "81 kg", "age": "72 y"}'}),
        _output(formula=_STRING, value=_STRING, missing=_STRINGS, refused=_STRINGS, source=_STRING), _calculate,
    ),
    Tool(
        "explain", "Why a rule speaks, or does not",
        "A rule of a finding, as a card with reason and sources; with `patient` (and `plan`), step by step why it spoke for "
        "them, or did not.",
        _input(["rule"], rule={"type": "string", "description": "id from a finding"}, patient=_PATIENT,
               plan={"type": "array", "description": "as of check_regimen"}, as_of=AS_OF),
        _output(rule=_STRING, title=_STRING, verdict=_STRING, severity=_STRING, why=_STRING, sources=_STRINGS,
                trace=_OBJECTS), _explain,
    ),
    Tool(
        "coverage", "What is known of a medicine",
        "Which kinds of check can be made of each medicine, and which cannot (silence about those says nothing). Without "
        "`drugs`: how much knowledge there is, and its version.",
        _input([], drugs={"type": "array", "items": _STRING, "maxItems": _MOST_NAMES}),
        _output(drugs=_OBJECTS, counts={"type": "object"}, made_by={"type": "object"}), _coverage,
    ),
)  # fmt: skip
BY_NAME = {tool.name: tool for tool in TOOLS}


__all__ = ["BY_NAME", "ROOM", "TOOLS", "Tool", "call", "problems_of", "rule_of", "whole"]
