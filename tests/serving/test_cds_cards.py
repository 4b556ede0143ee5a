"""The real requests of the CDC's and HL7's guides over HTTP: cards appear exactly where their authors expect them."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from conftest import REPO, SHARED
from measuring.requests import Expected, opioid_requests, request_of
from starlette.testclient import TestClient

from safety.engine import Engine
from safety.reading.cds.resources import gather
from safety.serving.web import Settings, application
from safety.serving.workers import Threads

REAL = SHARED / "data/real"
CDC, HL7 = REAL / "opioid_cds_r4", REAL / "pddi_cds"
TABLE: dict[str, Any] = yaml.safe_load((REPO / "tests/real/cds_expected.yaml").read_text(encoding="utf-8"))
DAY = date(2023, 5, 1)
pytestmark = pytest.mark.skipif(not CDC.is_dir() or not HL7.is_dir(), reason=f"the real requests are not in {REAL}")


def rows() -> list[tuple[Path, Expected]]:
    if not CDC.is_dir() or not HL7.is_dir():
        return []
    hl7 = msgspec.convert(TABLE["pddi_cds"], list[Expected])
    return [(CDC, row) for row in opioid_requests(CDC, TABLE["opioid_cds_r4"], TABLE["opioid_results"])] + [
        (HL7, row) for row in hl7
    ]


@pytest.fixture(scope="module")
def web(engine: Engine) -> TestClient:
    return TestClient(application(Threads(engine), lambda: DAY, Settings(replay=True)))


def cards_of(web: TestClient, request: dict[str, Any]) -> list[dict[str, Any]]:
    """The cards; what hooks of older drafts ask is asked of the check of orders."""
    hook = request["hook"] if request["hook"] in ("order-select", "order-sign", "patient-view") else "order-sign"
    told = web.post(f"/cds-services/medsafe-{hook}", json={**request, "hook": hook})
    assert told.status_code == 200, told.text
    found: list[dict[str, Any]] = told.json()["cards"]
    return found


def as_expected(cards: list[dict[str, Any]], row: Expected) -> bool:
    said = [c for c in cards if any(f"`{rule}`" in c["detail"] for rule in row.rules)]
    if row.wanted == "none":
        return not said
    return bool(said) and (row.wanted == "card" or all(c["indicator"] == "info" for c in said))


@pytest.mark.parametrize(("folder", "row"), rows(), ids=lambda v: getattr(v, "file", ""))
def test_cards_are_where_the_authors_expect_them(web: TestClient, folder: Path, row: Expected) -> None:
    cards = cards_of(web, request_of(folder, row))
    assert as_expected(cards, row), [c["summary"] for c in cards]
    assert all(len(c["summary"]) < 140 for c in cards)


@pytest.mark.parametrize("written", ["Patient/{}", "https://ehr.example/fhir/Patient/{}", "{}"])
@pytest.mark.parametrize(("folder", "row"), rows(), ids=lambda v: getattr(v, "file", ""))
def test_also_where_the_orders_write_the_patient_differently(web: TestClient, folder: Path, row: Expected, written: str) -> None:
    request = request_of(folder, row)
    patient = next((p.resource.get("id") for p in gather(request).pieces if p.type == "Patient"), None)
    drafts = request["context"].get("draftOrders") or request["context"].get("medications") or {}
    for entry in drafts.get("entry", []):
        resource = entry.get("resource", entry)
        if isinstance(resource.get("subject"), dict):
            who = patient or str(resource["subject"].get("reference", "")).rsplit("/", 1)[-1]
            resource["subject"]["reference"] = written.format(who)
    assert as_expected(cards_of(web, request), row)


def test_order_select_and_order_sign_of_one_patient_have_one_uuid_for_one_card(web: TestClient) -> None:
    request = request_of(HL7, next(row for folder, row in rows() if folder == HL7 and "order-select" in row.file))
    sign = {c["uuid"] for c in cards_of(web, {**request, "hook": "order-sign"})}
    select = {c["uuid"] for c in cards_of(web, {**request, "hook": "order-select"})}
    assert select
    assert select <= sign
    assert all(re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", one) for one in sign)
