"""What clinicians said of cards (CDS Hooks feedback): held to its shape, and kept at the end of a file if one is configured."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from safety.desk.feedback import RULE_KEY, keep
from safety.errors import RequestError
from safety.serving.tools import problems_of
from safety.serving.work import Answered, failed

_MOST = 1000


class _Coding(Struct, frozen=True):
    code: str
    system: str = ""
    display: str = ""


class _Override(Struct, frozen=True):
    reason: _Coding | None = None
    userComment: str = ""  # noqa: N815, the name of the specification


class _Suggestion(Struct, frozen=True):
    id: str


class _Feedback(Struct, frozen=True):
    card: str
    outcome: Literal["accepted", "overridden"]
    outcomeTimestamp: str  # noqa: N815
    acceptedSuggestions: list[_Suggestion] = []  # noqa: N815
    overrideReason: _Override | None = None  # noqa: N815


class _All(Struct, frozen=True):
    feedback: list[_Feedback]


class _Card(Struct, frozen=True):
    uuid: str = ""
    extension: dict[str, Any] = {}


class _Shown(Struct, frozen=True):
    cards: list[_Card] = []


class Feedback:
    """Takes feedback; what was said of each card is one line of the file."""

    def __init__(self, file: Path | None) -> None:
        self._file = file

    def take(self, body: bytes, service: str, today: date) -> Answered:
        """Keep it, or say what is wrong with it."""
        try:
            told = msgspec.json.decode(body, type=_All).feedback
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            return _wrong("body", str(error) if isinstance(error, msgspec.ValidationError) else "is not JSON")
        if len(told) > _MOST:
            return _wrong("feedback", f"has more than {_MOST} items")
        for n, one in enumerate(told):
            if one.outcome == "accepted" and not one.acceptedSuggestions:
                return _wrong(f"feedback[{n}].acceptedSuggestions", "is missing: which suggestions were accepted?")
        try:
            self._keep(told, service, today)
        except RequestError as error:  # the disk: none of it was kept, and the client may send it again
            return failed(503, problems_of(error))
        return Answered(200, b"{}", counted={one.outcome: 1 for one in told})

    def shown(self, body: bytes, service: str, today: date) -> bool:
        """Keep which cards were shown together and of which rules they are, so that what is said of them later counts.

        Gives whether they were kept: cards reach the clinician also where the disk takes nothing.
        """
        if self._file is None:
            return True
        cards = msgspec.json.decode(body, type=_Shown).cards
        told = [{"card": card.uuid, "rule": card.extension[RULE_KEY]} for card in cards if RULE_KEY in card.extension]
        try:
            if told:
                keep(self._file, msgspec.json.encode({"service": service, "on": today, "shown": told}) + b"\n")
        except RequestError:
            return False
        return True

    def _keep(self, told: list[_Feedback], service: str, today: date) -> None:
        if self._file is None:
            return
        lines = (msgspec.json.encode({"service": service, "on": today, **_values(one)}) + b"\n" for one in told)
        keep(self._file, b"".join(lines))


def _values(one: _Feedback) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(one)
    return built


def _wrong(place: str, what: str) -> Answered:
    hint = '{"feedback": [{"card": UUID, "outcome": "overridden", "outcomeTimestamp": TIME}]}'
    return failed(400, [{"place": place, "what": what, "hint": hint}])
