"""Directions cut into words and numbers: "1-1/2 tabs q6h" → 1.5 · tabs · q · 6 · h. Nothing is interpreted yet."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import pairwise

from safety.model.quantity import number
from safety.reading.directions.sums import without_sums
from safety.reading.directions.words import Lexicon
from safety.text import lowered

Range = tuple[Decimal, Decimal]
NUMBER = " #"  # the word that stands for a number that was read; no word of a text holds a space
STOP = "stop"  # what free text begins with, where a program prints a mark for it
UNREADABLE = " #?"  # … and for one that was not: "1,5", a date, a third

_TOKEN = re.compile(r"[0-9]+(?:[.,][0-9]+)*|\.[0-9]+|[^\W\d_]+(?:['’][^\W\d_]+)*|\S")
_DOTTED = re.compile(r"(?<![A-Za-z])((?:[A-Za-z]\.){2,5})(?![A-Za-z]{2})(?P<last>[A-Za-z](?![A-Za-z.]))?")
_WITH = re.compile(r"(?<![A-Za-z0-9/])w/(o\b)?", re.I)
_PLURAL = re.compile(r"(?<=[A-Za-z])\((s)\)", re.I)
_HOUR = r"(?:(?:at\s+)?\d{1,2}\s?[ap]m?|(?:in\s+|q\s?)?(?:am|pm|hs))\b"
_ON_AND_OFF = re.compile(rf"\b(?:put\s+)?on\s+{_HOUR}\s*[,;/]?\s*(?:and\s+|then\s+)?(?:take\s+)?off\s+{_HOUR}", re.I)
"""As in "on 8a off 8p", "on am off pm": a patch that is put on once a day."""
_SHORT_CLOCK = re.compile(r"(?<![\w.])(\d{1,2})\s?([ap])(?=[\s,;)/]|\Z)", re.I)
_CLOCK_AND_PART = re.compile(
    r"(?<![\w.])\d{1,2}\s?[ap]\s*(?:[&,/+]|and)\s*(?:noon|\d|[qh])|\bnoon\s*(?:[&,/+]|and)\s*\d{1,2}\s?[ap]\b", re.I
)
_APART = re.compile(r"(?<![\d.,/-])(\d+(?:\.\d+)?) - (\d+(?:\.\d+)?)(?![\d,/.])(?=\s*([a-z]*))", re.I)
_AFTER_A_STROKE = re.compile(r"(?<!\d)(?P<top>\d+)/(?P<under>\d+(?:\.\d+)?) - (?=\d)")
_BEFORE_A_PART = re.compile(r"(?<![\d.,/-])(\d+(?:\.\d+)?) - (?=\d/\d(?!\d))")
_IN_A_ROW = re.compile(r"(?<![\w.,/-])\d(?:\.5)?(?:-\d(?:\.5)?){2,3}(?![\w/.-])", re.I)
_TAPER = re.compile(
    r"(?:\btaper )?(?<![\w.,/-])(?P<doses>\d{1,3}(?:\.5)?(?:(?:-\d{1,3}(?:\.5)?){2,7}|(?:/\d{1,3}(?:\.5)?){2,7}))"
    r"(?: ?(?P<unit>mg|tabs?|tablets)\b)?(?: (?:each|po))?"
    r" (?:(?:q|every) ?(?P<each>\d) ?d(?:ays?)?\b|(?:each )?(?:x|for) ?(?P<days>\d) ?d(?:ays)? each\b"
    r"|daily x ?(?P<daily>\d) ?d(?:ays)? each\b)(?: taper\b)?",
    re.I,
)
_NEXT_WORD = re.compile(r"\s*([A-Za-z%]+|\d)")
_AND_TWO_MORE = re.compile(r"\d[-/]\d{1,2}[-/]\d")
_ONE_OF_A_ROW = re.compile(r"\d+(?:\.\d+)?")
_MOST_OF_A_ROW = 4
_THOUSAND = re.compile(r"(?<![\w.,/-])(\d{1,3})k(?![\w/])", re.I)
_DAYS_LISTED = re.compile(
    r"(?<![a-z])(?:d(?:ays?)?|w(?:ee)?ks?) ?\d{1,2}(?:,\d{1,2})+(?![\d.])"
    r"|(?<![\d.,])\d{1,2}(?:,\d{1,2})+(?= ?w(?:ee)?ks?\b)",
    re.I,
)
_W = re.compile(r"(?<![\w/])w(?= [a-z]{4})", re.I)
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?\Z")
_PLAIN = re.compile(r"[0-9]*\.?[0-9]+\Z")
_ODD = str.maketrans(
    {"½": " 1/2 ", "¼": " 1/4 ", "¾": " 3/4 ", "⅓": " 1/3 ", "⅔": " 2/3 ", "²": "2 ", "⁄": "/", "×": " x ", "μ": "µ", "’": "'"}
    | dict.fromkeys("‐‑‒–—−", "-")
)
_HOURS_IN_DEGREES = re.compile(r"\b(q\s?\d{1,2})\s?[°º]", re.I)
"""As in "q8°"."""
_HOURS_IN_BRACKETS = re.compile(r"\((\d{1,2}(?:-\d{1,2}){3,7})\)")
"""As in "5x/day (6-9-12-3-6)"."""
_THREE_HOURS = re.compile(r"(?<=\btid )\(\d{1,2}-\d{1,2}-\d{1,2}\)", re.I)
_HOURS_IN_A_ROW = re.compile(r"(?:\bat|@) ?(\d{1,2}(?:-\d{1,2}){2,6})(?![\w/-])")
"""As in "tid (7-12-5)", "at 6-10-2-6"."""
_TWO_HOURS = re.compile(r"@ ?(\d{1,2}) ?(?:&|and|,) ?(\d{1,2})(?![\w/:.-])", re.I)
"""As in "10 @ 8 & 12"."""
_SO_MANY_EACH = re.compile(r"(?<![\w.,/-])(\d{1,3}(?:\.5)?)( ?mg)? ?x ?(\d{1,2})(?= ?[,;/]| then|\s*\Z)", re.I)
"""As in "40 x5, 30 x5, 20 x5"."""
_DAYS_OF_HER_CYCLE = re.compile(r"\bcd ?(?=\d{1,2}-\d{1,2}\b)", re.I)
_DAYS_IN_A_ROW = re.compile(r"(?<![\w-])[A-Z][a-z]{0,3}(?:-[A-Z][A-Za-z]{0,2}){2,6}(?![\w-])")
_SO_MANY_A_DAY = re.compile(r"\b([a-z]{3,5})-a-day\b", re.I)
"""As in "one-a-day"."""
_WEEKS = re.compile(r"(?<![\w])((?:x|for|in|out) ?\d{1,2}) ?w(?![\w/])", re.I)
"""As in "in x 3w, out x 1w"; a "w" elsewhere is "with"."""
_ARROW = re.compile(r"\s*(?:-+>|=+>|→|➔)\s*")
_SAME = {"&": "and", "+": "plus", "@": "at", "[": "(", "]": ")", "{": "(", "}": ")", ";": ";", ":": ":"}
_MILLION = Decimal(1_000_000)
_HALF = Decimal("0.5")
_MOST_MORE = 4
"""So many times more pieces are told in one range, at most."""
_MOST_ROMAN = 4
_FEWEST_STEPS = 3
"""So many doses, each lower than the one before, are a taper."""
_HOURS_ON_A_CLOCK, _HOURS_OF_A_DAY, _HOURS_APART = 12, 24, 6
"""In Roman numerals fewer than so many are taken where no form follows: "iv" is a route."""
_SMALL: dict[str, Decimal] = {str(n): Decimal(n) for n in range(1001)}


class Tokens:
    """Three lists of one length: the word to compare, the text as written, and the number's range where it is one."""

    __slots__ = ("nums", "raws", "words")

    def __init__(self) -> None:
        self.words: list[str] = []
        self.raws: list[str] = []
        self.nums: list[Range | None] = []

    def add(self, word: str, raw: str, num: Range | None = None) -> None:
        """Append one token."""
        self.words.append(word)
        self.raws.append(raw)
        self.nums.append(num)


def tokens_of(text: str, lex: Lexicon) -> Tokens:
    """The words and numbers of a text, in order; every visible character ends up in one of them."""
    raws = _cut(text, lex)
    words = [_SAME.get(raw) or raw.lower() for raw in raws]
    tokens = Tokens()
    i, n = 0, len(raws)
    while i < n:
        word = words[i]
        if word[0].isdigit() or (word[0] == "." and len(word) > 1) or word in lex.numbers or word in lex.parts:
            j, num = _number(words, i, lex)
            tokens.add(NUMBER if num else UNREADABLE, " ".join(raws[i:j]).replace(" / ", "/").replace(" - ", "-"), num)
            i = j
        elif word in lex.roman and (roman := _roman(words, i, lex)) is not None:
            tokens.add(NUMBER, " ".join(raws[i : roman[0]]), roman[1])
            i = roman[0]
        else:
            if not _glued(word, raws[i], tokens, lex):
                tokens.add(word, raws[i])
            i += 1
    return tokens


def _roman(words: list[str], i: int, lex: Lexicon) -> tuple[int, Range] | None:
    """As in "ii tabs", "i-ii tabs": Roman numerals right before what is counted, and where they end."""
    low = high = lex.roman[words[i]]
    j = i + 1
    k = j + (words[j : j + 1] in (["-"], ["to"], ["or"]))
    if words[k : k + 1] and lex.roman.get(words[k], 0) > low:
        j, high = k + 1, lex.roman[words[k]]
    follows = words[j] if j < len(words) else ""
    return (j, (low, high)) if follows in lex.counted or (follows in lex.after_roman and high < _MOST_ROMAN) else None


def _cut(text: str, lex: Lexicon) -> list[str]:
    raws = _TOKEN.findall(_as_read(text, lex))
    if "." in raws:  # a stop ends a sentence only before a capital: "30 min. before"
        raws = [raw for k, raw in enumerate(raws) if raw != "." or (raws[k + 1 : k + 2] and raws[k + 1][0].isupper())]
    if lex.form_codes.keys() & {raw.lower() for raw in raws}:
        raws = [word for raw in raws for word in lex.form_codes.get(raw.lower(), raw).split()]
    if "-" in raws:
        raws = [raw for k, raw in enumerate(raws) if raw != "-" or _dash_matters(raws, k, lex)]
    return raws


def _by_how_bad(found: re.Match[str]) -> str:
    """As in "5-10 mg q4 prn mod pain": the range of what is taken for less and for more of it, where it is taken as often."""
    low, high = Decimal(found["low"]), Decimal(found["high"])
    often = [word for word in lowered(found["again"]).replace(" h", "h").split() if word[:1] == "q"]
    units = {lowered(found[n]).strip().rstrip("s") for n in ("unit", "other")} - {""}
    if not low < high <= low * _MOST_MORE or len(units) > 1 or not all(o.rstrip("h") in lowered(found["told"]) for o in often):
        return found[0]
    return f"{low}-{high}{found['unit'] if found['unit'].strip() else found['other']}{found['told']}"


def _as_read(text: str, lex: Lexicon) -> str:
    """A text with its odd characters, signs and short forms written out."""
    text = lex.by_how_bad.sub(_by_how_bad, text)
    if not text.isascii():
        text = _HOURS_IN_DEGREES.sub(r"\1h", text).translate(_ODD)
    if "/" in text:
        text = _WITH.sub(lambda found: "without " if found[1] else "with ", text)
    if "(" in text:
        text = _PLURAL.sub(r"\1", text)  # "tab(s)"
        text = lex.of_a_part.sub(lambda found: found[2 if lex.base & {*lowered(found[3]).split()} else 1] + " ", text)
    if " - " in text:
        text = _APART.sub(lambda found: _unless_rising(found, lex), text)
        text = _AFTER_A_STROKE.sub(_unless_a_part, text)  # "160/5 - 5 mL"
        text = _BEFORE_A_PART.sub(_unless_whole, text)
    if _ARROW.search(text):
        text = _ARROW.sub(" then ", text)
    if " w " in text:
        text = _W.sub("with", text)
    text = _numbers_as_read(text, lex)
    if "." in text:
        text = _DOTTED.sub(lambda found: _undotted(found, lex), text)
    if lex.codes_with_digits.search(text):
        text = lex.codes_with_digits.sub(lambda found: f" {lex.form_codes[lowered(found[0])]} ", text)
    return text


def _numbers_as_read(text: str, lex: Lexicon) -> str:
    """As in "d1,8,15" with spaces between the days, "50k" as 50000, "8a/2p" as hours, "1-0-1" as parts of the day."""
    if "(" in text:
        text = _THREE_HOURS.sub(_hours_of_a_day, text)
        text = without_sums(_HOURS_IN_BRACKETS.sub(lambda found: found[0].replace("-", ","), text))
    if "@" in text or " at " in text:
        text = _TWO_HOURS.sub(_twice_by_the_clock, _HOURS_IN_A_ROW.sub(_by_the_clock, text))
    if text.count("x") >= _FEWEST_STEPS:
        text = _each_for_days(text)
    if _TAPER.search(text):
        text = _TAPER.sub(_in_turn, text)
    if _IN_A_ROW.search(text) or _AND_TWO_MORE.search(text):
        text = lex.by_meal.sub(lambda found: _by_meal(found, lex), text)
        text = _IN_A_ROW.sub(lambda found: _by_part_of_the_day(found, lex), text)
    if "/2" in text or "/3" in text or "/4" in text:
        text = lex.cycle_in_short.sub(_from_the_first_day, text)
    if "," in text:
        text = _DAYS_LISTED.sub(lambda found: found[0].replace(",", ", "), text)
    if "-" in text:
        text = _DAYS_IN_A_ROW.sub(lambda found: _days_apart(found, lex), _SO_MANY_A_DAY.sub(r"\1 a day", text))
    text = _WEEKS.sub(r"\1 wk", _DAYS_OF_HER_CYCLE.sub("d", text))
    if "k" in text or "K" in text:
        text = _THOUSAND.sub(r"\g<1>000", text)
    if _ON_AND_OFF.search(text):
        text = _ON_AND_OFF.sub(" daily ", text)
    if len(_SHORT_CLOCK.findall(text)) > 1 or _CLOCK_AND_PART.search(text):
        text = _SHORT_CLOCK.sub(r"\1 \2m", text)
    return text


def _hours_of_a_day(found: re.Match[str]) -> str:
    """As in "tid (7-12-5)": three hours, one after the other on one day and far apart; else as it is."""
    hours = [int(h) for h in found[0].strip("()").split("-")]
    later = [h + _HOURS_ON_A_CLOCK * (h < hours[0]) for h in hours]
    in_order = later == sorted(set(later)) and later[-1] - later[0] >= _HOURS_APART and max(hours) <= _HOURS_ON_A_CLOCK
    return found[0].replace("-", ",") if in_order else found[0]


def _by_the_clock(found: re.Match[str]) -> str:
    """As in "at 6-10-2-6": so many times a day, at these hours; as it is where one of them is none."""
    hours = found[1].split("-")
    return f"{len(hours)} times a day" if all(1 <= int(h) <= _HOURS_ON_A_CLOCK for h in hours) else found[0]


def _twice_by_the_clock(found: re.Match[str]) -> str:
    """As in "@ 8 & 12": twice a day; as it is where one of them is no hour."""
    hours = int(found[1]), int(found[2])
    return "2 times a day" if all(1 <= h <= _HOURS_OF_A_DAY for h in hours) and hours[0] != hours[1] else found[0]


def _each_for_days(text: str) -> str:
    """As in "40 x5, 30 x5, 20 x5": each dose, lower than the one before, for so many days."""
    steps = _SO_MANY_EACH.findall(text)
    doses = [Decimal(step[0]) for step in steps]
    falls = len(steps) >= _FEWEST_STEPS and doses == sorted(set(doses), reverse=True) and text.count("x") == len(steps)
    return _SO_MANY_EACH.sub(r"\1\2 daily x \3 days", text) if falls else text


def _days_apart(found: re.Match[str], lex: Lexicon) -> str:
    """As in "M-W-F": single days; two of them are from one to the other."""
    days = lowered(found[0]).split("-")
    return "/".join(days) if all(day in lex.day_letters or day in lex.weekdays for day in days) else found[0]


def _undotted(found: re.Match[str], lex: Lexicon) -> str:
    """As in "b.i.d.", "p.r.n": one word; a last letter without its dot belongs to it where that is one ("p.o.q day" is two)."""
    letters, last = found[1].replace(".", ""), found["last"] or ""
    together = letters + last
    return f"{together} " if not last or lowered(together) in lex.phrases else f"{letters} {last}"


def in_numbers(text: str) -> bool:
    """Whether a taper is told by its doses in a row, "40-30-20-10 mg q3d"."""
    return _TAPER.search(text) is not None


def _in_turn(found: re.Match[str]) -> str:
    """As in "40-30-20-10 mg q3d": each for so many days, one after the other; as it is where they do not fall or rise."""
    numbers = [Decimal(n) for n in _ONE_OF_A_ROW.findall(found["doses"])]
    falling = numbers == sorted(set(numbers), reverse=True) or numbers == sorted(set(numbers))
    each = found["each"] or found["days"] or found["daily"]
    if not falling or each is None:
        return found[0]
    unit = f" {found['unit']}" if found["unit"] else ""
    return ", ".join(f"{n}{unit} daily x {each} days" for n in numbers)


def _from_the_first_day(found: re.Match[str]) -> str:
    """As in "125 mg 21/28": on the first 21 of 28 days."""
    days, _, cycle = found["cycle"].partition("/")
    return f"{found[1]}days 1-{days} of {cycle}"


def _by_meal(found: re.Match[str], lex: Lexicon) -> str:
    """As in "4-4-6 with meals": each number with its meal."""
    unit = f" {found[2]}" if found[2] else ""
    numbers = _ONE_OF_A_ROW.findall(found[1])
    return ", ".join(f"{n}{unit} {meal}" for n, meal in zip(numbers, lex.with_each_meal, strict=True))


def _by_part_of_the_day(found: re.Match[str], lex: Lexicon) -> str:
    """As in "1-0-1": so many in the morning, at noon, in the evening, of what was told before; as it is where they are too many
    to be counts, or a unit follows."""
    numbers = [Decimal(n) for n in _ONE_OF_A_ROW.findall(found[0])]
    after = _NEXT_WORD.match(found.string, found.end())
    counted = after is not None and (after[1].isdigit() or lowered(after[1]) in lex.counted or lex.units.symbol(after[1]))
    told_before = any(c.isdigit() for c in found.string[: found.start()]) or 0 in numbers
    if counted or not told_before or max(numbers) > _MOST_OF_A_ROW or not any(numbers):
        return found[0]
    return ", ".join(f"{n} {part}" for n, part in zip(numbers, lex.in_order, strict=False) if n) + " ;"


def _unless_rising(found: re.Match[str], lex: Lexicon) -> str:
    """As in "50 - 1 tab", "0.4 - 2 caps": a dash between spaces is a range only where the second number is higher, and of pieces
    not by far."""
    low, high = Decimal(found[1]), Decimal(found[2])
    pieces = lowered(found[3]) in lex.counted and (low % _HALF != 0 or high > low * _MOST_MORE)
    return found[0] if high > low and not pieces else f"{found[1]} ; {found[2]}"


def _unless_whole(found: re.Match[str]) -> str:
    """As in "100 - 1/2 tab": a strength, and half of one; "1 - 1/2" is one and a half."""
    return found[0] if Decimal(found[1]) < _MOST_MORE else f"{found[1]} ; "


def _unless_a_part(found: re.Match[str]) -> str:
    """As in "160/5 - 5 mL": a strength, and how much of it; "1/2 - 1 tab" is a range that begins with a part."""
    if int(found["top"]) < Decimal(found["under"]):
        return f"{found['top']}/{found['under']}-"
    return f"{found['top']}/{found['under']} ; "


def _dash_matters(raws: list[str], k: int, lex: Lexicon) -> bool:
    """A dash joins numbers, amounts or codes ("4-6", "5 mg-10 mg", "qd-bid"); in "as-needed" it is a space."""
    if not 0 < k < len(raws) - 1:
        return False
    before, after = raws[k - 1].lower(), raws[k + 1].lower()
    if after in lex.numbers:
        return lex.numbers.get(before, 1) < 20  # "twenty-five" is one number
    return after[0].isdigit() or (after in lex.codes and before in lex.codes)


def _glued(word: str, raw: str, tokens: Tokens, lex: Lexicon) -> bool:
    """Words that ran together: "bidx" (7 days), "hrprn"; split only where every side is then known."""
    behind_number = tokens.words[-1:] == [NUMBER]
    if word in lex.phrases and not behind_number:
        return False
    if word[-1] == "x" and word[:-1] in lex.time:  # "q12hx10"
        _split(word, raw, (0, len(word) - 1, len(word)), tokens, lex)
        return True
    if (word == "xd" and behind_number) or (word[0] == "q" and word[1:] in lex.weekdays):  # "2xd", "qSunday"
        _split(word, raw, (0, 1, len(word)), tokens, lex)
        return True
    if word in lex.phrases or len(word) < 4:
        return False
    if word[-1] == "x" and word[:-1] in lex.phrases:
        tokens.add(word[:-1], raw[:-1])
        tokens.add("x", raw[-1])
        return True
    for mark, kind in lex.marks.items():
        at = word.find(mark)
        if at >= 0 and (kind != STOP or at == 0 or word[:at] in lex.phrases or _glued(word[:at], raw[:at], Tokens(), lex)):
            _split(word, raw, (0, at, at + len(mark), len(word)), tokens, lex)
            return True
    for at in range(1, len(word) - 1) if behind_number and word not in lex.counted else ():  # "20mgdaily"
        unit = word[:at] in lex.counted or lex.units.symbol(word[:at]) is not None
        if unit and word[at:] in lex.codes | lex.after_roman and len(word[at:]) > 1:
            _split(word, raw, (0, at, len(word)), tokens, lex)
            return True
    for at in range(2, len(word) - 1):  # "tidwm": two codes that ran together
        if word[:at] in lex.codes and word[at:] in lex.short_codes:
            _split(word, raw, (0, at, len(word)), tokens, lex)
            return True
    return False


def _split(word: str, raw: str, cuts: tuple[int, ...], tokens: Tokens, lex: Lexicon) -> None:
    """The parts of a word; a mark that free text begins is a stop."""
    for start, end in pairwise(cuts):
        part = word[start:end]
        if lex.marks.get(part) == STOP:
            tokens.add(".", raw[start:end])
        elif part and not _glued(part, raw[start:end], tokens, lex):
            tokens.add(part, raw[start:end])


def _number(words: list[str], i: int, lex: Lexicon) -> tuple[int, Range | None]:
    """A number or a range from word i on: the next word's index, and the range (None: digits that cannot be read)."""
    j, low = _value(words, i, lex)
    high = low
    if j + 1 < len(words) and words[j] in ("-", "to", "or") and _starts_number(words, j + 1, lex):
        k, second = _value(words, j + 1, lex)
        if low is None or second is None:
            if words[j] == "-":
                return k, None
            return j, None if low is None else (low, low)
        if second > low:
            j, high = k, second
        elif words[j] == "-" and second < 1 <= low == low.to_integral_value():
            j, low = k, low + second  # 1-1/2 is one and a half
            high = low
        elif words[j] == "-":
            return k, None
        if words[j : j + 1] == ["-"] and _starts_number(words, j + 1, lex):
            return _value(words, j + 1, lex)[0], None  # 2-5-2023, 555-12-34
    if low is None or high is None:
        return j, None
    return _said_again(words, i, j, (low, high), lex), (low, high)


def _said_again(words: list[str], i: int, j: int, num: Range, lex: Lexicon) -> int:
    """Past a number given twice, in digits and then in words or brackets: "6 (six)", "2 two", "one (1)"."""
    bracket = words[j : j + 1] == ["("]
    k = j + bracket
    if not _starts_number(words, k, lex) or not (bracket or (words[i][0].isdigit() and words[k] in lex.numbers)):
        return j
    end, value = _value(words, k, lex)
    low, high = value, value
    if end + 1 < len(words) and words[end] in ("-", "to", "or") and _starts_number(words, end + 1, lex):
        end, high = _value(words, end + 1, lex)
    if bracket and words[end : end + 1] != [")"]:
        return j
    return end + bracket if (low, high) == num else j


def _starts_number(words: list[str], i: int, lex: Lexicon) -> bool:
    if i >= len(words):
        return False
    word = words[i]
    return (word[0].isascii() and word[0].isdigit()) or word in lex.numbers or word in lex.parts


def _value(words: list[str], i: int, lex: Lexicon) -> tuple[int, Decimal | None]:
    """One number from word i on: 1,000 · 0.5 · 1/2 · 1 1/2 · one and a half · two hundred fifty."""
    word = words[i]
    if word in lex.parts:
        if words[i + 1 : i + 2] == ["a"] and words[i + 2 : i + 3] and words[i + 2] in lex.sets:
            return i + 3, lex.parts[word] * lex.numbers[words[i + 2]]
        return i + 1, lex.parts[word]
    if word in lex.numbers:
        return _worded(words, i, lex)
    value = _SMALL.get(word)
    if value is None:
        value = _digits(word)
    j = i + 1
    if words[j : j + 1] == ["/"] and j + 1 < len(words):
        pair = (word, words[j + 1])
        if pair in lex.fractions:
            return j + 2, lex.fractions[pair]
        if pair in lex.not_exact:
            return j + 2, None
    if value is None:
        return j, None
    return _and_part(words, j, value, lex)


def _worded(words: list[str], i: int, lex: Lexicon) -> tuple[int, Decimal | None]:
    value, j = lex.numbers[words[i]], i + 1
    if words[i] in lex.sets:
        return j + (words[j : j + 1] == ["of"]), value
    if j < len(words) and words[j] in lex.sets:
        return j + 1, value * lex.numbers[words[j]]
    if j < len(words) and value >= 20 and words[j] in lex.numbers and lex.numbers[words[j]] < 10:
        value, j = value + lex.numbers[words[j]], j + 1
    while j < len(words) and words[j] in lex.multiples and value < 10000:
        value, j = value * lex.multiples[words[j]], j + 1
        k = j + (words[j : j + 1] == ["and"])
        if value < 1000 and k < len(words) and words[k] in lex.numbers:
            end, rest = _worded(words, k, lex)
            if words[end : end + 1] and words[end] in lex.times:
                return j, value  # "three hundred three times a day"
            j = end
            return j, None if rest is None or rest >= 100 else value + rest
    if value in (1, 3) and j < len(words) and words[j] in lex.parts:
        return j + 1, value * lex.parts[words[j]]
    return _and_part(words, j, value, lex)


def _and_part(words: list[str], j: int, value: Decimal, lex: Lexicon) -> tuple[int, Decimal]:
    """As in "1 1/2", "1 and 1/2", "one and a half": the part is added to a whole number."""
    if j >= len(words):
        return j, value
    if lex.multiples.get(words[j], 0) >= _MILLION:
        return j + 1, value * lex.multiples[words[j]]
    if value != value.to_integral_value():
        return j, value
    k = j + (words[j] == "and")
    if k > j:
        at = k + (words[k : k + 1] in (["a"], ["one"]))
        part = lex.parts.get(words[at]) if at < len(words) else None
        if part is not None:
            return at + 1, value + part
    if k + 2 < len(words) and words[k + 1] == "/":
        part = lex.fractions.get((words[k], words[k + 2]))
        if part is not None and value < (10 if words[k + 3 : k + 4] and words[k + 3] not in lex.counted else 5):
            return k + 3, value + part
    return j, value


def _digits(word: str) -> Decimal | None:
    if ("," in word and not _THOUSANDS.match(word)) or ("," not in word and not _PLAIN.match(word)):
        return None
    return number(word)
