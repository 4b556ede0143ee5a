"""Compiles the knowledge while a wheel is built, so that an installed copy need not: hatchling runs this.

The snapshot stands beside the `kb/` and `rules/` in the wheel. It is keyed by their content and by the code that compiled
it, so it serves exactly as long as neither is changed; the same sources give the same bytes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PROGRAM = """
import sys
from pathlib import Path
from safety.engine import RECIPE
from safety.errors import KnowledgeError
from safety.knowledge.snapshot import SHIPPED, snapshot_of
try:
    data = snapshot_of(Path(sys.argv[1]), RECIPE)
except KnowledgeError as error:
    sys.exit(f"{error}\\nno wheel is built of knowledge with problems: medsafe lint")
path = Path(sys.argv[2]) / SHIPPED
path.write_bytes(data)
print(path.name)
"""


class SnapshotHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the compiled knowledge to a wheel; a checkout that is installed as it stands keeps its snapshots in the cache."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the files of the wheel are gathered."""
        if version == "editable":
            return
        self._folder = tempfile.TemporaryDirectory(prefix="medsafe-")
        command = [sys.executable, "-c", PROGRAM, self.root, self._folder.name]
        paths = os.pathsep.join([self.root, *filter(None, sys.path)])  # pip keeps what a build asks for on a path of its own
        ran = subprocess.run(
            command, cwd=self.root, env={**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"},
            stdout=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
        if ran.returncode:
            raise RuntimeError("the knowledge does not compile; see above")
        name = ran.stdout.strip()
        build_data["force_include"][str(Path(self._folder.name) / name)] = f"safety/_knowledge/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Called when the wheel is written."""
        if version != "editable":
            self._folder.cleanup()
