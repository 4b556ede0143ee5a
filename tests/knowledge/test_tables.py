"""The DuckDB file holds what the library holds."""

from __future__ import annotations

from pathlib import Path

import duckdb
import msgspec
import pytest
from broken.laying import BASE

from safety.engine import RECIPE
from safety.knowledge.compiling import compile_folder
from safety.knowledge.library import Library
from safety.knowledge.snapshot import load_library
from safety.knowledge.tables import write_tables


def test_the_tables_hold_what_the_library_holds(library: Library, tmp_path: Path) -> None:
    write_tables(library, tmp_path / "k.duckdb")
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


def test_the_library_itself_stands_in_it_section_by_section(tmp_path: Path) -> None:
    compiled = compile_folder(BASE).library
    load_library(BASE, [], tmp_path / "cache", RECIPE)
    for n, library in enumerate((compiled, load_library(BASE, [], tmp_path / "cache", RECIPE))):
        write_tables(library, tmp_path / f"{n}.duckdb")
        with duckdb.connect(str(tmp_path / f"{n}.duckdb"), read_only=True) as connection:
            sections = dict(connection.execute("select section, body from library").fetchall())
        assert sections.keys() == set(Library.__struct_fields__)
        assert msgspec.json.decode(sections["drugs"]) == msgspec.json.decode(msgspec.json.encode(tuple(compiled.drugs)))


def test_a_reader_that_holds_the_old_file_open_does_not_disturb_a_writer(tmp_path: Path) -> None:
    path = tmp_path / "k.duckdb"
    library = compile_folder(BASE).library
    write_tables(library, path)
    with duckdb.connect(str(path), read_only=True) as reader:
        write_tables(library, path)
        assert reader.execute("select count(*) from drugs").fetchone() == (len(library.drugs),)


def test_a_place_that_cannot_be_written_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"nowhere"):
        write_tables(compile_folder(BASE).library, tmp_path / "nowhere" / "k.duckdb")
