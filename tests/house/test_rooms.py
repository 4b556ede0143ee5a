"""The house rules that a reader of the code relies on, read from the code itself."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import REPO

from safety.engine import Engine

SAFETY = REPO / "safety"
FILES = sorted(p for p in SAFETY.rglob("*.py") if "_knowledge" not in p.parts)
TREES = {p: ast.parse(p.read_text(encoding="utf-8")) for p in FILES}
# Each room may import only from itself and from rooms above it, whatever hides the import: a function, TYPE_CHECKING.
ROOMS = [
    ["errors", "text"], ["model"], ["formulas"], ["knowledge"], ["reading"], ["understanding"], ["labs"], ["judging"],
    ["answering"], ["showing"], ["adherence"], ["memory"], ["scoring"], ["desk"], ["edge"], ["engine", "__init__"],
    ["serving"], ["cli"],
]  # fmt: skip
LEVEL = {room: n for n, rooms in enumerate(ROOMS) for room in rooms}


def shown(path: Path) -> str:
    return path.relative_to(REPO).as_posix()


def room_of(path: Path) -> str:
    return path.relative_to(SAFETY).parts[0].removesuffix(".py")


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every module that is imported, inside functions too, with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports say the whole path"
            if node.module == "safety":
                yield from ((node.lineno, f"safety.{alias.name}") for alias in node.names)
            else:
                yield node.lineno, node.module or ""


def own_room(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in LEVEL else "__init__"


def files_of(room: str) -> list[Path]:
    return [p for p in FILES if room_of(p) == room]


def below_cli() -> Iterator[tuple[Path, ast.AST]]:
    return ((p, t) for p, t in TREES.items() if room_of(p) != "cli")


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))


# ------------------------------------------------------------------ the order of the rooms


def test_every_file_stands_in_a_room_that_the_house_knows() -> None:
    assert {room_of(p) for p in FILES} <= LEVEL.keys()


@pytest.mark.parametrize("room", LEVEL)
def test_a_room_imports_only_from_rooms_above_it(room: str) -> None:
    wrong = [
        f"{shown(path)}:{line} imports {module}"
        for path in files_of(room)
        for line, module in imports(TREES[path])
        if module.split(".")[0] == "safety" and LEVEL[own_room(module)] > LEVEL[room]
    ]
    assert wrong == []


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(REPO).with_suffix("").parts).removesuffix(".__init__")


def circles() -> list[list[str]]:
    """Modules that import one another in a loop, late imports and those for type checking included (Tarjan)."""
    modules = {module_of(path): tree for path, tree in TREES.items()}
    arrows: dict[str, set[str]] = {}
    for module, tree in modules.items():
        found = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("safety"):
                found |= {t if (t := f"{node.module}.{a.name}") in modules else str(node.module) for a in node.names}
        arrows[module] = found - {module}
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    loops: list[list[str]] = []

    def visit(module: str) -> None:
        index[module] = low[module] = len(index)
        stack.append(module)
        for other in sorted(arrows.get(module, ())):
            if other not in index:
                visit(other)
                low[module] = min(low[module], low[other])
            elif other in stack:
                low[module] = min(low[module], index[other])
        if low[module] == index[module]:
            loop = stack[stack.index(module) :]
            del stack[stack.index(module) :]
            loops.extend([loop] if len(loop) > 1 else [])

    for module in sorted(arrows):
        if module not in index:
            visit(module)
    return loops


def test_no_modules_import_one_another_in_a_circle() -> None:
    assert circles() == []


READERS_OF_DIRECTIONS = {
    f"safety.reading.directions.{name}" for name in ("sig", "fields", "structure", "layers", "told", "clock")
}
WHO_READS = {
    "safety/understanding/meaning.py": "a medication as told",
    "safety/understanding/differences.py": "the tellings that meaning.py read",
    "safety/adherence/said.py": "a statement that is nothing but directions",
    "safety/edge/intervals.py": "how often, in words of a text that only directions know",
}


def test_after_reading_nobody_reads_directions_again() -> None:
    reading = {
        shown(path)
        for path, tree in TREES.items()
        if room_of(path) not in ("reading", "cli")
        for _, module in imports(tree)
        if module in READERS_OF_DIRECTIONS
    }
    assert reading == WHO_READS.keys()


def test_no_code_takes_a_position_apart() -> None:
    """`plan[3]` is how a Position is printed; who needs the list or the number has the Position."""
    wrong = [
        f"{shown(path)}:{node.lineno}"
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("partition", "rpartition", "split", "startswith") and "where" in ast.unparse(node.func.value)
    ]  # fmt: skip
    assert wrong == []


def test_importing_safety_is_light() -> None:
    """What only compiling, tables and terminals need is loaded when it is needed."""
    program = "import sys, safety; print([m for m in ('pydantic', 'rich', 'yaml', 'duckdb', 'click') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], cwd=REPO, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# ------------------------------------------------------------------ no drug, no threshold, no clock

# Names of drugs that are words of the language of names too, and why the code says them.
ENGLISH = dict.fromkeys(
    ("calcium", "choline", "copper", "iodine", "magnesium", "potassium"), "the part of a salt's name: `losartan potassium`"
) | {"albumin": "what a formula takes from the blood is called as the infusion is"}


def literals(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """String literals that are not docstrings."""
    prose = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            prose.add(id(node.value))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield node.lineno, node.value


def test_no_drug_brand_class_or_condition_is_named_in_the_code(engine: Engine) -> None:
    library = engine.library
    ids = {
        x.id for x in (*library.drugs, *library.products, *library.classes, *library.conditions, *library.labs, *library.entries)
    }
    names = {n.text.lower() for item in (*library.drugs, *library.products) for n in item.names if len(n.text) >= 5}
    names -= ENGLISH.keys()
    named_somewhere = names | ids
    wrong = []
    for path, tree in TREES.items():
        for line, text in literals(tree):
            said = "".join(c if c.isalnum() or c in "-." else " " for c in text.lower()).split()
            runs = {" ".join(said[a:b]) for a in range(len(said)) for b in range(a + 1, min(a + 6, len(said)) + 1)}
            named = runs & named_somewhere
            if named:
                wrong.append(f"{shown(path)}:{line} {sorted(named)}")
    assert wrong == []


def test_no_dose_is_a_float() -> None:
    """Amounts are exact: a float literal may be a score or a cut-off of likeness, never an amount."""
    likeness = {0.0, 0.5, 0.9, 1.0}
    allowed = {"text", "cli", "scoring"}
    wrong = [
        f"{shown(path)}:{node.lineno} {node.value}"
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, float)
        and room_of(path) not in allowed and "names" not in path.parts and node.value not in likeness
    ]  # fmt: skip
    assert wrong == []


FORBIDDEN_MODULES = {"time", "random", "socket", "requests", "urllib", "http", "locale", "secrets", "uuid", "logging"}
OUTSIDE = {
    "datetime.now", "datetime.today", "datetime.utcnow", "date.today", "os.environ", "os.getenv", "os.urandom",
}  # fmt: skip
NAMED = {("safety/engine.py", "os.environ")}  # cache_folder reads MEDSAFE_CACHE


def reaches_outside(path: Path) -> Iterator[str]:
    """What a file takes from a clock, chance, the network or the environment, with its lines."""
    tree = TREES[path]
    yield from (f"{shown(path)}:{line} imports {m}" for line, m in imports(tree) if m.split(".")[0] in FORBIDDEN_MODULES)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            what = f"{node.value.id}.{node.attr}"
            if what in OUTSIDE and (shown(path), what) not in NAMED:
                yield f"{shown(path)}:{node.lineno} {what}"


@pytest.mark.parametrize("room", [room for room in LEVEL if room not in ("serving", "cli")])
def test_below_the_command_line_there_is_no_clock_chance_network_or_environment(room: str) -> None:
    assert [what for path in files_of(room) for what in reaches_outside(path)] == []


def test_the_command_line_has_one_clock() -> None:
    places = [
        f"{shown(path)}:{function.name}"
        for path, tree in TREES.items()
        for function in functions(tree)
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        and f"{node.value.id}.{node.attr}" in ("datetime.now", "date.today", "datetime.today", "time.time")
    ]  # fmt: skip
    assert places == ["safety/cli/common.py:today"]


def test_the_environment_is_read_in_one_place_only() -> None:
    tree = TREES[SAFETY / "engine.py"]
    (reader,) = (f for f in functions(tree) if f.name == "cache_folder")
    inside = {n.lineno for n in ast.walk(reader) if isinstance(n, ast.Attribute) and n.attr == "environ"}
    everywhere = {n.lineno for n in ast.walk(tree) if isinstance(n, ast.Attribute) and n.attr == "environ"}
    assert inside == everywhere
    assert inside


@pytest.mark.parametrize("room", [room for room in LEVEL if room != "cli"])
def test_below_the_command_line_nothing_is_printed_or_logged(room: str) -> None:
    nodes = [(path, node) for path in files_of(room) for node in ast.walk(TREES[path])]
    calls = [
        f"{shown(path)}:{node.lineno}"
        for path, node in nodes
        if isinstance(node, ast.Call)
        and (
            (isinstance(node.func, ast.Name) and node.func.id in ("print", "breakpoint", "eval", "exec", "input"))
            or (isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name)
                and node.func.value.id in ("logging", "warnings", "logger"))
        )
    ]  # fmt: skip
    streams = [f"{shown(p)}:{n.lineno}" for p, n in nodes if isinstance(n, ast.Attribute) and n.attr in ("stdout", "stderr")]
    assert calls + streams == []


# ------------------------------------------------------------------ small and told


def without_a_word(nodes: list[ast.stmt], inside: str) -> Iterator[str]:
    """Public functions and classes that do not say what they are."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            if not ast.get_docstring(node):
                yield f"{inside}{node.name}"
            if isinstance(node, ast.ClassDef):
                yield from without_a_word(node.body, f"{inside}{node.name}.")


@pytest.mark.parametrize("room", LEVEL)
def test_every_public_function_and_class_says_what_it_is(room: str) -> None:
    """Public: not underscored, not inside a function or an underscored class."""
    # the shapes of files say what they are by their keys; kb/README.md explains each
    told = [path for path in files_of(room) if path.name != "shapes.py"]
    assert [name for path in told for name in without_a_word(TREES[path].body, f"{shown(path)}:")] == []


def test_the_package_exports_about_ten_names_and_each_is_there() -> None:
    import safety

    assert 8 <= len(safety.__all__) <= 12
    assert all(getattr(safety, name, None) is not None for name in safety.__all__)
