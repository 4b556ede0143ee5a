"""A slip that leads clearly to one name is judged as that, to be confirmed; it never makes anything clearer."""

from __future__ import annotations

from datetime import date

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.engine import Engine
from safety.model.report import Report
from safety.reading.names.beside import Beside, Sold
from safety.reading.names.index import VOCABULARY, Vocabulary
from safety.reading.names.likeness import pairs
from safety.reading.names.nearest import Nearest

DAY = date(2026, 11, 20)
TOLD = {
    "age": "50 y", "sex": "male", "weight": "80 kg", "conditions": [], "allergies": [], "labs": [], "intake": [],
}  # fmt: skip


def checked(engine: Engine, *medications: str) -> Report:
    return engine.check({"patient": {**TOLD, "medications": list(medications)}}, DAY)


@pytest.mark.parametrize(
    ("typed", "drug"),
    [
        ("warfrin", "warfarin"), ("amiodorone", "amiodarone"), ("baclophen", "baclofen"), ("Xeralto", "rivaroxaban"),
        ("zanax", "alprazolam"), ("klonidine", "clonidine"), ("metropolol", "metoprolol"), ("pristique", "desvenlafaxine"),
        ("furosimide 40 mg daily", "furosemide"), ("methotrexat 2.5 mg", "methotrexate"), ("elequis 5 mg bid", "apixaban"),
    ],
)  # fmt: skip
def test_a_slip_that_leads_clearly_is_one_drug_to_be_confirmed(engine: Engine, typed: str, drug: str) -> None:
    answer = engine.name(typed)
    assert (answer.status, answer.drug, answer.confirm) == ("match", f"drug.{drug}", True)
    assert answer.ask.endswith("meant?")
    assert answer.candidates[0].drug == f"drug.{drug}"


def test_a_finding_about_it_stands_and_says_which_name_was_taken(engine: Engine) -> None:
    slipped, spelt = checked(engine, "warfrin 5 mg daily", "ibuprofen 400 mg tid"), checked(
        engine, "warfarin 5 mg daily", "ibuprofen 400 mg tid"
    )  # fmt: skip
    assert [(f.rule, f.severity, f.interrupt) for f in slipped.findings] == [
        (f.rule, f.severity, f.interrupt) for f in spelt.findings
    ]
    (finding,) = [f for f in slipped.every_finding if f.rule == "interaction.warfarin-nsaid"]
    assert [(a.fact, a.value, str(a.where)) for a in finding.assumed] == [("name", "warfarin", "medications[0]")]
    assert finding.assumed[0].ask in " ".join(q.ask for q in slipped.questions)
    assert any(h.about == "warfrin 5 mg daily" and h.because == "not read" for h in slipped.unknown_because)


@settings(max_examples=examples(80), deadline=None)
@given(data=st.data())
def test_a_name_with_a_slip_is_never_clear(engine: Engine, data: st.DataObject) -> None:
    drug = data.draw(st.sampled_from([d for d in engine.library.drugs if d.name.isalpha() and len(d.name) > 5]))
    at = data.draw(st.integers(1, len(drug.name) - 2))
    name = data.draw(
        st.sampled_from([
            drug.name[:at] + drug.name[at + 1 :],
            drug.name[:at] + drug.name[at] + drug.name[at:],
            drug.name[:at] + drug.name[at + 1] + drug.name[at] + drug.name[at + 2 :],
        ])
    )  # fmt: skip
    if engine.checker.resolver.read(name, guess=False).answer.status != "match":
        assert checked(engine, name).verdict != "clear"


@pytest.mark.parametrize(
    "typed", ["clonapine", "lamictil", "celebrexa", "prednisalone", "prednizone", "gliburide", "alprazopam", "clonadine"]
)
def test_a_slip_that_may_as_well_be_another_name_is_asked_about(engine: Engine, typed: str) -> None:
    assert engine.name(typed).status == "ambiguous"


@pytest.mark.parametrize("word", ["bilirubin", "osmolality", "userId"])
def test_a_word_that_is_no_medicine_is_not_taken_for_the_only_name_that_is_near(engine: Engine, word: str) -> None:
    assert engine.name(word).status != "match"


def test_what_leads_is_told_from_what_stands_beside_it(engine: Engine) -> None:
    assert engine.name("celebrexa").status == "ambiguous"
    taken = engine.name("celebrexa 200 mg twice daily")
    assert (taken.status, taken.drug, taken.confirm) == ("match", "drug.celecoxib", True)


def test_a_name_that_is_not_sold_so_does_not_lead_where_another_is(engine: Engine) -> None:
    answer = engine.name("celebrexa 20 mg")  # citalopram is sold as 20 mg, celecoxib is not
    assert answer.status == "ambiguous"
    assert answer.candidates[0].drug == "drug.citalopram"


def test_a_strength_that_both_look_alikes_are_sold_in_settles_nothing(engine: Engine) -> None:
    for line in ("hydroxizine 25 mg", "predisone 5 mg"):
        assert engine.name(line).status == "ambiguous", line


def test_a_strength_in_which_it_is_not_sold_keeps_no_medicine_from_being_judged(engine: Engine) -> None:
    answer = engine.name("gabapenten 20 mg daily")
    assert (answer.status, answer.drug, answer.confirm) == ("match", "drug.gabapentin", True)


@pytest.mark.parametrize(
    ("after", "told"),
    [
        (["cream", "twice", "daily"], Beside(forms=frozenset({"cream"}))),
        (["tablet"], Beside()),
        (["by", "mouth"], Beside(routes=frozenset({"oral"}))),
        (["5", "mg", "ml"], Beside()),
    ],
)
def test_forms_and_routes_beside_a_name_are_read(engine: Engine, after: list[str], told: Beside) -> None:
    assert Sold(engine.library).beside(after) == told


def test_a_medicine_is_sold_as_told_in_another_form_or_by_another_route_or_not_at_all(engine: Engine) -> None:
    sold = Sold(engine.library)
    cream, eye = Beside(forms=frozenset({"cream"})), Beside(routes=frozenset({"ophthalmic"}))
    assert sold.so("drug.hydrocortisone", ["drug.hydrocortisone"], cream) is True
    assert sold.so("drug.warfarin", ["drug.warfarin"], cream) is False
    assert sold.so("drug.warfarin", ["drug.warfarin"], eye) is False
    assert sold.so("drug.warfarin", ["drug.warfarin"], Beside()) is None


# ------------------------------------------------------------------ how names are narrowed down


WORDS = st.text("abcdefghilmnoprstuvxyz", min_size=3, max_size=14)


def near(nearest: Nearest, word: str) -> list[tuple[str, str, float]]:
    return [(n.written.text, n.written.target, n.score) for n in nearest.find(word, 0.5)]


@settings(max_examples=examples(40), deadline=None)
@given(word=WORDS, least=st.integers(1, 80))
def test_the_names_that_share_most_with_a_word_are_found(engine: Engine, word: str, least: int) -> None:
    vocabulary = engine.library.derived(VOCABULARY)
    wanted = pairs(word)
    shared = [len(wanted & pairs(text.replace(" ", ""))) for text in vocabulary.texts]
    found = Nearest(vocabulary)._sharing(wanted, least)
    fewest = sorted(shared, reverse=True)[least - 1]
    assert found == [n for n, count in enumerate(shared) if count >= max(fewest, 1)]


def test_each_slip_of_a_name_finds_that_name_among_the_nearest(engine: Engine) -> None:
    nearest = Nearest(engine.library.derived(VOCABULARY))
    for name in ("warfarin", "amiodarone", "levothyroxine", "clopidogrel", "rivaroxaban", "methotrexate"):
        for at in range(1, len(name) - 1):
            for typed in (name[:at] + name[at + 1 :], name[:at] + name[at] + name[at:], name[:at] + "x" + name[at + 1 :]):
                assert name in [text for text, *_ in near(nearest, typed)[:3]], typed


def test_how_the_library_is_ordered_changes_no_nearest_name(engine: Engine) -> None:
    vocabulary = engine.library.derived(VOCABULARY)
    back = _backwards(vocabulary)
    for word in ("warfrin", "zyprtec", "clonazepan", "flurbozide", "oxycotin", "prilozac"):
        assert sorted(near(Nearest(vocabulary), word)[:5]) == sorted(near(Nearest(back), word)[:5]), word


def _backwards(v: Vocabulary) -> Vocabulary:
    last = len(v.texts) - 1
    bits = {
        pair: sum(1 << (last - n) for n in range(last + 1) if v.sharing[pair][n >> 3] >> (n & 7) & 1)
        for pair in {
            p for word in ("warfrin", "zyprtec", "clonazepan", "flurbozide", "oxycotin", "prilozac") for p in pairs(word)
        }
        if pair in v.sharing
    }
    return Vocabulary(
        texts=v.texts[::-1], targets=v.targets[::-1], shown=v.shown[::-1], drugs=v.drugs[::-1],
        common=v.common[::-1], held=v.held[::-1], sounds=v.sounds[::-1],
        keys=v.keys[::-1], order=tuple(last - n for n in v.order),
        sharing={pair: held.to_bytes(last // 8 + 1, "little") for pair, held in bits.items()},
    )  # fmt: skip


# ------------------------------------------------------------------ what changes no name

SLIPS = ("warfrin", "Amiodorone", "met formin", "zyprtec", "hydroxizine", "flurbozide", "lisinopril", "Tylenol PM", "baclophen")


@pytest.mark.parametrize("name", SLIPS)
def test_case_spaces_and_hyphens_never_change_which_drug_it_is(engine: Engine, name: str) -> None:
    plain = engine.name(name.lower())
    for way in (name.upper(), name.title(), f"  {name.replace(' ', '   ')} ", name.replace(" ", "-"), f"{name},"):
        answer = engine.name(way)
        assert (answer.status, answer.drug) == (plain.status, plain.drug) or plain.status == "unrecognised", way


@settings(max_examples=examples(40), deadline=None)
@given(
    name=st.sampled_from(("warfrin", "furosimide", "gabapenten", "lisinopril", "metforman", "prednizone")),
    after=st.sampled_from(("", " daily", " 5 mg", " 20 mg once daily", " 1 tablet by mouth twice daily", " prn", " po qhs")),
)
def test_a_dose_behind_a_name_never_makes_it_another_drug(engine: Engine, name: str, after: str) -> None:
    alone, dosed = engine.name(name), engine.name(name + after)
    assert dosed.drug in (alone.drug, None) or alone.drug is None
    assert dosed.candidates == [] or dosed.candidates[0].drug == (alone.drug or alone.candidates[0].drug)


HEARD = {
    "al praz oh lamb": "alprazolam", "clo pid o grel": "clopidogrel", "at or va statin": "atorvastatin",
    "cell a coxib": "celecoxib", "rye var ox a ban": "rivaroxaban", "a seat a minnow fin": "acetaminophen",
}  # fmt: skip
OPEN = ("vin crist een", "vin blast een", "tram a doll", "hydro x zine", "pred ni soan", "hi dry lazy", "met her at noon")


@pytest.mark.parametrize("heard", HEARD)
def test_several_words_that_lead_clearly_are_answered_and_confirmed(engine: Engine, heard: str) -> None:
    answer = engine.name(heard)
    assert (answer.status, answer.name, answer.confirm) == ("match", HEARD[heard], True)


@pytest.mark.parametrize("heard", OPEN)
def test_several_words_with_a_look_alike_within_reach_are_asked_about(engine: Engine, heard: str) -> None:
    assert engine.name(heard).status != "match"


def test_a_sign_tells_a_product_from_a_hormone(engine: Engine) -> None:
    assert engine.name("T#3 1 q4h prn").product == "product.tylenol-with-codeine"
    assert engine.name("T#3").confirm is False
    assert {c.name for c in engine.name("T3 prn").candidates} == {"liothyronine", "Tylenol with Codeine"}


@pytest.mark.parametrize("line", ["tac 3 mg bid", "TAC 1 mg twice daily"])
def test_letters_that_mean_another_medicine_to_another_clinic_are_asked_about(engine: Engine, line: str) -> None:
    report = engine.check({"patient": {"medications": [line]}}, "2026-11-29")
    assert [m.drug for m in report.medications] == [None]
    assert [u.text for u in report.unresolved] == [line]


def test_with_the_form_or_the_strength_of_a_cream_they_mean_one(engine: Engine) -> None:
    report = engine.check({"patient": {"medications": ["TAC 0.1% cream bid", "tac ointment bid"]}}, "2026-11-29")
    assert [m.drug for m in report.medications] == ["drug.triamcinolone"] * 2
