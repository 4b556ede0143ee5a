"""Tables that turn doses of different drugs into one (opioids as morphine, steroids as prednisone), compiled."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from safety.errors import Problem
from safety.formulas.equivalents import Factor, Factors
from safety.knowledge.documents import Path_
from safety.knowledge.drafts import Draft
from safety.knowledge.factor_shapes import FactorRow, FactorsShape
from safety.knowledge.nouns import FactCompiler
from safety.model.quantity import Quantity, number


def factor_tables(facts: FactCompiler) -> Sequence[Factors]:
    """Every table of factors, in order of id."""
    return facts.table("factors", "factors", Factors, lambda draft, s: _table(facts, draft, s))


def _table(facts: FactCompiler, draft: Draft, s: FactorsShape) -> Factors:
    citations = facts.citations(draft)
    against = facts.quantity(s.reference.dose, draft, ("reference", "dose")) if s.reference else None
    rows = [_row(facts, draft, row, ("factors", n), against) for n, row in enumerate(s.factors)]
    for n, left in enumerate(s.not_counted):
        facts.known("drug", left.drug, draft, ("not_counted", n, "drug"))
    first = citations[0] if citations else None
    return Factors(
        draft.id, s.title, s.unit, s.edition, first.title if first else "", tuple(r for r in rows if r is not None),
        {x.drug: x.because for x in s.not_counted}, tuple(s.notes), first.checked if first else "recalled",  # type: ignore[arg-type]
        first.copy if first else "",
    )  # fmt: skip


def _row(facts: FactCompiler, draft: Draft, row: FactorRow, path: Path_, against: Quantity | None) -> Factor | None:
    known = facts.known("drug", row.drug, draft, (*path, "drug"))
    if row.source is not None:
        known = facts.known("source", row.source, draft, (*path, "source")) and known
    per = facts.quantity(row.per, draft, (*path, "per"))
    ratio = _ratio(facts, draft, row, path, against)
    if not known or per is None or ratio is None:
        return None
    if per.value != 1:
        facts.problems.append(Problem(draft.place((*path, "per")), "K205", f"`{row.per}` is not one of a unit", "e.g. `1 mg/d`"))
        return None
    above, most = (_bound(facts, draft, getattr(row.daily, op, None), (*path, "daily", op), per) for op in ("above", "at_most"))
    return Factor(row.drug, tuple(row.route), per.unit, str(ratio), tuple(row.form), above, most, row.source or "")


def _ratio(facts: FactCompiler, draft: Draft, row: FactorRow, path: Path_, against: Quantity | None) -> Fraction | None:
    if row.factor is not None:
        factor = number(row.factor)
        if factor is None or factor <= 0:
            message = f"`{row.factor}` is not a number above zero"
            facts.problems.append(Problem(draft.place((*path, "factor")), "K205", message))
            return None
        return Fraction(factor)
    same = facts.quantity(row.equivalent or "", draft, (*path, "equivalent"))
    if same is None:
        return None
    if against is None or same.unit != against.unit or not same.value:
        message = "`equivalent` needs a `reference` in the same unit"
        facts.problems.append(Problem(draft.place((*path, "equivalent"), True), "K206", message))
        return None
    return Fraction(against.value) / Fraction(same.value)


def _bound(facts: FactCompiler, draft: Draft, text: str | None, path: Path_, per: Quantity) -> Decimal | None:
    found = facts.quantity(text, draft, path) if text is not None else None
    if found is not None and found.unit != per.unit:
        facts.problems.append(Problem(draft.place(path), "K206", f"`{text}` is not in {per.unit}"))
        return None
    return found.value if found is not None else None
