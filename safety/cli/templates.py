"""What `medsafe new` writes: files to be filled in.

What only the author can know (which medicine, which harm, which source) stands there as `….to-be-…`, and `medsafe lint`
refuses it until it is written; what only they can word begins with TODO, which it refuses once the rule is active.
"""

from __future__ import annotations

from datetime import date, timedelta

from safety.knowledge.nouns import TO_BE_READ

_DRUG, _OTHER, _HARM = "drug.to-be-named", "drug.to-be-named-too", "harm.to-be-named"
_LAB, _OTHER_LAB = "lab.to-be-named", "lab.to-be-named-too"
_RULE = """\
id: {id}
title: "TODO: the problem in at most nine words"
kind: {word}
status: draft                     # becomes active when its evidence was read and its cases are written
severity: moderate                # contraindicated major moderate minor
review: {{last: {today}, due: {next_year}, by_whom: []}}

condition:                        # whom is this about? every line must hold
{who}constraint:
  {constraint}
action:
  do: monitor                     # stop replace reduce increase separate add monitor ask inform
  target: {target}
  advice: "TODO: what to do about {{{target}}}, in one sentence"
  escalate: pharmacist            # none pharmacist clinician emergency
rationale: {{mechanism: pharmacodynamic, summary: "TODO: why it happens"}}
outcome: {{harm: {harm}, onset: days}}    # an id of kb/harms/, or several, the chief one first
evidence:
  - {{source: {source}, at: "TODO: section", supports: [severity, constraint], checked: {{how: recalled}}}}
cases: []                         # one that breaks it, one near miss, each number from both sides
"""
_ONE = {
    "who": "  - drug: {{id: {drug}, as: drug}}    # or class: class.y, any_of: [...]; kb/roles.yaml lists the words for `as`\n",
    "constraint": "avoid: drug",
    "target": "drug",
}
_TWO = {
    "who": (
        "  - drug: {{id: {drug}, as: affected}}    # or class: class.y, any_of: [...]; kb/roles.yaml lists the words for `as`\n"
        "  - drug: {{id: {other}, as: other}}\n"
    ),
    "constraint": "avoid_together: [affected, other]",
    "target": "affected",
}
_PAIRS = """\
id: {id}
affected: {affected}
status: draft                     # becomes active when its evidence was read and its cases are written
severity: moderate                # contraindicated major moderate minor
review: {{last: {today}, due: {next_year}, by_whom: []}}
pairs:
"""
_ROW = """\
  - id: {name}
    with: {other}
    status: draft
    severity: moderate
    do: {{monitor: affected}}       # stop replace reduce increase separate add monitor ask inform
    advice: "TODO: what to do about {{affected}}, in one sentence"
    why: {{pharmacokinetic: "TODO: why it happens"}}
    outcome: {{harm: {harm}, onset: days}}
    evidence: {{source: {source}, at: "TODO: section", checked: {{how: recalled}}}}
    fires: {{}}                     # {{both together are flagged: [one 1 mg oral daily, other 1 mg oral daily]}}
    quiet: {{}}
    review: {{last: {today}, due: {next_year}, by_whom: []}}
"""

_FACTS = {
    "drug": "id: {id}\nname: {name}\nsynonyms: []\nbrands: []\nsalts: []\nsupply: prescription\nroutes: [oral]\n",
    "product": (
        "id: {id}\nname: {title}\nsupply: otc\nroute: oral\npresentations:\n"
        "  - {{form: tablet, per: 1 tablet, contains: {{{drug}: unstated}}}}\n"
    ),
    "class": "id: {id}\nname: {name}\nsynonyms: []\nmembers:\n  - {drug}\n",
    "pathway": (
        "id: {id}\nname: {title}\ninhibitors:\n  strong:               # moderate weak variable; `inducers:` likewise\n"
        "    members: [{drug}]\n    evidence: [{{source: {source}, at: section, checked: {{how: recalled}}}}]\n"
    ),
    "condition": "id: {id}\nname: {name}\nsynonyms: []\nis_a: []\n",
    "allergen": "id: {id}\nname: {name}\nsynonyms: []\n",
    "food": "id: {id}\nname: {name}\nsynonyms: []\n",
    "harm": "id: {id}\nname: {name}\n",
    "lab": 'id: {id}\nname: {name}\nsynonyms: []\nunit: mg/dL\nplausible: {{at_least: "0"}}\n',
    "panel": 'id: {id}\nname: {name}\nsynonyms: []\nparts: [{lab}, {other_lab}]\nbetween: ["/"]\n',
    "alternative": (
        "id: {id}\ntitle: {title}\ninstead_of: {drug}\nfor: []                # conditions; none: whatever it is taken for\n"
        "offer:\n  - {{drug: {drug}, order: {name} as it would be ordered}}\n"
    ),
    "constraint": (
        "id: {id}\ntitle: {title}\nsays: [words that ask for {name}]\nasks: {{not_by: parenteral}}   # others: kb/README.md\n"
    ),
    "gene": "id: {id}\nname: {name}\nsynonyms: []\nstates:\n  carried: [positive]\n  not_carried: [negative]\n",
    "procedure": "id: {id}\nname: {name}\nsynonyms: []\nis_a: []\n",
    "device": "id: {id}\nname: {name}\nsynonyms: []\n",
    "effect": "id: {id}\ntest: {lab}\nrows:\n  - {{of: {drug}, moves: up, as: adverse, note: what to make of it}}\n",
    "figures": "id: {id}\ntitle: {title}\nrows:\n  one: {{at_least: 1 d, under: 2 d}}\n",
    "coverage": (
        "id: {id}\ndrug: drug.{name}\nevidence:\n"
        "  - {{source: {source}, at: whole label, checked: {{how: read, on: {today}, copy: ADDRESS}}}}\n"
        "sections:              # what the label states, a line a statement; `for`: the checks that it matters to\n"
        "  directions: nothing  # of a prescription label: boxed warning, dosage, contraindications …\n"
        "unread: [do not use, ask a doctor, ask if taking, when using, stop use, pregnancy or breastfeeding]\n"
    ),
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
  - {{source: {source}, at: "section 2", supports: [ranges], checked: {{how: recalled}}}}
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
  - {{source: {source}, supports: [factors], checked: {{how: recalled}}}}
"""
_SCORE = """\
id: {id}
title: {title}
lines:
  - {{key: first-thing, yes: 1}}
  - {{key: age, age: [{{at_least: 65, points: 1}}]}}      # also `lab: {lab}` or `unit: cm` with `bands`, and `words`
meanings: []                      # e.g. [{{at_most: 1, says: low risk}}, {{above: 1, says: high risk}}]
evidence:
  - {{source: {source}, supports: [lines], checked: {{how: recalled}}}}
cases:
  - {{given: {{first-thing: yes, age: 65}}, value: 2}}
"""
_POLICY = """\
id: {id}
title: {title}
review: {{last: {today}, due: {next_year}, by_whom: []}}
lines:                            # the first line that fits decides
  - {{severity: [contraindicated, major], interrupt: yes, because: it needs action today}}
"""
_KIND = {"otc": "otc_limit", "otc-disallowed": "otc_disallowed", "result": "lab"}


def template(kind: str, name: str, today: date) -> str:
    """The text of a new file for a kind of entry."""
    values = {**_values(today), "id": f"{kind}.{name}", "name": name.replace("-", " "),
              "title": name.replace("-", " ").capitalize(), "word": _KIND.get(kind, kind)}  # fmt: skip
    if kind == "dose":
        return _DOSE.format(**{**values, "name": name})
    if kind == "policy":
        return _POLICY.format(**values)
    if kind == "score":
        return _SCORE.format(**values)
    if kind == "factors":
        return _FACTORS.format(**values)
    if kind in _FACTS:
        return _FACTS[kind].format(**values)
    slots = _TWO if kind == "interaction" else _ONE
    return _RULE.format(**values, **{key: text.format(**values) for key, text in slots.items()})


def pairs_file(affected: str, name: str, other: str, today: date) -> str:
    """The text of a new file of interactions by the affected drug or class, with a first row."""
    values = {**_values(today), "id": f"interaction.{affected.partition('.')[2]}", "affected": affected}
    return _PAIRS.format(**values) + pairs_row(name, other, today)


def pairs_row(name: str, other: str, today: date) -> str:
    """The text of a new row of such a file."""
    return _ROW.format(**{**_values(today), "name": name, "other": other})


def _values(today: date) -> dict[str, object]:
    return {"drug": _DRUG, "other": _OTHER, "harm": _HARM, "source": TO_BE_READ,
            "lab": _LAB, "other_lab": _OTHER_LAB, "today": today, "next_year": today + timedelta(days=365)}  # fmt: skip
