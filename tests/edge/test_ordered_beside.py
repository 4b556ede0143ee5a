"""A medicine with its dose under a heading of a plan, beside what is ordered or ended there, is ordered; elsewhere it is told."""

from __future__ import annotations

import pytest

from safety.engine import Engine


@pytest.mark.parametrize(
    ("text", "medicine", "context"),
    [
        ("Pain: scheduled Tylenol 1 g TID, lidocaine patch daily, discontinue tramadol.", "drug.acetaminophen", "prescribed"),
        ("Renal: Lokelma 10 g TID x 48 h. Losartan stopped.", "drug.sodium-zirconium-cyclosilicate", "prescribed"),
        ("Iron def: ferrous sulfate 325 mg every other day; stop omeprazole.", "drug.ferrous-sulfate", "prescribed"),
        ("Home meds: lisinopril 10 mg daily, HCTZ 25 mg daily stopped.", "drug.lisinopril", "taking"),
        ("HPI: lisinopril 10 mg daily; stopped HCTZ last year.", "drug.lisinopril", "taking"),
        ("HTN: lisinopril 10 mg daily, BP 128/76.", "drug.lisinopril", "taking"),
        ("Patient: I take lisinopril 10 mg daily and stopped HCTZ.", "drug.lisinopril", "taking"),
    ],
)
def test_what_is_ordered_beside_an_order(engine: Engine, text: str, medicine: str, context: str) -> None:
    said = {drug: m.context for m in engine.extract(text).medications for drug in m.drugs}
    assert said[medicine] == context
