"""The dose examples that the Polaris paper prints: figures 8, 10, 26 and 27, table 5 and section 2.2."""

from __future__ import annotations

from typing import Any

from safety.engine import Engine
from safety.model.report import DoseAnswer

DAY = "2026-11-20"


def asked(engine: Engine, prescribed: Any, reported: Any, **patient: Any) -> DoseAnswer:
    return engine.dose({"patient": patient, "prescribed": prescribed, "reported": reported}, DAY)


def test_figure_8_another_digoxin_just_to_be_safe_is_high(engine: Engine) -> None:
    said = (
        "I've been taking my Digoxin every morning. Though, I'm not always sure if I took it, "
        "so I might take another just to be safe."
    )
    a = asked(engine, "digoxin 125 mcg once a day", said)
    assert (a.verdict, a.suspect, a.against) == ("HIGH", "extra-to-be-safe", "prescription")
    assert a.axes.per_day == "HIGH"
    assert "125 mcg once a day" in a.task
    assert a.escalate in ("clinician", "emergency")


def test_figure_26_a_whole_days_furosemide_in_the_morning_is_high_at_once_and_right_in_a_day(engine: Engine) -> None:
    said = "Accidentally, I took 80 mg in the morning thinking it was for the whole day."
    a = asked(engine, "Lasix 40 mg twice daily", said)
    assert a.verdict == "HIGH"
    assert (a.axes.per_dose, a.axes.per_day, a.axes.frequency, a.axes.timing) == ("HIGH", "CORRECT", "LOW", "CORRECT")
    assert (a.reported_per_day, a.expected_per_day, a.suspect) == ("80 mg", "80 mg", "all-at-once")


def test_section_2_lasix_40_mg_twice_a_day_is_not_80_mg_once_a_day(engine: Engine) -> None:
    a = asked(engine, "Lasix 40 mg twice a day", "80 mg of Lasix once a day")
    assert (a.verdict, a.axes.per_dose, a.axes.per_day, a.axes.frequency) == ("HIGH", "HIGH", "CORRECT", "LOW")


def test_figure_10_ibuprofen_800_mg_six_times_a_day_breaks_the_label_and_the_ceiling_each_told_apart(engine: Engine) -> None:
    a = asked(engine, None, "Actually, yes. I've been taking 800 mg of ibuprofen 6 times a day.", age="50 y")
    days = {x.tier: (x.amount, x.limit, x.exceeded) for x in a.limits if x.kind == "day" and x.exceeded}
    assert a.verdict == "HIGH"
    assert days == {"label_limit": ("4800 mg", "1200 mg", True), "clinical_ceiling": ("4800 mg", "3200 mg", True)}
    assert a.escalate == "clinician"
    assert all(x.evidence for x in a.limits if x.exceeded)


def test_figure_27_doxylamine_100_mg_is_beyond_the_sleep_aid_and_beyond_75_mg_a_day(engine: Engine) -> None:
    a = asked(engine, None, "Actually, yes. I've been taking 100 mg of Doxylamine.", age="50 y")
    over = {(x.kind, x.limit) for x in a.limits if x.exceeded}
    assert a.verdict == "HIGH"
    assert {("single", "25 mg"), ("day", "75 mg")} <= over
    assert a.escalate in ("clinician", "emergency")


def test_table_5_40_mg_instead_of_the_prescribed_20_mg_is_high(engine: Engine) -> None:
    a = asked(engine, "furosemide 20 mg once daily", "taking 40mg instead of prescribed 20mg")
    assert (a.verdict, a.axes.per_dose) == ("HIGH", "HIGH")


def test_prescribed_ibuprofen_is_judged_by_its_sig_and_never_by_the_label(engine: Engine) -> None:
    a = asked(engine, "ibuprofen 800 mg three times a day", "800 mg three times a day", age="50 y")
    assert (a.verdict, a.against, a.limits) == ("CORRECT", "prescription", [])


def test_prescribed_and_bought_ibuprofen_are_summed_against_the_ceiling(engine: Engine) -> None:
    order = "ibuprofen 800 mg three times a day"
    a = asked(engine, order, [order, "Advil 400 mg three times a day"], age="50 y")
    ceiling = next(x for x in a.limits if x.tier == "clinical_ceiling" and x.kind == "day" and x.exceeded)
    assert (a.verdict, ceiling.amount, ceiling.limit) == ("HIGH", "3600 mg", "3200 mg")


def test_a_product_on_the_list_counts_beside_what_is_bought(engine: Engine) -> None:
    listed = ["Percocet 5/325 2 tablets every 6 hours"]
    a = asked(engine, None, "Tylenol 1000 mg three times a day", age="50 y", medications=listed)
    assert a.verdict == "HIGH"
    assert any(x.drug == "drug.acetaminophen" and x.amount == "5600 mg" and x.exceeded for x in a.limits)
