"""The lines of a condition, said by one plain function each: true, false, or not known and what would settle it.

Written from the table "What a condition may say" of `kb/README.md`; slow on purpose, nothing is prepared or remembered."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from fractions import Fraction
from typing import Any, NamedTuple

from oracle.files import Files, Line, amount, many
from oracle.patients import Medicine, Patient, Problem, Result, often

Bounds = dict[str, str]


COUNTED = {"puff", "spray", "drop", "patch", "application"}
"""What may be counted instead of weighed."""
_INJECTED = {"intravenous", "intramuscular", "subcutaneous", "intradermal", "intra-arterial", "intra-articular", "epidural"}
"""What `parenteral` covers, and what somebody may mean who says no more than that."""
_A_DAY = 24
_ONCE_A_DAY_AT_MOST = {"vaginal", "intrauterine", "implant", "intrathecal", "transdermal"}
"""What is weighed and given several times a day goes in by none of these."""
_BY_WHAT_IS_COUNTED = {
    "puff": {"inhaled", "nasal", "oral"}, "spray": {"nasal", "sublingual", "topical", "inhaled", "oral"},
    "drop": {"ophthalmic", "otic", "nasal", "oral", "topical"}, "patch": {"transdermal", "topical"},
}  # fmt: skip
"""How something can be taken of which so many are."""


class Truth(NamedTuple):
    """True, false, or None with the facts that would settle it."""

    holds: bool | None
    needs: frozenset[str] = frozenset()


YES, NO = Truth(True), Truth(False)


def open_(*needs: str) -> Truth:
    """Not known for want of these."""
    return Truth(None, frozenset(needs))


def told(holds: bool) -> Truth:
    """Known."""
    return YES if holds else NO


def all_of(parts: Iterable[Truth]) -> Truth:
    """False where one is; else open where one is; else true."""
    each = list(parts)
    if any(p.holds is False for p in each):
        return NO
    needs = [p.needs for p in each if p.holds is None]
    return Truth(None, frozenset().union(*needs)) if needs else YES


def any_of(parts: Iterable[Truth]) -> Truth:
    """True where one is; else open where one is; else false."""
    return not_(all_of(not_(p) for p in parts))


def not_(part: Truth) -> Truth:
    """The opposite; what is open stays open."""
    return part if part.holds is None else told(not part.holds)


def within(value: Fraction, bounds: Iterable[tuple[str, Fraction]]) -> bool:
    """Whether a number is inside: `at_least` and `at_most` take the number in, `under` and `above` do not."""
    says = {
        "at_least": lambda v, b: v >= b, "at_most": lambda v, b: v <= b,
        "under": lambda v, b: v < b, "above": lambda v, b: v > b,
    }  # fmt: skip
    return all(says[word](value, bound) for word, bound in bounds)


def bounds_of(line: dict[str, Any]) -> Bounds:
    """The comparators of a line."""
    return {word: line[word] for word in ("at_least", "at_most", "under", "above") if word in line}


class Scene:
    """One patient on one day, with the medicines that a rule has named."""

    def __init__(self, files: Files, who: Patient, named: dict[str, int] | None = None) -> None:
        self.files, self.who, self.named = files, who, named or {}
        self._inferring = False

    def line(self, line: Line) -> Truth:
        """One line of a condition."""
        ((key, value),) = line.items()
        if key == "any":
            return any_of(self.line(one) for one in value)
        if key == "all":
            return all_of(self.line(one) for one in value)
        if key == "not":
            return not_(self.line(value))
        found: Truth = getattr(self, f"_{key}")(value)
        rule = value.get("if_missing") if isinstance(value, dict) else None
        if rule is not None and found.holds is None:
            return told(rule["treat_as"] == "yes")
        return found

    def lines(self, lines: Iterable[Line]) -> Truth:
        """All of some lines."""
        return all_of(self.line(line) for line in lines)

    # --- numbers -------------------------------------------------------------------------------------------------------

    def _inside(self, value: Fraction, unit: str, bounds: Bounds) -> bool | None:
        """Whether an amount is inside; None where its unit says nothing about the bounds'."""
        held = []
        for word, text in bounds.items():
            number, its = amount(text)
            own = self.files.units.to(value, unit, its)
            if own is None:
                return None
            held.append((word, own, number))
        return all(within(own, [(word, number)]) for word, own, number in held)

    def _days(self, text: str) -> Fraction:
        days = self.files.units.to(*amount(text), "d")
        assert days is not None
        return days

    def lately(self, on: date, text: str) -> bool:
        """Whether a day lies no longer ago than so many days."""
        return (self.who.day - on).days <= self._days(text)

    # --- who it is -----------------------------------------------------------------------------------------------------

    def _age(self, line: dict[str, Any]) -> Truth:
        return self._number(self.who.age, "age", line)

    def _weight(self, line: dict[str, Any]) -> Truth:
        return self._number(self.who.weight, "weight", line)

    def _number(self, value: tuple[Fraction, str] | None, name: str, line: dict[str, Any]) -> Truth:
        if value is None:
            return open_(name)
        inside = self._inside(*value, bounds_of(line))
        assert inside is not None
        return told(inside)

    def _sex(self, line: Any) -> Truth:
        wanted = line["is"] if isinstance(line, dict) else line
        return open_("sex") if self.who.sex is None else told(self.who.sex == wanted)

    def _pregnancy(self, line: Any) -> Truth:
        if not isinstance(line, dict):
            line = {"is": line}
        present = self._expecting()
        if "is" in line:
            return present if line["is"] == "yes" else not_(present)
        if present.holds is not True:
            return present
        return self._how_far(line)

    def _how_far(self, line: dict[str, Any]) -> Truth:
        """Of a pregnancy that is: the weeks lie in these trimesters, or in these bounds."""
        spans = {number: [(w, amount(t)[0]) for w, t in row.items()] for number, row in self.files.trimesters.items()}
        if "trimester" in line:
            wanted = many(line["trimester"])
            if self.who.weeks is not None:
                return told(any(within(self.who.weeks, spans[t]) for t in wanted))
            return open_("pregnancy") if self.who.trimester is None else told(str(self.who.trimester) in wanted)
        bounds = [(w, Fraction(t)) for w, t in line["weeks"].items()]
        if self.who.weeks is not None:
            return told(within(self.who.weeks, bounds))
        if self.who.trimester is None:
            return open_("pregnancy")
        first = int(min(b for w, b in spans[str(self.who.trimester)] if w == "at_least"))
        last = next(int(b) - (w == "under") for w, b in spans[str(self.who.trimester)] if w != "at_least")
        seen = {within(Fraction(week), bounds) for week in range(first, last + 1)}
        return told(seen.pop()) if len(seen) == 1 else open_("pregnancy")

    def _expecting(self) -> Truth:
        return self._state("pregnancy", self.who.pregnant if self.who.weeks is None and self.who.trimester is None else True)

    def _breastfeeding(self, line: Any) -> Truth:
        wanted = line["is"] if isinstance(line, dict) else line
        found = self._state("breastfeeding", self.who.breastfeeding)
        return found if wanted == "yes" else not_(found)

    def _state(self, name: str, said: bool | None) -> Truth:
        """As told; else as a problem on the list tells; else as it follows. Where what was told and the list differ: open."""
        listed = any(
            self._now(p).holds and self.files.conditions[p.condition].get("implies", {}).get(name) == "yes"
            for p in self.who.problems or ()
        )
        if said is not None:
            return open_(name) if listed and not said else told(said)
        if listed:
            return YES
        for rule in self.files.inferences:
            if name in rule["then"] and self.lines(rule["when"]).holds is True:
                return told(rule["then"][name] == "yes")
        return open_(name)

    # --- problems ------------------------------------------------------------------------------------------------------

    def _has(self, line: Any) -> Truth:
        line = line if isinstance(line, dict) else {"any_of": [line]}
        wanted = set(many(line["any_of"]))
        found = [self._problem(p, wanted, line) for p in (*(self.who.problems or ()), *self.who.reasons)]
        if line.get("family") == "yes" and self.who.problems is not None:
            found += [YES for c in self.who.family if wanted & self.files.kinds_of(c)]
        if "within" not in line and any(wanted & self.files.kinds_of(c) for c in self._following()):
            return YES
        if self.who.problems is None:
            found.append(open_("conditions"))
        return any_of(found)

    def _problem(self, problem: Problem, wanted: set[str], line: dict[str, Any]) -> Truth:
        """One problem of the list against those that are wanted."""
        fact = self.files.conditions[problem.condition]
        if self._outgrown(problem):
            return told(problem.condition in wanted and line.get("ever") == "yes")
        left = {kind for c in many(fact.get("leaves")) for kind in self.files.kinds_of(c)}
        if "within" not in line and wanted & left:
            return YES
        if not wanted & self.files.kinds_of(problem.condition):
            return NO
        if "within" in line:
            return open_("onset") if problem.onset is None else told(self.lately(problem.onset, line["within"]))
        if line.get("ever") == "yes":
            return YES
        return self._now(problem)

    def _now(self, problem: Problem) -> Truth:
        """Whether it is there now: what is told in fields is, unless its status says that it is past."""
        return told(problem.status != "past" or self.files.never_ends(problem.condition))

    def _outgrown(self, problem: Problem) -> bool:
        """Whether it is over, and tells nothing of what it is a kind of: who has it no more is told so, or older than that."""
        until, age = self.files.conditions[problem.condition].get("outgrown"), self.who.age
        if until is None:
            return False
        years = None if age is None else self.files.units.to(*age, "y")
        return problem.status == "past" or (years is not None and years >= amount(until)[0])

    def _following(self) -> list[str]:
        """The conditions that follow from results, genes, devices and operations."""
        found = self._by_results()
        for gene, state in self.who.genes or ():
            found += many(self.files.genes[gene].get("implies", {}).get(state))
        for device in self.who.devices or ():
            found += [c for d in self.files.kinds_of(device) for c in many(self.files.devices[d].get("implies"))]
        for one in self.who.procedures or ():
            if not one.planned:
                found += [c for p in self.files.kinds_of(one.procedure) for c in many(self.files.procedures[p].get("implies"))]
        return found

    def _by_results(self) -> list[str]:
        """The conditions that results are; asked within such an inference, none."""
        if self._inferring:
            return []
        self._inferring = True
        found = [c for rule in self.files.inferences if (c := rule["then"].get("has")) and self.lines(rule["when"]).holds is True]
        self._inferring = False
        return found

    # --- results -------------------------------------------------------------------------------------------------------

    def results(self, lab: str) -> list[Result]:
        """The results of a test that can be believed, the newest first."""
        mine = [r for r in self.who.labs or () if r.lab == lab and self._plausible(r)]
        return sorted(mine, key=lambda r: r.on or date.min, reverse=True)

    def value(self, result: Result) -> Fraction:
        """A number in the unit of its test."""
        fact = self.files.labs[result.lab]
        assert result.value is not None
        if result.unit is None:
            return result.value
        own = self.files.units.to(result.value, result.unit, fact["unit"])
        if own is not None:
            return own
        row = next(r for r in fact["other_units"] if self.files.units.named(r["unit"]) == self.files.units.named(result.unit))
        return result.value * Fraction(row["factor"]) + Fraction(row.get("offset", "0"))

    def _plausible(self, result: Result) -> bool:
        limits = bounds_of(self.files.labs[result.lab].get("plausible", {}))
        return result.value is None or self._inside(self.value(result), self.files.labs[result.lab]["unit"], limits) is not False

    def _lab(self, line: dict[str, Any]) -> Truth:
        lab = line["test"]
        told_or_reckoned = self._results_or_what_stands_for_them(lab)
        newest = next(iter(told_or_reckoned), None)
        if newest is None:
            return open_(lab)
        if "any_within" in line:
            recent = [r for r in told_or_reckoned if r.on is None or self.lately(r.on, line["any_within"])]
            return any_of(self._says_so(r, line) for r in recent) if recent else open_(lab)
        if "newest_within" in line and (newest.on is None or not self.lately(newest.on, line["newest_within"])):
            return open_(lab)
        return self._says_so(newest, line)

    def _results_or_what_stands_for_them(self, lab: str) -> list[Result]:
        """The results of a test; of an eGFR that nobody told what each creatinine comes to, else a clearance that was told."""
        found = self.results(lab)
        if found or lab != "lab.egfr":
            return found
        unit = self.files.labs[lab]["unit"]
        each = [(self.reckoned_egfr(r), r.on) for r in self.results("lab.creatinine")]
        reckoned = [Result(lab, value, unit, None, on) for value, on in each if value is not None]
        return reckoned or [Result(lab, self.value(r), unit, None, r.on) for r in self.results("lab.creatinine-clearance")]

    def _says_so(self, result: Result, line: dict[str, Any]) -> Truth:
        """Whether one result says what a line asks for."""
        if "is" in line:
            return open_(result.lab) if result.word is None else told(result.word in line["is"])
        if result.value is None:
            return open_(result.lab)
        inside = self._inside(self.value(result), self.files.labs[result.lab]["unit"], bounds_of(line))
        assert inside is not None
        return told(inside)

    def _measured(self, line: dict[str, Any]) -> Truth:
        seen = [self._fresh(r, line) for lab in many(line["any_of"]) for r in self.who.labs or () if r.lab == lab]
        done = any_of(seen)
        if done.holds is not True and self.who.labs is None:
            return open_(many(line["any_of"])[0])
        return done

    def _fresh(self, result: Result, line: dict[str, Any]) -> Truth:
        if result.on is None:
            return open_(result.lab)
        if not self.lately(result.on, line["within"]) or not self._plausible(result):
            return NO
        return told(not self._alarming(result))

    def _alarming(self, result: Result) -> bool:
        """Critical, so that it is to be measured again; of which age is not told, by whatever row may be meant."""
        if result.value is None:
            return False
        rows = [r for r in self.files.labs[result.lab].get("ranges", []) if r["kind"] in ("critical", "toxic")]
        meant = [(self._row_for(row), self._beyond(result, row)) for row in rows]
        sure = [beyond for holds, beyond in meant if holds is True]
        may = [beyond for holds, beyond in meant if holds is None]
        return any(sure) if sure else bool(may) and all(may)

    def _row_for(self, row: dict[str, Any]) -> bool | None:
        if "fasting" in row.get("who", {}):
            return None
        return self.lines([{key: value} for key, value in row.get("who", {}).items()]).holds

    def _beyond(self, result: Result, row: dict[str, Any]) -> bool:
        return self._inside(self.value(result), self.files.labs[result.lab]["unit"], bounds_of(row)) is False

    def _change(self, line: dict[str, Any]) -> Truth:
        lab = line["test"]
        results = [r for r in self.results(lab) if r.value is not None and r.on is not None]
        if len(results) < 2:
            return open_(lab)
        newest = results[0]
        if newest.on is None or not self.lately(newest.on, line["newest_within"]):
            return NO  # what moved long ago is no change of now
        begun = None
        if "after" in line:
            begun = self.who.medicines[self.named[line["after"]]].since
            if begun is not None and newest.on is not None and newest.on < begun:
                return NO
        span = timedelta(days=float(self._days(line["within"])))
        earlier = [r for r in results[1:] if r.on and newest.on and newest.on - span <= r.on < newest.on]
        way = "rises" if "rises" in line else "falls"
        return told(any(self._moved(newest, one, way, line[way]) for one in earlier))

    def _moved(self, newest: Result, one: Result, way: str, much: dict[str, str]) -> bool:
        low, high = (self.value(one), self.value(newest)) if way == "rises" else (self.value(newest), self.value(one))
        was = self.value(one)
        if "by" in much:
            by = self.files.units.to(*amount(much["by"]), self.files.labs[one.lab]["unit"])
            return by is not None and high - low >= by
        if "times" in much:
            return high >= low * Fraction(much["times"])
        return high > low and (high - low) * 100 >= was * Fraction(much["percent"])

    def _kidney(self, line: dict[str, Any]) -> Truth:
        bounds = bounds_of(line)
        clearance = self.clearance()
        if isinstance(clearance, Fraction):
            inside = self._inside(clearance, "mL/min", bounds)
            assert inside is not None
            return told(inside)
        needs, ranges = clearance
        for row in ranges:
            if (settled := _span_against(row, bounds)) is not None:
                return told(settled)
        return Truth(None, needs)

    def clearance(self) -> Fraction | tuple[frozenset[str], list[Bounds]]:
        """As told; else by Cockcroft and Gault; else the eGFR; else what is missing, and what problems and age leave open.

        A problem that says only "less than" comes before them all.
        """
        stages = self._stages()
        if stages and not {"at_least", "above"} & set(stages[0]):
            return frozenset({"labs"}), stages[:1]
        told_, creatinine, egfr = (
            next(iter(self.results(f"lab.{x}")), None) for x in ("creatinine-clearance", "creatinine", "egfr")
        )
        if told_ is not None:
            return self.value(told_)
        who = self.who
        years = self.files.units.to(*who.age, "y") if who.age else None
        if creatinine is not None and years is not None and years >= 18 and who.sex and who.weight:
            found = (140 - years) * self._counted_weight() / (72 * self.value(creatinine))
            return found * Fraction("0.85") if who.sex == "female" else found
        if creatinine is not None and years is not None and 1 <= years < 18 and who.height:
            tall = self.files.units.to(*who.height, "cm")
            assert tall is not None
            return Fraction("0.413") * tall / self.value(creatinine)
        if egfr is not None:
            return self.value(egfr)
        if (reckoned := self.reckoned_egfr()) is not None:
            return reckoned
        ranges = stages[:1]
        if creatinine is None and not ranges:
            ranges = [
                r["then"]["kidney"]
                for r in self.files.inferences
                if "kidney" in r["then"] and who.problems is not None and self.lines(r["when"]).holds is True
            ]
        if creatinine is None:
            return frozenset({"lab.creatinine"}), ranges
        wanted = ("age", "sex", "weight") if years is None or years >= 18 else ("height",) if years >= 1 else ()
        return frozenset(n for n in wanted if getattr(who, n) is None) or frozenset({"labs"}), ranges

    def _stages(self) -> list[Bounds]:
        """What each problem on the list says of the clearance, the lowest first."""
        found = []
        for problem in self.who.problems or ():
            implied = self.files.conditions[problem.condition].get("implies", {}).get("kidney")
            if implied and self._now(problem).holds is True:
                found.append(implied)
        top = [next((amount(b[w])[0] for w in ("under", "at_most") if w in b), Fraction(1000)) for b in found]
        return [b for _, _, b in sorted(zip(top, range(len(found)), found, strict=True))]

    def _counted_weight(self) -> Fraction:
        """The weight that a clearance is reckoned with: by the body mass index where a height is told, else as it is."""
        assert self.who.weight is not None
        kilos = self.files.units.to(*self.who.weight, "kg")
        assert kilos is not None
        if self.who.height is None:
            return kilos
        metres = self.files.units.to(*self.who.height, "m")
        assert metres is not None
        ideal = Fraction(50 if self.who.sex == "male" else "45.5") + Fraction("2.3") * (metres / Fraction("0.0254") - 60)
        index = kilos / (metres * metres)
        if index < Fraction("18.5"):
            return kilos
        return min(kilos, ideal) if index < 25 else ideal + Fraction("0.4") * (kilos - ideal)

    def reckoned_egfr(self, of: Result | None = None) -> Fraction | None:
        """The eGFR that a creatinine (the newest) comes to in a grown-up of known age and sex (CKD-EPI 2021)."""
        creatinine = of or next(iter(self.results("lab.creatinine")), None)
        years = self.files.units.to(*self.who.age, "y") if self.who.age else None
        if creatinine is None or years is None or years < 18 or self.who.sex is None:
            return None
        female = self.who.sex == "female"
        part = float(self.value(creatinine)) / (0.7 if female else 0.9)
        found = 142 * min(part, 1) ** (-0.241 if female else -0.302) * max(part, 1) ** -1.2 * 0.9938 ** float(years)
        return Fraction(found * (1.012 if female else 1))

    # --- genes, operations, devices, food, allergies -------------------------------------------------------------------

    def _gene(self, line: dict[str, Any]) -> Truth:
        if self.who.genes is None:
            return open_("genes")
        seen = [state for gene, state in self.who.genes if gene == line["of"]]
        if not seen and self.who.genes:
            return open_(line["of"])  # a result of another gene says nothing of this one
        return told(bool(seen) and seen[0] in line["is"])

    def _procedure(self, line: dict[str, Any]) -> Truth:
        wanted = set(many(line["any_of"]))
        seen = [open_("procedures")] if self.who.procedures is None else []
        for one in (*(self.who.procedures or ()), *self.who.listed):
            if not wanted & self.files.kinds_of(one.procedure):
                continue
            if one.planned:
                seen.append(told(line.get("planned") == "yes"))
            elif "done_within" in line:
                seen.append(open_("procedures") if one.on is None else told(self.lately(one.on, line["done_within"])))
        return any_of(seen)

    def _device(self, line: Any) -> Truth:
        wanted = set(many(line["any_of"] if isinstance(line, dict) else line))
        if self.who.devices is None:
            return open_("devices")
        return told(any(wanted & self.files.kinds_of(d) for d in self.who.devices))

    def _intake(self, line: dict[str, Any]) -> Truth:
        foods = many(line["of"])
        if self.who.intake is None:
            return open_("intake")
        seen = [daily for f, daily in self.who.intake if f in foods]
        if not seen:
            return NO
        if line.get("over_limit") == "yes":
            return self._over_limit(foods[0], seen)
        if "daily" not in line:
            return YES
        return any_of(open_("intake") if d is None else _known(self._inside(*d, line["daily"]), "intake") for d in seen)

    def _over_limit(self, food: str, seen: list[Any]) -> Truth:
        limits = [a for f, a in self.who.limits or () if f == food]
        if not limits:
            return NO
        value, unit = limits[0]
        return any_of(
            open_("intake") if d is None else _known(self._inside(*d, {"above": f"{value} {unit}"}), "intake") for d in seen
        )

    def _allergy(self, line: dict[str, Any]) -> Truth:
        to = line["to"]
        if self.who.allergies is None:
            return open_("allergies")
        of = self.who.medicines[self.named[to]].drug if to in self.named else to
        mine = [a for a in self.who.allergies if self._concerns(a.to, of)]
        if "reaction" not in line:
            return told(bool(mine))
        return any_of(self._graded(a.reaction, many(line["reaction"])) for a in mine)

    def _concerns(self, allergic_to: str, of: str) -> bool:
        """An allergy to the very thing, to its class, or to a member of it."""
        if allergic_to == of:
            return True
        if of.startswith("drug."):
            return allergic_to.startswith("class.") and of in self.files.members(allergic_to)
        if of.startswith("class."):
            return allergic_to.startswith("drug.") and allergic_to in self.files.members(of)
        return False

    def _graded(self, reaction: str | None, wanted: list[str]) -> Truth:
        if reaction is None:
            return open_("reaction")
        grade = next(g for g, words in self.files.grades.items() if reaction in words)
        return told(grade in wanted or (grade == "severe_skin" and "severe" in wanted))

    # --- medicines -----------------------------------------------------------------------------------------------------

    def _drug(self, line: dict[str, Any]) -> Truth:
        if "is" in line:
            return self.fits(self.who.medicines[self.named[line["is"]]], line)
        found = any_of(self.fits(m, line) for m in self.who.medicines)
        if found.holds is False and not self.who.complete and line.get("in") != "plan":
            return open_("medications")
        return found

    def fits(self, m: Medicine, line: dict[str, Any]) -> Truth:
        """Whether a drug line speaks of this entry."""
        parts = [self._identity(m, line), self._taken(m, line)]
        if "except" in line:
            parts.append(told(all(m.drug not in self.files.members(of) for of in many(line["except"]))))
        if "in" in line:
            parts.append(told(m.planned == (line["in"] == "plan")))
        if "route" in line:
            by_route = self.by_route(m, many(line["route"]))
            only = len(self.files.drugs[m.drug]["routes"]) == 1
            nothing_told = "if_missing" in line and ((m.route is None and m.form is None) or only)
            parts.append(told(False) if by_route.holds is None and nothing_told else by_route)
        if "form" in line:
            parts.append(self.in_form(m, many(line["form"])))
        if "supply" in line:
            parts.append(self._supplied(m, line["supply"]))
        if "for" in line:
            parts.append(self._purpose(m, many(line["for"])))
        if "says" in line:
            parts.append(told(self._says(m, many(line["says"]))))
        if "single_dose" in line:
            parts.append(self._dosed(m.single, line["single_dose"], ["dose"]))
        if "daily_dose" in line:
            missing = [n for n, v in (("dose", m.single), ("frequency", m.every)) if v is None]
            parts.append(self._dosed(m.in_24h, line["daily_dose"], missing or ["dose"]))
        return all_of(parts)

    def _identity(self, m: Medicine, line: dict[str, Any]) -> Truth:
        of = [line[key] for key in ("id", "class") if key in line] + many(line.get("any_of"))
        return any_of(self._member(m, one) for one in of) if of else YES

    def _member(self, m: Medicine, of: str) -> Truth:
        ways = []
        for only in self.files.members(of).get(m.drug, []):
            by = YES if only.routes is None else self.by_route(m, list(only.routes))
            ways.append(all_of([by, YES if only.forms is None else self.in_form(m, list(only.forms))]))
        return any_of(ways)

    def _taken(self, m: Medicine, line: dict[str, Any]) -> Truth:
        parts = []
        if m.stopped(self.who.day):
            assert m.until is not None
            parts.append(told("or_stopped_within" in line and self.lately(m.until, line["or_stopped_within"])))
        if "started_within" in line:
            begun = self.who.day if m.planned and m.since is None else m.since
            parts.append(open_("since") if begun is None else told(self.lately(begun, line["started_within"])))
        return all_of(parts)

    def by_route(self, m: Medicine, wanted: list[str]) -> Truth:
        """Whether it goes in by one of these routes; not told: by all of its routes, none, or it is open."""
        if m.route is not None:
            return self._goes_in(m.route, wanted)
        marketed = self.routes_of(m)
        inside = {self._goes_in(route, wanted).holds for route in marketed}
        return open_("route") if len(inside) > 1 or None in inside else told(inside == {True})

    def routes_of(self, m: Medicine) -> list[str]:
        """The routes by which it may be taken, as far as told: by what is bought so, and by what is counted."""
        if m.route is not None:
            return [m.route]
        fact = self.files.drugs[m.drug]
        marketed = fact.get("otc_routes", fact["routes"]) if m.supply == "otc" else fact["routes"]
        counted = _BY_WHAT_IS_COUNTED.get(m.single[1]) if m.single else None
        fits = [route for route in marketed if counted is None or route in counted] or list(marketed)
        weighed = m.single is not None and m.single[1].partition("/")[0] in ("mg", "mcg")
        often = weighed and m.every is not None and m.every < _A_DAY
        return [route for route in fits if not (often and route in _ONCE_A_DAY_AT_MOST)] or fits

    @staticmethod
    def _goes_in(route: str, wanted: list[str]) -> Truth:
        if route == "parenteral" and route not in wanted and set(wanted) & _INJECTED:
            return open_("route")
        return told(route in wanted or (route in _INJECTED and "parenteral" in wanted))

    def in_form(self, m: Medicine, wanted: list[str]) -> Truth:
        """Whether it comes in one of these forms; a tablet may be an extended-release one, a solution an oral one."""
        if m.form is None:
            return open_("form")
        form = self.files.forms.get(m.form, m.form)
        if any(form == w or form.endswith(f" {w}") for w in wanted):
            return YES
        seen = {f"{route} {form}" in wanted for route in self.routes_of(m)}
        return open_("route") if len(seen) > 1 else told(seen.pop())

    def _supplied(self, m: Medicine, wanted: str) -> Truth:
        sold = m.supply or self.files.drugs[m.drug]["supply"]
        return open_("supply") if sold == "both" else told(sold == wanted)

    def _purpose(self, m: Medicine, wanted: list[str]) -> Truth:
        if m.purpose is None:
            return open_("indication")
        return told(bool(set(wanted) & self.files.kinds_of(m.purpose)))

    def _says(self, m: Medicine, phrases: list[str]) -> bool:
        text = " ".join(x for x in (self.files.drugs[m.drug]["name"], m.form, m.route, often(m.every) if m.every else "") if x)
        return any(f" {phrase} " in f" {text.replace('-', ' ')} " for phrase in phrases)

    def _dosed(self, value: tuple[Fraction, str] | None, bounds: Bounds, missing: list[str]) -> Truth:
        if value is None:
            return open_(*missing)
        return _known(self._inside(*value, bounds), "dose")

    def _apart(self, line: dict[str, Any]) -> Truth:
        one, other = (self.who.medicines[self.named[n]] for n in line["of"])
        if one.hour is None or other.hour is None or one.every != 24 or other.every != 24:
            return NO
        gap = abs(one.hour - other.hour)
        hours = self.files.units.to(*amount(line["at_least"]), "h")
        assert hours is not None
        return told(min(gap, 24 - gap) >= hours)

    def _same_ingredient(self, names: list[str]) -> Truth:
        one, other = (self.who.medicines[self.named[n]].drug for n in names)
        return told(one == other)

    def _different_ingredient(self, names: list[str]) -> Truth:
        return not_(self._same_ingredient(names))

    def _burden(self, line: dict[str, Any]) -> Truth:
        least = int(line["at_least"])
        each: dict[str, list[Truth]] = {}
        for m in self.who.medicines:
            each.setdefault(m.drug, []).append(self.fits(m, {"class": line["class"]}))
        states = [any_of(ways) for ways in each.values()]
        sure = sum(s.holds is True for s in states)
        maybe = [s for s in states if s.holds is None]
        if sure >= least:
            return YES
        if sure + len(maybe) >= least:
            return Truth(None, frozenset().union(*(s.needs for s in maybe)))
        return NO if self.who.complete else open_("medications")

    def _daily_equivalent(self, line: dict[str, Any]) -> Truth:
        table = self.files.factors[line["by"]]
        sure, needs = Fraction(0), set()
        for m in self.who.medicines:
            rows = [r for r in table["factors"] if r["drug"] == m.drug and not m.stopped(self.who.day)]
            value = self._counted(m, rows, table)
            if isinstance(value, frozenset):
                needs |= value
            else:
                sure += value
        word, text = next(iter(bounds_of(line).items()))
        if within(sure, [(word, amount(text)[0])]):
            return YES
        return Truth(None, frozenset(needs)) if needs else NO

    def _row_meant(self, m: Medicine, row: dict[str, Any]) -> Truth:
        return all_of([self.by_route(m, many(row["route"])), self.in_form(m, many(row["form"])) if "form" in row else YES])

    def _counted(self, m: Medicine, rows: list[dict[str, Any]], table: dict[str, Any]) -> Fraction | frozenset[str]:
        if not rows:
            return Fraction(0)
        by = [r for r in rows if self._row_meant(m, r).holds is not False]
        if not by:
            return frozenset({"dose"})
        untold = frozenset(n for n, v in (("dose", m.single), ("frequency", m.every)) if v is None)
        if any(self._row_meant(m, r).holds is None for r in by):
            return untold | {"route"}
        if m.in_24h is None:
            return untold
        for row in by:
            a_day = self.files.units.to(m.in_24h[0], m.in_24h[1], amount(row["per"])[1].split("/")[0])
            if a_day is None or not row["per"].endswith("/d"):
                return frozenset({"strength" if m.in_24h[1] in COUNTED else "dose"})
            if "daily" in row and not self._inside(a_day, "mg", {w: t.removesuffix("/d") for w, t in row["daily"].items()}):
                continue
            if "equivalent" in row:
                return a_day * amount(table["reference"]["dose"])[0] / amount(row["equivalent"])[0]
            return a_day / amount(row["per"])[0] * Fraction(row["factor"])
        return frozenset({"dose"})


def _known(inside: bool | None, need: str) -> Truth:
    return open_(need) if inside is None else told(inside)


def _span_against(row: Bounds, bounds: Bounds) -> bool | None:
    """Whether all of a range lies inside some bounds (true), none of it does (false), or part of it."""
    steps = [Fraction(n, 10) for n in range(3001)]
    mine = [(w, amount(t)[0]) for w, t in row.items()]
    theirs = [(w, amount(t)[0]) for w, t in bounds.items()]
    seen = {within(step, theirs) for step in steps if within(step, mine)}
    return seen.pop() if len(seen) == 1 else None
