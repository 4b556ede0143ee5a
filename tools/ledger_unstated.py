"""What the text of a label names, that no statement of its ledger does, and of which the engine says nothing beside the medicine.

It goes to the terminal of whoever reads the label again; a third of it is noise (what a harm leads to, another medicine's use).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from ledger_trials import Trials
from ledger_words import Named, Words
from msgspec import Struct

from safety.knowledge import library as lib

_SECTIONS = ("BOXED", "4", "5", "7")
_OF_WHOM = re.compile(
    r"patients? (with|who|having|receiving|taking|on)\b|history of|pre-?existing|predispos|concomitant|concurrent|co-?administ"
    r"|combin|contraindicat|avoid|caution|in the presence of|underlying|should not|do not|not recommended|risk factors"
    r"|together with|plus",
    re.I,
)
"""Words of a sentence that says in whom, or beside what, something is not to be done."""
_NOTHING_THERE = re.compile(
    r"\bno (clinically |statistically )?(significant|important|relevant|meaningful|major|apparent|effect|dos(e|age) adjust"
    r"|interaction|pharmacokinetic|observed|change)|not (significantly |clinically )?(affected|altered|alter|affect)"
    r"|without (evidence|dos)|\bhypersensitiv|\ballerg",
    re.I,
)
"""Words of a sentence that says that nothing comes of it, or that is about an allergy, which is held by the allergy checks."""
_TRIED = ("drug", "condition", "food", "procedure", "class")
_MOST = 420


class Unstated(Struct, frozen=True):
    """One thing that a sentence of a label names: in which section, what, and the sentence."""

    section: str
    named: Named
    sentence: str


class Labels:
    """The files of the label library, by the set id of a ledger's copy."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: Mapping[str, Path] = {
            match[1]: path
            for path in sorted((folder / "text").glob("*.txt"))
            if (match := re.search(r"(?m)^SET ID: ([0-9a-f-]{36})", path.read_text(errors="replace")[:2000]))
        }

    def of(self, ledger: lib.Coverage) -> Iterator[Path]:
        """The labels that a ledger cites, of those the library holds."""
        for citation in ledger.evidence:
            set_id = re.search(r"[0-9a-f]{8}-[0-9a-f-]{27}", citation.copy or "")
            if set_id and set_id[0] in self._files:
                yield self._files[set_id[0]]

    def without(self, library: lib.Library) -> Iterator[tuple[lib.Coverage, Path]]:
        """Labels of one prescription ingredient of ours that has no ledger, each with an empty ledger to hold it against."""
        written = {ledger.drug for ledger in library.coverage}
        ours = {drug.name.lower(): drug for drug in library.drugs if drug.id not in written}
        with (self._folder / "index.csv").open(newline="", encoding="utf-8") as f:
            rows = [row for row in csv.DictReader(f) if row["single"] == "1" and "OTC" not in row["product_type"]]
        for row in rows:
            drug = ours.get(row["ingredients"].lower())
            if drug:
                route = row["route"].split(",")[0].strip().lower()
                routes = (route,) if route in drug.routes else ()
                yield lib.Coverage(f"none: {drug.id}", drug.id, None, "", routes, {}, (), ()), self._folder / "text" / row["file"]


def unstated(ledger: lib.Coverage, label: Path, words: Words, trials: Trials) -> Iterator[Unstated]:
    """What a label names and its ledger does not, silent when tried; each thing once, at its first sentence."""
    stated = {(n.kind, n.id) for listed in ledger.sections.values() for s in listed for n in words.named(s.says, ledger.drug)}
    seen = set(stated)
    for section, sentence in _sentences(label):
        for named in words.named(sentence, ledger.drug):
            key = (named.kind, named.id)
            if named.kind in _TRIED and key not in seen and not _wider(named, stated, words.library):
                seen.add(key)
                if all(not one.rules for one in trials.tried(ledger, named, sentence)):
                    yield Unstated(section, named, sentence[:_MOST])


def _sentences(label: Path) -> Iterator[tuple[str, str]]:
    for part in re.split(r"(?m)^## ", label.read_text(errors="replace"))[1:]:
        heading, _, body = part.partition("\n")
        if heading.split()[0] in _SECTIONS:
            for line in body.split("\n"):
                for sentence in re.split(r"(?<=[.;])\s+(?=[A-Z])", line.strip()):
                    if _OF_WHOM.search(sentence) and not _NOTHING_THERE.search(sentence):
                        yield heading.split()[0], sentence


def _wider(named: Named, stated: set[tuple[str, str]], library: lib.Library) -> bool:
    """Whether a statement names what this is a kind of."""
    if named.kind == "condition":
        return any(("condition", kind) in stated for kind in library.condition[named.id].is_a)
    if named.kind == "drug":
        return any(kind == "class" and named.id in library.drug_class[i].members for kind, i in stated)
    return False
