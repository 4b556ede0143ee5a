"""What we answer: findings, unknowns, what was not recognised or not covered, and the report that holds them."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from safety.model.brief import brief
from safety.model.patient import Reading
from safety.model.position import Position, printed
from safety.model.site import SiteChange

Verdict = Literal["violated", "unknown", "clear"]
Severity = Literal["contraindicated", "major", "moderate", "minor"]
SEVERITIES: tuple[Severity, ...] = ("contraindicated", "major", "moderate", "minor")
RANK: dict[str, int] = {severity: rank for rank, severity in enumerate(SEVERITIES)}


class Subject(Struct, frozen=True, order=True):
    """A medication that an answer is about: as told, which drug it is, and where in the case it stands."""

    text: str
    drug: str | tuple[str, ...] | None
    where: Position


class Step(Struct, frozen=True):
    """One step of the reasoning: the line of the rule, what the patient had, whether it held (null: not known)."""

    step: str
    saw: str
    result: bool | None
    place: str


class Citation(Struct, frozen=True):
    """Where a statement stands and how it was checked (`read`, `secondary`, `recalled`)."""

    source: str
    at: str
    grade: str
    checked: str
    supports: list[str] = []
    title: str = ""
    copy: str = ""


class Assumed(Struct, frozen=True):
    """A fact of a medication that was not told and was taken as usual: what, as which value, and how to ask for it.

    `usual`: whether it is taken so most often; where it is not, but is sold for that too, the finding interrupts nobody.
    `past_cap`: a dose of which only this is assumed, that it lies past the number a rule draws.
    """

    fact: str
    value: str
    ask: str
    where: Position
    usual: bool = True
    past_cap: bool = False


class Offered(Struct, frozen=True):
    """What may be taken instead, as it would be ordered, checked for this patient: nothing stands against it but, milder than
    what it is offered for, the rules of `mind`, which ask for something to be watched."""

    drug: str
    order: str
    source: str
    mind: list[str] = []


class Finding(Struct, frozen=True):
    """A rule that this patient's medications break, with what to do about it and why.

    `harms`: what goes wrong, as ids, the chief harm first; `harm`: the same in words.
    `also`: other rules that one decision answers, weaker or equal, in full; one card shows them together.
    `assumed`: what was not told and stands between harm and no harm; a told fact overrules it at once.
    `instead`: at most three medicines for the same purpose, each checked for this patient by the same rules.
    """

    rule: str
    kind: str
    severity: Severity
    hard: bool
    interrupt: bool
    subjects: list[Subject]
    title: str
    harms: list[str]
    harm: str
    why: str
    do: str
    advice: str
    if_unavoidable: str
    escalate: str
    task: str
    evidence: list[Citation]
    trace: list[Step]
    saw: list[str] = []
    severity_because: str = ""
    severity_needs: list[str] = []
    decided_by: str = "medsafe"
    suspect: str = ""
    also: list[Finding] = []
    assumed: list[Assumed] = []
    instead: list[Offered] = []


class Unknown(Struct, frozen=True):
    """A rule that could not be judged: the facts it needs and how to ask for them.

    `also`: other rules that wait for the same facts (the doses of several drugs are one question).
    """

    rule: str
    kind: str
    severity: Severity
    subjects: list[Subject]
    title: str
    needs: list[str]
    ask: str
    trace: list[Step] = []
    decided_by: str = "medsafe"
    also: list[str] = []


UnresolvedStatus = Literal[
    "unrecognised", "ambiguous", "contradicted", "unjudged", "not_held", "unread", "unit", "implausible", "left_out"
]
"""`not_held`: probably the name of a medicine, by its ending or as RxNorm has it, about which nothing is held."""


class Unresolved(Struct, frozen=True):
    """Something told that we did not recognise, or that no rule looks at yet (`unjudged`); nothing was judged about it.

    Where a medicine's name could mean one of several, `would_break` says which rules each of them would break, and
    `agree` whether that is the same for all: then the answer does not hang on the name, though it is still asked. That none
    of them breaks a rule is said only where all of them were weighed and every kind of knowledge is held of each.
    `could_change`: the kinds of check that would look at it.
    """

    text: str
    where: Position
    status: UnresolvedStatus
    candidates: list[str]
    ask: str
    would_break: dict[str, list[str]] = {}
    agree: bool | None = None
    could_change: list[str] = []


class Question(Struct, frozen=True):
    """Something to ask: the facts it is about, the rules it would settle, and the worst that the answer could bring."""

    ask: str
    needs: list[str]
    settles: list[str]
    worst: Severity


class Understood(Struct, frozen=True):
    """A medication entry as we understood it: what it was taken to be and how, and a question where that is to be confirmed."""

    text: str
    drug: str | tuple[str, ...] | None
    where: Position
    current: bool
    status: Literal["match", "ambiguous", "unrecognised"]
    via: str | None
    confirm: bool
    ask: str


class NotCovered(Struct, frozen=True):
    """A drug that is recognised and the kinds of check, of those that matter here, that nothing, or not all, is held for.

    `holds`: the kinds that something is held for.
    """

    drug: str
    where: Position
    lacks: list[str]
    holds: list[str]


CheckState = Literal["judged", "partly", "not held"]
"""Whether a kind of check was made: for every medicine, with something left open, or for none because nothing is held."""


class Hole(Struct, frozen=True):
    """Why silence says nothing here: what is not held, not told, not read, or contradicts itself, in one line.

    `about`: the drug, or the fact by its name; `checks`: the kinds of check that it leaves open; `ask`: how to close it.
    """

    because: Literal["not held", "not told", "not read", "contradicts"]
    about: str
    text: str
    checks: list[str] = []
    where: Position | None = None
    ask: str = ""


class MadeBy(Struct, frozen=True):
    """Which engine and which knowledge gave the answer; `signed`: what a site made quieter of what is protected, and who
    answers for it."""

    engine: str
    knowledge: str
    sha256: str
    overlays: list[str] = []
    signed: list[str] | UnsetType = UNSET


class Counts(Struct, frozen=True):
    """How many rules spoke, and how many cards they were gathered on."""

    before_grouping: int = 0
    after_grouping: int = 0


DueState = Literal["due", "in time", "not told"]


class Due(Struct, frozen=True):
    """A test that a patient's medicines, or a problem, need: a suggestion of what to measure, which breaks no rule.

    `tests`: any one of them answers; `every`: for how many days a result lasts; `last`: the day of the newest one on file;
    `state`: due (none on file, too old, or to be repeated: `saw` says which), in time, or not told.
    """

    tests: list[str]
    name: str
    state: DueState
    severity: Severity
    medicines: list[str]
    every: int | None
    last: str
    saw: str
    advice: str
    rules: list[str]
    evidence: list[Citation] = []

    @property
    def called(self) -> str:
        """The test with the medicines that it is for, if it is for some and not for a problem alone."""
        return f"{self.name} ({', '.join(self.medicines)})" if self.medicines else self.name


class Report(Struct, frozen=True):
    """The answer to one case. `clear` only if nothing is violated and nothing stands in `unknown_because`.

    `complete`: nothing was left open; also where the verdict is `violated`, when what was left open is easily overlooked.
    `site_changes`: entries of ours that a site changed and that speak here, or would without the site;
    words that it made to be read, in every report.
    `checks`: each kind of check that this patient makes relevant, and whether it was made; `checks_why` says why not.
    `due`: tests that are worth measuring now; reminders, which make no verdict `violated`.
    """

    report: int
    id: str | None
    as_of: str
    verdict: Verdict
    findings: list[Finding]
    unknown: list[Unknown]
    unresolved: list[Unresolved]
    not_covered: list[NotCovered]
    made_by: MadeBy
    medications: list[Understood] = []
    questions: list[Question] = []
    complete: bool = True
    notes: list[str] = []
    counts: Counts = Counts()
    role: str = "pharmacist"
    read: Reading | UnsetType = UNSET
    site_changes: list[SiteChange] | UnsetType = UNSET
    checks: dict[str, CheckState] = {}
    checks_why: dict[str, str] = {}
    unknown_because: list[Hole] = []
    due: list[Due] = []

    @property
    def every_finding(self) -> list[Finding]:
        """Every rule that spoke, whichever card it stands on."""
        return [f for card in self.findings for f in (card, *card.also)]

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values: exactly the JSON of the contract."""
        built: dict[str, Any] = msgspec.to_builtins(self, enc_hook=printed)
        return built

    def to_json(self) -> bytes:
        """The report as JSON on one line, the same bytes for the same answer."""
        return msgspec.json.encode(self, enc_hook=printed)

    def brief(self) -> dict[str, Any]:
        """The report in at most 1.5 KB for ten medications: verdict, findings with task, questions, holes, ids."""
        return brief(self.to_dict())


Mark = Literal["CORRECT", "HIGH", "LOW", "UNKNOWN"]
MARKS: tuple[Mark, ...] = ("CORRECT", "HIGH", "LOW", "UNKNOWN")


class DoseAxes(Struct, frozen=True):
    """The four ways in which a reported dose can be right or wrong."""

    per_dose: Mark = "UNKNOWN"
    per_day: Mark = "UNKNOWN"
    frequency: Mark = "UNKNOWN"
    timing: Mark = "UNKNOWN"


class DoseLimit(Struct, frozen=True):
    """One limit that a reported dose was held against; `exceeded` is null where that is not known."""

    tier: str
    kind: Literal["single", "day", "interval", "days", "use"]
    drug: str
    amount: str
    limit: str
    exceeded: bool | None
    rule: str
    title: str
    evidence: list[Citation]
    escalate: str = "none"


class DoseSaid(Struct, frozen=True):
    """One statement as it was understood: which medicine, the name as heard, how much, how often, and what happened."""

    text: str
    drug: str | list[str] | None
    name: str
    dose: str
    times: str
    per_day: str
    strength: str
    slots: list[str]
    events: list[str]


class DoseAnswer(Struct, frozen=True):
    """Whether what is taken is right: against the prescription, else the label and the ceiling, else the doses in use."""

    verdict: Mark
    axes: DoseAxes
    reported_per_day: str | None
    expected_per_day: str | None
    against: Literal["prescription", "otc-label", "clinical-ceiling", "dose-range"] | None
    limits: list[DoseLimit]
    suspect: str | None
    drug: str | list[str] | None
    needs: list[str]
    ask: str
    escalate: Literal["none", "pharmacist", "clinician", "emergency"]
    task: str
    evidence: list[Citation]
    suspects: list[str] = []
    id: str | None = None
    as_of: str = ""
    name: str = ""
    confirm: bool = False
    candidates: list[str] = []
    understood: list[DoseSaid] = []
    prescribed: str = ""
    missed_dose: str = ""
    made_by: MadeBy | None = None

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain values: exactly the JSON of the contract."""
        built: dict[str, Any] = msgspec.to_builtins(self)
        return built

    def to_json(self) -> bytes:
        """The answer as JSON on one line, the same bytes for the same answer."""
        return msgspec.json.encode(self)
