"""`--watch`: a command that runs again whenever a file of the knowledge is saved."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import click

from safety.cli.main import EXIT_OK
from safety.errors import Place, Problem, RequestError
from safety.knowledge.resting import collector_resting
from safety.knowledge.snapshot import Later

_SETTLED = 100
"""So long (ms) nothing more must be written before a change is taken for whole."""
_LOOKED = 200
"""So often (ms) it is looked whether to go on."""
_SHOWN = 3


def again(folders: Iterable[Path], run: Callable[[Sequence[Path], Later], int]) -> int:
    """Run now and after every change below the folders; the last exit code once the user stops it.

    `run` is told which files changed; what it puts off is done once its answer is told.
    """
    code = EXIT_OK
    for changed in _changes(folders):
        if changed:
            names = ", ".join(path.name for path in changed[:_SHOWN])
            more = f" and {len(changed) - _SHOWN} more" if len(changed) > _SHOWN else ""
            click.echo(f"--- {names}{more}", err=True)
        began = time.perf_counter()
        put_off: list[Callable[[], object]] = []
        with collector_resting():
            code = run(changed, put_off.append)
        click.echo(f"({time.perf_counter() - began:.1f} s; watching, Ctrl-C stops)", err=True)
        for what in put_off:
            what()
    return code


def _changes(folders: Iterable[Path]) -> Iterator[list[Path]]:
    """At once, then whenever files of the knowledge changed: which. Raises RequestError where nothing can watch."""
    try:
        from watchfiles import watch
    except ImportError:
        hint = "pip install 'medsafe[desk]'"
        raise RequestError([Problem(Place("--watch"), "R121", "needs the package `watchfiles`", hint)]) from None
    watched = [place.resolve() for folder in folders for part in ("kb", "rules") if (place := folder / part).is_dir()]
    saves = watch(*watched, step=_SETTLED, rust_timeout=_LOOKED, yield_on_timeout=True, raise_interrupt=False)
    next(saves, None)  # it watches from here on: what is saved during the first run is not missed
    yield []
    for changed in saves:
        if changed:
            yield sorted({Path(name) for _, name in changed})
