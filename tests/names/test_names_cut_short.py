"""Names cut short, as charts write them: told by the dose, the words or the other medicine beside them, else asked about."""

from __future__ import annotations

import pytest
from conftest import loaded
from measuring.chart_lines import told_of

ENGINE = loaded()


def read(line: str) -> list[str]:
    """The medicines that a line is read as, without what a question is asked about."""
    return sorted(d.removeprefix("drug.") for e in told_of(line, ENGINE) if e.resolved for d in e.drugs)


@pytest.mark.parametrize(
    ("line", "drug"),
    [
        ("lina 5 mg qd", "linagliptin"),
        ("cande 8 qd", "candesartan"),
        ("fenof 145 mg qd", "fenofibrate"),
        ("praz 2 mg hs", "prazosin"),
        ("lova 20 hs", "lovastatin"),
        ("enoxap 80 mg SQ q12h", "enoxaparin"),
        ("hydralaz 10 mg IV q6h prn", "hydralazine"),
        ("decad 4 mg IV q6h", "dexamethasone"),
        ("dipyr 75 tid", "dipyridamole"),
        ("exen 10 mcg sq bid", "exenatide"),
    ],
)
def test_of_the_names_that_go_on_from_what_was_written_the_dose_tells_one(line: str, drug: str) -> None:
    assert read(line) == [drug]


@pytest.mark.parametrize("line", ["lina daily", "lami 250 mg qd", "alog"])
def test_what_two_names_go_on_from_in_that_dose_or_no_dose_tells_is_asked_about(line: str) -> None:
    assert read(line) == []


@pytest.mark.parametrize(
    ("line", "drug"),
    [
        ("CTX 1 g IV q24", "ceftriaxone"),
        ("CTX 2 g IV q12h", "ceftriaxone"),
        ("CTX 1 g IV q3wk", "cyclophosphamide"),
        ("CTX 750 mg/m2 d1", "cyclophosphamide"),
        ("depo 150 IM q12wks", "medroxyprogesterone"),
        ("depo 200 mg IM q2wk", "testosterone"),
        ("depo 40 IM knee", "methylprednisolone"),
        ("pred 40 x5d then 20 x5d", "prednisone"),
        ("pred 1% 1 gtt OU qid", "prednisolone"),
        ("hep 5000 sq q8h", "heparin"),
        ("ACV 400 bid", "acyclovir"),
        ("ACV 1 tbsp daily", "apple-cider-vinegar"),
        ("PEG 17 g daily", "polyethylene-glycol-3350"),
        ("levo 88 qd", "levothyroxine"),
        ("levo 0.05 mcg/kg/min", "norepinephrine"),
        ("dex 4 q6h x 24h then q12", "dexamethasone"),
        ("MS 2 mg IV q2h prn", "morphine"),
        ("MS 2 g IV x1", "magnesium-sulfate"),
        ("oxy 5 q4h prn", "oxycodone"),
    ],
)
def test_words_beside_a_short_form_tell_which_medicine_it_is(line: str, drug: str) -> None:
    assert read(line) == [drug]


@pytest.mark.parametrize(
    "line",
    ["CTX 1000 mg IV", "depo 100 mg IM", "levo 500 bid", "oxy 5 bid", "ACV daily", "MS 2 IV", "hep", "CTX 3600 mg IV daily x2"],
)
def test_a_short_form_that_nothing_beside_it_tells_of_is_asked_about(line: str) -> None:
    assert read(line) == []


@pytest.mark.parametrize(
    ("line", "drugs"),
    [
        ("oxy/apap 5/325 q6h prn", ["acetaminophen", "oxycodone"]),
        ("hydroc/acet 10/325 q6h", ["acetaminophen", "hydrocodone"]),
        ("HC/APAP 5/325 1 q6h prn", ["acetaminophen", "hydrocodone"]),
        ("flut/salm 250/50 1 puff bid", ["fluticasone", "salmeterol"]),
        ("sacub/vals 49/51 bid", ["sacubitril", "valsartan"]),
        ("olmes/amlo/hctz 40/5/12.5 qd", ["amlodipine", "hydrochlorothiazide", "olmesartan"]),
    ],
)
def test_medicines_sold_together_are_known_by_their_beginnings(line: str, drugs: list[str]) -> None:
    assert read(line) == drugs


def test_medicines_sold_in_no_product_together_are_two() -> None:
    assert len(told_of("warf/asa", ENGINE)) == 2


def test_of_two_such_pairs_the_strength_tells_or_it_is_asked_about() -> None:
    assert read("ethin/nor 1 qd") == []


@pytest.mark.parametrize(
    ("line", "drugs"),
    [
        ("Zytiga 1000 mg qd + pred 5 bid", ["abiraterone", "prednisone"]),
        ("gabapentin 300 tid, oxy 5 q4h prn", ["gabapentin", "oxycodone"]),
        ("warfarin 5 mg daily, PEG 17 g daily", ["polyethylene-glycol-3350", "warfarin"]),
    ],
)
def test_a_short_form_with_a_dose_behind_a_mark_is_another_medicine(line: str, drugs: list[str]) -> None:
    assert read(line) == drugs


def test_a_short_form_behind_a_mark_that_nothing_tells_of_is_asked_about_by_itself() -> None:
    first, second = told_of("metoprolol 25 bid, met 500 bid", ENGINE)
    assert (first.resolved, second.resolved) == (True, False)


@pytest.mark.parametrize(
    ("line", "drug"), [("oxy 10 u IM", "oxytocin"), ("bup 8 SL bid", "buprenorphine"), ("Li 300 bid", "lithium")]
)
def test_what_is_left_when_others_are_not_sold_so_is_not_taken_for_meant(line: str, drug: str) -> None:
    assert read(line) == [drug]


def test_the_beginning_of_a_generic_name_is_no_brand_that_begins_so() -> None:
    assert read("droxi 300 tid") == ["droxidopa"]
