"""What patients say is judged as it was written down beforehand; `corpus/README.md` says how to read a line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from measuring.statements import request_of, right

from safety.engine import Engine

CORPUS = Path(__file__).parent / "corpus"
# Known and open; each is told as not clear, never as right.
OPEN = {
    "I alternate, 5 mg one day and 7.5 the next",
    "I don't take 5 mg once a day, I take 10",
    "I take three iron pills a day",  # the salt was prescribed, the metal was named
    "I change the patch every three days",  # the order does not say how many
    "I finished them early, took three a day",  # three of what strength
    "40 on bad days, 20 on good days",
    "I never ever forget them five in the morning and five at night milligrams I mean",  # the unit comes long after
    "I quit those, my neighbor said they rot your brain",  # a word near a name is asked about
    "if I skip lunch I skip the pill too",
    "I think I took two last night it was dark",  # two of what strength
    "I have ones and fours, I take one of each",
    "swallow it whole once a day with water",  # one of them, presumably
    "children's ibuprofen 7.5 mL every 8 hours",  # no such product is held, so its strength is asked for
    "I think it's 20 but I'm not sure, once a day",
}


def rows() -> list[Any]:
    found = []
    for file in sorted(CORPUS.glob("*.yaml")):
        for n, row in enumerate(yaml.safe_load(file.read_text(encoding="utf-8"))["statements"]):
            found.append(pytest.param(row, id=f"{file.stem}-{n}: {str(row['says'])[:60]}"))
    return found


@pytest.mark.parametrize("row", rows())
def test_a_statement_is_judged_as_written_down(engine: Engine, row: dict[str, Any]) -> None:
    answer = engine.dose(request_of(row))
    if str(row["says"]) in OPEN:
        assert answer.verdict == "UNKNOWN"
        return
    assert right(row, answer) == (True, True, True), (answer.verdict, answer.axes, answer.suspects, answer.understood)


def test_the_corpus_holds_every_kind_and_enough_of_it() -> None:
    assert len(rows()) >= 400
    kinds = {yaml.safe_load(f.read_text(encoding="utf-8"))["kind"] for f in CORPUS.glob("*.yaml")}
    assert {"as-prescribed", "forgotten", "ran-out", "double", "extra", "half", "wrong-strength", "wrong-count", "frequency",
            "timing", "all-at-once", "unit-slip", "tenfold", "weekly", "prn-ceiling", "brand-generic", "er-split", "otc-limits",
            "otc-sums", "unknown"} <= kinds  # fmt: skip
