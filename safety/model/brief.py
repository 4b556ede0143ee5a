"""A report in brief: what an agent with little room needs to act and to ask; the most important first, no sentence cut."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from safety.text import printable

ROOM = 1500
"""Bytes of JSON for ten medications; for each one more a tenth as much again."""
_TASKS = 4
"""So many findings keep their task before any finding is only counted."""
_LONG = 200
_DUE = 3
"""So many tests that are worth measuring are named."""
_EACH = 4
_LOUDEST = "contraindicated"
_SENTENCE = re.compile(r".+?[.!?](?=\s|\Z)", re.S)
_KIND = re.compile(r"\A[a-z]+\.")


def brief(report: Mapping[str, Any]) -> dict[str, Any]:
    """Verdict, findings with task, questions, what was not told, holes and ids of a report in plain values.

    Where there is no room for everything, the least important is told in fewer words first: tasks of minor findings, what is
    gathered under others, what only is not held, questions after the third. `more` counts what is not told at all. The
    verdict, and the rule, level and medicines of whatever is contraindicated, are always there.
    """
    told: dict[str, Any] = {
        "report": report["report"], "id": report["id"], "as_of": report["as_of"], "verdict": report["verdict"],
        "findings": [_finding(f) for f in report["findings"]],
        "questions": [q["ask"] for q in report["questions"]],
        "unresolved": [f"{printable(u['text'], 60)}: {u['status']}" for u in report["unresolved"]],
        "not_told": _not_told(report["unknown_because"]),
        "holes": _holes(report["not_covered"]),
        "due": [f"{d['name']}: {', '.join(d['medicines'])}" for d in report["due"][:_DUE]],
        "site": [f"{c['id']}: {c['what']}" for c in report.get("site_changes", ())],
        "made_by": f"{report['made_by']['engine']} {report['made_by']['knowledge']} {report['made_by']['sha256'][:12]}",
    }  # fmt: skip
    told = {key: value for key, value in told.items() if value not in ([], None)}
    room = ROOM * max(10, len(report["medications"])) // 10
    for shorten in _STEPS:
        if len(msgspec.json.encode(told)) <= room:
            break
        shorten(told)
    while len(msgspec.json.encode(told)) > room and _last_out(told):
        pass
    return told


def _finding(f: Mapping[str, Any]) -> dict[str, Any]:
    about = dict.fromkeys(name for s in f["subjects"] for name in _names(s))
    built = {"rule": f["rule"], "severity": f["severity"], "about": " + ".join(about), "task": f["task"]}
    if f["interrupt"]:
        built["interrupt"] = True
    if f["escalate"] not in ("none", "pharmacist"):
        built["escalate"] = f["escalate"]
    if f["also"]:
        built["also"] = list(dict.fromkeys(a["rule"] for a in f["also"] if a["rule"] != f["rule"]))
    return built


def _names(subject: Mapping[str, Any]) -> list[str]:
    drugs = subject["drug"]
    each = [drugs] if isinstance(drugs, str) else drugs or []
    if not 0 < len(each) <= _EACH:  # of a class word, what was told
        return [printable(subject["text"], 60)]
    return [_KIND.sub("", d) for d in each]


def _not_told(holes: Sequence[Mapping[str, Any]]) -> list[str]:
    """What nobody told, each by its name: "allergies", "creatinine"; without it some things were not judged."""
    return list(dict.fromkeys(h["text"].partition(":")[0] for h in holes if h["because"] == "not told"))


def _holes(not_covered: Sequence[Mapping[str, Any]]) -> list[str]:
    """What is not held, one line for all medicines that lack the same."""
    lacking: dict[str, list[str]] = {}
    for one in not_covered:
        lacking.setdefault(", ".join(one["lacks"]) if one["holds"] else "anything", []).append(_KIND.sub("", one["drug"]))
    return [f"no {lacks}: {', '.join(drugs)}" for lacks, drugs in lacking.items()]


# ------------------------------------------------------------------ where there is no room


def _without_tasks(*levels: str) -> Callable[[dict[str, Any]], None]:
    def shorten(told: dict[str, Any]) -> None:
        for f in told.get("findings", ()):
            if f["severity"] in levels:
                f.pop("task", None)

    return shorten


def _first_sentences(told: dict[str, Any]) -> None:
    for f in told.get("findings", ()):
        found = _SENTENCE.match(f.get("task", ""))
        if found:
            f["task"] = found[0]


def _without_also(told: dict[str, Any]) -> None:
    for f in told.get("findings", ()):
        if f.get("also"):
            f["also"] = len(f["also"])


def _kept(key: str, most: int) -> Callable[[dict[str, Any]], None]:
    def shorten(told: dict[str, Any]) -> None:
        _out(told, key, most)

    return shorten


def _out(told: dict[str, Any], key: str, most: int) -> None:
    """Keep the first of a list and count the others."""
    items = told.get(key, [])
    if len(items) <= most:
        return
    more = told.setdefault("more", {})
    more[key] = more.get(key, 0) + len(items) - most
    told[key] = items[:most]
    if not most:
        del told[key]


def _last_out(told: dict[str, Any]) -> bool:
    """One thing less, the least important first; False where nothing can go."""
    findings = told.get("findings", [])
    for key in ("site", "unresolved", "questions"):
        if len(told.get(key, [])) > 1:
            _out(told, key, len(told[key]) - 1)
            return True
    if any(f.pop("task", None) is not None for f in reversed(findings[_TASKS:])):
        return True
    if findings and findings[-1]["severity"] != _LOUDEST:
        _out(told, "findings", len(findings) - 1)
        return True
    return any(f.pop("task", None) is not None for f in reversed(findings))


def _short_questions(told: dict[str, Any]) -> None:
    """A question that lists much of what stands under `unresolved` as well says so."""
    if "unresolved" in told:
        asks = told.get("questions", [])
        told["questions"] = [f"{q.partition(':')[0]}: see `unresolved`" if len(q) > _LONG and ":" in q else q for q in asks]


_STEPS: tuple[Callable[[dict[str, Any]], None], ...] = (
    _kept("due", 1), _kept("not_told", 4), _kept("due", 0),
    _without_tasks("minor"), _short_questions, _first_sentences, _without_also, _kept("holes", 2), _kept("questions", 3),
    _kept("not_told", 2), _without_tasks("moderate"), _kept("holes", 0), _kept("unresolved", 3), _kept("not_told", 0),
)  # fmt: skip
