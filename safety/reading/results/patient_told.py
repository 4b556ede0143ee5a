"""Who a result is of, as the words beside it tell: "72F K 5.9", "Hgb 10 in my 2 year old", "34 weeks pregnant, platelets 90"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from msgspec import Struct

from safety.knowledge.language import Language
from safety.reading.wording import any_of
from safety.text import lowered

_STOPS = (".", "!", "?", ";")
_AGED = ("hour", "day", "week", "month", "year")
_WEEK, _HOUR, _HOURS_OF_A_DAY = "week", "hour", 24
_FIRST_WEEK, _LAST_WEEK = 4, 42


class PatientTold(Struct, frozen=True):
    """What words say of the patient, and the words without it. `age` as it is written ("72 y"); None: not told."""

    rest: str
    age: str | None = None
    sex: str | None = None
    pregnant: bool = False
    weeks: int | None = None

    @property
    def anything(self) -> bool:
        """Whether anything of the patient is told."""
        return self.age is not None or self.pregnant


class PatientsTold:
    """Reads it with the lists of one language; immutable, may be shared."""

    def __init__(self, language: Language) -> None:
        units = {word: unit for word, unit in language.meaning("time-units").items() if unit in _AGED}
        self._sexes = language.meaning("told-sexes")
        around, pregnant = language.meaning("around-an-age"), language.meaning("told-pregnant")
        sex = rf"(?:[\s,/-]*(?P<sex>{any_of(self._sexes)})(?![\w'’-]))?"
        ages: tuple[str, ...] = (
            rf"(?P<age>\d{{1,3}})[\s-]?(?P<unit>{any_of(units)})[\s-]?old\b{sex}",
            rf"(?P<age>\d{{1,3}})[\s-]?{any_of(language.words('told-ages'))}(?![\w.]){sex}",
            rf"(?<!\w){any_of(language.words('says-how-old'))}\s+(?P<age>\d{{1,3}})\s?(?:{any_of(language.words('told-ages'))})?"
            rf"{sex}(?=\s*(?:[,.;]|and\b|with\b|my\b|\Z))",
        )
        says = any_of(language.words("says-how-old"))
        child = any_of((*language.meaning("told-young"), *language.words("child-of-the-speaker")))
        is_now = any_of(language.words("is-so-old"))
        ages = (
            *ages,
            rf"(?<!\w){child}\s*,?\s*(?:{is_now}\s*)+(?P<age>\d{{1,3}})\s?(?P<unit>{any_of(units)})(?P<sex>)(?=\s*(?:[,.;?!]|and\b|with\b|\Z))",
        )
        wrap = (
            rf"(?:(?<!\w)(?:{any_of(_of(around, 'before'))}|{says})\s+)?(?<![\w.])%s(?:\s+{any_of(_of(around, 'after'))}(?!\w))?"
        )
        self._ages = [re.compile(wrap % one, re.I) for one in ages]
        self._units = units
        self._stages = language.meaning("told-newborn")
        lead = rf"(?:(?<!\w){any_of(_of(around, 'before'))}\s+)?"
        hours = r"(?:(?:at\s+)?(?<![\w.])\d{1,2}\s+)?"
        self._stage = re.compile(rf"{lead}{hours}(?<!\w)(?P<stage>{any_of(self._stages)})(?!\w)", re.I)
        self._short = re.compile(r"\A\s*(?P<age>\d{1,3})\s?(?P<sex>[FM])(?=[\s,:;])")
        weeks = any_of(word for word, unit in units.items() if unit == _WEEK)
        said = any_of([*_of(pregnant, "weeks"), *_of(pregnant, "pregnant")])
        self._weeks = [
            re.compile(rf"(?<![\w.])(?P<weeks>\d{{1,2}})[\s-]?(?:{weeks}|w)(?:\s?\d\s?d)?\s+{said}(?!\w)", re.I),
            re.compile(rf"(?<!\w){said}[\s,]*(?:(?:at|x)\s)?(?P<weeks>\d{{1,2}})\s?(?:{weeks})(?!\w)", re.I),
        ]
        self._pregnant = re.compile(rf"(?:in\s+an?\s+)?(?<!\w){any_of(_of(pregnant, 'pregnant'))}(?!\w)", re.I)
        self._asked = re.compile(rf"(?<!\w){any_of(_of(pregnant, 'asked'))}(?!\w)", re.I)

        another = any_of(language.words("told-weeks-of-another"))
        self._at_weeks = re.compile(rf"(?<!\w)(?:at|@)\s+(?P<weeks>\d{{1,2}})\s?(?:{weeks})(?!\w)(?!\s+{another}(?!\w))", re.I)

    def weeks_of_what(self, text: str) -> int | None:
        """So many weeks that are told and not said of what, as those of a pregnancy often are: "Hgb 11.4 at 30 wks"."""
        found = self._at_weeks.search(text)
        weeks = int(found["weeks"]) if found is not None else 0
        return weeks if _FIRST_WEEK <= weeks <= _LAST_WEEK else None

    def read(self, text: str) -> PatientTold:
        """What a text tells of the patient; nothing where it tells two ages."""
        told = self._aged(text)
        return self._with_pregnancy(told)

    def _aged(self, text: str) -> PatientTold:
        found = [f for pattern in self._ages for f in pattern.finditer(text)] or list(self._short.finditer(text))
        stage = None if found else self._stage.search(text)
        if stage is not None:
            return PatientTold(
                _without(text, self._stage.finditer(text)), self._stages[" ".join(lowered(stage["stage"]).split())]
            )
        if len({f["age"] for f in found}) != 1:
            return PatientTold(text)
        one = found[0]
        groups = one.groupdict()
        unit = self._units[lowered(groups["unit"])] if groups.get("unit") else "year"
        sex = self._sexes[lowered(groups["sex"])] if groups.get("sex") else None
        many = int(one["age"])
        age = f"{many // _HOURS_OF_A_DAY} days" if unit == _HOUR else f"{many} {unit}s"
        return PatientTold(_without(text, found), age, sex)

    def _with_pregnancy(self, told: PatientTold) -> PatientTold:
        if self._asked.search(told.rest):
            return told
        by_week = [f for pattern in self._weeks for f in pattern.finditer(told.rest)]
        said = by_week[:1] or list(self._pregnant.finditer(told.rest))[:1]
        if not said:
            return told
        weeks = int(said[0]["weeks"]) if by_week else None
        rest = _without(told.rest, said)
        return PatientTold(_without(rest, self._pregnant.finditer(rest)), told.age, told.sex, True, weeks)


def _of(meanings: Mapping[str, str], which: str) -> list[str]:
    return [word for word, meaning in meanings.items() if meaning == which]


def _without(text: str, found: Iterable[re.Match[str]]) -> str:
    """A text without these parts; a comma in the place of one that stood between others."""
    for one in sorted(found, key=lambda f: -f.start()):
        before, after = text[: one.start()].rstrip(" ,"), text[one.end() :].lstrip(" ,")
        stop = before[-1:] in _STOPS and after[:1] in _STOPS  # "129. I'm 81. They put me on it"
        between = " " if stop else ", "
        after = after.lstrip("".join(_STOPS) + " ") if stop else after
        text = f"{before}{between}{after}" if before and after else before + after
    return text
