"""Medicines told in words that the tables did not know, each beside what sounds like it and means otherwise."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from measuring.told import _dose_missed, taking, told

from memory.pairs import answers
from safety.engine import Engine

BEGUN = date(2026, 1, 5)
HISTORIES: list[tuple[list[str], str, str]] = [
    # what somebody lent, and was taken only then
    (["My sister gave me a couple of her tramadol, took two and that was it."], "tramadol", "not taken"),
    (["Every once in a while I'll take one of my wife's Xanax to sleep."], "alprazolam", "taken"),
    (["I take my mother's Ambien a couple nights a week."], "zolpidem", "taken"),
    # what was had where one was cared for, and what was begun there
    (["They gave me morphine in the ER."], "morphine", "untold"),
    (["They had me on vancomycin and Zosyn in the hospital. Came home on just doxycycline 100 mg."], "vancomycin", "untold"),
    (["They had me on vancomycin and Zosyn in the hospital. Came home on just doxycycline 100 mg."], "doxycycline", "taken"),
    (["I take Lasix 40.", "They had me on Lasix in the hospital."], "furosemide", "taken"),
    (["They started me on metoprolol in the hospital."], "metoprolol", "taken"),
    # a pause whose end is told with it
    (["Takes Eliquis 5 mg BID.", "Eliquis on hold for colonoscopy, resume 5/8."], "apixaban", "held"),
    (["Takes Eliquis 5 mg BID.", "Eliquis on hold for colonoscopy, resume today."], "apixaban", "taken"),
    (["Takes Plavix.", "Plavix held for surgery, restart POD 1."], "clopidogrel", "held"),
    # another of its kind
    (["I take simvastatin 40.", "They changed my cholesterol pill to rosuvastatin 10 mg."], "simvastatin", "not taken"),
    (["I take simvastatin 40.", "They changed my cholesterol pill to rosuvastatin 10 mg."], "rosuvastatin", "taken"),
    (["I take Coumadin.", "She swapped my blood thinner for Eliquis 5 mg twice a day."], "warfarin", "not taken"),
    (["I take lisinopril.", "I take my blood pressure pill, lisinopril."], "lisinopril", "taken"),
    (["On tamoxifen.", "Oncologist has me on anastrozole 1 mg now rather than tamoxifen."], "tamoxifen", "not taken"),
    (["I'd rather take Tylenol than ibuprofen."], "ibuprofen", "untold"),
    # thoughts
    (["I'm thinking about asking for Wegovy."], "semaglutide", "untold"),
    (["If a macrolide is needed use azithromycin."], "azithromycin", "untold"),
    (["If an antibiotic is needed, use doxycycline."], "doxycycline", "untold"),
    # one dose of the day
    (["I take lithium 300 mg in the morning and 600 at night.", "They cut out the morning lithium."], "lithium", "taken"),
    (["I take gabapentin 300 three times a day.", "They took away my noon gabapentin."], "gabapentin", "taken"),
    (["I take prednisone 5 mg every morning.", "He stopped the morning prednisone."], "prednisone", "not taken"),
    (["I take gabapentin 300 three times a day.", "They cut out the gabapentin."], "gabapentin", "not taken"),
    # an end of one's own
    (["She takes Paxil 20.", "She weaned herself off."], "paroxetine", "not taken"),
    (["She takes Paxil 20.", "She dozed off."], "paroxetine", "taken"),
    # at hand, and not needed
    (["I have Norco for my back. I take one at night.", "I haven't needed a Norco since the shot."], "hydrocodone", "taken"),
    (["I started lamotrigine.", "ER said never take sulfa again."], "lamotrigine", "taken"),
    (["I'm on Bactrim.", "ER said never take sulfa again."], "sulfamethoxazole", "not taken"),
]
DOSES: list[tuple[list[str], str, str]] = [
    (["I was taking Ambien 10 but I only take half of one now."], "zolpidem", "5 mg"),
    (["I was on Lasix 40 but now I just take half."], "furosemide", "20 mg"),
    (["They put me on losartan 50, and later on went to 100."], "losartan", "100 mg"),
    (["They put him on Lantus 10 units, now he's at 16."], "insulin glargine", "16 units"),
    (["They put me on losartan 50, and later on we went to 3 parties."], "losartan", "50 mg"),
    (["I take oxycodone 10 mg.", "I'm on the 15s now."], "oxycodone", "15 mg"),
    (["I take oxycodone 10 mg.", "I grew up in the 50s."], "oxycodone", "10 mg"),
]
ALLERGIES: list[tuple[list[str], str, bool]] = [
    (["ER said never take sulfa again."], "sulfa", True),
    (["The doctor told me I can never have penicillin again."], "penicillin", True),
    (["The doctor told me to never take ibuprofen again."], "ibuprofen", False),
    (["I take lisinopril.", "My mother was told never to take penicillin again."], "penicillin", False),
    (["I started Bactrim.", "My mouth is full of sores. ER said it's the Bactrim and stopped it."], "sulfamethoxazole", True),
]


def _asked(turns: list[str]) -> tuple[list[tuple[str, str]], date]:
    days = [BEGUN + timedelta(days=14 * n) for n in range(len(turns))]
    return [(day.isoformat(), text) for day, text in zip(days, turns, strict=True)], days[-1] + timedelta(days=4)


@pytest.mark.parametrize(("turns", "medicine", "expected"), HISTORIES, ids=[f"{m}: {t[-1][:50]}" for t, m, _ in HISTORIES])
def test_what_is_believed_taken(turns: list[str], medicine: str, expected: str, engine: Engine) -> None:
    said, day = _asked(turns)
    assert taking(engine.remember(told(engine, said)).belief(day), medicine) == expected


@pytest.mark.parametrize(("turns", "medicine", "dose"), DOSES, ids=[t[-1][:60] for t, _, _ in DOSES])
def test_how_much_is_believed_taken(turns: list[str], medicine: str, dose: str, engine: Engine) -> None:
    said, day = _asked(turns)
    assert _dose_missed(engine.remember(told(engine, said)).belief(day), medicine, dose) == ""


@pytest.mark.parametrize(("turns", "to", "is_one"), ALLERGIES, ids=[t[-1][:60] for t, _, _ in ALLERGIES])
def test_what_is_believed_an_allergy(turns: list[str], to: str, is_one: bool, engine: Engine) -> None:
    said, day = _asked(turns)
    state = engine.remember(told(engine, said)).belief(day).allergy(to).slot("state").value
    assert (str(state) == "present") is is_one


SENTENCES: list[tuple[str, str, str]] = [
    ("Not on any insulin, just Janumet.", "Janumet", "taking"),
    ("Not on any insulin or Janumet.", "Janumet", "denied"),
    ("Allergic to penicillin, just amoxicillin.", "amoxicillin", "allergic"),
    ("Is it safe to drink while I'm on Flagyl?", "Flagyl", "taking"),
    ("Is it safe to start Flagyl?", "Flagyl", "asking"),
    ("Should the Brilinta be stopped before the dental extraction?", "Brilinta", "taking"),
    ("Metformin was offered and declined.", "Metformin", "denied"),
    ("On day 3 of 5 of azithromycin.", "azithromycin", "taking"),
    ("Finished day 10 of 10 of cephalexin.", "cephalexin", "stopped"),
    ("Half a Unisom most nights.", "Unisom", "taking"),
    ("Prescribed Cipro, but took only 2 of the 7 days.", "Cipro", "stopped"),
    ("Bactrim caused Stevens-Johnson.", "Bactrim", "allergic"),
    ("Use Tylenol 650 mg if needed for pain.", "Tylenol", "taking"),
    ("I haven't needed an oxycodone in weeks.", "oxycodone", "denied"),
    ("I haven't needed more oxycodone than usual.", "oxycodone", "mentioned"),
]
HOURS: list[tuple[str, str]] = [
    ("Resume Eliquis 5 mg BID 48 h post-op.", "5 mg"),
    ("Toradol 15 mg q6h x 48h", "15 mg"),
    ("Lovenox 40 mg daily start 12 h after surgery", "40 mg"),
    ("Eliquis 5 mg in the morning, 10 at night", "5 mg, 10"),
]


@pytest.mark.parametrize(("text", "medicine", "expected"), SENTENCES, ids=[t[:60] for t, _, _ in SENTENCES])
def test_how_a_medicine_of_a_sentence_is_spoken_of(text: str, medicine: str, expected: str, engine: Engine) -> None:
    said = engine.extract(text)
    allergic = {a.to for a in said.allergies} | {a.span.text for a in said.allergies}
    found = {m.context for m in said.medications if m.span.text == medicine} | ({"allergic"} if medicine in allergic else set())
    assert expected in found


@pytest.mark.parametrize(("text", "dose"), HOURS)
def test_hours_counted_from_something_are_no_dose(text: str, dose: str, engine: Engine) -> None:
    assert [m.dose.value for m in engine.extract(text).medications if m.dose is not None] == [dose]


def _coded(kind: str, text: str, key: str, code: str, **more: object) -> dict[Any, Any]:
    return {"is": kind, "text": text, key: code, True: "2026-06-01", **more}


RECORD: dict[str, Any] = {
    "as_of": date(2026, 6, 10),
    "birth": date(1950, 1, 1),
    "record": [
        _coded("MedicationRequest", "topiramate 50 MG Oral Tablet", "rxnorm", "151226", sig="1 tablet twice daily"),
        _coded("MedicationRequest", "lorazepam 0.5 MG Oral Tablet", "rxnorm", "197900", sig="1 tablet every 6 hours as needed"),
        _coded("Observation", "Glucose", "loinc", "2339-0", value=148, unit="mg/dL"),
        _coded("Observation", "Potassium", "loinc", "2823-3", value=5.4, unit="mmol/L"),
    ],
}
AGAINST_IT = {
    "I take Topamax 100 at night.": ("contradiction", True),  # of what prevents seizures any other way of taking it is grave
    "I take 50 mg of Topamax in the morning and 50 at bedtime.": ("agreement", False),
    "I haven't needed the lorazepam in weeks.": ("contradiction", False),
    "My sugar was 190 this morning.": ("gap", False),
    "My potassium was 4.0 yesterday.": ("contradiction", True),
    "I buy Ozempic online and give myself 0.5 mg a week.": ("gap", True),
    "What time do you close?": ("no_relevance", False),
}


def test_statements_against_a_record(engine: Engine) -> None:
    found = answers(engine, RECORD | {"statements": [{"said": said} for said in AGAINST_IT]})
    told = {said: (one.outcome, one.safety_critical) for said, one in zip(AGAINST_IT, found, strict=True)}
    assert told == AGAINST_IT
