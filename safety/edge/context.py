"""In which context a medicine is spoken of: the words around its name, what was asked before, and what is answered."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Literal

from msgspec import Struct

from safety.edge.acts import stopped_behind
from safety.edge.charting import Charted
from safety.edge.companions import Companions
from safety.edge.extraction import Change, Context
from safety.edge.naming import Named
from safety.edge.speaking import Sentence, Turn
from safety.knowledge.language import Language
from safety.model import events as e
from safety.reading.names.words import NameWords
from safety.reading.spoken.matching import Hit, Words
from safety.reading.spoken.statement import NAME, Spoken
from safety.reading.wording import Wording, alone, any_of
from safety.text import lowered

_ANOTHER = "anothername"
"""What stands in the text where another medicine was named."""
_MOST_BETWEEN, _MOST_WORDS = 14, 22
"""So many words lie at most between two medicines of one list; so many are looked at on either side of a name."""
_ASKED_FOR = 6
_LONGEST_LABEL = 3
"""So many words at most say what a line of a list is for."""
_SHORT_ANSWER = 3
"""For so many turns a question is still answered."""
_CONTEXT: dict[str, Context] = {
    "taking": "taking", "stopped": "stopped", "missed": "missed", "considering": "considering", "asking": "asking",
    "allergic": "allergic", "prescribed": "prescribed", "someone-elses": "someone_elses", "denied": "denied",
    "perhaps-taking": "taking", "still-taking": "taking", "mentioned": "mentioned", "replaced-by": "stopped",
    "to-be-replaced-by": "stopped", "to-be-replaced-later": "taking", "replaces": "prescribed", "ordered-in-short": "prescribed",
    "instead-of-the-last": "taking",
}  # fmt: skip
_THEN: dict[str, Context] = {
    "replaced-by": "taking",
    "to-be-replaced-by": "prescribed",
    "to-be-replaced-later": "considering",
    "replaces": "stopped",
}
"""What the medicine is that is named next, where one takes the place of the other."""
_ASKED: dict[str, Context] = {"pending-taking": "taking", "pending-stopped": "stopped", "pending-allergic": "allergic"}
_TAKEN = frozenset({"", "taking", "perhaps-taking", "mentioned"})
_IN_PLACE_OF_THE_LAST = "instead-of-the-last"
"""What is taken, and ends what was named before it: "it makes me sleepy, so I take another instead"."""
_AS_BEFORE = "still-taking"
_AN_ORDER = "ordered-in-short"
"""What is no mere thought: it leaves what the words around say as it is."""
_STAYS = frozenset({
    "someone-elses", "allergic", "asking", "mentioned", "pending-taking", "pending-stopped", "pending-allergic",
    "to-be-replaced-later",
})  # fmt: skip
"""What words say of a medicine that stays so where a beginning or an end of it is only thought of."""
_NOT_FOR_NOW: dict[str, Context] = {"held": "stopped", "out": "missed"}
_CHANGES: dict[str, Change] = {"started": "started", "changed": "changed", "held": "held", "resumed": "resumed"}
_IF_NO: dict[Context, Context] = {"taking": "denied", "stopped": "taking", "allergic": "denied"}
_GOES_ON: frozenset[Context] = frozenset(
    {"taking", "prescribed", "allergic", "stopped", "denied", "considering", "missed", "someone_elses"}
)
_FROM_IT: dict[str, frozenset[Context]] = {
    "stopped": frozenset({"taking", "missed", "mentioned", "denied"}), "missed": frozenset({"taking", "mentioned"}),
    "denied": frozenset({"taking", "mentioned"}), "taking": frozenset({"mentioned", "denied", "asking"}),
    "again": frozenset({"mentioned", "denied", "stopped", "missed"}), "considering": frozenset({"mentioned", "someone_elses"}),
}  # fmt: skip
"""What may be told anew of a medicine by "it", and in which contexts it was named: an order, a question, an allergy and somebody
else's medicine stay what they are."""
_NOT_TAKEN: frozenset[Context] = frozenset({"stopped", "denied"})
_IF_YES: dict[str, Context] = {"stopped": "stopped", "missed": "missed"}
_FAR_FROM_IT, _SHORT_YES = 3, 3
"""So many sentences on, "it" is still the medicine named last; a yes or no of so many words is none of them."""
_OF_THE_NEXT = re.compile(rf"(?:(?<=\s)|\A)(?:and|but|so|,|then) (?:(?!(?:and|but|so|,|then) )\S+ )*?{_ANOTHER} .*\Z")
_NOT_IT = r"(?:(?!(?:and|but|so|,|then|it|that|them) )\S+ )"
_OF_ITS_CLAUSE = re.compile(rf"(?P<before>\S.* )(?:and|but|so|,|then) (?=(?:(?!(?:and|but|so|,|then) )\S+ )*?{NAME} )")
_ENDS = re.compile(r"[;?!\n]|,\s|\.(?=\s|\Z)")
_SEPARATED = re.compile(r"(?<!\.)\.(?=\s|\Z)|[!?;]|\n")


_WEIGHS: dict[Context, tuple[Context, ...]] = {
    "allergic": ("taking", "mentioned", "denied", "stopped"), "considering": ("taking", "mentioned"),
}  # fmt: skip
"""What the tables tell, and as what a note may name the medicine that does not take it back."""
_TAKEN_OR_NOT: frozenset[Context] = frozenset({"taking", "stopped", "prescribed"})
_MAY_BE_TAKEN: frozenset[Context] = frozenset({"taking", "mentioned"})


class Told(Struct):
    """The context of one naming; `pending`: it was asked, and the next turn may answer."""

    context: Context
    pending: bool = False
    certain: bool = True
    """Whether words of its own say so, not the question or the sentence before."""
    change: Change = ""
    then: Context | None = None
    """What is told with it of the medicine named next: "switch it to another"."""
    knows: bool = False
    """Whether a row says so that is a whole phrase, which no clause around a verb in it takes back."""
    by_a_verb: Literal["", "a taking", "a miss", "an end"] = ""
    """Where a row says so that knows only a verb beside the name, what that verb tells: the grammar of clauses knows more."""


class Group(Struct, frozen=True):
    """Medicines named side by side, of which the same is said: from which word to before which."""

    names: tuple[Named, ...]

    @property
    def first(self) -> int:
        """The first word of the first name."""
        return self.names[0].first

    @property
    def after(self) -> int:
        """The word after the last name."""
        return self.names[-1].after


class State(Struct):
    """What was said so far: what was asked and when, and whose medicines are spoken of."""

    turn: int = 0
    asked: Context | None = None
    asked_at: int = -_ASKED_FOR
    open: list[Told] = []
    named_at: int = -_ASKED_FOR
    aside: int = 0
    last: tuple[int, Told | None] = (0, None)
    them: tuple[Told, ...] = ()
    """Of the medicines named last, in order: "it" is the last of them, "them" are all."""
    since: int = 0
    of_it: tuple[Told, Context] | None = None
    """What was asked of the medicine named last, "did you stop it?", and what it is if the answer is yes."""


class Contexts:
    """Judges contexts by the tables of one library; made once, shared, never changed."""

    def __init__(self, spoken: Spoken, names: NameWords, language: Language) -> None:
        self._spoken, self._names = spoken, names
        self._table, self._questions = spoken.tables["contexts"], spoken.tables["asked-about"]
        self._changes, self._thought_of = spoken.tables["changes"], spoken.tables["only-thought-of"]
        self._of_it = spoken.tables["said-of-it"]
        self._it = re.compile(rf"\b{any_of(language.words('it'))}\b", re.I)
        self._several = re.compile(rf"\b{any_of(language.words('several-of-them'))}\b", re.I)
        self._stopped_behind = stopped_behind(language)
        self._to_a_machine = spoken.tables["to-a-machine"]
        self._answers = language.meaning("answers")
        self._answer = re.compile(rf"\W*(?P<said>{any_of(self._answers)})(?![\w'])", re.I)
        self._goes_on_to = re.compile(rf"\s+{any_of(language.words('behind-no-answer'))}\b", re.I)
        ends = [verb for verb, act in language.meaning("verbs-of-acts").items() if act == "stop" and verb.isalpha()]
        self._not_to_end = re.compile(rf"\b{any_of(language.words('denying'))} (?:\w+ )?{any_of(ends)}\b", re.I)
        self._brings_about = re.compile(rf"\s+(?:\w+ly\s+)?{any_of(language.words('brings-about-a-reaction'))}\b", re.I)
        self._between = (
            names.known | names.lead_ins | names.joiners | names.units | names.forms | frozenset(language.words("between-names"))
        )
        self._companions = Companions(language)
        self._replacing = alone(language.words("replacing"))
        self._is_another_now = re.compile(
            rf"\s+{any_of(language.words('is-now-called'))}\s+[\w-]+(?:\s+[\w.]+){{0,2}}?\s+{any_of(language.words('these-days'))}(?![\w-])"
            rf"|\s+{any_of(language.words('is-now-called'))}\s+{any_of(language.words('these-days'))}\s",
            re.I,
        )
        self._beside_own = alone(language.words("beside-what-is-taken"))
        self._parting = frozenset(language.words("parting-names"))
        self._part = re.compile(rf"(?<!\S)(?:{any_of(language.words('begins-the-clause-of-another'))}|[,;]) (?=\S)", re.I)
        against = [*language.words("no-dose-of-one-who-takes"), *language.words("chart-conditions")]
        self._not_as_dosed, self._only_in_mind = alone(against), alone(language.words("only-in-mind"))
        just, own = (
            any_of(language.words("just-this-behind-a-denial")),
            any_of([*language.words("mine"), *language.words("theirs"), "the", "a", "an"]),
        )
        self._just_this = re.compile(rf"\s*[,;]?\s*{just}\s+(?:{own}\s+)?", re.I)
        self._every_turn = frozenset(language.words("rows-that-know-every-turn"))
        self._verbs_alone = frozenset(language.words("rows-that-know-only-a-verb"))
        self._fillers = frozenset(language.words("fillers-of-talk")) | self._between
        self._turning = frozenset({*language.words("turning"), *language.words("begins-an-order")})
        self._relative = re.compile(rf"\b(?:my|our|her|his)\s+(?:\w+\s+)?{any_of(language.words('relatives-in-talk'))}\b", re.I)
        self._cares = alone(language.words("cares-for-the-speaker"))
        self._runs_out = alone(language.words("runs-out-at-times"))
        somebody = any_of([*language.words("somebody"), *language.words("of-the-speaker")])
        self._by_somebody = re.compile(rf"(?P<own>\b{NAME} (?:.* )?){somebody} {_NOT_IT}{{1,6}}?{_ANOTHER} .*\Z")
        self._pronoun = re.compile(rf"\W*(?:{any_of(language.words('somebody'))})\b", re.I)

    def aside_from(self, text: str, turn: Turn) -> int:
        """From where on a turn speaks to a program that reads the text, and so tells nothing of the patient; else its end."""
        for sentence in turn.sentences:
            hit = self._to_a_machine.first(self._spoken.plainly.words(text[sentence.start : sentence.end]))
            if hit is not None and hit.says:
                return sentence.start
        return turn.end

    # -------------------------------------------------------------- names that belong together

    def groups(self, line: Wording, start: int, names: Sequence[Named], told: Mapping[int, Charted]) -> list[Group]:
        """Names of one list together, of which a note says the same, in the sentence that begins at a place."""
        found: list[list[Named]] = []
        noted = {first: one for first, one in told.items() if not one.account}
        for named in names:
            last = found[-1][-1] if found else None
            same = last is not None and noted.get(named.first) == noted.get(last.first) and self._listed(line, last, named)
            apart = self._companions.is_one(line.text, start, last.end, named.start) if last is not None else False
            if last is not None and same and not apart and not self._stopped_alone(line, start, found[-1], named):
                found[-1].append(named)
            else:
                found.append([named])
        return [Group(tuple(each)) for each in found]

    def _stopped_alone(self, line: Wording, start: int, before: Sequence[Named], last: Named) -> bool:
        """Whether only the last of a list is told as stopped: "lisinopril 10 mg daily, metformin on hold"."""
        alone = before[-1]
        dosed = any(w[0].isdigit() for w in line.words[alone.after : last.first])
        begins = not line.text[start : before[0].start].strip(" \n-*•")
        return begins and dosed and self._stopped_behind.match(line.text, last.end) is not None

    def charted(self, told: Charted, before: Told, state: State) -> Told:
        """What a note plainly says of a group; `before`: what the tables say, which know better for how long it was missed, and
        what a medicine did to somebody who is told to have been on it."""
        if before.knows:
            return before
        if told.later and told.context == "considering" and before.certain and before.change == "held":
            return before  # "…; we'll start again in August"
        if told.context == "asking" and before.context == "considering" and before.certain:
            return before  # "I'm thinking about asking for it"
        known = told.account and not self._knows_more(told, before) and not self._turns(told, before)
        ended = before.context == "denied" and told.context == "stopped"  # "never to take it again" ends it
        known = known and not ended
        if before.certain and (known or (told.context in _WEIGHS.get(before.context, ()))):
            return before
        if before.certain and before.change == "held" and told.context == "denied":
            return before  # "not giving it until the count is back"
        if before.context == "denied" and before.certain and told.context == "prescribed":
            told = Charted("mentioned")  # what one reader has ordered and the other denied, nobody is told to take
        found = Told(told.context, False, True, told.change or (before.change if told.context == "missed" else ""))
        found.then = before.then if told.account else None
        state.last = (state.turn, found)
        return found

    @staticmethod
    def _knows_more(told: Charted, before: Told) -> bool:
        """Whether somebody's account tells more than the verb beside the name: what it denies, puts off or weighs; of an end
        that a set phrase tells, no mere taking and no pause."""
        if before.by_a_verb == "a taking":
            return not told.later and told.context != "allergic"  # "I noticed it when I started it", "for my hives"
        if before.by_a_verb == "a miss":
            return told.context in _NOT_TAKEN
        return before.by_a_verb == "an end" and (told.turned or told.later or told.context in ("considering", "asking"))

    @staticmethod
    def _turns(told: Charted, before: Told) -> bool:
        """Whether a clause denies what the tables say, or puts it off: "never did go back on it", "would hold it if …"."""
        if told.later and before.context == "stopped":
            return told.context == "taking"
        return told.turned and before.context in _TAKEN_OR_NOT and told.context in (*_TAKEN_OR_NOT, "considering")

    def _listed(self, line: Wording, one: Named, other: Named) -> bool:
        if self._replacing.search(line.text, line.starts[max(0, one.first - 3)], one.start):
            return False  # "replaced one with another" is no list
        if self._is_another_now.match(line.text, one.end) is not None:
            return False  # "my Zocor is Lipitor now"
        if self._beside_own.search(line.text, one.end, other.start):
            return False  # "avoid one with her other"
        between = line.words[one.after : other.first]
        if len(between) > _MOST_BETWEEN or _SEPARATED.search(line.text[one.end : other.start]):
            return False
        return self._parting.isdisjoint(between) and all(w in self._between or w[0].isdigit() for w in between)

    # -------------------------------------------------------------- turns

    def begin(self, state: State, text: str, turn: Turn) -> None:
        """A new turn: whether it answers what was asked, and what it asks itself."""
        state.turn += 1
        state.aside = self.aside_from(text, turn)
        self._take_answer(state, text, turn)
        if turn.speaker != "patient":
            said = text[turn.start : turn.end]
            hit = self._questions.first(self._spoken.plainly.words(said)) if said.strip() else None
            if hit is not None and hit.says and (hit.says[0] != "allergic" or self._asks_of(text, turn, hit.says[0])):
                state.asked, state.asked_at = _CONTEXT[hit.says[0]], state.turn

    def _asks_of(self, text: str, turn: Turn, what: str) -> bool:
        """Whether a turn asks: somebody who is not named does so with a question, where a note has a heading ("ALLERGIES")."""
        if turn.speaker == "clinician":
            return True
        asking = (self._questions.first(self._spoken.plainly.words(text[s.start : s.end])) for s in turn.sentences if s.asks)
        return any(hit is not None and hit.says[:1] == (what,) for hit in asking)

    def _take_answer(self, state: State, text: str, turn: Turn) -> None:
        said = self._answer.match(text, turn.start, turn.end)
        if said is not None and self._goes_on_to.match(text, said.end(), turn.end) is not None:
            said = None  # "I don't want to go to the hospital" answers nothing
        if said is not None:
            no = self._answers[" ".join(lowered(said["said"]).split())] == "no"
            for told in state.open:
                if no:
                    told.context = _IF_NO.get(told.context, "mentioned")
                told.pending = False
            if state.of_it is not None and not no:
                state.of_it[0].context, state.of_it[0].certain = state.of_it[1], True
        state.open, state.of_it = [], None

    def awaits_a_name(self, line: Wording, turn: Turn, state: State) -> bool:
        """Whether a short turn answers which medicines are taken, so that its words may be names."""
        if state.asked is None or state.turn - state.asked_at > 1 or turn.speaker == "clinician":
            return False
        words = [w for w, start in zip(line.words, line.starts, strict=True) if turn.start <= start < turn.end]
        return sum(w not in self._fillers for w in words) <= _SHORT_ANSWER

    # -------------------------------------------------------------- "it", the medicine named last

    def each(self, told: Told, many: int, state: State, *, beside: bool, first: bool) -> tuple[Told, ...]:
        """What is told of a group, for each of its medicines: of the last more may be told, by "it".

        `beside`: not of these, but of the ones before; where it is the `first`, of what is no medicine.
        """
        every = (
            (told,)
            if many == 1
            else (*(told for _ in range(many - 1)), Told(told.context, told.pending, told.certain, told.change))
        )
        if many > 1 and told.pending:
            state.open.append(every[-1])
        if not beside:
            state.them, state.since = every, 0
        elif first:
            state.them = ()
        return every

    def is_beside(self, line: Wording, sentence: Sentence, groups: Sequence[Group], n: int) -> bool:
        """Whether a group is only what the one before must not be taken with, so that "it" is the other."""
        return self._companions.is_one(line.text, sentence.start, self._end_before(line, groups, n), line.starts[groups[n].first])

    @staticmethod
    def _end_before(line: Wording, groups: Sequence[Group], n: int) -> int | None:
        return line.ends[groups[n - 1].after - 1] if n else None

    def without_a_name(self, text: str, sentence: Sentence, state: State) -> None:
        """A sentence that names no medicine: what it tells of the one named last."""
        said = text[sentence.start : sentence.end]
        if not state.them or (len(said.split()) <= _SHORT_YES and self._answer.match(said) is not None):
            return
        state.since += 1
        told = self.tell_of_it(text, sentence.start, sentence, state)
        if state.since > _FAR_FROM_IT or (not told and sentence.asks and self._it.search(said) is None):
            state.them = ()

    def tell_of_it(self, text: str, start: int, sentence: Sentence, state: State, end: int | None = None) -> bool:
        """Whether words of a sentence tell of the medicine named last, which is then told in that context."""
        said = text[start : sentence.end] if end is None else f"{text[start:end]} {_ANOTHER}"
        says = self.said_of_it(said)
        if not says or sentence.start >= state.aside:
            return False
        if sentence.asks and state.them and says in _IF_YES and state.them[-1].context in _FROM_IT[says]:
            state.of_it = state.them[-1], _IF_YES[says]
        if not sentence.asks:
            for told in state.them if self._several.search(said) else state.them[-1:]:
                if told.context in _FROM_IT[says]:
                    told.context, told.certain = _CONTEXT.get(says, "taking"), True
                    told.change = "resumed" if says == "again" else ""
        return True

    def said_of_it(self, said: str) -> str:
        """What words without a name tell of a medicine named before; empty where nothing."""
        hit = self._of_it.first(self._spoken.plainly.words(said.strip(" \n.,;!?")))
        return hit.says[0] if hit is not None and hit.says else ""

    # -------------------------------------------------------------- one group

    def of(
        self, line: Wording, turn: Turn, sentence: Sentence, groups: Sequence[Group], n: int, before: Told | None, state: State
    ) -> Told:
        """In which context a group of a sentence is spoken of; `before`: of the group before it in the sentence."""
        group = groups[n]
        aside = self._aside(line, sentence, groups, n, state)
        if aside is not None:
            return aside
        said = self._said(line, sentence, groups, n)
        words = self._spoken.plainly.words(said)
        hit = self._first(words)
        says = hit.says[0] if hit is not None and hit.says else ""
        by_a_verb = hit is not None and hit.row.id in self._verbs_alone
        thought = self._only_thought(says, words) if turn.speaker != "clinician" and not sentence.asks else ""
        if thought:
            says, by_a_verb = thought, False
        self._end_the_last(says, before)
        if says in _TAKEN and self._answers_with_a_reaction(line, turn, group, state):
            says = "allergic"
        told = self._by_words(says, sentence, turn, state, words)
        if before is not None and before.then is not None and self._is_next(line, groups[n - 1], group):
            told = Told(before.then)
        if told is None and before is not None:
            told = self._after(before, line, groups[n - 1], group)
        if told is None:
            told = self._by_question(line, sentence, group, turn, state)
        told.knows = hit is not None and hit.row.id in self._every_turn and told.certain
        begins_nothing = told.knows and told.context == "mentioned"  # "they gave me it in the ER"
        told.change = "" if begins_nothing else self._change(words) or told.change
        if says == _AS_BEFORE and told.change == "held" and self._not_to_end.search(words.text) is not None:
            told.change = ""  # "don't stop it until I tell you"
        if told.context == "missed" and not told.change and self._is_out(words):
            told.change = "held"
        state.last = (state.turn, told)
        if told.context in ("taking", "missed") and self._is_somebody_elses(line.text, sentence, turn, state):
            told.context = "someone_elses"
        if told.pending:
            state.open.append(told)
        told.by_a_verb = _verb_alone(says, told) if by_a_verb and turn.speaker != "clinician" else ""
        return told

    def _only_thought(self, says: str, words: Words) -> str:
        """What is told of a medicine of which a beginning, a change or an end is only thought of; empty where none is."""
        thought = self._thought_of.first(words) if says not in _STAYS else None
        return thought.says[0] if thought is not None and thought.says and not (says and thought.says[0] == _AN_ORDER) else ""

    def is_taken_as_dosed(self, line: Wording, sentence: Sentence, groups: Sequence[Group], n: int, told: Told) -> bool:
        """Whether a medicine is taken of which nothing but how much and how often is told: its clause says nothing against it."""
        if told.context != "mentioned" or told.certain or sentence.asks:
            return False
        words = self._spoken.plainly.words(self._said(line, sentence, groups, n)).text
        at, end = self._own_clause(words)
        return self._not_as_dosed.search(words, at, end) is None and self._only_in_mind.search(words, at, end) is None

    def _first(self, words: Words) -> Hit | None:
        """The first row that takes words of a name's own clause, or that speaks of the other name too.

        What stands in the clause of another name is told of that one: "they stopped one, so I started the other".
        """
        hit = self._table.first(words)
        if hit is None or _ANOTHER in hit.taken:
            return hit
        at, end = self._own_clause(words.text)
        if at <= hit.start and hit.end <= end:
            return hit
        return self._table.first(Words(words.text[at:end])) or hit

    def _own_clause(self, text: str) -> tuple[int, int]:
        """From where to where words about a name are its own: what turns a thought last before another name begins that name's
        clause, and what turns one last behind another name begins this one's."""
        name = text.find(f"{NAME} ")
        before, behind = text.rfind(_ANOTHER, 0, name), text.find(_ANOTHER, name)
        ahead = [hit.start() for hit in self._part.finditer(text, max(before, 0), name)] if before >= 0 else []
        later = [hit.start() for hit in self._part.finditer(text, name, behind)] if behind >= 0 else []
        return (ahead[-1] if ahead else 0), (later[-1] if later else len(text))

    @staticmethod
    def _end_the_last(says: str, before: Told | None) -> None:
        """What was named before is no more taken where another is told to be taken in its place."""
        if says == _IN_PLACE_OF_THE_LAST and before is not None and before.context in _MAY_BE_TAKEN:
            before.context, before.certain = "stopped", True

    def _aside(self, line: Wording, sentence: Sentence, groups: Sequence[Group], n: int, state: State) -> Told | None:
        """What is told of a group that is only named to a machine, or as what something else must not be taken with."""
        if sentence.start >= state.aside:
            return Told("mentioned", False, False)
        if not self.is_beside(line, sentence, groups, n):
            return None
        end, at = self._end_before(line, groups, n), line.starts[groups[n].first]
        return Told("taking" if self._companions.is_taken(line.text, sentence.start, end, at) else "mentioned")

    def _answers_with_a_reaction(self, line: Wording, turn: Turn, group: Group, state: State) -> bool:
        """Whether what a medicine does to one answers a question about allergies: "codeine makes me throw up"."""
        if state.asked != "allergic" or state.turn - state.asked_at > 1 or turn.speaker == "clinician":
            return False
        return self._brings_about.match(line.text, line.ends[group.after - 1]) is not None

    def _said(self, line: Wording, sentence: Sentence, groups: Sequence[Group], n: int) -> str:
        """The sentence from after the group before to the group behind, no further than some words, the group's names as one."""
        group = groups[n]
        start, end = sentence.start, sentence.end
        left = max(group.first - _MOST_WORDS, groups[n - 1].after if n else 0)
        right = min(group.after + _MOST_WORDS, groups[n + 1].first if n + 1 < len(groups) else len(line.words))
        start = max(start, line.starts[left]) if left < group.first else line.starts[group.first]
        end = min(end, line.ends[right - 1]) if right > group.after else line.ends[group.after - 1]
        led = f"{_ANOTHER} " if n and line.starts[groups[n - 1].first] >= sentence.start else ""
        ahead = f" {_ANOTHER} " if n + 1 < len(groups) and line.starts[groups[n + 1].first] < sentence.end else ""
        after = line.text[line.ends[group.after - 1] : max(end, line.ends[group.after - 1])]
        asks = " ?" if sentence.asks and "?" not in after else ""
        return f"{led}{line.text[start : line.starts[group.first]]} {NAME} {after}{ahead}{asks}"

    def _by_words(self, says: str, sentence: Sentence, turn: Turn, state: State, words: Words) -> Told | None:
        """What a row of the table says, by who speaks."""
        clinician = turn.speaker == "clinician"
        if says in _ASKED:
            if turn.speaker == "patient":
                return Told("asking")
            return Told(_ASKED[says], sentence.asks or clinician)
        if says == "asking" and clinician:
            return Told("mentioned")
        if says == "was-taking":
            return Told("taking", True) if clinician else Told("stopped")
        if says in ("taking", "perhaps-taking") and not clinician:
            return Told(self._happened(words), False, says == "taking")
        if says == "taking" and sentence.asks and clinician:
            return Told("taking", True)
        if says in _NOT_FOR_NOW:
            return Told(_NOT_FOR_NOW[says], change="held")
        if says == "ordered-in-short" and turn.speaker == "patient":
            return Told("taking", False, False)
        return Told(_CONTEXT[says], False, says != "perhaps-taking", "", _THEN.get(says)) if says else None

    def _change(self, words: Words) -> Change:
        """What is told to have become of a medicine."""
        hit = self._changes.first(words)
        return _CHANGES.get(hit.says[0], "") if hit is not None and hit.says else ""

    def _happened(self, words: Words) -> Context:
        """Whether what is told of its taking is that doses were missed, or that it was given up; not what is told of the next."""
        at, _ = self._own_clause(words.text)
        text = self._by_somebody.sub(rf"\g<own>{_ANOTHER} ", _OF_THE_NEXT.sub("", words.text[at:]))
        ahead = _OF_ITS_CLAUSE.match(text)
        if ahead is not None and self._of_it.first(Words(ahead["before"])) is not None:
            text = text[ahead.end("before") :]  # "I stopped it and they gave me …"
        events = self._spoken.parts.happened(Words(text))
        if e.STOPPED in events:
            return "stopped"
        return "missed" if {e.FORGOTTEN, e.SKIPPED, e.RAN_OUT} & set(events) else "taking"

    @staticmethod
    def _is_next(line: Wording, one: Group, other: Group) -> bool:
        """Whether nothing that ends a thought stands between two medicines."""
        return _ENDS.search(line.text[line.ends[one.after - 1] : line.starts[other.first]]) is None

    def _is_out(self, words: Words) -> bool:
        """Whether the supply ran out, and not again and again."""
        return self._runs_out.search(words.text) is None and e.RAN_OUT in self._spoken.parts.happened(words)

    def _goes_on(self, line: Wording, one: Group, other: Group) -> bool:
        """Whether what is said of one medicine goes on to the next: no thought turns between them."""
        between = line.text[line.ends[one.after - 1] : line.starts[other.first]]
        strange = [w for w in line.words[one.after : other.first] if w not in self._between and not w[0].isdigit()]
        if len(strange) > _MOST_BETWEEN or _SEPARATED.search(between):
            return False
        return self._turning.isdisjoint(line.words[one.after : other.first])

    def _by_question(self, line: Wording, sentence: Sentence, group: Group, turn: Turn, state: State) -> Told:
        """A name alone goes on from the sentence before, or answers what was asked; with a dose it is of a list, or an order."""
        alone = self.is_alone(line, sentence, group)
        of_turn, before = state.last
        if alone and before is not None and of_turn == state.turn and self._goes_over(before, line, group):
            return Told(before.context, before.pending, False)
        asked = state.asked if state.turn - state.asked_at <= _ASKED_FOR else None
        first = turn.speaker != "clinician" and state.turn - state.asked_at == 1 and self._begins(line, turn, group)
        if (alone or first) and asked is not None:
            return Told(asked, False, False)
        if not self._has_dose(line, group):
            listed = alone and len(group.names) > 1 and turn.speaker in ("patient", "unknown") and len(turn.sentences) == 1
            return Told("taking" if listed else "mentioned", False, False)
        if turn.speaker == "clinician":
            return Told("prescribed", False, False)
        return Told("taking" if alone or self._heads(line, sentence, group) else "mentioned", False, False)

    def _heads(self, line: Wording, sentence: Sentence, group: Group) -> bool:
        """Whether a sentence begins with the name, as a line of a list does; behind what it is for ("BPH: …")."""
        ahead = line.text[sentence.start : line.starts[group.first]].strip()
        return not ahead or (ahead.endswith(":") and len(ahead.split()) <= _LONGEST_LABEL)

    def _goes_over(self, before: Told, line: Wording, group: Group) -> bool:
        """Whether what a sentence told goes over to a name alone in the next: with a dose nothing is taken as given up."""
        return before.context in _GOES_ON and not (before.context in _NOT_TAKEN and self._has_dose(line, group))

    def _is_of_its_own(self, before: Told, line: Wording, one: Group, other: Group) -> bool:
        """Whether behind an end of one without a dose another stands with its dose behind a comma: "done with it, Savella 50"."""
        gap = line.text[line.ends[one.after - 1] : line.starts[other.first]]
        return before.context in _NOT_TAKEN and "," in gap and self._has_dose(line, other) and not self._has_dose(line, one)

    def _after(self, before: Told, line: Wording, one: Group, other: Group) -> Told | None:
        """What the words of the group before tell of the next, where nothing else does."""
        if self._is_all_there_is(before, line, one, other):
            return Told("taking")
        if before.context not in _GOES_ON or not self._goes_on(line, one, other) or self._is_of_its_own(before, line, one, other):
            return None
        return Told(before.context, before.pending, False)

    def _is_all_there_is(self, before: Told, line: Wording, one: Group, other: Group) -> bool:
        """Whether behind one that is denied another is told as all that is taken: "not on any insulin, just Janumet"."""
        between = line.text[line.ends[one.after - 1] : line.starts[other.first]]
        return before.context == "denied" and self._just_this.fullmatch(between) is not None

    def _begins(self, line: Wording, turn: Turn, group: Group) -> bool:
        """Whether a turn begins with the name, but for words that add nothing: "tylenol, but it doesn't help"."""
        before = [n for n in range(max(0, group.first - _MOST_WORDS), group.first) if line.starts[n] >= turn.start]
        return all(self.is_filler(line, n) for n in before)

    def is_alone(self, line: Wording, sentence: Sentence, group: Group) -> bool:
        """Whether a sentence says nothing but names, doses and words of no weight."""
        inside = [
            n for n in range(max(0, group.first - _MOST_WORDS), min(len(line.words), group.after + _MOST_WORDS))
            if sentence.start <= line.starts[n] < sentence.end and not group.first <= n < group.after
        ]  # fmt: skip
        return all(self.is_filler(line, n) for n in inside)

    def is_filler(self, line: Wording, n: int) -> bool:
        """Whether a word adds nothing: a filler, a number, or a word that was broken off ("ep- …")."""
        broken_off = line.text[line.ends[n] : line.ends[n] + 2] == "- "
        return line.words[n] in self._fillers or line.words[n][0].isdigit() or broken_off

    def _has_dose(self, line: Wording, group: Group) -> bool:
        near = line.words[group.first : group.after + 3]
        if any(line.words[n.after : n.after + 1] and line.words[n.after][0].isdigit() for n in group.names):
            return True  # "metoprolol 25 twice a day"
        return any(a[0].isdigit() and b in self._names.units for a, b in pairwise(near))

    def _is_somebody_elses(self, text: str, sentence: Sentence, turn: Turn, state: State) -> bool:
        """Whether "she takes it" goes on from "my wife" in the sentence before."""
        if turn.speaker not in ("patient", "unknown"):
            return False
        at = next((n for n, s in enumerate(turn.sentences) if s.start == sentence.start), 0)
        if at == 0 or self._pronoun.match(text, sentence.start, sentence.end) is None:
            return False
        earlier = turn.sentences[at - 1]
        if self._cares.search(text, earlier.start, earlier.end) is not None:
            return False
        return self._relative.search(text, earlier.start, earlier.end) is not None


def _verb_alone(says: str, told: Told) -> Literal["", "a taking", "a miss", "an end"]:
    """What a verb beside a name tells by itself."""
    if not told.certain:
        return ""
    return "a miss" if says == "missed" else "an end" if _CONTEXT.get(says) in _NOT_TAKEN else "a taking"
