"""Who is a member of a class, by which routes and forms, through includes and excludes."""

from __future__ import annotations

from pathlib import Path

import pytest
from broken.laying import compiled_over, copy_of_bare, lay

from safety.knowledge.library import Library, Restriction

DRUGS = ("aa", "bb", "cc", "dd")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = copy_of_bare(tmp_path)
    for name in DRUGS:
        drug = f"id: drug.{name}\nname: {name}\nsupply: otc\nroutes: [oral, topical]\n"
        lay(folder, f"kb/drugs/{name}.yaml", drug)
    return folder


def _class(root: Path, name: str, body: str) -> None:
    lay(root, f"kb/classes/{name}.yaml", f"id: class.{name}\nname: class {name}\n{body}")


def _members(root: Path, name: str) -> dict[str, tuple[Restriction, ...]]:
    compiled = compiled_over(root)
    assert compiled.problems == ()
    library: Library = compiled.library
    return {i.removeprefix("drug."): ways for i, ways in library.drug_class[f"class.{name}"].members.items()}


def test_a_member_without_a_route_is_one_in_any_way(root: Path) -> None:
    _class(root, "x", "members: [drug.aa, {drug: drug.bb, route: oral}]\n")
    assert _members(root, "x") == {"aa": (), "bb": (Restriction(("oral",), None),)}


def test_the_members_of_an_included_class_are_members_through_any_number_of_steps(root: Path) -> None:
    _class(root, "x", "includes: [class.y]\nmembers: [drug.aa]\n")
    _class(root, "y", "includes: [class.z]\nmembers: [drug.bb]\n")
    _class(root, "z", "members: [{drug: drug.cc, form: gel}]\n")
    assert _members(root, "x") == {"aa": (), "bb": (), "cc": (Restriction(None, ("gel",)),)}


def test_a_class_included_by_two_others_is_no_ring(root: Path) -> None:
    _class(root, "x", "includes: [class.y, class.z]\n")
    _class(root, "y", "includes: [class.w]\nmembers: [drug.aa]\n")
    _class(root, "z", "includes: [class.w]\nmembers: [drug.bb]\n")
    _class(root, "w", "members: [drug.cc]\n")
    assert set(_members(root, "x")) == {"aa", "bb", "cc"}


def test_an_excluded_drug_is_taken_out_of_an_included_class(root: Path) -> None:
    _class(root, "x", "includes: [class.y]\nexcludes: [drug.bb]\n")
    _class(root, "y", "members: [drug.aa, drug.bb]\n")
    assert set(_members(root, "x")) == {"aa"}
    assert set(_members(root, "y")) == {"aa", "bb"}


def test_an_excluded_class_takes_all_its_members_out(root: Path) -> None:
    _class(root, "x", "members: [drug.aa, drug.bb, drug.cc]\nexcludes: [class.y]\n")
    _class(root, "y", "members: [drug.bb, drug.cc]\n")
    assert set(_members(root, "x")) == {"aa"}


def test_a_class_that_holds_a_drug_by_one_route_takes_only_that_route_out(root: Path) -> None:
    _class(root, "x", "members: [{drug: drug.aa, route: [oral, topical]}, drug.bb]\nexcludes: [class.skin]\n")
    _class(root, "skin", "members: [{drug: drug.aa, route: topical}]\n")
    assert _members(root, "x") == {"aa": (Restriction(("oral",), None),), "bb": ()}


def test_the_route_of_a_class_cuts_down_every_member(root: Path) -> None:
    _class(root, "x", "route: [oral, rectal]\nincludes: [class.y]\nmembers: [drug.aa, {drug: drug.bb, route: [oral, topical]}]\n")
    _class(root, "y", "members: [drug.cc, {drug: drug.dd, route: topical}]\n")
    whole = (Restriction(("oral", "rectal"), None),)
    assert _members(root, "x") == {"aa": whole, "bb": (Restriction(("oral",), None),), "cc": whole}


def test_route_and_form_hold_together(root: Path) -> None:
    _class(root, "x", "form: [gel, cream]\nmembers: [{drug: drug.aa, route: topical, form: [gel, patch]}]\n")
    assert _members(root, "x") == {"aa": (Restriction(("topical",), ("gel",)),)}


def test_a_drug_listed_by_two_routes_is_a_member_by_either(root: Path) -> None:
    _class(root, "x", "members: [{drug: drug.aa, route: oral}, {drug: drug.aa, route: topical, form: gel}]\n")
    assert set(_members(root, "x")["aa"]) == {Restriction(("oral",), None), Restriction(("topical",), ("gel",))}


def test_a_drug_that_is_a_member_in_any_way_is_not_narrowed_by_a_second_line(root: Path) -> None:
    _class(root, "x", "includes: [class.y]\nmembers: [{drug: drug.aa, route: oral}]\n")
    _class(root, "y", "members: [drug.aa]\n")
    assert _members(root, "x") == {"aa": ()}


def test_what_a_condition_is_a_kind_of_follows_every_step_once(root: Path) -> None:
    kinds = {"pp": "condition.qq, condition.rr", "qq": "condition.ss", "rr": "condition.ss", "ss": ""}
    for name, above in kinds.items():
        lay(root, f"kb/conditions/{name}.yaml", f"id: condition.{name}\nname: {name}\nis_a: [{above}]\n")
    compiled = compiled_over(root)
    assert compiled.problems == ()
    assert compiled.library.condition["condition.pp"].is_a == ("condition.pp", "condition.qq", "condition.ss", "condition.rr")
