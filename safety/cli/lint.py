"""`medsafe lint` and `medsafe test`: whether what was written can be read, means what it says, and is proved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path

import click
import msgspec

from safety.answering import proof
from safety.answering.checker import Checker
from safety.cli.common import json_option, overlay_option, working
from safety.cli.completion import rules
from safety.cli.main import EXIT_FINDINGS, EXIT_KNOWLEDGE, EXIT_OK
from safety.cli.page import console
from safety.cli.watching import again
from safety.desk.careless import careless
from safety.desk.mending import file_of, in_its_line, mend_files
from safety.desk.touched import otherwise, touched
from safety.engine import RECIPE, VERSION, cache_folder
from safety.errors import Place, Problem, RequestError
from safety.knowledge.collecting import NO_OVERLAY, base_folder
from safety.knowledge.compiled import Compiled
from safety.knowledge.library import Library
from safety.knowledge.remarks import untidy
from safety.knowledge.snapshot import Later, load_compiled, standing
from safety.knowledge.standing import Amended, Standing
from safety.reading.spoken.examples import slips

_ROUNDS = 5
"""A slip may hide another one, so that mending goes round; but not for ever."""


def _target(path: str | None, overlays: Sequence[str]) -> tuple[Path, list[Path], str]:
    """What a PATH means: a base folder, an overlay on the embedded base, or a part of the base (a prefix of it)."""
    base, extra = base_folder(), [Path(o) for o in overlays]
    if path is None:
        return base, extra, ""
    place = Path(path)
    if not place.exists():
        raise RequestError([Problem(Place(path), "R001", "cannot be read: no such file or folder", "is the path right?")])
    if (place / "kb" / "VERSION").is_file():
        return place, extra, ""
    if (place / "kb").is_dir() or (place / "rules").is_dir():
        return base, [*extra, place], f"{place.as_posix().rstrip('/')}/"
    try:
        inside = place.resolve().relative_to(base.resolve()).as_posix()
    except ValueError:
        hint = "name a file or folder of the knowledge, or an overlay folder with kb/ or rules/ in it"
        raise RequestError([Problem(Place(path), "R002", "is not a part of the knowledge", hint)]) from None
    return base, extra, inside


def watch_option(command: Callable[..., int]) -> Callable[..., int]:
    """`--watch`."""
    text = "Again after every change of a file, until Ctrl-C."
    return click.option("--watch", is_flag=True, help=text)(command)


@click.command()
@click.argument("path", required=False)
@click.option("--fix", is_flag=True, help="Mend what can only be meant one way: a key, a word, an id's address.")
@watch_option
@overlay_option
@json_option
def lint(path: str | None, fix: bool, watch: bool, overlays: tuple[str, ...], as_json: bool) -> int:
    """Check knowledge files: shapes, ids, amounts, references, cases, examples. Says file:line:col.

    --fix never guesses which medicine, problem or number is meant, and says
    what it changed. What a code means: medsafe explain CODE.

    \b
    medsafe lint
    medsafe lint rules/interactions/warfarin-nsaid.yaml
    medsafe lint my-site/          (an overlay, on top of ours)
    medsafe lint my-site/ --fix
    medsafe lint --watch
    """
    base, extra, part = _target(path, overlays)
    working("Reading the knowledge and trying the cases of every rule")
    if watch:
        return again([base, *extra], lambda _, later: _lint(base, extra, part, fix=fix, as_json=as_json, later=later))
    return _lint(base, extra, part, fix=fix, as_json=as_json)


def _lint(base: Path, extra: Sequence[Path], part: str, *, fix: bool, as_json: bool, later: Later | None = None) -> int:
    compiled, problems = _problems(base, extra, part, later)
    for _ in range(_ROUNDS if fix else 0):
        mended = mend_files(problems, base, extra)
        for one in mended:
            click.echo(f"{one.place}: {one.code} mended: `{one.was}` is now `{one.now}`", err=as_json)
        if not mended:
            break
        compiled, problems = _problems(base, extra, part, later)
    changes = [
        c
        for c in compiled.library.changes
        if not part.startswith(tuple(f"{o}/" for o in map(str, extra))) or c.place.startswith(part)
    ]
    if as_json:
        for change in changes:
            click.echo(msgspec.json.encode({"site_change": change, "message": str(change), "place": change.place}))
        for p in problems:
            click.echo(msgspec.json.encode(_row(p)))
        return EXIT_KNOWLEDGE if problems else EXIT_OK
    for change in changes:
        click.echo(f"{change.place}: changes ours: {change}")
    for p in problems:
        _print(p, file_of(p.place.file, base, extra))
    _sum(compiled, problems)
    return EXIT_KNOWLEDGE if problems else EXIT_OK


def _problems(base: Path, extra: Sequence[Path], part: str, later: Later | None) -> tuple[Compiled, list[Problem]]:
    """The knowledge, and what there is to mend in the files under `part`."""
    compiled = load_compiled(base, list(extra), cache_folder(), RECIPE, later=later)
    if compiled.problems:
        return compiled, [p for p in compiled.problems if p.place.file.startswith(part) or p.code in NO_OVERLAY]
    shown = (p for p in slips(compiled.library) if p.place.file.startswith(part))

    def text_of(file: str) -> list[str]:
        path = file_of(file, base, extra)
        return _text_at(path, path.stat().st_mtime_ns).split("\n") if path is not None else []

    return compiled, [*untidy(compiled, part), *shown, *_unproved(compiled, part), *careless(compiled.library, part, text_of)]


def _unproved(compiled: Compiled, part: str) -> list[Problem]:
    library = compiled.library
    entries = [e for i in library.entries_in(part) if (e := library.entry[i]).status == "active" and not e.switched_off]
    return proof.unproved_among(entries, lambda i: compiled.cases.get(i, ()), library, VERSION)


def _row(p: Problem) -> dict[str, object]:
    row: dict[str, object] = {
        "file": p.place.file,
        "line": p.place.line,
        "column": p.place.column,
        "code": p.code,
        "message": p.message,
        "hint": p.hint,
    }
    return {**row, "fix": p.fix} if p.fix else row


def _print(p: Problem, path: Path | None) -> None:
    """A problem, the line that it is in with a mark below the word, and its hint."""
    first, *rest = str(p).split("\n")
    click.echo(first)
    for line in in_its_line(p.place, _text_at(path, path.stat().st_mtime_ns), console().width) if path is not None else ():
        click.echo(line)
    for line in rest:
        click.echo(f"{line} (medsafe lint --fix)" if p.fix else line)


@cache
def _text_at(path: Path, stamp: int) -> str:
    return path.read_bytes().decode("utf-8-sig", errors="replace")


def _sum(compiled: Compiled, problems: Sequence[Problem]) -> None:
    """How much was read and what is wrong, on stderr."""
    others = len(compiled.problems) - len(problems) if compiled.problems else 0
    if others:
        click.echo(f"({others} more elsewhere: medsafe lint)", err=True)
    library = compiled.library
    sizes = {"rules": library.entries, "drugs": library.drugs, "classes": library.classes, "conditions": library.conditions}
    counts = ", ".join(f"{len(items)} {noun}" for noun, items in sizes.items())
    click.echo(f"{counts}: {len(problems) or 'no'} problem{'' if len(problems) == 1 else 's'}", err=True)
    codes = list(dict.fromkeys(p.code for p in problems))
    if codes:
        click.echo(f"what a code means: medsafe explain {codes[0]}", err=True)


# ------------------------------------------------------------------ the cases


@click.command()
@click.argument("what", required=False, metavar="[PATH|ID]", shell_complete=rules)
@click.option("-v", "--verbose", is_flag=True, help="Name every case, also those that pass.")
@watch_option
@overlay_option
@json_option
def test(what: str | None, verbose: bool, watch: bool, overlays: tuple[str, ...], as_json: bool) -> int:
    """Run the cases written inside rules: all, those under PATH, or those of one ID.

    \b
    medsafe test
    medsafe test interaction.warfarin-nsaid -v
    medsafe test rules/interactions/warfarin-nsaid.yaml --watch
    """
    by_id = what is not None and not Path(what).exists()
    base, extra, part = _target(None if by_id else what, overlays)
    working("Reading the knowledge and running its cases")

    chosen = (str(what) if by_id else None, part)
    if watch:
        return again([base, *extra], _Watching(base, extra, chosen, verbose=verbose, as_json=as_json))
    return _test(base, extra, chosen, verbose=verbose, as_json=as_json)


def _test(base: Path, extra: Sequence[Path], chosen: tuple[str | None, str], *, verbose: bool, as_json: bool) -> int:
    """Run the cases of an id, or of the files under a place."""
    compiled = load_compiled(base, list(extra), cache_folder(), RECIPE)
    if compiled.problems:
        return _mend_first(compiled)
    i, part = chosen
    entries = _named(compiled, i) if i is not None else compiled.library.entries_in(part)
    if i is not None and not any(compiled.cases.get(one) for one in entries):
        raise RequestError([Problem(Place(i), "R301", "is neither a path nor a rule with cases", "medsafe list rules")])
    return EXIT_FINDINGS if _run(compiled, entries, verbose=verbose, as_json=as_json) else EXIT_OK


def _mend_first(compiled: Compiled) -> int:
    for problem in compiled.problems:
        click.echo(str(problem), err=True)
    count = len(compiled.problems)
    click.echo(f"\n{count} problem{'s' if count > 1 else ''} in the knowledge; mend first (medsafe lint)", err=True)
    return EXIT_KNOWLEDGE


def _run(compiled: Compiled, entries: Iterable[str], *, verbose: bool, as_json: bool) -> set[str]:
    """Run the cases of entries and tell of each that fails; the entries that have one."""
    proofs = [p for one in entries for p in compiled.cases.get(one, ())]
    failed, wrong = set[str](), 0
    for outcome in proof.run(proofs, Checker(compiled.library, VERSION)):
        if outcome.wrong:
            failed.add(outcome.proof.entry)
            wrong += 1
        if as_json:
            click.echo(msgspec.json.encode(_outcome(outcome)))
        elif outcome.wrong:
            click.echo(f"{outcome.proof.place}: FAILED {outcome.proof.entry}: {outcome.proof.name}\n  {outcome.wrong}")
        elif verbose:
            click.echo(f"ok {outcome.proof.entry}: {outcome.proof.name}")
    click.echo(f"{len(proofs) - wrong} passed, {wrong} failed", err=as_json)
    return failed


class _Watching:
    """Runs the cases of what was chosen, then of what each change touches and of what failed before."""

    def __init__(
        self, base: Path, extra: Sequence[Path], chosen: tuple[str | None, str], *, verbose: bool, as_json: bool
    ) -> None:
        self._base, self._extra, self._chosen = base, extra, chosen
        self._verbose, self._as_json = verbose, as_json
        self._before: Library | None = None
        self._standing: Standing | None = None
        self._failed: set[str] = set()
        self._saved: list[str] = []
        """Files that were saved since the cases ran last: where there is a problem they do not run."""

    def __call__(self, changed: Sequence[Path], later: Later) -> int:
        """Run once; what makes the next time quicker is left for after the answer."""
        self._saved += map(self._shown, changed)
        amended = self._amended(changed=bool(changed))
        compiled = amended.compiled
        if compiled.problems:
            return _mend_first(compiled)
        i, part = self._chosen
        library = compiled.library
        entries = _named(compiled, i) if i is not None else library.entries_in(part)
        sections = amended.sections if self._standing is not None else None
        what = touched(self._saved, amended.entries, library, sections) if self._before is not None else None
        if what is not None:
            entries = [one for one in entries if one in what or one in self._failed]
            click.echo(f"{len(entries)} rule{'s' * (len(entries) != 1)} touched", err=True)
        self._failed = _run(compiled, entries, verbose=self._verbose, as_json=self._as_json)
        self._before, self._saved = library, []
        if self._standing is None:
            later(self._stand)
        return EXIT_FINDINGS if self._failed else EXIT_OK

    def _amended(self, *, changed: bool) -> Amended:
        """What is compiled now, and what came out otherwise than before."""
        amended = self._standing.amended(self._saved) if self._standing is not None else None
        if amended is not None:
            return amended
        compiled = load_compiled(
            self._base, list(self._extra), cache_folder(), RECIPE, derive=self._before is None, changed=changed
        )
        if compiled.problems:  # what stood before them is built upon when they are mended
            return Amended(compiled)
        self._standing = None
        others = otherwise(self._before, compiled.library) if self._before is not None else ()
        return Amended(compiled, frozenset(others))

    def _stand(self) -> None:
        """Have the knowledge stand by, so that of a file that is saved only what it feeds is compiled."""
        if self._before is not None:
            self._standing = standing(self._base, list(self._extra), cache_folder(), RECIPE, self._before)

    def _shown(self, path: Path) -> str:
        """A file as the places of the knowledge name it."""
        for root in self._extra:
            if path.is_relative_to(root.resolve()):
                return f"{root.as_posix()}/{path.relative_to(root.resolve()).as_posix()}"
        return path.relative_to(self._base.resolve()).as_posix()


def _outcome(outcome: proof.Outcome) -> dict[str, object]:
    p = outcome.proof
    return {
        "rule": p.entry,
        "case": p.name,
        "expect": p.expect,
        "got": outcome.got,
        "passed": not outcome.wrong,
        "wrong": outcome.wrong,
        "place": p.place,
    }


def _named(compiled: Compiled, i: str) -> list[str]:
    """The entry of an id, or those of the rows of a table; an earlier id finds what it is called now."""
    library = compiled.library
    wanted = {library.current_id(i), *library.rows_of(i)}
    return [entry for entry in compiled.cases if entry in wanted]
