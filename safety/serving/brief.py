"""Answers in few words, for readers with little room: what is empty is left out, and long lists are counted instead of told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from safety.text import printable

ROOM = 1500
"""Bytes of JSON that a short answer has."""
_LONG = 300
Json = dict[str, Any]


def slim(value: Any) -> Any:
    """A value without what is empty or null; False and 0 say something and stay."""
    if isinstance(value, Mapping):
        kept = {key: slim(item) for key, item in value.items()}
        return {key: item for key, item in kept.items() if item not in (None, "", [], {})}
    if isinstance(value, list | tuple):
        return [slim(item) for item in value]
    return value


def fitted(told: Json, order: Sequence[tuple[str, int]] = (), room: int = ROOM) -> Json:
    """An answer in plain values that has room: lists are shortened in the `order` given (key, how many stay), then from the
    longest on; `more` counts what was left out of each. Text is only cut where nothing else is left to leave out."""
    built = slim(told)
    for key, stay in order:
        if size(built) <= room:
            return dict(built)
        _shorten(built, key, stay)
    while size(built) > room and (longest := _longest(built)):
        _shorten(built, longest, len(built[longest]) - 1)
    return dict(built) if size(built) <= room else _cut(built)


def size(value: Any) -> int:
    """How many bytes a value is as JSON."""
    return len(msgspec.json.encode(value))


def _longest(built: Mapping[str, Any]) -> str:
    lists = {key: size(value) for key, value in built.items() if isinstance(value, list) and value}
    return max(lists, key=lambda key: lists[key], default="")


def _shorten(built: Json, key: str, stay: int) -> None:
    items = built.get(key)
    if not isinstance(items, list) or len(items) <= stay:
        return
    more = built.setdefault("more", {})
    more[key] = more.get(key, 0) + len(items) - stay
    built[key] = items[:stay]
    if not stay:
        del built[key]


def _cut(built: Mapping[str, Any]) -> Json:
    """Whatever text is too long, cut and marked so."""
    return {k: printable(v, _LONG) if isinstance(v, str) else slim(_short(v)) for k, v in built.items()}


def _short(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: _short(v) for k, v in list(value.items())[:_MOST]}
    return printable(value, _LONG // 3) if isinstance(value, str) else value


_MOST = 8
