"""One line of a list: one medicine, two, another product of a brand, or a name that is not held."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from conftest import examples, sampled
from hypothesis import given, settings
from hypothesis import strategies as st
from measuring.chart_lines import told_of
from measuring.lines import measure_lines
from msgspec import UNSET

from safety.engine import Engine
from safety.model.report import Report

DAY = date(2026, 11, 20)
MISSED = {"metformin; glipizide", "calcium + vitamin D", "obicetrapib 10 mg", "green tea extract fat burner"}
"""A combination that is sold; one that no product of ours is; an ending of no name in RxNorm; a name
that is held, with more words."""


def planned(engine: Engine, *lines: Any, **patient: Any) -> Report:
    return engine.check({"patient": patient, "plan": list(lines)}, DAY)


def entries(report: Report) -> list[tuple[str, str]]:
    """Text and place of each entry."""
    return [(m.text, str(m.where)) for m in report.medications]


def test_the_lines_written_from_life_come_out_as_written_down(engine: Engine) -> None:
    tallies = measure_lines(Path(__file__).parent / "lines.yaml", lambda line: planned(engine, line))
    assert {line for t in tallies for line in t.wrong} == MISSED


@pytest.mark.parametrize("between", [" and ", ", ", " + ", "; ", " & ", "/", " ", " plus ", " with "])
def test_two_names_that_are_no_product_are_two_medicines_however_they_are_joined(engine: Engine, between: str) -> None:
    report = planned(engine, f"sildenafil{between}nitroglycerin")
    assert entries(report) == [("sildenafil", "plan[0]"), ("nitroglycerin", "plan[0]")]
    assert report.findings[0].severity == "contraindicated"
    assert {s.text for s in report.findings[0].subjects} == {"sildenafil", "nitroglycerin"}


def test_each_medicine_of_a_line_has_the_strength_and_directions_beside_it(engine: Engine) -> None:
    together = planned(engine, "ibuprofen 800 mg every 2 hours and warfarin 5 mg once daily")
    apart = planned(engine, "ibuprofen 800 mg every 2 hours", "warfarin 5 mg once daily")
    assert [m.text for m in together.medications] == [m.text for m in apart.medications]
    assert {f.rule for f in together.every_finding} == {f.rule for f in apart.every_finding}


SINGLE = ("warfarin", "metformin", "sertraline", "digoxin", "prednisone", "gabapentin", "tamoxifen", "lithium", "allopurinol")


@settings(max_examples=examples(60), deadline=None)
@given(
    names=st.lists(st.sampled_from(SINGLE), min_size=2, max_size=4, unique=True),
    between=st.sampled_from([", ", " and ", "; ", " + ", " & "]),
    dose=st.sampled_from(["", " 5 mg", " 10 mg once daily", " 1 tablet by mouth twice daily"]),
)
def test_a_line_of_several_medicines_is_judged_as_a_line_for_each(
    engine: Engine, names: list[str], between: str, dose: str
) -> None:
    told = [f"{name}{dose}" for name in names]
    one, each = planned(engine, between.join(told)), planned(engine, *told)
    assert [m.drug for m in one.medications] == [m.drug for m in each.medications]
    assert sorted(f.rule for f in one.every_finding) == sorted(f.rule for f in each.every_finding)
    assert len(one.findings) == len(each.findings)
    assert one.verdict == each.verdict


@pytest.mark.parametrize(
    "line",
    ["ibuprofen 400 mg or naproxen 220 mg", "levothyroxine 50 mcg 2 hours before calcium carbonate", "warfarin, never aspirin"],
)
def test_a_medicine_that_is_related_to_another_is_no_second_one(engine: Engine, line: str) -> None:
    assert len(planned(engine, line).medications) == 1


def test_a_medicine_that_has_a_line_of_its_own_is_only_mentioned_on_another(engine: Engine) -> None:
    report = planned(engine, "levothyroxine 50 mcg once daily", "calcium carbonate 600 mg every morning with levothyroxine")
    assert [m.text for m in report.medications] == [
        "levothyroxine 50 mcg once daily", "calcium carbonate 600 mg every morning",
    ]  # fmt: skip


def test_a_dose_in_a_field_beside_two_names_is_nobodys_and_is_asked_about(engine: Engine) -> None:
    report = planned(engine, {"drug": "Coumadin, Advil", "dose": "800 mg", "route": "oral"})
    assert [m.drug for m in report.medications] == ["drug.warfarin", "drug.ibuprofen"]
    assert [(u.text, u.status) for u in report.unresolved] == [("800 mg", "ambiguous")]
    assert report.verdict == "violated"


def test_a_name_that_is_not_known_hides_no_medicine_beside_it(engine: Engine) -> None:
    for line in ("flurbozide 10 mg, warfarin 5 mg daily", "warfarin 5 mg daily, flurbozide 10 mg"):
        report = planned(engine, line)
        assert {(m.drug, m.status) for m in report.medications} == {("drug.warfarin", "match"), (None, "unrecognised")}
        assert report.verdict != "clear"


@pytest.mark.parametrize(
    "line",
    [
        "lithium also ibuprofen", "lithium (plus ibuprofen for pain)", "lithium w/ ibuprofen", "lithium along with ibuprofen prn",
        "1) lithium 2) ibuprofen", "lithium (takes with ibuprofen)", "lithium - ibuprofen",
        "lithum and ibuprophen", "lithium, ibuprofin",
    ],
)  # fmt: skip
def test_a_second_medicine_is_judged_whatever_words_lead_to_it(engine: Engine, line: str) -> None:
    report = planned(engine, line)
    assert [m.drug for m in report.medications] == ["drug.lithium", "drug.ibuprofen"]
    assert any(f.severity == "major" and len(f.subjects) == 2 for f in report.every_finding)
    assert report.verdict == "violated"


@pytest.mark.parametrize("line", ["lithium, sometimes ibuprofen", "lithium and my wife's ibuprofen"])
def test_words_between_two_names_that_belong_to_neither_are_asked_about(engine: Engine, line: str) -> None:
    report = planned(engine, line)
    assert [m.drug for m in report.medications] == ["drug.lithium", None, "drug.ibuprofen"]
    assert any(f.severity == "major" and len(f.subjects) == 2 for f in report.every_finding)
    assert [u.status for u in report.unresolved] == ["unrecognised"]


def test_a_word_of_another_product_stays_with_its_brand_on_a_line_of_two(engine: Engine) -> None:
    assert "drug.acetaminophen" not in [m.drug for m in planned(engine, "Tylenol Allergy and Advil").medications]


@pytest.mark.parametrize(
    "line",
    [
        "warfarin w/o Eliquis", "warfarin but no Eliquis", "Coumadin (warfarin)",
        "warfarin (not Eliquis)", "warfarin until Eliquis arrives",
    ],
)  # fmt: skip
def test_words_that_deny_the_second_name_list_no_second_medicine(engine: Engine, line: str) -> None:
    assert "drug.apixaban" not in [m.drug for m in planned(engine, line).medications]


FORMER = [
    "warfarin instead of Eliquis", "warfarin, stopped Eliquis", "warfarin (previously on Eliquis)",
    "warfarin - switched from Eliquis",
    "warfarin, d/c'd Eliquis", "switched from Eliquis to warfarin", "Eliquis -> warfarin",
    "Eliquis replaced by warfarin", "warfarin (was on Eliquis, too costly)", "warfarin, formerly Eliquis",
    "warfarin, off Eliquis",
    "warfarin (replaces Eliquis)", "warfarin in place of Eliquis", "warfarin (failed Eliquis)", "warfarin, used to take Eliquis",
    "Eliquis switched to warfarin", "warfarin changed from Eliquis 5 mg",
]  # fmt: skip


@pytest.mark.parametrize("line", FORMER)
def test_a_medicine_taken_before_is_past_and_only_the_other_is_taken(engine: Engine, line: str) -> None:
    told = told_of(line, engine)
    assert [e.drugs for e in told if e.current] == [("drug.warfarin",)], line
    assert [e.drugs for e in told if not e.current] == [("drug.apixaban",)], line


@pytest.mark.parametrize(
    "line",
    ["warfarin and aspirin", "warfarin 5 mg, aspirin 81 mg", "aspirin 81 mg with warfarin", "warfarin 5 mg (was 4 mg), aspirin"],
)
def test_two_medicines_that_are_listed_are_both_taken(engine: Engine, line: str) -> None:
    assert {d for e in told_of(line, engine) for d in e.drugs if e.current} == {"drug.warfarin", "drug.aspirin"}


def test_that_several_were_stopped_is_said_of_each(engine: Engine) -> None:
    assert not [e for e in told_of("stopped lisinopril and metoprolol", engine) if e.current]
    assert [e.drugs for e in told_of("stopped lisinopril, started losartan 50 mg daily", engine) if e.current] == [
        ("drug.losartan",)
    ]
    assert [e.drugs for e in told_of("aspirin 81 mg, clopidogrel 75 mg stopped", engine) if e.current] == [("drug.aspirin",)]


def test_an_insulin_may_be_named_by_its_second_word_beside_another(engine: Engine) -> None:
    report = planned(engine, "insulin glargine and lispro")
    assert [m.drug for m in report.medications] == ["drug.insulin-glargine", "drug.insulin-lispro"]


def test_a_word_for_a_class_beside_a_medicine_is_asked_about_by_itself(engine: Engine) -> None:
    report = planned(engine, "lisinopril 10 mg and a water pill")
    assert [(m.text, m.status) for m in report.medications] == [("lisinopril 10 mg", "match"), ("a water pill", "ambiguous")]


def test_what_is_drunk_may_stand_on_a_line_of_a_medicine_and_says_nothing_of_other_food(engine: Engine) -> None:
    report = planned(engine, "simvastatin 40 mg + grapefruit juice", age="60 y")
    told = planned(engine, "simvastatin 40 mg", age="60 y", intake=["grapefruit juice"])
    assert {f.rule for f in told.every_finding} <= {f.rule for f in report.every_finding}
    assert "grapefruit juice" in report.notes[0]
    rules = {u.rule for u in planned(engine, "simvastatin 40 mg + water", age="60 y").unknown}
    assert {u.rule for u in planned(engine, "simvastatin 40 mg", age="60 y").unknown} == rules


def test_an_ambiguous_name_is_weighed_beside_what_else_its_line_tells(engine: Engine) -> None:
    report = planned(engine, "warfarin 5 mg, clozapem 1 mg")
    asked = next(u for u in report.unresolved if u.candidates)
    assert asked.text == "clozapem 1 mg"
    assert "clozapine" in asked.would_break


@pytest.mark.parametrize(
    ("line", "brand"),
    [("Dulcolax Liquid", "Dulcolax"), ("Unisom PM", "Unisom"), ("Advil + Flu", "Advil"), ("Children's NyQuil", "NyQuil")],
)
def test_a_brand_with_a_word_of_another_product_is_asked_about(engine: Engine, line: str, brand: str) -> None:
    answer = engine.name(line)
    assert answer.status != "match"
    assert brand in answer.ask
    assert engine.name(brand).status == "match"


@pytest.mark.parametrize("line", ["NyQuil liquid 30 mL", "Lipitor pm", "metoprolol pm", "Voltaren gel"])
def test_a_form_that_the_brand_is_sold_in_or_a_time_of_day_is_no_other_product(engine: Engine, line: str) -> None:
    assert engine.name(line).status == "match"


@pytest.mark.parametrize("name", ["odronextamab", "poziotinib", "seltorexant"])
def test_a_name_by_its_ending_probably_a_medicine_is_not_held_and_nothing_is_offered_for_it(engine: Engine, name: str) -> None:
    answer = engine.name(f"{name} 10 mg daily")
    assert (answer.status, answer.candidates) == ("unrecognised", [])
    assert answer.probably
    report = planned(engine, f"{name} 10 mg daily")
    assert [u.status for u in report.unresolved] == ["not_held"]
    assert report.verdict == "unknown"


def test_a_medicine_that_we_hold_nothing_of_is_never_taken_for_one_that_looks_like_it(engine: Engine) -> None:
    for name in engine.library.language.words("not-held"):
        answer = engine.name(f"{name} 5 mg daily")
        assert (answer.status, answer.drug, answer.candidates) == ("unrecognised", None, []), name
        assert answer.probably, name
    assert planned(engine, "digitoxin 0.1 mg daily").verdict == "unknown"


@pytest.mark.parametrize(
    ("line", "drugs"),
    [
        ("Claritin-D 24", "product.claritin-d-24-hour"), ("Zyrtec eye drops", "drug.ketotifen"),
        ("Colace 2-in-1", "product.senokot-s"), ("Nextstellis", "product.nextstellis"),
        ("AirDuo RespiClick 113/14", "product.airduo-respiclick"), ("smz/tmp ds", "product.bactrim-ds"),
        ("metop succ 50", "drug.metoprolol"), ("metoprolol tart 25 mg", "drug.metoprolol"), ("quetiapine fum", "drug.quetiapine"),
        ("diclofenac pot 50 mg", "drug.diclofenac"), ("hydroxyzine pam", "drug.hydroxyzine"),
        ("carb/levo 25/100", "product.sinemet"),
    ],
)  # fmt: skip
def test_names_as_lists_shorten_them_are_what_they_shorten(engine: Engine, line: str, drugs: str) -> None:
    answer = engine.name(line)
    assert (answer.status, answer.product or answer.drug) == ("match", drugs)


@pytest.mark.parametrize(
    "line", ["Visine Dry Eye", "Tylenol Allergy", "Robitussin CF", "Mucinex Nightshift", "Bayer PM", "Midol PM"]
)
def test_another_product_of_a_brand_that_is_not_held_is_asked_about(engine: Engine, line: str) -> None:
    assert engine.name(line).status != "match"


@pytest.mark.parametrize("name", ["lisnopril", "taladafil", "nifemodipine"])
def test_a_slip_for_a_name_that_is_held_is_asked_about_all_the_same(engine: Engine, name: str) -> None:
    answer = engine.name(name)
    assert answer.status == "match" or answer.candidates


def test_each_ending_is_read_off_three_names_of_rxnorm_at_least_and_off_no_everyday_word(engine: Engine) -> None:
    library = engine.library
    names = {r.name for r in library.recognised if r.kind == "ingredient"} | {d.name for d in library.drugs}
    for stem in library.language.words("drug-name-stems"):
        assert sum(n.endswith(stem) and n.isalpha() for n in names) >= 3, stem
    told = [w for w in sampled(list(library.language.words("talk"))) if engine.name(w).probably is not UNSET]
    assert told == []


@pytest.mark.parametrize("line", ["Joint Juice", "heart medicine", "my little white pill"])
def test_what_only_sounds_alike_is_not_offered_for_a_line_of_a_list(engine: Engine, line: str) -> None:
    (asked,) = planned(engine, line).unresolved
    assert asked.candidates == []


def test_that_no_candidate_breaks_a_rule_is_said_only_where_everything_is_held_of_each(engine: Engine) -> None:
    kinds = {kind for drug in engine.library.drugs for kind in engine.checker.index.holds(drug.id)}
    for line in ("brivudine 125 mg", "clonaz", "tradorol", "hydrox", "celbrex 200 mg", "zantax"):
        for asked in planned(engine, line).unresolved:
            if asked.agree and not any(asked.would_break.values()):
                drugs = [engine.name(c).drug for c in asked.candidates]
                assert all(isinstance(d, str) and set(engine.checker.index.holds(d)) >= kinds for d in drugs), line


@pytest.mark.parametrize("line", ["Zestril and lisinopril", "warfarin 5 and Coumadin 5", "Percocet and acetaminophen 500"])
def test_the_same_medicine_by_two_names_that_are_listed_is_a_duplicate_said_once(engine: Engine, line: str) -> None:
    report = planned(engine, line, age=50, sex="male", medications=[])
    assert len(report.medications) == 2
    assert [f.rule for f in report.every_finding if f.kind == "duplicate"] == ["duplicate.same-ingredient"]


@pytest.mark.parametrize(
    "line", ["warfarin (Coumadin) 5", "lisinopril (Zestril) 20 daily", "warfarin 5 Mon and warfarin 2.5 Tue"]
)
def test_a_name_that_only_says_again_what_was_named_is_one_medicine(engine: Engine, line: str) -> None:
    report = planned(engine, line, age=50, sex="male", medications=[])
    assert len(report.medications) == 1


@pytest.mark.parametrize(
    ("line", "taken", "past"),
    [
        ("switch lisinopril to losartan 50 mg daily", "drug.losartan", "drug.lisinopril"),
        ("replace lisinopril with losartan 50 mg daily", "drug.losartan", "drug.lisinopril"),
        ("change lisinopril 20 mg to losartan 50 mg daily", "drug.losartan", "drug.lisinopril"),
    ],
)
def test_a_medicine_that_is_switched_to_another_is_past(engine: Engine, line: str, taken: str, past: str) -> None:
    told = {m.drug: m.current for m in planned(engine, line).medications}
    assert told == {taken: True, past: False}


@pytest.mark.parametrize(
    ("line", "dose"),
    [
        ("increase lasix to 40 mg bid", "40 mg"),
        ("decrease HCTZ to 12.5 mg daily", "12.5 mg"),
        ("uptitrate metoprolol to 50 mg bid", "50 mg"),
        ("wean prednisone to 10 mg daily", "10 mg"),
        ("refill lisinopril 10 mg daily", "10 mg"),
        ("increase lasix by 20 mg", None),
        ("wean prednisone by 5 mg weekly", None),
    ],
)
def test_a_plan_tells_to_what_a_dose_is_changed_and_not_by_what(engine: Engine, line: str, dose: str | None) -> None:
    (entry,) = told_of(line, engine)
    assert entry.resolved
    told = entry.directions.dose
    assert (str(told[1]) if told else None) == dose
    assert bool(entry.directions.unread) == (dose is None)


def rules(engine: Engine, listed: list[str], *plan: str) -> set[str]:
    report = engine.check({"patient": {"age": "60 y", "medications": listed}, "plan": list(plan)}, DAY)
    return {f.rule for f in report.every_finding}


def test_what_a_plan_stops_is_judged_no_more_as_taken_and_its_washout_is(engine: Engine) -> None:
    pair = ["warfarin 5 mg daily", "ibuprofen 400 mg tid"]
    assert "interaction.warfarin-nsaid" in rules(engine, pair)
    assert "interaction.warfarin-nsaid" not in rules(engine, pair, "d/c ibuprofen")
    assert "interaction.warfarin-nsaid" in rules(engine, pair, "stop warfarin 5 days before surgery")
    assert "interaction.warfarin-nsaid" in rules(engine, pair, "stop ibuprofen", "start ibuprofen 200 mg tid")
    washout = rules(engine, ["phenelzine 15 mg tid"], "stop phenelzine", "start sertraline 50 mg daily")
    assert "interaction.maoi-serotonin-antidepressant" in washout
