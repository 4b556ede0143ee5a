"""`medsafe completion`, and what the shell may complete: ids and names of the knowledge."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem, get_completion_class

from safety.cli.main import EXIT_OK, cli
from safety.errors import EngineError, SafetyError
from safety.knowledge.library import Library

_VARIABLE = "_MEDSAFE_COMPLETE"
_MOST = 200
_WHERE = {
    "bash": "medsafe completion bash > ~/.local/share/bash-completion/completions/medsafe",
    "zsh": "medsafe completion zsh > ~/.zfunc/_medsafe      (with fpath+=~/.zfunc in .zshrc)",
    "fish": "medsafe completion fish > ~/.config/fish/completions/medsafe.fish",
}


@click.command()
@click.argument("shell", type=click.Choice(tuple(_WHERE)))
def completion(shell: str) -> int:
    """The script by which SHELL completes commands, options, ids and medicines.

    \b
    medsafe completion bash > \\
      ~/.local/share/bash-completion/completions/medsafe
    medsafe completion fish > ~/.config/fish/completions/medsafe.fish
    """
    made = get_completion_class(shell)
    if made is None:
        raise EngineError(f"no completion for {shell}")
    click.echo(made(cli, {}, "medsafe", _VARIABLE).source())
    click.echo(f"for good: {_WHERE[shell]}", err=True)
    return EXIT_OK


def ids(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Everything that has an id which begins so; of an unfinished name the medicines as well."""
    library = _library()
    return _beginning(begun, () if library is None else (*library.by_id, *_names(library)))


def rules(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """The rules whose id begins so."""
    library = _library()
    return _beginning(begun, () if library is None else library.entry)


def medicines(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """The medicines whose name begins so."""
    library = _library()
    return _beginning(begun, () if library is None else _names(library))


def medicines_or_files(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """The medicines whose name begins so, and files."""
    library = _library()
    return [*_beginning(begun, () if library is None else _names(library)), CompletionItem(begun, type="file")]


def codes(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """The codes of problems that begin so."""
    from safety.desk.codes import codes as every

    return [CompletionItem(code, help=told.means) for code, told in every().items() if code.startswith(begun.upper())]


def _names(library: Library) -> Iterable[str]:
    return (drug.name for drug in library.drugs)


def _beginning(begun: str, known: Iterable[str]) -> list[CompletionItem]:
    found = sorted({one for one in known if one.lower().startswith(begun.lower())})
    return [CompletionItem(one) for one in found[:_MOST]]


def _library() -> Library | None:
    """The knowledge; None where it cannot be read: a shell that completes is no place for a message."""
    from safety.engine import load

    try:
        return load().library
    except (SafetyError, OSError):
        return None
