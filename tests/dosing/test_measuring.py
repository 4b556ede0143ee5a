"""Real directions, row by row: how much a day, against what a person reads in them."""

from __future__ import annotations

import pytest
from conftest import SHARED
from dosing_units import LEX
from expected_days import EXPECTED
from measuring.directions import FILES, Measured, measure_sigs

REAL = SHARED / "data" / "real"


def measured() -> dict[str, Measured]:
    found = measure_sigs(REAL, LEX, EXPECTED)
    if not found:
        pytest.skip(f"no real data at {REAL}")
    return found


def test_every_file_of_real_directions_is_counted_whole() -> None:
    for name, told in measured().items():
        assert name in FILES
        assert told.rows == told.right + len(told.wrong) + len(told.abstained) + told.untold


def test_a_days_amount_is_right_or_left_unread() -> None:
    for name, told in measured().items():
        assert len(told.wrong) <= told.rows / 100, f"{name}: {told.wrong}"
        assert told.right >= 0.95 * (told.right + len(told.wrong)), name


def test_most_directions_that_tell_a_days_amount_are_read() -> None:
    for name, told in measured().items():
        assert told.right >= 0.85 * told.parsable, f"{name}: {told.abstained}"
