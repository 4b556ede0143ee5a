"""What the verbs of plans and visits make of a medicine: switched, bridged, tried, put off, refused, tested; and amounts with all
that belongs to them."""

from __future__ import annotations

import pytest

from safety.edge.as_case import case_of
from safety.engine import Engine

TOLD = (
    ("Switch sertraline to escitalopram 10 mg daily.", "sertraline stopped; escitalopram prescribed"),
    ("Transition from IV vancomycin to PO linezolid 600 mg BID.", "vancomycin stopped; linezolid prescribed"),
    ("I was switched from Lipitor to Crestor.", "Lipitor stopped; Crestor taking"),
    ("Substitute famotidine for ranitidine.", "famotidine prescribed; ranitidine stopped"),
    ("Replace tamsulosin with alfuzosin 10 mg at bedtime.", "tamsulosin stopped; alfuzosin prescribed"),
    ("Could I switch from Zyrtec to Allegra?", "Zyrtec asking; Allegra asking"),
    ("Would favor buprenorphine over methadone here.", "buprenorphine considering; methadone denied"),
    ("Apixaban in lieu of warfarin given labile INRs.", "Apixaban prescribed; warfarin stopped"),
    ("Bridge with enoxaparin until INR therapeutic on warfarin.", "enoxaparin prescribed; warfarin taking"),
    ("Trial of duloxetine 30 mg daily for neuropathic pain.", "duloxetine prescribed"),
    ("Consider a trial of duloxetine.", "duloxetine considering"),
    ("She failed amitriptyline.", "amitriptyline stopped"),
    ("Could not tolerate simvastatin - myalgias.", "simvastatin stopped"),
    ("I can't take aspirin, it triggers my asthma.", "aspirin allergic"),
    ("I can't take Lipitor, it is too expensive.", "Lipitor denied"),
    ("If no improvement in 2 weeks, would start methotrexate 15 mg weekly.", "methotrexate considering"),
    ("If rash develops, stop lamotrigine immediately.", "lamotrigine taking"),
    ("Defer starting allopurinol until the flare has settled.", "allopurinol considering"),
    ("No indication for ciprofloxacin at this time.", "ciprofloxacin denied"),
    ("No relief from Tylenol.", "Tylenol taking"),
    ("Not a candidate for warfarin.", "warfarin denied"),
    ("Hold hydralazine for SBP < 100.", "hydralazine taking"),
    ("Hold hydralazine for surgery.", "hydralazine stopped"),
    ("Hold cycle 3 of FOLFOX for ANC 0.7.", "FOLFOX stopped"),
    ("Hold hydralazine for HR less than 55.", "hydralazine taking"),
    ("Hydralazine 25 mg q8h was added for SBP >180.", "Hydralazine prescribed"),
    ("dc sotalol & the citalopram her PCP started, tele", "sotalol stopped; citalopram stopped"),
    ("Stop aspirin and the doctor started Plavix.", "aspirin stopped; Plavix taking"),
    ("Narrow vanc/zosyn to cefazolin 2 g q8h.", "vanc stopped; zosyn stopped; cefazolin prescribed"),
    ("clinda if PCN allergy confirmed", "clinda mentioned"),
    ("Daughter requests that Haldol not be given under any circumstances.", "Haldol denied"),
    ("Cut out everything but the Zyrtec.", "Zyrtec taking"),
    ("He takes everything but the Lasix.", "Lasix stopped"),
    ("d/c w/ flexeril 5 mg TID prn", "flexeril prescribed"),
    ("Prednisone wean complete 11/2.", "Prednisone stopped"),
    ("Clozapine rechallenge not considered. Will optimise risperidone to 3 mg bid.", "Clozapine denied; risperidone prescribed"),
    ("told not to take metformin tomorrow.", "metformin stopped"),
    ("Stop metformin tomorrow.", "metformin taking"),
    ("Avoid tramadol with her sertraline.", "tramadol denied; sertraline taking"),
    ("RN: pt refused her evening dose of quetiapine.", "quetiapine missed"),
    ("Pharmacy was out of Vyvanse so he went without for a week.", "Vyvanse missed"),
    ("She takes nothing except Zyrtec.", "Zyrtec taking"),
    ("Resume all home meds except lisinopril.", "lisinopril stopped"),
    ("Continue all home meds except hold Eliquis.", "Eliquis stopped"),
    ("Tacro level 14, decrease to 2 mg BID.", "Tacro prescribed"),
    ("Digoxin level 2.4, hold.", "Digoxin stopped"),
    ("Avoid ibuprofen given his warfarin.", "ibuprofen denied; warfarin taking"),
    ("PCN allergy (hives); tolerates cephalexin.", "cephalexin mentioned"),
    ("Allergies: PCN (hives). Doing well, tolerates apixaban.", "apixaban taking"),
    ("Rash with Bactrim. She is tolerating warfarin well.", "Bactrim allergic; warfarin taking"),
    ("Allergic to PCN, tolerates apixaban 5 mg BID.", "apixaban taking"),
    ("She tolerates metformin.", "metformin taking"),
    ("Takes Aleve but not aspirin.", "Aleve taking; aspirin denied"),
    ("On Eliquis, not Coumadin.", "Eliquis taking; Coumadin denied"),
    ("Instead of Ambien, melatonin 3 mg qhs.", "Ambien denied; melatonin prescribed"),
    ("D/C'd on Augmentin 875 BID x 5 more days.", "Augmentin prescribed"),
    ("INR 5.2 on warfarin, hold x2 doses.", "warfarin stopped"),
    ("Hyperkalemia due to spironolactone, which was stopped.", "spironolactone stopped"),
    ("Warfarin load complete, 5 mg daily.", "Warfarin prescribed"),
    ("Would you consider going back on venlafaxine?", "venlafaxine considering"),
    ("I accidentally took my wife's amlodipine.", "amlodipine taking"),
    ("Father died of a bleed while on Plavix.", "Plavix someone_elses"),
    ("What's the difference between Claritin and Zyrtec?", "Claritin asking; Zyrtec asking"),
    ("Levothyroxine increased from 88 mcg to 100 mcg daily.", "Levothyroxine prescribed"),
    ("Finish the prednisone taper.", "prednisone taking"),
    ("The rheumatologist recommended Plaquenil, hasn't started.", "Plaquenil considering"),
    ("Was on methotrexate years ago, now on Humira.", "methotrexate stopped; Humira taking"),
    ("Would not give ketorolac with that creatinine.", "ketorolac denied"),
    ("The patient refuses to go back on clozapine.", "clozapine stopped"),
    ("Rather than increasing metformin, start sitagliptin 100 mg.", "metformin taking; sitagliptin prescribed"),
    ("Start lisinopril, check BMP in 1 week.", "lisinopril prescribed"),
    ("Start lisinopril and check potassium in 1 week.", "lisinopril prescribed"),
    ("Recheck potassium and magnesium. A digoxin level tomorrow.", ""),
    ("Hydroxychloroquine 200 mg BID, methotrexate on hold for LFTs.", "Hydroxychloroquine taking; methotrexate stopped"),
    ("Lisinopril 10 daily, metformin stopped.", "Lisinopril taking; metformin stopped"),
    ("Warfarin 5 mg and aspirin were stopped.", "Warfarin stopped; aspirin stopped"),
    ("Aspirin, Plavix stopped.", "Aspirin stopped; Plavix stopped"),
    ("Continue digoxin, level tomorrow.", "digoxin prescribed"),
    ("The plan is to stop Coumadin after the scan.", "Coumadin taking"),
    ("Coumadin was stopped after the scan.", "Coumadin stopped"),
    ("Not giving her the clozapine until the lab calls.", "clozapine stopped"),
    ("They gave me pravastatin by mistake, I sent it back.", "pravastatin denied"),
    ("My Zocor is Lipitor 20 now.", "Zocor stopped; Lipitor taking"),
    ("Benadryl makes me loopy so I take Claritin instead.", "Benadryl stopped; Claritin taking"),
    ("She wants him off Xanax in the long run.", "Xanax taking"),
    ("Took two doses of Paxlovid then quit.", "Paxlovid stopped"),
    ("Took Zyban and then quit smoking.", "Zyban taking"),
)  # fmt: skip


@pytest.mark.parametrize(("text", "told"), TOLD)
def test_what_is_said_of_a_medicine(engine: Engine, text: str, told: str) -> None:
    found = [m for m in engine.extract(text).medications if m.normalised.drug]
    assert "; ".join(f"{m.span.text} {m.context}" for m in found) == told


@pytest.mark.parametrize(
    ("text", "dose", "often"),
    [
        ("Augmentin 875/125 mg BID", "875/125 mg", "2 times a day"),
        ("Augmentin 875-125 mg BID", "875/125 mg", "2 times a day"),
        ("Norco 5-10 mg q6h prn", "5 to 10 mg", "every 6 hours as needed"),
        ("vancomycin 15 mg/kg IV q12h", "15 mg/kg", "every 12 hours"),
        ("amoxicillin 90 mg/kg/day divided q12h", "90 mg/kg/day", "every 12 hours"),
        ("heparin 18 units/kg/hr", "18 units/kg/hr", None),
        ("amoxicillin 400 mg/5 mL twice daily", "400 mg/5 mL", "2 times a day"),
        ("metoprolol 25 mg qam", "25 mg", "in the morning"),
        ("methotrexate 15 mg qweek", "15 mg", "once a week"),
        ("Instead of the 10 mg of Lexapro I take 20 mg.", "20 mg", None),
    ],
)
def test_an_amount_is_told_with_all_that_belongs_to_it(engine: Engine, text: str, dose: str, often: str | None) -> None:
    (one,) = engine.extract(text).medications
    assert one.dose is not None
    assert (one.dose.value, one.directions and one.directions.value) == (dose, often)
    assert one.dose.span.text in text


def test_two_medicines_named_together_have_each_their_own_amount(engine: Engine) -> None:
    told = engine.extract("Lisinopril/hctz 20/12.5 mg daily").medications
    assert [m.dose and m.dose.value for m in told] == ["20 mg", "12.5 mg"]


def test_an_amount_of_several_parts_is_read_in_a_case_as_it_is_in_a_list(engine: Engine) -> None:
    for text in ("I take Augmentin 875/125 mg BID.", "I take vancomycin 15 mg/kg IV q12h.", "amoxicillin 400 mg/5 mL bid"):
        report = engine.check(case_of(engine.extract(text)), as_of="2026-11-20")
        assert [u for u in report.unresolved if u.status == "unread"] == []
