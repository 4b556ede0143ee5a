"""What is told to become of a medicine, by the words of its clause: a turn of it, denied, only thought of, or for a while.

It is asked where the tables of what people say have no answer, so that what is said in new words is still understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct

from safety.knowledge.language import Language
from safety.memory.statements import Change, Manner
from safety.reading.spoken.words import Plainly
from safety.reading.wording import alone, any_of, leading

Turn = Literal["end", "hold", "resume", "begin", "change", "take", "need"]
_FIRST: tuple[Turn, ...] = ("hold", "resume", "end", "begin", "change", "take", "need")
"""Of several turns in one clause the first of these is what it tells: "started it up again" is a resumption."""
_DENIED_IN_SHORT = re.compile(r"(?:but\s+)?(?:i|he|she|they|we)\s+(?:do|does|did|is|am|are|has|have)\s+not")
""""He says he doesn't"."""
_SO_LONG = re.compile(r"\b(?:for|in)\s+(?:\w+\s+)?(?:\d+|an?|over a|a few|a couple of|several)\s+(?P<u>week|month|year)s?\b")
""""I haven't had any in two weeks": for months it is given up, for weeks it may be taken again."""
_COUNTED = re.compile(r"\d\s+\Z")
_NEAREST = 4
"""So many words before an end it is told to be only thought of."""
_NEAR = 6
"""So many words before a turn it is denied, or only thought of."""


class Become(Struct, frozen=True):
    """What became of a medicine: how it is taken now, and the change that made it so."""

    manner: Manner
    change: Change = ""


def for_a_while(language: Language) -> re.Pattern[str]:
    """A pattern for what tells that a medicine is left out for a while only: "for now", "until the surgery"; no mere "before"."""
    return re.compile(
        f"{alone(language.words('meant-for-a-while')).pattern}|{leading(language.words('before-what-ends-a-pause'))}"
        rf"(?!\s+(?:about\s+|around\s+)?(?:{any_of(language.words('times-gone-by'))}|(?:19|20)\d\d)(?![\w-]))",
        re.I,
    )


class Clauses:
    """Reads clauses by the lists of one language; made once, never changed."""

    def __init__(self, language: Language, plainly: Plainly, kinds: Iterable[str] = ()) -> None:
        words, turns = language.words, language.meaning("what-becomes-of-a-medicine")
        self._plainly = plainly
        self._clauses = re.compile(
            rf"[.!?;:,\n]+\s+|\s+[-–—]+\s+|[.!?;:,]+\Z|\s+(?={any_of(words('begins-another-thought'))}\b)", re.I
        )
        self._not = alone([*words("denying"), *words("none-of-it")])
        self._turn_of = turns
        self._turns = re.compile(rf"(?<![\w-]){any_of(turns)}(?![\w-])(?!\s+than\b)", re.I)
        self._cannot_be_without = alone(words("cannot-be-without"))
        self._by_itself = re.compile(
            rf"(?<![\w-]){any_of(words('it'))}\s+(?:\w+\s+)?{any_of(words('ends-by-itself'))}(?=\s*(?:[.,;!]|\Z))", re.I
        )
        self._a_part = re.compile(
            rf"(?:it\s+)?(?:{any_of(words('leads-to-a-lower-dose'))}\s+\d|{any_of(words('ends-a-part-only'))}(?![\w-]))", re.I
        )
        self._may, self._ahead = alone(words("may-be-done")), alone(words("lies-ahead"))
        nouns = [*words("words-for-a-medicine"), *words("medicines-in-talk")]
        self._none = re.compile(rf"\b{any_of(words('denying'))}\s+(?:(?:more|any|of)\s+)?{any_of(nouns)}(?![\w-])", re.I)
        self._thought, self._for_a_while = alone(words("only-in-mind")), for_a_while(language)
        self._never = alone(words("never-had-a-habit"))
        self._will, self._for_good = alone(words("will-come")), alone(words("ends-for-good-in-a-word"))
        self._in_mind = alone(words("ends-only-in-mind"))
        self._of_another = re.compile(rf"(?:\s+of)?\s+{any_of(words('it'))}\s+\w", re.I)
        self._does_else = re.compile(
            rf"\b{any_of(words('begins-a-clause'))}\s+{any_of([*words('of-the-speaker'), *words('somebody'), 'it'])}\s", re.I
        )
        self._ordered, self._not_begun = alone(words("is-ordered-in-talk")), alone(words("not-begun-yet"))
        self._let_end = alone(words("never-got-more"))
        self._if = alone(words("may-not-come-to-pass"))
        self._even_if = re.compile(rf"(?<![\w-]){any_of(words('even-so'))}\s+\Z", re.I)
        self._unsure = alone(words("unsure-of-an-end"))
        self._either, self._one_of = alone(words("one-or-the-other")), alone(words("one-of-several"))
        self._pause = alone(words("a-pause-of-it"))
        self._never_more = alone(words("never-once-more"))
        self._denied_name = re.compile(
            rf"(?<![\w-])(?:{any_of(words('denies-a-name'))})\s+(?:(?:{any_of(words('before-a-denied-name'))})\s+)*\Z", re.I
        )
        self._holder = re.compile(rf"\s*{any_of(words('holds-a-medicine'))}(?![\w-])", re.I)
        self._of_the_name = re.compile(rf"\s*{any_of(words('not-the-medicine-itself'))}(?![\w-])", re.I)
        self._to_come = re.compile(
            rf"\b(?:(?:pt|patient)\s+to|(?P<who>\w+?)(?:['’]|\s+)(?:{any_of(words('begins-later'))}))\s+(?:\w+\s+){{0,2}}?"
            rf"{any_of([w for w, turn in turns.items() if turn == 'begin'])}\s+(?:\w+\s+){{0,3}}?\Z", re.I,
        )  # fmt: skip
        pieces = any_of([*language.meaning("forms-in-plural"), *words("counted-doses")])
        self._so_many = re.compile(rf"\s+(?:about\s+)?\d+\s+(?:\w+\s+)?{pieces}(?![\w-])(?!\s+ago)", re.I)
        self._no_more = alone(words("no-more"))
        self._no_longer, self._one_dose = alone(words("no-longer")), alone(words("of-one-dose-only"))
        beside = [*words("beside-what-is-left-out"), *turns, *words("no-longer"), *words("meant-for-a-while")]
        beside += words("before-what-ends-a-pause")
        beside += [*words("month-names"), *words("weekdays"), *words("of-one-dose-only"), *kinds]
        self._known = re.compile(rf"(?<![\w-]){any_of(beside)}(?![\w-])|\b\d[\d.,]*\b|['’]\w+|[^\w\s]", re.I)

    def parts(self, text: str) -> Iterator[tuple[int, int]]:
        """From where to where each clause of a text stands."""
        at = 0
        for stop in self._clauses.finditer(text):
            if text[at : stop.start()].strip():
                yield at, stop.start()
            at = stop.end()
        if text[at:].strip():
            yield at, len(text)

    def of_it(self, text: str) -> Become | None:
        """What a text that names no medicine tells of the one named before; None where it may be about anything else."""
        found = [self.told(text[a:b]) for a, b in self.parts(text) if self._says_only_that(text[a:b])]
        told = [one for one in found if one is not None]
        done = [one for one in told if one.manner != "considering"]
        return (done or told)[-1] if told else None

    def _says_only_that(self, clause: str) -> bool:
        """Whether every word of a clause is one of turns, of medicines in general, of days, or adds nothing."""
        if self._by_itself.search(clause) is not None:
            return False
        return not self._known.sub(" ", self._plainly.in_digits(clause).text).strip()

    def beside(self, text: str, start: int, end: int, left: int, right: int) -> Become | None:
        """What a sentence tells of the medicine that it names at a place: in the clause of the name, else in a later one that
        is about nothing else. `left`, `right`: between which other names it stands."""
        parts = list(self.parts(text))
        own = next((n for n, (a, b) in enumerate(parts) if a <= start < b), None)
        if own is None:
            return None
        a, b = max(parts[own][0], left), min(parts[own][1], right)
        later = [self.told(text[c:d]) for c, d in parts[own + 1 :] if self._says_only_that(text[c:d])]
        told = [one for one in later if one is not None]
        return told[-1] if told else self.told(f"{text[a:start]} it {text[min(end, b) : b]}")

    def surely_ended(self, text: str, start: int, end: int, left: int, right: int) -> bool:
        """Whether the clause that names a medicine says in several words that it is no more taken: "they took it away"."""
        own = next(((a, b) for a, b in self.parts(text) if a <= start < b), None)
        if own is None or self._holder.match(text, end) is not None:
            return False
        a, b = max(own[0], left), min(own[1], right)
        said = self._plainly.in_digits(f"{text[a:start]} it {text[min(end, b) : b]}").text
        place = len(self._plainly.in_digits(text[a:start]).text.rstrip())
        ends = (hit for hit in self._turns_of(said) if self._turn_of[hit[0]] == "end" and " " in hit[0])
        hits = (hit for hit in ends if hit.end() >= place or not self._is_of_another(said, hit.end(), place))
        return any(self._come_out("end", said, hit) == Become("stopped") for hit in hits)

    def _is_of_another(self, said: str, end: int, place: int) -> bool:
        """Whether an end is told of something else than is named behind it: "they took away the morning one and gave me …"."""
        begun = any(self._turn_of[hit[0]] == "begin" and end <= hit.start() < place for hit in self._turns_of(said))
        return begun or self._of_another.match(said, end) is not None

    def denied_at(self, text: str, start: int, end: int, left: int, right: int) -> Become | None:
        """What the clause of a name tells that is denied right before it: "no aspirin until the surgery", "no more of it"."""
        a, b = self._own(text, start, left, right)
        if self._cannot_be_without.search(text, a, start) is not None:
            return None
        if self._denied_name.search(text[a:start]) is None or self._of_the_name.match(text, end) is not None:
            return None
        said = self._plainly.in_digits(f"{text[a:start]} it {text[min(end, b) : b]}").text
        found = Become("stopped", "held") if self._for_a_while.search(said) is not None else self._not_taken(said)
        if found.manner == "denied" and self._no_more.search(text, a, start) is not None:
            return Become("stopped")
        return found if found.manner != "missed" else Become("denied")

    def clause_of(self, text: str, at: int) -> str:
        """The clause that a place stands in."""
        return next((text[a:b] for a, b in self.parts(text) if a <= at < b), text)

    def begin_of(self, text: str, at: int) -> int:
        """Where the clause begins that a place stands in."""
        return next((a for a, b in self.parts(text) if a <= at < b), 0)

    def _own(self, text: str, start: int, left: int, right: int) -> tuple[int, int]:
        """From where to where the clause of a name stands, between the names beside it."""
        a, b = next(((a, b) for a, b in self.parts(text) if a <= start < b), (start, len(text)))
        return max(a, left), min(b, right)

    def about(self, text: str, start: int) -> str:
        """What a sentence says of a name before somebody does something else: "… but I threw up for two days, so we …"."""
        cuts = [hit.start() for hit in self._does_else.finditer(text)]
        return text[max((c for c in cuts if c <= start), default=0) : min((c for c in cuts if c > start), default=len(text))]

    def ends_in_mind(self, text: str, start: int, end: int, left: int, right: int) -> bool:
        """Whether the end that a sentence tells of a name is only thought of: "I may ask her to stop it"."""
        if self._unsure.search(self._plainly.in_digits(text).text) is not None:
            return False  # that it was is not sure, which is something else
        thought = []
        for a, b in self.parts(text):
            if b <= left or a >= right:
                continue
            said = self._plainly.in_digits(text[max(a, left) : min(b, right)]).text
            hits = (hit for hit in self._turns.finditer(said) if self._turn_of[hit[0]] == "end")
            ahead = (" ".join(said[: hit.start()].split()[-_NEAREST:]) for hit in hits)
            thought += [self._in_mind.search(words) is not None for words in ahead]
        return bool(thought) and all(thought)

    def begins_later(self, text: str, start: int, left: int) -> bool:
        """Whether somebody is told to begin with what is named, and has not yet: "she'll start it on the 30th"."""
        hit = self._to_come.search(text[max(left, 0) : start])
        return hit is not None

    def is_one_or_other(self, text: str, one: int, other: int) -> bool:
        """Whether of two names one is meant and it is not known which: "Lasix, or maybe it's Bumex"."""
        between = text[one:other]
        apart = re.search(r"\bor\b", between, re.I) is not None and re.search(r"[.!?;]\s(?!or\b)", between, re.I) is None
        return apart and self._either.search(text) is not None

    def is_one_of_them(self, text: str) -> bool:
        """Whether something is told of one of several, and not which."""
        return self._one_of.search(text) is not None

    def is_let_end(self, text: str) -> bool:
        """Whether a medicine ended with its supply and was not to be had again: "ran out and never bought more"."""
        return self._let_end.search(self._plainly.in_digits(text).text) is not None

    def is_paused(self, text: str) -> bool:
        """Whether an end is meant for a while: "a holiday from it", "they want him off it for five days before …"."""
        ordered = self._ordered.search(text) is not None and self._for_a_while.search(text) is not None
        return ordered or self._pause.search(text) is not None

    def hangs_on_something(self, text: str, start: int, end: int, left: int, right: int) -> bool:
        """Whether what the clause of a name tells is done only if something comes to pass: "go to 100 if I don't feel better"."""
        a, b = self._own(text, start, left, right)
        hits = self._if.finditer(text, a, b)
        return any(self._even_if.search(text[a : hit.start()]) is None for hit in hits)

    def not_begun(self, text: str) -> bool:
        """Whether it is told that something ordered was not begun with yet."""
        return self._not_begun.search(text) is not None

    def is_for_good(self, text: str, start: int, end: int, left: int, right: int) -> bool:
        """Whether what is not taken is told never to be taken again, or no longer."""
        a, b = self._own(text, start, left, right)
        said = self._plainly.in_digits(f"{text[a:start]} it {text[min(end, b) : b]}").text
        return self._no_more.search(said) is not None or self._never_more.search(said) is not None

    def denies_something_of(self, text: str, start: int, end: int, left: int, right: int) -> bool:
        """Whether what is denied is not the medicine but something of it: "no refills of it left", "no dose change"."""
        a, _ = self._own(text, start, left, right)
        return self._denied_name.search(text[a:start]) is not None and self._of_the_name.match(text, end) is not None

    def turns_in(self, text: str) -> frozenset[Turn]:
        """The turns that words of a text are of."""
        said = self._plainly.in_digits(text).text
        found = {self._turn_of[hit[0]] for hit in self._turns.finditer(said)}
        return frozenset(turn for turn in _FIRST if turn in found)

    def is_to_come(self, text: str) -> bool:
        """Whether a turn is told as allowed or meant for later: "I can drop it in October"."""
        return self._may.search(text) is not None and self._ahead.search(text) is not None

    def afterwards(self, text: str, end: int) -> Become | None:
        """What is told of a medicine in the clauses behind that of its name, as far as they are about nothing else."""
        parts = [(a, b) for a, b in self.parts(text) if a >= end]
        told = [one for a, b in parts if self._says_only_that(text[a:b]) and (one := self.told(text[a:b])) is not None]
        return told[-1] if told else None

    def told(self, clause: str) -> Become | None:
        """What one clause tells."""
        said = self._plainly.in_digits(clause).text
        hits = {self._turn_of[hit[0]]: hit for hit in self._turns_of(said)}
        for turn in _FIRST:
            if turn in hits:
                return self._come_out(turn, said, hits[turn])
        if self._none.search(said) is not None:
            return self._not_taken(said)
        if _DENIED_IN_SHORT.fullmatch(said.strip(" .,;!")) is not None:
            return Become("denied")
        return Become("considering") if self._thought.search(said) is not None else None

    def _turns_of(self, said: str) -> Iterator[re.Match[str]]:
        """The words of turns; what is counted is none, "1 drop in each eye", nor what is done so often, "done 3 shots"."""
        hits = (hit for hit in self._turns.finditer(said) if _COUNTED.search(said, 0, hit.start()) is None)
        return (hit for hit in hits if self._so_many.match(said, hit.end()) is None)

    def _come_out(self, turn: str, said: str, hit: re.Match[str]) -> Become | None:
        before = " ".join(said[: hit.start()].split()[-_NEAR:])
        denied = self._not.search(before) is not None
        if turn == "end" and self._unsure.search(said) is not None:
            return Become("stopped")  # that it is not sure is seen by who remembers it
        if self._thought.search(said, 0, hit.start()) is not None or self.is_to_come(said):
            return Become("considering") if turn == "begin" else None
        if turn == "need":
            return Become("stopped") if denied and self._no_more.search(said) is not None else None
        if turn == "take":
            return self._not_taken(said) if denied else Become("taking")
        if turn == "end":
            still_to_come = self._will.search(before) is not None and self._for_good.match(hit[0]) is None
            return Become("taking") if denied else None if still_to_come else self._ended(said, hit.end())
        if denied:
            never = turn == "resume" and self._never.search(before) is not None
            return Become("stopped") if never else Become("considering") if turn == "begin" else None
        made: dict[str, Become] = {
            "hold": Become("stopped", "held"), "resume": Become("taking", "resumed"), "begin": Become("taking", "started"),
            "change": Become("taking", "changed"),
        }  # fmt: skip
        return made[turn]

    def _ended(self, said: str, at: int) -> Become | None:
        if self._a_part.match(said[at:].strip()) is not None:
            return None  # "dropped to 20", "drop one of the tablets"
        return Become("stopped", "held") if self._for_a_while.search(said) is not None else Become("stopped")

    def _not_taken(self, said: str) -> Become:
        if self._one_dose.search(said) is not None:
            return Become("missed")
        if self._no_longer.search(said) is not None:
            return Become("stopped")
        if (long := _SO_LONG.search(said)) is not None:
            return Become("stopped") if long["u"] in ("month", "year") else Become("stopped", "held")
        return Become("stopped", "held") if self._for_a_while.search(said) is not None else Become("denied")
