"""What is said to be taken of one medicine → entries of a medication list with typed directions; nothing is printed and read."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from safety.adherence.said import OneSaid
from safety.knowledge.library import Library, Product
from safety.model.directions import ONE_DOSE, Directions, HoursApart, TimesPerDay
from safety.model.patient import Medication, Supply
from safety.model.quantity import Quantity, QuantityRange
from safety.reading.directions.galenic import SOLIDS
from safety.reading.spoken.amounts import BARE
from safety.reading.spoken.reported import Regimen

ONCE: TimesPerDay = (Fraction(1), Fraction(1))
_COUNTED_WITH_STRENGTH = frozenset({"", "tablet", "capsule", "pill"})
_DAY_WORD = re.compile(
    r"^(?!.*\b(?:at once|together|one go|all of|at a time|at the same time)\b).*\b(?:today|yesterday|so far)\b", re.I | re.S
)
_A_HANDFUL = 3
_DAY_HOURS = 24


def medications_said(said: OneSaid, supply: Supply | None, library: Library, *, once: bool = False) -> list[Medication]:
    """What is said to be taken, as entries of a list; with `once`, an untold frequency is taken as one dose on the day."""
    product = library.product.get(said.read.answer.product or "") if said.read is not None else None
    base = _base(said)
    made = []
    for regimen in said.told.regimens or (Regimen(),):
        one = _over_the_day(regimen) if _DAY_WORD.search(said.told.text) else regimen
        strength = base.strength if one.strength is None else None
        form, directions = base.form or _form(product, one, library), _directions(one, _piece(product), once)
        made.append(replace(base, strength=strength, form=form, directions=directions, supply=supply or base.supply))
    return made


def _base(said: OneSaid) -> Medication:
    """The medicine that is spoken of, with what was told of it in fields; how it is taken is told by the regimen."""
    told = said.fields.fields if said.fields is not None else None
    answer = said.read.answer if said.read is not None else None
    name = answer.name if answer is not None and not answer.product else None
    base = told or Medication(text=said.heard)
    return replace(base, text=said.heard, drug=said.heard or name or "", dose=None, frequency=None, sig=None)


def tells_amount(medication: Medication) -> bool:
    """Whether its directions tell how much is taken."""
    told = medication.directions
    return told is not None and (told.dose is not None or told.per_day is not None)


def _over_the_day(regimen: Regimen) -> Regimen:
    """ "I took six today" tells the day's number, not that they were taken at once."""
    counted = regimen.dose is not None and regimen.dose[1].unit in SOLIDS and regimen.dose[1].value > _A_HANDFUL
    if not counted or regimen.times != ONCE or regimen.slots:
        return regimen
    return replace(regimen, dose=None, times=None, per_day=regimen.dose)


def _form(product: Product | None, regimen: Regimen, library: Library) -> str | None:
    """The one form of a product that can be taken in the unit told: millilitres are of the liquid."""
    told = regimen.dose or regimen.per_day
    if product is None or told is None or library.units.dimension(told[1].unit) != "volume":
        return None
    liquids = {p.form for p in product.presentations if library.units.dimension(p.per.unit) == "volume"}
    return liquids.pop() if len(liquids) == 1 else None


def _piece(product: Product | None) -> str:
    """What a piece of the product is called, whatever the speaker calls it."""
    solid = {p.per.unit for p in product.presentations if p.per.unit in SOLIDS} if product is not None else set()
    return solid.pop() if len(solid) == 1 else ""


# --- the directions ------------------------------------------------------------------------------------------------


class _HowOften(Struct, frozen=True):
    times: TimesPerDay | None = None
    hours: HoursApart | None = None
    most: Quantity | None = None


def _directions(regimen: Regimen, piece: str, once: bool) -> Directions:
    """The directions that one way of taking it comes to, lowest and highest kept."""
    dose, day = _amount(regimen.dose, regimen, piece), _amount(regimen.per_day, regimen, piece)
    rate = _rate(regimen)
    if day is not None and dose is None and rate.times is None and day[0] == day[1] and _is_one_piece(day[1]):
        dose, day, rate = day, None, _HowOften(ONCE)  # one a day is one dose
    if once and rate.times is None and day is None:
        rate = _HowOften(ONCE)
    strength = regimen.strength
    return Directions(
        "",
        strength=Quantity(strength.value, _unit(strength.unit)) if strength is not None else None,
        dose=dose,
        per_day=day,
        times_per_day=rate.times,
        interval_hours=rate.hours,
        day_max=rate.most,
        windows=None,
    )


def _unit(unit: str) -> str:
    """A number whose unit was left off counts milligrams."""
    return "mg" if unit == BARE else unit


def _is_one_piece(amount: Quantity) -> bool:
    return amount.value == 1 and amount.unit in SOLIDS


def _amount(told: QuantityRange | None, regimen: Regimen, piece: str) -> QuantityRange | None:
    """What is taken: of pieces whose strength was told, how much they hold together."""
    if told is None:
        return None
    unit, held = _unit(told[1].unit) or "tablet", regimen.strength
    if held is not None and told[1].unit in _COUNTED_WITH_STRENGTH:
        low, high = (Quantity(q.value * held.value, _unit(held.unit)) for q in told)
        return low, high
    unit = piece if piece and unit in SOLIDS else unit
    return Quantity(told[0].value, unit), Quantity(told[1].value, unit)


def _rate(regimen: Regimen) -> _HowOften:
    """How often: by the hours told, as many times as they allow or as was told; else the times told."""
    hours = regimen.hours
    if regimen.times is not None and not regimen.times[1]:
        return _HowOften()  # how often was not told
    if hours is None:
        return _HowOften(regimen.times)
    times = Fraction(_DAY_HOURS) / Fraction(hours)
    most = regimen.times[1] if regimen.times is not None else times
    fewer = Quantity(Decimal(-(-most // 1)), ONE_DOSE) if most != times else None
    return _HowOften((times, times), (hours, hours), fewer)
