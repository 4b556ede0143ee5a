"""Into what a medicine is injected: a kind of a parenteral route, told by itself or not."""

from __future__ import annotations

import pytest
from conftest import loaded
from measuring.chart_lines import told_of

from safety.engine import Engine

KINDS = {
    "IV": "intravenous", "ivpb": "intravenous", "IM": "intramuscular", "subcut": "subcutaneous", "under the skin": "subcutaneous",
    "intradermally": "intradermal", "epidurally": "epidural",
}  # fmt: skip


@pytest.fixture(scope="module")
def engine() -> Engine:
    return loaded()


@pytest.mark.parametrize(("word", "kind"), KINDS.items())
def test_a_kind_of_injection_is_parenteral_and_told_apart(word: str, kind: str, engine: Engine) -> None:
    (entry,) = told_of(f"morphine 4 mg {word} q4h", engine)
    assert (entry.routes, entry.directions.injected, entry.directions.unread) == (("parenteral",), kind, ())


def test_injected_alone_may_be_any_kind(engine: Engine) -> None:
    (entry,) = told_of("morphine 4 mg by injection q4h", engine)
    assert (entry.routes, entry.directions.injected) == (("parenteral",), None)


def test_two_kinds_told_at_once_are_neither(engine: Engine) -> None:
    (entry,) = told_of("morphine 4 mg IM or IV q4h", engine)
    assert (entry.routes, entry.directions.injected) == (("parenteral",), None)


@pytest.mark.parametrize(
    ("route", "kinds"), [("intravenous", {"IV"}), ("subcutaneous", {"subcut", "under the skin"}), ("intramuscular", {"IM"})]
)
def test_a_field_tells_the_kind_as_a_line_does(route: str, kinds: set[str], engine: Engine) -> None:
    for word in (route, *kinds):
        case = {"patient": {}, "plan": [{"drug": "promethazine", "dose": "25 mg", "route": word}]}
        found = {f.rule for f in engine.check(case, "2026-11-20").findings if f.rule.startswith("route.never")}
        assert bool(found) == (route != "intramuscular")
