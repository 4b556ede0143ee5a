"""Allergies: whom they cover, how grave they were, and what is not told."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import refusal
from small_kb import DAY, avoid, needs, rule, small, verdict

from safety.engine import Engine

TAKES = ["alphadine 5 mg daily"]
SAME = avoid({"allergy": {"to": "it"}})
CLASS = avoid({"allergy": {"to": "class.greeks"}})
GRADED = avoid({"allergy": {"to": "class.greeks", "reaction": ["severe"]}})


@pytest.mark.parametrize(
    ("allergies", "to_it", "to_class"),
    [
        (None, "unknown", "unknown"),
        ([], "silent", "silent"),
        (["alphadine"], "violated", "violated"),
        (["ALPHADINE"], "violated", "violated"),
        (["allergy to alphadine"], "violated", "violated"),
        (["greeks"], "violated", "violated"),
        (["greek drugs"], "violated", "violated"),
        (["betadorm"], "silent", "violated"),
        (["gammapril"], "silent", "silent"),
        (["nuts"], "silent", "silent"),
        ([{"to": "nuts"}, {"to": "alphadine"}], "violated", "violated"),
    ],
    ids=["not told", "told none", "the drug", "upper case", "as a sentence", "its class", "synonym of the class", "a sibling",
         "another drug", "no drug", "one of two"],
)  # fmt: skip
def test_an_allergy_covers_the_drug_its_class_and_for_class_rules_its_siblings(allergies: Any, to_it: str, to_class: str) -> None:
    assert verdict(small(SAME), medications=TAKES, allergies=allergies) == to_it
    assert verdict(small(CLASS), medications=TAKES, allergies=allergies) == to_class


def test_an_allergy_to_a_combination_product_covers_each_of_its_ingredients() -> None:
    assert verdict(small(SAME), medications=TAKES, allergies=["Duocap"]) == "violated"


def test_an_allergy_to_one_ingredient_speaks_against_a_product_that_hides_it() -> None:
    card = rule(condition=[{"drug": {"any": "yes", "as": "it"}}, {"allergy": {"to": "it"}}], constraint={"avoid": "it"})
    assert verdict(small(card), medications=["Duocap 1 capsule daily"], allergies=["betadorm"]) == "violated"
    assert verdict(small(card), medications=["Duocap 1 capsule daily"], allergies=["gammapril"]) == "silent"


def test_an_allergy_to_something_that_is_no_drug_can_be_asked_about() -> None:
    engine = small(avoid({"allergy": {"to": "allergen.nuts"}}))
    assert verdict(engine, medications=TAKES, allergies=["nuts"]) == "violated"
    assert verdict(engine, medications=TAKES, allergies=[{"to": "?", "system": "snomed", "code": "100000009"}]) == "violated"
    assert verdict(engine, medications=TAKES, allergies=["greeks"]) == "silent"


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"reaction": "anaphylaxis"}, "violated"),
        ({"reaction": "Hives, then throat swelling"}, "violated"),
        ({"reaction": "rash and trouble breathing"}, "violated"),
        ({"reaction": "rash"}, "silent"),
        ({"reaction": "upset stomach"}, "silent"),
        ({"reaction": "felt funny"}, "unknown"),
        ({"severity": "severe"}, "violated"),
        ({}, "unknown"),
    ],
)
def test_a_rule_about_severe_reactions_asks_where_the_reaction_is_not_told(told: dict[str, str], expected: str) -> None:
    assert verdict(small(GRADED), medications=TAKES, allergies=[{"to": "betadorm", **told}]) == expected


def test_a_severe_reaction_outweighs_one_that_is_not_told() -> None:
    allergies = [{"to": "betadorm"}, {"to": "greeks", "reaction": "anaphylaxis"}]
    assert verdict(small(GRADED), medications=TAKES, allergies=allergies) == "violated"
    assert (
        verdict(small(GRADED), medications=TAKES, allergies=[{"to": "betadorm"}, {"to": "alphadine", "reaction": "rash"}])
        == "unknown"
    )


def test_what_happened_is_asked_for() -> None:
    assert needs(small(GRADED), medications=TAKES, allergies=["greeks"]) == {"reaction"}
    assert needs(small(GRADED), medications=TAKES) == {"allergies"}


def test_a_reaction_that_is_denied_is_not_had() -> None:
    """`rash, no anaphylaxis` is not anaphylaxis."""
    told = [{"to": "betadorm", "reaction": "rash, no anaphylaxis"}]
    assert verdict(small(GRADED), medications=TAKES, allergies=told) != "violated"


@pytest.mark.parametrize("text", ["flurbozide", "something", "no known allergies but sneezes", "🥜"])
def test_an_allergen_that_is_not_recognised_is_told_and_never_clear(text: str) -> None:
    report = small(SAME).check({"patient": {"medications": TAKES, "allergies": [text]}}, DAY)
    assert [(u.where, u.status) for u in report.unresolved] == [("allergies[0]", "unrecognised")]
    assert report.verdict == "unknown"


@pytest.mark.parametrize("text", ["", "  "])
def test_an_empty_allergy_is_never_read_as_told_there_are_none(text: str) -> None:
    engine = small(SAME)
    case = {"patient": {"medications": TAKES, "allergies": [text]}}
    assert refusal(lambda: engine.check(case, DAY)) or engine.check(case, DAY).verdict != "clear"


@pytest.mark.parametrize("denial", ["NKDA", "No known allergies.", {"to": "none known"}])
def test_no_known_allergies_beside_an_allergy_is_asked_about_and_the_allergy_stands(denial: Any) -> None:
    told = {"to": "alphadine", "reaction": "hives"}
    for allergies in ([denial, told], [told, denial]):
        report = small(SAME).check({"patient": {"medications": TAKES, "allergies": allergies}}, DAY)
        alone = small(SAME).check({"patient": {"medications": TAKES, "allergies": [told]}}, DAY)
        assert [f.rule for f in report.every_finding] == [f.rule for f in alone.every_finding]
        assert [(u.where, u.status) for u in report.unresolved] == [(f"allergies[{allergies.index(denial)}]", "contradicted")]
        assert report.verdict != "clear"


def test_no_known_drug_allergies_is_not_contradicted_by_a_food() -> None:
    for denial, statuses in (("NKDA", []), ("no known allergies", ["contradicted"])):
        report = small(SAME).check({"patient": {"medications": TAKES, "allergies": [denial, "nuts"]}}, DAY)
        assert [u.status for u in report.unresolved] == statuses
    strange = small(SAME).check({"patient": {"medications": TAKES, "allergies": ["NKDA", "qwertol"]}}, DAY)
    assert [u.status for u in strange.unresolved] == ["unrecognised", "contradicted"]


PENICILLIN = {"age": "40 y", "medications": ["amoxicillin 500 mg by mouth three times daily"], "conditions": []}


@pytest.mark.parametrize(
    ("line", "severity"),
    [
        ("penicillin: anaphylaxis 2019", "contraindicated"),
        ("penicillin (anaphylaxis)", "contraindicated"),
        ("anaphylaxis to penicillin", "contraindicated"),
        ("PCN -> rash", "major"),
        ("penicillin - hives ten years ago", "major"),
        ("hives from amoxicillin", "major"),
        ("amoxicillin causes hives", "major"),
        ("Augmentin gave me a rash as a child", "major"),
        ("codeine (nausea), penicillin (rash)", "major"),
        ("penicillins & cephalosporins: anaphylaxis", "contraindicated"),
        ("amoxicillin/clavulanate: nausea", "quieter"),
    ],
)
def test_an_allergy_line_is_read_with_its_reaction(engine: Engine, line: str, severity: str) -> None:
    report = engine.check({"patient": {**PENICILLIN, "allergies": [line]}}, DAY)
    (found,) = [f for f in report.every_finding if f.kind == "allergy"]
    assert found.severity == severity if severity != "quieter" else found.severity in ("moderate", "minor")
    assert report.unresolved == []


@pytest.mark.parametrize("line", ["no reaction to penicillin", "not allergic to penicillin", "qwertol: rash", "water"])
def test_what_is_not_surely_an_allergy_is_asked_about_and_never_clear(engine: Engine, line: str) -> None:
    report = engine.check({"patient": {**PENICILLIN, "allergies": [line]}}, DAY)
    assert [u.where for u in report.unresolved] == ["allergies[0]"]
    assert report.verdict != "clear"


def test_each_of_several_allergies_in_one_line_keeps_its_own_reaction(engine: Engine) -> None:
    both = {**PENICILLIN, "medications": [*PENICILLIN["medications"], "codeine 30 mg by mouth every 6 hours"]}
    report = engine.check({"patient": {**both, "allergies": ["PCN: anaphylaxis; codeine (nausea); qwertol"]}}, DAY)
    found = {f.subjects[0].drug: f.severity for f in report.every_finding if f.kind == "allergy"}
    assert found.pop("drug.amoxicillin") == "contraindicated"
    assert found.pop("drug.codeine") in ("moderate", "minor")
    assert found == {}
    assert [(u.text, u.status) for u in report.unresolved] == [("qwertol", "unrecognised")]


@pytest.mark.parametrize(
    "line",
    [
        "penicillin - codeine", "codeine - penicillin", "penicillin (rash) codeine (nausea)", "penicillin -> sulfa -> codeine",
        "sulfa - hives - amoxicillin - anaphylaxis", "penicillin: aspirin: rash", "codeine, amoxicillin years ago",
        "codeine; PCN months ago", "sulfa (also penicillin)", "Allergies: penicillin", "penicillin; no other allergies",
        "penicillin (not sure what happened)", {"to": "penicillin and codeine", "system": "rxnorm", "code": "2670"},
        {"to": "penicillin", "system": "rxnorm", "code": "2670"}, {"to": "codeine", "system": "rxnorm", "code": "723"},
        {"to": "penicillin", "system": "rxnorm", "code": "723"}, {"to": "?", "system": "rxnorm", "code": "723"},
        "codeine, gets hives from amoxicillin", "mother reports hives with amoxicillin",
        {"to": "NKDA", "reaction": "anaphylaxis to penicillin"},
        {"to": "none", "system": "snomed", "code": "91936005", "display": "Allergy to penicillin"},
    ],
    ids=str,
)  # fmt: skip
def test_no_allergen_of_a_line_is_lost(engine: Engine, line: Any) -> None:
    report = engine.check({"patient": {**PENICILLIN, "allergies": [line]}}, DAY)
    assert [f.subjects[0].drug for f in report.every_finding if f.kind == "allergy"] == ["drug.amoxicillin"]


@pytest.mark.parametrize(
    "line",
    [
        "latex, unknown drug", "severe reaction to a drug", "mother: penicillin", "family history: penicillin",
        "penicillin (refuted)",
        "penicillin (not allergic)", "no allergy: penicillin", "penicillin - negative skin test", "tolerates: amoxicillin",
        "codeine, given amoxicillin", "codeine: hives, amoxicillin given",
        "codeine (xyzzymycin too)",
    ],
)  # fmt: skip
def test_what_is_named_but_not_as_an_allergen_is_asked_about_and_raises_no_alarm(engine: Engine, line: str) -> None:
    report = engine.check({"patient": {**PENICILLIN, "allergies": [line]}}, DAY)
    assert [f for f in report.every_finding if f.kind == "allergy"] == []
    assert [(u.where, u.status) for u in report.unresolved] == [("allergies[0]", "unrecognised")]
    assert report.verdict != "clear"


@pytest.mark.parametrize(
    "line",
    [
        "penicillin (rash, anaphylaxis), codeine (nausea)", "penicillin: rash and anaphylaxis, codeine: nausea",
        "codeine (nausea, vomiting), penicillin (hives, throat swelling)", "penicillin: anaphylaxis years ago",
        "penicillin hives, SJS years ago", "penicillin: severe rash", "penicillin: hives, stopped breathing",
        "penicillin: hives, was intubated", {"to": "penicillin (rash), codeine", "reaction": "anaphylaxis"},
        {"to": "penicillin (rash), codeine", "severity": "severe"},
        {"to": "penicillin: anaphylaxis", "severity": "mild", "reaction": "nausea"},
        {"to": "penicillin (anaphylaxis)", "reaction": "rash"},
    ],
    ids=str,
)  # fmt: skip
def test_of_all_that_was_told_of_a_reaction_the_gravest_counts(engine: Engine, line: Any) -> None:
    report = engine.check({"patient": {**PENICILLIN, "allergies": [line]}}, DAY)
    (found,) = [f for f in report.every_finding if f.kind == "allergy"]
    assert found.severity == "contraindicated"
    assert report.unresolved == []


@pytest.mark.parametrize(
    ("line", "severity"), [("allopurinol: rash ten days later", "major"), ("allopurinol - TEN", "contraindicated")]
)
def test_ten_is_a_number_and_in_capitals_a_skin_reaction(engine: Engine, line: str, severity: str) -> None:
    report = engine.check({"patient": {"medications": ["allopurinol 100 mg oral daily"], "allergies": [line]}}, DAY)
    assert [f.severity for f in report.every_finding if f.kind == "allergy"] == [severity]


@pytest.mark.parametrize("denial", ["NKDA", "allergies: NKDA", "Allergies: none", "no known drug allergies"])
def test_a_denial_with_its_heading_is_a_denial(engine: Engine, denial: str) -> None:
    report = engine.check({"patient": {**PENICILLIN, "allergies": [denial]}}, DAY)
    assert report.unresolved == []
    assert [f for f in report.every_finding if f.kind == "allergy"] == []


@pytest.mark.parametrize("line", ["no current medications", "no drug allergies", "NKDA"])
def test_a_denial_of_something_else_does_not_empty_the_problem_list(engine: Engine, line: str) -> None:
    report = engine.check({"patient": {**PENICILLIN, "conditions": [line], "allergies": []}}, DAY)
    assert [u.where for u in report.unresolved] == ["conditions[0]"]


def test_of_a_text_beside_its_code_nothing_is_lost(engine: Engine) -> None:
    """The text names an allergen that no medicine covers, and one that nobody knows; the code is of a medicine."""
    told = [{"to": "egg; codeine; xyzzymycin", "system": "rxnorm", "code": "2670"}]
    report = engine.check({"patient": {**PENICILLIN, "allergies": told}}, DAY)
    assert [u.text for u in report.unresolved] == ["xyzzymycin"]
    anaesthetic = engine.check({"patient": {"medications": ["propofol 100 mg IV once"], "allergies": told}}, DAY)
    only_egg = engine.check({"patient": {"medications": ["propofol 100 mg IV once"], "allergies": ["egg"]}}, DAY)
    rules = {f.rule for f in only_egg.every_finding}
    assert rules
    assert rules <= {f.rule for f in anaesthetic.every_finding}
