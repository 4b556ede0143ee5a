"""The words of dosing language that may stand beside a medicine's name, as one library's language has them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from safety.knowledge.language import Language
from safety.knowledge.library import Library
from safety.reading.wording import any_of, key_of, worded

_SHORT_UNIT = 2
_DOSED_IN = ("mass", "volume", "amount", "charge", "activity")


class NameWords(Struct, frozen=True):
    """Single words, made once for a library; each set says what its words tell of the name beside which they stand.

    `lead_ins` come before a name, `known` on either side of it; `negations` may say that it is not taken. `units`, `forms`
    and `salts` are never a name by themselves. `describing`: talk about medicines; `cues`: talk about a dose; `medicines`:
    medicines at large. `listing`: between names, of one product or of several; `relating`: before a name, they relate it to
    another instead of listing it.
    `adding`: phrases that list it though they begin as those do.
    `other_products`: right after a brand that is bought, they name another product of that
    brand, unless it is sold in one of these forms; `other_before`: the same right before the brand. `elsewhere`: names of
    medicines that we do not hold, with what each is. `former`: what leads to a medicine taken before, `succeeded`: what stands
    between it and the one taken since, by their words; `stopped`: what says so of it on a line of its own; `begun`: what says of
    one that it is taken from now on; `titles`: before the name of a person; `sizes_of_doses`: "low dose";
    `tested`: beside a name, that a test of that name
    is meant; `changing`: of a dose that changes, never the name of the next medicine; `limiting`: of the most that is taken;
    `conditions`: they begin what a medicine is taken for, "when I get heartburn"; `leading`: before a name, they tell
    nothing else; `timed_from`: from the medicine behind them a time is told, "30 min before Lasix"; `taken_for`: before what it
    is taken for, and the `reasons` in plain words; `cycles`: before the number of a day or cycle; `swapped`: before a medicine
    that another follows, "switch warfarin to apixaban"; `called` with one of the `nouns`: what people call a medicine by,
    "heart pill".
    """

    lead_ins: frozenset[str]
    known: frozenset[str]
    leading: frozenset[str]
    called: frozenset[str]
    nouns: frozenset[str]
    supplies: frozenset[str]
    beside_supplies: frozenset[str]
    units: frozenset[str]
    forms: frozenset[str]
    salts: frozenset[str]
    short_salts: dict[str, tuple[str, ...]]
    negations: frozenset[str]
    joiners: frozenset[str]
    describing: frozenset[str]
    cues: frozenset[str]
    registrations: frozenset[str]
    medicines: frozenset[str]
    listing: frozenset[str]
    relating: frozenset[str]
    adding: tuple[tuple[str, ...], ...]
    as_needed: tuple[str, ...]
    other_products: dict[str, tuple[str, ...]]
    other_before: frozenset[str]
    elsewhere: dict[str, str]
    former: tuple[tuple[str, ...], ...]
    former_first: frozenset[str]
    succeeded: tuple[tuple[str, ...], ...]
    stopped: str
    begun: frozenset[str]
    titles: frozenset[str]
    tested: frozenset[str]
    sizes_of_doses: frozenset[str]
    changing: frozenset[str]
    limiting: frozenset[str]
    conditions: frozenset[str]
    timed_from: frozenset[str]
    taken_for: frozenset[str]
    reasons: frozenset[str]
    cycles: frozenset[str]
    swapped: frozenset[str]


class TalkWords(Struct, frozen=True):
    """What tells a medicine's name from the other words of a sentence.

    `no_names`: never a name, however it is written; `talk`: never taken for a name that is only near. `cue` ends where a
    name may follow; `thing` finds the word that is taken, though no name is like it; `strength` ends with the name of
    a product's strength.
    """

    no_names: frozenset[str]
    talk: frozenset[str]
    cue: re.Pattern[str]
    thing: re.Pattern[str]
    strength: re.Pattern[str]


def form_words(language: Language) -> frozenset[str]:
    """Words for what a medicine comes as."""
    return _single(language, "form-words")


def salt_words(language: Language) -> frozenset[str]:
    """Words that say which salt of a drug it is."""
    return _single(language, "salts")


def short_salts(language: Language) -> dict[str, tuple[str, ...]]:
    """How labels and records abbreviate each salt."""
    shorts = language.meaning("salts-in-short")
    return {salt: tuple(short for short, of in shorts.items() if of == salt) for salt in shorts.values()}


def _single(language: Language, name: str) -> frozenset[str]:
    return frozenset(word for word in language.words(name) if " " not in word)


def name_words(library: Library) -> NameWords:
    """The view of a library's language that names are read with."""
    language = library.language

    def single(name: str) -> frozenset[str]:
        return _single(language, name)

    units = single("strength-units") | _spelled_out(library)
    former, succeeded = (_by_words(language.words(name)) for name in ("former-names", "succeeded-by"))
    verbs = frozenset(language.meaning("verbs-of-a-route"))
    return NameWords(
        lead_ins=single("lead-ins"),
        known=single("beside-a-name") | units | verbs | {word for word in language.meaning("day-letters") if len(word) > 1},
        leading=single("before-the-name-alone"),
        called=frozenset(language.words("pills-are-called")),
        nouns=single("words-for-a-medicine"),
        supplies=frozenset(key_of(phrase) for phrase in language.words("supplies")),
        beside_supplies=single("beside-supplies"),
        units=units,
        forms=form_words(language),
        salts=salt_words(language),
        short_salts=short_salts(language),
        negations=single("not-taken"),
        joiners=single("joining-names"),
        describing=single("describing"),
        cues=single("dose-cues"),
        registrations=single("registrations"),
        medicines=single("of-medicines"),
        listing=single("listing-names"),
        relating=single("relating-names"),
        adding=_by_words(language.words("adding-names")),
        as_needed=language.words("as-needed"),
        other_products={word: tuple(forms.split(" / ")) for word, forms in language.meaning("other-products").items()},
        other_before=single("other-products-before"),
        elsewhere=dict(language.meaning("not-held")),
        former=former,
        former_first=frozenset(phrase[0] for phrase in (*former, *succeeded)),
        succeeded=succeeded,
        begun=single("begun"),
        titles=single("titles-of-people"),
        tested=single("tests-of-a-medicine"),
        sizes_of_doses=frozenset(language.words("sizes-of-doses")),
        changing=frozenset(language.meaning("dose-changes")) | single("other-step"),
        limiting=frozenset(phrase.split()[0] for phrase in language.meaning("at-most")),
        conditions=single("step-conditions"),
        timed_from=frozenset(language.words("timed-from")),
        taken_for=single("for-what"),
        reasons=frozenset(word for use in library.uses.values() for word in worded(use).words),
        swapped=single("swapping"),
        cycles=frozenset((*language.words("cycles"), *language.words("day-of-a-cycle"))),
        stopped=language.words("not-taken-now-first")[0],
    )


def _by_words(phrases: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Phrases by their words, longest first."""
    return tuple(sorted({tuple(worded(phrase).words) for phrase in phrases}, key=lambda words: (-len(words), words)))


def talk_words(library: Library, names: NameWords) -> TalkWords:
    """The view of a library's language that names inside sentences are found with."""
    words = library.language.words
    mine = rf"(?:{any_of(words('own'))}\s+)?"
    strength = any_of(words("strength-names"), r"[\s-]*").replace("'", "['’]?")
    ahead = rf"\s+(?:\d|{any_of(words('after-object'))})|\s*[.,!?]|\s*$"
    return TalkWords(
        no_names=names.known | names.lead_ins | names.negations | names.describing,
        talk=frozenset(words("talk")),
        cue=re.compile(rf"\b{any_of(words('name-follows'))}\s+{mine}$", re.I),
        thing=re.compile(rf"\b{any_of(words('name-is-object'))}\s+{mine}([^\W\d_]{{6,}})(?={ahead})", re.I),
        strength=re.compile(rf"\b{strength}\s*$", re.I),
    )


def _spelled_out(library: Library) -> frozenset[str]:
    """The longer spellings of the units that medicines are measured in."""
    table = library.units_table
    symbols = [symbol for dimension in _DOSED_IN for symbol in table.dimensions.get(dimension, ())]
    spellings = (text.lower() for symbol in symbols for text in (symbol, *table.aliases.get(symbol, ())))
    return frozenset(text for text in spellings if len(text) > _SHORT_UNIT and text.isalpha())
