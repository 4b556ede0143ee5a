"""What is held of one thing on a day: its slots with all their sides, its supplies, and the questions that would settle it."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any, Literal

from msgspec import Struct

from safety.memory.chains import Evidence
from safety.memory.events import Time
from safety.memory.folding import Fill
from safety.memory.subjects import Line, plural
from safety.memory.values import Dose, Often, Regimen, Slot, Value
from safety.model.quantity import Quantity

Standing = Literal["known", "conflict", "unsure", "untold"]


class Side(Struct, frozen=True):
    """One of the values that something may have: how sure it is, since when, and what tells it."""

    value: Value
    confidence: float
    since: Time
    evidence: tuple[Evidence, ...]

    def to_dict(self) -> dict[str, Any]:
        """The side as plain values."""
        told = [
            {"event": e.event, "turn": e.turn, "told": e.told.isoformat(), "by": e.by, "when": str(e.at)} for e in self.evidence
        ]
        return {"value": str(self.value), "confidence": self.confidence, "since": str(self.since), "evidence": told}


class Holding(Struct, frozen=True):
    """What a slot holds on a day: `known`; a `conflict` of sides (best first); `unsure`: a change lies around it; `untold`."""

    standing: Standing = "untold"
    sides: tuple[Side, ...] = ()

    @property
    def value(self) -> Value | None:
        """The value, or the best of several; None where nothing was told."""
        return self.sides[0].value if self.sides else None

    @property
    def mentions(self) -> int:
        """How many events tell the value."""
        return len({e.event for e in self.sides[0].evidence}) if self.sides else 0

    def __str__(self) -> str:
        if self.standing in ("untold", "known"):
            return str(self.value) if self.sides else "untold"
        return f"{self.standing}: {' / '.join(str(s.value) for s in self.sides)}"

    def to_dict(self) -> dict[str, Any]:
        """The slot as plain values."""
        return {"standing": self.standing, "sides": [s.to_dict() for s in self.sides]}


class Supply(Struct, frozen=True):
    """Supplies handed out: the last fill, the last day they reach to, and the gaps in between (first and last day without)."""

    fills: tuple[Fill, ...]
    last_fill: date
    ends: date | None
    gaps: tuple[tuple[date, date], ...]
    early: tuple[date, ...]

    def __str__(self) -> str:
        said = [f"{plural(len(self.fills), 'fill')}, the last on {self.last_fill}"]
        said += [f"reaches to {self.ends}"] if self.ends is not None else []
        said += [f"none from {a} to {b}" for a, b in self.gaps]
        said += [f"early on {', '.join(map(str, self.early))}"] if self.early else []
        return "; ".join(said)

    def to_dict(self) -> dict[str, Any]:
        """The supplies as plain values."""
        return {
            "fills": len(self.fills), "last_fill": self.last_fill.isoformat(),
            "ends": self.ends.isoformat() if self.ends else None,
            "gaps": [[a.isoformat(), b.isoformat()] for a, b in self.gaps], "early": [d.isoformat() for d in self.early],
        }  # fmt: skip


class Question(Struct, frozen=True):
    """What to ask, of which slot, and which events it would settle."""

    ask: str
    about: str
    events: tuple[str, ...]


class Believed(Struct, frozen=True):
    """One line on a day: a medicine, a problem or an allergy with its slots."""

    line: Line
    name: str
    slots: dict[Slot, Holding]
    supply: Supply | None = None
    drugs: tuple[str, ...] = ()

    def slot(self, name: Slot) -> Holding:
        """A slot; untold where nothing was told of it."""
        return self.slots.get(name, Holding())

    @property
    def regimen(self) -> Regimen:
        """Dose and frequency as they are believed."""
        dose, often = self.slot("dose").value, self.slot("frequency").value
        return Regimen(dose if isinstance(dose, Dose) else None, often if isinstance(often, Often) else None)

    @property
    def per_day(self) -> Quantity | None:
        """The amount of an average day, where dose and frequency are known and it is one amount."""
        found = self.regimen.day()
        if found is None or found[0][0] != found[0][1]:
            return None
        return Quantity(Decimal(found[0][0].numerator) / Decimal(found[0][0].denominator), found[1])

    def to_dict(self) -> dict[str, Any]:
        """The line as plain values."""
        built: dict[str, Any] = {"line": str(self.line), "name": self.name, "drugs": list(self.drugs)}
        built |= {name: held.to_dict() for name, held in self.slots.items()}
        return built | ({"supply": self.supply.to_dict()} if self.supply is not None else {})
