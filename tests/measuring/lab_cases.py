"""How well questions about results are answered, by kind: cases written from medicine, each with what the answer must hold.

A file holds one JSON object a line: `id`, `kind`, `request` (as `medsafe lab` takes it) and `expect`, of which each key that is
there is held against the answer:

test            the test that is answered, by id or name; of a pair ("blood pressure") its worse part is looked at
heading                    whether a trend is told as improving or worsening; empty: neither
status, escalate, trend    one word, or a list of those that are right; a trend of null: none is claimed
asks            whether anything is asked
asks_about      what must be asked about (any of them): a word among `needs`, or in the question
effect_of, no_effect_of    medicines that are, or are not, told to act on the test
told_of         medicines that are told with the test: what they do to it, or what a rule says of them
warns_medicine, no_warning medicines that a rule speaks about; or that none does
target_met, task, not_in_task, previous    told as such; words that stand, or do not stand, in what to do
due, in_time, not_due      tests, by name, that are told as due, as in time, or not at all as due
corrected                  the value that another test corrects it to, in the test's own unit
on_file                    how many results on file are told, the most recent first
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from measuring.charts import is_odd
from safety.engine import Engine
from safety.errors import RequestError
from safety.model.lab_answer import LabAnswer
from safety.model.patient import LabResult
from safety.text import fold

DAY = "2026-11-20"
_LAST_DAY = "9999-12-31"
"""A result without a day is of the day of the question, the newest there is."""
Row = Mapping[str, Any]
_LOUD = ("negative", "normal", "unknown", "low", "high", "positive", "implausible", "critical_low", "critical_high")
_ALSO_SAID: Mapping[str, tuple[str, ...]] = {
    "pregnancy": ("pregnan", "week", "trimester"), "trimester": ("pregnan", "week"), "age": ("how old",),
    "sex": ("female or male",), "time": ("when", "hours", "before the next dose"), "date": ("when", "day"),
    "value": ("number", "is that the value", "what was"), "test": ("which test",), "fasting": ("fasting", "meal"),
    "symptoms": ("feel", "symptom", "unwell"),
}  # fmt: skip
"""Other words in which the same is asked."""
_OF_LEVELS: Mapping[str, tuple[str, ...]] = {
    "subtherapeutic": ("low", "critical_low"), "therapeutic": ("normal",), "toxic": ("critical_high",),
}  # fmt: skip
"""What a list calls the status of a level. "Toxic" is what is critical, not each level above its range."""


class Kind(Struct):
    """The cases of one kind: how many, how many right in all that was expected, and what was not, by key."""

    kind: str
    rows: int = 0
    right: int = 0
    keys: dict[str, tuple[int, int]] = {}
    """Of each key of `expect`: how often it was expected, and how often it came out so."""
    wrong: list[str] = []


def read_cases(path: Path) -> list[Row]:
    """The cases of a file of JSON lines, in order."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def measure_labs(rows: Iterable[Row], engine: Engine, *, remarks: Callable[[Row], bool] = lambda _: True) -> list[Kind]:
    """One sum for each kind; what came out otherwise is told only of the rows that may be looked at."""
    kinds: dict[str, Kind] = {}
    for row in rows:
        kind = kinds.setdefault(str(row["kind"]), Kind(str(row["kind"]), keys={}, wrong=[]))
        kept = held(row, engine)
        kind.rows += 1
        kind.right += all(not why for why in kept.values())
        for key, why in kept.items():
            asked, right = kind.keys.get(key, (0, 0))
            kind.keys[key] = (asked + 1, right + (not why))
        if remarks(row) and any(kept.values()):
            kind.wrong.append(f"{row['id']} {_said(row)}: {'; '.join(why for why in kept.values() if why)}")
    return list(kinds.values())


def odd_only(row: Row) -> bool:
    """Of a file that was written blind, only every other case may be looked at."""
    return is_odd(dict(row))


def held(row: Row, engine: Engine) -> dict[str, str]:
    """For each key that is expected: nothing where it came out so, else how it came out."""
    request, expect = row["request"], row["expect"]
    if isinstance(request, str):
        request = {"text": request}
    try:
        answer = engine.lab({"as_of": DAY, **request})
    except RequestError as error:
        return dict.fromkeys(expect, "refused: " + "; ".join(str(p) for p in error.problems))
    meant, one = _about(answer, expect.get("test"), engine)
    kept = {key: _CHECKS[key](one, answer, wanted, engine) for key, wanted in expect.items() if key in _CHECKS}
    if "test" in expect:
        kept["test"] = "" if meant else f"test {one.test}, not {expect['test']}"
    return kept | {key: f"no such key: {key}" for key in expect if key not in kept}


def _about(answer: LabAnswer, wanted: object, engine: Engine) -> tuple[bool, LabAnswer]:
    """Whether the test that is meant was answered; and that answer, else the first.

    Of results of several days the newest is meant, of those of one day (both pressures) the one that lies worst.
    """
    told = [answer, *answer.also]
    if not wanted:
        return answer.test is None, answer
    ids = {i for text in ([wanted] if isinstance(wanted, str) else wanted) for i in _ids(str(text), engine)}  # type: ignore[attr-defined]
    found = [one for one in told if one.test in ids]
    return bool(found), max(found, key=_weight) if found else answer


def _weight(one: LabAnswer) -> tuple[bool, str, int]:
    return bool(one.value), (one.on or _LAST_DAY) if one.value else "", _LOUD.index(one.status)


def _ids(text: str, engine: Engine) -> tuple[str, ...]:
    """The tests of a name or id; of a panel its parts."""
    library = engine.library
    if text in library.lab:
        return (text,)
    shared = tuple(test for _, _, test in library.shared_test_names.get(fold(text), ()))
    test = engine.checker.terms.lab(LabResult(text))
    if test is not None or shared:  # "troponin" is whichever the number says, and "calcium" may be a corrected one
        ids = tuple(dict.fromkeys((*([test.id] if test is not None else ()), *shared)))
        kin = (one.id for one in library.labs if one.moves_with in ids and fold(text) in fold(one.name))
        return (*ids, *kin)
    return next((p.parts for p in library.panels if fold(text) in {fold(n) for n in (p.id, p.name, *p.synonyms)}), ())


def _drugs(names: Iterable[str], engine: Engine) -> list[frozenset[str]]:
    """Each medicine that is expected, as its ingredients."""
    found = []
    for name in names:
        drug = name if name.startswith("drug.") else engine.name(name).drug
        found.append(frozenset([drug] if isinstance(drug, str) else drug or [name]))
    return found


def _status(one: LabAnswer, _: LabAnswer, wanted: Any, __: Engine) -> str:
    """Where it lies; of a level also in the words of `UNSEEN.md`."""
    is_level = one.range is not None and one.range.kind == "therapeutic"
    words = [w for word in _list(wanted) for w in (_OF_LEVELS.get(word, (word,)) if is_level or word == "toxic" else (word,))]
    return _among("status", one.status, words)


def _escalate(one: LabAnswer, _: LabAnswer, wanted: Any, __: Engine) -> str:
    """Whom it names; of a plain yes or no, whether it names anybody."""
    if isinstance(wanted, bool):
        return "" if (one.escalate != "none") is wanted else f"escalate {one.escalate}"
    return _among("escalate", one.escalate, wanted)


def _trend(one: LabAnswer, _: LabAnswer, wanted: Any, __: Engine) -> str:
    if wanted is None:
        return _among("trend", one.trend or "null", ["null", "insufficient_history"])
    if wanted == "steady":  # as UNSEEN.md calls it; of two results that there is no real change between them
        level = one.trend == "insufficient_history" and one.previous is not None and one.previous.change == "no real change"
        return "" if level else _among("trend", one.trend or "null", ["stable"])
    return _among("trend", one.trend or "null", wanted)


def _toward(one: LabAnswer, _: LabAnswer, wanted: Any, __: Engine) -> str:
    """Whether a trend is told to go toward what is aimed at, or away from it."""
    said = next((word for word in ("improving", "worsening") if word in one.trend_words), "")
    return _among("heading", said, [wanted] if isinstance(wanted, str) else wanted)


def _previous(one: LabAnswer, _: LabAnswer, wanted: Any, __: Engine) -> str:
    return _among("previous", one.previous.change if one.previous else "none", wanted)


def _target_met(one: LabAnswer, _: LabAnswer, wanted: Any, __: Engine) -> str:
    return "" if one.target_met is wanted else f"target met: {one.target_met}, not {wanted}"


def _among(what: str, got: str, wanted: Any) -> str:
    right = got in ([wanted] if isinstance(wanted, str) else wanted)
    return "" if right else f"{what} {got}, not {wanted}"


def _asks(_: LabAnswer, answer: LabAnswer, wanted: Any, __: Engine) -> str:
    asked = " ".join(a.ask for a in (answer, *answer.also) if a.ask)
    return "" if bool(asked) == bool(wanted) else (f"asks {asked!r}" if asked else "asks nothing")


def _asks_about(_: LabAnswer, answer: LabAnswer, wanted: Any, __: Engine) -> str:
    told = (answer, *answer.also)
    asked = " ".join(a.ask for a in told).lower()
    needs = {need for a in told for need in a.needs}
    words = [wanted] if isinstance(wanted, str) else list(wanted or ())
    if not words:
        return ""
    said = any(w in needs or any(s in asked for s in (w.lower(), *_ALSO_SAID.get(w, ()))) for w in words)
    return "" if said else f"asks {asked!r}, not about {', '.join(words)}"


def _effects(one: LabAnswer) -> set[str]:
    return {e.drug for e in one.medication_effects if e.direction != "does not change"}


def _effect_of(one: LabAnswer, _: LabAnswer, wanted: Any, engine: Engine) -> str:
    told = _effects(one)
    missing = [name for name, drugs in zip(wanted, _drugs(wanted, engine), strict=True) if drugs.isdisjoint(told)]
    return f"no effect of {', '.join(missing)}" if missing else ""


def _no_effect_of(one: LabAnswer, _: LabAnswer, wanted: Any, engine: Engine) -> str:
    told = _effects(one)
    named = [name for name, drugs in zip(wanted, _drugs(wanted, engine), strict=True) if not drugs.isdisjoint(told)]
    return f"an effect of {', '.join(named)}" if named else ""


def _warned(answer: LabAnswer) -> set[str]:
    return {drug for a in (answer, *answer.also) for f in a.findings for drug in f.drugs}


def _warns(_: LabAnswer, answer: LabAnswer, wanted: Any, engine: Engine) -> str:
    told = _warned(answer)
    missing = [name for name, drugs in zip(wanted, _drugs(wanted, engine), strict=True) if drugs.isdisjoint(told)]
    return f"no warning about {', '.join(missing)}" if missing else ""


def _told_of(one: LabAnswer, answer: LabAnswer, wanted: Any, engine: Engine) -> str:
    told = _effects(one) | _warned(answer)
    missing = [name for name, drugs in zip(wanted, _drugs(wanted, engine), strict=True) if drugs.isdisjoint(told)]
    return f"nothing of {', '.join(missing)}" if missing else ""


def _no_warning(_: LabAnswer, answer: LabAnswer, wanted: Any, __: Engine) -> str:
    rules = [f.rule for a in (answer, *answer.also) for f in a.findings]
    return f"warns: {', '.join(rules)}" if wanted and rules else ""


def _task(one: LabAnswer, _: LabAnswer, wanted: Any, __: Engine) -> str:
    missing = [w for w in _list(wanted) if w.lower() not in one.task.lower()]
    return f"nothing of {', '.join(missing)} in {one.task!r}" if missing else ""


def _not_in_task(one: LabAnswer, _: LabAnswer, wanted: Any, __: Engine) -> str:
    said = [w for w in _list(wanted) if w.lower() in one.task.lower()]
    return f"{', '.join(said)} in {one.task!r}" if said else ""


def _due_in(answer: LabAnswer, state: str) -> set[str]:
    return {test for a in (answer, *answer.also) for d in a.due if d.state == state for test in d.tests}


def _is_due(state: str, absent: bool = False) -> Callable[[LabAnswer, LabAnswer, Any, Engine], str]:
    """Whether each test is among those of a state; or (`absent`) none of them is."""

    def check(_: LabAnswer, answer: LabAnswer, wanted: Any, engine: Engine) -> str:
        told = _due_in(answer, state)
        off = [name for name in _list(wanted) if told.isdisjoint(_ids(name, engine)) is not absent]
        return f"{state}: {', '.join(off)} {'is told' if absent else 'is not told'}" if off else ""

    return check


def _corrected(one: LabAnswer, _: LabAnswer, wanted: Any, __: Engine) -> str:
    value = one.value.partition(" ")[0] if one.corrected is not None else None
    return "" if (value is None and wanted is None) or value == str(wanted) else f"corrected {value}, not {wanted}"


def _on_file(_: LabAnswer, answer: LabAnswer, wanted: Any, __: Engine) -> str:
    told = [a for a in (answer, *answer.also) if a.test is not None and a.value]  # who asks for a value tells no result
    days = [a.on for a in told if a.on is not None]
    ordered = days == sorted(days, reverse=True)
    return "" if len(told) == wanted and ordered else f"{len(told)} on file, in order: {ordered}"


def _list(wanted: Any) -> Sequence[str]:
    return [wanted] if isinstance(wanted, str) else wanted


_CHECKS: Mapping[str, Callable[[LabAnswer, LabAnswer, Any, Engine], str]] = {
    "status": _status, "escalate": _escalate, "trend": _trend, "heading": _toward, "previous": _previous,
    "target_met": _target_met,
    "asks": _asks, "asks_about": _asks_about, "effect_of": _effect_of, "no_effect_of": _no_effect_of,
    "warns_medicine": _warns, "told_of": _told_of, "no_warning": _no_warning, "task": _task, "not_in_task": _not_in_task,
    "due": _is_due("due"), "in_time": _is_due("in time"), "not_due": _is_due("due", absent=True), "corrected": _corrected,
    "on_file": _on_file,
}  # fmt: skip


def _said(row: Row) -> str:
    request = row["request"]
    if isinstance(request, str):
        return repr(request)
    said = request.get("text") or " ".join(str(request[k]) for k in ("test", "value", "unit") if request.get(k) is not None)
    return repr(said)
