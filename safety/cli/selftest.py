"""`medsafe selftest`: measures the engine on development data, which are no part of the package but of a checkout."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from safety.errors import Place, Problem, RequestError

_TESTS = Path(__file__).resolve().parents[2] / "tests"


class _InCheckout(click.Group):
    """The measurements of `tests/measuring`, imported when one of them is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_measurements().commands) if _in_checkout() else []

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return _measurements().get_command(ctx, cmd_name)


def _in_checkout() -> bool:
    return (_TESTS / "measuring").is_dir()


def _measurements() -> click.Group:
    if not _in_checkout():
        place = Place("medsafe selftest")
        hint = "clone the project and run it there; an installed copy carries no test data"
        raise RequestError([Problem(place, "R001", "runs in a checkout only: it measures on development data", hint)])
    if str(_TESTS) not in sys.path:
        sys.path.insert(0, str(_TESTS))
    from measuring.commands import selftest as found

    measured: click.Group = found
    return measured


selftest = _InCheckout(
    "selftest",
    help="""Measure parts of the engine on reference data (in a checkout).

\b
medsafe selftest names
medsafe selftest names --data DIR --json
medsafe selftest dosing
medsafe selftest interactions
medsafe selftest charts --file LINES.jsonl
""",
)
