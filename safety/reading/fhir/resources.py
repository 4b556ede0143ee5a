"""Bytes, text or JSON values → the FHIR resources in them, each with its place; or every reason why not."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any

import msgspec
from msgspec import Struct

from safety.errors import Place, Problem, RequestError
from safety.model.patient import Unread
from safety.reading.fhir.values import Json, clean
from safety.text import lowered

MAX_BYTES = 200_000_000
_MAX_BUNDLES_DEEP = 8
_MAX_PROBLEMS = 50
_GZIP = b"\x1f\x8b"
_AT_BYTE = re.compile(r"\(byte (\d+)\)")
_NAME = re.compile(r"[A-Za-z0-9.\-_]{1,64}\Z")


class Entry(Struct, frozen=True):
    """One resource of the record, where in it, and the address it is known by there (`fullUrl`), if any."""

    resource: Json
    where: str
    url: str = ""

    @property
    def type(self) -> str:
        """The resource's type, as it names itself."""
        return kind(self.resource)

    @property
    def name(self) -> str:
        """`MedicationRequest/123`, or the type alone where there is no usable id."""
        key = self.resource.get("id")
        return f"{self.type}/{key}" if isinstance(key, str) and _NAME.match(key) else self.type


class Source(Struct, frozen=True):
    """The resources found, in their order, and the entries that hold none."""

    entries: tuple[Entry, ...]
    unread: tuple[Unread, ...]


def kind(value: object) -> str:
    """The resource type of a JSON value; empty if it is no FHIR resource."""
    return clean(value.get("resourceType"))[:64].replace(" ", "") if isinstance(value, dict) else ""


def load(data: bytes | str | dict[str, Any] | list[Any], where: str, max_bytes: int) -> Source:
    """Every resource in a Bundle (of any kind, Bundles inside it too), a list, a line-by-line export or on its own.

    Raises RequestError with all problems and their places where that cannot be done.
    """
    if isinstance(data, bytes | bytearray | memoryview | str):
        roots = decode(utf8(data, where, max_bytes), where)
    else:
        roots = _numbered("", data) if isinstance(data, list) else [("", data)]
    if not any(kind(value) for _, value in roots):
        raise _refuse(where, "F008", "this is not FHIR: nothing in it has a `resourceType`", _foreign_hint(roots))
    return _flatten(roots)


def refusal(where: str, code: str, message: str, hint: str = "", line: int = 0, column: int = 0) -> Problem:
    """One problem of the caller's, at its place in the file or input."""
    return Problem(Place(where or "(input)", line, column), code, message, hint)


def _refuse(where: str, code: str, message: str, hint: str = "", line: int = 0, column: int = 0) -> RequestError:
    return RequestError([refusal(where, code, message, hint, line, column)])


# --- bytes to text ---


def utf8(data: bytes | bytearray | memoryview | str, where: str, max_bytes: int) -> bytes:
    """The UTF-8 text of the input: unpacked if it is gzip, checked for size, without a byte-order mark."""
    if isinstance(data, str):
        raw = data.encode("utf-8", "surrogatepass")
    else:
        raw = bytes(data)
        if raw.startswith(_GZIP):
            raw = _unpacked(raw, where, max_bytes)
    if len(raw) > max_bytes:
        raise _refuse(where, "F002", f"{len(raw):,} bytes are more than the {max_bytes:,} allowed", _SPLIT)
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = _position(raw, error.start)
        if error.end == len(raw) and error.reason == "unexpected end of data":
            raise _refuse(where, "F006", "the text breaks off here", "was the file copied whole?", line, column) from None
        hint = "save the file as UTF-8 JSON, or gzip of it"
        raise _refuse(where, "F004", "this is not UTF-8 text", hint, line, column) from None
    if not raw.strip():
        raise _refuse(where, "F001", "there is nothing in it", "pass a FHIR R4 Bundle as JSON")
    return raw


_SPLIT = "one patient's record is enough; leave out images, claims and documents"


def _unpacked(raw: bytes, where: str, max_bytes: int) -> bytes:
    """What a gzip file holds (all its members), never more than the limit: a bomb is refused, not unpacked."""
    parts: list[bytes] = []
    room = max_bytes
    try:
        while raw:
            unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
            part = unpacker.decompress(raw, room + 1)
            room -= len(part)
            if room < 0:
                message = f"unpacked, it is more than the {max_bytes:,} bytes allowed"
                raise _refuse(where, "F002", message, _SPLIT)
            if not unpacker.eof:
                raise _refuse(where, "F003", "the gzip data breaks off", "was the file copied whole?")
            parts.append(part)
            raw = unpacker.unused_data.lstrip(b"\0")
    except zlib.error:
        raise _refuse(where, "F003", "the gzip data is damaged", "was the file copied whole?") from None
    return b"".join(parts)


# --- text to JSON values ---


def _exact(text: str) -> object:
    try:
        return Decimal(text)
    except InvalidOperation:
        return text


_DECODER = msgspec.json.Decoder(float_hook=_exact)


def decode(raw: bytes, where: str) -> list[tuple[str, object]]:
    """The JSON values in the text with their places: one value, the items of one list, or one value a line."""
    problem, value = _decode_one(raw, raw, 0, where)
    if problem is None:
        return _numbered("", value) if isinstance(value, list) else [("", value)]
    lines = list(_lines(raw))
    if len(lines) < 2 or _decode_one(lines[0][1], raw, lines[0][2], where)[0] is not None:
        raise RequestError([problem])
    roots: list[tuple[str, object]] = []
    problems: list[Problem] = []
    for line, text, start in lines:
        problem, value = _decode_one(text, raw, start, where)
        if problem is None:
            roots.append((f"line {line}", value))
        elif len(problems) < _MAX_PROBLEMS:
            problems.append(problem)
    if problems:
        raise RequestError(problems)
    return roots


def _lines(raw: bytes) -> Iterator[tuple[int, bytes, int]]:
    """The lines that are not blank: number, text, and the byte where it starts."""
    start = 0
    for index, line in enumerate(raw.split(b"\n"), 1):
        if line.strip():
            yield index, line, start
        start += len(line) + 1


def _decode_one(text: bytes, raw: bytes, start: int, where: str) -> tuple[Problem | None, object]:
    """The JSON value of a piece of the text that starts at byte `start`, or the problem with its place."""
    try:
        return None, _DECODER.decode(text)
    except RecursionError:
        return refusal(where, "F007", "it is nested too deeply to be a patient's record"), None
    except msgspec.MsgspecError as error:
        return _malformed(str(error), text, raw, start, where), None


def _malformed(told: str, text: bytes, raw: bytes, start: int, where: str) -> Problem:
    at = _AT_BYTE.search(told)
    if at:
        offset = min(int(at[1]), len(text))
        line, column = _position(raw, start + offset)
        reason = told.removeprefix("JSON is malformed: ").split(" (byte", 1)[0]
        hint = "this looks like XML; export it as JSON" if text.lstrip().startswith(b"<") else ""
        return refusal(where, "F005", f"this is not JSON: {reason}", hint, line, column)
    if "truncated" in told:
        line, column = _position(raw, start + len(text.rstrip()))
        return refusal(where, "F006", "the JSON breaks off here", "was the file copied whole?", line, column)
    return refusal(where, "F005", f"this is not JSON that can be read: {lowered(told[0])}{told[1:]}")


def _position(raw: bytes, offset: int) -> tuple[int, int]:
    """Line and column, both from 1, of a byte of the text; the column counts characters."""
    begin = raw.rfind(b"\n", 0, offset) + 1
    return raw.count(b"\n", 0, offset) + 1, len(raw[begin:offset].decode("utf-8", "replace")) + 1


def _numbered(prefix: str, values: list[Any]) -> list[tuple[str, object]]:
    return [(f"{prefix}[{index}]", value) for index, value in enumerate(values)]


def _foreign_hint(roots: list[tuple[str, object]]) -> str:
    first = roots[0][1] if roots else None
    if isinstance(first, dict) and "hook" in first:
        return "a CDS Hooks request is read by the service; pass the resources of its prefetch"
    return "pass a FHIR R4 Bundle, a list of resources, or one resource a line"


# --- JSON values to resources ---


def _flatten(roots: list[tuple[str, object]]) -> Source:
    """The resources in order; Bundles are opened and are not themselves resources of the record."""
    entries: list[Entry] = []
    unread: list[Unread] = []
    waiting = [(where, "", value, 0) for where, value in reversed(roots)]
    while waiting:
        where, url, value, deep = waiting.pop()
        name = kind(value)
        if not isinstance(value, dict) or not name:
            unread.append(Unread("entry", where, _no_resource(value)))
        elif name != "Bundle":
            entries.append(Entry(value, where, url))
        elif deep >= _MAX_BUNDLES_DEEP:
            unread.append(Unread("Bundle", where, f"more than {_MAX_BUNDLES_DEEP} Bundles inside each other"))
        else:
            waiting.extend(reversed(_opened(value, where, deep + 1, unread)))
    return Source(tuple(entries), tuple(unread))


def _opened(bundle: Json, where: str, deep: int, unread: list[Unread]) -> list[tuple[str, str, object, int]]:
    found = bundle.get("entry", [])
    if not isinstance(found, list):
        unread.append(Unread("Bundle", where, "its `entry` is not a list"))
        return []
    prefix = f"{where}.entry" if where else "entry"
    inside: list[tuple[str, str, object, int]] = []
    for place, entry in _numbered(prefix, found):
        if isinstance(entry, dict):
            inside.append((place, clean(entry.get("fullUrl")), entry.get("resource"), deep))
        else:
            inside.append((place, "", None, deep))
    return inside


def _no_resource(value: object) -> str:
    if value is None:
        return "it holds no resource"
    return "it has no `resourceType`" if isinstance(value, dict) else "it is not a resource"
