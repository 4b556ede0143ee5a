"""What a sentence of a note or a plan does with each medicine that it names: a small grammar of clauses and cues.

A sentence is cut into clauses; in each, the cues of acts (kb/language/chart-cues) are bound to the medicines before or behind
them, medicines named side by side share one, and of several that are bound to one medicine the last governs. Where that is not
plain (a question, a condition, somebody's own account) nothing is said, and the tables of talk decide.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from safety.edge.acts import NAME, Acts, Cue, stopped_behind
from safety.edge.clauses import for_a_while
from safety.edge.companions import Companions
from safety.edge.extraction import Change, Context, Speaker
from safety.edge.last_doses import LastDoses
from safety.edge.lateness import Condition, Lateness
from safety.knowledge.language import Language
from safety.reading.wording import alone, any_of
from safety.text import lowered

_Outcome = tuple[Context, Change] | None
_BECOMES: dict[str, tuple[_Outcome, _Outcome, _Outcome, _Outcome, _Outcome]] = {
    # act: told in a note, told as an account, denied, only thought of, to be done later
    "start": (("prescribed", "started"), ("taking", "started"), ("denied", ""), ("considering", ""), ("considering", "")),
    "endorse": (("prescribed", "started"), ("considering", ""), ("denied", ""), ("considering", ""), None),
    "continue": (("prescribed", "continued"), ("taking", ""), ("stopped", ""), ("taking", ""), None),
    "change": (("prescribed", "changed"), ("taking", "changed"), None, ("taking", ""), ("taking", "")),
    "restart": (("prescribed", "resumed"), ("taking", "resumed"), ("stopped", ""), ("considering", ""), ("considering", "")),
    "refill": (("prescribed", "continued"), ("taking", ""), None, None, None),
    "stop": (("stopped", ""), ("stopped", ""), ("taking", ""), ("taking", ""), ("taking", "")),
    "hold": (("stopped", "held"), ("stopped", "held"), ("taking", ""), ("taking", ""), ("taking", "")),
    "avoid": (("denied", ""), ("denied", ""), None, None, None),
    "consider": (("considering", ""), ("considering", ""), None, ("considering", ""), None),
    "take": (("taking", ""), ("taking", ""), ("denied", ""), None, None),
    "miss": (("missed", ""), ("missed", ""), None, None, None),
    "out": (("missed", "held"), ("missed", "held"), None, None, None),
    "fill": (None, None, ("denied", ""), ("considering", ""), ("considering", "")),
    "allergy": (("allergic", ""), ("allergic", ""), None, None, None),
}  # fmt: skip
"""What becomes of a medicine by the act and by how it is told; None where that is left open."""
_TOLD, _ACCOUNT, _DENIED, _THOUGHT, _LATER = range(5)
_TURNS_THE_NEXT = frozenset({"consider", "avoid"})
_REPORTS = frozenset({"start", "endorse", "continue", "change", "restart", "refill", "switch"})
"""Acts that, told of the past and of somebody, are an account and no order."""
_LEFT_OPEN_OF_THEN = (_REPORTS | {"take"}) - {"change", "restart"}
"""Acts of which, told of the past, it is not known whether they still hold."""
_BESIDE = frozenset({"take", "endorse"})
"""Acts that give way to any other that is told of the same medicine."""
_ENDS = frozenset({"stop", "hold", "avoid"})
_NEW_DOSE = frozenset({"change", "restart", "start", "endorse", "continue", "switch"})
_IS_TAKING = frozenset({"take", "start"})
"""Acts whose noun is the taking itself: "no aspirin use", where a change or an end of a medicine is something else."""
_NOUN = "noun"
"""An act that is named with its medicine, and not done: "the prednisone taper"."""
_FAR: dict[str, int] = {"order": 8, "done": 6, "ahead": 4, "label": 12, "next": 1}
"""So many words at most stand between an act and the medicine behind it."""
_FAR_BACK, _NEAR, _LEADS, _TWO = 14, 4, 2, 2
_LOOK_BACK = 60
_NEAR_WILL = 24
"""So many characters before an end somebody says that it is still to come."""
_AHEAD_ONLY, _BEHIND_ONLY = frozenset({"ahead", "label", "next"}), frozenset({"behind", "weak"})
_HANGS = frozenset({"start", "restart", "stop", "hold", "change", "switch"})
"""Acts that are not done yet where a condition stands behind them."""
_FOR = re.compile(r"for\s", re.I)
_TO_COME = frozenset({"order", "ahead", "behind"})
_BEGUN = frozenset({"start", "restart"})
_ENDED_LATER = frozenset({"stop", "hold", "switch"})
"""Acts that are not done yet where a later time is told with them."""
_LISTS = (
    "clauses", "leaves", "somebody", "to", "from", "own", "joins", "speaks", "earlier", "parts", "beside", "subjects",
)  # fmt: skip
_BRACKETED = re.compile(r"\([^()\n]*\)")
_TELLS_AN_END = re.compile(r"\(\s*last\s", re.I)
_WORD = re.compile(r"[^\s,;:()]+")
_COMMA = re.compile(r"[,:]\s")
_DIGIT = re.compile(r"\s*\d")
_SEGMENT = re.compile(r"[,:]")
_HEADS_A_LINE = re.compile(r"[\s*-]*(?:(?:[\w/]+ ){0,2}[\w/]+:\s*)?")
_HEADED = re.compile(r"[\s*#\d.)-]*(?P<of>[A-Z][\w/& '-]{0,30}):\s")
_SEGMENTS = re.compile(r"[;\n]|[.,]\s")
_ADVERB = re.compile(r"\w+ly\Z")


class Charted(Struct, frozen=True):
    """What is said of one medicine.

    `dose_from`: from where on its dose stands, if a later act tells a new one; `later`: nothing is told of it but what is to be
    done later; `account`: somebody's account tells it, and no order; `turned`: the words before the act deny it or put it off.
    """

    context: Context
    change: Change = ""
    dose_from: int = 0
    later: bool = False
    account: bool = False
    turned: bool = False


class _Name(Struct, frozen=True):
    n: int
    start: int
    end: int


class _Edge(Struct, frozen=True):
    """A part of a text; `far`: a full stop stands before it; `head`: where its sentence begins; `talk`: somebody speaks in it of
    themselves; `orders`: it is one who orders."""

    start: int
    end: int
    far: bool = False
    head: int = 0
    talk: bool = False
    orders: bool = False


_Mark = Cue | _Name
Bound = dict[int, list[tuple[Cue, bool]]]
"""The acts of each medicine, in order, and whether each stands before it."""


class Charting:
    """Reads notes by the lists of one language; made once, shared, never changed."""

    def __init__(self, language: Language, is_dosing: Callable[[str], bool]) -> None:
        self._is_dosing = is_dosing
        self._acts = Acts(language, self._weighty)
        words = {what: language.words(f"chart-{what}") for what in _LISTS}
        of = {what: rf"(?<![\w'-]){any_of(each)}(?![\w'-])" for what, each in words.items()}
        kin = language.meaning("chart-kin")
        words["somebody"] = (*words["somebody"], *kin)
        of["somebody"] = rf"(?<![\w'-]){any_of(words['somebody'])}(?![\w'-])"
        ends_in = {what: re.compile(rf"{of[what]}\s+(?:[\w'-]+\s+){{0,2}}\Z", re.I) for what in ("somebody", "own", "from")}
        self._edge = re.compile(rf"[\n]|\s[-–—]{{1,2}}\s|—|{of['clauses']}", re.I)
        self._no_edge = alone(language.words("chart-no-clauses"))
        self._somebody, self._own, self._from = (ends_in[w] for w in ("somebody", "own", "from"))
        self._leaves, self._to = (re.compile(of[w], re.I) for w in ("leaves", "to"))
        self._on_hold = re.compile(rf"{any_of(language.words('sounds-like-held'))}(?![\w-])", re.I)
        at_once = any_of([*language.meaning("today"), *language.words("these-days")])
        self._at_once = re.compile(rf"\s*(?:it\s+)?(?:at\s+[\d.]+\s+\w+\s+)?{at_once}(?![\w-])", re.I)
        self._lateness = Lateness(language, self._weighty)
        self._to_last = re.compile(rf"{of['to']}\s+(?:[\w'-]+\s+){{0,2}}\Z", re.I)
        self._to_a_dose = re.compile(rf"\s+(?:[a-z]+\s+)?{of['to']}\s+\d", re.I)
        self._to_end = re.compile(rf"{of['to']}\Z", re.I)
        self._earlier = re.compile(rf"{of['earlier']}|\b(?:19|20)\d\d\b", re.I)
        self._speaks = re.compile(rf"(?<![\w.'-]){any_of(words['speaks'])}(?![\w.'-])", re.I)
        self._joins, self._parts, self._beside = (frozenset(words[w]) for w in ("joins", "parts", "beside"))
        self._bare = re.compile(
            rf"\s*(?:\Z|[.,;:!)]|(?:{of['to']}\s+|{of['from']}\s+)?(?:x\s?)?\d|{any_of(language.words('after-a-bare-cue'))}(?![\w-]))",
            re.I,
        )
        self._another = re.compile(rf"(?<![\w'-]){any_of(words['subjects'])}(?![\w-])", re.I)
        self._is_it = re.compile(rf"\s*(?:to\s+|at\s+)?(?:\d|{any_of(language.words('chart-it'))}(?![\w-]))", re.I)
        self._is_this = re.compile(rf"\s+{any_of(language.words('chart-this'))}(?![\w-])(?!\s+{NAME})", re.I)
        self._it, self._for_a_while = alone(language.words("it")), for_a_while(language)
        self._steps = re.compile(rf"(?<![\w-]){any_of(words['from'])}\s+\d[\d.,]*\s*(?:[\w/]+\s+)?(?=to\s+\d)", re.I)
        self._beside_it, self._stopped_behind = alone(language.words("chart-with")), stopped_behind(language)
        self._when_needed = re.compile(rf"{any_of(language.words('chart-when-needed'))}(?![\w-])", re.I)
        self._prescribes = re.compile(rf"{any_of(language.words('chart-prescribes'))}(?![\w-])", re.I)
        self._temporal = alone(language.words("chart-temporal"))
        self._leaving = re.compile(r"\w+ing\s+(?:\w+\s+){0,2}?off(?![\w-])", re.I)
        self._side = re.compile(rf"[<>≤≥]|(?<![\w-]){any_of(language.words('side-of-a-reading'))}(?![\w-])", re.I)
        days = [w for w, n in language.meaning("near-days").items() if n not in ("0", "-1")]
        self._near_day = alone([*days, *language.words("day-of-a-procedure")])
        self._will = alone(language.words("will-come"))
        self._not_to = re.compile(rf"{any_of([*language.words('denying'), 'do not'])}\s", re.I)
        until = any_of(language.words("chart-until"))
        self._until = alone(language.words("chart-until"))
        self._until_then = re.compile(rf"(?<![\w-]){until}\s+(?:[\w'’]+\s+){{0,3}}\Z", re.I)
        self._turned = frozenset(language.words("denying")) - self._joins
        self._so_it_was_done = alone(language.words("and-so-it-was-done"))
        self._leading = frozenset(language.words("chart-leads"))
        self._tests = frozenset(language.words("names-of-a-test"))
        own = any_of([*language.words("mine"), *language.words("theirs"), "the"])
        taken_or_none = [*language.words("denying"), *language.words("verbs-of-taking")]
        self._needed = re.compile(rf"\s*{any_of(language.words('as-needed'))}(?![\w-])", re.I)
        self._steadily = alone([*language.words("not-a-stop"), *language.words("not-on-some-days")])
        self._unsteadily = alone([*language.words("not-steadily"), *language.words("taken-now-and-then")])
        once = alone([*language.words("of-one-dose-only"), *language.words("so-many-doses-of-it")])
        self._one_dose = re.compile(rf"(?<!since\s){once.pattern}", re.I)
        self._perhaps = re.compile(rf"{any_of(language.words('perhaps-it-was'))}(?:\s+have|['’]ve)\s+", re.I)
        self._excepting = re.compile(rf"(?<![\w-]){any_of(language.words('but-for'))}\s+(?:{own}\s+)?\Z", re.I)
        self._no_longer = alone([*language.words("no-longer"), *language.words("never-once-more")])
        self._no_allergy = alone([*language.words("no-allergies-in-short"), *language.words("not-of-a-medicine"), *taken_or_none])
        self._among = self._joins | frozenset(language.words("chart-among"))
        self._kin, self._companions = _Kin(language), Companions(language)
        self._last_doses = LastDoses(language, self._weighty)
        self._interacts = re.compile(rf"{any_of(language.words('must-not-be-taken-with'))}(?![\w-])", re.I)
        chain = language.meaning("act-chains")
        self._modal = re.compile(rf"{any_of([w for w, kind in chain.items() if kind in ('order', 'thought')])}\s", re.I)
        taken = [label for label, act in language.meaning("chart-labels").items() if act == "take"]
        self._no_orders = re.compile(any_of([*taken, *language.words("chart-no-orders")]), re.I)

    def read(
        self, text: str, sentences: Sequence[tuple[int, int]], names: Sequence[tuple[int, int]], *, speaker: Speaker = "unknown"
    ) -> list[Charted | None]:  # fmt: skip
        """Of each medicine of some sentences what is done with it; None where they do not say so plainly."""
        if not sentences:
            return [None for _ in names]
        start, end = sentences[0][0], sentences[-1][1]
        said = _masked(text[start:end], [(a - start, b - start) for a, b in names])
        marks = [_Name(n, a - start, b - start) for n, (a, b) in enumerate(names)]
        found: dict[int, Charted] = {}
        last: _Name | None = None
        for clause in self._clauses(said, [(a - start, b - start) for a, b in sentences], speaker=speaker):
            inside = [m for m in marks if clause.start <= m.start < clause.end]
            bound = self._bound(said, clause, inside, last)
            for n, acts in bound.items():
                told = self._told(said, clause, acts)
                if told is not None and (n not in found or not (told.context == "taking" or told.later)):
                    found[n] = told
                elif told is None:
                    found.pop(n, None)
            found |= self._kin.of(said, clause, inside, bound)
            last = self._of_it(said, inside, clause.head) if inside else last
        self._settle_later(found, [text[a:b].lower() for a, b in names])
        for one, other in pairwise(marks):
            ended = found.get(other.n)
            if ended is not None and ended.context == "stopped" and self._has_new_dose(said, one, other):
                found[other.n] = Charted("taking" if ended.account else "prescribed", "changed", account=ended.account)
        headed = _HEADED.match(text[start:end]) if speaker not in ("patient", "other") else None
        if headed is not None and self._no_orders.fullmatch(headed["of"].strip()) is None:
            found |= self._ordered_beside(said, [m for m in marks if m.start >= headed.end()], found)
        elif headed is None and marks and speaker not in ("patient", "other") and not said[: marks[0].start].strip():
            begun = found.get(marks[0].n) == Charted("prescribed", "started")
            needed = [m for m in marks[1:] if self._needed.match(said, m.end) is not None] if begun else []
            found |= self._ordered_beside(said, needed, found) if needed else {}
        return [_moved(found.get(n), start) for n in range(len(names))]

    def _ordered_beside(self, said: str, marks: Sequence[_Name], found: dict[int, Charted]) -> dict[int, Charted]:
        """Medicines with their dose in a part of a plan that orders or ends another: "Pain: Tylenol 1 g TID; stop tramadol".

        Only under a heading that names a problem or a service, and in nobody's own words: "Home meds: …; stop HCTZ" orders one.
        """
        orders = any(one.context in ("prescribed", "stopped") and not (one.account or one.later) for one in found.values())
        if not orders or self._speaks.search(said) is not None:
            return {}
        ends = [*(m.start for m in marks[1:]), len(said)]
        untold = ((m, end) for m, end in zip(marks, ends, strict=False) if m.n not in found)
        return {
            m.n: Charted("prescribed")
            for m, end in untold
            if self._needed.match(said, m.end) or self._doses(_SEGMENTS.split(said[m.end : end], 1)[0])
        }

    def _has_new_dose(self, said: str, one: _Name, other: _Name) -> bool:
        """Whether a medicine named behind another in a list of acts has a new dose: "off the one, the other to 7.5"."""
        listed = _SEGMENT.search(said, one.end, other.start) is not None
        return listed and self._to_a_dose.match(said, other.end) is not None

    @staticmethod
    def _own_end(said: str, cue: Cue, clause: _Edge, *, ahead: bool) -> int:
        """Where ends what is told with an act; behind its medicine, before the next: "A stopped, B on hold until …"."""
        following = said.find(NAME, cue.end, clause.end) if not ahead else -1
        return following if following >= 0 else clause.end

    def _doses(self, words: str) -> bool:
        """Whether words behind a medicine tell how much or how often, in more than a number."""
        return sum(self._is_dosing(word.lower()) for word in _WORD.findall(words)) > 1

    @staticmethod
    def _settle_later(found: dict[int, Charted], names: Sequence[str]) -> None:
        """What is to be done later with a medicine adds nothing where the same name is told of otherwise."""
        told = {names[n] for n, one in found.items() if not one.later}
        for n, one in found.items():
            if one.later and names[n] in told:
                found[n] = Charted("mentioned")

    # -------------------------------------------------------------- clauses and cues

    def _clauses(self, said: str, sentences: Sequence[tuple[int, int]], *, speaker: Speaker) -> Iterator[_Edge]:
        """Sentences in their clauses."""
        kept = [hit.span() for hit in self._no_edge.finditer(said)]
        far = False
        for start, end in sentences:
            at, talk = start, speaker in ("patient", "other") or self._speaks.search(said, start, end) is not None
            orders = speaker == "clinician"
            for edge in self._edge.finditer(said, start, end):
                if any(a <= edge.start() < b for a, b in kept):
                    continue
                yield _Edge(at, edge.start(), far, start, talk, orders)
                at, far = edge.end(), False
            yield _Edge(at, end, far, start, talk, orders)
            far = not said[start:end].rstrip().endswith(";")

    def _settled(self, said: str, marks: Sequence[_Mark]) -> list[_Mark]:
        """The marks of a clause, acts that only turn or lead to the next one brought together with it."""
        kept: list[_Mark] = []
        for mark in marks:
            before = kept[-1] if kept else None
            if not isinstance(mark, Cue) or not isinstance(before, Cue):
                kept.append(mark)
                continue
            kept[-1:] = self._two(said, before, mark)
        return kept

    def _two(self, said: str, one: Cue, other: Cue) -> list[_Mark]:
        """Two acts with no medicine between them: both, or the one that they come to."""
        if other.shape == "weak":
            return [one]
        if self._is_this.match(said, one.end) is not None or self._interacts.match(said, other.start) is not None:
            return [one, other]
        between = said[one.end : other.start]
        if one.act == "consider" and other.shape == "done" and self._perhaps.fullmatch(said, one.start, other.start):
            return [replace(other, thought=False)]  # "they may have stopped it"
        gap = [w for w in _WORD.findall(between) if w.lower() not in self._joins]
        if other.shape == "next" and other.act == "stop" and one.act in _ENDS and not gap:
            one_word = " " not in said[other.start : other.end].strip()
            return [replace(one, end=other.end) if one_word else replace(other, denied=True)]  # "stopped everything but it"
        if other.act == "start" and other.shape == "ahead" and one.shape == "done":
            return [one, other]  # "cut to 50 mg given a pulse of 48", "avoided given her pressure"
        if "nothing" in (one.act, other.act) or len(gap) > _NEAR or ":" in between or one.shape in ("label", "behind", "weak"):
            return [one, other]
        if one.act in _TURNS_THE_NEXT and "," not in between:
            if other.act == "take" and one.act == "avoid":
                return [replace(one, end=other.end)]
            turned = replace(other, thought=other.thought or one.act == "consider", denied=other.denied or one.act == "avoid")
            return [replace(turned, denied=turned.denied ^ one.denied)]
        if other.act == "take" and len(gap) <= 1 and one.act != "take":
            return [replace(one, end=other.end)]
        if len(gap) <= _LEADS and not ("," in between and gap) and other.shape != "behind":
            return [replace(other, thought=other.thought or one.thought, later=other.later or one.later)]
        return [one, other]

    # -------------------------------------------------------------- acts and medicines

    def _bound(self, said: str, clause: _Edge, names: Sequence[_Name], last: _Name | None) -> Bound:
        """The acts of each medicine of a clause, and of the last one before it where the clause begins with an act alone."""
        bound: Bound = {}
        acts = self._acts.read(said, clause.start, clause.end)
        conditions = self._hanging(said, clause, acts, names)
        acts = [self._timed(said, clause, act, acts, conditions, names) for act in acts]
        left_out = self._left_out(said, clause)
        acts = [a for a in acts if not any(e.start <= a.start < e.end for e in left_out)]
        asked = next((a for a in acts if a.act == "ask"), None)
        if asked is not None:
            acts = [a for a in acts if a.start < asked.start]
        every: list[_Mark] = [*acts, *names]
        settled = self._settled(said, sorted(every, key=lambda mark: mark.start))
        marks = [self._done_after_all(said, clause, m) if isinstance(m, Cue) else m for m in settled]
        for at, mark in enumerate(marks):
            if isinstance(mark, Cue) and mark.act != "nothing":
                self._bind(said, marks, at, self._it_may_be(said, clause, mark, last), bound)
        self._share(said, marks, bound)
        for one, other in pairwise(names):
            if self._companions.is_one(said, clause.head, one.end, other.start):
                bound.pop(other.n, None)
        for name in names:
            if asked is not None and name.start > asked.start:
                own = self._own.search(said, asked.end, name.start) is not None and name is not names[0]
                bound[name.n] = [(replace(asked, act="take" if own else "ask"), True)]
            elif any(e.start <= name.start < e.end for e in left_out):
                bound.pop(name.n, None)
            elif name.n not in bound and self._is_in_its_place(said, name, left_out):
                bound[name.n] = [(Cue(name.end, name.end, "endorse", "behind"), False)]
            elif any(name.end < e.start and not self._weighty(said[name.end : e.start]) for e in left_out):
                bound.setdefault(name.n, []).append((Cue(name.end, name.end, "endorse", "behind"), False))
        self._bind_courses(said, clause, names, bound)
        return bound | self._last_doses.told(said, clause.head, (clause.start, clause.end), names, bound)

    def _bind_courses(self, said: str, clause: _Edge, names: Sequence[_Name], bound: Bound) -> None:
        """Of medicines of which nothing else is told: a dose that goes from one to another, and a course that is ordered."""
        for n, name in enumerate(names):
            end = names[n + 1].start if n + 1 < len(names) else clause.end
            acts = [c for c, _ in bound.get(name.n, ()) if c.shape != "label"]
            ends_later = bool(acts) and all(c.act in _ENDED_LATER and c.later for c in acts)
            if acts and not ends_later:
                continue
            if ends_later:
                if _HEADS_A_LINE.fullmatch(said[clause.start : name.start]) and self._lateness.is_course(said, name.end, end):
                    bound[name.n] = [(Cue(name.end, name.end, "start", "weak"), False)]
                continue
            if bound.get(name.n):
                continue
            if self._steps.search(said, name.end, end) is not None:
                bound[name.n] = [(Cue(name.end, name.end, "change", "weak"), False)]
            elif _HEADS_A_LINE.fullmatch(said[clause.start : name.start]) and self._lateness.is_course(said, name.end, end):
                bound[name.n] = [(Cue(name.end, name.end, "start", "weak"), False)]

    def _hanging(self, said: str, clause: _Edge, acts: Sequence[Cue], names: Sequence[_Name]) -> list[Condition]:
        """The conditions of a clause on which something that it tells hangs; none behind a question, no mere asides."""
        asked = next((a.start for a in acts if a.act == "ask"), clause.end)
        strong = [a for a in acts if a.shape != "weak"]
        found = [c for c in self._lateness.conditions(said, clause.start, clause.end, strong) if c.start < asked]
        places = [*(act.start for act in acts), *(name.start for name in names)]
        return [c for c in found if not names or any(map(c.holds, places))]

    def _done_after_all(self, said: str, clause: _Edge, act: Cue) -> Cue:
        """An act that was only thought of or allowed and then done: "she said I could quit it, so I did"."""
        done = act.thought and self._so_it_was_done.search(said, act.end, clause.end) is not None
        return replace(act, thought=False) if done else act

    def _timed(
        self, said: str, clause: _Edge, act: Cue, acts: Sequence[Cue], conditions: Sequence[Condition], names: Sequence[_Name]
    ) -> Cue:
        """An act with what time and conditions make of it: what ends is not done yet, what begins is left open."""
        condition = next((c for c in conditions if c.holds(act.start)), None)
        if condition is not None and self._tells_why(said, condition, act, clause.end):
            condition = None
        if act.act == "take" and clause.talk and self._until.search(said, clause.start, act.start) is not None:
            return replace(act, act="open")  # "until I finish it"
        if act.act == "stop" and self._until_then.search(said, clause.start, act.start) is not None:
            return replace(act, later=True)  # "until she's done with it"
        if act.shape == "done":
            hangs = condition is not None and act.act in _HANGS and self._temporal.match(said, condition.word) is None
            another = condition is not None and any(act.end <= n.start < condition.word for n in names)
            hangs = hangs and not (another and any(n.end <= act.start for n in names))  # "A started, B next if …"
            return replace(act, later=True) if hangs else act
        if condition is None:
            return replace(act, later=self._is_later(said, clause, act, acts, names))
        if act.act in _ENDED_LATER or act.act == "change":
            return replace(act, later=True)
        if act.act not in _BEGUN:
            return replace(act, act="open") if act.act in _HANGS else act
        needed = self._when_needed.match(said, act.start) is not None or condition.start == act.start
        return replace(act, act="open") if needed else replace(act, later=True)

    def _tells_why(self, said: str, condition: Condition, act: Cue, end: int) -> bool:
        """Whether what reads like a condition is the reason: "decrease it for bradycardia", "hold it for ANC 0.7"; a hold at so
        much or less is none yet, "hold for SBP < 100"."""
        if _FOR.match(said, condition.word) is None:
            return False
        stop = _SEGMENT.search(said, condition.word, end)
        behind = said[condition.word : stop.start() if stop else end]
        return act.act != "hold" or (any(c.isdigit() for c in behind) and self._side.search(behind) is None)

    def _is_later(self, said: str, clause: _Edge, act: Cue, acts: Sequence[Cue], names: Sequence[_Name]) -> bool:
        """Whether an end is told for a later time, or behind a course; or a change behind what is done now."""
        first = act is acts[0]
        held = (
            act.act == "restart"
            and act.shape == "order"
            and any((a.act == "hold" or self._on_hold.match(said, a.start)) and a.start < act.start for a in acts)
        )
        if held and not any(n.start > act.start for n in names) and self._at_once.match(said, act.end) is None:
            return True  # "on hold for the colonoscopy, resume 5/8"
        if act.act == "restart" and act.ordered and not any(n.start > act.start for n in names):
            return self._lateness.is_later(said, clause.start, clause.end, act)
        if act.act in _ENDED_LATER:
            own = any(0 <= n.start - act.end <= _LOOK_BACK for n in names)
            course = act.shape == "order" and self._lateness.ends_a_course(said, clause.head, act, own=own)
            if act.shape == "behind" and self._lateness.is_at_its_end(said, clause.head, act):
                return True
            return course or (act.shape in _TO_COME and self._lateness.is_later(said, clause.start, clause.end, act))
        if first or act.shape != "order" or any(n.start > act.start for n in names):
            return False
        if act.act == "restart":
            return self._lateness.ends_a_course(said, clause.head, act, own=False)
        return act.act == "change" and self._lateness.is_later(said, clause.start, clause.end, act)

    def _left_out(self, said: str, clause: _Edge) -> list[_Edge]:
        """What is named only as that in whose place something else is done."""
        found = []
        for hit in self._leaves.finditer(said, clause.start, clause.end):
            comma = _COMMA.search(said, hit.end(), clause.end)
            found.append(_Edge(hit.start(), comma.start() if comma else clause.end))
        return found

    def _bind(self, said: str, marks: Sequence[_Mark], at: int, last: _Name | None, bound: Bound) -> None:
        cue = marks[at]
        assert isinstance(cue, Cue)
        following = marks[at + 1] if at + 1 < len(marks) else None
        before = self._before(said, marks[:at], cue)
        right = following if isinstance(following, _Name) and self._reaches(said, cue, following) else None
        if cue.act == "both":
            self._bind_both(said, marks, at, right, before or last, bound)
        elif cue.act == "switch" or self._is_from_one_to_another(said, cue, before, following):
            self._switch(said, marks, at, self._not_beside(said, marks[:at], before, bound) or last, bound)
        elif cue.shape in _AHEAD_ONLY:
            if right is not None:
                bound.setdefault(right.n, []).append((cue, True))
        elif before is None and last is not None and cue.shape in _BEHIND_ONLY and self._it.search(said, cue.start, cue.end):
            bound.setdefault(last.n, []).append((cue, False))  # "…, but she hasn't picked it up"
        elif cue.shape in _BEHIND_ONLY or self._stands_beside(said, cue, marks[at - 1] if at else None, bound):
            self._bind_back(said, cue, before, marks, bound)
        elif right is not None:
            but = cue.act in _ENDS and self._excepting.search(said, cue.end, right.start) is not None
            bound.setdefault(right.n, []).append((replace(cue, denied=not cue.denied) if but else cue, True))
        elif self._bare.match(said, cue.end) is not None or self._is_this.match(said, cue.end) is not None:
            if before is None and last is not None:
                bound.setdefault(last.n, []).append((cue, False))
            else:
                self._bind_back(said, cue, before, marks, bound)

    def _is_in_its_place(self, said: str, name: _Name, left_out: Sequence[_Edge]) -> bool:
        """Whether a medicine stands behind what it is given instead of: "instead of Ambien, melatonin 3 mg"."""
        before = [e.end for e in left_out if e.end <= name.start]
        return any(not self._weighty(said[end : name.start]) for end in before)

    def _before(self, said: str, marks: Sequence[_Mark], cue: Cue) -> _Name | None:
        """The medicine before an act; of "it", none that is named only as what another must not be taken with."""
        names = [m for m in marks if isinstance(m, _Name)]
        pointed = self._is_this.match(said, cue.end) is not None or self._it.search(said, cue.start, cue.end) is not None
        return self._of_it(said, names, 0) if pointed else names[-1] if names else None

    def _not_beside(self, said: str, marks: Sequence[_Mark], name: _Name | None, bound: Bound) -> _Name | None:
        """The medicine before a switch; not the one that it must not be taken with: "A interacts with her B, change to C"."""
        names = [m for m in marks if isinstance(m, _Name)]
        with_it = name is not None and any(self._interacts.match(said, c.start) for c, ahead in bound.get(name.n, ()) if ahead)
        return names[-2] if with_it and len(names) > 1 else name

    def _of_it(self, said: str, names: Sequence[_Name], head: int) -> _Name | None:
        """The medicine that "it" means behind some names: the last, but not one that another must not be taken with."""
        before = names[-2] if len(names) > 1 else None
        if names and self._companions.is_one(said, head, before.end if before is not None else None, names[-1].start):
            return before
        return names[-1] if names else None

    def _bind_both(
        self, said: str, marks: Sequence[_Mark], at: int, right: _Name | None, one: _Name | None, bound: Bound
    ) -> None:
        """ "Enoxaparin bridging to warfarin", "overlap enoxaparin with warfarin": both are given."""
        cue = marks[at]
        assert isinstance(cue, Cue)
        if one is not None:
            bound.setdefault(one.n, []).append((replace(cue, act="take"), False))
        if right is None:
            return
        bound.setdefault(right.n, []).append((replace(cue, act="start"), True))
        other = marks[at + 2] if at + 2 < len(marks) else None
        if isinstance(other, _Name) and self._to.search(said, right.end, other.start):
            bound.setdefault(other.n, []).append((replace(cue, act="start"), True))

    def _is_from_one_to_another(self, said: str, cue: Cue, one: _Name | None, other: _Mark | None) -> bool:
        """Whether a sign leads from one medicine to another: "Augmentin → doxycycline"."""
        if one is None or not isinstance(other, _Name) or cue.shape != "behind" or said[cue.start].isalnum():
            return False
        return not said[cue.end : other.start].strip()

    def _it_may_be(self, said: str, clause: _Edge, cue: Cue, last: _Name | None) -> _Name | None:
        """The medicine that an act without one of its own may mean: across a full stop only with a dose, or "it"."""
        if clause.far and (said[clause.start : cue.start].strip() or self._is_it.match(said, cue.end) is None):
            return None
        return last

    def _bind_back(self, said: str, cue: Cue, before: _Name | None, marks: Sequence[_Mark], bound: Bound) -> None:
        """An act behind a medicine, and behind those that are named with it."""
        if before is None or not self._is_told_of(said, cue, before):
            return
        led = self._to_end.search(said, cue.start, cue.end) is not None
        modal = self._modal.match(said, cue.start) is not None
        if cue.shape == "order" and not led and not modal and not said[before.end : cue.start].strip():
            if cue.act in _IS_TAKING:
                return  # "denies aspirin use"
            bound.setdefault(before.n, []).append((replace(cue, act=_NOUN), False))
            return
        alone = self._stopped_behind.match(said, before.end) is not None
        for name in self._with_it(said, marks, before):
            if name is not before and (bound.get(name.n) or (alone and self._is_dosed(said, name, marks))):
                return
            bound.setdefault(name.n, []).append((cue, False))

    @staticmethod
    def _is_dosed(said: str, name: _Name, marks: Sequence[_Mark]) -> bool:
        """Whether a medicine has a dose of its own before the next is named: "lisinopril 10 mg daily, metformin on hold"."""
        behind = min(m.start for m in marks if isinstance(m, _Name) and m.start >= name.end)
        return _DIGIT.search(said, name.end, behind) is not None

    def _reaches(self, said: str, cue: Cue, name: _Name) -> bool:
        """Whether an act before a medicine is done with it: nothing else stands between them that it may be done with."""
        gap = said[cue.end : name.start]
        words = self._weighty(gap)
        heads = cue.shape in ("done", "order") and "," not in gap and not said[: cue.start].strip() and len(words) <= _NEAR
        if self._another.search(gap) is not None or self._is_this.match(said, cue.end) is not None:
            return False  # "my lips blew up and they told me never to touch it"
        if cue.act == "allergy" and cue.shape == "done" and words:
            return False  # "peanut allergy, carries an injector"
        if cue.act == "allergy" and cue.shape == "label":
            return self._no_allergy.search(gap) is None and _DIGIT.match(said, name.end) is None
        if len(words) > _FAR.get(cue.shape, -1) or (_COMMA.search(gap) is not None and cue.shape != "label" and not heads):
            return False
        return cue.act not in _ENDS or self._parts.isdisjoint(words[1:] if cue.shape == "done" else words)

    def _stands_beside(self, said: str, cue: Cue, before: _Mark | None, bound: Bound) -> bool:
        """Whether an act in the past stands right behind a medicine of which nothing is told yet: "metformin stopped"."""
        if (
            cue.shape != "done"
            or not isinstance(before, _Name)
            or (bound.get(before.n) and not self._somebody.search(said[before.end : cue.start]))
        ):
            return False
        gap = said[before.end : cue.start]
        if cue.act == "allergy" and self._weighty(gap):
            return False  # "clindamycin if the other allergy is confirmed"
        return "," not in gap and len(self._weighty(gap)) <= _NEAR and self._joins.isdisjoint(gap.lower().split())

    def _is_told_of(self, said: str, cue: Cue, name: _Name) -> bool:
        """Whether what is told behind a medicine is told of it; an end only where nothing else may be meant."""
        if self._is_this.match(said, cue.end) is not None:
            return True  # "…, but weaned himself off of it"
        if cue.shape == "behind" and self._it.search(said, cue.start, cue.end) is not None:
            return True  # "so no, I haven't started it"
        gap = said[name.end : cue.start]
        words = self._weighty(gap)
        if words and words[-1] in self._tests and not any(c.isdigit() for c in gap):
            return False  # "…; level pending"
        if cue.shape == "order":
            tail = self._weighty(_SEGMENT.split(gap)[-1])
            return all(w in self._leading for w in tail) and (cue.act not in _ENDS or len(words) <= _FAR_BACK)
        if cue.act == "allergy" and cue.shape == "done":
            return not words
        if cue.act == "consider" and ";" in gap and words:
            return False  # "on Suboxone; lock box discussed"
        if cue.act in _ENDS and cue.shape != "label":
            return all(w in self._beside or w in self._joins for w in words)
        return len(words) <= _FAR_BACK

    def _are_joined(self, said: str, one: _Name, other: _Name) -> bool:
        """Whether two medicines stand side by side, nothing but doses and joining words between them."""
        return all(w in self._joins for w in self._weighty(said[one.end : other.start]))

    def _weighty(self, gap: str) -> list[str]:
        """The words of a gap that tell neither a dose nor how."""
        words = [w.strip(".!?'\"").lower() for w in _WORD.findall(gap)]
        return [w for w in words if w and w[0].isalpha() and not self._is_dosing(w) and not _ADVERB.match(w)]

    def _share(self, said: str, marks: Sequence[_Mark], bound: Bound) -> None:
        """What is told before one medicine goes on to the next ones of its list."""
        names = [m for m in marks if isinstance(m, _Name)]
        for one, other in pairwise(names):
            ahead = [(c, right) for c, right in bound.get(one.n, ()) if right]
            own = [c for c, _ in bound.get(other.n, ()) if c.shape == "behind" or (c.shape != "weak" and c.act not in _BESIDE)]
            own = [c for c in own if not (ahead and ahead[-1][0].act in _ENDS and c.act in _REPORTS and self._is_whose(said, c))]
            if not ahead or own or any(isinstance(m, Cue) and one.end <= m.start < other.start for m in marks):
                continue
            gap = said[one.end : other.start]
            if ahead[-1][0].act == "avoid" and self._beside_it.search(gap) is not None:
                bound.setdefault(other.n, []).append((replace(ahead[-1][0], act="take"), True))  # "avoid one with another"
                continue
            if not self._goes_on(gap, ahead[-1][0]):
                continue
            doubt = ahead[-1][0].act in _ENDS and not self._joins & set(gap.lower().split()) and not _DIGIT.search(gap)
            doubt = doubt and _DIGIT.match(said, other.end) is not None
            bound[other.n] = [(replace(ahead[-1][0], act="doubt"), True)] if doubt else [*ahead, *bound.get(other.n, ())]

    def _goes_on(self, gap: str, cue: Cue) -> bool:
        words = self._weighty(gap)
        if self._lateness.is_conditional(gap):
            return False  # "consider one if the other fails"
        if not self._turned.isdisjoint(gap.lower().replace(",", " ").split()[-1:]):
            return False  # "on Eliquis, not Coumadin"
        if all(w in self._among for w in words):
            return True
        tail = self._weighty(re.split(r",", gap)[-1]) if "," in gap else words
        begins = "," in gap or any(w in self._joins for w in words[-_LEADS:])
        return cue.act not in _ENDS and begins and len(words) <= _NEAR and self._parts.isdisjoint(tail)

    # -------------------------------------------------------------- from one to another

    def _switch(self, said: str, marks: Sequence[_Mark], at: int, before: _Name | None, bound: Bound) -> None:
        """ "Switch one to another", "switch to another", "one was replaced by another"; of one name and a new dose, a change."""
        cue = marks[at]
        assert isinstance(cue, Cue)
        ahead: list[_Name] = []
        for mark in marks[at + 1 :]:
            if isinstance(mark, Cue) and mark.shape == "weak":
                continue
            if not isinstance(mark, _Name) or len(ahead) > _TWO:
                break
            ahead.append(mark)
        if cue.thought and not cue.denied:
            self._switch_thought_of(said, cue, ahead, before, bound)
            return
        if cue.denied or (cue.reported and before is None):
            for name in ahead:
                bound.setdefault(name.n, []).append((replace(cue, act="open"), True))
            return
        old, new = self._from_to(said, cue, ahead, before)
        if new is not None:
            bound.setdefault(new.n, []).append((replace(cue, act="start"), True))
        elif old is not None and not ahead and self._to.match(said[cue.end :].lstrip()) and not self._bare.match(said, cue.end):
            bound.setdefault(old.n, []).append((replace(cue, act="doubt"), False))
            return
        elif old is not None and self._to.search(said, cue.end):
            bound.setdefault(old.n, []).append((replace(cue, act="change"), old.start > cue.start))
            return
        if old is not None and new is not None:
            self._left_behind(said, marks, cue, old, new, bound)

    def _left_behind(self, said: str, marks: Sequence[_Mark], cue: Cue, old: _Name, new: _Name, bound: Bound) -> None:
        """What is ended where another begins, with those that are named beside it."""
        for name in self._with_it(said, marks, old):
            told = any(self._is_told_beside_an_end(c) for c, _ in bound.get(name.n, ()))
            if name is not new and not told:
                bound.setdefault(name.n, []).append((replace(cue, act="stop"), False))

    @staticmethod
    def _is_told_beside_an_end(act: Cue) -> bool:
        """Whether an act of a medicine that another takes the place of is more than that it was begun with or taken before."""
        begun = act.act in _BEGUN and act.shape == "done" and not (act.ordered or act.denied or act.later)
        return not begun and act.act != "take" and act.shape != "weak" and not act.thought

    def _switch_thought_of(self, said: str, cue: Cue, ahead: Sequence[_Name], before: _Name | None, bound: Bound) -> None:
        """ "Consider switching one to another": the one is taken, the other considered."""
        old, new = self._from_to(said, cue, ahead, before)
        if old is not None and new is not None:
            bound.setdefault(old.n, []).append((replace(cue, act="stop", thought=False, later=True), True))
        for name in ahead:
            if name is not old:
                bound.setdefault(name.n, []).append((replace(cue, act="consider", thought=False, later=False), True))

    def _with_it(self, said: str, marks: Sequence[_Mark], last: _Name) -> Iterator[_Name]:
        """A medicine, and those before it that are named with it."""
        yield last
        names = [m for m in marks if isinstance(m, _Name) and m.start <= last.start]
        for one, other in zip(reversed(names[:-1]), reversed(names[1:]), strict=True):
            if not self._are_joined(said, one, other):
                return
            yield one

    def _from_to(
        self, said: str, cue: Cue, ahead: Sequence[_Name], before: _Name | None
    ) -> tuple[_Name | None, _Name | None]:  # fmt: skip
        first = ahead[0] if ahead else None
        if first is None:
            return before, None
        if len(ahead) > _TWO and self._are_joined(said, ahead[0], ahead[1]):
            first, ahead = ahead[1], ahead[1:]  # "narrow one and another to a third"
        sign = not said[cue.start].isalnum()
        if sign or self._to_last.search(said[cue.end : first.start]) is not None or self._to_end.search(said, cue.start, cue.end):
            second = ahead[1] if len(ahead) > 1 else None
            back = second is not None and self._from.search(said[first.end : second.start]) is not None
            return (second if back else before), first
        second = ahead[1] if len(ahead) > 1 else None
        if second is not None and self._to.search(said, first.end, second.start):
            return first, second
        return first, None

    # -------------------------------------------------------------- what it comes to

    def _told(self, said: str, clause: _Edge, acts: Sequence[tuple[Cue, bool]]) -> Charted | None:
        """What the last act that weighs makes of a medicine; None where that is left open."""
        each = sorted((act for act in acts if act[0].act != _NOUN), key=lambda act: act[0].start)
        if not each:
            return None
        strong = [act for act in each if act[0].act not in _BESIDE and act[0].shape not in ("weak", "label")]
        labels = [act for act in each if act[0].shape == "label"]
        strong = self._without_whose(said, strong)
        strong = [act for act in strong if not act[0].later] or ([] if labels else strong)
        takes = [act for act in each if act[0].act in _BESIDE]
        cue, ahead = (strong or takes or labels or each)[-1]
        if cue.act == "doubt":
            return Charted("mentioned")
        if cue.act == "ask":
            return Charted("asking")
        if cue.act in _TURNS_THE_NEXT and len(each) < len(acts):
            return Charted("taking")  # "hold off on the lisinopril increase"
        earlier = cue.act in _LEFT_OPEN_OF_THEN
        if not cue.later and earlier and self._earlier.search(said, clause.start, clause.end):
            return None
        a_while = cue.act == "stop" or (cue.act == "avoid" and (clause.talk or cue.shape == "next"))
        if a_while and self._for_a_while.search(said, cue.end, self._own_end(said, cue, clause, ahead=ahead)) is not None:
            cue = replace(cue, act="hold")
        plain, cue = cue, self._not_as_it_should(said, clause, cue, ahead=ahead)
        as_told = cue is plain
        if cue.later and self._is_left_out_then(said, cue, clause.end):
            cue = replace(cue, act="hold", later=False)  # "told not to take it tomorrow"
        orders = clause.orders or (cue.shape == "order" and self._prescribes.match(said, cue.start) is not None)
        leaving = clause.talk and not orders and self._leaving.match(said, cue.start) is not None
        cue = replace(cue, act="change") if leaving and cue.act == "stop" else cue  # "I'm coming off it, 10 mg for now"
        to_come = clause.talk and not orders and cue.act in _BEGUN and cue.ordered
        ahead_of_it = clause.talk and not orders and cue.act == "stop" and cue.ordered
        if ahead_of_it and self._will.search(said, max(clause.start, cue.start - _NEAR_WILL), cue.start) is not None:
            cue = replace(cue, later=True)  # "and then I'll be done with it"
        cue = replace(cue, later=cue.later or to_come, reported=cue.reported or (clause.talk and not orders))
        then = cue.act in ("change", "restart") and cue.shape == "done" and not cue.ordered and not cue.later
        if then and self._earlier.search(said, cue.end, clause.end) is not None:
            cue = replace(cue, reported=True)  # "was increased to 40 mg by cardiology last month"
        paused = cue.later and cue.act == "restart" and not (ahead or clause.talk)
        told: _Outcome = ("stopped", "held") if paused else _outcome(cue)
        if told is None:
            return None
        new_dose = cue.act in _NEW_DOSE and not ahead and cue.shape != "weak" and not cue.later
        turned = cue.denied or cue.thought or to_come or (cue.act == "stop" and as_told and " " in said[cue.start : cue.end])
        place = cue.end if new_dose else 0
        return Charted(told[0], told[1], place, later=cue.later, account=cue.reported or clause.talk, turned=turned)

    def _not_as_it_should(self, said: str, clause: _Edge, cue: Cue, *, ahead: bool) -> Cue:
        """An act that tells doses left out where its words say that it is one of some doses only: "not taking it regularly",
        "takes it now and then, not every day", "refused it this morning"."""
        if cue.later or cue.thought or not (cue.act in _IS_TAKING or cue.act in ("avoid", "refill")):
            return cue
        end = self._own_end(said, cue, clause, ahead=ahead)
        no_longer = self._no_longer.search(said, cue.end, end) is not None and self._steadily.search(said, cue.end, end) is None
        if no_longer and (cue.denied or cue.act == "avoid"):
            return replace(cue, act="stop", denied=False)  # "won't take it anymore", "no need for it any longer"
        if cue.act == "avoid":
            behind = said.rfind(NAME, cue.end, end) + 1 if ahead else cue.end
            told = cue.shape in ("done", "ahead", "behind") and not cue.ordered
            missed = told and self._one_dose.search(said, behind, end) is not None
        else:
            faithless = self._steadily if cue.denied else self._unsteadily
            missed = cue.act == "take" and faithless.search(said, cue.end, end) is not None
        return replace(cue, act="miss", denied=False) if missed else cue

    def _without_whose(self, said: str, acts: list[tuple[Cue, bool]]) -> list[tuple[Cue, bool]]:
        """The acts without one that only says whose doing the medicine was: "stop the citalopram her PCP started"."""
        ends = bool(acts) and acts[0][1] and acts[0][0].act in _ENDS and not (acts[0][0].denied or acts[0][0].thought)
        if not ends:
            return acts
        return [
            (cue, ahead) for cue, ahead in acts
            if ahead or cue.act not in _REPORTS or cue.shape != "done" or not self._is_whose(said, cue)
        ]  # fmt: skip

    def _is_whose(self, said: str, cue: Cue) -> bool:
        """Whether somebody stands right behind the name, and does what an act says."""
        gap = said[said.rfind(NAME, 0, cue.start) + 1 : cue.start]
        return (
            "," not in gap and ";" not in gap and self._somebody.search(gap) is not None and self._joins.isdisjoint(gap.split())
        )

    def _is_left_out_then(self, said: str, cue: Cue, end: int) -> bool:
        """Whether a dose of one day is to be left out, and no more: "hold it tomorrow", "not to take it on the morning of …"."""
        left_out = cue.act == "hold" or (cue.act == "stop" and self._not_to.match(said, cue.start) is not None)
        return left_out and self._near_day.search(said, cue.end, end) is not None


class _Kin:
    """Of whom a clause tells: from a relative on to where it goes on with somebody else."""

    def __init__(self, language: Language) -> None:
        kin = language.meaning("chart-kin")
        self._pronoun = dict(kin)
        self._patient = alone(language.words("chart-patient"))
        self._whose = re.compile(
            rf"\W*(?:{any_of([*language.words('mine'), *language.words('theirs'), 'the', 'and', 'but'])}\s+)*", re.I
        )
        self._took = re.compile(rf"{any_of(language.words('told-as-taken-then'))}(?![\w-])", re.I)
        self._object = re.compile(rf"\s+{any_of(language.words('chart-objects'))}(?=\s)", re.I)
        reporters = any_of([*language.words("reporting"), *language.words("kin-only-reports")])
        self._of = re.compile(
            rf"(?:\A|[,;:.]\s*|\band\s+|\s)(?:[\w']+\s+)?(?P<kin>{any_of(kin)})(?:['’]s)?(?![\w-])(?!\s+{reporters}\b)", re.I
        )
        self._told_by = re.compile(rf"(?<![\w-]){any_of(language.words('before-who-tells'))}\s+(?:[\w'’]+\s+)?\Z", re.I)
        people = [*sorted(set(kin.values())), *language.words("chart-patient"), *language.words("of-the-speaker")]
        self._next = re.compile(
            rf"(?:[,;:.]\s*|\band\s+|(?<![\w-]){any_of(language.words('chart-clauses'))}\s+)(?P<who>{any_of(people)})\b", re.I
        )

    def _is_for_the_patient(self, said: str, after: int, act: Cue, name: _Name) -> bool:
        """Whether a relative does something to the patient: "mom gave the patient Tylenol", "her husband gave her one of his"."""
        if self._patient.search(said, act.start, name.start) is not None:
            return True
        return not said[after : act.start].strip() and self._object.match(said, act.end) is not None

    def of(self, said: str, clause: _Edge, names: Sequence[_Name], bound: Bound) -> dict[int, Charted]:
        """The medicines that a clause tells of a relative, and those of which it does not tell whose they are."""
        hits = self._of.finditer(said, clause.head, clause.end)
        kin = next((hit for hit in hits if self._told_by.search(said, clause.head, hit.start("kin")) is None), None)
        if kin is None or kin.start("kin") - clause.head > _LOOK_BACK:
            return {}
        other = self._next.search(said, kin.end(), clause.end)
        until = other.start() if other else clause.end
        found = {}
        for name in names:
            acts = [c for c, ahead in bound.get(name.n, ()) if ahead and kin.end() <= c.start]
            owned = kin.end("kin") < kin.end() and not said[kin.end() : name.start].strip()
            if owned and self._whose.fullmatch(said, clause.start, kin.start("kin")) is not None:
                found[name.n] = Charted("someone_elses")  # "wife's Wegovy is up to 0.5"
                continue
            if acts and self._is_for_the_patient(said, kin.end(), acts[-1], name):
                continue  # "mom gave the patient Tylenol"
            then = bool(acts) and not said[kin.end() : acts[-1].start].strip() and self._took.match(said, acts[-1].start)
            if kin.end() <= name.start < until and acts and (acts[-1].act == "take" or acts[-1].reported or then):
                found[name.n] = Charted("someone_elses")
            elif other and name.start > until and lowered(other["who"]) in (self._pronoun[lowered(kin["kin"])], "they"):
                found[name.n] = Charted("mentioned")
        return found


def _outcome(cue: Cue) -> _Outcome:
    """What an act makes of a medicine, by how it is told."""
    each = _BECOMES.get(cue.act)
    if each is None or (cue.thought and cue.denied):
        return None
    how = (cue.later, _LATER), (cue.thought, _THOUGHT), (cue.denied, _DENIED), (cue.reported, _ACCOUNT), (True, _TOLD)
    return each[next(column for told, column in how if told)]


def _masked(said: str, names: Sequence[tuple[int, int]]) -> str:
    """A sentence with its names, and brackets that hold none, put out of sight; every place stays where it is."""
    for a, b in names:
        said = said[:a] + NAME * (b - a) + said[b:]
    return _BRACKETED.sub(lambda m: m[0] if NAME in m[0] or _TELLS_AN_END.match(m[0]) else " " * len(m[0]), said)


def _moved(told: Charted | None, by: int) -> Charted | None:
    return replace(told, dose_from=told.dose_from + by) if told is not None and told.dose_from else told
