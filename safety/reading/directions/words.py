"""The words that directions are written in, as one library's language has them; and the units of that library."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct

from safety.knowledge.language import Language
from safety.model.quantity import Units, number
from safety.reading.wording import any_of
from safety.text import unaccented

Phrases = Mapping[str, tuple[tuple[tuple[str, ...], str, str], ...]]
"""Fixed phrases by their first word, longest first: (the other words, what kind, its meaning)."""


_LETTERS_OR_DIGITS = re.compile(r"[0-9]+|[^\W\d_]+(?:['’][^\W\d_]+)*")
_LETTERS_OR_SIGNS = re.compile(r"[^\W\d_]+|\S")
_SPECIAL = ("once-twice", "periods", "every-hour", "times-words", "starts-a-period")


class ScaleWords(Struct, frozen=True):
    """Words of a sliding scale: that name it, that stand beside its readings, by which something is added to it."""

    names: frozenset[str]
    compared: frozenset[str]
    more: frozenset[str]


class StepWords(Struct, frozen=True):
    """Words of directions in steps.

    `separators`: phrases between two steps, with what they mean; `changes`: which way a dose changes; `between` stands after
    a change; `ends`, `again`: what comes last; `pauses`: nothing is taken; `nothing` and `goes_on`: what tells nothing, and
    what is no step by itself all the same; `prelude` and `first` come before the first step; `toward` and `target`: the aim.
    """

    separators: tuple[tuple[tuple[str, ...], str], ...]
    changes: dict[str, str]
    between: frozenset[str]
    ends: frozenset[str]
    again: frozenset[str]
    pauses: frozenset[str]
    nothing: frozenset[str]
    extra: frozenset[str]
    goes_on: frozenset[str]
    prelude: frozenset[str]
    first: frozenset[str]
    toward: frozenset[str]
    target: frozenset[str]


class SpanishWords(Struct, frozen=True):
    """Spanish phrases, folded, with the English that they are read as; `strong`: one of these tells the language."""

    english: dict[str, str]
    longest: int
    strong: re.Pattern[str]
    refused: re.Pattern[str]
    halves: frozenset[str]
    numbers: frozenset[str]


class Lexicon(Struct, frozen=True):
    """What directions are read with, made once for a library. Words are compared in lower case.

    - Numbers: `numbers`, `parts`, `multiples`, `fractions` (numerator, denominator), those `not_exact`, `sets` ("dozen").
    - Time: `time` (units), `hourly`, `untold_hours` ("q12"), `nights`, `adverbs` ("weekly"), `before_period`, `within`,
      `ordinals`, `ordinal_ends`,
      `times`, `adverb_times` ("twice"), `weekdays` and the `week` in order, `hours` (from, to) of parts of the day,
      `meals_with_times`, `no_time` (words) and `no_time_phrases` that tell no time.
    - Amounts: `counted`, `puff_in_short` (only before how often), `grains`, `counted_next` (what stands after a number that is no
      strength), `doses`, `refused`, `activity`, `insulin` (units in 1 mL), `total`, `between_most`, `before_noun`.
    - Forms and routes: `forms`, `release`, `describing` (routes that may tell what it is for), `each_place` ("each eye").
    - `halving`: "cuts in half"; `pack`: "28" behind the name of a pill; `one_strength`: "DS" in a name.
    - `ribbons` of ointment, told by `lengths`. `packs`: of so many pieces it is sold, "2-pack".
    - What changes the rest: `titrated_to` ("titrate to 3 BMs"), `alternating`, `cycles`, `infused` and `cupfuls` (beside a
      number that is no dose), `resting` ("then off 1 week"),
      `conditions`, `changes`, `after_change`, `after_another`, `directed`, `supply`, `most_supplied`, `supplied`,
      `before_after`,
      `before_bare`, `after_bare`.
    - `taken_for`: what a medicine is taken for, by its first word, longest first; `read_for`: readings for which one dose is;
      `sides`: on which side of a number, by first word; `scored`: what is told by a score out of ten; `gains`: "weight gain".
    - Told beside, and no matter here: `asides`, `denied_asides` (behind "not"), `body_sites`, `occasions` ("before MRI").
    - Of one dose told again: `repeat_if` (on which condition), `repeat_after` (before how long); `after_every`: units only
      behind "q" and a number; `day_letters`: "M/W/F"; `roman` numerals before what is counted; `form_codes` of claims.
    - `codes`, `short_codes`, `marks`: what runs together. `phrases`: all fixed phrases;
      `special`: words with a rule of their own.
    """

    units: Units
    numbers: dict[str, Decimal]
    parts: dict[str, Decimal]
    multiples: dict[str, Decimal]
    sets: frozenset[str]
    fractions: dict[tuple[str, str], Decimal]
    not_exact: frozenset[tuple[str, str]]
    time: dict[str, str]
    hourly: frozenset[str]
    untold_hours: frozenset[Decimal]
    titrated_to: frozenset[str]
    cycles: frozenset[str]
    infused: frozenset[str]
    cupfuls: frozenset[str]
    packs: frozenset[str]
    resting: frozenset[str]
    puff_in_short: dict[str, str]
    one_of_a_form: frozenset[str]
    rarely_several: frozenset[str]
    grains: frozenset[str]
    lengths: frozenset[str]
    ribbons: frozenset[str]
    alternating: frozenset[str]
    excepting: frozenset[str]
    bought: frozenset[str]
    cycle_in_short: re.Pattern[str]
    by_how_bad: re.Pattern[str]
    in_order: tuple[str, ...]
    untold_taper: re.Pattern[str]
    with_each_meal: tuple[str, ...]
    by_meal: re.Pattern[str]
    of_the_element: frozenset[str]
    of_a_part: re.Pattern[str]
    base: frozenset[str]
    counted_in: frozenset[str]
    eaten: frozenset[str]
    nights: frozenset[str]
    halving: frozenset[str]
    pack: re.Pattern[str]
    one_strength: frozenset[str]
    adverbs: dict[str, str]
    before_period: frozenset[str]
    within: frozenset[str]
    ordinals: dict[str, int]
    ordinal_ends: frozenset[str]
    times: frozenset[str]
    adverb_times: dict[str, Decimal]
    weekdays: dict[str, str]
    week: tuple[str, ...]
    hours: dict[str, tuple[int, int]]
    meals_with_times: frozenset[str]
    no_time: frozenset[str]
    no_time_phrases: frozenset[str]
    counted: dict[str, str]
    counted_next: re.Pattern[str]
    doses: frozenset[str]
    refused: frozenset[str]
    activity: dict[str, str]
    insulin: frozenset[Decimal]
    total: frozenset[str]
    between_most: frozenset[str]
    before_noun: frozenset[str]
    forms: dict[str, str]
    release: dict[str, str]
    describing: frozenset[str]
    each_place: frozenset[str]
    conditions: frozenset[str]
    changes: frozenset[str]
    after_change: frozenset[str]
    after_another: frozenset[str]
    directed: frozenset[str]
    supply: frozenset[str]
    most_supplied: dict[str, Decimal]
    supplied: re.Pattern[str]
    supply_told: dict[str, str]
    taken_for: dict[str, tuple[str, ...]]
    read_for: frozenset[str]
    sides: dict[str, tuple[tuple[str, ...], ...]]
    scored: frozenset[str]
    gains: frozenset[str]
    reading_units: frozenset[str]
    asides: frozenset[str]
    denied_asides: frozenset[str]
    occasions: frozenset[str]
    before_after: frozenset[str]
    before_bare: frozenset[str]
    after_bare: frozenset[str]
    codes: frozenset[str]
    short_codes: frozenset[str]
    marks: dict[str, str]
    special: frozenset[str]
    roman: dict[str, Decimal]
    after_roman: frozenset[str]
    form_codes: dict[str, str]
    codes_with_digits: re.Pattern[str]
    repeat_if: frozenset[str]
    repeat_after: frozenset[str]
    after_every: dict[str, str]
    day_letters: dict[str, str]
    phrases: Phrases
    scale: ScaleWords
    steps: StepWords
    spanish: SpanishWords


def lexicon_of(language: Language, units: Units) -> Lexicon:
    """The view of a library's language that directions are read with. Raises KnowledgeError if a list is not there."""
    fractions = dict(language.read("fractions", _fraction, "a fraction in two words, such as `1/4: [one/quarter]`").values())
    release = {phrase: "" if kind == "plain" else kind for phrase, kind in language.meaning("release").items()}
    no_time = language.words("says-no-time")
    parts = language.words("parts-of-one")
    after = {*language.words("counted"), *language.words("counted-time")}
    return Lexicon(
        units=units,
        numbers=_decimals(language, "numbers") | _decimals(language, "numbers-of-things"),
        parts=_decimals(language, "parts-of-one"),
        multiples=_decimals(language, "multiples"),
        sets=_set(language, "numbers-of-things"),
        fractions={(a, b): _exactly(value) for (a, b), value in fractions.items() if _is_exact(value)},
        not_exact=frozenset((a, b) for (a, b), value in fractions.items() if not _is_exact(value)),
        time=language.meaning("time-units"),
        hourly=_set(language, "every-hour"),
        untold_hours=frozenset(n for word in language.words("hours-untold") if (n := number(word)) is not None),
        titrated_to=_set(language, "titrated-to"),
        cycles=_set(language, "cycles"),
        infused=_set(language, "infused-over"),
        cupfuls=_set(language, "cupfuls"),
        packs=_set(language, "packs-of-several"),
        resting=_set(language, "pauses") | _set(language, "taken-out"),
        grains=_set(language, "grains"),
        puff_in_short=language.meaning("puffs-in-short"),
        one_of_a_form=_set(language, "one-of-a-form") | _set(language, "rarely-several-at-once"),
        rarely_several=_set(language, "rarely-several-at-once"),
        lengths=_set(language, "lengths-of-a-ribbon"),
        ribbons=_set(language, "ribbons"),
        alternating=_set(language, "alternating"),
        excepting=_set(language, "excepting"),
        bought=_set(language, "as-it-is-bought"),
        untold_taper=re.compile(
            rf"(?<!no)(?<!not)(?<!without)[\s,;.(-]+(?:(?:{any_of(language.words('then'))}|and|with|to|will)\s+)?{any_of(language.words('tapers-untold'))}"
            r"(?:\s+over\s+\d+(?:-\d+)?\s*[a-z]+)?\W*\Z",
            re.I,
        ),
        by_how_bad=_by_how_bad(language),
        in_order=tuple(language.words("parts-of-a-day-in-order")),
        with_each_meal=tuple(language.words("meals-in-order")),
        by_meal=re.compile(
            rf"(?<![\w.,/-])(\d{{1,2}}(?:-\d{{1,2}}){{2}}|\d{{1,2}}(?:/\d{{1,2}}){{2}})(?:\s*(units?|u)\b)?\s*"
            rf"{any_of(language.words('at-each-meal-in-order'))}(?![\w/])",
            re.I,
        ),
        cycle_in_short=re.compile(
            rf"(?<=\d)(\D.*?(?<![\d/.-]))(?P<cycle>{any_of(language.words('cycles-in-short'))})(?![\d/.-])", re.S
        ),
        of_the_element=_set(language, "of-the-element") | _set(language, "of-the-base"),
        of_a_part=_of_a_part(language),
        base=_set(language, "of-the-base"),
        counted_in=_set(language, "counted-in-another"),
        eaten=_set(language, "eaten-per-unit"),
        halving=_set(language, "halving"),
        one_strength=_set(language, "strength-in-a-name"),
        pack=re.compile(rf"\s*\(?(?P<days>{any_of(language.words('days-in-a-pack'))})(?:\s*-?\s*days?)?\)?(?![\w./-])", re.I),
        nights=_set(language, "nights") | _set(language, "doses"),
        adverbs=language.meaning("periods"),
        before_period=_set(language, "before-a-period"),
        within=_set(language, "within"),
        ordinals=language.read("ordinals", lambda _, n: int(n), "a whole number and its ordinals"),
        ordinal_ends=_set(language, "ordinal-ends"),
        times=_set(language, "times-words"),
        adverb_times=_decimals(language, "once-twice"),
        weekdays=language.meaning("weekdays"),
        week=tuple(dict.fromkeys(language.meaning("weekdays").values())),
        hours=language.read("hours-of-the-day", _hours, "a part of the day under its hours, such as `6 to 11`"),
        meals_with_times=_set(language, "meals-with-times"),
        no_time=frozenset(word for word in no_time if " " not in word),
        no_time_phrases=frozenset(phrase for phrase in no_time if " " in phrase),
        counted=language.meaning("counted"),
        counted_next=re.compile(rf"\s*(?:{any_of(parts)}\s+)?{any_of(after)}\b", re.I),
        doses=_set(language, "doses"),
        refused=_set(language, "refused-units"),
        activity=language.meaning("activity-units"),
        insulin=frozenset(language.read("insulin-strengths", lambda _, n: Decimal(n), "a strength under its number").values()),
        total=_set(language, "total"),
        between_most=_set(language, "between-most-and-number"),
        before_noun=_set(language, "before-a-noun"),
        forms=language.meaning("forms"),
        release=release,
        describing=_set(language, "routes-that-describe"),
        each_place=_set(language, "both-places"),
        conditions=_set(language, "step-conditions"),
        changes=_set(language, "step-changes"),
        after_change=_set(language, "after-a-change") | {""},
        after_another=_set(language, "after-another"),
        directed=_set(language, "directed"),
        supply=_set(language, "supply"),
        most_supplied=most_supplied(language),
        supplied=re.compile(rf"{any_of(language.meaning('supply-told'))}(?![\w-])", re.I),
        supply_told=language.meaning("supply-told"),
        taken_for=_reasons(language),
        read_for=_set(language, "readings-that-hold"),
        sides=_by_first(tuple(_LETTERS_OR_SIGNS.findall(phrase)) for phrase in language.words("side-of-a-reading")),
        scored=_set(language, "scored"),
        gains=_set(language, "gains"),
        reading_units=_set(language, "reading-units"),
        asides=_set(language, "asides") | _set(language, "body-sites"),
        denied_asides=_set(language, "asides-denied") | _set(language, "body-sites"),
        occasions=_set(language, "occasions"),
        before_after=_set(language, "before-or-after"),
        before_bare=_set(language, "before-a-bare-number"),
        after_bare=_set(language, "after-a-bare-number"),
        codes=_set(language, "codes"),
        short_codes=_set(language, "short-codes"),
        marks=dict(sorted(language.meaning("marks-inside").items(), key=lambda row: -len(row[0]))),
        special=frozenset(word for name in _SPECIAL for word in language.words(name)),
        roman=_decimals(language, "roman-numerals"),
        after_roman=_set(language, "after-roman-numerals"),
        form_codes=_written_short(language),
        codes_with_digits=re.compile(rf"\b{any_of(code for code in _written_short(language) if not code.isalpha())}\b", re.I),
        repeat_if=_set(language, "repeat-if"),
        repeat_after=_set(language, "repeat-after"),
        after_every=language.meaning("after-every-number"),
        day_letters=language.meaning("day-letters"),
        phrases=_phrases(language, release),
        scale=_scale(language),
        steps=_steps(language),
        spanish=_spanish(language),
    )


def _written_short(language: Language) -> dict[str, str]:
    """What stands for other words: codes of forms, "d/c"."""
    each = (language.read(name, lambda _, text: text, "what it is read as") for name in ("form-codes", "written-short"))
    return {code: text for told in each for code, text in told.items()}


def _of_a_part(language: Language) -> re.Pattern[str]:
    """As in "325 mg (65 mg elemental iron)", "108 (90 base) mcg": an amount, and in brackets that of the part which counts."""
    one = r"\d[\d.,]*(?:\s*(?:m?c?g|meq|mmol|units?|iu)\b)?"
    part = any_of([*language.words("of-the-element"), *language.words("of-the-base")])
    return re.compile(rf"(?<![\d.])({one})\s*\(\s*({one})\s*((?:{part}\s*)+)\)", re.I)


def most_supplied(language: Language) -> dict[str, Decimal]:
    """The greatest number that is believed to be handed out, by the word before it. Raises KnowledgeError."""
    return language.read("supply-at-most", lambda _, n: Decimal(n), "a whole number and the words before it")


def _by_how_bad(language: Language) -> re.Pattern[str]:
    """As in "5 mg q4 prn mod pain, 10 mg severe": a dose for one degree of pain, and a higher one for another."""
    bad = rf"{any_of(language.words('how-bad-it-is'))}(?:\s+pain)?"
    unit = any_of([*language.meaning("counted"), *language.words("strength-units")])
    return re.compile(
        rf"(?<![\d.,/-])(?P<low>\d+(?:\.\d+)?)(?P<unit>\s*(?:{unit})?)(?P<told>\s[^,;]*?\b{bad})\s*(?:[,;/]|\band\b|\bor\b)\s*(?P<high>\d+(?:\.\d+)?)"
        rf"(?P<other>\s*(?:{unit})?)(?P<again>(?:\s+(?:po|prn|for|if|q\s?\d+\s?h?))*)\s+{bad}(?=\W*\Z)",
        re.I,
    )


def _set(language: Language, name: str) -> frozenset[str]:
    return frozenset(language.words(name))


def _reasons(language: Language) -> dict[str, tuple[str, ...]]:
    """What a medicine is taken for by the first word of it, longest first; letters and digits apart, as tokens have them."""
    found: dict[str, list[str]] = {}
    for phrase in language.words("taken-for"):
        words = _LETTERS_OR_DIGITS.findall(phrase)
        if not words:
            continue
        found.setdefault(words[0], []).append(" ".join(words))
    return {first: tuple(sorted(rows, key=lambda row: (-len(row.split()), row))) for first, rows in found.items()}


def _by_first(phrases: Iterable[tuple[str, ...]]) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Phrases by their first word, longest first."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for words in phrases:
        found.setdefault(words[0], []).append(words)
    return {first: tuple(sorted(rows, key=lambda row: (-len(row), row))) for first, rows in found.items()}


def _is_exact(value: Fraction) -> bool:
    """Whether a number has a decimal that ends; a third is left unread."""
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1


def _exactly(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def _decimals(language: Language, name: str) -> dict[str, Decimal]:
    return language.read(name, lambda _, value: _exactly(Fraction(value)), "a word under its number")


def _fraction(phrase: str, value: str) -> tuple[tuple[str, str], Fraction]:
    first, second = phrase.split("/")
    return (first, second), Fraction(value)


def _hours(_: str, text: str) -> tuple[int, int]:
    start, _, end = text.partition(" to ")
    return int(start), int(end)


def _phrases(language: Language, release: dict[str, str]) -> Phrases:
    """All fixed phrases; where two lists hold one, the later of these decides."""

    def plain(*names: str) -> dict[str, str]:
        return dict.fromkeys((phrase for name in names for phrase in language.words(name)), "")

    meaning = language.meaning
    kinds: list[tuple[str, Mapping[str, str]]] = [
        ("glue", plain("glue")),
        ("step", plain("other-step")),
        ("not", plain("negation")),
        ("verb", plain("verbs")),
        ("form", meaning("forms")),
        ("release", release),
        ("route", meaning("routes")),
        ("slot", meaning("parts-of-the-day")),
        ("weekday", meaning("weekdays")),
        ("verb", meaning("verbs-of-a-route")),
        ("then", plain("then")),
        ("today", meaning("today")),
        ("rest of week", plain("rest-of-the-week")),
        ("divided", plain("divided")),
        ("awake", plain("while-awake")),
        ("snacks", plain("with-snacks")),
        ("weekday range", meaning("weekday-ranges")),
        ("weekday set", meaning("weekday-sets")),
        ("nothing", plain("says-nothing")),
        ("both", meaning("both-places")),
        ("meals", plain("meals")),
        ("often", meaning("times-a-day")),
        ("daily", plain("daily")),
        ("most", {phrase: "daily" if m == "most in a day" else "" for phrase, m in meaning("at-most").items()}),
        ("up to", plain("up-to")),
        ("day total", plain("day-total")),
        ("once", plain("once-only")),
        ("as needed", plain("as-needed")),
        ("because", plain("reason-follows")),
        ("repeat", plain("repeating")),
        ("target", plain("target-exposure")),
        ("ratio", plain("insulin-ratios")),
        ("lockout", plain("lockout")),
        ("worn", plain("worn-for")),
    ]
    decided = {phrase: (kind, value) for kind, table in kinds for phrase, value in table.items()}
    found: dict[str, list[tuple[tuple[str, ...], str, str]]] = {}
    for phrase, (kind, value) in decided.items():
        first, *rest = phrase.split()
        found.setdefault(first, []).append((tuple(rest), kind, value))
    return {first: tuple(sorted(rows, key=lambda row: -len(row[0]))) for first, rows in found.items()}


def _scale(language: Language) -> ScaleWords:
    return ScaleWords(
        names=_set(language, "sliding-scale"),
        compared=_set(language, "beside-a-reading"),
        more=_set(language, "more-than-a-scale"),
    )


def _steps(language: Language) -> StepWords:
    separators = [(tuple(phrase.split()), kind) for phrase, kind in language.meaning("next-step").items()]
    return StepWords(
        separators=tuple(sorted(separators, key=lambda row: -len(row[0]))),
        changes=language.meaning("dose-changes"),
        between=_set(language, "between-change-and-amount"),
        ends=_set(language, "ends"),
        again=_set(language, "again"),
        pauses=_set(language, "pauses"),
        nothing=_set(language, "step-says-nothing"),
        goes_on=_set(language, "step-goes-on"),
        prelude=_set(language, "step-prelude"),
        first=_set(language, "first-dose"),
        toward=_set(language, "toward"),
        target=_set(language, "around-a-target"),
        extra=_set(language, "once-more"),
    )


def _spanish(language: Language) -> SpanishWords:
    english = language.meaning("spanish")
    return SpanishWords(
        english=english,
        longest=max((len(phrase.split()) for phrase in english), default=0),
        strong=_words_of(language.words("spanish-signs")),
        refused=_words_of(language.words("not-spanish")),
        halves=_set(language, "spanish-halves"),
        numbers=_set(language, "numbers") | _set(language, "parts-of-one"),
    )


def _words_of(words: Iterable[str]) -> re.Pattern[str]:
    """Any of these words in a text from which the accents were taken."""
    return re.compile(rf"\b{any_of(map(unaccented, words))}\b")
