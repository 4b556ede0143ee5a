"""A process of a test: it adds lines to a file, one call after another, and says after each that it was acknowledged.

python adding.py FILE FIRST COUNT LARGEST       LARGEST: of the file, in bytes (0: no limit), as a full disk would have it
"""

from __future__ import annotations

import resource
import signal
import sys
from pathlib import Path

from safety.desk.lines import add_lines
from safety.errors import RequestError


def line(n: int) -> bytes:
    """What is added in call n: three lines, the longest longer than a page of the disk."""
    return b"".join(b'{"call": %d, "part": %d, "filler": "%s"}\n' % (n, part, b"x" * part * 3000) for part in range(3))


def main(file: str, first: str, count: str, largest: str) -> None:
    """Add, and tell the number of each call that returned."""
    if int(largest):
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(largest), int(largest)))
    for n in range(int(first), int(first) + int(count)):
        try:
            add_lines(Path(file), line(n))
        except RequestError as error:
            sys.stdout.write(f"refused: {error}\n".replace("\n", " ").strip() + "\n")
            return
        sys.stdout.write(f"{n}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
