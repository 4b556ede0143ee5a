"""A patient's events, arbitrated: what was believed of any day, knowing what was known by any turn or day."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from datetime import date
from functools import cached_property
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from safety.errors import Place, Problem, RequestError
from safety.memory.doubts import Doubt
from safety.memory.events import Event, Known
from safety.memory.folding import Operation, Slots, applied
from safety.memory.subjects import Line, Meant, Understanding, in_units_of_one, is_local
from safety.model.quantity import Quantity


class Held(Struct):
    """One line: its events in the order in which they came to be known, and its slots after each of them."""

    line: Line
    name: str
    events: list[tuple[int, Event, Meant]]
    places: list[int]
    versions: list[Slots]

    def version(self, known: int) -> int:
        """How many of its versions were known after the first so many events of the patient."""
        return bisect_right(self.places, known - 1)

    def slots(self, known: int) -> Slots | None:
        """The slots after the first so many events of the patient; None where none of them is about this line."""
        found = self.version(known)
        return self.versions[found - 1] if found else None


class Measured(Struct, frozen=True):
    """A result: its place in the order of knowing, its event, and what was measured."""

    place: int
    event: Event
    meant: Meant


class History:
    """Everything that was told of one patient. Immutable: `with_events` gives another.

    The same events, in whatever order and however often they arrive, are the same history.
    """

    def __init__(self, events: Iterable[Event], understanding: Understanding) -> None:
        self.understanding = understanding
        self.events: tuple[Event, ...] = _each_once(events)
        self.operations: list[Operation] = []
        self.lines: dict[Line, Held] = {}
        self.results: dict[Line, list[Measured]] = {}
        self.gone: dict[str, int] = {}
        """Events that no longer count, with the place of the event that took them back."""
        self.doubted: dict[tuple[Line, int], tuple[Doubt, ...]] = {}
        """What was found of a line as it was known then, kept because it is asked for often; it follows from the events."""
        self._where: dict[str, tuple[Line, ...]] = {}
        self._by_drugs: dict[tuple[str, ...], list[Line]] = {}
        for place, event in enumerate(self.events):
            self._take_in(place, event)
        for measured in self.results.values():
            measured.sort(key=lambda m: (m.event.at.last, m.place))

    def with_events(self, events: Iterable[Event]) -> History:
        """The history with more events in it."""
        return History((*self.events, *events), self.understanding)

    def known(self, known: Known) -> int:
        """How many events were known by the end of a turn or a day."""
        if known is None:
            return len(self.events)
        if isinstance(known, date):
            return bisect_right(self._days, known)
        return bisect_right(self._turns, known)

    @cached_property
    def _days(self) -> list[date]:
        return [e.told for e in self.events]

    @cached_property
    def _turns(self) -> list[int]:
        return [e.turn for e in self.events]

    # -------------------------------------------------------------- taking in one event

    def _take_in(self, place: int, event: Event) -> None:
        for back in (*event.corrects, *event.retracts):
            self._take_back(place, back)
        meant = self.understanding.meant(event)
        if meant is None:
            return
        if meant.kind == "result":
            line = Line("result", meant.key)
            self.results.setdefault(line, []).append(Measured(place, event, meant))
            self._where[event.id] = (line,)
            return
        lines = self._lines_of(event, meant)
        self._where[event.id] = lines
        for line, softened in zip(lines, self._softened(event, lines, meant), strict=True):
            held = self.lines.get(line)
            if held is None:
                held = self.lines[line] = Held(line, meant.name, [], [], [])
                self._by_drugs.setdefault(meant.drugs, []).append(line)
            meant_here = in_units_of_one(meant, self._each_known(held, place))
            held.events.append((place, softened, meant_here))
            before = held.versions[-1] if held.versions else Slots()
            after, done = applied(before, softened, meant_here, self.understanding.units)
            held.places.append(place)
            held.versions.append(after)
            self.operations += done

    def _each_known(self, held: Held, place: int) -> Quantity | None:
        """What one tablet of a medicine was told to hold last."""
        return next((m.each for _, _, m in reversed(self.counting(held, place)) if m.each is not None), None)

    def _take_back(self, place: int, back: str) -> None:
        """From now on an event does not count: its lines are worked out without it; what was believed before stays."""
        self.gone.setdefault(back, place)
        for line in self._where.get(back, ()):
            held = self.lines.get(line)
            if held is None:
                continue
            slots = Slots()
            for _, event, meant in self.counting(held, place + 1):
                slots, _ = applied(slots, event, meant, self.understanding.units)
            held.places.append(place)
            held.versions.append(slots)

    def counting(self, held: Held, known: int) -> list[tuple[int, Event, Meant]]:
        """The events of a line that are known and not taken back, of the first so many events of the patient."""
        gone = self.gone
        return [one for one in held.events if one[0] < known and gone.get(one[1].id, known) >= known]

    def _lines_of(self, event: Event, meant: Meant) -> tuple[Line, ...]:
        """The line that an event is about; several where it denies all of a kind, or a part of a combination."""
        if meant.kind == "condition":
            return (Line("condition", meant.key),)
        if meant.kind == "allergy":
            known = tuple(line for line in self.lines if line.kind == "allergy" and line.key != "*")
            return known or (Line("allergy", "*"),) if meant.key == "*" else (Line("allergy", meant.key),)
        own = self.medicine_line(meant)
        if event.says in ("stopped", "denies", "held") and own not in self.lines and len(meant.drugs) == 1:
            wider = tuple(line for line in self._holding(meant.drugs[0]))
            return wider or (own,)
        if event.says in ("stopped", "denies", "held") and own not in self.lines and len(meant.drugs) > 1:
            return self._each_part(meant.drugs) or (own,)
        return (own,)

    def _each_part(self, drugs: tuple[str, ...]) -> tuple[Line, ...]:
        """The lines of the ingredients of a product, each of which was told by itself in one and the same turn."""
        lines = [line for d in drugs for line in self._by_drugs.get((d,), ())]
        turns = {self.lines[line].events[0][1].turn for line in lines}
        return tuple(lines) if len(lines) == len(drugs) and len(turns) == 1 else ()

    def medicine_line(self, meant: Meant) -> Line:
        """The line of a medicine: by ingredients and route; a route that is not told is that of the line there is."""
        if meant.one_of and meant.drugs not in self._by_drugs:
            meant_ones = [line for d in meant.one_of for line in self._by_drugs.get((d,), ())]
            if len(meant_ones) == 1:
                return meant_ones[0]
        if not meant.drugs:
            return Line("medicine", meant.key)
        if len(meant.routes) == 1:
            return Line("medicine", meant.key, meant.routes[0] if is_local(meant.routes) else "")
        local = [r for r in meant.routes if is_local((r,))]
        systemic = len(local) < len(meant.routes) or not meant.routes
        known = [line for line in self._by_drugs.get(meant.drugs, ()) if line.route in local or (systemic and not line.route)]
        alike = [
            line for line in known if meant.form is not None and any(m.form == meant.form for _, _, m in self.lines[line].events)
        ]
        if len(known) == 1 or len(alike) == 1:
            return (alike if len(alike) == 1 else known)[0]
        return Line("medicine", meant.key, "" if systemic else local[0])

    def _has_form(self, line: Line, form: str) -> bool:
        return any(m.form == form for _, _, m in self.lines[line].events)

    def _holding(self, drug: str) -> Iterator[Line]:
        """Lines of combinations with this ingredient."""
        for drugs, lines in self._by_drugs.items():
            if len(drugs) > 1 and drug in drugs:
                yield from lines

    def _softened(self, event: Event, lines: tuple[Line, ...], meant: Meant) -> tuple[Event, ...]:
        """The event as each line takes it: a stop of one part of a combination says only that this part is not taken."""
        own = meant.kind != "medicine" or not meant.drugs or lines[0].key in (meant.key, *meant.one_of)
        whole = len(lines) == len(meant.drugs) > 1 or (len(lines) == 1 and own)
        softer = event if whole or event.says not in ("stopped", "held") else replace(event, says="denies")
        return (softer,) * len(lines)


def _each_once(events: Iterable[Event]) -> tuple[Event, ...]:
    """Every event once, in the order in which they came to be known. Raises RequestError where one id tells two things."""
    found: dict[str, Event] = {}
    problems: list[Problem] = []
    for event in events:
        before = found.setdefault(event.id, event)
        if before != event:
            hint = "an event is never changed: tell a new one that `corrects` it"
            problems.append(Problem(Place("events"), "R502", f"two different events have the id `{event.id}`", hint))
    if problems:
        raise RequestError(problems)
    ordered = tuple(sorted(found.values(), key=lambda e: e.order))
    for earlier, later in pairwise(ordered):
        if later.turn < earlier.turn:
            hint = "turns count up as days go by"
            text = f"turn {later.turn} was told on {later.told}, after turn {earlier.turn} on {earlier.told}"
            raise RequestError([Problem(Place("events"), "R503", text, hint)])
    return ordered
