"""A question about results → its answer: which results are meant, each of them, and what is due to be measured."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from msgspec.structs import replace

from safety.answering.asked_medicine import Named, levels_by_name, named_in, reads, said_of, with_named, with_since
from safety.answering.asked_patient import conditions_told, weeks_of_what, without_others, young_told
from safety.answering.asked_results import Level, is_only_named, newest_of_each, prepared, told_before
from safety.answering.checker import Checker
from safety.answering.lab_due import asked_when, due_beside, due_of, nothing_asked, nothing_read, when_due
from safety.answering.lab_inquiry import inquired
from safety.answering.lab_result import Question, answer_of
from safety.answering.lab_wording import as_told, loudest, of_a_spoilt_sample, with_symptoms, with_symptoms_for_today
from safety.answering.lone_number import of_a_lone_number
from safety.judging.candidates import asked_by
from safety.knowledge.library import Gene, GeneLeaf, HasLeaf, Lab, LeafType
from safety.labs.request import LabRequest
from safety.model.lab_answer import LabAnswer, LabStatus
from safety.model.patient import LabResult
from safety.model.position import Position
from safety.model.report import Report
from safety.reading.results.asked import AskedWhen
from safety.reading.results.inquired import Inquiry
from safety.text import printable
from safety.understanding.facts import Facts
from safety.understanding.findings import KnownGene
from safety.understanding.ranges import taken
from safety.understanding.told_results import Placed

_OF_A_STATE: dict[str, LabStatus] = {
    "normal": "normal", "not_carried": "negative", "carried": "positive", "susceptible": "positive", "poor": "low",
    "intermediate": "low", "deficient": "low", "reduced": "low", "one_reduced": "low", "partial_deficiency": "low",
    "complete_deficiency": "low", "not_found": "negative", "rapid": "high", "ultrarapid": "high",
}  # fmt: skip
"""What the states of a gene come to beside results."""
_WHICH_TEST = "Which test is it? Ask the laboratory before anything is done on it."
_TOLD_BEFORE = 3
"""So many results before the newest are told where only that one is asked for."""
_AS_EXPECTED: tuple[LabStatus, ...] = ("normal", "negative")


def answer_lab(checker: Checker, request: LabRequest, day: date) -> LabAnswer:
    """The result that is asked about, with what was told beside it; whether a test is due; else every result on file."""
    request = without_others(request, checker, day)
    conditions, weeks = conditions_told(request, checker), weeks_of_what(request, checker)
    request, level = prepared(request, checker, day)
    young = young_told(request, checker, day)
    request, named = with_named(with_since(request, checker, day), checker, day)
    q = Question(
        request, Facts(request.case, checker.terms, day), checker.check(request.case, day), checker, conditions, weeks, young
    )
    asked = _of_the_question([p for p in _asked(q) if p.told.fault != "name"], bool(named))
    asked = [p for p in asked if not _is_its_dose(p, q)] or asked
    wanted = asked_when(request, checker, day)
    inquiry = _inquiry(q, asked) if wanted is None else None
    older: list[Placed] = []
    if wanted is not None:
        answers = _about_when(wanted, asked, q, day)
    elif inquiry is not None and (found := _about(inquiry, q, day)):
        answers = found
    elif any(p.test is not None for p in asked):
        meant, older = newest_of_each(asked, q.facts)
        answers = [said_of(one, named, q.report) for one in _about_results(meant, asked, q, day)]
    elif _is_on_file(q):
        answers = _about_all(q, day)
    elif (lone := of_a_lone_number(q)) is not None:
        answers = [lone]
    else:
        answers = [_of_a_level(level)] if level is not None else [*(answer_of(p, q) for p in asked), *_genes(q)]
    if wanted is None and not _is_on_file(q):
        answers = _with_what_is_due(answers, asked, inquiry, q, day)
    return _together(answers or [nothing_asked(request, [], [])], older, named, q, told=wanted is None)


def _with_what_is_due(
    answers: list[LabAnswer], asked: list[Placed], inquiry: Inquiry | None, q: Question, day: date
) -> list[LabAnswer]:
    """The answers to a line that tells no result, with when its tests, or those of a medicine that it names, are to be
    measured. Who names no test and tells nothing may ask just that, in whatever words."""
    told = any(p.test is not None and not p.told.fault for p in asked)
    if told or q.facts.findings.genes or (inquiry is not None and inquiry.kind not in ("newest", "all")):
        return answers
    lines, text = q.checker.terms.result_lines, _line_of(q)
    tests = lines.tests_named(text)
    asks = bool(tests) or lines.speaks_of_measuring(text)
    beside = due_beside(tests, q.request, q.checker, day) if text and asks else None
    if beside is not None:
        levels = levels_by_name(q.request, named_in(q.request, q.checker), q.checker)
        answers = [one for one in answers if one.value or not _is_only_a_level(one, levels, q)]
    if beside is not None and not answers:
        ask = " ".join((beside.ask, "If a result is meant: what was it, with its unit?")).strip()
        return [replace(beside, ask=ask, needs=list(dict.fromkeys((*beside.needs, "value"))))]
    if beside is not None:
        return [*answers, beside] if tests else [beside, *answers]
    if tests or not text:
        return answers
    due = due_of(q.request, q.checker, day) if asks else []
    return [nothing_read(q.request, due), *answers] if due else answers


def _is_only_a_level(answer: LabAnswer, levels: frozenset[str], q: Question) -> bool:
    """Whether an answer is of a level that only the name of its medicine was taken for: "labs on lithium"."""
    test = q.facts.library.lab.get(answer.test or "")
    return answer.test in levels and test is not None and _levels_of_what_is_taken(test, q)


def _line_of(q: Question) -> str:
    """The line of text that is asked about."""
    line = (q.request.case.patient.labs or ())[q.request.asked :]
    return line[0].test if len(line) == 1 and line[0].as_written else ""


def _asked(q: Question) -> list[Placed]:
    return _asked_in(q.request, q.facts.told_results.results)


def _asked_in(request: LabRequest, results: Iterable[Placed]) -> list[Placed]:
    return [p for p in results if _is_asked(p.where, request)]


def _is_on_file(q: Question) -> bool:
    """Whether no result is asked about: the question is of everything on file."""
    return q.request.asked == len(q.request.case.patient.labs or ())


def _inquiry(q: Question, asked: list[Placed]) -> Inquiry | None:
    """What a line of text asks of tests without telling a result of any."""
    line = (q.request.case.patient.labs or ())[q.request.asked :]
    told = any(not p.told.fault for p in asked if p.test is not None)
    return q.checker.terms.result_lines.inquiry(line[0].test) if len(line) == 1 and line[0].as_written and not told else None


def _about(inquiry: Inquiry, q: Question, day: date) -> list[LabAnswer]:
    if inquiry.kind == "all":
        return _about_all(q, day)
    newest = _newest_on_file(set(inquiry.tests), q.facts, day)
    answers = inquired(inquiry, newest, q)
    return [*answers, *_before_them(newest, inquiry, q, day)] if inquiry.kind == "newest" else answers


def _before_them(newest: list[Placed], inquiry: Inquiry, q: Question, day: date) -> list[LabAnswer]:
    """The results on file before the newest of each test, the most recent first: the last few, or all where all are asked for."""
    told = [p for p in _on_file(q.facts, day) if p not in newest and not p.told.fault]
    by_test = {p.test.id: [o for o in told if o.test is p.test] for p in newest if p.test is not None}
    kept = [o for each in by_test.values() for o in (each if inquiry.every else each[:_TOLD_BEFORE])]
    return [answer_of(p, q) for p in told if p in kept]


def _of_the_question(asked: list[Placed], names_a_medicine: bool) -> list[Placed]:
    """The results asked about; beside one that was read, not what the name of a medicine was taken for."""
    read = [p for p in asked if p.test is not None and not p.told.fault]
    return read if names_a_medicine and read else asked


def _about_results(meant: list[Placed], asked: list[Placed], q: Question, day: date) -> list[LabAnswer]:
    """The results that were told; of tests that are only named, the newest on file."""
    usable = any(p.test is not None and not p.told.fault for p in meant)
    meant = [p for p in meant if not (usable and _is_said_beside(p))]
    meant = [p for p in meant if not _is_named_beside(p, meant) and not (usable and _is_a_medicine(p, q))]
    named = [p for p in asked if p.test is not None]
    if is_only_named(named):
        meant = _newest_on_file({p.test.id for p in named if p.test is not None}, q.facts, day) or meant
    return [*(_none_on_file(answer_of(p, q), p, q) for p in sorted(meant, key=_is_without_a_number)), *_genes(q)]


def _none_on_file(answer: LabAnswer, one: Placed, q: Question) -> LabAnswer:
    """The answer about a test of which no value is told, saying that none is on file where the results on file are told."""
    if not q.request.listed or not _is_without_a_number(one) or answer.test is None or answer.value:
        return answer
    return replace(answer, task=f"No {answer.name} is on file. {answer.task}")


def _is_said_beside(one: Placed) -> bool:
    """Whether words name no test and tell no value: "no pain" beside a result, which is told as not read."""
    return one.test is None and _is_without_a_number(one)


def _is_without_a_number(one: Placed) -> bool:
    """Whether a test is only named: it is answered behind the results."""
    return one.told.fault == "value" and not any(c.isdigit() for c in str(one.told.value or ""))


def _is_named_beside(one: Placed, asked: list[Placed]) -> bool:
    """Whether a test is only named once more beside its own result: "Mg 8.4 on mag gtt"."""
    if one.test is None or not (_is_without_a_number(one) or _is_a_word_alone(one)):
        return False
    return any(p.test is one.test and not p.told.fault and not _is_a_word_alone(p) for p in asked)


def _is_a_word_alone(one: Placed) -> bool:
    """Whether a test that comes in numbers is told in a word: "the sensor says HIGH and the fingerstick is 588"."""
    told = str(one.told.value or "")
    return one.test is not None and one.test.expected is None and bool(told) and not any(c.isdigit() for c in told)


def _is_a_medicine(one: Placed, q: Question) -> bool:
    """Whether a level of which no number is told is only the name of a medicine that is taken: "Cr 2.2 on vanc/zosyn"."""
    if one.test is None or not _is_without_a_number(one):
        return False
    return _levels_of_what_is_taken(one.test, q)


def _is_its_dose(one: Placed, q: Question) -> bool:
    """Whether what was read as a level is the dose of a medicine that is taken: "Lithium 900, 4th year", "sirolimus 2 mg/d"."""
    if one.test is None or one.told.fault or not _levels_of_what_is_taken(one.test, q):
        return False
    resolver, facts = q.checker.terms.resolver, q.facts
    is_its_name = bool(resolver.read(one.told.test, guess=False).drugs)
    return is_its_name and facts.result_of(one.told, one.test).fault is not None


def _levels_of_what_is_taken(test: Lab, q: Question) -> bool:
    return any(taken(row.on, q.facts) for row in test.ranges if row.kind == "therapeutic")


def _about_when(wanted: AskedWhen, asked: list[Placed], q: Question, day: date) -> list[LabAnswer]:
    """Whether tests are due; then their newest results, those that were told in the question before those on file."""
    told = newest_of_each([p for p in asked if p.test is not None and not p.told.fault], q.facts)[0]
    due = due_of(q.request, q.checker, day, told=bool(told))
    shown = told or (_newest_on_file(set(wanted.tests), q.facts, day) if wanted.tests else [])
    results = [answer_of(p, q) for p in shown]
    if told:  # that a test was just measured says nothing of when to measure it again where it is out of range
        off = {one.test for one in results if one.status not in _AS_EXPECTED}
        due = [d for d in due if d.state == "due" or off.isdisjoint(d.tests)]
    when = when_due(wanted, due, q.request, q.checker, day)
    if told and not when.due:
        return results  # "glucose 48, next lispro due" asks for no test
    urgent = [one for one in results if told and one.escalate in ("clinician", "emergency")]
    return [*urgent, when, *(one for one in results if one not in urgent)]


def _about_all(q: Question, day: date) -> list[LabAnswer]:
    """What the medicines need measured, and every result on file."""
    answers = [*(answer_of(p, q) for p in _on_file(q.facts, day)), *_genes(q)]
    due = q.checker.due(q.request.case, day)
    return [nothing_asked(q.request, due, answers), *answers] if due or not answers else answers


def _genes(q: Question) -> list[LabAnswer]:
    return [_of_a_gene(g, q.report, q.checker) for g in q.facts.findings.genes if _is_asked(g.where, q.request)]


def _together(answers: list[LabAnswer], older: list[Placed], named: list[Named], q: Question, told: bool) -> LabAnswer:
    """The first answer with the others behind it, and, of a question that tells results, what of its words was not read."""
    request, facts = q.request, q.facts
    answers = _with_symptoms(answers, request, facts)
    answers = [of_a_spoilt_sample(answer) for answer in answers] if _is_spoilt(q) else answers
    strange = [p for p in facts.told_results.results if p.test is None] if _is_on_file(q) else []
    notes = [
        *(_beside(request, facts, named) if told else []),
        *told_before(older),
        *(f"none of ours: {_as_said(p)}" for p in strange),
    ]
    first, *also = answers
    first = _asking_which_test(first, q)
    return replace(
        first, also=also, id=request.case.id, as_of=facts.day.isoformat(), made_by=q.checker.made_by, notes=[*first.notes, *notes]
    )


def _asking_which_test(answer: LabAnswer, q: Question) -> LabAnswer:
    """The answer, asking for the test, where the question says that nobody knows which one it is."""
    lines = [one.test for one in (q.request.case.patient.labs or ())[q.request.asked :] if one.as_written]
    if not any(q.checker.terms.result_lines.asks_which_test(text) for text in lines):
        return answer
    ask = f"{answer.ask} {_WHICH_TEST}".strip() if answer.test is not None else _WHICH_TEST
    return replace(
        answer, ask=ask, task=f"{answer.task} {_WHICH_TEST}".strip(), needs=list(dict.fromkeys((*answer.needs, "test")))
    )


def _beside(request: LabRequest, facts: Facts, named: list[Named]) -> list[str]:
    """What of the words asked about was not read, and what the speaker took back."""
    told = facts.told_results
    words = [text for text, where in told.left if where.index >= request.asked]
    terms = facts.terms
    left = [t for t in words if not (terms.urgent_symptoms(t) or terms.symptoms_for_today(t) or reads(t, named))]
    left += [p.told.test for p in _asked_in(request, told.results) if _is_said_beside(p)]
    back = [text for text, where in told.taken_back if where.index >= request.asked]
    return [*(f"not read: {printable(text)}" for text in left), *(f"taken back: {printable(text)}" for text in back)]


def _is_spoilt(q: Question) -> bool:
    """Whether the words with a result say that its sample was no good, and no other was taken."""
    lines = [one.test for one in (q.request.case.patient.labs or ())[q.request.asked :] if one.as_written]
    repeated = [text for text, where in q.facts.told_results.taken_back if where.index >= q.request.asked]
    return not repeated and any(q.checker.terms.result_lines.is_spoilt(text) for text in lines)


def _with_symptoms(answers: list[LabAnswer], request: LabRequest, facts: Facts) -> list[LabAnswer]:
    """The answers with what is told beside them: with which nobody waits, else what is seen the same day."""
    asked_in = [one.test for one in (request.case.patient.labs or ())[request.asked :] if one.as_written]
    urgent = list(dict.fromkeys(s for text in asked_in for s in facts.terms.urgent_symptoms(text)))
    today = list(dict.fromkeys(s for text in asked_in for s in facts.terms.symptoms_for_today(text)))
    if urgent:
        return [with_symptoms(answer, urgent) for answer in answers]
    return [with_symptoms_for_today(answer, today) for answer in answers] if today else answers


def _newest_on_file(tests: set[str], facts: Facts, day: date) -> list[Placed]:
    """The newest result on file of each of these tests."""
    told = [p for p in _on_file(facts, day) if p.test is not None and p.test.id in tests and not p.told.fault]
    return newest_of_each(told, facts)[0]


def _is_asked(where: Position, request: LabRequest) -> bool:
    return where.among == "labs" and where.index >= request.asked


def _of_a_gene(known: KnownGene, report: Report, checker: Checker) -> LabAnswer:
    """A genetic result, or the activity of an enzyme in words, with what rules say of medicines because of it."""
    gene = checker.library.gene[known.gene]
    test = checker.terms.lab(LabResult(gene.name))
    entries = [(f, e) for f in report.every_finding if (e := checker.library.entry.get(f.rule)) is not None]
    rules = [f for f, e in entries if any(_asks_of(leaf, gene) for leaf in asked_by(e))]
    said = [f.advice for f in rules[:1]] or [f"{gene.name}: {known.state.replace('_', ' ')}."]
    return LabAnswer(
        test.id if test is not None else None, test.name if test is not None else gene.name, known.state.replace("_", " "),
        _OF_A_STATE.get(known.state, "unknown"), findings=[as_told(f) for f in rules], task=" ".join(said),
        escalate=loudest("none", *(f.escalate for f in rules)), evidence=list(rules[0].evidence) if rules else [],
    )  # fmt: skip


def _asks_of(leaf: LeafType, gene: Gene) -> bool:
    """Whether a rule asks for a gene, or for a condition that a state of it means."""
    if isinstance(leaf, GeneLeaf):
        return leaf.gene == gene.id
    return isinstance(leaf, HasLeaf) and not set(gene.implies.values()).isdisjoint(leaf.conditions)


def _of_a_level(level: Level) -> LabAnswer:
    """A level of which nobody said of what, and which may be of several medicines taken, or of none."""
    which = " or ".join(dict.fromkeys(level.may_be))
    ask = f"Of which medicine is the {level.said}{f': {which}' if which else ''}? And what was its unit?"
    return LabAnswer(None, level.said, "", "unknown", needs=["test"], ask=ask, task=ask)


def _as_said(placed: Placed) -> str:
    """A result as it was told, with its value and unit."""
    told = placed.told
    return printable(" ".join(str(part) for part in (told.test, told.value, told.unit) if part is not None))


def _on_file(facts: Facts, day: date) -> list[Placed]:
    """Every result on file, the most recent first; of one day in the order they were told in."""
    told = [p for p in facts.told_results.results if p.test is not None and (p.told.on is None or p.told.on <= day)]
    return sorted(told, key=lambda p: p.told.on or day, reverse=True)
