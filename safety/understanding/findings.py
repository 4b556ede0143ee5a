"""Genetic results, procedures and devices as told → the library's terms, whichever list of the case they stand in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from safety.knowledge.library import Device, Gene, Library, Procedure
from safety.model.patient import Code, Patient, Told
from safety.model.patient import Gene as ToldGene
from safety.model.patient import Procedure as ToldProcedure
from safety.model.position import Position
from safety.model.report import Unresolved
from safety.reading.problems.dates import Dates
from safety.reading.wording import any_of
from safety.text import fold, lowered, printable
from safety.understanding.happened import Happening, HappeningReader

_FIRST_WORD = re.compile(r"[^\W_]+")
_MARKS = r"[\s*:_()-]*"
_SAME = str.maketrans("", "", " \t*:_-()")
_NO_RULE = "Please judge this by hand: it is not one of the procedures that our rules are about."
_LEFT = "What is meant by {words}? It stands beside a procedure and was not read."
_MOST_NAMED = 5
_ANY_DAY = date(2000, 1, 1)
"""Where only the names of a line matter."""
_TAKEN_UP = frozenset({"unrecognised"})


class KnownGene(Struct, frozen=True):
    """A genetic result: the gene, the state that it comes to, and how it was told."""

    gene: str
    state: str
    text: str
    where: Position


class KnownProcedure(Struct, frozen=True):
    """An operation or examination with all that it is a kind of; done or planned, and its day if told.

    `between`: where no day is told, but so many days (least, most) before the day that is judged ("3/2024").
    `measures`: the test that was measured with it.
    """

    kinds: tuple[str, ...]
    status: Literal["done", "planned"]
    on: date | None
    text: str
    where: Position
    implies: str = ""
    between: tuple[int, int] | None = None
    measures: str = ""


class KnownDevice(Struct, frozen=True):
    """A device with all that it is a kind of."""

    kinds: tuple[str, ...]
    text: str
    where: Position
    implies: str = ""


class Findings(Struct, frozen=True):
    """What is known of genes, procedures and devices; `implied`: the problems that follow, each with what tells it."""

    genes: tuple[KnownGene, ...] = ()
    procedures: tuple[KnownProcedure, ...] = ()
    devices: tuple[KnownDevice, ...] = ()
    implied: tuple[tuple[str, str], ...] = ()


class FindingReader:
    """Reads genetic results, procedures and devices with a library's names; immutable."""

    def __init__(self, library: Library, dates: Dates, idle: Iterable[str] = ()) -> None:
        self._library, self._dates = library, dates
        words = library.language
        before = (*words.words("history-of"), *words.words("beside-a-finding"), *idle)
        self._genes = sorted(
            ((_compact(text), g) for g in library.genes for text in (g.name, *g.synonyms)), key=lambda one: -len(one[0])
        )  # fmt: skip
        self._states = {g.id: _state_patterns(g) for g in library.genes}
        first = {_FIRST_WORD.findall(name.lower())[0] for g in library.genes for name in (g.name, *g.synonyms)}
        self._begins_a_gene = re.compile(any_of(first))
        self._between = any_of(words.words("beside-a-genetic-result"))
        self._behind: dict[str, re.Pattern[str]] = {}
        self._said_of_genes = {w for phrase in words.words("beside-a-genetic-result") for w in phrase.split()}
        against = any_of(words.words("problem-told-against"))
        self._advice = re.compile(rf"(?:\s*[,;(]|\s+--?)\s*{against}\s+[\w/-]+\)?\s*\Z", re.I)
        """What is not to be taken, behind a result ("*2/*2 - no Plavix")."""
        self._none = frozenset(map(fold, words.words("none-listed")))
        self._procedures = _by_name(library.procedures)
        self._devices = _by_name(library.devices)
        joins = any_of(word for word, how in words.meaning("problem-joins").items() if how == "and")
        self._listed = re.compile(rf"\s*[,;](?!\d)\s*|\s+{joins}\s+", re.I)
        """What parts the procedures, or devices, of a line that lists several."""
        self._happenings = HappeningReader(words, dates, self._procedures, before)
        self._same = {d.implies: d for d in library.devices if d.implies and library.condition[d.implies].name == d.name}
        self._lived_with = HappeningReader(words, dates, self._devices, before)

    # -------------------------------------------------------------- one line each

    def gene(self, text: str) -> tuple[Gene, str | None] | None:
        """The first gene that a line names, with the state it tells; see `genes`."""
        return next(iter(self.genes(text)), None)

    def genes(self, text: str) -> list[tuple[Gene, str | None]]:
        """Each gene that a line names, and the state that it tells of it.

        None for the state where the line tells none, two that differ, or more than that: whose it is, or that it is denied.
        """
        text = self._advice.sub("", text)
        compact, found = _compact(text), list[tuple[int, int, Gene]]()
        for name, gene in self._genes:
            if name in compact:  # as a whole word: factor VIII is no factor V
                for at in re.finditer(rf"(?<![^\W_]){_MARKS.join(map(re.escape, name))}(?![^\W_])", text, re.I):
                    if all(at.end() <= start or end <= at.start() for start, end, _ in found):
                        found.append((*at.span(), gene))
        found.sort(key=lambda one: one[0])
        if len(found) == 1:
            start, end, gene = found[0]
            return [(gene, self._state(gene, f"{text[:start]} {text[end:]}"))]
        ends = [*(start for start, _, _ in found[1:]), len(text)] if found else []
        return [(gene, self._state(gene, text[end:until])) for (_, end, gene), until in zip(found, ends, strict=True)]

    def only_genes(self, text: str) -> bool:
        """Whether a line tells genetic results and nothing else."""
        found = self.genes(text)
        return bool(found) and all(state is not None for _, state in found)

    def genes_within(self, text: str) -> list[tuple[int, int, Gene, str]]:
        """Each gene of a longer line with the state right behind it, from where to where ("NSCLC, EGFR L858R+, brain mets")."""
        if self._begins_a_gene.search(text.lower()) is None:
            return []
        compact, found = _compact(text), list[tuple[int, int, Gene, str]]()
        for name, gene in self._genes:
            if name not in compact:
                continue
            for at in re.finditer(rf"(?<![^\W_]){_MARKS.join(map(re.escape, name))}(?![^\W_])", text, re.I):
                told = self._state_behind(gene).match(text, at.end())
                if told and all(at.end() <= start or end <= at.start() for start, end, _, _ in found):
                    state = next(state for pattern, state in self._states[gene.id] if pattern.fullmatch(lowered(told[1])))
                    found.append((at.start(), told.end(), gene, state))
        return sorted(found, key=lambda one: one[0])

    def _state_behind(self, gene: Gene) -> re.Pattern[str]:
        """What tells the state of a gene right behind its name; a minus only where it touches the name ("HER2-")."""
        if gene.id not in self._behind:
            said = sorted((p for phrases in gene.states.values() for p in phrases if p != "-"), key=len, reverse=True)
            phrases = "|".join(map(re.escape, said))
            self._behind[gene.id] = re.compile(
                rf"(?:[\s:=(_-]*(?:(?:{self._between})\s+){{0,3}})?({phrases}|(?<=\w)-(?!\w))(?:(?<=\w)\s?\+)?(?![\w*+])", re.I
            )
        return self._behind[gene.id]

    def _state(self, gene: Gene, rest: str) -> str | None:
        found = set()
        for start, (end, _) in sorted(self._dates.find(rest).items(), reverse=True):
            rest = f"{rest[:start]} {rest[end:]}"
        said = " ".join(re.sub(r"\s*/\s*", "/", re.sub(r"\*\s+", "*", rest.lower())).split())
        for pattern, state in self._states[gene.id]:
            said, count = pattern.subn(" ", said)
            if count:
                found.add(state)
        left = set(re.findall(r"[^\W\d_]+|\d+", said)) - self._said_of_genes
        return found.pop() if len(found) == 1 and not left else None

    def said_of(self, text: str, day: date) -> Happening:
        """What words say of the procedures that they name, denied ones too."""
        return self._happenings.read(text, day)

    def happening(self, text: str, day: date, codes: Iterable[Code] = ()) -> tuple[Procedure, Happening] | None:
        """The operation or examination that a line names, with what it says of it: done or to come, when, and what was not read.

        The longest name counts; None also for one that is told as not done.
        """
        told = self._happenings.read(text, day)
        coded = _coded(codes, self._library.procedures)
        named = [self._procedures[name] for name in sorted(told.names, key=len, reverse=True)]
        found = coded or (named[0] if named and not told.denied else None)
        return (found, told) if isinstance(found, Procedure) else None

    def on_its_day(self, text: str, where: Position, day: date) -> KnownProcedure | None:
        """The operation or examination that words name and nothing else, where they tell its day or that it is to come."""
        found = self.happening(text, day)
        if found is None or found[1].left or not (found[1].on or found[1].planned(day)):
            return None
        return _procedure(found[0], found[1], printable(text), where, day)

    def procedure(self, text: str, codes: Iterable[Code] = ()) -> tuple[Procedure, bool] | None:
        """The operation or examination that a line names and nothing else, and whether its words say that it is planned."""
        found = self.happening(text, _ANY_DAY, codes)
        return (
            (found[0], bool(found[1].ahead)) if found is not None and (not found[1].left or _coded(codes, (found[0],))) else None
        )

    def device(self, text: str, codes: Iterable[Code] = ()) -> Device | None:
        """The device that a line names, and nothing else."""
        told = self._lived_with.read(text, _ANY_DAY)
        named = [self._devices[name] for name in sorted(told.names, key=len, reverse=True)]
        found = _coded(codes, self._library.devices) or (named[0] if named and not told.left and not told.denied else None)
        return found if isinstance(found, Device) else None

    def device_of(self, condition: str) -> Device | None:
        """The device that goes by the name of a condition which it implies: who has the one has the other."""
        return self._same.get(condition)

    # -------------------------------------------------------------- a patient

    def read(
        self, patient: Patient, unresolved: list[Unresolved], day: date, aside: frozenset[int] = frozenset(),
        beside: tuple[tuple[KnownProcedure, ...], tuple[KnownDevice, ...], tuple[KnownGene, ...]] = ((), (), ()),
        problem: Callable[[Told, Position], bool] = lambda told, where: False, names: Callable[[str], bool] = lambda text: False,
    ) -> Findings:  # fmt: skip
        """Everything that the lists of genes, procedures and devices tell, and lines of other lists that are one of these.

        What is not understood is added to `unresolved`; a line of another list that is understood here is taken from it.
        `aside`: lines of the problem list, by number, that deny what they name, doubt it or tell it of somebody else;
        `beside`: what was read from the problem list already. `problem` takes a line that tells a condition and nothing else
        ("splenectomy 2008", "has a VP shunt"), and says whether it did; `names` says whether words name a condition.
        """
        genes = [*self._told_genes(patient.genes or (), unresolved), *beside[2]]
        procedures = [*self._told_procedures(patient.procedures or (), unresolved, day, problem, names), *beside[0]]
        devices = [*self._told_devices(patient.devices or (), unresolved, problem, names), *beside[1]]
        aside |= {one.where.index for one in beside[0]}
        open_ = [u for u in unresolved if u.status in _TAKEN_UP and u.where.among in ("conditions", "labs", "vitals")]
        listed = [(printable(c.text), Position("conditions", n)) for n, c in enumerate(patient.conditions or ()) if _now(c)]
        for item in open_:
            read = self.genes(item.text)
            if read and all(state is not None for _, state in read):
                genes += [KnownGene(gene.id, state, item.text, item.where) for gene, state in read if state is not None]
                unresolved.remove(item)
        for text, where in dict.fromkeys([*((u.text, u.where) for u in open_ if u.where.among == "conditions"), *listed]):
            one = None if where.among == "conditions" and where.index in aside else self._elsewhere(text, where, day)
            if one is None:
                continue
            unresolved[:] = [u for u in unresolved if u not in open_ or (u.text, u.where) != (text, where)]
            if isinstance(one, KnownDevice):
                devices.append(one)
            else:
                procedures.append(one)
        return Findings(tuple(genes), tuple(procedures), tuple(devices), tuple(self._implied(genes, procedures, devices)))

    def _elsewhere(self, text: str, where: Position, day: date) -> KnownDevice | KnownProcedure | None:
        device = self.device(text)
        if device is not None:
            return KnownDevice(device.is_a, text, where, device.implies)
        found = self.happening(text, day)
        if found is None or found[1].left:
            return None
        return _procedure(found[0], found[1], text, where, day)

    def _told_genes(self, told: Iterable[ToldGene], unresolved: list[Unresolved]) -> Iterator[KnownGene]:
        for n, one in enumerate(told):
            text = printable(" ".join(w for w in (one.gene, one.allele, one.phenotype, one.result) if w))
            where, found = Position("genes", n), self.genes(text)
            if not found:
                ask = "Which gene is this? It is not one of ours, so no rule looked at it."
                unresolved.append(Unresolved(text, where, "unrecognised", [], ask))
            for gene, state in found:
                if state is not None:
                    yield KnownGene(gene.id, state, text, where)
                else:
                    ask = f"What was found of {gene.name}: {', '.join(s.replace('_', ' ') for s in gene.states)}?"
                    unresolved.append(Unresolved(text, where, "unread", [], ask))

    def _told_procedures(
        self, told: Iterable[ToldProcedure], unresolved: list[Unresolved], day: date, problem: Callable[[Told, Position], bool],
        names: Callable[[str], bool],
    ) -> Iterator[KnownProcedure]:  # fmt: skip
        coded: list[tuple[str, Position]] = []
        for where, one in self._each_procedure(told, day, names):
            found = self.happening(one.text, day, one.codes)
            if fold(one.text) in self._none:
                continue
            implies = found is not None and found[0].implies
            as_problem = not implies and self._is_over(one, day) and problem(Told(one.text, onset=one.on), where)
            if found is None and as_problem:
                continue
            if found is not None:
                read = _procedure(found[0], found[1], printable(one.text), where, day)
                status: Literal["done", "planned"] = "planned" if "planned" in (read.status, one.status) else "done"
                yield replace(read, status=status, on=one.on or read.on)
                if found[1].left and not one.codes:
                    words = ", ".join(f"`{printable(w)}`" for w in found[1].left)
                    unresolved.append(Unresolved(printable(one.text), where, "unread", [], _LEFT.format(words=words)))
            elif one.codes:
                coded.append((printable(one.text), where))
            else:
                unresolved.append(Unresolved(printable(one.text), where, "unjudged", [], _NO_RULE))
        if coded:
            unresolved.append(Unresolved(several([text for text, _ in coded]), coded[0][1], "unjudged", [], _NO_RULE))

    def _each_procedure(
        self, told: Iterable[ToldProcedure], day: date, names: Callable[[str], bool]
    ) -> Iterator[tuple[Position, ToldProcedure]]:
        """Each procedure with its line: of a line without a code that lists several, each by itself ("appy 2015, CABG Tues")."""
        for n, one in enumerate(told):
            parts = [part.strip() for part in self._listed.split(one.text)]
            listed = len(parts) > 1 and not one.codes and all(self._happenings.read(p, day).names or names(p) for p in parts)
            for part in parts if listed else [one.text]:
                yield Position("procedures", n), replace(one, text=part)

    def _each_device(self, told: Iterable[str], names: Callable[[str], bool]) -> Iterator[tuple[Position, str]]:
        """Each device with its line: of a line that lists several, each by itself ("hearing aids, PEG tube")."""
        for n, text in enumerate(told):
            parts = [part.strip() for part in self._listed.split(text)]
            listed = len(parts) > 1 and all(self.device(p) is not None or names(p) for p in parts)
            for part in parts if listed else [text]:
                yield Position("devices", n), part

    def _is_over(self, told: ToldProcedure, day: date) -> bool:
        """Whether a procedure was done, by its fields and by what its line says: not to come, and not denied."""
        said = self._happenings.read(told.text, day)
        return told.status == "done" and (told.on is None or told.on <= day) and not said.denied and not said.planned(day)

    def _told_devices(
        self, told: Iterable[str], unresolved: list[Unresolved], problem: Callable[[Told, Position], bool],
        names: Callable[[str], bool],
    ) -> Iterator[KnownDevice]:  # fmt: skip
        for where, text in self._each_device(told, names):
            found = self.device(text)
            if not text or fold(text) in self._none:
                continue
            if found is not None:
                yield KnownDevice(found.is_a, printable(text), where, found.implies)
            elif self._lived_with.read(text, _ANY_DAY).names or not problem(Told(text), where):
                ask = "Please judge this by hand: it is not one of the devices that our rules are about."
                unresolved.append(Unresolved(printable(text), where, "unjudged", [], ask))

    def _implied(
        self, genes: Iterable[KnownGene], procedures: Iterable[KnownProcedure], devices: Iterable[KnownDevice]
    ) -> Iterator[tuple[str, str]]:  # fmt: skip
        for g in genes:
            condition = self._library.gene[g.gene].implies.get(g.state)
            if condition:
                yield condition, g.text
        for p in procedures:
            if p.implies and p.status == "done":
                yield p.implies, p.text
        for d in devices:
            if d.implies:
                yield d.implies, d.text


def _procedure(found: Procedure, told: Happening, text: str, where: Position, day: date) -> KnownProcedure:
    status: Literal["done", "planned"] = "planned" if told.planned(day) else "done"
    return KnownProcedure(found.is_a, status, told.on, text, where, found.implies, told.between, found.measures)


def several(names: list[str]) -> str:
    """A few names of many, each once, and how many more there are."""
    different = list(dict.fromkeys(names))
    more = f" and {len(different) - _MOST_NAMED} more" if len(different) > _MOST_NAMED else ""
    return ", ".join(different[:_MOST_NAMED]) + more


def _now(told: Told) -> bool:
    return told.status == "active"


def _compact(text: str) -> str:
    return text.lower().translate(_SAME)


def _state_patterns(gene: Gene) -> list[tuple[re.Pattern[str], str]]:
    """What says each state, the longest phrase first: "not detected" before "detected"."""
    phrases = sorted(((p.lower(), state) for state, said in gene.states.items() for p in said), key=lambda one: -len(one[0]))
    return [(re.compile(rf"(?<![\w*/]){re.escape(p)}(?![\w*])"), state) for p, state in phrases]


def _by_name(items: Iterable[Procedure | Device]) -> dict[str, Procedure | Device]:
    return {fold(text): item for item in items for text in (item.name, *item.synonyms)}


def _coded(codes: Iterable[Code], items: Iterable[Procedure | Device]) -> Procedure | Device | None:
    given = {(c.system, c.code) for c in codes}
    return next((item for item in items if given.intersection(item.codes)), None) if given else None
