"""Who works out the answers: threads of this process, or worker processes, one of which may die without harm to the others."""

from __future__ import annotations

import asyncio
import contextlib
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Protocol

from safety.engine import Engine
from safety.serving.work import Answered, Asked, answer, answer_here, begin, failed, ready

_SOON = "the answer is not ready in time; try again, or send less at once"
_LOST = "a worker was lost while it worked on this; nothing was kept, so try again"


class Workers(Protocol):
    """Answers requests one by one."""

    async def answer(self, asked: Asked) -> Answered:
        """The answer to a request."""

    def close(self) -> None:
        """Let what is under way end, and stop."""


class Threads:
    """Answers in this process."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        ready(engine)

    async def answer(self, asked: Asked) -> Answered:
        """The answer, worked out in a thread."""
        return await asyncio.to_thread(answer, self._engine, asked)

    def close(self) -> None:
        """Nothing is left to be stopped."""


class Processes:
    """Answers in worker processes; where one is killed, what it had is tried once more in a new one, and else an error."""

    def __init__(self, engine: Engine, count: int) -> None:
        self._engine, self._count = engine, count
        self._pool = self._new()

    def _new(self) -> ProcessPoolExecutor:
        pool = ProcessPoolExecutor(self._count, mp_context=get_context("spawn"), initializer=begin, initargs=(self._engine,))
        for _ in range(self._count):
            pool.submit(len, b"")  # a worker starts with the first work that it could do
        return pool

    async def answer(self, asked: Asked) -> Answered:
        """The answer of a worker."""
        for _ in range(2):
            pool = self._pool
            try:
                return await asyncio.get_running_loop().run_in_executor(pool, answer_here, asked)
            except BrokenProcessPool:
                self._replace(pool)
        return failed(503, [{"place": asked.what, "what": _LOST}])

    def _replace(self, broken: ProcessPoolExecutor) -> None:
        if self._pool is broken:  # the first to notice makes the new one
            self._pool = self._new()
            broken.shutdown(wait=False)

    def close(self) -> None:
        """Let what is under way end, and stop the workers."""
        with contextlib.suppress(Exception):
            self._pool.shutdown(wait=True, cancel_futures=False)


async def in_time(workers: Workers, asked: Asked, seconds: float) -> Answered:
    """The answer, or after so many seconds an error that says so."""
    try:
        return await asyncio.wait_for(workers.answer(asked), seconds)
    except TimeoutError:
        return failed(503, [{"place": asked.what, "what": _SOON}])
