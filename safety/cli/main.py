"""The `medsafe` command: parse, call, print, exit code. No decisions here."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import Any

import click

from safety.errors import EngineError, KnowledgeError, RequestError, SafetyError
from safety.text import printable

EXIT_OK, EXIT_FINDINGS, EXIT_USAGE, EXIT_KNOWLEDGE, EXIT_UNKNOWN = 0, 1, 2, 3, 4

_FIRST = (EXIT_KNOWLEDGE, EXIT_FINDINGS, EXIT_UNKNOWN)


def first_of(codes: Iterable[int]) -> int:
    """The exit code of several answers: ours to mend before findings, findings before what is not known, else 0."""
    told = set(codes)
    return next((code for code in _FIRST if code in told), EXIT_OK)


_COMMANDS = {
    "check": ("safety.cli.check", "check"),
    "why": ("safety.cli.check", "why"),
    "dose": ("safety.cli.dose", "dose"),
    "lab": ("safety.cli.lab", "lab"),
    "extract": ("safety.cli.extract", "extract"),
    "score": ("safety.cli.score", "score_command"),
    "ddiv": ("safety.cli.ddiv", "ddiv"),
    "timeline": ("safety.cli.timeline", "timeline"),
    "reconcile": ("safety.cli.timeline", "reconcile"),
    "aggregate": ("safety.cli.aggregate", "aggregate_command"),
    "name": ("safety.cli.name", "name"),
    "calc": ("safety.cli.calc", "calc"),
    "show": ("safety.cli.browse", "show"),
    "list": ("safety.cli.browse", "list_"),
    "sql": ("safety.cli.browse", "sql"),
    "serve": ("safety.cli.serve", "serve"),
    "mcp": ("safety.cli.mcp", "mcp_"),
    "schema": ("safety.cli.schema", "schema_"),
    "audit": ("safety.cli.audit", "audit"),
    "diff": ("safety.cli.diff", "diff"),
    "docs": ("safety.cli.docs", "docs"),
    "sign": ("safety.cli.sign", "sign"),
    "review": ("safety.cli.sign", "review"),
    "import": ("safety.cli.sheet", "import_"),
    "explain": ("safety.cli.explain", "explain"),
    "feedback": ("safety.cli.feedback", "feedback"),
    "lint": ("safety.cli.lint", "lint"),
    "test": ("safety.cli.lint", "test"),
    "new": ("safety.cli.author", "new"),
    "completion": ("safety.cli.completion", "completion"),
    "build": ("safety.cli.author", "build"),
    "selftest": ("safety.cli.selftest", "selftest"),
}


class _Commands(click.Group):
    """Imports a command's module only when it is asked for, so that start-up stays short."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        import importlib

        found = _COMMANDS.get(cmd_name)
        if found is None:
            return None
        command: click.Command = getattr(importlib.import_module(found[0]), found[1])
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from safety.text import did_you_mean

            hint = did_you_mean(args[0], _COMMANDS) if args else ""
            raise click.UsageError(f"{error.message} {hint}".strip(), ctx) from None


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80})
@click.version_option(package_name="medsafe", prog_name="medsafe")
def cli() -> None:
    """Check a patient's medications against written knowledge, with reasons and
    sources. Decision support under human supervision; not a medical device.

    \b
    Exit codes: 0 clear or done, 1 findings at or above --fail-on,
    2 usage or unreadable input, 3 knowledge or engine problem,
    4 something could not be evaluated.
    """


def main(args: list[str] | None = None) -> Any:
    """Entry point: every failure becomes a message on stderr and an exit code, never a traceback."""
    try:
        code = cli.main(args=args, prog_name="medsafe", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else EXIT_OK)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as error:
        error.show(file=sys.stderr)
        sys.exit(EXIT_USAGE)
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped", err=True)
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(EXIT_OK)
    except SafetyError as error:
        tell(error)
        sys.exit(EXIT_USAGE if isinstance(error, RequestError) else EXIT_KNOWLEDGE)
    except OSError as error:
        click.echo(f"error: {printable(str(error.filename or ''))}: {error.strerror or error}", err=True)
        sys.exit(EXIT_USAGE)
    except Exception as error:  # ours; its text may hold patient data, so only its kind is told
        if os.environ.get("MEDSAFE_DEBUG"):
            raise
        click.echo(f"error: the engine failed ({type(error).__name__}); MEDSAFE_DEBUG=1 shows where", err=True)
        sys.exit(EXIT_KNOWLEDGE)


def tell(error: SafetyError) -> None:
    """Every problem on stderr, and how many there are."""
    for problem in error.problems:
        click.echo(str(problem), err=True)
    noun = {KnowledgeError: "in the knowledge", RequestError: "in the input", EngineError: "in the engine"}
    count = len(error.problems)
    click.echo(f"\n{count} problem{'s' if count != 1 else ''} {noun.get(type(error), '')}".rstrip(), err=True)
