"""The extractor without a model: names from the library, words from kb/language and kb/spoken; the same text, the same answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal

from msgspec.structs import replace

from safety.answering.checker import Checker
from safety.edge.beside_names import BesideNames
from safety.edge.charting import Charted, Charting
from safety.edge.context import Contexts, Group, State, Told
from safety.edge.cultures import Cultures, inside
from safety.edge.dosing import A_DAY, Courses, Dosed, Dosing
from safety.edge.extraction import AllergySaid, Extraction, MedicationSaid, Quoted, ResultSaid, Span
from safety.edge.facts import PatientFacts
from safety.edge.hearing import Hearing, as_written
from safety.edge.intervals import Intervals
from safety.edge.liquids import with_volumes
from safety.edge.naming import Named, Naming
from safety.edge.routes import Routes
from safety.edge.sections import Sections, within
from safety.edge.speaking import LONGEST, Sentence, Speaking, Turn
from safety.knowledge.language import Language
from safety.model.patient import LabResult
from safety.model.quantity import number
from safety.reading.results.unsaid import plausible
from safety.reading.spoken.statement import Spoken
from safety.reading.wording import Wording, any_of, worded
from safety.text import fold, plain_letters
from safety.understanding.bare import units_of
from safety.understanding.vocabulary import TERMS

_BEHIND, _AHEAD = 26, 7
"""So many words behind a name, and before it, a dose may stand."""
_STILL_OF_IT = 3
"""For so many turns after a name a dose without a name is that medicine's."""
_LONGEST_REASON, _TWO = 6, 2
TO_A_MACHINE = "It stands in words to a program that reads the text: is it taken at all?"
_SHORTEST_UNIT = 2
_LONG = frozenset({"day", "week", "month"})
"""Units of time in which the length of a course is told."""
_SHORT_SENTENCE = 8
_FAR_REASON = 60
_FAR_KIND = 40
_STOPS = re.compile(r"[.;!?\n]|\b(?:and|or)\b")
_TWO_NUMBERS = re.compile(
    r"\W{1,3}(?:\w+\s+){0,2}?(?P<a>\d+(?:\.\d+)?)\s?[-/]\s?(?P<b>\d+(?:\.\d+)?)(?![\w./%-]|\s?(?:mg|mcg|g|ml|units?)\b)", re.I
)
_A_VALUE = re.compile(r"\s*(?:[:=]|of|was|is|at|now)?\s*\d+(?:\.\d+)?(?![\w/]|\.\d|-\d|,\d)")
_NO_DAY = date(2000, 1, 1)
_ONE_NUMBER = re.compile(
    r"\s(?P<a>\d+(?:\.\d+)?)(?=\s*(?:[,;.)]|\Z|b\.?i\.?d|t\.?i\.?d|q|po\b|daily|once|twice|x\s?\d|for\b|every))", re.I
)
_BORNE = frozenset({"taking", "allergic"})
"""As what a medicine is first read that somebody bears beside an allergy to another."""
_PARTS = frozenset({"stopped", "denied", "allergic", "someone_elses", "missed"})
"""What a note says of one medicine and not of the next, where it does not say so."""
_NOT_TAKEN = frozenset({"stopped", "missed", "denied"})
_SHORTEST_IN_CAPITALS = 3
_STOP = re.compile(r"[,;:.!?\n(]")
_PARTED = re.compile(r"[,;]")
_WEAK_NEEDS = frozenset({"taking", "missed", "stopped", "prescribed", "denied", "allergic", "asking", "considering"})


class DictionaryExtractor:
    """Finds what a text says by the words of one library; made once, shared, never changed."""

    def __init__(self, checker: Checker) -> None:
        language, spoken = checker.library.language, checker.spoken
        self._terms = terms = checker.terms
        names = checker.resolver.words
        self._read, self._library, self._lexicon = checker.resolver.read, checker.library, checker.lexicon
        self._speaking = Speaking(language)
        diseases = checker.library.derived(TERMS)
        known = frozenset(diseases.condition_words) | frozenset(diseases.other_words)
        self._naming = Naming(checker.library, checker.resolver, terms.intake.is_food, known.__contains__)
        numbers = (
            frozenset(language.words("spelled-units"))
            | frozenset(language.words("within-a-frequency"))
            | frozenset(spoken.plainly.numbers.values)
            | frozenset(w for w in spoken.plainly.numbers.letters if " " not in w)
        )
        self._dosing = Dosing(
            spoken,
            names,
            numbers,
            frozenset(language.words("not-leading-a-dose")),
            language.meaning("putting-right"),
            frozenset(language.words("then")),
            language.words("days-of-a-course"),
            _each_word(language, "leads-to-a-bare-dose"),
            language.meaning("from-what-to-what"),
            language.meaning("amounts-are-for"),
            language.words("goes-on-behind-a-bare-dose"),
            _courses(language),
            _each_word(language, "between-a-name-and-a-bare-dose"),
            (
                frozenset(w for w, n in language.meaning("once-twice").items() if n == "1"),
                _each_word(language, "chart-behind-once"),
            ),
            (frozenset(language.meaning("once-twice")), frozenset(language.words("is-or-was"))),
        )
        self._units = checker.library.units
        self._intervals = Intervals(language, checker.lexicon)
        self._hearing = Hearing(language, spoken.plainly.numbers.values, [*names.units, *language.words("spelled-units")])
        self._contexts = Contexts(spoken, names, language)
        was = any_of(w for w, means in language.meaning("from-what-to-what").items() if means == "was")
        self._step = re.compile(rf"\b{was}\s+\Z", re.I)
        self._charting = Charting(language, self._dosing.is_dosing)
        self._cultures = Cultures(language)
        self._facts, self._numbers = PatientFacts(checker), spoken.plainly.in_digits
        self._levels = frozenset(w for w, level in language.meaning("levels-in-words").items() if level != "normal")
        level = any_of([*language.words("levels-told-in-passing"), *self._levels])
        self._came_out = re.compile(
            rf"(?:\s+{any_of(language.words('a-reading-was'))}|['’]s)\s+(?:\w+\s+){{0,2}}?{level}(?![\w-])", re.I
        )
        self._tested, self._forms = names.tested, names.forms
        self._test_names, self._measuring = (frozenset(language.words(w)) for w in ("names-of-a-test", "verbs-of-measuring"))
        self._pronoun = re.compile(rf"\b{any_of(language.words('it'))}\b", re.I)
        self._takes = re.compile(rf"\b{any_of(language.words('verbs-of-taking'))}\b", re.I)
        self._denies = re.compile(rf"(?:(?<![\w-]){any_of(language.words('denying'))}|n['’]t)(?![\w-])", re.I)
        self._supplies = frozenset(language.words("shows-a-medicine"))
        self._joiners = names.joiners
        self._fractions = frozenset(w for phrase in language.words("parts-of-one") for w in phrase.split())
        self._routes = Routes(language, names.joiners)
        own = any_of([*language.words("mine"), *language.words("theirs")])
        self._for_an_organ = re.compile(rf"\b{any_of(language.words('for-what'))}\s+{own}\s+\Z", re.I)
        self._given_up = re.compile(rf"\b{any_of(language.words('before-what-is-given-up'))}\s+(?:\w+\s+)?\Z", re.I)
        self._sections = Sections(language)
        self._of, self._beside = frozenset(language.words("of-a-medicine")), BesideNames(language)
        self._organs, self._of_an_organ = (
            language.meaning("organs-said-to-be-well"),
            frozenset(language.words("says-how-an-organ-is")),
        )
        self._time, self._reason = _times(language, spoken), _reasons(language)

    def _is_volume(self, word: str) -> bool:
        """Whether a word is a unit of volume: "mL", "tsp"."""
        unit = self._units.symbol(word)
        return unit is not None and self._units.dimension(unit) == "volume"

    def _is_test(self, name: str) -> bool:
        """Whether it is the name of a laboratory test."""
        return self._terms.lab(LabResult(name)) is not None

    def extract(self, text: str) -> Extraction:
        """Everything that the text says of medicines and of the patient."""
        heard = self._hearing.evened(plain_letters(text))
        found = self._extracted(heard)
        return found if heard == text else as_written(found, text)

    def _extracted(self, text: str) -> Extraction:
        line = worded(text[:LONGEST])
        state = State()
        found: list[MedicationSaid] = []
        told: list[Told] = []
        weak: list[bool] = []
        turns = self._speaking.turns(text)
        for turn in turns:
            self._contexts.begin(state, text, turn)
            self._told_of_the_last(line, turn, found, state)
            for item, context, is_weak in self._of_turn(line, turn, state):
                found.append(item)
                told.append(context)
                state.named_at = state.turn
                weak.append(is_weak)
        of_germs = self._cultures.spans(text)
        settled = [
            _of_a_germ(item)
            if inside(item.span, of_germs) and (context.context == "allergic" or (item.dose is None and item.directions is None))
            else replace(item, context=context.context, change=context.change)
            for item, context, is_weak in zip(found, told, weak, strict=True)
            if not is_weak
            or (context.certain and context.context in _WEAK_NEEDS)
            or item.dose is not None
            or (item.directions is not None and item.span.text.isupper())
        ]
        sections = self._sections.of(text)
        settled = [_not_tolerated(item) if within(sections, "allergies", item.span.start) else item for item in settled]
        every = self._merged(_without_kinds(settled, text))
        medications = [m for m in every if not self._naming.is_vaccine(m.normalised)]
        facts = self._facts.read(text, [self._told_in(text, turn) for turn in turns], medications)
        allergies = (*self._allergies(medications), *(a for a in facts.allergies if not inside(a.span, of_germs)))
        vaccines = tuple(m for m in every if m not in medications)
        return replace(facts, medications=tuple(medications), vaccines=vaccines, allergies=_each_once(allergies))

    # -------------------------------------------------------------- what a second reader is held against

    def _told_in(self, text: str, turn: Turn) -> Turn:
        """A turn without what it says to a machine."""
        aside = self._contexts.aside_from(text, turn)
        if aside >= turn.end:
            return turn
        return replace(turn, end=aside, sentences=tuple(s for s in turn.sentences if s.start < aside))

    def set_aside(self, text: str) -> list[tuple[int, int]]:
        """From where to where a text speaks to a machine that reads it: nothing that is told there is told of the patient."""
        return [(self._contexts.aside_from(text, turn), turn.end) for turn in self._speaking.turns(text)]

    def dose_in(self, words: str) -> str:
        """The amount that words tell; empty where they tell none."""
        line = worded(words)
        runs = self._dosing.runs(line, 0, len(line.words))
        return next((d.dose.value for d in runs if d.dose is not None), "")

    def numbers_in(self, words: str) -> list[str]:
        """The numbers in words, those that are spelled out as digits."""
        plain = self._numbers(words).text
        return [m[0] for m in re.finditer(r"\d+(?:\.\d+)?", f"{plain} {words.replace(',', '')}")]

    def results_in(self, words: str) -> tuple[ResultSaid, ...]:
        """The results that words tell."""
        return self._facts.read(words, self._speaking.turns(words), ()).results

    def is_everyday(self, words: str) -> bool:
        """Whether nothing but words of every day are in it."""
        return self._naming.is_everyday(words)

    # -------------------------------------------------------------- one turn

    def _of_turn(self, line: Wording, turn: Turn, state: State) -> Iterable[tuple[MedicationSaid, Told, bool]]:
        names = self._named(line, turn)
        near = list(self._naming.near(line, turn, names, expected=self._contexts.awaits_a_name(line, turn, state)))
        names = sorted([*names, *near], key=lambda n: n.first)
        told_of = self._charted(line, turn, names)
        plainly: Charted | None = None
        for s, sentence in enumerate(turn.sentences):
            inside = [n for n in names if sentence.start <= n.start < sentence.end]
            groups = self._contexts.groups(line, sentence.start, inside, told_of)
            before: Told | None = None
            if not groups:
                if plainly is None or plainly.account:
                    self._contexts.without_a_name(line.text, sentence, state)
                continue
            self._contexts.tell_of_it(line.text, sentence.start, sentence, state, inside[0].start)
            for g, group in enumerate(groups):
                plainly = told_of.get(group.first)
                told = self._contexts.of(line, turn, sentence, groups, g, before, state)
                if plainly is not None and sentence.start < state.aside:
                    told = self._contexts.charted(plainly, told, state)
                anew = plainly.dose_from if plainly is not None else 0
                doses = self._doses(line, turn, s, groups, g, [n for n in names if n.start >= sentence.end], anew)
                if told.context in _BORNE and self._beside.is_borne(line.text, turn.start, group.names[0].start):
                    told = Told("taking" if any(doses) else "mentioned")
                before = told if plainly is None or told.context not in _PARTS else None
                beside = self._contexts.is_beside(line, sentence, groups, g)
                each = self._contexts.each(told, len(group.names), state, beside=beside, first=g == 0)
                if told.certain and told.context == "mentioned" and all(named.weak for named in group.names):
                    state.them = ()  # nobody's medicine is meant: "hey, Dragon, show me the labs"
                routes = self._ways(line, sentence, groups, g)
                for named, dose, route, of_one in zip(group.names, doses, routes, each, strict=True):
                    weak = named.weak and not self._shows(line, named)
                    whole = dose is not None and dose.dose is not None and dose.directions is not None
                    if whole and plainly is None and self._contexts.is_taken_as_dosed(line, sentence, groups, g, of_one):
                        of_one = replace(of_one, context="taking")
                    if weak and (
                        self._is_an_organ(line, named) or (of_one.context == "denied" and self._is_of_a_thing(line, named))
                    ):
                        continue
                    yield replace(self._item(line, turn, sentence, named, dose, state), route=route), of_one, weak
            if plainly is None or plainly.account:
                self._contexts.tell_of_it(line.text, inside[-1].end, sentence, state)

    def _named(self, line: Wording, turn: Turn) -> list[Named]:
        """The names in a turn that are no mere tests; what is dosed by its level is a medicine."""
        found = list(self._naming.find(line, turn))
        ends = [*(n.start for n in found[1:]), turn.end][: len(found)]
        return [
            n for n, until in zip(found, ends, strict=True)
            if not self._is_tested(line, n) or self._beside.is_ordered_by_its_level(line.text, n.end, until)
        ]  # fmt: skip

    def _charted(self, line: Wording, turn: Turn, names: Sequence[Named]) -> dict[int, Charted]:
        """What is plainly said of medicines, by their first words; a question says nothing."""
        found: dict[int, Charted] = {}
        for part in _notes(line.text, turn):
            inside = [n for n in names if part[0].start <= n.start < part[-1].end]
            told = self._charting.read(
                line.text, [(s.start, s.end) for s in part], [(n.start, n.end) for n in inside], speaker=turn.speaker
            )
            sure = [None if n.weak and not _is_in_capitals(n, line.text) else one for n, one in zip(inside, told, strict=True)]
            for n, named in enumerate(inside):
                one = told[n]
                if one is not None and one in sure[max(0, n - 1) : n + 2] and not (one.account and named.read.via == "class"):
                    found[named.first] = one
        return found

    def _is_tested(self, line: Wording, named: Named) -> bool:
        """Whether the test of that name is meant: "your vitamin d level", "recheck potassium", "the dexamethasone test"; a
        medicine beside which something else is to be checked is none: "start lisinopril, check the potassium"."""
        behind = self._joined_to(line, named.after)
        if self._is_test(" ".join(line.words[named.first : named.after])):
            before = line.words[max(0, named.first - 3) : named.first]
            if self._levels.intersection(before[-1:]) or self._came_out.match(line.text, named.end) is not None:
                return True  # "because of low magnesium", "his potassium was up"
            measured = not self._tested.isdisjoint(behind) or not self._measuring.isdisjoint(before)
            return measured or self._has_a_value(line, named)
        if not self._joiners.isdisjoint(behind):
            return False
        return not self._test_names.isdisjoint(behind)

    def _has_a_value(self, line: Wording, named: Named) -> bool:
        """Whether right behind the name of a test stands a number that is a result of it and no amount of the medicine: "lactate
        5", "lithium 1.9"."""
        found = _A_VALUE.match(line.text, named.end)
        if found is None:
            return False
        unit_of = units_of(self._read(line.text[named.start : named.end]), self._library, self._lexicon)
        runs = self._dosing.runs(line, named.after, min(len(line.words), named.after + _BEHIND), unit_of)
        if any(run.first <= named.after + 1 and (run.dose is not None or run.directions is not None) for run in runs):
            return False
        read = self._terms.result_lines.line(line.text[named.start : found.end()], _NO_DAY).results
        value = number(read[0].value) if len(read) == 1 and not read[0].fault and read[0].value is not None else None
        test = self._library.lab.get(read[0].test) if value is not None else None
        return test is not None and value is not None and plausible(value, test)

    @staticmethod
    def _joined_to(line: Wording, n: int) -> list[str]:
        """The two words from one on, as far as nothing but a space divides them from what stands before."""
        found: list[str] = []
        for k in range(n, min(n + 2, len(line.words))):
            if line.text[line.ends[k - 1] : line.starts[k]].strip():
                break
            found.append(line.words[k])
        return found

    def _shows(self, line: Wording, named: Named) -> bool:
        """Whether the words right beside show that a medicine is meant: "iron pills", "thyroid 60 mg"."""
        behind = named.after
        while behind < len(line.words) and line.words[behind][0].isdigit() and behind - named.after < _TWO:
            behind += 1  # "urea 20% cream"
        after, before = line.words[behind : behind + 1], line.words[max(0, named.first - 1) : named.first]
        return bool({*after, *before} & (self._forms | self._supplies))

    def _is_an_organ(self, line: Wording, named: Named) -> bool:
        """Whether the organ of that name is meant: "my thyroid is slow", "a little pill for his thyroid"."""
        name = " ".join(line.words[named.first : named.after])
        if name in self._organs and self._for_an_organ.search(line.text, 0, named.start) is not None:
            return True
        return name in self._organs and not self._of_an_organ.isdisjoint(self._joined_to(line, named.after)[:1])

    def _is_of_a_thing(self, line: Wording, named: Named) -> bool:
        """Whether a name that is a word, too, only tells of what the next word names: "no thyroid enlargement"."""
        if named.after >= len(line.words) or line.text[named.end : line.starts[named.after]].strip():
            return False
        word = line.words[named.after]
        return word.isalpha() and not self._naming.is_talk(word) and not self._contexts.is_filler(line, named.after)

    def _item(
        self, line: Wording, turn: Turn, sentence: Sentence, named: Named, dose: Dosed | None, state: State
    ) -> MedicationSaid:
        span = Span(named.start, named.end, line.text[named.start : named.end])
        amount, often = (dose.dose, dose.directions) if dose is not None else (None, None)
        was = dose.corrected if dose is not None and amount is not None else ""
        ask = f"Is it {amount.value}, not {was}?" if amount is not None and was else ""
        return MedicationSaid(
            span, named.read, "mentioned", turn.speaker, amount, often, self._time_told(line.text, sentence, named),
            self._reason_told(line.text, sentence, named), was=was, ask=TO_A_MACHINE if named.start >= state.aside else ask,
        )  # fmt: skip

    def _ways(self, line: Wording, sentence: Sentence, groups: Sequence[Group], g: int) -> list[Quoted | None]:
        """The route of each name of a group; of names that only a joiner divides, that of the one before."""
        every = [named for group in groups for named in group.names]
        found: list[Quoted | None] = []
        for named in groups[g].names:
            n = every.index(named)
            left = every[n - 1].after if n else 0
            right = every[n + 1].first if n + 1 < len(every) else len(line.words)
            told = self._routes.of(line, (named.first, named.after), left, right, sentence.start)
            if told is None and found and self._routes.goes_on(line, left, named.first):
                told = found[-1]
            found.append(told)
        return found

    # -------------------------------------------------------------- doses

    def _doses(
        self, line: Wording, turn: Turn, s: int, groups: Sequence[Group], g: int, later: Sequence[Named], anew: int = 0
    ) -> list[Dosed | None]:
        """The dose of each name of a group: what stands behind it, else before it, else, for all, what follows the last; where
        another is told from a place on (`anew`), that."""
        group = groups[g]
        found: list[Dosed | None] = []
        led = self._is_led(line, turn.sentences[s], groups[0].names[0])
        for k, named in enumerate(group.names):
            left = group.names[k - 1].after if k else groups[g - 1].after if g else 0
            if k + 1 < len(group.names):
                right = group.names[k + 1].first
            elif g + 1 < len(groups):
                right = groups[g + 1].first
            else:
                right = self._end(line, turn, s, later, anew)
            found.append(self._dose(line, turn, s, named, left, right, anew, led=led))
        return _shared(found)

    def _is_led(self, line: Wording, sentence: Sentence, first: Named) -> bool:
        """Whether the first name of a sentence has a dose right before it: "5 mg x, 10 mg y"."""
        n = first.first - 1
        while n > 0 and line.words[n] in self._of:
            n -= 1
        return n >= 0 and line.starts[n] >= sentence.start and self._dosing.is_dosing(line.words[n])

    def _end(self, line: Wording, turn: Turn, s: int, later: Sequence[Named], anew: int = 0) -> int:
        """Before which word a dose of the last name of a sentence stands: the next name, or the end of what is said of it."""
        stop = turn.sentences[s].end
        for sentence in turn.sentences[s + 1 : s + 3]:
            if any(sentence.start <= n.start < sentence.end for n in later):
                break
            if sentence.start > anew and not self._goes_on(line, sentence):
                break
            stop = sentence.end
        return next((n for n, start in enumerate(line.starts) if start >= stop), len(line.words))

    def _goes_on(self, line: Wording, sentence: Sentence) -> bool:
        """Whether a sentence without a name may go on telling of the one before: "20 mg once a day", "I take it twice a day"."""
        said = line.text[sentence.start : sentence.end]
        if self._denies.search(said) is not None and self._takes.search(said) is None:
            return False  # "since then it hasn't bothered me at night"
        if self._takes.search(said) or (self._pronoun.search(said) and len(said.split()) <= _SHORT_SENTENCE):
            return True
        inside = (n for n, start in enumerate(line.starts) if sentence.start <= start < sentence.end)
        first = next((n for n in inside if self._dosing.is_dosing(line.words[n]) or not self._contexts.is_filler(line, n)), None)
        return first is not None and self._dosing.is_dosing(line.words[first])

    def _dose(
        self, line: Wording, turn: Turn, s: int, named: Named, left: int, right: int, anew: int = 0, *, led: bool = False
    ) -> Dosed | None:  # fmt: skip
        sentence = turn.sentences[s]
        unit_of = units_of(self._read(line.text[named.start : named.end]), self._library, self._lexicon)
        after = with_volumes(
            line, self._dosing.runs(line, named.after, min(right, named.after + _BEHIND), unit_of), self._is_volume
        )
        later = [d for d in after if _place(d) >= anew and self._step.search(line.text, 0, _place(d)) is None]
        after = later if any(d.dose is not None for d in later) else [*later, *after]
        begin = max(left, named.first - _AHEAD)
        while begin < named.first and line.starts[begin] < sentence.start:
            begin += 1
        begin = max([begin, *(n + 1 for n in range(begin, named.first) if self._joins(line, n))])
        if left > 0 and line.starts[left - 1] >= sentence.start:
            begin = max([begin, *self._parted(line, left, named.first)])
        before = [d for d in self._dosing.runs(line, begin, named.first) if self._leads(line, d, named)]
        if before and not led and self._is_of_the_one_before(line, before[-1], after, named, left):
            before = []
        runs = [*before[-1:], *after]
        both = self._both_parts(line, named, right) or self._first_part(line, named, right)
        told = _joined(runs if both is None or any(d.dose is not None for d in runs) else [both, *runs])
        return self._with_an_interval(line, sentence, named, right, told)

    def _with_an_interval(self, line: Wording, sentence: Sentence, named: Named, right: int, told: Dosed | None) -> Dosed | None:
        """A dose with how often it is taken, where only directions have a word for that, or one that is more exact."""
        own = told.directions if told is not None else None
        if own is not None:
            exact = self._intervals.of_months(line.text, own.span.start, own.span.end)
            return replace(told, directions=exact) if exact is not None and told is not None else told
        end = min(line.starts[right] if right < len(line.words) else len(line.text), max(sentence.end, named.end))
        often = self._intervals.of(line.text, named.end, end)
        if often is None:
            return told
        return replace(told, directions=often) if told is not None else Dosed(named.after, named.after, None, often)

    def _is_of_the_one_before(self, line: Wording, dosed: Dosed, after: Sequence[Dosed], named: Named, left: int) -> bool:
        """Whether a dose between two names is the first one's, the second has its own behind it: "x 5 mg daily y 25 mg bid"."""
        own = bool(after) and after[0].dose is not None and after[0].first == named.after
        return 0 < left == dosed.first and own

    def _both_parts(self, line: Wording, named: Named, right: int) -> Dosed | None:
        """The strength of a product of two ingredients as two numbers without a unit, where it is sold so: "Entresto 24/26"."""
        end = line.starts[right] if right < len(line.words) else len(line.text)
        found = _TWO_NUMBERS.match(line.text, named.end, end)
        product = self._read(line.text[named.start : named.end]).product if found is not None else None
        if found is None or product is None:
            return None
        told = [Decimal(found["a"]), Decimal(found["b"])]
        for sold in product.presentations:
            amounts = [c.amount for c in sold.contents if c.amount is not None]
            if [q.value for q in amounts] == told and len({q.unit for q in amounts}) == 1:
                span = Span(found.start("a"), found.end("b"), line.text[found.start("a") : found.end("b")])
                return Dosed(named.after, named.after, Quoted(span, f"{found['a']}/{found['b']} {amounts[0].unit}"))
        return None

    def _first_part(self, line: Wording, named: Named, right: int) -> Dosed | None:
        """The strength of a product of two ingredients by that of its first, where it is sold so: "Augmentin 875"."""
        end = line.starts[right] if right < len(line.words) else len(line.text)
        found = _ONE_NUMBER.match(line.text, named.end, end)
        read = self._read(line.text[named.start : named.end]) if found is not None else None
        if found is None or read is None or read.product is None or len(read.drugs) < _TWO:
            return None
        firsts = [sold.contents[0].amount for sold in read.product.presentations if sold.contents]
        units = {q.unit for q in firsts if q is not None and q.value == Decimal(found["a"])}
        if len(units) != 1:
            return None
        quoted = Quoted(Span(*found.span("a"), found["a"]), f"{found['a']} {units.pop()}")
        return Dosed(named.after, named.after, quoted)

    def _joins(self, line: Wording, n: int) -> bool:
        """Whether a word joins two things, and not a number with its half."""
        half = not self._fractions.isdisjoint(line.words[n + 1 : n + 3]) and n > 0 and self._dosing.is_dosing(line.words[n - 1])
        return line.words[n] in self._joiners and not half

    @staticmethod
    def _parted(line: Wording, left: int, first: int) -> list[int]:
        """Where, between the name before and this one, a comma ends what is told of the one before: "x 5 mg weekly, stop y"."""
        return [n for n in range(left, first + 1) if _PARTED.search(line.text[line.ends[n - 1] : line.starts[n]])]

    def _leads(self, line: Wording, dosed: Dosed, named: Named) -> bool:
        """Whether a dose before a name is the name's: "20 mg of lisinopril", "two tylenol"; not "instead of the 10 mg"."""
        between = line.words[dosed.after : named.first]
        given_up = self._given_up.search(line.text, line.starts[max(0, dosed.first - _TWO - 2)], line.starts[dosed.first])
        return len(between) <= 2 and all(w in self._of for w in between) and given_up is None

    def _told_of_the_last(self, line: Wording, turn: Turn, found: list[MedicationSaid], state: State) -> None:
        """A dose told in a turn that names no medicine first, of the one named last: "How much?" "One pill twice a day"."""
        if not found or state.turn - state.named_at > _STILL_OF_IT:
            return
        first = turn.sentences[0] if turn.sentences else None
        if first is None or not self._goes_on(line, first):
            return
        if self._contexts.said_of_it(line.text[first.start : first.end]) in _NOT_TAKEN:
            return
        a = next((n for n, start in enumerate(line.starts) if start >= first.start), len(line.words))
        b = next((n for n in range(a, len(line.words)) if line.starts[n] >= first.end), len(line.words))
        named = next((n.first for n in self._naming.find(line, turn)), b)
        if named < b or (dose := _joined(self._dosing.runs(line, a, b))) is None:
            return
        last = found[-1]
        if (
            last.dose is not None
            and dose.dose is not None
            and _in_one_unit(last.dose, dose.dose)
            and state.turn - state.named_at == 1
        ):
            found[-1] = _told_anew(last, dose)
            return
        found[-1] = replace(last, dose=last.dose or dose.dose, directions=last.directions or dose.directions)

    # -------------------------------------------------------------- when and why

    def _time_told(self, text: str, sentence: Sentence, named: Named) -> Quoted | None:
        behind = self._time.search(text, named.end, min(sentence.end, named.end + 80))
        found = behind or self._time.search(text, max(sentence.start, named.start - 60), named.start)
        return Quoted(Span(found.start(), found.end(), found[0]), fold(found[0])) if found is not None else None

    def _reason_told(self, text: str, sentence: Sentence, named: Named) -> Quoted | None:
        """What it is taken for, where that is a condition or the use of a medicine."""
        found = self._reason.search(text, named.end, min(sentence.end, named.end + 90))
        if found is None:
            return None
        said = text[found.end() : min(sentence.end, found.end() + _FAR_REASON)]
        stops = [m.start() for m in (_STOP.search(said), self._time.search(said)) if m is not None]
        rest = worded(said[: min(stops)] if stops else said)
        for n in range(min(_LONGEST_REASON, len(rest.words)), 0, -1):
            start, end = found.end() + rest.starts[0], found.end() + rest.ends[n - 1]
            if self._terms.reason(text[start:end]):
                return Quoted(Span(start, end, text[start:end]), fold(text[start:end]))
        return None

    # -------------------------------------------------------------- together

    def _merged(self, items: Sequence[MedicationSaid]) -> list[MedicationSaid]:
        """One item for each medicine in each context; a bare mention goes with what else is said of that medicine."""
        kept: dict[tuple[object, str], MedicationSaid] = {}
        for item in items:
            key = (item.normalised.drug or fold(item.span.text), item.context)
            kept[key] = _together(kept[key], item) if key in kept else item
        said = {drug for drug, context in kept if context != "mentioned"}
        bare = {drug: item for (drug, context), item in kept.items() if context == "mentioned" and drug in said}
        found = []
        for (drug, context), item in kept.items():
            if context == "mentioned" and drug in bare:
                continue
            if (more := bare.pop(drug, None)) is not None:
                item = _together(item, more)
                bare[drug] = more
            found.append(item)
        return sorted(found, key=lambda m: (m.span.start, m.context))

    def _allergies(self, medications: Sequence[MedicationSaid]) -> list[AllergySaid]:
        """The medicines that are told as allergies."""
        return [
            AllergySaid(
                m.span, m.normalised.name or m.span.text, m.normalised.drug, None, False, m.normalised.confirm, m.normalised.ask
            )
            for m in medications
            if m.context == "allergic"
        ]


def _notes(text: str, turn: Turn) -> Iterator[list[Sentence]]:
    """The sentences of a turn that are no questions, those of one paragraph together."""
    part: list[Sentence] = []
    for sentence in turn.sentences:
        if part and (sentence.asks or "\n" in text[part[-1].end - 1 : sentence.start + 1]):
            yield part
            part = []
        if not sentence.asks:
            part.append(sentence)
    if part:
        yield part


def _not_tolerated(item: MedicationSaid) -> MedicationSaid:
    """A medicine that stands in the list of allergies."""
    return item if item.context in ("denied", "someone_elses") else replace(item, context="allergic", change="")


def _of_a_germ(item: MedicationSaid) -> MedicationSaid:
    """A medicine that a germ was tried with: nobody takes it for that, and nobody reacted to it."""
    return replace(item, context="mentioned", change="")


def _place(dosed: Dosed) -> int:
    told = dosed.dose or dosed.directions
    return told.span.start if told is not None else 0


def _is_in_capitals(named: Named, text: str) -> bool:
    """Whether a short name is written as short names of medicines are, "HCQ", "NPH", and as no word is."""
    written = text[named.start : named.end]
    return named.read.drug is not None and written.isupper() and len(written) >= _SHORTEST_IN_CAPITALS


def _without_kinds(items: Sequence[MedicationSaid], text: str) -> list[MedicationSaid]:
    """The medicines without the kinds that are named right behind, "an antibiotic, Augmentin"."""
    return [one for one in items if not any(_is_its_kind(one, other, text) for other in items)]


def _is_its_kind(kind: MedicationSaid, one: MedicationSaid, text: str) -> bool:
    between = text[kind.span.end : one.span.start]
    return (
        kind.normalised.via == "class"
        and kind.context == one.context
        and 0 < len(between) <= _FAR_KIND
        and "," in between
        and _STOPS.search(between) is None
        and not set(one.drugs).isdisjoint(kind.normalised.candidates)
    )


def _shared(doses: list[Dosed | None]) -> list[Dosed | None]:
    """Of two medicines named together, "lisinopril/hydrochlorothiazide 20/12.5 mg", each with its own part of the amount."""
    last = doses[-1] if doses else None
    if last is None or last.dose is None or any(d is not None and d.dose is not None for d in doses[:-1]):
        return doses
    numbers, _, unit = last.dose.value.partition(" ")
    parts = numbers.split("/")
    if len(parts) != len(doses) or len(parts) < _TWO:
        return doses
    return [replace(last, dose=Quoted(last.dose.span, f"{part} {unit}")) for part in parts]


def _joined(runs: Sequence[Dosed]) -> Dosed | None:
    """The dose told nearest to a name, with the first directions told."""
    dose = next((d.dose for d in runs if d.dose is not None), None)
    told = [d.directions for d in runs if d.directions is not None]
    directions = next((d for d in told if d.value != A_DAY), told[0] if told else None)
    corrected = next((d.corrected for d in runs if d.corrected), "")
    if dose is None and directions is None:
        return None
    return Dosed(0, 0, dose, directions, corrected)


def _in_one_unit(one: Quoted, other: Quoted) -> bool:
    """Whether two single amounts differ, in the same unit."""
    (a, _, unit), (b, _, of) = one.value.partition(" "), other.value.partition(" ")
    return a != b and " " not in unit and unit.rstrip("s") == of.rstrip("s")


def _told_anew(last: MedicationSaid, dose: Dosed) -> MedicationSaid:
    """What another says of a dose right after: "20 units at night." "22 now." It is asked about."""
    assert last.dose is not None
    assert dose.dose is not None
    ask = f"Is it {dose.dose.value}, not {last.dose.value}?"
    return replace(last, dose=dose.dose, directions=last.directions or dose.directions, was=last.dose.span.text, ask=ask)


def _together(one: MedicationSaid, other: MedicationSaid) -> MedicationSaid:
    """Two namings of one medicine in one context; what the later says of its dose counts, and a difference is asked about."""
    was, ask, dose = one.was or other.was, one.ask or other.ask, other.dose or one.dose
    if one.dose is not None and other.dose is not None and one.dose.value != other.dose.value and other.context == one.context:
        was, ask = one.dose.span.text, f"Is it {other.dose.value}, not {one.dose.value}?"
    return replace(
        one, route=one.route or other.route, dose=dose,
        directions=other.directions or one.directions, time=one.time or other.time,
        reason=one.reason or other.reason, change=other.change or one.change,
        also=tuple(dict.fromkeys((*one.also, other.span, *other.also))), was=was, ask=ask,
    )  # fmt: skip


def _each_once(allergies: Iterable[AllergySaid]) -> tuple[AllergySaid, ...]:
    found: dict[tuple[object, bool], AllergySaid] = {}
    for one in allergies:
        found.setdefault((one.drug or fold(one.to), one.denied), one)
    return tuple(sorted(found.values(), key=lambda a: a.span.start))


def _times(language: Language, spoken: Spoken) -> re.Pattern[str]:
    """When, and for how long: "last week", "for about three months", "since May 2019", "2020-03-01"."""
    words = language.words
    numbers = any_of(spoken.plainly.numbers.values)
    number = rf"(?:\d+|{numbers}|{any_of(words('vague-counts'))})"
    unit = any_of(w for w, of in language.meaning("time-units").items() if len(w) > _SHORTEST_UNIT and of != "minute")
    leads, ago, months = any_of(words("leads-to-a-time")), any_of(words("ago")), any_of(words("month-names"))
    return re.compile(
        rf"\b(?:{any_of(words('times-told'))}|(?:{leads}\s+){{1,3}}{number}\s+(?:\w+\s+)?{unit}(?:\s+{ago})?|{number}\s+{unit}\s+{ago}"
        rf"|{leads}\s+(?:{months}(?:\s+\d{{1,4}})?|(?:19|20)\d\d)|\d{{4}}-\d\d-\d\d)\b",
        re.I,
    )


def _each_word(language: Language, name: str) -> frozenset[str]:
    return frozenset(w for phrase in language.words(name) for w in phrase.split())


def _courses(language: Language) -> Courses:
    long = [w for w, unit in language.meaning("time-units").items() if unit in _LONG]
    words = language.words
    return Courses(
        words("leads-to-a-course"),
        long,
        words("before-a-number-of-doses"),
        words("makes-it-a-rate"),
        words("before-a-time"),
        words("nth-times"),
        [*words("tests-in-plans"), *words("measured-in-talk"), *words("signs-that-are-measured")],
        words("leads-to-a-later-dose"),
        words("a-dose-of-it"),
        words("chart-from"),
        [w for w, unit in language.meaning("time-units").items() if unit == "hour"],
        words("hours-are-counted-from"),
    )


def _reasons(language: Language) -> re.Pattern[str]:
    """What leads to a reason, with the words before it that say whose it is."""
    whose = any_of({*language.words("mine"), *language.words("between-names")})
    return re.compile(rf"\b{any_of(language.words('for-what'))}\s+(?:{whose}\s+){{0,3}}", re.I)
