"""What a patient says of one medicine → how it is taken and what happened. English as it is spoken; no drug by name.

The sentence is cut where its thought turns (but, so, because …); each part is read for what it is: how it is taken,
what was missed, doubled or stopped, a question, what somebody else takes, how it used to be. A part that is none of
these says nothing, and nothing is made of it.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from msgspec.structs import replace

from safety.dosing import reported as r
from safety.dosing.reported import Intake, Reported
from safety.dosing.statements_amounts import BARE, NOT_AN_INTAKE, read_intakes, slots_of
from safety.dosing.statements_words import plain_words

NAME = "itsname"
"""What stands in the text where the medicine was named."""

_CUT = re.compile(
    r"(?:[;!?]|(?<!\d)\.(?=\s|$)|(?<=\d)\.(?=\s|$))\s*|,? (?=(?:but|though|although|however|so|because|cause|and then|"
    r"then i|and i|and (?:take|took|taking)|"
    r"while|until|unless|except|since i|thinking|which)\b)|, (?=(?:i|it|my|she|he|you|if|when|and|no|not|just|too|forgot|"
    r"sometimes i)\b)"
)
_OTHERS = re.compile(
    r"\bmy (?:\w+ )?(?:husband|wife|son|daughter|mother|father|mom|dad|brother|sister|friend|neighbou?r|cousin|aunt|uncle|"
    r"partner|roommate|dog|cat)(?: \w+)? (?:takes?|took|taking|is on|uses|has|gets|is taking)\b"
)
_QUESTION = re.compile(
    r"^(?:\w+ )?(?:should|can|could|may|shall|would it|is it|am i|do i|does|what|how|why|when should|will)\b(?! i have| not)"
)
_PAST = re.compile(
    r"\b(?:used to|was (?:taking|on)|back then|years? ago|in the past|last year|before that|previously|at first)\b"
)
_WAS_TOLD = re.compile(
    r"\b(?:supposed to|told (?:me|us) to|was told|am told|meant to|should be (?:taking|on)|says to|wants me|"
    r"prescribed (?:me )?\d|"
    r"(?:doctor|nurse|pharmacist|cousin|friend|neighbou?r|sister|brother|wife|husband|she|he|they) (?:said|says|ordered|"
    r"has me|put me)|prescription is|it says (?:to )?take)\b"
)
_MAYBE_LATER = re.compile(
    r"\b(?:thinking (?:of|about)|planning to|going to|plan to|want to|will)\b (?:\w+ )?(?:tak|start|doubl|stop|refill)"
)
_CORRECTION = re.compile(
    r",? ?\b(?:no wait|wait no|no sorry|sorry|i mean|i meant|scratch that|correction|or rather|make that|actually no|"
    r"no actually)\b,? ?"
)
_CONTRAST = re.compile(
    r"\b(?:instead of|rather than|not the|as opposed to)\b(?: (?:the|my|prescribed|a|taking|at|in))* ?(?P<other>[^,.;]*)"
)
_NOT_BUT = re.compile(r"\b(?:do|did|am|would|will|have) (?:not|never) (?:ever )?(?:take|taking|taken|took|double|"
        r"use)\b[^,.;]*\d[^,.;]*|"
                      r"\bnot \d[^,.;]*(?=,|$)")  # fmt: skip
_NEVER = re.compile(
    r"\b(?:never|not|no|without|nor)(?: (?:ever|once|really|a|any|to|been|taken|take|taking|have|had|would|will)){0,2} ?$"
)

_AS_TOLD = re.compile(
    r"\bas (?:it is )?(?:prescribed|directed|instructed|ordered|recommended|indicated|told|written|advised)\b|"
    r"\b(?:like|just like|the way|exactly|exactly like|how|what|as) (?:it|the|my|i|they|you|he|she|that)? ?(?:\w+ ){0,2}?"
    r"(?:says?|said|told|tells|ordered|supposed to|prescribed|written|wrote|should|reads)\b|"
    r"\b(?:follow(?:ing|ed)?|according to|per|by|going by) (?:the |my |all )?(?:\w+ )?(?:directions?|label|instructions?|"
    r"prescription|bottle|"
    r"orders|doctor s orders|package)\b|\b(?:same as|just as) (?:prescribed|the prescription)\b"
)
_EVENTS: list[tuple[str, re.Pattern[str]]] = [(event, re.compile(pattern)) for event, pattern in [
    (r.UNSURE, r"\b(?:not (?:always |really )?sure|do not (?:know|remember|recall)|can not (?:remember|recall)|"
        r"could not (?:remember|recall)|"
     r"forgot|forget|unsure|wonder(?:ing)?|do not think i remember)\b (?:\w+ ){0,2}?(?:if|whether|that)\b"),
    (r.IF_MISSED, r"\b(?:if|when(?:ever)?|every time|any ?time) (?:i|she|he|we) (?:ever |happen to )?(?:forget|miss|skip|"
        r"forgot|missed)"),
    (r.FORGOTTEN, r"\b(?:(?:when(?:ever)?|if) i (?:can |do |happen to )?remember|forg[eo]t(?:s|ten|ting)?|missed|miss(?:es|"
        r"ing)?|slip(?:s|ped)? my mind|did not remember)\b(?! (?:i|that i) (?:already|had))"),
    (r.SKIPPED, r"\b(?:skip(?:s|ped|ping)?|(?:left|leave|leaving) (?:it |1 |one |the \w+ )?out|(?:do|does|"
        r"did) not (?:always|bother)|go without|went without)\b"),
    (r.SKIPPED, r"\b(?:have|has|had|did|do) not (?:\w+ )?(?:taken|had|took|take|taking|have) (?:it|my|the|any|itsname|mine)?\b"
     r".*\b(?:today|yesterday|yet|this (?:morning|week|evening)|last night|since|in (?:\d+|a) |for (?:\d+|a|the|about) )"),
    (r.IRREGULAR, r"\b(?:when(?:ever)? i (?:can |do )?(?:feel|think|need|get around)|only when|now and (?:then|again)|"
        r"1 times in a while|here and there|"
     r"from time to time|most (?:days|nights|mornings|evenings|of the time)|almost every|some (?:days|nights)|"
     r"not (?:\w+ ){0,3}(?:regularly|consistently|every day)|"
     r"on (?:the )?days (?:that )?i (?:do )?(?:take|remember)|when i do take it|if i take it|on and off|off and on|"
     r"every so often|occasionally|hardly|rarely|half the time|not very good (?:at|about)|irregularly)\b"),
    (r.RAN_OUT, r"\b(?:lost (?:the|my|it|them)|never (?:got|received|filled|picked up) (?:it|them|the|my)|not cover|"
        r"been (?:\w+ )?out (?:since|for|of)|(?:ran|run|running|runs) (?:clean |all |completely )?out|(?:am|"
        r"was|been|is|are) (?:all |completely |clean )?out of|"
     r"no (?:more )?(?:\w+ )?left|none left|not have any (?:\w+ ){0,2}(?:left|more)|all gone|used (?:it|them) all up|"
     r"(?:pharmacy|store|drugstore|they) (?:was|were|is|are) (?:\w+ )?out\b|"
     r"not (?:been able to )?(?:yet )?(?:pick(?:ed)? (?:it |them |that )?up|"
     r"refill(?:ed)?|fill(?:ed)?|gotten|get|got) ?(?:the |my |a |it |them )?(?:refill|prescription|filled|refilled|up|yet)?|"
     r"wait(?:ing)? (?:on|for) (?:the |my |a )?(?:refill|pharmacy|insurance|prior)|(?:can|could) not afford|(?:bottle|box|"
     r"supply|pills?) (?:is|are|was|were) (?:\w+ )?"
     r"(?:empty|gone|finished)|(?:took|used) (?:the|my) last (?:one|1|pill|tablet))\b"),
    (r.STOPPED, r"\b(?:stop(?:ped|ping)?|quit|gave (?:it )?up|given (?:it )?up|(?:came|went|got|taken|took myself|"
        r"am) off(?: of)? (?:it|itsname|that|the|them)|weaned|discontinued|(?:am |been )?holding (?:it|them|off))\b"),
    (r.STOPPED, r"\b(?:no longer|not) (?:tak(?:e|ing|en)|us(?:e|ing)|on) ?(?:it|them|that|this|any|mine|itsname|anything|"
        r"that one|this one|my itsname)?(?: of it)?(?: any ?more| now| at all| these days)?$|"
     r"\bnever (?:started|filled|began|took)\b"),
    (r.NOT_NEEDED, r"\bnone (?:at all|lately|this week|so far)\b|\b(?:not|never|hardly ever|hardly|rarely|"
        r"do not) (?:really )?(?:needed|need)\b"),
    (r.DOUBLE, r"\bdoubl(?:e|ed|es|ing)\b|\b2 times as (?:much|many)\b|\b2 (?:doses )?(?:by (?:mistake|accident)|"
        r"together)\b|\b(?:took|taken|had|injected|used) (?:it|them|mine|my (?:\w+ ){0,2}\w+|that) 2 times by\b"),
    (r.EXTRA, r"\b(?:another(?: one| dose| pill| tablet)?|an? extra|extra (?:one|1|dose|pill|tablet|\d)|(?:1|one) (?:more|"
        r"extra)|a second (?:one|dose|pill|tablet)|"
     r"more than i should|too many (?:pills|tablets|of)|(?:took|take|taking) too (?:much|many))\b"),
    (r.TO_BE_SAFE, r"\b(?:to be (?:\w+ )?(?:safe|sure|certain)|on the safe side|safe side|just in case)\b"),
    (r.MAKE_UP, r"\b(?:mak(?:e|ing) (?:it )?up|made (?:it )?up|catch(?:ing)? up|caught up|to replace)\b"),
    (r.BY_ACCIDENT, r"\b(?:accident(?:al(?:ly)?)?|mistake(?:nly)?|by error|already (?:had|took|taken))\b"),
    (r.ALL_AT_ONCE, r"\b(?:together|all at the same time|at the same time|in 1 go|at 1 time|all of (?:it|them)|(?:whole|"
        r"entire) day)\b"),
    (r.HALF_DOSE, r"\b(?:a )?half (?:a |the |my |of the |of my )?dose|half (?:the|my|of what)\b"),
    (r.HALVED, r"\b(?:cut(?:s|ting)?|split(?:s|ting)?|br(?:eak|eaking|oke)|halv(?:e|ed|ing)|snap(?:ped)?)\b.*\b(?:0\.5|"
        r"half|halves|2)\b|\b(?:pill|tablet) splitter\b|"
     r"\b(?:cut|split|break|cutting|splitting|breaking) (?:it|them|the|my|each|1)\b"),
    (r.BROKEN_UP, r"\b(?:crush(?:es|ed|ing)?|chew(?:s|ed|ing)?(?! gum)|grind|ground (?:it|them) up|dissolv(?:e|ed|ing)|"
        r"open (?:it|them|the|up)|cut(?:ting)?|split(?:ting)?|break(?:ing)?)\b"),
    (r.LASTED_SHORT, r"\bonly lasted\b|\branning out early|\bran out (?:too )?early|\brun out (?:too )?early"),
]]  # fmt: skip
_NOT_YET = re.compile(
    r"\b(?:almost|about to|nearly|going to|getting|soon|running low|close to|next (?:week|month)|before i|will)\b"
)
_STOP_WORDS = re.compile(r"\bnot (?:tak|us)\w* (?:it|itsname)? ?(?:\w+ )?(?:as|like|right|correctly|properly)")
_IN_PURPOSE = re.compile(
    r"\b(?:so (?:that )?i (?:do|will|would|can) not|so as not to|not to|to not|or i) (?:forget|miss|skip)\w*"
)


def read_statement(text: str, bare_unit: str = BARE) -> Reported:
    """What a text says of one medicine; the medicine's name is told by the word `itsname`.

    `bare_unit` is what a number above ten without a unit counts: that of the prescription.
    """
    words = plain_words(text)
    intakes: list[Intake] = []
    events: list[str] = []
    kept: list[str] = []
    past = False
    supposed: list[str] = []
    apart: list[str] = []
    for part in _parts(words):
        part = _IN_PURPOSE.sub("", part)
        if (hangs := _HANGS_ON.search(part)) is not None:
            events += [r.IRREGULAR] if re.search(r"\bonly\b", part[: hangs.start()]) else []
            part = _HANGS_ON.sub(" ", part)
        if _says_nothing(part):
            continue
        if _CHANGED.search(part):
            events.append(r.CHANGED)
            continue
        if _EXCEPT.search(part) and kept and not _events(part):
            apart.append(part)
            continue
        if _PAST.search(part) and " still " not in f" {part} ":
            past = True
            rest = re.split(r"\b(?:now|these days|currently)\b", part, maxsplit=1)
            if len(rest) == 1:
                continue
            part = rest[1]
        part, contrasts = _contrasted(part, bare_unit)
        events += contrasts
        told = _told_otherwise(part)
        found = [] if told else _events(part)
        events += found
        if told:
            supposed.append(part)
            continue
        if set(found) & _NO_AMOUNTS and not set(found) & {r.DOUBLE, r.EXTRA, r.MAKE_UP}:
            part = _before_miss(part)
        kept.append(_IN_HALVES.sub(" ", _NEVER_MISS.sub(" ", _NOT_BUT.sub(" ", part))))
    corrected = _corrected(" , ".join(k for k in kept if k))
    intakes += read_intakes(corrected, bare_unit)
    intakes += _exceptions(apart, intakes, bare_unit)
    if supposed and intakes:
        events += _compared(corrected, " , ".join(supposed), bare_unit)
    if past and not intakes and not events:
        events.append(r.STOPPED)
    return Reported(text, tuple(i for i in intakes if not i.empty), tuple(dict.fromkeys(_settled(events, words))))


_NEVER_MISS = re.compile(
    r"\b(?:never|not|rarely|hardly ever) (?:ever )?(?:miss|skip|forget|forgot|missed|skipped)\w*(?: (?:a|any|1|"
    r"one)(?: dose| pill)?)?"
)
_IN_HALVES = re.compile(r"\b(?:in|into) (?:0\.5|half|halves|2)\b")


def _before_miss(part: str) -> str:
    """What is said to be taken before the words of missing it: "I take one in the morning and forget the rest"."""
    found = _MISS_WORD.search(part)
    before = part[: found.start()] if found else ""
    return before if re.search(r"\b(?:take|took|taking)\b.*\d", before) else ""


_MISS_WORD = re.compile(r"\b(?:and |but )?(?:i )?(?:forg[eo]t|miss|skip|ran out|run out|stop|quit)")
_NO_AMOUNTS = frozenset({r.FORGOTTEN, r.SKIPPED, r.RAN_OUT, r.STOPPED, r.UNSURE})


def _parts(words: str) -> list[str]:
    """The statement cut where its thought turns; a question mark stays with what it ends."""
    marked = re.sub(r"\?", " qmark ?", words)
    parts = [p.strip(" ,.") for p in _CUT.split(marked) if p]
    return [p.replace("qmark", "").strip() if not _asks(p) else "should " + p.replace("qmark", "").strip() for p in parts if p]


def _says_nothing(part: str) -> bool:
    """Whether a part is about somebody else, a question, a wish, a plan, or a number that is no dose."""
    if _OTHERS.search(part) or NOT_AN_INTAKE.search(part) or _QUESTION.search(part) or _WISH.search(part):
        return True
    return bool(_MAYBE_LATER.search(part)) and not _TODAY.search(part)


_WISH = re.compile(
    r"\b(?:i|she|he) (?:would|could|might|ought to|wish)\b(?! (?:not|never|say|guess|take another|take an extra|"
    r"be taking another))"
)
_TODAY = re.compile(r"\bsafe\b|\bthis (?:afternoon|evening)\b|\btonight\b|\blater today\b")
_HANGS_ON = re.compile(
    r"\b(?:if|when|whenever|unless) (?:my|the|his|her) (?:blood )?(?:pressure|sugar|glucose|heart rate|pulse|weight|pain|"
    r"ankles?|legs?|bp)\b"
    r"[^,.;]*?(?=,|;|$| i (?:take|took|skip|do|just|give|use))"
)
_EXCEPT = re.compile(r"^(?:except|unless|but on|and on)\b")
_CHANGED = re.compile(
    r"\b(?:doctor|nurse|cardiologist|provider|specialist|he|she|they) (?:\w+ )?(?:upped|raised|increased|lowered|decreased|"
    r"changed|bumped|"
    r"switched|reduced|cut|put) (?:it|me|my|the|that)\b"
)


def _exceptions(parts: list[str], intakes: list[Intake], bare_unit: str) -> list[Intake]:
    """As in "one a day, except Wednesdays when I take two": another dose now and then, in place of the usual one."""
    strength = next((i.strength for i in intakes if i.strength is not None), None)
    found = [i for part in parts for i in read_intakes(part, bare_unit) if i.dose is not None]
    return [replace(i, times=(Fraction(0), Fraction(0)), slots=(), strength=i.strength or strength) for i in found]


def _asks(part: str) -> bool:
    """Whether a part that ends in a question mark asks something, rather than naming a medicine ("My itsname?")."""
    asked = re.sub(r"^(?:and|so|but|or) ", "", part)
    return "qmark" in part and bool(_QUESTION.search(asked) or re.match(r"(?:is|are|was|were|have|has|did|or)\b", asked))


def _told_otherwise(part: str) -> bool:
    """Whether it says what is to be taken, not what is: "supposed to take two"."""
    return bool(_WAS_TOLD.search(part)) and not _AS_TOLD.search(part)


def _contrasted(part: str, bare_unit: str) -> tuple[str, list[str]]:
    """As in "two instead of one": the part without what was right, and which way it differs."""
    found = _CONTRAST.search(part)
    if found is None:
        return part, []
    before, other = part[: found.start()], found["other"]
    return (before + part[found.end() :]).strip(), _compared(before, other, bare_unit)


def _compared(mine: str, right: str, bare_unit: str) -> list[str]:
    """Which way two amounts or two frequencies told side by side differ."""
    often, amount = re.search(r"(\d+(?:\.\d+)?) times", mine), re.search(r"(\d+(?:\.\d+)?)(?! times)", mine)
    often2 = re.search(r"(\d+(?:\.\d+)?)(?: times|$)", right) if often and not amount else None
    if often and often2:
        a, b = Decimal(often[1]), Decimal(often2[1])
        return [] if a == b else [r.MORE_OFTEN if a > b else r.LESS_OFTEN]
    right_amount = re.search(r"(\d+(?:\.\d+)?) ?(mg|mcg|g)?", right) or (re.search(r"\b()(one)\b", right) and None)
    if amount is None or right_amount is None or "times" in right:
        return []
    mine_amount = re.search(r"(\d+(?:\.\d+)?) ?(mg|mcg|g)?", mine)
    assert mine_amount is not None
    if mine_amount[2] and right_amount[2] and mine_amount[2] != right_amount[2]:
        return []
    a, b = Decimal(mine_amount[1]), Decimal(right_amount[1])
    return [] if a == b else [r.MORE_DOSE if a > b else r.LESS_DOSE]


def _events(part: str) -> list[str]:
    """What is said to have happened, unless it is denied in the same breath."""
    found: list[str] = []
    negated_told = re.search(r"\b(?:not|never) (?:\w+ ){0,3}(?:as|like|the way)\b", part)
    if _AS_TOLD.search(part) and not negated_told:
        found.append(r.AS_PRESCRIBED)
    elif negated_told and _AS_TOLD.search(part):
        return found
    for event, pattern in _EVENTS:
        m = pattern.search(part)
        if m is None or _NEVER.search(part[: m.start()]):
            continue
        if event == r.RAN_OUT and _NOT_YET.search(part):
            continue
        if event == r.STOPPED and _STOP_WORDS.search(part):
            continue
        found.append(event)
    if r.UNSURE in found or r.IF_MISSED in found:
        found = [e for e in found if e != r.FORGOTTEN and (e != r.SKIPPED or r.IF_MISSED not in found)]
    return found


def _settled(events: list[str], words: str) -> list[str]:
    """Events that explain one another brought together."""
    told = set(events)
    if r.NOT_NEEDED in told:
        told -= {r.IRREGULAR, r.STOPPED, r.SKIPPED}
    if r.FORGOTTEN in told or r.RAN_OUT in told:
        told -= {r.IRREGULAR}
    if r.EXTRA in told:
        told -= {r.IRREGULAR}
    if r.EXTRA in told and r.TO_BE_SAFE not in told and r.UNSURE in told:
        told.add(r.TO_BE_SAFE)
    if r.TO_BE_SAFE in told and r.EXTRA not in told:
        told -= {r.TO_BE_SAFE}
    return [e for e in events if e in told] + sorted(told - set(events))


def _corrected(text: str) -> str:
    """After "no wait" what was said before of the same kind no longer counts."""
    pieces = _CORRECTION.split(text)
    if len(pieces) == 1:
        return text
    kept = pieces[-1]
    earlier = " , ".join(pieces[:-1])
    later = read_intakes(kept)
    has_amount = any(i.dose or i.per_day for i in later)
    has_times = any(i.times for i in later)
    if has_amount:
        earlier = re.sub(r"\d+(?:\.\d+)? ?(?:mg|mcg|g|unit|ml|tablets?|pills?|capsules?)\b", " ", earlier)
    if has_times:
        earlier = re.sub(r"\d+ times(?: (?:a|per|every) \w+| daily)?", " ", earlier)
    return f"{earlier} , {kept}"


def slots_told(text: str) -> tuple[str, ...]:
    """The parts of the day that directions name."""
    return slots_of(plain_words(text))


def with_strength(told: Reported, strength: str, bare_unit: str = BARE) -> Reported:
    """The statement with a strength told in a field of its own."""
    read = read_intakes(f"the {plain_words(strength)} ones", bare_unit)
    held = next((i.strength or (i.dose[0] if i.dose else None) for i in read), None)
    if held is None:
        return told
    kept = told.intakes or (Intake(),)
    return replace(told, intakes=tuple(replace(i, strength=i.strength or held) for i in kept))
