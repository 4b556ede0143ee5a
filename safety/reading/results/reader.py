"""A line of results → what it tells: `ResultReader.line("K 5.9 (H), INR 2.3 on 11/2", day)`.

Read: names of tests with numbers, comparators, grades, words and titres; units; marks (H, L, crit, *); the laboratory's range
and a goal, kept as told; days, also "yesterday" and a month and day alone; earlier and later results of one test; pairs
("148/88"), slashed lists of tests ("AST/ALT 40/52") and panels; the specimen, which makes another test of the name.
What somebody puts right while speaking ("6.1, no wait, 4.1"; "4.1, not 6.1"), or measured again as the sample was no good,
does not count. A number that is plainly told in words counts, and is told as heard. Not read, and told so: a value in which
a letter, a second point or a decimal comma stands, a negative one, a day where a value belongs, and number words that may be
read in two ways. Nothing is guessed, and no unit is assumed here: see `unsaid`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache

from msgspec.structs import replace

from safety.knowledge.library import Lab, Library
from safety.model.quantity import number
from safety.reading.results.asked import AskedWhen, WhenAsked
from safety.reading.results.begun import Begun, BegunTold
from safety.reading.results.goals import Goals
from safety.reading.results.inquired import Inquiries, Inquiry
from safety.reading.results.line import Line
from safety.reading.results.numbered import Numbered
from safety.reading.results.patient_told import PatientsTold, PatientTold
from safety.reading.results.phrases import NUMBER, Around, Drawn
from safety.reading.results.rows import Rows
from safety.reading.results.scan import Scanner
from safety.reading.results.spelled import Spelled
from safety.reading.results.told import ToldLine
from safety.reading.results.unsaid import plausible, unsaid
from safety.reading.results.weekdays import Weekdays
from safety.reading.wording import any_of, cleaned
from safety.text import fold, lowered

_REMEMBERED = 4096
"""Of so many words is kept which test they name."""
_SPACES = re.compile(r"\s{2,}")
_A_WORD = re.compile(r"(?<![^\W_])[A-Za-z][^\s,;?]*")
_ASKED = re.compile(r"(\A\s*(?:\S+\s+){3,}\S*\w)\?+\s*\Z")
"""The mark of a question behind several words; "K 5.1?" doubts the number, "is it all right with a K of 5.1?" does not."""
_NUMBER_ASKED = re.compile(r"(?<=\d)\?(?=\s+(?P<word>[A-Za-z]))")
"""The mark of a question behind a number, and words behind it: "K 5.9? Is that high" tells the number and asks of it."""
_MARKED = re.compile(r"\(\s?([+-])\s?\)")
"""A plus or minus in brackets, read as "+ve" and "-ve"."""
_STROKES = re.compile(r"\d+(?:\.\d+)?(?:\s?\|\s?\d+(?:\.\d+)?){3,}")
"""The numbers of a panel with strokes between them, "138|4.2|101|24|18|1.1<98"."""
_QUOTED = re.compile(r"(?<![\w'’])['‘“\"](?=[A-Za-z]\S{0,9}\s)")
"""An opening quotation mark before a word."""
_FEET = re.compile(r"(?<![\w.])([3-7])\s?(?:['’]|ft\.?|feet)\s?(\d{1,2})(?:\s?(?:\"|''|”|in\b\.?|inches\b))?(?![\w/.])", re.I)
"""A height in feet and inches."""
_WITH = re.compile(r"(?<![\w/])w/(?!o\b)(?=\s?[A-Za-z])", re.I)
_PALPATED = re.compile(r"(?<![\d/])(\d{2,3})\s?/\s?(?:palpation|palpated|palp|doppler|dop|p)(?![\w/])", re.I)
"""A pressure of which only the first number can be felt."""
_DAY_BRACKETED = re.compile(r"(?<=\d)(\s?\(\s?\d{1,2}[/-]\d{1,2}(?:[/-](?:\d{4}|\d{2}))?\s?\))\s+(?=[<>]?\s?\d)")
"""A day in brackets between two numbers: the next one begins behind it."""
_NUMBER_BEFORE = re.compile(r"\d+(?:\.\d+)?\Z")
_MOST_BEFORE_A_YEAR = 100
_NO_WORD_BEHIND = re.compile(r"\s*(?:\Z|[;,!?)(]|\.(?:\s|\Z)|-\s)")
_LEADS = 60
"""Within so many letters before a number the name of its test is looked for."""
_DASHES = str.maketrans({"|": " ", "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "\n": ";", "\r": " "})


class ResultReader:
    """Reads lines of results with a library's names; immutable, may be shared.

    `tests`: the id of a test by its folded name; `firsts`: the first words of all of them, and of the names of panels.
    """

    def __init__(self, library: Library, tests: Mapping[str, str], firsts: Container[str]) -> None:
        in_capitals = frozenset(library.language.words("result-names-in-capitals"))

        @lru_cache(_REMEMBERED)
        def test_of(said: str) -> str | None:
            return tests.get(fold(said)) if said not in in_capitals else None

        labs: Callable[[str], Lab | None] = library.lab.get
        words = frozenset(word for name in tests for word in name.split())
        around, shared = Around(library.language), library.shared_test_names
        self._scanner = Scanner(test_of, labs, library.panels, library.units, around, shared, firsts, words)
        self._spelled = Spelled(library.language)
        self._when = WhenAsked(library.language, self._scanner)
        self._begun = BegunTold(library.language, around)
        self._inquiries = Inquiries(library.language, self._scanner)
        self._weekdays, self._rows = Weekdays(library.language), Rows(library.language, around)
        self._goals = Goals(library.language, self._scanner)
        self._numbered, self._patients = Numbered(library.language), PatientsTold(library.language)
        said = library.language
        behind = any_of(said.words("result-behind-a-short-is"))
        self._short_is = re.compile(rf"(?<=\w)['’]s(?=\s+(?:[<>]?\s?\d|{behind}(?!\w)))", re.I)
        times = any_of((*said.meaning("month-names"), *said.meaning("result-days"), *said.words("result-month-ends")))
        named = any_of(said.meaning("month-names"))
        self._month_bracketed = re.compile(
            rf"(?<=\d)\s?\(\s?({named}\.?(?:\s+(?:19|20)\d\d)?|(?:19|20)\d\d)\s?\)(?P<on>,?\s*(?=\d))?", re.I
        )
        again = rf"\d+(?:\.\d+)?\s+(?:in\s+)?{times}"
        self._month_between = re.compile(rf"(?<=\d)(\s+in\s+{named})\.?\s+(?=\d+\.\d|{again})", re.I)
        self._bracketed = re.compile(rf"(?<=\d)\s?\(\s?((?:in\s+)?{times}\.?(?:\s+(?:19|20)\d\d)?)\s?\)", re.I)
        self._asks_whether = re.compile(rf"(?<![\w-]){any_of(library.language.words('asks-whether-safe'))}(?![\w-])", re.I)
        self._in_full = {lowered(word): text for word, text in said.meaning("result-written-short").items()}
        self._short = re.compile(rf"(?<=\w\s){any_of(self._in_full)}\.?(?![\w-])", re.I)
        self._shown_by = {lowered(word): test for word, test in said.meaning("result-shows-the-test").items()}
        self._percent = re.compile(rf"(?<![\w./-])(?P<value>\d{{2,3}}\s?%)\s+(?P<by>{any_of(self._shown_by)})(?!\w)", re.I)
        self._of_unit = {lowered(word): test for word, test in said.meaning("result-unit-shows-the-test").items()}
        moved = any_of((*said.meaning("result-moved"), *said.words("result-went")))
        self._by_unit = re.compile(
            rf"(?P<moved>(?<!\w){moved}\s+(?:(?:about|another|by|over)\s+)?)?(?<![\w./-])(?P<value>\d{{2,3}}(?:\.\d)?)\s?(?P<by>{any_of(self._of_unit)})(?!\w)",
            re.I,
        )
        self._of_meal = {lowered(word): test for word, test in said.meaning("result-meal-shows-the-test").items()}
        self._by_meal = re.compile(
            rf"(?<![\w-])(?:\d{{1,2}}[\s-]?{any_of(said.words('time-units'))}\s+)?(?P<by>{any_of(self._of_meal)})"
            rf"(?P<between>(?:[\s:=~-]+{any_of(said.words('result-behind-a-meal'))}(?!\w))*[\s:=~-]+)"
            rf"(?=(?P<value>{NUMBER.pattern})(?P<behind>[^\n]*))",
            re.I,
        )
        levels = any_of(word for word, kind in said.meaning("result-levels").items() if kind != "level" and " " not in word)
        self._level_first = re.compile(rf"(?<![\w-])(?P<level>{levels})\s+(?P<of>[A-Za-z]{{3,}})(?=\s*[:=]?\s*\d)", re.I)
        well = any_of(said.words("said-how-bad"))
        self._whether_well = re.compile(rf"(?<!\w){well}(?:\s+\S+){{0,4}}\s*\?", re.I)
        self._off = re.compile(rf"(?<![\w-]){any_of(said.words('result-medicine-not-taken'))}\s+\Z", re.I)
        self._which = re.compile(rf"(?<!\w){any_of(said.words('result-which-test'))}(?!\w)", re.I)
        self._begins_a_medicine = re.compile(rf"(?<![\w-]){any_of(said.words('begins-a-medicine'))}(?![\w-])", re.I)
        self._turned = re.compile(
            rf"(?:{any_of(library.language.words('asks-whether-so'))})\s+(?P<number>{NUMBER.pattern}[^\s,;?]*)"
            rf"\s+(?P<said>(?:(?:{any_of(library.language.words('said-of-a-number'))})\s+)*)(?P<test>[^,;?]+?)"
            rf"(?:\s+{any_of(said.words('said-how-bad'))}(?:\s+[^,;?]*)?)?\s*(?:\?+(?P<rest>\s.*)?)?\Z",
            re.I | re.S,
        )

    def line(self, text: str, day: date) -> ToldLine:
        """Every result that a line tells, as of a day: "yesterday" is the day before, and "11/2" the last one there was.

        A result without a value that can be read has a `fault`; what names no test of ours has an empty `test`.
        """
        text = self._short.sub(lambda found: self._in_full[lowered(found[0].rstrip("."))], text)
        text = _STROKES.sub(lambda found: found[0].replace("|", "/"), text)
        text = self._percent.sub(self._named_by_what_follows, _QUOTED.sub("", text))
        text = _WITH.sub("with ", text)
        text = self._by_unit.sub(self._named_by_its_unit, text)
        text = self._by_meal.sub(self._named_by_a_meal, text)
        told = _FEET.sub(lambda found: f"{12 * int(found[1]) + int(found[2])} in", text.translate(_DASHES))
        told = self._month_bracketed.sub(self._in_a_month, told)
        told = _DAY_BRACKETED.sub(r"\1, ", told)
        told = self._month_between.sub(r"\1, ", told)
        told = self._bracketed.sub(r" \1", _PALPATED.sub(r"\1 ", told))
        told = _NUMBER_ASKED.sub(self._told_and_asked_of, _ASKED.sub(r"\1", told))
        plain = cleaned(_MARKED.sub(r" \1ve ", self._short_is.sub(" is", told)))
        plain = self._level_first.sub(self._level_behind, plain)
        plain, goals = self._goals.taken_out(plain)
        plain = self._weekdays.dated(self._in_order(self._numbered.in_order(plain, self._leads)), day, self._is_test)
        plain = self._rows.dated(plain, day, self._ends_of_test)
        plain = _SPACES.sub(" ", plain)
        told_line = Line(self._scanner, *self._spelled.line(plain, self._says_something), day).read()
        if not goals:
            return told_line
        return replace(told_line, results=tuple(self._goals.told_with(told_line.results, goals, self._scanner.unnamed)))

    def _in_a_month(self, found: re.Match[str]) -> str:
        """ "62 (Jan), 54 (June)" as "62 in Jan, 54 in June"; a year only behind a number with which it cannot be compared."""
        before = _NUMBER_BEFORE.search(found.string, 0, found.start())
        if found[1].isdigit() and (
            before is None or number(before[0]) is None or (number(before[0]) or 0) >= _MOST_BEFORE_A_YEAR
        ):
            return found[0]
        return f" in {found[1]}" + (", " if found["on"] is not None else "")

    def _told_and_asked_of(self, found: re.Match[str]) -> str:
        """Two marks, which end a number, in the place of one behind which no other result stands: "K 5.1? Na 138" doubts it."""
        return "?" if self._is_test(found.string, found.start("word"), True) else "??"

    def _named_by_what_follows(self, found: re.Match[str]) -> str:
        """ "96% RA" as "oxygen saturation 96% RA", where no name of a test leads to the number."""
        if self._leads(found.string, found.start()):
            return found[0]
        return f"{self._shown_by[lowered(found['by'])]} {found[0]}"

    def _named_by_its_unit(self, found: re.Match[str]) -> str:
        """ "168 pounds" as "body weight 168 pounds", where no name of a test leads to it, and nobody says that it is a change."""
        if len(found["by"]) == 1 and "." not in found["value"]:
            return found[0]  # "72 F" is a woman, "39.4 C" a temperature
        if found["moved"] or self._names_a_test_before(found.string, found.start("value")):
            return found[0]
        return f"{self._of_unit[lowered(found['by'])]} {found[0]}"

    def _named_by_a_meal(self, found: re.Match[str]) -> str:
        """ "Fasting 97", "2 hours after dinner I was 162" as glucose, where no test stands before it, and no unit behind."""
        named = self._scanner.test(self._of_meal[lowered(found["by"])], 0)
        lab = self._scanner.lab(named[0]) if named is not None else None
        value = number(found["value"])
        if lab is None or value is None or not unsaid(value, lab).readings:
            return found[0]
        if self._names_a_test_before(found.string, found.start()) or not self._ends_or_is_of(found["behind"], lab):
            return found[0]
        return f"{found['by']}{found['between']}{self._of_meal[lowered(found['by'])]} "

    def _ends_or_is_of(self, behind: str, lab: Lab) -> bool:
        """Whether what stands behind a number is a unit of a test, a stop, or a word that goes on to something else."""
        unit = self._scanner.unit(behind, 0, lab)
        if unit is not None:
            return self._scanner.is_unit_of(unit[0], lab)
        around, here = self._scanner.around, behind.lstrip()
        said = (around.context, around.fillers, around.begins, around.earlier, around.flags, around.values)
        return _NO_WORD_BEHIND.match(behind) is not None or any(words.at(here, 0) is not None for words in said)

    def _names_a_test_before(self, text: str, at: int) -> bool:
        """Whether the name of any test stands before a place."""
        words = (word.start() for word in _A_WORD.finditer(text, 0, at))
        return any(self._scanner.test(text[:at], start) is not None for start in words)

    def _level_behind(self, found: re.Match[str]) -> str:
        """ "Trough tobra 3.1" as "tobra trough 3.1", where that names a test."""
        turned = f"{found['of']} {found['level']}"
        return turned if self._ends_of_test(turned, 0) == len(turned) else found[0]

    def _ends_of_test(self, text: str, at: int) -> int | None:
        named = self._scanner.test(text, at)
        return named[1] if named is not None and named[0] else None

    def _in_order(self, text: str) -> str:
        """A question that tells the number before the test, "is 140 a high sodium?", as results are told: "sodium 140"."""
        found = self._turned.fullmatch(text.strip())
        named = self._scanner.test(found["test"], 0) if found is not None else None
        whole = found is not None and named is not None and named[1] == len(found["test"])
        return f"{found['test']} {found['number']}; {found['rest'] or ''}" if found is not None and whole else text

    def _leads(self, text: str, at: int) -> bool:
        """Whether the name of a test, and nothing behind it but small words, leads to a place."""
        around = self._scanner.around
        for word in list(_A_WORD.finditer(text, max(0, at - _LEADS), at))[::-1]:
            named = self._scanner.test(text[:at], word.start())
            here = named[1] if named is not None and named[0] else None
            while here is not None and here < at:
                found = around.fillers.at(text, here) or around.context.at(text, here) or around.earlier.at(text, here)
                here = here + 1 if text[here] in " :=-," else found.end if found is not None and found.end <= at else None
            if here is not None:
                return True
        return False

    def _is_test(self, text: str, at: int, with_a_value: bool) -> bool:
        """Whether a test is named at a place; `with_a_value`: only one behind which a number stands that can be its value."""
        named = self._scanner.test(text, at)
        lab = self._scanner.lab(named[0]) if named is not None else None
        if named is None or lab is None or not with_a_value:
            return named is not None
        value = self._scanner.value(text, named[1] + 1, lab)
        return value is not None and isinstance(value.value, Decimal) and plausible(value.value, lab)

    def _says_something(self, text: str, at: int) -> bool:
        around = self._scanner.around
        return around.values.at(text, at) is not None or around.context.at(text, at) is not None

    def asks_when(self, text: str, day: date) -> AskedWhen | None:
        """The tests of which it is asked when they are to be measured, as of a day; None where nothing of the kind is asked.

        Who tells when tests were last measured and no result of them asks that, too.
        """
        asked = self._when.read(text, day)
        if asked is not None or self._inquiries.is_question(text):
            return asked
        told = self._when.without_asking(text, day)
        of_it = self.line(text, day).results if told is not None else ()
        return None if any(r.test and not r.fault for r in of_it) else told

    def tests_named(self, text: str) -> tuple[str, ...]:
        """The tests that a text names, whether or not it tells a value of them."""
        return self._when.named(text)

    def speaks_of_measuring(self, text: str) -> bool:
        """Whether a text speaks of measuring or drawing anything, or of tests altogether."""
        return self._when.speaks_of_measuring(text)

    def inquiry(self, text: str) -> Inquiry | None:
        """What a text without a number asks of tests: what moves them, their range, their newest result, or all results."""
        plain = self._inquiries.without_counts(self._without_names(self._patients.read(text).rest))
        return None if self.tells_a_number(plain) else self._inquiries.read(text)

    def asks_of_a_medicine(self, text: str) -> bool:
        """Whether a text asks something, or whether a medicine may be given, by its words."""
        return self._inquiries.is_question(text) or self._asks_whether.search(text) is not None

    def begins_a_medicine(self, text: str) -> Sequence[re.Match[str]]:
        """The words of a text behind which a medicine stands that is to be begun."""
        return tuple(self._begins_a_medicine.finditer(text))

    def begun(self, text: str, today: date) -> Sequence[Begun]:
        """Since when something is taken, as a text tells it; in order."""
        return self._begun.read(text, today)

    def is_not_taken(self, text: str, name: str) -> bool:
        """Whether a medicine is named in a text only as one that is not taken now: "off warfarin x5d"."""
        places = list(re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.I))
        return bool(places) and all(self._off.search(text, 0, found.start()) is not None for found in places)

    def asks_which_test(self, text: str) -> bool:
        """Whether a text says that nobody knows of which test a result is."""
        return self._which.search(text) is not None

    def _without_names(self, text: str) -> str:
        """A text without the names of tests in which a number stands: "A1c", "vitamin B12", "free T4"."""
        kept, at = list[str](), 0
        for word in _A_WORD.finditer(text):
            named = self._scanner.test(text, word.start()) if word.start() >= at else None
            if named is not None and any(c.isdigit() for c in text[word.start() : named[1]]) and named[0]:
                kept.append(text[at : word.start()])
                at = named[1]
        return " ".join((*kept, text[at:]))

    def asks_whether_well(self, text: str) -> bool:
        """Whether a text asks whether a result is as it ought to be: "is this ok?"."""
        return self._whether_well.search(text) is not None

    def is_spoilt(self, text: str) -> bool:
        """Whether the words beside a result say that its sample was no good."""
        return self._scanner.around.is_spoilt(text)

    def tells_a_number(self, text: str) -> bool:
        """Whether a number stands in a text, in digits or plainly in words."""
        return any(c.isdigit() for c in text) or bool(self._spelled.line(text)[1])

    def patient(self, text: str) -> PatientTold:
        """What a text tells of the patient beside results."""
        return self._patients.read(text)

    def weeks_of_what(self, text: str) -> int | None:
        """So many weeks that may be of a pregnancy that is not named."""
        return self._patients.weeks_of_what(text)

    def drawn(self, text: str) -> Drawn:
        """When words say that a sample was drawn."""
        return self._scanner.around.drawn(text)

    def is_untimed(self, text: str) -> bool:
        """Whether words say that nobody knows when a sample was drawn."""
        return self._scanner.around.is_untimed(text)

    def is_fasting(self, text: str) -> bool | None:
        """Whether words say that a sample was drawn fasting, or that it was not; None where they say neither."""
        return self._scanner.around.is_fasting(text)
