"""A question about a result → its answer: unit, plausibility, urgency, range, direction, medicines, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from msgspec.structs import replace

from safety.answering.asked_results import Level, is_only_named, newest_of_each, prepared, told_before
from safety.answering.checker import Checker
from safety.formulas.corrections import FORMULAS
from safety.judging.candidates import asked_by
from safety.judging.conditions import Logic
from safety.knowledge.library import Entry, Gene, GeneLeaf, HasLeaf, Lab, LabLeaf, LabRange, LeafType
from safety.labs.effects import effects_on
from safety.labs.request import LabRequest
from safety.labs.standing import Stand, band, stand, target_of, within
from safety.labs.trend import Point, changed, points, trend
from safety.model.lab_answer import Escalation, LabAnswer, LabBefore, LabCorrected, LabFinding, LabStatus
from safety.model.patient import LabResult
from safety.model.position import Position
from safety.model.quantity import number, plain
from safety.model.report import Due, Finding, Report
from safety.reading.results.unsaid import unsaid
from safety.text import printable
from safety.understanding.facts import Facts
from safety.understanding.findings import KnownGene
from safety.understanding.results import Result, result_of
from safety.understanding.told_results import Placed

_LOUD: tuple[Escalation, ...] = ("none", "pharmacist", "clinician", "emergency")
_ASKS = {
    "fasting": "Was that fasting?", "age": "How old is the patient?", "sex": "Is the patient female or male?",
    "pregnancy": "In which week of pregnancy is the patient?",
}  # fmt: skip
_HIGH: tuple[LabStatus, ...] = ("high", "critical_high", "positive")
_OF_A_STATE: dict[str, LabStatus] = {
    "normal": "normal", "not_carried": "negative", "carried": "positive", "susceptible": "positive", "poor": "low",
    "intermediate": "low", "deficient": "low", "reduced": "low", "one_reduced": "low", "partial_deficiency": "low",
    "complete_deficiency": "low", "not_found": "negative", "rapid": "high", "ultrarapid": "high",
}  # fmt: skip
"""What the states of a gene come to beside results."""
_CRITICAL: tuple[LabStatus, ...] = ("critical_low", "critical_high")


def answer_lab(checker: Checker, request: LabRequest, day: date) -> LabAnswer:
    """The result that is asked about, with what was told beside it; without one, every result on file, newest first."""
    request, level = prepared(request, checker, day)
    facts = Facts(request.case, checker.terms, day)
    report = checker.check(request.case, day)
    placed = [p for p in facts.told_results.results if p.where.among == "labs"]
    asked = [p for p in placed if p.where.index >= request.asked and p.told.fault != "name"]
    named = [p for p in asked if p.test is not None]
    on_file = not named and request.asked == len(request.case.patient.labs or ())
    meant, older = newest_of_each(asked, facts)
    if is_only_named(named):
        meant = _newest_on_file({p.test.id for p in named if p.test is not None}, facts, day) or meant
    shown = (_on_file(facts, day) if on_file else meant if named else []) or asked
    answers = [_one(p, facts, report, request, checker) for p in shown]
    answers += [_of_a_gene(g, report, checker) for g in facts.findings.genes if _is_asked(g.where, request)]
    answers = [_of_a_level(level)] if level is not None and not named else answers
    due = checker.due(request.case, day) if on_file else []
    if not answers or (on_file and due):
        answers = [_nothing(request, due, answers), *answers] if due or not answers else answers
    symptoms = _symptoms(request, facts)
    answers = [_with_symptoms(answer, symptoms) for answer in answers] if symptoms else answers
    first = replace(answers[0], also=answers[1:], id=request.case.id, as_of=day.isoformat(), made_by=checker.made_by)
    notes = [*_beside(request, facts), *told_before(older)]
    notes += [f"none of ours: {_as_said(p)}" for p in facts.told_results.results if on_file and p.test is None]
    return replace(first, notes=[*first.notes, *notes])


def _beside(request: LabRequest, facts: Facts) -> list[str]:
    """What of the words asked about was not read, and what the speaker took back."""
    told = facts.told_results
    left = [text for text, where in told.left if where.index >= request.asked and not facts.terms.urgent_symptoms(text)]
    back = [text for text, where in told.taken_back if where.index >= request.asked]
    return [*(f"not read: {printable(text)}" for text in left), *(f"taken back: {printable(text)}" for text in back)]


def _symptoms(request: LabRequest, facts: Facts) -> list[str]:
    """What is told with a result, with which nobody waits."""
    asked_in = [one.test for one in (request.case.patient.labs or ())[request.asked :] if one.as_written]
    return list(dict.fromkeys(s for text in asked_in for s in facts.terms.urgent_symptoms(text)))


def _with_symptoms(answer: LabAnswer, symptoms: list[str]) -> LabAnswer:
    """A result that is told with what nobody waits with: out of range or not known, it is an emergency."""
    said = printable(", ".join(symptoms))
    if answer.status in ("normal", "negative"):
        escalate: Escalation = max(answer.escalate, "clinician", key=_LOUD.index)
        task = f"{answer.task} Told with it: {said}. This result does not explain that: call the clinician now."
        return replace(answer, escalate=escalate, task=task.strip())
    advice = [f.advice for f in answer.findings[:1]]
    task = " ".join(["Told with it:", f"{said}.", "Call 911 now.", *advice, answer.ask])
    return replace(answer, escalate="emergency", task=task.strip())


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
        _OF_A_STATE.get(known.state, "unknown"), findings=[_as_told(f) for f in rules], task=" ".join(said),
        escalate=_loudest("none", *(f.escalate for f in rules)), evidence=list(rules[0].evidence) if rules else [],
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


def _nothing(request: LabRequest, due: list[Due], on_file: list[LabAnswer]) -> LabAnswer:
    """No result is asked about: what the medicines need measured; without medicines, which result is meant."""
    if due:
        return _what_is_due(due, on_file)
    asked = (request.case.patient.labs or ())[request.asked :]
    text = printable(asked[0].test) if asked else ""
    ask = "Which test is it, and what was the value with its unit?"
    return LabAnswer(None, text, "", "unknown", needs=["test", "value"], ask=ask, task=ask)


def _what_is_due(due: list[Due], on_file: list[LabAnswer]) -> LabAnswer:
    """What is to be measured now, what could not be told, and how many results on file are out of their range."""
    now = [d for d in due if d.state == "due"]
    untold = [d for d in due if d.state == "not told"]
    said = [f"Measure: {'; '.join(_for_whom(d) for d in now)}."] if now else []
    said += [f"When was it last measured: {'; '.join(_for_whom(d) for d in untold)}?"] if untold else []
    if not said:
        said = ["Nothing is due: every test that these medicines need is on file and in time."]
    off = [a.name for a in on_file if a.status not in ("normal", "negative") and (a.ask or a.status != "unknown")]
    said += [f"On file and not normal: {', '.join(dict.fromkeys(off))}."] if off else []
    loudest = _loudest("none", *("pharmacist" for _ in now), *(a.escalate for a in on_file))
    return LabAnswer(
        None, "tests that are due", "", "unknown" if untold else "normal", due=due, escalate=loudest, task=" ".join(said),
        needs=["history"] if untold else [],
    )  # fmt: skip


def _for_whom(due: Due) -> str:
    return f"{due.name} ({', '.join(due.medicines)})"


def _as_said(placed: Placed) -> str:
    """A result as it was told, with its value and unit."""
    told = placed.told
    return printable(" ".join(str(part) for part in (told.test, told.value, told.unit) if part is not None))


def _on_file(facts: Facts, day: date) -> list[Placed]:
    """Every result on file, the most recent first; of one day in the order they were told in."""
    told = [p for p in facts.told_results.results if p.test is not None and (p.told.on is None or p.told.on <= day)]
    return sorted(told, key=lambda p: p.told.on or day, reverse=True)


def _one(placed: Placed, facts: Facts, report: Report, request: LabRequest, checker: Checker) -> LabAnswer:
    test, told = placed.test, placed.told
    if test is None:
        ask = "Which test is this? It is none of ours."
        return LabAnswer(
            None, printable(told.test), printable(f"{told.value or ''} {told.unit or ''}".strip()), "unknown", ask=ask, task=ask
        )
    result = facts.as_corrected(result_of(told, test, facts.terms), test)
    base = LabAnswer(
        test.id, test.name, _shown(result, test), "unknown", loinc=next(iter(test.loinc), None),
        worked_out=told.worked_out,
        on=told.on.isoformat() if told.on else None, medication_effects=effects_on(test.id, facts), 
        evidence=[c for c in test.evidence if set(c.supports) != {"codes"}],
    )  # fmt: skip
    if result.word:
        return _in_words(base, result, test, _rules(test, report, checker, facts) if _is_newest(placed, test, facts) else [])
    if result.fault is not None or told.fault:
        return _in_number_words(base, placed, test, facts) or _unusable(base, result, test, told.value, facts)
    return _judged(base, placed, result, test, facts, report, request, checker)


def _shown(result: Result, test: Lab) -> str:
    if len(result.assumed) > 1:
        return result.shown.partition(" (")[0]
    if result.low is None and result.high is None:
        return result.shown.rpartition(",")[0] if result.shown.endswith(", undated") else result.shown
    if result.low == result.high and result.low is not None:
        return f"{plain(round(result.low, 4).normalize())} {test.unit}"
    if result.low is not None and result.high is not None:
        return f"{plain(round(result.low, 4).normalize())} to {plain(round(result.high, 4).normalize())} {test.unit}"
    end = result.low if result.high is None else result.high
    return f"{'>' if result.high is None else '<'} {plain(round(end or Decimal(0), 4).normalize())} {test.unit}"


def _loudest(*told: str) -> Escalation:
    return next(one for one in reversed(_LOUD) if one in told)


def _in_words(base: LabAnswer, result: Result, test: Lab, rules: list[Finding]) -> LabAnswer:
    if result.word in ("indeterminate", "abnormal") or test.expected is None:
        return replace(base, value=result.word, ask="What does the laboratory's report say exactly?")
    ordinary = result.word in (test.expected, "normal")
    if ordinary:
        return replace(base, value=result.word, status="negative", task="As expected.")
    explained = [e for e in base.medication_effects if e.direction == "raises"]
    task = "Expected on " + ", ".join(e.name for e in explained) + "." if explained else "Report it to the clinician."
    calls = [row.call for row in test.ranges if row.kind == "intervention"]
    escalate: Escalation = "none" if any(e.intended for e in explained) else _loudest("clinician", *calls)
    if rules:
        task, escalate = rules[0].advice, _loudest(escalate, *(f.escalate for f in rules))
    disturbed = [f"{e.name}: {e.note}." for e in explained if e.kind == "assay"]
    return replace(
        base, value=result.word, status="positive", task=" ".join((task, *disturbed)), escalate=escalate,
        findings=[_as_told(f) for f in rules],
    )  # fmt: skip


def _unusable(base: LabAnswer, result: Result, test: Lab, value: object, facts: Facts) -> LabAnswer:
    """Asked about, never guessed: no number, a unit that does not fit, or a value that cannot be."""
    if result.fault == "unread" or result.fault is None:
        ask = f"What was the {test.name}, as a number with its unit?"
        return replace(base, status="unknown", needs=["value"], ask=ask, task=ask)
    bare = number(str(value).lstrip("<>=≤≥ ")) if value is not None else None
    fits = unsaid(bare, test).readings if bare is not None else ()
    if len(fits) == 1 and (result.fault == "unit" or fits[0][0] != test.unit):
        ask = f"Is it {plain(bare or Decimal(0))} {fits[0][0]}? As written it cannot be judged."
        return replace(
            base, status="implausible" if result.fault == "implausible" else "unknown", needs=["unit"], ask=ask, task=ask
        )
    ask = f"Is that the value, and the unit (in {test.unit})?"
    if result.fault == "unit":
        return replace(base, status="unknown", needs=["unit"], ask=ask, task=ask)
    task = "This is not plausible: measure or read it again now. If it is true, or the patient is unwell, call 911."
    return replace(base, status="implausible", needs=["value", "unit"], ask=ask, escalate="clinician", task=task)


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
    result = result_of(LabResult(test.name, value, read.unit), test, facts.terms)
    if result.fault is not None or result.word:
        return None
    found = stand(test, result, facts, read.fasting)
    critical = found.status in _CRITICAL or found.maybe_critical
    ask = f"Is it {digits}?"
    if_so = f" If it is, {test.name} is critical: call the clinician now; with symptoms call 911." if critical else ""
    call: Escalation = "clinician" if critical else "none"
    return replace(base, status="unknown", needs=["value"], ask=ask, task=ask + if_so, escalate=call)


def _judged(
    base: LabAnswer,
    placed: Placed,
    result: Result,
    test: Lab,
    facts: Facts,
    report: Report,
    request: LabRequest,
    checker: Checker,
) -> LabAnswer:
    found = stand(test, result, facts, _fasting(placed, request, facts))
    line = _line(placed, result, test, facts, request)
    where = trend(line, test.varies) if len(line) > 1 else "insufficient_history"
    if test.measures is not None and not test.ranges:
        task = f"Taken as the patient's {test.measures}, by which doses are judged; no range is held for it."
        return replace(base, task=task, trend=where, trend_words=_heading(line, where, None), previous=_before(line, test))
    lacks = _lacking(placed, found, test, facts, request)
    goal = target_of(test, facts)
    sources = {row.source for row in (found.row, found.limit, goal) if row is not None}
    rules = _rules(test, report, checker, facts) if _is_newest(placed, test, facts) else []
    open_unit = found.status == "unknown" and len(result.assumed) > 1
    unit = f"Is it in {' or '.join(result.assumed)}?" if open_unit else ""
    ask = " ".join(x for x in (*(_ASKS[n] for n in found.needs), unit, *lacks.values()) if x)
    escalate = _loudest(_of_status(found, base), *(f.escalate for f in rules))
    met = within(goal, result) if goal is not None else None
    answer = replace(
        base, status=found.status, range=band(found.row, test, facts), target=band(goal, test, facts), target_met=met,
        limit=band(found.limit, test, facts),
        trend=where, trend_words=_heading(line, where, goal or (found.row if found.status != "unknown" else None)),
        previous=_before(line, test), findings=[_as_told(f) for f in rules],
        needs=[*found.needs, *(["unit"] if open_unit else []), *lacks], ask=ask,
        corrected=_correction(result, test), escalate=escalate,
        evidence=[c for c in base.evidence if not sources or c.source in sources],
    )  # fmt: skip
    newer = _newer(placed, test, facts)
    if newer is not None:
        return replace(answer, escalate="none", ask="", needs=[], task=f"Superseded by the result of {newer}.")
    return replace(answer, task=_task(answer, found))


def _fasting(placed: Placed, request: LabRequest, facts: Facts) -> bool | None:
    """Whether it was drawn fasting: as the line tells it, the request, or the name that the test was given."""
    if placed.told.fasting is not None:
        return placed.told.fasting
    return request.fasting if request.fasting is not None else facts.terms.result_lines.is_fasting(placed.told.test)


def _lacking(placed: Placed, found: Stand, test: Lab, facts: Facts, request: LabRequest) -> dict[str, str]:
    """What decides on this result and is not told, with the question: when it was drawn, the test that corrects it."""
    lacks: dict[str, str] = {}
    side = "low" if found.status in ("low", "critical_low") else "high" if found.status in _HIGH else ""
    if test.drawn is not None and not (placed.told.timed or request.drawn):
        wanted = {"any": True, "out": bool(side), "high": side == "high", "low": side == "low"}[test.drawn.of]
        if wanted:
            lacks["time"] = test.drawn.ask
    if placed.told.alone and placed.told.alone not in (facts.results or {}):
        lacks["value"] = f"What was the {facts.library.lab[placed.told.alone].name}, the second number?"
    rule = test.corrected
    if rule is not None and rule.ask == side and not (facts.results or {}).get(rule.by):
        lacks[rule.by] = f"What was the {facts.library.lab[rule.by].name} of these days? It corrects this result."
    return lacks


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


def _of_status(found: Stand, base: LabAnswer) -> Escalation:
    """Whom a result brings in; a level that another medicine moved out of its range the clinician, as it will move on."""
    way = {"low": "lowers", "high": "raises"}.get(found.status)
    moved = any(e.kind == "level" and e.direction == way for e in base.medication_effects)
    if moved and found.call == "pharmacist":
        return "clinician"
    if found.status in _CRITICAL:
        return "emergency"
    return max("clinician" if found.maybe_critical else "none", found.call, key=_LOUD.index)


def _rules(test: Lab, report: Report, checker: Checker, facts: Facts) -> list[Finding]:
    """What `check` says of a medicine because of this test, of the pregnancy it shows, or of the condition that it is."""
    entries = [(f, e) for f in report.every_finding if (e := checker.library.entry.get(f.rule)) is not None]
    shown = _conditions_shown(test, facts)
    return [f for f, e in entries if _because_of(test, e, shown, checker)]


def _conditions_shown(test: Lab, facts: Facts) -> frozenset[str]:
    """The conditions that results of this test come to by themselves, with everything they are kinds of."""
    inferred = {i.id: i for i in facts.library.inferences if any(isinstance(x, LabLeaf) and x.test == test.id for x in i.when)}
    named = {c for i in inferred.values() for c in i.conditions}
    return frozenset(k for c, _ in Logic(facts).following if c in named for k in facts.library.condition[c].is_a)


def _because_of(test: Lab, entry: Entry, shown: frozenset[str], checker: Checker) -> bool:
    tests = checker.index.tests_of(entry)
    if test.id in tests.sides or (tests.pregnancy and test.pregnant_days is not None):
        return True
    return any(isinstance(leaf, HasLeaf) and not shown.isdisjoint(leaf.conditions) for leaf in asked_by(entry))


def _as_told(finding: Finding) -> LabFinding:
    named = ([s.drug] if isinstance(s.drug, str) else s.drug or () for s in finding.subjects)
    drugs = list(dict.fromkeys(drug for drugs in named for drug in drugs))
    return LabFinding(finding.rule, finding.severity, finding.title, finding.advice, drugs)


def _line(placed: Placed, result: Result, test: Lab, facts: Facts, request: LabRequest) -> list[Point]:
    """Every usable result of the test up to this one, one a day; those told before it without a day in the order told."""
    day = placed.told.on or facts.day
    told, undated = list[Point](), list[Point]()
    for p in facts.told_results.results:
        if p.test is None or p.test.id != test.id or p is placed or p.told == placed.told:
            continue
        other = result_of(p.told, test, facts.terms)
        if other.low is None or other.low != other.high:
            continue
        if p.told.on is not None and p.told.on <= day:
            told.append(Point(p.told.on, other.low, p.where.among == "labs" and p.where.index in request.corrected))
        elif p.told.earlier and not placed.told.earlier:
            undated.append(Point(None, other.low))
    if result.low is None or result.low != result.high:
        return [*points(told), *undated]
    return [*points(p for p in told if p.on != day), *undated, Point(day, result.low)]


def _before(line: Sequence[Point], test: Lab) -> LabBefore | None:
    if len(line) < 2:
        return None
    last, now = line[-2], line[-1]
    change = {1: "higher", -1: "lower", 0: "no real change"}[changed(last.value, now.value, test.varies)]
    day = last.on.isoformat() if last.on is not None else ""
    return LabBefore(f"{plain(round(last.value, 4).normalize())} {test.unit}", day, change)  # type: ignore[arg-type]


def _heading(line: Sequence[Point], where: str, aim: LabRange | None) -> str:
    """Since when it rises or falls; and whether that leads toward its target or range, or out of it."""
    if where not in ("rising", "falling"):
        return ""
    since = f" since {line[0].on.isoformat()}" if line[0].on is not None else ""
    first, last = (_off(aim, point.value) for point in (line[0], line[-1]))
    return f"{where}{since}" + (", improving" if last < first else ", worsening" if last > first else "")


def _off(aim: LabRange | None, value: Decimal) -> Decimal:
    """How far a value lies outside a range."""
    low, high = (aim.low, aim.high) if aim is not None else (None, None)
    return max(Decimal(0), low - value if low is not None else Decimal(0), value - high if high is not None else Decimal(0))


def _whom(a: LabAnswer, found: Stand) -> list[str]:
    """Whom to tell of a result that is not critical, and how soon."""
    how = a.status if a.status != "unknown" else "out of its limits"
    if found.call == "emergency":
        return [f"Call the clinician or poison control now: {a.name} is {how}."]
    if found.call == "clinician":
        return [f"Tell the clinician today: {a.name} is {how}."]
    return [f"Tell the clinician at the next contact: {a.name} is {a.status}."] if a.status != "unknown" else []


def _task(a: LabAnswer, found: Stand) -> str:
    said = []
    if a.status in _CRITICAL:
        said.append(f"Critical {a.name}: call the clinician responsible now; with symptoms call 911.")
    elif found.maybe_critical:
        said.append(f"It may be a critical {a.name}: call the clinician now if that cannot be settled; with symptoms call 911.")
    loud = a.findings[0].advice if a.findings else ""
    off_goal = not loud and a.target_met is False and a.target is not None
    if loud:
        said.append(loud)
    elif off_goal and a.target is not None:
        ends = (("at least", a.target.low), ("at most", a.target.high))
        goal = " and ".join(f"{word} {end}" for word, end in ends if end is not None)
        said.append(f"Tell the clinician: {a.name} is not at its goal of {goal} {a.target.unit}.")
    explained = [e for e in a.medication_effects if e.kind == "assay"]
    said += [f"{e.name} disturbs the test: {e.note}." for e in explained]
    way = {"high": "raises", "critical_high": "raises", "low": "lowers", "critical_low": "lowers"}.get(a.status)
    said += [f"{e.name} {e.direction} it ({e.note})." for e in a.medication_effects if e.direction == way and e.kind != "assay"]
    meant = [
        e
        for e in a.medication_effects
        if e.intended and way in ("raises", "lowers") and e.direction not in (way, "does not change")
    ]
    said += [f"{e.name} {e.direction} it ({e.note}): ask whether it is taken, and whether the dose is enough." for e in meant]
    milder = off_goal and found.call in ("none", "pharmacist")
    if a.status in ("high", "low", "unknown") and not loud and not found.maybe_critical and not milder:
        said += _whom(a, found)
    return " ".join(one[:1].upper() + one[1:] for one in dict.fromkeys([*said, a.ask])).strip()
