"""Problem lines whose standing hangs on words further on: of the whole, by mistake, of kin, of teaching, of a test since."""

from __future__ import annotations

import pytest
from measuring.charts import problems_read

from safety.engine import Engine

AS: dict[str, dict[str, str | None]] = {
    # "resolved" behind a comma ends all that came together, where it passes
    "sepsis 2/2 UTI c/b AKI, now resolved": {"sepsis": "over", "urinary-tract-infection": "over", "acute-kidney-injury": "over"},
    "Urosepsis c/b AKI, both resolved": {"urosepsis": "over", "acute-kidney-injury": "over"},
    "DM2 c/b DKA, resolved": {"type-2-diabetes": "present"},
    "MI c/b VF arrest, resolved": {"myocardial-infarction": "present"},
    "CKD 3 c/b hyperkalemia, resolved": {"ckd-stage-3": "present"},
    "pneumonia c/b AKI, Cr back to baseline": {"pneumonia": "present", "acute-kidney-injury": "over"},
    # a mistake at the end of a line, whatever tests stand between
    "Listed as COPD in chart, PFTs nl - error": {"copd": "denied"},
    "chart says CHF, echo nl EF nl, dx retracted": {"heart-failure": "denied"},
    '"Asthma" on problem list - disproven by methacholine': {"asthma": "denied"},
    "COPD, medication error last admission": {"copd": "present"},
    # what was there on a day was there, whatever a test finds now
    "HIT 2018, ab neg now": {"heparin-induced-thrombocytopenia": "present"},
    # kin that were brought in, and results of kin
    "wife recently admitted w/ influenza": {"influenza": "family"},
    "lives w/ wife, admitted w/ influenza": {"influenza": "present"},
    "maternal HBsAg pos, infant got HBIG": {"hepatitis-b": None},
    "HBsAg pos": {"hepatitis-b": "present"},
    # who is taught of an illness may have it: it is asked about, and alarms nobody; its signs are told to whoever is at risk
    "handout given: hypoglycemia": {"hypoglycemia": "suspected"},
    "pt educ sheet on heart failure provided": {"heart-failure": "suspected"},
    "pt educated re s/s of stroke": {"stroke": "denied"},
    "Discharge instr given re: DVT signs": {"deep-vein-thrombosis": "denied"},
    "Gave pamphlet on DVT prevention": {"deep-vein-thrombosis": "denied", "vascular-malformation": None},
    "GAVE w/ bleeding": {"vascular-malformation": "present"},
    "educated re insulin, DM2": {"type-2-diabetes": "present"},
    "worried she has cancer; w/u negative": {"cancer": "denied"},
    "no evid of recurrence, breast ca '17": {"breast-cancer": "over"},
    "sickle prep neg, Hgb AA": {"sickle-cell-disease": None},
    "sickle cell disease": {"sickle-cell-disease": "present"},
    "DDH check: hips stable": {"congenital-limb-malformation": None},
}


@pytest.mark.parametrize("line", AS)
def test_a_line_is_read_to_its_end(engine: Engine, line: str) -> None:
    found = {p.id.removeprefix("condition."): p.status for p in problems_read(line, engine)[0]}
    assert {i: found.get(i) for i in AS[line]} == AS[line]
