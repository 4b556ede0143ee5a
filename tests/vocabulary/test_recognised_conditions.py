"""The conditions of one table, `kb/recognised/conditions.yaml`: recognized like any other, and no rule speaks of them."""

from __future__ import annotations

import re

from click.testing import CliRunner
from conftest import REPO

from safety.cli.main import cli
from safety.engine import Engine
from safety.knowledge.library import Condition, Library

SPEAKING = ("rules", "kb/doses", "kb/otc", "kb/inferences", "kb/figures", "kb/products", "kb/drugs", "kb/classes")


def _recognised(library: Library) -> list[Condition]:
    found = [c for c in library.conditions if c.unjudged]
    assert len(found) > 200  # the table shrinks as rules come to speak of what stands in it
    return found


def test_no_rule_speaks_of_a_condition_of_the_table_or_of_what_it_is_a_kind_of(library: Library) -> None:
    named = {
        i
        for folder in SPEAKING
        for path in (REPO / folder).rglob("*.yaml")
        for i in re.findall(r"\bcondition\.[a-z0-9-]+", path.read_text(encoding="utf-8"))
    }
    assert [c.id for c in _recognised(library) if not named.isdisjoint(c.is_a)] == []


def test_nothing_with_a_file_of_its_own_is_a_kind_of_a_condition_of_the_table(library: Library) -> None:
    table = {c.id for c in _recognised(library)}
    assert [c.id for c in library.conditions if not c.unjudged and not table.isdisjoint(c.is_a)] == []


def test_every_condition_of_the_table_is_read_from_a_problem_list(engine: Engine, library: Library) -> None:
    told = [c.name for c in _recognised(library)]
    report = engine.check({"patient": {"medications": [], "conditions": told}}, as_of="2026-11-22")
    # it says that medicines are taken, and not which: that is asked
    assert [told[u.where.index] for u in report.unresolved] == ["long-term anticoagulation"]
    assert all("Which medicine" in u.ask for u in report.unresolved)


def test_list_and_show_say_that_no_rule_speaks_of_it(library: Library) -> None:
    first = _recognised(library)[0]
    runner = CliRunner()
    shown = runner.invoke(cli, ["list", "conditions", "--find", first.id]).stdout
    assert f"{first.id}  {first.name}  (recognized only: no rule speaks of it)" in shown
    assert "unjudged yes" in runner.invoke(cli, ["show", first.id]).stdout
    assert "recognized only" not in runner.invoke(cli, ["list", "conditions", "--find", "condition.epilepsy"]).stdout
