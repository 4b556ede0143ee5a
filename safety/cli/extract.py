"""`medsafe extract`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from safety.cli.common import engine, json_option, overlay_option, read_text
from safety.cli.main import EXIT_OK
from safety.edge.extraction import Extraction, MedicationSaid
from safety.engine import Engine
from safety.errors import Place, Problem, RequestError
from safety.text import printable

_STYLE = {
    "taking": "bold green", "missed": "bold yellow", "stopped": "bold yellow", "allergic": "bold red", "prescribed": "bold cyan",
    "asking": "bold magenta", "considering": "bold magenta",
}  # fmt: skip
_LIKE_A_FILE = (".txt", ".md", ".json", ".csv", ".log")


@click.command()
@click.argument("what", nargs=-1, required=True, metavar="FILE|-|TEXT...")
@click.option("--model", "url", metavar="URL", help="Ask a model too, at an OpenAI-compatible endpoint.")
@click.option("--model-name", default="default", show_default=True, help="The model to ask for there.")
@click.option("--model-key", envvar="MEDSAFE_MODEL_KEY", default="none", show_default=False, help="Its key (MEDSAFE_MODEL_KEY).")
@click.option("--model-timeout", type=click.IntRange(1, 600), default=30, show_default=True, help="Seconds for one answer.")
@overlay_option
@json_option
def extract(
    what: tuple[str, ...], url: str | None, model_name: str, model_key: str, model_timeout: int, overlays: tuple[str, ...],
    as_json: bool,
) -> int:  # fmt: skip
    """What does a text say of medicines and the patient?

    FILE is a text file; `-` reads standard input; anything else is a text as it
    was said. Speakers stand before what they say: `Patient: …`, `Doctor: …`.
    Every item quotes the text and says where it stands.

    \b
    medsafe extract "I take lisinopril 20 mg daily, my wife takes warfarin"
    medsafe extract visit.txt --json
    medsafe extract visit.txt --model http://localhost:8000/v1

    A model only adds: what it finds is marked, and nothing rests on it until
    somebody confirms it. Without an answer the dictionary's serves.
    """
    loaded = engine(overlays)
    for text in _texts(what):
        found = _extracted(loaded, text, url, model_name, model_key, model_timeout)
        if as_json:
            sys.stdout.buffer.write(found.to_json() + b"\n")
        else:
            _page(found)
    return EXIT_OK


def _texts(what: tuple[str, ...]) -> list[str]:
    """Each file's text, or, where none of the words is a file, the words as one text."""
    if any(one == "-" or Path(one).is_file() for one in what if len(one) < 256):
        return [read_text(one) for one in what]
    missing = next((one for one in what if one.endswith(_LIKE_A_FILE) and " " not in one), None)
    if missing is not None:
        raise RequestError([Problem(Place(missing), "R001", "cannot be read: there is no such file", "is the path right?")])
    return [" ".join(what)]


def _extracted(loaded: Engine, text: str, url: str | None, name: str, key: str, timeout: int) -> Extraction:
    if url is None:
        return loaded.extract(text)
    from safety.edge.model import Endpoint

    return loaded.extract(text, loaded.model_extractor(Endpoint(url, name, key, timeout)))


def _page(found: Extraction) -> None:
    from rich.text import Text

    from safety.cli.page import Page

    page = Page()
    for m in found.medications:
        head = Text(m.context.replace("_", " ").upper(), style=_STYLE.get(m.context, "bold"))
        page.out.print(head + Text(f"  {printable(m.span.text, 60)}", style="bold") + Text(_meant(m)))
        page.labelled("dose", _quoted(m.dose))
        page.labelled("how", _quoted(m.directions))
        page.labelled("when", _quoted(m.time))
        page.labelled("for", _quoted(m.reason))
        page.labelled("at", f"{m.span.start}-{m.span.end}" + (f", and {len(m.also)} more" if m.also else ""))
        page.labelled("ask", m.ask or (m.normalised.ask if _is_asked(m) else ""))
        page.line()
    rows = {
        "allergy": [
            ("none told" if a.denied and not a.to else f"{'no ' if a.denied else ''}{a.to}", a.span) for a in found.allergies
        ],
        "problem": [(f"{c.name} ({c.standing})", c.span) for c in found.conditions],
        "result": [(f"{r.name} {r.value} {r.unit or ''}".strip(), r.span) for r in found.results],
        "vaccine": [(f"{v.span.text} ({v.context.replace('_', ' ')})", v.span) for v in found.vaccines],
        "intake": [(f"{'no ' if i.denied else ''}{i.span.text}", i.span) for i in found.intake],
        "patient": [(f"{f.fact} {f.value}", f.span) for f in found.facts],
    }
    for label, items in rows.items():
        for text, span in items:
            page.labelled(label, f"{printable(text, 90)}  [{span.start}-{span.end}]")
    for note in found.notes:
        page.labelled("note", note)
    if found.empty:
        page.labelled("found", "nothing that names a medicine, a condition or a result")


def _is_asked(m: MedicationSaid) -> bool:
    """Whether the name is to be asked back; of an allergy to a class of medicines nobody asks which of them."""
    return m.normalised.confirm and not (m.context == "allergic" and m.normalised.via == "class")


def _meant(m: MedicationSaid) -> str:
    """What a name was taken to be, where it is not that name."""
    read = m.normalised
    if read.status != "match":
        return "  (which is not known)" if read.status == "unrecognised" else "  (which one is open)"
    same = read.name is not None and read.name.lower() == m.span.text.lower()
    marks = "".join((f"  = {read.name}" if not same else "", "  (to be confirmed)" if read.confirm else ""))
    return marks + ("  (a model's)" if m.by == "model" else "")


def _quoted(said: object) -> str:
    value, span = getattr(said, "value", ""), getattr(said, "span", None)
    return f'{value}  ("{printable(span.text, 60)}")' if span is not None else ""
