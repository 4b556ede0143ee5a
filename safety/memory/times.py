"""When something was, as people say it: "3 days ago", "last month", "March 2026", "a while ago". Vague times stay intervals."""

from __future__ import annotations

import calendar
import re
from datetime import date, timedelta

from safety.knowledge.language import Language
from safety.memory.events import Time, on
from safety.reading.wording import any_of
from safety.text import lowered

_DAY = re.compile(r"(?P<y>\d{4})-(?P<m>\d\d)(?:-(?P<d>\d\d))?\Z")
_SLASHED = re.compile(r"(?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<y>\d{4})\Z")
_YEAR = re.compile(r"(?P<y>(?:19|20)\d\d)\Z")
_LENGTHS = {"day": 1, "week": 7, "month": 30, "year": 365}
_DECEMBER = 12
_LONGEST = 200

_LAST = re.compile(r"last\s")


class TimeReader:
    """Reads times by the words of one language; made once, never changed."""

    def __init__(self, language: Language) -> None:
        self._units = {w: u for w, u in language.meaning("time-units").items() if u in _LENGTHS and len(w) > 1}
        self._numbers = {w: int(n) for w, n in language.meaning("numbers").items() if n.isdecimal()}
        self._near = {w: int(n) for w, n in language.meaning("near-days-ago").items()}
        self._near |= {w: 0 for w, n in language.meaning("near-days").items() if n == "0"}
        self._vague = {w: _days(meaning) for w, meaning in language.meaning("vague-times").items() if "-" in meaning}
        self._periods = {w: p for w, p in language.meaning("vague-times").items() if "-" not in p}
        self._counts = {w: _days(meaning) for w, meaning in language.meaning("vague-amounts").items()}
        self._months = {w: int(n) for w, n in language.meaning("month-names").items()}
        self._weekdays = {w: n for n, words in enumerate(_in_order(language.meaning("weekdays"))) for w in words}
        number = rf"\d{{1,3}}|{any_of(self._numbers)}|{any_of(self._counts)}"
        self._ago = re.compile(
            rf"(?:{any_of(language.words('about-so-long'))}\s+)?(?P<n>{number})\s+(?P<u>{any_of(self._units)})\s+"
            rf"{any_of(language.words('ago'))}",
            re.I,
        )
        self._for = re.compile(
            rf"(?:{any_of(language.words('for-so-long'))})\s+(?P<n>{number})\s+(?P<u>{any_of(self._units)})", re.I
        )
        lead = any_of(language.words("before-a-time"))
        month = any_of(self._months)
        self._month = re.compile(
            rf"(?:(?P<d>\d\d?)\s+)?(?P<m>{month})\.?(?:\s+(?P<d2>\d\d?)(?:st|nd|rd|th)?)?(?:,?\s+(?P<y>\d{{4}}))?", re.I
        )
        self._lead = re.compile(rf"(?:{lead}\s+)+", re.I)
        phrases = any_of((*self._near, *self._vague, *self._periods))
        weekday = any_of(self._weekdays)
        self._anywhere = re.compile(
            rf"\b(?:{self._ago.pattern.replace('?P<n>', '').replace('?P<u>', '')}|"
            rf"{self._for.pattern.replace('?P<n>', '').replace('?P<u>', '')}|{phrases}|(?:{lead}\s+){weekday}|"
            rf"(?:{lead}\s+)(?:{month})\b(?:\s+\d\d?\b(?:st|nd|rd|th)?)?(?:,?\s+(?:19|20)\d\d)?|"
            rf"(?:{lead}\s+)(?:19|20)\d\d|\d{{4}}-\d\d(?:-\d\d)?)(?!\w)",
            re.I,
        )

    def read(self, text: str, told: date) -> Time | None:
        """The time that a text names and nothing else, for somebody who speaks on that day; None where it cannot be read."""
        text = " ".join(text[:_LONGEST].strip().rstrip(".,").split()).lower()
        bare = self._lead.sub("", text) if self._lead.match(text) else text
        for one in dict.fromkeys((text, bare)):
            found = self._written(one) or self._counted(one, told) or self._in_words(one, told)
            if found is not None:
                return _year_before(found, told) if _LAST.match(text) and self._month.fullmatch(one) else found
        return None

    def find(self, text: str, told: date) -> Time | None:
        """The first time that stands in a text; None where none does."""
        for found in self._anywhere.finditer(text):
            time = self.read(found[0], told)
            if time is not None:
                return time
        return None

    def _written(self, text: str) -> Time | None:
        year = _YEAR.match(text)
        found = _DAY.match(text) or _SLASHED.match(text)
        if found is None:
            return _whole(int(year["y"])) if year else None
        return _between(int(found["y"]), int(found["m"]), int(found["d"]) if found["d"] else None)

    def _counted(self, text: str, told: date) -> Time | None:
        found = self._ago.fullmatch(text)
        since = self._for.fullmatch(text) if found is None else None
        said = found or since
        if said is None:
            return None
        each = _LENGTHS[self._units[lowered(said["u"])]]
        few = self._counts.get(lowered(said["n"]))
        count = int(said["n"]) if said["n"].isdecimal() else self._numbers.get(lowered(said["n"]), 0)
        least, most = (few[0] * each, few[1] * each) if few else (count * each, count * each)
        slack = 0 if each == 1 else each // 2  # "two weeks ago" is no day
        return Time(_back(told, most + slack), _back(told, max(least - slack, 0)))

    def _in_words(self, text: str, told: date) -> Time | None:
        if text in self._near:
            return on(_back(told, self._near[text]))
        if text in self._vague:
            least, most = self._vague[text]
            return Time(_back(told, most), _back(told, least))
        if text in self._periods:
            return _period(self._periods[text], told)
        if text in self._weekdays:
            ago = (told.weekday() - self._weekdays[text]) % 7 or 7
            return on(_back(told, ago))
        return self._of_month(text, told)

    def _of_month(self, text: str, told: date) -> Time | None:
        found = self._month.fullmatch(text)
        if found is None:
            return None
        month, number = self._months[lowered(found["m"])], found["d"] or found["d2"]
        year = int(found["y"]) if found["y"] else told.year if month <= told.month else told.year - 1
        time = _between(year, month, int(number) if number else None)
        if time is not None and not found["y"] and time.first > told:
            time = _between(year - 1, month, int(number) if number else None)
        return Time(time.first, min(time.last, told)) if time is not None and time.first <= told else time


def _year_before(time: Time, told: date) -> Time:
    """A month that is called the last one of its name in that month itself: the one of a year ago."""
    now = time.first.year == told.year and time.first.month == time.last.month == told.month
    return _between(told.year - 1, told.month, None) or time if now else time


def _days(meaning: str) -> tuple[int, int]:
    least, _, most = meaning.partition("-")
    return int(least), int(most)


def _in_order(meanings: dict[str, str]) -> list[list[str]]:
    named: dict[str, list[str]] = {}
    for word, day in meanings.items():
        named.setdefault(day, []).append(word)
    return list(named.values())


def _back(told: date, days: int) -> date:
    return date.min if days >= told.toordinal() else told - timedelta(days)


def _whole(year: int) -> Time:
    return Time(date(year, 1, 1), date(year, _DECEMBER, 31))


def _between(year: int, month: int, day: int | None) -> Time | None:
    try:
        if day is not None:
            return on(date(year, month, day))
        return Time(date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1]))
    except ValueError:
        return None


def _period(name: str, told: date) -> Time:
    """The week, month or year before, or the one of now up to the day that is spoken on."""
    which, _, unit = name.partition(" ")
    before = which == "previous"
    if unit == "year":
        return _whole(told.year - 1) if before else Time(date(told.year, 1, 1), told)
    if unit == "month":
        first = told.replace(day=1)
        return Time((first - timedelta(1)).replace(day=1), first - timedelta(1)) if before else Time(first, told)
    monday = told - timedelta(told.weekday())
    return Time(monday - timedelta(7), monday - timedelta(1)) if before else Time(monday, told)
