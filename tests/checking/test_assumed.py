"""An untold fact of a medicine is taken as usual: the harm is said, and never a case made clearer."""

from __future__ import annotations

import runpy
from typing import Any

import pytest
from conftest import REPO, examples
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from library_cases import DAY, cases

from safety.engine import Engine, as_case
from safety.judging.supposing import OF_A_MEDICINE, under_assumptions
from safety.knowledge import library as lib
from safety.model.report import RANK, Finding
from safety.understanding.facts import Facts

law = settings(deadline=None, suppress_health_check=list(HealthCheck), phases=set(Phase) - {Phase.explain})
LOUD = {"age": 50, "sex": "male", "conditions": [], "allergies": []}


def findings(engine: Engine, *medications: Any) -> list[Finding]:
    return engine.check({"patient": {**LOUD, "medications": list(medications)}}, DAY).every_finding


def about(engine: Engine, rule: str, *medications: Any) -> Finding:
    [found] = [f for f in findings(engine, *medications) if f.rule == rule]
    return found


def facts_of(engine: Engine, case: dict[str, Any]) -> Facts:
    from datetime import date

    return Facts(as_case(case), engine.checker.terms, date.fromisoformat(DAY))


# ------------------------------------------------------------------ what is never done


@settings(law, max_examples=examples(60))
@given(case=st.deferred(lambda: cases()))
def test_an_assumption_loses_no_judgement_and_lowers_none(engine: Engine, case: dict[str, Any]) -> None:
    facts = facts_of(engine, case)
    before = list(engine.checker._judgements(facts, engine.checker._in_question(facts)))
    after = [j for j, _ in under_assumptions(before, facts)]
    assert len(after) == len(before)
    for was, now in zip(before, after, strict=True):
        assert now.entry.id == was.entry.id
        assert (was.verdict, now.verdict) in {("violated", "violated"), ("unknown", "unknown"), ("unknown", "violated")}
        if was.verdict == "violated":
            assert RANK[now.severity] <= RANK[was.severity]


@settings(law, max_examples=examples(60))
@given(case=st.deferred(lambda: cases()))
def test_what_stands_on_an_assumption_leaves_the_case_open_and_asks(engine: Engine, case: dict[str, Any]) -> None:
    report = engine.check(case, DAY)
    resting = [f for f in report.every_finding if f.assumed]
    assert not (resting and report.complete)
    for f in resting:
        assert all(a.ask.endswith(("?", ".")) and a.value for a in f.assumed)


def test_no_contraindicated_pair_of_bare_names_waits_for_a_fact_of_a_medicine(engine: Engine) -> None:
    library = engine.library
    for entry in library.entries:
        if entry.kind != "interaction" or entry.status != "active" or entry.severity != "contraindicated":
            continue
        lines = [leaf.members for leaf in entry.condition if isinstance(leaf, lib.DrugLeaf) and leaf.slot]
        if len(lines) != 2 or not all(lines):
            continue
        first, second = (sorted(members or ()) for members in lines)
        drugs = (first[0], next((d for d in second if d != first[0]), first[0]))
        report = engine.check({"patient": {**LOUD, "medications": [library.name_of(d) for d in drugs]}}, DAY)
        waiting = [u for u in report.unknown if entry.id in (u.rule, *u.also) and set(u.needs) <= OF_A_MEDICINE]
        assert not waiting or entry.id in WAITING, (entry.id, drugs)


WAITING = frozenset(
    {
        "interaction.live-vaccines.corticosteroid", "interaction.live-vaccines.corticosteroid-injection",
        "interaction.iopamidol.intrathecal-corticosteroids",  # contrast into a vein beside dexamethasone is ordinary care
    }
)  # fmt: skip
"""Their cap is a sum of equivalents over several medicines: the dose is asked, no cap is assumed."""


# ------------------------------------------------------------------ routes


def test_a_contraindicated_pair_without_a_route_is_a_finding_that_says_what_it_assumes(engine: Engine) -> None:
    found = about(engine, "interaction.tizanidine.cyp1a2-strong-inhibitors", "ciprofloxacin", "tizanidine")
    assert (found.severity, found.interrupt, found.hard) == ("contraindicated", True, True)
    assert [(a.fact, a.value, a.ask) for a in found.assumed] == [("route", "oral", "Is the ciprofloxacin swallowed?")]


@pytest.mark.parametrize("told", ["ciprofloxacin 0.3 % eye drops", {"drug": "ciprofloxacin", "route": "ophthalmic"}])
def test_a_told_fact_overrules_the_assumption(engine: Engine, told: Any) -> None:
    assert not [f for f in findings(engine, told, "tizanidine 4 mg oral daily") if "tizanidine" in f.rule]


def test_a_told_route_leaves_nothing_assumed(engine: Engine) -> None:
    told = {"drug": "ciprofloxacin", "route": "oral"}
    found = about(engine, "interaction.tizanidine.cyp1a2-strong-inhibitors", told, "tizanidine")
    assert found.assumed == []


def test_where_the_usual_way_is_local_a_contraindicated_pair_is_shown_and_interrupts_nobody(engine: Engine) -> None:
    found = about(engine, "interaction.alprazolam.ketoconazole-itraconazole", "alprazolam", "ketoconazole")
    assert (found.severity, found.interrupt, found.hard) == ("contraindicated", False, False)
    assert [(a.fact, a.value, a.usual) for a in found.assumed] == [("route", "oral", False)]


def test_every_drug_of_several_routes_has_a_usual_one_among_them(engine: Engine) -> None:
    for drug in engine.library.drugs:
        assert drug.usual_route in drug.routes, drug.id


@pytest.mark.parametrize(
    ("brand", "routes"),
    [
        ("Rybelsus", ("oral",)),
        ("Ozempic 1 mg weekly", ("parenteral",)),
        ("Voltaren gel", ("topical",)),
        ("Ciloxan", ("ophthalmic",)),
        ("Vivitrol", ("parenteral",)),
        ("Cipro XR 500 daily", ("oral",)),
        ("Restasis", ("ophthalmic",)),
        ("semaglutide (Rybelsus) 7 mg", ("oral",)),
        ("semaglutide", ("oral", "parenteral")),
        ("Wegovy", ("oral", "parenteral")),
    ],
)
def test_a_brand_is_taken_as_it_is_sold_and_an_ingredient_in_every_way(engine: Engine, brand: str, routes: tuple[str]) -> None:
    [entry] = facts_of(engine, {"patient": {"medications": [brand]}}).entries
    assert entry.routes == routes


@pytest.mark.parametrize("drops", ["Ciloxan", "ciloxan 2 drops q4h"])
def test_the_eye_drops_of_an_antibiotic_are_no_tablet(engine: Engine, drops: str) -> None:
    assert not [f for f in findings(engine, drops, "tizanidine 4 mg oral daily") if "tizanidine" in f.rule]


@pytest.mark.parametrize("told", ["Levaquin 750", "cipro 500 bid", "Ozempic 1 mg weekly", "Rybelsus 7", "eliquis 5 bid"])
def test_an_ordinary_strength_in_chart_shorthand_is_no_finding(engine: Engine, told: str) -> None:
    assert not [f for f in findings(engine, told) if f.kind in ("dose", "otc_limit")]


# ------------------------------------------------------------------ doses


def test_a_dose_cap_is_said_and_the_dose_asked(engine: Engine) -> None:
    found = about(engine, "interaction.simvastatin-amlodipine", "simvastatin", "amlodipine")
    assert [(a.fact, a.value) for a in found.assumed] == [("dose", "more than 20 mg a day")]
    assert not found.interrupt


@pytest.mark.parametrize("dose", ["simvastatin 20", "simvastatin 20 mg", "simvastatin 10 daily"])
def test_a_told_dose_within_the_cap_is_no_finding(engine: Engine, dose: str) -> None:
    assert "interaction.simvastatin-amlodipine" not in {f.rule for f in findings(engine, dose, "amlodipine 5 mg daily")}


def test_a_tablet_of_more_than_the_cap_is_taken_to_be_taken_daily(engine: Engine) -> None:
    found = about(engine, "interaction.simvastatin-verapamil", "simvastatin 20 mg tablet", "verapamil 240 mg oral daily")
    assert found.interrupt
    assert {a.fact for a in found.assumed} <= {"dose", "frequency"}


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("lisinopril 20", "mg"),
        ("lisinopril 20 daily", "mg"),
        ("levothyroxine 75", "mcg"),
        ("eliquis 5 bid", "mg"),
        ("digoxin 0.125 daily", "mg"),
        ("digoxin 125", "mcg"),
        ("lantus 20 at bedtime", "unit"),  # insulin is told in nothing else
    ],
)
def test_a_bare_number_is_a_strength_that_is_sold_unless_it_may_be_a_count(engine: Engine, text: str, unit: str) -> None:
    [entry] = facts_of(engine, {"patient": {"medications": [text]}}).entries
    assert entry.directions.dose is not None
    assert entry.directions.dose[0].unit == unit


@pytest.mark.parametrize(
    "text", ["lisinopril 21 daily", "lasix 40, 20 at noon", "fentanyl 25", "warfarin 2 daily", "prednisone 1 daily"]
)
def test_a_number_that_may_be_a_count_is_no_strength_or_not_all_of_it_stays_open(engine: Engine, text: str) -> None:
    [entry] = facts_of(engine, {"patient": {"medications": [text]}}).entries
    assert entry.directions.dose is None


# ------------------------------------------------------------------ whichever it is


@pytest.mark.parametrize(
    ("medications", "severity"),
    [
        (("sildenafil", "a nitrate"), "contraindicated"),
        (("an SSRI", "phenelzine"), "contraindicated"),
        (("blood thinner", "ibuprofen"), "major"),
        (("MAO inhibitor", "pseudoephedrine 60 q6h prn"), "contraindicated"),
        (("a nitrate", "PDE5 inhibitor"), "contraindicated"),
        (("K-Dur 20 bid", "potassium-sparing diuretic"), "contraindicated"),
        (("an SSRI", "MAO inhibitor"), "contraindicated"),
        (("blood thinner", "an NSAID"), "major"),
        (("a nitrate", "Viagra or Cialis"), "contraindicated"),
    ],
)
def test_what_every_medicine_of_a_class_word_would_break_is_a_finding(engine: Engine, medications: Any, severity: str) -> None:
    spoken = [f for f in findings(engine, *medications) if f.assumed and f.assumed[0].fact == "medication"]
    assert spoken[0].severity == severity
    assert spoken[0].interrupt


@pytest.mark.parametrize(
    "medications",
    [
        ("no warfarin", "ibuprofen"),
        ("statin", "metformin 500 mg oral daily"),
        ("a statin", "an ACE inhibitor"),
        ("blood thinner", "blood thinner"),
        ("lamictal or lamisil", "Klonopin or clonidine"),
    ],
)
def test_a_name_after_not_and_a_class_that_breaks_nothing_are_no_loud_finding(engine: Engine, medications: Any) -> None:
    assert not [f for f in findings(engine, *medications) if f.severity != "minor"]


# ------------------------------------------------------------------ one product, several roles


def test_an_ace_inhibitor_and_its_diuretic_in_one_tablet_count_as_two_with_an_nsaid(engine: Engine) -> None:
    rule = "interaction.triple-whammy"
    together = about(engine, rule, "Zestoretic", "ibuprofen")
    apart = about(
        engine, rule, "lisinopril 20 mg oral daily", "hydrochlorothiazide 12.5 mg oral daily", "ibuprofen 400 mg oral daily"
    )
    assert together.severity == apart.severity


def test_one_product_alone_is_no_interaction_with_itself(engine: Engine) -> None:
    assert not [f for f in findings(engine, "Zestoretic 20/12.5 mg oral daily") if f.kind == "interaction"]


# ------------------------------------------------------------------ every loud pair, named bare


def test_each_loud_pair_named_bare_is_told_or_asks_for_the_route_or_is_about_some_patients_only(engine: Engine) -> None:
    tried = runpy.run_path(str(REPO / "tools" / "bare_pairs.py"))["tried"]
    for entry in engine.library.entries:
        if entry.kind != "interaction" or entry.status != "active" or entry.severity not in ("contraindicated", "major"):
            continue
        asks_more = any(not (isinstance(leaf, lib.DrugLeaf) and leaf.slot) for leaf in entry.condition)
        ways = any(leaf.routes or leaf.forms or leaf.says for leaf in entry.condition if isinstance(leaf, lib.DrugLeaf))
        for one in tried(engine, entry):
            if one.outcome == "waits":
                assert one.severity == "major" or entry.id in WAITING, one
                assert one.why.startswith("route"), one
            elif one.outcome == "silent":
                assert asks_more or ways, one


def test_a_name_that_nobody_knows_silences_no_pair(engine: Engine) -> None:
    known = ("carbamazepine 200 mg twice daily", "ritonavir 100 mg daily")
    alone = {(f.rule, f.severity) for f in findings(engine, *known)}
    beside = findings(engine, *known, "qwxyz 5 mg daily")
    assert alone <= {(f.rule, f.severity) for f in beside}
    (told,) = [f for f in beside if f.rule == "interaction.protease-inhibitor-inducer"]
    assert [(a.fact, str(a.where)) for a in told.assumed] == [("medication", "medications[2]")]


def test_what_may_be_the_missing_medicine_itself_is_not_assumed_away(engine: Engine) -> None:
    opioid = "morphine ER 30 mg twice daily"
    missing = {f.rule for f in findings(engine, opioid) if f.kind == "omission"}
    assert missing  # a laxative
    assert missing.isdisjoint(f.rule for f in findings(engine, opioid, "qwxyz 5 mg daily"))
