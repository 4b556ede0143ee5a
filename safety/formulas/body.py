"""Body size: ideal, adjusted and target weight, body mass index, body surface area, and the weight a drug dose counts by."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from safety.formulas.answers import Answer, Formula, Used, decimal, power, root, rounded
from safety.formulas.inputs import HEIGHT, WEIGHT, Gathered, Input, answered, gather, merged, unanswered
from safety.model.patient import Sex
from safety.model.quantity import Quantity, plain

WeightRule = Literal["by-bmi", "actual", "ideal", "adjusted"]

_WEIGHTS_COPY = "http://www.thedrugmonitor.com/clcreqs.html"
_SURFACE_COPY = "http://globalrph.com/bsa2.htm"
IDEAL = Formula(
    "ibw", "ideal body weight (Devine)", "1974", "Devine BJ. Drug Intell Clin Pharm 1974;8:650-655", "kg", 1,
    "secondary", _WEIGHTS_COPY,
)  # fmt: skip
ADJUSTED = Formula(
    "abw", "adjusted body weight (factor 0.4)", "1983",
    "Bauer LA et al. Influence of weight on aminoglycoside pharmacokinetics. Eur J Clin Pharmacol 1983;24:643-647", "kg", 1,
    "secondary", _WEIGHTS_COPY,
)  # fmt: skip
BMI = Formula(
    "bmi", "body mass index", "1972", "Keys A et al. Indices of relative weight and obesity. J Chronic Dis 1972;25:329-343",
    "kg/m2", 1,
)  # fmt: skip
TARGET = Formula("target-weight", "weight at a target body mass index", "1972", BMI.citation, "kg", 1)
MOSTELLER = Formula(
    "bsa", "body surface area (Mosteller)", "1987",
    "Mosteller RD. Simplified calculation of body-surface area. N Engl J Med 1987;317:1098", "m2", 2, "secondary", _SURFACE_COPY,
)  # fmt: skip
DUBOIS = Formula(
    "bsa-dubois", "body surface area (DuBois)", "1916",
    "Du Bois D, Du Bois EF. A formula to estimate the approximate surface area. Arch Intern Med 1916;17:863-871", "m2", 2,
    "secondary", _SURFACE_COPY,
)  # fmt: skip
DOSING_WEIGHT = Formula(
    "dosing-weight", "weight for creatinine clearance, by body mass index", "2012",
    "Winter MA et al. Impact of various body weights on the Cockcroft-Gault estimate. Pharmacotherapy 2012;32:604-612", "kg", 1,
)  # fmt: skip

# Devine's line starts at five feet; grown people shorter than that are common, people shorter than four feet are not.
GROWN_HEIGHT = HEIGHT.within("120", "230")
GROWN_WEIGHT = WEIGHT.within("20")
TARGET_BMI = Input("target", "kg/m2", {"": "1"}, "10", "60")
_FIVE_FEET = Fraction("152.4")


def ideal_weight(sex: Sex | None, height: Quantity | None) -> Answer:
    """Ideal body weight of an adult in kg (Devine): 50 (men) or 45.5 (women), plus 2.3 for each inch of height above 60.

    Below 60 inches the same line is carried on downwards, and the answer says so; heights of 120 to 230 cm.
    """
    got = gather(IDEAL, (GROWN_HEIGHT, height), sex=sex)
    if isinstance(got, Answer):
        return got
    start = Fraction(50) if sex == "male" else Fraction("45.5")
    value = start + Fraction("2.3") * (got["height"] / Fraction("2.54") - 60)
    return answered(IDEAL, value, got.used, _short(got))


def adjusted_weight(sex: Sex | None, weight: Quantity | None, height: Quantity | None) -> Answer:
    """Adjusted body weight of an adult in kg: ideal weight (Devine) plus 0.4 of the difference between actual and ideal.

    Height 120 to 230 cm, weight 20 to 500 kg.
    """
    got = gather(ADJUSTED, (GROWN_WEIGHT, weight), (GROWN_HEIGHT, height), sex=sex)
    if isinstance(got, Answer):
        return got
    ideal = _exactly(ideal_weight(sex, height))
    value = ideal + Fraction("0.4") * (got["weight"] - ideal)
    return answered(ADJUSTED, value, got.used, _short(got))


def bmi(weight: Quantity | None, height: Quantity | None) -> Answer:
    """Body mass index: kilograms divided by the square of the height in metres (kg/m2)."""
    got = gather(BMI, (WEIGHT, weight), (HEIGHT, height))
    if isinstance(got, Answer):
        return got
    return answered(BMI, _bmi(got), got.used)


def target_weight(target: Quantity | None, height: Quantity | None) -> Answer:
    """The weight in kg at which somebody of this height has the target body mass index (10 to 60 kg/m2)."""
    got = gather(TARGET, (TARGET_BMI, target), (HEIGHT, height))
    if isinstance(got, Answer):
        return got
    return answered(TARGET, got["target"] * (got["height"] / 100) ** 2, got.used)


def bsa_mosteller(weight: Quantity | None, height: Quantity | None) -> Answer:
    """Body surface area in m2 (Mosteller): the square root of height in cm times weight in kg divided by 3600."""
    got = gather(MOSTELLER, (WEIGHT, weight), (HEIGHT, height))
    if isinstance(got, Answer):
        return got
    return answered(MOSTELLER, root(got["weight"] * got["height"] / 3600), got.used)


def bsa_dubois(weight: Quantity | None, height: Quantity | None) -> Answer:
    """Body surface area in m2 (DuBois): 0.007184 times weight in kg to the 0.425 times height in cm to the 0.725."""
    got = gather(DUBOIS, (WEIGHT, weight), (HEIGHT, height))
    if isinstance(got, Answer):
        return got
    value = Fraction("0.007184") * power(got["weight"], "0.425") * power(got["height"], "0.725")
    return answered(DUBOIS, value, got.used)


def dosing_weight(sex: Sex | None, weight: Quantity | None, height: Quantity | None, rule: WeightRule = "by-bmi") -> Answer:
    """The weight in kg that creatinine clearance is counted with, and why.

    `by-bmi`: body mass index under 18.5: actual; 18.5 to under 25: the lesser of ideal and actual; 25 and above: adjusted.
    `actual`, `ideal`, `adjusted`: that weight whatever the body mass index.
    """
    if rule == "actual":
        got = gather(DOSING_WEIGHT, (GROWN_WEIGHT, weight))
        return got if isinstance(got, Answer) else _weighed(got["weight"], got.used, "actual weight, as asked")
    if rule == "ideal":
        part = ideal_weight(sex, height)
        if part.value is None:
            return unanswered(DOSING_WEIGHT, part)
        return _weighed(_exactly(part), part.used, "ideal weight, as asked", part.notes)
    part = adjusted_weight(sex, weight, height)
    if part.value is None:
        return unanswered(DOSING_WEIGHT, part)
    adjusted, ideal = _exactly(part), _exactly(ideal_weight(sex, height))
    if rule == "adjusted":
        return _weighed(adjusted, part.used, "adjusted weight, as asked", part.notes)
    got = gather(DOSING_WEIGHT, (GROWN_WEIGHT, weight), (GROWN_HEIGHT, height))
    assert isinstance(got, Gathered)  # the same inputs were good enough for the adjusted weight
    return _by_bmi(got, part, ideal, adjusted)


def _by_bmi(got: Gathered, part: Answer, ideal: Fraction, adjusted: Fraction) -> Answer:
    index, actual = _bmi(got), got["weight"]
    used = merged(part.used, [Used("body mass index", f"{plain(rounded(decimal(index), 1))} kg/m2")])
    if index < Fraction("18.5"):
        return _weighed(actual, used, "actual weight, because the body mass index is under 18.5", part.notes)
    if index < 25:
        which = "actual" if actual <= ideal else "ideal"
        why = f"{which} weight, the lesser of ideal and actual, because the body mass index is 18.5 to under 25"
        return _weighed(min(actual, ideal), used, why, part.notes)
    return _weighed(adjusted, used, "adjusted weight, because the body mass index is 25 or above", part.notes)


def _weighed(value: Fraction, used: list[Used] | tuple[Used, ...], why: str, notes: tuple[str, ...] = ()) -> Answer:
    return answered(DOSING_WEIGHT, value, used, (why, *notes))


def _bmi(got: Gathered) -> Fraction:
    return got["weight"] / (got["height"] / 100) ** 2


def _exactly(answer: Answer) -> Fraction:
    assert answer.value is not None
    return Fraction(answer.value)


def _short(got: Gathered) -> tuple[str, ...]:
    if got["height"] < _FIVE_FEET:
        return ("height is under 60 in (152.4 cm), where Devine's line is carried on downwards",)
    return ()
