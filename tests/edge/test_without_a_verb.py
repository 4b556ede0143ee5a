"""What a note or a patient tells of a medicine with no verb of its own, or with one that stands elsewhere."""

from __future__ import annotations

import pytest

from safety.engine import Engine

TOLD = (
    ("Last Plavix 11/23.", "Plavix stopped"),
    ("My last Xarelto was Monday.", "Xarelto stopped"),
    ("Eliquis 5 mg BID, last dose 11/28.", "Eliquis stopped"),
    ("Last Lovenox dose this am.", "Lovenox taking"),
    ("Last Prolia injection 6/1.", "Prolia taking"),
    ("Hyperglycemia on dexamethasone (last dose 11/25).", "dexamethasone stopped"),
    ("Not taking: gabapentin, meloxicam. Taking: duloxetine 60 mg once a day.",
     "gabapentin denied; meloxicam denied; duloxetine taking"),
    ("No longer taking: amlodipine.", "amlodipine stopped"),
    ("Nexium out, pantoprazole 40 mg daily in.", "Nexium stopped; pantoprazole prescribed started"),
    ("Tradjenta in, Januvia out per formulary.", "Tradjenta prescribed started; Januvia stopped"),
    ("Pt left AMA before the first dose of ceftriaxone was given.", "ceftriaxone denied"),
    ("Labs drawn before the first dose of ceftriaxone was given.", "ceftriaxone prescribed started"),
    ("Bactrim interacts with her warfarin, okay to change to Keflex 500 mg tid.",
     "Bactrim stopped; warfarin taking; Keflex prescribed started"),
    ("Treated with IV vancomycin and cefepime, then narrowed to cephalexin 500 mg QID.",
     "vancomycin stopped; cefepime stopped; cephalexin prescribed started"),
    ("Glipizide was held; metformin may resume 12/2.", "Glipizide stopped held; metformin prescribed resumed"),
    ("TC from daughter - pt spit out the Seroquel twice but takes the Aricept fine.", "Seroquel missed; Aricept taking"),
    ("Advised against ibuprofen on Coumadin.", "ibuprofen denied; Coumadin taking"),
    ("Methergine avoided given preeclampsia.", "Methergine denied"),
    ("Consider dupilumab if topical clobetasol BID fails.", "dupilumab considering; clobetasol taking"),
    ("Hold Humira until she's done with the Levaquin 750.", "Humira stopped held; Levaquin taking"),
    ("We're giving the Adderall a break until August.", "Adderall stopped held"),
    ("I would rather wait than go on the Januvia you mentioned.", "Januvia denied"),
    ("I only use albuterol when I wheeze.", "albuterol taking"),
    ("HCTZ stopped d/t hyponatremia, lisinopril on hold until BMP rechecked.", "HCTZ stopped; lisinopril stopped held"),
    ("Off the divalproex over a week, Zyprexa to 7.5.", "divalproex stopped; Zyprexa prescribed changed"),
    ("I was supposed to get my Prolia in October but the appointment fell through.", "Prolia missed"),
    ("Codeine makes me throw up, please don't give it.", "Codeine denied"),
    ("I've had the Farxiga in the cupboard since August and never opened it.", "Farxiga denied"),
    ("Should BP remain above 150, hydralazine 10 mg TID would be the next step.", "hydralazine considering"),
    ("The Imdur he needs and takes.", "Imdur taking"),
    ("Humira quit working, they put me on Stelara every 8 weeks instead.", "Humira stopped; Stelara taking started"),
    ("Can my 4 year old have Benadryl for the bee sting?", "Benadryl asking"),
    ("Pt wants to know whether St. John's wort is safe with her Lexapro 10.", "St. John's wort asking; Lexapro taking"),
)  # fmt: skip


@pytest.mark.parametrize(("text", "told"), TOLD)
def test_what_is_told_without_a_verb_of_its_own(engine: Engine, text: str, told: str) -> None:
    found = [m for m in engine.extract(text).medications if m.normalised.drug]
    assert "; ".join(f"{m.span.text} {m.context} {m.change}".strip() for m in found) == told


@pytest.mark.parametrize(
    ("text", "dose", "often"),
    [
        ("Starting Enbrel 50 mg SQ weekly once Quantiferon negative.", "50 mg", "once a week"),
        ("Restart metoprolol 25 mg daily once HR > 60.", "25 mg", "once a day"),
        ("Tamsulosin last night, one 0.4 capsule.", "1 capsule of 0.4 mg", None),
        ("Metoprolol 25 mg BID, last dose 0800 today.", "25 mg", "2 times a day"),
    ],
)
def test_how_much_and_how_often_beside_it(engine: Engine, text: str, dose: str, often: str | None) -> None:
    found = engine.extract(text).medications[0]
    assert found.dose is not None
    assert found.dose.value == dose
    assert often is None or (found.directions is not None and found.directions.value == often)


@pytest.mark.parametrize(
    ("said", "short", "candidates", "context"),
    [
        ("COPD exac: pred 40 mg x 5d, doxy 100 mg BID x 5d.", "pred", {"drug.prednisone", "drug.prednisolone"}, "prescribed"),
        ("I take pred 5 mg every day.", "pred", {"drug.prednisone", "drug.prednisolone"}, "taking"),
        ("Start CTX 2 g IV daily.", "CTX", {"drug.ceftriaxone", "drug.cyclophosphamide"}, "prescribed"),
    ],
)
def test_a_short_form_of_several_medicines_is_found_and_asked_about(
    engine: Engine, said: str, short: str, candidates: set[str], context: str
) -> None:
    found = next(m for m in engine.extract(said).medications if m.span.text == short)
    assert (found.normalised.status, found.context) == ("ambiguous", context)
    assert set(found.normalised.candidates) == candidates


@pytest.mark.parametrize("said", ["I met 2 friends.", "We met 500 m from here.", "I lived in hydro for a month."])
def test_such_letters_in_talk_are_no_medicine(engine: Engine, said: str) -> None:
    assert engine.extract(said).medications == ()
