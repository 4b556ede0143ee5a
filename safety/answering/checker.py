"""The engine: a case in, a report out. Immutable, so one engine may be shared between threads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from safety.answering.alerting import interrupts
from safety.answering.asking import Open, questions_of
from safety.answering.assumed import assuming, guessed, in_units_not_told, under_names
from safety.answering.coverage import Coverage, Labels
from safety.answering.dose_wording import dose_texts
from safety.answering.due import MONITORING, due_tests, is_reminder, not_measured, opens_no_question
from safety.answering.grouping import grouped
from safety.answering.holes import another_patient, checks_of, holes, opens_nothing, untold_lists, with_changes
from safety.answering.instead import Alternatives, Key, Tried, key_of, target_of
from safety.answering.questions import need_in_words, question, task
from safety.answering.remembered import OfEntry, Remembered, Told
from safety.answering.site import SiteChanges, made_by
from safety.answering.stakes import kidney_problems, stakes
from safety.answering.unjudged import mild_results, unjudged_results
from safety.answering.whichever import Whichever, of_whichever, under_name
from safety.errors import Place, Problem, RequestError
from safety.judging.candidates import Index
from safety.judging.conditions import Ingredient, Logic, in_question
from safety.judging.judgement import WHOLE, Judgement
from safety.judging.rules import explain, judge
from safety.judging.supposing import Weighed, under_assumptions
from safety.knowledge import library as lib
from safety.knowledge.policy import Role
from safety.model.patient import Case
from safety.model.position import Position
from safety.model.report import (
    RANK,
    Counts,
    Due,
    Finding,
    Hole,
    Report,
    Subject,
    Understood,
    Unknown,
    Unresolved,
    Verdict,
)
from safety.reading.directions.words import lexicon_of
from safety.reading.names.resolver import Resolver
from safety.text import did_you_mean, printable
from safety.understanding.facts import Facts
from safety.understanding.medications import Entry
from safety.understanding.terms import Terms

if TYPE_CHECKING:
    from safety.reading.spoken.statement import Spoken

_PLACEHOLDER = re.compile(r"\{([a-z0-9_]+)\}")
_OF_MEDICINES = frozenset({"medications", "plan"})
_MOST_OF_A_KIND = 40
_WEIGHED = 5


class _Said(Struct):
    """What the entries in question said of one case, gathered: `waiting` judgements are what may keep it from being clear."""

    findings: list[Finding] = []
    unknown: list[Unknown] = []
    waiting: list[Judgement] = []
    notes: list[str] = []
    spoke: set[str] = set()
    reminders: list[Judgement] = []
    told: list[tuple[Finding, Judgement]] = []


class _Judged(Struct):
    """A case that was judged: what was said of it, by entries that `broken` are, and `because` of what silence means nothing."""

    facts: Facts
    entries: Sequence[lib.Entry]
    said: _Said
    coverage: Coverage
    broken: Sequence[lib.Entry]
    unresolved: list[Unresolved]
    due: list[Due]
    because: list[Hole]


class Checker:
    """Judges cases with one library."""

    def __init__(self, library: lib.Library, version: str) -> None:
        self.library = library
        self.resolver = Resolver(library)
        self.lexicon = lexicon_of(library.language, library.units)
        self.terms = Terms(library, self.resolver, self.lexicon)
        self._policy = next((p for p in library.policies if p.id == "policy.default"), None)
        self.made_by = made_by(library, version)
        self._sites = SiteChanges(library)
        self._labels = Labels(library)
        self._alternatives = Alternatives(library, self._said_against, self._in_question)

    @cached_property
    def spoken(self) -> Spoken:
        """The reader of what people say; made when the first statement comes."""
        from safety.reading.spoken.statement import Spoken

        return Spoken(self.library)

    @cached_property
    def _remembered(self) -> Remembered:
        """What entries said of cases before."""
        return Remembered(self.library, self._told_of_anybody)

    @cached_property
    def index(self) -> Index:
        """Which entries may concern whom; made when the first patient comes (the case of a rule knows its rule)."""
        return Index(self.library)

    @cached_property
    def _of_kidneys(self) -> frozenset[str]:
        return kidney_problems(self.library)

    def check(self, case: Case, day: date, role: Role = "pharmacist") -> Report:
        """Judge a case as of a day; the same case, day and role give the same report to the byte."""
        judged = self._judged(case, day)
        told = self._for_a_reader(judged, case, role)
        return replace(told, findings=self._with_offers(judged, told.findings))

    def in_brief(self, case: Case, day: date, role: Role = "pharmacist") -> dict[str, Any]:
        """What `brief` of the report of `check` tells, in half the time: steps, what was seen of the patient and what may be
        taken instead are not worked out, as it holds none of them."""
        return self._for_a_reader(self._judged(case, day, steps=False), case, role).brief()

    def _with_offers(self, judged: _Judged, cards: list[Finding]) -> list[Finding]:
        """The cards, with what may be taken instead."""
        tried: Tried = {}
        aimed: dict[Key, Ingredient | None] = {_key(found): target_of(judgement) for found, judgement in judged.said.told}
        return [self._alternatives.with_offers(card, aimed.get(_key(card)), judged.facts, tried) for card in cards]

    def _for_a_reader(self, judged: _Judged, case: Case, role: Role) -> Report:
        """The report for somebody who reads it."""
        facts, said, coverage, findings = judged.facts, judged.said, judged.coverage, judged.said.findings
        checks, checks_why = checks_of(coverage, judged.because)
        loud = another_patient(case.reading)
        spoken = [
            replace(f, interrupt=interrupts(self._policy, self.library.entry[f.rule].tags, f, case, role)) for f in findings
        ]
        unresolved = [self._weighed(u, facts) for u in judged.unresolved]
        cards = grouped(spoken, self.library.harm_root)
        plain = self._report(judged, cards, unresolved)
        return replace(
            plain,
            questions=questions_of(
                Open(plain.unknown, unresolved, plain.medications, judged.because, spoken),
                stakes(facts, judged.entries, self.index, self._of_kidneys),
                self.library,
            ),
            notes=[
                *([loud] if loud else []),
                *sorted(set(said.notes)),
                *facts.line_notes,
                *self._contradictions(facts),
                *mild_results(facts, judged.entries, self.index, judged.broken),
            ],
            counts=Counts(len(findings), len(cards)),
            role=role,
            site_changes=self._sites.touching(facts, said.spoke),
            checks=checks,
            checks_why=checks_why,
            due=judged.due,
        )

    def counted(self, case: Case, day: date) -> Report:
        """What is found of a case and what is not known, for whoever counts it rather than reads it: the findings, unknowns and
        holes of the report of `check`, without steps, what was seen, offers, questions and notes."""
        return self._counted(self._judged(case, day, steps=False))

    def counted_each(self, cases: Sequence[tuple[Case, date]]) -> Iterator[Report]:
        """The same of many cases at once: each entry is asked of all whom it cannot tell apart together. Wants NumPy."""
        each = [Facts(case, self.terms, day) for case, day in cases]
        for facts, said in zip(each, self._remembered.of_many(each, self.index, _may_matter), strict=True):
            looked = self._in_question(facts) if facts.told_results.results else ()
            yield self._counted(self._gathered_up(facts, looked, said))

    def _counted(self, judged: _Judged) -> Report:
        cards = grouped(judged.said.findings, self.library.harm_root)
        return self._report(judged, cards, judged.unresolved)

    def _judged(self, case: Case, day: date, *, steps: bool = True) -> _Judged:
        facts = Facts(case, self.terms, day)
        entries = self._in_question(facts)
        return self._gathered_up(facts, entries, zip(entries, self._of_each(facts, entries, steps=steps), strict=True))

    def _gathered_up(self, facts: Facts, entries: Sequence[lib.Entry], each: Iterable[tuple[lib.Entry, OfEntry]]) -> _Judged:
        """A case with all that was said of it by each entry; `entries`: those that look at its results."""
        said = self._said(facts, each)
        coverage = Coverage(facts, self.index, self._labels)
        broken = [self.library.entry[f.rule] for f in said.findings]
        unresolved = with_changes([*facts.unresolved, *facts.unused, *unjudged_results(facts, entries, self.index, broken)])
        due = due_tests(said.reminders, facts)
        because = [*holes(facts, coverage, said.waiting, unresolved), *not_measured(due)]
        return _Judged(facts, entries, said, coverage, broken, unresolved, due, because)

    def _report(self, judged: _Judged, cards: list[Finding], unresolved: list[Unresolved]) -> Report:
        """What was found, and what is open; without what is worked out for a reader alone."""
        facts, said = judged.facts, judged.said
        open_ = bool(said.unknown or judged.because or any(f.assumed for f in said.findings))
        return Report(
            report=1, id=facts.case.id, as_of=facts.day.isoformat(), verdict=_overall(said.findings, open_), findings=cards,
            unknown=sorted(_gathered(said.unknown), key=_order), unresolved=unresolved,
            not_covered=judged.coverage.not_covered, made_by=self.made_by,
            medications=[_understood(e) for e in facts.entries], complete=not open_, unknown_because=judged.because,
            read=UNSET if facts.case.reading is None else facts.case.reading,
        )  # fmt: skip

    def _said(self, facts: Facts, each: Iterable[tuple[lib.Entry, OfEntry]]) -> _Said:
        """What the entries in question say of a case: findings under the names that were told, and what they wait for."""
        said, untold, strictly = _Said(), untold_lists(facts.patient), list[Judgement]()
        beside = frozenset(e.where for e in facts.entries if e.beside)
        for entry, said_by in each:
            for told in said_by.told:
                if not (beside and _wants_a_list(told, beside)):
                    self._add(told, facts, said)
            if said_by.excused and not opens_nothing(said_by.excused, entry.kind, untold):
                strictly += said_by.strictly(entry, facts)
        said.waiting += strictly
        by_guess = guessed(facts.entries)
        said.findings = [under_names(f, by_guess) for f in [*said.findings, *self._whichever(facts)]]
        return said

    def _of_each(self, facts: Facts, entries: Sequence[lib.Entry], *, steps: bool) -> Iterable[OfEntry]:
        remembered = self._remembered
        return remembered.for_a_reader(facts, entries, self._told) if steps else remembered.of_each(facts, entries)

    def _add(self, told: Told, facts: Facts, said: _Said) -> None:
        """Put what an entry says where it belongs."""
        judgement = told.judgement
        entry, broken = judgement.entry, judgement.verdict == "violated"
        said.spoke.add(entry.id)
        if entry.switched_off:
            said.notes += [f"{entry.id} would have spoken, but is retired by {entry.switched_off}"] if broken else []
        elif told.finding is not None:
            units = facts.units_not_told
            found = in_units_not_told(told.finding, self.index.tests_of(entry).sides, facts) if units else told.finding
            said.findings.append(found)
            said.told.append((found, judgement))
        elif broken:
            said.reminders.append(judgement)
        elif told.unknown is not None:
            said.unknown.append(told.unknown)
            said.waiting.append(judgement)

    def _told_of_anybody(self, weighed: Weighed) -> Told:
        """The same without what was seen of one patient: it may be said again of another who is alike."""
        told = self._told(weighed)
        return replace(told, finding=replace(told.finding, saw=[])) if told.finding is not None else told

    def _told(self, weighed: Weighed) -> Told:
        """A judgement with the words that a report has for it."""
        judgement, assumed = weighed
        if judgement.entry.switched_off:
            return Told(judgement)
        if judgement.verdict == "violated":
            if is_reminder(judgement):
                return Told(judgement)
            finding = self._finding(judgement)
            return Told(judgement, assuming(finding, assumed, self.library) if assumed else finding)
        return Told(judgement) if opens_no_question(judgement) else Told(judgement, None, self._unknown(judgement))

    def why(self, entry: str, case: Case, day: date) -> Judgement:
        """How one entry judges a case, step by step, whatever came of it. Raises RequestError for an unknown id."""
        found = self.library.entry.get(self.library.current_id(entry))
        if found is None:
            hint = did_you_mean(entry, self.library.entry, cutoff=60)
            raise RequestError([Problem(Place("rule"), "R301", f"`{entry}` is not a rule that we know", hint)])
        facts = Facts(case, self.terms, day)
        judgement, _ = next(under_assumptions([explain(found, facts)], facts))
        return judgement

    def due(self, case: Case, day: date) -> list[Due]:
        """Every test that the medicines of a case need: what is due, what is in time, and what is not told."""
        facts = Facts(case, self.terms, day)
        asked = [e for e in self._in_question(facts) if e.kind == MONITORING and not e.switched_off]
        judged = [explain(entry, facts) for entry in asked]
        return due_tests([j for j in judged if j.verdict != "not_applicable"], facts)

    def _judgements(self, facts: Facts, entries: Iterable[lib.Entry], *, steps: bool = True) -> Iterator[Judgement]:
        """What entries come to."""
        logic = Logic(facts, steps=steps)
        for entry in entries:
            yield from judge(entry, logic)

    def _said_against(self, facts: Facts, entries: Sequence[lib.Entry]) -> Iterator[Judgement]:
        """The same, what is usual being assumed, from memory where somebody alike was met."""
        return (told.judgement for of_entry in self._remembered.of_each(facts, entries) for told in of_entry.told)

    def _in_question(self, facts: Facts) -> list[lib.Entry]:
        """The entries in force that could concern somebody with these medicines and problems."""
        drugs = {d for e in facts.entries if e.resolved for d in e.drugs}
        asked, day = self.index.candidates(drugs, in_question(facts)), facts.day
        return [e for e in asked if (e.start is None and e.end is None) or e.in_force(day)]

    def _whichever(self, facts: Facts) -> list[Finding]:
        """What ambiguous names break, whichever of their candidates are meant."""
        found: list[Finding] = []
        for (judgement, assumed), called in Whichever(facts, self.library, self._judgements, self._in_question).found():
            if judgement.entry.kind in (MONITORING, "omission") and all(entry.beside for entry, _ in called):
                continue  # what else a list holds is asked of medicines that it names
            finding = assuming(self._finding(judgement, [entry for entry, _ in called]), assumed, self.library)
            found.append(of_whichever(finding, called, self.library))
        return found

    def _weighed(self, item: Unresolved, facts: Facts) -> Unresolved:
        """What an ambiguous name would mean for this patient, candidate by candidate; what a medicine would that only the problem
        list names, if it is taken."""
        if item.where.among not in _OF_MEDICINES and item.status == "unread":
            return replace(item, would_break=self._if_taken(item, facts)) if facts.perhaps else item
        ambiguous = (e for e in facts.entries if e.where == item.where and e.answer.status == "ambiguous")
        entry = next((e for e in ambiguous if printable(e.told.text) == item.text), None)
        if entry is None or not entry.answer.candidates:
            return item
        if entry.beside:
            of_each = [(name, rules) for name, rules in self._each_of_a_kind(entry, facts) if rules]
            return replace(item, would_break=dict(of_each[:_WEIGHED]))
        would: dict[str, list[str]] = {}
        whole = len(entry.answer.candidates) <= _WEIGHED
        for candidate in entry.answer.candidates[:_WEIGHED]:
            variant = under_name(facts, entry, candidate.name)
            broken = {
                j.entry.id
                for j in self._judgements(variant, self._in_question(variant))
                if j.verdict == "violated" and not j.entry.switched_off and any(s.where == entry.where for s in j.subjects)
            }
            would[candidate.name] = sorted(broken)
            whole = whole and all(n.where != entry.where for n in Coverage(variant, self.index, self._labels).not_covered)
        first = next(iter(would.values()))
        agree = all(rules == first for rules in would.values())
        silent = agree and not first and not whole  # that none breaks a rule says something only where all is held of each
        return replace(item, would_break=would, agree=None if silent else agree)

    def _if_taken(self, item: Unresolved, facts: Facts) -> dict[str, list[str]]:
        """By medicine that a line of the problem list names and that is not judged: the loud rules that it would break."""
        would: dict[str, list[str]] = {}
        for entry in (e for e in facts.perhaps if e.where == item.where):
            if entry.meaning.read.one_of:
                would |= self._each_of_a_kind(entry, facts)
            else:
                variant = facts.with_entries((*facts.entries, entry))
                would[entry.answer.name or entry.described] = self._loud_of(entry, variant)
        return dict([(name, rules) for name, rules in would.items() if rules][:_WEIGHED])

    def _each_of_a_kind(self, entry: Entry, facts: Facts) -> Iterator[tuple[str, list[str]]]:
        """By medicine that a kind may be: the loud rules that it would break."""
        beside = entry if any(e is entry for e in facts.entries) else None
        all_of = facts if beside is not None else facts.with_entries((*facts.entries, entry))
        for drug in entry.meaning.read.one_of[:_MOST_OF_A_KIND]:
            name = self.library.name_of(drug)
            yield name, self._loud_of(entry, under_name(all_of, entry, name))

    def _loud_of(self, entry: Entry, variant: Facts) -> list[str]:
        """The loud rules that a patient breaks with what is named on one line."""
        broken = (
            j.entry.id
            for j in self._judgements(variant, self._in_question(variant))
            if j.verdict == "violated" and not j.entry.switched_off and RANK[j.severity] <= RANK["major"]
            and any(s.where == entry.where for s in j.subjects)
        )  # fmt: skip
        return sorted(set(broken))

    # -------------------------------------------------------------- answers

    def _finding(self, j: Judgement, called: Sequence[Entry] = ()) -> Finding:
        """A violation in words; `called`: entries that go by the name that was told of them."""
        e = j.entry
        if e.doses is not None:
            return self._dose_finding(j)
        names = self._names(j)
        for entry in called:
            names |= {slot: entry.answer.heard for slot, b in j.bound if b.entry.where == entry.where}
        advice = _filled(e.advice, names)
        return Finding(
            rule=e.id, kind=e.kind, severity=j.severity, hard=self._hard(j), interrupt=False,
            subjects=j.subjects, title=_filled(e.title, names), harms=list(e.harms),
            harm=_filled(e.harm, names) + (f" (onset: {e.onset})" if e.onset else ""), why=_filled(e.why, names), do=e.do,
            advice=advice,
            if_unavoidable=_filled(e.if_unavoidable, names), escalate=e.escalate, task=task(advice, e.escalate),
            evidence=list(e.evidence), trace=list(j.trace), saw=[j.saw] if j.saw else [],
            severity_because=j.because, severity_needs=list(j.severity_needs), decided_by=_decided(e),
            suspect=j.dose.suspect if j.dose else "",
        )  # fmt: skip

    def _dose_finding(self, j: Judgement) -> Finding:
        e = j.entry
        assert j.dose is not None
        assert e.doses is not None
        t = dose_texts(j, self.library.name_of(e.doses.drug))
        return Finding(
            rule=e.id, kind=e.kind, severity=j.severity, hard=self._hard(j), interrupt=False,
            subjects=j.subjects, title=t.title, harms=list(t.harms), harm=t.harm, why=t.why, do=t.do, advice=t.advice,
            if_unavoidable="", escalate=t.escalate, task=task(t.advice, t.escalate), evidence=list(e.evidence),
            trace=list(j.trace), saw=[j.saw], decided_by=_decided(e), suspect=j.dose.suspect,
        )  # fmt: skip

    def _unknown(self, j: Judgement) -> Unknown:
        e = j.entry
        return Unknown(
            rule=e.id, kind=e.kind, severity=j.severity, subjects=j.subjects,
            title=_filled(e.title, self._names(j)), needs=list(j.needs), ask=question(j.needs, self.library),
            trace=list(j.trace), decided_by=_decided(e),
        )  # fmt: skip

    def _names(self, j: Judgement) -> dict[str, str]:
        if j.entry.kind in WHOLE:  # of the whole list: every medicine by name
            drugs = dict.fromkeys(d for s in j.subjects for d in ((s.drug,) if isinstance(s.drug, str) else s.drug or ()))
            return {slot: _listed([self.library.name_of(d) for d in drugs]) for slot, _ in j.bound}
        if len({b.drug for _, b in j.bound}) < len(j.bound):  # the same twice is told apart by the words of each line
            return {slot: b.entry.described for slot, b in j.bound}
        return {slot: self._named(slot, b, j) for slot, b in j.bound}

    def _named(self, slot: str, b: Ingredient, j: Judgement) -> str:
        """An ingredient by its name; of a product of several by the product's, with the ingredient that does it.

        Of several that fill one line of a rule that is the one of which most rules speak: the booster, not what it boosts.
        """
        product = b.entry.meaning.read.product
        if product is None or len(b.entry.drugs) < 2:
            return self.library.name_of(b.drug)
        leaf = next((line for line in j.entry.slots if line.slot == slot), None)
        members = leaf.members if leaf is not None and leaf.members is not None else {b.drug: ()}
        alike = dict.fromkeys((b.drug, *(o.drug for o in j.also if o.entry.index == b.entry.index and o.drug in members)))
        culprit = max(alike, key=self.index.spoken_of)
        return f"{product.name} ({self.library.name_of(culprit)})"

    def _hard(self, j: Judgement) -> bool:
        return (
            j.severity == "contraindicated"
            or bool(j.dose and j.dose.gross)
            or (j.severity == "major" and j.entry.kind == "interaction")
        )

    def _contradictions(self, facts: Facts) -> list[str]:
        pregnancy, saw = facts.pregnancy
        return [f"pregnancy: {saw}"] if pregnancy is None and saw != "told" else []

    def in_words(self, needs: Iterable[str]) -> list[str]:
        """Missing facts as short nouns."""
        return [need_in_words(n, self.library) for n in needs]


def _wants_a_list(told: Told, beside: frozenset[Position]) -> bool:
    """Whether an entry asks what else a list holds, or how it is taken, of medicines that only the problem list names."""
    judgement = told.judgement
    wants = judgement.entry.kind in (MONITORING, "omission") or (judgement.entry.kind == "dose" and told.finding is None)
    return wants and bool(judgement.subjects) and all(s.where in beside for s in judgement.subjects)


def _key(finding: Finding) -> Key:
    return key_of(finding.rule, (s.where for s in finding.subjects))


def _may_matter(entry: lib.Entry, said: OfEntry) -> bool:
    """Whether what an entry says of somebody may be anything to a report: a finding, or what it waits for."""
    return bool(said.told) or not opens_nothing(said.excused, entry.kind, frozenset())


def _overall(findings: list[Finding], something_unknown: bool) -> Verdict:
    if findings:
        return "violated"
    return "unknown" if something_unknown else "clear"


def _understood(entry: Entry) -> Understood:
    a = entry.answer
    drugs: str | tuple[str, ...] | None = entry.drugs if len(entry.drugs) > 1 else next(iter(entry.drugs), None)
    return Understood(entry.described, drugs, entry.where, entry.current, a.status, a.via, a.confirm, a.ask)


def _gathered(unknown: list[Unknown]) -> list[Unknown]:
    """One unknown for each rule and missing fact, with every medication that waits for it."""
    found: dict[tuple[str, tuple[str, ...]], Unknown] = {}
    for item in unknown:
        # doses of several drugs that wait for one fact are one note
        key = (f"doses {item.severity}" if item.kind == "dose" else item.rule, tuple(item.needs))
        before = found.get(key)
        if before is not None:
            subjects = _one_each([*before.subjects, *item.subjects])
            also = [r for r in (*before.also, item.rule) if r != before.rule]
            item = replace(before, subjects=subjects, also=list(dict.fromkeys(also)))
            if item.also:
                item = replace(item, title=f"Doses that cannot be judged without {' and '.join(item.needs)}")
        found[key] = item
    return list(found.values())


def _one_each(subjects: list[Subject]) -> list[Subject]:
    """Each medication once, in order of its place, with every ingredient that was named."""
    meant: dict[tuple[Position, str], tuple[Subject, dict[str, None]]] = {}
    for subject in subjects:
        drugs = subject.drug if isinstance(subject.drug, tuple) else (subject.drug,) if subject.drug else ()
        meant.setdefault((subject.where, subject.text), (subject, {}))[1].update(dict.fromkeys(drugs))
    ordered = (meant[place] for place in sorted(meant))
    return [replace(s, drug=next(iter(drugs)) if len(drugs) == 1 else tuple(sorted(drugs)) or None) for s, drugs in ordered]


def _decided(entry: lib.Entry) -> str:
    return "overlay " + ", ".join(entry.decided_by) if entry.decided_by else "medsafe"


def _listed(names: Sequence[str]) -> str:
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else names[0]


def _filled(text: str, names: Mapping[str, str]) -> str:
    return _PLACEHOLDER.sub(lambda m: names.get(m[1], m[0]), text) if "{" in text else text


def _order(item: Unknown) -> tuple[int, str, list[Position]]:
    return (RANK[item.severity], item.rule, [s.where for s in item.subjects])
