"""Medicines that lines of procedures, devices, results, vaccines or intake name ("INR 2.4 on warfarin"), and what is left."""

from __future__ import annotations

import re
from datetime import date
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from safety.model.patient import LabResult, Patient, Vaccine
from safety.model.patient import Procedure as ToldProcedure
from safety.model.position import ListName, Position
from safety.understanding.problems import NamedMedicine
from safety.understanding.terms import Terms
from safety.understanding.treatments import Treatment, unused

_PARTS = re.compile(r"\s*(?:[;]|,(?!\d)|\s\band\b\s)\s*")
_T = TypeVar("_T")


class Elsewhere(Struct, frozen=True):
    """The patient as the other readers read him, and the medicines that were named."""

    patient: Patient
    medicines: tuple[NamedMedicine, ...] = ()


def named_elsewhere(patient: Patient, terms: Terms, day: date) -> Elsewhere:
    """What is taken by lines of lists that are not about medicines. A line that its own reader reads whole stays as it is."""
    found = _Found(terms, day)
    read = replace(
        patient,
        labs=found.each(patient.labs, "labs"),
        vitals=found.each(patient.vitals, "vitals"),
        procedures=found.each(patient.procedures, "procedures"),
        vaccines=found.each(patient.vaccines, "vaccines"),
        devices=found.each(patient.devices, "devices"),
        intake=found.each(patient.intake, "intake"),
    )
    return Elsewhere(read, tuple(found.medicines)) if found.medicines else Elsewhere(patient)


class _Found:
    """What was found so far."""

    def __init__(self, terms: Terms, day: date) -> None:
        self.terms, self.day = terms, day
        self.medicines: list[NamedMedicine] = []

    def each(self, told: tuple[_T, ...] | None, among: ListName) -> tuple[_T, ...] | None:
        """The items of a list without the medicines that they name."""
        return tuple(self._one(one, Position(among, n)) for n, one in enumerate(told)) if told else told

    def _one(self, told: _T, where: Position) -> _T:
        if isinstance(told, LabResult):
            text = self._result(told.test, where) if told.as_written else told.test
            return replace(told, test=text) if text != told.test else told
        if isinstance(told, ToldProcedure | Vaccine):
            text = self._beside(told.text, where)
            return replace(told, text=text) if text != told.text else told
        if isinstance(told, str):
            text = self._device(told, where) if where.among == "devices" else self._intake(told, where)
            return text if text != told else told  # type: ignore[return-value]  # a string like the one told
        return told

    def _taken(self, text: str, where: Position) -> list[Treatment]:
        """What a line says is taken; a kind alone in a part of it is only named."""
        treatments = self.terms.treatments
        found = [t for t in treatments.taken(text) if not self.terms.no_longer_taken(text, t.start, t.end)]
        for one in found:
            self._add(one, where, one.text, taken=True, open_=self.terms.perhaps_not_taken(text, one.start, one.end))
        if where.among == "procedures":
            named = [t for t in treatments.parts(text) if t.drugs not in {f.drugs for f in found}]
            for one in named:
                self._add(one, where, one.text, taken=False, open_=True)
            found += named
        return found

    def _add(self, one: Treatment, where: Position, text: str, *, taken: bool, open_: bool) -> None:
        self.medicines.append(NamedMedicine(text, where, taken, open_, one.drugs, one.one_of, asked=False))

    def _result(self, text: str, where: Position) -> str:
        """A line of results; only where its reader does not make something of the words itself."""
        found = self._taken(text, where)
        line = self.terms.result_lines.line(text, self.day) if found else None
        if line is None or not (line.left or any(r.fault for r in line.results)):
            return text
        without = unused(text, found)
        again = self.terms.result_lines.line(without, self.day) if without else None
        return without if again is not None and any(not r.fault for r in again.results) else text

    def _beside(self, text: str, where: Position) -> str:
        """A procedure or a vaccine."""
        found = self._taken(text, where)
        return unused(text, found) or text

    def _device(self, text: str, where: Position) -> str:
        """A device; one that holds a medicine is nothing else than how that is taken ("intrathecal morphine pump")."""
        found = self._taken(text, where)
        if found:
            told_in_a_word = self.terms.findings.device(text) is not None
            return text if told_in_a_word else unused(text, found) or text
        if self.terms.findings.device(text) is not None:
            return text
        worn = self.terms.treatments.anywhere(text)
        for one in worn:
            self._add(one, where, one.text, taken=True, open_=False)
        return "" if worn and self.terms.treatments.only_how(unused(text, worn)) else text

    def _intake(self, text: str, where: Position) -> str:
        """What is eaten, drunk and smoked, part by part: medicines are taken, too."""
        read = self.terms.intake.read(text)
        if read.denied or (read.food is not None and not read.left):
            return text
        kept, before = list[str](), len(self.medicines)
        for part in _PARTS.split(text):
            left = self._part(part, where)
            kept += [left] if left else []
        return ", ".join(kept) if len(self.medicines) > before else text

    def _part(self, part: str, where: Position) -> str:
        alone = self.terms.intake.read(part)
        if alone.denied or (alone.food is not None and not alone.left):
            return part
        found = self.terms.treatments.anywhere(part)
        found = [t for t in found if not self.terms.no_longer_taken(part, t.start, t.end)]
        if not found:
            return part
        left = unused(part, found)
        eaten = self.terms.intake.read(left).food is not None if left else False
        for one in found:
            text = one.text if eaten or one.one_of else part[one.start :]
            self._add(one, where, text, taken=True, open_=self.terms.perhaps_not_taken(part, one.start, one.end))
        return left if eaten else ""
