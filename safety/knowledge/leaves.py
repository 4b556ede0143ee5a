"""The lines of a condition, typed and looked up: the closed set of things a rule may ask."""

from __future__ import annotations

import hashlib
from decimal import Decimal
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from safety.model.quantity import Quantity


class Restriction(Struct, frozen=True):
    """By which routes and forms a drug is meant; `None` is any."""

    routes: tuple[str, ...] | None = None
    forms: tuple[str, ...] | None = None


Members: TypeAlias = dict[str, tuple[Restriction, ...]]
"""Drug id → the ways in which it is a member (one of them must hold); an empty tuple is "in any way"."""


class Bound(Struct, frozen=True):
    """One side of a limit, in words: at_least and at_most include the number, under and above do not."""

    op: Literal["at_least", "at_most", "under", "above"]
    value: Quantity
    place: str
    text: str = ""
    cap: Quantity | None = None


Bounds: TypeAlias = tuple[Bound, ...]


class Leaf(Struct, frozen=True, kw_only=True, tag_field="is"):
    """A line of a condition. `text` is the line as written; `missing_is_no` says why what is not told counts as no (of a drug
    line: its route).

    `asks`: a number of what it asks, the same for every line that asks the same of the patient, so that it is judged once;
    0 for a line about the medication that another line is bound to.
    """

    place: str
    text: str
    missing_is_no: str | None = None
    asks: int = 0


class DrugLeaf(Leaf, frozen=True, kw_only=True, tag="drug"):
    """A drug by id, class or list; `members` None is any drug. With a `slot` it is bound to one entry.

    `of`: about the entry that this slot is bound to, and no other. `says`: the line that tells it has one of these phrases.
    """

    slot: str | None = None
    of: str | None = None
    members: Members | None = None
    routes: tuple[str, ...] | None = None
    forms: tuple[str, ...] | None = None
    supply: Literal["prescription", "otc"] | None = None
    single_dose: Bounds = ()
    daily_dose: Bounds = ()
    or_stopped_within: int | None = None
    started_within: int | None = None
    among: Literal["plan", "medications"] | None = None
    except_: tuple[str, ...] = ()
    indications: tuple[str, ...] = ()
    says: tuple[str, ...] = ()


class ApartLeaf(Leaf, frozen=True, kw_only=True, tag="apart"):
    """Two slots whose doses are told to lie so many minutes apart, every day; not told is not apart."""

    slots: tuple[str, str]
    minutes: int


class IngredientLeaf(Leaf, frozen=True, kw_only=True, tag="ingredient"):
    """Two bound drugs are the same ingredient, or are not."""

    slots: tuple[str, str]
    same: bool


class HasLeaf(Leaf, frozen=True, kw_only=True, tag="has"):
    """One of these problems (or a kind of it) is on the list; `ever`: past ones count too.

    `within`: it happened in the last so many days, be it over or not; `family`: one of a blood relative counts too.
    """

    conditions: tuple[str, ...]
    ever: bool = False
    within: int | None = None
    family: bool = False


class LabLeaf(Leaf, frozen=True, kw_only=True, tag="lab"):
    """The newest result of a test, not older than so many days, is within the bounds (none: it only has to exist).

    `words`: of a test that comes in words, what it says. `any_within`: not only the newest counts, but any of so many days.
    """

    test: str
    bounds: Bounds
    newest_within: int | None = None
    any_within: int | None = None
    words: tuple[str, ...] = ()


class MeasuredLeaf(Leaf, frozen=True, kw_only=True, tag="measured"):
    """One of these tests was measured in the last so many days; a newest result that is toxic or critical does not count."""

    tests: tuple[str, ...]
    within: int


class ChangeLeaf(Leaf, frozen=True, kw_only=True, tag="change"):
    """The newest result of a test lies so far above (`up`) or below an earlier one of the `within` days before it.

    Exactly one of `by` (in the test's own unit), `percent` and `times` says how far, at least. `newest_within`: the newest is not
    older than so many days; `after`: it was not taken before the medicine of this slot was begun.
    """

    test: str
    up: bool
    within: int
    by: Decimal | None = None
    percent: Decimal | None = None
    times: Decimal | None = None
    newest_within: int | None = None
    after: str | None = None


class GeneLeaf(Leaf, frozen=True, kw_only=True, tag="gene"):
    """The result of a gene is one of these states."""

    gene: str
    states: tuple[str, ...]


class ProcedureLeaf(Leaf, frozen=True, kw_only=True, tag="procedure"):
    """One of these operations or examinations (or a kind of it) is planned, or was done within so many days."""

    procedures: tuple[str, ...]
    planned: bool = False
    done_within: int | None = None


class DeviceLeaf(Leaf, frozen=True, kw_only=True, tag="device"):
    """One of these devices (or a kind of it) is lived with."""

    devices: tuple[str, ...]


class AgeLeaf(Leaf, frozen=True, kw_only=True, tag="age"):
    """Age in months is within the bounds."""

    bounds: Bounds


class WeightLeaf(Leaf, frozen=True, kw_only=True, tag="weight"):
    """Body weight is within the bounds."""

    bounds: Bounds


class KidneyLeaf(Leaf, frozen=True, kw_only=True, tag="kidney"):
    """The clearance of the kidneys, told or worked out, is within the bounds (mL/min)."""

    bounds: Bounds


class EquivalentLeaf(Leaf, frozen=True, kw_only=True, tag="equivalent"):
    """All that is taken in a day, by a table of factors (morphine equivalents), is within the bounds."""

    table: str
    bounds: Bounds


class IntakeLeaf(Leaf, frozen=True, kw_only=True, tag="intake"):
    """One of these is eaten, drunk or smoked; so much in a day; or more than the limit that was set for it."""

    foods: tuple[str, ...]
    bounds: Bounds = ()
    over_limit: bool = False


class SexLeaf(Leaf, frozen=True, kw_only=True, tag="sex"):
    """Female or male."""

    sex: Literal["female", "male"]


class PregnancyLeaf(Leaf, frozen=True, kw_only=True, tag="pregnancy"):
    """Pregnant (or not), in one of the trimesters, or within bounds of weeks."""

    present: bool
    trimesters: tuple[int, ...] | None = None
    weeks: Bounds = ()


class BreastfeedingLeaf(Leaf, frozen=True, kw_only=True, tag="breastfeeding"):
    """Breastfeeding (or not)."""

    present: bool


class AllergyLeaf(Leaf, frozen=True, kw_only=True, tag="allergy"):
    """Allergic to a slot's drug, to one of these drugs, classes or allergens, graded if so asked."""

    slot: str | None = None
    targets: tuple[str, ...] = ()
    grades: tuple[str, ...] | None = None


class BurdenLeaf(Leaf, frozen=True, kw_only=True, tag="burden"):
    """At least so many different ingredients of a class at once."""

    members: Members
    at_least: int


class AnyLeaf(Leaf, frozen=True, kw_only=True, tag="any"):
    """One of the lines holds."""

    lines: tuple[LeafType, ...]


class AllLeaf(Leaf, frozen=True, kw_only=True, tag="all"):
    """All of the lines hold."""

    lines: tuple[LeafType, ...]


class NotLeaf(Leaf, frozen=True, kw_only=True, tag="not"):
    """The line does not hold."""

    line: LeafType


LeafType: TypeAlias = (
    DrugLeaf
    | IngredientLeaf
    | ApartLeaf
    | HasLeaf
    | LabLeaf
    | MeasuredLeaf
    | ChangeLeaf
    | GeneLeaf
    | ProcedureLeaf
    | DeviceLeaf
    | AgeLeaf
    | WeightLeaf
    | KidneyLeaf
    | EquivalentLeaf
    | IntakeLeaf
    | SexLeaf
    | PregnancyLeaf
    | BreastfeedingLeaf
    | AllergyLeaf
    | BurdenLeaf
    | AnyLeaf
    | AllLeaf
    | NotLeaf
)


_WHERE = frozenset(("place", "text", "asks"))
_BITS = 63


def numbered(leaf: LeafType) -> LeafType:
    """The line with the number of what it asks."""
    if needs_binding(leaf):
        return leaf
    asked = _without(msgspec.to_builtins(leaf, order="deterministic"))
    asked.pop("missing_is_no", None)  # that is each line's own answer to what is not told
    digest = hashlib.sha256(msgspec.json.encode(asked, order="sorted")).digest()
    return replace(leaf, asks=int.from_bytes(digest[:8], "big") >> (64 - _BITS) or 1)


def _without(value: Any) -> Any:
    """Plain values without where a line stands and how it is worded."""
    if isinstance(value, dict):
        return {k: _without(v) for k, v in value.items() if k not in _WHERE}
    return [_without(v) for v in value] if isinstance(value, list | tuple) else value


def needs_binding(leaf: LeafType) -> bool:
    """Whether a line speaks of a drug that another line has given a name."""
    if isinstance(leaf, DrugLeaf):
        return leaf.slot is not None or leaf.of is not None
    if isinstance(leaf, AllergyLeaf):
        return leaf.slot is not None
    if isinstance(leaf, ChangeLeaf):
        return leaf.after is not None
    if isinstance(leaf, IngredientLeaf | ApartLeaf):
        return True
    if isinstance(leaf, AnyLeaf | AllLeaf):
        return any(needs_binding(inner) for inner in leaf.lines)
    return isinstance(leaf, NotLeaf) and needs_binding(leaf.line)
