"""Who works out the answers: threads of this process, or worker processes, one of which may die without harm to the others."""

from __future__ import annotations

import asyncio
import pickle
import socket
from multiprocessing import get_context
from typing import Protocol

from safety.engine import Engine
from safety.serving.work import HEAD, Answered, Asked, answer, failed, framed, ready, serve

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


class _LostError(Exception):
    """A worker ended before it answered."""


class _Worker:
    """One process, and the socket over which it is asked and answers, one request at a time."""

    def __init__(self, engine: Engine) -> None:
        self._ours, theirs = socket.socketpair()
        self.process = get_context("spawn").Process(target=serve, args=(engine, theirs), daemon=True)
        self.process.start()
        theirs.close()
        self._ours.setblocking(False)

    async def answer(self, asked: Asked) -> Answered:
        """What it answers. Raises _LostError where it ends first."""
        loop = asyncio.get_running_loop()
        try:
            await loop.sock_sendall(self._ours, framed(asked))
            head = await self._received(loop, HEAD.size)
            found: Answered = pickle.loads(await self._received(loop, HEAD.unpack(head)[0]))
        except OSError:
            raise _LostError from None
        return found

    async def _received(self, loop: asyncio.AbstractEventLoop, size: int) -> bytes:
        parts = bytearray()
        while len(parts) < size:
            part = await loop.sock_recv(self._ours, min(size - len(parts), _AT_ONCE))
            if not part:
                raise _LostError
            parts += part
        return bytes(parts)

    def close(self) -> None:
        """Nothing more is asked of it: it ends after what is under way."""
        self._ours.close()


_AT_ONCE = 1 << 20


class Processes:
    """Answers in worker processes; where one is killed, what it had is tried once more in a new one, and else an error."""

    def __init__(self, engine: Engine, count: int) -> None:
        self._engine = engine
        self._idle: asyncio.Queue[_Worker] = asyncio.Queue()
        self._all = [_Worker(engine) for _ in range(count)]
        for worker in self._all:
            self._idle.put_nowait(worker)

    async def answer(self, asked: Asked) -> Answered:
        """The answer of a worker. Who no longer waits for it leaves the worker at its work."""
        return await asyncio.shield(self._exchanged(asked))

    async def _exchanged(self, asked: Asked) -> Answered:
        for _ in range(2):
            worker = await self._idle.get()
            try:
                return await worker.answer(asked)
            except _LostError:
                worker = self._instead_of(worker)
            except BaseException:  # an answer may still be on its way: nobody else is to get it
                worker = self._instead_of(worker)
                raise
            finally:
                self._idle.put_nowait(worker)
        return failed(503, [{"place": asked.what, "what": _LOST}])

    def _instead_of(self, lost: _Worker) -> _Worker:
        lost.close()
        new = _Worker(self._engine)
        self._all = [new if worker is lost else worker for worker in self._all]
        return new

    def close(self) -> None:
        """Let what is under way end, and stop the workers."""
        for worker in self._all:
            worker.close()
        for worker in self._all:
            worker.process.join(_PATIENCE)
            worker.process.kill()


_PATIENCE = 10
"""Seconds that a worker has to end."""


async def in_time(workers: Workers, asked: Asked, seconds: float) -> Answered:
    """The answer, or after so many seconds an error that says so."""
    try:
        return await asyncio.wait_for(workers.answer(asked), seconds)
    except TimeoutError:
        return failed(503, [{"place": asked.what, "what": _SOON}])
