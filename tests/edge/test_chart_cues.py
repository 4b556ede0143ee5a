"""What a plan or a note does with each medicine: the act, where it stands, how far it reaches; and what stays open."""

from __future__ import annotations

import pytest

from safety.edge.as_case import case_of
from safety.engine import Engine

ACTS = (
    # before, behind, passive, as a noun, as a sign
    ("Start ramipril 5 mg daily, recheck BMP in 2 weeks.", "ramipril prescribed started"),
    ("Metformin discontinued given eGFR 24.", "Metformin stopped"),
    ("Discontinuation of tramadol recommended.", "tramadol stopped"),
    ("Off metoprolol after the bradycardia episode.", "metoprolol stopped"),
    ("Hydroxychloroquine 200 mg BID, continue; check eyes yearly.", "Hydroxychloroquine prescribed continued"),
    ("Donepezil: no benefit, discontinue.", "Donepezil stopped"),
    ("Propranolol 10 mg BID initiated for tremor.", "Propranolol prescribed started"),
    ("Doxycycline completed last week, no further antibiotics.", "Doxycycline stopped"),
    ("Patient will finish the remaining 3 days of Augmentin.", "Augmentin taking"),
    ("Refilled zolpidem 5 mg qhs #30.", "zolpidem prescribed continued"),
    ("Restart clopidogrel 75 mg daily tomorrow.", "clopidogrel prescribed resumed"),
    ("Hold apixaban 48 h before colonoscopy.", "apixaban stopped held"),
    ("Deferred starting denosumab until seen by dental.", "denosumab considering"),
    ("Discussed risks and benefits of tamoxifen.", "tamoxifen considering"),
    ("Wants to know whether Mucinex interacts with her lithium.", "Mucinex asking; lithium taking"),
    ("Patient never filled the Eliquis due to cost.", "Eliquis denied"),
    ("Neither aspirin nor clopidogrel is being taken.", "aspirin denied; clopidogrel denied"),
    ("Non-adherent with hydroxyurea.", "hydroxyurea missed"),
    ("The patient will discontinue the use of Norvasc.", "Norvasc stopped"),
    # labels
    ("STOP taking: meloxicam 15 mg.", "meloxicam stopped"),
    ("NEW: rivaroxaban 20 mg with supper.", "rivaroxaban prescribed started"),
    ("CONTINUE: sertraline 100 mg daily.", "sertraline prescribed continued"),
    ("Home meds: losartan 50 mg daily.", "losartan taking"),
    # several, and how far a word reaches
    ("Stop lisinopril and HCTZ, continue amlodipine 5 mg.", "lisinopril stopped; HCTZ stopped; amlodipine prescribed continued"),
    ("Metoprolol and diltiazem both discontinued.", "Metoprolol stopped; diltiazem stopped"),
    ("Adding quetiapine 25 mg qhs, discontinuing haloperidol.", "quetiapine prescribed started; haloperidol stopped"),
    ("Taper paroxetine off over 6 weeks, then begin bupropion.", "paroxetine stopped; bupropion prescribed started"),
    ("Plan to taper and stop quetiapine; start trazodone.", "quetiapine stopped; trazodone prescribed started"),
    ("Currently taking oxybutynin; discontinue because of confusion and start mirabegron.",
     "oxybutynin stopped; mirabegron prescribed started"),
    ("Recommend stopping omeprazole and starting famotidine.", "omeprazole stopped; famotidine prescribed started"),
    # from one to another
    ("Lisinopril caused cough, replaced by valsartan 80 mg daily.", "Lisinopril stopped; valsartan prescribed started"),
    ("Vomited after Augmentin; change to cefdinir 300 mg BID.", "Augmentin stopped; cefdinir prescribed started"),
    ("Losartan instead of lisinopril due to cough.", "Losartan prescribed started; lisinopril stopped"),
    ("Augmentin → doxycycline 100 mg BID given diarrhea.", "Augmentin stopped; doxycycline prescribed started"),
    ("Nifedipine stopped for swelling, in its place chlorthalidone.", "Nifedipine stopped; chlorthalidone prescribed started"),
    ("Discontinued at discharge: potassium chloride, metolazone.", "potassium chloride stopped; metolazone stopped"),
    ("No changes: metformin 1000 mg BID, glipizide 5 mg daily.", "metformin taking; glipizide taking"),
    # an act that is denied or only thought of, and one of its own name
    ("Do not restart lisinopril.", "lisinopril stopped"),
    ("Wants to stop sertraline.", "sertraline taking"),
    ("Hold off on allopurinol increase.", "allopurinol taking"),
    ("Finish the prednisone taper.", "prednisone taking"),
    # an account is no order, nor is the end of something else
    ("His cardiologist increased carvedilol in June.", "carvedilol taking changed"),
    ("Warfarin 5 mg daily; stop smoking.", "Warfarin taking"),
    ("Metformin 1000 mg BID. Will continue to monitor.", "Metformin taking"),
    ("Stop drinking and continue metformin.", "metformin prescribed continued"),
    # whose it is
    ("Husband on clopidogrel, she takes only aspirin 81 mg.", "clopidogrel someone_elses; aspirin taking"),
    ("Wife on clopidogrel, she takes aspirin 81 mg.", "clopidogrel someone_elses; aspirin mentioned"),
    ("Roommate was given prednisone; patient takes nothing but Benadryl.", "prednisone someone_elses; Benadryl taking"),
)  # fmt: skip


@pytest.mark.parametrize(("text", "told"), ACTS)
def test_what_a_note_does_with_a_medicine(engine: Engine, text: str, told: str) -> None:
    found = [m for m in engine.extract(text).medications if m.normalised.drug]
    assert "; ".join(f"{m.span.text} {m.context} {m.change}".strip() for m in found) == told


@pytest.mark.parametrize(
    ("text", "dose"),
    [
        ("Gabapentin 300 mg TID → 600 mg TID.", "600 mg"),
        ("Lisinopril 10→20 mg.", "20 mg"),
        ("Reduce prednisone from 20 mg to 15 mg daily.", "15 mg"),
        ("Increase Lantus by 4 units to 24 units.", "24 units"),
        ("Wean off clonazepam, currently 0.5 mg nightly, decrease to 0.25 mg.", "0.25 mg"),
        ("Pantoprazole was held on admission; resume 40 mg daily at discharge.", "40 mg"),
        ("She self-discontinued sertraline 100 mg 3 weeks ago. Restart 25 mg daily.", "25 mg"),
    ],
)
def test_the_dose_is_the_one_that_the_last_act_tells(engine: Engine, text: str, dose: str) -> None:
    (one,) = engine.extract(text).medications
    assert (one.context, one.dose and one.dose.value) == ("prescribed", dose)


def test_of_two_with_a_comma_the_second_with_a_dose_is_not_stopped_by_guess(engine: Engine) -> None:
    told = engine.extract("Stop metformin, glipizide 5 mg daily.").medications
    assert [m.context for m in told] == ["stopped", "mentioned"]


def test_what_is_ordered_to_go_on_is_taken_and_no_plan(engine: Engine) -> None:
    case = case_of(engine.extract("Continue metformin 1000 mg BID, start empagliflozin 10 mg daily."))
    assert [m.drug for m in case.patient.medications] == ["metformin"]
    assert [m.drug for m in case.plan] == ["empagliflozin"]
