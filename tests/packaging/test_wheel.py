"""The wheel alone, in an environment of its own and outside the checkout, does what the checkout does."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from conftest import REPO, thorough

import safety
from safety.engine import VERSION
from safety.knowledge.snapshot import SHIPPED

CASE = """\
as_of: 2026-11-20
patient:
  conditions: []
  medications: [warfarin 5 mg by mouth once daily]
plan:
  - ibuprofen 400 mg by mouth twice daily
"""


def _ran(*command: str | Path, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV", "MEDSAFE", "COV_"))}
    return subprocess.run(
        [str(c) for c in command], cwd=cwd, env=clean | more, capture_output=True, text=True, check=False, timeout=600
    )


def _tracked() -> set[str]:
    """The knowledge files of the checkout as they stand on disk."""
    files = [*REPO.glob("kb/**/*"), *REPO.glob("rules/**/*")]
    return {p.relative_to(REPO).as_posix() for p in files if p.is_file()}


def _copy(source: Path) -> Path:
    """A copy of what a wheel is built from."""
    for name in ("safety", "kb", "rules"):
        shutil.copytree(REPO / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    (source / "tools").mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "tools/build_hook.py"):
        shutil.copy(REPO / name, source / name)
    return source


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, so that nothing lands in the checkout and nothing changes while it is built."""
    folder = tmp_path_factory.mktemp("wheel")
    source = _copy(folder / "source")
    isolation = ["--no-isolation"] if importlib.util.find_spec("hatchling") else []
    ran = _ran(sys.executable, "-m", "build", "--wheel", *isolation, "--outdir", folder, source, cwd=folder)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of a fresh environment that holds the wheel and what it depends on, nothing more."""
    folder = tmp_path_factory.mktemp("installed")
    made = _ran(sys.executable, "-m", "venv", "--without-pip", folder / "venv", cwd=folder)
    assert made.returncode == 0, made.stderr
    into = ("--python", folder / "venv/bin/python")
    ran = _ran(
        sys.executable, "-m", "pip", *into, "install", "--quiet", "--no-compile", "--disable-pip-version-check", wheel, cwd=folder
    )
    assert ran.returncode == 0, ran.stderr
    return folder / "venv/bin"


def test_the_wheel_holds_every_file_of_knowledge_and_no_test(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    inside = {n.removeprefix("safety/_knowledge/") for n in names if n.startswith("safety/_knowledge/")}
    assert inside >= {n for n in _tracked() if n.endswith(".yaml")} | {"kb/VERSION"}
    tops = {n.split("/")[0] for n in names}
    assert {t for t in tops if not t.endswith(".dist-info")} == {"safety"}
    assert [n for n in names if "__pycache__" in n or n.endswith((".pyc", ".duckdb"))] == []


def test_the_wheel_carries_the_licence_and_the_version_of_the_package(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = [n for n in archive.namelist() if n.endswith(".dist-info/METADATA")]
        text = archive.read(metadata).decode()
        assert any(n.endswith("LICENSE") for n in archive.namelist())
    assert f"\nVersion: {safety.__version__}\n" in text
    assert "\nName: medsafe\n" in text
    assert safety.__version__ == VERSION
    assert wheel.name.startswith(f"medsafe-{safety.__version__}-")


def test_the_installed_command_says_its_version(installed: Path, tmp_path: Path) -> None:
    ran = _ran(installed / "medsafe", "--version", cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.split()[-1] == safety.__version__


def test_the_installed_command_checks_a_case_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "case.yaml").write_text(CASE, encoding="utf-8")
    ran = _ran(installed / "medsafe", "check", "case.yaml", "--json", cwd=tmp_path, MEDSAFE_CACHE=str(tmp_path / "cache"))
    assert ran.returncode == 1, ran.stderr
    report = json.loads(ran.stdout)
    assert "interaction.warfarin-nsaid" in {f["rule"] for f in report["findings"]}
    assert report["made_by"]["knowledge"] == (REPO / "kb/VERSION").read_text(encoding="utf-8").strip()
    assert all(str(REPO) not in step["place"] for f in report["findings"] for step in f["trace"])


def test_the_installed_package_loads_its_own_knowledge_and_not_the_checkouts(installed: Path, tmp_path: Path) -> None:
    program = "import safety, safety.engine; e = safety.load(cache=None); print(safety.__file__); print(len(e.library.entries))"
    ran = _ran(installed / "python", "-c", program, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    file, count = ran.stdout.split()
    assert Path(file).is_relative_to(installed.parent)
    assert int(count) > 100


@pytest.mark.parametrize("again", thorough(["made again"]))
def test_the_wheel_holds_the_compiled_knowledge_the_same_bytes_each_time(again: str, wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        shipped = archive.read(f"safety/_knowledge/{SHIPPED}")
    other = _copy(tmp_path / "elsewhere")
    program = (
        "import sys; from pathlib import Path; from safety.engine import RECIPE;"
        "from safety.knowledge.snapshot import snapshot_of; sys.stdout.buffer.write(snapshot_of(Path('.'), RECIPE))"
    )
    environment = {**os.environ, "PYTHONPATH": str(other), "PYTHONHASHSEED": "7", "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run([sys.executable, "-c", program], cwd=other, env=environment, capture_output=True, check=True)
    assert ran.stdout == shipped


STARTED = """
import sys, safety
compiled = []
engine = safety.load(sys.argv[2:], cache=sys.argv[1] or None, on_compile=lambda: compiled.append(1))
print(len(compiled), next(n.text for n in engine.library.drug["drug.warfarin"].names if n.text.startswith("Couma")))
"""


def test_an_installed_copy_never_compiles_what_it_was_built_with(installed: Path, tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("x", encoding="utf-8")
    for cache in ("", tmp_path / "cache", tmp_path / "cache", in_the_way):
        ran = _ran(installed / "python", "-c", STARTED, str(cache), cwd=tmp_path)
        assert (ran.returncode, ran.stdout.split()[0]) == (0, "0"), ran.stderr


def test_an_edit_of_installed_knowledge_is_compiled(installed: Path, tmp_path: Path) -> None:
    (found,) = installed.parent.glob("lib/python*/site-packages/safety/_knowledge/kb/drugs/warfarin.yaml")
    text = found.read_text(encoding="utf-8")
    try:
        found.write_text(text.replace("Coumadin", "Coumadim"), encoding="utf-8")
        ran = _ran(installed / "python", "-c", STARTED, str(tmp_path / "cache"), cwd=tmp_path)
        assert ran.stdout.split() == ["1", "Coumadim"], ran.stderr
    finally:
        found.write_text(text, encoding="utf-8")
    ran = _ran(installed / "python", "-c", STARTED, str(tmp_path / "cache"), cwd=tmp_path)
    assert ran.stdout.split() == ["0", "Coumadin"], ran.stderr


def test_the_installed_command_lints_and_tests_its_knowledge(installed: Path, tmp_path: Path) -> None:
    ran = _ran(installed / "medsafe", "test", "interaction.warfarin-nsaid", cwd=tmp_path)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "0 failed" in ran.stdout


# ------------------------------------------------------------------ the other package of the same import name


def test_beside_the_scanner_of_the_same_name_importing_says_what_to_do(tmp_path: Path) -> None:
    shutil.copytree(REPO / "safety", tmp_path / "safety", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "safety/safety.py").write_text("# the scanner's own module\n", encoding="utf-8")
    ran = _ran(sys.executable, "-c", "import sys; sys.path.insert(0, ''); import safety", cwd=tmp_path)
    assert ran.returncode == 1
    last = ran.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: ")
    assert "medsafe" in last
    assert "`safety`" in last
    assert "separate environments" in last


def test_without_the_scanner_the_same_copy_can_be_imported(tmp_path: Path) -> None:
    shutil.copytree(REPO / "safety", tmp_path / "safety", ignore=shutil.ignore_patterns("__pycache__"))
    program = "import sys; sys.path.insert(0, ''); import safety; print(safety.__file__)"
    ran = _ran(sys.executable, "-c", program, cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert Path(ran.stdout.strip()) == (tmp_path / "safety/__init__.py").resolve()
