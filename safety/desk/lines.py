"""Lines that are added to a file: all of them or none, and on the disk when it is said that they are.

A process may be killed in the middle of a write, and a disk may be full: what was added before stands whole, and what was cut off
was never said to be there. Several processes may add at once: each waits for the other.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from safety.errors import Place, Problem, RequestError

_TAIL = 1 << 16
_OWNER_ONLY = 0o600
_ANYBODY_READS = 0o644


def add_lines(path: Path, lines: bytes, *, private: bool = False) -> None:
    """Add lines to the end of a file, which is made where there is none (`private`: nobody but its owner reads it).

    Raises RequestError where they cannot be written; the file is then as it was.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, _OWNER_ONLY if private else _ANYBODY_READS)
    except OSError as error:
        raise _refused(path, error) from None
    try:
        with _locked(handle):
            _add(handle, lines)
    except OSError as error:
        raise _refused(path, error) from None
    finally:
        os.close(handle)


def _add(handle: int, lines: bytes) -> None:
    _mend_end(handle)
    size = os.fstat(handle).st_size
    try:
        left = memoryview(lines)
        while left:
            left = left[os.write(handle, left) :]
        os.fsync(handle)
    except OSError:
        with contextlib.suppress(OSError):  # what is no file on a disk cannot be cut
            os.ftruncate(handle, size)
        raise


def _mend_end(handle: int) -> None:
    """A last line without its end: what is whole gets one, and what was cut off, which nobody was told is there, goes."""
    size = os.fstat(handle).st_size
    tail = os.pread(handle, size, 0) if size <= _TAIL else os.pread(handle, _TAIL, size - _TAIL)
    if not tail or tail.endswith(b"\n"):
        return
    last = tail[tail.rfind(b"\n") + 1 :]
    if _is_cut_off(last):
        os.ftruncate(handle, size - len(last))
    else:
        os.write(handle, b"\n")


def lines_of(data: bytes) -> list[bytes]:
    """The lines of such a file in their order, but for a last one that was cut off while it was written."""
    lines = data.splitlines()
    if lines and not data.endswith((b"\n", b"\r")) and _is_cut_off(lines[-1]):
        lines.pop()
    return lines


def _is_cut_off(line: bytes) -> bool:
    """Whether a line begins as ours do, as a mapping in JSON, and does not end as one."""
    if not line.startswith(b"{"):
        return False
    try:
        msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return True
    return False


@contextlib.contextmanager
def _locked(handle: int) -> Iterator[None]:
    """While several processes add to one file, one at a time; the system lets go of it where one of them dies."""
    try:
        import fcntl
    except ImportError:  # no such lock on this system: there a single write has to do
        yield
        return
    fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(handle, fcntl.LOCK_UN)


def _refused(path: Path, error: OSError) -> RequestError:
    hint = "free some space, or choose a place that can be written; what was there before stands as it was"
    return RequestError([Problem(Place(str(path)), "R001", f"cannot be written: {error.strerror}", hint)])
