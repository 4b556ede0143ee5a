"""What callers pass that is no day, role, name, case or folder: told with place, what and hint; and the rest goes on."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from broken.laying import BASE
from conftest import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import safety
from safety.engine import Engine
from safety.model.refused import Refused
from safety.model.report import Report

DAY = "2026-11-20"
CASE: dict[str, Any] = {"patient": {"medications": ["warfarin 5 mg oral", "ibuprofen 400 mg oral"], "conditions": []}}


@pytest.fixture(scope="module")
def small() -> Engine:
    return safety.load(base=BASE, cache=None)


SLIPS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "a role that is none": (
        lambda e: e.check(CASE, DAY, role="nurse"),
        "role: R119 `nurse` is not a role that we know\n  hint: one of: prescriber pharmacist patient",
    ),
    "a role that is nearly one": (
        lambda e: e.check(CASE, DAY, role="pharmcist"),
        "role: R119 `pharmcist` is not a role that we know\n  hint: did you mean `pharmacist`?",
    ),
    "a role of many cases": (
        lambda e: e.check_many([CASE], DAY, role=None),
        "role: R119 nothing is not a role that we know\n  hint: one of: prescriber pharmacist patient",
    ),
    "a day as a number": (
        lambda e: e.check(CASE, as_of=20261120),
        "as_of: R112 `20261120` is not a day\n  hint: write it as 2026-11-20",
    ),
    "a day as it is written elsewhere": (
        lambda e: e.why("interaction.warfarin-nsaid", CASE, "20.11.2026"),
        "as_of: R112 `20.11.2026` is not a day\n  hint: write it as 2026-11-20",
    ),
    "a day of many cases": (
        lambda e: e.check_many([CASE], [DAY]),
        "as_of: R112 a value of the type `list` is not a day\n  hint: write it as 2026-11-20",
    ),
    "no day": (
        lambda e: e.check(CASE),
        "as_of: R117 no day to judge on\n  hint: pass as_of=date(2026, 11, 20) or write `as_of:` in the case",
    ),
    "no name": (
        lambda e: e.name(None),
        "name: R120 must be the name of a medicine as text, not nothing\n  hint: as it was written or heard",
    ),
    "a name in bytes": (
        lambda e: e.name(b"warfarin"),
        "name: R120 must be the name of a medicine as text, not a value of the type `bytes`\n  hint: as it was written or heard",
    ),
    "no rule": (
        lambda e: e.why(None, CASE, DAY),
        "rule: R120 must be the id of a rule, not nothing\n  hint: `medsafe list rules` names them",
    ),
    "no case": (lambda e: e.check(None, DAY), "case: R101 a case must be a mapping with `patient:`, not nothing"),
    "a case in bytes": (
        lambda e: e.check(b"patient: {}", DAY),
        "case: R101 a case must be a mapping with `patient:`, not bytes: decode them first",
    ),
    "something else for a case": (
        lambda e: e.check(object(), DAY),
        "case: R101 a case must be a mapping with `patient:`, not a value of the type `object`",
    ),
    "no dose request": (
        lambda e: e.dose(None, DAY),
        "request: R101 a request must be a mapping\n  hint: write `reported:`, and `prescribed:` if there is a prescription",
    ),
    "one case for many": (
        lambda e: e.check_many(CASE, DAY),
        "cases: R118 cases must be several cases, not a value of the type `dict`\n"
        "  hint: pass a list (or any iterable) of cases; `check` takes a single one",
    ),
    "no cases": (
        lambda e: e.check_many(None, DAY),
        "cases: R118 cases must be several cases, not nothing\n"
        "  hint: pass a list (or any iterable) of cases; `check` takes a single one",
    ),
    "overlays that are one path": (
        lambda e: safety.load("site"),
        'overlays: R118 overlays must be a list of folders, not `site`\n  hint: pass a list: overlays=["site"]',
    ),
    "an overlay that is no path": (
        lambda e: safety.load([None]),  # type: ignore[list-item]
        'overlays[0]: R120 must be the path of a folder, not nothing\n  hint: e.g. "my-site/"',
    ),
    "an overlay without a name": (
        lambda e: safety.load([""]),
        'overlays[0]: R120 must be the path of a folder, not ``\n  hint: e.g. "my-site/"',
    ),
    "a base that is no path": (
        lambda e: safety.load(base=5),  # type: ignore[arg-type]
        'base: R120 must be the path of a folder, not `5`\n  hint: e.g. "my-site/"',
    ),
}


@pytest.mark.parametrize("slip", sorted(SLIPS))
def test_what_a_caller_passes_wrongly_is_told_to_the_letter(slip: str, small: Engine) -> None:
    call, says = SLIPS[slip]
    with pytest.raises(safety.RequestError) as told:
        call(small)
    assert str(told.value) == says


def test_the_day_of_a_moment_is_the_day_where_it_was_told(small: Engine) -> None:
    late = small.check(CASE, datetime(2026, 11, 20, 23, 59, tzinfo=UTC))
    assert late.to_json() == small.check(CASE, date(2026, 11, 20)).to_json()


@pytest.mark.parametrize("how", ["not there", "a file", "empty", "without kb/ and rules/"])
def test_an_overlay_that_is_none_is_an_error_in_python(how: str, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    if how == "a file":
        folder.write_text("id: drug.x\n")
    elif how != "not there":
        folder.mkdir()
    if how == "without kb/ and rules/":
        (folder / "interactions").mkdir()
        (folder / "interactions/x.yaml").write_text("id: interaction.x\n")
    for cache in (None, tmp_path / "cache"):
        with pytest.raises(safety.KnowledgeError) as told:
            safety.load([folder], base=BASE, cache=cache)
        assert [(p.place.file, p.code) for p in told.value.problems] == [
            (str(folder), "K021" if how in ("not there", "a file") else "K023")
        ]


def test_an_overlay_that_went_away_is_an_error_and_not_silence(tmp_path: Path) -> None:
    drug = tmp_path / "site/kb/drugs/sitine.yaml"
    drug.parent.mkdir(parents=True)
    drug.write_text("id: drug.sitine\nname: sitine\nsupply: otc\nroutes: [oral]\n")
    engine = safety.load([tmp_path / "site"], base=BASE, cache=tmp_path / "cache")
    drug.unlink()
    with pytest.raises(safety.KnowledgeError):
        engine.reload()


# ------------------------------------------------------------------ many cases


def test_a_bad_case_among_many_is_answered_by_its_slips_and_the_rest_goes_on(small: Engine) -> None:
    bad = {"id": "second", "patient": {"medications": "warfarin", "age": "old"}}
    first, second, third = small.check_many([CASE, bad, CASE], DAY)
    assert isinstance(first, Report)
    assert isinstance(second, Refused)
    assert first.to_json() == small.check(CASE, DAY).to_json() == third.to_json()
    assert (second.id, second.verdict) == ("second", "unknown")
    assert {(s.place, s.code) for s in second.error} == {
        ("cases[1].patient.medications", "R103"),
        ("cases[1].patient.age", "R107"),
    }
    assert json.loads(second.to_json()) == second.to_dict()


def test_a_case_written_as_text_among_many_is_told_with_its_line(small: Engine) -> None:
    (answer,) = small.check_many(["patient: {medications: 5}"], DAY)
    assert isinstance(answer, Refused)
    assert [s.place for s in answer.error] == ["cases[0]:1:11"]


def test_a_failure_of_ours_on_one_of_many_is_said_without_patient_data(small: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ValueError("Jane Doe, warfarin")

    monkeypatch.setattr(small.checker, "check", fails)
    (answer,) = small.check_many([CASE], DAY)
    assert isinstance(answer, Refused)
    assert answer.ours is True
    assert [s.message for s in answer.error] == ["the engine failed on this case (ValueError)"]
    assert b"Jane" not in answer.to_json()


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | st.binary(max_size=3) | st.dates(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "patient", "plan", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cases=st.lists(anything, max_size=4))
def test_whatever_stands_in_a_list_of_cases_each_has_its_answer_and_none_is_ours(small: Engine, cases: list[Any]) -> None:
    answers = list(small.check_many([*cases, CASE], DAY))
    assert len(answers) == len(cases) + 1
    assert isinstance(answers[-1], Report)
    for given_, answer in zip(cases, answers, strict=False):
        if isinstance(answer, Refused):
            assert answer.error
            assert not answer.ours
            with pytest.raises(safety.RequestError):
                small.check(given_, DAY)
        else:
            assert answer.to_json() == small.check(given_, DAY).to_json()
