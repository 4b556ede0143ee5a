"""Every row of the tables in `changes` and `suspects` by what people say: a statement that it holds for, and one near it."""

from __future__ import annotations

from datetime import date
from itertools import groupby

import pytest
from msgspec.structs import replace

from safety.adherence.axes import axes_by_row, overall
from safety.adherence.changes import BY_EVENTS, BY_NUMBERS, Seen
from safety.adherence.order import order_of
from safety.adherence.reported_amounts import in_order_units
from safety.adherence.request import read_dose_request
from safety.adherence.said import joined, said_of, supply_of
from safety.adherence.suspects import HIGH, LOW, Suspect
from safety.engine import Engine
from safety.reading.spoken.supply import supply_says

DAY = date(2026, 11, 20)
ONE, TWO = "lisinopril 20 mg once daily", "metoprolol 50 mg twice daily"
WEEKLY, NEEDED = "methotrexate 15 mg once weekly", "oxycodone 5 mg tablet 1 tablet every 6 hours as needed"
SLOW = "metoprolol succinate 100 mg extended-release tablet once daily"

# row of `changes`: prescription, a statement that it holds for; prescription, a statement near it that it does not hold for
CHANGED: dict[str, tuple[str, str, str, str]] = {
    "whole-days-left-out": (ONE, "only on weekends", ONE, "every day"),
    "one-dose-over-the-day": (ONE, "I take 40 mg", TWO, "I take 100 mg"),
    "fewer-pieces-than-doses": (
        "furosemide 40 mg twice daily",
        "I only get one tablet a day",
        "furosemide 40 mg twice daily",
        "I only get two tablets a day",
    ),
    "weekly-on-many-days": (
        WEEKLY,
        "I had it Monday. I had it Wednesday. I had it Friday.",
        WEEKLY,
        "I had it Monday. I had it Wednesday.",
    ),
    "as-needed-within-the-day": (NEEDED, "two a day at most", NEEDED, "two at a time"),
    "as-needed-however-often": (
        "sumatriptan 50 mg as needed max 100 mg in 24 hours",
        "one 50 mg tablet once a day",
        "sumatriptan 50 mg as needed max 100 mg in 24 hours",
        "three 50 mg tablets once a day",
    ),
    "as-needed-beyond-the-doses": (
        "oxycodone 5 mg every 6 hours as needed",
        "maybe six a day",
        "oxycodone 5 mg every 6 hours as needed",
        "maybe three a day",
    ),
    "left-out": (ONE, "I forgot it this morning", ONE, "I never forget it"),
    "left-out-told-how-often": (TWO, "50 mg twice a day but sometimes I forget the evening one", TWO, "I forgot the evening one"),
    "left-out-told-nothing-else": (
        TWO,
        "I forgot the evening one",
        TWO,
        "50 mg twice a day but sometimes I forget the evening one",
    ),
    "not-needed": (NEEDED, "I haven't needed any this week", ONE, "I haven't needed any this week"),
    "doubled": (TWO, "I've been taking double", TWO, "I would never double up"),
    "doubled-day": (TWO, "I've been taking double", TWO, "forgot my morning one so I doubled it tonight"),
    "extra": (ONE, "I take a second one at night", TWO, "I take a second one at night"),
    "used-up-early": (
        "oxycodone 5 mg tablet 1 tablet every 6 hours",
        "my 30 day supply only lasted 12 days",
        "oxycodone 5 mg tablet 1 tablet every 6 hours",
        "my 12 day supply lasted 30 days",
    ),
    "two-names": (
        "atorvastatin 40 mg once daily",
        "one Lipitor and one atorvastatin every night",
        "atorvastatin 40 mg once daily",
        "Lipitor, which is atorvastatin, 40 mg every night",
    ),
    "several-after-a-missed-one": (ONE, "I missed yesterday so I took two today", ONE, "I missed yesterday so I took one today"),
    "all-at-once": (TWO, "I take both together in the morning", TWO, "I take one in the morning"),
    "too-often-by-accident": (ONE, "I accidentally took it three times today", ONE, "I took it three times today"),
    "more-at-once": (ONE, "two instead of one", ONE, "one instead of two"),
    "less-at-once": (ONE, "one instead of two", ONE, "two instead of one"),
    "more-often": (TWO, "three times instead of twice", TWO, "once instead of twice"),
    "less-often": (TWO, "once instead of twice", TWO, "three times instead of twice"),
    "halved": (ONE, "I've been cutting them in half", ONE, "I cut the 40s in half and take 20 mg every day"),
    "halved-slow-release": (SLOW, "I cut a 200 mg tablet in half and take it once a day", SLOW, "I crush it"),
    "broken-slow-release": (SLOW, "I crush it", ONE, "I crush it"),
    "too-often-on-one-day": (ONE, "I took it twice today", ONE, "I take it twice a day"),
    "as-prescribed": (ONE, "like it says on the bottle", ONE, "like it says on the bottle but I forget it now and again"),
}

# name of a suspect, and which of the rows of that name: the same
SUSPECTED_HIGH: dict[tuple[str, int], tuple[str, str, str, str]] = {
    ("unit-slip ×1000", 0): (
        "levothyroxine 100 mcg once daily",
        "100 mg every day",
        "levothyroxine 100 mcg once daily",
        "1 mg every day",
    ),
    ("tenfold", 0): (ONE, "200 mg once a day", ONE, "210 mg once a day"),
    ("weekly-as-daily", 0): (WEEKLY, "15 mg every day", "lisinopril 20 mg once daily", "20 mg seven times a day"),
    ("brand-and-generic", 0): (
        "atorvastatin 40 mg once daily",
        "one Lipitor and one atorvastatin every night",
        "atorvastatin 40 mg once daily",
        "80 mg of Lipitor every night",
    ),
    ("extra-to-be-safe", 0): (
        ONE,
        "I wasn't sure I took it so I took another to be safe",
        ONE,
        "I wasn't sure I took it so I took another to make up for it, to be safe",
    ),
    ("compensatory", 0): (
        ONE,
        "I missed yesterday so I took two today",
        TWO,
        "I forget the evening one so I take 100 mg in the morning",
    ),
    ("extra-to-be-safe", 1): (
        ONE,
        "I wasn't sure I took it so I took another to make up for it, to be safe",
        ONE,
        "I took another to make up for it",
    ),
    ("all-at-once", 0): (TWO, "100 mg once a day", ONE, "40 mg once a day"),
    ("wrong-strength", 0): (ONE, "one 40 mg tablet a day", ONE, "two 20 mg tablets a day"),
    ("wrong-count", 0): (ONE, "two 20 mg tablets a day", ONE, "one 40 mg tablet a day"),
    ("double-dose", 0): (TWO, "I've been taking double", TWO, "100 mg twice a day"),
    ("double-dose", 1): (ONE, "I accidentally took it twice today", ONE, "I accidentally took it late"),
    ("double-dose", 2): (ONE, "I took it twice today", ONE, "I take it twice a day"),
    ("all-at-once", 1): (TWO, "I take 150 mg once a day, all of it together", TWO, "I take 150 mg once a day"),
    ("split-extended-release", 0): (SLOW, "I crush it", ONE, "I crush it"),
    ("wrong-strength", 1): (ONE, "one 40 mg tablet a day", ONE, "40 mg a day"),
    ("wrong-count", 1): (
        "lisinopril 20 mg tablet take 1 tablet daily",
        "two tablets daily",
        "lisinopril 20 mg tablet take 1 tablet daily",
        "40 mg daily",
    ),
    ("extra-dose", 0): (ONE, "I take an extra one when my pressure is high", ONE, "20 mg twice a day"),
    ("exceeds-prn-maximum", 0): (
        NEEDED,
        "maybe five or six a day",
        "oxycodone 5 mg tablet 1 tablet every 6 hours",
        "maybe five or six a day",
    ),
    ("too-often", 0): (ONE, "20 mg twice a day", ONE, "40 mg once a day"),
    ("supply-short", 0): (
        "oxycodone 5 mg tablet 1 tablet every 6 hours",
        "my 30 day supply only lasted 12 days",
        "oxycodone 5 mg tablet 1 tablet every 6 hours",
        "my 12 day supply lasted 30 days",
    ),
}
SUSPECTED_LOW: dict[tuple[str, int], tuple[str, str, str, str]] = {
    ("unit-slip ×1000", 0): (
        "metformin 500 mg once daily",
        "500 mcg once a day",
        "metformin 500 mg once daily",
        "50 mg once a day",
    ),
    ("tenfold", 0): ("metformin 500 mg once daily", "50 mg once a day", "metformin 500 mg once daily", "60 mg once a day"),
    ("daily-as-weekly", 0): (ONE, "20 mg once a week", TWO, "50 mg once a week"),
    ("split-extended-release", 0): (SLOW, "I cut the tablet in half and take a half once a day", ONE, "I cut the tablet in half"),
    ("ran-out", 0): (ONE, "I ran out three days ago", ONE, "I'm almost out of it"),
    ("stopped", 0): (ONE, "I stopped taking it", ONE, "I haven't stopped"),
    ("forgotten", 0): (ONE, "I forgot it", ONE, "I skipped it"),
    ("skipped", 0): (ONE, "I skipped it", ONE, "I forgot it"),
    ("half-tablet", 0): (ONE, "I've been cutting them in half", ONE, "10 mg a day"),
    ("half-tablet", 1): (
        "lisinopril 20 mg tablet take 1 tablet daily",
        "half a tablet daily",
        "lisinopril 20 mg tablet take 2 tablets daily",
        "one tablet daily",
    ),
    ("wrong-strength", 0): (ONE, "one 10 mg tablet a day", ONE, "10 mg a day"),
    ("wrong-count", 0): (
        "lisinopril 20 mg tablet take 2 tablets daily",
        "one tablet daily",
        "lisinopril 20 mg tablet take 1 tablet daily",
        "half a tablet daily",
    ),
    ("half-dose", 0): (ONE, "I take half the dose", ONE, "10 mg a day"),
    ("wrong-time", 0): (
        "furosemide 40 mg once daily in the morning",
        "40 mg at bedtime",
        "furosemide 40 mg once daily in the morning",
        "20 mg at bedtime",
    ),
    ("irregular", 0): (ONE, "I take it now and then", ONE, "I forgot it"),
    ("supply-left-over", 0): (
        "lisinopril 20 mg tablet take 1 tablet daily",
        "my bottle of 30 was filled 45 days ago and I still have some",
        "lisinopril 20 mg tablet take 1 tablet daily",
        "my bottle of 30 was filled 15 days ago and I still have some",
    ),
    ("too-seldom", 0): (TWO, "50 mg once a day", TWO, "25 mg twice a day"),
}


def seen(engine: Engine, prescribed: str, says: str) -> tuple[Seen, tuple[str, ...]]:
    """What a statement comes to against a prescription, and the rows of `changes` that made the axes so."""
    checker = engine.checker
    request = read_dose_request({"patient": {}, "prescribed": prescribed, "reported": says})
    meaning = checker.terms.meaning_of(request.prescribed[0])
    order = order_of(meaning, checker.library.units)
    said = [one for statement in request.reported for one in said_of(statement, checker, [meaning.read.drugs])]
    told = joined(said)
    days = order.count[1] * order.times[1] if order.count and order.times else order.times[1] if order.times else None
    supply = supply_says(supply_of(said, DAY), days)
    told = told if supply is None else replace(told, events=(*told.events, supply))
    m = in_order_units(told, order, checker.library.units)
    axes, rows = axes_by_row(told, order, m)
    return Seen(told, order, m, axes), rows


def keyed(rows: tuple[Suspect, ...]) -> dict[tuple[str, int], Suspect]:
    """The rows of a table by name, and by which of that name they are."""
    ordered = sorted(rows, key=lambda row: row.name)
    return {(name, n): row for name, own in groupby(ordered, key=lambda row: row.name) for n, row in enumerate(own)}


@pytest.mark.parametrize("row", CHANGED)
def test_a_row_changes_the_axes_where_it_holds_and_only_there(engine: Engine, row: str) -> None:
    prescribed, says, other, near = CHANGED[row]
    assert row in seen(engine, prescribed, says)[1]
    assert row not in seen(engine, other, near)[1]


@pytest.mark.parametrize(("table", "key"), [("HIGH", k) for k in SUSPECTED_HIGH] + [("LOW", k) for k in SUSPECTED_LOW])
def test_a_row_names_its_suspect_where_it_holds_and_only_there(engine: Engine, table: str, key: tuple[str, int]) -> None:
    rows, examples = (keyed(HIGH), SUSPECTED_HIGH) if table == "HIGH" else (keyed(LOW), SUSPECTED_LOW)
    prescribed, says, other, near = examples[key]
    found, _ = seen(engine, prescribed, says)
    assert overall(found.axes) == table
    assert all(question(found) for question in rows[key].when)
    missed, _ = seen(engine, other, near)
    assert not all(question(missed) for question in rows[key].when)


def test_no_row_is_without_an_example() -> None:
    assert {row.id for row in (*BY_NUMBERS, *BY_EVENTS)} == CHANGED.keys()
    assert len({row.id for row in (*BY_NUMBERS, *BY_EVENTS)}) == len((*BY_NUMBERS, *BY_EVENTS))
    assert keyed(HIGH).keys() == SUSPECTED_HIGH.keys()
    assert keyed(LOW).keys() == SUSPECTED_LOW.keys()
