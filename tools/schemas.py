"""Writes JSON Schemas of the knowledge files, for editors that complete and check YAML while it is typed.

    python tools/schemas.py OUT_FOLDER
    python tools/schemas.py --answers schemas     # of what callers send and get, as `medsafe schema` prints them

In VS Code (YAML extension), for example: `"yaml.schemas": {"OUT_FOLDER/rule.json": "rules/**/*.yaml"}`.
The schemas know shapes only; `medsafe lint` also knows ids, amounts and cases.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from safety.knowledge.shapes import FACTS, RuleShape
from safety.serving.schemas import SCHEMAS, schema


def write(folder: Path) -> list[Path]:
    """One schema file for each kind of entry; the paths written, in order."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, model in sorted({**FACTS, "rule": RuleShape}.items()):
        schema = model.model_json_schema(by_alias=True)
        if name == "rule":  # a table's header holds rows, and its rows hold the rest
            schema["properties"]["rows"] = {"type": "array", "items": {"type": "object", "required": ["id"]}}
            schema["required"] = ["id", "title", "kind", "status"]
        path = folder / f"{name}.json"
        path.write_text(json.dumps(schema, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        written.append(path)
    return written


def write_answers(folder: Path) -> list[Path]:
    """One schema file for each kind of request and answer."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name in SCHEMAS:
        path = folder / f"{name}.schema.json"
        path.write_text(json.dumps(schema(name), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        written.append(path)
    return written


if __name__ == "__main__":
    *options, out = sys.argv[1:] or [""]
    if not out or options not in ([], ["--answers"]):
        sys.exit(__doc__)
    for made in write_answers(Path(out)) if options else write(Path(out)):
        print(made)
