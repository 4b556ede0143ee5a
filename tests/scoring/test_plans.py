"""Plans as a benchmark writes them: JSON Lines, CSV, Parquet; a row that is wrong is told with its line, the rest is read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.engine import Engine
from safety.errors import RequestError
from safety.scoring import score
from safety.scoring.plans import Plan, Unreadable, plan_of, read_plans

DAY = "2026-11-20"
WHOLE: dict[str, Any] = {
    "id": "a", "model": "m", "as_of": DAY, "department": "cardiology", "core": True,
    "patient": {"age": "70 y", "conditions": ["hypertension", "asthma"], "allergies": [{"to": "penicillin", "reaction": "hives"}],
                "medications": ["lisinopril 20 mg daily"]},
    "plan": ["warfarin 5 mg daily", "ibuprofen 400 mg, as needed"], "gold": ["apixaban 5 mg twice daily"],
    "constraints": ["no injections"], "revised": ["apixaban 5 mg twice daily"],
}  # fmt: skip


def rows(file: Path, *by: str) -> list[Plan | Unreadable]:
    return list(read_plans(str(file), by))


def written(folder: Path, name: str, text: str | bytes) -> Path:
    file = folder / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def codes(row: Plan | Unreadable) -> list[str]:
    assert isinstance(row, Unreadable), row
    return [p.code for p in row.problems]


def test_json_lines_are_read_one_a_line_and_a_malformed_one_is_told_with_its_number(tmp_path: Path) -> None:
    good = json.dumps(WHOLE)
    bad = ["{", "[]", '{"plan": []}', '{"patient": {}, "patient": {}}', json.dumps({"patient": {}, "plann": []}), "\udcff"]
    text = "\n".join([good, *bad[:5], "", good]).encode() + b"\n\xff\xfe\n" + good.encode()
    found = rows(written(tmp_path, "plans.jsonl", text))
    assert [row.line for row in found] == [1, 2, 3, 4, 5, 6, 8, 9, 10]
    assert [isinstance(row, Plan) for row in found] == [True, *[False] * 5, True, False, True]
    assert [codes(row) for row in found if isinstance(row, Unreadable)] == [
        ["R004"],
        ["R101"],
        ["R105"],
        ["R005"],
        ["R102"],
        ["R003"],
    ]
    for row in found:
        if isinstance(row, Unreadable):
            assert f":{row.line}" in str(row.problems[0].place)


def test_a_csv_tells_the_same_plan_as_json(tmp_path: Path) -> None:
    text = (
        "id,model,as_of,department,core,patient.age,patient.conditions,patient.allergies,patient.medications,plan,gold,constraints,revised\n"
        f"a,m,{DAY},cardiology,yes,70 y,hypertension; asthma,penicillin: hives,lisinopril 20 mg daily,"
        '"warfarin 5 mg daily; ibuprofen 400 mg, as needed",apixaban 5 mg twice daily,no injections,apixaban 5 mg twice daily\n'
    )
    (read,) = rows(written(tmp_path, "plans.csv", text))
    assert read == plan_of(WHOLE, 2)


def test_a_csv_cell_may_hold_json_and_an_empty_one_is_not_told(tmp_path: Path) -> None:
    text = f'id,as_of,patient,plan,revised,gold\na,{DAY},"{{""age"": 70}}","[{{""drug"": ""warfarin""}}]",,[]\n'
    (read,) = rows(written(tmp_path, "plans.csv", text))
    assert isinstance(read, Plan)
    assert (read.case.plan[0].drug, read.case.revised, read.case.gold) == ("warfarin", None, ())


def test_parquet_tells_the_same_plan_as_json(tmp_path: Path) -> None:
    import duckdb

    source, file = written(tmp_path, "plans.json", json.dumps(WHOLE)), tmp_path / "plans.parquet"
    duckdb.execute(f"copy (select * from read_json('{source}')) to '{file}' (format parquet)")
    (read,) = rows(file)
    assert read == plan_of(WHOLE, 1)


def test_a_column_that_nobody_reads_is_refused_unless_plans_are_grouped_by_it(tmp_path: Path) -> None:
    file = written(tmp_path, "plans.csv", "id,patient.age,plan,hospital\na,70 y,warfarin 5 mg daily,north\n")
    with pytest.raises(RequestError, match="hospital"):
        rows(file)
    (read,) = rows(file, "hospital")
    assert isinstance(read, Plan)
    assert read.tags == {"hospital": "north"}


def test_a_key_that_nobody_reads_is_refused_in_json_too() -> None:
    with pytest.raises(RequestError, match="--by"):
        plan_of({"patient": {}, "hospital": "north"}, 1)
    assert plan_of({"patient": {}, "hospital": "north"}, 1, ["hospital"]).tags == {"hospital": "north"}


def test_a_row_of_too_few_cells_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    found = rows(written(tmp_path, "plans.csv", "id,patient.age,plan\na,70 y\nb,70 y,warfarin 5 mg daily\n"))
    assert codes(found[0]) == ["R215"]
    assert [row.line for row in found] == [2, 3]


@pytest.mark.parametrize(("name", "says"), [("none.jsonl", "no such file"), ("plans.xlsx", "not a file of plans")])
def test_what_is_no_file_of_plans_is_refused(tmp_path: Path, name: str, says: str) -> None:
    with pytest.raises(RequestError, match=says):
        read_plans(str(tmp_path / name))


def test_what_only_calls_itself_parquet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="Parquet"):
        rows(written(tmp_path, "plans.parquet", "no"))


@given(st.lists(st.binary(max_size=40)))
@settings(deadline=None)
def test_nothing_in_a_file_raises_and_every_line_is_answered(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]
) -> None:
    folder = tmp_path_factory.mktemp("plans")
    kept = [line.replace(b"\n", b" ") for line in lines]
    found = rows(written(folder, "plans.jsonl", b"\n".join(kept)))
    assert [row.line for row in found] == [n for n, line in enumerate(kept, 1) if line.strip()]


# ------------------------------------------------------------------ free text


def test_free_text_is_read_into_the_plan_and_what_was_read_is_kept(engine: Engine) -> None:
    plan = {
        "as_of": DAY, "patient_text": "72-year-old woman with asthma. Takes warfarin 5 mg once daily.",
        "plan_text": "Start ibuprofen 400 mg three times daily. Stop warfarin.",
    }  # fmt: skip
    (row,) = score([plan], engine).scored
    assert row.proposed == 1
    said = {m["span"]["text"]: m["context"] for m in row.read["plan_text"]["medications"]}
    assert said == {"ibuprofen": "prescribed", "warfarin": "stopped"}
    assert set(row.read) == {"patient_text", "plan_text"}


def test_a_medicine_that_a_history_only_considers_is_neither_taken_nor_proposed(engine: Engine) -> None:
    case, _ = engine.read_texts(plan_of({"patient": {}}, 1).case, {"patient_text": "We may start warfarin next week."})
    assert case.plan == ()
    assert case.patient.medications == ()
    assert case.reading is not None
    assert [u.what for u in case.reading.unread] == ["warfarin"]


UNREAD = [
    ("Perform resection of the bowel.", []),
    ("Give three cycles of BEP chemotherapy.", ["Give three cycles of BEP chemotherapy"]),
    ("Administer S-1 (40/20 mg).", ["Administer S-1"]),
    ("Start ceftriaxone 2 g daily and IV antibiotics.", ["IV antibiotics"]),
    ("Start ceftriaxone 2 g daily.", []),
    ("Begin physical therapy and drain the abscess.", []),
]


@pytest.mark.parametrize(("text", "unread"), UNREAD)
def test_a_part_of_a_plan_that_may_order_a_medicine_and_of_which_none_was_read_is_told(
    engine: Engine, text: str, unread: list[str]
) -> None:
    (row,) = score([{"as_of": DAY, "patient": {}, "plan_text": text}], engine).scored
    assert row.read.get("unread", []) == unread
    assert (row.state == "open") >= bool(unread)


def test_a_plan_whose_text_was_not_read_is_never_safe_under_strict(engine: Engine) -> None:
    (row,) = score([{"as_of": DAY, "patient": {}, "plan_text": "Give three cycles of BEP chemotherapy."}], engine).scored
    assert (row.proposed, row.counted["PSC"].strict, row.counted["PSC"].report) == (0, 0.0, None)
