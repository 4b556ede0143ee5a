"""What is believed of a patient's body, and what is a problem of theirs though it stands on another list."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from oracle.files import Files, amount, many
from oracle.language import bounds_of, within
from oracle.patients import Patient, Problem, Procedure

_GROWING = ("newborn", "infant", "young child", "child", "adolescent", "adult")


def understood(files: Files, who: Patient) -> Patient:
    """The patient as `kb/README.md` says that one is understood: before any rule is looked at."""
    who = _believed(files, who)
    return who.but(reasons=tuple(_reasons(files, who)), listed=tuple(_on_the_problem_list(files, who)))


def _believed(files: Files, who: Patient) -> Patient:
    """Without a weight or a height that nobody of this age has, and without both where they cannot go together."""
    rows = files.believable
    age = None if who.age is None else files.units.to(*who.age, "mo")
    band = next((b for b in _GROWING if age is not None and _holds(files, rows[f"age of {_a(b)}"], age, "mo")), None)
    bands = _GROWING if band is None else (band,)
    left = {}
    for name in ("weight", "height"):
        told = getattr(who, name)
        if told is not None and not any(_holds(files, rows[f"{name} of {_a(b)}"], *told) for b in bands):
            left[name] = None
    grown = age is None or _holds(files, rows["age from which the body mass index counts"], age, "mo")
    if not left and grown and who.weight is not None and who.height is not None:
        kg, m = files.units.to(*who.weight, "kg"), files.units.to(*who.height, "m")
        assert kg is not None
        assert m is not None
        if not _holds(files, rows["body mass index"], kg / (m * m), "kg/m2"):
            left = {"weight": None, "height": None}
    return who.but(**left)


def _holds(files: Files, row: dict[str, str], value: Fraction, unit: str) -> bool:
    for word, text in bounds_of(row).items():
        own = files.units.to(value, unit, amount(text)[1])
        if own is None or not within(own, [(word, amount(text)[0])]):
            return False
    return True


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _reasons(files: Files, who: Patient) -> Iterable[Problem]:
    """What a medicine is taken for is a problem, unless it is an event of some days, or on the list already."""
    known = {k for p in who.problems or () for k in files.kinds_of(p.condition)}
    for m in who.medicines:
        if m.purpose is None or m.stopped(who.day) or m.purpose in known:
            continue
        if files.conditions[m.purpose].get("lasts", "always") not in ("always", "life"):
            continue
        known |= files.kinds_of(m.purpose)
        yield Problem(m.purpose)


def _on_the_problem_list(files: Files, who: Patient) -> Iterable[Procedure]:
    """An operation that stands among the problems was done on the day told with it."""
    for p in who.problems or ():
        name = files.conditions[p.condition]["name"].lower()
        for id, fact in files.procedures.items():
            if name in (one.lower() for one in [fact["name"], *many(fact.get("synonyms"))]):
                yield Procedure(id, on=p.onset)
