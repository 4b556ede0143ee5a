"""What a clause tells of a medicine without a verb for it: "A out, B in", "last Plavix 11/23", "left before the first dose"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Protocol

from safety.edge.acts import NAME, Cue
from safety.knowledge.language import Language
from safety.reading.wording import alone, any_of
from safety.text import lowered


class Named(Protocol):
    """A medicine that a clause names: which it is, and from where to where it stands."""

    @property
    def n(self) -> int:
        """Its number among those of the text."""
        ...

    @property
    def start(self) -> int:
        """Where it begins."""
        ...

    @property
    def end(self) -> int:
        """The place behind it."""
        ...


class LastDoses:
    """Reads by the lists of one language; made once, never changed. `weighty`: the words that tell neither a dose nor how."""

    def __init__(self, language: Language, weighty: Callable[[str], list[str]]) -> None:
        words = language.words
        self._weighty = weighty
        self._ways = language.meaning("in-and-out")
        ends = any_of(words("behind-in-and-out"))
        self._way = re.compile(rf"(?<![\w-])(?P<way>{any_of(self._ways)})(?=\s*(?:[,.;/)&]|\Z)|\s+{ends}(?![\w-]))", re.I)
        self._gone = alone(words("went-away"))
        self._before_it = re.compile(
            rf"(?<![\w-]){any_of(words('before-what-was-not-had'))}\s+(?:(?!(?:{any_of(words('turning'))})\b)[\w'-]+\s+){{0,6}}?\Z",
            re.I,
        )
        doses, whose = any_of(words("a-dose-of-it")), any_of([*words("mine"), *words("theirs"), "the", "home"])
        self._last = re.compile(rf"(?<![\w-])last\s+(?:{doses}\s+(?:of\s+)?)?(?:{whose}\s+)?\Z", re.I)
        self._last_dose = re.compile(rf"[^.;{NAME}]{{0,30}}?[\s,(-]+last\s+{doses}(?![\w-])", re.I)
        self._lasts, self._day = alone(words("given-by-the-needle")), _day_of_a_last_dose(language)

    def told(
        self, said: str, head: int, clause: tuple[int, int], names: Sequence[Named], bound: dict[int, list[tuple[Cue, bool]]]
    ) -> dict[int, list[tuple[Cue, bool]]]:  # fmt: skip
        """The acts so told, by the numbers of their medicines; `head`: where the sentence begins, `bound`: what verbs tell."""
        found = self._in_and_out(said, clause[1], names)
        for k, name in enumerate(names):
            begin, end = names[k - 1].end if k else clause[0], names[k + 1].start if k + 1 < len(names) else clause[1]
            if all(c.act in ("stop", "take") for c, _ in bound.get(name.n, ())):
                found |= self._last_of(said, name, begin, end)
            gone = self._gone.search(said, head, name.start)
            if gone is not None and self._before_it.search(said, gone.end(), name.start) is not None:
                found[name.n] = [(Cue(*gone.span(), "start", "behind", denied=True), False)]
        return found

    def _in_and_out(self, said: str, until: int, names: Sequence[Named]) -> dict[int, list[tuple[Cue, bool]]]:
        """ "A out, B 40 mg daily in": one is ended and the other begun, where both are told so."""
        told = {}
        for k, name in enumerate(names):
            hit = self._way.search(said, name.end, names[k + 1].start if k + 1 < len(names) else until)
            if hit is not None and not self._weighty(said[name.end : hit.start()]):
                told[name.n] = hit
        if {self._ways[lowered(hit["way"])] for hit in told.values()} != {"start", "stop"}:
            return {}
        return {n: [(Cue(*hit.span("way"), self._ways[lowered(hit["way"])], "behind"), False)] for n, hit in told.items()}

    def _last_of(self, said: str, name: Named, begin: int, end: int) -> dict[int, list[tuple[Cue, bool]]]:
        """A medicine whose last dose was on a day before today: it is no more taken; what was taken today, and what lasts for
        weeks ("last Prolia injection 6/1"), is."""
        ahead, behind = self._last.search(said, begin, name.start), self._last_dose.match(said, name.end, end)
        if ahead is None and behind is None:
            return {}
        day = self._day.match(said, behind.end() if behind is not None else name.end, end)
        if day is None:
            return {}
        lasts = self._lasts.search(said, ahead.start() if ahead is not None else name.start, day.start("when")) is not None
        return {name.n: [(Cue(*day.span("when"), "take" if lasts or day["today"] else "stop", "behind"), False)]}


def _day_of_a_last_dose(language: Language) -> re.Pattern[str]:
    """The day that stands behind a last dose; `today` where it is this one."""
    now = any_of([w for w, days in language.meaning("near-days").items() if days == "0"] + [*language.words("in-the-last-hours")])
    then, months, days = (any_of(language.words(w)) for w in ("near-days-ago", "month-names", "weekdays"))
    units = any_of(w for w, unit in language.meaning("time-units").items() if unit in ("day", "week", "month") and len(w) > 1)
    count, back = rf"(?:\d+|{any_of(language.words('vague-counts'))})", any_of([*language.words("ago"), "prior", "before"])
    when = rf"{count}\s+{units}\s+{back}|\d{{1,2}}[/-]\d{{1,2}}(?:[/-]\d{{2,4}})?(?![\w/])|{months}\.?\s+\d{{1,2}}|in\s+{months}"
    when = rf"{when}|(?:last\s+|this\s+past\s+|this\s+)?{days}|{then}"
    linked = rf"[\s,:(]*(?:{any_of(language.words('leads-to-the-day-of-a-dose'))}[\s:,]+)*"
    return re.compile(rf"{linked}(?P<when>(?P<today>{now})|{when})(?![\w-])", re.I)
