"""The ONC's lists, by the pairs written inside the rules: the 15 groups interrupt, the 33 never do; more rules change nothing."""

from __future__ import annotations

from functools import cache

import pytest
from conftest import compiled, examples
from hypothesis import given, settings
from hypothesis import strategies as st
from measuring.growing import grown, measure_groups, written
from msgspec.structs import replace

from safety.answering.checker import Checker
from safety.knowledge.proofs import Proof
from safety.model.patient import Case, Medication
from safety.model.report import Report

HIGH, LOW, TIMES = 15, 33, 10


@cache
def checker() -> Checker:
    return Checker(compiled().library, "test")


@cache
def pairs(list_: str) -> tuple[Proof, ...]:
    """The written cases that break a rule of a list."""
    entry = compiled().library.entry
    return tuple(p for p in compiled().proofs if p.expect == "violated" and any(t.startswith(list_) for t in entry[p.entry].tags))


@cache
def groups(list_: str, count: int, interrupting: bool):  # type: ignore[no-untyped-def]
    return {g.tag: g for g in measure_groups(list_, count, compiled().proofs, checker(), interrupting)}


def spoken(report: Report) -> set[tuple[str, frozenset[str]]]:
    """Every rule that spoke, with where its drugs stand."""
    return {(f.rule, frozenset(s.where for s in f.subjects)) for f in report.every_finding}


@pytest.mark.parametrize("n", range(1, HIGH + 1))
def test_every_written_pair_of_a_high_priority_group_interrupts_everybody(n: int) -> None:
    group = groups("onc-high", HIGH, True)[f"onc-high-{n:02}"]
    assert group.rules
    assert group.cases
    assert group.wrong == ()


@pytest.mark.parametrize("n", range(1, LOW + 1))
def test_every_low_priority_group_is_recorded_and_never_interrupts_anybody(n: int) -> None:
    group = groups("onc-low", LOW, False)[f"onc-low-{n:02}"]
    assert group.rules, f"{group.tag}: no rule records it"
    assert group.cases
    assert group.wrong == ()


def test_the_measure_would_tell_if_a_group_did_not_interrupt() -> None:
    silent = groups("onc-low", LOW, True)
    loud = groups("onc-high", HIGH, False)
    assert all(group.wrong for group in silent.values() if group.rules)
    assert all(group.wrong for group in loud.values())
    assert not groups("onc-none", 1, True)["onc-none-01"].right


def test_no_rule_is_on_both_lists() -> None:
    both = [e.id for e in compiled().library.entries if {t[:7] for t in e.tags} >= {"onc-hig", "onc-low"}]
    assert both == []


@settings(max_examples=examples(120), deadline=None)
@given(st.data())
def test_adding_an_unrelated_drug_never_removes_a_finding(data: st.DataObject) -> None:
    """Unrelated: the rule that speaks does not name it. What is added goes to the end, so that places stay."""
    library = compiled().library
    proof = data.draw(st.sampled_from([*pairs("onc-high"), *pairs("onc-low")]))
    drug = data.draw(st.sampled_from(library.drugs))
    case, day = written(proof, library)
    more = _with(case, drug.name)
    before, after = checker().check(case, day), checker().check(more, day)
    lost = {rule for rule, _ in spoken(before) - spoken(after)}
    assert not {rule for rule in lost if drug.id not in _named(rule)}


def _with(case: Case, name: str) -> Case:
    listed = (*case.patient.medications, Medication(name))
    return replace(case, patient=replace(case.patient, medications=listed))


def _named(rule: str) -> str:
    """All that a rule says, as text: whether a drug is named in it."""
    entry = compiled().library.entry[rule]
    return repr((entry.condition, entry.constraint))


def test_ten_times_the_rules_change_no_answer_and_no_candidate() -> None:
    library = compiled().library
    many = Checker(grown(library, TIMES), "test")
    assert len(many.library.entries) > 0.9 * TIMES * len(library.entries)
    for proof in [*pairs("onc-high"), *pairs("onc-low")]:
        case, day = written(proof, library)
        assert many.check(case, day).to_json() == checker().check(case, day).to_json()
    for drug in library.drugs:  # what is looked at grows with what is taken, never with what is known of others
        assert [e.id for e in many.index.candidates([drug.id], [])] == [e.id for e in checker().index.candidates([drug.id], [])]
