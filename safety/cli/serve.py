"""`medsafe serve`."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from safety.cli.common import engine, overlay_option, read_input, read_text, today
from safety.cli.main import EXIT_OK
from safety.cli.mcp import wanted
from safety.knowledge.resting import let_collector_rest


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="HOST", help="Where to listen.")
@click.option("--port", type=click.IntRange(1, 65535), default=8080, show_default=True, help="On which port.")
@click.option("--workers", type=click.IntRange(0, 64), default=2, show_default=True, help="Worker processes; 0: threads only.")
@click.option("--token-file", metavar="FILE", help="A token that every client must send (Authorization: Bearer).")
@click.option("--jwks", metavar="FILE", help="The clients' public keys (JWK set): JWTs signed with ES384 or RS384.")
@click.option("--audience", default="", metavar="URL", help="What JWTs must name as `aud` (default: the address that is asked).")
@click.option(
    "--issuer", "issuers", multiple=True, metavar="URL", help="A client (`iss`) that is known; repeatable (default: any)."
)
@click.option(
    "--feedback", type=click.Path(path_type=Path), metavar="FILE", help="Keep feedback on cards here (default: nowhere)."
)
@click.option(
    "--seconds", type=click.FloatRange(0.1, 600), default=30, show_default=True, help="The most that a request may take."
)
@click.option("--replay", is_flag=True, help="Judge CDS requests on the day their orders were written (for trying out old ones).")
@overlay_option
def serve(
    host: str, port: int, workers: int, token_file: str | None, jwks: str | None, audience: str, issuers: tuple[str, ...],
    feedback: Path | None, seconds: float, replay: bool, overlays: tuple[str, ...],
) -> int:  # fmt: skip
    """Serve clinical systems, and people: CDS Hooks 2.0 and plain JSON over
    HTTP, and a page at / (not where a token or keys are asked for).

    \b
    medsafe serve --port 8080
    curl localhost:8080/cds-services
    curl localhost:8080/v1/check --data @case.json

    \b
    pip install "medsafe[serve]"
    """
    wanted("fastapi", "serve")
    import uvicorn

    from safety.serving.access import Access
    from safety.serving.page import page_router
    from safety.serving.web import Limits, Settings, application
    from safety.serving.workers import Processes, Threads

    keys = msgspec.json.decode(read_input(jwks)) if jwks else None
    token = read_text(token_file).strip() if token_file else ""
    settings = Settings(Access(token, keys, audience, issuers), Limits(seconds=seconds), feedback, replay)
    loaded = engine(overlays)
    pages = [] if token or keys else [page_router(loaded, today)]  # a browser sends no token: the page is for an open address
    app = application(Processes(loaded, workers) if workers else Threads(loaded), today, settings, pages)
    at = "CDS Hooks at /cds-services" + (", a page for people at /" if pages else "")
    let_collector_rest()
    click.echo(f"medsafe at http://{host}:{port} ({at})", err=True)
    uvicorn.run(
        app,
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=int(seconds) + 1,
        timeout_keep_alive=75,
    )
    return EXIT_OK
