"""A case said on the command line, and files that are recognized by themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.running import medsafe, write

DAY = ("--as-of", "2026-11-20")
RULE = "interaction.warfarin-nsaid"


def rules(out: str) -> set[str]:
    report = json.loads(out)
    return {f["rule"] for f in report["findings"]} | {a["rule"] for f in report["findings"] for a in f.get("also", ())}


def test_medicines_in_place_are_a_case() -> None:
    ran = medsafe("check", "warfarin 5 mg daily", "ibuprofen 400 mg tid prn", "--age", "70", "--sex", "f", *DAY, "--json")
    assert ran.code == 1
    assert RULE in rules(ran.out)


def test_every_option_tells_what_a_case_file_tells(tmp_path: Path) -> None:
    case = """\
patient:
  age: 70
  sex: f
  weight: 81 kg
  conditions: [CKD3b]
  allergies: [{to: pcn, reaction: hives}]
  labs: [K 5.9]
  genes: ["HLA-B*57:01 negative"]
  medications: [warfarin 5 mg daily]
plan: [naproxen 500 bid]
"""
    said = medsafe(
        "check", "warfarin 5 mg daily", "--age", "70", "--sex", "f", "--weight", "81 kg", "--condition", "CKD3b", "--allergy",
        "pcn: hives", "--lab", "K 5.9", "--gene", "HLA-B*57:01 negative", "--plan", "naproxen 500 bid", *DAY, "--json",
    )  # fmt: skip
    filed = medsafe("check", write(tmp_path / "c.yaml", case), *DAY, "--json")
    assert json.loads(said.out) == json.loads(filed.out)


LISTS = {
    "plain.txt": "warfarin 5 mg daily\n\n# from the pharmacy\nibuprofen 400 mg tid prn\n",
    "bullets.txt": "- warfarin 5 mg daily\n- ibuprofen 400 mg tid prn\n",
    "numbered.txt": "1. warfarin 5 mg daily\n2) ibuprofen 400 mg tid prn\n",
    "list.yaml": "- warfarin 5 mg daily\n- {drug: ibuprofen, dose: 400 mg, frequency: three times daily}\n",
    "case.txt": "patient:\n  medications: [warfarin 5 mg daily, ibuprofen 400 mg tid prn]\n",
}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_of_medicines_is_a_case(tmp_path: Path, name: str) -> None:
    ran = medsafe("check", write(tmp_path / name, LISTS[name]), *DAY, "--json")
    assert RULE in rules(ran.out)


def test_a_list_may_be_told_of_a_patient(tmp_path: Path) -> None:
    plain = write(tmp_path / "l.txt", LISTS["plain.txt"])
    case = "patient: {conditions: [kidney disease], medications: [warfarin 5 mg daily, ibuprofen 400 mg tid prn]}"
    ran = medsafe("check", plain, "--condition", "kidney disease", *DAY, "--json")
    assert json.loads(ran.out) == json.loads(medsafe("check", write(tmp_path / "c.yaml", case), *DAY, "--json").out)


def test_a_case_that_describes_its_patient_is_not_told_another(tmp_path: Path) -> None:
    ran = medsafe("check", write(tmp_path / "c.txt", LISTS["case.txt"]), "--age", "70", *DAY)
    assert ran.code == 2
    assert "R008" in ran.err


def test_a_record_is_recognized_without_being_told(tmp_path: Path) -> None:
    patient = {"resourceType": "Patient", "id": "p"}
    order = {
        "resourceType": "MedicationRequest", "id": "m", "status": "active", "intent": "order",
        "subject": {"reference": "Patient/p"}, "medicationCodeableConcept": {"text": "warfarin 5 mg daily"},
    }  # fmt: skip
    bundle = {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": patient}, {"resource": order}]}
    path = write(tmp_path / "record.json", json.dumps(bundle))
    by_itself = medsafe("check", path, "--plan", "ibuprofen 400 mg tid", *DAY, "--json")
    told = medsafe("check", "--fhir", path, "--plan", "ibuprofen 400 mg tid", *DAY, "--json")
    assert RULE in rules(by_itself.out)
    assert json.loads(by_itself.out) == json.loads(told.out)


def test_a_folder_is_every_case_in_it_with_a_sum_at_the_end(tmp_path: Path) -> None:
    for name in ("a.txt", "b.yaml"):
        write(tmp_path / name, LISTS["plain.txt" if name.endswith("txt") else "list.yaml"])
    write(tmp_path / "c.yaml", "patient: {age: old}\n")
    ran = medsafe("check", str(tmp_path), *DAY)
    assert ran.code == 1
    assert "3 cases: 2 violated, 1 could not be checked" in ran.out
    assert all(len(line) <= 80 for line in ran.out.splitlines())


def test_medicines_and_files_are_not_mixed(tmp_path: Path) -> None:
    ran = medsafe("check", write(tmp_path / "l.txt", "warfarin"), "ibuprofen 400 mg", *DAY)
    assert ran.code == 2
    assert "R008" in ran.err


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("meds", "medications"), ("dob", "birth_date"), ("gender", "sex"), ("problems", "conditions"), ("dx", "conditions")],
)  # fmt: skip
def test_what_other_systems_call_a_key_is_known(tmp_path: Path, wrong: str, right: str) -> None:
    ran = medsafe("check", write(tmp_path / "c.yaml", f"patient:\n  {wrong}: []\n"), *DAY)
    assert ran.code == 2
    assert "R102" in ran.err
    assert f"did you mean `{right}`?" in ran.err


@pytest.mark.parametrize(("wrong", "right"), [("freq", "frequency"), ("name", "drug"), ("directions", "sig")])
def test_and_so_is_a_key_of_a_medication(tmp_path: Path, wrong: str, right: str) -> None:
    case = f"patient:\n  medications:\n    - {{drug: warfarin, {wrong}: daily}}\n"
    assert f"did you mean `{right}`?" in medsafe("check", write(tmp_path / "c.yaml", case), *DAY).err


def test_a_date_of_a_result_is_called_on(tmp_path: Path) -> None:
    case = "patient:\n  labs:\n    - {test: INR, value: 2, date: 2026-11-02}\n"
    assert "did you mean `on`?" in medsafe("check", write(tmp_path / "c.yaml", case), *DAY).err


@pytest.mark.parametrize(
    ("case", "hint"),
    [
        ("patient:\n  labs:\n    - {name: K, value: 5.9}\n", "did you mean `test`?"),
        ("patient:\n  allergies:\n    - {drug: penicillin}\n", "did you mean `to`?"),
        ("patient:\n  conditions:\n    - {name: CKD3b}\n", "did you mean `text`?"),
        ("patient: {}\nmedications: [warfarin]\n", "it belongs under `patient:`, as `medications`"),
        ("patient: {}\nallergy: [penicillin]\n", "it belongs under `patient:`, as `allergies`"),
        ("- {drug: warfarin, freq: daily}\n", "did you mean `frequency`?"),
    ],
)
def test_one_word_is_another_key_in_another_place(tmp_path: Path, case: str, hint: str) -> None:
    ran = medsafe("check", write(tmp_path / "c.yaml", case), *DAY)
    assert ran.code == 2
    assert hint in ran.err


def test_a_slip_in_a_list_is_told_with_its_line(tmp_path: Path) -> None:
    path = write(tmp_path / "l.yaml", "- warfarin 5 mg daily\n- {drug: ibuprofen, freq: tid}\n")
    assert "l.yaml:2:21: R102" in medsafe("check", path, *DAY).err
    path = write(tmp_path / "l.txt", "warfarin 5 mg daily\nAge: old\n")
    assert "l.txt:2:1: R107" in medsafe("check", path, *DAY).err


CHART = """\
Age: 70
Sex: F
Home Meds:
- warfarin 5 mg daily

PMH: CKD3b
## Allergies:
pcn: hives
Labs:
  K 5.9
Plan:
  naproxen 500 bid
"""


def test_a_list_with_headings_tells_what_a_case_file_tells(tmp_path: Path) -> None:
    case = """\
patient: {age: 70, sex: F, conditions: [CKD3b], allergies: ["pcn: hives"], labs: [K 5.9], medications: [warfarin 5 mg daily]}
plan: [naproxen 500 bid]
"""
    listed = medsafe("check", write(tmp_path / "c.txt", CHART), *DAY, "--json")
    filed = medsafe("check", write(tmp_path / "c.yaml", case), *DAY, "--json")
    assert json.loads(listed.out) == json.loads(filed.out)


def test_an_empty_heading_tells_nothing_and_a_medicine_with_a_colon_is_no_heading(tmp_path: Path) -> None:
    text = "Allergies:\nMedications:\nWarfarin: 5 mg daily\nibuprofen 400 mg tid\n"
    report = json.loads(medsafe("check", write(tmp_path / "l.txt", text), *DAY, "--json").out)
    assert {m["drug"] for m in report["medications"]} == {"drug.warfarin", "drug.ibuprofen"}
    asked = json.loads(medsafe("check", write(tmp_path / "m.txt", text.split("\n", 1)[1]), *DAY, "--json").out)
    assert report == asked


def test_an_option_is_added_to_what_a_heading_tells(tmp_path: Path) -> None:
    path = write(tmp_path / "c.txt", CHART.replace("Plan:\n  naproxen 500 bid\n", ""))
    ran = medsafe("check", path, "--age", "71", "--lab", "INR 4.8", "--plan", "naproxen 500 bid", *DAY, "--json")
    case = """\
patient: {age: 71, sex: F, conditions: [CKD3b], allergies: ["pcn: hives"], labs: [K 5.9, INR 4.8],
          medications: [warfarin 5 mg daily]}
plan: [naproxen 500 bid]
"""
    assert json.loads(ran.out) == json.loads(medsafe("check", write(tmp_path / "c.yaml", case), *DAY, "--json").out)


def test_medicines_from_standard_input_are_a_case() -> None:
    ran = medsafe("check", "-", *DAY, "--json", stdin=b"warfarin 5 mg daily\nibuprofen 400 mg tid prn\n")
    assert RULE in rules(ran.out)


def test_why_takes_a_case_in_place_as_check_does(tmp_path: Path) -> None:
    told = ("warfarin; Advil", "--age", "70", "--condition", "CKD3b", "--plan", "naproxen 500 bid", *DAY)
    case = "patient: {age: 70, conditions: [CKD3b], medications: [warfarin; Advil]}\nplan: [naproxen 500 bid]\n"
    said = medsafe("why", RULE, *told, "--json")
    assert said.rows == medsafe("why", RULE, write(tmp_path / "c.yaml", case), *DAY, "--json").rows
    assert said.rows[0]["verdict"] == "violated"
    assert medsafe("why", RULE, "warfarin 5 mg", *DAY, "--json").rows[0]["verdict"] == "not_applicable"


def test_why_is_about_one_case(tmp_path: Path) -> None:
    two = write(tmp_path / "c.jsonl", '{"patient": {"medications": ["warfarin"]}}\n' * 2)
    ran = medsafe("why", RULE, two)
    assert (ran.code, ran.out) == (2, "")
    assert "R008 holds more than one case" in ran.err
    assert "R008" in medsafe("why", RULE, "warfarin", two).err
