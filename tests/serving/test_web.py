"""The service over HTTP: plain JSON, CDS Hooks, who may ask, what is too much, and what is counted."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import jwt
import pytest
from conftest import REPO
from cryptography.hazmat.primitives.asymmetric import ec
from fhir.resources.R4B.detectedissue import DetectedIssue
from fhir.resources.R4B.guidanceresponse import GuidanceResponse
from jwt.algorithms import ECAlgorithm
from serving.schema_checks import validator
from starlette.testclient import TestClient

from safety.engine import Engine
from safety.serving.access import Access, Shown
from safety.serving.web import Limits, Settings, application
from safety.serving.workers import Threads

DAY = date(2026, 11, 20)
CASE = {"patient": {"medications": ["warfarin 5 mg daily"]}, "plan": ["Advil 400 mg tid"]}


def client(engine: Engine, settings: Settings | None = None) -> TestClient:
    return TestClient(application(Threads(engine), lambda: DAY, settings), raise_server_exceptions=False)


@pytest.fixture(scope="module")
def web(engine: Engine) -> TestClient:
    return client(engine)


def order(name: str, id: str = "d1", **more: Any) -> dict[str, Any]:
    concept = {"text": name}
    base = {"resourceType": "MedicationRequest", "id": id, "status": "draft", "intent": "order"}
    told = {"medicationCodeableConcept": concept, "subject": {"reference": "Patient/p1"}}
    return base | told | {"dosageInstruction": [{"text": "1 tablet three times a day"}]} | more


def bundle(*resources: Any) -> dict[str, Any]:
    return {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": r} for r in resources]}


def hook(name: str, *drafts: Any, taken: tuple[Any, ...] = (), **context: Any) -> dict[str, Any]:
    told: dict[str, Any] = {"userId": "Practitioner/1", "patientId": "p1"} | context
    if name != "patient-view":
        told["draftOrders"] = bundle(*drafts)
    patient = {"resourceType": "Patient", "id": "p1", "birthDate": "1950-01-01", "gender": "female"}
    return {"hook": name, "hookInstance": "f24dfe5e-9480-429f-9b27-2af9c6512345", "context": told,
            "prefetch": {"patient": patient, "orders": bundle(*taken)}}  # fmt: skip


WARFARIN = order("warfarin 5 mg tablet", "w1", status="active", dosageInstruction=[{"text": "1 tablet daily"}])


# ------------------------------------------------------------------ plain JSON


def test_a_case_is_answered_as_the_engine_answers_it(web: TestClient, engine: Engine) -> None:
    assert web.post("/v1/check", json=CASE).content == engine.check(CASE, DAY).to_json()
    assert web.post("/v1/check?as_of=2026-01-05&role=patient", json=CASE).json()["role"] == "patient"
    brief = web.post("/v1/check?format=brief", json=CASE)
    assert brief.json()["verdict"] == "violated"
    assert len(brief.content) <= 1500


def test_a_record_is_read_where_a_case_may_stand(web: TestClient, engine: Engine) -> None:
    data = (REPO / "examples/fhir-patient.json").read_bytes()
    assert web.post("/v1/check", content=data).content == engine.check(engine.fhir(data), DAY).to_json()


def test_many_cases_are_answered_in_order_whatever_is_wrong_with_one(web: TestClient, engine: Engine) -> None:
    bad: Any = {"patient": {"meds": []}}
    whole = web.post("/v1/check/batch", json=[CASE, bad, CASE]).json()
    lines = web.post("/v1/check/batch", content=f"{json.dumps(CASE)}\n{json.dumps(bad)}\nnot json\n{json.dumps(CASE)}\n")
    assert lines.headers["content-type"].startswith("application/x-ndjson")
    told = [json.loads(line) for line in lines.text.splitlines()]
    assert whole[0] == whole[2] == told[0] == told[3] == engine.check(CASE, DAY).to_dict()
    for refusal in (whole[1], told[1], told[2]):
        assert not list(validator("refused").iter_errors(refusal))


def test_doses_results_names_directions_and_formulas_are_answered(web: TestClient, engine: Engine) -> None:
    dose = web.post("/v1/dose", json={"prescribed": "furosemide 40 mg bid", "reported": "I took 80 mg in the morning"})
    assert dose.json()["verdict"] == "HIGH"
    assert web.post("/v1/lab", json={"text": "BP 190/95"}).json()["status"] in ("high", "critical_high")
    assert web.post("/v1/name", json={"name": "met formin"}).json()["drug"] == "drug.metformin"
    assert len(web.post("/v1/name", json={"names": ["warfarin", "zorp"]}).json()) == 2
    assert web.post("/v1/sig", json={"text": "1 po bid prn"}).json()["status"] == "read"
    assert (
        web.post("/v1/calc", json={"formula": "bmi", "inputs": {"weight": "81 kg", "height": "165 cm"}}).json()["value"]
        == "29.8 kg/m2"
    )
    assert len(web.get("/v1/calculators").json()) == len(engine.calculators())


SLIPS: list[tuple[str, bytes, str]] = [
    ("/v1/check", b"not json", "body"),
    ("/v1/check", b"[]", "body"),
    ("/v1/check", b'{"patient": {"meds": []}}', "case.patient.meds"),
    ("/v1/check?as_of=soon", b'{"patient": {}}', "as_of"),
    ("/v1/check?role=king", b'{"patient": {}}', "role"),
    ("/v1/check?format=pdf", b'{"patient": {}}', "format"),
    ("/v1/check", b'{"patient": {}, "as_of": 5}', "case.as_of"),
    ("/v1/dose", b"{}", "request"),
    ("/v1/name", b"{}", "name"),
    ("/v1/calc", b'{"formula": "x"}', "formula"),
    ("/v1/check", b"[" * 100000, "body"),
    ("/v1/check", b'{"patient": {}, "id": "\xff"}', "body"),
    ("/cds-services/medsafe-order-sign", b'{"hook": "order-select"}', "hook"),
    ("/cds-services/medsafe-order-sign", b"5", "body"),
    ("/cds-services/medsafe-order-sign/feedback", b'{"feedback": [{}]}', "body"),
]


@pytest.mark.parametrize(("path", "body", "place"), SLIPS, ids=lambda v: str(v)[:50])
def test_a_slip_says_where_and_what(web: TestClient, path: str, body: bytes, place: str) -> None:
    told = web.post(path, content=body)
    assert told.status_code == 400
    assert told.json()["error"][0]["place"] == place
    assert told.json()["error"][0]["what"]


def test_a_failure_of_ours_names_nobody(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    asking = client(engine)

    def fails(*_: object, **__: object) -> None:
        raise ValueError("Jane Doe, warfarin")

    monkeypatch.setattr(engine.checker, "check", fails)
    told = asking.post("/v1/check", json=CASE)
    assert told.status_code == 500
    assert "Jane" not in told.text
    assert "ValueError" in told.text


def test_what_is_too_large_too_deep_or_too_slow_is_refused(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    asking = client(engine, Settings(limits=Limits(body=2000, seconds=0.2, deepest=8)))
    assert asking.post("/v1/check", content=b" " * 3000).status_code == 413
    assert asking.post("/v1/check", content=iter([b" " * 1500, b" " * 1500])).status_code == 413
    assert asking.post("/v1/check", content=b'{"patient": {"x": ' + b"[" * 9 + b"]" * 9 + b"}}").status_code == 400
    monkeypatch.setattr(engine.checker, "check", lambda *_, **__: time.sleep(1))
    late = asking.post("/v1/check", json=CASE)
    assert (late.status_code, late.headers["retry-after"]) == (503, "1")


# ------------------------------------------------------------------ CDS Hooks


def test_discovery_lists_the_hooks_with_what_they_want(web: TestClient) -> None:
    services = web.get("/cds-services").json()["services"]
    assert [s["hook"] for s in services] == ["order-select", "order-sign", "patient-view"]
    for service in services:
        assert {"id", "hook", "title", "description", "prefetch"} <= service.keys()
        assert all("{{context.patientId}}" in query for query in service["prefetch"].values())


def cards(web: TestClient, request: dict[str, Any]) -> list[dict[str, Any]]:
    told = web.post(f"/cds-services/medsafe-{request['hook']}", json=request)
    assert told.status_code == 200, told.text
    found: list[dict[str, Any]] = told.json()["cards"]
    return found


def of_rule(found: list[dict[str, Any]], rule: str) -> list[dict[str, Any]]:
    return [c for c in found if f"`{rule}`" in c["detail"]]


def test_a_card_has_all_that_the_specification_asks(web: TestClient) -> None:
    found = cards(web, hook("order-sign", order("ibuprofen 400 mg tablet"), taken=(WARFARIN,)))
    (card,) = of_rule(found, "interaction.warfarin-nsaid")
    assert card["indicator"] == "warning"
    for each in found:
        assert 0 < len(each["summary"]) < 140
        assert each["indicator"] in ("info", "warning", "critical")
        assert each["source"]["label"]
        assert each["uuid"]
        assert ("suggestions" in each) == ("selectionBehavior" in each)
        assert all(reason["display"] for reason in each.get("overrideReasons", []))
    left_out = card["suggestions"][-1]
    (action,) = left_out["actions"]
    assert (action["type"], action["resourceId"]) == ("delete", "MedicationRequest/d1")
    assert "ibuprofen" in action["description"]
    for suggestion in card["suggestions"][:-1]:
        assert [action["type"] for action in suggestion["actions"]] == ["delete", "create"]
        assert suggestion["actions"][1]["resource"]["subject"] == {"reference": "Patient/p1"}


def test_at_signing_nothing_is_told_of_two_medicines_that_stood_before(web: TestClient) -> None:
    """A pair that nobody orders now is no matter of this signature; the page of the patient tells it."""
    old = (WARFARIN, order("ibuprofen 400 mg tablet", id="old", status="active"))
    assert not of_rule(cards(web, hook("order-sign", order("loratadine 10 mg tablet"), taken=old)), "interaction.warfarin-nsaid")
    assert of_rule(cards(web, hook("patient-view", taken=old)), "interaction.warfarin-nsaid")
    assert of_rule(cards(web, hook("order-sign", order("naproxen 250 mg tablet"), taken=old)), "interaction.warfarin-nsaid")


def test_the_same_facts_have_the_same_card_and_others_another(web: TestClient) -> None:
    def one(*drafts: Any) -> str:
        return str(of_rule(cards(web, hook("order-sign", *drafts, taken=(WARFARIN,))), "interaction.warfarin-nsaid")[0]["uuid"])

    assert one(order("ibuprofen 400 mg tablet")) == one(order("ibuprofen 400 mg tablet"))
    assert one(order("ibuprofen 400 mg tablet")) != one(order("naproxen 500 mg tablet"))


def test_order_select_speaks_of_the_selected_order_alone(web: TestClient) -> None:
    drafts = (order("ibuprofen 400 mg tablet", "d1"), order("cetirizine 10 mg tablet", "d2"))
    chosen = hook("order-select", *drafts, taken=(WARFARIN,), selections=["MedicationRequest/d1"])
    other = hook("order-select", *drafts, taken=(WARFARIN,), selections=["MedicationRequest/d2"])
    assert of_rule(cards(web, chosen), "interaction.warfarin-nsaid")
    assert not of_rule(cards(web, other), "interaction.warfarin-nsaid")


def test_patient_view_speaks_of_what_is_taken(web: TestClient) -> None:
    taken = (WARFARIN, order("ibuprofen 400 mg tablet", "i1", status="active"))
    assert of_rule(cards(web, hook("patient-view", taken=taken)), "interaction.warfarin-nsaid")
    assert not of_rule(cards(web, hook("patient-view", taken=(WARFARIN,))), "interaction.warfarin-nsaid")


def test_an_order_that_is_not_recognised_is_said_not_to_be_checked(web: TestClient) -> None:
    found = cards(web, hook("order-sign", order("flurbozide 10 mg tablet")))
    assert [c["summary"] for c in found if c["source"]["topic"]["code"] == "not-checked"] != []


def test_feedback_is_kept_only_where_a_file_is_named(engine: Engine, tmp_path: Path) -> None:
    said = {"feedback": [{"card": "u", "outcome": "overridden", "outcomeTimestamp": "2026-11-20T10:00:00Z",
                          "overrideReason": {"reason": {"code": "benefit"}}}]}  # fmt: skip
    file = tmp_path / "feedback.jsonl"
    path = "/cds-services/medsafe-order-sign/feedback"
    assert client(engine).post(path, json=said).status_code == 200
    assert not file.exists()
    keeping = client(engine, Settings(feedback=file))
    for _ in range(2):
        assert keeping.post(path, json=said).status_code == 200
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [line["card"] for line in lines] == ["u", "u"]
    assert file.stat().st_mode & 0o077 == 0
    accepted = {"feedback": [{"card": "u", "outcome": "accepted", "outcomeTimestamp": "2026-11-20T10:00:00Z"}]}
    assert keeping.post(path, json=accepted).status_code == 400


# ------------------------------------------------------------------ FHIR


def test_a_report_as_fhir_is_valid_and_says_what_is_needed(web: TestClient, engine: Engine) -> None:
    told = web.post("/v1/check?format=fhir", json=CASE).json()
    report = engine.check(CASE, DAY)
    guidance, *issues = [entry["resource"] for entry in told["entry"]]
    assert GuidanceResponse.model_validate(guidance).status == "data-required"
    assert [i["identifier"][0]["value"] for i in issues] == [f.rule for f in report.findings]
    for issue in issues:
        DetectedIssue.model_validate(issue)
    asked = (
        client(engine)
        .post("/v1/check?format=fhir", json={"patient": {"age": 70, "medications": ["metformin 500 mg bid"]}})
        .json()
    )
    needs = asked["entry"][0]["resource"]["dataRequirement"]
    assert any(
        need["type"] == "Observation" and need["codeFilter"][0]["code"][0]["system"] == "http://loinc.org" for need in needs
    )


# ------------------------------------------------------------------ who may ask


def test_without_the_token_nobody_is_answered(engine: Engine) -> None:
    asking = client(engine, Settings(Access(token="secret")))
    assert asking.post("/v1/check", json=CASE).status_code == 401
    assert asking.post("/v1/check", json=CASE, headers={"Authorization": "Bearer wrong"}).status_code == 401
    assert asking.post("/v1/check", json=CASE, headers={"Authorization": "Bearer secret"}).status_code == 200
    assert asking.post("/cds-services/medsafe-order-sign/feedback", json={"feedback": []}).status_code == 401
    assert asking.get("/health").status_code == asking.get("/cds-services").status_code == 200


KEY, OTHER = ec.generate_private_key(ec.SECP384R1()), ec.generate_private_key(ec.SECP384R1())
JWK = json.loads(ECAlgorithm.to_jwk(KEY.public_key())) | {"kid": "k1", "alg": "ES384"}
URL = "http://testserver/v1/check"


def token(key: Any = KEY, kid: str = "k1", alg: str = "ES384", **claims: Any) -> str:
    now = int(time.time())
    told = {"iss": "https://ehr.example", "aud": URL, "exp": now + 300, "iat": now, "jti": "1"} | claims
    return jwt.encode({k: v for k, v in told.items() if v is not None}, key, algorithm=alg, headers={"kid": kid})


@pytest.mark.parametrize(
    ("given", "status"),
    [
        (lambda: token(), 200), (lambda: token(OTHER), 401), (lambda: token(kid="k2"), 401),
        (lambda: token(aud="https://other"), 401), (lambda: token(exp=1), 401),
        (lambda: token(jti=None), 401), (lambda: token(iss="https://stranger"), 401),
        (lambda: token("shared secret of thirty-two bytes or more", alg="HS256"), 401),
        (lambda: "no.jwt", 401), (lambda: "", 401),
    ],
)  # fmt: skip
def test_only_a_token_signed_by_a_known_client_for_this_address_is_let_in(
    engine: Engine, given: Callable[[], str], status: int
) -> None:  # made when it is used: a token lives for five minutes
    access = Access(keys={"keys": [JWK]}, issuers=("https://ehr.example",))
    asking = client(engine, Settings(access))
    assert asking.post("/v1/check", json=CASE, headers={"Authorization": f"Bearer {given()}"}).status_code == status


def test_a_signed_token_is_let_in_once(engine: Engine) -> None:
    asking = client(engine, Settings(Access(keys={"keys": [JWK]})))

    def status(signed: str) -> int:
        return asking.post("/v1/check", json=CASE, headers={"Authorization": f"Bearer {signed}"}).status_code

    first = token(jti="a")
    assert [status(first), status(first)] == [200, 401]
    assert status(token(jti="b")) == 200
    assert status(token(jti="a", iss="https://another")) == 200  # each client counts for itself
    assert status(token(OTHER, jti="c")) == 401
    assert status(token(jti="c")) == 200  # a forged one uses nothing up


def test_what_has_run_out_is_forgotten_first_and_room_is_kept() -> None:
    shown = Shown(most=2)
    assert shown.is_new("x", "1", 0, 100)
    assert shown.is_new("x", "2", 0, 10_000)
    assert shown.is_new("x", "3", 5_000, 10_000)
    assert not shown.is_new("x", "2", 5_000, 10_000)
    assert shown.is_new("x", "4", 5_000, 10_000)
    assert shown.is_new("x", "2", 5_000, 10_000)  # the oldest, where there is no room


# ------------------------------------------------------------------ what is told of itself


def test_health_version_and_counts(engine: Engine) -> None:
    asking = client(engine)
    asking.post("/v1/check", json=CASE)
    asking.post("/v1/check", content=b"x")
    assert asking.get("/health").json() == {"status": "ok"}
    assert asking.get("/version").json()["sha256"] == engine.library.sha256
    counts = asking.get("/metrics").text
    assert 'medsafe_requests_total{route="check",status="200"} 1.0' in counts
    assert 'medsafe_requests_total{route="check",status="400"} 1.0' in counts
    assert 'medsafe_answers_total{route="check",what="violated"} 1.0' in counts
    assert "warfarin" not in counts


def test_a_page_can_be_added(engine: Engine) -> None:
    from fastapi import APIRouter

    router = APIRouter()
    router.add_api_route("/", lambda: {"page": 1})
    app = application(Threads(engine), lambda: DAY, pages=[router])
    assert TestClient(app).get("/").json() == {"page": 1}


@pytest.mark.parametrize("told", ["1 tablet evry oter sumthing", "40 glorps daily"])
def test_directions_of_an_order_that_are_not_read_are_told(engine: Engine, told: str) -> None:
    """A clinical system takes no card for no concern: what was not read is said on one."""
    order = {
        "resourceType": "MedicationRequest", "id": "1", "status": "draft", "intent": "order",
        "subject": {"reference": "Patient/p"},
        "medicationCodeableConcept": {"text": "lisinopril 10 mg tablet"}, "dosageInstruction": [{"text": told}],
    }  # fmt: skip
    drafts = {"resourceType": "Bundle", "entry": [{"resource": order}]}
    request = {
        "hook": "order-sign", "hookInstance": "0b2c1f5e-3c1a-4f7e-9a55-1f2c3d4e5f60",
        "context": {"userId": "Practitioner/1", "patientId": "p", "draftOrders": drafts},
        "prefetch": {"patient": {"resourceType": "Patient", "id": "p", "birthDate": "1950-01-01", "gender": "male"}},
    }  # fmt: skip
    cards = client(engine).post("/cds-services/medsafe-order-sign", json=request).json()["cards"]
    assert [card["summary"].startswith("Not checked") for card in cards] == [True]


# --- what is due to be measured ---


def with_results(request: dict[str, Any], *results: Any) -> dict[str, Any]:
    found = bundle(*results) if results else None
    return {**request, "prefetch": {**request["prefetch"], "results": found}}


def to_measure(told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [c for c in told if c["source"].get("topic", {}).get("code") == "monitoring" and c["summary"].startswith("To measure")]


def test_a_patient_who_is_looked_at_brings_one_card_of_the_tests_that_are_due(web: TestClient) -> None:
    due = to_measure(cards(web, with_results(hook("patient-view", taken=(WARFARIN,)))))
    assert len(due) == 1
    assert due[0]["indicator"] == "info"
    assert "international normalized ratio (warfarin)" in due[0]["summary"]


def test_no_test_is_due_whose_result_is_on_file_nor_where_nobody_told_of_results(web: TestClient) -> None:
    inr = {"resourceType": "Observation", "id": "o1", "status": "final", "subject": {"reference": "Patient/p1"},
           "code": {"coding": [{"system": "http://loinc.org", "code": "6301-6"}], "text": "INR"},
           "valueQuantity": {"value": 2.4}, "effectiveDateTime": "2026-11-12"}  # fmt: skip
    request = hook("patient-view", taken=(WARFARIN,))
    assert not any(
        "INR" in c["detail"] or "normalized" in c["summary"] for c in to_measure(cards(web, with_results(request, inr)))
    )
    assert to_measure(cards(web, request)) == []


def test_who_orders_another_medicine_that_needs_the_test_is_reminded(web: TestClient) -> None:
    patch = order("fentanyl 25 mcg/hour patch", "f1", status="active", dosageInstruction=[{"text": "1 patch every 72 hours"}])
    more = order("fentanyl 50 mcg/hour patch", dosageInstruction=[{"text": "1 patch every 72 hours"}])
    told = to_measure(cards(web, with_results(hook("order-sign", more, taken=(patch,)))))
    assert len(told) == 1
    assert "`monitoring.drug-screens.long-acting-opioids`" in told[0]["detail"]


def test_who_signs_orders_is_not_reminded_of_tests(web: TestClient) -> None:
    request = with_results(hook("order-sign", order("amlodipine 5 mg tablet"), taken=(WARFARIN,)))
    assert to_measure(cards(web, request)) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_cards_come_also_where_the_disk_takes_no_feedback_and_feedback_that_is_lost_is_refused(engine: Engine) -> None:
    full = client(engine, Settings(feedback=Path("/dev/full")))
    plain = client(engine)
    request = hook("order-sign", order("ibuprofen 400 mg tablet"), taken=(WARFARIN,))
    path = "/cds-services/medsafe-order-sign"
    assert full.post(path, json=request).json() == plain.post(path, json=request).json()
    said = {"feedback": [{"card": "u", "outcome": "accepted", "outcomeTimestamp": "2026-11-20T10:00:00Z",
                          "acceptedSuggestions": [{"id": "s"}]}]}  # fmt: skip
    refused = full.post(f"{path}/feedback", json=said)
    assert refused.status_code == 503
    assert "cannot be written" in refused.text
