"""What names are looked up in, worked out once for a library and stored with it: names as written, and as they sound."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from safety.knowledge.language import Language
from safety.knowledge.library import Derived, Drug, DrugClass, Product, Recognised, Seen
from safety.knowledge.store import Lookup
from safety.reading.names.words import form_words, salt_words, short_salts
from safety.reading.wording import key_of

_SYLLABLES = 5
_JOINED = re.compile(r"[-/+ ]")
Meaning = tuple[str, str, str, bool]
"""What a name as written stands for: the item's id, the name as shown, how it is a name of it, whether it is error-prone."""
_VIA = {"name": "exact", "synonym": "exact", "abbreviation": "exact", "brand": "brand", "product": "brand", "salt": "salt",
        "misspelling": "known-misspelling"}  # fmt: skip


class NameIndex(Struct, frozen=True):
    """Names as they are written.

    `names`: by their words, what they stand for. `starts`: by the first word of a name, how many words the longest has.
    `codes`: RxNorm codes. `classes`: names of classes. `salts`: drugs whose name beside another's says which salt that is.
    `combinations`: by the drugs that are sold together in one product (`combination_key`), a product that holds them;
    `holding`: every product that holds exactly these, or this one.
    """

    names: Lookup[tuple[Meaning, ...]]
    starts: Lookup[int]
    codes: Lookup[str]
    classes: Lookup[str]
    salts: tuple[str, ...]
    combinations: Lookup[str]
    holding: Lookup[tuple[str, ...]]


class Vocabulary(Struct, frozen=True):
    """The names worth comparing with what was heard, side by side: as they are compared, what they stand for, as they are
    shown, the drugs they hold, whether they are in common use, whether more than the name is held, how they sound, and by what
    they are narrowed down; `order` is by their letters.

    `sharing`: for each pair of letters or of code (`likeness.pairs`), which names have it: a bit a name, the first lowest.
    """

    texts: tuple[str, ...]
    targets: tuple[str, ...]
    shown: tuple[str, ...]
    drugs: tuple[tuple[str, ...], ...]
    common: tuple[bool, ...]
    held: tuple[bool, ...]
    sounds: tuple[str, ...]
    keys: tuple[str, ...]
    order: tuple[int, ...]
    sharing: Lookup[bytes]


def combination_key(drugs: Iterable[str]) -> str:
    """Drugs that are sold together, whatever their order."""
    return " + ".join(sorted(set(drugs)))


def _written_keys(key: str, short: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """A name, and the same with its salt as labels abbreviate it (metformin hcl)."""
    head, _, salt = key.rpartition(" ")
    return (key, *(f"{head} {one}" for one in short.get(salt, ()) if head))


def _meanings(
    drugs: Iterable[Drug], products: Iterable[Product], recognised: Iterable[Recognised], language: Language
) -> dict[str, tuple[Meaning, ...]]:
    """What each name as written stands for, in the order of the library."""
    found: dict[str, list[Meaning]] = {}
    short = short_salts(language)
    for items in (drugs, products):
        for item in items:
            for named in item.names:
                for key in _written_keys(key_of(named.text), short):
                    found.setdefault(key, []).append((item.id, named.text, _VIA[named.via], named.error_prone))
    for r in recognised:
        if r.bare and (key := key_of(r.name)) not in found:
            found[key] = [(r.id, r.name, r.kind if r.kind in ("brand", "salt") else "exact", False)]
    return {key: tuple(meanings) for key, meanings in found.items()}


def _name_index(
    drugs: Sequence[Drug], products: Sequence[Product], recognised: Sequence[Recognised], classes: Sequence[DrugClass],
    language: Language,
) -> NameIndex:  # fmt: skip
    names = _meanings(drugs, products, recognised, language)
    starts: dict[str, int] = {}
    for key in names:
        start = key.partition(" ")[0]
        starts[start] = max(starts.get(start, 1), key.count(" ") + 1)
    codes: dict[str, str] = {}
    for items in (drugs, products):
        codes.update({code: item.id for item in items for code in (item.rxnorm, *item.rxnorm_also) if code})
    for r in recognised:
        if r.rxcui:
            codes.setdefault(r.rxcui, r.id)
    groups: dict[str, str] = {}
    for c in classes:
        for text in (c.name, *c.synonyms):
            groups.setdefault(key_of(text), c.id)
    sold = ((p.drugs, p.id) for p in products), ((r.means, r.id) for r in recognised)
    together = {combination_key(held): i for kind in sold for held, i in kind if len(held) > 1}
    holding: dict[str, tuple[str, ...]] = {}
    for p in products:
        key = combination_key(p.drugs)
        holding[key] = (*holding.get(key, ()), p.id)
    return NameIndex(names, starts, codes, groups, tuple(d.id for d in drugs if d.names_salts), together, holding)


def _vocabulary(
    drugs: Sequence[Drug], products: Sequence[Product], recognised: Sequence[Recognised], uses: Mapping[str, str],
    language: Language,
) -> Vocabulary:  # fmt: skip
    from safety.reading.names.likeness import blocking_key, pairs  # paid for by who compiles, not by who loads
    from safety.reading.names.sounds import pronounce

    stands_for = {p.id: p.drugs for p in products} | {r.id: r.means for r in recognised}
    names = _meanings(drugs, products, recognised, language)
    cut_short = {key for d in drugs for key in _cut_short(d)} | {key for p in products for key in _beginnings(p)}
    keys = [
        (key, target, shown)
        for key, found in names.items()
        for target, shown, _, prone in found
        if not prone and key not in cut_short and not _is_written_only(shown)
    ]
    compared = _compared(keys, lambda target: stands_for.get(target) or (target,), form_words(language) | salt_words(language))
    kind = {d.id: 0 for d in drugs} | {p.id: 1 for p in products}
    compared.sort(key=lambda c: (kind.get(c[1], 2), c[0], c[1]))  # of names as near, ours come first
    texts = [text for text, *_ in compared]
    sounds = [pronounce(text) for text in texts]
    monographs = {d.id for d in drugs}
    letters = [text.replace(" ", "") for text in texts]
    return Vocabulary(
        texts=tuple(texts),
        targets=tuple(target for _, target, *_ in compared),
        shown=tuple(shown for *_, shown, _ in compared),
        drugs=tuple(meant for *_, meant in compared),
        common=tuple(any(d in uses for d in meant) for *_, meant in compared),
        held=tuple(any(d in monographs for d in meant) for *_, meant in compared),
        sounds=tuple(sounds),
        keys=tuple(blocking_key(a, b) for a, b in zip(letters, sounds, strict=True)),
        order=tuple(sorted(range(len(letters)), key=lambda n: letters[n])),
        sharing=_sharing([pairs(text) for text in letters]),
    )


def _cut_short(drug: Drug) -> Iterator[str]:
    """Names of a drug that stop in the middle of its name ("acetazol"): written so, and neither said nor misspelt so."""
    whole = [key_of(n.text) for n in drug.names if n.via != "abbreviation"]
    for key in (key_of(n.text) for n in drug.names if n.via == "abbreviation"):
        if any(name.startswith(key) and name[len(key) : len(key) + 1].isalpha() for name in whole):
            yield key


def _beginnings(product: Product) -> Iterator[str]:
    """Names of a product that are beginnings of its ingredients ("sac-val"): written so, and neither said nor misspelt so."""
    held = [drug.partition(".")[2] for drug in product.drugs]
    for name in product.names if len(held) > 1 else ():
        parts = _JOINED.split(name.text.lower())
        if len(parts) > 1 and all(len(part) <= _SYLLABLES and any(d.startswith(part) for d in held) for part in parts):
            yield key_of(name.text)


def _is_written_only(name: str) -> bool:
    """Whether a name is beginnings with slashes between them ("sac/val", "c/l"): nobody says it so."""
    return "/" in name and all(len(part) <= _SYLLABLES for part in name.split("/"))


def _sharing(of_names: Sequence[frozenset[str]]) -> dict[str, bytes]:
    """For each pair, the names that have it, as bits."""
    found: dict[str, bytearray] = {}
    for n, pairs in enumerate(of_names):
        for pair in pairs:
            found.setdefault(pair, bytearray((len(of_names) + 7) // 8))[n >> 3] |= 1 << (n & 7)
    return {pair: bytes(found[pair]) for pair in sorted(found)}


def _compared(
    keys: Iterable[tuple[str, str, str]], drugs_of: Callable[[str], tuple[str, ...]], endings: frozenset[str]
) -> list[tuple[str, str, str, tuple[str, ...]]]:
    """The names worth comparing with: no abbreviations, no forms, no strengths, each with every drug it may stand for."""
    found: dict[tuple[str, tuple[str, ...]], tuple[str, str, str, tuple[str, ...]]] = {}
    every = list(keys)
    plain = {(key, drugs_of(target)) for key, target, _ in every}
    whole = {key for key, *_ in every}
    for key, target, shown in every:
        parts = [p for p in key.split() if p[0].isalpha()]
        drugs = drugs_of(target)
        text = " ".join(parts)
        while len(parts) > 1 and parts[-1] in endings:
            parts.pop()
        shorter = " ".join(parts)
        if text != key and text in whole:  # "tylonol" is Tylenol, not Tylenol #3
            continue
        if (shorter != key and (shorter, drugs) in plain) or len(text.replace(" ", "")) < 4 or not text.isascii():
            continue
        found.setdefault((text, drugs), (text, target, shown, drugs))
    return list(found.values())


def _seen_of_drug(d: Drug) -> tuple[object, ...]:
    return d.names, d.rxnorm, d.rxnorm_also, d.names_salts


def _seen_of_product(p: Product) -> tuple[object, ...]:
    return p.names, p.rxnorm, p.rxnorm_also, p.drugs


def _seen_of_class(c: DrugClass) -> tuple[object, ...]:
    return c.name, c.synonyms


_SEEN: dict[str, Seen] = {"drugs": _seen_of_drug, "products": _seen_of_product, "classes": _seen_of_class}
NAMES = Derived("names", NameIndex, ("drugs", "products", "recognised", "classes", "language"), _name_index, _SEEN)
VOCABULARY = Derived("vocabulary", Vocabulary, ("drugs", "products", "recognised", "uses", "language"), _vocabulary, _SEEN)
