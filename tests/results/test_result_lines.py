"""Results as people and laboratories write them: what is read, and what is asked about instead of guessed."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safety.engine import Engine
from safety.reading.results.reader import ResultReader
from safety.reading.results.told import ToldResult

DAY = date(2026, 11, 20)
SBP, DBP = "lab.systolic-blood-pressure", "lab.diastolic-blood-pressure"


@pytest.fixture(scope="module")
def reader(engine: Engine) -> ResultReader:
    return engine.checker.terms.result_lines


def brief(one: ToldResult) -> tuple[str, str, str | None]:
    return one.test.removeprefix("lab."), f"{one.sign}{one.value}", one.unit


# ------------------------------------------------------------------ laws

SURE = ["Na 138", "K 5.9 (H)", "INR 2.3", "Hgb 7.2 g/dL", "TSH <0.01", "BP 148/88", "SpO2 93%", "Cr 1.9", "ANC 480/mm3"]


@given(
    lines=st.lists(st.sampled_from(SURE), min_size=1, max_size=5, unique=True), mark=st.sampled_from([", ", "; ", "  ", " | "])
)
def test_results_on_one_line_read_as_they_read_alone(engine: Engine, lines: list[str], mark: str) -> None:
    reader = engine.checker.terms.result_lines
    alone = [brief(r) for line in lines for r in reader.line(line, DAY).results]
    assert [brief(r) for r in reader.line(mark.join(lines), DAY).results] == alone


@given(
    line=st.sampled_from(SURE), how=st.sampled_from([str.upper, str.lower, str.title, lambda t: f"  {t}  ", lambda t: f"{t}."])
)
def test_case_and_space_change_nothing(engine: Engine, line: str, how) -> None:  # type: ignore[no-untyped-def]
    reader = engine.checker.terms.result_lines
    assert [brief(r) for r in reader.line(how(line), DAY).results] == [brief(r) for r in reader.line(line, DAY).results]


RIGHT = ["sorry,", "no,", "no wait,", "I mean", "make that", "actually", "correction:", "uh, no, it's", "the lab corrected it to"]


@given(
    first=st.integers(20, 70),
    then=st.integers(20, 70),
    words=st.sampled_from(RIGHT),
    mark=st.sampled_from([", ", "... ", " - ", "; ", " "]),
)
def test_what_a_speaker_puts_right_reads_as_if_only_the_right_number_had_been_said(
    engine: Engine, first: int, then: int, words: str, mark: str
) -> None:
    reader = engine.checker.terms.result_lines
    said = reader.line(f"potassium {first / 10}{mark}{words} {then / 10}", DAY)
    assert [brief(r) for r in said.results] == [brief(r) for r in reader.line(f"potassium {then / 10}", DAY).results]
    assert not said.results[0].earlier
    assert any(str(first / 10).rstrip("0").rstrip(".") in back for back in said.taken_back)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("K 6.8 hemolyzed, repeat 4.4", ["4.4"]),
        ("potassium is 4.1 not 6.1", ["4.1"]),
        ("platelets 15, they were clumped, repeat 180", ["180"]),
        ("BP 200/130, sorry, 120/70", ["120", "70"]),
        ("K 4.1, no 3 days ago", ["4.1"]),
        ("potassium two point one... sorry, 2.1, sodium 140", ["2.1", "140"]),
        ("K 6.8, repeat 4.4", ["6.8", "4.4"]),
    ],
)
def test_what_was_taken_back_or_spoilt_is_no_result(reader: ResultReader, text: str, kept: list[str]) -> None:
    assert [str(r.value) for r in reader.line(text, DAY).results] == kept


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("creatinine: 1.0, 1.3, 1.8", ["1.0", "1.3", "1.8"]),
        ("my last three INRs were 2.0, 2.9 and 4.1", ["2.0", "2.9", "4.1"]),
        ("WBC 7.0, 12.3, 36.9, 210", ["7.0"]),  # white cells, then hemoglobin, hematocrit and platelets
        ("Na 138, 4.2, 102, 24", ["138"]),
    ],
)
def test_a_series_is_of_one_test_and_a_list_of_a_panel_is_none(reader: ResultReader, text: str, values: list[str]) -> None:
    results = [r for r in reader.line(text, DAY).results if r.test]
    assert [str(r.value) for r in results] == values
    assert [r.earlier for r in results] == [True] * (len(values) - 1) + [False]


@given(text=st.text(max_size=120))
def test_any_text_is_answered_and_every_span_lies_in_it(engine: Engine, text: str) -> None:
    line = engine.checker.terms.result_lines.line(text, DAY)
    assert all(0 <= r.start <= r.end <= len(line.text) for r in line.results)


@given(low=st.integers(1, 99), rest=st.integers(0, 9), junk=st.sampled_from(["O", "l", "e5", ".1", ",5x", "//", "o/8o"]))
def test_a_number_with_something_in_it_is_never_read_as_its_beginning(engine: Engine, low: int, rest: int, junk: str) -> None:
    line = engine.checker.terms.result_lines.line(f"K {low}.{rest}{junk}", DAY)
    assert all(r.fault or r.value is None or r.test != "lab.potassium" for r in line.results)


# ------------------------------------------------------------------ as written

READ = {
    "148/88": [("systolic-blood-pressure", "148", None), ("diastolic-blood-pressure", "88", None)],
    "BP 148/88 HR 102 T 38.1 SpO2 93% RA": [
        ("systolic-blood-pressure", "148", None), ("diastolic-blood-pressure", "88", None), ("heart-rate", "102", None),
        ("body-temperature", "38.1", None), ("oxygen-saturation", "93", "%"),
    ],
    "Na 138 K 4.1 Cl 102 HCO3 24 BUN 18 Cr 1.1": [
        ("sodium", "138", None), ("potassium", "4.1", None), ("chloride", "102", None), ("bicarbonate", "24", None),
        ("bun", "18", None), ("creatinine", "1.1", None),
    ],
    "K 5.9 mEq/L [3.5-5.1] H": [("potassium", "5.9", "mEq/L")],
    "Hgb 9.8 g/dL": [("hemoglobin", "9.8", "g/dL")],
    "platelets 150,000/mm3": [("platelets", "150000", "/uL")],
    "plt 18 K/uL": [("platelets", "18", "10*9/L")],
    "plt 150 K": [("platelets", "150", "K")],
    "WBC 0.4 G/L": [("wbc", "0.4", "g/L")],
    "WBC 8.2 x10³/µL": [("wbc", "8.2", "10*9/L")],
    "ANC 480 cells/µL": [("neutrophils", "480", "/uL")],
    "WBC 8.2 x10(3)/uL": [("wbc", "8.2", "10*9/L")],
    "WBC 4.2 K 5.1": [("wbc", "4.2", None), ("potassium", "5.1", None)],
    "glucose 100 mg%": [("glucose", "100", "mg/dL")],
    "TSH 5.5 mcIU/mL": [("tsh", "5.5", "microunit/mL")],
    "Cr 212 micromol/L": [("creatinine", "212", "umol/L")],
    "Hct 0.31 L/L": [("hematocrit", "0.31", "L/L")],
    "TSH <0.01": [("tsh", "<0.01", None)],
    "eGFR >60": [("egfr", ">60", None)],
    "eGFR greater than 60 mL/min/1.73 m2": [("egfr", ">60", "mL/min/1.73m2")],
    "AST/ALT 212/348": [("ast", "212", None), ("alt", "348", None)],
    "H/H 7.1/22": [("hemoglobin", "7.1", None), ("hematocrit", "22", None)],
    "CBC 12.4>9.8/29.6<188": [
        ("wbc", "12.4", None), ("hemoglobin", "9.8", None), ("hematocrit", "29.6", None), ("platelets", "188", None)],
    "BMP 138/4.1/102/24/18/1.1<212": [
        ("sodium", "138", None), ("potassium", "4.1", None), ("chloride", "102", None), ("bicarbonate", "24", None),
        ("bun", "18", None), ("creatinine", "1.1", None), ("glucose", "212", None)],
    "PT/INR 24.1/2.3": [("prothrombin-time", "24.1", None), ("inr", "2.3", None)],
    "PT/INR 2.3": [("inr", "2.3", None)],
    "INR 11/01 2.1, 11/08 3.4, 11/15 5.6": [("inr", "2.1", None), ("inr", "3.4", None), ("inr", "5.6", None)],
    "glucose, fasting: 126 mg/dL": [("glucose", "126", "mg/dL")],
    "T 39.2 C (102.6 F)": [("body-temperature", "39.2", "Cel")],
    "BP 88/52 (MAP 64)": [
        ("mean-arterial-pressure", "64", None), ("systolic-blood-pressure", "88", None),
        ("diastolic-blood-pressure", "52", None)],
    "HR88 RR18 T37.2 BP120/70": [
        ("heart-rate", "88", None), ("respiratory-rate", "18", None), ("body-temperature", "37.2", None),
        ("systolic-blood-pressure", "120", None), ("diastolic-blood-pressure", "70", None)],
    "K 5.6->4.2": [("potassium", "5.6", None), ("potassium", "4.2", None)],
    "Hgb 7.2/Hct 22": [("hemoglobin", "7.2", None), ("hematocrit", "22", None)],
    "BP 125": [("systolic-blood-pressure", "125", None)],
    "Na 131 L K 3.3 L": [("sodium", "131", None), ("potassium", "3.3", None)],
    "aPTT 80 H": [("aptt", "80", None)],
    "K-5.9": [("potassium", "5.9", None)],
    "OME 90 mg/day": [("opioid-dose", "90", "mg/d")],
    "the potassium came back at 5.9 today": [("potassium", "5.9", None)],
}  # fmt: skip


@pytest.mark.parametrize("text", READ)
def test_a_line_is_read_as_it_is_written(reader: ResultReader, text: str) -> None:
    line = reader.line(text, DAY)
    assert [brief(r) for r in line.results] == READ[text]
    assert not line.left


@pytest.mark.parametrize(
    ("text", "flag"),
    [("K 5.9 (H)", "high"), ("K 6.8 HH", "critical_high"), ("Na 118 LL", "critical_low"), ("K 5.9 *", "abnormal"),
     ("ANC 480/mm3 !!", "critical"), ("K 6.8 crit", "critical"), ("K 4.1", ""), ("Lithium: 1.6 mmol/L [0.6-1.2] H", "high")],
)  # fmt: skip
def test_a_mark_of_the_laboratory_is_kept(reader: ResultReader, text: str, flag: str) -> None:
    assert [r.flag for r in reader.line(text, DAY).results] == [flag]


@pytest.mark.parametrize(
    ("text", "told", "goal"),
    [("K 5.9 [3.5-5.1]", "3.5-5.1", ""), ("TnI 0.4 ng/mL (ref <0.04)", "<0.04", ""), ("INR 4.7, goal 2-3", "", "2-3"),
     ("BNP 1,840 pg/mL (0-100)", "0-100", "")],
)  # fmt: skip
def test_a_range_is_kept_as_the_laboratory_tells_it_and_is_no_result(
    reader: ResultReader, text: str, told: str, goal: str
) -> None:
    line = reader.line(text, DAY)
    assert [(r.range, r.goal) for r in line.results] == [(told, goal)]


@pytest.mark.parametrize(
    ("text", "day"),
    [("INR 2.3 on 11/2", date(2026, 11, 2)), ("INR 2.3 on 12/2", date(2025, 12, 2)), ("INR 2.3 (8/1/2026)", date(2026, 8, 1)),
     ("INR 2.3 yesterday", date(2026, 11, 19)), ("INR today 4.7", DAY), ("11/2: INR 2.3", date(2026, 11, 2)),
     ("INR 2.3 Nov 2", date(2026, 11, 2)), ("INR 2.3 2026-11-02", date(2026, 11, 2)), ("INR 2.3", None)],
)  # fmt: skip
def test_the_day_of_a_result_is_read(reader: ResultReader, text: str, day: date | None) -> None:
    line = reader.line(text, DAY)
    assert [(r.value, r.on) for r in line.results] == [(Decimal("4.7") if "4.7" in text else Decimal("2.3"), day)]


@pytest.mark.parametrize(
    "text", ["11/3 Cr 1.2 11/5 Cr 2.4", "11/3: Cr 1.2, 11/5: Cr 2.4", "Cr 1.2 11/3 Cr 2.4 11/5", "Cr 1.2 (11/3), Cr 2.4 (11/5)"]
)
def test_days_before_and_behind_results_go_with_their_own(reader: ResultReader, text: str) -> None:
    told = [(str(r.value), r.on) for r in reader.line(text, DAY).results]
    assert told == [("1.2", date(2026, 11, 3)), ("2.4", date(2026, 11, 5))]


@pytest.mark.parametrize(
    ("text", "value"),
    [("nitrite pos", "positive"), ("HIV non-reactive", "negative"), ("ketones trace", "trace"), ("protein 2+", "2+"),
     ("blood culture no growth", "negative"), ("SARS-CoV-2 PCR Detected", "positive"), ("protein +++", "3+")],
)  # fmt: skip
def test_a_result_in_a_word_is_that_word(reader: ResultReader, text: str, value: str) -> None:
    assert [r.value for r in reader.line(text, DAY).results] == [value]


@pytest.mark.parametrize(
    ("text", "values"),
    [("Hgb 7.2 -> 6.8", [("7.2", True), ("6.8", False)]), ("Cr 1.9 (baseline 1.1)", [("1.9", False), ("1.1", True)]),
     ("Lactic acid 4.2 on arrival; rpt 1.9", [("4.2", True), ("1.9", False)])],
)  # fmt: skip
def test_of_two_results_of_one_test_the_earlier_is_told_apart(
    reader: ResultReader, text: str, values: list[tuple[str, bool]]
) -> None:
    assert [(str(r.value), r.earlier) for r in reader.line(text, DAY).results] == values


# ------------------------------------------------------------------ asked about


@pytest.mark.parametrize(
    "told",
    ["12O/8O", "five point point six", "five six", "1.1.1", "1e309", "-5", "NaN", "11/2", "11/2/2026", "5,9", "5/6", "nan/nan"],
)
@pytest.mark.parametrize("name", ["K", "potassium", "BP", "Hgb"])
def test_what_is_no_number_is_asked_about(reader: ResultReader, name: str, told: str) -> None:
    line = reader.line(f"{name} {told}", DAY)
    assert all(r.fault == "value" for r in line.results)
    assert line.results


@pytest.mark.parametrize(
    "text",
    ["UA glucose neg", "urine: K 20", "CSF glucose 40",
     "glycated albumin 16", "vitamin K 5", "pre-albumin 12", "K-Dur 20", "fetal hemoglobin 2%"],
)  # fmt: skip
def test_a_name_that_goes_on_or_another_specimen_is_another_test(reader: ResultReader, text: str) -> None:
    blood = {"lab.glucose", "lab.potassium", "lab.albumin", "lab.hemoglobin"}
    assert blood.isdisjoint(r.test for r in reader.line(text, DAY).results)


@pytest.mark.parametrize("text", ["K pending", "INR: not done", "troponin pending"])
def test_what_was_not_measured_is_no_result(reader: ResultReader, text: str) -> None:
    assert [r.fault for r in reader.line(text, DAY).results if r.test] in (["not_done"], [])
    assert all(r.value is None for r in reader.line(text, DAY).results)


def test_a_specimen_with_a_colon_is_that_of_everything_behind_it(reader: ResultReader) -> None:
    told = reader.line("Na 140. UA: protein 1+, glucose neg, ketones trace. Glucose 110", DAY)
    assert [r.test for r in told.results] == [
        "lab.sodium", "lab.urine-protein-dipstick", "lab.urine-glucose-dipstick", "lab.urine-ketones-dipstick", "lab.glucose",
    ]  # fmt: skip


def test_a_blood_gas_is_its_four_numbers_in_order(reader: ResultReader) -> None:
    told = reader.line("ABG 7.31/58/62/29", DAY)
    assert [(r.test, str(r.value)) for r in told.results] == [
        ("lab.arterial-ph", "7.31"), ("lab.arterial-pco2", "58"), ("lab.arterial-po2", "62"), ("lab.bicarbonate", "29"),
    ]  # fmt: skip


def test_four_numbers_that_cannot_be_a_blood_gas_are_none(reader: ResultReader) -> None:
    assert not [r for r in reader.line("ABG 120/80/62/29", DAY).results if r.test and not r.fault]


# ------------------------------------------------------------------ fishbones, rows, trends, and what is no result


METABOLIC = ["138", "4.2", "102", "24", "18", "1.1", "126"]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("BMP 138 4.2 102 24 18 1.1 126", METABOLIC),
        ("138/4.2/102/24/18/1.1<126", METABOLIC),
        ("chem 7: 138 / 4.2 / 102 / 24 / 18 / 1.1 < 126", METABOLIC),
        ("7.2>12.3/36.9<210", ["7.2", "12.3", "36.9", "210"]),
        ("CBC 7.2>12.3<210", ["7.2", "12.3", "210"]),
    ],
)
def test_a_fishbone_is_its_numbers_in_order(reader: ResultReader, text: str, values: list[str]) -> None:
    line = reader.line(text, DAY)
    assert [str(r.value) for r in line.results if r.test] == values
    assert not line.left


@pytest.mark.parametrize(
    "text", ["BMP 138 4.2 102 24 18 1.1", "BMP 1380 4.2 102 24 18 1.1 126", "BMP 138 4.2 102 24 18 1.1 126 9"]
)
def test_a_row_of_too_few_too_many_or_impossible_numbers_is_no_panel(reader: ResultReader, text: str) -> None:
    assert all(not r.test or r.fault for r in reader.line(text, DAY).results)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("creatinine increased from 1.1 to 1.9", [("1.1", True), ("1.9", False)]),
        ("Cr trend 1.0 / 1.4 / 1.9", [("1.0", True), ("1.4", True), ("1.9", False)]),
        ("Cr trending 1.0 -> 1.4", [("1.0", True), ("1.4", False)]),
        ("K 5.9 to 6.1", [("5.9-6.1", False)]),
    ],
)
def test_of_a_row_of_results_the_last_is_the_one_of_today(reader: ResultReader, text: str, told: list[tuple[str, bool]]) -> None:
    assert [(str(r.value), r.earlier) for r in reader.line(text, DAY).results] == told


def test_days_in_a_bracket_are_those_of_a_trend_one_by_one(reader: ResultReader) -> None:
    read = reader.line("Cr trend 1.0 / 1.4 / 1.9 (11/1, 11/3, 11/5)", DAY).results
    assert [r.on for r in read] == [date(2026, 11, 1), date(2026, 11, 3), date(2026, 11, 5)]
    each = reader.line("Cr 1.0 (11/1), 1.4 (11/3), 1.9 (11/5)", DAY).results
    assert [(str(r.value), r.on) for r in each] == [("1.0", read[0].on), ("1.4", read[1].on), ("1.9", read[2].on)]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("QTc 502 ms on EKG 11/6", date(2026, 11, 6)), ("LVEF 30% echo 8/22", date(2026, 8, 22)),
        ("A1c 7.1 % Ref: 4.0-5.6 Collected: 10/21/2026", date(2026, 10, 21)), ("A1c 9.2% (10/2026)", date(2026, 10, 31)),
        ("A1c 8.1 in Sept", date(2026, 9, 30)), ("EF 30% in December 2024", date(2024, 12, 31)),
        ("A1c 8.1 (11/2026)", DAY), ("A1c 8.1 in Dec", date(2025, 12, 31)),
    ],
)  # fmt: skip
def test_a_day_behind_how_it_was_done_or_a_month_is_its_day(reader: ResultReader, text: str, day: date) -> None:
    assert [r.on for r in reader.line(text, DAY).results] == [day]


def test_a_day_behind_the_last_comma_is_that_of_every_result(reader: ResultReader) -> None:
    assert [r.on for r in reader.line("Ca 11.9 mg/dL, PTH 142 pg/mL, 11/12", DAY).results] == [date(2026, 11, 12)] * 2


@pytest.mark.parametrize("text", ["keep K > 4 and Mg > 2", "goal MAP >65", "transfuse for Hgb <7", "hold if SBP < 100, HR < 55"])
def test_what_a_result_is_to_come_to_is_none_and_is_told(reader: ResultReader, text: str) -> None:
    line = reader.line(text, DAY)
    assert line.results == ()
    assert line.left == (text,)


def test_a_result_beside_an_aim_is_read(reader: ResultReader) -> None:
    line = reader.line("keep K > 4; K today 3.2", DAY)
    assert [brief(r) for r in line.results] == [("potassium", "3.2", None)]


@pytest.mark.parametrize(
    ("text", "test", "value"),
    [
        ("Ca++ 11.9", "calcium", "11.9"), ("Mg2+ 1.1", "magnesium", "1.1"), ("K+5.9", "potassium", "5.9"),
        ("urine protein ++", "urine-protein-dipstick", "2+"), ("K 5.9↑", "potassium", "5.9"),
        ("Calcium, Ionized 0.98", "ionized-calcium", "0.98"), ("Sodium, Serum 128", "sodium", "128"),
        ("Sodium, Urine 20", "urine-sodium", "20"), ("Bilirubin, Direct 2.1", "bilirubin-direct", "2.1"),
        ("INR supratherapeutic at 6.2", "inr", "6.2"), ("INR subtherapeutic", "inr", "low"),
        ("height 5'9\"", "body-height", "69"), ("ht 5 ft 9 in", "body-height", "69"),
        ("HR 110s", "heart-rate", "110-119"), ("BG 400s", "glucose", "400-499"), ("HR in the 130s", "heart-rate", "130-139"),
        ("blood cx 2/2 bottles positive", "blood-culture", "positive"),
    ],
)  # fmt: skip
def test_charges_arrows_inverted_names_and_counts_of_samples_are_read(
    reader: ResultReader, text: str, test: str, value: str
) -> None:
    assert [(r.test, str(r.value)) for r in reader.line(text, DAY).results] == [(f"lab.{test}", value)]


def test_a_gas_of_venous_blood_is_not_taken_for_one_of_an_artery(reader: ResultReader) -> None:
    assert [r.test for r in reader.line("vbg pH 7.22 pCO2 60", DAY).results] == ["lab.venous-ph", "lab.venous-pco2"]
    row = ["lab.venous-ph", "lab.venous-pco2", "lab.venous-po2", "lab.bicarbonate"]
    assert [r.test for r in reader.line("VBG: 7.21/60/30/22", DAY).results] == row


@pytest.mark.parametrize("text", ["Creatinine, Urine 84 mg/dL", "urine Ca++ 11.9"])
def test_a_result_of_urine_is_not_taken_for_another(reader: ResultReader, text: str) -> None:
    assert all(not r.test for r in reader.line(text, DAY).results)


def test_a_time_before_a_blood_pressure_is_no_part_of_it(reader: ResultReader) -> None:
    read = reader.line("Vitals 0800: 98/54, pulse 118", DAY).results
    assert [brief(r)[:2] for r in read] == [
        ("systolic-blood-pressure", "98"), ("diastolic-blood-pressure", "54"), ("heart-rate", "118")]  # fmt: skip
