"""Rules that nobody wrote: every kind of line, nested at random, compiled like any other and judged by both sides."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from broken.laying import compiled_over, copy_of_base, lay
from conftest import REPO, engine_of

from oracle.comparing import Oracle, differences
from oracle.files import Files
from oracle.making import Maker

_RULES, _PATIENTS = 60, 120
_ROUTES = ["oral", "parenteral", "rectal", "topical"]


_CASES = [
    {"name": f"a case of a made rule, never run ({says})", "given": {"drugs": ["naproxen 500 mg oral"]}, "expect": says}
    for says in ("violated", "not_applicable")
]
"""A file is not taken without cases; what these rules come to is asked of made patients."""


_KIDNEY_TESTS = [
    ("creatinine", "creatinine", "mg/dL", 30),
    ("creatinine-clearance", "creatinine-clearance", "mL/min", 300),
    ("egfr", "gfr", "mL/min/1.73m2", 250),
]


_MORE = {
    "kb/labs/virus.yaml": {"id": "lab.virus", "name": "virus test", "unit": "result", "unitless": "yes", "expected": "negative"},
    "kb/foods/alcohol.yaml": {"id": "food.alcohol", "name": "alcohol", "synonyms": [], "counted": {"drink": ["beer"]}},
    "kb/foods/sodium.yaml": {"id": "food.sodium", "name": "sodium", "synonyms": ["salt"]},
    "kb/reactions.yaml": {"severe_skin": ["DRESS"], "severe": ["anaphylaxis"], "mild": ["rash"], "intolerance": ["nausea"]},
}
"""What the lines ask about and the small base does not hold."""


class _Lines:
    """Lines of the language over the small base of knowledge, from one seed."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)

    def line(self, depth: int, two: bool = False) -> dict[str, Any]:
        """Any line; from a depth on only leaves. `two`: two medicines are named."""
        self.two = two
        kind = self.chance.choice(["any", "all", "not", "leaf", "leaf"] if depth else ["leaf"])
        if kind == "not":
            return {"not": self.line(depth - 1, two)}
        if kind != "leaf":
            return {kind: [self.line(depth - 1, two) for _ in range(self.chance.choice([2, 2, 3]))]}
        kinds = [self.drug, self.problem, self.number, self.result, self.state, self.other, *([self.pair] if two else [])]
        return self.chance.choice(kinds)()

    def missing(self, line: dict[str, Any], share: float = 0.2) -> dict[str, Any]:
        """A line of which it is now and then said what it counts as where it is not told."""
        rule = {"treat_as": self.chance.choice(["no", "no"]), "because": "a trial"}
        return {**line, "if_missing": rule} if self.chance.random() < share else line

    def drug(self) -> dict[str, Any]:
        """A drug anywhere on the list, or more of one that is bound."""
        line: dict[str, Any] = self.chance.choice([
            {"class": "class.nsaids"}, {"id": "drug.naproxen"}, {"is": "drug"}, {"is": "other" if self.two else "drug"},
            {"any_of": ["class.nsaids", "drug.metformin"]}, {"class": "class.nsaids", "except": ["drug.naproxen"]},
            {"any": "yes"}, {"any": "yes", "except": ["class.nsaids", "drug.warfarin"]}, {"is": "drug", "class": "class.nsaids"},
        ])  # fmt: skip
        more = {
            "route": self.chance.sample(_ROUTES, 2), "form": self.chance.sample(["tablet", "capsule", "suppository"], 2),
            "supply": self.chance.choice(["otc", "prescription"]), "in": self.chance.choice(["plan", "medications"]),
            "for": ["condition.kidney-disease"], "says": ["once daily", "every 12 hours", "tablet"],
            "started_within": "14 d", "or_stopped_within": "14 d", "single_dose": {"above": "100 mg"},
            "daily_dose": {"at_most": "500 mg"},
        }  # fmt: skip
        chosen = self.chance.sample(sorted(more), self.chance.choice([1, 1, 2]))
        return {"drug": {**line, **{key: more[key] for key in chosen}}}

    def pair(self) -> dict[str, Any]:
        """What is asked of two medicines together."""
        return self.chance.choice([
            {"same_ingredient": ["drug", "other"]}, {"different_ingredient": ["drug", "other"]},
            {"apart": {"of": ["drug", "other"], "at_least": "4 h"}}, {"allergy": {"to": "other"}},
        ])  # fmt: skip

    def problem(self) -> dict[str, Any]:
        """A problem on the list."""
        of = ["condition.kidney-failure" if self.chance.random() < 0.5 else "condition.kidney-disease"]
        more = self.chance.choice([{}, {"ever": "yes"}, {"within": "90 d"}, {"family": "yes"}, {"ever": "yes", "family": "yes"}])
        return {"has": self.missing({"any_of": of, **more})}

    def number(self) -> dict[str, Any]:
        """How old, how heavy, or how well the kidneys work."""
        word = self.chance.choice(["at_least", "at_most", "under", "above"])
        return self.chance.choice([
            {"age": self.missing({word: "65 y"})}, {"weight": self.missing({word: "60 kg"})}, {"kidney": {word: "45 mL/min"}},
            {"age": {"at_least": "18 y", "under": "65 y"}},
        ])  # fmt: skip

    def result(self) -> dict[str, Any]:
        """A result, that there is one, or that it moved."""
        word = self.chance.choice(["at_least", "at_most", "under", "above"])
        egfr = {"test": "lab.egfr", word: "30 mL/min/1.73m2"}
        moved = self.chance.choice([
            {"rises": {"percent": 30}}, {"rises": {"by": "0.3 mg/dL"}}, {"rises": {"times": 1.5}}, {"falls": {"percent": 50}},
        ])  # fmt: skip
        change = {"test": "lab.creatinine", **moved, "within": "90 d", "newest_within": "30 d"}
        return self.chance.choice([
            {"lab": self.missing({**egfr, "newest_within": "90 d"})}, {"lab": {**egfr, "any_within": "90 d"}}, {"lab": egfr},
            {"lab": self.missing({"test": "lab.virus", "is": ["positive"], "newest_within": "365 d"})},
            {"lab": {"test": "lab.virus", "is": ["positive"], "any_within": "365 d"}},
            {"measured": {"any_of": ["lab.egfr", "lab.creatinine"], "within": "90 d"}},
            {"change": change}, {"change": {**change, "after": "drug"}},
        ])  # fmt: skip

    def state(self) -> dict[str, Any]:
        """Sex, pregnancy, nursing."""
        return self.chance.choice([
            {"sex": "female"}, {"pregnancy": "yes"}, {"pregnancy": "no"}, {"pregnancy": {"trimester": [2, 3]}},
            {"pregnancy": {"weeks": {"at_least": 20}}}, {"breastfeeding": "yes"}, {"sex": self.missing({"is": "male"}, 1)},
            {"pregnancy": self.missing({"is": "yes"}, 1)},
        ])  # fmt: skip

    def other(self) -> dict[str, Any]:
        """Genes, operations, devices, food, allergies, so many of a class, all that is taken by a table."""
        allergy = self.chance.choice([
            {"to": "drug"}, {"to": "drug", "reaction": [self.chance.choice(["severe", "mild", "intolerance"])]},
            {"to": "class.nsaids"}, {"to": "class.nsaids", "reaction": ["severe"]}, {"to": "drug.naproxen"},
            {"to": "allergen.peanut"},
        ])  # fmt: skip
        return self.chance.choice([
            {"gene": self.missing({"of": "gene.fast", "is": ["poor"]})}, {"device": "device.tube"},
            {"procedure": {"any_of": ["procedure.scan"], "planned": "yes"}},
            {"procedure": self.missing({"any_of": ["procedure.scan"], "done_within": "14 d"})},
            {"procedure": {"any_of": ["procedure.scan"], "planned": "yes", "done_within": "14 d"}},
            {"intake": {"of": "food.grapefruit"}}, {"intake": {"of": "food.alcohol", "daily": {"at_least": "3 drink"}}},
            {"intake": {"of": "food.sodium", "over_limit": "yes"}}, {"allergy": self.missing(allergy)}, {"allergy": allergy},
            {"burden": {"class": "class.nsaids", "at_least": self.chance.choice([1, 2, 3])}},
            {"daily_equivalent": {"by": "factors.painkillers", "at_least": "1000 mg/d"}},
        ])  # fmt: skip

    def rule(self, n: int) -> dict[str, Any]:
        """A rule about one medicine, or about two."""
        two = self.chance.random() < 0.4
        when = [
            {"if": self.line(1, two), "severity": self.chance.choice(["minor", "contraindicated"]), "because": "a trial"}
            for _ in range(self.chance.choice([0, 0, 1, 2]))
        ]
        named = [{"drug": {"any_of": ["class.nsaids", "drug.metformin", "drug.acetaminophen"], "as": "drug"}}]
        if two:
            named.append({"drug": {"any_of": ["class.nsaids", "drug.warfarin"], "as": "other"}})
        lines = [*named, *(self.line(2, two) for _ in range(self.chance.choice([1, 2])))]
        title = {"id": f"made-{n}", "title": f"Made rule {n}", "severity": self.chance.choice(["major", "moderate"])}
        constraint = self.constraint(two)
        if {"dose_in_24h", "single_dose", "dose_interval", "days_of_use"} & set(constraint):
            # all entries of an ingredient are one amount there: what is asked of one of them by its name has no meaning
            lines, when = ([x for x in held if not _of_the_bound(x)] for held in (lines, when))
        return {**title, "condition": lines, "constraint": constraint, **({"severity_when": when} if when else {})}

    def constraint(self, two: bool) -> dict[str, Any]:
        """What must not be, or must."""
        whole: dict[str, Any] = {"avoid_together": ["drug", "other"]} if two else {"avoid": "drug"}
        who = {"who": {"age": {"at_least": "65 y"}}}
        if two:
            return self.chance.choice([whole, whole, {"require": [self.line(1, two)]}])
        return self.chance.choice([
            whole, whole, whole, {"require": [self.line(1, two)]},
            {"dose_in_24h": [{"at_most": "1000 mg"}, {**who, "at_most": "500 mg"}]}, {"dose_in_24h": [{"at_most": "10 mg/kg"}]},
            {"single_dose": [{**who, "at_most": "100 mg"}]}, {"dose_interval": [{"at_least": "8 h"}]},
            {"days_of_use": [{"at_most": "10 d", "if_missing": {"treat_as": "no", "because": "a trial"}}]},
            {"days_of_use": [{"at_most": "10 d"}]},
        ])  # fmt: skip


def _of_the_bound(line: dict[str, Any]) -> bool:
    """Whether a line asks something of the very entry that is named `drug`."""
    text = json.dumps(line)
    return any(said in text for said in ('"is": "drug"', '"after": "drug"', '"to": "drug"'))


def _table(seed: int) -> dict[str, Any]:
    lines = _Lines(seed)
    evidence = [{"source": "source.a-label", "at": "section 4", "grade": "label", "supports": ["severity", "constraint"]}]
    return {
        "id": "contraindication.made", "title": "Made rules", "kind": "contraindication", "status": "active", "severity": "major",
        "review": {"last": "2026-11-20", "due": "2027-11-20", "by_whom": []},
        "action": {"do": "stop", "target": "drug", "advice": "Stop {drug}.", "escalate": "pharmacist"},
        "rationale": {"mechanism": "disease", "summary": "A trial."}, "outcome": {"harm": "harm.major-bleeding", "onset": "days"},
        "evidence": evidence, "rows": [{**lines.rule(n), "cases": _CASES} for n in range(_RULES)],
    }  # fmt: skip


def _laid_out(folder: Path, seed: int) -> Path:
    """The small base with the rules of a seed and all that they ask about."""
    root = copy_of_base(folder)
    lay(root, "rules/contraindications/made.yaml", json.dumps(_table(seed)))  # JSON is YAML
    for name, role, unit, most in _KIDNEY_TESTS:
        fact = {"id": f"lab.{name}", "name": name.replace("-", " "), "unit": unit, "role": role}
        limits = {"at_least": f"0 {unit}", "at_most": f"{most} {unit}"}
        lay(root, f"kb/labs/{name}.yaml", json.dumps({**fact, "plausible": limits}))
    for where, held in _MORE.items():
        lay(root, where, json.dumps(held))
    lay(root, "kb/units.yaml", (REPO / "kb/units.yaml").read_text(encoding="utf-8"))
    return root


def test_made_rules_are_judged_alike(tmp_path: Path) -> None:
    """Verdict, severity, entries and what is missing, of rules with any line in any place."""
    root = _laid_out(tmp_path, 1)
    compiled = compiled_over(root)
    assert [(p.place, p.message, p.hint) for p in compiled.problems] == []
    files, engine = Files(root), engine_of(compiled.library)
    oracle, maker = Oracle(files), Maker(files, 1)
    made = sorted(id for id in files.rules if id.startswith("contraindication.made."))
    assert len(made) == _RULES
    spoke, found = 0, []
    for _ in range(_PATIENTS):
        compared = differences(engine, oracle, maker.on_edge_of(files.rules[maker.pick(made)]))
        if compared is not None:
            spoke += compared[1]
            found += compared[0]
    assert spoke > _PATIENTS
    assert [(d.rule, d.kind, d.engine, d.oracle) for d in found] == []
