"""A small knowledge folder in which an audit finds nothing, and faults that can be planted in it, one for each line."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from copy import deepcopy
from datetime import date
from pathlib import Path
from typing import Any

import yaml
from broken.laying import with_language
from conftest import REPO

from safety.knowledge.label_sections import SECTIONS

DAY = date(2026, 11, 28)
REVIEW = {"last": date(2026, 11, 20), "due": date(2027, 11, 20), "by_whom": []}


def cited(*sources: str, supports: str = "severity", how: str = "read") -> list[dict[str, Any]]:
    """Citations of texts that were opened (or not)."""
    opened = {"on": date(2026, 11, 20), "copy": "a made-up copy"} if how != "recalled" else {}
    return [
        {
            "source": f"source.{name}",
            "at": "whole",
            "grade": "consensus",
            "supports": [supports],
            "checked": {"how": how, **opened},
        }
        for name in sources
    ]


def rule(i: str, **keys: Any) -> dict[str, Any]:
    """A rule with every key filled in."""
    return {
        "id": i, "title": "A made-up rule", "kind": i.partition(".")[0], "status": "active", "severity": "major",
        "review": REVIEW,
        "action": {"do": "stop", "target": "it", "advice": "Stop {it}."},
        "rationale": {"mechanism": "disease", "summary": "Because."}, "outcome": {"harm": "harm.upset"},
        "evidence": cited("one", "two"),
        "cases": [{"name": "one", "given": {}, "expect": "violated"}, {"name": "two", "given": {}, "expect": "not_applicable"}],
        **keys,
    }  # fmt: skip


def between(i: str, first: Any, second: Any, **keys: Any) -> dict[str, Any]:
    """A rule of two medicines."""
    lines = [{"drug": {**_meant(first), "as": "it"}}, {"drug": {**_meant(second), "as": "other"}}]
    return rule(i, condition=lines, constraint={"avoid_together": ["it", "other"]}, **keys)


def _meant(told: Any) -> dict[str, Any]:
    if isinstance(told, dict):
        return told
    return {"class" if told.startswith("class.") else "id": told}


def of_one(i: str, drug: Any, *lines: Any, **keys: Any) -> dict[str, Any]:
    """A rule of one medicine in some patients."""
    return rule(i, condition=[{"drug": {**_meant(drug), "as": "it"}}, *lines], constraint={"avoid": "it"}, **keys)


def table(drug: str, **keys: Any) -> dict[str, Any]:
    """A dose table."""
    return {
        "id": f"dose.{drug}", "drug": f"drug.{drug}", "review": REVIEW, "harm": "harm.upset", "harm_low": "harm.upset",
        "ranges": [{"id": "usual", "day": {"at_most": "100 mg"}}], "evidence": cited("one", "two", supports="ranges"),
        "cases": [
            {"name": "at", "given": {"drugs": [f"{drug} 100 mg oral daily"]}, "expect": "CORRECT"},
            {"name": "over", "given": {"drugs": [f"{drug} 110 mg oral daily"]}, "expect": "HIGH"},
        ],
        **keys,
    }  # fmt: skip


def limit(i: str, drug: str, *rows: Mapping[str, Any], **keys: Any) -> dict[str, Any]:
    """A limit of what is bought."""
    kept = {"kind": "otc_limit", "condition": [{"drug": {"id": drug, "as": "it"}}], "constraint": {"single_dose": list(rows)}}
    return rule(i, **kept, **keys)


def clean() -> dict[str, dict[str, Any]]:
    """Every file of the folder, by path, in which there is nothing to mend."""
    drug = {"supply": "prescription", "routes": ["oral"]}
    facts: dict[str, dict[str, Any]] = {
        "kb/drugs/alphadine.yaml": {"id": "drug.alphadine", "name": "alphadine", **drug},
        "kb/drugs/betadorm.yaml": {"id": "drug.betadorm", "name": "betadorm", **drug},
        "kb/drugs/gammapril.yaml": {"id": "drug.gammapril", "name": "gammapril", **drug},
        "kb/drugs/epsilox.yaml": {"id": "drug.epsilox", "name": "epsilox", "supply": "otc", "routes": ["oral"]},
        "kb/classes/greeks.yaml": {"id": "class.greeks", "name": "greeks", "members": ["drug.alphadine", "drug.betadorm"]},
        "kb/conditions/ulcer.yaml": {"id": "condition.ulcer", "name": "ulcer"},
        "kb/harms/upset.yaml": {"id": "harm.upset", "name": "upset"},
        "kb/sources/one.yaml": {"id": "source.one", "title": "The first source", "type": "consensus"},
        "kb/sources/two.yaml": {"id": "source.two", "title": "The second source", "type": "consensus"},
    }
    rows = ({"who": {"age": {"at_least": "12 y"}}, "at_most": "20 mg"}, {"who": {"age": {"under": "12 y"}}, "at_most": "10 mg"})
    cases = [
        {"name": n, "given": {"age": age, "drugs": [f"epsilox {mg} mg oral daily"]}, "expect": expect}
        for n, age, mg, expect in (
            ("at", "12 y", 20, "satisfied"), ("over", "12 y", 21, "violated"), ("child at", "11 y", 10, "satisfied"),
            ("child over", "11 y", 11, "violated"),
        )
    ]  # fmt: skip
    rules = [
        between("interaction.greeks-gammapril", "class.greeks", "drug.gammapril"),
        between("interaction.greeks-epsilox", "class.greeks", "drug.epsilox"),
        *(of_one(f"contraindication.{n}", f"drug.{n}", {"has": "condition.ulcer"}) for n in ("alphadine", "betadorm", "gammapril",
                                                                                            "epsilox")),
        *(table(n) for n in ("alphadine", "betadorm", "gammapril")),
        limit("otc.epsilox", "drug.epsilox", *rows, cases=cases),
    ]  # fmt: skip
    return {**facts, **{place_of(r["id"]): r for r in rules}}


_FOLDERS = {
    "interaction": "rules/interactions",
    "contraindication": "rules/contraindications",
    "otc": "kb/otc",
    "dose": "kb/doses",
}


def place_of(i: str, *, retired: bool = False) -> str:
    """The file of a rule."""
    kind, _, name = i.partition(".")
    return f"rules/retired/{_FOLDERS[kind].partition('/')[2]}/{name}.yaml" if retired else f"{_FOLDERS[kind]}/{name}.yaml"


def write(root: Path, files: Mapping[str, Mapping[str, Any]]) -> Path:
    """The folder with these files."""
    (root / "kb").mkdir(parents=True)
    (root / "kb" / "VERSION").write_text("2026.11.0\n")
    for copied in ("units.yaml", "reactions.yaml"):
        shutil.copy(REPO / "kb" / copied, root / "kb" / copied)
    with_language(root)
    for path, value in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(yaml.safe_dump(dict(value), sort_keys=False, allow_unicode=True), encoding="utf-8")
    return root


Files = dict[str, dict[str, Any]]
_AB = "interaction.alphadine-betadorm"


def _set(path: str, **keys: Any) -> Callable[[Files], None]:
    def plant(files: Files) -> None:
        files[path] = {**files[path], **deepcopy(keys)}

    return plant


def _add(*rules: dict[str, Any]) -> Callable[[Files], None]:
    def plant(files: Files) -> None:
        files.update({place_of(r["id"], retired=r.get("status") == "retired"): r for r in rules})

    return plant


def _file(path: str, **keys: Any) -> Callable[[Files], None]:
    def plant(files: Files) -> None:
        files[path] = keys

    return plant


_GREEKS = place_of("interaction.greeks-gammapril")
_LOOK = {"do": "monitor", "advice": "Look."}
_ULCER = {"has": "condition.ulcer"}
_LATER = {"last": date(2024, 1, 1), "due": date(2025, 1, 1), "by_whom": []}
_BACKWARD = {"last": date(2027, 1, 20), "due": date(2026, 12, 20), "by_whom": []}
_ROWS = [{"who": {"age": {"at_least": "12 y"}}, "at_most": "20 mg"}, {"who": {"age": {"under": "6 y"}}, "at_most": "10 mg"}]
_OVER = [{"who": {"age": {"at_least": "12 y"}}, "at_most": "20 mg"}, {"who": {"age": {"under": "14 y"}}, "at_most": "10 mg"}]
_UNITS = [{"who": {"age": {"at_least": "12 y"}}, "at_most": "20 mg"}, {"who": {"age": {"under": "12 y"}}, "at_most": "2 tablet"}]


def _retired(name: str, following: str) -> dict[str, Any]:
    keys = {"status": "retired", "replaced_by": f"contraindication.{following}"}
    return of_one(f"contraindication.{name}", "drug.alphadine", _ULCER, **keys)


def _two_labels(files: Files) -> None:
    """Two ledgers that are whole, of which one names the rule of the pair."""
    _add(between("interaction.two-labels", "drug.alphadine", "drug.betadorm"))(files)
    sections = dict.fromkeys(SECTIONS["prescription"], "nothing")
    for drug, held in (
        ("alphadine", [{"says": "not with betadorm", "for": "interaction", "held": "interaction.two-labels"}]),
        ("betadorm", "nothing"),
    ):
        files[f"kb/coverage/{drug}.yaml"] = {
            "id": f"coverage.{drug}", "drug": f"drug.{drug}", "evidence": cited("one", supports="sections"),
            "sections": {**sections, "interactions": held},
        }  # fmt: skip


FAULTS: dict[str, tuple[Callable[[Files], None], str]] = {
    "review.overdue": (_set(_GREEKS, review=_LATER), "interaction.greeks-gammapril"),
    "review.order": (_set(_GREEKS, review=_BACKWARD), "interaction.greeks-gammapril"),
    "review.reviewer": (_set(_GREEKS, review={**REVIEW, "by_whom": ["Jane Doe"]}), "interaction.greeks-gammapril"),
    "evidence.recalled": (_set(_GREEKS, evidence=cited("one", how="recalled"), severity="minor"), "interaction.greeks-gammapril"),
    "evidence.single": (_set(_GREEKS, evidence=cited("one")), "interaction.greeks-gammapril"),
    "evidence.unread": (_set(_GREEKS, evidence=cited("one", "two", how="secondary")), "interaction.greeks-gammapril"),
    "cases.boundary": (
        _add(of_one("contraindication.old", "drug.alphadine", {"age": {"at_least": "65 y"}})), "contraindication.old",
    ),
    "coverage.medicine": (
        _file("kb/drugs/zetanol.yaml", id="drug.zetanol", name="zetanol", supply="prescription", routes=["oral"]), "drug.zetanol",
    ),
    "coverage.otc": (_set("kb/drugs/alphadine.yaml", supply="both"), "drug.alphadine"),
    "coverage.condition": (_file("kb/conditions/rash.yaml", id="condition.rash", name="rash"), "condition.rash"),
    "contradiction.severity": (
        _add(between("interaction.again", "drug.gammapril", "class.greeks", severity="moderate", action=_LOOK)),
        "interaction.greeks-gammapril",
    ),
    "contradiction.levels": (
        _add(between(_AB, "drug.alphadine", "drug.gammapril", severity="minor", action=_LOOK)), _AB,
    ),
    "contradiction.action": (
        _add(between("interaction.again", "drug.gammapril", "class.greeks")), "interaction.greeks-gammapril",
    ),
    "contradiction.order": (
        _add(between("interaction.begun", {"id": "drug.gammapril", "in": "plan"}, "drug.epsilox")), "interaction.begun",
    ),
    "contradiction.verb": (
        _set(_GREEKS, severity="contraindicated", action={**_LOOK, "do": "monitor"}), "interaction.greeks-gammapril",
    ),
    "contradiction.one-label": (_two_labels, "interaction.two-labels"),
    "contradiction.policy": (
        _file(
            "rules/policy/default.yaml", id="policy.default", title="Alerts", review=REVIEW,
            lines=[
                {"kind": ["interaction"], "interrupt": True, "because": "it is new"},
                {"tags": ["nothing-has-it"], "interrupt": False, "because": "we know it"},
            ],
        ), "policy.default",
    ),
    "reach.empty": (
        _add(of_one("contraindication.none", {"class": "class.greeks", "except": ["drug.alphadine", "drug.betadorm"]}, _ULCER)),
        "contraindication.none",
    ),
    "reach.impossible": (
        _add(of_one("contraindication.both", "drug.alphadine", _ULCER, {"not": _ULCER})), "contraindication.both",
    ),
    "reach.shadowed": (_add(between(_AB, "drug.alphadine", "drug.gammapril")), _AB),
    "limits.hole": (_set("kb/otc/epsilox.yaml", constraint={"single_dose": _ROWS}), "otc.epsilox"),
    "limits.overlap": (_set("kb/otc/epsilox.yaml", constraint={"single_dose": _OVER}), "otc.epsilox"),
    "limits.unit": (_set("kb/otc/epsilox.yaml", constraint={"single_dose": _UNITS}), "otc.epsilox"),
    "links.unused": (
        _file("kb/sources/three.yaml", id="source.three", title="The third source", type="consensus"), "source.three",
    ),
    "links.replaced": (
        _add(
            _retired("former", "older"), _retired("older", "alphadine"),
        ), "contraindication.former",
    ),
    "text.placeholder": (_set(_GREEKS, rationale={"mechanism": "disease", "summary": "TODO: say why."}),
                         "interaction.greeks-gammapril"),
}  # fmt: skip
"""Of each line a fault that it must find, and about what it is told."""
