"""Formulas that are one expression over their inputs: written down once, asked for like any other."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from msgspec import Struct

from safety.formulas.answers import Answer, Formula
from safety.formulas.inputs import Gathered, Input, answered, gather
from safety.model.patient import Sex

Expression = Callable[[Gathered, bool], Fraction]
"""The value from the inputs, each in its unit; the second is whether the patient is female."""


class Simple(Struct, frozen=True):
    """A formula with its inputs, each with an example, and its expression.

    `sexed`: the patient's sex goes in. `refuse`: why inputs that are believable one by one are not together; empty: they are.
    `note`: what is said beside the value.
    """

    formula: Formula
    inputs: tuple[tuple[Input, str], ...]
    value: Expression
    sexed: bool = False
    refuse: Callable[[Gathered], str] = lambda _: ""
    note: str = ""

    def __call__(self, sex: Sex | None = None, **given: Any) -> Answer:
        """The formula's answer; what is not given is not told."""
        wanted = [(one, given.get(key_of(one).replace("-", "_"))) for one, _ in self.inputs]
        got = gather(self.formula, *wanted, sex=sex if self.sexed else False)
        if isinstance(got, Answer):
            return got
        wrong = self.refuse(got)
        if wrong:
            return Answer(self.formula, used=tuple(got.used), refused=(wrong,))
        return answered(self.formula, self.value(got, sex == "female"), got.used, (self.note,) if self.note else ())


def key_of(one: Input) -> str:
    """The key that an input is given by."""
    return one.name.replace(" ", "-")


def share(name: str, at_most: str = "100") -> Input:
    """A part of a hundred."""
    return Input(name, "%", {"": "1"}, "0", at_most)


def count(name: str, at_least: str, at_most: str) -> Input:
    """A number without a unit."""
    return Input(name, "", {}, at_least, at_most)


def higher(first: str, second: str) -> Callable[[Gathered], str]:
    """Refuses inputs of which the first is not above the second."""
    return lambda got: "" if got[first] > got[second] else f"{first} must be higher than {second}"
