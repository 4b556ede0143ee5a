"""`medsafe docs`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import click

from safety.cli.common import Counter, overlay_option, working
from safety.cli.main import EXIT_OK
from safety.desk.signing import signatures_in
from safety.desk.site import Site, guide_file, pages
from safety.engine import RECIPE, cache_folder
from safety.errors import KnowledgeError, Place, Problem, RequestError
from safety.knowledge.collecting import base_folder
from safety.knowledge.snapshot import load_compiled

_GUIDES = {"Guide for pharmacists": "kb/README.md", "Guide for developers": "README.md"}
_MARK = "index.html"
_LINK = re.compile(r'<a href="([^"]*)">(.*?)</a>', re.DOTALL)


@click.command()
@click.option(
    "--out", required=True, type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="The folder to write."
)
@overlay_option
def docs(out: Path, overlays: tuple[str, ...]) -> int:
    """Write the knowledge as pages: one folder, no server.

    A search, and a page for each rule (whom it is about, what to do, sources,
    the patients who prove it), medicine (rules, what its labels state and what
    of it is held), class, condition and source; and the guides.

    \b
    medsafe docs --out site/
    """
    if out.is_dir() and any(out.iterdir()) and not (out / _MARK).is_file():
        hint = "name a folder that is empty, new, or of an earlier `medsafe docs`"
        raise RequestError([Problem(Place(str(out)), "R003", "holds other files", hint)])
    base, extra = base_folder(), [Path(o) for o in overlays]
    working("Reading the knowledge")
    compiled = load_compiled(base, extra, cache_folder(), RECIPE)
    if compiled.problems:
        raise KnowledgeError(compiled.problems)
    texts = {title: (base / file).read_text(encoding="utf-8") for title, file in _GUIDES.items() if (base / file).is_file()}
    pages_of = {_GUIDES[title]: guide_file(title) for title in texts}
    guides = {title: _html(text, Path(_GUIDES[title]).parent, pages_of) for title, text in texts.items()}
    counter, made = Counter("pages"), 0
    folders: set[Path] = set()
    for name, text in pages(Site(compiled, signatures_in([base, *extra]), guides)):
        path = out / name
        if path.parent not in folders:
            path.parent.mkdir(parents=True, exist_ok=True)
            folders.add(path.parent)
        path.write_text(text, encoding="utf-8")
        made += 1
        counter.step()
    counter.done()
    click.echo(f"{made:,} files in {out}; open {out / _MARK}", err=True)
    return EXIT_OK


def _html(text: str, folder: Path, pages_of: Mapping[str, str]) -> str:
    """A guide in Markdown as HTML; a link to a file that is no page of the folder is its text alone."""
    from markdown_it import MarkdownIt

    def linked(found: re.Match[str]) -> str:
        target, shown = found[1], found[2]
        page = pages_of.get((folder / target).as_posix())
        if target.startswith(("http://", "https://", "#")):
            return found[0]
        return f'<a href="{page}">{shown}</a>' if page else shown

    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return _LINK.sub(linked, html.replace("<pre>", '<pre tabindex="0">'))  # a keyboard scrolls what is too wide
