"""What plans and people say in few words: numbers alone, courses, switches, orders without a verb, what others take."""

from __future__ import annotations

import pytest

from safety.engine import Engine


@pytest.mark.parametrize(
    ("said", "dose"),
    [
        ("prednisone 40 mg daily x 5 d", "40 mg"),
        ("nitrofurantoin 100 mg BID x5d", "100 mg"),
        ("amoxicillin 875 bid x 10d", "875 mg"),
        ("azithromycin 500 mg x1 then 250 mg daily x4", "500 mg"),
        ("Taper clonazepam to 0.5 mg BID x2 wks, then 0.5 qhs.", "0.5 mg"),
        ("cipro 500 BID x7", "500 mg"),
        ("Cont diltiazem CD 240.", "240 mg"),
        ("I've been on Norvasc, the 5, for a couple years now.", "5 mg"),
        ("I take metoprolol, the long acting, 50.", "50 mg"),
        ("I take hydroxyzine 25 when I get nervous.", "25 mg"),
        ("Also I take Zyrtec every day, 10.", "10 mg"),
        ("It's trazodone, 50, half a tab most nights.", "0.5 tablets of 50 mg"),
        ("Lexapro increased from 10 to 20 mg at last visit.", "20 mg"),
        ("Amlodipine down from 10 to 5 for edema.", "5 mg"),
        ("Uptitrate Entresto to 97/103 BID.", "97/103 mg"),
        ("I take lisinopril at 10 at night", None),
        ("I take lisinopril 20 years now", None),
        ("lisinopril x 10 days", None),
    ],
)
def test_a_course_is_no_amount_and_a_number_alone_is_the_dose(engine: Engine, said: str, dose: str | None) -> None:
    (one,) = engine.extract(said).medications
    assert (one.dose.value if one.dose else None) == dose


@pytest.mark.parametrize(
    ("said", "name", "context"),
    [
        ("She's been taking glyburide twice; stop glyburide, switch to Januvia 100.", "Januvia", "prescribed"),
        ("Consider switching to duloxetine if no response to gabapentin 600 TID by next visit.", "duloxetine", "considering"),
        ("Stop ibuprofen given CKD, Tylenol 650 mg q6h prn instead.", "Tylenol", "prescribed"),
        ("HTN uncontrolled, will add chlorthalidone 12.5 mg qAM.", "chlorthalidone", "prescribed"),
        ("If BP still high, will add HCTZ 25.", "HCTZ", "considering"),
        ("They want to start me on Trulicity.", "Trulicity", "considering"),
        ("The doctor said he will add chlorthalidone 12.5 mg.", "chlorthalidone", "considering"),
        ("Home meds resumed: losartan 50 daily, ASA 81.", "losartan", "taking"),
        ("Discharge: enoxaparin 40 mg SQ daily x 28 d.", "enoxaparin", "prescribed"),
        ("Denies herbal supplements and St John's wort.", "St John's wort", "denied"),
        ("Brother was prescribed Suboxone.", "Suboxone", "someone_elses"),
        ("Pt's neighbor gave her a Xanax; advised not to.", "Xanax", "someone_elses"),
        ("My neighbor gave me one of her Xanax.", "Xanax", "someone_elses"),
        ("Pt is interested in starting naltrexone 50 mg.", "naltrexone", "considering"),
        ("Hold off on allopurinol increase, stays at 100 mg.", "allopurinol", "taking"),
        ("Stop Farxiga on sick days.", "Farxiga", "taking"),
        ("Down-titrate Vimpat to off over 1 month.", "Vimpat", "stopped"),
        ("Down-titrate Vimpat to 50 mg BID.", "Vimpat", "prescribed"),
        ("I left my lisinopril at home.", "lisinopril", "missed"),
        ("I am about to run out of my metoprolol.", "metoprolol", "taking"),
        ("I ran out of my metoprolol.", "metoprolol", "missed"),
        ("Codeine made him vomit - listed as intolerance.", "Codeine", "allergic"),
        ("BPH: Flomax 0.4 hs helping.", "Flomax", "taking"),
    ],
)
def test_each_is_told_as_the_words_mean(engine: Engine, said: str, name: str, context: str) -> None:
    found = {m.span.text: m.context for m in engine.extract(said).medications}
    assert found.get(name) == context


def test_a_list_of_allergies_behind_a_colon_is_read_to_its_end(engine: Engine) -> None:
    found = engine.extract("Allergies: PCN (anaphylaxis), latex (rash).").allergies
    assert {a.to for a in found} == {"PCN", "latex"}


@pytest.mark.parametrize(
    ("text", "context"),
    [
        ("Pt wondering if it's okay to take Benadryl for sleep.", "asking"),
        ("Is it ok to take Benadryl?", "asking"),
        ("Pt wonders whether she can take Benadryl.", "asking"),
        ("d/c sliding scale lispro.", "stopped"),
        ("D/c scheduled ibuprofen.", "stopped"),
        ("He agreed to try Zetia 10 mg.", "prescribed"),
    ],
)
def test_a_question_is_no_order_and_an_end_no_mention(engine: Engine, text: str, context: str) -> None:
    assert [m.context for m in engine.extract(text).medications] == [context]
