"""The commands run on the small base of tests/broken, with a cache of their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from broken.laying import BASE, copy_of_base, with_speech

_USERS = (
    "safety.engine", "safety.cli.author", "safety.cli.lint", "safety.cli.sheet", "safety.knowledge.collecting",
)  # fmt: skip


@pytest.fixture(scope="session")
def small_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def small_base(small_cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Every command sees the small base, and stands in an empty folder of its own."""
    for module in _USERS:
        monkeypatch.setattr(f"{module}.base_folder", lambda: BASE)
    monkeypatch.setenv("MEDSAFE_CACHE", str(small_cache))
    for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return BASE


@pytest.fixture(scope="session")
def speaking_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return with_speech(copy_of_base(tmp_path_factory.mktemp("speaking")))


@pytest.fixture
def speaking_base(small_base: Path, speaking_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small base with our tables of what people say."""
    for module in _USERS:
        monkeypatch.setattr(f"{module}.base_folder", lambda: speaking_folder)
    return speaking_folder
