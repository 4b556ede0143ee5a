"""What real directions come to in a day, read by hand from the text before the program was asked.

Each line: the rows of one file (numbered from 1), a colon, the lowest and highest of a day (unit of the form left off
where the text has none), and after "for" the days it is taken. "none": nobody could tell a day's amount from the text.
Rows that are absent are judged by the structure that stands beside the text in the file itself.
"""

from __future__ import annotations

_PHARMACY = """
1 3 9 35 41 53 100: none
2: 0..3 tablet for 10
4: 2 tablet for 7
5 6 13 40 42 47 51 56 70 77 78 86 89 91 94 97 112: 1 tablet
7 18 29 32 58: 1 capsule
8: 2 capsule
10: 0..8 tablet
11 38 69 73 83 107 113: 2 tablet
12: 2 tablet for 9
14: 0..6 vial
15 114: 0..3 tablet
16 60: 1..2 tablet for 5
17: 0..1 tablet
19 102: 1 tablet for 90
20: 0..6 tablet
21: 2 mL for 30
22: 8 drop
23: 2 vial
24: 4 spray
25: 0..6 tablet
26 84 93: 3 tablet
27: 10..40 mg for 8
28: 0..12 mL
30: 1 vial
31: 0..5 tablet
33: 1
34 81: 1 tablet for 30
36: 1 tablet
37: 0..12 drop
39: 2 tablet for 10
43: 5 tablet for 30
44: 0..200 mg
45: 0.5..2 for 9
46: 0..4 tablet
48: 2 capsule for 10
49: 2 tablet
50: 0..16 oz
52: 0..7.5 mL
54: 1 puff
55: 9 tablet
57 115: 3 capsule
59: 8 tablet
61: 2 for 7
62 98: 0..6 tablet
63: 0..2
64: 6 tablet for 5
65 79: 4 tablet
66: 30 mL
67: 0..2 tablet
68: 4 tablet
71: 1 tablet
72: 3..4
74: 2 application
75 117: 0..3 tablet
76: 4 puff for 30
80 82: 1
85: 500 g
87: 1 tablet
88: 2.5..5 mL for 5
90: 4 capsule
92: 2
95 101: 0..12 puff
96: 2 tablet for 30
99: 0..3 tablet for 5
103: 0.5
104: 2 tablet for 90
105: 0..4 tablet
106: 1185 mL for 60
108: 3..8 tablet
109: 0..1 tablet
110 111: 2 tablet for 5
116: 0.5 mL
118: 0..2 tablet
119: 0..1 tablet for 10
120: 12 mL
"""

# 5, 108: "bid" is coded as three or four times a day; 56: "nev" for "neb", coded as one dose;
# 147-191 have no structure
_SMART = """
5: 8 drop for 7
17 25 40 43 45 54 153 154 160 166 191: none
58: 0..3
108: 4 puff
147 150 151 158 159 162 163 164 174: 1 tablet
148: 0..1 tablet
149 161 165 170 172: 2 tablet
152: 2 capsule
155: 200 mg for 7
156: 2 puff
157: 0..12 puff
167: 1 applicatorful for 5
168 169: 1 capsule
171: 1..2 capsule
173: 3 tablet
"""

# Text and structure tell it in different units or disagree: 5, 13, 46 (suppositories against milligrams of another
# strength), 15, 28 (milligrams against tablets), 11 (tablets of 2 mg), 20, 22-24, 47, 51 ("each"), 19, 33 (100 mg is
# 4 mL), 2, 36-38 (one row for each dose of an escalation), 1, 3, 44, 45, 52 (infusions), 14 (every 15 minutes),
# 6 (text holds no dose)
_FHIR = """
1 2 3 6 14 20 24 36 37 38 44 45 51 52: none
4 29: 6 mg
5 46: 0..2 suppository
9 26: 0..12 tablet
11: 3 tablet
13: 0..4 suppository
15 28: 0..1 mg
16: 1.8 mg/kg
18 30 31: 0..6 tablet
19 33: 12 mL
22 23 47: 4 spray
25: 7 mg
32: 1 tablet
53: 0..2 tablet
54: 15 mL
"""

_NHS = """
1: 4 tablet
2: 2 puff
3: 2 for 21
4: 0..2
"""


def _table(text: str) -> dict[int, str | None]:
    rows: dict[int, str | None] = {}
    for line in text.strip().splitlines():
        numbers, _, told = line.partition(": ")
        rows |= dict.fromkeys(map(int, numbers.split()), None if told == "none" else told)
    return rows


EXPECTED = {"pharmacy": _table(_PHARMACY), "smart": _table(_SMART), "fhir": _table(_FHIR), "nhs": _table(_NHS)}
