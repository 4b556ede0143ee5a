"""Words that were not understood, and say why it is taken or nothing of how: they leave the unread list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from safety.reading.directions.amounts_told import AmountsTold
from safety.reading.directions.notes import found_is

_AFTER_A_REASON = frozenset(("", ",", ";", ".", ")", "/", "and", "-", "("))
_NEAR: Final = 4
"""Within so many words before it, "before" or "after" tells that something is an occasion."""
_PERSONS = frozenset(("i", "he", "she", "they", "you", "patient", "pt", "my", "his", "her", "their", "your"))
_AT_TIMES = frozenset(("at", "during", "when", "with"))


class Asides(AmountsTold):
    """What one scan tells beside its doses."""

    plain: tuple[int, ...] = ()

    def _reason(self) -> str | None:
        """The words not understood that follow "for" or "as needed", or name after what is told of it what people take a
        medicine for: why it is taken. They leave the unread list."""
        scan = self.scan
        taken: list[int] = []
        for i in () if scan.steps else sorted(scan.unread):
            if self._may_be_reason(i) and self._follows(i, taken):
                taken.append(i)
        taken = sorted({*taken, *self.plain, *self._compared(), *(i for a, b in scan.reasons for i in range(a, b))})
        scan.unread.difference_update(taken)
        scan.unread.difference_update([i for i in scan.as_needed if i + 1 in taken or i + 2 in taken])  # "when I wheeze"
        scan.remarks.update(taken)
        return " ".join(scan.raws[i] for i in taken) or None

    def _compared(self) -> Iterator[int]:
        """As in "prn SBP > 180": readings and scores for which one dose is taken, where it is taken as needed; else unread."""
        scan = self.scan
        for start, end in scan.thresholds:
            if not scan.as_needed and not any(a.kind == "per_hour" for a in scan.amounts):  # "40 mcg/min for MAP > 65"
                self._unclear(start, end)
                continue
            measured = start - 1
            while measured in scan.unread and scan.words[measured] in scan.lex.read_for:
                yield measured
                measured -= 1
            yield from range(start, end)

    def _plain_reasons(self) -> Iterator[int]:
        """As in "5 mg bid - afib", "10 mg daily (HTN)": between marks or at the end, behind a dose or a frequency."""
        scan = self.scan
        ends = [note.end for notes in (scan.amounts, scan.often, scan.slots) for note in notes]
        told = min([*ends, *(i + 1 for i in scan.as_needed)], default=len(scan.words))
        told = min(told, *scan.weekday_at) if scan.weekday_at else told
        end = 0
        for i in sorted(scan.unread):
            if i < max(end, told) or not self._begins_clause(i, end):
                continue
            for phrase in scan.lex.taken_for.get(scan.words[i], ()):
                j = i + phrase.count(" ") + 1
                said = " ".join(raw.lower().replace("’", "'") for raw in scan.raws[i:j])
                if said == phrase and scan.unread.issuperset(range(i, j)) and self._may_end_reason(j):
                    yield from range(i, j)
                    end = j
                    break

    def _may_end_reason(self, i: int) -> bool:
        """As in "UTI", "UTI prophylaxis"."""
        return self.scan.word(i) in _AFTER_A_REASON or self.scan.word(i) in self.scan.lex.asides

    def _begins_clause(self, i: int, end: int) -> bool:
        """Whether what stands before word i was understood: no word that denies, or tells something else of what follows."""
        return i - 1 not in self.scan.unread or i == end

    def _may_be_reason(self, i: int) -> bool:
        word = self.scan.words[i]
        return word.isalpha() and (not self.scan.starts(i) or word in self.scan.lex.describing)

    def _follows(self, i: int, taken: list[int]) -> bool:
        """Whether a word goes on from "for", "as needed" or another word of the reason."""
        lead = i - 1 - (self.scan.word(i - 1) in ("a", "an", "the"))
        if self.scan.word(lead) == "(":
            lead -= 1  # "q4h prn (asthma)"
        after_for = self.scan.word(lead) in ("for", "prn")
        return after_for or i - 1 in taken or self._after_as_needed(i) or self._after_joined(i, taken)

    def _after_as_needed(self, i: int) -> bool:
        ends = (found[0] for at in self.scan.as_needed if at < i and (found := self.scan.find(at)) and found[1] == "as needed")
        near = any(i - 3 <= at < i and all(self._leads_on(k) for k in range(at, i)) for at in self.scan.as_needed)
        return near or i in ends

    def _leads_on(self, i: int) -> bool:
        word = self.scan.word(i)
        return word in ("as", "needed", "if", "when", "required", "for") or word in _PERSONS

    def _after_joined(self, i: int, taken: list[int]) -> bool:
        joined = self.scan.word(i - 1) in ("and", "or", "of", "/", "in", "-")
        return joined and (i - 2 in self.plain or taken[-1:] == [i - 2])

    def _repeated(self) -> None:
        """A dose that may be repeated: of one told once, up to so many; beside a frequency, as of every dose, it is unread."""
        scan = self.scan
        for start, end, most in scan.repeats:
            by_minutes = scan.words[start] in ("q", "every")
            rates = [o for o in scan.often if not o.weak]
            if by_minutes and most is not None and not (rates or scan.as_needed or self.times) and scan.amounts:
                self.times, self.once = (most, most), True
            elif rates or (by_minutes and not scan.as_needed):
                self._unclear(start, end)
            elif self.once and most is not None and self.times:
                self.times = self.times[0], self.times[1] + (most - 1 if by_minutes else most)

    # --- what is told beside ---------------------------------------------------------------------------------------
    def _set_aside(self) -> None:
        """Take words that tell neither how much nor how often out of the unread list; a denial only as a whole."""
        unread, lex, words = self.scan.unread, self.scan.lex, self.scan.words
        denials = [run for run in _runs(unread) if any(found_is(self.scan.find(i), "not") for i in run)]
        for run in denials:
            if all(words[i] in lex.denied_asides or (self.scan.starts(i) and self._only_joins(i)) for i in run):
                unread.difference_update(run)
        kept = {i for run in denials for i in run}
        unread.difference_update([i for i in unread if i not in kept and self._is_aside(i)])

    def _only_joins(self, i: int) -> bool:
        return found_is(self.scan.find(i), "not", "glue")

    def _is_aside(self, i: int) -> bool:
        word, lex = self.scan.words[i], self.scan.lex
        if word in lex.asides:
            return True
        before = self.scan.words[max(0, i - _NEAR) : i]
        return word in lex.occasions and any(w in lex.before_after or w in _AT_TIMES for w in before)


def _runs(places: set[int]) -> list[list[int]]:
    """Places side by side."""
    found: list[list[int]] = []
    for i in sorted(places):
        if found and found[-1][-1] == i - 1:
            found[-1].append(i)
        else:
            found.append([i])
    return found
