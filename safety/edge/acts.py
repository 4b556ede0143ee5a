"""The acts that a clause tells: each verb or set phrase with what the words before it make of it.

A verb stands in kb/language/verbs-of-acts once, as in a dictionary; its forms are made by rule. The chain of words before it
(kb/language/act-chains) says whether it is done, to be done, only thought of, or denied, so that "was going to stop",
"told her not to stop" and "has been stopped" are read by what they are made of, and no list holds them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from safety.knowledge.language import Language
from safety.reading.wording import alone, any_of
from safety.text import lowered

NAME = "\x01"
"""What stands in the place of each letter of a medicine's name."""
_BETWEEN = "~"
"""What stands in a phrase for the medicine or the person between its words."""
_LOOK_BACK, _TO = 60, "to "
_FOR = re.compile(r"\bfor\b", re.I)
_SEGMENT = re.compile(r"[,:]")
_HEAD = re.compile(r"(?<![\w/'’-])[^\W_][\w'’/.-]*|[→↑↓]|-{1,2}>|=>|>>")
_LAST_IS_DOUBLED = re.compile(r"(?:[^aeiou]|\A)[aeiou][bdgmnprt]\Z|quit\Z")
_CHAINED = frozenset({"order", "done", "either", "ahead"})
_BACK_TO = re.compile(r"\bback\s+to\Z", re.I)
_VOWELS = tuple("aeiou")
_HISSES = re.compile(r"(?:[sxzo]|sh|ch)\Z")
_ORDERS = frozenset({"start", "endorse", "continue", "change", "restart", "refill", "switch", "fill"})
"""Acts that, told of the past and of somebody, are an account and no order."""


class Cue(Struct, frozen=True):
    """An act that a sentence tells, and where; `denied`, `thought`, `later`: not done, only thought of, not yet; `reported`: an
    account of somebody's; `ordered`: it is to be done. `shape`: on which side its medicine stands."""

    start: int
    end: int
    act: str
    shape: str
    denied: bool = False
    thought: bool = False
    reported: bool = False
    later: bool = False
    ordered: bool = False


class _Chain(Struct, frozen=True):
    """What stands before a verb, and what the words right before it make of it."""

    before: str
    links: bool = False
    denied: bool = False
    thought: bool = False
    order: bool = False
    told: bool = False
    passive: bool = False


def forms_of(verb: str, irregular: dict[str, tuple[str, str]]) -> dict[str, str]:
    """Each form of a verb, by its words, and on which side of it a medicine stands: "taking off", "took off", "taken off"."""
    head, _, rest = verb.partition(" ")
    stem = head.removesuffix("e") if head.endswith("e") and not head.endswith(("ee", "oe")) else head
    doubled = f"{stem}{stem[-1]}" if _is_doubled(stem, head) else stem
    changed = head.endswith("y") and head[-2:-1] not in _VOWELS
    third = f"{head[:-1]}ies" if changed else f"{head}es" if _HISSES.search(head) else f"{head}s"
    past, participle = irregular.get(head) or 2 * (f"{head[:-1]}ied" if changed else f"{doubled}ed",)
    past_too = past == head
    made = {past: "done", participle: "done", third: "done", f"{doubled}ing": "order", head: "either" if past_too else "order"}
    return {" ".join(f"{form} {rest}".split()): shape for form, shape in made.items()}


def _is_doubled(stem: str, head: str) -> bool:
    short = sum(c in _VOWELS for c in stem) == 1 or stem == "quit"
    return stem == head and short and _LAST_IS_DOUBLED.search(stem) is not None


def stopped_behind(language: Language) -> re.Pattern[str]:
    """What right behind a name says that this medicine alone is stopped, of those listed with their doses before it."""
    return re.compile(rf"\s*[,:(-]?\s*{any_of(language.words('stopped-behind-a-name'))}(?![\w'])", re.I)


class Acts:
    """Finds acts by the lists of one language; never changed. `weighty`: the words that tell neither a dose nor how."""

    def __init__(self, language: Language, weighty: Callable[[str], list[str]]) -> None:
        words = language.words
        self._weighty = weighty
        self._phrases = _Phrases(language)
        self._labels = language.meaning("chart-labels")
        self._label = re.compile(rf"(?<![\w/-]){any_of(self._labels)}\s*:(?=\s)", re.I)
        self._links = language.meaning("act-chains")
        link = rf"(?:{any_of(self._links)}|\w+n['’]t|\w+ly)"
        self._chain = re.compile(rf"(?<![\w'’-])(?:{link}\s+)+\Z", re.I)
        self._link = re.compile(rf"(?<![\w'’-]){link}(?=\s)", re.I)
        ends = r"(?![\w'-])\s+(?:[\w'-]+\s+){0,2}\Z"
        somebody = any_of([*words("chart-somebody"), *language.meaning("chart-kin")])
        self._somebody = re.compile(rf"(?<![\w'-]){somebody}{ends}", re.I)
        self._doer = re.compile(rf"(?<![\w'-]){somebody}\s+\Z", re.I)
        self._denied = re.compile(rf"(?<![\w'-]){any_of(words('chart-denies'))}{ends}", re.I)
        self._denied_alone = re.compile(any_of([*words("chart-denies"), *words("no-longer")]), re.I)
        self._month = re.compile(rf"{any_of(language.meaning('month-names'))}(?![\w-])", re.I)
        self._before_a_month = re.compile(
            rf"(?<![\w-]){any_of([*words('before-a-time'), 'of', 'this', 'next', 'until'])}\s+\Z", re.I
        )
        self._leading = frozenset(words("chart-leads"))
        self._reporting = alone(words("reporting"))

    def read(self, said: str, start: int, end: int) -> list[Cue]:
        """The acts of a clause, in order, each with what the words before it make of it."""
        labels = list(self._labelled(said, start, end))
        found = list(labels)
        for cue in self._found(said, start, end):
            if not any(label.start <= cue.start < label.end for label in labels):
                found.append(self._in_its_chain(said, start, cue))
        return sorted(found, key=lambda cue: cue.start)

    def _labelled(self, said: str, start: int, end: int) -> Iterator[Cue]:
        """The labels of lists, "Taking:", each denied where nothing but a denial stands before it, "Not taking:"."""
        for hit in self._label.finditer(said, start, end):
            ahead = _SEGMENT.split(said[start : hit.start()])[-1]
            denied = self._denied_alone.fullmatch(ahead.strip(" *-\n")) is not None
            if denied or not self._weighty(ahead):
                act = self._labels[" ".join(lowered(hit[0].rstrip(" :")).split())]
                yield Cue(hit.start(), hit.end(), act, "label", denied=denied)

    def _found(self, said: str, start: int, end: int) -> Iterator[Cue]:
        """The verbs and set phrases of a clause as they stand, of several that begin with a word the longest."""
        at = start
        while (head := _HEAD.search(said, at, end)) is not None:
            if self._month.match(said, head.start(), end) and self._before_a_month.search(said, start, head.start()):
                at = head.end()
                continue  # "in May"
            cue = self._phrases.at(lowered(head[0]).rstrip("."), said, head.start(), end)
            if cue is not None:
                yield cue
            at = head.end() if cue is None else cue.end

    def _in_its_chain(self, said: str, start: int, cue: Cue) -> Cue:
        """An act with what the words before it make of it."""
        if cue.act == "nothing":
            return cue
        before = said[max(start, cue.start - _LOOK_BACK) : cue.start].rpartition(NAME)[2].rpartition(",")[2]
        chain = self._chain_of(before) if cue.shape in _CHAINED else _Chain(before)
        if cue.shape in _CHAINED and lowered(said[cue.start : cue.start + len(_TO)]) == _TO:
            with_it = self._chain_of(f"{before}{_TO}")
            chain = with_it if with_it.denied else chain  # "refuses to take"
        if cue.shape == "either":  # "I quit it", "I will quit it"
            alone = cue.act == "stop" and not chain.links and not chain.before.strip()  # "Quit it in June": nobody orders so
            done = not chain.order and not chain.denied and (alone or self._doer.search(chain.before) is not None)
            cue = replace(cue, shape="done" if done else "order")
        if cue.act == "take" and cue.shape == "ahead" and chain.order:
            return replace(cue, act="open")  # "should be on a statin"
        if cue.act == "change" and _BACK_TO.search(said, cue.start, cue.end) and said.startswith(NAME, cue.end + 1):
            cue = replace(cue, act="restart")  # "going back to it", and not to a dose
        denied = chain.denied if chain.links else self._denied.search(before) is not None
        shape = "behind" if cue.shape == "done" and chain.order and chain.passive else cue.shape
        thought = chain.thought
        reported = cue.act in _ORDERS and self._is_account(said, start, chain.before, cue.shape)
        return replace(cue, denied=denied, shape=shape, thought=thought, reported=reported or chain.told, ordered=chain.order)

    def _chain_of(self, before: str) -> _Chain:
        hit = self._chain.search(before)
        if hit is None:
            return _Chain(before)
        links = [lowered(one[0]) for one in self._link.finditer(before, hit.start())]
        kinds = [self._links.get(" ".join(one.split()), "not" if one.endswith(("n't", "n’t")) else "light") for one in links]
        return _Chain(
            before[: hit.start()],
            True,
            kinds.count("not") % 2 == 1,
            *(what in kinds for what in ("thought", "order", "told", "be")),
        )

    def _is_account(self, said: str, start: int, before: str, shape: str) -> bool:
        """Whether an act is told of somebody who did it, or said that they will: an account, and no order of this note."""
        if shape in ("done", "ahead"):
            told = _FOR.split(_SEGMENT.split(before)[-1])[0]  # "… daily for gout flares, added"
            return self._somebody.search(told) is not None or any(w not in self._leading for w in self._weighty(told))
        return self._reporting.search(before) is not None


def _lexicon(language: Language) -> dict[str, tuple[str, str]]:
    """Every phrase that tells an act, with the act and on which side its medicine stands; set phrases go before verbs."""
    told = {verb: past.split() for verb, past in language.meaning("irregular-verbs").items()}
    irregular = {verb: (each[0], each[-1]) for verb, each in told.items()}
    found: dict[str, tuple[str, str]] = {}
    for verb, act in language.meaning("verbs-of-acts").items():
        for phrase, shape in forms_of(verb, irregular).items():
            found.setdefault(phrase, (act, shape))
    for phrase in _reactions(language, irregular):
        found.setdefault(phrase, ("allergy", "ahead"))
    for phrase, meaning in language.meaning("chart-cues").items():
        act, shape = meaning.split()
        found[phrase] = (act, shape)
    return found


def _reactions(language: Language, irregular: dict[str, tuple[str, str]]) -> Iterator[str]:
    """What tells that something is an allergy of somebody: each sign of one with each word that leads to what brought it on,
    "swelled up from", "breaks out in hives when I take"."""
    signs = [form for verb in language.words("signs-told-of-oneself") for form in forms_of(verb, irregular)]
    for sign in (*signs, *language.words("signs-by-themselves")):
        for lead in language.words("led-to-what-brought-it-on"):
            yield f"{sign} {lead}"


class _Phrases:
    """The set phrases and forms of verbs, found by their first words; a pattern is made when all of its words are met."""

    def __init__(self, language: Language) -> None:
        self._lexicon = _lexicon(language)
        objects = any_of(language.words("chart-objects"))
        self._space = rf"\s+(?:{objects}\s+)?"
        self._between = rf"(?:(?:the|my|{any_of(language.words('chart-own'))})\s+)?(?:{NAME}+|{objects})"
        self._made: dict[str, re.Pattern[str]] = {}
        self._of: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        for phrase in sorted(self._lexicon, key=lambda p: (-len(p), p)):
            head = _HEAD.match(phrase)
            others = tuple(part for part in phrase.split()[1:] if part != _BETWEEN)
            self._of.setdefault(head[0].rstrip(".") if head is not None else phrase, []).append((phrase, others))

    def at(self, head: str, said: str, start: int, end: int) -> Cue | None:
        """The longest phrase that begins at a place with a word."""
        if head not in self._of:
            return None
        behind = lowered(said[start:end])
        for phrase, others in self._of[head]:
            hit = self._pattern(phrase).match(said, start, end) if all(word in behind for word in others) else None
            if hit is not None:
                act, shape = self._lexicon[phrase]
                return Cue(hit.start(), hit.end(), act, shape)
        return None

    def _pattern(self, phrase: str) -> re.Pattern[str]:
        made = self._made.get(phrase)
        if made is None:
            parts = self._space.join(self._between if part == _BETWEEN else re.escape(part) for part in phrase.split())
            made = re.compile(rf"{parts}(?![\w'-]|/\w)" if phrase[0].isalnum() else parts, re.I)
            self._made[phrase] = made
        return made
