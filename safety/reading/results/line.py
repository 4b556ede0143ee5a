"""One line of results, read from the left: what stands at a place, and what it adds to the results before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from safety.knowledge.library import Lab, Panel
from safety.model.quantity import number
from safety.reading.results.phrases import NUMBER, Found
from safety.reading.results.scan import Scanner, Value
from safety.reading.results.spelled import Heard
from safety.reading.results.told import Fault, Sign, ToldLine, ToldResult
from safety.reading.results.unsaid import plausible
from safety.text import fold

_GAP = re.compile(r"[\s,]+")
_STOP = re.compile(r"[;•]+|\.(?=\s|\Z)|\?+(?=\s+[A-Za-z])")
_WORD = re.compile(r"[^\s,;|()\[\]:=<>]+|.")
_BETWEEN = re.compile(
    r"[\s:=]+|(?<=[A-Za-z])\.(?=\s+[\d<>])|-(?=\s)|(?<=[A-Za-z+])-(?=\d)|(?<=[A-Za-z])(?:2?\+|\+\+)(?=[\s:=]+[\d<>.]|\d)"
)
"""Between a name and its value; also the charge of an ion: "Ca++ 11.9", "K+5.9"."""
_AT_AN_HOUR = re.compile(r"(?:at|@)\s+(?:[01]?\d|2[0-3])(?=\s+[A-Za-z])", re.I)
_BRACKET = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
_SERIES = re.compile(
    rf"{NUMBER.pattern}(?:\s?(?:,\s?(?:and\s+|then\s+|now\s+)*|->|→|=>|/|(?<=\s)>(?=\s))\s?{NUMBER.pattern}"
    rf"|\s+(?:and|then)(?:\s+now)?\s+{NUMBER.pattern}){{2,}}(?![\w/.])",
    re.I,
)
"""At least three numbers of one test in their order: "1.0, 1.3, 1.8", "220 then 150 then 90"."""
_SECOND = re.compile(rf"\s?,\s?(?P<second>{NUMBER.pattern})(?=\s*(?:[.;!?]?\s*\Z|[;!?]|\.\s))")
_OF_ONE_TEST, _ONE_WAY, _MANIFOLD = Decimal("2.5"), Decimal(4), Decimal(12)
"""Numbers of a series lie within so many times of the one before, or, where all rise or all fall, so many; a list of several
tests ("7.0, 12.3, 36.9, 210") does not. The last: where the test can go ten times further yet (troponin, lipase)."""
_FURTHER_YET = 10
_WITHIN = re.compile(r"(?:with)?in\s+(?=\d{1,3}\s?[a-z])", re.I)
"""Before a length of time: "129 in 2 days"."""
_Row = tuple[Panel, tuple[list[Decimal], int], int]
"""A panel with the numbers read, where they end, and where they begin."""
_BETWEEN_PARTS = re.compile(r"\d\s?[/<>]\s?\d|over\b", re.I)
_BETWEEN_PAIRS = re.compile(r"\s*(?:->|→|=>|>|,|;)\s*")
_ARROW = re.compile(r"->|→|=>|\s>\s")
_FROM_TO = re.compile(rf"{NUMBER.pattern}\s+to\s+{NUMBER.pattern}(?![\w/.])", re.I)
_BECAME = re.compile(rf"{NUMBER.pattern}\s*(?:to|-+>|→|=+>)\s*{NUMBER.pattern}(?![\w/.])", re.I)
"""A number and what it became, behind words that say since when: "since last month: 60 --> 122"."""
_ROW = re.compile(rf"{NUMBER.pattern}(?:\s?(?:/|,|->|→|=>)\s?{NUMBER.pattern})+(?![\w/.])")
_MARKS = ("high", "low", "normal", "abnormal")
_OF_A_PAIR = 2
"""Two numbers behind words may be the strengths of a medicine, "Advair 250/50"; three and more of a panel are nothing else."""
_A_SHARE = "%"
"""In which the share of a kind of cells is told, before their number: "Eos 11%, absolute 1.1"."""
_A_UNIT = 4
"""A unit of so many letters is no word."""
_PER_SOMETHING = re.compile(r"\d\s?/\Z")
_IN_MASS = re.compile(r"[a-zµ]{1,4}/[a-zµ0-9]+", re.I)
_BY_ITSELF = re.compile(rf"(?:[,:]|(?<=\w)\?)\s+(?P<value>{NUMBER.pattern})(?![\w/-]|\.\d)")
"""A number behind a stop."""
_ENDS_WITH_A_NUMBER = re.compile(r"(?<=\d)(?=\.\s+[A-Z])")
"""Behind a number with which a sentence ends."""
_WHOLE_NUMBER = re.compile(rf"(?<![\w.]){NUMBER.pattern}")
_ENDS_THERE = re.compile(r"\s*(?:\Z|[,;)?!]|\.(?:\s|\Z))")
_LAST_SENTENCE = re.compile(r"[.;:?!]\s")
_OF_A_NAME = 2
"""So many words right before a name may make another test of it: "pleural fluid LDH"."""
_STRIP = "urine"
"""The specimen of a test strip, where none is told."""
_JOINED = re.compile(r"\s*(?:,|/|&|and\b)\s*(?:and\s+)?(?=[A-Za-z])")
_PLUS = re.compile(r"\+(?=\s?[A-Za-z])")
_BEFORE_ONE_MORE = re.compile(r"(?:^|[,;/]|\band)\s*\Z", re.I)
_OF_A_ROW, _ANOTHER_UNIT = 2, Decimal(2)
_BETWEEN_DAYS = re.compile(r"\s*,\s*|\s*/\s*(?=\d{4}-)")
_UP_TO_A_STOP, _UP_TO_A_BREAK = re.compile(r"[^,;|]*"), re.compile(r"[^;|]*")
_LOOSE = re.compile(r"(?:\s*\.\s*|\s+)(\.?\d{1,4})(?![\w/:%-]|\.\d)")
"""A number right behind another, with nothing but a point or a space between them."""
_DOUBT, _OR = re.compile(r"\s+\?(?=\s)"), re.compile(r"\s+or\s+", re.I)
_ASKED = re.compile(r"(?:[A-Za-z]{2,12}\s?)?\?\s+")
"""The mark of a question behind the name of a test, or behind one word more: "is her INR ok? 2.4"."""
_ENDS_A_SENTENCE = re.compile(r"(?<=[^\W\d_]{4})\.(?=\s|\Z)|\?+(?=\s)")
"""The stop right behind a word that is no short form, and the mark of a question behind any."""


def _near(values: Sequence[Decimal], high: Decimal | None, *, one_way: bool) -> bool:
    """Whether each number lies as near to the one before as results of one test do; `high`: the most that can be believed."""
    steep = one_way and (high is None or (bool(values) and high >= _FURTHER_YET * max(values)))
    most = _MANIFOLD if steep else _ONE_WAY if one_way else _OF_ONE_TEST
    return all(max(a, b) <= most * min(a, b) for a, b in pairwise(values))


class Line:
    """One line while it is read."""

    def __init__(self, scanner: Scanner, text: str, heard: Sequence[Heard], today: date) -> None:
        self.scan, self.around = scanner, scanner.around
        self.text, self.heard, self.today, self.at = text, heard, today, 0
        self.results: list[ToldResult] = []
        self.left: list[str] = []
        self.taken_back: list[str] = []
        self.words: list[tuple[int, int]] = []
        """Words since the last stop, of which nothing was made: perhaps the name of a test."""
        self.specimen = ""
        self.day: date | None = None
        """A day that heads the line."""
        self.earlier = False
        self.panel: Panel | None = None
        """The panel of which all numbers were told last."""
        self._named = dict[tuple[int, str], tuple[str, int] | None]()
        self._days = dict[int, tuple[date | None, int] | None]()
        self.once_more = False
        """Whether a word said that the next result is a later one of a test told before: "repeat K 4.3"."""

    def read(self) -> ToldLine:
        """The results of the line, with what was not understood and what the speaker took back."""
        steps = (
            self._put_right,
            self._pair_again,
            self._gap,
            self._specimen_of_all,
            self._of_blood,
            self._wanted,
            self._in_words_before,
            self._tests,
            self._sibling,
            self._panel,
            self._pair,
            self._again,
            self._heading,
            self._aside,
            self._unit_alone,
            self._number_first,
            self._nameless,
            self._stray,
        )
        while self.at < len(self.text):
            if not any(step() for step in steps):
                self._word()
        self._flush()
        drawn, fasting = self.around.drawn(self.text), self.around.is_fasting(self.text)
        results = self.results
        if drawn.told or fasting is not None:
            how = {"timed": drawn.timed, "hour": drawn.hour, "after": drawn.after, "fasting": fasting}
            results = [replace(r, **how) for r in results]
        return ToldLine(self.text, tuple(results), tuple(self.left), tuple(self.taken_back))

    def _test_at(self, at: int) -> tuple[str, int] | None:
        """The test that is named at a place, as `Scanner.test` finds it; looked up once."""
        key = at, self.specimen
        if key not in self._named:
            self._named[key] = self.scan.test(self.text, at, self.specimen)
        return self._named[key]

    def _day_at(self, at: int) -> tuple[date | None, int] | None:
        """The day that is told at a place, and where it ends; looked up once."""
        if at not in self._days:
            self._days[at] = self.around.day(self.text, at, self.today)
        return self._days[at]

    def _word(self) -> None:
        """A word of which nothing is made; the stop behind it is none of its letters."""
        word = _WORD.match(self.text, self.at)
        assert word is not None
        stop = _ENDS_A_SENTENCE.search(self.text, self.at + 1, word.end() + 1)
        end = stop.start() if stop is not None else word.end()
        self.words.append((self.at, end))
        self.at = end

    # -------------------------------------------------------------- between results

    def _gap(self) -> bool:
        stop = _STOP.match(self.text, self.at)
        found = stop or _GAP.match(self.text, self.at)
        if found is None:
            return False
        if stop or "," in found[0]:
            self._flush()
        if stop and stop[0][0] in ".?":
            self.specimen = ""
        self.at = found.end()
        return True

    def _flush(self) -> None:
        """Words before which a stop stands, and after which no value came."""
        said = self._words().strip(" :=-/")
        if any(c.isalnum() for c in said):
            self.left.append(said)
        self.words.clear()
        self.earlier = False

    def _words(self) -> str:
        return self.text[self.words[0][0] : self.words[-1][1]] if self.words else ""

    def _heading(self) -> bool:
        """A day or a specimen before the results."""
        if found := self._day_at(self.at):
            day, end = found
            if day is None:
                return False
            if self.around.is_of_another_day(self.text, self.at):
                self.words.append((self.at, end))
                self.at = end
                return True
            self.at = end
            if self.results and not self.text[end:].strip(" .;,)"):
                of_them = not self.words and not self._is_of_another_sentence()
                self._all_on(day) if of_them else self.words.append((end - 1, end))
            else:
                self.day = day
            return True
        if (specimen := self.around.specimens.at(self.text, self.at)) is not None:
            screen = self.around.screens.at(self.text, self.at)
            if screen is not None and screen.end > specimen.end:
                self.at = screen.end
                return True
            self.specimen, self.at = specimen.meaning, specimen.end
            return True
        return False

    def _is_of_another_sentence(self) -> bool:
        """Whether a sentence of which nothing was made stands between the last result and this place: "129. They put me on"."""
        between = self.text[self.results[-1].end : self.at]
        stop = _ENDS_WITH_A_NUMBER.search(self.text, self.results[-1].end - 1, self.at)
        return stop is not None and bool(self.left) and self.left[-1] in between

    def _all_on(self, day: date) -> None:
        """A day behind the last comma is that of every result for which none is told."""
        self.results = [replace(r, on=day) if r.on is None and not r.earlier else r for r in self.results]

    def _specimen_of_all(self) -> bool:
        """A specimen with a colon, of which everything behind it was measured: "UA: protein 1+, glucose neg"."""
        found = self.around.specimens.at(self.text, self.at)
        if found is None or self.words or self.text[found.end : found.end + 1] != ":" or self._is_row_of_its_panel(found.end):
            return False
        self.specimen, self.at = found.meaning, found.end + 1
        return True

    def _is_row_of_its_panel(self, end: int) -> bool:
        """Whether a specimen is the name of a panel, too, whose numbers stand in a row behind the colon: "VBG: 7.21/60/30/22"."""
        panel = self.scan.panel(self.text, self.at)
        here = self._spaces(end + 1)
        return panel is not None and panel[1] == end and self.scan.parts(self.text, here, panel[0], named=True) is not None

    def _of_blood(self) -> bool:
        """A word before the name of a test that says that it is of blood, "serum creatinine": what follows is so, too."""
        found = self.around.of_blood.at(self.text, self.at) if self.specimen else None
        named = self._test_at(self.at) if found is not None else None
        if found is None or (named is not None and self.scan.is_of(named[0], self.specimen)):
            return False
        if all(self.scan.test(self.text, at) is None for at in (self.at, self._spaces_only(found.end))):
            return False
        self.specimen = ""
        return True

    def _wanted(self) -> bool:
        """What results are to come to, "keep K > 4 and Mg > 2": none of it is a result, and it is told as not read."""
        found = self.around.wanted.at(self.text, self.at) if not self.words else None
        end = self.scan.aimed_at(self.text, found.end) if found is not None else None
        if found is None or end is None:
            return False
        start = self.at
        while end is not None:
            value = self.scan.value(self.text, self._spaces(end), None)
            unit = self.scan.unit(self.text, value.end, None) if value is not None else None
            self.at = unit[1] if unit is not None else value.end if value is not None else end
            end = self.scan.aimed_at(self.text, self.at)
        self.left.append(self.text[start : self.at])
        return True

    def _aside(self) -> bool:
        """Words that say nothing of a result, or how it was taken."""
        text, at = self.text, self.at
        if self._chatter() or self.words:
            return self.at > at
        if (found := self.around.earlier.at(text, at)) is not None:
            self.earlier = True
        later = self.around.later.at(text, at)
        self.once_more = self.once_more or (later is not None and not self._stops(later.end))  # "38 now, 52 a year ago"
        found = found or self.around.context.at(text, at) or self._filler_or_screen(at) or later
        end = found.end if found is not None else self.around.time(text, at) or self.scan.times(text, at)
        if end is None and text[at] in ":=-/()[]":
            end = at + 1
        if end is not None:
            self.at = end
        return end is not None

    def _chatter(self) -> bool:
        """A small word, or a colon, right before the name of a test: what stands before it is no part of the name."""
        found = self.around.begins.at(self.text, self.at)
        end = self.at + 1 if self.text[self.at] == ":" else found.end if found is not None else None
        if end is None or self.around.references.at(self._words(), 0) is not None:
            return False
        here = self._spaces_only(end)
        if here >= len(self.text) or not (self._test_at(here) or self.scan.panel(self.text, here)):
            return False
        self._flush()
        self.at = end
        return True

    # -------------------------------------------------------------- results

    def _in_words_before(self) -> bool:
        """What tests in words say, told before their names: "+ benzos", "negative flu A", "positive for opiates and cocaine"."""
        said = _PLUS.match(self.text, self.at)
        word = None if said is not None else self.around.values.at(self.text, self.at)
        end = said.end() if said is not None else word.end if word is not None else None
        if self.words or end is None:
            return False
        value = word.meaning if word is not None else "positive"
        start, count = self.at, len(self.results)
        while (named := self._named_in_words(end)) is not None:
            test, begins, self.at = named
            name = self.text[begins : self.at]
            self._add(test, name if self._test_at(begins) else f"{_STRIP} {name}", start, value=value)
            joined = _JOINED.match(self.text, self.at)
            if joined is None:
                break
            start = end = joined.end()
        if len(self.results) == count:
            return False
        self._tail(1)
        return True

    def _named_in_words(self, at: int) -> tuple[str, int, int] | None:
        """A test in words, after small words, that has no value of its own: its id, where its name begins and ends."""
        here = self._spaces_only(at)
        while (filler := self._filler_or_screen(here)) is not None:
            here = self._spaces_only(filler.end)
        found = self._test_at(here) or self._screened_at(here) if here < len(self.text) else None
        lab = self.scan.lab(found[0]) if found is not None else None
        if found is None or lab is None or lab.expected is None or self._value_behind(found[1], lab):
            return None
        return lab.id, here, found[1]

    def _filler_or_screen(self, at: int) -> Found | None:
        """A small word, or what a test for drugs is called, "positive urine tox for methadone"."""
        return self.around.screens.at(self.text, at) or self.around.fillers.at(self.text, at)

    def _screened_at(self, at: int) -> tuple[str, int] | None:
        """What is looked for in a urine that a line says was tested for drugs: there "methadone" is no level."""
        return self.scan.test(self.text, at, _STRIP) if next(self.around.screens.anywhere(self.text), None) is not None else None

    def _value_behind(self, at: int, lab: Lab | None) -> bool:
        return self.scan.value(self.text, self._before(at, lab)[0], lab) is not None

    def _sibling(self) -> bool:
        """A word that is a test only beside the name before it: "gent peak 7.9, trough 0.5", "T bili 1.2, direct 0.3"."""
        if not self.results or self.words or not self.text[self.at].isalpha() or not self.results[-1].test:
            return False
        word = _WORD.match(self.text, self.at)
        here = self.text[self.at : word.end()] if word is not None else ""
        if word is None or not here.isalpha() or not self.scan.is_of_a_name(here) or not self._value_behind(word.end(), None):
            return False
        named = [one for one in self.results[-1].name.split() if one.lower() != here.lower()]
        for part in dict.fromkeys((named[0], named[-1], " ".join(named[1:])) if named else ()):
            for said in (f"{part} {here}", f"{here} {part}"):
                found = self.scan.test(said, 0)
                last = self.results[-1]
                other = found is not None and found[0] and (found[0] != last.test or last.unit == _A_SHARE)
                if part and found is not None and found[1] == len(said) and other:
                    start, self.at = self.at, word.end()
                    self._one(found[0], said, start)
                    return True
        return False

    def _tests(self) -> bool:
        """One test, or several with a slash between them, and what is told of each."""
        if self._is_part_of_a_unit():
            return False
        start, named, end = self.at, list[tuple[str, str]](), self.at
        while (found := self._test_at(end)) is not None:
            named.append((found[0], self.text[end : found[1]]))
            end = found[1]
            if self.text[end : end + 1] != "/" or self._test_at(end + 1) is None:
                break
            end += 1
        panel = self.scan.panel(self.text, start) if len(named) == 1 else None
        if not named or (panel is not None and panel[1] > end):  # "iron studies 40" is no iron
            return False
        if len(named) > 1 and len({test for test, _ in named}) == 1:  # "bicarb/CO2 of 17"
            self.at = end
            self._one(*named[0], start)
            return True
        apart = self._apart(named[0][1], start) if len(named) == 1 else named
        if len(apart) > 1 and self._slashed(apart, start, end):
            return True
        if len(named) > 1:
            return False
        self._holds_on(start, end)
        test, self.at = self._of_specimen(named[0][0], start, end)
        self._one(test, self.scan.singly(self.text[start : self.at]), start)
        return True

    def _holds_on(self, start: int, end: int) -> None:
        """A specimen of blood with which the name of a test begins, and of which the next ones are: "VBG pH 7.22 pCO2 60"."""
        found = self.around.specimens.at(self.text, start) if not self.specimen else None
        if found is not None and found.end < end and self.around.is_blood(found.meaning):
            self.specimen = found.meaning

    def _is_part_of_a_unit(self) -> bool:
        """Whether what stands here belongs to a unit and names no test: the "hr" of "80/hr", the "mg" of "that in mg/dL"."""
        if _PER_SOMETHING.search(self.text, 0, self.at) is not None:
            named = self._test_at(self.at)
            return named is not None and not self._value_behind(named[1], None)
        unit = self.scan.unit(self.text, self.at, None)
        return unit is not None and _IN_MASS.match(self.text, self.at, unit[1]) is not None

    def _of_specimen(self, test: str, start: int, end: int) -> tuple[str, int]:
        """The test of the specimen that a comma adds to its name, "Sodium, Urine 20"; empty where that is none of ours."""
        comma = self.text[end : end + 1] == ","
        found = self.around.specimens.at(self.text, self._spaces(end + 1)) if comma else None
        if found is None or self.scan.value(self.text, self._spaces(found.end), None) is None:
            return test, end
        within = self.scan.test(f"{found.meaning} {self.text[start:end]}", 0)
        whole = within is not None and within[1] == len(found.meaning) + 1 + end - start
        return within[0] if within is not None and whole else "", found.end

    def _apart(self, name: str, start: int) -> list[tuple[str, str]]:
        """The tests of a name that is also two names with a slash between them: "PT/INR"."""
        parts = [(self.scan.test(part, 0, self.specimen), part) for part in name.split("/") if part.strip()]
        return [(found[0], part) for found, part in parts if found is not None and found[1] == len(part)]

    def _slashed(self, named: list[tuple[str, str]], start: int, end: int) -> bool:
        at, _ = self._before(end, None)
        if self._day_at(at) is not None and self.around.asks_for_the_last(self.text, at):
            return False  # "PT/INR last 10/12"
        read = self.scan.listed(self.text, at, len(named))
        if read is None:
            return False
        self.at = read[1]
        for (test, name), value in zip(named, read[0], strict=True):
            self._add(test, name, start, value=value)
        self._tail(len(named))
        return True

    def _one(self, test: str, name: str, start: int) -> None:
        """One result, once its name is read."""
        before, self.words = self._words(), []
        if before and (not test or self._is_another(before)):
            test, name = "", f"{before} {name}"
        elif before:
            self.left.append(before.strip(" :=-/"))
        lab = self.scan.lab(test)
        whole = f"{self.specimen} {name}"
        if not before and self.specimen and fold(self.specimen) not in fold(name):
            name = whole if lab is None or self.scan.same_test(whole, lab) else name  # a nitrite is of urine by its own name
        at, seen = self._before(self.at, lab)
        if self._trend(test, name, start, at):
            return
        value = self.scan.value(self.text, at, lab, spans=not seen.get("earlier"))
        if value is None:
            self._without_value(test, name, start, at)
            return
        if (given := self._ends_of_a_dose(value, lab)) is not None:
            self.left.append(self.text[at:given])
            self.at = given
            if not self._told_further_on(lab, name, start, given) and not self.around.is_name_only_with_a_value(name):
                self._add(test, name, start, fault="value", said="")
            return
        test, name = self._of_a_strip(test, name, value)
        self.at = value.end
        self._add(test, name, start, value=value.value, sign=value.sign, **seen)
        loose = self._loose_end(value, lab) or self._a_second(value, lab)
        if loose is not None:
            self.at = loose
            self.results[-1] = replace(
                self.results[-1], value=None, sign="", fault="value", said=self.text[at:loose].strip(), heard="", end=loose
            )
            return
        self._tail(1)

    def _ends_of_a_dose(self, value: Value, lab: Lab | None) -> int | None:
        """Where an amount that was given ends, "K, 40 mEq given", "Mg 2 g IV": no result of the test before it.

        It is told in a bare unit, and that it was given stands behind; or it is no unit of the test, and nobody can have so much.
        """
        if lab is None or not isinstance(value.value, Decimal):
            return None
        end = self.scan.amount(self.text, value.end, volume=not plausible(value.value, lab))
        said = self.text[value.end : end].strip() if end is not None else ""
        if end is None or self.scan.is_unit_of(said, lab) or (said[0].isupper() and self._test_at(end - len(said)) is not None):
            return None  # "K 3.6 Mg 1.9"
        given = self.around.given.at(self.text, self._spaces_only(end))
        if given is not None:
            return given.end
        return None if self.scan.is_cut_short(value.value, said, lab) else end

    def _is_another(self, before: str) -> bool:
        """Whether words before a name make another test of it: "glycated albumin" is no albumin, a "stat potassium" is one."""
        near = fold(_LAST_SENTENCE.split(before)[-1]).split()[-_OF_A_NAME:]
        return any(self.around.qualifies(word) for word in near)

    def _a_second(self, value: Value, lab: Lab | None) -> int | None:
        """Where a second number ends that may as well be a later result, "trop 0.04, 0.31", with which a sentence ends."""
        found = _SECOND.match(self.text, value.end) if lab is not None and isinstance(value.value, Decimal) else None
        second = number(found["second"]) if found is not None else None
        return (
            found.end("second")
            if found is not None and second is not None and lab is not None and plausible(second, lab)
            else None
        )

    def _loose_end(self, value: Value, lab: Lab | None) -> int | None:
        """Where a number that is not whole ends: "5. 8", "2 .5", "1 38", "5 and a half"; None where it stands by itself."""
        if not isinstance(value.value, Decimal) or value.value != value.value.to_integral_value():
            return None
        if (words := self.around.goes_on.at(self.text, self._spaces_only(value.end))) is not None:
            return words.end
        found = _LOOSE.match(self.text, value.end)
        if found is None or "." in self.text[self.at - 1 : self.at] or self._day_at(found.start(1)):
            return None
        unit = self.scan.unit(self.text, found.end(), lab)
        ends = not self.text[found.end() :].strip() or self.text[found.end() :].lstrip()[:1] in ",;)"
        return unit[1] if unit is not None else found.end() if ends else None

    def _trend(self, test: str, name: str, start: int, at: int) -> bool:
        """Results of one test in their order, the last of them today's: "trend 1.0 / 1.4 / 1.9 (11/1, 11/3, 11/5)"."""
        word = self.around.trends.at(self.text, self._spaces(self.at))
        row = (_ROW.match(self.text, self._spaces(word.end)) if word is not None else None) or self._row_of(test, at)
        values = [number(found[0]) for found in NUMBER.finditer(row[0])] if row is not None else []
        if row is None or None in values:
            return False
        self.at = row.end()
        days = self._days_of(len(values))
        for n, value in enumerate(values):
            self._add(test, name, start, value=value, earlier=n + 1 < len(values), on=days[n] if days else self.day)
        self._tail(1)
        unit = self.results[-1].unit
        of = self.results[-1].test  # of names that several tests go by, that of the newest number
        self.results[-len(values) :] = [replace(r, unit=r.unit or unit, test=of) for r in self.results[-len(values) :]]
        return True

    def _row_of(self, test: str, at: int) -> re.Match[str] | None:
        return self._series_of(test, at) or self._by_days(test, at) or self._moved_of(test, at)

    def _moved_of(self, test: str, at: int) -> re.Match[str] | None:
        """Two numbers that one result went between: behind a word that says so, "dropped 137 to 128", or from high to low."""
        found = _FROM_TO.match(self.text, at) if test else None
        if found is None:
            return None
        first, last = (number(one[0]) or Decimal(0) for one in NUMBER.finditer(found[0]))
        return found if first > last or self.around.went(self.text[self.at : at]) else None

    def _series_of(self, test: str, at: int) -> re.Match[str] | None:
        """Three numbers or more behind the name of a test, each of which can be its own and follows from the one before."""
        lab = self.scan.lab(test)
        row = _SERIES.match(self.text, at) if lab is not None else None
        values = (
            [value for found in NUMBER.finditer(row[0]) if (value := number(found[0])) is not None] if row is not None else []
        )
        low, high = (lab.plausible_low or Decimal(0), lab.plausible_high) if lab is not None else (Decimal(0), None)
        fits = all(value > 0 and value >= low and (high is None or value <= high) for value in values)
        one_way = values in (sorted(values), sorted(values, reverse=True))
        arrows = row is not None and "," not in row[0] and "/" not in row[0] and _ARROW.search(row[0]) is not None
        if row is not None and "/" in row[0] and (day := self._day_at(at)) is not None and day[0] is not None:
            return None  # "11/20/26"
        return row if fits and (arrows or _near(values, high, one_way=one_way)) else None

    def _by_days(self, test: str, at: int) -> re.Match[str] | None:
        """Numbers with slashes between them, behind which as many days stand in a bracket: "180/110/52 (11/1, 11/2, 11/3)"."""
        row = _ROW.match(self.text, at) if test else None
        if row is None:
            return None
        here, self.at = self.at, row.end()
        days = self._days_of(len(NUMBER.findall(row[0])))
        self.at = here
        return row if days else None

    def _days_of(self, count: int) -> list[date]:
        """So many days in a bracket, one for each result before it; none where they are not so many."""
        found = _BRACKET.match(self.text, self._spaces_only(self.at))
        told = (
            [self.around.day(part.strip(), 0, self.today) for part in _BETWEEN_DAYS.split(found[1])] if found and found[1] else []
        )
        days = [day[0] for day in told if day is not None and day[0] is not None]
        if found is None or len(days) != count or len(told) != count:
            return []
        self.at = found.end()
        return days

    def _of_a_strip(self, test: str, name: str, value: Value) -> tuple[str, str]:
        """A grade or word of what comes in numbers in the blood is of the strip in the urine: "ketones large", "protein 1+"."""
        lab = self.scan.lab(test)
        graded = isinstance(value.value, str) and value.value not in _MARKS and "-" not in value.value
        if not graded or self.specimen or (lab is not None and lab.expected is not None):
            return test, name
        said = f"{_STRIP} {name}"
        found = self.scan.test(said, 0)
        strip = self.scan.lab(found[0]) if found is not None and found[1] == len(said) else None
        return (strip.id, said) if strip is not None and strip.expected is not None else (test, name)

    def _without_value(self, test: str, name: str, start: int, at: int) -> None:
        """A test whose value is not there, or cannot be read; none where its name comes once more, or heads its parts."""
        again = self._test_at(at)
        lab = self.scan.lab(test)
        parts = lab.worked_out.of if lab is not None and lab.worked_out is not None else ()
        if again is not None and test and (again[0] == test or again[0] in parts):  # "anion gap: Na 138 Cl 96 HCO3 12"
            self.at = at
            return
        if self._off_scale(test, name, start, at) or self._is_a_small_word(start):
            return
        if self._put_right_later(test, name, start, at) or self._at_last(test, name, start, at):
            return
        if self._lone_behind(lab, name, start, at) or self._told_further_on(lab, name, start, at):
            return
        undone = self.around.not_done.at(self.text, at)
        if undone is None and self.results and self.around.is_name_only_with_a_value(name):
            return
        fault: Fault = "not_done" if undone is not None else "value"
        rest = _UP_TO_A_STOP.match(self.text, at)
        end = undone.end if undone is not None else rest.end() if rest else at
        said = self.text[at:end].strip()
        if undone is None:
            end = self._next_test(at, end)
            said = self.text[at:end].strip()
        self.at = max(end, self.at)
        self._add(test, name, start, fault=fault, said=said)

    def _is_a_small_word(self, start: int) -> bool:
        """Whether a name without a value is a small word as well, and the sentence goes on: "pt looks tired"."""
        word = self.around.fillers.at(self.text, start) or self.around.context.at(self.text, start)
        behind = self._spaces_only(self.at)
        goes_on = self.text[behind : behind + 1].isalpha() and self.around.not_done.at(self.text, behind) is None
        return word is not None and word.end >= self.at and goes_on

    def _put_right_later(self, test: str, name: str, start: int, at: int) -> bool:
        """A value that cannot be read, and is put right by one that can: "two point one... sorry, 2.1"."""
        found = self.around.puts_right(self.text, at) if test else None
        if found is None or self._next_test(at, found[0]) != found[0]:
            return False
        unread = ToldResult(test, name, fault="value", said=self.text[at : found[0]].strip(" .,;"), start=start, end=found[0])
        before, back, here = list(self.results), list(self.taken_back), self.at
        self.results.append(unread)
        if self._instead(unread, found[1]):
            return True
        self.results, self.taken_back, self.at = before, back, here
        return False

    def _at_last(self, test: str, name: str, start: int, at: int) -> bool:
        """The newest number behind words that tell none, "was fine last week but now it's 6.2"; or what it became."""
        lab = self.scan.lab(test)
        rest = _UP_TO_A_BREAK.match(self.text, at)
        if lab is None or rest is None:
            return False
        end = self._next_test(at, rest.end())
        for word in re.finditer(r"(?<!\S)[A-Za-z]", self.text[at:end]):
            found = self.around.at_last.at(self.text, at + word.start())
            value = self.scan.value(self.text, self._spaces(found.end), lab) if found is not None else None
            if value is not None and isinstance(value.value, Decimal) and plausible(value.value, lab):
                self.at = value.end
                self._add(test, name, start, value=value.value, sign=value.sign)
                self._tail(1)
                return True
        return self._became(lab, name, start, at, end)

    def _lone_behind(self, lab: Lab | None, name: str, start: int, at: int) -> bool:
        """The only number that stands by itself behind a name, between words and a stop: "keeps coming back high, 5.5"."""
        rest = _UP_TO_A_BREAK.match(self.text, at)
        end = self._next_test(at, rest.end()) if rest is not None else at
        stop = _ENDS_WITH_A_NUMBER.search(self.text, at, end)
        end = stop.end() if stop is not None else end
        found = [one for one in _BY_ITSELF.finditer(self.text, at, end) if self._ends_there(one, lab)] if lab is not None else []
        alone = len(found) == 1 or all(self._day_behind(self._spaces_only(one.end())) for one in found)
        each = alone and len(found) == len(_WHOLE_NUMBER.findall(self.text[at:end]))
        value = self.scan.value(self.text, found[0].start("value"), lab) if found and each else None
        if lab is None or value is None or not isinstance(value.value, Decimal) or not plausible(value.value, lab):
            return False
        if self._day_at(found[0].start("value")) is not None or value.end < found[0].end("value"):
            return False
        if self.around.is_to_come(self.text[at : found[0].start()]):
            return False
        self.at = value.end
        self._add(lab.id, name, start, value=value.value, sign=value.sign)
        self._tail(1)
        return True

    def _ends_there(self, found: re.Match[str], lab: Lab | None) -> bool:
        """Whether a stop stands behind a number, or behind its unit."""
        unit = self.scan.unit(self.text, found.end(), lab)
        end = unit[1] if unit is not None else found.end()
        day = self._day_behind(self._spaces_only(end))  # "dropping, 110 now", "coming up? 121 yesterday"
        return _ENDS_THERE.match(self.text, day[1] if day is not None else end) is not None

    def _told_further_on(self, lab: Lab | None, name: str, start: int, at: int) -> bool:
        """The only number behind words that tell it, with others between it and the name: "weight on the chart is 70 kg"."""
        rest = _UP_TO_A_STOP.match(self.text, at)
        end = self._next_test(at, rest.end()) if rest is not None else at
        told = [one for one in self._tellings(at, end) if lab is not None]
        value = self.scan.value(self.text, told[0], lab) if len(told) == 1 else None
        if lab is None or value is None or not isinstance(value.value, Decimal) or self._day_at(told[0]) is not None:
            return False
        if self._ends_of_a_dose(value, lab) is not None or self.around.is_to_come(self.text[at : told[0]]):
            return False
        self.at = value.end
        self._add(lab.id, name, start, value=value.value, sign=value.sign)
        self._tail(1)
        return True

    def _tellings(self, at: int, end: int) -> list[int]:
        """Where numbers begin that stand right behind words that tell one."""
        found = list[int]()
        for word in re.finditer(r"(?<!\S)[A-Za-z]", self.text[at:end]):
            tells = self.around.tells.at(self.text, at + word.start())
            here = self._spaces_only(tells.end) if tells is not None else end
            if here < end and NUMBER.match(self.text, here) is not None:
                found.append(here)
        return found

    def _became(self, lab: Lab, name: str, start: int, at: int, end: int) -> bool:
        """What a result was and what it is, behind words that say that it moved: "went up a full point on it, 4.5 to 5.5"."""
        row = _BECAME.search(self.text, at, end)
        if row is None or not self.around.went(self.text[start : row.start()]):
            return False
        values = [number(found[0]) for found in NUMBER.finditer(row[0])]
        if any(value is None or not plausible(value, lab) for value in values):
            return False
        self.at = row.end()
        for n, value in enumerate(values):
            self._add(lab.id, name, start, value=value, earlier=n == 0)
        self._tail(1)
        return True

    def _off_scale(self, test: str, name: str, start: int, at: int) -> bool:
        """A word that an instrument shows instead of a number beyond its own: "glucose HI"; only where nothing follows it."""
        lab = self.scan.lab(test)
        rest = _UP_TO_A_STOP.match(self.text, at)
        said = self._without_small_words(at, rest.end()) if rest is not None else ""
        meant = dict(lab.off_scale).get(said.lower()) if lab is not None else None
        if meant is None or rest is None:
            return False
        self.at = rest.end()
        sign: Sign = "<" if meant.startswith("<") else ">"
        self._add(test, name, start, value=number(meant[1:].strip()), sign=sign, unit=lab.unit if lab is not None else None)
        return True

    def _without_small_words(self, at: int, end: int) -> str:
        """The first word here, where nothing but small words follows it: "lo on the meter"; else all of them."""
        word = _WORD.match(self.text, at)
        if word is not None and word[0].isalpha() and word[0].isupper() and word[0] != word[0].lower():
            return word[0]  # "LO on my meter and I feel shaky": as the meter shows it
        here = self._spaces_only(word.end()) if word is not None else end
        while here < end and (small := self.around.fillers.at(self.text, here) or self.around.context.at(self.text, here)):
            here = self._spaces_only(small.end)
        whole = word is None or here < end
        return self.text[at:end].strip(" .") if whole or word is None else word[0].strip(" .")

    def _next_test(self, at: int, end: int) -> int:
        """Where the next test with a value of its own begins, else `end`."""
        for found in re.finditer(r"(?<!\S)[A-Za-z]", self.text[at:end]):
            here = at + found.start()
            named = self._test_at(here) or self.scan.panel(self.text, here)
            if named is not None and self.scan.value(self.text, self._before(named[1], None)[0], None) is not None:
                return here
        return end

    def _panel(self) -> bool:
        """A panel by its name, with its numbers in their order; or its heading, which says nothing."""
        found = self.scan.panel(self.text, self.at)
        if found is None:
            return False
        panel, end = found
        self.specimen = ""  # "UA: protein 2+; BMP: Na 133": what stands together on a form is of the blood
        start, (at, seen) = self.at, self._before(end, None)
        if self._decades(panel, start, at, seen):
            return True
        read = self.scan.parts(self.text, at, panel, named=True)
        if read is not None and panel.falls and not all(a > b for a, b in pairwise(read[0])):
            self._wrong_way_round(panel, read[1], start, at)
            return True
        if read is not None and (self._plausible(panel, read[0]) or self._far_off(panel, at)):
            self._parts(panel, read, start, seen)
            return True
        for shorter in self.scan.beginnings_of(panel):
            read = self.scan.parts(self.text, at, shorter, named=True)
            if read is not None and self._plausible(shorter, read[0]):
                self._parts(shorter, read, start, seen)
                return True
        return self._first_of_panel(panel, start, end, at, seen)

    def _far_off(self, panel: Panel, at: int) -> bool:
        """Whether a pair that cannot be is no day either, "BP 500/300": each of its numbers is queried."""
        return panel.falls and self._day_at(at) is None

    def _decades(self, panel: Panel, start: int, at: int, seen: dict[str, Any]) -> bool:
        """Numbers told roughly, "150s over 90s": each a range."""
        read = self.scan.decades(self.text, at) if panel.falls else None
        lows = [Decimal(value.partition("-")[0]) for value in read[0]] if read is not None else []
        if read is None or len(lows) != len(panel.parts) or not self._falling(panel, lows):
            return False
        self.words.clear()
        self.at = read[1]
        for test, value in zip(panel.parts, read[0], strict=True):
            lab = self.scan.lab(test)
            self._add(test, lab.name if lab is not None else test, start, value=value, **seen)
        self._tail(len(panel.parts))
        return True

    def _first_of_panel(self, panel: Panel, start: int, end: int, at: int, seen: dict[str, Any]) -> bool:
        """The name of a panel behind which not all its numbers stand: the first alone, a heading, or a value that is not read."""
        first = self.scan.lab(panel.parts[0]) if panel.first_alone else None
        value = self.scan.value(self.text, at, first) if first is not None else None
        self.at = end
        if first is not None and value is not None:
            self.at = value.end
            self._add(first.id, first.name, start, value=value.value, sign=value.sign, alone=panel.parts[1], **seen)
            self._tail(1)
        elif first is not None and not self._pair_told_further_on(panel, start, at):
            self._without_value(first.id, first.name, start, at)
        elif first is None:
            self._of_which_part(panel, start, at)
        return True

    def _of_which_part(self, panel: Panel, start: int, at: int) -> None:
        """The only number behind the name of a panel, and nothing else there, is of one of its tests: "iron studies: 40"."""
        value = self.scan.value(self.text, at, None)
        alone = value is not None and isinstance(value.value, Decimal) and not self.text[value.end :].strip(" .,;?!)")
        if value is None or not alone or self.results or self._day_at(at) is not None:
            return
        self.at = value.end
        self._add("", panel.name, start, value=value.value, sign=value.sign)

    def _pair_told_further_on(self, panel: Panel, start: int, at: int) -> bool:
        """The numbers of a panel behind words that tell them: "blood pressure cuff said 98 over 54"."""
        rest = _UP_TO_A_STOP.match(self.text, at)
        read = [self.scan.parts(self.text, one, panel) for one in self._tellings(at, rest.end())] if rest is not None else []
        told = [one for one in read if one is not None and self._falling(panel, one[0])]
        if len(told) != 1:
            return False
        self._parts(panel, told[0], start, {})
        return True

    def _wrong_way_round(self, panel: Panel, end: int, start: int, at: int) -> None:
        """Numbers of which the first ought to be the larger, and is not: none of them is taken."""
        self.words.clear()
        said, self.at = self.text[at:end], end
        for test in panel.parts:
            lab = self.scan.lab(test)
            self._add(test, lab.name if lab is not None else test, start, fault="value", said=said)

    def _pair(self) -> bool:
        """A panel that needs no name, where each number is plausible: "148/88", "7.2>12.3/36.9<210"."""
        row = self._row_at(self.at, named=False)
        if row is None or (self.words and len(row[0].parts) <= _OF_A_PAIR):
            return False
        if self._day_at(self.at) is not None and not row[0].falls:
            return False
        panel, read, start = row
        self._flush()
        self._parts(panel, read, start, {})
        return True

    def _falling(self, panel: Panel, values: list[Any]) -> bool:
        """Whether each is plausible, and smaller than the one before it where that is so of the panel."""
        return (not panel.falls or all(a > b for a, b in pairwise(values))) and self._plausible(panel, values)

    def _plausible(self, panel: Panel, values: list[Any]) -> bool:
        for part, value in zip(panel.parts, values, strict=True):
            lab = self.scan.lab(part)
            low, high = (lab.plausible_low, lab.plausible_high) if lab is not None else (None, None)
            if (low is not None and value < low) or (high is not None and value > high):
                return False
        return True

    def _parts(self, panel: Panel, read: tuple[list[Any], int], start: int, seen: dict[str, Any]) -> None:
        self.words.clear()
        self.panel = panel
        self.at = read[1]
        for test, value in zip(panel.parts, read[0], strict=True):
            lab = self.scan.lab(test)
            self._add(test, lab.name if lab is not None else test, start, value=value, **seen)
        self._tail(len(panel.parts))

    def _pair_again(self) -> bool:
        """A further pair, or row of the panel told last: "H/H 11.2/33 > 9.6/29", "148/88, now 98/60"; the last one counts."""
        if not self.results or self.words or self.results[-1].fault or not _BETWEEN_PARTS.search(self.text, self.at):
            return False
        mark = _BETWEEN_PAIRS.match(self.text, self.at)
        here = mark.end() if mark is not None else self.at
        word = self._later_at(here)
        row = self._row_at(self._spaces(word.end), named=False) if word is not None else self._further_row(here) if mark else None
        if row is None:
            return False
        panel, read, start = row
        self._all_earlier(self.results[-1])
        self._parts(panel, read, start, {})
        return True

    def _later_at(self, at: int) -> Found | None:
        """A word behind which a later result stands: "now", or "to" behind an older one."""
        last = self.results[-1]
        reaches = last.earlier or last.on not in (None, self.today)
        return self.around.later.at(self.text, at) or (self.around.reaching.at(self.text, at) if reaches else None)

    def _row_at(self, at: int, *, named: bool) -> _Row | None:
        """The numbers of a panel that stand at a place: of the one told last, or of one that needs no name."""
        panels = (self.panel,) if named else self.scan.unnamed
        for panel in panels:
            read = self.scan.parts(self.text, at, panel, named=named) if panel is not None else None
            if panel is not None and read is not None and self._falling(panel, read[0]):
                return panel, read, at
        return None

    def _further_row(self, at: int) -> _Row | None:
        """A row right behind one of the same panel; none that is a day ("11/26"), or that one stands behind, which is older."""
        panel = self.panel
        told = self.results[-len(panel.parts) :] if panel is not None else []
        if panel is None or [r.test for r in told] != list(panel.parts) or any(r.fault for r in told):
            return None
        row = self._row_at(at, named=True)
        days = (self._day_at(one) for one in (at, self._spaces(row[1][1]))) if row is not None else ()
        return row if not any(day is not None and day[0] is not None for day in days) else None

    def _again(self) -> bool:
        """A further result of the test that was told last: "-> 6.8", "was 9.1", "; rpt 1.9"."""
        if not self.results or self.words or self.results[-1].fault:
            return False
        last, later = self.results[-1], self._later_at(self.at)
        before = self.around.earlier.at(self.text, self.at) if later is None else None
        mark = later or before
        if mark is None:
            return self._series(last)
        lab = self.scan.lab(last.test)
        at, seen = self._before(mark.end, lab)
        value = self.scan.value(self.text, at, lab)
        if value is None or isinstance(value.value, str):
            return False
        self.at, start = value.end, self.at
        if later is not None and self.around.is_spoilt(self.text[last.start : start]):
            self._take_back([last])
        elif later is not None:
            self.results[-1] = replace(last, earlier=True)
        self._add(last.test, last.name, start, value=value.value, sign=value.sign, **{**seen, "earlier": before is not None})
        self._tail(1)
        return True

    def _put_right(self) -> bool:
        """A result in the place of the one before it, "6.1, no wait, 4.1"; or a number that it was not, "4.1, not 6.1"."""
        if not self.results or self.words:
            return False
        last = self.results[-1]
        if (found := self.around.not_that.at(self.text, self._spaces_only(self._past_comma()))) is not None:
            return self._not_that(found.end, last)
        end = self.around.put_right(self.text, self.at)
        if end is None:
            return False
        named = self._test_at(end)
        panel = self.scan.panel(self.text, end)
        if named is not None and named[0] == last.test:
            end = named[1]
        elif panel is not None and last.test in panel[0].parts:
            end = panel[1]
        return self._instead(last, end)

    def _past_comma(self) -> int:
        at = self._spaces_only(self.at)
        return at + (self.text[at : at + 1] == ",")

    def _not_that(self, at: int, last: ToldResult) -> bool:
        """A number behind a result that it was not."""
        here = self._spaces_only(at)
        value = self.scan.value(self.text, here, self.scan.lab(last.test))
        if value is None or isinstance(value.value, str) or last.fault:
            return False
        self.taken_back.append(self.text[here : value.end])
        self.at = value.end
        return True

    def _instead(self, last: ToldResult, at: int) -> bool:
        """A number, or a pair of them, in the place of the last result; the unit told before stays, if none is told now."""
        same = [r for r in self.results if r.start == last.start and r.test] or [last]
        if self._pair_at(self._spaces(at)):
            self._take_back(same)
            self.at = self._spaces(at)
            return self._pair()
        lab = self.scan.lab(last.test)
        here, seen = self._before(at, lab)
        value = self.scan.value(self.text, here, lab)
        plain = value is not None and (not isinstance(value.value, str) or "-" in value.value)
        if value is None or not plain or self.around.time(self.text, here) or self._day_at(here):
            return False
        self._take_back([last])
        start, self.at = self.at, value.end
        self._add(
            last.test, last.name, start, value=value.value, sign=value.sign, **{"on": last.on, **seen, "earlier": last.earlier}
        )
        self._tail(1)
        if self.results[-1].unit is None and last.unit is not None:
            self.results[-1] = replace(self.results[-1], unit=last.unit)
        return True

    def _take_back(self, results: Sequence[ToldResult]) -> None:
        self.taken_back += [r.said or self.text[r.start : r.end].strip() for r in results[:1]]
        self.results = [r for r in self.results if r not in results]

    def _all_earlier(self, last: ToldResult) -> None:
        """A pair that is told once more: the one before it is an earlier one."""
        self.results = [replace(r, earlier=True) if r.start == last.start else r for r in self.results]

    def _series(self, last: ToldResult) -> bool:
        """One more of the same test in a row of days: ", 11/8 3.4", ", 5.8 11/3" or ", 165 lb last week"."""
        dated = last.earlier or (last.on is not None and last.on != self.day)
        if not _BEFORE_ONE_MORE.search(self.text, 0, self.at):
            return False
        lab = self.scan.lab(last.test)
        begins = self._past_a_word_before_a_day()
        told = self._day_at(begins)
        value = self.scan.value(self.text, self._spaces(told[1]) if told is not None else self.at, lab)
        if value is None or isinstance(value.value, str):
            return False
        unit = self.scan.unit(self.text, value.end, lab)
        ends = unit[1] if unit is not None else value.end
        behind = told or self._day_behind(self._opened(self._spaces(ends)))
        newer = behind is not None and told is None and behind[0] == self.today and self._may_follow(last, value.value)
        if behind is None and dated and self._ends_a_series(last, value, ends):
            behind = self.today, ends
        if behind is None or behind[0] is None:
            return False
        if newer and not dated:
            self.results[-1] = replace(last, earlier=True)  # "3.1 on arrival, 1.6 now"
        elif not dated and (told is not None or unit is not None or not self._is_older(last, value.value, behind[0])):
            return False
        start, self.at = self.at, value.end
        if last.on == behind[0] and not any(r.test == last.test and r.on and r.on > behind[0] for r in self.results):
            self.results[-1] = replace(last, earlier=True)  # "1.1 yesterday, 1.6 this am, 2.1 tonight"
        self._add(last.test, last.name, start, value=value.value, sign=value.sign, on=behind[0], earlier=False)
        self._tail(1)
        self._in_the_same_unit(last)
        self.at = max(self.at, behind[1]) if told is None else self.at
        return True

    def _in_the_same_unit(self, before: ToldResult) -> None:
        """Of a row the unit is told once, "81 kg Monday, 83 Wednesday", as long as the numbers stay near."""
        last = self.results[-1]
        if last.unit is not None or not isinstance(last.value, Decimal) or not isinstance(before.value, Decimal):
            return
        if max(last.value, before.value) < _ANOTHER_UNIT * min(last.value, before.value):
            self.results[-1] = replace(last, unit=before.unit)

    def _day_behind(self, here: int) -> tuple[date | None, int] | None:
        """The day behind a number, small words before it passed over; or a word that says that it is of now: "1.4 now"."""
        if (day := self._day_at(here)) is not None:
            return day
        lead = self.around.fillers.at(self.text, here)
        if lead is not None and (day := self._day_at(self._spaces(lead.end))) is not None:
            return day
        now = self.around.later.at(self.text, here)
        return (self.today, now.end) if now is not None and self._is_of_the_number_before(now.end) else None

    def _is_of_the_number_before(self, end: int) -> bool:
        """Whether a word that says "now" belongs to the number before it: no number and no name of a test follows."""
        here = self._spaces_only(end)
        follows = NUMBER.match(self.text, here) is not None or self._test_at(here) is not None
        return self._stops(end) or (not follows and self.around.signs.at(self.text, here) is None)

    def _ends_a_series(self, last: ToldResult, value: Value, end: int) -> bool:
        """Whether a number without a day closes a row of two dated ones or more: "1.1 (9/1), 1.4 (10/2), 2.0" ends today."""
        of_it = [r for r in self.results if r.test == last.test and r.on is not None and not r.fault]
        lab, one = self.scan.lab(last.test), value.value
        if lab is None or isinstance(one, str) or not isinstance(last.value, Decimal) or len({r.on for r in of_it}) < _OF_A_ROW:
            return False
        near = max(one, last.value) <= _ONE_WAY * min(one, last.value)
        return near and plausible(one, lab) and not self.text[self._spaces_only(end) :].strip(" .;,!?)")

    def _may_follow(self, last: ToldResult, value: Decimal) -> bool:
        """Whether a number may be a later one of a test that was told without a day."""
        lab = self.scan.lab(last.test)
        near = isinstance(last.value, Decimal) and max(value, last.value) <= _ONE_WAY * min(value, last.value)
        return last.on is None and last.unit is None and near and lab is not None and plausible(value, lab)

    def _is_older(self, last: ToldResult, value: Decimal, day: date) -> bool:
        """Whether a number with a day behind it is an older one of a test told without a day: "eGFR 38 now, 52 a year ago"."""
        lab = self.scan.lab(last.test)
        near = isinstance(last.value, Decimal) and max(value, last.value) <= _ONE_WAY * min(value, last.value)
        return day < self.today and last.on is None and near and lab is not None and plausible(value, lab)

    def _past_a_word_before_a_day(self) -> int:
        """Past a word on how a sample was taken, where a day follows it: "drawn yesterday 1.4"."""
        word = self.around.context.at(self.text, self.at)
        here = self._spaces_only(word.end) if word is not None else self.at
        return here if here > self.at and self._day_at(here) is not None else self.at

    def _opened(self, at: int) -> int:
        """Past an opening bracket, if one stands here."""
        return at + (self.text[at : at + 1] in ("(", "["))

    def _stray(self) -> bool:
        """A number, with its unit, that belongs to no name."""
        value = self.scan.value(self.text, self.at, None)
        if value is None or isinstance(value.value, str):
            return False
        unit = self.scan.unit(self.text, value.end, None)
        self.words.append((self.at, unit[1] if unit is not None else value.end))
        self.at = self.words[-1][1]
        return True

    def _nameless(self) -> bool:
        """A value after words that are no test of ours, or after none."""
        value = self._value_here()
        if value is None:
            return False
        name, start = self._words().strip(" :="), self.words[0][0] if self.words else self.at
        if not name and (self.results or isinstance(value.value, str)):
            return False
        if value.value in _MARKS and self._test_at(self._spaces_only(value.end)) is not None:
            return False  # "could the low sodium be from Lexapro"
        self.words.clear()
        self.at = value.end
        test, name = self._of_a_strip("", name, value) if name else ("", name)
        self._add(
            test,
            name if test else f"{self.specimen} {name}".strip(),
            start,
            value=value.value,
            sign=value.sign,
            fault="" if name else "name",
        )
        self._tail(1)
        return True

    def _unit_alone(self) -> bool:
        """A unit by itself behind the only result, of which none was told: "6.2. That's from Germany in mmol i think"."""
        last = self.results[-1] if self.results else None
        lab = self.scan.lab(last.test) if last is not None else None
        if last is None or lab is None or last.unit is not None or not isinstance(last.value, Decimal) or not lab.other_units:
            return False
        unit = self.scan.unit(self.text, self.at, lab) if self.text[self.at].isalpha() else None
        asked = self.around.asks_for_a_unit(self.text, self.at)
        of_it = {lab.unit, *(other.unit for other in lab.other_units)}
        if unit is None or unit[0] not in of_it or len(unit[0]) < _A_UNIT or asked or any(r is not last for r in self.results):
            return False
        self.results[-1] = replace(last, unit=unit[0])
        self.at = unit[1]
        return True

    def _number_first(self) -> bool:
        """A number right before the name of its test, which has no other: "40% neutrophils", and by themselves "190 systolic"."""
        value = self.scan.value(self.text, self.at, None) if self.text[self.at].isdigit() and not self.words else None
        if value is None or not isinstance(value.value, Decimal):
            return False
        unit = self.scan.unit(self.text, value.end, None)
        begins = self._spaces_only(unit[1] if unit is not None else value.end)
        named = self._test_at(begins)
        lab = self.scan.lab(named[0]) if named is not None else None
        if named is None or lab is None or self._value_behind(named[1], lab):
            return False
        if unit is None and not self._stand_by_themselves(value.value, lab, named[1]):
            return False
        start, self.at = self.at, named[1]
        told = {"unit": unit[0]} if unit is not None else {}
        self._add(lab.id, self.text[begins : named[1]], start, value=value.value, sign=value.sign, **told)
        self._tail(1)
        return True

    def _stand_by_themselves(self, value: Decimal, lab: Lab, end: int) -> bool:
        """Whether a number and the test behind it fill what lies between two stops, and the test is told without a unit."""
        before = self.text[: self.at].rstrip()
        return (
            lab.unit_goes_unsaid
            and plausible(value, lab)
            and (not before or before[-1] in ".,;?!/")
            and _ENDS_THERE.match(self.text, end) is not None
        )

    def _value_here(self) -> Value | None:
        found = self.scan.value(self.text, self.at, None)
        return None if found is not None and isinstance(found.value, str) and not self.words else found

    def _add(self, test: str, name: str, start: int, **told: Any) -> None:
        test = self.scan.meant(name, test, told.get("value"))
        told.setdefault("earlier", self.earlier)
        told.setdefault("on", self.day)
        self.earlier = False
        if self.once_more:
            self.results = [replace(r, earlier=True) if r.test == test and test else r for r in self.results]
        self.once_more = False
        told |= self._as_heard(test, start, told.get("value"))
        self.results.append(ToldResult(test, name.strip(), start=start, end=self.at, **told))

    def _as_heard(self, test: str, start: int, value: object) -> dict[str, Any]:
        """The words in which a value was told; with a fault where they may as well say an ordinary value of the test."""
        inside = [h for h in self.heard if start <= h.start and h.end <= self.at]
        heard = [h for h in inside if h.value == value] or (inside if isinstance(value, str) else [])
        if not heard:
            return {}
        said = " ".join(h.words for h in heard)
        doubtful = any(h.short and self._may_be_a_hundredth(test, h.value) for h in heard)
        return {"value": None, "sign": "", "fault": "value", "said": said} if doubtful else {"heard": said}

    def _may_be_a_hundredth(self, test: str, value: Decimal) -> bool:
        """Whether "one fifty" of a test is more likely 1.50: that is an ordinary value of it, and 150 is none."""
        lab = self.scan.lab(test)
        rows = [r for r in lab.ranges if r.kind in ("reference", "therapeutic")] if lab is not None else []

        def ordinary(number_: Decimal) -> bool:
            return any((r.low is None or r.low <= number_) and (r.high is None or number_ <= r.high) for r in rows)

        return lab is not None and plausible(value / 100, lab) and ordinary(value / 100) and not ordinary(value)

    # -------------------------------------------------------------- between a name and its value

    def _before(self, at: int, lab: Lab | None) -> tuple[int, dict[str, Any]]:
        """Where the value begins, and what is told between the name and it: a day, or that it is an earlier one."""
        seen: dict[str, Any] = {}
        while at < len(self.text):
            end = self._skipped(at, lab, seen)
            if end is None:
                break
            at = end
        return at, seen

    def _skipped(self, at: int, lab: Lab | None, seen: dict[str, Any]) -> int | None:
        """Where what stands here, and is neither a value nor a name, ends."""
        text = self.text
        if found := _BETWEEN.match(text, at):
            return found.end()
        if (led := self._led_before(at, lab, seen)) is not None:
            return led
        if (moved := self.around.moved.at(text, at)) is not None and (moved.meaning == "by" or (lab and lab.measures)):
            return None  # "weight up 5 lbs" is no weight
        taken = self.around.context.at(text, at)
        if (day := self._day_at(at)) is not None and (taken is None or taken.end <= day[1]):
            return self._day_before(day, at, seen)
        if found := _BRACKET.match(text, at):
            return self._bracket_before(found, lab, seen) if self.scan.value(text, at, lab) is None else None
        if (end := self._unit_before(at, lab, seen)) is not None:
            return end
        if self._test_at(at) is not None:
            return None
        if (marked := self.around.values.at(text, at)) is not None:
            stop = marked.end + (text[marked.end : marked.end + 1] == ",")  # "a bit low, 3.1"
            return stop if marked.meaning in _MARKS and self._number_behind(stop, lab) else None
        earlier = self.around.earlier.at(text, at)
        if earlier is not None and taken is not None and taken.end > earlier.end:  # "trough before the 4th dose 18"
            return taken.end
        if earlier is not None:
            if self.around.begins.at(text, at) is None or any(r.test == lab.id for r in self.results if lab is not None):
                seen["earlier"] = True  # "my potassium was 6.8" is no older one
            return earlier.end
        return self._time_before(at, lab) or self._words_before(at, lab)

    def _led_before(self, at: int, lab: Lab | None, seen: dict[str, Any]) -> int | None:
        """What leads on to a number: in how many samples, an hour, since when, whose it is, or that it moved by half."""
        text, around = self.text, self.around
        found = (
            around.out_of(text, at)
            or self._hour_before(at, lab, seen)
            or self._since_before(at, lab)
            or self._asked_before(at, lab)
        )
        if found is None and lab is not None and lab.expected is not None and lab.unitless:
            found = around.colonies(text, at)
        if found is None and (place := around.place(text, at)) is not None:
            leads_on = self._pair_at(self._spaces(place)) or (lab is not None and self._number_behind(place, lab))
            found = place if leads_on else None
        filler, moved = around.fillers.at(text, at), around.moved.at(text, at)
        if found is None and filler is not None and moved is not None and filler.end > moved.end:  # "down by half"
            return filler.end
        return found

    def _since_before(self, at: int, lab: Lab | None) -> int | None:
        """Since when a test has moved, or only a comma, before the number that it was and the one that it is."""
        found = self.around.since_when(self.text, at) if lab is not None else None
        row = _BECAME.match(self.text, found) if found is not None else None
        if lab is None or found is None or row is None:
            return None
        is_span = self.text[at] in " ,:" and _ARROW.search(row[0]) is None and self._moved_of(lab.id, found) is None
        return None if is_span else found

    def _asked_before(self, at: int, lab: Lab | None) -> int | None:
        """The mark of a question behind a name, where words lead on to its number: "does it lower sodium? hers is 131"."""
        mark = _ASKED.match(self.text, at)
        if mark is None:
            return None
        here = mark.end()
        if self._surely_of(here, lab):
            return here
        if not self.text[here : here + 1].isalpha() or not self.around.whose(self.text, here):
            return None
        return here if self._number_behind(here, lab) else None

    def _surely_of(self, at: int, lab: Lab | None) -> bool:
        """Whether a number here can only be a result: with a point or a unit, no age, "will it raise her WBC? 13.8"."""
        value = self.scan.value(self.text, at, lab) if self.text[at : at + 1].isdigit() else None
        if lab is None or value is None or not isinstance(value.value, Decimal) or not plausible(value.value, lab):
            return False
        return "." in self.text[at : value.end] or self.scan.unit(self.text, value.end, lab) is not None

    def _hour_before(self, at: int, lab: Lab | None, seen: dict[str, Any]) -> int | None:
        """An hour before the value, "at 7 this morning was 250": words follow it that lead to a number of the test."""
        hour = _AT_AN_HOUR.match(self.text, at)
        if hour is None:
            return None
        here = self._spaces_only(hour.end())
        day = self._day_at(here)
        words = self.around.earlier.at(self.text, here) or self.around.begins.at(self.text, here)
        end = day[1] if day is not None else words.end if words is not None else None
        if end is None or not (self._number_behind(end, lab) or self._pair_at(self._before(end, lab)[0])):
            return None
        if day is not None and day[0] is not None:
            seen["on"] = day[0]
        return end

    def _bracket_before(self, found: re.Match[str], lab: Lab | None, seen: dict[str, Any]) -> int | None:
        """A bracket before a value: a day, the unit, how it was taken, or the name of the test once more."""
        inside = (found[1] if found[1] is not None else found[2]).strip()
        told = self.around.day(inside, 0, self.today)
        if told is not None and told[0] is not None and told[1] == len(inside):
            seen["on"] = told[0]
            return found.end()
        of_blood = self.around.of_blood.at(inside, 0)
        if self.scan.same_test(inside, lab) or (of_blood is not None and of_blood.end == len(inside)):
            return found.end()
        known = self.around.context.at(inside, 0)
        unit = self.scan.unit(inside, 0, lab) if inside else None
        if unit is not None and unit[1] == len(inside):
            seen["unit"] = unit[0]
            return found.end()
        return found.end() if known is not None and known.end == len(inside) else None

    def _words_before(self, at: int, lab: Lab | None) -> int | None:
        """Words that say nothing of a result, or how it was taken; a comma before them, or before a number with its unit."""
        signed = self.around.signs.at(self.text, at) is not None and self.around.later.at(self.text, at) is None
        if signed and self.scan.value(self.text, at, lab) is not None:  # "sugar over 500"
            return None
        said = (self.around.fillers.at(self.text, at), self.around.context.at(self.text, at))
        words = max((w for w in said if w is not None), key=lambda w: w.end, default=None)  # "at" or "at the pharmacy"
        if words is None and self.text[at] == ",":  # "glucose, fasting: 126"
            words = self.around.context.at(self.text, self._spaces(at + 1)) or self._filler_before_a_number(at + 1, lab)
            here = self._spaces(at + 1)
            if words is None and (self._number_with_unit(here, lab) or self._number_with_day(here, lab)):
                return at + 1
        if words is None and (later := self.around.later.at(self.text, at)) is not None:  # "eGFR fell to 14"
            return later.end if self._number_behind(later.end, lab) else None
        return words.end if words is not None else None

    def _filler_before_a_number(self, at: int, lab: Lab | None) -> Found | None:
        """As in "sodium, serum 128"."""
        found = self.around.fillers.at(self.text, self._spaces(at))
        return found if found is not None and self.scan.value(self.text, self._spaces(found.end), lab) is not None else None

    def _unit_before(self, at: int, lab: Lab | None, seen: dict[str, Any]) -> int | None:
        """The unit of the test before its number: "platelets x10(3)/uL 88"."""
        may_be = lab is not None and "unit" not in seen and "/" in self.text[at:]
        unit = self.scan.unit(self.text, at, lab) if may_be else None
        if unit is None or "/" not in unit[0] or self.scan.value(self.text, self._spaces(unit[1]), lab) is None:
            return None
        seen["unit"] = unit[0]
        return unit[1]

    def _number_behind(self, at: int, lab: Lab | None) -> bool:
        """Whether a plain number of the test comes next: "potassium is low 3.1"."""
        value = self.scan.value(self.text, self._before(at, lab)[0], lab, spans=False)
        return value is not None and not isinstance(value.value, str)

    def _time_before(self, at: int, lab: Lab | None) -> int | None:
        """A length of time before the value, "lithium 12 h after the dose 2.6"; not of a test that is itself a time."""
        end = self.around.time(self.text, at)
        if lab is None or end is None or self.scan.is_time(lab):
            return None
        whole = any(c.isalpha() or c == ":" for c in self.text[at:end]) and self._number_behind(end, lab)
        return end if whole else None

    def _number_with_unit(self, at: int, lab: Lab | None) -> bool:
        value = self.scan.value(self.text, at, lab)
        return value is not None and lab is not None and self.scan.unit(self.text, value.end, lab) is not None

    def _number_with_day(self, at: int, lab: Lab | None) -> bool:
        """Whether a first number of the test stands here with its day behind it: "trending up, 1.1 Mon, 1.4 Wed"."""
        told = any(r.test == lab.id for r in self.results if lab is not None)
        value = self.scan.value(self.text, at, lab) if not told else None
        if value is None or lab is None or not isinstance(value.value, Decimal) or not plausible(value.value, lab):
            return False
        return self._day_behind(self._opened(self._spaces(value.end))) is not None

    def _day_before(self, day: tuple[date | None, int], at: int, seen: dict[str, Any]) -> int | None:
        """A day before a value; one after which no value comes stands where the value belongs."""
        here = self._spaces(day[1])
        if (words := self.around.earlier.at(self.text, here)) is not None:  # "this morning was 182/114"
            here = self._spaces(words.end)
        value = self.scan.value(self.text, here, None) or self._pair_at(here) or None
        if day[0] is None or (value is None and not self.text[day[1] :].lstrip().startswith((":", "-", "="))):
            return None
        seen["on"] = day[0]
        return here if words is not None and value is not None else day[1]

    def _spaces(self, at: int) -> int:
        while at < len(self.text) and self.text[at] in " :":
            at += 1
        return at

    # -------------------------------------------------------------- behind a value

    def _tail(self, count: int) -> None:
        """What stands behind a value: its unit, marks, ranges, days; of the last `count` results."""
        while self.at < len(self.text):
            start = self.at
            for step in (self._unit_behind, self._flag_behind, self._bracket_behind, self._when_behind, self._range_behind):
                if step(count):
                    break
            if self.at == start:
                return

    def _change(self, count: int, **told: Any) -> None:
        for n in range(len(self.results) - count, len(self.results)):
            fresh = {k: v for k, v in told.items() if not getattr(self.results[n], k) or k == "on"}
            self.results[n] = replace(self.results[n], end=self.at, **fresh)

    def _unit_behind(self, count: int) -> bool:
        last = self.results[-1]
        if last.unit is not None or (isinstance(last.value, str) and "-" not in last.value):
            return False
        found = self.scan.unit(self.text, self._doubted(self.at), self.scan.lab(last.test))
        if found is None:
            return False
        if (other := self._or_in(found[1], last)) is not None:
            self.at = other
            return True
        self.at = found[1]
        self._change(count, unit=found[0])
        return True

    def _doubted(self, at: int) -> int:
        """Past the mark of a question that stands by itself between a number and its unit: "0.06 ? ng/mL"."""
        found = _DOUBT.match(self.text, at)
        return found.end() if found else at

    def _or_in(self, at: int, last: ToldResult) -> int | None:
        """Where a second unit ends, behind "or": in which of the two it is, nobody knows."""
        joined = _OR.match(self.text, at)
        other = self.scan.unit(self.text, joined.end(), self.scan.lab(last.test)) if joined is not None else None
        return other[1] if other is not None else None

    def _flag_behind(self, count: int) -> bool:
        at = self._spaces_only(self.at)
        found = self.scan.flag(self.text, at)
        if found is None or (self.text[at].isalpha() and self._names_a_test(at, found[1])):
            return False
        if self._day_at(at) is not None or (self.around.fillers.at(self.text, at) or found)[1] > found[1]:
            return False  # "60 a year ago"
        self.at = found[1]
        self._change(count, flag=found[0])
        return True

    def _names_a_test(self, at: int, end: int) -> bool:
        """Whether what looks like a mark begins the next result."""
        named = self._test_at(at)
        if named is None or named[1] < end:
            return False
        return self.scan.value(self.text, self._before(named[1], None)[0], None) is not None

    def _spaces_only(self, at: int) -> int:
        while at < len(self.text) and self.text[at] == " ":
            at += 1
        return at

    def _when_behind(self, count: int) -> bool:
        """A day, a time, how it was taken, or so often."""
        at = self._spaces_only(self.at)
        leads = self.text[at : at + 1] in ("o", "@", "a") and self._day_at(at) is None  # "60 a year ago"
        lead = self.around.fillers.at(self.text, at) if leads else None
        within = _WITHIN.match(self.text, at)
        here = self._spaces_only(lead.end) if lead is not None else within.end() if within is not None else at
        if (day := self._day_at(here)) is not None and day[0] is not None:
            heads = self.day is not None and lead is None  # "11/3 Cr 1.2 11/5 Cr 2.4": the next one begins here
            if heads or self.text[day[1] : day[1] + 1] == ":" or self._pair_at(here):
                return False
            self.at = day[1]
            self._change(count, on=day[0])
            return True
        if (old := self.around.earlier.at(self.text, here)) is not None and self._stops(old.end):  # "0.2 at baseline, 2.4 today"
            self.at = old.end
            self._change(count, earlier=True)
            return True
        end = self.around.time(self.text, here) or self.scan.times(self.text, here)
        if end is None and not (self._names_a_test(at, at + 1) or self._names_a_test(here, here + 1)):
            context = self.around.context.at(self.text, here) if self.around.later.at(self.text, here) is None else None
            end = context.end + (self.text[context.end : context.end + 2] == ": ") if context is not None else None
        if end is None:
            return False
        self.at = end
        return True

    def _stops(self, at: int) -> bool:
        """Whether a comma, a stop or the end stands here."""
        return self.text[self._spaces_only(at) :][:1] in ("", ",", ";", ".")

    def _pair_at(self, at: int) -> bool:
        return self._row_at(at, named=False) is not None

    def _range_behind(self, count: int) -> bool:
        """A range after a word that says so ("ref 3.5-5", "goal 2-3"), also behind a comma."""
        at = self._spaces_only(self.at)
        if self.text[at : at + 1] == ",":
            at = self._spaces_only(at + 1)
        lead = self.around.references.at(self.text, at)
        here = at if lead is None else self._range_begins(lead.end)
        end = self.scan.range(self.text, here)
        if end is None or (lead is None and self.text[at : at + 1] not in "0123456789"):
            return False
        told = self.text[here:end]
        self.at = end
        unit = self.scan.unit(self.text, end, self.scan.lab(self.results[-1].test))
        if unit is not None:
            self.at = unit[1]
        self._change(count, **{"goal" if lead is not None and lead.meaning == "goal" else "range": told})
        return True

    def _range_begins(self, at: int) -> int:
        while at < len(self.text) and self.text[at] in " :=":
            at += 1
        return at

    def _bracket_behind(self, count: int) -> bool:
        """A bracket: a mark, a range, a day, how it was taken, the same in another unit, or an earlier result."""
        at = self._spaces_only(self.at)
        found = _BRACKET.match(self.text, at)
        if found is None:
            return False
        inside = (found[1] if found[1] is not None else found[2]).strip()
        last = self.results[-1]
        own = Line(self.scan, inside, (), self.today).read()
        if own.results and not own.left and all(r.test and not r.fault for r in own.results) and not inside[0].isdigit():
            self.at = found.end()
            self.results[len(self.results) - count : len(self.results) - count] = [
                replace(r, start=at, end=found.end()) for r in own.results
            ]
            return True
        inner = Line(self.scan, inside, (), self.today)
        inner.results = [replace(last, start=0, end=0)]
        inner.read_behind()
        first, *more = inner.results
        self.at = found.end()
        on = last.on or first.on  # "128 today (sertraline started 10/10)"
        self._change(count, unit=first.unit, flag=first.flag, range=first.range, goal=first.goal, on=on)
        self.results += [replace(r, start=at, end=found.end()) for r in more]
        self.left += inner.left
        if inner.later:
            self.results[-len(more) - 1] = replace(self.results[-len(more) - 1], earlier=True)
        return True

    # -------------------------------------------------------------- inside a bracket

    later = False
    """Whether a later result of the same test stands in a bracket."""

    def read_behind(self) -> None:
        """A bracket behind a result, which is the only one so far."""
        own = self.results[0]
        while self.at < len(self.text):
            start = self.at
            if self._series(self.results[-1]):
                continue
            self._tail(1)
            if self.at < len(self.text) and self._bare_range():
                continue
            if self.at < len(self.text) and self._older_first():
                continue
            if self.at < len(self.text) and not (self._gap() or self._again() or self._echo(own) or self._aside()):
                self._word()
            assert self.at > start
        self._flush()
        self.later = self.results[0].earlier and not own.earlier

    def _older_first(self) -> bool:
        """An older number of the same test with the word, or the day, that says so behind it: "(6.5 before azathioprine)"."""
        last = self.results[-1]
        value = self.scan.value(self.text, self.at, self.scan.lab(last.test))
        if value is None or isinstance(value.value, str):
            return False
        here = self._spaces_only(value.end)
        day, word = self._day_at(here), self.around.earlier.at(self.text, here)
        if word is None and (day is None or day[0] is None):
            return False
        start = self.at
        self.at = word.end if word is not None else day[1] if day is not None else value.end
        on = day[0] if day is not None and word is None else None
        self._add(last.test, last.name, start, value=value.value, sign=value.sign, on=on, earlier=on is None)
        return True

    def _bare_range(self) -> bool:
        end = self.scan.range(self.text, self.at)
        if end is None:
            return False
        told, self.at = self.text[self.at : end], end
        self._change(1, range=told)
        return True

    def _echo(self, own: ToldResult) -> bool:
        """The same once more in another unit: "101.2 F (38.4 C)"."""
        lab = self.scan.lab(own.test)
        value = self.scan.value(self.text, self.at, lab)
        unit = self.scan.unit(self.text, value.end, lab) if value is not None else None
        if unit is None or own.unit is None or unit[0] == own.unit:
            return False
        self.at = unit[1]
        return True
