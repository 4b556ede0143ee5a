"""Several numbers behind one test: its results in their order, or a question; never the first alone as if nothing followed."""

from __future__ import annotations

import pytest

from safety.engine import Engine


@pytest.mark.parametrize(
    ("said", "last"),
    [("lipase 60, 400, 2100", "2100"), ("ALT 40, 200, 1200", "1200"), ("trops 0.02/0.2/0.9", "0.9"), ("K 3.1/3.4/3.9", "3.9")],
)
def test_a_row_that_only_rises_is_one_test_however_steep(engine: Engine, said: str, last: str) -> None:
    answer = engine.lab({"as_of": "2026-11-30", "text": said, "patient": {"age": "60 y", "sex": "male"}})
    assert answer.value is not None
    assert answer.value.split()[0] == last
    assert answer.trend == "rising"


@pytest.mark.parametrize("said", ["trop 0.04, 0.31", "Hgb 9.1, 8.4.", "glucose 100, 200"])
def test_of_two_numbers_nobody_knows_which_is_the_later(engine: Engine, said: str) -> None:
    answer = engine.lab({"as_of": "2026-11-30", "text": said, "patient": {"age": "60 y", "sex": "male"}})
    assert answer.status == "unknown"
    assert answer.ask


@pytest.mark.parametrize("said", ["K 4.1, Na 138", "my potassium is 4.1, I'm 68", "A1c 5.4, 11/2"])
def test_what_follows_and_is_no_second_result_leaves_the_first(engine: Engine, said: str) -> None:
    answer = engine.lab({"as_of": "2026-11-30", "text": said, "patient": {"age": "60 y", "sex": "male"}})
    assert answer.status == "normal"
