"""What is told of somebody who is cared for, "Mom takes …", said as of the patient, unless the speaker tells of themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from safety.edge.bare_doses import Change
from safety.edge.pointing import Spelled, with_changes
from safety.knowledge.language import Language
from safety.memory.events import Event
from safety.reading.wording import any_of
from safety.text import lowered

_PRONOUNS = {"male": ("he", "his", "him"), "female": ("she", "her", "her")}


class Caring:
    """Finds the people who are cared for by the lists of one language; made once, never changed."""

    def __init__(self, language: Language) -> None:
        words = language.words
        self._sex = language.meaning("cared-for-in-talk")
        people = any_of(self._sex)
        described = rf"(?:{any_of(words('describes-a-child'))}\s+)?"
        self._person = re.compile(
            rf"(?<![\w'’-])(?:(?P<own>my|our)\s+{described})?(?P<who>{people})(?P<s>['’]s)?(?![\w'’-])", re.I
        )
        takes = rf"\bi(?:['’]m|['’]ve|['’]d)?\s+(?:\w+\s+){{0,2}}{any_of(words('taking'))}(?![\w-])"
        another = any_of(words("behind-i-am-of-another"))
        self._own = re.compile(rf"(?<![\w-]){any_of(words('tells-of-oneself'))}(?![\w-])(?!\s+{another}(?![\w-]))|{takes}", re.I)
        self._tells = re.compile(rf"\s+(?:also\s+)?{any_of(words('tells-for-another'))}(?![\w-])", re.I)
        self._takes_it = re.compile(rf"\s+(?:is\s+on|on|{any_of(words('verbs-of-taking'))})(?![\w-])", re.I)
        self._is = re.compile(rf"\s+{any_of(words('behind-a-short-is'))}(?![\w-])", re.I)
        self._family = re.compile(rf"(?<![\w-]){any_of(words('of-the-family-in-talk'))}(?![\w-])", re.I)
        self._at_home = re.compile(rf"(?<![\w-]){any_of(words('before-a-home'))}\s+\Z", re.I)
        self._begins = re.compile(
            rf"(?:\A|[.!?;:,]|\b{any_of(words('begins-a-clause'))}|\b{any_of(words('before-one-who-takes'))})\s*\Z", re.I
        )

    def of_the_patient(self, text: str, earlier: Sequence[Event]) -> Spelled | None:
        """The text with the one who is cared for as "he" or "she"; None where it tells of nobody else or of the speaker."""
        if (
            self._family.search(text) is not None
            or self.tells_of_oneself(text)
            or any(self.tells_of_oneself(e.said.text) for e in earlier)
        ):
            return None
        found = list(self._people(text))
        return with_changes(text, found) if found else None

    def by_name(self, text: str) -> Spelled | None:
        """The text with a parent who is called "Mom" or "Dad", as by a name, as "she" or "he"; None where it names none so."""
        found = [c for c in self._people(text) if not self._is_owned(text, c) and self._tells.match(text, c.end) is None]
        return with_changes(text, found) if found and not self.tells_of_oneself(text) else None

    def _is_owned(self, text: str, change: Change) -> bool:
        hit = self._person.match(text, change.start)
        return hit is None or hit["own"] is not None

    def tells_of_oneself(self, text: str) -> bool:
        """Whether a speaker tells what they take themselves."""
        return self._own.search(text) is not None

    def told_for_another(self, event: Event) -> bool:
        """Whether what an event tells was said of somebody who is cared for."""
        return event.by == "caregiver" and self._person.search(event.said.text) is not None

    def _people(self, text: str) -> Iterator[Change]:
        for hit in self._person.finditer(text):
            heads = not text[: hit.start()].strip() and self._takes_it.match(text, hit.end()) is not None
            if hit["own"] is None and not hit["who"][0].isupper() and not heads:
                continue  # "a son", "the baby": nobody's name
            if hit["s"] and self._at_home.search(text[: hit.start()]) is not None:
                continue  # "she eats it at Grandma's"
            he, his, him = _PRONOUNS[self._sex[" ".join(lowered(hit["who"]).split())]]
            if hit["s"]:
                yield Change(*hit.span(), f"{he}'s" if self._is.match(text, hit.end()) else his)
            else:
                yield Change(*hit.span(), he if self._begins.search(text[: hit.start()]) else him)
