"""Every slip that an author can make is told with its place, its code, what is wrong and a hint."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from conftest import sampled

from broken.laying import BASE, FAULTS, HERE, changed, copy_of_bare, lay, problems_of
from safety.knowledge import documents as reading

EXPECTED: dict[str, dict[str, str]] = yaml.safe_load((HERE / "expected.yaml").read_text(encoding="utf-8"))
PACKAGE = HERE.parent.parent / "safety"
CODE = re.compile(r"\bK[0-9]{3}\b")


def _dangling(root: Path) -> list[Path]:
    (root / "kb/drugs/broken.yaml").symlink_to("nowhere")
    return []


def _large(root: Path) -> list[Path]:
    lay(root, "kb/drugs/broken.yaml", b"#" * (1 << 20) + b"\n")
    return []


def _no_kb(root: Path) -> list[Path]:
    shutil.rmtree(root / "kb")
    return []


def _no_version(root: Path) -> list[Path]:
    (root / "kb/VERSION").unlink()
    return []


def _no_units(root: Path) -> list[Path]:
    (root / "kb/units.yaml").unlink()
    return []


def _overlay_is_a_file(root: Path) -> list[Path]:
    return [lay(root.parent, "site", "x")]


def _overlays_of_one_name(root: Path) -> list[Path]:
    drug = "id: drug.{0}\nname: {0}\nsupply: otc\nroutes: [oral]\n"
    lay(root.parent / "a/site", "kb/drugs/one.yaml", drug.format("one"))
    lay(root.parent / "b/site", "kb/drugs/two.yaml", drug.format("two"))
    return [root.parent / "a/site", root.parent / "b/site"]


def _overlay_is_empty(root: Path) -> list[Path]:
    (root.parent / "site").mkdir()
    return [root.parent / "site"]


def _retires_nothing(root: Path) -> list[Path]:
    lay(root.parent / "site", "rules/interactions/off.yaml", "id: interaction.warfarin-nsad\nretire: {reason: noise}\n")
    return [root.parent / "site"]


def _site(
    content: str, where: str = "kb/language/moods.yaml", beside: tuple[str, str, str] | None = None
) -> Callable[[Path], list[Path]]:
    def make(root: Path) -> list[Path]:
        lay(root.parent / "site", where, content)
        if beside is not None:  # a file of ours under another name
            place, ours, name = beside
            text = (BASE / ours).read_text(encoding="utf-8")
            lay(root.parent / "site", place, text.replace(Path(ours).stem, name))
        return [root.parent / "site"]

    return make


def _held_by_a_draft(root: Path) -> list[Path]:
    changed(root, "rules/contraindications/metformin-kidney.yaml", "status: active", "status: draft")
    lay(
        root,
        "kb/coverage/metformin.yaml",
        "id: coverage.metformin\ndrug: drug.metformin\nevidence:\n"
        "  - {source: source.a-label, at: whole, checked: {how: read, on: 2026-11-20, copy: https://example.org/label}}\n"
        "sections:\n  contraindications:\n    - {says: kidneys, for: [kidney], held: [contraindication.metformin-kidney]}\n"
        "unread: [boxed warning, dosage, warnings, interactions, pregnancy, lactation, fertility, children, older, kidney,\n"
        "  liver, abuse, overdose]\n",
    )
    return []


MADE: dict[str, tuple[Callable[[Path], list[Path]], str]] = {
    "a file that is not there": (_dangling, "kb/drugs/broken.yaml: K001 cannot be read: No such file or directory"),
    "a file that is too large": (
        _large,
        "kb/drugs/broken.yaml: K003 is 1,048,577 bytes; at most 1,048,576 are read\n  hint: split it into several files",
    ),
    "a base without kb": (_no_kb, "{root}: K021 holds no `kb/` folder\n  hint: name a folder laid out as kb/ and rules/"),
    "a base without its version": (
        _no_version,
        "kb/VERSION: K024 cannot be read\n  hint: it holds the knowledge version, e.g. 2026.11.0",
    ),
    "a base without units": (_no_units, "kb/units.yaml: K024 cannot be read\n  hint: it holds the unit conversions"),
    "an overlay that is a file": (
        _overlay_is_a_file,
        "{up}/site: K021 is not a folder\n  hint: an overlay is a folder with kb/ and rules/",
    ),
    "an overlay that is the knowledge itself": (
        lambda root: [root],
        "{root}: K021 is the knowledge itself\n  hint: an overlay is a folder of its own, with kb/ or rules/",
    ),
    "two overlays of one name": (
        _overlays_of_one_name,
        "{up}/b/site: K022 a second overlay is called `site`\n  hint: rename the folder",
    ),
    "an overlay without a file": (
        _overlay_is_empty,
        "{up}/site: K023 holds no knowledge file\n  hint: an overlay holds kb/…/*.yaml or rules/…/*.yaml",
    ),
    "an overlay with a meaning that nothing reads": (
        _site("id: language.moods\nmeanings: {god: [swell]}\n"),
        "{up}/site/kb/language/moods.yaml:2:12: K606 `god` is not a meaning of `language.moods`\n  hint: did you mean `good`?",
    ),
    "an overlay that takes out a word that is not there": (
        _site("id: language.moods\nremove: [glumy]\n"),
        "{up}/site/kb/language/moods.yaml:2:10: K301 `glumy` does not stand in `language.moods`\n  hint: did you mean `glumly`?",
    ),
    "an overlay that retires a list of words": (
        _site("id: language.moods\nretire: {reason: glum}\n"),
        "{up}/site/kb/language/moods.yaml:2:1: K202 a list of words cannot be retired\n"
        "  hint: take out the words that are not wanted: `remove: [word]`",
    ),
    "an overlay that takes out a row that is not there": (
        _site("id: spoken.forgotten\nremove: [forgto]\n", "kb/spoken/forgotten.yaml"),
        "{up}/site/kb/spoken/forgotten.yaml:2:10: K301 `forgto` is no row of `spoken.forgotten`\n  hint: did you mean `forgot`?",
    ),
    "an overlay that retires a table of what people say": (
        _site("id: spoken.forgotten\nretire: {reason: glum}\n", "kb/spoken/forgotten.yaml"),
        "{up}/site/kb/spoken/forgotten.yaml:2:1: K202 a table of what people say cannot be retired\n"
        "  hint: take out the rows that are not wanted: `remove: [row]`",
    ),
    "an overlay whose row takes the words of one of ours": (
        _site(
            "id: spoken.forgotten\nrows:\n  - {id: it, says: nothing, words: it, example: it, near_miss: that}\n",
            "kb/spoken/forgotten.yaml",
        ),
        "kb/spoken/forgotten.yaml:5:5: K615 `not-yet`: the example is taken by the row `it`, before this one\n"
        "  hint: move this row up, or make that one narrower\n"
        "kb/spoken/forgotten.yaml:10:5: K615 `forgot`: the example is taken by the row `it`, before this one\n"
        "  hint: move this row up, or make that one narrower",
    ),
    "an overlay that retires what is protected": (
        _site("id: contraindication.metformin-kidney\nretire: {reason: noise}\n", "rules/contraindications/off.yaml"),
        "{up}/site/rules/contraindications/off.yaml:2:1: K230 `contraindication.metformin-kidney` is contraindicated: "
        "it is not retired without somebody who answers for it\n"
        "  hint: write `signed: {by: NAME, on: 2026-11-20, why: REASON}` beside `retire` or `overrides: ID` (kb/README.md)",
    ),
    "an overlay that makes quieter what is protected": (
        _site(
            "overrides: contraindication.metformin-kidney\nseverity: major\nbecause: noise\n",
            "rules/contraindications/quieter.yaml",
        ),
        "{up}/site/rules/contraindications/quieter.yaml:2:11: K230 `contraindication.metformin-kidney` is contraindicated: "
        "it is not weakened without somebody who answers for it\n"
        "  hint: write `signed: {by: NAME, on: 2026-11-20, why: REASON}` beside `retire` or `overrides: ID` (kb/README.md)",
    ),
    "an overlay that writes anew what is protected": (
        _site(
            (BASE / "rules/contraindications/metformin-kidney.yaml").read_text(encoding="utf-8"),
            "rules/contraindications/metformin-kidney.yaml",
        ),
        "{up}/site/rules/contraindications/metformin-kidney.yaml:1:1: K230 `contraindication.metformin-kidney` "
        "is contraindicated: it is not replaced without somebody who answers for it\n"
        "  hint: write `signed: {by: NAME, on: 2026-11-20, why: REASON}` beside `retire` or `overrides: ID` (kb/README.md)",
    ),
    "an overlay that signs with half a name": (
        _site(
            "overrides: contraindication.metformin-kidney\nseverity: major\nbecause: noise\nsigned: {by: J. Doe}\n",
            "rules/contraindications/quieter.yaml",
        ),
        "{up}/site/rules/contraindications/quieter.yaml:4:9: K102 `on` is missing: a signature needs it\n"
        "{up}/site/rules/contraindications/quieter.yaml:4:9: K102 `why` is missing: a signature needs it",
    ),
    "an overlay that overrides its own entry": (
        _site(
            "overrides: interaction.of-the-site\nseverity: minor\nbecause: noise\n",
            "rules/interactions/quieter.yaml",
            ("rules/interactions/of-the-site.yaml", "rules/interactions/warfarin-nsaid.yaml", "of-the-site"),
        ),
        "{up}/site/rules/interactions/quieter.yaml:2:11: K231 `interaction.of-the-site` is the overlay's own: "
        "it says itself how loud it is\n  hint: write it at {up}/site/rules/interactions/of-the-site.yaml:5:11",
    ),
    "an overlay that overrides what is not there": (
        _site("overrides: interaction.warfarin-nsad\nseverity: minor\nbecause: noise\n", "rules/interactions/quieter.yaml"),
        "{up}/site/rules/interactions/quieter.yaml:1:12: K301 `interaction.warfarin-nsad` is not known, "
        "so it cannot be overridden\n"
        "  hint: did you mean `interaction.warfarin-nsaid`?",
    ),
    "an overlay that overrides nothing": (
        _site("overrides: interaction.warfarin-nsaid\nbecause: noise\n", "rules/interactions/quieter.yaml"),
        "{up}/site/rules/interactions/quieter.yaml:1:1: K104 changes nothing: write `severity:`, "
        "or `signed:` for what another file of the overlay does",
    ),
    "an overlay that overrides a fact": (
        _site("overrides: drug.warfarin\nseverity: minor\nbecause: noise\n", "kb/drugs/quieter.yaml"),
        "{up}/site/kb/drugs/quieter.yaml:1:1: K202 a fact cannot be overridden\n"
        "  hint: an override stands under rules/, kb/otc or kb/doses; a fact is written anew as a file of the same id",
    ),
    "a ledger whose rule is a draft": (
        _held_by_a_draft,
        "kb/coverage/metformin.yaml:7:45: K228 `contraindication.metformin-kidney` is draft: it is not held\n"
        "  hint: what nobody is judged by yet is `left_out`",
    ),
    "an overlay that retires what is not there": (
        _retires_nothing,
        "{up}/site/rules/interactions/off.yaml:1:5: K301 `interaction.warfarin-nsad` is not known, so it cannot be retired\n"
        "  hint: did you mean `interaction.warfarin-nsaid`?",
    ),
}


def _says(root: Path, *overlays: Path) -> str:
    return "\n".join(str(p) for p in problems_of(root, *overlays))


def test_the_small_base_has_no_fault_of_its_own() -> None:
    assert _says(BASE) == ""


@pytest.mark.parametrize("name", sampled(sorted(EXPECTED)))
def test_a_broken_file_is_told_to_the_letter(name: str, tmp_path: Path) -> None:
    root = copy_of_bare(tmp_path)
    (fault,) = FAULTS.glob(f"{name}.*")
    lay(root, EXPECTED[name]["at"], fault.read_bytes())
    assert _says(root) == EXPECTED[name]["says"]


@pytest.mark.parametrize("name", sorted(MADE))
def test_a_broken_folder_is_told_to_the_letter(name: str, tmp_path: Path) -> None:
    root = copy_of_bare(tmp_path)
    make, expected = MADE[name]
    overlays = make(root)
    said = _says(root, *overlays).split("\n")
    wanted = expected.replace("{root}", str(root)).replace("{up}", str(tmp_path)).split("\n")
    assert all(line in said for line in wanted), said
    if make not in (_no_kb, _no_units):  # without these nearly everything else is wrong as well
        assert said == wanted


def test_every_fault_has_its_message_and_every_message_its_fault() -> None:
    assert {p.stem for p in FAULTS.iterdir()} == set(EXPECTED)


def test_every_code_in_the_source_has_a_fault_that_produces_it() -> None:
    in_source = {code for path in PACKAGE.rglob("*.py") for code in CODE.findall(path.read_text(encoding="utf-8"))}
    shown = [f["says"] for f in EXPECTED.values()] + [says for _, says in MADE.values()]
    produced = {code for says in shown for code in re.findall(r": (K[0-9]{3}) ", says)}
    assert in_source - produced == set()
    assert produced - in_source == set()


def test_a_file_that_is_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    path.write_bytes(b"#" * (reading.MAX_BYTES + 10))
    document, problems = reading.read_file(path, "large.yaml")
    assert document is None
    assert [(p.code, str(p.place)) for p in problems] == [("K003", "large.yaml")]
    assert "1,048,586 bytes" in problems[0].message
