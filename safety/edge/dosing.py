"""How much, how often, for how long: the words near a name that say so, quoted, and what they were read as."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from safety.edge.extraction import Quoted, Span
from safety.model.quantity import counted, number, plain
from safety.reading.directions.notes import UnitOf
from safety.reading.names.words import NameWords
from safety.reading.spoken.amounts import Item
from safety.reading.spoken.statement import Spoken
from safety.reading.wording import Wording, any_of

_LONGEST_RUN = 24
_LONGEST_AMOUNT = 9
_LONGEST_NEED = 5
"""So many words at most say "as needed", "every once in a while"."""
_JOINED = re.compile(r"[ \t\r]*[-,/()~]?[ \t\r]*")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_OTHER_PARTS = re.compile(r"(?<![\d./])(?:\d+(?:\.\d+)? ?/ ?)+\Z")
_TWO_PARTS = re.compile(r"(?P<a>\d+(?:\.\d+)?) ?- ?(?P<b>\d+(?:\.\d+)?)(?![\d.])")
_PER = re.compile(r"\s?(?:/|\bper\b)\s?", re.I)
_SURELY = "surely"
_WAS, _SHALL = "was", "shall"
_FIRST, _AFTER = "first", "then"
_AMOUNTS = frozenset({"amount", "strength"})
_OF_BARE = " bare"
_UNTOLD = ("", "bare", "pill")
"""The units of a number that tells none."""


class Dosed(Struct, frozen=True):
    """An amount and directions that stand together, from which word to before which.

    `amounts` are what the words were read as, for comparing; `corrected`: an amount that was put right in the same breath.
    """

    first: int
    after: int
    dose: Quoted | None = None
    directions: Quoted | None = None
    corrected: str = ""
    bare: tuple[Quoted, ...] = ()
    """Numbers without a unit: the one with which the words begin, and those of other times of the day behind it."""


class Courses:
    """How long, and how many times in all, as an order tells it behind a dose: "x 5 d", "for 2 wks", "x1"."""

    def __init__(
        self, leads: Sequence[str], long: Sequence[str], often: Sequence[str], goes_on: Sequence[str], when: Sequence[str],
        nth: Sequence[str], tests: Sequence[str], later: Sequence[str], dose: Sequence[str],
        was: Sequence[str], hours: Sequence[str], around: Sequence[str],
    ) -> None:  # fmt: skip
        """`leads`: what stands before it; `long`: units of so long a time; `often`: words of how often behind which a number is
        that of the doses; `goes_on`: what makes it a frequency, "x 2 daily"; `when`: what leads to a year, "since 2024"; `nth`:
        what leads to the number of a day or week, "day 2"; `tests`: what is measured, "HR 68"; `later`: what leads to a dose
        that is not taken yet, "titrate to"; `dose`: what is taken at one time, whose day is no amount, "last dose 11/25";
        `was`: what leads to the dose of before, behind the new one: "10 mg weekly from 15"; `hours`: words for an hour:
        so many are no amount behind what leads to a course, or before what they are counted from (`around`), "12 h post-op"."""
        lead, unit = any_of(leads), any_of(long)
        self._long = re.compile(rf"(?<![^\W\d]){lead}\s?\d{{1,3}}(?:\s?-\s?\d{{1,3}})?\s?-?(?:more\s)?{unit}(?![\w])", re.I)
        self._hours = re.compile(
            rf"(?<![^\W\d]){lead}\s?\d{{1,3}}\s?-?{any_of(hours)}(?!\w)"
            rf"|(?<![\w./-])(?<!every )(?<!each )(?<!q )\d{{1,3}}(?:\s?-\s?\d{{1,3}})?[\s-]?{any_of(hours)}"
            rf"\s+{any_of(around)}(?!\w)",
            re.I,
        )
        no_rate = rf"(?![\w./-])(?!\s*(?:{any_of(goes_on)}\b|/))"
        self._many = re.compile(
            rf"\b{any_of(often)}\s*(?P<x>{any_of(w for w in leads if len(w) == 1)}\s?\d{{1,2}}){no_rate}", re.I
        )
        self._year = re.compile(rf"\b{any_of(when)}\s+(?:19|20)\d\d(?![\w/-])", re.I)
        self._nth = re.compile(
            rf"(?<!\ba )(?<!\bper )(?<!each )(?<!every )\b{any_of(nth)}\s?#?\d{{1,2}}"
            r"(?=\s*(?:[.,;)]|\Z|of\b)|\s*/\s*\d)(?:\s*/\s*\d{1,2})?",
            re.I,
        )
        self._length = re.compile(
            rf"(?<![\w./-])(?<!every )(?<!each )(?<!q )\d{{1,2}}(?:\s?-\s?\d{{1,2}})?[\s-]?"
            rf"{any_of(w for w in long if w[0] != 'd')}(?!\w)",
            re.I,
        )
        self._measured = re.compile(
            rf"(?<![\w-]){any_of(tests)}\s*(?:[:=<>]\s*)?(?P<x>\d+(?:\.\d+)?)(?!\s?(?:[mcgk]+g|g|meq|ml|unit|tab|puff)|[\w./])",
            re.I,
        )
        self._later = re.compile(rf"(?<![\w-])(?P<x>{any_of(later)})(?![\w-])", re.I)
        self._last = re.compile(rf"(?<![\w-])last\s+{any_of(dose)}\s+(?:(?:at|on|was|of)\s+)*(?P<x>\d[\d/:-]*)", re.I)
        self._was = re.compile(rf"\d[^.,;\d]*\s(?P<x>{any_of(was)}\s+\d+(?:\.\d+)?(?:/\d+)*)(?![\d:])(?!\s?[ap]m\b)", re.I)
        self._once = re.compile(rf"(?<![^\W\d])(?P<x>{any_of(w for w in leads if len(w) == 1)}\s?1){no_rate}", re.I)

    def words(self, line: Wording, first: int, after: int) -> frozenset[int]:
        """The words between two that tell how long, or how many doses in all."""
        if first >= after:
            return frozenset()
        start, end = line.starts[first], line.ends[after - 1]
        spans = [
            hit.span()
            for shape in (self._long, self._hours, self._year, self._nth, self._length)
            for hit in shape.finditer(line.text, start, end)
        ]
        spans += [
            hit.span("x")
            for shape in (self._many, self._once, self._measured, self._later, self._last, self._was)
            for hit in shape.finditer(line.text, start, end)
        ]
        return frozenset(n for n in range(first, after) if any(a <= line.starts[n] < b for a, b in spans))

    def begins(self, text: str) -> bool:
        """Whether a text begins with how long, or with a single time."""
        return self._long.match(text) is not None or self._once.match(text) is not None


class Dosing:
    """Finds runs of words that tell a dose; made once, shared, never changed."""

    def __init__(
        self,
        spoken: Spoken,
        names: NameWords,
        numbers: frozenset[str],
        glue: frozenset[str],
        right: Mapping[str, str],
        then: frozenset[str],
        days: Sequence[str],
        leads: frozenset[str],
        changed: Mapping[str, str],
        per: Mapping[str, str],
        behind: Sequence[str],
        courses: Courses,
        beside: frozenset[str],
        as_soon_as: tuple[frozenset[str], frozenset[str]],
        often_is: tuple[frozenset[str], frozenset[str]],
    ) -> None:
        """`days`: how the day of a course is called, "the first day"; `leads`: words between a name and its new dose, "to";
        `changed`: what stands before the dose that was and is; `per`: what an amount is for, behind its stroke; `behind`: what
        goes on behind a number that is a dose by itself; `courses`: how long something is taken, which is no amount;
        `beside`: words of a form between a name and its number, "CD 240"; `as_soon_as`: words that are no number of times where a
        clause goes on behind them, "once the INR is at goal", and those behind which they are one, "once a day"; `often_is`:
        numbers of times, and what makes one the subject of a clause, "twice is too much"."""
        body, day = (any_of(w for w, means in per.items() if means == which) for which in (_FIRST, _AFTER))
        stroke = r"\s?(?:/|\bper\b)\s?(?:\d+(?:\.\d+)?\s?)?"
        self._per = re.compile(rf"(?:{stroke}{body}(?!\w))+(?:{stroke}{day}(?!\w))?", re.I)
        self._was, self._shall = ({w for w, means in changed.items() if means == which} for which in (_WAS, _SHALL))
        self._spoken, self._names = spoken, names
        self._numbers, self._glue, self._right = numbers, glue, right
        self._then, self._leads, self._courses, self._beside = then, leads | beside, courses, beside
        self._behind_a_number = re.compile(rf"{any_of(behind)}(?![\w-])", re.I)
        self._days = re.compile(rf"{any_of(days)}(?!\w)", re.I)
        self._as_soon_as, self._behind_once = as_soon_as
        self._often, self._is = often_is
        self._words = names.known | names.units | names.forms | numbers

    def is_dosing(self, word: str) -> bool:
        """Whether a word is one in which doses are told."""
        return word[0].isdigit() or word in self._words

    def runs(self, line: Wording, first: int, after: int, unit_of: UnitOf | None = None) -> list[Dosed]:
        """The doses told between two words, in order; `unit_of`: the unit of a number alone right behind the first medicine."""
        found = []
        at = first
        no_amounts = self._courses.words(line, first, after)
        while at < after:
            if (needed := self._needed_at(line, at, after)) is not None:
                found.append(needed)
                at = needed.after
                continue
            if at in no_amounts or not self._begins(line, at):
                at += 1
                continue
            end = at + 1
            while end < min(after, at + _LONGEST_RUN) and end not in no_amounts and self._goes_on(line, end):
                end += 1
            dosed = self._read(line, at, end)
            if dosed is not None:
                found.append(dosed)
                at = max(dosed.after, at + 1)
            else:
                at = end
        if unit_of is None:
            return self._put_right(line, [d for d in found if d.dose is not None or d.directions is not None])
        return [self._only_with_a_unit(d) for d in self._put_right(line, self._with_bare(line, first, found, unit_of))]

    def _with_bare(self, line: Wording, first: int, found: Sequence[Dosed], unit_of: UnitOf) -> list[Dosed]:
        """Doses with the numbers that are doses too: right behind the name, or where a number is put right by another."""
        kept: list[Dosed] = []
        for one in found:
            ahead = line.words[first : self._from(line, first, one.first)]
            beside = all(w in self._leads for w in ahead) or (
                kept and kept[-1].dose is not None and self._is_put_right(line, kept[-1], one)
            )
            goes_on = bool(kept) and kept[-1].dose is not None and kept[-1].dose.value[-1:].isalpha() and self._is_next(line, one)
            if one.dose is None and one.bare and (beside or goes_on):
                kept.append(replace(one, dose=_with_units(line, one.bare, unit_of)))
            elif one.dose is not None and one.dose.value.endswith(_OF_BARE):
                kept.append(replace(one, dose=_of_its_unit(one.dose, unit_of)))
            elif one.dose is not None and one.bare and beside:
                kept.append(replace(one, dose=_pieces_of(line, one.dose, one.bare[0], unit_of)))
            else:
                kept.append(one)
        return kept

    def _from(self, line: Wording, first: int, at: int) -> int:
        """Where what was told before begins: of "from 10 to 5" at "from", else at the dose itself."""
        changed = at - 3 >= first and line.words[at - 1] in self._shall and line.words[at - 3] in self._was
        return at - 3 if changed and line.words[at - 2][0].isdigit() else at

    def _is_next(self, line: Wording, one: Dosed) -> bool:
        """Whether a number is that of a next step: "500 the first day then 250"."""
        return one.first > 0 and line.words[one.first - 1] in self._then

    @staticmethod
    def _only_with_a_unit(one: Dosed) -> Dosed:
        """A number without a unit is a dose only where it puts another right, for that is asked about."""
        return replace(one, dose=None) if one.dose is not None and one.dose in one.bare and not one.corrected else one

    def _bare(self, line: Wording, first: int, end: int, items: Sequence[Item]) -> tuple[Quoted, ...]:
        """The number with which words begin, where it counts nothing that they name: "25 twice a day", "20,"; with one for each
        time of the day, or step of a course, all of them: "500 in the morning, 1000 at night", "500 then 250"."""
        word = line.words[first]
        if _NUMBER.fullmatch(word) is None:
            return self._behind_a_comma(line, first, end)
        here = Quoted(_span(line, first, first + 1), word)
        rest = line.text[line.ends[first] :].lstrip(" \t")
        if (first + 1 < end and line.words[first + 1] in self._then) or self._days.match(rest) is not None:
            steps = (n for n in range(first + 2, end) if line.words[n - 1] in self._then and _NUMBER.fullmatch(line.words[n]))
            return (here, *(Quoted(_span(line, n, n + 1), line.words[n]) for n in steps))
        amounts = [i.dose for i in items if i.kind in _AMOUNTS]
        alone = [d for d in amounts if d is not None and d[0].unit in _UNTOLD and d[0].value == d[1].value]
        if amounts and alone == amounts and alone[0][0].value == Decimal(word):
            return (here, *self._later_numbers(line, first, end, [d[0].value for d in alone[1:]]))
        return (here,) if not amounts and self._stands_alone(line, first, end) else ()

    def _behind_a_comma(self, line: Wording, first: int, end: int) -> tuple[Quoted, ...]:
        """The number with which words end, behind a comma: "every day, 10"."""
        last = end - 1
        if (
            last == first
            or _NUMBER.fullmatch(line.words[last]) is None
            or "," not in line.text[line.ends[last - 1] : line.starts[last]]
        ):
            return ()
        return (Quoted(_span(line, last, end), line.words[last]),) if self._stands_alone(line, last, end) else ()

    @staticmethod
    def _of_each(line: Wording, first: int, dose: Quoted, amounts: Sequence[Item]) -> tuple[Quoted, ...]:
        """The number before a comma and a number of pieces, each of which holds so much: "50, half a tablet"."""
        pieces = len(amounts) == 1 and amounts[0].strength is None and amounts[0].dose is not None
        told = _NUMBER.fullmatch(line.words[first]) is not None and "," in line.text[line.ends[first] : line.ends[first] + 1]
        if not (pieces and told and line.ends[first] < dose.span.start):
            return ()
        return (Quoted(_span(line, first, first + 1), line.words[first]),)

    @staticmethod
    def _later_numbers(line: Wording, first: int, end: int, values: Sequence[Decimal]) -> Iterator[Quoted]:
        at = first + 1
        for value in values:
            n = next((n for n in range(at, end) if _NUMBER.fullmatch(line.words[n]) and Decimal(line.words[n]) == value), None)
            if n is not None:
                yield Quoted(_span(line, n, n + 1), line.words[n])
                at = n + 1

    def _stands_alone(self, line: Wording, first: int, end: int) -> bool:
        """Whether nothing that it might count follows a number: a stop, or a small word."""
        rest = line.text[line.ends[first] :].lstrip(" \t")
        joined = end < len(line.words) and line.words[end] in self._glue
        ends = not rest or rest[0] in ",.;)\r\n?!" or (rest[0] == "/" and not rest[1:2].isdigit())
        ends = ends or self._behind_a_number.match(rest) is not None or self._courses.begins(rest)
        return ends or (first + 1 == end and joined)

    def _is_put_right(self, line: Wording, before: Dosed, one: Dosed) -> bool:
        between = line.text[line.ends[before.after - 1] : line.starts[one.first]]
        if self._spoken.tables["corrections"].first(self._spoken.plainly.words(between)) is not None:
            return True
        words = line.words[before.after : one.first]
        return bool(words) and all(w in self._right for w in words) and any(self._right[w] == _SURELY for w in words)

    def _begins(self, line: Wording, n: int) -> bool:
        word = line.words[n]
        if word in self._beside and not word[0].isdigit():
            behind = next((w for w in line.words[n + 1 : n + _LONGEST_AMOUNT] if w not in self._leads), "")
            if behind[:1].isdigit():
                return False  # "CD 240", "the 5", "increased to 15"
        return word not in self._glue and self.is_dosing(word) and not self._begins_a_condition(line, n)

    def _begins_a_condition(self, line: Wording, n: int) -> bool:
        """Whether a word that may tell how often leads on to a clause: "once she developed a cough"."""
        if self._is_told_of(line, n):
            return True
        if line.words[n] not in self._as_soon_as or n + 1 >= len(line.words):
            return False
        often = n > 0 and self._tells_how_often(line, n - 1)  # "weekly once she is cleared"
        if n and self.is_dosing(line.words[n - 1]) and not often:
            return False
        behind = line.words[n + 1]
        gap = line.text[line.ends[n] : line.starts[n + 1]]
        told = not gap.strip() and behind.isalpha() and behind not in self._behind_once
        return told and (often or not self.is_dosing(behind))

    def _tells_how_often(self, line: Wording, n: int) -> bool:
        """Whether a word by itself tells how often, "weekly"."""
        return line.words[n].isalpha() and any(
            i.kind not in _AMOUNTS and i.times is not None for i in self._items(line, n, n + 1)
        )

    def _is_told_of(self, line: Wording, n: int) -> bool:
        """Whether a number of times is what a clause tells of: "twice is too much trouble"."""
        if line.words[n] not in self._often:
            return False
        behind = line.words[n + 1 : n + 4]
        return any(w in self._is and all(map(self.is_dosing, behind[:k])) for k, w in enumerate(behind))

    def _goes_on(self, line: Wording, n: int) -> bool:
        gap = line.text[line.ends[n - 1] : line.starts[n]]
        if self._begins_a_condition(line, n):
            return False
        return self.is_dosing(line.words[n]) and _JOINED.fullmatch(gap) is not None

    def _read(self, line: Wording, first: int, end: int) -> Dosed | None:
        while end > first + 1 and line.words[end - 1] in self._glue:
            end -= 1
        first += self._said_again(line, first, end)
        first = self._changed_to(line, first, end)
        items = self._items(line, first, end)
        amounts = [i for i in items if i.kind in _AMOUNTS]
        often = [i for i in items if i.kind not in _AMOUNTS]
        dose = self._quoted(line, first, end, lambda found: [i for i in found if i.kind in _AMOUNTS]) if amounts else None
        if dose is not None and not self._is_dose(amounts):
            dose, amounts = None, []
        dose = self._whole(line, dose) if dose is not None and len(amounts) == 1 else dose
        after_dose = end if dose is None else self._behind(line, dose, end)
        directions = None
        if often:
            directions = self._quoted(line, first, end, lambda found: [i for i in found if i.kind not in _AMOUNTS])
        elif amounts or self._as_needed(line, first, end):
            directions = self._as_needed(line, first, end)
        bare = self._bare(line, first, end, items) if dose is None else self._of_each(line, first, dose, amounts)
        if dose is None and directions is None and not bare:
            return None
        return Dosed(first, after_dose, dose, self._with_as_needed(line, first, end, directions), "", bare)

    def _is_number(self, word: str) -> bool:
        return word[0].isdigit() or word in self._spoken.plainly.numbers.values

    def _changed_to(self, line: Wording, first: int, end: int) -> int:
        """Where the dose that shall be begins: of "from 20 mg to 40 mg" the second."""
        was = next(
            (n for n in range(max(0, first - 1), end - 1) if line.words[n] in self._was and self._is_number(line.words[n + 1])),
            end,
        )
        return next((n + 1 for n in range(was, end - 1) if line.words[n] in self._shall), first)

    @staticmethod
    def _said_again(line: Wording, first: int, end: int) -> int:
        """How many words are said twice in a row at the beginning: "five hundred five hundred milligrams"."""
        most = (end - first) // 2
        return next((n for n in range(most, 0, -1) if line.words[first : first + n] == line.words[first + n : first + 2 * n]), 0)

    def _items(self, line: Wording, first: int, end: int) -> list[Item]:
        words = self._spoken.plainly.words(line.text[line.starts[first] : line.ends[end - 1]])
        return self._spoken.amounts.items(words) if words else []

    @staticmethod
    def _is_dose(amounts: Sequence[Item]) -> bool:
        """Whether any of them has a unit, or is a number of pieces; a number alone may be anything."""
        return any(i.strength is not None or (i.dose is not None and i.dose[0].unit not in ("", "bare")) for i in amounts)

    def _quoted(self, line: Wording, first: int, end: int, kept: Callable[[list[Item]], list[Item]]) -> Quoted | None:
        """The fewest words that still tell the same, and what they tell."""
        wanted = _told(kept(self._items(line, first, end)))
        a, b = first, end
        while a + 1 < b and _told(kept(self._items(line, a + 1, b))) == wanted:
            a += 1
        while a + 1 < b and _told(kept(self._items(line, a, b - 1))) == wanted:
            b -= 1
        span = Span(line.starts[a], line.ends[b - 1], line.text[line.starts[a] : line.ends[b - 1]])
        return Quoted(span, said_plainly(kept(self._items(line, a, b))))

    @staticmethod
    def _behind(line: Wording, dose: Quoted, end: int) -> int:
        """The word behind an amount that goes on beyond its run: behind "15 mg/kg", not behind "15 mg"."""
        while end < len(line.words) and line.starts[end] < dose.span.end:
            end += 1
        return end

    def _whole(self, line: Wording, dose: Quoted) -> Quoted:
        """An amount with all that belongs to it: both parts of "875/125 mg" and "800-160 mg", the kilogram of "15 mg/kg"."""
        start, end, value = dose.span.start, dose.span.end, dose.value
        if (parts := _OTHER_PARTS.search(line.text, 0, start)) is not None:
            start = parts.start()
            value = f"{parts[0].replace(' ', '')}{value}"
        elif (falling := _TWO_PARTS.match(dose.span.text)) is not None and Decimal(falling["a"]) > Decimal(falling["b"]):
            value = f"{falling['a']}/{falling['b']} {value.rpartition(' ')[2]}"
        if (per := self._per.match(line.text, end)) is not None:
            end = per.end()
            value += _PER.sub("/", per[0].strip())
        return Quoted(Span(start, end, line.text[start:end]), value) if value != dose.value else dose

    def _needed_at(self, line: Wording, at: int, after: int) -> Dosed | None:
        """ "From time to time", "every once in a while": as needed, in words none of which tells a dose by itself."""
        for end in range(min(after, at + _LONGEST_NEED), at + 3, -1):
            if " ".join(line.words[at:end]) in self._names.as_needed:
                return Dosed(at, end, None, Quoted(_span(line, at, end), _AS_NEEDED))
        return None

    def _as_needed(self, line: Wording, first: int, end: int) -> Quoted | None:
        for a in range(first, end):
            for b in range(min(end, a + _LONGEST_NEED), a, -1):
                if " ".join(line.words[a:b]) in self._names.as_needed:
                    return Quoted(_span(line, a, b), _AS_NEEDED)
        return None

    def _with_as_needed(self, line: Wording, first: int, end: int, directions: Quoted | None) -> Quoted | None:
        needed = self._as_needed(line, first, end)
        if directions is None or needed is None or directions == needed:
            return directions or needed
        start, stop = min(directions.span.start, needed.span.start), max(directions.span.end, needed.span.end)
        return Quoted(Span(start, stop, line.text[start:stop]), f"{directions.value} {_AS_NEEDED}")

    def _put_right(self, line: Wording, found: Sequence[Dosed]) -> list[Dosed]:
        """As in "20, no, 40 milligrams": what was said before the correction no longer counts, and is asked about."""
        kept: list[Dosed] = []
        for one in found:
            before = kept[-1] if kept else None
            if before is not None and before.dose and one.dose and self._is_put_right(line, before, one):
                kept[-1] = replace(one, directions=one.directions or before.directions, corrected=before.dose.span.text)
                continue
            kept.append(self._after_a_bare_number(line, one))
        return kept

    def _after_a_bare_number(self, line: Wording, one: Dosed) -> Dosed:
        """A dose before which a number stands that it puts right: "20, no, 40 mg"."""
        n = one.first - 1
        while n >= 0 and line.words[n] in self._right:
            n -= 1
        between = line.words[n + 1 : one.first]
        if n < 0 or one.dose is None or not any(self._right[w] == _SURELY for w in between):
            return one
        before = line.words[n]
        return replace(one, corrected=before) if before[0].isdigit() or before in self._numbers else one


_AS_NEEDED, A_DAY = "as needed", "a day"


def _span(line: Wording, first: int, after: int) -> Span:
    start, end = line.starts[first], line.ends[after - 1]
    return Span(start, end, line.text[start:end])


def _with_units(line: Wording, bare: Sequence[Quoted], unit_of: UnitOf) -> Quoted:
    """Numbers alone as amounts, in the unit in which the medicine is sold in so much; the first as it stands where one is not."""
    units = [unit_of(Decimal(one.value), True, "." in one.value) for one in bare]
    if not all(units):
        return bare[0]
    start, end = bare[0].span.start, bare[-1].span.end
    said = ", ".join(f"{one.value} {unit}" for one, unit in zip(bare, units, strict=True))
    return Quoted(Span(start, end, line.text[start:end]), said)


def _of_its_unit(dose: Quoted, unit_of: UnitOf) -> Quoted:
    """So many pieces of a strength without a unit, "one 0.4 capsule", with the unit in which it is sold; else the pieces."""
    pieces, _, each = dose.value.removesuffix(_OF_BARE).rpartition(" of ")
    value = number(each)
    if value is None:
        return dose  # "two tablet77a day"
    unit = unit_of(value, True, "." in each)
    return replace(dose, value=f"{pieces} of {each} {unit}" if unit else pieces)


def _pieces_of(line: Wording, pieces: Quoted, each: Quoted, unit_of: UnitOf) -> Quoted:
    """So many pieces of a strength that is told as a number alone; the pieces only where it is sold in no such strength."""
    unit = unit_of(Decimal(each.value), True, "." in each.value)
    if not unit:
        return pieces
    start, end = each.span.start, pieces.span.end
    return Quoted(Span(start, end, line.text[start:end]), f"{pieces.value} of {each.value} {unit}")


def _told(items: Sequence[Item]) -> list[object]:
    return [(i.kind, i.dose, i.strength, i.times, i.slot, i.hours, i.per_day, i.parts) for i in items]


def said_plainly(items: Sequence[Item]) -> str:
    """What items tell, in words that directions are read from: "40 mg", "2 times a day, morning"."""
    return ", ".join(dict.fromkeys(text for item in items if (text := _plainly(item))))


def _plainly(item: Item) -> str:
    if item.kind == "strength" and item.strength is not None:
        return counted(item.strength)
    if item.dose is not None:
        low, high = item.dose
        many = counted(high) if low == high else f"{plain(low.value)} to {counted(high)}"
        return f"{many} of {counted(item.strength)}" if item.strength is not None else many
    if item.hours is not None:
        return f"every {plain(item.hours)} hours"
    if item.times is not None:
        often = _often(item.times)
        return (
            f"{often} in the {item.slot}" if item.slot and item.slot != "night" else f"{often} at night" if item.slot else often
        )
    if item.slot:
        return "at night" if item.slot == "night" else f"in the {item.slot}"
    return A_DAY if item.per_day else ""


def _often(times: tuple[Fraction, Fraction]) -> str:
    low, high = times
    if high <= 0:
        return ""
    if high < 1:
        days = 1 / high
        return "once a week" if days == 7 else f"every {days} days" if days.denominator == 1 else f"{high * 7} times a week"
    if low == high:
        return "once a day" if high == 1 else f"{high} times a day"
    return f"{low} to {high} times a day"
