"""Names: none twice, codes from the tables alone, and what is recognised without a monograph never passes as clear."""

from __future__ import annotations

import csv
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import safety
from safety.engine import RECIPE, cache_folder
from safety.knowledge.collecting import base_folder
from safety.knowledge.snapshot import load_compiled
from safety.model.patient import Code
from safety.text import fold

HOME = Path(__file__).resolve().parents[2]
TABLES = HOME.parent / "shared" / "data" / "vocabulary"
RRF = Path(__file__).parent / "rrf"
AS_OF = "2026-11-20"

needs_tables = pytest.mark.skipif(not TABLES.is_dir(), reason=f"the public vocabulary tables are not at {TABLES}")


def named(library: object) -> Iterator[tuple[str, str]]:
    """Every name with the id that bears it."""
    for item in (*library.drugs, *library.products):  # type: ignore[attr-defined]
        yield from ((fold(n.text), item.id) for n in item.names)
    yield from ((fold(r.name), r.id) for r in library.recognised)  # type: ignore[attr-defined]


def coded(library: object) -> Iterator[tuple[str, str]]:
    """Every RxNorm code with the id that bears it."""
    for item in (*library.drugs, *library.products):  # type: ignore[attr-defined]
        yield from ((code, item.id) for code in (item.rxnorm, *item.rxnorm_also) if code)
    yield from ((r.rxcui, r.id) for r in library.recognised if r.rxcui)  # type: ignore[attr-defined]


def run_importer(*arguments: str) -> subprocess.CompletedProcess[str]:
    tool = [sys.executable, str(HOME / "tools" / "import_rxnorm.py"), *arguments]
    return subprocess.run(tool, capture_output=True, text=True, check=False, timeout=600)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(line for line in handle if not line.startswith("#")))


# ------------------------------------------------------------------ once each


def test_no_name_stands_for_two_things(engine: safety.Engine) -> None:
    seen: dict[str, str] = {}
    for name, owner in named(engine.library):
        assert seen.setdefault(name, owner) == owner, f"{name}: {owner} and {seen[name]}"


def test_no_code_is_used_twice(engine: safety.Engine) -> None:
    twice = [code for code, count in Counter(code for code, _ in coded(engine.library)).items() if count > 1]
    assert twice == []


def test_ids_of_recognised_names_are_unique_and_sorted(engine: safety.Engine) -> None:
    ids = [r.id for r in engine.library.recognised]
    assert ids == sorted(set(ids))


@needs_tables
def test_every_code_stands_in_an_rxnorm_table(engine: safety.Engine) -> None:
    known = {row["rxcui"] for row in rows(TABLES / "rxnorm_ingredients.csv")}
    known |= {row["bn_rxcui"] for row in rows(TABLES / "rxnorm_brands.csv")}
    known |= {row["rxcui"] for row in rows(TABLES / "us_common_drugs.csv")}
    assert [(code, owner) for code, owner in coded(engine.library) if code not in known] == []


# ------------------------------------------------------------------ what they hold


def test_what_a_recognised_name_holds_is_known(engine: safety.Engine) -> None:
    library = engine.library
    for r in library.recognised:
        for one in r.ingredients:
            assert one in library.drug or one in library.recognised_by_id, f"{r.id} holds {one}"


@needs_tables
def test_every_ingredient_and_brand_of_the_tables_is_named_or_recognised(engine: safety.Engine) -> None:
    known = {name for name, _ in named(engine.library)}
    wanted = [row["name"] for row in rows(TABLES / "rxnorm_ingredients.csv") if row["tty"] in ("IN", "PIN", "MIN")]
    wanted += [row["brand"] for row in rows(TABLES / "rxnorm_brands.csv")]
    assert [name for name in wanted if fold(name) and fold(name) not in known] == []


@needs_tables
def test_every_common_drug_has_a_monograph(engine: safety.Engine) -> None:
    library = engine.library
    for row in rows(TABLES / "us_common_drugs.csv"):
        answer = engine.name(row["ingredient"])
        held = answer.drug if isinstance(answer.drug, list) else [answer.drug]
        assert answer.status == "match", row["ingredient"]
        assert all(drug in library.drug for drug in held), row["ingredient"]


@needs_tables
def test_every_active_ingredient_with_an_otc_limit_has_a_monograph(engine: safety.Engine) -> None:
    general = {"any OTC cough/cold product", "citrate ion", "omega-3 (EPA+DHA)", "vitamin A (preformed)"}
    for name in {row["ingredient"] for row in rows(TABLES.parent / "limits" / "otc_limits.csv")} - general:
        answer = engine.name(name)
        assert answer.status == "match", name
        assert answer.drug in engine.library.drug, name


# ------------------------------------------------------------------ words that are not medicines


@pytest.mark.parametrize("word", ["apple", "honey", "wheat", "egg", "beef", "corn", "water", "nitrogen", "Halls", "Terrell"])
def test_an_everyday_word_is_not_taken_for_a_medicine(engine: safety.Engine, word: str) -> None:
    assert engine.name(word).status != "match"


def test_a_name_that_is_not_bare_is_still_known_by_its_code(engine: safety.Engine) -> None:
    apple = next(r for r in engine.library.recognised if r.name == "apple")
    assert not apple.bare
    read = engine.checker.resolver.read("apple", [Code("rxnorm", str(apple.rxcui))])
    assert (read.answer.status, read.drugs) == ("match", (apple.id,))


# ------------------------------------------------------------------ patients' words for minerals


@pytest.mark.parametrize(
    ("told", "drug"),
    [
        ("iron", "drug.iron-unspecified"),
        ("iron pills", "drug.iron-unspecified"),
        ("calcium 600 mg", "drug.calcium-unspecified"),
        ("zinc", "drug.zinc-unspecified"),
        ("magnesium 400 mg at bedtime", "drug.magnesium-unspecified"),
        ("potassium", "drug.potassium-unspecified"),
        ("fish oil", "drug.fish-oil"),
    ],
)
def test_a_mineral_as_patients_call_it_is_a_drug(engine: safety.Engine, told: str, drug: str) -> None:
    assert engine.name(told).drug == drug


@pytest.mark.parametrize(
    ("mineral", "salts"),
    [
        ("iron", ["ferrous-sulfate", "ferrous-gluconate", "ferrous-fumarate"]),
        ("calcium", ["calcium-carbonate", "calcium-citrate"]),
        ("zinc", ["zinc-sulfate", "zinc-gluconate"]),
        ("potassium", ["potassium-chloride", "potassium-citrate", "potassium-gluconate"]),
    ],
)
def test_an_unspecified_mineral_is_in_every_class_that_all_its_salts_are_in(
    engine: safety.Engine, mineral: str, salts: list[str]
) -> None:
    for group in engine.library.classes:
        if all(f"drug.{salt}" in group.members for salt in salts):
            if group.id == "class.antacids":  # a calcium supplement is not taken as an antacid
                continue
            assert f"drug.{mineral}-unspecified" in group.members, group.id


@pytest.mark.parametrize("name", ["heparin calcium", "warfarin potassium", "amoxicillin clavulanate potassium"])
def test_the_metal_of_a_salt_is_not_a_second_medicine(engine: safety.Engine, name: str) -> None:
    answer = engine.name(name)
    held = answer.drug if isinstance(answer.drug, list) else [answer.drug]
    assert not any(drug and drug.endswith("-unspecified") for drug in held)


# ------------------------------------------------------------------ known, not covered


def test_a_recognised_drug_is_told_as_not_covered_and_never_clear(engine: safety.Engine) -> None:
    report = engine.check({"patient": {"medications": ["Increlex 40 mg"], "conditions": [], "allergies": []}}, as_of=AS_OF)
    assert report.unresolved == []
    assert report.verdict == "unknown"
    (told,) = report.not_covered
    assert told.drug == "recognised.mecasermin"
    assert {"interaction", "contraindication", "dose", "route"} <= set(told.lacks)
    assert told.holds == ["allergy"]  # of whatever is taken, an allergy to it is seen


def test_a_brand_of_a_drug_we_hold_is_that_drug(engine: safety.Engine) -> None:
    library = engine.library
    brand = next(r for r in library.recognised if r.kind == "brand" and r.bare and r.ingredients == ("drug.ibuprofen",))
    assert engine.name(brand.name).drug == "drug.ibuprofen"


def test_the_part_of_a_brand_that_we_hold_is_judged_and_the_rest_is_told(engine: safety.Engine) -> None:
    case = {"patient": {"medications": ["Hemocyte Plus by mouth once daily", "levothyroxine 100 mcg by mouth once daily"]}}
    report = engine.check(case, as_of=AS_OF)
    assert any(s.drug == "drug.ferrous-fumarate" for f in report.findings for s in f.subjects)
    assert any(n.drug.startswith("recognised.") for n in report.not_covered)


# ------------------------------------------------------------------ the importer


def test_a_release_as_downloaded_gives_the_tables(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    for folder in ("drugs", "products", "allergens", "sources"):
        (kb / folder).mkdir(parents=True)
    shutil.copy(HOME / "kb" / "drugs" / "hydrochlorothiazide.yaml", kb / "drugs")
    for _ in range(2):
        done = run_importer("--rrf", str(RRF), "--release", "2025-11-03", "--kb", str(kb))
        assert done.returncode == 0, done.stderr
    head = (
        "# RxNorm, release of 2025-11-03, the names and codes of RxNorm itself; US National Library of Medicine; public domain.\n"
        "# Made by tools/import_rxnorm.py: do not edit by hand, write a monograph instead.\n"
    )
    assert (kb / "recognised" / "ingredients.csv").read_text(encoding="utf-8") == head + (
        "name,rxcui,kind,ingredients,bare,source\n"
        "apple,102,ingredient,,no,source.rxnorm-2025-11\n"
        "apple pollen extract,108,ingredient,,no,source.rxnorm-2025-11\n"
        "hydrochlorothiazide / zanamolol,104,combination,hydrochlorothiazide + zanamolol,yes,source.rxnorm-2025-11\n"
        "zanamolol,100,ingredient,,yes,source.rxnorm-2025-11\n"
        "zanamolol hydrochloride,101,salt,zanamolol,yes,source.rxnorm-2025-11\n"
    )
    assert (kb / "recognised" / "brands.csv").read_text(encoding="utf-8") == head + (
        "name,rxcui,ingredients,bare,source\n"
        "Orphan Brand,109,,yes,source.rxnorm-2025-11\n"
        "Zanaheart,103,zanamolol,yes,source.rxnorm-2025-11\n"
        "Zanaheart HCT,105,hydrochlorothiazide + zanamolol,yes,source.rxnorm-2025-11\n"
    )
    assert "2025-11-03" in (kb / "sources" / "rxnorm-2025-11.yaml").read_text(encoding="utf-8")


def test_a_release_without_its_day_is_refused() -> None:
    done = run_importer("--rrf", str(RRF))
    assert done.returncode == 2
    assert "--release" in done.stderr


@needs_tables
def test_the_tables_give_what_is_kept_to_the_byte(tmp_path: Path) -> None:
    done = run_importer("--tables", str(TABLES), "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    for file in ("ingredients.csv", "brands.csv"):
        assert (tmp_path / file).read_bytes() == (HOME / "kb" / "recognised" / file).read_bytes(), file


# ------------------------------------------------------------------ a site's own table


def test_a_monograph_outranks_the_row_that_bears_its_name(tmp_path: Path) -> None:
    (tmp_path / "site" / "kb" / "drugs").mkdir(parents=True)
    (tmp_path / "site" / "kb" / "drugs" / "mecasermin.yaml").write_text(
        'id: drug.mecasermin\nname: mecasermin\ncodes: {rxnorm: "274403"}\nsupply: prescription\nroutes: [parenteral]\n',
        encoding="utf-8",
    )
    compiled = load_compiled(base_folder(), [tmp_path / "site"], cache_folder(), RECIPE)
    assert compiled.problems == ()
    increlex = next(r for r in compiled.library.recognised if r.name == "Increlex")
    assert increlex.ingredients == ("drug.mecasermin",)
    assert not any(r.name == "mecasermin" for r in compiled.library.recognised)


def test_a_sites_table_adds_a_name(tmp_path: Path) -> None:
    folder = tmp_path / "site" / "kb" / "recognised"
    folder.mkdir(parents=True)
    (folder / "brands.csv").write_text(
        "name,rxcui,ingredients,bare,source\nHouse Mixture,,acetaminophen + caffeine,yes,source.dailymed\n", encoding="utf-8"
    )
    engine = safety.load([tmp_path / "site"])
    answer = engine.name("House Mixture")
    assert answer.drug == ["drug.acetaminophen", "drug.caffeine"]
    assert answer.decided_by == "site"
