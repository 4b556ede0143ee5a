"""What `medsafe new` writes: files that pass as they are, to be edited.

The drugs and sources named here are placeholders in text that the author replaces; nothing is judged by them.
"""

from __future__ import annotations

from datetime import date, timedelta

_RULE = """\
id: {id}
title: TITLE IN ONE LINE
kind: {word}
status: draft                     # becomes active when its evidence was read and its cases are written
severity: moderate                # contraindicated major moderate minor
review: {{last: {today}, due: {next_year}, by_whom: []}}

condition:                        # whom is this about? every line must hold
  - drug: {{any: yes, as: medicine}}    # say which: id: drug.x, class: class.y, any_of: [...]
constraint:
  avoid: medicine
action:
  do: monitor                     # stop replace reduce increase separate add monitor ask inform
  target: medicine
  advice: What to do about {{medicine}}, in one sentence.
  escalate: pharmacist            # none pharmacist clinician emergency
rationale: {{mechanism: pharmacodynamic, summary: Why it happens.}}
outcome: {{harm: {harm}, onset: days}}    # an id of kb/harms/, or several, the chief one first
evidence:
  - {{source: {source}, at: "section", grade: label, supports: [constraint], checked: {{how: recalled}}}}
cases: []                         # one that breaks it, one near miss, each number from both sides
"""

_FACTS = {
    "drug": "id: {id}\nname: {name}\nsynonyms: []\nbrands: []\nsalts: []\nsupply: prescription\nroutes: [oral]\n",
    "product": (
        "id: {id}\nname: {title}\nsupply: otc\nroute: oral\npresentations:\n"
        "  - {{form: tablet, per: 1 tablet, contains: {{{drug}: unstated}}}}\n"
    ),
    "class": "id: {id}\nname: {name}\nsynonyms: []\nmembers:\n  - {drug}\n",
    "condition": "id: {id}\nname: {name}\nsynonyms: []\nis_a: []\n",
    "allergen": "id: {id}\nname: {name}\nsynonyms: []\n",
    "food": "id: {id}\nname: {name}\nsynonyms: []\n",
    "harm": "id: {id}\nname: {name}\n",
    "lab": 'id: {id}\nname: {name}\nsynonyms: []\nunit: mg/dL\nplausible: {{at_least: "0"}}\n',
    "figures": "id: {id}\ntitle: {title}\nrows:\n  one: {{at_least: 1 d, under: 2 d}}\n",
    "language": "id: {id}\ntitle: {title}\nwords: [a phrase of {name}]\n",
    "spoken": (
        'id: {id}\nquestion: {title}?\nrows:\n  - id: what-is-said\n    says: nothing\n    words: "words of {name}"\n'
        "    example: these are words of {name}\n    near_miss: these are other words\n"
    ),
    "source": "id: {id}\ntitle: {title}\npublisher: WHO PUBLISHED IT\ntype: label\nlicence: public domain\n",
    "inference": "id: {id}\nwhen:\n  - sex: male\nthen: {{pregnancy: no}}\n",
}
_DOSE = """\
id: {id}
drug: drug.{name}                 # a dose table is named after its drug
status: draft                     # becomes active when its evidence was read and its cases are written
review: {{last: {today}, due: {next_year}, by_whom: []}}
severity: moderate                # of a dose above the most
harm: {harm}    # what too much of it does: an id of kb/harms/, or several, the chief one first
route: oral
ranges:
  - id: adult
    who: [{{age: {{at_least: 18 y}}}}]
    day: {{usual: 1 mg, at_most: 2 mg}}     # also at_least; single, interval, days
adjust: []                        # e.g. - {{id: kidney-30, who: [{{kidney: {{under: 30 mL/min}}}}], day: {{at_most: 1 mg}}}}
evidence:
  - {{source: {source}, at: "section 2", grade: label, supports: [ranges], checked: {{how: recalled}}}}
cases: []                         # CORRECT, HIGH, LOW, UNKNOWN: each number at it and beyond it
"""
_FACTORS = """\
id: {id}
title: {title}
unit: mg/d
reference: {{drug: {drug}, dose: 5 mg}}
factors:
  - {{drug: {drug}, route: oral, per: 1 mg/d, equivalent: 5 mg}}      # or `factor: 1.5`
evidence:
  - {{source: {source}, grade: guideline, supports: [factors], checked: {{how: recalled}}}}
"""
_POLICY = """\
id: {id}
title: {title}
review: {{last: {today}, due: {next_year}, by_whom: []}}
lines:                            # the first line that fits decides
  - {{severity: [contraindicated, major], interrupt: yes, because: it needs action today}}
"""
_KIND = {"otc": "otc_limit", "otc-disallowed": "otc_disallowed"}


def template(kind: str, name: str, today: date) -> str:
    """The text of a new file for a kind of entry, from examples that the embedded knowledge holds."""
    from safety.knowledge.collecting import base_folder

    root = base_folder()
    drug = next((f"drug.{p.stem}" for p in sorted((root / "kb/drugs").glob("*.yaml"))), "drug.example")
    source = next((f"source.{p.stem}" for p in sorted((root / "kb/sources").glob("*.yaml"))), "source.example")
    harm = next((f"harm.{p.stem}" for p in sorted((root / "kb/harms").glob("*.yaml"))), "harm.example")
    values = {"id": f"{kind}.{name}", "name": name.replace("-", " "), "title": name.replace("-", " ").capitalize(),
              "drug": drug, "source": source, "harm": harm, "word": _KIND.get(kind, kind),
              "today": today, "next_year": today + timedelta(days=365)}  # fmt: skip
    if kind == "dose":
        return _DOSE.format(**{**values, "name": name})
    if kind == "policy":
        return _POLICY.format(**values)
    if kind == "factors":
        return _FACTORS.format(**values)
    return _FACTS[kind].format(**values) if kind in _FACTS else _RULE.format(**values)
