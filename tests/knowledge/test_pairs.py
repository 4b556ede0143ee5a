"""Interactions by the medicine that is affected, rules of two facts, and ids that entries had before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from broken.laying import BASE, changed, compiled_over, copy_of_base, lay, problems_of
from conftest import engine_of

from safety.engine import Engine
from safety.errors import KnowledgeError
from safety.knowledge.library import Entry, Library

DAY = "2026-11-20"
FILE = "rules/interactions/metformin.yaml"
PAIRS = """\
id: interaction.metformin
affected: drug.metformin
status: active
severity: moderate
review: {last: 2026-11-20, due: 2027-11-20, by_whom: []}
pairs:
  - id: naproxen
    was: interaction.old-table.metformin-naproxen
    with: drug.naproxen
    do: {monitor: affected}
    advice: Watch {affected} with {other}.
    why: {pharmacodynamic: "{other} harms the kidneys, which clear {affected}."}
    outcome: {harm: harm.kidney-injury, onset: days}
    evidence: {source: source.a-label, at: section 7}
    fires: {naproxen with metformin is flagged: [metformin 500 mg oral, naproxen 250 mg oral]}
    quiet: {acetaminophen is left alone: [metformin 500 mg oral, acetaminophen 500 mg oral]}
"""
DEPENDS = """\
depends_on:
  - pathway: pathway.cyp2c9
    sensitivity: sensitive
    evidence: {source: source.a-label, at: section 12}
    rules:
      - was: interaction.old-table.metformin-weak
        with: {inhibitors: weak}
        do: {reduce: affected}
        advice: Lower {affected} while {inhibitor} is taken.
        outcome: {harm: harm.lactic-acidosis, onset: days}
        fires: {acetaminophen with metformin is flagged: [metformin 500 mg oral, acetaminophen 500 mg oral]}
        quiet: {naproxen does not matter: [metformin 500 mg oral, naproxen 250 mg oral]}
"""
EXCEPTION = """\
      - id: ibuprofen
        with: {inhibitors: drug.ibuprofen}
        severity: major
        do: {stop: affected}
        advice: Stop {affected} while {inhibitor} is taken.
        outcome: {harm: harm.lactic-acidosis, onset: days}
        fires: {ibuprofen with metformin is flagged: [metformin 500 mg oral, ibuprofen 400 mg oral]}
        quiet: {naproxen does not matter here: [metformin 500 mg oral, naproxen 250 mg oral]}
"""
OLD = {
    "interaction.metformin.naproxen": "interaction.old-table.metformin-naproxen",
    "interaction.metformin.cyp2c9-weak-inhibitors": "interaction.old-table.metformin-weak",
}


@pytest.fixture
def base(tmp_path: Path) -> Path:
    root = copy_of_base(tmp_path)
    lay(root, FILE, PAIRS.replace("pairs:\n", f"{DEPENDS}{EXCEPTION}pairs:\n"))
    lay(root, "kb/harms/tired.yaml", "id: harm.tired\nname: tired\n")
    return root


def load(root: Path, *overlays: Path) -> Engine:
    found = compiled_over(root, *overlays)
    if found.problems:
        raise KnowledgeError(found.problems)
    return engine_of(found.library)


def found(engine: Engine, *drugs: str) -> dict[str, Any]:
    report = engine.check({"patient": {"medications": list(drugs), "conditions": []}}, as_of=DAY)
    return {f.rule: f for f in report.every_finding}


# ------------------------------------------------------------------ what a row stands for


def test_a_file_of_pairs_has_no_fault(base: Path) -> None:
    (base / "kb/harms/tired.yaml").unlink()
    assert [str(p) for p in problems_of(base)] == []


def test_a_row_is_the_entry_that_a_file_of_its_own_would_be(base: Path) -> None:
    card = """\
id: interaction.by-itself
title: Metformin with naproxen
kind: interaction
status: active
severity: moderate
review: {last: 2026-11-20, due: 2027-11-20, by_whom: []}
condition:
  - drug: {id: drug.metformin, as: affected}
  - drug: {id: drug.naproxen, as: other}
constraint: {avoid_together: [affected, other]}
action: {do: monitor, target: affected, advice: "Watch {affected} with {other}."}
rationale: {mechanism: pharmacodynamic, summary: "{other} harms the kidneys, which clear {affected}."}
outcome: {harm: harm.kidney-injury, onset: days}
evidence: [{source: source.a-label, at: section 7, supports: [severity, constraint]}]
cases:
  - {name: naproxen with metformin is flagged, given: {drugs: [metformin 500 mg oral, naproxen 250 mg oral]}, expect: violated}
  - {name: metformin alone is left alone, given: {drugs: [metformin 500 mg oral]}, expect: not_applicable}
"""
    lay(base, "rules/interactions/by-itself.yaml", card)
    engine = load(base)
    both = found(engine, "metformin 500 mg oral", "naproxen 250 mg oral")
    row, own = both["interaction.metformin.naproxen"], both["interaction.by-itself"]
    for key in ("title", "severity", "harm", "why", "do", "advice", "escalate", "evidence", "subjects"):
        assert getattr(row, key) == getattr(own, key), key


def test_the_names_of_the_medicines_stand_in_the_reason(base: Path) -> None:
    (finding,) = found(load(base), "metformin 500 mg oral", "naproxen 250 mg oral").values()
    assert finding.why == "naproxen harms the kidneys, which clear metformin."


# ------------------------------------------------------------------ two facts


def test_a_rule_of_two_facts_names_both_with_their_places(base: Path) -> None:
    finding = found(load(base), "metformin 500 mg oral", "acetaminophen 500 mg oral")[
        "interaction.metformin.cyp2c9-weak-inhibitors"
    ]
    steps = {s.step: (s.saw, s.place) for s in finding.trace}
    assert steps["acetaminophen is a weak CYP2C9 inhibitor"] == (
        "source.a-label, section 7 (recalled)",
        "kb/pathways/cyp2c9.yaml:5:15",
    )
    assert steps["metformin depends on CYP2C9, which clears it, sensitive"] == (
        "source.a-label, section 12 (recalled)",
        "rules/interactions/metformin.yaml:7:5",
    )
    assert finding.title == "Metformin with a weak CYP2C9 inhibitor"
    assert finding.why == "CYP2C9 clears metformin and is partly blocked."


def test_who_is_named_by_an_exception_is_judged_there_alone(base: Path) -> None:
    changed(base, "kb/pathways/cyp2c9.yaml", "[drug.acetaminophen]", "[drug.acetaminophen, drug.ibuprofen]")
    findings = found(load(base), "metformin 500 mg oral", "ibuprofen 400 mg oral")
    assert {i: f.severity for i, f in findings.items()} == {"interaction.metformin.ibuprofen": "major"}


def test_whoever_joins_a_pathway_has_every_rule_that_follows(base: Path) -> None:
    naproxen = "metformin 500 mg oral", "naproxen 250 mg oral"
    assert set(found(load(base), *naproxen)) == {"interaction.metformin.naproxen"}
    changed(base, "kb/pathways/cyp2c9.yaml", "[drug.acetaminophen]", "[drug.acetaminophen, drug.naproxen]")
    assert set(found(load(base), *naproxen)) == {
        "interaction.metformin.naproxen",
        "interaction.metformin.cyp2c9-weak-inhibitors",
    }


def test_a_site_may_take_the_place_of_a_pathway(base: Path, tmp_path: Path) -> None:
    text = (base / "kb/pathways/cyp2c9.yaml").read_text(encoding="utf-8").replace("acetaminophen", "naproxen")
    lay(tmp_path / "site", "kb/pathways/cyp2c9.yaml", text)
    engine = load(base, tmp_path / "site")
    assert found(engine, "metformin 500 mg oral", "acetaminophen 500 mg oral") == {}
    findings = found(engine, "metformin 500 mg oral", "naproxen 250 mg oral")
    assert findings["interaction.metformin.cyp2c9-weak-inhibitors"].decided_by == "overlay site"


# ------------------------------------------------------------------ earlier ids


@pytest.mark.parametrize("now", OLD)
def test_an_earlier_id_finds_the_entry_as_it_is_called_now(now: str, base: Path) -> None:
    library = compiled_over(base).library
    assert (library.current_id(OLD[now]), library.current_id(now)) == (now, now)
    assert library.rows_of("interaction.old-table") == sorted(OLD)


@pytest.mark.parametrize("called", [0, 1])
@pytest.mark.parametrize("now", OLD)
def test_a_site_switches_an_entry_off_by_either_id(now: str, called: int, base: Path, tmp_path: Path) -> None:
    i = (now, OLD[now])[called]
    lay(tmp_path / "site", f"{_at(i)}.yaml", f"id: {i}\nretire: {{reason: too many alerts here}}\n")
    library = _library(base, tmp_path / "site")
    assert [e.id for e in library.entries if e.switched_off] == [now]


def test_a_site_switches_a_table_off_by_the_id_it_had(base: Path, tmp_path: Path) -> None:
    lay(tmp_path / "site", "rules/interactions/old-table.yaml", "id: interaction.old-table\nretire: {reason: not here}\n")
    assert sorted(e.id for e in _library(base, tmp_path / "site").entries if e.switched_off) == sorted(OLD)


@pytest.mark.parametrize("now", OLD)
def test_a_site_takes_the_place_of_an_entry_by_its_earlier_id(now: str, base: Path, tmp_path: Path) -> None:
    text = (BASE / "rules/interactions/warfarin-nsaid.yaml").read_text(encoding="utf-8")
    lay(tmp_path / "site", f"{_at(OLD[now])}.yaml", text.replace("interaction.warfarin-nsaid", OLD[now]))
    library = _library(base, tmp_path / "site")
    assert now not in library.entry
    assert library.entry[OLD[now]].origin == "site"


def _at(i: str) -> str:
    return f"rules/interactions/{i.partition('.')[2]}"


def _library(root: Path, *overlays: Path) -> Library:
    compiled = compiled_over(root, *overlays)
    assert [str(p) for p in compiled.problems] == []
    return compiled.library


# ------------------------------------------------------------------ all knowledge


def test_no_earlier_id_is_lost_or_in_use(library: Library) -> None:
    moved = [(e, old) for e in library.entries for old in e.was]
    assert len(moved) > 1000
    assert [old for _, old in moved if old in library.entry] == []
    assert [old for e, old in moved if library.current_id(old) != e.id] == []


def test_every_rule_of_two_facts_says_which(library: Library) -> None:
    through: list[Entry] = [e for e in library.entries if e.through is not None]
    assert len(through) > 100
    for e in through:
        assert e.through is not None
        assert e.through.pathway in library.pathway
        assert e.through.evidence
        assert e.through.place.startswith("rules/interactions/")
