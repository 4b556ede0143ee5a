"""The shape of a file of interactions by the medicine that is affected, and of the pathways that medicines depend on.

A row of `pairs` names the other medicine. A rule under `depends_on` names how strongly a pathway is inhibited or induced:
it follows from two facts, that strength (`kb/pathways/`) and this medicine's dependence on the pathway.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from safety.knowledge.references import Of
from safety.knowledge.shapes import (
    AsList,
    AsMember,
    ClassId,
    Constraint,
    DrugId,
    DrugPart,
    Escalate,
    Evidence,
    Fact,
    JudgedShape,
    Lines,
    Mechanism,
    Medicines,
    Outcome,
    Review,
    SeverityWhen,
    SeverityWord,
    Shape,
    StatusWord,
    Text,
    Verb,
)

Strength = Literal["strong", "moderate", "weak", "variable"]
Does = Literal["clears", "activates"]
Sensitivity = Literal["sensitive", "moderate", "minor"]
Side = Literal["inhibitors", "inducers"]
STRENGTHS: tuple[Strength, ...] = ("strong", "moderate", "weak", "variable")
SIDES: tuple[Side, ...] = ("inhibitors", "inducers")


# ------------------------------------------------------------------ pathways


class StrengthShape(Shape):
    """Who inhibits or induces a pathway so strongly; they are a class of their own."""

    name: Text | None = None
    synonyms: list[Text] = Field(default_factory=list)
    members: list[AsMember] = Field(min_length=1)
    evidence: list[Evidence] = Field(min_length=1)


class SideShape(Shape):
    """Those who inhibit a pathway, or those who induce it; `called`: what one of them is called in a title."""

    called: Text | None = None
    strong: StrengthShape | None = None
    moderate: StrengthShape | None = None
    weak: StrengthShape | None = None
    variable: StrengthShape | None = None


class PathwayShape(Fact):
    """An enzyme or a transporter that many medicines depend on."""

    name: Text
    inhibitors: SideShape | None = None
    inducers: SideShape | None = None


# ------------------------------------------------------------------ who


def _drugs(value: Any) -> Any:
    if isinstance(value, str):
        return {"class" if value.startswith("class.") else "id": value}
    return {"any_of": value} if isinstance(value, list) else value


class WhichLine(DrugPart):
    """Medicines by id, class or list, perhaps only by some routes, forms or amounts."""

    id: DrugId | None = None
    class_: ClassId | None = Field(None, alias="class")
    any_of: list[Medicines] | None = None

    @property
    def ids(self) -> list[str]:
        """The drugs and classes that are named."""
        return [i for i in (self.id, self.class_) if i is not None] + list(self.any_of or ())


class OtherLine(WhichLine):
    """As `WhichLine`, and somebody has to be named."""

    @model_validator(mode="after")
    def _one_way_to_say_which(self) -> OtherLine:
        if sum(v is not None for v in (self.id, self.class_, self.any_of)) != 1:
            raise ValueError("say which drug in exactly one way: `id`, `class` or `any_of`")
        return self


class AffectedLine(WhichLine):
    """As `OtherLine`; in a row it may only narrow down whom the file is about."""

    @model_validator(mode="after")
    def _one_way_to_say_which(self) -> AffectedLine:
        if sum(v is not None for v in (self.id, self.class_, self.any_of)) > 1:
            raise ValueError("say which drug in exactly one way: `id`, `class` or `any_of`")
        return self


class ThroughLine(DrugPart):
    """Those who inhibit or induce the pathway so strongly, and drugs or classes that are named beside them."""

    inhibitors: Annotated[list[str], AsList] | None = Field(None, min_length=1)
    inducers: Annotated[list[str], AsList] | None = Field(None, min_length=1)

    @model_validator(mode="after")
    def _one_side(self) -> ThroughLine:
        if (self.inhibitors is None) is (self.inducers is None):
            raise ValueError("say either `inhibitors` or `inducers`")
        for word in self.named_or_strong:
            if "." not in word and word not in STRENGTHS:
                raise ValueError(f"`{word}` is not a strength: {' '.join(STRENGTHS)}; or name drugs and classes by id")
        return self

    @property
    def side(self) -> Side:
        """Whether they inhibit or induce."""
        return "inhibitors" if self.inhibitors is not None else "inducers"

    @property
    def named_or_strong(self) -> list[str]:
        """Everything that is listed, in its order."""
        return [*(self.inhibitors or ()), *(self.inducers or ())]

    @property
    def strengths(self) -> list[str]:
        """How strongly."""
        return [word for word in self.named_or_strong if "." not in word]

    @property
    def named(self) -> list[str]:
        """Drugs and classes named beside the strengths, or instead of them."""
        return [word for word in self.named_or_strong if "." in word]


_AnyWay = BeforeValidator(_drugs, json_schema_input_type=Medicines | list[Medicines] | OtherLine)


# ------------------------------------------------------------------ rows


def _given(value: Any) -> Any:
    return {"drugs": value} if isinstance(value, list) else value


Cases = dict[Text, Annotated[dict[str, Any], BeforeValidator(_given, json_schema_input_type=list[Any] | dict[str, Any])]]
"""Cases by their names: the drugs that are taken, or everything that is given, with the `severity` or what is `missing`."""


class RowShape(Shape):
    """One interaction of the file's medicine; what it leaves out it has from the head of the file."""

    id: str | None = Field(None, pattern=r"^[a-z0-9]+(?:-[a-z0-9]+)*$")
    was: Annotated[list[str], AsList] = Field(default_factory=list)
    title: Text | None = None
    affected: (
        Annotated[AffectedLine, BeforeValidator(_drugs, json_schema_input_type=Medicines | list[Medicines] | AffectedLine)] | None
    ) = None
    when: Lines = Field(default_factory=list)
    status: StatusWord | None = None
    severity: SeverityWord | None = None
    severity_when: list[SeverityWhen] = Field(default_factory=list)
    review: Review | None = None
    constraint: Constraint | None = None
    do: dict[Verb, str] = Field(min_length=1, max_length=1)
    advice: Text
    if_unavoidable: str = ""
    escalate: Escalate = "pharmacist"
    outcome: Outcome
    tags: list[str] = Field(default_factory=list)
    note: str = ""
    fires: Cases = Field(default_factory=dict)
    quiet: Cases = Field(default_factory=dict)
    unsure: Cases = Field(default_factory=dict)


class PairShape(RowShape):
    """The file's medicine with another one."""

    with_: Annotated[OtherLine, _AnyWay] = Field(alias="with")
    why: dict[Mechanism, Text] = Field(min_length=1, max_length=1)
    evidence: Annotated[list[Evidence], AsList] = Field(min_length=1)


class DependentShape(RowShape):
    """The file's medicine with what inhibits or induces a pathway; without `why` and `evidence` they are the two facts'."""

    with_: ThroughLine = Field(alias="with")
    why: Text | None = None
    evidence: Annotated[list[Evidence], AsList] | None = None


class DependsShape(Shape):
    """A pathway that the file's medicine depends on, how much, and the rules that follow."""

    pathway: Annotated[str, Of("pathway")]
    does: Does = "clears"
    sensitivity: Sensitivity | None = None
    evidence: Annotated[list[Evidence], AsList] = Field(min_length=1)
    rules: list[DependentShape] = Field(min_length=1)


class PairsShape(Shape):
    """A file of interactions, named after the drug or class that takes part in each of them, mostly as the affected one."""

    id: str
    affected: Annotated[OtherLine, _AnyWay] | None = None
    status: StatusWord
    severity: SeverityWord | None = None
    review: Review
    tags: list[str] = Field(default_factory=list)
    depends_on: list[DependsShape] = Field(default_factory=list)
    pairs: list[PairShape] = Field(default_factory=list)

    @model_validator(mode="after")
    def _holds_something(self) -> PairsShape:
        if not self.depends_on and not self.pairs:
            raise ValueError("holds no row: write `pairs:` or `depends_on:`")
        return self


class ThroughShape(Shape):
    """What makes a rule of two facts: which pathway, on which side, how strongly, and what the affected medicine has of it."""

    pathway: str
    side: Side
    strengths: list[str]
    named: list[str]
    does: Does
    sensitivity: Sensitivity | None
    evidence: list[Evidence]
    taken_out: list[str]
    """What other rules of the same dependence name by itself."""
    says_nothing_new: str | None = None
    """The id of the rule that says the same already, for what is meant to be an exception from it."""


class ExpandedShape(JudgedShape):
    """A row as the judged entry that it stands for."""

    through: ThroughShape | None = None
