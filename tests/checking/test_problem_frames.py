"""Ways in which clinicians say something of a problem, each with several problems: the frame decides, not the problem."""

from __future__ import annotations

from itertools import product

import pytest
from measuring.charts import problems_read

from safety.engine import Engine

FRAMES: dict[str, tuple[str, tuple[str, ...]]] = {
    # where somebody is, or who follows it, is no denial and no kin
    "{} (Cleveland Clinic)": ("present", ("DVT", "UC", "MG")),
    "{} on floor": ("present", ("DVT", "sepsis", "AKI")),
    "{} at work": ("present", ("syncope", "MI", "epilepsy")),
    "{} at school": ("family", ("scabies", "flu", "norovirus")),
    "{} clinic": ("present", ("HTN", "CKD4")),
    "{}, ED x2 this yr": ("present", ("asthma", "COPD")),
    # days of a stay, and times that are no times ago
    "{} HD#3": ("present", ("PNA", "DVT")),
    "{} POD4": ("present", ("ileus", "AF")),
    "{}, f/u 3 mo": ("present", ("CVA", "PE")),
    "{}, G2P1 at 28w": ("present", ("DVT", "PE")),
    "{}, last admit 3/2025": ("present", ("MDD", "HCV", "cirrhosis")),
    # what cannot be ruled out, and what is little suspected
    "can't exclude {}": ("suspected", ("DVT", "PE", "sepsis")),
    "cannot r/o {}": ("suspected", ("DVT", "PE", "MI")),
    "low susp for {}": ("denied", ("DVT", "PE", "ACS")),
    "favor {}": ("suspected", ("CVA", "PNA")),
    "{} -ve": ("denied", ("HIV", "DVT")),
    "{} - no evidence on CT": ("denied", ("PE", "anastomotic leak", "aortic dissection")),
    "{}, no evidence on US": ("denied", ("DVT", "cholecystitis")),
    "{} has been r/o": ("denied", ("PE", "MI")),
    "{} many yrs ago": ("over", ("MI", "GIB")),
    "poss {}": ("suspected", ("HIT", "TTP", "PE")),
    # a cancer of which nothing is left, said before it or behind
    "NED from {}": ("over", ("breast ca", "TNBC", "melanoma")),
    "NED x 5 yrs from {}": ("over", ("TNBC", "colon ca")),
    "{} survivor (2010)": ("over", ("breast ca", "DLBCL")),
    "{}, scans clear": ("over", ("lung ca", "colon ca")),
    "{} progressed on 2L": ("present", ("lung ca", "breast ca")),
    # the day of what it came from is its day
    "{} from lisinopril, 2019": ("over", ("angioedema", "AKI")),
    "{} (cocaine 2019)": ("over", ("MI", "SAH")),
    "{} during COVID admission 2020": ("over", ("DVT", "PE")),
    "{} mid-90s": ("over", ("MI", "GIB")),
    # two brothers are kin, and letters are what they are
    "2 bros w/ {}": ("family", ("MI", "DM2", "colon ca")),
    "{}, BF": ("present", ("asthma", "GDM", "HTN")),
    # alone in brackets, behind a comma, and cultures that find nothing of what is treated
    "{} (old)": ("over", ("MI", "CVA", "DVT")),
    "{}, cx neg": ("present", ("PNA", "sepsis", "endocarditis")),
    "{}, for lumpectomy": ("present", ("breast ca", "DCIS")),
    "{}, plan surgery": ("present", ("colon ca", "gallstones")),
    "{}, MRSA": ("present", ("osteo L foot", "cellulitis")),
    "{}, denies today": ("over", ("SI",)),
    "{} - pt disputes": ("suspected", ("dementia", "AUD")),
    # a name that begins behind a comma or bracket and reaches further
    "anemia ({})": ("present", ("severe AS", "CKD4")),
    "anemia, {}, gout": ("present", ("severe AS", "HTN")),
}


@pytest.mark.parametrize(("frame", "problem"), [(f, p) for f, (_, ps) in FRAMES.items() for p in ps])
def test_what_a_frame_says_holds_of_each_problem(engine: Engine, frame: str, problem: str) -> None:
    meant = {p.id for p in problems_read(problem, engine)[0]}
    read = {p.id: p.status for p in problems_read(frame.format(problem), engine)[0]}
    assert meant, problem
    assert {read.get(i) for i in meant} == {FRAMES[frame][0]}, read


MEANT: dict[str, dict[str, str | None]] = {
    # letters and tests that mean one thing by their company
    "SjS on HCQ": {"sjogren-syndrome": "present", "stevens-johnson-syndrome": None},
    "HBsAb+": {"hepatitis-b": None},
    "HBsAg neg, sAb pos": {"hepatitis-b": "denied"},
    "HBcAb+/sAg-": {"hepatitis-b": "over"},
    "HCV Ab+, RNA-": {"hepatitis-c": "over"},
    "TMA on tacro": {"thrombotic-thrombocytopenic-purpura": "present", "amputation": None},
    "R TMA": {"amputation": "present"},
    "HE gr 2": {"hepatic-encephalopathy": "present"},
    "severe MS on TTE, MVA 0.9": {"mitral-stenosis": "present", "multiple-sclerosis": None},
    "severe MS on Ocrevus": {"multiple-sclerosis": "present"},
    "GAD-2 0": {"anxiety": None},
    "GAD": {"anxiety": "present"},
    "ED today": {"erectile-dysfunction": None},
    "HTN, ED": {"erectile-dysfunction": "present"},
    "c/f NPH vs AD": {"alzheimer-disease": "suspected"},
    "breast ca, may need surgery": {"breast-cancer": "present", "surgery": "denied"},
    "gallstones, for chole": {"cholecystectomy": "denied"},
    "MRSA cellulitis": {"bacteria-without-infection": None, "bacterial-skin-infection": "present"},
    "MRSA nares": {"bacteria-without-infection": "present"},
    "GBS+ urine": {"group-b-strep": "present", "guillain-barre-syndrome": None},
    "GBS unk": {"group-b-strep": "suspected", "guillain-barre-syndrome": None},
    "GBS s/p IVIG": {"guillain-barre-syndrome": "present"},
    "mono/di TTTS": {"mononucleosis": None, "diabetes-insipidus": None},
    "Paget-Schroetter": {"deep-vein-thrombosis": "present", "pagets-disease-of-bone": None},
    "perf tics s/p Hartmann's": {"perforated-diverticulitis": "present", "tourette-syndrome": None},
    "bleeding tics": {"gi-bleeding": "present", "tourette-syndrome": None},
    "Schizoaffective, BP type": {"schizoaffective-disorder": "present", "hypertension": None},
    "invasive ductal ca R breast": {"breast-cancer": "present"},
    "c/f PE - CTPE neg": {"pulmonary-embolism": "denied"},
    "GAD/PD": {"panic-disorder": "present", "parkinson-disease": None},
    "PD, anxiety": {"parkinson-disease": "present", "panic-disorder": None},
    "GAS phar": {"streptococcal-pharyngitis": "present", "bloating-and-gas": None},
    "mCRC to liver": {"liver-metastases": "present", "colon-cancer": "present"},
    "bone pain": {"bone-metastases": None},
    "DM resolved s/p sleeve": {"diabetes": "over"},
    "HTN resolved off meds": {"hypertension": "over"},
    "lung ca scr (LDCT) due 1/27": {"lung-cancer": "denied"},
    "PUD w/ UGIB on NSAIDs 2020": {"peptic-ulcer": "over", "gi-bleeding": "over"},
    "T2DM w/ DKA on Jardiance 2022": {"type-2-diabetes": "present", "diabetic-ketoacidosis": "over"},
    "IE, AV, strep": {"endocarditis": "present", "streptococcal-pharyngitis": None},
    "RCC s/p L neph 2019": {"single-kidney": "present", "glomerulonephritis": None},
    "CKD, neph following": {"glomerulonephritis": None, "ckd": "present"},
}


@pytest.mark.parametrize("line", MEANT)
def test_letters_mean_what_their_company_makes_of_them(engine: Engine, line: str) -> None:
    found = {p.id.removeprefix("condition."): p.status for p in problems_read(line, engine)[0]}
    assert {i: found.get(i) for i in MEANT[line]} == MEANT[line]


@pytest.mark.parametrize(("word", "problem"), [*product(("no", "denies", "?"), ("severe AS", "DVT", "AF"))])
def test_what_is_denied_or_asked_alarms_not(engine: Engine, word: str, problem: str) -> None:
    loud = [p.id for p in problems_read(f"{word} {problem}", engine)[0] if p.status == "present"]
    assert not loud
