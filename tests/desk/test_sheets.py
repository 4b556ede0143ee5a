"""A spreadsheet of rules, changed and taken back: only what was changed changes, and what somebody else changed stays."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from broken.laying import changed, copy_of_base
from cli.running import medsafe
from hypothesis import given
from hypothesis import strategies as st

from safety.desk.sheets import EDITED, Edit, edited
from safety.errors import Place

RULE = "rules/interactions/warfarin-nsaid.yaml"
USERS = ("safety.engine", "safety.cli.author", "safety.cli.lint", "safety.cli.sheet", "safety.knowledge.collecting")
Change = Callable[[dict[str, str]], None]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = copy_of_base(tmp_path)
    for module in USERS:
        monkeypatch.setattr(f"{module}.base_folder", lambda: folder)
    monkeypatch.setenv("MEDSAFE_CACHE", str(tmp_path / "cache"))
    return folder


def sheet(folder: Path, change: Change) -> Path:
    """The list of rules as CSV, with one rule changed."""
    rows = list(csv.DictReader(io.StringIO(medsafe("list", "rules", "--format", "csv").out)))
    change(next(row for row in rows if row["id"] == "interaction.warfarin-nsaid"))
    path = folder.parent / "rules.csv"
    with path.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.DictWriter(handle, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_a_sheet_in_which_nothing_was_changed_changes_nothing(root: Path) -> None:
    before = {p: p.read_bytes() for p in root.rglob("*.yaml")}
    ran = medsafe("import", sheet(root, lambda row: None), "--write")
    assert (ran.code, ran.out) == (0, "")
    assert before == {p: p.read_bytes() for p in root.rglob("*.yaml")}


def test_a_changed_cell_is_one_changed_value_and_comments_stay(root: Path) -> None:
    changed(root, RULE, "severity: major", "severity: major   # why so loud")
    before = (root / RULE).read_text(encoding="utf-8")
    path = sheet(root, lambda row: row.update(severity="moderate", due="2028-01-31"))
    shown = medsafe("import", path)
    assert (root / RULE).read_text(encoding="utf-8") == before
    assert "+severity: moderate   # why so loud" in shown.out.splitlines()
    assert medsafe("import", path, "--write").code == 0
    after = (root / RULE).read_text(encoding="utf-8")
    assert after == before.replace("severity: major ", "severity: moderate ").replace("due: 2027-11-20", "due: 2028-01-31")
    assert [(r["column"], r["was"], r["now"]) for r in medsafe("import", path, "--json").rows] == []


def test_json_tells_each_change_and_writes_none(root: Path) -> None:
    (row,) = medsafe("import", sheet(root, lambda row: row.update(severity="minor")), "--json").rows
    assert (row["id"], row["column"], row["was"], row["now"]) == ("interaction.warfarin-nsaid", "severity", "major", "minor")
    assert row["place"].startswith(f"{RULE}:")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda row: row.update(severity="loud"), "R124"),
        (lambda row: row.update(advice=""), "R124"),
        (lambda row: row.update(id="interaction.warfarin-nsad"), "R301"),
        (lambda row: row.update(severity="minor", was="0" * 12), "R123"),
    ],
)
def test_a_line_that_cannot_be_taken_is_told_and_nothing_is_written(root: Path, change: Change, code: str) -> None:
    before = (root / RULE).read_bytes()
    ran = medsafe("import", sheet(root, change), "--write")
    assert ran.code == 2
    assert f": {code} " in ran.err
    assert (root / RULE).read_bytes() == before


def test_a_rule_that_changed_since_is_left_alone(root: Path) -> None:
    path = sheet(root, lambda row: row.update(severity="minor"))
    changed(root, RULE, "severity: major", "severity: contraindicated")
    ran = medsafe("import", path, "--write")
    assert ran.code == 2
    assert "changed since the sheet was written" in ran.err
    assert "severity: contraindicated" in (root / RULE).read_text(encoding="utf-8")


def test_a_workbook_is_taken_as_a_table_of_text_is(root: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed: medsafe[desk]")
    path = root.parent / "rules.xlsx"
    medsafe("list", "rules", "--format", "xlsx", "--out", path)
    book = openpyxl.load_workbook(path)
    head, *lines = list(book.active.iter_rows())
    at = {cell.value: n for n, cell in enumerate(head)}
    line = next(cells for cells in lines if cells[at["id"]].value == "interaction.warfarin-nsaid")
    line[at["severity"]].value = "minor"
    book.save(path)
    assert [(r["column"], r["now"]) for r in medsafe("import", path, "--json").rows] == [("severity", "minor")]


def test_a_table_of_something_else_is_refused(root: Path, tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("name,epc\nx,y\n")
    assert "R212" in medsafe("import", tmp_path / "other.csv").err


VALUES = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Z", "S")), min_size=1).filter(lambda t: t.strip() == t)


@given(
    VALUES, st.sampled_from(("severity: old  # c\n", "severity: 'old'  # c\n", 'severity: "old"  # c\n', "{severity: old} # c\n"))
)
def test_whatever_is_written_is_read_as_it_was_and_the_comment_stays(now: str, line: str) -> None:
    column = line.index("old") + 1 - (line[line.index("old") - 1] in "'\"")
    after = edited(f"# above\n{line}", [Edit("x", "severity", Place("f", 2, column), "old", now)])
    assert str(yaml.load(after, Loader=yaml.BaseLoader)["severity"]) == now
    assert after.startswith("# above\n")
    assert after.rstrip("\n").endswith("# c")


def test_every_column_that_may_be_changed_is_listed(root: Path) -> None:
    rows = csv.DictReader(io.StringIO(medsafe("list", "rules", "--format", "csv").out))
    assert set(EDITED) <= set(rows.fieldnames or ())
