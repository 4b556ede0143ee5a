"""The words that directions are written in: language only, no drug and no limit.

Every table maps what people write (lower case, single spaces) to what it says. A pharmacist may add a spelling
to a row; the reading code does not change. Phrases are matched longest first.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Final

from safety.model.directions import PartOfDay


def _rows(table: Mapping[str, str]) -> dict[str, str]:
    """`{meaning: "phrase, phrase"}` turned round into `{phrase: meaning}`."""
    return {phrase.strip(): meaning for meaning, line in table.items() for phrase in line.split(",")}


def words_of(text: str) -> frozenset[str]:
    """A set of single words."""
    return frozenset(text.split())


def _phrased(text: str) -> frozenset[str]:
    """A set of phrases, told apart by commas."""
    return frozenset(phrase.strip() for phrase in text.split(","))


# --- numbers -----------------------------------------------------------------------------------------------------
NUMBERS: Final = {
    word: Decimal(value)
    for value, word in enumerate([
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
        "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
    ])
} | {
    "thirty": Decimal(30), "forty": Decimal(40), "fifty": Decimal(50), "sixty": Decimal(60), "ninety": Decimal(90),
    "couple": Decimal(2), "dozen": Decimal(12),  # "a couple of tablets"
}  # fmt: skip
PARTS: Final = {"half": Decimal("0.5"), "quarter": Decimal("0.25"), "quarters": Decimal("0.25")}
MULTIPLES: Final = {"hundred": Decimal(100), "thousand": Decimal(1000), "million": Decimal(1000000)}
# the only written fractions; "5/325" is a combination, not a fraction. A third has no exact decimal: left unread
FRACTIONS: Final = {("1", "2"): Decimal("0.5"), ("1", "4"): Decimal("0.25"), ("3", "4"): Decimal("0.75")}
NOT_EXACT: Final = {("1", "3"), ("2", "3")}
# a bare "20" is far likelier 20 mg with the unit left off than twenty tablets: not read
MOST_BARE_UNITS: Final = Decimal(10)
# "5-325 mg" is a combination; a range of doses is never this wide
WIDEST_RANGE: Final = 10

# --- time --------------------------------------------------------------------------------------------------------
TIME: Final = _rows(
    {
        "minute": "min, mins, minute, minutes",
        "hour": "h, hr, hrs, hour, hours",
        "day": "d, day, days",
        "week": "wk, wks, week, weeks",
        "month": "mo, mos, month, months",
        "year": "yr, yrs, year, years",
    }
)
HOURLY: Final = frozenset({"hourly", "hrly", "qh"})
NIGHTS: Final = frozenset({"night", "nights", "dose", "doses"})
# days in one of them, shortest and longest, for how often; `COURSE_DAYS` for how long (a month's course is 30 days)
PERIOD_DAYS: Final = {
    "hour": (Fraction(1, 24), Fraction(1, 24)),
    "day": (Fraction(1), Fraction(1)),
    "week": (Fraction(7), Fraction(7)),
    "month": (Fraction(28), Fraction(31)),
    "year": (Fraction(365), Fraction(366)),
}
COURSE_DAYS: Final = {"day": Decimal(1), "week": Decimal(7), "month": Decimal(30), "year": Decimal(365)}
ADVERBS: Final = {"daily": "day", "weekly": "week", "monthly": "month", "yearly": "year"}
PERIOD_STARTS: Final = frozenset({"a", "per", "each", "every", "in", "any", "within", "over", "/", "the", "q"})
WITHIN: Final = frozenset({"in", "any", "within", "over", "the"})
ORDINALS: Final = {"other": 2, "second": 2, "alternate": 2, "third": 3, "fourth": 4}
ORDINAL_ENDS: Final = frozenset({"st", "nd", "rd", "th"})
TIMES: Final = frozenset({"times", "time", "x"})
ADVERB_TIMES: Final = {"once": Decimal(1), "twice": Decimal(2), "thrice": Decimal(3)}

# how often: times in a day. `daily` is the weak one: "daily in the morning and at bedtime" is twice
OFTEN: Final = {
    phrase: Fraction(times)
    for times, phrase in [(t, p) for p, t in _rows({
        "2": "bid, bd, b i d",
        "3": "tid, tds, t i d",
        "4": "qid, qds, q i d",
        "1/2": "qod, eod, alternate days, on alternate days, odd days, even days, alternating days, on alternating days",
        "1/7": "qweek, qwk, once weekly",
        "2/7": "biw, twice weekly, weekends, weekends only, sat and sun, sat / sun",
        "3/7": "tiw, mwf, m w f, m / w / f",
        "5/7": "weekdays, weekdays only",
    }).items()]
}  # fmt: skip
OFTEN["m , w , f"] = Fraction(3, 7)
DAILY: Final = frozenset({"daily", "qd", "q d", "qday", "every day", "each day", "everyday", "per day", "a day"})

# parts of the day; each is one dose. Evening and night are one where nothing stands between them
SLOTS: Final = _rows(
    {
        "morning": "morning, mornings, am, a m, qam, breakfast, first thing in the morning, on waking, upon waking",
        "noon": "noon, midday, lunch, lunchtime, noontime",
        "afternoon": "afternoon, afternoons",
        "evening": "evening, evenings, pm, p m, qpm, dinner, dinnertime, supper, suppertime, evening meal",
        "night": "night, nights, nightly, night time, nighttime, bedtime, bed time, bed, qhs, hs, q hs, nocte, qn",
    }
)
PARTS_OF_DAY: Final[Mapping[str, PartOfDay]] = {part: part for part in ("morning", "noon", "afternoon", "evening", "night")}
# when in the day that is, in hours; of a phrase that is not here only the part of the day is known
HOURS: Final = {
    phrase: hours
    for phrases, hours in (
        ("before breakfast", (4, 10)),  # it ends with the meal, and begins with getting up
        ("morning, mornings, qam, every am", (5, 11)),
        ("breakfast", (5, 10)),
        ("noon, midday", (12, 12)),
        ("lunch, lunchtime", (11, 14)),
        ("afternoon, afternoons", (12, 18)),
        ("dinner, dinnertime, supper, evening meal", (17, 20)),
        ("evening, evenings", (17, 22)),
        ("bedtime, at night, every night, each night, nightly, qhs, hs", (20, 24)),
    )
    for phrase in phrases.split(", ")
}
MEALS_WITH_TIMES: Final = frozenset({"breakfast", "lunch", "dinner", "supper", "bedtime"})  # "30 minutes before breakfast"
# none of these can make a time of the day mean something else
SAYS_NO_TIME: Final = words_of("take takes give the a an at in on each every with")
SAYS_NO_TIME_EITHER: Final = _phrased(
    "with food, with a meal, with water, with a glass of water, with a full glass of water, on an empty stomach"
)
# with every meal: three times a day, unless a number says otherwise
MEALS: Final = frozenset(
    f"{at} {what}"
    for at in ("before", "after", "with", "at")
    for what in ("meals", "each meal", "every meal", "all meals", "your meals")
) | _phrased("mealtimes, at mealtimes, ac, pc, qac, qpc, a c, p c, wm, before eating meals")
WEEK: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAYS: Final = {spelling: day for day in WEEK for spelling in (day, f"{day}s")} | _rows(
    {"monday": "mon", "tuesday": "tue, tues", "wednesday": "wed", "thursday": "thu, thurs", "friday": "fri"}
)

AS_NEEDED: Final = frozenset(
    f"{when} {need}"
    for when in ("as", "if", "when", "where", "only if", "only when", "only as", "whenever")
    for need in ("needed", "required", "necessary")
) | _phrased("prn, p r n, sos, as needed only, on demand, as reqd, as req")
ONCE: Final = frozenset({"single dose", "one dose", "stat", "one time", "one time only", "as a single dose", "one time dose"})

# --- limits and totals -------------------------------------------------------------------------------------------
MOST: Final = _phrased(
    "max, maximum, mdd, no more than, not more than, do not exceed, dont exceed, not to exceed, never more than, "
    "do not take more than, do not use for more than, not for more than, do not take for more than, "
    "dont take more than, do not use more than, never take more than, nte, maximum of, max of, must not exceed, "
    "should not exceed, not exceeding, do not exceed more than, not to exceed more than, limit, limit to, limit of, "
    "limited to, at most, maximim, maximim of, a maximum of, a max of, up to a maximum of, up to a max of, to a maximum of, "
    "to a max of, to a maximim of, never exceed, cannot exceed, may not exceed, max dose, no more than a total of, "
    "do not take over, must not take more than, should not take more than, you should not take more than"
)
UP_TO: Final = frozenset({"up to", "upto"})
BETWEEN_MOST_AND_NUMBER: Final = frozenset(
    {"of", "is", "dose", "dosage", "amount", "total", "daily", "day", "per", "a", "use", "quantity"}
)
ALREADY_DAILY: Final = frozenset({"mdd"})
TOTAL: Final = frozenset({"total", "altogether"})
DAY_TOTAL: Final = frozenset(
    {"total daily dose", "daily dose", "daily total", "total daily", "total dose per day", "total per day"}
)
DIVIDED: Final = frozenset({"divided", "divided doses", "in divided doses", "split", "in split doses", "div"})

# --- routes (the words of kb/README.md) --------------------------------------------------------------------------
ROUTES: Final = _rows(
    {
        "oral": "oral, orally, by mouth, po, p o, per os, by oral route, via mouth, through mouth, per mouth",
        "parenteral": "parenteral, parenterally, iv, i v, intravenous, intravenously, im, i m, intramuscular, "
        "intramuscularly, sc, sq, s c, subq, sub q, subcut, subcutaneous, subcutaneously, under the skin, injectable, "
        "by injection, iv push, ivp, ivpb, intradermal, intradermally, into the muscle, into the vein",
        "rectal": "rectal, rectally, per rectum, pr, into the rectum, in the rectum, by rectum",
        "topical": "topical, topically, cutaneous, to skin, on skin, to the skin, on the skin, to affected area, "
        "to affected areas, to the affected area, to the affected areas, to affected skin, to face, to the face, "
        "to scalp, to the scalp, on affected area",
        "transdermal": "transdermal, transdermally",
        "ophthalmic": "ophthalmic, ophth, ophthalmically, in eye, in the eye, into eye, into the eye, right eye, "
        "left eye, affected eye, in affected eye, intraocular, by ophthalmic route",
        "otic": "otic, in ear, in the ear, into ear, into the ear, right ear, left ear, affected ear, in affected ear",
        "nasal": "nasal, nasally, intranasal, intranasally, in nose, in the nose, into the nose, one nostril",
        "inhaled": "inhaled, inhalation, inhale, inhalant, by inhalation, via inhalation, via nebulizer, by nebulizer, "
        "nebulized, nebulised, by nebulization, nebulizer, neb, via neb, into the lungs, inhalations route",
        "vaginal": "vaginal, vaginally, per vagina, pv, intravaginal, intravaginally, into the vagina, in the vagina",
        "intrauterine": "intrauterine",
        "buccal": "buccal, buccally, in the cheek, in cheek, inside the cheek",
        "sublingual": "sublingual, sublingually, sl, s l, under the tongue, under tongue",
        "implant": "implant, implanted, subdermal",
        "intrathecal": "intrathecal, intrathecally",
        "dental": "dental, to teeth, on teeth",
    }
)
# … and these may also describe what it is for ("nasal congestion"): a route only where no unknown word follows
ADJECTIVES: Final = words_of(
    "oral rectal topical cutaneous transdermal ophthalmic otic nasal inhalation vaginal buccal sublingual dental implant"
)
# places that come in twos: each gets the dose
BOTH: Final = {
    f"{both} {place}": route
    for route, places in (
        ("ophthalmic", ("eye", "eyes")),
        ("otic", ("ear", "ears")),
        ("nasal", ("nostril", "nostrils")),
    )
    for place in places
    for both in ("both", "each", "per", "by each", "each of both")
} | {"ou": "ophthalmic", "au": "otic", "nostrils": "nasal"}
# said together with "by mouth", these are what is meant ("inhale 2 puffs by mouth")
THROUGH_THE_MOUTH: Final = frozenset({"inhaled", "sublingual", "buccal", "dental"})

# --- forms -------------------------------------------------------------------------------------------------------
RELEASE: Final = _rows(
    {
        "extended-release": "extended release, er, xr, xl, sr, sustained release, controlled release, cr, long acting, "
        "la, modified release, prolonged release",
        "delayed-release": "delayed release, dr, enteric coated, ec, gastro resistant",
        "chewable": "chewable, chew",
        "disintegrating": "orally disintegrating, disintegrating, orodispersible",
        "effervescent": "effervescent",
        "": "film coated, coated, metered dose, immediate release, ir, metered, prefilled, pre filled",
    }
)
# what one counts → the unit. Those in `SOLIDS` are told by any of each other's names
COUNTED: Final = _rows(
    {
        "tablet": "tablet, tablets, tab, tabs, tb, tbs, caplet, caplets, tabl",
        "capsule": "capsule, capsules, cap, caps, softgel, softgels, gelcap, gelcaps, geltab, geltabs",
        "pill": "pill, pills",
        "lozenge": "lozenge, lozenges, troche, troches",
        "gummy": "gummy, gummies",
        "suppository": "suppository, suppositories, supp",
        "patch": "patch, patches",
        "film": "film, films, strip, strips",
        "piece": "piece, pieces",
        "packet": "packet, packets, sachet, sachets",
        "puff": "puff, puffs, actuation, actuations, actuat, act",
        "inhalation": "inhalation, inhalations",
        "spray": "spray, sprays, squirt, squirts",
        "drop": "drop, drops, gtt, gtts",
        "vial": "vial, vials, ampule, ampules, ampoule, ampoules, nebule, nebules",
        "syringe": "syringe, syringes",
        "injection": "injection, injections",
        "application": "application, applications",
        "applicatorful": "applicatorful, applicatorfuls, applicator, appful",
        "scoop": "scoop, scoops, scoopful, capful, capfuls",
        "enema": "enema, enemas",
        "ring": "ring, rings",
        "odt": "odt, odts",
    }
)
COUNTED_AS: Final = {"odt": "tablet"}
SOLIDS: Final = frozenset({"tablet", "capsule", "pill", "caplet", "softgel", "gelcap", ""})
ACTUATIONS: Final = frozenset({"puff", "spray", "inhalation", "actuation"})
# a plain strength ("20 mg") is what one of these holds; it says nothing about a drop, a scoop or an application
HELD_IN_ONE: Final = (
    SOLIDS | ACTUATIONS | words_of("lozenge gummy suppository patch film piece packet vial syringe injection enema ring")
)
COUNTED_DOSES: Final = frozenset({"dose", "doses"})
# what a dose may be measured in; an ounce is refused, since of a liquid it is a volume and of a solid a weight
AMOUNT_DIMENSIONS: Final = frozenset({"mass", "volume", "activity", "amount", "charge"})
REFUSED: Final = frozenset({"gr", "grs"})  # grain or gram
NOT_A_DOSE: Final = frozenset({"oz", "lb", "kg", "dose", "cup", "drink", "bottle", "pump", "implant"})
# measured in units of activity: an amount of the ingredient, not a count of the product
ACTIVITY: Final = {"unit": "unit", "units": "unit", "unt": "unit", "u": "unit", "iu": "IU", "mill_unt": "million unit"}
FORMS: Final = _rows(
    {
        "tablet": "tablet, tablets, tab, tabs, tb, tbs, tabl, caplet, caplets",
        "capsule": "capsule, capsules, cap, caps, softgel, softgels, gelcap, gelcaps, geltab, geltabs",
        "disintegrating tablet": "odt, odts",
        "lozenge": "lozenge, lozenges, troche, troches",
        "gummy": "gummy, gummies",
        "gum": "chewing gum, gum",
        "suppository": "suppository, suppositories, supp",
        "patch": "patch, patches, transdermal system",
        "film": "film, films, strip, strips",
        "packet": "packet, packets, sachet, sachets",
        "powder": "powder, powders",
        "granules": "granules, granule",
        "solution": "solution, soln, concentrate, liquid",
        "suspension": "suspension, susp",
        "syrup": "syrup",
        "elixir": "elixir",
        "drops": "drops",
        "spray": "spray",
        "cream": "cream",
        "ointment": "ointment, oint",
        "gel": "gel, jelly",
        "lotion": "lotion",
        "foam": "foam",
        "shampoo": "shampoo",
        "paste": "paste, toothpaste",
        "mouthwash": "mouthwash, mouth rinse, oral rinse",
        "enema": "enema, enemas",
        "ring": "ring",
        "inhaler": "inhaler, mdi, hfa, dpi, hfa inhaler, diskus",
        "eye drops": "eye drops, eye drop, eyedrops",
        "ear drops": "ear drops, ear drop, eardrops",
        "nasal spray": "nasal spray, nasal sprays",
        "injection": "injection, injections, prefilled syringe, auto injector, autoinjector, pen injector",
    }
)
# one of them is one dose and holds a plain strength: "20 mg tablet"
UNIT_FORMS: Final = frozenset(
    {"tablet", "capsule", "disintegrating tablet", "lozenge", "gummy", "gum", "suppository", "patch", "film", "packet"}
)
METERED_FORMS: Final = frozenset({"inhaler", "nasal spray"})
SEMISOLID_FORMS: Final = frozenset(
    {"cream", "ointment", "gel", "lotion", "foam", "paste", "shampoo", "vaginal cream", "vaginal gel", "eye ointment"}
)
FORM_BY_ROUTE: Final = {
    ("solution", "oral"): "oral solution",
    ("suspension", "oral"): "oral suspension",
    ("drops", "oral"): "oral drops",
    ("powder", "oral"): "oral powder",
    ("gel", "oral"): "oral gel",
    ("solution", "ophthalmic"): "eye drops",
    ("suspension", "ophthalmic"): "eye drops",
    ("drops", "ophthalmic"): "eye drops",
    ("ointment", "ophthalmic"): "eye ointment",
    ("gel", "ophthalmic"): "eye gel",
    ("solution", "otic"): "ear drops",
    ("suspension", "otic"): "ear drops",
    ("drops", "otic"): "ear drops",
    ("solution", "parenteral"): "injection",
    ("suspension", "parenteral"): "injection",
    ("solution", "nasal"): "nasal spray",
    ("suspension", "nasal"): "nasal spray",
    ("spray", "nasal"): "nasal spray",
    ("inhaler", "nasal"): "nasal spray",
    ("gel", "nasal"): "nasal gel",
    ("solution", "inhaled"): "inhalation solution",
    ("suspension", "inhaled"): "inhalation suspension",
    ("powder", "inhaled"): "inhalation powder",
    ("cream", "vaginal"): "vaginal cream",
    ("gel", "vaginal"): "vaginal gel",
    ("tablet", "vaginal"): "vaginal tablet",
    ("suppository", "vaginal"): "vaginal suppository",
    ("ring", "vaginal"): "vaginal ring",
    ("suppository", "rectal"): "rectal suppository",
    ("cream", "rectal"): "rectal cream",
    ("ointment", "rectal"): "rectal ointment",
    ("foam", "rectal"): "rectal foam",
    ("tablet", "sublingual"): "sublingual tablet",
    ("film", "sublingual"): "sublingual film",
    ("film", "buccal"): "buccal film",
    ("tablet", "buccal"): "buccal tablet",
    ("spray", "sublingual"): "sublingual spray",
    ("solution", "topical"): "topical solution",
    ("spray", "topical"): "topical spray",
    ("powder", "topical"): "topical powder",
}
ROUTE_OF_FORM: Final = {
    "eye drops": "ophthalmic",
    "ear drops": "otic",
    "nasal spray": "nasal",
    "inhaler": "inhaled",
    "injection": "parenteral",
}

# --- words that change what the rest means -----------------------------------------------------------------------
# a second step, a condition, an exception: one dose and one frequency can no longer say it, so neither is given
STEPS: Final = words_of(
    "taper tapering tapered titrate increase increasing decrease decreasing reduce reducing stop hold skip except "
    "repeat additional another extra initially unless followed thereafter alternating loading plus instead if "
    "when whenever sliding scale above below until first omit discontinue double off"
) | _phrased("while awake, second dose, second tablet, second tab, second pill, second one, second capsule, 2nd dose, third dose")
CONDITIONS: Final = frozenset({"if", "when", "whenever", "unless", "until"})
# of them, these tell what it is for after "to": "to reduce pain"
CHANGES: Final = words_of("increase increasing decrease decreasing reduce reducing stop")
AFTER_CHANGE: Final = frozenset({"", "by", "to", "dose", "the", ",", ".", ";", "if", "when", "and", "or"})
INSULINS: Final = frozenset(map(Decimal, (100, 200, 300, 500)))
# one day of a step, or one dose of it
TODAY: Final = _rows(
    {"day": "today, tonight, first day, day one, 1st day", "dose": "now, at once, first dose, immediately, loading dose"}
)
REST_OF_WEEK: Final = _phrased(
    "other days, all other days, the other days, remaining days, the remaining days, rest of the week, the rest of the week, "
    "the rest of the days, all the other days, every other day of the week, all remaining days"
)
AFTER_ANOTHER: Final = words_of("finishing finish finished completing completed complete")
THEN: Final = frozenset({"then", "afterwards"})  # a step only if something is told after it
NOT: Final = frozenset({"not", "dont", "don't", "never", "avoid", "no"})  # what follows, to the next stop, is not read

# understood, and says nothing about how much or how often
SAYS_NOTHING: Final = _phrased(
    "extra strength, regular strength, maximum strength, double strength, low strength, low dose, "
    "around the clock, all at once, "
    "as directed, as dir, uad, ud, ut dict, use as directed, take as directed, as instructed, as prescribed, per "
    "package directions, per package instructions, on dose pack, with food, with or without food, with milk, with "
    "water, with a full glass of water, with a glass of water, with plenty of water, on an empty stomach, on "
    "empty stomach, with a meal, before a meal, after a meal, after food, before food, wf, with snack, with a "
    "snack, after eating, before eating, until gone, until finished, until all taken, until complete, till gone, "
    "affected area, affected areas, the affected area, swallow whole, thin layer, a thin layer, sparingly, shake "
    "well, at the same time each day, at the same time every day, at same time each day, for nebulization, rinse "
    "mouth after use, as tolerated, at onset of symptoms, oral route, by route, of each month"
)
DIRECTED: Final = frozenset({"directed", "dir", "uad", "ud", "instructed", "prescribed", "dict"})
VERBS: Final = words_of(
    "take takes taking give use apply instill place insert put swallow dissolve drink administer inject spray rub "
    "start begin continue sig has have took taken uses using need needs may can should"
)
# the sense of a verb, where it tells the route
ROUTE_OF_VERB: Final = {"inhale": "inhaled", "inject": "parenteral", "swallow": "oral", "drink": "oral"}
SUPPLY: Final = frozenset({"#", "disp", "dispense", "qty", "refill", "refills"})
GLUE: Final = words_of(
    "pill pills do a an the of and or with to in on into onto by at for per each both via during about around approximately is "
    "it be as from this that was i my he she his her their you your patient pt please every only just time times "
    "day days total dose doses meal food water use using after before also - ; , : / ( ) ."
)
NUMBER_GLUE: Final = frozenset({"a", "an", "of", "the"})
BEFORE_AFTER: Final = frozenset({"before", "after", "prior", "apart", "between", "later", "following", "upright"})


def _phrases() -> dict[str, tuple[tuple[tuple[str, ...], str, str], ...]]:
    """All fixed phrases by their first word, longest first: (the other words, what kind, its meaning)."""
    kinds: list[tuple[str, Mapping[str, str]]] = [
        ("glue", dict.fromkeys(GLUE, "")),
        ("step", dict.fromkeys(STEPS, "")),
        ("not", dict.fromkeys(NOT, "")),
        ("verb", dict.fromkeys(VERBS, "") | ROUTE_OF_VERB),
        ("form", FORMS),
        ("release", RELEASE),
        ("route", ROUTES),
        ("slot", SLOTS),
        ("weekday", WEEKDAYS),
        ("verb", ROUTE_OF_VERB),
        ("then", dict.fromkeys(THEN, "")),
        ("today", TODAY),
        ("rest of week", dict.fromkeys(REST_OF_WEEK, "")),
        ("divided", dict.fromkeys(DIVIDED, "")),
        ("nothing", dict.fromkeys(SAYS_NOTHING, "")),
        ("both", BOTH),
        ("meals", dict.fromkeys(MEALS, "")),
        ("often", {phrase: str(times) for phrase, times in OFTEN.items()}),
        ("daily", dict.fromkeys(DAILY, "")),
        ("most", {phrase: "daily" if phrase in ALREADY_DAILY else "" for phrase in MOST}),
        ("up to", dict.fromkeys(UP_TO, "")),
        ("day total", dict.fromkeys(DAY_TOTAL, "")),
        ("once", dict.fromkeys(ONCE, "")),
        ("as needed", dict.fromkeys(AS_NEEDED, "")),
    ]
    meaning = {phrase: (kind, value) for kind, table in kinds for phrase, value in table.items()}
    found: dict[str, list[tuple[tuple[str, ...], str, str]]] = {}
    for phrase, (kind, value) in meaning.items():
        first, *rest = phrase.split()
        found.setdefault(first, []).append((tuple(rest), kind, value))
    return {first: tuple(sorted(rows, key=lambda row: -len(row[0]))) for first, rows in found.items()}


PHRASES: Final = _phrases()
