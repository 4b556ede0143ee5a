"""Options that commands share, loading the engine, and reading input files."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

import click

from safety.engine import Engine, load
from safety.errors import Place, Problem, RequestError

F = TypeVar("F", bound=Callable[..., Any])
MAX_CASE_BYTES = 1 << 20


class Day(click.ParamType[date]):
    """A day on the command line."""

    name = "DAY"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """The day that a text names; a usage error where it names none."""
        if isinstance(value, date):
            return value
        try:
            return date.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is not a day; write it as 2026-11-20", param, ctx)


def overlay_option(command: F) -> F:
    """`--overlay DIR`, as often as wanted."""
    return click.option(
        "--overlay", "overlays", multiple=True, metavar="DIR", help="A site's knowledge folder on top of ours (repeatable)."
    )(command)


def json_option(command: F) -> F:
    """`--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")(command)


def as_of_option(command: F) -> F:
    """`--as-of DAY`."""
    return click.option("--as-of", type=Day(), help="The day to judge on (default: the case's own, else today).")(command)


def engine(overlays: tuple[str, ...] = ()) -> Engine:
    """The engine with these overlays; says so on a terminal when the knowledge has to be compiled first."""

    def compiling() -> None:
        working("Compiling the knowledge (once after a change)")

    return load(overlays, on_compile=compiling)


class Counter:
    """Says on a terminal, on stderr, how far long work has come; silent for the first second, and elsewhere."""

    def __init__(self, noun: str) -> None:
        self._noun = noun
        self._count = 0
        self._next = time.monotonic() + 1.0
        self._shown = False
        self._terminal = sys.stderr.isatty()

    def step(self) -> None:
        """One more is done."""
        self._count += 1
        if self._terminal and time.monotonic() >= self._next:
            click.echo(f"\r{self._count:,} {self._noun} …", err=True, nl=False)
            self._next, self._shown = time.monotonic() + 0.2, True

    def done(self) -> None:
        """Wipe the line."""
        if self._shown:
            click.echo("\r" + " " * 40 + "\r", err=True, nl=False)


def working(what: str) -> None:
    """Tell a person at a terminal that something will take a few seconds."""
    if sys.stderr.isatty():
        click.echo(f"{what} …", err=True)


def today() -> date:
    """The only clock in the program."""
    return date.today()


def read_input(file: str, limit: int = MAX_CASE_BYTES) -> bytes:
    """The bytes of a file or, for `-`, of standard input. Raises RequestError if missing or too large."""
    if file == "-":
        data = sys.stdin.buffer.read(limit + 1)
    else:
        path = Path(file)
        try:
            if path.is_dir():
                raise IsADirectoryError(21, "is a folder", file)
            with path.open("rb") as handle:
                data = handle.read(limit + 1)
        except OSError as error:
            hint = "is the path right?" if isinstance(error, FileNotFoundError) else ""
            raise RequestError([Problem(Place(file), "R001", f"cannot be read: {error.strerror}", hint)]) from None
        except ValueError:  # a null or half a letter, which no file system holds
            why = "cannot be read: no file has such a name"
            raise RequestError([Problem(Place(file), "R001", why, "is the path right?")]) from None
    if len(data) > limit:
        hint = "put many cases into a .jsonl file, one a line"
        raise RequestError([Problem(Place(file), "R002", f"is larger than {limit:,} bytes, the most that is read", hint)])
    return data


def read_text(file: str) -> str:
    """A text file's content. Raises RequestError for binary input."""
    data = read_input(file)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RequestError([Problem(Place(file, line, 1), "R003", "is not UTF-8 text", "is this a text file?")]) from None
    if "\0" in text:
        raise RequestError([Problem(Place(file, 1, 1), "R003", "is not text", "is this a text file?")])
    return text
