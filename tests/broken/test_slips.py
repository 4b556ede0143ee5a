"""Slips that look right: each must be told, wherever in a file it stands, and none may stop the linter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import examples
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from broken.laying import BASE, HERE, changed, copy_of_bare, lay, problems_of

RULE = "rules/interactions/warfarin-nsaid.yaml"
OTC = "kb/otc/acetaminophen.yaml"
UNITS = "kb/units.yaml"
MET = "rules/contraindications/metformin-kidney.yaml"
LOUD = (
    "severity_when:\n  - {if: {age: {at_least: 65 y}}, severity: contraindicated, because: age, evidence: source.nowhere}\ncases:"
)

SLIPS: dict[str, tuple[str, str, str, str]] = {
    "a unit that is nothing of its base unit": (UNITS, "mcg: 0.000001", "mcg: 0", UNITS),
    "a unit of less than nothing": (UNITS, "mcg: 0.000001", "mcg: -1", UNITS),
    "a unit's aliases that are no list": (UNITS, "mg: [milligram, milligrams]", "mg: milligram", UNITS),
    "a spelling that means two units": (UNITS, "mcg: [ug]", "mcg: [ug, milligram]", UNITS),
    "a source of a louder severity that does not exist": (RULE, "cases:", LOUD, f"{RULE}:19:86: K301"),
    "a limit of a day's dose in days": (OTC, "at_most: 4000 mg", "at_most: 10 d", f"{OTC}:12:35: K206"),
    "a limit below nothing": (OTC, "at_most: 4000 mg", "at_most: -4000 mg", f"{OTC}:12:35: K205"),
    "a row of a limit that ends before it begins": (OTC, "from: 2009-04-29", "from: 2009-04-29, to: 2008-01-01", f"{OTC}:12:"),
    "a route for sale that the drug does not have": (
        "kb/drugs/ibuprofen.yaml", "otc_routes: [oral]", "otc_routes: [topical]", "kb/drugs/ibuprofen.yaml:7:",
    ),
    "a plausible range upside down": ("kb/labs/egfr.yaml", "at_least: 0", "at_least: 900", "kb/labs/egfr.yaml:6:"),
    "a line of a score that gives points for no age": (
        "kb/scores/small.yaml", "age: [{at_least: 65, points: 2}]", "age: []", "kb/scores/small.yaml:5:",
    ),
    "a number of weeks that is empty": (
        MET, "- lab:", '- pregnancy: {weeks: {at_least: ""}}\n  - lab:', f"{MET}:10:",
    ),
}  # fmt: skip


@pytest.mark.parametrize("slip", sorted(SLIPS))
def test_a_slip_that_looks_right_is_told_at_its_place(slip: str, tmp_path: Path) -> None:
    where, old, new, told = SLIPS[slip]
    root = copy_of_bare(tmp_path)
    changed(root, where, old, new)
    said = [str(p) for p in problems_of(root)]
    assert any(s.startswith(told) for s in said), said


def test_a_retired_rule_cannot_name_a_successor_that_does_not_exist(tmp_path: Path) -> None:
    root = copy_of_bare(tmp_path)
    text = (root / RULE).read_text(encoding="utf-8").replace("warfarin-nsaid", "old").replace("status: active", "status: retired")
    lay(root, "rules/retired/old.yaml", f"{text}replaced_by: interaction.nowhere\n")
    said = [str(p) for p in problems_of(root)]
    assert any(s.startswith("rules/retired/old.yaml:") and "interaction.nowhere" in s for s in said), said


def test_an_id_in_capitals_is_told(tmp_path: Path) -> None:
    root = copy_of_bare(tmp_path)
    lay(root, "kb/drugs/Shouted Name.yaml", "id: drug.Shouted Name\nname: shouted\nsupply: otc\nroutes: [oral]\n")
    said = [str(p) for p in problems_of(root)]
    assert any(s.startswith("kb/drugs/Shouted Name.yaml:1:5: ") for s in said), said


def test_problems_come_in_the_order_of_files_lines_and_columns(tmp_path: Path) -> None:
    root = copy_of_bare(tmp_path)
    changed(root, RULE, "severity: major", "severity: majr")
    changed(root, RULE, "do: replace, target: nsaid", "do: replce, targt: nsaid")
    changed(root, OTC, "do: reduce", "do: reduse")
    found = [str(p.place) for p in problems_of(root)]
    assert found == [f"{OTC}:13:14", f"{RULE}:5:11", f"{RULE}:13:14", f"{RULE}:13:22"]


def test_a_slip_in_one_file_is_not_told_again_wherever_its_id_is_named(tmp_path: Path) -> None:
    root = copy_of_bare(tmp_path)
    changed(root, "kb/drugs/warfarin.yaml", "routes: [oral]", "routes: [orl]")
    assert [str(p.place) for p in problems_of(root)] == ["kb/drugs/warfarin.yaml:6:10"]


def test_the_rich_rules_that_the_laws_change_have_no_fault_of_their_own(tmp_path: Path) -> None:
    root = copy_of_bare(tmp_path)
    lay(root, _RICH, (HERE / "rich.yaml").read_bytes())
    lay(root, _PAIRS, (HERE / "pairs.yaml").read_bytes())
    assert problems_of(root) == []


def test_one_file_that_cannot_be_read_does_not_hide_the_slips_of_the_others(tmp_path: Path) -> None:
    root = copy_of_bare(tmp_path)
    lay(root, "kb/drugs/aaa.yaml", "a: [")
    changed(root, RULE, "severity: major", "severity: majr")
    codes = [(p.place.file, p.code) for p in problems_of(root)]
    assert codes == [("kb/drugs/aaa.yaml", "K004"), (RULE, "K103")]


# ------------------------------------------------------------------ laws


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(leaf for key, item in inner for leaf in _leaves(item, (*path, key)))] if path else [
        leaf for key, item in inner for leaf in _leaves(item, (key,))
    ]  # fmt: skip


def _loaded(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)


_FILES = sorted(p.relative_to(BASE).as_posix() for p in BASE.rglob("*.yaml"))
_RICH = "rules/interactions/rich.yaml"
_PAIRS = "rules/interactions/metformin.yaml"
_SPOTS = [(BASE / file, file, path) for file in _FILES for path in _leaves(_loaded(BASE / file))]
_SPOTS += [(HERE / "rich.yaml", _RICH, path) for path in _leaves(_loaded(HERE / "rich.yaml"))] * 3
_SPOTS += [(HERE / "pairs.yaml", _PAIRS, path) for path in _leaves(_loaded(HERE / "pairs.yaml"))] * 3
_ODD = st.sampled_from(
    [None, "", " ", "x", "0", "-1", "1 mg", "class.nsaids", "drug.", ".", "{", "yes", [], {}, [[]], [None], {"": ""}, ["", ""],
     {"id": ""}, "9" * 400, "1e999", "2026-13-01", "lab.egfr", "\x85", True, 3]
) | st.text(max_size=6)  # fmt: skip


@example(spot=(BASE / RULE, RULE, ("condition", 1, "drug")), odd=None)
@example(spot=(BASE / RULE, RULE, ("constraint",)), odd={"avoid": None})
@example(spot=(HERE / "rich.yaml", _RICH, ("condition", 9, "pregnancy", "weeks", "at_least")), odd="")
@example(spot=(HERE / "pairs.yaml", _PAIRS, ("affected",)), odd=None)
@example(spot=(BASE / MET, MET, ("cases", 0, "given", "labs", 0, "value")), odd=None)
@settings(max_examples=examples(90), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(spot=st.sampled_from(_SPOTS), odd=_ODD)
def test_no_odd_value_anywhere_in_the_knowledge_stops_the_linter(spot: Any, odd: Any, tmp_path_factory: Any) -> None:
    source, file, path = spot
    value = _loaded(source)
    inner = value
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = odd
    root = copy_of_bare(tmp_path_factory.mktemp("odd"))
    lay(root, file, yaml.safe_dump(value, allow_unicode=True, sort_keys=False))
    for problem in problems_of(root):  # problems or none, never an exception
        assert problem.message
        assert problem.place.file


@settings(max_examples=examples(24), deadline=None)
@given(spot=st.sampled_from(_SPOTS))
def test_a_line_that_is_lost_never_stops_the_linter(spot: Any, tmp_path_factory: Any) -> None:
    source, file, path = spot
    value = _loaded(source)
    inner = value
    for step in path[:-1]:
        inner = inner[step]
    del inner[path[-1]]
    root = copy_of_bare(tmp_path_factory.mktemp("lost"))
    lay(root, file, yaml.safe_dump(value, allow_unicode=True, sort_keys=False))
    assert all(p.message and p.code for p in problems_of(root))


@pytest.mark.parametrize("file", ["kb/figures/dose-rounding.yaml", "kb/figures/staleness.yaml", "kb/figures/vaccines.yaml"])
def test_no_line_of_the_figures_is_lost_with_a_crash(file: str, tmp_path: Path) -> None:
    root = copy_of_bare(tmp_path)
    for path in _leaves(_loaded(BASE / file)):
        value = inner = _loaded(BASE / file)
        for step in path[:-1]:
            inner = inner[step]
        del inner[path[-1]]
        lay(root, file, yaml.safe_dump(value, allow_unicode=True, sort_keys=False))
        assert all(p.message and p.code for p in problems_of(root))
