"""How what people say is understood: histories told turn by turn, statements held against a record, sentences of plans.

The forms of the lists stand in UNSEEN.md, beside this file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import click
import yaml

from measuring.charts import is_odd, read_rows
from measuring.extraction import same_dose, same_often
from safety.cli.common import engine
from safety.cli.main import EXIT_OK
from safety.edge.extraction import MedicationSaid
from safety.edge.stating import Stater
from safety.engine import Engine
from safety.memory.belief import Belief
from safety.memory.events import Event
from safety.memory.folding import IRREGULAR
from safety.memory.subjects import Understanding
from safety.memory.values import relation
from safety.model.patient import Medication
from safety.reading.wording import key_of

Row = dict[str, Any]
_TWO_STRENGTHS = re.compile(r"(\d+(?:\.\d+)?)[/-](\d+(?:\.\d+)?)(?:\s*mg)?")
_SAME = {"prescribed": ("taking",), "taking": ("prescribed",), "stopped": (), "denied": ("stopped",)}


def told(loaded: Engine, turns: Sequence[tuple[str, str]]) -> list[Event]:
    """The events of several turns, each understood by those before it; a turn is a day and what was said."""
    events: list[Event] = []
    for n, (day, text) in enumerate(turns, 1):
        events += loaded.events_said(text, day, n, before=events)
    return events


def taking(belief: Belief, name: str) -> str:
    """Whether a medicine is believed to be taken: taken, not taken, held; or why that is not known."""
    slot = belief.medicine(name).slot("taking")
    return str(slot.value) if slot.standing == "known" else slot.standing


def history_misses(row: Row, loaded: Engine) -> list[str]:
    """What of a history is believed otherwise than it should be."""
    events = told(loaded, [(e["date"], e["say"]) for e in row["events"]])
    belief = loaded.remember(events).belief(date.fromisoformat(row["ask"]))
    wanted = row["expect"]
    states = {m: taking(belief, m) for key in _RIGHT for m in wanted.get(key, ())}
    faithless = [m for m in wanted.get("unclear", ()) if belief.medicine(m).slot("adherence").value == IRREGULAR]
    wrong = [
        f"{m}: {states[m]}, not {key}" for key, right in _RIGHT.items() for m in wanted.get(key, ())
        if not right(states[m]) and not (key == "unclear" and m in faithless)  # how faithfully it is taken is to be asked
    ]  # fmt: skip
    wrong += [
        f"allergy to {a} not believed" for a in wanted.get("allergies", ())
        if str(belief.allergy(a).slot("state").value) != "present"
    ]  # fmt: skip
    named = {belief.medicine(m).line for m in states}
    wrong += [
        f"{m.name}: taken, never named" for m in belief.medicines if m.line not in named and taking(belief, m.name) == "taken"
    ]
    return wrong + [w for m, dose in wanted.get("doses", {}).items() if (w := _dose_missed(belief, m, dose))]


_RIGHT: dict[str, Callable[[str], bool]] = {
    "taking": lambda s: s == "taken",
    "stopped": lambda s: s == "not taken",
    "held": lambda s: s == "held",
    "unclear": lambda s: s not in ("taken", "not taken"),
    "not_now": lambda s: s != "taken",
}


def _dose_missed(belief: Belief, medicine: str, dose: str) -> str:
    understanding = belief.history.understanding
    held = belief.medicine(medicine).slot("dose").value
    meant = understanding.medicine(Medication(f"{medicine} {dose}")).regimen.dose
    if held is None or meant is None:
        return f"{medicine}: no dose, not {dose}"
    return "" if relation(held, meant, understanding.units) == "same" else f"{medicine}: {held}, not {dose}"


def sentence_misses(row: Row, loaded: Engine) -> list[str]:
    """What of the medicines that sentences name is read otherwise than meant; a medicine that is named nowhere counts too."""
    said = loaded.extract(row["text"])
    every = (*said.medications, *said.vaccines)
    found = [m for m in said.medications if m.drugs]
    allergies = {key_of(a.span.text) for a in said.allergies if not a.denied} | {
        key_of(a.to) for a in said.allergies if not a.denied
    }
    wanted = [w for w in row["expect"] if not ("allergic" in w["is"] and key_of(w["name"]) in allergies)]
    if any(_against(w["name"], loaded) for w in wanted):  # a vaccine is a statement of its own, and no medicine
        vaccines = _vaccines_told(row["text"], loaded)
        wanted = [w for w in wanted if _against(w["name"], loaded) not in vaccines]
    wrong = [w for want in wanted for w in _sentence_missed(want, _of(want["name"], every, loaded), loaded)]
    right = {id(m) for want in row["expect"] for m in _of(want["name"], found, loaded)}
    return wrong + [f"{m.span.text} {m.context}: not meant" for m in found if id(m) not in right and m.context != "mentioned"]


def _vaccines_told(text: str, loaded: Engine) -> frozenset[str]:
    """Against what the vaccines are that a text names, as statements of it."""
    stater = Stater(loaded.checker, loaded.extractor, Understanding(loaded.checker))
    return frozenset(s.key for s in stater.narrative(text, date(2026, 11, 30)).statements if s.kind == "vaccine")


def _against(name: str, loaded: Engine) -> str:
    """Against what a vaccine is by its name, "flu shot"; empty where it is no vaccine."""
    families = loaded.library.language.meaning("vaccine-families")
    hits = [f for phrase, f in families.items() if re.search(rf"(?<![\w-]){re.escape(phrase)}(?![\w-])", name, re.I)]
    return hits[0] if hits else ""


def _of(name: str, found: Iterable[MedicationSaid], loaded: Engine) -> list[MedicationSaid]:
    drugs = set(loaded.checker.resolver.read(name).drugs)
    return [m for m in found if (drugs and drugs == set(m.drugs)) or key_of(m.span.text) == key_of(name)]


def _sentence_missed(want: Row, mine: Sequence[MedicationSaid], loaded: Engine) -> list[str]:
    if not mine:
        return [f"{want['name']}: not found"]
    right = {c for one in want["is"] for c in (one, *_SAME.get(one, ()))}
    statuses = {m.context for m in mine}
    wrong = [] if statuses & right else [f"{want['name']}: {', '.join(sorted(statuses))}, not {', '.join(want['is'])}"]
    doses = [m.dose.value for m in mine if m.dose is not None]
    if "dose" in want and not any(_is_the_dose(d, want["dose"], loaded) for d in doses):
        wrong.append(f"{want['name']}: dose {doses}, not {want['dose']}")
    often = [m.directions.value for m in mine if m.directions is not None]
    if "often" in want and not any(same_often(o, want["often"], loaded) for o in often):
        wrong.append(f"{want['name']}: {often}, not {want['often']}")
    return wrong


def _is_the_dose(read: str, wanted: str, loaded: Engine) -> bool:
    """Whether a dose is the one that is said: a number that is said without a unit is read with the unit that it can only have,
    and a strength with so many pieces ("500 mg 2 tabs") is told by either, as "2 tablets of 500 mg" is."""
    alone, units = wanted.strip(), loaded.library.units
    if (parts := _TWO_STRENGTHS.fullmatch(alone)) and (told := _TWO_STRENGTHS.match(read)):
        return parts.groups() == told.groups()  # "5/325 mg" is "5/325", "8-2" is "8/2 mg"
    strength, _, pieces = read.partition(", ")
    counted = units.parse(pieces)
    if counted is not None and units.convert(counted, "mg") is None:
        return any(_is_the_dose(part, alone, loaded) for part in (strength, pieces))
    if alone.replace(".", "", 1).isdigit() and " " in read and not pieces:
        return read.partition(" ")[0] == alone
    return same_dose(read, alone, loaded)


def pair_misses(row: Row, loaded: Engine) -> list[str]:
    """What of a statement against its record comes out otherwise; a severity one step off is none."""
    from memory.pairs import answers, misses

    from safety.memory.reconciling import SEVERITIES

    (found,) = answers(loaded, row["group"] | {"statements": [row["statement"]]})
    wrong = [m for m in misses(row["statement"], found) if not m.startswith("severity")]
    if "severity" in row["statement"]:
        apart = abs(SEVERITIES.index(found.severity) - SEVERITIES.index(row["statement"]["severity"]))
        wrong += [f"severity {found.severity}, not {row['statement']['severity']}"] if apart > 1 else []
    return wrong


def rows_of(path: Path) -> tuple[list[Row], Callable[[Row, Engine], list[str]]]:
    """The rows of a list, and what scores one of them."""
    if path.suffix == ".yaml":
        groups = yaml.safe_load(path.read_text(encoding="utf-8"))
        pairs = [(group, statement) for group in groups for statement in group["statements"]]
        rows = [
            {"id": f"x{n:03}", "text": statement["said"], "group": group, "statement": statement}
            for n, (group, statement) in enumerate(pairs, 1)
        ]
        return rows, pair_misses
    rows = read_rows(path)
    return rows, history_misses if rows and "events" in rows[0] else sentence_misses


def _words(row: Row) -> str:
    return row.get("text") or " / ".join(f"{e['date']} {e['say']}" for e in row["events"])


@click.command("told")
@click.option("--file", "files", metavar="F", multiple=True, required=True, help="A list, in one of the forms of UNSEEN.md.")
@click.option("--rows", "by_row", is_flag=True, help="Name what came out otherwise, of the odd rows.")
@click.option("--all-rows", "every", is_flag=True, help="Of all rows: the list is a test from then on.")
def told_lists(files: tuple[str, ...], by_row: bool, every: bool) -> int:
    """How much of what people say is understood whole: histories, statements held against a record, sentences of plans."""
    loaded = engine()
    for file in files:
        rows, missed = rows_of(Path(file))
        wrong = {row["id"]: (row, missed(row, loaded)) for row in rows}
        failed = [(row, misses) for row, misses in wrong.values() if misses]
        click.echo(f"{Path(file).name}: {len(rows) - len(failed)} of {len(rows)}")
        for row, misses in failed:
            if every or (by_row and is_odd(row)):
                click.echo(f"  {row['id']} {_words(row)}")
                click.echo("\n".join(f"      {one}" for one in misses))
    return EXIT_OK
