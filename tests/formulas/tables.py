"""The units and the tables of factors of this checkout."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

from conftest import REPO, loaded
from measuring.formulas import Tables

from safety.formulas.equivalents import Factors
from safety.knowledge.documents import read_file
from safety.model.quantity import Units


def content(relative: str) -> Any:
    """What a file of the checkout holds."""
    document, problems = read_file(REPO / relative, relative)
    assert document is not None, problems
    assert problems == []
    return document.value


@cache
def units() -> Units:
    """The conversions of `kb/units.yaml`."""
    value = dict(content("kb/units.yaml"))
    count, aliases = value.pop("count"), value.pop("aliases")
    return Units({k: {u: Fraction(str(f)) for u, f in v.items()} for k, v in value.items()}, aliases, count)


def raw_table(name: str) -> Any:
    """What a file of `kb/factors/` holds."""
    return content(f"kb/factors/{name}.yaml")


@cache
def table(name: str) -> Factors:
    """A table of `kb/factors/`, compiled."""
    return next(t for t in loaded().library.factors if t.id == f"factors.{name}")


def tables() -> Tables:
    """The three tables that rows are scored with."""
    return Tables(table("mme-cdc-2016"), table("mme-cdc-2022"), table("glucocorticoids"))
