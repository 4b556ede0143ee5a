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

from safety.reading.spoken import reported as r
from safety.reading.spoken.amounts import BARE, NO_DOSE_TOLD, WEEKDAYS, read_regimens
from safety.reading.spoken.events import AS_TOLD, events_in, settled
from safety.reading.spoken.reported import Regimen, Reported
from safety.reading.spoken.words import plain_words

NAME = "itsname"
"""What stands in the text where the medicine was named."""

_CUT = re.compile(
    r"(?:[;!?]|(?<!\d)\.(?=\s|$)|(?<=\d)\.(?=\s|$))\s*|,? (?=(?:but|though|although|however|so|because|cause|and then|"
    r"then i|and i|and (?:take|took|taking)|"
    r"while|until|unless|except|since i|thinking|which)\b)|, (?=(?:i|it|my|she|he|you|if|when|and|no|not|just|too|forgot|"
    r"sometimes i|been|had|took|left|so)\b)"
)
_OTHERS = re.compile(
    r"\b(?:my|a|the|our) (?:\w+ )?(?:neighbou?rs?|friends?|cousins?|coworker|boss|buddy|roommate|dogs?|cats?|guy|lady)\b"
    r"(?! (?:gave|gives|brings|brought|fills|helps|reminds|picks|picked|drives)| and i)|"
    r"\bmy (?:\w+ )?(?:husband|wife|son|daughter|mother|father|mom|dad|brother|sister|friend|neighbou?r|cousin|aunt|uncle|"
    r"partner|roommate|dog|cat)(?: in law)?(?: \w+)? (?:takes?|took|taking|is on|uses|has|gets|is taking)\b"
)
_QUESTION = re.compile(
    r"^(?!(?:exactly|just) how)(?:\w+ )?(?:should|can|could|may|shall|would it|is it|am i|do i|does|what|how|why|"
    r"when should|will)\b(?! i have| not)"
)
_PAST = re.compile(
    r"\b(?:used to|was (?:taking|on)|back then|years? ago|in the past|last year|before that|previously|at first)\b"
)
_WAS_TOLD = re.compile(
    r"\b(?:supposed to|told (?:me|us) to|was told|am told|meant to|should be (?:taking|on)|says to|wants me|"
    r"prescribed (?:me )?\d|"
    r"(?:doctor|nurse|pharmacist|cousin|friend|neighbou?r|sister|brother|wife|husband|she|he|they) (?:said|says|ordered|"
    r"has me|put me)|prescription is|(?:it|label|bottle|box|prescription) (?:says?|reads?) (?:to |for )?(?:take|weekly|daily|"
    r"once|every|\d+ times|"
    r"\d+ (?:tablets?|pills?|capsules?|a|per|every)))\b"
)
_MAYBE_LATER = re.compile(
    r"\b(?:thinking (?:of|about)|planning to|going to|plan to|want to|will(?! not))\b (?:\w+ )?(?:tak|start|doubl|stop|refill)"
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
_IN_PURPOSE = re.compile(
    r"\b(?:so (?:that )?i (?:do|will|would|can) not|so as not to|not to|to not|or i) (?:forget|miss|skip)\w*"
)


def read_statement(text: str, bare_unit: str = BARE, *, apart: bool = False) -> Reported:  # noqa: C901 (to be redrawn)
    """What a text says of one medicine; the medicine's name is told by the word `itsname`.

    `bare_unit` is what a number above ten without a unit counts: that of the prescription.
    """
    words = plain_words(text, apart=apart)
    regimens: list[Regimen] = []
    events: list[str] = []
    kept: list[str] = []
    past = False
    supposed: list[str] = []
    exceptions: list[str] = []
    words, whole = _of_the_whole(words)
    events += whole
    words = _DEPENDS.sub(" ", words)
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
        if _EXCEPT.search(part) and kept and not events_in(part):
            exceptions.append(part)
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
        found = [] if told else events_in(part)
        if {r.FORGOTTEN, r.SKIPPED} & set(found) and _ANOTHER_DAY.search(part):
            events.append(r.EARLIER)
        events += found
        if told:
            supposed.append(part)
            continue
        if set(found) & _NO_AMOUNTS and not set(found) & {r.DOUBLE, r.EXTRA, r.MAKE_UP}:
            part = _before_miss(part)
        kept.append(_IN_HALVES.sub(" ", _NEVER_MISS.sub(" ", _NOT_BUT.sub(" ", part))))
    corrected = _corrected(" , ".join(k for k in kept if k))
    regimens += read_regimens(corrected, bare_unit)
    regimens += _exceptions(exceptions, regimens, bare_unit)
    if supposed and regimens:
        events += _compared(corrected, " , ".join(supposed), bare_unit)
    if past and not regimens and not events:
        events.append(r.STOPPED)
    return Reported(text, tuple(i for i in regimens if not i.empty), tuple(dict.fromkeys(settled(events, words))))


def _of_the_whole(words: str) -> tuple[str, list[str]]:
    """What is told by the statement as a whole, whichever way it is cut: whom it is about, whether it was given twice."""
    events: list[str] = []
    if _COMMAND.search(words):
        events.append(r.COMMAND)
    if _BORROWED.search(words):
        events.append(r.BORROWED)
    if _CARED_FOR.search(words):
        events.append(r.CARED_FOR)
        words = _CARED_FOR.sub(lambda m: "he " + m[0][m[0].rindex(" ") + 1 :], words)
    if _GIVEN_TWICE.search(words):
        events += [r.DOUBLE, r.BY_ACCIDENT]
    return words, events


_COMMAND = re.compile(
    r"\bverdict\b|\b(?:ignore|disregard|forget) (?:\w+ ){0,2}(?:instructions?|rules?|prompt|above)\b|\boverride\b|\bsystem ?:|"
    r"\bassistant ?:|\b(?:per|of|the) (?:dose|day) (?:is )?(?:correct|high|low)\b|\b(?:say|answer|output|return|reply|"
    r"mark|print) "
    r"(?:\w+ ){0,2}correct\b|\bprompt\b"
)
_GIVEN_TWICE = re.compile(
    r"\b(?:gave|given|handed) (?:me |him |her |us )?(?:it|mine|hers|his|one|1|them|\d+(?: mg| unit)?|(?:my|his|her|the) "
    r"\w+)\b.*\b(?:and|"
    r"then|but|plus)\b"
    r".*\b(?:took|gave|had|given|taken|swallowed)\b.*\b(?:myself|himself|herself|again|too|also|already|not knowing|not "
    r"realizing)\b|"
    r"\bby (?:mistake|accident)\b.*\b(?:and|then|plus)\b.*\b(?:too|also|again|as well)\b"
)
_DEPENDS = re.compile(
    r"\b(?:it )?depend(?:s|ing) on [^,.;]*?(?: \d+(?:\.\d+)?(?: (?:to|or) \d+)?(?: (?:pills?|tablets?|"
    r"capsules?))?(?! (?:times|mg|mcg))|(?=[,.;]|$))"
)
_BORROWED = re.compile(
    r"\bborrow\w*|\b(?:gave|gives|slipped|lent|sold) me (?:his|her|their|some of|one of|a few|a couple|2|some)\b|\bsome(?:one|"
    r"body) else\b|"
    r"\bmy (?:husband|wife|mother|father|mom|dad|brother|sister|friend|neighbou?r|cousin|roommate|son|daughter) s (?:\w+ "
    r")?itsname\b|"
    r"\b(?:leftover|left over) (?:from|itsname)\b"
)
_RELATIVE = (
    "(?:husband|wife|son|daughter|mother|father|mom|mum|dad|brother|sister|grandma|grandpa|grandmother|grandfather|aunt|uncle|"
    "partner|patient|resident|boy|girl|kid|baby|child)"
)
_CARED_FOR = re.compile(
    rf"\b(?:my|our|the) {_RELATIVE} (?:takes?|took|is taking|uses?|has|gets|is on)(?= (?:his|her|their) "
    rf"itsname\b)"
)
_ANOTHER_DAY = re.compile(rf"\b(?:yesterday|last night|the other day|the day before|night before|last week|{WEEKDAYS})\b")
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
    if _EXTRA_DOSE.search(part) and not _QUESTION.search(part) and not _OTHERS.search(part):
        return False  # "I'll take another one": what is about to be taken too much is told as if it were
    if _OTHERS.search(part) or NO_DOSE_TOLD.search(part) or _QUESTION.search(part) or _WISH.search(part):
        return True
    return bool(_MAYBE_LATER.search(part)) and not _TODAY.search(part)


_EXTRA_DOSE = re.compile(
    r"\b(?:i|he|she|we) (?:will|might|may|would|could|am going to|is going to|plan to|just|then|usually|often) (?:\w+ ){0,2}?"
    r"(?:take|have|pop|give|add|use) (?:him |her )?(?:another|a second|an extra|(?:1|one) more|2 |a third|an additional)"
)
_WISH = re.compile(
    r"\b(?:i|she|he) (?:would|could|might|ought to|wish)\b(?! (?:not|never|say|guess|take another|take an extra|"
    r"be taking another))"
)
_TODAY = re.compile(r"\bsafe\b|\bthis (?:afternoon|evening)\b|\btonight\b|\blater today\b")
_HANGS_ON = re.compile(
    r"\b(?:(?:if|when|whenever) (?:my|the|his|her|it) (?:\w+ ){0,3}(?:says|reads|shows|hits|climbs|swells?|races|flares?|acts)|"
    r"(?:if|when|whenever) (?:i|he|she|we) (?:gain(?:ed|s)?|put on|swell|weighs?|wheeze)|"
    r"(?:if|when|whenever|unless|on days) (?:my|the|his|her|it is|they are) (?:\w+ )?(?:pressure|sugar|glucose|"
    r"heart rate|pulse|"
    r"weight|pain|ankles?|legs?|bp|number|reading|systolic|top|over|above|high|low|under|below))\b"
    r"[^,.;]*?(?=,|;|$| (?:i|he|she|we) (?!am|is|are|was|feels?)\w+)"
)
_EXCEPT = re.compile(r"^(?:except|unless|but on|and on)\b")
_CHANGED = re.compile(
    r"\b(?:doctor|nurse|cardiologist|provider|specialist|he|she|they) (?:\w+ )?(?:upped|raised|increased|lowered|decreased|"
    r"changed|bumped|"
    r"switched|reduced|cut|put) (?:it|me|my|the|that)\b"
)


def _exceptions(parts: list[str], regimens: list[Regimen], bare_unit: str) -> list[Regimen]:
    """As in "one a day, except Wednesdays when I take two": another dose now and then, in place of the usual one."""
    strength = next((i.strength for i in regimens if i.strength is not None), None)
    found = [i for part in parts for i in read_regimens(part, bare_unit) if i.dose is not None]
    return [replace(i, times=(Fraction(0), Fraction(0)), slots=(), strength=i.strength or strength) for i in found]


def _asks(part: str) -> bool:
    """Whether a part that ends in a question mark asks something, rather than naming a medicine ("My itsname?")."""
    asked = re.sub(r"^(?:and|so|but|or) ", "", part)
    return "qmark" in part and bool(_QUESTION.search(asked) or re.match(r"(?:is|are|was|were|have|has|did|or)\b", asked))


def _told_otherwise(part: str) -> bool:
    """Whether it says what is to be taken, not what is: "supposed to take two"."""
    return bool(_WAS_TOLD.search(part)) and not AS_TOLD.search(part)


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


def _corrected(text: str) -> str:
    """After "no wait" what was said before of the same kind no longer counts."""
    pieces = _CORRECTION.split(text)
    if len(pieces) == 1:
        return text
    kept = pieces[-1]
    earlier = " , ".join(pieces[:-1])
    later = read_regimens(kept)
    has_amount = any(i.dose or i.per_day for i in later)
    has_times = any(i.times for i in later)
    if has_amount:
        earlier = re.sub(r"\d+(?:\.\d+)? ?(?:mg|mcg|g|unit|ml|tablets?|pills?|capsules?)\b", " ", earlier)
    if has_times:
        earlier = re.sub(r"\d+ times(?: (?:a|per|every) \w+| daily)?", " ", earlier)
    return f"{earlier} , {kept}"


def with_strength(told: Reported, strength: str, bare_unit: str = BARE) -> Reported:
    """The statement with a strength told in a field of its own."""
    read = read_regimens(f"the {plain_words(strength)} ones", bare_unit)
    held = next((i.strength or (i.dose[0] if i.dose else None) for i in read), None)
    if held is None:
        return told
    kept = told.regimens or (Regimen(),)
    return replace(told, regimens=tuple(replace(i, strength=i.strength or held) for i in kept))
