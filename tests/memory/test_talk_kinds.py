"""Kinds that a list written without sight of the code showed to be missed: from now on a regression test.

The statements of that list are kept in pairs_heard.yaml, with a floor; rows that this project holds to be otherwise
(a stop of what the record has is a contradiction, as the paper on reconciliation has it) are misses there, and stay so.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
import yaml
from measuring.told import taking as state
from measuring.told import told

from memory.pairs import answers, misses
from safety.engine import Engine
from safety.memory.belief import Belief

HERE = Path(__file__).parent
PAIRS = yaml.safe_load((HERE / "pairs_heard.yaml").read_text(encoding="utf-8"))
FLOOR = 424


def believed(engine: Engine, *said: str) -> Belief:
    days = [(f"2026-0{n}-10", text) for n, text in enumerate(said, 1)]
    return engine.remember(told(engine, days)).belief(date(2026, 11, 20))


@pytest.mark.parametrize(
    ("said", "name", "stands", "dose"),
    [
        (("I've been on Norvasc, the 5.", "Dr. Patel bumped my amlodipine up to 10.", "He put me back down to 5."), "amlodipine",
         "taken", "5 mg"),
        (("She takes metformin 500 twice a day.", "Now they have her on 1000 twice a day."), "metformin", "taken", "1000 mg"),
        (("I take Zoloft 50.", "Stopped Zoloft, I'm not sure when or if they did."), "sertraline", "conflict", "50 mg"),
        (("I take the Entresto 24/26 twice daily.",), "valsartan", "taken", None),
        (("They added potassium, 10 mEq.",), "potassium chloride", "taken", "10 mEq"),
        (("I take Prozac.", "Stopped it a month ago... no wait, that was the Zoloft. I'm still on the Prozac."), "fluoxetine",
         "taken", None),
        (("They gave me Bactrim.", "Broke out in hives all over so I quit it."), "sulfamethoxazole", "not taken", None),
        (("I take Eliquis 5 twice a day.", "I left it at home, so none since Friday."), "apixaban", "held", None),
        (("I take Eliquis 5 twice a day.", "I'm about to run out of it."), "apixaban", "taken", "5 mg"),
        (("They want me on Jardiance but it's not approved yet.",), "empagliflozin", "untold", None),
    ],
)  # fmt: skip
def test_what_is_believed(engine: Engine, said: tuple[str, ...], name: str, stands: str, dose: str | None) -> None:
    belief = believed(engine, *said)
    assert state(belief, name) == stands
    if dose is not None:
        assert str(belief.medicine(name).slot("dose").value) == dose


def test_what_makes_swell_is_an_allergy(engine: Engine) -> None:
    belief = believed(engine, "Shellfish makes my lips swell.", "Latex makes my hands blister.")
    assert [str(belief.allergy(a).slot("state").value) for a in ("shellfish", "latex")] == ["present", "present"]


def test_the_heard_statements_are_judged_as_well_as_they_were(engine: Engine) -> None:
    found = [misses({"result": s["result"]}, r) for g in PAIRS for s, r in zip(g["statements"], answers(engine, g), strict=True)]
    assert found.count([]) >= FLOOR
