#!/usr/bin/env python3
"""The coverage ledger (kb/coverage/): what of it stands, and what a person needs to write one out of a label of the library.

    python tools/ledger.py draft DRUG [--label FILE]
    python tools/ledger.py status [--scope FILE.csv]
    python tools/ledger.py prove [--tried] [DRUG …]
    python tools/ledger.py unstated [--without] [DRUG …]

`draft` prints each section of the label with the sentences that may ask for something to be done, the drugs and conditions that
we hold in them, what we answer today to the drug with each of these, and the entries of ours that speak of it. It goes to the
terminal, as no label's wording may be committed, and is no ledger as it is. `status` counts labels, statements, what is held and
what is left out, and names what is out of date or missing. `prove` tries whether each entry that a ledger names speaks for its
medicine, how loudly (one that is milder than the label's words and says why in a note is only counted), whether it asks about
what is stated, and whether it sends the dose the way that is stated. `prove --tried`
tries each thing that a statement names in a small patient, and prints beside the statement what its entries ask about and what
the engine says; `dangerous`: a line that forbids or says to avoid. `unstated` prints what a
sentence of a label (boxed, 4, 5, 7) names that no statement of its ledger does, and of which the engine is silent.
"""

from __future__ import annotations

import argparse
import collections
import csv
import itertools
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from ledger_trials import Trials, Tried
from ledger_unstated import Labels, unstated
from ledger_words import Words
from measuring.held import Prover

import safety
from safety.answering.checker import Checker
from safety.engine import RECIPE, VERSION, cache_folder
from safety.knowledge.collecting import base_folder
from safety.knowledge.entries import Entry
from safety.knowledge.label_sections import SECTIONS
from safety.knowledge.library import Drug, Library
from safety.knowledge.snapshot import load_compiled
from safety.model.report import RANK

LABELS = Path(os.environ.get("MEDSAFE_LABELS", Path(__file__).resolve().parent.parent.parent / "shared" / "labels"))
AGAIN = "compared again line by line"
"""What stands behind what a first citation says was read, once somebody read the label a second time."""
FORBIDDEN = re.compile(r"contraindicat|never|do not|not to be|not for", re.I)
DIRECTIONS = {
    "down": re.compile(
        r"\b((lower|smaller|less|half|third|quarter)( of)?( the| its| each)?( first)? (doses?|amounts?)|reduce|halve"
        r"|less of (the|it)|dose down)\b|\b(lower|cut|halve|reduce) \{|\bstart \{\w+\} low|\bthe new one low",
        re.I,
    ),
    "up": re.compile(
        r"\b(higher (first )?doses?|raise the dose|increase the dose|more is needed|doubled?|dose up)\b|\braise \{", re.I
    ),
    "apart": re.compile(r"\b(hours? (apart|before|after|between)|separate(d|ly)?)\b", re.I),
}
"""Words by which a statement, an advice or a dose says which way a dose is to go, or that doses are to be taken apart."""
DONE = {"reduce": "down", "increase": "up", "separate": "apart"}
AVOIDED = re.compile(
    r"\b(avoid|never|do not|not recommended|not to be|not for|contraindicated|stop|discontinue|not with)\b", re.I
)
"""Words of a statement that ask for a contraindication, and for a medicine to be avoided or stopped."""
ACTS = re.compile(
    r"avoid|contraindicat|do not|should not|must|not recommended|discontinu|stop|monitor|adjust|reduc|increas|dos(e|age)|caution|"
    r"before (starting|use|initiat)|withhold|interrupt|ask a doctor|separate|hours (before|after)|test|measure|assess|only if|"
    r"limit|exceed|pregnan|lactation|breast|renal|hepatic|geriatric|pediatric",
    re.I,
)
HEADINGS = {  # for which sections of the ledger the text under a heading of the library's files is read
    "BOXED": ("boxed warning",),
    "2": ("dosage", "directions"),
    "4": ("contraindications",),
    "5": ("warnings", "do not use", "ask a doctor", "ask if taking", "when using", "stop use", "pregnancy or breastfeeding"),
    "7": ("interactions", "ask if taking"),
    "8": ("pregnancy", "lactation", "fertility", "children", "older", "kidney", "liver"),
    "9": ("abuse",),
    "10": ("overdose",),
}


def main() -> int:
    """Run one of the commands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_subparsers(dest="what", required=True)
    draft = what.add_parser("draft")
    draft.add_argument("drug")
    draft.add_argument("--label", type=Path)
    status = what.add_parser("status")
    status.add_argument("--scope", type=Path, default=LABELS.parent / "data" / "vocabulary" / "us_common_drugs.csv")
    prove = what.add_parser("prove")
    prove.add_argument("drugs", nargs="*")
    prove.add_argument("--tried", action="store_true", help="try what each statement names in small patients")
    unread = what.add_parser("unstated")
    unread.add_argument("drugs", nargs="*")
    unread.add_argument("--without", action="store_true", help="of the library's labels whose medicine has no ledger")
    args = parser.parse_args()
    if args.what == "prove":
        print(*(_tried if args.tried else _prove)(args.drugs), sep="\n")
        return 0
    if not LABELS.is_dir():
        print(f"no label library at {LABELS}; set MEDSAFE_LABELS to its folder", file=sys.stderr)
        return 2
    if args.what == "unstated":
        print(*_unstated(args.drugs, args.without), sep="\n")
        return 0
    engine = safety.load()
    lines = _draft(engine, args.drug, args.label) if args.what == "draft" else _status(engine.library, args.scope)
    try:
        for line in lines:
            print(line)
    except BrokenPipeError:  # whoever reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


# ------------------------------------------------------------------ a draft


def _draft(engine: safety.Engine, drug: str, label: Path | None) -> Iterator[str]:
    library, i = engine.library, f"drug.{drug.removeprefix('drug.')}"
    if i not in library.drug:
        yield f"{i} is not a drug that we hold"
        return
    name = library.name_of(i)
    path = label or LABELS / "text" / f"{name.replace(' ', '-')}.txt"
    if not path.is_file():
        near = sorted(p.name for p in (LABELS / "text").glob(f"*{name.split()[0]}*"))
        yield f"no label {path.name} in the library; near it: {', '.join(near[:12]) or 'none'}"
        return
    text = path.read_text(errors="replace")
    head = dict(re.findall(r"(?m)^([A-Z ]+): (.*)$", text.partition("\n## ")[0]))
    dated = re.match(r"(\d{4})(\d\d)(\d\d)\s+VERSION: (\S+)", head.get("EFFECTIVE DATE", ""))
    copy = f"label: {head.get('SET ID', '?')}" + (
        f" v{dated[4]} {dated[1]}-{dated[2]}-{dated[3]}" if dated else ", no date given"
    )
    yield f"id: coverage.{i.partition('.')[2]}\ndrug: {i}"
    yield f"# {path.name}: {head.get('BRAND')}, {head.get('ROUTE')}, {head.get('PRODUCT TYPE')}"
    yield f"evidence:\n  - {{source: source.TO-BE-NAMED, at: whole label, checked: {{how: read, on: DAY, copy: '{copy}'}}}}"
    yield "sections:"
    find, printed = _finder(library), set[str]()
    kind = SECTIONS["otc" if "OTC" in head.get("PRODUCT TYPE", "") else "prescription"]
    parts = re.split(r"(?m)^## ", text)[1:]
    for section in kind:
        yield f"  {section}: TO BE JUDGED"
        for part in parts:
            heading, _, body = part.partition("\n")
            sections = [s for s in HEADINGS.get(heading.split()[0], ()) if s in kind]
            if sections[:1] == [section]:
                yield f"    # --- {heading} (read it for: {', '.join(sections)})"
                yield from _sentences(body, find, name, printed)
    yield "# what we answer to it with what the label names (? where it is asked about):"
    yield from _answers(engine, i, _named(find, parts) - {name})
    yield "# entries of ours that speak of it:"
    for entry in library.entries:
        if entry.status == "active" and any(x.members is not None and i in x.members for x in entry.slots):
            yield f"#   {entry.kind:<17} {entry.severity:<15} {entry.id}  {entry.title}"


def _sentences(body: str, find: re.Pattern[str], own: str, printed: set[str]) -> Iterator[str]:
    """Sentences that may ask for something to be done, each once, with what we know that they name."""
    for line in body.split("\n"):
        for sentence in (part.strip() for part in re.split(r"(?<=[.;])\s+(?=[A-Z])", line)):
            named = {m.lower() for m in find.findall(sentence)} - {own}
            if sentence not in printed and (named or ACTS.search(sentence)):
                printed.add(sentence)
                yield f"    # {sentence[:400]}" + (f"   <{', '.join(sorted(named))}>" if named else "")


def _named(find: re.Pattern[str], parts: list[str]) -> set[str]:
    """What we know of that is named in the sections that are judged."""
    return {found.lower() for part in parts if part.split(maxsplit=1)[0] in HEADINGS for found in find.findall(part)}


def _answers(engine: safety.Engine, drug: str, named: set[str]) -> Iterator[str]:
    """Which of our entries answer to the drug with each other drug, and with each condition, that its label names."""
    library = engine.library
    drugs = {d.name.lower(): d for d in library.drugs}
    own = _taken(library.drug[drug], library.drug[drug].usual_route)
    answers: dict[str, list[str]] = collections.defaultdict(list)
    alone = _rules(engine, [own])
    for name in sorted(named):
        if name in drugs:
            other = _taken(drugs[name], "oral" if "oral" in drugs[name].routes else drugs[name].usual_route)
            new = _rules(engine, [own, other]) - alone - _rules(engine, [other])
        else:
            new = _rules(engine, [own], [name]) - alone
        answers["; ".join(sorted(new)) or "NOTHING"].append(name)
    yield from (f"#   {', '.join(names)}: {rules}" for rules, names in sorted(answers.items()))


def _taken(drug: Drug, route: str | None) -> dict[str, str]:
    return {"drug": drug.name} | ({"route": route} if route else {})


def _rules(engine: safety.Engine, medications: list[dict[str, str]], conditions: list[str] | None = None) -> set[str]:
    told = {"age": "50 y", "sex": "female", "pregnancy": "no", "breastfeeding": "no", "allergies": []}
    patient = told | {"medications": medications, "conditions": conditions or []}
    report = engine.check({"patient": patient}, as_of="2026-01-01")
    return {f"{x.rule} {x.severity}" for x in report.findings} | {f"{x.rule} {x.severity}?" for x in report.unknown}


def _finder(library: Library) -> re.Pattern[str]:
    names = {d.name.lower() for d in library.drugs} | {c.name.lower() for c in library.conditions if len(c.name) > 4}
    return re.compile(r"(?<![\w-])(" + "|".join(sorted(map(re.escape, names), key=len, reverse=True)) + r")(?![\w-])", re.I)


# ------------------------------------------------------------------ whether what is said to be held is held


def prover() -> Prover:
    """What tries the ledgers of the knowledge that stands beside this file."""
    compiled = load_compiled(base_folder(), [], cache_folder(), RECIPE)
    cases = {i: compiled.cases[i] for i in compiled.cases}
    return Prover(Checker(compiled.library, VERSION), lambda i: cases.get(i, ()))


def wanted(section: str, says: str) -> str:
    """How loud an entry has to be for what a statement says, by where it stands and by its words; empty where neither tells."""
    if section == "contraindications" or (section == "boxed warning" and FORBIDDEN.search(says)):
        return "contraindicated"
    return "major" if AVOIDED.search(says) else ""


def astray(says: str, entries: Sequence[Entry]) -> list[str]:
    """Which ways a statement wants a dose to go (down, up, apart) that no entry that holds it says; a dose table may say any."""
    if any(entry.doses is not None for entry in entries):
        return []
    told = {DONE.get(entry.do, "") for entry in entries}
    cards = " ".join(f"{entry.advice} {entry.if_unavoidable}" for entry in entries)
    told |= {way for way, words in DIRECTIONS.items() if words.search(cards)}
    return [way for way, words in DIRECTIONS.items() if way not in told and words.search(says)]


def _says_why(entry: Entry) -> bool:
    """Whether the file says in a note why an entry is as loud as it is; the note is for its readers and is not compiled."""
    file, line, _ = entry.place.rsplit(":", 2)
    _, *after = (base_folder() / file).read_text(encoding="utf-8").split("\n")[int(line) - 1 :]
    rest = itertools.takewhile(lambda text: not re.match(r"( {2}- |  (  )?)id: |rows:", text), after)
    return any(re.match(r" *(note|because): ", text) for text in rest)


def _prove(drugs: list[str]) -> Iterator[str]:
    with_words = Words((tries := prover()).library)
    counts: collections.Counter[str] = collections.Counter()
    for ledger in tries.library.coverage:
        if drugs and ledger.drug.partition(".")[2] not in drugs:
            continue
        claims = [*tries.claims(ledger)]
        for section, statement in ((s, x) for s, listed in ledger.sections.items() for x in listed if x.held):
            about = [c.spoke for c in claims if c.statement is statement and c.section == section]
            counts["statements"] += 1
            for spoke, i in zip(about, statement.held, strict=True):
                counts[f"{spoke.how}"] += 1
                if spoke.how in ("never", "asks"):
                    yield f"{statement.place}: {spoke.how}: {i}: {statement.says}"
            entries = [tries.library.entry[tries.library.current_id(i)] for i in statement.held]
            loudest = min((RANK[s.severity] for s in about if s.how == "fires"), default=len(RANK))
            level = wanted(section, statement.says)
            if level and loudest > RANK[level]:
                reasoned = any(_says_why(entry) for entry in entries)
                counts["milder, and says why" if reasoned else "milder"] += 1
                if not reasoned:
                    yield f"{statement.place}: milder than {level}: {', '.join(statement.held)}: {statement.says}"
            for way in astray(statement.says, entries):
                counts[f"does not say {way}"] += 1
                yield f"{statement.place}: does not say {way}: {', '.join(statement.held)}: {statement.says}"
            for how, named in with_words.missing(ledger, statement):
                counts[how] += 1
                yield f"{statement.place}: {how}: {named.kind} `{named.words}`: {', '.join(statement.held)}: {statement.says}"
    yield ", ".join(f"{count} {what}" for what, count in counts.most_common())


def _tried(drugs: list[str]) -> Iterator[str]:
    words = Words((engine := safety.load()).library)
    trials = Trials(engine, words)
    counts: collections.Counter[str] = collections.Counter()
    for ledger in engine.library.coverage:
        if drugs and ledger.drug.partition(".")[2] not in drugs:
            continue
        for section, statement in ((s, x) for s, listed in ledger.sections.items() for x in listed if x.held):
            level = wanted(section, statement.says)
            flags = [(flag, t) for t in trials.of(ledger, statement) if (flag := _flag(t, level, engine.library))]
            counts["statements"] += 1
            counts["statements flagged"] += bool(flags)
            counts["dangerous statements flagged"] += bool(level) and any(flag in ("silent", "milder") for flag, _ in flags)
            for flag, one in flags:
                how = f"dangerous {flag}" if level else flag
                counts[how] += 1
                passed = f", not {', '.join(one.silent[:12])}" if one.silent else ""
                told = f"{one.named.kind} `{one.named.words}` is told {one.told}{passed}"
                ask = f"{', '.join(statement.held)} ask: {words.asks(statement)}"
                yield f"{statement.place}: {how}: {told}: {statement.says} [{ask}]"
    yield ", ".join(f"{count} {what}" for what, count in counts.most_common())


def _unstated(drugs: list[str], without: bool) -> Iterator[str]:
    words = Words((engine := safety.load()).library)
    trials, labels = Trials(engine, words), Labels(LABELS)
    counts: collections.Counter[str] = collections.Counter()
    held = ((ledger, label) for ledger in engine.library.coverage for label in labels.of(ledger))
    for ledger, label in labels.without(engine.library) if without else held:
        if drugs and ledger.drug.partition(".")[2] not in drugs:
            continue
        for one in unstated(ledger, label, words, trials):
            counts[one.named.kind] += 1
            yield f"{ledger.id} {label.name} {one.section}: {one.named.kind} `{one.named.words}`: {one.sentence}"
    yield ", ".join(f"{count} {what}" for what, count in counts.most_common())


def _flag(tried: Tried, level: str, library: Library) -> str:
    """What is amiss with what became of one thing: nothing is said, less than the words, or nothing of some of a class."""
    if tried.told == "nothing":
        return "silent"
    if level and tried.loudest > RANK[level]:
        return "milder, and says why" if any(_says_why(library.entry[i]) for i in tried.rules) else "milder"
    return "in part" if tried.silent else ""


# ------------------------------------------------------------------ how far it is


def _status(library: Library, scope: Path) -> Iterator[str]:
    reasons: collections.Counter[str] = collections.Counter()
    held = statements = sections = 0
    for ledger in library.coverage:
        sections += len(ledger.sections)
        for statement in (s for listed in ledger.sections.values() for s in listed):
            statements += 1
            held += bool(statement.held)
            reasons[statement.left_out] += 1
    yield f"{len(library.coverage)} labels, {sections} sections read, {statements} statements, {held} held"
    yield from (f"  left out: {reason}: {count}" for reason, count in sorted(reasons.items()) if reason)
    again = sum(any(AGAIN in citation.at for citation in ledger.evidence) for ledger in library.coverage)
    yield f"  {AGAIN}: {again}"
    newest = _dates()
    for ledger in library.coverage:
        for citation in ledger.evidence:
            set_id, told = (
                re.search(r"label: ([0-9a-f-]{36})", citation.copy or ""),
                re.search(r"\d{4}-\d\d-\d\d", citation.copy or ""),
            )
            if set_id and told and newest.get(set_id[1], "") > told[0]:
                yield f"  out of date: {ledger.id}: read {told[0]}, the library has {newest[set_id[1]]}"
    if scope.is_file():
        with scope.open(newline="", encoding="utf-8") as f:
            wanted = [row["ingredient"] for row in csv.DictReader(f)]
        written = {library.name_of(c.drug) for c in library.coverage}
        missing = [name for name in wanted if name not in written]
        yield f"{len(wanted) - len(missing)} of {len(wanted)} in {scope.name}; without a ledger: {', '.join(missing)}"


def _dates() -> dict[str, str]:
    """The effective date of each label of the library, by set id."""
    with (LABELS / "index.csv").open(newline="", encoding="utf-8") as f:
        rows = [(row.get("set_id", ""), re.sub(r"\D", "", row.get("effective", ""))) for row in csv.DictReader(f)]
    return {set_id: f"{day[:4]}-{day[4:6]}-{day[6:8]}" for set_id, day in rows if len(day) == 8}


if __name__ == "__main__":
    sys.exit(main())
