"""Words and fields of one order that cannot both hold are asked about; what is judged stays judged by the fields."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.engine import Engine
from safety.model.report import Report, Unresolved
from safety.reading.case import read_case
from safety.reading.fhir.bundle import read_fhir
from safety.understanding.facts import Facts

DAY = "2026-11-22"
Json = dict[str, Any]


def order(text: str, *, dose: Json | None = None, repeat: Json | None = None, name: str = "metformin 500 mg oral tablet",
          **fields: Any) -> Json:  # fmt: skip
    """A FHIR order with words and structure."""
    dosage: Json = {"text": text} if text else {}
    dosage |= {"doseAndRate": [{"doseQuantity": dose}]} if dose else {}
    dosage |= {"timing": {"repeat": repeat}} if repeat else {}
    return {
        "resourceType": "MedicationRequest", "id": "m1", "status": "active", "intent": "order",
        "medicationCodeableConcept": {"text": name}, "dosageInstruction": [dosage | fields],
    }  # fmt: skip


def every(times: int, period: int = 1, unit: str = "d") -> Json:
    return {"frequency": times, "period": period, "periodUnit": unit}


def amount(value: float, unit: str = "") -> Json:
    return {"value": value} | ({"unit": unit} if unit else {})


def report_of(engine: Engine, *orders: Json) -> Report:
    return engine.check(read_fhir([{"resourceType": "Patient", "id": "p1"}, *orders]), DAY)


def asked(report: Report) -> list[Unresolved]:
    return [u for u in report.unresolved if u.status == "contradicted"]


def aspects(engine: Engine, case: Any) -> list[str]:
    facts = Facts(case, engine.checker.terms, date(2026, 11, 22))
    return [d.part for entry in facts.entries for d in entry.meaning.differences]


def of_order(engine: Engine, told: Json) -> list[str]:
    return aspects(engine, read_fhir([{"resourceType": "Patient", "id": "p1"}, told]))


ORAL, RECTAL = ({"text": words} for words in ("by mouth", "rectally"))
MOST = {"numerator": amount(2000, "mg"), "denominator": {"value": 1, "unit": "d"}}


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (order("take 2 tablets daily", dose=amount(1, "tablet"), repeat=every(1)), ["dose"]),
        (order("take 1000 mg daily", dose=amount(1, "tablet"), repeat=every(1)), ["dose"]),
        (order("take 1 to 2 tablets daily", dose=amount(1, "tablet"), repeat=every(1)), ["dose"]),
        (order("take 2 tablets daily", dose=amount(1), repeat=every(1)), ["dose"]),
        (order("take 1 tablet twice daily", dose=amount(1, "tablet"), repeat=every(1)), ["frequency"]),
        (order("take 1 tablet every 4 hours", dose=amount(1, "tablet"), repeat=every(1, 6, "h")), ["frequency"]),
        (order("take 1 tablet up to 2 times a day", dose=amount(1, "tablet"), repeat=every(3)), ["frequency"]),
        (order("take 1 tablet weekly", dose=amount(1, "tablet"), repeat=every(1)), ["frequency"]),
        (order("take 2 tablets three times a day", dose=amount(1, "tablet"), repeat=every(1)), ["dose", "frequency"]),
        (order("take 3000 mg a day", dose=amount(500, "mg"), repeat=every(2)), ["day"]),
        (order("take 1 tablet daily, max 3 g in 24 hours", dose=amount(1, "tablet"), repeat=every(1), maxDosePerPeriod=MOST),
         ["most in a day"]),
        (order("take 1 tablet rectally daily", dose=amount(1, "tablet"), repeat=every(1), route=ORAL), ["route"]),
        (order("take 1 tablet daily as needed", dose=amount(1, "tablet"), repeat=every(1), asNeededBoolean=False), ["as needed"]),
        (order("4 tablets daily for 3 days, then 1 daily", dose=amount(1, "tablet"), repeat=every(1)), ["dose"]),
        (order("", dose=amount(1, "tablet"), repeat=every(1), additionalInstruction=[{"text": "twice daily"}]), ["frequency"]),
    ],
)  # fmt: skip
def test_words_and_codes_that_cannot_both_hold(engine: Engine, told: Json, expected: list[str]) -> None:
    assert of_order(engine, told) == expected


@pytest.mark.parametrize(
    "told",
    [
        order("take 1 tablet daily", dose=amount(500, "mg"), repeat=every(1)),
        order("take 1000 mg daily", dose=amount(2, "tablet"), repeat=every(1)),
        order("1 at bedtime", dose=amount(1, "tablet"), repeat=every(1)),
        order("1 bid", dose=amount(1, "tablet"), repeat=every(2)),
        order("take 1 tablet every 12 hours", dose=amount(1, "tablet"), repeat=every(2)),
        order("take one tablet", dose=amount(1, "tablet"), repeat=every(3)),
        order("as directed", dose=amount(1, "tablet"), repeat=every(3)),
        order("take 1 tablet every 4 to 6 hours", dose=amount(1, "tablet"), repeat=every(1, 4, "h")),
        order("1000 mg a day, divided twice daily", dose=amount(500, "mg"), repeat=every(2)),
        order("take 1 tablet on alternate days", dose=amount(1, "tablet"), repeat=every(3, 1, "wk")),
        order("take 1 tablet monthly", dose=amount(1, "tablet"), repeat=every(1, 4, "wk")),
        order("take 1 tablet daily as needed", dose=amount(1, "tablet"), repeat=every(1)),
        order("take 1 tablet daily", dose=amount(1, "tablet"), repeat=every(1), asNeededBoolean=True),
        order("take 1 tablet daily, max 4 tablets a day", dose=amount(1, "tablet"), repeat=every(1), maxDosePerPeriod=MOST),
        order("take 2 tablets daily", dose=amount(1, "{dose}"), repeat=every(1)),
        order("take 1 tablet daily", dose=amount(1, "tablet"), repeat=every(1), route=ORAL),
        order("take 5 mL (250 mg) daily", dose=amount(250, "mg"), repeat=every(1), name="amoxicillin 250 mg/5 mL suspension"),
        order("1 drop in both eyes daily", dose=amount(2, "drop"), repeat=every(1), name="timolol 0.5 % eye drops"),
        order("inhale 2 puffs by mouth", dose=amount(2, "puff"), repeat=every(4), route={"text": "inhalation"},
              name="albuterol 90 mcg/actuation inhaler"),
        order("", dose=amount(2, "tablet"), repeat=every(1), name="{4 (Risedronate 35 MG Oral Tablet) } Pack"),
        order("", dose=amount(1, "tablet"), repeat=every(1), additionalInstruction=[{"text": "total of 2 g with the other one"}]),
    ],
)  # fmt: skip
def test_equal_narrower_and_silent_words_are_no_contradiction(engine: Engine, told: Json) -> None:
    assert of_order(engine, told) == []


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"drug": "metformin 500 mg", "sig": "2 tablets daily", "dose": "1 tablet"}, ["dose"]),
        ({"drug": "metformin", "sig": "500 mg twice daily", "frequency": "once daily"}, ["frequency"]),
        ({"drug": "metformin 500 mg", "dose": "1000 mg", "frequency": "daily"}, []),
        ({"drug": "metformin", "text": "metformin 500 mg three times a day", "frequency": "twice daily"}, ["frequency"]),
        ({"text": "metformin 500 mg by mouth once daily", "route": "rectal"}, ["route"]),
        ({"drug": "metformin", "dose": "500 mg", "frequency": "twice daily"}, []),
    ],
)
def test_words_and_fields_of_a_case(engine: Engine, told: Json, expected: list[str]) -> None:
    assert aspects(engine, read_case({"patient": {"medications": [told]}})) == expected


def test_the_report_asks_at_the_orders_place_and_is_not_clear(engine: Engine) -> None:
    told = order("take 2 tablets three times a day", dose=amount(1, "tablet"), repeat=every(1))
    (item,) = asked(report_of(engine, told))
    assert (str(item.where), item.candidates) == ("medications[0]", [])
    assert "2 tablets, 3 times a day (as its text says), or 1 tablet, once a day (as its fields say)" in item.ask
    assert not report_of(engine, told).complete


def test_of_an_order_that_is_no_longer_taken_nothing_is_asked(engine: Engine) -> None:
    told = order("take 2 tablets daily", dose=amount(1, "tablet"), repeat=every(1)) | {"status": "stopped"}
    assert asked(report_of(engine, told)) == []


DOSES = st.sampled_from([1, 2, 3])
RATES = st.sampled_from([1, 2, 3, 4])


@settings(deadline=None, max_examples=examples(60))
@given(st.tuples(DOSES, RATES), st.tuples(DOSES, RATES))
def test_what_is_judged_is_what_the_fields_alone_say(engine: Engine, coded: tuple[int, int], written: tuple[int, int]) -> None:
    (dose, times), (told_dose, told_times) = coded, written
    words = f"take {told_dose} tablets {told_times} times a day"
    both = report_of(engine, order(words, dose=amount(dose, "tablet"), repeat=every(times)))
    alone = report_of(engine, order("", dose=amount(dose, "tablet"), repeat=every(times)))
    assert [f.rule for f in both.every_finding] == [f.rule for f in alone.every_finding]
    assert [(u.rule, u.needs) for u in both.unknown] == [(u.rule, u.needs) for u in alone.unknown]
    assert bool(asked(both)) is (coded != written)
    assert asked(alone) == []
