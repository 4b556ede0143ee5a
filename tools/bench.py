"""Speed, as medians on this machine and as ratios to a baseline measured in the same run.

    python tools/bench.py [--json] [--only PART]        parts: loading, growing, checking, reading, remembering, commands, scoring

Baselines: a bare `python -c pass` for whole processes and for memory; decoding the same case with msgspec for one check.
Targets are those of the issue that asked for them; the machine is shared, so the ratio is the steadier figure.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from measuring.growing import grown

import safety
from safety.answering.checker import Checker
from safety.engine import RECIPE, as_case
from safety.knowledge.collecting import base_folder, collect, look
from safety.knowledge.compiling import compile_folder
from safety.knowledge.library import Library
from safety.knowledge.memory import DERIVED, LIBRARY
from safety.knowledge.resting import let_collector_rest
from safety.knowledge.snapshot import SHIPPED, opened, snapshot_of
from safety.knowledge.store import Store, Writer, write_value
from safety.memory.events import Event
from safety.memory.store import EventStore
from safety.model.patient import Medication
from safety.scoring.bench import Bench
from safety.scoring.by_pairs import ByPairs
from safety.scoring.plans import plan_of
from safety.scoring.scorer import Scorer

RUNS = 15
PROCESS_RUNS = 5
"""Whole processes take seconds and vary little: five are enough."""
REPO = Path(__file__).resolve().parent.parent
TEN: dict[str, object] = {
    "as_of": "2026-11-20",
    "patient": {
        "age": "72 y",
        "sex": "female",
        "weight": "81 kg",
        "conditions": ["hypertension", "type 2 diabetes", "atrial fibrillation", "hypothyroidism"],
        "allergies": [{"to": "penicillin", "reaction": "rash"}],
        "labs": [
            {"test": "eGFR", "value": 62, "unit": "mL/min/1.73m2", "on": "2026-11-02"},
            {"test": "potassium", "value": 4.4, "unit": "mmol/L", "on": "2026-11-02"},
        ],
        "medications": [
            "lisinopril 20 mg by mouth once daily",
            "amlodipine 5 mg once daily",
            "metformin 500 mg twice daily",
            "atorvastatin 40 mg at bedtime",
            "apixaban 5 mg twice daily",
            "metoprolol succinate 50 mg once daily",
            "levothyroxine 75 mcg every morning",
            "omeprazole 20 mg once daily",
            "gabapentin 300 mg three times daily",
            "acetaminophen 500 mg every 6 hours as needed",
        ],
    },
}


def median_ms(run: Callable[[], object], runs: int = RUNS) -> float:
    """Median of several runs in milliseconds, after one that is not counted."""
    run()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def process(*command: str, **more: str) -> Callable[[], object]:
    """A whole process as something to time."""
    return lambda: subprocess.run(command, check=False, capture_output=True, cwd=REPO, env={**os.environ, **more})


def of_process(*command: str, **more: str) -> float:
    """Median of a few runs of a whole process in milliseconds."""
    return median_ms(process(*command, **more), PROCESS_RUNS)


PEAK = """
import re, resource, sys
try:
    with open("/proc/self/status") as status:
        print(int(re.search(r"VmHWM:\\s+(\\d+) kB", status.read())[1]))
except OSError:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1))
"""
"""Says the most memory that its process held, in KiB. (On Linux `ru_maxrss` counts what the parent held, too.)"""


def peak_mb(program: str, *arguments: str) -> float:
    """The most memory that a fresh process holds while it runs a program; median of five."""
    command = [sys.executable, "-c", program + PEAK, *arguments]
    ran = [subprocess.run(command, check=True, capture_output=True, text=True, cwd=REPO).stdout for _ in range(5)]
    return statistics.median(int(out.split()[-1]) for out in ran) / 1024


def _renamed(n: int) -> dict[str, object]:
    """The ten-medication case with every line worded so that none has been read before."""
    patient = dict(TEN["patient"])  # type: ignore[call-overload]
    patient["medications"] = [f"{line} for {n} days" for line in patient["medications"]]
    return {**TEN, "patient": patient}


@dataclass
class Row:
    """One figure: what, how much in which unit, the target, and the ratio to which baseline."""

    what: str
    value: float
    unit: str
    target: float | None
    ratio: float
    baseline: str


class Rows:
    """Figures, each beside its baseline."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.bases: dict[str, float] = {}

    def base(self, name: str, value: float) -> None:
        """What the following figures are compared with."""
        self.bases[name] = value

    def add(self, what: str, value: float, target: float | None, base: str, unit: str = "ms") -> None:
        """One figure."""
        self.rows.append(Row(what, value, unit, target, value / self.bases[base], base))


PASS, MEMORY, DECODING = "python -c pass", "python -c pass, its memory", "decoding the case's JSON"
LOADED = "import sys, safety; safety.load(base=sys.argv[1], cache=sys.argv[2] or None)"


def loading(rows: Rows) -> None:
    """From nothing to an engine: time and memory, with and without what is kept in the cache."""
    python, base = sys.executable, str(base_folder())
    with tempfile.TemporaryDirectory() as folder:
        cache = str(Path(folder) / "cache")
        safety.load(base=base, cache=cache)
        rows.add("import safety and load, fresh process", of_process(python, "-c", LOADED, base, cache), 250, PASS)
        rows.add("import safety alone, fresh process", of_process(python, "-c", "import safety"), None, PASS)
        rows.add("  memory: import safety and load", peak_mb(LOADED, base, cache), 60, MEMORY, "MB")
        rows.add("  memory: import safety alone", peak_mb("import safety"), None, MEMORY, "MB")
        rows.add("load from a warm snapshot, in process", median_ms(lambda: safety.load(base=base, cache=cache)), None, PASS)
        rows.add("  of it: looking at every file", median_ms(lambda: look(Path(base))), None, PASS)
        rows.add("  without a note: reading every file", median_ms(lambda: collect(Path(base))), None, PASS)
        installed = Path(folder) / "installed"
        for top in ("kb", "rules"):
            shutil.copytree(Path(base) / top, installed / top)
        (installed / SHIPPED).write_bytes(snapshot_of(installed, RECIPE))
        rows.add("installed, first start (no cache)", of_process(python, "-c", LOADED, str(installed), ""), 1000, PASS)
        rows.add("  memory: installed, first start", peak_mb(LOADED, str(installed), ""), 60, MEMORY, "MB")
    rows.add("compiling everything", median_ms(lambda: compile_folder(Path(base)), 3), None, PASS)


def growing(rows: Rows) -> None:
    """What ten times the rules cost to load: time in this process, memory in a fresh one."""
    with tempfile.TemporaryDirectory() as folder:
        for times in (1, 10):
            path = Path(folder) / f"{times}{SHIPPED}"
            path.write_bytes(stored(grown(safety.load().library, times)))
            rows.add(f"opening a snapshot with {times} x the rules", median_ms(lambda p=path: opened(Store.open(p))), None, PASS)
            program = (
                "import sys; from pathlib import Path; from safety.answering.checker import Checker;"
                "from safety.knowledge.snapshot import opened; from safety.knowledge.store import Store;"
                "c = Checker(opened(Store.open(Path(sys.argv[1]))).library, '0')"
            )
            rows.add("  memory: an engine on it", peak_mb(program, str(path)), None, MEMORY, "MB")


def stored(library: Library) -> bytes:
    """A library as a snapshot holds it."""
    writer = Writer("bench")
    write_value(writer, LIBRARY, library)
    for derived in RECIPE.derived:
        write_value(writer, DERIVED + derived.name, library.derived(derived))
    return writer.whole()


def checking(rows: Rows) -> None:
    """What one answer costs."""
    engine = safety.load()
    case = as_case(json.dumps(TEN))
    encoded = msgspec.json.encode(TEN)
    rows.base(DECODING, median_ms(lambda: [msgspec.json.decode(encoded) for _ in range(100)]) / 100)
    one = median_ms(lambda: engine.check(case), 200)
    rows.base("one check, 10 medications", one)
    rows.add("one check, 10 medications", one, 0.7, DECODING)
    fresh_cases = iter([as_case(_renamed(n)) for n in range(220)])
    rows.add("  with lines never seen before", median_ms(lambda: engine.check(next(fresh_cases)), 200), 1.2, DECODING)
    many = Checker(grown(engine.library, 10), "bench")
    day = date(2026, 11, 20)
    rows.add("  with ten times the rules", median_ms(lambda: many.check(case, day), 200), None, "one check, 10 medications")
    rows.add("the same from a dict", median_ms(lambda: engine.check(TEN), 200), None, DECODING)
    said = {"patient": {"age": "70 y"}, "prescribed": "furosemide 40 mg twice daily", "reported": "I take 80 mg in the morning"}
    rows.add("one dose statement", median_ms(lambda: engine.dose(said, "2026-11-20"), 200), None, DECODING)
    rows.add("one exact name", median_ms(lambda: engine.name("warfarin"), 500), None, DECODING)


LINES = 300
LONGEST_NAME = 24
"""Names of so many letters at most are spelt wrong for a guess."""


def reading(rows: Rows) -> None:
    """What one line costs that was never seen before, each of another medicine, test or problem; processor time, not waiting."""
    engine = safety.load()
    terms, library = engine.checker.terms, engine.library
    drugs = [d for d in library.drugs if d.strengths and d.name.isalpha() and 6 <= len(d.name) <= LONGEST_NAME][: 2 * LINES]
    exact = [f"{d.name} {d.strengths[0]} by mouth twice daily as needed for pain" for d in drugs[::2]]
    slips = [f"{d.name[:3]}{d.name[4:]} {d.strengths[0]} by mouth twice daily" for d in drugs[1::2]]
    results = [f"{lab.name} {n}.4, repeat {n + 1}.2 on 11/2" for n, lab in enumerate(library.labs, 3)]
    problems = [f"h/o {c.name} 2019, on treatment" for c in library.conditions[:LINES]]
    day = date(2026, 11, 20)

    def medication(line: str) -> object:
        return terms.meaning_of(Medication(line))

    def result(line: str) -> object:
        return terms.result_lines.line(line, day)

    medication("warfarin 5 mg daily, started 10/2"), medication("warfrin 5 mg daily")  # what is made at the first line of a kind
    result("K 5.9 on 11/2"), terms.problems.read("h/o gout 2019")
    kinds: list[tuple[str, list[str], Callable[[str], object]]] = [
        ("a line of a medicine", exact, medication),
        ("  with its name spelt wrong", slips, medication),
        ("a line of results", results, result),
        ("a line of the problem list", problems, terms.problems.read),
    ]
    rows.base("a bare loop", median_ms(lambda: sum(n & 3 for n in range(5000)), 200))
    for what, lines, read in kinds:
        times = []
        for line in lines:
            start = time.thread_time()
            read(line)
            times.append((time.thread_time() - start) * 1000)
        rows.add(f"{what} ({len(lines)} different)", statistics.median(times), 0.3, "a bare loop")


EVENTS = 10_000


def _history(library: Library, count: int) -> list[Event]:
    """One patient over fourteen years: some 60 medicines that come, change, are held and go, and results in between."""
    drugs = [d.name for d in library.drugs if d.strengths and d.name.isalpha()][:60]
    acts = ("started", "taking", "changed", "irregular", "taking", "held", "resumed", "asks", "stopped", "denies")
    first = date(2012, 1, 1)
    events = []
    for n in range(count):
        told = first + timedelta(days=n // 2)
        if n % 4 == 3:
            made = Event(
                f"e{n}", n + 1, told, "record", "measured", test=("potassium", "A1c", "INR")[n // 4 % 3], value=f"{n % 40 + 30}"
            )
        else:
            amount = (5, 10, 20)[n // 7 % 3]
            told_of = Medication(f"{drugs[n % len(drugs)]} {amount} mg once daily")
            made = Event(f"e{n}", n + 1, told, "patient", acts[n // len(drugs) % len(acts)], told_of)
        events.append(made)
    return events


def of_thread(run: Callable[[], object]) -> float:
    """Median of 200 runs in milliseconds of processor time, not of waiting, each of another day."""
    times = []
    for _ in range(200):
        start = time.thread_time()
        run()
        times.append((time.thread_time() - start) * 1000)
    return statistics.median(times)


def remembering(rows: Rows) -> None:
    """What is asked of one patient's history of 10,000 events."""
    engine = safety.load()
    events = _history(engine.library, EVENTS)
    memory = engine.remember(events)
    days = [date(2012, 6, 1) + timedelta(days=d) for d in range(0, 4900, 35)]
    rows.base("a bare loop", median_ms(lambda: sum(n & 3 for n in range(5000)), 200))
    asked = iter([(d, t) for d in days for t in (None, EVENTS // 2, EVENTS // 3)] * 4)

    def as_of() -> object:
        day, turn = next(asked)
        return memory.belief(day, turn).lines

    def of_one() -> object:
        day, turn = next(asked)
        return memory.belief(day, turn).medicine(str(events[0].medicine.text)).slot("taking")  # type: ignore[union-attr]

    rows.add(f"everything as of a day, of {EVENTS:,} events", of_thread(as_of), 5, "a bare loop")
    rows.add("one medicine as of a day", of_thread(of_one), 5, "a bare loop")
    rows.add("the history read from its events", median_ms(lambda: engine.remember(events), 3), None, "a bare loop")
    with tempfile.TemporaryDirectory() as folder, EventStore(Path(folder) / "m.duckdb") as store:
        store.add("p", events)
        more = iter(_history(engine.library, EVENTS + 40)[EVENTS:])
        rows.add("one event added and durable", median_ms(lambda: store.add("p", [next(more)]), 30), None, "a bare loop")
        rows.add("all events read from the store", median_ms(lambda: store.events("p"), 3), None, "a bare loop")


def commands(rows: Rows) -> None:
    """What a user waits for."""
    medsafe = str(Path(sys.executable).with_name("medsafe"))
    example, rule = "examples/knee-pain.yaml", "rules/interactions/warfarin-nsaid.yaml"
    rows.add("medsafe check, whole process", of_process(medsafe, "check", example), 800, PASS)
    rows.add("medsafe check --json, whole process", of_process(medsafe, "check", example, "--json"), 800, PASS)
    rows.add("medsafe lint of one file", of_process(medsafe, "lint", rule), 1000, PASS)
    rows.add("medsafe test of one rule", of_process(medsafe, "test", "interaction.warfarin-nsaid"), 1000, PASS)
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        path = site / rule
        path.parent.mkdir(parents=True)
        lint = process(medsafe, "lint", str(site), MEDSAFE_CACHE=str(Path(folder) / "cache"))
        process(medsafe, "lint", rule, MEDSAFE_CACHE=str(Path(folder) / "cache"))()

        def edited() -> None:
            with path.open("a", encoding="utf-8") as file:
                file.write("# edited\n")
            lint()

        path.write_text((base_folder() / rule).read_text(encoding="utf-8"), encoding="utf-8")
        rows.add("medsafe lint of an overlay's file, after each edit", median_ms(edited, 7), 1000, PASS)


PROPOSED = (
    "warfarin 5 mg daily", "metformin 500 mg twice daily", "lisinopril 20 mg daily", "amlodipine 5 mg daily",
    "atorvastatin 40 mg at bedtime", "sertraline 50 mg daily", "omeprazole 20 mg daily", "metoprolol succinate 50 mg daily",
    "gabapentin 300 mg three times daily", "levothyroxine 75 mcg daily", "hydrochlorothiazide 25 mg daily", "tramadol 50 mg bid",
    "aspirin 81 mg daily", "apixaban 5 mg twice daily", "furosemide 40 mg daily", "ibuprofen 400 mg three times daily",
    "prednisone 10 mg daily", "clopidogrel 75 mg daily", "losartan 50 mg daily", "acetaminophen 500 mg q6h prn",
)  # fmt: skip
PROBLEMS = (
    "CKD stage 3", "heart failure", "hypertension", "asthma", "type 2 diabetes", "atrial fibrillation", "osteoarthritis",
    "depression", "COPD", "GERD",
)  # fmt: skip
EACH = "decoding a plan's JSON"
EARLIER, AT_A_TIME = 4000, 1000
"""So many plans are scored before the ones that are timed; no plan is scored twice."""


def scoring(rows: Rows) -> None:
    """Plans of six medications and three conditions, no two alike, in one process; and their pairs alone."""
    chosen = random.Random(5)
    told = [
        {"id": str(n), "as_of": "2026-11-20",
         "patient": {"age": f"{chosen.randint(18, 95)} y", "sex": chosen.choice(("male", "female")), "medications": [],
                     "conditions": chosen.sample(PROBLEMS, 3), "allergies": []},
         "plan": chosen.sample(PROPOSED, 6)}
        for n in range(EARLIER + 6 * AT_A_TIME)
    ]  # fmt: skip
    checker = safety.load().checker
    scorer = Scorer(checker)
    asked = [plan_of(plan, n) for n, plan in enumerate(told, 1)]
    encoded = [msgspec.json.encode(plan) for plan in told[:AT_A_TIME]]
    rows.base(EACH, median_ms(lambda: [msgspec.json.decode(plan) for plan in encoded]) / AT_A_TIME)
    let_collector_rest()  # as each process of `medsafe score` does
    list(scorer.score(asked[:EARLIER]))
    others = iter([asked[n : n + AT_A_TIME] for n in range(EARLIER, len(asked), AT_A_TIME)])
    each = median_ms(lambda: list(scorer.score(next(others))), 5) / AT_A_TIME
    rows.add("score a plan, one core (target: of two)", each, 0.1, EACH)
    many = [chosen.sample(PROPOSED, 6) for _ in range(100_000)]
    counting = ByPairs(Bench(checker), date(2026, 11, 20))
    rows.add("  its pairs alone, judged before", median_ms(lambda: counting.counts(many), 5) / len(many), 0.01, EACH)


PARTS: dict[str, Callable[[Rows], None]] = {
    "loading": loading,
    "growing": growing,
    "checking": checking,
    "reading": reading,
    "remembering": remembering,
    "commands": commands,
    "scoring": scoring,
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--only", choices=list(PARTS), action="append", help="One part (repeatable); left out: all.")
    told = parser.parse_args()
    rows = Rows()
    rows.base(PASS, of_process(sys.executable, "-c", "pass"))
    rows.base(MEMORY, peak_mb("pass\n"))
    for name in told.only or PARTS:
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        PARTS[name](rows)
    if told.json:
        print(json.dumps([vars(row) for row in rows.rows], indent=1))
        return
    print(f"{'':50}{'median':>10}  {'target':>8}  ratio to baseline")
    for row in rows.rows:
        goal = f"{row.target:g} {row.unit}" if row.target else ""
        digits = 2 if row.value >= 0.1 else 4
        print(f"{row.what:50}{row.value:>7.{digits}f} {row.unit}  {goal:>8}  {row.ratio:.1f} x {row.baseline}")


if __name__ == "__main__":
    main()
