"""A line of a problem list → its pieces, from left to right: the longest phrase that is known at each word."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from itertools import pairwise, product
from typing import Protocol

from msgspec import Struct

from safety.model.problem_line import Mark, Measured, When
from safety.reading.problems.lexing import Words
from safety.reading.problems.statuses import Statuses
from safety.reading.problems.words import Phrase, Vocabulary
from safety.text import fold, lowered

_GRADE = re.compile(
    r"\s*[:=#-]{0,2}\s*(?:(?:class|stage|grade|score|group|level|of)\s+)?"
    r"(?P<value>[ivx]{1,4}(?:\s?[-/+&]\s?[ivx]{1,4})?(?:[a-d]\d?)?(?![a-z])|\d{1,4}(?:\.\d+)?(?:\s*[+/:-]\s*\d{1,4}(?:\.\d+)?)*(?:[a-d]|\s?%)?(?![\w%])|[a-e](?:\d\b)?(?![\w]))",
    re.I,
)
_ALONE = re.compile(
    r"(?:[cp]?t[0-4x][a-d]?(?:n[0-3x][a-d]?)?(?:m[01x])?|f[0-4]|g[1-5][ab]?(?:a[1-3])?|gr[1-5]|gt[1-7][a-c]?|st[1-4][a-c]?|a[1-3]|x[1-6])\Z",
    re.I,
)
_CODE = re.compile(r"[A-TV-Z]\d\d(?:\.[0-9A-Z]{1,4})?\b")
_VALUE = re.compile(
    r"\s*(?:\(|:|=|~|≈)?\s*"
    r"(?:(?:of|was|is|at|up to|down to|now|currently|baseline|today|approx|about|around|last|peak|nadir|level)\s+)*"
    r"(?P<value>(?:<=|>=|[<>≤≥~])?\s*(?!\d+(?:st|nd|rd|th)\b)\d+(?:[.,]\d+)?[ks]?(?:\s*(?:-|–|to|/)\s*\d+(?:\.\d+)?s?)?)(?![\w.]*\d|\+)",
    re.I,
)
_UNIT = re.compile(
    r"\s?(?P<unit>%|[a-zµμ]{1,5}(?:\d*)?/[a-z0-9.^]{1,6}(?:/[a-z0-9.^]{1,8})?|ms|msec|sec|mg%|mmhg|kgs?|lbs?|cm)(?![\w])", re.I
)


_AGE = re.compile(r"\d{1,3}\s?-?(?:yo|y/o|y\.o\.?|year[- ]old|yr[- ]old|[fm])\b(?:\s?[fm]\b)?", re.I)
_NUMBERED = re.compile(r"[1-4]?\d(?=[.)]\s|\)|:\s)")
_AGED = re.compile(r"\d{1,3}\s?-?(?:mo|wk|yr|y|d|month|week|year)s?\s?[mf]\b", re.I)
_PARITY = re.compile(r"g\s?\d{1,2}(?:\s?,?\s?p\s?\d{1,4}(?:-\d{1,2}){0,3})?(?:\s?,?\s?ab\s?\d{1,2})?(?![a-z\d])", re.I)
_TIMES = re.compile(r"x\s?\d{1,2}(?![\w.])|\d{1,2}\s?x(?!\w)", re.I)
_WORDED = re.compile(
    r"\s*(?::|=|\(|\bwas|\bis)?\s*(?P<value>[a-z]+(?:[ -](?:reactive|detected))?)(?![\w-]|\s+(?:for|of)\b)", re.I
)
"""A result in a word, right behind its test."""
_MINUS_BEHIND = re.compile(r"-(?=[\s,;)/]|\Z)(?!\s*\d)")
"""A minus written to the name of a test, and no dash that leads on to its value."""
_DECIMAL = re.compile(r"\s?[:=]?\s?\d{1,3}\.\d")
_READING = re.compile(r"\d{1,2}\.\d|(?!19|20)\d{2,3}")
"""How high something was that is named by its height, right behind it ("hyperkalemia 5.9", "bradycardia 44")."""
_DIED = "died"
_MORE_OR_LESS = "<>~"
"""What may stand before a time ago."""
_SMALL = frozenset({"no", "not", "without"})
"""Words of denial that speak of what follows them and are no result."""
_NEGATIVE = frozenset({"denied", "history"})
"""What a negative test says of what stands before it."""
_NOT_THERE = frozenset({"vaccinated", "risk", "screening"})
"""What words behind a condition say of one that is not there."""
_OF_NAMES = frozenset({"denied", "suspected", "risk"})
"""Words of standing that are a part of what they begin ("nonepileptic seizures", "high risk pregnancy")."""
_BETWEEN = frozenset({"of", "and", "the", "in", "with"})
"""Words of a name that its letters leave out ("DT (disease of the thyroid)")."""
_FEW = 3
LONGEST_TEST = 6
"""So many words has the name of a test, with its signs ("CTA c/a/p")."""
_SHORT = 2
_MOST_TOLD = 2
"""So many words at most tell what something is like, or where it is ("is out of rhythm" stands in the names)."""
_MOST_BEHIND = 3
"""So many words stand behind the comma of a name that is turned round."""
_MOST_COMPLETED = 3
"""So many words at most has a name of which one is cut short."""
_MOST_MISSPELT = 4
"""So many words at most has a name of which some are misspelt."""
_MISSPELT_ALONE = 6
"""So many letters has a name of one word that is misspelt."""
_CUT_ALONE = 5
"""So many letters are left of a name of one word that is cut short."""
_LONG_OPERATION = 9
"""So many letters has a word that is taken for an operation by its end ("colectomy")."""
_LONG_ENOUGH = 5
"""Fewer letters are no plural ("gas")."""


class Names(Protocol):
    """What a reader of lines looks names up in."""

    def longest(self, first: str) -> int:
        """How many words the longest name of a condition has that begins with this word; 0 if none does."""

    def condition(self, name: str) -> str | None:
        """The condition with this name."""

    def short_for(self, letters: str, name: str) -> bool:
        """Whether letters begin the words of another name of the condition that this is a name of ("AI" of "Addison's")."""

    def spelled(self, text: str) -> str | None:
        """`condition` or `test`, for letters that name both but for how they are written."""

    def corrected(self, word: str) -> str:
        """The word of some name that a word is but for one slip of the pen; empty where it is one itself, or may be several."""

    def beginning(self, word: str) -> tuple[str, ...]:
        """The words of names that begin with letters which are no word themselves."""

    def alike(self, word: str) -> tuple[str, ...]:
        """The words of names that a word may be meant for which is none itself."""

    def longest_measured(self, first: str) -> int:
        """The same of tests, and of tests that are written together."""

    def is_measured(self, name: str) -> bool:
        """Whether it is the name of a test, or of some that are written together."""

    def is_test(self, name: str) -> bool:
        """Whether it is the name of a test."""

    def told_in_words(self, name: str) -> bool:
        """Whether it is the name of a test that comes out negative or positive."""

    def curable(self, name: str) -> bool:
        """Whether a condition is one that an operation ends, so that it is over afterwards or not known to be there."""

    def ended_by_a_transplant(self, name: str) -> frozenset[str]:
        """The transplants that end a condition, because they replace the organ it is in."""

    def medicine(self, name: str) -> bool:
        """Whether it is the name of a medicine or of a class of them."""

    def ended_by_a_course(self, name: str) -> bool:
        """Whether a condition is over once a whole course of a medicine was taken for it."""

    def operation(self, name: str) -> bool:
        """Whether it is the name of an operation."""

    def unjudged(self, name: str) -> bool:
        """Whether it is the name of what no rule speaks of."""

    def narrower(self, name: str, than: str) -> bool:
        """Whether a name is that of a condition which is a kind of another's, and not that one."""

    def related(self, name: str, others: frozenset[str]) -> bool:
        """Whether a condition is one of these, a kind of one, or one that is told wider than they are ("cancer")."""

    def passes(self, name: str) -> bool:
        """Whether it is the name of a condition that passes by itself or with treatment, so that it may be over."""

    def lifelong(self, name: str) -> bool:
        """Whether it is the name of a condition that nobody loses."""

    def habit(self, name: str) -> bool:
        """Whether a condition is a habit, and no illness by itself."""

    def ruled_out_by(self, name: str, *, told: bool = False) -> frozenset[str]:
        """The tests of which a negative one says that a condition is not there which was looked for, or `told`: only named."""

    def graded_by_risk(self, name: str) -> bool:
        """Whether a condition is graded by its risk ("high risk prostate cancer")."""

    def found_by_tests(self, name: str) -> frozenset[str]:
        """What a test finds of a condition ("clot")."""

    def told_by_company(self, word: str) -> bool:
        """Whether letters mean this or that by what stands on the same line ("ACS" beside sickle cell disease)."""

    def beside(self, word: str, others: frozenset[str], said: str) -> str:
        """The name that such letters stand for beside these conditions and words; empty where they keep what they mean alone."""


class Piece(Struct):
    """Words from `i` up to `j`, and what they are: `head`, `rest`, `date`, `mark`, `measured`, or a kind of phrase."""

    kind: str
    i: int
    j: int
    name: str = ""
    meaning: str = ""
    after: str = ""
    when: When | None = None
    mark: Mark | None = None
    measured: Measured | None = None


class Scanner:
    """Cuts lines into pieces; made once."""

    def __init__(self, vocabulary: Vocabulary, names: Names) -> None:
        self._words, self._names = vocabulary, names
        self._statuses = Statuses(vocabulary.status_parts)

    def pieces(self, line: Words) -> list[Piece]:
        """The pieces of a line, in order; every word stands in one."""
        line.full = [self._full(word) for word in line.folded]
        told = zip(line.folded, line.full, strict=True)
        line.alike = {n: near for n, (word, full) in enumerate(told) if word == full and (near := self._names.alike(word))}
        dates = self._words.dates.find(line.text) if any(map(str.isdigit, line.text)) or line.size > 1 else {}
        found: list[Piece] = []
        i = 0
        opening = True
        while i < line.size:
            before = found[-1] if found else None
            piece = (
                (self._opening(line, i) if opening else None) or self._beside(line, i, before, dates) or self._at(line, i, dates)
            )
            opening = opening and piece.kind == "fillers"
            found.append(piece)
            i = piece.j
        self._by_company(line, found)
        self._behind_a_saturation(line, found)
        self._by_what_is_spelled_out(line, found)
        self._by_its_beginning(line, found)
        self._by_the_next(line, found)
        self._by_the_one_before(line, found)
        self._by_the_test_before(line, found)
        self._free_of_it(line, found)
        self._tests_of_what_was_named(line, found)
        return found

    def _tests_of_what_was_named(self, line: Words, pieces: list[Piece]) -> None:
        """A test of a condition before it, with what it found or that it is due, names none itself ("UTI, UA neg", "encephalitis,
        HSV PCR pending"); nor is it asked about."""
        tests: set[str] = set()
        for n, piece in enumerate(pieces):
            end = self._test_told(line, piece.i, tests) if tests and piece.kind in ("head", "rest") else piece.i
            goes_on = piece.kind == "rest" and n > 0 and pieces[n - 1].kind == "rest" and line.gaps[piece.i] == " "
            for p in pieces[n:] if not goes_on else ():  # "restage PET pend"
                if p.j > end:
                    break
                p.kind, p.name, p.meaning, p.after, p.mark = "fillers", line.key(p.i, p.j), "", "", None
            if piece.kind == "head":
                tests |= self._names.ruled_out_by(piece.name)

    def _test_told(self, line: Words, i: int, tests: Container[str]) -> int:
        """Where a test ends that begins at a word, if what it found, or that it is due, stands right behind it; else there."""
        for j in range(min(i + LONGEST_TEST, line.size - 1), i, -1):
            if line.key(i, j) in tests and line.gaps[j] in (" ", " - ", ": ") and line.folded[j] in self._words.told_of_tests:
                return j
        return i

    def _free_of_it(self, line: Words, pieces: list[Piece]) -> None:
        """A word behind a condition, and nothing that it leads to, says that it comes no more ("epilepsy, seizure free")."""
        times = {piece.i for piece in pieces if piece.kind == "date"}
        for before, piece in pairwise(pieces):
            ends = piece.j == line.size or line.gaps[piece.j] != " " or piece.j in times
            said = line.key(piece.i, piece.j) in self._words.says_free and line.gaps[piece.i] in (" ", "-")
            if said and ends and before.kind == "head" and piece.kind == "rest":
                piece.kind, piece.name, piece.after = "after", line.key(piece.i, piece.j), "resolved"

    def _by_the_test_before(self, line: Words, pieces: list[Piece]) -> None:
        """What a test looks for, denied right behind the test, is the condition that it consists of ("CTH neg for bleed")."""
        for before, piece in pairwise(pieces):
            names = self._words.findings.get(line.key(piece.i, piece.j)) if before.meaning == "denied" else None
            if names is None or piece.kind == "head" or line.gaps[piece.i] != " ":
                continue
            tested = {line.key(i, j) for j in range(before.i, before.j + 1) for i in range(max(j - LONGEST_TEST, 0), j)}
            name = next((name for name in sorted(names) if not tested.isdisjoint(self._names.ruled_out_by(name))), None)
            if name is not None:
                piece.kind, piece.name, piece.meaning, piece.after, piece.mark = "head", name, "", "", None

    def _by_the_one_before(self, line: Words, pieces: list[Piece]) -> None:
        """A letter or number joined to a whole name shares the beginning of that ("hep B/C neg", "hepatitis A, B")."""
        for named, joins, piece in zip(pieces, pieces[1:], pieces[2:], strict=False):
            alone = piece.j == piece.i + 1 and len(line.folded[piece.i]) <= _SHORT and piece.kind in ("rest", "marks")
            if not alone or named.kind != "head" or joins.meaning not in ("and", "nor"):
                continue
            first, _, end = named.name.rpartition(" ")
            name = f"{first} {line.folded[piece.i]}"
            if first and len(end) == len(line.folded[piece.i]) and self._names.condition(name) is not None:
                piece.kind, piece.name, piece.meaning, piece.after, piece.mark = "head", name, "", "", None

    def _by_the_next(self, line: Words, pieces: list[Piece]) -> None:
        """A beginning joined to a whole name shares the end of that ("breast or ovarian cancer", "lung and colon ca")."""
        for n, piece in enumerate(pieces[:-2]):
            joins, named = pieces[n + 1], pieces[n + 2]
            word = line.folded[piece.i]
            other = piece.kind in ("rest", "marks", "fillers") and word.isalnum() and not word.isdigit()  # "B12/iron def"
            alone = piece.j == piece.i + 1 and other
            if not alone or joins.meaning not in ("and", "nor") or named.kind != "head":
                continue
            if any(line.gaps[k].strip(" -") for k in range(joins.i, named.i + 1)):
                continue
            first, _, end = named.name.rpartition(" ")
            name = f"{line.folded[piece.i]} {self._full(end)}"
            if first and self._names.condition(name) is not None:
                piece.kind, piece.name, piece.meaning, piece.after, piece.mark = "head", name, "", "", None

    def _by_its_beginning(self, line: Words, pieces: list[Piece]) -> None:
        """The end of a name becomes that name with its beginning from further ahead ("mitral prolapse with regurgitation")."""
        for piece in pieces:
            if piece.kind != "rest" or line.folded[piece.i] not in self._words.completed:
                continue
            begun = next((w for w in reversed(line.folded[: piece.i]) if w in self._words.completing), None)
            name = f"{begun} {self._full(line.folded[piece.i])}"
            if begun is not None and self._names.condition(name) is not None:
                piece.kind, piece.name, piece.meaning, piece.after = "head", name, "", ""

    def _by_what_is_spelled_out(self, line: Words, pieces: list[Piece]) -> None:
        """Letters beside a name in brackets that they stand for mean that ("ASD (atrial septal defect)", or the other way)."""
        for first, second in pairwise(pieces):
            gap = line.gaps[second.i]
            led = gap.endswith("(") or (first.i == 0 and gap.strip() in (":", "="))  # "MS: mitral stenosis"
            if not led or first.j != second.i:
                continue
            for letters, named in ((first, second), (second, first)):
                if named.kind == "head" and letters.kind in ("head", "rest") and self._stands_for(line, letters, named):
                    letters.kind, letters.name, letters.meaning, letters.after = "head", named.name, "", ""

    def _stands_for(self, line: Words, letters: Piece, named: Piece) -> bool:
        """Whether letters begin the words of a name; where they are none by themselves, of any of the condition's names."""
        if _stands_for(line, letters, named):
            return True
        short = line.shown(letters.i, letters.j)
        unread = letters.kind == "rest" and len(short) > 1 and short.isupper()
        return unread and self._names.short_for(short.lower(), named.name)

    def _behind_a_saturation(self, line: Words, pieces: list[Piece]) -> None:
        """Letters right behind a result in percent say what was breathed ("O2 sat 85% RA")."""
        for before, piece in pairwise(pieces):
            told = before.kind == "measured" and line.text[line.starts[before.i] : line.starts[piece.i]].rstrip().endswith("%")
            if told and piece.kind == "head" and line.key(piece.i, piece.j) in self._words.room_air:
                piece.kind, piece.name, piece.meaning, piece.after = "fillers", "", "", ""

    def _by_company(self, line: Words, pieces: list[Piece]) -> None:
        """Letters of several meanings become the condition, or the mark, that the rest of the line makes of them."""
        for piece in pieces:
            if piece.j > piece.i + 1 or not self._names.told_by_company(line.folded[piece.i]):
                continue
            shown = line.shown(piece.i, piece.j)
            small = sum(map(str.isupper, shown)) < min(len(shown), _SHORT) and len(shown) <= _FEW
            if small and line.folded[piece.i] not in self._words.small_company:
                continue  # "LTx" is written with two capitals, "as" with none
            others = frozenset(i for p in pieces if p.kind == "head" and p is not piece and (i := self._names.condition(p.name)))
            name = self._names.beside(line.folded[piece.i], others, line.key(0, line.size))
            said = self._words.phrases.get(name)
            doubted, _, of = name.partition(" ")
            if said is None and doubted in self._words.doubted_company and self._names.condition(of) is not None:
                piece.kind, piece.name, piece.meaning, piece.after = "head", of, "suspected", ""
            elif name and self._names.condition(name) is not None:
                piece.kind, piece.name, piece.meaning, piece.after = "head", name, "", ""
            elif said is not None and said.kind == "marks":
                piece.kind, piece.mark = "marks", Mark(said.meaning, line.shown(piece.i, piece.j))
            elif said is not None:
                piece.kind, piece.name, piece.meaning, piece.after = said.kind, name, said.meaning, said.after

    def _opening(self, line: Words, i: int) -> Piece | None:
        """How a line begins before it names anything: its number in the list, a code's letter ("[D]"), or how old somebody is."""
        if i == 0 and len(line.folded[0]) == 1 and line.gaps[0].endswith("[") and line.gaps[1].startswith("]"):
            return Piece("fillers", 0, 1)
        if i == 0 and line.folded[0].isdigit() and line.gaps[0].endswith("#"):
            return Piece("fillers", 0, 1)  # "#1 HTN"
        found = (_NUMBERED.match(line.text, line.starts[i]) if i == 0 or ":" in line.gaps[i] else None) or _AGE.match(
            line.text, line.starts[i]
        )
        return Piece("fillers", i, max(line.word_at(found.end(), i), i + 1)) if found else None

    def _beside(self, line: Words, i: int, before: Piece | None, dates: Mapping[int, tuple[int, When]]) -> Piece | None:
        """What belongs to the word before it: somebody's name to a title, an age to a relative."""
        if before is None:
            return None
        if before.kind == "fillers" and _TIMES.fullmatch(line.shown(before.i, i + 1)):
            return Piece("marks", i, i + 1, mark=Mark("count", line.shown(before.i, i + 1)))  # "x 3"
        figure = _READING.fullmatch(_figure(line, i)) if line.starts[i] not in dates else None
        if before.kind == "head" and line.gaps[i] == " " and figure:
            return Piece("marks", i, line.word_at(line.starts[i] + len(_figure(line, i)), i), mark=Mark("size", _figure(line, i)))
        named = before.kind == "titles" and line.shown(i, i + 1)[:1].isupper()
        of_kin = before.kind == "relatives" or (before.kind == "fillers" and before.name == _DIED)
        aged = of_kin and line.folded[i].isdigit()
        if before.kind == "relatives" and line.folded[i] in self._words.died:
            return Piece("fillers", i, i + 1, _DIED)
        return Piece("fillers", i, i + 1) if named or aged else None

    def _without_standing(self, line: Words, i: int, name: str, heads: int) -> tuple[str, int]:
        """A name without words for the past that leave it what it is ("asthma in childhood"), or without what says of another
        that it may come or is looked for ("fall risk", "colon cancer screening").
        """
        for n in range(1, heads):
            said, long = self._phrase(line, i + n)
            if said is None or n + long != heads or not said.after:
                continue
            own = self._named(line.key(i, i + n))
            same = bool(own) and self._names.condition(own) == self._names.condition(name)
            passes = same and self._names.passes(name)  # "UTI prophylaxis", but for "gout prophylaxis": who has it takes that
            absent = said.after in _NOT_THERE and (passes or self._names.unjudged(name))
            if own and (same if said.after == "history" else absent):
                return own, n
        return name, heads

    def _at(self, line: Words, i: int, dates: dict[int, tuple[int, When]]) -> Piece:
        start = line.starts[i]
        aged = _AGED.match(line.text, start)
        if aged:
            return Piece("fillers", i, max(line.word_at(aged.end(), i), i + 1))
        if self._kin_by_letter(line, i):
            return Piece("relatives", i, i + 1, line.folded[i])
        counted = self._words.so_often.match(line.text, start) or self._in_parts(line, i)
        counted = counted or self._words.day_of_a_stay.match(line.text, start)
        if counted:
            return Piece("marks", i, max(line.word_at(counted.end(), i), i + 1), mark=Mark("course", counted[0]))
        denied = self._labels_a_denial(line, i) or self._denied_by_a_test(line, i)
        if denied is not None:
            return denied
        name, heads = self._without_standing(line, i, *self._head(line, i))
        phrase, long = self._minus_behind(line, i) or self._phrase(line, i)
        if heads > 1 and self._is_a_mark(line, i) and self._reaches_further(line, i, name, heads):
            name, heads = "", 0
        if start in dates and heads < 2 and long < 2 and not self._counted(line, i):
            return _date(line, i, *dates[start])
        measured = self._measured(line, i, heads, dates)
        if measured is not None:
            return measured
        marked = self._counted(line, i) or self._born(line, i) or self._marker(line, i) or self._denied_in_a_word(line, i, heads)
        if marked is not None:
            return marked
        if heads and self._is_head(line, i, name, heads, phrase, long):
            return Piece("head", i, i + heads, name)
        if phrase is not None and phrase.kind == "relatives" and self._is_a_unit(line, i):
            return Piece("fillers", i, i + 1)  # "x3 mo": months, and no mother
        if phrase is not None:
            return self._before_a_time(line, i, phrase, long, dates) or self._graded(line, i, phrase, long)
        return self._other(line, i)

    def _minus_behind(self, line: Words, i: int) -> tuple[Phrase, int] | None:
        """A test with a minus written to it, where its name with "neg" denies what stands before ("HBcAb+/sAg-")."""
        for j in (i + 2, i + 1):
            if j <= line.size and _MINUS_BEHIND.match(line.text, line.ends[j - 1]):
                negative = f"{line.key(i, j)} neg"
                said = self._words.phrases.get(negative)
                if i and said is not None and said.kind == "after" and said.after in _NEGATIVE:
                    return Phrase("after", "", said.after, negative), j - i
        return None

    def _labels_a_denial(self, line: Words, i: int) -> Piece | None:
        """A word with a colon that only says of what it is that none is there ("mood: no mania", "sleep: ok")."""
        if line.folded[i] not in self._words.labels or line.gaps[i + 1].strip() != ":" or i + 1 >= line.size:
            return None
        said = self._words.phrases.get(line.folded[i + 1])
        nothing = line.folded[i + 1] in self._words.test_negative or (said is not None and "denied" in (said.meaning, said.after))
        return Piece("fillers", i, i + 1) if nothing else None

    def _before_a_time(
        self, line: Words, i: int, phrase: Phrase, long: int, dates: Mapping[int, tuple[int, When]]
    ) -> Piece | None:
        """Words behind a condition of which the last one begins a time ("none in 5 yrs")."""
        j = i + long - 1
        if phrase.kind != "after" or j == i or line.starts[j] not in dates:
            return None
        return Piece("after", i, j, line.key(i, j + 1), "", phrase.after)

    def _is_a_unit(self, line: Words, i: int) -> bool:
        """Whether two letters stand right behind a number."""
        before = line.folded[i - 1] if i and line.gaps[i] in ("", " ") else ""
        return len(line.folded[i]) == _SHORT and before[-1:].isdigit()

    def _in_parts(self, line: Words, i: int) -> re.Match[str] | None:
        """So many of five, six or ten, beside what is told so and is no day ("2/6 systolic murmur", "strength 4/5")."""
        if not line.folded[i].isdigit() or line.gaps[i + 1] or line.folded[i + 1 : i + 2] != ["/"]:
            return None
        found = self._words.in_parts.match(line.text, line.starts[i])
        behind = i > 0 and line.folded[i - 1] in self._words.told_in_parts
        return found if found and (behind or found[0][-1].isalpha()) else None

    def _reaches_further(self, line: Words, i: int, name: str, heads: int) -> bool:
        """Whether the name that begins a word later ends later ("severe pain with intercourse" is no severe pain)."""
        later, count = self._head(line, i + 1)
        return count >= heads and not self._names.narrower(name, later)

    def _is_a_mark(self, line: Words, i: int) -> bool:
        """Whether a word by itself is one of degree, side or course."""
        said = self._words.phrases.get(line.folded[i])
        return said is not None and said.kind == "marks"

    def _kin_by_letter(self, line: Words, i: int) -> bool:
        """Whether a letter with a colon or dash is one of the kin, as another on the line is ("F: lung ca, M: DM")."""
        return self._is_kin(line, i) and sum(self._is_kin(line, n) for n in range(line.size)) > 1

    def _is_kin(self, line: Words, i: int) -> bool:
        return line.folded[i] in self._words.kin_letters and line.gaps[i + 1].strip() in (":", "-")

    def _other(self, line: Words, i: int) -> Piece:
        code = _CODE.match(line.text, line.starts[i])
        if code:
            return Piece("fillers", i, max(line.word_at(code.end(), i), i + 1))
        times = _TIMES.match(line.text, line.starts[i])
        if times:
            return Piece("marks", i, max(line.word_at(times.end(), i), i + 1), mark=Mark("count", times[0]))
        if _ALONE.match(line.folded[i]) and not (line.folded[i].endswith("tx") and line.shown(i, i + 1).isupper()):
            return Piece("marks", i, i + 1, mark=Mark("grade", line.shown(i, i + 1)))
        beside = self._words.beside.match(line.text, line.starts[i])
        if beside:
            return Piece("marks", i, max(line.word_at(beside.end(), i), i + 1), mark=Mark("size", beside[0]))
        if line.folded[i].isdigit() and line.gaps[i + 1].startswith(")"):
            return Piece("fillers", i, i + 1)  # how often, or the number of the next: "febrile seizures (2)", "1) HTN 2) DM"
        if line.folded[i] in self._words.denying_prefixes and self._denies_the_next(line, i):
            return Piece("fillers", i, i + 1)
        return Piece("rest", i, i + 1)

    def _denies_the_next(self, line: Words, i: int) -> bool:
        """Whether a prefix stands before a condition of one word ("non-smoker"); "non-healing ulcer" denies no ulcer."""
        if i + 1 >= line.size or line.gaps[i + 1] not in ("", " ", "-"):
            return False
        return self._head(line, i + 1)[1] == 1 and line.folded[i + 1] not in self._words.phrases

    def _denied_in_a_word(self, line: Words, i: int, heads: int) -> Piece | None:
        """A condition that the prefix of its one word denies ("nondiabetic"); no part of a name ("nonepileptic seizures")."""
        word = line.folded[i]
        prefix = next((p for p in self._words.denying_prefixes if word.startswith(p)), "")
        if heads or not prefix or len(word) - len(prefix) < _LONG_ENOUGH:
            return None
        name = self._named(word[len(prefix) :])
        return Piece("head", i, i + 1, name, "denied") if name else None

    def _counted(self, line: Words, i: int) -> Piece | None:
        """A number before what it counts, where that is the name of a test ("60 MME")."""
        if not line.folded[i].isdigit():
            return None
        most = min(self._words.longest_counted, line.size - i - 1)
        for count in range(most, 0, -1):
            if line.key(i + 1, i + 1 + count) in self._words.counted:
                sign = line.gaps[i].strip(" (,:")
                value = f"{sign if sign in ('>', '<', '>=', '<=') else ''}{line.folded[i]}"
                end = i + 1 + count
                read = Measured(line.shown(i + 1, end), value, line.starts[i], line.ends[end - 1], counted=True)
                return Piece("measured", i, end, measured=read)
        return None

    def _born(self, line: Words, i: int) -> Piece | None:
        """How often somebody was pregnant and gave birth ("G2P1")."""
        found = _PARITY.match(line.text, line.starts[i]) if line.folded[i][0] == "g" else None
        if found is None:
            return None
        return Piece("marks", i, max(line.word_at(found.end(), i), i + 1), mark=Mark("parity", found[0]))

    def _marker(self, line: Words, i: int) -> Piece | None:
        """What a laboratory found beside a condition, with its sign ("SSA+", "ER pos"); the condition stays what it is."""
        if line.folded[i] not in self._words.markers:
            return None
        after = line.text[line.ends[i] : line.ends[i] + 1]
        signed = i + 1 < line.size and (line.folded[i + 1] == "+" or line.folded[i + 1] in self._words.signs)
        if after == "-" or signed:
            return Piece("marks", i, i + (2 if signed else 1), mark=Mark("marker", line.shown(i, i + 1)))
        return None

    # -------------------------------------------------------------- conditions

    def _head(self, line: Words, i: int) -> tuple[str, int]:
        """The longest name of a condition that begins at a word: as written, or as it is told in a sentence."""
        found = self._name(line, i)
        if line.alike:
            found = self._misspelt(line, i, found[1]) or found
        told = self._in_a_sentence(line, i)
        return told if told[1] > found[1] else found

    def _misspelt(self, line: Words, i: int, least: int) -> tuple[str, int] | None:
        """A longer name, some words of which are near to those that were written ("carpel tunel"), where all that are so near
        name one condition; one word by itself only where nothing else stands in its part of the line ("angena").
        """
        for count in range(min(_MOST_MISSPELT, line.size - i), least, -1):
            wrong = [n for n in range(i, i + count) if n in line.alike]
            if not wrong or _broken(line, i, i + count) or (count == 1 and not self._may_be_alone(line, i)):
                continue
            words = (line.alike.get(n) or (line.full[n],) for n in range(i, i + count))
            names = [name for told in product(*words) if (name := self._named(" ".join(told)))]
            if len({self._names.condition(name) for name in names}) == 1:
                return names[0], count
        return None

    def _may_be_alone(self, line: Words, i: int) -> bool:
        """Whether a word is long enough to be a misspelt name by itself, and nothing else stands in its part of the line."""
        return len(line.folded[i]) >= _MISSPELT_ALONE and line.alone(i)

    def _in_a_sentence(self, line: Words, i: int) -> tuple[str, int]:
        """The name of what a sentence tells, turned round: "liver is fatty" (fatty liver), "hole in my heart" (heart hole)."""
        for first in (1, 2):
            how = self._words.turning_round.get(line.folded[i + first]) if i + first < line.size else None
            if how is None:
                continue
            start = i + first + 1
            while start < line.size and line.folded[start] in self._words.beside_a_quality:
                start += 1
            for end in range(min(start + _MOST_TOLD, line.size), start, -1):
                if any(line.gaps[k] != " " for k in range(i + 1, end)):
                    continue
                name = self._turned_round(line.key(i, i + first), line.key(start, end), how)
                if name:
                    return name, end - i
        return "", 0

    def _turned_round(self, first: str, second: str, how: str) -> str:
        """The name that what is told makes with what it is told of; of a place also in the singular ("eye pressure")."""
        places = (second, second.removesuffix("s")) if how == "place" else (second,)
        return next((name for told in places if (name := self._named(f"{told} {first}"))), "")

    def _name(self, line: Words, i: int) -> tuple[str, int]:
        """The longest name of a condition that begins at a word: as written, or with short words written out."""
        first = line.folded[i]
        meant = self._meant_here(line, i)
        for count in range(min(self._names.longest(first) or 1, line.size - i), 1 if meant else 0, -1):
            if _broken(line, i, i + count):
                continue
            key = self._named(line.key(i, i + count))
            if key and not self._listed(line, i, i + count):
                longer = self._written_out(line, i)
                found = longer if longer[1] > count else (key, count)
                return self._turned(line, i, found[1]) or found
        if meant:
            return meant, 1
        found = self._written_out(line, i)
        return found if found[1] else self._turned(line, i, 1) or self._cut_or_operation(line, i)

    def _cut_or_operation(self, line: Words, i: int) -> tuple[str, int]:
        found = self._completed(line, i)
        return found if found[1] else self._by_its_end(line, i)

    def _by_its_end(self, line: Words, i: int) -> tuple[str, int]:
        """The name of any operation, for a word that ends as those do ("pericardiectomy")."""
        word = line.folded[i]
        if len(word) < _LONG_OPERATION or not word.endswith(self._words.ends_of_operations):
            return "", 0
        return next(name for end, name in self._words.operation_ends.items() if word.endswith(end)), 1

    def _meant_here(self, line: Words, i: int) -> str:
        """The name that a word stands for by its capitals ("MetS"), or alone between commas ("arthritis, sugar"); else empty."""
        first = line.folded[i]
        if first in self._words.alone and line.alone(i, self._words.leads_to_alone):
            return self._named(self._words.alone[first])
        if first not in self._words.as_written:
            return ""
        shown = line.shown(i, i + 1)
        return "" if shown.isupper() or shown[1:].islower() else self._words.as_written[first]

    def _completed(self, line: Words, i: int) -> tuple[str, int]:
        """A name with one word cut short, where all names that it may be are those of one condition ("decomp cirrhosis")."""
        words = line.full[i : i + _MOST_COMPLETED]
        for n in range(len(words)):
            cut = self._names.beginning(line.folded[i + n]) if words[n] == line.folded[i + n] else ()
            if not cut:
                continue
            for count in range(len(words), n, -1):
                found = self._one_of(words[:n], cut, words[n + 1 : count]) if not _broken(line, i, i + count) else ""
                if found and (count > 1 or len(line.folded[i]) >= _CUT_ALONE):
                    return found, count
        return "", 0

    def _one_of(self, before: list[str], cut: tuple[str, ...], after: list[str]) -> str:
        """The first name that these words make, where all that they make name one condition; empty else."""
        names = [name for word in cut if (name := self._named(" ".join((*before, word, *after))))]
        return names[0] if len({self._names.condition(name) for name in names}) == 1 else ""

    def _listed(self, line: Words, i: int, j: int) -> bool:
        """Whether a comma or bracket among the words parts a name from what stands before ("anxiety, depression", "no alcohol,
        cirrhosis"), which together would be another, or begins one that reaches further ("anemia (severe AS)")."""
        parting = next((n for n in range(i + 1, j) if "," in line.gaps[n] or "(" in line.gaps[n]), None)
        if parting is None:
            return False
        listed = "," in line.gaps[parting] and bool(self._named(line.key(parting, j)))
        return listed or parting + self._name(line, parting)[1] > j

    def _turned(self, line: Words, i: int, count: int) -> tuple[str, int] | None:
        """A name with its chief words before a comma and the rest behind it ("anemia, iron deficiency")."""
        comma = i + count
        if comma >= line.size or line.gaps[comma].strip() != ",":
            return None
        if line.folded[comma] in self._words.past_behind:
            return None  # "MI, old": a word of standing is no part of the name
        for end in range(min(comma + _MOST_BEHIND, line.size), comma, -1):
            whole = end == line.size or bool(line.gaps[end].strip(" -"))
            if whole and not any(line.gaps[n].strip(" -/") for n in range(comma + 1, end)):
                key = self._named(f"{line.key(comma, end)} {line.key(i, comma)}")
                if key and not self._named(line.key(comma, end)) and not self._names.narrower(line.key(i, comma), key):
                    return key, end - i
        return None

    def _named(self, key: str) -> str:
        """The name of a condition, as it is or with its last word in the singular; empty if it is none."""
        if self._names.condition(key):
            return key
        return next((one for one in _singulars(key) if self._names.condition(one)), "") if key.endswith("s") else ""

    def _written_out(self, line: Words, i: int) -> tuple[str, int]:
        words = line.full[i : i + 6]
        if words == line.folded[i : i + 6]:
            return "", 0
        for count in range(min(self._names.longest(words[0].split()[0]) or 1, len(words)), 0, -1):
            if words[:count] == line.folded[i : i + count] or _broken(line, i, i + count):
                continue
            key = self._named(" ".join(words[:count]))
            if key:
                return key, count
        return "", 0

    def _full(self, word: str) -> str:
        """A word written out; one that is no word but for a slip of the pen as it is spelled."""
        return self._words.short.get(word) or self._names.corrected(word) or word

    def _is_head(self, line: Words, i: int, name: str, heads: int, phrase: Phrase | None, long: int) -> bool:
        """Whether the name is meant: not an everyday word, nor a status with the name of the same condition behind it."""
        if heads == 1 and long < 2 and (self._words.alone.get(line.folded[i]) == name or self._meant_here(line, i) == name):
            return True
        if heads == 1 and line.folded[i] in self._words.capitals and not line.shown(i, i + 1).isupper():
            return False
        if heads == 1 and (self._after_a_number(line, i) or self._is_test_here(line, i) or self._has_a_value(line, i)):
            return False
        if phrase is None:
            return True
        if phrase.kind == "fillers" and long == heads and i and _alone_in_brackets(line, i, i + long):
            return False  # "(HCC)" behind a condition is how a payer counts it
        if long >= heads:
            return phrase.kind in ("marks", "fillers", "joins", "titles") and long == heads and line.shown(i, i + long).isupper()
        if phrase.kind == "before" and phrase.meaning not in _OF_NAMES:  # "s/p CABG" is a CABG that was done
            rest = self._names.condition(" ".join(name.split()[long:]))
            return rest is None or (rest != self._names.condition(name) and phrase.meaning not in ("family", "nobody"))
        return True

    def _after_a_number(self, line: Words, i: int) -> bool:
        """Whether a short word is the unit of the number before it ("26 mm", "15 ms")."""
        before = line.folded[i - 1] if i and line.gaps[i] in ("", " ") else ""
        return len(line.folded[i]) <= _SHORT and before.isdigit() and line.shown(i, i + 1).islower()

    def _has_a_value(self, line: Words, i: int) -> bool:
        """Whether a number with decimals stands behind a few capitals: a result ("UA 9.1"), but for a size ("AAA 4.8 cm")."""
        word = line.folded[i]
        may_be_a_test = self._names.is_measured(word) or self._names.told_by_company(word)
        if len(word) > _FEW or not line.shown(i, i + 1).isupper() or not may_be_a_test:
            return False
        return bool(_DECIMAL.match(line.text, line.ends[i])) and not self._words.beside.match(line.text, line.ends[i] + 1)

    def _is_test_here(self, line: Words, i: int) -> bool:
        """Whether letters that name a test and a condition are not written as the condition is ("Mg", not "MG")."""
        return self._names.is_test(line.folded[i]) and self._names.spelled(line.shown(i, i + 1)) != "condition"

    # -------------------------------------------------------------- phrases

    def _phrase(self, line: Words, i: int) -> tuple[Phrase | None, int]:
        """The longest phrase that begins at a word: as it stands in a list, or put together from parts."""
        listed, long = self._listed_phrase(line, i)
        said, count = self._statuses.at(line, i, lambda n: self._head(line, n)[1])
        if said is not None and listed is not None and count == long and listed.kind in ("before", "after"):
            meaning, after = listed.meaning or said.meaning, listed.after or said.after
            return Phrase("before" if meaning else "after", meaning, after), long
        return (said, count) if count > long else (listed, long)

    def _listed_phrase(self, line: Words, i: int) -> tuple[Phrase | None, int]:
        joining: tuple[Phrase, int] | None = None
        for count in range(min(self._words.longest.get(line.folded[i], 0), line.size - i), 0, -1):
            found = self._words.phrases.get(line.key(i, i + count))
            if found is not None and not self._parted_within(line, i, i + count, found):
                if found.kind == "joins" and count == 1 and self._is_a_capital(line, i):
                    continue  # "class IV+V" is no "versus"
                if i or found.kind != "joins":
                    return found, count
                joining = joining or (found, count)  # a line may begin with what was gone through ("s/p fall")
        return joining or (None, 0)

    def _parted_within(self, line: Words, i: int, j: int, found: Phrase) -> bool:
        """Whether something parts the words of a phrase; a colon between a test and what it found does ("CTA: PE")."""
        apart = found.kind == "not-conditions"
        colon = next((n for n in range(i + 1, j) if ":" in line.gaps[n]), None) if apart else None
        finds = colon is not None and line.key(i, colon) in self._words.tests and bool(self._named(line.key(colon, j)))
        return finds or _broken(line, i, j, "," if apart else "")

    def _is_a_capital(self, line: Words, i: int) -> bool:
        """Whether a word is one capital, in a line that is not written in capitals throughout."""
        shown = line.shown(i, i + 1)
        return len(shown) == 1 and shown.isupper() and not line.text.isupper()

    def _graded(self, line: Words, i: int, phrase: Phrase, long: int) -> Piece:
        j = i + long
        if phrase.kind == "grades":
            value = _GRADE.match(line.text, line.ends[j - 1])
            if value is None:
                return Piece("rest" if long > 1 else "fillers", i, j)
            end = max(line.word_at(value.end(), j), j)
            return Piece("marks", i, end, mark=Mark("grade", line.text[line.starts[i] : value.end()]))
        if phrase.kind == "marks":
            j = self._until_a_name(line, i, j)
            return Piece("marks", i, j, mark=Mark(phrase.meaning, line.shown(i, j)))
        return Piece(phrase.kind, i, j, phrase.plain or line.key(i, j), phrase.meaning, phrase.after)

    def _until_a_name(self, line: Words, i: int, j: int) -> int:
        """Where words of side or degree end: before a name that reaches on past them ("R hip replacement")."""
        return next((n for n in range(i + 1, j) if n + self._head(line, n)[1] > j), j)

    # -------------------------------------------------------------- results

    def _measured(self, line: Words, i: int, heads: int, dates: Mapping[int, tuple[int, When]]) -> Piece | None:
        """A test with its value, which is no time; where a condition has as long a name, the value must follow the test."""
        most = min(self._names.longest_measured(line.folded[i]), line.size - i)
        for count in range(most, max(heads - 1, 0), -1):
            j = i + count
            if not self._names.is_measured(line.key(i, j)) or _broken(line, i, j, ","):
                continue  # "HIV, VL <20" is a condition and its viral load
            value = _VALUE.match(line.text, line.ends[j - 1]) or (None if heads else self._in_words(line, i, j))
            if value is None:
                continue
            unit = _UNIT.match(line.text, value.end())
            if unit is not None and fold(unit[0]) in self._words.phrases and _in_a_date(value.start("value"), dates):
                unit = None  # "GBS 2014 s/p IVIG"
            if unit is None and _in_a_date(value.start("value"), dates):
                continue
            end = unit.end() if unit else value.end()
            read = Measured(line.shown(i, j), value["value"].strip(), line.starts[i], end)
            return Piece("measured", i, max(line.word_at(end, j), j), measured=read)
        return None

    def _denied_by_a_test(self, line: Words, i: int) -> Piece | None:
        """A condition that a test right here, with its result in a word, denies ("PPD neg", "G6PD normal")."""
        for count in range(min(self._words.longest_said_denied.get(line.folded[i], 0), line.size - i), 0, -1):
            name = self._words.said_denied.get(line.key(i, i + count))
            if name is not None and not _broken(line, i, i + count, ","):
                return Piece("head", i, i + count, name, "denied")  # "never clotted"
        if line.folded[i] in self._words.test_negative and i + 1 < line.size and line.gaps[i + 1] == " ":
            return self._negative_before(line, i)
        alone = self._words.denied_by_tests.get(line.folded[0], "") if i == 0 else ""
        if alone and _MINUS_BEHIND.match(line.text, line.ends[0]):
            return Piece("head", 0, 1, alone, "denied")  # "HBsAg- / HBsAb+"
        for count in range(min(self._words.longest_denied.get(line.folded[i], 0), line.size - i - 1), 0, -1):
            j = i + count
            name = self._words.denied_by_tests.get(line.key(i, j))
            said = self._words.phrases.get(line.folded[j])
            if name is None or said is None or "denied" not in (said.meaning, said.after) or line.folded[j] in _SMALL:
                continue
            if _broken(line, i, j):
                continue  # "CF; sweat test neg"
            if line.gaps[j].strip(" :=-") or self._goes_on(line, j + 1):
                continue
            test = line.key(i, j)
            read = (
                Measured(line.shown(i, j), line.folded[j], line.starts[i], line.ends[j])
                if self._names.is_measured(test)
                else None
            )
            return Piece("head", i, j + 1, name, "denied", measured=read)
        return None

    def _negative_before(self, line: Words, i: int) -> Piece | None:
        """The same of a test behind its result, where nothing goes on ("neg PPD")."""
        most = min(self._words.longest_denied.get(line.folded[i + 1], 0), line.size - i - 1)
        for j in range(i + 1 + most, i + 1, -1):
            name = self._words.denied_by_tests.get(line.key(i + 1, j))
            if name is not None and not self._goes_on(line, j):
                return Piece("head", i, j, name, "denied")
        return None

    def _goes_on(self, line: Words, j: int) -> bool:
        """Whether a result in a word speaks of what follows ("PPD neg for years" does not, "RPR neg syphilis" might)."""
        return j < line.size and line.gaps[j] == " " and self._head(line, j)[1] > 0

    def _in_words(self, line: Words, i: int, j: int) -> re.Match[str] | None:
        """A result that is told in a word ("HBsAg neg"), right behind its test."""
        found = _WORDED.match(line.text, line.ends[j - 1])
        told = found is not None and lowered(found["value"]) in self._words.results
        return found if told and self._names.told_in_words(line.key(i, j)) else None


def _date(line: Words, i: int, end: int, when: When) -> Piece:
    """A time; a sign before it is no arrow to something else ("MI >10 yrs ago")."""
    if when.text[0] in _MORE_OR_LESS:
        line.gaps[i] = line.gaps[i].replace(when.text[0], "", 1)
    return Piece("date", i, max(line.word_at(end, i), i + 1), when=when)


def _stands_for(line: Words, letters: Piece, named: Piece) -> bool:
    """Whether one word is written in capitals, and they begin the words of a name of several words."""
    words = line.folded[named.i : named.j]
    short = line.shown(letters.i, letters.j)
    one = letters.j == letters.i + 1 and len(short) > 1 and short.isupper()
    alone = one and (len(words) >= len(short) or len(words) == 1)
    begin = "".join(w[0] for w in words if w not in _BETWEEN) == short.lower()
    return alone and (begin or _spelled_in_brackets(line, short.lower(), named))


def _spelled_in_brackets(line: Words, letters: str, named: Piece) -> bool:
    """Whether one long word in brackets begins with the first of these letters and has the others behind it, in their order."""
    word = line.folded[named.i]
    at = 0
    for letter in letters:
        at = word.find(letter, at) + 1
        if not at:
            return False
    return named.j == named.i + 1 and word[0] == letters[0] and line.gaps[named.i].endswith("(")


def _broken(line: Words, i: int, j: int, also: str = "") -> bool:
    """Whether something stands between these words over which no name reaches."""
    if line.breaks and any(i < n < j for n in line.breaks):
        return True
    return bool(also) and any(also in line.gaps[n] for n in range(i + 1, j))


def _alone_in_brackets(line: Words, i: int, j: int) -> bool:
    """Whether nothing else stands in the brackets around these words."""
    return line.gaps[i].endswith("(") and line.gaps[j].startswith(")")


def _in_a_date(place: int, dates: Mapping[int, tuple[int, When]]) -> bool:
    return any(start <= place < end for start, (end, _) in dates.items())


def _figure(line: Words, i: int) -> str:
    """All that is written without a space from a word on, without a comma or bracket behind it."""
    return line.text[line.starts[i] :].split(" ", 1)[0].rstrip(",;:)")


def _singulars(key: str) -> Iterator[str]:
    """A phrase with its last word in the singular, each way in which an English plural may have been made."""
    last = key.rpartition(" ")[2]
    if len(last) < _LONG_ENOUGH or last.endswith("ss"):
        return
    for plural, single in (("ies", "y"), ("es", ""), ("ses", "sis"), ("s", "")):
        if last.endswith(plural):
            yield key[: -len(plural)] + single
