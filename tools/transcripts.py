"""Write into the README what its commands print today: `python tools/transcripts.py`."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent


def main() -> None:
    """Replace every transcript of the README."""
    path = REPO / "README.md"

    def printed(block: re.Match[str]) -> str:
        command = [str(Path(sys.executable).with_name("medsafe")), *shlex.split(block[2])[1:]]
        out = subprocess.run(command, cwd=REPO, capture_output=True, text=True, check=False).stdout
        return f"{block[1]}{block[2]}\n{out}```"

    text = re.sub(r"(<!-- transcript.*?-->\n```\n\$ )(.+?)\n(.*?)```", printed, path.read_text(encoding="utf-8"), flags=re.S)
    path.write_text(text, encoding="utf-8")
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
