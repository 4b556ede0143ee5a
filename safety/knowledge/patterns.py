"""What people say, written as a pattern of words: a small language that a pharmacist reads, taken apart here.

stopped taking {it}            these words; `{it}` is any phrase of kb/language/it.yaml
(forgot | missed) [to take]    one of these; what stands in [ ] may be left out
not ...3 today                 with at most three words between; `...` any number of them, up to a comma
never ..., again               `...,` goes on over commas too, `...;` over the ends of sentences
* tablets                      `*` is one word, whatever it is
# tablets, #count of my ##each a number, and by which name it is read; `##`: of two digits or with a decimal
my #each's                     a number in the plural, "my 50s"; `#clock` is a time of day,
                               `#whole` a number without decimals
({weekday} [and])+             once or several times
miss !(my | the) &(dose)       what follows must not be, or must be, one of these
only ..., >> if {who} hurt     what stands before `>>` has to be there, but is not a part of what was found
START not since END            where the text begins and ends
<who>                          a phrase that the table names under `phrases`
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NoReturn

from msgspec import Struct


class PatternError(ValueError):
    """A pattern that cannot be read: what is wrong, and a hint."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


class Word(Struct, frozen=True):
    """This word."""

    text: str


class AnyWord(Struct, frozen=True):
    """One word, whatever it is."""


class Gap(Struct, frozen=True):
    """Words that do not matter: at most so many (None: any number); over commas, and over the ends of sentences, or not."""

    most: int | None = None
    commas: bool = False
    stops: bool = False


class Number(Struct, frozen=True):
    """A number; `role` is what it is read as. `large`: of two digits or with a decimal, so that it is hardly a count."""

    role: str = ""
    large: bool = False
    plural: bool = False


class Listed(Struct, frozen=True):
    """Any phrase of a list of words."""

    name: str


class Choice(Struct, frozen=True):
    """One of several ways to go on."""

    ways: tuple[tuple[Node, ...], ...]
    optional: bool = False
    repeated: bool = False


class Next(Struct, frozen=True):
    """What follows must (or must not) be one of these; it is not taken."""

    ways: tuple[tuple[Node, ...], ...]
    wanted: bool


class Edge(Struct, frozen=True):
    """Where the text begins, or ends."""

    start: bool


class Here(Struct, frozen=True):
    """What was found begins here."""


Node = Word | AnyWord | Gap | Number | Listed | Choice | Next | Edge | Here
Sequence = tuple[Node, ...]

CLOCK, WHOLE = "clock", "whole"
"""Roles of a number that say how it is written: a time of day; no decimals."""
_TOKEN = re.compile(
    r"(?P<space>\s+)|\{(?P<list>[a-z0-9-]+)\}|<(?P<phrase>[a-z-]+)>|(?P<gap>\.\.\.(?P<most>\d*)(?P<over>[,;]?))|"
    r"(?P<number>(?P<large>##?)(?P<role>[a-z]*)(?P<plural>'s)?)|(?P<mark>[!&]\(|>>|\)\+|[()\[\]|*])|"
    r"(?P<word>[a-z0-9][a-z0-9'./]*|[,?:/-])|(?P<edge>START|END)(?![A-Za-z])"
)


def parse(text: str, phrases: Mapping[str, str] | None = None) -> Sequence:
    """A pattern taken apart. Raises PatternError where it cannot be read."""
    return _Parser(text, phrases or {}, ()).whole()


class _Parser:
    """One pattern, token by token."""

    def __init__(self, text: str, phrases: Mapping[str, str], above: tuple[str, ...]) -> None:
        self.phrases, self.above = phrases, above
        self.tokens = [m for m in _tokens(text) if m.lastgroup != "space"]
        self.at = 0

    def whole(self) -> Sequence:
        if not self.tokens:
            self._wrong("the pattern is empty")
        ways = self._ways("")
        return ways[0] if len(ways) == 1 else (Choice(ways),)

    def _ways(self, closing: str) -> tuple[Sequence, ...]:
        """Alternatives up to a closing mark, which is taken; at the top there is none."""
        ways: list[list[Node]] = [[]]
        while self.at < len(self.tokens):
            mark = self.tokens[self.at]["mark"] or ""
            if mark in (")", ")+", "]"):
                if mark[:1] != closing:
                    self._wrong(f"`{mark}` closes nothing")
                break
            if mark == "|":
                ways.append([])
                self.at += 1
            else:
                ways[-1].append(self._node())
        else:
            if closing:
                self._wrong(f"`{closing}` is missing")
        if not all(ways):
            self._wrong("there is nothing on one side of `|`" if len(ways) > 1 else "there is nothing in the brackets")
        return tuple(tuple(way) for way in ways)

    def _node(self) -> Node:
        token = self.tokens[self.at]
        self.at += 1
        if token["mark"]:
            return self._marked(token["mark"])
        if token["list"]:
            return Listed(token["list"])
        if token["phrase"]:
            return self._phrase(token["phrase"])
        if token["gap"]:
            return Gap(int(token["most"]) if token["most"] else None, token["over"] == ",", token["over"] == ";")
        if token["number"]:
            return Number(token["role"], token["large"] == "##", bool(token["plural"]))
        return Edge(token["edge"] == "START") if token["edge"] else Word(token["word"])

    def _marked(self, mark: str) -> Node:
        if mark == "*":
            return AnyWord()
        if mark == ">>":
            return Here()
        closing = "]" if mark == "[" else ")"
        ways = self._ways(closing)
        end = self.tokens[self.at]["mark"]
        self.at += 1
        if mark in ("!(", "&("):
            if end == ")+":
                self._wrong("`)+` repeats words that are taken, not what follows")
            return Next(ways, mark == "&(")
        return Choice(ways, mark == "[", end == ")+")

    def _phrase(self, name: str) -> Node:
        if name in self.above:
            self._wrong(f"the phrase `<{name}>` holds itself")
        if name not in self.phrases:
            raise UnknownPhraseError(name, self.phrases)
        return Choice((_Parser(self.phrases[name], self.phrases, (*self.above, name)).whole(),))

    def _wrong(self, message: str) -> NoReturn:
        raise PatternError(message)


class UnknownPhraseError(PatternError):
    """A `<phrase>` that the table does not name."""

    def __init__(self, name: str, known: Mapping[str, str]) -> None:
        super().__init__(f"`<{name}>` is not among the `phrases` of the table", "its phrases: " + " ".join(sorted(known)))
        self.name = name


def _tokens(text: str) -> list[re.Match[str]]:
    found: list[re.Match[str]] = []
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise PatternError(f"`{text[at:].split()[0]}` is nothing that a pattern is made of", "words are in lower case")
        found.append(token)
        at = token.end()
    return found


def listed_in(nodes: Sequence) -> list[str]:
    """The lists of words that a pattern names, in order."""
    return list(dict.fromkeys(node.name for node in _inside(nodes) if isinstance(node, Listed)))


def numbers_in(nodes: Sequence) -> list[str]:
    """The roles that a pattern's numbers have, in order."""
    return list(dict.fromkeys(node.role for node in _inside(nodes) if isinstance(node, Number) and node.role))


def _inside(nodes: Sequence) -> Iterator[Node]:
    for node in nodes:
        yield node
        if isinstance(node, Choice | Next):
            for way in node.ways:
                yield from _inside(way)
