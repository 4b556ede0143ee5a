"""Nothing of a FHIR Dosage is dropped in silence: what is not read is noted, or kept in its words."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import asdict

from safety.reading.fhir.dosage import Dosing
from safety.reading.fhir.dosages import dosing

from .records import SNOMED, Json, concept, quantity

FULL: Json = {
    "sequence": 1,
    "text": "one tablet twice daily",
    "patientInstruction": "take it with water",
    "additionalInstruction": [concept("Shake well")],
    "timing": {
        "repeat": {
            "boundsPeriod": {"start": "2026-01-01", "end": "2026-02-01"}, "frequency": 2, "frequencyMax": 3, "period": 1,
            "periodMax": 2, "periodUnit": "d",
        },
    },
    "asNeededCodeableConcept": concept("fever"),
    "route": {"coding": [{"system": SNOMED, "code": "26643006"}]},
    "doseAndRate": [{"doseRange": {"low": {"value": 1, "unit": "mg"}, "high": {"value": 2, "unit": "mg"}}}],
    "maxDosePerPeriod": {"numerator": {"value": 8, "unit": "mg"}, "denominator": {"value": 1, "unit": "d"}},
}  # fmt: skip
BY_MOMENTS: Json = {
    "timing": {"repeat": {"when": ["ACM", "CV"], "offset": 30, "boundsDuration": {"value": 5, "unit": "d"}}},
    "asNeededBoolean": False,
    "doseAndRate": [{"doseQuantity": {"value": 2, "unit": "tablet"}}],
}
BY_DAYS: Json = {
    "timing": {"repeat": {"dayOfWeek": ["mon", "thu"], "timeOfDay": ["08:00:00"],
                          "boundsRange": {"low": {"value": 5, "unit": "d"}, "high": {"value": 1, "unit": "wk"}}}},
    "route": {"text": "by mouth"},
    "doseQuantity": {"value": 1, "unit": "capsule"},
}  # fmt: skip
BY_CODE: Json = {"timing": {"code": {"coding": [{"code": "BID"}]}}, "asNeededBoolean": True}
STRANGE = "xyzzy"


def paths(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a value, the inner ones too."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in inside:
        yield (*at, key)
        yield from paths(inner, (*at, key))


def changed(value: Json, path: tuple[Any, ...], to: Any) -> Json:
    built = copy.deepcopy(value)
    holder: Any = built
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = to
    return built


def kept(read: Dosing) -> bool:
    """Whether the strange word stands in what was read, or anything is noted."""
    return bool(read.notes) or STRANGE in json.dumps(asdict(read), default=repr)


wholes = st.sampled_from([FULL, BY_MOMENTS, BY_DAYS, BY_CODE])
law = settings(deadline=None, max_examples=examples(300))


@law
@given(st.data(), wholes)
def test_what_a_dosage_holds_beside_what_is_read_is_noted(data: st.DataObject, whole: Json) -> None:
    assert dosing([whole]).notes == ()
    roots = [(), ("timing",), ("timing", "repeat"), ("doseAndRate", 0)]
    present = [path for path in roots if path in [(), *paths(whole)]]
    added = data.draw(st.sampled_from(present))
    assert kept(dosing([changed(whole, (*added, STRANGE), 1)]))


STRANGERS: list[Any] = [STRANGE, [STRANGE], {STRANGE: 1}, [{STRANGE: 1}], {"text": STRANGE}]


@pytest.mark.parametrize("whole", [FULL, BY_MOMENTS, BY_DAYS, BY_CODE], ids=["full", "moments", "days", "code"])
def test_a_value_that_is_not_what_it_should_be_is_noted_or_kept_in_its_words(whole: Json) -> None:
    places = [path for path in paths(whole) if path[-1] not in ("system", "display")]
    lost = [(at, strange) for at in places for strange in STRANGERS if not kept(dosing([changed(whole, at, strange)]))]
    assert lost == []


@law
@given(st.lists(wholes, min_size=2, max_size=3), st.sampled_from(["method", "site", STRANGE]))
def test_of_several_dosages_each_is_accounted_for(several: list[Json], unread: str) -> None:
    different = [dosage | {"sequence": n} for n, dosage in enumerate(several, 1)]
    read = dosing([*different, {"text": "then one more", unread: {"text": "?"}}])
    assert any(unread in note or "dosage instructions that differ" in note for note in read.notes)


KEYS = ["timing", "repeat", "doseAndRate", "doseQuantity", "value", "unit", "when", "text", "route", "sequence"]
plain = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
nested = st.recursive(plain, lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(KEYS), inner))


@law
@given(nested)
def test_any_value_is_read_without_an_error(value: Any) -> None:
    assert isinstance(dosing(value), Dosing)


def test_a_dosage_of_nothing_but_what_is_read_is_noted_nowhere() -> None:
    assert dosing([{"doseAndRate": [{"doseQuantity": quantity(1, "mg")}]}]).notes == ()
