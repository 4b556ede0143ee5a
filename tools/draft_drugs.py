"""Draft a drug monograph per ingredient name from public vocabulary tables, for a pharmacist to curate.

    python tools/draft_drugs.py TABLES --out kb/drugs warfarin "insulin glargine"
    python tools/draft_drugs.py TABLES --out kb/drugs < names.txt

TABLES is a folder with `rxnorm_ingredients.csv`, `rxnorm_brands.csv` and `drugsfda_products_2019.csv`.
`--fill-strengths` adds `forms` and `strengths` to the monographs that exist (of the names given, or of the ingredients in
TABLES/us_common_drugs.csv) where they are not written down yet: those of marketed products that hold the ingredient alone.

An existing monograph is never overwritten unless `--force` is given: what a person curated outranks a draft.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

import yaml

CHECKED_ON = "2026-11-20"
RXNORM = "source.rxnorm-2025-10"
NDFRT_MAP = "source.ndfrt-rxnorm-2014"
DRUGS_AT_FDA = "source.drugsfda-2019"
CROWDED = 6  # above this many RxNorm brands, keep only those that a Drugs@FDA application confirms

# The ingredient's name in the table, where our id uses the name people prescribe by.
TABLE_NAMES = {
    "aluminum hydroxide": "aluminum (as hydroxide)",
    "calcitonin": "salmon calcitonin",
    "ceftaroline": "ceftaroline fosamil",
    "cholestyramine": "cholestyramine resin",
    "colistimethate": "colistin",
    "conjugated estrogens": "estrogens, conjugated (usp)",
    "cyanocobalamin": "vitamin b12",
    "dabigatran": "dabigatran etexilate",
    "fish oil": "fish oil (containing omega-3 acids)",
    "insulin aspart": "insulin aspart, human",
    "insulin glulisine": "insulin glulisine, human",
    "insulin regular human": "insulin, regular, human",
    "lanthanum": "lanthanum carbonate",
    "loteprednol": "loteprednol etabonate",
    "mefenamic acid": "mefenamate",
    "omega 3 acid ethyl esters": "omega-3 acid ethyl esters (usp)",
    "phytonadione": "vitamin k1",
    "pyridoxine": "vitamin b6",
    "senna": "sennosides, usp",
    "vasopressin": "vasopressin (usp)",
}

# Words in a dosage form or route -> our route. The first hit counts, so the more specific stand first.
ROUTE_WORDS = (
    ("intrauterine", "intrauterine"),
    ("implant", "implant"),
    ("intrathecal", "intrathecal"),
    ("sublingual", "sublingual"),
    ("buccal", "buccal"),
    ("transdermal", "transdermal"),
    ("ophthalmic", "ophthalmic"),
    ("intraocular", "ophthalmic"),
    ("otic", "otic"),
    ("nasal", "nasal"),
    ("inhal", "inhaled"),
    ("vaginal", "vaginal"),
    ("rectal", "rectal"),
    ("enema", "rectal"),
    ("dental", "dental"),
    ("periodontal", "dental"),
    ("inject", "parenteral"),
    ("intravenous", "parenteral"),
    ("intramuscular", "parenteral"),
    ("subcutaneous", "parenteral"),
    ("infusion", "parenteral"),
    ("syringe", "parenteral"),
    ("cartridge", "parenteral"),
    ("topical", "topical"),
    ("medicated", "topical"),
    ("oral", "oral"),
    ("chewable", "oral"),
    ("lozenge", "oral"),
    ("granules", "oral"),
)
KEEP_UPPER = {"CC", "CD", "CR", "EC", "ER", "HCT", "HFA", "IB", "IV", "LA", "ODT", "PM", "SR", "TTS", "XL", "XR", "XT"}
BRAND_CLUTTER = re.compile(
    r"\b(in|and|w/|kit|container|preservative|childrens?|children's|infants?|junior|pediatric|equate|kirkland|cvs|"
    r"leader|good sense|wal|health|care|relief|allergy|strength|pack|pak|formula|reformulated|day|max|quality|choice)\b"
    r"|[%;]",
    re.IGNORECASE,
)


# Words in a dosage form and route -> our form. The first row of which every word is found counts.
FORM_WORDS = (
    ("extended release tablet", "extended-release tablet"), ("tablet extended release", "extended-release tablet"),
    ("delayed release tablet", "delayed-release tablet"), ("chewable tablet", "chewable tablet"),
    ("disintegrating tablet", "disintegrating tablet"), ("sublingual tablet", "sublingual tablet"),
    ("vaginal tablet", "vaginal tablet"), ("effervescent tablet", "effervescent tablet"), ("tablet oral", "tablet"),
    ("extended release capsule", "extended-release capsule"), ("delayed rel capsule", "delayed-release capsule"),
    ("delayed release capsule", "delayed-release capsule"), ("capsule oral", "capsule"), ("lozenge", "lozenge"),
    ("suspension oral", "oral suspension"), ("solution oral", "oral solution"), ("syrup", "oral solution"),
    ("elixir", "oral solution"), ("concentrate oral", "oral solution"), ("suppository", "suppository"),
    ("transdermal", "patch"), ("patch", "patch"), ("ophthalmic solution", "ophthalmic solution"),
    ("ophthalmic suspension", "ophthalmic suspension"), ("ophthalmic ointment", "ophthalmic ointment"),
    ("otic", "ear drops"), ("nasal", "nasal spray"), ("inhalation solution", "inhalation solution"),
    ("inhalation suspension", "inhalation suspension"), ("inhalation", "inhaler"), ("inhaler", "inhaler"),
    ("injection", "injection"), ("injectable", "injection"), ("intravenous", "injection"), ("subcutaneous", "injection"),
    ("intramuscular", "injection"), ("injector", "injection"), ("vaginal cream", "vaginal cream"),
    ("cream topical", "cream"), ("ointment topical", "ointment"), ("gel topical", "gel"), ("lotion topical", "lotion"),
    ("shampoo", "shampoo"), ("foam topical", "foam"), ("solution topical", "topical solution"),
)  # fmt: skip
STRENGTH = re.compile(
    r"(?:EQ )?(?P<value>[0-9][0-9,]*\.?[0-9]*|\.[0-9]+) ?(?P<unit>MG|MCG|UG|GM|MEQ|UNITS|UNT|%)"
    r"(?: BASE)?(?:/(?P<per>[0-9.]*)(?P<below>ML|HR|INH|SPRAY|ACTUAT))?(?:[ (].*)?",
    re.IGNORECASE,
)
UNITS = {"mg": "mg", "mcg": "mcg", "ug": "mcg", "gm": "g", "meq": "mEq", "units": "unit", "unt": "unit", "%": "%"}
SIZES = {"g": 1_000_000, "mg": 1_000, "mcg": 1}


@dataclass(frozen=True)
class Ingredient:
    """One row of the RxNorm ingredient table."""

    rxcui: str
    name: str
    tty: str
    source: str


@dataclass(frozen=True)
class Brand:
    """A brand that holds one ingredient alone; `text` names its routes, `supply` is Rx, OTC or both where known."""

    name: str
    ingredient: str
    text: str
    supply: frozenset[str]
    marketed: bool
    confirmed: bool
    strengths: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tables:
    """The vocabulary tables, indexed by lower-case name."""

    ingredients: dict[str, Ingredient]
    precise: dict[str, Ingredient]
    rxnorm_brands: tuple[Brand, ...]
    fda_products: tuple[Brand, ...]


@dataclass
class Draft:
    """A monograph before a person has looked at it."""

    id: str
    name: str
    rxnorm: str | None = None
    rxnorm_source: str = RXNORM
    rxnorm_also: list[str] = field(default_factory=list)
    synonyms: list[str] = field(default_factory=list)
    brands: list[str] = field(default_factory=list)
    salts: list[str] = field(default_factory=list)
    routes: list[str] = field(default_factory=list)
    supply: str = "prescription"


def read_rows(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a CSV table as mappings."""
    with path.open(encoding="utf-8", newline="") as handle:
        yield from csv.DictReader(handle)


def read_tables(folder: Path) -> Tables:
    """Every table a draft needs, read once."""
    ingredients: dict[str, Ingredient] = {}
    precise: dict[str, Ingredient] = {}
    for row in read_rows(folder / "rxnorm_ingredients.csv"):
        entry = Ingredient(row["rxcui"], row["name"], row["tty"], row["source"])
        if row["tty"] in {"IN", "IN?"}:
            ingredients.setdefault(entry.name.lower(), entry)
        elif row["tty"] in {"PIN", "PIN?"}:
            precise.setdefault(entry.name.lower(), entry)
    products = tuple(read_fda_products(folder / "drugsfda_products_2019.csv"))
    confirmed = {product.name.lower() for product in products}
    brands = tuple(read_rxnorm_brands(folder / "rxnorm_brands.csv", confirmed))
    return Tables(ingredients, precise, brands, products)


def read_fda_products(path: Path) -> Iterator[Brand]:
    """Single-ingredient Drugs@FDA products, branded and generic alike."""
    for row in read_rows(path):
        if "+" in row["active_ingredients"]:
            continue
        supply = {word for word in ("Rx", "OTC") if word in row["status"]}
        yield Brand(
            name=in_title_case(row["drug_name"]),
            ingredient=row["active_ingredients"].strip().lower(),
            text=row["form_route"].lower(),
            supply=frozenset(supply),
            marketed=bool(supply),
            confirmed=row["is_brand"] == "1",
            strengths=tuple(row["strengths"].split(" | ")),
        )


def read_rxnorm_brands(path: Path, confirmed: set[str]) -> Iterator[Brand]:
    """Single-ingredient RxNorm brands; `confirmed` holds the lower-case names that Drugs@FDA knows."""
    for row in read_rows(path):
        if " + " in row["ingredients"] or " / " in row["precise_ingredients"]:
            continue
        known = row["brand"].lower() in confirmed
        for name in {row["ingredients"].lower(), row["precise_ingredients"].lower()}:
            yield Brand(row["brand"], name, row["forms"].lower(), frozenset(), True, known, tuple(row["strengths"].split(" | ")))


def in_title_case(shouted: str) -> str:
    """XANAX XR -> Xanax XR."""
    return "".join(part if part in KEEP_UPPER else part.capitalize() for part in re.split(r"([ -])", shouted))


def slug(name: str) -> str:
    """The last part of an id: lower case, hyphens for everything else."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower().replace("'", "")).strip("-")


def salts_of(name: str, tables: Tables) -> list[Ingredient]:
    """The precise ingredients that are this ingredient with its salt spelt out."""
    rivals = [other for other in tables.ingredients if other.startswith(name + " ") and other != name]
    return [
        entry
        for spelt, entry in tables.precise.items()
        if spelt.startswith((name + " ", name + ",")) and not any(spelt.startswith(rival) for rival in rivals)
    ]


def approved_salts(name: str, tables: Tables) -> set[str]:
    """The salts of the ingredient that Drugs@FDA spells out, in lower case."""
    rivals = [other for other in tables.ingredients if other.startswith(name + " ")]
    return {
        item.ingredient
        for item in tables.fda_products
        if item.ingredient.startswith(name + " ") and not any(item.ingredient.startswith(rival) for rival in rivals)
    }


def is_clutter(brand: str, ingredient: str) -> bool:
    """Whether a brand name is only the generic plus words, or a store's or a package's name."""
    words = brand.lower().split()
    first = ingredient.split()[0].lower()
    return bool(BRAND_CLUTTER.search(brand)) or len(words) > 3 or first[:6] in brand.lower()


def brands_of(name: str, names: set[str], tables: Tables) -> list[str]:
    """Brands that hold the ingredient alone, without store brands and generics plus words."""
    rxnorm = [brand for brand in tables.rxnorm_brands if brand.ingredient in names]
    if len({brand.name for brand in rxnorm}) > CROWDED:
        rxnorm = [brand for brand in rxnorm if brand.confirmed]
    fda = [item for item in tables.fda_products if item.confirmed and item.marketed and item.ingredient in names]
    kept: dict[str, str] = {}
    for brand in [*rxnorm, *fda]:
        spelt = re.sub(r" \(.*\)$", "", brand.name)
        if not is_clutter(spelt, name):
            kept.setdefault(spelt.lower(), spelt)
    return sorted(kept.values(), key=str.lower)


def routes_in(texts: Iterable[str]) -> list[str]:
    """Our routes, in the order they are first met in dosage forms and routes."""
    found: dict[str, None] = {}
    for text in texts:
        for form in text.split(" | "):
            route = next((route for word, route in ROUTE_WORDS if word in form), None)
            if route:
                found[route] = None
    return list(found)


def forms_in(texts: Iterable[str]) -> list[str]:
    """Our forms that the dosage forms and routes name, in the order of FORM_WORDS."""
    found = set()
    for text in texts:
        for form in text.lower().split(" | "):
            words = set(re.findall(r"[a-z]+", form))
            ours = next((ours for named, ours in FORM_WORDS if words.issuperset(named.split())), None)
            found.add(ours)
    return [ours for ours in dict.fromkeys(ours for _, ours in FORM_WORDS) if ours in found]


def strength_of(text: str) -> tuple[str, Decimal, str] | None:
    """A strength as written in a table -> its kind, its size for sorting, and as we write it; vials and kits are left out."""
    read = STRENGTH.fullmatch(text.strip())
    if read is None:
        return None
    value, unit = Decimal(read["value"].replace(",", "")), UNITS[read["unit"].lower()]
    below = (read["below"] or "").lower()
    if below == "ml":
        value /= Decimal(read["per"] or 1)
    if below in ("inh", "spray", "actuat") and unit == "mg":
        value, unit = value * 1000, "mcg"
    if unit == "g":
        value, unit = value * 1000, "mg"
    if value <= 0 or (below == "hr" and read["per"] not in ("", "24")) or (below and below != "ml" and unit == "%"):
        return None
    after = {"ml": "/mL", "hr": "/d" if read["per"] == "24" else "/h"}.get(below, "")
    size = value * SIZES.get(unit, 1)
    shown = f"{value.normalize():f}"
    return (after or ("%" if unit == "%" else ""), size, f"{shown} {unit}{after}") if len(shown) < 9 else None


def sold_as(names: set[str], tables: Tables) -> tuple[list[str], list[str]]:
    """Forms and strengths of the products that hold one ingredient alone: Drugs@FDA's marketed ones, and RxNorm's brands."""
    products = [item for item in tables.fda_products if item.ingredient in names and item.marketed]
    products += [item for item in tables.rxnorm_brands if item.ingredient in names]
    found: dict[tuple[str, Decimal], str] = {}
    only_injected = forms_in(item.text for item in products) == ["injection"]  # then a vial is what one holds
    for item in products:
        for text in item.strengths:
            read = strength_of(text)
            whole_vial = read is not None and not read[0] and forms_in([item.text]) == ["injection"] and not only_injected
            if read is not None and not whole_vial:
                found.setdefault(read[:2], read[2])
    return forms_in(item.text for item in products), [found[key] for key in sorted(found)]


def fill_strengths(path: Path, tables: Tables) -> bool:
    """Write forms and strengths into a monograph that has none; whether there was anything to write."""
    text = path.read_text(encoding="utf-8")
    item = yaml.safe_load(text)
    if "forms" in item or "strengths" in item:
        return False
    names = {name.lower() for name in (item["name"], *item.get("synonyms", ()), *item.get("salts", ()))}
    forms, strengths = sold_as(names, tables)
    lines = [wrapped(f"{key}: {flow(values)}") for key, values in (("forms", forms), ("strengths", strengths)) if values]
    if not lines:
        return False
    last = "otc_routes:" if "\notc_routes:" in text else "routes:"
    head, mark, tail = text.partition(f"\n{last}")
    rest = tail.split("\n", 1)
    evidence = evidence_line(DRUGS_AT_FDA, "product table", [line.partition(":")[0] for line in lines], "read",
                             "Drugs@FDA and RxNorm product tables (stored copy)")  # fmt: skip
    path.write_text(f"{head}{mark}{rest[0]}\n" + "\n".join(lines) + f"\n{rest[1].rstrip()}\n{evidence}\n", encoding="utf-8")
    return True


def supply_of(statuses: set[str]) -> str:
    """Prescription, otc or both, from the marketing statuses seen."""
    if statuses >= {"Rx", "OTC"}:
        return "both"
    return "otc" if statuses == {"OTC"} else "prescription"


def draft(name: str, tables: Tables) -> Draft:
    """What the tables say about one ingredient."""
    plain = name.replace("-", " ").lower()
    wanted = TABLE_NAMES.get(plain, plain)
    entry = tables.ingredients.get(wanted) or tables.ingredients.get(name.lower()) or tables.precise.get(wanted)
    result = Draft(id=f"drug.{slug(name)}", name=entry.name.lower() if entry and wanted == plain else plain)
    if entry:
        result.rxnorm = entry.rxcui
        result.rxnorm_source = RXNORM if entry.source.startswith("RxNorm") else NDFRT_MAP
        if wanted != plain:
            result.synonyms = [entry.name]
    approved = approved_salts(plain, tables)
    salts = [salt for salt in salts_of(wanted, tables) if salt.tty == "PIN" or salt.name.lower() in approved]
    result.rxnorm_also = [salt.rxcui for salt in salts]
    result.salts = sorted({salt.name for salt in salts} | {salt for salt in approved if salt not in tables.precise})
    names = {wanted, plain, *(salt.lower() for salt in result.salts)}
    result.brands = brands_of(plain, names, tables)
    products = [item for item in tables.fda_products if item.ingredient in names and item.marketed]
    forms = [item for item in tables.rxnorm_brands if item.ingredient in names]
    result.routes = routes_in(item.text for item in [*products, *forms])
    result.supply = supply_of({status for item in products for status in item.supply})
    return result


def flow(items: Sequence[str]) -> str:
    """A YAML list on one line; an item is quoted only where YAML needs it."""
    return "[" + ", ".join(scalar(item) for item in items) + "]"


def scalar(text: str) -> str:
    """Text as a YAML scalar."""
    plain = re.fullmatch(r"[A-Za-z][\w .()/+&'-]*", text)
    reserved = text.lower() in {"yes", "no", "on", "off", "null", "true", "false", "y", "n"}
    return text if plain and not reserved else '"' + text.replace('"', '\\"') + '"'


def quoted(items: Sequence[str]) -> str:
    """Codes are always quoted."""
    return "[" + ", ".join(f'"{item}"' for item in items) + "]"


def wrapped(line: str, width: int = 118) -> str:
    """A long flow list broken after a comma, continuation lines indented."""
    lines: list[str] = []
    while len(line) > width and (cut := line.rfind(", ", 20, width)) > 0:
        lines.append(line[: cut + 1])
        line = "  " + line[cut + 2 :]
    return "\n".join([*lines, line])


def evidence_line(source: str, at: str, supports: Sequence[str], how: str, copy: str = "") -> str:
    """One evidence entry as a flow mapping on two lines."""
    checked = f"checked: {{how: {how}, on: {CHECKED_ON}" + (f', copy: "{copy}"' if copy else "") + "}"
    return f"  - {{source: {source}, at: {at}, grade: terminology, supports: {flow(supports)},\n     {checked}}}"


def render(item: Draft) -> str:
    """The draft in the layout of kb/README.md."""
    lines = [f"id: {item.id}", f"name: {scalar(item.name)}"]
    evidence = []
    if item.rxnorm:
        also = f", rxnorm_also: {quoted(item.rxnorm_also)}" if item.rxnorm_also else ""
        lines.append(wrapped(f'codes: {{rxnorm: "{item.rxnorm}"{also}}}'))
        copy = "RxNorm table (stored copy)" if item.rxnorm_source == RXNORM else "NDF-RT to RxNorm map (stored copy)"
        evidence.append(evidence_line(item.rxnorm_source, "ingredient table", ["codes"], "read", copy))
    for key in ("synonyms", "brands", "salts"):
        if values := getattr(item, key):
            lines.append(wrapped(f"{key}: {flow(values)}"))
    lines += [f"supply: {item.supply}", f"routes: {flow(item.routes)}"]
    copy = "Drugs@FDA product table 2019 (stored copy)"
    evidence.append(evidence_line(DRUGS_AT_FDA, "product table", ["routes", "supply"], "read", copy))
    return "\n".join([*lines, "evidence:", *evidence]) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write one file per name; tell which names the tables do not know."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", type=Path, help="folder with the vocabulary tables")
    parser.add_argument("names", nargs="*", help="ingredient names; read from standard input when none is given")
    parser.add_argument("--out", type=Path, required=True, help="folder to write to")
    parser.add_argument("--force", action="store_true", help="overwrite monographs that exist")
    parser.add_argument("--fill-strengths", action="store_true", help="add forms and strengths to monographs that exist")
    options = parser.parse_args(arguments)
    tables = read_tables(options.tables)
    if options.fill_strengths:
        common = {row["ingredient"] for row in read_rows(options.tables / "us_common_drugs.csv")}
        paths = [options.out / f"{slug(name)}.yaml" for name in options.names or sorted(common)]
        done = sum(fill_strengths(path, tables) for path in paths if path.exists())
        missing = [path.stem for path in paths if not path.exists()]
        print(f"{done} monographs filled; no file for: {', '.join(missing) or 'none'}", file=sys.stderr)
        return 0
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.names or sys.stdin.read().splitlines():
        if not name.strip():
            continue
        item = draft(name.strip(), tables)
        path = options.out / f"{item.id.removeprefix('drug.')}.yaml"
        if path.exists() and not options.force:
            print(f"{path}: kept, it exists already", file=sys.stderr)
            continue
        if not item.rxnorm:
            print(f"{name}: not an ingredient in the RxNorm table, drafted without codes", file=sys.stderr)
        path.write_text(render(item), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
