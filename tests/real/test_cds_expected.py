"""Real CDS Hooks requests of the CDC's and HL7's guides: the finding that their authors expect is there, or is not."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from conftest import REPO, SHARED
from measuring.requests import Expected, measure_requests, opioid_requests

from safety.engine import Engine
from safety.reading.cds.requests import read_request

REAL = SHARED / "data/real"
TABLE: dict[str, Any] = yaml.safe_load((REPO / "tests/real/cds_expected.yaml").read_text(encoding="utf-8"))
DAY = date(2023, 5, 1)
CDC, HL7 = REAL / "opioid_cds_r4", REAL / "pddi_cds"
here = pytest.mark.skipif(not CDC.is_dir() or not HL7.is_dir(), reason=f"the real requests are not in {REAL}")


def rows() -> list[tuple[Path, Expected]]:
    if not CDC.is_dir() or not HL7.is_dir():
        return []
    hl7 = msgspec.convert(TABLE["pddi_cds"], list[Expected])
    return [(CDC, row) for row in opioid_requests(CDC, TABLE["opioid_cds_r4"], TABLE["opioid_results"])] + [
        (HL7, row) for row in hl7
    ]


@here
def test_there_are_as_many_requests_as_there_were() -> None:
    assert len([row for folder, row in rows() if folder == CDC]) == 22
    assert len([row for folder, row in rows() if folder == HL7]) == len(list((HL7 / "requests").iterdir())) == 12


@here
@pytest.mark.parametrize(("folder", "row"), rows(), ids=lambda value: getattr(value, "file", ""))
def test_a_request_brings_what_its_authors_expect(engine: Engine, folder: Path, row: Expected) -> None:
    assert row.rules
    wrong = [w for family in measure_requests(folder, [row], engine.checker.check, DAY) for w in family.wrong]
    assert wrong == []


@here
def test_the_measure_would_tell_if_a_finding_were_missing_or_too_many(engine: Engine) -> None:
    for folder, row in rows():
        turned = msgspec.structs.replace(row, wanted="none" if row.wanted != "none" else "card")
        right = [sum(f.right for f in measure_requests(folder, [one], engine.checker.check, DAY)) for one in (row, turned)]
        assert sum(right) == 1, row.file


@here
def test_every_request_that_is_json_is_read_and_nothing_in_it_is_lost() -> None:
    paths = sorted([*CDC.glob("requests_repaired/*/*.json"), *HL7.glob("requests/*.json")])
    assert len(paths) > 40
    for path in paths:
        data = path.read_bytes()
        reading = read_request(data[data.find(b"{") :], where=path.name).case.reading
        assert reading is not None
        for type_, used in reading.used.items():
            if type_ in reading.resources:
                left = [u for u in reading.unread if u.what.split("/")[0] == type_ and " " not in u.what]
                assert reading.resources[type_] == used + len(left), (path.name, type_)
