"""What goes wrong is an id; its words are only shown. Rewording them moves no finding to another card."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import engine_of, examples
from hypothesis import given, settings
from hypothesis import strategies as st
from library_cases import DAY, cases, mentioned
from msgspec.structs import replace
from small_kb import avoid, doses, rule, small

from safety.answering.grouping import grouped
from safety.engine import Engine
from safety.knowledge.library import Library
from safety.model.report import Finding, Report

WORDS = st.text("abcdefghijklmnopqrstuvwxyz ,;", min_size=1).map(str.strip).filter(bool)
PAIR = [{"drug": {"id": f"drug.{d}", "as": d}} for d in ("alphadine", "betadorm")]
OTHER_PAIR = [{"drug": {"id": f"drug.{d}", "as": d}} for d in ("betadorm", "gammapril")]
CONDITIONS = ["heart failure", "atrial fibrillation", "chronic kidney disease stage 4", "long QT syndrome", "asthma", "dementia"]
THREE = {"patient": {"medications": ["alphadine 5 mg daily", "betadorm 5 mg daily", "gammapril 5 mg daily"]}}


def cards(report: Report) -> list[list[tuple[str, tuple[str, ...]]]]:
    """Which findings stand together, and in which order."""
    return [[(f.rule, tuple(s.where for s in f.subjects)) for f in (card, *card.also)] for card in report.findings]


@pytest.fixture(scope="module")
def reworded(library: Library) -> Engine:
    """The same knowledge, in which every entry has the texts of another, and every harm the name of another."""
    texts = [(e.title, e.harm, e.why, e.advice) for e in library.entries]
    names = [h.name for h in library.harms]
    entries = tuple(
        replace(
            e, title=title, harm=harm, why=why, advice=advice,
            doses=replace(e.doses, harm_low=harm) if e.doses else None,
        )
        for e, (title, harm, why, advice) in zip(library.entries, texts[7:] + texts[:7], strict=True)
    )  # fmt: skip
    harms = tuple(replace(h, name=name) for h, name in zip(library.harms, names[7:] + names[:7], strict=True))
    return engine_of(replace(library, entries=entries, harms=harms))


@given(st.data())
@settings(max_examples=examples(60), deadline=None)
def test_rewording_every_text_of_the_library_regroups_nothing(engine: Engine, reworded: Engine, data: st.DataObject) -> None:
    known = sorted(mentioned(), key=lambda d: -mentioned()[d])[:60]
    names = [engine.library.drug[d].name for d in known if d in engine.library.drug]
    taken = data.draw(st.lists(st.sampled_from(names), min_size=6, max_size=12, unique=True))
    has = data.draw(st.lists(st.sampled_from(CONDITIONS), max_size=3, unique=True))
    case = {"patient": {"age": "70 y", "conditions": has, "medications": [f"{name} daily" for name in taken]}}
    before = engine.check(case, DAY)
    assert cards(reworded.check(case, DAY)) == cards(before)
    text = data.draw(WORDS)
    told = [replace(f, harm=text, title=text, why=text, advice=text, also=[]) for f in before.every_finding]
    again = grouped(told, engine.library.harm_root)
    assert [[f.rule for f in (c, *c.also)] for c in again] == [[f.rule for f in (c, *c.also)] for c in before.findings]


@given(cases())
@settings(max_examples=examples(60), deadline=None)
def test_every_finding_says_what_goes_wrong_by_id_and_in_words(engine: Engine, case: dict[str, Any]) -> None:
    for f in engine.check(case, DAY).every_finding:
        assert f.harms
        assert len(set(f.harms)) == len(f.harms)
        assert set(f.harms) <= set(engine.library.harm_root)
        assert f.harm


def test_the_widest_harm_is_the_same_for_a_harm_and_all_it_belongs_to(library: Library) -> None:
    for harm in library.harms:
        assert harm.is_a[0] == harm.id
        assert {library.harm_root[wider] for wider in harm.is_a} == {harm.is_a[-1]}


def test_a_dose_that_can_be_too_low_says_what_too_little_does(library: Library) -> None:
    for e in library.entries:
        if e.doses is not None and any(r.has_a_least for r in (*e.doses.ranges, *e.doses.adjust)):
            assert e.doses.harms_low, e.id
            assert e.doses.harm_low, e.id


# ------------------------------------------------------------------ what a card says, and where it stands


def pair_of(i: str, condition: list[Any], harm: Any, **outcome: str) -> dict[str, Any]:
    names = [line["drug"]["as"] for line in condition]
    return rule(
        i, kind="interaction", condition=condition, constraint={"avoid_together": names}, outcome={"harm": harm, **outcome}
    )


def card_of(engine: Engine, case: dict[str, Any] = THREE) -> list[Finding]:
    return engine.check(case, DAY).findings


def test_a_card_says_the_names_of_its_harms_in_order_the_chief_one_first() -> None:
    (card,) = card_of(small(pair_of("interaction.it", PAIR, ["harm.dullness", "harm.upset"])))
    assert (card.harms, card.harm) == (["harm.dullness", "harm.upset"], "dullness, upset")


@given(WORDS)
@settings(max_examples=examples(10), deadline=None)
def test_a_text_takes_the_place_of_the_names_and_changes_no_id(text: str) -> None:
    (card,) = card_of(small(pair_of("interaction.it", PAIR, ["harm.dullness", "harm.upset"], text=text)))
    assert (card.harms, card.harm) == (["harm.dullness", "harm.upset"], text)


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        ("harm.upset", "harm.upset", True),
        ("harm.severe-upset", "harm.upset", True),
        ("harm.upset", "harm.severe-upset", True),
        ("harm.severe-upset", "harm.dullness", False),
        ("harm.upset", ["harm.dullness", "harm.upset"], False),
        (["harm.upset", "harm.dullness"], ["harm.upset"], True),
    ],
    ids=["one harm", "a kind of it", "a kind of it, second", "another", "one that comes second", "of several the chief"],
)
def test_findings_that_share_a_medicine_and_the_widest_harm_are_one_card(first: Any, second: Any, together: bool) -> None:
    engine = small(pair_of("interaction.one", PAIR, first), pair_of("interaction.two", OTHER_PAIR, second))
    assert len(card_of(engine)) == (1 if together else 2)


def test_a_text_that_names_the_same_harm_gathers_nothing() -> None:
    engine = small(
        pair_of("interaction.one", PAIR, "harm.upset", text="bleeding"),
        pair_of("interaction.two", OTHER_PAIR, "harm.dullness", text="bleeding"),
    )
    assert len(card_of(engine)) == 2


def test_two_kinds_of_one_harm_are_one_card() -> None:
    harms = {"upset": {"name": "upset"}, **{k: {"name": k, "is_a": "harm.upset"} for k in ("sick", "sore")}}
    engine = small(
        pair_of("interaction.one", PAIR, "harm.sick"), pair_of("interaction.two", OTHER_PAIR, "harm.sore"), harms=harms
    )
    (card,) = card_of(engine)
    assert [f.harm for f in (card, *card.also)] == ["sick", "sore"]


def test_one_reason_against_one_medicine_says_its_harm() -> None:
    engine = small(avoid({"age": {"at_least": "65 y"}}, outcome={"harm": "harm.severe-upset", "onset": "days"}))
    (card,) = engine.check({"patient": {"age": "70 y", "medications": ["alphadine 5 mg daily"]}}, DAY).findings
    assert (card.harms, card.harm) == (["harm.severe-upset"], "severe upset (onset: days)")


@pytest.mark.parametrize(
    ("dose", "harms", "words"),
    [("30 mg", ["harm.severe-upset"], "severe upset"), ("1 mg", ["harm.dullness"], "it does nothing")],
    ids=["too much", "too little"],
)
def test_a_wrong_dose_says_what_too_much_or_too_little_of_it_does(dose: str, harms: list[str], words: str) -> None:
    table = doses(
        {"id": "adult", "day": {"at_least": "5 mg", "at_most": "20 mg"}},
        harm="harm.severe-upset", harm_low="harm.dullness", harm_low_text="it does nothing",
    )  # fmt: skip
    report = small(table).check({"patient": {"age": "50 y", "medications": [f"alphadine {dose} by mouth once daily"]}}, DAY)
    (card,) = report.findings
    assert (card.harms, card.harm) == (harms, words)
