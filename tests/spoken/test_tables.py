"""The tables of kb/spoken: complete, each row shown by its example, a site's rows before ours, and no word left in the code."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from broken.laying import compiled_over, copy_of_base, lay, with_speech
from conftest import REPO, engine_of

import safety
from safety.engine import RECIPE, Engine
from safety.knowledge.compiling import compile_folder
from safety.knowledge.library import Library
from safety.knowledge.snapshot import load_library
from safety.knowledge.spoken import NOTHING, QUESTIONS
from safety.model import events
from safety.reading.spoken.examples import slips
from safety.reading.spoken.statement import Spoken

READER = REPO / "safety/reading/spoken"
EVENTS = {value for name, value in vars(events).items() if name.isupper() and isinstance(value, str)}
MADE_BY_COMPARING = {events.MORE_OFTEN, events.LESS_OFTEN, events.BOTH_NAMES, events.LASTED_LONG}
LONGEST_RUN_OF_LETTERS = 2


def site(folder: Path, table: str, text: str) -> Path:
    lay(folder / "site", f"kb/spoken/{table}.yaml", f"id: spoken.{table}\n{text}")
    return folder / "site"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return with_speech(copy_of_base(tmp_path_factory.mktemp("speech")))


@cache
def spoken(base: Path, *overlays: Path) -> Spoken:
    compiled = compiled_over(base, *overlays)
    assert compiled.problems == ()
    return Spoken(compiled.library)


def said(base: Path, text: str, *overlays: Path) -> tuple[str, ...]:
    return spoken(base, *overlays).read(text).events


def test_every_example_is_taken_by_its_row_and_no_near_miss_is(library: Library) -> None:
    assert [str(problem) for problem in slips(library)] == []


def test_every_question_has_its_table_and_every_answer_a_row(library: Library) -> None:
    tables = {table.id.partition(".")[2]: table for table in library.spoken}
    assert tables.keys() == QUESTIONS.keys()
    for name, question in QUESTIONS.items():
        assert {answer for row in tables[name].rows for answer in row.says} == set(question.answers), name


def test_what_may_be_said_to_have_happened_is_what_the_judging_knows() -> None:
    told = {answer for question in QUESTIONS.values() if question.deniable for answer in question.answers}
    assert told <= EVENTS
    others = {answer for name in ("commands", "borrowed", "given-twice", "prescriber", "another-day", "as-told", "whose")
              for answer in QUESTIONS[name].answers}  # fmt: skip
    assert EVENTS - told - others == MADE_BY_COMPARING


def test_an_example_and_its_near_miss_differ_in_what_they_come_to(library: Library) -> None:
    """Whole statements: what the event of a row says is said of its example, and not of its near miss."""
    spoken = Spoken(library)
    for table in library.spoken:
        if QUESTIONS[table.id.partition(".")[2]].deniable:
            for row in table.rows:
                if row.says and NOTHING not in row.says:
                    assert set(spoken.read(row.near_miss).events).isdisjoint(row.says), (row.id, row.near_miss)


def test_a_library_without_a_table_says_which_one_is_missing(base: Path, tmp_path: Path) -> None:
    root = with_speech(copy_of_base(tmp_path))
    (root / "kb/spoken/turns.yaml").unlink()
    with pytest.raises(safety.KnowledgeError) as error:
        Spoken(compile_folder(root).library)
    assert [(str(p.place), p.code) for p in error.value.problems] == [("kb/spoken/turns.yaml", "K024")]


# ------------------------------------------------------------------ a site's rows

ROW = "rows:\n  - {{id: {0}, says: {1}, words: {2}, example: {3}, near_miss: I took it}}\n"


def test_a_sites_row_stands_before_ours(base: Path, tmp_path: Path) -> None:
    text = "I gave it the slip yesterday"
    assert said(base, text) == ()
    mine = site(tmp_path, "skipped", ROW.format("slip", "skipped", "gave it the slip", text))
    assert said(base, text, mine) == ("earlier-day", "skipped")


def test_a_sites_row_that_says_nothing_silences_ours(base: Path, tmp_path: Path) -> None:
    text = "I skip rope every day"
    assert said(base, text) == ("skipped",)
    mine = site(tmp_path, "skipped", ROW.format("rope", "nothing", '"skip rope"', text))
    assert said(base, text, mine) == ()
    assert said(base, "I skip it", mine) == ("skipped",)


def test_a_site_takes_one_of_our_rows_out(base: Path, tmp_path: Path) -> None:
    assert said(base, "he refused it") == ("skipped",)
    assert said(base, "he refused it", site(tmp_path, "skipped", "remove: [refused]\n")) == ()


def test_a_snapshot_keeps_the_tables_with_a_sites_rows_and_decodes_none_that_is_not_asked(base: Path, tmp_path: Path) -> None:
    mine = site(tmp_path, "skipped", ROW.format("slip", "skipped", "gave it the slip", "I gave it the slip"))
    compiled = compile_folder(base, [mine]).library
    for _ in range(2):  # compiled and stored, then read
        kept = load_library(base, [mine], tmp_path / "cache", RECIPE)
        assert kept.spoken._made == {}  # type: ignore[attr-defined]
        assert kept.spoken == compiled.spoken
        assert kept.by_id["spoken.skipped"] == compiled.by_id["spoken.skipped"]


# ------------------------------------------------------------------ when they are made, and what the code holds


def test_nothing_of_it_is_made_before_the_first_statement_comes(library: Library) -> None:
    engine = engine_of(library)
    assert "spoken" not in vars(engine.checker)
    engine.dose({"patient": {}, "prescribed": "lisinopril 20 mg once daily", "reported": "I skipped it"}, "2026-11-20")
    made = engine.checker.spoken
    engine.dose({"patient": {}, "prescribed": "lisinopril 20 mg once daily", "reported": "I forgot it"}, "2026-11-20")
    assert engine.checker.spoken is made


def test_importing_the_package_reads_no_table() -> None:
    code = "import sys, safety; print(any(m.startswith('safety.reading.spoken') for m in sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=REPO)
    assert ran.stdout.strip() == "False"


def literals(call: ast.Call) -> str:
    """The text of a pattern as it is written, without what is put into it."""
    parts = [part for arg in call.args for part in (arg.values if isinstance(arg, ast.JoinedStr) else [arg])]
    return "".join(p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str))


def test_no_pattern_in_the_code_that_reads_statements_holds_a_word() -> None:
    """Words stand in kb/; the code's own patterns are of digits, marks and classes of letters."""
    held = {}
    for path in sorted(READER.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile":
                text = re.sub(r"\?P<[a-z]+>|\\[a-zA-Z]|\[[^\]]*\]", "", literals(node))
                runs = [run for run in re.findall(r"[a-z]+", text, re.I) if len(run) > LONGEST_RUN_OF_LETTERS]
                if runs:
                    held[f"{path.name}:{node.lineno}"] = runs
    assert held == {}


def test_an_engine_says_the_same_with_its_tables_made_anew(engine: Engine, library: Library) -> None:
    request = {"patient": {}, "prescribed": "lisinopril 20 mg once daily", "reported": "I take one and a half most days"}
    assert engine.dose(request, "2026-11-20") == engine_of(library).dose(request, "2026-11-20")
