"""The route of a FHIR Dosage in our words; a route that is not known stays in the words it was given."""

from __future__ import annotations

import re

from safety.reading.fhir.values import codes, words

# SNOMED CT route qualifiers
_BY_CODE = {
    "26643006": "oral",
    "260548002": "oral",
    "47625008": "intravenous",
    "255560000": "intravenous",
    "78421000": "intramuscular",
    "255559005": "intramuscular",
    "34206005": "subcutaneous",
    "263887005": "subcutaneous",
    "372464004": "intradermal",
    "58100008": "intra-arterial",
    "37161004": "rectal",
    "6064005": "topical",
    "45890007": "transdermal",
    "54485002": "ophthalmic",
    "418401004": "ophthalmic",  # intravitreal
    "10547007": "otic",
    "46713006": "nasal",
    "447694001": "inhaled",  # respiratory tract
    "16857009": "vaginal",
    "62226000": "intrauterine",
    "54471007": "buccal",
    "37839007": "sublingual",
    "72607000": "intrathecal",
    "372449004": "dental",
}
# first match wins: the narrow words before the wide ones
_BY_WORD = tuple(
    (re.compile(rf"\b(?:{pattern})\b", re.I), route)
    for pattern, route in (
        ("sublingual(?:ly)?|under the tongue|sl", "sublingual"),
        ("buccal(?:ly)?", "buccal"),
        ("intrathecal(?:ly)?", "intrathecal"),
        ("intra-?uterine", "intrauterine"),
        ("implant(?:ed)?|subdermal", "implant"),
        ("dental(?:ly)?|gingival", "dental"),
        ("ophthalmic|ocular|conjunctival|intravitreal|eyes?", "ophthalmic"),
        ("otic|auricular|ears?", "otic"),
        ("nasal(?:ly)?|intranasal(?:ly)?|nostrils?", "nasal"),
        ("inhal(?:ation|ed|e|ational)|nebuli[sz](?:ed|er|ation)|respiratory tract|inh", "inhaled"),
        ("vaginal(?:ly)?|pv", "vaginal"),
        ("rectal(?:ly)?|pr", "rectal"),
        ("transdermal(?:ly)?", "transdermal"),
        ("intravenous(?:ly)?|iv", "intravenous"),
        ("intramuscular(?:ly)?|im", "intramuscular"),
        ("subcutaneous(?:ly)?|subcut|sc|sq|subq", "subcutaneous"),
        ("intradermal(?:ly)?", "intradermal"),
        ("intra-?arterial", "intra-arterial"),
        ("intra-?articular", "intra-articular"),
        ("epidural", "epidural"),
        ("parenteral|injection|infusion", "parenteral"),
        ("topical(?:ly)?|cutaneous|apply to skin|on the skin", "topical"),
        ("oral(?:ly)?|by mouth|po|p\\.o", "oral"),
    )
)


def route(concept: object) -> tuple[str | None, str]:
    """`oral`, `parenteral` or a kind of it, `topical` …; and where no route that we know is named, the words as given."""
    for code in codes(concept):
        if code.system == "snomed" and code.code in _BY_CODE:
            return _BY_CODE[code.code], ""
    told = words(concept)
    known = next((found for pattern, found in _BY_WORD if pattern.search(told)), None)
    return known, "" if known else told
