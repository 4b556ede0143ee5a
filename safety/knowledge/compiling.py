"""Knowledge files → the library and the cases inside it, with every problem that was found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from safety.knowledge import judged, naming
from safety.knowledge.clashes import clashes
from safety.knowledge.collecting import CODES, NAMING, PROBLEMS, REACTIONS, RECOGNISED, ROLES, UNITS, Collected, collect
from safety.knowledge.compiled import Compiled
from safety.knowledge.constraints import plan_constraints
from safety.knowledge.coverage import ledger
from safety.knowledge.drafts import Drafts, draft_all, reactions, roles
from safety.knowledge.factors import factor_tables
from safety.knowledge.harms import HarmCompiler
from safety.knowledge.library import Library, Seen, units_from
from safety.knowledge.nouns import FactCompiler
from safety.knowledge.policies import policies
from safety.knowledge.problem_terms import ProblemTerms
from safety.knowledge.recognised import recognised
from safety.knowledge.remarks import remarks
from safety.knowledge.resting import collector_resting
from safety.knowledge.scores import scores
from safety.knowledge.site import touched
from safety.knowledge.spoken_tables import spoken
from safety.knowledge.store import Store
from safety.knowledge.unit_tables import unit_table
from safety.knowledge.word_lists import language

RING = "K302"
"""Something includes itself."""


def compile_folder(base: Path, overlays: Sequence[Path] = ()) -> Compiled:
    """Compile a base folder with a site's overlays."""
    return compile_collected(collect(base, overlays))


def compile_collected(collected: Collected, store: Store | None = None, *, keeps: bool = False) -> Compiled:
    """Compile files already found.

    `store`: what an earlier compiling left; what depends on no change is taken over from it, and the outcome is the same.
    `keeps`: whether this one will leave something, too.
    """
    compiled = compile_to_edit(collected, store, keeps=keeps).compiled
    if compiled.memory is not None:
        compiled.memory.finish()
    if store is not None and any(p.code == RING for p in compiled.problems):
        return compile_collected(collected, keeps=keeps)  # where a ring is told depends on where one begins to read
    return compiled


class Compiling(Struct, frozen=True):
    """What was compiled, and all that it takes to compile a part of it again."""

    compiled: Compiled
    drafts: Drafts
    facts: FactCompiler


def compile_to_edit(collected: Collected, store: Store | None = None, *, keeps: bool = False) -> Compiling:
    """Compile files already found, and let go of nothing."""
    with collector_resting():
        drafts = draft_all(collected, store, keeps=keeps)
        return _compiled(drafts, collected)


class Whole(Struct, frozen=True):
    """A section that is made at once, from tables and other sections; `sees`: see `Derived`."""

    tables: frozenset[str]
    sections: tuple[str, ...]
    build: Callable[..., Any]
    sees: Mapping[str, Seen]


def _named(thing: Any) -> Any:
    return thing.names, thing.rxnorm, thing.rxnorm_also


def _only_that_it_is(_: Any) -> None:
    return None


WHOLES = {
    "recognised": Whole(
        frozenset(RECOGNISED), ("drugs", "products"), recognised, {"drugs": _named, "products": _named}
    ),
    "lookalikes": Whole(
        frozenset(NAMING), ("drugs", "products"), naming.lookalikes, {"drugs": _only_that_it_is, "products": _only_that_it_is}
    ),
    "uses": Whole(
        frozenset(NAMING), ("drugs", "classes"), naming.uses, {"drugs": _only_that_it_is, "classes": lambda c: c.members}
    ),
}  # fmt: skip
"""Sections that are made from others at once."""


def _compiled(drafts: Drafts, collected: Collected) -> Compiling:
    memory = drafts.memory

    def whole(section: str, tables: Iterable[str], sections: Iterable[Any], build: Any) -> Any:
        """A section that is made from tables and other sections at once."""
        return memory.whole(section, Library, lambda: [*drafts.identities(tables), *(s.digest for s in sections)], build)

    units = whole("units_table", [UNITS], [], lambda: unit_table(drafts))
    memory.stand_on(units)
    words = ProblemTerms(drafts)
    facts = FactCompiler(drafts, units_from(units))
    clashes(facts)
    drugs, products, classes = facts.drugs(), facts.products(), facts.classes()
    nouns = {"drugs": drugs, "products": products, "classes": classes}

    def of_sections(section: str) -> Any:
        one = WHOLES[section]
        sections = [nouns[name] for name in one.sections]
        return whole(section, one.tables, sections, lambda: one.build(drafts, *sections))

    conditions, allergens, labs = facts.conditions(), facts.allergens(), facts.labs()
    harms = HarmCompiler(facts)
    entries = judged.entries(drafts, facts, harms)
    by_sites = touched(drafts, facts.units, entries)
    library = Library(
        version=collected.version, sha256=collected.sha256, overlays=collected.overlays, drugs=drugs, products=products,
        classes=classes, conditions=conditions, allergens=allergens, labs=labs, foods=facts.foods(), harms=harms.harms(),
        panels=facts.panels(), genes=facts.genes(), procedures=facts.procedures(), devices=facts.devices(),
        effects=facts.effects(), alternatives=facts.alternatives(), constraints=plan_constraints(facts),
        sources=facts.sources(), inferences=judged.inferences(facts), entries=entries,
        units_table=units, factors=factor_tables(facts), scores=scores(facts), policies=policies(facts),
        pathways=facts.pathways(), roles=whole("roles", [ROLES], [], lambda: roles(drafts)),
        reactions=whole("reactions", [REACTIONS], [], lambda: reactions(drafts)),
        recognised=of_sections("recognised"), lookalikes=of_sections("lookalikes"), uses=of_sections("uses"),
        coded=whole("coded", [CODES], [], lambda: words.kinds),
        problem_codes=whole("problem_codes", [CODES], [], words.codes),
        problem_terms=whole("problem_terms", [CODES, PROBLEMS], [], lambda: words.terms),
        figures=facts.figures(), coverage=ledger(facts), changes=by_sites.changes, originals=by_sites.originals,
        language=memory.whole("language", Library, drafts.words_from, lambda: language(facts)),
        spoken=memory.whole("spoken", Library, drafts.spoken_from, lambda: spoken(facts)),
    )  # fmt: skip
    told = remarks(drafts, facts)
    compiled = Compiled(library, judged.proofs(drafts), tuple(sorted(set(drafts.problems))), told, memory)
    return Compiling(compiled, drafts, facts)
