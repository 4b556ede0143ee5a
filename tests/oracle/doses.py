"""A dose table, judged: which of its ranges are meant for this patient, what they come to, and whether the dose fits one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

from oracle.files import Files, amount, many
from oracle.language import YES, Scene, Truth, all_of, bounds_of, told
from oracle.patients import Medicine, Patient
from oracle.rules import Verdict

_RANK = ["contraindicated", "major", "moderate", "minor"]


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
        self.m = self._swallowed(who.medicines[n])

    def _swallowed(self, m: Medicine) -> Medicine:
        """Where no route is told of something that may be swallowed, it is."""
        return replace(m, route="oral") if m.route is None and "oral" in self.files.drugs[m.drug]["routes"] else m

    def verdict(self) -> Verdict:
        """What the table comes to."""
        entries = frozenset({self.n})
        ways = [r for r in self.table["ranges"] if self._way(r).holds is not False]
        if not ways:
            return Verdict("not_applicable", entries)
        meant = [(r, all_of([self._way(r), self._whom(r)])) for r in ways]
        if all(t.holds is False for _, t in meant):
            says, severity, needs = self._nowhere()
            return Verdict(says, entries, severity, needs)
        comparable = [(r, t) for r, t in meant if t.holds is not False and self._counts_so(r)]
        if comparable:  # what is counted in puffs is not measured against milligrams where another range is
            meant = comparable
        sure = [r for r, t in meant if t.holds is True]
        open_ = [(r, t) for r, t in meant if t.holds is None]
        if sure:
            says, severity, needs = self._among(sure)
            if says == "satisfied" or not open_:
                return Verdict(says, entries, severity, needs)
            answers = [(says, severity, needs), *(self._among([r]) for r, _ in open_)]
        else:
            answers = [self._among([r]) for r, _ in open_]
            doubtful = all(self.scene.lines(r.get("who", [])).holds is None for r, _ in open_)
            if doubtful and {a[0] for a in answers} != {"high"}:
                answers.append(self._nowhere())
        if len({a[0] for a in answers}) == 1 and answers[0][0] != "unknown":
            return Verdict(
                answers[0][0], entries, max((a[1] for a in answers), key=_rank), frozenset().union(*(a[2] for a in answers))
            )
        needs = frozenset().union(*(t.needs for _, t in open_), *(a[2] for a in answers))
        return Verdict("unknown", entries, "", needs - {"dose_range"} if open_ else needs)

    def _nowhere(self) -> tuple[str, str, frozenset[str]]:
        """The verdict for somebody whom no range is meant for: what an adjustment forbids is forbidden them, too."""
        says, severity, needs = self._against({"day": {}, "nowhere": True})
        if says in ("high", "unknown"):
            return says, severity, needs
        return "unknown", "", frozenset({"dose_range"})

    def _counts_so(self, row: dict[str, Any]) -> bool:
        """Whether the dose is told in what a range counts."""
        if self.m.single is None:
            return True
        units = [amount(t)[1].split("/")[0] for part in ("single", "day") for t in bounds_of(row.get(part, {})).values()]
        return all(self.files.units.to(Fraction(1), self.m.single[1], unit) is not None for unit in units)

    # --- for whom ------------------------------------------------------------------------------------------------------

    def _way(self, row: dict[str, Any]) -> Truth:
        """Whether a range is about this route and form."""
        route, form = row.get("route", self.table.get("route")), row.get("form", self.table.get("form"))
        parts = [YES if route is None else self.scene.by_route(self.m, many(route))]
        return all_of([*parts, YES if form is None else self.scene.in_form(self.m, many(form))])

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
            for p in self.who.problems or ()
            if p.status != "past" or self.files.never_ends(p.condition)
            for k in self.files.kinds_of(p.condition)
        }
        if every & listed:
            return told(bool(wanted & listed))
        return Truth(None, frozenset({"indication"}))

    # --- how much ------------------------------------------------------------------------------------------------------

    def _among(self, rows: list[dict[str, Any]]) -> tuple[str, str, frozenset[str]]:
        """The verdict where all of these ranges hold: right if it fits one."""
        each = [self._against(row) for row in rows]
        right = [a for a in each if a[0] == "satisfied"]
        if any(not a[2] for a in right):
            return "satisfied", "", frozenset()
        wrong = [a for a in each if a[0] in ("high", "low")]
        open_ = [a for a in each if a[0] == "unknown"]
        if right and not wrong and not open_:
            return "satisfied", "", frozenset()  # for how long it is taken is not told; no other range says that it matters
        if right or open_:
            return "unknown", "", frozenset().union(*(a[2] for a in [*right, *open_]))
        ways = {a[0] for a in wrong}
        of = [a for a in wrong if a[0] == "high"] if len(ways) > 1 else wrong
        return of[0][0], max((a[1] for a in of), key=_rank), frozenset()

    def _against(self, row: dict[str, Any]) -> tuple[str, str, frozenset[str]]:
        """The verdict by one range, in every way in which the adjustments may hold."""
        lines = [(a, all_of([self._way(a), self._whom(a)])) for a in self.table.get("adjust", [])]
        lines = [(a, t) for a, t in lines if t.holds is not False]
        doubtful = [(a, t) for a, t in lines if t.holds is None]
        sure = [a for a, t in lines if t.holds is True]
        answers = []
        for chosen in product([False, True], repeat=len(doubtful)):
            adjust = sure + [a for (a, _), on in zip(doubtful, chosen, strict=True) if on]
            answers.append(self._fits(row, adjust))
        if len({a[0] for a in answers}) == 1:
            return answers[0][0], max((a[1] for a in answers), key=_rank), frozenset().union(*(a[2] for a in answers))
        return "unknown", "", frozenset().union(*(t.needs for _, t in doubtful), *(a[2] for a in answers))

    def _fits(self, row: dict[str, Any], adjust: list[dict[str, Any]]) -> tuple[str, str, frozenset[str]]:
        high, low, needs = [], [], set()
        loud = row.get("severity", self.table.get("severity", "moderate"))
        for part, mine, untold in self._amounts():
            missing = frozenset() if part == "days" and row.get("in_a_row") else untold
            for held in [row, *adjust]:
                found = self._beyond(held.get(part, {}), part, mine, missing, "at_most" if part != "interval" else "at_least")
                if isinstance(found, frozenset):
                    needs |= found
                elif found:
                    own = held.get("severity", loud)
                    far = (
                        part in ("single", "day") and self._beyond(held.get(part, {}), part, mine, missing, "at_most", 3) is True
                    )
                    high.append(min(own, "major", key=_rank) if far else own)
            least = [a for a in adjust if part in a] or ([] if adjust else [row])
            for held in least:
                found = self._beyond(held.get(part, {}), part, mine, missing, "at_least" if part != "interval" else "at_most")
                if isinstance(found, frozenset):
                    needs |= found
                elif found:
                    low.append(self.table.get("too_low", "minor"))
        if high:
            return "high", min(high, key=_rank), frozenset()
        if needs - {"days"}:
            return "unknown", "", frozenset(needs)
        if needs and not low:
            return "satisfied", "", frozenset(needs)
        return ("low", min(low, key=_rank), frozenset()) if low else ("satisfied", "", frozenset())

    def _amounts(self) -> list[tuple[str, tuple[Fraction, str] | None, frozenset[str]]]:
        m = self.m
        dose = frozenset({"dose"} if m.single is None else ())
        often = frozenset({"frequency"} if m.every is None else ())
        return [
            ("single", m.single, dose),
            ("day", m.in_24h, dose | often),
            ("interval", None if m.every is None else (m.every, "h"), often),
            ("days", None if m.days is None else (m.days, "d"), frozenset({"days"})),
        ]

    def _beyond(
        self,
        limits: dict[str, Any],
        part: str,
        mine: tuple[Fraction, str] | None,
        missing: frozenset[str],
        word: str,
        times: int = 1,
    ) -> bool | frozenset[str]:
        """Whether an amount lies beyond a bound of this kind; or what is missing to say so."""
        if word not in bounds_of(limits):
            return False
        bound = self._bound(limits, word)
        if isinstance(bound, frozenset) and "cap" in limits and word == "at_most":
            most, its = amount(limits["cap"])
            least = self._least(part, mine)
            own = least and self.files.units.to(*least, its)
            return True if own is not None and (own > most if times == 1 else own >= most * times) else bound | missing
        if isinstance(bound, frozenset):
            return bound | missing
        if mine is None:
            least = self._least(part, mine) if word == "at_most" else None
            own = least and self.files.units.to(*least, bound.unit)
            return True if own is not None and own > bound.value * (1 + self.files.rounding * bound.reckoned) * times else missing
        own = self.files.units.to(*mine, bound.unit)
        if own is None:
            return frozenset({"unit"})
        if times > 1:
            return own >= bound.value * times
        room = 1 + self.files.rounding if bound.reckoned and word == "at_most" else Fraction(1)
        return own > bound.value * room if word == "at_most" else own < bound.value

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


def _rank(severity: str) -> int:
    return _RANK.index(severity) if severity in _RANK else len(_RANK)
