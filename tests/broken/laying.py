"""The small base of knowledge, and how a file is laid over a copy of it."""

from __future__ import annotations

import atexit
import hashlib
import shutil
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from conftest import REPO
from msgspec.structs import replace

from safety.answering import proof
from safety.desk.careless import careless
from safety.engine import RECIPE
from safety.errors import Problem
from safety.knowledge.collecting import Collected, KnowledgeFile, collect
from safety.knowledge.compiled import Compiled
from safety.knowledge.compiling import compile_collected
from safety.knowledge.remarks import untidy
from safety.knowledge.snapshot import packed
from safety.knowledge.store import Store
from safety.reading.spoken.examples import slips

HERE = Path(__file__).resolve().parent
FAULTS = HERE / "faults"


@cache
def _language() -> dict[str, bytes]:
    """Our lists of words and our figures by their place, without the sources, which are not laid out."""
    paths = [p for folder in ("kb/language", "kb/figures") for p in (REPO / folder).glob("*.yaml")]
    return {p.relative_to(REPO).as_posix(): p.read_bytes().partition(b"\nevidence:")[0] + b"\n" for p in paths}


def with_language(root: Path) -> Path:
    """A knowledge folder with our lists of words and our figures beside its own: text is read by them."""
    for folder in ("kb/language", "kb/figures"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    for where, text in _language().items():
        own = root / where
        if not own.exists():
            own.write_bytes(text)
    return root


@cache
def _held() -> tuple[KnowledgeFile, ...]:
    """The same lists and figures, as they are found when they are collected, and already read."""
    return tuple(
        KnowledgeFile(where, where, where.rpartition("/")[0], Path(where).stem, "", hashlib.sha256(text).digest(), text)
        for where, text in _language().items()
    )


def collected_with_language(root: Path, overlays: Sequence[Path] = ()) -> Collected:
    """What `with_language` and `collect` give, without writing some six hundred files for it."""
    found = collect(root, overlays)
    own = {file.shown for file in found.files}
    ours = [file for file in found.files if not file.origin] + [file for file in _held() if file.shown not in own]
    theirs = [file for file in found.files if file.origin]
    return replace(found, files=(*sorted(ours, key=lambda file: file.shown), *theirs), seen={})


def with_speech(root: Path) -> Path:
    """A knowledge folder with our tables of what people say: without them nobody can be listened to."""
    shutil.copytree(REPO / "kb/spoken", root / "kb/spoken", dirs_exist_ok=True)
    return root


def _laid_out() -> Path:
    folder = tempfile.mkdtemp(prefix="medsafe-base-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return with_language(Path(shutil.copytree(HERE / "base", Path(folder) / "base")))


BASE = _laid_out()
"""The small base; never written to."""


_OF_NAMES = ("salts", "salts-in-short", "forms", "form-words", "counted", "pieces", "release", "devices", "product-words")


def _laid_bare() -> Path:
    root = Path(tempfile.mkdtemp(prefix="medsafe-bare-")) / "base"
    atexit.register(shutil.rmtree, root.parent, ignore_errors=True)
    shutil.copytree(HERE / "base", root)
    for name in _OF_NAMES:
        lay(root, f"kb/language/{name}.yaml", _language()[f"kb/language/{name}.yaml"])
    return root


def lay(root: Path, where: str, content: str | bytes) -> Path:
    """Write one file of knowledge under a root."""
    path = root / where
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


BARE = _laid_bare()
"""The same with the few lists that names are looked up by: enough for who looks at files, and ten times as quick to compile."""


def copy_of_base(folder: Path) -> Path:
    """A copy of the base that a test may change."""
    return Path(shutil.copytree(BASE, folder / "knowledge"))


def copy_of_bare(folder: Path) -> Path:
    """The same without our lists of words."""
    return Path(shutil.copytree(BARE, folder / "knowledge"))


def changed(root: Path, where: str, old: str, new: str) -> Path:
    """Replace a text that stands exactly once in a file of knowledge."""
    path = root / where
    if where in _language() and not path.exists():
        lay(root, where, _language()[where])
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{where} holds {old!r} {text.count(old)} times"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path


def text_of_base(where: str) -> str:
    """A file of the small base."""
    return (BASE / where).read_text(encoding="utf-8")


def site(folder: Path, files: dict[str, str], name: str = "site") -> Path:
    """An overlay: its files by their place."""
    for where, text in files.items():
        lay(folder / name, where, text)
    return folder / name


@cache
def _unbroken() -> Store:
    """The base, compiled: what a slip does not touch is taken over from there, as `medsafe lint` does; that this changes no
    message is shown by the tests of compiling again."""
    return Store.of(packed(compile_collected(collect(BASE), keeps=True), RECIPE, "code", "key"))


def compiled_over(root: Path, *overlays: Path) -> Compiled:
    """What `compile_folder` gives; what does not differ from the base is taken over from there."""
    return compile_collected(collect(root, overlays), _unbroken(), keeps=True)


def problems_of(root: Path, *overlays: Path) -> list[Problem]:
    """What `medsafe lint` finds: problems of the files; if there are none, what is untidy, unproved, or shown by no example."""
    compiled = compile_collected(collected_with_language(root, overlays), _unbroken(), keeps=True)
    if compiled.problems:
        return list(compiled.problems)
    return [*untidy(compiled), *_unproved(compiled), *careless(compiled.library), *slips(compiled.library)]


def _unproved(compiled: Compiled) -> list[Problem]:
    active = [e for e in compiled.library.entries if e.status == "active"]
    return proof.unproved_among(active, lambda i: [c for c in compiled.proofs if c.entry == i], compiled.library, "0")
