"""A judged dose in words an agent can act on: what is taken, what is right, what to do, and what to ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec.structs import replace

from safety.adherence.axes import Order, kind_of, shown
from safety.adherence.limit import JudgedLimit
from safety.model import events as r
from safety.model.directions import times_in_words
from safety.model.quantity import Quantity, plain
from safety.reading.spoken.amounts import BARE
from safety.reading.spoken.reported import Regimen, Reported

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
    "patient": "Is that what the patient takes, or somebody else?",
    "route": "Is it swallowed, injected, or put on the skin?",
    "unit": "How many milligrams is that, or how many tablets and of what strength?",
    "why": "What made the bottle empty so early: were more taken than prescribed, or were some lost?",
}  # fmt: skip
_WHO = {
    "label_limit": "the label allows {limit}",
    "clinical_ceiling": "the clinical ceiling is {limit}",
    "toxic": "{limit} can poison",
    "dose_range": "the most in use is {limit}",
}
_KINDS = {"single": "at once", "day": "in 24 hours", "interval": "between doses", "days": "of use"}
_HAPPENED = {  # with the name; without it, as a second clause
    r.DOUBLE: ("takes double doses of {name}", "doubles doses"),
    r.BOTH_NAMES: ("takes {name} under two names, brand and generic", "takes it under two names, brand and generic"),
    r.MAKE_UP: ("makes up for missed doses of {name}", "makes up for missed ones"),
    r.EXTRA: ("takes, or means to take, an extra dose of {name}", "takes, or means to take, an extra dose"),
    r.SECOND: ("takes a second dose of {name}", "takes a second dose"),
    r.THIRD: ("takes another dose of {name} than the ones ordered", "takes another dose than the ones ordered"),
    r.LASTED_SHORT: ("used up the supply of {name} too early", "used up the supply too early"),
    r.BROKEN_UP: ("breaks, crushes or chews {name}", "breaks, crushes or chews it"),
    r.MORE_DOSE: ("takes more {name} at a time than ordered", "takes more at a time"),
    r.MORE_OFTEN: ("takes {name} more often than ordered", "takes it more often"),
    r.FORGOTTEN: ("misses doses of {name}", "misses doses"), r.SKIPPED: ("leaves out doses of {name}", "leaves out doses"),
    r.RAN_OUT: ("has run out of {name}", "has run out"), r.STOPPED: ("has stopped taking {name}", "has stopped"),
    r.IRREGULAR: ("takes {name} only now and then", "takes it only now and then"),
    r.HALVED: ("halves the tablets of {name}", "halves the tablets"),
    r.HALF_DOSE: ("takes half the dose of {name}", "takes half"),
    r.LASTED_LONG: ("still has {name} from a supply that should be used up", "has some left that should be used up"),
    r.LESS_DOSE: ("takes less {name} at a time than ordered", "takes less at a time"),
    r.LESS_OFTEN: ("takes {name} less often than ordered", "takes it less often"),
}  # fmt: skip
_TOO_MUCH = (r.DOUBLE, r.BOTH_NAMES, r.MAKE_UP, r.EXTRA, r.SECOND, r.THIRD, r.LASTED_SHORT, r.BROKEN_UP, r.MORE_DOSE,
             r.MORE_OFTEN)  # fmt: skip
_DO = {
    "compensatory": "Never make up for a missed dose with a double one",
    "extra-to-be-safe": "If it is not certain that a dose was taken, leave it out rather than take another",
    "extra-dose": "No dose is to be added without the prescriber's word",
    "double-dose": "Leave it at the prescribed dose from now on, and ask how the patient feels",
    "all-at-once": "The day's doses are not to be taken together",
    "unit-slip ×1000": "It looks like one unit said for another: read the strength from the label before anything else",
    "tenfold": "It looks like a slip of the decimal point: read the strength from the label before anything else",
    "weekly-as-daily": "It is a weekly medicine, and taking it daily can be dangerous: no more until a clinician has decided",
    "brand-and-generic": "Both names are the same medicine: only one of them is to be taken",
    "split-extended-release": "This form must not be broken, crushed or chewed",
    "wrong-strength": "Check the strength on the label against the prescription",
    "half-tablet": "Check the strength on the label, and ask why the tablets are halved",
    "wrong-time": "Ask why, and tell the prescribed time",
    "exceeds-prn-maximum": "That is beyond the most that is allowed in a day: ask how bad the complaint is",
    "supply-short": "Ask what became of the rest: taken, lost or given away",
    "supply-left-over": "Ask which doses are left out, and why",
    "forgotten": "Ask what would help to remember", "skipped": "Ask why, and tell the prescribed dose",
    "irregular": "Ask why, and tell the prescribed dose", "ran-out": "Help to get the refill today",
    "stopped": "Ask why, and tell the prescriber; do not restart after a long break without the prescriber's word",
    "daily-as-weekly": "It is a daily medicine: tell the prescribed dose",
}  # fmt: skip
_CALL = {
    "emergency": "Call emergency help or poison control now.", "clinician": "Let a nurse or doctor know today.",
    "pharmacist": "Let a pharmacist know.",
}  # fmt: skip
_PIECES = ("tablet", "capsule", "pill", "puff", "drop", "spray", "unit", "dose")
_ONCE = (Fraction(1), Fraction(1))
_PARTS_OF_DAY = {
    "morning": "in the morning", "noon": "at noon", "afternoon": "in the afternoon", "evening": "in the evening",
    "night": "at night",
}  # fmt: skip


def order_in_words(order: Order, told: str) -> str:
    """What is right: "40 mg twice a day", "5 mg up to 4 times a day as needed"; else the prescription's own words."""
    dose, often = shown(order.dose, order.unit), times_in_words(order.times)
    if dose and order.as_needed and order.times is None and order.per_day is not None:
        return f"{dose} as needed, at most {shown((order.per_day[1],) * 2, order.unit)} a day"
    if not dose or not often:
        return f"“{told}”"
    when = _parts(order.slots) if order.times is not None and order.times[1] == len(order.slots) else ""
    return " ".join(w for w in (dose, often if len(order.slots) < 2 or not when else "", when) if w) + (
        " as needed" if order.as_needed else ""
    )


def _parts(slots: Sequence[str]) -> str:
    return " and ".join(_PARTS_OF_DAY[s] for s in slots if s in _PARTS_OF_DAY)


def said_in_words(told: Reported, unit: str, name: str = "") -> str:
    """What is taken, as understood; with a name: "80 mg of NAME once a day"."""
    parts = [_regimen_in_words(i, unit, name if not n else "") for n, i in enumerate(_as_one(told.regimens))]
    return ", and ".join(dict.fromkeys(p for p in parts if p))


def _as_one(regimens: tuple[Regimen, ...]) -> tuple[Regimen, ...]:
    """The same dose told of several days is one way of taking it: "10 mg on Mondays and on Thursdays"."""
    first = regimens[0] if regimens else Regimen()
    if len(regimens) < 2 or any(i.times is None or i.slots or i.dose is None or i.dose != first.dose for i in regimens):
        return regimens
    low, high = (sum((i.times[n] for i in regimens if i.times), Fraction(0)) for n in (0, 1))
    return (replace(first, times=(low, high)),)


def _regimen_in_words(regimen: Regimen, unit: str, name: str = "") -> str:
    """One way of taking it in words; empty where neither amount nor frequency was told."""
    counted = unit if unit and kind_of(unit) in ("count", "stroke") else "tablet"
    amount = _range(regimen.dose, counted) or _range(regimen.per_day, counted)
    amount = amount.replace(BARE, unit).strip() if unit or BARE not in amount else amount.replace(BARE, "(unit not said)")
    held = _held(regimen, unit, name)
    once = regimen.times == _ONCE and regimen.slots and not regimen.at_least
    often = "a day" if regimen.per_day else _parts(regimen.slots[:1]) if once and len(regimen.slots) == 1 else ""
    if not often and regimen.times is not None and regimen.times[1]:
        often = times_in_words(regimen.times)
    if regimen.at_least and often:
        often = "on one occasion" if amount else f"at least {often}"
    of = f" of {name}{held}" if name and amount else f" {name}" if name else held
    return " ".join(w for w in ((amount + of).strip(), often) if w) if amount or often else ""


def _held(regimen: Regimen, unit: str, name: str) -> str:
    """What one piece holds, where a number of pieces was told."""
    if regimen.strength is None or regimen.dose is None:
        return ""
    strength = f"{plain(regimen.strength.value)} {_unit(regimen.strength.unit, unit)}"
    return f" of {strength}" if not name else f" ({strength} each)" if regimen.dose[1].value > 1 else f" ({strength})"


def _unit(unit: str, instead: str) -> str:
    return (instead or "mg") if unit == BARE else unit


def _range(told: tuple[Quantity, Quantity] | None, counted: str = "tablet") -> str:
    if told is None:
        return ""
    low, high = (Quantity(q.value, q.unit or counted) for q in told)
    amount = plain(high.value) if low == high else f"{plain(low.value)} to {plain(high.value)}"
    if high.unit in _PIECES and amount == "0.5":
        return f"half a {high.unit}"
    if high.unit in _PIECES and high.value > 1:
        return f"{amount} {high.unit}s"
    return f"{amount} {high.unit}".strip()


def task_for(name: str, verdict: str, told: Reported, order: Order, prescribed: str, suspect: str | None, call: str) -> str:
    """What an agent has to know and do about a dose on prescription: what is taken, what is right, what to do."""
    right = order_in_words(order, prescribed)
    if verdict == "CORRECT" and order.as_needed:
        return f"The patient takes {name} within what is prescribed, {right}. Nothing to correct."
    if verdict == "CORRECT":
        return f"The patient takes {name} as prescribed, {right}. Nothing to correct."
    if verdict == "UNKNOWN":
        return f"It is not clear how the patient takes {name}; {right} is prescribed. Ask before advising."
    then = _DO.get(suspect or "", "Tell the prescribed dose")
    last = f" {_CALL[call]}" if verdict == "HIGH" and call in _CALL else ""
    return f"The patient {_subject(name, verdict, told, order)}; {right} is prescribed. {then}.{last}"


def _subject(name: str, verdict: str, told: Reported, order: Order) -> str:
    """What the patient does: the amounts where they were told, and what is said to have happened."""
    amounts = any(i.dose is not None or i.per_day is not None for i in told.regimens)
    fitting, events = _events(verdict, told, order, amounts=amounts)
    taken = _taken(name, told, order)
    past = any(i.at_least for i in told.regimens)
    clauses = [f"{'took' if past and amounts else 'takes'} {taken}"] if taken and (amounts or not fitting) else []
    for e in events[: 2 - len(clauses)]:
        clauses.append(_HAPPENED[e][1] if clauses else _HAPPENED[e][0].format(name=name))
    return " and ".join(clauses) or f"takes {name} otherwise"


def _events(verdict: str, told: Reported, order: Order, *, amounts: bool) -> tuple[bool, list[str]]:
    """What is said to have happened, what fits the verdict first (and whether anything does), nothing said twice over."""
    events = [e for e in told.events if e in _HAPPENED and (e != r.BROKEN_UP or order.extended)]
    fitting = [e for e in events if (e in _TOO_MUCH) == (verdict == "HIGH")]
    over: set[str] = set()
    if r.LASTED_SHORT in events:
        over |= {r.RAN_OUT}
    if r.EXTRA in events or r.DOUBLE in events:
        over |= {r.SECOND, r.THIRD}
    if amounts:
        over |= {r.MORE_DOSE, r.LESS_DOSE, r.MORE_OFTEN, r.LESS_OFTEN}
    return bool(fitting), [e for e in dict.fromkeys((*fitting, *events)) if e not in over]


def _taken(name: str, told: Reported, order: Order) -> str:
    """The amounts in words; of a medicine that is not taken daily, "every day" is said for "once a day"."""
    taken = said_in_words(told, order.unit, name)
    if order.times is not None and order.times[1] <= Fraction(1, 2):
        for daily, plainly in (("once a day", "every day"), ("in the morning", "every morning"), ("at night", "every night")):
            taken = taken.replace(daily, plainly)
    return taken


def task_for_limits(name: str, verdict: str, limits: Sequence[JudgedLimit], call: str, names: Mapping[str, str]) -> str:
    """What an agent has to know and do about a dose that was bought; `names` says what each ingredient is called."""
    over = [x for x in limits if x.exceeded]
    if verdict == "HIGH" and over:
        drugs = list(dict.fromkeys(x.drug for x in over))[:2]
        said = " ".join(_over(names.get(d, name), [x for x in over if x.drug == d]) for d in drugs)
        stay = " Tell the patient to stay within the label." if call == "pharmacist" else ""
        return f"{said}{stay} {_CALL.get(call, '')}".strip()
    verb = "are" if " and " in name else "is"
    if verdict == "CORRECT":
        return f"{name} {verb} taken within the limits of label and ceiling. Nothing to correct."
    return f"It is not clear whether {name} {verb} taken within the label's limits. Ask before advising."


def _over(name: str, over: Sequence[JudgedLimit]) -> str:
    """One ingredient's limits that are exceeded, of the most telling kind, each tier once, smaller limits first."""
    kind = next(k for k in ("use", "day", "single", "interval", "days") if any(x.kind == k for x in over))
    mine = [x for x in over if x.kind == kind]
    if kind == "use":
        return f"The patient takes {name}, which the label does not allow for this patient."
    if kind == "interval":
        return f"The patient leaves {mine[0].taken} between doses of {name}; {mine[0].allowed} is the least."
    tiers: dict[str, list[str]] = {}
    for x in mine:
        tiers.setdefault(x.tier, []).append(x.allowed)
    told = [_WHO.get(tier, _WHO["label_limit"]).format(limit=_either(found)) for tier, found in tiers.items()]
    if kind == "days":
        return f"The patient has taken {name} for {mine[0].taken}; {' and '.join(told)}."
    limits = f"{', '.join(told[:-1])} and {told[-1]}" if told[1:] else told[0]
    return f"The patient takes {mine[0].taken} of {name} {_KINDS[kind]}; {limits}."


def _either(limits: Sequence[str]) -> str:
    """One limit, or several of different products: the smallest first as they are written."""
    found = sorted(dict.fromkeys(limits), key=lambda w: (len(w), w))
    return found[0] if len(found) == 1 else f"{' or '.join(found)}, by the use on the package"


def ask_for(needs: Sequence[str], extra: str = "") -> str:
    """The questions that would settle it, at most three."""
    asked = [extra] if extra else []
    asked += [_QUESTION[n] if n in _QUESTION else f"What is known of {n.partition('.')[2] or n}?" for n in needs[:3]]
    return " ".join(dict.fromkeys(asked))
