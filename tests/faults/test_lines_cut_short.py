"""A line of a chart that was cut off anywhere, or lost a word, is read: nothing about a patient raises."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import REPO

from safety.engine import Engine
from safety.model.patient import Medication

PROBLEMS = REPO / "tests" / "checking" / "problem_lines_sixth.jsonl"
MEDICINES = REPO / "tests" / "dosing" / "medication_lines_sixth.jsonl"


def cut(line: str) -> Iterator[str]:
    """Every beginning and end of a line, and the line without each of its words."""
    words = line.split()
    for n in range(1, len(words)):
        yield from (" ".join(words[:n]), " ".join(words[n:]), " ".join(words[:n] + words[n + 1 :]))


def test_a_problem_line_is_read_wherever_it_ends(engine: Engine) -> None:
    lines = [json.loads(line)["text"] for line in PROBLEMS.read_text(encoding="utf-8").splitlines()]
    tried = 0
    for line in lines:
        for part in cut(line):
            for told in (part, f"no asthma, {part}"):
                assert engine.checker.terms.problems.read(told).text == told
                tried += 1
    assert tried > 1000


def test_a_medicine_line_is_read_wherever_it_ends(engine: Engine) -> None:
    lines = [json.loads(line)["text"] for line in MEDICINES.read_text(encoding="utf-8").splitlines()]
    read = [engine.checker.terms.meaning_of(Medication(part)) for line in lines for part in cut(line)]
    assert len(read) > 1000
    assert all(one.read.answer.status in ("match", "ambiguous", "unrecognised") for one in read)


_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def odd_numbers(line: str) -> Iterator[str]:
    """The line with each of its numbers as another, none of which is an amount of anything."""
    for found in _NUMBER.finditer(line):
        for other in ("0", "00", "0.0", "-1", "1e9", "9" * 30, "1/0", "0/0", ".", "\u00bd"):
            yield line[: found.start()] + other + line[found.end() :]


@pytest.mark.parametrize("file", [MEDICINES, PROBLEMS], ids=lambda file: str(file.stem))
def test_a_line_is_read_with_any_number_in_it(file: Path, engine: Engine) -> None:
    lines = [json.loads(line)["text"] for line in file.read_text(encoding="utf-8").splitlines()]
    odd = [told for line in lines for told in odd_numbers(line)]
    odd += [
        f"{name} {ratio}"
        for name in ("heparin", "Humalog", "Humira", "albuterol neb", "amoxicillin")
        for ratio in ("1/0", "0/0", "40/0")
    ]
    assert len(odd) > 1000
    terms = engine.checker.terms
    for told in odd:
        assert terms.meaning_of(Medication(told)).read.answer.status in ("match", "ambiguous", "unrecognised")
        assert terms.problems.read(told).text


@pytest.mark.parametrize(
    "line",
    ["no asthma, epilepsy on", "no HTN, epilepsy managed with", "denies HTN, seizures controlled on", "wo,sychotic eatures"],
)
def test_what_treats_a_disease_may_be_missing_at_the_end(engine: Engine, line: str) -> None:
    assert engine.check({"patient": {"conditions": [line]}}, "2026-11-30").verdict == "unknown"
