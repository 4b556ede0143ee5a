"""What a ledger says is held is held: each entry that it names speaks for its medicine in some patient."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from conftest import compiled
from measuring.held import Claim, Prover, unproved

from safety.answering.checker import Checker
from safety.engine import VERSION
from safety.knowledge.library import Coverage, Statement


@dataclass(frozen=True)
class Label:
    """The ledger of one label that says that one entry holds something."""

    drug: str
    held: str
    routes: tuple[str, ...] = ()
    supply: str = "prescription"


@pytest.fixture(scope="module")
def prover() -> Prover:
    found = compiled()
    cases = {i: found.cases[i] for i in found.cases}
    return Prover(Checker(found.library, VERSION), lambda i: cases.get(i, ()))


def claim(prover: Prover, label: Label) -> Claim:
    """What becomes of the one thing that a ledger says is held."""
    stated = Statement("something", ("interaction",), (label.held,), "", "kb/coverage/x.yaml:1:1")
    ledger = Coverage("coverage.x", label.drug, None, label.supply, label.routes, {"warnings": (stated,)}, (), ())
    (found,) = prover.claims(ledger)
    return found


def test_every_entry_that_a_ledger_names_speaks_for_its_medicine(prover: Prover) -> None:
    problems = unproved(c for ledger in prover.library.coverage for c in prover.claims(ledger))
    assert [str(p) for p in problems] == []


@pytest.mark.parametrize(
    ("label", "severity"),
    [
        (Label("drug.warfarin", "interaction.warfarin-nsaid"), "major"),
        (Label("drug.meloxicam", "interaction.warfarin-nsaid"), "major"),  # a class member that no case names
        (Label("drug.cefuroxime", "allergy.same-ingredient"), "contraindicated"),  # the allergy goes with the medicine
        (Label("drug.hydrocortisone", "contraindication.corticosteroids.optic-neuritis", ("oral",)), "major"),
        (Label("drug.ibuprofen", "otc-disallowed.asthma.nsaids", supply="otc"), "minor"),
        (Label("drug.tramadol", "route.broken-up.long-acting-opioid-broken-up"), "contraindicated"),
    ],
)
def test_an_entry_speaks_for_any_medicine_that_it_is_about_as_loudly_as_it_can(
    prover: Prover, label: Label, severity: str
) -> None:
    found = claim(prover, label)
    assert (found.spoke.how, found.spoke.severity) == ("fires", severity)
    assert unproved([found]) == []


@pytest.mark.parametrize(
    "label",
    [
        Label("drug.lisinopril", "interaction.warfarin-nsaid"),
        Label("drug.pregabalin", "dose.gabapentin"),
        Label("drug.morphine", "allergy.same-ingredient"),  # excepted there
        Label("drug.hydrocortisone", "contraindication.corticosteroids.optic-neuritis", ("parenteral",)),  # only by mouth
        Label("drug.meloxicam", "otc-disallowed.asthma.nsaids"),  # only of what is bought
        Label("drug.cetirizine", "dose.cetirizine", supply="otc"),  # only of what is prescribed
    ],
)
def test_an_entry_that_cannot_speak_for_a_medicine_as_its_label_is_about_holds_nothing_of_it(
    prover: Prover, label: Label
) -> None:
    found = claim(prover, label)
    assert found.spoke.how == "never"
    (problem,) = unproved([found])
    assert problem.code == "K505"
    assert label.held in str(problem)


def test_a_reminder_to_measure_is_told_apart_from_a_finding(prover: Prover) -> None:
    assert claim(prover, Label("drug.lisinopril", "monitoring.tests.raas-blocker-potassium")).spoke.how == "reminds"
