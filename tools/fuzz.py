"""Fuzz every entry point for so long: whatever is sent, the answer is an answer or a refusal, never another failure.

    python tools/fuzz.py [--seconds 180] [--only lab --only history] [--seed 1] [--show-slowest]

First come the inputs that are kept in tests/faults/corpus/ (what once broke something, and what tools/fuzz_guided.py found to
reach code that no other input reached), then inputs made from real ones (examples and the written cases of tests/): values
swapped, dropped, doubled, nested and replaced with what breaks readers; texts cut, spliced, repeated and sprinkled with odd
characters. The seconds are shared by the entry points. The same seed makes the same inputs. Besides not failing, nothing may be
printed or logged, no input may take a process more than two seconds or 50 MB, and a word of no meaning is never `clear`.
A failure is printed with its input, made as small as it stays one. Exit code 1 where anything failed.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import io
import json
import logging
import random
import resource
import sys
import time
import traceback
from collections.abc import Iterator
from typing import Any, NamedTuple

from fuzz_entries import CORPUS, Entry, entries
from fuzz_making import mutated, smaller

import safety
from safety.engine import Engine

_KEEP = frozenset({"name", "arguments", "inputs", "history", "said", "patient", "hook", "run", "file"})
"""What a caller of the Python calls cannot leave out."""
_SLOW, _HANGS, _MUCH = 0.05, 2.0, 50 * 1024
"""Seconds of a processor that one input should take, and that it may take; how much it may add to the memory, in kB."""


class Outcome(NamedTuple):
    """What came of fuzzing one way in; `slowest`: the most seconds of a processor that one input took, and which."""

    tried: int
    refused: int
    slow: int
    slowest: float
    slowest_input: Any
    failure: str = ""


def kept(name: str) -> list[Any]:
    """The inputs that are kept for a way in."""
    path = CORPUS / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []


class _Heard(logging.Handler):
    """Whatever is logged, by whomever."""

    def __init__(self, into: io.StringIO) -> None:
        super().__init__(logging.DEBUG)
        self.into = into

    def emit(self, record: logging.LogRecord) -> None:
        self.into.write(record.getMessage())


@contextlib.contextmanager
def silent() -> Iterator[io.StringIO]:
    """What is printed or logged in the meantime."""
    heard = io.StringIO()
    handler = _Heard(heard)
    logging.getLogger().addHandler(handler)
    try:
        with contextlib.redirect_stdout(heard), contextlib.redirect_stderr(heard):
            yield heard
    finally:
        logging.getLogger().removeHandler(handler)


def failure(entry: Entry, engine: Engine, value: Any) -> str:
    """What broke; empty where the answer was an answer or a refusal."""
    try:
        with silent() as heard:
            entry.ask(engine, value)
    except entry.refuses:
        return "refused"
    except Exception:
        return traceback.format_exc()
    return f"it was printed or logged: {heard.getvalue()}" if heard.getvalue() else ""


def weighed(entry: Entry, engine: Engine, value: Any) -> tuple[str, float]:
    """What broke, and how many seconds of a processor it took; too much time or memory is a failure."""
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    why = failure(entry, engine, value)
    took = time.process_time() - began
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    if took > _HANGS:
        why = f"it took {took:.1f} s"
    elif more > _MUCH:
        why = f"it took {more // 1024} MB"
    return why, took


def least(entry: Entry, engine: Engine, value: Any, seconds: float = 20) -> Any:
    """The failing input made small, as long as it fails."""
    until = time.perf_counter() + seconds
    again = True
    while again and time.perf_counter() < until:
        again = False
        for less in smaller(value):
            if weighed(entry, engine, less)[0] not in ("", "refused"):
                value, again = less, True
                break
            if time.perf_counter() > until:
                break
    return value


def inputs(name: str, entry: Entry, seed: int) -> Iterator[Any]:
    """What is kept, then what is made, without end."""
    held, dice = kept(name), random.Random(f"{seed} {name}")
    yield from held
    sources = [*entry.seeds, *held]
    while True:
        value = copy.deepcopy(dice.choice(sources))
        for _ in range(dice.randint(1, 3)):
            value = mutated(value, dice, keeps(name))
        yield value


def keeps(name: str) -> frozenset[str]:
    """The keys that an input of this way in cannot be without."""
    return _KEEP if name in ("turn", "calc", "mcp", "command") else frozenset()


def _of_each_command(entry: Entry) -> list[Any]:
    """The first input of each command, which loads what it alone needs; none where commands are not what is asked."""
    return list({value["run"][0]: value for value in entry.seeds if isinstance(value, dict) and value.get("run")}.values())


def fuzz(name: str, entry: Entry, engine: Engine, seconds: float, seed: int) -> Outcome:
    """Inputs for so many seconds, or until one fails."""
    for value in [*entry.seeds[:3], *_of_each_command(entry)]:
        failure(entry, engine, value)  # what is made once for all is no input's doing
    until, tried, refused, slow, slowest, which = time.perf_counter() + seconds, 0, 0, 0, 0.0, None
    for value in inputs(name, entry, seed):
        why, took = weighed(entry, engine, value)
        if took > slowest:
            slowest, which = took, value
        tried, refused, slow = tried + 1, refused + (why == "refused"), slow + (took > _SLOW)
        if why not in ("", "refused"):
            value = least(entry, engine, value)
            return Outcome(tried, refused, slow, slowest, which, f"{value!r}\n{weighed(entry, engine, value)[0] or why}")
        if time.perf_counter() > until:
            break
    return Outcome(tried, refused, slow, slowest, which)


def main() -> int:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=180, help="in all")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--show-slowest", action="store_true", help="print the input that took longest")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    engine = safety.load()
    ways = {name: entry for name, entry in entries(engine).items() if not asked.only or name in asked.only}
    all_tried = failed = 0
    for name, entry in ways.items():
        came = fuzz(name, entry, engine, asked.seconds / len(ways), asked.seed)
        told = f"{came.tried:>9,} tried {came.refused:>9,} refused {came.slow:>6,} over 50 ms"
        print(f"{name:<12}{told}, slowest {1000 * came.slowest:>6.0f} ms", flush=True)
        all_tried += came.tried
        if asked.show_slowest:
            print(repr(came.slowest_input), flush=True)
        if came.failure:
            failed += 1
            print(came.failure, flush=True)
    print(f"{all_tried:,} inputs at {len(ways)} ways in, seed {asked.seed}, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
