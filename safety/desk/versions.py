"""What differs between two versions of the knowledge, entry by entry: new, stricter, looser, retired, other words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from safety.desk.signing import digest
from safety.knowledge.entries import Entry
from safety.knowledge.leaves import Bound, DrugLeaf
from safety.knowledge.library import Library
from safety.model.quantity import Units
from safety.model.report import RANK

Way = Literal["looser", "gone", "stricter", "new", "changed", "words", "evidence"]
WAYS: Final[tuple[Way, ...]] = ("looser", "gone", "stricter", "new", "changed", "words", "evidence")
"""In the order in which they are read: what may now stay silent comes first."""
_WORDS: Final = frozenset(("title", "advice", "if_unavoidable", "mechanism", "why", "harm", "harms", "onset", "escalate", "tags"))
_PLACED: Final = frozenset(("place", "origin", "asks", "text"))


class Change(Struct, frozen=True):
    """One entry that differs: which way, where it stands (in the newer version where it is there), and what of it differs."""

    way: Way
    id: str
    severity: str
    place: str
    title: str
    says: tuple[str, ...]


class OtherChange(Struct, frozen=True):
    """A medicine, class, condition, test … that differs: `new`, `gone` or `changed`, and which of its fields."""

    way: Literal["new", "gone", "changed"]
    id: str
    place: str
    fields: tuple[str, ...] = ()


def changes(old: Library, new: Library) -> list[Change]:
    """The judged entries that differ, what may be quieter first; an entry with another id than before is the same entry."""
    before = {e.id: e for e in old.entries if _speaks(e)}
    after = {e.id: e for e in new.entries if _speaks(e)}
    now_called = {new.current_id(i): i for i in before}
    found: list[Change] = []
    for i, e in after.items():
        earlier = before.get(now_called.get(i, i))
        if earlier is None:
            found.append(_change("new", e, ()))
        elif digest(earlier) != digest(e):
            found += _compared(earlier, e, new.units)
    for i, e in before.items():
        if new.current_id(i) not in after:
            following = new.entry.get(new.current_id(i))
            by = following.replaced_by if following is not None else None
            found.append(_change("gone", e, (f"replaced by {by}" if by else "no longer there",)))
    return sorted(found, key=lambda c: (WAYS.index(c.way), RANK[c.severity], c.id))


def _speaks(e: Entry) -> bool:
    return e.status == "active" and not e.switched_off


def _change(way: Way, e: Entry, says: Iterable[str]) -> Change:
    return Change(way, e.id, e.severity, e.place, e.title, tuple(says))


def _compared(old: Entry, new: Entry, units: Units) -> Iterator[Change]:
    """How an entry differs: whether it may speak less or more often, or louder, or only in other words."""
    looser, stricter, other = list[str](), list[str](), list[str]()
    if old.severity != new.severity:
        (stricter if RANK[new.severity] < RANK[old.severity] else looser).append(f"{old.severity} to {new.severity}")
    less, more = _members(old, new)
    looser += [f"no longer of {name}" for name in less]
    stricter += [f"now of {name}" for name in more]
    for moved, up in _bounds(old, new, units):
        (looser if up else stricter).append(moved)
    named = _differing(old, new)
    logic = [name for name in named if name not in _WORDS and name not in ("evidence", "severity", "reviewed", "due", "by_whom")]
    if logic and not looser and not stricter:
        other = [f"{name} differs" for name in logic]
    if looser:
        yield _change("looser", new, (*looser, *stricter))
    elif stricter:
        yield _change("stricter", new, stricter)
    elif other:
        yield _change("changed", new, other)
    elif any(name in _WORDS for name in named):
        yield _change("words", new, (f"{name} differs" for name in named if name in _WORDS))
    elif "evidence" in named:
        yield _change("evidence", new, (_evidence(old, new),))


def _evidence(old: Entry, new: Entry) -> str:
    before, after = ({(c.source, c.checked) for c in e.evidence} for e in (old, new))
    added, taken = (", ".join(sorted({s for s, _ in one - other})) for one, other in ((after, before), (before, after)))
    told = [f"{how} {which}" for how, which in (("cites", added), ("no longer cites", taken)) if which]
    return "; ".join(told) or "the places in them"


def _members(old: Entry, new: Entry) -> tuple[list[str], list[str]]:
    """Medicines that a drug line no longer means, and those that it means now; nothing where the lines themselves differ."""
    if len(old.slots) != len(new.slots):
        return [], []
    less, more = dict[str, None](), dict[str, None]()
    for before, after in zip(old.slots, new.slots, strict=True):
        was, now = _of(before), _of(after)
        less |= dict.fromkeys(sorted(was - now))
        more |= dict.fromkeys(sorted(now - was))
    return list(less), list(more)


def _of(leaf: DrugLeaf) -> set[str]:
    return set(leaf.members or ())


def _bounds(old: Entry, new: Entry, units: Units) -> Iterator[tuple[str, bool]]:
    """Bounds of limits and doses that moved, row by row, and whether they allow more than before."""
    before, after = _kept(old), _kept(new)
    for where in before.keys() & after.keys():
        for was in before[where]:
            now = next((b for b in after[where] if b.op == was.op), None)
            order = units.compare(was.value, now.value) if now is not None else None
            if now is not None and order:
                most = was.op in ("at_most", "under")
                yield f"{' '.join(where)} {was.op} {was.value} to {now.value}", (order < 0) is most


def _kept(e: Entry) -> dict[tuple[str, ...], tuple[Bound, ...]]:
    found: dict[tuple[str, ...], tuple[Bound, ...]] = {
        (e.constraint.kind, limit.text.partition(",")[0]): limit.bounds for limit in e.constraint.limits
    }
    for r in (*e.doses.ranges, *e.doses.adjust) if e.doses is not None else ():
        found |= {(r.id, axis): getattr(r, axis) for axis in ("single", "day", "interval", "days") if getattr(r, axis)}
    return found


def _differing(old: Struct, new: Struct) -> list[str]:
    """The fields in which two items differ, wherever they stand."""
    one, other = _plain(old), _plain(new)
    return [name for name in one if one[name] != other.get(name)]


def _plain(item: Struct) -> dict[str, Any]:
    fields = msgspec.structs.asdict(item)
    return {k: _without(msgspec.to_builtins(v, enc_hook=str)) for k, v in fields.items() if k not in _PLACED}


def _without(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without(v) for k, v in value.items() if k not in _PLACED}
    return [_without(v) for v in value] if isinstance(value, list | tuple) else value


def other_changes(old: Library, new: Library) -> list[OtherChange]:
    """Everything else with an id that is new, gone or different."""
    before, after = _others(old), _others(new)
    found = [OtherChange("new", i, str(getattr(item, "place", ""))) for i, item in after.items() if i not in before]
    found += [OtherChange("gone", i, str(getattr(item, "place", ""))) for i, item in before.items() if i not in after]
    for i in before.keys() & after.keys():
        fields = _differing(before[i], after[i])
        if fields:
            found.append(OtherChange("changed", i, str(getattr(after[i], "place", "")), tuple(fields)))
    return sorted(found, key=lambda c: (c.id.partition(".")[0], c.way, c.id))


def _others(library: Library) -> Mapping[str, Struct]:
    return {
        str(item.id): item
        for item in library.items()
        if isinstance(item, Struct) and hasattr(item, "id") and not isinstance(item, Entry)
    }
