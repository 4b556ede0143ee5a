"""What is ended later, behind a course or on a condition is taken until then; what is ended now is not."""

from __future__ import annotations

import pytest

from safety.engine import Engine

LATER = (
    ("Warfarin for now, transition to Eliquis later.", "Warfarin taking; Eliquis considering"),
    ("Continue heparin drip, plan to transition to warfarin once stable.", "heparin prescribed continued; warfarin considering"),
    ("Heparin drip bridging to warfarin.", "Heparin taking; warfarin prescribed started"),
    ("Once INR therapeutic stop enoxaparin.", "enoxaparin taking"),
    ("Stop enoxaparin once INR is therapeutic.", "enoxaparin taking"),
    ("Enoxaparin until INR therapeutic, then stop enoxaparin.", "Enoxaparin prescribed started"),
    ("Plan to stop warfarin in 3 months.", "warfarin taking"),
    ("Plan to eventually wean off prednisone.", "prednisone taking"),
    ("Taper prednisone 10 mg per week then discontinue.", "prednisone prescribed changed"),
    ("Prednisone 40 mg daily x 5 days, then off.", "Prednisone prescribed started"),
    ("Decrease prednisone to 10 mg daily x 1 week, then off.", "prednisone prescribed changed"),
    ("Taper prednisone by 5 mg every week until off.", "prednisone prescribed changed"),
    ("Discontinue clopidogrel in June.", "clopidogrel taking"),
    ("At the next visit, switch lisinopril to losartan.", "lisinopril taking; losartan considering"),
    ("If INR > 4, hold warfarin.", "warfarin taking"),
    ("Hold metoprolol for HR < 55.", "metoprolol taking"),
    ("If creatinine rises, stop lisinopril and start amlodipine.", "lisinopril taking; amlodipine considering"),
    ("Metformin 500 mg BID, increase to 1000 mg BID if tolerated.", "Metformin taking"),
    ("Hold metformin for 48 hours after contrast, then resume.", "metformin stopped held"),
    ("Doctor: In three months we'll stop the Plavix.", "Plavix taking"),
    ("Doctor: Once your INR is good we can stop the Lovenox.", "Lovenox taking"),
    ("Doctor: Don't stop the metoprolol until I tell you.", "metoprolol taking"),
    ("My doctor wants to switch me from warfarin to Eliquis next month.", "warfarin taking; Eliquis considering"),
    ("Doctor: If this goes on we should discontinue the phentermine.", "phentermine taking"),
    ("If she is positive, I will prescribe Paxlovid.", "Paxlovid considering"),
    ("Should symptoms worsen, I would start prednisone 20 mg.", "prednisone considering started"),
)
NOW = (
    ("Stop metformin and recheck A1c in 3 months.", "metformin stopped"),
    ("Lokelma 10 g TID x 48 h. Losartan stopped.", "Lokelma taking; Losartan stopped"),
    ("Discontinue HCTZ, BMP in 1 week.", "HCTZ stopped"),
    ("Recheck BMP in 2 weeks, stop lisinopril.", "lisinopril stopped"),
    ("Recheck potassium tomorrow, hold spironolactone.", "spironolactone stopped held"),
    ("Stop warfarin and start apixaban once INR below 2.", "warfarin stopped; apixaban prescribed started"),
    ("Hold lisinopril; restart when Cr back to baseline.", "lisinopril stopped held"),
    ("Stopped warfarin 3 months ago.", "warfarin stopped"),
    ("She stopped metformin last month and later started Ozempic.", "metformin stopped; Ozempic taking started"),
    ("When INR was 5, warfarin was held.", "warfarin stopped held"),
    ("Patient stopped lisinopril once she developed cough.", "lisinopril stopped"),
)


@pytest.mark.parametrize(("text", "told"), [*LATER, *NOW])
def test_what_is_to_be_ended_later_is_taken_until_then(engine: Engine, text: str, told: str) -> None:
    found = [m for m in engine.extract(text).medications if m.normalised.drug]
    assert "; ".join(f"{m.span.text} {m.context} {m.change}".strip() for m in found) == told


def test_once_before_a_clause_is_no_number_of_times(engine: Engine) -> None:
    told = {t: engine.extract(t).medications[0].directions for t in ("Lasix 40 mg once daily.", "Stop Lasix once she is dry.")}
    assert [d and d.value for d in told.values()] == ["once a day", None]


@pytest.mark.parametrize(
    ("text", "dose", "often"),
    [
        ("[doctor] i want to add aldactone twelve . five milligrams daily", "12.5 mg", "once a day"),
        ("[doctor] increase the lasix from twenty milligrams to sixty milligrams for four days", "60 mg", None),
        ("[doctor] lortab 5 milligram every uh , six hours as needed", "5 mg", "every 6 hours as needed"),
        ("[doctor] ibuprofen six hundred milligrams q.6 h. with food", "600 mg", "every 6 hours"),
        ("Patient: I take ibuprofen for body aches from time to time.", None, "as needed"),
        ("[patient] i take gabapentin . since then it has n't really bothered me at night .", None, None),
        ("Start sertraline 25 mg daily, increase to 50 mg after 1 week.", "25 mg", "once a day"),
    ],
)
def test_amounts_as_a_transcript_spells_them(engine: Engine, text: str, dose: str | None, often: str | None) -> None:
    (one,) = engine.extract(text).medications
    assert (one.dose and one.dose.value, one.directions and one.directions.value) == (dose, often)
    for quoted in (one.dose, one.directions):
        assert quoted is None or text[quoted.span.start : quoted.span.end] == quoted.span.text


def test_everyday_words_and_a_refusal_are_no_medicine_and_no_answer(engine: Engine) -> None:
    said = "[patient] they said something about my way my heart pumps\n[doctor] okay , um , hey , dragon , finalize the note ."
    assert not engine.extract(said).medications
    said = "[doctor] are you on your albuterol ?\n[patient] i do n't want to go to the hospital"
    assert [m.context for m in engine.extract(said).medications] == ["taking"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "lisinopril 5 mg daily metoprolol 25 mg bid aspirin 81 mg daily",
            {"lisinopril": "5", "metoprolol": "25", "aspirin": "81"},
        ),
        ("5 mg lisinopril 10 mg amlodipine 40 mg lipitor", {"lisinopril": "5", "amlodipine": "10", "lipitor": "40"}),
        ("I take 20 mg of lisinopril and 10 mg of amlodipine.", {"lisinopril": "20", "amlodipine": "10"}),
    ],
)
def test_in_a_list_without_commas_each_dose_is_that_of_its_own_medicine(engine: Engine, text: str, told: dict[str, str]) -> None:
    found = {m.span.text: m.dose.value.removesuffix(" mg") for m in engine.extract(text).medications if m.dose}
    assert found == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Avoid ibuprofen with lithium.", "ibuprofen denied; lithium taking"),
        ("Ibuprofen only as needed, avoid with the lithium.", "Ibuprofen taking; lithium taking"),
        ("Overlap enoxaparin with warfarin for 5 days.", "enoxaparin prescribed; warfarin prescribed"),
        ("Doctor: Any allergies?\nPatient: Yeah, codeine makes me throw up.", "codeine allergic"),
        ("Patient: Metformin makes me throw up.", "Metformin taking"),
        ("Patient: I never did fill that Chantix.", "Chantix denied"),
        ("Doctor: If the cough stays I'd switch the lisinopril to losartan.", "lisinopril taking; losartan considering"),
        ("Took amoxicillin for 10 days, no better.", "amoxicillin taking"),
        ("Neupogen 300 mcg SC daily until ANC > 1000.", "Neupogen prescribed"),
        ("Insulin glargine from 18 to 22 units nightly.", "Insulin glargine prescribed"),
        ("Patient: aspirin, metoprolol, lipitor and lisinopril.",
         "aspirin taking; metoprolol taking; lipitor taking; lisinopril taking"),
    ],
)  # fmt: skip
def test_what_stands_beside_what_is_avoided_and_what_a_reaction_answers(engine: Engine, text: str, told: str) -> None:
    found = [m for m in engine.extract(text).medications if m.normalised.drug or m.normalised.candidates]
    assert "; ".join(f"{m.span.text} {m.context}" for m in found) == told
