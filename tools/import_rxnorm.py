"""Make kb/recognised/: the RxNorm names that we recognise without holding a monograph for them.

    python tools/import_rxnorm.py --tables FOLDER             # rxnorm_ingredients.csv, rxnorm_brands.csv …
    python tools/import_rxnorm.py --rrf FOLDER --release 2025-11-03

FOLDER of `--rrf` is an unpacked RxNorm release (RXNCONSO.RRF and RXNREL.RRF, beside each other or in `rrf/`), best the
"Current Prescribable Content", which needs no licence: https://www.nlm.nih.gov/research/umls/rxnorm/docs/rxnormfiles.html

What is written (ingredients.csv, brands.csv) and by which rules:
- concepts of RxNorm itself that are not suppressed: ingredients (IN), their salts (PIN), combinations (MIN), brands (BN);
  of a full release only the prescribable subset, unless `--whole`;
- a name that a monograph or product in `kb/` already bears is left out: no name and no code stands twice;
- a code that `kb/` already bears is left out of a row whose name differs; the name stays;
- a brand holds its ingredients only where every one of them can be named; otherwise the cell is empty, which reads
  "known, contents not settled": part of a product is never taken for the whole;
- `bare: no` (only the code means the medicine, never the word alone) for allergenic extracts, pollens, danders,
  venoms and the like; for names made only of words in tools/everyday_words.txt, that kb/allergens uses, or of up to
  three letters in several pieces; and for plants, salts and chemicals known only from the 2014 map, when neither
  Drugs@FDA, an FDA class nor a brand attests them.

Rows are sorted and the output depends on the input and `kb/` alone.
"""

from __future__ import annotations

import argparse
import csv
import io
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from safety.text import fold

HOME = Path(__file__).resolve().parent.parent
BETWEEN = " + "
CURRENT = "source.rxnorm-2025-10"
OLD_MAP = "source.ndfrt-rxnorm-2014"
PRESCRIBABLE = "4096"
KINDS = {"IN": "ingredient", "PIN": "salt", "MIN": "combination", "BN": "brand"}
RELATIONS = {"tradename_of", "has_tradename", "form_of", "has_form", "has_part", "part_of", "has_ingredient", "ingredient_of"}
EXTRACT = re.compile(
    r"\b(allergenic|allergen|pollen|dander|venom protein|smut|epithelia|feather|(?:hair|skin) extract|house fly|spherule)\b"
    r"|\binert ingredients\b",
    re.IGNORECASE,
)
BEFORE = re.compile(
    r"^(?:[0-9.]+ (?:day|ml|hr|unt doses)|sprinkle|emollient|augmented|once-daily|twice-daily|abuse-deterrent|sugar-free|"
    r"preservative-free|pulmonary hypertension|hyponatremia|atrial fibrillation|home admin|micronized|modified) (?=[a-z])"
)
ALONE = {
    "sodium", "potassium", "calcium", "magnesium", "zinc", "iron", "ferrous", "ferric", "aluminum", "copper", "cupric",
    "manganese", "ammonium", "silver", "lithium", "chromic", "choline", "bismuth", "selenium", "vitamin", "acetate", "lactate",
}  # fmt: skip
"""Words that do not name an ingredient when what stood after them is cut off."""
CATIONS = {"sodium", "potassium", "calcium", "magnesium"}
"""Words before the name of a salt that its ingredient's name leaves out."""


@dataclass(frozen=True)
class Concept:
    """One RxNorm name: its code, kind, the names of what it holds, where it is from, and whether the word alone tells."""

    name: str
    rxcui: str
    kind: str
    holds: tuple[str, ...]
    source: str
    bare: bool = True


@dataclass(frozen=True)
class Held:
    """What `kb/` names already: folded names of monographs and products, all codes, folded names of single drugs → the name
    a row may use for it, and the everyday words."""

    names: frozenset[str]
    codes: frozenset[str]
    drugs: dict[str, str]
    everyday: frozenset[str]
    allergens: frozenset[str]


# ------------------------------------------------------------------ what kb/ holds


def read_held(kb: Path) -> Held:
    """Names and codes of every monograph and product, and the words that name foods and the like."""
    names: set[str] = set()
    codes: set[str] = set()
    drugs: dict[str, str] = {}
    for folder in ("drugs", "products"):
        for path in sorted((kb / folder).glob("*.yaml")):
            item = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
            held = item.get("codes", {})
            codes.update(filter(None, (held.get("rxnorm"), *held.get("rxnorm_also", ()))))
            for text in names_of(item):
                names.add(fold(text))
                if folder == "drugs":
                    drugs.setdefault(fold(text), item["name"])
    allergens: set[str] = set()
    for path in sorted((kb / "allergens").glob("*.yaml")):
        item = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        allergens.update(fold(text) for text in (item["name"], *item.get("synonyms", ())) if fold(text).isalnum())
    lines = (HOME / "tools" / "everyday_words.txt").read_text(encoding="utf-8").splitlines()
    words = frozenset(word for line in lines if not line.startswith("#") for word in line.split())
    return Held(frozenset(names), frozenset(codes), drugs, words, frozenset(allergens))


def names_of(item: dict[str, object]) -> Iterator[str]:
    """Every name that a monograph or product bears."""
    yield str(item["name"])
    for key in ("synonyms", "brands", "salts", "misspellings", "abbreviations"):
        listed = item.get(key, [])
        for text in listed if isinstance(listed, list) else []:
            yield text["text"] if isinstance(text, dict) else str(text)


# ------------------------------------------------------------------ reading tables


def read_tables(folder: Path) -> list[Concept]:
    """Concepts from the CSV tables. Rows of the 2014 map have no sure term type: a name that Drugs@FDA sells is a brand."""
    sold, active = read_drugs_at_fda(folder / "drugsfda_products_2019.csv")
    brands = list(read_rows(folder / "rxnorm_brands.csv"))
    in_brands = {
        fold(p) for row in brands for p in (*row["precise_ingredients"].split(" / "), *row["ingredients"].split(BETWEEN))
    }
    concepts: list[Concept] = []
    for row in read_rows(folder / "rxnorm_ingredients.csv"):
        kind = KINDS[row["tty"].rstrip("?")]
        name, key = row["name"], fold(row["name"])
        old = row["tty"].endswith("?")
        source = OLD_MAP if old else CURRENT
        holds = tuple(name.split(" / ")) if kind == "combination" else ()
        if old and kind == "ingredient" and key in sold and key not in active:
            concepts.append(Concept(name, row["rxcui"], "brand", sold[key], source))
            continue
        attested = not old or row["in_drugsfda_2019"] == "1" or key in active or key in in_brands or bool(row["epc"])
        allergen = old and "llergen" in row["epc"]
        bare = not allergen and (attested or (kind == "ingredient" and key.isalnum()))
        concepts.append(Concept(name, row["rxcui"], kind, holds, source, bare))
    for row in brands:
        precise = tuple(row["precise_ingredients"].split(" / "))
        plain = tuple(row["ingredients"].split(BETWEEN))
        pairs = tuple(f"{p}|{q}" for p, q in zip(precise, plain, strict=True)) if len(precise) == len(plain) else precise
        concepts.append(Concept(row["brand"], row["bn_rxcui"], "brand", pairs, CURRENT))
    return concepts


def read_drugs_at_fda(path: Path) -> tuple[dict[str, tuple[str, ...]], set[str]]:
    """Brand → its ingredients (only where all its products hold the same), and every active ingredient."""
    sold: dict[str, set[tuple[str, ...]]] = {}
    active: set[str] = set()
    for row in read_rows(path):
        parts = tuple(part.strip().lower() for part in row["active_ingredients"].split("+"))
        active.update(fold(part) for part in parts)
        if row["is_brand"] == "1":
            sold.setdefault(fold(row["drug_name"]), set()).add(parts)
    return {name: next(iter(found)) if len(found) == 1 else () for name, found in sold.items()}, active


def read_rows(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a CSV table as mappings."""
    with path.open(encoding="utf-8", newline="") as handle:
        yield from csv.DictReader(handle)


# ------------------------------------------------------------------ reading RRF


def read_rrf(folder: Path, source: str, whole: bool = False) -> list[Concept]:
    """Concepts from RXNCONSO.RRF, and what they hold from RXNREL.RRF."""
    folder = folder / "rrf" if (folder / "rrf").is_dir() else folder
    kept: dict[str, tuple[str, str]] = {}
    limited = False
    rows = [r for r in rrf_rows(folder / "RXNCONSO.RRF") if r[11] == "RXNORM" and r[12] in KINDS and r[16] == "N"]
    limited = not whole and any(r[17] == PRESCRIBABLE for r in rows)
    for r in rows:
        if not limited or r[17] == PRESCRIBABLE:
            kept[r[0]] = (r[14], r[12])
    holds: dict[str, set[str]] = {}
    for r in rrf_rows(folder / "RXNREL.RRF"):
        if r[7] not in RELATIONS or r[10] != "RXNORM" or (len(r) > 14 and r[14] not in ("", "N")):
            continue
        for whole_, part in ((r[0], r[4]), (r[4], r[0])):  # the term types say which way it goes
            if whole_ in kept and part in kept and kept[part][1] == "IN" and kept[whole_][1] in ("BN", "PIN", "MIN"):
                holds.setdefault(whole_, set()).add(kept[part][0])
    return [Concept(name, code, KINDS[tty], tuple(sorted(holds.get(code, ()))), source) for code, (name, tty) in kept.items()]


def rrf_rows(path: Path) -> Iterator[list[str]]:
    """The rows of an RRF file: cells with a bar after each."""
    with path.open(encoding="utf-8") as handle:
        for line in handle:
            yield line.rstrip("\r\n").removesuffix("|").split("|")


# ------------------------------------------------------------------ choosing


def chosen(concepts: Iterable[Concept], held: Held) -> list[Concept]:
    """The concepts that `kb/` does not name, once each, what they hold looked up, in order of name."""
    ordered = sorted(concepts, key=lambda c: (list(KINDS.values()).index(c.kind), c.source, fold(c.name), c.name, int(c.rxcui)))
    kept: dict[str, Concept] = {}
    codes: set[str] = set(held.codes)
    for c in ordered:
        key = fold(c.name)
        if not key or key in held.names or key in kept:
            continue
        kept[key] = replace(c, rxcui="" if c.rxcui in codes else c.rxcui)
        codes.add(c.rxcui)
    known = {**{key: c.name for key, c in kept.items() if c.kind in ("ingredient", "salt")}, **held.drugs}
    result = []
    for c in kept.values():
        holds = looked_up(c, known)
        bare = c.bare and not EXTRACT.search(c.name) and not everyday(c.name, held)
        result.append(replace(c, holds=holds, bare=bare))
    return sorted(result, key=lambda c: (fold(c.name), c.name))


def looked_up(c: Concept, known: dict[str, str]) -> tuple[str, ...]:
    """The names of what a concept holds, each one that we know; nothing if one of them is not."""
    if c.kind == "ingredient":
        return ()
    if c.kind == "salt" and not c.holds:
        own = fold(c.name)
        others = {k: v for k, v in known.items() if k != own}
        first, _, rest = c.name.partition(" ")
        base = shortened(c.name, others) or (shortened(rest, others) if first in CATIONS else None)
        return (base,) if base and not names_another(c.name, base, others) else ()
    found = []
    for part in c.holds:
        name = next(filter(None, (shortened(choice, known) for choice in part.split("|"))), None)
        if name is None:
            return ()
        found.append(name)
    return tuple(dict.fromkeys(found))


def shortened(text: str, known: dict[str, str]) -> str | None:
    """The known name that a text is, or is with a qualifier before it or a salt after it."""
    text = BEFORE.sub("", text.lower().strip())
    if text in ALONE:
        return None
    words = fold(text).split()
    for end in range(len(words), 0, -1):
        key = " ".join(words[:end])
        if end < len(words) and words[end - 1] in ALONE:
            continue
        if key in known:
            return known[key]
    return None


def names_another(name: str, base: str, known: dict[str, str]) -> bool:
    """Whether a name says a second ingredient after its base (arginine vasopressin, aluminum hydroxide, magnesium …)."""
    words = fold(name).replace(",", " ").split()
    after = words[len(fold(base).split()) :] if words[: len(fold(base).split())] == fold(base).split() else []
    return any(
        " ".join(after[i:j]) in known and after[i] not in ALONE for i in range(len(after)) for j in range(i + 1, len(after) + 1)
    )


def everyday(name: str, held: Held) -> bool:
    """Whether a name is made only of everyday words, or is what a food allergen is called."""
    key = fold(name)
    words = key.replace("/", " ").replace("+", " ").replace("&", " ").split()
    plain = all(w in held.everyday or w.removesuffix("s") in held.everyday or w.isdigit() for w in words)
    return key in held.allergens or plain or (len(words) > 1 and sum(map(len, words)) <= 3)


# ------------------------------------------------------------------ writing


def table(concepts: Sequence[Concept], brands: bool, said: str) -> str:
    """One table as text, in the layout that kb/README.md describes."""
    out = io.StringIO()
    out.write(f"# {said}; US National Library of Medicine; public domain.\n")
    out.write("# Made by tools/import_rxnorm.py: do not edit by hand, write a monograph instead.\n")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["name", "rxcui", *([] if brands else ["kind"]), "ingredients", "bare", "source"])
    for c in concepts:
        if (c.kind == "brand") == brands:
            kind = [] if brands else [c.kind]
            writer.writerow([c.name, c.rxcui, *kind, BETWEEN.join(c.holds), "yes" if c.bare else "no", c.source])
    return out.getvalue()


def write_source(kb: Path, source: str, release: str) -> None:
    """The bibliography entry of a release, unless it is there already."""
    path = kb / "sources" / f"{source.removeprefix('source.')}.yaml"
    if not path.exists():
        lines = [
            f"id: {source}", f"title: RxNorm, release of {release}", "publisher: US National Library of Medicine",
            "type: terminology", f'edition: "{release}"',
            "url: https://www.nlm.nih.gov/research/umls/rxnorm/docs/rxnormfiles.html", "licence: public domain",
        ]  # fmt: skip
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Read one kind of input, write both tables, tell how many names there are."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given = parser.add_mutually_exclusive_group(required=True)
    given.add_argument("--tables", type=Path, help="folder with the CSV tables")
    given.add_argument("--rrf", type=Path, help="folder of an unpacked RxNorm release")
    parser.add_argument("--release", help="the release's day, e.g. 2025-11-03 (with --rrf)")
    parser.add_argument("--whole", action="store_true", help="all of a full release, not only its prescribable subset")
    parser.add_argument("--kb", type=Path, default=HOME / "kb", help="the knowledge to leave out (default: this checkout's)")
    parser.add_argument("--out", type=Path, help="where to write (default: KB/recognised)")
    options = parser.parse_args(arguments)
    if options.rrf and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", options.release or ""):
        parser.error("--rrf needs --release, the day of the release: 2025-11-03")
    if options.tables:
        concepts = read_tables(options.tables)
        said = "RxNorm Current Prescribable Content, 2025-10-06 (names in A: NDF-RT to RxNorm map, 2014)"
    else:
        source = f"source.rxnorm-{options.release[:7]}"
        concepts = read_rrf(options.rrf, source, options.whole)
        said = f"RxNorm, release of {options.release}, the names and codes of RxNorm itself"
        write_source(options.kb, source, options.release)
    names = chosen(concepts, read_held(options.kb))
    out = options.out or options.kb / "recognised"
    out.mkdir(parents=True, exist_ok=True)
    for file, brands in (("ingredients.csv", False), ("brands.csv", True)):
        (out / file).write_text(table(names, brands, said), encoding="utf-8", newline="\n")
    counts = {kind: sum(c.kind == kind for c in names) for kind in KINDS.values()}
    settled = sum(c.kind == "brand" and bool(c.holds) for c in names)
    print(f"{out}: {counts}, {settled} brands with contents, {sum(not c.bare for c in names)} not bare", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
