"""Nothing is weakened silently: what a site retired, replaced or made quieter is told, and what is protected needs a name."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from broken.laying import BASE, changed, compiled_over, copy_of_base, problems_of, site, text_of_base
from conftest import engine_of, examples
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

import safety
from safety.engine import Engine
from safety.errors import KnowledgeError
from safety.model.report import Report
from safety.model.site import SiteChange

DAY = "2026-11-20"
RULE = "rules/interactions/warfarin-nsaid.yaml"
TABLE = "rules/contraindications/kidney.yaml"
BLEEDING = {"patient": {"medications": ["warfarin 5 mg oral", "ibuprofen 400 mg oral"], "conditions": []}}
KIDNEY = {
    "patient": {"medications": ["ibuprofen 400 mg oral", "metformin 500 mg oral"], "conditions": ["kidney disease"], "labs": []}
}
LOW = {
    "patient": {
        "medications": ["metformin 500 mg oral"],
        "conditions": [],
        "labs": [{"test": "eGFR", "value": 20, "unit": "mL/min/1.73m2", "on": "2026-11-01"}],
    }
}
SIGNED = "signed: {by: J. Doe PharmD, on: 2026-11-01, why: two committees agreed}\n"


def load(*overlays: Path, base: Path = BASE) -> Engine:
    found = compiled_over(base, *overlays)
    if found.problems:
        raise KnowledgeError(found.problems)
    return engine_of(found.library)


def override(i: str, severity: str = "", signed: str = "") -> str:
    level = f"severity: {severity}\n" if severity else ""
    return f"overrides: {i}\n{level}because: our clinic looks every week\n{signed}"


def said(report: Report) -> list[SiteChange]:
    return [] if report.site_changes is UNSET else list(report.site_changes)  # type: ignore[arg-type]


def told(report: Report) -> list[tuple[str, str, str, str]]:
    return [(c.id, c.what, c.was, c.severity) for c in said(report)]


# ------------------------------------------------------------------ a new severity, without a copy


def test_an_override_changes_how_loud_a_rule_is_and_every_report_that_it_touches_says_so(tmp_path: Path) -> None:
    engine = load(site(tmp_path, {"rules/interactions/here.yaml": override("interaction.warfarin-nsaid", "moderate")}))
    report = engine.check(BLEEDING, DAY)
    (finding,) = report.findings
    assert (finding.severity, finding.severity_because) == ("moderate", "our clinic looks every week")
    assert finding.decided_by == "overlay site"
    assert told(report) == [("interaction.warfarin-nsaid", "weakened", "major", "moderate")]
    assert said(report)[0].because == "our clinic looks every week"
    assert said(report)[0].place == f"{tmp_path}/site/rules/interactions/here.yaml:2:11"
    assert load().check(BLEEDING, DAY).site_changes is UNSET
    assert engine.check(LOW, DAY).site_changes is UNSET


def test_one_row_or_a_whole_table_can_be_overridden(tmp_path: Path) -> None:
    row = load(site(tmp_path, {"rules/contraindications/here.yaml": override("contraindication.kidney.nsaids", "minor")}, "row"))
    assert told(row.check(KIDNEY, DAY)) == [("contraindication.kidney.nsaids", "weakened", "moderate", "minor")]
    table = load(site(tmp_path, {"rules/contraindications/here.yaml": override("contraindication.kidney", "major")}, "table"))
    assert told(table.check(KIDNEY, DAY)) == [
        ("contraindication.kidney.metformin", "strengthened", "minor", "major"),
        ("contraindication.kidney.nsaids", "strengthened", "moderate", "major"),
    ]


def test_an_override_finds_a_rule_by_the_id_that_it_had_before(tmp_path: Path) -> None:
    root = copy_of_base(tmp_path)
    changed(root, RULE, "title:", "was: interaction.old-name\ntitle:")
    overlay = site(tmp_path, {"rules/interactions/here.yaml": override("interaction.old-name", "minor")})
    report = load(overlay, base=root).check(BLEEDING, DAY)
    assert told(report) == [("interaction.warfarin-nsaid", "weakened", "major", "minor")]


def test_a_later_overlay_overrides_an_earlier_one(tmp_path: Path) -> None:
    first = site(tmp_path, {"rules/interactions/here.yaml": override("interaction.warfarin-nsaid", "minor")}, "first")
    second = site(tmp_path, {"rules/interactions/here.yaml": override("interaction.warfarin-nsaid", "moderate")}, "second")
    for overlays, level in (((first, second), "moderate"), ((second, first), "minor")):
        assert [f.severity for f in load(*overlays).check(BLEEDING, DAY).findings] == [level]


# ------------------------------------------------------------------ drafts


def test_a_draft_of_a_site_never_takes_the_place_of_what_is_in_force(tmp_path: Path) -> None:
    draft = text_of_base(RULE).replace("status: active", "status: draft").replace("severity: major", "severity: minor")
    table = text_of_base(TABLE).replace("status: active", "status: draft")
    only = table[: table.index("  - id: nsaids")] + table[table.index("  - id: metformin") :]
    engine = load(site(tmp_path, {RULE: draft, TABLE: only}))
    for case in (BLEEDING, KIDNEY):
        report = engine.check(case, DAY)
        assert [f.severity for f in report.every_finding] == [f.severity for f in load().check(case, DAY).every_finding]
        assert {f.decided_by for f in report.every_finding} == {"medsafe"}
    assert [(c.id, c.what) for c in engine.library.changes] == [
        ("contraindication.kidney.metformin", "draft"),
        ("interaction.warfarin-nsaid", "draft"),
    ]


# ------------------------------------------------------------------ replaced, retired, narrowed


def test_a_rule_that_a_site_wrote_anew_so_that_it_is_silent_is_named_where_ours_would_speak(tmp_path: Path) -> None:
    silent = text_of_base(RULE).replace("class: class.nsaids", "id: drug.naproxen")
    report = load(site(tmp_path, {RULE: silent})).check(BLEEDING, DAY)
    assert report.findings == []
    assert told(report) == [("interaction.warfarin-nsaid", "replaced", "major", "major")]


def test_a_row_that_a_sites_table_does_not_have_is_named_where_it_would_speak(tmp_path: Path) -> None:
    text = text_of_base(TABLE)
    only = text[: text.index("  - id: nsaids")] + text[text.index("  - id: metformin") :]
    report = load(site(tmp_path, {TABLE: only})).check(KIDNEY, DAY)
    assert ("contraindication.kidney.nsaids", "retired", "moderate", "") in told(report)
    assert report.notes == [
        "contraindication.kidney.nsaids would have spoken, but is retired by site: "
        "its file takes the place of `contraindication.kidney` and does not have it"
    ]


def test_a_class_with_fewer_members_weakens_the_rules_that_name_it_and_they_say_so(tmp_path: Path) -> None:
    nsaids = "id: class.nsaids\nname: NSAIDs\nmembers: [drug.naproxen, {drug: drug.diclofenac, route: [oral, parenteral]}]\n"
    report = load(site(tmp_path, {"kb/classes/nsaids.yaml": nsaids})).check(BLEEDING, DAY)
    assert report.findings == []
    assert [(c.id, c.what, c.because) for c in said(report)] == [
        ("interaction.warfarin-nsaid", "weakened", "`class.nsaids` without drug.ibuprofen")
    ]


def test_a_class_with_more_members_makes_nothing_quieter(tmp_path: Path) -> None:
    more = text_of_base("kb/classes/nsaids.yaml").replace("  - drug.naproxen\n", "  - drug.naproxen\n  - drug.acetaminophen\n")
    engine = load(site(tmp_path, {"kb/classes/nsaids.yaml": more}))
    assert {c.what for c in engine.library.changes} == {"strengthened"}


def test_knowledge_that_a_site_retired_is_not_held(tmp_path: Path) -> None:
    off = "id: interaction.warfarin-nsaid\nretire: {reason: noise}\n"
    before = load().checker.index.holds("drug.warfarin")
    after = load(site(tmp_path, {RULE: off})).checker.index.holds("drug.warfarin")
    assert set(before) - set(after) == {"interaction"}


# ------------------------------------------------------------------ what is protected

PROTECTED = "contraindication.metformin-kidney"
WHERE = "rules/contraindications/metformin-kidney.yaml"
ACTS: dict[str, tuple[str, dict[str, str]]] = {
    "retired": ("retired", {"rules/contraindications/off.yaml": f"id: {PROTECTED}\nretire: {{reason: noise}}\n"}),
    "overridden": ("weakened", {"rules/contraindications/off.yaml": override(PROTECTED, "moderate")}),
    "replaced": ("replaced", {WHERE: text_of_base(WHERE).replace("under: 30", "under: 15")}),
    "replaced and quieter": ("weakened", {WHERE: text_of_base(WHERE).replace("contraindicated\neff", "minor\neff")}),
}


@pytest.mark.parametrize("act", sorted(ACTS))
def test_what_is_contraindicated_is_touched_by_a_site_only_with_a_name_that_every_report_tells(act: str, tmp_path: Path) -> None:
    what, files = ACTS[act]
    with pytest.raises(safety.KnowledgeError) as refused:
        load(site(tmp_path, files, "unsigned"))
    assert [p.code for p in refused.value.problems] == ["K230"]
    signature = {"rules/contraindications/signed.yaml": override(PROTECTED, signed=SIGNED)}
    engine = load(site(tmp_path, {**files, **signature}, "site"))
    (change,) = engine.library.changes
    assert (change.what, change.protected, change.signed and change.signed.by) == (what, True, "J. Doe PharmD")
    assert told(engine.check(LOW, DAY))[0][:2] == (PROTECTED, what)
    for case in (LOW, BLEEDING):
        assert engine.check(case, DAY).made_by.signed == [str(change)]
        assert "signed by J. Doe PharmD on 2026-11-01: two committees agreed" in str(change)


def test_a_high_priority_rule_is_protected_against_a_class_with_fewer_members(tmp_path: Path) -> None:
    root = copy_of_base(tmp_path)
    changed(root, RULE, "tags: [bleeding]", "tags: [bleeding, onc-high-1]")
    nsaids = {"kb/classes/nsaids.yaml": "id: class.nsaids\nname: NSAIDs\nmembers: [drug.naproxen]\n"}
    overlay = site(tmp_path, nsaids, "unsigned")
    with pytest.raises(safety.KnowledgeError) as refused:
        load(overlay, base=root)
    assert [(str(p.place), p.code) for p in refused.value.problems] == [(f"{overlay}/kb/classes/nsaids.yaml:1:1", "K230")]
    signed = {"rules/interactions/signed.yaml": override("interaction.warfarin-nsaid", signed=SIGNED)}
    assert load(site(tmp_path, {**nsaids, **signed}), base=root).check(BLEEDING, DAY).made_by.signed


def test_a_signature_of_another_overlay_does_not_count(tmp_path: Path) -> None:
    off = site(tmp_path, {"rules/contraindications/off.yaml": f"id: {PROTECTED}\nretire: {{reason: noise}}\n"}, "off")
    name = site(tmp_path, {"rules/contraindications/signed.yaml": override(PROTECTED, signed=SIGNED)}, "name")
    for overlays in ((off, name), (name, off)):
        with pytest.raises(safety.KnowledgeError):
            load(*overlays)


def test_what_is_protected_may_be_made_louder_by_anybody(tmp_path: Path) -> None:
    root = copy_of_base(tmp_path)
    changed(root, RULE, "tags: [bleeding]", "tags: [bleeding, onc-high-1]")
    louder = {"rules/interactions/here.yaml": override("interaction.warfarin-nsaid", "contraindicated")}
    report = load(site(tmp_path, louder), base=root).check(BLEEDING, DAY)
    assert [f.severity for f in report.findings] == ["contraindicated"]


# ------------------------------------------------------------------ the law

LEVELS = ["contraindicated", "major", "moderate", "minor"]
RULES = {"interaction.warfarin-nsaid": RULE, PROTECTED: WHERE}
act = st.one_of(
    st.tuples(st.just("retire"), st.sampled_from(sorted(RULES)), st.just("")),
    st.tuples(st.just("override"), st.sampled_from(sorted(RULES)), st.sampled_from(LEVELS)),
    st.tuples(st.just("write"), st.sampled_from(sorted(RULES)), st.sampled_from(LEVELS)),
    st.tuples(st.just("draft"), st.sampled_from(sorted(RULES)), st.sampled_from(LEVELS)),
    st.tuples(st.just("class"), st.just(""), st.sampled_from(["drug.naproxen", "drug.ibuprofen"])),
)


def _files(acts: list[tuple[str, str, str]], signed: bool) -> dict[str, str]:
    files: dict[str, str] = {}
    for kind, i, how in acts:
        if kind == "retire":
            files[RULES[i]] = f"id: {i}\nretire: {{reason: noise}}\n"
        elif kind == "override":
            files[f"rules/route/{i.partition('.')[2]}.yaml"] = override(i, how)
        elif kind == "class":
            files["kb/classes/nsaids.yaml"] = f"id: class.nsaids\nname: NSAIDs\nmembers: [{how}]\n"
        else:
            text = text_of_base(RULES[i])
            for level in LEVELS:
                text = text.replace(f"severity: {level}", f"severity: {how}")
            files[RULES[i]] = text.replace("status: active", "status: draft") if kind == "draft" else text
    if signed:
        files.update({f"rules/food/{n}.yaml": override(i, signed=SIGNED) for n, i in enumerate(sorted(RULES))})
    return files


@settings(max_examples=examples(12), deadline=None)
@given(acts=st.lists(act, min_size=1, max_size=3), signed=st.booleans())
def test_whatever_a_site_does_no_finding_is_lost_or_quieter_without_the_report_saying_so(acts: Any, signed: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        overlay = site(Path(folder), _files(acts, signed))
        refused = {p.code for p in problems_of(BASE, overlay)} & {"K230", "K231"}
        if refused:
            return
        engine = load(overlay)
        for case in (BLEEDING, LOW):
            before = {f.rule: f.severity for f in _small().check(case, DAY).every_finding}
            report = engine.check(case, DAY)
            now = {f.rule: f.severity for f in report.every_finding}
            named = {c.id for c in said(report)}
            for rule, severity in before.items():
                if rule not in now or LEVELS.index(now[rule]) > LEVELS.index(severity):
                    assert rule in named
                    if severity == "contraindicated":
                        assert report.made_by.signed is not UNSET


def _small(held: list[Engine] = []) -> Engine:  # noqa: B006  loaded once
    if not held:
        held.append(load())
    return held[0]


# ------------------------------------------------------------------ words

UNKNOWN = {"patient": {"medications": ["warfarin 5 mg oral glorply"], "conditions": ["glorply"]}}
WORDS: dict[str, tuple[str, str]] = {
    "language.says-nothing": ("kb/language/says-nothing.yaml", "id: language.says-nothing\nwords: [glorply]\n"),
    "language.not-taken-now": ("kb/language/not-taken-now.yaml", "id: language.not-taken-now\nremove: [stopped]\n"),
    "condition.glorply": ("kb/conditions/glorply.yaml", "id: condition.glorply\nname: glorply\n"),
    "drug.warfarin": (
        "kb/drugs/warfarin.yaml",
        f"{text_of_base('kb/drugs/warfarin.yaml').partition('synonyms:')[0].rstrip()}\nsynonyms: [glorply]\n",
    ),
}


@pytest.mark.parametrize("i", sorted(WORDS))
def test_words_that_a_site_makes_to_be_read_are_told_in_every_report(i: str, tmp_path: Path) -> None:
    where, text = WORDS[i]
    engine = load(site(tmp_path, {where: text}))
    word = "stopped" if "remove" in text else "glorply"
    for case in (UNKNOWN, BLEEDING, LOW):
        (change,) = said(engine.check(case, DAY))
        assert (change.id, change.what, change.overlays) == (i, "loosened", ("site",))
        assert f"`{word}`" in change.because
        assert change.place.startswith(f"{tmp_path}/site/{where}:")
        assert load().check(case, DAY).site_changes is UNSET


def test_a_word_that_a_site_silences_is_unread_without_it_and_its_report_names_the_word(tmp_path: Path) -> None:
    line = {"patient": {"medications": ["warfarin 5 mg by mouth daily glorply"], "conditions": []}}
    assert any("glorply" in f"{u.text} {u.ask}" and u.status == "unread" for u in load().check(line, DAY).unresolved)
    report = load(site(tmp_path, dict([WORDS["language.says-nothing"]]))).check(line, DAY)
    assert not any(u.status == "unread" for u in report.unresolved)
    assert ["glorply" in str(c) for c in said(report)] == [True]


def test_words_of_two_sites_in_one_list_are_one_change_with_both_names(tmp_path: Path) -> None:
    where = "kb/language/says-nothing.yaml"
    both = [site(tmp_path, {where: f"id: language.says-nothing\nwords: [{w}]\n"}, w) for w in ("glorply", "flumpet")]
    (change,) = said(load(*both).check(BLEEDING, DAY))
    assert change.overlays == ("glorply", "flumpet")
    assert "`glorply` added; `flumpet` added" in change.because


def test_a_table_that_a_site_writes_is_told_in_every_report(tmp_path: Path) -> None:
    engine = load(site(tmp_path, {"kb/reactions.yaml": "mild: [glorply]\n"}))
    assert [(c.id, c.what) for c in said(engine.check(BLEEDING, DAY))] == [("kb/reactions.yaml", "loosened")]


def test_a_fact_that_a_site_writes_anew_with_the_same_names_loosens_nothing(tmp_path: Path) -> None:
    where = "kb/drugs/warfarin.yaml"
    assert load(site(tmp_path, {where: text_of_base(where)})).check(BLEEDING, DAY).site_changes is UNSET
