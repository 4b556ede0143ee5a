"""What a condition is called: no name of another disease, or of what is done against it, among its synonyms."""

from __future__ import annotations

import pytest

from safety.engine import Engine
from safety.model.patient import Told


@pytest.mark.parametrize(
    ("text", "not_this"),
    [
        ("low libido", "premature-ejaculation"),
        ("female sexual arousal disorder", "premature-ejaculation"),
        ("bone health", "osteopenia"),
        ("osteoporosis prevention", "osteoporosis"),
        ("iron deficiency without anemia", "anemia"),
        ("primary sclerosing cholangitis", "primary-biliary-cholangitis"),
        ("TTP", "immune-thrombocytopenia"),
        ("essential thrombocythemia", "polycythemia"),
        ("bee sting allergy", "food-allergy"),
        ("oophorectomy", "hysterectomy"),
        ("keratoconus", "corneal-transplant"),
        ("trying to conceive", "infertility"),
        ("testicular torsion", "undescended-testicle"),
        ("encephalitis", "meningitis"),
        ("Rocky Mountain spotted fever", "lyme-disease"),
        ("Lynch syndrome", "colorectal-polyp"),
        ("stillbirth", "miscarriage"),
    ],
)
def test_another_disease_is_not_taken_for_this_one(engine: Engine, text: str, not_this: str) -> None:
    known = engine.checker.terms.condition(Told(text))
    assert known is not None, "it is a condition of its own"
    assert f"condition.{not_this}" not in engine.library.condition[known[0]].is_a


@pytest.mark.parametrize("text", ["?stroke", "stroke?", "no stroke", "r/o stroke", "mother: stroke", "possible DVT"])
def test_what_is_doubted_denied_or_of_kin_is_no_condition_that_somebody_has(engine: Engine, text: str) -> None:
    assert engine.checker.terms.condition(Told(text)) is None
