"""A text of a narrative → the single statements in it, each of a kind that can be held against a record.

What the extractor finds is taken as it is found; beside it stand what a record knows and the extractor does not look for:
vaccines, operations, care plans, allergies that are denied, symptoms that do not wait. What may be clinical and is none of
these is `unclear`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import NamedTuple

from msgspec.structs import replace

from safety.answering.checker import Checker
from safety.answering.labs import answer_lab
from safety.edge.as_case import medication_of
from safety.edge.bare_doses import BareDoses, Change, Dosed
from safety.edge.caring import Caring
from safety.edge.clauses import Become, Clauses
from safety.edge.companions import Companions
from safety.edge.extraction import AllergySaid, Extraction, MedicationSaid, ResultSaid, Span
from safety.edge.extractor import Extractor
from safety.edge.kinds import Kind, Kinds
from safety.edge.pointing import Heard, with_changes
from safety.edge.reporting import PRONOUNS
from safety.edge.speaking import Sentence, Speaking
from safety.edge.stretches import Stretches
from safety.edge.tapers import Tapers
from safety.errors import RequestError
from safety.knowledge.language import Language
from safety.labs.request import read_lab_request
from safety.memory.events import Time, on
from safety.memory.pictures import Pictured
from safety.memory.statements import Manner, Narrative, Statement, StatementKind
from safety.memory.subjects import Understanding
from safety.memory.times import TimeReader
from safety.memory.whose import Whose
from safety.model.patient import Medication
from safety.model.quantity import Quantity
from safety.reading.wording import any_of
from safety.text import fold, lowered, printable

_MANNERS: dict[str, Manner] = {
    "taking": "taking", "stopped": "stopped", "missed": "missed", "denied": "denied", "considering": "considering",
    "asking": "asking", "prescribed": "prescribed",
}  # fmt: skip
_STANDINGS: dict[str, Manner] = {"active": "has", "past": "over", "suspected": "suspected", "denied": "denied"}
_BEGUN = frozenset({"taking", "prescribed"})
_NOT_TAKEN = frozenset({"stopped", "denied"})
_MANY_TIMES = 8
_REACTED_TO = frozenset({"mentioned", "denied", "taking", "stopped"})
_COURSE_DAYS = {"day": 1, "week": 7}
_TO = re.compile(r"\b(?:to|of)\s+(?P<what>[^,.;!?]+)", re.I)
_TWO_WORDS, _NEAR_A_SIGN = 2, 4
"""So many words behind "and my" a sign of an allergy is told of what was named before."""
_NEAR = 45
"""So many characters before a word a denial of it may stand."""
_LONGEST_NAME, _MOST_AT_ONCE = 80, 7
_TOPIC = 3
"""A question of so many words before a statement only names what that tells of."""
_AMOUNT_AND_OFTEN = r"(?:back\s+(?:down\s+)?to\s+)?(?P<dose>\d+(?:\.\d+)?\s*[a-z]+)\s+(?P<often>[^,.;()]+?)(?=\s*(?:[,.;()]|\Z))"
"""What goes on behind a course, "then 200 mg daily"."""
_NUMBER_AND_WORD = re.compile(r"(?<![\w.])(?P<n>\d+(?:\.\d+)?)\s*(?P<u>[a-zA-Z]+)")
_LAST_NUMBER = re.compile(r"\d+(?:\.\d+)?\Z")
_TOPIC_ASKED = re.compile(r"\?(?=\s+\S)")
_WORDS = re.compile(r"[A-Za-z][\w'-]{2,}")
_PARTED = re.compile(r"[,;:.]\s")
_ENDS_THERE = re.compile(
    r"(?:\s+\d+(?:\.\d+)?)?\s*(?:[.,;!]|\Z|(?:and|plus|for|at|in|with|every|once|twice|as|only|now|alone|instead)\b)", re.I
)
""""On birth control, so-and-so": behind the name stands nothing that is told of it."""


class Stater:
    """Takes texts apart by the lists of one library; made once, never changed."""

    def __init__(self, checker: Checker, extractor: Extractor, understanding: Understanding) -> None:
        language = checker.library.language
        words = language.words
        self._checker, self._extractor, self.understanding = checker, extractor, understanding
        self.plainly, self.doubted = checker.spoken.plainly, checker.spoken.tables["doubted"]
        self.kinds = Kinds(checker)
        self.clauses = Clauses(language, checker.spoken.plainly, self.kinds.phrases)
        self._times, self._speaking = TimeReader(language), Speaking(language)
        self._conditions = checker.library.condition
        names = [[one.name, *one.synonyms] for one in checker.library.labs]
        names += [[one.name, *one.synonyms] for one in checker.library.panels]
        self._measured = frozenset(fold(name) for several in names for name in several)
        self._denies = _any(*words("denials-in-talk"), *words("denial"), *words("denying"))
        self._has_not = _any(*words("denials-in-talk"))
        kin = any_of(words("relatives-in-talk"))
        self._kin = re.compile(
            rf"\b{any_of(words('mine'))}\s+(?:\w+\s+)?{kin}\s+(?:\w+\s+){{0,2}}{any_of(words('of-allergies'))}\b", re.I
        )
        self._not_so = frozenset(w for w, meaning in language.meaning("answers").items() if meaning == "no")
        self._over = _any(*words("said-to-be-over"))
        lengths = {w: u for w, u in language.meaning("time-units").items() if u in _COURSE_DAYS and len(w) > 1}
        numbers = {w: int(n) for w, n in language.meaning("numbers").items() if n.isdigit()}
        short = {w: u for w, u in language.meaning("time-units").items() if u in _COURSE_DAYS}
        number = rf"(?:\d{{1,3}}|{any_of([*numbers, *words('one-of-a-length')])})"
        self._course = re.compile(
            rf"\b{any_of(words('course-of-so-long'))}\s+(?P<n>{number})[\s-]+(?P<u>{any_of(lengths)})\b"
            rf"|\b(?P<n3>{number})\s+(?P<u3>{any_of(lengths)})['’]?\s+worth\b"
            rf"|(?<![\w.]){any_of(words('leads-to-a-course'))}\s?(?P<n2>\d{{1,3}})[\s-]?(?P<u2>{any_of(short)})(?!\w)", re.I,
        )  # fmt: skip
        self._then_goes_on = re.compile(
            rf"[\s,;]*(?:and\s+)?then\s+(?:(?:\w+\s+)?{any_of(words('goes-on-behind-a-course'))}(?![\w-])|{_AMOUNT_AND_OFTEN})",
            re.I,
        )
        self._through = re.compile(
            rf"\b{any_of(words('through-a-day'))}\s+(?P<m>1[0-2]|0?[1-9])/(?P<d>3[01]|[12]\d|0?[1-9])(?![\d/])", re.I
        )
        self._given_once = re.compile(rf"(?<![\w-]){any_of(words('given-only-once'))}\s+(?:[\w-]+\s+)?\Z", re.I)
        self._only_there = re.compile(
            rf"(?:\s+shots?|\s+drips?)?\s+{any_of(words('only-where-one-was-cared-for'))}(?![\w-])", re.I
        )
        self._where_given_once = _any(*words("where-something-is-given-once"))
        self._after_that = re.compile(
            rf"\s*,?\s*(?:and|then)\s+(?P<dose>\d+(?:\.\d+)?(?:\s*[a-z]+)?)\s+{any_of(words('after-that'))}(?![\w-])", re.I
        )
        self._went_on_to = re.compile(
            rf"(?<![\w-]){any_of(words('then-went-to-a-dose'))}\s+(?P<n>\d+(?:\.\d+)?)(?![\w/]|\.\d)", re.I
        )
        self._not_needed = _any(*words("was-not-needed"))
        self._takes_half = _any(*words("takes-half-of-one"))
        self._lengths, self._numbers = short, numbers
        self._so_long = _any(*words("has-been-so-long"))
        self._not_a_stop = _any(*words("not-a-stop"), *words("not-steadily"), *words("not-on-some-days"))
        self._part = _any(*words("part-of-a-dose"))
        self._tolerated = _any(*words("medicines-tolerated"))
        self._allergy = re.compile(
            rf"(?<![\w-])(?:{any_of(words('of-allergies'))}|{any_of(words('of-reactions'))}(?=\s+to\b))(?![\w-])", re.I
        )
        self._more, self._when_it_comes = _any(*words("more-than-a-dose")), _any(*words("taken-when"))
        self._still = _any(*words("still-so"))
        self._vaccinated = _any(*words("tells-of-a-vaccination"))
        self._declined, self._to_come = _any(*words("declines-what-is-done")), _any(*words("still-to-come"))
        self._done_all_the_same = _any(*words("done-all-the-same"))
        self._vaccine_alone = _any(*words("names-of-vaccines-alone"))
        self._told_of_by_none = re.compile(
            rf"(?<![\w-]){any_of(words('told-by-nobody'))}(?:['’]s)?\s+(?:[\w'’]+\s+){{0,2}}?{any_of(words('speaks-of-a-problem'))}(?![\w-])",
            re.I,
        )
        self._mistaken, self._until = _any(*words("told-as-a-mistake")), _any(*words("not-before-then"))
        own = any_of([*words("mine"), *words("theirs"), "the"])
        self._for_this = re.compile(rf"(?<![\w-]){any_of(words('for-what'))}\s+{own}\s+(?:[\w-]+\s+)?\Z", re.I)
        self._alarming = Pictured(
            language, "pictures-of-alarms", [*words("denying"), *words("denies-an-alarm"), *words("none-of-it")]
        )
        self._long_past = re.compile(rf"\b(?:19|20)\d\d\b|\byears?\b|(?<![\w-]){any_of(words('told-long-ago'))}(?![\w-])", re.I)
        self._no_problem_words = frozenset(map(fold, words("problems-that-are-words")))
        self._brought_on = _any(*words("brought-on-by"))
        self._no_cue, self._no_allergies = _any(*words("no-clinical-cue")), _any(*words("no-allergies-in-short"))
        self._by_none = _any(*words("told-by-nobody"))
        self._organs = language.meaning("organs-said-to-be-well")
        none = any_of([*words("denying"), *words("denials-in-talk"), *words("told-by-nobody")])
        self._no_organ_trouble = re.compile(
            rf"(?<![\w-]){none}\s+(?:\w+\s+){{0,6}}?(?P<organ>{any_of(self._organs)})\s+(?:(?:was|were|is|are)\s+)?"
            rf"{any_of(words('something-wrong-with-an-organ'))}(?![\w-])|"
            rf"(?<![\w-]){none}\s+(?:[\w']+\s+){{0,3}}?{any_of(words('something-wrong-with-an-organ'))}\s+(?:wrong\s+)?with\s+"
            rf"(?:[\w']+\s+)?(?P<with>{any_of(self._organs)})(?![\w-])|"
            rf"(?<![\w-])nothing\s+(?:is\s+|was\s+)?(?:wrong|the\s+matter|bad)\s+with\s+(?:[\w']+\s+)?"
            rf"(?P<nothing>{any_of(self._organs)})(?![\w-])|"
            rf"(?<![\w-])(?P<never>{any_of(self._organs)})\s+(?:was|were|has been|have been|is|are)\s+(?:never|not)\s+"
            rf"(?:[\w']+\s+){{0,2}}?{any_of(words('something-wrong-with-an-organ'))}(?![\w-])", re.I,
        )  # fmt: skip
        organ, well = any_of(self._organs), any_of(words("said-to-be-well"))
        self._well = re.compile(
            rf"(?:\A\W*|(?<=[.,;]\s)|(?<![\w-])(?:my|his|her|their|the)\s+)(?P<organ>{organ})(?:['’](?:s|re))?\s+(?:(?!not\b|never\b|\w+n't\b)[\w']+\s+){{0,5}}?{well}(?=\s*(?:[.,;!]|\Z))",
            re.I,
        )
        self._levels, self._tests_in_talk = language.meaning("levels-in-words"), language.meaning("tests-in-talk")
        goes_on = any_of(
            [*words("before-a-time"), *words("near-days"), *words("near-days-ago"), *words("begins-a-clause"), "now", "again"]
        )
        self._in_words = re.compile(
            rf"(?<![\w-])(?P<test>{any_of(self._tests_in_talk)})(?P<between>\s+(?:[\w']+\s+){{0,6}}?)(?P<level>{any_of(self._levels)})"
            rf"(?=\s*(?:[.,;!]|\Z)|\s+{goes_on}(?![\w-]))", re.I,
        )  # fmt: skip
        self._over_with = _any(*words("ends-an-allergen"))
        self._reacts = re.compile(
            rf"(?:\A|[,;:.]\s|\band\s)\s*(?P<what>(?:[\w'-]+\s+){{1,3}}?){any_of(words('brings-about-a-reaction'))}\s+"
            rf"(?:[\w'-]+\s+){{0,4}}?{any_of(words('reactions-in-talk'))}(?![\w-])", re.I,
        )  # fmt: skip
        self._so_does = re.compile(rf"(?<![\w-]){any_of(words('does-so-too'))}\s+(?P<what>[\w-]+(?:\s+[\w-]+){{0,2}})", re.I)
        self._body_weight = words("body-weight")[0]
        self._pointers = frozenset(map(fold, [*words("it"), *words("points-to-one"), "that", "those", "them", "these"]))
        self._lost = _any(*words("pregnancy-ended-in-talk"))
        self._all_of_them = frozenset(map(fold, words("points-to-all")))
        self._then_it_did = re.compile(rf"(?<![\w-]){any_of(words('and-then-it-did'))}\s", re.I)
        self._went = re.compile(rf"\s*(?:\w+\s+){{0,2}}?{any_of(words('signs-that-went'))}(?![\w-])", re.I)
        self._those_are = re.compile(r"[,;:]?\s*(?:[\w']+\s+){0,3}?(?:are|is|['’]s|were)\s+(?:\w+\s+){0,2}\Z", re.I)
        self._caring, self._companions = Caring(language), Companions(language)
        self._had_since = _any(*words("has-had-since"))
        self._borrowed, self._plain_words = checker.spoken.tables["borrowed"], checker.spoken.plainly.words
        self._whose, self._stretches = Whose(language), Stretches(language)
        self._signs = _any(*words("signs-of-an-allergy"))
        self._does = re.compile(rf"{any_of(words('does-something-to-somebody'))}(?![\w-])", re.I)
        self._doing = re.compile(
            rf"(?:\A|[,;:.]\s|\band\s)\s*(?P<what>(?:[\w'-]+\s+){{1,3}}?)(?={any_of(words('does-something-to-somebody'))}\s)",
            re.I,
        )
        self._listed = re.compile(rf"\s*,\s*|\s+{any_of(words('joining-names'))}\s+", re.I)
        self._gives_me = _any(*words("makes-one-take"))
        self._not_so_alarming = re.compile(
            rf"\b{any_of(words('denies-an-alarm'))}\s+(?:(?:any|a|an|more|of|the)\s+)*(?:[\w-]+\s+(?:or|and)\s+)?\Z", re.I
        )
        self._for_it = re.compile(rf"\s+{any_of(words('words-for-a-medicine'))}(?![\w-])", re.I)
        self._how_one_is = frozenset(map(fold, words("says-how-one-is")))
        self._by_blood = _any(*words("relatives-by-blood"))
        self._for = _any(*words("for-what"))
        tag = any_of(words("said-at-the-end-of-a-statement"))
        self._tag = re.compile(rf",\s+(?:[\w'’]+\s+){{0,4}}?{tag}\s*\?\s*\Z", re.I)
        self._since_then, self._only_at = _any(*words("since-it-was-begun")), _any(*words("only-at"))
        many = language.meaning("so-many-shots")
        self._many_shots = {w: int(n) for w, n in many.items()}
        shots = any_of(words("vaccine-words"))
        self._shots = re.compile(rf"(?<![\w-])(?P<n>{any_of(many)})\s+(?:[\w-]+\s+){{0,3}}?{shots}(?![\w-])", re.I)
        self._list_says = re.compile(
            rf"\s+{any_of(words('a-list-of-it'))}\s*(?::|{any_of(words('a-list-says'))})\s+(?P<what>[^,.;!?]+(?:,\s*[^,.;!?]+)*)",
            re.I,
        )
        self._has_by_one = _any(*words("verbs-of-taking"), *words("has-by-oneself"))
        self._for_something = re.compile(
            rf"\s+{any_of(words('for-what'))}\s+(?:{any_of([*words('mine'), *words('theirs'), 'the'])})\s", re.I
        )
        self._only_joins = re.compile(rf"(?:\s|,|{any_of(words('joining-names'))})*", re.I)
        self._reacts_from = re.compile(
            rf"(?<![\w-]){any_of(words('signs-of-an-allergy'))}\s+(?:[\w'-]+\s+){{0,4}}?{any_of(words('reacts-from'))}\s+(?P<what>[^,.;!?]+)",
            re.I,
        )
        self._as_needed = _any(*words("as-needed"))
        self._joined = re.compile(rf"(?:,|\b{any_of(words('joining-names'))})\Z", re.I)
        self._begins_bare = re.compile(rf"\W*{any_of(words('begins-what-is-taken'))}\s+(?:[\w'-]+,?\s+){{0,3}}?", re.I)
        self._treated_allergy = _any(*words("allergies-that-are-treated"))
        kinds = any_of([*words("medicines-in-talk"), "drug", "drugs", *words("kinds-of-medicines")])
        self._tolerates_all = re.compile(
            rf"(?<![\w-]){any_of(words('tolerates-all-of-them'))}\s+(?:\w+\s+)?{kinds}(?![\w-])", re.I
        )
        self._no_trouble = re.compile(
            rf"\b{any_of(words('denying'))}\s+(?:\w+\s+)?{kinds}\s+(?:\w+\s+){{0,5}}{any_of(words('trouble-with-a-medicine'))}(?![\w-])",
            re.I,
        )
        self._whole = frozenset({"", *map(fold, words("whole-lists"))})
        self._every = re.compile(rf"\A(?:{any_of(words('before-a-denied-name'))}\s+)+", re.I)
        self._drugs = _any(*words("medicines-in-talk"), "drug", "drugs")
        self._vaccine = _any(*words("vaccine-words"))
        self._barrier = _any(*words("care-barriers"))
        self._because = _any(*words("because-of"), "because")
        numbers_told = rf"(?:about\s+|almost\s+|over\s+)?(?:\d+|{any_of(numbers)})"
        self._gained = re.compile(
            rf"(?<![\w-]){any_of(words('gains-weight'))}\s+{numbers_told}\s+(?:pounds|lbs?|kilos|kg)\s+{any_of(words('in-short-a-time'))}(?![\w-])",
            re.I,
        )
        self._no_harm = re.compile(
            rf"(?:\A|[,;.]\s)\s*(?P<what>[\w'-]+(?:\s+[\w'-]+)?)\s+{any_of(words('does-no-harm'))}(?![\w-])", re.I
        )
        self._again_eaten = re.compile(
            rf"(?<![\w-]){any_of(words('may-be-eaten-again'))}\s+(?P<what>[\w-]+(?:\s+[\w-]+)?)\s+(?:now|again|just\s+fine|with\s+no\s+(?:problem|trouble))(?![\w-])",
            re.I,
        )
        self._gives_at_home = _any(*words("gives-at-home"))
        self._never_asked = _any(*words("never-asked-of-one"))
        self._alarm = _any(*words("alarming-words"))
        self._routine, self._cues = _any(*words("routine-talk")), _any(*words("clinical-cues"))
        self._no_cues = _any(*words("everyday-in-clinical-words"))
        self._complaint = re.compile(
            rf"\b{any_of(words('hard-to-do'))}\s+(?:\w+\s+){{0,3}}?{any_of(words('everyday-talk-needs-none'))}(?![\w-])",
            re.I,
        )
        self._measure = re.compile(rf"(?<![\w.])\d+(?:\.\d+)?\s*{any_of(words('measured-of-a-body'))}(?![\w-])|\d\s*/\s*\d", re.I)
        self._clinical, self._everyday_words = self._clinical_words(checker)
        self._who_and_when = frozenset(words("only-who-and-when"))
        subject = any_of([*PRONOUNS, *words("of-the-patient-reported"), *words("before-a-noun")])
        self._reported = re.compile(
            rf"\W*(?:(?:{any_of(words('whose-reporter'))})\s+)?(?P<who>{any_of(_kin_who_report(language))})\s+(?:\w+ly\s+|also\s+)?"
            rf"{any_of([*words('reports-in-talk'), *words('reporting')])}\s*[,:]?\s+"
            rf"(?=(?:that\s+)?(?P<subject>{subject})\b(?!\s+{any_of(words('is-only-advised'))}\b))(?:that\s+)?", re.I,
        )  # fmt: skip
        self._speaks = re.compile(
            rf"\W*(?:{any_of(words('whose-reporter'))}\s+)?{any_of(language.meaning('reporters'))}\s+{any_of(words('says-who-speaks'))}\s*[:,.]\s*",
            re.I,
        )
        self._reporters, self._speakers = language.meaning("reporters"), frozenset(words("of-the-speaker"))
        self._short_s = re.compile(r"['’](?:s|re|ve|m|ll|d|t)\b", re.I)
        self._in_mind = _any(*words("only-in-mind"))
        self._ahead = _any(*words("planned"))
        self._now = _any(*(w for w, days in language.meaning("near-days").items() if days == "0"))
        self._day = _any(*language.meaning("near-days"), *language.meaning("near-days-ago"))
        self._counted = self._count_of_units(checker)
        self._so_many_of = re.compile(
            rf"(?<![\w.-])(?P<n>[2-9]|{any_of(w for w, n in numbers.items() if 1 < n < _MOST_AT_ONCE)})\s+of\s+"
            rf"{any_of(words('before-a-name-of-ones-own'))}\s+\Z",
            re.I,
        )
        self._number_of = re.compile(
            rf"(?<![\w.-])(?P<n>\d+(?:\.\d+)?)\s+of\s+(?:{any_of(words('before-a-name-of-ones-own'))}\s+)?\Z", re.I
        )
        self._in_other_words = re.compile(rf"(?:\s+{any_of(words('words-for-a-medicine'))})?\s*[,(]\s*", re.I)
        self._bare, self._tapers = BareDoses(language, understanding), Tapers(language)
        self._vaccines, self._operations = language.meaning("vaccine-families"), language.meaning("operations-in-talk")
        self._taken_out, self._done_to = language.meaning("organs-taken-out"), language.meaning("joints-done")
        whose = rf"(?:(?:{own}|a)\s+)?(?:[\w-]+\s+)?"
        organ, takes = any_of(self._taken_out), any_of(words("takes-out-an-organ"))
        self._took_out = re.compile(
            rf"(?<![\w-]){takes}\s+(?:(?:out|off)\s+{whose}(?P<a>{organ})|{whose}(?P<b>{organ})\s+(?:out|off|removed|taken))(?![\w-])"
            rf"|(?<![\w-])removed\s+{whose}(?P<c>{organ})(?![\w-])"
            rf"|(?<![\w-])(?P<d>{organ})\s+(?:(?:was|were|is|are|has\s+been|had\s+been|got)\s+)?(?:(?:taken|cut)\s+(?:out|off)|removed)(?![\w-])",
            re.I,
        )
        self._was_done = re.compile(
            rf"(?<![\w-]){any_of(words('does-a-joint'))}\s+{own}\s+(?:[\w-]+\s+)?(?P<a>{any_of(self._done_to)})(?![\w-])", re.I
        )
        self._activities = language.meaning("care-activities")
        self._everyday = language.meaning("care-activities-not-done")

    def narrative(self, text: str, told: date) -> Narrative:
        """A text, said on a day, with everything that it states."""
        called = self._caring.by_name(text)
        if called is not None:
            said = self.narrative(called.text, told)
            spans = ((called.back(s.span[0]), called.back(s.span[1])) for s in said.statements)
            return Narrative(text, tuple(replace(s, span=at, kin=True) for s, at in zip(said.statements, spans, strict=True)))
        if (start := self._behind_the_reporter(text)) > 0:
            said = self.narrative(text[start:], told)
            return Narrative(text, tuple(replace(s, span=(s.span[0] + start, s.span[1] + start)) for s in said.statements))
        found = self._extractor.extract(text)
        kinds = self.kinds.find(text, _named(found))
        if kinds:
            return self._with_kinds(text, kinds, told)
        return Narrative(text, self._statements(text, found, told))

    def _behind_the_reporter(self, text: str) -> int:
        """From where on a text is told of the patient by one of the kin, "wife says he was told …"; 0 where it is not, or where
        it may be told of the one who says it."""
        speaks = self._speaks.match(text)
        if speaks is not None:
            return speaks.end()
        hit = self._reported.match(text)
        if hit is None:
            return 0
        sex, subject = self._reporters[" ".join(lowered(hit["who"]).split())], lowered(hit["subject"])
        own = subject in self._speakers or PRONOUNS.get(subject, "") == sex
        return 0 if own else hit.end()

    def _with_kinds(self, text: str, kinds: Sequence[Kind], told: date) -> Narrative:
        """A text that names medicines by their kind: read as if each were named, and left open between all of the kind."""
        standing = {self._stand_in(kind): kind for kind in kinds}
        spelled = with_changes(text, [Change(k.start, k.end, name) for name, k in standing.items()])
        names = {fold(name): kind for name, kind in standing.items()}
        found = self._extractor.extract(spelled.text)
        statements = []
        for said in self._statements(spelled.text, found, told):
            kind = names.get(fold(said.name)) if said.kind == "medicine" else None
            span = (spelled.back(said.span[0]), spelled.back(said.span[1]))
            statements.append(replace(self._opened(said, kind, text) if kind is not None else said, span=span))
        return Narrative(text, tuple(statements))

    def _stand_in(self, kind: Kind) -> str:
        """The name of one medicine of a kind."""
        return self._checker.library.drug[min(kind.steps[0])].name

    def _opened(self, said: Statement, kind: Kind, text: str) -> Statement:
        """What is told of one medicine of a kind, told of the kind; what is somebody else's may be any of the kind."""
        heard = printable(text[kind.start : kind.end], _LONGEST_NAME)
        if self._borrowed.first(self._plain_words(text)) is not None:
            return Statement("unclear", "said", heard)
        medicine = replace(said.medicine, text=heard, drug=heard) if said.medicine is not None else None
        return replace(said, name=heard, drugs=(), medicine=medicine, open=tuple(sorted(frozenset().union(*kind.steps))))

    def _statements(self, text: str, found: Extraction, told: date) -> tuple[Statement, ...]:
        statements: list[Statement] = []
        for turn in self._speaking.turns(text):
            for start, end in self._with_their_topics(text, turn.sentences):
                said, span = self._told_plainly(text[start:end]), (start, end)
                statements += (replace(s, span=span) for s in self._of_sentence(said, start, found, told))
        each = {replace(s, span=(0, 0)): s for s in reversed(statements)}
        return (
            tuple(s for s in statements if each[replace(s, span=(0, 0))] is s)
            or (*self._intake(text, Span(0, len(text), text)),)
            or (self._nothing_found(text),)
        )

    @staticmethod
    def _with_their_topics(text: str, sentences: Sequence[Sentence]) -> Iterator[tuple[int, int]]:
        """From where to where each sentence stands, a topic that is only named and asked together with what is told of it:
        "Flu shot? Nope, haven't had one", is one."""
        at: int | None = None
        for n, one in enumerate(sentences):
            begin = one.start if at is None else at
            topic = one.asks and len(text[one.start : one.end].split()) <= _TOPIC and n + 1 < len(sentences)
            if topic and at is None and not sentences[n + 1].asks:
                at = one.start
                continue
            yield begin, one.end
            at = None

    def _told_plainly(self, said: str) -> str:
        """A sentence without the question marks of a topic, "Peanuts? She eats …", and of "…, right?", place for place."""
        inside = _TOPIC_ASKED.sub(",", said)
        return f"{inside[:-1]}." if self._tag.search(inside) is not None else inside

    def name_of(self, drug: str) -> str:
        """The name of an ingredient by its id; empty where no more than a name is known of it."""
        return self.understanding.name_of(drug)

    def sentences(self, text: str) -> tuple[tuple[int, int], ...]:
        """From where to where each sentence of a text stands."""
        return tuple((one.start, one.end) for turn in self._speaking.turns(text) for one in turn.sentences)

    def heard_in(self, text: str) -> Heard:
        """Where a text names a medicine, by its own name or by its kind, or what somebody reacts to."""
        found = self._extractor.extract(text)
        drugs = tuple(frozenset(m.drugs) for m in found.medications if m.normalised.via != "class")
        return Heard(_named(found), drugs, self.kinds.find(text, _named(found)))

    def _of_sentence(self, said: str, start: int, found: Extraction, told: date) -> Iterator[Statement]:
        inside = _Inside(start, start + len(said))
        allergic = self._allergy.search(self._treated_allergy.sub("", said)) is not None
        if not allergic or self._now.search(said):  # beside an allergy it is the reaction of then
            reacted = any(inside(m.span) and m.context == "allergic" for m in found.medications)
            yield from self._alarms(said, painted=not reacted)
        every = (self._tolerates_all, self._no_trouble, self._no_allergies)
        if any(p.search(said) is not None for p in every):
            yield Statement("allergy", "denied", "any medicine", "drugs")
        elif allergic and (whose := self._kin.search(said)) is not None:
            yield Statement("other", "said", printable(whose[0], _LONGEST_NAME))
        elif allergic:
            own = [m for m in found.medications if inside(m.span) and self._is_apart(m, said, start)]
            rest = replace(found, medications=tuple(m for m in found.medications if m not in own)) if own else found
            yield from self._allergies(said, inside, rest)
            named = [m for m in found.medications if inside(m.span)]
            yield from (self._medicine(m, said, told, _Place.of(m, named, start, said, self._stretches)) for m in own)
        else:
            yield from self._without_an_allergy(said, start, inside, found, told)

    def _is_apart(self, item: MedicationSaid, said: str, start: int) -> bool:
        """Whether a medicine is begun or given in a sentence that tells an allergy in another part: "switched to doxycycline,
        added sulfa to her allergies"."""
        at = item.span.start - start
        a, b = next(((a, b) for a, b in _parts_of(said) if a <= at < b), (0, len(said)))
        begun = item.context in _BEGUN and item.change in ("started", "changed") and item.dose is not None
        at_hand = item.context == "taking" and a > 0 and self._has_by_one.match(said[a:at].lstrip()) is not None
        return (begun or at_hand) and self._allergy.search(said, a, b) is None

    def _alarms(self, said: str, *, painted: bool = True) -> Iterator[Statement]:
        """Symptoms that do not wait; what is `painted` of them beside a medicine that did it is a reaction of then."""
        urgent = self._checker.terms.urgent_symptoms(said)
        words = [
            *urgent,
            *(" ".join(lowered(m[0]).split()) for m in self._gained.finditer(said)),
            *(lowered(m[0]) for m in self._alarm.finditer(said)),
        ]
        words = [w for w in words if not self._is_denied_alarm(w, said)]
        painted = painted and not self._whose.begins_with_another(said)
        words += [] if not painted or self._long_past.search(said) is not None else self._alarming.told_in(said)
        yield from (Statement("alarm", "said", name) for name in dict.fromkeys(words))

    def _is_denied_alarm(self, word: str, said: str) -> bool:
        places = [hit.start() for hit in re.finditer(re.escape(word), said, re.I)]
        return bool(places) and all(self._is_no_alarm(said, at, at + len(word)) for at in places)

    def _is_no_alarm(self, said: str, start: int, end: int) -> bool:
        """Whether a symptom is denied right before it, or names what a medicine is for: "my seizure medicine"."""
        if self._for_this.search(said[:start]) is not None:
            return True  # "the mask is for the apnea"
        return self._not_so_alarming.search(said[:start]) is not None or self._for_it.match(said, end) is not None

    def _without_an_allergy(
        self, said: str, start: int, inside: _Inside, found: Extraction, told: date
    ) -> Iterator[Statement]:  # fmt: skip
        """What a sentence states that has no word for an allergy."""
        taken: list[tuple[int, int]] = []
        others = self._whose.of_another(said)
        events = (
            []
            if others
            else [*self._of_vaccines(said, taken, told), *self._operations_in(said, taken, told), *self._plans(said, taken)]
        )
        yield from [Statement(self._of_others(said, found, inside), "said", printable(said, _LONGEST_NAME))] if others else events
        yield from self._told_by_what_it_did(said, inside, found)
        medicines = [m for m in found.medications if inside(m.span) and not _overlaps(m.span, taken, start)]
        tested = self._in_words.search(said) is not None  # "my thyroid test was normal" tells of the test
        hit = None if tested else self._well.search(said) or self._no_organ_trouble.search(said)
        if hit is not None and all(fold(m.span.text) in self._organs for m in medicines):  # the thyroid is one here
            yield from self._not_had(hit, said)
            yield from (self._told_result(r, self._times.find(said, told)) for r in found.results if inside(r.span))
            return
        if not medicines and not events and (borne := self._bears(said)) is not None:
            yield borne
            return
        if not medicines and not events and (reacts := self._reacts_to(said)) is not None:
            yield reacts
            yield from self._does_so_too(said)
            return
        medicines = _without_former_names([m for m in medicines if not self._is_told_closer(m, medicines, said, start)])
        reacted = [m for m in medicines if self._did(m, said, start)]
        yield from (self._allergy_to(m.normalised.name or m.span.text, said) for m in reacted)
        for m in medicines:
            if (m not in reacted and m.context != "allergic") or self._is_ended(m, said, start):
                place = _Place.of(m, medicines, start, said, self._stretches)
                yield (first := self._medicine(m, said, told, place))
                yield from self._next_step(first, said, place, told)
        reactions = bool(reacted) or any(inside(known.span) for known in found.allergies)
        if not reactions:  # what a medicine did is told with the allergy
            yield from self._problems(said, inside, found, taken, start)
        yield from self._expecting(said, told, inside, found)
        when = self._times.find(said, told)
        results = [self._told_result(r, when) for r in found.results if inside(r.span)]
        weights = () if results else tuple(f for f in found.facts if f.fact == "weight" and inside(f.span))
        yield from (self._weighed(f.value) for f in weights)
        yield from results
        in_words = [] if results or events else list(self._results_in_words(said, told))
        yield from in_words
        if not (results or in_words or medicines or events or taken or weights):
            yield from self._result(said, told)
        for eaten in found.intake if not (events or in_words) else ():
            if inside(eaten.span) and not eaten.denied and any(c.isalnum() for c in eaten.span.text):
                yield from self._intake(self.clauses.clause_of(said, eaten.span.start - start), eaten.span)

    def _told_by_what_it_did(self, said: str, inside: _Inside, found: Extraction) -> Iterator[Statement]:
        """The allergies that a sentence tells by what something did, without a word for one; with a medicine what is listed
        beside it, "my throat closes with shellfish and aspirin"."""
        told = [a.to for a in found.allergies if inside(a.span) and a.to and not a.denied]
        yield from (self._allergy_to(name, said) for name in told)
        hit = self._reacts_from.search(said) if told else None
        keys = {self.understanding.allergy(name).key for name in told}
        for part in self._listed.split(hit["what"]) if hit is not None else ():
            meant = self.understanding.allergy(part.strip()) if part.strip() else None
            if meant is not None and meant.sure != "unknown" and meant.key not in keys:
                yield self._allergy_to(part.strip(), said)

    def _told_result(self, said: ResultSaid, when: Time | None) -> Statement:
        """A result with its number, or in a word, "a little high"."""
        level = self._levels.get(" ".join(lowered(said.value).split()))
        if level is not None:
            return Statement("result", "level", said.name, said.test, value=level, when=when)
        return Statement("result", "measured", said.name, said.test, value=said.value, unit=said.unit or "", when=when)

    def _of_others(self, said: str, found: Extraction, inside: _Inside) -> StatementKind:
        """Of whom a sentence tells that is about somebody else: what a relative by blood has may bear on the patient."""
        ill = self._cues.search(said) is not None or any(inside(c.span) for c in found.conditions)
        ill = ill and not any(inside(m.span) for m in found.medications)
        return "family" if ill and self._by_blood.search(said) is not None else "other"

    # -------------------------------------------------------------- medicines and problems

    @staticmethod
    def _clinical_words(checker: Checker) -> tuple[frozenset[str], frozenset[str]]:
        """The words of diseases and tests that are no words of every day; and those of every day."""
        library = checker.library
        named = [name for one in library.conditions for name in (one.name, *one.synonyms)]
        named += [name for test in library.labs for name in (test.name, *test.synonyms)]
        words = {w for name in named for w in fold(name).split() if w.isalpha()}
        talk = checker.resolver.talk
        small = ("routine-talk", "small-words", "fillers-of-talk", "glue", "beside-what-is-left-out", "everyday")
        counts = {*library.language.meaning("numbers"), *library.language.meaning("time-units")}
        everyday = counts | {w for name in small for phrase in library.language.words(name) for w in phrase.split()}
        return frozenset(words - talk.talk - talk.no_names - everyday), frozenset(talk.talk | everyday)

    def _count_of_units(self, checker: Checker) -> re.Pattern[str]:
        """ "Two digoxin tablets": the number stands before the name, and what is counted behind it."""
        numbers, forms = (
            any_of(checker.library.language.meaning("numbers")),
            any_of(checker.library.language.meaning("forms-in-plural")),
        )
        return re.compile(rf"\b(?P<n>\d|{numbers})\s+(?:[\w'-]+\s+){{1,3}}(?P<unit>{forms})\b", re.I)

    def _medicine(self, item: MedicationSaid, said: str, told: date, place: _Place) -> Statement:
        if item.context == "someone_elses" and self._gives_me.search(said) is not None:
            item = replace(item, context="taking")
        if item.context == "prescribed" and self._gives_at_home.search(said) is not None:
            item = replace(item, context="taking", change="")
        if item.context == "someone_elses":
            return Statement("other", "said", printable(item.span.text, _LONGEST_NAME))
        become = self._become(item, said, place)
        become = become or _told_as(item)
        manner = become.manner if become is not None else None
        change = (become or Become("said")).change
        if manner in ("denied", "stopped") and self._not_a_stop.search(said):
            manner = "missed"
        at_hand = item.context == "taking" and item.dose is not None and item.directions is not None
        if (
            self._tolerated.search(said)
            and not at_hand
            and (manner not in _NOT_TAKEN or self._tolerated.search(self.clauses.clause_of(said, place.start)))
        ):
            manner = "tolerated"
        elif (
            (manner == "taking" or (manner, change) == ("prescribed", "changed"))
            and item.dose is None
            and self._part.search(said)
        ):
            manner = "partly"
        elif manner == "taking" and item.dose is None and self._more.search(said):
            manner = "beyond"
        name = printable(item.normalised.name or item.span.text, _LONGEST_NAME)
        if manner is None and self._is_told_bare(item, said, place):
            manner = "taking"
        if manner is None:
            return Statement("unclear", "said", name)
        medicine = self._with_its_count(self._only_then(medication_of(item), said), item, said, place)
        one_of = () if item.drugs else self.understanding.medicine(medicine).one_of or _candidates(item)
        days = self._lasts(item, said, place, told) if manner in _BEGUN and item.change != "resumed" else None
        when = None if days is not None else self._when(item, said, told)
        return Statement(
            "medicine", manner, name, medicine=replace(medicine, days=days), drugs=item.drugs, open=one_of, when=when,
            guessed=item.normalised.confirm, change=change, value=printable(said),
        )  # fmt: skip

    def _with_its_count(self, medicine: Medication, item: MedicationSaid, said: str, place: _Place) -> Medication:
        """A medicine with the amount that stands apart from its name: so many of it, or a number alone that it is sold in."""
        if item.dose is not None:
            return self._dose_now(medicine, item, said, place)
        if (many := self._so_many_of.search(said, 0, place.start)) is not None:
            return replace(medicine, dose=f"{self._numbers.get(lowered(many['n']), many['n'])} tablets")
        if amount := self._amount_of(item, said, place):
            return replace(medicine, dose=amount)
        counted = self._counted.search(said)
        return medicine if counted is None else replace(medicine, dose=f"{counted['n']} {counted['unit']}")

    def _dose_now(self, medicine: Medication, item: MedicationSaid, said: str, place: _Place) -> Medication:
        """A medicine with the dose that the same sentence tells as that of now: "put me on losartan 50, later went to 100", "was
        on Ambien 10 but only take half of one now"."""
        number, _, unit = (medicine.dose or "").partition(" ")
        if not number.replace(".", "", 1).isdigit() or not unit or "," in unit or item.context not in _BEGUN:
            return medicine
        went = self._went_on_to.search(said, place.end, place.until)
        name = self.understanding.name_of(item.drugs[0]) if len(item.drugs) == 1 else ""
        if went is not None and name and self._is_near(Decimal(went["n"]), name, number, unit):
            dose = f"{went['n']} {unit}"
        elif self._takes_half.search(said, place.begin, place.until) is not None and item.context == "taking":
            dose = f"{(Decimal(number) / 2).normalize():f} {unit}"
        else:
            return medicine
        return replace(medicine, dose=dose, text=" ".join(w for w in (medicine.drug, dose, medicine.frequency) if w))

    def _is_near(self, new: Decimal, name: str, number: str, unit: str) -> bool:
        """Whether a number can be a new dose: it is sold so, or counts what the dose before counts, and is no far cry from it."""
        sold = self.understanding.unit_sold(name, new) == unit or self.understanding.units.dimension(unit) != "mass"
        return sold and 1 / Decimal(_MANY_TIMES) <= new / (Decimal(number) or 1) <= _MANY_TIMES

    def _amount_of(self, item: MedicationSaid, said: str, place: _Place) -> str:
        """A number alone with which a medicine is told that is sold so: "18 of the Lantus", "Zoloft was raised to 100"; else
        nothing."""
        name = self.understanding.name_of(item.drugs[0]) if len(item.drugs) == 1 else ""
        ahead = self._number_of.search(said, place.begin, place.start) if name else None
        if ahead is not None and (unit := self.understanding.unit_sold(name, Decimal(ahead["n"]))):
            return f"{ahead['n']} {unit}"
        new = self._bare.of_named(said[: place.until], Dosed(name, None), place.end) if name else None
        number = _LAST_NUMBER.search(said, place.begin, new.start) if new is not None else None
        return f"{number[0]} {new.by.strip().partition(' ')[0]}" if number is not None and new is not None else ""

    def _only_then(self, medicine: Medication, said: str) -> Medication:
        """A medicine that is told as taken at one time of the day only, "I only take it in the morning": once a day."""
        often = medicine.frequency
        if not often or any(c.isdigit() for c in often) or self._only_at.search(said) is None:
            return medicine
        often = f"1 times a day {often.partition(', ')[0]}"  # "only in the morning, the evening one slips my mind"
        return replace(medicine, frequency=often, text=" ".join(w for w in (medicine.drug, medicine.dose, often) if w))

    def _is_told_bare(self, item: MedicationSaid, said: str, place: _Place) -> bool:
        """Whether a sentence is only "on …", "just …", or a name and when it is needed."""
        if item.context != "mentioned" or "?" in said:
            return False
        led = said[: place.start].rstrip()
        if self._as_needed.match(said[place.end :].lstrip()) is not None and (not led or self._joined.search(led)):
            return True
        if self._is_listed_for_something(said, place):
            return True
        ahead = (said[at : place.start] for at in {0, self.clauses.begin_of(said, place.start)})
        return any(map(self._begins_bare.fullmatch, ahead)) and _ENDS_THERE.match(said, place.end) is not None

    def _is_listed_for_something(self, said: str, place: _Place) -> bool:
        """Whether a sentence begins with names and what they are for: "Zofran and Diclegis for the morning sickness"."""
        names = self._extractor.extract(said).medications
        end = min((m.span.end for m in names if self._for_something.match(said, m.span.end) is not None), default=0)
        words = "".join(
            said[b:a] for b, a in zip([0, *(m.span.end for m in names)], [m.span.start for m in names], strict=False) if a <= end
        )
        return place.end <= end and self._only_joins.fullmatch(words) is not None

    def _is_told_closer(self, item: MedicationSaid, named: Sequence[MedicationSaid], said: str, start: int) -> bool:
        """Whether what a medicine is stands right behind it by a name that says more: "iron, ferrous sulfate 325 daily"."""
        behind = next((m for m in named if m.span.start >= item.span.end), None)
        if behind is None or not item.drugs or item.dose is not None or not behind.drugs:
            return False
        between = said[item.span.end - start : behind.span.start - start]
        same = set(behind.drugs) <= set(self.understanding.salts(item.drugs)) or fold(item.span.text) in self._organs
        return same and self._in_other_words.fullmatch(between) is not None

    def _comes_with(self, said: str, sign: re.Match[str]) -> bool:
        """Whether a sign says when a medicine is taken, and not what it did: "albuterol when I wheeze"."""
        ahead = said[: sign.start()].split()[-_TWO_WORDS:]
        return any(self._when_it_comes.match(" ".join(ahead[n:])) is not None for n in range(len(ahead)))

    def _did(self, item: MedicationSaid, said: str, start: int) -> bool:
        """Whether a sentence tells that a medicine did what allergies do: "it closed my throat", "can't have it, hives"."""
        if item.context not in _REACTED_TO or "?" in said:
            return False
        sign = self._signs.search(said, item.span.end - start)
        if sign is None:
            return False
        between = said[item.span.end - start : sign.end()]
        if self._denies.search(between) or self._for.search(between) or self._comes_with(said, sign):
            return False
        if item.context == "denied" or self._does.match(between.strip(" ,;")) is not None:
            return True
        then = self._then_it_did.search(between)
        near = then is not None and len(between[then.end() :].split()) <= _NEAR_A_SIGN
        return near and self._went.match(said, sign.end()) is None

    def _is_ended(self, item: MedicationSaid, said: str, start: int) -> bool:
        """Whether it is told, too, that it is taken no more."""
        become = self.clauses.afterwards(said, item.span.end - start)
        return item.context == "stopped" or (become is not None and become.manner == "stopped")

    def _become(self, item: MedicationSaid, said: str, place: _Place) -> Become | None:
        """What the clauses of a sentence tell of a medicine where no table of sayings does, or where they know better."""
        if "?" in said or self._companions.is_one(said, 0, place.left or None, place.start):
            return None
        ended = item.context in _NOT_TAKEN
        if item.context == "denied" and self._not_needed.search(said, place.begin, place.start) is not None:
            return Become("missed")  # what was not needed for weeks is at hand still
        if ended and self.clauses.ends_in_mind(said, *place.own):
            return Become("considering")
        if ((ended and not item.change) or item.context == "missed") and self.clauses.is_paused(said[place.begin : place.until]):
            return Become("stopped", "held")
        if item.change in ("changed", "resumed") and self.clauses.hangs_on_something(said, *place.own):
            return Become("considering")
        if item.context == "denied" and self.clauses.denies_something_of(said, *place.own):
            return Become("considering")
        if item.context == "denied" and self.clauses.is_for_good(said, *place.own):
            return Become("stopped")
        if item.context in (*_BEGUN, "mentioned"):
            denied = self.clauses.denied_at(said, *place.own) if item.change != "resumed" else None
            if denied is not None:  # not "I tried going without it, so I'm back on it"
                return denied
            later = self.clauses.begins_later(said, place.start, place.left) or self.clauses.not_begun(said)
            if item.change in ("", "started") and later:
                return Become("considering")
        return self._by_clauses(item, said, place)

    def _by_clauses(self, item: MedicationSaid, said: str, place: _Place) -> Become | None:
        if item.context == "mentioned":
            if self._only_there.match(said, place.end) is not None and item.dose is None:
                return None  # "they gave me morphine in the ER" begins nothing at home
            found = self.clauses.beside(said, *place.own)
            told = item.dose is not None or item.directions is not None
            return Become("taking") if found is None and told else found
        if item.context == "stopped" and self.clauses.is_to_come(said):
            return Become("considering")
        if (
            item.context == "considering"
            and item.dose is not None
            and self.clauses.afterwards(said, place.end) == Become("taking")
        ):
            return Become("taking", "started")  # "he ordered it, and he's taking that"
        if item.context not in (*_BEGUN, "allergic", "missed"):
            return None
        if item.context == "missed" and self.clauses.is_let_end(said):
            return Become("stopped")
        if item.context in _BEGUN and self.clauses.surely_ended(said, *place.own):
            return Become("stopped")
        later = self.clauses.afterwards(said, place.end)
        if later is None or later.manner not in ("stopped", "considering"):
            return None
        return None if item.context == "missed" and later != Become("stopped") else later

    def _when(self, item: MedicationSaid, said: str, told: date) -> Time | None:
        return self._times.find(item.time.value, told) if item.time is not None else self._times.find(said, told)

    def _of_the_name(self, said: str, place: _Place) -> str:
        """What of the words about a name is its own: behind a comma, or a course, another name has its own, and so has the one
        before."""
        between = [(place.left, place.start)] if place.left else []
        ahead = any(_PARTED.search(said, a, b) or self._course.search(said, a, b) for a, b in between)
        gap = (place.end, place.right)
        behind = place.right < len(said) and bool(_PARTED.search(said, *gap) or self._course.search(said, *gap))
        if not (ahead or behind):
            return self.clauses.about(said, place.start)
        begin = max((hit.end() for hit in _PARTED.finditer(said, place.left, place.start)), default=place.start) if ahead else 0
        return said[begin : place.right if behind else len(said)]

    def _lasts(self, item: MedicationSaid, said: str, place: _Place, told: date) -> Decimal | None:
        """For how many days a medicine is to be taken, as a course or a taper that ends; None where that is not told."""
        own = self.plainly.in_digits(self._of_the_name(said, place)).text
        taper = self._tapers.days(own, item.dose.value if item.dose is not None else None)
        if taper is not None:
            return taper
        if self._given_once.search(said, place.begin, place.start) and self._where_given_once.search(said):
            return Decimal(1)
        until = self._through.search(said, place.end, place.until)
        if until is not None and item.dose is not None:
            return _days_through(told, int(until["m"]), int(until["d"]))
        return self._days_of_a_course(own)

    def _next_step(self, first: Statement, said: str, place: _Place, told: date) -> Iterator[Statement]:
        """The dose that follows the first one after so many days: "400 mg twice daily for 2 weeks, then 200 mg daily"."""
        own = self.plainly.in_digits(self._of_the_name(said, place)).text
        course = self._course.search(own) if first.medicine is not None and first.manner in _BEGUN else None
        step = (self._then_goes_on.match(own, course.end()) or self._after_that.match(own, course.end())) if course else None
        if first.medicine is None or course is None or step is None or not (dose := step.groupdict().get("dose")):
            return
        days = self._long(course)
        if days <= 0 or self._so_long.search(own, 0, course.start()):
            return
        begun = on((first.when.last if first.when is not None else told) + timedelta(days))
        unit = "" if not dose.replace(".", "", 1).isdigit() else (first.medicine.dose or "").partition(" ")[2]
        text = " ".join(w for w in (first.name, dose, unit, step.groupdict().get("often") or first.medicine.frequency) if w)
        yield replace(first, manner="taking", change="changed", medicine=Medication(text), when=begun)

    def _long(self, course: re.Match[str]) -> int:
        """How many days a course lasts."""
        told, unit = (lowered(course[w] or course[f"{w}2"] or course[f"{w}3"]) for w in ("n", "u"))
        number = int(told) if told.isdigit() else self._numbers.get(told, 1)
        return number * _COURSE_DAYS[self._lengths[unit]]

    def _days_of_a_course(self, said: str) -> Decimal | None:
        """For how many days something is to be taken; None where that is not told, or how long it was taken is."""
        found = self._course.search(said)
        goes_on = self._then_goes_on.match(said, found.end()) or self._after_that.match(said, found.end()) if found else None
        if goes_on is not None:
            return None  # "40 BID x 5 days, then back to daily"
        if found is None or self._so_long.search(said, 0, found.start()):
            return None
        return Decimal(self._long(found))

    def _problems(
        self, said: str, inside: _Inside, found: Extraction, taken: list[tuple[int, int]], start: int
    ) -> Iterator[Statement]:  # fmt: skip
        because = self._because.search(said) or self._brought_on.search(said)
        comes = self._when_it_comes.search(said) if any(inside(m.span) for m in found.medications) else None
        for told in found.conditions:
            place = told.span.start - start
            if (
                not inside(told.span)
                or self._routine.fullmatch(told.span.text)
                or _overlaps(told.span, taken, start)
                or self._for_it.match(said, place + len(told.span.text)) is not None
                or fold(told.span.text) in self._how_one_is
                or (because is not None and because.end() <= place)
                or (comes is not None and comes.end() <= place)
            ):
                continue
            if fold(told.span.text) in self._measured or fold(told.span.text) in self._no_problem_words:
                continue  # what is measured, not what that may find
            condition = self._conditions[told.condition]
            if told.standing == "family":
                yield Statement("family" if self._by_blood.search(said) else "other", "said", told.name, told.condition)
                continue
            manner = _STANDINGS[told.standing]
            if manner == "over" and self._had_since.search(said) is not None:
                manner = "has"
            ahead = said[max(0, place - _NEAR) : place]
            if (
                self._has_not.search(ahead)
                or (self._until.search(said) is None and self._told_of_by_none.search(ahead))
                or (manner == "has" and self._mistaken.search(said))
            ):
                manner = "denied"
            elif manner == "has" and self._over.search(said):
                manner = "over"
            elif manner == "has" and self._still.search(said):
                manner = "still"
            if manner == "denied" and self._since_then.search(said, place) is not None:
                continue  # "no attack since I started it" tells of the medicine
            if manner == "has" and (condition.pregnancy or condition.breastfeeding):
                yield Statement("pregnancy", "has", told.name, told.condition)
            else:
                yield Statement("condition", manner, told.name, told.condition, value=printable(said))

    def _expecting(self, said: str, day: date, inside: _Inside, found: Extraction) -> Iterator[Statement]:
        """A pregnancy that is told as so many weeks, and not as a problem; or that one is over."""
        told = next(
            (f for f in found.facts if f.fact == "pregnancy" and fold(f.value) not in self._not_so and inside(f.span)), None
        )
        if self._lost.search(said) is not None and "?" not in said and not self._in_mind.search(said):
            pregnant = self.understanding.condition("pregnancy")
            yield Statement(
                "pregnancy", "over", pregnant.name, pregnant.key, value=printable(said), when=self._times.find(said, day)
            )
            return
        if told is None or any(self._conditions[c.condition].pregnancy for c in found.conditions):
            return
        meant = self.understanding.condition(told.fact)
        yield Statement("pregnancy", "has", meant.name, meant.key)

    def _weighed(self, told: str) -> Statement:
        """A weight as a result: "the scale says 201 pounds"."""
        value, _, unit = told.partition(" ")
        name = self._body_weight
        return Statement("result", "measured", name, self.understanding.test(name), value=value, unit=unit)

    def _result(self, said: str, told: date) -> Iterator[Statement]:
        """A result in words that only a question about a result is read by ("my sugar was 45")."""
        if not any(c.isdigit() for c in said) or (self._routine.search(said) and not self._cues.search(said)):
            return
        try:
            answer = answer_lab(self._checker, read_lab_request(self._day.sub("", said)), told)
        except RequestError:
            return
        number, _, unit = str(answer.value or "").partition(" ")
        if answer.test is not None and any(c.isdigit() for c in number):
            name = self._checker.library.lab[answer.test].name if answer.test in self._checker.library.lab else answer.test
            number, unit = self._as_told(said, number, unit)
            yield Statement("result", "measured", name, answer.test, value=number, unit=unit, when=self._times.find(said, told))

    def _as_told(self, said: str, number: str, unit: str) -> tuple[str, str]:
        """A result in the number and unit in which it is told, where it was read in another: "55 pounds" of 24.9476 kg."""
        units = self._checker.library.units
        for hit in _NUMBER_AND_WORD.finditer(self.plainly.in_digits(said).text):
            symbol = units.symbol(hit["u"])
            read = units.convert(Quantity(Decimal(hit["n"]), symbol), unit) if symbol is not None else None
            if read is not None and str(symbol) != unit and _rounded_as(read, number):
                return hit["n"], str(symbol)
        return number, unit

    def _results_in_words(self, said: str, told: date) -> Iterator[Statement]:
        """A result without its number, "my potassium was normal"; one of several tests where the name may mean each."""
        hit = self._in_words.search(said) if "?" not in said else None
        if hit is None or self._denies.search(said, hit.start("between"), hit.start("level")) is not None:
            return
        level = self._levels[" ".join(lowered(hit["level"]).split())]
        named = " ".join(lowered(hit["test"]).split())
        for name in self._tests_in_talk[named].split(","):
            meant = self.understanding.test(name.strip())
            yield Statement("result", "level", name.strip(), meant, value=level, when=self._times.find(said, told))

    def _intake(self, said: str, span: Span) -> Iterator[Statement]:
        read = self._checker.terms.intake.read(said)
        if read.food is not None and not read.denied:
            yield Statement("intake", "consumes", printable(span.text, _LONGEST_NAME), value=printable(said))

    # -------------------------------------------------------------- allergies

    def _allergies(self, said: str, inside: _Inside, found: Extraction) -> Iterator[Statement]:
        word = self._allergy.search(said)
        assert word is not None
        before = said[max(0, word.start() - _NEAR) : word.start()]
        target = _TO.search(said, word.end())
        target = target or self._list_says.match(said, word.end())
        what = self._over_with.split(target["what"], maxsplit=1)[0].strip() if target else ""
        if self._denies.search(before) or self._by_none.search(before):
            yield self._denied_allergy(said, before, what, said[: word.start()])
            return
        if fold(what) in self._all_of_them:  # "X and Y, I'm allergic to both of them"
            yield from (self._allergy_to(name, said) for name in self._listed_before(said[: word.start()], inside, found))
            return
        told = [a for a in found.allergies if inside(a.span) and not a.denied and a.to]
        own = [m.normalised.name or m.span.text for m in found.medications if inside(m.span)]
        if told and own and all(self.understanding.allergy(a.to).sure == "unknown" for a in told):
            told = []  # "it's the allopurinol, and to list it as an allergy"
        known = [part.strip() for part in self._listed.split(what) if part.strip()]
        known = known if all(self.understanding.allergy(part).sure != "unknown" for part in known) else []
        names = [a.to for a in told] or known or ([what] if what else [])
        if not names:  # "put it down as an allergy"
            names = own if len(own) == 1 and "?" not in said else []
            names = names or ([] if "?" in said else list(self._named_before(said[: word.start()])))
        names += list(self._others(what, told)) if told else []
        names += self._listed_behind(said[target.end() :], names) if target else []
        for name in names:
            yield self._allergy_to(name, said)

    def _listed_behind(self, said: str, names: list[str]) -> list[str]:
        """What stands behind the first of a list, each by itself between commas: "penicillin, shellfish and latex"."""
        known = {self.understanding.allergy(name).key for name in names}
        parts = [part.strip(" .;!") for part in self._listed.split(said)] if said.startswith(",") else []
        found = {part: self.understanding.allergy(part) for part in parts if part}
        return [part for part, meant in found.items() if meant.sure != "unknown" and meant.key not in known]

    def _listed_before(self, said: str, inside: _Inside, found: Extraction) -> Iterator[str]:
        """What is named before words that stand for all of it."""
        own = [m for m in found.medications if inside(m.span) and m.span.start < inside.start + len(said)]
        yield from (m.normalised.name or m.span.text for m in own)
        for part in self._listed.split(said.rpartition(",")[0]) if not own else ():
            if part.strip() and self.understanding.allergy(part.strip()).sure != "unknown":
                yield part.strip()

    def _named_before(self, said: str) -> Iterator[str]:
        """What stands before "those are my allergies", as far as it is known."""
        tail = self._those_are.search(said)
        for part in self._listed.split(said[: tail.start()].strip(" ,;:")) if tail is not None else ():
            if part.strip() and self.understanding.allergy(part.strip()).sure != "unknown":
                yield part.strip()

    def _others(self, what: str, told: Sequence[AllergySaid]) -> Iterator[str]:
        """What stands in a list of allergens beside those that were found: "shellfish and penicillin"."""
        known = {self.understanding.allergy(a.to).key for a in told} | {fold(a.span.text) for a in told}
        for part in self._listed.split(what):
            meant = self.understanding.allergy(part.strip()) if part.strip() else None
            if meant is not None and meant.sure != "unknown" and meant.key not in known and fold(part) not in known:
                yield part.strip()

    def _allergy_to(self, name: str, said: str) -> Statement:
        meant = self.understanding.allergy(name)
        return Statement("allergy", "has", printable(name, _LONGEST_NAME), meant.key, drugs=meant.drugs, reaction=printable(said))

    def _reacts_to(self, said: str) -> Statement | None:
        """What is no medicine and is told by what it does to the speaker: "latex makes my hands blister"."""
        found = self._reacts.search(said)
        told = (found["what"].strip() if found is not None else "", self._did_to_somebody(said), self._reacted_from(said))
        what = next((one for one in told if one and self.understanding.allergy(one).sure != "unknown"), "")
        if not what or self._denies.search(said[: said.index(what) + len(what)]):
            return None
        return self._allergy_to(what, said)

    def _bears(self, said: str) -> Statement | None:
        """What is told to do no harm, "bees don't bother me", or may be eaten again, of all that some react to."""
        hit = self._no_harm.search(said) or self._again_eaten.search(said)
        meant = self.understanding.allergy(hit["what"].strip()) if hit is not None else None
        if hit is None or meant is None or meant.sure == "unknown" or "?" in said:
            return None
        return Statement("allergy", "denied", printable(hit["what"].strip(), _LONGEST_NAME), meant.key, drugs=meant.drugs)

    def _does_so_too(self, said: str) -> Iterator[Statement]:
        """What does the same to somebody: "…, and so does iodine"."""
        for hit in self._so_does.finditer(said):
            words = hit["what"].split()
            tried = (" ".join(words[:n]) for n in range(len(words), 0, -1))
            known = [one for one in tried if self.understanding.allergy(one).sure != "unknown"]
            same = [one for one in known if self.understanding.allergy(one).key == self.understanding.allergy(known[0]).key]
            if same:
                yield self._allergy_to(same[-1], said)

    def _reacted_from(self, said: str) -> str:
        """What somebody tells to react to, "a rash from latex gloves"; empty where that is nothing that is known."""
        found = self._reacts_from.search(said)
        if found is None or self._denies.search(said[max(0, found.start() - _NEAR) : found.start()]):
            return ""
        words = found["what"].split()
        tried = (" ".join(words[a:b]) for a in range(min(2, len(words))) for b in range(len(words), a, -1))
        return next((one for one in tried if self.understanding.allergy(one).sure != "unknown"), "")

    def _did_to_somebody(self, said: str) -> str:
        """What is told to have done what allergies do, "penicillin closed my throat"; empty where nothing is."""
        found = self._doing.search(said)
        if found is None or (sign := self._signs.search(said, found.end("what"))) is None:
            return ""
        between = said[found.end("what") : sign.end()]
        return "" if self._denies.search(between) or self._for.search(between) else found["what"].strip()

    def _not_had(self, hit: re.Match[str], said: str) -> Iterator[Statement]:
        """What somebody has not who says that an organ is well."""
        groups = hit.groupdict()
        organ = next(groups[key] for key in ("organ", "with", "never", "nothing") if groups.get(key))
        for name in self._organs[fold(organ)].split(","):
            meant = self.understanding.condition(name.strip())
            yield Statement("condition", "denied", meant.name, meant.key, value=printable(said))

    def _allergen_in(self, said: str) -> str:
        """The first thing of a text that somebody may be allergic to; empty where there is none."""
        words = [w for w in _WORDS.findall(said) if not self.understanding.is_talk(lowered(w))]
        return next((w for w in words if self.understanding.allergy(w).sure != "unknown"), "")

    def _denied_allergy(self, said: str, before: str, what: str, before_all: str) -> Statement:
        if not what or self._every.sub("", fold(what)) in self._whole:
            key = "drugs" if self._drugs.search(f"{before} {what}") else "*"
            return Statement("allergy", "denied", "any allergy", key)
        if fold(what) in self._pointers and (named := self._allergen_in(before_all)):
            what = named  # "I eat shrimp all the time, I'm not allergic to that"
        meant = self.understanding.allergy(what)
        unknown = meant.sure == "unknown"  # "allergic to it": what was named before
        return Statement("allergy", "denied", printable(said if unknown else what, _LONGEST_NAME), meant.key, drugs=meant.drugs)

    # -------------------------------------------------------------- what happened, and what is asked of the patient

    def _of_vaccines(self, said: str, taken: list[tuple[int, int]], told: date) -> Iterator[Statement]:
        if not any(p.search(said) for p in (self._vaccine, self._vaccine_alone, self._vaccinated)):
            return
        for family in self._families(said, self._vaccines, taken):
            taken.append((0, len(said)))
            hit = self._shots.search(said)
            many = str(self._many_shots[" ".join(lowered(hit["n"]).split())]) if hit is not None else ""
            when = self._times.find(said, told)
            yield Statement("vaccine", self._manner(said), f"{family} vaccine", family, value=many, when=when)

    def _operations_in(self, said: str, taken: list[tuple[int, int]], told: date) -> Iterator[Statement]:
        found = list(self._families(said, self._operations, taken))
        for hit, families in ((self._took_out.search(said), self._taken_out), (self._was_done.search(said), self._done_to)):
            organ = next((w for w in hit.groups() if w), None) if hit is not None else None
            if organ is not None and hit is not None and (family := families[" ".join(lowered(organ).split())]) not in found:
                taken.append(hit.span())
                found.append(family)
        for family in found:
            yield Statement("procedure", self._manner(said), family, family, when=self._times.find(said, told))

    def _plans(self, said: str, taken: list[tuple[int, int]]) -> Iterator[Statement]:
        fails = self._barrier.search(said) is not None
        activities = self._activities | (self._everyday if fails else {})
        never = self._never_asked.search(said) is not None
        for family in self._families(said, activities, taken):
            yield Statement("plan", "denied" if never else "fails" if fails else "follows", family, family)

    def _families(self, said: str, families: dict[str, str], taken: list[tuple[int, int]]) -> Iterator[str]:
        seen: set[str] = set()
        low = lowered(said)
        for phrase in sorted((one for one in families if lowered(one) in low), key=len, reverse=True):
            hit = re.search(rf"(?<![\w-]){re.escape(phrase)}s?(?![\w-])", said, re.I)
            if hit is None or any(hit.start() < b and a < hit.end() for a, b in taken):
                continue
            taken.append(hit.span())
            if families[phrase] not in seen:
                seen.add(families[phrase])
                yield families[phrase]

    def _manner(self, said: str) -> Manner:
        if self._to_come.search(said) is not None:
            return "planned"
        denied = self._denies.search(said) is not None or self._declined.search(said) is not None
        if denied and self._done_all_the_same.search(said) is None:
            return "denied"
        return "planned" if self._is_ahead(said) else "done"

    def _is_ahead(self, said: str) -> bool:
        return self._ahead.search(said) is not None or self._in_mind.search(said) is not None

    def _nothing_found(self, text: str) -> Statement:
        if self._routine.search(text) and not self._may_be_clinical(text):
            return Statement("routine", "said", printable(text, _LONGEST_NAME))
        return Statement("unclear", "said", printable(text, _LONGEST_NAME))

    def _may_be_clinical(self, text: str) -> bool:
        """Whether anything in a text may bear on a record: a cue, a complaint, a measure, a word of diseases or tests."""
        text = self._no_cue.sub(" ", text)
        text = self._no_cues.sub(" ", text)
        if self._cues.search(text) is not None or self._complaint.search(text) is not None:
            return True
        plain = self._checker.spoken.plainly.in_digits(text).text
        if self._measure.search(plain) is not None:
            return True
        said = [word for word in fold(self._short_s.sub("", text)).split() if word.isalpha()]
        topics = {" ".join(lowered(hit[0]).split()) for hit in self._routine.finditer(text)}
        known = bool(topics - self._who_and_when)
        return any(word in self._clinical or not (known or word in self._everyday_words) for word in said)


class _Place(NamedTuple):
    """Where a medicine is named in a sentence, and between which other names."""

    start: int
    end: int
    left: int
    right: int

    begin: int
    until: int

    @property
    def own(self) -> tuple[int, int, int, int]:
        """Where it is named, and from where to where the words are told of it and of no other medicine."""
        return self.start, self.end, self.begin, self.until

    @classmethod
    def of(cls, item: MedicationSaid, named: Sequence[MedicationSaid], start: int, said: str, stretches: Stretches) -> _Place:
        """The place of one of the medicines that a sentence names, which begins somewhere in the text."""
        left = max((m.span.end - start for m in named if m.span.end <= item.span.start), default=0)
        right = min((m.span.start - start for m in named if m.span.start >= item.span.end), default=len(said))
        a, b = item.span.start - start, item.span.end - start
        begin = stretches.between(said, left, a)[1] if left else 0
        return cls(a, b, left, right, begin, stretches.between(said, b, right)[0] if right < len(said) else right)


class _Inside:
    """Whether a span lies in a sentence."""

    def __init__(self, start: int, end: int) -> None:
        self.start, self.end = start, end

    def __call__(self, span: Span) -> bool:
        return self.start <= span.start < self.end


def _parts_of(said: str) -> Iterator[tuple[int, int]]:
    """From where to where the parts of a sentence stand between its commas."""
    at = 0
    for stop in _PARTED.finditer(said):
        yield at, stop.start()
        at = stop.end()
    yield at, len(said)


def _without_former_names(medicines: list[MedicationSaid]) -> list[MedicationSaid]:
    """The medicines of a sentence, but for the one whose other name is told as taken in its place: "the generic instead of
    Synthroid" ends nothing."""
    taken = {(m.drugs, fold(m.span.text)) for m in medicines if m.context in _BEGUN and m.drugs}
    return [
        m for m in medicines
        if m.context not in _NOT_TAKEN or m.dose is not None
        or not any(drugs == m.drugs and name != fold(m.span.text) for drugs, name in taken)
    ]  # fmt: skip


def _days_through(told: date, month: int, day: int) -> Decimal | None:
    """How many days reach from the day of telling through the next such day; None where there is none."""
    for year in (told.year, told.year + 1):
        try:
            last = date(year, month, day)
        except ValueError:
            continue
        if last >= told:
            return Decimal((last - told).days + 1)
    return None


def _rounded_as(value: Decimal, number: str) -> bool:
    """Whether a number is a value, rounded to as many places as it has."""
    shown = Decimal(number)
    return round(value, max(-int(shown.as_tuple().exponent), 0)) == shown


def _kin_who_report(language: Language) -> list[str]:
    """The kin who tell of a patient, without those who may be the patient or who treat them."""
    return [who for who, sex in language.meaning("reporters").items() if sex in PRONOUNS.values()]


def _told_as(item: MedicationSaid) -> Become | None:
    """How a medicine is told of, and what became of it; what is ordered to go on is taken. None where that is not told."""
    if item.context == "prescribed" and item.is_taken:
        return Become("taking")
    manner = _MANNERS.get(item.context)
    return Become(manner, "" if item.change == "continued" else item.change) if manner is not None else None


def _named(found: Extraction) -> tuple[int, ...]:
    own = (m.span.start for m in found.medications if m.normalised.via != "class")
    return (*own, *(a.span.start for a in found.allergies))


def _any(*phrases: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){any_of(phrases)}(?![\w-])", re.I)


def _overlaps(span: Span, taken: Iterable[tuple[int, int]], start: int) -> bool:
    return any(span.start - start < b and a < span.end - start for a, b in taken)


def _candidates(item: MedicationSaid) -> tuple[str, ...]:
    return item.normalised.candidates if item.normalised.via == "class" else ()
