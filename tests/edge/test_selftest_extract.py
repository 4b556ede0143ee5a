"""What `medsafe selftest extract` counts, on a visit made up here; and that it says so where the data are absent."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import REPO
from measuring.extraction import Visit, checked_visits, extract, measure_extraction, visits_in

from safety.engine import Engine

REAL = REPO.parent / "shared" / "data" / "real"


def test_found_invented_and_misread_are_told_apart(engine: Engine) -> None:
    visit = Visit(
        "x/1", "Doctor: what do you take?\nPatient: lisinopril 20 mg once a day. My wife takes warfarin.", "lisinopril, warfarin"
    )
    gold = {"x/1": {"named": [
        {"name": "lisinopril", "is": ["taking"], "dose": "40 mg", "often": "once a day"}, {"name": "warfarin", "is": ["taking"]},
    ]}}  # fmt: skip
    figures = measure_extraction([visit], gold, engine, engine.extractor)
    assert (figures.both.right, figures.both.of) == (2, 2)
    assert (figures.named.right, figures.status.right, figures.dose.right, figures.often.right) == (2, 1, 0, 1)
    assert figures.invented == []


def test_where_the_data_are_absent_that_is_said(tmp_path: Path) -> None:
    done = CliRunner().invoke(extract, ["--data", str(tmp_path)])
    assert "skipped" in done.output


def test_the_sample_holds_sixty_visits_each_of_which_says_what_it_names() -> None:
    visits = checked_visits()
    visits.pop("misspelt")
    assert len(visits) == 60
    assert all(v.get("named") or v.get("none") for v in visits.values())


@pytest.mark.skipif(not (REAL / "aci_bench").is_dir(), reason="ACI-Bench and MTS-Dialog are not part of the project")
def test_on_real_visits_no_medicine_is_invented_and_those_named_are_found(engine: Engine) -> None:
    checked = {**checked_visits(), **checked_visits("later")}
    visits = [v for v in visits_in(REAL) if v.id in checked]
    assert len(visits) == 100
    figures = measure_extraction(visits, checked, engine, engine.extractor)
    assert figures.invented == []
    assert figures.named.right >= 0.98 * figures.named.of
    assert figures.status.right >= 0.95 * figures.status.of
    assert figures.dose.right >= 0.9 * figures.dose.of
