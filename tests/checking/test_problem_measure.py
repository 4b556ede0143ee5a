"""The measure of problem lines: what a case holds in another field counts where the list names it, if it is truly held."""

from __future__ import annotations

import pytest
from measuring.charts import score_problem

from safety.engine import Engine

HELD = [
    ("G2P1001 @ 31w4d", "pregnancy", "pregnancy", {}),
    ("CYP2C19 *2/*2 (PM) - no Plavix", "CYP2C19 poor metabolizer", "gene", {}),
    ("QTc 530 on 11/2", "long QT syndrome", "result", {}),
    ("PHPT, Ca 11.4", "hypercalcemia", "result", {"test": "calcium"}),
    ("drinks 6-8 beers nightly", "alcohol", "intake", {}),
    ("Latex - hives", "latex", "allergy", {}),
    ("Wt 41 kg, FTT", "low body weight", "weight", {}),
    ("IUD in place", "IUD", "device", {}),
    ("s/p lap chole 2012", "cholecystectomy", "procedure", {}),
]


def counts(engine: Engine, text: str, head: str, field: str, status: str = "active", **more: str) -> set[str]:
    row = {"id": "1", "kind": "problem", "text": text, "expect": [{"head": head, "status": status, "as": field, **more}]}
    return set(score_problem(row, engine).counts)


@pytest.mark.parametrize(("text", "head", "field", "more"), HELD)
def test_what_is_held_in_the_field_that_the_list_names_is_read(
    engine: Engine, text: str, head: str, field: str, more: dict[str, str]
) -> None:
    assert {"all heads", "status right"} <= counts(engine, text, head, field, **more)


@pytest.mark.parametrize(("text", "head", "field", "more"), HELD)
def test_what_a_line_does_not_tell_is_not_read(engine: Engine, text: str, head: str, field: str, more: dict[str, str]) -> None:
    assert "no head of" in counts(engine, "gout 2019, quiet", head, field, **more)


@pytest.mark.parametrize(
    ("text", "head", "field"),
    [
        ("Wt 180, FTT", "low body weight", "weight"),  # of which nobody knows whether it is pounds
        ("QTc 430 on 11/2", "long QT syndrome", "result"),
        ("CYP2C19 pending", "CYP2C19 poor metabolizer", "gene"),
        ("no latex allergy", "latex", "allergy"),
    ],
)
def test_a_fact_that_is_not_truly_held_does_not_count(engine: Engine, text: str, head: str, field: str) -> None:
    assert "no head of" in counts(engine, text, head, field)


def test_the_status_is_the_one_of_the_field(engine: Engine) -> None:
    assert "status right" in counts(engine, "HLA-B*5701 neg", "HLA-B*57:01", "gene", status="denied")
    assert "status wrong" in counts(engine, "HLA-B*5701 neg", "HLA-B*57:01", "gene", status="active")
    assert "status right" in counts(engine, "egg allergy outgrown", "egg", "allergy", status="resolved")


@pytest.mark.parametrize(
    ("text", "head", "counts_as"),
    [
        ("QTc 530", "long QT syndrome", "all heads"),
        ("K+ 6.4", "hyperkalemia", "all heads"),
        ("BMI 44.2", "morbid obesity", "all heads"),
        ("QTc 430", "long QT syndrome", "no head of"),
        ("K+ 4.4", "hyperkalemia", "no head of"),
    ],
)
def test_without_a_field_a_condition_counts_or_the_result_that_is_it(
    engine: Engine, text: str, head: str, counts_as: str
) -> None:
    row = {"id": "1", "kind": "problem", "text": text, "expect": [{"head": head, "status": "active"}]}
    assert counts_as in score_problem(row, engine).counts
