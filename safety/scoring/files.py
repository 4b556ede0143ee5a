"""Results as files: every plan's score as Parquet, written as it comes; and what models are compared by, out of that file."""

from __future__ import annotations

import os
from collections import Counter
from itertools import combinations
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from safety.scoring.measures import NOTHING, Counted
from safety.scoring.scored import METRICS, Scored
from safety.scoring.summary import Paired

CASES, SUMMARY, PAGE, TABLE, SLIPS = "cases.parquet", "summary.json", "report.html", "metrics.csv", "unreadable.jsonl"
_TEXT, _TEXTS = "VARCHAR", "VARCHAR[]"


def _several(**fields: str) -> str:
    return "STRUCT(" + ", ".join(f'"{name}" {type_}' for name, type_ in fields.items()) + ")[]"


_RAISED = _several(
    drugs=_TEXTS, severity=_TEXT, reason=_TEXT, recommendation=_TEXT, rule=_TEXT, kind=_TEXT, level=_TEXT, hard="BOOLEAN",
    where=_TEXTS, evidence=_TEXTS,
)  # fmt: skip
_OPEN = _several(
    about=_TEXT, because=_TEXT, ask=_TEXT, may_be_hard="BOOLEAN", where=_TEXTS, kind=_TEXT, checks=_TEXTS
)  # fmt: skip
_COUNTED = "STRUCT(strict DOUBLE, report DOUBLE, lenient DOUBLE)"
_CRITIC = {
    "overall_safe": "BOOLEAN", "contraindications": _RAISED, "drug_interactions": _RAISED, "dose_issues": _RAISED,
    "profile_conflicts": _RAISED, "missing_components": _RAISED, "hard_violations_count": "BIGINT", "recommendations": _TEXTS,
    "others": _RAISED, "standing": _RAISED, "unknowns": _OPEN,
}  # fmt: skip
_REVISION = (
    f"STRUCT(answers {_several(text=_TEXT, constraints=_TEXTS, met='BOOLEAN', because=_TEXTS)}, revised BOOLEAN, tau DOUBLE, "
    f'"before" {_COUNTED}, "after" {_COUNTED}, met {_COUNTED}, success {_COUNTED})'
)
_REPAIRS = _several(
    changes=_several(kind=_TEXT, line="BIGINT", before=_TEXT, after=_TEXT), plan=_TEXTS, state=_TEXT, quality=_COUNTED,
    met="BOOLEAN", left=_TEXTS,
)  # fmt: skip
COLUMNS: dict[str, str] = {
    "line": "BIGINT", "id": _TEXT, "model": _TEXT, "as_of": _TEXT, "tags": "MAP(VARCHAR, VARCHAR)", "state": _TEXT,
    "worst": _TEXT,
    **_CRITIC, "proposed": "BIGINT", "pairs": "BIGINT", "severe_pairs": "BIGINT", **dict.fromkeys(METRICS, _COUNTED),
    "kinds": f"MAP(VARCHAR, {_COUNTED})",
    "gold": _several(component=_TEXT, by=_TEXT, stands_for=_TEXT, fidelity="DOUBLE", credit=_COUNTED), 
    "revision": _REVISION, "repairs": _REPAIRS,
    "read": _TEXT,
}  # fmt: skip
"""The columns of `cases.parquet`: the critic's fields as MedConsultBench names them, then ours. `read` is JSON."""


class CasesFile:
    """Writes scores, one row a plan, into a folder; the Parquet file stands there once all are written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._rows = folder / f"{CASES}.part"
        self._out = self._rows.open("wb")

    def __enter__(self) -> CasesFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._out.close()
        if kind is not None:
            self._rows.unlink(missing_ok=True)
            return
        import duckdb

        columns = "{" + ", ".join(f"{_quoted(name)}: {_quoted(type_)}" for name, type_ in COLUMNS.items()) + "}"
        made = self._folder / f"{CASES}.new"
        with duckdb.connect() as store:
            store.execute("set threads = 1")  # one thread writes the same bytes every time
            store.execute(
                f"copy (select * from read_json(?, format = 'newline_delimited', columns = {columns}, "
                f"maximum_object_size = 67108864)) to {_quoted(str(made))} (format parquet, compression zstd)",
                [str(self._rows)],
            )
        os.replace(made, self._folder / CASES)
        self._rows.unlink()

    def add(self, row: Scored) -> None:
        """Write one more."""
        self._out.write(msgspec.json.encode(_flat(row)) + b"\n")


def _flat(row: Scored) -> dict[str, Any]:
    values = row.to_dict()
    read = values.pop("read")
    return {**values, **values.pop("metrics"), "read": msgspec.json.encode(read).decode() if read else None}


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def paired_in(folder: Path) -> Paired:
    """Of cases that several models answered, how many have each two values; where a model answers one twice, its first answer."""
    import duckdb

    file = _quoted(str(folder / CASES))
    found: dict[tuple[str, str, str], Counter[tuple[Counted, Counted]]] = {}
    with duckdb.connect() as store:
        models = [name for (name,) in store.execute(f"select distinct model from {file} order by model").fetchall()]
        if len(models) < 2:
            return found
        first = "qualify row_number() over (partition by model, id order by line) = 1"
        store.execute(f"create temp table answers as select * from {file} where id is not null {first}")
        for one, other in combinations(models, 2):
            for metric in METRICS:
                rows = store.execute(
                    f'select a."{metric}", b."{metric}", count(*) from answers a join answers b using (id) '
                    "where a.model = ? and b.model = ? group by all",
                    [one, other],
                ).fetchall()
                pairs = Counter({(Counted(**a), Counted(**b)): n for a, b, n in rows})
                counts = Counter({pair: n for pair, n in pairs.items() if NOTHING not in pair})
                if counts:
                    found[metric, one, other] = counts
    return found
