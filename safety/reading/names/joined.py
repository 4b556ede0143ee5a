"""Medicines that are sold together, each cut short or abbreviated: "oxy/apap 5/325", "flut-salm 250/50", "dtg/3tc"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from safety.knowledge.library import Drug, Library, Product
from safety.reading.wording import key_of
from safety.text import lowered

_JOINED = re.compile(r"\s*(?P<names>[^\W\d_][^\W_]+(?:\s?[/+-]\s?[^\W_]*[^\W\d_][^\W_]*){1,3})(?![/\w])")
_STRENGTHS = re.compile(r"\d+(?:\.\d+)?(?:[/-]\d+(?:\.\d+)?)+")
_SIGN = re.compile(r"\s?[/+-]\s?")
_LEAST = 3
"""So many letters of a name, at least; an abbreviation counts as it is."""


class JoinedNames:
    """The medicines of one library that are sold together, by what each of them is called."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._called: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
        self._sold: dict[frozenset[str], list[Product]] = {}
        for product in library.products:
            if len(product.drugs) > 1 and all(d in library.drug for d in product.drugs):
                self._sold.setdefault(frozenset(product.drugs), []).append(product)

    def written_out(self, text: str) -> str | None:
        """A line that begins with names cut short of medicines that are sold together, with the names written out; None where
        it does not, where each is a name by itself that needs no writing out, or where several such pairs may be meant."""
        found = _JOINED.match(text)
        said = [lowered(one) for one in _SIGN.split(found["names"])] if found else []
        if found is None or len(said) < 2:
            return None
        pairs = {held: order for held in self._sold if len(held) == len(said) and (order := self._in_order(said, held))}
        rest = text[found.end() :]
        if len(pairs) > 1:
            told = _STRENGTHS.search(rest)
            pairs = {held: order for held, order in pairs.items() if told and self._has(held, told[0].replace("-", "/"))}
        if len(pairs) != 1:
            return None
        (order,) = pairs.values()
        return f"{' / '.join(self._library.drug[d].name for d in order)}{rest}"

    def _in_order(self, said: Sequence[str], held: Iterable[str]) -> list[str] | None:
        """The medicines that are sold together in the order in which they are said; None where they are others."""
        left, order = list(held), []
        for one in said:
            meant = next((d for d in left if self._is_called(d, one)), None)
            if meant is None:
                return None
            left.remove(meant)
            order.append(meant)
        return order

    def _is_called(self, drug: str, said: str) -> bool:
        if drug not in self._called:
            self._called[drug] = _names(self._library.drug[drug])
        names, short = self._called[drug]
        return said in names or said in short or (len(said) >= _LEAST and any(name.startswith(said) for name in names))

    def _has(self, held: frozenset[str], strength: str) -> bool:
        return any(p.name == strength for product in self._sold[held] for p in product.presentations)


def _names(drug: Drug) -> tuple[frozenset[str], frozenset[str]]:
    """What an ingredient is called, and its abbreviations."""
    told = [(key_of(n.text), n.via) for n in drug.names]
    names = frozenset(text for text, via in told if via in ("name", "synonym"))
    return names, frozenset(text for text, via in told if via == "abbreviation")
