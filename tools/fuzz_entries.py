"""Every way into the engine, with real inputs for each: what the fuzzer starts from."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import yaml
from fuzz_making import text_of

import safety.engine
from safety.cli.main import EXIT_KNOWLEDGE
from safety.cli.main import main as command
from safety.engine import RECIPE, Engine
from safety.errors import KnowledgeError, RequestError
from safety.knowledge.snapshot import load_library
from safety.model.patient import Allergy
from safety.model.report import Report
from safety.serving.tools import BY_NAME, call
from safety.serving.work import Asked, answer

REPO = Path(__file__).resolve().parent.parent
DAY = date(2026, 11, 20)
CORPUS = REPO / "tests" / "faults" / "corpus"
"""Inputs that once broke something, or that reached code which no other did: one a line, in a file for each way in."""


class Entry(NamedTuple):
    """One way in: what it is called with, inputs that it takes, and what may be raised at a caller's slip."""

    ask: Callable[[Engine, Any], object]
    seeds: Sequence[Any]
    refuses: type[Exception] = RequestError


def lines(path: str) -> list[Any]:
    """The rows of a file of JSON lines."""
    text = (REPO / path).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def entries(engine: Engine) -> dict[str, Entry]:
    """Every entry point with real inputs."""
    labs = [row["request"] for row in lines("tests/labs/told.jsonl")]
    cases = [
        {"patient": {**r["patient"], "labs": [r["text"]] if r.get("text") else []}, "plan": []} for r in labs if "patient" in r
    ]
    cases += [{"patient": p.get("patient", {}), "plan": p.get("plan", [])} for p in lines("examples/plans.jsonl")]
    said = [s for s in (REPO / "examples/said.txt").read_text(encoding="utf-8").splitlines() if s.strip()]
    said += [r["text"] for r in labs if r.get("text")]
    sigs = [
        "1 po bid prn",
        "take 2 tablets every 4 to 6 hours as needed for pain",
        "5 mg Mon Wed Fri, 2.5 mg other days",
        *said[:40],
    ]
    record = json.loads((REPO / "examples/fhir-patient.json").read_text(encoding="utf-8"))
    names = ["met formin", "Percocet", "insulin glargine", "5-FU", "Tylenol #3", *said[:20]]
    doses = [
        {"prescribed": "furosemide 40 mg twice daily", "reported": said, "patient": {"age": "70 y"}} for said in
        ("I took 80 mg this morning", "two tablets, then one at night", "I missed Monday and doubled Tuesday", "")
    ]  # fmt: skip
    talk = [{"history": [], "said": text, "patient": {"medications": ["warfarin 5 mg daily"]}} for text in said]
    calls = [{"name": c.id, "inputs": {i.key: i.example for i in c.inputs}} for c in engine.calculators()]
    hook = {
        "hook": "order-sign",
        "hookInstance": "1",
        "context": {"patientId": "1", "draftOrders": record},
        "prefetch": {"p": record},
    }
    arguments = {
        "resolve_drug": [{"name": name} for name in names], "read_directions": [{"text": text} for text in sigs],
        "check_regimen": cases[:60], "check_dose": doses, "assess_lab": labs[:60],
        "calculate": [{"formula": c["name"], "inputs": c["inputs"]} for c in calls],
        "explain": [{"rule": "interaction.warfarin-nsaid", **case} for case in cases[:10]], "coverage": [{"drugs": names}],
    }  # fmt: skip
    tools = [{"name": name, "arguments": one} for name in BY_NAME for one in arguments[name]]
    return {
        **_of_text(cases, said, record),
        **_of_readers(names, sigs),
        **_of_files(cases, record, labs),
        "check": Entry(lambda e, v: e.check(v, DAY).to_json(), cases),
        "check_many": Entry(lambda e, v: [*e.check_many(v if isinstance(v, list) else [v], DAY)], [cases[:3], cases[3:6]]),
        "lab": Entry(lambda e, v: e.lab(v, DAY).to_json(), [*labs, *(r["text"] for r in labs if r.get("text"))]),
        "dose": Entry(lambda e, v: e.dose(v, DAY).to_json(), doses),
        "name": Entry(lambda e, v: msgspec.json.encode(e.name(text_of(v)).to_dict()), names),
        "sig": Entry(lambda e, v: e.sig(text_of(v)).to_json(), sigs),
        "extract": Entry(lambda e, v: msgspec.json.encode(e.extract(text_of(v)).to_dict()), said),
        "note": Entry(_note, said),
        "turn": Entry(_turn, talk),
        "calc": Entry(_calc, calls),
        "fhir": Entry(lambda e, v: e.check(e.fhir(v), DAY).to_json(), [record]),
        "cds": Entry(lambda e, v: no_failure(answer(e, Asked("cds/order-sign", body(v), DAY))), [hook]),
        "http": Entry(lambda e, v: no_failure(answer(e, Asked("check", body(v), DAY))), cases),
        "mcp": Entry(_mcp, tools),
    }


def _of_text(cases: Sequence[Any], said: Sequence[str], record: Any) -> dict[str, Entry]:
    """One line of a chart, or of what was said, in a patient of whom all else is told."""
    problems = [row["text"] for row in lines("tests/checking/problem_lines_sixth.jsonl")]
    medicines = [row["text"] for row in lines("tests/dosing/medication_lines_sixth.jsonl")]
    results = ["potassium 5.9 mmol/L on 2026-11-18", "INR 2.3", "148/88", "K 5.9 (H)", "platelets 18", "EF 30%", "HbA1c 7.2 %"]
    allergies = ["penicillin - anaphylaxis", "sulfa (rash 2019)", "NKDA", "latex", "ACE inhibitors: cough", "shellfish", "PCN?"]
    turns = [event["say"] for row in lines("tests/memory/turns.jsonl") for event in row["events"]]

    def listed(key: str) -> Callable[[Engine, Any], object]:
        return lambda e, v: e.check({"patient": {**PERSON, key: [v]}}, DAY).to_json()

    return {
        "problem": Entry(listed("conditions"), problems),
        "medicine": Entry(listed("medications"), medicines),
        "result": Entry(listed("labs"), results),
        "allergy": Entry(listed("allergies"), allergies),
        "nonsense": Entry(_never_clear, medicines),
        "statement": Entry(lambda e, v: e.reconcile(record, [text_of(v)], DAY), [*turns, *said]),
        "history": Entry(lambda e, v: e.events_said(text_of(v), DAY, 1), [*turns, *said]),
        "brief": Entry(lambda e, v: e.brief(v, DAY), cases),
    }


def _of_readers(names: Sequence[str], sigs: Sequence[str]) -> dict[str, Entry]:
    """The readers of a line by themselves, without the judging behind them: many more inputs in the same time."""
    problems = [row["text"] for row in lines("tests/checking/problem_lines_sixth.jsonl")]
    medicines = [row["text"] for row in lines("tests/dosing/medication_lines_sixth.jsonl")]
    results = [row["request"]["text"] for row in lines("tests/labs/told.jsonl") if row["request"].get("text")]
    return {
        "read_problem": Entry(_in_its_place, problems),
        "read_result": Entry(lambda e, v: e.checker.terms.result_lines.line(text_of(v), DAY), results),
        "read_allergy": Entry(
            lambda e, v: e.checker.terms.allergies.read(Allergy(text_of(v))), ["PCN - hives", "sulfa?", *names]
        ),
        "read_directions": Entry(lambda e, v: e.sig(text_of(v)), [*sigs, *medicines]),
        "read_name": Entry(lambda e, v: e.name(text_of(v)), [*names, *medicines]),
    }


def _in_its_place(engine: Engine, value: Any) -> object:
    """A problem line: whatever was read of it, or not, stands where it says that it does."""
    line = engine.checker.terms.problems.read(text_of(value))
    for one in (*line.heads, *line.rests):
        if line.text[one.start : one.end].strip() != one.text.strip():
            raise AssertionError(f"{one.text!r} does not stand at {one.start} to {one.end} of {line.text!r}")
    return line


def _of_files(cases: Sequence[Any], record: Any, labs: Sequence[Any]) -> dict[str, Entry]:
    """Files as people and programs write them, and the command line over them."""
    written = [(REPO / "examples" / name).read_text(encoding="utf-8") for name in ("knee-pain.yaml", "stuffy-nose.yaml")]
    rows = (REPO / "examples/plans.jsonl").read_text(encoding="utf-8")
    told = (REPO / "tests/memory/dialogues.yaml").read_text(encoding="utf-8")
    events = [yaml.safe_dump({"events": one["events"]}) for one in yaml.safe_load(told)[:40]]
    rules = [
        re.sub(r"(?m)^id: .*$", "id: interaction.own", path.read_text(encoding="utf-8"), count=1)
        for path in sorted((REPO / "tests/broken/base/rules/interactions").glob("*.yaml"))
    ]
    lab = [row["text"] for row in labs if row.get("text")][:20]
    commands: list[Any] = [
        *(
            {"run": ["check", FILE, "--as-of", "2026-11-20", *more], "file": text}
            for text in written
            for more in ([], ["--json"])
        ),
        {"run": ["check", "--fhir", FILE, "--as-of", "2026-11-20"], "file": json.dumps(record)},
        {"run": ["score", FILE, "--out", "out", "--workers", "1", "--resamples", "0", "--as-of", "2026-11-20"], "file": rows},
        *({"run": ["timeline", FILE, "--at", "2026-03-08"], "file": text} for text in events[:5]),
        *({"run": ["lab", text, "--as-of", "2026-11-20"], "file": ""} for text in lab),
        *({"run": ["name", name], "file": ""} for name in ("met formin", "Tylenol #3", "insulin")),
        {"run": ["calc", "creatinine-clearance"], "file": ""},
        {"run": ["show", "warfarin"], "file": ""},
        {"run": ["extract", FILE], "file": "I take warfarin 5 mg and ibuprofen."},
    ]
    return {
        "yaml": Entry(lambda e, v: e.check(text_of(v), DAY).to_json(), [*written, *(json.dumps(case) for case in cases[:10])]),
        "events": Entry(lambda e, v: e.remember(text_of(v)).belief(DAY), events),
        "overlay": Entry(_overlaid, rules, KnowledgeError),
        "command": Entry(_command, commands),
    }


PERSON: dict[str, Any] = {
    "allergies": [], "conditions": [], "labs": [], "vitals": [], "intake": [], "diet_limits": [], "genes": [], "procedures": [],
    "devices": [], "vaccines": [], "medications": [],
    "age": "50 y", "sex": "male", "weight": "80 kg", "height": "178 cm",
}  # fmt: skip
FILE = "FILE"
"""Stands for the path of the file of a command."""
NONSENSE = "qzxglorply"


def _note(engine: Engine, value: Any) -> None:
    """A note is checked, and never clear."""
    assert engine.check(engine.note(text_of(value)), DAY).verdict != "clear"


def _never_clear(engine: Engine, value: Any) -> object:
    """A line with a word of no meaning in it: whatever else it says, it is not clear."""
    line = f"{text_of(value)} {NONSENSE}"
    report: Report = engine.check({"patient": {**PERSON, "medications": ["loratadine 10 mg daily", line]}}, DAY)
    if report.verdict == "clear":
        raise AssertionError(f"clear over {line!r}")
    return report.to_json()


def _overlaid(_: Engine, value: Any) -> object:
    """A file of a site over a small base of knowledge."""
    sys.path.insert(0, str(REPO / "tests"))
    from broken.laying import BARE

    with tempfile.TemporaryDirectory(prefix="medsafe-fuzz-") as folder:
        path = Path(folder) / "rules" / "interactions" / "own.yaml"
        path.parent.mkdir(parents=True)
        path.write_bytes(text_of(value).encode("utf-8", "surrogatepass"))
        return load_library(BARE, [Path(folder)], None, RECIPE)


def _command(engine: Engine, value: Any) -> object:
    """A command over a file, in a folder of its own: it ends with a code that is not ours to mend, and shows no traceback."""
    told = _with(value, "run", "file")
    if not told or not isinstance(told["run"], list) or text_of(next(iter(told["run"]), "")) not in _COMMANDS:
        return None
    with _in_a_folder() as folder, _loading(engine):
        (folder / "told").write_bytes(text_of(told["file"]).encode("utf-8", "surrogatepass"))
        given = [text_of(word).replace("\x00", "") for word in told["run"]]
        out, err = io.TextIOWrapper(io.BytesIO()), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), _nobody_types():
            try:
                command([str(folder / "told") if word == FILE else word for word in given])
            except SystemExit as ended:
                if ended.code == EXIT_KNOWLEDGE or "Traceback" in err.getvalue():
                    raise AssertionError(f"exit {ended.code}: {err.getvalue()}") from None
    return None


_COMMANDS = frozenset({"check", "score", "timeline", "lab", "name", "calc", "show", "extract"})
"""Not `sql`: it builds its tables anew each time, and what may be asked of it has tests of its own."""


@contextlib.contextmanager
def _in_a_folder() -> Iterator[Path]:
    """A folder to work in, away again afterwards."""
    folder, before = Path(tempfile.mkdtemp(prefix="medsafe-fuzz-")), Path.cwd()
    try:
        with contextlib.chdir(folder):
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        assert Path.cwd() == before


@contextlib.contextmanager
def _nobody_types() -> Iterator[None]:
    """Standard input is at its end: a command that reads it does not wait."""
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO())
    try:
        yield
    finally:
        sys.stdin = before


@contextlib.contextmanager
def _loading(engine: Engine) -> Iterator[None]:
    """Every command takes the engine that is there: loading it anew would be all that was tried."""
    before = safety.engine.Loading.__call__
    safety.engine.Loading.__call__ = lambda _: engine  # type: ignore[method-assign]
    try:
        yield
    finally:
        safety.engine.Loading.__call__ = before  # type: ignore[method-assign]


def _turn(engine: Engine, value: Any) -> object:
    told = _with(value, "history", "said", "patient")
    return told and msgspec.json.encode(engine.turn(told["history"], told["said"], told["patient"], DAY))


def _calc(engine: Engine, value: Any) -> object:
    told = _with(value, "name", "inputs")
    named = told and isinstance(told["inputs"], dict) and all(isinstance(key, str) and key for key in told["inputs"])
    return msgspec.json.encode(engine.calc(told["name"], **told["inputs"]).to_dict()) if named else None


def _mcp(engine: Engine, value: Any) -> object:
    told = _with(value, "name", "arguments")
    named = told and isinstance(told["name"], str) and isinstance(told["arguments"], dict) and told["name"] in BY_NAME
    return call(engine, told["name"], told["arguments"], DAY) if named else None


def _with(value: Any, *keys: str) -> Any:
    """A value that has what the call cannot be written without; else nothing is asked."""
    return value if isinstance(value, dict) and all(key in value for key in keys) else None


def body(value: Any) -> bytes:
    """A value as a body of HTTP."""
    return json.dumps(value, default=str).encode("utf-8", "surrogatepass")


def no_failure(told: Any) -> Any:
    """An answer whose status says that we failed is a failure."""
    if told.status >= 500:
        raise AssertionError(told.body.decode())
    return told
