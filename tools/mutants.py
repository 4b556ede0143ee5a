"""Change the code at random places, one at a time, and see whether the tests notice (by Cosmic Ray, in a copy of the checkout).

    python tools/mutants.py judging [--sample 60] [--seed 1] [--only safety/judging/doses.py]

A room's changes are all that Cosmic Ray knows (another operator, comparison, number, decorator, a condition turned round, a loop
not gone through); a sample is tried, as a change that survives costs the whole of the room's tests. What survives is printed with
its place, to be killed by a test or explained. The tests of the room come first and then, where they notice nothing, all written
cases. Changes of `|` are left out: in this code they stand in the types of arguments, which are never evaluated; so are `==` for
`is` and the like. The tests run with the knowledge of the copy, compiled anew where the change is in what is kept of it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import WorkerOutcome, WorkItem, WorkResult

REPO = Path(__file__).resolve().parent.parent
ROOMS = {
    "judging": ("safety/judging", "tests/dosing tests/oracle tests/checking"),
    "doses": ("safety/judging/doses.py", "tests/dosing tests/oracle tests/checking"),
    "directions": ("safety/reading/directions", "tests/dosing tests/checking"),
    "problems": ("safety/reading/problems", "tests/checking tests/vocabulary"),
    "results": ("safety/reading/results", "tests/results tests/labs"),
    "names": ("safety/reading/names", "tests/names tests/dosing tests/checking"),
    "answering": ("safety/answering", "tests/labs tests/adherence tests/checking tests/serving"),
}
"""What is changed, and which tests have to notice; the quick ones first."""
_NOT_COPIED = shutil.ignore_patterns(".git", ".venv", "dist", "build", "__pycache__", ".*_cache", ".hypothesis")
_EVALUATED_NEVER = "core/ReplaceBinaryOperator_BitOr_"
_THE_SAME = tuple(f"core/ReplaceComparisonOperator_{one}" for one in ("Eq_Is", "Is_Eq", "NotEq_IsNot", "IsNot_NotEq"))
"""What a comparison with None, yes, no or a written word comes to either way: no test can notice."""


def main() -> int:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("room", choices=sorted(ROOMS))
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="one file of the room")
    parser.add_argument("--timeout", type=int, default=900, help="seconds for the tests of one change; out of time is noticed")
    asked = parser.parse_args()
    where, tests = ROOMS[asked.room]
    with tempfile.TemporaryDirectory(prefix="medsafe-mutants-") as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(REPO, copy, ignore=_NOT_COPIED)
        config, session = Path(folder) / "config.toml", Path(folder) / "session.sqlite"
        written = Path(sys.executable).with_name("medsafe")
        run = f"sh -c '{sys.executable} -m pytest -x -q -p no:cacheprovider {tests} && {written} test'"
        config.write_text(
            f"[cosmic-ray]\nmodule-path = {json.dumps(asked.only or where)}\ntimeout = {asked.timeout}\n"
            f'excluded-modules = []\ntest-command = {json.dumps(run)}\n[cosmic-ray.distributor]\nname = "local"\n',
            encoding="utf-8",
        )
        environment = os.environ | {"PYTHONPATH": str(copy), "MEDSAFE_CACHE": f"{folder}/cache", "PYTHONDONTWRITEBYTECODE": "1"}
        ray = [str(Path(sys.executable).with_name("cosmic-ray"))]
        subprocess.run([*ray, "init", str(config), str(session)], cwd=copy, env=environment, check=True)
        with use_db(session, WorkDB.Mode.open) as db:
            of_all = _sampled(db, asked.sample, asked.seed)
        print(f"{asked.room}: {asked.sample} of {of_all} changes (seed {asked.seed}), by: {run}", flush=True)
        subprocess.run([*ray, "exec", str(config), str(session)], cwd=copy, env=environment, check=True)
        with use_db(session, WorkDB.Mode.open) as db:
            return _told(db)


def _may_matter(operator: str) -> bool:
    """Whether a kind of change can change what the code does."""
    return not operator.startswith(_EVALUATED_NEVER) and operator not in _THE_SAME


def _sampled(db: WorkDB, many: int, seed: int) -> int:
    """Leave so many of the changes to be tried; how many there were."""
    items = sorted((item for item in db.work_items if _may_matter(item.mutations[0].operator_name)), key=_place)
    chosen = {item.job_id for item in random.Random(seed).sample(items, min(many, len(items)))}
    left = (item.job_id for item in db.work_items if item.job_id not in chosen)
    db.set_multiple_results([*left], WorkResult(WorkerOutcome.SKIPPED))
    return len(items)


def _place(item: WorkItem) -> tuple[str, int, int, str, int]:
    change = item.mutations[0]
    return str(change.module_path), *change.start_pos, change.operator_name, change.occurrence


def _told(db: WorkDB) -> int:
    """How many were noticed, and each that was not."""
    tried = [(item, result) for item, result in db.completed_work_items if result.worker_outcome != WorkerOutcome.SKIPPED]
    counts = Counter("noticed" if result.is_killed else "survived" for _, result in tried)
    for item, result in sorted(tried, key=lambda one: _place(one[0])):
        if not result.is_killed:
            path, line, *_ = _place(item)
            print(f"{path}:{line} {item.mutations[0].operator_name}\n{result.diff or ''}")
    print(f"{counts['noticed']} of {len(tried)} noticed ({100 * counts['noticed'] / max(len(tried), 1):.0f} %)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
