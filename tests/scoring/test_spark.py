"""Plans scored on a Spark cluster of two workers: the scores of one process, however the plans are divided."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from conftest import thorough
from scoring.test_batch import plans

from safety.engine import Engine
from safety.errors import RequestError
from safety.scoring.bench import Settings
from safety.scoring.plans import read_plans
from safety.scoring.saving import Wanted, save_scores
from safety.scoring.scorer import Scorer

sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed: medsafe[spark]")
if shutil.which("java") is None:
    pytest.skip("Spark wants Java 17", allow_module_level=True)

DAY = date(2026, 11, 20)


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    made = (
        sql.SparkSession.builder.master("local-cluster[2,1,1024]").appName("medsafe")
        .config("spark.ui.enabled", "false").config("spark.executorEnv.PYTHONPATH", os.pathsep.join(sys.path))
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "8").getOrCreate()
    )  # fmt: skip
    yield made
    made.stop()


@pytest.fixture(scope="module")
def lines() -> list[str]:
    told = [json.dumps(plan) for plan in plans(40)]
    told[15] = '{"plan": ["warfarin'
    told[33] = '{"patient": {"age": "30 y"}, "plann": []}'
    return told


def saved(folder: Path, engine: Engine, file: Path, scores: Any = None) -> dict[str, bytes]:
    scorer = Scorer(engine.checker, Settings(as_of=DAY), tell=engine.read_texts)
    save_scores(read_plans(str(file), ("age",)), scorer, folder, Wanted(by=("age",)), scores=scores)
    return {p.name: p.read_bytes() for p in folder.iterdir()}


def test_the_results_are_those_of_one_process_to_the_byte(spark: Any, engine: Engine, lines: list[str], tmp_path: Path) -> None:
    from safety.serving.spark import results, score_frame

    file = tmp_path / "plans.jsonl"
    file.write_text("\n".join(lines) + "\n")
    alone = saved(tmp_path / "alone", engine, file)
    frame = spark.createDataFrame(list(enumerate(lines, 1)), "line bigint, plan string")
    for parts in (2, *thorough([1])):
        scored = score_frame(frame.repartition(parts), as_of=DAY, by=("age",), named=str(file))
        together = saved(tmp_path / f"parts-{parts}", engine, file, lambda _, scored=scored: results(scored))
        assert sorted(name for name in alone if alone[name] != together[name]) == []
        assert [json.loads(one)["line"] for one in together["unreadable.jsonl"].splitlines()] == [16, 34]


def test_a_frame_of_scores_can_be_asked_by_its_columns(spark: Any, engine: Engine, lines: list[str]) -> None:
    from safety.serving.spark import score_frame

    frame = spark.createDataFrame(list(enumerate(lines[:20], 1)), "line bigint, plan string")
    rows = score_frame(frame, as_of=DAY).orderBy("line").collect()
    assert [row["line"] for row in rows] == list(range(1, 21))
    assert [row["line"] for row in rows if row["error"]] == [16]
    for row in rows:
        if row["score"]:
            whole = json.loads(row["score"])
            assert whole["hard_violations_count"] == row["hard_violations_count"]
            assert row["PSC"]["lenient"] == whole["metrics"]["PSC"]["lenient"]


def test_a_frame_without_plans_is_refused(spark: Any) -> None:
    from safety.serving.spark import score_frame

    with pytest.raises(RequestError, match="plan"):
        score_frame(spark.createDataFrame([(1, "x")], "line bigint, text string"))
