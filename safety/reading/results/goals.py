"""What a result is meant to be, as the words beside it tell: "INR 2.1, goal 2.5-3.5", "her goal is under 8", "goal K > 4"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from safety.knowledge.language import Language
from safety.knowledge.library import Panel
from safety.reading.results.phrases import NUMBER, Phrases
from safety.reading.results.scan import Scanner
from safety.reading.results.told import ToldResult
from safety.reading.wording import any_of

_RANGE = re.compile(rf"({NUMBER.pattern})\s?(?:-|to|and)\s?({NUMBER.pattern})(?![\w/-])", re.I)
_PAIR = re.compile(r"(\d{2,3})\s?/\s?(\d{2,3})(?![\w/.])")
_SPACES = re.compile(r"[\s:=,-]*")
_MORE = re.compile(r"\s*(?:,|&|and\b)\s*", re.I)
_NUMBER_ALONE = re.compile(r"(?<![\w.])\d")
_OPENS, _CLOSES = re.compile(r"[\s,;(\[–-]*\Z"), re.compile(r"\s*[)\]]?")
_MOST, _LEAST = ("<", "<="), (">", ">=")


class Goal(Struct, frozen=True):
    """One goal: of which test (empty: of the result beside it), as "<8", ">=75" or "2.5-3.5", and where it stood.

    `second`: what it is for the second number of a pair ("130/80").
    """

    test: str
    said: str
    at: int
    second: str = ""


class Goals:
    """Takes goals out of a line of results, by the lists of one language; immutable, may be shared."""

    def __init__(self, language: Language, scanner: Scanner) -> None:
        meant = language.meaning("result-goals")

        def words(which: str) -> list[str]:
            return [word for word, meaning in meant.items() if meaning == which]

        leads = [*words("lead"), *(w for w, m in language.meaning("result-references").items() if m == "goal")]
        self._lead = re.compile(
            rf"(?<![\w-])(?:{any_of([*words('before'), *words('between')])}\s+)*{any_of(leads)}(?![\w-])", re.I
        )
        self._words = Phrases(dict.fromkeys((*leads, *words("lead")), ""))
        self._between = re.compile(rf"[\s:=]*{any_of(words('between'))}(?!\w)", re.I)
        self._most = re.compile(rf"\s*{any_of(words('most'))}(?!\w)", re.I)
        self._least = re.compile(rf"\s*{any_of(words('least'))}(?!\w)", re.I)
        ends = any_of(w for w, m in language.meaning("result-references").items() if m == "goal")
        signs = any_of(w for w, m in language.meaning("result-signs").items() if m in (*_MOST, *_LEAST))
        number = NUMBER.pattern
        amount = rf"(?:{number}\s?(?:-|to)\s?{number}|{signs}\s?{number})"
        self._before_it = re.compile(rf"(?<![\w.-])(?P<amount>{amount})\s+(?P<goal>{ends})(?!\w)(?!\s*[:=]?\s*[<>\d])", re.I)
        self._scanner = scanner

    def taken_out(self, text: str) -> tuple[str, tuple[Goal, ...]]:
        """A line without the goals that it tells, and the goals; as it is where without them it tells no number."""
        found: list[Goal] = []
        if not any(self._words.anywhere(text)):
            return text, ()
        text = self._before_it.sub(lambda behind: f"{behind['goal']} {behind['amount']}", text)
        rest = text
        at = 0
        while (lead := self._lead.search(rest, at)) is not None:
            read = self._read(rest, lead)
            if read is None:
                at = lead.end()
                continue
            goals, end, named = read
            before, after = _OPENS.sub("", rest[: lead.start()]), rest[_CLOSES.match(rest, end).end() :]  # type: ignore[union-attr]
            if not _NUMBER_ALONE.search(before):
                after = after.lstrip(" ,;")
            name = f"{named} " if named and not self._names(before + " " + after, goals[0].test) else ""
            found += [replace(one, at=len(before)) for one in goals]
            joined = "" if not after or after[:1] in ",;.?" else " " if not _NUMBER_ALONE.search(before) else ", "
            rest = f"{before}{joined}{name}{after}"
            at = len(before)
        return (rest, tuple(found)) if found and _NUMBER_ALONE.search(rest) else (text, ())

    def _names(self, text: str, test: str) -> bool:
        words = re.finditer(r"[A-Za-z][^\s,;]*", text)
        return any((named := self._scanner.test(text, word.start())) is not None and named[0] == test for word in words)

    def _read(self, text: str, lead: re.Match[str]) -> tuple[list[Goal], int, str] | None:
        """The goals behind a lead, where they end, and the name of the test that stands inside."""
        at, test, named = self._past_small_words(text, lead.end())
        first = self._one(text, at, test)
        if first is None:
            return None
        goals, end = [first[0]], first[1]
        while test and (more := _MORE.match(text, end)) is not None:  # "goal K > 4 and Mg > 2"
            here, other, _ = self._past_small_words(text, more.end())
            further = self._one(text, here, other) if other else None
            if further is None:
                break
            goals.append(further[0])
            end = further[1]
        return goals, end, named

    def _past_small_words(self, text: str, at: int) -> tuple[int, str, str]:
        """Where the number may begin; the test that is named before it, and how."""
        test, named = "", ""
        while True:
            spaces = _SPACES.match(text, at)
            at = spaces.end() if spaces is not None else at
            if (found := self._between.match(text, at)) is not None:
                at = found.end()
            elif not test and (one := self._scanner.test(text, at)) is not None and one[0]:
                test, named, at = one[0], text[at : one[1]], one[1]
            elif not test and (panel := self._scanner.panel(text, at)) is not None:
                test, named, at = panel[0].parts[0], text[at : panel[1]], panel[1]
            else:
                return at, test, named

    def _one(self, text: str, at: int, test: str) -> tuple[Goal, int] | None:
        """A goal with its comparator, or as a range; a number alone may be either end, and is none."""
        sign = self._scanner.around.signs.at(text, at)
        here = _SPACES.match(text, sign.end).end() if sign is not None else at  # type: ignore[union-attr]
        if sign is not None and sign.meaning in _MOST and (pair := _PAIR.match(text, here)) is not None:
            return Goal(test, f"{sign.meaning}{pair[1]}", at, f"{sign.meaning}{pair[2]}"), self._past_unit(text, pair.end(), test)
        if sign is None and (span := _RANGE.match(text, here)) is not None:
            return Goal(test, f"{span[1]}-{span[2]}", at), self._past_unit(text, span.end(), test)
        value = NUMBER.match(text, here)
        if value is None or text[value.end() : value.end() + 1] in ("/", "-"):
            return None
        end = self._past_unit(text, value.end(), test)
        if sign is not None:
            return (Goal(test, f"{sign.meaning}{value[0]}", at), end) if sign.meaning in (*_MOST, *_LEAST) else None
        for pattern, meaning in ((self._most, "<="), (self._least, ">=")):
            if (behind := pattern.match(text, end)) is not None:
                return Goal(test, f"{meaning}{value[0]}", at), behind.end()
        return None

    def _past_unit(self, text: str, at: int, test: str) -> int:
        unit = self._scanner.unit(text, at, self._scanner.lab(test))
        return unit[1] if unit is not None else at

    def told_with(self, results: Sequence[ToldResult], goals: Sequence[Goal], panels: Sequence[Panel]) -> list[ToldResult]:
        """Results with the goals that are theirs: by the test, else of the last result before it, else the first."""
        told = list(results)
        for goal in goals:
            test = goal.test or _beside(told, goal.at)
            second = next((p.parts[1] for p in panels if p.falls and p.parts[0] == test and len(p.parts) > 1), "")
            if goal.second and not second:
                first = next((p for p in panels if p.falls and len(p.parts) > 1 and p.parts[1] == test), None)
                test, second = (first.parts[0], first.parts[1]) if first is not None else ("", "")
            by_test = {test: goal.said, **({second: goal.second} if goal.second and second else {})}
            told = [replace(r, goal=by_test[r.test]) if r.test and r.test in by_test else r for r in told]
        return told


def _beside(results: Sequence[ToldResult], at: int) -> str:
    tests = [r for r in results if r.test and not r.fault]
    before = [r for r in tests if r.start <= at]
    return before[-1].test if before else tests[0].test if tests else ""
