"""Many records at once, as a pharmacist would run them: the same bytes whatever the hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import SHARED, sampled

RECORDS = sampled(sampled(sampled(sorted((SHARED / "data/real/synthea_r4").glob("*.json.gz")))))


def test_records_give_the_same_bytes_under_different_hash_seeds() -> None:
    if not RECORDS:
        pytest.skip(f"{SHARED / 'data/real/synthea_r4'} is not there")
    command = [str(Path(sys.executable).with_name("medsafe")), "check", "--fhir", "--as-of", "2026-11-20", "--json"]
    answers = []
    for seed in ("0", "7"):
        run = subprocess.run(
            [*command, *map(str, RECORDS)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=False,
        )
        assert run.returncode in (1, 4), run.stderr.decode()[:500]
        answers.append(run.stdout)
    assert answers[0].count(b"\n") == len(RECORDS)
    assert answers[0] == answers[1]
