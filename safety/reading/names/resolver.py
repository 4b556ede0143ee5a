"""Typed text → one drug, several (a combination), candidates with a question, or "unrecognised". Never a guess.

Names as they are written come first: exact names, synonyms, abbreviations, brands, salts, misspellings that were seen
somewhere, RxNorm-style descriptions, and combinations written with a slash or a plus. What is none of these is
compared by sound and by letters (`guessing`), where a single drug is answered only if nothing else comes near.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from safety.knowledge.library import Content, Drug, Library, Product, Recognised
from safety.model.patient import Code
from safety.model.quantity import Quantity, Units, number
from safety.reading.names.former import formerly
from safety.reading.names.index import NAMES, combination_key
from safety.reading.names.joined import JoinedNames
from safety.reading.names.several import (
    MARKS,
    Hit,
    Part,
    apart,
    cut,
    denied,
    explains,
    grouped,
    in_brackets,
    measured,
    pieces,
    separated,
    shared,
    texts,
)
from safety.reading.names.short import ShortForms
from safety.reading.names.words import TalkWords, name_words, talk_words
from safety.reading.wording import Wording, any_of, cleaned, key_of, worded
from safety.text import lowered, printable

if TYPE_CHECKING:
    from safety.reading.names.guessing import Guess, Guesser, Option

Status = Literal["match", "ambiguous", "unrecognised"]
_GOES_ON = re.compile(r"\s?[-–/]\s?\d{1,2}(?![\d.,])\s*(?P<next>\w*)")
_BRACKET = re.compile(r"\[([^\[\]]*)\]")
_RANK = {via: n for n, via in enumerate(("exact", "brand", "salt", "known-misspelling", "code"))}
_MAX_WORDS = 40
_REMEMBERED = 4096
"""Of so many words is kept whether a name begins with them."""
_SHORTEST_OTHER = 5
_LEAST_NUMBER = 3
"""A number of so many figures behind a short form belongs to the name: "PEG 3350"."""
_DAY_OR_CYCLE = frozenset("dc")
_LONGEST_CLASS = 4
_SIGNS = frozenset("+&/")
_MASS = re.compile(r"m?c?g\Z", re.I)


class Candidate(Struct, frozen=True):
    """A drug that may have been meant, and why."""

    drug: str | list[str]
    name: str
    score: float
    why: str


class NameAnswer(Struct, frozen=True):
    """What a name was taken to be. `confirm` with a question where it should be asked back."""

    heard: str
    status: Status
    drug: str | list[str] | None
    name: str | None
    rxcui: str | None
    via: str | None
    score: float
    confirm: bool
    candidates: list[Candidate]
    ask: str
    product: str | None = None
    decided_by: str = "medsafe"
    probably: str | UnsetType = UNSET
    """What a name that we do not hold probably is, "a monoclonal antibody"; only there where something tells."""

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain values, as in the contract."""
        built: dict[str, Any] = msgspec.to_builtins(self)
        return built


class ReadName(Struct, frozen=True):
    """A line about a medicine, its name recognised: the drugs, the product if it is one, amounts stated per drug,
    and the rest of the line (strength, form, how to take it). `parts`: where it tells several medicines, the words of each;
    `one_of`: the members of the class that was named instead. `supply`: no medicine, but needles, strips or the like. `timed_by`:
    other medicines by which its time is told, each by its name and drugs."""

    answer: NameAnswer
    drugs: tuple[str, ...]
    product: Product | None
    stated: tuple[Content, ...]
    rest: str
    parts: tuple[Part, ...] = ()
    one_of: tuple[str, ...] = ()
    supply: bool = False
    timed_by: tuple[tuple[str, tuple[str, ...]], ...] = ()


class _Stranger(Struct, frozen=True):
    """Where something else of a list begins, and whether that is eaten, drunk or smoked."""

    first: int
    eaten: bool


class Resolver:
    """Looks names up in one library; immutable once made."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self.words = name_words(library)
        self._as_needed = frozenset(phrase for phrase in self.words.as_needed if " " not in phrase)
        self._supplies_begin = frozenset(phrase.split()[0] for phrase in self.words.supplies)
        self._short_salts = frozenset(short for of in self.words.short_salts.values() for short in of)
        index = library.derived(NAMES)
        self._index, self._codes, self._classes = index.names, index.codes, index.classes
        self._longest = lru_cache(_REMEMBERED)(index.starts.get)  # most words of most lines are the same few
        self._salts = frozenset(index.salts)
        self._combinations = index.combinations
        self._signed = library.language.meaning("names-with-signs")
        self._sign = re.compile(rf"(?<!\w){any_of(self._signed)}(?!\w)", re.I)

    # -------------------------------------------------------------- asking

    def name(self, text: str) -> NameAnswer:
        """What one typed name means; strength, form and directions after it are allowed."""
        return self.read(text).answer

    def read(self, text: str, codes: Sequence[Code] = (), *, guess: bool = True, written: bool = False) -> ReadName:
        """A line about one medicine, with codes if the record gave any: name recognised, the rest left as text.

        Without `guess` only names as they are written count: far quicker where a guess would not be believed. `written`:
        typed for sure; otherwise it may have been heard, unless it has capital letters, and what sounds alike is offered.
        """
        told = self._sign.sub(lambda found: self._signed[lowered(found[0])], cleaned(text)) if "#" in text else cleaned(text)
        coded = next((self._codes[c.code] for c in codes if c.system == "rxnorm" and c.code in self._codes), None)
        read, line, worth = self._read_text(told, coded)
        if guess and coded is None and (read.answer.status != "match" or read.parts) and ("/" in told or "-" in told):
            joined = self._written_out(told)
            if joined is not None:
                return joined
        if guess and worth and read.answer.status != "match":
            read = self._guessed(read, line, told, asking=coded is None, written=written or told != told.lower())
            if read.answer.status != "match" and coded is None:
                read = self._guessed_apart(read, line, told, written=written)
        return read if coded is None else replace(self._with_code(read, coded, told), parts=())

    def _written_out(self, told: str) -> ReadName | None:
        """A line that begins with names cut short of medicines that are sold together ("oxy/apap 5/325"), to be confirmed."""
        out = self._joined_names.written_out(told)
        read, _, _ = self._read_text(out, None) if out is not None else (None, None, None)
        if read is None or read.answer.status != "match" or len(read.drugs) < 2:
            return None
        ask = f"Is {read.answer.name} meant?"
        return replace(read, answer=replace(read.answer, heard=printable(told), via="spelling", confirm=True, score=0.9, ask=ask))

    def class_of(self, text: str) -> str | None:
        """The class that a word names (`statins`, `sulfa drugs`); None if it names none."""
        return self._classes.get(key_of(text))

    # -------------------------------------------------------------- reading

    def _read_text(self, told: str, coded: str | None) -> tuple[ReadName, Wording, bool]:
        """The line read by names as they are written; its words, and whether it is worth guessing at them."""
        line = worded(self._without_brand(told) if "[" in told else told)
        if not line.words:
            return self._no(told, "Which medicine is meant? Please spell its name."), line, False
        past = formerly(line, self.longest_at, self.words) if coded is None else ()
        if past:
            return self._listed(told, past, ()), line, False
        if self._is_supply(line.words):
            return replace(self._no(told, "These are supplies, and no medicine."), supply=True), line, False
        first = self._first(line)
        if first is None:
            parts = self._after_a_stranger(line) or self._only_eaten(line)
            return (self._listed(told, parts, ()), line, False) if parts else (self._none(told, line.words), line, True)
        medicines, amounts = self._medicines(line, first, coded)
        hits = medicines[0]
        if not self.words.negations.isdisjoint(line.words[: first.first]):
            ask = f"Is {self._shown(first.target)} taken, or is it to be avoided?"
            candidates = [self._candidate(first, 0.5, "named after a word such as not")]
            return self._no(told, ask, candidates, "ambiguous"), line, False
        parts = self._parts(line, medicines) if coded is None or len(medicines) > 1 else ()
        if parts:
            return self._listed(told, parts, [h for m in medicines for h in m]), line, False
        either = self._either(line, first) if first.error_prone else None
        if either is not None and not self._as_needed.isdisjoint(line.words):
            return self._no(told, either[0], either[1], "ambiguous"), line, False
        another = self._another_of_the_brand(line, hits[-1])
        strange = another or self._strange(line, hits)
        if strange and self._longer_class(line.words, hits):
            return self._none(told, line.words[first.first :]), line, False
        if strange:
            ask = f"Is this {hits[0].shown}, or another product? `{printable(strange, 40)}` is not known: "
            part = [self._candidate(h, 0.5, "part of the name matches") for h in hits]
            return self._no(told, f"{ask}please give the name on the label.", part), line, not another
        if len(medicines) > 1:
            return self._listed(told, (), [*hits, medicines[1][0]]), line, False
        read = self._yes(told, line, hits, amounts)
        if either is not None:
            read = replace(read, answer=replace(read.answer, ask=either[0], candidates=either[1]))
        return read, line, False

    def _without_brand(self, told: str) -> str:
        """The text without the brand that RxNorm writes behind a drug in square brackets; anything else in them is read like the
        rest. A brand of another medicine stays, and so does a text that is nothing but its brackets."""
        main = _BRACKET.sub(" ", told)
        first = self._first(worded(main))
        if first is None:
            return told
        drugs = set(self._drugs_of(first.target))

        def kept(found: re.Match[str]) -> str:
            words = worded(found[1]).words
            hit = self.longest_at(words, 0) if words else None
            whole = hit is not None and hit.after == len(words)
            return " " if hit is not None and whole and drugs & {*self._drugs_of(hit.target)} else f"({found[1]})"

        return _BRACKET.sub(kept, told)

    # -------------------------------------------------------------- several medicines

    def _medicines(self, line: Wording, first: Hit, coded: str | None) -> tuple[list[list[Hit]], list[tuple[int, int]]]:
        """The names of a line, those of one product together; and the word ranges of the strengths in the first of them."""
        found: list[list[Hit]] = []
        ranges: list[tuple[int, int]] = []
        start: Hit | None = first
        while start is not None:
            hits, amounts = self._joined(line, start)
            ranges = ranges if found else amounts
            found += grouped(hits, lambda run: self._together(line, run, coded))
            start = self._other_drug(line, [h for medicine in found for h in medicine])
        return found, ranges

    def _together(self, line: Wording, run: Sequence[Hit], coded: str | None) -> bool:
        """Whether names side by side are one product: one that is sold, or written as RxNorm writes a combination."""
        if any(explains(line, hit, self.words) for hit in run[1:]):
            return True
        drugs = {d for h in run for d in self._drugs_of(h.target)}
        if coded is not None and drugs == set(self._drugs_of(coded)):
            return True
        if any(h.via == "brand" for h in run):
            return False
        return combination_key(drugs) in self._combinations or self._as_in_rxnorm(line.words, run)

    def _as_in_rxnorm(self, words: Sequence[str], run: Sequence[Hit]) -> bool:
        """Each name with its strength, a slash between them: "Acetaminophen 325 MG / Oxycodone 5 MG"."""
        units = self._library.units
        ends = [*(h.first for h in run[1:]), len(words)]
        return all(words[h.first - 1] == "/" for h in run[1:]) and all(
            _amount(words[h.after : end], units) is not None for h, end in zip(run, ends, strict=True)
        )

    def _parts(self, line: Wording, medicines: Sequence[Sequence[Hit]]) -> tuple[Part, ...]:
        """The words of each medicine that a line lists; none where it tells one, or relates one to the other."""
        cuts = [cut(line, one[-1].after, other[0].first, self.words) for one, other in pairwise(medicines)]
        at = [c for c in cuts if c is not None]
        tail = self._stranger_after(line, medicines[-1][-1].after)
        if len(at) < len(cuts) or not (at or tail):
            return ()
        between = (apart(line, one[-1].after, other[0].first, self.words) for one, other in pairwise(medicines))
        at = sorted({*at, *(place for place in between if place is not None)})
        if tail is None:
            one_each = all(len(self._drugs_of(hit.target)) == 1 for one in medicines for hit in one)
            return tuple(self._part(text) for text in shared(line, at, texts(line, at, self.words), one_each))
        *first, last = texts(line, [*at, line.starts[tail.first]], self.words)
        return (*(self._part(text) for text in first), Part(last, tail.eaten))

    def _part(self, text: str) -> Part:
        return Part(text, begun=text.split(maxsplit=1)[0].lower() in self.words.begun if text.strip() else False)

    def _stranger_after(self, line: Wording, after: int) -> _Stranger | None:
        """Where something else of the list begins: a name we do not know with its strength, or what is eaten or drunk."""
        words, names = line.words, self.words
        for at in range(after + 1, len(words)):
            word = words[at]
            if (
                len(word) == 1
                or not word[0].isalpha()
                or word in names.known
                or word in names.lead_ins
                or word in self._as_needed
            ):
                continue
            before = next((w for w in reversed(words[after:at]) if w in names.listing or w not in names.lead_ins), "")
            marked = not MARKS.isdisjoint(line.text[line.ends[at - 1] : line.starts[at]])
            if not (marked or before in names.listing):
                continue
            if word in names.changing or (at + 1 < len(words) and words[at + 1] in names.limiting):
                continue  # "40 mg daily, decrease by 5 mg weekly", "pain/fever nte 3 g"
            if self.longest_at(words, at) is not None or not names.negations.isdisjoint(words[after:at]):
                return None
            dosed = _is_mass(_amount(words[at + 1 : at + 4], self._library.units), self._library.units)
            eaten = before in names.listing and self._eaten(words, at)
            if dosed or eaten or self._class_at(words, at):
                while at - 1 > after and words[at - 1] in names.lead_ins and words[at - 1] not in names.listing:
                    at -= 1
                return _Stranger(at, eaten)
        return None

    def _after_a_stranger(self, line: Wording) -> tuple[Part, ...]:
        """A line whose first medicine we do not know, and that goes on to list one that we know: the two in words."""
        words, names = line.words, self.words
        for at in range(1, min(len(words), _MAX_WORDS)):
            hit = self.longest_at(words, at)
            if hit is None or self._too_short(line, hit):
                continue
            begins = separated(line, 0, at, names)
            if begins is None:
                continue
            if denied(words[:at], names) or not names.relating.isdisjoint(words[begins:at]):
                return ()
            listed = line.text.rfind("(", 0, line.starts[at]) if in_brackets(line, hit) else line.starts[begins]
            first, rest = texts(line, [listed], names)
            return Part(first, self._eaten(words, 0)), Part(rest)
        return ()

    def _is_supply(self, words: Sequence[str]) -> bool:
        """Whether a line names only supplies, "test strips qid", "OneTouch lancets #100": nothing that is taken."""
        at, found = 0, False
        if self._supplies_begin.isdisjoint(words):
            return False
        while at < min(len(words), _MAX_WORDS):
            ends = range(min(at + _LONGEST_CLASS, len(words)), at, -1)
            past = next((end for end in ends if " ".join(words[at:end]) in self.words.supplies), at)
            word = words[at]
            plain = word in self.words.beside_supplies or word in self.words.known or word in self.words.lead_ins
            if past == at and (self.longest_at(words, at) is not None or not (plain or not word[0].isalpha())):
                return False
            found = found or past > at
            at = max(past, at + 1)
        return found

    def _only_eaten(self, line: Wording) -> tuple[Part, ...]:
        """A line that tells only something eaten, drunk or smoked: "2 beers a night", "no alcohol"."""
        words, names = line.words, self.words
        at = next((n for n in range(min(len(words), _MAX_WORDS)) if self._eaten(words, n)), None)
        if at is None:
            return ()
        plain = (w in names.known or w in names.lead_ins or w in names.negations or not w[0].isalpha() for w in words[:at])
        return (Part(line.text, eaten=True),) if all(plain) else ()

    def _either(self, line: Wording, hit: Hit) -> tuple[str, list[Candidate]] | None:
        """The question and the candidates where an abbreviation that is misread stands for several: "T3", a hormone unless it is
        taken as needed."""
        said = " ".join(line.words[hit.first : hit.after])
        groups = (g for g in self._library.lookalikes if hit.target in g.members)
        meant = next((g.members for g in groups if key_of(g.names[g.members.index(hit.target)]) == said), ())
        if len(meant) < 2:
            return None
        named = [self._offered(target, self._shown(target), 0.5, f"{said.upper()} may be short for it") for target in meant]
        return f"Which is meant: {' or '.join(c.name for c in named)}? Please write the name out.", named

    def _past_class(self, words: Sequence[str], at: int) -> int:
        """Where the longest word for a class that begins with a word ends; where it begins if there is none."""
        ends = range(min(at + _LONGEST_CLASS, len(words)), at, -1)
        return next((end for end in ends if " ".join(words[at:end]) in self._classes), at)

    def _past_plain(self, words: Sequence[str], at: int) -> int:
        """Past what people call a medicine by, "heart pill", "blood pressure med"; where it begins if there is none."""
        ends = range(min(at + _LONGEST_CLASS, len(words) - 1), at, -1)
        called = (end for end in ends if words[end] in self.words.nouns and " ".join(words[at:end]) in self.words.called)
        return next((end + 1 for end in called), at)

    def _behind_plain(self, words: Sequence[str], at: int) -> Hit | None:
        """The name right behind what people call it by: "my thyroid pill, levothyroxine"."""
        while at < len(words) and words[at] in self.words.leading:
            at += 1
        return self.longest_at(words, at) if at < len(words) else None

    def _of_class(self, hit: Hit, named: str) -> bool:
        """Whether a name is that of a medicine of the class named before it."""
        held = self._library.drug_class.get(self._classes[named])
        return held is not None and not held.members.keys().isdisjoint(self._drugs_of(hit.target))

    def _class_at(self, words: Sequence[str], at: int) -> bool:
        """Whether a class of medicines is named from a word on: "a water pill"."""
        return any(" ".join(words[at:end]) in self._classes for end in range(at + 1, min(at + 4, len(words)) + 1))

    def _longer_class(self, words: Sequence[str], hits: Sequence[Hit]) -> bool:
        """Whether what was taken for names begins the word for a class: "potassium-sparing diuretic" is no potassium."""
        first, after = hits[0].first, hits[-1].after
        return any(" ".join(words[first:end]) in self._classes for end in range(after + 1, min(first + 6, len(words)) + 1))

    def _eaten(self, words: Sequence[str], at: int) -> bool:
        """Whether something that is eaten, drunk or smoked is named from a word on."""
        ends = (end for end in range(at + 1, min(at + 4, len(words)) + 1) if " ".join(words[at:end]) in self._foods)
        return any(end == len(words) or words[end] not in self.words.forms for end in ends)

    @cached_property
    def _foods(self) -> frozenset[str]:
        return frozenset(key_of(text) for food in self._library.foods for text in (food.name, *food.synonyms))

    def _listed(self, told: str, parts: tuple[Part, ...], hits: Sequence[Hit]) -> ReadName:
        """A line of several medicines: each is named, and asked for on a line of its own."""
        if len(parts) == 1 and not hits:
            return replace(self._no(told, "This is eaten, drunk or smoked, and counts as that."), parts=parts)
        named = [self._candidate(h, 0.5, "named on this line") for h in hits]
        shown = [p.text for p in parts] or [h.shown for h in hits[-2:]]
        count = "two" if len(shown) == 2 else "several"
        ask = f"Does this line name {count} medicines, {', '.join(shown[:-1])} and {shown[-1]}? Please list each on its own."
        return replace(self._no(told, ask, named, "ambiguous"), parts=parts)

    def _first(self, line: Wording) -> Hit | None:
        """The name the line begins with, after lead-in words, numbers and units."""
        words, after_class, after_plain, named = self.words, 0, 0, ""
        for i, word in enumerate(line.words):
            if i < after_plain:
                continue  # "my heart pill metoprolol"
            after_plain = self._past_plain(line.words, i)
            hit = self._behind_plain(line.words, after_plain) if after_plain > i else None
            hit = hit or self.longest_at(line.words, i)
            if hit is not None and self._numbered_apart(line, hit) and word in self.short_forms:
                return None  # "dex 4 q6h" is no Dex4
            if hit is not None:
                return hit if not named or self._of_class(hit, named) else None
            past = self._past_class(line.words, i)
            if past > max(after_class, i):
                after_class, named = past, " ".join(line.words[i:past])
            if i < after_class or after_plain > i:
                continue  # "my rescue inhaler (Ventolin)"; a medicine of another class is another matter: "penicillin - codeine"
            noise = word in words.lead_ins or word in words.known or not word[0].isalpha()
            if not noise and word not in words.registrations:
                return None
        return None

    def longest_at(self, words: Sequence[str], i: int) -> Hit | None:
        """The longest name that begins with word i, written as names are."""
        longest: int | None = self._longest(words[i])
        if longest is None:
            return None
        for j in range(min(len(words), i + longest), i, -1):
            found = self._index.get(" ".join(words[i:j]) if j > i + 1 else words[i])
            if found and j > i + 1 and words[j - 1].isdigit() and j < len(words) and words[j] in self.words.units:
                shorter = self.longest_at(words[: j - 1], i)
                if shorter is not None and shorter.after == j - 1:
                    return shorter  # "mag ox 400 mg": the number is an amount, though a name goes on with it
                if words[j] not in self.words.forms and not any(shown.split()[-1].isdigit() for _, shown, *_ in found):
                    continue  # "dex 4 mg": no brand whose name ends in a number without a space
            if found and not self._goes_on_in_a_number(words, j):
                best = found[0] if len(found) == 1 else min(found, key=lambda f: (_RANK[f[2]], f[0]))
                return Hit(best[0], best[1], best[2], best[3], i, j)
        return None

    def _goes_on_in_a_number(self, words: Sequence[str], j: int) -> bool:
        """Whether a name ends in a letter with a figure behind it that is no amount: "vit K2" is not vitamin K."""
        letter, behind = words[j - 1], words[j : j + 2]
        if not (len(letter) == 1 and letter.isalpha() and behind and len(behind[0]) == 1 and behind[0].isdigit()):
            return False
        counted = len(behind) > 1 and (behind[1] in self.words.units or behind[1] in self.words.forms)
        return behind[0] != "1" and not counted

    def _joined(self, line: Wording, first: Hit) -> tuple[list[Hit], list[tuple[int, int]]]:
        """The first name and those joined to it by a slash, a plus or "and"; the word ranges of their strengths."""
        words, joiners = line.words, self.words.joiners
        hits = [first]
        amounts: list[tuple[int, int]] = []
        while True:
            at = start = hits[-1].after
            while at < len(words) and self._is_amount(words, at):
                at += 1
            joined = at + 1 < len(words) and words[at] in joiners
            follows = self.longest_at(words, at + 1) if joined else None
            if follows is None and at == start:  # amlodipine-valsartan: the hyphen is a space here
                follows = self.longest_at(words, at) if at < len(words) else None
                if follows is not None and (self._same(follows, hits) or self._salt_word(follows)):
                    return hits, amounts
                if follows is not None and len(hits) == 1 and self._salt_word(first):  # potassium clavulanate
                    hits = [follows]
                    continue
            if follows is None or follows.target in {h.target for h in hits}:
                return hits, amounts
            amounts.append((start, at))
            hits.append(follows)

    def _salt_word(self, hit: Hit) -> bool:
        """Whether a name is one word that, right beside another name (no "and", no slash), says which salt that is."""
        return hit.after == hit.first + 1 and hit.target in self._salts

    def _is_amount(self, words: Sequence[str], at: int) -> bool:
        word, units = words[at], self.words.units
        if word[0].isdigit() or word in units:
            return True
        return word == "/" and at + 1 < len(words) and words[at + 1] in units

    def _same(self, hit: Hit, hits: Iterable[Hit]) -> bool:
        have = {d for h in hits for d in self._drugs_of(h.target)}
        return set(self._drugs_of(hit.target)) <= have

    def _strange(self, line: Wording, hits: Sequence[Hit]) -> str | None:
        """A word right after the name that belongs neither to it nor to dosing language: maybe another product."""
        at = hits[-1].after
        while at < len(line.words):
            word = line.words[at]
            again = self.longest_at(line.words, at)
            if again is not None and self._same(again, hits):
                at = again.after
                continue
            if word in self._short_salts:
                at += 1
                continue
            if word in _SIGNS and at + 1 < len(line.words):
                return self._strange_second(line.words, at + 1)
            if again is not None or not word[0].isalpha() or word in self.words.known or self._needed_at(line.words, at):
                return None
            return word
        return None

    def _needed_at(self, words: Sequence[str], at: int) -> bool:
        """Whether words say from here on when it is needed: "some nights", "when I get heartburn"."""
        if words[at] in self.words.conditions:
            return True
        said = " ".join(words[at : at + _LONGEST_CLASS])
        return any(said == phrase or said.startswith(f"{phrase} ") for phrase in self.words.as_needed)

    def _strange_second(self, words: Sequence[str], at: int) -> str | None:
        """A word that is added to a name by a sign, and that is no word of dosing: "Cold + Flu"."""
        word = words[at]
        known = not word[0].isalpha() or word in self.words.known or word in self.words.lead_ins
        return None if known or self.longest_at(words, at) is not None else word

    def _another_of_the_brand(self, line: Wording, hit: Hit) -> str | None:
        """A word right beside a brand that is bought which names another product of that brand, or a form that it has not."""
        item = self._item(hit.target)
        if hit.via != "brand" or (not isinstance(item, Recognised) and item.supply == "prescription"):
            return None
        if hit.first and line.words[hit.first - 1] in self.words.other_before:
            return line.words[hit.first - 1]
        word = line.words[hit.after] if hit.after < len(line.words) else ""
        if word not in self.words.other_products or isinstance(item, Recognised):
            return word if word in self.words.other_products else None
        named = [f"{p.name} {p.form}".lower() for p in item.presentations] if isinstance(item, Product) else item.forms
        return None if any(form in text for form in self.words.other_products[word] for text in named) else word

    def _other_drug(self, line: Wording, hits: Sequence[Hit]) -> Hit | None:
        """Another medicine further on in the line, unless the line says to avoid it."""
        at, words = hits[-1].after, line.words
        while at < len(words):
            short = self._short_one(line, at)
            if short is not None:
                return short
            hit = self.longest_at(words, at)
            if hit is None or self._too_short(line, hit) or self._of_some_days(line, hit):
                at += 1
                continue
            said_of_it = hit.target in self._salts or self._is_a_regimen_of(hit, hits)
            if self._part_of_unit(words, hit.after) or (said_of_it and in_brackets(line, hit)):
                at = hit.after  # "ferrous sulfate 325 mg (65 mg iron)" says what the salt holds, "(mFOLFOX6)" the regimen
                continue
            if measured(line, hit, self.words) or self._only_timed_by(words, hit, hits) or self._only_the_reason(line, hit, hits):
                at = hit.after
                continue
            again = self._told_again(words, hit, hits) and not self._with_its_own_dose(line, hit, hits)
            if not again and self.words.negations.isdisjoint(words[max(0, at - 3) : at]):
                return hit
            at = hit.after
        return None

    def _only_the_reason(self, line: Wording, hit: Hit, hits: Sequence[Hit]) -> bool:
        """As in "levothyroxine 50 mcg daily for thyroid": what people say it is for, in the same breath, with no amount."""
        words, before, after = line.words, hit.first - 1, hit.after
        leads = words[before] in self.words.taken_for or words[before] in self._as_needed
        if not leads or before <= hits[-1].after or " ".join(words[hit.first : after]) not in self.words.reasons:
            return False
        if not MARKS.isdisjoint(line.text[line.ends[before - 1] : line.starts[before]]):
            return False  # "daily, prn calcium" lists it
        ends = after == len(words) or not (MARKS | {")"}).isdisjoint(line.text[line.ends[after - 1] : line.starts[after]])
        return ends or (words[after] in self.words.known and not words[after][0].isdigit()) or words[after] in self.words.lead_ins

    def _only_timed_by(self, words: Sequence[str], hit: Hit, hits: Sequence[Hit]) -> bool:
        """As in "30 min before Lasix", "D1 of R-CHOP": another medicine by which a dose is timed, or its regimen."""
        before = words[hit.first - 1]
        if hit.first - 1 <= hits[-1].after or (hit.after < len(words) and self._is_amount(words, hit.after)):
            return False
        return before in self.words.timed_from or (before == "of" and self._regimen_of(words, hit, hits))

    def _regimen_of(self, words: Sequence[str], hit: Hit, hits: Sequence[Hit]) -> bool:
        """Whether a name is that of several medicines given on days of a cycle, of which this is one."""
        day = words[hit.first - 2]
        numbered = day[-1].isdigit() and (day[0] in _DAY_OR_CYCLE or words[hit.first - 3] in self.words.cycles)
        return numbered and self._holds_it(hit, hits)

    def _is_a_regimen_of(self, hit: Hit, hits: Sequence[Hit]) -> bool:
        """Whether a name is that of several medicines given apart from one another, of which one was named before."""
        held = self._library.product.get(hit.target)
        apart = held is not None and not any(c.amount for p in held.presentations for c in p.contents)
        return apart and self._holds_it(hit, hits)

    def _holds_it(self, hit: Hit, hits: Sequence[Hit]) -> bool:
        """Whether a name is that of several medicines, of which what was named before is one."""
        held = self._library.product.get(hit.target)
        return held is not None and {d for h in hits for d in self._drugs_of(h.target)} < {*held.drugs}

    def _short_one(self, line: Wording, at: int) -> Hit | None:
        """As in "Zytiga 1000 mg qd + pred 5 bid": a short form behind a mark, with an amount; which it is its own words tell."""
        words = line.words
        if words[at] not in self.short_forms or at + 1 >= len(words) or not words[at + 1][0].isdigit():
            return None
        gap = line.text[line.ends[at - 1] : line.starts[at]]
        listed = not MARKS.isdisjoint(gap) or words[at - 1] in ("+", "&", "and", "plus")
        return Hit(self.short_forms.one_of(words[at]), words[at], "exact", False, at, at + 1) if listed else None

    def _with_its_own_dose(self, line: Wording, hit: Hit, hits: Sequence[Hit]) -> bool:
        """As in "MS Contin 15 bid, MSIR 7.5 q4 prn": the same behind a mark, each with a dose, and only this one as needed."""
        words = line.words
        gap = line.text[line.ends[hit.first - 1] : line.starts[hit.first]]
        dosed = any(w[0].isdigit() for w in words[hits[-1].after : hit.first]) and any(w[0].isdigit() for w in words[hit.after :])
        only = not self._as_needed.isdisjoint(words[hit.after :]) and self._as_needed.isdisjoint(words[: hit.first])
        return dosed and only and not MARKS.isdisjoint(gap)

    def _told_again(self, words: Sequence[str], hit: Hit, hits: Sequence[Hit]) -> bool:
        """Whether a name only says again what was named: "warfarin (Coumadin)"; "Zestril and lisinopril" lists two."""
        if not self._same(hit, hits):
            return False
        by_other_words = all(words[h.first : h.after] != words[hit.first : hit.after] for h in hits)
        return not (by_other_words and words[hit.first - 1] in self.words.listing)

    def _part_of_unit(self, words: Sequence[str], after: int) -> bool:
        """Whether a name is what an amount counts: "350 mg iodine/mL"."""
        return after + 1 < len(words) and words[after] == "/" and words[after + 1] in self.words.units

    def _of_some_days(self, line: Wording, hit: Hit) -> bool:
        """Whether days go on behind letters with a number, so that they name no vitamin: "d3-7 of the cycle", not "B6-50 mg"."""
        ends = _GOES_ON.match(line.text, line.ends[hit.after - 1]) if line.words[hit.after - 1][-1].isdigit() else None
        return ends is not None and ends["next"].lower() not in self.words.units | self.words.forms

    def _too_short(self, line: Wording, hit: Hit) -> bool:
        """Whether a name further on may be no name: a word of dosing, or a short one that is not listed in capitals."""
        word = line.words[hit.first]
        if self._numbered_apart(line, hit):
            return True
        if hit.after > hit.first + 1 or (len(word) >= _SHORTEST_OTHER and word not in self.words.known):
            return False
        start = line.starts[hit.first]
        gap = line.text[line.ends[hit.first - 1] : start] if hit.first else ""
        before = hit.first - 1
        while before > 0 and self._is_amount(line.words, before):
            before -= 1
        listed = not MARKS.isdisjoint(gap) or line.words[before] in self.words.listing
        capitals = sum(c.isupper() for c in line.text[start : line.ends[hit.first]])
        return word in self.words.known or not (listed and capitals > 1)

    def _numbered_apart(self, line: Wording, hit: Hit) -> bool:
        """Whether a letter and a number that are a name together stand apart: "p.o. 2 times" is no O2, "x3d, 3 tabs" no D3,
        "dex 4 q6h" no Dex4."""
        first, last = hit.first, hit.after - 1
        together = first == last or line.starts[last] == line.ends[first]
        short = len(line.words[first]) == 1 or (line.words[first] in self.short_forms and len(line.words[last]) < _LEAST_NUMBER)
        return not together and short and line.words[last].isdigit() and last == first + 1

    # -------------------------------------------------------------- answering

    def _drugs_of(self, target: str) -> tuple[str, ...]:
        product = self._library.product.get(target)
        if product:
            return product.drugs
        recognised = self._library.recognised_by_id.get(target)
        return recognised.means if recognised else (target,)

    def _item(self, target: str) -> Drug | Product | Recognised:
        found = self._library.drug.get(target) or self._library.product.get(target)
        return found or self._library.recognised_by_id[target]

    def _yes(self, told: str, line: Wording, hits: Sequence[Hit], amounts: Sequence[tuple[int, int]]) -> ReadName:
        product = self._library.product.get(hits[0].target) if len(hits) == 1 else None
        drugs = tuple(dict.fromkeys(d for h in hits for d in self._drugs_of(h.target)))
        via = max((h.via for h in hits), key=lambda v: _RANK[v])
        error_prone = any(h.error_prone for h in hits)
        confirm = via == "known-misspelling" or error_prone
        names = " + ".join(self._shown(h.target) for h in hits)
        ask = ""
        if error_prone:
            ask = f"Is {names} meant? The abbreviation has been misread before: please write the name out."
        elif confirm:
            ask = f"Is {names} meant?"
        answer = NameAnswer(
            heard=printable(told), status="match", drug=list(drugs) if len(drugs) > 1 else drugs[0],
            name=names, rxcui=self._rxcui(hits), via=via, score=0.9 if confirm else 1.0, confirm=confirm, candidates=[],
            ask=ask, product=product.id if product else None, decided_by=self._origin(hits),
        )  # fmt: skip
        stated = self._stated(line.words, hits, amounts) if len(hits) > 1 else ()
        told_each = self._amount_of_each(line, hits, amounts)
        if told_each is not None:
            rest = f"{told_each[0]} {line.text[line.ends[told_each[1] - 1] :]}"
            return ReadName(answer, drugs, product, tuple(c for c in stated if c.amount), rest)
        timed = self._timed_by(line, hits)
        again = [*self._named_again(line, hits), *((h.first, h.after) for h in timed)]
        by_class = ((n, self._past_class(line.words, n)) for n in range(hits[0].first))
        before = [(first, after) for first, after in by_class if first < after <= hits[0].first][:1]
        named = self._led_to(line.words, hits[0].first), hits[-1].after
        before = before if named[0] else []
        rest = _without(line, *before, named, *again)
        timed_by = tuple((h.shown, self._drugs_of(h.target)) for h in timed if line.words[h.first - 1] in self.words.timed_from)
        return ReadName(
            answer, drugs, product, stated, f"{self._strength_in(line.words, hits[0])} {rest}".strip(), timed_by=timed_by
        )

    def _timed_by(self, line: Wording, hits: Sequence[Hit]) -> list[Hit]:
        """The other medicines by which a dose is timed, and regimens that it is part of."""
        found: list[Hit] = []
        if self.words.timed_from.isdisjoint(line.words) and "of" not in line.words:
            return found
        at = hits[-1].after
        while at < len(line.words):
            hit = self.longest_at(line.words, at)
            if hit is not None and not self._same(hit, hits) and not self._too_short(line, hit):
                found += [hit] if self._only_timed_by(line.words, hit, hits) else []
            at = hit.after if hit is not None else at + 1
        return found

    def _strength_in(self, words: Sequence[str], hit: Hit) -> str:
        """As in "Mag-Ox 400": the number that a brand's name ends with, where it is sold in that strength; else empty."""
        last = words[hit.after - 1]
        held = self._drugs_of(hit.target)
        known = self._library.drug.get(held[0]) if len(held) == 1 and hit.target not in self._library.product else None
        if known is None or hit.after == hit.first + 1 or not last.isdigit():
            return ""
        return last if any(q.value == int(last) and "/" not in q.unit for q in (*known.strengths, *known.single_doses)) else ""

    def _led_to(self, words: Sequence[str], first: int) -> int:
        """Where the words begin that only lead to a name, "on metoprolol", "my heart pill": all before it, or the name itself."""
        at = 0
        while at < first:
            past = max(self._past_plain(words, at), self._past_class(words, at))
            if past == at and words[at] not in self.words.leading:
                return first
            at = max(past, at + 1)
        return 0 if at == first else first

    def _named_again(self, line: Wording, hits: Sequence[Hit]) -> list[tuple[int, int]]:
        """Where the same is named in other words further on: "metformin (GLUCOPHAGE) 500 mg", "atorvastatin 40 mg (Lipitor)"."""
        found: list[tuple[int, int]] = []
        at = hits[-1].after
        while at < len(line.words):
            hit = self.longest_at(line.words, at)
            if hit is not None and self._same(hit, hits) and not self._too_short(line, hit):
                found.append((hit.first, hit.after))
            at = hit.after if hit is not None else at + 1
        return found

    def _stated(self, words: Sequence[str], hits: Sequence[Hit], amounts: Sequence[tuple[int, int]]) -> tuple[Content, ...]:
        """Strengths written beside each name of a combination (`Acetaminophen 325 MG / Oxycodone 5 MG`)."""
        units = self._library.units
        ranges = [*amounts, (hits[-1].after, len(words))]
        return tuple(
            Content(drug, _amount(words[a:b], units))
            for hit, (a, b) in zip(hits, ranges, strict=True)
            for drug in self._drugs_of(hit.target)
        )

    def _amount_of_each(self, line: Wording, hits: Sequence[Hit], amounts: Sequence[tuple[int, int]]) -> tuple[str, int] | None:
        """As in "lisinopril 10 & HCTZ 12.5 daily": the strengths as one writes them of a combination, "10/12.5", and where the
        last of them ends; None where one of the names has none of its own."""
        if len(hits) < 2:
            return None
        last = hits[-1].after
        own = [*amounts, (last, last + 1 + (" ".join(line.words[last + 1 : last + 2]) in self.words.units))]
        told: list[str] = []
        for first, after in own:
            said = line.words[first:after]
            plain = said[:1] and number(said[0]) is not None and len(said) <= 2
            if not plain or (len(said) == 2 and _MASS.match(said[1]) is None):
                return None
            told.append(" ".join(said))
        beyond = line.words[own[-1][1] : own[-1][1] + 1]
        if beyond and (beyond[0] in ("/", "-", "%") or (len(told[-1].split()) == 1 and beyond[0] in self.words.forms)):
            return None
        return "/".join(told), own[-1][1]

    def _shown(self, target: str) -> str:
        return self._item(target).name

    def _rxcui(self, hits: Sequence[Hit]) -> str | None:
        if len(hits) != 1:
            return None
        item = self._item(hits[0].target)
        return item.rxcui if isinstance(item, Recognised) else item.rxnorm

    def _origin(self, hits: Sequence[Hit]) -> str:
        items = (self._item(h.target) for h in hits)
        return next((i.origin for i in items if i.origin), "medsafe")

    def _candidate(self, hit: Hit, score: float, why: str) -> Candidate:
        return self._offered(hit.target, self._shown(hit.target), score, why)

    def _offered(self, target: str, name: str, score: float, why: str) -> Candidate:
        drugs = self._drugs_of(target)
        return Candidate(drugs[0] if len(drugs) == 1 else list(drugs), name, round(score, 3), why)

    # -------------------------------------------------------------- guessing

    @cached_property
    def talk(self) -> TalkWords:
        """What names inside sentences are told from the other words by."""
        return talk_words(self._library, self.words)

    @cached_property
    def _guesser(self) -> Guesser:
        from safety.reading.names.guessing import Guesser  # only a text that is no name as written pays for it

        return Guesser(self._library, self.words, self.short_forms, self._drugs_of, self._shown)

    @cached_property
    def _joined_names(self) -> JoinedNames:
        return JoinedNames(self._library)

    @cached_property
    def short_forms(self) -> ShortForms:
        """What is short for several medicines: no name as written, and asked about with all of them."""
        return ShortForms(self._library.lookalikes, self.words)

    def _guessed(self, read: ReadName, line: Wording, told: str, *, asking: bool, written: bool) -> ReadName:
        """The line as its sounds and letters suggest, where that says more than the exact reading did."""
        kept = [n for n, word in enumerate(line.words) if word[0].isalnum()]
        words = [line.words[n] for n in kept]
        if elsewhere := self._held_elsewhere(read, words):
            return self._not_held(told, elsewhere)
        found = self._guesser.guess(words, written=written) if len(kept) <= _MAX_WORDS else None
        if probably := self._probably(read, found, words, written=written):
            return self._not_held(told, probably)
        if found is None or self._is_class(words):
            return read
        return self._by_the_guess(read, found, line, kept, told, asking=asking)

    def _by_the_guess(
        self, read: ReadName, found: Guess, line: Wording, kept: Sequence[int], told: str, *, asking: bool
    ) -> ReadName:
        """What a guess makes of a line: one drug, or names to ask about where a question may be asked. `kept`: its words."""
        if not (asking or found.sure):
            return read
        if found.sure:
            return self._sure(found, told, _without(line, (kept[found.first], kept[found.after - 1] + 1)))
        return self._asked(read, found, told)

    def _held_elsewhere(self, read: ReadName, words: Sequence[str]) -> str:
        """What a word is that names a medicine of another kind than we hold; empty where a name of ours is offered."""
        named = (self.words.elsewhere[word] for word in words if word in self.words.elsewhere)
        return "" if read.answer.candidates else next(named, "")

    def _probably(self, read: ReadName, found: Guess | None, words: Sequence[str], *, written: bool) -> str:
        """What an unknown word probably is, by its ending; empty where a name is offered for it, or is surely meant. Who types
        a name means what its letters are near, however it sounds."""
        if read.answer.status != "unrecognised" or read.answer.candidates or (found is not None and found.sure and not written):
            return ""
        return self._guesser.not_held(words)

    def _asked(self, read: ReadName, found: Guess, told: str) -> ReadName:
        """The names that are near, to be asked about, before those that the exact reading offered."""
        candidates, strange = read.answer.candidates, read.answer.status == "unrecognised"
        named = {d for c in candidates for d in ([c.drug] if isinstance(c.drug, str) else c.drug)}
        options = found.options
        if strange and set(options[0].drugs) <= named:
            return read
        offered = [self._offered(o.target, self._named(o), o.score, o.why) for o in options]
        if strange:
            offered = [*offered[: 5 - len(candidates)], *candidates]
        status: Status = "unrecognised" if found.everyday else "ambiguous"
        return self._no(told, self._guesser.question(options, found.everyday), offered, status)

    def _guessed_apart(self, read: ReadName, line: Wording, told: str, *, written: bool) -> ReadName:
        """A line that lists several medicines of which some are misspelt: each by itself, if each is then one medicine."""
        listed = pieces(line, self.words)
        if len(listed) < 2 or len(line.words) > _MAX_WORDS or not self.words.negations.isdisjoint(line.words):
            return read
        each = [self.read(text, written=written) for text in listed]
        if any(one.answer.status != "match" for one in each):
            return read
        named = [Candidate(d, self._shown(d), 0.5, "named on this line") for one in each for d in one.drugs]
        asked = self._listed(told, tuple(Part(text) for text in listed), ())
        return replace(asked, answer=replace(asked.answer, candidates=named))

    def _sure(self, found: Guess, told: str, rest: str) -> ReadName:
        """One drug, although the name is not as written: always with a question."""
        option = found.options[0]
        product = self._library.product.get(option.target)
        item = self._item(option.target)
        why = [self._offered(option.target, self._named(option), option.score, option.why)]
        answer = NameAnswer(
            printable(told), "match", list(option.drugs) if len(option.drugs) > 1 else option.drugs[0], item.name,
            item.rxcui if isinstance(item, Recognised) else item.rxnorm, found.via, round(option.score, 3), True, why,
            self._guesser.confirmation(option), product.id if product else None, item.origin or "medsafe",
        )  # fmt: skip
        return ReadName(answer, option.drugs, product, (), rest)

    def _named(self, option: Option) -> str:
        name = self._shown(option.target)
        return name if option.shown.lower() in name.lower() else f"{name} ({option.shown})"

    def _is_class(self, words: Sequence[str]) -> bool:
        core = (word for word in words if word not in self.words.known and word not in self.words.lead_ins)
        return " ".join(core) in self._classes

    def _none(self, told: str, words: Sequence[str]) -> ReadName:
        """No name of a drug: a class asks which of its members, anything else asks to spell it."""
        while len(words) > 1 and words[0] in self.words.lead_ins:
            words = words[1:]
        for j in range(min(len(words), 6), 0, -1):
            found = self._classes.get(" ".join(words[:j]))
            if found:
                c = self._library.drug_class[found]
                some = [Candidate(d, self._shown(d), 0.0, f"one of the {c.name}") for d in list(c.members)[:5]]
                ask = f"Which of the {c.name} is it? Please read the name on the label."
                return replace(self._no(told, ask, some, "ambiguous"), one_of=tuple(c.members))
        return self._no(told, "We don't recognise this name. Please spell it as it stands on the label.")

    def _no(self, told: str, ask: str, candidates: Sequence[Candidate] = (), status: Status = "unrecognised") -> ReadName:
        answer = NameAnswer(printable(told), status, None, None, None, None, 0.0, True, list(candidates), ask)
        return ReadName(answer, (), None, (), "")

    def _not_held(self, told: str, probably: str) -> ReadName:
        """Probably the name of a medicine, that we do not have: nothing else is offered for it."""
        ask = f"This is probably {probably}, by its name; nothing is held of it, so nothing was checked. Is it spelled right?"
        read = self._no(told, ask)
        return replace(read, answer=replace(read.answer, probably=probably))

    def _with_code(self, read: ReadName, coded: str, told: str) -> ReadName:
        """The record's code and its text must agree; the code alone serves where the text says nothing."""
        drugs = self._drugs_of(coded)
        if read.answer.status == "match":
            if set(drugs) & set(read.drugs):
                return read
            candidates = [
                Candidate(d, self._shown(d), 0.5, why) for why, ds in (("the text", read.drugs), ("the code", drugs)) for d in ds
            ]
            return self._no(
                told,
                f"The text says {read.answer.name}, the code says {self._shown(coded)}: which is right?",
                candidates,
                "ambiguous",
            )
        if read.answer.candidates:
            return read
        product = self._library.product.get(coded)
        item = self._item(coded)
        rxcui = item.rxcui if isinstance(item, Recognised) else item.rxnorm
        answer = NameAnswer(
            printable(told), "match", list(drugs) if len(drugs) > 1 else drugs[0], item.name, rxcui, "code", 1.0,
            False, [], "", product.id if product else None, item.origin or "medsafe",
        )  # fmt: skip
        return ReadName(answer, drugs, product, (), "")


def _without(line: Wording, *ranges: tuple[int, int]) -> str:
    """The line without some ranges of its words: each from the first to before the second."""
    text = line.text
    for first, after in reversed(ranges):
        text = f"{text[: line.starts[first]]} {text[line.ends[after - 1] :]}"
    bare = text.strip(" ,;:()")
    return f"{bare})" if bare.count("(") > bare.count(")") and text.rstrip(" ,;:").endswith(")") else bare


def _is_mass(amount: Quantity | None, units: Units) -> bool:
    return amount is not None and units.dimension(amount.unit) == "mass"


def _amount(words: Sequence[str], units: Units) -> Quantity | None:
    """The first number with its unit in a run of words; a ratio such as 1 mg/mL keeps both parts."""
    for n, word in enumerate(words):
        if not word[0].isdigit():
            continue
        value = number(word)
        after = words[n + 1 : n + 4]
        unit = units.symbol(after[0]) if after else None
        if value is None or unit is None:
            return None
        if len(after) == 3 and after[1] == "/":
            below = units.symbol(after[2])
            return Quantity(value, f"{unit}/{below}") if below else None
        return Quantity(value, unit)
    return None
