"""Readings and scores for which a dose is taken: "> 160/100", "over 170", "pain 4-6/10". A number of them is never a dose."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from safety.reading.directions.measures import Measures
from safety.reading.directions.tokens import Range

_HIGHEST_SCORE: Final = Decimal(10)
_USUAL_COUNT: Final = Decimal(3)
"""Up to so many, a number behind "pain" may as well be how many are taken."""


class Thresholds(Measures):
    """Reads what a reading or a score is compared with."""

    def _threshold(self, i: int) -> int:
        """As in "> 160/100", "greater than 3 lbs in a day", "over 170"; but "over 60 min" is how fast it runs in."""
        end = self._side(i)
        if not end or self.num(end) is None:
            return i
        return self._compared(i, end)

    def _side(self, i: int) -> int:
        """Where the words end that tell on which side of a number a reading lies; 0 where none stand here."""
        for phrase in self.lex.sides.get(self.word(i), ()):
            if tuple(self.words[i : i + len(phrase)]) == phrase:
                return i + len(phrase)
        return 0

    def _compared(self, start: int, at: int) -> int:
        """Past the number at `at`, its unit and its period; `start` where it is an amount after all."""
        end = at + 1
        if self.word(end) == "/" and self.num(end + 1):
            end += 2
        if self.word(start) in self.lex.within and self.lex.time.get(self.word(end)) in ("minute", "hour"):
            return end + 1
        told = self._past_its_unit(end)
        if told == end and self._unit(end) is not None:
            return start
        period = self._period(told) if told > end else None
        self.thresholds.append((start, period[0] if period else told))
        return self.thresholds[-1][1]

    def _past_its_unit(self, i: int) -> int:
        """Past the unit of a reading: "lbs", "mg/dL"."""
        if self.word(i + 1) == "/" and self.word(i + 2) in self.lex.reading_units:
            return i + 3
        while self.word(i) in self.lex.reading_units or self.lex.time.get(self.word(i)) in ("minute", "hour"):
            i += 1
        return i

    def _gain(self, i: int) -> int:
        """As in "weight gain of 3 lb in a day", "gain > 3 lbs"."""
        at = i + 1
        while self.word(at) in ("of", "by"):
            at += 1
        at = self._side(at) or at
        if self.num(at) is None or self.word(at + 1) not in self.lex.reading_units:
            return i
        self.unread.add(i)
        return self._compared(i + 1, at)

    def _score(self, i: int) -> int:
        """As in "pain 4-6/10", "severe pain (7-10)", "pain score > 5"; but "prn pain 1-2 tabs" tells how many are taken."""
        at = i
        while self.word(at) in self.lex.scored or (at > i and self.word(at) in ("of", "(")):
            at += 1
        opened = "(" in self.words[i:at]
        beyond = self._side(at) or at
        num = self.num(beyond)
        if num is None or num[1] > _HIGHEST_SCORE:
            return i
        end = beyond + 1
        if self.word(end) == "/" and self.num(end + 1) == (_HIGHEST_SCORE, _HIGHEST_SCORE):
            end += 2
        sure = end > beyond + 1 or beyond > at or (opened and self.word(end) == ")") or self._is_score(num, i, end)
        if not sure or self._unit(end) is not None:
            return i
        self.unread.update(k for k in range(i, at) if self.words[k].isalpha() and self.words[k] not in self.lex.phrases)
        self.thresholds.append((at, end))
        return end

    def _is_score(self, num: Range, i: int, end: int) -> bool:
        """Whether a number alone is a score: too many to be taken, or the amount was told before."""
        told = any(a.end <= i for a in self.amounts)
        return (num[0] != num[1] or num[1] > _USUAL_COUNT) and (told or num[1] > _USUAL_COUNT) and self._ends_clause(end)

    def _ends_clause(self, i: int) -> bool:
        return not self.word(i) or self.word(i) in (",", ";", ".", ")") or self.starts(i)
