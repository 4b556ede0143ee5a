"""The words in which patients tell what happened to a dose: missed, run out, stopped, doubled, halved, taken to be safe."""

from __future__ import annotations

import re

from safety.reading.spoken import reported as r

_NEVER = re.compile(
    r"\b(?:never|not|no|without|nor)(?: (?:ever|once|really|a|any|to|been|taken|take|taking|have|had|would|will)){0,2} ?$"
)

AS_TOLD = re.compile(
    r"\bas (?:it is )?(?:prescribed|directed|instructed|ordered|recommended|indicated|told|written|advised)\b|"
    r"\b(?:like|just like|the way|exactly|exactly like|how|what|as) (?:it|the|my|i|they|you|he|she|that)? ?(?:\w+ ){0,2}?"
    r"(?:says?|said|told|tells|ordered|supposed to|prescribed|written|wrote|should|reads)\b|"
    r"\b(?:follow(?:ing|ed)?|according to|per|by|going by) (?:the |my |all )?(?:\w+ )?(?:directions?|label|instructions?|"
    r"prescription|bottle|"
    r"orders|doctor s orders|package)\b|\b(?:same as|just as) (?:prescribed|the prescription)\b"
)
_WHO = "(?:i|we|he|she|they|you)"
_IT = "(?:it|them|one|1|mine|that|this|itsname|his|hers|(?:the|my|his|her|their) \\w+(?: \\w+)?)"
_EVENTS: list[tuple[str, re.Pattern[str]]] = [(event, re.compile(pattern)) for event, pattern in [
    (r.UNSURE, r"\b(?:if|when(?:ever)?) (?:i|he|she) (?:can|do|does|am|is) not (?:remember|recall|know|sure|certain)\b|"
     r"\b(?:not (?:always |really )?sure|(?:do|does|did|can|could) not (?:know|remember|recall)|"
     r"forgot|forget|unsure|wonder(?:ing)?|do not think i remember|no idea|in doubt)\b (?:\w+ ){0,2}?(?:if|whether|that)\b|"
     r"\bin doubt\b|\bnot (?:remember|recall|sure (?:of|about)) (?:taking|having|giving)\b"),
    (r.IF_MISSED, rf"\b(?:if|when(?:ever)?|every time|any ?time) {_WHO} (?:ever |happen to |do )?(?:forgets?|miss(?:es)?|skips?|"
     r"forgot|missed|oversleeps?|slept in)"),
    (r.FORGOTTEN, rf"\b(?:(?:when(?:ever)?|if) {_WHO} (?:can |do |happen to )?remembers?|forg[eo]t(?:s|ten|ting)?|missed|"
     rf"miss(?:es|"
     r"ing)?|slip(?:s|ped)? (?:right )?(?:my|his|her) mind|did not remember|(?:went|goes|go|gone) (?:right |clean |"
     r"straight )?out "
     r"of (?:my|his|her) (?:head|mind)|remembers? (?:it |them )?(?:only|just|like|about|maybe)|"
     r"only (?:ever )?remembers?|(?:fall|falls|fell) asleep (?:before|without)|(?:fall|fell|falls) asleep\b.*\bbefore)\b"
     r"(?! (?:i|that i|they|it is|that they|we) (?:already|had|are|is|were))"),
    (r.SKIPPED, r"\b(?:skip(?:s|ped|ping)?|(?:left|leave|leaves|leaving) (?:it |1 |one |them |the \w+ )?out|(?:do|does|"
     r"did) not (?:always|bother)|go(?:es)? without|went without|pass(?:ed)? on (?:it|the))\b"),
    (r.SKIPPED, r"\b(?:still (?:sitting |lying )?(?:in|at) (?:the|my|his|her) (?:\w+ )?(?:box|bottle|pack|pillbox|organizer|"
     r"drawer|"
     r"pharmacy|drugstore|store|case|tray|slot|planner)|(?:never|does not|did not|do not) happens?|(?:give|gave|gives) (?:it|"
     r"them) a miss|"
     r"(?:take|took|takes|taking|needed|having) a (?:little )?(?:break|holiday|vacation) (?:from|off)|fell behind|behind on|"
     r"(?:can|could) not be bothered|let it slide|sle(?:ep|eps|pt) (?:right )?(?:through|past)|wait(?:s|ed)? (?:for|until) "
     r"(?:the )?(?:next|night|"
     r"morning|evening|following|tomorrow)|without (?:any|it|them|my|his|her|itsname|one)\b|(?:days?|weeks?|nights?|months?) "
     r"without|"
     r"(?:had|taken|took|have|has|given|got) (?:nothing|none|zero)|(?:nothing|none) (?:since|for|in|today|yesterday)|"
     r"last time (?:that )?(?:i|he|she|we) (?:took|had|used|got|gave)|last (?:dose|one|pill|tablet) (?:was|i (?:took|had) was)|"
     r"forgot to pack|vomit(?:s|ed) (?:it|them)|not (?:been )?(?:taking|giving|using) (?:it|them|mine|his|hers|any|itsname))\b"),
    (r.SKIPPED, r"\b(?:left|leaves?|leaving) (?:it|them|(?:the|my|his|her|their) (?:\w+ ){1,2}|itsname )?\w* ?"
     r"(?:at home|behind|in the (?:car|hotel))\b|\b(?:nobody|no one|not) (?:\w+ )?(?:gave|give|given|giving) "
     r"(?:it|them|him|her|me)\b|\b(?:did|does|do|will|would) not (?:take|swallow|want|get) (?:it|them|his|her|any|itsname)\b"
     r"(?! (?:as|with|for|like|more|any more))|\brefus(?:es|ed|ing)\b|\b(?:spat|spit|spits|threw) (?:it|"
     r"them) (?:back )?(?:out|up)"),
    (r.SKIPPED, r"\b(?:have|has|had|did|do|does) not (?:\w+ )?(?:taken|had|took|take|taking|have|gotten|got|given) "
     r"(?:it|my|the|any|itsname|mine|his|her|them|one|1)?\b"
     r".*\b(?:today|yesterday|yet|this (?:morning|week|evening)|last night|since|in (?:\d+|a) |for (?:\d+|a|the|about) )"),
    (r.SKIPPED, r"\b(?:been|it is|going on|was) (?:about |maybe |almost |over |like |already |now )?(?:\d+|a few|several|a) "
     rf"(?:days?|weeks?|nights?|months?) (?:now )?(?:since|that {_WHO} (?:have|has) not)\b"),
    (r.IRREGULAR, rf"\b(?:when(?:ever)? {_WHO} (?:can |do |does )?(?:feels?|thinks?|needs?|gets? around|wants?|hurts?|wheez\w+|"
     r"cares? to|can be bothered)|"
     rf"(?:only )?when(?:ever)? {_WHO} (?:am|is|are|get|gets) (?:not )?(?:\w+ )?(?:short|dizzy|tired|sick|ill|in pain|sad|"
     rf"anxious|"
     r"stressed|bad|worse|bloated|swollen|swelling|upset|down|nervous|flare\w*|itchy|hurting|breathless|wheezy|home)|"
     r"only (?:when|if)|now and (?:then|again)|1 times in a while|here and there|every now and|"
     r"from time to time|most (?:days|nights|mornings|evenings|of the time)|almost every|some (?:days|nights)|"
     r"not (?:\w+ ){0,3}(?:regularly|consistently|every day)|"
     r"on (?:the )?days (?:that )?i (?:do )?(?:take|remember)|when i do take it|if i take it|on and off|off and on|"
     r"every so often|occasionally|hardly|rarely|half the time|not very good (?:at|about)|irregularly|hit and miss|"
     r"hit or miss)\b"),
    (r.IRREGULAR, r"\b(?:not (?:every|each) (?:day|night|morning|evening|time)|not daily|(?:a few|several|a handful of) "
     r"(?:times|days|nights) "
     r"(?:a|per|each|every|out of the) (?:week|month)|(?:terrible|awful|bad|horrible|lousy|not (?:\w+ )?(?:great|good|very "
     r"good)) "
     r"(?:about|at|with) (?:taking|remembering|it|that|my|the|the \w+ 1)|spotty|inconsistent|haphazard|every once in|if (?:i|"
     r"he|she) "
     r"thinks? (?:of|about) it|(?:when|if) (?:it is )?convenient|half the (?:week|days)|when(?:ever)? (?:i|he|she) (?:am|is|"
     r"feels?) up to it|"
     r"as (?:i|he|she) (?:sees?|feels?) fit|only on (?:the )?(?:bad|good|work|school)|sporadic\w*)\b"),
    (r.IRREGULAR, r"\b(?:mak(?:e|es|ing) (?:it|them|the \w+) last|stretch(?:es|ed|ing)? (?:it|them|out|the|my)|ration(?:s|ed|"
     r"ing)?|"
     r"only (?:\w+ ){0,4}on (?:the )?days|on (?:the )?days (?:that |when )?(?:i|he|she) (?:feels?|needs?|thinks?|works?|am|is|"
     r"wants?))\b"),
    (r.RAN_OUT, r"\b(?:no (?:more )?(?:refills?|medicine|pills?|tablets?|insulin|medication|supply)|(?:bottle|box|pen|inhaler|"
     r"supply) "
     r"(?:has |have |had )?been (?:\w+ )?(?:empty|gone|out))\b"),
    (r.RAN_OUT, r"\b(?:no money|too expensive|costs? too much|(?:can|could|will|would|do|does|did) not (?:pay|refill|fill|"
     r"renew|cover)|"
     r"wait(?:ing)? (?:on|for) (?:the |my |a )?(?:mail|mailman|delivery|shipment|doctor s office|approval|authorization|new)|"
     r"never (?:picked|filled)|(?:supply|shipment|order|refill) (?:\w+ ){0,2}(?:late|delayed|lost)|short(?:age)? of)\b"),
    (r.RAN_OUT, r"\b(?:lost (?:the|my|it|them|his|her)|never (?:got|received|filled|picked up) (?:it|them|the|my)|not cover|"
     r"insurance (?:\w+ )?(?:lapsed|denied|refused|expired|ended|dropped|stopped|rejected)|"
     r"been (?:\w+ )?out (?:since|for|of)|(?:ran|run|running|runs|gone|went|goes) (?:clean |all |completely )?(?:out|dry)|(?:am|"
     r"was|been|is|are) (?:all |completely |clean )?out of|nothing (?:left )?in the (?:\w+ )?(?:bottle|box|pen|vial|inhaler)|"
     r"no (?:more )?(?:\w+ )?left|none left|not have any (?:\w+ ){0,2}(?:left|more)|all gone|used (?:it|them) all up|"
     r"(?:pharmacy|store|drugstore|they) (?:was|were|is|are) (?:\w+ )?out\b|back ?order\w*|out of stock|"
     r"not (?:been able to )?(?:yet )?(?:pick(?:ed)? (?:it |them |that )?up|"
     r"refill(?:ed)?|fill(?:ed)?|gotten|get|got) ?(?:the |my |a |it |them )?(?:refill|prescription|filled|refilled|up|yet)?|"
     r"wait(?:ing)? (?:on|for) (?:the |my |a )?(?:refill|pharmacy|insurance|prior)|(?:can|could) not afford|(?:bottle|box|"
     r"supply|pills?|pen|inhaler) (?:is|are|was|were|came up|got) (?:\w+ )?"
     r"(?:empty|gone|finished)|(?:took|used|had|swallowed) (?:the|my|his|her) (?:very )?last (?:one|1|pill|tablet|dose|"
     r"capsule))\b"),
    (r.STOPPED, r"\b(?:stop(?:ped|ping)?|quit|gave (?:it )?up|given (?:it )?up|(?:came|went|got|taken|took (?:myself|him|her)|"
     r"am|is|been) off(?: of)? (?:it|itsname|that|the|them)|weaned|discontinued|(?:am |been )?holding (?:it|them|off)|"
     r"threw (?:it|them) (?:away|out)|flushed (?:it|them))\b"),
    (r.STOPPED, r"\b(?:no longer|not) (?:tak(?:e|es|ing|en)|us(?:e|es|ing)|on) ?(?:it|them|that|this|any|mine|itsname|anything|"
     r"that one|this one|my itsname)?(?: of it)?(?: any ?more| now| at all| these days)?$|"
     r"\bnever (?:started|filled|began|took)\b"),
    (r.NOT_NEEDED, r"\bnone (?:at all|lately|this week|so far)\b|\b(?:not|never|hardly ever|hardly|rarely|"
     r"do not|does not) (?:really )?(?:needed|need)\b|\bonly (?:need|needed|needs) (?:it |the )?(?:1|one)\b(?! (?:more|extra))"),
    (r.DOUBLE, r"\b(?:accidentally|mistakenly|by (?:accident|mistake)|confused)\b.*\b2 times\b(?! (?:a|per|daily|every|each))"),
    (r.DOUBLE, r"\bdoubl(?:e|ed|es|ing)\b|\b2 times as (?:much|many)\b|\btwice the (?:dose|amount)\b|"
     r"\b2 (?:doses )?(?:by (?:mistake|accident)|together)\b|"
     r"\b(?:took|taken|had|injected|used) (?:it|them|mine|my (?:\w+ ){0,2}\w+|that) 2 times by\b"),
    (r.EXTRA, r"\b(?:another(?: one| dose| pill| tablet)?|an? extra|extra (?:one|1|dose|pill|tablet|\d)|(?:1|one) (?:more|"
     r"extra)|add(?:s|ed)? (?:in |on )?(?:one|1|a)\b|\d+(?:\.\d+)? (?:mg |mcg |g |unit )?(?:more|extra)(?= |$)(?! (?:than|"
     r"or|days?))|"
     rf"(?:took|take|takes|taken|had|gave|used) {_IT} (?:over )?again|"
     r"more than (?:i|he|she) should|too many (?:pills|tablets|of)|(?:took|take|taking) too (?:much|many))\b"),
    (r.EXTRA, r"\b(?:(?:1|one) too many|an additional|\d+ extra|on top of (?:it|that|my|the|his|her)|"
     r"more than (?:it|they|the \w+|what) (?:says?|said|told|prescribed)|more than (?:prescribed|directed|ordered))\b"),
    (r.MORE_DOSE, r"\b(?:up(?:ped|s|ping)?|increas(?:e|es|ed|ing)|rais(?:e|es|ed|ing)|bump(?:s|ed|ing)?) (?:it|them|the dose|"
     r"my dose|mine) "
     r"(?:up )?(?:myself|on my own|by myself|himself|herself)\b"),
    (r.LESS_DOSE, r"\b(?:lower(?:ed|s)?|reduc(?:e|es|ed|ing)|cut(?:ting)?|decreas(?:e|es|ed)) (?:it|them|the dose|my dose|mine) "
     r"(?:down |back )?(?:myself|on my own|by myself|himself|herself)\b"),
    (r.EXTRA, r"\b(?:not (?:sure|certain|remember|recall|know)|unsure|in doubt|forget if|forgot if)\b.*\b(?<!not )(?:takes?|"
     r"took|pops?|popped|have|"
     r"had|swallow) (?:one|1|it|them) (?:again|anyway|anyhow|regardless|just)\b"),
    (r.SECOND, r"\ba second (?:one|dose|pill|tablet|puff|1)\b"),
    (r.SECOND, r"\b(?:some (?:days|nights|mornings)|sometimes|on (?:\w+ )?days) (?:\w+ ){0,3}?(?:take|takes|have|has|use) 2\b"
     r"(?! (?:times|mg|mcg|or|to|of))"),
    (r.THIRD, r"\ba (?:third|fourth|fifth)(?: (?:one|dose|pill|tablet|1))?\b(?! (?:of|a|the))"),
    (r.TO_BE_SAFE, r"\b(?:to be (?:\w+ )?(?:safe|sure|certain)|on the safe side|safe side|just in case|for safety|"
     r"better safe)\b"),
    (r.MAKE_UP, r"\b(?:mak(?:e|es|ing) (?:it |that |up )?(?:up|for)|made (?:it |that |them )?up|catch(?:es|ing)? up|caught up|"
     r"to replace|make good)\b"),
    (r.BY_ACCIDENT, r"\b(?:accident(?:al(?:ly)?)?|mistake(?:nly)?|by error|already (?:had|took|taken|given|gave)|not knowing|"
     r"not realizing|did not (?:know|realize)|without knowing|mixed up|got confused)\b"),
    (r.ALL_AT_ONCE, r"\b(?:together|all at the same time|at the same time|in 1 (?:go|sitting|swallow)|at 1 time|"
     r"all of (?:it|them)|"
     r"for the day|(?:whole|entire) day)\b|"
     r"\bboth\b(?! (?:eyes?|ears?|nostrils?|times|sides|in the morning and|morning and|halves|names))(?: \w+){0,2}? "
     r"(?:at|in|with|before|after|every|each) (?:the |my |his |her )?(?:morning|breakfast|noon|lunch|lunchtime|evening|"
     r"dinner|supper|"
     r"night|bedtime)\b(?! and)"),
    (r.HALF_DOSE, r"\b(?:a )?half (?:a |the |my |of the |of my )?dose|half (?:the|my|of what|his|her)\b"),
    (r.HALVED, r"\b(?:cut(?:s|ting)?|split(?:s|ting)?|br(?:eak|eaks|eaking|oke)|halv(?:e|es|ed|ing)|snap(?:s|ped)?|"
     r"bit(?:e|es|ten)?)\b"
     r".*\b(?:0\.5|half|halves|2)\b|\b(?:pill|tablet) splitter\b|"
     r"\b(?:cut|split|break|cutting|splitting|breaking|bite|cuts|splits|breaks) (?:it|them|the|my|each|1|his|her)\b(?! (?:up|"
     r"into (?:small|tiny|pieces|bits)))"),
    (r.BROKEN_UP, r"\b(?:crush(?:es|ed|ing)?|chew(?:s|ed|ing)?(?! gum)|grind(?:s|ing)?|smash(?:es|ed|ing)?|squash(?:es|ed)?|"
     r"sprinkl(?:e|es|ed|ing)|blend(?:s|ed)?|melt(?:s|ed)?|liquif\w+|ground (?:it|them|the \w+) up|"
     r"dissolv(?:e|es|ed|ing)|mash(?:es|ed|ing)?|pound(?:s|ed|ing)? (?:it|them|the)|powder(?:s|ed)?|snort(?:s|ed|ing)?|"
     r"suck(?:s|ed|ing)?|bit(?:e|es|ing)|open(?:s|ed|ing)? (?:it|them|the|up|his|her|my)|cut(?:s|ting)?|split(?:s|ting)?|"
     r"break(?:s|ing)?|broke)\b"),
    (r.LASTED_SHORT, r"\bonly lasted\b|\brunning out early|\b(?:ran|run|runs) out (?:too )?(?:early|too soon)"),
]]  # fmt: skip
_NOT_YET = re.compile(
    r"\b(?:almost|about to|nearly|going to|getting|soon|running low|close to|next (?:week|month)|before i|will(?! not))\b"
)
_GONE_IN = re.compile(
    r"\b(?:gone|finished|empty|used up|out) (?:in|after|within) (?:only |just )?(?:\d+|a|one) (?:days?|"
    r"weeks?|months?)\b"
)
_STOP_WORDS = re.compile(r"\bnot (?:tak|us)\w* (?:it|itsname)? ?(?:\w+ )?(?:as|like|right|correctly|properly)")


def events_in(part: str) -> list[str]:
    """What is said to have happened, unless it is denied in the same breath."""
    found: list[str] = []
    negated_told = re.search(r"\b(?:not|never) (?:\w+ ){0,3}(?:as|like|the way)\b", part)
    if AS_TOLD.search(part) and not negated_told:
        found.append(r.AS_PRESCRIBED)
    elif negated_told and AS_TOLD.search(part):
        return found
    for event, pattern in _EVENTS:
        m = pattern.search(part)
        if m is None or _NEVER.search(part[: m.start()]):
            continue
        if event == r.RAN_OUT and _NOT_YET.search(part):
            continue
        if event == r.RAN_OUT and _GONE_IN.search(part):
            continue  # how soon it was gone is weighed against the supply
        if event == r.STOPPED and _STOP_WORDS.search(part):
            continue
        found.append(event)
    if r.UNSURE in found or r.IF_MISSED in found:
        found = [e for e in found if e != r.FORGOTTEN and (e != r.SKIPPED or r.IF_MISSED not in found)]
    return found


def settled(events: list[str], words: str) -> list[str]:
    """Events that explain one another brought together."""
    told = set(events)
    if r.NOT_NEEDED in told:
        told -= {r.IRREGULAR, r.STOPPED, r.SKIPPED}
    if r.FORGOTTEN in told or r.RAN_OUT in told:
        told -= {r.IRREGULAR}
    if told & {r.EXTRA, r.SECOND, r.THIRD}:
        told -= {r.IRREGULAR}
    if r.SECOND in told and told & {r.UNSURE, r.TO_BE_SAFE}:
        told.add(r.EXTRA)
    if r.EXTRA in told and r.TO_BE_SAFE not in told and r.UNSURE in told:
        told.add(r.TO_BE_SAFE)
    if r.TO_BE_SAFE in told and r.EXTRA not in told:
        told -= {r.TO_BE_SAFE}
    return [e for e in events if e in told] + sorted(told - set(events))
