"""What conditions, allergies and tests are called: codes and text → the library's terms."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from safety.knowledge.library import Coded, Graded, Joined, Lab, Library
from safety.knowledge.vocabularies import beginnings
from safety.model.patient import Code, LabResult, Told
from safety.model.problem_line import Head, Mark, ProblemLine
from safety.model.quantity import number
from safety.reading.directions.words import Lexicon
from safety.reading.names.index import NAMES
from safety.reading.names.resolver import Resolver
from safety.reading.problems.line import ProblemReader
from safety.reading.problems.slips import Slips
from safety.reading.problems.words import Vocabulary
from safety.reading.results.scan import by_number
from safety.reading.wording import any_of
from safety.text import fold, lowered
from safety.understanding.allergies import AllergyReader
from safety.understanding.carrying import Carrying
from safety.understanding.denials import Denials
from safety.understanding.findings import FindingReader
from safety.understanding.intake import IntakeReader
from safety.understanding.meaning import meaning_reader
from safety.understanding.problem_lists import ProblemLists
from safety.understanding.telling import Telling
from safety.understanding.treatments import Treatments
from safety.understanding.vaccines import VaccineReader
from safety.understanding.vocabulary import TERMS, TermIndex


class Meant(Struct, frozen=True):
    """What letters of several meanings stand for (`name`) beside one of these conditions or of these words on their line."""

    name: str
    conditions: frozenset[str]
    words: tuple[str, ...]


if TYPE_CHECKING:
    from safety.reading.results.reader import ResultReader
    from safety.reading.results.spelled import Spelled

Company = dict[str, list[Meant]]

_WORDS = re.compile(r"\w[\w']*")
_HAD = ("told", "recent", "history", "done", "resolved")
_BARE_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:\s?[-/]\s?\d+(?:\.\d+)?)?")
_NEAR = 88
_NUMBERS = re.compile(r"\d[\d./%-]*")
_FIGURE = re.compile(
    r"[#<>~=+dq@x]?\d[\d.,:x%+]*"
    r"(?:st|nd|rd|th|cm|mm|kg|lbs?|l|lpm|yo|yrs?|mos?|m|wks?|d|hr?|hrs|min|sec|k|u|units|cc|ml|fr|y|w|gy|cgy|[a-e])?|z|\+|&"
)
"""A number, with what it is counted in where that is no amount of a medicine."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_AMOUNT = re.compile(r"\s+\d+(?:\.\d+)?\s?([A-Za-zµ]+)\s*\Z")
_CLASSIFIED = "icd10cm"
"""The system of codes of which a longer one lies under a shorter."""
_CODE = re.compile(r"[A-TV-Z]\d[\dA-Z]\.[\dA-Z]{1,4}")
_REMEMBERED = 4096
_NONE = frozenset[str]()
_SHORT_OF = Decimal("0.01")
"""A week that is "under" another ends so much short of it."""


class Terms:
    """Looks conditions, allergies and tests up by code or text; immutable, made once for a library."""

    def __init__(self, library: Library, resolver: Resolver, lex: Lexicon) -> None:
        self.library = library
        self.resolver = resolver
        self.meaning_of = meaning_reader(library, resolver, lex)
        self._index = library.derived(TERMS)
        self._conditions = self._index.conditions
        self.allergies = AllergyReader(library, resolver)
        self.denials = library.language.made(Denials)
        self.telling = library.language.made(Telling)
        self.carrying = Carrying(library.language, library.inferences)
        self._scores = {word.lower(): diseases for word, diseases in library.language.meaning("problem-scores-of").items()}
        self._a_score = re.compile(rf"(?<![\w-]){any_of(self._scores)}(?![\w-])")
        self.intake = IntakeReader(library)
        self.vaccines = VaccineReader(library, self._problem_words.dates)
        self._kidneys = _kidneys(library)
        self.result_words = library.language.meaning("result-words")
        self.no_unit = frozenset(library.language.words("no-unit"))
        self.adjectives = library.language.words("problem-adjectives")
        """What stands before a complication and says of what ("diabetic")."""
        self.of_allergy = re.compile(rf"\b{any_of(library.language.words('problem-allergies'))}\b", re.I)
        not_listed = any_of(library.language.words("problem-without-a-line"))
        self.behind_taking = re.compile(
            rf"{any_of(library.language.words('problem-taking'))}\s(?!(?:\w+\s)?{not_listed}\b)", re.I
        )
        """What stands before a medicine that is taken, at the beginning of a name ("on suboxone")."""
        beside = any_of(library.language.words("beside-a-medicine-of-the-patient"))
        self.tells_of_the_patient = re.compile(rf"(?<![\w-]){beside}(?!\w)", re.I)
        """Words on the line of a medicine by which a part of it may tell of the patient."""
        eaten = any_of(library.language.words("eaten-with-a-medicine"))
        self.taken_with = re.compile(rf"(?:(?<=\s)){eaten}\s+(?P<what>[a-z]+(?: [a-z]+)?)(?=\s*(?:$|[,;.)]))", re.I)
        """What is eaten or drunk with a medicine, at the end of its line or before a mark."""
        means = library.language.meaning("reasons-that-mean")
        self.reasons_that_mean = {fold(said): disease for said, disease in means.items()}
        """The disease that an everyday reason of a medicine means."""
        taken = any_of(library.language.words("taken-beside-allergies"))
        self.taken_beside_an_allergy = re.compile(rf"(?:^|[,;.(]|\s[-–—])\s*{taken}(?<=[\w:-])\s+(?=\w)", re.I)
        """What stands before medicines that a line of the allergy list says are taken."""
        joins = any_of(library.language.words("joins-medicines-taken"))
        self.joins_what_is_taken = re.compile(rf"[,/&+]|(?<!\w){joins}(?!\w)", re.I)
        same, other = (any_of(library.language.words(name)) for name in ("plan-goes-on-with", "plan-changes"))
        self.plan_goes_on = re.compile(rf"\W*(?:\d{{1,2}}[.)]\s*)?(?:{same}|(?P<changes>{other}))(?![\w-])", re.I)
        """Words with which a line of a plan takes up a medicine that is taken already."""
        self.refuted = re.compile(rf"\b{any_of(library.language.words('allergy-refuted'))}\b", re.I)
        doubts, no = library.language.words("result-doubts"), library.language.words("denial")
        self.doubtful = re.compile(
            rf"(?<![\w-])(?<!non-)(?<!non )(?:(?P<no>{any_of(no)})\s+)?(?P<said>{any_of(doubts)})(?!\w)", re.I
        )
        self.reasons_of_a_stop = frozenset(map(fold, library.language.words("reasons-of-a-stop")))
        self.days_back = library.language.read("problem-days-back", lambda _, days: _least_and_most(days), "days, least and most")
        """Words of time beside an event, and how many days it then lies back."""
        counted = library.language.meaning("problem-day-counted")
        after, day = (any_of(w for w, kind in counted.items() if kind == one) for one in ("after an event", "any day"))
        self.day_counted = re.compile(rf"(?<![\w])(?:(?P<after>{after})|{day})\s?#?\s?(?P<days>\d{{1,2}})(?![\w/.%-])", re.I)
        """The day of an event by its number ("postpartum day 2"); `after`: counted from an operation or a birth."""
        self.bleeding = frozenset(library.language.words("problem-bleeding"))
        self._again_and_again = frozenset(library.language.words("problem-comes-back"))
        patient = any_of(library.language.words("problem-of-the-patient"))
        self.of_the_patient = re.compile(rf"(?<![\w-]){patient}(?![\w-])[^,;]*\Z", re.I)
        """A beginning of a line behind which the same breath tells of this patient, and not of kin."""
        self.reaction_with = frozenset(library.language.words("problem-reaction-with"))
        """Words between a grave reaction and the medicine that did it."""
        self.reaction_while = frozenset(library.language.words("problem-reaction-while"))
        done_by = library.language.meaning("problem-done-by-a-medicine")
        self._taken_for = {fold(reaction): frozenset(uses.split()) for reaction, uses in done_by.items()}
        induced = library.language.meaning("problem-induced")
        self._induced_by = induced
        self._induced = re.compile(rf"(?P<by>[^,;]+?)[- ](?P<how>{any_of(tuple(induced))})\s+(?P<what>.+)", re.I)
        self._beside_medicine = frozenset(library.language.words("problem-beside-medicine"))
        ended, behind = library.language.words("problem-medicine-ended"), library.language.words("problem-medicine-ended-behind")
        self._ended = re.compile(rf"(?<![\w-]){any_of(ended)}\s+(?:\w+\s+){{0,2}}\Z", re.I)
        self._says_ended = frozenset(map(fold, (*ended, *behind)))
        self._ended_behind = re.compile(rf"\s*[,(-]?\s*{any_of(behind)}(?!\w)", re.I)
        meant, until = library.language.words("problem-medicine-only-meant"), library.language.words("problem-medicine-until")
        self._only_meant = re.compile(rf"(?<![\w-]){any_of(meant)}(?![\w-])[^,;]*\Z", re.I)
        self._until = re.compile(rf"\s*[,(-]?\s*{any_of(until)}(?!\w)", re.I)
        self._idle = frozenset(map(fold, library.language.words("problem-idle")))
        self._treatments = frozenset(map(fold, library.language.words("problem-treatments")))
        care = any_of(map(fold, library.language.words("problem-care-alone")))
        self._care_alone = re.compile(rf"(?<![\w-]){care}(?![\w-])")
        self._tests_alone = frozenset(map(fold, library.language.words("problem-tests-alone")))
        self._found_nothing = frozenset(map(fold, library.language.words("problem-test-negative")))
        self._negative = self._found_nothing
        self._found_nothing |= frozenset(map(fold, library.language.words("problem-tests-due")))
        phrases = any_of(sorted(map(fold, library.language.words("problem-idle-phrases")), key=len, reverse=True))
        self._idle_phrases = re.compile(rf"(?<![\w-]){phrases}(?![\w-])")
        self.not_eaten = re.compile(rf"\b{any_of(library.language.words('problem-not-eaten'))}\b", re.I)
        self.vaccine_acts = int(library.units.convert(library.most("vaccines", "a live vaccine acts"), "d") or 0)
        """For so many days after it was given a live vaccine still acts."""
        self.trimesters = {n: _weeks(library, str(n)) for n in (1, 2, 3)}
        """The first and the last week of each, to the hundredth of a week."""
        self.inferences = tuple(library.inferences)
        """What follows about a patient from other facts."""
        # the same words mean the same for everybody, so the last few are remembered
        self.problem_lists = ProblemLists[Any]()
        self._condition_of = lru_cache(_REMEMBERED)(self._read_condition)
        self._lab_of = lru_cache(_REMEMBERED)(self._read_lab)
        self._diseases_of = lru_cache(_REMEMBERED)(self._read_diseases)

    def induced(self, text: str) -> str | None:
        """ "Sulfonamide-induced SJS" with the medicine behind what it did; None where no medicine of ours did it."""
        found = self._induced.fullmatch(text.strip())
        if found is None or self.named(fold(text)) is not None or self.allergies.medicine(found["by"]) is None:
            return None
        how = found.start("how")
        if any(h.start <= how < h.end for h in self.problems.read(text.strip()).heads):
            return None  # heparin-induced thrombocytopenia, of whatever year, is a disease of its own
        return f"{found['what']} {self._induced_by[lowered(found['how'])]} {found['by']}"

    def condition(self, told: Told) -> tuple[str, bool | None] | None:
        """A problem's id and whether it is told to be past; None if it is not recognised, or not as one that somebody has.

        "History of X" means, on many problem lists, that somebody has X: whether it is past is then not known (None).
        """
        return self._condition_of(told.text, told.codes)

    def _read_condition(self, told: str, codes: tuple[Code, ...]) -> tuple[str, bool | None] | None:
        coded = self.coded(Told(told, codes))
        if coded is not None:
            return coded.conditions[0], coded.past
        for text in (told, *(c.display for c in codes)):
            every = self.problems.read(text).heads
            heads = [h for h in every if h.standing in _HAD]
            if heads and (i := self.named(heads[0].name)):
                return i, None if heads[0].standing == "history" else heads[0].standing == "resolved"
            whole = self.named(fold(text))  # "osteoporosis prevention" is a name of its own, "?stroke" is none
            if whole is not None and whole not in {self.named(h.name) for h in every}:
                return whole, False
        return None

    def coded(self, told: Told) -> Coded | None:
        """Which conditions a problem is by its code, or written as an id, and whether the code says that they are past."""
        for code in told.codes:
            found = self._index.condition_codes.get(f"{code.system}:{code.code}")
            if found:
                return Coded((found[0],), found[1])
        for code in told.codes:
            number = self._under(code.code) if code.system == _CLASSIFIED else None
            if number is not None and number >= 0:
                return self.library.coded[number]
        dotless = told.text in self.library.problem_codes
        if (_CODE.fullmatch(told.text) or dotless) and (number := self._under(told.text)) is not None and number >= 0:
            return self.library.coded[number]  # a line that is nothing but a code
        return Coded((told.text,)) if told.text in self.library.condition else None

    def _under(self, code: str) -> int | None:
        """What the longest beginning of a code comes to."""
        codes = self.library.problem_codes
        return next((n for b in beginnings(code.upper()) if (n := codes.get(b)) is not None), None)

    def named(self, name: str) -> str | None:
        """The condition of a name that was folded; the first where it is several at once."""
        found = self.meant(name)
        return found.conditions[0] if found is not None else None

    def meant(self, name: str) -> Coded | None:
        """Which conditions a name that was folded is, all of them: by our names, then by the names of the vocabulary."""
        own = self._index.conditions.get(name)
        if own is not None:
            return Coded((own,))
        number = self.library.problem_terms.get(name)
        return self.library.coded[number] if number is not None else None

    def that_bled(self, head: Head) -> Coded | None:
        """The condition that is this one with a bleeding, where words beside it tell of one ("gastric ulcer with bleeding")."""
        said = [m.text.lower() for m in head.marks if m.text.lower() in self.bleeding]
        names = (f"{word} {head.name}" for word in said), (f"{head.name} with {word}" for word in said)
        return next((found for way in names for name in way if (found := self.meant(name)) is not None), None)

    def graded(self, condition: str, own: Iterable[Mark], others: Iterable[Mark]) -> Iterator[str]:
        """The narrower conditions that grades make of one ("CHF, NYHA III": severe heart failure): its own grades, and those
        beside other names on its line whose scale grades nothing else."""
        kinds = self.library.condition[condition].is_a
        both = ((mark, near) for near, marks in ((True, own), (False, others)) for mark in marks)
        told = [(mark.text.lower(), near) for mark, near in both if mark.kind in _GRADES]
        for i, one in self._graded if told else ():
            fits = i not in kinds and not set(one.of).isdisjoint(kinds)
            if fits and any(_at(one, text) for text, near in told if near or one.anywhere):
                yield i

    @cached_property
    def _graded(self) -> tuple[tuple[str, Graded], ...]:
        return tuple((condition.id, one) for condition in self.library.conditions for one in condition.graded)

    @cached_property
    def joined(self) -> tuple[tuple[str, Joined], ...]:
        """Conditions that two others together are, with the two."""
        return tuple((condition.id, one) for condition in self.library.conditions for one in condition.joined)

    @cached_property
    def _problem_words(self) -> Vocabulary:
        return self.library.language.made(Vocabulary)

    @cached_property
    def problems(self) -> Remembered:
        """The reader of lines of a problem list; the same words mean the same for everybody, so the last few are remembered."""
        medicines, words = self.library.derived(NAMES).names, self._problem_words.words

        def known(word: str) -> bool:
            return word in words or word in medicines

        names = _NamesOf(
            self._index,
            self.library,
            self.meant,
            known,
            lambda word: word in medicines or word in self._index.classes,
            self._company(),
            (self._ended_by_an_operation, self._all_named("problem-not-curable")),
            self._habits,
            self._operations,
            self._tests_of_conditions(),
            self._ended_by_a_transplant(),
            self._all_named("problem-graded-by-risk"),
            self._all_named("problem-cured-by-a-course"),
        )
        return Remembered(ProblemReader(self._problem_words, names))

    def _company(self) -> Company:
        """Letters that mean this or that by their company: each name, and the conditions and words beside which it is meant."""
        company: Company = {}
        for word, ways in self.library.language.meaning("problem-company").items():
            for way in ways.split(";"):
                name, _, beside = way.partition(" beside ")
                named = {other: self._beside_which(other) for other in map(fold, beside.split(","))}
                ids = frozenset(i for i in named.values() if i is not None)
                doubted, _, of = fold(name).partition(" ")
                doubted_of = of if doubted in self._problem_words.doubted_company else ""
                known = self.named(fold(name)) is not None or self.named(doubted_of) is not None
                if known or fold(name) in self._problem_words.phrases:
                    others = tuple(o for o, i in named.items() if i is None)
                    company.setdefault(word, []).append(Meant(fold(name), ids, others))
        return company

    def _beside_which(self, word: str) -> str | None:
        """The condition beside which letters mean something; an operation that no rule speaks of is no more than its own word."""
        i = self.named(word)
        return None if i is None or (self.library.condition[i].unjudged and self.operation(i)) else i

    def _tests_of_conditions(self) -> TestsOf:
        """What rules conditions out, by the language's lists."""
        words = self.library.language
        rule_out: dict[str, frozenset[str]] = {}
        for name, tests in words.meaning("problem-ruled-out-by").items():
            if (i := self.named(fold(name))) is not None:
                rule_out[i] = rule_out.get(i, _NONE) | frozenset(map(fold, tests.split(",")))
        find: dict[str, frozenset[str]] = {}
        for word, names in words.meaning("problem-found-by-tests").items():
            for i in (self.named(fold(name)) for name in names.split(",")):
                if i is not None:
                    find[i] = find.get(i, _NONE) | {fold(word)}
        return TestsOf(
            rule_out, find, self._all_named("problem-told-until-tested"), self._all_named("problem-denied-by-a-workup"),
            frozenset(map(fold, words.words("problem-workups"))),
        )  # fmt: skip

    def _ended_by_a_transplant(self) -> dict[str, frozenset[str]]:
        """The transplants that replace the organ, by the condition in it."""
        found: dict[str, frozenset[str]] = {}
        for name, transplant in self.library.language.meaning("problem-ended-by-a-transplant").items():
            if (i := self.named(fold(name))) is not None and (by := self.named(fold(transplant))) is not None:
                found[i] = found.get(i, frozenset()) | {by}
        return found

    @cached_property
    def _ended_by_an_operation(self) -> frozenset[str]:
        return self._all_named("problem-curable")

    @cached_property
    def _habits(self) -> frozenset[str]:
        return self._all_named("problem-habits")

    @cached_property
    def _operations(self) -> frozenset[str]:
        return self._all_named("problem-operations")

    def operation(self, condition: str) -> bool:
        """Whether a condition is no more than an operation that was done."""
        return not self._operations.isdisjoint(self.library.condition[condition].is_a)

    def comes_back(self, head: Head) -> bool:
        """Whether a condition is told as one that comes again and again ("recurrent UTIs x4")."""
        words = {*fold(head.name).split(), *(w for m in head.marks for w in fold(m.text).split())}
        return not self._again_and_again.isdisjoint(words)

    def of_another_disease(self, line: ProblemLine) -> Iterator[tuple[int, int]]:
        """Where a line holds the score, grade or part of a disease that it does not name ("back pain, NYHA III").

        Of kin, or where something is denied, nothing is said of whose it is.
        """
        found = [] if line.of_kin or line.names_kin or line.denies else list(self._a_score.finditer(line.text.lower()))
        meant = (self.meant(head.name) for head in line.heads) if found else ()
        named = {kind for one in meant if one is not None for i in one.conditions for kind in self.library.condition[i].is_a}
        read = [*((h.start, h.end) for h in line.heads), *((m.start, m.end) for m in line.measured)]
        for one in found:
            inside = any(start <= one.start() < end for start, end in read)
            behind = line.text[one.end() :].lower().replace(",", " , ").split(" , ")[0]
            if (
                not inside
                and self._negative.isdisjoint(_WORDS.findall(behind))
                and named.isdisjoint(self._diseases_of(self._scores[one[0]]))
            ):
                yield one.span()

    def _read_diseases(self, names: str) -> frozenset[str]:
        return frozenset(i for name in names.split(",") if (i := self.named(fold(name))) is not None)

    def _all_named(self, words: str) -> frozenset[str]:
        """The conditions that a list of the language names."""
        return frozenset(i for name in self.library.language.words(words) if (i := self.named(fold(name))) is not None)

    @staticmethod
    def share_a_word(called: str, test: Lab) -> bool:
        """Whether what a result is called has a word in common with the names of a test."""
        return any(not set(fold(called).split()).isdisjoint(fold(text).split()) for text in (test.name, *test.synonyms))

    @cached_property
    def of_one_sex(self) -> dict[str, str]:
        """Conditions that only one sex has, with which."""
        told = self.library.language.meaning("conditions-of-one-sex")
        return {i: sex for name, sex in told.items() if (i := self.named(fold(name))) is not None}

    @cached_property
    def pregnancy(self) -> str | None:
        """The condition of being pregnant, by the words around its weeks."""
        words = (word for word, kind in self.library.language.meaning("problem-times").items() if kind == "gestation")
        named = (self.named(fold(word)) for word in words)
        return next((i for i in named if i is not None and self.library.condition[i].pregnancy), None)

    @cached_property
    def _plain_reasons(self) -> frozenset[str]:
        """The words in which people say what a medicine is for."""
        of_uses = (word for use in self.library.uses.values() for word in _WORDS.findall(fold(use)))
        return frozenset(of_uses) | frozenset(self.library.language.words("reasons-in-short"))

    def reason(self, text: str) -> bool:
        """Whether we know what is meant by the reason for which a medicine is taken: a problem, or plain words of a use."""
        if self.named(fold(text)) is not None:
            return True
        line = self.problems.read(text)
        if line.heads and not line.rests:
            return not _counted(line)
        words = _WORDS.findall(fold(text))
        return bool(words) and self._plain_reasons.issuperset(words)

    def adds_nothing(self, text: str) -> bool:
        """Whether words beside a condition are such as tell nothing of it that a rule could need: small words and figures."""
        words = self._idle_phrases.sub(" ", fold(text)).replace("/", " ").replace("-", " ").split()
        return all(word in self._idle or _FIGURE.fullmatch(word) for word in words)

    def is_strange(self, word: str) -> bool:
        """Whether a word names a medicine, or is none that charts use."""
        bare = fold(word)
        if not any(c.isalpha() for c in bare) or self.adds_nothing(bare):
            return False
        return self.allergies.medicine(bare) is not None or not (bare in self._problem_words.words or self.named(bare))

    def is_a_treatment(self, text: str) -> bool:
        """Whether words name a treatment without its medicine ("lifelong AC")."""
        words = fold(text.replace("/", " ")).split()
        without = [w for n, w in enumerate(words) if not (n and w.isdigit())]  # "pred 7.5 taper"
        return self._are_treatments(words) or self._are_treatments(without)

    def _are_treatments(self, words: list[str]) -> bool:
        kept = [w for w in words if w not in self._beside_medicine and w not in self._idle]
        return bool(kept) and self._treatments.issuperset((" ".join(kept),) if " ".join(kept) in self._treatments else kept)

    def is_idle(self, text: str) -> bool:
        """Whether words beside a condition are a phrase that tells nothing of it ("surgery referral")."""
        idle = self._idle_phrases.search(fold(text)) is not None and self.adds_nothing(text)
        return idle or self._is_only_care(text)

    def _is_only_care(self, text: str) -> bool:
        left = self._care_alone.sub(" ", fold(text))
        return left != fold(text) and self.adds_nothing(left)

    def only_a_test(self, text: str) -> bool:
        """Whether a line tells of nothing but a test that found nothing or is due ("prostate bx neg", "mammo BI-RADS 1"), or of
        what is done for anybody ("seizure precautions")."""
        if self._is_only_care(text):
            return True
        words = _WORDS.findall(fold(text.replace("-", " ")))
        if self._tests_alone.isdisjoint(words) or self._found_nothing.isdisjoint(words):
            return False
        return self.adds_nothing(_marks_out(text))

    def no_longer_taken(self, line: str, start: int, end: int) -> bool:
        """Whether words around a medicine on a line of a problem list say that it was ended, failed or is not to be taken."""
        inside = not self._says_ended.isdisjoint(fold(line[start:end]).split())
        return inside or bool(self._ended.search(line, 0, start) or self._ended_behind.match(line, end))

    def perhaps_not_taken(self, line: str, start: int, end: int) -> bool:
        """Whether words around a medicine on a line of a problem list leave open that it is taken now."""
        return self._only_meant.search(line, 0, start) is not None or self._until.match(line, end) is not None

    def without_amount(self, text: str) -> str:
        """The words before an amount ("bup/nx" of "bup/nx 16 mg"), and all of them where there is none."""
        found = _AMOUNT.search(text)
        return text[: found.start()] if found and self.library.units.symbol(found[1]) else text

    def did(self, reaction: str, drugs: frozenset[str]) -> bool:
        """Whether medicines may have done what is named beside them: none of them is one that is taken for that."""
        against = self._taken_for.get(fold(reaction))
        told = [self.library.uses.get(drug) for drug in drugs]
        if against is None or not told or None in told:
            return False
        return all(against.isdisjoint(_WORDS.findall(fold(use or ""))) for use in told)

    def medicine_on_a_line(self, text: str) -> frozenset[str] | None:
        """The ingredients of the medicine that words of a problem line name, with its amount or not ("pred taper", "so vanc")."""
        bare = self.without_amount(text)
        words = bare.split()
        for beside in (self._beside_medicine | self._says_ended, self._beside_medicine | self._says_ended | self._idle):
            kept = " ".join(w for w in words if w.lower() not in beside)
            found = self.allergies.medicine(kept) if kept else None
            if found is not None:
                return found
        return self.allergies.medicine(bare) or self._with_a_bare_number(words)

    def _with_a_bare_number(self, words: list[str]) -> frozenset[str] | None:
        """The same of a medicine whose amount stands behind it as a number alone ("pred 7.5 taper"); "Tylenol 3" is a name."""
        beside = self._beside_medicine | self._says_ended | self._idle
        numbered = [w for w in words if not _BARE_NUMBER.fullmatch(w)]
        kept = " ".join(w for w in numbered if w.lower() not in beside)
        return self.allergies.medicine(kept) if kept and len(numbered) < len(words) and numbered[0] == words[0] else None

    def alike(self, drugs: Iterable[str], others: AbstractSet[str]) -> bool:
        """Whether one of some medicines and one of others are of a class that people have a name for ("blood thinner")."""
        named = (c.members for c in self.library.classes if c.synonyms)
        return any(any(d in members for d in drugs) and any(o in members for o in others) for members in named)

    def conditions_near(self, text: str) -> list[str]:
        """Up to three problems whose names are close to what was written, to ask about; never taken for them."""
        from rapidfuzz import fuzz, process

        found = process.extract(fold(text), self._index.condition_names, scorer=fuzz.ratio, score_cutoff=_NEAR, limit=6)
        return list(dict.fromkeys(self.library.condition[self._conditions[name]].name for name, _, _ in found))[:3]

    def may_be_about_kidneys(self, text: str) -> bool:
        """Whether the words of a problem that we do not recognise may speak of the kidneys."""
        return self._kidneys.search(text) is not None

    @cached_property
    def treatments(self) -> Treatments:
        """The reader of what lines of any list say is taken; made when the first is told."""
        return Treatments(self.library, self.resolver)

    @cached_property
    def result_lines(self) -> ResultReader:
        """The reader of results as they are written; made when the first such line comes."""
        from safety.reading.results.reader import ResultReader

        return ResultReader(self.library, self._index.labs, self._index.measured_firsts)

    @cached_property
    def spelled(self) -> Spelled:
        """The reader of results in number words; made when the first is told."""
        from safety.reading.results.spelled import Spelled

        return Spelled(self.library.language)

    @cached_property
    def _levels(self) -> tuple[re.Pattern[str], dict[str, str]]:
        meanings = self.library.language.meaning("result-levels")
        return re.compile(rf"\b{any_of(meanings)}\b", re.I), meanings

    def level_said(self, text: str) -> str:
        """What the concentration of a medicine that is not named is called in a text: `level`, `trough` or `peak`; else empty."""
        pattern, meanings = self._levels
        said = {meanings[" ".join(lowered(found[0]).split())] for found in pattern.finditer(text)}
        return next((one for one in ("trough", "peak", "level") if one in said), "")

    @cached_property
    def _urgent(self) -> re.Pattern[str]:
        words, no = self.library.language.words("urgent-symptoms"), self.library.language.words("denial")
        denied = rf"(?:(?!\b{any_of(self.library.language.words('turning'))}\b)[^.;])*"
        said = self.library.language.meaning("symptoms-for-today")
        breath, effort, event, over, by_itself = (
            any_of(word for word, meaning in said.items() if meaning == kind)
            for kind in ("breath", "effort", "event", "over", "today")
        )
        on_effort = rf"{breath}(?:\s+\w+){{0,3}}?\s+{effort}"
        today = rf"{event}(?:\s+\w+){{0,3}}?\s+{over}|{self._gained}|{by_itself}"
        return re.compile(
            rf"\b(?P<no>{any_of(no)})\b{denied}|\b(?P<effort>{on_effort})\b|\b(?P<today>{today})\b"
            rf"|\b(?P<symptom>{any_of(words)})\b",
            re.I | re.S,
        )

    @property
    def _gained(self) -> str:
        """What tells of weight gained in days: "put on 6 pounds since Thursday", "5 lb weight gain in a week"."""
        words = self.library.language.words
        gains, so_much, heavier = (any_of(words(name)) for name in ("gains-weight", "so-much-weight", "is-that-much-heavier"))
        in_short = any_of(words("in-short-a-time"))
        much = rf"(?:{gains}\s+(?:\w+\s+)?{so_much}(?:\s+{heavier})?|{so_much}\s+(?:\w+\s+)?{heavier})"
        return rf"{much}\s+(?:just\s+)?{in_short}"

    @cached_property
    def _at_rest(self) -> re.Pattern[str]:
        said = self.library.language.meaning("symptoms-for-today")
        return re.compile(rf"\b{any_of(word for word, meaning in said.items() if meaning == 'rest')}\b", re.I)

    def urgent_symptoms(self, text: str) -> list[str]:
        """What a text tells with which nobody waits, in its own words; what a denial reaches, up to a new thought, is none."""
        kinds = ("symptom", "effort") if self._at_rest.search(text) else ("symptom",)
        return [lowered(found[kind]) for found in self._urgent.finditer(text) for kind in kinds if found[kind]]

    def symptoms_for_today(self, text: str) -> list[str]:
        """What a text tells that is seen the same day: short of breath on the stairs, and not at rest; a seizure last week."""
        kinds = ("today",) if self._at_rest.search(text) else ("today", "effort")
        return [lowered(found[kind]) for found in self._urgent.finditer(text) for kind in kinds if found[kind]]

    @cached_property
    def findings(self) -> FindingReader:
        """The reader of genetic results, procedures and devices; made for the first patient who may have some."""
        return FindingReader(self.library, self._problem_words.dates, self._problem_words.idle)

    def lab(self, told: LabResult) -> Lab | None:
        """Which test a result is of; None if it is none of ours."""
        found = self._as_a_share(self._lab_of(told.test, told.codes), told)
        shared = self.library.shared_test_names
        if found is None or not shared or fold(told.test) not in shared:
            return found
        value = number(str(told.value).lstrip("<>=≤≥ ")) if told.value is not None else None
        return self.library.lab[by_number(shared[fold(told.test)], found.id, value)]

    def _as_a_share(self, found: Lab | None, told: LabResult) -> Lab | None:
        """The test of a share where a result is told as one: "eosinophils 22 %" is no count."""
        share = self._shares.get(found.id) if found is not None and told.unit else None
        if share is None or found is None:
            return found
        unit = self.library.units.symbol(told.unit or "") or told.unit
        return share if unit == share.unit != found.unit else found

    @cached_property
    def _shares(self) -> dict[str, Lab]:
        return {test.share_of: test for test in self.library.labs if test.share_of}

    def _read_lab(self, text: str, codes: tuple[Code, ...]) -> Lab | None:
        labs = self._index.labs
        coded = next((i for code in codes if (i := labs.get(f"{code.system}:{code.code}"))), None)
        found = coded or labs.get(fold(text)) or labs.get(text)
        return self.library.lab[found] if found else None


def _counted(line: ProblemLine) -> bool:
    """Whether a number stands in a reason that is neither part of a condition's name, its stage, nor a year."""
    names = [(h.start, h.end) for h in line.heads]
    staged = " ".join(m.text for h in line.heads for m in h.marks if m.kind == "grade" and m.text[:1] not in "xX")
    for found in _NUMBERS.finditer(line.text):
        inside = any(start <= found.start() < end for start, end in names)
        if not (inside or found[0] in staged or _YEAR.fullmatch(found[0])):
            return True
    return False


_GRADES = ("grade", "severity", "episode")
_OF_A_GRADE = re.compile(r"[a-z0-9]+")


def _at(one: Graded, told: str) -> bool:
    """Whether a grade as written ("nyha class iii-iv") is of such a scale, and has one of its values."""
    return told.startswith(one.scales) and (not one.at or not set(one.at).isdisjoint(_OF_A_GRADE.findall(told)))


_REMEMBERED_NAMES = 16_384
"""So many names, and words that are none, are not looked up again."""


class TestsOf(Struct, frozen=True):
    """Which tests rule a condition out, and what they find of it, by condition; `decides`: also where it was only named.

    `workups`: words for the search for a condition, which denies those of `denied_by_a_workup`.
    """

    rule_out: Mapping[str, frozenset[str]]
    find: Mapping[str, frozenset[str]]
    decides: frozenset[str]
    denied_by_a_workup: frozenset[str]
    workups: frozenset[str]


class Remembered:
    """A reader of lines that reads none of the last few twice."""

    def __init__(self, reader: ProblemReader) -> None:
        self._read = lru_cache(_REMEMBERED)(reader.read)

    def read(self, text: str) -> ProblemLine:
        """Everything of a line."""
        return self._read(text)


class _NamesOf:
    """Names of conditions and tests, as a reader of lines asks for them."""

    def __init__(
        self, index: TermIndex, library: Library, meant: Callable[[str], Coded | None], known: Callable[[str], bool],
        medicine: Callable[[str], bool], company: Company, curable: tuple[frozenset[str], frozenset[str]],
        habits: frozenset[str], operations: frozenset[str], tests: TestsOf, replaced: dict[str, frozenset[str]],
        risk_graded: frozenset[str], cured_by_a_course: frozenset[str],
    ) -> None:  # fmt: skip
        self.medicine, self._by_a_course = medicine, cured_by_a_course
        self._tests_of, self._replaced, self._risk_graded = tests, replaced, risk_graded
        self._kinds, self._meant, self._company, self._tests = library.condition, meant, company, library.lab
        self._curable, self._habits, self._operations = curable, habits, operations
        slips = Slips(lambda: index.condition_words, lambda: index.other_words, known, lambda: index.short_words)
        self.corrected, self.beginning, self.alike = slips.corrected, slips.beginning, slips.alike
        self._conditions, self._firsts = index.conditions, index.condition_firsts
        self._spelled = index.spelled
        self._looked_up: dict[str, str | None] = {}
        self._labs, self._panels, self._measured_firsts = index.labs, index.panels, index.measured_firsts

    def longest(self, first: str) -> int:
        """How many words the longest name of a condition has that begins with this word."""
        return self._firsts.get(first) or 0

    def condition(self, name: str) -> str | None:
        """The condition with this name; the first where it is several at once."""
        known = self._looked_up.get(name, self)
        if known is not self:
            return known  # type: ignore[return-value]
        own = self._conditions.get(name)
        if own is None and (found := self._meant(name)) is not None:
            own = found.conditions[0]
        if len(self._looked_up) >= _REMEMBERED_NAMES:
            self._looked_up.clear()
        self._looked_up[name] = own
        return own

    def short_for(self, letters: str, name: str) -> bool:
        """Whether letters begin the words of another name of the same condition ("AI" of "Addison's")."""
        found = self.condition(name)
        names = () if found is None else (self._kinds[found].name, *self._kinds[found].synonyms)
        return any(len(words := fold(one).split()) == len(letters) and "".join(w[0] for w in words) == letters for one in names)

    def spelled(self, text: str) -> str | None:
        """`condition` or `test`, for letters that name both but for how they are written."""
        return self._spelled.get(text)

    def longest_measured(self, first: str) -> int:
        """The same of tests, and of tests that are written together."""
        return self._measured_firsts.get(first) or 0

    def is_measured(self, name: str) -> bool:
        """Whether it is the name of a test, or of some that are written together."""
        return name in self._labs or name in self._panels

    def is_test(self, name: str) -> bool:
        """Whether it is the name of a test."""
        return name in self._labs

    def operation(self, name: str) -> bool:
        """Whether it is the name of an operation."""
        found = self.condition(name)
        return found is not None and not self._operations.isdisjoint(self._kinds[found].is_a)

    def unjudged(self, name: str) -> bool:
        """Whether it is the name of what no rule speaks of."""
        found = self.condition(name)
        return found is not None and self._kinds[found].unjudged

    def narrower(self, name: str, than: str) -> bool:
        """Whether a name is that of a condition which is a kind of another's, and not that one."""
        one, other = self.condition(name), self.condition(than)
        return one is not None and one != other and other in self._kinds[one].is_a

    def related(self, name: str, others: frozenset[str]) -> bool:
        """Whether a condition is one of these, a kind of one, or one that is told wider than they are ("cancer")."""
        found = self.condition(name)
        if found is None:
            return False
        return not others.isdisjoint(self._kinds[found].is_a) or any(found in self._kinds[i].is_a for i in others)

    def passes(self, name: str) -> bool:
        """Whether it is the name of a condition that passes, so that it may be over."""
        found = self.condition(name)
        return found is not None and self._kinds[found].lasts is not None and not self._kinds[found].lifelong

    def ended_by_a_course(self, name: str) -> bool:
        """Whether a condition is over once a whole course of a medicine was taken for it."""
        found = self.condition(name)
        listed = found is not None and not self._by_a_course.isdisjoint(self._kinds[found].is_a)
        return listed or self.passes(name)

    def lifelong(self, name: str) -> bool:
        """Whether it is the name of a condition that nobody loses."""
        found = self.condition(name)
        return found is not None and self._kinds[found].lifelong

    def told_in_words(self, name: str) -> bool:
        """Whether it is the name of a test that comes out negative or positive."""
        test = self._tests.get(self._labs.get(name) or "")
        return test is not None and (test.expected is not None or bool(test.pregnant_word))

    def ended_by_a_transplant(self, name: str) -> frozenset[str]:
        """The transplants that end a condition, because they replace the organ it is in."""
        found = self.condition(name)
        kinds = self._kinds[found].is_a if found is not None else ()
        return frozenset[str]().union(*(self._replaced[k] for k in kinds if k in self._replaced))

    def curable(self, name: str) -> bool:
        """Whether a condition is one that an operation ends: of those that no rule speaks of, each that is no operation."""
        curable, never = self._curable
        found = self.condition(name)
        kinds = self._kinds[found].is_a if found is not None else ()
        if not self._operations.isdisjoint(kinds):
            return False
        if found is not None and self._kinds[found].unjudged and never.isdisjoint(kinds):
            return True
        return not curable.isdisjoint(kinds) and never.isdisjoint(kinds)

    def habit(self, name: str) -> bool:
        """Whether a condition is a habit, and no illness by itself."""
        found = self.condition(name)
        return found is not None and not self._habits.isdisjoint(self._kinds[found].is_a)

    def ruled_out_by(self, name: str, *, told: bool = False) -> frozenset[str]:
        """The tests of which a negative one says that a condition is not there which was looked for, or `told`: only named."""
        found = self.condition(name)
        kinds = self._kinds[found].is_a if found is not None else ()
        tests = (
            () if told and self._tests_of.decides.isdisjoint(kinds) else (self._tests_of.rule_out.get(k, _NONE) for k in kinds)
        )
        return _NONE.union(
            *tests, _NONE if told and self._tests_of.denied_by_a_workup.isdisjoint(kinds) else self._tests_of.workups
        )

    def graded_by_risk(self, name: str) -> bool:
        """Whether a condition is graded by its risk ("high risk prostate cancer")."""
        found = self.condition(name)
        return found is not None and not self._risk_graded.isdisjoint(self._kinds[found].is_a)

    def found_by_tests(self, name: str) -> frozenset[str]:
        """What a test finds of a condition ("clot")."""
        found = self.condition(name)
        kinds = self._kinds[found].is_a if found is not None else ()
        return _NONE.union(*(self._tests_of.find.get(k, _NONE) for k in kinds))

    def told_by_company(self, word: str) -> bool:
        """Whether letters mean this or that by what stands on the same line."""
        return word in self._company

    def beside(self, word: str, others: frozenset[str], said: str) -> str:
        """The name that such letters stand for beside these conditions and words; empty where they keep what they mean alone."""
        kinds = {kind for i in others for kind in self._kinds[i].is_a}
        spaced = f" {said} "
        for way in self._company[word]:
            if not way.conditions.isdisjoint(kinds) or any(f" {phrase} " in spaced for phrase in way.words):
                return way.name
        return ""


def _marks_out(text: str) -> str:
    """A line without the marks between its words."""
    return " ".join(re.findall(r"[\w'/.%+-]*\w[\w'%+]*", text))


def _kidneys(library: Library) -> re.Pattern[str]:
    by_kind: dict[str, list[str]] = {"part": [], "word": []}
    library.language.read("kidney-words", lambda text, kind: by_kind[kind].append(text), "a `part` of a word or a `word`")
    return re.compile(rf"{any_of(by_kind['part'])}|\b{any_of(by_kind['word'])}\b", re.I)


def _least_and_most(days: str) -> tuple[int, int]:
    least, _, most = days.partition("-")
    return int(least), int(most)


def _weeks(library: Library, trimester: str) -> tuple[Decimal, Decimal]:
    first, last = Decimal(0), Decimal("Infinity")
    for b in library.figure("trimesters", trimester):
        week = library.units.convert(b.value, "wk") or Decimal(0)
        if b.op in ("at_least", "above"):
            first = week
        else:
            last = week - _SHORT_OF if b.op == "under" else week
    return first, last
