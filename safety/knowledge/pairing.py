"""What a row of a file of pairs leaves to the facts it rests on: its title, its reason, and the two facts themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from safety.knowledge import library as lib
from safety.knowledge import shapes
from safety.knowledge.drafts import Draft
from safety.knowledge.nouns import FactCompiler
from safety.knowledge.pair_shapes import ExpandedShape, PathwayShape, ThroughShape
from safety.knowledge.pairs import AFFECTED, SLOTS

_WEAKER = ("moderate", "weak")


class PairCompiler:
    """Works out for one entry what its row left out; for an entry in a file of its own there is nothing to do."""

    def __init__(self, facts: FactCompiler, draft: Draft) -> None:
        self.facts = facts
        self.draft = draft
        self.shape = draft.shape if isinstance(draft.shape, ExpandedShape) else None
        self.origins: set[str] = set()
        """Whose file the pathway is."""

    @property
    def _of(self) -> ThroughShape | None:
        return self.shape.through if self.shape is not None else None

    def through(self) -> lib.Through | None:
        """The two facts that a rule follows from; None where it does not, or where the pathway is not known."""
        of = self._of
        if of is None or not self.facts.known("pathway", of.pathway, self.draft, ("through", "pathway")):
            return None
        self.origins.add(self.facts.drafts.facts["pathway"].whose(of.pathway))
        place = str(self.draft.place(("condition", 1, "drug"), of_key=True))
        return lib.Through(
            of.pathway, of.side, SLOTS[of.side], AFFECTED, of.does, of.sensitivity,
            {drug: place for i in of.named for drug in self._drugs_of(i)}, str(self.draft.place(("through",))),
            self.facts.citations(self.draft, of.evidence, ("through", "evidence")),
        )  # fmt: skip

    def title(self) -> str:
        """The affected medicine with the other, by their names; with an inhibitor or inducer, by how strong it is."""
        affected, other = self._line(0), self._line(1)
        name = _either(self._names(affected))
        of = self._of
        strong = [s for s in of.strengths if s != "variable"] if of is not None else []
        if of is None or not strong:
            return f"{name[:1].upper()}{name[1:]} with {_either(self._names(other))}"
        article = "an" if strong[0][0] in "aeiou" else "a"
        return f"{name[:1].upper()}{name[1:]} with {article} {_either(strong)} {self._called(of)}"

    def rationale(self) -> shapes.Rationale:
        """Why two facts make it: the pathway does less, or more, with the affected medicine."""
        of = self._of
        name = _either(self._names(self._line(0)))
        if of is None:
            summary = ""  # a row without a reason does not come so far
        elif of.side == "inducers":
            summary = f"The inducer speeds the breakdown of {name}."
        else:
            partly = "partly " if of.strengths and of.strengths[0] in _WEAKER else ""
            summary = f"{self._pathway(of)} {of.does} {name} and is {partly}blocked."
        return shapes.Rationale(mechanism="pharmacokinetic", summary=summary)

    def _called(self, of: ThroughShape) -> str:
        written = self._written(of)
        side = getattr(written, of.side) if written is not None else None
        return (side.called if side is not None else None) or f"{self._pathway(of)} {SLOTS[of.side]}"

    def _pathway(self, of: ThroughShape) -> str:
        """The name of the pathway; its id where there is none of that id, which is told elsewhere."""
        written = self._written(of)
        return written.name if written is not None else of.pathway

    def _written(self, of: ThroughShape) -> PathwayShape | None:
        group = self.facts.drafts.facts["pathway"]
        return cast(PathwayShape, group[of.pathway].shape) if of.pathway in group else None

    def _line(self, n: int) -> shapes.DrugLine:
        assert self.shape is not None
        line = self.shape.condition[n].drug
        assert line is not None
        return line

    def _names(self, line: shapes.DrugLine) -> list[str]:
        ids = [i for i in (line.id, line.class_) if i is not None] + list(line.any_of or ())
        return [self._name(i) for i in ids]

    def _name(self, i: str) -> str:
        group = self.facts.drafts.facts.get(i.partition(".")[0])
        return str(getattr(group[i].shape, "name", i)) if group is not None and i in group else i

    def _drugs_of(self, i: str) -> Sequence[str]:
        if not i.startswith("class."):
            return (i,)
        held = self.facts.drug_class(i) if i in self.facts.drafts.facts["class"] else None
        return tuple(held.members) if held is not None else ()


def _either(names: Sequence[str]) -> str:
    return " or ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else names[0]
