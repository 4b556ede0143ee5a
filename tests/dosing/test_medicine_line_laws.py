"""Laws of a medicine line: in which order its parts stand, how they are written and what stands beside never change an amount."""

from __future__ import annotations

from itertools import permutations

import pytest
from conftest import examples, loaded
from hypothesis import given, settings
from hypothesis import strategies as st
from measuring.chart_lines import told_of

from safety.model.directions import Directions

DAY = "2026-11-20"
ENGINE = loaded()
DOSES = ["20 mg", "2.5 mg", "1/2 tab", "2 tabs", "1000 mg"]
OFTEN = ["bid", "q8h", "every other day", "at bedtime", "MWF", "once a week"]
NOISE = [
    "#30 RF2",
    "per Dr. Smith",
    "w/ food",
    "(Costco)",
    "until 4/22",
    "OPAT",
    "preop",
    "continuous",
    "eye exam due",
    "with spacer",
]


def read(line: str) -> Directions:
    (entry,) = told_of(line, ENGINE)
    return entry.directions


def amounts(line: str) -> tuple[object, ...]:
    d = read(line)
    steps = tuple((s.dose, s.times_per_day, s.per_day) for s in d.steps)
    return d.dose, d.times_per_day, d.per_day, d.day_max, bool(d.as_needed), steps, d.strength


@settings(deadline=None, max_examples=examples(60))
@given(dose=st.sampled_from(DOSES), often=st.sampled_from(OFTEN), order=st.sampled_from(list(permutations(range(3)))))
def test_the_order_of_the_parts_changes_no_amount(dose: str, often: str, order: tuple[int, ...]) -> None:
    parts = [dose, "by mouth", often]
    line = "metformin " + " ".join(parts[i] for i in order)
    told = read(line)
    assert not told.unread, line
    assert amounts(line) == amounts(f"metformin {dose} by mouth {often}")


@settings(deadline=None, max_examples=examples(60))
@given(
    line=st.sampled_from([
        "warfarin 7.5 mg Tu/Th, 5 mg all other days", "levothyroxine 112 mcg daily, 1/2 tab on sundays",
        "amox 400/5 7.5 mL bid x10d",
        "prednisone 60 mg daily x5d, then decrease by 10 mg q3 days", "daptomycin 6 mg/kg = 500 mg IV q24h", "lantus 20 qhs",
        "Depakote ER 500 x2 qhs", "clomid 50 d 3-7", "TMP-SMX SS bid 3 days a week", "gabapentin 300 1 am 1 noon 2 hs",
    ]),
    upper=st.booleans(), space=st.sampled_from([" ", "  ", "\t"]), noise=st.sampled_from(["", *NOISE]),
)  # fmt: skip
def test_case_spaces_and_what_stands_beside_change_no_amount(line: str, upper: bool, space: str, noise: str) -> None:
    other = f"{(line.upper() if upper else line).replace(' ', space)} {noise}".strip()
    told = read(other)
    asked = bool(told.unread) and not (told.dose or told.steps or told.per_day)
    assert asked or amounts(other) == amounts(line)
    assert not (asked and not noise), "case and spaces make nothing unread"


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("lantus 20 qhs", "lantus 20 units qhs"),
        ("lovenox 40 sq daily", "lovenox 40 mg sq daily"),
        ("cefdinir 250/5 3.5 mL bid", "cefdinir 250 mg/5 mL 3.5 mL bid"),
        ("rifampin 600 qd", "rifampin 600 mg qd"),
        ("amoxicillin 400/5 - 6 mL q12h", "amoxicillin 400 mg/5 mL 6 mL q12h"),
        ("Linzess 145 30 min before breakfast", "Linzess 145 mcg 30 min before breakfast"),
        ("myfortic 360 x2 bid", "myfortic 360 mg 2 tabs bid"),
        ("acyclovir 10 mg/kg IV q8h (700 mg)", "acyclovir 700 mg IV q8h"),
        ("prednisone 40 mg daily, decrease by 10 mg weekly", "prednisone 40 mg daily, decrease by 10 mg weekly until off"),
        ("Percocet 5/325 i-ii tabs q4h prn", "Percocet 5/325 1-2 tabs q4h prn"),
        ("clozapine 100 qam / 250 qhs", "clozapine 100 mg qam, 250 mg qhs"),
        ("gabapentin 100 qam / 300 qhs", "gabapentin 100 mg qam, 300 mg qhs"),
        ("azathioprine 50 mg (2.5 tab) qd", "azathioprine 50 mg 2.5 tabs qd"),
        ("azathioprine 100 mg (2 tabs) qd", "azathioprine 50 mg 2 tabs qd"),
        ("acetaminophen 650 mg (2 tablets) q6h", "acetaminophen 325 mg 2 tablets q6h"),
        ("warfarin 5 mg (1.5 tab) daily", "warfarin 5 mg 1.5 tab daily"),
        ("warfarin 7.5 mg (1.5 tab) daily", "warfarin 5 mg 1.5 tab daily"),
        ("methotrexate 15 mg wkly", "methotrexate 15 mg once a week"),
        ("PCN VK 500 qid till gone", "penicillin V 500 mg qid"),
        ("lisinopril 10 mg daily, BMP qmo", "lisinopril 10 mg daily"),
        ("clozapine 100 mg qhs, ANC wkly", "clozapine 100 mg qhs"),
    ],
)
def test_a_short_writing_comes_to_what_the_long_one_says(short: str, long: str) -> None:
    entries = [told_of(line, ENGINE)[0] for line in (short, long)]
    units = ENGINE.library.units
    one, other = ([(e.single(d, units), e.day(d, units)) for d in e.drugs] for e in entries)
    assert one == other
    assert entries[0].directions.steps == entries[1].directions.steps
    assert not entries[0].directions.unread


@pytest.mark.parametrize(
    "line",
    [
        "lantus 100 qhs",  # the concentration, or a hundred units
        "viagra 100 - 1/2 tab prn",
        "flomax 0.4 - 2 caps hs",
        "Flovent 110 inh 2 puffs bid",
        "clomid 50 d 3-7",
        "warfarin 5 mg daily and 2.5 mg on Mondays",
        "humalog 5u tid ac + SSI",
        "Vicodin 5/500 Oral Tablet",
        "xopenex 0.63 q6h",
    ],
)
def test_a_number_is_never_taken_for_what_it_is_not(line: str) -> None:
    told = read(line)
    doses = [told.dose, *(s.dose for s in told.steps)]
    assert not any(d and d[1].unit in ("", "tablet", "capsule", "inhalation") and d[1].value > 2 for d in doses)
    assert told.days is None or told.days < 50


@settings(deadline=None, max_examples=examples(40))
@given(
    name=st.sampled_from(["metformin", "lisinopril", "apixaban"]),
    amount=st.sampled_from(["500 blips", "2 or so", "7 zorkles bid", "12.5 xx daily", "half the usual"]),
)
def test_an_amount_that_is_not_read_is_never_clear(name: str, amount: str) -> None:
    report = ENGINE.check({"patient": {"medications": [f"{name} {amount}"]}}, DAY)
    assert report.verdict != "clear"
    assert report.unresolved


def test_methotrexate_beside_the_antibiotic_by_its_initials_is_found() -> None:
    lines = ["methotrexate 15 mg weekly", "TMP-SMX SS BID 3 days a week"]
    found = ENGINE.check({"patient": {"medications": lines}}, DAY).findings
    assert any({"drug.methotrexate", "drug.trimethoprim"} <= {d for s in f.subjects for d in _ids(s.drug)} for f in found)


def _ids(drug: object) -> list[str]:
    return [drug] if isinstance(drug, str) else [str(d) for d in drug] if isinstance(drug, tuple | list) else []


@pytest.mark.parametrize(
    "line", ["sodium bicarb 650 2 tabs tid", "sodium bicarbonate 650 mg tid", "potassium chloride 20 mEq daily"]
)
def test_a_medicine_called_by_a_salt_is_not_eaten(line: str) -> None:
    assert told_of(line, ENGINE)


@pytest.mark.parametrize("line", ["alcohol 2 drinks nightly", "grapefruit juice daily", "Nu-Salt salt substitute daily", "1 ppd",
                                  "cannabis edibles nightly", "tobacco 1 ppd"])  # fmt: skip
def test_what_is_eaten_drunk_or_smoked_is_no_medicine_in_any_list(line: str) -> None:
    assert not told_of(line, ENGINE)


@pytest.mark.parametrize(
    "line", ["losartan daily, potassium check in 2 weeks", "losartan 50 mg daily, check potassium in 2 weeks"]
)
def test_a_test_that_is_due_is_no_medicine(line: str) -> None:
    assert [e.answer.name for e in told_of(line, ENGINE)] == ["losartan"]


def test_one_more_of_the_same_when_needed_counts_for_the_day() -> None:
    told = read("furosemide 40 mg daily, may take an extra 40 mg prn swelling")
    assert (str(told.dose and told.dose[1]), told.times_per_day, told.as_needed) == ("40 mg", (1, 2), None)
    assert read("furosemide 40 mg daily, extra 20 mg prn swelling").unread  # another amount: asked about


def test_of_two_doses_by_how_bad_it_is_either_may_be_taken() -> None:
    told = read("oxycodone 5 mg q4h prn moderate pain, 10 mg q4h prn severe pain")
    assert [str(q) for q in told.dose or ()] == ["5 mg", "10 mg"]
    assert told.as_needed
    assert not told.unread


@pytest.mark.parametrize(
    "beside",
    [
        "(herbal)",
        "via handihaler",
        "until healed",
        "via GT",
        "pen-injector",
        "@ urology",
        "Rx'd by Dr. Lin 1/5/2024",
        "RSV season",
    ],
)
def test_a_device_a_prescriber_and_an_end_without_a_day_ask_nothing_and_change_nothing(beside: str) -> None:
    assert not read(f"metformin 500 mg bid {beside}").unread
    assert amounts(f"metformin 500 mg bid {beside}") == amounts("metformin 500 mg bid")


@pytest.mark.parametrize(
    "beside", ["stopped by Dr. Lin 1/5/2024", "ON HOLD until healed", "pt unsure if still taking", "not sure if still taking"]
)
def test_that_it_is_stopped_held_or_unsure_is_used_or_asked(beside: str) -> None:
    (entry,) = told_of(f"metformin 500 mg bid, {beside}", ENGINE)
    assert entry.directions.unread or entry.meaning.noted.status != "taken"


@pytest.mark.parametrize("often", ["weekly", "monthly", "wkly", "qmo", "qweek"])
@pytest.mark.parametrize("joined", [", {}", " - {}", " ({})", "; {}"])
def test_how_often_alone_between_marks_is_of_the_medicine_and_beside_a_test_of_the_test(often: str, joined: str) -> None:
    plain = amounts(f"methotrexate 15 mg {often}")
    assert amounts("methotrexate 15 mg" + joined.format(often)) == plain
    assert plain[1]
    daily = amounts("lisinopril 10 mg daily")
    assert amounts("lisinopril 10 mg daily" + joined.format(f"CBC {often}")) == daily


@pytest.mark.parametrize("beside", ["DC'd 4/12 d/t K 5.8", "discontinued because of eGFR 25", "stopped d/t glucose 45"])
def test_a_stop_for_a_result_is_a_stop_and_the_result_is_kept(beside: str) -> None:
    (entry,) = told_of(f"losartan 50 mg daily -- {beside}", ENGINE)
    assert entry.meaning.noted.status == "stopped"
    assert beside in entry.meaning.noted.kept
    (order,) = told_of("metoprolol 25 mg bid, hold for HR < 50", ENGINE)
    assert order.meaning.noted.status == "taken"
