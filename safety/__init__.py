"""medsafe: checks a patient's medications against written knowledge and answers with reasons and sources.

>>> import safety
>>> engine = safety.load()
>>> report = engine.check({"patient": {"medications": ["warfarin 5 mg daily", "Advil 400 mg"]}}, as_of="2026-11-20")

Decision support under human supervision; not a medical device.
"""

from __future__ import annotations

import os as _os

if _os.path.exists(_os.path.join(_os.path.dirname(__file__), "safety.py")):
    raise ImportError(
        "medsafe and the vulnerability scanner `safety` from PyPI both install a package named `safety` and have "
        "overwritten each other here; keep them in separate environments: pip uninstall safety medsafe, "
        "then pip install medsafe"
    )

from safety.engine import VERSION, Engine, load
from safety.errors import EngineError, KnowledgeError, RequestError
from safety.model.patient import Case
from safety.model.refused import Refused
from safety.model.report import DoseAnswer, Finding, Report
from safety.reading.names.resolver import NameAnswer

__version__ = VERSION
__all__ = [
    "Case",
    "DoseAnswer",
    "Engine",
    "EngineError",
    "Finding",
    "KnowledgeError",
    "NameAnswer",
    "Refused",
    "Report",
    "RequestError",
    "load",
]
