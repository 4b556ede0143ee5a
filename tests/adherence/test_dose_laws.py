"""Laws that hold for every prescription and statement: never calmer for more of it, nor for knowing less."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from conftest import examples
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from safety.engine import Engine
from safety.model.report import DoseAnswer
from safety.reading.directions.sig import read_sig

DAY = "2026-11-20"
law = settings(
    deadline=None, max_examples=examples(80), suppress_health_check=list(HealthCheck), phases=set(Phase) - {Phase.explain}
)

DRUGS = st.sampled_from(["lisinopril", "furosemide", "metformin", "sertraline", "warfarin", "gabapentin"])
MG = st.sampled_from([1, 2, 5, 10, 20, 25, 40, 50, 75, 100, 250, 300, 500, 800, 1000])
OFTEN = st.sampled_from(
    ["once daily", "twice daily", "three times a day", "four times a day", "every 6 hours", "every 8 hours", "every 12 hours",
     "every other day", "once a week", "at bedtime", "every morning", "every morning and at bedtime"]
)  # fmt: skip
NEEDED = st.sampled_from(["", " as needed"])
OTC = st.sampled_from(["ibuprofen", "acetaminophen", "cetirizine", "naproxen", "diphenhydramine", "loperamide", "famotidine"])


def asked(engine: Engine, prescribed: Any, reported: Any, **patient: Any) -> DoseAnswer:
    return engine.dose({"patient": patient, "prescribed": prescribed, "reported": reported}, DAY)


def plain(value: Decimal) -> str:
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


@law
@given(drug=DRUGS, right=MG, mine=MG, often=OFTEN, mine_often=OFTEN, needed=NEEDED, more=st.sampled_from([1, 2, 3, 10, 1000]))
def test_a_larger_dose_is_never_judged_calmer(
    engine: Engine, drug: str, right: int, mine: int, often: str, mine_often: str, needed: str, more: int
) -> None:
    order = f"{drug} {right} mg {often}{needed}"
    less = asked(engine, order, f"I take {mine} mg {mine_often}")
    larger = asked(engine, order, f"I take {mine * more} mg {mine_often}")
    if less.verdict == "HIGH":
        assert larger.verdict == "HIGH"


@law
@given(drug=OTC, mine=MG, times=st.integers(1, 8), more=st.sampled_from([2, 5, 10]))
def test_more_of_a_bought_medicine_is_never_judged_calmer(engine: Engine, drug: str, mine: int, times: int, more: int) -> None:
    if asked(engine, None, f"{drug} {mine} mg {times} times a day", age="40 y").verdict == "HIGH":
        assert asked(engine, None, f"{drug} {mine * more} mg {times} times a day", age="40 y").verdict == "HIGH"


@law
@given(drug=DRUGS, right=MG, mine=MG, often=OFTEN)
def test_milligrams_and_grams_and_micrograms_say_the_same(engine: Engine, drug: str, right: int, mine: int, often: str) -> None:
    order = f"{drug} {right} mg {often}"
    answers = {
        (a.verdict, a.axes)
        for a in (
            asked(engine, order, f"I take {mine} mg {often}"),
            asked(engine, order, f"I take {plain(Decimal(mine) / 1000)} g {often}"),
            asked(engine, order, f"I take {mine * 1000} mcg {often}"),
        )
    }
    assert len(answers) == 1


@law
@given(drug=DRUGS, right=MG, mine=MG, often=OFTEN, mine_often=OFTEN)
def test_letter_case_changes_nothing(engine: Engine, drug: str, right: int, mine: int, often: str, mine_often: str) -> None:
    said = f"I take {mine} mg of {drug} {mine_often}"
    order = f"{drug} {right} mg {often}"
    first, second = asked(engine, order, said), asked(engine, order.upper(), said.upper())
    assert (first.verdict, first.axes, first.suspects) == (second.verdict, second.axes, second.suspects)


@law
@given(drug=DRUGS, right=MG, a=MG, b=MG, often=OFTEN)
def test_the_order_of_statements_changes_nothing(engine: Engine, drug: str, right: int, a: int, b: int, often: str) -> None:
    order = f"{drug} {right} mg {often}"
    said = [f"{drug} {a} mg in the morning", f"{drug} {b} mg at bedtime", "Advil 200 mg twice a day"]
    first, second = asked(engine, order, said, age="40 y"), asked(engine, order, said[::-1], age="40 y")
    assert (first.verdict, first.axes, first.suspects) == (second.verdict, second.axes, second.suspects)


@law
@given(drug=DRUGS, right=MG, half=MG, times=st.integers(1, 3))
def test_one_dose_told_as_two_of_the_same_daily_total_changes_no_daily_verdict(
    engine: Engine, drug: str, right: int, half: int, times: int
) -> None:
    order = f"{drug} {right} mg twice daily"
    whole = asked(engine, order, f"{drug} {half} mg {2 * times} times a day")
    parted = asked(engine, order, [f"{drug} {half} mg {times} times a day", f"{drug} {half} mg {times} times a day"])
    assert (whole.axes.per_day, whole.axes.frequency) == (parted.axes.per_day, parted.axes.frequency)


@law
@given(
    drug=DRUGS, right=MG, mine=MG, often=OFTEN, mine_often=OFTEN, needed=NEEDED, count=st.integers(1, 3),
    left_out=st.sampled_from(["dose", "frequency", "strength", "all"]),
)  # fmt: skip
def test_leaving_out_what_was_said_never_makes_it_correct(
    engine: Engine, drug: str, right: int, mine: int, often: str, mine_often: str, needed: str, count: int, left_out: str
) -> None:
    order = f"{drug} {right} mg {often}{needed}"
    whole = asked(engine, order, f"I take {count} tablets of {mine} mg {mine_often}")
    less = {
        "dose": f"I take it {mine_often}",
        "frequency": f"I take {count} tablets of {mine} mg",
        "strength": f"I take {count} tablets {mine_often}",
        "all": f"I take {drug}",
    }[left_out]
    if whole.verdict != "CORRECT":
        assert asked(engine, order, less).verdict != "CORRECT"


@law
@given(drug=OTC, mine=MG, times=st.integers(1, 6), age=st.sampled_from(["1 y", "3 y", "7 y", "11 y", "13 y", "40 y"]),
       left_out=st.sampled_from(["age", "weight", "both"]))  # fmt: skip
def test_leaving_out_age_or_weight_never_makes_a_bought_dose_correct(
    engine: Engine, drug: str, mine: int, times: int, age: str, left_out: str
) -> None:
    told = {"age": age, "weight": "15 kg" if age in ("1 y", "3 y") else "60 kg"}
    fewer = {k: v for k, v in told.items() if k != left_out and left_out != "both"}
    said = f"{drug} {mine} mg {times} times a day"
    if asked(engine, None, said, **told).verdict != "CORRECT":
        assert asked(engine, None, said, **fewer).verdict != "CORRECT"


SIGS = [
    "take 1 tablet by mouth twice daily", "1-2 tablets every 4 to 6 hours as needed", "5 mL three times a day",
    "2 puffs every 4 hours as needed",
    "10 units at bedtime", "1 tablet in the morning and 2 tablets at bedtime", "0.5 mg once a week", "15 mg every Monday",
    "1 drop in both eyes twice daily", "half a tablet once daily", "20 mg daily", "1 capsule every other day", "1 patch weekly",
    "500 mg tid for 10 days", "1 po bid prn", "up to 3 tablets a day", "max 8 tablets in 24 hours, 2 tablets every 6 hours "
    "as needed",
]  # fmt: skip


@pytest.mark.parametrize("sig", SIGS)
def test_a_sig_that_is_read_and_said_back_is_correct(engine: Engine, sig: str) -> None:
    read = read_sig(sig, engine.checker.lexicon)
    if (read.dose is None and read.per_day is None) or (read.times_per_day is None and read.per_day is None):
        pytest.skip("not read")
    assert asked(engine, f"metformin {sig}", sig).verdict == "CORRECT"
    assert asked(engine, f"metformin {sig}", f"metformin {sig}").verdict == "CORRECT"


@law
@given(right=MG, often=OFTEN, needed=NEEDED, unit=st.sampled_from(["mg", "mcg", "tablets", "mL", "units"]))
def test_the_same_direction_said_back_is_always_correct(engine: Engine, right: int, often: str, needed: str, unit: str) -> None:
    sig = f"{right} {unit} {often}{needed}"
    read = read_sig(sig, engine.checker.lexicon)
    assume(read.dose is not None and read.times_per_day is not None)
    a = asked(engine, f"metformin {sig}", sig)
    assert a.verdict == "CORRECT", (sig, a.axes, a.understood)


@law
@given(said=st.text(max_size=300), order=st.sampled_from(["digoxin 125 mcg once daily", None, "lisinopril"]))
def test_any_text_is_answered_the_same_way_twice_and_never_correct_by_chance(
    engine: Engine, said: str, order: str | None
) -> None:
    first = asked(engine, order, said)
    assert first.to_json() == asked(engine, order, said).to_json()
    assert first.verdict != "CORRECT" or "as" in said.lower() or any(c.isdigit() for c in said)


def listed(text: str) -> list[str]:
    return text.split()


WORDS = [
    "i",
    "take",
    "took",
    "2",
    "two",
    "40",
    "mg",
    "twice",
    "daily",
    "every",
    "day",
    "morning",
    "night",
    "not",
    "never",
    "forgot",
    "missed",
    "double",
    "half",
    "tablet",
    "of",
    "my",
    "lasix",
    "and",
    "but",
    "instead",
    "one",
    "the",
    "extra",
    "again",
    "ran",
    "out",
    "stopped",
    "as",
    "prescribed",
    "80",
    "now",
    "then",
    "or",
    "to",
    ",",
    ".",
    "?",
]


@law
@given(words=st.lists(st.sampled_from(WORDS), max_size=14))
def test_words_in_any_order_never_crash_and_a_denied_or_missing_dose_is_not_correct(engine: Engine, words: list[str]) -> None:
    a = asked(engine, "furosemide 40 mg twice daily", " ".join(words))
    told = {"40", "80", "2", "two", "one", "tablet", "half", "prescribed"} & set(words)
    assert a.verdict != "CORRECT" or told
