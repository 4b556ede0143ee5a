"""What stands in the way of no answer but makes knowledge harder to keep: told by `medsafe lint`, never in the way of a check.

What one rule or class gives reason for is noted while it is compiled; the rest is seen in the whole library.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from safety.errors import Place, Problem
from safety.knowledge.compiled import Compiled
from safety.knowledge.documents import Path_
from safety.knowledge.dose_shapes import DoseShape
from safety.knowledge.drafts import Draft, Drafts
from safety.knowledge.library import ENTRY_INDEX, Coverage, DrugLeaf, Entry, Library
from safety.knowledge.memory import MadeRecords
from safety.knowledge.nouns import FactCompiler
from safety.knowledge.pair_shapes import ExpandedShape
from safety.knowledge.proofs import Remark, Remarks
from safety.text import did_you_mean

REMARKS = "work.remarks"
"""The section of the remarks."""
LONGEST_LIST = 4
"""A list of more drugs than this is a class: it gets a name, and is checked and mended in one place."""


# ------------------------------------------------------------------ told while compiling


def remarks(drafts: Drafts, facts: FactCompiler) -> Mapping[str, Remarks]:
    """What there is to remark on each rule and each class, by its id."""
    group = drafts.facts["class"]

    def draft_of(i: str) -> Draft | None:
        return (group if i in group else drafts.rules).peek(i)

    made = drafts.memory.section(REMARKS, Remarks, draft_of, lambda draft: tuple(_remarks(facts, draft)))
    return MadeRecords(one for i in sorted((*drafts.rules, *group)) if (one := made(i)) is not None).by_id


def _remarks(facts: FactCompiler, draft: Draft) -> Iterator[Remark]:
    if draft.id.startswith("class."):
        yield from _of_class(facts, draft)
    elif not isinstance(draft.shape, DoseShape):
        yield from _of_lines(facts, draft)
        yield from _of_exceptions(draft)


def _of_class(facts: FactCompiler, draft: Draft) -> Iterator[Remark]:
    s: Any = draft.shape
    held = {m.drug for m in s.members} | {d for i in s.includes for d in _drugs(facts, i)}
    for n, i in enumerate(s.excludes):
        if held.isdisjoint(_drugs(facts, i)):
            yield _nothing(draft, ("excludes", n), i)


def _of_lines(facts: FactCompiler, draft: Draft) -> Iterator[Remark]:
    through = draft.shape.through if isinstance(draft.shape, ExpandedShape) else None
    for path, line in _drug_lines(draft.raw, ()):
        drugs = [i for i in line.get("any_of", ()) if str(i).startswith("drug.")]
        if len(drugs) > LONGEST_LIST:
            hint = "give them a name in kb/classes/, with what says so, and write `class: class.NAME`"
            message = f"{len(drugs)} drugs are listed here"
            yield Remark(str(draft.place((*path, "any_of"))), "K701", message, hint)
        excluded = line.get("except", [])
        for n, i in enumerate(excluded if isinstance(excluded, list) else [excluded]):
            if line.get("any") or (through is not None and i in through.taken_out):
                continue
            if {d for w in _ids(line) for d in _drugs(facts, w)}.isdisjoint(_drugs(facts, i)):
                yield _nothing(draft, (*path, "except", n), i)


def _of_exceptions(draft: Draft) -> Iterator[Remark]:
    through = draft.shape.through if isinstance(draft.shape, ExpandedShape) else None
    if through is not None and through.says_nothing_new is not None:
        message = f"says nothing that `{through.says_nothing_new}` does not say already"
        yield Remark(str(draft.place(())), "K703", message, "take it out, or say what is different")


def _nothing(draft: Draft, path: Path_, i: str) -> Remark:
    return Remark(str(draft.place(path)), "K702", f"`{i}` is taken out and was not in", "take it out of here")


def _drug_lines(value: Any, path: Path_) -> Iterator[tuple[Path_, Mapping[str, Any]]]:
    """Every drug line in the values of a rule, wherever it stands."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key == "drug" and isinstance(inner, Mapping):
                yield (*path, key), inner
            elif key != "cases":
                yield from _drug_lines(inner, (*path, key))
    elif isinstance(value, list):
        for n, inner in enumerate(value):
            yield from _drug_lines(inner, (*path, n))


def _ids(line: Mapping[str, Any]) -> list[str]:
    return [line[key] for key in ("id", "class") if key in line] + list(line.get("any_of", ()))


def _drugs(facts: FactCompiler, i: str) -> set[str]:
    if not i.startswith("class."):
        return {i}
    held = facts.drug_class(i) if i in facts.drafts.facts["class"] else None
    return set(held.members) if held is not None else set()


# ------------------------------------------------------------------ told of the library


def untidy(compiled: Compiled, part: str = "") -> list[Problem]:
    """All there is to tidy in the files under `part`, in order of place."""
    library = compiled.library
    entries = (library.entry[i] for i in library.entries_in(part))
    told = [Problem(_place(r.place), r.code, r.message, r.hint) for found in compiled.remarks.values() for r in found]
    told += _unused_harms(library)
    told += _no_usual_route(library)
    told += (p for c in library.coverage for p in _about_others(c, library))
    told += (p for e in entries if e.status == "active" and not e.switched_off for p in _unknown_roles(e, library))
    return sorted(p for p in told if p.place.file.startswith(part))


def _unused_harms(library: Library) -> list[Problem]:
    """Harms that no entry names and to which no named harm belongs.

    With an overlay nothing is said: a site may have replaced the one rule that named a harm of ours.
    """
    if library.overlays:
        return []
    named = set(library.derived(ENTRY_INDEX).harms)
    used = {wider for h in library.harms if h.id in named for wider in h.is_a}
    hint = "name it in the outcome of a rule, or take it out"
    return [
        Problem(_place(h.place), "K304", f"no rule and no dose table names `{h.id}`", hint)
        for h in library.harms
        if h.id not in used
    ]


def _no_usual_route(library: Library) -> list[Problem]:
    """Drugs sold for several routes, none of them by mouth, of which nobody says which one a bare name means."""
    hint = "write `usual_route`: how it is taken most often, from what is dispensed"
    unsaid = (d for d in library.drugs if len(d.routes) > 1 and not d.usual_route)
    return [Problem(_place(d.place), "K705", f"no usual route of {d.name}", hint) for d in unsaid]


def _about_others(ledger: Coverage, library: Library) -> Iterator[Problem]:
    """Entries that a ledger says hold a statement, and that never speak of its drug."""
    held = dict.fromkeys(i for statements in ledger.sections.values() for s in statements for i in s.held)
    for i in held:
        entry = library.entry.get(library.current_id(i))
        lines = [x for x in entry.condition if isinstance(x, DrugLeaf)] if entry is not None else []
        if lines and not any(x.members is None or ledger.drug in x.members for x in lines):
            hint = "name the entry that holds what the label states, or say why it is `left_out`"
            yield Problem(_place(ledger.place), "K706", f"`{i}` does not speak of {library.name_of(ledger.drug)}", hint)


def _unknown_roles(entry: Entry, library: Library) -> list[Problem]:
    """What an entry calls its medicines, where that is none of the words of `kb/roles.yaml`."""
    problems = []
    for leaf in entry.slots:
        if leaf.slot is not None and leaf.slot not in library.roles:
            hint = did_you_mean(leaf.slot, library.roles) or "the words for this stand in kb/roles.yaml: affected, other, drug …"
            problems.append(Problem(_place(leaf.place), "K704", f"`{leaf.slot}` is none of the words for a medicine", hint))
    return problems


def _place(text: str) -> Place:
    """A place written as file:line:column."""
    file, line, column = text.rsplit(":", 2)
    return Place(file, int(line), int(column))
