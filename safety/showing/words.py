"""Words that a page and a terminal show alike."""

from __future__ import annotations

from collections.abc import Mapping

WHOM: Mapping[str, str] = {
    "none": "", "pharmacist": "a pharmacist", "clinician": "the prescriber or another clinician",
    "emergency": "emergency services, now",
}  # fmt: skip
"""Whom to call, by how far a finding escalates."""
