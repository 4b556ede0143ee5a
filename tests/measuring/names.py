"""How well names are resolved, measured on tables of heard text with the intended drug; nothing is learnt from them."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import Struct

from safety.reading.names.resolver import NameAnswer

NOTHING = "NONE"
_NOTE = re.compile(r"\([^()]*\)")
Drugs = frozenset[str]


class Row(Struct, frozen=True):
    """One text as heard, the kind of slip, and the drugs meant: several where only a question is right, none if no drug is."""

    heard: str
    kind: str
    meant: tuple[Drugs, ...]


class Tally(Struct):
    """Counts of one kind: rows, right single answers, right among the candidates, asked with none right, not recognised,
    wrong single answers. `middle_ms` is the median time of an answer."""

    kind: str
    rows: int = 0
    right: int = 0
    among: int = 0
    missed: int = 0
    unrecognised: int = 0
    wrong: int = 0
    middle_ms: float = 0.0
    wrong_ones: list[str] = []

    @property
    def found(self) -> int:
        """Rows where the intended drug is the match or stands among the candidates."""
        return self.right + self.among


Ask = Callable[[str], NameAnswer]


def typed_rows(path: Path, ask: Ask) -> list[Row]:
    """Rows of a table of misspelt and split names; the kind as given."""
    with path.open(encoding="utf-8", newline="") as file:
        return [Row(r["heard"], r["kind"], _meant(r["intended"], ask)) for r in csv.DictReader(file)]


def heard_rows(path: Path, ask: Ask) -> list[Row]:
    """Rows of a table of recogniser output; the kind is the voice and how much of the name was left."""
    with path.open(encoding="utf-8", newline="") as file:
        return [Row(r["heard"], _heard_kind(r), _meant(r["intended"], ask)) for r in csv.DictReader(file)]


def told_rows(path: Path, ask: Ask) -> list[Row]:
    """Rows of a file of lines: `heard`, the `drug` meant (several together as a list, NONE for none), others `also_ok`."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        named = told["drug"] if isinstance(told["drug"], list) else [told["drug"]]
        if named in ([NOTHING], [None]):
            rows.append(Row(told["heard"], "no drug", ()))
            continue
        meant = frozenset(d for name in named for d in _drugs(ask(name).drug))
        rows.append(Row(told["heard"], "one drug" if len(meant) == 1 else "several together", (meant,)))
    return rows


def _heard_kind(row: dict[str, str]) -> str:
    if row["intended"] == NOTHING:
        return "phrase, no drug"
    return f"{row['voice'].partition(':')[0]} {row['recoverability']}"


def _meant(intended: str, ask: Ask) -> tuple[Drugs, ...]:
    if intended == NOTHING:
        return ()
    return tuple(
        frozenset(d for part in one.split("+") for d in _drugs(ask(_NOTE.sub("", part)).drug)) for one in intended.split("|")
    )


def _drugs(told: str | list[str] | None) -> Drugs:
    return frozenset([told] if isinstance(told, str) else told or [])


def measure(rows: Iterable[Row], ask: Ask, clock: Callable[[], float]) -> list[Tally]:
    """One tally for each kind, in the order in which kinds first appear; `clock` in seconds."""
    tallies: dict[str, Tally] = {}
    times: dict[str, list[float]] = {}
    for row in rows:
        tally = tallies.setdefault(row.kind, Tally(row.kind, wrong_ones=[]))
        begun = clock()
        answer = ask(row.heard)
        times.setdefault(row.kind, []).append((clock() - begun) * 1000)
        _count(tally, row, answer)
    for kind, spent in times.items():
        tallies[kind].middle_ms = round(sorted(spent)[len(spent) // 2], 3)
    return list(tallies.values())


def _count(tally: Tally, row: Row, answer: NameAnswer) -> None:
    tally.rows += 1
    offered = {_drugs(c.drug) for c in answer.candidates[:5]}
    if answer.status == "match":
        if len(row.meant) == 1 and _drugs(answer.drug) == row.meant[0]:
            tally.right += 1
        else:
            tally.wrong += 1
            tally.wrong_ones.append(f"{row.heard} → {answer.name}")
    elif row.meant and set(row.meant) <= offered:
        tally.among += 1
    elif answer.status == "unrecognised":
        tally.unrecognised += 1
    else:
        tally.missed += 1
