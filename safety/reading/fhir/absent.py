"""Codes and words by which a record says that there is none of something, or that it does not know."""

from __future__ import annotations

from typing import Literal

from safety.reading.fhir.values import codes, words
from safety.text import fold

Of = Literal["allergy", "problem", "medication"]
Said = Literal["none", "not told", ""]

# SNOMED CT, and the International Patient Summary's code system absent-unknown-uv-ips
_NONE: dict[Of, set[str]] = {
    "allergy": {
        "716186003",  # no known allergy
        "160244002",  # no known allergies (retired)
        "409137002",  # no known drug allergy
        "no-known-allergies",
        "no-known-medication-allergies",
    },
    "problem": {"160245001", "no-known-problems"},  # no current problems or disability
    "medication": {"no-known-medications"},
}
_NOT_TOLD: dict[Of, set[str]] = {
    "allergy": {
        "428607008",  # no known environmental allergy
        "429625007",  # no known food allergy
        "716220001",  # no known animal allergy
        "no-allergy-info",
        "no-known-environmental-allergies",
        "no-known-food-allergies",
    },
    "problem": {"no-problem-info"},
    "medication": {"no-medication-info"},
}
_SHORT = {"nka", "nkda", "nkma", "none"}  # "no known (drug, medication) allergies"
_FILLERS = {"no", "known", "active", "current", "any", "to", "on", "file", "reported", "recorded"}
_NOUNS: dict[Of, set[str]] = {
    "allergy": {"allergy", "allergies", "drug", "drugs", "medication", "medications", "medicine", "medicines"},
    "problem": {"problem", "problems"},
    "medication": {"medication", "medications", "medicine", "medicines"},
}
_ONLY_DRUGS = {"409137002", "no-known-medication-allergies"}


def absent(concept: object, of: Of) -> Said:
    """`none` if it says there is none (of allergies: none to medicines, at least); `not told` if it tells nothing.

    Words count only if all of them say so: `NKDA`, `No known drug allergies`, but not `no known allergy to latex`.
    """
    given = {code.code for code in codes(concept)}
    if given & _NONE[of]:
        return "none"
    if given & _NOT_TOLD[of]:
        return "not told"
    told = fold(words(concept)).split()
    if not told or (told[0] != "no" and told[0] not in _SHORT):
        return ""
    about = told[0] in _SHORT - {"none"} or bool(set(told) & _NOUNS[of]) or told in (["none"], ["none", "known"])
    return "none" if about and set(told) <= _SHORT | _FILLERS | _NOUNS[of] else ""


def only_of_drugs(concept: object) -> bool:
    """Whether "none known" is said of drug allergies only, so that a food allergy does not contradict it."""
    if any(code.code in _ONLY_DRUGS for code in codes(concept)):
        return True
    return bool(set(fold(words(concept)).split()) & (_NOUNS["medication"] | {"drug", "drugs", "nkda", "nkma"}))
