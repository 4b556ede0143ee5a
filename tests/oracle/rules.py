"""A rule, judged: who of the list is meant, whether the condition holds for them, whether the constraint is broken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from itertools import product
from typing import Any

from oracle.files import Files, Line, amount, many
from oracle.language import NO, YES, Scene, Truth, all_of, any_of, bounds_of, not_, open_, told
from oracle.patients import Patient

_LIMITS = ("dose_in_24h", "single_dose", "dose_interval", "days_of_use")


@dataclass(frozen=True)
class Verdict:
    """What a rule comes to for some entries of the list."""

    says: str  # violated, unknown, satisfied, not_applicable
    entries: frozenset[int] = frozenset()
    severity: str = ""
    needs: frozenset[str] = field(default=frozenset())


def judge(files: Files, rule: dict[str, Any], who: Patient) -> list[Verdict]:
    """The verdicts of a rule: one for each way in which its named medicines are found on the list."""
    if not in_force(rule, who.day):
        return []
    (kind,) = rule["constraint"]
    named = {line["drug"]["as"]: line["drug"] for line in rule["condition"] if "drug" in line and "as" in line["drug"]}
    rest = [line for line in rule["condition"] if not ("drug" in line and "as" in line["drug"])]
    if kind in _LIMITS:
        return _limited(files, rule, who, named, rest)
    verdicts = [_bound(files, rule, who, places, named, rest) for places in _ways(files, who, named)]
    if any("burden" in line for line in rest) and len(named) == 1:  # so many of a kind are one thing to say
        spoken = [v for v in verdicts if v.says in ("violated", "unknown")]
        return [replace(spoken[0], entries=frozenset().union(*(v.entries for v in spoken)))] if spoken else verdicts
    found: dict[frozenset[int], Verdict] = {}
    for verdict in verdicts:  # the same medicines the other way round are the same thing to say
        known = found.get(verdict.entries)
        if known is None or _louder(verdict, known):
            found[verdict.entries] = verdict
    return list(found.values())


def in_force(rule: dict[str, Any], day: date) -> bool:
    """Whether it speaks on this day."""
    span = rule.get("effective") or {}
    return str(span.get("from", "")) <= str(day) <= str(span.get("to", "9999"))


def _louder(one: Verdict, other: Verdict) -> bool:
    order = ["violated", "unknown", "satisfied", "not_applicable"]
    return (order.index(one.says), _rank(one.severity)) < (order.index(other.says), _rank(other.severity))


def _rank(severity: str) -> int:
    return ["contraindicated", "major", "moderate", "minor", ""].index(severity)


def _ways(files: Files, who: Patient, named: dict[str, Line]) -> Iterator[dict[str, int]]:
    """Every way to give each name an entry of its own that its line does not exclude."""
    scene = Scene(files, who)
    fitting = [[n for n, m in enumerate(who.medicines) if scene.fits(m, line).holds is not False] for line in named.values()]
    for chosen in product(*fitting):
        if len(set(chosen)) == len(chosen):
            yield dict(zip(named, chosen, strict=True))


def _bound(
    files: Files, rule: dict[str, Any], who: Patient, places: dict[str, int], named: dict[str, Line], rest: list[Line]
) -> Verdict:
    scene = Scene(files, who, places)
    fits = [scene.fits(who.medicines[n], named[name]) for name, n in places.items()]
    holds = all_of([*fits, scene.lines(rest)])
    constraint = rule["constraint"]
    broken = not_(scene.lines(constraint["require"])) if "require" in constraint else YES
    return _said(rule, scene, holds, broken, frozenset(places.values()))


def _said(rule: dict[str, Any], scene: Scene, holds: Truth, broken: Truth, entries: frozenset[int]) -> Verdict:
    if holds.holds is False:
        return Verdict("not_applicable", entries)
    if broken.holds is False:
        return Verdict("satisfied", entries)
    severity = loud(rule, scene)
    both = all_of([holds, broken])
    return Verdict("violated", entries, severity) if both.holds else Verdict("unknown", entries, severity, both.needs)


def loud(rule: dict[str, Any], scene: Scene) -> str:
    """How loud: the first line that is known to hold decides."""
    for row in rule.get("severity_when") or []:
        if scene.lines(many(row["if"])).holds:
            return str(row["severity"])
    return str(rule["severity"])


def _limited(files: Files, rule: dict[str, Any], who: Patient, named: dict[str, Line], rest: list[Line]) -> list[Verdict]:
    """A limit of an amount, of the time between doses, or of days: of the first medicine that is named, beside the others."""
    ((kind, rows),) = rule["constraint"].items()
    first, *others = named
    meant: dict[tuple[int | str, ...], list[tuple[dict[str, int], Truth]]] = {}
    for places in _ways(files, who, named):
        scene = Scene(files, who, places)
        fits = all_of(scene.fits(who.medicines[n], named[name]) for name, n in places.items())
        if fits.holds is not False and scene.lines(rest).holds is not False:
            meant.setdefault((who.medicines[places[first]].drug, *(places[name] for name in others)), []).append((places, fits))
    verdicts = []
    for ways in meant.values():
        scene = Scene(files, who, ways[0][0])
        group = [(places[first], fits) for places, fits in ways]
        holds, now = scene.lines(rest), [row for row in rows if in_force({"effective": row}, who.day)]
        broken = all_of([holds, any_of(_row(scene, kind, row, group) for row in now)])
        entries = frozenset(n for places, _ in ways for n in places.values())
        says = {True: "violated", False: "satisfied", None: "unknown"}[broken.holds]
        severity = loud(rule, scene)
        if says == "violated" and kind in ("dose_in_24h", "single_dose") and _rank(severity) > _rank("major"):
            times = 10 if rule.get("tier") == "label_limit" else 3
            far = [{**row, **{w: _times(t, times) for w, t in bounds_of(row).items()}, "far": True} for row in now]
            severity = "major" if any_of(_row(scene, kind, row, group) for row in far).holds else severity
        verdicts.append(Verdict(says, entries, severity, broken.needs))
    return verdicts


def _times(text: str, n: int) -> str:
    value, unit = amount(text)
    return f"{value * n} {unit}"


def _row(scene: Scene, kind: str, row: dict[str, Any], group: list[tuple[int, Truth]]) -> Truth:
    """Whether one dated row of a limit is broken, for whom it is."""
    meant = scene.lines([{key: value} for one in many(row.get("who")) for key, value in one.items()])
    if meant.holds is False:
        return NO
    measure = {"dose_in_24h": _sum, "single_dose": _single, "dose_interval": _interval, "days_of_use": _course}[kind]
    beyond = measure(scene, row, group)
    return all_of([meant, beyond])


def _untold(row: dict[str, Any], *needs: str) -> Truth:
    """An amount that was not told: not known, unless the row says what that counts as."""
    return told(row["if_missing"]["treat_as"] == "yes") if "if_missing" in row else open_(*needs)


def limit(scene: Scene, text: str) -> tuple[Fraction, str] | frozenset[str]:
    """A bound in its unit; of one by weight or surface what it is for this patient, or what is missing."""
    value, unit = amount(text)
    if unit.endswith("/kg"):
        if scene.who.weight is None:
            return frozenset({"weight"})
        kilos = scene.files.units.to(*scene.who.weight, "kg")
        assert kilos is not None
        return value * kilos, unit.removesuffix("/kg")
    return value, unit


def _sum(scene: Scene, row: dict[str, Any], group: list[tuple[int, Truth]]) -> Truth:
    sure, maybe, needs, unsure = Fraction(0), Fraction(0), set(), set()
    for word, text in bounds_of(row).items():
        most = limit(scene, text)
        missing = most if isinstance(most, frozenset) else frozenset()
        bound, unit = (Fraction(0), amount(text)[1].split("/")[0]) if isinstance(most, frozenset) else most
        for n, holds in group:
            m = scene.who.medicines[n]
            a_day = m.in_24h and scene.files.units.to(*m.in_24h, unit)
            if a_day is None:
                needs |= {w for w, v in (("dose", m.single), ("frequency", m.every)) if v is None} or {"dose"}
            elif holds.holds is True:
                sure += a_day
            else:
                maybe += a_day
            if holds.holds is None:
                unsure |= holds.needs
        if missing:
            return _untold(row, *missing, *needs, *unsure)
        if "if_missing" in row:
            needs = set()
        return _sides(word, bound, sure, maybe, frozenset(needs), frozenset(unsure), "far" in row)
    raise AssertionError("a row without a bound")


def _sides(
    word: str, most: Fraction, sure: Fraction, maybe: Fraction, needs: frozenset[str], unsure: frozenset[str], far: bool
) -> Truth:
    over = (lambda v: v > most) if word == "at_most" and not far else (lambda v: v >= most)
    if over(sure):
        return YES
    if needs:
        return Truth(None, needs | unsure)
    return Truth(None, unsure) if over(sure + maybe) else NO


def _single(scene: Scene, row: dict[str, Any], group: list[tuple[int, Truth]]) -> Truth:
    return any_of(_one_single(scene, row, n, holds) for n, holds in group)


def _one_single(scene: Scene, row: dict[str, Any], n: int, holds: Truth) -> Truth:
    single = scene.who.medicines[n].single
    ((word, text),) = bounds_of(row).items()
    most = limit(scene, text)
    if isinstance(most, frozenset):
        return _untold(row, *most)
    mine = single and scene.files.units.to(*single, most[1])
    if mine is None:
        return all_of([holds, _untold(row, "dose")])
    return all_of([holds, told(not _kept("under" if "far" in row else word, mine, most[0]))])


def _interval(scene: Scene, row: dict[str, Any], group: list[tuple[int, Truth]]) -> Truth:
    return any_of(_one_interval(scene, row, n, holds) for n, holds in group)


def _one_interval(scene: Scene, row: dict[str, Any], n: int, holds: Truth) -> Truth:
    every = scene.who.medicines[n].every
    ((word, text),) = bounds_of(row).items()
    hours = scene.files.units.to(*amount(text), "h")
    assert hours is not None
    return all_of([holds, _untold(row, "frequency") if every is None else told(not _kept(word, every, hours))])


def _course(scene: Scene, row: dict[str, Any], group: list[tuple[int, Truth]]) -> Truth:
    return any_of(_one_course(scene, row, n, holds) for n, holds in group)


def _one_course(scene: Scene, row: dict[str, Any], n: int, holds: Truth) -> Truth:
    days = scene.who.medicines[n].taken_for(scene.who.day)
    ((word, text),) = bounds_of(row).items()
    return all_of([holds, _untold(row, "days") if days is None else told(not _kept(word, days, amount(text)[0]))])


def _kept(word: str, value: Fraction, bound: Fraction) -> bool:
    return {"at_most": value <= bound, "under": value < bound, "at_least": value >= bound, "above": value > bound}[word]
