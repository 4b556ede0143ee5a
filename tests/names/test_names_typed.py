"""What a typed name is taken to be: recognised for sure, asked about, or not recognised; never a guess."""

from __future__ import annotations

from typing import Any

import pytest

from safety.engine import Engine
from safety.reading.names.resolver import NameAnswer


def found(answer: NameAnswer) -> list[str]:
    """The drugs of an answer, without `drug.`."""
    drugs = [answer.drug] if isinstance(answer.drug, str) else answer.drug or []
    return sorted(d.removeprefix("drug.") for d in drugs)


@pytest.mark.parametrize(
    ("text", "drugs", "via"),
    [
        ("warfarin", ["warfarin"], "exact"),
        ("Coumadin", ["warfarin"], "brand"),
        ("warfarin sodium", ["warfarin"], "salt"),
        ("paracetamol", ["acetaminophen"], "exact"),
        ("Motrin", ["ibuprofen"], "brand"),
        ("metformin hydrochloride", ["metformin"], "salt"),
        ("levothyroxine sodium 50 mcg", ["levothyroxine"], "salt"),
        ("Percocet", ["acetaminophen", "oxycodone"], "brand"),
        ("Zyrtec-D", ["cetirizine", "pseudoephedrine"], "brand"),
        ("zyrtec d 12 hour", ["cetirizine", "pseudoephedrine"], "brand"),
        ("Tylenol Extra Strength", ["acetaminophen"], "brand"),
        ("Tylenol® Extra-Strength", ["acetaminophen"], "brand"),
        ("take my warfarin", ["warfarin"], "exact"),
        ("oral ibuprofen", ["ibuprofen"], "exact"),
        ("2 Advil", ["ibuprofen"], "brand"),
    ],
)
def test_a_name_brand_salt_or_synonym_is_recognised(engine: Engine, text: str, drugs: list[str], via: str) -> None:
    answer = engine.name(text)
    assert (answer.status, found(answer), answer.via) == ("match", drugs, via)
    assert answer.score == 1.0
    assert not answer.confirm


@pytest.mark.parametrize(
    "text",
    [
        "lisinopril/hydrochlorothiazide",
        "lisinopril / hydrochlorothiazide",
        "lisinopril + hydrochlorothiazide",
        "lisinopril-hydrochlorothiazide",
        "lisinopril and hydrochlorothiazide",
        "Lisinopril-Hydrochlorothiazide 20-12.5 mg tablet",
        "hydrochlorothiazide/lisinopril",
        "lisinopril & hydrochlorothiazide",
    ],
)
def test_a_combination_is_read_however_its_names_are_joined(engine: Engine, text: str) -> None:
    answer = engine.name(text)
    assert (answer.status, found(answer)) == ("match", ["hydrochlorothiazide", "lisinopril"])


@pytest.mark.parametrize(
    ("text", "drugs"),
    [
        ("Acetaminophen 325 MG / Oxycodone Hydrochloride 5 MG Oral Tablet", ["acetaminophen", "oxycodone"]),
        ("Acetaminophen 325 MG / oxyCODONE Hydrochloride 5 MG Oral Tablet [Percocet]", ["acetaminophen", "oxycodone"]),
        ("Simvastatin 20 MG Oral Tablet", ["simvastatin"]),
        ("Simvastatin 20 MG Oral Tablet [Zocor]", ["simvastatin"]),
        ("24 HR Metformin hydrochloride 500 MG Extended Release Oral Tablet", ["metformin"]),
        ("Amoxicillin 250 MG / Clavulanate 125 MG Oral Tablet", ["amoxicillin", "clavulanate"]),
        ("Hydrochlorothiazide 25 MG Oral Tablet", ["hydrochlorothiazide"]),
        ("NDA020503 200 ACTUAT Albuterol 0.09 MG/ACTUAT Metered Dose Inhaler", ["albuterol"]),
        (
            "insulin human, isophane 70 UNT/ML / Regular Insulin, Human 30 UNT/ML Injectable Suspension [Humulin]",
            ["insulin-isophane", "insulin-regular-human"],
        ),
        ("1 ML Enoxaparin sodium 150 MG/ML Prefilled Syringe", ["enoxaparin"]),
    ],
)
def test_a_description_as_rxnorm_writes_it_is_read(engine: Engine, text: str, drugs: list[str]) -> None:
    answer = engine.name(text)
    assert (answer.status, found(answer)) == ("match", drugs)


def test_strengths_beside_each_name_belong_to_that_name(engine: Engine) -> None:
    read = engine.checker.resolver.read("Acetaminophen 325 MG / Oxycodone Hydrochloride 5 MG Oral Tablet")
    assert {c.drug: str(c.amount) for c in read.stated} == {"drug.acetaminophen": "325 mg", "drug.oxycodone": "5 mg"}


def test_every_error_prone_abbreviation_is_asked_back(engine: Engine) -> None:
    prone = [(d.id, n.text) for d in engine.library.drugs for n in d.names if n.error_prone]
    assert prone, "the library marks none"
    for drug, text in prone:
        answer = engine.name(f"{text} 5 mg daily")
        assert (answer.drug, answer.confirm) == (drug, True), text
        assert answer.ask.rstrip(".").endswith("out") or "?" in answer.ask


def test_every_known_misspelling_is_asked_back(engine: Engine) -> None:
    wrong = [(d.id, n.text) for d in engine.library.drugs for n in d.names if n.via == "misspelling"]
    for drug, text in wrong:
        answer = engine.name(text)
        assert (answer.drug, answer.via, answer.confirm) == (drug, "known-misspelling", True), text
        assert "?" in answer.ask


# ------------------------------------------------------------------ not for sure


@pytest.mark.parametrize("text", ["Tylenol Zzyx", "Advil Florp 200 mg", "ibuprofen qwxyz", "Zyrtec Blorb"])
def test_an_unknown_word_right_after_a_name_may_be_another_product_and_is_not_accepted(engine: Engine, text: str) -> None:
    answer = engine.name(text)
    assert answer.status != "match"
    assert answer.drug is None
    assert answer.candidates
    assert "?" in answer.ask


@pytest.mark.parametrize(
    ("text", "drugs"),
    [
        ("warfarin 5 mg daily, ibuprofen 400 mg", {"warfarin", "ibuprofen"}),
        ("lisinopril 10 mg once daily then metformin 500 mg", {"lisinopril", "metformin"}),
        ("take warfarin 5 mg with food and Tylenol 500 mg at night", {"warfarin", "acetaminophen"}),
    ],
)
def test_a_second_medicine_on_the_line_is_ambiguous_and_both_are_named(engine: Engine, text: str, drugs: set[str]) -> None:
    answer = engine.name(text)
    assert (answer.status, answer.drug) == ("ambiguous", None)
    named = {engine.library.product[c.drug].drugs[0] if c.drug in engine.library.product else c.drug for c in answer.candidates}
    assert {n.removeprefix("drug.") for n in named} >= drugs


@pytest.mark.parametrize(
    "text",
    [
        "warfarin 5 mg daily, avoid aspirin",
        "ibuprofen 400 mg daily, do not take with naproxen",
        "metformin 500 mg, not lisinopril",
    ],
)
def test_a_medicine_that_the_line_warns_of_is_not_a_second_one(engine: Engine, text: str) -> None:
    answer = engine.name(text)
    assert (answer.status, found(answer)) == ("match", [text.split()[0]])


@pytest.mark.parametrize(
    "text",
    [
        "avoid aspirin",
        "no aspirin",
        "not aspirin",
        "never aspirin",
        "do not take aspirin",
        "without aspirin",
        "stop aspirin",
        "stopped aspirin last week",
        "instead of aspirin",
    ],
)
def test_a_line_that_says_not_to_take_a_medicine_does_not_tell_that_it_is_taken(engine: Engine, text: str) -> None:
    assert engine.name(text).status != "match"


@pytest.mark.parametrize("text", ["statin", "statins", "NSAID", "ACE inhibitor 10 mg daily", "an opioid"])
def test_a_class_is_asked_which_of_its_members(engine: Engine, text: str) -> None:
    answer = engine.name(text)
    assert (answer.status, answer.drug) == ("ambiguous", None)
    assert len(answer.candidates) >= 2
    assert answer.ask.count("?") >= 1


def test_a_code_and_a_text_that_name_different_drugs_are_asked_about(engine: Engine) -> None:
    from safety.model.patient import Code

    resolver = engine.checker.resolver
    code = engine.library.drug["drug.metformin"].rxnorm or ""
    agreed = resolver.read("metformin 500 mg", [Code("rxnorm", code)])
    assert (agreed.answer.status, agreed.drugs) == ("match", ("drug.metformin",))
    other = resolver.read("warfarin 5 mg", [Code("rxnorm", code)])
    assert (other.answer.status, other.drugs) == ("ambiguous", ())
    assert {c.drug for c in other.answer.candidates} == {"drug.metformin", "drug.warfarin"}
    alone = resolver.read("the white tablets", [Code("rxnorm", code)])
    assert (alone.answer.status, alone.answer.via, alone.drugs) == ("match", "code", ("drug.metformin",))
    strange = resolver.read("warfarin 5 mg", [Code("rxnorm", "000000")])
    assert strange.drugs == ("drug.warfarin",)


# ------------------------------------------------------------------ nothing of ours

NOTHING = [
    "",
    " ",
    "\t\n",
    ".",
    "-",
    "/",
    "+",
    "[]",
    "[",
    "500",
    "500 mg",
    "2 tablets daily",
    "1",
    "mg",
    "%",
    "pill",
    "water",
    "coffee",
    "bread",
    "the",
    "medicine",
    "blood pressure pill",
    "my heart medicine",
    "vitamin",
    "shampoo",
    "apple juice",
    "orange",
    "cheese",
    "soup",
    "rice",
    "milk",
    "wine",
    "Mary",
    "John Smith",
    "Alice",
    "Dr. Brown",
    "Valentina",
    "Tamara",
    "Celeste",
    "Xavier",
    "Allison",
    "Pravin",
    "hello",
    "yes",
    "no",
    "none",
    "unknown",
    "as directed",
    "n/a",
    "null",
    "None",
    "true",
    "today",
    "help me",
    "allergy",
    "the pharmacy",
    "🙂",
    "💊💊",
    "❤️",
    "مسكن",
    "‏אקמול‏",
    "アスピリンではない",
    "\u202eniripsa",
    "\u200b",
    "\ufeff",
    "\x00",
    "\x1b[31m",
    "\x07\x08",
    "'; DROP TABLE drugs; --",
    "1 OR 1=1",
    "<script>alert(1)</script>",
    "${jndi:ldap://x}",
    "../../etc/passwd",
    "{0.__class__}",
    "%s%s%n",
    "qwxyz",
    "flurbozide",
    "asdfgh",
    "zzzzzz 5 mg daily",
    "x" * 10_000,
    "mg " * 4_000,
    "[" * 10_000,
    "a/" * 5_000,
    "é" * 10_000,
]


@pytest.mark.parametrize("text", NOTHING, ids=[repr(t[:24]) + (f" ({len(t)})" if len(t) > 24 else "") for t in NOTHING])
def test_what_names_no_medicine_is_not_recognised_and_echoed_harmlessly(engine: Engine, text: str) -> None:
    answer = engine.name(text)
    assert answer.status != "match"
    assert (answer.drug, answer.rxcui, answer.name) == (None, None, None)
    assert answer.ask
    shown: Any = [answer.heard, answer.ask, *(c.name for c in answer.candidates)]
    for part in shown:
        assert part.isprintable() or all(c.isprintable() or c == "\ufe0f" for c in part)
        assert len(part) <= 400
        assert not any(c in part for c in "\x00\x1b\u202e\u200b\u200f\ufeff\n\t")


@pytest.mark.parametrize("text", ["aspirin and", "aspirin +", "ibuprofen /", "aspirin 81 mg with"])
def test_a_name_that_ends_where_another_should_follow_is_read_as_far_as_it_goes(engine: Engine, text: str) -> None:
    assert engine.name(text).status == "match"


@pytest.mark.parametrize(
    ("text", "member", "never"),
    [
        ("potassium-sparing diuretic", "spironolactone", "potassium-unspecified"),
        ("calcium channel blocker 5 mg daily", "amlodipine", "calcium-unspecified"),
    ],
)
def test_a_class_whose_word_begins_with_a_medicine_is_the_class(engine: Engine, text: str, member: str, never: str) -> None:
    read = engine.checker.resolver.read(text, written=True)
    assert read.answer.status == "ambiguous"
    assert f"drug.{member}" in read.one_of
    assert f"drug.{never}" not in read.one_of


@pytest.mark.parametrize("text", ["potassium 20 mEq daily", "calcium 600 mg bid", "iron supplement"])
def test_the_medicine_alone_is_no_class(engine: Engine, text: str) -> None:
    assert engine.checker.resolver.read(text, written=True).answer.status == "match"
