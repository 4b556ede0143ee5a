"""The bytes of a report do not depend on Python's hash seed, which changes with every process."""

from __future__ import annotations

import os
import subprocess
import sys

from conftest import REPO

PROGRAM = """
import sys
from datetime import date
from pathlib import Path
import safety
from safety.edge.fhir import read_fhir
engine = safety.load(base=".", cache=None)
for path in sorted(Path("examples").glob("*.yaml")):
    sys.stdout.buffer.write(engine.check(path.read_text(encoding="utf-8"), "2026-11-20").to_json())
sys.stdout.buffer.write(engine.check(read_fhir(Path("examples/fhir-patient.json").read_bytes()), date(2026, 11, 20)).to_json())
"""


def test_reports_have_the_same_bytes_under_every_hash_seed() -> None:
    answers = set()
    for seed in ("0", "1", "12345"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=REPO, env=environment, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        assert done.stdout.startswith(b'{"report":1')
        answers.add(done.stdout)
    assert len(answers) == 1
