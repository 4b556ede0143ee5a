"""What a turn says about turns before it: it puts a number right, takes something back, says which medicine was meant, or tells a
dose by the one before ("I meant 25, not 50", "scratch that", "the lisinopril, I mean", "half of it now")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from safety.knowledge.language import Language
from safety.memory.events import Act, Event, Provenance
from safety.memory.subjects import Understanding
from safety.memory.values import Dose
from safety.model.directions import amount_in_words
from safety.model.patient import Medication
from safety.model.quantity import Quantity
from safety.reading.spoken.words import Plainly
from safety.reading.wording import alone, any_of
from safety.text import lowered, printable

_PUT_RIGHT = frozenset({"taking", "started", "prescribed", "changed", "resumed"})
"""What is told of a medicine that a later turn may put right, and as which the right thing may be told."""
_LONGEST = 2000


class Righted(Struct, frozen=True):
    """What was told, told right; and what else the turn says."""

    event: Event
    rest: str


class Righting:
    """Reads what is said of earlier turns by the lists of one language; made once, never changed."""

    def __init__(self, language: Language, understanding: Understanding, plainly: Plainly) -> None:
        self._understanding = understanding
        self._numbers = language.meaning("numbers")
        number = rf"(?:\d+(?:\.\d+)?|{any_of(self._numbers)})"
        self._correction = re.compile(
            rf"(?<![\w.])(?P<new>{number})(?![\w.-])[^,.;]*[,;]?\s+not\s+(?P<old>{number})(?![\w-]|\.\d)", re.I
        )
        self._cue = alone(language.words("puts-right-what-was-told"))
        own = r"(?:(?:the|my|to|from)\s+)?"
        self._not_that_one = re.compile(rf"(?<![\w-])not\s+{own}(?P<old>[\w-]+)(?![\w-])", re.I)
        did = any_of(language.words("did-that-to-somebody"))
        self._did_it = re.compile(
            rf"(?<![\w-])(?:it|that)(?:['’]s|\s+is|\s+was)\s+(?:actually\s+|really\s+)?{own}(?P<new>[\w-]+)\s+(?:that|which|what)\s+{did}"
            rf"|(?<![\w-])(?P<new2>[\w-]+)\s+(?:is|was)\s+(?:what|the\s+one\s+that|the\s+one)\s+{did}",
            re.I,
        )
        self._back = alone(language.words("takes-back-what-was-told"))
        self._wrongly = any_of(language.words("before-what-was-told-by-mistake"))
        pieces = any_of(language.words("words-for-a-medicine"))
        self._pieces = re.compile(rf"(?P<n>\d+(?:\.\d+)?)\s+{pieces}", re.I)
        self._moves, self._plainly = language.meaning("moved-by-so-much"), plainly
        ahead, behind = (any_of(w for w, how in self._moves.items() if how.endswith("behind") == at) for at in (False, True))
        unit = rf"(?:\s*(?P<u>{any_of(language.words('units-pointed-by'))})(?![\w/]))?"
        number, other = (
            r"(?<![\w./-])(?P<n>\d+(?:\.\d+)?)(?![\w/%]|\.\d)",
            any_of(
                [
                    *language.words("counted-beside-a-number"),
                    *language.meaning("time-units"),
                    *language.words("measured-of-a-body"),
                ]
            ),
        )
        goes_on = any_of(language.words("goes-on-behind-a-bare-dose"))
        self._raised = re.compile(rf"(?<![\w-])(?P<how>{ahead})\s+{number}{unit}(?!\s+{other}(?![\w-]))", re.I)
        self._taken_off = re.compile(rf"{number}{unit}\s+(?P<how>{behind})(?=\s*(?:[,.;!]|\Z)|\s+{goes_on}(?![\w-]))", re.I)
        self._as_earlier = alone(language.words("as-it-was-dosed-before"))
        self._relative = language.meaning("relative-doses")
        self._of_before = re.compile(rf"(?<![\w-])(?P<how>{any_of(self._relative)})(?![\w-])", re.I)

    # -------------------------------------------------------------- one number for another

    def numbers(self, text: str, blank: Event, earlier: Sequence[Event]) -> Righted | None:
        """What was told with one number, told with the other ("25, not 50"); None where nothing told last had that number."""
        hit = self._correction.search(text)
        if hit is None:
            return None
        new, old = (self._numbers.get(hit[part].lower(), hit[part]) for part in ("new", "old"))
        number = re.compile(rf"(?<![\d.]){re.escape(old)}(?![\d.])")
        found = {e.id: e for e in earlier if e.medicine is not None and len(number.findall(e.medicine.text)) == 1}
        newest = [e for e in found.values() if e.turn == max(one.turn for one in found.values())]
        if len(newest) != 1 or newest[0].medicine is None:
            return None
        words = Provenance(blank.said.source, hit.start(), hit.end(), printable(text, _LONGEST))
        medicine = Medication(number.sub(new, newest[0].medicine.text))
        return Righted(_again(newest[0], blank, medicine, words), f"{text[: hit.start()]} {text[hit.end() :]}")

    # -------------------------------------------------------------- the events of a turn, beside those before

    def settled(self, text: str, said: Sequence[Event], blank: Event, earlier: Sequence[Event]) -> Iterator[Event]:
        """The events of a turn as they stand beside those before it."""
        taken_back = self._back.search(text)
        if taken_back is not None and not any(e.medicine is not None for e in said):
            last = [e.id for e in earlier if e.turn == max(one.turn for one in earlier)]
            if last:
                words = replace(blank.said, start=taken_back.start(), end=taken_back.end(), text=printable(text, _LONGEST))
                yield replace(blank, says="retracted", retracts=tuple(last), said=words)
        cue = self._cue.search(text) is not None and self._correction.search(text) is None
        wrong = self._allergy_told_wrong(text, earlier)
        if wrong is not None and (right := self._what_did_it(text)):
            words = replace(blank.said, start=0, end=len(text), text=printable(text, _LONGEST))
            yield replace(blank, says="retracted", retracts=(wrong.id,), said=words)
            yield replace(blank, says="allergic", allergy=right, said=words)
            said = [e for e in said if not e.allergy and not self._is_named_as(e, right)]
        right_now = self._without_the_wrong(said, text, earlier) if cue else list(said)
        yield from self._told_by_mistake(said, right_now, text, blank, earlier)
        for event in right_now:
            event = self._by_an_earlier_dose(self._by_the_dose_before(event, earlier), earlier)
            yield self._put_right(event, text, earlier) if cue else event
        if not any(e.medicine is not None for e in said):
            yield from self._back_to_before(text, blank, earlier)
        yield from self._meant(text, said, blank, earlier)

    def _allergy_told_wrong(self, text: str, earlier: Sequence[Event]) -> Event | None:
        """The allergy that was told and is taken back for another: "it was codeine that did that, not sulfa"."""
        hit = self._not_that_one.search(text)
        if hit is None or "?" in text:
            return None
        meant = self._understanding.allergy(hit["old"])
        told = (e for e in reversed(earlier) if e.allergy and e.says == "allergic")
        return next((e for e in told if self._understanding.allergy(e.allergy or "").key == meant.key), None)

    def _what_did_it(self, text: str) -> str:
        """What is told in its place to be what somebody reacts to; empty where that is nothing that is known."""
        hit = self._did_it.search(text)
        what = hit["new"] or hit["new2"] if hit is not None else ""
        return what if what and self._understanding.allergy(what).sure != "unknown" else ""

    def _is_named_as(self, event: Event, allergy: str) -> bool:
        """Whether an event tells of the medicine that an allergy is to."""
        if event.medicine is None:
            return False
        return bool(set(self._understanding.medicine(event.medicine).drugs) & set(self._understanding.allergy(allergy).drugs))

    def _back_to_before(self, text: str, blank: Event, earlier: Sequence[Event]) -> Iterator[Event]:
        """The earlier dose that a text without a name tells of the one medicine that was told of last: "back to my old dose"."""
        told = [e for e in earlier if e.medicine is not None]
        last = [e for e in told if e.turn == told[-1].turn]
        keys = {self._understanding.medicine(e.medicine).key for e in last if e.medicine is not None}
        if len(keys) != 1 or "?" in text or self._as_earlier.search(text) is None:
            return
        words = replace(blank.said, start=0, end=len(text), text=printable(text, _LONGEST))
        found = self._by_an_earlier_dose(
            replace(blank, says="changed", medicine=last[-1].medicine, said=words), earlier, bare=True
        )
        if found.medicine is not None and found.medicine is not last[-1].medicine:
            yield found

    def _last(self, name: str, earlier: Sequence[Event]) -> Event | None:
        """The last event that tells how a medicine is taken."""
        fitting = (
            e for e in reversed(earlier)
            if e.medicine is not None and e.says in _PUT_RIGHT and self._understanding.medicine(e.medicine).name == name
        )  # fmt: skip
        return next(fitting, None)

    def _put_right(self, event: Event, text: str, earlier: Sequence[Event]) -> Event:
        """What is told right, in the place of what was told: its dose or how often, and the rest as it was."""
        if event.medicine is None or event.says != "taking" or not (event.medicine.dose or event.medicine.frequency):
            return event
        name = self._understanding.medicine(event.medicine).name
        before = self._last(name, earlier) or self._instead_of(name, text, earlier)
        if before is None or before.medicine is None:
            return event
        was, now = before.medicine, event.medicine
        dose, often = now.dose or was.dose, now.frequency or was.frequency
        text = " ".join(part for part in (now.drug, dose, now.route or was.route, often) if part)
        whole = replace(now, text=text, dose=dose, frequency=often, route=now.route or was.route, days=now.days or was.days)
        return _again(before, event, whole, event.said)

    def _instead_of(self, name: str, text: str, earlier: Sequence[Event]) -> Event | None:
        """The event of another medicine that was told by mistake: "it's this one, not that one"."""
        for event in reversed(earlier):
            if event.medicine is None or event.says not in _PUT_RIGHT:
                continue
            if self._understanding.medicine(event.medicine).name != name and self._is_told_wrong(event.medicine, text):
                return event
        return None

    def _is_told_wrong(self, medicine: Medication, text: str) -> bool:
        names = any_of({self._understanding.medicine(medicine).name, medicine.drug or medicine.text})
        return re.search(rf"\b(?:{self._wrongly})\s+(?:\w+\s+)?{names}(?![\w-])", text, re.I) is not None

    def _without_the_wrong(self, said: Sequence[Event], text: str, earlier: Sequence[Event]) -> list[Event]:
        """What a turn tells but for what it names as told by mistake."""
        known = {self._understanding.medicine(e.medicine).key for e in earlier if e.medicine is not None}

        def wrong(event: Event) -> bool:
            medicine = event.medicine
            return (
                medicine is not None
                and self._understanding.medicine(medicine).key in known
                and self._is_told_wrong(medicine, text)
            )

        return [event for event in said if not wrong(event)]

    def _told_by_mistake(
        self, said: Sequence[Event], right: Sequence[Event], text: str, blank: Event, earlier: Sequence[Event]
    ) -> Iterator[Event]:
        """The taking back of what was told by mistake, where another medicine is told in its place: "it's this, not that"."""
        if len(right) == len(said) or not any(e.medicine is not None and e.says in _PUT_RIGHT for e in right):
            return
        wrong = {self._understanding.medicine(e.medicine).key for e in said if e.medicine is not None and e not in right}
        told = [e for e in earlier if e.medicine is not None and self._understanding.medicine(e.medicine).key in wrong]
        ids = tuple(e.id for e in told if e.says in _PUT_RIGHT)
        if ids:
            words = replace(blank.said, start=0, end=len(text), text=printable(text, _LONGEST))
            yield replace(blank, says="retracted", retracts=ids, said=words)

    def _by_the_dose_before(self, event: Event, earlier: Sequence[Event]) -> Event:
        """A dose that is told by the one before: "half of it", "he doubled it"."""
        if event.medicine is None or event.says not in ("changed", "taking", "irregular", "resumed", "prescribed"):
            return event
        moved = self._moved_by(event, earlier)
        if moved is not None:
            return moved
        part = self._part_told(event) if event.says != "resumed" else None
        if part is not None and event.says == "prescribed" and self._understanding.is_dosed(event.medicine):
            return event
        if part is None:
            return event
        before = self._last(self._understanding.medicine(event.medicine).name, earlier)
        was = self._understanding.medicine(before.medicine).regimen.dose if before is not None and before.medicine else None
        if was is None or (event.medicine.dose and not self._is_of_one(before, was)):
            return event
        dose = amount_in_words(_times(was, part).amount)
        text = " ".join(word for word in (event.medicine.drug, dose, event.medicine.frequency) if word)
        return replace(event, says="changed", medicine=replace(event.medicine, text=text, dose=dose))

    def _moved_by(self, event: Event, earlier: Sequence[Event]) -> Event | None:
        """A dose that is told by how much it was raised or lowered, "went up by four"; None where it is not."""
        said = self._plainly.in_digits(event.said.text).text
        hit = self._raised.search(said) or self._taken_off.search(said)
        if hit is None or event.medicine is None:
            return None
        before = self._last_dosed(self._understanding.medicine(event.medicine).name, earlier)
        was = self._dose_of(before) if before is not None else None
        if was is None or was.amount[0] != was.amount[1]:
            return None
        by, how = Decimal(hit["n"]), self._moves[" ".join(lowered(hit["how"]).split())]
        value = was.amount[1].value + (by if how.startswith("up") else -by)
        dose = Quantity(value, was.amount[1].unit)
        named = hit["u"]
        sold = value > 0 and (self._understanding.is_sold(self._understanding.medicine(event.medicine).name, dose) or named)
        if not sold or (named and self._understanding.units.symbol(named) != dose.unit):
            return None
        told, name = amount_in_words((dose, dose)), event.medicine.drug or self._understanding.medicine(event.medicine).name
        text = " ".join(word for word in (name, told, event.medicine.frequency) if word)
        return replace(event, says="changed", medicine=replace(event.medicine, text=text, drug=name, dose=told))

    def _last_dosed(self, name: str, earlier: Sequence[Event]) -> Event | None:
        """The last event that tells the dose of a medicine."""
        own = (e for e in reversed(earlier) if e.says in _PUT_RIGHT and self._dose_of(e) is not None)
        return next((e for e in own if e.medicine is not None and self._understanding.medicine(e.medicine).name == name), None)

    def _by_an_earlier_dose(self, event: Event, earlier: Sequence[Event], *, bare: bool = False) -> Event:
        """A dose that is told as the one of before, "back to what I had before": the last other one; of what was not taken for a
        while, the one that it had when it was."""
        if event.medicine is None or event.says not in (*_PUT_RIGHT, "irregular") or (event.medicine.dose and not bare):
            return event
        if self._as_earlier.search(event.said.text) is None:
            return event
        name = self._understanding.medicine(event.medicine).name
        own = [e for e in earlier if e.medicine is not None and self._understanding.medicine(e.medicine).name == name]
        dosed = [e for e in own if e.says in _PUT_RIGHT and e.medicine is not None and self._dose_of(e) is not None]
        if not dosed or dosed[-1].medicine is None:
            return event
        paused = own[-1].says in ("held", "stopped", "denies", "irregular")
        now = self._dose_of(dosed[-1])
        before = dosed[-1] if paused else next((e for e in reversed(dosed) if self._dose_of(e) != now), None)
        if before is None or before.medicine is None:
            return event
        says: Act = "resumed" if paused and own[-1].says != "irregular" else "changed"
        return replace(event, id="", says=says, medicine=replace(before.medicine, stopped=False, days=None))

    def _dose_of(self, event: Event) -> Dose | None:
        return self._understanding.medicine(event.medicine).regimen.dose if event.medicine is not None else None

    def _part_told(self, event: Event) -> Fraction | None:
        """How many times the dose before is told: "double", or so many tablets."""
        if event.medicine is not None and event.medicine.dose:
            pieces = self._pieces.fullmatch(event.medicine.dose)
            return Fraction(pieces["n"]) if pieces is not None else None
        found = self._of_before.search(event.said.text)
        return Fraction(self._relative[" ".join(lowered(found["how"]).split())]) if found is not None else None

    def _is_of_one(self, before: Event | None, dose: Dose) -> bool:
        """Whether a dose that was told is that of one tablet: it is sold so, and nothing else was told of the tablet."""
        if before is None or before.medicine is None or dose.amount[0] != dose.amount[1]:
            return False
        meant = self._understanding.medicine(before.medicine)
        return meant.each is None and self._understanding.is_sold(meant.name, dose.amount[1])

    # -------------------------------------------------------------- which of several was meant

    def _meant(self, text: str, said: Sequence[Event], blank: Event, earlier: Sequence[Event]) -> Iterator[Event]:
        """Once one of several is named, what was said of "it" is of that one; where that is as it was before, of the other."""
        done = {back for e in earlier for back in (*e.corrects, *e.retracts)}
        open_ = [e for e in earlier if e.among and e.id not in done]
        latest = [e for e in open_ if e.turn == max(one.turn for one in open_)]
        if not latest:
            return
        named = {n for n in latest[0].among if re.search(rf"(?<![\w-]){re.escape(n)}(?![\w-])", text, re.I)}
        told = {self._understanding.medicine(e.medicine).name: e for e in said if e.medicine is not None and not e.among}
        named |= told.keys() & set(latest[0].among)
        if len(named) != 1:
            return
        (name,) = named
        own = told.get(name)
        if own is None:
            meant = {name}
        elif own.says == latest[0].says:
            meant = set()
        else:
            meant = set(latest[0].among) - named if len(latest[0].among) == len({*named, name}) + 1 else set()
        words = replace(blank.said, text=printable(text, _LONGEST))
        back = tuple(e.id for e in latest)
        again = [e for e in latest if e.medicine is not None and self._understanding.medicine(e.medicine).name in meant]
        for event in again:
            yield replace(event, id="", turn=blank.turn, told=blank.told, by=blank.by, when=event.when or None, said=words,
                          among=(), corrects=back)  # fmt: skip
        if not again:
            yield replace(blank, says="retracted", retracts=back, said=words)


def _again(before: Event, blank: Event, medicine: Medication, words: Provenance) -> Event:
    """What was told before, told right in a later turn."""
    return replace(
        before, id="", turn=blank.turn, told=blank.told, by=blank.by, medicine=medicine, corrects=(before.id,), said=words
    )


def _times(dose: Dose, part: Fraction) -> Dose:
    factor = Decimal(part.numerator) / Decimal(part.denominator)
    low, high = (Quantity(q.value * factor, q.unit) for q in dose.amount)
    return Dose((low, high))
