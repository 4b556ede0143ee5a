"""Laws of medication lines: what is added, respelled or left over never makes a line say another dose, nor a case clearer."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from measuring.chart_lines import told_of

import safety
from safety.engine import Engine
from safety.model.directions import Directions

DAY = "2026-11-20"
NAMES = ["lisinopril", "metformin", "furosemide", "apixaban", "gabapentin"]
OFTEN = ["daily", "bid", "q8h", "qhs", "q12", "MWF", "every other day"]
SAME = [("500 mg", "0.5 g", "500mg", "500 MG"), ("100 mcg", "0.1 mg", "100mcg", "100 ug"), ("1000 mg", "1 g", "1,000 mg", "1gm")]
TAILS = ["blorp", "2 zorkles", "(see flimsheet)", "then frobnicate", "xx 7", "half the greens", "unless Tuesday-ish"]


@pytest.fixture(scope="module")
def engine() -> Engine:
    return safety.load()


def read(line: str, engine: Engine) -> Directions:
    (entry,) = told_of(line, engine)
    return entry.directions


@pytest.mark.parametrize("spellings", SAME)
@pytest.mark.parametrize("often", OFTEN)
def test_one_amount_in_any_unit_is_one_amount(spellings: tuple[str, ...], often: str, engine: Engine) -> None:
    units, told = engine.library.units, [read(f"levothyroxine {dose} {often}", engine) for dose in spellings]
    assert all(d.dose and told[0].dose and units.compare(d.dose[1], told[0].dose[1]) == 0 for d in told)
    assert len({d.times_per_day for d in told}) == 1


@settings(deadline=None, max_examples=60)
@given(
    name=st.sampled_from(NAMES),
    often=st.sampled_from(OFTEN),
    tail=st.sampled_from(TAILS),
    mark=st.sampled_from([" ", ", ", " - "]),
)
def test_a_tail_that_is_not_read_is_told(name: str, often: str, tail: str, mark: str) -> None:
    line = f"{name} 300 mg {often}{mark}{tail}"
    report = _ENGINE.check({"patient": {"medications": [line]}}, DAY)
    assert report.unresolved, line
    assert report.verdict != "clear"


@settings(deadline=None, max_examples=60)
@given(
    name=st.sampled_from(NAMES),
    often=st.sampled_from(OFTEN),
    upper=st.booleans(),
    extra=st.sampled_from(["", " #30 RF2", " per Dr. Smith"]),
)
def test_case_and_remarks_change_no_dose(name: str, often: str, upper: bool, extra: str) -> None:
    line = f"{name} 300 mg {often}"
    plain, other = read(line, _ENGINE), read((line.upper() if upper else line) + extra, _ENGINE)
    assert (plain.dose, plain.times_per_day) == (other.dose, other.times_per_day)


REASONS = ["htn", "(HTN)", "- afib", ", GERD", "[HLD]", "(DM2)", "- depression/anxiety", "neuropathy"]
REMARKS = [
    "(was 200 mg)",
    "increased from 200",
    "(increased from 200 mg daily)",
    "hold for SBP<100 or HR<60",
    "(hold if HR < 60)",
]


@settings(deadline=None, max_examples=60)
@given(
    name=st.sampled_from(NAMES),
    often=st.sampled_from([often for often in OFTEN if often != "q12"]),  # "q12 htn" is asked about
    reason=st.sampled_from([*REASONS, *REMARKS]),
    upper=st.booleans(),
)
def test_why_it_is_taken_and_what_was_taken_before_change_no_dose(name: str, often: str, reason: str, upper: bool) -> None:
    line = f"{name} 300 mg {often}"
    plain, other = read(line, _ENGINE), read(f"{line} {reason.upper() if upper else reason}", _ENGINE)
    assert not other.unread
    assert (plain.dose, plain.times_per_day) == (other.dose, other.times_per_day)


@pytest.mark.parametrize(
    "tail",
    [
        "- no HTN",
        "- caused HTN",
        "- cough",
        "- pregnant",
        "- asthma",
        "(CHF)",
        "zorkle HTN",
        "hold for K take 20",
        "hold SBP<100 10 mg",
    ],
)
def test_what_may_be_no_reason_is_asked_about(tail: str, engine: Engine) -> None:
    assert read(f"lisinopril 10 mg daily {tail}", engine).unread


@pytest.mark.parametrize("line", ["novolog per sliding scale ac & hs", "humalog SSI tid ac", "insulin lispro sliding scale ac"])
def test_a_scale_that_is_only_named_tells_no_dose(line: str, engine: Engine) -> None:
    told = read(line, engine)
    assert told.scale
    assert not told.unread
    assert told.dose is None
    assert told.times_per_day


def test_a_dose_beside_a_scale_that_is_not_told_is_asked_about(engine: Engine) -> None:
    assert read("humalog 5 units with meals + SSI", engine).unread


def test_a_reading_for_which_it_is_needed_is_no_dose(engine: Engine) -> None:
    told, plain = read("hydralazine 10 mg IVP q6h PRN SBP > 180", engine), read("hydralazine 10 mg IVP q6h PRN", engine)
    assert not told.unread
    assert (told.dose, told.times_per_day, told.as_needed) == (plain.dose, plain.times_per_day, True)


@pytest.mark.parametrize("change", ["increased from 10 to 20 mg", "was on 10, now 20 mg", "10 mg, increased from 5, now"])
def test_of_two_amounts_the_one_of_today_counts(change: str, engine: Engine) -> None:
    told = read(f"lisinopril {change} daily", engine)
    assert told.dose is None or str(told.dose[1]) == ("10 mg" if change.startswith("10") else "20 mg")


def test_an_amount_taken_before_is_no_dose_of_today(engine: Engine) -> None:
    assert read("lisinopril 20 mg daily (was 10)", engine).dose == read("lisinopril 20 mg daily", engine).dose
    assert all(e.directions.dose is None for e in told_of("lisinopril (was 10)", engine))


_ENGINE = safety.load()
