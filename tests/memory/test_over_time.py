"""What callers ask of a patient over time: the papers' own examples, a check of a day, findings that come and go."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from safety.engine import Engine
from safety.memory.belief import Belief
from safety.memory.remembered import PatientMemory

INSULIN = [
    {"turn": 3, "told": "2026-01-10", "says": "taking", "medicine": "metformin 500 mg every morning"},
    {"turn": 11, "told": "2026-02-14", "says": "changed", "medicine": "metformin 1000 mg"},
    {"turn": 22, "told": "2026-03-05", "says": "started", "medicine": "insulin 10 units", "when": "3 days ago",
     "instead_of": "metformin", "why": "the pills upset my stomach"},
    {"turn": 25, "told": "2026-03-08", "says": "asks", "medicine": "metformin 1000 mg"},
]  # fmt: skip


def remembered(engine: Engine, *events: dict[str, Any], **patient: Any) -> PatientMemory:
    return engine.remember({"patient": patient, "events": list(events)})


# ------------------------------------------------------------------ the papers' examples


def test_the_500_mg_pill_after_the_dose_was_raised(engine: Engine) -> None:
    """Table 4, first case: "Should I take my 500mg pill now?" """
    memory = remembered(
        engine,
        {"turn": 1, "told": "2026-01-05", "says": "started", "medicine": "metformin 500 mg"},
        {"turn": 12, "told": "2026-02-01", "says": "changed", "medicine": "metformin 1000 mg"},
        {"turn": 15, "told": "2026-02-03", "says": "asks", "medicine": "metformin 500 mg"},
    )
    answer = memory.asked("metformin 500 mg", date(2026, 2, 3))
    assert answer.verdict == "superseded"
    assert "1000 mg since 2026-02-01" in answer.text
    assert answer.questions == ()
    assert memory.asked("metformin 500 mg", date(2026, 1, 20)).verdict == "current"


def test_both_symptoms_are_current_with_their_days(engine: Engine) -> None:
    """Table 4, second case."""
    memory = remembered(
        engine,
        {"turn": 4, "told": "2026-03-10", "says": "has", "condition": "numbness in my feet"},
        {"turn": 8, "told": "2026-03-20", "says": "has", "condition": "blurry vision"},
    )
    now = [(str(c.slot("state").value), str(c.slot("state").sides[0].since)) for c in memory.belief(date(2026, 3, 20)).conditions]
    assert now == [("present", "2026-03-10"), ("present", "2026-03-20")]


def test_insulin_on_13_april_after_a_late_report(engine: Engine) -> None:
    """Table 4, third case: "Was I taking Insulin on Apr 13?" """
    memory = remembered(
        engine,
        {"turn": 2, "told": "2026-04-01", "says": "taking", "medicine": "insulin 10 units"},
        {"turn": 10, "told": "2026-04-15", "says": "stopped", "medicine": "insulin", "when": "three days ago"},
    )
    answer = memory.asked("insulin", date(2026, 4, 13))
    assert (answer.verdict, "2026-04-12" in answer.text) == ("not_taken", True)
    assert memory.asked("insulin", date(2026, 4, 13), known=2).verdict == "current"


def test_the_pill_before_breakfast_after_the_switch_is_open_and_asked_about(engine: Engine) -> None:
    """The dialogue of the introduction: the fourth turn contradicts the third."""
    memory = remembered(engine, *INSULIN)
    answer = memory.asked("metformin 1000 mg", date(2026, 3, 8))
    assert answer.verdict == "open"
    assert "metformin" in answer.questions[0]
    assert memory.asked("metformin 1000 mg", date(2026, 3, 8), known=22).verdict == "not_taken"
    assert memory.asked("insulin 10 units", date(2026, 3, 8)).verdict == "current"


def test_the_four_operators_are_told(engine: Engine) -> None:
    """What each turn of the dialogue did to the slot that says whether metformin is taken."""
    done = {o.event: o.operator for o in remembered(engine, *INSULIN).history.operations if o.slot == "taking"}
    assert list(done.values()) == ["CREATE", "SUPPORT", "CREATE", "SUPERSEDE", "BRANCH-CONFLICT"]
    memory = remembered(
        engine, *INSULIN[:1], {"told": "2026-01-12", "says": "taking", "medicine": "Glucophage 500 mg twice daily"}
    )
    assert [o.operator for o in memory.history.operations if o.slot == "dose"] == ["CREATE", "SUPPORT"]


@pytest.mark.parametrize(("authority", "turn", "of", "mentions", "expected"), [
    ("clinician", 10, 10, 1, "0.939"), ("patient", 10, 10, 1, "0.689"), ("patient", 5, 10, 1, "0.539"),
        ("inferred", 0, 10, 1, "0.289"),
    ("patient", 10, 10, 3, "0.827"),
])  # fmt: skip
def test_confidence_is_the_papers(authority: str, turn: int, of: int, mentions: int, expected: str) -> None:
    """0.5 authority + 0.3 recency + 0.2 log(1 + n), worked out by hand."""
    from safety.memory.chains import Candidate, Evidence
    from safety.memory.confidence import confidence
    from safety.memory.events import on
    from safety.memory.values import Word

    day = date(2026, 1, 1)
    told = tuple(Evidence(f"e{n}", turn, day, authority, on(day)) for n in range(mentions))  # type: ignore[arg-type]
    assert str(confidence(Candidate(Word("taken"), told), of)) == expected


# ------------------------------------------------------------------ a check of a day


MAOI = {"told": "2026-01-02", "by": "clinician", "says": "prescribed", "medicine": "phenelzine 15 mg three times daily"}
STOP = {"told": "2026-02-02", "by": "clinician", "says": "stopped", "medicine": "phenelzine"}


def rules_of(memory: PatientMemory, day: str) -> set[str]:
    return {f.rule for f in memory.check(date.fromisoformat(day)).every_finding if f.kind == "interaction"}


def test_an_mao_inhibitor_counts_for_fourteen_days_after_its_stop(engine: Engine) -> None:
    begun = {"told": "2026-02-10", "by": "clinician", "says": "started", "medicine": "sertraline 50 mg once daily"}
    memory = remembered(engine, MAOI, STOP, begun, age=50)
    early, late = rules_of(memory, "2026-02-10"), rules_of(memory, "2026-02-25")
    assert any("mao" in rule for rule in early)
    assert not any("mao" in rule for rule in late)
    spells = [s for s in memory.course(date(2026, 3, 1)).spells if "mao" in s.rule]
    assert spells
    assert {(s.since.isoformat(), s.until.isoformat() if s.until else None) for s in spells} == {("2026-02-10", "2026-02-15")}


def test_fluoxetine_counts_for_five_weeks_after_its_stop(engine: Engine) -> None:
    memory = remembered(
        engine,
        {"told": "2026-01-02", "says": "taking", "medicine": "fluoxetine 20 mg once daily"},
        {"told": "2026-02-02", "says": "stopped", "medicine": "fluoxetine"},
        {"told": "2026-02-20", "says": "started", "medicine": "thioridazine 50 mg once daily"},
    )
    assert any("fluoxetine" in rule for rule in rules_of(memory, "2026-02-20"))
    assert not any("fluoxetine" in rule for rule in rules_of(memory, "2026-03-20"))


def test_amiodarone_counts_for_months(engine: Engine) -> None:
    memory = remembered(
        engine,
        {"told": "2026-01-02", "says": "taking", "medicine": "amiodarone 200 mg once daily"},
        {"told": "2026-02-02", "says": "stopped", "medicine": "amiodarone"},
        {"told": "2026-03-20", "says": "started", "medicine": "sofosbuvir/velpatasvir 400/100 once daily"},
    )
    assert any("amiodarone" in rule for rule in rules_of(memory, "2026-03-21"))


def test_what_is_open_is_never_clear(engine: Engine) -> None:
    full = {
        "age": 40, "sex": "male", "weight": "80 kg", "height": "180 cm", "conditions": [], "allergies": [], "labs": [],
        "vitals": [], "intake": [], "diet_limits": [], "genes": [], "procedures": [], "devices": [], "vaccines": [],
    }  # fmt: skip
    taking = {"told": "2026-01-02", "says": "taking", "medicine": "acetaminophen 500 mg by mouth once daily"}
    denied = {"told": "2026-01-05", "by": "caregiver", "says": "denies", "medicine": "acetaminophen"}
    settled, open_ = remembered(engine, taking, **full), remembered(engine, taking, denied, **full)
    assert open_.belief(date(2026, 1, 6)).medicine("acetaminophen").slot("taking").standing == "conflict"
    assert open_.check(date(2026, 1, 6)).verdict != "clear"
    assert [m.text for m in open_.case(date(2026, 1, 6)).patient.medications] == [taking["medicine"]]
    assert {u.what for u in (open_.case(date(2026, 1, 6)).reading or pytest.fail("nothing is open")).unread} == {"acetaminophen"}
    assert settled.case(date(2026, 1, 6)).reading is None


def test_a_day_before_anything_was_told_has_no_medicines(engine: Engine) -> None:
    memory = remembered(engine, MAOI)
    assert memory.case(date(2025, 1, 1)).patient.medications == ()
    assert memory.case(date(2025, 1, 1)).patient.medications_told is False


def test_the_believed_dose_is_what_is_checked(engine: Engine) -> None:
    memory = remembered(
        engine,
        {"told": "2026-01-02", "says": "taking", "medicine": "metformin 500 mg twice daily"},
        {"told": "2026-02-02", "says": "changed", "medicine": "metformin 1000 mg"},
    )
    (medication,) = memory.case(date(2026, 2, 3)).patient.medications
    meant = memory.history.understanding.medicine(medication)
    assert str(meant.regimen.dose) == "1000 mg"
    assert str(meant.regimen.often) == "twice a day"


def test_a_record_and_what_was_told_make_one_history(engine: Engine) -> None:
    record = {"resourceType": "Bundle", "type": "collection", "entry": [
        {"resource": {"resourceType": "Patient", "id": "p", "birthDate": "1960-01-01"}},
        {"resource": {
            "resourceType": "MedicationRequest", "id": "m", "status": "active", "intent": "order", "authoredOn": "2026-01-02",
            "subject": {"reference": "Patient/p"}, "medicationCodeableConcept": {"text": "lisinopril 10 MG Oral Tablet"},
            "dosageInstruction": [{"text": "1 tablet once daily"}],
        }},
    ]}  # fmt: skip
    ordered = engine.events_of(record, "2026-03-01")
    said = engine.remember([{"turn": 9, "told": "2026-03-02", "says": "stopped", "medicine": "lisinopril", "why": "dizzy"}])
    memory = engine.remember([*ordered, *said.history.events])
    assert str(memory.belief(date(2026, 2, 1)).medicine("lisinopril").slot("taking").value) == "taken"
    assert str(memory.belief(date(2026, 3, 2)).medicine("lisinopril").slot("taking").value) == "not taken"


def test_a_course_agrees_with_a_check_of_each_of_its_days(engine: Engine) -> None:
    memory = remembered(
        engine, MAOI, STOP,
        {"told": "2026-01-20", "says": "started", "medicine": "warfarin 5 mg once daily"},
        {"told": "2026-02-05", "says": "started", "medicine": "naproxen 250 mg twice daily for 7 days"},
        {"told": "2026-02-10", "says": "started", "medicine": "sertraline 50 mg once daily"},
        age=50,
    )  # fmt: skip
    last = date(2026, 3, 1)
    course = memory.course(last)
    for ordinal in range(date(2026, 1, 20).toordinal(), last.toordinal() + 1, 3):
        day = date.fromordinal(ordinal)
        standing = {s.rule for s in course.spells if s.since <= day and (s.until is None or day <= s.until)}
        assert standing == {f.rule for f in memory.check(day).every_finding}


def test_a_belief_is_plain_values_in_the_same_order_each_time(engine: Engine) -> None:
    memory = remembered(engine, *INSULIN)
    one, other = (Belief(memory.history, date(2026, 3, 8)).to_dict() for _ in range(2))
    assert one == other
    assert one["questions"]
    assert memory.asked("metformin", date(2026, 3, 8)).to_dict()["verdict"] == "open"
