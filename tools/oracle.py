"""The long comparison of the engine with the independent oracle of tests/oracle/: made patients, rule by rule.

python tools/oracle.py --patients 100000 --seed 1 [--seconds 600] [--out differences.jsonl]
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(REPO), str(REPO / "tests")]

from oracle.comparing import Difference, Oracle, differences  # noqa: E402
from oracle.files import Files  # noqa: E402
from oracle.making import Maker  # noqa: E402
from oracle.patients import Patient  # noqa: E402

import safety  # noqa: E402


def patients(maker: Maker, files: Files, many: int, only: str = "") -> list[Patient]:
    """So many patients: three of four on the edge of a rule, one on the edge of a dose table (or only the ones or the others)."""
    rules, tables = sorted(files.rules), sorted(files.doses)
    made = []
    for n in range(many):
        at_table = only == "doses" or (not only and n % 4 == 3)
        made.append(
            maker.on_edge_of_table(files.doses[maker.pick(tables)])
            if at_table
            else maker.on_edge_of(files.rules[maker.pick(rules)])
        )
    return made


def main() -> int:
    """Compare; print what was counted; 1 where the two differ."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--patients", type=int, default=1000)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long")
    asked.add_argument("--only", choices=("rules", "doses"), default="", help="patients on the edge of these alone")
    asked.add_argument("--out", type=Path, help="write each difference as a line of JSON, with the case")
    given = asked.parse_args()
    files = Files(REPO)
    oracle, engine, maker = Oracle(files), safety.load(), Maker(files, given.seed)
    until = time.monotonic() + given.seconds
    done, apart, spoken, found = 0, 0, 0, []
    while done < given.patients and time.monotonic() < until:
        for who in patients(maker, files, min(100, given.patients - done), given.only):
            done += 1
            compared = differences(engine, oracle, who)
            if compared is None:
                apart += 1
                continue
            found += compared[0]
            spoken += compared[1]
    print(f"{done} patients, {apart} of them not read as they were meant, {spoken} rules that spoke, {len(found)} differences")
    for (kind, rule), times in Counter((d.kind, d.rule) for d in found).most_common(60):
        print(f"{times:6}  {kind:40} {rule}")
    if given.out:
        given.out.write_text("".join(f"{_line(oracle, d)}\n" for d in found), encoding="utf-8")
    return bool(found)


def _line(oracle: Oracle, d: Difference) -> str:
    shown = {"rule": d.rule, "kind": d.kind, "engine": str(d.engine), "oracle": str(d.oracle)}
    return json.dumps({**shown, "case": oracle.writer.case(d.who)}, ensure_ascii=False)


if __name__ == "__main__":
    sys.exit(main())
