"""A germ that is sensitive to a medicine is no patient who is allergic to it."""

from __future__ import annotations

import pytest

from safety.engine import Engine

OF_A_GERM = (
    "Blood cultures: Staph aureus. Drug sensitivity test indicated sensitivity to vancomycin, cephalosporins and linezolid.",
    "UCx E. coli sensitive to nitrofurantoin, resistant to ciprofloxacin",
    "MRSA in wound cx, sensitive to doxycycline and TMP-SMX.",
    "Urine grew Klebsiella, resistant to ampicillin",
    "Isolate susceptible to ceftriaxone",
    "Sputum cx: pseudomonas. Sensitivities: cefepime, meropenem, tobramycin",
)
OF_A_PATIENT = (
    ("Patient has sensitivity to codeine", {"codeine"}),
    ("She is sensitive to penicillin.", {"penicillin"}),
    ("MRSA bacteremia. She is sensitive to penicillin.", {"penicillin"}),
    ("UCx E. coli sensitive to nitrofurantoin. Allergies: sulfa", {"sulfa"}),
    ("Allergic to vancomycin; wound grew MRSA.", {"vancomycin"}),
    ("Wound grew MRSA, patient is sensitive to vancomycin", {"vancomycin"}),
)


@pytest.mark.parametrize("told", OF_A_GERM)
def test_what_a_germ_is_sensitive_to_is_neither_taken_nor_an_allergy(told: str, engine: Engine) -> None:
    found = engine.extract(told)
    assert [a for a in found.allergies if not a.denied] == []
    assert {m.context for m in found.medications} <= {"mentioned"}


@pytest.mark.parametrize(("told", "names"), OF_A_PATIENT)
def test_what_a_patient_is_sensitive_to_stays_an_allergy(told: str, names: set[str], engine: Engine) -> None:
    found = {a.span.text.lower() for a in engine.extract(told).allergies}
    assert {name for name in names if any(name in text for text in found)} == names


def test_what_is_ordered_behind_a_sensitivity_is_ordered(engine: Engine) -> None:
    found = engine.extract("UCx E. coli sensitive to nitrofurantoin; started nitrofurantoin 100 mg bid")
    assert [(m.span.text, m.context) for m in found.medications] == [("nitrofurantoin", "prescribed")]
    assert found.allergies == ()


def test_a_medicine_with_its_dose_is_the_patients_whatever_a_germ_was_resistant_to(engine: Engine) -> None:
    found = engine.extract("Blood cx E. coli resistant to cipro, ceftriaxone 2 g IV daily")
    assert [(m.span.text, m.context) for m in found.medications if m.dose] == [("ceftriaxone", "prescribed")]
    assert found.allergies == ()
