"""Patients made to stand on the edge of a rule: who fires it, misses it by one, lacks a fact, or has it denied."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from oracle.files import Files, Line, amount, many
from oracle.language import bounds_of
from oracle.patients import Allergy, Medicine, Patient, Problem, Procedure, Result, before, number

_LISTS = ("problems", "allergies", "labs", "genes", "procedures", "devices", "intake")


class Maker:
    """Makes patients from one seed; `names` are the drugs that the engine knows by their own name."""

    def __init__(self, files: Files, seed: int) -> None:
        self.files, self.chance = files, Random(seed)

    def maybe(self, share: float) -> bool:
        """True so often."""
        return self.chance.random() < share

    def pick(self, of: Any) -> Any:
        """One of several."""
        return self.chance.choice(sorted(of) if isinstance(of, set | frozenset) else list(of))

    def on_edge_of(self, rule: dict[str, Any]) -> Patient:
        """A patient of whom the lines of a rule hold, or nearly."""
        self.named: dict[str, int] = {}
        who = self.somebody()
        for line in rule["condition"]:
            who = self.make(who, line, not self.maybe(0.06))
        for kind, told in rule["constraint"].items():
            who = self._constraint(who, kind, told)
        for row in rule.get("severity_when") or []:
            if self.maybe(0.5):
                for line in many(row["if"]):
                    who = self.make(who, line, self.maybe(0.7))
        return self.disturbed(who)

    def on_edge_of_table(self, table: dict[str, Any]) -> Patient:
        """A patient whose dose of a drug stands near a bound of its table."""
        self.named = {}
        who, row = self.somebody(), self.pick(table["ranges"])
        adjust = [a for a in table.get("adjust", []) if self.maybe(0.4)]
        routes = many(row.get("route", table.get("route")))
        who = self._with(who, self._medicine({"id": table["drug"], "route": routes} if routes else {"id": table["drug"]}))
        for line in [line for held in (row, *adjust) for line in held.get("who", [])]:
            who = self.make(who, line, not self.maybe(0.15))
        near = [
            (part, text)
            for held in (row, *adjust)
            for part in ("single", "day")
            for text in bounds_of(held.get(part, {})).values()
        ]
        m = who.medicines[-1]
        if near and not self.maybe(0.05):
            part, text = self.pick(near)
            m = self._dose_near(who, m, part, text)
        if row.get("for") and self.maybe(0.5):
            m = replace(m, purpose=self.pick(row["for"]))
        if row.get("form") and self.maybe(0.7):
            m = replace(m, form=self.pick(many(row["form"])))
        who = who.but(medicines=(*who.medicines[:-1], m))
        return self.disturbed(who)

    def _dose_near(self, who: Patient, m: Medicine, part: str, text: str) -> Medicine:
        value, unit = amount(text)
        for per, fact, base in (("/kg", who.weight, "kg"), ("/m2", None, "m2")):
            if unit.endswith(per):
                held = self.files.units.to(*fact, base) if fact else Fraction(20)
                value, unit = value * (held or 1), unit.removesuffix(per)
        value = value * self.pick(
            [
                Fraction(1),
                Fraction(1),
                Fraction(9, 10),
                Fraction(11, 10),
                Fraction(104, 100),
                Fraction(106, 100),
                3,
                10,
                Fraction(1, 2),
            ]
        )
        every = Fraction(self.pick([24, 24, 12, 8, 6, 168, 48]))
        if part == "day":
            value /= max(Fraction(1), 24 / every)
        return replace(m, single=(_rounded(value), unit), every=every)

    def somebody(self) -> Patient:
        """Somebody of whom some things are told."""
        sex = self.pick(["female", "male", None])
        age = self.pick([Fraction(n) for n in (30, 45, 50, 64, 65, 66, 72, 80)])
        return Patient(
            age=None if self.maybe(0.2) else (age, "y"),
            sex=sex,
            weight=None if self.maybe(0.4) else (Fraction(self.pick([52, 60, 75, 90])), "kg"),
            height=None if self.maybe(0.6) else (Fraction(170), "cm"),
            pregnant=False if sex == "female" and self.maybe(0.5) else None,
            breastfeeding=False if sex == "female" and self.maybe(0.5) else None,
            problems=None if self.maybe(0.3) else (),
            allergies=None if self.maybe(0.3) else (),
            labs=None if self.maybe(0.4) else (),
            genes=None if self.maybe(0.6) else (),
            procedures=None if self.maybe(0.6) else (),
            devices=None if self.maybe(0.6) else (),
            intake=None if self.maybe(0.6) else (),
            limits=None if self.maybe(0.8) else (),
        )

    def disturbed(self, who: Patient) -> Patient:
        """The same, with something left out, denied or put beside it."""
        if self.maybe(0.25):
            who = who.but(**{self.pick(["age", "sex", "weight", *_LISTS]): None})
        if self.maybe(0.15):
            who = who.but(**{self.pick(_LISTS): ()})
        years = self.files.units.to(*who.age, "y") if who.age else None
        if years is not None and who.weight and years < 14:  # as heavy as is believed of a child of this age
            who = who.but(
                height=None,
                weight=(Fraction(6 if years < 1 else self.pick([12, 15]) if years < 5 else self.pick([20, 30])), "kg"),
            )
        if who.medicines and self.maybe(0.2):
            n = self.chance.randrange(len(who.medicines))
            gone = self.pick(["single", "every", "route", "form", "supply", "since", "until", "purpose"])
            who = self._swap(who, n, replace(who.medicines[n], **{gone: None}))
        if self.maybe(0.3):
            who = self._with(who, self._medicine({"id": self.pick(set(self.files.drugs))}))
        who = who.but(medicines=tuple(replace(m, single=None) if self._as_a_whole(m) else m for m in who.medicines))
        return who.but(medicines=tuple(replace(m, form=None) if m.route is None else m for m in who.medicines))  # a form tells it

    def _as_a_whole(self, m: Medicine) -> bool:
        """Whether an amount would be of the cream or drops and not of what is in it, or would tell the route by its unit."""
        local = {"ophthalmic", "otic", "topical", "transdermal", "vaginal"}
        return m.route == "topical" or (m.route is None and bool(local & set(self.files.drugs[m.drug]["routes"])))

    # --- lines ---------------------------------------------------------------------------------------------------------

    def make(self, who: Patient, line: Line, holds: bool) -> Patient:
        """A patient of whom a line holds (or does not), as well as may be."""
        ((key, value),) = line.items()
        if key == "not":
            return self.make(who, value, not holds)
        if key in ("any", "all"):
            each = value if (key == "all") == holds else [self.pick(value)]
            for one in each:
                who = self.make(who, one, holds)
            return who
        making = getattr(self, f"_make_{key}", None)
        return making(who, value, holds) if making else who

    def _near(self, bounds: dict[str, str], holds: bool) -> tuple[Fraction, str] | None:
        if not bounds:
            return None
        word, text = self.pick(bounds.items())
        value, unit = amount(text)
        step = Fraction(1) if value >= 10 else Fraction(1, 10)
        away = {"at_least": 1, "above": 1, "at_most": -1, "under": -1}[word] * (1 if holds else -1)
        return max(Fraction(0), value + self.pick([0, away, away, 2 * away, -away]) * step), unit

    def _make_age(self, who: Patient, line: dict[str, Any], holds: bool) -> Patient:
        near = self._near(bounds_of(line), holds)
        return who.but(age=None if near is None else (Fraction(int(near[0])), near[1]))

    def _make_weight(self, who: Patient, line: dict[str, Any], holds: bool) -> Patient:
        return who.but(weight=self._near(bounds_of(line), holds))

    def _make_sex(self, who: Patient, line: Any, holds: bool) -> Patient:
        wanted = line["is"] if isinstance(line, dict) else line
        return who.but(sex=wanted if holds else "male" if wanted == "female" else "female")

    def _make_pregnancy(self, who: Patient, line: Any, holds: bool) -> Patient:
        who = who.but(sex=self.pick(["female", "female", None]), age=who.age and (Fraction(self.pick([25, 30, 38])), "y"))
        line = line if isinstance(line, dict) else {"is": line}
        if "trimester" in line:
            if self.maybe(0.3):
                return who.but(pregnant=True, weeks=Fraction(self.pick([8, 13, 14, 20, 27, 28, 36])))
            return who.but(
                pregnant=True, trimester=int(self.pick(many(line["trimester"]))) if holds else self.pick([None, 1, 2, 3])
            )
        if "weeks" in line:
            near = Fraction(next(iter(line["weeks"].values())))
            return who.but(pregnant=True, weeks=self.pick([near, near - 1, near + 1]), trimester=None)
        return who.but(pregnant=self.pick([None, (line["is"] == "yes") == holds, (line["is"] == "yes") == holds]))

    def _make_breastfeeding(self, who: Patient, line: Any, holds: bool) -> Patient:
        return who.but(breastfeeding=holds, sex="female", age=who.age and (Fraction(30), "y"))

    def _make_has(self, who: Patient, line: Any, holds: bool) -> Patient:
        line = line if isinstance(line, dict) else {"any_of": [line]}
        if line.get("family") == "yes" and self.maybe(0.5):
            of = self.pick(many(line["any_of"])) if holds else self.pick(sorted(self.files.conditions)[:20])
            who = who.but(problems=who.problems or (), family=(*who.family, of))
            if self.maybe(0.7):
                return who
        if not holds:
            return who
        wanted = self.pick(many(line["any_of"]))
        if self.maybe(0.3):
            wanted = self.pick({c for c in self.files.conditions if wanted in self.files.kinds_of(c)})
        days = (
            [int(Fraction(str(line["within"]).split()[0]) + n) for n in (-1, 0, 1)]
            if "within" in line
            else [20, 89, 90, 91, 4000]
        )
        onset = before(self.pick(days)) if "within" in line or self.maybe(0.3) else None
        problem = Problem(wanted, status=self.pick([None, None, "active", "past"]), onset=onset)
        return who.but(problems=(*(who.problems or ()), problem))

    def _make_allergy(self, who: Patient, line: dict[str, Any], holds: bool) -> Patient:
        if not holds:
            return who
        to = line["to"]
        if to in self.named:
            to = who.medicines[self.named[to]].drug
        if "." not in to:
            return who  # the medicine that it speaks of was left out
        if to.startswith("class.") and self.maybe(0.6):
            to = self.pick(set(self.files.members(to)))
        elif to.startswith("drug.") and self.maybe(0.2):
            to = self.pick({c for c in self.files.classes if to in self.files.members(c) and self._sayable(c)} | {to})
        words = {"severe": "anaphylaxis", "severe_skin": "DRESS", "mild": "rash", "intolerance": "nausea"}
        grade = self.pick(many(line["reaction"])) if "reaction" in line and self.maybe(0.7) else self.pick(words)
        return who.but(allergies=(*(who.allergies or ()), Allergy(to, words[grade] if self.maybe(0.8) else None)))

    def _sayable(self, group: str) -> bool:
        """Whether a class has a name, and one in which no reaction is told ("stopped at angioedema", "in severe disease")."""
        name = f" {self.files.classes[group].get('name', '')} "
        told = [*self.files.grades, *(word for words in self.files.grades.values() for word in words)]
        return bool(name.strip()) and not any(f" {word.lower()} " in name for word in told)

    def _make_lab(self, who: Patient, line: dict[str, Any], holds: bool) -> Patient:
        lab, days = line["test"], 20
        for word in {"newest_within", "any_within"} & set(line):
            limit = int(amount(line[word])[0])
            days = self.pick([0, 1, limit - 1, limit, limit, limit + 1])
        near = self._near(bounds_of(line), holds)
        on = before(max(0, days))
        if near is None:
            words = many(line["is"]) if holds else [x for x in ("positive", "negative") if x not in line["is"]] or ["negative"]
            result = Result(lab, None, None, self.pick(words), on)
        else:
            result = Result(lab, near[0], near[1], None, on)
        if "any_within" in line and self.maybe(0.5) and days > 0:  # a newer one says otherwise
            newer = self._make_lab(who, {k: v for k, v in line.items() if k != "any_within"}, not holds).labs or ()
            newer = tuple(replace(r, on=before(self.chance.randrange(days))) for r in newer if r.lab == lab)
            who = self._tested(who, result)
            return who.but(labs=(*(who.labs or ()), *newer))
        return self._tested(who, result)

    def _tested(self, who: Patient, result: Result) -> Patient:
        return who.but(labs=(*(r for r in who.labs or () if r.lab != result.lab), result))

    def _make_measured(self, who: Patient, line: dict[str, Any], holds: bool) -> Patient:
        lab, limit = self.pick(many(line["any_of"])), int(amount(line["within"])[0])
        fact = self.files.labs[lab]
        ranges = [r for r in fact.get("ranges", []) if r["kind"] == "reference" and bounds_of(r)]
        if "expected" in fact or not ranges:
            return who
        value = amount(next(iter(bounds_of(ranges[-1]).values())))
        days = self.pick([limit - 1, limit]) if holds else limit + 1
        return self._tested(who, Result(lab, value[0], value[1], None, before(days)))

    def _make_change(self, who: Patient, line: dict[str, Any], holds: bool) -> Patient:
        lab, span, fresh = line["test"], int(amount(line["within"])[0]), int(amount(line["newest_within"])[0])
        limits = bounds_of(self.files.labs[lab].get("plausible", {}))
        unit = self.files.labs[lab]["unit"]
        was = Fraction(1) if not limits else max(Fraction(1), amount(limits["at_most"])[0] / 8)
        way = "rises" if "rises" in line else "falls"
        ((word, text),) = line[way].items()
        sign = 1 if way == "rises" else -1
        if word == "percent":
            now = was * (1 + sign * Fraction(text) / 100)
        elif word == "times":
            now = was * Fraction(text) if sign > 0 else was / Fraction(text)
        else:
            now = was + sign * amount(text)[0]
        now += self.pick([0, 0, Fraction(1, 100), Fraction(-1, 100)])
        newest = self.pick([0, fresh - 1, fresh, fresh + 1])
        earlier = newest + self.pick([1, span - 1, span, span + 1])
        if "after" in line and line["after"] in self.named and self.maybe(0.7):
            n = self.named[line["after"]]
            who = self._swap(
                who, n, replace(who.medicines[n], since=before(self.pick([newest, newest + 1, max(0, newest - 1), earlier, 400])))
            )
        rest = tuple(r for r in who.labs or () if r.lab != lab)
        pair = (Result(lab, _rounded(was), unit, None, before(earlier)), Result(lab, _rounded(now), unit, None, before(newest)))
        return who.but(labs=(*rest, *pair))

    def _make_kidney(self, who: Patient, line: dict[str, Any], holds: bool) -> Patient:
        near = self._near(bounds_of(line), holds)
        assert near is not None
        way = self.pick(["told", "told", "egfr", "creatinine", "stage", "nothing"])
        on = before(30)
        if way == "told":
            return self._tested(who, Result("lab.creatinine-clearance", near[0], "mL/min", None, on))
        if way == "egfr":
            return self._tested(who, Result("lab.egfr", near[0], "mL/min/1.73m2", None, on))
        if way == "creatinine":
            return self._tested(who, Result("lab.creatinine", Fraction(self.pick([8, 10, 14, 20, 30]), 10), "mg/dL", None, on))
        staged = {c for c, fact in self.files.conditions.items() if "kidney" in fact.get("implies", {})}
        if way == "stage" and staged:
            return who.but(problems=(*(who.problems or ()), Problem(self.pick(staged))))
        return who

    def _make_apart(self, who: Patient, line: dict[str, Any], holds: bool) -> Patient:
        """Two medicines at an hour each, so far apart or nearly."""
        places = [self.named[n] for n in line["of"] if n in self.named]
        if len(places) < 2 or self.maybe(0.2):
            return who
        gap = int(amount(line["at_least"])[0]) + self.pick([0, 1, 8] if holds else [-1, -2])
        first = self.chance.randrange(24)
        for n, hour in zip(places, (first, (first + gap) % 24), strict=True):
            who = self._swap(who, n, replace(who.medicines[n], every=Fraction(24), hour=hour))
        return who

    def _make_gene(self, who: Patient, line: dict[str, Any], holds: bool) -> Patient:
        states = set(self.files.genes[line["of"]]["states"])
        wanted = states & set(line["is"]) if holds else states - set(line["is"])
        if not wanted or self.maybe(0.1):
            return who
        rest = tuple(g for g in who.genes or () if g[0] != line["of"])
        return who.but(genes=(*rest, (line["of"], self.pick(wanted))))

    def _make_procedure(self, who: Patient, line: dict[str, Any], holds: bool) -> Patient:
        if not holds:
            return who
        wanted = self.pick(many(line["any_of"]))
        if "done_within" in line and self.maybe(0.6):
            limit = int(amount(line["done_within"])[0])
            one = Procedure(wanted, on=before(self.pick([0, limit, limit + 1])))
        else:
            one = Procedure(wanted, planned=self.maybe(0.7), on=None)
        return who.but(procedures=(*(who.procedures or ()), one))

    def _make_device(self, who: Patient, line: Any, holds: bool) -> Patient:
        wanted = self.pick(many(line["any_of"] if isinstance(line, dict) else line))
        return who.but(devices=(*(who.devices or ()), wanted)) if holds else who

    def _make_intake(self, who: Patient, line: dict[str, Any], holds: bool) -> Patient:
        food = self.pick(many(line["of"]))
        if "over_limit" in line:
            unit = "L" if food == "food.fluid" else "g"
            who = who.but(limits=((food, (Fraction(2), unit)),))
            return who.but(intake=((food, (Fraction(3 if holds else 2), unit)),))
        if not holds and "daily" not in line:
            return who
        daily = self._near(line["daily"], holds) if "daily" in line else None
        return who.but(intake=(*(who.intake or ()), (food, daily)))

    # --- medicines -----------------------------------------------------------------------------------------------------

    def _make_drug(self, who: Patient, line: dict[str, Any], holds: bool) -> Patient:
        if "is" in line:
            n = self.named.get(line["is"])
            if n is None or (not {"id", "class", "any_of"} & set(line) and not holds and not self.maybe(0.9)):
                return who
            m = self._medicine(line)
            if not {"id", "class", "any_of"} & set(line):
                m = replace(m, drug=who.medicines[n].drug, route=who.medicines[n].route)
            elif not holds:
                return who
            return self._swap(who, n, m)
        if not holds:
            return self._with(who, self._medicine(line)) if self.maybe(0.15) else who
        if "as" in line:
            self.named[line["as"]] = len(who.medicines)
        return self._with(who, self._medicine(line))

    def _medicine(self, line: dict[str, Any]) -> Medicine:
        """An entry of which a drug line speaks, or nearly."""
        of = [line[key] for key in ("id", "class") if key in line] + many(line.get("any_of"))
        drugs = set(self.files.members(self.pick(of))) if of else set(self.files.drugs)
        out = {d for e in many(line.get("except")) for d in self.files.members(e)}
        drug = self.pick((drugs - out if not self.maybe(0.05) else drugs) or drugs)
        routes = set(self.files.drugs[drug]["routes"])
        wanted = routes & set(many(line.get("route"))) if "route" in line else routes
        route = self.pick(wanted or routes) if not self.maybe(0.1) else self.pick(routes)
        m = Medicine(
            drug,
            route=None if self.maybe(0.12) else route,
            planned=line.get("in") == "plan" or (line.get("in") is None and self.maybe(0.3)),
        )
        if self.maybe(0.05):
            m = replace(m, planned=not m.planned)
        m = replace(m, single=(Fraction(self.pick([5, 10, 50, 100, 500])), "mg"), every=Fraction(self.pick([24, 24, 12, 8, 6])))
        for part in ("single_dose", "daily_dose"):
            if part in line:
                near = self._near(bounds_of(line[part]), True)
                assert near is not None
                m = replace(m, single=near, every=Fraction(24)) if near[0] > 0 else m
        if "form" in line and not self.maybe(0.15):
            m = replace(m, form=self.pick(many(line["form"])))
        if "supply" in line:
            m = replace(m, supply=self.pick([line["supply"], line["supply"], "otc", "prescription", None]))
        if "for" in line and not self.maybe(0.2):
            m = replace(m, purpose=self.pick(many(line["for"])))
        return self._dated(m, line)

    def _dated(self, m: Medicine, line: dict[str, Any]) -> Medicine:
        if "or_stopped_within" in line and self.maybe(0.6):
            limit = int(amount(line["or_stopped_within"])[0])
            return replace(m, until=before(self.pick([1, limit, limit + 1])), planned=False)
        if "started_within" in line and not self.maybe(0.2):
            limit = int(amount(line["started_within"])[0])
            return replace(m, since=before(self.pick([0, limit, limit + 1])))
        return replace(m, until=before(self.pick([1, 5, 40])), planned=False) if self.maybe(0.03) else m

    @staticmethod
    def _with(who: Patient, m: Medicine) -> Patient:
        return who.but(medicines=(*who.medicines, m))

    @staticmethod
    def _swap(who: Patient, n: int, m: Medicine) -> Patient:
        return who.but(medicines=(*who.medicines[:n], m, *who.medicines[n + 1 :]))

    # --- constraints ---------------------------------------------------------------------------------------------------

    def _constraint(self, who: Patient, kind: str, told: Any) -> Patient:
        if kind == "require":
            for line in told:
                who = self.make(who, line, self.maybe(0.3))
        elif kind in ("dose_in_24h", "single_dose", "dose_interval", "days_of_use") and self.named:
            row = self.pick(told)
            for one in many(row.get("who")):
                for key, value in one.items():
                    who = self.make(who, {key: value}, True)
            who = self._limited(who, kind, next(iter(bounds_of(row).values())))
        if self.named and self.maybe(0.15):
            n = self.pick(self.named.values())
            who = self._with(who, replace(who.medicines[n], planned=False))
        return who

    def _limited(self, who: Patient, kind: str, text: str) -> Patient:
        n = next(iter(self.named.values()))
        m, (value, unit) = who.medicines[n], amount(text)
        if kind in ("dose_in_24h", "single_dose"):
            part = "day" if kind == "dose_in_24h" else "single"
            return self._swap(who, n, self._dose_near(who, m, part, text))
        if kind == "dose_interval":
            hours = self.files.units.to(value, unit, "h")
            assert hours is not None
            return self._swap(who, n, replace(m, every=self.pick([hours, *(h for h in map(Fraction, (4, 6, 8, 12, 24, 168)))])))
        return self._swap(who, n, replace(m, days=max(Fraction(1), value + self.pick([-1, 0, 1]))))


def _rounded(value: Fraction) -> Fraction:
    """A number that can be written out, near this one."""
    try:
        number(value)
    except ValueError:
        return Fraction(round(value * 1000), 1000)
    return value
