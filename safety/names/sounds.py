"""How written English, drug names included, is said: letters → a string of sounds, one character a sound.

The rules are ordinary letter-to-sound rules (first match wins), read left to right, with what must stand before and
after. They need not be perfect: a name and what a recogniser heard are put through the same rules, and vowels,
where such rules err most, weigh little in `distance`.

Sounds: p b t d k g f v T(thin) D(then) s z S(she) Z(vision) C(church) J(judge) m n N(sing) l r w y h
        i(see) I(sit) e(say) E(set) a(cat) A(law) o(go) u(too) @(about, cup) Y(my) W(now) O(boy)
"""

from __future__ import annotations

import re
from functools import lru_cache

_V = "[aeiouy]"
_C = "[bcdfghjklmnpqrstvwxz]"
# letters (a regular expression), sounds; `<` and `>` are the word's ends. Grouped by the first letter they begin with.
_RULES: dict[str, list[tuple[str, str]]] = {
    "a": [
        (r"\ba\b", "@"), (r"augh(?=t)", "A"), (r"au", "A"), (r"aw(?=[aeiou])", "@w"), (r"aw", "A"), (r"air", "Er"), (r"are\b", "Er"),
        (r"ai", "e"), (r"ay", "e"), (r"ae", "i"), (r"all\b", "Al"), (r"al(?=[dt]\b)", "Al"), (r"alk", "Ak"), (r"alm\b", "Am"),
        (r"ar(?=r?[aeiouy])", "Er"), (r"ar", "Ar"), (r"(?<=w)a(?=[tsn])", "A"), (r"a(?=t(?:e|es|ed|ing|ion)\b)", "e"),
        (r"age\b", "IJ"), (r"a(?=[bcdfgklmnpstvz]e[sd]?\b)", "e"), (r"a(?=[bcdfgklmnpstvz]ing\b)", "e"), (r"a(?=ble\b)", "e"),
        (r"a(?=ste\b)", "e"), (r"a(?=nge\b)", "e"), (r"a\b", "@"), (r"\ba(?=[bcdfglmnprstv][aeiouylr])", "@"), (r"a", "a"),
    ],
    "b": [(r"(?<=m)b\b", ""), (r"b(?=t\b)", ""), (r"bb?", "b")],
    "c": [
        (r"ch(?=[lrnt])", "k"), (r"(?<=s)ch", "k"), (r"che(?=m)", "kE"), (r"ch(?=ol|or|ar[ai])", "k"), (r"ch", "C"), (r"ck", "k"),
        (r"cqu", "kw"), (r"ci(?=[aou][ln]?)(?!ci[ao]n?[dt])", "S"), (r"cc(?=[eiy])", "ks"), (r"c(?=[eiy])", "s"), (r"cc?", "k"),
    ],
    "d": [(r"dge?", "J"), (r"\bdr\b", "daktr"), (r"dd?", "d")],
    "e": [
        (r"eigh", "e"), (r"eau", "o"), (r"ear(?=[ntl])", "@r"), (r"ear", "ir"), (r"ea(?=d\b|lth|th)", "E"), (r"ea", "i"),
        (r"eer", "ir"), (r"ee", "i"), (r"eu(?=r)", "yu"), (r"eu", "u"), (r"(?<=[rlcj])ew", "u"), (r"ew", "yu"), (r"ei", "i"),
        (r"eye", "Y"), (r"ey\b", "i"), (r"ey", "e"), (r"ere\b", "ir"), (r"e(?=r[aeiou])", "E"), (r"er", "@r"), (r"eo", "io"),
        (r"\be(?=[bcdfglmnprstvz][aeiou])", "I"), (r"(?<=[td])ed\b", "Id"), (r"(?<=[pkfsxh])ed\b", "t"), (r"(?<=[a-z])ed\b", "d"),
        (r"(?<=[scgzx])es\b", "Iz"), (r"(?<=h)es\b", "Iz"), (r"(?<=[aeiou][bdfklmnprtv])es\b", "z"),
        (r"(?<=\b[bdhmsw])e\b", "i"), (r"(?<=\bth)e\b", "@"), (r"(?<=\bsh)e\b", "i"), (r"e\b", ""),
        (r"(?<=[aeiou][bdgklmnprtvz])e(?=(?:ly|ment|ness|some|body|thing)\b)", ""),
        (r"(?<=[bdlmnprtv])e(?=[bdklmnprtv][aeiou])", "E"), (r"e", "E"),
    ],
    "f": [(r"ff?", "f")],
    "g": [
        (r"gh\b", ""), (r"gh(?=t)", ""), (r"gh", "g"), (r"\bgn", "n"), (r"gn(?=\b|e?d\b|s\b|e?ment)", "n"), (r"gg", "g"),
        (r"g(?=et|iv|irl|ift|ear\b|ei)", "g"), (r"g(?=[eiy])", "J"), (r"gue\b", "g"), (r"gu(?=[eiy])", "g"), (r"g", "g"),
    ],
    "h": [(r"\bhour", "Wr"), (r"h(?=[aeiouy])", "h"), (r"h", "")],
    "i": [
        (r"igh", "Y"), (r"\bi\b", "Y"), (r"\bi(?=[dmv]\b|ll\b)", "Y"), (r"ie\b", "i"), (r"ied\b", "id"), (r"ies\b", "iz"), (r"ier\b", "i@r"), (r"ie(?=[fvl])", "i"),
        (r"ie(?=nt|nc)", "iE"), (r"ie", "i"), (r"ique\b", "ik"), (r"ir(?=[aeiou])", "Yr"), (r"irr", "Ir"), (r"ir", "@r"), (r"ind\b", "Ynd"), (r"ild\b", "Yld"),
        (r"ign\b", "Yn"), (r"isk\b", "Isk"), (r"i(?=[aou])", "i"), (r"(?<=[td])ine\b", "in"), (r"(?<=[lrz])ine\b", "in"), (r"(?<=am)ine\b", "in"), (r"(?<=[aeiouy][a-z][a-z])ine\b", "in"), (r"(?<=[aeiouy][a-z])ine\b", "in"), (r"i(?=de\b)", "Y"),
        (r"i(?=[bcfklmnptz]e[sd]?\b)", "Y"), (r"i(?=[cd]es?\b)", "Y"), (r"i(?=ve\b)", "Y"), (r"(?<=[lpr])i(?=cit|b)", "I"),
        (r"i\b", "i"), (r"i", "I"),
    ],
    "j": [(r"j", "J")],
    "k": [(r"\bkn", "n"), (r"kk?", "k")],
    "l": [(r"(?<=[bcdfgkpstz])le\b", "@l"), (r"(?<=[bcdfgkpstz])les\b", "@lz"), (r"(?<=[bdfgkptz])led\b", "@ld"), (r"l(?=[km]\b)", ""), (r"ll?", "l")],
    "m": [(r"\bmr\b", "mIst@r"), (r"\bmn", "n"), (r"mm?", "m")],
    "n": [(r"ng\b", "N"), (r"ngs\b", "Nz"), (r"n(?=[kgqx])", "N"), (r"nc(?=[tl])", "Nk"), (r"nn?", "n")],
    "o": [
        (r"ough(?=t)", "A"), (r"(?<=[tr])ough\b", "@f"), (r"ough\b", "o"), (r"oul(?=d)", "U"), (r"our\b", "or"), (r"our(?=[cs])", "or"), (r"ous\b", "@s"), (r"ou(?=p|gh)", "u"), (r"ou", "W"),
        (r"oar", "or"), (r"oa", "o"), (r"oor", "or"), (r"oo(?=k)", "U"), (r"oo", "u"), (r"oi", "O"), (r"oy", "O"), (r"oe\b", "o"), (r"oe", "i"),
        (r"ow(?=n\b|l\b|er|[dns])", "W"), (r"(?<=[hnvc])ow\b", "W"), (r"ow", "o"), (r"old", "old"), (r"one\b", "on"), (r"o(?=[cdklmnpstvz]e[sd]?\b)", "o"), (r"oll\b", "ol"),
        (r"ore\b", "or"), (r"or", "or"), (r"o(?=st\b|th\b)", "o"), (r"o\b", "o"), (r"o(?=[bcdfglmnprstvz][aeiouy])", "o"), (r"(?<=\bw)o(?=n)", "@"),
        (r"(?<=\bm)o(?=n|th)", "@"), (r"(?<=\bs)o(?=n\b)", "@"), (r"o", "A"),
    ],
    "p": [(r"ph", "f"), (r"\bps", "s"), (r"\bpn", "n"), (r"pp?", "p")],
    "q": [(r"que\b", "k"), (r"qu", "kw"), (r"q", "k")],
    "r": [(r"rh", "r"), (r"rr?", "r")],
    "s": [
        (r"sch", "sk"), (r"sh", "S"), (r"sc(?=[eiy])", "s"), (r"ss(?=ion|ur)", "S"), (r"(?<=[lnr])s(?=ion)", "S"), (r"s(?=ion|ual|ure)", "Z"),
        (r"(?<=[aeiou])se\b", "z"), (r"(?<=[aeiou])s(?=[aeiou][nl]?\b)", "z"), (r"(?<=[aeiouy])s(?=[aeiouy])", "s"), (r"(?<=[bdglmnrvwy])s\b", "z"), (r"(?<=[aeio])sm\b", "z@m"), (r"ss?", "s"),
    ],
    "t": [
        (r"tch", "C"), (r"th(?=[aeo][mnsty]?\b)", "D"), (r"(?<=\b)th(?=e(?:re|ir|se|n|m|y)|at|is|ose|us|ough)", "D"), (r"th(?=er\b)", "D"), (r"th", "T"),
        (r"t(?=ure)", "C"), (r"t(?=ual)", "C"), (r"ti(?=on|al|ous|en)", "S"), (r"(?<=s)t(?=le|en\b)", ""), (r"tt?", "t"),
    ],
    "u": [
        (r"\bun(?=i)", "yun"), (r"\bu(?=[bcdfglmnprstv][aeiou])", "yu"), (r"\bur", "@r"), (r"ui(?=[cst])", "u"), (r"ue\b", "u"), (r"ur(?=[aeiou])", "yur"), (r"ur", "@r"), (r"uy", "Y"),
        (r"(?<=[bcfghmpv])u(?=[bcdfgklmnpstvz][aeiouy])", "yu"), (r"u(?=[bcdfgklmnpstvz][aeiouy])", "u"), (r"u(?=[aeo])", "yu"), (r"u\b", "u"), (r"ull\b", "Ul"), (r"u", "@"),
    ],
    "v": [(r"vv?", "v")],
    "w": [(r"wh(?=o)", "h"), (r"wh", "w"), (r"wr", "r"), (r"w(?=[aeiouy])", "w"), (r"w", "")],
    "x": [(r"\bx\b", "Eks"), (r"\bx", "z"), (r"(?<=\be)x(?=[aeiou])", "gz"), (r"xc(?=[eiy])", "ks"), (r"x", "ks")],
    "y": [(r"\by(?=[aeiou])", "y"), (r"(?<=\bm)y\b", "Y"), (r"(?<=\b[bcdflst][rlhk])y\b", "Y"), (r"(?<=\bb)y\b", "Y"), (r"y(?=[bcdfklmnpstvz]e\b)", "Y"), (r"\by", "I"), (r"(?<=[aeiou])y(?=[aeiou])", "y"),
          (r"(?<=\b[dhlmnpt])y(?=[dlmnpr])", "Y"), (r"(?<=\bc)y(?=[cm])", "Y"), (r"(?<=\bh)y", "Y"), (r"y\b", "i"), (r"yr(?=[^aeiouy]|\b)", "@r"), (r"y", "I")],
    "z": [(r"zz?", "z")],
}  # fmt: skip
_LETTERS = dict(zip("abcdefghijklmnopqrstuvwxyz",
                    "e bi si di i Ef Ji eC Y Je ke El Em En o pi kyu Ar Es ti yu vi d@bVlyu Eks wY zi".split(), strict=True))  # fmt: skip
_LETTERS["w"] = "d@b@lyu"
_IRREGULAR = {
    "the": "D@", "of": "@v", "to": "tu", "you": "yu", "your": "yor", "was": "w@z", "one": "w@n", "two": "tu", "some": "s@m",
    "come": "k@m", "said": "sEd", "does": "d@z", "do": "du", "who": "hu", "are": "Ar", "have": "hav", "been": "bIn",
    "were": "w@r", "what": "w@t", "there": "DEr", "where": "wEr", "their": "DEr", "youre": "yor", "they": "De",
    "so": "so", "no": "no", "go": "go", "eye": "Y", "eyes": "Yz", "sure": "Sur", "sugar": "SUg@r", "any": "Eni", "many": "mEni", "put": "pUt",
    "full": "fUl", "pull": "pUl", "heart": "hArt", "people": "pip@l", "iron": "Y@rn", "eight": "et", "ate": "et", "whole": "hol",
    "could": "kUd", "would": "wUd", "should": "SUd", "from": "fr@m", "once": "w@ns", "done": "d@n", "none": "n@n", "love": "l@v",
    "live": "lIv", "give": "gIv", "gone": "gAn", "lose": "luz", "move": "muv", "prove": "pruv", "woman": "wUm@n", "women": "wImIn",
    "water": "wAt@r", "oh": "o", "ah": "A", "i": "Y", "id": "Yd", "ive": "Yv", "ill": "Yl", "im": "Ym", "its": "Its", "is": "Iz", "his": "hIz", "as": "az",
    "has": "haz", "dont": "dont", "wont": "wont", "cant": "kant", "he": "hi", "she": "Si", "we": "wi", "me": "mi", "be": "bi", "my": "mY", "by": "bY", "why": "wY",
    "city": "sIti", "doctor": "dAkt@r", "isnt": "Iz@nt", "didnt": "dId@nt", "doesnt": "d@z@nt", "wasnt": "w@z@nt", "havent": "hav@nt", "hes": "hiz", "shes": "Siz",
    "theres": "DErz", "thats": "Dats", "lets": "lEts", "bye": "bY", "minute": "mInIt", "area": "Eri@", "idea": "Ydi@", "only": "onli",
    "mr": "mIst@r", "dr": "dAkt@r", "lol": "lAl", "tv": "tivi", "pm": "piEm", "am": "am", "us": "@s", "ok": "oke", "okay": "oke",
    "0": "ziro", "1": "w@n", "2": "tu", "3": "Tri", "4": "for", "5": "fYv", "6": "sIks", "7": "sEv@n", "8": "et", "9": "nYn", "10": "tEn",
}  # fmt: skip


def _compile() -> tuple[re.Pattern[str], tuple[str, ...]]:
    sounds = [""]
    parts = []
    for letter, rules in _RULES.items():
        inner = []
        for pattern, said in rules:
            sounds.append(said)
            inner.append(f"({pattern})")
        parts.append(f"(?=(?:{letter}))(?:{'|'.join(inner)})")
    return re.compile("|".join(parts)), tuple(sounds)


_PATTERN, _SAID = _compile()


@lru_cache(8192)
def say(word: str) -> str:
    """The sounds of one word in lower-case letters (or digits); a single letter is said by its name."""
    known = _IRREGULAR.get(word)
    if known is not None:
        return known
    if len(word) == 1:
        return "@" if word == "a" else _LETTERS.get(word, "")
    if not word.isalpha():
        return "".join(say(c) for c in word)
    if len(word) < 4 and not any(c in "aeiouy" for c in word):
        return "".join(_LETTERS.get(c, "") for c in word)
    return _single("".join(_SAID[m.lastindex or 0] for m in _PATTERN.finditer(word)))


def _single(sounds: str) -> str:
    """Sounds without doubles."""
    return "".join(c for n, c in enumerate(sounds) if n == 0 or c != sounds[n - 1])


def pronounce(words: str) -> str:
    """The sounds of several words run together."""
    return _single("".join(say(w) for w in words.split()))
