"""The cases of `medsafe selftest labs`, written from medicine: every kind comes out as they say."""

from __future__ import annotations

from conftest import REPO, compiled, engine_of
from measuring.lab_cases import measure_labs, read_cases

ROWS = [row for file in sorted((REPO / "tests" / "labs").glob("*.jsonl")) for row in read_cases(file)]


def test_there_are_four_hundred_cases_each_with_an_id_of_its_own_and_something_that_is_expected() -> None:
    assert len({row["id"] for row in ROWS}) == len(ROWS) >= 400
    assert all(row["expect"] for row in ROWS)


def test_every_case_comes_out_as_it_says() -> None:
    kinds = measure_labs(ROWS, engine_of(compiled().library))
    assert [why for kind in kinds for why in kind.wrong] == []
