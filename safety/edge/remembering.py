"""What was said in one turn → events, for a history of the patient: the statements in it, each with when and in which words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date

from msgspec.structs import replace

from safety.edge.pointing import Pointing
from safety.edge.stating import Stater
from safety.knowledge.language import Language
from safety.memory.events import Act, Authority, Event, Provenance, event_id
from safety.memory.statements import Manner, Statement
from safety.model.patient import Medication
from safety.reading.wording import any_of
from safety.text import printable

_MEDICINES: dict[Manner, Act] = {
    "taking": "taking", "partly": "irregular", "stopped": "stopped", "denied": "denies", "missed": "irregular",
    "considering": "considers", "prescribed": "prescribed", "asking": "asks",
}  # fmt: skip
_CONDITIONS: dict[Manner, Act] = {"has": "has", "over": "resolved", "denied": "denies", "suspected": "suspected"}
_LONGEST = 2000


class Remembering:
    """Turns what is said into events by the words of one language; made once, never changed."""

    def __init__(self, language: Language, stater: Stater) -> None:
        self._stater = stater
        told = language.meaning("changes-in-talk")
        self._own = re.compile(rf"(?<![\w-]){any_of(language.words('mine'))}(?![\w-])", re.I)
        self._changes: list[tuple[Act, re.Pattern[str]]] = [
            (act, re.compile(rf"(?<![\w-]){any_of([w for w, meaning in told.items() if meaning == act])}(?![\w-])", re.I))
            for act in ("held", "changed", "resumed", "started")
        ]
        self._stopped = re.compile(rf"(?<![\w-]){any_of(language.words('stopped-for-a-reaction'))}(?![\w-])", re.I)
        self._pointing = Pointing(language, stater.understanding)

    def events(
        self, text: str, told: date, turn: int, by: Authority = "patient", source: str = "", before: Iterable[Event] = ()
    ) -> tuple[Event, ...]:  # fmt: skip
        """The events of one turn, said on a day; what is no statement about the patient is none.

        `before`: what was told until then; "it" and the like mean a medicine of that.
        """
        earlier = tuple(before)
        found: list[Event] = []
        rest, corrected = text, self._pointing.corrected(text, earlier)
        if corrected is not None:
            one, rest = corrected
            words = Provenance(source, text=printable(text, _LONGEST))
            one = replace(one, id="", turn=turn, told=told, by=by, said=words)
            found.append(replace(one, id=event_id(one)))
        spelled = self._pointing.spelled_out(rest, self._stater.first_named(rest), self._pointing.before(earlier))
        said = self._stater.narrative(spelled, told).statements
        found += [e for s in said for e in self._event(s, text, told, turn, by, source)]
        return tuple(dict.fromkeys(found))

    def _event(
        self, said: Statement, text: str, told: date, turn: int, by: Authority, source: str
    ) -> Iterator[Event]:  # fmt: skip
        words = Provenance(source, text=printable(text, _LONGEST))
        blank = Event("", turn, told, by, "taking", when=said.when, said=words)
        made: Event | None = None
        if said.kind == "medicine" and said.medicine is not None and said.manner in _MEDICINES:
            made = replace(blank, says=self._act(_MEDICINES[said.manner], text), medicine=said.medicine)
            made = replace(made, medicine=replace(said.medicine, stopped=False))
        elif said.kind in ("condition", "pregnancy") and said.manner in _CONDITIONS:
            made = replace(blank, says=_CONDITIONS[said.manner], condition=said.name)
        elif said.kind == "allergy":
            act: Act = "denies" if said.manner == "denied" else "allergic"
            made = replace(blank, says=act, allergy="all" if said.key in ("*", "drugs") else said.name)
            if act == "allergic" and said.drugs and self._stopped.search(said.reaction):
                stopped = replace(blank, says="stopped", medicine=Medication(said.name))
                yield replace(stopped, id=event_id(stopped))
        elif said.kind == "result":
            made = replace(blank, says="measured", test=said.name, value=said.value, unit=said.unit)
        if made is not None:
            yield replace(made, id=event_id(made))

    def _act(self, act: Act, text: str) -> Act:
        """What the words of a turn say beside: what is taken is new, changed or taken again; what is stopped is only held.

        Who asks about their own medicine takes it for granted that it is taken.
        """
        if act == "asks":
            return act if self._own.search(text) else "considers"
        fitting: tuple[Act, ...] = ()
        if act in ("stopped", "taking"):
            fitting = ("held",) if act == "stopped" else ("changed", "resumed", "started")
        return next((one for one, words in self._changes if one in fitting and words.search(text)), act)
