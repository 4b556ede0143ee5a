"""Everyday Spanish directions put into the English words that the reader knows; nothing but language.

The table maps what people write (lower case, without accents) to English; longer phrases win. Letters that pharmacy
programs lose ("da" for "día", "va" for "vía") have rows of their own. Words without a row stay as they are, and unread.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from safety.reading.directions.words import words_of

# one of these is enough to know the language: none is an English word of a direction
_STRONG: Final = re.compile(
    r"\b(tomes?|tomar|tomese|tabletas?|pastillas?|comprimidos?|c[aá]psulas?|cada|veces|cucharaditas?|cucharadas?|gotas?|"
    r"aplique|aplicar|inyecte|inyectar|p[oó]ngase|acostarse|comidas?|seg[uú]n|unidades|d[ií]as|noches?|ma[ñn]anas?|boca|diario)\b",
    re.IGNORECASE,
)
# "once" is eleven in Spanish and a single time in English: a text with it is left alone
_REFUSED: Final = re.compile(r"\bonce\b", re.IGNORECASE)

_TABLE: Final = {
    # --- verbs
    "take": "tome, tomes, tomar, toma, tomese, tomelo, tomela",
    "apply": "aplique, aplicar, aplica, apliquese",
    "inject": "inyecte, inyectar, inyectese",
    "place": "ponga, poner, pongase, coloque, colocar",
    "dissolve": "disuelva, disolver",
    "instill": "instile, instilar",
    "use": "usar, utilice",
    "chew": "mastique",
    "swallow": "trague",
    "drink": "beba",
    "inhale": "inhalar, aspire",
    # --- numbers
    "one": "un, una, uno",
    "two": "dos",
    "three": "tres",
    "four": "cuatro",
    "five": "cinco",
    "six": "seis",
    "seven": "siete",
    "eight": "ocho",
    "nine": "nueve",
    "ten": "diez",
    "twelve": "doce",
    "fourteen": "catorce",
    "fifteen": "quince",
    "twenty": "veinte",
    "thirty": "treinta",
    "half": "media, medio, la mitad de una, la mitad de un",
    "one and a half": "una y media, uno y medio, un y medio",
    "two and a half": "dos y media, dos y medio",
    # --- what is counted
    "tablet": "tableta, comprimido",
    "tablets": "tabletas, comprimidos",
    "pill": "pastilla, pildora",
    "pills": "pastillas, pildoras",
    "capsule": "capsula",
    "capsules": "capsulas",
    "drop": "gota",
    "drops": "gotas",
    "teaspoon": "cucharadita, cucharita",
    "teaspoons": "cucharaditas, cucharitas",
    "tablespoon": "cucharada",
    "tablespoons": "cucharadas",
    "units": "unidad, unidades",
    "patch": "parche",
    "patches": "parches",
    "puff": "disparo",
    "puffs": "disparos",
    "inhalation": "inhalacion",
    "inhalations": "inhalaciones",
    "spray": "atomizacion",
    "sprays": "atomizaciones",
    "suppository": "supositorio",
    "suppositories": "supositorios",
    "packet": "sobrecito",
    "mL": "mililitro, mililitros",
    "mg": "miligramo, miligramos",
    "g": "gramo, gramos",
    "mcg": "microgramo, microgramos",
    # --- routes
    "by mouth": "por la boca, por boca, por via oral, por va oral, via oral, por via bucal, oralmente",
    "under the tongue": "debajo de la lengua, bajo la lengua",
    "under the skin": "debajo de la piel, bajo la piel, por via subcutanea, via subcutanea",
    "on the skin": "en la piel, sobre la piel",
    "to affected area": "en el area afectada, al area afectada, sobre el area afectada, en la zona afectada",
    "in right eye": "en el ojo derecho",
    "in left eye": "en el ojo izquierdo",
    "in both eyes": "en cada ojo, en ambos ojos, en los dos ojos, en los ojos",
    "in both ears": "en cada oido, en ambos oidos",
    "in each nostril": "en cada fosa nasal, en cada orificio nasal, en cada fosa",
    "rectally": "por via rectal, por el recto",
    # --- how often
    "once a day": "una vez al dia, una vez al da, una vez por dia, 1 vez al dia, 1 vez al da, una vez cada dia, una vez diaria",
    "once a week": "una vez a la semana, una vez por semana, 1 vez a la semana, 1 vez por semana, semanalmente",
    "once a month": "una vez al mes, una vez por mes, mensualmente",
    "times": "veces",
    "once": "una vez, una sola vez, 1 vez",
    "a day": "al dia, al da, por dia, por da, diarias, diarios",
    "a week": "a la semana, por semana",
    "a month": "al mes, por mes",
    "every": "cada",
    "daily": "cada dia, cada da, todos los dias, todos los das, diario, diariamente, a diario, diaria",
    "every other day": "cada dos dias, cada 2 dias, cada otro dia, dia por medio, un dia si y otro no, en dias alternos",
    "hours": "hora, horas, hrs",
    "day": "dia, da",
    "days": "dias, das",
    "week": "semana",
    "weeks": "semanas",
    "month": "mes",
    "months": "meses",
    "in the morning": "por la manana, en la manana, por las mananas, cada manana, todas las mananas, por la maana, en la maana",
    "at noon": "al mediodia, a mediodia",
    "in the evening": "por la tarde, en la tarde, cada tarde",
    "at night": "por la noche, en la noche, de noche, cada noche, todas las noches, por las noches",
    "at bedtime": "al acostarse, antes de acostarse, antes de dormir, a la hora de dormir, a la hora de acostarse, al dormir, "
    "antes de irse a dormir",
    "with meals": "con las comidas, con cada comida, con comidas",
    "before meals": "antes de las comidas, antes de cada comida, antes de comidas",
    "after meals": "despues de las comidas, despues de cada comida",
    "with breakfast": "con el desayuno, con desayuno",
    "before breakfast": "antes del desayuno, antes de desayuno",
    "with lunch": "con el almuerzo",
    "with dinner": "con la cena",
    "with food": "con comida, con alimentos, con los alimentos, con la comida",
    "with water": "con agua, con un vaso de agua",
    "on an empty stomach": "en ayunas, con el estomago vacio",
    "monday": "lunes",
    "tuesday": "martes",
    "wednesday": "miercoles",
    "thursday": "jueves",
    "friday": "viernes",
    "saturday": "sabado, sabados",
    "sunday": "domingo, domingos",
    # --- as needed, how long, at most
    "as needed": "segun sea necesario, segun se necesite, segn se necesite, segn sea necesario, cuando sea necesario, "
    "si es necesario, si lo necesita, segun necesidad, segun lo necesite, cuando lo necesite, en caso necesario, "
    "en caso de necesidad, si fuera necesario, conforme sea necesario",
    "as directed": "segun las indicaciones, segun indicado, como indicado, como se indica",
    "for": "por, durante, para, para el, para la",
    "until finished": "hasta terminar, hasta que se acabe, hasta que se termine, hasta acabar",
    "up to": "hasta",
    "not more than": "no mas de, no tome mas de, no tomar mas de, no exceda, no exceder, maximo, maximo de, un maximo de",
    "in 24 hours": "en 24 horas",
    "then": "luego, despues, entonces",
    "first day": "primer dia, el primer dia",
    "today": "hoy",
    "pain": "dolor",
    "fever": "fiebre",
    # --- what joins
    "not": "no",
    "and": "y, e",
    "or": "o",
    "with": "con",
    "of": "de, del",
    "in": "en",
    "the": "el, la, los, las",
}
_PHRASES: Final = {phrase.strip(): english for english, line in _TABLE.items() for phrase in line.split(",")}
_LONGEST: Final = max(len(phrase.split()) for phrase in _PHRASES)
_WORD: Final = re.compile(r"[^\W\d_]+|[0-9]+(?:[.,/][0-9]+)*|\S")
_NUMBERS: Final = words_of("one two three four five six seven eight nine ten twelve half")
_HALVES: Final = frozenset({"media", "medio"})


def in_english(text: str) -> str | None:
    """A direction that is recognisably Spanish, in English words; `None` for any other text."""
    if not _STRONG.search(text) or _REFUSED.search(text):
        return None
    raws = _WORD.findall(text)
    words = [_folded(raw) for raw in raws]
    out: list[str] = []
    i = 0
    while i < len(words):
        size = next((n for n in range(min(_LONGEST, len(words) - i), 0, -1) if " ".join(words[i : i + n]) in _PHRASES), 0)
        if words[i] in ("a", "o") and out and _is_number(out[-1]) and i + 1 < len(words) and _is_number(_english(words[i + 1])):
            out.append("to" if words[i] == "a" else "or")  # "cada 4 a 6 horas"
            i += 1
        elif words[i] == "y" and words[i + 1 : i + 2] and words[i + 1] in _HALVES and len(out) > 1 and _is_number(out[-2]):
            out[-1:] = ["and a half", out[-1]]  # "una tableta y media"
            i += 2
        else:
            out.append(_PHRASES[" ".join(words[i : i + size])] if size else raws[i])
            i += size or 1
    return " ".join(out)


def _english(word: str) -> str:
    return _PHRASES.get(word, word)


def _is_number(word: str) -> bool:
    return word[:1].isdigit() or word in _NUMBERS


def _folded(word: str) -> str:
    if word.isascii():
        return word.lower()
    return "".join(c for c in unicodedata.normalize("NFD", word.lower()) if not unicodedata.combining(c))
