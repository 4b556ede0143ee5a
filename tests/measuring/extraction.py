"""How well medicines are found in talk: names, contexts and doses, on real dialogues that are no part of the package."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec import Struct

from safety.cli.common import engine, json_option
from safety.cli.main import EXIT_OK
from safety.edge.extraction import MedicationSaid
from safety.edge.extractor import Extractor
from safety.engine import Engine
from safety.knowledge.collecting import base_folder
from safety.reading.directions.sig import read_sig
from safety.reading.names.resolver import Resolver
from safety.reading.wording import key_of, worded

_PARTS = {
    "aci/train": ("aci_bench/train.csv", "encounter_id", "dialogue", "note"),
    "aci/valid": ("aci_bench/valid.csv", "encounter_id", "dialogue", "note"),
    "mts/training": ("mts_dialog/MTS-Dialog-TrainingSet.csv", "ID", "dialogue", "section_text"),
    "mts/validation": ("mts_dialog/MTS-Dialog-ValidationSet.csv", "ID", "dialogue", "section_text"),
}
VISITS = Path(__file__).resolve().parents[1] / "edge" / "visits.yaml"


class Visit(Struct, frozen=True):
    """One dialogue and the note that was written of it."""

    id: str
    dialogue: str
    note: str


class Measured(Struct):
    """Of so many, how many came out right, and which did not."""

    of: int = 0
    right: int = 0
    wrong: list[str] = []

    def count(self, good: bool, what: str) -> None:
        """One more."""
        self.of += 1
        self.right += good
        if not good:
            self.wrong.append(what)

    @property
    def share(self) -> str:
        """The share as a percentage."""
        return f"{100 * self.right / self.of:.1f} %" if self.of else "none"


class Figures(Struct):
    """All visits: names that stand in dialogue and note; the sample: names, statuses, doses; what was never said."""

    visits: int = 0
    both: Measured = msgspec.field(default_factory=Measured)
    words_too: Measured = msgspec.field(default_factory=Measured)
    """Of names that are more often something else (a result, a food, a person), however they are meant there."""
    misspelt: Measured = msgspec.field(default_factory=Measured)
    invented: list[str] = []
    sample: int = 0
    named: Measured = msgspec.field(default_factory=Measured)
    status: Measured = msgspec.field(default_factory=Measured)
    dose: Measured = msgspec.field(default_factory=Measured)
    often: Measured = msgspec.field(default_factory=Measured)
    allergies: Measured = msgspec.field(default_factory=Measured)
    sample_invented: list[str] = []
    strangers: list[str] = []
    """Words asked about as medicines that we do not know."""


def visits_in(folder: Path) -> Iterator[Visit]:
    """The dialogues of the development parts that are there."""
    csv.field_size_limit(1 << 24)
    for part, (file, key, dialogue, note) in _PARTS.items():
        path = folder / file
        if path.is_file():
            with path.open(encoding="utf-8", newline="") as handle:
                for row in csv.DictReader(handle):
                    yield Visit(f"{part}/{row[key]}", row[dialogue], row[note])


def named_in(text: str, resolver: Resolver) -> dict[str, str]:
    """Every name as written in a text, by what it stands for: words beside words, nothing else looked at."""
    line = worded(text)
    found: dict[str, str] = {}
    at = 0
    while at < len(line.words):
        hit = resolver.longest_at(line.words[at : at + 12], 0)
        if hit is None:
            at += 1
            continue
        found[hit.target] = " ".join(line.words[at : at + hit.after])
        at += hit.after
    return found


def measure_extraction(visits: Sequence[Visit], checked: Mapping[str, Any], loaded: Engine, extractor: Extractor) -> Figures:
    """Every visit extracted and compared."""
    figures = Figures(invented=[], sample_invented=[], strangers=[])
    resolver = loaded.checker.resolver
    misspelt = checked.get("misspelt", {})
    words_too = frozenset(loaded.library.language.words("names-that-are-words"))
    plain = resolver.talk.talk | resolver.talk.no_names
    for visit in visits:
        extraction = extractor.extract(visit.dialogue)
        found = extraction.medications
        figures.visits += 1
        said, noted = named_in(visit.dialogue, resolver), named_in(visit.note, resolver)
        drugs = {d for m in (*found, *extraction.vaccines) for d in m.drugs}
        for target, name in said.items():
            other = name in words_too or len(name) < 4 or all(w in plain for w in name.split())
            meant = set(resolver.read(name).drugs)
            if target in noted and meant:
                (figures.words_too if other else figures.both).count(bool(meant & drugs), f"{visit.id}: {name}")
        every = {d for name in said.values() for d in resolver.read(name).drugs}
        for m in found:
            if m.drugs and not set(m.drugs) & every and (seen := misspelt.get(f"{visit.id}: {m.span.text}")) is not None:
                figures.misspelt.count(seen in m.drugs and m.normalised.confirm, f"{visit.id}: {m.span.text}")
            elif m.drugs and not set(m.drugs) & every:
                figures.invented.append(f"{visit.id}: {m.span.text} = {m.drugs}")
            if not m.drugs and m.normalised.via != "class":
                figures.strangers.append(f"{visit.id}: {m.span.text}")
        if visit.id in checked:
            _against(figures, visit, checked[visit.id], found, loaded)
    return figures


def _against(figures: Figures, visit: Visit, gold: Mapping[str, Any], found: Sequence[MedicationSaid], loaded: Engine) -> None:
    """One visit of the sample."""
    figures.sample += 1
    resolver = loaded.checker.resolver

    def of(name: str) -> list[MedicationSaid]:
        drugs = set(resolver.read(name).drugs)
        return [m for m in found if drugs == set(m.drugs) or key_of(m.span.text) == key_of(name)]

    rows = gold.get("named", [])
    for row in rows:
        mine, what = of(row["name"]), f"{visit.id}: {row['name']}"
        figures.named.count(bool(mine), what)
        if not mine:
            continue
        contexts = {m.context for m in mine}
        figures.status.count(
            contexts <= {*row["is"], "asking", "mentioned"} and bool(contexts & set(row["is"])), f"{what} {contexts}"
        )
        if "dose" in row:
            told = [m.dose.value for m in mine if m.dose is not None]
            figures.dose.count(any(same_dose(v, row["dose"], loaded) for v in told), f"{what} {told}")
        if "often" in row:
            often = [m.directions.value for m in mine if m.directions is not None]
            figures.often.count(any(same_often(v, row["often"], loaded) for v in often), f"{what} {often}")
    for name in gold.get("allergic", []):
        figures.allergies.count(any(m.context == "allergic" for m in of(name)), f"{visit.id}: {name}")
    known = [r["name"] for r in rows] + list(gold.get("maybe", [])) + list(gold.get("allergic", []))
    right = {id(m) for name in known for m in of(name)}
    figures.sample_invented += [f"{visit.id}: {m.span.text} {m.context}" for m in found if m.drugs and id(m) not in right]


def same_dose(one: str, other: str, loaded: Engine) -> bool:
    """Whether two amounts are the same, "2 tablets of 200 mg" told by its tablets or its strength."""
    units = loaded.library.units
    wanted = units.parse(other)
    told = [q for part in re.split(r"\s+of\s+", one) if (q := units.parse(part)) is not None]
    return wanted is not None and any(units.compare(q, wanted) == 0 for q in told)


def same_often(one: str, other: str, loaded: Engine) -> bool:
    """Whether two frequencies come to the same times a day, and both are as needed or neither."""

    def read(text: str) -> tuple[Fraction | None, bool]:
        text = text.replace("a day, ", "once a day ") if text.startswith("a day") else text
        sig = read_sig(f"1 tablet {text}" if text != "a day" else "1 tablet once a day", loaded.checker.lexicon)
        return (sig.times_per_day[1] if sig.times_per_day else None), bool(sig.as_needed)

    return read(one) == read(other)


def checked_visits(part: str = "visits") -> dict[str, Any]:
    """The sample that was read by hand; `fresh` and `later`: two smaller ones, read after the extractor was written."""
    from safety.knowledge.documents import read_text

    document, problems = read_text(VISITS.read_text(encoding="utf-8"), VISITS.name)
    assert document is not None, problems
    found: dict[str, Any] = document.value[part]
    return {**found, "misspelt": document.value["misspelt"]}


@click.command()
@click.option("--data", metavar="DIR", help="The folder with aci_bench and mts_dialog (default: ../shared/data/real).")
@click.option("--fresh", is_flag=True, help="The twenty-six visits that were read after the extractor was written.")
@click.option("--later", is_flag=True, help="The forty visits that were read after those.")
@click.option("--wrong", is_flag=True, help="Name what came out wrong.")
@json_option
def extract(data: str | None, fresh: bool, later: bool, wrong: bool, as_json: bool) -> int:
    """How many of the medicines named in real visits are found, and none that are not; contexts and doses on sixty of them.

    The data are no part of the project: where they are absent that is said, and nothing is measured.
    """
    folder = Path(data) if data else base_folder().parent / "shared" / "data" / "real"
    if not folder.is_dir():
        folder = Path("/work/shared/data/real") if data is None else folder
    visits = list(visits_in(folder))
    if not visits:
        click.echo(f"skipped: no dialogues in {folder} (aci_bench/train.csv, mts_dialog/…); give the folder with --data")
        return EXIT_OK
    loaded = engine()
    from safety.edge.dictionary import DictionaryExtractor

    part = "later" if later else "fresh" if fresh else "visits"
    figures = measure_extraction(visits, checked_visits(part), loaded, DictionaryExtractor(loaded.checker))
    if as_json:
        click.echo(msgspec.json.encode(figures))
        return EXIT_OK
    click.echo(f"{figures.visits} visits, {figures.sample} of them read by hand")
    rows = {
        "named in dialogue and note, found": figures.both, "of names that are words too": figures.words_too,
        "misspelt, found and asked back": figures.misspelt, "named in the sample, found": figures.named,
        "in the right context": figures.status, "with the right dose": figures.dose, "with the right frequency": figures.often,
        "allergies": figures.allergies,
    }  # fmt: skip
    for title, m in rows.items():
        click.echo(f"  {title:36} {m.right:5} of {m.of:5}  {m.share}")
        for one in m.wrong if wrong else ():
            click.echo(f"      {one}")
    for title, found in (
        ("invented", figures.invented),
        ("invented in the sample", figures.sample_invented),
        ("asked to be spelled", figures.strangers),
    ):
        click.echo(f"  {title:36} {len(found):5}")
        for text in found if wrong else ():
            click.echo(f"      {text}")
    return EXIT_OK
