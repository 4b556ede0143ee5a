"""What became of alerts: pharmacists' and prescribers' answers, kept one a line, and counted rule by rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from safety.desk.lines import add_lines, lines_of
from safety.errors import Place, Problem, RequestError
from safety.knowledge.policy import ROLES

Outcome = Literal["accepted", "overridden"]
RULE_KEY: Final = "org.medsafe.rule"
"""Where a CDS Hooks card says which rule it is of."""


class Reason(Struct, frozen=True):
    """Why an alert was overridden: in words, what it says of the alert from -1 to 1, and whether the alert was true of the
    patient all the same."""

    display: str
    signal: Decimal
    true: bool


REASONS: Final[Mapping[str, Reason]] = {
    "benefit": Reason("The benefit outweighs the risk for this patient", Decimal(0), True),
    "tolerated": Reason("The patient has taken this before and tolerates it", Decimal("-0.5"), True),
    "monitored": Reason("It will be monitored", Decimal(0), True),
    "no-alternative": Reason("There is no suitable alternative", Decimal(0), True),
    "not-so": Reason("It does not apply to this patient", Decimal(-1), False),
}
_HEEDED: Final = Decimal(1)
_UNSAID: Final = Decimal("-0.5")
"""What an override without a reason says: less than that the alert was wrong."""
_Z: Final = Decimal("1.959964")


class Answer(Struct, frozen=True):
    """What somebody did with an alert of a rule. `beside`: the rules of the alerts that were shown together, this one too, the
    first on top."""

    rule: str
    outcome: Outcome
    reason: str = ""
    role: str = ""
    on: date | None = None
    beside: tuple[str, ...] = ()

    @property
    def signal(self) -> Decimal:
        """What the answer says of the alert: 1 heeded, 0 overridden although it was right, -1 it did not apply."""
        known = REASONS.get(self.reason)
        return _HEEDED if self.outcome == "accepted" else known.signal if known is not None else _UNSAID


class Heard(Struct, frozen=True):
    """What a file of feedback holds: answers in their order, how often each rule was shown, and how many answers are to a card
    of which nobody knows the rule."""

    answers: tuple[Answer, ...] = ()
    shown: Mapping[str, int] = {}
    unplaced: int = 0


class Share(Struct, frozen=True):
    """So many of so many, with the 95% interval after Wilson."""

    count: int
    of: int

    @property
    def interval(self) -> tuple[Decimal, Decimal]:
        """Between which shares the true one lies, 19 times of 20."""
        if not self.of:
            return Decimal(0), Decimal(1)
        n, p, z2 = Decimal(self.of), Decimal(self.count) / self.of, _Z * _Z
        middle, wide = (p + z2 / (2 * n)) / (1 + z2 / n), _Z / (1 + z2 / n) * (p * (1 - p) / n + z2 / (4 * n * n)).sqrt()
        return max(middle - wide, Decimal(0)), min(middle + wide, Decimal(1))


class Tally(Struct, frozen=True):
    """Of a rule: how often it was shown and answered, by outcome, by reason of override, and by who answered."""

    rule: str
    shown: int
    accepted: int
    overridden: int
    reasons: Mapping[str, int]
    roles: Mapping[str, Mapping[str, int]]

    @property
    def override(self) -> Share:
        """How often it was overridden."""
        return Share(self.overridden, self.accepted + self.overridden)

    @property
    def by_reason(self) -> dict[str, Share]:
        """How often it was overridden for each reason, of all answers."""
        return {code: Share(n, self.accepted + self.overridden) for code, n in self.reasons.items()}

    @property
    def by_role(self) -> dict[str, Share]:
        """How often each role overrode it, of that role's answers."""
        return {role: Share(n.get("overridden", 0), sum(n.values())) for role, n in self.roles.items()}

    @property
    def right(self) -> Share:
        """Positive predictive value: how often it was true of the patient, among the answers that tell."""
        told = {code: n for code, n in self.reasons.items() if code in REASONS}
        return Share(self.accepted + sum(n for code, n in told.items() if REASONS[code].true), self.accepted + sum(told.values()))


def tallies(heard: Heard) -> list[Tally]:
    """Each rule that was answered or shown, the most overridden first."""
    by_rule: dict[str, list[Answer]] = {rule: [] for rule in heard.shown}
    for answer in heard.answers:
        by_rule.setdefault(answer.rule, []).append(answer)
    made = [_tally(rule, answers, heard.shown.get(rule, 0)) for rule, answers in by_rule.items()]
    return sorted(made, key=lambda t: (-t.overridden, -t.accepted, -t.shown, t.rule))


def _tally(rule: str, answers: Sequence[Answer], shown: int) -> Tally:
    outcomes = Counter(a.outcome for a in answers)
    reasons = Counter(a.reason for a in answers if a.outcome == "overridden")
    roles = {role: dict(Counter[str](a.outcome for a in answers if a.role == role)) for role in sorted({a.role for a in answers})}
    return Tally(rule, max(shown, len(answers)), outcomes["accepted"], outcomes["overridden"], dict(reasons.most_common()), roles)


# ------------------------------------------------------------------ the file


class _Coding(Struct, frozen=True):
    code: str = ""


class _Override(Struct, frozen=True):
    reason: _Coding | None = None


class _Card(Struct, frozen=True):
    card: str
    rule: str


class _Line(Struct, frozen=True, rename={"reason_of": "overrideReason", "at": "outcomeTimestamp", "along": "with"}):
    """A line: cards that were shown, an answer to a card, or an answer to a rule."""

    shown: tuple[_Card, ...] = ()
    card: str = ""
    rule: str = ""
    outcome: Outcome | None = None
    reason: str = ""
    reason_of: _Override | None = None
    role: str = ""
    on: date | None = None
    at: str = ""
    along: tuple[str, ...] = ()


def heard_in(texts: Iterable[tuple[str, bytes]]) -> Heard:
    """What files of feedback hold, by their names; the same answer to a card twice is one. Raises RequestError for a line that
    is none."""
    cards: dict[str, tuple[str, tuple[str, ...]]] = {}
    shown: Counter[str] = Counter()
    answers: list[Answer] = []
    seen: set[tuple[str, str]] = set()
    unplaced = 0
    problems: list[Problem] = []
    for place, line in _lines(texts, problems):
        if line.shown:
            beside = tuple(card.rule for card in line.shown)
            shown.update(card.rule for card in line.shown if card.card not in cards)
            cards |= {card.card: (card.rule, beside) for card in line.shown}
        elif line.outcome is None or not (line.rule or line.card):
            problems.append(Problem(place, "R126", "is neither an answer nor what was shown", _HINT))
        elif line.at and (line.card, line.at) in seen:
            continue
        else:
            seen.add((line.card, line.at))
            rule, beside = (line.rule, (line.rule, *line.along)) if line.rule else cards.get(line.card, ("", ()))
            unplaced += not rule
            answers += [_answer(line, rule, beside)] if rule else []
    if problems:
        raise RequestError(problems)
    return Heard(tuple(answers), dict(shown), unplaced)


_HINT: Final = '{"rule": ID, "outcome": "overridden", "reason": "not-so"}; `medsafe feedback add` writes one'


def _lines(texts: Iterable[tuple[str, bytes]], problems: list[Problem]) -> Iterable[tuple[Place, _Line]]:
    for name, data in texts:
        for n, raw in enumerate(lines_of(data), 1):
            if not raw.strip():
                continue
            try:
                yield Place(name, n, 1), msgspec.json.decode(raw, type=_Line)
            except (msgspec.DecodeError, UnicodeDecodeError):
                problems.append(Problem(Place(name, n, 1), "R126", "is neither an answer nor what was shown", _HINT))


def _answer(line: _Line, rule: str, beside: tuple[str, ...]) -> Answer:
    told = line.reason_of.reason.code if line.reason_of is not None and line.reason_of.reason is not None else ""
    assert line.outcome is not None
    return Answer(rule, line.outcome, line.reason or told, line.role, line.on, beside)


def answer_line(answer: Answer) -> bytes:
    """An answer as a line of the file. Raises RequestError for a reason or a role that there is none of."""
    wrong = [
        Problem(Place(f"--{name}"), "R126", f"`{told}` is not a {name}", f"one of: {' '.join(known)}")
        for name, told, known in (("reason", answer.reason, REASONS), ("role", answer.role, ROLES))
        if told and told not in known
    ]
    if answer.outcome == "accepted" and answer.reason:
        wrong.append(Problem(Place("--reason"), "R126", "is of an override, and this was accepted", "leave one of them out"))
    if wrong:
        raise RequestError(wrong)
    told: dict[str, Any] = {"rule": answer.rule, "outcome": answer.outcome, "reason": answer.reason, "role": answer.role}
    told |= {"on": answer.on, "with": [rule for rule in answer.beside if rule != answer.rule]}
    return msgspec.json.encode({k: v for k, v in told.items() if v}) + b"\n"


def keep(file: Path, lines: bytes) -> None:
    """Add lines to a file that only its owner reads. Raises RequestError where they cannot be written, and adds none then."""
    add_lines(file, lines, private=True)
