"""Blood chemistry: corrected calcium and sodium, anion gap, osmolality, LDL cholesterol, fractional excretion of sodium."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Literal

from safety.formulas.answers import Answer, Formula
from safety.formulas.inputs import (
    BICARBONATE,
    CHLORIDE,
    CHOLESTEROL,
    CREATININE,
    GLUCOSE,
    HDL,
    SERUM_ALBUMIN,
    SODIUM,
    TOTAL_CALCIUM,
    TOTAL_LEVEL,
    TRIGLYCERIDES,
    UREA_NITROGEN,
    Input,
    answered,
    gather,
)  # fmt: skip
from safety.model.quantity import Quantity

_CHEMISTRY_COPY = "http://www.pediamcu.com/2018/05/laboratory-calculations.html"
SodiumRule = Literal["1.6", "2.4"]
CORRECTED_CALCIUM = Formula(
    "calcium-corrected", "calcium corrected for albumin", "1973",
    "Payne RB et al. Interpretation of serum calcium in patients with abnormal serum proteins. Br Med J 1973;4:643-646",
    "mg/dL", 1, "secondary",
    _CHEMISTRY_COPY,
)  # fmt: skip
CORRECTED_SODIUM = Formula(
    "sodium-corrected", "sodium corrected for glucose (1.6)", "1973",
    "Katz MA. Hyperglycemia-induced hyponatremia: calculation of expected serum sodium depression. N Engl J Med 1973;289:843-844",
    "mmol/L", 0, "secondary",
    "https://www.medicalalgorithms.com/corrected-sodium-calculator",
)  # fmt: skip
CORRECTED_SODIUM_HILLIER = Formula(
    "sodium-corrected-2.4", "sodium corrected for glucose (2.4)", "1999",
    "Hillier TA et al. Hyponatremia: evaluating the correction factor for hyperglycemia. Am J Med 1999;106:399-403", "mmol/L", 0,
    "secondary", "https://qxmd.com/calculate/calculator_359/meld-score-age-above-12-years",
)  # fmt: skip
ANION_GAP = Formula(
    "anion-gap",
    "anion gap",
    "1977",
    "Emmett M, Narins RG. Clinical use of the anion gap. Medicine 1977;56:38-54",
    "mmol/L",
    0,
    "secondary",
    _CHEMISTRY_COPY,
)
ANION_GAP_ALBUMIN = Formula(
    "anion-gap-albumin", "anion gap corrected for albumin", "1998",
    "Figge J et al. Anion gap and hypoalbuminemia. Crit Care Med 1998;26:1807-1810", "mmol/L", 0,
)  # fmt: skip
LEVEL_FOR_ALBUMIN = Formula(
    "level-for-albumin", "total level of a medicine that is bound to albumin, as it would be at a normal albumin", "1973",
    "Sheiner LB, Tozer TN. Clinical pharmacokinetics: the use of plasma concentrations of drugs. In: Clinical Pharmacology: "
    "Basic Principles in Therapeutics. 1973", "mcg/mL", 1, "secondary", "https://maratool.pages.dev/phenytoin-level-correction",
)  # fmt: skip
KIDNEYS_FAILED_UNDER = Quantity(Decimal(20), "mL/min")
"""Under this clearance, and on dialysis, the second form of the formula for a level holds."""
OSMOLALITY = Formula(
    "osmolality",
    "calculated serum osmolality",
    "",
    "2 x sodium + glucose / 18 + urea nitrogen / 2.8, in mg/dL",
    "mmol/kg",
    0,
    "secondary",
    _CHEMISTRY_COPY,
)
FRIEDEWALD = Formula(
    "ldl", "LDL cholesterol (Friedewald)", "1972",
    "Friedewald WT et al. Estimation of the concentration of LDL cholesterol in plasma. Clin Chem 1972;18:499-502", "mg/dL", 0,
)  # fmt: skip
FENA = Formula(
    "fena", "fractional excretion of sodium", "1976",
    "Espinel CH. The FENa test: use in the differential diagnosis of acute renal failure. JAMA 1976;236:579-581", "%", 1,
)  # fmt: skip
_URINE_SODIUM = Input("urine sodium", "mmol/L", {"mEq/L": "1"}, "1", "500")
_URINE_CREATININE = Input("urine creatinine", "mg/dL", CREATININE.others, "1", "1000")


def corrected_calcium(calcium: Quantity | None, albumin: Quantity | None) -> Answer:
    """Calcium in mg/dL corrected for albumin: calcium + 0.8 x (4 - albumin in g/dL)."""
    got = gather(CORRECTED_CALCIUM, (TOTAL_CALCIUM, calcium), (SERUM_ALBUMIN, albumin))
    if isinstance(got, Answer):
        return got
    return answered(CORRECTED_CALCIUM, got["calcium"] + Fraction("0.8") * (4 - got["albumin"]), got.used)


def corrected_sodium(sodium: Quantity | None, glucose: Quantity | None, rule: SodiumRule = "1.6") -> Answer:
    """Sodium in mmol/L corrected for glucose: 1.6 (Katz) or 2.4 (Hillier) for each 100 mg/dL of glucose above 100.

    At a glucose of 100 mg/dL or less there is nothing to correct and sodium stays as it is.
    """
    formula = CORRECTED_SODIUM if rule == "1.6" else CORRECTED_SODIUM_HILLIER
    got = gather(formula, (SODIUM, sodium), (GLUCOSE, glucose))
    if isinstance(got, Answer):
        return got
    above = max(got["glucose"] - 100, Fraction(0))
    notes = () if above else ("glucose is not above 100 mg/dL, so there is nothing to correct",)
    return answered(formula, got["sodium"] + Fraction(rule) * above / 100, got.used, notes)


def anion_gap(sodium: Quantity | None, chloride: Quantity | None, bicarbonate: Quantity | None) -> Answer:
    """Anion gap in mmol/L, without potassium: sodium - chloride - bicarbonate."""
    got = gather(ANION_GAP, (SODIUM, sodium), (CHLORIDE, chloride), (BICARBONATE, bicarbonate))
    if isinstance(got, Answer):
        return got
    return answered(ANION_GAP, got["sodium"] - got["chloride"] - got["bicarbonate"], got.used)


def anion_gap_for_albumin(
    sodium: Quantity | None, chloride: Quantity | None, bicarbonate: Quantity | None, albumin: Quantity | None
) -> Answer:
    """Anion gap in mmol/L corrected for albumin: the gap + 2.5 x (4 - albumin in g/dL)."""
    got = gather(ANION_GAP_ALBUMIN, (SODIUM, sodium), (CHLORIDE, chloride), (BICARBONATE, bicarbonate), (SERUM_ALBUMIN, albumin))
    if isinstance(got, Answer):
        return got
    gap = got["sodium"] - got["chloride"] - got["bicarbonate"]
    return answered(ANION_GAP_ALBUMIN, gap + Fraction("2.5") * (4 - got["albumin"]), got.used)


def level_for_albumin(level: Quantity | None, albumin: Quantity | None, kidneys_failed: bool = False) -> Answer:
    """A total level in mcg/mL at a normal albumin: level / (0.2 x albumin + 0.1), 0.1 instead of 0.2 in kidney failure.

    Albumin in g/dL; kidney failure is a clearance under 20 mL/min, or dialysis.
    """
    got = gather(LEVEL_FOR_ALBUMIN, (TOTAL_LEVEL, level), (SERUM_ALBUMIN, albumin))
    if isinstance(got, Answer):
        return got
    share = Fraction("0.1") if kidneys_failed else Fraction("0.2")
    return answered(LEVEL_FOR_ALBUMIN, got["level"] / (share * got["albumin"] + Fraction("0.1")), got.used)


def osmolality(sodium: Quantity | None, glucose: Quantity | None, bun: Quantity | None) -> Answer:
    """Calculated serum osmolality in mmol/kg: 2 x sodium + glucose / 18 + urea nitrogen / 2.8, the latter two in mg/dL."""
    got = gather(OSMOLALITY, (SODIUM, sodium), (GLUCOSE, glucose), (UREA_NITROGEN, bun))
    if isinstance(got, Answer):
        return got
    value = 2 * got["sodium"] + got["glucose"] / 18 + got["bun"] / Fraction("2.8")
    return answered(OSMOLALITY, value, got.used)


def ldl_friedewald(cholesterol: Quantity | None, hdl: Quantity | None, triglycerides: Quantity | None) -> Answer:
    """LDL cholesterol in mg/dL (Friedewald): total - HDL - triglycerides / 5; triglycerides up to 400 mg/dL."""
    got = gather(FRIEDEWALD, (CHOLESTEROL, cholesterol), (HDL, hdl), (TRIGLYCERIDES.within(at_most="400"), triglycerides))
    if isinstance(got, Answer):
        return got
    value = got["cholesterol"] - got["hdl"] - got["triglycerides"] / 5
    if value < 0:
        return Answer(FRIEDEWALD, used=tuple(got.used), refused=("HDL and a fifth of the triglycerides exceed the total",))
    return answered(FRIEDEWALD, value, got.used)


def fractional_sodium(
    sodium: Quantity | None, creatinine: Quantity | None, urine_sodium: Quantity | None, urine_creatinine: Quantity | None
) -> Answer:
    """Fractional excretion of sodium in %: 100 x urine sodium x creatinine / (sodium x urine creatinine)."""
    got = gather(
        FENA, (SODIUM, sodium), (CREATININE, creatinine), (_URINE_SODIUM, urine_sodium), (_URINE_CREATININE, urine_creatinine)
    )
    if isinstance(got, Answer):
        return got
    value = 100 * got["urine sodium"] * got["creatinine"] / (got["sodium"] * got["urine creatinine"])
    return answered(FENA, value, got.used)
