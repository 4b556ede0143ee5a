"""Compiling again takes over what no change touches, and says and gives what compiling everything anew says and gives."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from broken.laying import BARE, FAULTS, HERE, changed, copy_of_bare, lay
from conftest import REPO, examples, sampled, thorough
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from safety.engine import RECIPE
from safety.errors import KnowledgeError
from safety.knowledge import drafts
from safety.knowledge.collecting import collect
from safety.knowledge.compiled import Compiled
from safety.knowledge.compiling import compile_collected, compile_folder
from safety.knowledge.snapshot import packed
from safety.knowledge.store import Store

EXPECTED: dict[str, dict[str, str]] = yaml.safe_load((HERE / "expected.yaml").read_text(encoding="utf-8"))
RULE = "rules/interactions/warfarin-nsaid.yaml"
LEDGER = "kb/coverage/warfarin.yaml"


TABLES = {
    "kb/recognised/ingredients.csv": "name,rxcui,kind,ingredients,bare,source\nalpha,1,ingredient,,yes,source.a-label\n"
    "alpha sodium,2,salt,alpha,yes,source.a-label\nibuprofen sodium,3,salt,ibuprofen,yes,source.a-label\n",
    "kb/recognised/brands.csv": "name,rxcui,ingredients,bare,source\nAlphanol,4,alpha + warfarin,yes,source.a-label\n",
    "kb/uses.yaml": "uses:\n  pain: [class.nsaids]\n  thin blood: [drug.warfarin]\n",
    "kb/lookalikes.yaml": "groups:\n  - {basis: reported, members: {drug.warfarin: warfarin, drug.metformin: metformin}}\n",
}


def copy_with_tables(folder: Path) -> Path:
    """A copy of the small base, with the tables that it does without."""
    root = copy_of_bare(folder)
    for where, text in TABLES.items():
        lay(root, where, text)
    return root


def _stored(compiled: Compiled) -> bytes | str:
    """The snapshot, or why there is none: a list of words that reading cannot do without is gone."""
    try:
        return packed(compiled, RECIPE, "code", "key")
    except KnowledgeError as error:
        return str(error)


class Knowledge:
    """A folder of knowledge that is changed and compiled again and again, each time in both ways."""

    def __init__(self, root: Path, overlays: Sequence[Path] = ()) -> None:
        self.root = root
        self.overlays = list(overlays)
        self.store: Store | None = None

    def compiled(self) -> Compiled:
        """What compiling gives now; the same, problems and every byte, whether or not anything is taken over."""
        whole = compile_collected(collect(self.root, self.overlays), keeps=True)
        first = self.store is None  # nothing to take over yet
        again = whole if first else compile_collected(collect(self.root, self.overlays), self.store, keeps=True)
        assert [str(p) for p in again.problems] == [str(p) for p in whole.problems]
        if not whole.problems:
            data = _stored(again)
            assert again is whole or data == _stored(whole)
            self.store = Store.of(data) if isinstance(data, bytes) else self.store
        return again

    def files_read(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """Which files compiling what has changed reads."""
        read: list[str] = []
        real = drafts.read_file

        def noted(file: Any) -> Any:
            read.append(file.shown)
            return real(file)

        monkeypatch.setattr(drafts, "read_file", noted)
        compile_collected(collect(self.root, self.overlays), self.store, keeps=True)
        monkeypatch.setattr(drafts, "read_file", real)
        return sorted(set(read))


@pytest.fixture
def knowledge(tmp_path: Path) -> Knowledge:
    found = Knowledge(copy_with_tables(tmp_path))
    found.compiled()
    return found


# ------------------------------------------------------------------ what is read again


def test_nothing_is_read_where_nothing_has_changed(knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch) -> None:
    assert knowledge.files_read(monkeypatch) == []


def test_a_changed_rule_is_read_with_what_it_quotes_and_nothing_else(
    knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed(knowledge.root, RULE, "severity: major", "severity: minor")
    cited = {e["source"] for e in yaml.safe_load((knowledge.root / RULE).read_text(encoding="utf-8"))["evidence"]}
    assert knowledge.files_read(monkeypatch) == sorted([RULE, *(f"kb/sources/{i.partition('.')[2]}.yaml" for i in cited)])
    assert knowledge.compiled().library.entry["interaction.warfarin-nsaid"].severity == "minor"


def test_a_ledger_is_read_again_where_what_it_holds_is_no_longer_in_use(
    knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed(knowledge.root, RULE, "status: active", "status: draft")
    assert LEDGER in knowledge.files_read(monkeypatch)
    assert {p.code for p in compile_folder(knowledge.root).problems} == {"K228"}
    compiled = compile_collected(collect(knowledge.root), knowledge.store, keeps=True)
    assert compiled.problems == compile_folder(knowledge.root).problems


def test_a_new_brand_of_a_drug_concerns_no_rule(knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch) -> None:
    changed(knowledge.root, "kb/drugs/warfarin.yaml", "Coumadin", "Coumadim")
    assert [file for file in knowledge.files_read(monkeypatch) if file.startswith(("rules/", "kb/otc", "kb/doses"))] == []


def test_a_drug_that_leaves_a_class_concerns_the_rules_that_name_the_class(
    knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (knowledge.root / "kb/classes/nsaids.yaml").read_text(encoding="utf-8")
    value = yaml.safe_load(text)
    value["members"] = value["members"][:-1]
    lay(knowledge.root, "kb/classes/nsaids.yaml", yaml.safe_dump(value))
    read = knowledge.files_read(monkeypatch)
    naming = {
        p.relative_to(knowledge.root).as_posix() for p in knowledge.root.glob("rules/**/*.yaml") if "nsaids" in p.read_text()
    }
    assert naming <= set(read)
    assert "kb/drugs/metformin.yaml" not in read


@pytest.mark.parametrize(
    ("where", "old", "new", "section"),
    [
        ("kb/drugs/warfarin.yaml", "name: warfarin", "name: alpha", "recognised"),
        ("kb/drugs/warfarin.yaml", "11289", "2", "recognised"),
        ("kb/classes/nsaids.yaml", "drug.naproxen", "drug.metformin", "uses"),
        ("kb/uses.yaml", "thin blood", "clots", "uses"),
        ("kb/lookalikes.yaml", "drug.metformin: metformin", "drug.ibuprofen: ibuprofen", "lookalikes"),
        ("kb/reactions.yaml", "severe:", "mild:", "reactions"),
        ("kb/language/everyday.yaml", "words: [", "words: [zebra, ", "language"),
        ("kb/spoken/forgotten.yaml", 'almost forgot"', 'nearly forgot"', "spoken"),
        ("kb/units.yaml", "mg:", "xg:", "units_table"),
    ],
)
def test_a_table_is_made_anew_where_something_that_it_is_made_from_changes(
    where: str, old: str, new: str, section: str, knowledge: Knowledge
) -> None:
    path = knowledge.root / where
    before = getattr(knowledge.compiled().library, section)
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    after = getattr(knowledge.compiled().library, section)
    assert after != before


# ------------------------------------------------------------------ the same as everything anew


@pytest.mark.parametrize("name", sampled(sampled(sampled(sorted(EXPECTED)))))
def test_a_slip_is_told_as_ever_and_forgotten_when_it_is_mended(name: str, knowledge: Knowledge) -> None:
    (fault,) = FAULTS.glob(f"{name}.*")
    where = EXPECTED[name]["at"]
    before = (knowledge.root / where).read_bytes() if (knowledge.root / where).exists() else None
    lay(knowledge.root, where, fault.read_bytes())
    knowledge.compiled()
    if before is None:
        (knowledge.root / where).unlink()
    else:
        lay(knowledge.root, where, before)
    assert knowledge.compiled().problems == ()


def test_a_ring_of_classes_is_told_at_the_same_place_whichever_of_them_was_changed(knowledge: Knowledge) -> None:
    def group(name: str, *includes: str) -> None:
        text = f"id: class.{name}\nname: {name}\nmembers: [drug.warfarin]\nincludes: [{', '.join(includes)}]\n"
        lay(knowledge.root, f"kb/classes/{name}.yaml", text)

    group("aa", "class.bb")
    group("bb", "class.cc")
    group("cc")
    knowledge.compiled()
    group("cc", "class.bb")
    assert "K302" in {p.code for p in knowledge.compiled().problems}
    group("cc")
    assert knowledge.compiled().problems == ()


def files_of(root: Path) -> list[str]:
    return sorted(p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file() and p.suffix in (".yaml", ".csv"))


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(leaf for key, item in inner for leaf in _leaves(item, (*path, key)))]


_WORDS = [
    "drug.warfarin", "drug.ibuprofen", "drug.nowhere", "class.nsaids", "condition.kidney-disease", "source.a-label", "lab.egfr",
    "4000 mg", "65 y", "yes", "", "x", None, [], {}, ["drug.warfarin"], 3, "retired", "none", "warfarin", "Advil",
]  # fmt: skip


def _edit(root: Path, data: st.DataObject) -> None:
    """One thing that an author does to a file."""

    def one_of(choices: Sequence[Any]) -> Any:
        return data.draw(st.sampled_from(choices))

    edit_one(root, one_of(files_of(root)), one_of)


def edit_one(root: Path, file: str, one_of: Callable[[Sequence[Any]], Any]) -> None:
    what = one_of(["value", "value", "value", "lose", "delete", "rename", "copy", "bytes"])
    path = root / file
    if what == "delete":
        path.unlink()
    elif what == "rename":
        path.rename(path.with_name(f"z{one_of(range(3))}-{path.name}"))
    elif what == "copy":
        shutil.copy(path, path.with_name(f"a{one_of(range(3))}-{path.name}"))
    elif what == "bytes" or path.suffix != ".yaml":
        text = path.read_bytes()
        at = one_of(range(len(text) + 1))
        path.write_bytes(text[:at] + one_of([b"\n", b" ", b"x", b"#", b"-", b",,", b"1"]) + text[at:])
    else:
        try:
            value = yaml.safe_load(path.read_text(encoding="utf-8"))
        except (yaml.YAMLError, UnicodeDecodeError):
            return
        spots = [p for p in _leaves(value) if p]
        if spots:
            *way, last = one_of(spots)
            inner = value
            for step in way:
                inner = inner[step]
            if what == "lose":
                del inner[last]
            else:
                inner[last] = one_of(_WORDS)
            lay(root, file, yaml.safe_dump(value, allow_unicode=True, sort_keys=False))


@settings(max_examples=examples(18) // 2, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_edits_one_after_the_other_give_what_everything_anew_gives(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("edits")
    knowledge = Knowledge(copy_with_tables(folder))
    for _ in range(data.draw(st.integers(1, 6))):
        knowledge.compiled()
        _edit(knowledge.root, data)
    knowledge.compiled()


@settings(max_examples=examples(15) // 2, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_edits_of_an_overlay_give_what_everything_anew_gives(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("overlays")
    knowledge = Knowledge(BARE)
    knowledge.compiled()
    site = folder / "site"
    for file in data.draw(st.lists(st.sampled_from(files_of(BARE)), min_size=1, max_size=4, unique=True)):
        lay(site, file, (BARE / file).read_bytes())
    if data.draw(st.booleans()):
        lay(site, "rules/interactions/off.yaml", "id: interaction.warfarin-nsaid\nretire: {reason: noise}\n")
    knowledge.overlays = [site]
    for _ in range(data.draw(st.integers(1, 3))):
        knowledge.compiled()
        if files_of(site):
            _edit(site, data)
    knowledge.compiled()


# ------------------------------------------------------------------ the whole knowledge


@pytest.fixture(scope="module")
def all_of_it(tmp_path_factory: pytest.TempPathFactory) -> Knowledge:
    """A copy of all our knowledge, compiled."""
    root = tmp_path_factory.mktemp("whole")
    for name in ("kb", "rules"):
        shutil.copytree(REPO / name, root / name)
    found = Knowledge(root)
    compiled = compile_collected(collect(root), keeps=True)
    found.store = Store.of(packed(compiled, RECIPE, "code", "key"))
    return found


@pytest.mark.parametrize("seed", thorough([1]))
def test_harmless_edits_of_the_whole_knowledge_give_what_everything_anew_gives(seed: int, all_of_it: Knowledge) -> None:
    chance = random.Random(seed)
    kinds = {
        "kb/drugs": ("name:", "misspellings: [qwxzzy{n}]\nname:"),
        "rules": ("advice: ", "advice: Today, "),
        "kb/doses": ("missed_dose: ", "missed_dose: Today, "),
        "kb/sources": ("title: ", "title: New "),
        "kb/harms": ("name: ", "name: new "),
        "kb/conditions": ("name: ", "name: new "),
        "kb/labs": ("name: ", "name: new "),
        "kb/units.yaml": ("mass:", "# heavy\nmass:"),
    }
    changes = 0
    for n, (where, (old, new)) in enumerate(kinds.items()):
        files = [f for f in files_of(all_of_it.root) if f.startswith(where) and "/retired/" not in f]
        for file in chance.sample(files, min(6, len(files))):
            text = (all_of_it.root / file).read_text(encoding="utf-8")
            if f"\n{old}" in text and "misspellings" not in text:
                lay(all_of_it.root, file, text.replace(f"\n{old}", "\n" + new.format(n=f"{n}{changes}"), 1))
                changes += 1
    assert changes > 15
    all_of_it.compiled()


@pytest.mark.parametrize("seed", thorough([1, 2]))
def test_slips_all_over_the_whole_knowledge_are_told_as_by_reading_everything_anew(seed: int, all_of_it: Knowledge) -> None:
    chance = random.Random(seed)
    before = {}
    for file in chance.sample(files_of(all_of_it.root), 30):
        before[file] = (all_of_it.root / file).read_bytes()
        edit_one(all_of_it.root, file, chance.choice)
    assert all_of_it.compiled().problems
    for top in ("kb", "rules"):
        for path in (all_of_it.root / top).rglob("[az][0-2]-*.yaml"):
            path.unlink()
    for file, text in before.items():
        lay(all_of_it.root, file, text)
