"""Plans scored by several processes: the same bytes as by one, in order, each once, also where a process died on the way."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from cli.running import medsafe
from scoring.batch_work import note, start

from safety.engine import Engine
from safety.errors import EngineError, Place, Problem, RequestError
from safety.scoring.batch import AT_ONCE, Batch, decoded, encoded, identity
from safety.scoring.plans import Unreadable, plan_of
from safety.scoring.scorer import Scorer

LINES = 4 * AT_ONCE + 7
MEDICINES = (
    "warfarin 5 mg daily", "ibuprofen 400 mg three times daily", "metformin 500 mg twice daily", "lisinopril 20 mg daily",
    "sertraline 50 mg daily", "clarithromycin 500 mg twice daily", "simvastatin 40 mg at bedtime", "something unheard of",
)  # fmt: skip
CONDITIONS = ("CKD stage 4", "heart failure", "peptic ulcer", "hypertension", "asthma")


def plans(count: int) -> list[dict[str, Any]]:
    chosen = random.Random(11)
    return [
        {
            "id": f"p{n}", "model": chosen.choice("ab"), "as_of": "2026-11-20",
            "patient": {
                "age": f"{chosen.randint(1, 95)} y", "conditions": chosen.sample(CONDITIONS, 2), "allergies": [],
                "medications": chosen.sample(MEDICINES, 2),
            },
            "plan": chosen.sample(MEDICINES, 3),
        }
        for n in range(count)
    ]  # fmt: skip


def rows(count: int = LINES) -> list[Unreadable]:
    return [Unreadable(n, f"p{n}", (Problem(Place("plans", n, 1), "R001", "is one of a test"),)) for n in range(1, count + 1)]


def batch(folder: Path, log: Path, of: str = "one") -> Batch:
    return Batch(folder, of, 2, start, (log,), note)


def noted(log: Path) -> list[int]:
    return [int(line) for line in (log / "noted").read_text().split()]


def test_scores_that_were_kept_are_the_scores_that_were_made(engine: Engine) -> None:
    made = list(Scorer(engine.checker).score([plan_of(plan, n) for n, plan in enumerate(plans(40), 1)]))
    kept = decoded(encoded([*made, *rows(3)]))
    assert [getattr(r, "to_dict", lambda: None)() for r in kept] == [
        getattr(r, "to_dict", lambda: None)() for r in [*made, *rows(3)]
    ]
    assert kept[-3:] == rows(3)
    assert encoded(kept) == encoded([*made, *rows(3)])


def test_scores_come_of_the_verdicts_that_a_reader_is_given(engine: Engine) -> None:
    asked = [plan_of(plan, n) for n, plan in enumerate(plans(120), 1)]
    told = Scorer(engine.checker, check=lambda cases: [engine.check(case, as_of=case.as_of) for case in cases])
    assert list(Scorer(engine.checker).score(asked)) == list(told.score(asked))


def test_every_row_comes_once_and_in_order(tmp_path: Path) -> None:
    run = batch(tmp_path / "out", tmp_path)
    assert list(run.scores(rows())) == rows()
    assert Counter(noted(tmp_path)) == Counter(r.line for r in rows())
    run.finish()
    assert list((tmp_path / "out").iterdir()) == []


def test_after_a_process_died_a_run_goes_on_where_it_was(tmp_path: Path) -> None:
    stop = tmp_path / f"die-at-{3 * AT_ONCE + 1}"
    stop.touch()
    with pytest.raises(EngineError) as stopped:
        list(batch(tmp_path / "out", tmp_path).scores(rows()))
    assert "goes on" in str(stopped.value)
    kept = batch(tmp_path / "out", tmp_path).done
    on_the_disk = sum(len(decoded(part.read_bytes())) for part in (tmp_path / "out").rglob("*.part"))
    before = Counter(noted(tmp_path))
    stop.unlink()
    again = batch(tmp_path / "out", tmp_path)
    assert again.done == kept
    assert list(again.scores(rows())) == rows()
    after = Counter(noted(tmp_path))
    scored_again = sum(count - 1 for count in after.values())
    assert set(after) == {r.line for r in rows()}
    assert scored_again <= sum(before.values()) - on_the_disk  # only what had not reached the disk


def test_parts_of_another_run_are_not_taken_for_ours(tmp_path: Path) -> None:
    list(batch(tmp_path / "out", tmp_path, of="one").scores(rows(AT_ONCE + 1)))
    other = batch(tmp_path / "out", tmp_path, of="other")
    assert other.done == 0
    assert list(other.scores(rows(3))) == rows(3)


def test_a_folder_that_is_no_run_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out" / "parts").mkdir(parents=True)
    mine = tmp_path / "out" / "parts" / "mine.txt"
    mine.write_text("mine")
    with pytest.raises(RequestError):
        batch(tmp_path / "out", tmp_path)
    assert mine.read_text() == "mine"


def test_a_run_is_known_by_its_files_and_its_settings(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_text("one")
    second.write_text("two")
    base = identity([str(first)], day="2026-11-20")
    assert base == identity([str(first)], day="2026-11-20")
    others = {identity([str(second)], day="2026-11-20"), identity([str(first)], day="2026-11-21"),
              identity([str(first), str(second)], day="2026-11-20")}  # fmt: skip
    assert base not in others
    assert len(others) == 3


def test_two_processes_write_the_same_bytes_as_one(tmp_path: Path) -> None:
    file = tmp_path / "plans.jsonl"
    lines = [json.dumps(plan) for plan in plans(AT_ONCE + 60)]
    lines[17] = '{"plan": ["warfarin'
    file.write_text("\n".join(lines) + "\n")
    for workers in ("1", "2"):
        ran = medsafe("score", str(file), "--out", str(tmp_path / workers), "--workers", workers, "--by", "age")
        assert ran.code == 4, ran.err
    names = sorted(p.name for p in (tmp_path / "1").iterdir())
    assert names == sorted(p.name for p in (tmp_path / "2").iterdir())
    for name in names:
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes(), name
    assert json.loads((tmp_path / "1" / "unreadable.jsonl").read_text())["line"] == 18
