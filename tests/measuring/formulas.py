"""How often the formulas are right, measured on MedCalc-Bench rows with their inputs given; nothing is learnt from them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from safety.formulas import blood, body, fluids, heart, kidney, liver, pregnancy
from safety.formulas.answers import Answer
from safety.formulas.equivalents import Dose, Factors, converted, equivalents
from safety.model.patient import Age, Sex
from safety.model.quantity import Quantity, number

FILE = "medcalc_safety_rows.jsonl"
# "within bounds": an input is missing and named, and the label lies between the least and the most that the score can be.
Outcome = Literal["right", "abstained rightly", "wrong", "within bounds", "no answer", "answered for N/A"]
RIGHT = frozenset({"right", "abstained rightly"})

# The spellings of units in the rows, as this program writes them. A patch in "mg" is a slip of the table: its labels count mcg/h.
_UNITS = {
    "years": "y", "µmol/L": "umol/L", "kg/m^2": "kg/m2", "beats per minute": "/min", "msec": "ms", "U/L": "unit/L",
    "µL": "/uL", "µg": "mcg", "mEq/L": "mmol/L",
}  # fmt: skip
_ROUTES = {"po": "oral", "iv": "parenteral", "buccal": "buccal", "patch": "transdermal", "": "oral"}
# The calculator's menu has "buccal" for tablets and lozenges; film is a line of its own there.
_FORMS = {"buccal": "tablet"}
_BLEEDING = {
    "hypertension": "Hypertension history",
    "kidney_disease": "Renal disease criteria for the HAS-BLED rule",
    "liver_disease": "Liver disease criteria for the HAS-BLED rule",
    "stroke": "Stroke",
    "bleeding": "Prior major bleeding or predisposition to bleeding",
    "labile_inr": "Labile international normalized ratio",
    "bleeding_drugs": "Medication usage predisposing to bleeding",
}
Row = Mapping[str, Any]


class Tables(Struct, frozen=True):
    """The tables of factors that rows are scored with: opioids of 2016 and of 2022, and glucocorticoids."""

    opioids_2016: Factors
    opioids_2022: Factors
    steroids: Factors


class Scored(Struct, frozen=True):
    """One row: what we answered, against which label (`corrected`, or `v1` where there is no corrected one)."""

    row: int
    calculator: str
    label: str
    expected: str
    got: str
    outcome: Outcome
    why: str = ""


class Measured(Struct, frozen=True):
    """All rows in the order of their ids."""

    rows: tuple[Scored, ...]

    @property
    def right(self) -> tuple[Scored, ...]:
        """Rows answered within their label, and rows rightly left unanswered."""
        return tuple(r for r in self.rows if r.outcome in RIGHT)

    @property
    def rest(self) -> tuple[Scored, ...]:
        """Rows to be explained one by one."""
        return tuple(r for r in self.rows if r.outcome not in RIGHT)

    def by_calculator(self) -> dict[str, tuple[int, int]]:
        """Right rows and all rows of each calculator."""
        counts: dict[str, tuple[int, int]] = {}
        for r in self.rows:
            right, total = counts.get(r.calculator, (0, 0))
            counts[r.calculator] = (right + (r.outcome in RIGHT), total + 1)
        return counts


def measure_medcalc(folder: Path, tables: Tables) -> Measured:
    """Score every row of the table in a folder from the inputs that it gives.

    The label is the corrected one; where a row has none, the first release's. Opioid rows are scored with the factors of
    2016 against the corrected label and with those of 2022 against the first release's: the label is met only if both are.
    """
    scored = []
    with (folder / FILE).open(encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            scored.append(_score(row, tables))
    return Measured(tuple(sorted(scored, key=lambda s: s.row)))


def _score(row: Row, tables: Tables) -> Scored:
    number_ = int(row["calculator_id"])
    given = row["entities_upstream"]
    corrected = row["gold_corrected"]
    label = "corrected" if corrected is not None else "v1"
    if number_ == _OPIOIDS:
        first = _against(row, "v1", _opioids(given, tables.opioids_2022))
        if corrected is None or first.outcome != "right":
            return first
        return _against(row, label, _opioids(given, tables.opioids_2016))
    if number_ == _STEROIDS:
        return _against(row, label, _steroids(given, tables.steroids))
    return _against(row, label, _ANSWERS[number_](given))


def _against(row: Row, label: str, answer: Answer) -> Scored:
    expected = str(row[f"gold_{label}"])
    got = _shown(row, answer)
    why = "; ".join([*(f"missing {m}" for m in answer.missing), *answer.refused])
    abstains = answer.value is None and answer.day is None
    outcome: Outcome
    if expected == "N/A":
        outcome = "abstained rightly" if abstains else "answered for N/A"
    elif abstains:
        outcome = "within bounds" if _bounded(answer, expected) else "no answer"
    else:
        outcome = "right" if _within(row, label, got) else "wrong"
    return Scored(int(row["id"]), str(row["calculator"]), label, expected, got, outcome, why)


def _shown(row: Row, answer: Answer) -> str:
    if answer.day is not None:
        return answer.day.strftime("%m/%d/%Y")
    return "" if answer.value is None else str(answer.value)


def _within(row: Row, label: str, got: str) -> bool:
    low, high, value = (number(str(x)) for x in (row[f"gold_{label}_low"], row[f"gold_{label}_high"], got))
    if low is None or high is None or value is None:
        return got == str(row[f"gold_{label}"])
    return low <= value <= high


def _bounded(answer: Answer, expected: str) -> bool:
    label = number(expected)
    return None not in (answer.low, answer.high, label) and bool(answer.low <= label <= answer.high)  # type: ignore[operator]


def _quantity(given: Row, name: str) -> Quantity | None:
    told = given.get(name)
    if told is None:
        return None
    value, unit = told if isinstance(told, list) else (told, "")
    exact = number(value)
    return None if exact is None else Quantity(exact, _UNITS.get(unit, unit))


def _age(given: Row) -> Age | None:
    told = _quantity(given, "age")
    return None if told is None else Age(told.value * 12, str(told))


def _sex(given: Row) -> Sex | None:
    told = str(given.get("sex", "")).lower()
    return "female" if told == "female" else "male" if told == "male" else None


def _day(given: Row, name: str) -> date | None:
    told = given.get(name)
    return None if told is None else datetime.strptime(told, "%m/%d/%Y").date()


def _any(*told: bool | None) -> bool | None:
    if any(told):
        return True
    return None if None in told else False


def _size(g: Row) -> tuple[Quantity | None, Quantity | None]:
    return _quantity(g, "weight"), _quantity(g, "height")


def _qt(g: Row) -> tuple[Quantity | None, Quantity | None]:
    return _quantity(g, "QT interval"), _quantity(g, "Heart Rate or Pulse")


def _cockcroft_gault(g: Row) -> Answer:
    return kidney.cockcroft_gault(_age(g), _sex(g), *_size(g), _quantity(g, "creatinine"))


def _mdrd(g: Row) -> Answer:
    black = g.get("Race") == "Black"
    return kidney.mdrd(_age(g), _sex(g), _quantity(g, "creatinine"), with_race_factor=black)


def _cha2ds2_vasc(g: Row) -> Answer:
    stroke = _any(g.get("Stroke"), g.get("Transient Ischemic Attacks History"), g.get("Thromboembolism history"))
    failing, pressure, sugar = (g.get(k) for k in ("Congestive Heart Faliure", "Hypertension history", "Diabetes history"))
    return heart.cha2ds2_vasc(_age(g), _sex(g), failing, pressure, sugar, stroke, g.get("Vascular disease history"))


def _has_bled(g: Row) -> Answer:
    told: dict[str, Any] = {name: g.get(key) for name, key in _BLEEDING.items()}
    return heart.has_bled(_age(g), drinks_a_week=_quantity(g, "Number of Alcoholic Drinks Per Week"), **told)


def _liver_inputs(g: Row) -> tuple[Quantity | None, Quantity | None]:
    return _quantity(g, "Bilirubin"), _quantity(g, "international normalized ratio")


def _child_pugh(g: Row) -> Answer:
    told = g.get("Encephalopathy")
    grade = None if told is None else "none" if told == "Grade 0" else told.lower()
    bilirubin, inr = _liver_inputs(g)
    return liver.child_pugh(bilirubin, _quantity(g, "Albumin"), inr, g.get("Ascites"), grade)


def _meld_na(g: Row) -> Answer:
    dialysis = _any(
        g.get("Dialysis at least twice in the past week"),
        g.get("Continuous veno-venous hemodialysis for ≥24 hours in the past week"),
    )
    return liver.meld_na(*_liver_inputs(g), _quantity(g, "creatinine"), _quantity(g, "Sodium"), dialysis)


def _fib_4(g: Row) -> Answer:
    tests = ("Aspartate aminotransferase", "Alanine aminotransferase", "Platelet count")
    return liver.fib_4(_age(g), *(_quantity(g, t) for t in tests))


def _cycle(g: Row) -> tuple[date | None, int | None]:
    return _day(g, "Last menstrual date"), g.get("cycle length")


def _opioids(g: Row, table: Factors) -> Answer:
    doses = []
    for key in g:
        if not key.endswith(" Dose"):
            continue
        drug, _, way = key.removesuffix(" Dose").lower().partition(" ")
        amount, times = _quantity(g, key), _quantity(g, f"{key} Per Day")
        if amount is None or times is None:
            return Answer(table.formula, missing=(key,))
        unit = "mcg/h" if way == "patch" else f"{amount.unit}/d"
        doses.append(Dose(f"drug.{drug}", Quantity(amount.value * times.value, unit), _ROUTES[way], _FORMS.get(way)))
    return equivalents(table, doses)


def _steroids(g: Row, table: Factors) -> Answer:
    told, amount, unit = g["input steroid"]
    (drug, way), (to, to_way) = (name.lower().split(" ", 1) for name in (told, g["target steroid"]))
    dose = Quantity(Decimal(str(amount)), unit)
    return converted(table, dose, f"drug.{drug}", _ROUTES[way], f"drug.{to}", _ROUTES[to_way])


_OPIOIDS, _STEROIDS = 49, 24
_ANSWERS: dict[int, Any] = {
    2: _cockcroft_gault,
    3: lambda g: kidney.ckd_epi_2021(_age(g), _sex(g), _quantity(g, "creatinine")),
    4: _cha2ds2_vasc,
    6: lambda g: body.bmi(*_size(g)),
    7: lambda g: blood.corrected_calcium(_quantity(g, "Calcium"), _quantity(g, "Albumin")),
    9: _mdrd,
    10: lambda g: body.ideal_weight(_sex(g), _quantity(g, "height")),
    11: lambda g: heart.qtc_bazett(*_qt(g)),
    13: lambda g: pregnancy.due_date(*_cycle(g)),
    15: _child_pugh,
    19: _fib_4,
    22: lambda g: fluids.maintenance_fluids(_quantity(g, "weight")),
    23: _meld_na,
    25: _has_bled,
    26: lambda g: blood.corrected_sodium(_quantity(g, "Sodium"), _quantity(g, "Glucose")),
    56: lambda g: heart.qtc_fridericia(*_qt(g)),
    57: lambda g: heart.qtc_framingham(*_qt(g)),
    58: lambda g: heart.qtc_hodges(*_qt(g)),
    59: lambda g: heart.qtc_rautaharju(*_qt(g)),
    60: lambda g: body.bsa_mosteller(*_size(g)),
    61: lambda g: body.target_weight(_quantity(g, "Body Mass Index (BMI)"), _quantity(g, "height")),
    62: lambda g: body.adjusted_weight(_sex(g), *_size(g)),
    68: lambda g: pregnancy.conception(*_cycle(g)),
    69: lambda g: pregnancy.gestational_age(_day(g, "Last menstrual date"), _day(g, "Current Date")),
}
"""The calculators of the table by its own numbers."""
