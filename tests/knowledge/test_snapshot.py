"""A snapshot is the compiled library and nothing else; a damaged, old or unwritable one only costs time."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import msgspec
import pytest
from broken.laying import BASE, changed, copy_of_base, lay

from safety.errors import EngineError, KnowledgeError
from safety.knowledge import snapshot
from safety.knowledge.compiling import compile_folder
from safety.knowledge.library import Library
from safety.knowledge.snapshot import load_library, read_snapshot, write_snapshot


class Count:
    """How often the knowledge was compiled."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> None:
        self.times += 1


def only_file(cache: Path) -> Path:
    """The one snapshot in a cache, which holds no half-written file."""
    assert [p.name for p in cache.iterdir() if p.name.startswith(".") or p.suffix not in {".duckdb", ".key"}] == []
    (path,) = cache.glob("*.duckdb")
    return path


def test_the_snapshot_of_the_whole_knowledge_equals_the_compiled_library(library: Library, tmp_path: Path) -> None:
    write_snapshot(library, tmp_path / "k.duckdb")
    read = read_snapshot(tmp_path / "k.duckdb")
    assert read == library
    assert msgspec.json.encode(read) == msgspec.json.encode(library)


def test_the_second_load_reads_the_snapshot_and_gives_the_same(tmp_path: Path) -> None:
    compiled = Count()
    first = load_library(BASE, [], tmp_path / "cache", compiled)
    second = load_library(BASE, [], tmp_path / "cache", compiled)
    assert compiled.times == 1
    assert first == second
    assert only_file(tmp_path / "cache").stem == first.sha256


@pytest.mark.parametrize(
    "damage",
    [
        lambda p: p.write_bytes(b""),
        lambda p: p.write_bytes(b"not a database" * 100),
        lambda p: p.write_bytes(p.read_bytes()[: p.stat().st_size // 2]),
        lambda p: p.write_bytes(p.read_bytes()[:4096]),
        lambda p: _change(p, "delete from library where section = 'entries'"),
        lambda p: _change(p, "update library set body = '[{]'"),
        lambda p: _change(p, "update library set body = '[]' where section = 'units_table'"),
        lambda p: _change(p, "drop table library"),
    ],
    ids=["empty", "garbage", "half", "first page", "a section lost", "not JSON", "another shape", "no table"],
)
def test_a_damaged_snapshot_is_made_anew(damage: Callable[[Path], None], tmp_path: Path) -> None:
    cache, compiled = tmp_path / "cache", Count()
    first = load_library(BASE, [], cache, compiled)
    damage(only_file(cache))
    assert load_library(BASE, [], cache, compiled) == first
    assert load_library(BASE, [], cache, compiled) == first
    assert compiled.times == 2
    assert read_snapshot(only_file(cache)) == first


def _change(path: Path, statement: str) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.execute(statement)


@pytest.mark.parametrize("content", [b"", b"garbage", None])
def test_reading_what_is_no_snapshot_is_an_engine_error_that_names_the_file(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "k.duckdb"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(EngineError, match=r"k\.duckdb is not a snapshot"):
        read_snapshot(path)


def test_one_changed_byte_makes_a_new_snapshot(tmp_path: Path) -> None:
    root, cache, compiled = copy_of_base(tmp_path), tmp_path / "cache", Count()
    before = load_library(root, [], cache, compiled)
    changed(root, "kb/drugs/warfarin.yaml", "Coumadin", "Coumadim")
    after = load_library(root, [], cache, compiled)
    assert compiled.times == 2
    assert after.sha256 != before.sha256
    assert [n.text for n in after.drug["drug.warfarin"].names] == ["warfarin", "Coumadim"]
    assert len(list(cache.glob("*.duckdb"))) == 2


def test_a_byte_changed_behind_the_clock_is_noticed(tmp_path: Path) -> None:
    root, cache = copy_of_base(tmp_path), tmp_path / "cache"
    load_library(root, [], cache)
    path = root / "kb/drugs/warfarin.yaml"
    times = path.stat()
    changed(root, "kb/drugs/warfarin.yaml", "Coumadin", "Coumadim")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert "Coumadim" in [n.text for n in load_library(root, [], cache).drug["drug.warfarin"].names]


def test_a_file_that_is_not_there_any_more_is_told_and_not_an_accident(tmp_path: Path) -> None:
    root = copy_of_base(tmp_path)
    (root / "kb/drugs/broken.yaml").symlink_to("nowhere")
    for cache in (None, tmp_path / "cache"):
        with pytest.raises(KnowledgeError, match="K001"):
            load_library(root, [], cache)


def test_a_cache_that_is_used_for_long_does_not_grow_for_ever(tmp_path: Path) -> None:
    root, cache = copy_of_base(tmp_path), tmp_path / "cache"
    for n in range(9):
        lay(root, "kb/VERSION", f"2026.11.{n}\n")
        load_library(root, [], cache)
    assert len(list(cache.glob("*.duckdb"))) < 9
    assert load_library(root, [], cache).version == "2026.11.8"


@pytest.mark.parametrize("where", ["kb/VERSION", "kb/units.yaml", "kb/reactions.yaml"])
def test_a_change_of_a_table_or_of_the_version_makes_a_new_snapshot(where: str, tmp_path: Path) -> None:
    root = copy_of_base(tmp_path)
    before = load_library(root, [], tmp_path / "cache").sha256
    lay(root, where, (root / where).read_text(encoding="utf-8").rstrip() + ("1\n" if where == "kb/VERSION" else "\n# a word\n"))
    assert load_library(root, [], tmp_path / "cache").sha256 != before


def test_a_file_moved_to_another_folder_is_told_at_its_new_place(tmp_path: Path) -> None:
    root, cache = copy_of_base(tmp_path), tmp_path / "cache"
    load_library(root, [], cache)
    (root / "kb/drugs/aa").mkdir()
    (root / "kb/drugs/acetaminophen.yaml").rename(root / "kb/drugs/aa/acetaminophen.yaml")
    library = load_library(root, [], cache)
    assert library == compile_folder(root).library
    assert library.drug["drug.acetaminophen"].place == "kb/drugs/aa/acetaminophen.yaml:1:1"


def test_an_overlay_moved_to_another_folder_is_told_at_its_new_place(tmp_path: Path) -> None:
    drug = "id: drug.sitine\nname: sitine\nsupply: otc\nroutes: [oral]\n"
    here = lay(tmp_path / "here/site", "kb/drugs/sitine.yaml", drug)
    there = lay(tmp_path / "there/site", "kb/drugs/sitine.yaml", drug)
    for path in (here, there):
        library = load_library(BASE, [path.parent.parent.parent], tmp_path / "cache")
        assert library.drug["drug.sitine"].place == f"{path}:1:1"


def test_no_snapshot_is_written_of_knowledge_with_problems(tmp_path: Path) -> None:
    root = copy_of_base(tmp_path)
    changed(root, "kb/drugs/warfarin.yaml", "supply: prescription", "supply: perscription")
    with pytest.raises(KnowledgeError):
        load_library(root, [], tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


# ------------------------------------------------------------------ a cache that cannot be written


def test_a_file_where_the_cache_folder_should_be_only_costs_time(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("in the way", encoding="utf-8")
    compiled = Count()
    for _ in range(2):
        assert load_library(BASE, [], tmp_path / "cache", compiled) == compile_folder(BASE).library
    assert compiled.times == 2
    assert (tmp_path / "cache").read_text(encoding="utf-8") == "in the way"


@pytest.mark.parametrize("failing", ["os.replace", "tempfile.mkstemp"])
def test_a_disk_that_refuses_the_snapshot_only_costs_time_and_leaves_no_litter(
    failing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    module, name = failing.split(".")
    monkeypatch.setattr(getattr(snapshot, module), name, refuse)
    assert load_library(BASE, [], tmp_path / "cache") == compile_folder(BASE).library
    assert list((tmp_path / "cache").iterdir()) == []  # nothing half-written is left behind


def test_no_cache_at_all_compiles_each_time(tmp_path: Path) -> None:
    compiled = Count()
    load_library(BASE, [], None, compiled)
    load_library(BASE, [], None, compiled)
    assert compiled.times == 2


def test_processes_that_build_at_once_all_succeed_and_leave_one_whole_file_and_no_litter(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    script = (
        "import sys; from pathlib import Path; from safety.knowledge.snapshot import load_library;"
        f"print(load_library(Path({str(BASE)!r}), [], Path({str(cache)!r})).sha256)"
    )
    command = [sys.executable, "-c", script]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    answers = [p.communicate(timeout=60) for p in running]
    assert [p.returncode for p in running] == [0, 0, 0], answers
    assert {err for _, err in answers} == {""}
    library = compile_folder(BASE).library
    assert {out.strip() for out, _ in answers} == {library.sha256}
    assert read_snapshot(only_file(cache)) == library


def test_a_reader_that_holds_the_old_file_open_does_not_disturb_a_writer(tmp_path: Path) -> None:
    path = tmp_path / "k.duckdb"
    library = compile_folder(BASE).library
    write_snapshot(library, path)
    with duckdb.connect(str(path), read_only=True) as reader:
        write_snapshot(library, path)
        assert reader.execute("select count(*) from drugs").fetchone() == (len(library.drugs),)
    assert read_snapshot(path) == library


# ------------------------------------------------------------------ the tables


def test_the_tables_hold_what_the_library_holds(library: Library, tmp_path: Path) -> None:
    write_snapshot(library, tmp_path / "k.duckdb")
    with duckdb.connect(str(tmp_path / "k.duckdb"), read_only=True) as connection:
        for table in ("drugs", "products", "classes", "conditions", "labs", "sources", "entries"):
            ids = [row[0] for row in connection.execute(f'select id from "{table}" order by id').fetchall()]
            assert ids == sorted(item.id for item in getattr(library, table)), table
        members = connection.execute("select distinct class, drug from class_members order by all").fetchall()
        assert members == sorted((c.id, d) for c in library.classes for d in c.members)
        cited = connection.execute("select count(*) from evidence").fetchone()
        assert cited == (sum(len(e.evidence) for e in library.entries),)
        lost = connection.execute("select source from evidence where source not in (select id from sources)").fetchall()
        assert lost == []


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"deadbeef 1 2\n{}"])
def test_a_damaged_key_only_costs_time(damage: bytes, tmp_path: Path) -> None:
    root, cache = copy_of_base(tmp_path), tmp_path / "cache"
    first = load_library(root, [], cache)
    (key,) = cache.glob("*.key")
    whole = key.read_bytes()
    for content in (damage, whole[: len(whole) // 2]):
        key.write_bytes(content)
        assert load_library(root, [], cache) == first
    assert load_library(root, [], cache) == first
