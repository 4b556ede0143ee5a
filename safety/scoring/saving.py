"""A whole run into a folder: scores as they come, then the summary, the page, and the table that `medsafe aggregate` takes."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from safety.errors import Place, Problem, RequestError
from safety.scoring.files import PAGE, SLIPS, SUMMARY, TABLE, CasesFile, paired_in
from safety.scoring.intervals import Sampling
from safety.scoring.measures import Policy
from safety.scoring.page import score_page
from safety.scoring.plans import Plan, Unreadable
from safety.scoring.run import sampling_here, told_settings
from safety.scoring.scored import Scored
from safety.scoring.scorer import Scorer
from safety.scoring.summary import How, Summary, summarise
from safety.scoring.tally import Tally

_IN_TABLE = ("PSC", "DDIV", "PCR", "DCSR")


Scores = Callable[[Iterable[Plan | Unreadable]], Iterable[Scored | Unreadable]]


class Wanted(Struct, frozen=True):
    """What a run is to tell: the policy, the groups, how intervals are drawn, and notes of the caller."""

    policy: Policy = "report"
    by: Sequence[str] = ()
    sampling: Sampling = Sampling()
    notes: Sequence[str] = ()


def save_scores(
    plans: Iterable[Plan | Unreadable], scorer: Scorer, folder: Path, wanted: Wanted, each: Callable[[], None] = lambda: None,
    scores: Scores | None = None,
) -> Summary:  # fmt: skip
    """Scores plans into a folder, which is made; `each` is called after every one. Nothing but counts is held in memory.

    `scores`: who scores them, where that is not this process alone. Raises RequestError where the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RequestError([Problem(Place(str(folder)), "R001", f"cannot be made: {error.strerror}")]) from None
    tally = Tally(wanted.by)
    with CasesFile(folder) as cases, (folder / SLIPS).open("wb") as slips:
        for row in (scores or scorer.score)(plans):
            tally.add(row)
            if isinstance(row, Scored):
                cases.add(row)
            else:
                slips.write(
                    msgspec.json.encode({"line": row.line, "id": row.id, "error": [str(p) for p in row.problems]}) + b"\n"
                )
            each()
    sampling, notes = sampling_here(wanted.sampling)
    how = How(wanted.policy, sampling, told_settings(scorer.settings), [*wanted.notes, *notes])
    summary = summarise(tally, scorer.checker.made_by, how, paired_in(folder))
    (folder / SUMMARY).write_bytes(summary.to_json())
    (folder / PAGE).write_text(score_page(summary), encoding="utf-8")
    (folder / TABLE).write_text(_table(summary), encoding="utf-8")
    return summary


def _table(summary: Summary) -> str:
    """A row a model, as `medsafe aggregate` reads it: the paper's metrics of this run, and how many plans are unsafe."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    known = [
        name for name in _IN_TABLE
        if all(any(m.name == name and m.value is not None for m in model.metrics) for model in summary.models)
    ]  # fmt: skip
    writer.writerow(["model", *known, "hard"])
    for model in summary.models:
        values = {m.name: m.value for m in model.metrics}
        writer.writerow([model.model, *(f"{values[name]:.6f}" for name in known), model.states["unsafe"]])
    return out.getvalue()
