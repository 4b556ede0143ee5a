"""What to ask: one list for the whole report, each question once, the one that may bring the worst first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field

from safety.answering.questions import question, together
from safety.knowledge.library import Library
from safety.model.report import RANK, Hole, Question, Severity, Understood, Unknown, Unresolved
from safety.understanding.meaning import SURE

PERSON = ("age", "sex", "weight", "height", "pregnancy", "breastfeeding", "conditions", "allergies", "intake")
"""Facts of the patient that are asked for in one breath; tests make a question of their own, and what is taken, too."""
_DOSES = frozenset({"dose", "otc_limit"})
_WORTH: Severity = "major"
_LIST = "medications"
_NAME = frozenset({"medication", _LIST})


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
    waiting_for = _Waiting()
    for item in unknown:
        waiting_for.add(item, library)
    alone = [h for h in holes if h.about == _LIST and h.ask]
    if alone and medications:  # a plan was told, and not what is taken beside it
        waiting_for.person.needs[_LIST] = None
        waiting_for.person.worst, alone = "contraindicated", []
    return _each_once(
        [
            *waiting_for.asked(library),
            *_of_what_was_told([u for u in unresolved if u.ask and u.status != "unjudged"]),
            *(Question(h.ask, [h.about], [], "contraindicated") for h in alone),
            *(_of_guess(m) for m in medications if m.current and m.status == "match" and m.via not in (None, *SURE)),
        ]
    )


class _Waiting:
    """The rules that wait for a fact, by whom or what it is a fact of."""

    def __init__(self) -> None:
        self.person, self.tests = _Open(), _Open()
        self.taken: dict[str, _Open] = {}

    def add(self, item: Unknown, library: Library) -> None:
        """One rule, with the first of the facts that it waits for; doses, and what could bring little, with none."""
        about, labs, rest = _parted(item, library)
        if about:
            self.person.add(item, about)
        elif item.kind in _DOSES or not _NAME.isdisjoint(item.needs) or RANK[item.severity] > RANK[_WORTH]:
            return
        elif labs:
            self.tests.add(item, labs)
        elif rest:
            told = "; ".join(dict.fromkeys(s.text for s in item.subjects))
            self.taken.setdefault(f"{told}: {question(rest, library)}", _Open()).add(item, rest)

    def asked(self, library: Library) -> Iterator[Question]:
        """What is asked of them."""
        yield from (open_.asked(ask) for ask, open_ in self.taken.items())
        yield from _if_worth(self.person, together([n for n in (*PERSON, _LIST) if n in self.person.needs], library))
        yield from _if_worth(self.tests, question(list(self.tests.needs), library))


def _of_what_was_told(items: Sequence[Unresolved]) -> list[Question]:
    """What was told and could not be used: each by itself, but for words of directions."""
    return [*(_of_unresolved(u) for u in items if not _is_directions(u)), *_of_words([u for u in items if _is_directions(u)])]


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
    return [open_.asked(ask)] if open_.needs and RANK[open_.worst] <= RANK[_WORTH] else []


def _of_unresolved(item: Unresolved) -> Question:
    """Something that was not recognised may be anything; where each reading would break the same rules, little hangs on it."""
    settles = sorted({rule for rules in item.would_break.values() for rule in rules})
    unused = item.status in ("unread", "unit", "implausible", "left_out")  # what it is of is known
    worst: Severity = "minor" if item.agree else "major" if unused else "contraindicated"
    return Question(f"{item.text} ({item.where}): {item.ask}", [], settles, worst)


def _is_directions(item: Unresolved) -> bool:
    """Whether it is words of directions that were not read."""
    return item.status == "unread" and item.where.among in ("medications", "plan")


def _of_words(items: Sequence[Unresolved]) -> list[Question]:
    """Words of directions that were not read, of all medicines in one question."""
    if len(items) < 2:
        return [_of_unresolved(item) for item in items]
    told = "; ".join(f"{item.text} ({item.where})" for item in items)
    return [Question(f"Please say these in other words, as some of theirs were not read: {told}", [], [], "major")]


def _of_guess(m: Understood) -> Question:
    return Question(f"{m.text} ({m.where}): {m.ask}", [], [], "contraindicated")


def _each_once(found: Iterable[Question]) -> list[Question]:
    once = {q.ask: q for q in found}
    return sorted(once.values(), key=lambda q: (RANK[q.worst], -len(q.settles), q.ask))
