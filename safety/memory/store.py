"""Events on disk: a DuckDB file to which events are only ever added. What `add` returns from is durable.

Each call of `add` is one transaction: when it returns, the events are in DuckDB's log on disk, and a process that is killed after
that, or in the middle of the next call, loses none of them and leaves no half of a call behind. There is no way to change or to
delete an event; a correction and a retraction are events.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from safety.errors import Place, Problem, RequestError
from safety.memory.events import Event, Known, decoded, encoded

if TYPE_CHECKING:
    import duckdb

FORMAT = 1
_TABLES = """
CREATE TABLE IF NOT EXISTS medsafe_memory (format INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS events (
    patient VARCHAR NOT NULL, id VARCHAR NOT NULL, place BIGINT NOT NULL,
    turn BIGINT NOT NULL, told DATE NOT NULL, authority VARCHAR NOT NULL, says VARCHAR NOT NULL, about VARCHAR NOT NULL,
    event_first DATE NOT NULL, event_last DATE NOT NULL, valid_to DATE,
    source VARCHAR, span_start BIGINT, span_end BIGINT, words VARCHAR, event VARCHAR NOT NULL,
    PRIMARY KEY (patient, id)
);
"""
_ADD = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


class EventStore:
    """The events of patients in one file. Open it with `with`, or close it."""

    def __init__(self, path: str | Path, *, read_only: bool = False) -> None:
        """Open a file, or make it. Raises RequestError where it cannot be opened or is none of ours."""
        self.path = str(path)
        self._connection = _opened(self.path, read_only)
        if not read_only:
            self._connection.execute(_TABLES)
            if not self._connection.execute("SELECT count(*) FROM medsafe_memory").fetchall()[0][0]:
                self._connection.execute("INSERT INTO medsafe_memory VALUES (?)", [FORMAT])
        self._check()

    def _check(self) -> None:
        tables = {row[0] for row in self._connection.execute("SHOW TABLES").fetchall()}
        told = self._connection.execute("SELECT max(format) FROM medsafe_memory").fetchall() if "medsafe_memory" in tables else []
        if not told or told[0][0] != FORMAT:
            self.close()
            hint = "medsafe makes such a file itself; pass the path of one that it made, or of none yet"
            raise _refused(self.path, "is no file of events in the form that is read", hint)

    def add(self, patient: str, events: Iterable[Event]) -> tuple[str, ...]:
        """Add events of a patient; when it returns, they are on disk. Gives the ids of those that were new.

        The same event again is none. Raises RequestError, and adds nothing, where an id is there already with another content.
        """
        run = self._connection
        run.execute("BEGIN TRANSACTION")
        try:
            added = self._add(patient, events)
        except BaseException:
            run.execute("ROLLBACK")
            raise
        run.execute("COMMIT")
        return added

    def _add(self, patient: str, events: Iterable[Event]) -> tuple[str, ...]:
        run = self._connection
        place = run.execute("SELECT coalesce(max(place), 0) FROM events").fetchall()[0][0]
        added: dict[str, Event] = {}
        for event in events:
            held = run.execute("SELECT event FROM events WHERE patient = ? AND id = ?", [patient, event.id]).fetchall()
            before = decoded(held[0][0]) if held else added.get(event.id)
            if before is not None and before != event:
                hint = "an event is never changed: add a new one that corrects it"
                raise _refused(self.path, f"holds another event with the id `{event.id}`", hint)
            if before is None:
                added[event.id] = event
        run_rows = [_row(patient, event, place + n) for n, event in enumerate(added.values(), 1)]
        if run_rows:
            run.executemany(_ADD, run_rows)
        return tuple(added)

    def events(self, patient: str, known: Known = None) -> tuple[Event, ...]:
        """The events of a patient in the order in which they were added; only those known by a turn or by the end of a day."""
        query = "SELECT event FROM events WHERE patient = ?"
        values: list[object] = [patient]
        if known is not None:
            query += " AND told <= ?" if isinstance(known, date) else " AND turn <= ?"
            values.append(known)
        rows = self._connection.execute(f"{query} ORDER BY place", values).fetchall()
        return tuple(decoded(row[0]) for row in rows)

    def patients(self) -> tuple[str, ...]:
        """Everybody of whom something was told."""
        return tuple(row[0] for row in self._connection.execute("SELECT DISTINCT patient FROM events ORDER BY 1").fetchall())

    def last_turn(self, patient: str) -> int:
        """The last turn in which something was told of a patient; 0 where nothing was."""
        found = self._connection.execute("SELECT coalesce(max(turn), 0) FROM events WHERE patient = ?", [patient]).fetchall()
        return int(found[0][0])

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> EventStore:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _row(patient: str, event: Event, place: int) -> list[object]:
    """The event with what it may be found by; the event itself is the last column, and the only one that is read back."""
    return [
        patient, event.id, place, event.turn, event.told, event.by, event.says, event.kind, event.at.first, event.at.last,
        event.until, event.said.source or None, event.said.start, event.said.end, event.said.text or None,
        encoded(event).decode(),
    ]  # fmt: skip


def _opened(path: str, read_only: bool) -> duckdb.DuckDBPyConnection:
    import duckdb

    try:
        return duckdb.connect(path, read_only=read_only)
    except (duckdb.IOException, duckdb.InvalidInputException, duckdb.SerializationException) as error:
        busy = "lock" in str(error).lower()
        hint = "another process has it open; close that one first" if busy else "is the path right?"
        raise _refused(path, "cannot be opened as a file of events", hint) from None


def _refused(path: str, what: str, hint: str) -> RequestError:
    return RequestError([Problem(Place(path), "R510", what, hint)])
