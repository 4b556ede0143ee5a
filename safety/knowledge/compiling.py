"""Knowledge files → the library and the cases inside it, with every problem that was found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from safety.errors import Place, Problem
from safety.knowledge import judged, naming
from safety.knowledge.collecting import Collected, collect
from safety.knowledge.drafts import draft_all
from safety.knowledge.factors import factor_tables
from safety.knowledge.harms import HarmCompiler
from safety.knowledge.judged import Proof
from safety.knowledge.library import Library, units_from
from safety.knowledge.nouns import FactCompiler, unit_table
from safety.knowledge.policies import policies
from safety.knowledge.recognised import recognised
from safety.knowledge.spoken_tables import spoken
from safety.knowledge.word_lists import language


class Compiled(Struct, frozen=True):
    """What compiling gave: a library (complete only if there are no problems), its cases, the problems in order."""

    library: Library
    proofs: tuple[Proof, ...]
    problems: tuple[Problem, ...]


def compile_folder(base: Path, overlays: Sequence[Path] = ()) -> Compiled:
    """Compile a base folder with a site's overlays."""
    return compile_collected(collect(base, overlays))


def compile_collected(collected: Collected) -> Compiled:
    """Compile files already found."""
    drafts = draft_all(collected)
    table = unit_table(drafts)
    if drafts.units_document is None:
        drafts.problems.append(Problem(Place("kb/units.yaml"), "K024", "cannot be read", "it holds the unit conversions"))
    facts = FactCompiler(drafts, units_from(table))
    facts.clashes()
    drugs, products, classes = facts.drugs(), facts.products(), facts.all_classes()
    conditions, allergens, labs = facts.conditions(), facts.allergens(), facts.labs()
    harms = HarmCompiler(facts)
    inferred = judged.inferences(facts)
    built, proofs = judged.entries(drafts, facts, harms)
    library = Library(
        version=collected.version, sha256=collected.sha256, overlays=collected.overlays, drugs=drugs, products=products,
        classes=classes, conditions=conditions, allergens=allergens, labs=labs, foods=facts.foods(), harms=harms.harms,
        sources=facts.sources(), inferences=inferred, entries=built, units_table=table, reactions=drafts.reactions,
        recognised=recognised(drafts, drugs, products), lookalikes=naming.lookalikes(drafts, drugs, products),
        factors=factor_tables(facts), policies=policies(facts), uses=naming.uses(drafts, drugs, classes),
        language=language(facts), spoken=spoken(facts),
    )  # fmt: skip
    return Compiled(library, proofs, tuple(sorted(set(drafts.problems))))
