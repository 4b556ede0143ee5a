"""Scores, compiled: lines in the units of our tests, cases that must come out as written."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from safety.errors import Problem
from safety.formulas.catalogue import asks_of, read
from safety.formulas.inputs import Input
from safety.formulas.scored import Points, Score, ScoreLine, scored
from safety.knowledge.documents import Path_
from safety.knowledge.drafts import Draft
from safety.knowledge.nouns import FactCompiler
from safety.knowledge.score_shapes import BandShape, ScoreLineShape, ScoreShape
from safety.knowledge.shapes import Bounded
from safety.model.quantity import number

_OPEN = Points(Decimal(0))
_ENDS = {"at_least": ("low", True), "above": ("low", False), "at_most": ("high", True), "under": ("high", False)}


def scores(facts: FactCompiler) -> Sequence[Score]:
    """Every score, in order of id."""
    return facts.table("scores", "score", Score, lambda draft, s: _score(facts, draft, s))


def _score(facts: FactCompiler, draft: Draft, s: ScoreShape) -> Score:
    citations = facts.citations(draft)
    first = citations[0] if citations else None
    seen: set[str] = set()
    lines = []
    for n, line in enumerate(s.lines):
        if line.key in seen:
            facts.problems.append(Problem(draft.place(("lines", n, "key")), "K213", f"`{line.key}` stands twice"))
        seen.add(line.key)
        lines.append(_line(facts, draft, line, ("lines", n)))
    meanings = [(_ends(facts, draft, m, ("meanings", n), None, _OPEN), m.says) for n, m in enumerate(s.meanings)]
    made = Score(
        draft.id, s.title, s.unit, s.edition, first.title if first else "", tuple(lines), tuple(meanings),
        tuple(s.notes),
        first.checked if first else "recalled", first.copy if first else "",  # type: ignore[arg-type]
    )  # fmt: skip
    for n, case in enumerate(s.cases):
        _prove(facts, draft, made, case.given, case.value, ("cases", n))
    return made


def _line(facts: FactCompiler, draft: Draft, s: ScoreLineShape, path: Path_) -> ScoreLine:
    if s.yes is not None:
        points = _points(facts, draft, s.yes, (*path, "yes"))
        return ScoreLine(s.key, "yes", {"yes": points, "no": Decimal(0)}, example=s.example or "no")
    if s.words is not None:
        words = {word: _points(facts, draft, p, (*path, "words", word)) for word, p in s.words.items()}
        return ScoreLine(s.key, "word", words, example=s.example or next(iter(words)))
    if s.age is not None:
        bands = _bands(facts, draft, s.age, (*path, "age"), None)
        return ScoreLine(s.key, "age", bands=bands, example=s.example or "72 y")
    one = _of_test(facts, draft, s, path) if s.lab is not None else _of_unit(facts, draft, s, path)
    bands = _bands(facts, draft, s.bands or [], (*path, "bands"), one.unit)
    return ScoreLine(s.key, "amount", bands=bands, amount=one, example=s.example or _example(one))


def _of_test(facts: FactCompiler, draft: Draft, s: ScoreLineShape, path: Path_) -> Input:
    """The input that a test's result is read in: its own unit, the others with what they count, and what is plausible."""
    assert s.lab is not None
    if not facts.known("lab", s.lab, draft, (*path, "lab")):
        return Input(s.key, "")
    lab: Any = facts.drafts.facts["lab"][s.lab].shape
    units = facts.units
    others = {units.symbol(o.unit) or o.unit: str(o.factor) for o in lab.other_units}
    offsets = {units.symbol(o.unit) or o.unit: str(o.offset) for o in lab.other_units if number(o.offset)}
    ends = [_number(facts, getattr(lab.plausible, op)) for op in ("at_least", "at_most")]
    unit = "" if lab.unitless else units.symbol(lab.unit) or lab.unit
    return Input(s.key, unit, others, str(ends[0] or 0), str(ends[1] or 1_000_000), offsets)


def _of_unit(facts: FactCompiler, draft: Draft, s: ScoreLineShape, path: Path_) -> Input:
    """The input of an amount that is no test of ours; a bare number where it is counted."""
    assert s.unit is not None
    unit = "" if s.unit == "1" else facts.units.symbol(s.unit)
    if unit is None:
        facts.problems.append(Problem(draft.place((*path, "unit")), "K206", f"`{s.unit}` is not a unit that we know"))
        unit = s.unit
    within = s.believable or Bounded()
    low, high = (_number(facts, getattr(within, op)) for op in ("at_least", "at_most"))
    if low is None or high is None:
        message = "`believable` needs `at_least` and `at_most`"
        facts.problems.append(Problem(draft.place((*path, "believable")), "K205", message))
    return Input(s.key, unit, {}, str(low or 0), str(high or 1_000_000))


def _bands(facts: FactCompiler, draft: Draft, bands: Sequence[BandShape], path: Path_, unit: str | None) -> tuple[Points, ...]:
    made = []
    for n, band in enumerate(bands):
        points = Points(_points(facts, draft, band.points, (*path, n, "points")))
        made.append(_ends(facts, draft, band, (*path, n), unit, points))
    return tuple(made)


def _ends(facts: FactCompiler, draft: Draft, s: Bounded, path: Path_, unit: str | None, onto: Points) -> Points:
    """The ends that are written, as numbers; with their unit where the line has one."""
    found: dict[str, Any] = {"points": onto.points}
    for op, (end, included) in _ENDS.items():
        text = getattr(s, op)
        if text is None:
            continue
        value = number(text)
        if unit and value is not None:
            facts.problems.append(Problem(draft.place((*path, op)), "K206", f"`{text}` needs its unit", f"e.g. `{text} {unit}`"))
        if unit and value is None:
            told = facts.quantity(text, draft, (*path, op))
            value = told.value if told is not None and told.unit == unit else None
        if value is None:
            facts.problems.append(Problem(draft.place((*path, op)), "K205", f"`{text}` is not an amount in {unit or 'numbers'}"))
            continue
        found |= {end: value, f"{end}_in": included}
    made = Points(**found)
    if made.low is not None and made.high is not None and made.low > made.high:
        facts.problems.append(Problem(draft.place(path), "K213", "it ends before it begins"))
    return made


def _points(facts: FactCompiler, draft: Draft, text: str, path: Path_) -> Decimal:
    value = number(text)
    if value is None:
        facts.problems.append(Problem(draft.place(path), "K205", f"`{text}` is not a number of points"))
    return value or Decimal(0)


def _number(facts: FactCompiler, text: str | None) -> Decimal | None:
    """The number of a bound, with or without its unit."""
    if text is None:
        return None
    told = facts.units.parse(text)
    return number(text) if number(text) is not None else told.value if told is not None else None


def _example(one: Input) -> str:
    """An amount that can be believed, as it is written: the middle between the ends, or the lower end."""
    low, high = Fraction(one.at_least), Fraction(one.at_most)
    middle = int((low + high) / 2) or low
    return f"{middle if middle else high} {one.unit}".strip()


def _prove(facts: FactCompiler, draft: Draft, made: Score, given: dict[str, Any], value: str, path: Path_) -> None:
    """A case that is written must come out as it is written."""
    asks = {ask.key: ask for ask in asks_of(made)}
    told: dict[str, Any] = {}
    for key, text in given.items():
        if key not in asks:
            facts.problems.append(Problem(draft.place((*path, "given", key), True), "K203", f"no line has the key `{key}`"))
            return
        said = ("yes" if text else "no") if isinstance(text, bool) else str(text)
        told[key] = read(asks[key], said, facts.units)
    answer = scored(made, {key: one for key, one in told.items() if one is not None})
    wanted = number(value)
    if answer.value is None or wanted is None or answer.value != wanted:
        got = "; ".join((*answer.refused, *(f"{key} is missing" for key in answer.missing))) or str(answer.value)
        facts.problems.append(Problem(draft.place((*path, "value")), "K233", f"comes out as {got}, not {value}"))
