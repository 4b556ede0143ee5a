"""From a read document to a checked shape; every slip becomes a problem at its own place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError

from safety.errors import Place, Problem
from safety.knowledge import shapes
from safety.knowledge.coverage_shapes import CoverageShape, StatementShape
from safety.knowledge.documents import Path_
from safety.knowledge.dose_shapes import AmountBounds, DoseCaseShape, DoseRangeShape, DoseShape
from safety.knowledge.factor_shapes import FactorRow, FactorsShape
from safety.knowledge.language_shapes import LanguageShape
from safety.knowledge.pair_shapes import (
    AffectedLine,
    DependentShape,
    DependsShape,
    ExpandedShape,
    OtherLine,
    PairShape,
    PairsShape,
    PathwayShape,
    SideShape,
    StrengthShape,
    ThroughLine,
)
from safety.knowledge.policy_shapes import PolicyLineShape, PolicyShape
from safety.knowledge.spoken_shapes import SpokenRowShape, SpokenShape
from safety.text import did_you_mean, only_near

Locate = Callable[[Path_, bool], Place]
"""Where the value (or, with True, the key) at a path of a shape stands in its file."""

M = TypeVar("M", bound=BaseModel)

_NOUNS: dict[type[BaseModel], str] = {
    shapes.RuleShape: "a rule",
    shapes.DrugShape: "a drug",
    shapes.ProductShape: "a product",
    shapes.ClassShape: "a class",
    shapes.ConditionShape: "a condition",
    shapes.AllergenShape: "an allergen",
    shapes.LabShape: "a lab test",
    shapes.PanelShape: "a panel of tests",
    shapes.AlternativeShape: "what may be taken instead",
    shapes.InsteadRow: "a medicine taken instead",
    shapes.ConstraintShape: "a constraint on a regimen",
    shapes.AskShape: "what a constraint asks",
    shapes.TierRow: "a tier of cost",
    shapes.GeneShape: "a gene",
    shapes.ProcedureShape: "a procedure",
    shapes.DeviceShape: "a device",
    shapes.EffectShape: "what medicines do to a test",
    shapes.FoodShape: "a food",
    shapes.FiguresShape: "a table of figures",
    shapes.SourceShape: "a source",
    shapes.InferenceShape: "an inference",
    shapes.DrugLine: "a drug line",
    shapes.Line: "a line of a condition",
    shapes.Constraint: "a constraint",
    shapes.LimitRow: "a row of a limit",
    shapes.CaseShape: "a case",
    shapes.Evidence: "evidence",
    shapes.Checked: "`checked`",
    shapes.OverrideShape: "an override",
    shapes.SignedShape: "a signature",
    PolicyShape: "an alert policy",
    PolicyLineShape: "a line of a policy",
    CoverageShape: "a coverage ledger",
    StatementShape: "a statement of a label",
    FactorsShape: "a table of factors",
    FactorRow: "a row of factors",
    DoseShape: "a dose table",
    DoseRangeShape: "a range of a dose table",
    AmountBounds: "an amount's bounds",
    DoseCaseShape: "a dose case",
    LanguageShape: "a list of words",
    PathwayShape: "a pathway",
    SideShape: "a side of a pathway",
    StrengthShape: "a strength of a pathway",
    PairsShape: "a file of pairs",
    PairShape: "a pair",
    DependsShape: "a dependence on a pathway",
    DependentShape: "a rule of a pathway",
    ExpandedShape: "a row of a file of pairs",
    AffectedLine: "an affected drug",
    OtherLine: "the other drug",
    ThroughLine: "the other side of a pathway",
    SpokenShape: "a table of what people say",
    SpokenRowShape: "a row of what people say",
}


def shape(model: type[M], value: Mapping[str, Any], locate: Locate, problems: list[Problem]) -> M | None:
    """Check a mapping against a shape; None and problems where it does not fit."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        problems += [_problem(model, dict(e), locate) for e in error.errors(include_url=False)]
        return None


def _problem(model: type[BaseModel], error: dict[str, Any], locate: Locate) -> Problem:
    path: Path_ = tuple(error["loc"])
    kind = str(error["type"])
    if kind == "extra_forbidden":
        key = str(path[-1])
        inside = _model_at(model, path[:-1])
        keys = _keys(inside) if inside else []
        noun = _NOUNS.get(inside, f"`{path[-2]}`" if len(path) > 1 else "this") if inside else "this"
        hint = did_you_mean(key, keys) or "keys here: " + " ".join(keys)
        return Problem(locate(path, True), "K101", f"`{key}` is not a key of {noun}", hint, only_near(key, keys))
    if kind == "missing":
        inside = _model_at(model, path[:-1])
        noun = _NOUNS.get(inside, "this") if inside else "this"
        return Problem(locate(path[:-1], False), "K102", f"`{path[-1]}` is missing: {noun} needs it")
    given = error.get("input")
    shown = f"`{given}`" if isinstance(given, str | int) else _kind_of(given)
    if kind == "literal_error":
        allowed = str(error["ctx"]["expected"]).replace("'", "`")
        words = [a.strip("`") for a in allowed.replace(" or ", ", ").split(", ")]
        hint, fix = did_you_mean(str(given), words), only_near(str(given), words)
        return Problem(locate(path, False), "K103", f"{shown} is not one of {allowed}", hint, fix)
    if kind == "value_error":
        return Problem(locate(path, False), "K104", str(error["ctx"]["error"]))
    if kind.startswith("date"):
        return Problem(locate(path, False), "K105", f"{shown} is not a date", "write it as 2026-11-20")
    return Problem(locate(path, False), "K106", f"{shown} does not fit `{_dotted(path)}`: {error['msg'].lower()}")


def _kind_of(value: Any) -> str:
    if value is None:
        return "nothing"
    return {dict: "a mapping", list: "a list", bool: "true/false"}.get(type(value), "this value")


def _dotted(path: Path_) -> str:
    return ".".join(str(p) for p in path)


def _keys(model: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


def _model_at(model: type[BaseModel] | None, path: Path_) -> type[BaseModel] | None:
    """The shape that stands at a path inside a shape."""
    for part in path:
        if model is None:
            return None
        if isinstance(part, int):
            continue
        field = next((f for name, f in model.model_fields.items() if part in (name, f.alias)), None)
        model = _model_in(field.annotation) if field else None
    return model


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and get_origin(annotation) is None:
        return annotation if issubclass(annotation, BaseModel) else None
    if get_origin(annotation) is dict:
        return None
    return next((found for arg in get_args(annotation) if (found := _model_in(arg))), None)
