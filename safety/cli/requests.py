"""Requests of a command one by one: out of a file, JSON Lines or standard input; each answered, whatever is wrong with it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import click
import msgspec

from safety.cli.common import read_input, read_text
from safety.cli.main import EXIT_UNKNOWN, EXIT_USAGE, first_of
from safety.errors import EngineError, Place, Problem, RequestError, SafetyError

_MAX_FILE = 200 << 20
Where = Callable[[tuple[Any, ...]], Place]
"""The place of a value of a request, by its path."""


R = TypeVar("R")
A = TypeVar("A")


def requests_of(file: str, whole: Callable[[str, str], R], line: Callable[[object, Where], R]) -> Iterator[R | RequestError]:
    """Each request of a file or of standard input (`-`), or what was wrong with it.

    `whole` reads a text, with the name of its file, into one request; `line` a value of JSON Lines.
    """
    try:
        if file.endswith(".jsonl"):
            yield from _lines(read_input(file, _MAX_FILE), file, line)
        elif file == "-":
            data = read_input(file, _MAX_FILE)
            if _is_lines(data):
                yield from _lines(data, file, line)
            else:
                yield whole(data.decode("utf-8-sig"), file)
        else:
            yield whole(read_text(file), file)
    except UnicodeDecodeError:
        yield RequestError([Problem(Place(file), "R003", "is not UTF-8 text", "is this a text file?")])
    except RequestError as error:
        yield error


def answered(asked: R | RequestError, answer: Callable[[R], A], what: str = "request") -> A | RequestError | EngineError:
    """The answer to what was asked; what was wrong with it, or with the engine, without a word about the patient."""
    if isinstance(asked, RequestError):
        return asked
    try:
        return answer(asked)
    except (RequestError, EngineError) as error:
        return error
    except Exception as error:  # nothing about a patient may raise: this is ours, said without patient data
        if os.environ.get("MEDSAFE_DEBUG"):
            raise
        return EngineError(f"the engine failed on this {what} ({type(error).__name__}); MEDSAFE_DEBUG=1 shows where")


def print_error(error: SafetyError, as_json: bool, **unanswered: str) -> None:
    """What was wrong: an answer of its own with `--json` (`unanswered`: the field that holds none), else for the eye."""
    if as_json:
        problems = [{"place": str(p.place), "code": p.code, "message": p.message, "hint": p.hint} for p in error.problems]
        click.echo(msgspec.json.encode({"id": None, **unanswered, "error": problems}))
    else:
        click.echo("\n".join(str(p) for p in error.problems), err=True)


def exit_code(codes: Iterable[int]) -> int:
    """Of all answers; a request that was not read, among others that were, leaves something unknown."""
    told = list(codes)
    if told and all(c == EXIT_USAGE for c in told):
        return EXIT_USAGE
    return first_of(EXIT_UNKNOWN if c == EXIT_USAGE else c for c in told)


def _is_lines(data: bytes) -> bool:
    """Whether standard input is JSON Lines: more than one line, the first of them a whole JSON object."""
    lines = [line for line in data.splitlines() if line.strip()]
    if len(lines) < 2 or not lines[0].lstrip().startswith(b"{"):
        return False
    try:
        msgspec.json.decode(lines[0])
    except msgspec.MsgspecError:
        return False
    return True


def _lines(data: bytes, file: str, read: Callable[[object, Where], R]) -> Iterator[R | RequestError]:
    for n, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            try:
                yield from_line(line, file, n, read)
            except RequestError as error:
                yield error


def from_line(line: bytes, file: str, n: int, read: Callable[[object, Where], R], what: str = "request") -> R:
    """What a line of JSON Lines says, `n` of its file, with the places of its values. Raises RequestError."""
    from safety.knowledge.documents import read_json

    try:
        text = line.decode("utf-8-sig" if n == 1 else "utf-8")
    except UnicodeDecodeError:
        raise RequestError([Problem(Place(file, n, 1), "R003", "is not UTF-8 text", f"one {what} a line")]) from None
    value, problems = read_json(text.strip(), file, n)
    if problems:
        raise RequestError(problems)
    return read(value, lambda path: Place(file, n, 1) if not path else Place(f"{file}:{n} " + ".".join(map(str, path))))
