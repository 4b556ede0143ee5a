"""What an audit finds: in a library without a fault nothing, in one with a fault the line that looks for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from broken.laying import compiled_over
from click.testing import CliRunner
from desk.kept import DAY, FAULTS, between, cited, clean, of_one, write
from showing.accessible import faults

from safety.answering.checker import Checker
from safety.cli.main import cli
from safety.desk.audit import Asked, Audit, audited
from safety.desk.cohort import firing
from safety.desk.keeping import in_force, sources_named
from safety.desk.page import audit_page
from safety.desk.pairs import BROAD
from safety.desk.remarks import LINES
from safety.desk.signing import Signature, digest, sign, signatures_in, state_of
from safety.errors import RequestError
from safety.knowledge.collecting import collect
from safety.knowledge.compiled import Compiled
from safety.model.patient import Case
from safety.reading.case import read_case


@contextmanager
def laid(files: dict[str, Any]) -> Iterator[tuple[Path, Compiled, Checker]]:
    with TemporaryDirectory(prefix="desk") as folder:
        root = write(Path(folder) / "k", files)
        compiled = compiled_over(root)
        assert not compiled.problems, "\n".join(map(str, compiled.problems))
        yield root, compiled, Checker(compiled.library, "test")


def signed(compiled: Compiled) -> dict[str, Signature]:
    """Everything signed as it is."""
    return {e.id: Signature(e.id, digest(e), "Jane Doe", "RPh 12345", DAY) for e in in_force(compiled.library)}


def audit(compiled: Compiled, checker: Checker, **asked: Any) -> Audit:
    used = frozenset(c.source for e in compiled.library.entries for c in e.evidence)
    return audited(compiled, checker, Asked(DAY, **{"signed": signed(compiled), "cited": used, **asked}))


def found(made: Audit) -> set[tuple[str, str]]:
    return {(r.line, r.about) for r in made.remarks}


def test_in_a_library_without_a_fault_nothing_is_found() -> None:
    with laid(clean()) as (_, compiled, checker):
        made = audit(compiled, checker)
    assert [(r.line, r.about, r.says) for r in made.remarks] == []
    assert made.to_mend == 0


@pytest.mark.parametrize("line", FAULTS)
def test_a_planted_fault_is_found_by_its_line(line: str) -> None:
    files = clean()
    plant, about = FAULTS[line]
    plant(files)
    with laid(files) as (_, compiled, checker):
        made = audit(compiled, checker)
    assert (line, about) in found(made)
    told = next(r for r in made.remarks if (r.line, r.about) == (line, about))
    assert told.place.partition(":")[0] in files
    assert told.says


def test_all_faults_at_once_are_all_found() -> None:
    alone = {"contradiction.action", "limits.overlap", "limits.unit", "reach.shadowed", "review.order", "review.overdue",
             "evidence.recalled", "evidence.single", "text.placeholder", "review.reviewer"}  # fmt: skip
    files = clean()
    planted = {line: about for line, (_, about) in FAULTS.items() if line not in alone}
    for line in planted:
        FAULTS[line][0](files)
    with laid(files) as (_, compiled, checker):
        made = audit(compiled, checker)
    assert set(planted.items()) <= found(made)


def test_what_was_not_signed_or_changed_since_is_found() -> None:
    with laid(clean()) as (_, compiled, checker):
        every = signed(compiled)
        first, second, *_ = every
        other = {**every, first: Signature(first, "0" * 64, "Jane Doe", "RPh 12345", DAY)}
        del other[second]
        made = audit(compiled, checker, signed=other)
    assert found(made) == {("review.changed", first), ("review.unsigned", second)}


def test_a_class_is_compared_with_the_fda() -> None:
    files = clean()
    for name in ("delta", "eta"):
        files[f"kb/drugs/{name}.yaml"] = {"id": f"drug.{name}", "name": name, "supply": "prescription", "routes": ["oral"]}
    files["kb/classes/greeks.yaml"]["members"] = ["drug.alphadine", "drug.betadorm", "drug.delta", "drug.gammapril"]
    fda = {"alphadine": "Greek | Latin", "betadorm": "Greek", "delta": "Greek", "eta": "Old Greek | Greek", "gammapril": "Latin"}
    with laid(files) as (_, compiled, checker):
        made = audit(compiled, checker, fda=fda)
    of_classes = {(r.line, r.about, r.says.split(" ")[0]) for r in made.remarks if r.line.startswith("classes.")}
    assert of_classes == {("classes.missing", "class.greeks", "eta"), ("classes.extra", "class.greeks", "gammapril")}


def test_a_source_that_any_file_names_is_used() -> None:
    files = clean()
    files["kb/sources/three.yaml"] = {"id": "source.three", "title": "The third source", "type": "consensus"}
    files["kb/classes/greeks.yaml"]["evidence"] = cited("three", supports="members")
    with laid(files) as (root, compiled, checker):
        named = sources_named(collect(root).files)
        assert {"source.one", "source.two", "source.three"} <= named
        assert found(audit(compiled, checker, cited=named)) == set()


def test_a_rule_of_very_many_pairs_is_told_as_broad() -> None:
    side = 72
    assert side * side > BROAD
    files = clean()
    for letter in "pq":
        names = [f"{letter}{'abcdefghijklmnopqrstuvwxyz'[n // 26]}{'abcdefghijklmnopqrstuvwxyz'[n % 26]}ol" for n in range(side)]
        for name in names:
            files[f"kb/drugs/{name}.yaml"] = {"id": f"drug.{name}", "name": name, "supply": "prescription", "routes": ["oral"]}
        members = [f"drug.{name}" for name in names]
        files[f"kb/classes/{letter}.yaml"] = {"id": f"class.{letter}", "name": f"class {letter}", "members": members}
    broad = between("interaction.broad", "class.p", "class.q")
    files["rules/interactions/broad.yaml"] = broad
    with laid(files) as (_, compiled, checker):
        made = audit(compiled, checker)
    assert ("breadth.pairs", "interaction.broad") in found(made)
    assert made.pairs["interaction.broad"] == side * side


def case(**patient: Any) -> Case:
    return read_case({"patient": patient})


def test_how_often_rules_speak_is_counted_by_patient() -> None:
    with laid(clean()) as (_, compiled, checker):
        patients = [
            case(medications=["alphadine 10 mg oral daily", "gammapril 10 mg oral daily"], conditions=["ulcer"]),
            case(medications=["alphadine 10 mg oral daily", "gammapril 10 mg oral daily"], conditions=[]),
            case(medications=["betadorm 10 mg oral daily"], conditions=[]),
        ]
        counted = firing(checker.check(one, DAY) for one in patients)
        made = audit(compiled, checker, cohort=counted)
    spoke = dict(counted.spoke)
    assert counted.patients == 3
    assert spoke["interaction.greeks-gammapril"] == 2
    assert spoke["contraindication.alphadine"] == 1
    loud = [r.about for r in made.remarks if r.line == "cohort.loud"]
    assert loud[0] == "interaction.greeks-gammapril"
    assert set(loud).isdisjoint(r.about for r in made.remarks if r.line == "cohort.silent")
    assert "contraindication.betadorm" in {r.about for r in made.remarks if r.line == "cohort.silent"}
    assert made.to_mend == 0


# ------------------------------------------------------------------ sign-offs


def test_a_change_of_what_a_rule_says_ends_its_sign_off(tmp_path: Path) -> None:
    files = clean()
    with laid(files) as (_, compiled, _):
        entry = compiled.library.entry["interaction.greeks-gammapril"]
        sign(tmp_path, [Signature(entry.id, digest(entry), "Jane Doe", "RPh 12345", DAY)])
        before = state_of(entry, signatures_in([tmp_path]))
        digests = {e.id: digest(e) for e in compiled.library.entries}
    assert before.state == "signed"
    files["rules/interactions/greeks-gammapril.yaml"]["severity"] = "moderate"
    with laid(files) as (_, compiled, _):
        entry = compiled.library.entry["interaction.greeks-gammapril"]
        assert state_of(entry, signatures_in([tmp_path])).state == "changed"
        assert {e.id for e in compiled.library.entries if digests[e.id] != digest(e)} == {entry.id}


def test_where_a_rule_stands_and_when_it_is_due_are_no_change_of_it() -> None:
    files = clean()
    with laid(files) as (_, compiled, _):
        before = {e.id: digest(e) for e in compiled.library.entries}
    moved = {path: {"note": "moved down by a line", **value} if "rules/" in path else value for path, value in files.items()}
    for value in moved.values():
        if "review" in value:
            value["review"] = {**value["review"], "due": DAY + timedelta(days=900)}
    with laid(moved) as (_, compiled, _):
        assert {e.id: digest(e) for e in compiled.library.entries} == before


def test_a_sign_off_that_was_cut_off_spoils_no_other(tmp_path: Path) -> None:
    one = Signature("interaction.x", "0" * 64, "Jane Doe", "RPh 12345", DAY)
    sign(tmp_path, [one])
    path = tmp_path / "signatures.jsonl"
    path.write_bytes(path.read_bytes() + b'{"id": "interac')
    sign(tmp_path, [Signature("interaction.y", "1" * 64, "Jane Doe", "RPh 12345", DAY)])
    assert [json.loads(line)["id"] for line in path.read_bytes().splitlines()] == ["interaction.x", "interaction.y"]
    assert set(signatures_in([tmp_path])) == {"interaction.x", "interaction.y"}


@pytest.mark.parametrize("who", ["Jane Doe", "", "Jane Doe, pharmacist", ", RPh 12345"])
def test_nobody_signs_without_a_license(who: str) -> None:
    from safety.desk.signing import signer

    with pytest.raises(RequestError):
        signer(who)


# ------------------------------------------------------------------ at the shell


def test_the_commands_sign_audit_and_write_a_page(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "rules" / "contraindications").mkdir(parents=True)
    page = tmp_path / "audit.html"
    with laid(clean()) as (root, compiled, _):
        (site / "rules" / "contraindications" / "more.yaml").write_text(
            json.dumps(of_one("contraindication.more", "drug.betadorm", {"has": "condition.ulcer"}), default=str)
        )
        run = CliRunner()
        first = run.invoke(cli, ["audit", str(root), "--as-of", str(DAY), "--json"], standalone_mode=False)
        remarks = [json.loads(line) for line in first.output.splitlines()]
        assert {r["line"] for r in remarks} == {"review.unsigned"}
        assert first.return_value == 1
        sign(root, signed(compiled).values())
        second = run.invoke(cli, ["audit", str(root), "--as-of", str(DAY), "--html", str(page)], standalone_mode=False)
    assert second.return_value == 0
    assert "0 remarks to mend" in second.output
    assert all(len(line) <= 80 for line in second.output.splitlines() if str(page) not in line)
    shown = page.read_text(encoding="utf-8")
    assert "interaction.greeks-gammapril" in shown
    assert "http://" not in shown.replace("http://www.w3.org", "")
    assert "src=" not in shown
    assert faults(shown) == []


def test_every_line_has_a_fault_that_is_planted_here() -> None:
    elsewhere = {"review.unsigned", "review.changed", "classes.missing", "classes.extra", "breadth.pairs", "cohort.silent",
                 "cohort.loud"}  # fmt: skip
    assert {line.id for line in LINES} == set(FAULTS) | elsewhere


def test_words_on_the_page_are_escaped() -> None:
    files = clean()
    files["rules/interactions/greeks-gammapril.yaml"]["rationale"]["summary"] = "Because <img src=x onerror=alert(1)> & so on."
    with laid(files) as (_, compiled, checker):
        shown = audit_page(audit(compiled, checker), compiled.library, {})
    assert "<img" not in shown
    assert "&lt;img src=x" in shown
