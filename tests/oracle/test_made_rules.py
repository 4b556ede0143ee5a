"""Rules that nobody wrote: every kind of line, nested at random, compiled like any other and judged by both sides."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from broken.laying import compiled_over, copy_of_base, lay
from conftest import engine_of

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


class _Lines:
    """Lines of the language over the small base of knowledge, from one seed."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)

    def line(self, depth: int) -> dict[str, Any]:
        """Any line; from a depth on only leaves."""
        kind = self.chance.choice(["any", "all", "not", "leaf", "leaf"] if depth else ["leaf"])
        if kind == "not":
            return {"not": self.line(depth - 1)}
        if kind != "leaf":
            return {kind: [self.line(depth - 1) for _ in range(self.chance.choice([2, 2, 3]))]}
        return self.chance.choice([self.drug, self.problem, self.number, self.result, self.state, self.other])()

    def drug(self) -> dict[str, Any]:
        """A drug anywhere on the list, or more of the one that is bound."""
        line: dict[str, Any] = self.chance.choice([{"class": "class.nsaids"}, {"id": "drug.naproxen"}, {"is": "drug"}])
        more = {
            "route": self.chance.sample(_ROUTES, 2),
            "supply": self.chance.choice(["otc", "prescription"]),
            "in": self.chance.choice(["plan", "medications"]),
            "started_within": "14 d",
            "or_stopped_within": "14 d",
            "single_dose": {"above": "100 mg"},
            "daily_dose": {"at_most": "500 mg"},
        }
        chosen = self.chance.sample(sorted(more), self.chance.choice([1, 1, 2]))
        return {"drug": {**line, **{key: more[key] for key in chosen}}}

    def problem(self) -> dict[str, Any]:
        """A problem on the list."""
        of = ["condition.kidney-failure" if self.chance.random() < 0.5 else "condition.kidney-disease"]
        more = self.chance.choice(
            [{}, {"ever": "yes"}, {"within": "90 d"}, {"if_missing": {"treat_as": "no", "because": "a trial"}}]
        )
        return {"has": {"any_of": of, **more}}

    def number(self) -> dict[str, Any]:
        """How old, how heavy, or how well the kidneys work."""
        word = self.chance.choice(["at_least", "at_most", "under", "above"])
        return self.chance.choice([{"age": {word: "65 y"}}, {"weight": {word: "60 kg"}}, {"kidney": {word: "45 mL/min"}}])

    def result(self) -> dict[str, Any]:
        """A result, or that there is one."""
        word = self.chance.choice(["at_least", "at_most", "under", "above"])
        lab = {"test": "lab.egfr", word: "30 mL/min/1.73m2", "newest_within": "90 d"}
        return self.chance.choice([{"lab": lab}, {"lab": lab}, {"measured": {"any_of": ["lab.egfr"], "within": "90 d"}}])

    def state(self) -> dict[str, Any]:
        """Sex, pregnancy, nursing."""
        return self.chance.choice([
            {"sex": "female"}, {"pregnancy": "yes"}, {"pregnancy": {"trimester": [2, 3]}},
            {"pregnancy": {"weeks": {"at_least": 20}}}, {"breastfeeding": "yes"},
        ])  # fmt: skip

    def other(self) -> dict[str, Any]:
        """Genes, operations, devices, food, allergies, so many of a class."""
        return self.chance.choice([
            {"gene": {"of": "gene.fast", "is": ["poor"]}}, {"procedure": {"any_of": ["procedure.scan"], "planned": "yes"}},
            {"device": "device.tube"}, {"intake": {"of": "food.grapefruit"}}, {"allergy": {"to": "drug"}},
            {"allergy": {"to": "class.nsaids", "reaction": ["severe"]}}, {"burden": {"class": "class.nsaids", "at_least": 2}},
        ])  # fmt: skip

    def rule(self, n: int) -> dict[str, Any]:
        """A rule about one medicine."""
        when = [{"if": self.line(1), "severity": "minor", "because": "a trial"}] if self.chance.random() < 0.3 else []
        drug = {"drug": {"any_of": ["class.nsaids", "drug.metformin", "drug.acetaminophen"], "as": "drug"}}
        lines = [drug, *(self.line(2) for _ in range(self.chance.choice([1, 2])))]
        title = {"id": f"made-{n}", "title": f"Made rule {n}", "severity": self.chance.choice(["major", "moderate"])}
        return {**title, "condition": lines, "constraint": {"avoid": "drug"}, **({"severity_when": when} if when else {})}


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


def test_made_rules_are_judged_alike(tmp_path: Path) -> None:
    """Verdict, severity, entries and what is missing, of rules with any line in any place."""
    root = copy_of_base(tmp_path)
    lay(root, "rules/contraindications/made.yaml", json.dumps(_table(1)))  # JSON is YAML
    for name, role, unit, most in _KIDNEY_TESTS:
        fact = {"id": f"lab.{name}", "name": name.replace("-", " "), "unit": unit, "role": role}
        lay(
            root,
            f"kb/labs/{name}.yaml",
            json.dumps({**fact, "plausible": {"at_least": f"0 {unit}", "at_most": f"{most} {unit}"}}),
        )
    compiled = compiled_over(root)
    assert [p.message for p in compiled.problems] == []
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
