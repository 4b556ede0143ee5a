"""What a turn leaves to the turns before it ("I stopped it", "the dose went up") → said with its name.

Where two medicines can be meant, it is said of each of them, and which is meant stays open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from safety.edge.bare_doses import BareDoses, Change, Dosed
from safety.edge.kinds import Kind
from safety.edge.stretches import Stretches
from safety.knowledge.language import Language
from safety.memory.events import Event
from safety.memory.subjects import Meant, Understanding
from safety.model.quantity import Quantity
from safety.reading.wording import any_of
from safety.text import lowered

_TWO, _NEAR_A_FORM = 2, 3
_SENTENCE = re.compile(r"[.!?;\n]")
_NOT_TAKEN = frozenset({"stopped", "denies", "asks", "considers"})
_MORE_THAN_IS = re.compile(r"\b(?!is\b|was\b)\w+")


class Known(Struct, frozen=True):
    """A medicine that was told of: what is in it, whether it was taken when told last, whether the speaker told of themselves, in
    which forms it was told."""

    name: str
    drugs: frozenset[str]
    taken: bool
    own: bool
    dose: Quantity | None = None
    forms: frozenset[str] = frozenset()


class Before(Struct, frozen=True):
    """Medicines that were told of: in the last turn that named one, and beside them in the turn before that named several.

    `units`: of each, the unit in which its dose was told last; `counted`: those of which a tablet was told to hold so much;
    `known`: every one.
    """

    last: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    units: dict[str, str] = {}
    counted: frozenset[str] = frozenset()
    known: tuple[Known, ...] = ()

    def dosed(self) -> tuple[list[Dosed], list[Dosed]]:
        """The medicines that are taken in a dose that was told: those of the last turn, and all of them."""
        every = [Dosed(one.name, one.dose) for one in self.known if one.taken and one.dose is not None]
        last = [one for one in every if one.name in self.last]
        alone = [Dosed(one.name, None) for one in self.known if self.last == (one.name,)]
        return last or alone, every

    def of_kind(self, kind: Kind) -> tuple[str, ...]:
        """Those that a kind can mean: of what is taken, else of what was told."""
        told = [one for one in self.known if not (kind.theirs and one.own)]
        for some in ([one for one in told if one.taken], told):
            for step in kind.steps:
                if found := tuple(one.name for one in some if one.drugs & step):
                    return found
        return ()


class Heard(Struct, frozen=True):
    """What a text names itself: where its names stand, the ingredients of its medicines, and kinds without a name."""

    places: tuple[int, ...] = ()
    drugs: tuple[frozenset[str], ...] = ()
    kinds: tuple[Kind, ...] = ()

    def spans(self) -> list[tuple[int, int]]:
        """Where each medicine that is named stands."""
        return [(place, place) for place in self.places[: len(self.drugs)]]


class Spelled(Struct, frozen=True):
    """A text with its names filled in. `among`: the medicines of which one is meant and it is open which."""

    text: str
    changes: tuple[Change, ...] = ()
    among: tuple[str, ...] = ()

    def back(self, at: int) -> int:
        """Where a place of the text stands in the words that were said."""
        shift = 0
        for one in self.changes:
            if at < one.start + shift + len(one.by):
                return min(at - shift, one.end) if at >= one.start + shift else at - shift
            shift += len(one.by) - (one.end - one.start)
        return at - shift


class Pointing:
    """Fills in names by the lists of one language; made once, never changed."""

    def __init__(self, language: Language, understanding: Understanding) -> None:
        words = language.words
        self._understanding = understanding
        self._doses, self._stretches = BareDoses(language, understanding), Stretches(language)
        self._speaker = _any(*words("of-the-speaker"))
        self._one = re.compile(rf"(?<![\w-]){any_of(words('points-to-one'))}(?P<is>['’]s)?(?![\w'’-])", re.I)
        self._all = re.compile(rf"(?<![\w-])(?<!one of ){any_of(words('points-to-all'))}(?![\w'-])", re.I)
        self._other, self._idioms = _any(*words("points-to-the-other")), _any(*words("idioms-with-it"))
        ended, left_out = any_of(words("ends-what-that-points-to")), any_of(words("ends-what-is-left-out"))
        self._that = re.compile(rf"(?<![\w-]){ended}\s+(?P<that>that|this)(?=\s*(?:[.,;!]|\Z)|\s+{left_out}\b)", re.I)
        keeps = any_of([w for w, act in language.meaning("keeps-or-ends").items() if act == "keep"])
        ends_one = any_of([w for w, act in language.meaning("keeps-or-ends").items() if act == "end"])
        self._one_ended = re.compile(
            rf"(?<![\w-]){ends_one}\s+(?P<one>one(?:\s+of\s+{any_of(words('points-to-all'))})?)\s*,?\s+(?:{any_of(words('joining-names'))}|but)\s+"
            rf"(?:\w+\s+){{0,3}}?{keeps}(?![\w-])",
            re.I,
        )
        self._every = re.compile(
            rf"(?<![\w-])(?:{ends_one}|{any_of(words('refuses-what-is-taken'))})\s+(?P<every>{any_of(words('every-medicine'))})(?![\w-])"
            rf"(?!\s+{any_of(words('excepting'))}(?![\w-]))",
            re.I,
        )
        every = any_of([*words("every-medicine"), *words("everything-in-short")])
        self._all_but = re.compile(
            rf"(?<![\w-])(?:{ends_one}|{any_of(words('refuses-what-is-taken'))})\s+(?P<every>{every}\s+{any_of(words('all-but-one'))})(?=\s)",
            re.I,
        )
        ended_itself = any_of([*words("stopped-behind-a-name"), *words("everything-was-ended")])
        self._every_ended = re.compile(
            rf"(?<![\w-])(?P<every>{every}\s+(?P<ended>{ended_itself})\s*,?\s+{any_of(words('all-but-one'))})(?=\s)", re.I
        )
        self._all_but_ended = re.compile(
            rf"(?<![\w-])(?P<whole>{every}\s+{any_of(words('all-but-one'))}\s+(?P<kept>[^.;!?]+?)\s+(?P<ended>{ended_itself}))(?![\w-])",
            re.I,
        )
        """ "Everything except the Eliquis was stopped"."""
        self._still_takes = words("takes-still-in-short")[0]
        numbers, parts = any_of(language.meaning("numbers")), any_of(words("parts-of-one"))
        number = rf"(?:\d+(?:\.\d+)?|{numbers}|{parts})(?:\s+and\s+a\s+{parts})?"
        self._amount = re.compile(
            rf"(?<![\w.])(?:{any_of(words('amounts-pointed-by'))}|{number}\s+"
            rf"{any_of(words('units-pointed-by'))})(?![\w/-])(?!\s+of\b)",
            re.I,
        )
        behind = any_of(words("behind-a-bare-count"))
        taking = rf"\b{any_of(words('verbs-of-taking'))}\s+(?:{any_of(words('before-a-bare-count'))}\s+)?"
        self._count = re.compile(rf"{taking}{number}(?=\s*(?:[.,;!]|\Z|{behind}\b))", re.I)
        self._behind = language.meaning("a-name-is-left-out-behind")
        ends = any_of(words("ends-what-is-left-out"))
        self._left_out = re.compile(rf"(?<![\w'’-]){any_of(self._behind)}(?=\s*(?:[.,;!]|\Z|\s{ends}\b))", re.I)
        self._clause = re.compile(rf"[,;.!?]\s|\s{any_of(words('begins-the-clause-of-another'))}\s", re.I)
        self._forms = language.meaning("forms-of-one-told-before")
        form = any_of(self._forms)
        self._form = re.compile(rf"(?<![\w-]){form}(?![\w-])", re.I)
        self._the_form = re.compile(
            rf"(?<![\w-])(?:{any_of(words('before-a-form-told-before'))})\s+(?P<form>{form})(?=\s*(?:[.,;!]|\Z)|\s+(?!of\b)\w)",
            re.I,
        )
        self._by_form = _any(*words("points-to-one-by-its-form"))
        counted = any_of([*words("units-pointed-by"), *language.meaning("time-units"), "times", "x", "percent"])
        bare = rf"\s+(?P<n>\d+(?:\.\d+)?)(?![\w%/-]|\.\d)(?!\s*{counted}\b)"
        self._bare = re.compile(rf"(?<![\w.]){any_of(words('leads-to-a-bare-dose'))}{bare}", re.I)
        self._begins = re.compile(rf"\W*{any_of(words('begins-a-bare-dose'))}{bare}", re.I)

    def before(self, told: Sequence[Event]) -> Before:
        """Which medicines "it", "both" and "the other one" can mean after everything that was told."""
        turns: dict[tuple[date, int], list[str]] = {}
        units: dict[str, str] = {}
        counted: set[str] = set()
        known: dict[str, Known] = {}
        for event in told:
            if event.medicine is None or event.says == "others":
                continue
            meant = self._understanding.medicine(event.medicine)
            turns.setdefault((event.told, event.turn), []).append(meant.name)
            counted |= {meant.name} if meant.each is not None else set()
            known[meant.name] = self._known(event, meant, known.get(meant.name))
            if meant.regimen.dose is not None:
                units[meant.name] = meant.regimen.dose.amount[1].unit
        groups = [tuple(dict.fromkeys(names)) for _, names in sorted(turns.items(), key=lambda item: item[0])]
        if not groups:
            return Before()
        last = groups[-1]
        beside = next((g for g in reversed(groups[:-1]) if set(last) < set(g)), ())
        return Before(last, tuple(name for name in beside if name not in last), units, frozenset(counted), tuple(known.values()))

    def _known(self, event: Event, meant: Meant, earlier: Known | None) -> Known:
        own = self._speaker.search(event.said.text) is not None or (earlier is not None and earlier.own)
        told = meant.regimen.dose.amount if meant.regimen.dose is not None else meant.regimen.per_day
        dose = told[1] if told is not None else earlier.dose if earlier is not None else None
        forms = self._forms_told(event, meant) | (earlier.forms if earlier is not None else frozenset())
        return Known(meant.name, frozenset(meant.drugs), event.says not in _NOT_TAKEN, own, dose, forms)

    def _forms_told(self, event: Event, meant: Meant) -> frozenset[str]:
        """The forms that stand right behind the name by which a medicine was told: "fentanyl patch 25 mcg"."""
        told = event.medicine.drug or event.medicine.text if event.medicine is not None else meant.name
        names = any_of({told, meant.name, *(name for d in meant.drugs if (name := self._understanding.name_of(d)))})
        hit = re.search(rf"(?<![\w-]){names}(?![\w-])(?P<own>[^,;.]*)", event.said.text, re.I)
        said = hit["own"] if hit is not None else ""
        return frozenset(self._forms[lowered(form[0])] for form in self._form.finditer(said))

    def _of_forms(self, text: str, heard: Heard, before: Before) -> list[Change]:
        """Where a text that names another medicine means one by its form, "they raised the patch", "no more films": the one that
        was told so and is taken."""
        named = [(place, drugs) for place, drugs in zip(heard.places, heard.drugs, strict=False)]
        found = []
        for hit in self._the_form.finditer(text):
            form = self._forms[lowered(hit["form"])]
            meant = [one for one in before.known if one.taken and form in one.forms]
            near = any(place - hit.start() > -_NEAR_A_FORM and place - hit.end() < 2 for place, _ in named)
            if len(meant) == 1 and not near and not any(meant[0].drugs == drugs for _, drugs in named):
                found.append(Change(*hit.span("form"), meant[0].name))
        return found

    def spelled_out(self, text: str, heard: Heard, before: Before) -> tuple[Spelled, ...]:
        """The text with the names in it that its words point to; one for each medicine that can be meant.

        Behind the first name that it has itself nothing is filled in but for kinds, "my blood thinner".
        """
        told = {one.name: one.drugs for one in before.known}
        if len(before.last) > 1 and {told[name] for name in before.last if name in told} <= set(heard.drugs):
            return (Spelled(text),)  # it names them all itself
        if (every := self._all_of(text, heard, before)) is not None:
            return (every,)
        meant = [(kind, names) for kind in heard.kinds if (names := before.of_kind(kind))]
        if meant:
            return self._of_kinds(text, meant, before)
        if heard.places and (formed := self._of_forms(text, heard, before)):
            return (with_changes(text, formed),)
        named = min(heard.places, default=len(text))
        before = self._tested(text, heard, before)
        if rest := self._the_other(text, heard, before):
            return rest
        new = self._new_doses(text, heard, before)
        if new:
            return (with_changes(text, new),)
        changes = (
            [Change(*m.span(), before.other[0]) for m in self._other.finditer(text, 0, named)] if len(before.other) == 1 else []
        )
        if len(before.last) > 1 and not changes:
            both = " and ".join(before.last)
            changes += [Change(*m.span(), both) for m in self._free(text, self._all.finditer(text, 0, named))]
        if changes or not before.last:
            return (with_changes(text, changes),)
        each = [(name, list(self._of_one(text, named, name, before))) for name in before.last]
        if not each[0][1]:
            return (Spelled(text),)
        among = before.last if len(before.last) > 1 else ()
        return tuple(with_changes(text, found, among) for _, found in each)

    def _tested(self, text: str, heard: Heard, before: Before) -> Before:
        """Where a text names none as taken, and one by its test, "the digoxin level was high, so they held it": that one."""
        named = [one.name for one in before.known if re.search(rf"(?<![\w-]){re.escape(one.name)}(?![\w-])", text, re.I)]
        if heard.places or len(named) != 1 or (len(before.last) == 1 and named[0] == before.last[0]):
            return before
        return replace(before, last=(named[0],), other=())

    def _free(self, text: str, hits: Iterable[re.Match[str]]) -> Iterator[re.Match[str]]:
        """The words that point to a medicine; none in a saying, "that's it", "I let them do it"."""
        sayings = [hit.span() for hit in self._idioms.finditer(text)]
        return (hit for hit in hits if not any(a <= hit.start() and hit.end() <= b for a, b in sayings))

    def _all_of(self, text: str, heard: Heard, before: Before) -> Spelled | None:
        """The text with every medicine that is taken, where all of them are told as refused or ended: "refusing all meds"; but
        for what it names itself behind "except"."""
        ahead = self._all_but_ended.search(text)
        if ahead is not None and heard.drugs and ahead.start("kept") <= min(heard.places, default=-1) < ahead.end("kept"):
            left = [one.name for one in before.known if one.taken and one.drugs not in heard.drugs]
            whole = f"{' and '.join(left)} {ahead['ended']}; {self._still_takes} {ahead['kept']}"
            return with_changes(text, [Change(*ahead.span("whole"), whole)]) if left else None
        but = self._all_but.search(text) or self._every_ended.search(text)
        if but is not None and heard.drugs and min(heard.places, default=0) >= but.end():
            left = [one.name for one in before.known if one.taken and one.drugs not in heard.drugs]
            ended = but.groupdict().get("ended")  # "everything was stopped except"
            whole = f"{' and '.join(left)}{f' {ended}' if ended else ''}; {self._still_takes}"
            return with_changes(text, [Change(*but.span("every"), whole)]) if left else None
        hit, taken = self._every.search(text), [one.name for one in before.known if one.taken]
        return with_changes(text, [Change(*hit.span("every"), " and ".join(taken))]) if hit is not None and taken else None

    def _the_other(self, text: str, heard: Heard, before: Before) -> tuple[Spelled, ...]:
        """The text with the name of the other of two medicines, where it names the one itself: "I stopped the other"; of more
        than two, one text for each that may be the one that was stopped."""
        known = {one.name: one.drugs for one in before.known}
        left = [name for name in before.last if known.get(name) not in heard.drugs]
        if len(before.last) < _TWO or not left or len(left) == len(before.last) or not heard.drugs:
            return ()
        others = [hit.span() for hit in self._other.finditer(text)] if len(left) == 1 else []
        spans = others or [hit.span("one") for hit in self._one_ended.finditer(text)]
        among = tuple(left) if len(left) > 1 else ()
        return tuple(with_changes(text, [Change(*span, name) for span in spans], among) for name in left if spans)

    def _new_doses(self, text: str, heard: Heard, before: Before) -> list[Change]:
        """The unit, and where it is left out the name, behind each new dose that is told by its number; of several medicines,
        each by the words that are its own."""
        last, every = before.dosed()
        if not heard.places:
            found = self._doses.find(text, last, every)
            whole = found is not None and found.by.startswith(" of ") and not self._doses.is_led_up_to(text, found.start)
            pointed = whole and found is not None and self._one.search(text, 0, found.start) is not None
            return [found] if found is not None and not pointed else []  # "it's now the long-acting one, 50 mg"
        known = {one.name: one.drugs for one in before.known}
        changes = list(self._dose_ahead(text, heard, last, every))
        for (a, b), place, drugs in zip(self._stretches.each(text, heard.spans()), heard.places, heard.drugs, strict=False):
            own = [one for one in every if known[one.name] == drugs] or [one for one in every if known[one.name] & drugs]
            name = self._understanding.name_of(*drugs) if len(drugs) == 1 else ""
            own = own or ([Dosed(name, None)] if name else [])
            new = self._doses.of_named(text[:b], own[0], place) if len(own) == 1 else None
            again = new is not None and any(new.start == one.start for one in changes)
            changes += [new] if new is not None and new.start >= a and not again else []
        return changes

    def _dose_ahead(self, text: str, heard: Heard, last: Sequence[Dosed], every: Sequence[Dosed]) -> Iterator[Change]:
        """A new dose that is told in a clause before the first name, of a medicine that was told of before: "he says 750 twice a
        day and adds lamotrigine"."""
        cut = [hit.start() for hit in self._clause.finditer(text, 0, min(heard.places))]
        ahead = text[: cut[-1]] if cut else ""
        found = self._doses.find(ahead, last, every) if ahead else None
        if found is not None and self._doses.is_led_up_to(ahead, found.start):
            yield found

    def _of_kinds(self, text: str, meant: Sequence[tuple[Kind, tuple[str, ...]]], before: Before) -> tuple[Spelled, ...]:
        """The text with names for its kinds; of a kind of which several are told, each name in a text of its own."""
        sure = [Change(kind.start, kind.end, names[0]) for kind, names in meant if len(names) == 1]
        kind, among = next(((kind, names) for kind, names in meant if len(names) > 1), (None, ()))
        if kind is not None:
            return tuple(with_changes(text, [*sure, Change(kind.start, kind.end, name)], among) for name in among)
        own = [one for one in before.dosed()[1] if one.name == sure[0].by] if len(sure) == 1 else []
        dose = self._doses.of_named(text, own[0], sure[0].start) if own else None
        return (with_changes(text, [*sure, *([dose] if dose is not None else [])]),)

    def _of_one(self, text: str, named: int, name: str, before: Before) -> Iterator[Change]:
        """Where words mean this medicine, said with its name."""
        whole = named >= len(text)
        verb = self._left_out.search(text) if whole else None
        pointed = list(_once_a_sentence(text, named, self._free(text, self._one.finditer(text, 0, named))))
        yield from (Change(*hit.span(), f"{name} is" if hit["is"] else name) for hit in pointed)
        if not pointed and verb is None and len(before.last) == 1:
            pointed = list(_once_a_sentence(text, named, self._free(text, self._by_form.finditer(text, 0, named))))
            yield from (Change(*hit.span(), name) for hit in pointed)
        if not pointed and (that := self._that.search(text, 0, named)) is not None:
            yield Change(*that.span("that"), name)
            pointed = [that]
        if not pointed and whole:
            amount = self._amount.search(text)
            pieces = self._count.search(text) if amount is None and name in before.counted else None
            if pieces is not None:
                yield Change(pieces.end(), pieces.end(), f" tablets of {name}")
            place = amount or (verb if pieces is None else None)
            if place is not None:
                of = amount is not None or self._behind[" ".join(lowered(place[0]).split())] == "of"
                yield Change(place.end(), place.end(), f" of {name}" if of else f" {name}")
                pointed = [place]
        unit = before.units.get(name)
        bare = (self._bare.search(text, pointed[0].start()) if pointed else self._begins.match(text)) if unit else None
        if bare is not None and whole:
            yield Change(bare.end(), bare.end(), f" {unit}" if pointed else f" {unit} of {name}")


def with_changes(text: str, changes: Iterable[Change], among: tuple[str, ...] = ()) -> Spelled:
    """The text with others in the place of some of its characters."""
    ordered = tuple(sorted(changes))
    built, at = [], 0
    for one in ordered:
        built += [text[at : one.start], one.by]
        at = one.end
    return Spelled("".join((*built, text[at:])), ordered, among)


def _once_a_sentence(text: str, named: int, hits: Iterable[re.Match[str]]) -> Iterator[re.Match[str]]:
    """The first of each sentence, for further on "it" is what is named then; none right before a name ("it's …")."""
    end = -1
    for hit in hits:
        told_what_it_is = named < len(text) and not _MORE_THAN_IS.search(text, hit.end(), named)
        if not told_what_it_is and (end < 0 or _SENTENCE.search(text, end, hit.start())):
            yield hit
            end = hit.end()


def _any(*phrases: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){any_of(phrases)}(?![\w'-])", re.I)
