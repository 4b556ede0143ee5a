"""`medsafe mcp`."""

from __future__ import annotations

import click

from safety.cli.common import engine, overlay_option, today
from safety.cli.main import EXIT_OK


@click.command("mcp")
@click.option("--http", metavar="HOST:PORT", help="Serve Streamable HTTP at http://HOST:PORT/mcp instead of standard input.")
@overlay_option
def mcp_(http: str | None, overlays: tuple[str, ...]) -> int:
    """Serve agents over the Model Context Protocol.

    \b
    medsafe mcp                          # stdio: what a client starts itself
    medsafe mcp --http 127.0.0.1:8765

    \b
    pip install "medsafe[mcp]"
    """
    wanted("mcp", "mcp")
    from functools import partial

    import anyio

    from safety.serving.mcp_server import over_stdio, web_app

    loaded = engine(overlays)
    if http is None:
        anyio.run(partial(over_stdio, loaded, today))
        return EXIT_OK
    import uvicorn

    host, port = address(http)
    click.echo(f"MCP at http://{http}/mcp", err=True)
    uvicorn.run(web_app(loaded, today, host), host=host, port=port, log_level="warning", access_log=False)
    return EXIT_OK


def address(text: str) -> tuple[str, int]:
    """`127.0.0.1:8765` as host and port; a usage error for anything else."""
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isdecimal() or not int(port) < 65536:
        raise click.UsageError(f"`{text}` is not HOST:PORT, e.g. 127.0.0.1:8765")
    return host, int(port)


def wanted(module: str, extra: str) -> None:
    """Says how to install what a command needs, where it is not there."""
    from importlib.util import find_spec

    if find_spec(module) is None:
        raise click.UsageError(f'this needs an extra that is not installed: pip install "medsafe[{extra}]"')
