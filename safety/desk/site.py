"""The knowledge as pages for a browser: one for each rule, medicine, class, condition and source, and a search over them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, Final

import msgspec
from markupsafe import Markup
from msgspec import Struct

from safety.desk.keeping import in_force
from safety.desk.signing import Signature, state_of
from safety.desk.telling import in_names
from safety.judging.candidates import asked_by
from safety.knowledge.compiled import Compiled
from safety.knowledge.entries import Entry
from safety.knowledge.leaves import DrugLeaf, HasLeaf
from safety.knowledge.library import Condition, Drug, DrugClass, Library, Source
from safety.model.report import RANK, SEVERITIES
from safety.showing.pages import asks, in_words, page_style, render

KINDS: Final[Mapping[str, str]] = {
    "drug": "Medicines", "rule": "Rules", "class": "Classes", "condition": "Conditions", "source": "Sources",
}  # fmt: skip
_LISTED: Final = {"drug": "drugs", "class": "classes", "condition": "conditions", "source": "sources"}
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


class _Links(Struct, frozen=True):
    """Which rules speak of each medicine, class, condition and source, the loudest first."""

    of: Mapping[str, list[Entry]]


class Site(Struct, frozen=True):
    """What a site is made of: the knowledge with its cases, who signed what, and guides (a title and the HTML of each)."""

    compiled: Compiled
    signed: Mapping[str, Signature]
    guides: Mapping[str, str]


def path_of(i: str) -> str:
    """Where the page of an id stands in the folder."""
    kind, _, name = i.partition(".")
    return f"{kind}/{name}.html"


def pages(site: Site) -> Iterator[tuple[str, str]]:
    """Every file of the folder: its path and its text."""
    library = site.compiled.library
    links = _Links(_speaking(library))
    yield "page.css", page_style()
    yield "search.js", _search(library)
    yield "index.html", _page("site_index.html", site, "", counts=_counts(library), severities=_severities(library))
    for title, html in site.guides.items():
        yield guide_file(title), _page("site_guide.html", site, "", heading=title, text=Markup(html))
    for kind, heading in KINDS.items():
        yield f"{kind}.html", _page("site_list.html", site, "", heading=heading, groups=_groups(kind, library))
    for entry in library.entries:
        yield path_of(entry.id), _rule(entry, site)
    for drug in library.drugs:
        yield path_of(drug.id), _drug(drug, site, links)
    others: list[DrugClass | Condition | Source] = [*library.classes, *library.conditions, *library.sources]
    for other in others:
        yield path_of(other.id), _other(other, site, links)


def _page(template: str, site: Site, root: str, **values: Any) -> str:
    library = site.compiled.library
    return render(
        template, root=root, version=library.version, sha256=library.sha256, kinds=KINDS, path_of=path_of,
        guides={title: guide_file(title) for title in site.guides}, has_page=_has_page(library), **values,
    )  # fmt: skip


def _has_page(library: Library) -> Callable[[str], bool]:
    def has(i: str) -> bool:
        return i in library.entry or (i.partition(".")[0] in _LISTED and i in library.by_id)

    return has


def guide_file(title: str) -> str:
    """Where a guide stands in the folder."""
    return f"{'-'.join(title.lower().split())}.html"


def _search(library: Library) -> str:
    """The index of the search as a script, for a page that is opened from a disk may load nothing else."""
    sold: dict[str, list[str]] = {}
    for product in library.products:
        for drug in product.drugs:
            sold.setdefault(drug, []).extend(n.text for n in product.names)
    rows = [[e.id, in_words(e.title), e.severity] for e in library.entries]
    rows += [
        [d.id, d.name, " ".join([*(n.text for n in d.names if n.text != d.name), *sold.get(d.id, ())])] for d in library.drugs
    ]
    rows += [[c.id, c.name, " ".join(c.synonyms)] for c in library.classes]
    rows += [[c.id, c.name, " ".join(c.synonyms)] for c in library.conditions]
    rows += [[s.id, s.title, s.publisher] for s in library.sources]
    return f"const INDEX = {msgspec.json.encode(rows).decode()};\n"


def _counts(library: Library) -> dict[str, int]:
    return {"rule": len(library.entries), **{kind: len(getattr(library, name)) for kind, name in _LISTED.items()}}


def _severities(library: Library) -> dict[str, int]:
    entries = in_force(library)
    return {severity: sum(e.severity == severity for e in entries) for severity in SEVERITIES}


def _groups(kind: str, library: Library) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """What a list shows, under headings: (id, title, severity) of each."""
    if kind == "rule":
        entries = sorted(library.entries, key=lambda e: (e.kind, RANK[e.severity], e.id))
        grouped = groupby(entries, key=lambda e: e.kind)
        return [(k.replace("_", " "), [(e.id, in_words(e.title), e.severity) for e in es]) for k, es in grouped]
    named = [(str(item.id), str(getattr(item, "name", "") or item.title)) for item in getattr(library, _LISTED[kind])]
    named.sort(key=lambda one: (_letter(one[1]), one[1].lower(), one[0]))
    return [(letter, [(i, name, "") for i, name in of]) for letter, of in groupby(named, key=lambda one: _letter(one[1]))]


def _letter(name: str) -> str:
    first = name[:1].lower()
    return first.upper() if first in _LETTERS and first else "0-9"


# ------------------------------------------------------------------ who speaks of what


def _speaking(library: Library) -> Mapping[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for entry in sorted(in_force(library), key=lambda e: (RANK[e.severity], e.id)):
        for i in dict.fromkeys(_about(entry)):
            found.setdefault(i, []).append(entry)
    return found


def _about(entry: Entry) -> Iterator[str]:
    if entry.doses is not None:
        yield entry.doses.drug
    for leaf in asked_by(entry):
        if isinstance(leaf, DrugLeaf):
            yield from leaf.members or ()
            yield from _named_classes(leaf.text)
        elif isinstance(leaf, HasLeaf):
            yield from leaf.conditions
    for citation in entry.evidence:
        yield citation.source


def _named_classes(text: str) -> Iterator[str]:
    """The classes that a line names in the words that it was written in."""
    words = "".join(c if c.isalnum() or c in "-." else " " for c in text).split()
    return (word for word in words if word.startswith("class."))


# ------------------------------------------------------------------ the pages


def _rule(entry: Entry, site: Site) -> str:
    library = site.compiled.library
    members = [(leaf.slot or "", _named(leaf.members, library)) for leaf in entry.slots if leaf.members is not None]
    standing = state_of(entry, site.signed)
    named = in_names(entry, library)
    words = {key: named(getattr(entry, key)) for key in ("title", "advice", "if_unavoidable", "why")}
    cases = [
        (p.name, p.direction or p.expect.replace("_", " "), _given(p.given), p.place)
        for p in site.compiled.cases.get(entry.id, ())
    ]
    return _page(
        "site_rule.html", site, "../", entry=entry, words=words, lines=asks(entry), members=members, cases=cases,
        standing=standing, table=entry.doses,
    )  # fmt: skip


def _named(ids: Iterable[str], library: Library) -> list[tuple[str, str]]:
    return sorted(((i, library.name_of(i)) for i in ids), key=lambda one: one[1].lower())


def _given(given: Mapping[str, Any]) -> str:
    return "; ".join(f"{key.replace('_', ' ')}: {_said(value)}" for key, value in given.items())


def _said(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{k} {_said(v)}" for k, v in value.items())
    return ", ".join(map(_said, value)) if isinstance(value, list | tuple) else "yes" if value is True else str(value)


def _drug(drug: Drug, site: Site, links: _Links) -> str:
    library = site.compiled.library
    by_kind = {via: [n.text for n in names] for via, names in groupby(drug.names, key=lambda n: n.via)}
    classes = [(c.id, c.name) for c in library.classes if drug.id in c.members]
    products = [p.name for p in library.products if drug.id in p.drugs]
    return _page(
        "site_drug.html", site, "../", drug=drug, names=by_kind, classes=classes, products=products,
        ledgers=library.ledgers(drug.id), rules=links.of.get(drug.id, []), in_words=in_words,
        advice=lambda e: in_names(e, library, drug.id)(e.advice),
    )  # fmt: skip


def _other(item: DrugClass | Condition | Source, site: Site, links: _Links) -> str:
    library = site.compiled.library
    facts: dict[str, Any] = {}
    related: dict[str, list[tuple[str, str]]] = {}
    if isinstance(item, DrugClass):
        facts, related = {"also called": ", ".join(item.synonyms)}, {"Members": _named(item.members, library)}
    elif isinstance(item, Condition):
        facts = {"also called": ", ".join(item.synonyms), "codes": ", ".join(f"{system} {code}" for system, code in item.codes)}
        wider = [i for i in item.is_a if i != item.id]
        narrower = [c.id for c in library.conditions if item.id in c.is_a and c.id != item.id]
        related = {"Is a kind of": _called(wider, library), "Kinds of it": _called(narrower, library)}
    else:
        facts = {
            "publisher": item.publisher,
            "type": item.type,
            "edition": item.edition,
            "license": item.licence,
            "address": item.url,
        }
    return _page(
        "site_other.html", site, "../", item=item, heading=getattr(item, "name", "") or getattr(item, "title", ""),
        facts={k: v for k, v in facts.items() if v}, related={k: v for k, v in related.items() if v},
        rules=links.of.get(item.id, []), advice=lambda e: in_names(e, library)(e.advice), in_words=in_words,
    )  # fmt: skip


def _called(ids: Iterable[str], library: Library) -> list[tuple[str, str]]:
    return sorted(
        ((i, str(getattr(library.by_id[i], "name", i))) for i in ids if i in library.by_id), key=lambda one: one[1].lower()
    )
