"""How many of a class at once; how loud a rule is, and what could make it louder."""

from __future__ import annotations

from typing import Any

import pytest
from small_kb import DAY, READ, WHOLE, avoid, needs, rule, small, verdict

from safety.errors import KnowledgeError

BURDEN = rule(
    "burden.it",
    kind="burden",
    condition=[{"burden": {"class": "class.all", "at_least": 2}}, {"drug": {"class": "class.all", "as": "it"}}],
    constraint={"avoid": "it"},
)
ALL = {"all": {"members": ["drug.alphadine", "drug.betadorm", {"drug": "drug.deltafen", "route": ["oral"]}]}}


@pytest.mark.parametrize(
    ("medications", "expected"),
    [
        (["alphadine 5 mg daily"], "silent"),
        (["alphadine 5 mg daily", "alphadine 5 mg at bedtime"], "silent"),
        (["alphadine 5 mg daily", "betadorm 5 mg daily"], "violated"),
        (["Duocap 1 capsule daily"], "violated"),
        (["alphadine 5 mg daily", {"drug": "deltafen", "route": "oral"}], "violated"),
        (["alphadine 5 mg daily", {"drug": "deltafen", "route": "topical"}], "silent"),
        (["alphadine 5 mg daily", {"drug": "deltafen"}], "violated"),
        (["alphadine 5 mg daily", {"drug": "betadorm", "until": "2026-11-19"}], "silent"),
        (["alphadine 5 mg daily", "qwxyz 1 mg daily"], "unknown"),
        (["alphadine 5 mg daily", "zetanol 1 mg daily"], "silent"),
    ],
)
def test_a_burden_counts_different_ingredients_that_are_taken_now(medications: list[Any], expected: str) -> None:
    assert verdict(small(BURDEN, classes=ALL), "burden.it", medications=medications) == expected


def test_two_medicines_that_are_not_recognised_may_both_be_of_the_class() -> None:
    card = BURDEN | {
        "condition": [{"burden": {"class": "class.all", "at_least": 3}}, {"drug": {"class": "class.all", "as": "it"}}]
    }
    medications = ["alphadine 5 mg daily", "qwxyz 1 mg daily", "vvkkq 2 mg daily"]
    assert verdict(small(card, classes=ALL), "burden.it", medications=medications) == "unknown"


# ------------------------------------------------------------------ severity


def clause(line: Any, severity: str) -> dict[str, Any]:
    return {"if": line, "severity": severity, "because": f"{severity} here"}


OLD, LIGHT, WOMAN = {"age": {"at_least": "65 y"}}, {"weight": {"under": "50 kg"}}, {"sex": "female"}


def loudness(card: dict[str, Any], **patient: Any) -> tuple[str, str, set[str]]:
    (finding,) = small(card).check({"patient": {"medications": ["alphadine 5 mg daily"], **patient}}, DAY).findings
    return finding.severity, finding.severity_because, set(finding.severity_needs)


def test_the_first_clause_that_holds_decides_and_says_why() -> None:
    card = avoid(severity_when=[clause(OLD, "major"), clause(LIGHT, "contraindicated"), clause(WOMAN, "minor")])
    assert loudness(card, age=70, weight="40 kg", sex="female") == ("major", "major here", set())
    assert loudness(card, age=60, weight="40 kg", sex="female") == ("contraindicated", "contraindicated here", set())
    assert loudness(card, age=60, weight="60 kg", sex="female") == ("minor", "minor here", set())
    assert loudness(card, age=60, weight="60 kg", sex="male") == ("moderate", "", set())


def test_a_louder_clause_that_is_not_decided_is_told_and_not_assumed() -> None:
    card = avoid(severity_when=[clause(OLD, "major"), clause(LIGHT, "minor")])
    assert loudness(card) == ("moderate", "", {"age"})
    assert loudness(card, age=60) == ("moderate", "", set())
    assert loudness(card, weight="40 kg") == ("minor", "minor here", {"age"})


def test_a_clause_that_would_be_louder_than_the_one_that_holds_is_told_too() -> None:
    """The header says moderate, the first clause keeps it so for the old, the second makes it quieter."""
    card = avoid(severity_when=[clause(OLD, "moderate"), clause(LIGHT, "minor")])
    assert loudness(card, age=70, weight="40 kg")[0] == "moderate"
    assert loudness(card, weight="40 kg") == ("minor", "minor here", {"age"})


PAIR = rule(
    "interaction.it",
    kind="interaction",
    severity="major",
    condition=[{"drug": {"id": "drug.alphadine", "as": "a"}}, {"drug": {"class": "class.greeks", "as": "b"}},
               {"different_ingredient": ["a", "b"]}],
    constraint={"avoid_together": ["a", "b"]},
    severity_when=[clause({"drug": {"is": "b", "daily_dose": {"at_most": "5 mg"}}}, "minor"),
                   clause({"drug": {"is": "b", "id": "drug.betadorm"}}, "moderate")],
)  # fmt: skip


@pytest.mark.parametrize(
    ("others", "severity"),
    [
        (["betadorm 5 mg daily"], "minor"),
        (["betadorm 6 mg daily"], "moderate"),
        (["betadorm 6 mg daily", "zetanol 1 mg daily"], "moderate"),
    ],
)
def test_a_clause_may_speak_of_the_very_medicine_of_the_pair(others: list[str], severity: str) -> None:
    assert loudness(PAIR, medications=["alphadine 5 mg daily", *others])[0] == severity


def test_another_small_dose_on_the_list_does_not_quiet_the_pair() -> None:
    card = PAIR | {"severity_when": [clause({"drug": {"is": "a", "daily_dose": {"at_most": "5 mg"}}}, "minor")]}
    takes = ["alphadine 20 mg daily", "betadorm 5 mg daily"]
    assert loudness(card, medications=takes)[0] == "major"
    anywhere = PAIR | {"severity_when": [clause({"drug": {"any": "yes", "daily_dose": {"at_most": "5 mg"}}}, "minor")]}
    assert loudness(anywhere, medications=takes)[0] == "minor"


def test_a_line_of_a_condition_may_speak_of_a_named_medicine() -> None:
    big = {"not": {"drug": {"is": "a", "daily_dose": {"at_most": "10 mg"}}}}
    card = PAIR | {"condition": [*PAIR["condition"], big], "severity_when": []}
    for dose, expected in (("10 mg daily", "silent"), ("11 mg daily", "violated"), ("", "unknown")):
        takes = [f"alphadine {dose}", "betadorm 5 mg daily"]
        assert verdict(small(card), "interaction.it", medications=takes) == expected


def test_is_must_name_a_line_that_was_named_and_not_name_one_itself() -> None:
    for wrong in ({"drug": {"is": "c", "id": "drug.betadorm"}}, {"drug": {"is": "a", "as": "c"}}):
        with pytest.raises(KnowledgeError):
            small(PAIR | {"severity_when": [clause(wrong, "minor")]})


def test_only_contraindicated_and_major_interrupt_and_only_interactions_that_are_major_are_hard() -> None:
    interrupts = {}
    for severity in ("contraindicated", "major", "moderate", "minor"):
        for kind in ("interaction", "contraindication"):
            card = avoid(i=f"{kind}.it", kind=kind, severity=severity)
            (finding,) = small(card).check({"patient": {"medications": ["alphadine 5 mg daily"]}}, DAY).findings
            interrupts[severity, kind] = finding.interrupt, finding.hard
    assert interrupts == {
        ("contraindicated", "interaction"): (True, True),
        ("contraindicated", "contraindication"): (True, True),
        ("major", "interaction"): (True, True),
        ("major", "contraindication"): (True, False),
        ("moderate", "interaction"): (False, False),
        ("moderate", "contraindication"): (False, False),
        ("minor", "interaction"): (False, False),
        ("minor", "contraindication"): (False, False),
    }


# ------------------------------------------------------------------ the verdict of the report

HOLDS = [
    avoid(OLD, i="interaction.a", kind="interaction"),
    avoid(OLD, i="contraindication.b"),
    avoid(OLD, i="otc.c", kind="otc_limit"),
]


def overall(*medications: Any, **patient: Any) -> str:
    told = {**WHOLE, "age": None, "medications": list(medications), **patient}
    return small(*HOLDS, coverage={"alphadine": READ}).check({"patient": told}, DAY).verdict


def test_clear_is_said_only_where_nothing_is_open() -> None:
    assert overall("alphadine 5 mg daily", age=30) == "clear"
    assert overall("alphadine 5 mg daily", age=70) == "violated"
    assert overall("alphadine 5 mg daily") == "unknown"
    assert overall("alphadine 5 mg daily", "qwxyz 1 mg daily", age=30) == "unknown"
    assert overall("alphadine 5 mg daily", "zetanol 1 mg daily", age=30) == "unknown"
    assert overall("alphadine 5 mg daily", age=30, conditions=["the lurgy"]) == "unknown"
    assert overall("alphadine 5 mg daily", age=30, allergies=["the lurgy"]) == "unknown"
    assert overall("alphadine 5 mg daily", age=30, labs=[{"test": "lurgy count", "value": 3}]) == "unknown"
    assert overall("alphadine 5 mg daily", age=30, conditions=[], allergies=[], labs=[]) == "clear"
    assert overall("alphadine 5 mg daily", age=30, medications_complete="no") != "clear"


def test_a_violation_outweighs_everything_open() -> None:
    assert overall("alphadine 5 mg daily", "qwxyz 1 mg daily", age=70, conditions=["the lurgy"]) == "violated"


@pytest.mark.parametrize("stopped", [{"until": "2026-11-19"}, {"until": "2020-01-01"}])
def test_a_medicine_that_is_stopped_is_not_judged_and_not_counted_as_uncovered(stopped: dict[str, str]) -> None:
    assert overall({"drug": "alphadine", **stopped}, age=70) == "clear"
    assert overall({"drug": "zetanol", **stopped}, age=70) == "clear"


def test_what_is_not_recognised_is_told_with_where_it_stands() -> None:
    case = {
        "patient": {
            "medications": ["alphadine 5 mg daily", "qwxyz 1 mg daily"],
            "conditions": ["ulcer", "the lurgy"],
            "allergies": ["moonlight"],
            "labs": [{"test": "lurgy count", "value": 3}],
        },
        "plan": ["greek drugs 5 mg daily"],
    }
    report = small(*HOLDS).check(case, DAY)
    assert {(u.where, u.text, u.status) for u in report.unresolved} == {
        ("medications[1]", "qwxyz 1 mg daily", "unrecognised"),
        ("conditions[1]", "the lurgy", "unrecognised"),
        ("allergies[0]", "moonlight", "unrecognised"),
        ("labs[0]", "lurgy count 3", "unrecognised"),
        ("plan[0]", "greek drugs 5 mg daily", "ambiguous"),
    }
    assert all(u.ask for u in report.unresolved)


def test_an_uncovered_drug_says_what_is_lacking() -> None:
    report = small(*HOLDS).check({"patient": {**WHOLE, "medications": ["zetanol 1 mg daily"]}}, DAY)
    assert [(n.drug, n.where, n.lacks, n.holds) for n in report.not_covered] == [
        ("drug.zetanol", "medications[0]", ["interaction", "contraindication", "dose", "allergy", "kidney"], ["route"])
    ]


def test_a_draft_and_a_rule_that_a_site_switched_off_never_speak() -> None:
    engine = small(avoid(status="draft"))
    assert needs(engine, medications=["alphadine 5 mg daily"]) == set()
    assert engine.check({"patient": {"medications": ["alphadine 5 mg daily"]}}, DAY).findings == []
