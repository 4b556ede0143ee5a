"""One dose that may be taken again within the hours: "may repeat x1 in 2 h", "q5min x 3". It is no frequency."""

from __future__ import annotations

from fractions import Fraction

from safety.reading.directions.notes import found_is
from safety.reading.directions.timing import Timing


class Repeats(Timing):
    """Reads what is told of a dose that is repeated for one occasion."""

    def _on_repeat(self, i: int, end: int, _: str) -> int:
        """As in "may repeat x1", "may repeat in 2 hrs if no relief"; where more or less is told it is another step."""
        j, most = end, None
        told = False
        while True:
            after, count = self._repeated_so(j)
            if after == j:
                break
            told = told or count is not None or self.word(j) not in self.lex.repeat_if
            j, most = after, count if count is not None else most
        if not (told or self._clause_ends(j)) or self.thens or not self._clause_ends(j):
            return self._another_step(i)
        self.repeats.append((i, j, most))
        return j

    def _another_step(self, i: int) -> int:
        """One that begins with "repeat"."""
        self.steps.append(i)
        return i + 1

    def _clause_ends(self, i: int) -> bool:
        word = self.word(i)
        return not word or word in (",", ";", ".", ")") or found_is(self.find(i), "most", "as needed", "because", "up to")

    def _repeated_so(self, j: int) -> tuple[int, Fraction | None]:
        """Past one piece of it: how often ("x1", "once", "up to 3 times"), when ("in 2 h", "q5min"), on which condition."""
        k = j
        if found_is(self.find(k), "up to"):
            k += len(("up", "to")) if self.word(k) == "up" else 1
        num = self.num(k) or (self.num(k + 1) if self.word(k) in self.lex.times else None)
        if self.word(j) in self.lex.adverb_times:
            return j + 1, Fraction(self.lex.adverb_times[self.word(j)])
        if num is not None and (self.word(k) in self.lex.times or k > j or self.word(k + 1) in self.lex.times | self.lex.doses):
            k += 1 + (self.word(k) in self.lex.times)
            while self.word(k) in self.lex.times or self.word(k) in self.lex.doses or self.word(k) == "more":
                k += 1
            if self.lex.time.get(self.word(k)) is None:
                return k, Fraction(num[1])
        when = self._after_so_long(j)
        if when:
            return when, None
        return (j + 1, None) if self.word(j) in self.lex.repeat_if else (j, None)

    def _after_so_long(self, i: int) -> int:
        """Past "in 2 hours", "q5min", "after 20-30 min", "every 3 days", "72 h"; 0 where no length of time stands there."""
        j = i + (self.word(i) in self.lex.repeat_after)
        if self.num(j) is None or self.lex.time.get(self.word(j + 1)) is None:
            return 0
        return j + 2

    def _every_minutes(self, i: int, end: int) -> int:
        """As in "q5min x 3": again within the hour, so often at the most."""
        after, count = self._repeated_so(end)
        self.repeats.append((i, after if count is not None else end, count))
        return self.repeats[-1][1]
