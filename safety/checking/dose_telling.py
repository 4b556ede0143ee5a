"""A judged dose in words an agent can act on: what is taken, what is right, what to do, and what to ask."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from safety.dosing import reported as r
from safety.dosing.adherence import Order, kind_of, shown
from safety.dosing.reported import Reported
from safety.dosing.statements_amounts import BARE
from safety.quantity import Quantity, plain
from safety.report import DoseLimit

_QUESTION = {
    "dose": "How much is taken each time (milligrams, or tablets and their strength)?",
    "frequency": "How many times a day is it taken?",
    "strength": "What strength is on the label of the tablets?",
    "timing": "At what time of the day is it taken?",
    "drug": "Which medicine is meant? Please spell the name on the label.",
    "prescription": "Who prescribed it, and how is it to be taken? It is not on the list of prescriptions.",
    "directions": "What does the prescription say: how much, how often?",
    "weight": "What is the patient's weight?",
    "age": "How old is the patient?",
    "limit": "What does the package say is the most in a day? No limit is held for this product.",
    "changed": "When was it changed, by whom, and to what? The prescription on file says otherwise.",
    "beside": "Is it taken beside the prescribed medicine, which is the same, or instead of it?",
    "today": "Was it taken today? If that is not certain, do not take another.",
    "why": "What made the bottle empty so early: were more taken than prescribed, or were some lost?",
}  # fmt: skip
_OFTEN = {Fraction(1): "once a day", Fraction(2): "twice a day", Fraction(1, 7): "once a week", Fraction(1, 2): "every other day"}
_WHAT = {
    "single": "{amount} at once, the {who} allows {limit} at once",
    "day": "{amount} in 24 hours, the {who} allows {limit} in 24 hours",
    "interval": "{amount} between doses, the {who} asks for {limit} between doses",
    "days": "{amount} of use, the {who} allows {limit}",
    "use": "the {who} does not allow it for this patient",
}  # fmt: skip
_WHO = {
    "label_limit": "label",
    "clinical_ceiling": "clinical ceiling",
    "toxic": "amount that poisons",
    "dose_range": "doses in use",
}
_HAPPENED = {
    r.FORGOTTEN: "misses doses of {name}", r.SKIPPED: "leaves out doses of {name}", r.IRREGULAR: "takes {name} only now and then",
    r.RAN_OUT: "has run out of {name}", r.STOPPED: "has stopped {name}", r.DOUBLE: "takes double doses of {name}",
    r.EXTRA: "takes, or may take, an extra dose of {name}", r.HALVED: "halves the tablets of {name}",
    r.HALF_DOSE: "takes half the dose of {name}", r.BROKEN_UP: "breaks, crushes or chews the {name}",
    r.BOTH_NAMES: "takes {name} under two names, brand and generic", r.LASTED_SHORT: "used up the supply of {name} too early",
    r.LASTED_LONG: "has {name} left of a supply that should be used up", r.MAKE_UP: "makes up for missed doses of {name}",
}  # fmt: skip
_DO = {
    "compensatory": "Never make up for a missed dose with a double one.",
    "extra-to-be-safe": "If it is not certain that a dose was taken, leave it out rather than take another.",
    "all-at-once": "The day's doses are not to be taken together.",
    "unit-slip ×1000": "It looks like one unit said for another: read the strength from the label before anything else.",
    "tenfold": "It looks like a slip of the decimal point: read the strength from the label before anything else.",
    "weekly-as-daily": "It is taken once a week; daily use can be dangerous.",
    "brand-and-generic": "Both names are the same medicine: only one of them is to be taken.",
    "split-extended-release": "This form must not be broken, crushed or chewed.",
    "wrong-strength": "Check the strength on the label against the prescription.",
    "ran-out": "Help to get the refill today.",
    "stopped": "Ask why, and tell the prescriber; do not restart on one's own after a long break.",
}  # fmt: skip


def often_in_words(times: tuple[Fraction, Fraction] | None) -> str:
    """A frequency as people say it."""
    if times is None:
        return ""
    low, high = times
    if low == high and high in _OFTEN:
        return _OFTEN[high]
    per, word = (1, "day") if high >= 1 else (7, "week")
    a, b = (_plain(v * per) for v in times)
    return f"{b if a == b else f'{a} to {b}'} times a {word}" if not (low == 0 and high) else f"up to {b} times a {word}"


def _plain(value: Fraction) -> str:
    from decimal import Decimal

    return plain((Decimal(value.numerator) / Decimal(value.denominator)).quantize(Decimal("0.01")).normalize())


def order_in_words(order: Order, told: str) -> str:
    """What is right, in the words of the prescription."""
    dose, often = shown(order.dose, order.unit), often_in_words(order.times)
    if not dose or not often:
        return told
    ceiling = " at most" if order.as_needed else ""
    return f"{dose} {often}{ceiling}" + (f" ({', '.join(order.slots)})" if order.slots else "")


def said_in_words(told: Reported, unit: str, name: str = "") -> str:
    """What is taken, as understood; with a name: "80 mg of NAME once a day"."""
    parts = []
    for intake in told.intakes:
        counted = unit if unit and kind_of(unit) in ("count", "stroke") else "tablet"
        amount = (_range(intake.dose, counted) or _range(intake.per_day, counted)).replace(BARE, unit or "mg")
        held = (
            f" of {plain(intake.strength.value)} {_unit(intake.strength.unit, unit)}" if intake.strength and intake.dose else ""
        )
        often = "a day" if intake.per_day else often_in_words(intake.times)
        if intake.at_least and often:
            often = "on one occasion" if amount else f"at least {often}"
        of = f" of {name}" if name and amount else f" {name}" if name else ""
        if amount or often:
            parts.append(" ".join(w for w in ((amount + held + of).strip(), often) if w))
        name = name if not parts else ""
    return ", and ".join(dict.fromkeys(p.strip() for p in parts))


def _unit(unit: str, instead: str) -> str:
    return (instead or "mg") if unit == BARE else unit


def _range(told: tuple[Quantity, Quantity] | None, counted: str = "tablet") -> str:
    if told is None:
        return ""
    low, high = (Quantity(q.value, q.unit or counted) for q in told)
    amount = plain(high.value) if low == high else f"{plain(low.value)} to {plain(high.value)}"
    if high.unit in ("tablet", "capsule", "pill", "puff", "drop", "spray") and high.value > 1:
        return f"{amount} {high.unit}s"
    return f"{amount} {high.unit}".strip()


def task_for(name: str, verdict: str, told: Reported, order: Order, prescribed: str, suspect: str | None) -> str:
    """What an agent has to know and do about a dose on prescription."""
    taken = said_in_words(told, order.unit, name)
    right = order_in_words(order, prescribed)
    does = [f"takes {taken}"] if taken else []
    happened = [_HAPPENED[e].format(name=name) for e in told.events if e in _HAPPENED]
    subject = " and ".join([*does, *happened][:3]) or f"takes {name}"
    if verdict == "CORRECT":
        return f"The patient takes {name} as prescribed: {right}. Nothing to correct."
    if verdict == "UNKNOWN":
        return f"It is not clear how the patient takes {name}. The prescription is {right}. Ask before advising."
    word = "more than" if verdict == "HIGH" else "at another time than" if suspect == "wrong-time" else "less than"
    then = _DO.get(suspect or "", "Tell the patient the right dose.")
    return f"The patient {subject}: {word} prescribed. The prescription is {right}. {then}"


def task_for_limits(name: str, verdict: str, limits: Sequence[DoseLimit], escalate: str) -> str:
    """What an agent has to know and do about a dose that was bought."""
    over = [x for x in limits if x.exceeded]
    if verdict == "HIGH" and over:
        said = []
        for x in _telling(over):
            if x.tier == "toxic":
                said.append(f"{x.amount}, and {x.limit} can poison")
                continue
            said.append(_WHAT[x.kind].format(amount=x.amount or "an amount", limit=x.limit, who=_WHO.get(x.tier, "label")))
        last = {"emergency": "Call emergency help or poison control now.", "clinician": "Call in a nurse or doctor.",
                "pharmacist": "Tell the patient to stay within it, and have a pharmacist look at it."}  # fmt: skip
        return f"The patient takes too much {name}: {'; '.join(said)}. {last.get(escalate, last['pharmacist'])}"
    if verdict == "CORRECT":
        return f"The {name} is within its label and ceiling. Nothing to correct."
    return f"Whether the {name} is within its limits is not clear. Ask before advising."


def _telling(over: Sequence[DoseLimit]) -> list[DoseLimit]:
    """At most one limit of each tier, the day's first."""
    kept: dict[str, DoseLimit] = {}
    for x in over:
        kept.setdefault(x.tier, x)
    return list(kept.values())


def ask_for(needs: Sequence[str], extra: str = "") -> str:
    """The questions that would settle it, at most three."""
    asked = [extra] if extra else []
    asked += [_QUESTION[n] if n in _QUESTION else f"What is known of {n.partition('.')[2] or n}?" for n in needs[:3]]
    return " ".join(dict.fromkeys(asked))
