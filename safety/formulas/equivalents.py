"""Doses of different drugs as one: morphine milligram equivalents, steroid equivalents; the factors are data."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct

from safety.formulas.answers import Answer, Checked, Formula, Used, decimal
from safety.model.quantity import Quantity, plain

_MORE_UNITS = {
    "mg/d": {"mcg/d": "0.001", "g/d": "1000"},
    "mcg/d": {"mg/d": "1000"},
    "mcg/h": {"mg/h": "1000"},
    "mg": {"mcg": "0.001", "g": "1000"},
}


class Factor(Struct, frozen=True):
    """One row: how much of the table's unit one `per` of a drug by these routes (in these forms, if any are named) is.

    `above` and `at_most` bound the drug's own daily dose, in the unit of `per`, that the row holds for.
    """

    drug: str
    routes: tuple[str, ...]
    per: str
    ratio: str
    forms: tuple[str, ...] = ()
    above: Decimal | None = None
    at_most: Decimal | None = None
    source: str = ""

    @property
    def factor(self) -> Fraction:
        """The exact factor; `ratio` is how it is written, 20/3."""
        return Fraction(self.ratio)

    def holds(self, daily: Fraction) -> bool:
        """Whether the row is for this daily dose of the drug."""
        return (self.above is None or daily > Fraction(self.above)) and (self.at_most is None or daily <= Fraction(self.at_most))


class Factors(Struct, frozen=True):
    """A table of factors: its unit, its rows, drugs that it leaves out on purpose with the reason, and where it stands."""

    id: str
    title: str
    unit: str
    edition: str
    citation: str
    rows: tuple[Factor, ...]
    not_counted: dict[str, str] = {}
    notes: tuple[str, ...] = ()
    checked: Checked = "recalled"
    copy: str = ""

    @property
    def formula(self) -> Formula:
        """The table as the formula that answers name."""
        name = self.id.removeprefix("factors.")
        return Formula(name, self.title, self.edition, self.citation, self.unit, 1, self.checked, self.copy)


class Dose(Struct, frozen=True):
    """What is taken of one drug: in a day (`mg/d`), or by the hour from a patch (`mcg/h`); route and form where told."""

    drug: str
    daily: Quantity
    route: str | None = None
    form: str | None = None

    def __str__(self) -> str:
        return " ".join(x for x in (str(self.daily), self.route, self.form) if x)


def equivalents(table: Factors, doses: Sequence[Dose] | None) -> Answer:
    """The sum of all doses in the table's unit; the daily doses of one drug are added before a banded factor is chosen.

    A dose that the table has no factor for makes the sum unknown (`low` is what is known of it); a drug that the table
    leaves out on purpose is not counted, and the answer says so. Not for changing from one drug to another.
    """
    if doses is None:
        return Answer(table.formula, missing=("doses",))
    total, used, notes = Fraction(0), [], list(table.notes)
    missing: list[str] = []
    refused: list[str] = []
    for drug, because in table.not_counted.items():
        if any(d.drug == drug for d in doses):
            notes.append(f"{_name(drug)} is not counted: {because}")
    groups: dict[tuple[Factor, ...], list[Dose]] = {}
    for dose in doses:
        rows = () if dose.drug in table.not_counted else _rows(table, dose, missing, refused)
        if rows:
            groups.setdefault(rows, []).append(dose)
    for rows, group in groups.items():
        found = _one(table, rows, group)
        if isinstance(found, str):
            refused.append(found)
            continue
        row, amount = found
        total += amount * row.factor
        shown = f"x {_shown(row.factor)} = {_shown(amount * row.factor)}"
        used.append(Used(_name(row.drug), " + ".join(map(str, group)), shown))
    if missing or refused:
        return Answer(table.formula, None, tuple(used), tuple(missing), tuple(refused), tuple(notes), low=decimal(total))
    return Answer(table.formula, decimal(total), tuple(used), notes=tuple(notes))


def converted(
    table: Factors, dose: Quantity | None, drug: str | None, route: str | None, to: str | None, to_route: str | None
) -> Answer:
    """The dose of another drug that a table of equivalents sets beside this one, in mg."""
    told = {"dose": dose, "drug": drug, "route": route, "drug to convert to": to, "route to convert to": to_route}
    formula = Formula(f"{table.formula.id}-to", table.title, table.edition, table.citation, "mg", 2, table.checked, table.copy)
    missing = [name for name, given in told.items() if given is None]
    if dose is None or drug is None or to is None or missing:
        return Answer(formula, missing=tuple(missing))
    refused: list[str] = []
    one = Quantity(Decimal(1), "mg")
    start, end = (_rows(table, Dose(d, one, r), missing, refused) for d, r in ((drug, route), (to, to_route)))
    amount = _amount(dose, "mg")
    if amount is None or amount <= 0:
        refused.append(f"dose {dose} is not an amount above zero in mg, mcg or g")
    used = (Used(_name(drug), f"{dose} {route}"), Used(_name(to), str(to_route)))
    if missing or refused or amount is None:
        return Answer(formula, used=used, missing=tuple(missing), refused=tuple(refused))
    return Answer(formula, decimal(amount * start[0].factor / end[0].factor), used, notes=table.notes)


def _rows(table: Factors, dose: Dose, missing: list[str], refused: list[str]) -> tuple[Factor, ...]:
    """The rows for a drug, route and form: one, or a band of them; none where something is missing or refused, and then why."""
    name = _name(dose.drug)
    rows = [r for r in table.rows if r.drug == dose.drug]
    if dose.route is None and len({r.routes for r in rows}) > 1:
        missing.append(f"route of {name}")
        return ()
    rows = [r for r in rows if dose.route is None or dose.route in r.routes]
    if dose.form is None and len({r.forms for r in rows}) > 1:
        missing.append(f"form of {name}")
        return ()
    rows = [r for r in rows if dose.form is None or not r.forms or dose.form in r.forms]
    if not rows:
        by = " ".join(x for x in (name, dose.route, dose.form) if x)
        refused.append(f"{table.title} has no factor for {by}")
    return tuple(rows)


def _one(table: Factors, rows: Sequence[Factor], group: Sequence[Dose]) -> tuple[Factor, Fraction] | str:
    """The row for all doses of one drug together, and how many of its `per` they are; else why there is none."""
    name, unit = _name(group[0].drug), rows[0].per
    amounts = [a for a in (_amount(d.daily, unit) for d in group) if a is not None and a >= 0]
    if len(amounts) < len(group):
        return f"{name} {' + '.join(map(str, group))} is not in {unit}, which its factor counts"
    total = sum(amounts, Fraction(0))
    # nothing taken gives nothing, whatever the band
    fitting = [r for r in rows if r.holds(total)] or ([rows[0]] if total == 0 else [])
    if len({r.factor for r in fitting}) != 1:
        return f"{table.title} has no single factor for {_shown(total)} {unit} of {name}"
    return fitting[0], total


def _amount(given: Quantity, unit: str) -> Fraction | None:
    if given.unit == unit:
        return Fraction(given.value)
    factor = _MORE_UNITS.get(unit, {}).get(given.unit)
    return None if factor is None else Fraction(given.value) * Fraction(factor)


def _name(drug: str) -> str:
    return drug.split(".", 1)[-1].replace("-", " ")


def _shown(value: Fraction) -> str:
    return plain(round(decimal(value), 4))
