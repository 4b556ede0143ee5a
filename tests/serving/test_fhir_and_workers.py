"""A FHIR record from Python, and engines in worker processes and async programs."""

from __future__ import annotations

import asyncio
import json
import pickle
from collections import OrderedDict
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from broken.laying import BASE, copy_of_base
from conftest import REPO

import safety
from safety.engine import Engine

RECORD = REPO / "examples/fhir-patient.json"
CASE = {"patient": {"conditions": [], "medications": ["warfarin 5 mg oral", "Advil 400 mg oral"]}}
DAY = "2026-11-20"


def test_a_record_is_the_case_of_the_command_line_however_it_is_given(engine: Engine) -> None:
    from safety.cli.cases import from_fhir

    data = RECORD.read_bytes()
    values = json.loads(data)
    case = engine.fhir(data)
    assert case == from_fhir(str(RECORD)) == engine.fhir(data.decode()) == engine.fhir(values)
    assert case == engine.fhir(MappingProxyType(OrderedDict(values)))
    assert case.reading is not None
    report = engine.check(case, DAY)
    assert report.to_dict()["read"]["resources"] == case.reading.resources


def test_what_is_not_read_of_a_record_is_listed(engine: Engine) -> None:
    case = engine.fhir([{"resourceType": "Patient", "birthDate": "1970"}])
    assert case.reading is not None
    assert "Patient birthDate" in {u.what for u in case.reading.unread}


@pytest.mark.parametrize("wrong", [None, 5, "not json", {}, [], {"resourceType": "Bundle", "entry": []}])
def test_what_is_no_record_is_the_callers_slip(engine: Engine, wrong: Any) -> None:
    with pytest.raises(safety.RequestError):
        engine.fhir(wrong)


def _verdicts(engine: Engine) -> bytes:
    return engine.check(CASE, DAY).to_json()


def test_an_engine_goes_to_worker_processes_and_answers_the_same(tmp_path: Path) -> None:
    engine = safety.load(base=BASE, cache=tmp_path)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(_verdicts, engine).result() == engine.check(CASE, DAY).to_json()


def test_an_engine_whose_knowledge_changed_meanwhile_is_not_taken_for_the_same(tmp_path: Path) -> None:
    base = copy_of_base(tmp_path / "base")
    engine = safety.load(base=base, cache=None)
    kept = pickle.dumps(engine)
    assert pickle.loads(kept).library.sha256 == engine.library.sha256
    drug = next((base / "kb/drugs").glob("*.yaml"))
    drug.write_text(drug.read_text() + "# another\n")
    next((base / "kb").rglob("VERSION")).write_text("2027.1.0\n")
    with pytest.raises(safety.EngineError, match="changed"):
        pickle.loads(kept)


def test_an_engine_answers_inside_an_async_program(engine: Engine) -> None:
    async def both() -> list[bytes]:
        answers = await asyncio.gather(*(asyncio.to_thread(engine.check, CASE, DAY) for _ in range(4)))
        return [answer.to_json() for answer in answers]

    assert set(asyncio.run(both())) == {engine.check(CASE, DAY).to_json()}
