"""Builds what is released and tries it as a stranger would: `make release`.

Two builds of the wheel must be the same bytes. Wheel and source archive are each installed into an empty environment and
asked there, outside the checkout: the version, the demo's answer, and whether their knowledge has problems. Beside them in
dist/ stand the checksums, the bill of materials of what the wheel brings along, and the digest of the knowledge.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent
DIST = REPO / "dist"
CASE = ("warfarin 5 mg daily", "ibuprofen 400 mg three times a day")
ASKED = "import json,safety; e=safety.load(); print(json.dumps([e.library.version, e.library.sha256]))"


def run(*command: str | Path, cwd: Path = REPO, may_end: tuple[int, ...] = (0,), **env: str) -> str:
    """What a command prints; ends the release, with everything that was printed, where it ends otherwise than it may."""
    done = subprocess.run(
        [str(c) for c in command], cwd=cwd, env={**os.environ, **env}, capture_output=True, text=True, check=False
    )
    if done.returncode not in may_end:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def sha256(path: Path) -> str:
    """The digest of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def built(folder: Path, epoch: str, *what: str) -> list[Path]:
    """The archives that a build writes into a folder."""
    run(sys.executable, "-m", "build", *what, "--outdir", folder, SOURCE_DATE_EPOCH=epoch, PIP_QUIET="1")
    return sorted(p for p in folder.iterdir() if p.suffix in (".whl", ".gz"))


def tried(archive: Path) -> list[str]:
    """The version and digest of the knowledge, from an empty environment that holds the archive and what it asks for."""
    with tempfile.TemporaryDirectory(prefix="medsafe-try-") as folder:
        place = Path(folder)
        run(sys.executable, "-m", "venv", place / "env")
        bin_ = place / "env" / "bin"
        quiet = {"PIP_QUIET": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONPATH": "", "MEDSAFE_CACHE": str(place / "cache")}
        run(bin_ / "pip", "install", archive, cwd=place, **quiet)
        print(f"  {run(bin_ / 'medsafe', '--version', cwd=place, **quiet).strip()}")
        report = json.loads(run(bin_ / "medsafe", "check", *CASE, "--json", cwd=place, may_end=(1,), **quiet))
        verdict = (report[0] if isinstance(report, list) else report)["verdict"]
        if verdict != "violated":
            sys.exit(f"{archive.name}: {CASE} came out as {verdict}")
        run(bin_ / "medsafe", "lint", cwd=place, **quiet)
        found: list[str] = json.loads(run(bin_ / "python", "-c", ASKED, cwd=place, **quiet))
        print(f"  {' + '.join(CASE)}: {verdict}; its knowledge has no problems")
        return found


def main() -> None:
    """Build, compare, try, and write down what was built."""
    epoch = run("git", "log", "-1", "--format=%ct").strip()
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    print("building wheel and source archive …", flush=True)
    archives = built(DIST, epoch)
    wheel = next(p for p in archives if p.suffix == ".whl")
    print("building the wheel once more, to compare …", flush=True)
    with tempfile.TemporaryDirectory(prefix="medsafe-again-") as folder:
        (again,) = built(Path(folder), epoch, "--wheel")
        if sha256(again) != sha256(wheel):
            sys.exit("two builds of the same commit are not the same bytes")
    print(f"  both {sha256(wheel)}")
    digests = set()
    for archive in archives:
        print(f"trying {archive.name} in an empty environment …", flush=True)
        digests.add(tuple(tried(archive)))
    if len(digests) != 1:
        sys.exit(f"wheel and source archive hold different knowledge: {digests}")
    ((version, knowledge),) = digests
    print("writing the bill of materials …", flush=True)
    run(sys.executable, "-m", "cyclonedx_py", "requirements", "requirements.lock", "--pyproject", "pyproject.toml",
        "--output-reproducible", "-o", DIST / "medsafe.cdx.json")  # fmt: skip
    lines = [f"{sha256(p)}  {p.name}" for p in sorted(DIST.iterdir())]
    lines.append(f"{knowledge}  knowledge {version}")
    (DIST / "SHA256SUMS").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
