"""One score of many metrics: the paper's Table 2, the laws of a ranking, tables as people write them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.running import medsafe
from conftest import REPO
from hypothesis import assume, given
from hypothesis import strategies as st

from safety.errors import RequestError
from safety.scoring.aggregate import METRICS, Metric, Model, Settings, aggregate, quantile
from safety.scoring.tables import read_metrics

PAPER = REPO.parent / "shared" / "mission" / "papers" / "medconsultbench.txt"
NAMES = [m.name for m in METRICS]
SHIFT = 0.0546  # how far the published column stands above the stated normalization, in every row without clipping
two = [Metric("good", "up", "treatment"), Metric("bad", "down", "treatment")]


def table_2() -> list[tuple[Model, float]]:
    if not PAPER.exists():
        pytest.skip("the paper's text is not beside the checkout")
    found = []
    for line in PAPER.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == len(NAMES) + 2 and cells[-1].replace(".", "").isdigit():
            *values, published = map(float, cells[1:])
            model = Model(cells[0], dict(zip(NAMES, values, strict=True)), reference="Baseline" not in cells[0])
            found.append((model, published))
    assert len(found) == 20
    return found


def test_table_2_ranks_equally_and_scores_equally_up_to_one_shift() -> None:
    rows = table_2()
    published = {model.name: score for model, score in rows}
    made = aggregate([model for model, _ in rows])
    assert [m.name for m in made.models] == sorted(published, key=lambda name: -published[name])
    unclipped = [m for m in made.models if not m.clipped]
    assert len(unclipped) == 18
    for model in unclipped:
        assert model.score + SHIFT == pytest.approx(published[model.name], abs=1e-3)


def test_with_the_center_between_the_seventh_and_the_eighth_all_rows_agree_without_a_shift() -> None:
    rows = table_2()
    made = aggregate([model for model, _ in rows], settings=Settings(centre_rank=7.5))
    for model in made.models:
        assert model.score == pytest.approx({m.name: p for m, p in rows}[model.name], abs=5e-5)


def models(*rows: tuple[float, float], hard: int | None = None) -> list[Model]:
    return [Model(f"m{n}", {"good": good, "bad": bad}, hard) for n, (good, bad) in enumerate(rows)]


numbers = st.floats(-1000, 1000).map(lambda v: round(v, 3))
several = st.lists(st.tuples(numbers, numbers), min_size=1, max_size=12)


@given(rows=several)
def test_a_score_lies_between_0_and_1_and_ranks_run_from_the_best(rows: list[tuple[float, float]]) -> None:
    made = aggregate(models(*rows), two)
    assert all(-1e-9 <= m.score <= 1 + 1e-9 for m in made.models)
    assert [m.score for m in made.models] == sorted((m.score for m in made.models), reverse=True)
    assert made.models[0].rank == 1


@given(rows=several, better=st.floats(0.001, 100))
def test_what_gets_better_never_falls_where_the_reference_stays(rows: list[tuple[float, float]], better: float) -> None:
    asked = Model("asked", {"good": rows[0][0], "bad": rows[0][1]}, reference=False)
    improved = Model("improved", {"good": rows[0][0] + better, "bad": rows[0][1] - better}, reference=False)
    scores = {m.name: m.score for m in aggregate([*models(*rows), asked, improved], two).models}
    assert scores["improved"] >= scores["asked"] - 1e-9


@given(rows=several, factor=st.floats(0.01, 100), shift=numbers)
def test_another_unit_or_zero_changes_nothing(rows: list[tuple[float, float]], factor: float, shift: float) -> None:
    def spread(values: list[float]) -> float:
        return quantile(sorted(values), 0.75) - quantile(sorted(values), 0.25)

    if min(spread([r[0] for r in rows]), spread([r[1] for r in rows])) < 0.1:
        assume(False)  # a spread near nothing is raised to the least spread, which has a unit
    one = aggregate(models(*rows), two)
    other = aggregate(models(*((good * factor + shift, bad * factor + shift) for good, bad in rows)), two)
    assert [m.score for m in other.models] == pytest.approx([m.score for m in one.models], abs=1e-6)


def test_a_hard_violation_caps_the_score_and_no_news_is_not_taken_as_none() -> None:
    rows = [
        Model("safe", {"good": 1, "bad": 1}, 0),
        Model("unsafe", {"good": 9, "bad": 0}, 1),
        Model("mid", {"good": 2, "bad": 1}, 0),
    ]
    made = {m.name: m for m in aggregate(rows, two).models}
    assert made["unsafe"].score == 0.45
    assert made["unsafe"].raw > 0.45
    assert (made["unsafe"].gated, made["safe"].gated) == (True, False)
    assert {m.gated for m in aggregate(models((1, 1), (2, 2)), two).models} == {None}


def test_weights_come_from_the_groups() -> None:
    made = aggregate([Model("a", dict.fromkeys(NAMES, 1.0)), Model("b", dict.fromkeys(NAMES, 2.0))])
    weights = {s.metric: s.weight for s in made.scales}
    assert sum(weights.values()) == pytest.approx(1)
    assert weights["PSC"] == pytest.approx(0.05)
    assert weights["DCSR"] == pytest.approx(0.05)
    assert weights["IGE"] == pytest.approx(0.11)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("", ["R210"]),
        ("model,PSC\n", ["R210"]),
        ("model,Nice\na,1\n", ["R214"]),
        ("model,PSC\na,much\nb,nan\n", ["R216", "R216"]),
        ("model,PSC\na,1\na,2\n", ["R212"]),
        ("model,PSC,PSC\na,1,2\n", ["R212"]),
        ("model,PSC,hard\na,1,0.5\n", ["R216"]),
        ("model,PSC\na\n", ["R215"]),
    ],
)
def test_a_table_that_cannot_be_read_is_told_with_every_place(text: str, codes: list[str]) -> None:
    with pytest.raises(RequestError) as caught:
        read_metrics(text, "t.csv")
    assert [p.code for p in caught.value.problems] == codes


def test_the_command_prints_ranks_and_says_when_the_gate_was_not_applied(tmp_path: Path) -> None:
    table = tmp_path / "metrics.csv"
    table.write_text("model,PSC,DDIV,Cost ↓\nsmall,0.7,0.05,1\nlarge,0.9,0.02,3\n", encoding="utf-8")
    ran = medsafe("aggregate", str(table), "--metric", "Cost=down:follow-up")
    assert ran.code == 0
    assert ran.out.index("large") < ran.out.index("small")
    assert "was not applied" in ran.out
    assert max(len(line) for line in ran.out.splitlines()) <= 80
    told = json.loads(medsafe("aggregate", str(table), "--metric", "Cost=down:follow-up", "--json").out)
    assert [m["rank"] for m in told["models"]] == [1, 2]
    wrong = medsafe("aggregate", str(table), "--outside", "larg", "--metric", "Cost=down:follow-up")
    assert wrong.code == 2
    assert "large" in wrong.err
