"""The scorer of `medsafe selftest labs` itself: what is as expected counts, and each thing that is not is found."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import compiled, engine_of
from measuring.lab_cases import held, measure_labs, odd_only

ENGINE = engine_of(compiled().library)
REQUEST = {"text": "K 6.8", "patient": {"age": "40 y", "sex": "female", "medications": ["spironolactone 25 mg daily"]}}
RIGHT: dict[str, Any] = {
    "test": "lab.potassium", "status": ["high", "critical_high"], "trend": None, "asks": False, "escalate": "emergency",
    "effect_of": ["Aldactone"], "no_effect_of": ["biotin"], "warns_medicine": ["spironolactone"],
}  # fmt: skip
WRONG: dict[str, Any] = {
    "test": "sodium", "status": "normal", "trend": "rising", "asks": True, "asks_about": ["unit"], "escalate": ["none"],
    "effect_of": ["biotin"], "no_effect_of": ["spironolactone"], "warns_medicine": ["warfarin"], "no_warning": True,
    "nonsense": 1,
}  # fmt: skip


def test_what_is_as_expected_is_held() -> None:
    assert not any(held({"request": REQUEST, "expect": RIGHT}, ENGINE).values())


@pytest.mark.parametrize("key", list(WRONG))
def test_each_thing_that_is_otherwise_is_found(key: str) -> None:
    assert held({"request": REQUEST, "expect": {key: WRONG[key]}}, ENGINE)[key]


def test_a_request_that_is_refused_is_wrong_in_all_that_was_expected() -> None:
    kept = held({"request": {"nonsense": 1}, "expect": {"status": "high"}}, ENGINE)
    assert kept["status"].startswith("refused")


def test_cases_are_counted_by_kind_and_remarks_kept_to_those_that_may_be_seen() -> None:
    rows = [{"id": f"x-{n}", "kind": "k", "request": REQUEST, "expect": {"status": "low"}} for n in (1, 2)]
    rows.append({"id": "x-3", "kind": "k", "request": REQUEST, "expect": RIGHT})
    (kind,) = measure_labs(rows, ENGINE, remarks=odd_only)
    assert (kind.rows, kind.right, len(kind.wrong)) == (3, 1, 1)
    assert kind.keys["status"] == (3, 1)
