"""Generated lines: a word of standing speaks of its own condition, wherever it stands and whatever is joined to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from safety.engine import Engine

HEADS = ["HTN", "asthma", "DVT", "GI bleed", "pneumonia", "gout", "seizures"]
OTHERS = ["COPD", "GERD", "depression", "CKD 3", "osteoporosis"]
BEFORE = {
    "past": [
        "h/o", "history of", "prior", "remote", "distant hx of", "childhood", "reported hx of", "recovered from",
        "completed treatment for", "long-ago", "previously treated for",
    ],
    "denied": [
        "no", "denies", "neg for", "no e/o", "no clear clinical evidence of", "never had", "w/o", "ruled out for",
        "no findings of", "nothing to suggest", "not c/w", "labs not c/w", "exam not suggestive of", "no mention of",
        "low suspicion for", "no concern for", "no longer suspected to have", "imaging negative for", "neg workup for",
        "no evid. of", "not felt likely to be", "considered unlikely to be", "no known personal hx of",
        "no personal or fam hx of",
    ],
    "suspected": [
        "possible", "prob.", "likely", "most likely", "felt likely to be", "?", "? new", "r/o", "c/f",
        "imaging concerning for", "sx suspicious for", "strong suspicion for", "being worked up for",
        "under evaluation for", "cannot exclude",
    ],
    "family": [
        "FH:", "FHx of", "fam hx (+) for", "strong family history of", "mother with", "brother c", "MGM:", "dad had",
    ],
    "risk": [
        "at risk for", "risk factors for",
    ],
    "screening": [
        "screening for", "due for screening for",
    ],
}  # fmt: skip
BEHIND = {
    "past": [
        " resolved", ", resolved", " (resolved)", " - now resolved", "; resolved", " as a child", " in childhood",
        " when younger", " in her 20s", " in the remote past", ", outgrown", ", completed treatment", " no longer",
        ", none since",
    ],
    "denied": [
        " ruled out", ", ruled out", " neg", " unlikely", ", unlikely", " less likely", ", felt unlikely",
        " not suspected", " - no", " (-)", " was excluded", " not felt likely", ": never",
    ],
    "suspected": [
        "?", " (?)", " possible", ", likely", " - suspected", " most likely", " cannot be excluded", " in ddx",
    ],
    "family": [
        " in mother", " (mother)", " runs in family", " (family hx)", " on dad's side",
    ],
}  # fmt: skip
SAID = {
    "told": "told", "recent": "told", "history": "past", "done": "past", "resolved": "past", "suspected": "suspected",
    "denied": "denied", "family": "family", "nobody": "denied", "risk": "risk", "screening": "screening", "planned": "planned",
}  # fmt: skip
Line = tuple[str, dict[str, str]]


def ahead_of_it(said: str, word: str, head: str, other: str) -> Iterator[Line]:
    phrase = f"{word}{'' if word == '?' else ' '}{head}"
    alone, both = {head: said}, {head: said, other: "told"}
    yield phrase, alone
    yield f"{other}, {phrase}", both
    yield f"{other}; {phrase}", both
    yield f"{other} ({phrase})", both
    yield f"{other} - {phrase}", both
    yield f"{phrase}; {other}", both
    if not word.startswith("?"):
        yield f"{phrase} and {other}", {head: said, other: said}


def behind_it(said: str, word: str, head: str, other: str) -> Iterator[Line]:
    phrase = f"{head}{word}"
    alone, both = {head: said}, {head: said, other: "told"}
    yield phrase, alone
    yield f"{other}; {phrase}", both
    yield f"{phrase}; {other}", both
    yield f"{phrase}, {other}", both
    yield f"{phrase}. {other}", both
    if ":" not in word:
        yield f"{other}, {phrase}", both  # "COPD, HTN: never" may deny both


def generated() -> Iterator[tuple[str, str]]:
    for place, table in (("before", BEFORE), ("behind", BEHIND)):
        for said in table:
            yield place, said


def standings(engine: Engine, text: str) -> dict[str, str]:
    terms = engine.checker.terms
    return {terms.named(h.name) or "": SAID[h.standing] for h in terms.problems.read(text).heads}


@pytest.mark.parametrize(("place", "said"), list(generated()))
def test_each_condition_keeps_its_own_standing(engine: Engine, place: str, said: str) -> None:
    terms, wrong = engine.checker.terms, []
    ids = {name: terms.named(terms.problems.read(name).heads[0].name) for name in (*HEADS, *OTHERS)}
    made = ahead_of_it if place == "before" else behind_it
    for n, word in enumerate((BEFORE if place == "before" else BEHIND)[said]):
        for k, head in enumerate(HEADS):
            for text, expected in made(said, word, head, OTHERS[(n + k) % len(OTHERS)]):
                read = standings(engine, text)
                if any(read.get(ids[name] or "") != meant for name, meant in expected.items()):
                    wrong.append(f"{text}: {read}")
    assert not wrong, wrong[:20]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("no acute kidney injury", "acute kidney injury"),
        ("no new onset diabetes", "diabetes"),
        ("no known coronary artery disease", "coronary artery disease"),
        ("no past MI", "myocardial infarction"),
        ("without active TB", "tuberculosis"),
    ],
)
def test_a_denial_ends_before_the_name_that_begins_with_its_last_word(engine: Engine, text: str, name: str) -> None:
    terms = engine.checker.terms
    (head,) = terms.problems.read(text).heads
    assert head.standing == "denied"
    kinds = engine.library.condition[terms.named(head.name) or ""].is_a
    assert terms.named(name) in kinds


@pytest.mark.parametrize(
    ("text", "standing"),
    [
        ("asthma, no symptoms", "told"),
        ("HTN, no recent changes", "told"),
        ("CHF, no signs of volume overload", "told"),
        ("weight loss, w/u in progress", "told"),
        ("COPD, completed pulmonary rehab", "told"),
        ("DM2, neg microalbumin", "told"),
        ("HFrEF, echo neg for thrombus", "told"),
        ("depression, no longer on sertraline", "told"),
        ("AFib, previous EF 35%", "told"),
        ("pneumonia, completed abx course", "history"),
    ],
)
def test_what_is_said_of_something_else_leaves_the_condition_as_it_is(engine: Engine, text: str, standing: str) -> None:
    assert engine.checker.terms.problems.read(text).heads[0].standing == standing
