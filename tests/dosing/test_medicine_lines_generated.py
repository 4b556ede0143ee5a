"""Lines of medicines put together from parts in the orders in which people write them: each amount is right, or it is asked."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from conftest import loaded
from measuring.chart_lines import measure_medications, told_of

ENGINE = loaded()
DRUGS = [
    ("metoprolol tartrate", "metoprolol", 25, "mg", "HTN"),
    ("Neurontin", "gabapentin", 300, "mg", "nerve pain"),
    ("levothyroxine", "levothyroxine", 50, "mcg", "thyroid"),
]
OFTEN = [("qd", 1), ("q12h", 2), ("2 times daily", 2), ("tid", 3), ("q6 hrs", 4)]
ORDERS = [
    "{name} {mass} tab {count} po {often}",
    "{name} {mass}, take {count} tabs by mouth {often}",
    "{name} {mass} tabs: {count} p.o. {often}",
    "{name} {mass} - {count} tab {often} PO",
    "{name} {mass} PO {count} tablets {often}",
]
TAILS = [
    "",
    " for {reason}",
    " prn {reason}",
    " x 7 days",
    " for {reason} x10d, #30 (thirty)",
    ", disp #60, 2 refills",
    " #28 NR",
]


@pytest.mark.parametrize("tail", TAILS)
def test_strength_count_route_frequency_and_what_follows_in_any_order(tail: str) -> None:
    rows = []
    for n, ((name, generic, of_one, unit, reason), (often, times), order) in enumerate(product(DRUGS, OFTEN, ORDERS)):
        count = (1, 2, 1.5)[n % 3]
        text = order.format(name=name, mass=f"{of_one} {unit}", count=f"{count:g}", often=often) + tail.format(reason=reason)
        meant = {"drug": [generic], "dose": f"{of_one * count:g} {unit}", "times_per_day": times, "days_between": None}
        rows.append({"id": str(n), "text": text, "expect": {**meant, "as_needed": "prn" in tail}})
    lines = measure_medications(rows, ENGINE).lines
    off = [line for line in lines if {line.name, line.dose, line.often, line.as_needed, line.whole} != {"right"}]
    assert not off, off[:10]


@pytest.mark.parametrize(
    "days", ["M/W/F, 7.5mg other days", "MWF, 7.5 mg all other days", "Mon/Wed/Fri, 7.5 mg rest of the week"]
)
def test_days_between_strokes_before_another_dose_are_days(days: str) -> None:
    (entry,) = told_of(f"warfarin 5mg {days}", ENGINE)
    assert [step.times_per_day for step in entry.directions.steps] == [(Fraction(3, 7),) * 2, (Fraction(4, 7),) * 2]


@pytest.mark.parametrize(
    ("line", "drugs"),
    [
        ("levothyroxine 50 mcg daily for thyroid", {"drug.levothyroxine"}),
        ("levothyroxine 50 mcg daily prn thyroid", {"drug.levothyroxine"}),
        ("Synthroid 50 mcg p.o. 2 times daily", {"drug.levothyroxine"}),
        ("prednisone 10 mg: 4 tabs x3d, 3 tabs x3d, 1 tab x3d", {"drug.prednisone"}),
        ("pred 1% 1 gtt OS QID", {"drug.prednisolone"}),
        ("warfarin 5 mg daily, prn oxycodone", {"drug.warfarin", "drug.oxycodone"}),
        ("ferrous sulfate 325 mg daily, prn calcium", {"drug.ferrous-sulfate", "drug.calcium-unspecified"}),
    ],
)
def test_what_it_is_taken_for_is_no_second_medicine(line: str, drugs: set[str]) -> None:
    entries = told_of(line, ENGINE)
    assert {d for entry in entries for d in entry.drugs} == drugs
    assert all(entry.resolved for entry in entries)


@pytest.mark.parametrize(("line", "most"), [("APAP 650 mg q6h prn, max 3 g", "3"), ("ibuprofen 600 mg tid, max 800 mg", None)])
def test_a_maximum_of_several_doses_is_of_the_day(line: str, most: str | None) -> None:
    (entry,) = told_of(line, ENGINE)
    told = entry.directions.day_max
    assert (str(told.value) if told else None) == most
    assert bool(entry.directions.unread) == (most is None)


def test_a_tube_is_a_route_and_no_unit() -> None:
    (entry,) = told_of("Keppra 100 mg/mL, 10 mL per G-tube BID", ENGINE)
    assert [str(q) for q in entry.directions.dose or ()] == ["10 mL", "10 mL"]
    assert not entry.directions.unread


@pytest.mark.parametrize(
    ("line", "a_day"),
    [
        ("tizanidine 4 qam, 2 qhs", "6 mg"),
        ("clonazepam 0.5 qam, 1 qhs", "1.5 mg"),
        ("hydrocortisone 10 qam, 5 qpm", "15 mg"),
        ("gabapentin 300 qam, 600 qhs", "900 mg"),
        ("tizanidine 4 mg qam, 2 qhs", "6 mg"),
        ("metformin 500: 2 qam, 1 qhs", "3"),
        ("metformin 500 mg 2 qam, 1 qhs", "3"),
    ],
)
def test_two_numbers_with_their_own_part_of_the_day_are_two_doses(line: str, a_day: str) -> None:
    (entry,) = told_of(line, ENGINE)
    assert [str(q) for q in entry.directions.per_day or ()] == [a_day, a_day]


def test_a_second_number_that_is_no_strength_is_asked_about() -> None:
    (entry,) = told_of("lithium 300 qam, 2 qhs", ENGINE)
    assert entry.directions.unread == ("2",)


@pytest.mark.parametrize(
    "line", ["Lantus inject 14 units daily", "enoxaparin inject 40 mg daily", "ceftriaxone 2 g IVPB q8 over 30 min"]
)
def test_verbs_and_how_long_it_runs_in_leave_the_medicine_as_it_is(line: str) -> None:
    (entry,) = told_of(line, ENGINE)
    assert entry.resolved
    assert not entry.directions.unread
