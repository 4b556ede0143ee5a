"""What forms, routes, counted things and periods are to one another: the symbols that words stand for, no word itself."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Final

from safety.model.directions import PartOfDay

# days in one of them, shortest and longest, for how often; `COURSE_DAYS` for how long (a month's course is 30 days)
PERIOD_DAYS: Final = {
    "hour": (Fraction(1, 24), Fraction(1, 24)),
    "day": (Fraction(1), Fraction(1)),
    "week": (Fraction(7), Fraction(7)),
    "month": (Fraction(28), Fraction(31)),
    "year": (Fraction(365), Fraction(366)),
}
COURSE_DAYS: Final = {"day": Decimal(1), "week": Decimal(7), "month": Decimal(30), "year": Decimal(365)}
# behind "twice daily", "x 5" and more are days; fewer may be doses
FEWEST_DAYS: Final = 5
PARTS_OF_DAY: Final[Mapping[str, PartOfDay]] = {part: part for part in ("morning", "noon", "afternoon", "evening", "night")}
# "1 am, 2 pm" is how many; "8 am, 2 pm" is when
MOST_AT_ONCE: Final = Decimal(3)
# a bare "20" is far likelier 20 mg with the unit left off than twenty tablets: not read
MOST_BARE_UNITS: Final = Decimal(10)
# … and where neither "take" nor a form stands with it, so is a "5" or a "0.63"
MOST_UNTOLD: Final = Decimal(4)
PARTS_TAKEN: Final = frozenset(map(Decimal, ("0.5", "1.5")))
# "5-325 mg" is a combination; a range of doses is never this wide
WIDEST_RANGE: Final = 10
# said together with "by mouth", these are what is meant ("inhale 2 puffs by mouth")
THROUGH_THE_MOUTH: Final = frozenset({"inhaled", "sublingual", "buccal", "dental"})
COUNTED_AS: Final = {"odt": "tablet"}
SOLIDS: Final = frozenset({"tablet", "capsule", "pill", "caplet", "softgel", "gelcap", ""})
ACTUATIONS: Final = frozenset({"puff", "spray", "inhalation", "actuation"})
# a plain strength ("20 mg") is what one of these holds; it says nothing about a drop, a scoop or an application
HELD_IN_ONE: Final = (
    SOLIDS
    | ACTUATIONS
    | {"lozenge", "gummy", "suppository", "patch", "film", "piece", "packet", "vial", "syringe", "injection", "enema", "ring"}
)
_WHOLE: Final = frozenset({"tablet", "capsule", "lozenge", "gummy", "suppository", "patch", "film", "enema", "ring"})
# what a dose may be measured in; an ounce is refused, since of a liquid it is a volume and of a solid a weight
AMOUNT_DIMENSIONS: Final = frozenset({"mass", "volume", "activity", "amount", "charge"})
NOT_A_DOSE: Final = frozenset({"oz", "lb", "kg", "dose", "cup", "drink", "bottle", "implant"})
# one of them is one dose and holds a plain strength: "20 mg tablet"
UNIT_FORMS: Final = frozenset(
    {"tablet", "capsule", "disintegrating tablet", "lozenge", "gummy", "gum", "suppository", "patch", "film", "packet"}
)
RELEASED_OVER_TIME: Final = frozenset({"patch"})
"""A number alone beside one is so much in an hour, in a day, or of a hundred: which it is, is not told."""
METERED_FORMS: Final = frozenset({"inhaler", "nasal spray"})
SEMISOLID_FORMS: Final = frozenset(
    {"cream", "ointment", "gel", "lotion", "foam", "paste", "shampoo", "vaginal cream", "vaginal gel", "eye ointment"}
)
FORM_BY_ROUTE: Final = {
    ("solution", "oral"): "oral solution",
    ("suspension", "oral"): "oral suspension",
    ("drops", "oral"): "oral drops",
    ("powder", "oral"): "oral powder",
    ("gel", "oral"): "oral gel",
    ("solution", "ophthalmic"): "eye drops",
    ("suspension", "ophthalmic"): "eye drops",
    ("drops", "ophthalmic"): "eye drops",
    ("ointment", "ophthalmic"): "eye ointment",
    ("gel", "ophthalmic"): "eye gel",
    ("solution", "otic"): "ear drops",
    ("suspension", "otic"): "ear drops",
    ("drops", "otic"): "ear drops",
    ("solution", "parenteral"): "injection",
    ("suspension", "parenteral"): "injection",
    ("solution", "nasal"): "nasal spray",
    ("suspension", "nasal"): "nasal spray",
    ("spray", "nasal"): "nasal spray",
    ("inhaler", "nasal"): "nasal spray",
    ("gel", "nasal"): "nasal gel",
    ("solution", "inhaled"): "inhalation solution",
    ("suspension", "inhaled"): "inhalation suspension",
    ("powder", "inhaled"): "inhalation powder",
    ("cream", "vaginal"): "vaginal cream",
    ("gel", "vaginal"): "vaginal gel",
    ("tablet", "vaginal"): "vaginal tablet",
    ("suppository", "vaginal"): "vaginal suppository",
    ("ring", "vaginal"): "vaginal ring",
    ("suppository", "rectal"): "rectal suppository",
    ("cream", "rectal"): "rectal cream",
    ("ointment", "rectal"): "rectal ointment",
    ("foam", "rectal"): "rectal foam",
    ("tablet", "sublingual"): "sublingual tablet",
    ("film", "sublingual"): "sublingual film",
    ("film", "buccal"): "buccal film",
    ("tablet", "buccal"): "buccal tablet",
    ("spray", "sublingual"): "sublingual spray",
    ("solution", "topical"): "topical solution",
    ("spray", "topical"): "topical spray",
    ("powder", "topical"): "topical powder",
}
ROUTE_OF_FORM: Final = {
    "eye drops": "ophthalmic",
    "ear drops": "otic",
    "nasal spray": "nasal",
    "inhaler": "inhaled",
    "injection": "parenteral",
}
_RATES: Final = ("/h", "/min")
_ON_THE_SKIN: Final = frozenset({"topical", "transdermal"})


def is_rate(unit: str) -> bool:
    """Whether an amount in that unit runs in for as long as is told: "mg/h", "mcg/kg/min"."""
    return unit.endswith(_RATES)


def one_way(one: str | None, other: str | None) -> bool:
    """Whether two words for a route can mean one: "by mouth" is said of what is inhaled or dissolved in it, too."""
    both = {one, other}
    return None in both or one == other or both <= _ON_THE_SKIN or ("oral" in both and bool(both & THROUGH_THE_MOUTH))


def forms_apart(form: str | None, counted: str) -> bool:
    """Whether what a dose counts cannot be the form that is told: one patch of an extended-release tablet."""
    one = form.rpartition(" ")[2] if form else ""
    return one != counted and {one, counted} <= _WHOLE and not {one, counted} <= SOLIDS
