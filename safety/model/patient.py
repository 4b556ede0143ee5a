"""What we are told about one patient and the plan for them. `None` means: not told."""

from __future__ import annotations

import calendar
import re
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from safety.model.directions import Directions
from safety.model.quantity import Quantity
from safety.text import lowered

Sex = Literal["female", "male"]
Supply = Literal["prescription", "otc"]


class Code(Struct, frozen=True):
    """A code as it was given: system (`rxnorm`, `snomed`, `icd10cm`, `loinc` or an address), code, display."""

    system: str
    code: str
    display: str = ""


class Age(Struct, frozen=True):
    """Age in months, exact for years and months; `text` is how it was told."""

    months: Decimal
    text: str


class Told(Struct, frozen=True):
    """A problem on the list: text and codes as given, and whether it is present or in the past."""

    text: str
    codes: tuple[Code, ...] = ()
    status: Literal["active", "past"] = "active"
    onset: date | None = None


class Allergy(Struct, frozen=True):
    """What the patient reacts to, and how, in the words it was told.

    `denied`: it says that there is none ("NKDA"); such a line stands only beside an allergy that it contradicts.
    """

    to: str
    reaction: str | None = None
    severity: str | None = None
    codes: tuple[Code, ...] = ()
    denied: bool = False


class LabResult(Struct, frozen=True):
    """One result: test and unit as written, a number (or words, such as `positive`), and the day if told.

    `as_written`: `test` holds a whole line ("K 5.9 (H)"), which is read before it is judged. `flag` and `range` are the
    laboratory's own; `goal`: what it is told to be meant to be. `earlier`: told as an older one ("baseline 1.1").
    `fault`: why a line says nothing of it.
    `timed`: told when the sample was drawn, as a level asks (a trough); `hour`: at which hour of the day, and `after`: how many
    hours after a dose; `fasting`: told whether it was so drawn.
    `alone`: the test that is told beside it as a rule.
    `heard`: the words in which the number was told, where it was told in words.
    `worked_out`: nobody told it, it follows from these others ("sodium 140, chloride 100, bicarbonate 12").
    """

    test: str
    value: Decimal | str | None = None
    unit: str | None = None
    on: date | None = None
    codes: tuple[Code, ...] = ()
    as_written: bool = False
    flag: str = ""
    range: str = ""
    earlier: bool = False
    fault: Literal["", "value", "not_done", "name"] = ""
    timed: bool = False
    hour: int | None = None
    after: Decimal | None = None
    fasting: bool | None = None
    alone: str = ""
    heard: str = ""
    worked_out: str = ""
    goal: str = ""


class Gene(Struct, frozen=True):
    """A genetic result: the gene with the allele or phenotype found, and whether it was found (`positive`, `negative`)."""

    gene: str
    allele: str | None = None
    phenotype: str | None = None
    result: str | None = None


class Procedure(Struct, frozen=True):
    """An operation or examination, done or planned, and its day if told."""

    text: str
    status: Literal["done", "planned"] = "done"
    on: date | None = None
    codes: tuple[Code, ...] = ()


class Vaccine(Struct, frozen=True):
    """A vaccine that was given or is planned, and the day if told; without a `status` its words and day tell."""

    text: str
    on: date | None = None
    codes: tuple[Code, ...] = ()
    status: Literal["", "done", "planned"] = ""


class Pregnancy(Struct, frozen=True):
    """Pregnant or not; completed weeks or trimester where told."""

    present: bool
    trimester: int | None = None
    weeks: Decimal | None = None


class ContentTold(Struct, frozen=True):
    """An ingredient of one unit of a product, by its name, with the amount told in the words or apart from them."""

    text: str
    amount: Quantity | None = None


class Medication(Struct, frozen=True):
    """A medication as told: one line of text, or fields, or directions in numbers and codes. `None` is "not told" for each.

    `directions`: their units are as they were coded, and their `text` is what they are shown by. `beside`: further words of
    the same order that decide nothing. `stopped` is true where the record says it is no longer taken though no day is known.
    """

    text: str
    drug: str | None = None
    strength: str | None = None
    form: str | None = None
    dose: str | None = None
    frequency: str | None = None
    route: str | None = None
    sig: str | None = None
    as_needed: bool | None = None
    supply: Supply | None = None
    indication: str | None = None
    since: date | None = None
    until: date | None = None
    last_taken: date | None = None
    days: Decimal | None = None
    contains: tuple[ContentTold, ...] = ()
    codes: tuple[Code, ...] = ()
    stopped: bool = False
    directions: Directions | None = None
    beside: tuple[str, ...] = ()

    def current(self, day: date) -> bool:
        """Whether it is (still) taken on that day, as far as told; something planned for later counts as taken."""
        return not self.stopped and (self.until is None or self.until >= day)


class Patient(Struct, frozen=True):
    """The person. Lists: `None` not told, empty told there are none; the medication list is whole unless said otherwise.

    `medications_told`: whether there is a list of what is taken, be it empty.
    """

    age: Age | None = None
    birth_date: date | None = None
    sex: Sex | None = None
    weight: Quantity | None = None
    height: Quantity | None = None
    pregnancy: Pregnancy | None = None
    breastfeeding: bool | None = None
    conditions: tuple[Told, ...] | None = None
    allergies: tuple[Allergy, ...] | None = None
    labs: tuple[LabResult, ...] | None = None
    medications: tuple[Medication, ...] = ()
    medications_complete: bool = True
    medications_told: bool = True
    intake: tuple[str, ...] | None = None
    diet_limits: tuple[str, ...] | None = None
    genes: tuple[Gene, ...] | None = None
    procedures: tuple[Procedure, ...] | None = None
    devices: tuple[str, ...] | None = None
    vaccines: tuple[Vaccine, ...] | None = None
    vitals: tuple[LabResult, ...] | None = None


IN_WORDS: tuple[str, str] = ("what was said", "note")
"""Where something was left out of what is no record: of what somebody said, and of a note."""


class Unread(Struct, frozen=True):
    """A part of the input that could not be read: what, where, and why. Nothing is dropped silently.

    `kind`: a resource as a whole or a part of one; a `repeat` of what was read loses nothing; a `stranger` names somebody else.
    """

    what: str
    where: str
    why: str
    kind: Literal["resource", "part", "repeat", "stranger"] = "resource"


class Reading(Struct, frozen=True):
    """How a record was turned into a case: resources by type as counted in it, what was used, what could not be read."""

    resources: dict[str, int]
    used: dict[str, int]
    unread: tuple[Unread, ...] = ()
    not_read: dict[str, int] = {}
    """Clinical resources of types that are not read at all."""

    def __hash__(self) -> int:
        """Equal accounts have one, so that a case that was read can be remembered: by what was left out, not by counts."""
        return hash(self.unread)


class Case(Struct, frozen=True):
    """One patient with what is proposed for them; the input of every check.

    `constraints`, `gold`, `revised`, `core` and `model` are for scoring plans: a check does not look at them. `gold`: the
    components of the regimen that is held to be right; None where none is told, empty where no medicine is.
    """

    patient: Patient
    id: str | None = None
    as_of: date | None = None
    plan: tuple[Medication, ...] = ()
    constraints: tuple[str, ...] = ()
    gold: tuple[Medication, ...] | None = None
    revised: tuple[Medication, ...] | None = None
    core: bool | None = None
    model: str | None = None
    reading: Reading | None = None


_MONTH = Decimal("30.4375")
_AGE_UNITS: dict[str, tuple[Decimal, Decimal]] = {
    **dict.fromkeys(("y", "yr", "yrs", "year", "years", "years old", "year old", "yo", "a"), (Decimal(12), Decimal(1))),
    **dict.fromkeys(("mo", "month", "months", "months old", "month old"), (Decimal(1), Decimal(1))),
    **dict.fromkeys(("w", "wk", "week", "weeks", "weeks old", "week old"), (Decimal(7), _MONTH)),
    **dict.fromkeys(("d", "day", "days", "days old", "day old"), (Decimal(1), _MONTH)),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours", "hours old", "hour old"), (Decimal(1), _MONTH * 24)),
}


def age_from_birth(born: date, day: date) -> Age:
    """Age on a day from the day of birth: whole months lived, and the days since as a part of a month."""
    months = (day.year - born.year) * 12 + day.month - born.month
    if day.day < born.day:
        months -= 1
    year, month = divmod(born.year * 12 + born.month - 1 + months, 12)
    last = min(born.day, calendar.monthrange(year, month + 1)[1])
    days = (day - date(year, month + 1, last)).days
    shown = f"{months // 12} y" if months >= 24 else f"{months} months" if months else f"{days} days"
    return Age(Decimal(months) + Decimal(days) / _MONTH, shown)


_AGE = re.compile(r"\s*(\d{1,4}(?:\.\d{1,3})?)\s*-?\s*([a-z][a-z ]*?)\.?\s*\Z", re.I)


@lru_cache(1024)
def age_months(text: str) -> Decimal | None:
    """An age as written (`65 y`, `10 months`, `5 days`, `36 hours`) in months; None if it cannot be read."""
    match = _AGE.match(text)
    unit = _AGE_UNITS.get(lowered(match[2])) if match else None
    return Decimal(match[1]) * unit[0] / unit[1] if match and unit is not None else None
