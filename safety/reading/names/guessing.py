"""Text that is no name as written → the drug it almost certainly is, the few it may be, or nothing.

A single drug is answered, always to be confirmed, where the nearest name leads clearly: near, well clear of the next
drug, beginning alike, not cut short or added to, an item with a monograph, no everyday word, and no look-alike of it
within reach. Everything else is asked about, with what each candidate is for. What stands beside the name (a strength,
a form) narrows the candidates: one that is not sold so stands in nobody's way, and is not answered where another is.

A look-alike is within reach where it is hardly behind, hardly more slips away, or where what was told begins or ends as it
does ("clonapine", "lamictil"). A name cut short is answered where every name that goes on from it holds that one drug.

How near is near, of one typed word: `right` at once of 150 blind misspellings (none was wrong), and how many of 1,500 names
of the vocabulary were taken for another drug with every name of their own taken out:

    near by    clear by    both together    begins alike    right    taken for another
    0.92       0.10        -                no                 48           1
    0.85       0.12        -                no                113           6
    0.80       0.12        -                no                126          29
    0.77       0.07        0.95             yes               129          34
    0.83       0.07        0.95             yes               126           7
    0.80       0.07        0.95             yes               128          16

The last is used; where few slips make the name of what was told, a little less of both together is enough.
`medsafe selftest names --parts` gives the figures of today, and what each part brings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from safety.knowledge.library import Library
from safety.model.directions import KINDS_OF_PARENTERAL
from safety.reading.names.beside import Beside, Sold
from safety.reading.names.index import VOCABULARY
from safety.reading.names.likeness import begin_alike, ends_more_alike, is_blend, slips
from safety.reading.names.nearest import Near, Nearest
from safety.reading.names.short import SHORT_FOR, ShortForms
from safety.reading.names.sounds import pronounce
from safety.reading.names.words import NameWords

HEARD_MATCH, HEARD_CLEAR = 0.93, 0.08
"""A single drug from several words: so near, at least, and so far ahead of every other drug."""
HEARD_NEAR, HEARD_ALONE = 0.88, 0.135
"""Or so near, where every other drug is so far behind."""
HEARD_LETTERS, HEARD_LETTERS_CLEAR = 0.90, 0.20
"""Or so near in its letters, and so far ahead in them."""
TYPED_MATCH, TYPED_CLEAR, TYPED_BOTH = 0.80, 0.07, 0.95
"""From one word: so near and so far ahead, at least, and so much of both together."""
TYPED_MATCH_BACKED, TYPED_SOUND, TYPED_HOMOPHONE = 0.77, 0.92, 0.95
"""So near is enough where the strength or form beside it is sold, or where it sounds so alike; sounding
all but the same, it may be ahead by its sound alone."""
TYPED_MATCH_ALONE, TYPED_ALONE = 0.78, 0.17
"""So near is enough where every other name is so far behind."""
SAME_SOUND, SILENT = 0.99, 0.965
"""So alike in sound, a name that was told by other letters is the same to hear; the second with silent letters at its end."""
FEW_SLIPS_BOTH, LETTERS_A_SLIP = 0.93, 5
"""Where one slip makes the name of what was told, or one in so many letters, so much of both together is enough."""
LOOKALIKE_CLOSE, LOOKALIKE_STRICT, LOOKALIKE_FAR, LOOKALIKE_SLIPS = 0.12, 0.19, 0.30, 2
"""A look-alike is within reach up to the first so far behind (the second, where the FDA asks for tall-man letters); up to
the third, if what was told has a part of it, or is fewer slips farther from it than from the first."""
TYPED_ASK, HEARD_ASK, DESCRIBED_ASK = 0.70, 0.70, 0.85
"""Asked about from here on; under it, not recognised. The last: words that describe a medicine ("sleeping pill")."""
SOUND_OFFER = 0.72
"""One word that is an everyday word, or near none: names that sound so like it are offered, and it stays unrecognised."""
WRITTEN_LETTERS = 0.65
"""In writing nobody spells so unlike the name; a recogniser does."""
_STEM_LETTERS = 0.75
"""A word that ends as names of medicines do is a slip for one of ours from here on; else one that we do not hold."""
_FAR_BEHIND, _NAMED_BEHIND = 0.22, 0.15
"""Candidates are offered, and named in the question, only so far behind the first."""
_LEAST = 0.5
SHORT_SCORE = 0.9
"""Of each medicine that a short form stands for."""
_IN_REACH, _REACH_BEHIND = 0.55, 0.35
"""Look-alikes are offered from here on."""
_LESS_COMMON, _NOT_COVERED = 0.03, 0.07
_MOST_WORDS = 8
_LEAST_LETTERS = 5
_LEAST_CUT, _LEAST_CUT_BACKED = 7, 4
"""Of a name cut short, at least so many letters were told; the second where it is sold in the strength or form beside it."""
_MANY_SLIPS = 3
_STEM_HEAD = 3
"""So many letters, at least, stand before the ending that tells a medicine."""
_STRICT = "fda-tall-man"
_ONE_LETTER = re.compile(r" [a-z]\Z")
_DOUBLE = re.compile(r"(.)\1+")

Via = Literal["phonetic", "spelling", "split"]


class Option(Struct, frozen=True):
    """Something that may have been meant: what it stands for, the name that is near, how near, and why.

    `in_reach`: it is a look-alike of the first that the slip may as well stand for; `sold`: whether it is sold as what stands
    beside the name says.
    """

    target: str
    drugs: tuple[str, ...]
    shown: str
    score: float
    near: Near | None
    why: str
    in_reach: bool = False
    sold: bool | None = None


class Guess(Struct, frozen=True):
    """What a run of words may mean: `sure` with one option, or options to ask about.

    `everyday`: one word that is no name, whatever sounds like it; it stays unrecognised. `first` and `after`: which words.
    """

    sure: bool
    via: Via
    options: tuple[Option, ...]
    everyday: bool
    first: int
    after: int


class _LookAlike(Struct, frozen=True):
    """A name that has been taken for another: what it stands for, how it is compared, and whether it is kept apart strictly."""

    target: str
    name: str
    strict: bool


class _Run(Struct, frozen=True):
    words: tuple[str, ...]
    first: int
    after: int
    whole: bool

    @property
    def text(self) -> str:
        return " ".join(self.words)


class Guesser:
    """Guesses names in one library; made at the first text that needs it."""

    def __init__(
        self,
        library: Library,
        words: NameWords,
        short: ShortForms,
        drugs_of: Callable[[str], tuple[str, ...]],
        shown: Callable[[str], str],
    ) -> None:
        self._library = library
        self._words = words
        self._drugs_of = drugs_of
        self._shown = shown
        self._everyday = frozenset(library.language.words("everyday"))
        self._nearest = Nearest(library.derived(VOCABULARY))
        self._sold = Sold(library)
        stems = library.language.meaning("drug-name-stems")
        self._stems = sorted(stems.items(), key=lambda s: (-len(s[0]), s[0]))
        self._groups: dict[str, list[_LookAlike]] = {}
        self._short = short
        for group in library.lookalikes:
            for member in group.members if group.basis != SHORT_FOR else ():
                strict = group.basis == _STRICT
                both = zip(group.members, group.names, strict=True)
                others = [_LookAlike(m, _ONE_LETTER.sub("", n.lower()), strict) for m, n in both if m != member]
                own = group.names[group.members.index(member)].lower()
                self._groups.setdefault(own, []).extend(others)

    def guess(self, tokens: Sequence[str], *, written: bool = False) -> Guess | None:
        """The best guess at the words of a line; None where nothing is near.

        `written`: the line was typed, not heard, so that what merely sounds alike is not offered.
        """
        short = self._short.first(tokens)
        if short is not None:
            return self._one_of_several(tokens, *short)
        if tokens and tokens[0] in self._words.titles:
            return None  # "Dr. Patel"
        runs = _runs(tokens, self._words, written=written)
        begun = self._begun(tokens, runs) if written else None
        if begun is not None:
            return begun
        ranked = self._ranked(runs, least_letters=WRITTEN_LETTERS if written else 0.0)
        if not ranked:
            alone = [run for run in runs if len(run.words) == 1]
            return self._by_sound(alone[-1]) if alone and not written else None
        (best, run), typed = ranked[0], len(ranked[0][1].words) == 1
        if typed and (self._is_everyday(run.words[0]) or best.score < TYPED_ASK):
            return None if written else self._by_sound(run)
        if self._speaks_of_something(run, typed, best, written=written):
            return None
        same = [o for o, other in ranked if other is run or not typed]  # who types one word does not mean two
        options = self._with_lookalikes(run, same)
        beside = self._sold.beside(tokens[run.after :]) if run.after < len(tokens) else Beside()
        return self._decided(run, typed, self._as_sold(options, beside))

    def _one_of_several(self, tokens: Sequence[str], at: int, members: Sequence[str]) -> Guess:
        """What a short form of several medicines stands for: the only one that the words beside it tell of, or that is sold as
        they say, the only one in that very strength, else any. What is injected is drawn up, so that no strength tells of it."""
        beside, said = self._sold.beside(tokens[at + 1 :]), tokens[at]
        told = self._short.told(said, tokens[at + 1 :])
        if not beside.routes.isdisjoint(KINDS_OF_PARENTERAL):
            beside = replace(beside, amount=None, number=None)
        each = [
            Option(
                target, drugs, said, SHORT_SCORE, None, f"{said} may be short for it", sold=self._sold.so(target, drugs, beside)
            )
            for target in members
            for drugs in (self._drugs_of(target),)
        ]
        may_be = [o for o in each if o.sold is not False] or each
        just_so = [o for o in may_be if o.target in told] or [o for o in may_be if o.sold and not told]
        meant = just_so if len(just_so) == 1 else may_be
        sure = len(just_so) == 1
        return Guess(sure, "spelling", tuple(dict.fromkeys((*meant, *may_be)))[:5], False, at, at + 1)

    def _begun(self, tokens: Sequence[str], runs: Sequence[_Run]) -> Guess | None:
        """What a written name cut short stands for, where a dose behind it tells: of the medicines in use whose names go on from
        it the only one that is sold so ("lina 5 mg"); or, of more letters, the only one whose name goes on so ("dipyr 75")."""
        run = runs[-1] if runs else None
        told = run is not None and run.whole and len(run.words) == 1 and len(run.text) >= _LEAST_CUT_BACKED
        if run is None or not told or not any(word[0].isdigit() for word in tokens[run.after :]) or self._is_everyday(run.text):
            return None
        beside, begun = self._sold.beside(tokens[run.after :]), self._nearest.names_going_on(run.text)
        names = [(w, self._sold.so(w.target, w.drugs, beside)) for w in begun]
        told_so = [w for w, sold in names if sold and w.common]
        alone = [w for w, sold in names if sold is not False and w.held and len(run.text) >= _LEAST_LETTERS]
        meant = min(told_so or alone, key=lambda w: (len(w.drugs), not w.common, len(w.text)), default=None)
        rivals = (w for w, sold in names if sold or (sold is None and (w.held or not told_so)))
        if meant is None or any(not set(meant.drugs) <= set(w.drugs) for w in rivals):
            return None
        option = Option(meant.target, meant.drugs, meant.shown, SHORT_SCORE, None, f"begins with {run.text}", sold=True)
        return Guess(True, "spelling", (option,), False, run.first, run.after)

    def _speaks_of_something(self, run: _Run, typed: bool, best: Option, *, written: bool) -> bool:
        """Whether words, "banana bread", "the little white tablet", are too far from any name to be one."""
        if not typed and all(self._is_everyday(word) for word in run.words):
            return True
        return best.score < (DESCRIBED_ASK if _speaks_of(run.words, self._words, written=written) else HEARD_ASK)

    def not_held(self, tokens: Sequence[str]) -> str:
        """What a word that is near none of our names probably is, by its ending ("a monoclonal antibody"); empty otherwise."""
        names = (t for t in tokens if t not in self._words.lead_ins and t not in self._words.known and t[0].isalpha())
        word = next(names, "")
        found = next((what for stem, what in self._stems if word.endswith(stem) and len(word) >= len(stem) + _STEM_HEAD), "")
        if not found or self._is_everyday(word):
            return ""
        near = self._nearest.find(word, _LEAST)
        ours = (n.letters >= _STEM_LETTERS or n.written.text in word for n in near)
        return "" if any(ours) else found

    def _ranked(self, runs: Iterable[_Run], *, by_sound: bool = False, least_letters: float = 0.0) -> list[tuple[Option, _Run]]:
        """The nearest option for each drug or set of drugs, nearest first."""
        found: dict[tuple[str, ...], tuple[Option, _Run]] = {}
        for run in runs:
            for option in self._options(run, by_sound, least_letters):
                before = found.get(option.drugs)
                if before is None or option.score > before[0].score:
                    found[option.drugs] = (option, run)
        return sorted(found.values(), key=lambda o: (-o[0].score, o[0].shown, o[0].target))

    def _by_sound(self, run: _Run) -> Guess | None:
        """For one word that is none of ours: what a recogniser may have written it for. Offered, the word stays unrecognised."""
        options = [o for o, _ in self._ranked([run], by_sound=True) if o.score >= SOUND_OFFER][:5]
        return Guess(False, "phonetic", self._explained(options), True, run.first, run.after) if options else None

    def _as_sold(self, options: list[Option], beside: Beside) -> list[Option]:
        """The options with whether each is sold as told; where the first is not, and one near it is, that one leads."""
        if beside == Beside():
            return options
        told = [replace(o, sold=self._sold.so(o.target, o.drugs, beside)) for o in options]
        if told[0].sold is not False:
            return told
        close = [o for o in told[1:] if o.sold and (o.in_reach or o.score >= told[0].score - _NAMED_BEHIND)]
        return [*close, *(o for o in told if o not in close)]

    def _decided(self, run: _Run, typed: bool, options: list[Option]) -> Guess:
        """One option where its name is surely meant, with those close behind; else those that are asked about."""
        best = options[0]
        if best.near is not None and self._is_meant(run, typed, best, best.near, self._in_question(best, options)):
            close = (o for o in options if o.score >= best.score - _NAMED_BEHIND and o.drugs != best.drugs)
            return Guess(True, _way(run, typed, best.near), self._explained((best, *close)), False, run.first, run.after)
        nearest = max(o.score for o in options)
        kept = [o for o in options if o.score >= nearest - _FAR_BEHIND or o.near is None][:5]
        return Guess(False, "spelling", self._explained(kept), False, run.first, run.after)

    def _in_question(self, best: Option, options: Sequence[Option]) -> list[Option]:
        """The options of other drugs, but for those that what stands beside the name speaks against."""
        return [o for o in options if o.drugs != best.drugs and not (best.sold and not o.sold and self._stands_back(best, o))]

    def _is_meant(self, run: _Run, typed: bool, best: Option, near: Near, others: Sequence[Option]) -> bool:
        """Whether the nearest name is meant: nothing else is told, a monograph is held of it, and it leads clearly as a whole
        name or is the only one that goes on from what was told."""
        if not (run.whole and self._is_covered(best)):
            return False
        letters = "".join(run.words)
        if typed and not any(o.in_reach for o in others) and self._begins_one_only(letters, near, backed=best.sold is True):
            return True
        if typed and self._cut_short_of_another(letters, best):
            return False
        return len(letters) >= _LEAST_LETTERS and self._leads(run, typed, best, others) and _as_a_whole(run, typed, near)

    def _leads(self, run: _Run, typed: bool, best: Option, others: Sequence[Option]) -> bool:
        near = best.near
        if near is None or not typed:
            return near is not None and (
                _leads_heard(near, others, _only_apart(run, near)) or _one_slip_in_words(run.text, near, others)
            )
        return _leads_typed(run.text, best, near, others) and self._begin_alike(run.text, near.written.text)

    def _stands_back(self, best: Option, other: Option) -> bool:
        """Whether another name is out of question where only the best is sold as told: it is not sold so, or is far behind."""
        return other.sold is False or other.score <= best.score - LOOKALIKE_CLOSE

    def _cut_short_of_another(self, letters: str, best: Option) -> bool:
        """Whether the letters begin a name of another drug: "clonid" may be cut short, however near another name is."""
        meant = set(best.drugs)
        return len(letters) >= _LEAST_LETTERS and any(not meant & set(drugs) for drugs in self._nearest.going_on(letters))

    def _begins_one_only(self, letters: str, near: Near, *, backed: bool) -> bool:
        """As in "levothyrox", "clopidog": at least so many letters, and every name that goes on from them holds that one drug.
        `backed`: it is sold as what stands beside it says, "furo 40", so that fewer letters are enough."""
        if len(letters) < (_LEAST_CUT_BACKED if backed else _LEAST_CUT) or not near.prefix or self._is_everyday(letters):
            return False
        meant = set(near.written.drugs)
        return len(meant) == 1 and all(meant <= set(drugs) for drugs in self._nearest.going_on(letters))

    def _options(self, run: _Run, by_sound: bool, least_letters: float) -> Iterable[Option]:
        typed = len(run.words) == 1 and not by_sound
        least, if_any = SOUND_OFFER if by_sound else _LEAST, TYPED_ASK if typed else 0.0
        for near in self._nearest.find(run.text, least, if_any=if_any, by_sound=by_sound, least_letters=least_letters):
            written = near.written
            behind = _NOT_COVERED if not written.held else 0.0 if written.common else _LESS_COMMON
            yield Option(written.target, written.drugs, written.shown, max(0.0, near.score - behind), near, "")

    def _explained(self, options: Iterable[Option]) -> tuple[Option, ...]:
        """The options that are told to somebody, with why each is one."""
        return tuple(o if o.why or o.near is None else replace(o, why=self._why(o, o.near)) for o in options)

    def _why(self, option: Option, near: Near) -> str:
        why = f"sound {near.sound:.2f}, spelling {near.letters:.2f}"
        if near.prefix:
            why += ", begins with what was heard"
        return why if near.written.text == self._shown(option.target).lower() else f"{why}, as {near.written.shown}"

    def _with_lookalikes(self, run: _Run, ranked: list[Option]) -> list[Option]:
        """The options, those that are look-alikes of the first and within reach brought up to stand beside it."""
        first = ranked[0]
        assert first.near is not None
        raised: dict[tuple[str, ...], Option] = {}
        for other in self._groups.get(first.near.written.text, ()):
            target, near = other.target, self._nearest.one(run.text, other.name)
            drugs = self._drugs_of(target)
            if drugs != first.drugs and near is not None and near.score >= max(_IN_REACH, first.score - _REACH_BEHIND):
                why = f"sound {near.sound:.2f}, spelling {near.letters:.2f}, look-alike of {first.near.written.shown}"
                reached = self._in_reach(run.text, first, near, other)
                raised[drugs] = Option(target, drugs, near.written.shown, near.score, None, why, reached)
        rest = [o for o in ranked[1:] if o.drugs not in raised]
        if not raised:
            return ranked
        together = sorted([*list(raised.values())[:4], *rest[:3]], key=lambda o: (o.near is not None, -o.score))
        return [first, *sorted(together[:4], key=lambda o: -o.score)]

    def _begin_alike(self, heard: str, name: str) -> bool:
        """Whether a name begins as what was told does, in letters or in sound: a slip changes that least."""
        return heard[0] == name[0] or begin_alike(pronounce(heard), pronounce(name))

    def _in_reach(self, heard: str, first: Option, near: Near, other: _LookAlike) -> bool:
        """Whether a look-alike is so near to what was told that either may be meant: hardly behind the first, hardly more slips
        away, or a part of what was told (its beginning, its end) is of that one and not of the first."""
        assert first.near is not None
        behind = first.near.score - near.score
        close = LOOKALIKE_STRICT if other.strict else LOOKALIKE_CLOSE
        own = first.near.written.text
        if not other.strict and _settled(heard, first.near, near):
            return False
        if behind < close or behind >= LOOKALIKE_FAR:
            return behind < close
        return slips(heard, other.name) - slips(heard, own) < LOOKALIKE_SLIPS or is_blend(heard, own, other.name)

    def _is_everyday(self, word: str) -> bool:
        stems = (word, word.removesuffix("s"), word.removesuffix("ed"), word.removesuffix("ing"))
        return any(s in self._everyday for s in stems)

    def _is_covered(self, option: Option) -> bool:
        return option.target not in self._library.recognised_by_id

    # -------------------------------------------------------------- asking

    def question(self, options: Sequence[Option], everyday: bool) -> str:
        """What to ask so that the answer tells the options apart."""
        close = [o for o in options if o.near is None or o.score >= options[0].score - _NAMED_BEHIND]
        said = [self._described(o) for o in close]
        if everyday:
            return (
                f"We don't recognise this as a medicine. If one is meant, is it {_listed(said)}? Please spell it as on the label."
            )
        if len(said) == 1:
            return f"Is {said[0]} meant? Please spell it as it stands on the label."
        return f"Which is meant: {_listed(said)}? Please read the name on the label."

    def confirmation(self, option: Option) -> str:
        """What to ask back where one drug is answered."""
        return f"Is {self._described(option)} meant?"

    def _described(self, option: Option) -> str:
        name = self._shown(option.target)
        brand = option.shown if option.shown.lower() not in name.lower() else ""
        uses = list(dict.fromkeys(self._library.uses[d] for d in option.drugs if d in self._library.uses))
        used = f"for {' and '.join(uses[:2])}" if uses else ""
        return name + (f" ({brand})" if brand else "") + (f", {used}," if used else "")


def _listed(parts: Sequence[str]) -> str:
    parts = [p.rstrip(",") for p in parts]
    return parts[0] if len(parts) == 1 else "; ".join(parts[:-1]) + "; or " + parts[-1]


def _only_apart(run: _Run, near: Near) -> bool:
    """Whether several words are the letters of the name, only with spaces between them: "met formin"."""
    own = near.written.text.replace(" ", "")
    return "".join(run.words) == own and len(own) > _LEAST_LETTERS


def _way(run: _Run, typed: bool, near: Near) -> Via:
    """By what a name was recognised."""
    if not typed and _only_apart(run, near):
        return "split"
    return "spelling" if near.letters >= near.sound else "phonetic"


def _as_a_whole(run: _Run, typed: bool, near: Near) -> bool:
    """Whether what was told is no name with something before or behind it, and ends in the same single letter if in one."""
    letters, own = "".join(run.words), near.written.text.replace(" ", "")
    silent = typed and near.sound >= SILENT and letters.startswith(own)  # "pristique"
    whole = (
        silent or (not typed and _only_apart(run, near)) or not _one_in_the_other(letters, own, typed or " " in near.written.text)
    )
    return whole and _last_letter(run.text) == _last_letter(near.written.text)


def _settled(heard: str, own: Near, other: Near) -> bool:
    """Whether one slip makes the first name of what was told, and a look-alike of it is far: by many slips, or by its sound where
    the first sounds the same ("zanax"). What ends as the look-alike does, "celebrexa", may be it.
    """
    if slips(heard, own.written.text) > 1 or ends_more_alike(heard, other.written.text, own.written.text):
        return False
    if own.sound >= SAME_SOUND and own.sound - other.sound >= LOOKALIKE_CLOSE:
        return True
    return own.sound >= TYPED_SOUND and slips(heard, other.written.text) > LOOKALIKE_SLIPS


def _leads_typed(told: str, best: Option, near: Near, others: Sequence[Option]) -> bool:
    """Whether the name nearest to one typed word leads clearly."""
    clear = best.score - max((o.score for o in others), default=0.0)
    if near.sound >= TYPED_HOMOPHONE:  # who spells a name as it sounds means what sounds so
        close = (o.near.sound for o in others if o.near and o.score >= best.score - _NAMED_BEHIND)
        clear = max(clear, near.sound - max(close, default=0.0))
    least = TYPED_MATCH_BACKED if best.sold or near.sound >= TYPED_SOUND else TYPED_MATCH
    if clear >= TYPED_ALONE and len(told) >= _LEAST_CUT:
        least = min(least, TYPED_MATCH_ALONE)
    few = slips(told, near.written.text) <= max(1, len(told) // LETTERS_A_SLIP)
    both = FEW_SLIPS_BOTH if few else TYPED_BOTH
    return near.score >= least and clear >= TYPED_CLEAR and near.score + clear >= both and not any(o.in_reach for o in others)


def _leads_heard(near: Near, others: Sequence[Option], split: bool) -> bool:
    """Whether the name nearest to several words leads clearly; letters that only stand apart settle it."""
    if near.prefix:
        return False
    if split and near.score >= HEARD_MATCH:
        return True
    clear = near.score - max((o.score for o in others), default=0.0)
    leads = (near.score >= HEARD_MATCH and clear >= HEARD_CLEAR) or (near.score >= HEARD_NEAR and clear >= HEARD_ALONE)
    leads = leads or _leads_by_letters(near, others)
    return leads and not any(o.in_reach for o in others)


def _leads_by_letters(near: Near, others: Sequence[Option]) -> bool:
    """Whether several words are all but the letters of the name, and far from those of every other ("da pa gli flow zin")."""
    second = max((o.near.letters for o in others if o.near is not None), default=0.0)
    return near.score >= HEARD_NEAR and near.letters >= HEARD_LETTERS and near.letters - second >= HEARD_LETTERS_CLEAR


def _one_slip_in_words(told: str, near: Near, others: Sequence[Option]) -> bool:
    """As in "insulin glargin": one slip makes the name of several words, and every other is many slips away."""
    far = (o.near is not None and not o.in_reach and slips(told, o.near.written.text) >= _MANY_SLIPS for o in others)
    return " " in near.written.text and slips(told, near.written.text) <= 1 and all(far)


def _one_in_the_other(heard: str, name: str, typed: bool) -> bool:
    """One is the other with letters before or after it: maybe cut short, maybe another word.

    A plural is not meant, nor a doubled letter, nor in typing one letter at the end.
    """
    if heard == name + "s" or _DOUBLE.sub(r"\1", heard) == _DOUBLE.sub(r"\1", name):
        return False
    short, long = sorted((heard, name), key=len)
    if typed and len(long) == len(short) + 1 and long.startswith(short):
        return False
    return long.startswith(short) or long.endswith(short)


def _last_letter(text: str) -> str:
    """A single letter at the end of a name (penicillin V, penicillin G): it tells names apart, so it must be the same."""
    last = text.rpartition(" ")[2]
    return last if len(last) == 1 else ""


def _runs(tokens: Sequence[str], words: NameWords, *, written: bool = False) -> list[_Run]:
    """The stretches of a line that may be a name: all before the first number, and that without dosing words and salts.

    In writing a dose follows the name, so that what stands behind the first number tells nothing of it.
    """
    end = next((n for n, t in enumerate(tokens) if n and t[0].isdigit()), len(tokens))
    if written:
        tokens = tokens[:end]
    start = next((n for n, t in enumerate(tokens[:end]) if t[0].isalpha()), end)
    whole = _run(tokens, start, end, words)
    if not whole.words or all(w in words.known or w in words.lead_ins for w in whole.words):
        return []
    runs = _worth_comparing(whole, _trimmed(tokens, start, end, words), words, written=written)
    return [r for r in runs if r.words and len(r.words) <= _MOST_WORDS]


def _trimmed(tokens: Sequence[str], start: int, end: int, words: NameWords) -> _Run:
    """A stretch without the words of dosing around it, and without the salt at its end."""
    first = next((n for n in range(start, end) if tokens[n] not in words.lead_ins and tokens[n] not in words.known), end)
    after = next((n for n in range(first, end) if tokens[n] in words.known or not tokens[n][0].isalpha()), end)
    while after - first > 1 and tokens[after - 1] in words.salts:
        after -= 1
    return _run(tokens, first, after, words)


def _worth_comparing(whole: _Run, trimmed: _Run, words: NameWords, *, written: bool) -> list[_Run]:
    """Of a stretch and what is left of it without words of dosing, what may be a name."""
    only = len(trimmed.words) == 1 and trimmed.whole  # all the rest is words of dosing
    same = (whole.first, whole.after) == (trimmed.first, trimmed.after)
    if (written and only) or same or len(whole.words) > _MOST_WORDS:
        return [trimmed]
    return [whole, trimmed] if only or _dosing(whole, trimmed, words) else [whole]


def _speaks_of(heard: Sequence[str], words: NameWords, *, written: bool) -> bool:
    """Whether the words speak of a medicine instead of naming one: "the little white tablet", "my doctor said".

    Who writes "heart medicine" means it; a recogniser writes it for a name.
    """
    if written and not words.medicines.isdisjoint(heard):
        return True
    return heard[-1] in words.forms or any(w in words.describing for w in heard)


def _dosing(whole: _Run, trimmed: _Run, words: NameWords) -> bool:
    """Whether the words around the rest look like a line about a dose, rather than pieces of a name."""
    around = [w for w in whole.words if w not in trimmed.words and len(w) > 2]
    return len(whole.words) == 2 or any(
        w in words.units or w in words.forms or w in words.salts or w in words.cues for w in around
    )


def _run(tokens: Sequence[str], first: int, after: int, words: NameWords) -> _Run:
    outside = [*tokens[:first], *tokens[after:]]
    known = not any(t in words.negations for t in tokens[:first]) and all(
        not t[0].isalpha() or t in words.known or t in words.lead_ins or t in words.salts for t in outside
    )
    return _Run(tuple(t for t in tokens[first:after] if t[0].isalpha()), first, after, known)
