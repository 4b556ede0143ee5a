"""Which sources the form of compiled knowledge depends on, and one digest of them.

Found by following the imports, so that nobody has to think of raising a number: whenever a line of the code that
compiles, or of a type that is stored, changes, what was compiled before is not read any more.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
"""The folder of the code that runs."""
_NAME = "safety"
_IMPORT = re.compile(rb"^[ \t]*(?:from[ \t]+(safety[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|import[ \t]+(safety[\w.]*))", re.M)
_WORD = re.compile(rb"\w+")


def sources(roots: Iterable[str]) -> dict[str, bytes]:
    """The source of each module that these modules import, and theirs, by the path of its file; in order of module."""
    found: dict[str, tuple[str, bytes]] = {}
    pending = list(roots)
    while pending:
        module = pending.pop()
        if module in found or module == _NAME:
            continue
        path = _file(module)
        if path is None:
            continue
        with open(path, "rb") as file:
            found[module] = (path, file.read())
        pending += _imported(found[module][1])
    return dict(found[module] for module in sorted(found))


def digest(held: dict[str, bytes]) -> str:
    """One digest of sources: the same wherever the package is installed."""
    whole = hashlib.sha256()
    for path, source in held.items():
        whole.update(f"{os.path.relpath(path, PACKAGE)}\0{len(source)}\0".replace(os.sep, "/").encode() + source)
    return whole.hexdigest()


def _imported(source: bytes) -> Iterator[str]:
    """What a source imports from this package; a name may be a module or something in one."""
    for match in _IMPORT.finditer(source):
        module = (match[1] or match[3]).decode()
        yield module
        yield from (f"{module}.{name.decode()}" for name in _WORD.findall(match[2] or b""))


def _file(module: str) -> str | None:
    """The file of a module of this package; None if it is no module."""
    stem = os.path.join(PACKAGE, *module.split(".")[1:])
    choices = (f"{stem}.py", os.path.join(stem, "__init__.py"), f"{stem}.pyc")
    return next((path for path in choices if os.path.isfile(path)), None)
