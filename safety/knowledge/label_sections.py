"""What a US label is divided into, as the coverage ledger names it, and where it may state something for a kind of check."""

from __future__ import annotations

from typing import Literal, get_args

PrescriptionSection = Literal[
    "boxed warning", "dosage", "contraindications", "warnings", "interactions", "pregnancy", "lactation", "fertility",
    "children", "older", "kidney", "liver", "abuse", "overdose",
]  # fmt: skip
OtcSection = Literal[
    "directions", "do not use", "ask a doctor", "ask if taking", "when using", "stop use", "pregnancy or breastfeeding",
]  # fmt: skip
SectionName = Literal[PrescriptionSection, OtcSection]
SECTIONS = {"prescription": get_args(PrescriptionSection), "otc": get_args(OtcSection)}
"""What a label has to be read for, if only to find that nothing stands there."""
Reason = Literal[
    "not a fact a record tells", "no action for the reader", "told by another line", "beyond the engine for now",
]  # fmt: skip
"""Why a statement of a label is held by no entry; only the last leaves a hole."""
BEYOND: Reason = "beyond the engine for now"
_ANYWHERE = ("boxed warning", "contraindications", "warnings", "do not use", "ask a doctor", "when using")
_STATED_IN: dict[str, tuple[str, ...]] = {
    "interaction": ("interactions", "ask if taking"), "contraindication": (), "dose": ("dosage", "directions"), "allergy": (),
    "pregnancy": ("pregnancy", "fertility", "pregnancy or breastfeeding"),
    "lactation": ("lactation", "pregnancy or breastfeeding"), "age": ("children", "older", "dosage", "directions"),
    "kidney": ("kidney", "dosage", "directions"), "liver": ("liver", "dosage", "directions"), "otc": ("directions",),
    "duplicate": ("interactions", "ask if taking"), "route": ("dosage", "directions"),
}  # fmt: skip


def stated_in(check: str) -> tuple[str, ...]:
    """The sections of a label that may state something for a kind of check: all are to be read before it has nothing to state."""
    return (*_STATED_IN[check], *_ANYWHERE)
