"""Finds the knowledge files of a base folder and of a site's overlays, and fingerprints them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from safety.errors import Place, Problem

FORMAT = "13"
"""Raised whenever the compiled library changes its shape, so that an old snapshot is never read."""

FACT_FOLDERS = {
    "kb/drugs": "drug",
    "kb/products": "product",
    "kb/classes": "class",
    "kb/conditions": "condition",
    "kb/allergens": "allergen",
    "kb/labs": "lab",
    "kb/foods": "food",
    "kb/harms": "harm",
    "kb/sources": "source",
    "kb/inferences": "inference",
    "kb/factors": "factors",
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
    "rules/omissions": "omission",
    "rules/burdens": "burden",
    "rules/food": "food",
    "rules/retired": "",
}
DOSES = "kb/doses"
RECOGNISED = {"kb/recognised/ingredients.csv", "kb/recognised/brands.csv"}
NAMING = {"kb/lookalikes.yaml", "kb/uses.yaml"}
TABLES = {"kb/units.yaml", "kb/reactions.yaml", *NAMING, *RECOGNISED}
FOLDERS = {**FACT_FOLDERS, **RULE_FOLDERS}


class KnowledgeFile(Struct, frozen=True):
    """One file found: which folder rule it falls under, its bytes, and whose it is (`origin` empty: the base)."""

    path: Path
    shown: str
    folder: str
    stem: str
    origin: str
    data: bytes


class Collected(Struct, frozen=True):
    """Every knowledge file in a fixed order, the content's SHA-256, and what was in the way."""

    files: tuple[KnowledgeFile, ...]
    version: str
    sha256: str
    overlays: tuple[str, ...]
    problems: tuple[Problem, ...]


def base_folder() -> Path:
    """The folder that holds the embedded `kb/` and `rules/`: inside an installed package, or the checkout around it."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "_knowledge"
    return installed if installed.is_dir() else package.parent


def collect(base: Path, overlays: Sequence[Path] = ()) -> Collected:
    """All files of the base and then of each overlay, later ones deciding over earlier ones."""
    files: list[KnowledgeFile] = []
    problems: list[Problem] = []
    names: list[str] = []
    if not (base / "kb").is_dir():
        problems.append(Problem(Place(str(base)), "K021", "holds no `kb/` folder", "name a folder laid out as kb/ and rules/"))
    _walk(base, "", "", files, problems)
    for overlay in overlays:
        name = overlay.resolve().name
        if name in names:
            problems.append(Problem(Place(str(overlay)), "K022", f"a second overlay is called `{name}`", "rename the folder"))
        names.append(name)
        if not overlay.is_dir():
            problems.append(Problem(Place(str(overlay)), "K021", "is not a folder", "an overlay is a folder with kb/ and rules/"))
            continue
        before = len(files)
        _walk(overlay, f"{overlay.as_posix().rstrip('/')}/", name, files, problems)
        if len(files) == before:
            problems.append(
                Problem(Place(str(overlay)), "K023", "holds no knowledge file", "an overlay holds kb/…/*.yaml or rules/…/*.yaml")
            )
    version = ""
    try:
        version = (base / "kb" / "VERSION").read_text(encoding="utf-8").strip()
    except OSError:
        problems.append(Problem(Place("kb/VERSION"), "K024", "cannot be read", "it holds the knowledge version, e.g. 2026.11.0"))
    return Collected(tuple(files), version, _digest(files, version), tuple(names), tuple(problems))


def _walk(root: Path, prefix: str, origin: str, files: list[KnowledgeFile], problems: list[Problem]) -> None:
    found: list[tuple[str, str]] = []
    for top in ("kb", "rules"):
        for folder, folders, names in os.walk(root / top):
            folders.sort()
            found += [(os.path.join(folder, name), name) for name in names]
    for full, name in sorted(found):
        relative = os.path.relpath(full, root).replace(os.sep, "/")
        shown = prefix + relative
        stem, ending = os.path.splitext(name)
        if name.startswith(".") or ending in {".md", ""}:
            continue
        if ending != ".yaml" and relative not in TABLES:
            problems.append(Problem(Place(shown), "K025", f"`{ending}` files are not read here", "knowledge files end in .yaml"))
            continue
        under = relative if relative in TABLES else _folder(relative)
        if under is None:
            place = Place(shown)
            problems.append(Problem(place, "K020", "stands in a folder that is none of ours", "one of: " + ", ".join(FOLDERS)))
            continue
        try:
            with open(full, "rb") as handle:
                data = handle.read((1 << 20) + 1)
        except OSError as error:
            problems.append(Problem(Place(shown), "K001", f"cannot be read: {error.strerror or error}"))
            continue
        files.append(KnowledgeFile(Path(full), shown, under, stem, origin, data))


def _folder(relative: str) -> str | None:
    parts = relative.split("/")
    folder = "/".join(parts[:2])
    return folder if len(parts) > 2 and folder in FOLDERS else None


def _digest(files: Sequence[KnowledgeFile], version: str) -> str:
    whole = hashlib.sha256(f"medsafe {FORMAT} {version}\n".encode())
    for file in files:
        whole.update(f"{file.origin}\0{file.shown}\0{len(file.data)}\0".encode())
        whole.update(file.data)
    return whole.hexdigest()


def fingerprint(base: Path, overlays: Sequence[Path] = ()) -> str:
    """A digest of every file's name, size, inode and times: cheap to take, and different after any edit.

    It only says whether the contents need to be read again; what is loaded is keyed by the contents themselves.
    """
    whole = hashlib.sha256(f"medsafe {FORMAT}\n".encode())
    for root in (base, *overlays):
        whole.update(f"\n{root.resolve()}\n".encode())
        pending = [str(root / "kb"), str(root / "rules")]
        while pending:
            folder = pending.pop()
            try:
                with os.scandir(folder) as found:
                    entries = sorted(found, key=lambda e: e.name)
            except OSError:
                continue
            for entry in entries:
                if entry.is_dir():
                    pending.append(entry.path)
                    continue
                seen = entry.stat(follow_symlinks=os.path.exists(entry.path))
                whole.update(f"{entry.path}\0{seen.st_size}\0{seen.st_mtime_ns}\0{seen.st_ctime_ns}\0{seen.st_ino}\n".encode())
    return whole.hexdigest()
