"""The answer to a question about a test result: what it is, where it lies, where it is heading, why, and what to do."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from safety.model.report import Citation, Due, MadeBy

LabStatus = Literal[
    "low", "normal", "high", "critical_low", "critical_high", "implausible", "positive", "negative", "unknown"
]  # fmt: skip
LabTrend = Literal["rising", "falling", "stable", "no_consistent_trend", "insufficient_history"]
Escalation = Literal["none", "pharmacist", "clinician", "emergency"]


class LabBand(Struct, frozen=True):
    """The range that a result was held against, in the test's own unit; `kind`: reference, therapeutic or target."""

    low: str | None
    high: str | None
    unit: str
    for_: str = msgspec.field(name="for", default="")
    kind: str = "reference"


class LabBefore(Struct, frozen=True):
    """The result before, and what the change to it comes to: more than chance and the assay explain, or not.

    `on`: its day; empty where none was told.
    """

    value: str
    on: str
    change: Literal["higher", "lower", "no real change", "not known"]


class LabEffect(Struct, frozen=True):
    """What a medicine of this patient does to the test."""

    drug: str
    name: str
    direction: str
    intended: bool
    note: str
    kind: str = "adverse"


class LabFinding(Struct, frozen=True):
    """A rule about medicines of this patient (`drugs`) that speaks for this result, as `check` tells it."""

    rule: str
    severity: str
    title: str
    advice: str
    drugs: list[str] = []


class LabCorrected(Struct, frozen=True):
    """That a value is not the one measured: what that was, for what it was corrected, and by which formula."""

    measured: str
    for_: str = msgspec.field(name="for")
    formula: str = ""
    citation: str = ""
    checked: str = ""


class LabAnswer(Struct, frozen=True):
    """One result answered; `also`: the others that were told with it (the diastolic pressure, the rest of a panel).

    `limit`: the limit outside which it is critical, or somebody acts, where that decided.
    `corrected`: the value is not the one measured, which another test corrects. `worked_out`: it was not measured, and
    follows from these results of the same day. `due`: without a result asked about, what the medicines need measured.
    """

    test: str | None
    name: str
    value: str
    status: LabStatus
    loinc: str | None = None
    on: str | None = None
    range: LabBand | None = None
    target: LabBand | None = None
    target_met: bool | None = None
    limit: LabBand | None = None
    trend: LabTrend | None = None
    trend_words: str = ""
    previous: LabBefore | None = None
    medication_effects: list[LabEffect] = []
    findings: list[LabFinding] = []
    needs: list[str] = []
    ask: str = ""
    escalate: Escalation = "none"
    task: str = ""
    evidence: list[Citation] = []
    corrected: LabCorrected | None = None
    worked_out: str = ""
    due: list[Due] = []
    also: list[LabAnswer] = []
    notes: list[str] = []
    id: str | None = None
    as_of: str = ""
    made_by: MadeBy | None = None

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain values: the JSON of the contract."""
        built: dict[str, Any] = msgspec.to_builtins(self)
        return built

    def to_json(self) -> bytes:
        """The answer as JSON on one line."""
        return msgspec.json.encode(self)
