"""A text read from the left: what stands at a place and where it ends. Knows names, units and phrases; decides nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from safety.knowledge.library import Lab, Panel
from safety.model.quantity import Units, number
from safety.reading.results.phrases import NUMBER, Around
from safety.reading.results.told import Flag, Sign
from safety.reading.results.unsaid import plausible
from safety.text import fold

_GRADED = re.compile(r"([1-4])\s?\+(?![\w+])|(\+{1,4})(?![\w+])")
_MINUS = re.compile(r"-(?=\s*(?:[,;)|]|\Z))")
"""A minus and nothing behind it, of a test in words: "benzos -, cocaine -"."""
_TITRE = re.compile(r"1:\d{1,6}(?![\w:.])")
_SPAN = re.compile(rf"({NUMBER.pattern})(?:\s?(?:-|to)\s?|\s+or\s+)({NUMBER.pattern})(?![-/])")
_DECADE = re.compile(r"(\d{1,2}0)['’]?s(?![\w/-])")
"""About so much: "110s", "400s"."""
_DECADES = re.compile(r"(\d{1,2}0)['’]?s?\s?(?:/|over\b)\s?(\d{1,2}0)['’]?s(?![\w/-])", re.I)
_HUNDREDS = 200
"""From so much on, "400s" means hundreds."""
_REFERENCE = re.compile(rf"(?:{NUMBER.pattern}\s?(?:-|to)\s?{NUMBER.pattern}|(?:[<>]=?|≤|≥)\s?{NUMBER.pattern})(?![-/])")
_AND = re.compile(r"[\s,/&]*(?:and\b)?\s*", re.I)
_TIMES = re.compile(r"x\s?\d{1,2}(?![\w.(^*])", re.I)
_ENDS_A_NAME = re.compile(r"[A-Za-z0-9+%'’)](?![A-Za-z0-9])")
_IN_PLURAL = re.compile(r"[A-Za-z0-9]{3}s\Z")
"""Several results of one test: "my last three INRs"."""
_GLUED = re.compile(r"([A-Za-z]{1,5})(\d?)(?=\d+(?:[./]\d+)*[A-Za-z%]?(?![\w-]|[.]\d|\s+[\d.<>]))")
"""A short name right before its number: "HR88", "SpO294%"; not where another number follows, "T4 1.2"."""
_ENDS_A_NUMBER = re.compile(r"(?::|[?!]{2,})(?=\s|\Z)")
"""What somebody says of a number, or asks of it, begins here: "K 3.1: on hctz", "Li 8.0?!"."""
_CHUNK = re.compile(r"\S{1,60}")
_REMEMBERED = 4096
"""Of so many words is kept what they are."""
_LONGEST_NAME, _WORDS_IN_A_NAME = 60, 8
_LONGEST_UNIT = 32
_LEAST_IN_A_ROW = 4
"""Of a panel of so many numbers their order tells which is which, whatever stands between them."""
_UNIT_ENDS = re.compile(r"(?=[\s,;|)\]]|\Z|(?:\.|[?!]+)(?:\s|\Z))")
_ENDS_A_LINE = (";", "|")
_ENDS_A_UNIT, _CLOSING = (",", ";", "|"), (")", "]")
_MADE_UP_UNIT = re.compile(r"[A-Za-z%µμ]+\d?(?:/[A-Za-zµμ]+\d?)+\Z")
_PER = re.compile(r"\s+per\s+(?!(?:the|an?|my|our|his|her|their)\b)", re.I)
"""Within a unit; "53 mmol/mol per the letter" says who told it."""
_MICRO = str.maketrans({"µ": "u", "μ": "u"})
_AMOUNT = re.compile(r"\s?([A-Za-zµμ]{1,6})(?![\w/%]|\s?/)")
_AMOUNTS = frozenset({"mass", "amount", "charge", "units"})
_VOLUME = "volume"
_MEASURES = frozenset({"mass", "amount", "charge", "pressure"})


class Value(NamedTuple):
    """A value at a place: a number or what a word says, with its sign, and where it ends."""

    value: Decimal | str
    sign: Sign
    end: int


def _panel_of(said: str, names: Mapping[str, Panel]) -> Panel | None:
    """The panel of a name, also where several of its results are told: "blood pressures"."""
    found = names.get(fold(said))
    return names.get(fold(said[:-1])) if found is None and _IN_PLURAL.search(said) else found


class Scanner:
    """What may stand at a place of a text of results; immutable, made once for a library."""

    def __init__(
        self,
        test_of: Callable[[str], str | None],
        labs: Callable[[str], Lab | None],
        panels: Sequence[Panel],
        units: Units,
        around: Around,
        shared: Mapping[str, Sequence[tuple[Decimal | None, Decimal | None, str]]],
        firsts: Container[str],
        words: Container[str],
    ) -> None:
        """`firsts`: the first words of the names of tests and panels; `words`: all words of names of tests."""
        self._words = words
        self._test_of, self._lab, self._units, self.around = test_of, labs, units, around
        self._shared = shared
        self._symbol = lru_cache(_REMEMBERED)(self._read_symbol)
        self._spelled = lru_cache(_REMEMBERED)(self._read_spelling)
        self._begins_a_name = lru_cache(_REMEMBERED)(
            lambda word: any(first in firsts for first in _singly(fold(word).partition(" ")[0]))
        )
        self._panels = {fold(text): p for p in panels for text in (p.name, *p.synonyms)}
        self._asked = {fold(text): p for p in panels for text in (p.name, *p.synonyms, *p.asked)}
        self._first_asked = frozenset(said.partition(" ")[0] for said in self._asked)
        self._written = {p.id: _pattern(p.between) for p in panels if p.between}
        self._in_a_row = {p.id: _row(len(p.parts)) for p in panels if p.between and len(p.parts) >= _LEAST_IN_A_ROW}
        self.unnamed, self._all = tuple(p for p in panels if p.without_a_name), tuple(panels)

    # -------------------------------------------------------------- names

    def test(self, text: str, at: int, specimen: str = "") -> tuple[str, int] | None:
        """The longest name of a test that begins here; in a specimen only a test of that. Empty where it is none of ours.

        In venous blood the potassium is that of any blood, and the pH a test of its own.
        """
        if not text[at : at + 1].isalnum():
            return None
        ends = list(_ends(text, at)) if specimen or self._may_begin(text, at) else []
        for end in reversed(ends):
            said = text[at:end]
            found = self._test_of(said)
            if specimen and (found or self._panels.get(fold(said)) is None):
                within = self._test_of(f"{specimen} {said}") or self._of_specimen(found, specimen)
                within = within or (found if self.around.is_blood(specimen) else None)
                if within or found:
                    return within or "", end
            elif found and not _goes_on(text, end):
                return found, end
        for end in reversed(ends) if not specimen else ():
            found = self._test_of(text[at : end - 1]) if _IN_PLURAL.search(text, at, end) else None
            if found:
                return found, end
        for end in _glued(text, at) if not specimen else ():
            found = self._test_of(text[at:end])
            if found:
                return found, end
        return None

    def beginnings_of(self, panel: Panel) -> tuple[Panel, ...]:
        """The panels of fewer tests with whose numbers a row of this one begins: "VBG 7.21/60/30" leaves out the bicarbonate."""
        return tuple(p for p in self._all if len(p.parts) < len(panel.parts) and panel.parts[: len(p.parts)] == p.parts)

    def is_a_unit(self, word: str) -> bool:
        """Whether a word is a unit of mass, volume or time by itself."""
        return self._units.symbol(word) is not None

    def amount(self, text: str, at: int, *, volume: bool = False) -> int | None:
        """Where a bare unit of an amount, "mg", "mEq", "units", ends that stands here; none where it goes on, "mEq/L".

        `volume`: a volume may be one, too, "O2 2 L"; not where the number can be a result, and "L" says that it is low.
        """
        found = _AMOUNT.match(text, at)
        symbol = self._units.symbol(found[1]) if found is not None else None
        dimension = self._units.dimension(symbol) if symbol is not None else None
        known = dimension in _AMOUNTS or (volume and dimension == _VOLUME)
        return found.end() if found is not None and known else None

    def is_unit_of(self, said: str, lab: Lab) -> bool:
        """Whether a unit, however it is spelled, is one in which a test comes."""
        own = {lab.unit, *(other.unit for other in lab.other_units)}
        return self._units.symbol(said) in own or said.lower() in {unit.lower() for unit in own}

    def is_cut_short(self, value: Decimal, said: str, lab: Lab) -> bool:
        """Whether a bare unit is the beginning of one in which the test comes, and the number can be in it: "5.6 mmol"."""
        begins = f"{said.lower()}/"
        each = [(lab.unit, value), *((o.unit, value * o.factor + o.offset) for o in lab.other_units)]
        return any(unit.lower().startswith(begins) and plausible(found, lab) for unit, found in each)

    def is_of_a_name(self, word: str) -> bool:
        """Whether a word stands in the name of some test."""
        return word.lower() in self._words

    def singly(self, name: str) -> str:
        """The name of a test as it is known, where several of its results are told: "INRs"."""
        return name[:-1] if _IN_PLURAL.search(name) and not self._test_of(name) and self._test_of(name[:-1]) else name

    def _of_specimen(self, test: str | None, specimen: str) -> str | None:
        """A test that is of this specimen by its own name: a nitrite is of urine."""
        lab = self._lab(test) if test else None
        return test if lab is not None and specimen.lower() in lab.name.lower().split() else None

    def is_of(self, test: str, specimen: str) -> bool:
        """Whether a test is of this specimen by its own name."""
        return self._of_specimen(test, specimen) is not None

    def panel(self, text: str, at: int) -> tuple[Panel, int] | None:
        """The longest name of a panel that begins here."""
        for end in reversed(list(_ends(text, at)) if self._may_begin(text, at) else []):
            found = _panel_of(text[at:end], self._panels)
            if found is not None and not _goes_on(text, end):
                return found, end
        for end in _glued(text, at):
            found = self._panels.get(fold(text[at:end]))
            if found is not None:
                return found, end
        return None

    def asked_together(self, text: str, at: int) -> tuple[Panel, int] | None:
        """The longest name here by which tests are asked about together: "kidney function", "LFTs"."""
        word = _CHUNK.match(text, at)
        if word is None or fold(word[0].rstrip("?,;.")).partition(" ")[0] not in self._first_asked:
            return None
        for end in reversed(list(_ends(text, at))):
            found = _panel_of(text[at:end], self._asked)
            if found is not None and not _goes_on(text, end):
                return found, end
        return None

    def _may_begin(self, text: str, at: int) -> bool:
        """Whether a name of a test or panel begins with the word here."""
        word = _CHUNK.match(text, at)
        return word is not None and self._begins_a_name(word[0])

    # -------------------------------------------------------------- values

    def parts(self, text: str, at: int, panel: Panel, *, named: bool = False) -> tuple[list[Decimal], int] | None:
        """The numbers of a panel as it is written, and where they end; behind its name also a row with spaces between them."""
        if panel.id not in self._written:
            return None
        read = _numbers(self._written[panel.id].match(text, at))
        row = self._in_a_row.get(panel.id) if named and read is None else None
        return _numbers(row.match(text, at)) if row is not None else read

    def decades(self, text: str, at: int) -> tuple[list[str], int] | None:
        """Two numbers that are told roughly, "150s/90s", as ranges, and where they end."""
        found = _DECADES.match(text, at)
        return ([_decade(int(found[1])), _decade(int(found[2]))], found.end()) if found else None

    def listed(self, text: str, at: int, count: int) -> tuple[list[Decimal], int] | None:
        """So many numbers with a slash between them."""
        return _numbers(_pattern(("/",) * (count - 1)).match(text, at))

    def value(self, text: str, at: int, lab: Lab | None, *, spans: bool = True) -> Value | None:
        """A result here: a number with its sign, a range, a grade, a titre or a word; None where it cannot be read.

        `spans`: two numbers may be a range; not behind "from", where they are an earlier and a later result.
        """
        sign = self.around.signs.at(text, at)
        if sign is not None:
            at = _spaces(text, sign.end)
        meant: Sign = sign.meaning if sign is not None else ""  # type: ignore[assignment]
        if text[at : at + 1].isalpha():
            return self._word(text, at) if sign is None else None
        if (found := _GRADED.match(text, at)) and not (found[2] == "+" and _joins(text, found.end(), lab)):
            return Value(f"{found[1] or len(found[2])}+", meant, found.end())
        if found := _TITRE.match(text, at):
            return Value(found[0], meant, found.end())
        if spans and (found := _SPAN.match(text, at)) and not self.around.is_so_long(text, found.start(2)):  # "162 - 29 weeks"
            low, high = number(found[1]), number(found[2])
            whole = low is not None and high is not None and low < high and self._stands_alone(text, found.end(), lab)
            return Value(f"{low}-{high}", meant, found.end()) if whole else None
        if found := _DECADE.match(text, at):
            return Value(_decade(int(found[1])), meant, found.end())
        if self.around.day(text, at, date.max) and not NUMBER.match(text, at):
            return None
        if lab is not None and lab.expected is not None and (found := _MINUS.match(text, at)):
            return Value("negative", meant, found.end())
        below = at + (text[at : at + 1] == "-" and lab is not None and (lab.plausible_low or 0) < 0)
        if self.around.is_so_long(text, below) and not (lab is not None and self.is_time(lab)):
            return None  # "on lithium 3 yrs"
        if self.around.is_ago(text, below) and not (lab is not None and self.is_time(lab)):
            return None  # "TSH, dose changed 6 weeks ago"
        if found := NUMBER.match(text, below):
            read = number(text[at : found.end()])
            return Value(read, meant, found.end()) if read is not None and self._stands_alone(text, found.end(), lab) else None
        return self._word(text, at) if sign is None else None

    def _word(self, text: str, at: int) -> Value | None:
        """What a word here says of a test; none where it is a day."""
        word = self.around.values.at(text, at)
        return Value(word.meaning, "", word.end) if word is not None and not self.around.day(text, at, date.max) else None

    def _stands_alone(self, text: str, end: int, lab: Lab | None) -> bool:
        """Whether what follows a number at once is no part of it: nothing, a mark, or a unit."""
        after = text[end : end + 1]
        if not after or after.isspace() or after in ",;|)]!*([→↑↓" or (after == "." and not text[end + 1 : end + 2].isalnum()):
            return True
        if after in ":?" and _ENDS_A_NUMBER.match(text, end):
            return True
        if text.startswith(("->", "=>"), end) or (after == "/" and self.test(text, _spaces(text, end + 1)) is not None):
            return True
        return self.unit(text, end, lab) is not None or (after.isupper() and self.flag(text, end) is not None)

    def range(self, text: str, at: int) -> int | None:
        """Where a range that is written here ends."""
        found = _REFERENCE.match(text, at)
        return found.end() if found else None

    def flag(self, text: str, at: int) -> tuple[Flag, int] | None:
        """A mark of the laboratory here."""
        found = self.around.flags.at(text, at)
        return (found.meaning, found.end) if found is not None else None  # type: ignore[return-value]

    def unit(self, text: str, at: int, lab: Lab | None) -> tuple[str, int] | None:
        """The unit told here, and where it ends: one that the test may come in, or one that certainly is a unit."""
        start = _spaces(text, at)
        marked = self.flag(text, start)
        if marked is not None and marked[0] in ("high", "low") and text[marked[1] : marked[1] + 1] != "/":
            return None
        for end in reversed(_unit_ends(text, start)):
            symbol = self._symbol(text[start:end], lab.id if lab is not None else "")
            if symbol and not (symbol.isalpha() and _number_follows(text, end) and self._is_a_name(text[start:end])):
                return symbol, end
        return None

    def _is_a_name(self, said: str) -> bool:
        """Whether what may be a unit is one letter, or the name of a test: "K 3.6 Mg 1.9"."""
        return len(said.strip()) == 1 or self._test_of(said.strip()) is not None

    def _read_symbol(self, raw: str, test: str) -> str | None:
        lab = self.lab(test)
        raw, symbol, made_up = self._spelled(raw)
        if lab is not None:
            own = next((o.unit for o in lab.other_units if raw.lower() == o.unit.lower() or symbol == o.unit), None)
            if own is not None or symbol == lab.unit:
                return own or symbol
            if symbol is not None and self._units.dimension(symbol) == self._units.dimension(lab.unit) and "only:" not in symbol:
                return symbol
            cut = {u for u in (lab.unit, *(o.unit for o in lab.other_units)) if u.lower().startswith(f"{raw.lower()}/")}
            if len(cut) == 1:  # "22 mmol" of what comes in mmol/L
                return cut.pop()
        if symbol is not None and ("/" in symbol or symbol == "%" or self._units.dimension(symbol) in _MEASURES):
            return symbol if len(raw) > 1 or raw == "%" else None
        return raw if made_up else None

    def _read_spelling(self, raw: str) -> tuple[str, str | None, bool]:
        """A unit in plain letters, its symbol if we know it, and whether it looks like a unit that somebody made up."""
        raw = _PER.sub("/", raw.translate(_MICRO))
        symbol = self._units.symbol(raw) or self._units.symbol(raw.replace(" ", ""))
        made_up = _MADE_UP_UNIT.match(raw) is not None
        return raw, symbol, made_up and not any(self._test_of(part.strip()) for part in raw.split("/"))

    def aimed_at(self, text: str, at: int) -> int | None:
        """Where a test with a comparator that begins here, "Mg > 2", ends; perhaps after an "and"."""
        found = _AND.match(text, at)
        begins = _spaces(text, found.end() if found else at)
        named = self.test(text, begins)
        return named[1] if named is not None and self.around.signs.at(text, _spaces(text, named[1])) is not None else None

    def times(self, text: str, at: int) -> int | None:
        """Where "x3" ends: so often with one outcome."""
        found = _TIMES.match(text, at)
        return found.end() if found else None

    def meant(self, name: str, test: str, value: object) -> str:
        """Which of several tests that go by a name the number says; `test` where it goes by no name but its own."""
        return by_number(self._shared.get(fold(name), ()), test, value)

    def is_time(self, lab: Lab) -> bool:
        """Whether a test is itself a length of time: a prothrombin time, a QTc."""
        return self._units.dimension(lab.unit) == "time"

    def same_test(self, text: str, lab: Lab | None) -> bool:
        """Whether a text names this very test once more: "kidney number (eGFR)"."""
        return lab is not None and bool(text) and self._test_of(text) == lab.id

    def lab(self, test: str) -> Lab | None:
        """A test by its id; None for none."""
        return self._lab(test) if test else None


def _joins(text: str, end: int, lab: Lab | None) -> bool:
    """Whether a lone plus joins one name to the next, "vanc + zosyn", "TSH + Cr", and is no grade of a test in words."""
    in_words = lab is not None and lab.expected is not None
    return not in_words and text[_spaces(text, end) :][:1].isalnum()


def _unit_ends(text: str, start: int) -> list[int]:
    """Where a unit that begins here may end: no unit goes on over a comma, a stroke or a bracket that closes."""
    ends: list[int] = []
    for found in _UNIT_ENDS.finditer(text, start + 1, start + _LONGEST_UNIT) if start < len(text) else ():
        ends.append(found.start())
        mark = text[found.start() : found.start() + 1]
        if mark in _ENDS_A_UNIT or (mark in _CLOSING and text[start : found.start()].count("(") == 0):
            break
    return ends


def _singly(word: str) -> tuple[str, ...]:
    """A word, and what it is the plural of."""
    return (word, word[:-1]) if len(word) > 3 and word.endswith("s") else (word,)


def by_number(shared: Sequence[tuple[Decimal | None, Decimal | None, str]], test: str, value: object) -> str:
    """The first test that a number fits, of those that share a name."""
    if isinstance(value, Decimal):
        for low, under, one in shared:
            if (low is None or value >= low) and (under is None or value < under):
                return one
    return test


def _ends(text: str, at: int) -> Iterator[int]:
    """Where a name that begins here may end: after each of the next words. A comma may stand in it: "Calcium, Ionized"."""
    most = at + _LONGEST_NAME
    stops = [stop for mark in _ENDS_A_LINE if (stop := text.find(mark, at, most)) >= 0]
    for found in islice(_ENDS_A_NAME.finditer(text, at, min(stops, default=most)), _WORDS_IN_A_NAME):
        yield found.end()


def _glued(text: str, at: int) -> tuple[int, ...]:
    """Where a name may end whose number follows at once: after its letters, or after one digit of its own."""
    found = _GLUED.match(text, at)
    return tuple(dict.fromkeys((found.end(1), found.end(2)))) if found else ()


def _goes_on(text: str, end: int) -> bool:
    """Whether the word goes on after a mark: "K-Dur"."""
    return text[end : end + 1] in ("-", "'", "’") and text[end + 1 : end + 2].isalpha()


def _number_follows(text: str, end: int) -> bool:
    return NUMBER.match(text, _spaces(text, end)) is not None


def _spaces(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _pattern(between: Sequence[str]) -> re.Pattern[str]:
    """Numbers with these marks between them, each one of several ("/ over"), and nothing of the kind behind."""
    parts = [f"({NUMBER.pattern})"]
    for mark in between:
        parts.append(rf"\s?(?:{'|'.join(map(re.escape, mark.split()))})\s?({NUMBER.pattern})")
    return re.compile("".join(parts) + r"(?![\w/<>-]|\.\d)")


def _decade(low: int) -> str:
    """As a range: "110s" is 110-119, "400s" is 400-499."""
    return f"{low}-{low + (99 if low >= _HUNDREDS and low % 100 == 0 else 9)}"


def _row(count: int) -> re.Pattern[str]:
    """So many numbers one after the other, with spaces or slashes between them, and nothing of the kind behind."""
    return re.compile(r"(?:\s?[/<]\s?|\s+)".join([f"({NUMBER.pattern})"] * count) + r"(?!\s?[\d/<>]|[\w-]|\.\d)")


def _numbers(found: re.Match[str] | None) -> tuple[list[Decimal], int] | None:
    read = [number(part) for part in found.groups()] if found else []
    values = [value for value in read if value is not None]
    return (values, found.end()) if found and values and len(values) == len(read) else None
