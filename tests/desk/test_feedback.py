"""What became of alerts: kept, counted, and learnt from, without a word of a rule changed and nothing hidden."""

from __future__ import annotations

import itertools
import json
from decimal import Decimal
from pathlib import Path

import pytest
from cli.running import medsafe
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from safety.desk.calibration import (
    DECAY,
    EDGE,
    FEWEST,
    FIRST,
    LEARNING_Q,
    LEARNING_W,
    Calibration,
    arranged,
    calibrated,
    credits,
    likeness,
    must_interrupt,
    pair_credits,
)  # fmt: skip
from safety.desk.feedback import REASONS, Answer, Heard, Share, answer_line, heard_in, tallies
from safety.engine import Engine
from safety.errors import RequestError
from safety.model.report import RANK, Finding

SETS = st.lists(st.sampled_from([f"rule.{c}" for c in "abcdef"]), min_size=1, max_size=6, unique=True)


# ------------------------------------------------------------------ the equations


@given(SETS)
def test_credits_are_shared_out_whole_and_fall_by_rank(rules: list[str]) -> None:
    shares = list(credits(rules).values())
    assert abs(sum(shares) - 1) < Decimal("1e-20")
    assert shares == sorted(shares, reverse=True)
    assert all(abs(after / before - DECAY) < Decimal("1e-20") for before, after in itertools.pairwise(shares))
    edges = [(a, b) for n, a in enumerate(rules) for b in rules[n + 1 :]]
    pairs = pair_credits(credits(rules), edges)
    assert not edges or abs(sum(pairs.values()) - 1) < Decimal("1e-20")


def test_two_rules_answered_alike_move_as_the_equations_say(engine: Engine) -> None:
    """Worked by hand from equations 8 to 10: with ranks 1 and 2, a = 1/1.8 and 0.8/1.8; the only pair has all of b."""
    library = engine.library
    one, other = _alike(engine)
    beside = (one, other)
    learnt = calibrated([Answer(rule, "accepted", beside=beside) for rule in beside], library)
    assert abs(learnt.quality[one] - (FIRST + LEARNING_Q / Decimal("1.8"))) < Decimal("1e-20")
    assert abs(learnt.quality[other] - (FIRST + LEARNING_Q * Decimal("0.8") / Decimal("1.8"))) < Decimal("1e-20")
    before = likeness(library.entry[one], library.entry[other])
    assert learnt.between(one, other) == min(before + LEARNING_W, Decimal(1))


def _alike(engine: Engine) -> tuple[str, str]:
    entries = [e for e in engine.library.entries if e.kind == "interaction" and e.slots and e.slots[0].members][:200]
    pairs = ((a.id, b.id) for n, a in enumerate(entries) for b in entries[n + 1 :] if EDGE <= likeness(a, b) < Decimal("0.9"))
    return next(pairs)


def test_the_first_quality_is_that_of_a_rule_that_passes_all_of_its_cases() -> None:
    assert round(FIRST, 4) == Decimal("0.6225")  # 1 / (1 + e^-0.5)


@given(st.lists(st.tuples(st.sampled_from(("accepted", "overridden")), st.sampled_from(("", *REASONS))), max_size=80))
def test_quality_stays_between_0_and_1_and_one_answer_never_moves_it_far(engine: Engine, said: list[tuple[str, str]]) -> None:
    rule = engine.library.entries[0].id
    answers = [Answer(rule, outcome, reason if outcome == "overridden" else "") for outcome, reason in said]  # type: ignore[arg-type]
    steps = [calibrated(answers[:n], engine.library).of(rule) for n in range(len(answers) + 1)]
    assert all(0 <= q <= 1 for q in steps)
    assert all(abs(after - before) <= LEARNING_Q for before, after in itertools.pairwise(steps))


def test_learning_changes_not_a_word_of_a_rule(engine: Engine) -> None:
    before = engine.library.sha256, [e.severity for e in engine.library.entries]
    calibrated([Answer(e.id, "overridden", "not-so") for e in engine.library.entries[:50]] * 30, engine.library)
    assert before == (engine.library.sha256, [e.severity for e in engine.library.entries])


# ------------------------------------------------------------------ nothing is hidden

FINDING = Finding(
    "rule.a", "interaction", "major", False, False, [], "t", [], "", "", "stop", "a", "", "none", "", [], [],
)  # fmt: skip
FINDINGS = st.lists(
    st.builds(
        lambda rule, severity, interrupt: replace(FINDING, rule=rule, severity=severity, interrupt=interrupt),
        st.sampled_from([f"rule.{c}" for c in "abcdef"]), st.sampled_from(list(RANK)), st.booleans(),
    ),
    max_size=9,
)  # fmt: skip
LEARNT = st.builds(
    Calibration,
    st.dictionaries(st.sampled_from([f"rule.{c}" for c in "abcdef"]), st.decimals(0, 1, places=3)),
    st.dictionaries(st.sampled_from([("rule.a", "rule.b"), ("rule.c", "rule.d")]), st.decimals(0, 1, places=3)),
    st.dictionaries(st.sampled_from([f"rule.{c}" for c in "abcdef"]), st.integers(0, 100)),
)


@given(FINDINGS, LEARNT)
def test_whatever_was_learnt_every_finding_is_shown_once_as_it_was(findings: list[Finding], learnt: Calibration) -> None:
    shown = [s.finding for s in arranged(findings, learnt)]
    assert sorted(map(id, shown)) == sorted(map(id, findings))


@given(FINDINGS, LEARNT)
def test_what_must_interrupt_stands_on_top_in_its_own_order(findings: list[Finding], learnt: Calibration) -> None:
    standing = arranged(findings, learnt)
    must = [f for f in findings if must_interrupt(f)]
    assert [s.finding for s in standing[: len(must)]] == must
    assert [s.tier for s in standing[: len(must)]] == ["now"] * len(must)
    assert all(f.severity != "contraindicated" and not f.interrupt for f in (s.finding for s in standing[len(must) :]))


@given(FINDINGS, LEARNT)
def test_within_a_tier_a_louder_finding_stands_above_a_milder_one(findings: list[Finding], learnt: Calibration) -> None:
    standing = arranged(findings, learnt)
    for tier in ("shown", "last"):
        ranks = [RANK[s.finding.severity] for s in standing if s.tier == tier]
        assert ranks == sorted(ranks)


def test_few_answers_never_put_a_rule_last() -> None:
    low = {"rule.a": Decimal(0)}
    assert Calibration(low, {}, {"rule.a": FEWEST - 1}).tier("rule.a") == "shown"
    assert Calibration(low, {}, {"rule.a": FEWEST}).tier("rule.a") == "last"


# ------------------------------------------------------------------ counting


@given(st.integers(0, 60), st.integers(0, 60))
def test_an_interval_holds_its_share(count: int, more: int) -> None:
    share = Share(count, count + more)
    low, high = share.interval
    assert 0 <= low <= high <= 1
    if share.of:
        assert low <= Decimal(count) / share.of + Decimal("1e-20")
        assert high >= Decimal(count) / share.of - Decimal("1e-20")


def test_an_interval_is_as_wilson_has_it() -> None:
    low, high = Share(8, 10).interval  # as R's binom.wilson(8, 10) gives it
    assert (round(low, 4), round(high, 4)) == (Decimal("0.4902"), Decimal("0.9433"))


def test_being_right_is_counted_among_the_answers_that_tell() -> None:
    answers = [
        Answer("r", "accepted"),
        Answer("r", "overridden", "monitored"),
        Answer("r", "overridden", "not-so"),
        Answer("r", "overridden"),
    ]
    (tally,) = tallies(Heard(tuple(answers)))
    assert tally.override == Share(3, 4)
    assert tally.right == Share(2, 3)


def test_answers_to_cards_are_of_the_rules_that_were_shown_and_each_counts_once() -> None:
    lines = [
        {"shown": [{"card": "u1", "rule": "r.a"}, {"card": "u2", "rule": "r.b"}], "on": "2026-11-20"},
        {"card": "u2", "outcome": "overridden", "outcomeTimestamp": "2026-11-20T10:00:00Z",
         "overrideReason": {"reason": {"code": "not-so"}}},
        {"card": "u2", "outcome": "overridden", "outcomeTimestamp": "2026-11-20T10:00:00Z",
         "overrideReason": {"reason": {"code": "not-so"}}},
        {"card": "u9", "outcome": "accepted", "outcomeTimestamp": "2026-11-20T10:00:00Z"},
    ]  # fmt: skip
    heard = heard_in([("f", b"".join(json.dumps(line).encode() + b"\n" for line in lines))])
    assert [(a.rule, a.reason, a.beside) for a in heard.answers] == [("r.b", "not-so", ("r.a", "r.b"))]
    assert (dict(heard.shown), heard.unplaced) == ({"r.a": 1, "r.b": 1}, 1)


@given(
    st.sampled_from(("accepted", "overridden")),
    st.sampled_from(("", *REASONS)),
    st.sampled_from(("", "pharmacist", "prescriber")),
)
def test_an_answer_is_read_as_it_was_written(outcome: str, reason: str, role: str) -> None:
    answer = Answer("r", outcome, "" if outcome == "accepted" else reason, role, None, ("r", "s"))  # type: ignore[arg-type]
    assert heard_in([("f", answer_line(answer))]).answers == (answer,)


@pytest.mark.parametrize("line", [b"{}", b"no json", b'{"rule": "r", "outcome": "ignored"}', b"\xff"])
def test_a_line_that_is_no_feedback_is_told_with_its_place(line: bytes) -> None:
    with pytest.raises(RequestError) as stop:
        heard_in([("f.jsonl", b"\n" + line)])
    assert [(str(p.place), p.code) for p in stop.value.problems] == [("f.jsonl:2:1", "R126")]


# ------------------------------------------------------------------ on the command line


def test_answers_are_kept_shown_and_order_a_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        assert medsafe("feedback", "add", "interaction.warfarin-nsaid", "--overridden", "--reason", "not-so").code == 0
    assert medsafe("feedback", "add", "interaction.warfarin-nsaid", "--accepted", "--role", "prescriber").code == 0
    (row,) = medsafe("feedback", "show", "--json").rows
    assert (row["shown"], row["accepted"], row["overridden"], row["reasons"]) == (3, 1, 2, {"not-so": 2})
    assert row["ppv"]["count"] == 1
    assert row["quality"] < 0.6225
    shown = medsafe("feedback", "show")
    assert max(map(len, shown.out.splitlines())) <= 80
    one = medsafe("feedback", "show", "--rule", "interaction.warfarin-nsaid").out
    assert "It does not apply to this patient: 2 of 3, 67% (21-94)" in " ".join(one.split())
    ran = medsafe("check", "warfarin 5 mg daily", "ibuprofen 400 mg tid", "--feedback", "feedback.jsonl")
    assert ran.code == 1
    plain = medsafe("check", "warfarin 5 mg daily", "ibuprofen 400 mg tid")
    assert sorted(ran.out.splitlines()) == sorted(plain.out.splitlines())


def test_what_is_neither_accepted_nor_overridden_and_what_is_no_rule_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert medsafe("feedback", "add", "interaction.warfarin-nsaid").code == 2
    assert medsafe("feedback", "add", "interaction.warfarin-nsad", "--accepted").code == 2
    assert medsafe("feedback", "add", "interaction.warfarin-nsaid", "--accepted", "--reason", "not-so").code == 2
    assert not Path("feedback.jsonl").exists()
