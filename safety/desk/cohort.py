"""How often each rule speaks among the patients of a cohort."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct

from safety.desk.keeping import in_force
from safety.desk.remarks import Remark, remark
from safety.knowledge.library import Library
from safety.model.report import Report

_MOST = 20


class Firing(Struct, frozen=True):
    """Of a cohort: how many patients, and in how many of them each rule spoke; the most frequent first."""

    patients: int
    spoke: tuple[tuple[str, int], ...]


def firing(reports: Iterable[Report]) -> Firing:
    """Count the patients in whom each rule spoke, once a patient."""
    counts: Counter[str] = Counter()
    patients = 0
    for report in reports:
        patients += 1
        counts.update({f.rule for f in report.every_finding})
    return Firing(patients, tuple(sorted(counts.items(), key=lambda one: (-one[1], one[0]))))


def frequencies(found: Firing, library: Library) -> Iterator[Remark]:
    """The rules that speak most often, and those that never did."""
    spoke = dict(found.spoke)
    for rule, count in found.spoke[:_MOST]:
        entry = library.entry[rule]
        yield remark("cohort.loud", rule, entry.place, f"in {count} of {found.patients} patients, {entry.severity}", count)
    for entry in in_force(library):
        if entry.id not in spoke:
            yield remark("cohort.silent", entry.id, entry.place, f"in none of {found.patients} patients")
