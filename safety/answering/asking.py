"""What to ask: one list for the whole report, each question once, the one that may bring the worst first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from safety.answering.questions import question, together
from safety.knowledge.library import Library
from safety.model.report import RANK, Hole, Question, Severity, Understood, Unknown, Unresolved
from safety.understanding.meaning import SURE

PERSON = ("age", "sex", "weight", "height", "pregnancy", "breastfeeding", "conditions", "allergies", "intake")
"""Facts of the patient that are asked for in one breath; tests make a question of their own, and what is taken, too."""
_DOSES = frozenset({"dose", "otc_limit"})
_WORTH: Severity = "major"
_NAME = frozenset({"medication", "medications"})


class _Open(Struct):
    """A question in the making: the facts that are missing, and the rules that wait for them."""

    needs: dict[str, None] = field(default_factory=dict)
    rules: dict[str, None] = field(default_factory=dict)
    worst: Severity = "minor"

    def add(self, item: Unknown, needs: Iterable[str]) -> None:
        self.needs.update(dict.fromkeys(needs))
        self.rules.update(dict.fromkeys((item.rule, *item.also)))
        self.worst = min(self.worst, item.severity, key=RANK.__getitem__)

    def asked(self, ask: str) -> Question:
        return Question(ask, sorted(self.needs), sorted(self.rules), self.worst)


def questions_of(
    unknown: Sequence[Unknown],
    unresolved: Sequence[Unresolved],
    medications: Sequence[Understood],
    holes: Sequence[Hole],
    library: Library,
) -> list[Question]:
    """Each question once, worst first.

    The facts of the patient are one question, the tests another; what is not told of a medicine is asked where a
    contraindication or a major finding hangs on it. A rule that waits for several of these stands with the first of them. What
    could bring no more than a moderate finding, and doses that cannot be judged, are left to the notes; what no rule looks at is
    judged by hand, not asked.
    """
    person, tests, taken = _Open(), _Open(), dict[str, _Open]()
    for item in unknown:
        about, labs, rest = _parted(item, library)
        if about:
            person.add(item, about)
        elif _NAME.isdisjoint(item.needs) and item.kind not in _DOSES and RANK[item.severity] <= RANK[_WORTH]:
            if labs:
                tests.add(item, labs)
            elif rest:
                told = "; ".join(dict.fromkeys(s.text for s in item.subjects))
                taken.setdefault(f"{told}: {question(rest, library)}", _Open()).add(item, rest)
    found = [open_.asked(ask) for ask, open_ in taken.items()]
    found += _if_worth(person, together([n for n in PERSON if n in person.needs], library))
    found += _if_worth(tests, question(list(tests.needs), library))
    found += [_of_unresolved(item) for item in unresolved if item.ask and item.status != "unjudged"]
    found += [Question(h.ask, [h.about], [], "contraindicated") for h in holes if h.about == "medications" and h.ask]
    found += [_of_guess(m) for m in medications if m.current and m.status == "match" and m.via not in (None, *SURE)]
    return _each_once(found)


def waiting(unknown: Sequence[Unknown], asked: Sequence[Question]) -> list[Unknown]:
    """Rules that could not be judged, and that no question is worth."""
    settled = {rule for q in asked for rule in q.settles}
    return [item for item in unknown if item.rule not in settled]


def _parted(item: Unknown, library: Library) -> tuple[list[str], list[str], list[str]]:
    """What a rule waits for: facts of the patient, tests, and the rest."""
    about = [n for n in item.needs if n in PERSON]
    labs = [n for n in item.needs if n in library.lab]
    return about, labs, [n for n in item.needs if n not in about and n not in labs]


def _if_worth(open_: _Open, ask: str) -> list[Question]:
    return [open_.asked(ask)] if open_.rules and RANK[open_.worst] <= RANK[_WORTH] else []


def _of_unresolved(item: Unresolved) -> Question:
    """Something that was not recognised may be anything; where each reading would break the same rules, little hangs on it."""
    settles = sorted({rule for rules in item.would_break.values() for rule in rules})
    unused = item.status in ("unread", "unit", "implausible", "left_out")  # what it is of is known
    worst: Severity = "minor" if item.agree else "major" if unused else "contraindicated"
    return Question(f"{item.text} ({item.where}): {item.ask}", [], settles, worst)


def _of_guess(m: Understood) -> Question:
    return Question(f"{m.text} ({m.where}): {m.ask}", [], [], "contraindicated")


def _each_once(found: Iterable[Question]) -> list[Question]:
    once = {q.ask: q for q in found}
    return sorted(once.values(), key=lambda q: (RANK[q.worst], -len(q.settles), q.ask))
