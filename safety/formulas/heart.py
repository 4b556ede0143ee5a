"""The heart: QT corrected for rate, mean arterial pressure, and the two scores of atrial fibrillation."""

from __future__ import annotations

from fractions import Fraction

from safety.formulas.answers import Answer, Formula, root
from safety.formulas.inputs import ADULT, DIASTOLIC, HEART_RATE, QT, SYSTOLIC, Gathered, Input, answered, gather
from safety.formulas.scores import Part, added, by_amount, yes_or_no
from safety.model.patient import Age, Sex
from safety.model.quantity import Quantity

_QT_COPY = "https://qtc-calc.netlify.app/?desktop=1"
BAZETT = Formula(
    "qtc-bazett", "corrected QT (Bazett)", "1920",
    "Bazett HC. An analysis of the time-relations of electrocardiograms. Heart 1920;7:353-370", "ms", 0, "secondary", _QT_COPY,
)  # fmt: skip
FRIDERICIA = Formula(
    "qtc-fridericia", "corrected QT (Fridericia)", "1920",
    "Fridericia LS. Die Systolendauer im Elektrokardiogramm. Acta Med Scand 1920;53:469-486", "ms", 0, "secondary", _QT_COPY,
)  # fmt: skip
FRAMINGHAM = Formula(
    "qtc-framingham", "corrected QT (Framingham)", "1992",
    "Sagie A et al. An improved method for adjusting the QT interval for heart rate. Am J Cardiol 1992;70:797-801", "ms", 0,
    "secondary", _QT_COPY,
)  # fmt: skip
HODGES = Formula(
    "qtc-hodges", "corrected QT (Hodges)", "1983",
    "Hodges M et al. Bazett's QT correction reviewed. J Am Coll Cardiol 1983;1:694", "ms", 0, "secondary", _QT_COPY,
)  # fmt: skip
RAUTAHARJU = Formula(
    "qtc-rautaharju", "corrected QT (Rautaharju)", "2014",
    "Rautaharju PM et al. New age- and sex-specific criteria for QT prolongation. Int J Cardiol 2014;174:535-540", "ms", 0,
    "secondary", _QT_COPY,
)  # fmt: skip
MEAN_PRESSURE = Formula("map", "mean arterial pressure", "", "(systolic + 2 x diastolic) / 3", "mmHg", 0)
CHA2DS2_VASC = Formula(
    "cha2ds2-vasc", "CHA2DS2-VASc score", "2010",
    "Lip GY et al. Refining clinical risk stratification for predicting stroke in atrial fibrillation. Chest 2010;137:263-272",
    "points", 0, "secondary",
    "https://pmc.ncbi.nlm.nih.gov/articles/PMC5020564/table/T3/?term=%22Stroke%22%5Bjour%5D",
)  # fmt: skip
HAS_BLED = Formula(
    "has-bled", "HAS-BLED score", "2010",
    "Pisters R et al. A novel user-friendly score (HAS-BLED). Chest 2010;138:1093-1100", "points", 0, "secondary",
    "https://pmc.ncbi.nlm.nih.gov/articles/PMC3418985/table/t3-0580850",
)  # fmt: skip
# Drinks are counted in a week; the unit is left out.
DRINKS = Input("drinks a week", "", {"drink": "1"}, "0", "300")


def qtc_bazett(qt: Quantity | None, heart_rate: Quantity | None) -> Answer:
    """Corrected QT in ms (Bazett): QT / square root of RR, RR in seconds being 60 / heart rate."""
    got = gather(BAZETT, (QT, qt), (HEART_RATE, heart_rate))
    if isinstance(got, Answer):
        return got
    rate = got["heart rate"]
    notes = ("Bazett corrects too much at a rate above 100 or under 60",) if rate > 100 or rate < 60 else ()
    return answered(BAZETT, got["qt"] / root(_rr(got)), got.used, notes)


def qtc_fridericia(qt: Quantity | None, heart_rate: Quantity | None) -> Answer:
    """Corrected QT in ms (Fridericia): QT / cube root of RR, RR in seconds being 60 / heart rate."""
    got = gather(FRIDERICIA, (QT, qt), (HEART_RATE, heart_rate))
    if isinstance(got, Answer):
        return got
    return answered(FRIDERICIA, got["qt"] / root(_rr(got), 3), got.used)


def qtc_framingham(qt: Quantity | None, heart_rate: Quantity | None) -> Answer:
    """Corrected QT in ms (Framingham): QT + 154 x (1 - RR), RR in seconds being 60 / heart rate."""
    got = gather(FRAMINGHAM, (QT, qt), (HEART_RATE, heart_rate))
    if isinstance(got, Answer):
        return got
    return answered(FRAMINGHAM, got["qt"] + 154 * (1 - _rr(got)), got.used)


def qtc_hodges(qt: Quantity | None, heart_rate: Quantity | None) -> Answer:
    """Corrected QT in ms (Hodges): QT + 1.75 x (heart rate - 60)."""
    got = gather(HODGES, (QT, qt), (HEART_RATE, heart_rate))
    if isinstance(got, Answer):
        return got
    return answered(HODGES, got["qt"] + Fraction("1.75") * (got["heart rate"] - 60), got.used)


def qtc_rautaharju(qt: Quantity | None, heart_rate: Quantity | None) -> Answer:
    """Corrected QT in ms (Rautaharju): QT x (120 + heart rate) / 180."""
    got = gather(RAUTAHARJU, (QT, qt), (HEART_RATE, heart_rate))
    if isinstance(got, Answer):
        return got
    return answered(RAUTAHARJU, got["qt"] * (120 + got["heart rate"]) / 180, got.used)


def mean_arterial_pressure(systolic: Quantity | None, diastolic: Quantity | None) -> Answer:
    """Mean arterial pressure in mmHg: (systolic + 2 x diastolic) / 3; systolic may not be under diastolic."""
    got = gather(MEAN_PRESSURE, (SYSTOLIC, systolic), (DIASTOLIC, diastolic))
    if isinstance(got, Answer):
        return got
    if got["systolic"] < got["diastolic"]:
        return Answer(MEAN_PRESSURE, used=tuple(got.used), refused=("systolic is under diastolic",))
    return answered(MEAN_PRESSURE, (got["systolic"] + 2 * got["diastolic"]) / 3, got.used)


def cha2ds2_vasc(
    age: Age | None,
    sex: Sex | None,
    heart_failure: bool | None,
    hypertension: bool | None,
    diabetes: bool | None,
    stroke: bool | None,
    vascular_disease: bool | None,
) -> Answer:
    """CHA2DS2-VASc score of an adult with atrial fibrillation, 0 to 9 points.

    One point each: heart failure, hypertension, diabetes, vascular disease, age 65 to 74, female; two each: age 75 and
    above, and stroke, transient ischemic attack or thromboembolism (`stroke`).
    """
    female = int(sex == "female")
    parts = [
        by_amount(ADULT, age, lambda x: 2 if x >= 75 else 1 if x >= 65 else 0, 0, 2), 
        Part("sex", sex or "", female, female if sex else 1),
        yes_or_no("heart failure", heart_failure), yes_or_no("hypertension", hypertension), yes_or_no("diabetes", diabetes),
        yes_or_no("stroke", stroke, 2), yes_or_no("vascular disease", vascular_disease),
    ]  # fmt: skip
    return added(CHA2DS2_VASC, parts)


def has_bled(
    age: Age | None,
    hypertension: bool | None,
    kidney_disease: bool | None,
    liver_disease: bool | None,
    stroke: bool | None,
    bleeding: bool | None,
    labile_inr: bool | None,
    bleeding_drugs: bool | None,
    drinks_a_week: Quantity | None,
) -> Answer:
    """HAS-BLED score of an adult, 0 to 9 points, one each.

    Uncontrolled hypertension (systolic above 160 mmHg); kidney disease (dialysis, transplant, creatinine above 2.26 mg/dL);
    liver disease (cirrhosis, or bilirubin above twice with AST, ALT or ALP above three times normal); stroke; bleeding or a
    tendency to bleed; labile INR (in range less than 60 % of the time; no without warfarin); age above 65; antiplatelets or
    NSAIDs; eight drinks a week or more.
    """
    parts = [
        by_amount(ADULT, age, lambda x: int(x > 65), 0, 1), yes_or_no("hypertension", hypertension),
        yes_or_no("kidney disease", kidney_disease), yes_or_no("liver disease", liver_disease), yes_or_no("stroke", stroke),
        yes_or_no("bleeding", bleeding), yes_or_no("labile inr", labile_inr), yes_or_no("bleeding drugs", bleeding_drugs),
        by_amount(DRINKS, drinks_a_week, lambda x: int(x >= 8), 0, 1),
    ]  # fmt: skip
    return added(HAS_BLED, parts)


def _rr(got: Gathered) -> Fraction:
    return 60 / got["heart rate"]
