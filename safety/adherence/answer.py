"""A reported dose in, CORRECT, HIGH, LOW or UNKNOWN out: against the prescription, else labels, ceilings, doses in use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from fractions import Fraction
from typing import Literal, cast

from msgspec import Struct
from msgspec.structs import replace

from safety.adherence.axes import Axes, Order, ReportedAmounts, judge_axes, overall, shown
from safety.adherence.course import CourseDay, on_day
from safety.adherence.limit import JudgedLimit
from safety.adherence.limits import Held, bought, judge_bought, judge_in_use, toxic
from safety.adherence.order import order_of
from safety.adherence.request import DoseRequest, Statement
from safety.adherence.said import OneSaid, joined, said_of, supply_of
from safety.adherence.suspects import TENFOLD, UNIT_SLIP, suspects
from safety.adherence.taken import medications_said, tells_amount
from safety.adherence.telling import ask_for, said_in_words, task_for, task_for_limits
from safety.answering.checker import Checker
from safety.knowledge import library as lib
from safety.model import events as r
from safety.model.directions import times_in_words
from safety.model.patient import Medication
from safety.model.quantity import plain
from safety.model.report import Citation, DoseAnswer, DoseAxes, DoseSaid, Mark
from safety.reading.spoken.amounts import BARE
from safety.reading.spoken.reported import Reported
from safety.reading.spoken.supply import Supply, supply_says
from safety.text import fold, printable
from safety.understanding.meaning import Meaning

Escalate = Literal["none", "pharmacist", "clinician", "emergency"]
_WEIGHT = {"HIGH": 3, "UNKNOWN": 2, "LOW": 1, "CORRECT": 0}
_RANK = {"none": 0, "pharmacist": 1, "clinician": 2, "emergency": 3}
_FAR = 2
_GRAVE = ("moderate", "major", "contraindicated")


class Prescribed(Struct, frozen=True):
    """One prescription: as told, as read, and what it comes to."""

    told: Medication
    meaning: Meaning
    order: Order

    @property
    def drugs(self) -> tuple[str, ...]:
        """What it holds; empty where the name was not recognised."""
        return self.meaning.read.drugs


class Part(Struct, frozen=True):
    """One medicine's answer, before they are brought together."""

    verdict: Mark
    axes: DoseAxes
    against: str | None
    name: str
    drugs: tuple[str, ...]
    task: str
    escalate: Escalate = "none"
    needs: tuple[str, ...] = ()
    ask: str = ""
    suspects: tuple[str, ...] = ()
    limits: tuple[JudgedLimit, ...] = ()
    per_day: str | None = None
    expected: str | None = None
    prescribed: str = ""
    entry: lib.Entry | None = None


def answer_dose(checker: Checker, request: DoseRequest, day: date) -> DoseAnswer:
    """The answer to one request as of a day; the same request and day give the same answer to the byte."""
    return _Answering(checker, request, day).answer()


class _Answering:
    """One request."""

    def __init__(self, checker: Checker, request: DoseRequest, day: date) -> None:
        self.checker, self.request, self.day = checker, request, day
        self.library, self.units = checker.library, checker.library.units
        listed = request.prescribed or tuple(
            m for m in request.case.patient.medications if m.supply == "prescription" or (m.supply is None and self._written(m))
        )
        read = [self.checker.terms.meaning_of(m) for m in listed if m.current(day)]
        reported, on = self._of_a_day(request.reported, read)
        self.prescribed = [self._read(m, on) for m in listed if m.current(day)]
        expected = [p.drugs for p in self.prescribed]
        self.said = [s for one in reported for s in self._verbatim(one) or said_of(one, checker, expected)]

    def _of_a_day(self, reported: tuple[Statement, ...], read: list[Meaning]) -> tuple[tuple[Statement, ...], int | None]:
        """What is reported without the day of the course it tells, where an order has steps; and that day."""
        if not any(m.directions.steps for m in read):
            return reported, None
        days = CourseDay(self.library.language)
        told = [days.told(one.text) for one in reported]
        named = {day for _, day in told if day is not None}
        if len(named) != 1:
            return reported, None
        return tuple(replace(one, text=text) for one, (text, _) in zip(reported, told, strict=True)), named.pop()

    def _written(self, m: Medication) -> bool:
        """Whether an entry of the medication list is one that somebody prescribes."""
        return self.checker.terms.meaning_of(m).supplies == ("prescription",)

    def _read(self, m: Medication, day: int | None) -> Prescribed:
        meaning = self.checker.terms.meaning_of(m)
        if day is not None:
            meaning = replace(meaning, directions=on_day(meaning.directions, day))
        return Prescribed(m, meaning, order_of(meaning, self.units))

    # -------------------------------------------------------------- which is about what

    def answer(self) -> DoseAnswer:
        """Each medicine judged, and all of them together."""
        mine: dict[int, list[OneSaid]] = {}
        others: list[OneSaid] = []
        opened: list[OneSaid] = []
        for s in self.said:
            n = self._meant(s)
            if s.open or (n is None and not s.drugs):
                opened.append(s)
            elif n is not None:
                mine.setdefault(n, []).append(s)
            else:
                others.append(s)
        parts = [self._on_prescription(self.prescribed[n], said) for n, said in sorted(mine.items())]
        parts += self._beside(others, [(self.prescribed[n], said) for n, said in sorted(mine.items())])
        parts += [self._open(s) for s in opened if not (parts and s.told.empty)]
        if not parts:
            parts = [self._open(OneSaid("", Reported(""), self.said[0].supply)) if self.said else self._nothing()]
        return self._together(parts)

    def _meant(self, s: OneSaid) -> int | None:
        """Which prescription a statement is about; None for another medicine, or where it is not told which."""
        if s.open:
            return None
        if not s.heard:
            return 0 if len(self.prescribed) == 1 else None
        for n, p in enumerate(self.prescribed):
            if p.drugs and set(p.drugs) == set(s.drugs) and not self._bought_beside(s, p):
                return n
        return None

    def _bought_beside(self, s: OneSaid, p: Prescribed) -> bool:
        """Whether it is a product that is bought, and the prescription is not for that product: it comes on top."""
        product = s.read.answer.product if s.read is not None else None
        return bool(product) and self.library.product[product].supply == "otc" and p.meaning.read.answer.product != product  # type: ignore[index]

    # -------------------------------------------------------------- on prescription

    def _on_prescription(self, p: Prescribed, said: list[OneSaid]) -> Part:
        told = self._with_supply(joined(said), said, p.order)
        axes, m, told = self._heard_best(told, said, p.order)
        named = not any(s.confirm and s.heard for s in said)
        readable = p.order.dose is not None or p.order.per_day is not None or bool(p.meaning.directions.steps)
        if not p.drugs or (not readable and r.AS_PRESCRIBED in told.events):
            axes = Axes()
        verdict = overall(axes)
        doubtful = verdict == "CORRECT" and bool({r.CARED_FOR, r.COMMAND} & set(told.events))
        if doubtful:
            verdict = "UNKNOWN"
        found = suspects(told, p.order, axes, m, verdict)
        name = self._name(p)
        entry = self._table(p.drugs)
        prescribed = printable(self._words(p))
        needs = ("patient",) if doubtful else self._needs(axes, told, p, m)
        call = self._escalate(verdict, axes, found, told, entry)
        asks = "" if named else next(s.read.answer.ask for s in said if s.confirm and s.read is not None)
        if verdict == "HIGH" and set(found) & {UNIT_SLIP, TENFOLD}:
            asks = asks or "Please read the strength and its unit from the label."
        shown_needs = needs if verdict == "UNKNOWN" else tuple(n for n in needs if n == "timing") if verdict == "CORRECT" else ()
        return Part(
            verdict, DoseAxes(axes.per_dose, axes.per_day, axes.frequency, axes.timing), "prescription", name, p.drugs,
            task_for(name, verdict, told, p.order, prescribed, found[0] if found else None, call), call, shown_needs,
            ask_for(shown_needs, asks), found, (),
            self._day(m.day, p.order, m.at_least) or self._none_taken(told, p.order),
            self._day(p.order.daily, p.order), prescribed, entry,
        )  # fmt: skip

    def _heard_best(self, told: Reported, said: list[OneSaid], order: Order) -> tuple[Axes, ReportedAmounts, Reported]:
        """The judgement of what was heard; where it may be heard in two ways, the one that is right, else both or neither."""
        axes, m = judge_axes(told, order, self.units)
        if not any(s.other is not None for s in said):
            return axes, m, told
        second = self._with_supply(joined([replace(s, told=s.other or s.told) for s in said]), said, order)
        other, m2 = judge_axes(second, order, self.units)
        if axes.per_dose == "CORRECT" or overall(axes) == overall(other):
            return axes, m, told
        if other.per_dose == "CORRECT":
            return other, m2, second
        return Axes(), m, told

    def _with_supply(self, told: Reported, said: list[OneSaid], order: Order) -> Reported:
        per_day = order.count[1] * order.times[1] if order.count is not None and order.times is not None else None
        if per_day is None and order.times is not None:
            per_day = order.times[1]
        says = supply_says(supply_of(said, self.day), per_day)
        return told if says is None else replace(told, events=tuple(dict.fromkeys((*told.events, says))))

    def _verbatim(self, statement: Statement) -> list[OneSaid]:
        """The directions themselves, said word for word, as being taken as prescribed; empty for any other statement."""
        said = fold(statement.text)
        for p in self.prescribed if said else ():
            sig = p.meaning.directions
            readable = sig.dose is not None or sig.per_day is not None or bool(sig.steps)
            if readable and said in {fold(p.meaning.read.rest), fold(self._words(p)), fold(p.told.sig or "")}:
                told = Reported(statement.text, events=(r.AS_PRESCRIBED,))
                return [OneSaid(statement.text, told, Supply(), p.meaning.read, self._name(p), p.drugs, fields=statement)]
        return []

    def _words(self, p: Prescribed) -> str:
        told = p.told
        return " ".join(w for w in (told.text, told.sig if told.sig and told.sig not in told.text else "") if w)

    def _name(self, p: Prescribed) -> str:
        answer = p.meaning.read.answer
        if len(p.drugs) > 1 and answer.name and fold(answer.name) not in fold(self._words(p)):
            return "/".join(self.library.name_of(d) for d in p.drugs)  # the ingredients were written, not that brand
        return answer.name or p.told.drug or printable(p.told.text, 60)

    def _table(self, drugs: Sequence[str]) -> lib.Entry | None:
        if len(drugs) != 1:
            return None
        return self.library.dose_entry(drugs[0])

    def _needs(self, axes: Axes, told: Reported, p: Prescribed, m: ReportedAmounts) -> tuple[str, ...]:
        needs: list[str] = []
        if not p.drugs:
            needs.append("drug")
        if p.order.dose is None and p.order.per_day is None:
            needs.append("directions")
        if r.CHANGED in told.events:
            needs.append("changed")
        if r.UNSURE in told.events:
            needs.append("today")
        counted = any(
            i.dose is not None and i.strength is None and d is None for i, d in zip(told.regimens, m.doses, strict=False)
        )
        if axes.per_dose == "UNKNOWN":
            needs.append("strength" if counted else "dose")
        if axes.frequency == "UNKNOWN" or (axes.per_day == "UNKNOWN" and axes.per_dose == "CORRECT"):
            needs.append("frequency")
        if axes.timing == "UNKNOWN" and p.order.slots:
            needs.append("timing")
        return tuple(dict.fromkeys(needs))

    def _escalate(self, verdict: Mark, axes: Axes, found: Sequence[str], told: Reported, entry: lib.Entry | None) -> Escalate:
        """Who is to hear of it: nobody for a right dose; more than was ordered is a clinician's matter."""
        table = entry.doses if entry is not None else None
        if verdict == "HIGH":
            if "weekly-as-daily" in found and table is not None and table.must_know:
                return "emergency"
            grave = table is not None and (
                table.must_know or (entry is not None and entry.severity in ("major", "contraindicated"))
            )
            return "clinician" if grave or "HIGH" in (axes.per_dose, axes.per_day) else "pharmacist"
        if verdict != "LOW":
            return "none"
        grave = table is not None and table.too_low in _GRAVE
        left_out = {r.STOPPED, r.RAN_OUT} & set(told.events) or axes.per_day == "LOW"
        return "clinician" if (grave and left_out) or "split-extended-release" in found else "pharmacist"

    def _day(self, day: tuple[Fraction, Fraction] | None, order: Order, at_least: bool = False) -> str | None:
        """A day's amount in words; of what is taken less than daily, the week's."""
        if day is None:
            return None
        weekly = order.times is not None and 0 < order.times[1] < 1 and order.dose is not None and day[1] < order.dose[1]
        told = f"{shown((day[0] * 7, day[1] * 7), order.unit)} a week" if weekly else shown(day, order.unit)
        if not day[0] and day[1]:
            told = f"up to {shown((day[1], day[1]), order.unit)}"
        return f"at least {told}" if at_least else told

    def _none_taken(self, told: Reported, order: Order) -> str | None:
        return shown((Fraction(0), Fraction(0)), order.unit) if r.STOPPED in told.events and not told.regimens else None

    # -------------------------------------------------------------- not on prescription

    def _beside(self, others: list[OneSaid], mine: list[tuple[Prescribed, list[OneSaid]]]) -> list[Part]:
        """What is taken beside, or without, a prescription: what can be bought all together, the rest one by one."""
        parts: list[Part] = []
        prescribed = [m for p, said in mine for m in self._as_taken(p, said)]
        named = [set(s.drugs) for s in (*others, *(s for _, ss in mine for s in ss))]
        named += [set(p.drugs) for p, _ in mine]
        listed = [
            m for m in self.request.case.patient.medications if set(self.checker.terms.meaning_of(m).read.drugs) not in named
        ]
        rest = [p for p in self.prescribed if p not in [q for q, _ in mine] and p.told not in listed]
        also = [replace(p.told, supply=p.told.supply or "prescription") for p in rest]
        beside = [*prescribed, *listed, *also]
        otc = [s for s in others if bought(s.drugs, s.read.answer.product if s.read else None, self.library)]
        if otc:
            drugs = list(dict.fromkeys(d for s in otc for d in s.drugs))
            held = judge_bought(self.checker, self.request.case, self.day, otc, beside, drugs)
            if held.verdict == "CORRECT" and any(p.drugs and set(p.drugs) <= set(drugs) for p in self.prescribed):
                held = replace(held, verdict="UNKNOWN", needs=("beside",))
            parts.append(self._limited(otc, held))
        for s in others:
            if s not in otc:
                parts.append(self._unlisted(s, judge_in_use(self.checker, self.request.case, self.day, s, beside)))
        return parts

    def _as_taken(self, p: Prescribed, said: list[OneSaid]) -> list[Medication]:
        """A prescription as it is taken, where that was told; else as it was written."""
        heard = [replace(s, heard=s.heard or p.told.drug or self._name(p)) for s in said]
        told = [m for s in heard for m in medications_said(s, "prescription", self.library) if tells_amount(m)]
        return told or [replace(p.told, supply=p.told.supply or "prescription")]

    def _limited(self, said: list[OneSaid], held: Held) -> Part:
        name = _named(said)
        drugs = tuple(dict.fromkeys(d for s in said for d in s.drugs))
        over = [x for x in held.limits if x.exceeded]
        escalate = self._whom(over) if held.verdict == "HIGH" else "none"
        called = {x.drug: self.library.name_of(x.drug) for x in held.limits if x.drug}
        taken, allowed = _day_of(held.limits)
        return Part(
            held.verdict, held.axes, _against(held.limits), name, drugs,
            task_for_limits(name, held.verdict, held.limits, escalate, called), escalate, held.needs,
            ask_for(held.needs, _name_asked(said)), self._said_suspects(said) if held.verdict == "HIGH" else (), held.limits,
            taken, allowed,
        )  # fmt: skip

    def _whom(self, over: Sequence[JudgedLimit]) -> Escalate:
        """Who is to hear of an exceeded limit: beyond the ceiling, or far beyond the label, a clinician."""
        if toxic(over):
            return "emergency"
        if any(x.tier != "label_limit" for x in over) or self._far(over):
            return "clinician"
        told = max((x.escalate for x in over), key=lambda w: _RANK.get(w, 0), default="pharmacist")
        return cast(Escalate, told) if _RANK.get(told, 0) > _RANK["pharmacist"] else "pharmacist"

    def _far(self, over: Sequence[JudgedLimit]) -> bool:
        """Whether a label's limit is exceeded more than twice over: a person should look at that."""
        return any(x.kind in ("day", "single") and x.times_over(self.units) >= _FAR for x in over)

    def _said_suspects(self, said: Sequence[OneSaid]) -> tuple[str, ...]:
        shared = any(set(a.drugs) & set(b.drugs) for n, a in enumerate(said) for b in said[:n] if a.name != b.name)
        return ("same-ingredient",) if shared else ()

    def _unlisted(self, s: OneSaid, held: Held) -> Part:
        name = (s.read.answer.name if s.read is not None else None) or s.heard
        listed = "It is not on the list of prescriptions: refer to the pharmacist or prescriber, and give no advice."
        needs = tuple(dict.fromkeys((*held.needs, "prescription"))) if held.verdict == "UNKNOWN" else ("prescription",)
        if (self.prescribed or r.BORROWED in s.told.events) and held.verdict in ("CORRECT", "LOW"):
            held = replace(held, verdict="UNKNOWN")  # another medicine than the one prescribed: never right by itself
        escalate: Escalate = "clinician" if held.verdict == "HIGH" else "pharmacist"
        over = next((x for x in held.limits if x.exceeded), None)
        said = f"; {over.taken} is outside the doses in use ({over.allowed})" if over is not None else ""
        return Part(
            held.verdict, held.axes, "dose-range" if held.entry is not None else None, name, s.drugs,
            f"The patient takes {said_in_words(s.told, '', name) or name}{said}. {listed}", escalate, needs,
            ask_for(needs, _name_asked([s])), (held.suspect,) if held.suspect else (), held.limits, entry=held.entry,
        )  # fmt: skip

    # -------------------------------------------------------------- open

    def _open(self, s: OneSaid) -> Part:
        if s.open and s.read is not None:
            return _unclear(
                f"Which medicine `{printable(s.heard, 40)}` is, is not settled. Ask before advising.", s.read.answer.ask
            )
        if len(self.prescribed) > 1:
            return _unclear("It was not said which of the prescribed medicines is meant.")
        if len(self.prescribed) == 1:
            return self._on_prescription(self.prescribed[0], [s])
        return _unclear("No medicine that we know was named, and no prescription given.")

    def _nothing(self) -> Part:
        if len(self.prescribed) == 1:
            return self._on_prescription(self.prescribed[0], [OneSaid("", Reported(""), Supply())])
        return _unclear("Nothing was said of any medicine.")

    # -------------------------------------------------------------- together

    def _together(self, parts: list[Part]) -> DoseAnswer:
        first = max(parts, key=lambda p: _WEIGHT[p.verdict])
        judged = [p for p in parts if p.against is not None] or parts
        found = [*dict.fromkeys((*first.suspects, *(s for p in parts for s in p.suspects if p.verdict == first.verdict)))]
        heard = [s.read.answer for s in self.said if s.read is not None]
        missed, evidence = self._missed_dose(first)
        return DoseAnswer(
            verdict=first.verdict, axes=self._worst_axes(judged), reported_per_day=first.per_day,
            expected_per_day=first.expected, against=first.against,  # type: ignore[arg-type]
            limits=[x.answered() for p in parts for x in p.limits], suspect=next(iter(found), None),
            drug=_one_or_all(d for p in parts for d in p.drugs), needs=list(dict.fromkeys(n for p in parts for n in p.needs)),
            ask=_each_once(" ", (p.ask for p in parts)),
            escalate=max((p.escalate for p in parts), key=_RANK.__getitem__), task=_tasks(parts, first),
            evidence=_once(evidence), suspects=found, id=self.request.case.id, as_of=self.day.isoformat(),
            name=_each_once(" and ", (p.name for p in parts)), confirm=any(s.confirm for s in self.said),
            candidates=list(dict.fromkeys(c.name for a in heard for c in a.candidates)),
            understood=[self._understood(s) for s in self.said], prescribed=first.prescribed, missed_dose=missed,
            made_by=self.checker.made_by,
        )  # fmt: skip

    def _missed_dose(self, first: Part) -> tuple[str, list[Citation]]:
        """What to do about a missed dose, where one is spoken of; and what the answer rests on."""
        about = {r.FORGOTTEN, r.SKIPPED, r.IF_MISSED, r.MAKE_UP, r.IRREGULAR}
        spoken_of = any(about & set(s.told.events) for s in self.said)
        entry = first.entry if first.entry is not None and first.entry.doses is not None and spoken_of else None
        missed = entry.doses.missed_dose if entry is not None and entry.doses is not None else ""
        limits = [e for x in first.limits for e in x.evidence]
        return missed, limits or (list(entry.evidence) if entry is not None and missed else [])

    def _worst_axes(self, judged: Sequence[Part]) -> DoseAxes:
        return DoseAxes(*(self._worst([getattr(p.axes, axis) for p in judged]) for axis in DoseAxes.__struct_fields__))

    def _worst(self, marks: Sequence[Mark]) -> Mark:
        return max(marks, key=lambda m: _WEIGHT[m])

    def _understood(self, s: OneSaid) -> DoseSaid:
        strengths = [i.strength for i in s.told.regimens if i.strength is not None]
        doses = said_in_words(replace(s.told, regimens=tuple(replace(i, times=None, per_day=None) for i in s.told.regimens)), "")
        strength = strengths[0] if strengths else None
        return DoseSaid(
            printable(s.told.text), list(s.drugs) if len(s.drugs) > 1 else next(iter(s.drugs), None), printable(s.heard, 80),
            doses, ", ".join(w for i in s.told.regimens if (w := times_in_words(i.times))),
            said_in_words(replace(s.told, regimens=tuple(i for i in s.told.regimens if i.per_day)), ""),
            f"{plain(strength.value)} {'' if strength.unit == BARE else strength.unit}".strip() if strength is not None else "",
            list(dict.fromkeys(x for i in s.told.regimens for x in i.slots)), list(s.told.events),
        )  # fmt: skip


def _tasks(parts: Sequence[Part], first: Part) -> str:
    """What to do, the worst first; that something is right is said only where all of it is."""
    ranked = sorted(parts, key=lambda p: -_WEIGHT[p.verdict])
    return _each_once(" ", (p.task for p in ranked if p.verdict != "CORRECT" or first.verdict == "CORRECT"))


def _each_once(between: str, texts: Iterable[str]) -> str:
    """Texts that say something, each once."""
    return between.join(dict.fromkeys(filter(None, texts)))


def _one_or_all(drugs: Iterable[str]) -> str | list[str] | None:
    found = list(dict.fromkeys(drugs))
    return found if len(found) > 1 else next(iter(found), None)


def _named(said: Sequence[OneSaid]) -> str:
    """The names of the medicines, as they are called."""
    return " and ".join(dict.fromkeys(s.read.answer.name or s.heard for s in said if s.read is not None))


def _name_asked(said: Sequence[OneSaid]) -> str:
    """The question about a name that was guessed; empty where none was."""
    return next((s.read.answer.ask for s in said if s.confirm and s.read is not None), "")


def _against(limits: Sequence[JudgedLimit]) -> Literal["otc-label", "clinical-ceiling"]:
    return "otc-label" if any(x.tier == "label_limit" for x in limits) else "clinical-ceiling"


def _day_of(limits: Sequence[JudgedLimit]) -> tuple[str | None, str | None]:
    """What is taken in a day, and what is allowed, in words."""
    days = [x for x in limits if x.kind == "day"]
    allowed = next((x.allowed for x in days if x.bounds), None)
    return next((x.taken for x in days if x.known), None), f"up to {allowed}" if allowed else None


def _unclear(task: str, ask: str = "") -> Part:
    """No medicine to judge: what is open, and the question."""
    return Part("UNKNOWN", DoseAxes(), None, "", (), task, "none", ("drug",), ask or ask_for(("drug",)))


def _once(evidence: Sequence[Citation]) -> list[Citation]:
    found: dict[tuple[str, str], Citation] = {}
    for e in evidence:
        found.setdefault((e.source, e.at), e)
    return list(found.values())
