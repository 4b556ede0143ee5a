"""A knowledge folder as small as a test needs, written as files and compiled like any other.

The drugs are made up, so that no test about meaning depends on what is known of a real one.
"""

from __future__ import annotations

import itertools
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from broken.laying import collected_with_language, with_language
from conftest import REPO, engine_of

from safety.engine import RECIPE, Engine
from safety.errors import KnowledgeError
from safety.knowledge.compiling import compile_collected
from safety.knowledge.label_sections import SECTIONS
from safety.knowledge.snapshot import packed
from safety.knowledge.store import Store

DAY = "2026-11-20"
EVIDENCE = [
    {"source": "source.made-up", "at": "", "grade": "consensus", "supports": ["severity"], "checked": {"how": "recalled"}}
]

DRUGS: dict[str, dict[str, Any]] = {
    # swallowed only, prescription only
    "alphadine": {"supply": "prescription", "routes": ["oral"]},
    "betadorm": {"supply": "prescription", "routes": ["oral"]},
    "gammapril": {"supply": "prescription", "routes": ["oral"]},
    # two routes, both supplies
    "deltafen": {"supply": "both", "routes": ["oral", "topical"]},
    # bought only
    "epsilox": {"supply": "otc", "routes": ["oral"]},
    # in no class and no rule
    "zetanol": {"supply": "prescription", "routes": ["oral"]},
}
PRODUCTS: dict[str, dict[str, Any]] = {
    "duocap": {
        "supply": "prescription",
        "route": "oral",
        "presentations": [
            {"form": "capsule", "per": "1 capsule", "contains": {"drug.alphadine": "10 mg", "drug.betadorm": "5 mg"}}
        ],
    },
    "nightmix": {
        "supply": "otc",
        "route": "oral",
        "presentations": [{"form": "liquid", "per": "15 mL", "contains": {"drug.epsilox": "300 mg", "drug.deltafen": "100 mg"}}],
    },
}
CLASSES: dict[str, dict[str, Any]] = {
    "greeks": {"synonyms": ["greek drugs"], "members": ["drug.alphadine", "drug.betadorm"]},
    "letters": {"includes": ["class.greeks"], "members": ["drug.gammapril"], "excludes": ["drug.betadorm"]},
    "swallowed": {"members": [{"drug": "drug.deltafen", "route": ["oral"]}, "drug.alphadine"]},
    "gels": {"members": [{"drug": "drug.deltafen", "form": ["gel"]}]},
}
CONDITIONS: dict[str, dict[str, Any]] = {
    "kidneys": {"name": "kidney trouble", "codes": {"snomed": ["100000001"]}},
    "kidneys-3": {"name": "kidney trouble stage 3", "is_a": ["condition.kidneys"]},
    "kidneys-3b": {
        "name": "kidney trouble stage 3b",
        "is_a": ["condition.kidneys-3"],
        "codes": {"snomed": ["100000002"]},
        "past_codes": {"snomed": ["100000003"]},
    },
    "ulcer": {"name": "ulcer"},
    "pregnancy": {"name": "pregnancy", "implies": {"pregnancy": "yes"}},
    "nursing": {"name": "nursing", "implies": {"breastfeeding": "yes"}},
}
LABS: dict[str, dict[str, Any]] = {
    "clearance": {
        "name": "clearance",
        "unit": "mL/min",
        "codes": {"loinc": ["1000-1"]},
        "plausible": {"at_least": "0 mL/min", "at_most": "300 mL/min"},
    },
    "creatinine": {
        "name": "creatinine",
        "unit": "mg/dL",
        "other_units": [{"unit": "umol/L", "factor": "0.011312"}],
        "plausible": {"at_least": "0.1 mg/dL", "at_most": "30 mg/dL"},
    },
}
HARMS: dict[str, dict[str, Any]] = {
    "upset": {"name": "upset"},
    "severe-upset": {"name": "severe upset", "is_a": "harm.upset"},
    "dullness": {"name": "dullness"},
}
READ: dict[str, Any] = {
    "drug": "drug.alphadine",
    "evidence": [
        {
            "source": "source.made-up",
            "at": "whole",
            "checked": {"how": "read", "on": date(2026, 11, 20), "copy": "a made-up copy"},
        }
    ],
    "sections": dict.fromkeys(SECTIONS["prescription"], "nothing"),
}
"""A ledger of alphadine: its label was read, and has nothing to state."""
WHOLE: dict[str, Any] = {
    "age": 30, "sex": "male", "conditions": [], "allergies": [], "labs": [], "vitals": [], "intake": [], "diet_limits": [],
    "genes": [], "procedures": [], "devices": [], "vaccines": [],
}  # fmt: skip
"""A patient of whom everything is told."""
ALLERGENS: dict[str, dict[str, Any]] = {"nuts": {"name": "nuts", "codes": {"snomed": ["100000009"]}}}

FOLDER = {
    "interaction": "interactions",
    "allergy": "allergies",
    "duplicate": "duplicates",
    "contraindication": "contraindications",
    "burden": "burdens",
    "food": "food",
    "omission": "omissions",
    "monitoring": "monitoring",
    "age": "age",
    "pregnancy": "pregnancy",
}
_numbers = itertools.count()


def rule(i: str = "contraindication.it", **keys: Any) -> dict[str, Any]:
    """A rule with every key filled in; what a test is about is given, `condition` and `constraint` at least.

    A draft compiles without cases but never speaks, so the written cases are the two that every rule needs; the
    compiler does not run them.
    """
    card: dict[str, Any] = {
        "id": i,
        "title": "A made-up rule",
        "kind": "contraindication",
        "status": "active",
        "severity": "moderate",
        "review": {"last": date(2026, 11, 20), "due": date(2027, 11, 20), "by_whom": []},
        "action": {"do": "inform", "advice": "Ask."},
        "rationale": {"mechanism": "disease", "summary": "Because."},
        "outcome": {"harm": "harm.upset"},
        "evidence": EVIDENCE,
        "cases": [{"name": "one", "given": {}, "expect": "violated"}, {"name": "two", "given": {}, "expect": "not_applicable"}],
    }
    return card | keys


def avoid(*lines: Any, i: str = "contraindication.it", drug: str = "drug.alphadine", **keys: Any) -> dict[str, Any]:
    """Avoid a drug where all these lines hold."""
    return rule(i, condition=[{"drug": {"id": drug, "as": "it"}}, *lines], constraint={"avoid": "it"}, **keys)


def limit(kind: str, *rows: Mapping[str, Any], drug: Any = "drug.alphadine", i: str = "otc.it", **keys: Any) -> dict[str, Any]:
    """A limit on one drug line."""
    line = drug if isinstance(drug, dict) else {"id": drug}
    return rule(i, kind="otc_limit", condition=[{"drug": {**line, "as": "it"}}], constraint={kind: list(rows)}, **keys)


def doses(*ranges: Mapping[str, Any], drug: str = "alphadine", **keys: Any) -> dict[str, Any]:
    """A dose table of one drug, with the two cases that every table needs; the compiler does not run them."""
    card: dict[str, Any] = {
        "id": f"dose.{drug}",
        "drug": f"drug.{drug}",
        "review": {"last": date(2026, 11, 20), "due": date(2027, 11, 20), "by_whom": []},
        "harm": "harm.upset",
        "harm_low": "harm.dullness",
        "ranges": list(ranges),
        "evidence": [{"source": "source.made-up", "grade": "consensus", "supports": ["ranges"], "checked": {"how": "recalled"}}],
        "cases": [{"name": "one", "given": {}, "expect": "HIGH"}, {"name": "two", "given": {}, "expect": "CORRECT"}],
    }
    return card | keys


def write_kb(root: Path, rules: Sequence[Mapping[str, Any]], **more: Mapping[str, Any]) -> Path:
    """A knowledge folder with the made-up facts and these rules; `drugs=`, `classes=` … add facts or replace them."""
    return with_language(_write_facts(root, rules, **more))


def _write_facts(root: Path, rules: Sequence[Mapping[str, Any]], **more: Mapping[str, Any]) -> Path:
    kb = root / "kb"
    kb.mkdir(parents=True)
    (kb / "VERSION").write_text("2026.11.0\n")
    for table in ("units.yaml", "reactions.yaml"):
        shutil.copy(REPO / "kb" / table, kb / table)
    facts = {
        "drugs": DRUGS,
        "products": PRODUCTS,
        "classes": CLASSES,
        "conditions": CONDITIONS,
        "labs": LABS,
        "allergens": ALLERGENS,
        "foods": {},
        "coverage": {},
        "harms": HARMS,
        "inferences": {
            "men": {"when": [{"sex": "male"}], "then": {"pregnancy": "no", "breastfeeding": "no"}},
            "late": {"when": [{"age": {"at_least": "56 y"}}], "then": {"pregnancy": "no"}},
        },
        "sources": {"made-up": {"title": "A made-up source", "type": "consensus"}},
    }
    kinds = {"classes": "class"}
    for folder, items in facts.items():
        kind = kinds.get(folder, folder.removesuffix("s"))
        for name, keys in {**items, **more.get(folder, {})}.items():
            named = {} if kind in ("inference", "source", "coverage") else {"name": name}
            _write(kb / folder / f"{name}.yaml", {"id": f"{kind}.{name}", **named, **keys})
    for card in rules:
        kind, _, name = card["id"].partition(".")
        tables = {"otc": kb / "otc", "dose": kb / "doses"}
        folder = tables[kind] if kind in tables else root / "rules" / FOLDER[kind]
        _write(folder / f"{name}.yaml", card)
    return root


@cache
def _without_rules() -> Store:
    """The made-up facts and our lists of words, compiled: what a test does not change is taken over from there."""
    with tempfile.TemporaryDirectory(prefix="kb-") as folder:
        found = compile_collected(collected_with_language(_write_facts(Path(folder), ())), keeps=True)
    if found.problems:
        raise KnowledgeError(found.problems)
    return Store.of(packed(found, RECIPE, "code", "key"))


def small(*rules: Mapping[str, Any], **more: Mapping[str, Any]) -> Engine:
    """An engine over the made-up facts and these rules. Raises KnowledgeError if a rule does not compile."""
    with tempfile.TemporaryDirectory(prefix=f"kb{next(_numbers)}-") as folder:
        collected = collected_with_language(_write_facts(Path(folder), rules, **more))
        found = compile_collected(collected, _without_rules(), keeps=True)
    if found.problems:
        raise KnowledgeError(found.problems)
    return engine_of(found.library)


def verdict(
    engine: Engine, rule_id: str = "contraindication.it", plan: Sequence[Any] = (), as_of: str = DAY, **patient: Any
) -> str:
    """What one rule says of a patient: `violated`, `unknown` or `silent`. `why` must agree with the report."""
    case = {"patient": patient, "plan": list(plan)}
    report = engine.check(case, as_of)
    spoke = {f.rule for f in report.findings}, {u.rule for u in report.unknown}
    said = "violated" if rule_id in spoke[0] else "unknown" if rule_id in spoke[1] else "silent"
    explained = engine.why(rule_id, case, as_of).verdict
    assert (explained if explained in ("violated", "unknown") else "silent") == said, f"check: {said}, why: {explained}"
    return said


def needs(engine: Engine, plan: Sequence[Any] = (), as_of: str = DAY, **patient: Any) -> set[str]:
    """Every missing fact that the report asks for."""
    report = engine.check({"patient": patient, "plan": list(plan)}, as_of)
    return {n for u in report.unknown for n in u.needs}


def _write(path: Path, value: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_as_yaml(repr(value), lambda: dict(value)), encoding="utf-8")


_written: dict[str, str] = {}


def _as_yaml(key: str, value: Callable[[], dict[str, Any]]) -> str:
    """A file's text; the made-up facts are the same for nearly every test, and written out once."""
    if key not in _written:
        _written[key] = yaml.safe_dump(value(), sort_keys=False, allow_unicode=True)
    return _written[key]
