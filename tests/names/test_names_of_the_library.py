"""Laws over every name and code that the library holds."""

from __future__ import annotations

import csv
from collections import Counter

import pytest
from conftest import SHARED, examples
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.engine import Engine
from safety.knowledge.library import Library

VOCABULARY = SHARED / "data" / "vocabulary"


def every_name(library: Library) -> list[tuple[str, str]]:
    """(id, name) of all drugs and products."""
    return [(item.id, named.text) for item in (*library.drugs, *library.products) for named in item.names]


def resolved(engine: Engine, text: str) -> str:
    """What a text resolves to: the product, the drug, or the status."""
    answer = engine.name(text)
    return answer.product or (answer.drug if isinstance(answer.drug, str) else answer.status)


def test_every_name_of_every_drug_and_product_resolves_to_its_own_id(engine: Engine) -> None:
    wrong = [(text, i, got) for i, text in every_name(engine.library) if (got := resolved(engine, text)) != i]
    assert wrong == []


def test_a_name_resolves_the_same_in_upper_case_and_with_extra_spaces(engine: Engine) -> None:
    wrong = []
    for i, text in every_name(engine.library):
        for way in (text.upper(), text.lower(), f"  {text.replace(' ', '   ')} ", f"{text}\n", f"\u00a0{text}"):
            if resolved(engine, way) != i:
                wrong.append((way, i, resolved(engine, way)))
    assert wrong == []


def test_a_name_with_a_dose_and_directions_behind_it_is_still_itself(engine: Engine) -> None:
    wrong = []
    for i, text in every_name(engine.library):
        got = resolved(engine, f"{text} by mouth once daily")
        if got != i:
            wrong.append((text, i, got))
    assert wrong == []


@settings(max_examples=examples(100), deadline=None)
@given(data=st.data())
def test_one_letter_too_many_is_never_taken_for_another_drug_in_silence(engine: Engine, data: st.DataObject) -> None:
    i, text = data.draw(st.sampled_from(every_name(engine.library)))
    at = data.draw(st.integers(0, len(text)))
    typed = text[:at] + data.draw(st.sampled_from("aeioqxz")) + text[at:]
    answer = engine.name(typed)
    if answer.status == "match" and not answer.confirm:
        taken = {answer.product, *([answer.drug] if isinstance(answer.drug, str) else answer.drug or [])}
        own = {
            n.text.lower() for item in (*engine.library.drugs, *engine.library.products) if item.id in taken for n in item.names
        }
        assert i in taken or any(name in typed.lower() for name in own), (typed, answer.name)


def test_no_code_is_used_twice(engine: Engine) -> None:
    library = engine.library
    rxnorm = [c for item in (*library.drugs, *library.products) for c in {item.rxnorm, *item.rxnorm_also} if c]
    problems = [c for item in library.conditions for c in {*item.codes, *item.past_codes}]
    loinc = [c for test in library.labs for c in test.loinc]
    for codes in (rxnorm, problems, loinc):
        assert codes
        assert [c for c, n in Counter(codes).items() if n > 1] == []


def test_every_rxnorm_code_stands_in_the_tables_at_hand(engine: Engine) -> None:
    tables = sorted(VOCABULARY.glob("rxnorm_*.csv"))
    if not tables:
        pytest.skip(f"no rxnorm_*.csv in {VOCABULARY}")
    known: set[str] = set()
    for table in tables:
        with table.open(encoding="utf-8", newline="") as handle:
            for row in csv.DictReader(handle):
                known.update(v for k, v in row.items() if k in ("rxcui", "bn_rxcui") and v)
    used = {
        c: item.id for item in (*engine.library.drugs, *engine.library.products) for c in (item.rxnorm, *item.rxnorm_also) if c
    }
    assert {c: i for c, i in used.items() if c not in known} == {}


def test_no_ingredient_code_belongs_to_the_name_of_another_drug(engine: Engine) -> None:
    table = VOCABULARY / "rxnorm_ingredients.csv"
    if not table.is_file():
        pytest.skip(f"{table} is not there")
    with table.open(encoding="utf-8", newline="") as handle:
        named = {row["rxcui"]: row["name"] for row in csv.DictReader(handle)}
    wrong = []
    for drug in engine.library.drugs:
        told = named.get(drug.rxnorm or "")
        read = engine.name(told) if told is not None else None
        if read is not None and read.status == "match" and read.drug != drug.id:
            wrong.append((drug.id, drug.rxnorm, told))
    assert wrong == []
