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

_RULES = r"""
\ba\b→@ augh(?=t)→A au→A aw(?=[aeiou])→@w aw→A air→Er are\b→Er ai→e ay→e ae→i all\b→Al al(?=[dt]\b)→Al alk→Ak alm\b→Am
ar(?=r?[aeiouy])→Er ar→Ar (?<=w)a(?=[tsn])→A a(?=t(?:e|es|ed|ing|ion)\b)→e age\b→IJ a(?=[bcdfgklmnpstvz]e[sd]?\b)→e
a(?=[bcdfgklmnpstvz]ing\b)→e a(?=ble\b)→e a(?=ste\b)→e a(?=nge\b)→e a\b→@ \ba(?=[bcdfglmnprstv][aeiouylr])→@ a→a
(?<=m)b\b→ b(?=t\b)→ bb?→b
ch(?=[lrnt])→k (?<=s)ch→k che(?=m)→kE ch(?=ol|or|ar[ai])→k ch→C ck→k cqu→kw ci(?=[aou][ln]?)(?!ci[ao]n?[dt])→S
cc(?=[eiy])→ks c(?=[eiy])→s cc?→k
dge?→J \bdr\b→daktr dd?→d
eigh→e eau→o ear(?=[ntl])→@r ear→ir ea(?=d\b|lth|th)→E ea→i eer→ir ee→i eu(?=r)→yu eu→u (?<=[rlcj])ew→u ew→yu ei→i
eye→Y ey\b→i ey→e ere\b→ir e(?=r[aeiou])→E er→@r eo→io \be(?=[bcdfglmnprstvz][aeiou])→I (?<=[td])ed\b→Id
(?<=[pkfsxh])ed\b→t (?<=[a-z])ed\b→d (?<=[scgzx])es\b→Iz (?<=h)es\b→Iz (?<=[aeiou][bdfklmnprtv])es\b→z
(?<=\b[bdhmsw])e\b→i (?<=\bth)e\b→@ (?<=\bsh)e\b→i e\b→
(?<=[aeiou][bdgklmnprtvz])e(?=(?:ly|ment|ness|some|body|thing)\b)→ (?<=[bdlmnprtv])e(?=[bdklmnprtv][aeiou])→E e→E
ff?→f
gh\b→ gh(?=t)→ gh→g \bgn→n gn(?=\b|e?d\b|s\b|e?ment)→n gg→g g(?=et|iv|irl|ift|ear\b|ei)→g g(?=[eiy])→J gue\b→g
gu(?=[eiy])→g g→g
\bhour→Wr h(?=[aeiouy])→h h→
igh→Y \bi\b→Y \bi(?=[dmv]\b|ll\b)→Y ie\b→i ied\b→id ies\b→iz ier\b→i@r ie(?=[fvl])→i ie(?=nt|nc)→iE ie→i ique\b→ik
ir(?=[aeiou])→Yr irr→Ir ir→@r ind\b→Ynd ild\b→Yld ign\b→Yn isk\b→Isk i(?=[aou])→i (?<=[td])ine\b→in (?<=[lrz])ine\b→in
(?<=am)ine\b→in (?<=[aeiouy][a-z][a-z])ine\b→in (?<=[aeiouy][a-z])ine\b→in i(?=de\b)→Y i(?=[bcfklmnptz]e[sd]?\b)→Y
i(?=[cd]es?\b)→Y i(?=ve\b)→Y (?<=[lpr])i(?=cit|b)→I i\b→i i→I
j→J
\bkn→n kk?→k
(?<=[bcdfgkpstz])le\b→@l (?<=[bcdfgkpstz])les\b→@lz (?<=[bdfgkptz])led\b→@ld l(?=[km]\b)→ ll?→l
\bmr\b→mIst@r \bmn→n mm?→m
ng\b→N ngs\b→Nz n(?=[kgqx])→N nc(?=[tl])→Nk nn?→n
ough(?=t)→A (?<=[tr])ough\b→@f ough\b→o oul(?=d)→U our\b→or our(?=[cs])→or ous\b→@s ou(?=p|gh)→u ou→W oar→or oa→o
oor→or oo(?=k)→U oo→u oi→O oy→O oe\b→o oe→i ow(?=n\b|l\b|er|[dns])→W (?<=[hnvc])ow\b→W ow→o old→old one\b→on
o(?=[cdklmnpstvz]e[sd]?\b)→o oll\b→ol ore\b→or or→or o(?=st\b|th\b)→o o\b→o o(?=[bcdfglmnprstvz][aeiouy])→o
(?<=\bw)o(?=n)→@ (?<=\bm)o(?=n|th)→@ (?<=\bs)o(?=n\b)→@ o→A
ph→f \bps→s \bpn→n pp?→p
que\b→k qu→kw q→k
rh→r rr?→r
sch→sk sh→S sc(?=[eiy])→s ss(?=ion|ur)→S (?<=[lnr])s(?=ion)→S s(?=ion|ual|ure)→Z (?<=[aeiou])se\b→z
(?<=[aeiou])s(?=[aeiou][nl]?\b)→z (?<=[aeiouy])s(?=[aeiouy])→s (?<=[bdglmnrvwy])s\b→z (?<=[aeio])sm\b→z@m ss?→s
tch→C th(?=[aeo][mnsty]?\b)→D (?<=\b)th(?=e(?:re|ir|se|n|m|y)|at|is|ose|us|ough)→D th(?=er\b)→D th→T t(?=ure)→C
t(?=ual)→C ti(?=on|al|ous|en)→S (?<=s)t(?=le|en\b)→ tt?→t
\bun(?=i)→yun \bu(?=[bcdfglmnprstv][aeiou])→yu \bur→@r ui(?=[cst])→u ue\b→u ur(?=[aeiou])→yur ur→@r uy→Y
(?<=[bcfghmpv])u(?=[bcdfgklmnpstvz][aeiouy])→yu u(?=[bcdfgklmnpstvz][aeiouy])→u u(?=[aeo])→yu u\b→u ull\b→Ul u→@
vv?→v
wh(?=o)→h wh→w wr→r w(?=[aeiouy])→w w→
\bx\b→Eks \bx→z (?<=\be)x(?=[aeiou])→gz xc(?=[eiy])→ks x→ks
\by(?=[aeiou])→y (?<=\bm)y\b→Y (?<=\b[bcdflst][rlhk])y\b→Y (?<=\bb)y\b→Y y(?=[bcdfklmnpstvz]e\b)→Y \by→I
(?<=[aeiou])y(?=[aeiou])→y (?<=\b[dhlmnpt])y(?=[dlmnpr])→Y (?<=\bc)y(?=[cm])→Y (?<=\bh)y→Y y\b→i yr(?=[^aeiouy]|\b)→@r
y→I
zz?→z
"""
"""Letters (a regular expression over the word) → sounds; those of one first letter are tried in the order written."""
_LETTERS = """
a→e b→bi c→si d→di e→i f→Ef g→Ji h→eC i→Y j→Je k→ke l→El m→Em n→En o→o p→pi q→kyu r→Ar s→Es t→ti u→yu v→vi w→d@b@lyu
x→Eks y→wY z→zi
"""
"""How a letter is called when it stands alone."""
_IRREGULAR = """
the→D@ of→@v to→tu you→yu your→yor was→w@z one→w@n two→tu some→s@m come→k@m said→sEd does→d@z do→du who→hu are→Ar
have→hav been→bIn were→w@r what→w@t there→DEr where→wEr their→DEr youre→yor they→De so→so no→no go→go eye→Y eyes→Yz
sure→Sur sugar→SUg@r any→Eni many→mEni put→pUt full→fUl pull→pUl heart→hArt people→pip@l iron→Y@rn eight→et ate→et
whole→hol could→kUd would→wUd should→SUd from→fr@m once→w@ns done→d@n none→n@n love→l@v live→lIv give→gIv gone→gAn
lose→luz move→muv prove→pruv woman→wUm@n women→wImIn water→wAt@r oh→o ah→A i→Y id→Yd ive→Yv ill→Yl im→Ym its→Its is→Iz
his→hIz as→az has→haz dont→dont wont→wont cant→kant he→hi she→Si we→wi me→mi be→bi my→mY by→bY why→wY city→sIti
doctor→dAkt@r isnt→Iz@nt didnt→dId@nt doesnt→d@z@nt wasnt→w@z@nt havent→hav@nt hes→hiz shes→Siz theres→DErz thats→Dats
lets→lEts bye→bY minute→mInIt area→Eri@ idea→Ydi@ only→onli mr→mIst@r dr→dAkt@r lol→lAl tv→tivi pm→piEm am→am us→@s
ok→oke okay→oke 0→ziro 1→w@n 2→tu 3→Tri 4→for 5→fYv 6→sIks 7→sEv@n 8→et 9→nYn 10→tEn
"""
"""Short, frequent words that follow no rule."""


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split("→") for pair in text.split())


def _compile() -> dict[str, tuple[re.Pattern[str], tuple[str, ...]]]:
    """For each letter one pattern whose numbered groups are its rules, and what each group is said as."""
    grouped: dict[str, list[list[str]]] = {}
    for rule in _RULES.split():
        letters, sounds = rule.split("→")
        plain = re.sub(r"\(\?<[^()]*\)", "", letters)
        grouped.setdefault(plain.replace("\\b", "")[0], []).append([letters, sounds])
    return {
        letter: (re.compile("|".join(f"({r[0]})" for r in rules)), ("", *(r[1] for r in rules)))
        for letter, rules in grouped.items()
    }


_SAID_AS = _compile()
_NAMED = _pairs(_LETTERS)
_KNOWN = _pairs(_IRREGULAR)
_DOUBLE = re.compile(r"(.)\1+")


@lru_cache(8192)
def say(word: str) -> str:
    """The sounds of one word in lower-case letters (or digits); a single letter is said by its name."""
    known = _KNOWN.get(word)
    if known is not None:
        return known
    if len(word) == 1:
        return "@" if word == "a" else _NAMED.get(word, "")
    if not (word.isascii() and word.isalpha()):
        return "".join(say(c) for c in word if c.isascii() and c.isalnum())
    if len(word) < 4 and not any(c in "aeiouy" for c in word):
        return "".join(_NAMED[c] for c in word)
    said = []
    at = 0
    while at < len(word):
        pattern, sounds = _SAID_AS[word[at]]
        found = pattern.match(word, at)
        if found is None:
            at += 1
            continue
        said.append(sounds[found.lastindex or 0])
        at = found.end()
    return _DOUBLE.sub(r"\1", "".join(said))


def pronounce(words: str) -> str:
    """The sounds of several words run together."""
    return _DOUBLE.sub(r"\1", "".join([say(w) for w in words.split()]))
