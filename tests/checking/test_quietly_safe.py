"""Nothing is wrongly quiet: whatever is put into a harmless case and not read, not possible or not judged, the report tells."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import examples
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from library_cases import DAY, cases

from safety.engine import Engine
from safety.model.report import Report
from safety.reading.fhir.bundle import read_fhir

law = settings(deadline=None, suppress_health_check=list(HealthCheck), phases=set(Phase) - {Phase.explain})

NOTHING_ELSE: dict[str, Any] = {
    key: [] for key in ("conditions", "allergies", "labs", "vitals", "intake", "diet_limits", "genes", "procedures", "devices",
                        "vaccines")
}  # fmt: skip
MAN = {**NOTHING_ELSE, "age": 50, "sex": "male", "weight": "80 kg", "height": "178 cm"}
LINES = ["citalopram 20 mg by mouth once daily", "loratadine 10 mg tablet: take 1 tablet by mouth every morning"]
FIELDS = {"drug": "citalopram", "strength": "20 mg", "form": "tablet", "dose": "1 tablet", "frequency": "once daily",
          "route": "oral"}  # fmt: skip
WRAPS = [
    "{}",
    "({})",
    "[{}]",
    "{{{}}}",
    "<{}>",
    '"{}"',
    "*{}*",
    ", {}",
    "; {}",
    ": {}",
    "- {}",
    "/ {}",
    "| {}",
    ". {}",
    "+ {}",
    "= {}",
]
NONSENSE = st.text("bcdfghjklmnpqrvxz", min_size=6, max_size=9).map(lambda word: f"{word}yx").filter(lambda w: "prn" not in w)
"""No word of any language, and near none; "prn" with letters behind it ("prnpain") says what for, and reasons are not judged."""


def _check(engine: Engine, **told: Any) -> Report:
    return engine.check({"patient": {**MAN, **told}}, DAY)


def _names(report: Report, word: str) -> bool:
    """Whether the word stands in something that the report says it does not know."""
    told = [f"{u.text} {u.ask}" for u in report.unresolved] + [f"{h.text} {h.ask}" for h in report.unknown_because]
    return any(word.lower() in text.lower() for text in told)


# --- lines and fields ----------------------------------------------------------------------------------------------


@settings(law, max_examples=examples(150))
@given(line=st.sampled_from(LINES), word=NONSENSE, wrap=st.sampled_from(WRAPS), data=st.data())
def test_a_word_that_nobody_knows_is_named_wherever_it_stands_on_a_line(
    engine: Engine, line: str, word: str, wrap: str, data: st.DataObject
) -> None:
    words = line.split()
    at = data.draw(st.integers(0, len(words)))
    report = _check(engine, medications=[" ".join([*words[:at], wrap.format(word), *words[at:]])])
    assert report.verdict != "clear"
    assert _names(report, word)


@settings(law, max_examples=examples(150))
@given(key=st.sampled_from(sorted(FIELDS)), word=NONSENSE, wrap=st.sampled_from(WRAPS), before=st.booleans())
def test_a_word_that_nobody_knows_is_named_in_whichever_field_it_stands(
    engine: Engine, key: str, word: str, wrap: str, before: bool
) -> None:
    told = wrap.format(word)
    text = f"{told} {FIELDS[key]}" if before else f"{FIELDS[key]} {told}"
    report = _check(engine, medications=[{**FIELDS, key: text}])
    assert report.verdict != "clear"
    assert _names(report, word)


@pytest.mark.parametrize(
    "line",
    [
        "citalopram 20 mg tablet [stop after surgery] once daily",
        "citalopram 20 mg by mouth once daily, hold before surgery",
        "citalopram [warfarin 5 mg] 20 mg by mouth once daily",
        "citalopram 100 mg tablet, take 10 mg by mouth once daily",
        {**FIELDS, "dose": "100 mg 1 tablet"},
        {**FIELDS, "form": "100 mg tablet"},
        {**FIELDS, "form": "injection"},
        {**FIELDS, "drug": "citalopram 100 mg"},
        {**FIELDS, "text": "warfarin 5 mg daily"},
        {**FIELDS, "text": "citalopram 20 mg daily STOPPED"},
        {**FIELDS, "contains": ["warfarin 5 mg"]},
        {**FIELDS, "since": "2027-05-01"},
        {**FIELDS, "since": "2026-05-01", "until": "2026-01-01"},
        {**FIELDS, "last_taken": "2027-01-01"},
        {**FIELDS, "since": "2020-01-01", "days": 3},
    ],
    ids=str,
)
def test_what_contradicts_itself_on_a_line_is_listed_there(engine: Engine, line: Any) -> None:
    report = _check(engine, medications=[line])
    assert report.verdict != "clear"
    found = [u for u in report.unresolved if u.where == "medications[0]" and u.status in ("unread", "contradicted", "ambiguous")]
    assert found or any(m.drug == "drug.warfarin" for m in report.medications)
    assert all(u.could_change and u.ask for u in found)


@pytest.mark.parametrize(
    "line",
    [
        "citalopram 20 mg tablet [Celexa] once daily by mouth",
        "citalopram 40 mg tablet, take 20 mg by mouth once daily",
        "loratadine 10 mg tablet, take 10 mg by mouth once daily",
        {**FIELDS, "dose": "20 mg (1 tablet)"},
        {**FIELDS, "dose": "40 mg", "strength": "20 mg"},
        {**FIELDS, "form": "20 mg tablet"},
        {**FIELDS, "drug": "citalopram 20 mg"},
        {**FIELDS, "text": "Celexa 20 mg tablet, 1 tablet by mouth once daily"},
        {**FIELDS, "since": "2026-11-18", "days": 30},
    ],
    ids=str,
)
def test_what_says_the_same_twice_is_left_in_peace(engine: Engine, line: Any) -> None:
    report = _check(engine, medications=[line])
    assert (report.verdict, report.unresolved) == ("clear", [])


@pytest.mark.parametrize("wrap", ["{}", "({})", "[{}]", ", {}", "; {}", "- {}", "({}"])
@pytest.mark.parametrize("number", ["#5000", "# 9999", "300%", "101 %"])
@pytest.mark.parametrize("line", LINES)
def test_a_number_that_no_pharmacy_and_no_product_has_is_listed_where_it_stands(
    engine: Engine, line: str, number: str, wrap: str
) -> None:
    words = line.split()
    for at in (1, len(words)):
        report = _check(engine, medications=[" ".join([*words[:at], wrap.format(number), *words[at:]])])
        assert report.verdict != "clear"
        assert _names(report, number.strip("#% "))


@pytest.mark.parametrize(
    "told",
    ["#30", "#90", "(#180)", "#1000", "disp 90", "disp #30", "qty 30", "Rx #1234567", "#30 RF2", "# 60 tabs", "#100, 3 refills"],
)
@pytest.mark.parametrize("line", LINES)
def test_what_a_pharmacy_hands_out_stays_quiet(engine: Engine, line: str, told: str) -> None:
    assert _check(engine, medications=[f"{line} {told}"]).unresolved == []


# --- the patient ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("told", "about"),
    [
        ({"weight": "4 kg"}, "weight"),
        ({"weight": "700 kg"}, "weight"),
        ({"height": "3 m"}, "height"),
        ({"height": "17.8 cm"}, "height"),
        ({"weight": "25 kg"}, "weight"),
        ({"age": "8 months", "weight": "60 kg", "height": "70 cm"}, "weight"),
        ({"age": "2 y", "weight": "12 kg"}, "height"),
        ({"age": 127}, "age"),
        ({"birth_date": "1950-01-01"}, "birth_date"),
        ({"birth_date": "2027-01-01"}, "birth_date"),
        ({"sex": "female", "age": 80, "pregnancy": "yes", "breastfeeding": "no"}, "pregnancy"),
        (
            {"sex": "female", "age": 5, "weight": "18 kg", "height": "108 cm", "breastfeeding": "yes", "pregnancy": "no"},
            "pregnancy",
        ),
        ({"pregnancy": "yes"}, "sex"),
    ],
    ids=str,
)
def test_a_patient_who_cannot_be_is_asked_about(engine: Engine, told: dict[str, Any], about: str) -> None:
    report = _check(engine, medications=[LINES[1]], **told)
    assert report.verdict != "clear"
    assert [h.ask or h.text for h in report.unknown_because if h.about == about and h.because in ("not read", "contradicts")]


@pytest.mark.parametrize(
    "told",
    [
        {"weight": "45 kg", "height": "160 cm"},
        {"weight": "230 kg"},
        {"height": "125 cm", "weight": "40 kg"},
        {"birth_date": "1976-05-01"},
        {"birth_date": "1976-11-20"},
    ],
    ids=str,
)
def test_an_unusual_patient_is_believed(engine: Engine, told: dict[str, Any]) -> None:
    assert _check(engine, medications=[LINES[1]], **told).verdict == "clear"


def test_a_weight_that_is_not_believed_judges_no_dose(engine: Engine) -> None:
    told = {"age": "2 y", "weight": "200 kg", "height": "86 cm", "medications": ["amoxicillin 450 mg by mouth twice daily"]}
    report = _check(engine, **told)
    assert [u.needs for u in report.unknown if u.rule == "dose.amoxicillin"] == [["weight"]]
    assert [h.about for h in report.unknown_because if h.about == "weight"] == ["weight"]


# --- what is eaten and drunk ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["intake", "diet_limits"])
@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("coffee 2 cups a day glorply", "glorply"),
        ("grapefruit juice and alcohol", "alcohol"),
        ("beer 2 drinks a day, 12 on weekends", "12"),
        ("no cheese because of the Parnate", "parnate"),
    ],
)
def test_words_beside_what_is_eaten_are_named(engine: Engine, key: str, text: str, word: str) -> None:
    report = _check(engine, medications=[LINES[1]], **{key: [text]})
    assert [u.status for u in report.unresolved if u.where == f"{key}[0]"] == ["unread"]
    assert _names(report, f"`{word}`")


@pytest.mark.parametrize(
    "text",
    [
        "2 cups of coffee every morning", "1 pack of cigarettes a day", "2-3 beers a night", "quit smoking 2019", "no alcohol",
        "occasional glass of wine with dinner", "alcohol 4 drinks a day", "red wine 125 mL twice weekly", "coffee 250 mL at 9 am",
    ],
)  # fmt: skip
def test_habits_as_charts_write_them_are_read_whole(engine: Engine, text: str) -> None:
    assert [u.status for u in _check(engine, medications=[LINES[1]], intake=[text]).unresolved if u.status == "unread"] == []


# --- records -------------------------------------------------------------------------------------------------------

_PATIENT = {"resourceType": "Patient", "id": "p", "gender": "male", "birthDate": "1976-05-01"}
_OF = {"subject": {"reference": "Patient/p"}}
_RECORD: dict[str, dict[str, Any]] = {
    "Patient": _PATIENT,
    "MedicationRequest": {"resourceType": "MedicationRequest", "id": "m", "status": "active", "intent": "order", **_OF,
                          "medicationCodeableConcept": {"text": "citalopram 20 mg tablet"}},
    "Condition": {"resourceType": "Condition", "id": "c", **_OF, "code": {"text": "Depression"}},
    "AllergyIntolerance": {"resourceType": "AllergyIntolerance", "id": "a", "patient": {"reference": "Patient/p"},
                           "code": {"text": "Latex"}},
    "Observation": {"resourceType": "Observation", "id": "o", "status": "final", **_OF, "code": {"text": "Potassium"},
                    "valueQuantity": {"value": 4.1, "unit": "mmol/L"}, "effectiveDateTime": "2026-11-10"},
}  # fmt: skip


def _left_out(type_: str, **more: Any) -> list[str]:
    told = [{**one, **more} if name == type_ else one for name, one in _RECORD.items()]
    case = read_fhir({"resourceType": "Bundle", "type": "collection", "entry": [{"resource": one} for one in told]})
    assert case.reading is not None
    return [u.why for u in case.reading.unread if u.kind == "part" and u.what.endswith(" elements")]


@pytest.mark.parametrize("type_", _RECORD)
@pytest.mark.parametrize("element", ["modifierExtension", "implicitRules", "glorply"])
def test_an_element_that_nobody_reads_is_told_of_every_resource(type_: str, element: str) -> None:
    assert _left_out(type_) == []
    assert _left_out(type_, **{element: [{"valueString": "x"}]}) == [f"not read of it: {element}"]


@pytest.mark.parametrize(
    ("type_", "more", "told"),
    [
        ("MedicationRequest", {"note": [{"text": "stopped by patient"}]}, "note"),
        ("MedicationRequest", {"statusReason": {"text": "rash"}}, "statusReason"),
        ("MedicationRequest", {"detectedIssue": [{"reference": "DetectedIssue/1"}]}, "detectedIssue"),
        ("Condition", {"contained": [{"resourceType": "MedicationRequest", "id": "x"}]}, "contained MedicationRequest"),
        ("Condition", {"stage": [{"summary": {"text": "stage 4"}}]}, "stage"),
        ("AllergyIntolerance", {"reaction": [{"substance": {"text": "citalopram"}}]}, "reaction.substance"),
        ("Observation", {"specimen": {"display": "urine"}}, "specimen"),
        ("Patient", {"active": False}, "active"),
        ("Patient", {"link": [{"type": "replaced-by"}]}, "link"),
    ],
    ids=str,
)
def test_an_element_that_may_matter_and_is_not_read_is_told(type_: str, more: dict[str, Any], told: str) -> None:
    assert _left_out(type_, **more) == [f"not read of it: {told}"]


@pytest.mark.parametrize(
    ("type_", "more"),
    [
        ("MedicationRequest", {"requester": {"display": "Dr. Smith"}, "dispenseRequest": {"numberOfRepeatsAllowed": 3}}),
        ("Condition", {"recordedDate": "2020-01-01", "encounter": {"reference": "Encounter/1"}}),
        ("Patient", {"name": [{"family": "Smith"}], "active": True, "extension": [{"url": "http://example.org/race"}]}),
        ("Observation", {"issued": "2026-11-10T08:00:00Z", "referenceRange": [{"text": "3.5-5.1"}]}),
    ],
    ids=str,
)
def test_who_where_and_at_whose_cost_is_passed_over(type_: str, more: dict[str, Any]) -> None:
    assert _left_out(type_, **more) == []


# --- laws ----------------------------------------------------------------------------------------------------------

UNUSABLE: dict[str, list[Any]] = {
    "conditions": ["glorptitis", "hypertension glorply"],
    "allergies": ["qwxyzine", "penicillin [glorply]"],
    "labs": [
        {"test": "creatinine", "value": "1.0"},
        {"test": "potassium", "value": "12.5", "unit": "mmol/L"},
        {"test": "potassium", "value": "4.1", "unit": "cubits"},
        {"test": "potassium", "value": "4.1", "unit": "mmol/L", "on": "2027-01-01"},
        {"test": "digoxin level", "value": "5", "unit": "ng/mL"},
        {"test": "wibble count", "value": "3"},
    ],
    "intake": ["glorp juice", "coffee glorply"],
    "diet_limits": ["sodium 2 g a day glorply"],
    "genes": ["glorp gene"],
    "procedures": ["glorpification"],
    "devices": ["glorp pump"],
    "vaccines": ["glorp vaccine"],
    "medications": ["qwxyz 5 mg daily", LINES[0] + " [glorply]", {**FIELDS, "route": "oral glorply"}],
}


@settings(law, max_examples=examples(80))
@given(case=st.deferred(lambda: cases()), data=st.data())
def test_what_cannot_be_used_is_listed_where_it_stands_and_never_clears(
    engine: Engine, case: dict[str, Any], data: st.DataObject
) -> None:
    told = {**NOTHING_ELSE, **case["patient"]}
    key = data.draw(st.sampled_from(sorted(UNUSABLE)))
    item = data.draw(st.sampled_from(UNUSABLE[key]))
    after = engine.check({**case, "patient": {**told, key: [*told[key], item]}}, DAY)
    assert after.verdict != "clear"
    assert not after.complete
    named = str(item.get("test", item.get("drug"))) if isinstance(item, dict) else ""  # results stand together, under the first
    listed = [u for u in after.unresolved if str(u.where).startswith(f"{key}[") and named.lower() in u.text.lower()]
    assert [u for u in listed if named or u.where == f"{key}[{len(told[key])}]"]


@settings(law, max_examples=examples(80))
@given(case=st.deferred(lambda: cases()), data=st.data())
def test_what_was_told_and_is_told_no_longer_never_clears(engine: Engine, case: dict[str, Any], data: st.DataObject) -> None:
    """But a fact that could not be believed: without it there is nothing to doubt."""
    told = {**MAN, **case["patient"]}
    before = engine.check({**case, "patient": told}, DAY)
    doubted = {h.about for h in before.unknown_because if h.because in ("contradicts", "not read")}
    gone = data.draw(st.sampled_from(sorted(told)))
    after = engine.check({**case, "patient": {k: v for k, v in told.items() if k != gone}}, DAY)
    assert before.verdict == "clear" or after.verdict != "clear" or doubted & {"weight", "height", "age", "sex", "pregnancy"}


@pytest.mark.parametrize(
    "reason", ["HTN", "high blood pressure", "sleep", "afib", "knee pain", "cholesterol", "stroke prevention"]
)
def test_a_reason_in_plain_words_makes_no_noise(engine: Engine, reason: str) -> None:
    report = _check(engine, medications=[{**FIELDS, "for": reason}])
    assert [u.text for u in report.unresolved] == []


def test_a_reason_that_nobody_knows_is_asked_about(engine: Engine) -> None:
    report = _check(engine, medications=[{**FIELDS, "for": "glorply"}])
    assert (report.verdict, [u.text for u in report.unresolved]) == ("unknown", ["for glorply"])


@pytest.mark.parametrize("text", ["none", "None.", "no medications", "takes nothing"])
def test_a_list_of_medicines_that_says_none_is_an_empty_one(engine: Engine, text: str) -> None:
    said, empty = ({"medications": told, "conditions": [], "allergies": []} for told in ([text], []))
    reports = [engine.check({"patient": told, "plan": ["loratadine 10 mg oral once daily"]}, DAY) for told in (said, empty)]
    assert reports[0].verdict == reports[1].verdict
    assert [u.text for u in reports[0].unresolved] == [u.text for u in reports[1].unresolved]


@pytest.mark.parametrize("text", ["none on file", "n/a", "no regular medications", "no home meds", "NKDA", "none reported"])
def test_a_list_that_only_does_not_tell_what_is_taken_is_asked_about(engine: Engine, text: str) -> None:
    told = {"medications": [text], "conditions": [], "allergies": []}
    report = engine.check({"patient": told, "plan": ["loratadine 10 mg oral once daily"]}, DAY)
    assert report.verdict != "clear"
    assert any(text in u.text for u in report.unresolved)


def test_none_beside_a_medicine_is_asked_about(engine: Engine) -> None:
    told = {"medications": ["none", "loratadine 10 mg oral once daily"], "conditions": [], "allergies": []}
    report = engine.check({"patient": told}, DAY)
    assert report.verdict != "clear"
    assert [u.text for u in report.unresolved] == ["none"]


@pytest.mark.parametrize("told", ["refused", "declined", "recommended", "deferred"])
def test_a_pacemaker_that_is_not_there_lifts_no_prohibition(engine: Engine, told: str) -> None:
    case = {"medications": [], "conditions": [f"second-degree AV block, pacemaker {told}"], "allergies": []}
    report = engine.check({"patient": case, "plan": ["metoprolol 25 mg oral twice daily"]}, DAY)
    assert "contraindication.slow-heart.beta-blocker" in {f.rule for f in report.every_finding}


@pytest.mark.parametrize(
    "line",
    [
        "NSTEMI, heparin gtt", "immobility, heparin sq", "obesity, lovenox ppx", "DKA, insulin gtt", "lymphoma, r-chop",
        "sepsis, vanco", "afib, procainamide", "adrenal insufficiency, stress dose hc", "follicular lymphoma, cAb+",
        "HIV, eag+", "anxiety, last drink", "rash, tape", "OA, counts falling", "OA, decreased clearance",
    ],
)  # fmt: skip
def test_a_medicine_a_result_or_what_is_drunk_beside_a_condition_is_never_idle(engine: Engine, line: str) -> None:
    listed = ("allergies", "labs", "vitals", "intake", "genes", "procedures", "devices", "vaccines", "diet_limits")
    told = {key: [] for key in listed} | {
        "age": 55,
        "sex": "male",
        "medications": ["loratadine 10 mg daily"],
        "conditions": [line],
    }
    asked = engine.check({"patient": told}, DAY).unresolved
    assert [u.where for u in asked if u.ask], line


def test_no_idle_phrase_is_a_medicine(engine: Engine) -> None:
    words = engine.library.language.words
    assert not [text for text in words("problem-idle-phrases") if engine.name(text).status == "match" and " " not in text]
