"""How lines of results are read: each result that was meant, by its test, value, unit and day; and what was made up."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

from safety.engine import Engine
from safety.model.patient import LabResult
from safety.model.quantity import number
from safety.reading.results.told import ToldResult
from safety.text import fold

DAY = date(2026, 11, 20)
Row = dict[str, Any]


class ResultsScored(NamedTuple):
    """What came of one line: words that are counted, and what to look at."""

    counts: tuple[str, ...]
    remarks: tuple[str, ...]


def score_results(row: Row, engine: Engine) -> ResultsScored:
    """Each result meant: read (test and value), asked about, or wrong; one that nobody meant is wrong too.

    `held`: of a test that we hold. `read`: its test, and the value. `asked`: told as not read, or as no test of ours.
    `wrong`: another value for the test, or a result of a test of ours that is not meant.
    """
    told = engine.checker.terms.result_lines.line(row["text"], DAY)
    left = list(told.results)
    counts: list[str] = []
    remarks: list[str] = []
    for meant in (part for told in row["expect"] for part in _parts(told, engine)):
        lab = engine.checker.terms.lab(LabResult(meant["test"]))
        counts.append("meant")
        if lab is None:
            counts.append("not held")
            found = next((r for r in left if not r.test and _same_value(r, meant, engine)), None)
            if found is not None:
                left.remove(found)
            continue
        same = [r for r in left if r.test == lab.id]
        right = next((r for r in same if _same_value(r, meant, engine)), None)
        if right is not None:
            left.remove(right)
            counts += ["read", *_beside(right, meant)]
        elif any(r.fault for r in same) or not same:
            counts.append("asked" if _asked(told.results, told.left, same) else "lost")
            remarks.append(f"not read: {meant['test']} {meant['value']}")
        else:
            counts.append("wrong")
            remarks.append(f"WRONG: {meant['test']} {meant['value']}: {[str(r.value) for r in same]}")
    extra = [r for r in left if r.test and not r.fault and not r.earlier]  # what was before is no other result
    counts += ["made up"] * len(extra)
    remarks += [f"made up: {r.test} {r.value}" for r in extra]
    return ResultsScored(tuple(counts), tuple(remarks))


def _parts(meant: Row, engine: Engine) -> list[Row]:
    """What is meant, test by test: a blood pressure of 92/58 is two results."""
    name, values = fold(meant["test"]), str(meant["value"]).split("/")
    panel = next((p for p in engine.library.panels if name in {fold(n) for n in (p.name, *p.synonyms)}), None)
    if panel is None or len(values) != len(panel.parts):
        return [meant]
    return [{**meant, "test": engine.library.lab[i].name, "value": v} for i, v in zip(panel.parts, values, strict=True)]


def _asked(results: tuple[ToldResult, ...], left: tuple[str, ...], same: list[ToldResult]) -> bool:
    """Whether something of the line is told as not understood: so nothing of it is silently lost."""
    return bool(same or left or any(not r.test or r.fault for r in results))


def _meaning(said: object, engine: Engine) -> str | None:
    """What a word for a result means: "nonreactive" is negative."""
    return engine.checker.terms.result_words.get(str(said).lower())


def _same_value(read: ToldResult, meant: Row, engine: Engine) -> bool:
    if read.fault:
        return False
    wanted = meant["value"] if meant["value"] is not None else meant["qualitative"]
    said = f"{read.sign}{read.value}"
    if said in (str(wanted), str(meant["qualitative"])) or (_meaning(wanted, engine) or "-") == said:
        return True
    one, other = number(str(wanted).lstrip("<>=")), number(str(read.value))
    return one is not None and one == other and str(wanted)[:1] in (read.sign[:1] or str(wanted)[:1], *"0123456789.")


def _beside(read: ToldResult, meant: Row) -> list[str]:
    """Whether the unit and the day that are told were read with it."""
    found = []
    if meant["unit"] is not None:
        found.append("unit read" if read.unit is not None else "unit lost")
    if meant["date"] is not None:
        found.append("day read" if read.on is not None else "day lost")
    return found
