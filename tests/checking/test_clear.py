"""Clear is earned: it is said only where everything was told, read and judged, and where what is needed for that is held."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import examples, sampled
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from library_cases import DAY, cases

from safety.engine import Engine
from safety.knowledge.library import Library
from safety.model.report import Report

law = settings(deadline=None, suppress_health_check=list(HealthCheck), phases=set(Phase) - {Phase.explain})

NOTHING_ELSE: dict[str, Any] = {
    key: [] for key in ("conditions", "allergies", "labs", "vitals", "intake", "diet_limits", "genes", "procedures", "devices",
                        "vaccines")
}  # fmt: skip
MAN = {**NOTHING_ELSE, "age": 50, "sex": "male", "weight": "80 kg", "height": "178 cm"}
WOMAN = {**MAN, "age": 30, "sex": "female", "pregnancy": "no", "breastfeeding": "no"}
PATIENTS: dict[str, dict[str, Any]] = {
    "pregnant": {**WOMAN, "pregnancy": "trimester 2"},
    "breastfeeding": {**WOMAN, "breastfeeding": "yes"},
    "newborn": {**MAN, "age": "5 days", "weight": "3.4 kg", "height": "50 cm"},
    "child": {**MAN, "age": "7 y", "weight": "23 kg", "height": "122 cm"},
    "50": MAN,
    "85": {**MAN, "age": 85},
    "kidney failure": {**MAN, "conditions": ["end stage renal disease"]},
    "cirrhosis": {**MAN, "conditions": ["cirrhosis"]},
}
UNUSABLE: dict[str, list[Any]] = {
    "conditions": ["glorptitis"],
    "allergies": ["qwxyzine"],
    "labs": [
        {"test": "potassium", "value": "12.5", "unit": "mmol/L"},
        {"test": "creatinine", "value": "1.1"},
        {"test": "potassium", "value": "4.1", "unit": "cubits"},
        {"test": "potassium", "value": "rather high", "unit": "mmol/L"},
        {"test": "potassium", "value": "4.1", "unit": "mmol/L", "on": "2027-01-01"},
        {"test": "wibble count", "value": "3"},
    ],
    "vitals": [{"test": "heart rate", "value": 4000, "unit": "/min"}],
    "intake": ["glorp juice"],
    "genes": [{"gene": "GLORP1", "phenotype": "poor metabolizer"}, "CYP2D6 tested"],
    "procedures": [{"text": "glorpification"}],
    "devices": ["glorp implant"],
    "vaccines": [{"text": "glorply"}],
    "medications": ["qwxyz 5 mg daily", {"drug": "loratadine", "sig": "10 mg by mouth glorply"}],
}


def _check(engine: Engine, patient: dict[str, Any]) -> Report:
    return engine.check({"patient": patient}, DAY)


def _whole(report: Report) -> bool:
    """Whether nothing is left open, by what the report says of itself."""
    return not (
        report.unknown_because or report.unknown or report.unresolved or report.not_covered
        or any(state != "judged" for state in report.checks.values()) or any(m.confirm for m in report.medications)
    )  # fmt: skip


@pytest.mark.parametrize("who", PATIENTS)
def test_no_drug_alone_is_clear_with_a_hole(engine: Engine, library: Library, who: str) -> None:
    wrong = []
    for drug in sampled(list(library.drugs)):
        report = _check(engine, {**PATIENTS[who], "medications": [drug.name]})
        if (report.verdict == "clear" and not _whole(report)) or report.complete is not _whole(report):
            wrong.append(drug.id)
    assert wrong == []


def _clear_cases() -> list[dict[str, Any]]:
    return [
        {**MAN, "medications": ["citalopram 20 mg by mouth once daily"]},
        {**MAN, "medications": ["loratadine 10 mg by mouth once daily"]},
        {**MAN, "medications": ["warfarin 5 mg by mouth once daily"], "labs": [{"test": "INR", "value": 2.5}]},
        {**MAN, "medications": []},
    ]


@pytest.mark.parametrize("patient", _clear_cases(), ids=lambda p: str(p["medications"]))
def test_clear_is_said_where_everything_is_told_and_held(engine: Engine, patient: dict[str, Any]) -> None:
    report = _check(engine, patient)
    assert (report.verdict, report.complete, report.unknown_because) == ("clear", True, [])


@pytest.mark.parametrize("patient", _clear_cases(), ids=lambda p: str(p["medications"]))
def test_whatever_is_told_and_cannot_be_used_is_listed_and_never_clear(engine: Engine, patient: dict[str, Any]) -> None:
    for key, items in UNUSABLE.items():
        for item in items:
            report = _check(engine, {**patient, key: [*patient[key], item]})
            where = f"{key}[{len(patient[key])}]"
            assert (report.verdict != "clear", report.complete) == (True, False), item
            assert [u.status for u in report.unresolved if u.where == where], item
            assert all(u.could_change for u in report.unresolved)


@pytest.mark.parametrize("patient", _clear_cases(), ids=lambda p: str(p["medications"]))
def test_leaving_out_whatever_was_told_is_never_clear(engine: Engine, patient: dict[str, Any]) -> None:
    said = {key: _check(engine, {k: v for k, v in patient.items() if k != key}).verdict for key in patient}
    assert {key for key, verdict in said.items() if verdict == "clear"} <= {"weight", "height"}


@settings(law, max_examples=examples(60))
@given(case=st.deferred(lambda: cases()), data=st.data())
def test_telling_less_never_clears_what_was_violated_or_unknown(
    engine: Engine, case: dict[str, Any], data: st.DataObject
) -> None:
    told = {**NOTHING_ELSE, **case["patient"]}
    gone = data.draw(st.sets(st.sampled_from(sorted(told)), min_size=1))
    before = engine.check({**case, "patient": told}, DAY)
    after = engine.check({**case, "patient": {k: v for k, v in told.items() if k not in gone}}, DAY)
    assert before.verdict == "clear" or after.verdict != "clear"


@settings(law, max_examples=examples(60))
@given(case=st.deferred(lambda: cases()), data=st.data())
def test_a_fact_that_cannot_be_used_never_clears(engine: Engine, case: dict[str, Any], data: st.DataObject) -> None:
    told = {**NOTHING_ELSE, **case["patient"]}
    key = data.draw(st.sampled_from(sorted(UNUSABLE)))
    item = data.draw(st.sampled_from(UNUSABLE[key]))
    after = engine.check({**case, "patient": {**told, key: [*told[key], item]}}, DAY)
    assert after.verdict != "clear"
    assert not after.complete


@pytest.mark.parametrize(
    ("drug", "test", "value", "unit", "told"),
    [
        ("warfarin", "INR", "9", None, "judged"),
        ("warfarin", "INR", "2.5", None, "ordinary"),
        ("lithium", "lithium level", "4", "mmol/L", "judged"),
        ("lithium", "lithium level", "0.9", "mmol/L", "ordinary"),
        ("digoxin", "digoxin level", "5", "ng/mL", "judged"),
        ("clozapine", "neutrophils", "0.4", "10*9/L", "judged"),
        ("citalopram", "QTc", "530", "ms", "judged"),
        ("citalopram", "sodium", "140", "mmol/L", "ordinary"),
        ("lisinopril", "potassium", "2.0", "mmol/L", "unjudged"),
        ("lisinopril", "potassium", "7.0", "mmol/L", "judged"),
    ],
)
def test_a_result_out_of_its_range_is_judged_or_told_as_one_that_no_rule_looks_at(
    engine: Engine, drug: str, test: str, value: str, unit: str | None, told: str
) -> None:
    result = {k: v for k, v in (("test", test), ("value", value), ("unit", unit)) if v}
    report = _check(engine, {**MAN, "medications": [f"{drug} by mouth"], "labs": [result]})
    assert [u.status for u in report.unresolved] == (["unjudged"] if told == "unjudged" else [])
    of_the_value = [f for f in report.findings if f.kind != "monitoring"]  # a test still due is not about this one
    assert bool(of_the_value) == (told == "judged")
    assert report.verdict != "clear" or told == "ordinary"


@pytest.mark.parametrize("turned", [False, True], ids=["as told", "turned round"])
@pytest.mark.parametrize(
    ("results", "told"),
    [
        ((("2.0", "2026-10-01"), ("4.2", "2026-10-02")), []),
        ((("4.2", "2026-10-01"), ("2.0", "2026-10-02")), ["2.0"]),
        ((("2.1", "2026-10-01"), ("2.0", "2026-10-02")), ["2.0"]),
        ((("2.0", "2026-10-01"), ("4.2", None)), []),
        ((("4.2", "2026-10-01"), ("2.0", None)), ["2.0"]),
    ],
)
def test_the_newest_result_of_a_test_is_told_whatever_the_order_and_one_of_no_day_is_of_today(
    engine: Engine, results: tuple[tuple[str, str | None], ...], told: list[str], turned: bool
) -> None:
    labs = [{"test": "potassium", "value": v, "unit": "mmol/L", **({"on": on} if on else {})} for v, on in results]
    patient = {**MAN, "medications": ["lisinopril by mouth"], "labs": labs[::-1] if turned else labs}
    report = _check(engine, patient)
    assert [u.text.split()[1] for u in report.unresolved if u.status == "unjudged"] == told


def test_nothing_told_is_unknown_and_asks_for_the_medicines(engine: Engine) -> None:
    report = engine.check({"patient": {}}, DAY)
    assert report.verdict == "unknown"
    first = report.unknown_because[0]
    assert (first.because, first.about, bool(first.ask)) == ("not told", "medications", True)


def test_the_four_ways_of_not_knowing_are_told_apart(engine: Engine) -> None:
    patient = {
        **{k: v for k, v in MAN.items() if k != "allergies"},
        "pregnancy": "yes",
        "medications": ["tiopronin 400 mg by mouth twice daily"],
        "labs": [{"test": "potassium", "value": 12.5, "unit": "mmol/L"}],
    }
    found = {h.because: h.about for h in _check(engine, patient).unknown_because}
    assert found.keys() == {"not held", "not told", "not read", "contradicts"}
    assert found["not held"] == "drug.tiopronin"


def test_what_is_not_held_is_one_line_a_medicine(engine: Engine, library: Library) -> None:
    several = [d.name for d in library.drugs[:40]]
    lines = [h.about for h in _check(engine, {**MAN, "medications": several}).unknown_because if h.because == "not held"]
    assert len(lines) == len(set(lines)) > 0


def test_a_label_that_was_read_closes_the_hole_that_it_says_nothing_of(engine: Engine) -> None:
    report = _check(engine, {**MAN, "medications": ["loratadine 10 mg by mouth once daily"]})
    assert report.checks["interaction"] == "judged"
    pregnant = _check(engine, {**PATIENTS["pregnant"], "medications": ["loratadine 10 mg by mouth once daily"]})
    assert pregnant.checks["pregnancy"] == "not held"
    assert pregnant.checks_why["pregnancy"] == "not held: loratadine"
