"""What a text says of the patient besides medicines: results, conditions, allergies, what is eaten, age, weight, pregnancy."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from msgspec.structs import replace

from safety.answering.checker import Checker
from safety.edge.extraction import (
    AllergySaid,
    ConditionSaid,
    ConditionStanding,
    Extraction,
    FactSaid,
    IntakeSaid,
    MedicationSaid,
    ResultSaid,
    Span,
)
from safety.edge.not_had import NotHad
from safety.edge.sections import Sections, within
from safety.edge.speaking import Sentence, Turn
from safety.model.patient import Allergy
from safety.model.problem_line import Head
from safety.reading.results.told import ToldResult
from safety.reading.wording import any_of, worded
from safety.text import fold, lowered

_NO_DAY = date(2000, 1, 1)
"""Days that are told do not matter here, so "yesterday" is of no day."""
_LONGEST = 600
_CLAUSE = re.compile(r"[.;:,!?\n()]")
_NEXT_ALLERGEN = re.compile(r"(?:,|\)\s*,?)\s*(?=\w)")
_MOST_OF_AN_ALLERGY = 8
_STANDING: dict[str, ConditionStanding] = {
    "told": "active", "recent": "active", "history": "active", "done": "past", "resolved": "past", "suspected": "suspected",
    "denied": "denied", "family": "family",
}  # fmt: skip
_EARLIER = "history of"
_FOOD_WORDS = 3
_SHORT = 5
_BULLETS = " \t\n-•*·"
_BREAKS = r"(?=[\s,:;./)]|\Z)"
_WEEK = 7
_AGES = ("day", "week", "month", "year")


class PatientFacts:
    """Reads the facts of a text by the readers of one library; made once, shared, never changed."""

    def __init__(self, checker: Checker) -> None:
        language = checker.library.language
        words = language.words
        self._terms, self._library, self._spoken = checker.terms, checker.library, checker.spoken
        told: dict[str, list[str]] = {}
        for phrase, meaning in language.meaning("told-of-oneself").items():
            told.setdefault(meaning, []).append(phrase)
        one = any_of(self._spoken.plainly.numbers.values, "[ -]")
        number = rf"(?:\d{{1,3}}(?:\.\d)?|{one}(?:[ -]{one})?)"
        self._ages = {w: u for w, u in language.meaning("time-units").items() if u in _AGES and len(w) > 1}
        self._units = checker.library.units
        age, old, own, no = (any_of(told[meaning]) for meaning in ("age", "old", "self", "denied"))
        self._age = re.compile(
            rf"\b(?P<n>{number})[ -]?(?P<u>{any_of(self._ages)})[ -](?:{old})\b|\b{age}:?\s+(?P<n2>\d{{1,3}})\b", re.I
        )
        self._sexes = (
            dict.fromkeys(told["female"], "female") | dict.fromkeys(told["male"], "male") | language.meaning("told-sexes")
        )
        self._sex = re.compile(
            rf"(?:\b{old}\s+(?:[\w-]+\s+){{0,3}}|\b{own}\s+{any_of(told['a'])}\s+(?:[\w-]+\s+){{0,3}}?)(?P<s>{any_of(self._sexes)})\b",
            re.I,
        )
        sexed = rf"(?P<s>{any_of(language.meaning('told-sexes'))})(?![\w'’-])"
        self._charted_ages = (
            re.compile(
                rf"(?<![\w./-])(?P<n>\d{{1,3}})[\s-]?(?P<u>){any_of(words('told-ages'))}(?![\w.])(?:[\s,/-]*{sexed})?", re.I
            ),
            re.compile(rf"(?<![\w./-])(?P<n>\d{{1,3}})[\s-]?(?P<u>{any_of(self._ages)})[\s/-]?{sexed}", re.I),
            re.compile(rf"(?<!\w)(?i:{any_of(words('before-an-age'))})\s+(?P<n>\d{{1,3}})(?P<u>)\s?(?P<s>[FM]){_BREAKS}"),
        )
        """As charts have it: "72 y/o F", "6 mo male", "Pt is a 58M"."""
        self._begins = re.compile(rf"\W*(?P<n>[1-8]?\d|9[0-4])(?P<u>)\s?(?P<s>[FM]){_BREAKS}")
        """How a note begins: "72F with AF"; anywhere else that may be a temperature."""
        self._titles = language.meaning("sexes-by-title")
        self._titled = re.compile(rf"(?<![\w.])(?P<s>(?i:{any_of(self._titles)}))\.?\s+[A-Z]\w")
        verbs = any_of((*words("problem-reporters"), *words("kin-only-reports")))
        self._kin_reports = re.compile(rf"(?<!\w){any_of(words('relatives-in-talk'))}\W+(?:\w+\W+){{0,2}}?{verbs}(?!\w)", re.I)
        """A relative who only tells of the patient."""
        self._mass = re.compile(rf"(?<![\w./])(?P<n>\d{{1,3}}(?:\.\d+)?)\s?(?P<u>{any_of(words('body-masses'))})(?![\w/])", re.I)
        self._weight = re.compile(
            rf"\b{any_of(told['weighs'])}\s*:?\s*(?:[a-z]+\s+){{0,2}}?(?P<n>\d{{1,3}}(?:\.\d+)?)\s*(?P<u>[a-z]+)\b", re.I
        )
        weeks, months = (any_of(w for w, u in language.meaning("time-units").items() if u == unit) for unit in ("week", "month"))
        self._pregnant = re.compile(
            rf"(?:(?P<no>\b{no}\s+)|(?P<n>\b{number})\s+{weeks}\s+|\b{number}\s+{months}\s+|\b{own}\s+)"
            rf"{any_of(told['pregnant'])}\b",
            re.I,
        )
        levels = any_of(w for w, kind in language.meaning("result-levels").items() if kind == "level")
        self._level = re.compile(
            rf"(?<![\w-]){levels}\s?(?:[:=]|(?:{any_of(words('tells-of-a-level'))}\s)+)?\s?(?P<n>\d+(?:\.\d+)?)(?![\w.]*/|\s?(?:{weeks}))",
            re.I,
        )
        before, behind = (any_of(words(f"{where}-weeks-of-something-else")) for where in ("before", "behind"))
        week = rf"\d{{1,2}}(?:\s?-\s?\d{{1,2}})?[\s-]?(?:{weeks}|w)(?!\w)"
        self._weeks_in = re.compile(rf"\d[\s-]?(?:{weeks}|w)(?![a-z])", re.I)
        self._other_weeks = re.compile(rf"(?<![\w-]){before}\s?{week}|{week}[\s-]+{behind}(?!\w)", re.I)
        """As in "for 2 weeks", "11 weeks after surgery"."""
        self._nursing = re.compile(rf"(?P<no>\b{no}\s+)?\b{any_of(told['breastfeeding'])}\b", re.I)
        fillers = any_of(words("fillers-of-talk"))
        self._opens = re.compile(rf"\W*(?:{fillers}\W+){{0,3}}{any_of(words('question-openings'))}\b", re.I)
        self._of_allergy = re.compile(rf"\b{any_of(words('of-allergies'))}\b", re.I)
        self._allergic = re.compile(
            rf"\b(?P<no>{no}\s+(?:\w+\s+){{0,2}})?{any_of(words('allergic-to'))}\s*(?::|\bto\b|\bwith\b)\s+", re.I
        )
        self._behind = re.compile(rf"[\s-]+{any_of(words('allergy-behind'))}(?![\w-])", re.I)
        self._denied = re.compile(rf"(?<![\w-]){any_of(words('denial'))}(?![\w-])", re.I)
        self._turns = re.compile(rf"(?<![\w-]){any_of(words('turning'))}(?![\w-])", re.I)
        self._of_kin = re.compile(rf"(?<![\w-]){any_of(words('allergy-of-kin'))}(?![\w-])", re.I)
        self._not_had, self._sections = NotHad(language), Sections(language)
        self._until = re.compile(rf"[.;!?\n()]|\b{any_of(words('ends-an-allergen'))}\b", re.I)
        self._no = frozenset(w for w, meaning in language.meaning("answers").items() if meaning == "no")
        self._no_answer = re.compile(rf"\W*(?P<said>{any_of(self._no)})(?![\w'])", re.I)
        self._verbs = frozenset(words("verbs-of-intake"))
        self._intake = re.compile(rf"\b{any_of(self._verbs)}\b", re.I)
        talk = checker.resolver.talk
        self._talk = talk.talk | talk.no_names
        self._of_the_patient = re.compile(rf"\b{any_of(words('of-the-patient'))}\b", re.I)
        self._relative = re.compile(rf"\b{any_of(words('relatives-in-talk'))}\b", re.I)

    def _is_talk(self, word: str) -> bool:
        """Whether a word, not in capitals, is one of everyday talk, and so no abbreviation: "gave", "be"."""
        return len(word) <= _SHORT and not word.isupper() and fold(word) in self._talk

    def read(self, text: str, turns: Sequence[Turn], medications: Sequence[MedicationSaid]) -> Extraction:
        """Everything but the medicines; `medications`: those found, whose doses are no results."""
        taken = [(m.span.start, m.span.end) for m in medications] + [
            (q.span.start, q.span.end) for m in medications for q in (m.dose, m.directions) if q is not None
        ]
        results: list[ResultSaid] = []
        conditions: list[ConditionSaid] = []
        allergies = list(self._denied_allergies(text, turns))
        intake: list[IntakeSaid] = []
        facts: list[FactSaid] = []
        sections = self._sections.of(text)
        for turn in turns:
            clinician = turn.speaker == "clinician"
            for sentence in turn.sentences:
                said = text[sentence.start : sentence.end]
                if len(said) > _LONGEST:
                    said = said[:_LONGEST]
                asked = sentence.asks or (clinician and self._opens.match(said) is not None)
                about_them = self._relative.search(said) is not None
                facts += [] if asked or about_them else self._facts(said, sentence)
                facts += self._told_by_kin(said, sentence) if about_them and not asked else ()
                allergies += [] if asked or about_them else self._allergies(said, sentence, medications)
                if asked:
                    continue
                results += [r for r in self._results(said, sentence) if not _overlaps(r.span, taken)]
                results += [] if about_them else self._levels(said, sentence, medications, results)
                of_them = not clinician or self._of_the_patient.search(said) is not None
                kind, begin = self._sections.opening(said)
                listed = within(sections, "allergies", sentence.start)
                plainly = f"{' ' * begin}{said[begin:]}" if kind == "now" else said
                found = self._conditions(plainly, sentence, taken) if of_them and not listed and kind != "allergies" else ()
                of_kin = kind == "family" or within(sections, "family", sentence.start)
                conditions += (_of_kin(c) for c in found) if of_kin else found
                allergies += self._listed_allergies(said, sentence, medications) if listed else []
                intake += [] if about_them else self._taken_in(said, sentence)
        return Extraction((), tuple(results), _once(conditions), tuple(allergies), tuple(intake), _each_fact(facts))

    # -------------------------------------------------------------- results and conditions

    def _results(self, said: str, sentence: Sentence) -> Iterator[ResultSaid]:
        if not self._terms.result_lines.tells_a_number(said):
            return
        line = self._terms.result_lines.line(said, _NO_DAY)
        at = 0
        for r in line.results:
            if not r.test or r.fault or r.value is None:
                continue
            place = _find(said, line.text[r.start : r.end], at) or _heard(said, r, at)
            if place is None or (r.sign and r.sign not in said[place[0] : place[1]]):
                continue  # "greater than 30" is a rule, not a result
            named = said[place[0] : place[1]].split()[0]
            if named.islower() and self._is_talk(named):
                continue  # "Cr 1.7", "Mg 1.2" are none
            at = place[1]
            yield ResultSaid(_span(said, sentence, *place), r.test, r.name, f"{r.sign}{r.value}", r.unit)

    def _levels(
        self, said: str, sentence: Sentence, medications: Sequence[MedicationSaid], known: Sequence[ResultSaid]
    ) -> Iterator[ResultSaid]:
        """The level of the medicine named before it, "on lithium 900 mg BID, last level 1.3", where that is a test of ours."""
        for found in self._level.finditer(said):
            at = sentence.start + found.start()
            named = [m for m in medications if sentence.start <= m.span.start < at and m.normalised.status == "match"]
            if not named or any(r.span.start < sentence.start + found.end() and at < r.span.end for r in known):
                continue
            line = self._terms.result_lines.line(f"{named[-1].normalised.name} level {found['n']}", _NO_DAY)
            for r in line.results[:1]:
                if r.test and not r.fault and r.value is not None:
                    yield ResultSaid(_span(said, sentence, *found.span()), r.test, r.name, str(r.value), r.unit)

    def _conditions(self, said: str, sentence: Sentence, taken: Sequence[tuple[int, int]]) -> Iterator[ConditionSaid]:
        line = self._terms.problems.read(said)
        at = 0
        for head in line.heads if not self._sections.is_heading_of_ours(said) else ():
            standing = _STANDING.get(head.standing)
            known = self._terms.named(head.name)
            place = _find(said, head.text, at)
            if standing is None or known is None or place is None:
                continue
            at = place[1]
            if all(map(self._is_talk, said[place[0] : place[1]].split())) or said[place[1] : place[1] + 1] == "-":
                continue
            span = _span(said, sentence, *place)
            not_had = self._not_had.standing(said, *place)
            if not_had == "nobody" or (standing == "active" and self._is_a_heading_that_denies(said, place[1], line.heads, head)):
                continue
            if not_had and standing == "active":
                standing = "suspected"
            if self._relative.search(said[: place[0]]) is not None:
                standing = "family"
            elif standing == "family" and self._relative.search(said) is not None:
                standing = "active"  # the relative is named behind it, and something else is told of them
            if not _overlaps(span, taken):
                name = self._library.condition[known].name if known in self._library.condition else head.name
                yield ConditionSaid(span, known, name, standing, listed=_listed(name, head))

    def _is_a_heading_that_denies(self, said: str, end: int, heads: Sequence[Head], head: Head) -> bool:
        """Whether a condition is only the heading under which it is denied: "Tobacco Use: Non-smoker"."""
        again = (h for h in heads if h is not head and h.standing == "denied" and h.start > head.start)
        return said[end : end + 1] == ":" and any(self._terms.named(h.name) == self._terms.named(head.name) for h in again)

    # -------------------------------------------------------------- allergies

    def _denied_allergies(self, text: str, turns: Sequence[Turn]) -> Iterator[AllergySaid]:
        """A "no" to a question about allergies."""
        asked = False
        for turn in turns:
            if asked and (no := self._no_answer.match(text, turn.start, turn.end)) is not None:
                yield AllergySaid(Span(no.start("said"), no.end("said"), no["said"]), "", denied=True)
            said = text[turn.start : turn.end]
            hit = (
                self._spoken.tables["asked-about"].first(self._spoken.plainly.words(said))
                if turn.speaker == "clinician"
                else None
            )
            asked = (
                hit is not None
                and "allergic" in hit.says
                and said.rstrip().endswith(("?", "-"))
                and not self._relative.search(said)
            )

    def _allergies(self, said: str, sentence: Sentence, medications: Sequence[MedicationSaid]) -> Iterator[AllergySaid]:
        """What stands behind "allergic to", or before "allergy", and is no medicine that was found there already."""
        for found in self._allergic.finditer(said):
            for at in self._begun(said, found):
                yield from self._allergy_at(said, at, sentence, medications, found["no"] is not None)
        for behind in self._behind.finditer(said):
            yield from self._allergy_before(said, behind.start(), sentence, medications)
        if self._terms.denials.says_none(said.strip(" .,;\n")) and self._of_allergy.search(said):
            start = len(said) - len(said.lstrip())
            yield AllergySaid(_span(said, sentence, start, len(said.rstrip())), "", denied=True)

    def _listed_allergies(self, said: str, sentence: Sentence, medications: Sequence[MedicationSaid]) -> Iterator[AllergySaid]:
        """What stands in a list of allergies, and is no medicine that was found there already."""
        at = len(said) - len(said.lstrip(_BULLETS))
        if not self._terms.denials.says_none(said.strip(" .,;\n")):
            yield from self._allergy_at(said, at, sentence, medications, self._denied.search(said) is not None)

    @staticmethod
    def _begun(said: str, found: re.Match[str]) -> list[int]:
        """Where what somebody is allergic to begins; behind a colon a list may stand, "Allergies: PCN (rash), sulfa"."""
        if not found[0].rstrip().endswith(":"):
            return [found.end()]
        return [found.end(), *(m.end() for m in _NEXT_ALLERGEN.finditer(said, found.end()))]

    def _allergy_at(
        self, said: str, at: int, sentence: Sentence, medications: Sequence[MedicationSaid], denied: bool
    ) -> Iterator[AllergySaid]:
        """What somebody is allergic to by the words from a place on."""
        rest = said[at:]
        stop = self._until.search(rest)
        words = worded(rest[: stop.start()] if stop else rest)
        for n in range(min(_MOST_OF_AN_ALLERGY, len(words.words)), 0, -1):
            chunk = rest[words.starts[0] : words.ends[n - 1]]
            known, left = self._terms.allergies.read(Allergy(chunk))
            if known and not left:
                start = at + words.starts[0]
                span = _span(said, sentence, start, start + len(chunk))
                if not _overlaps(span, [(m.span.start, m.span.end) for m in medications]):
                    asks = next((k.ask for k in known if k.ask), "")
                    yield AllergySaid(span, chunk, None, None, denied, bool(asks), asks)
                break

    def _allergy_before(
        self, said: str, end: int, sentence: Sentence, medications: Sequence[MedicationSaid]
    ) -> Iterator[AllergySaid]:
        """What stands before "allergy" and is surely one: "PCN allergy", "a peanut allergy"; not "seasonal allergies"."""
        ends = (m.end() for pattern in (_CLAUSE, self._turns) for m in pattern.finditer(said, 0, end))
        begin = max(ends, default=0)
        words = worded(said[begin:end])
        starts = [begin + at for at in words.starts[-_MOST_OF_AN_ALLERGY:]]
        sure = [(at, ids) for at in starts if (ids := self._surely(said[at:end]))]
        if not sure or self._of_kin.search(said, begin, end) is not None:
            return
        start = max(at for at, ids in sure if ids == sure[0][1])  # the shortest words that say all of it
        span = _span(said, sentence, start, end)
        if not _overlaps(span, [(m.span.start, m.span.end) for m in medications]):
            yield AllergySaid(span, said[start:end], None, None, self._denied.search(said, begin, start) is not None)

    def _surely(self, said: str) -> tuple[str, ...]:
        """What words name that somebody may be allergic to, where nothing of it is guessed or left over."""
        known, left = self._terms.allergies.read(Allergy(said))
        return () if left or any(k.ask for k in known) else tuple(k.target for k in known)

    # -------------------------------------------------------------- what is eaten; who the patient is

    def _taken_in(self, said: str, sentence: Sentence) -> Iterator[IntakeSaid]:
        if self._intake.search(said) is None:
            return
        line = worded(said)
        for i in range(len(line.words)):
            for j in range(min(len(line.words), i + _FOOD_WORDS), i, -1):
                if line.words[i] not in self._verbs and self._terms.intake.is_food(" ".join(line.words[i:j])):
                    read = self._terms.intake.read(said[line.starts[max(0, i - 6)] : line.ends[j - 1]])
                    if read.food is not None:
                        yield IntakeSaid(_span(said, sentence, line.starts[i], line.ends[j - 1]), read.food, read.denied)
                    return

    def _facts(self, said: str, sentence: Sentence) -> Iterator[FactSaid]:
        if (age := self._age.search(said)) is not None and (many := self._number(age["n"] or age["n2"])):
            unit = self._ages[lowered(age["u"])] if age["u"] else "year"
            yield FactSaid(_span(said, sentence, age.start(), age.end()), "age", f"{many} {unit}s")
        else:
            yield from self._charted(said, sentence)
        if (sex := self._sex.search(said)) is not None:
            yield FactSaid(_span(said, sentence, sex.start("s"), sex.end("s")), "sex", self._sexes[lowered(sex["s"])])
        elif (title := self._titled.search(said)) is not None:
            yield FactSaid(_span(said, sentence, *title.span("s")), "sex", self._titles[lowered(title["s"])])
        if (weight := self._weight.search(said)) is not None:
            mass = self._units.symbol(weight["u"])
            if mass is not None and self._units.dimension(mass) == "mass":
                yield FactSaid(_span(said, sentence, weight.start(), weight.end()), "weight", f"{weight['n']} {mass}")
        if (pregnant := self._pregnant.search(said)) is not None:
            weeks = self._number(pregnant["n"]) if pregnant["n"] else ""
            value = "no" if pregnant["no"] else f"weeks {weeks}" if weeks else "yes"
            yield FactSaid(_span(said, sentence, pregnant.start(), pregnant.end()), "pregnancy", value)
        elif self._weeks_in.search(said) and (days := self._gestation(said)) is not None:
            yield FactSaid(_span(said, sentence, 0, len(said)), "pregnancy", f"weeks {days[0] // _WEEK}")
        if (nursing := self._nursing.search(said)) is not None:
            yield FactSaid(
                _span(said, sentence, nursing.start(), nursing.end()), "breastfeeding", "no" if nursing["no"] else "yes"
            )

    def _gestation(self, said: str) -> tuple[int, int] | None:
        """How far a pregnancy is as charts have it, "G2P1 at 11w3d", in days; weeks of something else are none of it."""
        return self._terms.problems.read(self._other_weeks.sub(" ", said)).pregnant_for

    def _told_by_kin(self, said: str, sentence: Sentence) -> Iterator[FactSaid]:
        """Whom a relative speaks of, where the age stands behind that: "Mom called re: 4 yo boy, 16 kg"."""
        reports = self._kin_reports.search(said)
        if reports is not None and self._relative.search(said, reports.end()) is None:
            yield from self._charted(f"{' ' * reports.end()}{said[reports.end() :]}", sentence)

    def _charted(self, said: str, sentence: Sentence) -> Iterator[FactSaid]:
        """The age, sex and weight with which a chart begins: "72 y/o F, 81 kg"; nothing of a sentence that tells two ages."""
        each = [hit for pattern in self._charted_ages for hit in pattern.finditer(said)]
        first = self._begins.match(said) if sentence.begins_a_line else None
        each += [first] if first is not None else []
        if len({hit["n"] for hit in each}) != 1:
            return
        hit = each[0]
        unit = self._ages[lowered(hit["u"])] if hit["u"] else "year"
        yield FactSaid(_span(said, sentence, hit.start(), hit.end()), "age", f"{hit['n']} {unit}s")
        if hit["s"]:
            yield FactSaid(_span(said, sentence, hit.start("s"), hit.end("s")), "sex", self._sexes[lowered(hit["s"])])
        masses = list(self._mass.finditer(said, hit.end()))
        mass = self._units.symbol(masses[0]["u"]) if len(masses) == 1 else None
        if mass is not None and self._weight.search(said) is None:
            yield FactSaid(_span(said, sentence, *masses[0].span()), "weight", f"{masses[0]['n']} {mass}")

    def _number(self, said: str) -> str:
        """A number in digits, however it was said; empty where it is none."""
        words = self._spoken.plainly.in_digits(said.replace("-", " ")).text.split()
        return words[0] if len(words) == 1 and words[0][0].isdigit() else ""


def _listed(name: str, head: Head) -> str:
    """A condition with its day, in the words said, or as one that is told as earlier; empty where neither is told."""
    if head.when is not None and head.when.text and not (head.when.age is not None and head.when.text.endswith("-old")):
        return f"{name} {head.when.text}"  # "58-year-old man with heart failure" is no day of it
    return f"{_EARLIER} {name}" if head.standing == "history" else ""


def _span(said: str, sentence: Sentence, start: int, end: int) -> Span:
    return Span(sentence.start + start, sentence.start + end, said[start:end])


def _of_kin(said: ConditionSaid) -> ConditionSaid:
    """A condition that stands in the history of the family."""
    return said if said.standing == "denied" else replace(said, standing="family")


def _find(said: str, shown: str, at: int) -> tuple[int, int] | None:
    """Where words that a reader gives back stand in the text itself, from a place on."""
    parts = [re.escape(part) for part in shown.split()]
    found = re.compile(r"\s+".join(parts), re.I).search(said, at) if parts else None
    return found.span() if found is not None else None


def _heard(said: str, result: ToldResult, at: int) -> tuple[int, int] | None:
    """Where a result stands whose number was told in words: from its name to the last of them."""
    name = _find(said, result.name, at) if result.heard else None
    words = _find(said, result.heard, name[1]) if name is not None else None
    return (name[0], words[1]) if name is not None and words is not None else None


def _overlaps(span: Span, taken: Sequence[tuple[int, int]]) -> bool:
    return any(start < span.end and span.start < end for start, end in taken)


def _once(conditions: Sequence[ConditionSaid]) -> tuple[ConditionSaid, ...]:
    """Each condition once for each standing, where it is told first."""
    found: dict[tuple[str, str], ConditionSaid] = {}
    for one in conditions:
        found.setdefault((one.condition, one.standing), one)
    return tuple(found.values())


def _each_fact(facts: Sequence[FactSaid]) -> tuple[FactSaid, ...]:
    """Each fact once for each value."""
    found: dict[tuple[str, str], FactSaid] = {}
    for one in facts:
        found.setdefault((one.fact, one.value), one)
    return tuple(found.values())
