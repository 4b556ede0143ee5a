"""Finds the knowledge files of a base folder and of a site's overlays, and fingerprints them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from safety.errors import EngineError, Place, Problem

FACT_FOLDERS = {
    "kb/drugs": "drug",
    "kb/products": "product",
    "kb/pathways": "pathway",
    "kb/classes": "class",
    "kb/conditions": "condition",
    "kb/allergens": "allergen",
    "kb/labs": "lab",
    "kb/panels": "panel",
    "kb/alternatives": "alternative",
    "kb/constraints": "constraint",
    "kb/effects": "effect",
    "kb/genes": "gene",
    "kb/procedures": "procedure",
    "kb/devices": "device",
    "kb/foods": "food",
    "kb/harms": "harm",
    "kb/sources": "source",
    "kb/inferences": "inference",
    "kb/factors": "factors",
    "kb/scores": "score",
    "kb/figures": "figures",
    "kb/coverage": "coverage",
    "kb/language": "language",
    "kb/spoken": "spoken",
    "rules/policy": "policy",
}
RULE_FOLDERS = {
    "kb/otc": "otc",
    "kb/doses": "dose",
    "rules/interactions": "interaction",
    "rules/contraindications": "contraindication",
    "rules/allergies": "allergy",
    "rules/duplicates": "duplicate",
    "rules/renal": "renal",
    "rules/hepatic": "hepatic",
    "rules/pregnancy": "pregnancy",
    "rules/lactation": "lactation",
    "rules/age": "age",
    "rules/route": "route",
    "rules/dose": "dose",
    "rules/otc-disallowed": "otc-disallowed",
    "rules/monitoring": "monitoring",
    "rules/results": "result",
    "rules/omissions": "omission",
    "rules/burdens": "burden",
    "rules/food": "food",
    "rules/retired": "",
}
DOSES = "kb/doses"
CONDITIONS = "kb/recognised/conditions.yaml"
"""Conditions that no rule speaks of, all in one file."""
RECOGNISED = {"kb/recognised/ingredients.csv", "kb/recognised/brands.csv"}
PROBLEMS, CODES = "kb/recognised/problems.csv", "kb/recognised/codes.csv"
"""What conditions are called in a vocabulary with codes, and which conditions of ours each code is."""
CSV = {*RECOGNISED, PROBLEMS, CODES}
NAMING = {"kb/lookalikes.yaml", "kb/uses.yaml"}
REACTIONS = "kb/reactions.yaml"
ROLES = "kb/roles.yaml"
UNITS = "kb/units.yaml"
VERSION = "kb/VERSION"
TABLES = {UNITS, REACTIONS, ROLES, *NAMING, *CSV}
FOLDERS = {**FACT_FOLDERS, **RULE_FOLDERS}


Stamp = tuple[int, int, int, int]
"""Size, time of the last change, time of the last change of anything about it (both ns), and inode of a file."""
NOTHING: Stamp = (0, 0, 0, 0)
_MOST = (1 << 20) + 1
_HELD = 16 << 20
"""So many bytes of content are held at most; the rest is read again where it is needed."""


class KnowledgeFile(Struct, frozen=True, dict=True):
    """One file found: which folder rule it falls under, the SHA-256 of its content, and whose it is (`origin` empty: the base).

    `read` may hold the content, if it was read to be collected; otherwise `data` reads it when it is asked for.
    """

    path: str
    shown: str
    folder: str
    stem: str
    origin: str
    digest: bytes
    read: bytes | None = None

    @cached_property
    def data(self) -> bytes:
        """The content, at most a byte more than is read at all. Raises ChangedError if it is not what was collected."""
        if self.read is not None:
            return self.read
        try:
            content = _content(self.path)
        except OSError as error:
            raise ChangedError(f"{self.shown} went away while it was read: {error.strerror or error}") from error
        if _sha256(content) != self.digest:
            raise ChangedError(f"{self.shown} was changed while it was read")
        return content

    @cached_property
    def identity(self) -> str:
        """The same for the same content in the same place, and for nothing else."""
        whole = hashlib.blake2b(f"{self.origin}\0{self.shown}\0".encode() + self.digest, digest_size=12)
        return whole.hexdigest()


class ChangedError(EngineError):
    """A file changed between being looked at and being read: everything is looked at anew."""


NO_OVERLAY = frozenset({"K021", "K022", "K023"})
"""Codes of what is wrong with an overlay as a whole: without it an answer would be another one, so nothing goes on."""


class Collected(Struct, frozen=True):
    """Every knowledge file in a fixed order, the content's SHA-256, and what was in the way.

    `seen`: each file that was looked at, with its stamp and its digest.
    """

    files: tuple[KnowledgeFile, ...]
    version: str
    sha256: str
    overlays: tuple[str, ...]
    problems: tuple[Problem, ...]
    seen: dict[str, tuple[Stamp, bytes]] = {}


def base_folder() -> Path:
    """The folder that holds the embedded `kb/` and `rules/`: inside an installed package, or the checkout around it."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "_knowledge"
    return installed if installed.is_dir() else package.parent


def look(base: Path, overlays: Sequence[Path] = ()) -> dict[str, Stamp]:
    """Every file that may hold knowledge, by path, with its stamp: cheap to take, and different after any edit.

    Equal stamps say that nothing has changed since; what is loaded is keyed by the contents themselves.
    """
    return {path: stamp for root in (base, *overlays) for path, _, stamp in _found(os.path.join(root, ""))}


def collect(base: Path, overlays: Sequence[Path] = (), known: Mapping[str, tuple[Stamp, bytes]] | None = None) -> Collected:
    """All files of the base and then of each overlay, later ones deciding over earlier ones.

    `known`: stamps and digests of an earlier time; a file whose stamp is the same is not read again.
    """
    return _Collecting(known or {}).collected(base, overlays)


def looked_at_again(file: KnowledgeFile) -> KnowledgeFile | None:
    """A file as it is now; None where it cannot be read."""
    try:
        content = _content(file.path)
    except OSError:
        return None
    digest = _sha256(content)
    return file if digest == file.digest else replace(file, digest=digest, read=content)


def with_edited(collected: Collected, edited: Mapping[str, KnowledgeFile]) -> Collected:
    """The same files, some as they were edited since (by the name that is shown)."""
    files = tuple(edited.get(file.shown, file) for file in collected.files)
    return replace(collected, files=files, sha256=_digest(files, collected.version), seen={})


class _Collecting:
    def __init__(self, known: Mapping[str, tuple[Stamp, bytes]]) -> None:
        self.known = known
        self.files: list[KnowledgeFile] = []
        self.problems: list[Problem] = []
        self.seen: dict[str, tuple[Stamp, bytes]] = {}
        self.version: str | None = None
        self.held = 0

    def problem(self, place: str, code: str, message: str, hint: str = "", fix: str = "") -> None:
        self.problems.append(Problem(Place(place), code, message, hint, fix))

    def collected(self, base: Path, overlays: Sequence[Path]) -> Collected:
        names: list[str] = []
        if not (base / "kb").is_dir():
            self.problem(str(base), "K021", "holds no `kb/` folder", "name a folder laid out as kb/ and rules/")
        self.walk(base, "", "")
        for overlay in overlays:
            name = overlay.resolve().name
            if name in names:
                self.problem(str(overlay), "K022", f"a second overlay is called `{name}`", "rename the folder")
            names.append(name)
            if not overlay.is_dir():
                self.problem(str(overlay), "K021", "is not a folder", "an overlay is a folder with kb/ and rules/")
                continue
            if overlay.resolve() == base.resolve():
                self.problem(
                    str(overlay), "K021", "is the knowledge itself", "an overlay is a folder of its own, with kb/ or rules/"
                )
                continue
            before = len(self.files)
            self.walk(overlay, f"{overlay.as_posix().rstrip('/')}/", name)
            if len(self.files) == before:
                hint = "an overlay holds kb/…/*.yaml or rules/…/*.yaml"
                self.problem(str(overlay), "K023", "holds no knowledge file", hint)
        if self.version is None:
            self.problem(VERSION, "K024", "cannot be read", "it holds the knowledge version, e.g. 2026.11.0")
        version = self.version or ""
        digest = _digest(self.files, version)
        return Collected(tuple(self.files), version, digest, tuple(names), tuple(self.problems), self.seen)

    def walk(self, root: Path, prefix: str, origin: str) -> None:
        """Every file under a root, in order of its path."""
        start = os.path.join(root, "")
        for path, name, stamp in _found(start):
            relative = path[len(start) :]
            shown = prefix + relative
            if relative == VERSION:
                self.seen[path] = (stamp, b"")
                if not origin:
                    self.version = self.text_of(path)
                continue
            stem, ending = os.path.splitext(name)
            if name and ending != ".yaml" and relative not in TABLES:
                fix = f"{stem}.yaml" if ending == ".yml" else ""
                self.problem(shown, "K025", f"`{ending}` files are not read here", "knowledge files end in .yaml", fix)
                continue
            under = relative if relative in TABLES or relative == CONDITIONS or not name else _folder(relative)
            if under is None:
                self.problem(shown, "K020", "stands in a folder that is none of ours", "one of: " + ", ".join(FOLDERS))
                continue
            before = self.known.get(path)
            if before is not None and before[0] == stamp != NOTHING:
                self.seen[path] = before
                self.files.append(KnowledgeFile(path, shown, under, stem, origin, before[1]))
                continue
            try:
                content = _content(path)
            except OSError as error:
                self.problem(shown, "K001", f"cannot be read: {error.strerror or error}")
                continue
            self.seen[path] = (stamp, _sha256(content))
            self.held += len(content)
            read = content if self.held <= _HELD else None
            self.files.append(KnowledgeFile(path, shown, under, stem, origin, self.seen[path][1], read))

    def text_of(self, path: str) -> str | None:
        """The knowledge version; a file of a few bytes is read each time."""
        try:
            return _content(path).decode("utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return None


def _found(root: str) -> list[tuple[str, str, Stamp]]:
    """Files under `kb/` and `rules/` of a root that may hold knowledge: path, name, stamp; in order of path."""
    found = []
    pending = [f"{root}kb/", f"{root}rules/"]
    version = root + VERSION
    while pending:
        folder = pending.pop()
        try:
            entries = os.scandir(folder)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:  # told when it is read
            found.append((folder, "", NOTHING))
            continue
        with entries:
            for entry in entries:
                name = entry.name
                if entry.is_dir():
                    if not entry.is_symlink():
                        pending.append(f"{folder}{name}/")
                elif _may_hold(name) or folder + name == version:
                    found.append((folder + name, name, _stamp(entry)))
    found.sort()
    return found


def _may_hold(name: str) -> bool:
    """Not what is hidden, Markdown, or without an ending; `kb/VERSION` alone has none."""
    if name.startswith("."):
        return False
    return name.endswith(".yaml") or os.path.splitext(name)[1] not in {".md", ""}


def _stamp(entry: os.DirEntry[str]) -> Stamp:
    try:
        seen = entry.stat()
    except OSError:  # a link to nowhere: told when it is read
        return NOTHING
    return seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino


def stamp_of(path: str | Path) -> Stamp:
    """The stamp of one file; NOTHING where there is none."""
    try:
        seen = os.stat(path)
    except OSError:
        return NOTHING
    return seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino


def _content(path: str) -> bytes:
    """The bytes of a file, at most one more than is read at all."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        return os.read(handle, _MOST)
    finally:
        os.close(handle)


def _sha256(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def _folder(relative: str) -> str | None:
    parts = relative.split("/")
    folder = "/".join(parts[:2])
    return folder if len(parts) > 2 and folder in FOLDERS else None


def _digest(files: Sequence[KnowledgeFile], version: str) -> str:
    """One digest for all contents, made of theirs."""
    whole = hashlib.sha256(f"medsafe knowledge {version}\n".encode())
    for file in files:
        whole.update(f"{file.origin}\0{file.shown}\0".encode() + file.digest)
    return whole.hexdigest()
