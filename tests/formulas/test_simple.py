"""Formulas of one expression, and scores: values worked out by hand from the papers' formulas, refusals, laws."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safety.engine import Engine
from safety.formulas.answers import Answer

PARTS: dict[str, Any] = {"sodium": "140 mmol/L", "glucose": "90 mg/dL", "bun": "14 mg/dL"}
BY_HAND: list[tuple[str, dict[str, Any], str]] = [
    ("free-water-deficit", {"weight": "70 kg", "water_share": "0.6", "sodium": "154 mmol/L"}, "4.2 L"),
    ("sodium-change", {"weight": "70 kg", "water_share": "0.5", "sodium": "117", "infused": "513"}, "11 mmol/L"),
    ("sodium-deficit", {"weight": "60 kg", "water_share": "0.5", "sodium": "110", "target": "120"}, "300 mmol"),
    ("winters", {"bicarbonate": "10 mmol/L"}, "23 mmHg"),
    ("delta-gap", {"gap": "22 mmol/L", "bicarbonate": "14 mmol/L"}, "0 mmol/L"),
    ("osmolal-gap", {"osmolality": "320", **PARTS}, "30 mmol/kg"),
    ("urine-anion-gap", {"na": "20 mmol/L", "k": "10 mmol/L", "cl": "80 mmol/L"}, "-50 mmol/L"),
    ("a-a-gradient", {"fio2": "21 %", "pco2": "40 mmHg", "po2": "60 mmHg"}, "40 mmHg"),
    ("pf-ratio", {"po2": "60 mmHg", "fio2": "60 %"}, "100 mmHg"),
    ("half-life", {"first_level": "20 mg/L", "second_level": "10 mg/L", "hours_between": "6 h"}, "6 h"),
    ("infusion-rate", {"dose_rate": "10", "weight": "80 kg", "strength": "3.2 mg/mL"}, "15 mL/h"),
    ("drip-rate", {"volume": "500 mL", "hours": "4 h", "drops_per_ml": "15"}, "31 drops/min"),
    ("dose-by-auc", {"auc": "6", "gfr": "150 mL/min"}, "900 mg"),
    ("crcl-measured", {"uc": "96 mg/dL", "uv": "1500 mL", "h": "24 h", "c": "1 mg/dL"}, "100 mL/min"),
    ("maddrey", {"prothrombin_time": "18 s", "control_time": "12 s", "bilirubin": "8 mg/dL"}, "36"),
    ("apri", {"ast": "120 unit/L", "upper_limit": "40 unit/L", "platelets": "100 10*9/L"}, "3"),
    ("r-factor", {"alt": "800 unit/L", "upper_limit": "40 unit/L", "alp": "240 unit/L", "alp_upper_limit": "120 unit/L"}, "10"),
    ("non-hdl", {"cholesterol": "200 mg/dL", "hdl": "40 mg/dL"}, "160 mg/dL"),
    ("eag", {"a1c": "6 %"}, "126 mg/dL"),
    ("homa-ir", {"glucose": "81 mg/dL", "fasting_level": "10"}, "2"),
    ("anc", {"wbc": "1200 /uL", "neutrophils": "30 %", "bands": "5 %"}, "0.42 10*9/L"),
    ("reticulocytes-corrected", {"reticulocytes": "9 %", "hematocrit": "20 %"}, "4 %"),
    ("tsat", {"serum_level": "50 ug/dL", "binding_capacity": "250 ug/dL"}, "20 %"),
    ("ganzoni", {"weight": "50 kg", "hemoglobin": "10 g/dL", "target_hemoglobin": "15 g/dL"}, "1100 mg"),
    ("predicted-weight", {"height": "152.4 cm", "sex": "male"}, "50 kg"),
    ("mifflin", {"age": "30 y", "weight": "60 kg", "height": "160 cm", "sex": "female"}, "1289 kcal/d"),
    ("parkland", {"weight": "80 kg", "burned": "25 %"}, "8000 mL"),
    ("pack-years", {"packs_a_day": "0.5", "years": "30"}, "15 pack-years"),
    ("standard-drinks", {"volume": "355 mL", "alcohol_by_volume": "5 %"}, "1 drinks"),
    ("shock-index", {"heart_rate": "120 /min", "systolic": "80 mmHg"}, "1.5"),
]
SHORT = {"infused": "infused_sodium_and_potassium", "target": "target_sodium", "na": "urine_sodium",
         "k": "urine_potassium",
         "cl": "urine_chloride",
         "uc": "urine_creatinine", "uv": "urine_volume", "h": "hours_collected", "c": "creatinine"}  # fmt: skip
NOT_BELIEVABLE: list[tuple[str, dict[str, Any]]] = [
    ("half-life", {"first_level": "10 mg/L", "second_level": "10 mg/L", "hours_between": "6 h"}),
    ("non-hdl", {"cholesterol": "50 mg/dL", "hdl": "60 mg/dL"}),
    ("ganzoni", {"weight": "50 kg", "hemoglobin": "16 g/dL", "target_hemoglobin": "15 g/dL"}),
    ("anc", {"wbc": "4 10*9/L", "neutrophils": "90 %", "bands": "20 %"}),
    ("ttkg", {"urine_potassium": "30 mmol/L", "potassium": "3 mmol/L", "urine_osmolality": "200", "osmolality": "290"}),
]


@pytest.mark.parametrize(("name", "told", "shown"), BY_HAND, ids=[name for name, _, _ in BY_HAND])
def test_a_formula_comes_out_as_by_hand(engine: Engine, name: str, told: dict[str, Any], shown: str) -> None:
    assert engine.calc(name, **{SHORT.get(key, key): _with_unit(name, key, value) for key, value in told.items()}).shown == shown


def _with_unit(name: str, key: str, value: str) -> str:
    bare_sodium = name.startswith("sodium-") and key in ("sodium", "infused", "target")
    return f"{value} mmol/L" if bare_sodium and " " not in value else value


@pytest.mark.parametrize(("name", "told"), NOT_BELIEVABLE, ids=[name for name, _ in NOT_BELIEVABLE])
def test_inputs_that_cannot_be_together_are_refused(engine: Engine, name: str, told: dict[str, Any]) -> None:
    answer = engine.calc(name, **told)
    assert answer.value is None
    assert answer.refused


def test_a_score_of_which_a_line_is_not_told_lies_between_two_sums(engine: Engine) -> None:
    answer = engine.calc("curb-65", confusion="yes", age=70)
    assert answer.value is None
    assert (answer.low, answer.high) == (Decimal(2), Decimal(5))
    assert set(answer.missing) == {"bun", "respiratory-rate", "low-blood-pressure"}


def test_a_score_takes_the_units_of_the_test(engine: Engine) -> None:
    def bun(text: str) -> Decimal | None:
        told = engine.calc("curb-65", confusion="no", bun=text, respiratory_rate="16 /min", low_blood_pressure="no", age=40)
        return told.value

    assert (bun("19 mg/dL"), bun("20 mg/dL"), bun("7 mmol/L"), bun("7.1 mmol/L")) == (0, 1, 0, 1)
    assert bun("7000 mg/dL") is None


@given(data=st.data())
def test_a_line_that_is_told_never_leaves_the_sums_it_could_have_had(engine: Engine, data: st.DataObject) -> None:
    """Of any score, telling one line more narrows the ends, and the whole lies between them."""
    score = data.draw(st.sampled_from(list(engine.library.scores)))
    told = {line.key: (data.draw(st.sampled_from(sorted(line.words))) if line.words else line.example) for line in score.lines}
    name = score.formula.id

    def ends(keys: list[str]) -> tuple[Decimal, Decimal]:
        answer = engine.calc(name, **{key: told[key] for key in keys})
        value = answer.value
        low, high = (value, value) if value is not None else (answer.low, answer.high)
        assert low is not None
        assert high is not None
        return low, high

    keys = data.draw(st.permutations(list(told)))
    before = ends([])
    for n in range(1, len(keys) + 1):
        after = ends(keys[:n])
        assert before[0] <= after[0] <= after[1] <= before[1]
        before = after
    assert before[0] == before[1]


def test_every_score_says_something_of_every_sum_or_of_none(engine: Engine) -> None:
    for score in engine.library.scores:
        low = sum(line.ends()[0] for line in score.lines)
        high = sum(line.ends()[1] for line in score.lines)
        steps = int((high - low) * 2) + 1
        said = [bool(score.meaning(low + Decimal(n) / 2)) for n in range(steps)]
        assert all(said) or not any(said), score.id


def test_an_answer_of_a_formula_is_plain_values(engine: Engine) -> None:
    told = engine.calc("winters", bicarbonate="10 mmol/L").to_dict()
    assert (told["value"], told["exact"], told["unit"]) == ("23 mmHg", "23", "mmHg")
    assert isinstance(engine.calc("winters"), Answer)
