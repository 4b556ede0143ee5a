"""The page: a patient is entered as on the form at `/`, and the answer is kept as one file that refers to nothing else.

medsafe serve --port 8080 &
python examples/page.py http://127.0.0.1:8080 answer.html
"""

import sys
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import urlopen

base = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"
kept = Path(sys.argv[2] if len(sys.argv) > 2 else "answer.html")
whole = """
patient:
  age: 72 y
  sex: female
  conditions: [atrial fibrillation]
  allergies: []
  medications: [warfarin 5 mg by mouth once daily]
plan: [ibuprofen 400 mg by mouth three times a day]
"""
try:
    with urlopen(f"{base}/", urlencode({"whole": whole, "as_of": "2026-11-20"}).encode()) as answer:
        page = answer.read().decode()
except URLError as error:
    sys.exit(f"no answer from {base} ({error.reason}): start `medsafe serve --port 8080`, or pass its address")
kept.write_text(page, encoding="utf-8")
print(f"{kept}: open it in a browser; it names {page.count('<h2')} headings and loads nothing from elsewhere")
