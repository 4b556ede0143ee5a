"""The words that an allergy list is written in, as one library's language has them."""

from __future__ import annotations

import re

from msgspec import Struct

from safety.knowledge.language import Language
from safety.reading.wording import any_of


class AllergyWords(Struct, frozen=True):
    """Made once for a library. Sets of single words (folded), and patterns for the text as told.

    - `about`: what records add to the name of an allergen; `fillers`: words around it and its reaction that name neither.
    - `split`: what stands between an allergen and its reaction (`penicillin: hives`, `penicillin gave me hives`);
      `header`: what stands before the list; `when`: when it happened.
    - `not_theirs`: words by which a medicine is named that is no allergy of this patient, or none any more; `no_others`: a part
      that says there are no others; `untold`: a medicine that nobody names; `denied`: from a denial to the next stop.
    - `treated`: words by which a second medicine is what was given against the reaction, or instead of the first.
    - `grave` and `gravely`: how grave it was; `capitals`: abbreviations that are everyday words as well.
    """

    about: frozenset[str]
    fillers: frozenset[str]
    split: re.Pattern[str]
    header: re.Pattern[str]
    when: re.Pattern[str]
    not_theirs: re.Pattern[str]
    no_others: re.Pattern[str]
    untold: re.Pattern[str]
    treated: re.Pattern[str]
    denied: re.Pattern[str]
    grave: frozenset[str]
    gravely: re.Pattern[str]
    capitals: frozenset[str]


def allergy_words(language: Language) -> AllergyWords:
    """The view of a library's language that allergies are read with."""
    words = language.words
    allergy, reaction = any_of(words("of-allergies")), any_of(words("of-reactions"))
    return AllergyWords(
        about=frozenset(words("about-allergies")),
        fillers=frozenset(words("allergy-fillers")),
        split=re.compile(rf"\s*(?::|->|→|=>?|\s[-–—]+\s|\(|\)|\b{any_of(words('causing'))}\b)\s*", re.I),
        header=re.compile(rf"^\s*{any_of(words('list-headings'))}\s*:\s*", re.I),
        when=_when(language),
        not_theirs=_not_theirs(language, allergy),
        no_others=re.compile(
            rf"{any_of(words('denial-of-others'))}(?: {any_of(words('others'))})* ?(?:{allergy}|{reaction})?", re.I
        ),
        untold=re.compile(rf"\b{any_of(words('unnamed'))} {any_of(words('medicines-in-talk'))}\b", re.I),
        treated=_treated(language),
        denied=re.compile(rf"\b{any_of(words('denial'))}\b[^,;.]*", re.I),
        grave=frozenset(words("grave")),
        gravely=re.compile(rf"\b{any_of(words('gravely'))}\b", re.I),
        capitals=frozenset(words("capitals-only")),
    )


def _when(language: Language) -> re.Pattern[str]:
    """As in "3 years ago", "in 1998", "in childhood", "age 5"."""
    count = any_of((*language.words("numbers"), *language.words("vague-counts")))
    long = any_of(word for word, unit in language.meaning("time-units").items() if unit in ("month", "year"))
    stage = any_of(language.words("life-stages"))
    return re.compile(
        rf"\b(?:(?:\d+|{count})\+? )?{long} (?:ago|old)\b|\b(?:in |since )?(?:19|20)\d\d\b|\bin {stage}\b|\bage \d+\b", re.I
    )


def _not_theirs(language: Language, allergy: str) -> re.Pattern[str]:
    words = language.words
    negative, test = any_of(words("negative")), any_of(words("tests-of-allergy"))
    others = rf"{any_of(words('relatives'))}(?! {any_of(words('reporting'))})"
    told = any_of(words("no-allergy"))
    no = rf"no (?:\w+ )?{allergy}|no {any_of(words('of-reactions'))} to"
    return re.compile(rf"\b(?:{told}|{no}|{negative} (?:\w+ )?{test}|{test} (?:was )?{negative}|{others})\b", re.I)


def _treated(language: Language) -> re.Pattern[str]:
    words = language.words
    first = rf"(?:{any_of(words('being'))} )?(?:{any_of(words('treated-with'))}|{any_of(words('got'))}(?! .*from))"
    return re.compile(rf"^{first}\b|\b{any_of(words('treated-by'))}\W*$", re.I)
