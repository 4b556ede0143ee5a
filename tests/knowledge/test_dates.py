"""Knowledge has dates: before a rule or a row is in force it is silent, afterwards it speaks; boundaries belong to it."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from broken.laying import changed, copy_of_base
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

import safety
from safety.engine import Engine

RULE = "rules/interactions/warfarin-nsaid.yaml"
OTC = "kb/otc/acetaminophen.yaml"
PAIR = {"patient": {"medications": ["warfarin 5 mg oral", "ibuprofen 400 mg oral"], "conditions": []}}
FROM, TO = date(2020, 3, 1), date(2024, 2, 29)


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    root = copy_of_base(tmp_path_factory.mktemp("dated"))
    changed(root, RULE, "status: active\n", f"status: active\neffective: {{from: {FROM}, to: {TO}}}\n")
    rows = f"- {{from: 2009-04-29, to: {TO}, at_most: 4000 mg}}\n    - {{from: {TO + timedelta(days=1)}, at_most: 3000 mg}}"
    changed(root, OTC, "- {from: 2009-04-29, at_most: 4000 mg}", rows)
    return safety.load(base=root, cache=None)


_EDGE = st.builds(lambda day, n: day + timedelta(days=n), st.sampled_from([FROM, TO]), st.integers(-2, 2))


@settings(max_examples=examples(60), deadline=None)
@given(st.dates(date(2015, 1, 1), date(2030, 1, 1)) | _EDGE)
def test_a_rule_speaks_exactly_on_the_days_it_is_in_force(dated: Engine, day: date) -> None:
    spoke = [f.rule for f in dated.check(PAIR, as_of=day).findings] == ["interaction.warfarin-nsaid"]
    assert spoke == (FROM <= day <= TO)


@pytest.mark.parametrize(
    ("day", "dose", "speaks"),
    [(date(2009, 4, 28), 9000, False), (date(2009, 4, 29), 4001, True), (date(2009, 4, 29), 4000, False), (TO, 3500, False),
     (TO + timedelta(days=1), 3500, True), (TO + timedelta(days=1), 3000, False)],
)  # fmt: skip
def test_the_row_of_a_limit_that_is_in_force_on_the_day_decides(dated: Engine, day: date, dose: int, speaks: bool) -> None:
    case = {"patient": {"medications": [f"acetaminophen {dose} mg/24h oral"], "conditions": []}}
    assert [f.rule for f in dated.check(case, as_of=day).findings] == (["otc.acetaminophen"] if speaks else [])


def test_why_says_that_a_rule_is_not_in_force_yet(dated: Engine) -> None:
    judgement = dated.why("interaction.warfarin-nsaid", PAIR, as_of=FROM - timedelta(days=1))
    assert not judgement.entry.in_force(FROM - timedelta(days=1))
    assert judgement.entry.in_force(FROM)
    assert judgement.trace != ()


def test_a_draft_and_a_retired_rule_stay_silent_on_every_day(tmp_path: Path) -> None:
    root = copy_of_base(tmp_path)
    changed(root, RULE, "status: active", "status: draft")
    (root / "kb/coverage/warfarin.yaml").unlink()  # which says that the rule is held
    engine = safety.load(base=root, cache=None)
    assert engine.check(PAIR, as_of="2026-11-20").findings == []


def test_the_text_of_a_line_is_shown_as_its_author_wrote_it(tmp_path: Path) -> None:
    root = copy_of_base(tmp_path)
    line = "  - pregnancy: {trimester: [1, 2]}\n  - burden: {class: class.nsaids, at_least: 2}\nconstraint:"
    changed(root, RULE, "constraint:", line)
    entry = safety.load(base=root, cache=None).library.entry["interaction.warfarin-nsaid"]
    assert [leaf.text for leaf in entry.condition[2:]] == [
        "pregnancy: {trimester: [1, 2]}",
        "burden: {class: class.nsaids, at_least: 2}",
    ]
