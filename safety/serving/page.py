"""The page at `/`: a form's fields → a case → the same page with the answer; and a page for each entry of the knowledge.

Nothing that is entered is kept: the answer holds the fields, so that something can be changed and checked again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any
from urllib.parse import parse_qs

import msgspec
from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response

from safety.engine import Engine, case_from_text
from safety.errors import Place, Problem, RequestError
from safety.model.patient import Case
from safety.reading.entered import RESOURCE, allergy_of, is_case
from safety.showing.pages import entry_page, form_page

ENTRY = "/entry/"
MOST_BYTES = 1 << 20
FIELDS = (
    "age", "sex", "weight", "height", "pregnancy", "as_of", "medications", "plan", "conditions", "allergies", "labs", "whole",
)  # fmt: skip
_HEADERS = {
    "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
}  # fmt: skip


def page_router(engine: Engine, today: Callable[[], date]) -> APIRouter:
    """The routes of the page, for an application to include."""
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    def start() -> Response:
        return _html(form_page({}, as_of=today().isoformat()))

    @router.post("/")
    async def check(request: Request) -> Response:
        body = await _body(request)
        if body is None:
            wrong = Problem(Place("form"), "R002", f"is larger than {MOST_BYTES:,} bytes, the most that is read")
            return _html(form_page({}, problems=[wrong], as_of=today().isoformat()), 413)
        page, status = await run_in_threadpool(answered, engine, fields_of(body), today())
        return _html(page, status)

    @router.get(ENTRY + "{name}")
    def entry(name: str) -> Response:
        library = engine.library
        item = library.by_id.get(library.current_id(name))
        if item is None:
            wrong = Problem(Place("id"), "R208", "is no entry of the knowledge", "`medsafe list` names them")
            return _html(form_page({}, problems=[wrong], as_of=today().isoformat()), 404)
        return _html(entry_page(item, library, links=ENTRY))

    return router


async def _body(request: Request) -> bytes | None:
    """What a browser sent; None where it is more than is read."""
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > MOST_BYTES:
            return None
        parts.append(part)
    return b"".join(parts)


def fields_of(body: bytes) -> dict[str, str]:
    """The fields of a form that a browser sent; what is none of ours is left out."""
    try:
        told = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=len(FIELDS) * 2)
    except ValueError:  # too many fields: none that our form sends
        return {}
    return {key: told[key][-1].replace("\r\n", "\n") for key in FIELDS if key in told}


def answered(engine: Engine, fields: Mapping[str, str], day: date) -> tuple[str, int]:
    """The page that answers a form, and its status: 200, or 422 where something could not be read."""
    try:
        case = case_of(engine, fields)
        judged_on = fields.get("as_of", "").strip() or case.as_of or day
        report = engine.check(case, judged_on)
    except RequestError as error:
        return form_page(fields, problems=error.problems, as_of=day.isoformat()), 422
    return form_page(fields, report=report, library=engine.library, case=case, links=ENTRY, as_of=day.isoformat()), 200


def case_of(engine: Engine, fields: Mapping[str, str]) -> Case:
    """The case that a form tells: a whole record where one was pasted, else its fields. Raises RequestError."""
    whole = fields.get("whole", "").strip()
    if whole:
        return _pasted(engine, whole)
    patient: dict[str, Any] = {
        key: text for key in ("age", "sex", "weight", "height", "pregnancy") if (text := _said(fields, key))
    }
    for key in ("medications", "conditions", "labs"):
        if (told := _lines(fields, key)) is not None:
            patient[key] = told
    if (allergies := _lines(fields, "allergies")) is not None:
        patient["allergies"] = [allergy_of(line) for line in allergies]
    told_case: dict[str, Any] = {"patient": patient}
    if plan := _lines(fields, "plan"):
        told_case["plan"] = plan
    return case_from_text(msgspec.json.encode(told_case).decode(), "form")


def _pasted(engine: Engine, text: str) -> Case:
    if text.startswith(("{", "[")) and RESOURCE in text:
        return engine.fhir(text)
    if is_case(text):
        return case_from_text(text, "record")
    return engine.note(text)


def _said(fields: Mapping[str, str], key: str) -> str:
    return fields.get(key, "").strip()


def _lines(fields: Mapping[str, str], key: str) -> list[str] | None:
    """The lines of a field; None where it says nothing. That a list says "none" is read with the case."""
    return [line.strip() for line in fields.get(key, "").splitlines() if line.strip()] or None


def _html(page: str, status: int = 200) -> Response:
    return HTMLResponse(page, status, headers=_HEADERS)
