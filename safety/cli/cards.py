"""One entry of the knowledge as a card on the terminal."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from safety.cli.page import Page
from safety.judging.candidates import asked_by
from safety.knowledge import library as lib

_MOST = 6


def print_card(item: object, library: lib.Library, written: Any = None) -> None:
    """Print whatever it is: a rule top-down, anything else key by key, as its author wrote it where that is known."""
    page = Page()
    if isinstance(item, lib.Entry):
        _rule(page, item, library)
        return
    if isinstance(item, lib.Drug):
        _drug(page, item, library)
    elif isinstance(written, dict) and written.get("id") == getattr(item, "id", ""):
        _as_written(page, written)
        _members(page, item, library)
        page.labelled("place", str(getattr(item, "place", "")), "dim")
    else:
        values: dict[str, Any] = msgspec.to_builtins(item)
        page.line(str(values.pop("id")), "bold")
        for key, value in values.items():
            if value not in (None, "", [], {}, (), False):
                page.labelled(key.replace("_", " "), _text(value))
    _changed(page, str(getattr(item, "id", "")), library)


def _as_written(page: Page, written: dict[str, Any]) -> None:
    """The keys of a file in their order; a list of mappings has a line for each."""
    for key, value in written.items():
        label = str(key).replace("_", " ")
        if key == "id":
            page.line(str(value), "bold")
        elif isinstance(value, list) and any(isinstance(one, dict) for one in value):
            for n, one in enumerate(value):
                page.labelled("" if n else label, _text(one))
        elif isinstance(value, dict) and all(isinstance(one, dict | list) for one in value.values()):
            for n, (name, one) in enumerate(value.items()):
                page.labelled("" if n else label, f"{name}: {_text(one)}")
        else:
            page.labelled(label, _text(value))


def _members(page: Page, item: object, library: lib.Library) -> None:
    """Of a class who is in it, those of the classes within it too; of whatever rules may ask for, how many do."""
    if isinstance(item, lib.DrugClass) and item.members:
        page.labelled("in all", f"{len(item.members)}: {', '.join(sorted(library.name_of(i) for i in item.members))}")
        page.labelled("rules", f"medsafe list rules --class {item.id}")
    asking = (
        [e.id for e in library.entries if any(item.id in getattr(leaf, "conditions", ()) for leaf in asked_by(e))]
        if (isinstance(item, lib.Condition))
        else []
    )
    if asking:
        page.labelled("rules", f"{len(asking)}: {', '.join(asking[:_MOST])}{' …' if len(asking) > _MOST else ''}")


def _changed(page: Page, i: str, library: lib.Library) -> None:
    for change in library.changes:
        if i in (change.id, change.now):
            page.labelled("site", str(change))


def _rule(page: Page, e: lib.Entry, library: lib.Library) -> None:
    page.line(e.id, "bold")
    page.labelled("was", ", ".join(e.was))
    page.line(e.title)
    page.labelled("kind", f"{e.kind}, {e.severity}, {e.status}" + _dates(e))
    page.labelled("signed", ", ".join(e.by_whom) or "by nobody licensed (sign-offs: medsafe review)")
    page.labelled("tags", ", ".join(e.tags))
    if e.doses is not None:
        _ranges(page, e.doses)
    else:
        _conditions(page, e)
    page.labelled("harm", f"{e.harm}{', onset ' + e.onset if e.onset else ''} [{', '.join(e.harms)}]")
    for clause in e.severity_when:
        lines = "; ".join(leaf.text for leaf in clause.lines)
        page.labelled("level", f"{clause.severity} if {lines}: {clause.because}")
    for c in e.evidence:
        copy = f", copy {c.copy}" if c.copy else ""
        page.labelled(
            "source", f"{c.title}, {c.at or 'no section named'} [{c.grade}, {c.checked}{copy}] for {', '.join(c.supports) or '-'}"
        )
    if e.decided_by:
        page.labelled("overlay", ", ".join(e.decided_by))
    if e.switched_off:
        page.labelled("off", f"not in force: retired by {e.switched_off}")
    elif e.status != "active":
        place = f"; {e.replaced_by} took its place" if e.replaced_by not in (None, "none") else ""
        page.labelled("off", f"not in force: {e.status}{place}")
    _changed(page, e.id, library)
    page.labelled("place", e.place, "dim")


def _conditions(page: Page, e: lib.Entry) -> None:
    for leaf in e.condition:
        page.labelled("if", leaf.text)
    page.labelled("must", e.constraint.text)
    if e.through is not None:
        how = f", {e.through.sensitivity}" if e.through.sensitivity else ""
        page.labelled("because", f"{e.through.side} of {e.through.pathway}, which {e.through.does} it{how} ({e.through.place})")
    page.labelled("do", f"{e.do}{' ' + e.target if e.target else ''}: {e.advice}")
    page.labelled("or else", e.if_unavoidable)
    page.labelled("escalate", e.escalate)
    page.labelled("why", f"{e.why} ({e.mechanism})")


def _ranges(page: Page, table: lib.DoseTable) -> None:
    for label, group in (("range", table.ranges), ("adjust", table.adjust)):
        for r in group:
            page.labelled(label, f"{r.id}: {_for_whom(r)}")
            for bounds, what in ((r.single, "at once"), (r.day, "in 24 hours"), (r.interval, "apart"), (r.days, "of use")):
                for b in bounds:
                    page.labelled("", f"{b.op.replace('_', ' ')} {b.text}{f', at most {b.cap}' if b.cap else ''} {what}")
            page.labelled("", f"usual {r.usual}" if r.usual else "")
            page.labelled("", r.why)
    low = f": {table.harm_low} [{', '.join(table.harms_low)}]" if table.harms_low else ""
    page.labelled("too low", f"{table.too_low}{low}")
    page.labelled("if missed", table.missed_dose)


def _for_whom(r: lib.DoseRange) -> str:
    """Whom a range is for, in the words it was written in."""
    parts = [leaf.text for leaf in r.who]
    if r.indications:
        parts.append("for " + " or ".join(r.indications))
    parts += [", ".join(v) for v in (r.routes, r.forms) if v]
    return "; ".join(parts) or "everybody"


def _dates(e: lib.Entry) -> str:
    force = (f", in force from {e.start}" if e.start else "") + (f" to {e.end}" if e.end else "")
    return f"{force}, last looked at {e.reviewed}, due {e.due}"


def _drug(page: Page, d: lib.Drug, library: lib.Library) -> None:
    page.line(d.id, "bold")
    by_kind: dict[str, list[str]] = {}
    for n in d.names:
        by_kind.setdefault(n.via, []).append(n.text)
    for via, texts in by_kind.items():
        page.labelled(via[:9], ", ".join(texts))
    page.labelled("rxcui", d.rxnorm or "")
    page.labelled("supply", d.supply)
    page.labelled("routes", ", ".join(d.routes))
    page.labelled("counts as", d.counts_as or "")
    page.labelled("classes", ", ".join(c.id for c in library.classes if d.id in c.members))
    page.labelled("products", ", ".join(p.name for p in library.products if d.id in p.drugs))
    page.labelled("pathways", "; ".join(_on_pathways(d, library)))
    _speaking_of(page, d, library)
    page.labelled("place", d.place, "dim")


def _speaking_of(page: Page, d: lib.Drug, library: lib.Library) -> None:
    """Everything that is held of a medicine: its rules by kind, its doses, the tests it moves, its labels, and where to look."""
    rules = [e for e in library.entries if any(leaf.members is not None and d.id in leaf.members for leaf in e.slots)]
    loud = sum(e.severity in ("contraindicated", "major") for e in rules)
    kinds = ", ".join(f"{n} {kind.replace('_', ' ')}" for kind, n in Counter(e.kind for e in rules).most_common())
    page.labelled("rules", f"{len(rules)} ({loud} loud): {kinds}" if rules else "none held yet")
    page.labelled("", f"medsafe list rules --drug {d.name!r}" if rules else "")
    page.labelled("doses", ", ".join(e.id for e in library.entries if e.doses is not None and e.doses.drug == d.id))
    page.labelled("limits", ", ".join(dict.fromkeys(e.id for e in rules if e.id.startswith("otc."))))
    page.labelled("tests", ", ".join(effect.id for effect in library.effects if _moves(effect, d, library)))
    for ledger in library.ledgers(d.id):
        told = [statement for statements in ledger.sections.values() for statement in statements]
        left = sum(not statement.held for statement in told)
        page.labelled("label", f"{ledger.id}: read on {ledger.read}, {len(told)} statements, {left} held by nothing")


def _moves(effect: lib.Effect, d: lib.Drug, library: lib.Library) -> bool:
    """Whether a medicine, by itself or by its class, moves a test."""
    named = [i for row in effect.rows for i in row.of]
    return any(i == d.id or (i in library.drug_class and d.id in library.drug_class[i].members) for i in named)


def _on_pathways(d: lib.Drug, library: lib.Library) -> list[str]:
    """What a medicine does to pathways, and on which it depends."""
    does = [c.name for c in library.classes if d.id in c.members and "/pathways/" in c.place]
    through = {f"depends on {e.through.pathway}" for e in library.entries if e.through is not None and e.through.affected == d.id}
    return [*does, *sorted(through)]


def _text(value: Any) -> str:
    if value is True:
        return "yes"
    if isinstance(value, dict):
        return ", ".join(f"{k}: {_inner(v)}" if v not in (None, "", [], {}, ()) else str(k) for k, v in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_text(v) for v in value)
    return str(value)


def _inner(value: Any) -> str:
    """A value within another one: what is several things stands in brackets."""
    text = _text(value)
    return f"({text})" if isinstance(value, dict) or (isinstance(value, list | tuple) and len(value) > 1) else text
