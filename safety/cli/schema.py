"""`medsafe schema`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import msgspec

from safety.cli.common import engine, overlay_option
from safety.cli.main import EXIT_OK
from safety.errors import Place, Problem, RequestError
from safety.serving.schemas import SCHEMAS, schema

_FOLDER = ".vscode/medsafe"
_EARLIER = "ids.schema.json"
"""Held the ids before each schema held its own."""
_SETTINGS = ".vscode/settings.json"
_KEY = "yaml.schemas"


@click.command("schema")
@click.argument("name", required=False)
@click.option("--vscode", "root", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR",
              help="Schemas of the knowledge, and the setting by which VS Code uses them.")  # fmt: skip
@overlay_option
def schema_(name: str | None, root: Path | None, overlays: tuple[str, ...]) -> int:
    """The JSON Schema of what goes in or comes out; without NAME, which there are.

    --vscode writes one schema for each kind of file of the knowledge to
    DIR/.vscode, where the YAML extension of Visual Studio Code finds them: it
    completes keys, words and the ids that there are, and marks what does not
    fit. Once there are new ids, run it again.

    \b
    medsafe schema case
    medsafe schema report
    medsafe schema --vscode .
    medsafe schema --vscode my-site/ --overlay my-site/
    """
    if root is not None:
        return _vscode(root, overlays)
    if name is None:
        for each, (version, _) in SCHEMAS.items():
            click.echo(f"{each}  urn:medsafe:{each}:{version}")
        return EXIT_OK
    click.echo(msgspec.json.format(msgspec.json.encode(schema(name)), indent=1))
    return EXIT_OK


def _vscode(root: Path, overlays: tuple[str, ...]) -> int:
    from safety.desk.editor import schemas, settings

    path = root / _SETTINGS
    kept = _settings(path)
    made = schemas(engine(overlays).library)
    (root / _FOLDER).mkdir(parents=True, exist_ok=True)
    (root / _FOLDER / _EARLIER).unlink(missing_ok=True)
    for name, value in made.items():
        (root / _FOLDER / f"{name}.schema.json").write_text(f"{json.dumps(value, indent=1)}\n", encoding="utf-8")
    ours = settings(f"./{_FOLDER}")
    others = {k: v for k, v in kept.get(_KEY, {}).items() if k not in ours}
    path.write_text(f"{json.dumps({**kept, _KEY: {**others, **ours}}, indent=2)}\n", encoding="utf-8")
    click.echo(f"{len(made)} schemas in {root / _FOLDER}, named in {path}", err=True)
    click.echo("next: in VS Code, the extension `redhat.vscode-yaml`", err=True)
    return EXIT_OK


def _settings(path: Path) -> dict[str, Any]:
    """The settings that there are. Raises RequestError where they cannot be added to without losing something."""
    if not path.exists():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, dict) or not isinstance(found.get(_KEY, {}), dict):
        hint = f"move it away, run this again, and copy `{_KEY}` from the new one into yours"
        raise RequestError([Problem(Place(str(path)), "R007", "is no plain JSON, so that nothing is added to it", hint)])
    return found
