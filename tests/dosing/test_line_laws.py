"""Laws of medication lines: what is added, respelled or left over never makes a line say another dose, nor a case clearer."""

from __future__ import annotations

import pytest
from conftest import examples, loaded
from hypothesis import given, settings
from hypothesis import strategies as st
from measuring.chart_lines import told_of

from safety.engine import Engine
from safety.model.directions import Directions

DAY = "2026-11-20"
NAMES = ["lisinopril", "metformin", "furosemide", "apixaban", "gabapentin"]
OFTEN = ["daily", "bid", "q8h", "qhs", "q12", "MWF", "every other day"]
SAME = [("500 mg", "0.5 g", "500mg", "500 MG"), ("100 mcg", "0.1 mg", "100mcg", "100 ug"), ("1000 mg", "1 g", "1,000 mg", "1gm")]
TAILS = ["blorp", "2 zorkles", "(see flimsheet)", "then frobnicate", "xx 7", "half the greens", "unless Tuesday-ish"]


@pytest.fixture(scope="module")
def engine() -> Engine:
    return loaded()


def read(line: str, engine: Engine) -> Directions:
    (entry,) = told_of(line, engine)
    return entry.directions


@pytest.mark.parametrize("spellings", SAME)
@pytest.mark.parametrize("often", OFTEN)
def test_one_amount_in_any_unit_is_one_amount(spellings: tuple[str, ...], often: str, engine: Engine) -> None:
    units, told = engine.library.units, [read(f"levothyroxine {dose} {often}", engine) for dose in spellings]
    assert all(d.dose and told[0].dose and units.compare(d.dose[1], told[0].dose[1]) == 0 for d in told)
    assert len({d.times_per_day for d in told}) == 1


@settings(deadline=None, max_examples=examples(60))
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


@settings(deadline=None, max_examples=examples(60))
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


@settings(deadline=None, max_examples=examples(60))
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


@pytest.mark.parametrize("joined", [" + SSI", " and SSI", ", sliding scale", " plus sliding scale"])
def test_of_a_dose_to_which_a_scale_adds_nobody_knows_the_amount(joined: str, engine: Engine) -> None:
    (entry,) = told_of(f"humalog 5 units with meals{joined}", engine)
    told = entry.directions
    assert (str(told.dose and told.dose[1]), told.times_per_day, told.scale, told.unread) == ("5 unit", (3, 3), True, ())
    (drug,) = entry.drugs
    assert entry.single(drug, engine.library.units).high is None
    assert entry.day(drug, engine.library.units).high is None


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


_ENGINE = loaded()


# --- families of lines -------------------------------------------------------------------------------------------------
WAS = ["was 10 tabs", "(was 50 mg)", "down from 200 mg", "increased from 14 units", "previously 50 mg bid", "prior dose 7.5 mg",
       "used to take 900 mg tid", "changed from 88 mcg",
       "had been 20 mg daily", "was on 40 mg until last visit"]  # fmt: skip
READINGS = ["prn SBP>180", "prn bp over 170/100", "prn temp > 101", "prn severe pain (7-10)", "prn pain 4-6/10",
            "prn BG < 70 mg/dL",
            "prn weight gain > 3 lbs", "prn SBP greater than 160", "prn fever >101.5", "prn pain score 4-6"]  # fmt: skip
BESIDE = ["confirmed w/ pharmacy", "(Costco)", "OTC", "do not crush", "avoid grapefruit", "d/t edema", "s/p DES 6/23",
          "last INR 2.4",
          "A1c 8.1", "check BMP in 1 wk", "call 911", "[0900]", "trough before 4th dose", "CrCl 28", "suppression"]  # fmt: skip


@settings(deadline=None, max_examples=examples(80))
@given(
    name=st.sampled_from(NAMES),
    often=st.sampled_from(OFTEN[:4]),
    was=st.sampled_from(WAS),
    mark=st.sampled_from([" ", ", ", " - "]),
)
def test_an_amount_taken_before_is_never_the_dose(name: str, often: str, was: str, mark: str) -> None:
    d = read(f"{name} 300 mg {often}{mark}{was}", _ENGINE)
    assert d.dose is not None
    assert (str(d.dose[1]), d.times_per_day) == ("300 mg", read(f"{name} 300 mg {often}", _ENGINE).times_per_day)


@settings(deadline=None, max_examples=examples(80))
@given(
    name=st.sampled_from(NAMES),
    often=st.sampled_from(["q6h", "bid", "daily"]),
    told=st.sampled_from(READINGS),
    upper=st.booleans(),
)
def test_a_reading_for_which_it_is_taken_is_no_dose(name: str, often: str, told: str, upper: bool) -> None:
    line = f"{name} 300 mg {often} {told}"
    d = read(line.upper() if upper else line, _ENGINE)
    assert d.dose is not None
    assert (str(d.dose[0]), str(d.dose[1]), d.as_needed, d.unread) == ("300 mg", "300 mg", True, ())
    assert d.times_per_day == read(f"{name} 300 mg {often}", _ENGINE).times_per_day


@settings(deadline=None, max_examples=examples(100))
@given(
    name=st.sampled_from(NAMES),
    often=st.sampled_from(["daily", "qam"]),
    beside=st.sampled_from(BESIDE),
    mark=st.sampled_from([" ", ", ", " - "]),
)
def test_what_stands_beside_changes_nothing_and_is_understood(name: str, often: str, beside: str, mark: str) -> None:
    plain, d = read(f"{name} 300 mg {often}", _ENGINE), read(f"{name} 300 mg {often}{mark}{beside}", _ENGINE)
    assert (d.dose, d.times_per_day, d.days, d.unread) == (plain.dose, plain.times_per_day, plain.days, ())


@pytest.mark.parametrize(
    "line", ["not taking", "not filled", "rarely takes", "skips half", "not covered", "takes 2 instead", "not daily"]
)
def test_words_that_may_change_what_is_taken_are_never_set_aside(line: str) -> None:
    entries = told_of(f"lisinopril 10 mg daily, {line}", _ENGINE)
    plain = read("lisinopril 10 mg daily", _ENGINE)
    told = [e for e in entries if e.directions.unread or not e.current or e.meaning.noted.said or not e.resolved]
    assert told or entries[0].directions.dose != plain.dose or entries[0].directions.as_needed


@pytest.mark.parametrize(
    ("line", "often"),
    [("MWF", 3), ("M/W/F", 3), ("Mon, Wed, Fri", 3), ("T/Th/Sat", 3), ("Tu/Th", 2), ("Sat/Sun", 2), ("M-F", 5),
     ("Mon/Wed/Fri", 3),
     ("T/Th", 2), ("Sa/Su", 2)],
)  # fmt: skip
def test_days_by_name_or_letter_are_so_many_of_seven(line: str, often: int) -> None:
    times = read(f"warfarin 5 mg {line}", _ENGINE).times_per_day
    assert times is not None
    assert times[1] * 7 == often


@pytest.mark.parametrize("line", ["Lotrel 10", "Zestoretic 20", "Hyzaar 100", "hydrocodone/apap 10"])
def test_one_number_beside_a_combination_is_never_how_many_are_taken(line: str) -> None:
    d = read(f"{line} daily", _ENGINE)
    assert d.dose is None or d.dose[1].value == 1 or d.dose[1].unit == "mg"
