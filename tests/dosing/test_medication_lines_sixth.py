"""The medication lines of the sixth blind list, a regression test since it was measured; and the kinds that were mended by it."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from measuring.chart_lines import measure_medications, told_of
from measuring.charts import read_rows

from safety.engine import Engine

ROWS = read_rows(Path(__file__).with_name("medication_lines_sixth.jsonl"))


def test_the_sixth_list_is_read_at_least_as_well_as_when_it_was_mended(engine: Engine) -> None:
    tally = measure_medications(ROWS, engine)
    assert tally.parts["whole"]["right"] >= 213
    assert tally.parts["name"].get("wrong", 0) == 0
    assert tally.wrong_amounts == 0


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("Novolog 70/30 20 units bid ac", "NovoLog Mix 70/30"),
        ("Humalog 75/25 18 u qam", "Humalog Mix 75/25"),
        ("Humalog 50/50 10 units bid", "Humalog Mix 50/50"),
        ("Novolog 5 units tid ac", "insulin aspart"),
        ("oxybut XL 10 qd", "oxybutynin"),
        ("clonid 0.1 bid", "clonidine"),
        ("levetir 500 bid", "levetiracetam"),
        ("lisdex 30 qam", "lisdexamfetamine"),
        ("tacro 3 mg AM/2 mg PM", "tacrolimus"),
        ("Hulio 40 mg eow", "adalimumab"),
        ("sotalol AF 80 mg bid", "sotalol"),
        ("vit K 5 mg po x1", "phytonadione"),
        ("Mag-Ox 400 mg bid", "magnesium oxide"),
    ],
)
def test_a_name_as_charts_write_it_is_that_medicine(engine: Engine, line: str, shown: str) -> None:
    (entry,) = told_of(line, engine)
    assert entry.resolved
    assert (entry.answer.name or "").startswith(shown)


@pytest.mark.parametrize("line", ["vit K2 100 mcg daily", "hydro 25 mg q6h"])
def test_a_name_that_goes_on_in_a_figure_is_asked_about(engine: Engine, line: str) -> None:
    assert not any(entry.resolved for entry in told_of(line, engine))


@pytest.mark.parametrize("typed", ["methylpred", "hydrox", "clonidi", "pred"])
def test_a_name_cut_short_is_never_another_that_is_only_near(engine: Engine, typed: str) -> None:
    name = engine.name(typed).name
    assert name is None or name.lower().startswith(typed[:4])


@pytest.mark.parametrize(
    ("line", "often"),
    [
        ("carafate 1 g QID ac + hs", Fraction(4)),
        ("seroquel 25 mg am + hs", Fraction(2)),
        ("Eylea 2 mg OD q8wk", Fraction(1, 56)),
        ("metoprolol 50 mg OD", Fraction(1)),
        ("prednisone 10 mg x 3 tabs daily", Fraction(1)),
    ],
)
def test_how_often_is_read_whole(engine: Engine, line: str, often: Fraction) -> None:
    (entry,) = told_of(line, engine)
    assert entry.directions.times_per_day == (often, often)
    assert not entry.directions.unread


def test_a_dose_more_at_night_is_asked_about(engine: Engine) -> None:
    (entry,) = told_of("gabapentin 300 mg bid + hs", engine)
    assert entry.directions.unread


@pytest.mark.parametrize(
    ("line", "value", "unit"),
    [
        ("dilaudid 0.5 IV q3h PRN breakthru", "0.5", "mg"),  # nobody counts what goes into a vein
        ("morphine 2 IV q4h prn", "2", "mg"),
        ("haldol 2 IM q6h prn", "2", "mg"),
        ("olaparib 300 bid", "300", "mg"),
        ("Lynparza 300 bid (2x150)", "300", "mg"),
        ("sertraline 150 (100+50) daily", "150", "mg"),
        ("MTX 15 mg (6 x 2.5) po ONCE WEEKLY", "15", "mg"),
        ("KCl 20 mEq x2 doses", "20", "mEq"),
        ("Xtandi 40 x4 caps daily", "4", "capsule"),
    ],
)
def test_a_dose_as_charts_write_it_is_that_much(engine: Engine, line: str, value: str, unit: str) -> None:
    (entry,) = told_of(line, engine)
    assert entry.directions.dose is not None
    assert (entry.directions.dose[1].value, entry.directions.dose[1].unit) == (Decimal(value), unit)
    assert not entry.directions.unread


@pytest.mark.parametrize(
    "line",
    ["cefazolin 2 IV q8h", "ampicillin 2 IV q6h", "methotrexate 0.6 SQ weekly", "B12 1 IM monthly", "ceftriaxone 1 IV daily"],
)
def test_a_number_that_may_be_grams_or_millilitres_is_no_milligram(engine: Engine, line: str) -> None:
    (entry,) = told_of(line, engine)
    assert entry.directions.dose is None or entry.directions.dose[1].unit != "mg"


def test_what_does_not_come_to_the_dose_in_brackets_is_asked_about(engine: Engine) -> None:
    assert told_of("sertraline 150 (100+25) daily", engine)[0].directions.unread


@pytest.mark.parametrize("line", ["metronidazole 500 q8\u00b0", "metronidazole 500 mg q 8\u00b0"])
def test_a_sign_of_degree_behind_q_is_hours(engine: Engine, line: str) -> None:
    assert told_of(line, engine)[0].directions.times_per_day == (Fraction(3), Fraction(3))
