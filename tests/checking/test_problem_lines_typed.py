"""Problem lines as people type them: kinds that were mended when lists of 30 November 2026 were read, each with near misses."""

from __future__ import annotations

import re
from datetime import date

import pytest
from measuring.charts import problems_read

from safety.engine import Engine, as_case
from safety.understanding.facts import Facts

DAY = date(2026, 11, 20)
AS: dict[str, dict[str, str | None]] = {
    # a plan speaks of the test or operation right before it, not of what a comma or "for" parts from that
    "MRI pending, MS": {"multiple-sclerosis": "present"},
    "MS, MRI pending": {"multiple-sclerosis": "present"},
    "MRI pending for MS": {"multiple-sclerosis": "suspected"},
    "AVR planned for severe AS": {"severe-aortic-stenosis": "present"},
    "kidney bx planned, nephrotic": {"nephrotic-syndrome": "present"},
    "CCY deferred, symptomatic GS": {"gallbladder-disease": "present", "cholecystectomy": "denied"},
    "thyroidectomy 12/15 for PTC": {"thyroid-cancer": "present"},
    "thyroidectomy 12/2015 for PTC": {"thyroid-cancer": "over"},
    "misdx'd w/ MS, actually NMO": {"multiple-sclerosis": "denied", "neuromyelitis-optica": "present"},
    "removed from list: DM": {"diabetes": "denied"},
    "wrong pt: COPD": {"copd": "denied"},
    "?IE - TEE pending": {"endocarditis": "suspected"},
    "thyroid ca s/p TT, on Synthroid and lenvatinib": {"thyroid-cancer": "present"},
    "FN, ANC 0.1": {"febrile-neutropenia": "present"},
    "AI (Addison's), stress dose card": {"adrenal-insufficiency": "present"},
    # two that share an end, one of doubt in its own part, and what a value of now says of what was
    "B12/iron def": {"vitamin-b12-deficiency": "present", "iron-deficiency": "present"},
    "protein C/S def": {"thrombophilia": "present", "cesarean-section": None},
    "AKI on CKD 3b, prerenal vs ATN": {"ckd-stage-3b": "present"},
    "PE vs PNA": {"pulmonary-embolism": "suspected", "pneumonia": "suspected"},
    "h/o PJP, CD4 450 now": {"pneumocystis-pneumonia": "over"},
    "h/o H pylori, UBT neg post tx": {"helicobacter-pylori-infection": "over"},
    "HCV GT3, SVR24 2022": {"hepatitis-c": "over"},
    "AKI 2/2 ACEi/NSAID, recovered": {"acute-kidney-injury": "over"},
    "GERD, resolved s/p Nissen": {"gerd": "over"},
    "thrombophilia w/u neg": {"thrombophilia": "denied"},
    "GS pancreatitis s/p CCY": {"gallstone-pancreatitis": "over"},
    "GS pancreatitis, CCY prior to d/c": {"gallstone-pancreatitis": "present", "cholecystectomy": "denied"},
    "breast ca s/p BMT": {"breast-cancer": "over", "stem-cell-transplant": None},
    # what is prevented, of whom; where others have it; a test right behind a name
    "PE ppx post TKA, apixaban": {"pulmonary-embolism": "denied", "knee-replacement": "present"},
    "gout ppx colchicine 0.6": {"gout": "present"},
    "migraine ppx topamax": {"migraine": "present"},
    "DVT ppx": {"deep-vein-thrombosis": "denied"},
    "flu A on 3rd floor": {"influenza": "family"},
    "scabies on unit B": {"scabies": "family"},
    "malaria smear neg": {"malaria": "denied"},
    "PE study neg": {"pulmonary-embolism": "denied"},
    "TB gold indeterminate": {"tuberculosis": "suspected"},
    "thyroid US: no nodules": {"thyroid-disease": None},
    "COPD dx removed 9/26": {"copd": "denied"},
    # a positive antibody, and another test that is negative
    "HepBcAb+ / sAg neg - needs ppx w/ obinutuzumab": {"hepatitis-b": "over"},
    "HBV core Ab+, sAg neg": {"hepatitis-b": "over"},
    # a sign that begins a line leads each word behind it; a heading before a denial
    "(-) asthma (-) COPD (-) OSA": {"asthma": "denied", "copd": "denied", "sleep-apnea": "denied"},
    "(+) HTN (-) DM": {"hypertension": "present", "diabetes": "denied"},
    "DM (-), HTN (+)": {"hypertension": "present", "diabetes": "denied"},
    "(+) HTN, DM (-), CAD": {"hypertension": "present", "diabetes": "denied", "coronary-heart-disease": "present"},
    "(+) HTN, DM (-)": {"hypertension": "present", "diabetes": "denied"},
    "HX: no known liver dz": {"liver-disease": "denied"},
    "Hx: denies DM, CAD": {"diabetes": "denied", "coronary-heart-disease": "denied"},
    "Hx: DM, no CAD": {"diabetes": "present", "coronary-heart-disease": "denied"},
    "mood: no mania ever": {"bipolar-mania": "denied", "mood-disorder": None},
    "mood: depressed": {"depression": "present"},
    # a test that finds nothing answers an exposure; others ask
    "exposure to TB, QFT neg": {"tuberculosis-exposure": "denied", "tuberculosis": "denied"},
    "exposure to TB": {"tuberculosis-exposure": "present"},
    "c/f cauda equina - MRI nl": {"cauda-equina-syndrome": "denied"},
    "c/f cauda equina - MRI pending": {"cauda-equina-syndrome": "suspected"},
    "c/f meningitis, LP bland": {"meningitis": "denied"},
    # days of a medicine end what passes, weeks some infections
    "TV endocarditis s/p 6 wks vanc": {"endocarditis": "over"},
    "endocarditis s/p 1 wk vanc": {"endocarditis": "present"},
    "endocarditis s/p 2 wks vanc, on gent": {"endocarditis": "present"},
    "pneumonia s/p 7 days levaquin": {"pneumonia": "over"},
    "UTI s/p 1 day ceftriaxone": {"urinary-tract-infection": "present"},
    "COPD s/p 5d prednisone": {"copd": "present"},
    # what ends is the episode, not what is thought to be behind it
    "toxic metabolic enceph, likely UTI, back to baseline": {"confusion": "over", "urinary-tract-infection": "suspected"},
    "DM, likely pneumonia, resolved": {"diabetes": "present", "pneumonia": "over"},
    "AKI, likely prerenal, Cr back to baseline": {"acute-kidney-injury": "over"},
    "PTX iatrogenic post line, resolved": {"pneumothorax": "over"},
    "reactive arthritis post chlamydia, resolved": {"chlamydia": "over"},
    "depression post stroke": {"depression": "present", "stroke": "over"},
    "ITP dx'd 9/26, post viral, plt nl now => resolved": {"immune-thrombocytopenia": "over"},
    "LGIB - diverticular, stopped spont": {"gi-bleeding": "over"},
    "PTX L s/p chest tube, removed": {"pneumothorax": "over"},
    "Takotsubo CM 2019, EF recovered": {"takotsubo-cardiomyopathy": "over"},
    "PPCM 2019, EF normalized": {"reversible-cardiomyopathy": "over"},
    "ICM, EF normalized": {"ischemic-cardiomyopathy": "present"},
    "pancytopenia post chemo, counts recovered": {"pancytopenia": "over"},
    # what is taken for an organ that is gone
    "Graves s/p RAI 2015, on LT4": {"hyperthyroidism": "over"},
    "Graves, s/p RAI, on methimazole": {"hyperthyroidism": "present"},
    "hyperCa 2/2 PHPT s/p PTX": {"hypercalcemia": "over", "hyperparathyroidism": "over"},
    "incisional hernia, repaired 2021, recurred": {"hernia": "present"},
    "melanoma excised 2019, no recurrence": {"melanoma": "over"},
    "MEN1, parathyroidectomy x3.5": {"other-endocrine-disease": "present"},
    # a medicine that is not to be given, and why; a list of what is denied is doubted
    "no NSAIDs, CKD 3": {"ckd-stage-3": "present"},
    "no NSAIDs, EtOH, PUD": {"peptic-ulcer": "suspected"},
    "TEN 2/2 lamictal": {"stevens-johnson-syndrome": "present"},
    "SJS 2/2 bactrim 2019": {"stevens-johnson-syndrome": "over"},
    "DRESS to allopurinol": {"dress-syndrome": "over"},
    "C diff 1st recurrence s/p vanc taper, resolved": {"c-difficile-infection": "over"},
    "lupus nephritis cl IV+V": {"lupus-nephritis": "present"},
    "Pt donated blood; tested neg HIV": {"single-kidney": None, "hiv": "denied"},
    # kin, household and contacts, misspelt and in short
    "roomate w/ COVID": {"covid-19": "family"},
    "daugther has asthma": {"asthma": "family"},
    "MIL has dementia": {"dementia": "family"},
    "boss has shingles": {"herpes-zoster": "family"},
    "ex had gonorrhea": {"gonorrhea": "family"},
    "ex IVDU": {"substance-use-disorder": "over"},
    "DM, lives with roommate": {"diabetes": "present"},
    "DM, lives with roommate who has TB": {"diabetes": "present", "tuberculosis": "family"},
    "DM - mother": {"diabetes": "family"},
    "TIA 2019": {"transient-ischemic-attack": "over"},
    # letters that mean something else beside others
    "HIV, h/o PCP": {"hiv": "present", "pneumocystis-pneumonia": "over"},
    "HIV followed by PCP": {"hiv": "present", "pneumocystis-pneumonia": None},
    "HIV, on PJP ppx": {"hiv": "present", "pneumocystis-pneumonia": "denied"},
    "hx of PCP abuse": {"substance-use-disorder": "over", "pneumocystis-pneumonia": None},
    "OUD on MAT": {"opioid-use-disorder": "present"},
    "MAT, on metoprolol": {"supraventricular-tachycardia": "present"},
    "migraine w aura": {"migraine-with-aura": "present"},
    # a word for the past that ends another part of the line
    "PTSD, MST hx": {"ptsd": "present"},
    "MI, remote hx": {"myocardial-infarction": "over"},
    "stroke, per pt hx": {"stroke": "over"},
    # what ends does not end a cause that lasts
    "hypercalcaemia of malignancy, resolved": {"hypercalcemia": "over", "cancer": "present"},
    "hyponatremia from HF, resolved": {"hyponatremia": "over", "heart-failure": "present"},
    "sepsis due to pneumonia, resolved": {"sepsis": "over", "pneumonia": "over"},
    # what an operation ended, also what somebody was born with; an operation is ended by none
    "PFO closed 2015": {"patent-foramen-ovale": "over"},
    "TOF s/p repair": {"congenital-heart-disease": "present"},
    "tonsillitis s/p T&A": {"pharyngitis": "over"},
    "kidney stones s/p litho": {"kidney-stones": "over"},
    "cataracts s/p surgery": {"cataract": "over"},
    "Crohns s/p surgery": {"crohns-disease": "present"},
    "C-section and an appendectomy": {"cesarean-section": "present"},
    "outgrew epilepsy": {"epilepsy": "over"},
    "seizure free since 2015": {"seizure": "over"},
    "seizure free on Keppra": {"seizure": "present"},
    # what only looks like it, is feared, doubted or prevented
    "STEMI mimic": {"myocardial-infarction": "denied"},
    "stroke-like symptoms": {"stroke": "suspected"},
    "stroke like sx, MRI neg": {"stroke": "denied"},
    "doubtful lupus": {"lupus": "denied"},
    "pt worried re: MS": {"multiple-sclerosis": "suspected"},
    "anxious about having cancer": {"cancer": "denied"},
    "malaria ppx for travel": {"malaria": "denied"},
    "rabies PEP": {"hiv-post-exposure-prophylaxis": None, "viral-infection": None},
    "ever-smoker, AAA screening": {"former-smoker": "present", "smoking": None, "aortic-aneurysm": "denied"},
    # times with a sign, and an age at an end
    "MI >10 yrs ago": {"myocardial-infarction": "over"},
    "DVT >5y ago": {"deep-vein-thrombosis": "over"},
    "anemia > CKD": {"anemia": "present", "ckd": "present"},
    "stroke at 45": {"stroke": "over"},
    "tobacco 1ppd x 30y, quit 2010": {"smoking": "over"},
    "HA's, DM": {"headache": "present", "diabetes": "present"},
    "HAS DM": {"headache": None, "diabetes": "present"},
    "abd pain, r/o appy": {"appendicitis": "suspected", "appendectomy": None},
    "s/p appy": {"appendectomy": "present", "appendicitis": None},
    "CAD, bypass 2010": {"coronary-revascularization": "present"},
    "obesity s/p bypass": {"bariatric-surgery": "present", "coronary-revascularization": None},
    # an episode that ended, in a disease that comes back
    "Afib, new onset, cardioverted 10/26": {"atrial-fibrillation": "present"},
    "VT, cardioverted": {"ventricular-arrhythmia": "over"},
    "etoh dependance, in AA, sober 3y": {"alcohol-use-disorder": "over"},
    "never been told she has high BP": {"hypertension": "denied"},
    "was told she has HTN": {"hypertension": "present"},
    "BPs normal off meds": {"nonadherence": None},
    "bipolar, off meds": {"bipolar-disorder": "present", "doses-left-out": "present"},
    "skin ca check annually": {"non-melanoma-skin-cancer": None},
    # a test or an answer behind a colon, and what something was done for
    "TB: neg PPD": {"tuberculosis": "denied"},
    "HIV, neg PPD": {"hiv": "present", "tuberculosis": "denied"},
    "PE: neg CTA": {"pulmonary-embolism": "denied"},
    "breast ca BRCA neg": {"breast-cancer": "present"},
    "perforated appendix s/p appy": {"perforated-appendicitis": "over", "appendectomy": "present"},
    "PE: CTA pos": {"pulmonary-embolism": "present"},
    "seizure hx: none": {"seizure": "denied"},
    "MI, smoking hx neg": {"myocardial-infarction": "present", "smoking": "denied"},
    "not felt to have TB": {"tuberculosis": "denied"},
    "dx of asthma in error": {"asthma": "denied"},
    "TB screening for work": {"tuberculosis": "denied"},
    "HTN, screening for DM": {"hypertension": "present", "diabetes": "denied"},
    "neuropsych testing for dementia": {"dementia": "suspected"},
    "M - HTN, F - DM": {"hypertension": "family", "diabetes": "family"},
    # a denial does not reach what is told to be there; a whole course ends what passes, and not what lasts
    "denies SI/HI, depression stable": {"suicidal-ideation": "denied", "depression": "present"},
    "no cough, HTN controlled": {"cough": "denied", "hypertension": "present"},
    "denies CP, SOB, cough": {"chest-pain": "denied", "shortness-of-breath": "denied", "cough": "denied"},
    "latent TB, INH x9 mo completed": {"latent-tuberculosis": "over"},
    "DVT, 3 mo DOAC completed": {"deep-vein-thrombosis": "over"},
    "asthma, prednisone completed": {"asthma": "present"},
    "LTBI, INH 3 of 9 mo": {"latent-tuberculosis": "present"},
    "DVT, PT eval completed": {"deep-vein-thrombosis": "present"},
    "colon resxn 2010": {"bowel-resection": "present"},
    "AKI, off dialysis": {"acute-kidney-injury": "present", "dialysis": None},
    "PPH w/ 2nd delivery": {"postpartum-hemorrhage": "over"},
    "neg for flu, asthma flaring": {"influenza": "denied", "asthma": "present"},
    "denies etoh, cirrhosis from NASH": {"cirrhosis": "present"},
    "no SI, MDD on zoloft": {"suicidal-ideation": "denied", "depression": "present"},
    "denies chest pain, SOB on exertion": {"chest-pain": "denied", "shortness-of-breath": "denied"},
    "no bleeding on warfarin for AF": {"atrial-fibrillation": "present"},
    "no ASA for stroke prevention": {"stroke": "denied"},
    "no hx of DVT, PE, stroke": {"deep-vein-thrombosis": "denied", "pulmonary-embolism": "denied", "stroke": "denied"},
    "CHF exac 10/26, now compensated": {"decompensated-heart-failure": "over", "heart-failure": "present"},
    "osteo s/p IV abx": {"osteomyelitis": "over"},
    "falls x3": {"falls": "present"},
    "MI x2": {"myocardial-infarction": "over"},
    # denied by a prefix in one word
    "nondiabetic, nonsmoker": {"diabetes": "denied", "smoking": "denied"},
    "nonepileptic seizures": {"nonepileptic-seizures": "present", "epilepsy": None},
    "nonalcoholic fatty liver dz": {"fatty-liver": "present", "alcohol-use-disorder": None},
    # misspelt, one word or several
    "carpel tunel": {"carpal-tunnel-syndrome": "present"},
    "opiod use disorder": {"opioid-use-disorder": "present"},
    "no renal faliure": {"ckd-stage-5": "denied"},
    "rotater cuff tear": {"tendon-disorder": "present"},
    "hemmorhoids": {"hemorrhoids": "present"},
    "deep vain thrombosis": {"deep-vein-thrombosis": "present", "cervical-dysplasia": None},
    "mother had angena": {"angina": None},
    # a test's part of a virus, what is given against it, and where it goes around
    "hep B surf Ag neg, immune": {"hepatitis-b": "denied"},
    "hep B sAg-, sAb+, cAb-": {"hepatitis-b": "denied", "miscarriage": None},
    "hep B core Ab+, sAg neg": {"hepatitis-b": "over"},
    "HBcAb+, sAg neg": {"hepatitis-b": "over"},
    "HBsAg+, eAg neg": {"hepatitis-b": "present"},
    # how long it did not come, and what children lose
    "vasovagal syncope, none in 5 yrs": {"syncope": "over"},
    "seizures none in 10 years": {"seizure": "over"},
    "asthma as child, none since": {"asthma": "over"},
    "hx childhood asthma": {"asthma": "over"},
    "asthma as child, now on Advair": {"asthma": "present"},
    "asthma since childhood": {"asthma": "present"},
    "T1DM as child": {"type-1-diabetes": "present"},
    # what one operation ends, and no other
    "UC s/p total colectomy": {"ulcerative-colitis": "over"},
    "UC s/p TPC, J-pouch": {"ulcerative-colitis": "over"},
    "UC s/p subtotal colectomy, on mesalamine supp": {"ulcerative-colitis": "present"},
    "UC s/p polypectomy": {"ulcerative-colitis": "present"},
    "Crohn's s/p total colectomy": {"crohns-disease": "present"},
    "AAA s/p open repair 2015": {"aortic-aneurysm": "over"},
    "R BKA for gangrene '23": {"gangrene": "over"},
    "dry gangrene s/p TMA 2021": {"gangrene": "over"},
    "PAD s/p BKA": {"peripheral-artery-disease": "present"},
    "Conn's s/p adrenalectomy": {"hyperaldosteronism": "over"},
    "VSD s/p patch": {"congenital-heart-disease": "over"},
    # what a course of a medicine ends, and what is taken now
    "latent syphilis s/p bicillin x3": {"syphilis": "over"},
    "HCV s/p sofosbuvir/velpatasvir": {"hepatitis-c": "over"},
    "ectopic s/p MTX": {"ectopic-pregnancy": "over"},
    "breast ca s/p tamoxifen": {"breast-cancer": "present"},
    "C.diff x3, on vanc taper": {"c-difficile-infection": "present"},
    "pericarditis x3, on colchicine": {"pericarditis": "present"},
    "C diff x2 2021": {"c-difficile-infection": "over"},
    # of what it comes is doubted, not that it is there; and what answers what was looked for
    "CP, likely MSK": {"chest-pain": "present"},
    "PE, likely": {"pulmonary-embolism": "suspected"},
    "SOB ? PE -> CTA neg": {"shortness-of-breath": "present", "pulmonary-embolism": "denied"},
    "r/o DVT; duplex neg": {"deep-vein-thrombosis": "denied"},
    "r/o DVT; duplex pos": {"deep-vein-thrombosis": "present"},
    "glaucoma suspect OU": {"glaucoma": "suspected"},
    # kin, how many they are, and the patient beside them
    "daughter has T1DM, celiac": {"type-1-diabetes": "family", "celiac-disease": "family"},
    "father had MI, stroke": {"myocardial-infarction": "family", "stroke": "family"},
    "mother with DM, pt with HTN": {"diabetes": "family", "hypertension": "present"},
    "colon ca in 3 paternal uncles": {"colon-cancer": "family"},
    "wife flu+, pt neg": {"influenza": "denied"},
    "MDD w/o psychosis, SI w/ plan": {"psychosis": "denied", "suicidal-ideation": "present"},
    "DM2 w/o retinopathy, neuropathy or nephropathy": {"peripheral-neuropathy": "denied"},
    # a single time, long ago; what prevents what passes; and what is planned
    "iritis x1 2017": {"uveitis": "over"},
    "UTI prophylaxis": {"urinary-tract-infection": "denied"},
    "migraine prophylaxis": {"migraine": "present"},
    "CBD stone, ERCP tmrw": {"bile-duct-stone": "present"},
    "choledocholithiasis s/p ERCP": {"bile-duct-stone": "over"},
    "bladder ca s/p cystectomy, neobladder": {"bladder-cancer": "over"},
    "leukemia as kid (ALL), cured": {"acute-leukemia": "over"},
    "lymphoma 1998, chemo, cured": {"lymphoma": "over"},
    "PE 2012 postpartum": {"pulmonary-embolism": "over", "postpartum": "over"},
    "bipolar 1, last mania 2022": {"bipolar-disorder": "present", "bipolar-mania": "over"},
    "recurr UTI x5/yr": {"urinary-tract-infection": "present"},
    "sz x1 in setting of etoh w/d": {"seizure": "over", "alcohol-withdrawal": "present"},
    "fall precautions": {"falls": "denied"},
    "denies SI/HI/AVH": {"suicidal-ideation": "denied", "homicidal-ideation": "denied", "psychosis": "denied"},
    "VH OD, PPV planned": {"retinal-disease": "present", "psychosis": None},
    "SBP, CTX d3/5": {"spontaneous-bacterial-peritonitis": "present"},
    "fibromyalgia on methadone": {"opioid-use-disorder": None},
    # what ends an episode or a habit ends no disease beside it
    "mod COPD, 40py, quit 2019": {"copd": "present"},
    "tobacco 1 ppd, quit 2010": {"smoking": "over"},
    "CHF, abx done": {"heart-failure": "present"},
    "PNA, abx done": {"pneumonia": "over"},
    "COPD, extubated": {"copd": "present"},
    "CKD, stone passed": {"ckd": "present"},
    "depression, sober 2y": {"depression": "present"},
    "AUD, sober 2y": {"alcohol-use-disorder": "over"},
    "AF, RVR resolved": {"atrial-fibrillation": "present"},
    "MDD mod, recurrent, remission partial": {"depression": "present"},
    # letters by what stands beside them
    "CPAP -> RA": {"rheumatoid-arthritis": None},
    "PNA, stable on RA": {"pneumonia": "present", "rheumatoid-arthritis": None},
    "RA on O2 for ILD": {"rheumatoid-arthritis": "present"},
    "MRI nonspec WM changes": {"lymphoma": None},
    "T21": {"down-syndrome": "present", "burn": None},
    "SCLC, ES, s/p PCI": {"lung-cancer": "present", "coronary-revascularization": None},
    "GBS '09": {"guillain-barre-syndrome": "over"},
    "tacro -> CSA, resolved": {"central-sleep-apnea": None},
    "DDKT 2019, CMV D+/R-": {"kidney-transplant": "present", "cytomegalovirus": None},
    "HIV Ag/Ab neg": {"hiv": "denied"},
    "HepB given": {"hepatitis-b": None},
    "scabies on unit": {"scabies": "family"},
    "hep c - neighbor pos": {"hepatitis-c": "family"},
    "MTC fam hx neg": {"medullary-thyroid-cancer": "denied"},
    # denied by words before, and how far that reaches
    "ruled out MI, trops flat": {"myocardial-infarction": "denied"},
    "HTN, ruled out PE": {"hypertension": "present", "pulmonary-embolism": "denied"},
    "neg ROS for fever, chills, wt loss": {"fever": "denied", "weight-loss": "denied"},
    "neg HIV, hep B, hep C": {"hiv": "denied", "hepatitis-b": "denied", "hepatitis-c": "denied"},
    "not sepsis - leukocytosis": {"sepsis": "denied", "leukocytosis": "present"},
    "FH: father d. MI, bro w/ CABG": {"myocardial-infarction": "family", "coronary-revascularization": "family"},
    "GF d. CVA, GM d. CHF": {"stroke": "family", "heart-failure": "family"},
    # what is prevented, and in whom
    "stroke ppx for AF": {"stroke": "denied", "atrial-fibrillation": "present"},
    "PJP ppx for HIV": {"pneumocystis-pneumonia": "denied", "hiv": "present"},
    "DVT ppx w/ SCDs": {"deep-vein-thrombosis": "denied"},
    # a course that was completed; a referral that is no operation; a biopsy that found nothing
    "LTBI, 4R completed": {"latent-tuberculosis": "over"},
    "TB latent": {"latent-tuberculosis": "present", "tuberculosis": None},
    "dermatitis, due to adhesive tape, resolved": {"dermatitis": "over"},
    "gallstones, surgery referral placed": {"gallbladder-disease": "present", "other-surgery": None},
    "hyperparathyroid primary, surg ref": {"hyperparathyroidism": "present", "surgery": None},
    "breast bx: benign": {"breast-surgery": None},
    "prostate ca s/p RALP, BCR": {"prostate-cancer": "present"},
    # letters that mean something else beside others
    "ED on sildenafil prn": {"erectile-dysfunction": "present"},
    "neurogenic bladder (CIC q6)": {"neurogenic-bladder": "present", "constipation": None},
    "HIV on BIC/TAF/FTC": {"hiv": "present", "thyroid-cancer": None},
    "colon ca 2020, CEA nl": {"carotid-artery-disease": None},
    "HTN, low Na diet": {"hypertension": "present", "hyponatremia": None},
    "SAB, Rh pos": {"rh-negative": None},
    "IPF, listed for LTx": {"lung-transplant": "denied", "liver-transplant": None},
    "cirrhosis, listed for LTx": {"liver-transplant": "denied", "lung-transplant": None},
    "BK nephropathy, MMF cut in half": {"bk-virus-infection": "present", "laceration": None},
    "placenta previa, resolved": {"pregnancy": None},
    # signs before, where the line begins with one
    "(-) DM (-) HTN (+) asthma": {"diabetes": "denied", "hypertension": "denied", "asthma": "present"},
    "(+) asthma (-) COPD": {"asthma": "present", "copd": "denied"},
    "asthma (-) COPD (+)": {"asthma": "denied", "copd": "present"},
    # a heading before a denial; what is not taken, and why
    "hx - no HTN": {"hypertension": "denied"},
    "gout, no NSAIDs, CKD": {"gout": "present", "ckd": "present"},
    "denies NSAIDs, GIB": {"gi-bleeding": "denied"},
    # a test of something else; a feared cause; kin who speak for somebody
    "Rh neg, Ab screen neg": {"rh-negative": "present"},
    "AMS, likely UTI, resolved": {"confusion": "over", "urinary-tract-infection": "suspected"},
    "HOH. Dtr has POA": {"hearing-loss": "present"},
    "CAD. Mother DM": {"coronary-heart-disease": "present", "diabetes": "family"},
    "FHx bipolar (mat aunt), completed suicide (uncle)": {"bipolar-disorder": "family"},
    # what an operation or a recovered heart does not end, and one that is yet to come
    "GVHD s/p alloSCT": {"graft-versus-host-disease": "present"},
    "MEN1, parathyroidectomy": {"other-endocrine-disease": "present"},
    "HFrEF, EF recovered": {"heart-failure-reduced-ejection-fraction": "present"},
    "breast ca pending surgery": {"breast-cancer": "present"},
    "kidney stone, sx scheduled 12/4": {"kidney-stones": "present"},
    # letters by company
    "PSC OD": {"cataract": "present", "drug-overdose": None},
    "UC w/ PSC": {"primary-sclerosing-cholangitis": "present"},
    "TRD OS": {"retinal-disease": "present", "treatment-resistant-depression": None},
    "TRD on lithium, OD 2019": {"treatment-resistant-depression": "present", "drug-overdose": "over"},
    "recurrent AOM, BMT": {"stem-cell-transplant": None},
    "ALL s/p BMT, AOM": {"stem-cell-transplant": "present"},
    "IOL 39w": {"pregnancy": "present", "lens-implant": None},
    "IOL OD": {"lens-implant": "present"},
    "burn pit exp": {"burn": None},
    "rubella NI, pt donated blood": {"single-kidney": None},
    "hydromorphone PCA": {"prostate-cancer": None},
    "threatened AB": {"preterm-labor": "present", "miscarriage": None},
    "anembryonic preg": {"miscarriage": "present", "pregnancy": None},
    "DCM cervical, ACDF": {"dilated-cardiomyopathy": None},
    "HOH, HA AU": {"hearing-loss": "present", "headache": None},
    "MM in situ L calf": {"melanoma": "present", "multiple-myeloma": None},
    "GDMA2 on NPH": {"gestational-diabetes": "present", "hydrocephalus": None},
    "DM, NPH gait": {"diabetes": "present", "hydrocephalus": "present"},
    "PPD#12, breastfeeding": {"postpartum": "present", "postpartum-depression": None},
    "PPD on zoloft": {"postpartum-depression": "present"},
    "skin tear L FA": {"laceration": "present"},
    "AAA scrn neg": {"aortic-aneurysm": "denied"},
    "SCC scalp s/p ED&C": {"non-melanoma-skin-cancer": "over", "erectile-dysfunction": None},
    "MM stage III, on nivo": {"melanoma": "present", "multiple-myeloma": None},
    # letters before a name in brackets that they are short for
    "AI (Addison's)": {"adrenal-insufficiency": "present"},
    "FN (pneumonia)": {"pneumonia": "present", "neutropenia": None},
    "rubella NI": {"viral-infection": None, "not-immune-to-a-vaccine-disease": "present"},
    "NSSI, last 2024": {"personality-disorder": None, "self-harm": "present"},
    "hyperbili, s/p photo": {"neonatal-jaundice": "over"},
    "PTSD screen neg (PC-PTSD 0)": {"ptsd": "denied"},
    "bladder ca ruled out (cysto nl)": {"bladder-cancer": "denied", "pelvic-organ-prolapse": None},
    "myasthenia - EMG nl, ruled out": {"myasthenia-gravis": "denied"},
    "ex-26wk'er": {"prematurity": "present"},
    "29 3/7 wk NB": {"pregnancy": None},
    "cat s/p phaco OU": {"cataract-surgery": "present"},
    # why a medicine is not given is there, and no part of what is denied
    "no NSAIDs (CKD)": {"ckd": "present"},
    "no ACEi b/c angioedema": {"angioedema": "present"},
    "not on statin bc myopathy": {"myopathy": "present"},
    "AF, not anticoagulated due to ICH 2024": {"atrial-fibrillation": "present", "hemorrhagic-stroke": "over"},
    "no AC given recurrent falls": {"falls": "present"},
    "not on AC b/c GIB 8/2026": {"gi-bleeding": "over"},
    "no CAD (CKD)": {"coronary-heart-disease": "denied", "ckd": "denied"},
    # what was ruled out is not over, and what was needed ends with what it was needed for
    "sepsis r/o, abx stopped": {"sepsis": "denied"},
    "myasthenia - AChR neg, EMG nl, ruled out": {"myasthenia-gravis": "denied"},
    "chest pain, r/o ACS, resolved": {"chest-pain": "over", "acute-coronary-syndrome": "suspected"},
    "AKI req HD x2 wks, recovered": {"acute-kidney-injury": "over", "dialysis": "over"},
    "ESRD on HD, COVID resolved": {"dialysis": "present", "covid-19": "over"},
    "urinary retention s/p foley, passed TOV": {"urinary-retention": "over"},
    "urinary retention, failed TOV": {"urinary-retention": "present"},
    # an aneurysm stays behind its stent, blood behind a burr hole
    "AAA 5.6 s/p EVAR": {"aortic-aneurysm": "present"},
    "subacute SDH, s/p burr holes": {"subdural-hematoma": "present"},
    "EV s/p banding x4, no further bleed": {"esophageal-varices": "present"},
    "GIB s/p clip, no further bleeding": {"gi-bleeding": "over"},
    # the day of the first, of the mishap, of the earlier pregnancy; decades
    "Cdiff #2 (1st 6/26)": {"c-difficile-infection": "present"},
    "Cdiff (6/26)": {"c-difficile-infection": "over"},
    "TBI (IED 2007)": {"head-injury": "over"},
    "h/o preeclampsia in prior preg (2022), now 12w": {"preeclampsia": "over"},
    "preeclampsia, now 34w": {"preeclampsia": "present"},
    "heart attack in 90s": {"myocardial-infarction": "over"},
    # signs of denial and doubt in front, in brackets and at the end
    "(-) hx TB, hep B, HIV": {"tuberculosis": "denied", "hepatitis-b": "denied", "hiv": "denied"},
    "HTN, HLD, DM -- none per pt": {"hypertension": "denied", "hyperlipidemia": "denied", "diabetes": "denied"},
    "HTN, on lisinopril; stroke -- none per pt": {"hypertension": "present"},
    "hypoNa (SIADH from SSRI?)": {"hyponatremia": "suspected"},
    "AKI (2/2 ACEi?)": {"acute-kidney-injury": "present"},
    "HBV surface ag +": {"hepatitis-b": "present"},
    "melanoma on bx": {"melanoma": "present"},
    "cancer (-) on bx": {"cancer": "denied"},
    "pericarditis; tamponade excl.": {"pericarditis": "present", "pericardial-effusion": "denied"},
    "TB quant indeterminate": {"tuberculosis": "suspected"},
    "hx of br ca (L) '09 - R breast lump": {"breast-cancer": "over", "breast-lump": "present"},
    # letters by company
    "AKI, IVF": {"acute-kidney-injury": "present", "infertility": None},
    "hyperemesis, IVF x2": {"nausea-of-pregnancy": "present", "infertility": None},
    "PCOS, IVF x2": {"infertility": "present"},
    "GS OU": {"glaucoma": "suspected", "gallbladder-disease": None},
    "GS on US": {"gallbladder-disease": "present", "glaucoma": None},
    "TRD, ECT #7": {"treatment-resistant-depression": "present", "retinal-disease": None},
    "TRD OD s/p PPV": {"treatment-resistant-depression": None},
    "AF s/p AVN ablation": {"atrial-fibrillation": "present", "osteonecrosis": None},
    "DI post TSA for macroadenoma": {"diabetes-insipidus": "present", "orthopedic-surgery": None},
    "MS: mitral stenosis, MVA 1.1": {"mitral-stenosis": "present", "multiple-sclerosis": None, "injury": None},
    "pneumonia (COVID 2021)": {"pneumonia": "over", "covid-19": "over"},
    "PE provoked (surgery 2022)": {"pulmonary-embolism": "over"},
    "DM (MI 2019)": {"diabetes": "present", "myocardial-infarction": "over"},
    # what a medicine is withheld or was stopped for; who takes something in remission has it
    "no BB (asthma)": {"asthma": "present"},
    "avoid NSAIDs (CKD 4, GIB 2023)": {"ckd-stage-4": "present", "gi-bleeding": "over"},
    "hold AC for SDH": {"subdural-hematoma": "present"},
    "avoid succinylcholine (MH)": {"malignant-hyperthermia": "present"},
    "lithium stopped d/t CKD": {"ckd": "present"},
    "stopped lisinopril for angioedema": {"angioedema": "over"},
    "at risk for falls (osteoporosis)": {"falls": "denied", "osteoporosis": "present"},
    "at risk: falls, delirium": {"falls": "denied", "delirium": "denied"},
    "seizure free x 5 yrs on keppra": {"seizure": "present"},
    "opioid addict in recovery on methadone": {"opioid-use-disorder": "present"},
    "alcoholic, sober 2 yrs": {"alcohol-use-disorder": "over"},
    "AML CR1 on midostaurin": {"acute-leukemia": "present"},
    "in remission from AML since 2015": {"acute-leukemia": "over"},
    "no alcohol, cirrhosis": {"cirrhosis": "suspected", "alcoholic-cirrhosis": None},
    "denies alcohol, cirrhosis": {"cirrhosis": "suspected"},
    "denies alcohol, tobacco or drugs": {"smoking": "denied"},
    "cirrhosis, alcohol": {"alcoholic-cirrhosis": "present"},
    # a positive antibody is not denied by another test; a break parts a medicine from what follows; nursing
    "isolated anti-HBc+, sAg neg": {"hepatitis-b": "over"},
    "schizophrenia on Clozaril; constipation": {"schizophrenia": "present", "constipation": "present"},
    "HTN/DM2/CKDIIIa/OSA": {"ckd-stage-3a": "present"},
    "6 wks pp, bf": {"postpartum": "present", "lactation": "present"},
    "bf has chlamydia": {"chlamydia": "family", "lactation": None},
    "CP/SOB": {"chest-pain": "present", "shortness-of-breath": "present"},
}


@pytest.mark.parametrize(
    "line",
    [
        "CHF exac, diuresing, wean O2 as tol", "AAA 5.6 infrarenal, CT 6 mo", "RA on MTX, eye exam utd",
        "ILD, PFTs 6 mo, no change", "cellulitis L leg, wound vac, abx d4/7", "NSCLC, restage PET pend",
        "CKD 4, renal f/u, low K diet", "PSA screening, pt declines", "mammo screening BI-RADS 1 10/26",
        "prostate bx neg", "CVA, PT/OT, dispo SNF", "DVT, lifelong AC", "AI (Addison's)", "CE/IOL OD", "DVT r/o'd by US",
    ],
)  # fmt: skip
def test_of_plans_tests_and_sites_nothing_is_asked(engine: Engine, line: str) -> None:
    assert problems_read(line, engine)[1] == []


@pytest.mark.parametrize("line", ["CAD, trop rising", "DVT, zzorbl", "prostate zzorbl neg", "COPD, on zzorbl"])
def test_of_words_that_nobody_knows_it_is_asked(engine: Engine, line: str) -> None:
    assert problems_read(line, engine)[1]


@pytest.mark.parametrize("line", AS)
def test_a_line_as_it_is_typed_tells_each_condition_with_its_standing(engine: Engine, line: str) -> None:
    found = {p.id.removeprefix("condition."): p.status for p in problems_read(line, engine)[0]}
    assert {i: found.get(i) for i in AS[line]} == AS[line]


@pytest.mark.parametrize("line", ["artritis", "spruce", "words", "allergen"])
def test_a_word_that_is_near_to_two_conditions_or_is_an_everyday_one_is_none(engine: Engine, line: str) -> None:
    found, asked = problems_read(line, engine)
    assert not found
    assert asked


@pytest.mark.parametrize(
    ("line", "gene"),
    [("DPYD *2A carrier", "gene.dpyd"), ("TPMT *3A carrier", "gene.tpmt"), ("slow metabolizer 2D6", "gene.cyp2d6")],
)
def test_who_carries_an_allele_or_is_called_slow_has_less_of_the_enzyme(engine: Engine, line: str, gene: str) -> None:
    facts = Facts(as_case({"patient": {"conditions": [line]}}), engine.checker.terms, DAY)
    assert [(g.gene, g.state in ("partial_deficiency", "intermediate", "poor")) for g in facts.findings.genes] == [(gene, True)]


@pytest.mark.parametrize(("line", "did"), [("pancreatitis 2/2 TGs, on fenofibrate", False), ("pancreatitis on VPA", True)])
def test_a_medicine_did_not_do_what_came_of_something_else(engine: Engine, line: str, did: bool) -> None:
    facts = Facts(as_case({"patient": {"conditions": [line]}}), engine.checker.terms, DAY)
    assert bool(facts.listed.reactions) == did


def test_no_phrase_of_standing_loses_the_sign_that_makes_it_a_denial(engine: Engine) -> None:
    """A phrase that denies by "-" or "(-)" alone would deny without it: "melanoma on bx" is a melanoma."""
    for name in ("problem-status-after", "problem-status-before"):
        told = engine.library.language.meaning(name)
        assert not [p for p, said in told.items() if said == "denied" and re.search(r"\(-\)|(?:^|\s)-$", p)], name
