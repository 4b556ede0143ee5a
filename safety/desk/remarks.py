"""What an audit looks for, line by line, and one thing that it found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct


class Line(Struct, frozen=True):
    """One line of an audit: its id, what it counts, and whether what it finds is something to mend (else it only tells)."""

    id: str
    title: str
    to_mend: bool = True


LINES: Final = (
    Line("review.overdue", "not looked at again by the day it was due"),
    Line("review.unsigned", "nobody licensed stands for it"),
    Line("review.changed", "changed after it was signed"),
    Line("review.order", "due before it was last looked at"),
    Line("review.reviewer", "signed by a name without a license"),
    Line("evidence.recalled", "rests on memory alone"),
    Line("evidence.single", "rests on a single source"),
    Line("evidence.unread", "loud, and no text was opened"),
    Line("cases.boundary", "a number that no case tries on both sides"),
    Line("coverage.medicine", "a medicine with a kind of check missing"),
    Line("coverage.otc", "sold without prescription, without a limit"),
    Line("coverage.condition", "a problem that no rule asks for"),
    Line("contradiction.severity", "rules of the same medicines, not as loud"),
    Line("contradiction.levels", "rules of one pair two levels apart"),
    Line("contradiction.action", "two rules, each stopping the other medicine"),
    Line("contradiction.order", "told in one order of a pair, not the other"),
    Line("contradiction.verb", "must not be, and is only watched"),
    Line("contradiction.one-label", "one label warns of a pair, the other is silent", to_mend=False),
    Line("contradiction.policy", "a line of the alert policy that fits no rule"),
    Line("reach.empty", "names a class or list without members"),
    Line("reach.impossible", "asks for what nobody can be"),
    Line("reach.shadowed", "a wider rule says the same as loudly"),
    Line("classes.missing", "of the FDA class, and not of ours"),
    Line("classes.extra", "a member of another FDA class"),
    Line("limits.hole", "rows that leave out an age or a weight"),
    Line("limits.overlap", "two rows for one age or weight"),
    Line("limits.unit", "rows in units that cannot be compared"),
    Line("breadth.pairs", "covers very many pairs of medicines", to_mend=False),
    Line("cohort.silent", "never spoke in the cohort", to_mend=False),
    Line("cohort.loud", "spoke most often in the cohort", to_mend=False),
    Line("links.unused", "a source or harm nothing points at"),
    Line("links.replaced", "retired for a rule that is not in force"),
    Line("text.placeholder", "words that were meant to be filled in"),
)  # fmt: skip
LINE: Final = {line.id: line for line in LINES}
_ORDER: Final = {line.id: n for n, line in enumerate(LINES)}


class Remark(Struct, frozen=True):
    """One thing that an audit found: the line that looked for it, about what, where it stands (file:line:column), what it is,
    and the command that shows more. `often`: of a line that counts, how often; the most frequent comes first."""

    line: str
    about: str
    place: str
    says: str
    more: str
    often: int = 0


def remark(line: str, about: str, place: str, says: str, often: int = 0) -> Remark:
    """A remark about an item of the knowledge, which `medsafe show` shows."""
    return Remark(line, about, place, says, f"medsafe show {about}", often)


def in_order(remarks: Iterable[Remark]) -> Iterator[Remark]:
    """Remarks by line, then by place."""
    return iter(sorted(remarks, key=lambda r: (_ORDER[r.line], -r.often, _placed(r.place), r.about, r.says)))


def _placed(place: str) -> tuple[str, int, int]:
    parts = place.rsplit(":", 2)
    if len(parts) == 3 and parts[1].isdecimal() and parts[2].isdecimal():
        return parts[0], int(parts[1]), int(parts[2])
    return place, 0, 0
