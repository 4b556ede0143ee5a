"""Dates of a pregnancy, from the first day of the last menstrual period."""

from __future__ import annotations

import calendar
from datetime import date, timedelta
from decimal import Decimal

from safety.formulas.answers import Answer, Formula, Used

_USUAL_CYCLE = 28
DUE_DATE = Formula(
    "due-date", "estimated due date (Naegele)", "19th century, with the length of the cycle",
    "Last menstrual period + 1 year - 3 months + 7 days, + the cycle's days beyond 28", "",
)  # fmt: skip
CONCEPTION = Formula(
    "conception", "estimated day of conception", "", "Last menstrual period + 14 days, + the cycle's days beyond 28", ""
)
GESTATION = Formula("gestation", "gestational age", "", "Days since the first day of the last menstrual period", "d")


def due_date(last_period: date | None, cycle_days: int | None) -> Answer:
    """Estimated due date by Naegele's rule on the calendar, moved by as many days as the cycle differs from 28 (20 to 45)."""
    told = _told(DUE_DATE, last_period, cycle_days)
    if told.missing or told.refused or last_period is None or cycle_days is None:
        return told
    year, month = (
        (last_period.year, last_period.month + 9) if last_period.month <= 3 else (last_period.year + 1, last_period.month - 3)
    )
    # a day that the month does not have (31 May less three months) runs on into the next, as on paper
    day = min(last_period.day, calendar.monthrange(year, month)[1])
    carried = last_period.day - day
    return _on(told, date(year, month, day) + timedelta(days=carried + 7 + cycle_days - _USUAL_CYCLE))


def conception(last_period: date | None, cycle_days: int | None) -> Answer:
    """Estimated day of conception: 14 days after the last period began, moved by as many days as the cycle differs from 28."""
    told = _told(CONCEPTION, last_period, cycle_days)
    if told.missing or told.refused or last_period is None or cycle_days is None:
        return told
    return _on(told, last_period + timedelta(days=14 + cycle_days - _USUAL_CYCLE))


def gestational_age(last_period: date | None, on: date | None) -> Answer:
    """Gestational age in days on a day, and in completed weeks and days; refused beyond 44 weeks or before the period."""
    missing = [name for name, day in (("last period", last_period), ("on", on)) if day is None]
    if last_period is None or on is None:
        return Answer(GESTATION, missing=tuple(missing))
    used = (Used("last period", last_period.isoformat()), Used("on", on.isoformat()))
    days = (on - last_period).days
    if not 0 <= days <= 44 * 7:
        return Answer(GESTATION, used=used, refused=(f"{days} days since the last period is no gestational age (0 to 308)",))
    weeks, rest = divmod(days, 7)
    return Answer(GESTATION, Decimal(days), used, notes=(f"{weeks} weeks {rest} days",))


def _told(formula: Formula, last_period: date | None, cycle_days: int | None) -> Answer:
    used = [Used("last period", last_period.isoformat())] if last_period else []
    missing = [] if last_period else ["last period"]
    refused = []
    if cycle_days is None:
        missing.append("cycle days")
    elif not 20 <= cycle_days <= 45:
        refused.append(f"a cycle of {cycle_days} days is outside 20 to 45, where this formula is used")
    else:
        used.append(Used("cycle", f"{cycle_days} d"))
    return Answer(formula, used=tuple(used), missing=tuple(missing), refused=tuple(refused))


def _on(told: Answer, day: date) -> Answer:
    return Answer(told.formula, used=told.used, day=day)
