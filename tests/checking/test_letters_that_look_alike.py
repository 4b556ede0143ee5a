"""Letters that a pattern takes for plain ones where it ignores case ("Aprıl") are read as those, and nothing fails."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from safety.engine import Engine

ALIKE = str.maketrans({"i": "ı", "s": "ſ", "k": "\u212a", "I": "İ"})
TEXTS = (
    "IV", "stop lisinopril and start losartan in 3 minutes", "K 4.1 on April 6", "MI in April 2019, s/p CABG, hx of DVT",
    "take 1 tablet by mouth twice daily x 5 days as needed for pain", "since 6 weeks pregnant", "She is six months old",
    "insulin sliding scale", "steroids-induced diabetes", "missed his morning dose", "his sister takes aspirin",
)  # fmt: skip
LISTS = ("conditions", "medications", "allergies", "labs", "intake", "procedures", "genes", "vitals", "vaccines", "devices")
DAY = "2026-11-29"
WAYS: dict[str, Callable[[Engine, str], object]] = {
    "check": lambda e, t: e.check({"patient": {name: [t] for name in LISTS}, "plan": [t]}, DAY),
    "lab": lambda e, t: e.lab({"text": f"K 4.1 {t}", "patient": {"conditions": [t]}}, DAY),
    "extract": lambda e, t: e.extract(t),
    "sig": lambda e, t: e.sig(t),
    "turn": lambda e, t: e.turn([], t, {"patient": {}}, DAY),
    "events": lambda e, t: e.events_said(t, DAY, 1),
}


@pytest.mark.parametrize("way", WAYS)
def test_nothing_fails_over_them(engine: Engine, way: str) -> None:
    assert [text for text in TEXTS if WAYS[way](engine, text.translate(ALIKE)) is None] == []


def test_they_are_read_as_the_letters_that_they_look_like(engine: Engine) -> None:
    told = engine.extract("Stop lisinopril.".translate(ALIKE)).medications
    assert [(m.drugs, m.context) for m in told] == [(("drug.lisinopril",), "stopped")]
    assert told[0].span.text == "lisinopril".translate(ALIKE)
    report = engine.check({"patient": {"medications": ["lısınoprıl 10 mg daily"]}}, DAY)
    assert [m.drug for m in report.medications] == ["drug.lisinopril"]
