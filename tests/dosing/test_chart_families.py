"""Families of lines as charts have them: each is read to the amounts that a pharmacist means by it, or it is asked about."""

from __future__ import annotations

from fractions import Fraction

import pytest
from conftest import examples, loaded
from hypothesis import given, settings
from hypothesis import strategies as st
from measuring.chart_lines import told_of

from safety.model.directions import Directions
from safety.understanding.medications import Entry

ENGINE = loaded()
TESTS = ["LFTs", "TSH", "A1c", "CBC", "potassium", "dig level", "INR", "BMP", "ferritin", "K+ and Cr"]
RHYTHMS = ["q6 months", "every 3 months", "monthly", "weekly", "q 4 wks", "in 6 weeks", "q3mo"]


def entries(line: str) -> tuple[Entry, ...]:
    return told_of(line, ENGINE)


def read(line: str) -> Directions:
    (entry,) = entries(line)
    return entry.directions


def dose(line: str) -> str:
    told = read(line).dose
    return "" if told is None else str(told[0]) if told[0] == told[1] else f"{told[0]} to {told[1]}"


def often(line: str) -> Fraction | None:
    told = read(line).times_per_day
    return told[1] if told is not None else None


def steps(line: str) -> list[tuple[str, Fraction | None, int | None]]:
    found = []
    for step in read(line).steps:
        assert step.dose is not None
        times = step.times_per_day[1] if step.times_per_day else None
        found.append((str(step.dose[1]), times, int(step.days) if step.days is not None else None))
    return found


@settings(deadline=None, max_examples=examples(80))
@given(test=st.sampled_from(TESTS), rhythm=st.sampled_from(RHYTHMS), mark=st.sampled_from([", ", " - ", "; ", " ("]))
def test_how_often_something_is_measured_is_never_how_often_the_medicine_is_taken(test: str, rhythm: str, mark: str) -> None:
    line = f"amiodarone 200 mg daily{mark}{test} {rhythm}" + (")" if "(" in mark else "")
    (entry,) = entries(line)
    d = entry.directions
    assert d.times_per_day in ((Fraction(1), Fraction(1)), None), line
    assert d.times_per_day is not None or d.unread, line


@pytest.mark.parametrize(
    "line", ["amiodarone 200 mg daily, dental cleaning every 6 months", "lithium 900 mg qhs, gizmo every 3 months"]
)
def test_what_is_done_seldom_beside_a_daily_dose_is_asked_about(line: str) -> None:
    assert read(line).times_per_day is None
    assert read(line).unread


def test_potassium_that_is_taken_stays_a_medicine() -> None:
    assert len(entries("lisinopril 10 mg, potassium daily")) == 2
    assert len(entries("lisinopril 10 mg daily, potassium monthly")) == 1


@pytest.mark.parametrize(
    ("line", "times"),
    [
        ("cisplatin 75 mg/m2 IV d1 q21d", Fraction(1, 21)),
        ("bortezomib 1.3 mg/m2 SQ d1,4,8,11 q21d", Fraction(4, 21)),
        ("gemcitabine 1000 mg/m2 days 1, 8 and 15 of a 28 day cycle", Fraction(3, 28)),
        ("docetaxel 75 mg/m2 day 1 every 3 weeks", Fraction(1, 21)),
        ("Xeloda 1500 mg bid d1-14 q21d", Fraction(2)),
        ("Lonsurf 35 mg/m2 bid d1-5, d8-12 q28d", Fraction(2)),
        ("digoxin 0.125 mg po daily except Sunday", Fraction(6, 7)),
        ("Synthroid 125 mcg daily, skip Sat and Sun", Fraction(5, 7)),
        ("levothyroxine 100 mcg M T W Th F", Fraction(5, 7)),
        ("digoxin 125mcg M-F", Fraction(5, 7)),
        ("metoprolol 25 mg 1-0-1", Fraction(2)),
        ("simvastatin 20 mg 0-0-1", Fraction(1)),
        ("Humira 40 mg sc eow", Fraction(1, 14)),
        ("gabapentin three hundred three times a day", Fraction(3)),
        ("spironolactone 25 mg 1/2 tab q MWF", Fraction(3, 7)),
    ],
)  # fmt: skip
def test_so_often(line: str, times: Fraction) -> None:
    assert not read(line).unread
    assert often(line) == times


@pytest.mark.parametrize(
    "line", ["rituximab 1000 mg IV day 1 and 15", "Neulasta 6 mg sc day 2 of each cycle", "advil 200 mg x2 q6h prn"]
)
def test_what_may_be_meant_in_two_ways_is_asked_about(line: str) -> None:
    assert read(line).unread


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("ferrous sulfate 325 mg (65 mg elemental iron) tid", "325 mg"),
        ("potassium citrate 1080 mg (10 mEq) tid", "10 mEq"),
        ("insulin glargine 100 unit/mL (3 mL) pen, inject 22 Units into the skin nightly", "22 unit"),
        ("vit D 50k weekly", "50000 unit"),
        ("lisinopril20mgdaily", "20 mg"),
        ("Effexor XR 75 mg + 37.5 mg qam", "112.5 mg"),
        ("Zyrtec 10 OTC qd", "10 mg"),
        ("levofloxacin 500 mg q24h x 7", "500 mg"),
        ("artificial tears 2 gtts OU qid", "2 drop"),
    ],
)  # fmt: skip
def test_so_much_at_once(line: str, told: str) -> None:
    assert not read(line).unread
    assert dose(line) == told


def test_doses_of_one_day_with_times_of_their_own_add_up() -> None:
    for line, day in (("methadone 5 mg tid and 10 mg hs", "25 mg"), ("valproate 500 mg bid and 250 mg at noon", "1250 mg"),
                      ("Humalog 5/7/8 units with breakfast/lunch/dinner", "20 unit")):  # fmt: skip
        told = read(line).per_day
        assert told is not None, line
        assert str(told[1]) == day
    assert read("lisinopril 10 mg bid, 20 mg daily").dose is None, "two regimens that contradict each other"


def test_the_strengths_beside_the_names_of_a_combination_are_no_dose_of_one_of_them() -> None:
    for line in ("lisinopril 10 & HCTZ 12.5 daily", "lisinopril 10 mg and HCTZ 12.5 mg daily", "lisinopril 10/HCTZ 12.5 daily"):
        (entry,) = entries(line)
        held = {c.drug: str(c.amount) for p in entry.meaning.strengths for c in p.contents}
        assert held == {"drug.lisinopril": "10 mg", "drug.hydrochlorothiazide": "12.5 mg"}, line
        assert dose(line) == "1 tablet"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("dexamethasone 4 mg q6h x 2 days, q8h x 2 days, q12h x 2 days",
         [("4 mg", Fraction(4), 2), ("4 mg", Fraction(3), 2), ("4 mg", Fraction(2), 2)]),
        ("gabapentin 300mg qhs x3d, bid x3d, then tid",
         [("300 mg", Fraction(1), 3), ("300 mg", Fraction(2), 3), ("300 mg", Fraction(3), None)]),
        ("prednisone 40-20-10 mg q3d", [("40 mg", Fraction(1), 3), ("20 mg", Fraction(1), 3), ("10 mg", Fraction(1), 3)]),
        ("clonazepam 0.5 mg bid x 1 wk, 0.25 mg bid x 1 wk, 0.25 mg qhs x 1 wk then d/c",
         [("0.5 mg", Fraction(2), 7), ("0.25 mg", Fraction(2), 7), ("0.25 mg", Fraction(1), 7)]),
        ("varenicline 0.5 mg daily days 1-3, 0.5 mg bid days 4-7, 1 mg bid day 8 on",
         [("0.5 mg", Fraction(1), 3), ("0.5 mg", Fraction(2), 4), ("1 mg", Fraction(2), None)]),
        ("Coumadin 5 MWF / 2.5 TTSS", [("5 mg", Fraction(3, 7), None), ("2.5 mg", Fraction(4, 7), None)]),
    ],
)  # fmt: skip
def test_doses_in_turn(line: str, told: list[tuple[str, Fraction | None, int | None]]) -> None:
    assert steps(line) == told


@pytest.mark.parametrize("line", ["gabapentin 300/300/600", "gabapentin 300-300-600", "gabapentin 300/300/600 mg"])
def test_three_doses_in_a_row_are_those_of_one_day(line: str) -> None:
    (entry,) = entries(line)
    assert not entry.directions.unread
    day = entry.directions.per_day
    assert day is not None
    assert {q.value for q in day} == {1200}


@pytest.mark.parametrize(
    ("line", "drugs"),
    [
        ("vitamin E and a low-dose aspirin", ["drug.vitamin-e", "drug.aspirin"]),
        ("metformin and low dose aspirin", ["drug.metformin", "drug.aspirin"]),
        ("Patient reports that she takes metformin 500 mg twice a day", ["drug.metformin"]),
        ("The patient reports that he has been taking ibuprofen 800 mg 3 times daily", ["drug.ibuprofen"]),
        ("Ibuprofen over-the-counter p.r.n", ["drug.ibuprofen"]),
        ("She is currently on her nystatin ointment to her lips q.i.d. p.r.n", ["drug.nystatin"]),
        ("His only medications are Flonase and Remeron", ["drug.fluticasone", "drug.mirtazapine"]),
        ("The patient currently utilizes metformin 500 mg twice daily and Norvasc", ["drug.metformin", "drug.amlodipine"]),
    ],
)
def test_a_sentence_of_a_note_tells_its_medicines(line: str, drugs: list[str]) -> None:
    told = entries(line)
    assert [d for e in told for d in e.drugs] == drugs
    assert not any(e.directions.unread for e in told)


@pytest.mark.parametrize("line", ["He is on no medications", "Patient denies taking any current medications", "none"])
def test_that_nothing_is_taken_is_told_in_a_sentence_too(line: str) -> None:
    report = ENGINE.check(
        {"patient": {"age": "50 y", "medications": [line]}, "plan": ["loratadine 10 mg daily"]}, as_of="2026-11-30"
    )
    assert (len(report.medications), report.unresolved) == (1, [])


@pytest.mark.parametrize("line", ["Denies herbal medications", "no regular medications", "no home meds"])
def test_that_some_kinds_are_not_taken_stays_a_question(line: str) -> None:
    report = ENGINE.check(
        {"patient": {"age": "50 y", "medications": [line]}, "plan": ["loratadine 10 mg daily"]}, as_of="2026-11-30"
    )
    assert report.unresolved


@pytest.mark.parametrize("why", ["for her knees", "prn breakthrough", "prn n/v", "for flares", "prn mod pain"])
def test_where_it_hurts_is_a_reason_that_is_not_asked_about(why: str) -> None:
    report = ENGINE.check(
        {"patient": {"age": "50 y", "medications": [f"acetaminophen 650 mg q6h {why}"]}, "plan": []}, as_of="2026-11-30"
    )
    assert not report.unresolved


@pytest.mark.parametrize(("line", "mg"), [("Humira 40/0.4 pen q other wk", "40 mg"), ("Mounjaro 7.5/0.5 inject q wk", "7.5 mg")])
def test_the_volume_behind_what_a_pen_holds_says_nothing_more(line: str, mg: str) -> None:
    assert not read(line).unread
    assert dose(line) == mg


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("EpiPen 0.3 mg IM prn, 2-pack", "0.3 mg"),
        ("EpiPen 2-pack 0.3 mg prn anaphylaxis", "0.3 mg"),
        ("Narcan 4 mg nasal 2 pack prn", "4 mg"),
    ],
)
def test_a_pack_of_two_is_no_dose_of_two(line: str, told: str) -> None:
    assert not read(line).unread
    assert dose(line) == told


def test_a_whole_number_behind_what_a_pen_holds_stays_open() -> None:
    assert read("Humira 40/2 weekly").unread


@pytest.mark.parametrize(("line", "told"), [("Belbuca 300 bid", "300 mcg"), ("Sublocade 300 monthly", "1 syringe")])
def test_a_number_behind_a_brand_is_of_that_brand(line: str, told: str) -> None:
    assert not read(line).unread
    assert dose(line) == told


@pytest.mark.parametrize("line", ["losartan 100/25", "levothyroxine 88/100", "prednisone 5/10/20", "prednisone 10/20/26"])
def test_what_may_be_a_product_turns_or_a_date_is_no_row_of_doses(line: str) -> None:
    (entry,) = entries(line)
    assert entry.directions.per_day is None


@pytest.mark.parametrize(
    ("line", "most"), [("Imodium 2 mg after each loose stool max 16 mg", "16"), ("morphine 2 mg IV prn max 10 mg", "10")]
)
def test_the_most_of_what_is_taken_as_needed_is_of_a_day(line: str, most: str) -> None:
    (entry,) = entries(line)
    assert not entry.directions.unread
    assert entry.directions.day_max is not None
    assert entry.directions.day_max.value == int(most)


@pytest.mark.parametrize(("line", "times"), [("B12 1000 mcg IM q monthly", (1, 31)), ("Trulicity 1.5 mg q weekly", (1, 7))])
def test_every_before_an_adverb_of_time_says_nothing_more(line: str, times: tuple[int, int]) -> None:
    (entry,) = entries(line)
    assert not entry.directions.unread
    assert entry.directions.times_per_day is not None
    assert entry.directions.times_per_day[0] == Fraction(*times)


@pytest.mark.parametrize("amount", ["methadone 85 daily", "sertraline 250 daily", "prednisone 47.5 daily"])
def test_a_number_that_strengths_add_up_to_is_in_their_unit(amount: str) -> None:
    (entry,) = entries(amount)
    assert not entry.directions.unread
    assert entry.directions.dose is not None
    assert entry.directions.dose[0].unit == "mg"


def test_a_number_that_no_strength_divides_stays_open() -> None:
    (entry,) = entries("losartan 60 daily")
    assert entry.directions.unread or entry.directions.number


@pytest.mark.parametrize("end", ["then d/c", "then stop", ", off", "then discontinue"])
def test_a_course_that_is_to_end_was_not_stopped(end: str) -> None:
    (entry,) = entries(f"prednisone 60 mg daily x3d, 40 mg daily x3d, 20 mg daily x3d {end}")
    assert entry.meaning.noted.status == "taken"
    assert entry.current


def test_a_medicine_that_was_stopped_is_stopped() -> None:
    for line in ("metformin 500 mg bid, d/c'd", "lisinopril 10 mg d/c", "amoxicillin 500 mg tid x 10 days - completed"):
        assert entries(line)[0].meaning.noted.status == "stopped", line


@pytest.mark.parametrize(
    "supply", ["test strips qid", "OneTouch Verio test strips #100", "alcohol swabs", "pen needles 32g 4mm", "CPAP nightly"]
)
def test_supplies_are_no_medicine_and_nothing_is_asked(supply: str) -> None:
    assert entries(supply) == ()
    assert [e.answer.name for e in entries(f"{supply}, metformin 500 mg bid")] == ["metformin"]


def test_a_medicine_beside_supplies_is_read() -> None:
    assert [e.answer.name for e in entries("insulin syringes with Lantus 20 units")] == ["insulin glargine"]


def test_what_people_call_a_medicine_by_is_no_other_medicine() -> None:
    for line, name in (
        ("my thyroid pill levothyroxine 75 every morning", "levothyroxine"),
        ("heart pill metoprolol 25 twice a day", "metoprolol"),
        ("cholesterol pill (lipitor 20) at night", "atorvastatin"),
    ):
        assert [e.answer.name for e in entries(line)] == [name], line
    assert not entries("flurbozide pill lisinopril")[0].resolved


# --- what pens hold, what is added, what is taken off -------------------------------------------------------------------


def day_of(line: str) -> list[str]:
    (entry,) = entries(line)
    return [str(entry.day(drug, ENGINE.library.units)) for drug in entry.drugs]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Repatha 140 mg/mL q2wk", "140 mg"),
        ("Repatha 140 mg/mL 1 pen q14d", "140 mg"),
        ("Repatha 420 mg/3.5 mL monthly", "420 mg"),
        ("Humira 40 mg/0.8 mL q2wk", "40 mg"),
        ("Humira 40 mg/0.4 mL pen sc every 14 days", "40 mg"),
        ("Prolia 60 mg/mL every 6 months", "60 mg"),
        ("Depo-Provera 150 mg/mL IM q12 weeks", "150 mg"),
        ("Lovenox 80 mg/0.8 mL SQ q12h", "80 mg"),
    ],
)
def test_a_pen_that_is_used_up_at_once_gives_all_that_its_label_tells(line: str, told: str) -> None:
    assert not read(line).unread
    assert dose(line) == told


@pytest.mark.parametrize(
    "line",
    ["Ozempic 2 mg/3 mL weekly",
     "testosterone cypionate 200 mg/mL IM q2 weeks", "Victoza 18 mg/3 mL daily",
     "haloperidol decanoate 100 mg/mL monthly", "ketorolac 30 mg/mL prn"],
)  # fmt: skip
def test_what_holds_several_doses_tells_none(line: str) -> None:
    assert dose(line) == ""


def test_of_a_stronger_syringe_the_volume_taken_decides() -> None:
    assert day_of("Stelara 90 mg/mL 0.5 mL q8 weeks") == ["45 mg"]


def test_only_what_is_taken_once_a_week_is_one_dose_where_an_amount_is_told_by_the_week() -> None:
    assert (dose("methotrexate 15 mg/week"), often("methotrexate 15 mg per week")) == ("15 mg", Fraction(1, 7))
    for line in ("warfarin 35 mg/week", "levothyroxine 875 mcg/week", "testosterone 100 mg/week"):
        assert dose(line) == "", line


@pytest.mark.parametrize("off", ["remove qhs", "remove at bedtime", "remove at night", "off at hs"])
def test_when_a_patch_is_taken_off_is_no_dose(off: str) -> None:
    assert often(f"lidocaine 5% patch apply 1 patch to back qam, {off}") == Fraction(1)


@pytest.mark.parametrize("low", ["1/2", "1/4"])
@pytest.mark.parametrize("dash", ["-", " - ", " to "])
def test_a_range_that_begins_with_a_part_of_one(low: str, dash: str) -> None:
    told = read(f"clonazepam 0.5 mg {low}{dash}1 tab bid prn").dose
    assert told is not None
    assert [str(q.value) for q in told] == [str(float(Fraction(low))), "1"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("venlafaxine XR 150 mg + 75 mg caps daily", "225 mg"),
        ("venlafaxine XR 150 mg + 75 mg caps daily (total 225)", "225 mg"),
        ("temozolomide 140 mg cap + 20 mg cap (= 160 mg) daily", "160 mg"),
        ("Mag-Ox 400 bid", "400 mg"),
        ("depakote ER 500: 2 tabs qhs", "2 tablet"),
        ("erythromycin ophth ointment 1/2 inch ribbon OU qid", "1 application"),
        ("Bactrim DS bid", "1 tablet"),
        ("Sprintec 28 1 tab po daily", "1 tablet"),
        ("baby asprin one every day", "1"),
    ],
)
def test_so_much_is_taken_at_a_time(line: str, told: str) -> None:
    assert not read(line).unread
    assert dose(line) == told


def test_the_days_in_a_pack_are_neither_a_dose_nor_a_course() -> None:
    assert day_of("Yasmin 28 1 tab daily") == day_of("Yasmin 1 tab daily")
    assert read("Yasmin 28 1 tab daily").days is None


def test_a_vial_for_the_nebulizer_holds_what_its_label_tells() -> None:
    assert day_of("albuterol 2.5 mg/3 mL 1 vial neb q6h") == ["10 mg"]
    assert day_of("DuoNeb 0.5-2.5 mg/3 mL 1 vial neb qid") == ["2 mg", "10 mg"]
    assert day_of("ceftriaxone 1 g/10 mL 1 vial IV daily") == ["not told (strength)"]


def test_days_on_which_another_medicine_is_taken_are_left_out() -> None:
    told = read("folic acid 1 mg daily except MTX day")
    assert not told.unread
    assert told.times_per_day is not None
    assert told.times_per_day[0] < told.times_per_day[1] == 1


@pytest.mark.parametrize(
    "heading", ["CHANGE how you take ", "CONTINUE taking these medications: ", "New: ", "START taking ", "Home meds: "]
)
def test_what_a_list_prints_before_a_medicine_changes_nothing(heading: str) -> None:
    told, plain = read(f"{heading}furosemide 20 mg tablet, 2 tabs qam"), read("furosemide 20 mg tablet, 2 tabs qam")
    assert (told.dose, told.times_per_day, told.unread, told.steps) == (plain.dose, plain.times_per_day, (), ())


def test_a_medicine_that_is_to_be_stopped_is_not_taken() -> None:
    (entry,) = entries("STOP taking these medications: ibuprofen 600 mg")
    assert not entry.current


def test_a_regimen_by_its_name_is_all_of_its_medicines() -> None:
    (entry,) = entries("FOLFOX q14 days")
    assert set(entry.drugs) == {"drug.fluorouracil", "drug.leucovorin", "drug.oxaliplatin"}
    assert often("FOLFOX q14 days") == Fraction(1, 14)
    (other,) = entries("R-CHOP q21d")
    assert "drug.prednisone" in other.drugs


# --- what is handed out, why and to whom ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "handed", [" Disp-90 R-3", " Disp 90 R3", ", disp #30, R3", " #90 RF3", " (6 yo)", " dly (OTP, observed)"]
)
def test_how_many_are_handed_out_and_to_whom_is_no_dose(handed: str) -> None:
    line = f"methadone 10 mg{'' if 'dly' in handed else ' daily'}{handed}"
    assert (dose(line), often(line), read(line).unread) == ("10 mg", Fraction(1), ())


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("albuterol 2 puffs q4h prn (asthma)", "asthma"), ("dexamethasone 4mg q6h (brain mets)", "brain mets"),
        ("MOM 30 mL qhs prn no BM x2d", "no BM x 2 d"),
    ],
)  # fmt: skip
def test_why_it_is_taken_stands_in_brackets_or_behind_as_needed(line: str, reason: str) -> None:
    assert (read(line).reason, read(line).unread) == (reason, ())


@pytest.mark.parametrize(
    "line", ["propranolol 20 mg bid (asthma)", "metformin 500 mg bid - hyponatremia", "amoxicillin 500 mg tid (hives)"]
)
def test_what_a_medicine_may_harm_or_have_done_stays_asked_about(line: str) -> None:
    assert read(line).unread
