"""What all tests share: where things are, and the knowledge of this checkout, compiled once for all of them."""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import TypeVar

import pytest
import yaml
from hypothesis import settings
from msgspec.structs import force_setattr

import safety.cli
import safety.engine
import safety.knowledge.snapshot
from safety.engine import RECIPE, Engine, Loading, cache_folder
from safety.errors import KnowledgeError, Problem, RequestError
from safety.knowledge.compiled import Compiled
from safety.knowledge.language import Language
from safety.knowledge.library import Library
from safety.knowledge.snapshot import load_compiled, load_library

T = TypeVar("T")
# Tests read and write hundreds of files as YAML: with the scanner in C that takes a tenth of the time.
if hasattr(yaml, "CSafeLoader"):
    yaml.BaseLoader = yaml.CBaseLoader
    yaml.safe_load = partial(yaml.load, Loader=yaml.CSafeLoader)
    yaml.safe_dump = partial(yaml.dump, Dumper=yaml.CSafeDumper)
# A change is judged by examples that stay the same; `make search` goes on looking for new ones.
settings.register_profile("steady", derandomize=True, deadline=None)  # nothing is timed in tests
settings.register_profile("search", deadline=None)
_PROFILE = os.environ.get("MEDSAFE_EXAMPLES", "steady")
settings.load_profile(_PROFILE)


def examples(many: int) -> int:
    """So many examples of a law where new ones are looked for; a quarter of them, the same each time, with every change."""
    return many if _PROFILE == "search" else max(many // 4, 5)


def sampled(records: list[T]) -> list[T]:
    """All of them where new examples are looked for; every third with every change."""
    return records if _PROFILE == "search" else records[::3]


def thorough(cases: list[T]) -> list[T]:
    """All of them where new examples are looked for; none with every change, where a cheaper test says the same."""
    return cases if _PROFILE == "search" else []


# A module that is first imported while a test has put something in the place of another's function would keep that for ever.
for _module in pkgutil.iter_modules(safety.cli.__path__):
    importlib.import_module(f"safety.cli.{_module.name}")

# The many small folders of tests share the folder of what is compiled: they must not crowd out the knowledge itself,
# which takes most of a minute to compile.
SNAPSHOTS_KEPT = safety.knowledge.snapshot._KEPT
"""So many are kept outside of tests."""
safety.knowledge.snapshot._KEPT = 100

gc.disable()  # what is collected lives as long as the run: until then there is nothing to find


_LONGEST = ("packaging/", "scoring/test_spark", "docs/test_walk", "desk/test_diff")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest comes first: no worker begins with a minute of work when the others are done."""
    items.sort(key=lambda item: not any(name in item.nodeid for name in _LONGEST))


def pytest_collection_finish() -> None:
    """From here on the collector looks at what tests make, and not again and again at the library and the tests themselves."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
    gc.enable()


REPO = Path(__file__).resolve().parent.parent
SHARED = REPO.parent / "shared"
CACHE = str(cache_folder())
"""Where the knowledge of this checkout lies compiled, whatever a test puts in the place of the folder."""


@cache
def compiled() -> Compiled:
    """The knowledge of the checkout: its library, and the cases written inside it."""
    return load_compiled(REPO, (), cache_folder(), RECIPE, derive=True)


_WORDS: list[Language] = []


def _with_the_same_words(library: Library) -> Library:
    """A library whose lists of words, where they equal those of one before, are those: what readers make of them is made once."""
    known = next((words for words in _WORDS if words == library.language), None)
    if known is None:
        _WORDS.append(library.language)
    else:
        force_setattr(library, "language", known)
    return library


def engine_of(library: Library) -> Engine:
    """An engine over a library that was compiled here."""
    return Engine(_with_the_same_words(library), lambda: engine_of(library))


def refusal(call: Callable[[], object]) -> tuple[Problem, ...] | None:
    """The problems that a call is refused with as the caller's slip; None where it is answered. Anything else is raised."""
    try:
        call()
    except RequestError as error:
        return error.problems
    return None


_LOADED: dict[tuple[tuple[Path, ...], Path, str], Engine] = {}


def _load_once(self: Loading) -> Engine:
    """Hundreds of commands run in this process: the same knowledge, compiled in the folder that all share, is one engine."""
    base = self.base or safety.engine.base_folder()  # asked there: a test may have put another in its place
    library = _with_the_same_words(load_library(base, list(self.folders), self.cache, RECIPE, self.on_compile))
    if str(self.cache) != CACHE:
        return Engine(library, self)
    key = (self.folders, base, library.sha256)
    if key not in _LOADED:
        _LOADED[key] = Engine(library, self)
    return _LOADED[key]


Loading.__call__ = _load_once  # type: ignore[method-assign]


@cache
def loaded() -> Engine:
    """The engine over the knowledge of the checkout, for all tests the same one. Raises KnowledgeError with every problem."""
    found = compiled()
    if found.problems:
        raise KnowledgeError(found.problems)
    return engine_of(found.library)


@pytest.fixture(scope="session")
def library() -> Library:
    """The library of the checkout; fails with every problem if it does not compile."""
    return loaded().library


@pytest.fixture(scope="session")
def engine() -> Engine:
    """An engine over the library of the checkout."""
    return loaded()
