"""Plans scored on a Spark cluster (`medsafe[spark]`): the same scorer in every executor, the same scores however divided.

from safety.serving.spark import score_frame, results

scored = score_frame(frame, as_of="2026-11-20")     # frame: `line` (its place among the plans), `plan` (one as JSON)
scored.groupBy("model").avg("PSC.report").show()
summary = save_scores((), scorer, folder, wanted, scores=lambda _: results(scored))     # the files of `medsafe score`
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final

import msgspec

from safety.engine import load
from safety.errors import Place, Problem, RequestError
from safety.scoring.batch import Result, Row, decoded, encoded
from safety.scoring.bench import Settings
from safety.scoring.plans import json_line
from safety.scoring.scored import METRICS, Scored
from safety.scoring.scorer import AT_ONCE, Scorer

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame

_COUNTED: Final = "struct<strict: double, report: double, lenient: double>"
SCHEMA: Final = ", ".join(
    (
        "line bigint", "id string", "model string", "state string", "worst string", "hard_violations_count bigint",
        *(f"{name} {_COUNTED}" for name in METRICS), "score string", "error string", "kept binary",
    )
)  # fmt: skip
"""What a frame of scores holds: `score`, the whole as JSON; `error`, why there is none; `kept`, the same for `results`."""


def score_frame(
    frame: DataFrame, *, as_of: date | str | None = None, overlays: Sequence[str] = (), by: Sequence[str] = (),
    named: str = "plans",
) -> DataFrame:  # fmt: skip
    """The scores of a frame of plans, one row each, by `line`; the engine is loaded once for each part of the frame.

    `as_of`: the day to judge plans on that tell none; `named`: where a plan that cannot be read is said to stand.
    Raises RequestError where the frame lacks `line` or `plan`.
    """
    lacking = [name for name in ("line", "plan") if name not in frame.columns]
    if lacking:
        hint = "`line`: the number of the plan; `plan`: the plan as one JSON object"
        raise RequestError([Problem(Place("frame"), "R102", f"has no column `{name}`", hint) for name in lacking])
    day = date.fromisoformat(as_of) if isinstance(as_of, str) else as_of
    chosen, columns = tuple(overlays), tuple(by)

    def scored(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        engine = load(chosen)
        scorer = Scorer(engine.checker, Settings(as_of=day), tell=engine.read_texts)
        rows = chain.from_iterable(_rows(batch, named, columns) for batch in batches)
        scores = scorer.score(rows)
        while some := list(islice(scores, AT_ONCE)):
            yield _batch(some)

    return frame.select("line", "plan").mapInArrow(scored, SCHEMA)


def results(scored: DataFrame) -> Iterator[Result]:
    """The scores of a frame, in the order of the plans, as `save_scores` writes and sums them."""
    for row in scored.select("line", "kept").orderBy("line").toLocalIterator():
        yield from decoded(bytes(row["kept"]))


def _rows(batch: pyarrow.RecordBatch, named: str, by: Sequence[str]) -> Iterator[Row]:
    told = zip(batch.column("line").to_pylist(), batch.column("plan").to_pylist(), strict=True)
    return (json_line((text or "").encode(), named, line, by) for line, text in told)


def _batch(rows: Sequence[Result]) -> pyarrow.RecordBatch:
    """Scores as Spark takes them."""
    import pyarrow as pa

    counted = pa.struct([(policy, pa.float64()) for policy in ("strict", "report", "lenient")])
    texts = dict.fromkeys(("id", "model", "state", "worst", "score", "error"), pa.string())
    types: dict[str, Any] = {
        "line": pa.int64(), **texts, "hard_violations_count": pa.int64(), **dict.fromkeys(METRICS, counted), "kept": pa.binary(),
    }  # fmt: skip
    names = [told.split()[0] for told in SCHEMA.replace(_COUNTED, "struct").split(", ")]
    values = [_values(row) for row in rows]
    return pa.RecordBatch.from_pylist(values, pa.schema([(name, types[name]) for name in names]))


def _values(row: Result) -> dict[str, Any]:
    kept = {"line": row.line, "id": row.id, "kept": encoded([row])}
    if not isinstance(row, Scored):
        return {**kept, "error": "\n".join(str(p) for p in row.problems)}
    whole = row.to_dict()
    metrics = {name: whole["metrics"].get(name) for name in METRICS}
    told = {name: whole[name] for name in ("model", "state", "worst", "hard_violations_count")}
    return {**kept, **told, **metrics, "score": msgspec.json.encode(whole).decode()}
