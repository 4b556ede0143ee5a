"""What to say of a dose that leaves its range: title, why, what to do, whom to call."""

from __future__ import annotations

from msgspec import Struct

from safety.judging.judgement import DoseFound, Judgement

_LIMIT = {
    ("HIGH", "single"): "the most is {bound}",
    ("HIGH", "day"): "the most is {bound}",
    ("HIGH", "interval"): "at least {bound} are needed",
    ("HIGH", "days"): "it is for at most {bound}",
    ("LOW", "single"): "the least in use is {bound}",
    ("LOW", "day"): "the least in use is {bound}",
    ("LOW", "interval"): "it is taken at least every {bound}",
    ("LOW", "days"): "it is taken for at least {bound}",
}
_SUSPECT = {
    "tenfold": "It looks like a tenfold slip: check the decimal point and the strength.",
    "unit-slip ×1000": "It looks like a slip of unit (mg for mcg, or g for mg): check the unit.",
    "weekly-as-daily": "It looks as if a weekly dose were taken daily: check the day of the week.",
}


_TOO_MUCH = "More than this has not been shown to help, and harm rises with the dose."
_TOO_LITTLE = "Less than this is not expected to work."


class DoseTexts(Struct, frozen=True):
    """The words of one finding about a dose."""

    title: str
    why: str
    harms: tuple[str, ...]
    harm: str
    do: str
    advice: str
    escalate: str


def dose_texts(j: Judgement, drug: str) -> DoseTexts:
    """The words for a judgement that a dose is too high or too low; `drug` is its name."""
    found = j.dose
    assert found is not None
    assert j.entry.doses is not None
    high = found.direction == "HIGH"
    limit = _LIMIT[found.direction, found.axis].format(bound=found.bound_alone)
    title = f"{drug.capitalize()} {found.told}: {limit}"
    why = found.why or (
        "More than this has not been shown to help, and harm rises with the dose."
        if high
        else "Less than this is not expected to work."
    )
    table = j.entry.doses
    harms, harm = (j.entry.harms, j.entry.harm) if high else (table.harms_low, table.harm_low)
    urgent = j.severity in ("contraindicated", "major")
    escalate = "clinician" if high and urgent else "pharmacist"
    return DoseTexts(title, why, harms, harm, _do(found), _advice(found, drug, high), escalate)


def _do(found: DoseFound) -> str:
    if found.gross or found.suspect:
        return "ask"
    if found.axis == "interval":
        return "separate" if found.direction == "HIGH" else "ask"
    return "reduce" if found.direction == "HIGH" else "increase"


def _advice(found: DoseFound, drug: str, high: bool) -> str:
    slip = _SUSPECT.get(found.suspect, "")
    if found.gross:
        return f"Do not give this dose of {drug} before the prescriber has confirmed it. {slip}".strip()
    if slip:
        return f"{slip} Confirm the dose of {drug} with the prescriber."
    limit = found.bound_alone
    if found.axis == "interval":
        if high:
            return f"Leave at least {limit} between doses of {drug}, or confirm with the prescriber."
        return f"Confirm how often {drug} is meant to be taken: usually at least every {limit}."
    if found.axis == "days" and high:
        return f"Take {drug} for no longer than {limit} without a prescriber's word."
    if found.axis == "days":
        return f"Confirm the length of the course of {drug}: at least {limit}."
    bound = found.bound
    if high:
        return f"Bring {drug} down to at most {bound}, or confirm with the prescriber that more is meant."
    return f"Confirm with the prescriber that so little {drug} is meant; usual treatment is at least {bound}."
