"""How to ask for a fact that is missing, and what to tell an agent to do."""

from __future__ import annotations

from collections.abc import Sequence

from safety.knowledge.library import Library

_QUESTIONS = {
    "age": "How old is the patient?",
    "weight": "What does the patient weigh, and in which unit?",
    "sex": "Is the patient female or male?",
    "pregnancy": "Is the patient pregnant, or could she be, and in which week?",
    "breastfeeding": "Is the patient breastfeeding?",
    "conditions": "Which medical conditions does the patient have (or none)?",
    "status": "Is the condition present now, is it past, or was it only suspected?",
    "onset": "When was it, and is it over?",
    "allergies": "Which allergies does the patient have (or none)?",
    "reaction": "What happened in the allergic reaction?",
    "labs": "Which recent lab results are there?",
    "vitals": "What are the latest blood pressure, pulse and temperature, and of which day?",
    "diet_limits": "Which limits on eating and drinking are ordered (salt, fluid, potassium, or none)?",
    "vaccines": "Which vaccines are planned, or were given lately (or none)?",
    "genes": "Which genetic results are known (or none)?",
    "procedures": "Which procedures are planned, or were done lately, and on which day (or none)?",
    "devices": "Which devices does the patient have (a pacemaker, a feeding tube, a heart valve, or none)?",
    "route": "How is it taken: swallowed, put on the skin, inhaled, injected?",
    "form": "Which form is it: tablet, liquid, cream, patch?",
    "supply": "Is it prescribed, or bought without a prescription?",
    "dose": "How much is taken at a time?",
    "frequency": "How often is it taken, and how many at the most in 24 hours?",
    "strength": "Which strength is it, as printed on the label?",
    "unit": "In which unit is the dose meant?",
    "days": "For how many days has it been taken?",
    "since": "When was it started?",
    "intake": "What does the patient eat and drink of this, and how much in a day (grapefruit, alcohol, salt, fluid, tobacco)?",
    "height": "How tall is the patient?",
    "indication": "What is it taken for?",
    "dose_range": "Which dose is right for somebody of this age and with this problem, of whom our tables say nothing?",
    "last_taken": "When was the last dose taken?",
    "medication": "Which medicine is the one that was not recognised?",
    "medications": "Which other medicines are taken?",
}
_ESCALATE = {
    "none": "",
    "pharmacist": "Refer to a pharmacist.",
    "clinician": "Call the prescriber or another clinician.",
    "emergency": "This is an emergency: get help now.",
}


def question(needs: Sequence[str], library: Library) -> str:
    """One question for each missing fact."""
    asked = []
    for need in dict.fromkeys(needs):
        test, gene = library.lab.get(need), library.gene.get(need)
        if test:
            asked.append(f"What is the latest {test.name}, and of which day?")
        elif gene:
            asked.append(f"What is the result for {gene.name}, if it was tested?")
        else:
            asked.append(_QUESTIONS.get(need, f"What is the {need}?"))
    return " ".join(asked)


_TO_TELL = {
    "age": "the patient's age",
    "sex": "sex",
    "weight": "weight",
    "height": "height",
    "pregnancy": "whether she is pregnant, and in which week",
    "breastfeeding": "whether she is breastfeeding",
    "conditions": "medical conditions (or that there are none)",
    "allergies": "allergies (or that there are none)",
    "intake": "what is eaten, drunk and smoked",
    "medications": "the other medicines taken (or that there are none)",
    "status": "whether the condition is present now, or past",
    "reaction": "what happened in the allergic reaction",
}


def together(needs: Sequence[str], library: Library) -> str:
    """One question for several facts of the patient, results of tests among them."""
    if len(needs) < 2:
        return question(needs, library)
    tests = [library.lab[need].name for need in needs if need in library.lab]
    told = [_TO_TELL.get(need, need_in_words(need, library)) for need in needs if need not in library.lab]
    if tests:
        told.append(f"the latest {_listed(tests)} with {'their days' if tests[1:] else 'its day'}")
    if len(told) < 2:
        return f"Please tell {told[0]}."
    return f"Please tell {', '.join(told[:-1])} and {told[-1]}."


def _listed(words: Sequence[str]) -> str:
    return " and ".join(w for w in (", ".join(words[:-1]), words[-1]) if w)


def need_in_words(need: str, library: Library) -> str:
    """A missing fact as a short noun: `estimated glomerular filtration rate`, `pregnancy`, `reaction`."""
    named = library.lab.get(need) or library.gene.get(need)
    return named.name if named else need.replace("_", " ")


def task(advice: str, escalate: str) -> str:
    """One or two sentences an agent can act on."""
    return f"{advice} {_ESCALATE[escalate]}".strip()
