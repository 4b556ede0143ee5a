"""Reports as pages, Markdown, tables and SARIF: all that was answered stands there, and a patient's words stay words."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from cli.running import medsafe
from conftest import REPO, examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from showing.accessible import contrast, faults

from safety.engine import Engine, case_from_text
from safety.model.patient import Case
from safety.showing.formats import markdown, sarif, table, table_rows
from safety.showing.pages import Shown, entry_page, form_page, page_style, report_page

KNEE = (REPO / "examples" / "knee-pain.yaml").read_text(encoding="utf-8")
_VOID = {"meta", "br", "input", "circle", "line", "rect"}


class Outline(HTMLParser):
    """What a page is made of: tags that are open at the end, places, what it would load."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loads: list[str] = []
        self.tags: set[str] = set()
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        told = dict(attrs)
        if told.get("id"):
            self.ids.append(str(told["id"]))
        if tag == "a":
            self.links.append(told.get("href") or "")
        self.loads += [str(told[key]) for key in ("src", "srcset", "data") if key in told]
        if tag == "link":
            self.loads.append(told.get("href") or "")
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID:
            assert self.open
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def outline(page: str) -> Outline:
    read = Outline()
    read.feed(page)
    read.close()
    assert read.open == []
    return read


@pytest.fixture(scope="module")
def knee() -> Case:
    return case_from_text(KNEE, "case")


def test_every_finding_question_and_hole_stands_on_the_page_once(engine: Engine, knee: Case) -> None:
    report = engine.check(knee)
    read = outline(report_page([Shown(report, knee)], engine.library))
    text = " ".join(" ".join(read.words).split())
    for f in report.every_finding:
        assert f.title in text
        assert f.rule in text
    for told in (*(q.ask for q in report.questions), *(h.text for h in report.unknown_because if h.because != "not told")):
        assert told in text
    assert {"#" + i for i in read.ids} >= {link for link in read.links if link.startswith("#")}
    assert read.ids.count("main") == 1


def test_each_report_of_a_page_has_places_of_its_own(engine: Engine, knee: Case) -> None:
    report = engine.check(knee)
    read = outline(report_page([Shown(report, knee, "one"), Shown(report, knee, "two")], engine.library))
    assert {"#" + i for i in read.ids} >= {link for link in read.links if link.startswith("#")}
    chips = [link for link in read.links if link.endswith("interaction.warfarin-nsaid")]
    assert set(chips) == {f"#case-{n}-interaction.warfarin-nsaid" for n in (1, 2)}


def test_a_page_can_be_used_by_keyboard_and_read_aloud(engine: Engine, knee: Case) -> None:
    report = engine.check(knee)
    library = engine.library
    assert faults(report_page([Shown(report, knee)], library)) == []
    assert faults(report_page([Shown(report, knee)] * 2, library)) == []
    assert faults(form_page({"age": "72"}, report=report, library=library, case=knee)) == []
    for item in ("interaction.warfarin-nsaid", "drug.warfarin"):
        assert faults(entry_page(library.by_id[item], library)) == []


def test_words_stand_out_from_what_is_behind_them_by_day_and_by_night() -> None:
    light, dark = (
        dict(re.findall(r"--([a-z]+): (#[0-9a-f]{3,6})", text)) for text in page_style().split("prefers-color-scheme: dark", 1)
    )
    assert set(light) == set(dark) > {"bg", "card", "ink", "soft", "accent"}
    for scheme in (light, dark):
        for word in scheme.keys() - {"bg", "card", "line"}:
            for behind in ("bg", "card"):
                assert contrast(scheme[word], scheme[behind]) >= 4.5, (word, behind)
    assert contrast("#ffffff", "#0b5cad") >= 4.5  # the button


def test_a_page_loads_nothing_and_runs_nothing(engine: Engine, knee: Case) -> None:
    report = engine.check(knee)
    for page in (report_page([Shown(report, knee)] * 2, engine.library), form_page({"age": "72"}, as_of="2026-11-20")):
        read = outline(page)
        assert read.loads == []
        assert "script" not in read.tags
        assert "url(" not in page
        assert not [link for link in read.links if link.startswith("http")]


@given(
    words=st.lists(
        st.text(alphabet="<>&\"'/=script onload{}%", min_size=1, max_size=30).filter(str.strip), min_size=3, max_size=3
    )
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=examples(40))
def test_a_patients_words_make_no_markup(engine: Engine, words: list[str]) -> None:
    medicine, condition, name = words
    case = {
        "id": name, "as_of": "2026-11-20",
        "patient": {"medications": [f"warfarin {medicine}"], "conditions": [condition], "allergies": [{"to": medicine}]},
    }  # fmt: skip
    report = engine.check(case)
    plain = outline(
        report_page([Shown(engine.check({**case, "id": "x", "patient": {"medications": ["warfarin 5 mg"]}}))], engine.library)
    )
    read = outline(report_page([Shown(report)], engine.library))
    assert read.tags - plain.tags <= {"ol", "ul", "li", "details", "summary", "article", "dl", "dt", "dd", "h3", "br", "small"}
    assert outline(form_page({"medications": medicine, "age": condition})).tags == outline(form_page({})).tags


def test_an_entry_has_a_page_of_its_own(engine: Engine) -> None:
    entry = engine.library.entry["interaction.warfarin-nsaid"]
    text = " ".join(outline(entry_page(entry, engine.library)).words)
    assert entry.title in text
    assert "interaction.warfarin-nsaid" in text
    assert entry.advice.replace("{nsaid}", "the nsaid") in text
    for item in ("drug.warfarin", "class.nsaids", "score.curb-65", "lab.potassium", "dose.warfarin"):
        assert item in outline(entry_page(engine.library.by_id[item], engine.library)).words


def test_the_line_of_time_holds_what_has_a_day(engine: Engine) -> None:
    case = case_from_text(
        "as_of: 2026-11-20\npatient:\n"
        "  labs: [{test: INR, value: 2.4, on: 2026-10-01}, {test: INR, value: 4.1, on: 2026-11-18}]\n"
        "  medications: [{drug: warfarin, dose: 5 mg, since: 2026-09-01}]\n", "case",
    )  # fmt: skip
    page = report_page([Shown(engine.check(case), case)], engine.library)
    assert "2026-10-01" in page
    assert page.count("<circle") == 3
    assert page.count("<rect") == 1
    assert "Over time" not in report_page([Shown(engine.check(case))], engine.library)


def test_a_table_has_a_row_for_each_rule_and_none_is_a_formula(engine: Engine) -> None:
    report = engine.check(
        {"id": "=cmd()", "as_of": "2026-11-20", "patient": {"medications": ["warfarin 5 mg", "-ibuprofen 400 mg"]}}
    )
    rows = list(csv.DictReader(io.StringIO(table(table_rows(report)))))
    assert len(rows) == len(report.every_finding)
    assert not [cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "-", "@"))]
    quiet = engine.check({"as_of": "2026-11-20", "patient": {"medications": []}})
    assert [row["verdict"] for row in table_rows(quiet, "file")] == [quiet.verdict]


def test_markdown_takes_a_patients_words_as_words(engine: Engine) -> None:
    report = engine.check({"as_of": "2026-11-20", "patient": {"medications": ["warfarin 5 mg", "ibuprofen [x](http://y) <b>"]}})
    text = markdown(report)
    shown = MarkdownIt().render(text)
    assert "<a" not in shown
    assert "<b>" not in shown
    assert all(f.rule in text for f in report.findings)


def test_sarif_names_the_file_the_rule_and_the_level(engine: Engine, knee: Case) -> None:
    report = engine.check(knee)
    log = sarif([("knee.yaml", report)])
    run = log["runs"][0]
    assert len(run["results"]) == len(report.every_finding)
    assert {r["ruleId"] for r in run["results"]} == {r["id"] for r in run["tool"]["driver"]["rules"]}
    assert {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in run["results"]} == {"knee.yaml"}


@pytest.mark.parametrize("form", ["md", "csv", "html", "sarif", "ndjson"])
def test_the_command_writes_each_format_with_the_same_exit_code(form: str) -> None:
    files = [str(REPO / "examples" / name) for name in ("knee-pain.yaml", "stuffy-nose.yaml")]
    ran = medsafe("check", *files, "--format", form)
    assert ran.code == 1
    if form == "html":
        assert len(re.findall(r'<section id="case-\d', ran.out)) == 2
        outline(ran.out)
    elif form == "sarif":
        assert json.loads(ran.out)["version"] == "2.1.0"
    elif form == "ndjson":
        assert [json.loads(line)["id"] for line in ran.out.splitlines()] == ["knee-pain", "stuffy-nose"]
    else:
        assert "knee-pain" in ran.out
        assert "stuffy-nose" in ran.out
    assert "Decision support for a professional's judgement" not in ran.out


def test_a_browser_shows_the_page_without_a_fault(engine: Engine, knee: Case, tmp_path: Path) -> None:
    browser = shutil.which("chromium")
    if browser is None:
        pytest.skip("no chromium here: apt-get install chromium")
    page = tmp_path / "report.html"
    page.write_text(report_page([Shown(engine.check(knee), knee)], engine.library), encoding="utf-8")
    ran = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", page.as_uri()], capture_output=True, text=True,
        timeout=60, check=True,
    )  # fmt: skip
    assert "Warfarin with a systemic NSAID" in ran.stdout


def test_the_page_of_a_rule_shows_no_slot_as_it_stands_in_the_file(engine: Engine) -> None:
    told = [e for e in engine.library.entries if "{" in f"{e.title}{e.advice}{e.if_unavoidable}"][:40]
    assert told
    for entry in told:
        words = " ".join(outline(entry_page(entry, engine.library)).words)
        assert not re.search(r"\{[a-z_]+\}", words), entry.id
