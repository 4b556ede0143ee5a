"""Look for inputs that reach code which none of ours reached (by Atheris, which is libFuzzer for Python), and keep the smallest.

    python tools/fuzz_guided.py problem [--seconds 600] [--keep 30]     # the ways in of tools/fuzz.py

Inputs are changed as tools/fuzz.py changes them, so that they stay cases, lines and files; which of them are changed further is
decided by the branches that they reached. What is found is made to a smallest set that reaches the same, and the shortest of it
is written to tests/faults/corpus/NAME.jsonl, where tools/fuzz.py begins. An input that breaks something ends the run, is made
small, and is put first. Needs `pip install .[search]` (Linux).
"""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve()
_LONGEST = 600
"""Characters of an input that is kept."""


def main() -> int:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name")
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--keep", type=int, default=40)
    asked = parser.parse_args()
    from fuzz_entries import CORPUS

    with tempfile.TemporaryDirectory(prefix="medsafe-guided-") as folder:
        seeds, found, least = (Path(folder) / name for name in ("seeds", "found", "least"))
        for path in (seeds, found, least):
            path.mkdir()
        _write_seeds(asked.name, seeds)
        again = _again(asked.name, Path(folder))
        ran = _run(again, f"-max_total_time={asked.seconds}", f"-artifact_prefix={folder}/broken-", str(found), str(seeds))
        _run(again, "-set_cover_merge=1", str(least), str(seeds), str(found))
        broken = [json.loads(path.read_bytes()) for path in Path(folder).glob("broken-crash-*")]
        ours = {path.read_text(encoding="utf-8") for path in seeds.iterdir()}
        reach = [path.read_text(encoding="utf-8") for path in least.iterdir()]
        small = sorted((text for text in reach if text not in ours), key=len)
        lines = [json.dumps(value) for value in broken] + [text for text in small if len(text) <= _LONGEST][: asked.keep]
        CORPUS.mkdir(exist_ok=True)
        (CORPUS / f"{asked.name}.jsonl").write_text("".join(f"{line}\n" for line in dict.fromkeys(lines)), encoding="utf-8")
        new = f"{len(small)} of them new, {len(lines)} kept, {len(broken)} break something"
        print(f"{asked.name}: {len(reach)} inputs reach all that was reached, {new}")
        return int(bool(broken) or ran != 0)


def _write_seeds(name: str, folder: Path) -> None:
    from fuzz import kept
    from fuzz_entries import entries

    import safety

    sources = [*entries(safety.load())[name].seeds, *kept(name)]
    for n, value in enumerate(sources):
        (folder / f"{n:05}").write_text(json.dumps(value), encoding="utf-8")


def _again(name: str, folder: Path) -> Path:
    """A command that goes over a way in by libFuzzer, which calls itself anew where it makes a set smaller."""
    path = folder / "again"
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{HERE}" --in-libfuzzer "$0" "{name}" "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return path


def _run(again: Path, *arguments: str) -> int:
    """It in a process of its own: it ends with it."""
    return subprocess.run([str(again), "-max_len=20000", "-timeout=20", "-rss_limit_mb=4000", *arguments], check=False).returncode


def fuzzed(again: str, name: str, arguments: list[str]) -> None:
    """What runs in that process; it does not come back."""
    import atheris

    with atheris.instrument_imports(include=["safety"]):
        import safety

        for module in pkgutil.walk_packages(safety.__path__, "safety."):
            if not module.name.startswith(("safety.serving.spark", "safety.cli")):
                importlib.import_module(module.name)
    from fuzz import failure, keeps
    from fuzz_entries import entries
    from fuzz_making import mutated

    engine = safety.load()
    entry, keep = entries(engine)[name], keeps(name)

    def tried(data: bytes) -> None:
        try:
            value = json.loads(data)
        except ValueError:
            return
        why = failure(entry, engine, value)
        if why not in ("", "refused"):
            raise AssertionError(f"{value!r}\n{why}")

    def changed(data: bytes, most: int, seed: int) -> bytes:
        try:
            value: Any = json.loads(data)
        except ValueError:
            value = entry.seeds[0]
        dice = random.Random(seed)
        for _ in range(dice.randint(1, 3)):
            value = mutated(value, dice, keep)
        made = json.dumps(value, default=str).encode()
        return made if len(made) <= most else data

    atheris.Setup([again, *arguments], tried, custom_mutator=changed)
    atheris.Fuzz()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--in-libfuzzer"]:
        fuzzed(sys.argv[2], sys.argv[3], sys.argv[4:])
    else:
        sys.exit(main())
