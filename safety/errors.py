"""What went wrong, where, and whose slip it was."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct


class Place(Struct, frozen=True, order=True):
    """A spot in a file: 1-based line and column; 0 where only the file is known."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        if not self.line:
            return self.file
        return f"{self.file}:{self.line}:{self.column}"


class Problem(Struct, frozen=True, order=True):
    """One thing to mend: where, which (a stable code), what is wrong, and a hint if there is one.

    `fix`: what can only be meant in the place of the word that stands there, or, of a whole file, what it should be called;
    empty where a person has to decide.
    """

    place: Place
    code: str
    message: str
    hint: str = ""
    fix: str = ""

    def __str__(self) -> str:
        text = f"{self.place}: {self.code} {self.message}"
        return f"{text}\n  hint: {self.hint}" if self.hint else text


class SafetyError(Exception):
    """Base of the three errors; carries every problem that was found, not only the first."""

    def __init__(self, problems: Iterable[Problem] | str) -> None:
        if isinstance(problems, str):
            problems = [Problem(Place(""), "E000", problems)]
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(str(p) for p in self.problems))


class KnowledgeError(SafetyError):
    """An author's slip in `kb/` or `rules/`."""


class RequestError(SafetyError):
    """A caller's slip: a malformed case, a file that cannot be read."""


class EngineError(SafetyError):
    """Our slip: something that should not be possible."""
