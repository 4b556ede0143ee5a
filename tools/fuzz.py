"""Fuzz every entry point for so long: whatever is sent, the answer is an answer or a RequestError, never another failure.

    python tools/fuzz.py [--seconds 600] [--only lab --only turn] [--seed 1] [--show-slowest]

Inputs are made from real ones (examples and the written cases of tests/): values swapped, dropped, doubled, nested and replaced
with what breaks readers; texts cut, spliced, repeated and sprinkled with odd characters. The same seed makes the same inputs.
A failure is printed with its input, made as small as it stays one. Exit code 1 where anything failed.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import time
import traceback
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import safety
from safety.engine import Engine
from safety.errors import RequestError
from safety.serving.tools import BY_NAME, call
from safety.serving.work import Asked, answer

REPO = Path(__file__).resolve().parent.parent
DAY = date(2026, 11, 20)
JUNK: tuple[Any, ...] = (
    None, True, False, 0, -1, 1e308, -1e-320, 10**40, float("inf"), float("nan"), "", " ", "\x00", "\ud800", "💊" * 3, "ß", "½",
    "٣", "1e999", "-", "null", "[]", "{}", "9" * 400, "a" * 3000, "((((", "\n\n;;,,", "2026-13-45", "0000-00-00", [], {}, [[]],
    {"": ""}, [None], {"drug": {}}, {"$ref": "#"}, "five point point six", "12O/8O", "1/0", "%s%n", "../../etc/passwd",
)  # fmt: skip
ODD = "\x00\x1b\u200b\u202e\ufeff½²µ→≥'\"`;:,.()[]{}<>|/\\-+*=%0123456789 \n\tİıßﬁ💊"
_LONGEST = 20_000
_DEEPEST = 40
_IN_WORDS = 0.8
"""So often only words are changed: what is wrongly built is refused before anything is read."""


class Entry(NamedTuple):
    """One way in: what it is called, and inputs that it takes."""

    ask: Callable[[Engine, Any], object]
    seeds: Sequence[Any]


class Outcome(NamedTuple):
    """What came of fuzzing one way in; `slowest`: the most seconds of a processor that one input took, and which."""

    tried: int
    refused: int
    slowest: float
    slowest_input: Any
    failure: str = ""


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
        "check": Entry(lambda e, v: e.check(v, DAY).to_json(), cases),
        "check_many": Entry(lambda e, v: [*e.check_many(v if isinstance(v, list) else [v], DAY)], [cases[:3], cases[3:6]]),
        "lab": Entry(lambda e, v: e.lab(v, DAY).to_json(), [*labs, *(r["text"] for r in labs if r.get("text"))]),
        "dose": Entry(lambda e, v: e.dose(v, DAY).to_json(), doses),
        "name": Entry(lambda e, v: msgspec.json.encode(e.name(text_of(v)).to_dict()), names),
        "sig": Entry(lambda e, v: e.sig(text_of(v)).to_json(), sigs),
        "extract": Entry(lambda e, v: msgspec.json.encode(e.extract(text_of(v)).to_dict()), said),
        "turn": Entry(_turn, talk),
        "calc": Entry(_calc, calls),
        "fhir": Entry(lambda e, v: e.check(e.fhir(v), DAY).to_json(), [record]),
        "cds": Entry(lambda e, v: no_failure(answer(e, Asked("cds/order-sign", body(v), DAY))), [hook]),
        "http": Entry(lambda e, v: no_failure(answer(e, Asked("check", body(v), DAY))), cases),
        "mcp": Entry(_mcp, tools),
    }


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


def text_of(value: Any) -> str:
    """Text stays text; anything else as it would be written."""
    return value if isinstance(value, str) else json.dumps(value, default=str)


def body(value: Any) -> bytes:
    """A value as a body of HTTP."""
    return json.dumps(value, default=str).encode("utf-8", "surrogatepass")


def no_failure(told: Any) -> Any:
    """An answer whose status says that we failed is a failure."""
    if told.status >= 500:
        raise AssertionError(told.body.decode())
    return told


# --- making inputs ---


def mutated(value: Any, dice: random.Random, keep: frozenset[str], deep: int = 0) -> Any:
    """A value with something about it changed; what stands under the keys `keep` at the top keeps its kind."""
    if isinstance(value, str):
        return mutated_text(value, dice)
    if deep == 0 and dice.random() < _IN_WORDS and (places := texts(value)):
        return with_text(value, dice.choice(places), dice)
    if deep > _DEEPEST or not isinstance(value, dict | list) or not value:
        return copy.deepcopy(dice.choice(JUNK))
    found = copy.copy(value)
    at = dice.choice(list(found) if isinstance(found, dict) else range(len(found)))
    what = dice.random()
    if deep == 0 and isinstance(found, dict) and at in keep:
        what = 0.0
    if what < 0.7:
        found[at] = mutated(found[at], dice, frozenset(), deep + 1)
    elif what < 0.8:
        del found[at]
    elif what < 0.9 and isinstance(found, list):
        found.append(copy.deepcopy(found[at]))
    elif what < 0.95:
        found[at] = [found[at]] * dice.randint(1, 30)
    else:
        found[at] = copy.deepcopy(dice.choice(JUNK))
    return found


def texts(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where words stand in a value."""
    if isinstance(value, str):
        return [path]
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, item in inner for found in texts(item, (*path, key))][:500]


def with_text(value: Any, path: Sequence[Any], dice: random.Random) -> Any:
    """The value with the words at one place changed."""
    if not path:
        return mutated_text(value, dice)
    found = copy.copy(value)
    found[path[0]] = with_text(found[path[0]], path[1:], dice)
    return found


def mutated_text(text: str, dice: random.Random) -> str:
    """A text cut, doubled, spliced with itself, or with odd characters in it."""
    found = list(text[:_LONGEST])
    for _ in range(dice.randint(1, 4)):
        at = dice.randint(0, len(found))
        what = dice.random()
        if what < 0.5:
            found[at:at] = dice.choice(ODD) * dice.choice((1, 1, 1, 3, 40))
        elif what < 0.7:
            del found[at : at + dice.randint(1, 8)]
        elif what < 0.9:
            begin = dice.randint(0, len(found))
            found[at:at] = found[begin : begin + dice.randint(1, 40)]
        else:
            found[at:at] = list(text_of(dice.choice(JUNK)))
    return "".join(found)[:_LONGEST]


def smaller(value: Any) -> Sequence[Any]:
    """The same input with one part less."""
    if isinstance(value, dict):
        return [{k: v for k, v in value.items() if k != key} for key in value] + [
            {**value, key: less} for key, inner in value.items() for less in smaller(inner)
        ]
    if isinstance(value, list):
        return [value[:n] + value[n + 1 :] for n in range(len(value))] + [
            [*value[:n], less, *value[n + 1 :]] for n, inner in enumerate(value) for less in smaller(inner)
        ]
    if isinstance(value, str) and len(value) > 1:
        half = len(value) // 2
        return [value[:half], value[half:], *(value[:n] + value[n + 1 :] for n in range(min(len(value), 60)))]
    return []


# --- running ---


_KEEP = frozenset({"name", "arguments", "inputs", "history", "said", "patient", "hook"})
"""What a caller of the Python calls cannot leave out."""


def failure(entry: Entry, engine: Engine, value: Any) -> str:
    """What broke; empty where the answer was an answer or a refusal."""
    try:
        entry.ask(engine, value)
    except RequestError:
        return "refused"
    except Exception:
        return traceback.format_exc()
    return ""


def least(entry: Entry, engine: Engine, value: Any, seconds: float = 20) -> Any:
    """The failing input made small, as long as it fails."""
    until = time.perf_counter() + seconds
    again = True
    while again and time.perf_counter() < until:
        again = False
        for less in smaller(value):
            if failure(entry, engine, less) not in ("", "refused"):
                value, again = less, True
                break
            if time.perf_counter() > until:
                break
    return value


def fuzz(name: str, entry: Entry, engine: Engine, seconds: float, seed: int) -> Outcome:
    """Inputs for so many seconds, or until one fails."""
    dice = random.Random(f"{seed} {name}")
    keep = _KEEP if name in ("turn", "calc", "mcp") else frozenset()
    until, tried, refused, slowest, slow = time.perf_counter() + seconds, 0, 0, 0.0, None
    while time.perf_counter() < until:
        value = copy.deepcopy(dice.choice(entry.seeds))
        for _ in range(dice.randint(1, 3)):
            value = mutated(value, dice, keep)
        began = time.process_time()
        why = failure(entry, engine, value)
        took = time.process_time() - began
        if took > slowest:
            slowest, slow = took, value
        tried, refused = tried + 1, refused + (why == "refused")
        if why not in ("", "refused"):
            value = least(entry, engine, value)
            return Outcome(tried, refused, slowest, slow, f"{value!r}\n{failure(entry, engine, value)}")
    return Outcome(tried, refused, slowest, slow)


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600, help="for each entry point")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--show-slowest", action="store_true", help="print the input that took longest")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    engine, failed = safety.load(), 0
    for name, entry in entries(engine).items():
        if asked.only and name not in asked.only:
            continue
        came = fuzz(name, entry, engine, asked.seconds, asked.seed)
        print(f"{name:<11}{came.tried:>8} tried {came.refused:>8} refused, slowest {1000 * came.slowest:>7.0f} ms", flush=True)
        if asked.show_slowest:
            print(repr(came.slowest_input), flush=True)
        if came.failure:
            failed += 1
            print(came.failure, flush=True)
    raise SystemExit(failed > 0)


if __name__ == "__main__":
    main()
