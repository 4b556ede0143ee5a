"""`medsafe check` and `why`: every way in, every exit code, and nothing of the patient where it does not belong."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from broken.laying import lay
from conftest import REPO
from hypothesis import given
from hypothesis import strategies as st

from cli.running import ASKING, CASE, CLEAR, LOUD, MINOR, SETTLED, medsafe, write
from safety.cli.main import first_of

REPORT_KEYS = {"report", "id", "as_of", "verdict", "findings", "unknown", "unresolved", "not_covered", "made_by"}
FINDING_KEYS = {
    "rule", "kind", "severity", "hard", "interrupt", "subjects", "title", "harm", "why", "do", "advice", "escalate", "task",
    "evidence", "trace",
}  # fmt: skip


# ------------------------------------------------------------------ ways in


@pytest.mark.parametrize("name", ["case.yaml", "case.yml", "case.json", "case.txt", "case"])
def test_a_case_is_read_whatever_its_file_is_called(name: str, tmp_path: Path) -> None:
    ran = medsafe("check", write(tmp_path / name, CASE), "--json")
    assert ran.code == 1
    assert [f["rule"] for f in ran.rows[0]["findings"]] == ["interaction.warfarin-nsaid", "contraindication.kidney.nsaids"]


def test_a_case_from_standard_input_gives_the_same_answer(tmp_path: Path) -> None:
    from_file = medsafe("check", write(tmp_path / "case.yaml", CASE), "--json")
    assert medsafe("check", "-", "--json", stdin=CASE.encode()) == from_file


def test_json_and_yaml_of_one_case_give_the_same_answer(tmp_path: Path) -> None:
    as_yaml = write(
        tmp_path / "a.yaml",
        "id: loud\nas_of: 2026-11-20\npatient:\n  conditions: []\n  medications: [warfarin 5 mg oral, Advil 400 mg oral]\n",
    )
    as_json = write(tmp_path / "a.json", LOUD)
    as_lines = write(tmp_path / "a.jsonl", [LOUD])
    answers = {medsafe("check", f, "--json").out for f in (as_yaml, as_json, as_lines)}
    assert len(answers) == 1


@pytest.mark.parametrize("dumped", [json.dumps(LOUD | {"id": "😀"}), json.dumps(LOUD, indent="\t"), "\ufeff" + json.dumps(LOUD)])
@pytest.mark.parametrize("ending", ["json", "jsonl"])
def test_json_as_other_programs_write_it_is_read(dumped: str, ending: str, tmp_path: Path) -> None:
    if ending == "jsonl" and "\n" in dumped:
        dumped = dumped.replace("\n", "").replace("\t", "")
    ran = medsafe("check", write(tmp_path / f"a.{ending}", dumped), "--json")
    assert (ran.code, ran.err) == (1, "")


def test_several_files_are_answered_in_their_order(tmp_path: Path) -> None:
    files = [write(tmp_path / f"{n}.json", case) for n, case in enumerate((CLEAR, LOUD, ASKING))]
    ran = medsafe("check", *files, "--json")
    assert [r["id"] for r in ran.rows] == ["clear", "loud", "asking"]
    assert ran.code == 1


@pytest.mark.parametrize("missing", ["missing.yaml", "missing.jsonl"])
def test_a_missing_file_between_others_does_not_take_their_answers_away(missing: str, tmp_path: Path) -> None:
    first, last = write(tmp_path / "a.json", CLEAR), write(tmp_path / "b.json", CLEAR | {"id": "last"})
    ran = medsafe("check", first, tmp_path / missing, last, "--json")
    assert [r["id"] for r in ran.rows if r["id"]] == ["clear", "last"]
    assert ran.code not in (0, 1)


def test_a_fhir_bundle_is_read_with_a_plan_beside_it(tmp_path: Path) -> None:
    entry = {
        "resourceType": "MedicationStatement", "status": "active", "subject": {"reference": "Patient/p"},
        "medicationCodeableConcept": {"text": "warfarin"},
    }  # fmt: skip
    person = {"resourceType": "Patient", "id": "p", "gender": "male", "birthDate": "1950-01-01"}
    bundle = {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": person}, {"resource": entry}]}
    plan = write(tmp_path / "plan.yaml", "- ibuprofen 400 mg by mouth\n")
    ran = medsafe("check", "--fhir", write(tmp_path / "b.json", bundle), "--plan", plan, "--as-of", "2026-11-20", "--json")
    assert [f["rule"] for f in ran.rows[0]["findings"]] == ["interaction.warfarin-nsaid"]
    assert ran.code == 1
    assert ran.rows[0]["read"]["used"]


@pytest.mark.parametrize("cut", [1, 10, 60, 200])
def test_a_fhir_bundle_cut_off_in_the_middle_is_refused(cut: int, tmp_path: Path) -> None:
    whole = (REPO / "examples/fhir-patient.json").read_bytes()
    ran = medsafe("check", "--fhir", write(tmp_path / "cut.json", whole[: len(whole) * cut // 256]), "--as-of", "2026-11-20")
    assert (ran.code, ran.out) == (2, "")
    assert "cut.json" in ran.err


def test_a_plan_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    ran = medsafe("check", write(tmp_path / "a.yaml", CASE), "--plan", "p.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert "p.yaml: R001 cannot be read" in ran.err


# ------------------------------------------------------------------ bad input

BAD: dict[str, tuple[Any, str]] = {
    "typo.yaml": ("patient:\n  medications: [warfarin\nplan: []\n", "typo.yaml:3:"),
    "colon.yaml": ("patient:\n  medications:\n    - sig: take: one\n", "colon.yaml:3:"),
    "junk.yaml": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "junk.yaml:1:1: R003 is not UTF-8 text"),
    "nul.yaml": (b"patient: {}\n\x00", "nul.yaml"),
    "empty.yaml": ("", "empty.yaml:1:1: "),
    "comment.yaml": ("# nobody\n", "comment.yaml:1:1: "),
    "list.json": ("[]", "list.json:1:1: R101 a case must be a mapping with `patient:`, not a list"),
    "word.yaml": ("warfarin\n", "word.yaml:1:1: R101"),
    "two.yaml": ("patient: {}\n---\npatient: {}\n", "two.yaml:3:1: "),
    "cut.json": ('{"patient": {"medications": ["warf', "cut.json:1:"),
    "nobody.yaml": ("plan: [warfarin]\n", "nobody.yaml:1:1: R105 `patient` is missing"),
    "key.yaml": (
        "patient:\n  medicatons: [warfarin]\n",
        "key.yaml:2:3: R102 `medicatons` is not a key of a patient\n  hint: did you mean `medications`?",
    ),
    "far.yaml": ("patient:\n  zzz: 1\n", "far.yaml:2:3: R102 `zzz` is not a key of a patient\n  hint: keys here: age "),
    "twice.yaml": (
        "patient:\n  medications: [a]\n  medications: []\n",
        "twice.yaml:3:3: K005 `medications` stands here a second time",
    ),
    "age.yaml": ("patient:\n  age: old\n", "age.yaml:2:3: R107 `old` is not an age"),
    "ancient.yaml": ("patient:\n  age: 300\n", "ancient.yaml:2:3: R107 `300` cannot be an age"),
    "weight.yaml": ("patient:\n  weight: 81\n", "weight.yaml:2:3: R109 `81` is not a weight"),
    "stones.yaml": ("patient:\n  weight: 12 stone\n", "stones.yaml:2:3: R109"),
    "sex.yaml": ("patient:\n  sex: yes\n", "sex.yaml:2:3: R108"),
    "pregnant.yaml": ("patient:\n  pregnancy: maybe\n", "pregnant.yaml:2:3: R111"),
    "day.yaml": ("as_of: 2026-02-30\npatient: {}\n", "day.yaml:1:1: R112"),
    "one.yaml": ("patient:\n  medications: warfarin\n", "one.yaml:2:3: R103 `medications` must be a list"),
    "nameless.yaml": ("patient:\n  medications:\n    - {dose: 5 mg}\n", "nameless.yaml:3:7: R105 `drug` is missing"),
    "test.yaml": ("patient:\n  labs: [{value: 5}]\n", "test.yaml:2:10: R105 `test` is missing"),
    "code.yaml": ("patient:\n  conditions: [{text: x, code: 38341003}]\n", "code.yaml:2:26: R113 a code is text"),
    "supply.yaml": ("patient:\n  medications:\n    - {drug: a, supply: shop}\n", "supply.yaml:3:17: R115"),
    "days.yaml": ("patient:\n  medications:\n    - {drug: a, days: few}\n", "days.yaml:3:17: R116"),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(BAD))
@pytest.mark.parametrize("how", ["text", "json"])
def test_input_that_cannot_be_read_is_told_with_its_place(name: str, how: str, tmp_path: Path) -> None:
    content, told = BAD[name]
    write(tmp_path / name, content)
    ran = medsafe("check", name, *(["--json"] if how == "json" else []))
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
    assert ran.err.startswith(name)
    assert [p.name for p in tmp_path.iterdir()] == [name]  # and nothing is written


def test_every_slip_of_a_case_is_told_at_once_in_order(tmp_path: Path) -> None:
    write(tmp_path / "a.yaml", "patient:\n  age: old\n  weight: 5\n  sexx: male\n")
    ran = medsafe("check", "a.yaml")
    assert [line.split(" ")[:2] for line in ran.err.splitlines() if line.startswith("a.yaml")] == [
        ["a.yaml:2:3:", "R107"],
        ["a.yaml:3:3:", "R109"],
        ["a.yaml:4:3:", "R102"],
    ]
    assert "3 problems in the input" in ran.err


def test_a_file_that_is_missing_and_a_folder_are_told(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder.jsonl").mkdir()
    for name in ("nowhere.yaml", "nowhere.jsonl", "folder", "folder.jsonl"):
        ran = medsafe("check", name)
        assert (ran.code, ran.out) == (2, ""), name
        assert ran.err.startswith(f"{name}: R001 cannot be read"), ran.err


@pytest.mark.parametrize("where", ["file", "stdin"])
def test_fifty_megabytes_are_refused_and_not_read(where: str, tmp_path: Path) -> None:
    large = b"patient: {}\n#" + b"x" * 50_000_000
    ran = medsafe("check", "-", stdin=large) if where == "stdin" else medsafe("check", write(tmp_path / "large.yaml", large))
    assert (ran.code, ran.out) == (2, "")
    assert "R002 is larger than 1,048,576 bytes" in ran.err


@pytest.mark.parametrize(
    "lab",
    [{"unit": "mL/min/1.73m2"}, {}, {"value": ""}, {"value": "<30", "unit": "mg"},
     {"value": "NaN", "unit": "mL/min/1.73m2"}, {"value": "low"}, {"value": 28, "unit": "mL/min"}],
    ids=str,
)  # fmt: skip
def test_a_lab_without_a_unit_or_a_value_is_asked_about_and_no_accident(lab: dict[str, Any], tmp_path: Path) -> None:
    labs = [{"test": "eGFR", "on": "2026-11-01", **lab}]
    case = {"as_of": "2026-11-20", "patient": {"medications": ["metformin"], "conditions": [], "labs": labs}}
    ran = medsafe("check", write(tmp_path / "a.json", case), "--json")
    assert (ran.code, ran.err) == (4, "")
    assert [u["rule"] for u in ran.rows[0]["unknown"]] == ["contraindication.metformin-kidney"]


def test_a_number_without_a_unit_is_judged_in_the_only_one_in_which_it_is_plausible_and_asked_about(tmp_path: Path) -> None:
    patient = {"medications": ["metformin"], "conditions": [], "labs": [{"test": "eGFR", "on": "2026-11-01", "value": 28}]}
    ran = medsafe("check", write(tmp_path / "a.json", {"as_of": "2026-11-20", "patient": patient}), "--json")
    assert (ran.code, ran.err) == (1, "")
    assert [f["rule"] for f in ran.rows[0]["findings"]] == ["contraindication.metformin-kidney"]
    assert [(u["where"], u["status"]) for u in ran.rows[0]["unresolved"]] == [("labs[0]", "unit")]


# ------------------------------------------------------------------ JSON Lines

BAD_LINES = ["{", "[]", "warfarin", '{"patient": {"age": "old"}}', '{"patient": {}, "x": 1}', "{" * 5000, '"\\ud800"', "NaN",
             '{"patient": {"medications": [""]}}', '{"patient": {"medications": ["warfarin"], "medications": []}}']  # fmt: skip


@pytest.mark.parametrize("bad", BAD_LINES)
def test_a_bad_line_in_between_has_an_answer_of_its_own(bad: str, tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", [CLEAR, bad, LOUD])
    ran = medsafe("check", "a.jsonl", "--json")
    assert [r.get("id") for r in ran.rows] == ["clear", None, "loud"]
    answer = ran.rows[1]
    assert answer["verdict"] == "unknown"
    assert all(p["place"].startswith("a.jsonl:2") for p in answer["error"])
    assert all(p["code"].startswith("R") and p["message"] for p in answer["error"])
    assert ran.code == 1


@pytest.mark.parametrize("junk", [b"\xff\xfe", b"\x00", b"x" * ((1 << 20) + 5), '{"patient": {"age": "\u202e"}}'.encode()])
def test_a_line_of_junk_has_an_answer_of_its_own(junk: bytes, tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", json.dumps(CLEAR).encode() + b"\n" + junk + b"\n" + json.dumps(CLEAR | {"id": "last"}).encode())
    ran = medsafe("check", "a.jsonl", "--json")
    assert [r.get("id") for r in ran.rows] == ["clear", None, "last"]
    assert ran.code == 4


@pytest.mark.parametrize(
    ("cases", "code"),
    [([CLEAR], 0), ([CLEAR, LOUD], 1), ([CLEAR, ASKING], 4), ([ASKING, LOUD], 1), ([LOUD, ASKING], 1), ([CLEAR, "{"], 4),
     (["{", LOUD], 1), ([], 0)],
)  # fmt: skip
def test_findings_come_before_what_is_unknown_in_the_exit_code(cases: list[Any], code: int, tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", cases)
    assert medsafe("check", "a.jsonl", "--json").code == code


@pytest.mark.parametrize(
    ("level", "case", "code"),
    [("minor", MINOR, 1), ("moderate", MINOR, 4), ("never", MINOR, 4), ("minor", SETTLED, 1),
     ("never", SETTLED, 0), ("minor", LOUD, 1), ("major", LOUD, 1),
     ("contraindicated", LOUD, 4), ("never", LOUD, 4), ("never", ASKING, 4), ("contraindicated", ASKING, 4), ("never", CLEAR, 0)],
)  # fmt: skip
def test_the_level_decides_from_which_severity_on_it_fails(level: str, case: Any, code: int, tmp_path: Path) -> None:
    ran = medsafe("check", write(tmp_path / "a.json", case), "--fail-on", level)
    assert ran.code == code


# ------------------------------------------------------------------ the report


def test_the_report_has_exactly_the_keys_of_the_contract_or_more(tmp_path: Path) -> None:
    case = LOUD | {"plan": ["flurbozide 5 mg", "metformin 500 mg oral"]}
    (report,) = medsafe("check", write(tmp_path / "a.json", case), "--json").rows
    assert set(report) >= REPORT_KEYS
    assert report["report"] == 1
    assert report["verdict"] == "violated"
    for finding in report["findings"]:
        assert set(finding) >= FINDING_KEYS
        assert all(set(s) >= {"text", "drug", "where"} for s in finding["subjects"])
        assert all(set(e) >= {"source", "at", "grade", "checked"} for e in finding["evidence"])
        assert all(set(t) >= {"step", "saw", "result", "place"} for t in finding["trace"])
    assert report["unknown"]
    assert all(set(u) >= {"rule", "subjects", "needs", "ask"} for u in report["unknown"])
    assert [(u["text"], u["where"], u["status"]) for u in report["unresolved"]] == [
        ("flurbozide 5 mg", "plan[0]", "unrecognised")
    ]
    assert all(set(u) >= {"text", "where", "status", "candidates", "ask"} for u in report["unresolved"])
    assert all(set(n) >= {"drug", "where", "lacks"} for n in report["not_covered"])
    assert set(report["made_by"]) >= {"engine", "knowledge", "sha256"}


@pytest.mark.parametrize("drugs", [["naproxen 250 mg oral"], ["warfarin 5 mg oral"], ["flurbozide"], ["metformin 500 mg oral"]])
def test_clear_means_that_nothing_is_violated_unknown_or_unresolved(drugs: list[str], tmp_path: Path) -> None:
    case = {**CLEAR, "patient": {**CLEAR["patient"], "medications": drugs}}
    ran = medsafe("check", write(tmp_path / "a.json", case), "--json")
    (report,) = ran.rows
    nothing = not (report["findings"] or report["unknown"] or report["unresolved"] or report["unknown_because"])
    assert nothing is (drugs == ["naproxen 250 mg oral"])
    assert (report["verdict"] == "clear") == nothing == (ran.code == 0)


def test_the_flag_decides_over_the_case_and_the_case_over_today(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("safety.cli.check.today", lambda: date(2031, 1, 2))
    dated = write(tmp_path / "dated.json", CLEAR)
    bare = write(tmp_path / "bare.json", {k: v for k, v in CLEAR.items() if k != "as_of"})
    days = [medsafe("check", *args, "--json").rows[0]["as_of"] for args in ((dated, "--as-of", "2025-05-05"), (dated,), (bare,))]
    assert days == ["2025-05-05", "2026-11-20", "2031-01-02"]
    assert "as of 2031-01-02" in medsafe("check", bare).out


@pytest.mark.parametrize("day", ["tomorrow", "2026-02-30", "20.11.2026", ""])
def test_a_day_that_is_none_is_a_slip_of_usage(day: str, tmp_path: Path) -> None:
    ran = medsafe("check", write(tmp_path / "a.yaml", CASE), "--as-of", day)
    assert (ran.code, ran.out) == (2, "")
    assert "2026-11-20" in ran.err


# ------------------------------------------------------------------ our own failures


class _BrokenError(Exception):
    pass


def _break(monkeypatch: pytest.MonkeyPatch, only: str | None = None) -> None:
    from safety.answering.checker import Checker

    whole = Checker.check

    def check(self: Any, case: Any, day: Any, role: Any) -> Any:
        if only is None or case.id == only:
            raise _BrokenError("Mrs Doe takes warfarin")
        return whole(self, case, day, role)

    def why(self: Any, *_: Any) -> Any:
        raise _BrokenError("Mrs Doe takes warfarin")

    monkeypatch.setattr(Checker, "check", check)
    monkeypatch.setattr(Checker, "why", why)


@pytest.mark.parametrize("command", [("check",), ("why", "interaction.warfarin-nsaid")])
def test_a_failure_of_the_engine_is_exit_3_and_tells_nothing_of_the_patient(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _break(monkeypatch)
    ran = medsafe(*command, write(tmp_path / "a.yaml", CASE))
    assert (ran.code, ran.out) == (3, "")
    assert "engine" in ran.err
    assert "Traceback" not in ran.err
    for private in ("Doe", "warfarin 5", "Advil", "72"):
        assert private not in ran.err


def test_a_failure_of_the_engine_on_one_line_leaves_every_line_its_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _break(monkeypatch, only="loud")
    write(tmp_path / "a.jsonl", [CLEAR, LOUD, ASKING])
    ran = medsafe("check", "a.jsonl", "--json")
    assert len(ran.rows) == 3
    assert [ran.rows[0]["id"], ran.rows[2]["id"]] == ["clear", "asking"]
    assert ran.rows[1]["verdict"] == "unknown"
    assert ran.code == 3


@given(st.lists(st.sampled_from([0, 1, 3, 4]), max_size=6))
def test_of_several_answers_ours_to_mend_comes_first_then_findings_then_what_is_not_known(codes: list[int]) -> None:
    order = [3, 1, 4, 0]
    assert first_of(codes) == min(codes, key=order.index, default=0)


@pytest.mark.parametrize("broken", ["loud", "asking", "clear"])
def test_a_failure_beside_findings_and_questions_is_exit_3(broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _break(monkeypatch, only=broken)
    for cases in ([CLEAR, LOUD, ASKING], [ASKING, LOUD, CLEAR]):
        write(tmp_path / "a.jsonl", cases)
        assert medsafe("check", "a.jsonl", "--json").code == 3


def test_an_overlay_with_an_unknown_id_is_a_problem_of_the_knowledge(tmp_path: Path, small_base: Path) -> None:
    text = (small_base / "rules/interactions/warfarin-nsaid.yaml").read_text(encoding="utf-8")
    lay(tmp_path / "site", "rules/interactions/warfarin-nsaid.yaml", text.replace("class.nsaids", "class.nsaidz"))
    ran = medsafe("check", write(tmp_path / "a.yaml", CASE), "--overlay", "site")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err.startswith(
        "site/rules/interactions/warfarin-nsaid.yaml:10:19: K301 `class.nsaidz` is not a class that we know\n"
    )
    assert "hint: did you mean `class.nsaids`?" in ran.err
    assert "1 problem in the knowledge" in ran.err


# ------------------------------------------------------------------ nothing is echoed raw

_EVIL = "\x1b[31mred\x07\u202e\x9b\u200b"


@pytest.mark.parametrize("how", [[], ["--json"]])
def test_no_control_character_of_a_case_reaches_the_terminal(how: list[str], tmp_path: Path) -> None:
    case = LOUD | {
        "id": _EVIL,
        "patient": {
            "medications": [f"{_EVIL} 5 mg", {"drug": f"warfarin{_EVIL}", "for": _EVIL}, "ibuprofen 400 mg", f"Advil {_EVIL}"],
            "conditions": [_EVIL], "labs": [{"test": _EVIL, "value": _EVIL}], "allergies": [{"to": _EVIL, "reaction": _EVIL}],
        },
    }  # fmt: skip
    ran = medsafe("check", write(tmp_path / "a.jsonl", [case]), *how)
    assert ran.out
    bad = {c for c in ran.out + ran.err if not c.isprintable() and c != "\n"}
    assert bad == set()


@pytest.mark.parametrize("ending", ["json", "jsonl", "yaml"])
def test_no_control_character_of_a_bad_case_reaches_the_terminal(ending: str, tmp_path: Path) -> None:
    case = {"patient": {_EVIL: 1, "age": _EVIL, "sex": _EVIL, "weight": _EVIL, "labs": _EVIL, "pregnancy": _EVIL}}
    for how in ([], ["--json"]):
        ran = medsafe("check", write(tmp_path / f"a.{ending}", json.dumps(case)), *how)
        assert ran.out + ran.err
        assert {c for c in ran.out + ran.err if not c.isprintable() and c != "\n"} == set()


# ------------------------------------------------------------------ why


def test_why_a_rule_spoke_names_each_line_its_place_and_what_the_patient_had(tmp_path: Path) -> None:
    ran = medsafe("why", "interaction.warfarin-nsaid", write(tmp_path / "a.yaml", CASE))
    assert ran.code == 0
    assert "VIOLATED" in ran.out
    for line in (9, 10, 12):
        assert f"rules/interactions/warfarin-nsaid.yaml:{line}:" in ran.out
    assert "warfarin 5 mg by mouth once daily (medications[0])" in ran.out
    assert "plan[0]" in ran.out


def test_why_a_rule_stayed_silent_names_the_line_that_did_not_hold(tmp_path: Path) -> None:
    ran = medsafe("why", "contraindication.metformin-kidney", write(tmp_path / "a.json", MINOR), "--json")
    (answer,) = ran.rows
    assert (ran.code, answer["verdict"]) == (0, "not_applicable")
    (failed,) = [s for s in answer["trace"] if s["result"] is False]
    assert failed["place"] == "rules/contraindications/metformin-kidney.yaml:10:5"
    assert "60 mL/min/1.73m2" in failed["saw"]


def test_why_a_rule_could_not_be_decided_names_what_is_missing(tmp_path: Path) -> None:
    ran = medsafe("why", "contraindication.metformin-kidney", write(tmp_path / "a.json", ASKING), "--json")
    assert (ran.rows[0]["verdict"], ran.rows[0]["needs"]) == ("unknown", ["lab.egfr"])
    assert "lab.egfr" in medsafe("why", "contraindication.metformin-kidney", tmp_path / "a.json").out


def test_why_of_an_unknown_rule_suggests_one(tmp_path: Path) -> None:
    ran = medsafe("why", "interaction.warfarin-nsad", write(tmp_path / "a.yaml", CASE))
    assert (ran.code, ran.out) == (2, "")
    assert "`interaction.warfarin-nsad` is not a rule that we know\n  hint: did you mean `interaction.warfarin-nsaid`?" in ran.err


def test_why_agrees_with_check_about_every_rule(tmp_path: Path, small_base: Path) -> None:
    from safety.knowledge.compiling import compile_folder

    for case in (LOUD, MINOR, ASKING, CLEAR):
        file = write(tmp_path / "a.json", case)
        (report,) = medsafe("check", file, "--json").rows
        told = {f["rule"]: "violated" for f in report["findings"]} | {u["rule"]: "unknown" for u in report["unknown"]}
        for entry in compile_folder(small_base).library.entries:
            verdict = medsafe("why", entry.id, file, "--json").rows[0]["verdict"]
            assert told.get(entry.id, "silent") == (verdict if verdict in ("violated", "unknown") else "silent"), entry.id


def test_an_open_question_beside_a_finding_under_the_threshold_is_never_exit_0(tmp_path: Path) -> None:
    unsure = {**LOUD, "patient": {**LOUD["patient"], "medications_complete": "no"}}
    ran = medsafe("check", write(tmp_path / "a.json", unsure), "--json", "--fail-on", "never")
    assert ran.rows[0]["complete"] is False
    assert ran.code == 4


def test_several_reports_end_with_one_disclaimer_say_whom_to_call_and_name_each_source_once(tmp_path: Path) -> None:
    write(tmp_path / "cases.jsonl", [LOUD, LOUD])
    out = medsafe("check", "cases.jsonl").out
    assert out.count("not a medical device") == 1
    assert out.rstrip().endswith("not a medical device.")
    assert out.count("call     a pharmacist") == 2
    alone = medsafe("check", write(tmp_path / "loud.json", LOUD)).out
    assert alone.count("source   [1]") == 1
    assert alone.count("[1]  ") == 1


def test_advice_is_not_dimmed_only_its_label_is(monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    from rich.console import Console

    from safety.cli import page

    written = io.StringIO()
    monkeypatch.setattr(page, "console", lambda: Console(file=written, force_terminal=True, width=80, color_system="standard"))
    page.Page().labelled("do", "Stop it.")
    assert written.getvalue() == "\x1b[2m  do       \x1b[0mStop it.\n"
