"""A snapshot is the compiled library and nothing else; a damaged, old or unwritable one only costs time."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from broken.laying import BARE, BASE, changed, copy_of_bare, lay
from conftest import REPO, SNAPSHOTS_KEPT, engine_of, sampled, thorough

from safety.engine import RECIPE, Engine
from safety.errors import EngineError, KnowledgeError
from safety.knowledge import collecting, drafts, snapshot
from safety.knowledge.compiling import compile_collected, compile_folder
from safety.knowledge.library import Library
from safety.knowledge.snapshot import SHIPPED, Recipe, snapshot_of
from safety.knowledge.store import Store

CASE = {"patient": {"medications": ["warfarin 5 mg oral"], "conditions": []}, "plan": ["Advil 400 mg oral"]}
DAY = "2026-11-20"


class Count:
    """How often the knowledge was compiled."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> None:
        self.times += 1


def load(base: Path, overlays: list[Path], cache: Path | None, compiled: Callable[[], None] = lambda: None) -> Library:
    return snapshot.load_library(base, overlays, cache, RECIPE, compiled)


def only_file(cache: Path) -> Path:
    """The one snapshot in a cache, which holds no half-written file."""
    assert [p.name for p in cache.iterdir() if p.name.startswith(".") or p.suffix not in {".snapshot", ".note"}] == []
    (path,) = cache.glob("*.snapshot")
    return path


def as_json(library: Library) -> bytes:
    """Everything a library holds; what is kept in shards has no order of its own."""
    return msgspec.json.encode(library, enc_hook=lambda v: dict(v) if hasattr(v, "keys") else tuple(v), order="sorted")


def old_enough(root: Path) -> None:
    """Date all files of a folder back, so that their stamps are believed at once."""
    for path in root.rglob("*"):
        if path.is_file():
            os.utime(path, ns=(1, 10**18))


@pytest.fixture(autouse=True)
def no_file_is_too_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stamps are believed although the test has only just written its files, unless it says otherwise."""
    monkeypatch.setattr(snapshot, "_FRESH", -(10**18))


# ------------------------------------------------------------------ the same library


def test_what_is_read_from_a_snapshot_equals_what_was_compiled(library: Library, tmp_path: Path) -> None:
    compiled = compile_folder(BARE).library
    read = load(BARE, [], tmp_path)
    assert read == compiled
    assert as_json(read) == as_json(compiled)
    assert list(read.by_id) == list(compiled.by_id)


@pytest.mark.parametrize("whole", thorough(["ours"]))
def test_the_whole_knowledge_read_from_a_snapshot_equals_what_was_compiled(whole: str, library: Library) -> None:
    memory = compile_collected(collecting.collect(collecting.base_folder()), keeps=True)
    data = snapshot.packed(memory, Recipe("0"), "code", "key")
    read = snapshot.opened(Store.of(data)).library
    assert as_json(read) == as_json(library)
    assert read == library


def test_the_second_load_reads_the_snapshot_and_gives_the_same(tmp_path: Path) -> None:
    compiled = Count()
    first = load(BARE, [], tmp_path / "cache", compiled)
    second = load(BARE, [], tmp_path / "cache", compiled)
    assert compiled.times == 1
    assert first == second
    only_file(tmp_path / "cache")


def test_loading_decodes_nothing_that_is_not_asked_for(tmp_path: Path) -> None:
    load(BARE, [], tmp_path / "cache")
    library = load(BARE, [], tmp_path / "cache")
    assert library.entries._made == {}  # type: ignore[attr-defined]
    assert library.entry["interaction.warfarin-nsaid"].severity == "major"
    assert len(library.entries._made) == 1  # type: ignore[attr-defined]
    assert library.entry["interaction.warfarin-nsaid"] is library.entry["interaction.warfarin-nsaid"]


def test_what_is_lazy_cannot_be_changed(tmp_path: Path) -> None:
    load(BARE, [], tmp_path / "cache")
    library: Any = load(BARE, [], tmp_path / "cache")
    for change in (
        lambda: library.entries.__setitem__(0, None),
        lambda: library.entry.__setitem__("x", None),
        lambda: library.uses.__setitem__("x", "y"),
        lambda: library.reactions.clear(),
        lambda: setattr(library, "drugs", ()),
        lambda: library.drugs.append(None),
    ):
        with pytest.raises((AttributeError, TypeError)):
            change()


def test_lazy_parts_behave_as_tuples_and_dicts_do(tmp_path: Path) -> None:
    plain = compile_folder(BARE).library
    load(BARE, [], tmp_path / "cache")
    lazy = load(BARE, [], tmp_path / "cache")
    drugs, ids = tuple(plain.drugs), [d.id for d in plain.drugs]
    assert lazy.drugs[-1] == drugs[-1]
    assert lazy.drugs[1:3] == drugs[1:3]
    assert lazy.drugs[::-1] == drugs[::-1]
    assert [*reversed(lazy.drugs)] == [*reversed(drugs)]
    assert drugs[2] in lazy.drugs
    assert lazy.drugs.index(drugs[2]) == 2
    assert (lazy.drugs == drugs, drugs == lazy.drugs, lazy.drugs == drugs[:-1]) == (True, True, False)
    with pytest.raises(IndexError):
        lazy.drugs[len(drugs)]
    assert list(lazy.drug) == ids
    assert len(lazy.drug) == len(ids)
    assert lazy.drug.keys() & {"drug.warfarin", "drug.x"} == {"drug.warfarin"}
    assert ("drug.x" in lazy.drug, lazy.drug.get("drug.x"), lazy.drug.get("drug.x", 1)) == (False, None, 1)
    with pytest.raises(KeyError):
        lazy.drug["drug.x"]
    assert dict(lazy.reactions) == dict(plain.reactions)
    assert list(lazy.reactions) == list(plain.reactions)


def asked_at_once(engine: Engine) -> list[bytes]:
    """What eight threads are answered that ask an engine at the same moment."""
    answers: list[bytes] = []
    start = threading.Barrier(8)

    def ask() -> None:
        start.wait()
        answers.append(engine.check(CASE, DAY).to_json())

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_many_threads_share_an_engine_and_all_get_the_same(tmp_path: Path) -> None:
    load(BASE, [], tmp_path / "cache")
    expected = engine_of(compile_folder(BASE).library).check(CASE, DAY).to_json()
    for _ in range(5):
        assert asked_at_once(engine_of(load(BASE, [], tmp_path / "cache"))) == [expected] * 8


def test_two_snapshots_of_the_same_knowledge_are_the_same_bytes(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from safety.engine import RECIPE;"
        "from safety.knowledge.snapshot import snapshot_of;"
        f"sys.stdout.buffer.write(snapshot_of(Path({str(BARE)!r}), RECIPE))"
    )
    made = [
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("0", "1")
    ]
    assert made[0] == made[1] == snapshot_of(BARE, RECIPE)


# ------------------------------------------------------------------ the key


def test_another_version_of_the_engine_compiles_anew(tmp_path: Path) -> None:
    compiled = Count()
    for engine in ("1", "1", "2", "1"):
        snapshot.load_library(BARE, [], tmp_path, Recipe(engine), compiled)
    assert compiled.times == 2


def test_another_copy_of_the_code_does_not_believe_what_this_one_noted(tmp_path: Path) -> None:
    for copy in ("one", "two"):
        shutil.copytree(REPO / "safety", tmp_path / copy / "safety")
    mended = tmp_path / "two/safety/knowledge/nouns.py"
    mended.write_text(f"{mended.read_text(encoding='utf-8')}# mended\n", encoding="utf-8")
    program = (
        "import sys; from pathlib import Path; from safety.engine import RECIPE; from safety.knowledge import snapshot\n"
        "snapshot._FRESH = -(10**18)\n"
        "said = lambda: print('compiled')\n"
        "snapshot.load_library(Path(sys.argv[1]), [], Path(sys.argv[2]), RECIPE, said)"
    )
    base, cache = copy_of_bare(tmp_path), tmp_path / "cache"

    def run(copy: str) -> str:
        env = {**os.environ, "PYTHONPATH": str(tmp_path / copy)}
        command = [sys.executable, "-c", program, str(base), str(cache)]
        return subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, check=True, text=True).stdout

    assert [run(copy) for copy in ("one", "one", "two", "two", "one")] == ["compiled\n", "", "compiled\n", "", ""]


def test_one_changed_byte_makes_a_new_snapshot(tmp_path: Path) -> None:
    root, cache, compiled = copy_of_bare(tmp_path), tmp_path / "cache", Count()
    before = load(root, [], cache, compiled)
    changed(root, "kb/drugs/warfarin.yaml", "Coumadin", "Coumadim")
    after = load(root, [], cache, compiled)
    assert compiled.times == 2
    assert after.sha256 != before.sha256
    assert [n.text for n in after.drug["drug.warfarin"].names] == ["warfarin", "Coumadim"]
    assert len(list(cache.glob("*.snapshot"))) == 2


def test_a_byte_changed_behind_the_clock_is_noticed(tmp_path: Path) -> None:
    root, cache = copy_of_bare(tmp_path), tmp_path / "cache"
    load(root, [], cache)
    path = root / "kb/drugs/warfarin.yaml"
    times = path.stat()
    changed(root, "kb/drugs/warfarin.yaml", "Coumadin", "Coumadim")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert "Coumadim" in [n.text for n in load(root, [], cache).drug["drug.warfarin"].names]


def test_a_file_changed_within_one_tick_of_the_clock_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All stamps alike: only what was written long before the note is believed by its stamp."""
    root, cache = copy_of_bare(tmp_path), tmp_path / "cache"
    monkeypatch.setattr(snapshot, "_FRESH", 2_000_000_000)
    real = collecting._stamp
    monkeypatch.setattr(collecting, "_stamp", lambda entry: (*real(entry)[:1], 10**19, 10**19, 1))
    load(root, [], cache)
    changed(root, "kb/drugs/warfarin.yaml", "Coumadin", "Coumadim")
    assert "Coumadim" in [n.text for n in load(root, [], cache).drug["drug.warfarin"].names]


def test_a_touched_file_is_read_again_and_the_snapshot_serves_on(tmp_path: Path) -> None:
    root, cache, compiled = copy_of_bare(tmp_path), tmp_path / "cache", Count()
    load(root, [], cache, compiled)
    os.utime(root / "kb/drugs/warfarin.yaml")
    load(root, [], cache, compiled)
    assert compiled.times == 1


def test_a_file_that_changes_while_it_is_read_is_read_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, cache = copy_of_bare(tmp_path), tmp_path / "cache"
    load(root, [], cache)
    changed(root, "rules/interactions/warfarin-nsaid.yaml", "severity: major", "severity: minor")
    real, times = snapshot.collect, []

    def then_changed(*args: Any) -> Any:
        found = real(*args)
        times.append(1)
        if len(times) == 1:  # between being looked at and being read for what the rule cites
            for path in (root / "kb/sources").glob("*.yaml"):
                path.write_text(path.read_text(encoding="utf-8").replace("title: ", "title: New "), encoding="utf-8")
        return found

    monkeypatch.setattr(snapshot, "collect", then_changed)
    library = load(root, [], cache)
    assert library.entry["interaction.warfarin-nsaid"].evidence[0].title.startswith("New ")
    assert library == compile_folder(root).library


def test_more_content_than_is_held_is_read_again_and_compiles_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = compile_folder(BARE)
    monkeypatch.setattr(collecting, "_HELD", 1000)
    assert compile_folder(BARE).library == whole.library
    assert [f.read is None for f in collecting.collect(BARE).files].count(True) > 10


def test_a_file_that_is_not_there_any_more_is_told_and_not_an_accident(tmp_path: Path) -> None:
    root = copy_of_bare(tmp_path)
    (root / "kb/drugs/broken.yaml").symlink_to("nowhere")
    for cache in (None, tmp_path / "cache"):
        with pytest.raises(KnowledgeError, match="K001"):
            load(root, [], cache)


def test_a_folder_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.scandir

    def refuse(path: str) -> Any:
        if path.endswith("kb/drugs/"):
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr(os, "scandir", refuse)
    monkeypatch.setattr(collecting, "_content", _refusing(collecting._content, "kb/drugs/"))
    with pytest.raises(KnowledgeError, match=r"kb/drugs/: K001 cannot be read: Permission denied"):
        load(BARE, [], None)


def _refusing(real: Callable[[str], bytes], ending: str) -> Callable[[str], bytes]:
    def read(path: str) -> bytes:
        if path.endswith(ending):
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    return read


def test_a_cache_that_is_used_for_long_does_not_grow_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("safety.knowledge.snapshot._KEPT", SNAPSHOTS_KEPT)
    root, cache = copy_of_bare(tmp_path), tmp_path / "cache"
    for n in range(9):
        lay(root, "kb/VERSION", f"2026.11.{n}\n")
        load(root, [], cache)
    assert len(list(cache.glob("*.snapshot"))) == SNAPSHOTS_KEPT
    assert load(root, [], cache).version == "2026.11.8"


@pytest.mark.parametrize("where", ["kb/VERSION", "kb/units.yaml", "kb/reactions.yaml"])
def test_a_change_of_a_table_or_of_the_version_makes_a_new_snapshot(where: str, tmp_path: Path) -> None:
    root = copy_of_bare(tmp_path)
    before = load(root, [], tmp_path / "cache").sha256
    lay(root, where, (root / where).read_text(encoding="utf-8").rstrip() + ("1\n" if where == "kb/VERSION" else "\n# a word\n"))
    assert load(root, [], tmp_path / "cache").sha256 != before


def test_a_file_moved_to_another_folder_is_told_at_its_new_place(tmp_path: Path) -> None:
    root, cache = copy_of_bare(tmp_path), tmp_path / "cache"
    load(root, [], cache)
    (root / "kb/drugs/aa").mkdir()
    (root / "kb/drugs/acetaminophen.yaml").rename(root / "kb/drugs/aa/acetaminophen.yaml")
    library = load(root, [], cache)
    assert library == compile_folder(root).library
    assert library.drug["drug.acetaminophen"].place == "kb/drugs/aa/acetaminophen.yaml:1:1"


def test_an_overlay_moved_to_another_folder_is_told_at_its_new_place(tmp_path: Path) -> None:
    drug = "id: drug.sitine\nname: sitine\nsupply: otc\nroutes: [oral]\n"
    here = lay(tmp_path / "here/site", "kb/drugs/sitine.yaml", drug)
    there = lay(tmp_path / "there/site", "kb/drugs/sitine.yaml", drug)
    for path in (here, there):
        library = load(BARE, [path.parent.parent.parent], tmp_path / "cache")
        assert library.drug["drug.sitine"].place == f"{path}:1:1"


def test_no_snapshot_is_written_of_knowledge_with_problems(tmp_path: Path) -> None:
    root = copy_of_bare(tmp_path)
    changed(root, "kb/drugs/warfarin.yaml", "supply: prescription", "supply: perscription")
    with pytest.raises(KnowledgeError):
        load(root, [], tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def test_what_authors_compile_holds_no_index_and_loading_adds_it_without_compiling_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, cache = copy_of_bare(tmp_path), tmp_path / "cache"
    assert snapshot.load_compiled(root, [], cache, RECIPE).problems == ()
    assert not any(name.startswith("derived.") for name in Store.open(only_file(cache)).names())
    monkeypatch.setattr(drafts, "read_file", _never)
    assert load(root, [], cache) == compile_collected(collecting.collect(root), Store.open(only_file(cache))).library
    names = [*Store.open(only_file(cache)).names()]
    assert all(any(name.startswith(f"derived.{d.name}.") for name in names) for d in RECIPE.derived)
    monkeypatch.undo()
    monkeypatch.setattr(snapshot, "_FRESH", -(10**18))
    changed(root, "kb/sources/a-label.yaml", "title: ", "title: New ")
    snapshot.load_compiled(root, [], cache, RECIPE)
    newest = max(cache.glob("*.snapshot"), key=lambda p: p.stat().st_mtime_ns)
    kept = {n.split(".")[1].split("#")[0] for n in Store.open(newest).names() if n.startswith("derived.")}
    assert {"names", "vocabulary", "terms"} <= kept  # what depends on no source is taken over


def _never(file: Any) -> Any:
    raise AssertionError(f"{file.shown} was read")


# ------------------------------------------------------------------ a snapshot that is not what it was


def _half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _flipped(path: Path, at: float) -> None:
    data = bytearray(path.read_bytes())
    data[int(len(data) * at)] ^= 1
    path.write_bytes(data)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "empty": lambda p: p.write_bytes(b""),
    "garbage": lambda p: p.write_bytes(b"not a snapshot" * 100),
    "half": _half,
    "one byte less": lambda p: p.write_bytes(p.read_bytes()[:-1]),
    "one byte more": lambda p: p.write_bytes(p.read_bytes() + b"x"),
    "only its beginning": lambda p: p.write_bytes(p.read_bytes()[:20]),
    "a bit in the table of parts": lambda p: _flipped(p, 0.02),
    "a bit in the middle": lambda p: _flipped(p, 0.5),
    "the last bit": lambda p: _flipped(p, 0.9999),
    "gone": lambda p: p.unlink(),
    "a folder": lambda p: (p.unlink(), p.mkdir()),
}


@functools.cache
def _unbroken() -> Library:
    return compile_folder(BARE).library


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_snapshot_is_made_anew(name: str, tmp_path: Path) -> None:
    cache, compiled = tmp_path / "cache", Count()
    first = _unbroken()
    load(BARE, [], cache, compiled)
    DAMAGE[name](only_file(cache))
    assert load(BARE, [], cache, compiled) == first
    if name != "a folder":
        assert load(BARE, [], cache, compiled) == first
        assert compiled.times == 2
        assert snapshot.opened(Store.open(only_file(cache))).library == first


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"\x93\x01\x02\x03"])
def test_a_damaged_note_only_costs_time(damage: bytes, tmp_path: Path) -> None:
    root, cache, compiled = copy_of_bare(tmp_path), tmp_path / "cache", Count()
    first = load(root, [], cache, compiled)
    (note,) = cache.glob("*.note")
    whole = note.read_bytes()
    for content in (damage, whole[: len(whole) // 2], whole):
        note.write_bytes(content)
        assert load(root, [], cache, compiled) == first
    assert compiled.times == 1


def test_damage_that_happens_while_the_engine_runs_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    load(BARE, [], cache)
    library = load(BARE, [], cache)
    path = only_file(cache)
    os.truncate(path, path.stat().st_size // 3)
    with pytest.raises(EngineError, match=rf"{path.name} is not compiled knowledge .*cut short.*delete it"):
        as_json(library)


def test_a_snapshot_of_older_code_is_not_built_upon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, cache = copy_of_bare(tmp_path), tmp_path / "cache"
    monkeypatch.setattr(snapshot.form, "digest", lambda sources: "older")
    load(root, [], cache)
    monkeypatch.undo()
    monkeypatch.setattr(snapshot, "_FRESH", -(10**18))
    taken = []
    real = snapshot.Store.open
    monkeypatch.setattr(snapshot.Store, "open", lambda path: taken.append(path) or real(path))
    changed(root, "kb/drugs/warfarin.yaml", "Coumadin", "Coumadim")
    library = load(root, [], cache)
    assert library == compile_folder(root).library
    assert taken  # it was looked at, and left alone: what is taken over equals what is compiled only for the same code


# ------------------------------------------------------------------ a cache that cannot be written


def test_a_file_where_the_cache_folder_should_be_only_costs_time(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("in the way", encoding="utf-8")
    compiled = Count()
    for _ in range(2):
        assert load(BARE, [], tmp_path / "cache", compiled) == compile_folder(BARE).library
    assert compiled.times == 2
    assert (tmp_path / "cache").read_text(encoding="utf-8") == "in the way"


@pytest.mark.parametrize("failing", ["os.replace", "os.write", "tempfile.mkstemp"])
def test_a_disk_that_refuses_the_snapshot_only_costs_time_and_leaves_no_litter(
    failing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(failing, refuse)
    assert load(BARE, [], tmp_path / "cache") == compile_folder(BARE).library
    assert list((tmp_path / "cache").iterdir()) == []  # nothing half-written is left behind


def test_a_disk_that_takes_the_snapshot_but_not_the_note_only_costs_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache, compiled = tmp_path / "cache", Count()
    real = os.replace

    def refuse(source: str, target: Path) -> None:
        if target.suffix == ".note":
            raise OSError(28, "No space left on device")
        real(source, target)

    monkeypatch.setattr(os, "replace", refuse)
    for _ in range(2):
        assert load(BARE, [], cache, compiled) == compile_folder(BARE).library
    assert compiled.times == 1
    only_file(cache)


def test_no_cache_at_all_compiles_each_time(tmp_path: Path) -> None:
    compiled = Count()
    load(BARE, [], None, compiled)
    load(BARE, [], None, compiled)
    assert compiled.times == 2


# ------------------------------------------------------------------ a snapshot beside the knowledge


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    """A base folder with its snapshot beside it, as in an installed package."""
    root = copy_of_bare(tmp_path)
    (root / SHIPPED).write_bytes(snapshot_of(root, RECIPE))
    return root


@pytest.mark.parametrize("cached", [True, False])
def test_knowledge_with_its_snapshot_beside_it_is_never_compiled(cached: bool, shipped: Path, tmp_path: Path) -> None:
    compiled = Count()
    for _ in range(3):
        found = load(shipped, [], tmp_path / "cache" if cached else None, compiled)
        assert found == compile_folder(shipped).library
    assert compiled.times == 0
    assert list((tmp_path / "cache").glob("*.snapshot")) == []


@pytest.mark.parametrize("cached", [True, False])
def test_an_edit_beside_a_shipped_snapshot_is_compiled(cached: bool, shipped: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache" if cached else None
    load(shipped, [], cache)
    path = shipped / "kb/drugs/warfarin.yaml"
    times = path.stat()
    changed(shipped, "kb/drugs/warfarin.yaml", "Coumadin", "Coumadim")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    compiled = Count()
    assert "Coumadim" in [n.text for n in load(shipped, [], cache, compiled).drug["drug.warfarin"].names]
    assert compiled.times == 1


def test_an_overlay_on_a_shipped_snapshot_takes_over_what_it_does_not_touch(
    shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(tmp_path / "site", "kb/drugs/sitine.yaml", "id: drug.sitine\nname: sitine\nsupply: otc\nroutes: [oral]\n")
    read: list[str] = []
    real = drafts.read_file
    monkeypatch.setattr(drafts, "read_file", lambda file: read.append(file.shown) or real(file))
    library = load(shipped, [tmp_path / "site"], None)
    assert "drug.sitine" in library.drug
    assert read == [f"{tmp_path}/site/kb/drugs/sitine.yaml"]


@pytest.mark.parametrize("name", sampled([n for n in DAMAGE if n != "a folder"]))
def test_a_damaged_shipped_snapshot_is_not_believed(name: str, shipped: Path) -> None:
    DAMAGE[name](shipped / SHIPPED)
    compiled = Count()
    assert load(shipped, [], None, compiled) == compile_folder(shipped).library
    assert compiled.times == 1


# ------------------------------------------------------------------ several processes


def test_processes_that_build_at_once_all_succeed_and_leave_one_whole_file_and_no_litter(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    script = (
        "from pathlib import Path; from safety.engine import RECIPE; from safety.knowledge.snapshot import load_library;"
        f"print(load_library(Path({str(BARE)!r}), [], Path({str(cache)!r}), RECIPE).sha256)"
    )
    command = [sys.executable, "-c", script]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    answers = [p.communicate(timeout=60) for p in running]
    assert [p.returncode for p in running] == [0, 0, 0], answers
    assert {err for _, err in answers} == {""}
    library = compile_folder(BARE).library
    assert {out.strip() for out, _ in answers} == {library.sha256}
    assert snapshot.opened(Store.open(only_file(cache))).library == library


def test_a_reader_that_holds_the_old_file_open_does_not_disturb_a_writer(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    load(BARE, [], cache)
    before = load(BARE, [], cache)
    path = only_file(cache)
    path.unlink()
    assert load(BARE, [], cache) == before == compile_folder(BARE).library
