"""What a caller may pass as FHIR, and what they are told when it cannot be read."""

from __future__ import annotations

import gzip
import json
import zlib
from collections import Counter
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from conftest import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from safety.errors import Problem, RequestError
from safety.model.patient import Case
from safety.model.quantity import Quantity
from safety.reading.fhir.bundle import READ_TYPES, read_fhir

from .records import bundle, condition, listed, observation, order, patient, quantity, read

REPO = Path(__file__).resolve().parents[2]
REAL = REPO.parent / "shared" / "data" / "real"
EXAMPLE = REPO / "examples" / "fhir-patient.json"


def problems(data: Any, **how: Any) -> tuple[Problem, ...]:
    with pytest.raises(RequestError) as caught:
        read_fhir(data, where="record.json", **how)
    return caught.value.problems


def account_holds(case: Case, raw: list[Any]) -> None:
    """Every resource is counted, and of each type that is read: used + left out = counted."""
    assert case.reading is not None
    types = Counter(resource["resourceType"] for resource in raw)
    assert case.reading.resources == dict(sorted(types.items()))
    left_out = Counter(unread.what.split("/")[0] for unread in case.reading.unread if " " not in unread.what)
    for kind in READ_TYPES:
        assert case.reading.used.get(kind, 0) + left_out[kind] == types[kind], kind


RECORD = bundle(patient(), order(), condition())


@pytest.mark.parametrize(
    "data",
    [
        RECORD,
        json.dumps(RECORD),
        json.dumps(RECORD, indent=2).encode(),
        b"\xef\xbb\xbf" + json.dumps(RECORD).encode(),
        gzip.compress(json.dumps(RECORD).encode(), mtime=0),
        gzip.compress(json.dumps(RECORD).encode()[:40], mtime=0) + gzip.compress(json.dumps(RECORD).encode()[40:], mtime=0),
        [patient(), order(), condition()],
        json.dumps([patient(), order(), condition()]),
        "\n".join(json.dumps(resource) for resource in (patient(), order(), condition())) + "\n\n",
        bundle(bundle(patient(), order(), type="searchset"), condition(), type="batch-response"),
    ],
    ids=[
        "dict",
        "text",
        "bytes",
        "byte-order mark",
        "gzip",
        "two gzip members",
        "list",
        "list text",
        "lines",
        "nested",
    ],
)
def test_each_way_of_passing_a_record_gives_the_same_case(data: Any) -> None:
    assert read_fhir(data).patient == read_fhir(RECORD).patient
    account_holds(read_fhir(data), [patient(), order(), condition()])


def test_one_patient_alone_is_a_record_that_tells_nothing_else() -> None:
    case = read_fhir(patient())
    assert (case.id, case.patient.sex, case.patient.birth_date) == ("p1", "female", date(1954, 3, 14))
    assert case.patient.conditions is None
    assert case.patient.allergies is None
    assert case.patient.labs is None
    assert case.patient.medications == ()
    assert "medications (all)" in listed(case)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ("", "F001"),
        (b"  \n ", "F001"),
        (b"\x1f\x8b not really gzip", "F003"),
        (gzip.compress(b"{}" * 1000, mtime=0)[:20], "F003"),
        (b"\x89PNG\r\n\x1a\n\x00\xff", "F004"),
        ("not json", "F005"),
        ("<Bundle/>", "F005"),
        ('{"resourceType": "Patient",}', "F005"),
        ('{"a":' * 100_000, "F007"),
        ("5", "F008"),
        ("[]", "F008"),
        ("{}", "F008"),
        ([1, None, "x"], "F008"),
        ({"hook": "order-sign"}, "F008"),
        (bundle(), "F009"),
        (bundle(condition()), "F009"),
        (bundle(patient(), patient(id="p2")), "F010"),
    ],
)
def test_what_is_not_one_patients_record_is_refused_with_a_code(data: Any, code: str) -> None:
    assert [problem.code for problem in problems(data)] == [code]


def test_a_file_cut_in_half_is_refused_with_the_line_and_column_where_it_breaks_off() -> None:
    text = json.dumps(RECORD, indent=2, ensure_ascii=False)
    cut = text[: len(text) // 2].rstrip()
    problem = problems(cut)[0]
    lines = cut.split("\n")
    assert problem.code == "F006"
    assert (problem.place.line, problem.place.column) == (len(lines), len(lines[-1]) + 1)
    assert str(problem).startswith(f"record.json:{len(lines)}:")


def test_a_file_cut_inside_a_letter_is_refused_as_cut() -> None:
    data = json.dumps(patient(name=[{"family": "Müller"}]), ensure_ascii=False).encode()
    assert problems(data[: data.index("ü".encode()) + 1])[0].code == "F006"


def test_every_broken_line_of_a_line_by_line_export_is_told() -> None:
    found = problems('{"resourceType": "Patient"}\n{"a": }\n{"b": 1}\n{"c"')
    assert [(problem.code, problem.place.line, problem.place.column) for problem in found] == [
        ("F005", 2, 7),
        ("F006", 4, 5),
    ]


def test_a_gzip_bomb_is_refused_without_being_unpacked() -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    bomb = b"".join(packer.compress(b" " * 1_000_000) for _ in range(300)) + packer.flush()
    assert problems(bomb, max_bytes=2_000_000)[0].code == "F002"


def test_more_bytes_than_allowed_are_refused() -> None:
    assert problems(json.dumps(RECORD), max_bytes=100)[0].code == "F002"


def test_a_deep_value_inside_a_resource_is_no_trouble() -> None:
    deep: Any = {"x": 1}
    for _ in range(20_000):
        deep = {"x": deep}
    case = read(condition(extension=[deep]), condition(extension=[deep]))
    assert case.patient.conditions is not None


def test_entries_without_a_resource_are_listed_with_their_place() -> None:
    record = bundle(patient()) | {"entry": [{"resource": patient()}, {"request": {"method": "DELETE"}}, 7]}
    reading = read_fhir(record).reading
    assert reading is not None
    assert [unread.where for unread in reading.unread if unread.what == "entry"] == ["entry[1]", "entry[2]"]


def test_a_resource_about_someone_else_is_left_out_and_listed() -> None:
    case = read(
        condition(id="mine", subject={"reference": "Patient/p1"}),
        condition(id="theirs", subject={"reference": "https://ehr.example.org/Patient/p2"}),
        observation(id="mothers", valueString="x", focus=[{"reference": "Patient/mom"}]),
        observation(id="newborns", valueString="x", subject={"reference": "#newborn"}),
    )
    assert len(case.patient.conditions or ()) == 1
    assert case.patient.labs is None
    assert {"Condition/theirs", "Observation/mothers", "Observation/newborns"} <= set(listed(case))


def test_a_transaction_whose_references_are_its_own_addresses_is_one_patients() -> None:
    record = bundle(patient(id="p9"), condition(subject={"reference": "urn:uuid:abc"}), type="transaction")
    record["entry"][0]["fullUrl"] = "urn:uuid:abc"
    assert len(read_fhir(record).patient.conditions or ()) == 1


def test_the_same_resource_twice_counts_once_and_an_older_version_not_at_all() -> None:
    new, old = order(), order(status="stopped")
    new["meta"], old["meta"] = {"lastUpdated": "2026-01-01"}, {"lastUpdated": "2025-01-01"}
    case = read_fhir(bundle(patient(), new, old, condition(), condition(), patient()))
    assert [use.stopped for use in case.patient.medications] == [False]
    assert len(case.patient.conditions or ()) == 1
    assert "newer version" in listed(case)["MedicationRequest/m1"]
    account_holds(case, [patient(), order(), order(), condition(), condition(), patient()])


@pytest.mark.parametrize(("told", "reason"), [("1970", "whole date"), ("1970-05", "whole date"), ("soon", "not a date")])
def test_a_birth_date_that_is_no_day_gives_no_age_and_is_noted(told: str, reason: str) -> None:
    case = read_fhir(patient(birthDate=told))
    assert (case.patient.birth_date, case.patient.age) == (None, None)
    assert reason in listed(case)["Patient/p1 birthDate"]


def test_a_gender_that_is_neither_is_no_sex_and_a_death_is_noted() -> None:
    case = read_fhir(patient(gender="other", deceasedDateTime="2026-01-05T10:00:00Z"))
    assert case.patient.sex is None
    assert "2026-01-05" in listed(case)["Patient/p1 deceased"]
    assert "Patient/p1 gender" in listed(case)


def test_the_example_reads_as_the_patient_it_describes() -> None:
    case = read_fhir(EXAMPLE.read_bytes(), where=str(EXAMPLE))
    told = case.patient
    assert [use.text.split()[0] for use in told.medications] == [
        "lisinopril", "furosemide", "warfarin", "atorvastatin", "ibuprofen",
    ]  # fmt: skip
    ibuprofen = told.medications[-1]
    assert ibuprofen.directions is not None
    assert ibuprofen.directions.dose == (Quantity(Decimal(400), "mg"),) * 2
    assert (ibuprofen.directions.times_per_day, ibuprofen.supply) == ((4, 4), "otc")
    assert [str(lab.value) for lab in told.labs or ()] == ["38", "4.9", "2.4", "68.4"]
    assert (told.conditions or ())[0].text == "Chronic kidney disease stage 3b"
    assert case.reading is not None
    assert case.reading.unread == ()


# --- whatever is in it ---

_NAMES = st.sampled_from(
    ["resourceType", "id", "code", "coding", "text", "status", "value", "valueQuantity", "component", "repeat",
     "timing", "dosageInstruction", "medicationCodeableConcept", "medicationReference", "reference", "subject",
     "effectiveDateTime", "onsetDateTime", "frequency", "period", "periodUnit", "doseAndRate", "doseQuantity", "unit",
     "reaction", "manifestation", "category", "clinicalStatus", "verificationStatus", "when", "dayOfWeek", "ingredient",
     "contained", "strength", "numerator", "denominator", "system", "display", "boundsPeriod", "end", "start", "route",
     "meta"]
)  # fmt: skip
_SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8),
    st.sampled_from(["active", "stopped", "2026-11", "d", "h", "mon", "HS", "29463-7", "kg", "no known allergies"]),
)  # fmt: skip
_JSON = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES | st.text(max_size=3), inner, max_size=6),
    max_leaves=25,
)
_RESOURCES = st.builds(
    lambda kind, fields: fields | {"resourceType": kind},
    st.sampled_from([kind for kind in READ_TYPES if kind != "Patient"]),
    st.dictionaries(_NAMES, _JSON, max_size=8),
)
_PATIENCE = settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])


@_PATIENCE
@given(_JSON | st.binary(max_size=60) | st.text(max_size=60))
def test_nothing_but_a_request_error_is_raised_whatever_is_passed(data: Any) -> None:
    for given_as in (data, [patient(), data], bundle(patient(), data), json.dumps(data, default=repr)):
        try:
            read: object = read_fhir(given_as)
        except RequestError as refused:
            read = refused
        assert isinstance(read, Case | RequestError)


@_PATIENCE
@given(st.lists(_RESOURCES, max_size=5))
def test_no_resource_is_dropped_silently_whatever_is_in_it(resources: list[Any]) -> None:
    account_holds(read_fhir([patient(), *resources]), [patient(), *resources])


# --- real records ---

SYNTHEA = sorted((REAL / "synthea_r4").glob("*.json.gz"))
OFFICIAL = sorted((REAL / "fhir_r4_examples").glob("*.json"))


@pytest.mark.skipif(not SYNTHEA, reason="../shared/data/real/synthea_r4 is not here")
def test_every_synthea_record_is_read_and_accounted_for() -> None:
    for path in SYNTHEA:
        text = gzip.decompress(path.read_bytes())
        case = read_fhir(text, where=path.name)
        account_holds(case, [entry["resource"] for entry in json.loads(text)["entry"]])


@pytest.mark.skipif(not OFFICIAL, reason="../shared/data/real/fhir_r4_examples is not here")
def test_every_official_example_is_read_and_accounted_for() -> None:
    for path in OFFICIAL:
        resource = json.loads(path.read_bytes())
        if resource["resourceType"] != "Patient":
            account_holds(read_fhir([{"resourceType": "Patient"}, resource]), [{"resourceType": "Patient"}, resource])
        else:
            account_holds(read_fhir(path.read_bytes()), [resource])


def test_thousands_of_results_are_all_read() -> None:
    many = [
        observation(id=f"o{n}", effectiveDateTime="2026-11-02T08:00:00Z", valueQuantity=quantity(n / 10, "mmol/L"))
        for n in range(15_000)
    ]
    text = json.dumps(bundle(patient(), *many), indent=2)
    assert len(read_fhir(text).patient.labs or ()) == 15_000
    assert len(text) > 5_000_000


@pytest.mark.parametrize(("called", "value"), [("POS", "positive"), ("Neg", "negative"), ("H", None)])
def test_what_the_laboratory_calls_a_result_without_a_value_is_its_value(called: str, value: str | None) -> None:
    of = {"coding": [{"system": "http://hl7.org/fhir/v2/0078", "code": called}]}
    found = read(observation("urine cocaine screen", interpretation=[of])).patient.labs
    assert [r.value for r in found or ()] == ([value] if value else [])
    both = read(observation("urine cocaine screen", interpretation=[of], valueString="not seen")).patient.labs
    assert [r.value for r in both or ()] == ["not seen"]
