"""Further formulas by organ: kidney by cystatin C, liver, lipids and sugar, blood cells, body size, habits."""

from __future__ import annotations

from fractions import Fraction

from safety.formulas.answers import EXACT, Formula, decimal, power
from safety.formulas.body import GROWN_HEIGHT, GROWN_WEIGHT
from safety.formulas.inputs import (
    ADULT,
    ALT,
    AST,
    BILIRUBIN,
    CHOLESTEROL,
    CREATININE,
    GLUCOSE,
    HDL,
    HEART_RATE,
    HEIGHT,
    PLATELETS,
    SERUM_ALBUMIN,
    SYSTOLIC,
    TRIGLYCERIDES,
    WEIGHT,
    Gathered,
    Input,
)  # fmt: skip
from safety.formulas.simple import Simple, count, higher, share

_CYSTATIN = Input("cystatin c", "mg/L", {}, "0.1", "12")
_URINE_CREATININE = Input("urine creatinine", "mg/dL", {"umol/L": "0.011312", "mmol/L": "11.312"}, "1", "1000")
_URINE = Input("urine volume", "mL", {"L": "1000"}, "50", "15000")
_COLLECTED = Input("hours collected", "h", {"": "1"}, "2", "48")
_CLOTTING = Input("prothrombin time", "s", {"": "1"}, "8", "150")
_CONTROL = Input("control time", "s", {"": "1"}, "8", "20")
_LIMIT = Input("upper limit", "unit/L", {"": "1"}, "10", "500")
_ALP = Input("alp", "unit/L", {}, "1", "10000")
_ALP_LIMIT = Input("alp upper limit", "unit/L", {"": "1"}, "20", "1000")
_BMI = Input("bmi", "kg/m2", {"": "1"}, "10", "100")
_DIABETES = count("impaired fasting glucose or diabetes", "0", "1")
_A1C = share("a1c", "25")
_FASTING_HORMONE = Input("fasting level", "u[IU]/mL", {"mU/L": "1", "": "1"}, "0.1", "500")
_WHITE = Input("wbc", "10*9/L", {"/uL": "0.001", "G/L": "1", "K": "1"}, "0.01", "500")
_HEMATOCRIT = share("hematocrit", "75")
_RETICULOCYTES = share("reticulocytes", "40")
_IRON_LEVEL = Input("serum level", "ug/dL", {"mcg/dL": "1", "umol/L": "5.5845"}, "5", "1000")
_BINDING = Input("binding capacity", "ug/dL", {"mcg/dL": "1", "umol/L": "5.5845"}, "50", "1000")
_HEMOGLOBIN = Input("hemoglobin", "g/dL", {"g/L": "0.1"}, "2", "25")
_TARGET_HEMOGLOBIN = Input("target hemoglobin", "g/dL", {"g/L": "0.1"}, "10", "18")
_BURNED = share("burned")
_PACKS, _YEARS = count("packs a day", "0", "10"), count("years", "0", "90")
_DRINK, _ALCOHOL = Input("volume", "mL", {"L": "1000", "[foz_us]": "29.5735"}, "1", "10000"), share("alcohol by volume", "96")


def _cystatin(g: Gathered, female: bool) -> Fraction:
    """133 x min(Scys/0.8, 1)^-0.499 x max(Scys/0.8, 1)^-1.328 x 0.996^age, x 0.932 if female."""
    ratio = g["cystatin c"] / Fraction("0.8")
    value = 133 * power(min(ratio, Fraction(1)), "-0.499") * power(max(ratio, Fraction(1)), "-1.328")
    return value * power(Fraction("0.996"), str(int(g["age"]))) * (Fraction("0.932") if female else 1)


def _both(g: Gathered, female: bool) -> Fraction:
    """135 x the creatinine part x the cystatin part x 0.9961^age, x 0.963 if female."""
    scr = g["creatinine"] / Fraction("0.7" if female else "0.9")
    cys = g["cystatin c"] / Fraction("0.8")
    one = Fraction(1)
    value = 135 * power(min(scr, one), "-0.219" if female else "-0.144") * power(max(scr, one), "-0.544")
    value *= power(min(cys, one), "-0.323") * power(max(cys, one), "-0.778")
    return value * power(Fraction("0.9961"), str(int(g["age"]))) * (Fraction("0.963") if female else 1)


def _log10(value: Fraction) -> Fraction:
    return Fraction(EXACT.log10(decimal(value)))


def _nafld(g: Gathered, _: bool) -> Fraction:
    value = Fraction("-1.675") + Fraction("0.037") * g["age"] + Fraction("0.094") * g["bmi"]
    value += Fraction("1.13") * g["impaired fasting glucose or diabetes"] + Fraction("0.99") * g["ast"] / g["alt"]
    return value - Fraction("0.013") * g["platelets"] - Fraction("0.66") * g["albumin"]


def _sampson(g: Gathered, _: bool) -> Fraction:
    """Total/0.948 - HDL/0.971 - (TG/8.56 + TG x non-HDL/2140 - TG^2/16100) - 9.44."""
    fat, rest = g["triglycerides"], g["cholesterol"] - g["hdl"]
    part = fat / Fraction("8.56") + fat * rest / 2140 - fat * fat / 16100
    return g["cholesterol"] / Fraction("0.948") - g["hdl"] / Fraction("0.971") - part - Fraction("9.44")


KIDNEY = (
    Simple(
        Formula(
            "egfr-cystatin", "glomerular filtration by cystatin C (CKD-EPI 2012)", "2012",
            "Inker LA et al. N Engl J Med 2012;367:20-29", "mL/min/1.73m2", 0,
        ),
        ((ADULT, "50 y"), (_CYSTATIN, "1.2 mg/L")), _cystatin, sexed=True,
    ),
    Simple(
        Formula(
            "egfr-creatinine-cystatin", "glomerular filtration by creatinine and cystatin C (CKD-EPI 2021)", "2021",
            "Inker LA et al. N Engl J Med 2021;385:1737-1749", "mL/min/1.73m2", 0,
        ),
        ((ADULT, "50 y"), (CREATININE, "1.2 mg/dL"), (_CYSTATIN, "1.2 mg/L")), _both, sexed=True,
    ),
    Simple(
        Formula(
            "crcl-measured", "creatinine clearance as measured in collected urine", "",
            "urine creatinine x urine volume / (serum creatinine x minutes)", "mL/min", 0,
        ),
        ((_URINE_CREATININE, "80 mg/dL"), (_URINE, "1500 mL"), (_COLLECTED, "24 h"), (CREATININE, "1.2 mg/dL")),
        lambda g, _: g["urine creatinine"] * g["urine volume"] / (g["creatinine"] * g["hours collected"] * 60),
    ),
)  # fmt: skip
LIVER = (
    Simple(
        Formula(
            "maddrey", "discriminant function (Maddrey)", "1978",
            "Maddrey WC et al. Gastroenterology 1978;75:193-199", "", 0,
        ),
        ((_CLOTTING, "20 s"), (_CONTROL, "12 s"), (BILIRUBIN, "10 mg/dL")),
        lambda g, _: Fraction("4.6") * (g["prothrombin time"] - g["control time"]) + g["bilirubin"],
        note="32 or more: severe",
    ),
    Simple(
        Formula("albi", "albumin-bilirubin grade (ALBI)", "2015", "Johnson PJ et al. J Clin Oncol 2015;33:550-558", "", 2),
        ((BILIRUBIN.within("0.1"), "1.2 mg/dL"), (SERUM_ALBUMIN, "3.5 g/dL")),
        lambda g, _: _log10(g["bilirubin"] / Fraction("0.058466")) * Fraction("0.66") - g["albumin"] * 10 * Fraction("0.085"),
        note="grade 1 up to -2.60, grade 2 up to -1.39, grade 3 above",
    ),
    Simple(
        Formula("apri", "AST to platelet ratio (APRI)", "2003", "Wai CT et al. Hepatology 2003;38:518-526", "", 2),
        ((AST, "80 unit/L"), (_LIMIT, "40 unit/L"), (PLATELETS, "150 10*9/L")),
        lambda g, _: g["ast"] / g["upper limit"] * 100 / g["platelets"],
    ),
    Simple(
        Formula("nafld", "NAFLD fibrosis score", "2007", "Angulo P et al. Hepatology 2007;45:846-854", "", 2),
        (
            (ADULT, "55 y"), (_BMI, "32 kg/m2"), (_DIABETES, "1"), (AST.within("1"), "45 unit/L"),
            (ALT.within("1"), "60 unit/L"), (PLATELETS, "200 10*9/L"), (SERUM_ALBUMIN, "4.2 g/dL"),
        ),
        _nafld, note="under -1.455: advanced fibrosis unlikely; above 0.676: likely",
    ),
    Simple(
        Formula("r-factor", "R factor, pattern of a liver injury", "1990", "Bénichou C. J Hepatol 1990;11:272-276", "", 1),
        ((ALT.within("1"), "400 unit/L"), (_LIMIT, "40 unit/L"), (_ALP, "200 unit/L"), (_ALP_LIMIT, "120 unit/L")),
        lambda g, _: (g["alt"] / g["upper limit"]) / (g["alp"] / g["alp upper limit"]),
        note="5 or more: hepatocellular; 2 or less: cholestatic; between: mixed",
    ),
)  # fmt: skip
LIPIDS_AND_SUGAR = (
    Simple(
        Formula("non-hdl", "non-HDL cholesterol", "", "total cholesterol - HDL cholesterol", "mg/dL", 0),
        ((CHOLESTEROL, "210 mg/dL"), (HDL, "50 mg/dL")), lambda g, _: g["cholesterol"] - g["hdl"],
        refuse=higher("cholesterol", "hdl"),
    ),
    Simple(
        Formula("ldl-sampson", "LDL cholesterol (Sampson)", "2020", "Sampson M et al. JAMA Cardiol 2020;5:540-548", "mg/dL", 0),
        ((CHOLESTEROL, "210 mg/dL"), (HDL, "50 mg/dL"), (TRIGLYCERIDES.within(None, "800"), "150 mg/dL")), _sampson,
        refuse=higher("cholesterol", "hdl"),
    ),
    Simple(
        Formula("eag", "average glucose by the A1c", "2008", "Nathan DM et al. Diabetes Care 2008;31:1473-1478", "mg/dL", 0),
        ((_A1C, "7 %"),), lambda g, _: Fraction("28.7") * g["a1c"] - Fraction("46.7"),
        refuse=lambda g: "" if g["a1c"] >= 4 else "a1c under 4 % is outside what the formula was made with",
    ),
    Simple(
        Formula("homa-ir", "HOMA-IR", "1985", "Matthews DR et al. Diabetologia 1985;28:412-419", "", 1),
        ((GLUCOSE, "100 mg/dL"), (_FASTING_HORMONE, "10")), lambda g, _: g["glucose"] * g["fasting level"] / 405,
        note="both drawn fasting",
    ),
)  # fmt: skip
CELLS = (
    Simple(
        Formula("anc", "absolute neutrophil count", "", "white cells x (neutrophils + bands) / 100", "10*9/L", 2),
        ((_WHITE, "2.1 10*9/L"), (share("neutrophils"), "40 %"), (share("bands"), "2 %")),
        lambda g, _: g["wbc"] * (g["neutrophils"] + g["bands"]) / 100,
        refuse=lambda g: "" if g["neutrophils"] + g["bands"] <= 100 else "neutrophils and bands come to more than 100 %",
    ),
    Simple(
        Formula(
            "reticulocytes-corrected", "reticulocytes corrected for the hematocrit", "1969",
            "Hillman RS, Finch CA. Br J Haematol 1969;17:313-315", "%", 1,
        ),
        ((_RETICULOCYTES, "4 %"), (_HEMATOCRIT, "25 %")), lambda g, _: g["reticulocytes"] * g["hematocrit"] / 45,
    ),
    Simple(
        Formula("tsat", "transferrin saturation", "", "serum level / total binding capacity", "%", 0),
        ((_IRON_LEVEL, "40 ug/dL"), (_BINDING, "400 ug/dL")), lambda g, _: 100 * g["serum level"] / g["binding capacity"],
    ),
    Simple(
        Formula(
            "ganzoni", "deficit of the body's stores (Ganzoni)", "1970",
            "Ganzoni AM. Schweiz Med Wochenschr 1970;100:301-303", "mg", 0,
        ),
        ((WEIGHT.within("35"), "70 kg"), (_HEMOGLOBIN, "8 g/dL"), (_TARGET_HEMOGLOBIN, "15 g/dL")),
        lambda g, _: g["weight"] * (g["target hemoglobin"] - g["hemoglobin"]) * Fraction("2.4") + 500,
        refuse=higher("target hemoglobin", "hemoglobin"), note="500 mg are for the stores; from 35 kg",
    ),
)  # fmt: skip
BODY = (
    Simple(
        Formula(
            "lean-weight", "lean body weight", "2005",
            "Janmahasatian S et al. Clin Pharmacokinet 2005;44:1051-1065", "kg", 1,
        ),
        ((GROWN_WEIGHT, "110 kg"), (GROWN_HEIGHT, "170 cm")),
        lambda g, female: 9270 * g["weight"] / ((8780 if female else 6680) + (244 if female else 216) * _bmi(g)), sexed=True,
    ),
    Simple(
        Formula("bsa-haycock", "body surface area (Haycock)", "1978", "Haycock GB et al. J Pediatr 1978;93:62-66", "m2", 2),
        ((WEIGHT, "17 kg"), (HEIGHT, "105 cm")),
        lambda g, _: Fraction("0.024265") * power(g["weight"], "0.5378") * power(g["height"], "0.3964"),
    ),
    Simple(
        Formula(
            "predicted-weight", "predicted body weight for ventilation", "2000",
            "ARDS Network. N Engl J Med 2000;342:1301-1308", "kg", 1,
        ),
        ((GROWN_HEIGHT, "170 cm"),),
        lambda g, female: (Fraction("45.5") if female else 50) + Fraction("0.91") * (g["height"] - Fraction("152.4")), sexed=True,
    ),
    Simple(
        Formula(
            "mifflin", "resting energy (Mifflin-St Jeor)", "1990",
            "Mifflin MD et al. Am J Clin Nutr 1990;51:241-247", "kcal/d", 0,
        ),
        ((ADULT, "45 y"), (GROWN_WEIGHT, "80 kg"), (GROWN_HEIGHT, "175 cm")),
        lambda g, female: 10 * g["weight"] + Fraction("6.25") * g["height"] - 5 * g["age"] + (-161 if female else 5), sexed=True,
    ),
    Simple(
        Formula(
            "parkland", "fluid of the first 24 hours after burns (Parkland)", "1968",
            "Baxter CR, Shires T. Ann N Y Acad Sci 1968;150:874-894", "mL", 0,
        ),
        ((WEIGHT, "70 kg"), (_BURNED, "30 %")), lambda g, _: 4 * g["weight"] * g["burned"],
        note="half of it in the first 8 hours after the burn",
    ),
)  # fmt: skip
HABITS = (
    Simple(
        Formula("pack-years", "pack-years", "", "packs a day x years", "pack-years", 1), ((_PACKS, "1.5"), (_YEARS, "20")),
        lambda g, _: g["packs a day"] * g["years"],
    ),
    Simple(
        Formula("standard-drinks", "US standard drinks", "", "volume x share of alcohol x 0.789 g/mL / 14 g", "drinks", 1),
        ((_DRINK, "750 mL"), (_ALCOHOL, "12 %")),
        lambda g, _: g["volume"] * g["alcohol by volume"] / 100 * Fraction("0.789") / 14,
    ),
    Simple(
        Formula("shock-index", "shock index", "1967", "Allgöwer M, Burri C. Dtsch Med Wochenschr 1967;92:1947-1950", "", 2),
        ((HEART_RATE, "110 /min"), (SYSTOLIC, "90 mmHg")), lambda g, _: g["heart rate"] / g["systolic"],
        note="usually 0.5 to 0.7; 1 or more: think of shock",
    ),
)  # fmt: skip


def _bmi(g: Gathered) -> Fraction:
    return g["weight"] / (g["height"] / 100) ** 2


BY_ORGAN = (*KIDNEY, *LIVER, *LIPIDS_AND_SUGAR, *CELLS, *BODY, *HABITS)
