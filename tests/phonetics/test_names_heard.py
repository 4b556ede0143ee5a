"""Names as they are spoken, misspelt or split: found, asked about, or not recognised; never silently another drug."""

from __future__ import annotations

import time

import pytest
from conftest import SHARED
from measuring.names import Tally, heard_rows, measure, typed_rows

from safety.engine import Engine
from safety.knowledge.library import LookAlike
from safety.reading.names.resolver import NameAnswer
from safety.reading.names.short import SHORT_FOR

VOCABULARY = SHARED / "data" / "vocabulary"


def drugs(told: str | list[str] | None) -> list[str]:
    return sorted([told] if isinstance(told, str) else told or [])


def offered(answer: NameAnswer) -> list[list[str]]:
    return [drugs(c.drug) for c in answer.candidates]


@pytest.mark.parametrize(
    ("heard", "drug", "via"),
    [
        ("met formin", "drug.metformin", "split"),
        ("a tore va statin", "drug.atorvastatin", "phonetic"),
        ("hydro chlora thigh azide", "drug.hydrochlorothiazide", "phonetic"),
        ("zee pack", "drug.azithromycin", "phonetic"),
    ],
)
def test_a_name_split_into_words_is_put_together_and_asked_back(engine: Engine, heard: str, drug: str, via: str) -> None:
    answer = engine.name(heard)
    assert (answer.status, answer.drug, answer.via, answer.confirm) == ("match", drug, via, True)
    assert answer.ask.endswith("meant?")
    assert "sound" in answer.candidates[0].why


@pytest.mark.parametrize(
    ("heard", "both"),
    [
        ("hydroxizine", ["drug.hydroxyzine", "drug.hydralazine"]),
        ("predisone", ["drug.prednisone", "drug.prednisolone"]),
        ("celebrexa", ["drug.celecoxib", "drug.citalopram"]),
        ("quinadin", ["drug.quinidine", "drug.quinine"]),
    ],
)
def test_a_look_alike_within_reach_is_asked_about_however_near_the_first_is(engine: Engine, heard: str, both: list[str]) -> None:
    answer = engine.name(heard)
    assert (answer.status, answer.drug) == ("ambiguous", None)
    assert all([d] in offered(answer) for d in both)
    assert len(answer.candidates) <= 5


def test_the_question_says_what_each_candidate_is_for(engine: Engine) -> None:
    ask = engine.name("hydroxizine").ask
    assert "hydroxyzine, for itching, allergy or anxiety" in ask
    assert "hydralazine, for blood pressure" in ask


def look_alikes(engine: Engine) -> list[LookAlike]:
    return [group for group in engine.library.lookalikes if group.basis != SHORT_FOR]


def test_every_member_of_a_look_alike_group_is_a_match_when_it_is_spelt_right(engine: Engine) -> None:
    for group in look_alikes(engine):
        for member, name in zip(group.members, group.names, strict=True):
            product = engine.library.product.get(member)
            assert drugs(engine.name(name).drug) == sorted(product.drugs if product else [member]), name


def test_an_abbreviation_of_two_is_asked_about(engine: Engine) -> None:
    answer = engine.name("T3 1-2 q6h prn")
    assert (answer.status, answer.drug) == ("ambiguous", None)
    alone = engine.name("T3")
    for one in (answer, alone):
        assert {"liothyronine", "Tylenol with Codeine"} == {c.name for c in one.candidates}
    assert alone.confirm


def test_every_look_alike_with_one_letter_doubled_is_never_another_member(engine: Engine) -> None:
    for group in look_alikes(engine):
        for member, name in zip(group.members, group.names, strict=True):
            answer = engine.name(name[:4] + name[3:])
            product = engine.library.product.get(member)
            assert drugs(answer.drug) in ([], sorted(product.drugs if product else [member])), name


def test_a_short_form_of_several_alone_is_asked_about_with_all_that_it_may_be(engine: Engine) -> None:
    groups = [group for group in engine.library.lookalikes if group.basis == SHORT_FOR]
    assert groups
    for group in groups:
        answer = engine.name(group.names[0])
        assert (answer.status, len(set(group.names))) == ("ambiguous", 1), group.names
        assert {d for each in offered(answer) for d in each} == set(group.members), group.names


@pytest.mark.parametrize(
    ("line", "drug"),
    [
        ("levo 112 mcg daily", "drug.levothyroxine"),
        ("met 1000 bid", "drug.metformin"),
        ("CTX 50 mg po daily", "drug.cyclophosphamide"),
        ("prop 40 mg bid", "drug.propranolol"),
        ("val 160 daily", "drug.valsartan"),
        ("clon 0.1 mg bid", "drug.clonidine"),
        ("CTX 2 g IV daily", "drug.ceftriaxone"),
        ("pred 10 mg daily", "drug.prednisone"),
        ("oxy 5 mg q6h", "drug.oxycodone"),
        ("MS 4 mg IV", "drug.morphine"),
    ],
)
def test_what_stands_beside_a_short_form_says_which_is_meant_and_it_is_asked_back(engine: Engine, line: str, drug: str) -> None:
    answer = engine.name(line)
    assert (answer.status, answer.drug, answer.confirm) == ("match", drug, True)


@pytest.mark.parametrize("line", ["CTX", "hydro 25 mg", "oxy", "MS"])
def test_a_short_form_that_two_are_sold_as_stays_a_question(engine: Engine, line: str) -> None:
    answer = engine.name(line)
    assert (answer.status, answer.drug) == ("ambiguous", None)
    assert len(answer.candidates) > 1


@pytest.mark.parametrize("line", ["met formin", "Ms. Patel", "levo thyroxine 50 mcg"])
def test_a_short_form_that_goes_on_as_a_name_or_a_title_is_none(engine: Engine, line: str) -> None:
    assert all("may be short" not in c.why for c in engine.name(line).candidates)


@pytest.mark.parametrize(
    ("line", "drug"),
    [("mirab 25 mg", "drug.mirabegron"), ("losa 50", "drug.losartan")],
)
def test_a_name_cut_short_is_meant_where_it_is_sold_in_the_strength_beside_it(engine: Engine, line: str, drug: str) -> None:
    answer = engine.name(line)
    assert (answer.status, answer.drug, answer.confirm) == ("match", drug, True)
    assert engine.name(line.split()[0]).status == "ambiguous"


@pytest.mark.parametrize("word", ["kitchen", "abdomen", "garden", "lantern", "relax", "vertical", "california"])
def test_an_everyday_word_is_not_a_medicine_however_near_one_is(engine: Engine, word: str) -> None:
    answer = engine.name(word)
    assert (answer.status, answer.drug) == ("unrecognised", None)
    assert "spell" in answer.ask


@pytest.mark.parametrize("line", ["not warfarrin", "stop metforminn", "metforminn lisinopril 10 mg", "warfarrin zzyx"])
def test_words_that_do_not_belong_to_the_name_keep_a_misspelling_from_being_taken(engine: Engine, line: str) -> None:
    assert engine.name(line).status != "match"


def test_a_misspelt_name_in_a_line_leaves_its_directions_to_be_read(engine: Engine) -> None:
    read = engine.checker.resolver.read("atorvastatinn 20 mg once daily")
    assert (read.drugs, read.rest) == (("drug.atorvastatin",), "20 mg once daily")
    assert read.answer.confirm


def test_a_code_settles_a_text_that_is_only_near(engine: Engine) -> None:
    from safety.model.patient import Code

    code = engine.library.drug["drug.hydroxyzine"].rxnorm or ""
    answer = engine.checker.resolver.read("hydroxizine", [Code("rxnorm", code)]).answer
    assert (answer.status, answer.drug, answer.via) == ("match", "drug.hydroxyzine", "code")


def test_the_same_text_gives_the_same_answer(engine: Engine) -> None:
    for text in ("lisinaprel", "some tall stuff", "pred", "bend a drill"):
        assert engine.name(text) == engine.name(text)


@pytest.mark.parametrize(
    "text", ["q" * 10_000, "zyx " * 2_000, "é" * 400, "💊" * 300, "'; DROP TABLE drugs; -- " * 40, "a " * 900]
)
def test_hostile_text_is_unrecognised(engine: Engine, text: str) -> None:
    answer = engine.name(text)
    assert answer.status == "unrecognised"


# ------------------------------------------------------------------ measured, where the reference tables are at hand


def share(tallies: list[Tally], of: str) -> float:
    return sum(getattr(t, of) for t in tallies) / sum(t.rows for t in tallies)


@pytest.mark.skipif(not (VOCABULARY / "names_dev.csv").is_file(), reason="the reference tables are not on this machine")
def test_misspelt_and_split_names_meet_the_goals(engine: Engine) -> None:
    tallies = measure(typed_rows(VOCABULARY / "names_dev.csv", engine.name), engine.name, time.perf_counter)
    by_kind = {t.kind: t for t in tallies}
    recoverable = [t for t in tallies if t.kind not in ("lasa_ambiguous", "not_a_drug")]
    assert share(recoverable, "found") >= 0.97
    assert share(recoverable, "wrong") <= 0.005
    assert by_kind["not_a_drug"].wrong == 0
    assert by_kind["lasa_ambiguous"].wrong == 0


@pytest.mark.skipif(not (VOCABULARY / "asr_dev.csv").is_file(), reason="the reference tables are not on this machine")
def test_recogniser_output_meets_the_goals(engine: Engine) -> None:
    tallies = measure(heard_rows(VOCABULARY / "asr_dev.csv", engine.name), engine.name, time.perf_counter)
    by_kind = {t.kind: t for t in tallies}
    assert by_kind["flite near"].found / by_kind["flite near"].rows >= 0.85
    assert share(tallies, "wrong") <= 0.005
    assert by_kind["phrase, no drug"].wrong == 0
