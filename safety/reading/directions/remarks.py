"""What stands beside a medicine on a line without saying how it is taken: since when, by whom, how many, that it was stopped.

A remark is set aside only where every word of it is understood and nothing in it can be a dose; anything else stays in the
line, to be read as directions or told as unread.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property
from typing import Final, Literal

from msgspec import Struct

from safety.knowledge.language import Language
from safety.reading.directions.words import most_supplied
from safety.reading.wording import any_of
from safety.text import lowered

Status = Literal["taken", "held", "stopped", "unclear"]
_ROUNDS: Final = 5
_TWO: Final = 2
_MARK = r"(?:(?:^|[,;|(\[])\s*[-–—]*|\s[-–—]+)\s*"
_END = r"(?=\s*(?:$|[,;|)\]]|[.](?:\s|$)|\s[-–—]\s))"
_END_OR_WORD = r"(?=\s*(?:$|[,;|)\].]|[A-Za-z-]))"
_COUNT_AFTER: Final = 5
"""Up to so many, a number after `#` may be part of a name."""
_ARROW = re.compile(r"-+>|=+>|[→➔]")
_WORD = re.compile(r"[a-z#?']+|[0-9]+")
_LETTERS_AND_DIGITS = re.compile(r"[a-z0-9#?'+]+|[<>~=%/.:-]+")
_FIRST_WORD = re.compile(r"[\s*•-]*([A-Za-z]+)")
_SIGN = re.compile(r"[a-z]+|[^a-z0-9\s]")
_ENDS_IN_A_YEAR = re.compile(r"/(?:19|20)\d\d\)?\Z")
_LIKE_A_DATE = re.compile(r"\d[/-]\d|(?:19|20)\d\d")
_NUMBERS = re.compile(r"[<>~=:\s]*\d+(?:[./]\d+)*%?(?:\s*(?:-|to)\s*\d+(?:[./]\d+)*%?)?")
_YEAR = r"(?:19|20)\d\d"
_NUMERIC = (
    rf"\d{{1,2}}/\d{{1,2}}/(?:{_YEAR}|\d\d)|\d{{1,2}}/{_YEAR}|{_YEAR}(?:-\d\d(?:-\d\d)?)?|\d{{1,2}}-\d{{1,2}}-(?:{_YEAR}|\d\d)"
)
_CENTURY: Final = 2000
_MOST_DAYS: Final = 31
_COMPARED: Final = frozenset("<>≤≥")
_JOINING: Final = frozenset(("and", "or", "+"))
_ALL_WORDS: Final = re.compile(r"[^\W\d_]+|\d+")
_LASTS: Final = re.compile(r"(?:\bx\s?|\bfor\s+)\d+\s?(?:d|days?|w|wks?|weeks?|mo|months?|nights?|doses?)\W*\Z", re.I)
"""A course at the end of what was said: "x3d", "for 5 days"."""
_UNITS_OF_TIME: Final = {"day": 1, "week": 7, "month": 30, "year": 365}


_VALUED: Final = re.compile(r"[A-Za-z]\s*=?\s*\d+(?:\.\d+)?%?\s*\)?\Z")
"""A reason that ends with what was found, "d/t K 5.8"."""


class When(Struct, frozen=True):
    """A day as somebody wrote it, as far as it is told; or so many days `ago`."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    ago: int | None = None

    def latest(self, today: date) -> date | None:
        """The latest day that may be meant, today at most; None for one that is in no calendar."""
        try:
            if self.ago is not None:
                return today - timedelta(days=self.ago)
            month = self.month or 12
            year = self.year or (today.year if (month, self.day or 1) <= (today.month, today.day) else today.year - 1)
            return min(today, date(year, month, self.day or calendar.monthrange(year, month)[1]))
        except (ValueError, OverflowError):
            return None


class Noted(Struct, frozen=True):
    """A line without its remarks, and what they say.

    `status`: whether it is taken now, in the words `said`, and the day of it as written; `kept`: aims and results, adherence,
    amounts taken before, readings at which a dose is left out. `why`: for which reason it was stopped or is held.
    """

    text: str
    status: Status = "taken"
    said: str = ""
    when: When | None = None
    kept: tuple[str, ...] = ()
    why: str = ""


class _ByKind:
    """A pattern for each kind of remark, in the order in which they win; each is compiled at its first use."""

    def __init__(self, written: Mapping[str, str]) -> None:
        self._written = written
        self._made: dict[str, re.Pattern[str]] = {}

    def of(self, kinds: frozenset[str]) -> list[re.Pattern[str]]:
        """The patterns of some kinds."""
        return [self._made.get(kind) or self._compiled(kind) for kind in self._written if kind in kinds]

    def _compiled(self, kind: str) -> re.Pattern[str]:
        return self._made.setdefault(kind, re.compile(self._written[kind], re.I))


class _Patterns(Struct, frozen=True):
    """`strong` is sure wherever it stands, `weak` and `measured` between marks only; `first` before the name.

    `signs`: the kinds that a word or mark may belong to.
    """

    strong: _ByKind
    weak: _ByKind
    measured: _ByKind
    first: re.Pattern[str]
    last_day: re.Pattern[str]
    signs: dict[str, frozenset[str]]


class Remarks:
    """Sets the remarks of a line aside; immutable, made once for a language."""

    def __init__(self, language: Language) -> None:
        words = language.words
        self._months = language.read("months", lambda _, n: int(n), "a month under its number")
        self._time = language.meaning("time-units")
        self._status = language.meaning("not-taken-now")
        self._most_handed = most_supplied(language)["#"]
        self._conditions = frozenset(words("step-conditions"))
        self._measured = frozenset(w for phrase in words("monitored") for w in phrase.split())
        self._how_measured = frozenset(words("beside-what-is-measured"))
        self._measured_or_taken = frozenset(words("measured-or-taken"))
        self._weekdays = frozenset(language.meaning("weekdays"))
        self._then = frozenset(words("then"))
        self._ends = frozenset(words("ends-by-order"))
        self._levels = frozenset(words("levels"))
        self._leading = frozenset(w for name in ("as-needed", "held-below") for p in words(name) for w in p.split()) | {"for"}
        self._beside = frozenset(w for name in ("remark-events", "remark-people") for p in words(name) for w in p.split())
        lists = (
            "remark-events",
            "remark-people",
            "remark-from",
            "remark-supply",
            "remark-says-nothing",
            "taken-loosely",
            "monitored",
            "beside-what-is-measured",
            "measured-or-taken",
            "levels",
            "former-amounts",
            "held-below",
            "remark-last-taken",
            "changed-to",
            "changed-verbs",
            "sets-a-task",
            "tests-in-plans",
            "results-beside",
        )
        phrases = [*(p for name in lists for p in words(name)), *self._status]
        self._signs = frozenset(w for phrase in phrases for w in _WORD.findall(phrase.lower())[:1]) | {"no"}
        oral = (phrase for phrase, route in language.meaning("routes").items() if route == "oral")
        routes = [phrase.split() for phrase in (*oral, *words("as-needed"))]
        self._no_remarks = tuple(" ".join(phrase) for phrase in routes if len(phrase) == _TWO and phrase[0] in self._signs)
        self._headings = _firsts(words("headings-of-medicines"))
        self._language = language

    @cached_property
    def _dosed(self) -> re.Pattern[str]:
        """An amount that is taken: "1 tab", "20 mg"."""
        words = self._language
        pieces = any_of([*words.meaning("counted"), *words.words("strength-units"), *words.meaning("activity-units")])
        return re.compile(rf"\d\s*(?:{pieces})(?![\w])", re.I)

    @cached_property
    def _patterns(self) -> _Patterns:
        """What remarks look like; made when the first line has a sign of one."""
        return _patterns(self._language, self._status, self._months)

    def read(self, text: str) -> Noted:
        """The remarks of a line; the line as it is where there are none."""
        text = self._without_heading(text)
        if self._signs.isdisjoint(_WORD.findall(self._with_signs(text))) and not (
            _ARROW.search(text) or _ENDS_IN_A_YEAR.search(text)
        ):
            return Noted(text)
        noted = self._before_the_name(Noted(text))
        kinds = self._kinds(noted.text)
        for _ in range(_ROUNDS):
            after = self._without(noted, kinds)
            if after == noted:
                break
            noted = after
        return noted if noted.text else Noted(text)

    def _without_heading(self, text: str) -> str:
        """A line without what a list prints before each medicine that is taken, "CHANGE how you take", "New:"."""
        first = _FIRST_WORD.match(text)
        phrases = self._headings.get(lowered(first[1]), ()) if first is not None else ()
        for phrase in phrases:
            found = re.match(rf"[\s*•-]*{phrase}[\s:–-]*(?=[A-Za-z])", text, re.I)
            if found is not None:
                return text[found.end() :]
        return text

    def _before_the_name(self, noted: Noted) -> Noted:
        found = self._patterns.first.match(noted.text)
        if found is None:
            return noted
        rest = noted.text[found.end() :]
        sure = self._conditions.isdisjoint(_WORD.findall(rest.lower())) and _COMPARED.isdisjoint(rest)
        said = " ".join(found["said"].split())
        last = self._patterns.last_day.search(rest)
        if last is not None:
            rest = rest[: last.start()]
        return Noted(rest, self._meant(said) if sure else "unclear", said, self._when(last["when"]) if last is not None else None)

    def _with_signs(self, text: str) -> str:
        """A line in small letters without phrases of directions that begin as remarks do: "by mouth" is by nobody."""
        low = text.lower()
        for phrase in self._no_remarks:
            if phrase in low:
                low = low.replace(phrase, " ")
        return low

    def _kinds(self, text: str) -> frozenset[str]:
        """The kinds of remarks that the words and marks of a line may belong to: only these are looked for."""
        signs = self._patterns.signs
        found = [signs[word] for word in _SIGN.findall(self._with_signs(text)) if word in signs]
        dated = ("date", "dated") if _LIKE_A_DATE.search(text) else ()
        return frozenset().union(dated, *found)

    def _first_of(self, patterns: Sequence[re.Pattern[str]], text: str) -> re.Match[str] | None:
        """The first remark in a line that one of these patterns finds."""
        at = 0
        while True:
            each = [found for pattern in patterns if (found := pattern.search(text, at)) is not None]
            first = min(each, key=re.Match.start, default=None)
            if first is None or self._is_remark(first):
                return first
            at = first.end()

    def _without(self, noted: Noted, kinds: frozenset[str]) -> Noted:
        """Without one more remark of each kind."""
        text, kept = noted.text, noted.kept
        status, said, when, why = noted.status, noted.said, noted.when, noted.why
        for patterns in (self._patterns.strong, self._patterns.weak):
            found = self._first_of(patterns.of(kinds), text)
            if found is None:
                continue
            told = found.groupdict()
            words = told.get("status") or told.get("alone")
            if words:
                phrase = self._phrase(words)
                status, said, when = self._meant(phrase), phrase, self._when(told.get("when") or "") or when
                why = (told.get("why") or told.get("named") or why).strip()
                if _VALUED.search(words.removesuffix(told.get("when") or "")):
                    kept = (*kept, words.strip(" )"))  # what was found is told with it
            kept = (*kept, *(told[kind] for kind in ("loosely", "former", "held", "result") if told.get(kind)))
            text = _cut(text, found.start(), found.end())
        text, kept = self._without_what_is_measured(text, kept, kinds)
        return Noted(text, status, said, when, kept, why)

    def _without_what_is_measured(self, text: str, kept: tuple[str, ...], kinds: frozenset[str]) -> tuple[str, tuple[str, ...]]:
        """A line without an aim or a result between marks, and what is kept with that added."""
        found = next((pattern.search(text) for pattern in self._patterns.measured.of(kinds)), None)
        if found is None or found.start() == 0 or not self._only_measured(found["text"]):
            return text, kept
        return _cut(text, found.start(), found.end()), (*kept, found["text"].strip())

    def _is_remark(self, found: re.Match[str]) -> bool:
        """Whether it stands after something, unless it may come first; hands out no more than anybody does; and leaves another
        amount where it tells a former one."""
        told = found.groupdict()
        handed = told.get("handed")
        believed = not handed or Decimal(handed) <= self._most_handed
        if told.get("clause"):
            return found.start() > 0 and self._dosed.search(told["clause"]) is None
        if told.get("status") or told.get("alone"):
            return self._is_status(found, (told.get("status") or told.get("alone") or "").lower())
        if told.get("result"):
            return self._tells_when(found.string[: found.start()])
        if told.get("former"):
            return any(c.isdigit() for c in found.string[: found.start()] + found.string[found.end() :])  # beside today's
        return believed and (found.start() > 0 or found.lastgroup in ("by", "supply"))

    def _is_status(self, found: re.Match[str], said: str) -> bool:
        """Whether it says that a medicine was stopped, and not that it is to be: "… x 3 days, then d/c", "20 mg x3d, off"."""
        before = _ALL_WORDS.findall(found.string[: found.start()].lower())
        if not before:
            return True
        ordered = said.split()[0] in self._ends and _LASTS.search(found.string[: found.start()]) is not None
        return found.start() > 0 and before[-1] not in self._then and not ordered

    def _tells_when(self, before: str) -> bool:
        """Whether a reading tells how things are, and not for which one a dose is taken or held."""
        last = _WORD.findall(before.lower())[-1:]
        return bool(last) and last[0] not in self._conditions and last[0] not in self._leading

    def _phrase(self, words: str) -> str:
        """The phrase of the list that some words begin with."""
        low = " ".join(words.lower().split())
        return max((p for p in self._status if low.startswith(p)), key=len, default=low)

    def _meant(self, phrase: str) -> Status:
        kind = self._status.get(" ".join(phrase.lower().split()), "unclear").split()[0]
        return "held" if kind == "held" else "stopped" if kind == "stopped" else "unclear"

    def _only_measured(self, text: str) -> bool:
        """Whether nothing else is told than what is measured, its numbers and days: "weekly" alone is how often it is taken."""
        left = self._words_of(text.lower())
        left = left[1:] if left[1:] and left[1] in self._levels else left  # "dig level Monday"
        told = (self._measured | self._levels) - self._how_measured  # "last INR" is a phrase of the list
        if told.isdisjoint(left) and not self._rhythm_of_a_test(left):
            return False
        beside = self._how_measured | self._beside | self._measured_or_taken | self._weekdays | _JOINING
        return all(w in told or w in beside or w in self._months for w in left)

    def _words_of(self, text: str) -> list[str]:
        """The words of a clause without its numbers; "a1c" is one word, "q6mo" are two."""
        each = (
            [word] if word in self._measured else _WORD.findall(_NUMBERS.sub(" ", word))
            for word in _LETTERS_AND_DIGITS.findall(text)
        )
        return [w for words in each for w in words]

    def _rhythm_of_a_test(self, left: Sequence[str]) -> bool:
        """As in "potassium monthly", "K q3mo": nobody takes it so seldom; "potassium" alone may be another medicine."""
        return not self._measured_or_taken.isdisjoint(left) and not self._how_measured.isdisjoint(left)

    def _when(self, told: str) -> When | None:
        """A day as written; None where it is none."""
        low = told.lower()
        numbers = [int(n) for n in re.findall(r"\d+", low)]
        words = re.findall(r"[a-z]+", low)
        unit = next((_UNITS_OF_TIME.get(self._time[w], 0) for w in words if w in self._time), 1)
        month = next((self._months[w] for w in words if w in self._months), None)
        if month is not None:
            return _in_month(month, numbers)
        if words:
            return When(ago=numbers[0] * unit if numbers else int(words[0] != "this" and words != ["today"]))
        return _in_numbers(numbers) if numbers else None


def _firsts(phrases: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Phrases as they are looked for, by their first word, longest first."""
    found: dict[str, list[str]] = {}
    for phrase in sorted(phrases, key=len, reverse=True):
        bare = phrase.removesuffix(":")
        pattern = r"\s+".join(map(re.escape, bare.split())) + (r"\s*:" if bare != phrase else r"\b")
        found.setdefault(bare.split()[0], []).append(pattern)
    return {first: tuple(patterns) for first, patterns in found.items()}


def _in_month(month: int, numbers: list[int]) -> When:
    """As in "Oct 2023", "October 3", "Oct 3, 2023"."""
    years = [n for n in numbers if n > _MOST_DAYS]
    days = [n for n in numbers if n <= _MOST_DAYS]
    return When(years[0] if years else None, month, days[0] if days else None)


def _in_numbers(numbers: list[int]) -> When | None:
    """As in "2023", "3/2024", "10/3", "10/3/23", "2023-10-03"."""
    if numbers[0] > _MOST_DAYS:
        return When(*numbers[:3])
    if len(numbers) == 3:
        return When(numbers[2] + (_CENTURY if numbers[2] < 100 else 0), numbers[0], numbers[1])
    if len(numbers) < 2:
        return None
    return When(numbers[1], numbers[0]) if numbers[1] > _MOST_DAYS else When(None, numbers[0], numbers[1])


def _cut(text: str, start: int, end: int) -> str:
    """A text without a part, and without the brackets and marks that only held it."""
    left, right = text[:start].rstrip(" ,;|-–—"), text[end:].lstrip()
    if left.endswith(("(", "[")) and right.startswith((")", "]")):
        left, right = left[:-1].rstrip(), right[1:].lstrip()
    elif right.startswith((")", "]")) and left.count("(") + left.count("[") < (left + right).count(")") + (left + right).count(
        "]"
    ):
        right = right[1:].lstrip()
    return f"{left} {right}".strip(" ,;|") if right[:1] not in (",", ";", ".") else f"{left}{right}".strip(" ,;|")


def _patterns(language: Language, status: Mapping[str, str], months: Mapping[str, int]) -> _Patterns:
    """The patterns of one language's remarks: those that are sure anywhere, and those that are only between marks."""
    words = language.words
    month = any_of(months)
    time = any_of(language.meaning("time-units"))
    ago = rf"\d{{1,3}}\s*{time}\s+ago|(?:last|this)\s+{time}|yesterday|today"
    named = (
        rf"{month}\.?\s+(?:\d{{1,2}}(?:st|nd|rd|th)?,?\s+)?{_YEAR}|{month}\.?\s+\d{{1,2}}(?!\d)|{month}\.?(?=\s*(?:$|[,;)\]]))"
    )
    day = rf"(?:{_NUMERIC}|\d{{1,2}}/\d{{1,2}}|{named}|{ago})(?![\d/.]\d|\s*(?:mg|mcg|%))"
    sure = rf"(?:{_NUMERIC}|{named})"
    event, who = any_of(words("remark-events")), any_of(words("remark-people"))
    doctor = (
        r"(?:dr|doctor)\.?\s+[A-Za-z][\w'-]*(?:\s+(?-i:[A-Z][a-z]+)(?=\s*(?:$|[,;)\]])))?|(?:the\s+|her\s+|his\s+|my\s+)?" + who
    )
    by = rf"{any_of(words('remark-from'))}\s+(?:{doctor})(?:\s+(?:{who}|note|notes|report|recs?|instructions?|office|visit))*"
    handed = any_of([w for w in words("remark-supply") if w != "#"])
    pieces = (
        rf"(?:\s*{any_of([*language.meaning('counted'), 'ml', 'gm', 'tube', 'tubes', 'bottle', 'bottles', 'box', 'boxes'])}\b)?"
    )
    spelled = (
        rf"(?:\s*\(\s*(?:\d{{1,4}}|{any_of(language.meaning('numbers'))})(?:[\s-]{any_of(language.meaning('numbers'))})?\s*\))?"
    )
    supply = (
        rf"#\s*(?P<handed>\d{{2,4}}|[{_COUNT_AFTER + 1}-9])(?!\d){spelled}{pieces}(?:\s*,?\s*R\s?\d{{1,2}}\b)?"
        rf"|\b{handed}\s*[:.#x-]*\s*#?\s*\d{{1,4}}\b{spelled}{pieces}(?:\s*[,;/]?\s*R\s?[:#-]?\s?\d{{1,2}}\b)?"
        rf"|(?<![\d.])x?\s*\d{{1,2}}\s*{handed}\b(?:\(s\))?(?!\s*\d)|\b\d{{1,3}}\s*-?\s*(?:(?:days?|d|ds)\s*supply|ds\b)|\b(?:no|zero)\s+refills?"
        rf"|\b{any_of(words('before-a-label-number'))}\s*(?:no\.?|number)?\s*#\s*\d{{5,12}}\b"
    )

    def tail(reasons: Iterable[str], *, valued: bool = False) -> str:
        value = r"(?:(?<=\w)\s*=?\s*\d+(?:\.\d+)?%?(?!\w))?" if valued else ""  # "d/t K 5.8"
        why = (
            rf"\s*[,:(-]?\s*{any_of(reasons)}\s+(?P<why>[A-Za-z][A-Za-z' -]{{0,50}}{value})"
            r"|\s*[(:-]\s*(?P<named>[A-Za-z][A-Za-z' -]{1,50})"
        )
        return rf"(?:\s*(?:since|on|in|as of|approx|about|~)?\s*(?P<when>{day}))?(?:\s+{by})?(?:{why})?\s*\)?"

    later = {*words("before-or-after"), *words("step-conditions")}
    due = [word for word in words("because-of") if word not in later]  # "hold before surgery", "stop after 7 days" are orders
    plain = any_of([p for p, kind in status.items() if not kind.endswith("alone")])
    every = any_of(status)
    tested = any_of(words("tests-in-plans"))
    led = r"(?:(?:with|w/|plus|and)\s+)?(?:(?:repeat|serum|weekly|monthly)\s+)?"
    with_tests = rf"(?:{led}{tested}(?:\s*(?:,|/|&|\band\b)\s*{tested})*\s+)?"
    measured = [*words("monitored"), *words("beside-what-is-measured"), *words("measured-or-taken")]
    former, held, hour = _former(language), _held_at(language), _hour_of_one(language, day)
    strong = {
        "former": rf"(?P<former>{former})",
        "held": rf"(?P<held>{held}){_END}",
        "hour": rf"(?P<hour>\b{hour}){_END}",
        "clause": rf"(?P<clause>\b{with_tests}{any_of(words('sets-a-task'))}\b[^,;|()\[\]]*?){_END}",
        "result": rf"(?P<result>\b{_results(language, day)}){_END_OR_WORD}",
        "event": rf"(?P<event>\b{event}\s*:?\s*(?:on|in|at|about|~)?\s*{day})",
        "by": rf"(?P<by>\b{by}(?:\s+(?:on\s+)?{sure})?)\b",
        "supply": rf"(?P<supply>{supply})",
        "dated": rf"(?P<dated>(?<=[A-Za-z)]\s)(?:\d{{1,2}}/)?\d{{1,2}}/{_YEAR})(?=\s*\)?\s*\Z)",
        "status": rf"(?P<status>(?<![\w']){plain}(?![\w']){tail(words('because-of'), valued=True)}){_END}",
    }
    nothing = any_of(words("remark-says-nothing"))
    aged = rf"\d{{1,3}}\s?-?{any_of(words('remark-ages'))}"
    weak = {
        "date": rf"(?P<date>{sure})",
        "alone": rf"(?P<alone>(?<![\w']){every}(?![\w']){tail(due)})",
        "loosely": rf"(?P<loosely>{any_of(words('taken-loosely'))})",
        "nothing": rf"(?P<nothing>(?:{nothing}|{event}|{doctor}|{aged})(?:\s*(?:,|and)?\s*(?:{nothing}|{day}))*)",
    }
    apart = r"[\s,;|(\[–—-]*?(?:^|(?<=[\s,;|(\[–—.-]))"
    return _Patterns(
        strong=_ByKind({kind: rf"{apart}(?:{told})" for kind, told in strong.items()}),
        weak=_ByKind({kind: rf"(?P<mark>{_MARK})(?:{told}){_END}" for kind, told in weak.items()}),
        measured=_ByKind(
            {"measured": rf"{_MARK}(?P<text>(?:{any_of(measured)}|[A-Za-z]+\s+{any_of(words('levels'))})\b[^,;|()\[\]]*){_END}"}
        ),
        first=re.compile(rf"\W*(?P<said>{every})(?![\w'])\s*[:,)\]–—-]*\s*(?=[A-Za-z])", re.I),
        last_day=re.compile(rf"\s+(?P<when>{day})\s*\Z", re.I),
        signs=_signs(language, status, months),
    )


_SIGNS_OF: Final = {
    "former": ("former-amounts", "changed-to", "changed-verbs"),
    "held": ("held-below",),
    "hour": ("remark-last-taken",),
    "clause": ("sets-a-task",),
    "result": ("results-beside",),
    "event": ("remark-events",),
    "by": ("remark-from",),
    "supply": ("remark-supply",),
    "loosely": ("taken-loosely",),
    "nothing": ("remark-says-nothing", "remark-events", "remark-people", "remark-ages"),
    "measured": ("monitored", "beside-what-is-measured", "measured-or-taken", "levels"),
}
"""The lists of words of which one stands in every remark of a kind."""
_MORE_SIGNS: Final = {
    "former": ("-", "=", "→", "➔"),
    "supply": ("#", "supply", "ds", "dsupply", "daysupply", "dayssupply", "refill", "refills"),
    "nothing": ("dr", "doctor"),
}
"""Marks and words that stand in the patterns themselves."""


def _signs(language: Language, status: Mapping[str, str], months: Iterable[str]) -> dict[str, frozenset[str]]:
    """By a word or mark, the kinds of remarks in which it may stand; every remark holds a sign of its kind."""
    told = {kind: {p for name in names for p in language.words(name)} for kind, names in _SIGNS_OF.items()}
    told |= {"status": set(status), "alone": set(status), "date": set(months)}
    found: dict[str, set[str]] = {}
    for kind, phrases in told.items():
        begun = {sign for phrase in phrases for sign in _SIGN.findall(phrase.lower())[:1]}
        if kind == "supply":
            begun |= {f"{sign}x" for sign in begun}  # "dispx30"
        for sign in (*begun, *_MORE_SIGNS.get(kind, ())):
            found.setdefault(sign, set()).add(kind)
    return {sign: frozenset(kinds) for sign, kinds in found.items()}


def _former(language: Language) -> str:
    """An amount taken before: "was 10 mg" as all that a clause tells, "increased from 10 to" before the amount of today."""
    plain = (*language.words("strength-units"), *language.words("longer-units"))
    units = any_of([*plain, *language.meaning("counted"), *language.meaning("activity-units")])
    lists = [*language.meaning("times-a-day"), *language.words("daily"), *language.meaning("parts-of-the-day"), "weekly"]
    by_clock = r"q\s?\d+\s?h(?:ou)?rs?|q\s?\d+\s?h|\d\s?x\s?/?\s?(?:a\s+|per\s+)?day"
    often = rf"(?:{any_of([*lists, 'twice a day', 'once a day'])}|{by_clock})"
    one = rf"\d+(?:[.,]\d+)*(?:\s*-\s*\d+(?:\.\d+)?)?(?:\s*{units}(?![\w]))?"
    amount = rf"{one}(?:\s*(?:po|at|in\s+the|/))?(?:\s*{often}(?!\w))?"
    led = any_of(language.words("former-amounts"))
    since = rf"(?:\s+{any_of(language.words('former-since'))}\b[^,;|()\d]*)?"
    arrow = rf"(?:{_ARROW.pattern})"
    changed = rf"(?:{amount}\s*[,;(–—-]*\s*)?\(?{any_of(language.words('changed-to'))}\s+(?=\d)"
    verbs = rf"{any_of(language.words('changed-verbs'))}\s+{amount}\s+to\s+(?=\d)"
    moved = rf"{amount}\s*{arrow}\s*(?=\d[^>→➔]*$)(?!.*\b(?:after|in|x|for)\s*\d)"
    return rf"{led}\s+{amount}{since}\s*(?:(?:to|[,;]?\s*now|{arrow})\s*(?=\d)|{_END})|{changed}|{verbs}|{moved}"


def _results(language: Language, day: str) -> str:
    """How things are: "last INR 2.4", "A1c 8.1 (10/2)", "CrCl 28", "BP 130/80", "wt 80 kg", "goal INR 2-3"."""
    what = any_of(language.words("results-beside"))
    led = rf"(?:{any_of(language.words('leads-to-a-result'))}\s+)*"
    unit = r"(?:\s*(?:kg|lbs?|mg/dl|ml/min|%|mmol/l|meq/l|ng/ml))?"
    number = rf"[<>~=-]?\s*\d+(?:\.\d+)?(?:\s*[/-]\s*\d+(?:\.\d+)?)?(?![\w.]){unit}"
    no_dose = rf"(?!\s*(?:{any_of([*language.words('strength-units'), *language.meaning('counted')])})(?![\w/]))"
    return rf"{led}{what}\s*(?:is|was|of|:|=|~)?\s*{number}{no_dose}(?:\s*(?:on|in|at)?\s*\(?{day}\)?)?"


def _held_at(language: Language) -> str:
    """Readings at which one dose is left out: a measurement, which side of which number, and perhaps more of them."""
    side, of = any_of(language.words("side-of-a-reading")), any_of(language.words("readings-that-hold"))
    reading = rf"{of}\s*{side}\s*\d+(?:\.\d+)?(?![\d/])%?"
    ahead = r"(?:(?:before|prior\s+to)\s+[A-Za-z][A-Za-z ]{1,40}|pre-?\s?op\b)"
    before = rf"\d{{1,2}}\s*{any_of(language.meaning('time-units'))}\s+{ahead}"
    unwell = any_of(language.words("states-that-hold"))
    state = rf"{unwell}(?:\s*(?:[,;/]|or|and)\s*{unwell})*"
    return rf"{any_of(language.words('held-below'))}\s*(?:{reading}(?:(?:\s*(?:[,;/]|or|and)\s*|\s+){reading})*|{before}|{state})"


def _hour_of_one(language: Language, day: str) -> str:
    """When one dose was taken or is due, by the clock or by the part of a day."""
    clock = r"\d{1,2}(?::\d\d)?\s*[ap](?:\.?m\b\.?|\b)|\d{1,2}:\d\d|\d{4}(?=\s*(?:h|hrs|$|[),;]))"
    moment = rf"(?:{clock}|{any_of(language.meaning('parts-of-the-day'))})"
    when = rf"(?:{day}(?:\s*(?:at|in|@)?\s*{moment})?|(?:this|last|yesterday|today)\s+(?:at\s+|in\s+the\s+)?{moment}|{clock})"
    return rf"{any_of(language.words('remark-last-taken'))}\s*:?\s*(?:on|in|at|about|~|@|by|before|no\s+later\s+than)?\s*{when}"
