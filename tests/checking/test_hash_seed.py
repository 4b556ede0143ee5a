"""The bytes of a report do not depend on Python's hash seed, which changes with every process.

That those of the compiled knowledge do not either is shown where the wheel is built.
"""

from __future__ import annotations

import os
import subprocess
import sys
from subprocess import PIPE

from conftest import REPO

PROGRAM = """
import sys
from datetime import date
from pathlib import Path
import safety
from safety.reading.fhir.bundle import read_fhir
engine = safety.load(base=".")
for path in (p for p in sorted(Path("examples").glob("*.yaml")) if "reported:" not in p.read_text()):
    sys.stdout.buffer.write(engine.check(path.read_text(encoding="utf-8"), "2026-11-20").to_json())
sys.stdout.buffer.write(engine.check(read_fhir(Path("examples/fhir-patient.json").read_bytes()), date(2026, 11, 20)).to_json())
"""


def test_reports_have_the_same_bytes_under_every_hash_seed() -> None:
    running = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM], cwd=REPO, env={**os.environ, "PYTHONHASHSEED": seed}, stdout=PIPE, stderr=PIPE
        )
        for seed in ("0", "12345")
    ]
    answers = set()
    for process in running:
        said, wrong = process.communicate()
        assert process.returncode == 0, wrong.decode()
        assert said.startswith(b'{"report":1')
        answers.add(said)
    assert len(answers) == 1
