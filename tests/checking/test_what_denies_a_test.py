"""A negative test behind a comma denies what it tests, and not what another test showed."""

from __future__ import annotations

import pytest

from safety.engine import Engine


@pytest.mark.parametrize("line", ["HBcAb +, sAg neg - prior exposure", "HBcAb positive, sAg neg", "HBcAb+, HBsAg neg"])
def test_a_positive_core_antibody_stays_beside_a_negative_surface_antigen(engine: Engine, line: str) -> None:
    report = engine.check({"patient": {"conditions": [line], "medications": []}, "plan": ["rituximab 1000 mg IV"]}, "2026-11-30")
    assert any("hepatitis B" in f.title for f in report.findings)


@pytest.mark.parametrize("line", ["hepatitis B, sAg neg", "HBcAb+ ruled out", "PPD neg, CXR neg"])
def test_a_name_that_tells_no_result_is_denied_as_before(engine: Engine, line: str) -> None:
    report = engine.check({"patient": {"conditions": [line], "medications": []}, "plan": ["rituximab 1000 mg IV"]}, "2026-11-30")
    assert not any("hepatitis B" in f.title for f in report.findings)
