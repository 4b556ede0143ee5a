"""How much, how often and when, found in a statement's plain words; what belongs to what. English only, no drug."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from safety.model.directions import TimesPerDay
from safety.model.quantity import Quantity, QuantityRange
from safety.reading.spoken.reported import Regimen

BARE = "bare"
_N = r"(\d+(?:\.\d+)?)"
_RANGE = rf"{_N}(?:,? ?(?:to|or|and sometimes|sometimes|or sometimes|maybe|or maybe),? {_N})?"
_FORMS = (
    "tablet|tab|pill|capsule|caplet|cap|softgel|gelcap|liquicap|puff|spray|drop|patch|lozenge|gummy|gummie|packet|"
    "suppository|suppositorie|inhalation|injection|vial"
)
_FORM = rf"({_FORMS})(?:e?s)?"
_MASSES = "mg|mcg|g|unit|ml|meq|iu|tsp|tbsp"
_MASS = rf"({_MASSES})"
_VERBS = (
    "takes?|taking|took|taken|use|using|used|do|had|has|gives?|giving|inject|gave|pop|have|just|only|swallow|swallowed|crush|"
    "chew|"
    "makes?|made|pops?|popped|eats?|ate|got|gets|throw|toss|add|adds|added"
)
_FORM_UNIT = {
    "tab": "tablet", "pill": "pill", "cap": "capsule", "caplet": "tablet", "softgel": "capsule", "gelcap": "capsule",
    "liquicap": "capsule", "gummie": "gummy", "suppositorie": "suppository",
}  # fmt: skip
_PERIOD = {"hour": Fraction(1, 24), "day": Fraction(1), "week": Fraction(7), "month": Fraction(30), "night": Fraction(1),
           "morning": Fraction(1), "evening": Fraction(1), "year": Fraction(365)}  # fmt: skip
_UNIT_DAYS = r"(hour|day|night|morning|evening|week|month|year)"
_SLOT = {
    "morning": "morning", "breakfast": "morning", "waking": "morning", "noon": "noon", "midday": "noon", "lunch": "noon",
    "lunchtime": "noon", "afternoon": "afternoon", "evening": "evening", "dinner": "evening", "supper": "evening",
    "night": "night", "bedtime": "night", "bed": "night", "tonight": "night", "nightly": "night",
    "nighttime": "night", "mornings": "morning", "nights": "night", "evenings": "evening", "dinnertime": "evening",
    "suppertime": "evening",
}  # fmt: skip
WEEKDAYS = "(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
NO_DOSE_TOLD = re.compile(
    r"\b(sugar|glucose|pressure was|weigh|weight|years? old|call me|phone|temperature|fever|pulse|heart rate|cholesterol|"
    r"a1c|reading|inr|over \d+|potassium was|born|birthday|zip|address|dollars|minutes|appointment)\b"
)


class Item(Struct, frozen=True):
    """One thing found in the words: an amount, a strength, a frequency, a part of the day; from where to where."""

    kind: str
    start: int
    end: int
    dose: QuantityRange | None = None
    strength: Quantity | None = None
    times: TimesPerDay | None = None
    per_day: bool = False
    slot: str = ""
    hours: Decimal | None = None
    at_least: bool = False
    parts: int = 0
    """In how many doses a day's amount is taken."""
    weak: bool = False
    """Gives way to a number: "twice a day with meals"."""
    daily: bool = False
    """Only "every day" was said, not how often on it."""


Rule = tuple[re.Pattern[str], Callable[[re.Match[str]], Item | None]]


def read_regimens(words: str, bare_unit: str = BARE) -> tuple[Regimen, ...]:
    """The ways of taking it that a run of plain words tells; `bare_unit` is what a number above ten is taken to count."""
    words = re.sub(r"(\d{2,}(?:\.\d+)?),? (?:or )?maybe (?=\d times)", r"\1 , ", words)
    words = re.sub(r"\b(\d+(?:\.\d+)?)(?: \1\b){2,}", " ", words)  # a number said over and over tells nothing
    found = _joined(_items(words, bare_unit), bare_unit, words)
    if _BOTH_SIDES.search(words):
        found = [_doubled(i) for i in found]
    return tuple(i for i in found if not i.empty or i.slots)


_BOTH_SIDES = re.compile(r"\b(?:both|each) (?:eyes?|ears?|nostrils?)\b")


def _doubled(regimen: Regimen) -> Regimen:
    """A dose for each of two eyes, ears or nostrils."""
    if regimen.dose is None:
        return regimen
    low, high = (Quantity(q.value * 2, q.unit) for q in regimen.dose)
    return Regimen((low, high), regimen.strength, regimen.times, regimen.per_day, regimen.slots, regimen.hours, regimen.at_least)


# ------------------------------------------------------------------ finding


def _items(words: str, bare_unit: str) -> list[Item]:
    """Every amount, frequency and part of the day, in order; a word belongs to one of them only."""
    found: list[Item] = []
    taken = [False] * len(words)

    def look(rules: list[Rule]) -> None:
        for pattern, read in rules:
            for m in pattern.finditer(words):
                if not any(taken[m.start() : m.end()]) and (item := read(m)) is not None:
                    found.append(item)
                    taken[m.start() : m.end()] = [True] * (m.end() - m.start())

    look(_RULES)
    timed = any(i.kind in ("often", "slot", "per day") for i in found) or _AT_A_TIME.search(words)
    if timed or _VERB.search(words) or "itsname" in words:
        look([(_BARE_NUMBER, lambda m: _bare(m, words, found, bare_unit))])
    return sorted(found, key=lambda i: i.start)


_AT_A_TIME = re.compile(r"\b(?:at a time|together|each time|every time|per dose)\b")
_VERB = re.compile(rf"\b(?:{_VERBS})\b")
_BARE_NUMBER = re.compile(
    rf"(?<![\d.]){_RANGE}(?![\d.]*(?: ?(?:%|days?|weeks?|months?|years?|hours?|minutes?|go\b|sitting|swallow|mins?|seconds?|"
    rf"secs?|times?|am|pm|"
    rf"o|more|over|a (?:year|"
    rf"month|week))\b|/|:|s\b))"
)


def _bare(m: re.Match[str], words: str, found: list[Item], bare_unit: str) -> Item | None:
    before = words[: m.start()].split()
    if before and before[-1] in ("at", "age", "aged", "room", "over", "type", "stage", "number", "every", "of"):
        return None
    pair = _pair(m[1], m[2])
    beside = [i.dose[0].unit for i in found if i.dose is not None and i.dose[0].unit in ("mg", "mcg", "g", "unit", "ml")]
    named = words[m.end() :].startswith(" itsname")  # "twenty of them by name" are pieces, however many
    unit = "" if named or is_pieces(pair[1]) else bare_unit
    if named or (not unit and re.match(r" of (?:them|these|those|the|my|his|her)\b", words[m.end() :])):
        unit = "pill"
    if beside and unit != "pill" and (unit or beside[0] == "unit"):
        unit = beside[0]
    return Item("amount", m.start(), m.end(), dose=(Quantity(pair[0], unit), Quantity(pair[1], unit)))


def is_pieces(value: Decimal) -> bool:
    """Whether a bare number can be a number of tablets: up to ten whole ones, up to three and a half."""
    return (value <= 10 and value == value.to_integral_value()) or (value <= 3 and value * 2 == (value * 2).to_integral_value())


def _pair(low: str, high: str | None) -> tuple[Decimal, Decimal]:
    a, b = Decimal(low), Decimal(high or low)
    return (a, b) if a <= b else (b, a)


def _amount(m: re.Match[str], low: str, high: str | None, unit: str, strength: Quantity | None = None) -> Item:
    pair = _pair(low, high)
    return Item("amount", m.start(), m.end(), dose=(Quantity(pair[0], unit), Quantity(pair[1], unit)), strength=strength)


def _form_unit(word: str) -> str:
    return _FORM_UNIT.get(word, word)


def _strength(value: str, unit: str) -> Quantity:
    return Quantity(Decimal(value), {"iu": "IU", "ml": "mL", "meq": "mEq"}.get(unit, unit))


def _mass_unit(unit: str) -> str:
    return {"iu": "IU", "ml": "mL", "meq": "mEq"}.get(unit, unit)


def _count_of_strength(m: re.Match[str]) -> Item:
    form = _form_unit(m["form"]) if m["form"] else ""
    return _amount(m, m["n"], m["n2"], form, _held(m))


def _held(m: re.Match[str]) -> Quantity:
    """What one of them holds; its unit may have been left off ("six of the 2.5 tablets")."""
    return _strength(m["mg"], m["u"]) if m["u"] else Quantity(Decimal(m["mg"]), BARE)


def _strength_form(m: re.Match[str]) -> Item | None:
    """As in "my 100 mcg tablet": one of them, where it is one; "10 mg tablets" only says what they hold."""
    strength = _strength(m["mg"], m["u"])
    if m["many"]:
        return Item("strength", m.start(), m.end(), strength=strength)
    return _amount(m, "1", None, _form_unit(m["form"]), strength)


def _plural_strength(m: re.Match[str]) -> Item:
    """As in "two of my 50s": a count and, in the prescription's unit, what each holds."""
    strength = Quantity(Decimal(m["mg"]), BARE)
    if m["n"]:
        return _amount(m, m["n"], None, "", strength)
    return Item("strength", m.start(), m.end(), strength=strength)


def _often(m: re.Match[str], low: Fraction, high: Fraction | None = None, hours: Decimal | None = None, slot: str = "",
           at_least: bool = False, daily: bool = False, weak: bool = False) -> Item:  # fmt: skip
    return Item("often", m.start(), m.end(), times=(low, high if high is not None else low), hours=hours, slot=slot,
                at_least=at_least, daily=daily, weak=weak)  # fmt: skip


def _times_in(m: re.Match[str]) -> Item:
    low, high = _pair(m[1], m[2])
    unit = m[3].removesuffix("ly").removesuffix("s") if m[3] not in ("daily", "nightly") else "day"
    days = _PERIOD.get(unit, Fraction(1))
    return _often(m, Fraction(low) / days, Fraction(high) / days, slot=_SLOT.get(unit, ""))


def _every_n(m: re.Match[str]) -> Item | None:
    low, high = _pair(m[1], m[2])
    if not low:
        return None
    days = _PERIOD[m[3]]
    hours = low if m[3] == "hour" else None
    return _often(m, 1 / (days * Fraction(high)), 1 / (days * Fraction(low)), hours)


def _every_other(m: re.Match[str]) -> Item:
    n = {"other": 2, "second": 2, "alternate": 2, "third": 3, "fourth": 4, "couple of": 2}[m[1]]
    return _often(m, 1 / (_PERIOD[m[2]] * n), slot=_SLOT.get(m[2], ""))


def _weekdays(m: re.Match[str]) -> Item | None:
    named = set(re.findall(r"(mon|tues|wednes|thurs|fri|satur|sun)day", m[0]))
    if len(named) == 1 and not m[0].startswith(("every", "each")) and not m[0].endswith("days"):
        return None
    return _often(m, Fraction(len(named), 7))


def _per_day(m: re.Match[str]) -> Item:
    return Item("per day", m.start(), m.end(), per_day=True)


def _one_occasion(m: re.Match[str]) -> Item:
    times = Fraction(m[1]) if m[1] else Fraction(1)
    return _often(m, times, slot=_SLOT.get(m[2].split()[-1], ""), at_least=not m[1])


def _slot(m: re.Match[str]) -> Item:
    return Item("slot", m.start(), m.end(), slot=_SLOT[m[1]])


_COUNT = r"(?P<n>\d+(?:\.\d+)?)(?: to (?P<n2>\d+))?"
_OF = r"(?: of)?(?: my| the| these| those| x| itsname)*"
_EACH = r"(?P<mg>\d+(?:\.\d+)?) (?P<u>mg|mcg|g|unit|meq)"
_HELD = r"(?P<mg>\d+\.\d+|\d{2,})(?P<u>)(?P<form>)"
_ADJECTIVE = rf"(?!(?:{_VERBS}|a|the|in|at|every|per|and|or|with)\b)[a-z]+"
_SLOT_WORDS = "|".join(sorted(_SLOT, key=len, reverse=True))
_RULES: list[Rule] = [(re.compile(pattern), read) for pattern, read in [
    (r"\d+ (?:days?|weeks?|months?|hours?|years?) (?:ago|supply)", lambda m: None),
    (r"\b(?:in|over|divided (?:in|into|over)|split (?:in|into|over)) (\d) (?:doses|parts|times)\b",
     lambda m: Item("per day", m.start(), m.end(), per_day=True, parts=int(m[1]))),
    (rf"(?<![\d.])(?P<n>\d)(?P<n2>) {_HELD}(?= (?:a|per|every|each|in|at|with|once|daily|\d times)\b)", _count_of_strength),
    (r"\b(?:break|breaks|cut|cuts|split|splits|halve|halves|snap|snaps) (?:an? |my |the |1 )?(?P<mg>\d{2,}|\d+\.\d+)(?: "
     r"(?P<u>mg|mcg))?"
     r"(?: (?:tablet|pill|one))?(?: in(?:to)? (?:0\.5|half|2))?[ ,]+(?:and )?(?:takes?|uses?|swallows?) (?:it|that|them|this)\b",
     lambda m: _amount(m, "0.5", None, "", _held(m))),
    (rf"(?<![\d.]){_COUNT} {_HELD} (?:{_FORMS})(?:e?s)?\b", _count_of_strength),
    (rf"{_COUNT}(?: {_FORM})? of (?:the |my |these |those |his |her )?{_HELD}(?: [a-z]+){{0,2}}? (?:{_FORMS}|ones?)(?:e?s)?\b",
     _count_of_strength),
    (rf"{_COUNT}(?: {_FORM}) of (?:the |my |these |those |his |her )?{_HELD}\b(?! ?(?:mg|mcg|g|unit|a|times|tablets?|pills?)\b)",
     _count_of_strength),
    (r"(?:^|(?<=[ ,]))(?P<mg>\d{2,}(?:\.\d+)?|\d+\.\d+)(?: (?P<u>mg|mcg|g))? (?:each|apiece)\b(?! (?:day|morning|night|evening|"
     r"meal|time|week|eye|ear|nostril))", lambda m: Item("strength", m.start(), m.end(), strength=_held(m))),
    (r"(?P<mg>\d+(?:\.\d+)?) (?P<u>mg|mcg|g) (?:each|apiece)\b(?! (?:day|morning|night|evening|meal|time|week|eye|ear|nostril))",
     lambda m: Item("strength", m.start(), m.end(), strength=_held(m))),
    (r"\bof (?:the |my |his |her |these |those )(?P<mg>\d+\.\d+)(?P<u>)\b(?! ?(?:mg|mcg|g|unit|ml))",
     lambda m: Item("strength", m.start(), m.end(), strength=_held(m))),
    (rf"{_COUNT}{_OF} {_EACH}(?: [a-z]+){{0,2}}? (?P<form>{_FORMS})(?:e?s)?\b", _count_of_strength),
    (rf"{_COUNT}{_OF} {_EACH}\b(?P<form>)", _count_of_strength),
    (rf"{_EACH}(?: {_ADJECTIVE}){{0,2}}? (?P<form>{_FORMS}|one)(?P<many>e?s)?\b", _strength_form),
    (r"(?:(?P<n>\d+(?:\.\d+)?) )?(?:of )?(?:my |the |those |these )?(?P<mg>\d+(?:\.\d+)?)s\b", _plural_strength),
    (r"(?:tablets?|pills?|capsules?|bottle|label|package|they|ones|it) (?:is|are|says?|"
        r"reads?)(?: labell?ed)? (?P<mg>\d+(?:\.\d+)?)(?: (?P<u>mg|mcg|g))?\b"
     r"(?! (?:times|every|a day|a week|or))",
     lambda m: Item("strength", m.start(), m.end(), strength=Quantity(Decimal(m["mg"]), m["u"] or BARE))),
    (rf"{_RANGE} {_MASS}\b(?! ?/)", lambda m: _amount(m, m[1], m[2], _mass_unit(m[3]))),
    (rf"every {_N}(?: (?:to|or) {_N})? {_UNIT_DAYS}s?", _every_n),
    (rf"1 times every {_N}(?: (?:to|or) {_N})? {_UNIT_DAYS}s?", _every_n),
    (rf"(?:1 times )?every (other|second|third|fourth|couple of|alternate) {_UNIT_DAYS}s?", _every_other),
    (rf"every 2 {_UNIT_DAYS}s?", lambda m: _often(m, 1 / (2 * _PERIOD[m[1]]))),
    (r"(?:on )?alternate days", lambda m: _often(m, Fraction(1, 2))),
    (r"(?:1 times )?every hour|hourly", lambda m: _often(m, Fraction(24), hours=Decimal(1))),
    (rf"{_RANGE} (?:days|nights|mornings) (?:a|per|each|every|out of the|of the|this|in a) week", lambda m: _often(
        m, Fraction(_pair(m[1], m[2])[0]) / 7, Fraction(_pair(m[1], m[2])[1]) / 7)),
    (rf"{_RANGE} (?:times?|x) (?:a |per |each |every |in a |in the |every single |this )?(day|daily|week|weekly|month|"
        rf"monthly|night|nightly|morning|hour|evening)\b",
     _times_in),
    (rf"{_N} times (today|yesterday|this morning|last night|tonight|this evening)\b", _one_occasion),
    (rf"\b(?:only )?(?:on |every |each )?{WEEKDAYS}(?:,? (?:and )?{WEEKDAYS})*", _weekdays),
    (r"(?:only )?(?:on )?(?:the )?weekends", lambda m: _often(m, Fraction(2, 7))),
    (r"\bmonday (?:through|to|thru|until) friday\b", lambda m: _often(m, Fraction(5, 7))),
    (rf"{_N} times (?:on|last|this) {WEEKDAYS}\b", lambda m: _often(m, Fraction(m[1]))),
    (r"(?:only )?(?:on )?weekdays", lambda m: _often(m, Fraction(5, 7))),
    (r"(?:for|as) the (?:whole|entire|full) day|all at 1 times? a day", lambda m: _often(m, Fraction(1))),
    (r"(?:every|each) (?:single )?(day|night|morning|evening)\b", lambda m: _often(
        m, Fraction(1), slot=_SLOT.get(m[1], ""), daily=m[1] == "day")),
    (rf"\b{_N} times(?= (?:on|when|if|because|by)\b|[,.;]|$)", lambda m: _often(m, Fraction(m[1]))),
    (r"(?:every|each|1 times a) (week|month)\b", lambda m: _often(m, 1 / _PERIOD[m[1]])),
    (r"\b(?:it|all) for the week\b", lambda m: _often(m, Fraction(1, 7))),
    (r"\bweekly\b", lambda m: _often(m, Fraction(1, 7))),
    (r"\b(?:daily|nightly)\b", lambda m: _often(m, Fraction(1), slot=_SLOT.get(m[0], ""), daily=m[0] == "daily")),
    (r"(?:with|before|after|at) (?:every|each|all my|all|my) meals?|(?:with|before|after) meals",
     lambda m: _often(m, Fraction(3), weak=True)),
    (r"\b(?:a|per|in a) (?:day|24 hours)\b(?! (?:or|early|late)\b)", _per_day),
    (r"(?:in|within) (?:1|the same|a single) day|in 24 hours|altogether", _per_day),
    (r"\b(?:lately|now|these days|recently|sometimes|usually) (\d+) times\b", lambda m: _often(m, Fraction(m[1]))),
    (r"()(this (?:morning|evening|afternoon)|last night|tonight|today|yesterday)\b", _one_occasion),
    (rf"\b(?:in the |at |before |after |with |for |on )?(?:my |the )?({_SLOT_WORDS})\b", _slot),
    (rf"{_RANGE} (?:of (?:them|my|the|these|those) )?(?:(?!times|of|a|to|in|and|days?|weeks?|hours?)[a-z]+ ){{0,3}}?{_FORM}\b",
     lambda m: _amount(m, m[1], m[2], _form_unit(m[3]))),
    (rf"\b(?:a|an|a whole|a single|1 whole) {_FORM}\b", lambda m: _amount(m, "1", None, _form_unit(m[1]))),
    (rf"\b(?:a|an|1|the) (?:whole|full|entire|single) (?:one|thing|1|{_FORMS})\b|\b(?:both|2) halves\b",
     lambda m: _amount(m, "1", None, "")),
    (rf"{_RANGE} (?:whole |single |full )?doses?\b|\ba(?: whole| single| full)? dose\b(?! (?:of|late|early|or|here|now|i|that|"
     rf"is|was|because|behind))",
     lambda m: _amount(m, m[1] or "1", m[2], "dose")),
    (rf"\b(both)\b(?! times)(?: {_FORM}| of them| of my \w+)?\b", lambda m: _amount(m, "2", None, "")),
    (rf"\ball {_N}\b(?! (?:mg|mcg|g))(?: of them)?",
     lambda m: _amount(m, m[1], None, "" if is_pieces(Decimal(m[1])) else BARE)),
]]  # fmt: skip


# ------------------------------------------------------------------ belonging together


def _joined(items: list[Item], bare_unit: str, words: str) -> list[Regimen]:
    """Amounts with the frequencies and parts of the day that stand by them; a strength holds for all counts."""
    strength = next((i.strength for i in items if i.kind == "strength"), None)
    if strength is None and len(held := {i.strength for i in items if i.kind == "amount" and i.strength}) == 1:
        strength = held.pop()  # "one 5 mg tablet in the morning and one at night"
    amounts = [n for n, i in enumerate(items) if i.kind == "amount"]
    around = [i for i in items if i.kind not in ("amount", "strength")]
    if len(amounts) > 1 and (merged := _mass_beside_count([items[n] for n in amounts], around, bare_unit)) is not None:
        return [_regimen(merged, around, merged.strength or strength)]
    if len(amounts) <= 1:
        return [_regimen(items[amounts[0]] if amounts else None, around, strength)]
    ahead = amounts[0] > 0 and items[0].kind != "strength" and items[amounts[-1]] is items[-1]
    built = []
    for k, n in enumerate(amounts):
        if ahead:
            start = amounts[k - 1] + 1 if k else 0
            own = items[start:n]
        else:
            own = items[n + 1 : amounts[k + 1] if k + 1 < len(amounts) else len(items)]
            own = [*items[: amounts[0]], *own] if k == 0 else own
        built.append(_regimen(items[n], [i for i in own if i.kind not in ("amount", "strength")], items[n].strength or strength))
    return _one_day(
        _shared(built, [bool(_ADDED.search(words[items[b].end if (b := n - 1) >= 0 else 0 : items[n].start])) for n in amounts])
    )


def _mass_beside_count(amounts: list[Item], around: list[Item], bare_unit: str) -> Item | None:
    """As in "500 mg, one tablet" and "80 mg, two 40 mg tablets": one amount said in two ways."""
    if len(amounts) != 2:
        return None
    first, second = amounts
    if any(first.end <= i.start < second.start for i in around):
        return None
    masses = ("mg", "mcg", "g", BARE, bare_unit)
    mass, count = (first, second) if first.dose and first.dose[0].unit in masses else (second, first)
    if not mass.dose or not count.dose or mass.dose[0].unit not in masses or count.dose[0].unit in masses:
        return None
    if count.dose[0].unit == "dose":
        return mass
    if count.strength is not None:
        return count
    return Item("amount", first.start, second.end, dose=count.dose, strength=mass.dose[0])


def _regimen(amount: Item | None, around: list[Item], strength: Quantity | None) -> Regimen:
    often = [i for i in around if i.kind == "often" and i.times]
    slots = tuple(dict.fromkeys(i.slot for i in around if i.slot))
    slots = tuple(s for s in slots if not (s == "evening" and "night" in slots and _one_evening(around)))
    whole = [i for i in often if not i.at_least]
    whole = [i for i in whole if not i.weak] or whole
    chosen = (whole or often)[0] if often else None
    regular = [i for i in whole if i.times != (Fraction(1), Fraction(1))]
    counted = [i.times for i in regular if i.hours is None and i.times]
    if regular:  # "every 4 hours, four times a day": how often is told by the count
        chosen = next((i for i in regular if i.hours is None), regular[0])
    times = chosen.times if chosen else None
    if len(counted) > 1:  # "three times a day but lately four"
        times = min(t[0] for t in counted), max(t[1] for t in counted)
    at_least = bool(chosen and chosen.at_least)
    if len(slots) > 1 and (times is None or times == (Fraction(1), Fraction(1))):
        times, at_least = (Fraction(len(slots)),) * 2, False
    dose = amount.dose if amount else None
    if times is None and slots:
        times, at_least = (Fraction(1), Fraction(1)), dose is None  # "in the morning": whether that is all was not said
    held = (amount.strength if amount else None) or strength
    hours = next((i.hours for i in whole if i.hours is not None), None)
    if chosen is not None and chosen.daily and dose is None and not slots:
        at_least = True
    if any(i.per_day for i in around) and dose is not None:
        parts = next((i.parts for i in around if i.parts), 0)
        if parts:
            low, high = (Quantity(q.value / parts, q.unit) for q in dose)
            return Regimen((low, high), held, (Fraction(parts),) * 2, None, slots)
        if times is None:
            return Regimen(None, held, None, dose, slots)
    return Regimen(dose, held, times, None, slots, hours, at_least)


def _one_evening(around: list[Item]) -> bool:
    """Whether evening and night stand side by side and mean one time: "every night before supper"."""
    told = [i for i in around if i.slot in ("evening", "night")]
    return len(told) == 2 and told[1].start - told[0].end <= 2


def _one_day(regimens: list[Regimen]) -> list[Regimen]:
    """As in "three a day, one at each meal": the day's number and its parts say the same; if not, neither counts."""
    whole = [i for i in regimens if i.per_day is not None]
    parts = [i for i in regimens if i.per_day is None and i.dose is not None]
    if len(whole) != 1 or not parts or whole[0].per_day is None:
        return regimens
    day = whole[0].per_day
    if any(p.dose and p.dose[1].unit in ("mg", "mcg", "g", "unit") for p in parts) is not (
        day[1].unit in ("mg", "mcg", "g", "unit")
    ):
        return regimens
    if all(p.times is None for p in parts):
        each = {p.dose[1].value for p in parts if p.dose}
        often = Fraction(day[1].value) / Fraction(each.pop()) if len(each) == 1 else None
        strength = whole[0].strength or parts[0].strength
        return [Regimen(parts[0].dose, strength, (often, often), None, parts[0].slots)] if often else whole
    total = sum((Fraction(p.dose[1].value) * p.times[1] for p in parts if p.dose and p.times), Fraction(0))
    return parts if total == Fraction(day[1].value) else []


_ADDED = re.compile(r"\b(?:and|plus|extra|another|then|also|with|later|one|1)\b")


def _side_by_side(first: Regimen, second: Regimen) -> Regimen | None:
    """Two strengths taken together as one dose: "one 5 mg tablet and one 2.5 mg tablet every night"."""
    a, b = first.strength, second.strength
    told = first.dose is not None and second.dose is not None and first.times is None
    if not told or a is None or b is None or a == b or a.unit != b.unit or first.dose is None or second.dose is None:
        return None
    low, high = (Quantity(first.dose[n].value * a.value + second.dose[n].value * b.value, a.unit) for n in (0, 1))
    return replace(second, dose=(low, high), strength=None)


def _shared(regimens: list[Regimen], added: list[bool]) -> list[Regimen]:
    """An amount without a frequency of its own: added ("40 and 20, every day"), said again, or not clear which."""
    told = [i for i in regimens if i.times is not None]
    if len(told) == len(regimens) or not told:
        return regimens
    first = told[0]
    kept = []
    if len(regimens) == 2 and added[1] and (both := _side_by_side(regimens[0], regimens[1])) is not None:
        return [both]
    for regimen, plus in zip(regimens, added, strict=True):
        if regimen.times is not None or regimen.per_day is not None:
            kept.append(regimen)
        elif plus:
            kept.append(replace(regimen, times=first.times, hours=first.hours, at_least=first.at_least))
        elif regimen.dose != first.dose:
            kept.append(Regimen(None, regimen.strength, (Fraction(0), Fraction(0))))
    return kept
