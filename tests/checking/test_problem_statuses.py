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
        "no personal or fam hx of", "cleared of", "pt doesnt think he has ever had", "can't recall having had",
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


JOINED = [
    ("mother: {a}, {b}", "family family -"),
    ("mother {a}, father {b}", "family family -"),
    ("Mom - {a}; dad - {b}", "family family -"),
    ("FHx: {a} (mother), {b} (father)", "family family -"),
    ("{a} in mother, {b} in father", "family family -"),
    ("mom {a} & {b}", "family family -"),
    ("brother died of {a} at 45", "family - -"),
    ("FHx {a}, {b}", "family family -"),
    ("+FH {a}, {b}", "family family -"),
    ("family hx: mother ({a}, {b}), sister ({c})", "family family family"),
    ("no FHx of {a}, {b} or {c}", "denied denied denied"),
    ("neg FHx for {a}", "denied - -"),
    ("{a} on father's side", "family - -"),
    ("strong FHx {a} & {b}", "family family -"),
    ("mom {a} dx 50s, pt has {b}", "family told -"),
    ("MGM {a}, PGF {b}", "family family -"),
    ("mother w/ {a} at 62, sister w/ {b} at 40", "family family -"),
    ("2 sisters w/ {a}", "family - -"),
    ("FH: dad {a} age 50; mom {b}; self: {c}", "family family told"),
    ("{c}. FHx: {a}, {b}", "family family told"),
    ("{c}; mother had {a}", "family - told"),
    ("{c}, FHx {a}", "family - told"),
    ("father with {a} and {b}, otherwise neg", "family family -"),
    ("wife has {a}; pt has {b}", "family told -"),
    ("daughter dx'd with {a} last yr", "family - -"),
    ("both parents {a}, brother {b}", "family family -"),
    ("family history significant for {a}, {b}, and {c}", "family family family"),
    ("dad: {a} (50s), {b}; mom: {c}", "family family family"),
    ("several family members with {a}", "family - -"),
    ("paternal hx of {a}, maternal hx of {b}", "family family -"),
    ("adopted, FHx unknown, {c}", "- - told"),
    ("no {a}, {b}, or {c}", "denied denied denied"),
    ("denies {a}, {b}, {c}", "denied denied denied"),
    ("no {a}/{b}", "denied denied -"),
    ("neg for {a} and {b}", "denied denied -"),
    ("no hx {a}, {b}", "denied denied -"),
    ("no {a} or {b}, has {c}", "denied denied told"),
    ("denies {a}; +{b}", "denied told -"),
    ("no {a}, no {b}, + {c}", "denied denied told"),
    ("no {a} but {b}", "denied told -"),
    ("{c}, no {a} or {b}", "denied denied told"),
    ("ruled out for {a} and {b}", "denied denied -"),
    ("{c} without {a} or {b}", "denied denied told"),
    ("(-) {a}, (-) {b}, (+) {c}", "denied denied told"),
    ("{a} -, {b} -, {c} +", "denied denied told"),
    ("no known {a}, {b} or {c}", "denied denied denied"),
    ("never had {a} or {b}", "denied denied -"),
    ("no personal hx of {a} or {b}", "denied denied -"),
    ("{a}: no, {b}: no, {c}: yes", "denied denied told"),
    ("{a} neg, {b} neg", "denied denied -"),
    ("{a} and {b} ruled out", "denied denied -"),
    ("neither {a} nor {b}", "denied denied -"),
    ("{c} but no {a}", "denied - told"),
    ("{c} (no {a})", "denied - told"),
    ("{c} w/o {a}", "denied - told"),
    ("{a} r/o'd, has {c}", "denied - told"),
    ("no {a} or {b}. {c}", "denied denied told"),
    ("no e/o {a}; {c} controlled", "denied - told"),
    ("pt denies {a}, {b}; reports {c}", "denied denied told"),
    ("does not have {a}, does have {c}", "denied - told"),
    ("not {a}, rather {c}", "denied - told"),
    ("{c}, not {a}", "denied - told"),
    ("h/o {a}, now {c}", "past - told"),
    ("{a} resolved, {c} ongoing", "past - told"),
    ("s/p {a} 2019, {c}", "past - told"),
    ("{a} (resolved), {b} (resolved), {c}", "past past told"),
    ("prior {a} and {b}", "past past -"),
    ("h/o {a} & {b}; {c}", "past past told"),
    ("past: {a}, {b}. current: {c}", "past past told"),
    ("active: {c}; resolved: {a}, {b}", "past past told"),
    ("{c}, prev {a}", "past - told"),
    ("possible {a}, known {c}", "suspected - told"),
    ("{a} vs {b}", "suspected suspected -"),
    ("r/o {a}, {c} stable", "suspected - told"),
    ("{c}, r/o {a}", "suspected - told"),
    ("{c} w/ possible {a}", "suspected - told"),
    ("?{a}, {c}", "suspected - told"),
    ("{c}, ?{a}", "suspected - told"),
    ("likely {a} or {b}", "suspected suspected -"),
    ("{a} suspected; {c} confirmed", "suspected - told"),
    ("{c} - w/u for {a} pending", "suspected - told"),
    ("{a} possible, {b} unlikely, {c}", "suspected denied told"),
    ("suspect {a} rather than {b}", "suspected denied -"),
]
"""Lines with up to three conditions, and what each of them is told to be; `-`: it stands in none."""


@pytest.mark.parametrize(("line", "said"), JOINED)
def test_joined_conditions_keep_their_own_standing(engine: Engine, line: str, said: str) -> None:
    terms, wrong = engine.checker.terms, []
    for a, b, c in zip(HEADS[:4], ("CAD", "migraine", "colon cancer", "gout"), OTHERS, strict=False):
        names = dict(zip((a, b, c), said.split(), strict=True))
        read = standings(engine, line.format(a=a, b=b, c=c))
        ids = {name: terms.named(terms.problems.read(name).heads[0].name) or "" for name in names}
        if any(meant != "-" and read.get(ids[name]) != meant for name, meant in names.items()):
            wrong.append(f"{line.format(a=a, b=b, c=c)}: {read}")
    assert not wrong, wrong
