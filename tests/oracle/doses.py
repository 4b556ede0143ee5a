"""A dose table, judged: which of its ranges are meant for this patient, what they come to, and whether the dose fits one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from oracle.files import Files, amount, many
from oracle.language import COUNTED, YES, Scene, Truth, all_of, bounds_of, told
from oracle.patients import Medicine, Patient
from oracle.rules import Verdict

_RANK = ["contraindicated", "major", "moderate", "minor"]
_ABOUT_IT = {"indication", "route", "form"}
"""Facts of the medicine: where every range that they leave open says the same, they need no asking."""


class Found(NamedTuple):
    """What a dose is by one range or line: `fits`, `high`, `low`, or `open` for want of facts.

    `times` the most that is taken (0: no most of an amount is exceeded); `in_time`: too much only in that doses come too
    close, `no_amount`: of a range that limits nothing else; `course`: right only for a short course of untold length.
    """

    says: str
    severity: str = ""
    needs: frozenset[str] = frozenset()
    times: Fraction = Fraction(0)
    in_time: bool = False
    no_amount: bool = False
    course: bool = False


@dataclass(frozen=True)
class Bound:
    """A bound for this patient: what it comes to, in its unit, and whether it was reckoned by weight or surface."""

    value: Fraction
    unit: str
    reckoned: bool


def judge(files: Files, table: dict[str, Any], who: Patient) -> Verdict | None:
    """The verdict on all entries of the drug, if there is one: how much is taken in all, and each dose by itself."""
    meant = [
        n for n, m in enumerate(who.medicines) if m.drug == table["drug"] and not m.stopped(who.day) and _sold(files, m) != "otc"
    ]
    if len(meant) != 1:
        return None  # of several entries the table sums up; only one is asked about here
    return Table(files, table, who, meant[0]).verdict()


class Table:
    """One table and one entry of the list."""

    def __init__(self, files: Files, table: dict[str, Any], who: Patient, n: int) -> None:
        self.files, self.table, self.who, self.n = files, table, who, n
        self.scene = Scene(files, who)
        self.told = who.medicines[n]
        self.m = self._swallowed(self.table["ranges"])

    def _swallowed(self, rows: list[dict[str, Any]]) -> Medicine:
        """Where no route is told of something that may be swallowed, it is, if any of these is about a dose by mouth."""
        by_mouth = any("oral" in self._by(row) or not self._by(row) for row in rows)
        asked = self.told.route is None and "oral" in self.scene.routes_of(self.told)
        return replace(self.told, route="oral") if asked and by_mouth else self.told

    def _by(self, row: dict[str, Any]) -> list[str]:
        return many(row.get("route", self.table.get("route")))

    def verdict(self) -> Verdict:
        """What the table comes to."""
        entries = frozenset({self.n})
        if all(self._way(r).holds is False for r in self.table["ranges"]):
            return Verdict("not_applicable", entries)
        adjust = self.table.get("adjust", [])
        way = self._swallowed(adjust)
        lines = [(a, all_of([self._way(a, way), self._whom(a)])) for a in adjust]
        lowered = any(t.holds is True for _, t in lines)
        meant = [(r, all_of([self._way(r), self._whom(r)])) for r in self.table["ranges"]]
        meant = [(r, t) for r, t in meant if t.holds is not False]
        meant = [(r, t) for r, t in meant if self._counts_so(r)] or meant
        ranges = self._together([(self._held(r, least=not lowered), t) for r, t in meant])
        whole = self._lowered(ranges, [(self._held(a), t, self._counts_so(a)) for a, t in lines if t.holds is not False])
        says = {"fits": "satisfied", "open": "unknown"}.get(whole.says, whole.says)
        return Verdict(says, entries, whole.severity, whole.needs)

    def _together(self, each: list[tuple[Found, Truth]]) -> Found | None:
        """What alternatives come to: those that hold decide, unless the dose may be right by one that only may hold."""
        sure = [f for f, t in each if t.holds is True]
        may = [(f, t) for f, t in each if t.holds is None]
        if sure:
            held = self._alternatives(sure)
            doubt = [(f, t) for f, t in may if f.says in ("fits", "open")]
            if held.says == "fits" or not doubt:
                return held
            return Found("open", needs=held.needs.union(*(f.needs | t.needs for f, t in doubt)))
        if not may:
            return None
        if len({f.says for f, _ in may}) > 1 or may[0][0].says == "open":
            return Found("open", needs=frozenset().union(*(f.needs | t.needs for f, t in may)))
        if may[0][0].says == "high":
            return _most_generous([f for f, _ in may])
        common = frozenset.intersection(*(t.needs for _, t in may)) - _ABOUT_IT  # without it there may be no range at all
        return Found("open", needs=common) if common else may[0][0]

    def _alternatives(self, each: list[Found]) -> Found:
        """What regimens that all hold come to: one that fits is enough."""
        right, wrong = [f for f in each if f.says == "fits"], [f for f in each if f.says in ("high", "low")]
        if right:
            only_for_days = all(f.course for f in right) and bool(wrong)
            return Found("open", needs=frozenset({"days"})) if only_for_days else right[0]
        untold = [f for f in each if f.says == "open"]
        if untold:
            return Found("open", needs=frozenset().union(*(f.needs for f in untold)))
        low, high = [f for f in wrong if f.says == "low"], [f for f in wrong if f.says == "high"]
        if low and all(f.in_time for f in high):
            return low[0]  # too little of a daily regimen is no weekly one taken daily
        return _most_generous(high)

    def _lowered(self, ranges: Found | None, lines: list[tuple[Found, Truth, bool]]) -> Found:
        """The same, with the lines that lower the most: of those that hold each one, of those that may what they would say."""
        sure = [f for f, t, _ in lines if t.holds is True]
        may = [(f, t, counts) for f, t, counts in lines if t.holds is None]
        high = [f for f in (ranges, *sure) if f is not None and f.says == "high"]
        if high:
            return Found("high", min((f.severity for f in high), key=_rank))
        needs: set[str] = set()
        for f in (ranges, *sure):
            needs |= f.needs if f is not None and f.says == "open" else set()
        for f, t, counts in may:
            if f.says == "high" or (f.says == "open" and counts):
                needs |= t.needs | f.needs
        if ranges is not None and ranges.says == "low" and any(f.says != "low" for f, _, _ in may):
            needs |= frozenset().union(*(t.needs | f.needs for f, t, _ in may))  # then another least may count
        if needs:
            return Found("open", needs=frozenset(needs))
        if ranges is None:
            return Found("open", needs=frozenset({"dose_range"}))
        return next((f for f in sure if f.says == "low"), ranges)

    def _counts_so(self, row: dict[str, Any]) -> bool:
        """Whether the dose is told in what a range counts."""
        if self.m.single is None:
            return True
        units = [amount(t)[1].split("/")[0] for part in ("single", "day") for t in bounds_of(row.get(part, {})).values()]
        return all(self.files.units.to(Fraction(1), self.m.single[1], unit) is not None for unit in units)

    # --- for whom ------------------------------------------------------------------------------------------------------

    def _way(self, row: dict[str, Any], m: Medicine | None = None) -> Truth:
        """Whether a range is about this route and form."""
        route, form = row.get("route", self.table.get("route")), row.get("form", self.table.get("form"))
        m = m or self.m
        parts = [YES if route is None else self.scene.by_route(m, many(route))]
        return all_of([*parts, YES if form is None else self.scene.in_form(m, many(form))])

    def _whom(self, row: dict[str, Any]) -> Truth:
        """Whether a range is meant for this patient and this purpose."""
        return all_of([self.scene.lines(row.get("who", [])), self._purpose(row)])

    def _purpose(self, row: dict[str, Any]) -> Truth:
        if "for" not in row:
            return YES
        wanted = set(many(row["for"]))
        if self.m.purpose is not None:
            return told(bool(wanted & self.files.kinds_of(self.m.purpose)))
        every = {c for r in [*self.table["ranges"], *self.table.get("adjust", [])] for c in many(r.get("for"))}
        listed = {
            k
            for p in (*(self.who.problems or ()), *(self.who.reasons if self.who.problems is not None else ()))
            if p.status != "past" or self.files.never_ends(p.condition)
            for k in self.files.kinds_of(p.condition)
        }
        if every & listed:
            return told(bool(wanted & listed))
        return Truth(None, frozenset({"indication"}))

    # --- how much ------------------------------------------------------------------------------------------------------

    def _held(self, row: dict[str, Any], *, least: bool = True) -> Found:
        """What the dose is by one range or line alone; without its `least` only whether it is too much."""
        severity = row.get("severity", self.table.get("severity", "moderate"))
        over: dict[str, Fraction] = {}
        low, needs, course = False, set(), False
        for part, mine, untold in self._amounts(in_a_row=row.get("in_a_row") == "yes"):
            limits = row.get(part, {})
            most, few = ("at_least", "at_most") if part == "interval" else ("at_most", "at_least")
            beyond = self._beyond(limits, part, mine, untold, most)
            if beyond is True:
                over[part] = self._times_the_most(limits, part, mine)
            below = self._beyond(limits, part, mine, untold, few) if least else False
            low = low or below is True
            for found in (beyond, below):
                needs |= found if isinstance(found, frozenset) else set()
        if "days" in needs:
            needs, course = needs - {"days"}, not row.get("in_a_row")
        if over:
            far = any(times >= 3 for times in over.values())
            return Found(
                "high", min(severity, "major", key=_rank) if far else severity, times=max(over.values()),
                in_time=set(over) == {"interval"}, no_amount=set(over) == {"interval"} and not {"single", "day"} & set(row),
            )  # fmt: skip
        if low:
            return Found("low", self.table.get("too_low", "minor"))
        return Found("open", needs=frozenset(needs)) if needs else Found("fits", course=course)

    def _times_the_most(self, limits: dict[str, Any], part: str, mine: tuple[Fraction, str] | None) -> Fraction:
        """How many times the most is taken, at the least."""
        taken, bound = self._least(part, mine), self._bound(limits, "at_most") if "at_most" in limits else frozenset()
        if part not in ("single", "day") or taken is None:
            return Fraction(0)
        most, unit = (bound.value, bound.unit) if isinstance(bound, Bound) else amount(limits["cap"])
        own = self.files.units.to(*taken, unit)
        assert own is not None
        return own / most if most else Fraction(0)

    def _amounts(self, *, in_a_row: bool) -> list[tuple[str, tuple[Fraction, str] | None, frozenset[str]]]:
        m = self.m
        dose = frozenset({"dose"} if m.single is None else ())
        often = frozenset({"frequency"} if m.every is None else ())
        days = m.days if in_a_row else m.taken_for(self.who.day)  # since when it is taken tells no cycle
        return [
            ("single", m.single, dose),
            ("day", m.in_24h, dose | often),
            ("interval", None if m.every is None else (m.every, "h"), often),
            ("days", None if days is None else (days, "d"), frozenset({"days"})),
        ]

    def _beyond(
        self,
        limits: dict[str, Any],
        part: str,
        mine: tuple[Fraction, str] | None,
        missing: frozenset[str],
        word: str,
    ) -> bool | frozenset[str]:
        """Whether an amount lies beyond a bound of this kind; or what is missing to say so."""
        if word not in bounds_of(limits):
            return False
        bound = self._bound(limits, word)
        if isinstance(bound, frozenset) and "cap" in limits and word == "at_most":
            most, its = amount(limits["cap"])
            least = self._least(part, mine)
            own = least and self.files.units.to(*least, its)
            if own is not None and own > most:
                return True
            return bound | missing | (self._unlike(least, its) if least else frozenset())
        if isinstance(bound, frozenset):
            unit = amount(limits[word])[1].split("/")[0]
            return bound | missing | (frozenset() if mine is None else self._unlike(mine, unit))
        if mine is None:
            least = self._least(part, mine) if word == "at_most" else None
            own = least and self.files.units.to(*least, bound.unit)
            if own is not None and own > bound.value * (1 + self.files.rounding * bound.reckoned):
                return True
            return missing | (self._unlike(self.m.single, bound.unit) if part == "day" and self.m.single else frozenset())
        own = self.files.units.to(*mine, bound.unit)
        if own is None:
            return self._unlike(mine, bound.unit)
        room = 1 + self.files.rounding if bound.reckoned and word == "at_most" else Fraction(1)
        return own > bound.value * room if word == "at_most" else own < bound.value

    def _unlike(self, mine: tuple[Fraction, str], unit: str) -> frozenset[str]:
        """What is missing where a dose is told in what a bound does not count: how much one puff holds, or another unit."""
        if self.files.units.to(*mine, unit) is not None:
            return frozenset()
        return frozenset({"strength" if mine[1] in COUNTED and unit not in COUNTED else "unit"})

    def _least(self, part: str, mine: tuple[Fraction, str] | None) -> tuple[Fraction, str] | None:
        """What is taken at the least: in a day, one dose."""
        return self.m.single if mine is None and part == "day" else mine

    def _bound(self, limits: dict[str, Any], word: str) -> Bound | frozenset[str]:
        value, unit = amount(limits[word])
        reckoned = unit.endswith(("/kg", "/m2"))
        if unit.endswith("/kg"):
            if self.who.weight is None:
                return frozenset({"weight"})
            kilos = self.files.units.to(*self.who.weight, "kg")
            assert kilos is not None
            value, unit = value * kilos, unit.removesuffix("/kg")
        elif unit.endswith("/m2"):
            if self.who.weight is None or self.who.height is None:
                return frozenset(n for n in ("weight", "height") if getattr(self.who, n) is None)
            kilos, centimetres = self.files.units.to(*self.who.weight, "kg"), self.files.units.to(*self.who.height, "cm")
            assert kilos is not None
            assert centimetres is not None
            value, unit = value * Fraction((float(kilos) * float(centimetres) / 3600) ** 0.5), unit.removesuffix("/m2")
        if word == "at_most" and "cap" in limits and reckoned:
            most, its = amount(limits["cap"])
            cap = self.files.units.to(most, its, unit)
            if cap is not None and cap < value:
                return Bound(cap, unit, False)
        return Bound(value, unit, reckoned)


def _sold(files: Files, m: Medicine) -> str:
    return m.supply or str(files.drugs[m.drug]["supply"])


def _most_generous(high: list[Found]) -> Found:
    """Of those that say "too much", the one whose most is exceeded the fewest times; a bare time between doses comes last."""
    return min(high, key=lambda f: (f.no_amount, f.times))


def _rank(severity: str) -> int:
    return _RANK.index(severity) if severity in _RANK else len(_RANK)
