"""The order in which medicines are listed changes neither how loud a finding is nor how many cards there are."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from conftest import examples
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from library_cases import DAY

from safety.engine import Engine
from safety.model.report import Finding, Report

EVERYDAY = [
    "apixaban 2.5 mg oral twice daily",
    "apixaban 5 mg oral twice daily",
    "ketoconazole 200 mg oral daily",
    "methotrexate 15 mg oral weekly",
    "methotrexate 1000 mg intravenous once",
    "omeprazole 20 mg oral daily",
    "fentanyl 50 mcg intravenous once",
    "fentanyl 50 mcg/h patch every 72 hours",
    "clarithromycin 500 mg oral twice daily",
    "fluconazole 150 mg oral once",
    "fluconazole 400 mg oral daily",
    "alprazolam 0.5 mg oral three times daily",
    "warfarin 5 mg oral daily",
    "Percocet 10/325 oral every 4 hours",
    "Tylenol 500 mg oral every 4 hours",
    "Tylenol 500 mg oral once",
    "meperidine 50 mg oral every 6 hours",
    "Kaletra oral twice daily",
    "Paxlovid oral twice daily",
    "methadone 10 mg oral three times daily",
    "carbamazepine 200 mg oral twice daily",
    "St. John's wort",
    "aspirin 81 mg oral daily",
    "ibuprofen 400 mg oral three times daily",
    "lisinopril 10 mg oral daily",
    "spironolactone 25 mg oral daily",
    "lithium 300 mg oral three times daily",
    "sertraline 50 mg oral daily",
    "citalopram 40 mg oral daily",
    "haloperidol 5 mg oral daily",
    "digoxin 0.125 mg oral daily",
    "propranolol 40 mg oral twice daily",
    "diphenhydramine 50 mg oral at bedtime",
]


def told(engine: Engine, medications: list[Any], **patient: Any) -> Report:
    known = {"age": "50 y", "sex": "male", "weight": "80 kg", "conditions": [], "allergies": [], "labs": [], **patient}
    return engine.check({"patient": {**known, "medications": list(medications)}}, DAY)


def findings(report: Report) -> set[tuple[str, str, tuple[str, ...]]]:
    return {(f.rule, f.severity, ingredients(f)) for f in report.every_finding}


def ingredients(f: Finding) -> tuple[str, ...]:
    return tuple(sorted(str(s.drug) for s in f.subjects))


@settings(deadline=None, max_examples=examples(150), suppress_health_check=list(HealthCheck), phases=set(Phase) - {Phase.explain})
@given(medications=st.lists(st.sampled_from(EVERYDAY), min_size=2, max_size=9, unique=True), data=st.data())
def test_the_order_of_the_list_changes_no_level_and_no_card(engine: Engine, medications: list[str], data: st.DataObject) -> None:
    before = told(engine, medications)
    after = told(engine, data.draw(st.permutations(medications)))
    assert findings(after) == findings(before)
    assert len(after.findings) == len(before.findings)
    assert sum(f.interrupt for f in after.findings) == sum(f.interrupt for f in before.findings)


@pytest.mark.parametrize(
    ("medications", "rule", "severity"),
    [
        (EVERYDAY[0:3], "interaction.doac-inhibitor", "major"),
        (EVERYDAY[3:6], "interaction.methotrexate-ppi-penicillin", "major"),
        (EVERYDAY[6:9], "interaction.fentanyl.strong-cyp3a4-inhibitors", "major"),
        (EVERYDAY[9:12], "interaction.alprazolam.cyp3a4-moderate-inhibitors", "moderate"),
        (EVERYDAY[12:15], "interaction.warfarin-acetaminophen", "moderate"),
        (EVERYDAY[16:18], "interaction.meperidine.cyp3a4-strong-inhibitors", "major"),
        (EVERYDAY[16:19:2], "interaction.meperidine.cyp3a4-strong-inhibitors", "major"),
    ],
)
def test_the_level_is_the_worst_of_the_medicines_it_is_told_of(
    engine: Engine, medications: list[str], rule: str, severity: str
) -> None:
    for listed in permutations(medications):
        (found,) = [f for f in told(engine, list(listed)).every_finding if f.rule == rule]
        assert found.severity == severity
        assert len(found.subjects) == len(medications)


def test_a_clause_softens_only_where_it_holds_for_every_one(engine: Engine) -> None:
    rule = "interaction.doac-inhibitor"
    (low,) = [f for f in told(engine, [EVERYDAY[0], EVERYDAY[2]]).every_finding if f.rule == rule]
    assert low.severity == "moderate"


def test_the_level_is_explained_by_the_medicine_that_makes_it(engine: Engine) -> None:
    ritonavir = "meperidine 50 mg oral every 6 hours", "ritonavir 100 mg oral daily"
    rule = "interaction.meperidine.cyp3a4-strong-inhibitors"
    (plain,) = [f for f in told(engine, list(ritonavir)).every_finding if f.rule == rule]
    (combined,) = [f for f in told(engine, [ritonavir[0], "Kaletra oral twice daily"]).every_finding if f.rule == rule]
    assert (combined.severity_because, combined.title) == (plain.severity_because, plain.title)


def test_what_could_make_another_of_them_louder_is_still_asked(engine: Engine) -> None:
    sure, unsaid = "apixaban 2.5 mg oral twice daily", "apixaban oral twice daily"
    for listed in permutations([sure, unsaid, "ketoconazole 200 mg oral daily"]):
        (found,) = [f for f in told(engine, list(listed)).every_finding if f.rule == "interaction.doac-inhibitor"]
        alone = told(engine, [unsaid, "ketoconazole 200 mg oral daily"]).every_finding
        (other,) = [f for f in alone if f.rule == found.rule]
        assert found.severity == other.severity
        assert set(other.severity_needs) <= set(found.severity_needs)


def test_a_limit_is_as_loud_as_the_loudest_line_that_it_counts(engine: Engine) -> None:
    bought = {"drug": "diphenhydramine", "route": "oral", "supply": "otc"}
    much = {**bought, "dose": "200 mg", "frequency": "four times daily"}
    little = {**bought, "dose": "25 mg", "frequency": "at bedtime"}
    assert findings(told(engine, [little, much])) == findings(told(engine, [much, little]))


def test_cards_do_not_depend_on_the_order_of_the_list(engine: Engine) -> None:
    medications = ["methadone 10 mg oral three times daily", "carbamazepine 200 mg oral twice daily", "St. John's wort"]
    cards = {
        frozenset(frozenset((f.rule, ingredients(f)) for f in (card, *card.also)) for card in told(engine, list(listed)).findings)
        for listed in permutations(medications)
    }
    assert len(cards) == 1
