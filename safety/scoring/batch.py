"""Millions of plans: chunks of them scored by several processes, each kept on the disk once it is done, and read back in order.

A run that was stopped goes on where it was: what is on the disk is not scored again, and nothing is scored twice. Whatever the
number of processes, the scores come in the order of the plans, so that the results are the same to the byte.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from safety.errors import EngineError, Place, Problem, RequestError
from safety.scoring.plans import Plan, Unreadable
from safety.scoring.scored import Scored

PARTS, RUN = "parts", "run.json"
AT_ONCE: Final = 400
"""So many plans make a part: what is lost when a run is stopped, for each process."""
_AHEAD: Final = 3
"""So many parts wait for each process, so that none stands idle and little is held."""

Row = Plan | Unreadable
Result = Scored | Unreadable
Work = Callable[[Sequence[Row]], list[Result]]


class _Kept(Struct, frozen=True):
    """One row of a part: a score, or what was wrong with the plan."""

    scored: Scored | None = None
    unreadable: Unreadable | None = None


def encoded(rows: Iterable[Result]) -> bytes:
    """Scores as they are kept."""
    kept = [_Kept(scored=row) if isinstance(row, Scored) else _Kept(unreadable=row) for row in rows]
    return msgspec.msgpack.encode(kept)


def decoded(data: bytes) -> list[Result]:
    """Scores as they were kept."""
    found: list[Result] = []
    for one in msgspec.msgpack.decode(data, type=list[_Kept]):
        row = one.scored or one.unreadable
        assert row is not None
        found.append(row)
    return found


def identity(files: Sequence[str], **settings: Any) -> str:
    """What a run came of: the content of its files, in order, and everything that its scores hang on."""
    digest = hashlib.sha256(msgspec.json.encode(settings, enc_hook=str, order="sorted"))
    for file in files:
        with open(file, "rb") as handle:
            digest.update(hashlib.file_digest(handle, "sha256").digest())
    return digest.hexdigest()


class Batch:
    """A run into a folder with several processes. `of`: its identity; parts of another run there are thrown away."""

    def __init__(
        self, folder: Path, of: str, workers: int, initializer: Callable[..., None], given: Sequence[Any], work: Work
    ) -> None:
        self.folder, self.workers = folder / PARTS, workers
        self._initializer, self._given, self._work = initializer, tuple(given), work
        _prepare(self.folder, of)

    @property
    def done(self) -> int:
        """How many parts are on the disk."""
        return sum(1 for _ in self.folder.glob("*.part"))

    def scores(self, rows: Iterable[Row]) -> Iterator[Result]:
        """Every plan's score, in order, as parts are done. Raises EngineError where a process died; what was done is kept."""
        pool = ProcessPoolExecutor(
            self.workers, mp_context=get_context("spawn"), initializer=self._initializer, initargs=self._given
        )
        try:
            yield from self._in_order(pool, iter(rows))
        except BrokenProcessPool:
            hint = "run the same command again: it goes on after the parts that are done"
            raise EngineError([Problem(Place("workers"), "E102", "a process was stopped while it scored plans", hint)]) from None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _in_order(self, pool: ProcessPoolExecutor, rows: Iterator[Row]) -> Iterator[Result]:
        waiting: deque[tuple[Path, Future[None] | None]] = deque()
        for n, chunk in enumerate(iter(lambda: list(islice(rows, AT_ONCE)), [])):
            part = self.folder / f"{n:08d}.part"
            waiting.append((part, None if part.is_file() else pool.submit(_scored, self._work, chunk, part)))
            if len(waiting) >= self.workers * _AHEAD:
                yield from _taken(*waiting.popleft())
        for part, future in waiting:
            yield from _taken(part, future)

    def finish(self) -> None:
        """Take the parts away: the results are written."""
        shutil.rmtree(self.folder)


def _scored(work: Work, chunk: Sequence[Row], part: Path) -> None:
    """Score a chunk in a process of the pool; when this returns its part is on the disk."""
    write_whole(part, encoded(work(chunk)))


def _taken(part: Path, future: Future[None] | None) -> list[Result]:
    """The scores of a part, once it is done."""
    if future is not None:
        future.result()
    return decoded(part.read_bytes())


def write_whole(path: Path, data: bytes) -> None:
    """A file that is there whole or not at all, also when the machine stops."""
    made = path.with_suffix(".new")
    with made.open("wb") as handle:
        handle.write(data)
        handle.flush()
        os.fsync(handle.fileno())
    os.replace(made, path)


def _prepare(folder: Path, of: str) -> None:
    """The folder of the parts of this run; that of another run is emptied.

    Raises RequestError for a folder that is no run's.
    """
    run = folder / RUN
    try:
        if folder.is_dir() and any(folder.iterdir()):
            if not run.is_file():
                hint = "name another folder with --out, or take it away"
                raise RequestError([Problem(Place(str(folder)), "R002", "holds something that is no run of ours", hint)])
            if run.read_text(encoding="utf-8") == of:
                return
            shutil.rmtree(folder)
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(run, of.encode())
    except OSError as error:
        raise RequestError([Problem(Place(str(folder)), "R001", f"cannot be written: {error.strerror}")]) from None
