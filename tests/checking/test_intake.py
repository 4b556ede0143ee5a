"""Food, drink and smoke; limits that a clinician set."""

from __future__ import annotations

from typing import Any

import pytest
from small_kb import DAY, avoid, rule, small, verdict

from safety.engine import Engine

FOODS = {
    "sources": {},
    "foods": {
        "sour-fruit": {"synonyms": ["sour juice"]},
        "spirits": {"synonyms": ["drinks", "beer"]},
        "salt": {"synonyms": ["sodium"]},
        "fluid": {"synonyms": ["water"]},
    },
}
FRUIT = small(avoid({"intake": {"of": "food.sour-fruit"}}), **FOODS)
MANY = small(avoid({"intake": {"of": "food.spirits", "daily": {"at_least": "3 drink"}}}), **FOODS)
LIMITS = small(
    rule("food.limits", kind="food", condition=[{"intake": {"of": ["food.salt", "food.fluid"], "over_limit": "yes"}}],
         constraint={"require": [{"not": {"intake": {"of": ["food.salt", "food.fluid"], "over_limit": "yes"}}}]}),
    **FOODS,
)  # fmt: skip
TAKES = ["alphadine 5 mg daily"]


@pytest.mark.parametrize(
    ("intake", "expected"),
    [(["sour fruit"], "violated"), (["a glass of sour juice every morning"], "violated"), (["water"], "silent"),
     ([], "silent"), (None, "unknown")],
)  # fmt: skip
def test_what_is_eaten_is_told_not_told_or_told_as_nothing(intake: list[str] | None, expected: str) -> None:
    told: dict[str, Any] = {} if intake is None else {"intake": intake}
    assert verdict(FRUIT, medications=TAKES, **told) == expected


@pytest.mark.parametrize(
    ("intake", "expected"),
    [("3 drinks a day", "violated"), ("2.9 drinks a day", "silent"), ("beer", "unknown"), ("21 drinks a week", "violated"),
     ("20 drinks a week", "silent"), ("0 drinks a day", "silent"), ("no beer", "silent"), ("never drinks", "silent"),
     ("no more than 4 drinks a day", "violated")],
)  # fmt: skip
def test_how_much_is_drunk(intake: str, expected: str) -> None:
    assert verdict(MANY, medications=TAKES, intake=[intake]) == expected


@pytest.mark.parametrize(
    ("intake", "limits", "expected"),
    [
        (["sodium 3 g a day"], ["sodium 2000 mg a day"], "violated"),
        (["2000 mg sodium a day"], ["sodium 2 g a day"], "silent"),
        (["3 L water a day"], ["fluid 2 L a day"], "violated"),
        (["3 L water a day"], ["sodium 2000 mg a day"], "silent"),
        (["water"], ["fluid 2 L a day"], "unknown"),
        (["3 L water a day"], None, "silent"),
    ],
)
def test_a_limit_that_a_clinician_set_is_exceeded_or_kept(intake: list[str], limits: list[str] | None, expected: str) -> None:
    told: dict[str, Any] = {} if limits is None else {"diet_limits": limits}
    assert verdict(LIMITS, "food.limits", intake=intake, **told) == expected


def test_a_food_that_we_do_not_know_is_never_clear() -> None:
    report = FRUIT.check({"patient": {"medications": TAKES, "intake": ["zorbleberries"]}}, DAY)
    assert [u.where for u in report.unresolved] == ["intake[0]"]
    assert report.verdict == "unknown"


@pytest.mark.parametrize("line", ["mj", "grapefruit juice", "2 beers a night", "wine daily"])
def test_a_word_that_is_not_read_beside_something_eaten_on_a_line_of_a_medicine_is_never_clear(engine: Engine, line: str) -> None:
    person = {"age": 50, "sex": "male", "allergies": [], "conditions": [], "medications": ["loratadine 10 mg daily"]}
    plain, odd = ({**person, "medications": [*person["medications"], text]} for text in (line, f"{line} qzxglorply"))
    asked = engine.check({"patient": odd}, DAY).unresolved
    assert [(u.where, "qzxglorply" in u.ask) for u in asked] == [("medications[1]", True)]
    assert not engine.check({"patient": plain}, DAY).unresolved


@pytest.mark.parametrize(
    ("line", "drinks"),
    [
        ("beer 2 a day", "2 drink"), ("3 beers every evening", "3 drink"), ("wine 1 glass nightly", "1 drink"),
        ("14 beers/wk", "2 drink"), ("alcohol: 2-3 drinks/wk", "0.4285714285714285714285714286 drink"),
        ("wine 2 bottles a day", "2 bottle"), ("vodka 1 pint daily", "None"), ("coffee 4 cups a day", "None"),
    ],
)  # fmt: skip
def test_what_is_counted_in_drinks_is_drinks_and_no_years(engine: Engine, line: str, drinks: str) -> None:
    read = engine.checker.terms.intake.read(line)
    assert (read.food is not None, str(read.daily)) == (True, drinks)
