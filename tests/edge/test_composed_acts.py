"""What is done with a medicine, read by what the words are made of: the verb, who does it, when, whether at all."""

from __future__ import annotations

import pytest

from safety.edge.acts import forms_of
from safety.engine import Engine

COMPOSED = (
    # denied, only thought of, to come, on a condition
    ("She never did go back to taking the Fosamax.", "Fosamax stopped"),
    ("Renal does not want him back on the lisinopril.", "lisinopril stopped"),
    ("I warned her never to mix tramadol with her Zoloft.", "tramadol denied; Zoloft taking"),
    ("Reluctant to put him on Concerta.", "Concerta considering"),
    ("We talked about maybe going back to Cymbalta but decided against it.", "Cymbalta considering"),
    ("I'd hold the metoprolol if his heart rate is under 50.", "metoprolol taking"),
    ("If A1c is still above 8 at the next visit, Ozempic gets added to the metformin.", "Ozempic considering; metformin taking"),
    ("Unless the cough settles, lisinopril has to go.", "lisinopril taking"),
    ("I'm coming off Paxil slowly.", "Paxil taking"),
    # done, and to whom
    ("Could not stand the Topamax, so it was pulled and zonisamide 100 mg put in its place.",
     "Topamax stopped; zonisamide prescribed"),
    ("Vancomycin was narrowed to cefazolin when cultures came back.", "Vancomycin stopped; cefazolin prescribed"),
    ("Trazodone did nothing for him and he gave it up.", "Trazodone stopped"),
    ("Methotrexate is being held while she is on antibiotics.", "Methotrexate stopped"),
    ("Reglan not an option given her Parkinson's.", "Reglan denied"),
    ("Advised her on no account to take naproxen.", "naproxen denied"),
    ("Mom gave the patient Tylenol.", "Tylenol taking"),
    ("He is on Prozac 20 mg daily, but weaned himself off of it.", "Prozac stopped"),
    ("I quit the lorazepam all at once on Friday.", "lorazepam stopped"),
    ("Patient: The oral surgeon gave me Norco, I took it for three days and threw the rest out.", "Norco stopped"),
)  # fmt: skip


@pytest.mark.parametrize(("text", "told"), COMPOSED)
def test_an_act_is_read_by_what_it_is_made_of(engine: Engine, text: str, told: str) -> None:
    found = [m for m in engine.extract(text).medications if m.normalised.drug]
    assert "; ".join(f"{m.span.text} {m.context}" for m in found) == told


def test_the_forms_of_a_verb() -> None:
    assert set(forms_of("stop", {})) == {"stop", "stops", "stopping", "stopped"}
    assert set(forms_of("taper off", {})) == {"taper off", "tapers off", "tapering off", "tapered off"}
    assert set(forms_of("carry on", {})) == {"carry on", "carries on", "carrying on", "carried on"}
    assert forms_of("take off", {"take": ("took", "taken")})["taken off"] == "done"
    assert forms_of("quit", {"quit": ("quit", "quit")})["quit"] == "either"
