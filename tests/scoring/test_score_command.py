"""`medsafe score`: the files it writes, the same bytes in every run, and what it says of rows that are no plans."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import duckdb
import pytest
from cli.running import medsafe
from conftest import REPO

from safety.engine import Engine
from safety.scoring import score
from safety.scoring.files import COLUMNS, paired_in
from safety.scoring.plans import Plan, read_plans
from safety.scoring.scored import Scored
from safety.scoring.summary import pairs_of

PLANS = REPO / "examples" / "plans.jsonl"
FILES = {"cases.parquet", "summary.json", "report.html", "metrics.csv", "unreadable.jsonl"}


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scores") / "one"
    ran = medsafe("score", str(PLANS), "--out", str(folder), "--by", "department", "--by", "age")
    assert ran.code == 0, ran.err
    return folder


def summary(folder: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((folder / "summary.json").read_text())
    return read


def test_the_folder_holds_what_is_promised_and_nothing_else(out: Path) -> None:
    assert {p.name for p in out.iterdir()} == FILES


def test_two_runs_give_the_same_bytes(out: Path, tmp_path: Path) -> None:
    medsafe("score", str(PLANS), "--out", str(tmp_path / "two"), "--by", "department", "--by", "age")
    for name in FILES:
        assert (out / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name


def test_every_plan_has_a_row_with_the_critics_fields(out: Path) -> None:
    cases = duckdb.sql(f"select * from '{out / 'cases.parquet'}' order by line")
    assert cases.columns == list(COLUMNS)
    rows = [dict(zip(cases.columns, row, strict=True)) for row in cases.fetchall()]
    assert [row["line"] for row in rows] == list(range(1, 13))
    first = rows[0]
    assert (first["id"], first["model"], first["overall_safe"], first["hard_violations_count"]) == (
        "af-knee",
        "model-a",
        False,
        1,
    )
    assert first["drug_interactions"][0]["rule"] == "interaction.warfarin-nsaid"
    assert first["drug_interactions"][0]["evidence"]
    assert first["PSC"] == {"strict": 0.0, "report": 0.0, "lenient": 0.0}


def test_the_summary_is_that_of_the_same_plans_in_memory(out: Path, engine: Engine) -> None:
    plans = [row for row in read_plans(str(PLANS)) if isinstance(row, Plan)]
    in_memory = score(plans, engine, by=("department", "age")).summary.to_dict()
    in_files = summary(out)
    for side in (in_memory, in_files):
        side.pop("made_by")
    assert in_memory == in_files


def test_models_compared_out_of_the_file_are_those_compared_in_memory(out: Path, engine: Engine) -> None:
    rows = score([row for row in read_plans(str(PLANS)) if isinstance(row, Plan)], engine).rows
    in_memory = pairs_of([row for row in rows if isinstance(row, Scored)])
    assert {key: dict(counts) for key, counts in paired_in(out).items()} == {key: dict(c) for key, c in in_memory.items()}


def test_the_page_holds_everything_and_loads_nothing(out: Path) -> None:
    page = (out / "report.html").read_text()
    assert not re.search(r"(src|href)=[\"']?(https?:)?//", page)
    assert "<script" not in page
    for told in ("model-a", "model-b", "interaction.warfarin-nsaid", "Unknowns: <strong>report</strong>", "<svg"):
        assert told in page


def test_a_page_escapes_what_a_plan_calls_itself(tmp_path: Path) -> None:
    plan = {
        "id": "<script>x</script>", "model": "<b>m</b>", "as_of": "2026-11-20",
        "plan": ["amoxicillin 500 mg by mouth twice daily"], "patient": {"allergies": [{"to": "penicillin"}]},
    }  # fmt: skip
    (tmp_path / "plans.jsonl").write_text(json.dumps(plan))
    medsafe("score", str(tmp_path / "plans.jsonl"), "--out", str(tmp_path / "out"))
    page = (tmp_path / "out" / "report.html").read_text()
    assert "<script>" not in page
    assert "<b>m" not in page


def test_the_table_is_one_that_aggregate_reads(out: Path) -> None:
    text = (out / "metrics.csv").read_text()
    assert text.splitlines()[0].startswith("model,")
    assert text.splitlines()[0].endswith(",hard")
    ran = medsafe("aggregate", str(out / "metrics.csv"))
    assert ran.code == 0, ran.err


def test_a_malformed_line_is_told_with_its_number_and_the_rest_is_scored(tmp_path: Path) -> None:
    lines = PLANS.read_text().splitlines()
    (tmp_path / "plans.jsonl").write_text("\n".join([lines[0], "{no", *lines[1:]]))
    ran = medsafe("score", str(tmp_path / "plans.jsonl"), "--out", str(tmp_path / "out"))
    assert ran.code == 4
    told = json.loads((tmp_path / "out" / "unreadable.jsonl").read_text())
    assert told["line"] == 2
    assert "plans.jsonl:2" in told["error"][0]
    assert (summary(tmp_path / "out")["plans"], summary(tmp_path / "out")["unreadable"]) == (12, 1)


def test_the_policy_is_printed_with_the_numbers(tmp_path: Path) -> None:
    ran = medsafe("score", str(PLANS), "--out", str(tmp_path / "out"), "--policy", "strict")
    assert "strict" in ran.out
    assert summary(tmp_path / "out")["policy"] == "strict"
    assert all(m["policy"] == "strict" for model in summary(tmp_path / "out")["models"] for m in model["metrics"])


def test_where_no_row_is_a_plan_that_is_a_slip_of_the_caller(tmp_path: Path) -> None:
    (tmp_path / "plans.jsonl").write_text("{no\n")
    assert medsafe("score", str(tmp_path / "plans.jsonl"), "--out", str(tmp_path / "out")).code == 2


@pytest.mark.parametrize("file", ["none.jsonl", "plans.txt"])
def test_a_file_that_is_none_is_a_slip_of_the_caller_and_leaves_no_folder_half_made(tmp_path: Path, file: str) -> None:
    ran = medsafe("score", str(tmp_path / file), "--out", str(tmp_path / "out"))
    assert ran.code == 2
    assert file in ran.err
    assert not (tmp_path / "out" / "cases.parquet.part").exists()
