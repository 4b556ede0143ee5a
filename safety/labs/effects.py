"""What the medicines of a patient are expected to do to a test."""

from __future__ import annotations

from collections.abc import Iterable

from safety.knowledge.library import EffectOn, Lab
from safety.labs.standing import of_range
from safety.model.lab_answer import LabEffect
from safety.understanding.facts import Facts

_WAY = {"up": "raises", "down": "lowers", "either": "may raise or lower", "not": "does not change"}


def effects_on(test: str, facts: Facts) -> list[LabEffect]:
    """Each medicine once a row, in the order of the medication list; what moves a count moves its share.

    Of a test that moves with another what a medicine does to that one counts where nothing else is held of the medicine.
    """
    lab = facts.library.lab.get(test)
    own = _rows((test, lab.share_of if lab is not None else ""), facts)
    other = _rows((lab.moves_with,), facts) if lab is not None and lab.moves_with else ()
    found: dict[tuple[str, str, str], LabEffect] = {}
    for entry, drug in facts.each_current if own or other else ():
        rows = [row for row in own if _means(row, drug, facts)] or [row for row in other if _means(row, drug, facts)]
        for row in rows:
            name = _named(drug, entry.drugs, facts)
            effect = LabEffect(drug, name, _WAY[row.moves], row.kind == "intended", row.note, row.kind)
            found.setdefault((drug, row.moves, row.note), effect)
    told = {drug for drug, _, _ in found}
    return [*(one for one in _own_level(lab, facts) if one.drug not in told), *found.values()]


def _own_level(lab: Lab | None, facts: Facts) -> list[LabEffect]:
    """The medicine that a level is of, which raises it, as is meant."""
    rows = [row for row in lab.ranges if row.kind == "therapeutic"] if lab is not None else []
    names = {drug: facts.library.name_of(drug) for row in rows for drug in of_range(row, facts)}
    return [LabEffect(drug, name, _WAY["up"], True, "it is its own level", "intended") for drug, name in names.items()]


def _rows(tests: Iterable[str], facts: Facts) -> tuple[EffectOn, ...]:
    """What medicines do to the first of these tests of which anything is held."""
    return next((e.rows for e in facts.library.effects if e.test in tests), ())


def _named(drug: str, together: Iterable[str], facts: Facts) -> str:
    """A medicine by name, with what else is in the same product."""
    others = [facts.library.name_of(other) for other in together if other != drug]
    name = facts.library.name_of(drug)
    return f"{name} (with {' and '.join(others)})" if others else name


def shown_in(test: str, way: str, facts: Facts) -> frozenset[str]:
    """The harms of medicines together that show in a test which is too high (`up`) or too low (`down`)."""
    held = next((e for e in facts.library.effects if e.test == test), None)
    return frozenset() if held is None else frozenset(held.shows_up if way == "up" else held.shows_down)


def _means(row: EffectOn, drug: str, facts: Facts) -> bool:
    groups = (facts.library.drug_class.get(i) for i in row.of if i.startswith("class."))
    return drug in row.of or any(group is not None and drug in group.members for group in groups)
