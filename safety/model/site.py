"""What a site's overlay did to entries that are ours."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

What = Literal["retired", "replaced", "weakened", "strengthened", "draft", "loosened"]


class Signed(Struct, frozen=True):
    """Who answers for a change to what is protected, since when (a day), and why."""

    by: str
    on: str
    why: str

    def __str__(self) -> str:
        return f"signed by {self.by} on {self.on}: {self.why}"


class SiteChange(Struct, frozen=True):
    """One entry of ours that a site retired, replaced, weakened or strengthened; `draft`: its draft waits, ours stays.

    `loosened`: words that a site made to be read (or not to be read any more); any line may hold them.
    `id`: ours. `now`: the entry in its place, if that has another id. `was`, `severity`: how loud it was and is (empty:
    it says nothing any more). `protected`: contraindicated or ONC high-priority, so that `signed` must say who answers.
    """

    id: str
    what: What
    overlays: tuple[str, ...]
    was: str
    severity: str
    because: str
    place: str
    protected: bool = False
    signed: Signed | None = None
    now: str = ""

    def __str__(self) -> str:
        by = ", ".join(self.overlays)
        if self.what == "draft":
            return f"{self.id}: the draft of {by} is not in force, ours stays"
        level = f" ({self.was} to {self.severity})" if self.severity and self.severity != self.was else ""
        place = f" by `{self.now}`" if self.now else ""
        because = f": {self.because}" if self.because else ""
        return f"{self.id}: {self.what}{level}{place} by {by}{because}{f' ({self.signed})' if self.signed else ''}"
