"""Who tells it, and whether it is so yet: kin against the patient, ends that are not sure, beginnings that lie ahead."""

from __future__ import annotations

from datetime import date

import pytest
from measuring.told import taking as state
from measuring.told import told

from safety.engine import Engine


def after(engine: Engine, medicine: str, *texts: str) -> str:
    turns = [(f"2026-03-{n:02}", text) for n, text in enumerate(texts, 1)]
    return state(engine.remember(told(engine, turns)).belief(date(2026, 5, 1)), medicine)


@pytest.mark.parametrize(
    ("medicine", "texts", "expected"),
    [
        ("lisinopril", ("I take lisinopril 10 mg.", "My wife says I haven't taken my lisinopril in weeks."), "conflict"),
        ("metoprolol", ("Patient says he takes his metoprolol. His daughter says he stopped it.",), "conflict"),
        ("metoprolol", ("I take metoprolol 25 mg.", "My son says my cardiologist stopped the metoprolol."), "not taken"),
        ("alprazolam", ("My wife says she takes Xanax.",), "untold"),
        ("sertraline", ("I take Zoloft 50.", "Might have been stopped in the hospital, I'm honestly not sure."), "conflict"),
        ("metoprolol", ("One of them is called metoprolol, but she might've stopped that one.",), "untold"),
        ("empagliflozin", ("I take Jardiance 10 mg.", "I'm thinking of asking her to stop it."), "taken"),
        ("metformin", ("I quit the metformin in the summer, it ran straight through me.",), "not taken"),
        ("rivaroxaban", ("She'll start Xarelto the day after the procedure, on the 30th.",), "untold"),
        ("rivaroxaban", ("She started Xarelto the day after the procedure.",), "taken"),
        ("aspirin", ("I take aspirin 81.", "No aspirin starting today until after the surgery."), "held"),
        ("aspirin", ("I take aspirin 81.", "No aspirin refills left on this one."), "taken"),
        ("furosemide", ("I think my water pill is Lasix or maybe it's Bumex.",), "conflict"),
        ("furosemide", ("I take Lasix, and the doctor may add Bumex or Demadex.",), "taken"),
        ("hydrochlorothiazide", ("I take Hyzaar 50/12.5.", "Plain losartan 50 now, no more combination."), "not taken"),
        ("hydrochlorothiazide", ("I take Hyzaar 50/12.5.", "I take losartan 50 too."), "taken"),
    ],
)  # fmt: skip
def test_what_is_believed(medicine: str, texts: tuple[str, ...], expected: str, engine: Engine) -> None:
    assert after(engine, medicine, *texts) == expected


@pytest.mark.parametrize(
    ("first", "text", "dose"),
    [
        ("Zoloft 50 mg daily.", "I said fifty but I looked at the bottle, it's a hundred.", "100 mg"),
        ("Zoloft 50 mg daily.", "My mother turned a hundred.", "50 mg"),
        ("Zoloft 50 mg daily.", "It cost me a hundred dollars.", "50 mg"),
        ("Zoloft 50 mg daily.", "Twenty-five now.", "25 mg"),
        ("Zoloft 50 mg daily.", "Zoloft is seventy-five now.", "75 mg"),
    ],
)
def test_a_number_in_words_is_a_dose_where_it_can_be_one(first: str, text: str, dose: str, engine: Engine) -> None:
    belief = engine.remember(told(engine, [("2026-03-01", first), ("2026-03-02", text)])).belief(date(2026, 5, 1))
    assert str(belief.medicine("sertraline").slot("dose").value) == dose
