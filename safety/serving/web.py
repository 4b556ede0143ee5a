"""The service: CDS Hooks 2.0 and plain JSON over HTTP. Each route hands the body on and gives the answer back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
from fastapi import APIRouter, FastAPI, Request, Response
from msgspec import Struct
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest

from safety.engine import VERSION
from safety.serving.access import Access
from safety.serving.cards import services
from safety.serving.feedback import Feedback
from safety.serving.inputs import CASE, DOSE_REQUEST, LAB_REQUEST
from safety.serving.work import HOOKS, NDJSON, Answered, Asked, failed
from safety.serving.workers import Workers, in_time

Json = dict[str, Any]
_OPTIONS = ("as_of", "role", "format")


class Limits(Struct, frozen=True):
    """What a request may ask of us: bytes of its body (of a batch), brackets inside each other, seconds."""

    body: int = 5 << 20
    batch: int = 50 << 20
    deepest: int = 64
    seconds: float = 30


class Settings(Struct, frozen=True):
    """How the service is set up. `replay`: requests are judged on the day their orders were written; `feedback`: the file that
    keeps what clinicians said of cards (none: nothing is kept)."""

    access: Access = Access()
    limits: Limits = Limits()
    feedback: Path | None = None
    replay: bool = False


class Counts:
    """What is counted: requests, how long they took, and what they came to; nothing of any patient."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter("medsafe_requests", "Requests answered", ("route", "status"), registry=self.registry)
        self.seconds = Histogram("medsafe_request_seconds", "Seconds to the answer", ("route",), registry=self.registry)
        self.came_to = Counter("medsafe_answers", "What answers came to", ("route", "what"), registry=self.registry)

    def add(self, route: str, answered: Answered, seconds: float) -> None:
        """Count one answer."""
        self.requests.labels(route, str(answered.status)).inc()
        self.seconds.labels(route).observe(seconds)
        for what, count in answered.counted.items():
            self.came_to.labels(route, what).inc(count)


class Service:
    """Takes a request, holds it to the limits, and has it answered."""

    def __init__(self, workers: Workers, today: Callable[[], date], settings: Settings) -> None:
        self.workers, self.today, self.settings = workers, today, settings
        self.counts = Counts()

    async def ask(self, request: Request, what: str, most: int | None = None) -> Response:
        """The answer to what is asked of a route."""
        began = perf_counter()
        found = await self._answered(request, what, most or self.settings.limits.body)
        self.counts.add(what, found, perf_counter() - began)
        headers = {"Retry-After": "1"} if found.status == 503 else {"WWW-Authenticate": "Bearer"} if found.status == 401 else None
        return Response(found.body, found.status, media_type=found.type, headers=headers)

    async def _answered(self, request: Request, what: str, most: int) -> Answered:
        why = self.refused(request)
        if why:
            return failed(401, [{"place": "Authorization", "what": why}])
        body = await body_of(request, most)
        if body is None:
            return failed(413, [{"place": "body", "what": f"is larger than {most:,} bytes, the most that is read"}])
        options = {key: request.query_params[key] for key in _OPTIONS if key in request.query_params}
        asked = Asked(what, body, self.today(), options, self.settings.limits.deepest, self.settings.replay)
        return await in_time(self.workers, asked, self.settings.limits.seconds)

    def refused(self, request: Request) -> str:
        """Why somebody may not ask; empty where they may."""
        access = self.settings.access
        return "" if access.open else access.refuses(request.headers.get("authorization", ""), str(request.url.replace(query="")))


async def body_of(request: Request, most: int) -> bytes | None:
    """The body of a request; None as soon as it is too large."""
    told = request.headers.get("content-length", "")
    if told.isdecimal() and int(told) > most:
        return None
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            return None
        parts.append(part)
    return b"".join(parts)


def application(
    workers: Workers, today: Callable[[], date], settings: Settings | None = None, pages: Sequence[APIRouter] = ()
) -> FastAPI:
    """The web application; `pages` are further routes, such as a page for people at `/`."""
    service = Service(workers, today, settings or Settings())

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        workers.close()

    app = FastAPI(
        title="medsafe", version=VERSION, lifespan=lifespan, docs_url=None, redoc_url=None,
        description="Medication safety by written rules. Decision support for a professional's judgement; not a medical device.",
    )  # fmt: skip
    app.include_router(_about(service))
    app.include_router(_plain(service))
    app.include_router(_cds(service))
    for page in pages:
        app.include_router(page)
    return app


# --- routes ---

_Answer = Callable[[Request], Awaitable[Response]]
_ANY: Json = {"type": "object"}
_ERROR: Json = {
    "description": "what is to be mended, or tried again",
    "content": {"application/json": {"schema": {
        "type": "object", "required": ["error"], "properties": {"error": {"type": "array", "items": {
            "type": "object", "required": ["place", "what"],
            "properties": {key: {"type": "string"} for key in ("place", "what", "hint", "code")},
        }}},
    }}},
}  # fmt: skip
_RESPONSES: dict[int | str, Json] = dict.fromkeys((400, 401, 413, 500, 503), _ERROR)


def _inlined(schema: Json) -> Json:
    """A schema without `$defs`: what they name is written where it is used, as OpenAPI wants it."""
    defs = schema.get("$defs", {})

    def walk(value: Any) -> Any:
        if isinstance(value, dict):
            if "$ref" in value:
                return walk(defs[value["$ref"].rsplit("/", 1)[-1]])
            return {k: walk(v) for k, v in value.items() if k != "$defs"}
        return [walk(v) for v in value] if isinstance(value, list) else value

    found: Json = walk(schema)
    return found


def _query(*names: str) -> list[Json]:
    said = {
        "as_of": {"type": "string", "format": "date"}, "role": {"enum": ["prescriber", "pharmacist", "patient"]},
        "format": {"enum": ["json", "brief", "fhir"]},
    }  # fmt: skip
    return [{"name": name, "in": "query", "required": False, "schema": said[name]} for name in names]


def _documented(schema: Json, *query: str, type_: str = "application/json") -> Json:
    body = {"required": True, "content": {type_: {"schema": schema}}}
    return {"requestBody": body} | ({"parameters": _query(*query)} if query else {})


def _about(service: Service) -> APIRouter:
    """Whether it runs, what it is, and how much it did: of no patient, so open to all."""
    router = APIRouter()

    @router.get("/health", summary="Whether it answers")
    async def health() -> dict[str, str]:
        return {"status": "ok"}

    @router.get("/version", summary="Which engine and knowledge answer", responses={503: _ERROR, 500: _ERROR})
    async def version() -> Response:
        asked = Asked("version", b"", service.today())
        found = await in_time(service.workers, asked, service.settings.limits.seconds)
        return Response(found.body, found.status, media_type=found.type)

    @router.get("/metrics", summary="Counts for Prometheus")
    async def metrics() -> Response:
        return Response(generate_latest(service.counts.registry), media_type=CONTENT_TYPE_LATEST)

    return router


def _plain(service: Service) -> APIRouter:
    """Cases, doses, results, names, directions and formulas as JSON."""
    router = APIRouter(prefix="/v1")
    name: Json = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "names": {"type": "array", "items": {"type": "string"}}},
    }
    sig: Json = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
    calc: Json = {"type": "object", "required": ["formula"], "properties": {"formula": {"type": "string"}, "inputs": _ANY}}
    routes: tuple[tuple[str, str, str, Json], ...] = (
        ("check", "check", "Check a case, or a FHIR record", _documented(_inlined(CASE), "as_of", "role", "format")),
        ("dose", "dose", "Is what is taken right?", _documented(_inlined(DOSE_REQUEST), "as_of")),
        ("lab", "lab", "Where a result lies", _documented(_inlined(LAB_REQUEST), "as_of")),
        ("name", "name", "Which medicine a name means", _documented(name)),
        ("sig", "sig", "What directions say", _documented(sig)),
        ("calc", "calc", "A formula's value", _documented(calc)),
    )
    for path, what, says, extra in routes:
        _post(router, f"/{path}", says, extra, _answering(service, what))
    cases = _documented({"type": "array", "items": _inlined(CASE)}, "as_of", "role")
    cases["requestBody"]["content"][NDJSON] = {"schema": {"type": "string"}}
    most = service.settings.limits.batch
    _post(router, "/check/batch", "Check many cases: a list, or one a line", cases, _answering(service, "batch", most))

    @router.get("/calculators", summary="Every formula and its inputs", responses=_RESPONSES)
    async def calculators(request: Request) -> Response:
        return await service.ask(request, "calculators")

    return router


def _post(router: APIRouter, path: str, says: str, extra: Json, answers: _Answer) -> None:
    router.add_api_route(
        path, answers, methods=["POST"], summary=says, openapi_extra=extra, responses=_RESPONSES, response_class=Response,
        operation_id=path.strip("/").replace("/", "-"),
    )  # fmt: skip


def _answering(service: Service, what: str, most: int | None = None) -> _Answer:
    async def answers(request: Request) -> Response:
        return await service.ask(request, what, most)

    return answers


_HOOK_BODY: Json = {
    "type": "object", "required": ["hook", "hookInstance", "context"],
    "properties": {"hook": {"enum": list(HOOKS)}, "hookInstance": {"type": "string", "format": "uuid"}, "context": _ANY,
                   "prefetch": _ANY, "fhirServer": {"type": "string"}},
}  # fmt: skip
_FEEDBACK_BODY: Json = {"type": "object", "required": ["feedback"], "properties": {"feedback": {"type": "array", "items": _ANY}}}


def _cds(service: Service) -> APIRouter:
    """CDS Hooks 2.0: discovery, one service for each hook, and what clinicians said of the cards."""
    router = APIRouter(prefix="/cds-services")
    feedback = Feedback(service.settings.feedback)

    @router.get("", summary="Discovery")
    async def discovery() -> dict[str, Any]:
        return {"services": services()}

    for hook in HOOKS:
        path = f"/medsafe-{hook}"
        _post(router, path, f"Cards for {hook}", _documented(_HOOK_BODY), _showing(service, feedback, hook))
        _post(router, f"{path}/feedback", "What became of cards", _documented(_FEEDBACK_BODY), _hearing(service, feedback, hook))
    return router


def _showing(service: Service, feedback: Feedback, hook: str) -> _Answer:
    async def shows(request: Request) -> Response:
        answer = await service.ask(request, f"cds/{hook}")
        if answer.status_code == 200 and not feedback.shown(bytes(answer.body), f"medsafe-{hook}", service.today()):
            service.counts.add("feedback", Answered(503, b""), 0)
        return answer

    return shows


def _hearing(service: Service, feedback: Feedback, hook: str) -> _Answer:
    async def hears(request: Request) -> Response:
        why = service.refused(request)
        body = None if why else await body_of(request, service.settings.limits.body)
        found = (
            failed(401, [{"place": "Authorization", "what": why}]) if why
            else failed(413, [{"place": "body", "what": "is too large"}]) if body is None
            else feedback.take(body, f"medsafe-{hook}", service.today())
        )  # fmt: skip
        service.counts.add("feedback", found, 0)
        return Response(found.body, found.status, media_type=found.type)

    return hears


def openapi(app: FastAPI) -> bytes:
    """The description of the service, as it is served at /openapi.json."""
    return msgspec.json.encode(app.openapi())
