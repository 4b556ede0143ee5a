"""A site's own knowledge: it adds, takes the place of, or switches off, and every answer that it decided says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from broken.laying import BASE, compiled_over, copy_of_base, lay, problems_of, site, text_of_base
from conftest import engine_of

import safety
from safety.engine import Engine
from safety.errors import KnowledgeError

DAY = "2026-11-20"
WARFARIN_IBUPROFEN = {"patient": {"medications": ["warfarin 5 mg oral", "ibuprofen 400 mg oral"], "conditions": []}}
BOTH = {
    "patient": {"medications": ["ibuprofen 400 mg oral", "metformin 500 mg oral"], "conditions": ["kidney disease"], "labs": []}
}
RULE = "rules/interactions/warfarin-nsaid.yaml"
TABLE = "rules/contraindications/kidney.yaml"


def load(*overlays: Path) -> Engine:
    found = compiled_over(BASE, *overlays)
    if found.problems:
        raise KnowledgeError(found.problems)
    return engine_of(found.library)


def found(engine: Engine, *drugs: str, **patient: Any) -> dict[str, Any]:
    report = engine.check({"patient": {"medications": list(drugs), **patient}}, as_of=DAY)
    return {f.rule: f for f in report.every_finding}


def retire(i: str, reason: str = "too many alerts here", signed: str = "") -> str:
    return f"id: {i}\nretire: {{reason: {reason}}}\n{signed}"


SIGNED = "signed: {by: J. Doe PharmD, on: 2026-11-01, why: two committees agreed}\n"


# ------------------------------------------------------------------ adding and taking the place


def test_without_an_overlay_an_answer_is_decided_by_medsafe() -> None:
    findings = found(load(), "warfarin 5 mg oral", "ibuprofen 400 mg oral", conditions=[])
    assert {f.decided_by for f in findings.values()} == {"medsafe"}
    assert set(findings) == {"interaction.warfarin-nsaid"}


def test_a_new_rule_of_a_site_speaks_and_says_whose_it_is(tmp_path: Path) -> None:
    text = text_of_base(RULE).replace("warfarin-nsaid", "site-own").replace("severity: major", "severity: minor")
    engine = load(site(tmp_path, {"rules/interactions/site-own.yaml": text}))
    findings = found(engine, "warfarin 5 mg oral", "ibuprofen 400 mg oral", conditions=[])
    assert {i: f.decided_by for i, f in findings.items()} == {
        "interaction.warfarin-nsaid": "medsafe",
        "interaction.site-own": "overlay site",
    }
    assert engine.library.overlays == ("site",)
    report = engine.check(WARFARIN_IBUPROFEN, as_of=DAY)
    assert report.made_by.overlays == ["site"]


def test_a_rule_of_a_site_takes_the_place_of_ours(tmp_path: Path) -> None:
    engine = load(site(tmp_path, {RULE: text_of_base(RULE).replace("severity: major", "severity: moderate")}))
    findings = found(engine, "warfarin 5 mg oral", "ibuprofen 400 mg oral", conditions=[])
    assert [(f.severity, f.decided_by) for f in findings.values()] == [("moderate", "overlay site")]


def test_a_table_of_a_site_takes_the_place_of_the_whole_table(tmp_path: Path) -> None:
    text = text_of_base(TABLE)
    only_metformin = text[: text.index("  - id: nsaids")] + text[text.index("  - id: metformin") :]
    engine = load(site(tmp_path, {TABLE: only_metformin}))
    findings = found(engine, "ibuprofen 400 mg oral", "metformin 500 mg oral", conditions=["kidney disease"], labs=[])
    assert {i: f.decided_by for i, f in findings.items()} == {"contraindication.kidney.metformin": "overlay site"}


def test_a_drug_of_a_site_is_known_by_its_name(tmp_path: Path) -> None:
    drug = "id: drug.sitine\nname: sitine\nsupply: otc\nroutes: [oral]\n"
    engine = load(site(tmp_path, {"kb/drugs/sitine.yaml": drug}))
    assert load().name("sitine").status == "unrecognised"
    answer = engine.name("sitine")
    assert (answer.status, answer.drug, answer.decided_by) == ("match", "drug.sitine", "site")


def test_a_class_of_a_site_changes_who_is_a_member_and_the_finding_says_so(tmp_path: Path) -> None:
    nsaids = "id: class.nsaids\nname: NSAIDs\nmembers: [drug.naproxen, drug.acetaminophen]\n"
    engine = load(site(tmp_path, {"kb/classes/nsaids.yaml": nsaids}))
    assert found(engine, "warfarin 5 mg oral", "ibuprofen 400 mg oral", conditions=[]) == {}
    added = found(engine, "warfarin 5 mg oral", "acetaminophen 400 mg oral", conditions=[])
    assert {i: f.decided_by for i, f in added.items()} == {"interaction.warfarin-nsaid": "overlay site"}


def test_a_class_of_a_site_that_one_of_our_classes_includes_decides_too(tmp_path: Path) -> None:
    root = copy_of_base(tmp_path)
    lay(root, "kb/classes/nsaids.yaml", "id: class.nsaids\nname: NSAIDs\nincludes: [class.inner]\n")
    lay(root, "kb/classes/inner.yaml", "id: class.inner\nname: inner\nmembers: [drug.ibuprofen]\n")
    overlay = site(tmp_path, {"kb/classes/inner.yaml": "id: class.inner\nname: inner\nmembers: [drug.acetaminophen]\n"})
    engine = safety.load([overlay], base=root, cache=None)
    findings = found(engine, "warfarin 5 mg oral", "acetaminophen 400 mg oral", conditions=[])
    assert {i: f.decided_by for i, f in findings.items()} == {"interaction.warfarin-nsaid": "overlay site"}


def test_the_later_of_two_overlays_decides(tmp_path: Path) -> None:
    first = site(tmp_path, {RULE: text_of_base(RULE).replace("severity: major", "severity: minor")}, "first")
    second = site(tmp_path, {RULE: text_of_base(RULE).replace("severity: major", "severity: moderate")}, "second")
    for overlays, severity, by in (((first, second), "moderate", "second"), ((second, first), "minor", "first")):
        findings = found(load(*overlays), "warfarin 5 mg oral", "ibuprofen 400 mg oral", conditions=[])
        assert [(f.severity, f.decided_by) for f in findings.values()] == [(severity, f"overlay {by}")]


HARM = "kb/harms/major-bleeding.yaml"


def test_a_harm_of_a_site_can_be_named_by_its_rules_and_by_nobody(tmp_path: Path) -> None:
    text = (
        text_of_base(RULE).replace("warfarin-nsaid", "site-own").replace("harm.major-bleeding", "[harm.bruising, harm.bleeding]")
    )
    bruising = "id: harm.bruising\nname: bruising\n"
    engine = load(site(tmp_path, {"kb/harms/bruising.yaml": bruising, "rules/interactions/site-own.yaml": text}))
    own = found(engine, "warfarin 5 mg oral", "ibuprofen 400 mg oral", conditions=[])["interaction.site-own"]
    assert (own.harms, own.harm) == (["harm.bruising", "harm.bleeding"], "bruising, bleeding (onset: days)")
    overlay = site(tmp_path, {"kb/harms/bruising.yaml": bruising}, "unused")
    assert problems_of(BASE, overlay) == []


@pytest.mark.parametrize(
    ("where", "text", "words"),
    [
        (HARM, "id: harm.major-bleeding\nname: hemorrhage\nis_a: harm.bleeding\n", "hemorrhage (onset: days)"),
        ("kb/harms/bleeding.yaml", "id: harm.bleeding\nname: any bleeding\n", "major bleeding (onset: days)"),
    ],
    ids=["the harm itself", "a wider one"],
)
def test_a_finding_says_that_a_site_decided_what_its_harm_is(tmp_path: Path, where: str, text: str, words: str) -> None:
    findings = found(load(site(tmp_path, {where: text})), "warfarin 5 mg oral", "ibuprofen 400 mg oral", conditions=[])
    assert [(f.harms, f.harm, f.decided_by) for f in findings.values()] == [(["harm.major-bleeding"], words, "overlay site")]


def test_a_harm_that_an_overlay_retired_but_a_rule_still_names_is_told_with_who_retired_it(tmp_path: Path) -> None:
    with pytest.raises(safety.KnowledgeError) as told:
        load(site(tmp_path, {HARM: retire("harm.major-bleeding")}))
    assert {(p.code, p.hint) for p in told.value.problems} == {("K301", "the overlay `site` retired it")}


# ------------------------------------------------------------------ switching off


def test_a_retired_rule_is_silent_and_the_report_notes_that_it_would_have_spoken(tmp_path: Path) -> None:
    engine = load(site(tmp_path, {RULE: retire("interaction.warfarin-nsaid")}))
    report = engine.check(WARFARIN_IBUPROFEN, as_of=DAY)
    assert report.findings == []
    assert report.notes == ["interaction.warfarin-nsaid would have spoken, but is retired by site: too many alerts here"]


def test_a_retired_rule_that_would_not_have_spoken_is_not_noted(tmp_path: Path) -> None:
    engine = load(site(tmp_path, {RULE: retire("interaction.warfarin-nsaid")}))
    assert engine.check({"patient": {"medications": ["warfarin 5 mg oral"]}}, as_of=DAY).notes == []


def test_a_rule_that_is_retired_and_undecided_is_silent(tmp_path: Path) -> None:
    case = {"patient": {"medications": ["metformin 500 mg oral"], "conditions": []}}
    assert [u.rule for u in load().check(case, as_of=DAY).unknown] == ["contraindication.metformin-kidney"]
    overlay = site(tmp_path, {"rules/contraindications/off.yaml": retire("contraindication.metformin-kidney", signed=SIGNED)})
    assert load(overlay).check(case, as_of=DAY).unknown == []


def test_one_row_of_a_table_can_be_retired(tmp_path: Path) -> None:
    engine = load(site(tmp_path, {"rules/contraindications/off.yaml": retire("contraindication.kidney.nsaids")}))
    case = {
        "patient": {
            "medications": ["ibuprofen 400 mg oral", "metformin 500 mg oral"],
            "conditions": ["kidney disease"],
            "labs": [],
        }
    }
    report = engine.check(case, as_of=DAY)
    assert [f.rule for f in report.every_finding] == ["contraindication.kidney.metformin"]
    assert [n.split()[0] for n in report.notes] == ["contraindication.kidney.nsaids"]


def test_a_whole_table_can_be_retired(tmp_path: Path) -> None:
    engine = load(site(tmp_path, {TABLE: retire("contraindication.kidney")}))
    case = {
        "patient": {
            "medications": ["ibuprofen 400 mg oral", "metformin 500 mg oral"],
            "conditions": ["kidney disease"],
            "labs": [],
        }
    }
    report = engine.check(case, as_of=DAY)
    assert report.findings == []
    assert [n.split()[0] for n in report.notes] == ["contraindication.kidney.metformin", "contraindication.kidney.nsaids"]


def test_a_rule_that_one_overlay_retired_and_a_later_one_wrote_anew_speaks(tmp_path: Path) -> None:
    first = site(tmp_path, {RULE: retire("interaction.warfarin-nsaid")}, "first")
    second = site(tmp_path, {RULE: text_of_base(RULE).replace("severity: major", "severity: minor")}, "second")
    findings = found(load(first, second), "warfarin 5 mg oral", "ibuprofen 400 mg oral", conditions=[])
    assert [(f.severity, f.decided_by) for f in findings.values()] == [("minor", "overlay second")]


def test_a_drug_that_one_overlay_retired_and_a_later_one_wrote_anew_is_known(tmp_path: Path) -> None:
    peanut = "kb/allergens/peanut.yaml"
    first, second = (
        site(tmp_path, {peanut: retire("allergen.peanut")}, "first"),
        site(tmp_path, {peanut: text_of_base(peanut)}, "second"),
    )
    assert [a.id for a in load(first).library.allergens] == []
    assert [(a.id, a.origin) for a in load(first, second).library.allergens] == [("allergen.peanut", "second")]


# ------------------------------------------------------------------ slips in an overlay


def test_a_typo_in_an_overlay_is_told_with_the_overlays_path(tmp_path: Path) -> None:
    overlay = site(tmp_path, {RULE: text_of_base(RULE).replace("class.anticoagulants", "class.anticoagulant")})
    with pytest.raises(safety.KnowledgeError) as told:
        load(overlay)
    assert [str(p) for p in told.value.problems] == [
        f"{overlay}/{RULE}:9:19: K301 `class.anticoagulant` is not a class that we know\n"
        "  hint: did you mean `class.anticoagulants`?"
    ]


def test_a_drug_that_an_overlay_retired_but_a_rule_still_needs_is_told_with_who_retired_it(tmp_path: Path) -> None:
    overlay = site(tmp_path, {"kb/drugs/metformin.yaml": retire("drug.metformin")})
    with pytest.raises(safety.KnowledgeError) as told:
        load(overlay)
    assert {p.hint for p in told.value.problems} == {"the overlay `site` retired it"}
    assert {p.code for p in told.value.problems} == {"K301"}


def test_a_retirement_with_a_typo_is_told(tmp_path: Path) -> None:
    overlay = site(tmp_path, {RULE: "id: interaction.warfarin-nsaid\nretire: {reson: noise}\n"})
    with pytest.raises(safety.KnowledgeError) as told:
        load(overlay)
    assert [str(p.place).removeprefix(f"{overlay}/") for p in told.value.problems] == [f"{RULE}:2:9", f"{RULE}:2:10"]


def test_the_base_folder_is_never_written_to(tmp_path: Path) -> None:
    root = copy_of_base(tmp_path)
    before = {p: p.read_bytes() for p in root.rglob("*") if p.is_file()}
    safety.load([site(tmp_path, {RULE: retire("interaction.warfarin-nsaid")})], base=root, cache=tmp_path / "cache")
    assert {p: p.read_bytes() for p in root.rglob("*") if p.is_file()} == before
