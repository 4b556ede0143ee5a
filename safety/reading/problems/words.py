"""The words of problem lists, from the lists of `kb/language/`, by what they mean here."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from msgspec import Struct

from safety.knowledge.language import Language
from safety.reading.problems.dates import Dates, DateWords
from safety.reading.wording import any_of, longest_by_first
from safety.text import fold

_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}


class Phrase(Struct, frozen=True):
    """What a phrase is: of which list, its meaning there, and another that it has where it stands after a condition.

    `plain`: the plain phrase that it comes to, where it is put together ("no history of" of "no known hx of").
    """

    kind: str
    meaning: str = ""
    after: str = ""
    plain: str = ""


class Vocabulary:
    """Phrases, folded, by what they are; immutable, made once for a library's language."""

    def __init__(self, language: Language) -> None:
        self.phrases: dict[str, Phrase] = {}
        for name in ("fillers", "not-conditions", "grades", "reporters", "relatives", "titles", "ahead"):
            self._take(language.words(f"problem-{name}"), lambda _, kind=name: Phrase(kind))  # type: ignore[misc]
        for name in ("marks", "joins"):
            meanings = language.meaning(f"problem-{name}")
            self._take(meanings, lambda p, kind=name, by=meanings: Phrase(kind, by[p]))  # type: ignore[misc]
        before = language.meaning("problem-status-before")
        after = {fold(p): meaning for p, meaning in language.meaning("problem-status-after").items()}
        self._take(before, lambda p: Phrase("before", before[p], after.get(fold(p), "")))
        for phrase, meaning in after.items():
            if phrase and (phrase not in self.phrases or self.phrases[phrase].kind == "fillers"):
                self.phrases[phrase] = Phrase("after", "", meaning)
        self.sure = frozenset(map(fold, language.words("problem-lists-follow")))
        self.sure |= {p for p, said in self.phrases.items() if said.meaning == "denied" and p.split()[0] in self.sure}
        self.room_air = frozenset(map(fold, language.words("problem-room-air")))
        self.bare_lists = frozenset(map(fold, language.words("problem-bare-lists-follow")))
        self.ends_an_episode = frozenset(map(fold, language.words("problem-ends-an-episode")))
        self.test_negative = frozenset(map(fold, language.words("problem-test-negative")))
        self.treated = frozenset(map(fold, language.words("problem-treated")))
        self.says_free = frozenset(map(fold, language.words("problem-says-free")))
        self.tests = frozenset(map(fold, language.words("problem-tests-alone")))
        self.confirms = frozenset(map(fold, language.words("problem-confirms")))
        due = frozenset(map(fold, language.words("problem-tests-told")))
        self.told_of_tests = self.test_negative | self.confirms | due
        self.rules_out_only = frozenset(map(fold, language.words("problem-rules-out-only")))
        self.past_behind = frozenset(map(fold, language.words("problem-past-behind")))
        self.goes_on = frozenset(map(fold, language.words("problem-goes-on")))
        self.doubts_behind = frozenset(map(fold, language.words("problem-doubts-behind")))
        self.ends_only = _several(language, "problem-ends-only")
        self.has_come_back = frozenset(map(fold, language.words("problem-has-come-back")))
        self.there_again = frozenset(map(fold, language.words("problem-is-there-again")))
        self.there_again_alone = frozenset(map(fold, language.words("problem-is-there-again-alone")))
        self.no_comeback = frozenset(map(fold, language.words("problem-no-comeback")))
        self.no_comeback_behind = frozenset(map(fold, language.words("problem-no-comeback-behind")))
        self.spread = frozenset(map(fold, language.words("problem-spread")))
        self.spreads = tuple(map(fold, language.words("problem-spreads")))
        self.takes_back = frozenset(map(fold, language.words("problem-takes-back")))
        self.ends_together = tuple(map(fold, language.words("problem-ends-together")))
        self.came_with = frozenset(map(fold, language.words("problem-came-with")))
        self.ends_the_whole = frozenset(map(fold, language.words("problem-ends-the-whole")))
        self.ended_by_measure = _several(language, "problem-ended-by-its-measure")
        self.prevents = frozenset(map(fold, language.words("problem-prevents")))
        self.had_when_prevented = tuple(map(fold, language.words("problem-had-when-prevented")))
        self.leads_to_operations = frozenset(map(fold, language.words("problem-leads-to-what-is-to-be-done")))
        self.among_others = frozenset(map(fold, language.words("problem-among-others")))
        self.goes_round = tuple(map(fold, language.words("problem-goes-round")))
        self.needed_for_a_while = tuple(map(fold, language.words("problem-needed-for-a-while")))
        self.denies_all = frozenset(map(fold, language.words("problem-denies-all")))
        self.substances = frozenset(map(fold, language.words("problem-substances")))
        self.mishaps = tuple(map(fold, language.words("problem-mishaps")))
        self.tells_why = frozenset(map(fold, language.words("problem-tells-why")))
        self.small_company = frozenset(map(fold, language.words("problem-company-small")))
        self.doubted_company = frozenset(p for p, part in language.meaning("problem-status-parts").items() if part == "doubting")
        self.lingers = frozenset(map(fold, language.words("problem-lingers")))
        self.the_first = frozenset(map(fold, language.words("problem-the-first")))
        self.labels = frozenset(map(fold, language.words("problem-labels")))
        self.replacements = frozenset(map(fold, language.words("problem-replaces-an-organ")))
        self.cured_in_weeks = tuple(map(fold, language.words("problem-cured-in-weeks")))
        self.answered_by_tests = tuple(map(fold, language.words("problem-answered-by-a-test")))
        self.workups = frozenset(map(fold, language.words("problem-workups")))
        self.denies_what_follows = frozenset(map(fold, language.words("problem-denies-what-follows")))
        self.doubts_what_follows = frozenset(map(fold, language.words("problem-doubts-what-follows")))
        self.graft_failed = frozenset(map(fold, language.words("problem-graft-failed")))
        self.risk_groups = frozenset(map(fold, language.words("problem-risk-groups")))
        self.said_of_one = frozenset(map(fold, language.words("problem-said-of-one")))
        self.run_together = language.words("problem-run-together")
        self.brought_by = frozenset(map(fold, language.words("problem-brought-by")))
        self.ends_a_course = frozenset(map(fold, language.words("problem-ends-a-course")))
        self.there_now = frozenset(map(fold, language.words("problem-says-it-is-there")))
        self.lives_with = frozenset(map(fold, language.words("problem-lives-with")))
        self.reach_one = frozenset(map(fold, language.words("problem-reaches-one")))
        self.takes = frozenset(map(fold, language.words("problem-takes")))
        self.not_cured = frozenset(map(fold, language.words("problem-not-cured")))
        self.taking = frozenset(map(fold, language.words("problem-taking")))
        self.done = tuple(f"{p} " for p, said in self.phrases.items() if said.meaning == "done")
        self.operation_ends = {end: fold(name) for end, name in language.meaning("problem-operation-endings").items()}
        self.ends_of_operations = tuple(self.operation_ends)
        self.cures = frozenset(map(fold, language.words("problem-cures")))
        self.cured_only_by = _several(language, "problem-cured-only-by")
        self.done_in_part = frozenset(map(fold, language.words("problem-done-in-part")))
        self.childhood = frozenset(map(fold, language.words("problem-childhood")))
        self.before_a_span = frozenset(map(fold, language.words("problem-before-a-span")))
        self.without = frozenset(map(fold, language.words("problem-without")))
        self.treatments = frozenset(map(fold, language.words("problem-treatments")))
        self.ends_a_habit = frozenset(map(fold, language.words("problem-ends-a-habit")))
        self.treated_once = tuple(map(fold, language.words("problem-treated-once")))
        self.outgrown = tuple(map(fold, language.words("problem-outgrown")))
        self.surely_over = frozenset(map(fold, language.words("problem-surely-over")))
        self.in_remission = frozenset(map(fold, language.words("problem-in-remission")))
        self.surely_after = frozenset(map(fold, language.words("problem-surely-after")))
        self.capitals = frozenset(map(fold, language.words("problem-capitals")))
        self.denying_prefixes = frozenset(map(fold, language.words("problem-denying-prefixes")))
        self.signs = frozenset(map(fold, language.words("problem-signs")))
        self.counted = frozenset(map(fold, language.words("problem-counted")))
        self.longest_counted = max((len(p.split()) for p in self.counted), default=0)
        self.not_pregnant = frozenset(map(fold, language.words("pregnancy-is-over")))
        self.lost = frozenset(map(fold, language.words("pregnancy-is-over-or-else")))
        self.of_before = frozenset(map(fold, language.words("problem-of-before")))
        self.again = frozenset(map(fold, language.words("problem-says-again")))
        self.positive = frozenset(map(fold, language.words("problem-positive")))
        self.says_positive = tuple(map(fold, language.words("problem-says-positive")))
        self.of_the_patient = frozenset(map(fold, language.words("problem-of-the-patient")))
        self.intake = frozenset(map(fold, language.words("verbs-of-intake")))
        self.kin_letters = frozenset(language.words("problem-kin-letters"))
        self.found = frozenset(map(fold, language.words("problem-found")))
        self.until = frozenset(map(fold, language.words("problem-until")))
        self.turning_round = {fold(word): how for word, how in language.meaning("problem-turned-round").items()}
        self.beside_a_quality = frozenset(map(fold, language.words("problem-beside-a-quality")))
        self.done_for = frozenset(map(fold, language.words("problem-done-for")))
        self.markers = frozenset(map(fold, language.words("problem-markers")))
        self.episodes = frozenset(p for p, said in self.phrases.items() if said.kind == "marks" and said.meaning == "episode")
        self.led_to = frozenset(map(fold, language.words("problem-led-to")))
        self.died = frozenset(map(fold, language.words("problem-died")))
        self.as_written = {fold(text): fold(name) for text, name in language.meaning("problem-as-written").items()}
        self.alone = {fold(text): fold(name) for text, name in language.meaning("problem-alone").items()}
        self.leads_to_alone = frozenset(map(fold, language.words("problem-before-alone")))
        self.headings = frozenset(map(fold, language.words("problem-headings")))
        self.turns_to_now = frozenset(map(fold, language.words("problem-turns-to-now")))
        self.denied_by_tests = {fold(t): fold(name) for t, name in language.meaning("problem-denied-by-a-test").items()}
        self.longest_denied = longest_by_first(self.denied_by_tests)
        self.said_denied = {fold(t): fold(name) for t, name in language.meaning("problem-denied-in-words").items()}
        self.longest_said_denied = longest_by_first(self.said_denied)
        self.findings = _several(language, "problem-found-by-tests")
        self.after_an_operation = tuple(map(fold, language.words("problem-after-an-operation")))
        self.operations_on = frozenset(map(fold, language.words("problem-operations-on")))
        self.stops_something = frozenset(map(fold, language.words("problem-stops-something")))
        self.held_off = {fold(t): how for t, how in language.meaning("problem-operation-held-off").items()}
        self.longest_held_off = longest_by_first(self.held_off)
        self.completed = frozenset(map(fold, language.words("problem-completed")))
        self.completing = frozenset(map(fold, language.words("problem-completing")))
        self.results = frozenset(map(fold, language.words("problem-results")))
        self.short = {fold(a): fold(b) for a, b in language.meaning("problem-short").items()}
        self.longest = longest_by_first(self.phrases)
        self.leading = frozenset(p.split()[-1] for p, said in self.phrases.items() if said.kind == "before")
        self.status_parts = language.meaning("problem-status-parts")
        self.following = frozenset(p.split()[0] for p, part in self.status_parts.items() if part in ("of", "for"))
        plain = (*language.words("everyday"), *language.words("problem-idle"), *language.words("problem-tests-alone"))
        self.words = frozenset(word for phrase in (*self.phrases, *plain) for word in phrase.split())
        """Words that are none of a condition, and no slip of the pen either."""
        months = language.read("problem-months", lambda _, n: int(Fraction(n)), "the number of a month")
        units = {u: _DAYS[m] for u, m in language.meaning("time-units").items() if m in _DAYS}
        days = {**units, **language.read("problem-years", lambda _, n: int(Fraction(n) * 365), "years")}
        numbers = language.read("numbers", lambda _, n: int(Fraction(n)), "a number")
        spans = any_of(u for u in days if u.isalpha())
        size = any_of(language.words("problem-sizes"))
        self.beside = re.compile(
            rf"\d+(?:\.\d+)?(?:\s?x\s?\d+(?:\.\d+)?)*\s?-?{size}(?![a-z/])|[<>~]?\d+(?:\.\d+)?(?:\s?-\s?\d+)?\s?%|q\s?\d+(?:-\d+)?\s?{spans}(?![a-z])",
            re.I,
        )
        stay = any_of(language.words("problem-day-of-a-stay"))
        self.day_of_a_stay = re.compile(rf"{stay}(?:\s?#\s?)?\d{{1,3}}(?![\w/.%-])", re.I)
        course = any_of(language.words("problem-day-of-a-course"))
        self.day_of_a_course = re.compile(rf"(?<![\w]){course}\s?#?\s?\d{{1,2}}(?![\w.%-])", re.I)
        often = any_of(language.words("problem-so-often-in"))
        self.so_often = re.compile(
            rf"x?\s?\d{{1,2}}\s?x?\s+{often}\s*(?:\d{{1,2}}\s?-?)?{spans}(?![a-z])|x\s?\d{{1,2}}\s?/\s?{spans}(?![a-z])", re.I
        )
        self.in_parts = re.compile(
            rf"\d{{1,2}}\s?/\s?(?:5|6|10)(?:\s+{any_of(language.words('problem-told-in-parts'))}(?!\w)|(?![\d/]))", re.I
        )
        self.told_in_parts = frozenset(map(fold, language.words("problem-told-in-parts")))
        early = language.words("problem-before-short-years")
        verbs = frozenset(language.words("problem-months-that-are-verbs"))
        within = language.words("problem-within-a-time")
        self.dates = Dates(
            DateWords(
                months,
                days,
                numbers,
                language.meaning("problem-times"),
                early,
                verbs,
                within,
                (*language.words("problem-day-of-a-course"), *language.words("problem-counted-of-a-course")),
            )
        )

    @property
    def idle(self) -> tuple[str, ...]:
        """Words that add nothing to what they stand beside, and those of degree, side and place."""
        return tuple(p for p, said in self.phrases.items() if said.kind in ("fillers", "marks"))

    def _take(self, phrases: Mapping[str, str] | tuple[str, ...], made: Callable[[str], Phrase]) -> None:
        for phrase in phrases:
            if folded := fold(phrase):
                self.phrases[folded] = made(phrase)


def _several(language: Language, name: str) -> dict[str, frozenset[str]]:
    """Phrases with the several words, between commas, that a list gives each."""
    return {fold(phrase): frozenset(map(fold, words.split(","))) for phrase, words in language.meaning(name).items()}
