"""A line of a problem list → the conditions that it names, each with what the words around it say of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from safety.model.problem_line import Head, Mark, Measured, ProblemLine, Rest, Standing, When
from safety.reading.problems.lexing import Words
from safety.reading.problems.returns import came_back
from safety.reading.problems.scan import LONGEST_TEST, Names, Piece, Scanner
from safety.reading.problems.words import Vocabulary
from safety.reading.wording import any_of
from safety.text import fold

_STRONG = re.compile(r"[;|\n→>]|--")
_LONG_WORD = re.compile(r"(?<![\w-])[A-Za-z][A-Za-z0-9]{4,}(?![\w-])")
_LETTERS = 5
"""A name of no more letters may stand for another one of the same condition ("PE", "celiac")."""
_TOLD_OF_A_TEST = 4
"""Within so many words behind a test stands what it found."""
_DAYS, _WEEKS = 3, 14
"""So many days of a medicine at least end what passes, and some infections."""
_PHRASES = (1, 2, 3)
"""So many words has a phrase that leads to kin."""
_ANSWERED = re.compile(r"[)\]?\s]*(?:--?>|=>|[→>;])\s*")
"""What leads from what is looked for to the test that answers it."""
_LEADS = re.compile(r"[→>]")
"""What leads from all that came before to how it ended ("ITP 9/26, plt nl now -> resolved")."""
_SOFT = re.compile(r"[,:]|\s-\s|^-\s|\.\s")
_WEIGHT: dict[str, int] = {
    name: n
    for n, name in enumerate(
        (
            "told",
            "recent",
            "history",
            "done",
            "resolved",
            "suspected",
            "planned",
            "risk",
            "screening",
            "denied",
            "family",
            "nobody",
        )
    )
}
"""Where two words of standing come together before a condition, the later here counts."""
_ONE_ONLY = frozenset({"done", "resolved", "suspected", "planned", "risk", "screening", "recent"})
"""Standings that reach no further than the next condition, or those joined to it by "and"."""
_HEADS_A_LIST = frozenset({"risk", "screening", "suspected", "resolved", "history"})
"""With a colon behind them these are said of all that follows."""
_OF_ONE = _ONE_ONLY | {"history"}
"""Over a comma these end, but for words that begin a list."""
_NOT_HERS = frozenset({"denied", "family", "nobody"})
_WITHHELD = frozenset({"denied", "risk"})
"""What words before a medicine say that is not given, or to be avoided."""
_NOT_DONE = frozenset({"planned", "suspected", "denied", "risk", "screening", "vaccinated"})
"""What is said of an operation that was not done, or not yet ("severe AS, TAVR w/u")."""
_STRONGER = frozenset({"denied", "family", "nobody", "suspected", "resolved"})
"""What is said before a condition that a word for the past behind it leaves as it is ("used to have asthma as a kid")."""
_KIN = frozenset({"family", "nobody"})
_NONE = frozenset[str]()
_COUNT, _RECENT = "count", "recent"
"""The kinds of mark that tell how often something came, and that it is of now."""
_NOT_THERE = frozenset({"vaccinated", "risk", "screening"})
"""What words say of what somebody does not have, and takes something against."""
_OVER_A_COMMA = frozenset({"resolved", "history"})
"""What one word says after a comma of the condition before ("stroke, remote"), where nothing follows it."""
_OVER = frozenset({"resolved", "history"})
_ABOUT_KIN = frozenset({"marks", "date", "fillers", "relatives"})
"""What may stand between a condition and the kin of whom it is told."""
_BESIDE_A_PLAN = frozenset({"date", "marks", "fillers", "before"})
"""What may stand between an operation that is planned and what it is for."""
_UNTIL_NOW = frozenset({"resolved", "history", "done"})
"""What a word for now ends, said of all that follows it."""
_ANSWER = "answered"
"""A word that denies the condition before only where nothing follows it ("asthma: no")."""
_BEHIND = re.compile(
    r"\s*[(\[]\s*(?P<in>[?-])\s*\??\s*[)\]]|\s*(?P<no>-)\s*[,.;\n]|(?:(?P<ask>\?)+(?=[\s,.;)\]\n])|\s(?P<then>\?)+(?=\s*[,.;)\]\n]))"
)
"""A sign that speaks of what stands before it, in brackets or before a comma or the end ("DM (-)", "DM -, HTN?, CAD (?)")."""
_LEADING_SIGN = re.compile(r"\s*[(\[]\s*[-+?]\s*[)\]]")
_NONE_OF_KIN = re.compile(r"\s*[(\[]?\s*-\s*[)\]]?\s*[,.;\n]")
"""A minus behind words for the family's history, and nothing that it leads to."""
_PART = re.compile(r".*[,;.\n]", re.S)
_MINUS, _ASKED = "(-)", "?"
_ABOUT = frozenset({"date", "marks"})
"""What may stand between a condition and its sign."""
_PLUS = "+"
_HAS, _IS = "has", "is"
_FOR = "for"
_SINCE = "since"
"""Behind this word stands when it was that a denial began."""
_OR = frozenset({"or", "nor", "and / or"})


class _Found(Struct):
    """A condition while its line is read."""

    piece: Piece
    standing: Standing
    sure: bool = False
    when: When | None = None
    marks: list[Mark] = []
    cause: str = ""
    cause_of_it: bool = False
    """Whether it is told to have caused the one before."""
    inside: bool = False
    """Whether it stands in brackets; `right_behind`: whether nothing parts it from the condition before ("cardiac arrest VF")."""
    right_behind: bool = False
    broken_off: bool = False
    """Whether a comma or break stands before it."""
    joined: bool = False
    """Whether "and" stands between it and the condition before; `together`: or "with"; `within`: named as a part of that one."""
    together: bool = False
    within: bool = False
    listed: bool = False
    """Whether it stands under a heading of all that somebody has and had."""
    cured: bool = False
    """Whether what ends it was done in the same breath; `young`: whether it is told of childhood."""
    young: bool = False
    caused: bool = False
    """Whether it is told as the cause of the one before, or as what that came on top of (then `beneath`: "AKI on CKD 3")."""
    beneath: bool = False
    ended: bool = False
    """Whether words behind it say that it is over: a test that finds nothing since then is no denial ("gout tx'd, Ag neg")."""


class _Scope(Struct):
    """What a word of standing says of the conditions after it."""

    standing: Standing
    goes_on: bool
    used: bool = False
    broken: bool = False
    parted: bool = False
    """Whether a condition or a comma came since, so that another word of standing begins anew."""
    of_habits: bool | None = None
    """Whether it begins with a habit; None until something is told of it. `one_list`: "or" tells that all of it is one list."""
    one_list: bool = False
    names: bool = False
    """Whether a condition was told of it, and not only words that were not read; `heading`: whether it heads a list."""
    heading: bool = False
    word: str = ""
    young: bool = False
    """Whether it tells of childhood."""
    subject: bool = False
    """Whether the kin begin a part of the line ("wife just dx'd with flu", not "brought by wife with cough")."""


class _Kinds(Struct, frozen=True):
    """Conditions, by id: the operations that end each which no other ends, those that one course of a medicine ends, those that
    children lose as they grow up, those that weeks of a medicine end, those that ask for a test, the words that end some,
    those of which who has them prevents the attacks, what is needed only while something passes, how somebody was hurt, and what
    goes round among people."""

    cured_only_by: Mapping[str, frozenset[str]]
    treated_once: frozenset[str]
    outgrown: frozenset[str]
    cured_in_weeks: frozenset[str]
    answered_by_tests: frozenset[str]
    ended_by_measure: Mapping[str, frozenset[str]]
    had_when_prevented: frozenset[str]
    needed_for_a_while: frozenset[str]
    mishaps: frozenset[str]
    goes_round: frozenset[str]
    ends_only: Mapping[str, frozenset[str]]
    """Operations with the conditions that each can end, and no other."""


class _Cures(Struct, frozen=True):
    """What ends a condition: operations that end many others as well, in each of their words, and those that end it alone."""

    of_many: frozenset[str]
    own: frozenset[str]
    of_others: frozenset[str]
    """Operations, in words or phrases, that end only other conditions than this one."""


def _kinds(vocabulary: Vocabulary, names: Names) -> _Kinds:
    def named(words: Iterable[str]) -> frozenset[str]:
        return frozenset(i for word in words if (i := names.condition(word)) is not None)

    def by_condition(lists: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
        found: dict[str, frozenset[str]] = {}
        for name, words in lists.items():
            for i in named((name,)):
                found[i] = found.get(i, _NONE) | words
        return found

    words = vocabulary
    return _Kinds(
        by_condition(words.cured_only_by), named(words.treated_once), named(words.outgrown), named(words.cured_in_weeks),
        named(words.answered_by_tests), by_condition(words.ended_by_measure),
        named(words.had_when_prevented), named(words.needed_for_a_while), named(words.mishaps),
        named(words.goes_round), {said: named(names) for said, names in words.ends_only.items()},
    )  # fmt: skip


def parted(gap: str) -> bool:
    """Whether a comma or a break stands between two words."""
    return bool(_SOFT.search(gap) or _STRONG.search(gap))


class ProblemReader:
    """Reads lines of problem lists; immutable, made once for a library."""

    def __init__(self, vocabulary: Vocabulary, names: Names) -> None:
        self._vocabulary = vocabulary
        self._names, self._scanner = names, Scanner(vocabulary, names)
        self._kinds = _kinds(vocabulary, names)
        self._together_one = re.compile(any_of(vocabulary.run_together), re.I)
        self._together = re.compile(rf"(?:{any_of(vocabulary.run_together)}){{2,}}", re.I)

    def read(self, text: str) -> ProblemLine:
        """Everything of a line; nothing in it is dropped but words that add nothing."""
        words = Words(self._parted(text), self._vocabulary.leading, self._vocabulary.following)
        pieces = self._scanner.pieces(words)
        return _Line(words, pieces, self._vocabulary, self._names, self._kinds).read()

    def _parted(self, text: str) -> str:
        """A line with abbreviations that are written together parted ("DM2HTNHLD")."""
        return _LONG_WORD.sub(lambda found: self._parts(found[0]), text)

    def _parts(self, word: str) -> str:
        if not self._together.fullmatch(word) or self._names.condition(word.lower()) is not None:
            return word
        return "/".join(found[0] for found in self._together_one.finditer(word))


class _Line:
    """One line while it is read, piece by piece."""

    def __init__(self, words: Words, pieces: list[Piece], vocabulary: Vocabulary, names: Names, kinds: _Kinds) -> None:
        self.words, self.pieces, self.vocabulary, self.names, self.kinds = words, pieces, vocabulary, names, kinds
        self.heads: list[_Found] = []
        self.measured: list[Measured] = []
        self.scope: _Scope | None = None
        self.outer: list[_Scope | None] = []
        self.waiting: list[Mark] = []
        self.beside: set[int] = set()
        self.early: When | None = None
        self.ahead_of: list[Piece] = []
        self.caused, self.joiner = False, ""
        self.joined = self.together = self.within = self.ahead = self.eaten = self.not_given = False

    def read(self) -> ProblemLine:
        steps = {
            "head": self._head, "before": self._before, "after": self._after, "relatives": self._relative, "joins": self._join,
            "marks": self._mark, "date": self._date, "measured": self._result, "rest": self._rest,
            "not-conditions": self._no_condition, "ahead": self._look_ahead,
        }  # fmt: skip
        for n, piece in enumerate(self.pieces):
            self._gap(self.words.gaps[piece.i], piece.i)
            if piece.kind == "fillers" and self._speaks_of_the_patient(piece):
                self._turns_to_the_patient()  # "no angina since CABG": the operation was done
            if self.scope is not None and self.scope.standing in _UNTIL_NOW and self._is_now(piece):
                self.scope = None  # "h/o gastric bypass, now anemia"
            if self.scope is not None and self.scope.standing == "denied" and self._is_taken_now(piece):
                self.scope = None  # "doesn't have diabetes, takes metformin for PCOS"
            if piece.kind in steps:
                steps[piece.kind](n, piece)
            told = piece.kind in ("rest", "head")
            self.eaten = told and not self.vocabulary.intake.isdisjoint(self.words.folded[piece.i : piece.j])
            self.not_given = self.scope is not None and not self.scope.names and self._is_taken(piece)
        self._settle_operations()
        for n, found in enumerate(self.heads):
            if found.standing == "denied":
                self._takes_back(n)
            if found.standing == "denied" and self._was_there_before(found):
                found.standing = "history"
            self._settle_what_ended(n, found)
            if any(mark.kind == _COUNT for mark in found.marks) and self._is_treated_now(n):
                found.marks = [mark for mark in found.marks if mark.kind != _COUNT]  # "C diff x3, on vanc taper"
            if found.standing in ("suspected", "told") and self._was_ruled_out(found):
                found.standing = "denied"
            elif found.standing == "suspected" and self._was_found_by_its_test(found):
                found.standing = "told"
            self._is_there_again(found)
        heads, denies = tuple(map(self._closed, self.heads)), any(p.meaning == "denied" for p in self.pieces)
        rests, weeks = tuple(self._rests()), self._pregnant_for()
        kin = any(p.kind == "relatives" for p in self.pieces)
        return ProblemLine(self.words.text, heads, tuple(self.measured), rests, denies, weeks, self._begins_with_kin(), kin)

    def _is_there_again(self, found: _Found) -> None:
        """What was over is there where the line says further on that it came back ("melanoma excised '20; satellite mets")."""
        if found.standing not in _OVER or self.names.operation(found.piece.name):
            return
        again, when = came_back(self.words, self.pieces, found.piece, self.vocabulary, self.names)
        if again:
            found.standing, found.when, found.cured, found.ended = "told", when, False, False
            found.marks = [mark for mark in found.marks if mark.kind != _COUNT]

    def _settle_what_ended(self, n: int, found: _Found) -> None:
        """Whether an operation, a course of a medicine or a new organ ended it, or a child lost it."""
        if found.young and found.standing in _OVER and self._was_outgrown(found):
            found.cured = True
        if found.standing != "told":
            return
        cures = self._cures_of(found)
        if (cures is not None and self._was_cured(n, cures)) or self._was_treated(n):
            found.standing, found.cured = "history", True
            self._took_with_it(n)
        elif self._was_treated_long_enough(n):
            found.standing, found.when = "resolved", None
        elif self._was_replaced(found):
            found.standing, found.cured = "resolved", True

    def _took_with_it(self, n: int) -> None:
        """What came of a condition that was cured, and passes, went with it ("hyperCa 2/2 PHPT s/p parathyroidectomy")."""
        before = self.heads[n - 1] if n and self.heads[n].caused and not self.heads[n].beneath else None
        if before is not None and before.standing == "told" and before.when is None and self._passes(before):
            before.standing = "history"

    def _settle_operations(self) -> None:
        """Whether each operation is yet to come; one by which what it is done for is told leaves that there ("CEA planned")."""
        for found in self.heads:
            if found.standing in ("told", *_NOT_DONE) and self._may_be_held_off(found):
                self._hold_off(found)
            if found.standing == "planned" and found.piece.name in self.vocabulary.operations_on:
                found.standing = "told"
                self.ahead_of.append(found.piece)

    def _may_be_held_off(self, found: _Found) -> bool:
        """Whether it is an operation with no day told before it."""
        n = self.pieces.index(found.piece)
        operation = self.names.operation(found.piece.name) or found.piece.name in self.vocabulary.operations_on
        return operation and not (n and self.pieces[n - 1].kind == "date")

    def _hold_off(self, found: _Found) -> None:
        """An operation of which the words behind it say that it is yet to come, or was never done ("TAVR w/u in progress").

        Over a comma only where nothing follows them ("TKR, referred to PT" was done).
        """
        behind = self.pieces[self.pieces.index(found.piece) + 1 :]
        for n, piece in enumerate(behind):
            long = self._held_off_at(piece.i)
            if long:
                if found.piece.name not in self.vocabulary.operations_on:
                    found.standing = self.vocabulary.held_off[self.words.key(piece.i, piece.i + long)]  # type: ignore[assignment]
                for said in behind[n:]:
                    if said.j <= piece.i + long and said.kind in ("rest", "after", "before"):
                        said.kind = "fillers"
                return
            if piece.kind not in ("marks", "fillers") or parted(self.words.gaps[piece.i]):
                return

    def _held_off_at(self, i: int) -> int:
        """How many words say so from here on; 0 where none do, or what follows behind a comma may be of something else."""
        gap = self.words.gaps[i]
        if _STRONG.search(gap) or ")" in gap:
            return 0
        most = min(self.vocabulary.longest_held_off.get(self.words.folded[i], 0), self.words.size - i)
        long = next((n for n in range(most, 0, -1) if self.words.key(i, i + n) in self.vocabulary.held_off), 0)
        behind = self.words.gaps[i + long]
        ends = i + long == self.words.size or parted(behind) or ")" in behind or self._day_at(i + long)
        return long if ends or not parted(gap) else 0

    def _day_at(self, i: int) -> bool:
        return any(piece.i == i and piece.kind == "date" for piece in self.pieces)

    def _takes_back(self, n: int) -> None:
        """What was looked for is none where a test found nothing and the end says so ("celiac - tTG neg, not celiac"); what is
        denied of now was there before ("had asthma, no asthma now").
        """
        denied = self.heads[n]
        after = self.words.folded[denied.piece.j :]
        now = bool(after) and after[0] in self.vocabulary.turns_to_now
        if (after and not now) or self._episode(denied):
            return
        for found in self.heads[:n]:
            same = self._same(found.piece.name, denied.piece.name)
            between = self.words.folded[found.piece.j : denied.piece.i]
            answered = not between and self.words.gaps[denied.piece.i].strip() in (":", "-")  # "TB: neg PPD"
            looked_for = answered or not self.vocabulary.test_negative.isdisjoint(between) or self._was_tested(found, denied)
            if same and found.standing in ("told", "suspected", "done") and (now or looked_for):
                found.standing = "resolved" if now else "denied"
            elif same and found.standing == "told" and self._had_antibodies(found, denied):
                found.standing = "history"

    def _had_antibodies(self, found: _Found, denied: _Found) -> bool:
        """Whether one test of a condition is positive, and another that tells of now is negative ("HBcAb+, HBsAg neg")."""
        return found.piece.name.endswith(self.vocabulary.says_positive) and denied.piece.meaning == "denied"

    def _same(self, one: str, other: str) -> bool:
        """Whether two names are of one condition, and share a word or are letters: no abscess is the cellulitis beside it."""
        alike = not set(one.split()).isdisjoint(other.split()) or min(len(one), len(other)) <= _LETTERS
        alike = alike or one.endswith(self.vocabulary.says_positive)
        return alike and self.names.condition(one) == self.names.condition(other)

    def _was_tested(self, found: _Found, denied: _Found) -> bool:
        """Whether a colon behind a condition leads to what was measured, before it is denied ("OSA: PSG AHI 2, no OSA")."""
        measured = any(found.piece.j <= p.i < denied.piece.i and p.kind in ("measured", "marks") for p in self.pieces)
        return measured and found.when is None and ":" in self.words.gaps[found.piece.j]

    def _begins_with_kin(self) -> bool:
        """Whether the line begins with kin or others of whom it tells ("daughter (8) allergic to penicillin")."""
        if not self.pieces or self.pieces[0].kind != "relatives":
            return False
        return not any(p.kind == "reporters" or p.name in self.vocabulary.of_the_patient - {"has"} for p in self.pieces[1:])

    def _is_now(self, piece: Piece) -> bool:
        """Whether a word turns the line from what was to what is there."""
        begins = piece.kind == "head" and self.words.folded[piece.i] in self.vocabulary.turns_to_now  # "residual L hemiparesis"
        return begins or self.words.key(piece.i, piece.j) in self.vocabulary.turns_to_now

    def _is_taken_now(self, piece: Piece) -> bool:
        """Whether a part of the line begins with what somebody takes."""
        return "," in self.words.gaps[piece.i] and self.words.key(piece.i, piece.j) in self.vocabulary.takes

    def _was_ruled_out(self, found: _Found) -> bool:
        """Whether a test that decides found nothing of what was looked for ("r/o PE - CTA neg", "DVT LLE: duplex no clot")."""
        tests = self.names.ruled_out_by(found.piece.name, told=found.standing == "told")
        if not tests or any(piece.meaning == "versus" for piece in self.pieces):
            return False  # "seizure vs syncope, EEG nl": one of them it was
        i = found.piece.j
        if found.standing == "told":
            i = self._behind_marks(found, tests)
            if self._negative_before(i, tests):
                return True  # "TB: neg PPD"
            answered = self.names.condition(found.piece.name) in self.kinds.answered_by_tests
            if not self._test_at(i, tests) or not (answered or self._tells_of_a_test(i, tests)):
                return False
        doubted = found.standing == "suspected"
        if doubted and self._was_searched_for_in_vain(found):
            return True
        while i < self.words.size and not (_STRONG.search(self.words.gaps[i]) and not (doubted and self._leads_to_a_result(i))):
            if long := self._test_at(i, tests):
                nothing = self._found_nothing(found, i, i + long)
                if nothing and doubted:
                    self._answers(found, i)
                return nothing
            i += 1
        return False

    def _was_searched_for_in_vain(self, found: _Found) -> bool:
        """Whether words of a search stand before a condition, and right behind it that it found nothing ("w/u for PE
        unrevealing")."""
        n, j = self.pieces.index(found.piece), found.piece.j
        before = self.pieces[n - 1] if n and self.pieces[n - 1].kind == "before" else None
        if before is None or j == self.words.size or self.words.gaps[j] != " ":
            return False
        spans = (self.words.key(before.i, k) for k in range(before.i + 1, before.j + 1))
        searched = any(key in self.vocabulary.workups for key in spans)
        return searched and self.words.folded[j] in self.vocabulary.test_negative

    def _answers(self, found: _Found, i: int) -> None:
        """The words of a test that settles what was looked for are no more asked about, up to where another thought begins."""
        for piece in self.pieces:
            if piece.i >= i and parted(self.words.gaps[piece.i]) and piece.i > i:
                return
            if piece.i >= found.piece.j and piece.kind == "rest":
                piece.kind = "fillers"

    def _was_found_by_its_test(self, found: _Found) -> bool:
        """Whether a test that decides is told to have found what was looked for ("r/o PE, CTA pos")."""
        tests = self.names.ruled_out_by(found.piece.name) - self.vocabulary.rules_out_only
        i = found.piece.j
        while i < self.words.size and not (_STRONG.search(self.words.gaps[i]) and not self._leads_to_a_result(i)):
            if long := self._test_at(i, tests):
                said = self.words.folded[i + long : i + long + 1]
                positive = not parted(self.words.gaps[i + long]) and not self.vocabulary.confirms.isdisjoint(said)
                if positive:
                    self._answers(found, i)
                return positive
            i += 1
        return False

    def _leads_to_a_result(self, i: int) -> bool:
        """Whether an arrow or semicolon stands before a word, and behind it the answer ("r/o PE -> CTA neg")."""
        return bool(_ANSWERED.fullmatch(self.words.gaps[i]))

    def _negative_before(self, i: int, tests: frozenset[str]) -> bool:
        """Whether a colon or dash leads to a negative test, that word before its name."""
        led = ":" in self.words.gaps[i] or self.words.gaps[i].strip() == "-"
        negative = i + 1 < self.words.size and self.words.folded[i] in self.vocabulary.test_negative
        return led and negative and self.words.gaps[i + 1] == " " and bool(self._test_at(i + 1, tests))

    def _test_at(self, i: int, tests: frozenset[str]) -> int:
        """How many words the test has that stands here; 0 where none does."""
        return next((n for n in range(LONGEST_TEST, 0, -1) if i + n <= self.words.size and self.words.key(i, i + n) in tests), 0)

    def _behind_marks(self, found: _Found, tests: frozenset[str]) -> int:
        """Where what is said of a condition begins, behind its side or degree."""
        i = found.piece.j
        for piece in self.pieces[self.pieces.index(found.piece) + 1 :]:
            if piece.kind != "marks" or self._test_at(i, tests):
                break
            i = piece.j
        return i

    def _tells_of_a_test(self, i: int, tests: frozenset[str]) -> bool:
        """Whether a colon or dash leads from a condition to a test, or nothing parts it from how it was looked for."""
        gap = self.words.gaps[i]
        at_once = gap == " " and (bool(self._test_at(i, self.vocabulary.workups)) or self._negative_at_once(i, tests))
        return ":" in gap or gap.strip() == "-" or at_once

    def _negative_at_once(self, i: int, tests: frozenset[str]) -> bool:
        """Whether a test that stands here found nothing, and nothing else is told of it ("DVT US neg")."""
        j = i + self._test_at(i, tests)
        said = self.words.folded[j : j + 2]
        return bool(said) and said[0] in self.vocabulary.test_negative and said[1:] != [_FOR] and not parted(self.words.gaps[j])

    def _found_nothing(self, found: _Found, i: int, j: int) -> bool:
        """Whether words around a test from `i` to `j` say that it found nothing, or not what it looks for ("no clot").

        "Neg for" something else says nothing, and what is clear now was there before.
        """
        end = j
        while end < self.words.size and end - j < _TOLD_OF_A_TEST and not parted(self.words.gaps[end]):
            end += 1
        folded, before = self.words.folded, max(i - 1, found.piece.j)
        if not self.vocabulary.turns_to_now.isdisjoint(folded[j:end]):
            return False
        said = next((n for n in (*range(j, end), *range(before, i)) if self._denies_or_finds_nothing(n)), None)
        if said is None:
            return self.words.gaps[j].strip(" ,;") == "-"
        behind = folded[said + 1 : max(end, j) + 1]
        looked_for = self.names.found_by_tests(found.piece.name)
        if folded[said] in self.vocabulary.test_negative and not (said >= j and behind[:1] == [_FOR]):
            return True
        return not looked_for.isdisjoint(behind)

    def _denies_or_finds_nothing(self, n: int) -> bool:
        word = self.words.folded[n]
        return word in self.vocabulary.test_negative or word in self.vocabulary.denies_what_follows

    def _was_there_before(self, found: _Found) -> bool:
        """Whether a denial tells since when, or for how long, it is none any more ("no seizures since 2010", "… x 3 years")."""
        after = self.pieces.index(found.piece) + 1
        if after >= len(self.pieces):
            return False
        piece = self.pieces[after]
        spans = piece.when is not None and piece.when.span
        return not parted(self.words.gaps[piece.i]) and (spans or self.words.folded[piece.i] == _SINCE)

    def _pregnant_for(self) -> tuple[int, int] | None:
        """The weeks of a pregnancy of now: as only a pregnancy is counted, or behind how often somebody was pregnant."""
        over = self.vocabulary.not_pregnant - self.vocabulary.of_before
        lost = {i for p in self.pieces if self._is_lost_otherwise(p) for i in range(p.i, p.j)}
        said = [word for i, word in enumerate(self.words.folded) if i not in lost]
        if not over.isdisjoint(said) or any(p.kind == "relatives" for p in self.pieces):
            return None
        found, born = None, False
        for piece in self.pieces:
            now = piece.when is not None and (piece.when.pregnant or born) and not self._of_an_earlier_one(piece)
            if piece.when is not None and piece.when.gestation and now and not self._denied_in_its_part(piece):
                found = piece.when.gestation
            born = born or (piece.mark is not None and piece.mark.kind == "parity")
        return found

    def _is_lost_otherwise(self, piece: Piece) -> bool:
        """Whether a condition of several words speaks of another loss than that of a pregnancy ("hair loss, 10w pregnant")."""
        words = set(self.words.folded[piece.i : piece.j]) & self.vocabulary.lost
        if piece.kind != "head" or not words or piece.j - piece.i == len(words):
            return False
        return self.names.condition(piece.name) not in {self.names.condition(phrase) for phrase in self.vocabulary.not_pregnant}

    def _denied_in_its_part(self, piece: Piece) -> bool:
        """Whether a denial stands before words, with no comma between them ("18 wks by LMP, no bleeding" denies no weeks)."""
        for before in reversed(self.pieces[: self.pieces.index(piece) + 1]):
            if before.meaning in _NOT_HERS:
                return True
            if parted(self.words.gaps[before.i]):
                return False
        return False

    def _of_an_earlier_one(self, piece: Piece) -> bool:
        """Whether a word in the same part of the line says that it was an earlier pregnancy ("hx of loss at 20w2d")."""
        i = piece.i
        while i and not parted(self.words.gaps[i]):
            i -= 1
        j = piece.j
        while j < self.words.size and not parted(self.words.gaps[j]):
            j += 1
        return not self.vocabulary.of_before.isdisjoint(self.words.folded[i:j])

    # -------------------------------------------------------------- how far a word reaches

    def _speaks_of_the_patient(self, piece: Piece) -> bool:
        """Whether a word turns from kin or a denial to the patient; what kin have is theirs ("roommate at SNF has scabies")."""
        if piece.name == _HAS and self.scope is not None and self.scope.subject and not parted(self.words.gaps[piece.i]):
            return False
        return piece.name in self.vocabulary.of_the_patient or piece.name == _SINCE

    def _turns_to_the_patient(self) -> None:
        """ "negative for HIV, pos hep B", "mother - DM, pt - HTN": what follows is this patient's."""
        if self.scope is not None and self.scope.used and self.scope.standing in _NOT_HERS:
            self.scope = None

    def _gap(self, gap: str, at: int) -> None:
        if not gap or gap == " ":
            return
        for _ in range(gap.count(")") + gap.count("]")):
            self.scope = self.outer.pop() if self.outer else None
        if _STRONG.search(gap):
            self.scope, self.waiting, self.early = None, [], None
            self.joined = self.together = self.caused = self.within = self.ahead = False
        elif _SOFT.search(gap):
            if "," in gap and self.scope is not None and self.scope.standing == "nobody" and not self.scope.used:
                self.scope = None  # "family history negative, CHF": that is all of the kin
            self._comma(at, dash=" - " in gap and "," not in gap)
        for _ in range(gap.count("(") + gap.count("[")):
            self.outer.append(self.scope)
            self.joined = False
            if self.not_given and self.scope is not None and self.scope.standing in _WITHHELD:
                self.scope = None  # "no NSAIDs (CKD)": why it is not given
            elif self.scope is not None and self.scope.standing == "risk" and self.scope.names:
                self.scope = None  # "at risk for falls (osteoporosis)": why
            elif self.scope is not None and self.scope.standing == "planned" and not self._right_behind_the_word(at):
                self.scope = None  # "desires POP (migraine w/ aura)": why, or why not

    def _right_behind_the_word(self, at: int) -> bool:
        """Whether nothing stands between a word of standing and what follows."""
        said = self.scope.word.split() if self.scope is not None else []
        return bool(said) and at > 0 and self.words.folded[at - 1] == said[-1]

    def _not_given(self, at: int) -> bool:
        """Whether what was denied is a medicine, and one part of the line tells why ("no NSAIDs, CKD 3")."""
        behind = [*takewhile(lambda gap: ")" not in gap and not _STRONG.search(gap), self.words.gaps[at + 1 :])]
        return self.not_given and not any(map(parted, behind))

    def _comma(self, at: int, *, dash: bool = False) -> None:
        self.joined = self.together = self.caused = self.ahead = False
        scope = self.scope
        if dash and scope is not None and scope.standing == "denied" and scope.names and not scope.goes_on:
            scope = self.scope = None  # "not sepsis - leukocytosis is steroid effect"
        if dash and scope is not None and scope.standing == "history" and scope.names and not scope.heading:
            scope = self.scope = None  # "hx of breast ca 2009 - lump, new"
        if scope is not None and scope.standing in _WITHHELD and not scope.goes_on and (self.eaten or self._not_given(at)):
            scope = self.scope = None  # "never smoked, severe COPD": what was denied is the smoking; "no NSAIDs, CKD"
        if scope is not None and scope.standing == "denied" and not scope.goes_on:
            scope.used = True  # "SI without plan, OD": what was denied stands before the comma
        if scope is None or not scope.used:
            return
        scope.parted = True
        if scope.standing in _OF_ONE and not scope.goes_on:
            self.scope = None  # "prev C/S, anemia"
        elif scope.standing in _NOT_HERS and not scope.goes_on:
            scope.broken = True

    def _or_follows(self, n: int) -> bool:
        """Whether "or" stands further on, in the same breath."""
        after = n + 1 if self._goes_before(n + 1) else n
        for piece in self.pieces[after + 1 :]:
            begins = piece.kind == "before" and piece.meaning not in ("history", "recent")
            if _STRONG.search(self.words.gaps[piece.i]) or begins or piece.meaning == "but":
                return False
            if piece.kind == "joins" and piece.name in _OR:
                return True
        return False

    def _lists(self, piece: Piece) -> bool:
        """Whether a colon or dash right behind a word says that it is told of a list ("no hx: HTN, DM", "mother - HTN, DM")."""
        gap = self.words.gaps[piece.j]
        return ":" in gap or " - " in gap or gap.startswith("- ")

    def _goes_before(self, n: int) -> bool:
        """Whether a word of standing stands there, in the same breath as the one before it ("no PMH of DM, HTN or CAD")."""
        return n < len(self.pieces) and self.pieces[n].kind == "before" and not parted(self.words.gaps[self.pieces[n].i])

    # -------------------------------------------------------------- words of standing

    def _before(self, n: int, piece: Piece) -> None:
        if self._plans_what_stands_before(n, piece) or self._tells_of_weeks(piece):
            return
        if piece.meaning == "history" and self._alone_in_brackets(n):
            self._set("history", last=True)  # "MI (old)"
            return
        if self._says_none_of_kin(piece) or self._doubts_what_a_comma_parts(n, piece):
            return
        if piece.after and self.heads and self._looks_back(n, piece):
            self._after(n, piece)
            return
        if self._is_done_for_a_purpose(n, piece):
            self._set(piece.meaning, last=True)
            return
        if self._grades_the_next(n, piece):
            self.waiting.append(Mark("grade", piece.name))  # "high risk prostate cancer"
            return
        new, old = self._scope_of(n, piece), self.scope
        if old is not None and self._within(old, new, n):
            return
        sign = self._sign_before(piece.i)
        if sign == "suspected" and new.standing in ("history", "done", "recent"):
            new.standing = "suspected"
        elif sign == "denied" and new.standing in ("history", "family"):
            new.standing, new.goes_on = "denied" if new.standing == "history" else "nobody", True  # "(-) hx TB, HIV"
        if old is not None and not old.used and old.standing == "denied" and new.standing == "family":
            new.standing, new.goes_on = "nobody", old.goes_on
        self.scope = new

    def _says_none_of_kin(self, piece: Piece) -> bool:
        """Whether a comma parts a condition of the patient from words that no kin have it ("CAD, FHx neg", "…, fam hx -")."""
        apart = bool(self.heads) and parted(self.words.gaps[piece.i])
        kin = piece.meaning == "nobody" or any(
            self._is_of_kin(self.words.key(piece.i, j)) for j in range(piece.i + 1, piece.j + 1)
        )
        no = "denied" in (piece.meaning, piece.after) or piece.meaning == "nobody"
        minus = _NONE_OF_KIN.match(self.words.gaps[piece.j] + "\n") is not None
        return apart and kin and (no or minus) and self._breath_ends(self.pieces.index(piece))

    def _is_of_kin(self, phrase: str) -> bool:
        said = self.vocabulary.phrases.get(phrase)
        return said is not None and said.meaning == "family"

    def _doubts_what_a_comma_parts(self, n: int, piece: Piece) -> bool:
        """Whether a word of doubt, or for the past, is all of a part of the line, so that it speaks of the condition before it
        ("MI, prob", "MI, old")."""
        alone = piece.name in self.vocabulary.doubts_behind and n > 0 and self._breath_ends(n)
        told = alone and self.pieces[n - 1].kind == "head" and self.heads[-1].standing == "told"
        past = alone or (piece.name in self.vocabulary.past_behind and n > 0 and self._breath_ends(n))
        told = told or (past and self.pieces[n - 1].kind == "head" and self.heads[-1].standing == "told")
        if told and "," in self.words.gaps[piece.i] and not self.words.gaps[piece.j].startswith(". "):
            self.heads[-1].standing = "suspected" if alone else "history"
            return True
        return False

    def _tells_of_weeks(self, piece: Piece) -> bool:
        """Whether a number stands right behind a word for what is over: as how young somebody was born ("ex-26wk'er, BPD")."""
        return (
            piece.meaning == "resolved"
            and piece.j < self.words.size
            and self.words.gaps[piece.j] == "-"
            and (self.words.folded[piece.j][:1].isdigit())
        )

    def _alone_in_brackets(self, n: int) -> bool:
        """Whether words stand alone in brackets right behind a condition."""
        piece = self.pieces[n]
        behind = n > 0 and self.pieces[n - 1].kind in ("head", "marks", "date") and bool(self.heads)
        return behind and self.words.gaps[piece.i].endswith("(") and self.words.gaps[piece.j].startswith(")")

    def _plans_what_stands_before(self, n: int, piece: Piece) -> bool:
        """Whether words of a plan speak of a test or operation right before them, and not of what a comma or "for" parts from
        them ("MRI pending, MS", "AVR planned for severe AS", "colonoscopy scheduled 12/3")."""
        before = self.pieces[n - 1] if n else None
        if before is None or piece.meaning != "planned":
            return False
        if piece.after == "planned" and before.kind == "rest" and not self._names_next(n):
            before.after = "planned"
            return True
        after = self.pieces[n + 1] if n + 1 < len(self.pieces) else None
        reason = after is not None and self.words.key(after.i, after.j) in self.vocabulary.done_for
        if self.words.gaps[piece.i] != " " or after is None or not (reason or self._breath_ends(n)):
            return False
        if before.kind == "head" and self.heads and self.names.operation(before.name):
            self.heads[-1].standing = "planned"
            return True
        before.after = "planned" if before.kind == "rest" else before.after
        if reason and piece.after == "suspected":
            self.scope = _Scope("suspected", False, word=piece.name)  # "MRI pending for MS"
        return before.kind == "rest" or (before.kind == "fillers" and before.name not in self.vocabulary.of_the_patient)

    def _is_done_for_a_purpose(self, n: int, piece: Piece) -> bool:
        """Whether words of screening speak of the condition right before, and "for" tells why ("TB screening for work")."""
        right_behind = n > 0 and self.pieces[n - 1].kind == "head" and self.words.gaps[piece.i] == " "
        looks = piece.meaning in ("screening", "risk") and self.words.folded[piece.j - 1] == _FOR
        return looks and right_behind and not self._breath_ends(n)

    def _grades_the_next(self, n: int, piece: Piece) -> bool:
        """Whether words of risk say how grave the tumor behind them is, and not that it may come."""
        return piece.name in self.vocabulary.risk_groups and n + 1 < len(self.pieces) and self._is_risk_graded(self.pieces[n + 1])

    def _is_risk_graded(self, piece: Piece) -> bool:
        return piece.kind == "head" and self.names.graded_by_risk(piece.name)

    def _scope_of(self, n: int, piece: Piece) -> _Scope:
        """What a word says of the conditions behind it, and how far it goes on."""
        goes_on = piece.name in self.vocabulary.sure or (
            piece.meaning == "history" and piece.name not in self.vocabulary.said_of_one
        )
        one_list = self._or_follows(n)
        if piece.meaning in _NOT_HERS:
            denied = piece.meaning == "denied"
            goes_on = goes_on or self._lists(piece) or (one_list and denied)
            goes_on = goes_on or (denied and piece.name in self.vocabulary.bare_lists and self._names_only(n))
        goes_on = goes_on or (piece.meaning in _HEADS_A_LIST and ":" in self.words.gaps[piece.j])  # "at risk: falls, delirium"
        heading = piece.name in self.vocabulary.headings and self._lists(piece)
        young = self._tells_of_childhood(piece)
        return _Scope(piece.meaning, goes_on, one_list=one_list, heading=heading, word=piece.name, young=young)  # type: ignore[arg-type]

    def _tells_of_childhood(self, piece: Piece) -> bool:
        return not self.vocabulary.childhood.isdisjoint(self.words.folded[piece.i : piece.j])

    def _names_only(self, n: int) -> bool:
        """Whether all that follows in the breath are names, with nothing told of one of them ("no hx of CAD, stroke")."""
        for piece in self.pieces[n + 1 :]:
            if _STRONG.search(self.words.gaps[piece.i]):
                return True
            if piece.kind not in ("head", "joins", "fillers") or piece.name in self.vocabulary.of_the_patient:
                return False
            if piece.kind == "joins" and piece.meaning not in ("and", "nor"):
                return False
        return True

    def _within(self, old: _Scope, new: _Scope, n: int) -> bool:
        """Whether what was said before goes on over what a new word says, or both together say something else."""
        if old.parted and not (old.standing == "denied" and self._after_or(n)):
            return False
        if old.standing == "family" and new.standing == "denied":
            self.scope = _Scope("nobody", new.goes_on)  # "FHx: neg for colon cancer"
            return True
        if _WEIGHT[old.standing] < _WEIGHT[new.standing]:
            return False
        old.young = old.young or new.young  # "hx of childhood asthma"
        old.broken = old.broken or (old.used and not old.parted)
        return True  # "no trauma or prior surgery" denies both; "no words that are not read, history of": not sure

    def _looks_back(self, n: int, piece: Piece) -> bool:
        """Whether a word that may stand before a condition or after it speaks of the one before.

        So it does where none follows; a word of denial right behind a condition does in any case ("HCV neg HIV neg"), but
        for one that begins a list ("HTN denies chest pain").
        """
        if ":" in self.words.gaps[piece.j] and n + 1 < len(self.pieces) and self.pieces[n + 1].kind == "head":
            return False  # "COPD, FH: HTN"
        if self.pieces[n - 1].kind == "joins" and not self._breath_ends(n) and "," not in self.words.gaps[piece.i]:
            return False  # "CKD with a history of FSGS": what follows the two of them
        looks_for = piece.meaning == "suspected" and piece.after == "denied" and not self._breath_ends(n)
        if looks_for and self.pieces[n + 1].kind == "rest":
            return False  # "lung nodule r/o ca": what is looked for follows, whatever it is
        if self._begins_what_was(n, piece):
            return False
        right_behind = self.pieces[n - 1].kind == "head" and self.words.gaps[piece.i] == " "
        said_of_it = piece.after == piece.meaning == "denied" and right_behind and piece.name not in self.vocabulary.sure
        if piece.after == _ANSWER:
            return self._breath_ends(n)
        if right_behind and piece.meaning == "screening" and "(" in self.words.gaps[piece.j]:
            return True  # "STI screen (HIV, RPR)"
        if right_behind and piece.after == "vaccinated" and (self._tells_for_whom(n) or self._goes_before(n + 1)):
            return True  # "stroke ppx for AF", "PE ppx post TKA"
        if piece.meaning == "planned" and (self._reason_follows(n) or self._day_follows(n)):
            return True  # "hip replacement planned for arthritis"
        if piece.after == "resolved" and n + 1 < len(self.pieces) and self._tells_by_what(self.pieces[n + 1]):
            return True  # "catatonia, resolved with ECT": what follows is by what it went
        if piece.after == "suspected" and (self._begins_anew(n) or self._doubts_the_cause(n, piece)):
            return False
        return said_of_it or not self._names_next(n)

    def _begins_what_was(self, n: int, piece: Piece) -> bool:
        """Whether a word for the past behind a comma leads to words that name no condition here ("LE cellulitis, hx MRSA")."""
        after = self.pieces[n + 1] if n + 1 < len(self.pieces) else None
        past = piece.meaning == piece.after == "history" and "," in self.words.gaps[piece.i]
        return past and after is not None and after.kind in ("rest", "marks") and self.words.gaps[after.i] == " "

    def _tells_by_what(self, piece: Piece) -> bool:
        """Whether words lead to what ended a condition, or name what was done ("DM resolved s/p sleeve")."""
        return piece.meaning in ("with", "cause", "done") or (
            piece.kind == "head" and piece.name.startswith(self.vocabulary.done)
        )

    def _tells_for_whom(self, n: int) -> bool:
        """Whether "for" or "with" stands right behind a word, and then what that is done for or with."""
        after = self.pieces[n + 1] if n + 1 < len(self.pieces) else None
        if after is None or self.words.gaps[after.i] != " ":
            return False
        return after.meaning == "with" or self.words.key(after.i, after.j) in self.vocabulary.done_for

    def _reason_follows(self, n: int) -> bool:
        """Whether a word stands right behind an operation, and what that is for behind the word."""
        before, after = self.pieces[n - 1], self.pieces[n + 1] if n + 1 < len(self.pieces) else None
        reason = after is not None and self.words.key(after.i, after.j) in self.vocabulary.done_for
        return reason and before.kind == "head" and self.names.operation(before.name)

    def _day_follows(self, n: int) -> bool:
        """Whether a word stands right behind an operation, and its day behind the word ("TKR scheduled 1/15, R knee OA")."""
        before, after = self.pieces[n - 1], self.pieces[n + 1] if n + 1 < len(self.pieces) else None
        return after is not None and after.kind == "date" and before.kind == "head" and self.names.operation(before.name)

    def _begins_anew(self, n: int) -> bool:
        """Whether a word of doubt stands behind a comma or dash, before what it doubts ("AKI on CKD4 - likely prerenal")."""
        if not _SOFT.search(self.words.gaps[self.pieces[n].i]) or self._breath_ends(n):
            return False
        return self.pieces[n + 1].kind in ("rest", "marks", "fillers", "not-conditions")

    def _doubts_the_cause(self, n: int, piece: Piece) -> bool:
        """Whether a word of doubt stands right before what is no condition: what it comes from ("Na 124 likely sertraline")."""
        k = n
        while not self._breath_ends(k) and (mark := self.pieces[k + 1].mark) is not None and mark.kind == "laterality":
            k += 1
        if k > n and self._breath_ends(k):
            return False  # "glaucoma suspect OU"
        return (
            piece.name in self.vocabulary.doubts_what_follows
            and not self._breath_ends(n)
            and self.pieces[n + 1].kind in ("rest", "marks")
        )

    def _breath_ends(self, n: int) -> bool:
        """Whether nothing follows, or a comma, bracket or break does."""
        if n + 1 >= len(self.pieces):
            return True
        gap = self.words.gaps[self.pieces[n + 1].i]
        return bool(_STRONG.search(gap) or _SOFT.search(gap) or ")" in gap or "(" in gap)

    def _after_or(self, n: int) -> bool:
        return n > 0 and self.pieces[n - 1].kind == "joins" and self.pieces[n - 1].name in _OR

    def _names_next(self, n: int) -> bool:
        """Whether a condition comes before the next break."""
        for piece in self.pieces[n + 1 :]:
            gap = self.words.gaps[piece.i]
            if _STRONG.search(gap) or _SOFT.search(gap) or ")" in gap:
                return False
            if piece.kind in ("head", "rest"):
                return piece.kind == "head"
            if piece.kind == "joins" and piece.meaning != "with":
                return False
        return False

    def _relative(self, n: int, piece: Piece) -> None:
        if self._reports(n) or self._brings_somebody(n):
            if "(" in self.words.gaps[piece.j]:
                self.scope = _Scope("family", True)  # "lives with brother (schizophrenia)"
            return
        if self.heads and self._says_again(piece):
            self._set("family")
            self.scope = _Scope("family", True)
            return
        if self._names_soon(n):
            other = self.scope is not None and self.scope.names and parted(self.words.gaps[piece.i])
            if self.scope is None or self.scope.standing != "family" or self.scope.broken or other:
                listed = self.scope is not None and not self.scope.used and self.scope.goes_on
                listed = listed or self._others_follow(n) or (n == 0 and self._names_of_kin_only(n))
                first = not n or parted(self.words.gaps[piece.i])
                self.scope = _Scope("family", listed or self._lists(piece), subject=first)
            return
        if self._stands_behind(n, self.vocabulary.lives_with):
            return  # "DM, lives with roommate"
        before = self.pieces[n - 1] if n else None
        if before is not None and before.kind == "fillers" and "," in self.words.gaps[before.i] and not self._breath_ends(n):
            return  # "MI, pt's mom deceased"
        while before is not None and (before.kind in _ABOUT_KIN or self._counts_kin(before)) and n > 1:
            n -= 1
            before = self.pieces[n - 1]
        gap = self.words.gaps[piece.i]
        beside = not ("," in gap or _STRONG.search(gap)) or self._breath_ends(n)
        if before is not None and before.kind == "head" and self.heads and beside:
            self._set("family")

    def _reports(self, n: int) -> bool:
        """Whether kin do what those do who speak for somebody ("wife reports", "dtr has POA")."""
        after = next((piece for piece in self.pieces[n + 1 :] if piece.name not in (_HAS, _IS)), None)
        return after is not None and after.kind == "reporters"

    def _counts_kin(self, piece: Piece) -> bool:
        """Whether a number by itself stands there ("colon ca in 3 paternal uncles")."""
        return piece.kind in ("rest", "measured") and piece.j == piece.i + 1 and self.words.folded[piece.i].isdigit()

    def _names_of_kin_only(self, n: int) -> bool:
        """Whether nothing but names follows kin, with whom the line begins, and a word for having ("son has T1DM, CD")."""
        after = self.pieces[n + 1] if n + 1 < len(self.pieces) else None
        if after is None or (after.meaning not in ("with", "done") and after.name != _HAS):
            return False  # "mother HTN, DM": the second may be hers
        for piece in self.pieces[n + 1 :]:
            if _STRONG.search(self.words.gaps[piece.i]):
                return True
            if piece.name in self.vocabulary.of_the_patient - {_HAS}:
                return False
            had = piece is self.pieces[n + 1] and piece.meaning == "done"  # "father had MI, stroke"
            names = piece.kind in ("head", "joins", "fillers", "marks", "relatives") or had
            if not names or piece.meaning in ("cause", "but", "versus"):
                return False
        return True

    def _brings_somebody(self, n: int) -> bool:
        """Whether a word right before kin says that they bring somebody, or live with them."""
        return self._stands_behind(n, self.vocabulary.brought_by)

    def _stands_behind(self, n: int, said: frozenset[str]) -> bool:
        """Whether one of these phrases stands right before a piece, with nothing that parts them."""
        i = self.pieces[n].i
        before = (self.words.key(max(i - long, 0), i) for long in _PHRASES if i >= long and not parted(self.words.gaps[i]))
        return any(key in said for key in before)

    def _others_follow(self, n: int) -> bool:
        """Whether a break, and then other kin or the patient, follow: all before is of these ("mother HTN, DM; father CAD")."""
        broken = False
        for piece in self.pieces[n + 1 :]:
            broken = broken or bool(_STRONG.search(self.words.gaps[piece.i]))
            if piece.kind == "relatives" or (piece.kind == "fillers" and piece.name in self.vocabulary.of_the_patient):
                return broken
        return False

    def _says_again(self, piece: Piece) -> bool:
        """Whether words behind a relative speak of what was named before ("malignant hyperthermia - sister had it")."""
        return any(
            self.words.key(piece.j, min(piece.j + count, self.words.size)) in self.vocabulary.again
            for count in range(1, 4)
            if piece.j + count <= self.words.size
        )

    def _names_soon(self, n: int) -> bool:
        """Whether a relative's condition follows: in the same breath, after a colon, dash or aside ("son (4) has lupus")."""
        aside = n + 1 < len(self.pieces) and "(" in self.words.gaps[self.pieces[n + 1].i]
        first = n + 1
        for k, piece in enumerate(self.pieces[n + 1 :], n + 1):
            gap = self.words.gaps[piece.i]
            if aside:
                aside = ")" not in gap
                if aside:
                    continue
                first, gap = k, gap.replace(")", "", 1)
            if _STRONG.search(gap) or "," in gap or ")" in gap:
                return False
            if piece.kind == "head":
                return True
            if piece.kind == "rest" and self.pieces[first].meaning == "with":
                return True  # "mother w/ HD", whatever that is
        return False

    def _after(self, n: int, piece: Piece) -> None:
        """What stands after conditions; over a comma or break only where nothing else can be meant."""
        meaning = piece.after or piece.meaning
        if self._says_none_of_kin(piece):
            return
        if self._denies_all(n, piece) or self._says_nothing_of_the_last(n, piece, meaning):
            return
        if piece.meaning == "screening" and "(" in self.words.gaps[piece.j]:
            self.scope = _Scope("screening", True)  # "STI screen (HIV, RPR)"
        over = meaning in ("vaccinated", "history") or piece.name in self.vocabulary.surely_over
        if not self.heads or not self._touches(n, over_words=over):
            if meaning == "denied" and piece.kind == "after":
                self._denies_what_follows(n, piece)
            elif not self.heads and piece.name in self.vocabulary.surely_over and self._leads_to_what_is_over(n):
                self.scope = _Scope("history", False, word=piece.name)
            return
        if not self._reaches_back(n, piece, meaning) or (meaning == "planned" and not self._may_be_planned(n)):
            return
        told = next((found for found in reversed(self.heads) if not found.beneath), self.heads[-1])
        if self._is_of_something_else(n, piece, meaning, told):
            return
        if meaning != "present":
            self._stands_as(piece, meaning, told)
        elif told.standing == "suspected" and piece.name in self.vocabulary.confirms:
            told.standing = "told"  # "r/o MI - ruled in"
        elif told.standing in _OVER and piece.name in self.vocabulary.has_come_back:
            told.standing, told.ended = "told", False  # "hernia repaired 2021, recurred"

    def _leads_to_what_is_over(self, n: int) -> bool:
        """Whether a time and "from" stand behind words that nothing is left ("NED x 5 yrs from TNBC")."""
        after = next((p for p in self.pieces[n + 1 :] if p.kind not in ("date", "marks", "fillers")), None)
        return after is not None and after.kind == "joins" and after.meaning == "cause" and not parted(self.words.gaps[after.i])

    def _denies_all(self, n: int, piece: Piece) -> bool:
        """Whether words at the end deny all that a line lists, and nothing else is told on it ("HTN, HLD, DM -- none per pt")."""
        if piece.name not in self.vocabulary.denies_all or n + 1 < len(self.pieces) or not self.heads:
            return False
        listed = all(p.kind in ("head", "joins", "fillers") for p in self.pieces[:n])
        for found in self.heads if listed else ():
            found.standing = "denied" if found.standing == "told" else found.standing
        return listed

    def _denies_what_follows(self, n: int, piece: Piece) -> None:
        """A denial with nothing before it is of what follows ("Hx: no diabetes"); where that is no condition it is not read."""
        if self.heads or not self._names_next(n):
            self._rest(n, piece)
            return
        self.scope = _Scope("denied", self._names_only(n), word=piece.name)

    def _says_nothing_of_the_last(self, n: int, piece: Piece, meaning: str) -> bool:
        """Whether it needs a time behind it that is not there, tells of words that were not read, of her beside her kin, or of
        a risk by which a tumor is graded."""
        if piece.name in self.vocabulary.before_a_span and not self._span_follows(n):
            return True
        if self._prevents_what_is_there(piece) or self._only_says_where(piece):
            return True
        if meaning == "planned" and self._puts_ahead(n):
            return True
        if self._of_her_not_of_kin(n, meaning):
            self.heads.append(_Found(self.heads[-1].piece, "denied"))  # "roommate COVID+, pt neg"
            return True
        return piece.name in self.vocabulary.risk_groups and bool(self.heads) and self._is_risk_graded(self.heads[-1].piece)

    def _prevents_what_is_there(self, piece: Piece) -> bool:
        """Whether attacks are prevented of what is there ("migraine ppx topamax": who has it takes that)."""
        last = self.heads[-1].piece.name if piece.name in self.vocabulary.prevents and self.heads else ""
        return bool(last) and self.names.condition(last) in self.kinds.had_when_prevented

    def _only_says_where(self, piece: Piece) -> bool:
        """Whether a place where others are stands behind what does not go round among them ("syncope at work")."""
        if piece.name not in self.vocabulary.among_others or not self.heads:
            return False
        return self.names.condition(self.heads[-1].piece.name) not in self.kinds.goes_round

    def _stands_as(self, piece: Piece, meaning: str, told: _Found) -> None:
        """The last condition, and those it is told with, stand as words behind them say; what a test behind a comma does not find
        any more was there all the same ("h/o H pylori, UBT neg").
        """
        tested = not self.vocabulary.test_negative.isdisjoint(piece.name.split())
        if meaning == "denied" and tested and told.standing == "history" and "," in self.words.gaps[piece.i]:
            return
        dated = told.standing == "told" and told.when is not None and not told.when.span
        if meaning == "denied" and tested and dated and "," in self.words.gaps[piece.i]:
            told.standing = "history"  # "HIT 2018, ab neg now": it was there
            return
        if not (piece.name in self.vocabulary.surely_over and self._set_of_what_was_treated()):
            gap = self.words.gaps[piece.i]
            of_the_cause = piece.name in self.vocabulary.surely_over
            whole = "," in gap and piece.name in self.vocabulary.ends_the_whole
            self._set(
                "denied" if meaning == _ANSWER else meaning,
                alone="," in gap,
                last="(" in gap,
                of_the_cause=of_the_cause,
                of_the_whole=whole,
            )
            told.young = told.young or self._tells_of_childhood(piece)
            if ":" in self.words.gaps[piece.i] and self.heads[-1].standing == "denied":
                self._doubt_the_list()

    def _span_follows(self, n: int) -> bool:
        """Whether a time stands right behind a word ("none in 5 yrs")."""
        return n + 1 < len(self.pieces) and self.pieces[n + 1].kind == "date"

    def _puts_ahead(self, n: int) -> bool:
        """Whether what is planned are words right before that name no condition ("LP tomorrow", "HTN, spinal tap next week")."""
        before = [*takewhile(lambda p: p.kind == "rest", reversed(self.pieces[:n]))]
        for rest in before:
            rest.after = "planned"
        return bool(before)

    def _is_of_something_else(self, n: int, piece: Piece, meaning: str, told: _Found) -> bool:
        """Whether what stands after a condition does not speak of it."""
        if piece.name in self.vocabulary.ends_a_habit and not self.names.habit(told.piece.name):
            return True  # "mod COPD, 40py, quit 2019"
        if meaning in _OVER and piece.name in self.vocabulary.in_remission and self._is_taken_next(n):
            return True  # "CML in remission on dasatinib" is treated, and so is there
        measures = self.kinds.ended_by_measure.get(self.names.condition(told.piece.name) or "", _NONE)
        passes = self._passes(self._operated_on(told))
        if piece.name in self.vocabulary.ends_an_episode and not (passes or piece.name in measures):
            return True  # "COPD, back to baseline"
        if self._ends_a_course(n):
            return not self.names.ended_by_a_course(told.piece.name)
        negative = self.words.folded[told.piece.j - 1] in self.vocabulary.test_negative and told.piece.j - told.piece.i > 1
        if meaning == "denied" and negative and any(parted(gap) for gap in self.words.gaps[told.piece.j : piece.i + 1]):
            return True  # "Rh neg, Ab screen neg"
        positive = told.piece.name.endswith(self.vocabulary.says_positive)
        if (meaning == "denied" and (positive and self._of_another_test(told, n))) or self._decides_nothing(told, n, meaning):
            return True  # "PPD+ CXR neg", "latent TB CXR neg"
        apart = parted(self.words.gaps[piece.i]) or self.pieces[n - 1].kind == "joins"
        apart = apart or (piece.kind == "after" and piece.name.split()[-1] in self.vocabulary.test_negative)  # "core+ sAg neg"
        if meaning == "denied" and apart and positive:
            told.standing = "history"  # "HBcAb +, sAg neg": another test is negative, and whether it is there now is asked
            return True
        lasting = piece.name in self.vocabulary.stops_something or self.names.lifelong(told.piece.name)
        return self._ends_something_else(n, meaning) and lasting  # "COPD, completed rehab", "depression, stopped phenelzine"

    def _of_another_test(self, told: _Found, n: int) -> bool:
        """Whether a test stands between a positive one and a word that it found nothing, with nothing that parts the two."""
        between = self.pieces[self.pieces.index(told.piece) + 1 : n]
        return any(p.kind in ("fillers", "rest", "not-conditions") for p in between)

    def _decides_nothing(self, told: _Found, n: int, meaning: str) -> bool:
        """Whether a test right behind a condition that other tests decide found nothing ("latent TB CXR neg")."""
        tests = self.names.ruled_out_by(told.piece.name) - self.vocabulary.workups
        between = self.pieces[self.pieces.index(told.piece) + 1 : n]
        if meaning != "denied" or told.standing != "told" or len(between) != 1 or not tests:
            return False
        test = self.words.key(between[0].i, between[0].j)
        return test in self.vocabulary.tests and test not in tests

    def _operated_on(self, found: _Found) -> _Found:
        """What an operation behind it was done for, or what was needed ("GI bleed s/p clip"); anything else itself."""
        n = self.heads.index(found)
        needed = self.names.condition(found.piece.name) in self.kinds.needed_for_a_while
        return self.heads[n - 1] if n and (needed or self.names.operation(found.piece.name)) and not found.broken_off else found

    def _ends_something_else(self, n: int, meaning: str) -> bool:
        """Whether one word behind a comma, with words right behind it that are no condition, may tell what of those is over."""
        piece, after = self.pieces[n], self.pieces[n + 1] if n + 1 < len(self.pieces) else None
        alone = meaning in _OVER and piece.name not in self.vocabulary.surely_over and "," in self.words.gaps[piece.i]
        return alone and after is not None and after.kind == "rest" and self.words.gaps[after.i] == " "

    def _passes(self, found: _Found) -> bool:
        """Whether a condition, or the flare of one that is told, is of those that pass."""
        return self._episode(found) or self.names.passes(found.piece.name)

    def _may_be_planned(self, n: int) -> bool:
        """Whether what is planned is what stands right before, or an operation ("CHF f/u scheduled": the visit is)."""
        return self.pieces[n - 1].kind == "head" or self.names.operation(self.heads[-1].piece.name)

    def _is_taken_next(self, n: int) -> bool:
        """Whether what somebody takes follows, behind a time or not ("free x 5 yrs on Keppra")."""
        after = next((p for p in self.pieces[n + 1 :] if p.kind not in ("date", "marks", "fillers")), None)
        return after is not None and after.name in self.vocabulary.taking and not _STRONG.search(self.words.gaps[after.i])

    def _of_her_not_of_kin(self, n: int, meaning: str) -> bool:
        """Whether a denial is of the patient, where kin have it ("brother with factor V Leiden (pt neg)")."""
        since = [p.name for p in self._since_head(n - 1)]
        turned = not self.vocabulary.of_the_patient.isdisjoint(since)
        return turned and meaning == "denied" and bool(self.heads) and self.heads[-1].standing == "family"

    def _doubt_the_list(self) -> None:
        """Behind a colon a denial may speak of all that commas part before it ("HTN, DM: neg"): whether it does is asked."""
        for n in range(len(self.heads) - 1, 0, -1):
            gap = self.words.gaps[self.heads[n].piece.i]
            before = self.heads[n - 1]
            if "," not in gap or _STRONG.search(gap) or before.standing != "told" or before.when is not None:
                return
            before.standing = "suspected"

    def _reaches_back(self, n: int, piece: Piece, meaning: str) -> bool:
        """Whether what stands between a condition and words after it lets them speak of it."""
        gap = self.words.gaps[piece.i]
        single = " " not in piece.name.replace(" / ", "/") and piece.name not in self.vocabulary.surely_after
        if (meaning == "vaccinated" and self._of_another_part(n)) or (single and self._tells_of_what_stands_before(n, meaning)):
            return False
        if meaning == _ANSWER:
            return self._breath_ends(n) and "," not in gap and "." not in gap
        if piece.name in self.vocabulary.has_come_back or (piece.name in self.vocabulary.confirms and " " not in piece.name):
            return self._breath_ends(n)
        if meaning in ("denied", "suspected") and single and self._of_something_else(n):
            return False
        if piece.name in self.vocabulary.surely_over:
            return self._names_nothing_after(n) or "," not in gap
        if "," in gap or "." in gap:
            return not single or (meaning in _OVER_A_COMMA and (meaning == "resolved" or self._names_nothing_after(n)))
        return True

    def _tells_of_what_stands_before(self, n: int, meaning: str) -> bool:
        """Whether a word for the past ends a part of the line and tells of other words there ("PTSD, MST hx")."""
        before = self.pieces[n - 1]
        other = before.kind in ("fillers", "rest") and not self._is_a_medicine(before)
        right_before = other and self.words.gaps[self.pieces[n].i] == " "
        past = meaning == "history" or self.pieces[n].name in self.vocabulary.ends_a_course
        return past and right_before and "," in self.words.gaps[before.i]

    def _of_another_part(self, n: int) -> bool:
        """Whether it stands in a part of the line that is no longer the condition's ("pernicious anemia, B12 shots")."""
        for piece in reversed(self.pieces[:n]):
            if piece.kind == "head":
                return False
            if piece.kind == "joins" or _SOFT.search(self.words.gaps[piece.i]) or "(" in self.words.gaps[piece.i]:
                return True  # "SBP x1 on cipro ppx", "AF (Mayo Clinic)"
        return False

    def _of_something_else(self, n: int) -> bool:
        """Whether a comma parts the condition from a test of which this is told ("pos QFT, CXR neg", "CHF, echo pending")."""
        test = False
        for piece in reversed(self.pieces[:n]):
            if piece.kind == "head":
                return False
            test = test or piece.kind == "fillers" or piece.i in self.beside
            if test and "," in self.words.gaps[piece.i]:
                return True
        return False

    def _names_nothing_after(self, n: int) -> bool:
        """Whether no condition stands between a word and the next comma or break ("syphilis, treated 2019 with PCN")."""
        for piece in self.pieces[n + 1 :]:
            gap = self.words.gaps[piece.i]
            if _STRONG.search(gap) or _SOFT.search(gap):
                return True
            if piece.kind == "head":
                return False
        return True

    def _touches(self, n: int, *, over_words: bool = False) -> bool:
        """Whether only words about a condition stand between it and this piece; `over_words`: words not read do no harm.

        Over a break only what has a part of the line for itself, and says that it is over or was none ("pneumonia; resolved").
        What was done stands between them too, where the words say of all that nothing is left ("cancer s/p resection, NED"),
        and what is told in brackets ("parkinsonism (metoclopramide), resolved").
        """
        about = {"marks", "date", "fillers", "after", "measured"}
        own, aside, course = self._has_its_own_part(n), False, self._ends_a_course(n)
        led = own and bool(_LEADS.search(self.words.gaps[self.pieces[n].i]))
        led = led or self.pieces[n].name in self.vocabulary.has_come_back
        led = led or (self.pieces[n].name in self.vocabulary.takes_back and n + 1 == len(self.pieces))
        for piece in reversed(self.pieces[:n]):
            aside = (aside or ")" in self.words.gaps[piece.j]) and "(" not in self.words.gaps[piece.j]
            if _STRONG.search(self.words.gaps[piece.j]) and not own:
                return False
            if piece.kind == "head":
                return True
            harmless = over_words and piece.kind in ("rest", "joins") and not _SOFT.search(self.words.gaps[piece.i])
            harmless = harmless or (piece.meaning == "done" and self.pieces[n].name in self.vocabulary.surely_over)
            caused = piece.meaning == "cause" or (own and self._leads_to_a_cause(piece))
            caused = caused or (own and piece.kind == "joins" and piece.meaning == "and")  # "AKI 2/2 ACEi/NSAID, recovered"
            harmless = harmless or led or caused or aside or piece.i in self.beside  # "pericarditis due to a virus, resolved"
            harmless = harmless or (own and piece.kind == "rest" and self._ends_what_was_told(n))
            harmless = harmless or (own and self._is_ruled_out_by(n, piece))
            harmless = harmless or (course and self._is_a_medicine(piece))
            harmless = harmless or (own and self.words.key(piece.i, piece.j) in self.vocabulary.treatments)  # "…, chemo, cured"
            if not (piece.kind in about or harmless):
                return False
        return False

    def _is_ruled_out_by(self, n: int, piece: Piece) -> bool:
        """Whether a negative test stands before words that rule something out ("MG - AChR neg, EMG nl, ruled out")."""
        out = (self.pieces[n].after or self.pieces[n].meaning) == "denied" and n + 1 == len(self.pieces)
        return out and piece.meaning == "denied" and self.words.folded[piece.i] in self.vocabulary.test_negative

    def _leads_to_a_cause(self, piece: Piece) -> bool:
        """Whether a word leads to what was thought, done or came before, and not to a condition of its own."""
        led = piece.meaning in ("suspected", "done") or piece.name in self.vocabulary.reach_one
        return piece.kind == "before" and led

    def _ends_a_course(self, n: int) -> bool:
        """Whether a word says that the medicine before it was taken to the end ("LTBI, INH x9 mo completed")."""
        piece = self.pieces[n]
        before = next((p for p in reversed(self.pieces[:n]) if p.kind not in ("date", "marks", "fillers")), None)
        ends = piece.name in self.vocabulary.ends_a_course and (self._breath_ends(n) or self.pieces[n + 1].kind == "date")
        return ends and before is not None and self._is_a_medicine(before)

    def _is_taken(self, piece: Piece) -> bool:
        """Whether words name a medicine, or a treatment without its medicine ("no AC because of a bleed")."""
        treats = piece.kind in ("rest", "head") and self.words.key(piece.i, piece.j) in self.vocabulary.treatments
        return treats or self._is_a_medicine(piece)

    def _is_a_medicine(self, piece: Piece) -> bool:
        return piece.kind == "rest" and piece.j <= self.words.size and self.names.medicine(self.words.key(piece.i, piece.j))

    def _has_its_own_part(self, n: int) -> bool:
        piece = self.pieces[n]
        meaning = piece.after or piece.meaning
        over = meaning == "resolved" or piece.name in self.vocabulary.surely_over
        over = over or (meaning in ("denied", "history") and " " in piece.name)
        return over and self._breath_ends(n)

    def _ends_what_was_told(self, n: int) -> bool:
        """Whether words behind a comma or dash end the line and say that what passes is over ("AKI, Cr back to 0.9 - resolved").

        Several words for the past say so of anything ("AF - one episode postop, none since").
        """
        piece = self.pieces[n]
        past = piece.after == "history" and " " in piece.name
        if any(p.name in self.vocabulary.taking for p in self._since_head(n)):
            return False  # "seizures, on Keppra, none since"
        ends = past or (piece.after == "denied" and " " in piece.name) or self._passes(self.heads[-1])
        return parted(self.words.gaps[piece.i]) and n + 1 == len(self.pieces) and ends

    def _set(
        self, standing: str, *, alone: bool = False, last: bool = False, of_the_cause: bool = False, of_the_whole: bool = False
    ) -> None:
        """What is said after a condition is said of it, and, but for `alone`, of those joined to it by "and".

        `last`: of that one only ("cirrhosis 2/2 HCV (SVR 2017)").

        What is over took its cause with it ("sepsis due to pneumonia, resolved"), not what lay beneath ("AKI on CKD, resolved"),
        nor a cause that does not pass ("hypercalcemia of malignancy, resolved"), but for words that speak `of_the_cause`, too;
        words `of_the_whole` end what it came with as well ("sepsis 2/2 UTI c/b AKI, now resolved").
        """
        over = standing in _OVER
        aside = over and not last and not self.outer and any(not found.inside for found in self.heads)
        others = not last and not all(self.names.operation(found.piece.name) for found in self.heads)
        for found in reversed(self.heads):
            if over and not last and self._is_its_doubted_cause(found):
                continue
            if aside and found.inside and not (self._passes(found) or self._narrows_the_one_before(found)):
                continue  # "pancreatitis (alcoholic), resolved"
            if over and others and self.names.operation(found.piece.name):
                continue  # "AF after CABG 2020, none since"
            if over and found.caused and not (last or of_the_cause or found.broken_off or self._passes(found)):
                continue
            kept = (standing == "history" and found.standing in _STRONGER) or (standing == "denied" and found.ended)
            kept = kept or (over and found.standing == "denied")  # "sepsis r/o, abx stopped"
            if not kept and not (over and found.beneath):
                found.standing = standing  # type: ignore[assignment]
                found.ended = over
            on = (over and found.caused) or (aside and found.inside) or (found.joined and not alone)
            on = on or (of_the_whole and self._ends_with_the_one_before(found))
            on = on or (over and (self._told_twice(found) or self._was_needed_for_the_one_before(found)))
            if last or not on:
                return

    def _ends_with_the_one_before(self, found: _Found) -> bool:
        """Whether it came with an infection told right before it ("UTI c/b AKI, resolved", but not "MI c/b VF, resolved")."""
        n = self.heads.index(found)
        before = self.heads[n - 1].piece.name if n and found.together and not found.broken_off else ""
        return bool(before) and any(self._same(before, name) for name in self.vocabulary.ends_together)

    def _is_its_doubted_cause(self, found: _Found) -> bool:
        """Whether it is what is thought to be behind the passing condition before it ("encephalopathy, likely UTI, resolved")."""
        n = self.heads.index(found)
        told = n > 0 and self.heads[n - 1].standing == "told" and self._passes(self.heads[n - 1])
        return told and found.standing == "suspected" and found.broken_off and not found.joined

    def _narrows_the_one_before(self, found: _Found) -> bool:
        """Whether a name in brackets says which of the conditions before is meant ("leukemia as kid (ALL), cured")."""
        n = self.heads.index(found)
        return n > 0 and self.names.narrower(found.piece.name, self.heads[n - 1].piece.name)

    def _was_needed_for_the_one_before(self, found: _Found) -> bool:
        """Whether it is what the passing condition right before it was got through with ("AKI requiring HD, recovered")."""
        n = self.heads.index(found)
        needed = self.names.condition(found.piece.name) in self.kinds.needed_for_a_while
        return needed and n > 0 and not found.broken_off and self._passes(self.heads[n - 1])

    def _told_twice(self, found: _Found) -> bool:
        """Whether the condition right before is the same one in other words ("tobacco 1 ppd, quit")."""
        before = self.heads[self.heads.index(found) - 1].piece.name if found.right_behind and found is not self.heads[0] else ""
        return bool(before) and self.names.condition(before) == self.names.condition(found.piece.name)

    def _set_of_what_was_treated(self) -> bool:
        """Whether the last condition is no more than what was done for the one before, which is then over."""
        if not self._was_done(self.heads[-1]):
            return False
        treated = next((found for found in reversed(self.heads) if not self._was_done(found)), None)
        if treated is not None and treated.standing in ("told", "recent", "history"):
            treated.standing = "history"
        return treated is not None

    def _cures_of(self, found: _Found) -> _Cures | None:
        """The operations that end a condition; None where none does."""
        own = self.kinds.cured_only_by.get(self.names.condition(found.piece.name) or "", _NONE)
        curable = self.names.curable(found.piece.name)
        others = (said for said, ids in self.kinds.ends_only.items() if not self.names.related(found.piece.name, ids))
        return _Cures(self.vocabulary.cures if curable else _NONE, own, frozenset(others)) if curable or own else None

    def _was_outgrown(self, found: _Found) -> bool:
        """Whether it is one that children lose, with nothing taken for it now, and it has not come back ("asthma as a child")."""
        if self.names.condition(found.piece.name) not in self.kinds.outgrown:
            return False
        behind = self.pieces[self.pieces.index(found.piece) + 1 :]
        still = self.vocabulary.not_cured | self.vocabulary.taking | self.vocabulary.turns_to_now
        return not any(piece.name in still or self.words.key(piece.i, piece.j) in still for piece in behind)

    def _was_treated(self, n: int) -> bool:
        """Whether a medicine that ends a condition was gone through, and none is taken ("latent syphilis s/p bicillin x3")."""
        once = self.names.condition(self.heads[n].piece.name) in self.kinds.treated_once
        return once and self._gone_through(n, 0) and not self._on_a_day_of_it(n)

    def _on_a_day_of_it(self, n: int) -> bool:
        """Whether behind a condition the day or week of what is given for it is counted ("ectopic s/p MTX D4")."""
        behind = self.words.text[self.words.ends[self.heads[n].piece.j - 1] :]
        return self.vocabulary.day_of_a_course.search(behind) is not None

    def _was_treated_long_enough(self, n: int) -> bool:
        """Whether days of a medicine were gone through for what passes, or weeks for some infections ("PNA s/p 7d CTX")."""
        name = self.heads[n].piece.name
        weeks = self.names.condition(name) in self.kinds.cured_in_weeks
        return (weeks or self.names.passes(name)) and self._gone_through(n, _WEEKS if weeks else _DAYS)

    def _gone_through(self, n: int, least: int) -> bool:
        """Whether a medicine was gone through for so many days, and none is taken now."""
        done = given = False
        long = not least
        for piece in self.pieces[self.pieces.index(self.heads[n].piece) + 1 :]:
            if piece.name in self.vocabulary.taking:
                return given and not least
            if _STRONG.search(self.words.gaps[piece.i]) or piece.kind == "head":
                break
            done = done or piece.meaning == "done"
            ago = piece.when.ago if done and piece.when is not None else None
            long = long or (ago is not None and ago[1] > least)
            given = given or (done and long and (self._is_a_medicine(piece) or (bool(least) and self._is_taken(piece))))
        return given

    def _is_treated_now(self, n: int) -> bool:
        """Whether a medicine is told to be taken right behind a condition, but for one that is to prevent it."""
        behind = self.pieces[self.pieces.index(self.heads[n].piece) + 1 :]
        for k, piece in enumerate(behind):
            if _STRONG.search(self.words.gaps[piece.i]) or piece.kind in ("head", "before"):
                return False
            if piece.name in self.vocabulary.taking and k + 1 < len(behind):
                prevents = any(later.after in _NOT_THERE or later.meaning in _NOT_THERE for later in behind[k + 1 :])
                return self._begins_a_medicine(behind[k + 1]) and not prevents
        return False

    def _begins_a_medicine(self, piece: Piece) -> bool:
        """Whether words that were not read begin with the name of a medicine ("vanc taper")."""
        return piece.kind == "rest" and self.names.medicine(self.words.folded[piece.i])

    def _was_cured(self, n: int, cures: _Cures) -> bool:
        """Whether the same breath tells of what ends such a condition ("RCC s/p nephrectomy"), and of nothing taken since."""
        lingers = any(mark.text.lower() in self.vocabulary.lingers for mark in self.heads[n].marks)
        if lingers or self._came_of_an_operation(self.heads[n]):
            return False
        after = self.pieces.index(self.heads[n].piece) + 1
        done = self._ended_by_the_one_before(after - 1, cures)
        for piece in self.pieces[after:]:
            if (piece.name in self.vocabulary.taking and not self._replaces_the_organ(piece)) or self._began_with(piece):
                return False
            if _STRONG.search(self.words.gaps[piece.i]):
                return done
            if self._is_still_treated_for(piece):
                return False  # "RCC s/p nephrectomy, on adjuvant", "colon CA s/p hemicolectomy, FOLFOX c4"
            if self._is_a_cure(piece, cures):
                done = True
            elif piece.kind == "head" and not self._was_done_as(piece) and not self._was_the_cause(piece):
                return done
        return done

    def _is_still_treated_for(self, piece: Piece) -> bool:
        """Whether words say that what an operation was done for is still treated, or has come back."""
        treated = self.vocabulary.not_cured
        if self.words.key(piece.i, piece.j) in treated:
            return self.words.key(piece.i, piece.j) not in self.vocabulary.taking or not self._replaces_the_organ(piece)
        named = piece.kind == "head" and self.words.folded[piece.i] in treated
        beside = piece.meaning != "cause" and self._is_a_medicine(piece)
        since = self._since_head(self.pieces.index(piece)) if beside else ()
        if any(p.kind == "joins" and p.name in self.vocabulary.taking for p in since):
            return self.words.key(piece.i, piece.j) not in self.vocabulary.replacements  # "on Synthroid and lenvatinib"
        return named and self.words.key(piece.i + 1, piece.j) not in self.vocabulary.replacements

    def _replaces_the_organ(self, piece: Piece) -> bool:
        """Whether what is taken stands in for what an organ made that was taken out ("thyroid ca s/p TT, on LT4")."""
        spans = ((piece.i, piece.j), (piece.j, piece.j + 1), (piece.j, piece.j + 2))
        return any(self.words.key(i, j) in self.vocabulary.replacements for i, j in spans if j <= self.words.size)

    def _came_of_an_operation(self, found: _Found) -> bool:
        """Whether its own name, or a word beside it, says that it came after an operation ("post-op ileus POD3")."""
        said = self.vocabulary.after_an_operation
        return found.piece.name.startswith(said) or any(fold(mark.text) in said for mark in found.marks)

    def _began_with(self, piece: Piece) -> bool:
        """Whether an operation is told as that since which a condition is there ("incontinence since prostatectomy")."""
        return piece.kind == "head" and piece.i > 0 and self.words.folded[piece.i - 1] == _SINCE

    def _was_replaced(self, found: _Found) -> bool:
        """Whether the line tells that the organ was replaced which the condition was in ("OLT 2015 for PSC", "ESRD s/p DDKT")."""
        by = self.names.ended_by_a_transplant(found.piece.name)
        if not by or not self.vocabulary.graft_failed.isdisjoint(self.words.folded):
            return False
        given = (other for other in self.heads if other is not found and self.names.condition(other.piece.name) in by)
        return any(other.standing not in _NOT_DONE | _NOT_HERS and self._in_one_breath(found, other) for other in given)

    def _in_one_breath(self, one: _Found, other: _Found) -> bool:
        first, last = sorted((one.piece.i, other.piece.i))
        return not any(_STRONG.search(self.words.gaps[n]) for n in range(first + 1, last + 1))

    def _was_the_cause(self, piece: Piece) -> bool:
        return any(found.piece is piece and found.caused and not found.beneath for found in self.heads)

    def _ended_by_the_one_before(self, n: int, cures: _Cures) -> bool:
        """Whether it is what an operation before it was done for ("thyroidectomy for PTC 2015")."""
        while n > 2 and self._is_joined_by_and(n - 1) and self.pieces[n - 2].kind == "head":
            n -= 2  # "BKA 2/2 DFU/osteo"
        if n < 2 or self.words.key(self.pieces[n - 1].i, self.pieces[n - 1].j) not in self.vocabulary.done_for:
            return False
        before = self._named_before(n - 1)
        return before is not None and self._is_a_cure(before, cures)

    def _is_joined_by_and(self, n: int) -> bool:
        return self.pieces[n].kind == "joins" and self.pieces[n].meaning == "and"

    def _named_before(self, n: int) -> Piece | None:
        """The last piece before one that is neither a time nor a word of side or degree."""
        return next((p for p in reversed(self.pieces[:n]) if p.kind not in ("date", "marks")), None)

    def _is_a_cure(self, piece: Piece, cures: _Cures) -> bool:
        """Whether words name an operation that ends a condition, and that was done ("awaiting ureteroscopy": not yet)."""
        if piece.mark is not None and piece.mark.kind == "grade":
            return False  # the stage "Rai 0" is no radioiodine
        if piece.after in ("planned", "present") or piece.i in self.beside:
            return False  # "gallstones, surgery referral placed"
        if piece in self.ahead_of or any(found.piece is piece and found.standing in _NOT_DONE for found in self.heads):
            return False
        said = self.words.key(piece.i, piece.j)
        its_own = not cures.own.isdisjoint((said, piece.name, *said.split())) and not self._done_in_part(piece)
        if its_own and (piece.kind == "head" or self._was_gone_through(piece)):
            return True
        written_out = piece.name.split() if piece.kind == "head" else ()  # "litho"
        if not cures.of_others.isdisjoint((said, piece.name, *said.split(), *written_out)):
            return False  # "breast ca s/p lap chole"
        return not cures.of_many.isdisjoint((said, *said.split(), *written_out))

    def _was_gone_through(self, piece: Piece) -> bool:
        """Whether words before it, or its day behind, say that it was done ("CBD stone, ERCP tmrw" is there)."""
        n = self.pieces.index(piece)
        day = n + 1 < len(self.pieces) and self.pieces[n + 1].kind == "date" and self.words.gaps[self.pieces[n + 1].i] == " "
        return day or any(p.meaning == "done" for p in self._since_head(n))

    def _done_in_part(self, piece: Piece) -> bool:
        """Whether a word of an operation, or right before it, says that a part was left ("subtotal colectomy")."""
        return not self.vocabulary.done_in_part.isdisjoint(self.words.folded[max(piece.i - 1, 0) : piece.j])

    def _was_done_as(self, piece: Piece) -> bool:
        return any(found.piece is piece and self._was_done(found) for found in self.heads)

    def _was_done(self, found: _Found) -> bool:
        """Whether a condition is told as something that was gone through, by the words before or in its own name."""
        return found.standing == "done" or found.piece.name.startswith(self.vocabulary.done)

    # -------------------------------------------------------------- everything else

    def _head(self, n: int, piece: Piece) -> None:
        scope = self.scope
        standing: Standing = "told"
        if scope is not None and self._ends_before(scope, n, piece):
            scope = self.scope = None
        if scope is not None:
            reason = self._reason_of_the_planned(n)
            unsure = scope.broken or (self._for_what_is_planned(n) and not reason) or self._after_a_habit(scope, n, piece)
            standing = "suspected" if unsure else "told" if reason else scope.standing
            scope.names = scope.names or not self._is_taken(piece)  # "not anticoagulated due to ICH"
            scope.used = scope.parted = True
        gap = self.words.gaps[self.pieces[n - 1].i if n and self.pieces[n - 1].kind == "before" else piece.i]
        off = bool(_STRONG.search(gap) or _SOFT.search(gap))
        found = _Found(
            piece,
            standing,
            broken_off=off,
            inside=bool(self.outer),
            right_behind=bool(n and self.pieces[n - 1].kind == "head" and self.words.gaps[piece.i] == " "),
            joined=self.joined,
            together=self.together,
            marks=self.waiting,
            when=self.early or self._found_with(n),
            caused=self.caused or self._came_after_this(n),
            beneath=self.caused and self.joiner in self.vocabulary.taking,
            listed=scope is not None and scope.heading,
            young=scope is not None and scope.young,
        )
        found.caused = found.caused or (off and self._only_says_of_what(piece))
        self._begun_before(found)
        self._came_after(n, found)
        self.within = found.within = self._part_of_the_one_before(n)
        self.waiting, self.early = [], None
        if standing == "told" and self._is_to_be_done(n, piece):
            found.standing = standing = "planned"
        if piece.meaning in ("denied", "suspected") and standing not in _KIN:
            found.standing = piece.meaning  # type: ignore[assignment] # a test that decides by itself; letters for a doubt ("GS OU")
        elif standing in ("told", "history", "done", "recent"):
            found.standing = self._signed(n, piece) or standing
        if piece.measured is not None:
            self.measured.append(piece.measured)
        self.heads.append(found)
        self.joined = self.together = False

    def _is_to_be_done(self, n: int, piece: Piece) -> bool:
        """Whether a word begins a part of the line and leads to an operation that is yet to come ("gallstones, for chole")."""
        before = self.pieces[n - 1] if n else None
        leads = (
            before is not None and self.words.key(before.i, before.j) in self.vocabulary.leads_to_operations and bool(self.heads)
        )
        return leads and "," in self.words.gaps[self.pieces[n - 1].i] and self.names.operation(piece.name)

    def _came_after_this(self, n: int) -> bool:
        """Whether the condition before is told as what came after this one ("reactive arthritis post chlamydia")."""
        if n < 2 or parted(self.words.gaps[self.pieces[n - 1].i] + self.words.gaps[self.pieces[n].i]):
            return False
        before = next((p for p in reversed(self.pieces[: n - 1]) if p.kind not in ("marks", "date")), None)
        return self.pieces[n - 1].name in self.vocabulary.reach_one and before is not None and before.kind == "head"

    def _ends_before(self, scope: _Scope, n: int, piece: Piece) -> bool:
        """Whether a word reaches no further than what stands before this condition ("post-MI depression", "s/p PPM for SSS")."""
        of_one = scope.word in self.vocabulary.reach_one and scope.names and self.pieces[n - 1].kind == "head"
        if scope.standing == "denied" and scope.used and self._is_told_apart(n, piece):
            return True  # "denies SI, depression stable"
        if scope.standing == "history" and scope.names and self._is_treated_behind(n):
            return True  # "h/o PNA, depression on meds"
        if scope.standing in _WITHHELD and scope.used and self._is_taken_for(n):
            return True  # "no bleeding on warfarin for AF", "hold AC for SDH"
        return of_one or (scope.standing == "done" and scope.used and self._is_still_treated(n, piece))

    def _is_treated_behind(self, n: int) -> bool:
        """Whether a comma parts a condition from those before it, and right behind it is told what is taken for it."""
        after = self.pieces[n + 1] if n + 1 < len(self.pieces) else None
        if after is None or "," not in self.words.gaps[self.pieces[n].i] or self.words.gaps[after.i] != " ":
            return False
        if after.kind == "marks" and self.words.folded[after.i] in self.vocabulary.taking:
            return True  # "on meds"
        what = self.pieces[n + 2] if n + 2 < len(self.pieces) else None
        return (
            after.name in self.vocabulary.taking and what is not None and (self._is_taken(what) or self._begins_a_medicine(what))
        )

    def _is_told_apart(self, n: int, piece: Piece) -> bool:
        """Whether a condition behind a comma is told to be there: by how it does, of what it came, or what is taken for it."""
        if "," not in self.words.gaps[piece.i]:
            return False
        after = self.pieces[n + 1] if n + 1 < len(self.pieces) else None
        if after is None or self.words.gaps[after.i] != " ":
            return self._is_there(piece) or self._has_with_it(n)
        graded = (after.mark is not None and after.mark.kind == "grade") or self._has_with_it(n)
        came = after.kind == "joins" and after.meaning == "cause" and after.name not in self.vocabulary.taking
        behind = self.words.key(after.j, after.j + 1) if after.j < self.words.size else ""
        taken = after.name in self.vocabulary.taking and self.names.medicine(behind)
        return graded or came or taken or after.meaning == "done" or self._is_there(piece)

    def _has_with_it(self, n: int) -> bool:
        """Whether "with" or "without" follows a condition behind one that was told not to be there by such a word itself
        ("MDD w/o psychosis, SI w/ plan")."""
        if self.scope is None or self.scope.word not in self.vocabulary.without:
            return False
        after = self.pieces[n + 1] if n + 1 < len(self.pieces) else None
        inside = self._head_has_with_it(self.pieces[n])
        return inside or (after is not None and (after.meaning == "with" or after.name in self.vocabulary.without))

    def _head_has_with_it(self, piece: Piece) -> bool:
        """Whether the name itself says with what it comes ("SI w/ plan")."""
        joins = (
            self.vocabulary.phrases.get(self.words.key(k, j))
            for k in range(piece.i + 1, piece.j)
            for j in (k + 1, min(k + 2, piece.j))
        )
        return any(said is not None and said.meaning == "with" for said in joins)

    def _is_taken_for(self, n: int) -> bool:
        """Whether "for" or "given" and a medicine stand before a condition: what it is taken for, or why it is not."""
        k = n - 1
        while k and self.pieces[k].kind == "marks":
            k -= 1
        if k < 1 or self.words.key(self.pieces[k].i, self.pieces[k].j) not in self.vocabulary.tells_why:
            return False
        return self._is_taken(self.pieces[k - 1])

    def _is_there(self, piece: Piece) -> bool:
        """Whether words right behind a condition say how it does, and so that it is there."""
        if piece.j - piece.i > 1 and self.words.key(piece.j - 1, piece.j) in self.vocabulary.there_now:
            return True  # "HTN controlled" is a name
        longest = min(piece.j + 2, self.words.size)
        return any(
            self.words.gaps[piece.j] == " " and self.words.key(piece.j, j) in self.vocabulary.there_now
            for j in range(longest, piece.j, -1)
        )

    def _is_still_treated(self, n: int, piece: Piece) -> bool:
        """Whether it is what something was done for, which neither that nor time ends ("s/p PPM 2020 for SSS")."""
        done_for = n > 0 and self.words.key(self.pieces[n - 1].i, self.pieces[n - 1].j) in self.vocabulary.done_for
        return done_for and not self.names.curable(piece.name) and not self.names.passes(piece.name)

    def _only_says_of_what(self, piece: Piece) -> bool:
        """Whether a name behind a comma only says of what the condition before is ("pancreatitis, gallstone, resolved")."""
        if not self.heads:
            return False
        before = self.heads[-1].piece.name
        meant = self.names.condition(before)
        both = f"{piece.name} {before}"
        same = self.names.condition(both) == meant or self.names.narrower(both, before)
        return same and meant != self.names.condition(piece.name)

    def _after_a_habit(self, scope: _Scope, n: int, piece: Piece) -> bool:
        """Whether a denial that began with a habit comes, over a comma, to an illness ("denies tobacco, COPD"): who knows?"""
        habit = self.names.habit(piece.name)
        if scope.of_habits is None:
            scope.of_habits = habit
        over_a_comma = "," in self.words.gaps[piece.i]
        one_list = scope.one_list and self._or_follows(n)
        return scope.standing == "denied" and scope.of_habits and over_a_comma and not (habit or one_list)

    def _for_what_is_planned(self, n: int) -> bool:
        """Whether what is planned, not read, is planned for this ("needs PCN in labor"), not this itself."""
        if self.scope is None or self.scope.standing != "planned" or not n:
            return False
        first = self.vocabulary.phrases.get(self.words.folded[self.pieces[n].i])
        small = first is not None and first.kind == "fillers"
        before = [piece.kind for piece in self.pieces[max(n - 2, 0) : n]]
        reason = n > 1 and self.words.key(self.pieces[n - 1].i, self.pieces[n - 1].j) in self.vocabulary.done_for
        if reason and before[0] in ("rest", "fillers", "head"):
            return True  # "needs CT for PE"
        return before == ["rest", "fillers"] or (small and before[-1] == "rest")

    def _reason_of_the_planned(self, n: int) -> bool:
        """Whether it is what an operation is planned for ("will need hip replacement for OA"), and so is there."""
        if self.scope is None or self.scope.standing != "planned" or not self.heads or n < 2 or self.outer:
            return False
        while n > 2 and self.pieces[n - 1].kind == "marks":
            n -= 1  # "for symptomatic gallstones"
        planned_for = (
            self.pieces[n - 1].meaning == "planned" and self.words.folded[self.pieces[n - 1].j - 1] in self.vocabulary.done_for
        )
        reason = planned_for or self.words.key(self.pieces[n - 1].i, self.pieces[n - 1].j) in self.vocabulary.done_for
        before = next((p for p in reversed(self.pieces[: n - 1]) if p.kind not in _BESIDE_A_PLAN), None)
        return reason and before is not None and before.kind == "head" and self.names.operation(self.heads[-1].piece.name)

    def _found_with(self, n: int) -> When | None:
        """The day on which another condition was found with this one there ("T1DM dx'd 2022 in DKA", "DVT 1998 postpartum")."""
        if self.heads and n and self.pieces[n - 1].kind == "date" and self.words.gaps[self.pieces[n].i] == " ":
            return self.pieces[n - 1].when if self._breath_ends(n) and not self._is_now(self.pieces[n]) else None
        if n < 3 or self.pieces[n - 1].kind not in ("fillers", "joins") or self.pieces[n - 2].kind != "date":
            return None
        if parted(self.words.gaps[self.pieces[n].i] + self.words.gaps[self.pieces[n - 1].i]):
            return None
        found = self.words.key(self.pieces[n - 3].i, self.pieces[n - 3].j) in self.vocabulary.found
        return self.pieces[n - 2].when if found else None

    def _begun_before(self, found: _Found) -> None:
        """What caused something of another day was there by then ("SDH 2022 after fall")."""
        if self.caused and self.heads:
            found.cause_of_it = True
            when = self.heads[-1].when
            if when is not None and not when.span and found.when is None:
                found.when = replace(when, latest=True)

    def _came_after(self, n: int, found: _Found) -> None:
        """What another condition of a told day led to came on that day or later ("sepsis 1/25 c/b AKI"): no more is known."""
        before = self.heads[-1] if self.heads else None
        led = self.together and not self.joined and n and self.pieces[n - 1].name in self.vocabulary.led_to
        if led and before is not None and before.when is not None and found.when is None and not before.when.span:
            found.when = replace(before.when, earliest=True)

    def _signed(self, n: int, piece: Piece) -> Standing | None:
        """What a mark before or behind says: "?stroke", "stroke 2019 (?)", "stroke (-)", "non-smoker", "? early dementia"."""
        if piece.i and piece.j - piece.i == 1 and self.words.folded[piece.i - 1] in self.vocabulary.denying_prefixes:
            return "denied"
        last = n
        while (
            last + 1 < len(self.pieces) and self.pieces[last + 1].kind in _ABOUT and self.words.gaps[self.pieces[last].j] == " "
        ):
            last += 1
        behind = next((said for k in range(n, last + 1) if (said := self._sign_behind(self.pieces[k].j))), None)
        behind = behind or ("suspected" if self._doubted_in_brackets(n) else None)
        while n and self.pieces[n - 1].kind in ("marks", "fillers", "joins") and self.words.gaps[self.pieces[n].i] in ("", " "):
            n -= 1
        return behind or self._sign_before(piece.i) or self._sign_before(self.pieces[n].i)

    def _doubted_in_brackets(self, n: int) -> bool:
        """Whether a condition begins what stands in brackets, and a question mark ends it ("hyponatremia (SIADH from SSRI?)")."""
        if not self.words.gaps[self.pieces[n].i].endswith("("):
            return False
        behind = (self.words.gaps[piece.j] for piece in self.pieces[n:])
        ends = next((gap for gap in behind if gap.strip()), "")
        return ends.startswith("?)")

    def _sign_behind(self, i: int) -> Standing | None:
        """What a sign says, before a word, of what stands ahead of it."""
        found = _BEHIND.match(self.words.gaps[i] + ("\n" if i == self.words.size else ""))
        if found is not None and found["in"] and self._leads_on(i, found.end()):
            return None
        return None if found is None else "denied" if found["no"] or found["in"] == "-" else "suspected"

    def _leads_on(self, i: int, end: int) -> bool:
        """Whether a sign before a word is of that word: the line begins with one, and nothing parts it from what follows
        ("(-) asthma (-) COPD", but not "(+) tobacco, EtOH (-)").
        """
        begins = _LEADING_SIGN.match(self.words.text) is not None
        return begins and i < self.words.size and not self.words.gaps[i][end:].strip()

    def _sign_before(self, i: int) -> Standing | None:
        """What a sign before a word says of it, and not of what stands ahead of it."""
        gap = self.words.gaps[i]
        behind = _BEHIND.match(gap) if i else None
        told = behind is not None and not self._leads_on(i, behind.end())
        own = _PART.sub("", _BEHIND.sub("", gap, count=1) if told else gap)
        return "denied" if _MINUS in own.replace(" ", "") else "suspected" if _ASKED in own else None

    def _part_of_the_one_before(self, n: int) -> bool:
        """Whether a condition is named as one of those that another has with it ("T2DM with neuropathy, nephropathy")."""
        if not self.heads:
            return False
        if self.together and not self.joined:
            return True
        before = next((p for p in reversed(self.pieces[:n]) if p.kind not in ("marks", "fillers")), None)
        beside = (
            before is not None and before.kind == "head" and "," not in "".join(self.words.gaps[before.j : self.pieces[n].i + 1])
        )
        return self.within or beside

    def _join(self, n: int, piece: Piece) -> None:
        if piece.name == _PLUS and self._breath_ends(n):
            self._found_positive(n)
            return
        if piece.name in (_PLUS, _HAS) and "," in self.words.gaps[piece.i] and self._ends_a_denial():
            self.scope = None  # "no DM, no CAD, +HLD", "no HTN or CAD, has COPD"
            return
        scope = self.scope
        self.joined = piece.meaning in ("and", "nor")
        self.together = self.joined or piece.meaning == "with"
        self.caused = piece.meaning == "cause"
        self.joiner = piece.name
        if piece.meaning == "but" and (self._begins_the_doubt(n, piece) or self._kin_were_brought(n)):
            return  # "told once she has a murmur", "wife recently admitted w/ influenza"
        if piece.meaning == "but":
            kin = scope is not None and scope.standing in _KIN and piece.name in self.vocabulary.positive
            self.scope = _Scope("family", True) if kin else None  # "FHx: neg for colon cancer, pos for CAD"
        elif piece.meaning == "versus":
            apart = any("," in self.words.gaps[p.i] for p in self._since_head(n - 1))  # "AKI on CKD 3b, prerenal vs ATN"
            if self.heads and not apart and not (n and self.pieces[n - 1].kind == "rest"):
                self.heads[-1].standing = "suspected"
            self.scope = _Scope("suspected", True)
        elif piece.meaning == "cause" and scope is not None and scope.standing == "resolved" and not scope.used:
            self.scope = None  # "lithium stopped d/t CKD"
        elif piece.meaning in ("with", "cause") and scope is not None and scope.used:
            if piece.meaning == "cause" and not scope.names:
                self.scope = None  # "not on warfarin because of a bleed": there was a bleed
            elif scope.standing in _NOT_HERS:
                scope.broken = scope.broken or scope.names or not scope.subject
            elif scope.standing in _ONE_ONLY:
                self.scope = None

    def _kin_were_brought(self, n: int) -> bool:
        """Whether nothing but when stands between kin that begin a part of the line and words of what they came with."""
        came = self.pieces[n].name in self.vocabulary.came_with
        if not came or self.scope is None or self.scope.standing != "family" or self.scope.names or not self.scope.subject:
            return False  # "wife reports insomnia" is of the patient
        for piece in reversed(self.pieces[: n + 1]):
            if piece.kind == "relatives":
                return True
            if piece.kind not in ("marks", "date", "fillers", "joins") or parted(self.words.gaps[piece.i]):
                return False
        return False

    def _ends_a_denial(self) -> bool:
        return self.scope is not None and self.scope.standing == "denied" and self.scope.used

    def _begins_the_doubt(self, n: int, piece: Piece) -> bool:
        """Whether words for what the patient has stand right behind a doubt of it."""
        doubt = self.scope is not None and self.scope.standing == "suspected" and not self.scope.used
        return doubt and n > 0 and self.pieces[n - 1].kind == "before" and not parted(self.words.gaps[piece.i])

    def _found_positive(self, n: int) -> None:
        """A plus that joins nothing says that what stands before it is there: "neg for PE, DVT +"."""
        leads = self._leads_on(self.pieces[n].j, len(self.words.gaps[self.pieces[n].j].split(")")[0]) + 1)
        of_the_next = "," in self.words.gaps[self.pieces[n].i] or leads  # "(-) DM, (+) asthma"
        if n and not of_the_next and self.pieces[n - 1].kind == "head" and self.heads[-1].standing in ("denied", "suspected"):
            self.heads[-1].standing = "told"

    def _mark(self, n: int, piece: Piece) -> None:
        assert piece.mark is not None
        after = n - 1 if n and self.pieces[n - 1].kind == "joins" and self.pieces[n - 1].meaning == "with" else n
        counted = piece.mark.kind == _COUNT and n > 0 and self.pieces[n - 1].kind == "head" and self.words.gaps[piece.i] == " "
        if piece.mark.kind == _RECENT and n and self.pieces[n - 1].kind == "measured" and self.words.gaps[piece.i] == " ":
            return  # "h/o PJP, CD4 450 now": the count is of now
        if piece.mark.kind == _COUNT and self._counts_another(n):
            return  # "hyperemesis, IVF x2"
        if piece.mark.kind == _RECENT and self._is_of_a_test(n):
            return  # "GDM last preg, now nl A1c"
        if piece.mark.kind == _RECENT and self._weeks_follow(n):
            return  # "h/o preeclampsia 2022, now 12w": it is the pregnancy that is of now
        if self._goes_on_all_the_same(n):
            self.heads[-1].standing, self.heads[-1].ended = "told", False  # "PNA, treated as outpt, worsening"
        near = self.heads and (counted or (self._touches(after) and not self._names_next(n)))
        (self.heads[-1].marks if near else self.waiting).append(piece.mark)

    def _counts_another(self, n: int) -> bool:
        """Whether how often stands right behind words that begin another part of the line, and are no condition."""
        before = self.pieces[n - 1] if n else None
        other = (
            before is not None
            and before.kind in ("rest", "fillers", "not-conditions", "measured")
            and "," in self.words.gaps[before.i]
        )
        return other and self.words.gaps[self.pieces[n].i] == " "

    def _goes_on_all_the_same(self, n: int) -> bool:
        """Whether a word behind a comma, and the end of a part, says that what was treated is there still."""
        piece, last = self.pieces[n], self.heads[-1] if self.heads else None
        still = self.words.key(piece.i, piece.j) in self.vocabulary.goes_on and "," in self.words.gaps[piece.i]
        return still and last is not None and last.ended and last.standing in _OVER and self._breath_ends(n)

    def _is_of_a_test(self, n: int) -> bool:
        """Whether a word for now begins a part of the line, and what a test found that is well stands right behind it."""
        piece = self.pieces[n]
        if "," not in self.words.gaps[piece.i] or piece.j + 1 >= self.words.size or self.words.gaps[piece.j] != " ":
            return False
        found, test = self.words.folded[piece.j], self.words.folded[piece.j + 1]
        return found in self.vocabulary.test_negative and self.names.is_measured(test)

    def _weeks_follow(self, n: int) -> bool:
        """Whether weeks, or that somebody is pregnant, follow behind a word for now and a comma before it."""
        after = self.pieces[n + 1] if n + 1 < len(self.pieces) else None
        if after is None or "," not in self.words.gaps[self.pieces[n].i]:
            return False
        return after.kind in ("head", "before", "joins") or (after.when is not None and after.when.gestation is not None)

    def _look_ahead(self, n: int, piece: Piece) -> None:
        """What is to be done again: the time behind it is no time ago ("repeat CT 6 mo")."""
        self.ahead = True

    def _date(self, n: int, piece: Piece) -> None:
        if self.ahead or self._says_how_long_pregnant(n, piece) or self._says_how_long_treated(n, piece):
            return
        before = self.pieces[n - 1] if n else None
        if before is not None and before.kind == "measured" and "," not in self.words.gaps[piece.i]:
            self.measured[-1] = replace(self.measured[-1], end=self.words.ends[piece.j - 1])
            return
        planned = before is not None and before.after == "planned"
        if planned and n > 1 and self.pieces[n - 2].after == "planned":
            self.pieces[n - 2].when = piece.when  # "HTN, colonoscopy scheduled 12/3"
            return
        if planned and self.heads and not self.names.operation(self.heads[-1].piece.name):
            return  # "kidney stone, sx scheduled 12/4"
        inside = ")" not in self.words.gaps[piece.i]
        if before is not None and before.kind == "rest" and inside and self._of_what_was_not_read(n):
            self._at_the_latest(n, piece)
            before.when = piece.when
            self._of_both(n, piece)
            return
        if self.heads and not any(_STRONG.search(self.words.gaps[p.i]) for p in self._since_head(n)):
            if not self._until_then(n, piece):
                self._of_the_last(n, piece)
        else:
            self.early = piece.when

    def _says_how_long_treated(self, n: int, piece: Piece) -> bool:
        """Whether so long stands right behind words that something was treated: the treatment took that ("PNA tx'd x7d")."""
        lasts = piece.when is not None and piece.when.span and n > 0 and self.words.gaps[piece.i] == " "
        return lasts and self.pieces[n - 1].name in self.vocabulary.treated

    def _says_how_long_pregnant(self, n: int, piece: Piece) -> bool:
        """Whether weeks stand behind how often somebody was pregnant ("DVT, G2P1 at 28w"): no time ago."""
        weeks = piece.when is not None and piece.when.gestation is not None
        lost = weeks and self._of_a_pregnancy_that_is_over(n)
        return weeks and (lost or any(p.mark is not None and p.mark.kind == "parity" for p in self.pieces[:n]))

    def _of_a_pregnancy_that_is_over(self, n: int) -> bool:
        """Whether weeks stand right behind what a pregnancy ended with: how far it had come ("missed AB 8w s/p D&C")."""
        if not n or self.pieces[n - 1].kind != "head":
            return False
        lost = {self.names.condition(phrase) for phrase in self.vocabulary.not_pregnant} - {None}
        return self.names.condition(self.pieces[n - 1].name) in lost

    def _until_then(self, n: int, piece: Piece) -> bool:
        """Whether a time is that until which something was there, or is to be given: no day on which it came."""
        before = self.pieces[n - 1] if n else None
        if before is None or self.words.key(before.i, before.j) not in self.vocabulary.until:
            return False
        of_the_head = all(p.kind not in ("rest", "before", "joins") or p is before for p in self._since_head(n - 1))
        over = piece.when is not None and piece.when.first is not None and self.heads[-1].standing in ("told", "history")
        if of_the_head and over:
            self.heads[-1].standing, self.heads[-1].ended = "resolved", True
        return True

    def _of_the_last(self, n: int, piece: Piece) -> None:
        """A day behind a condition is of that one, and of those that are told together with it."""
        last = self.heads[-1].standing
        if self._was_done(self.heads[-1]):
            self._at_the_latest(n, piece)
        for found in reversed(self.heads):
            if found.standing != last:
                break
            if found.when is None or (found.when.span and piece.when is not None and not piece.when.span):
                found.when = self._going_on(n, piece.when)
            of_both = self._came_of_what_is_inside(found) or (found.inside and not self.outer) or found.right_behind
            if not (found.together or found.cause_of_it or of_both):
                break

    def _came_of_what_is_inside(self, found: _Found) -> bool:
        """Whether brackets tell of what the condition before them came: its day is that of both ("TBI (IED 2007)", "MI
        (cocaine 2019)", "pneumonia (COVID 2021)")."""
        n = self.heads.index(found)
        mishap = self.names.condition(found.piece.name) in self.kinds.mishaps or self.names.habit(found.piece.name)
        pass_both = n > 0 and self._passes(found) and self._passes(self.heads[n - 1])
        return found.inside and (mishap or pass_both)

    def _going_on(self, n: int, when: When | None) -> When | None:
        """A day since which something is there, as a time for which it lasts ("DVT since 2024"); behind that of the first time it
        may have come again ("C diff #2 (1st 6/26)")."""
        before = self.pieces[n - 1] if n else None
        since = before is not None and self.words.folded[before.i] == _SINCE
        if before is not None and when is not None and self.words.key(before.i, before.j) in self.vocabulary.the_first:
            return None if self._came_again(self.heads[-1]) else replace(when, earliest=True)
        return replace(when, span=True) if since and when is not None else when

    def _came_again(self, found: _Found) -> bool:
        """Whether it is told to have come several times ("C diff #2", "PE x2")."""
        j = found.piece.j
        numbered = "#" in self.words.gaps[j] and j < self.words.size and self.words.folded[j] not in ("0", "1")
        return numbered or any(mark.kind == _COUNT for mark in found.marks)

    def _of_both(self, n: int, piece: Piece) -> None:
        """A day behind what was not read, where that is what a condition came from, or with, is of the condition, too.

        "Priapism on trazodone 2020", "angioedema 2/2 lisinopril 2021": of that year; "NMS w/ haloperidol 2016": of it or before.
        """
        last = self.heads[-1] if self.heads else None
        since = list(self._since_head(n))
        if last is None or last.when is not None or piece.when is None or any(p.kind == "before" for p in since):
            return
        ends = n + 1 == len(self.pieces)  # "angioedema from lisinopril, 2021"
        apart = any(_SOFT.search(self.words.gaps[p.i]) for p in since if not (p is piece and ends))
        joins = [p for p in since if p.kind == "joins" and p.meaning != "and"]
        if self.pieces[n - 1].name in self.vocabulary.taking or (
            joins and not apart and all(p.meaning == "cause" for p in joins)
        ):
            self._give_a_day(piece.when)
        elif joins and not apart and all(p.meaning in ("cause", "with") for p in joins):
            self._give_a_day(replace(piece.when, latest=True))

    def _give_a_day(self, when: When) -> None:
        """The day of the last condition is also that of one it is told together with ("PUD w/ UGIB on NSAIDs 2020")."""
        for found in reversed(self.heads):
            found.when = found.when or when
            if not found.together or found.standing != self.heads[-1].standing:
                return

    def _at_the_latest(self, n: int, piece: Piece) -> None:
        """What was treated on a day had begun by then ("SDH s/p burr hole 2022"), where no day of its own is told."""
        if piece.when is None or not self.heads:
            return
        done = any(p.kind == "before" and p.meaning == "done" for p in self._since_head(n))
        first = self.heads[-1]
        treated = first if done and not self._was_done(first) else self.heads[-2] if self._done_for_another() else None
        if treated is not None and treated.when is None and treated.standing in ("told", "recent", "history"):
            treated.when = replace(piece.when, latest=True)

    def _done_for_another(self) -> bool:
        return len(self.heads) > 1 and self._was_done(self.heads[-1]) and not self.heads[-1].broken_off

    def _of_what_was_not_read(self, n: int) -> bool:
        """Whether a time stands with words that were not read, apart from the condition before ("MG, s/p thymectomy 2008")."""
        apart = any(_SOFT.search(self.words.gaps[p.i]) or p.kind in ("before", "joins") for p in self._since_head(n))
        return apart and ")" not in self.words.gaps[self.pieces[n].j] + "".join(
            self.words.gaps[p.i] for p in self.pieces[n + 1 : n + 2]
        )

    def _since_head(self, n: int) -> Iterator[Piece]:
        for piece in reversed(self.pieces[: n + 1]):
            if piece.kind == "head":
                return
            yield piece

    def _result(self, n: int, piece: Piece) -> None:
        assert piece.measured is not None
        before = self.pieces[n - 1] if n else None
        if before is not None and before.kind == "relatives" and self.words.gaps[piece.i] == " ":
            return  # "maternal HBsAg pos": it is the mother's
        self.measured.append(piece.measured)

    def _no_condition(self, n: int, piece: Piece) -> None:
        """Words that are known and name no condition; what stands behind them may speak of the one before."""
        self._rest(n, piece)
        self.beside.add(piece.i)

    def _rest(self, n: int, piece: Piece) -> None:
        if (
            self.scope is not None
            and self.scope.standing in _KIN
            and piece.j == piece.i + 1
            and self.words.folded[piece.i][:1].isdigit()
        ):
            piece.kind = "fillers"  # how old somebody was
            return
        if self.scope is not None and self.scope.of_habits is None:
            self.scope.of_habits = True if self.words.key(piece.i, piece.j) in self.vocabulary.substances else None
        piece.kind = "rest"
        piece.meaning = "cause" if self.caused else ""
        piece.name = self.joiner if self.caused else ""
        piece.after = "" if self.scope is None else "suspected" if self.scope.broken else self.scope.standing
        if self.scope is not None:
            self.scope.used = True

    # -------------------------------------------------------------- at the end

    def _closed(self, found: _Found) -> Head:
        p = found.piece
        w = self.words
        fresh = found.standing in ("told", "history") and any(m.kind == "recent" for m in found.marks)
        standing: Standing = "recent" if fresh else found.standing
        return Head(
            p.name, w.shown(p.i, p.j), w.starts[p.i], w.ends[p.j - 1], standing, found.when, tuple(found.marks), found.cause,
            found.within, self._episode(found), self._disease(found), found.listed, found.cured,
        )  # fmt: skip

    def _disease(self, found: _Found) -> str:
        """The name of the disease of which a flare is named as a condition of its own ("asthma exacerbation")."""
        rest, _, last = found.piece.name.rpartition(" ")
        return rest if rest and last in self.vocabulary.episodes and self.names.condition(rest) else ""

    def _episode(self, found: _Found) -> bool:
        """Whether only a flare of the condition is spoken of, not the condition ("COPD exacerbation 2/24, resolved")."""
        if any(m.kind == "episode" for m in found.marks):
            return True
        rest, _, last = found.piece.name.rpartition(" ")
        return last in self.vocabulary.episodes and self.names.condition(rest) == self.names.condition(found.piece.name)

    def _rests(self) -> Iterator[Rest]:
        """Words that were not read, those side by side in one."""
        run: list[Piece] = []
        for piece in self.pieces:
            if piece.kind == "rest":
                if run and (piece.i != run[-1].j or piece.meaning != run[-1].meaning or parted(self.words.gaps[piece.i])):
                    yield self._one_rest(run)
                    run = []
                run.append(piece)
        if run:
            yield self._one_rest(run)

    def _one_rest(self, run: list[Piece]) -> Rest:
        i, j = run[0].i, run[-1].j
        first = run[0]
        standing: Standing = first.after or "told"  # type: ignore[assignment]
        return Rest(
            self.words.shown(i, j), self.words.starts[i], self.words.ends[j - 1], first.meaning == "cause", standing,
            first.name in self.vocabulary.taking, next((p.when for p in run if p.when is not None), None),
        )  # fmt: skip
