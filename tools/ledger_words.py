"""What a statement of the ledger names, against what the entries that hold it ask about, for this medicine.

A condition, medicine, class, food, test, procedure, age, pregnancy, breastfeeding, kidneys or liver that stands in the words of a
statement, and that no entry holding it asks about, is told: held in part, or by an entry about something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from msgspec import Struct

from safety.judging.candidates import asked_by
from safety.knowledge import library as lib

_KINDS = {
    lib.AgeLeaf: "age", lib.PregnancyLeaf: "pregnancy", lib.BreastfeedingLeaf: "breastfeeding", lib.KidneyLeaf: "kidneys",
    lib.AllergyLeaf: "allergy", lib.WeightLeaf: "weight",
}  # fmt: skip
_SAID = {
    "age": r"\b(under|from|over|at) (the age of )?\d+ (years?|months?|weeks?)|\bchild(ren)?\b|\bnewborns?|\bneonates?|\binfants?"
    r"|\bolder people|\bold age|\belderly|\bfrail|\bolder adults",
    "pregnancy": r"\bpregnan|\bfetus|\btrimester|\bfetal|\bteratogen|could become pregnant|\bcontracepti|\bneural tube",
    "breastfeeding": r"\bbreastf|\blactat|\bbreast milk|\bnursing",
    "kidneys": r"\bkidneys?\b|\brenal\b|\bclearance\b|\bGFR\b|\bdialysis|mL/min",
    "liver": r"\bliver\b|\bhepatic\b|Child-Pugh|\bcirrhosis",
    "allergy": r"\ballerg|\bhypersensitiv|\banaphyla",
}  # fmt: skip
_SAID_BY = {what: re.compile(pattern, re.I) for what, pattern in _SAID.items()}
_WORD = re.compile(r"[^a-z0-9]+")
_SHORT = 4
_FEW = 12
_MOST_OF_IT = 0.6
"""A class of which fewer members are asked about is held in part."""


class Named(Struct, frozen=True):
    """One thing that a statement names: what kind of thing, its id (or the word for it), and the words that name it."""

    kind: str
    id: str
    words: str


class Asked(Struct, frozen=True):
    """What some entries ask about: ids of conditions, medicines, foods, tests …, kinds of facts, and all their words."""

    drugs: frozenset[str]
    conditions: frozenset[str]
    others: frozenset[str]
    kinds: frozenset[str]
    words: str


class Words:
    """Reads what statements name, and says which of it the entries that hold them do not ask about."""

    def __init__(self, library: lib.Library) -> None:
        self.library = library

    def missing(self, ledger: lib.Coverage, statement: lib.Statement) -> list[tuple[str, Named]]:
        """What a statement names and no entry asks: `not asked`, or `only in its words` where a card at least says it."""
        entries = [e for i in statement.held if (e := self.library.entry.get(self.library.current_id(i))) is not None]
        asked = self._asked(entries)
        found = []
        for named in self.named(statement.says, ledger.drug):
            if not self._asks(asked, named):
                said = f" {_plain(named.words)} " in asked.words
                found.append(("only in its words" if said else "not asked", named))
            elif named.kind == "class" and self._share(asked, named.id, ledger.drug) < _MOST_OF_IT:
                found.append(("in part", named))
        return found

    def asks(self, statement: lib.Statement) -> str:
        """What the entries that hold a statement ask about, in words: conditions, medicines, bounds, each once."""
        entries = [e for i in statement.held if (e := self.library.entry.get(self.library.current_id(i))) is not None]
        asked = self._asked(entries)
        conditions = sorted(self.library.condition[c].name for c in asked.conditions if c in self.library.condition)
        drugs = sorted(self.library.name_of(d) for d in asked.drugs)
        medicines = drugs if len(drugs) <= _FEW else [f"{len(drugs)} medicines"]
        bounds = dict.fromkeys(leaf.text for e in entries for leaf in _leaves(e) if getattr(leaf, "bounds", ()))
        return "; ".join(", ".join(part) for part in (conditions, medicines, [*bounds]) if part)

    def _share(self, asked: Asked, group: str, own: str) -> float:
        """How much of a class is among the medicines that entries ask about."""
        members = [m for m in self.library.drug_class[group].members if m != own and m in self.library.drug]
        return sum(m in asked.drugs for m in members) / len(members) if members else 1.0

    def named(self, says: str, own: str) -> list[Named]:
        """What is named, each once, the longest name first; the medicine of the ledger is none of it."""
        text = f" {_plain(says)} "
        found = dict[tuple[str, str], Named]()
        for words in self._longest_first:
            at = f" {words} "
            if at in text:
                for kind, i in self._names[words]:
                    if i != own:
                        found.setdefault((kind, i), Named(kind, i, words))
                text = text.replace(at, " | ")
        for what, pattern in _SAID_BY.items():
            match = pattern.search(says)
            if match:
                found.setdefault(("fact", what), Named("fact", what, match[0]))
        return [*found.values()]

    # -------------------------------------------------------------- names

    @cached_property
    def _names(self) -> dict[str, list[tuple[str, str]]]:
        found: dict[str, list[tuple[str, str]]] = {}

        def add(kind: str, i: str, texts: Iterable[str]) -> None:
            for text in texts:
                words = _plain(text)
                if len(words) >= _SHORT:
                    for each in {words, _plural(words)}:
                        if (kind, i) not in found.setdefault(each, []):
                            found[each].append((kind, i))

        library = self.library
        for drug in library.drugs:
            add("drug", drug.id, (drug.name, *(n.text for n in drug.names if n.via in ("synonym", "salt"))))
        for group in library.classes:
            add("class", group.id, (group.name, *group.synonyms))
        for condition in library.conditions:
            add("condition", condition.id, (condition.name, *condition.synonyms))
        for food in library.foods:
            add("food", food.id, (food.name, *food.synonyms))
        for lab in library.labs:
            add("test", lab.id, (lab.name,))
        for procedure in library.procedures:
            add("procedure", procedure.id, (procedure.name, *procedure.synonyms))
        return found

    @cached_property
    def _longest_first(self) -> Sequence[str]:
        return sorted(self._names, key=lambda words: (-len(words), words))

    # -------------------------------------------------------------- what entries ask

    def _asked(self, entries: Sequence[lib.Entry]) -> Asked:
        drugs, conditions, others, kinds = set[str](), set[str](), set[str](), set[str]()
        for leaf in (leaf for e in entries for leaf in _leaves(e)):
            if isinstance(leaf, lib.DrugLeaf | lib.BurdenLeaf):
                drugs.update(leaf.members or ())
                conditions.update(leaf.indications if isinstance(leaf, lib.DrugLeaf) else ())
            elif isinstance(leaf, lib.HasLeaf):
                conditions.update(leaf.conditions)
            elif type(leaf) in _KINDS:
                kinds.add(_KINDS[type(leaf)])
                others.update(leaf.targets if isinstance(leaf, lib.AllergyLeaf) else ())
            else:
                others.update(_ids(leaf))
        for entry in entries:
            for row in (*entry.doses.ranges, *entry.doses.adjust) if entry.doses is not None else ():
                conditions.update(row.indications)
        kinds.update(e.kind for e in entries)
        return Asked(frozenset(drugs), frozenset(conditions), frozenset(others), frozenset(kinds), _words(entries))

    def _asks(self, asked: Asked, named: Named) -> bool:
        if named.kind == "drug":
            return named.id in asked.drugs or named.id in asked.others
        if named.kind == "class":
            members = self.library.drug_class[named.id].members
            return named.id in asked.others or not members or any(m in asked.drugs for m in members)
        if named.kind == "condition":
            return self._asks_condition(asked, named.id)
        if named.kind == "fact":
            return self._asks_fact(asked, named.id)
        return named.id in asked.others

    def _asks_condition(self, asked: Asked, i: str) -> bool:
        condition = self.library.condition[i]
        if not asked.conditions.isdisjoint(condition.is_a):
            return True
        narrower = any(i in self.library.condition[c].is_a for c in asked.conditions if c in self.library.condition)
        of_kidneys = bool(condition.kidney) and "kidneys" in asked.kinds
        following = any(self._followed(i, o) for o in asked.others)
        return narrower or of_kidneys or following or (condition.pregnancy is not None and "pregnancy" in asked.kinds)

    def _followed(self, i: str, test: str) -> bool:
        """Whether a condition follows from a test that is asked about."""
        return any(
            f"then: {i}" in str(rule) or (i in str(getattr(rule, "then", "")) and test in str(getattr(rule, "when", "")))
            for rule in self.library.inferences
        )

    def _asks_fact(self, asked: Asked, what: str) -> bool:
        if what == "kidneys":
            kidney_conditions = any(self.library.condition[c].kidney for c in asked.conditions if c in self.library.condition)
            tests = {t.id for tests in self.library.labs_by_role.values() for t in tests}
            return bool(asked.kinds & {"kidneys", "renal"}) or kidney_conditions or bool(tests & asked.others)
        if what == "liver":
            return "hepatic" in asked.kinds or any(
                self.library.condition[k].liver for c in asked.conditions for k in self.library.condition[c].is_a
            )
        if what == "breastfeeding":
            return bool(asked.kinds & {"breastfeeding", "lactation"})
        return what in asked.kinds


def _leaves(entry: lib.Entry) -> Iterator[lib.LeafType]:
    yield from asked_by(entry)
    for clause in entry.severity_when:
        yield from _inner(clause.lines)


def _inner(leaves: Iterable[lib.LeafType]) -> Iterator[lib.LeafType]:
    for leaf in leaves:
        yield leaf
        if isinstance(leaf, lib.AnyLeaf | lib.AllLeaf):
            yield from _inner(leaf.lines)
        elif isinstance(leaf, lib.NotLeaf):
            yield from _inner((leaf.line,))


def _ids(leaf: lib.LeafType) -> Iterator[str]:
    for name in ("test", "gene", "table"):
        value = getattr(leaf, name, None)
        if value:
            yield value
    for name in ("tests", "procedures", "devices", "foods"):
        yield from getattr(leaf, name, ())


def _words(entries: Iterable[lib.Entry]) -> str:
    said = (f"{e.title} {e.advice} {e.if_unavoidable} {e.why} {e.harm}" for e in entries)
    return f" {_plain(' '.join(said))} "


def _plain(text: str) -> str:
    return _WORD.sub(" ", text.lower()).strip()


def _plural(words: str) -> str:
    if words.endswith("s"):
        return words
    return f"{words[:-1]}ies" if words.endswith("y") and words[-2:-1] not in "aeiou" else f"{words}s"
