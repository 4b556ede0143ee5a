"""The dialogues of dialogues.yaml: each expectation held against the belief of its day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import yaml

from safety.engine import Engine
from safety.memory.belief import Belief, Believed, Holding
from safety.memory.history import History
from safety.memory.reading import read_events
from safety.memory.subjects import Understanding
from safety.memory.times import TimeReader
from safety.memory.values import relation
from safety.model.patient import Medication

DIALOGUES: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "dialogues.yaml").read_text(encoding="utf-8"))
SLOTS = {"dose": "dose", "frequency": "frequency", "route": "route", "for": "for", "adherence": "adherence"}


def history_of(engine: Engine, events: object) -> History:
    return History(read_events(events, TimeReader(engine.library.language)).events, Understanding(engine.checker))


def misses(engine: Engine, dialogue: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Each point of a dialogue that is expected (what and which), and what came instead; empty where it is right."""
    history = history_of(engine, dialogue["events"])
    for expected in dialogue["expect"]:
        belief = Belief(history, expected["at"], expected.get("known"))
        for key, value in expected.items():
            if key not in ("at", "known", "of", "condition", "allergy", "test", "sides"):
                yield f"{key}={value}", _miss(belief, expected, key, value)


def _one(belief: Belief, expected: dict[str, Any]) -> Believed:
    if "of" in expected:
        return belief.medicine(expected["of"])
    return belief.condition(expected["condition"]) if "condition" in expected else belief.allergy(expected["allergy"])


def _miss(belief: Belief, expected: dict[str, Any], key: str, value: Any) -> str:
    if "test" in expected:
        return _miss_of_result(belief, expected, key, value)
    one = _one(belief, expected)
    main = one.slot("taking" if "of" in expected else "state")
    if key == "is":
        return _holds(main, value, expected.get("sides"))
    if key == "believed":
        held = next((h for h in one.slots.values() if h.standing == "conflict"), main)
        return "" if str(held.value) == value else f"{held}"
    if key in SLOTS:
        return _slot(belief, one, key, value, expected)
    if key == "per_day":
        return "" if str(one.per_day) == value else str(one.per_day)
    if key == "asks":
        asked = [
            q.ask
            for q in belief.questions
            if q.about == str(one.line) or q.about in {e.id for e, _ in belief.known_events(one.line)}
        ]
        return "" if bool(asked) is value else f"asked {asked}"
    if key == "doubts":
        mine = {e.id for e, _ in belief.known_events(one.line)}
        found = [d.kind for d in belief.doubts if mine.intersection(d.events)]
        return "" if found == value else f"{found}"
    if key == "mentions":
        return "" if main.mentions == value else f"{main.mentions}"
    return _supply(belief, one, key, value)


def _supply(belief: Belief, one: Believed, key: str, value: Any) -> str:
    assert one.supply is not None
    if key == "supply_ends":
        return "" if one.supply.ends == value else f"{one.supply.ends}"
    if key == "gaps":
        return "" if len(one.supply.gaps) == value else f"{one.supply.gaps}"
    assert (key, value) == ("supply", "out")
    return "" if one.supply.ends is not None and one.supply.ends < belief.day else f"until {one.supply.ends}"


def _holds(held: Holding, value: str, sides: list[str] | None) -> str:
    if value in ("conflict", "unsure", "untold"):
        right = held.standing == value and (sides is None or {str(s.value) for s in held.sides} == set(sides))
        return "" if right else f"{held}"
    return "" if held.standing == "known" and str(held.value) == value else f"{held}"


def _slot(belief: Belief, one: Believed, key: str, value: str, expected: dict[str, Any]) -> str:
    held = one.slot(key)  # type: ignore[arg-type]
    if value in ("conflict", "unsure", "untold"):
        sides = expected.get("sides") if expected.get("is") != "conflict" else None
        return _holds(held, value, sides)
    understanding = belief.history.understanding
    told = understanding.medicine(Medication(f"{expected['of']} {value}"))
    wanted = {"dose": told.regimen.dose, "frequency": told.regimen.often}.get(key)
    if wanted is not None and held.value is not None:
        same = held.standing == "known" and relation(held.value, wanted, understanding.units) == "same"
        return "" if same else f"{held}"
    if key == "dose" and held.value is not None:  # a unit that only this medicine has
        return "" if str(held.value) == value else f"{held}"
    return "" if held.standing == "known" and str(held.value) == value else f"{held}"


def _miss_of_result(belief: Belief, expected: dict[str, Any], key: str, value: Any) -> str:
    held = belief.result(expected["test"])
    if key == "asks":
        asked = [q.ask for q in belief.questions]
        return "" if bool(asked) is value else f"asked {asked}"
    if key == "is":
        return "" if held.standing == value else f"{held}"
    number = str(held.value).partition(" ")[0] if held.sides else "untold"
    return "" if (key == "believed" or held.standing == "known") and number == str(value) else f"{held}"


__all__ = ["DIALOGUES", "date", "history_of", "misses"]
