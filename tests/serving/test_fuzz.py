"""Whatever is sent to the service, by its own description of itself, none of it is an error of ours."""

from __future__ import annotations

from datetime import date

import pytest
import schemathesis
from conftest import examples
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error

from safety.engine import Engine
from safety.serving.web import Limits, Settings, application
from safety.serving.work import Answered, Asked
from safety.serving.workers import Threads

LOAD = settings(
    max_examples=examples(6), deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate]
)


class Late:
    """Threads over the engine that the tests share, told when the first test begins and not when tests are collected."""

    threads: Threads

    async def answer(self, asked: Asked) -> Answered:
        return await self.threads.answer(asked)

    def close(self) -> None:
        """Nothing to stop."""


LATE = Late()
APP = application(LATE, lambda: date(2026, 11, 20), Settings(limits=Limits(seconds=120)))
SCHEMA = schemathesis.openapi.from_asgi("/openapi.json", APP)


@pytest.fixture(scope="module", autouse=True)
def _begun(engine: Engine) -> None:
    LATE.threads = Threads(engine)


@SCHEMA.parametrize()
@LOAD
@pytest.mark.filterwarnings("ignore:Skipped test cases with unsupported payload")
def test_nothing_that_is_asked_is_a_failure_of_ours(case: schemathesis.Case) -> None:
    answer = case.call(timeout=120)
    case.validate_response(answer, checks=[not_a_server_error])
    assert answer.status_code < 500
