"""Directions in Spanish, as a US pharmacy prints them."""

from __future__ import annotations

import pytest
from dosing_units import LEX, UNITS
from measuring.directions import day_of

from safety.reading.directions.sig import read_sig
from safety.reading.directions.spanish import in_english

DAYS = [
    ("tome una tableta por la boca dos veces al día", "2 tablet"),
    ("TOME UNA TABLETA POR VIA ORAL DOS VECES AL DIA", "2 tablet"),
    ("tome una tableta por va oral tres veces al da segn se necesite for up to 10 days", "0..3 tablet for 10"),
    ("tome 1 tableta cada 8 horas por 10 días", "3 tablet for 10"),
    ("media tableta antes de acostarse", "0.5 tablet"),
    ("una cucharadita cada 6 horas según sea necesario", "0..4 tsp"),
    ("Tome una cápsula por vía oral todos los días", "1 capsule"),
    ("tome dos tabletas cada 4 a 6 horas según sea necesario, no más de 8 en 24 horas", "0..8 tablet"),
    ("tome una tableta y media al día", "1.5 tablet"),
    ("una pastilla por la mañana y una por la noche", "2 pill"),
    ("1 gota en cada ojo dos veces al día", "4 drop"),
    ("tome 1 tableta una vez a la semana", "1 tablet"),
    ("tome 2 tabletas hoy luego 1 tableta al día por 4 días", "1..2 tablet for 5"),
    ("tome 1 o 2 tabletas cada 6 horas si es necesario para el dolor", "0..8 tablet"),
    ("tome una tableta lunes, miércoles y viernes", "1 tablet"),
]


@pytest.mark.parametrize(("text", "day"), DAYS, ids=[row[0] for row in DAYS])
def test_spanish_is_read(text: str, day: str) -> None:
    sig = read_sig(text, LEX)
    assert (day_of(sig, UNITS), sig.unread, sig.text) == (day, (), text)


def test_eleven_is_not_read_as_a_single_time() -> None:
    assert in_english("tome once tabletas al día", LEX.spanish) is None
    assert day_of(read_sig("tome 1 tableta once al día", LEX), UNITS) is None


@pytest.mark.parametrize("text", ["no tome 2 tabletas", "cada tercer día una tableta", "tome una tableta xyzzy veces al día"])
def test_what_is_not_understood_gives_no_amount(text: str) -> None:
    sig = read_sig(text, LEX)
    assert day_of(sig, UNITS) is None
    assert sig.unread


@pytest.mark.parametrize("text", ["take 1 tablet daily", "2 puffs q4h prn", "1 tab once a day", "use as directed", ""])
def test_english_is_left_alone(text: str) -> None:
    assert in_english(text, LEX.spanish) is None
