"""Liver disease: Child-Pugh, the three editions of MELD, and FIB-4."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from safety.formulas.answers import Answer, Formula, Used, decimal, log, root, rounded
from safety.formulas.inputs import (
    ADULT,
    ALT,
    AST,
    BILIRUBIN,
    CREATININE,
    INR,
    PLATELETS,
    SERUM_ALBUMIN,
    SODIUM,
    Gathered,
    answered,
    gather,
)  # fmt: skip
from safety.formulas.scores import added, by_amount, by_word
from safety.model.patient import Age, Sex
from safety.model.quantity import Quantity

_CHILD_PUGH_COPY = "https://www.ccjm.org/highwire/markup/12320/expansion?height=500&iframe=true&width=1000"
_MELD_COPY = "https://qxmd.com/calculate/calculator_359/meld-score-age-above-12-years"
CHILD_PUGH = Formula(
    "child-pugh", "Child-Pugh score", "1973, with INR for the prothrombin time",
    "Pugh RN et al. Transection of the oesophagus for bleeding oesophageal varices. Br J Surg 1973;60:646-649", "points", 0,
    "secondary", _CHILD_PUGH_COPY,
)  # fmt: skip
MELD = Formula(
    "meld", "MELD score (original)", "OPTN 2002",
    "Kamath PS et al. A model to predict survival in patients with end-stage liver disease. Hepatology 2001;33:464-470",
    "points", 0, "secondary", _MELD_COPY,
)  # fmt: skip
MELD_NA = Formula(
    "meld-na", "MELD-Na score", "OPTN January 2016",
    "Kim WR et al. Hyponatremia and mortality among patients on the liver-transplant waiting list. "
    "N Engl J Med 2008;359:1018-1026",
    "points", 0, "secondary", _MELD_COPY,
)  # fmt: skip
MELD_3 = Formula(
    "meld-3", "MELD 3.0 score", "2021",
    "Kim WR et al. MELD 3.0: the Model for End-Stage Liver Disease updated for the modern era. "
    "Gastroenterology 2021;161:1887-1895", "points", 0, "secondary", "https://staging.patientnotes.ai/tools/calculators/meld-score",
)  # fmt: skip
FIB_4 = Formula(
    "fib-4", "FIB-4 index", "2006",
    "Sterling RK et al. Development of a simple noninvasive index to predict significant fibrosis. Hepatology 2006;43:1317-1325",
    "", 2, "secondary", "http://wjgnet.com/1007-9327/full/v28/i15/1563-T1.htm",
)  # fmt: skip

ASCITES = {"absent": 1, "slight": 2, "moderate": 3, "severe": 3}
ENCEPHALOPATHY = {"none": 1, "grade 1": 2, "grade 2": 2, "grade 1-2": 2, "grade 3": 3, "grade 4": 3, "grade 3-4": 3}


def child_pugh(
    bilirubin: Quantity | None, albumin: Quantity | None, inr: Quantity | None, ascites: str | None, encephalopathy: str | None
) -> Answer:
    """Child-Pugh score, 5 to 15 points, and its class: A 5-6, B 7-9, C 10-15.

    One, two or three points each: bilirubin under 2, 2 to 3, above 3 mg/dL; albumin above 3.5, 2.8 to 3.5, under 2.8 g/dL;
    INR under 1.7, 1.7 to 2.3, above 2.3; ascites absent, slight, moderate or severe; encephalopathy none, grade 1-2,
    grade 3-4. (In cholestatic disease other limits are used for bilirubin; they are not applied here.)
    """
    parts = [
        by_amount(BILIRUBIN, bilirubin, lambda x: 1 if x < 2 else 2 if x <= 3 else 3, 1, 3),
        by_amount(SERUM_ALBUMIN, albumin, lambda x: 1 if x > Fraction("3.5") else 2 if x >= Fraction("2.8") else 3, 1, 3),
        by_amount(INR, inr, lambda x: 1 if x < Fraction("1.7") else 2 if x <= Fraction("2.3") else 3, 1, 3),
        by_word("ascites", ascites, ASCITES),
        by_word("encephalopathy", encephalopathy, ENCEPHALOPATHY),
    ]
    return added(CHILD_PUGH, parts, lambda sum_: f"class {'A' if sum_ <= 6 else 'B' if sum_ <= 9 else 'C'}")


def meld(bilirubin: Quantity | None, inr: Quantity | None, creatinine: Quantity | None, dialysis: bool | None) -> Answer:
    """MELD score of 2002: 9.57 ln creatinine + 3.78 ln bilirubin + 11.20 ln INR + 6.43, in whole points up to 40.

    Creatinine and bilirubin in mg/dL; each of the three at least 1; creatinine at most 4, and 4 on dialysis (twice in the
    past week, or 24 hours of continuous hemodialysis).
    """
    got = _gathered(MELD, bilirubin, inr, creatinine, dialysis)
    if isinstance(got, Answer):
        return got
    return _whole(MELD, _classic(got, dialysis), got.used)


def meld_na(
    bilirubin: Quantity | None,
    inr: Quantity | None,
    creatinine: Quantity | None,
    sodium: Quantity | None,
    dialysis: bool | None,
) -> Answer:
    """MELD-Na score as allocated from January 2016: MELD in whole points, and above 11 + 1.32 (137 - Na) - 0.033 MELD (137 - Na).

    Sodium in mmol/L, counted as at least 125 and at most 137; the rest as in MELD; whole points up to 40.
    """
    got = _gathered(MELD_NA, bilirubin, inr, creatinine, dialysis, sodium)
    if isinstance(got, Answer):
        return got
    first = Fraction(rounded(decimal(_classic(got, dialysis)), 0))
    if first > 11:
        lack = 137 - _between(got["sodium"], "125", "137")
        first += Fraction("1.32") * lack - Fraction("0.033") * first * lack
    return _whole(MELD_NA, first, got.used)


def meld_3(
    sex: Sex | None,
    bilirubin: Quantity | None,
    inr: Quantity | None,
    creatinine: Quantity | None,
    sodium: Quantity | None,
    albumin: Quantity | None,
    dialysis: bool | None,
) -> Answer:
    """MELD 3.0 score of an adult, in whole points from 6 to 40.

    1.33 for women + 4.56 ln bilirubin + 0.82 (137 - Na) - 0.24 (137 - Na) ln bilirubin + 9.09 ln INR + 11.14 ln creatinine
    + 1.85 (3.5 - albumin) - 1.83 (3.5 - albumin) ln creatinine + 6. Bilirubin, INR and creatinine at least 1; creatinine at
    most 3, and 3 on dialysis; sodium 125 to 137 mmol/L; albumin 1.5 to 3.5 g/dL.
    """
    got = _gathered(MELD_3, bilirubin, inr, creatinine, dialysis, sodium, (albumin, sex))
    if isinstance(got, Answer):
        return got
    yellow, clot = log(_between(got["bilirubin"], "1")), log(_between(got["inr"], "1"))
    kidney = log(Fraction(3) if dialysis else _between(got["creatinine"], "1", "3"))
    salt, protein = (
        137 - _between(got["sodium"], "125", "137"),
        Fraction("3.5") - _between(got["albumin"], "1.5", "3.5"),
    )
    value = Fraction("4.56") * yellow + Fraction("0.82") * salt - Fraction("0.24") * salt * yellow + Fraction("9.09") * clot
    value += Fraction("11.14") * kidney + Fraction("1.85") * protein - Fraction("1.83") * protein * kidney + 6
    if sex == "female":
        value += Fraction("1.33")
    return _whole(MELD_3, value, got.used)


def fib_4(age: Age | None, ast: Quantity | None, alt: Quantity | None, platelets: Quantity | None) -> Answer:
    """FIB-4 index of an adult: age in years x AST / (platelets in 10*9/L x the square root of ALT), AST and ALT in unit/L."""
    got = gather(FIB_4, (ADULT, age), (AST.within("1"), ast), (ALT.within("1"), alt), (PLATELETS, platelets))
    if isinstance(got, Answer):
        return got
    return answered(FIB_4, got["age"] * got["ast"] / (got["platelets"] * root(got["alt"])), got.used)


def _gathered(
    formula: Formula,
    bilirubin: Quantity | None,
    inr: Quantity | None,
    creatinine: Quantity | None,
    dialysis: bool | None,
    sodium: Quantity | bool | None = False,
    albumin_and_sex: tuple[Quantity | None, Sex | None] | None = None,
) -> Gathered | Answer:
    wanted = [(BILIRUBIN, bilirubin), (INR, inr), (CREATININE, creatinine)]
    if not isinstance(sodium, bool):
        wanted.append((SODIUM, sodium))
    if albumin_and_sex:
        wanted.append((SERUM_ALBUMIN, albumin_and_sex[0]))
    got = gather(
        formula, *wanted, sex=albumin_and_sex[1] if albumin_and_sex else False, missing=["dialysis"] if dialysis is None else []
    )
    if isinstance(got, Gathered):
        got.used.append(Used("dialysis", "yes" if dialysis else "no"))
    return got


def _classic(got: Gathered, dialysis: bool | None) -> Fraction:
    kidney = Fraction(4) if dialysis else _between(got["creatinine"], "1", "4")
    value = Fraction("9.57") * log(kidney) + Fraction("3.78") * log(_between(got["bilirubin"], "1"))
    return value + Fraction("11.2") * log(_between(got["inr"], "1")) + Fraction("6.43")


def _between(value: Fraction, least: str, most: str | None = None) -> Fraction:
    low, high = Fraction(least), None if most is None else Fraction(most)
    raised = value if value > low else low
    return raised if high is None or raised < high else high


def _whole(formula: Formula, value: Fraction, used: list[Used]) -> Answer:
    points = rounded(decimal(value), 0)
    notes = ("counted as 40 points, the most that allocation gives",) if points > 40 else ()
    return answered(formula, Decimal(40) if points > 40 else points, used, notes)
