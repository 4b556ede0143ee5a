"""What stands beside a medicine on a line: set aside where it is understood, told where it is not, never taken for a dose."""

from __future__ import annotations

from datetime import date

import pytest
from conftest import loaded
from hypothesis import given
from hypothesis import strategies as st

from safety.engine import Engine
from safety.model.report import Report
from safety.reading.directions.remarks import Remarks, When

DAY = date(2026, 11, 20)
LINES = ("lisinopril 10 mg daily", "apixaban 5 mg bid", "warfarin 5 mg MWF, 2.5 mg other days", "insulin glargine 18 units qhs")
REMARKS = (
    "#30 RF2", "disp 90", "refills: 3", "90 day supply", "per Dr. Smith", "per cardiology", "started 3/2024", "since 2019",
    "last filled 10/3", "(INR clinic)", "(pt unsure name)", "- home med",
)  # fmt: skip
STATUSES = (
    "(on hold)",
    "- HOLD",
    "- stopped",
    "stopped 3/2024",
    "d/c'd 2023",
    "- not taking",
    "stopped due to cough",
    "(held for surgery)",
)
NOT_STATUSES = (
    "hold if SBP<100",
    "(hold for HR<60)",
    "stop after 7 days",
    "stop 5 days before surgery",
    "hold 48 h before contrast",
)


@pytest.fixture(scope="module")
def remarks(engine: Engine) -> Remarks:
    return Remarks(engine.library.language)


@pytest.fixture(scope="module")
def engine() -> Engine:
    return loaded()


def check(engine: Engine, *lines: str) -> Report:
    return engine.check({"patient": {"age": 60, "medications": list(lines)}}, DAY)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("remark", REMARKS)
def test_a_remark_that_is_understood_leaves_the_line_as_it_was(remarks: Remarks, line: str, remark: str) -> None:
    noted = remarks.read(f"{line} {remark}")
    assert (noted.text, noted.status) == (line, "taken")


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("status", STATUSES)
def test_a_medicine_that_is_held_or_was_stopped_is_not_taken_now_and_it_is_said(engine: Engine, line: str, status: str) -> None:
    report = check(engine, f"{line} {status}")
    assert [m.current for m in report.medications] == [False]
    assert any("counts as not taken now" in note for note in report.notes)


@pytest.mark.parametrize("status", ["HOLD", "on hold:", "stopped", "d/c", "no longer on", "stopped taking", "off"])
def test_a_status_before_the_name_counts_too(remarks: Remarks, status: str) -> None:
    noted = remarks.read(f"{status} lisinopril 10 mg daily")
    assert noted.status in ("held", "stopped")
    assert noted.text == "lisinopril 10 mg daily"


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("told", NOT_STATUSES)
def test_a_condition_or_a_course_is_no_status_and_the_medicine_is_taken(engine: Engine, line: str, told: str) -> None:
    report = check(engine, f"{line} {told}")
    assert [m.current for m in report.medications] == [True]


@pytest.mark.parametrize(
    "line",
    [
        "metformin 500 mg bid, ran out 2 weeks ago",
        "ran out of metformin",
        "metformin - not picked up",
        "HOLD metformin if vomiting",
    ],
)
def test_what_is_perhaps_not_taken_counts_as_taken_and_is_asked_about(engine: Engine, line: str) -> None:
    report = check(engine, line)
    assert [m.current for m in report.medications] == [True]
    assert any("taken now?" in u.ask for u in report.unresolved)
    assert report.verdict != "clear"


def test_aims_and_results_beside_a_medicine_are_kept_and_told(engine: Engine) -> None:
    report = check(engine, "digoxin 0.125 mg daily [level 2.9]")
    assert any("level 2.9" in note for note in report.notes)


@pytest.mark.parametrize(
    ("when", "latest"),
    [
        (When(2023), date(2023, 12, 31)), (When(2024, 2), date(2024, 2, 29)), (When(2026, 12), DAY),
        (When(None, 10, 3), date(2026, 10, 3)), (When(None, 12, 3), date(2025, 12, 3)), (When(ago=14), date(2026, 11, 6)),
        (When(2023, 2, 30), None),
    ],
)  # fmt: skip
def test_of_a_day_half_told_the_latest_is_meant(when: When, latest: date | None) -> None:
    assert when.latest(DAY) == latest


@given(line=st.sampled_from(LINES), tail=st.text("abcdefghij klmnopqrstuvwxyz/.,#()0123456789", min_size=1, max_size=25))
def test_no_tail_makes_a_remark_of_the_directions(line: str, tail: str) -> None:
    noted = _REMARKS.read(f"{line}, {tail}")
    assert noted.text.startswith(line[:-1])


_REMARKS = Remarks(loaded().library.language)
