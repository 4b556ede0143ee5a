"""One result → its answer: unit, plausibility, urgency, range, direction, medicines, and what to do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from safety.answering.checker import Checker
from safety.answering.lab_wording import CRITICAL, LOUD, as_told, loudest, task_of
from safety.formulas.corrections import FORMULAS
from safety.judging.candidates import asked_by
from safety.judging.conditions import Logic
from safety.knowledge.library import Drawn, Entry, HasLeaf, Lab, LabLeaf, LabRange
from safety.labs.effects import effects_on, shown_in
from safety.labs.request import LabRequest
from safety.labs.standing import Sample, Stand, band, is_far_out, of_range, off, ordinary, stand, target_of, told_goal, within
from safety.labs.trend import Point, changed, is_steady, points, trend, variation
from safety.model.lab_answer import Escalation, LabAnswer, LabBand, LabBefore, LabCorrected, LabStatus
from safety.model.patient import LabResult
from safety.model.quantity import Quantity, number, plain
from safety.model.report import Finding, Report
from safety.reading.results.phrases import Drawn as WhenDrawn
from safety.reading.results.unsaid import is_open, unsaid
from safety.text import fold, printable
from safety.understanding.believable import Doubt, believed, may_expect
from safety.understanding.facts import Facts
from safety.understanding.results import Result
from safety.understanding.told_results import Placed

_ASKS = {
    "fasting": "Was that fasting?", "age": "How old is the patient?", "sex": "Is the patient female or male?",
    "pregnancy": "In which week of pregnancy is the patient?",
}  # fmt: skip
_PAIR = re.compile(r"(\d{2,3})\s?/\s?(\d{2,3})")
_INTERACTION, _MOST_PAIRS = "interaction", 4
_HIGH: tuple[LabStatus, ...] = ("high", "critical_high", "positive")


class Question(Struct, frozen=True):
    """What is asked, of whom, and what `check` says of the same patient on the same day."""

    request: LabRequest
    facts: Facts
    report: Report
    checker: Checker
    conditions: frozenset[str] = frozenset()
    """What the question itself tells that the patient has."""
    weeks: int | None = None
    """So many weeks that it tells, and not of what."""
    young: Decimal | None = None
    """Under how many months the patient is, where it tells only that: "in our baby"."""


def answer_of(placed: Placed, q: Question) -> LabAnswer:
    """One result: where it lies, how urgent it is, where it is heading, and what explains it."""
    facts = q.facts
    test, told = placed.test, placed.told
    if test is None:
        ask = _of_which(told, facts) or "Which test is this? It is none of ours."
        return LabAnswer(
            None, printable(told.test), printable(f"{told.value or ''} {told.unit or ''}".strip()), "unknown", ask=ask, task=ask
        )
    result = facts.as_corrected(facts.result_of(told, test), test)
    base = LabAnswer(
        test.id, test.name, _shown(result, test), "unknown", loinc=next(iter(test.loinc), None),
        worked_out=told.worked_out,
        on=told.on.isoformat() if told.on else None, medication_effects=effects_on(test.id, facts), 
        evidence=[c for c in test.evidence if set(c.supports) != {"codes"}], notes=_unit_taken(result, test),
    )  # fmt: skip
    if result.word:
        said = _in_words(base, result, test, _rules(test, q) if _is_newest(placed, test, facts) else [])
        if said.ask or not (_shows_pregnancy(result, test) and _is_of_unknown_length(facts)):
            return said
        asked = _ASKS["pregnancy"]
        return replace(said, needs=[*said.needs, "pregnancy"], ask=asked, task=f"{said.task} {asked}")
    if result.fault is not None or told.fault:
        return _in_number_words(base, placed, test, facts) or _unusable(base, result, test, told.value, facts)
    return _judged(base, placed, result, test, q)


def _of_which(told: LabResult, facts: Facts) -> str:
    """What is asked of one number of which only the panel is told: "iron studies: 40"."""
    panel = next((p for p in facts.library.panels if fold(p.name) == fold(told.test)), None)
    names = [facts.library.lab[part].name for part in panel.parts] if panel is not None else []
    return f"Which of them is {told.value}: {', '.join(names[:-1])} or {names[-1]}? And in which unit?" if names else ""


def _unit_taken(result: Result, test: Lab) -> list[str]:
    """The unit in which a number without one was taken, where there are others."""
    others = [other for other in test.other_units if other.factor != 1]
    return [f"unit not told: taken as {result.assumed[0]}"] if others and len(result.assumed) == 1 else []


def _shown(result: Result, test: Lab) -> str:
    if len(result.assumed) > 1:
        return result.shown.partition(" (")[0]
    if result.low is None and result.high is None:
        return result.shown.removesuffix(", undated" if result.on is None else f" on {result.on}")
    if result.low == result.high and result.low is not None:
        return f"{plain(round(result.low, 4).normalize())} {test.unit}"
    if result.low is not None and result.high is not None:
        return f"{plain(round(result.low, 4).normalize())} to {plain(round(result.high, 4).normalize())} {test.unit}"
    end = result.low if result.high is None else result.high
    return f"{'>' if result.high is None else '<'} {plain(round(end or Decimal(0), 4).normalize())} {test.unit}"


def _in_words(base: LabAnswer, result: Result, test: Lab, rules: list[Finding]) -> LabAnswer:
    if result.word in ("indeterminate", "abnormal") or test.expected is None:
        return replace(base, value=result.word, ask="What does the laboratory's report say exactly?")
    ordinary = result.word in (test.expected, "normal")
    if ordinary:
        return replace(base, value=result.word, status="negative", task="As expected.")
    explained = [e for e in base.medication_effects if e.direction == "raises"]
    task = "Expected on " + ", ".join(e.name for e in explained) + "." if explained else "Report it to the clinician."
    calls = [row.call for row in test.ranges if row.kind == "intervention"]
    escalate: Escalation = "none" if any(e.intended for e in explained) else loudest("clinician", *calls)
    if rules:
        task, escalate = rules[0].advice, loudest(escalate, *(f.escalate for f in rules))
    disturbed = [f"{e.name}: {e.note}." for e in explained if e.kind == "assay"]
    return replace(
        base, value=result.word, status="positive", task=" ".join((task, *disturbed)), escalate=escalate,
        findings=[as_told(f) for f in rules],
    )  # fmt: skip


def _unusable(base: LabAnswer, result: Result, test: Lab, value: object, facts: Facts, told_unit: str | None = None) -> LabAnswer:
    """Asked about, never guessed: no number, a unit that does not fit, or a value that cannot be."""
    if result.fault in ("unread", "implausible") and _is_below_nothing(value, test):
        ask = f"Is that the value, and the unit (in {test.unit})? A {test.name} cannot be below zero."
        return replace(base, value=printable(str(value)), status="implausible", needs=["value"], ask=ask, task=ask)
    if _is_the_wrong_way_round(value, test, facts):
        ask = f"Is it {printable(str(value))}? The first number ought to be the larger one: measure it again now."
        return replace(base, value=printable(str(value)), status="implausible", needs=["value"], ask=ask, task=ask)
    if result.fault == "unread" or result.fault is None:
        ask = f"What was the {test.name}, as a number with its unit?"
        told = base.value if any(c.isdigit() for c in base.value) else ""  # words are no value
        return replace(base, value=told, status="unknown", needs=["value"], ask=ask, task=ask)
    bare = number(str(value).lstrip("<>=≤≥ ")) if value is not None else None
    fits = unsaid(bare, test, facts.months).readings if bare is not None else ()
    if len(fits) == 1 and (result.fault == "unit" or fits[0][0] != test.unit):
        ask = f"Is it {plain(bare or Decimal(0))} {fits[0][0]}? As written it cannot be judged."
        meant = stand(test, replace(result, fault=None, low=fits[0][1], high=fits[0][1]), facts)
        if_so, call = _if_so(meant, test)
        status: LabStatus = "implausible" if result.fault == "implausible" else "unknown"
        return replace(base, status=status, needs=["unit"], ask=ask, task=ask + if_so, escalate=call)
    ask = f"Is that the value, and the unit (in {test.unit})?"
    if result.fault == "unit":
        return replace(base, status="unknown", needs=["unit"], ask=ask, task=ask)
    task = "This is not plausible: measure or read it again now. If it is true, or the patient is unwell, call 911."
    return replace(base, status="implausible", needs=["value", "unit"], ask=ask, escalate="clinician", task=task)


def _is_the_wrong_way_round(value: object, test: Lab, facts: Facts) -> bool:
    """Whether two numbers of a pair that falls were told of which the second is no smaller: a pressure of "78/124"."""
    pair = _PAIR.fullmatch(str(value or "").strip())
    falls = any(panel.falls and test.id in panel.parts for panel in facts.library.panels)
    return falls and pair is not None and int(pair[1]) <= int(pair[2])


def _is_below_nothing(value: object, test: Lab) -> bool:
    """Whether a value was told as a negative number, of a test that cannot have one."""
    said = str(value or "").strip().split(" ")[0]
    at_least = test.plausible_low
    return said.startswith("-") and number(said[1:]) is not None and at_least is not None and at_least >= 0


def _in_number_words(base: LabAnswer, placed: Placed, test: Lab, facts: Facts) -> LabAnswer | None:
    """A value told in number words is asked about in digits, and does not wait for the answer where it would be critical."""
    said = str(placed.told.value or "")
    digits = facts.terms.spelled.in_digits(said)
    if not digits:
        return None
    lines = (facts.terms.result_lines.line(text, facts.day) for text in (f"{test.name}: {digits}", digits))
    read = next((r for line in lines for r in line.results if r.test == test.id and not r.fault), None)
    if read is None:
        return None
    value = f"{read.sign}{read.value}" if read.sign not in ("", "~") else read.value
    result = facts.result_of(LabResult(test.name, value, read.unit), test)
    if result.fault is not None or result.word:
        return None
    if_so, call = _if_so(stand(test, result, facts, Sample(read.fasting)), test)
    ask = f"Is it {digits}?"
    return replace(base, status="unknown", needs=["value"], ask=ask, task=ask + if_so, escalate=call)


def _doubt_of_the_body(test: Lab, result: Result, facts: Facts) -> Doubt | None:
    """Why a weight or height cannot be that of somebody of this age, in any unit in which it may be: 142 kg at 4 years."""
    ends = [end for end in (result.low, result.high) if end is not None]
    doubts = [_doubted(test, Quantity(end, test.unit), facts) for end in ends]
    return doubts[0] if doubts and all(doubt is not None for doubt in doubts) else None


def _doubted(test: Lab, amount: Quantity, facts: Facts) -> Doubt | None:
    alone = {"weight": None, "height": None, str(test.measures): amount}
    doubts = believed(replace(facts.patient, **alone), facts.age, facts.day, facts.library)[1]
    return next((doubt for doubt in doubts if doubt.fact == test.measures), None)


def _held_to(goal: LabRange | None, told: bool, found: Stand) -> Stand:
    """A level held to what is aimed at in this patient, not to where the medicine works in anybody.

    What is told to be aimed at, and is met, brings nobody in on the side that it bounds: a saturation of 89, to be kept at 88-92.
    """
    if goal is None or found.status in CRITICAL or found.status == "unknown":
        return found
    met_there = not found.off_goal and {"low": goal.low, "high": goal.high}.get(found.status) is not None
    if told and met_there:
        found = replace(found, call="none")
    if found.row is None or found.row.kind != "therapeutic" or (None in (goal.low, goal.high) and not found.off_goal):
        return found
    call = "pharmacist" if found.off_goal and found.call == "none" else found.call
    return replace(found, status=found.off_goal or "normal", call=call, row=replace(found.row, low=goal.low, high=goal.high))


def _if_so(found: Stand, test: Lab) -> tuple[str, Escalation]:
    """What is done meanwhile, and who is brought in, where a value would be critical if it is what it seems to be."""
    if found.status in CRITICAL or found.maybe_critical:
        return f" If it is, {test.name} is critical: call the clinician now; with symptoms call 911.", "clinician"
    return "", "none"


def _judged(base: LabAnswer, placed: Placed, result: Result, test: Lab, q: Question) -> LabAnswer:
    facts, request = q.facts, q.request
    sample = replace(_sample(placed, request, test, facts), young=q.young)
    found = stand(test, result, facts, sample, _conditions_known(q))
    line = _line(placed, result, test, facts, request)
    varies = variation(test, facts.months)
    untold = len(result.assumed) > 1
    moved = _in_one_unit(placed, test, facts) if untold else line
    where = trend(moved, varies)
    if test.measures is not None and not test.ranges:
        if (doubt := _doubt_of_the_body(test, result, facts)) is not None:
            return replace(base, status="implausible", needs=["value", "unit"], ask=doubt.ask, task=doubt.ask)
        task = f"Taken as the patient's {test.measures}, by which doses are judged; no range is held for it."
        if len(result.assumed) > 1:
            ask = f"Is it in {' or '.join(result.assumed)}?"
            surely = _rules_in_any_unit(placed, result, test, q) if _is_newest(placed, test, facts) else []
            return replace(
                base, needs=["unit"], ask=ask, task=" ".join((*(f.advice for f in surely[:1]), ask)), trend=where,
                trend_words=_heading(moved, where, None), findings=[as_told(f) for f in surely],
                escalate=loudest("none", *(f.escalate for f in surely)),
            )  # fmt: skip
        moving = _rules(test, q) if _is_newest(placed, test, facts) else []
        return replace(
            base, task=" ".join((*(f.advice for f in moving[:1]), task)), trend=where, trend_words=_heading(moved, where, None),
            previous=_before(line, test, varies), findings=[as_told(f) for f in moving],
            escalate=loudest("none", *(f.escalate for f in moving)),
        )  # fmt: skip
    found = _before_fasting_is_told(found, test, sample.fasting, facts)
    lacks = _of_the_young(q, test) | _of_a_pregnancy(q, test) | _lacking(placed, result, found, test, facts, request)
    told = told_goal(placed.told.goal, placed.told.unit, test, facts)
    goal = told or target_of(test, facts, q.conditions)
    found = _held_to(goal, told is not None, replace(found, off_goal=off(goal, result)))
    sources = {row.source for row in (found.row, found.limit, goal) if row is not None}
    rules = _rules(test, q) if _is_newest(placed, test, facts) else []
    pairs = [f for f in _pairs(test, found, q) if f not in rules] if _is_newest(placed, test, facts) else []
    open_unit = len(result.assumed) > 1 and (found.status == "unknown" or (found.maybe_critical and found.status not in CRITICAL))
    unit = f"Is it in {' or '.join(result.assumed)}?" if open_unit else ""
    if found.status == "unknown" and not (found.needs or open_unit or lacks):
        lacks |= _of_the_value(result, test)
    asks = (*(_ASKS[n] for n in found.needs if n in _ASKS), unit, *lacks.values())
    ask = " ".join(x for x in dict.fromkeys(asks) if x)
    escalate = loudest(_of_status(found, base, far=is_far_out(test, found, result, facts, sample)), *(f.escalate for f in rules))
    aim = goal or (found.row if found.row is not None and found.row.kind == "therapeutic" else None)
    met = within(aim, result) if aim is not None else None
    answer = replace(
        base, status=found.status, range=band(found.row, test, facts), target_met=met,
        target=_goal_band(goal, told is not None, test, facts), limit=band(found.limit, test, facts),
        trend=where, trend_words=_heading(moved, where, None if untold else goal or _settled(found)),
        previous=_before(line, test, varies), findings=[as_told(f) for f in (*rules, *pairs)],
        needs=list(dict.fromkeys((*found.needs, *(["unit"] if open_unit else []), *lacks))), ask=ask,
        corrected=_correction(result, test), escalate=escalate,
        evidence=[c for c in base.evidence if not sources or c.source in sources],
    )  # fmt: skip
    newer = _newer(placed, test, facts)
    if newer is not None:
        return replace(answer, escalate="none", ask="", needs=[], task=f"Superseded by the result of {newer}.")
    task = task_of(answer, found, rules=len(rules), poison=any(row.kind == "therapeutic" for row in test.ranges))
    if found.status == "unknown" and not (task or ask):
        task = f"No range held here decides on this {test.name}: compare it with the laboratory's own."
    return replace(answer, task=f"{task} {_taken_as(answer, placed, result, test)}".strip())


def _taken_as(answer: LabAnswer, placed: Placed, result: Result, test: Lab) -> str:
    """Of an urgent result, the unit in which it was taken, where none was told and the number would do in another, too."""
    bare = number(str(placed.told.value).lstrip("<>=≤≥ "))
    urgent = answer.status in CRITICAL or answer.escalate == "emergency"
    if not urgent or len(result.assumed) != 1 or bare is None or not is_open(bare, test):
        return ""
    return f"No unit was told: it was taken as {result.assumed[0]}."


def _of_the_value(result: Result, test: Lab) -> dict[str, str]:
    """What is asked of a value that decides nothing as it is told, though all else is."""
    if test.expected is not None:
        return {"value": f"Was the {test.name} positive or negative? The number alone does not say."}
    if result.low != result.high:
        return {"value": f"What was the {test.name} exactly? As told it may lie on either side of a limit."}
    return {}


def _goal_band(goal: LabRange | None, told: bool, test: Lab, facts: Facts) -> LabBand | None:
    shown = band(goal, test, facts)
    return replace(shown, for_="as told") if told and shown is not None else shown


def _before_fasting_is_told(found: Stand, test: Lab, fasting: bool | None, facts: Facts) -> Stand:
    """Of what is out of range, fasting or not, but not far: how much it means depends on that, and it is asked."""
    bands = {row.fasting for row in ordinary(test, facts)}
    open_ = fasting is None and {True, False} <= bands
    if not open_ or found.status not in ("low", "high") or found.call != "none":
        return found
    return replace(found, needs=tuple(dict.fromkeys(("fasting", *found.needs))))


def _sample(placed: Placed, request: LabRequest, test: Lab, facts: Facts) -> Sample:
    """How the sample was drawn, where it is told."""
    told = _when(placed, request, facts) if test.drawn is not None and test.drawn.times else None
    time = test.drawn.time_at(told.hour) if told is not None and told.hour is not None and test.drawn is not None else None
    return Sample(_fasting(placed, request, facts), time)


def _fasting(placed: Placed, request: LabRequest, facts: Facts) -> bool | None:
    """Whether it was drawn fasting: as the line tells it, the request, or the name that the test was given."""
    if placed.told.fasting is not None:
        return placed.told.fasting
    return request.fasting if request.fasting is not None else facts.terms.result_lines.is_fasting(placed.told.test)


def _shows_pregnancy(result: Result, test: Lab) -> bool:
    """Whether a result says that she is pregnant, by its number or in its word."""
    if test.pregnant_days is None:
        return False
    by_number = test.pregnant_from is not None and result.low is not None and result.low >= test.pregnant_from
    return by_number or bool(result.word and result.word == test.pregnant_word)


def _of_a_pregnancy(q: Question, test: Lab) -> dict[str, str]:
    """What is asked where the question tells weeks that may be of a pregnancy, and the test has ranges of its own in one."""
    of_its_own = any(row.trimesters is not None for row in test.ranges)
    if q.weeks is None or not of_its_own or q.facts.pregnancy[0] is not None:
        return {}
    may_be = may_expect(q.facts.patient, q.facts.age, q.facts.library)
    return {"pregnancy": f"Is she {q.weeks} weeks pregnant? Another range holds then."} if may_be else {}


def _of_the_young(q: Question, test: Lab) -> dict[str, str]:
    """What is asked where the question tells that the patient is young, and the ranges of the test differ by age."""
    differ = any(row.from_age is not None or row.to_age is not None for row in test.ranges)
    return {"age": _ASKS["age"]} if q.young is not None and differ else {}


def _is_of_unknown_length(facts: Facts) -> bool:
    pregnancy = facts.pregnancy[0]
    untold = pregnancy is None or (pregnancy.present and pregnancy.weeks is None and pregnancy.trimester is None)
    return untold and facts.patient.sex != "male"


def _lacking(placed: Placed, result: Result, found: Stand, test: Lab, facts: Facts, request: LabRequest) -> dict[str, str]:
    """What decides on this result and is not told, with the question: when it was drawn, the test that corrects it."""
    lacks = {"value": f"Is it {placed.told.value}?"} if placed.told.heard else dict[str, str]()
    side = "low" if found.status in ("low", "critical_low") else "high" if found.status in _HIGH else ""
    if test.drawn is not None and (asked := _about_its_time(placed, found, side, test.drawn, request, facts)):
        lacks["time"] = asked
    if placed.told.alone and placed.told.alone not in (facts.results or {}):
        second = f"What was the {facts.library.lab[placed.told.alone].name}, the second number?"
        lacks["value"] = " ".join((*lacks.values(), second))
    if _shows_pregnancy(result, test) and _is_of_unknown_length(facts):
        lacks["pregnancy"] = _ASKS["pregnancy"]
    rule = test.corrected
    if rule is not None and rule.ask == side and not (facts.results or {}).get(rule.by):
        lacks[rule.by] = f"What was the {facts.library.lab[rule.by].name} of these days? It corrects this result."
    return lacks


def _about_its_time(placed: Placed, found: Stand, side: str, drawn: Drawn, request: LabRequest, facts: Facts) -> str:
    """What is asked of when a sample was drawn, or said where that was at another time; empty where it makes no difference."""
    open_ = found.status == "unknown"  # it may yet come out so
    open_ = open_ or _is_asked_whether_well(request, facts)
    wanted = {
        "any": True, "out": bool(side) or open_, "high": side == "high" or open_, "low": side == "low" or open_,
        "apart": "time" in found.needs,
    }  # fmt: skip
    told = _when(placed, request, facts)
    if _is_untimed(request, facts):
        return drawn.ask
    if told is None:
        return drawn.ask if wanted[drawn.of] else ""
    at_another = told.hour is not None and bool(drawn.times) and not drawn.time_at(told.hour)
    too_soon = told.after is not None and drawn.after is not None and not _lies_in(told.after, drawn.after)
    if too_soon or (at_another and (wanted[drawn.of] or open_)):
        return drawn.otherwise
    if at_another:
        return ""
    answered = told.hour is not None if drawn.times else told.timed
    as_it_ought = request.drawn == "" and drawn.of != "apart"
    return "" if answered or as_it_ought or not wanted[drawn.of] else drawn.ask


def _is_asked_whether_well(request: LabRequest, facts: Facts) -> bool:
    """Whether the line of text asks whether a level is as it ought to be, "lithium 0.9, fine?": the hour matters then."""
    lines = (request.case.patient.labs or ())[request.asked :]
    return any(one.as_written and facts.terms.result_lines.asks_whether_well(one.test) for one in lines)


def _is_untimed(request: LabRequest, facts: Facts) -> bool:
    """Whether the line of text says that nobody knows when the sample was drawn."""
    lines = (request.case.patient.labs or ())[request.asked :]
    return any(one.as_written and facts.terms.result_lines.is_untimed(one.test) for one in lines)


def _when(placed: Placed, request: LabRequest, facts: Facts) -> WhenDrawn | None:
    """When the sample was drawn, as the line tells it, the name that the test was given, or the request."""
    told = placed.told
    if told.timed or told.hour is not None:
        return WhenDrawn(told.timed, told.hour, told.after)
    if request.drawn is None:
        named = facts.terms.result_lines.drawn(told.test)
        return named if named.told else None
    said = facts.terms.result_lines.drawn(request.drawn)
    return WhenDrawn(said.hour is None or said.timed, said.hour, said.after)


def _lies_in(value: Decimal, ends: tuple[Decimal | None, Decimal | None]) -> bool:
    low, high = ends
    return (low is None or value >= low) and (high is None or value <= high)


def _correction(result: Result, test: Lab) -> LabCorrected | None:
    """What a result was before another test corrected it, and by which formula."""
    if not result.corrected or test.corrected is None or result.measured is None:
        return None
    formula = FORMULAS[test.corrected.formula]
    return LabCorrected(
        f"{plain(round(result.measured, 4).normalize())} {test.unit}", result.corrected, formula.name, formula.citation,
        formula.checked,
    )  # fmt: skip


def _is_newest(placed: Placed, test: Lab, facts: Facts) -> bool:
    return _newer(placed, test, facts) is None


def _newer(placed: Placed, test: Lab, facts: Facts) -> date | None:
    """The day of a newer usable result of the same test, if one is on file."""
    days = [r.on for r in facts.history.get(test.id, ()) if r.on is not None]
    newest = max(days, default=None)
    return newest if placed.told.on is not None and newest is not None and newest > placed.told.on else None


def _of_status(found: Stand, base: LabAnswer, *, far: bool) -> Escalation:
    """Whom a result brings in; what a medicine moved out of its range the clinician, as it will move on: a level of another
    medicine, or a result that is `far` out."""
    way = {"low": "lowers", "high": "raises"}.get(found.status)
    moved = {e.kind for e in base.medication_effects if e.direction == way}
    if ("level" in moved and found.call == "pharmacist") or ("adverse" in moved and far and found.call in ("none", "pharmacist")):
        return "clinician"
    if found.status in CRITICAL or found.surely_critical:
        return "emergency"
    return max("clinician" if found.maybe_critical else "none", found.call, key=LOUD.index)


def _rules(test: Lab, q: Question) -> list[Finding]:
    """What `check` says of a medicine because of this test, of the pregnancy it shows, or of the condition that it is."""
    entries = [(f, e) for f in q.report.every_finding if (e := q.checker.library.entry.get(f.rule)) is not None]
    shown = _conditions_shown(test, q.facts)
    return [f for f, e in entries if _because_of(test, e, shown, q.checker)]


def _rules_in_any_unit(placed: Placed, result: Result, test: Lab, q: Question) -> list[Finding]:
    """What rules say of results told without a unit, in whichever unit they are: "weight 181 on Friday, 188 today"."""
    told = [p.told for p in q.facts.told_results.results if p.test is test and not p.told.fault]
    found: list[list[Finding]] = []
    for unit in result.assumed if len(told) > 1 else ():
        labs = tuple(one if one.unit else replace(one, unit=unit) for one in told)
        case = replace(q.request.case, patient=replace(q.request.case.patient, labs=labs))
        found.append(_rules(test, replace(q, report=q.checker.check(case, q.facts.day))))
    each = [{f.rule for f in findings} for findings in found]
    return [f for f in found[0] if all(f.rule in rules for rules in each)] if found else []


def _pairs(test: Lab, found: Stand, q: Question) -> list[Finding]:
    """What `check` says of medicines together whose harm shows in a result that lies so, the gravest first.

    Of the level of a medicine only where it is one of them: "tacrolimus 34" beside clarithromycin.
    """
    side = found.status if found.status in (*CRITICAL, "high", "low") else found.off_goal
    if not side:
        return []
    harms = shown_in(test.id, "up" if side in _HIGH else "down", q.facts)
    of = {drug for row in test.ranges if row.kind == "therapeutic" for drug in of_range(row, q.facts)}
    told = [f for f in q.report.every_finding if f.kind == _INTERACTION and not harms.isdisjoint(f.harms)]
    named = [(f, {d for s in f.subjects for d in ([s.drug] if isinstance(s.drug, str) else s.drug or ())}) for f in told]
    return [f for f, drugs in named if not of or not of.isdisjoint(drugs)][:_MOST_PAIRS]


def _conditions_known(q: Question) -> frozenset[str]:
    """The conditions that the question tells, and those that results come to by themselves, with everything they are kinds of."""
    shown = (k for c, _ in Logic(q.facts).following for k in q.facts.library.condition[c].is_a)
    return q.conditions | frozenset(shown)


def _conditions_shown(test: Lab, facts: Facts) -> frozenset[str]:
    """The conditions that results of this test come to by themselves, with everything they are kinds of."""
    inferred = {i.id: i for i in facts.library.inferences if any(isinstance(x, LabLeaf) and x.test == test.id for x in i.when)}
    named = {c for i in inferred.values() for c in i.conditions}
    return frozenset(k for c, _ in Logic(facts).following if c in named for k in facts.library.condition[c].is_a)


def _because_of(test: Lab, entry: Entry, shown: frozenset[str], checker: Checker) -> bool:
    tests = checker.index.tests_of(entry)
    if test.role is not None and (tests.kidneys or any(checker.library.lab[side].role for side in tests.sides)):
        return True
    if test.id in tests.sides or (tests.pregnancy and test.pregnant_days is not None):
        return True
    return any(isinstance(leaf, HasLeaf) and not shown.isdisjoint(leaf.conditions) for leaf in asked_by(entry))


def _line(placed: Placed, result: Result, test: Lab, facts: Facts, request: LabRequest) -> list[Point]:
    """Every usable result of the test up to this one, one a day; those told before it without a day in the order told."""
    day = placed.told.on or facts.day
    told, undated, before = list[Point](), list[Point](), list[Point]()
    beside = placed.told.earlier
    for p in facts.told_results.results:
        if p.test is None or p.test.id != test.id or p is placed or p.told == placed.told:
            continue
        other = facts.result_of(p.told, test)
        if other.low is None or other.low != other.high:
            continue
        same_day = p.told.on == day and p.told.earlier and not beside
        if p.told.on is not None and p.told.on <= day and not same_day:
            if p.where == placed.where and undated:  # "4.6 in spring, then 5.0 in August, now 5.4" is told in order
                before, undated = [*before, *undated], []
            told.append(Point(p.told.on, other.low, p.where.among == "labs" and p.where.index in request.corrected))
        elif p.told.earlier and not beside:
            undated.append(Point(None, other.low))
    dated = {p.value for p in told}
    undated = [p for p in undated if p.value not in dated]  # told once more: "1.0, then 1.4, now 2.1" of what is on file
    before = [p for p in before if p.value not in dated]
    if result.low is None or result.low != result.high:
        return [*before, *points(told), *undated]
    return [*before, *points(p for p in told if p.on != day), *undated, Point(day, result.low)]


def _settled(found: Stand) -> LabRange | None:
    """The range that a result was held against, where it could be."""
    return found.row if found.status != "unknown" else None


def _in_one_unit(placed: Placed, test: Lab, facts: Facts) -> list[Point]:
    """The numbers of one line of which no unit is told: whichever it is, they rise or fall in it alike."""
    told = [p.told for p in facts.told_results.results if p.test is test and p.where == placed.where and not p.told.unit]
    now = placed.told.on or facts.day
    older = [one for one in told if one.earlier or (one.on is not None and one.on < now)]
    numbers = [number(str(one.value)) for one in (*sorted(older, key=lambda one: one.on or date.min), placed.told)]
    return [Point(None, value) for value in numbers if value is not None]


def _before(line: Sequence[Point], test: Lab, varies: Decimal | None) -> LabBefore | None:
    if len(line) < 2:
        return None
    last, now = line[-2], line[-1]
    change = {1: "higher", -1: "lower", 0: "no real change"}[changed(last.value, now.value, varies)]
    day = last.on.isoformat() if last.on is not None else ""
    return LabBefore(f"{plain(round(last.value, 4).normalize())} {test.unit}", day, change)  # type: ignore[arg-type]


def _heading(line: Sequence[Point], where: str, aim: LabRange | None) -> str:
    """Since when it rises or falls, and whether that leads toward its target or range, or out of it; of two points, that."""
    if where not in ("rising", "falling"):
        return ""
    since = f" since {line[0].on.isoformat()}" if line[0].on is not None else ""
    first, last = (_off(aim, point.value) for point in (line[0], line[-1]))
    toward = ", improving" if last < first else ", worsening" if last > first else ""
    return f"{where}{since}{toward}" + ("" if is_steady(line) else " (a change between two results, not a steady trend)")


def _off(aim: LabRange | None, value: Decimal) -> Decimal:
    """How far a value lies outside a range."""
    low, high = (aim.low, aim.high) if aim is not None else (None, None)
    return max(Decimal(0), low - value if low is not None else Decimal(0), value - high if high is not None else Decimal(0))
