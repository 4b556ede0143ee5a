"""medsafe: checks a patient's medications against written knowledge and answers with reasons and sources.

>>> import safety
>>> engine = safety.load()
>>> report = engine.check({"patient": {"medications": ["warfarin 5 mg daily", "Advil 400 mg"]}}, as_of="2026-11-20")

Decision support under human supervision; not a medical device.
"""

from __future__ import annotations

from safety.engine import Engine, load
from safety.errors import EngineError, KnowledgeError, RequestError
from safety.names.resolver import NameAnswer
from safety.patient import Case
from safety.report import Finding, Report

__version__ = "0.1.0"
__all__ = ["Case", "Engine", "EngineError", "Finding", "KnowledgeError", "NameAnswer", "Report", "RequestError", "load"]
