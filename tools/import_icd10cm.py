"""Make kb/recognised/problems.csv: what the US problem list vocabulary calls conditions, each with its ICD-10-CM code.

    python tools/import_icd10cm.py TABULAR.xml          # the tabular list of NCHS, e.g. icd10cm-tabular-April-1-2026.xml

https://www.cdc.gov/nchs/icd/icd-10-cm/files.html (US government work, public domain). Which conditions of ours a code is a
kind of stands in kb/recognised/codes.csv, which is written by hand; what a term means is decided where both are compiled.

What is written and by which rules:
- titles, inclusion terms and "includes" notes, as charts write them: without "unspecified", "NOS", "not elsewhere
  classified", "other specified", sides and encounters; words in brackets in and out; "fracture of rib" turned into "rib
  fracture"; in the singular;
- no external causes; of Z-codes only those that state how a patient is (dialysis, transplants, absent organs); of injuries
  the three or four characters that name kind and place; no poisonings;
- a name that a condition of `kb/` already bears is left out, and so is one that names a medicine, a test or an everyday
  word, or that the reader of problem lines has as a word of its grammar;
- where two codes have a term in common, it is the code's whose title it is, then the shorter code's.

Terms are folded and sorted, and the output depends on the input and `kb/` alone.
"""

from __future__ import annotations

import argparse
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from safety.text import fold

HOME = Path(__file__).resolve().parent.parent
MOST_WORDS = 8
MOST_TURNED = 4
"""Longer is no "rib" of "rib fracture"."""
TITLE, INCLUDED = 0, 2
STRIPPED = 1
"""What is added to the rank of a term from which "other" was taken."""

CHAPTERS = re.compile(r"[A-T]|U0[79]|Z")
INJURY = re.compile(r"[ST]")
STATES = re.compile(r"Z(?:21|22|72\.0|74\.01|79\.[0-8]|79\.890|89|90|93|94|95|96|97\.[01]|98|99)")
"""Z-codes that say how a patient is; of the others none is a problem of a list."""
NO_CODE = re.compile(r"T(?:3[6-9]|4\d|5\d|6[0-5]|7[4-6])|[ST]\d\w\.\w{2,}|Z79\.89(?!0)|R40\.2\d|R29\.7|Z68")
JOINT_BY_JOINT = re.compile(r"M(?!1[5-9]|4|5[0-4]).{5,}")
"""Of muscles and joints one after the other only the spine, osteoarthritis and what has a name of its own."""
SIDED = re.compile(r"[CDGHLMNSTQZ]")
SIDES = re.compile(r"\b(?:right|left|bilateral|unspecified (?:side|ear|eye|breast|limb|arm|leg|hip|knee))\b")
PLACES = re.compile(r"\btrimester|fetus [1-5]|lymph nodes of|extranodal|, spleen|childbirth")
"""Of lymphomas and pregnancies: where and when, which charts tell beside the name."""
NOT_A_NAME = re.compile(
    r"\b(?:elsewhere|classif\w+|such as|codes?|caused by|sequelae?|encounter|see|conditions? in|any|following|certain|various"
    r"|not specified|unless|specified as|stated|described|unspecified|other|others|specified|mention|due to [a-z]+ (?:of|and)"
    r"|and/or|nos|nec|underdosing|emergency use|adverse effect"
    r"|poisoning|patient'?s|history of|screening|examination|observation)\b|:|\d{4}|-\)"
)
LEADING = re.compile(
    r"^(?:(?:other|certain)(?: and unspecified)?(?: specified)?(?: (?:types?|forms?|kinds?) of)?|"
    r"unspecified|specified|unilateral) "
)
TRAILING = re.compile(
    r"(?:,|\s)+(?:not elsewhere classified|nos|nec|so stated|(?:with )?unspecified(?: (?:as to [a-z ]+|[a-z]+))?|"
    r"(?:other|unspecified|multiple) sites?(?: in spine)?|site unspecified|initial encounter|uncomplicated)$"
)
INSIDE = re.compile(
    r",? (?:not elsewhere classified|nos|nec|unspecified)(?=,| with|$)|\b(?:other|unspecified) (?:specified )?(?=[a-z])"
)
BRACKETS = re.compile(r"\s*\[([^\]]*)\]")
PARENTHESES = re.compile(r"\s*\(([^)]*)\)")
OF = re.compile(r"^(?P<what>[a-z ]+?) (?:of|in) (?:the )?(?P<where>[a-z' ]+)$")
TURNED = {
    "abscess", "acquired absence", "adhesion", "amputation", "aneurysm", "atresia", "atrophy", "bleeding", "burn", "calculus",
    "carcinoma", "carcinoma in situ", "cellulitis", "congenital malformation", "contusion", "cyst", "deficiency", "deformity",
    "degeneration", "dermatitis", "dislocation", "disease", "disorder", "displacement", "dissection", "edema", "effusion",
    "embolism", "enlargement", "erosion", "fibrosis", "fistula", "foreign body", "fracture", "gangrene", "hematoma",
    "hemorrhage", "hemangioma", "hernia", "hypertrophy", "hypoplasia", "impetigo", "infarction", "infection", "inflammation",
    "injury", "instability", "laceration", "leiomyoma", "lesion", "lipoma", "malformation", "melanoma", "mycosis", "neoplasm",
    "obstruction", "occlusion", "open wound", "osteoarthritis", "pain", "paralysis", "perforation", "polyp", "prolapse",
    "primary osteoarthritis", "rupture", "spasm", "sprain", "stenosis", "strain", "stricture", "swelling", "tear", "thrombosis",
    "tuberculosis", "tumor", "ulcer", "malignant neoplasm", "benign neoplasm", "varices", "benign lipomatous neoplasm",
    "inflammatory disease", "inflammatory disorder", "stiffness", "contracture", "crushing injury", "superficial injury",
    "malignant melanoma", "hidradenitis", "ankylosis", "secondary malignant neoplasm", "closed fracture", "incompetence",
    "insufficiency", "mononeuropathy", "neuropathy", "cancer", "traumatic amputation", "osteomyelitis", "spondylosis",
}  # fmt: skip
"""What may stand behind the place as well: "fracture of rib", "rib fracture"."""
MEANT = {
    "malignant neoplasm": ("cancer", "carcinoma"),
    "benign neoplasm": ("benign tumor",),
    "secondary malignant neoplasm": ("metastasis", "metastatic cancer"),
    "malignant melanoma": ("melanoma",),
    "acquired absence": ("absence",),
    "calculus": ("stone",),
    "primary osteoarthritis": ("osteoarthritis", "oa", "djd", "degenerative joint disease", "arthritis"),
    "osteoarthritis": ("oa", "djd", "arthritis"),
    "fracture": ("fx",),
    "leiomyoma": ("fibroid",),
    "disorder": ("disease",),
    "open wound": ("wound",),
}
"""How charts say it, too."""
NOUNS = frozenset(
    {"disease", "syndrome", "fever", "sickness", "terrors", "planus", "dysentery", "placentae", "chickenpox", "measles"}
)
NOT_PROBLEMS = frozenset({
    "recurrent fever", "cardiac sclerosis", "abnormal hemoglobin", "old age", "new growth", "brain death", "body mass index",
    "failure", "late walker", "sensory disorder", "anxiety depression", "infection in pregnancy", "in vitro", "no value",
})  # fmt: skip
"""Terms that say something else, or nothing, on a chart."""
USE = re.compile(r"\w+ (?:use|related disorder)$")
"""That somebody takes something is told of food and drink; that it is a disorder must be said."""
JOINED = re.compile(
    r"\b(non|gastro|hyper|hypo|post|pre|anti|peri|para|poly|micro|macro|mega|intra|inter|sub|supra|trans|neuro|naso|oro|sero|"
    r"vaso|cardio|myo|osteo|tricho|auto|bi|tri|ante|extra|semi|uni|multi|self|broncho|laryngo|entero|lympho|thrombo) (?=[a-z]{4})"
)
"""Beginnings of words that are written with a hyphen and without: folded, the hyphen is a space."""
PLURAL = re.compile(r"(?<=[a-z]{3})(?:(?<=i)es|(?<![suioa])s)$")
_QUALITIES = (
    "acute chronic subacute rheumatic primary secondary congenital acquired generalized localized recurrent mild moderate severe "
    "familial hereditary idiopathic infectious infective traumatic nontraumatic allergic type stage i ii iii iv v 1 2 3 4 a b c "
    "male female adult juvenile infantile intractable without with or and late early old new diffuse focal"
)
QUALITIES = frozenset(_QUALITIES.split())
"""What is said of a disease, and is none."""
_NO_PLURALS = (
    "rabies scabies caries herpes diabetes ascites varices shingles measles mumps rales hives tabes lues menses forceps bends "
    "series species feces rickets hiccups"
)
NO_PLURALS = frozenset(_NO_PLURALS.split())
DISEASE_LIKE = re.compile(
    r"(?:itis|osis|iasis|asis|emia|uria|pathy|oma|algia|ism|cele|plasia|trophy|phobia|ectasia|ectasis|megaly|plegia|paresis|opia|"
    r"tropia|phoria|rrhea|rrhagia|philia|penia|lysis|opsia|cephaly|dactyly|orexia|phasia|praxia|agia|kinesia|odynia|malacia|schisis|"
    r"thorax|pericardium|phagia|gnosia|graphia|phonia|hidrosis|trichosis|opathy|opsy|pnea|stasis|dystrophy|ptysis|tosis|ptosis|"
    r"keratosis|odontia|glossia|menorrhea|spermia|hydrosis|acusis|cusis|phthalmos|phthalmia|praxis|mnesia|ectopia|somnia|stomia)$"
)
"""How words end that name a disease when they stand alone; other words of the list alone name parts, people and qualities."""
_NAMES_ALONE = (
    "rabies tetanus botulism smallpox mpox monkeypox zika kuru yaws pinta chilblain quinsy sprue pinguecula hyphema hypopyon "
    "nystagmus progeria cadasil ranula miliaria lentigo purpura petechiae snoring pallor stupor somnolence drowsiness stridor "
    "rales scarlatina typhus cowpox "
    "neoplasm tumor hemorrhage aneurysm malocclusion fistula ganglion cicatrix contracture coloboma "
    "erythroderma erythrasma erysipeloid felon kwashiorkor leukoderma parapsoriasis pompholyx prurigo strangury symblepharon "
    "synechia effusion hallucination bruit cyanosis bedridden blackout craniosynostosis dextrocardia megacolon presbyacusis "
    "hypersplenism immunodeficiency quadriplegia chloasma cherubism hypospadias epispadias polydactyly syndactyly microcephaly "
    "macrocephaly plagiocephaly hydramnios polyhydramnios oligohydramnios placentitis kernicterus hydrops puerperal epididymitis "
    "edentulism halitosis floaters exophthalmos lagophthalmos spondylolysis dyslexia dyscalculia stuttering nosebleed vitiligo "
    "priapism vaginismus takayasu dupuytren trachoma whipworm pinworm hookworm"
)
NAMES_ALONE = frozenset(_NAMES_ALONE.split())


@dataclass(frozen=True)
class Code:
    """One code of the list: its title, and what it is also said to hold."""

    code: str
    title: str
    included: tuple[str, ...]


# ------------------------------------------------------------------ reading


def read_codes(path: Path) -> Iterator[Code]:
    """Every code of the tabular list, in its order."""
    for diag in ET.parse(path).getroot().iter("diag"):
        notes = [
            n.text or "" for tag in ("inclusionTerm", "includes") for held in diag.findall(tag) for n in held.findall("note")
        ]
        yield Code(diag.findtext("name", ""), diag.findtext("desc", ""), tuple(notes))


def is_meant(code: Code, titles: Mapping[str, str]) -> bool:
    """Whether a code stands for a problem that somebody has, at a level that charts write."""
    name = code.code
    if not CHAPTERS.match(name) or NO_CODE.match(name) or (name[0] == "Z" and not STATES.match(name)):
        return False
    title = code.title.lower()
    if name[0] in "OPQ" and len(name) > len("Q00.00"):
        return False
    if PLACES.search(title) and name[0] in "CO":
        return False
    above = [titles.get(name[:n], "?").lower().removeprefix("other ") for n in range(len("M00.0"), len(name))]
    if JOINT_BY_JOINT.match(name) and any(title.removeprefix("other ").startswith(f"{one},") for one in above):
        return False
    return not (SIDED.match(name) and len(name) > len("A00.0") and SIDES.search(title))


# ------------------------------------------------------------------ what it is called


def terms_of(code: Code) -> Iterator[tuple[str, int]]:
    """Every way in which charts write what a code stands for, with its rank: the less, the surer it is this code's."""
    for text, rank in ((code.title, TITLE), *((note, INCLUDED) for note in code.included)):
        for plain in bare_names(text):
            worded, stripped = without_residue(plain)
            more = rank + (STRIPPED if stripped else 0)
            for n, said in enumerate(said_as(worded)):
                yield said, more + 3 * bool(n)


def bare_names(text: str) -> Iterator[str]:
    """A text with what stands in brackets out and in; a name in square brackets is another name."""
    text = re.sub(r"\([A-Z]\d\d[^)]*\)|\(e?s\)", "", text).lower().replace("’", "'")
    for inner in BRACKETS.findall(text):
        if re.fullmatch(r"[a-z][a-z' -]{6,}", inner) and (DISEASE_LIKE.search(inner) or inner.rpartition(" ")[2] in NOUNS):
            yield inner.strip()
    text = BRACKETS.sub("", text)
    yield PARENTHESES.sub("", text).strip()
    held = PARENTHESES.findall(text)
    if held:
        yield PARENTHESES.sub(r" \1", text).strip()


def without_residue(text: str) -> tuple[str, bool]:
    """A name without what a classification adds to it, and whether that was "other", of which the rest says more than it is."""
    stripped = False
    while (shorter := TRAILING.sub("", text)) != text:
        text = shorter
    while (shorter := LEADING.sub("", text)) != text:
        stripped = stripped or text.startswith(("other", "certain"))
        text = shorter
    shorter = INSIDE.sub("", text)
    return shorter.strip(" ,;."), stripped or shorter != text


def said_as(text: str) -> Iterator[str]:
    """A name as it is, in the singular, turned round, and in the words of charts."""
    text = re.sub(r"\bof unilateral\b|\bunilateral\b", "", text)
    text = re.sub(
        r"^(disorder|disease|complication|deformitie?y?|malformation|injurie?y?|ulcer|fracture|infection|neoplasm)s\b",
        r"\1",
        text,
    )
    yield text
    turned = OF.match(fold(text))
    if (
        turned
        and len(turned["where"].split()) <= MOST_TURNED
        and not re.search(r"\b(?:and|or|with|due|of|in|by|to)\b", turned["where"])
    ):
        what = turned["what"]
        for said in (what, *MEANT.get(what, ())):
            if what in TURNED:
                if not said.endswith("neoplasm"):
                    yield f"{turned['where']} {said}"
                yield f"{said} of {turned['where']}"
    inverted = re.fullmatch(r"([a-z' -]+), ([a-z' -]+)", text)
    if (
        inverted
        and len(inverted[2].split()) <= 2
        and not re.match(r"(?:with|without|in|of|due|and|or|stage|type|level|grade)\b", inverted[2])
    ):
        yield f"{inverted[2]} {inverted[1]}"


def kept(term: str) -> Iterator[str]:
    """A term as it is compared, and with beginnings of words joined; nothing where it is none that charts write."""
    if NOT_A_NAME.search(term):
        return
    key = fold(term)
    words = key.split()
    if not words or len(words) > MOST_WORDS or len(key) < 4 or not key[0].isalpha():
        return
    if words[-1] in ("of", "and", "or", "with", "to", "by", "in", "for", "the", "without", "due") or words[0] in (
        "and",
        "or",
        "with",
        "of",
        "in",
        "the",
    ):
        return
    key = single(key)
    if key in NOT_PROBLEMS or USE.match(key):
        return
    if QUALITIES.issuperset(words):
        return
    if len(words) == 1 and not (DISEASE_LIKE.search(key) or key in NAMES_ALONE):
        return
    yield key
    if (joined := JOINED.sub(r"\1", key)) != key:
        yield joined


def single(key: str) -> str:
    """A phrase with its last word in the singular."""
    if key.rpartition(" ")[2] in NO_PLURALS:
        return key
    return key[:-3] + "y" if key.endswith("ies") else PLURAL.sub("", key)


# ------------------------------------------------------------------ what kb/ holds


def held_words(kb: Path) -> frozenset[str]:
    """Names that conditions bear, and names of anything else that stands on lists; words of the grammar; everyday words."""
    held: set[str] = set()
    paths = [p for folder in ("conditions", "drugs", "products", "labs", "panels", "foods", "classes", "genes", "allergens")
             for p in sorted((kb / folder).glob("*.yaml"))]  # fmt: skip
    for path in paths:
        held.update(map(fold, names_of(yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))))
    rows = yaml.load((kb / "recognised" / "conditions.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    for row in rows["conditions"]:
        held.update(map(fold, names_of(row)))
    for name in ("ingredients.csv", "brands.csv"):
        lines = (kb / "recognised" / name).read_text(encoding="utf-8").splitlines()
        held.update(fold(line.partition(",")[0]) for line in lines if not line.startswith("#"))
    for path in sorted((kb / "language").glob("problem-*.yaml")):
        said = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CBaseLoader)
        phrases = [*said.get("words", ()), *(p for ps in said.get("meanings", {}).values() for p in ps)]
        held.update(map(fold, phrases))
    lines = (HOME / "tools" / "everyday_words.txt").read_text(encoding="utf-8").splitlines()
    held.update(word for line in lines if not line.startswith("#") for word in line.split())
    return frozenset(held)


def names_of(item: dict[str, object]) -> Iterator[str]:
    """Every name that an entry bears."""
    yield str(item["name"])
    for key in ("synonyms", "brands", "salts", "misspellings", "abbreviations"):
        listed = item.get(key, [])
        for text in listed if isinstance(listed, list) else []:
            yield text["text"] if isinstance(text, dict) else str(text)


# ------------------------------------------------------------------ writing


def chosen(codes: Iterable[Code], held: frozenset[str]) -> dict[str, str]:
    """Each term with its code: of several codes the one whose title it is, then the shorter, then the earlier."""
    found: dict[str, tuple[int, int, str]] = {}
    codes = list(codes)
    titles = {code.code: code.title for code in codes}
    for code in (code for code in codes if is_meant(code, titles)):
        for said, rank in terms_of(code):
            for key in kept(said):
                one = (rank, len(code.code), code.code)
                if key not in held and f"{key}s" not in held:
                    found[key] = min(found.get(key, one), one)
    return {key: code for key, (_, _, code) in sorted(found.items())}


NOT_ALONE = frozenset(
    (HOME / "tools" / "no_problems.txt").read_text(encoding="utf-8").split("\n")
    if (HOME / "tools" / "no_problems.txt").exists()
    else ()
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the list, write the table, tell how many terms there are."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tabular", type=Path, help="the tabular list, XML")
    parser.add_argument("--kb", type=Path, default=HOME / "kb", help="the knowledge to leave out (default: this checkout's)")
    parser.add_argument("--out", type=Path, help="where to write (default: KB/recognised/problems.csv)")
    options = parser.parse_args(arguments)
    terms = chosen(read_codes(options.tabular), held_words(options.kb))
    out = options.out or options.kb / "recognised" / "problems.csv"
    lines = [
        "# ICD-10-CM, April 2026 (source.icd10cm-2026-04); US National Center for Health Statistics; public domain.",
        "# Made by tools/import_icd10cm.py: do not edit by hand, give a condition the name instead.",
        "term,code",
        *(f"{term},{code}" for term, code in terms.items()),
    ]
    out.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    print(f"{out}: {len(terms)} terms of {len(set(terms.values()))} codes", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
