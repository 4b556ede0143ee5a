"""What is known of one patient on one day, in the library's terms; and what of it was not recognised."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from copy import copy
from datetime import date
from decimal import Decimal
from functools import cached_property

from msgspec import UNSET
from msgspec.structs import replace

from safety.formulas.blood import KIDNEYS_FAILED_UNDER
from safety.formulas.body import bsa_mosteller
from safety.knowledge.library import Lab
from safety.model.patient import Age, Allergy, Case, LabResult, Medication, Patient, Pregnancy, Told, age_from_birth
from safety.model.position import ListName, Position
from safety.model.problem_line import Head
from safety.model.quantity import Quantity
from safety.model.report import Unresolved
from safety.model.report import UnresolvedStatus as Status
from safety.model.truth import Seen
from safety.reading.names.resolver import Candidate, NameAnswer, ReadName
from safety.text import fold, printable
from safety.understanding.allergies import KnownAllergy
from safety.understanding.amounts import Body
from safety.understanding.believable import Doubt, believed
from safety.understanding.beside_allergies import taken_apart
from safety.understanding.corrected import corrected
from safety.understanding.differences import question
from safety.understanding.findings import Findings, KnownDevice, KnownGene, KnownProcedure
from safety.understanding.intake import Taken
from safety.understanding.kidney import Clearance, KidneyFacts, clearance, derived_results
from safety.understanding.measured_body import with_measured_body
from safety.understanding.medications import Entry, understand
from safety.understanding.named_elsewhere import named_elsewhere
from safety.understanding.problem_lists import Person
from safety.understanding.problems import NamedMedicine, Problem, Problems, read_problems
from safety.understanding.results import Result, read_results, result_of
from safety.understanding.stopped import results_beside, why_stopped
from safety.understanding.terms import Terms
from safety.understanding.told_beside import facts_apart, read_beside
from safety.understanding.told_results import ToldResults, counting, told_results
from safety.understanding.unused import (
    contradicted_lines,
    contradicted_results,
    doubted_results,
    unread_beside_what_was_stopped,
    unread_directions,
    unread_reasons,
    unused_results,
)  # fmt: skip
from safety.understanding.vaccines import KnownVaccine
from safety.understanding.worked_out import worked_out

_WEEK = 7
_OFFERED = 5
_LISTS: dict[str, str] = {
    "conditions": "The problem list names it", "allergies": "The list of allergies names it",
    "procedures": "The list of procedures names it",
    "devices": "The list of devices names it", "labs": "It stands beside a result", "vitals": "It stands beside a result",
    "intake": "It stands among what is eaten, drunk or smoked", "vaccines": "It stands beside a vaccine",
}  # fmt: skip
"""Where a medicine is named that stands on no list of medicines."""
_ALSO_VACCINES = frozenset({"labs", "vitals", "procedures", "devices", "intake", "allergies"})
"""Lists of which a line that was not read may tell a vaccine."""


class Facts:
    """One patient on one day. Lists are `None` where not told."""

    def __init__(self, case: Case, terms: Terms, day: date) -> None:
        self.terms = terms
        self.library = terms.library
        self.units = terms.library.units
        self.day = day
        born = case.patient.birth_date
        self.age: Age | None = case.patient.age or (age_from_birth(born, day) if born and born <= day else None)
        case, apart = facts_apart(terms.denials.told(case), terms, day, Person(self.age, sex=case.patient.sex))
        self.case = case
        self.patient: Patient
        self.doubts: tuple[Doubt, ...]
        named = named_elsewhere(case.patient, terms, day)
        self.named_elsewhere = named.medicines
        """Medicines that lines of other lists than those of problems and medicines name."""
        self.patient, self.doubts = believed(with_measured_body(named.patient, terms, day), self.age, day, self.library)
        self.entries: tuple[Entry, ...]
        self.entries, mixed = understand(case, terms.meaning_of, day, self._body(), terms.plan_goes_on)
        self.vaccines_on_lines: tuple[KnownVaccine, ...] = self._given()
        """Vaccines that a line of a medicine tells as given: they are no longer taken."""
        self.line_notes = [f"{m.where}: {m.text} is counted among what is eaten, drunk or smoked" for m in mixed if m.eaten]
        self.line_notes += [f"{v.where}: {v.text} is counted among the vaccines" for v in self.vaccines_on_lines]
        beside = [(e.where, text, results_beside(e, text, terms, day)) for e in self.entries for text in e.meaning.noted.kept]
        self.line_notes += [f"{part.where}: `{printable(part.text)}` is counted as told of the patient" for part in apart]
        self.line_notes += [note for e in self.entries for note in _remarks(e, {text for _, text, found in beside if found})]
        self._eaten_on_lines = tuple((m.where, m.text) for m in mixed if m.eaten)
        self.foods_on_lines: tuple[Taken, ...] = self._foods(tuple(text for _, text in self._eaten_on_lines))
        """What is eaten, drunk or smoked, told on a line of a medicine; it does not say what else is not."""
        self.unresolved: list[Unresolved] = [
            Unresolved(printable(m.text), m.where, "ambiguous", list(m.medicines), m.ask) for m in mixed if m.ask
        ]
        self.following: tuple[tuple[str, Seen], ...] | None = None
        """Conditions that follow from results, once somebody has worked them out."""
        self.judged: dict[int, Seen] = {}
        """What lines of conditions asked of this patient before, by the number of what they ask."""
        self.inferred: dict[str, tuple[bool, str] | None] = {}
        """What follows from the rest of pregnancy and breastfeeding, once somebody has worked it out."""
        self.clearance: Clearance | None = None
        """How well the kidneys work, as told or as it follows from the rest, once somebody has worked it out."""
        self.excusing: dict[int, frozenset[str]] = {}
        """By the same number: what is not told and was taken as no where that was asked."""
        taken = frozenset(d for e in self.entries if e.current for d in e.drugs)
        lines, person = (
            case.patient.conditions,
            Person(
                self.age, taken, self.patient.sex, lists_medicines=self.patient.medications_told or bool(self.patient.medications)
            ),
        )
        listed: Problems | None = terms.problem_lists.read(
            lines, day, self.unresolved, person, lambda open_, asked: read_problems(lines, terms, day, open_, asked)
        )
        stopped, told = why_stopped(self.entries, terms, day, person), read_beside(apart, terms, day, person)
        before = listed or Problems()
        self.listed = replace(
            before,
            reactions=(*before.reactions, *stopped.reactions, *told.reactions),
            results=(
                *before.results, *stopped.results, *told.results, *((one, where) for where, _, found in beside for one in found),
            ),
            suspected=(*before.suspected, *told.suspected),
            procedures=(*before.procedures, *told.procedures), devices=(*before.devices, *told.devices),
            vaccines=(*before.vaccines, *told.vaccines), genes=(*before.genes, *told.genes),
            medicines=(*before.medicines, *told.medicines),
            weeks=before.weeks if before.weeks is not None else told.weeks,
        )  # fmt: skip
        """Everything that the problem list tells; `problems` are those that the patient has or had."""
        self._perhaps_pregnant()
        self.weeks_alone: Decimal | None = self._weeks_alone()
        """Weeks that make up a part of a problem line of somebody told as pregnant."""
        elsewhere = (*stopped.own, *told.own)
        self.problems = (*listed.own, *elsewhere) if listed is not None else None
        self.foods_on_lines += tuple(t for t in (*self.listed.taken, *told.taken) if not t.denied)
        answered = self._answered()
        self.foods_on_lines += tuple(t for t in answered if not t.denied)
        self.not_taken = frozenset(t.food for t in (*answered, *self.listed.taken) if t.denied)
        """What an observation or the problem list says is not taken, or no longer: the newest answer holds."""
        self.named_beside_allergies: tuple[NamedMedicine, ...] = ()
        """Medicines that the list of allergies says are taken ("NKDA, takes warfarin")."""
        self.allergies = self._allergies()
        self._unknown_tests()
        self._unknown_foods()
        self.genes_among_results: tuple[KnownGene, ...] = ()
        self.implied: tuple[Problem, ...] = elsewhere
        """Problems that follow from a genetic result, a procedure or a device, also where no problem list was told."""
        self.findings = self._read_findings()
        self._add_reasons()
        self._feeding_and_not()
        self.weeks_elsewhere: Decimal | None = self._weeks_elsewhere()
        """Weeks of a pregnancy told on a line of another list than the problems."""
        self.vaccines: tuple[KnownVaccine, ...] = self._vaccines()
        """Those that are told, on any list; the ones that count are entries as well."""
        self.entries += self._vaccine_entries()
        self.entries += self._former_entries()
        self.perhaps: tuple[Entry, ...] = ()
        """Medicines that the problem list names of which nothing is judged: it is asked whether they are taken."""
        self._named_beside_conditions()
        asked = (e for e in self.entries if not e.beside or self._lists_medicines)
        self.unresolved += [item for entry in asked for item in _open(entry)]

    def with_entries(self, entries: tuple[Entry, ...]) -> Facts:
        """The same patient with entries that say more than was told; what is known of anything else stays as it is."""
        other = copy(self)
        for kept in ("current", "each_current", "each_ever", "unresolved_current"):
            other.__dict__.pop(kept, None)
        other.clearance = None
        other.entries, other.judged, other.excusing, other.inferred = entries, {}, {}, {}
        return other

    @cached_property
    def current(self) -> tuple[Entry, ...]:
        """Entries that are taken now, or are to be taken."""
        return tuple(e for e in self.entries if e.current and e.resolved)

    @cached_property
    def each_current(self) -> tuple[tuple[Entry, str], ...]:
        """Each ingredient of what is taken now, with its entry."""
        return tuple((e, d) for e in self.current for d in e.drugs)

    @cached_property
    def told_now(self) -> frozenset[str]:
        """The conditions that are told as present, and what each is a kind of; not what follows from results."""
        return frozenset(k for p in self.problems or () if p.active and p not in self.implied for k in p.kinds)

    @cached_property
    def each_ever(self) -> tuple[tuple[Entry, str], ...]:
        """Each ingredient of every entry that we recognise, stopped ones too."""
        return tuple((e, d) for e in self.entries if e.resolved for d in e.drugs)

    @cached_property
    def unresolved_current(self) -> bool:
        """Whether an entry that is taken now is one that we do not recognise."""
        return any(e.current and not e.resolved for e in self.entries)

    def _allergies(self) -> tuple[KnownAllergy, ...] | None:
        if self.patient.allergies is None:
            return None
        found: list[KnownAllergy] = []
        strange = False
        apart = [taken_apart(told, self.terms) for told in self.patient.allergies]
        self.named_beside_allergies = tuple(
            NamedMedicine(text, Position("allergies", n), taken=True, open=False)
            for n, (_, taken) in enumerate(apart)
            for text in taken
        )
        listed = [(n, self.terms.denials.allergy(told)) for n, (told, _) in enumerate(apart) if told is not None]
        if apart and not listed:
            return None  # it tells what is taken, and of allergies nothing
        for n, told in listed:
            if told.denied:
                continue
            known, unread = self.terms.allergies.read(told)
            for part in unread:
                strange = True
                ask = "What exactly is the allergy to? It is not recognised, so no drug was checked against it."
                self.unresolved.append(Unresolved(printable(part), Position("allergies", n), "unrecognised", [], ask))
            for one in known:
                if one.ask:  # a guessed name is checked against, and asked about
                    name = [self._name(one.target)]
                    self.unresolved.append(Unresolved(printable(told.to), Position("allergies", n), "ambiguous", name, one.ask))
            found += known
        self._contradicted(listed, found, strange)
        return tuple(found)

    def _contradicted(self, listed: list[tuple[int, Allergy]], found: list[KnownAllergy], strange: bool) -> None:
        """Where the list says both that there are none and which there are: the allergies stand, and it is asked.

        "No known *drug* allergies" contradicts only an allergy that covers a drug, or one that was not recognised.
        """
        for n, told in listed:
            if not told.denied:
                continue
            of_drugs = self.terms.denials.of_drugs(told.to)
            against = [a.text for a in found if a.drugs or not of_drugs]
            if against or strange:
                named = ", ".join(against) or "one that is not recognised"
                ask = f"Which holds? The list says that there are none, and names {named}. Until then that is taken to hold."
                self.unresolved.append(Unresolved(printable(told.to), Position("allergies", n), "contradicted", [], ask))

    def _name(self, i: str) -> str:
        item = self.library.by_id.get(i)
        return str(getattr(item, "name", i))

    @cached_property
    def unused(self) -> list[Unresolved]:
        """What was told of something that we know and cannot be used; beside what was not recognised."""
        lines = [*unread_directions(self.current, self.terms), *unread_reasons(self.current, self.terms)]
        lines += unread_beside_what_was_stopped(self.entries, self.terms)
        lines += contradicted_lines(self.entries, self.day)
        genes = {gene.where for gene in self.genes_among_results}
        told = replace(self.told_results, results=tuple(r for r in self.told_results.results if r.where not in genes))
        lines += doubted_results(told, self._given_results(), self.terms)
        lines += contradicted_results(told, self.terms)
        return [*lines, *unused_results(told, self.terms, self.day, self.months)]

    def _given_results(self) -> Iterator[tuple[LabResult, Position]]:
        lists: tuple[tuple[ListName, tuple[LabResult, ...] | None], ...] = (
            ("labs", self.patient.labs),
            ("vitals", self.patient.vitals),
        )
        yield from ((one, Position(key, n)) for key, given in lists for n, one in enumerate(given or ()))

    @cached_property
    def told_results(self) -> ToldResults:
        """Every result that was told, lines read and pairs taken apart; and those that follow from others of their day."""
        told = told_results(self.patient, self.terms, self.day, self.listed.results)
        return replace(told, results=(*told.results, *worked_out(told.results, self.terms)))

    def _answered(self) -> list[Taken]:
        """What the newest observations say of what is smoked or drunk ("tobacco smoking status: never smoker"), one of each."""
        newest: dict[str | None, tuple[date, Taken]] = {}
        for told in (placed.told for placed in self.told_results.results if placed.test is None):
            answer, on = self.terms.intake.answer(told.test, told.value), told.on or self.day
            if answer is not None and on <= self.day and on >= newest.get(answer.food, (on, answer))[0]:
                newest[answer.food] = on, answer
        return [answer for _, answer in newest.values()]

    def _unknown_tests(self) -> None:
        """A test told in words only that we do not know; a coded one that no rule asks about is nobody's question."""
        for placed in self.told_results.results:
            told = placed.told
            known = self.terms.intake.answer(told.test, told.value) is not None
            if not told.codes and placed.test is None and told.fault != "not_done" and not known:
                ask = "Which test is this? It is not one of ours, so no rule looked at it."
                value = f" {told.value}{f' {told.unit}' if told.unit else ''}" if told.value is not None else ""
                self.unresolved.append(Unresolved(printable(f"{told.test}{value}"), placed.where, "unrecognised", [], ask))

    def _vaccines(self) -> tuple[KnownVaccine, ...]:
        """Vaccines given or planned: of their own list, and lines of other lists that are about nothing else."""
        told = self.terms.vaccines.told(self.patient.vaccines or (), self.day, self.unresolved)
        found = [*told, *self.listed.vaccines, *self.vaccines_on_lines]
        for item in [u for u in self.unresolved if u.where.among in _ALSO_VACCINES]:
            read = self.terms.vaccines.elsewhere(item.text, item.where, self.day, lambda name: self.terms.named(name) is not None)
            if read is not None:
                found += read
                self.unresolved.remove(item)
        return tuple(found)

    def _given(self) -> tuple[KnownVaccine, ...]:
        """Vaccines on the medication list that were given, by their day, or that are not live: each leaves the entries."""
        found: list[KnownVaccine] = []
        kept: list[Entry] = []
        for entry in self.entries:
            read = self._as_vaccines(entry) if entry.where.among == "medications" else None
            if read:
                found += read
            else:
                kept.append(replace(entry, index=len(kept)))
        if found:
            self.entries = tuple(kept)
        return tuple(found)

    def _as_vaccines(self, entry: Entry) -> list[KnownVaccine] | None:
        told = entry.told
        if told.drug or told.dose or told.frequency or told.sig or told.codes or told.directions is not None:
            return None
        read = self.terms.vaccines.elsewhere(told.text, entry.where, self.day, lambda name: self.terms.named(name) is not None)
        given = read and all(v.status == "done" and (v.on or v.between or not v.drugs) for v in read)
        return read if given else None

    def _feeding_and_not(self) -> None:
        """Where it is told that she does not breastfeed, and a problem says that she does: the answer holds, and it is asked."""
        if self.patient.breastfeeding is not False:
            return
        for p in self.problems or ():
            if p.active and any(self.library.condition[k].breastfeeding for k in p.kinds):
                at = next((n for n, c in enumerate(self.patient.conditions or ()) if printable(c.text) == p.text), 0)
                ask = "Which holds? It is told that she does not breastfeed, and the problem list says that she does."
                self.unresolved.append(Unresolved(p.text, Position("conditions", at), "contradicted", [], ask))

    def _add_reasons(self) -> None:
        """What a medicine is told to be taken for is a problem of the patient, but for an event that may be past or feared."""
        found: list[Problem] = []
        known = {k for p in (*(self.problems or ()), *(d for d, _ in self.listed.denied)) for k in (p.id, *p.kinds)}
        for entry in self.entries:
            text = entry.told.indication or entry.directions.reason
            if not text or not entry.current:
                continue
            meant = text if entry.directions.as_needed else self.terms.reasons_that_mean.get(fold(text), text)
            for head in self.terms.problems.read(meant).heads:
                i = self.terms.named(head.name)
                condition = self.library.condition[i] if i is not None else None
                if condition is None or head.standing not in ("told", "recent") or condition.id in known:
                    continue
                if condition.unjudged or (condition.lasts is not None and not condition.lifelong):
                    continue
                known.update(condition.is_a)
                shown = f"{printable(text)} (what {entry.answer.name or entry.described} is taken for)"
                found.append(Problem(condition.id, condition.is_a, True, shown))
        self.implied += tuple(found)
        if self.problems is not None:
            self.problems += tuple(found)

    def _weeks_elsewhere(self) -> Decimal | None:
        found = set()
        for item in [u for u in self.unresolved if u.where.among in ("labs", "vitals", "procedures", "intake", "devices")]:
            line = self.terms.problems.read(item.text)
            of_heads = (h.when.gestation for h in line.heads if h.when is not None and self._is_pregnant(h))
            days = line.pregnant_for or next((told for told in of_heads if told is not None), None)
            if days is not None and not line.rests:
                found.add(Decimal(days[0] // _WEEK))
                self.unresolved.remove(item)
        return found.pop() if len(found) == 1 else None

    def _is_pregnant(self, head: Head) -> bool:
        i = self.terms.named(head.name) if head.standing in ("told", "recent") else None
        return i is not None and any(self.library.condition[k].pregnancy for k in self.library.condition[i].is_a)

    def _vaccine_entries(self) -> tuple[Entry, ...]:
        """Vaccines that are planned, or were given so lately that they still act, as medicines of the list."""
        days = self.terms.vaccine_acts
        taken = {d for e in self.entries if e.current for d in e.drugs}
        found: list[Entry] = []
        for one in self.vaccines:
            for drug in one.drugs if one.counts(self.day, days) else ():
                if drug not in taken:
                    taken.add(drug)
                    m = self.terms.meaning_of(Medication(self.library.name_of(drug)))
                    told = Medication(one.text, since=one.on)
                    index = len(self.entries) + len(found)
                    found.append(
                        Entry(
                            index,
                            one.where,
                            told,
                            m,
                            m.read.answer,
                            m.read.drugs,
                            m.directions,
                            m.routes,
                            m.form,
                            m.supplies,
                            True,
                            None,
                        )
                    )
        return tuple(found)

    def _former_entries(self) -> tuple[Entry, ...]:
        """Medicines that a line of the problem list says were stopped: some act for weeks ("stopped phenelzine last week")."""
        found: list[Entry] = []
        for where, part in self.listed.ended:
            told = Medication(part)
            m = self.terms.meaning_of(told)
            if m.read.drugs and m.noted.status in ("held", "stopped"):
                until = m.noted.when.latest(self.day) if m.noted.when is not None else None
                found.append(
                    Entry(
                        len(self.entries) + len(found), where, told, m, m.read.answer, m.read.drugs, m.directions, m.routes,
                        m.form, m.supplies, False, until,
                    )
                )  # fmt: skip
        return tuple(found)

    def _named_beside_conditions(self) -> None:
        """Medicines that the problem list names and no list of medicines has. One that it says is taken ("AF on warfarin", "AF,
        warfarin 5 mg daily") counts, and is asked about. One only named is weighed, and so is one in whose place another of
        its class is listed: the list of problems may be older than that.
        """
        taken = {d for e in self.entries if e.current for d in e.drugs}
        planned = {d for e in self.entries if e.current and e.where.among == "plan" for d in e.drugs}
        for one in (*self.listed.medicines, *self.named_beside_allergies, *self.named_elsewhere):
            entry = self._named_entry(one)
            drugs = entry.drugs or one.drugs if entry is not None else ()
            if entry is None or not drugs or not (taken - planned if one.one_of else taken).isdisjoint(drugs):
                continue
            m = entry.meaning
            said = one.taken or m.directions.dose is not None or m.directions.times_per_day is not None
            other = not taken.isdisjoint(drugs) if one.one_of else self.terms.alike(drugs, taken)
            if said and not one.open and not other:
                self.entries += (entry,)
                taken |= set(entry.drugs)
            else:
                self.perhaps += (entry,)
            if not one.asked and (entry.resolved or entry in self.perhaps) and self._lists_medicines:
                text = printable(one.text)
                self.unresolved.append(Unresolved(text, one.where, "unread", [], entry.answer.ask))

    @property
    def _lists_medicines(self) -> bool:
        return self.patient.medications_told or bool(self.patient.medications)

    def _named_entry(self, one: NamedMedicine) -> Entry | None:
        """A medicine that another list than that of medicines names, as an entry; of a kind of them it is asked which."""
        known = len(one.drugs) > 0 and not one.one_of
        m = self.terms.meaning_of(Medication(one.text))
        if known and len(one.drugs) == 1 and m.read.drugs != one.drugs:
            m = self.terms.meaning_of(Medication(self.library.name_of(one.drugs[0])))
        answer, beside = m.read.answer, _LISTS.get(one.where.among, "")
        if one.one_of:
            some = [Candidate(d, self.library.name_of(d), 0.0, "one of several") for d in one.drugs[:_OFFERED]]
            ask = f"Which medicine is `{printable(one.text)}`, and is it taken? {beside}, and it is not among the medications."
            answer = NameAnswer(printable(one.text), "ambiguous", None, None, None, None, 0.0, True, some, ask)
            m = replace(m, read=ReadName(answer, (), None, (), "", one_of=one.drugs))
        elif answer.status != "match" or not m.read.drugs or m.noted.status in ("held", "stopped"):
            return None
        else:
            ask = f"Is {answer.name} taken? {beside}, and it is not among the medications."
            answer = replace(answer, confirm=True, ask=ask)
        return Entry(
            len(self.entries), one.where, Medication(printable(one.text)), m, answer, m.read.drugs,
            m.directions, m.routes, m.form, m.supplies, True, None, self._body(), beside=True,
        )  # fmt: skip

    def _read_findings(self) -> Findings:
        """Genetic results, procedures and devices; the problems that follow from them stand on the list, if it is told."""
        p = self.patient
        strange = any(u.where.among in ("conditions", "labs", "vitals") for u in self.unresolved)
        self.genes_among_results = self._genes_among_results()
        if not (p.genes or p.procedures or p.devices or p.conditions or strange or self.genes_among_results):
            return Findings()
        also: list[Problem] = []
        beside: list[KnownProcedure | KnownDevice] = []
        found = self.terms.findings.read(
            p,
            self.unresolved,
            self.day,
            self.listed.not_hers,
            (self.listed.procedures, self.listed.devices, (*self.listed.genes, *self.genes_among_results)),
            lambda told, where: self._is_a_problem(told, where, also, beside),
            lambda text: bool(self.terms.problems.read(text).heads),
        )
        known = {(p.kinds, p.where) for p in found.procedures} | {(d.kinds, d.where) for d in found.devices}
        left = [one for one in beside if (one.kinds, one.where) not in known]
        found = replace(
            found,
            procedures=(*found.procedures, *(one for one in left if isinstance(one, KnownProcedure))),
            devices=(*found.devices, *(one for one in left if isinstance(one, KnownDevice))),
        )
        self.implied += tuple(Problem(i, self.library.condition[i].is_a, True, text) for i, text in found.implied) + tuple(also)
        if self.problems is not None:
            named = {kind for problem in self.problems if problem.active for kind in problem.kinds}
            self.problems = (*self.problems, *(one for one in self.implied if one.id not in named))
        return found

    def _is_a_problem(
        self, told: Told, where: Position, found: list[Problem], beside: list[KnownProcedure | KnownDevice]
    ) -> bool:
        """Whether a line of procedures or devices tells conditions of the patient and nothing else; they are added, and what
        such a condition is as a procedure or device as well ("VP shunt")."""
        aside: list[Unresolved] = []
        read = read_problems((told,), self.terms, self.day, aside, Person(self.age, sex=self.patient.sex))
        if read is None or not read.own or aside or Problems(read.own, procedures=read.procedures, devices=read.devices) != read:
            return False
        found += read.own
        beside += [replace(one, where=where) for one in read.procedures]
        beside += [replace(one, where=where) for one in read.devices]
        return True

    def _genes_among_results(self) -> tuple[KnownGene, ...]:
        """Genetic results with codes that stand among the others ("CYP2C19 genotype: *2/*2")."""
        found: list[KnownGene] = []
        for placed in self.told_results.results:
            told = placed.told
            if told.codes and placed.test is None and isinstance(told.value, str):
                text = printable(f"{told.test} {told.value}")
                read = self.terms.findings.genes(text)
                if read and all(state is not None for _, state in read):
                    found += [KnownGene(gene.id, state, text, placed.where) for gene, state in read if state is not None]
        return tuple(found)

    @property
    def months(self) -> Decimal | None:
        """How old the patient is, in months, where that is told."""
        return self.age.months if self.age is not None else None

    def result_of(self, told: LabResult, test: Lab) -> Result:
        """One result of this patient in the unit of its test, or why it cannot be used."""
        return result_of(told, test, self.terms, self.months)

    @cached_property
    def units_not_told(self) -> Mapping[str, tuple[str, tuple[str, ...], Position]]:
        """Results that are judged in units nobody told: by test, what was told, in which units, and where it stands."""
        found = {}
        for placed in counting(self.told_results.results):
            result = self.result_of(placed.told, placed.test) if placed.test is not None else None
            if result is not None and placed.test is not None and result.assumed:
                told = printable(f"{placed.told.test} {placed.told.value}")
                found[placed.test.id] = (told, result.assumed, placed.where)
        return found

    @cached_property
    def results(self) -> Mapping[str, tuple[Result, ...]] | None:
        """Usable and unusable results by test, those of later days left out; None if neither labs nor vitals were told."""
        if self.patient.labs is None and self.patient.vitals is None and not self.listed.results:
            return None
        counted = (placed.told for placed in counting(self.told_results.results))
        told = read_results(counted, self.terms, self.day, self.months)
        told = {i: tuple(self.as_corrected(r, self.library.lab[i], told) for r in results) for i, results in told.items()}
        return {**told, **derived_results(self._kidney_facts(told))}

    def as_corrected(self, result: Result, test: Lab, others: Mapping[str, tuple[Result, ...]] | None = None) -> Result:
        """A result as another test of the same days corrects it; as it stands where none does."""
        if test.corrected is None:
            return result
        known = others if others is not None else self.results or {}
        if not known.get(test.corrected.by):
            return result
        return corrected(result, test, known, self.library.lab.__getitem__, self.day, self._kidneys_failed(known))

    def _kidneys_failed(self, results: Mapping[str, tuple[Result, ...]]) -> bool:
        """Whether the clearance is so low, as told or worked out, that formulas take the kidneys as failed."""
        high = clearance(self._kidney_facts(results)).high
        return high is not None and high.value < KIDNEYS_FAILED_UNDER.value

    @cached_property
    def history(self) -> Mapping[str, tuple[Result, ...]]:
        """Every usable result by test, those told as earlier ones too."""
        found: dict[str, list[Result]] = {}
        for placed in self.told_results.results:
            told, test = placed.told, placed.test
            if test is not None and told.fault not in ("not_done", "name") and (told.on is None or told.on <= self.day):
                result = self.result_of(told, test)
                if result.fault is None and not result.word:
                    found.setdefault(test.id, []).append(replace(result, earlier=told.earlier))
        return {i: tuple(results) for i, results in found.items()}

    def _body(self) -> Body | None:
        weight, area = self.kilograms[0], self.surface[0]
        return Body(weight, area) if weight is not None or area is not None else None

    @cached_property
    def kilograms(self) -> tuple[Decimal | None, tuple[str, ...]]:
        """The weight in kg, and the facts that are missing for it."""
        weight = self.patient.weight
        found = self.units.convert(weight, "kg") if weight is not None else None
        return found, () if found is not None else ("weight",)

    @cached_property
    def surface(self) -> tuple[Decimal | None, tuple[str, ...]]:
        """The body surface in m2 (Mosteller), and the facts that are missing for it."""
        weight, height = self.patient.weight, self.patient.height
        if weight is None or height is None:
            return None, tuple(name for name, told in (("weight", weight), ("height", height)) if told is None)
        kg, cm = self.units.convert(weight, "kg"), self.units.convert(height, "cm")
        found = bsa_mosteller(Quantity(kg, "kg"), Quantity(cm, "cm")).value if kg is not None and cm is not None else None
        return found, () if found is not None else ("height",)

    @cached_property
    def intake(self) -> tuple[Taken, ...] | None:
        """What is eaten, drunk and smoked, in our terms; None where it is not told."""
        return None if self.patient.intake is None else self._foods(self.patient.intake)

    @cached_property
    def diet_limits(self) -> tuple[Taken, ...]:
        """The limits that a clinician set."""
        return self._foods(self.patient.diet_limits or ())

    def _foods(self, told: tuple[str, ...]) -> tuple[Taken, ...]:
        read = map(self.terms.intake.read, told)
        return tuple(t for t in read if t.food is not None and not t.denied)

    def _unknown_foods(self) -> None:
        p = self.patient
        both: tuple[tuple[ListName, tuple[str, ...] | None], ...] = (("intake", p.intake), ("diet_limits", p.diet_limits))
        listed = [(Position(key, n), text) for key, told in both for n, text in enumerate(told or ())]
        for where, text in (one for one in (*listed, *self._eaten_on_lines) if one[1]):
            read = self.terms.intake.read(text)
            if read.left and (read.denied or read.food is not None):
                words = ", ".join(f"`{printable(w)}`" for w in read.left)
                ask = f"What is meant by {words}? It stands beside what is eaten, drunk or smoked, and was not read."
                self.unresolved.append(Unresolved(read.text, where, "unread", [], ask))
            elif not read.denied and read.food is None:
                ask = "What is meant by this? It is not among the foods and drinks that our rules are about."
                self.unresolved.append(Unresolved(read.text, where, "unrecognised", [], ask))

    def _kidney_facts(self, results: Mapping[str, tuple[Result, ...]]) -> KidneyFacts:
        p = self.patient
        return KidneyFacts(
            self.age, p.sex, self._in(p.weight, "kg"), self._in(p.height, "cm"), results, self.problems or (), self.library
        )

    def _in(self, told: Quantity | None, unit: str) -> Quantity | None:
        value = self.units.convert(told, unit) if told is not None else None
        return Quantity(value, unit) if value is not None else None

    @cached_property
    def kidney(self) -> Clearance:
        """The clearance of the kidneys, as well as it is told or can be worked out."""
        return clearance(self._kidney_facts(self.results or {}))

    @cached_property
    def kidneys_unmentioned(self) -> bool:
        """Whether nothing that was told is about the kidneys, or may be: then what follows from the rest may stand in."""
        results = self.results or {}
        measured = any(results.get(t.id) for tests in self.library.labs_by_role.values() for t in tests)
        strange = any(u.where.among == "conditions" and self.terms.may_be_about_kidneys(u.text) for u in self.unresolved)
        return not (measured or strange)

    def _perhaps_pregnant(self) -> None:
        """Somebody told as not pregnant of whom a line says that she may be is asked about."""
        told = self.patient.pregnancy
        if told is None or told.present or self.patient.sex == "male":
            return
        for one in self.listed.suspected:
            if any(self.library.condition[kind].pregnancy for kind in one.kinds):
                lines = enumerate(self.patient.conditions or ())
                n = next((n for n, line in lines if one.text in printable(line.text)), 0)
                ask = "Is she pregnant? She was told as not pregnant, and the problem list says that she may be."
                self.unresolved.append(Unresolved(one.text, Position("conditions", n), "contradicted", [], ask))

    def _weeks_alone(self) -> Decimal | None:
        """Such weeks, where she is told as pregnant and nothing else tells how far; where nothing tells whether, it is asked."""
        told, found = self.patient.pregnancy, set()
        listed = any(p.active and self.library.condition[k].pregnancy for p in self.listed.own for k in p.kinds)
        denied = told is not None and not told.present
        if denied or self.listed.weeks is not None or not self.terms.carrying.may_be(self.age, self.patient.sex):
            return None
        for n, line in enumerate(self.patient.conditions or ()):
            weeks = self.terms.carrying.weeks(line.text)
            if weeks is not None and told is None and not listed:
                ask = f"Does `{printable(weeks[1])}` say how far she is pregnant? It may also say how long something lasts."
                self.unresolved.append(Unresolved(printable(line.text), Position("conditions", n), "unread", [], ask))
            elif weeks is not None:
                found.add(Decimal(weeks[0]))
        return found.pop() if len(found) == 1 else None

    @property
    def _had(self) -> tuple[Problem, ...]:
        """The problems told on their list or elsewhere, also where no list of them was told."""
        return self.problems if self.problems is not None else self.implied

    @cached_property
    def pregnancy(self) -> tuple[Pregnancy | None, str]:
        """What is told of pregnancy, and a note where it contradicts the problem list."""
        told = self.patient.pregnancy
        listed = any(p.active and self.library.condition[k].pregnancy for p in self._had for k in p.kinds)
        if listed and told is not None and not told.present:
            return None, "told as not pregnant, but the problem list says pregnant"
        weeks = self.listed.weeks or self.weeks_elsewhere or self.weeks_alone
        tested = self._pregnant_by_test() if told is None or not told.present else ""
        if tested and told is not None:
            return None, f"told as not pregnant, but {tested}"
        if tested and not listed:
            return Pregnancy(True, weeks=weeks), tested
        if told is None and self.weeks_elsewhere is not None:
            return Pregnancy(True, weeks=weeks), "its weeks are told"
        if listed and told is None:
            return Pregnancy(True, weeks=weeks), "on the problem list"
        alone = self.weeks_alone is not None
        if (listed or alone) and told is not None and told.weeks is None and told.trimester is None and weeks is not None:
            return Pregnancy(True, weeks=weeks), "told, its weeks on the problem list"
        return told, "told"

    def _pregnant_by_test(self) -> str:
        """The newest result of a test that says she is pregnant; empty where none says so, or it is too old to say it."""
        for test in self.library.pregnancy_tests if self.patient.sex != "male" else ():
            days = test.pregnant_days
            told = [r for r in (self.results or {}).get(test.id, ()) if r.fault is None]
            newest = max((r.on or self.day for r in told), default=None)
            for r in told:
                says = bool(r.word) and r.word == test.pregnant_word
                says = says or (test.pregnant_from is not None and r.low is not None and r.low >= test.pregnant_from)
                if says and (r.on or self.day) == newest and (days is None or (self.day - (r.on or self.day)).days <= days):
                    return f"{test.name} {r.shown}"
        return ""

    @cached_property
    def breastfeeding(self) -> bool | None:
        """Whether breastfeeding, told or on the problem list."""
        if self.patient.breastfeeding is not None:
            return self.patient.breastfeeding
        listed = any(p.active and self.library.condition[k].breastfeeding for p in self._had for k in p.kinds)
        return True if listed else None


def _open(entry: Entry) -> Iterator[Unresolved]:
    """What is to be asked about one medication as it was told: its name, what contradicts itself, whether it is taken."""
    a = entry.answer
    if not entry.resolved:
        candidates = [c.name for c in a.candidates]
        status: Status = "not_held" if a.probably is not UNSET else a.status if a.status != "match" else "unrecognised"
        yield Unresolved(printable(entry.told.text), entry.where, status, candidates, a.ask)
    elif entry.current and entry.meaning.differences:
        yield Unresolved(entry.described, entry.where, "contradicted", [], question(entry.meaning.differences))
    if entry.meaning.noted.status == "unclear" and entry.current:
        ask = f"Is {a.name or entry.told.text} taken now? The line says `{printable(entry.meaning.noted.said)}`."
        yield Unresolved(entry.described, entry.where, "ambiguous", [], ask)


def _remarks(entry: Entry, results: Collection[str]) -> Iterator[str]:
    """What a line tells beside its medicine: that it is not taken now; results, and aims, which no rule looks at."""
    noted, name = entry.meaning.noted, entry.answer.name or printable(entry.told.text)
    if noted.status in ("held", "stopped") and not entry.current:
        yield f"{entry.where}: {name} counts as not taken now: the line says `{printable(noted.said)}`"
    for text in noted.kept:
        came = "is counted among the results" if text in results else f"is kept as a remark on {name}; no rule looks at it"
        yield f"{entry.where}: `{printable(text)}` {came}"
