"""What is said of a result: what to do, and whom to bring in."""

from __future__ import annotations

from msgspec.structs import replace

from safety.labs.standing import Stand
from safety.model.lab_answer import Escalation, LabAnswer, LabFinding, LabStatus
from safety.model.report import Finding
from safety.text import printable

LOUD: tuple[Escalation, ...] = ("none", "pharmacist", "clinician", "emergency")
_PAIRS_TOLD = 2
CRITICAL: tuple[LabStatus, ...] = ("critical_low", "critical_high")


def with_symptoms(answer: LabAnswer, symptoms: list[str]) -> LabAnswer:
    """A result that is told with what nobody waits with: out of range or not known, it is an emergency."""
    said = printable(", ".join(symptoms))
    if answer.status in ("normal", "negative"):
        escalate: Escalation = max(answer.escalate, "clinician", key=LOUD.index)
        task = f"{answer.task} Told with it: {said}. This result does not explain that: call the clinician now."
        return replace(answer, escalate=escalate, task=task.strip())
    advice = [f.advice for f in answer.findings[:1]]
    task = " ".join(["Told with it:", f"{said}.", "Call 911 now.", *advice, answer.ask])
    return replace(answer, escalate="emergency", task=task.strip())


def with_symptoms_for_today(answer: LabAnswer, symptoms: list[str]) -> LabAnswer:
    """A result that is told with what is seen the same day: the clinician hears of both today."""
    said = printable(", ".join(symptoms))
    by_itself = " This result does not explain that:" if answer.status in ("normal", "negative") else ""
    task = f"{answer.task} Told with it: {said}.{by_itself} {'tell' if by_itself else 'Tell'} the clinician today."
    return replace(answer, escalate=max(answer.escalate, "clinician", key=LOUD.index), task=task.strip())


def of_a_spoilt_sample(answer: LabAnswer) -> LabAnswer:
    """A result of a sample that is told to be no good: measured again at once, and acted on meanwhile where it is critical."""
    if answer.status in ("normal", "negative"):
        again = "The sample was told to be no good: measure again on a fresh one before relying on it."
    else:
        again = "The sample was told to be no good: measure again on a fresh one now, and do not wait if the patient is unwell."
    return replace(answer, task=f"{answer.task} {again}".strip())


def loudest(*told: str) -> Escalation:
    """The most urgent of several calls."""
    return next(one for one in reversed(LOUD) if one in told)


def as_told(finding: Finding) -> LabFinding:
    """A finding as it is told beside a result: the rule, how bad, the advice, and the medicines it is about."""
    named = ([s.drug] if isinstance(s.drug, str) else s.drug or () for s in finding.subjects)
    drugs = list(dict.fromkeys(drug for drugs in named for drug in drugs))
    return LabFinding(finding.rule, finding.severity, finding.title, finding.advice, drugs)


def _whom(a: LabAnswer, found: Stand, poison: bool) -> list[str]:
    """Whom to tell of a result that is not critical, and how soon; of a level of a medicine also poison control."""
    how = a.status if a.status != "unknown" else "out of its limits"
    if found.call == "emergency":
        also = " or poison control" if poison else ""
        return [f"Call the clinician{also} now: {a.name} is {how}{'' if poison else '; with symptoms call 911'}."]
    if found.call == "clinician":
        return [f"Tell the clinician today: {a.name} is {how}."]
    return [f"Tell the clinician at the next contact: {a.name} is {a.status}."] if a.status != "unknown" else []


def task_of(a: LabAnswer, found: Stand, rules: int, *, poison: bool = False) -> str:
    """What to do about a result, the most urgent first, and what is asked; so many of its findings are about it alone.

    `poison`: it is the level of a medicine.
    """
    said = []
    if a.status in CRITICAL or found.surely_critical:
        said.append(f"Critical {a.name}: call the clinician responsible now; with symptoms call 911.")
    elif found.maybe_critical:
        said.append(f"It may be a critical {a.name}: call the clinician now if that cannot be settled; with symptoms call 911.")
    loud = a.findings[0].advice if rules else ""
    off_goal = not loud and a.target_met is False and a.target is not None
    if loud:
        said.append(loud)
    elif off_goal and a.target is not None:
        ends = (("at least", a.target.low), ("at most", a.target.high))
        goal = " and ".join(f"{word} {end}" for word, end in ends if end is not None)
        said.append(f"Tell the clinician: {a.name} is not at its goal of {goal} {a.target.unit}.")
    pairs = list(dict.fromkeys(pair.title for pair in a.findings[rules:]))[:_PAIRS_TOLD]
    said += [f"It may come of, or be worse for: {'; '.join(pairs)}."] if pairs else []
    said += [pair.advice for pair in a.findings[:1]] if pairs and not rules else []
    explained = [e for e in a.medication_effects if e.kind == "assay"]
    said += [f"{e.name} disturbs the test: {e.note}." for e in explained]
    at_goal = a.target_met is True and a.target is not None and found.call == "none" and a.status in ("high", "low")
    if at_goal and not loud:
        said.append(f"At its goal{' as told' if a.target is not None and a.target.for_ == 'as told' else ''}.")
    side = "" if at_goal else a.status if a.status != "normal" else found.off_goal
    way = {"high": "raises", "critical_high": "raises", "low": "lowers", "critical_low": "lowers"}.get(side)
    said += [f"{e.name} {e.direction} it ({e.note})." for e in a.medication_effects if e.direction == way and e.kind != "assay"]
    meant = [
        e
        for e in a.medication_effects
        if e.intended and way in ("raises", "lowers") and e.direction not in (way, "does not change")
    ]
    said += [f"{e.name} {e.direction} it ({e.note}): ask whether it is taken, and whether the dose is enough." for e in meant]
    milder = off_goal and found.call in ("none", "pharmacist")
    if a.status in ("high", "low", "unknown") and not loud and not (found.maybe_critical or milder or at_goal):
        said += _whom(a, found, poison)
    return " ".join(one[:1].upper() + one[1:] for one in dict.fromkeys([*said, a.ask])).strip()
