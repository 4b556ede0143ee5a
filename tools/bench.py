"""Speed, as medians on this machine and as ratios to a baseline measured in the same run.

    python tools/bench.py [--json]

Baselines: a bare `python -c pass` for whole processes; decoding the same case with msgspec for one check.
Targets are those of the issue that asked for them; the machine is shared, so the ratio is the steadier figure.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from measuring.growing import grown

import safety
from safety.answering.checker import Checker
from safety.engine import as_case
from safety.knowledge.collecting import base_folder, collect
from safety.knowledge.snapshot import read_snapshot, write_snapshot

RUNS = 15
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


def process(*command: str) -> Callable[[], object]:
    """A whole process as something to time."""
    return lambda: subprocess.run(command, check=False, capture_output=True, cwd=REPO, env={**os.environ})


def _renamed(n: int) -> dict[str, object]:
    """The ten-medication case with every line worded so that none has been read before."""
    patient = dict(TEN["patient"])  # type: ignore[call-overload]
    patient["medications"] = [f"{line} for {n} days" for line in patient["medications"]]
    return {**TEN, "patient": patient}


def measure() -> list[tuple[str, float, float | None, float, str]]:
    """Rows: what, median ms, target ms, ratio to the baseline, which baseline."""
    python = sys.executable
    bare = median_ms(process(python, "-c", "pass"))
    engine = safety.load()
    case = as_case(json.dumps(TEN))
    encoded = msgspec.json.encode(TEN)
    decode = median_ms(lambda: [msgspec.json.decode(encoded) for _ in range(100)]) / 100
    medsafe = str(Path(python).with_name("medsafe"))
    example = "examples/knee-pain.yaml"
    rows: list[tuple[str, float, float | None, float, str]] = []

    def row(what: str, value: float, target: float | None, base: float, name: str) -> None:
        rows.append((what, value, target, value / base, name))

    fresh = median_ms(process(python, "-c", "import safety; safety.load()"))
    row("import safety and load, fresh process", fresh, 600, bare, "python -c pass")
    row("import safety alone, fresh process", median_ms(process(python, "-c", "import safety")), None, bare, "python -c pass")
    row("load from a warm snapshot, in process", median_ms(safety.load), 300, bare, "python -c pass")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "k.duckdb"
        write_snapshot(engine.library, path)
        row("  without a key: reading the DuckDB file", median_ms(lambda: read_snapshot(path)), None, bare, "python -c pass")
    row("  without a key: hashing every file", median_ms(lambda: collect(base_folder())), None, bare, "python -c pass")
    one = median_ms(lambda: engine.check(case), 200)
    row("one check, 10 medications", one, 2, decode, "decoding the case's JSON")
    fresh_cases = iter([as_case(_renamed(n)) for n in range(220)])
    row(
        "  with lines never seen before",
        median_ms(lambda: engine.check(next(fresh_cases)), 200),
        2,
        decode,
        "decoding the case's JSON",
    )
    many = Checker(grown(engine.library, 10), "bench")
    day = date(2026, 11, 20)
    row("  with ten times the rules", median_ms(lambda: many.check(case, day), 200), None, one, "one check, 10 medications")
    row("the same from a dict", median_ms(lambda: engine.check(TEN), 200), None, decode, "decoding the case's JSON")
    said = {"patient": {"age": "70 y"}, "prescribed": "furosemide 40 mg twice daily", "reported": "I take 80 mg in the morning"}
    row("one dose statement", median_ms(lambda: engine.dose(said, "2026-11-20"), 200), None, decode, "decoding the case's JSON")
    row("one exact name", median_ms(lambda: engine.name("warfarin"), 500), None, decode, "decoding the case's JSON")
    row("medsafe check, whole process", median_ms(process(medsafe, "check", example)), 800, bare, "python -c pass")
    row(
        "medsafe check --json, whole process",
        median_ms(process(medsafe, "check", example, "--json")),
        800,
        bare,
        "python -c pass",
    )
    return rows


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    as_json = parser.parse_args().json
    rows = measure()
    if as_json:
        print(
            json.dumps(
                [dict(zip(("what", "median_ms", "target_ms", "ratio", "baseline"), r, strict=True)) for r in rows], indent=1
            )
        )
        return
    print(f"{'':42}{'median':>10}  {'target':>8}  ratio to baseline")
    for what, value, target, ratio, name in rows:
        goal = f"{target:g} ms" if target else ""
        print(f"{what:42}{value:>7.2f} ms  {goal:>8}  {ratio:.1f} x {name}")


if __name__ == "__main__":
    main()
