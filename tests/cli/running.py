"""Runs a command as a user would, in this process, and keeps what it said."""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from safety.cli.main import main

CASE = """\
id: case-1
as_of: 2026-11-20
patient:
  age: 72 y
  conditions: [kidney disease]
  allergies: []
  labs: [{test: eGFR, value: 38, unit: mL/min/1.73m2, on: 2026-11-02}]
  medications:
    - warfarin 5 mg by mouth once daily
plan:
  - {drug: Advil, dose: 400 mg, frequency: twice daily, route: oral}
"""
NOTHING_ELSE: dict[str, Any] = {
    "allergies": [], "conditions": [], "labs": [], "vitals": [], "intake": [], "diet_limits": [], "genes": [], "procedures": [],
    "devices": [], "vaccines": [],
}  # fmt: skip
CLEAR = {
    "id": "clear",
    "as_of": "2026-11-20",
    "patient": {**NOTHING_ELSE, "age": 50, "sex": "male", "medications": ["naproxen 250 mg oral"]},
}
SETTLED = {"id": "settled", "as_of": "2026-11-20", "patient": {**CLEAR["patient"], "conditions": ["kidney disease"]}}  # type: ignore[dict-item]
"""A finding, and nothing left open."""
LOUD = {
    "id": "loud",
    "as_of": "2026-11-20",
    "patient": {"conditions": [], "medications": ["warfarin 5 mg oral", "Advil 400 mg oral"]},
}
ASKING = {"id": "asking", "as_of": "2026-11-20", "patient": {"conditions": [], "medications": ["metformin 500 mg oral"]}}
MINOR = {
    "id": "minor",
    "as_of": "2026-11-20",
    "patient": {
        "conditions": ["kidney disease"],
        "medications": ["metformin 500 mg oral"],
        "labs": [{"test": "eGFR", "value": 60, "unit": "mL/min/1.73m2", "on": "2026-11-01"}],
    },
}


@dataclass(frozen=True)
class Ran:
    """What came of a command."""

    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Standard output as one JSON value a line."""
        return [json.loads(line) for line in self.out.splitlines()]


def medsafe(*args: object, stdin: bytes = b"") -> Ran:
    """Run `medsafe` with these arguments; an exception that it lets through is a failure of the test."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n", write_through=True) for _ in range(2))
    source = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    with redirect_stdout(out), redirect_stderr(err), mock.patch.object(sys, "stdin", source):
        try:
            main([str(a) for a in args])
            code: Any = 0
        except SystemExit as stop:
            code = stop.code
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode("utf-8"))  # type: ignore[attr-defined]
    return Ran(code or 0, *texts)


def write(path: Path, content: Any) -> Path:
    """A file with text, bytes, or a value as JSON (a list of values for .jsonl: one a line)."""
    if path.suffix == ".jsonl" and isinstance(content, list):
        content = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in content)
    elif not isinstance(content, str | bytes):
        content = json.dumps(content)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path
