"""What was said in one turn → events, for a history of the patient: the statements in it, each with when and in which words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from msgspec.structs import replace

from safety.edge.caring import Caring
from safety.edge.counting import Counting
from safety.edge.describing import Describing
from safety.edge.numbering import Numbering
from safety.edge.pointing import Before, Pointing, Spelled
from safety.edge.reporting import Reporting, Segment
from safety.edge.righting import Righting
from safety.edge.shortening import Shortening
from safety.edge.stating import Stater
from safety.edge.switching import Switching
from safety.knowledge.language import Language
from safety.memory.events import Act, Authority, Event, Provenance, event_id
from safety.memory.statements import Manner, Statement
from safety.model.patient import Medication
from safety.reading.wording import alone, any_of
from safety.text import lowered, printable

_MEDICINES: dict[Manner, Act] = {
    "taking": "taking", "beyond": "taking", "partly": "irregular", "stopped": "stopped", "denied": "denies",
    "missed": "irregular", "considering": "considers", "prescribed": "prescribed", "asking": "asks",
}  # fmt: skip
_CONDITIONS: dict[Manner, Act] = {"has": "has", "still": "has", "over": "resolved", "denied": "denies", "suspected": "suspected"}
_TOLD_AS_TAKEN = frozenset({"taking", "started", "changed", "prescribed", "resumed"})
_AGAIN = frozenset({"taking", "changed", "started"})
"""What is told of a medicine that was not to be taken for now, and so is taken again."""
_BEGUN_NOW = frozenset({"started", "prescribed", "taking", "resumed"})
_ONLY_PLANNED = frozenset({"considers", "denies", "asks"})
_BOTH = 2
_AFTER_SOME = re.compile(r"\bafter\s+(?:[\w-]+\s+){1,4}(?:of|on)\b", re.I)
"""Who reacted after so much of a medicine took it then, and takes it no more."""
_ENDED_BY_TALK = frozenset({"stopped", "denies", "held"})
_LONGEST = 2000


class Remembering:
    """Turns what is said into events by the words of one language; made once, never changed."""

    def __init__(self, language: Language, stater: Stater) -> None:
        self._stater = stater
        self._own, self._all_of_them = alone(language.words("mine")), alone(language.words("either-of-them"))
        self._unsure = alone(language.words("unsure-of-an-end"))
        self._corrects_itself = alone(language.words("corrects-itself-in-talk"))
        self._stopped = alone(language.words("stopped-for-a-reaction"))
        ends = any_of([w for w, act in language.meaning("keeps-or-ends").items() if act == "end"])
        one = any_of(language.words("one-of-two-in-talk"))
        self._ends_one = re.compile(
            rf"(?<![\w-]){ends}\s+(?:of\s+|taking\s+)?{one}(?=\s*(?:[.,;!]|\Z)|\s+(?:and|but|last|yesterday|today)\b)", re.I
        )
        self._pointing = Pointing(language, stater.understanding)
        self._switching = Switching(language, stater.understanding, stater.kinds)
        self._righting = Righting(language, stater.understanding, stater.plainly)
        self._caring = Caring(language)
        self._reporting = Reporting(language)
        self._numbering, self._counting = Numbering(language, stater.plainly), Counting(language, stater)
        self._describing = Describing(language, stater)
        self._shortening = Shortening(stater, stater.understanding.is_talk)
        whose = any_of([*language.words("mine"), *language.words("theirs"), "the"])
        self._left_only = re.compile(rf"(?<![\w-]){any_of(language.words('only-this-is-left'))}\s+(?:{whose}\s+)?(?=\w)", re.I)
        self._not_them = alone(language.words("mine-and-not-theirs"))
        self._anothers = re.compile(rf"(?<![\w-]){any_of(language.words('is-another-ones-own'))}(?=\s*(?:[.,;!]|\Z))", re.I)
        kin = language.meaning("chart-kin")
        self._kin = {pronoun: alone(who for who, he in kin.items() if he == pronoun) for pronoun in set(kin.values())}
        self._begins_with_them = re.compile(rf"\W*(?P<who>{any_of(self._kin)})(?![\w-])", re.I)
        self._so_another = alone(language.words("so-another-is-taken"))
        self._signs = alone(language.words("signs-of-an-allergy"))
        never, allergens = any_of(language.words("leads-to-never-again")), any_of(language.words("allergens-in-talk"))
        again = any_of(language.words("never-again-behind"))
        part = any_of([p for p in language.meaning("parts-of-the-day") if len(p) > 2])
        self._of_a_part = re.compile(rf"\b(?:{whose})\s+{part}(?:['’]s)?\s+(?:dose\s+(?:of\s+)?(?:the\s+|{whose}\s+)?)?\Z", re.I)
        self._relatives = alone(language.words("relatives-in-talk"))
        self._never_again = re.compile(
            rf"(?<![\w-]){never}\s+(?:(?:any|the|a|another)\s+)?(?:kind\s+of\s+)?(?P<of>{allergens})\s+(?:\w+\s+)?{again}(?![\w-])",
            re.I,
        )
        self._doubts, self._doubted_in = alone(language.words("doubts-that-it-is-taken")), stater.doubted

    def events(
        self, text: str, told: date, turn: int, by: Authority = "patient", source: str = "", before: Iterable[Event] = ()
    ) -> tuple[Event, ...]:  # fmt: skip
        """The events of one turn, said on a day; what is no statement about the patient is none.

        `before`: what was told until then; "it" and the like mean a medicine of that, and what it puts right is one of those.
        """
        plain, earlier = self._numbering.in_digits(text), tuple(before)
        found: list[Event] = []
        for short in self._shortening.spelled(plain.text, earlier):
            meant = self._describing.spelled(short.text, earlier)
            counted = self._counting.spelled(meant.text, earlier)
            made = self._events_of(counted.text, told, turn, by, source, earlier)
            made = [_in_words(e, counted, meant.text) for e in made] if counted.changes else made
            made = [_in_words(e, meant, short.text) for e in made] if meant.changes else made
            made = [_in_words(e, short, plain.text) for e in made] if short.changes else made
            found += (self._of_one_among(e, short.among) for e in made)
        return tuple(dict.fromkeys(_with_id(_in_words(e, plain, text) if plain.changes else e) for e in found))

    def _of_one_among(self, event: Event, among: tuple[str, ...]) -> Event:
        """An event of one of several medicines that its name, cut short, may mean."""
        if not among or event.medicine is None or self._stater.understanding.medicine(event.medicine).name not in among:
            return event
        return replace(event, among=among)

    def _events_of(
        self, text: str, told: date, turn: int, by: Authority, source: str, earlier: tuple[Event, ...]
    ) -> list[Event]:  # fmt: skip
        """The events of one turn; what is told of somebody who is cared for is told of the patient."""
        cared = self._caring.of_the_patient(text, earlier) if by == "patient" else None
        if cared is not None:
            found = self._told(cared.text, Event("", turn, told, "caregiver", "taking", said=Provenance(source)), earlier)
            return [_in_words(e, cared, text) for e in found]
        return self._told(text, Event("", turn, told, by, "taking", said=Provenance(source)), earlier)

    def _told(self, text: str, blank: Event, earlier: Sequence[Event]) -> list[Event]:
        """The events of one turn, said as of the patient; each part of it by the one who is told to say it."""
        segments = self._reporting.segments(text, earlier)
        if all(one.by == "speaker" for one in segments):
            return self._of_one_speaker(text, blank, earlier)
        found: list[Event] = []
        for one in segments:
            part = text[one.start : one.end]
            told = self._of_one_speaker(part, blank, (*earlier, *map(_with_id, found)))
            found += (self._at_odds(_moved(e, one.start), one, part, (*earlier, *found)) for e in told)
        return found

    def _at_odds(self, event: Event, segment: Segment, part: str, before: Sequence[Event]) -> Event:
        """What one tells to be no more taken that another tells as taken stands beside that, and does not end it."""
        if segment.by == "speaker" or event.says not in _ENDED_BY_TALK or event.medicine is None or self._reporting.orders(part):
            return event
        if event.says == "stopped" and self._ended_since(event, part, before):
            return event
        name = self._stater.understanding.medicine(event.medicine).name
        taken = any(
            e.medicine is not None and e.says in _TOLD_AS_TAKEN and self._stater.understanding.medicine(e.medicine).name == name
            for e in before
        )
        return replace(event, says="denies") if taken and (segment.by == "near" or before[-1].turn == event.turn) else event

    def _ended_since(self, event: Event, part: str, before: Sequence[Event]) -> bool:
        """Whether an end is told that came after what was told of the medicine: on a later day, as something that was done."""
        last = self._last_of(event.medicine, before) if event.medicine is not None else None
        done = "end" in self._stater.clauses.turns_in(part) and not self._is_unsure(part)
        return last is not None and last.told < event.told and done

    def _of_one_speaker(self, text: str, blank: Event, earlier: Sequence[Event]) -> list[Event]:
        """The events of what one person tells."""
        righted = self._righting.numbers(text, blank, earlier)
        rest = text if righted is None else righted.rest
        said = self._said(rest, blank, earlier)
        found = [] if righted is None else [righted.event]
        found += (self._taken_again(e, earlier) for e in self._righting.settled(text, said, blank, earlier))
        found = [self._as_planned(self._as_far_as_known(e, text, earlier), earlier) for e in self._named_now(found, earlier)]
        if self._is_of_their_kin(text, blank, earlier):
            found = [replace(e, says="others") if e.medicine is not None else e for e in found]
        return [*self._of_the_speaker(text, blank, earlier), *self._doubted(text, found)]

    def _is_of_their_kin(self, text: str, blank: Event, earlier: Sequence[Event]) -> bool:
        """Whether "he" or "she", with whom a text begins, is the relative of whom the speaker told last beside themselves:
        "my husband takes this, I take that", and then "he's now on …"."""
        hit = self._begins_with_them.match(text) if blank.by == "patient" else None
        if hit is None or self._caring.tells_of_oneself(text):
            return False
        told = [e for e in earlier if e.medicine is not None and e.turn == max(one.turn for one in earlier)]
        kin = self._kin[lowered(hit["who"])]
        return any(kin.search(e.said.text) and self._caring.tells_of_oneself(e.said.text) for e in told)

    def _doubted(self, text: str, found: Sequence[Event]) -> Iterator[Event]:
        """The events; where it is doubted that the one medicine of a text is taken, both that it is and that it is not."""
        about = [e for e in found if e.medicine is not None]
        names = {self._stater.understanding.medicine(e.medicine).name for e in about if e.medicine is not None}
        doubted = len(names) == 1 and self._is_doubted(text)
        for event in found:
            if not doubted or event.medicine is None or event.says not in (*_TOLD_AS_TAKEN, *_ENDED_BY_TALK, "considers"):
                yield event
                continue
            yield replace(event, says="taking")
            yield replace(event, says="denies")

    def _is_doubted(self, text: str) -> bool:
        """Whether a text tells that it is not known whether what it is about is taken."""
        if self._doubts.search(self._stater.plainly.in_digits(text).text) is not None:
            return True
        hit = self._doubted_in.first(self._stater.plainly.words(text))
        return hit is not None and bool(hit.says)

    def _as_far_as_known(self, event: Event, text: str, earlier: Sequence[Event]) -> Event:
        """An end that is not sure of what nobody told as taken tells only that it was spoken of."""
        if event.says != "denies" or event.medicine is None or not self._is_unsure(text):
            return event
        name = self._stater.understanding.medicine(event.medicine).name
        known = any(
            e.medicine is not None and e.says in _TOLD_AS_TAKEN and self._stater.understanding.medicine(e.medicine).name == name
            for e in earlier
        )
        return event if known else replace(event, says="considers")

    def _of_the_speaker(self, text: str, blank: Event, earlier: Sequence[Event]) -> Iterator[Event]:
        """What was told for somebody who is cared for is taken back once the speaker tells what they take themselves."""
        theirs = tuple(e.id for e in earlier if self._caring.told_for_another(e))
        if theirs and blank.by == "patient" and self._caring.tells_of_oneself(text):
            yield replace(blank, says="retracted", retracts=theirs, said=replace(blank.said, text=printable(text, _LONGEST)))

    def _named_now(self, found: Sequence[Event], earlier: Sequence[Event]) -> Iterator[Event]:
        """The events, a kind told beside its name or before it as that name: "my water pill is the furosemide"."""
        meant = {e: self._stater.understanding.medicine(e.medicine) for e in (*found, *earlier) if e.medicine is not None}
        known = {d for e in earlier if e in meant for d in meant[e].drugs}
        named = [e for e in found if e in meant and meant[e].drugs and e.says in _TOLD_AS_TAKEN]
        kinds = {e: frozenset(meant[e].one_of) for e in (*found, *earlier) if e in meant and not meant[e].drugs}
        beside = [e for e in found if e in kinds and any(kinds[e] & set(meant[n].drugs) for n in named)]
        for event in found:
            new = event in named and not known & set(meant[event].drugs)
            before = tuple(k.id for k in earlier if new and kinds.get(k, frozenset()) & set(meant[event].drugs))
            if event not in beside:
                yield replace(event, corrects=(*event.corrects, *before)) if before else event

    def _taken_again(self, event: Event, earlier: Sequence[Event]) -> Event:
        """What was not to be taken for now and is told as taken is taken again."""
        resumes = "resume" in self._stater.clauses.turns_in(event.said.text)
        if event.says == "denies" and event.medicine is not None and not event.among:
            return self._still_ended(event, earlier)
        if event.says not in _AGAIN or event.medicine is None or (event.when is not None and not resumes):
            return event
        last = self._last_of(event.medicine, earlier)
        if last is None or last.told >= event.told:
            return event
        ended = last.says in ("stopped", "denies")
        often = last.says == "denies" and bool(event.medicine.frequency)  # "he does take one every day"
        dosed = often or self._stater.understanding.is_dosed(event.medicine)
        again = ended and (resumes or (dosed and (event.says != "taking" or last.says == "denies")))
        return replace(event, says="resumed") if last.says == "held" or again else event

    def _last_of(self, medicine: Medication, earlier: Sequence[Event]) -> Event | None:
        """What was told last of a medicine, by whichever of its names."""
        key = self._stater.understanding.medicine(medicine).key
        own = (e for e in reversed(earlier) if e.medicine and self._stater.understanding.medicine(e.medicine).key == key)
        return next(own, None)

    def _still_ended(self, event: Event, earlier: Sequence[Event]) -> Event:
        """What is told as not taken, of what was stopped or paused before: so it still is."""
        last = self._last_of(event.medicine, earlier) if event.medicine is not None else None
        still = last is not None and last.says in ("held", "stopped") and last.told < event.told and not last.among
        return replace(event, says=last.says) if still and last is not None else event

    def _as_planned(self, event: Event, earlier: Sequence[Event]) -> Event:
        """What was only planned when its dose was told, and is begun now without one, is begun with that dose; what was never had
        of it is no dose left out."""
        if event.says not in _BEGUN_NOW | {"irregular"} or event.medicine is None or event.among:
            return event
        understanding = self._stater.understanding
        name = understanding.medicine(event.medicine).name
        own = [e for e in earlier if e.medicine is not None and understanding.medicine(e.medicine).name == name]
        if not own or any(e.says not in _ONLY_PLANNED for e in own):
            return event
        if event.says == "irregular":
            return replace(event, says="denies")
        if understanding.is_dosed(event.medicine):
            return event
        planned = next((e.medicine for e in reversed(own) if e.medicine is not None and understanding.is_dosed(e.medicine)), None)
        return event if planned is None else replace(event, medicine=replace(planned, stopped=False))

    def _said(self, text: str, blank: Event, earlier: Sequence[Event]) -> list[Event]:
        """What a text tells, with the names that its words point to."""
        before = self._those_meant(text, self._pointing.before(earlier))
        every = self._pointing.spelled_out(text, self._stater.heard_in(text), before)
        found: list[Event] = []
        for spelled in every:
            for said in self._stater.narrative(spelled.text, blank.told).statements:
                found += self._events(said, spelled, text, blank)
        if not any(e.medicine is not None for e in found):
            found += self._one_and_the_other(text, blank, before)
        found = [*self._only_one_left(text, found, before)]
        found = self._switching.parted(text, found, before)
        found += list(self._switching.ended(text, found, before))
        if not any(e.medicine is not None for e in found):
            found += self._of_it(text, blank, self._of_those_named(text, before))
        else:
            found = [*self._ahead(text, blank, before, found), *found]
        found += list(self._reacted(text, found))
        found = self._forbidden(text, found, before)
        found = [self._of_one_dose(text, e, earlier) for e in found]
        found = [*self._one_of_two(text, [*self._given_up_for_another(text, found)])]
        return _last_of_each(found, whole=self._corrects_itself.search(text) is not None)

    def _only_one_left(self, text: str, found: Sequence[Event], before: Before) -> Iterator[Event]:
        """The events; where one medicine is told to be all that is left, "down to just the …", the end of those told with it or
        for the same, and the doubt whether any other is still taken; what the same text put right by it was never told."""
        heard = self._stater.heard_in(text)
        kept = frozenset(d for hit in self._left_only.finditer(text) for d in self._named_at_once(text[hit.end() :]))
        righted = self._corrects_itself.search(text) if kept else None
        for event in found:
            early = righted is not None and (event.said.start or 0) < righted.start()
            if not (early and event.medicine is not None and not self._drugs_of(event) & kept):
                yield event
        of_it = next((e for e in found if e.medicine is not None and self._drugs_of(e) & kept), None)
        if of_it is None or righted is not None:
            return
        named = {d for drugs in heard.drugs for d in drugs}
        beside = {one.name for one in before.known if one.drugs & kept and one.name in before.last} and set(before.last)
        for one in before.known:
            if one.taken and not one.drugs & named:
                ended = one.name in beside or self._stater.kinds.share_one(one.drugs, kept)
                yield replace(of_it, id="", says="stopped" if ended else "denies", medicine=Medication(one.name), days=None)

    def _named_at_once(self, text: str) -> frozenset[str]:
        """What is in the medicine with whose name a text begins."""
        heard = self._stater.heard_in(text)
        return heard.drugs[0] if heard.drugs and heard.places[0] == 0 else frozenset()

    def _drugs_of(self, event: Event) -> frozenset[str]:
        return frozenset(self._stater.understanding.medicine(event.medicine).drugs) if event.medicine is not None else frozenset()

    def _those_meant(self, text: str, before: Before) -> Before:
        """Of medicines that were told last, some as taken and some as not: those of which more is told now."""
        turns = self._stater.clauses.turns_in(text)
        taken = {one.name for one in before.known if one.taken}
        mine = tuple(name for name in before.last if name in taken)
        rest = tuple(name for name in before.last if name not in taken)
        if not mine or not rest or turns & {"end", "hold"}:
            return before
        return replace(before, last=rest if "resume" in turns else mine)

    def _of_those_named(self, text: str, before: Before) -> Before:
        """Of several medicines that were told last, those that a text names itself: "a rash from the lamotrigine. They stopped
        it"."""
        drugs = self._stater.heard_in(text).drugs
        named = {one.name for one in before.known if any(one.drugs & heard for heard in drugs)} & set(before.last)
        return replace(before, last=tuple(n for n in before.last if n in named)) if named else before

    def _ahead(self, text: str, blank: Event, before: Before, found: Sequence[Event]) -> Iterator[Event]:
        """What the sentences before the first that names a medicine tell of the one that was told last."""
        first = min((e.said.start or 0 for e in found if e.medicine is not None), default=0)
        named = {self._stater.understanding.medicine(e.medicine).name for e in found if e.medicine is not None}
        for start, end in self._stater.sentences(text):
            if end <= first:
                for event in self._of_it(text[start:end], blank, before):
                    if event.medicine is not None and event.medicine.text not in named:
                        yield _moved(event, start)

    def _one_and_the_other(self, text: str, blank: Event, before: Before) -> Iterator[Event]:
        """What a text tells that names none of two medicines and ends one of them, "off the one, still on the other": of each,
        that it may be taken or not."""
        taken = [one.name for one in before.known if one.taken]
        told = tuple(name for name in taken if name in (*before.last, *before.other)) or tuple(taken)
        if len(told) < _BOTH or "?" in text or self._ends_one.search(text) is None:
            return
        words = replace(blank.said, start=0, end=len(text), text=printable(text.strip(), _LONGEST))
        for name in told:
            both: tuple[Act, ...] = ("taking", "denies")
            yield from (replace(blank, says=act, medicine=Medication(name), said=words, among=told) for act in both)

    def _given_up_for_another(self, text: str, found: Sequence[Event]) -> Iterator[Event]:
        """The events; what was not to be had, so that another is taken, is ended: "they couldn't get it, so I'm on …"."""
        names = [self._stater.understanding.medicine(e.medicine).name for e in found if e.medicine is not None]
        begun = [e for e in found if e.medicine is not None and e.says in _TOLD_AS_TAKEN]
        place = self._so_another.search(text)
        for event in found:
            out = event.medicine is not None and event.says == "held" and len(set(names)) == _BOTH and len(begun) == 1
            ended = out and place is not None and place.start() >= (event.said.start or 0)
            yield replace(event, says="stopped", when=None) if ended else event

    def _one_of_two(self, text: str, found: Sequence[Event]) -> Iterator[Event]:
        """The events; of two medicines of which one is taken and it is not told which, each may be taken or not."""
        taken = [e for e in found if e.medicine is not None and e.says in (*_TOLD_AS_TAKEN, "considers")]
        names = tuple(dict.fromkeys(self._stater.understanding.medicine(e.medicine).name for e in taken if e.medicine))
        places = self._stater.heard_in(text).places
        two = len(names) == len(places) == _BOTH and not any(e.among for e in taken)
        if not two or not self._stater.clauses.is_one_or_other(text, places[0], places[1]):
            yield from self._one_of_two_ended(text, found)
            return
        for event in found:
            if event not in taken:
                yield event
                continue
            yield replace(event, says="taking", among=names)
            yield replace(event, says="denies", among=names)

    def _one_of_two_ended(self, text: str, found: Sequence[Event]) -> Iterator[Event]:
        """The events; of two medicines of which one was ended and it is not told which, each may be ended or not."""
        ended = [e for e in found if e.medicine is not None and e.says == "stopped" and not e.among]
        names = tuple(dict.fromkeys(self._stater.understanding.medicine(e.medicine).name for e in ended if e.medicine))
        open_ = len(names) == _BOTH and self._stater.clauses.is_one_of_them(text) and self._all_of_them.search(text) is None
        for event in found:
            if not open_ or event not in ended:
                yield event
                continue
            yield replace(event, says="taking", among=names)
            yield replace(event, says="denies", among=names)

    def _events(self, said: Statement, spelled: Spelled, text: str, blank: Event) -> Iterator[Event]:
        """The events of one statement; what was said of one of several medicines keeps all their names."""
        start, end = (spelled.back(at) for at in said.span)
        words = replace(blank.said, start=start, end=end, text=printable(text[start:end].strip(), _LONGEST))
        for event in self._event(said, spelled.text[said.span[0] : said.span[1]], replace(blank, when=said.when, said=words)):
            if event.medicine is not None and self._not_them.search(words.text) is not None:
                event = replace(event, says="others")  # "I take Benadryl, me not him"
            pointed = not spelled.changes or any(start <= one.start <= end for one in spelled.changes)
            yield replace(event, among=spelled.among) if event.medicine is not None and pointed else event

    def _reacted(self, text: str, found: Sequence[Event]) -> Iterator[Event]:
        """The allergy that is told with the end of the one medicine that a text ends: "my lips swelled, so I quit it"; of several
        that are one kind, "stop the Augmentin and never take penicillins again", of each."""
        if self._signs.search(text) is None or any(e.allergy for e in found):
            return
        ended = {
            self._stater.understanding.medicine(e.medicine).name: e
            for e in found if e.medicine is not None and e.says == "stopped" and not e.among
        }  # fmt: skip
        if len(ended) > 1 and not self._of_one_kind([e.medicine for e in ended.values() if e.medicine is not None]):
            return
        for name, event in ended.items():
            yield replace(event, id="", says="allergic", medicine=None, allergy=name, when=None)

    def _forbidden(self, text: str, found: Sequence[Event], before: Before) -> list[Event]:
        """The events; a kind of medicines that somebody was told never to have again is an allergy, "the ER said never take sulfa
        again", and what is taken of that kind ended."""
        hit = self._never_again.search(text)
        if hit is not None and found and found[0].by == "patient" and self._relatives.search(text, 0, hit.start()) is not None:
            return list(found)  # "my mother was told never to take penicillin again"
        told = next((e for e in found if e.medicine is not None and e.says in _ENDED_BY_TALK and hit is not None), None)
        if hit is None or told is None or any(e.allergy for e in found):
            return list(found)
        kind = self._stater.understanding.medicine(told.medicine or Medication(hit["of"]))
        held = frozenset((*kind.drugs, *kind.one_of))
        ended = [one.name for one in before.known if one.taken and one.drugs & held]
        rest = [e for e in found if e is not told]
        allergic = replace(told, id="", says="allergic", medicine=None, allergy=lowered(hit["of"]), when=None)
        return [*rest, allergic, *(replace(told, id="", says="stopped", medicine=Medication(name)) for name in ended)]

    def _of_one_dose(self, text: str, event: Event, earlier: Sequence[Event]) -> Event:
        """An event; where one dose of the day is told as ended of a medicine that was told as taken more often, "they cut out the
        morning lithium", it is taken still, and how much of it is open."""
        if event.medicine is None or event.says != "stopped" or event.among:
            return event
        meant = self._stater.understanding.medicine(event.medicine)
        place = re.search(rf"(?<![\w-]){re.escape(meant.name)}(?![\w-])", text, re.I)
        at = place.start() if place is not None else -1
        if at < 0:
            at = next((p for p in self._stater.heard_in(text).places if self._of_a_part.search(text, 0, p) is not None), -1)
        if at < 0 or self._of_a_part.search(text[:at]) is None:
            return event
        mine = [
            e for e in earlier if e.medicine is not None and self._stater.understanding.medicine(e.medicine).name == meant.name
        ]
        return replace(event, id="", says="changed", medicine=Medication(meant.name)) if self._is_often(mine) else event

    def _is_often(self, told: Sequence[Event]) -> bool:
        """Whether what was told last of how often a medicine is taken is more than once a day."""
        last = max(((e.told, e.turn) for e in told), default=None)
        now = [e.medicine for e in told if e.medicine is not None and (e.told, e.turn) == last]
        often = [self._stater.understanding.medicine(medicine).regimen.often for medicine in now]
        return sum(o.times[1] for o in often if o is not None and o.times is not None) > 1

    def _of_one_kind(self, medicines: Sequence[Medication]) -> bool:
        """Whether each of several medicines is, holds or may be what another of them is."""
        meant = [self._stater.understanding.medicine(m) for m in medicines]
        held = [frozenset(m.drugs or m.one_of) for m in meant]
        return all(any(one & other for k, other in enumerate(held) if k != n) for n, one in enumerate(held))

    def _of_it(self, text: str, blank: Event, before: Before) -> Iterator[Event]:
        """What a text that names nothing tells of the medicine that was told last; of several, of each, and open which."""
        become = self._stater.clauses.of_it(text) if before.last and "?" not in text else None
        if become is not None and self._anothers.search(text) is not None:
            return  # "he stopped his"
        if become is None or become.manner == "considering":
            return
        taken = {one.name for one in before.known if one.taken or become.manner == "taking"}
        meant = tuple(name for name in before.last if name in taken)
        words = replace(blank.said, start=0, end=len(text), text=printable(text.strip(), _LONGEST))
        for name in meant:
            said = Statement("medicine", become.manner, name, medicine=Medication(name), change=become.change)
            among = meant if len(meant) > 1 and self._all_of_them.search(text) is None else ()
            yield replace(blank, says=self._act(said, text), medicine=Medication(name), said=words, among=among)

    def _event(self, said: Statement, sentence: str, blank: Event) -> Iterator[Event]:
        if said.kind == "medicine" and said.medicine is not None and said.manner in _MEDICINES:
            act = self._act(said, sentence)
            yield replace(blank, says=act, medicine=replace(said.medicine, stopped=False))
        elif said.kind in ("condition", "pregnancy") and said.manner in _CONDITIONS:
            yield replace(blank, says=_CONDITIONS[said.manner], condition=said.name)
        elif said.kind == "allergy":
            act = "denies" if said.manner == "denied" else "allergic"
            if act == "allergic" and said.drugs and (self._stopped.search(said.reaction) or _AFTER_SOME.search(said.reaction)):
                yield replace(blank, says="stopped", medicine=Medication(said.name))
            yield replace(blank, says=act, allergy="all" if said.key in ("*", "drugs") else said.name)
        elif said.kind == "result":
            yield replace(blank, says="measured", test=said.name, value=said.value, unit=said.unit)

    def _is_unsure(self, sentence: str) -> bool:
        return self._unsure.search(self._stater.plainly.in_digits(sentence).text) is not None

    def _act(self, said: Statement, sentence: str) -> Act:
        """What is told of a medicine: with what became of it, where that fits.

        Who asks about their own medicine takes it for granted that it is taken; who has run out of one does not take it for now.
        """
        act = _MEDICINES[said.manner]
        if act == "asks":
            return act if self._own.search(sentence) else "considers"
        if act == "stopped" and (self._is_unsure(sentence) or sentence.rstrip().endswith("?")):
            return "denies"  # it stands beside what was told before, and does not end it
        if said.change == "held":
            return "held" if act in ("stopped", "irregular", "taking") else act
        return said.change if said.change and act == "taking" else act


def _last_of_each(found: Sequence[Event], *, whole: bool) -> list[Event]:
    """Of one sentence, what it says last of each medicine: "he did not renew it and I no longer take it".

    Of the `whole` text where it puts itself right: "I stopped it, no wait, that was the other one. I still take it."
    """
    kept: dict[object, Event] = {}
    for event in found:
        medicine = event.medicine
        open_ = event.among and (event.among, event.says)
        step = event.when if event.when is not None and event.when.first > event.told else None
        key = event if medicine is None else (0 if whole else event.said.start, medicine.drug or medicine.text, open_, step)
        kept[key] = event
    return list(kept.values())


def _moved(event: Event, by: int) -> Event:
    """An event of a part of a text with its words as they stand in the whole."""
    if event.said.start is None or event.said.end is None:
        return event
    return replace(event, id="", said=replace(event.said, start=event.said.start + by, end=event.said.end + by))


def _in_words(event: Event, spelled: Spelled, text: str) -> Event:
    """An event with its words as they stand in what was said."""
    if event.said.start is None or event.said.end is None:
        return event
    start, end = spelled.back(event.said.start), spelled.back(event.said.end)
    return replace(
        event, id="", said=replace(event.said, start=start, end=end, text=printable(text[start:end].strip(), _LONGEST))
    )


def _with_id(event: Event) -> Event:
    return event if event.id else replace(event, id=event_id(event))
