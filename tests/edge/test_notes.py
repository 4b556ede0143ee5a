"""A clinical note is read as a case: who it is of, what is taken, what is ordered, and what was measured."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click import UsageError
from click.testing import CliRunner

from safety.cli.main import cli
from safety.engine import Engine
from safety.errors import RequestError
from safety.model.patient import Case, Patient

NOTE = (
    "72F with AF on warfarin (INR 2.4 last week), CKD 3b (Cr 1.7), HFrEF EF 30% on Entresto. Allergic to sulfa (rash).\n"
    "Daughter has epilepsy.\n"
    "Assessment/Plan:\n1. Knee OA: start naproxen 500 mg BID with food.\n2. UTI: TMP-SMX DS BID x 7 days.\n"
    "3. HTN: increase spironolactone to 50 mg daily; K 5.3 today.\n"
)
DAY = ("--as-of", "2026-11-20", "--json")
RULE = "interaction.warfarin-nsaid"


def run(*args: str) -> tuple[int, Any]:
    done = CliRunner().invoke(cli, ["check", *args], standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return int(done.return_value or 0), json.loads(done.stdout)


def rules(report: Any) -> set[str]:
    return {f["rule"] for f in report["findings"]} | {a["rule"] for f in report["findings"] for a in f.get("also", ())}


def test_a_note_is_checked_as_a_file_or_as_it_is_said(tmp_path: Path) -> None:
    file = tmp_path / "visit.txt"
    file.write_text(NOTE, encoding="utf-8")
    filed, said, named = run(str(file), *DAY), run("--note", NOTE, *DAY), run("--note", str(file), *DAY)
    assert filed == said == named
    assert said[0] == 1
    assert RULE in rules(said[1])


def test_a_note_stands_beside_medicines_and_no_file(tmp_path: Path) -> None:
    _, beside = run("metformin 500 mg bid", "--note", NOTE, "--age", "80", *DAY)
    assert {m["text"] for m in beside["medications"]} >= {"metformin 500 mg bid", "warfarin"}
    file = tmp_path / "list.txt"
    file.write_text("warfarin 5 mg daily\n", encoding="utf-8")
    with pytest.raises(RequestError, match="beside a file"):
        run(str(file), "--note", NOTE, *DAY)
    with pytest.raises(UsageError):
        run()


def test_a_note_is_checked(engine: Engine) -> None:
    case = engine.note(NOTE)
    assert (str(case.patient.sex), case.patient.age is not None) == ("female", True)
    report = engine.check(case, "2026-11-30")
    found = {f.rule for f in report.findings} | {o.rule for f in report.findings for o in f.also}
    assert {RULE, "contraindication.heart-failure.nsaids", "allergy.same-ingredient"} <= found
    assert {lab.test for lab in case.patient.labs or ()} == {"INR", "Cr", "EF", "K"}
    assert not any("epilepsy" in told.text for told in case.patient.conditions or ())


def test_no_note_is_clear(engine: Engine) -> None:
    """A text is never read whole: what is not known of its words is passed over."""
    for text in ("Feels well.", "58 yo man takes loratadine 10 mg daily. No known drug allergies.", ""):
        assert engine.check(engine.note(text), "2026-11-30").verdict != "clear"


def test_what_was_known_before_stays(engine: Engine) -> None:
    case = engine.note("81F on warfarin.", Case(Patient(sex="male", medications_told=False)))
    assert case.patient.sex == "male"
    assert [m.text for m in case.patient.medications] == ["warfarin"]


@pytest.mark.parametrize(
    ("text", "age", "sex", "weight"),
    [
        ("72F with AF.", "72 years", "female", ""), ("72 y/o F with AF.", "72 years", "female", ""),
        ("72 yo man with AF.", "72 years", "male", ""), ("Pt is a 58M with DM.", "58 years", "male", ""),
        ("67-yo female, 81 kg", "67 years", "female", "81 kg"), ("6 mo M with cough, 7.2 kg", "6 months", "male", "7.2 kg"),
        ("45 y.o. male", "45 years", "male", ""), ("HPI: 58M with CHF", "58 years", "male", ""),
        ("Feels hot. 101F last night.", "", "", ""), ("103F this morning.", "", "", ""), ("Gave 5 M of it.", "", "", ""),
        ("His father was a 60M smoker.", "", "", ""), ("ketorolac 15 mg/kg", "", "", ""),
    ],
)  # fmt: skip
def test_who_a_note_is_of(text: str, age: str, sex: str, weight: str, engine: Engine) -> None:
    told = {f.fact: f.value for f in engine.extract(text).facts}
    assert (told.get("age", ""), told.get("sex", ""), told.get("weight", "")) == (age, sex, weight)


@pytest.mark.parametrize(
    ("said", "tests", "medicines"),
    [
        ("Cr 1.7", ["lab.creatinine"], []), ("Mg 1.2", ["lab.magnesium"], []), ("lactate 5", ["lab.lactate"], []),
        ("bicarb 12", ["lab.bicarbonate"], []), ("lithium 1.9", ["lab.lithium-level"], []), ("lipase 900", ["lab.lipase"], []),
        ("digoxin 2.6", ["lab.digoxin-level"], []), ("digoxin 0.25", [], ["digoxin"]), ("lithium 300", [], ["lithium"]),
        ("vitamin D 12", ["lab.vitamin-d"], []), ("vitamin D 2000", [], ["vitamin D"]), ("digoxin 0.125 daily", [], ["digoxin"]),
        ("levothyroxine 50", [], ["levothyroxine"]), ("I take lithium 1.9 tablets", [], ["lithium"]),
        ("K 5.9, Cr 2.1, Mg 1.2", ["lab.potassium", "lab.creatinine", "lab.magnesium"], []),
    ],
)  # fmt: skip
def test_a_test_with_a_number_that_is_no_dose_is_a_result(
    said: str, tests: list[str], medicines: list[str], engine: Engine
) -> None:
    found = engine.extract(f"Seen today. {said} this morning.")
    assert [r.test for r in found.results] == tests
    assert [m.span.text for m in found.medications] == medicines


@pytest.mark.parametrize(
    ("text", "active"),
    [
        ("Ms. Thompson is a 43-year-old female who presents to clinic.", ()),
        ("Mr. Logan Walker is a 58-year-old male with diabetes.", ("diabetes",)),
        ("They began over Labor Day weekend.", ()), ("She drinks Ripple Pea Protein milk.", ()), ("GI/GU: Non-distended", ()),
        ("CVA tenderness on the right.", ()), ("Tobacco Use: Non-smoker.", ()), ("Depression: stable.", ("depression",)),
        ("The risks of surgery including infection, seizure, stroke, permanent numbness, or death.", ()),
        ("Seen in the ED, ED visit yesterday.", ()),
        ("She states that it felt like a heart attack.", ()), ("Return if you develop shortness of breath.", ()),
        ("Possible etiologies include GERD, dyspepsia, and anxiety.", ()),
        ("Referred for EGD to assess for potential sources of anemia or GI bleed.", ()),
        ("Brother: 9 years old, positive for autism.", ()), ("Past Medical History: asthma, GERD.", ("asthma", "acid reflux")),
        ("Brought to the ED with signs of heart failure.", ("heart failure",)),
    ],
)  # fmt: skip
def test_what_a_note_names_and_nobody_has_is_no_problem(text: str, active: tuple[str, ...], engine: Engine) -> None:
    assert tuple(c.name for c in engine.extract(text).conditions if c.standing == "active") == active


def test_the_age_of_a_patient_is_no_day_of_a_disease(engine: Engine) -> None:
    (told,) = engine.extract("58-year-old male with congestive heart failure").conditions
    assert told.listed == ""


SECTIONS = """\
CURRENT MEDICATIONS
Metformin 500 mg BID.

ALLERGIES
Percocet.
Vicodin (itching).
Latex.

FAMILY HISTORY
Hypertension.
Gastric ulcers.

Past Medical History:
Asthma
"""


def test_a_line_is_of_the_section_it_stands_in(engine: Engine) -> None:
    found = engine.extract(SECTIONS)
    assert [(m.span.text, m.context) for m in found.medications] == [
        ("Metformin", "taking"), ("Percocet", "allergic"), ("Vicodin", "allergic"),
    ]  # fmt: skip
    assert [a.to for a in found.allergies] == ["Percocet", "Vicodin", "Latex"]
    assert [(c.name, c.standing) for c in found.conditions] == [
        ("high blood pressure", "family"), ("stomach ulcer", "family"), ("asthma", "active"),
    ]  # fmt: skip


def test_what_is_told_twice_in_a_note_is_taken_once(engine: Engine) -> None:
    note = "On Brilinta 90 mg twice a day and metoprolol. Continue Brilinta 90 mg twice a day. Continue metoprolol 50 mg daily."
    assert [m.text for m in engine.note(note).patient.medications] == [
        "ticagrelor 90 mg 2 times a day",
        "metoprolol 50 mg once a day",
    ]
    apart = engine.note("Takes Synthroid 50 mcg daily. Continue Synthroid 75 mcg daily.")
    assert len(apart.patient.medications) == 2  # two amounts of one stay apart, and are asked about


def test_what_a_note_ends_further_on_is_no_longer_taken(engine: Engine) -> None:
    note = (
        "He has been taking ibuprofen 400 mg tid. Start meloxicam 15 mg daily. I advised him to discontinue the use of ibuprofen."
    )
    report = engine.check(engine.note(note), "2026-11-30")
    assert not any(f.rule == "duplicate.nsaids" or "Two NSAIDs" in f.title for f in report.findings)
    begun = engine.note("She stopped warfarin in 2019. She takes warfarin 5 mg daily.")
    assert [m.text for m in begun.patient.medications if not m.stopped] == ["warfarin 5 mg once a day"]
