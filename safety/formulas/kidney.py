"""Kidney function: creatinine clearance and estimated glomerular filtration rate."""

from __future__ import annotations

from fractions import Fraction

from safety.formulas.answers import Answer, Formula, Used, power, rounded
from safety.formulas.body import WeightRule, dosing_weight
from safety.formulas.inputs import ADULT, AGE, CREATININE, HEIGHT, Input, answered, gather, merged
from safety.model.patient import Age, Sex
from safety.model.quantity import Quantity, plain

COCKCROFT_GAULT = Formula(
    "crcl", "creatinine clearance (Cockcroft-Gault)", "1976",
    "Cockcroft DW, Gault MH. Prediction of creatinine clearance from serum creatinine. Nephron 1976;16:31-41", "mL/min", 0,
    "secondary", "http://www.thedrugmonitor.com/clcreqs.html",
)  # fmt: skip
CKD_EPI = Formula(
    "egfr", "eGFR (CKD-EPI creatinine, 2021)", "2021, without race",
    "Inker LA et al. New creatinine- and cystatin C-based equations to estimate GFR without race. "
    "N Engl J Med 2021;385:1737-1749",
    "mL/min/1.73m2", 0, "secondary", "https://kidney.org/ckd-epi-creatinine-equation-2021",
)  # fmt: skip
_LEVEY = "Levey AS et al. Using standardized serum creatinine values in the MDRD study equation. Ann Intern Med 2006;145:247-254"
_MDRD_COPY = "https://vespr.org/questions/how-can-you-calculate-egfr-if-you-know-the-creatinine-level"
MDRD = Formula(
    "mdrd", "eGFR (MDRD, four variables)", "2006, factor 175 (IDMS), without the race factor", _LEVEY, "mL/min/1.73m2", 0,
    "secondary", _MDRD_COPY,
)  # fmt: skip
MDRD_RACE = Formula(
    "mdrd-race", "eGFR (MDRD, four variables, with race factor)", "2006, factor 175 (IDMS)", _LEVEY, "mL/min/1.73m2", 0,
    "secondary", _MDRD_COPY,
)  # fmt: skip
SCHWARTZ = Formula(
    "egfr-child", "eGFR of a child (bedside Schwartz)", "2009",
    "Schwartz GJ et al. New equations to estimate GFR in children with CKD. J Am Soc Nephrol 2009;20:629-637", "mL/min/1.73m2", 0,
    "read", "https://pmc.ncbi.nlm.nih.gov/articles/PMC2653687",
)  # fmt: skip
DEINDEXED = Formula(
    "egfr-absolute", "eGFR for the patient's own body surface area", "1.73 m2 removed",
    "eGFR in mL/min/1.73m2 times body surface area in m2 divided by 1.73", "mL/min", 0,
)  # fmt: skip
_EGFR = Input("egfr", "mL/min/1.73m2", {}, "0", "250")
_BSA = Input("body surface", "m2", {}, "0.1", "4")


def cockcroft_gault(
    age: Age | None,
    sex: Sex | None,
    weight: Quantity | None,
    height: Quantity | None,
    creatinine: Quantity | None,
    rule: WeightRule = "by-bmi",
) -> Answer:
    """Creatinine clearance of an adult in mL/min (Cockcroft-Gault 1976).

    (140 - age in completed years) x weight in kg / (72 x creatinine in mg/dL), times 0.85 for women. The weight is that
    of `dosing_weight` under the rule; height is needed unless the rule is `actual`. Age 18 to 120 years; creatinine 0.1 to
    30 mg/dL and steady.
    """
    got = gather(COCKCROFT_GAULT, (ADULT, age), (CREATININE, creatinine), sex=sex)
    weighed = dosing_weight(sex, weight, height, rule)
    if isinstance(got, Answer) or weighed.value is None:
        parts = [got] if isinstance(got, Answer) else []
        parts += [weighed] if weighed.value is None else []
        return Answer(
            COCKCROFT_GAULT,
            used=merged(*(p.used for p in parts)),
            missing=tuple(dict.fromkeys(m for p in parts for m in p.missing)),
            refused=tuple(dict.fromkeys(r for p in parts for r in p.refused)),
        )
    # from 140 on the formula has nothing left to multiply; ages end at 120, so the product stays above zero
    kilograms = Fraction(weighed.value)
    value = (140 - got["age"]) * kilograms / (72 * got["creatinine"])
    if sex == "female":
        value *= Fraction("0.85")
    why, *notes = weighed.notes
    used = (*merged(got.used, weighed.used), Used("weight used", f"{plain(rounded(weighed.value, 1))} kg", why))
    return answered(COCKCROFT_GAULT, value, used, notes)


def ckd_epi_2021(age: Age | None, sex: Sex | None, creatinine: Quantity | None) -> Answer:
    """Estimated GFR of an adult in mL/min/1.73m2 (CKD-EPI creatinine equation of 2021, without race).

    142 x min(Scr/k, 1)^a x max(Scr/k, 1)^-1.200 x 0.9938^age, times 1.012 for women; k 0.7 and a -0.241 for women,
    0.9 and -0.302 for men; Scr in mg/dL, age in completed years, 18 and above.
    """
    got = gather(CKD_EPI, (ADULT, age), (CREATININE, creatinine), sex=sex)
    if isinstance(got, Answer):
        return got
    knot, low = (Fraction("0.7"), "-0.241") if sex == "female" else (Fraction("0.9"), "-0.302")
    ratio = got["creatinine"] / knot
    value = 142 * power(ratio, low if ratio < 1 else "-1.200") * power(Fraction("0.9938"), str(got["age"]))
    if sex == "female":
        value *= Fraction("1.012")
    return answered(CKD_EPI, value, got.used)


def mdrd(age: Age | None, sex: Sex | None, creatinine: Quantity | None, *, with_race_factor: bool = False) -> Answer:
    """Estimated GFR of an adult in mL/min/1.73m2 (MDRD with four variables, re-expressed for IDMS creatinine, 2006).

    175 x creatinine^-1.154 x age^-0.203, times 0.742 for women; the equation's factor 1.212 for Black patients is applied
    only where it is asked for by name. Kept for comparing with old results; CKD-EPI 2021 took its place.
    """
    formula = MDRD_RACE if with_race_factor else MDRD
    got = gather(formula, (ADULT, age), (CREATININE, creatinine), sex=sex)
    if isinstance(got, Answer):
        return got
    value = 175 * power(got["creatinine"], "-1.154") * power(got["age"], "-0.203")
    if sex == "female":
        value *= Fraction("0.742")
    if with_race_factor:
        value *= Fraction("1.212")
    return answered(formula, value, got.used)


def schwartz(age: Age | None, height: Quantity | None, creatinine: Quantity | None) -> Answer:
    """Estimated GFR of a child in mL/min/1.73m2 (bedside Schwartz 2009): 0.413 x height in cm / creatinine in mg/dL.

    Made in children of 1 to 16 years and used up to 17; creatinine by an enzymatic method traceable to IDMS.
    """
    got = gather(SCHWARTZ, (AGE.within("1", "17"), age), (HEIGHT, height), (CREATININE, creatinine))
    if isinstance(got, Answer):
        return got
    return answered(SCHWARTZ, Fraction("0.413") * got["height"] / got["creatinine"], got.used)


def deindexed(egfr: Quantity | None, body_surface: Quantity | None) -> Answer:
    """An eGFR in mL/min/1.73m2 turned into mL/min for this patient: times body surface area in m2 divided by 1.73."""
    got = gather(DEINDEXED, (_EGFR, egfr), (_BSA, body_surface))
    if isinstance(got, Answer):
        return got
    return answered(DEINDEXED, got["egfr"] * got["body surface"] / Fraction("1.73"), got.used)
