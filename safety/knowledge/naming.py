"""The tables that questions about names are asked from: look-alike names, what medicines are for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from safety.errors import Problem
from safety.knowledge.documents import Document, Path_
from safety.knowledge.drafts import Drafts
from safety.knowledge.library import Drug, DrugClass, LookAlike, Product
from safety.text import did_you_mean

_BASES = ("fda-tall-man", "reported", "short-for")


def lookalikes(drafts: Drafts, drugs: Sequence[Drug], products: Sequence[Product]) -> tuple[LookAlike, ...]:
    """The groups of `kb/lookalikes.yaml`, in its order; an overlay's groups come after ours."""
    known = {*(d.id for d in drugs), *(p.id for p in products)}
    found: list[LookAlike] = []
    for document, path, group in _rows(drafts, "kb/lookalikes.yaml", "groups"):
        row = group if isinstance(group, dict) else {}
        members, basis = row.get("members"), row.get("basis")
        if not isinstance(members, dict) or len(members) < 2 or basis not in _BASES:
            hint = "write `{basis: reported, members: {drug.a: name, drug.b: name}}`; bases: " + " ".join(_BASES)
            _problem(drafts, document, path, "K107", "is not a group of two names or more with a basis", hint)
            continue
        told = _told(drafts, document, path, row, members)
        if told is not None and _all_known(drafts, document, (*path, "members"), members, known):
            found.append(LookAlike(tuple(members), tuple(str(name) for name in members.values()), basis, told))
    return tuple(found)


def _told(
    drafts: Drafts, document: Document, path: Path_, group: Mapping[str, object], members: Mapping[str, object]
) -> tuple[tuple[str, ...], ...] | None:
    """Which words beside a short form tell each member, in the order of the members; None where that is not written so."""
    told = group.get("told", {})
    lists = isinstance(told, dict) and all(isinstance(said, list) and said for said in told.values())
    if not isinstance(told, dict) or not lists or (told and group.get("basis") != "short-for"):
        hint = "write `told: {drug.a: [words beside it, others]}` in a group of `basis: short-for`"
        _problem(drafts, document, (*path, "told"), "K107", "does not say by which words a member is told", hint)
        return None
    strange = [i for i in told if i not in members]
    for i in strange:
        _problem(drafts, document, (*path, "told"), "K301", f"`{i}` is no member of this group", did_you_mean(str(i), members))
    return None if strange else tuple(tuple(str(said) for said in told.get(i, ())) for i in members)


def uses(drafts: Drafts, drugs: Sequence[Drug], classes: Sequence[DrugClass]) -> dict[str, str]:
    """What each drug of `kb/uses.yaml` is for: a drug written out outranks its class, the first class counts."""
    ids = {d.id for d in drugs}
    members = {c.id: c.members for c in classes}
    own: dict[str, str] = {}
    by_class: dict[str, str] = {}
    for document, path, rows in _tables(drafts, "kb/uses.yaml", "uses"):
        for use, listed in rows.items() if isinstance(rows, dict) else ():
            if not isinstance(listed, list):
                _problem(drafts, document, (*path, use), "K107", "is not a list of drugs and classes", "")
            elif _all_known(drafts, document, (*path, use), listed, {*ids, *members}):
                own.update({i: str(use) for i in listed if i in ids})
                for i in listed:
                    for drug in members.get(i, ()):
                        by_class.setdefault(drug, str(use))
    return {i: own.get(i) or by_class[i] for i in sorted({*own, *by_class})}


def _tables(drafts: Drafts, folder: str, key: str) -> Iterable[tuple[Document, Path_, object]]:
    for document in drafts.documents(folder):
        if set(document.value) != {key}:
            _problem(drafts, document, (), "K107", f"holds `{key}:` and nothing else", "")
        else:
            yield document, (key,), document.value[key]


def _rows(drafts: Drafts, folder: str, key: str) -> Iterable[tuple[Document, Path_, Mapping[str, object] | object]]:
    for document, path, rows in _tables(drafts, folder, key):
        if not isinstance(rows, list):
            _problem(drafts, document, path, "K107", f"`{key}` is not a list", "")
            continue
        for n, row in enumerate(rows):
            yield document, (*path, n), row


def _all_known(drafts: Drafts, document: Document, path: Path_, ids: Iterable[object], known: set[str]) -> bool:
    strange = [i for i in ids if not isinstance(i, str) or i not in known]
    for i in strange:
        _problem(drafts, document, path, "K301", f"`{i}` is not something that we know", did_you_mean(str(i), known))
    return not strange


def _problem(drafts: Drafts, document: Document, path: Path_, code: str, what: str, hint: str) -> None:
    drafts.problems.append(Problem(document.place(path), code, what, hint))
