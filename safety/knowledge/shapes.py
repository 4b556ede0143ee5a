"""The shapes of the files that people write: which keys there are and what each may hold.

These are authors' shapes: quantities and ids are still text here, so that every slip can be
reported at its place. `compiling` turns them into the frozen library.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from safety.knowledge.references import Of

Route = Literal[
    "oral", "parenteral", "rectal", "topical", "transdermal", "ophthalmic", "otic", "nasal", "inhaled", "vaginal",
    "intrauterine", "buccal", "sublingual", "implant", "intrathecal", "dental",
]  # fmt: skip
RuleRoute = Literal[
    "oral", "parenteral", "rectal", "topical", "transdermal", "ophthalmic", "otic", "nasal", "inhaled", "vaginal",
    "intrauterine", "buccal", "sublingual", "implant", "intrathecal", "dental",
    "intravenous", "intramuscular", "subcutaneous", "intradermal", "intra-arterial", "intra-articular", "epidural",
]  # fmt: skip
"""A route as a rule may name it: of a parenteral one, into what it is injected; `parenteral` means every kind."""
Kind = Literal[
    "interaction", "contraindication", "allergy", "duplicate", "dose", "otc_limit", "otc_disallowed", "route",
    "pregnancy", "lactation", "age", "renal", "hepatic", "burden", "omission", "food", "monitoring", "lab", "adherence",
]  # fmt: skip
SeverityWord = Literal["contraindicated", "major", "moderate", "minor"]
Grade = Literal["label", "regulation", "guideline", "trial", "review", "consensus", "terminology"]
LabRole = Literal["creatinine", "creatinine-clearance", "gfr"]
BodyFact = Literal["weight", "height"]
Mechanism = Literal[
    "pharmacodynamic", "pharmacokinetic", "disease", "immunologic", "duplication", "developmental", "overdose",
    "monitoring", "omission",
]  # fmt: skip
ReactionGrade = Literal["severe_skin", "severe", "mild", "intolerance"]
Verb = Literal["stop", "replace", "reduce", "increase", "separate", "add", "monitor", "ask", "inform"]
Escalate = Literal["none", "pharmacist", "clinician", "emergency"]
StatusWord = Literal["draft", "active", "retired"]
VerdictWord = Literal["violated", "satisfied", "not_applicable", "unknown"]


DrugId = Annotated[str, Of("drug")]
ClassId = Annotated[str, Of("class")]
Medicines = Annotated[str, Of("drug", "class")]
"""A medicine, or a class of them."""
ConditionId = Annotated[str, Of("condition")]
LabId = Annotated[str, Of("lab")]
SourceId = Annotated[str, Of("source")]
HarmId = Annotated[str, Of("harm")]


def _yes_no(value: Any) -> Any:
    return {"yes": True, "no": False}.get(value, value) if isinstance(value, str) else value


def listed(value: Any) -> Any:
    """A list as it is, and one value as a list of one."""
    return value if isinstance(value, list) else [value]


AsList = BeforeValidator(listed)
"""One value may stand for a list of one."""


def _code(value: Any) -> Any:
    if isinstance(value, int | Decimal):
        raise ValueError("a code is text: put it in quotes")
    return value


def _text(value: Any) -> Any:
    """A number is read as it is written; nothing but spaces is no text."""
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        return str(value)
    return value.strip() if isinstance(value, str) else value


Number = str | int | float
"""What an editor may find where a number is read as it is written."""
YesNo = Annotated[bool, BeforeValidator(_yes_no, json_schema_input_type=Literal["yes", "no"] | bool)]
CodeText = Annotated[str, BeforeValidator(_code), Field(min_length=1)]
Amount = Annotated[
    str,
    BeforeValidator(
        lambda v: str(v) if isinstance(v, int | Decimal) and not isinstance(v, bool) else v, json_schema_input_type=Number
    ),
]
Text = Annotated[str, BeforeValidator(_text, json_schema_input_type=Number), Field(min_length=1)]


def _word(key: str, said: Any) -> BeforeValidator:
    """What is written without a key stands for the value of this one; `said`: what may be written."""
    return BeforeValidator(lambda v: v if isinstance(v, dict) else {key: v}, json_schema_input_type=said)


class Shape(BaseModel):
    """Base: unknown keys are refused, values are frozen."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


ONE_KEY: Any = {"minProperties": 1, "maxProperties": 1}
"""Tells an editor that exactly one of the keys is written."""


class Checked(Shape):
    how: Literal["read", "secondary", "recalled"]
    on: date | None = None
    copy_: str | None = Field(default=None, alias="copy")

    @model_validator(mode="after")
    def _says_when(self) -> Checked:
        if self.how != "recalled" and self.on is None:
            raise ValueError(f"`{self.how}` needs `on` (the day) and `copy` (the address of what was opened)")
        return self


class Evidence(Shape):
    """What a statement rests on. Without a grade it has that of its source, without `copy` the source's own address."""

    source: Annotated[Text, Of("source")]
    at: str = ""
    grade: Grade | None = None
    supports: list[str] = []
    checked: Checked = Field(default_factory=lambda: Checked.model_validate({"how": "recalled"}))


# ------------------------------------------------------------------ facts


class DrugCodes(Shape):
    rxnorm: CodeText | None = None
    rxnorm_also: list[CodeText] = []
    unii: CodeText | None = None


class Abbreviation(Shape):
    text: Text
    error_prone: YesNo = False


class Fact(Shape):
    id: str
    evidence: list[Evidence] = []


class DrugShape(Fact):
    name: Text
    codes: DrugCodes = DrugCodes()
    synonyms: list[Text] = []
    abbreviations: list[Annotated[Abbreviation, _word("text", str | Abbreviation)]] = []
    brands: list[Text] = []
    salts: list[Text] = []
    misspellings: list[Text] = []
    supply: Literal["prescription", "otc", "both"]
    routes: list[Route] = Field(min_length=1)
    otc_routes: list[Route] = []
    usual_route: Route | None = None
    brand_routes: dict[Text, Annotated[list[Route], AsList]] = {}
    forms: list[Text] = []
    strengths: list[Amount] = []
    single_doses: list[Amount] = []
    once_a_week: YesNo = False
    unit_is: Amount = ""
    counts_as: str | None = None
    names_salts: YesNo = False


class Presentation(Shape):
    name: Amount = ""
    form: str | None = None
    per: Amount
    contains: dict[DrugId, Amount] = Field(min_length=1)


class ProductShape(Fact):
    name: Text
    synonyms: list[Text] = []
    supply: Literal["prescription", "otc", "both"]
    route: Route | None = None
    codes: DrugCodes = DrugCodes()
    presentations: list[Presentation] = Field(min_length=1)


class Member(Shape):
    drug: DrugId
    route: Annotated[list[RuleRoute], AsList] | None = None
    form: Annotated[list[str], AsList] | None = None


AsMember = Annotated[Member, _word("drug", DrugId | Member)]


class ClassShape(Fact):
    name: Text
    synonyms: list[Text] = []
    members: list[AsMember] = []
    includes: list[ClassId] = []
    excludes: list[Medicines] = []
    route: Annotated[list[RuleRoute], AsList] | None = None
    form: Annotated[list[str], AsList] | None = None


class ConditionCodes(Shape):
    snomed: list[CodeText] = []
    icd10cm: list[CodeText] = []


class Bounded(Shape):
    at_least: Amount | None = None
    at_most: Amount | None = None
    under: Amount | None = None
    above: Amount | None = None


class Implied(Shape):
    pregnancy: YesNo | None = None
    breastfeeding: YesNo | None = None
    liver: YesNo = False
    kidney: Bounded | None = None


class GradedShape(Shape):
    scales: list[Text]
    at: list[Text] = []
    of: list[ConditionId]
    anywhere: YesNo = False


class JoinedShape(Shape):
    of: list[ConditionId]
    beside: list[ConditionId]


class ConditionShape(Fact):
    name: Text
    synonyms: list[Text] = []
    codes: ConditionCodes = ConditionCodes()
    past_codes: ConditionCodes = ConditionCodes()
    is_a: list[ConditionId] = []
    implies: Implied = Implied()
    lasts: Text | None = None
    outgrown: Text | None = None
    leaves: list[ConditionId] = []
    graded: list[GradedShape] = []
    joined: list[JoinedShape] = []
    circumstance: YesNo = False


class AllergenShape(Fact):
    name: Text
    synonyms: list[Text] = []
    codes: ConditionCodes = ConditionCodes()


class FoodShape(Fact):
    name: Text
    synonyms: list[Text] = []
    counted: dict[Text, list[Text]] = {}
    asked_as: list[Text] = []


class HarmShape(Fact):
    name: Text
    plain: Text | None = None
    is_a: HarmId | None = None


class FiguresShape(Fact):
    title: Text
    rows: dict[str, Bounded] = Field(min_length=1)


class YoungUnit(Shape):
    """Of whoever is younger than `under`, no number below `unsaid_from`, or from `unsaid_under` on, is meant in a unit that
    nobody told."""

    under: Text
    unsaid_from: Amount | None = None
    unsaid_under: Amount | None = None


class OtherUnit(Shape):
    """Another unit of a test. `unsaid`: whether it may be meant where none is told; from `unsaid_from`, under `unsaid_under`,
    in steps of `unsaid_step`."""

    unit: Text
    factor: Amount
    offset: Amount = "0"
    unsaid: Literal["usual", "possible", "never"] = "possible"
    unsaid_from: Amount | None = None
    unsaid_under: Amount | None = None
    unsaid_step: Amount | None = None
    young: YoungUnit | None = None


class Plausible(Shape):
    at_least: Amount | None = None
    at_most: Amount | None = None


class AgeBand(Shape):
    at_least: Amount | None = None
    under: Amount | None = None


def _trimesters(value: Any) -> Any:
    found = value.get("trimester", value) if isinstance(value, dict) else value
    return ["1", "2", "3"] if found in ("yes", True) else [str(one) for one in found] if isinstance(found, list) else [str(found)]


class RangeWho(Shape):
    sex: Literal["female", "male"] | None = None
    age: AgeBand = AgeBand()
    pregnancy: Annotated[list[Literal["1", "2", "3"]], BeforeValidator(_trimesters, json_schema_input_type=Any)] | None = None
    fasting: YesNo | None = None
    drawn: Text | None = None


class RangeShape(Bounded):
    """A range of a test: normal, where a medicine works without harm, what is aimed at, outside which a clinician acts soon
    (intervention), or outside which somebody is brought in now (critical).

    Its source stands under `evidence`. `call`: whom an intervention limit brings in.
    """

    kind: Literal["reference", "therapeutic", "target", "intervention", "critical"]
    who: RangeWho = RangeWho()
    on: Annotated[list[Medicines], AsList] = []
    for_: Annotated[list[ConditionId], AsList] = Field([], alias="for")
    call: Literal["pharmacist", "clinician", "emergency"] = "clinician"
    source: SourceId

    @model_validator(mode="after")
    def _has_an_end(self) -> RangeShape:
        if not any((self.at_least, self.above, self.at_most, self.under)):
            raise ValueError("a range needs a lower or an upper end")
        return self


class EffectRow(Shape):
    """What a medicine is expected to do to a test: in the body (`adverse` or `intended`), to the assay, or to a level."""

    of: Annotated[list[Medicines], AsList] = Field(min_length=1)
    moves: Literal["up", "down", "either", "not"]
    as_: Literal["intended", "adverse", "assay", "level"] = Field(alias="as")
    note: Text


class ShowsHarms(Shape):
    """Harms that show in a test which is too high, or too low."""

    up: list[HarmId] = []
    down: list[HarmId] = []


class EffectShape(Fact):
    test: LabId
    rows: list[EffectRow] = Field(min_length=1)
    shows: ShowsHarms = ShowsHarms()


class SaysPregnant(Shape):
    """What of a test says that somebody is pregnant: `positive`, or a number from which on; and for how long."""

    from_: Text = Field(alias="from")
    within: Amount


class AlsoSaid(Bounded):
    """A name that several tests go by: this one where the number said with it is inside the bounds."""

    text: Text


class Hours(Shape):
    """Hours of the day, from 0 to 24."""

    from_: int = Field(alias="from", ge=0, le=23)
    under: int = Field(ge=1, le=24)

    @model_validator(mode="after")
    def _has_a_length(self) -> Hours:
        if self.from_ >= self.under:
            raise ValueError("`from` is an earlier hour than `under`")
        return self


class AfterADose(Shape):
    """So many hours after a dose."""

    at_least: Amount | None = None
    at_most: Amount | None = None


class Drawn(Shape):
    """What decides on a result is when it was drawn: what to ask, and of which results (`any`, `high`, `low`, `out`, or `apart`:
    only where its times judge it differently).

    `times`: hours of the day by name, for ranges with `who: {drawn: NAME}`; `after`: the time after a dose in which it counts;
    `otherwise`: what is said of one that was drawn at another time.
    """

    ask: Text
    of: Literal["any", "high", "low", "out", "apart"] = "out"
    times: dict[Text, Hours] = {}
    after: AfterADose | None = None
    otherwise: Text | None = None

    @model_validator(mode="after")
    def _says_what_otherwise(self) -> Drawn:
        if (self.times or self.after) and self.otherwise is None:
            raise ValueError("with `times` or `after` it needs `otherwise`: what is said of a sample drawn at another time")
        return self


class Corrected(Shape):
    """A result that another test of the same days corrects: by which formula, and when it matters.

    `where`: only while the other result is so; `ask`: on which side the other test is asked for where it is not told.
    """

    formula: Text
    by: LabId
    where: Bounded = Bounded()
    within: Amount
    ask: Literal["low", "high", "never"] = "never"


class Derived(Shape):
    """A result that follows from others of the same day: by which formula, from which tests, in the order of the formula."""

    formula: Text
    of: list[LabId] = Field(min_length=2)


class CountedFrom(Shape):
    """From how many on what was counted makes a test in words positive ("100000 CFU/mL"), and what fewer say."""

    from_: Amount = Field(alias="from")
    unit: Text
    less: Literal["negative", "indeterminate"] = "indeterminate"


class VariesYoung(Shape):
    """How much a test varies in whoever is younger than `under`."""

    under: Text
    percent: Amount


class OfDisease(Shape):
    """The diseases that a test measures, by the side on which its results lie."""

    high: list[ConditionId] = []
    low: list[ConditionId] = []


class LabShape(Fact):
    name: Text
    synonyms: list[Text] = []
    codes: dict[Literal["loinc"], list[CodeText]] = {}
    unit: Text
    unitless: YesNo = False
    unit_goes_unsaid: YesNo = False
    role: LabRole | None = None
    measures: BodyFact | None = None
    other_units: list[OtherUnit] = []
    plausible: Plausible = Plausible()
    varies: Amount | None = None
    varies_young: VariesYoung | None = None
    expected: Literal["negative"] | None = None
    pregnant: SaysPregnant | None = None
    drawn: Drawn | None = None
    corrected: Corrected | None = None
    worked_out: Derived | None = None
    titre: Amount | None = None
    counted: CountedFrom | None = None
    off_scale: dict[Text, Text] = {}
    also_said: list[AlsoSaid] = []
    share_of: LabId | None = None
    moves_with: LabId | None = None
    of_disease: OfDisease = OfDisease()
    ranges: list[RangeShape] = []


class PanelShape(Fact):
    """Tests that are written together: their order, and what stands between them."""

    name: Text
    synonyms: list[Text] = []
    parts: list[LabId] = Field(min_length=2)
    beside: list[LabId] = []
    between: list[Text] = []
    asked: list[Text] = []
    without_a_name: YesNo = False
    first_alone: YesNo = False
    falls: YesNo = False


class InsteadRow(Shape):
    """One medicine that may be taken instead, as it would be ordered."""

    drug: DrugId
    order: Text


class AlternativeShape(Fact):
    """What may be taken instead of a medicine, for what it is taken for; the first that comes to mind first."""

    title: Text
    instead_of: Annotated[list[Medicines], AsList, Field(min_length=1)]
    for_: Annotated[list[ConditionId], AsList] = Field(default=[], alias="for")
    offer: list[InsteadRow] = Field(min_length=1)


class TierRow(Shape):
    """Medicines of one tier of cost."""

    tier: Amount
    of: Annotated[list[Medicines], AsList, Field(min_length=1)]


class AskShape(Shape):
    """What a constraint asks of every medicine of a regimen; all that stands here must hold.

    `named`: what it asks of the medicines that are named in the words: to do without them, or to use no others. In a form of
    `unsure_as` it cannot be said. `times_a_day`, `medicines`, `tier`: at most so many; `told`: as many as the words say.
    """

    not_by: Annotated[list[Route], AsList] = []
    only_by: Annotated[list[Route], AsList] = []
    not_as: Annotated[list[Text], AsList] = []
    unsure_as: Annotated[list[Text], AsList] = []
    without: Annotated[list[Medicines], AsList] = []
    named: Literal["without", "only"] | None = None
    by_name: Literal["generic"] | None = None
    supply: Literal["otc", "prescription"] | None = None
    times_a_day: Amount | Literal["told"] | None = None
    medicines: Amount | Literal["told"] | None = None
    tier: Amount | Literal["told"] | None = None
    breaks_no: Annotated[list[Kind], AsList] = []


class ConstraintShape(Fact):
    """What a patient or a payer may ask of a regimen: the words that say it (`{medicines}`, `{number}`: what they name), and what
    it asks. `tiers`: which medicines are of which tier of cost; one that stands in none is of none that is known."""

    title: Text
    says: list[Text] = Field(min_length=1)
    asks: AskShape
    tiers: list[TierRow] = []


class GeneShape(Fact):
    """A gene, or one allele of it, and what its results come to: each state with the words and genotypes that say it."""

    name: Text
    synonyms: list[Text] = []
    codes: dict[Literal["loinc"], list[CodeText]] = {}
    states: dict[Text, list[Text]] = Field(min_length=2)
    implies: dict[Text, Text] = {}


class ProcedureShape(Fact):
    """An operation or examination; `implies`: the problem that somebody has who had it; `measures`: the test that it is."""

    name: Text
    synonyms: list[Text] = []
    codes: ConditionCodes = ConditionCodes()
    is_a: list[Annotated[str, Of("procedure")]] = []
    implies: ConditionId | None = None
    measures: LabId | None = None


class DeviceShape(Fact):
    """What somebody lives with, put in or worn; `implies`: the problem that they have then."""

    name: Text
    synonyms: list[Text] = []
    codes: ConditionCodes = ConditionCodes()
    is_a: list[Annotated[str, Of("device")]] = []
    implies: ConditionId | None = None


class SourceShape(Shape):
    id: str
    title: Text
    publisher: str = ""
    type: Literal["label", "regulation", "guideline", "review", "trial", "terminology", "consensus"]
    edition: Amount = ""
    url: str = ""
    licence: str = ""


# ------------------------------------------------------------------ the rule language


class IfMissing(Shape):
    treat_as: Literal["no"]
    because: Text


class MaybeMissing(Shape):
    if_missing: IfMissing | None = None


class DrugPart(Shape):
    """How, how much and when a drug is meant, whichever it is."""

    except_: Annotated[list[Medicines], AsList] = Field([], alias="except")
    route: Annotated[list[RuleRoute], AsList] | None = None
    form: Annotated[list[str], AsList] | None = None
    supply: Literal["prescription", "otc"] | None = None
    for_: Annotated[list[str], AsList] = Field([], alias="for")
    says: Annotated[list[Text], AsList] = []
    single_dose: Bounded | None = None
    daily_dose: Bounded | None = None
    or_stopped_within: Amount | None = None
    started_within: Amount | None = None
    in_: Literal["plan", "medications"] | None = Field(None, alias="in")


class DrugLine(DrugPart, MaybeMissing):
    id: DrugId | None = None
    class_: ClassId | None = Field(None, alias="class")
    any_of: list[Medicines] | None = None
    any: YesNo | None = None
    as_: str | None = Field(None, alias="as", pattern=r"^[a-z][a-z0-9_]*$")
    is_: str | None = Field(None, alias="is")

    @model_validator(mode="after")
    def _one_way_to_say_which(self) -> DrugLine:
        said = [k for k in ("id", "class_", "any_of", "any") if getattr(self, k)]
        if len(said) != 1 and not (self.is_ and not said):
            raise ValueError("say which drug in exactly one way: `id`, `class`, `any_of` or `any: yes`")
        if self.is_ and self.as_:
            raise ValueError("`is` speaks of a drug line that has a name; `as` gives one: write one of the two")
        if self.if_missing and self.route is None:
            raise ValueError("`if_missing` of a drug line is about its `route`: name the route, or leave it out")
        return self


class HasLine(MaybeMissing):
    any_of: list[ConditionId] = Field(min_length=1)
    ever: YesNo = False
    within: Amount | None = None
    family: YesNo = False

    @model_validator(mode="after")
    def _one_time(self) -> HasLine:
        if self.ever and self.within is not None:
            raise ValueError("say `ever` or `within`: a problem of any time, or of the last days")
        return self


class LabLine(MaybeMissing, Bounded):
    test: LabId
    is_: Annotated[list[Text], AsList] = Field([], alias="is")
    newest_within: Amount | None = None
    any_within: Amount | None = None

    @model_validator(mode="after")
    def _newest_or_any(self) -> LabLine:
        if self.newest_within is not None and self.any_within is not None:
            raise ValueError("say `newest_within` or `any_within`: the newest result, or any of the last days")
        return self


class MeasuredLine(MaybeMissing):
    """One of these tests was measured in the last so long, and came out so that nobody must measure it again at once."""

    any_of: Annotated[list[LabId], AsList] = Field(min_length=1)
    within: Amount


class Step(Shape):
    """How far a result moved, in one of three ways: by an amount, in percent, or so many times."""

    by: Amount | None = None
    percent: Amount | None = None
    times: Amount | None = None

    @model_validator(mode="after")
    def _one_way(self) -> Step:
        if len(self.model_fields_set) != 1:
            raise ValueError("say in one way how far: `by: 0.3 mg/dL`, `percent: 30` or `times: 1.5`")
        return self


class ChangeLine(MaybeMissing):
    """The newest result of a test is so much above, or below, an earlier one of the time before it."""

    test: LabId
    rises: Step | None = None
    falls: Step | None = None
    within: Amount
    newest_within: Amount | None = None
    after: str | None = None

    @model_validator(mode="after")
    def _one_direction(self) -> ChangeLine:
        if (self.rises is None) == (self.falls is None):
            raise ValueError("say `rises` or `falls`")
        return self


class GeneLine(MaybeMissing):
    """A genetic result: the gene, and the states of it that are meant."""

    of: Annotated[str, Of("gene")]
    is_: Annotated[list[Text], AsList] = Field(alias="is", min_length=1)


class ProcedureLine(MaybeMissing):
    """An operation or examination that is planned, or was done within so long."""

    any_of: Annotated[list[Annotated[str, Of("procedure")]], AsList] = Field(min_length=1)
    planned: YesNo = False
    done_within: Amount | None = None

    @model_validator(mode="after")
    def _says_when(self) -> ProcedureLine:
        if not self.planned and self.done_within is None:
            raise ValueError("say `planned: yes`, `done_within: 14 d`, or both")
        return self


class DeviceLine(MaybeMissing):
    """Something that somebody lives with."""

    any_of: Annotated[list[Annotated[str, Of("device")]], AsList] = Field(min_length=1)


class EquivalentLine(MaybeMissing, Bounded):
    by: Annotated[str, Of("factors")]


class IntakeLine(MaybeMissing):
    of: Annotated[list[Annotated[str, Of("food")]], AsList] = Field(min_length=1)
    daily: Bounded | None = None
    over_limit: YesNo = False


class AgeLine(MaybeMissing, Bounded):
    pass


class SexLine(MaybeMissing):
    is_: Literal["female", "male"] = Field(alias="is")


class PregnancyLine(MaybeMissing):
    is_: YesNo = Field(True, alias="is")
    trimester: Annotated[list[Literal[1, 2, 3]], AsList] | None = None
    weeks: Bounded | None = None


class BreastfeedingLine(MaybeMissing):
    is_: YesNo = Field(True, alias="is")


class AllergyLine(MaybeMissing):
    to: str
    reaction: Annotated[list[ReactionGrade], AsList] | None = None


class BurdenLine(Shape):
    class_: ClassId = Field(alias="class")
    at_least: int = Field(ge=2)


def _says_something(shape: Shape) -> None:
    for name in shape.model_fields_set:
        if getattr(shape, name) is None:
            raise ValueError(f"`{name.rstrip('_')}` says nothing: write what is meant, or leave it out")


def _named(said: Any) -> BeforeValidator:
    """A name alone is a list of one."""
    return BeforeValidator(lambda v: {"any_of": [v]} if isinstance(v, str) else v, json_schema_input_type=said)


class ApartLine(Shape):
    of: list[str] = Field(min_length=2, max_length=2)
    at_least: Amount


class Line(Shape):
    """One line of a condition: exactly one of the keys."""

    model_config = ConfigDict(json_schema_extra=ONE_KEY)

    drug: DrugLine | None = None
    same_ingredient: list[str] | None = Field(None, min_length=2, max_length=2)
    different_ingredient: list[str] | None = Field(None, min_length=2, max_length=2)
    apart: ApartLine | None = None
    has: Annotated[HasLine, _named(ConditionId | HasLine)] | None = None
    lab: LabLine | None = None
    measured: MeasuredLine | None = None
    change: ChangeLine | None = None
    gene: GeneLine | None = None
    procedure: ProcedureLine | None = None
    device: Annotated[DeviceLine, _named(Annotated[str, Of("device")] | DeviceLine)] | None = None
    age: AgeLine | None = None
    weight: AgeLine | None = None
    kidney: AgeLine | None = None
    daily_equivalent: EquivalentLine | None = None
    intake: IntakeLine | None = None
    sex: Annotated[SexLine, _word("is", Literal["female", "male"] | SexLine)] | None = None
    pregnancy: Annotated[PregnancyLine, _word("is", YesNo | PregnancyLine)] | None = None
    breastfeeding: Annotated[BreastfeedingLine, _word("is", YesNo | BreastfeedingLine)] | None = None
    allergy: AllergyLine | None = None
    burden: BurdenLine | None = None
    any: list[Line] | None = Field(None, min_length=1)
    all: list[Line] | None = Field(None, min_length=1)
    not_: Line | None = Field(None, alias="not")

    @model_validator(mode="after")
    def _exactly_one(self) -> Line:
        if len(self.model_fields_set) != 1:
            raise ValueError("a line of a condition says one thing: split it, or use `all:` / `any:`")
        _says_something(self)
        return self

    @property
    def key(self) -> str:
        """The one key that is set, as the author wrote it."""
        return next(iter(self.model_fields_set)).rstrip("_")


Lines = Annotated[list[Line], AsList]


class LimitRow(MaybeMissing, Bounded):
    who: Lines | None = None
    from_: date | None = Field(None, alias="from")
    to: date | None = None
    source: SourceId | None = None


class Constraint(Shape):
    model_config = ConfigDict(json_schema_extra=ONE_KEY)

    avoid: str | None = None
    avoid_together: list[str] | None = Field(None, min_length=2)
    dose_in_24h: list[LimitRow] | None = Field(None, min_length=1)
    single_dose: list[LimitRow] | None = Field(None, min_length=1)
    dose_interval: list[LimitRow] | None = Field(None, min_length=1)
    days_of_use: list[LimitRow] | None = Field(None, min_length=1)
    require: Lines | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> Constraint:
        if len(self.model_fields_set) != 1:
            raise ValueError("a constraint says exactly one thing; use `rows:` for several")
        _says_something(self)
        return self

    @property
    def key(self) -> str:
        """The one key that is set."""
        return next(iter(self.model_fields_set))


class Effective(Shape):
    from_: date | None = Field(default=None, alias="from")
    to: date | None = None


class Review(Shape):
    last: date
    due: date
    by_whom: list[str]


class Action(Shape):
    do: Verb
    target: str | None = None
    advice: Text
    if_unavoidable: str = ""
    escalate: Escalate = "pharmacist"


class Rationale(Shape):
    mechanism: Mechanism
    summary: Text


HarmIds = Annotated[list[HarmId], AsList, Field(min_length=1)]


class Outcome(Shape):
    harm: HarmIds
    text: Text | None = None
    onset: str = ""


class SeverityWhen(Shape):
    if_: Lines = Field(alias="if")
    severity: SeverityWord
    because: Text
    evidence: SourceId | None = None


class CaseShape(Shape):
    name: Text
    given: dict[str, Any]
    expect: VerdictWord
    missing: list[str] = []
    severity: SeverityWord | None = None


class JudgedShape(Shape):
    """A judged entry; a row of a file of pairs may leave title and rationale to the facts that it follows from."""

    id: str
    was: Annotated[list[str], AsList] = []
    title: Text | None = None
    kind: Kind
    status: StatusWord
    severity: SeverityWord
    effective: Effective = Effective()
    review: Review
    tags: list[str] = []
    tier: Literal["label_limit", "clinical_ceiling", "toxic"] | None = None
    condition: Lines = Field(min_length=1)
    constraint: Constraint
    action: Action
    rationale: Rationale | None = None
    outcome: Outcome
    severity_when: list[SeverityWhen] = []
    evidence: list[Evidence] = Field(min_length=1)
    cases: list[CaseShape] = []
    replaced_by: str | None = None
    note: str = ""


class RuleShape(JudgedShape):
    """The card that a rule file is, or one row of a table merged with its header."""

    title: Text
    rationale: Rationale


class Retire(Shape):
    reason: Text


class SignedShape(Shape):
    """Who answers for making quieter what is protected."""

    by: Text
    on: date
    why: Text


class RetireShape(Shape):
    """What a site's overlay writes to switch one entry off."""

    id: str
    retire: Retire
    signed: SignedShape | None = None


class OverrideShape(Shape):
    """What a site's overlay writes to change how loud an entry is, or to sign for what its other files do to it."""

    overrides: Text
    severity: SeverityWord | None = None
    because: Text
    signed: SignedShape | None = None

    @model_validator(mode="after")
    def _says_something(self) -> OverrideShape:
        if self.severity is None and self.signed is None:
            raise ValueError("changes nothing: write `severity:`, or `signed:` for what another file of the overlay does")
        return self


class Follows(Implied):
    has: Annotated[list[ConditionId], AsList] = []


class InferenceShape(Fact):
    when: Lines = Field(min_length=1)
    then: Follows
    note: str = ""


FACTS: dict[str, type[BaseModel]] = {
    "drug": DrugShape,
    "product": ProductShape,
    "class": ClassShape,
    "condition": ConditionShape,
    "allergen": AllergenShape,
    "lab": LabShape,
    "panel": PanelShape,
    "alternative": AlternativeShape,
    "constraint": ConstraintShape,
    "gene": GeneShape,
    "procedure": ProcedureShape,
    "device": DeviceShape,
    "effect": EffectShape,
    "food": FoodShape,
    "figures": FiguresShape,
    "harm": HarmShape,
    "source": SourceShape,
    "inference": InferenceShape,
}
