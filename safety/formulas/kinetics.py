"""Levels and rates: half-life, loading dose, exposure in a day, how fast a pump or a drip is to run."""

from __future__ import annotations

from fractions import Fraction

from safety.formulas.answers import EXACT, Formula, decimal, log
from safety.formulas.inputs import WEIGHT, Gathered, Input
from safety.formulas.simple import Simple, count, higher

_MICROGRAMS = {"mg/L": "1", "mcg/dL": "0.01", "ng/mL": "0.001"}
_FIRST = Input("first level", "mcg/mL", _MICROGRAMS, "0.001", "1000")
_SECOND = Input("second level", "mcg/mL", _MICROGRAMS, "0.001", "1000")
_WANTED = Input("level", "mcg/mL", _MICROGRAMS, "0.001", "1000")
_PRESENT = Input("present level", "mcg/mL", _MICROGRAMS, "0", "1000")
_BETWEEN = Input("hours between", "h", {"": "1", "min": "1/60"}, "0.25", "240")
_AFTER = Input("hours after infusion", "h", {"": "1", "min": "1/60"}, "0", "24")
_INFUSION = Input("infusion hours", "h", {"": "1", "min": "1/60"}, "0.1", "24")
_INTERVAL = Input("interval", "h", {"": "1", "d": "24"}, "4", "96")
_VOLUME_EACH = Input("volume of distribution", "L/kg", {"": "1"}, "0.03", "50")
_AVAILABLE = count("available share", "0.05", "1")
_RATE = Input("dose rate", "ug/kg/min", {"mcg/kg/min": "1", "": "1"}, "0.001", "1000")
_STRENGTH = Input("strength", "mg/mL", {"mcg/mL": "0.001", "g/L": "1"}, "0.0001", "500")
_VOLUME = Input("volume", "mL", {"L": "1000"}, "1", "10000")
_HOURS = Input("hours", "h", {"": "1", "min": "1/60"}, "0.05", "72")
_FACTOR = count("drops per ml", "10", "60")
_AUC = count("auc", "1", "10")
_GFR = Input("gfr", "mL/min", {"": "1"}, "5", "250")
_MOST_GFR = 125


def _slope(g: Gathered) -> Fraction:
    return log(g["first level"] / g["second level"]) / g["hours between"]


def _exposure(g: Gathered, _: bool) -> Fraction:
    """AUC of 24 hours: straight up while it runs in, a falling exponential after."""
    k = _slope(g)
    peak = g["first level"] * _exp(k * g["hours after infusion"])
    trough = peak * _exp(-k * (g["interval"] - g["infusion hours"]))
    rising = (peak + trough) / 2 * g["infusion hours"]
    return (rising + (peak - trough) / k) * 24 / g["interval"]


def _exp(value: Fraction) -> Fraction:
    return Fraction(EXACT.exp(decimal(value)))


HALF_LIFE = Simple(
    Formula("half-life", "half-life from two levels", "", "first-order elimination: ln 2 / (ln (first/second) / hours)", "h", 1),
    ((_FIRST, "30 mcg/mL"), (_SECOND, "12 mcg/mL"), (_BETWEEN, "10 h")), lambda g, _: log(Fraction(2)) / _slope(g),
    refuse=higher("first level", "second level"),
)  # fmt: skip
EXPOSURE = Simple(
    Formula(
        "auc-24", "area under the curve of 24 hours from two levels", "1976",
        "Sawchuk RJ, Zaske DE. J Pharmacokinet Biopharm 1976;4:183-195", "mg·h/L", 0,
    ),
    (
        (_FIRST, "32 mcg/mL"), (_SECOND, "14 mcg/mL"), (_BETWEEN, "9 h"), (_AFTER, "1 h"), (_INFUSION, "1.5 h"),
        (_INTERVAL, "12 h"),
    ),
    _exposure, refuse=higher("first level", "second level"), note="at steady state, both levels after the same dose",
)  # fmt: skip
LOADING = Simple(
    Formula(
        "loading-dose", "loading dose", "", "volume of distribution x weight x (level wanted - present) / share available",
        "mg", 0,
    ),
    (
        (_WANTED, "15 mcg/mL"), (_PRESENT, "0 mcg/mL"), (_VOLUME_EACH, "0.65 L/kg"), (WEIGHT, "70 kg"),
        (_AVAILABLE, "0.92"),
    ),
    lambda g, _: g["volume of distribution"] * g["weight"] * (g["level"] - g["present level"]) / g["available share"],
    refuse=higher("level", "present level"), note="the share covers salt and absorption; the label's largest dose still holds",
)  # fmt: skip
PUMP = Simple(
    Formula("infusion-rate", "rate of a pump for a dose by weight", "", "dose rate x weight x 60 / strength", "mL/h", 1),
    ((_RATE, "5"), (WEIGHT, "80 kg"), (_STRENGTH, "1.6 mg/mL")),
    lambda g, _: g["dose rate"] * g["weight"] * 60 / (g["strength"] * 1000),
    note="dose rate in micrograms per kg and minute",
)  # fmt: skip
DRIP = Simple(
    Formula("drip-rate", "drops a minute", "", "volume x drops per mL / minutes", "drops/min", 0),
    ((_VOLUME, "1000 mL"), (_HOURS, "8 h"), (_FACTOR, "20")), lambda g, _: g["volume"] * g["drops per ml"] / (g["hours"] * 60),
)  # fmt: skip
BY_EXPOSURE = Simple(
    Formula(
        "dose-by-auc", "dose by the area under the curve (Calvert)", "1989",
        "Calvert AH et al. J Clin Oncol 1989;7:1748-1756", "mg", 0,
    ),
    ((_AUC, "5"), (_GFR, "90 mL/min")), lambda g, _: g["auc"] * (min(g["gfr"], Fraction(_MOST_GFR)) + 25),
    note="a filtration rate above 125 mL/min counts as 125",
)  # fmt: skip
KINETICS = (HALF_LIFE, EXPOSURE, LOADING, PUMP, DRIP, BY_EXPOSURE)
