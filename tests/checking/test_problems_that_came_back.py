"""What was over is there again where its line says further on that it came back; where it says that it may, it is not."""

from __future__ import annotations

import pytest

from safety.engine import Engine

BACK = {
    "Hodgkins '09, remission; relapsed 8/26": "lymphoma",
    "melanoma excised '20; new satellite mets": "melanoma",
    "colon ca stg III resected '18, liver mets found last mo": "colon-cancer",
    "NHL in CR since 2020; biopsy 7/26 shows relapse": "lymphoma",
    "bladder ca hx, TURBT 2016; recurrence on cysto today": "bladder-cancer",
    "h/o breast ca 2012, now w/ bone mets": "breast-cancer",
    "breast ca '14 s/p mastectomy, NED until 9/26 when local recurrence found": "breast-cancer",
    "breast ca 2015 s/p lumpectomy; 8/26 relapse in axilla": "breast-cancer",
    "thyroid ca s/p TT 2015, Tg rising": "thyroid-cancer",
    "MM s/p ASCT, in CR until biochemical relapse 6/26": "multiple-myeloma",
    "testicular ca '99 cured; LN mets on CT": "testicular-cancer",
    "UC in remission x3y, flaring now": "ulcerative-colitis",
    "HCV s/p SVR 2018, RNA+ again (reinfection)": "hepatitis-c",
    "hemoptysis x 2 d, resolved yesterday, back this am": "hemoptysis",
    "cellulitis resolved, now back": "bacterial-skin-infection",
    "pneumothorax resolved, recurred overnight": "pneumothorax",
    "peptic ulcer healed 2019; rebleed yesterday": "peptic-ulcer",
    "AUD, sober 5y, relapsed last month": "alcohol-use-disorder",
    "h/o OUD, sober since 2020, relapsed on fentanyl": "opioid-use-disorder",
}
OVER = {
    "AML in CR, no relapse on marrow": "acute-leukemia",
    "AML s/p SCT in CR; sister relapsed": "acute-leukemia",
    "breast ca 2012, NED, fear of recurrence": "breast-cancer",
    "breast ca 2009 in remission, chance of relapse discussed": "breast-cancer",
    "melanoma excised '15, surveillance for recurrence q6mo": "melanoma",
    "hx melanoma 2012, lung ca w/ brain mets": "melanoma",
    "Hodgkin 1998 remission, relapsed 2001, ASCT, in CR since": "lymphoma",
    "colon ca resected 2016, no mets": "colon-cancer",
    "colon ca 2015 s/p hemicolectomy, liver mets resected 2017, NED": "colon-cancer",
    "pericarditis '22, recurred x1 '23, none since": "pericarditis",
    "C diff 2023, recurred 2024, resolved w/ FMT": "c-difficile-infection",
    "C diff resolved 9/26, high recurrence risk": "c-difficile-infection",
    "DVT 2010, resolved, on ppx to prevent recurrence": "deep-vein-thrombosis",
    "AUD in remission, relapse prevention group": "alcohol-use-disorder",
    "MDD in remission; DM2, GERD, relapsed on alcohol": "depression",
    "TB tx'd 2010, reactivation ruled out": "tuberculosis",
    "psoriasis in remission, last flare 2019": "psoriasis",
    "SBO resolved, return to clinic prn": "bowel-obstruction",
    "asthma in childhood, back pain": "asthma",
}


def standings(engine: Engine, text: str, name: str) -> set[str]:
    terms = engine.checker.terms
    return {head.standing for head in terms.problems.read(text).heads if terms.named(head.name) == f"condition.{name}"}


@pytest.mark.parametrize("text", BACK)
def test_what_came_back_is_there(engine: Engine, text: str) -> None:
    found = standings(engine, text, BACK[text])
    assert found, text
    assert found <= {"told", "recent"}


@pytest.mark.parametrize("text", OVER)
def test_what_may_come_back_is_over_still(engine: Engine, text: str) -> None:
    found = standings(engine, text, OVER[text])
    assert found, text
    assert found <= {"history", "resolved", "done"}
