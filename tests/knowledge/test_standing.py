"""What stays compiled while files are edited is, after each edit, what compiling everything anew gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from broken.laying import changed, lay
from conftest import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowledge.test_incremental import LEDGER, RULE, copy_with_tables, edit_one, files_of
from safety.desk.touched import otherwise
from safety.engine import RECIPE
from safety.errors import KnowledgeError
from safety.knowledge.collecting import collect
from safety.knowledge.compiled import Compiled
from safety.knowledge.compiling import compile_collected
from safety.knowledge.library import Library
from safety.knowledge.standing import Standing


class Edited:
    """A folder whose knowledge stands by while it is edited; each edit is compiled in both ways."""

    def __init__(self, root: Path, overlays: Sequence[Path] = ()) -> None:
        self.root, self.overlays = root, overlays
        self.last = compile_collected(collect(root, overlays)).library
        standing = Standing.of(collect(root, overlays), self.last, None, RECIPE.derived)
        assert standing is not None
        self.standing = standing
        self.saved: list[str] = []

    def after(self, *files: str) -> Compiled | None:
        """What the edit of some files gives; None where everything must be compiled anew."""
        self.saved += files
        amended = self.standing.amended(self.saved)
        if amended is None:
            return None
        anew = compile_collected(collect(self.root, self.overlays))
        assert [str(p) for p in amended.compiled.problems] == [str(p) for p in anew.problems]
        if not anew.problems:
            now = amended.compiled
            same(now.library, anew.library)
            assert dict(now.cases) == dict(anew.cases)
            assert dict(now.remarks) == dict(anew.remarks)
            assert otherwise(self.last, now.library) == amended.entries
            self.last, self.saved = now.library, []
        return amended.compiled


def same(one: Library, other: Library) -> None:
    for field in Library.__struct_fields__:
        assert getattr(one, field) == getattr(other, field), field
    for what in RECIPE.derived:
        a, b = (made_or_why(library, what) for library in (one, other))
        assert a == b, what.name


def made_or_why(library: Library, what: Any) -> Any:
    try:
        return library.derived(what)
    except KnowledgeError as error:
        return str(error)


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> Edited:
    return Edited(copy_with_tables(tmp_path_factory.mktemp("standing")))


EDITS: list[tuple[str, str, str]] = [
    (RULE, "severity: major", "severity: minor"),
    ("kb/drugs/warfarin.yaml", "Coumadin", "Coumadim"),
    ("kb/drugs/warfarin.yaml", "name: warfarin", "# words\nname: warfarin"),
    ("kb/classes/nsaids.yaml", "drug.ibuprofen", "drug.metformin"),
    (LEDGER, "id: ", "# a ledger\nid: "),
]


@pytest.mark.parametrize(("file", "old", "new"), EDITS)
def test_an_edited_file_gives_what_everything_anew_gives(file: str, old: str, new: str, edited: Edited) -> None:
    text = (edited.root / file).read_text(encoding="utf-8")
    changed(edited.root, file, old, new)
    assert edited.after(file) is not None
    lay(edited.root, file, text)
    assert edited.after(file) is not None


SLIPS: list[tuple[str, str, str, set[str] | None]] = [
    (RULE, "class.nsaids", "class.nsaid", {"K301"}),
    (RULE, "severity: major", "severty: major", {"K101", "K102"}),
    (RULE, "severity: major", "severity: [major", {"K004"}),
    (RULE, "id: interaction.warfarin-nsaid", "id: interaction.warfarin-nsaids", {"K201", "K301"}),
    ("kb/classes/nsaids.yaml", "drug.ibuprofen", "drug.ibuprofn", None),
    ("kb/drugs/warfarin.yaml", "Coumadin", "Advil", None),
]
"""None: it is told by compiling everything, as more is made of what has the slip."""


@pytest.mark.parametrize(("file", "old", "new", "told"), SLIPS)
def test_a_slip_is_told_as_ever_and_forgotten_when_it_is_mended(
    file: str, old: str, new: str, told: set[str] | None, edited: Edited
) -> None:
    text = (edited.root / file).read_text(encoding="utf-8")
    lay(edited.root, file, text.replace(old, new, 1))
    compiled = edited.after(file)
    assert (compiled and {p.code for p in compiled.problems}) == told
    lay(edited.root, file, text.replace("\n", "\n# mended\n", 1))
    mended = edited.after(file)
    assert mended is not None
    assert mended.problems == ()


@pytest.mark.parametrize(
    ("file", "edit"),
    [
        ("kb/drugs/warfarin.yaml", lambda text: text + "nmae: x\n"),
        (
            RULE,
            lambda text: text.replace("id: interaction.warfarin-nsaid", "was: [interaction.old]\nid: interaction.warfarin-nsaid"),
        ),
        ("kb/units.yaml", lambda text: text + "# more\n"),
        ("kb/language/greetings.yaml", lambda text: text + "# more\n"),
        ("rules/interactions/new.yaml", lambda text: text),
    ],
)
def test_what_reaches_further_is_left_to_compiling_everything(file: str, edit: Callable[[str], str], edited: Edited) -> None:
    path = edited.root / file
    before = path.read_bytes() if path.exists() else None
    lay(edited.root, file, edit(before.decode() if before is not None else ""))
    assert edited.after(file) is None
    if before is None:
        path.unlink()
    else:
        lay(edited.root, file, before)
    edited.saved = []
    assert edited.standing.amended([RULE]) is not None


@settings(max_examples=examples(10), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_edits_give_what_everything_anew_gives(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    root = copy_with_tables(tmp_path_factory.mktemp("standing"))
    overlays = []
    if data.draw(st.booleans()):
        overlays = [root.with_name("site")]
        for file in data.draw(st.lists(st.sampled_from(files_of(root)), min_size=1, max_size=3, unique=True)):
            if file.endswith(".yaml") and not file.startswith("kb/recognised"):
                lay(overlays[0], file, (root / file).read_bytes())
        lay(overlays[0], "kb/harms/sitely.yaml", "id: harm.sitely\nname: of the site\n")
    if compile_collected(collect(root, overlays)).problems:
        return
    edited = Edited(root, overlays)
    for _ in range(data.draw(st.integers(1, 4))):
        where, shown = (root, "") if not overlays or data.draw(st.booleans()) else (overlays[0], f"{overlays[0].as_posix()}/")
        file = data.draw(st.sampled_from(files_of(where)))
        before = (where / file).read_bytes()
        edit_one(where, file, lambda choices: data.draw(st.sampled_from(choices)))
        for path in [p for p in where.rglob("[az][0-2]-*") if p.is_file()]:
            path.unlink()
        if not (where / file).exists():
            lay(where, file, before)
        edited.after(f"{shown}{file}")
