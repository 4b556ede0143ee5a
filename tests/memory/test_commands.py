"""`medsafe timeline`, `medsafe reconcile` and `medsafe check --at`, and what they write."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from conftest import REPO
from fhir.resources.R4B.bundle import Bundle
from showing.accessible import faults

from memory.pairs import PAIRS, bundle
from safety.cli.check import check
from safety.cli.timeline import reconcile, timeline
from safety.engine import Engine
from safety.errors import RequestError

EVENTS = str(REPO / "examples" / "histories" / "metformin-to-insulin.yaml")


@pytest.fixture
def run(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Any:
    for module in ("timeline", "check"):
        monkeypatch.setattr(f"safety.cli.{module}.engine", lambda overlays=(): engine)

    def ran(command: Any, *args: str) -> Result:
        return CliRunner().invoke(command, list(args), standalone_mode=False, catch_exceptions=False)

    return ran


def test_a_timeline_shows_both_sides_and_asks(run: Any) -> None:
    done = run(timeline, EVENTS, "--at", "2026-03-08")
    assert done.return_value == 4
    assert "not taken / taken" in done.stdout
    assert "Is metformin taken now?" in done.stdout.replace("\n           ", " ")


def test_knowing_less_there_is_nothing_to_ask(run: Any) -> None:
    done = run(timeline, EVENTS, "--at", "2026-03-08", "--known", "22")
    assert done.return_value == 0
    assert "ask" not in done.stdout


def test_a_question_of_a_dose_is_answered(run: Any) -> None:
    done = run(timeline, EVENTS, "--at", "2026-02-20", "--ask", "metformin 500 mg")
    assert (done.return_value, "1000 mg since 2026-02-14" in done.stdout) == (0, True)


def test_json_holds_the_belief_the_strips_and_the_findings(run: Any) -> None:
    told = json.loads(run(timeline, EVENTS, "--at", "2026-03-08", "--findings", "--json").stdout)
    assert told["belief"] == 1
    assert {s["name"] for s in told["timeline"]["strips"]} == {"metformin", "insulin glargine"}
    assert [s["look"] for s in told["timeline"]["strips"][0]["segments"]] == ["on", "on", "off", "conflict"]
    assert told["course"]["findings"]


def test_the_page_is_whole_and_every_text_in_it_is_escaped(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "e.yaml"
    file.write_text(
        "events:\n  - {told: 2026-01-05, says: taking, medicine: 'metformin 500 mg', why: '<script>x</script>'}\n"
        "  - {told: 2026-01-09, says: taking, medicine: '<b>zorp</b> 5 mg'}\n"
        "  - {told: 2026-01-20, says: taking, medicine: 'metformin 850 mg'}\n", encoding="utf-8",
    )  # fmt: skip
    page = run(timeline, str(file), "--at", "2026-02-01", "--findings", "--format", "html").stdout
    tags = Tags()
    tags.feed(page)
    assert "script" not in tags.seen
    assert "b" not in tags.seen
    assert tags.classes["rect"] >= {"on", "conflict"}
    assert "http" not in page.replace("http://www.w3.org", "")  # nothing is loaded from elsewhere
    assert "url(" not in page
    assert faults(page) == []


class Tags(HTMLParser):
    """Which elements a page has, with which classes."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.classes: dict[str, set[str]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        named = dict(attrs).get("class")
        self.classes.setdefault(tag, set()).update((named or "").split())


def test_events_are_kept_in_a_store_and_read_from_it(run: Any, tmp_path: Path) -> None:
    store = str(tmp_path / "memory.duckdb")
    first = run(timeline, EVENTS, "--at", "2026-03-08", "--store", store)
    again = run(timeline, EVENTS, "--at", "2026-03-08", "--store", store)
    assert "5 new of 5" in first.stderr
    assert "0 new of 5" in again.stderr
    assert run(timeline, store, "--at", "2026-03-08").stdout == first.stdout


def test_a_record_is_a_timeline_too(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(bundle(PAIRS[1])), encoding="utf-8")
    told = json.loads(run(timeline, str(file), "--at", "2026-06-10", "--json").stdout)
    assert {m["name"] for m in told["medicines"]} >= {"apixaban", "metoprolol", "allopurinol", "warfarin"}


@pytest.mark.parametrize(("text", "code"), [("events: 7", "R501"), ("{", "R0"), ("- {told: x}", "R112"), ("", "R")])
def test_a_slip_in_a_file_is_told_with_its_place(run: Any, tmp_path: Path, text: str, code: str) -> None:
    file = tmp_path / "e.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(RequestError) as refused:
        run(timeline, str(file))
    assert any(p.code.startswith(code) or p.code.startswith("K") for p in refused.value.problems)
    assert all(str(file) in p.place.file for p in refused.value.problems)


def test_a_check_of_a_day_is_a_check_of_what_is_believed(run: Any) -> None:
    before = json.loads(run(check, EVENTS, "--at", "2026-02-20", "--json").stdout)
    after = json.loads(run(check, EVENTS, "--at", "2026-03-08", "--json").stdout)
    assert [m["text"] for m in before["medications"] if m["current"]] == ["metformin 1000 mg once a day"]
    assert "interaction.metformin.insulin-secretagogue" not in {f["rule"] for f in before["findings"]}
    assert "interaction.metformin.insulin-secretagogue" in {f["rule"] for f in after["findings"]}
    assert after["as_of"] == "2026-03-08"


@pytest.fixture
def record(tmp_path: Path) -> str:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(bundle(PAIRS[0])), encoding="utf-8")
    return str(file)


def test_reconcile_says_what_is_at_odds_and_cites_it(run: Any, record: str, tmp_path: Path) -> None:
    said = tmp_path / "said.txt"
    said.write_text("I stopped taking that lisinopril a few days ago.\nI have prediabetes.\n", encoding="utf-8")
    done = run(reconcile, record, str(said), "--as-of", "2019-08-21")
    assert done.return_value == 1
    assert "CONTRADICTION  high  DOES NOT WAIT" in done.stdout
    assert "314076" in done.stdout
    assert "1 contradiction, 1 agreement" in done.stdout
    told = json.loads(run(reconcile, record, str(said), "--as-of", "2019-08-21", "--json").stdout)
    assert [r["result"] for r in told["results"]] == ["contradiction", "agreement"]
    assert told["results"][0]["fhir_resources_considered"] == [{
        "resource_type": "MedicationRequest", "code_system": "http://www.nlm.nih.gov/research/umls/rxnorm",
        "code_value": "314076", "display": "lisinopril 10 MG Oral Tablet",
    }]  # fmt: skip


def test_reconcile_as_fhir_is_fhir(run: Any, record: str, tmp_path: Path) -> None:
    said = tmp_path / "said.yaml"
    said.write_text('- "I quit the Plavix two weeks ago."\n- "I walked on Monday."\n- "I take naproxen."\n', encoding="utf-8")
    built = json.loads(run(reconcile, record, str(said), "--as-of", "2019-08-21", "--format", "fhir", "--complete").stdout)
    Bundle.model_validate(built)
    kinds = [e["resource"]["resourceType"] for e in built["entry"]]
    assert kinds[0] == "List"
    assert kinds.count("DetectedIssue") == 4  # clopidogrel, naproxen; lisinopril and simvastatin are not mentioned
    listed = {e["item"]["reference"] for e in built["entry"][0]["resource"]["entry"]}
    assert listed == {e["fullUrl"] for e in built["entry"][1:]}
    assert built == json.loads(
        run(reconcile, record, str(said), "--as-of", "2019-08-21", "--format", "fhir", "--complete").stdout
    )


def test_nothing_at_odds_ends_in_0_and_what_is_not_assessed_in_4(run: Any, record: str, tmp_path: Path) -> None:
    said = tmp_path / "said.txt"
    said.write_text("I have high blood pressure.\nI prefer text messages.\n", encoding="utf-8")
    assert run(reconcile, record, str(said), "--as-of", "2019-08-21").return_value == 0
    said.write_text("I feel weird since Tuesday.\n", encoding="utf-8")
    assert run(reconcile, record, str(said), "--as-of", "2019-08-21").return_value == 4
