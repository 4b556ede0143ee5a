"""Every formula by name, with the inputs that it asks for, so that a caller may give them as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Literal

from msgspec import Struct

from safety.formulas import blood, body, fluids, heart, kidney, liver, pregnancy
from safety.formulas.acid_base import ACID_BASE
from safety.formulas.answers import Answer, Formula
from safety.formulas.by_organ import BY_ORGAN
from safety.formulas.kinetics import KINETICS
from safety.formulas.scored import Score
from safety.formulas.simple import Simple, key_of
from safety.model.patient import Age, age_months
from safety.model.quantity import Quantity, Units, number

Kind = Literal["amount", "age", "sex", "yes", "word", "count", "day", "text"]


class Ask(Struct, frozen=True):
    """One input of a formula: its key, what kind of text it is read from, an example, the words it may be if only some.

    `several`: it may be given more than once, and the formula adds them up.
    """

    key: str
    kind: Kind
    example: str
    words: tuple[str, ...] = ()
    optional: bool = False
    several: bool = False


class Calculator(Struct, frozen=True):
    """A formula that can be asked for by name."""

    id: str
    formula: Formula
    asks: tuple[Ask, ...]
    call: Callable[..., Answer]

    def ask(self, key: str) -> Ask | None:
        """The input of this key."""
        return next((a for a in self.asks if a.key == key), None)

    def answer(self, given: Mapping[str, Any]) -> Answer:
        """The formula's answer to inputs that were read; what is not given is not told."""
        values = {a.key: given.get(a.key) for a in self.asks if not a.optional or a.key in given}
        return self.call(**{key.replace("-", "_"): value for key, value in values.items()})


def asks_of(score: Score) -> tuple[Ask, ...]:
    """What a score asks for, line by line."""
    return tuple(Ask(line.key, line.kind, line.example, tuple(line.words)) for line in score.lines)


def read(ask: Ask, text: str, units: Units) -> Any:
    """An input as it is written; None if it cannot be read as what is asked for."""
    said = text.strip()
    if ask.kind == "age":
        said = said if number(said) is None else f"{said} y"  # as in a case: a bare age is in years
        months = age_months(said)
        return None if months is None else Age(months, said)
    if ask.kind == "amount":
        bare = number(said)
        if bare is not None:
            return Quantity(bare, "") if number(ask.example) is not None else None
        return units.parse(said)
    if ask.kind == "yes":
        return {"yes": True, "no": False}.get(said.lower())
    if ask.kind == "count":
        return int(said) if said.isdecimal() and len(said) < 5 else None
    if ask.kind == "day":
        return _day(said)
    return next((word for word in ask.words if word.lower() == said.lower()), None)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _yes(key: str) -> Ask:
    return Ask(key, "yes", "no", ("yes", "no"))


_AGE, _SEX = Ask("age", "age", "72 y"), Ask("sex", "sex", "female", ("female", "male"))
_WEIGHT, _HEIGHT = Ask("weight", "amount", "81 kg"), Ask("height", "amount", "165 cm")
_CREATININE = Ask("creatinine", "amount", "1.4 mg/dL")
_RULE = Ask("rule", "word", "by-bmi", ("by-bmi", "actual", "ideal", "adjusted"), optional=True)
_QT = (Ask("qt", "amount", "420 ms"), Ask("heart-rate", "amount", "75 /min"))
_BILIRUBIN, _INR = Ask("bilirubin", "amount", "2.1 mg/dL"), Ask("inr", "amount", "1.5")
_SODIUM, _ALBUMIN = Ask("sodium", "amount", "138 mmol/L"), Ask("albumin", "amount", "3.1 g/dL")
_GLUCOSE = Ask("glucose", "amount", "400 mg/dL")
_GAP = (_SODIUM, Ask("chloride", "amount", "102 mmol/L"), Ask("bicarbonate", "amount", "24 mmol/L"))
_LIVER = (_BILIRUBIN, _INR, _CREATININE)
_PERIOD, _CYCLE = Ask("last-period", "day", "2026-03-02"), Ask("cycle-days", "count", "28")
_KIDNEY = (_AGE, _SEX, _CREATININE)


def _mdrd_with_race_factor(**given: Any) -> Answer:
    return kidney.mdrd(**given, with_race_factor=True)


def _hillier(**given: Any) -> Answer:
    return blood.corrected_sodium(**given, rule="2.4")


def _of(formula: Formula, call: Callable[..., Answer], *asks: Ask) -> Calculator:
    return Calculator(formula.id, formula, asks, call)


def _simple(one: Simple) -> Calculator:
    """A formula of one expression: an age, else amounts, and the sex where it goes in."""
    asks = [Ask(key_of(given), "age" if given.name == "age" else "amount", example) for given, example in one.inputs]
    return Calculator(one.formula.id, one.formula, (*asks, *((_SEX,) if one.sexed else ())), one)


CALCULATORS = (
    _of(kidney.COCKCROFT_GAULT, kidney.cockcroft_gault, _AGE, _SEX, _WEIGHT, _HEIGHT, _CREATININE, _RULE),
    _of(kidney.CKD_EPI, kidney.ckd_epi_2021, *_KIDNEY),
    _of(kidney.MDRD, kidney.mdrd, *_KIDNEY),
    _of(kidney.MDRD_RACE, _mdrd_with_race_factor, *_KIDNEY),
    _of(kidney.SCHWARTZ, kidney.schwartz, Ask("age", "age", "6 y"), Ask("height", "amount", "115 cm"), _CREATININE),
    _of(
        kidney.DEINDEXED, kidney.deindexed, Ask("egfr", "amount", "38 mL/min/1.73m2"), Ask("body-surface", "amount", "1.6 m2")
    ),
    _of(body.IDEAL, body.ideal_weight, _SEX, _HEIGHT),
    _of(body.ADJUSTED, body.adjusted_weight, _SEX, _WEIGHT, _HEIGHT),
    _of(body.DOSING_WEIGHT, body.dosing_weight, _SEX, _WEIGHT, _HEIGHT, _RULE),
    _of(body.BMI, body.bmi, _WEIGHT, _HEIGHT),
    _of(body.TARGET, body.target_weight, Ask("target", "amount", "24"), _HEIGHT),
    _of(body.MOSTELLER, body.bsa_mosteller, _WEIGHT, _HEIGHT),
    _of(body.DUBOIS, body.bsa_dubois, _WEIGHT, _HEIGHT),
    _of(heart.BAZETT, heart.qtc_bazett, *_QT),
    _of(heart.FRIDERICIA, heart.qtc_fridericia, *_QT),
    _of(heart.FRAMINGHAM, heart.qtc_framingham, *_QT),
    _of(heart.HODGES, heart.qtc_hodges, *_QT),
    _of(heart.RAUTAHARJU, heart.qtc_rautaharju, *_QT),
    _of(
        heart.MEAN_PRESSURE, heart.mean_arterial_pressure,
        Ask("systolic", "amount", "120 mmHg"), Ask("diastolic", "amount", "80 mmHg"),
    ),
    _of(
        heart.CHA2DS2_VASC, heart.cha2ds2_vasc, _AGE, _SEX, _yes("heart-failure"), _yes("hypertension"), _yes("diabetes"),
        _yes("stroke"), _yes("vascular-disease"),
    ),
    _of(
        heart.HAS_BLED, heart.has_bled, _AGE, _yes("hypertension"), _yes("kidney-disease"), _yes("liver-disease"),
        _yes("stroke"), _yes("bleeding"), _yes("labile-inr"), _yes("bleeding-drugs"), Ask("drinks-a-week", "amount", "2"),
    ),
    _of(
        liver.CHILD_PUGH, liver.child_pugh, _BILIRUBIN, _ALBUMIN, _INR, Ask("ascites", "word", "slight", tuple(liver.ASCITES)),
        Ask("encephalopathy", "word", "grade 1", tuple(liver.ENCEPHALOPATHY)),
    ),
    _of(liver.MELD, liver.meld, *_LIVER, _yes("dialysis")),
    _of(liver.MELD_NA, liver.meld_na, *_LIVER, _SODIUM, _yes("dialysis")),
    _of(liver.MELD_3, liver.meld_3, _SEX, *_LIVER, _SODIUM, _ALBUMIN, _yes("dialysis")),
    _of(
        liver.FIB_4, liver.fib_4, _AGE, Ask("ast", "amount", "40 unit/L"), Ask("alt", "amount", "35 unit/L"),
        Ask("platelets", "amount", "150 10*9/L"),
    ),
    _of(blood.CORRECTED_CALCIUM, blood.corrected_calcium, Ask("calcium", "amount", "8.2 mg/dL"), _ALBUMIN),
    _of(
        blood.LEVEL_FOR_ALBUMIN, blood.level_for_albumin, Ask("level", "amount", "8 mcg/mL"), _ALBUMIN,
        Ask("kidneys-failed", "yes", "no", optional=True),
    ),
    _of(blood.CORRECTED_SODIUM, blood.corrected_sodium, _SODIUM, _GLUCOSE),
    _of(blood.CORRECTED_SODIUM_HILLIER, _hillier, _SODIUM, _GLUCOSE),
    _of(blood.ANION_GAP, blood.anion_gap, *_GAP),
    _of(blood.ANION_GAP_ALBUMIN, blood.anion_gap_for_albumin, *_GAP, _ALBUMIN),
    _of(blood.OSMOLALITY, blood.osmolality, _SODIUM, _GLUCOSE, Ask("bun", "amount", "14 mg/dL")),
    _of(
        blood.FRIEDEWALD, blood.ldl_friedewald, Ask("cholesterol", "amount", "210 mg/dL"), Ask("hdl", "amount", "50 mg/dL"),
        Ask("triglycerides", "amount", "150 mg/dL"),
    ),
    _of(
        blood.FENA, blood.fractional_sodium, _SODIUM, _CREATININE, Ask("urine-sodium", "amount", "20 mmol/L"),
        Ask("urine-creatinine", "amount", "100 mg/dL"),
    ),
    _of(
        fluids.MAINTENANCE, fluids.maintenance_fluids, Ask("weight", "amount", "17 kg"),
        Ask("age", "age", "4 y", optional=True),
    ),
    _of(pregnancy.DUE_DATE, pregnancy.due_date, _PERIOD, _CYCLE),
    _of(pregnancy.CONCEPTION, pregnancy.conception, _PERIOD, _CYCLE),
    _of(pregnancy.GESTATION, pregnancy.gestational_age, _PERIOD, Ask("on", "day", "2026-06-01")),
    *(_simple(one) for one in (*ACID_BASE, *KINETICS, *BY_ORGAN)),
)  # fmt: skip
"""In the order that they are listed in; sums over medications, which need a table of factors, stand in `equivalents`."""
