"""How long before the day that is judged a told time lies."""

from __future__ import annotations

from datetime import date, timedelta

from safety.model.patient import Age
from safety.model.problem_line import When

EVER = 100_000
"""So many days ago, or longer."""
_MONTH, _YEAR, _MONTHS = 30, 365, 12
_NEAR = 45
"""So few days off, "11/10" is a day and no month of a year."""
_CENTURY, _TWO_DIGITS = 100, 10


def days_ago(when: When, day: date, age: Age | None) -> tuple[int, int] | None:
    """So many days (least, most) before the day that is judged; None where it does not say, or says a later day."""
    found = _told(when, day, age)
    if found is not None and when.earliest:
        return 0, found[1]
    return (found[0], EVER) if found is not None and when.latest else found


def _told(when: When, day: date, age: Age | None) -> tuple[int, int] | None:
    if when.ago is not None:
        return when.ago
    if when.age is not None and age is not None:
        years = int(age.months) // _MONTHS - when.age
        return (max((years - 1) * _YEAR, 0), (years + 1) * _YEAR) if years >= 0 else None
    if when.short is not None:
        return _either(*when.short, day)
    if when.month is not None:
        first = date(day.year - (when.month > day.month), when.month, 1)
        return max((day - first).days - _MONTH, 0), (day - first).days
    if when.first is None or when.last is None or when.first > day:
        return None
    return max((day - when.last).days, 0), (day - when.first).days


def _either(month: int, number: int, today: date) -> tuple[int, int] | None:
    """From the later to the earlier of the days that "3/22" may mean: the last 22nd of March, or a day of March 2022.

    A day of the last weeks is meant as a day.
    """
    days = [d for year in (today.year, today.year - 1) if (d := _date(year, month, number)) is not None and d <= today][:1]
    if days and (today - days[0]).days <= _NEAR:
        return ((today - days[0]).days,) * 2
    century = today.year // _CENTURY * _CENTURY
    year = century + number if century + number <= today.year else century - _CENTURY + number
    first = _date(year, month, 1)
    meant = year >= century or not days  # "11/30" is no November of 1930
    if first is not None and first <= today and number >= _TWO_DIGITS and meant:
        days += [first, min(first + timedelta(days=_MONTH), today)]
    return ((today - max(days)).days, (today - min(days)).days) if days else None


def _date(year: int, month: int, number: int) -> date | None:
    """The day, where there is such a day."""
    try:
        return date(year, month, number)
    except ValueError:
        return None


def told_day(when: When, day: date, ahead: bool | None) -> tuple[date | None, tuple[int, int] | None]:
    """The day that is meant, or between which days ago it lies; `ahead`: whether it is told to come, None where that is not told.

    "12/3" without a word is the nearest third of December, ahead or past; "6/21" may be a month of a year as well.
    """
    if when.short is not None:
        month, number = when.short
        a_year = number >= _TWO_DIGITS and day.year // _CENTURY * _CENTURY + number <= day.year
        nearest = _nearest(month, number, day, ahead)
        if nearest is not None and (ahead or not a_year or abs((nearest - day).days) <= _NEAR):
            return nearest, None
    elif when.first is not None and (when.first == when.last or when.first > day):
        return when.first, None
    return None, days_ago(when, day, None)


def _nearest(month: int, number: int, today: date, ahead: bool | None) -> date | None:
    days = [d for year in (today.year - 1, today.year, today.year + 1) if (d := _date(year, month, number)) is not None]
    if ahead is not None:
        days = [d for d in days if (d >= today if ahead else d <= today)]
    return min(days, key=lambda d: abs((d - today).days), default=None)
