"""Acids and bases, water and salt: what is to be expected, gaps, and what a deficit comes to."""

from __future__ import annotations

from fractions import Fraction

from safety.formulas.answers import Formula
from safety.formulas.inputs import BICARBONATE, CREATININE, GLUCOSE, SODIUM, UREA_NITROGEN, WEIGHT, Input
from safety.formulas.simple import Simple, count

_BODY_WATER = count("water share", "0.3", "0.8")
_PRESSURE = {"kPa": "7.500617"}
PCO2 = Input("pco2", "mmHg", _PRESSURE, "5", "200")
PO2 = Input("po2", "mmHg", _PRESSURE, "10", "700")
FIO2 = Input("fio2", "%", {"": "1"}, "21", "100")
_POTASSIUM = Input("potassium", "mmol/L", {"mEq/L": "1"}, "1", "12")
_GAP = Input("gap", "mmol/L", {"mEq/L": "1"}, "-10", "80")
_MEASURED = Input("osmolality", "mmol/kg", {"mosm/kg": "1", "": "1"}, "150", "600")
_URINE_MEASURED = Input("urine osmolality", "mmol/kg", {"mosm/kg": "1", "": "1"}, "20", "1600")
_SALT = {"mEq/L": "1"}
_URINE_SODIUM = Input("urine sodium", "mmol/L", _SALT, "0", "400")
_URINE_POTASSIUM = Input("urine potassium", "mmol/L", _SALT, "0", "400")
_URINE_CHLORIDE = Input("urine chloride", "mmol/L", _SALT, "0", "400")
_URINE_UREA = Input("urine urea nitrogen", "mg/dL", {"mmol/L": "2.8014"}, "1", "5000")
_URINE_CREATININE = Input("urine creatinine", "mg/dL", {"umol/L": "0.011312", "mmol/L": "11.312"}, "1", "1000")
_INFUSED = Input("infused sodium and potassium", "mmol/L", _SALT, "0", "1000")
_TARGET = Input("target sodium", "mmol/L", _SALT, "100", "160")
_WATER = ((WEIGHT, "70 kg"), (_BODY_WATER, "0.6"))
_OF_WATER = "share of the weight that is water: 0.6 in children and men, 0.5 in women and old men, 0.45 in old women"

WATER_DEFICIT = Simple(
    Formula("free-water-deficit", "free water deficit", "2000", "Adrogué HJ, Madias NE. N Engl J Med 2000;342:1493-1499", "L", 1),
    (*_WATER, (SODIUM, "158 mmol/L")),
    lambda g, _: g["water share"] * g["weight"] * (g["sodium"] / 140 - 1), note=_OF_WATER,
)  # fmt: skip
SODIUM_CHANGE = Simple(
    Formula(
        "sodium-change", "change of serum sodium by a liter of infusate", "2000",
        "Adrogué HJ, Madias NE. N Engl J Med 2000;342:1581-1589", "mmol/L", 1,
    ),
    (*_WATER, (SODIUM, "112 mmol/L"), (_INFUSED, "513 mmol/L")),
    lambda g, _: (g["infused sodium and potassium"] - g["sodium"]) / (g["water share"] * g["weight"] + 1), note=_OF_WATER,
)  # fmt: skip
SODIUM_DEFICIT = Simple(
    Formula(
        "sodium-deficit", "sodium deficit", "2000", "Adrogué HJ, Madias NE. N Engl J Med 2000;342:1581-1589", "mmol", 0,
    ),
    (*_WATER, (SODIUM, "112 mmol/L"), (_TARGET, "120 mmol/L")),
    lambda g, _: g["water share"] * g["weight"] * (g["target sodium"] - g["sodium"]),
    note=f"{_OF_WATER}; how fast it may be corrected is a separate question",
)  # fmt: skip
WINTERS = Simple(
    Formula(
        "winters", "pCO2 to be expected in a metabolic acidosis (Winters)", "1967",
        "Albert MS, Dell RB, Winters RW. Ann Intern Med 1967;66:312-322", "mmHg", 1,
    ),
    ((BICARBONATE, "12 mmol/L"),), lambda g, _: Fraction("1.5") * g["bicarbonate"] + 8, note="give or take 2 mmHg",
)  # fmt: skip
DELTA_GAP = Simple(
    Formula("delta-gap", "delta gap", "1990", "Wrenn K. Ann Emerg Med 1990;19:1310-1313", "mmol/L", 0),
    ((_GAP, "24 mmol/L"), (BICARBONATE, "14 mmol/L")), lambda g, _: (g["gap"] - 12) - (24 - g["bicarbonate"]),
    note="near 0: an anion gap acidosis alone; above 6 a metabolic alkalosis, below -6 a normal gap acidosis besides",
)  # fmt: skip
OSMOLAL_GAP = Simple(
    Formula("osmolal-gap", "osmolal gap", "1976", "Smithline N, Gardner KD. JAMA 1976;236:1594-1597", "mmol/kg", 0),
    ((_MEASURED, "310"), (SODIUM, "140 mmol/L"), (GLUCOSE, "90 mg/dL"), (UREA_NITROGEN, "14 mg/dL")),
    lambda g, _: g["osmolality"] - (2 * g["sodium"] + g["glucose"] / 18 + g["bun"] / Fraction("2.8")),
)  # fmt: skip
URINE_GAP = Simple(
    Formula("urine-anion-gap", "urine anion gap", "1988", "Batlle DC et al. N Engl J Med 1988;318:594-599", "mmol/L", 0),
    ((_URINE_SODIUM, "40 mmol/L"), (_URINE_POTASSIUM, "30 mmol/L"), (_URINE_CHLORIDE, "90 mmol/L")),
    lambda g, _: g["urine sodium"] + g["urine potassium"] - g["urine chloride"],
)  # fmt: skip
TTKG = Simple(
    Formula("ttkg", "transtubular potassium gradient", "1990", "Ethier JH et al. Am J Kidney Dis 1990;15:309-315", "", 1),
    ((_URINE_POTASSIUM, "30 mmol/L"), (_POTASSIUM, "3 mmol/L"), (_URINE_MEASURED, "600"), (_MEASURED, "290")),
    lambda g, _: (g["urine potassium"] / g["potassium"]) / (g["urine osmolality"] / g["osmolality"]),
    refuse=lambda g: "" if g["urine osmolality"] >= g["osmolality"] else "urine osmolality under the serum's: not to be used",
)  # fmt: skip
FEUREA = Simple(
    Formula(
        "feurea", "fractional excretion of urea", "2002",
        "Carvounis CP, Nisar S, Guro-Razuman S. Kidney Int 2002;62:2223-2229", "%", 1,
    ),
    ((_URINE_UREA, "400 mg/dL"), (UREA_NITROGEN, "40 mg/dL"), (_URINE_CREATININE, "100 mg/dL"), (CREATININE, "2 mg/dL")),
    lambda g, _: 100 * g["urine urea nitrogen"] * g["creatinine"] / (g["bun"] * g["urine creatinine"]),
)  # fmt: skip
A_A_GRADIENT = Simple(
    Formula(
        "a-a-gradient", "alveolar-arterial gradient at sea level (A-a)", "1966",
        "Mellemgaard K. Acta Physiol Scand 1966;67:10-20", "mmHg", 0,
    ),
    ((FIO2, "21 %"), (PCO2, "40 mmHg"), (PO2, "95 mmHg")),
    lambda g, _: g["fio2"] / 100 * (760 - 47) - g["pco2"] / Fraction("0.8") - g["po2"],
)  # fmt: skip
P_F_RATIO = Simple(
    Formula("pf-ratio", "PaO2/FiO2 ratio", "2012", "ARDS Definition Task Force. JAMA 2012;307:2526-2533", "mmHg", 0),
    ((PO2, "80 mmHg"), (FIO2, "40 %")), lambda g, _: g["po2"] * 100 / g["fio2"],
)  # fmt: skip
ACID_BASE = (
    WATER_DEFICIT, SODIUM_CHANGE, SODIUM_DEFICIT, WINTERS, DELTA_GAP, OSMOLAL_GAP, URINE_GAP, TTKG, FEUREA, A_A_GRADIENT,
    P_F_RATIO,
)  # fmt: skip
