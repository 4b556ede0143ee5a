"""The page at `/`: what a person enters or pastes is checked, what cannot be read is told, and nothing is kept."""

from __future__ import annotations

import logging
from datetime import date
from pathlib import Path
from urllib.parse import urlencode

import pytest
from conftest import REPO, examples
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from safety.engine import Engine
from safety.serving.page import FIELDS, MOST_BYTES, answered, case_of, fields_of, page_router

DAY = date(2026, 11, 20)


@pytest.fixture(scope="module")
def client(engine: Engine) -> TestClient:
    app = FastAPI()
    app.include_router(page_router(engine, lambda: DAY))
    return TestClient(app)


def test_the_form_comes_first_and_asks_the_browser_to_keep_nothing(client: TestClient) -> None:
    got = client.get("/")
    assert got.status_code == 200
    assert "<form" in got.text
    assert got.headers["cache-control"] == "no-store"
    assert "default-src 'none'" in got.headers["content-security-policy"]


def test_what_is_entered_is_checked_and_stands_in_the_fields_again(client: TestClient) -> None:
    told = {"age": "70", "sex": "f", "medications": "warfarin 5 mg daily\r\nibuprofen 400 mg tid prn", "allergies": "pcn: hives",
            "conditions": "none", "labs": "K 5.9"}  # fmt: skip
    got = client.post("/", data=told)
    assert got.status_code == 200
    assert "Warfarin with a systemic NSAID" in got.text
    assert "ibuprofen 400 mg tid prn</textarea>" in got.text
    assert 'href="/entry/interaction.warfarin-nsaid"' in got.text
    assert "<title>Violated: " in got.text  # what a reader aloud says first


def test_an_empty_form_is_never_clear(client: TestClient) -> None:
    assert "✔ CLEAR" not in client.post("/", data={}).text


@pytest.mark.parametrize(
    "pasted",
    [
        (REPO / "examples" / "knee-pain.yaml").read_text(encoding="utf-8"),
        (REPO / "examples" / "fhir-patient.json").read_text(encoding="utf-8"),
        "Patient: I take warfarin 5 mg every day and ibuprofen 400 mg three times a day.",
    ],
    ids=["yaml", "fhir", "a note"],
)
def test_a_whole_record_may_be_pasted(client: TestClient, pasted: str) -> None:
    got = client.post("/", data={"whole": pasted})
    assert got.status_code == 200
    assert "Warfarin with a systemic NSAID" in got.text


def test_what_cannot_be_read_is_told_with_a_hint(client: TestClient) -> None:
    got = client.post("/", data={"age": "very old", "medications": "warfarin 5 mg"})
    assert got.status_code == 422
    assert "Could not be read" in got.text
    assert "very old</" not in got.text
    assert client.post("/", data={"as_of": "someday", "medications": "warfarin"}).status_code == 422


def test_an_entry_has_a_page_and_what_is_none_is_said(client: TestClient) -> None:
    assert "interaction.warfarin-nsaid" in client.get("/entry/interaction.warfarin-nsaid").text
    assert client.get("/entry/interaction.nothing").status_code == 404


def test_more_than_is_read_is_refused(client: TestClient) -> None:
    got = client.post("/", data={"whole": "x" * (MOST_BYTES + 1)})
    assert got.status_code == 413
    assert "larger than" in got.text


def test_none_is_told_and_silence_is_not(engine: Engine) -> None:
    case = case_of(engine, {"medications": "warfarin 5 mg", "allergies": "None", "conditions": ""})
    report = engine.check(case, DAY)
    untold = {hole.about for hole in report.unknown_because if hole.because == "not told"}
    assert "conditions" in untold
    assert "allergies" not in untold
    assert not report.unresolved


def test_nothing_about_a_patient_is_logged(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        client.post("/", data={"medications": "warfarin 5 mg\nzzqxunheardof 3 mg", "conditions": "zzqxcondition"})
    assert "zzqx" not in caplog.text


@given(fields=st.dictionaries(st.sampled_from(FIELDS), st.text(max_size=60)), junk=st.binary(max_size=60))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=examples(60))
def test_whatever_is_sent_is_answered(engine: Engine, fields: dict[str, str], junk: bytes) -> None:
    assert set(fields_of(junk)) <= set(FIELDS)
    page, status = answered(engine, fields_of(urlencode(fields, errors="replace").encode()), DAY)
    assert status in (200, 422)
    assert page.rstrip().endswith("</html>")
    assert "✔ CLEAR" not in page


def test_the_page_is_part_of_what_is_installed() -> None:
    import safety.showing

    folder = Path(safety.showing.__file__).parent / "templates"
    assert {p.name for p in folder.iterdir()} >= {"base.html", "form.html", "report.html", "entry.html", "parts.html", "page.css"}
