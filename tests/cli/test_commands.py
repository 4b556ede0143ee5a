"""The other commands: names, looking, asking in SQL, and writing knowledge."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import click
import duckdb
import pytest
from broken.laying import BASE, changed, compiled_over, copy_of_base, lay
from conftest import CACHE, REPO, sampled

from cli.running import CASE, CLEAR, LOUD, medsafe, write
from safety.cli.main import cli
from safety.cli.page import print_report
from safety.engine import Engine
from safety.knowledge.collecting import FACT_FOLDERS, FOLDERS, RULE_FOLDERS

COMMANDS = cli.list_commands(click.Context(cli))
NAME_KEYS = {"heard", "status", "drug", "name", "rxcui", "via", "score", "confirm", "candidates", "ask"}
NOTHING = {"as_of": "2026-11-20", "patient": {"conditions": [], "medications": []}}
_OURS = {**os.environ, "MEDSAFE_CACHE": CACHE}
"""A process of its own reads the knowledge of this checkout, which is compiled already."""
KINDS = sorted({p for p in FOLDERS.values() if p})


# ------------------------------------------------------------------ help and usage


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_command_shows_how_it_is_used(command: str) -> None:
    ran = medsafe(command, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert f"\n  medsafe {command}" in ran.out or f"| medsafe {command}" in ran.out
    assert medsafe(command, "-h") == ran


@pytest.mark.parametrize("command", COMMANDS)
def test_no_line_of_help_is_wider_than_a_terminal(command: str) -> None:
    assert [line for line in medsafe(command, "--help").out.splitlines() if len(line) > 80] == []


def test_every_command_stands_in_the_help_with_a_sentence() -> None:
    lines = medsafe("--help").out.split("Commands:")[1].strip().splitlines()
    assert [line.split()[0] for line in lines] == COMMANDS
    assert all(len(line.split()) > 3 for line in lines)


@pytest.mark.parametrize(("typo", "meant"), [("chekc", "check"), ("lnit", "lint"), ("shwo", "show"), ("nmae", "name")])
def test_an_unknown_command_suggests_one(typo: str, meant: str) -> None:
    ran = medsafe(typo)
    assert (ran.code, ran.out) == (2, "")
    assert f"did you mean `{meant}`?" in ran.err


def test_an_unknown_command_that_is_near_to_nothing_suggests_nothing() -> None:
    ran = medsafe("xyzzy")
    assert ran.code == 2
    assert "did you mean" not in ran.err


@pytest.mark.parametrize("args", [("check",), ("why", "x"), ("name",), ("show",), ("sql",), ("new",
 "rule"), ("build",), ("check", "--nope", "x"),
                                  ("check", "x", "--fail-on", "loud"), ("list", "things")])  # fmt: skip
def test_a_slip_of_usage_is_exit_2_with_a_word_on_standard_error(args: tuple[str, ...]) -> None:
    ran = medsafe(*args)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("Usage: medsafe")


def test_the_version_is_that_of_the_package() -> None:
    import safety

    assert medsafe("--version").out.strip().endswith(safety.__version__)


# ------------------------------------------------------------------ streams, colour, processes


@pytest.mark.parametrize(
    ("content", "code", "out", "err"),
    [
        (CLEAR, 0, True, False),
        (NOTHING, 4, True, False),
        (LOUD, 1, True, False),
        ("a: [", 2, False, True),
        (None, 2, False, True),
    ],
)  # fmt: skip
def test_as_a_process_answers_and_complaints_go_their_own_ways(
    content: Any, code: int, out: bool, err: bool, tmp_path: Path
) -> None:
    if content is not None:
        write(tmp_path / "a.yaml", content)
    small = f"import safety.engine; from pathlib import Path; safety.engine.base_folder = lambda: Path({str(BASE)!r})"
    command = [sys.executable, "-c", f"{small}; from safety.cli.main import main; main()", "check", "a.yaml"]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False, timeout=60)
    assert (ran.returncode, bool(ran.stdout), bool(ran.stderr)) == (code, out, err), ran.stderr
    assert "Traceback" not in ran.stderr


def test_as_a_process_a_reader_that_goes_away_is_no_failure(tmp_path: Path) -> None:
    program = f"{sys.executable} -c 'from safety.cli.main import main; main()' list rules | head -1"
    ran = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=False, env=_OURS)
    assert "Traceback" not in ran.stderr
    assert "BrokenPipe" not in ran.stderr


@pytest.mark.parametrize("variable", [None, "NO_COLOR"])
@pytest.mark.parametrize(
    "args",
    [("check", "a.yaml"), ("why", "interaction.warfarin-nsaid", "a.yaml"), ("show", "interaction.warfarin-nsaid"), ("list",),
     ("sql", "select * from drugs"), ("name", "Coumadin"), ("lint",), ("test", "-v"), ("check", "--help")],
    ids=" ".join,
)  # fmt: skip
def test_there_is_no_escape_code_where_there_is_no_terminal(
    args: tuple[str, ...], variable: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if variable:
        monkeypatch.setenv(variable, "1")
    write(tmp_path / "a.yaml", CASE)
    ran = medsafe(*args)
    assert ran.out or ran.err
    assert "\x1b" not in ran.out + ran.err
    assert [line for line in ran.out.splitlines() if line != line.rstrip()] == []  # nor blanks at the end of a line


# ------------------------------------------------------------------ name


def test_names_are_answered_in_order_with_the_keys_of_the_contract() -> None:
    ran = medsafe("name", "Coumadin", "paracetamol", "flurbozide", "--json")
    assert [(r["heard"], r["status"], r["drug"]) for r in ran.rows] == [
        ("Coumadin", "match", "drug.warfarin"), ("paracetamol", "match", "drug.acetaminophen"), ("flurbozide",
         "unrecognised", None),
    ]  # fmt: skip
    assert all(set(r) >= NAME_KEYS for r in ran.rows)
    assert [r["via"] for r in ran.rows[:2]] == ["brand", "synonym"] or ran.rows[0]["via"] == "brand"
    assert ran.code == 4
    assert medsafe("name", "Coumadin").code == 0


def test_names_from_a_file_from_standard_input_and_from_the_command_line_are_the_same(tmp_path: Path) -> None:
    names = "Coumadin\n\nTylenol\nmet formin\n"
    said = medsafe("name", "Coumadin", "Tylenol", "met formin", "--json")
    assert medsafe("name", "--file", write(tmp_path / "n.txt", names), "--json") == said
    assert medsafe("name", "-", "--json", stdin=names.encode()) == said
    assert medsafe("name", "--file", "-", "--json", stdin=names.encode()) == said


def test_what_is_not_exact_is_asked_back() -> None:
    for row in medsafe("name", "warfarn", "ibuprofin", "Coumadin", "--json").rows:
        exact = row["status"] == "match" and row["via"] in ("exact", "name", "brand", "synonym", "salt")
        assert row["confirm"] == (not exact), row
        assert bool(row["ask"]) == (not exact), row


@pytest.mark.parametrize(
    "text",
    [
        "😀",
        "\x1b[31mwarfarin\x1b[0m",
        "war\u200bfarin",
        "\u202eniraf",
        "a" * 10_000,
        "warfarin " * 2_000,
        "'; drop table",
        "%",
        " ",
        "\x9b1m",
        "½",
        "ﷺ" * 500,
    ],
)
@pytest.mark.parametrize("how", [[], ["--json"]])
def test_any_name_has_an_answer_and_none_is_echoed_raw(text: str, how: list[str]) -> None:
    ran = medsafe("name", *how, "--", text)
    assert ran.code in (0, 4)
    assert ran.err == ""
    assert {c for c in ran.out if not c.isprintable() and c != "\n"} == set()
    assert len(ran.out) < 3000
    if how:
        assert ran.rows[0]["status"] in ("match", "ambiguous", "unrecognised")


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"warfarin\x00"])
def test_a_file_of_names_that_is_no_text_is_refused(content: bytes, tmp_path: Path) -> None:
    write(tmp_path / "n.txt", content)
    ran = medsafe("name", "--file", "n.txt")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("n.txt:1:1: R003")


# ------------------------------------------------------------------ show and list


def test_everything_that_is_held_can_be_shown_as_a_card_and_as_json() -> None:
    library = compiled_over(BASE).library
    every = [item.id for item in library.items()]  # type: ignore[attr-defined]
    lists = [i for i in every if i.startswith("language.")]  # all of one shape: one of ten will do
    for i in (*sampled([i for i in every if not i.startswith("language.")]), *lists[::20]):
        card, plain = medsafe("show", i), medsafe("show", i, "--json")
        assert (card.code, plain.code) == (0, 0)
        assert card.out.startswith(i)
        assert json.loads(plain.out)["id"] == i


def test_every_kind_of_entry_of_the_base_has_something_to_show() -> None:
    shown = {i.partition(".")[0] for i in compiled_over(BASE).library.by_id}
    assert shown >= set(FACT_FOLDERS.values())


def test_a_rule_is_shown_from_top_to_bottom() -> None:
    out = medsafe("show", "interaction.warfarin-nsaid").out
    parts = ["Warfarin with an NSAID", "major", "class.anticoagulants", "avoid_together", "Replace {nsaid}", "pharmacist",
     "major bleeding",
             "section 7", "rules/interactions/warfarin-nsaid.yaml:1:1"]  # fmt: skip
    assert [p for p in parts if p not in out] == []
    assert sorted(parts, key=out.index) == parts


@pytest.mark.parametrize(
    ("i", "hint"),
    [
        ("drug.warfrin", "did you mean `drug.warfarin`?"),
        ("contraindication.kidney", "contraindication.kidney.metformin contraindication.kidney.nsaids"),
    ],
)
def test_what_is_not_held_is_told_with_a_hint(i: str, hint: str) -> None:
    ran = medsafe("show", i)
    assert (ran.code, ran.out) == (2, "")
    assert hint in ran.err


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        ([], ["contraindication.kidney.metformin", "contraindication.kidney.nsaids", "contraindication.metformin-kidney",
              "interaction.warfarin-nsaid", "otc.acetaminophen"]),
        (["--severity", "major"], ["interaction.warfarin-nsaid", "otc.acetaminophen"]),
        (["--tag", "bleeding"], ["interaction.warfarin-nsaid"]),
        (["--of-kind", "otc_limit"], ["otc.acetaminophen"]),
        (["--drug", "Coumadin"], ["interaction.warfarin-nsaid"]),
        (["--drug", "drug.metformin"], ["contraindication.kidney.metformin", "contraindication.metformin-kidney"]),
        (["--drug", "Advil", "--severity", "moderate"], ["contraindication.kidney.nsaids"]),
        (["--find", "KIDNEY", "--severity", "minor"], ["contraindication.kidney.metformin"]),
        (["--tag", "nothing"], []),
        (["--class", "anticoagulants"], ["interaction.warfarin-nsaid"]),
        (["--source", "A LABEL", "--of-kind", "interactions"], ["interaction.warfarin-nsaid"]),
        (["--source", "no such source"], []),
        (["--due", "2020-01-01"], []),
    ],
)  # fmt: skip
def test_rules_are_listed_as_they_are_asked_for(filters: list[str], ids: list[str]) -> None:
    ran = medsafe("list", "rules", *filters, "--json")
    assert (ran.code, [r["id"] for r in ran.rows]) == (0, ids)
    assert [line.split()[1] for line in medsafe("list", "rules", *filters).out.splitlines()] == ids


@pytest.mark.parametrize(
    "kind", ["drugs", "products", "classes", "conditions", "allergens", "labs", "sources", "inferences", "language", "spoken"]
)
def test_each_kind_is_listed_whole_with_its_places(kind: str) -> None:
    rows = medsafe("list", kind, "--json").rows
    assert [r["id"] for r in rows] == [item.id for item in getattr(compiled_over(BASE).library, kind)]
    for row in rows:
        file, line, _ = row["place"].rsplit(":", 2)
        lines = (BASE / file).read_text(encoding="utf-8").splitlines()
        if file.startswith("kb/pathways/"):  # the class of those who inhibit it so strongly has its head one line above
            assert f" {row['id'].split('.')[1].split('-')[0]}:" in lines[int(line) - 2]
        else:
            assert row["id"] in lines[int(line) - 1]


@pytest.mark.parametrize(
    "args", [("drugs", "--drug", "warfarin"), ("labs", "--severity", "major"), ("rules", "--drug", "flurbozide")]
)
def test_a_filter_that_does_not_fit_is_refused(args: tuple[str, ...]) -> None:
    ran = medsafe("list", *args)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err


def test_a_list_is_a_table_in_which_no_text_is_a_formula(tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(medsafe("list", "rules", "--format", "csv").out)))
    told = medsafe("list", "rules", "--json").rows
    assert [(row["id"], row["severity"], row["place"]) for row in rows] == [(r["id"], r["severity"], r["place"]) for r in told]
    assert not [cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "-", "@"))]
    pytest.importorskip("xlsxwriter", reason="xlsxwriter is not installed: medsafe[desk]")
    sheet = tmp_path / "rules.xlsx"
    assert medsafe("list", "rules", "--format", "xlsx", "--out", str(sheet)).code == 0
    with zipfile.ZipFile(sheet) as book:
        assert told[0]["id"] in book.read("xl/sharedStrings.xml").decode()
        assert "<f>" not in book.read("xl/worksheets/sheet1.xml").decode()


@pytest.mark.parametrize(
    ("name", "shown"), [("warfarin", "drug.warfarin"), ("Coumadin", "drug.warfarin"), ("nsaids", "class.nsaids")]
)
def test_a_bare_name_shows_what_it_means(name: str, shown: str) -> None:
    assert medsafe("show", name).out.splitlines()[0] == shown


def test_nothing_suggests_that_somebody_licensed_has_signed_a_rule() -> None:
    card = medsafe("show", "interaction.warfarin-nsaid").out
    assert "by nobody licensed" in card
    assert "reviewed" not in card


# ------------------------------------------------------------------ sql


def test_sql_answers_in_rows() -> None:
    ran = medsafe("sql", "select id, severity from entries where severity = 'major' order by id", "--json")
    assert ran.rows == [
        {"id": "interaction.warfarin-nsaid", "severity": "major"},
        {"id": "otc.acetaminophen", "severity": "major"},
    ]
    assert "interaction.warfarin-nsaid" in medsafe("sql", "select id from entries").out


@pytest.mark.parametrize(
    "query",
    ["insert into drugs values ('x')", "delete from drugs", "update drugs set name = 'x'", "drop table drugs",
     "create table t (a int)",
     "attach 'other.duckdb'", "copy (select 1) to 'out.csv'", "copy drugs to 'out.csv'", "select * from read_csv('secret.csv')",
     "select * from 'secret.csv'", "select * from read_text('secret.csv')", "select * from glob('*')", "install httpfs",
      "load httpfs",
     "set enable_external_access = true", "export database 'out'", "select 1; copy (select 1) to 'out.csv'",
     "selec", "", "select nothing from drugs"],
)  # fmt: skip
def test_sql_that_would_write_or_reach_outside_is_refused(query: str, tmp_path: Path) -> None:
    write(tmp_path / "secret.csv", "secret\nvalue\n")
    ran = medsafe("sql", query)
    assert (ran.code, ran.out) == (2, "")
    assert "R401" in ran.err
    assert "Traceback" not in ran.err
    assert [p.name for p in tmp_path.iterdir()] == ["secret.csv"]


@pytest.mark.parametrize("value", ["[degF]", "[bold]x[/bold]", "[/x]", "a\x1b[31mb", "[red"])
def test_sql_shows_a_value_as_it_is(value: str) -> None:
    escaped = value.replace("\x1b", "")
    literal = "'" + value.replace("\x1b", "' || chr(27) || '") + "'"
    ran = medsafe("sql", f"select {literal} as v")
    assert (ran.code, ran.err) == (0, "")
    assert escaped in ran.out
    assert "\x1b" not in ran.out


@pytest.mark.parametrize(
    "query", ["select 1 as a, 2 as a", "select null as a", "select [1, 2] as a, {'b': 1} as c, date '2026-11-20' as d"]
)
def test_sql_of_any_shape_can_be_given_as_json(query: str) -> None:
    ran = medsafe("sql", query, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert len(ran.rows) == 1


# ------------------------------------------------------------------ new, lint, test, build


def _started(kind: str) -> str:
    """A name to start with; a dose table and a ledger are named after a drug that we hold, what people say after its question."""
    return {"dose": "warfarin", "coverage": "ibuprofen", "spoken": "skipped"}.get(kind, "started-here")


FILLED = {
    "drug.to-be-named-too": "drug.ibuprofen",
    "drug.to-be-named": "drug.naproxen",
    "harm.to-be-named": "harm.bleeding",
    "source.to-be-read": "source.a-label",
    "lab.to-be-named-too": "lab.egfr",
    "lab.to-be-named": "lab.creatinine",
}
TO_FILL = re.compile(r"[KR]\d{3} `(?:drug|harm|source|lab)\.to-be-")


def test_what_new_starts_is_never_overwritten_and_lacks_only_what_its_author_knows() -> None:
    for kind in sampled(KINDS):
        name = _started(kind)
        ran = medsafe("new", kind, name, "--in", "site")
        assert ran.code == 0, ran.err
        path = Path(ran.out.strip())
        assert path.is_file()
        assert f"id: {kind}.{name}\n" in path.read_text(encoding="utf-8")
    before = path.read_bytes()
    again = medsafe("new", kind, name, "--in", "site")
    assert (again.code, again.out) == (2, "")
    assert "is already there" in again.err
    assert path.read_bytes() == before
    told = [line for line in _problems(medsafe("lint", "site").out) if "K401" not in line and "hint:" not in line]
    assert [line for line in told if not TO_FILL.search(line)] == []


SHOWN_LINE = re.compile(r" {2,}[0-9]* [|] ")


def _problems(out: str) -> list[str]:
    """What lint has to say but for what a site's words change of ours."""
    return [line for line in out.splitlines() if " changes ours: " not in line and not SHOWN_LINE.match(line)]


def _fill(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for blank, known in FILLED.items():
        text = text.replace(blank, known)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("kind", sampled(KINDS))
def test_what_new_starts_is_without_a_problem_once_it_is_filled_in(kind: str, tmp_path: Path) -> None:
    path = Path(medsafe("new", kind, _started(kind), "--in", "site").out.strip())
    blank = any(word in path.read_text(encoding="utf-8") for word in FILLED)
    assert medsafe("lint", "site").code == (3 if blank else 0)
    _fill(path)
    ran = medsafe("lint", "site")
    assert (ran.code, _problems(ran.out)) == (0, [])
    assert medsafe("check", write(tmp_path / "a.json", CLEAR), "--overlay", "site").code in (0, 4)


def test_a_new_interaction_has_two_medicines_and_names_no_source() -> None:
    path = Path(medsafe("new", "interaction", "started-here", "--in", "site").out.strip())
    text = path.read_text(encoding="utf-8")
    assert ("as: affected" in text, "as: other" in text, "avoid_together: [affected, other]" in text) == (True, True, True)
    assert re.findall(r"source\.[a-z-]+", text) == ["source.to-be-read"]


def test_a_pair_is_a_row_in_the_file_of_the_affected_medicine_and_stands_there_once(tmp_path: Path) -> None:
    root = copy_of_base(tmp_path)
    first = medsafe("new", "interaction", "metformin", "--with", "ibuprofen", "--in", root)
    path = root / "rules/interactions/metformin.yaml"
    assert (first.code, first.out.strip()) == (0, str(path))
    assert medsafe("new", "interaction", "metformin", "--with", "nsaids", "--in", root).code == 0
    before = path.read_bytes()
    again = medsafe("new", "interaction", "metformin", "--with", "nsaids", "--in", root)
    assert (again.code, path.read_bytes()) == (2, before)
    assert "R005 `interaction.metformin.nsaids` is already there" in again.err
    _fill(path)
    assert (medsafe("lint", root).code, medsafe("show", "interaction.metformin.nsaids").code) == (0, 2)
    compiled = compiled_over(root)
    assert [e.id for e in compiled.library.entries if e.id.startswith("interaction.metformin.")] == [
        "interaction.metformin.ibuprofen",
        "interaction.metformin.nsaids",
    ]
    strange = medsafe("new", "interaction", "metformin", "--with", "ibuprofn", "--in", root)
    assert (strange.code, "did you mean `drug.ibuprofen`?" in strange.err) == (2, True)
    assert medsafe("new", "drug", "ponesimod", "--with", "ibuprofen", "--in", root).code == 2


def test_new_adds_no_row_where_pairs_are_not_the_end_of_the_file(tmp_path: Path) -> None:
    root = copy_of_base(tmp_path)
    path = write(root / "rules/interactions/metformin.yaml", "id: interaction.metformin\ntitle: a card\n")
    before = path.read_bytes()
    ran = medsafe("new", "interaction", "metformin", "--with", "ibuprofen", "--in", root)
    assert (ran.code, "R007" in ran.err, path.read_bytes()) == (2, True, before)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("interaction", "warfarin-nsaid"),
        ("drug", "warfarin"),
        ("contraindication", "kidney"),
        ("class", "weak-cyp2c9-inhibitors"),
    ],
)
def test_new_refuses_a_name_that_the_base_uses(kind: str, name: str, tmp_path: Path) -> None:
    ran = medsafe("new", kind, name, "--in", "site")
    assert (ran.code, ran.out) == (2, "")
    assert f"R005 `{kind}.{name}` is already there" in ran.err
    assert not (tmp_path / "site").exists()


def test_new_refuses_a_name_that_an_overlay_uses(tmp_path: Path) -> None:
    medsafe("new", "drug", "ponesimod", "--in", "other")
    ran = medsafe("new", "drug", "ponesimod", "--in", "site", "--overlay", "other")
    assert (ran.code, "R005" in ran.err, (tmp_path / "site").exists()) == (2, True, False)


def test_new_writes_nothing_into_an_installed_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "safety"
    knowledge = package / "_knowledge"
    shutil.copytree(BASE, knowledge)
    (package / "__init__.py").touch()
    for module in ("author", "lint"):
        monkeypatch.setattr(f"safety.cli.{module}.base_folder", lambda: knowledge)
    ran = medsafe("new", "drug", "ponesimod")
    assert (ran.code, ran.out) == (2, "")
    assert "--in my-site/" in ran.err
    assert not (knowledge / "kb/drugs/ponesimod.yaml").exists()


@pytest.mark.parametrize("name", ["", "Two Words", "UPPER", "../escape", "a/b", "a\\b", "a b", "ä\n", ".", "..", ".hidden", "x."])
def test_new_refuses_a_name_that_is_no_id(name: str, tmp_path: Path) -> None:
    ran = medsafe("new", "drug", "--in", "site", "--", name)
    assert (ran.code, ran.out) == (2, "")
    assert not (tmp_path / "site").exists()


def test_a_question_that_is_not_asked_gets_no_table(tmp_path: Path) -> None:
    ran = medsafe("new", "spoken", "started-here", "--in", "site")
    assert (ran.code, ran.out) == (2, "")
    assert "forgotten skipped" in ran.err
    assert not (tmp_path / "site").exists()


def test_lint_finds_nothing_in_the_base_and_says_how_much_it_read() -> None:
    ran = medsafe("lint")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.strip() == "5 rules, 6 drugs, 3 classes, 2 conditions: no problems"


def test_lint_tells_place_code_message_and_hint_as_text_and_as_json(tmp_path: Path) -> None:
    root = copy_of_base(tmp_path)
    changed(root, "rules/interactions/warfarin-nsaid.yaml", "severity: major", "severity: majr")
    ran = medsafe("lint", root)
    assert ran.code == 3
    assert ran.out.startswith("rules/interactions/warfarin-nsaid.yaml:5:11: K103 `majr` is not one of")
    (row,) = medsafe("lint", root, "--json").rows
    assert {k: row[k] for k in ("file", "line", "column", "code", "hint")} == {
        "file": "rules/interactions/warfarin-nsaid.yaml", "line": 5, "column": 11, "code": "K103",
         "hint": "did you mean `major`?",
    }  # fmt: skip


def test_lint_of_one_file_tells_its_slips_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = copy_of_base(tmp_path)
    for module in ("safety.engine", "safety.cli.author", "safety.cli.lint", "safety.knowledge.collecting"):
        monkeypatch.setattr(f"{module}.base_folder", lambda: root)
    changed(root, "rules/interactions/warfarin-nsaid.yaml", "severity: major", "severity: majr")
    changed(root, "kb/otc/acetaminophen.yaml", "severity: major", "severity: majr")
    ran = medsafe("lint", root / "kb/otc/acetaminophen.yaml")
    assert ran.code == 3
    assert [line.split(":")[0] for line in ran.out.splitlines() if "K1" in line] == ["kb/otc/acetaminophen.yaml"]
    assert "1 more elsewhere" in ran.err
    assert medsafe("lint", root / "kb/labs").code == 0
    assert medsafe("lint", root / "rules").code == 3


def test_lint_and_test_of_what_is_not_there_are_exit_2(tmp_path: Path) -> None:
    for args in (("lint", "nowhere"), ("test", "interaction.nowhere"), ("lint", tmp_path)):
        ran = medsafe(*args)
        assert (ran.code, ran.out) == (2, ""), args


def test_the_cases_of_all_of_a_folder_or_of_one_rule_are_run() -> None:
    assert medsafe("test").out.strip() == "11 passed, 0 failed"
    assert medsafe("test", BASE / "kb").out.strip() == "2 passed, 0 failed"
    assert medsafe("test", BASE / "rules/contraindications/kidney.yaml").out.strip() == "4 passed, 0 failed"
    assert medsafe("test", "contraindication.kidney").out.strip() == "4 passed, 0 failed"
    assert medsafe("test", "contraindication.kidney.nsaids").out.strip() == "2 passed, 0 failed"


def test_a_case_that_fails_is_told_with_its_place_and_what_came_instead(tmp_path: Path) -> None:
    root = copy_of_base(tmp_path)
    changed(root, "kb/otc/acetaminophen.yaml", "expect: satisfied", "expect: not_applicable")
    ran = medsafe("test", root)
    assert ran.code == 1
    assert (
        "kb/otc/acetaminophen.yaml:20:5: FAILED otc.acetaminophen: 4000 mg in a day is kept\n"
        "  expected not_applicable, got satisfied" in ran.out
    )
    rows = medsafe("test", root, "--json").rows
    assert [r["case"] for r in rows if not r["passed"]] == ["4000 mg in a day is kept"]
    assert len(rows) == 11


def test_the_cases_of_broken_knowledge_are_not_run(tmp_path: Path) -> None:
    root = copy_of_base(tmp_path)
    changed(root, "kb/otc/acetaminophen.yaml", "severity: major", "severity: majr")
    ran = medsafe("test", root)
    assert (ran.code, ran.out) == (3, "")
    assert "K103" in ran.err
    assert "1 problem in the knowledge" in ran.err


def test_an_overlay_is_linted_and_tested_on_top_of_ours(tmp_path: Path) -> None:
    text = (BASE / "rules/interactions/warfarin-nsaid.yaml").read_text(encoding="utf-8")
    louder = text.replace("warfarin-nsaid", "of-the-site").replace("severity: major", "severity: contraindicated")
    lay(tmp_path / "site", "rules/interactions/of-the-site.yaml", louder)
    assert medsafe("lint", "site").code == 0
    assert medsafe("test", "site").out.strip() == "2 passed, 0 failed"
    assert medsafe("test", "interaction.of-the-site", "--overlay", "site").out.strip() == "2 passed, 0 failed"
    assert medsafe("test", "--overlay", "site").out.strip() == "13 passed, 0 failed"


def test_the_file_that_build_writes_is_the_library_and_can_be_asked_in_duckdb(tmp_path: Path) -> None:
    ran = medsafe("build", "--out", tmp_path / "k.duckdb")
    library = compiled_over(BASE).library
    assert (ran.code, ran.out) == (0, "")
    assert library.sha256 in ran.err
    with duckdb.connect(str(tmp_path / "k.duckdb"), read_only=True) as connection:
        assert connection.execute("select count(*) from entries").fetchone() == (5,)
    assert [p.name for p in tmp_path.iterdir()] == ["k.duckdb"]


@pytest.mark.parametrize("out", [".", "nowhere/k.duckdb", "file/k.duckdb", ""])
def test_build_to_what_is_no_place_for_a_file_is_exit_2(out: str, tmp_path: Path) -> None:
    write(tmp_path / "file", "x")
    ran = medsafe("build", "--out", out)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


# ------------------------------------------------------------------ the knowledge of this checkout


def test_the_example_of_the_readme_runs_on_the_knowledge_of_this_checkout(tmp_path: Path) -> None:
    program = "from safety.cli.main import main; main()"
    command = [sys.executable, "-c", program, "check", str(REPO / "examples/knee-pain.yaml"), "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False, env=_OURS)
    assert ran.returncode == 1, ran.stderr
    assert "interaction.warfarin-nsaid" in {f["rule"] for f in json.loads(ran.stdout)["findings"]}


def test_every_rule_folder_has_a_kind_that_new_can_start() -> None:
    assert {p for p in RULE_FOLDERS.values() if p} <= set(KINDS)


def test_a_rule_that_speaks_of_several_medicines_is_shown_once_on_its_card(
    engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    takes = [
        "oxycodone 5 mg by mouth every 6 hours",
        "lorazepam 1 mg by mouth twice daily",
        "clonazepam 1 mg by mouth at bedtime",
    ]
    report = engine.check({"patient": {"age": "50 y", "conditions": [], "medications": takes}}, "2026-11-20")
    assert sum(f.rule == "interaction.opioid-benzodiazepine" for f in report.every_finding) == 2
    print_report(report, engine.library, "case.yaml")
    shown = " ".join(capsys.readouterr().out.split())
    assert shown.count("Opioid with a benzodiazepine") == 1
    assert "also the same with clonazepam 1 mg by mouth at bedtime" in shown
