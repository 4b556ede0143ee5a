"""Events on disk: only ever added, and what was acknowledged is there whatever happens to the process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from conftest import REPO, refusal

from safety.memory.events import Event, Provenance, Time, decoded, encoded, event_id
from safety.memory.store import EventStore
from safety.model.patient import Medication


def event(n: int, text: str = "metformin 500 mg", **more: object) -> Event:
    made = Event("", n, date(2026, 1, 1), "patient", "taking", Medication(text), **more)  # type: ignore[arg-type]
    return Event(**{**{f: getattr(made, f) for f in made.__struct_fields__}, "id": event_id(made)})


def test_what_is_added_is_there_as_it_was_told(tmp_path: Path) -> None:
    told = event(1, when=Time(date(2025, 12, 1), date(2025, 12, 31)), why="cough", said=Provenance("visit.txt", 3, 9, "I take"))
    with EventStore(tmp_path / "m.duckdb") as store:
        assert store.add("p", [told]) == (told.id,)
    with EventStore(tmp_path / "m.duckdb", read_only=True) as store:
        assert store.events("p") == (told,)
        assert store.events("q") == ()
        assert store.patients() == ("p",)


def test_an_event_is_the_same_after_its_line_of_json() -> None:
    told = event(7, when=Time(date(2025, 12, 1), date(2025, 12, 31)), corrects=("x",))
    assert decoded(encoded(told)) == told
    assert event_id(told) == told.id


def test_the_same_event_again_is_none_and_another_under_its_id_is_refused(tmp_path: Path) -> None:
    first, other = event(1), event(2)
    clash = Event(first.id, 3, date(2026, 1, 3), "patient", "stopped", Medication("metformin"))
    with EventStore(tmp_path / "m.duckdb") as store:
        store.add("p", [first])
        assert store.add("p", [first, other, other]) == (other.id,)
        refused = refusal(lambda: store.add("p", [event(9), clash]))
        assert refused is not None
        assert refused[0].code == "R510"
        assert store.events("p") == (first, other)  # nothing of a call that is refused


def test_there_is_no_way_to_change_or_delete() -> None:
    public = {name for name in vars(EventStore) if not name.startswith("_")}
    assert public == {"add", "events", "patients", "last_turn", "close"}


def test_what_was_known_by_a_turn_or_a_day(tmp_path: Path) -> None:
    events = [event(n) for n in (1, 2, 3)]
    with EventStore(tmp_path / "m.duckdb") as store:
        store.add("p", events)
        assert store.events("p", 2) == tuple(events[:2])
        assert store.events("p", date(2025, 12, 31)) == ()
        assert store.events("p", date(2026, 1, 1)) == tuple(events)
        assert store.last_turn("p") == 3
        assert store.last_turn("nobody") == 0


def test_a_file_that_is_none_of_ours_is_refused_with_a_hint(tmp_path: Path) -> None:
    strange = tmp_path / "notes.duckdb"
    strange.write_text("not a database at all, but long enough to be read as one" * 200)
    refused = refusal(lambda: EventStore(strange))
    assert refused is not None
    assert refused[0].hint


WRITER = """
import sys
from datetime import date
from safety.memory.events import Event
from safety.memory.store import EventStore
from safety.model.patient import Medication
with EventStore(sys.argv[1]) as store:
    n = int(sys.argv[2])
    while True:
        batch = [Event(f"{n}-{k}", n, date(2026, 1, 1), "patient", "taking", Medication(f"metformin {n} mg")) for k in range(3)]
        store.add("p", batch)
        print(n, flush=True)  # acknowledged
        n += 1
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_process_that_is_killed_while_it_writes_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "m.duckdb"
    acknowledged: list[int] = []
    for _ in range(4):
        begin = len(acknowledged) * 10 + 1 if not acknowledged else acknowledged[-1] + 2
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(begin)],
            stdout=subprocess.PIPE,
            cwd=REPO,
            env=os.environ | {"PYTHONPATH": str(REPO)},
        )
        assert writer.stdout is not None
        for _ in range(25):
            acknowledged.append(int(writer.stdout.readline()))
        writer.send_signal(signal.SIGKILL)  # in the middle of whatever it does
        acknowledged += [int(line) for line in writer.stdout.read().split()]
        writer.wait()
        with EventStore(path, read_only=True) as store:
            held = [e.id for e in store.events("p")]
        for n in acknowledged:
            assert {f"{n}-{k}" for k in range(3)} <= set(held)
        whole = {i.partition("-")[0] for i in held}
        assert len(held) == 3 * len(whole)  # no half of a call
