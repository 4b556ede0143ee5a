"""Patients' English made plain: contractions opened, numbers as digits, common slips of the keyboard mended.

`i've been takin' forty-mg twice` → `i have been taking 40 mg 2 times`. Nothing is interpreted yet.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from rapidfuzz.distance import DamerauLevenshtein

from safety.model.quantity import number, plain

LONGEST_STATEMENT = 2000


def _listed(text: str) -> list[str]:
    return text.split()


_ODD = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "½": " 1/2 ", "¼": " 1/4 ", "¾": " 3/4 ", "×": " x ", "μ": "µ"}
                     | dict.fromkeys("‐‑‒–—−", "-"))  # fmt: skip
_OPENED = [
    (re.compile(rf"\b(?:{short})\b"), full)
    for short, full in {
        "at once": "together", "can'?t": "can not", "cannot": "can not", "won'?t": "will not", "shan'?t": "shall not",
        "ain'?t": "am not",
        "(do|does|did|have|has|had|is|are|was|were|could|would|should)n'?t": r"\1 not",
        "i'?m": "i am", "i'?ve": "i have", "i'd": "i would", "i'll": "i will", "it'?s": "it is", "that'?s": "that is",
        "(you|we|they)'re": r"\1 are", "(he|she|what|there)'s": r"\1 is", "gonna": "going to", "gotta": "have to",
        "takin'?": "taking", "tak": "take", "til": "until", "mgs": "mg", "milligrams?": "mg", "miligrams?": "mg",
        "micrograms?|mics|mcgs|ug|µg": "mcg", "grams?|gm|gms": "g", "millilit(?:er|re)s?|mls?|ccs?": "ml",
        "milliequivalents?": "meq", "units?": "unit", "teaspoons?(?:fuls?)?|tsps?": "tsp",
        "tablespoons?(?:fuls?)?|tbsps?": "tbsp", "once": "1 times", "twice": "2 times", "thrice": "3 times",
        "every day|everyday|each day": "every day", "a d(?:a)?y": "a day", "meds": "medicine", "b\\.?i\\.?d": "2 times daily",
        "t\\.?i\\.?d": "3 times daily", "q\\.?i\\.?d": "4 times daily", "qhs|hs": "at bedtime", "qd": "daily",
        "qod": "every other day", "prn": "as needed", "hrs?": "hours", "okay": "ok",
        r"(?:at )?\d{1,2}(?::\d\d)? ?a\.?m\b\.?|(?:in )?the am\b|a\.m\.?": "in the morning",
        r"(?:at )?\d{1,2}(?::\d\d)? ?p\.?m\b\.?|(?:in )?the pm\b|p\.m\.?": "in the evening",
        r"(me|i|he|she|we|they) no (take|took|have|use|give|get|buy|got|drink|eat)": r"\1 did not \2",
        "first thing(?: in the morning)?|when the sun comes up": "in the morning", "last thing(?: at night)?": "at bedtime",
        r"(bottle|box|pen|pharmacy|inhaler|supply|vial)'?s (?=empty|out|gone|closed|finished|done|dry)": r"\1 is ",
        "when (?:i|he|she) (?:get|wake|gets|wakes) up|on waking|upon waking|when i first get up": "in the morning",
        "1 times in a (?:while|blue moon|great while)": "occasionally", "n a half": "and a half", "em": "them",
        "(?:right )?before i (?:hit the (?:sack|hay)|go to (?:bed|sleep)|turn in|lie down)": "at bedtime",
    }.items()
]  # fmt: skip

_ONES = {w: n for n, w in enumerate(
    _listed(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
))}  # fmt: skip
_TENS = {w: 10 * n for n, w in enumerate(_listed("twenty thirty forty fifty sixty seventy eighty ninety"), 2)} | {"fourty": 40}
_PLURAL_TENS = {w[:-1] + "ies": n for w, n in _TENS.items()} | {"tens": 10, "hundreds": 100, "fifteens": 15, "twelves": 12}
_FEW = 2  # "two hundreds" may be two of a hundred
_PLURAL_ONES = {w + ("es" if w == "six" else "s"): n for w, n in _ONES.items() if 1 < n < 10}
_BEFORE_PRONOUN = frozenset(
    _listed(
        "the this that each every evening morning afternoon night lunch lunchtime bedtime second other another extra missed "
        "old new which first last same no any next nighttime noon daytime wrong right some blue white red pink green yellow"
    )
)
_UNITS = ("mg", "mcg", "g", "ml", "unit", "meq", "iu")
_FORM = re.compile(r"(tablets?|tabs?|pills?|capsules?|caps?|caplets?|ones)\b")

_KNOWN = _listed(
    "forgot forget forgotten forgetting skipped skipping missed missing stopped prescribed directed morning evening "
    "night every twice times daily tablet tablets capsule capsules taking bedtime doubled another weekly hours instead "
    "again breakfast lunch dinner supper"
)
_REAL = frozenset(
    _listed(
        "forge forges skipper mixed mised mossed stepped stooped stropped prescriber rightly nights might light right sight "
        "ever very ever's evert tames limes dimes mimes dairy dailies table tables talking raking making baking caking "
        "waking double doubles weakly hour ours house gain pain against launch lunge winter dinners diner upper tight fight "
        "eight timer timed tines mourning dining sinner thinner winner inner super times's listed misled messed kissed "
        "hissed missy massed tossed passing kissing messing mission hissing fright bright knight shopped slipped skipping "
        "stripping shipping shipped clipped tripped flipped whipped hits"
    )
)


_APART = re.compile(r"\bone[ -](?=(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|\d+)(?:[ -]\w+)?) (?:mg|mcg)\b)")


def _one_of(m: re.Match[str]) -> str:
    return "one of my "


def two_ways(text: str) -> bool:
    """Whether "one forty milligram" in it may be a hundred and forty, or one of forty."""
    return bool(
        re.search(
            r"\bone[ -](?:twenty|thirty|forty|fifty|sixty|seventy|eighty|"
            r"ninety)",
            text[:LONGEST_STATEMENT].lower(),
        )
    )


def plain_words(text: str, *, apart: bool = False) -> str:
    """A statement in lower case with numbers as digits, one space between words, and its stops and commas kept.

    `apart`: "one forty milligram" is one of forty, not a hundred and forty.
    """
    text = " ".join(text[:LONGEST_STATEMENT].translate(_ODD).lower().split())
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    for short, full in _OPENED:
        text = short.sub(full, text)
    text = _APART.sub(_one_of, text) if apart else text
    text = re.sub(r"(\d)\s*-\s*(?=\d)", r"\1 to ", text)
    text = re.sub(r"(?<=[a-z0-9])-(?=[a-z0-9])", " ", text)
    text = re.sub(r"(?<=\d)(?=(?:mg|mcg|g|ml|unit|meq|iu|x|tabs?|caps?|pills?|tablets?|puffs?|hours?|h)\b)", " ", text)
    text = re.sub(r"(?<![\d.])\.(?=\d)", "0.", text)
    words = re.findall(r"\d+(?:\.\d+)?(?:/\d+(?:\.\d+)?)?s?|[a-zµ]+|[.,;:!?()/]", text.replace("'", ""))
    return _whole_and_part(_spaced(_numbers([_mended(w) for w in words])))


_AND_A_HALF = re.compile(
    r"\b(?:(\d+)|an?) (tsp|tbsp|tablets?|pills?|capsules?|puffs?|ml|mg) and (?:a )?(0\.5|0\.25)\b(?! (?:tablet|pill|at|in|every))"
)


def _whole_and_part(text: str) -> str:
    """As in "a teaspoon and a half": one and a half of them; "point one of a milligram" is 0.1 mg."""
    text = _AND_A_HALF.sub(lambda m: f"{plain(Decimal(m[1] or 1) + Decimal(m[3]))} {m[2]}", text)
    text = re.sub(r"\b(?:at )?(?:1[0-2]|[1-9]) am\b", "in the morning", text)
    text = re.sub(r"\b(?:at )?(?:1[0-2]|[1-9]) pm\b", "in the evening", text)
    text = re.sub(r"\b(\d) tenths?(?: of an?)? (mg|mcg|g|ml)\b", r"0.\1 \2", text)
    text = re.sub(r"(\d) of an? (mg|mcg|g|ml)\b", r"\1 \2", text)
    return re.sub(r"(?<!0\.5 )(?<!0\.25 )\ban? (mg|mcg|g|ml|tsp|tbsp)\b", r"1 \1", text)


@lru_cache(4096)
def _mended(word: str) -> str:
    """A word one slip away from one that matters here (`frgot`), unless it is a word of its own."""
    if len(word) < 5 or word in _KNOWN or word in _REAL or not word.isalpha():
        return word
    near = [k for k in _KNOWN if len(k) >= 5 and DamerauLevenshtein.distance(word, k, score_cutoff=1) <= 1]
    plural = [k for k in near if word in (k + "s", k.removesuffix("s"))]
    return near[0] if len(near) == 1 and not plural else word


def _spaced(words: list[str]) -> str:
    return re.sub(r" ([,;:!?]|\.(?= |$))", r"\1", " ".join(words))


def _numbers(words: list[str]) -> list[str]:
    """Number words as digits, each run of them one number."""
    found: list[str] = []
    i = 0
    while i < len(words):
        word = words[i]
        before = found[-1] if found else ""
        after = words[i + 1] if i + 1 < len(words) else ""
        if word in _PLURAL_TENS or word in _PLURAL_ONES:
            found.append(f"{_PLURAL_TENS.get(word) or _PLURAL_ONES[word]}s")
            i += 1
        elif word == "one" and _PLURAL_TENS.get(after, 0) in range(10, 100):
            found.append(f"{100 + _PLURAL_TENS[after]}s")  # "the one twelves"
            i += 2
        elif after == "hundreds" and _ONES.get(word, 0) > _FEW:
            found.append(f"{_ONES[word] * 100}s")
            i += 2
        elif word in _TENS and after in _PLURAL_ONES:
            found.append(f"{_TENS[word] + _PLURAL_ONES[after]}s")
            i += 2
        elif word == "one" and ((before in _BEFORE_PRONOUN and not _FORM.match(after)) or (before == "a" and after == "off")):
            found.append(word)
            i += 1
        elif _starts(words, i):
            i, values = _run(words, i)
            found += values
        else:
            i = _written(words, i, found)
    return found


def _written(words: list[str], i: int, found: list[str]) -> int:
    """One word that is no number word: halves, couples, dozens, written fractions; anything else as it stands."""
    word = words[i]
    rest = words[i + 1 : i + 4]
    if word in ("1/2", "1/4", "3/4"):
        value = {"1/2": Decimal("0.5"), "1/4": Decimal("0.25"), "3/4": Decimal("0.75")}[word]
        whole = number(found[-1]) if found and found[-1].isdigit() else None
        if whole is not None:
            found.pop()
        found.append(plain(value + (whole or 0)))
        return i + 1 + _article(rest)
    if word == "half" and rest[:1] not in (["dose"], ["the"], ["my"]) and rest[:2] != ["a", "dose"]:
        if found and (found[-1] == "a" or (found[-1] == "1" and i and words[i - 1] == "one")):
            found.pop()
        if found[-2:] and found[-1] == "and" and len(found) > 1 and found[-2].isdigit():
            found[-2:] = [f"{found[-2]}.5"]
            return i + 1
        found.append("0.5")
        return i + 1 + _article(rest)
    if word == "quarter" and rest[:1] and (rest[0] in _UNITS or rest[:2] == ["of", "a"] or _FORM.match(rest[0])):
        if found and found[-1] in ("a", "1"):
            found.pop()
        if len(found) > 1 and found[-1] == "and" and found[-2].isdigit():
            found[-2:] = [f"{found[-2]}.25"]
            return i + 1
        found.append("0.25")
        return i + 1 + 2 * (rest[:2] == ["of", "a"])
    if word == "couple":
        if found and found[-1] == "a":
            found.pop()
        found.append("2")
        return i + 1 + (rest[:1] == ["of"])
    if word == "dozen" and found and found[-1] == "a":
        found[-1] = "12"
        return i + 1
    found.append(word)
    return i + 1


def _article(rest: list[str]) -> int:
    """How many of "of a", "of one", "a" follow a half; "a day" is how often."""
    if rest[:1] == ["a"] and rest[1:2] and rest[1] in ("day", "night", "morning", "week"):
        return 0
    if rest[:2] in (["of", "a"], ["of", "one"], ["of", "an"], ["of", "the"], ["of", "my"]):
        return 2
    return 1 if rest[:1] in (["a"], ["an"], ["of"]) else 0


def _starts(words: list[str], i: int) -> bool:
    word = words[i]
    after = words[i + 1] if i + 1 < len(words) else ""
    if word == "point":
        return after == "oh" or after in _ONES or after in _TENS or after.isdigit()
    return word in _ONES or word in _TENS or word == "hundred" or (word == "a" and after in ("hundred", "thousand"))


def _run(words: list[str], i: int) -> tuple[int, list[str]]:  # noqa: C901 (to be redrawn)
    """The number words from i on: where they end, and the number (or two, as in "two twenty milligram tablets")."""
    total, group, seen = 0, 0, ""
    first, start = words[i], i
    while i < len(words):
        word = words[i]
        after = words[i + 1] if i + 1 < len(words) else ""
        if word == "a" and after in ("hundred", "thousand"):
            group, seen = 1, "ones"
        elif word == "hundred" and seen in ("", "ones", "end"):
            group, seen = (group or 1) * 100, "hundred"
        elif word == "thousand" and seen:
            total, group, seen = total + (group or 1) * 1000, 0, "hundred"
        elif word in _ONES and i > start and after == "times":
            break  # "five hundred three times a day"
        elif word in _TENS and seen in ("", "hundred", "ones"):
            if seen == "ones":
                if not 0 < group < 10:
                    break
                group *= 100  # "one twenty five" is 125
            group, seen = group + _TENS[word], "tens"
        elif (word in _ONES and seen in ("", "hundred")) or (word in _ONES and seen == "tens" and 0 < _ONES[word] < 10):
            group, seen = group + _ONES[word], "ones" if seen in ("", "hundred") and group == 0 else "end"
        elif word == "oh" and seen == "ones" and after in _ONES:
            group, seen = group * 100, "hundred"
        elif word == "and" and seen == "hundred" and (after in _ONES or after in _TENS):
            pass
        else:
            break
        i += 1
    value = total + group
    if i < len(words) and words[i] == "point":
        end, digits = _decimals(words, i + 1)
        if digits:
            return end, [f"{value}.{digits}"]
    split = _two_numbers(words[start:i], words[i : i + 3], first, value)
    return i, split or [str(value)]


def _two_numbers(run: list[str], rest: list[str], first: str, value: int) -> list[str]:
    """As in "two twenty milligram tablets": a count and a strength, not two hundred and twenty."""
    joined = 100 < value < 1000 and first in _ONES and len(run) > 1 and run[1] in _TENS
    if joined and rest[:1] and rest[0] in _UNITS and any(_FORM.match(w) for w in rest[1:]):
        count = _ONES[first]
        return [str(count), str(value - 100 * count)]
    return []


def _decimals(words: list[str], i: int) -> tuple[int, str]:
    """The digits after "point": "one two five", "twenty five", "5"."""
    digits = ""
    while i < len(words):
        word = words[i]
        if word in _ONES and _ONES[word] < 10:
            digits += str(_ONES[word])
        elif word == "oh":
            digits += "0"
        elif word in _TENS:
            after = _ONES.get(words[i + 1], 0) if i + 1 < len(words) else 0
            digits += str(_TENS[word] + (after if 0 < after < 10 else 0))
            i += 0 < after < 10
        elif word.isdigit():
            digits += word
        else:
            break
        i += 1
    return i, digits
