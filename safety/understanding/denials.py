"""Whether a line of a list says that there is nothing on it ("NKDA", "no known problems")."""

from __future__ import annotations

import re

from msgspec.structs import replace

from safety.knowledge.language import Language
from safety.model.patient import Allergy, Case, Medication
from safety.reading.wording import any_of
from safety.text import fold


class Denials:
    """Reads lines that deny a whole list; immutable, made once for a library's language."""

    def __init__(self, language: Language) -> None:
        words = language.words
        self._whole = frozenset(words("denied-lists"))
        self._first, self._rest = frozenset(words("denial-begins")), frozenset(words("denial-goes-on"))
        self._heading = re.compile(rf"^\s*{any_of(words('list-headings'))}\s*:")
        self._other_list = re.compile(rf"\b{any_of(words('other-lists'))}\b")
        self._no_medicines = frozenset(words("denied-medicines"))
        self._whose = re.compile(rf"\A{any_of(words('who-takes-nothing'))}\s+")
        self._of_drugs = frozenset(words("denied-of-drugs"))

    def says_none(self, text: str) -> bool:
        """Whether the words say that there is none, whatever of."""
        bare = self._heading.sub("", text.lower())
        words = bare.replace(".", "").replace("(", " ").replace(")", " ").split()
        return " ".join(words) in self._whole or (bool(words) and words[0] in self._first and self._rest.issuperset(words[1:]))

    def told(self, case: Case) -> Case:
        """A case whose list of medicines says that there is none ("none", "takes nothing"), with the empty list that it tells.

        A line that says so beside a medicine stays as it is, and is asked about.
        """
        medicines = case.patient.medications
        if not medicines or not all(self._tells_of_none(one) for one in medicines):
            return case
        return replace(case, patient=replace(case.patient, medications=()))

    def _tells_of_none(self, told: Medication) -> bool:
        said = " ".join(fold(told.text).strip(" .!").split())
        return told == Medication(told.text) and (said in self._no_medicines or self._whose.sub("", said) in self._no_medicines)

    def no_conditions(self, text: str) -> bool:
        """Whether a line of the problem list says that it is empty; "no current medications" says nothing of it."""
        return self.says_none(text) and not self._other_list.search(text.lower())

    def of_another_list(self, text: str) -> bool:
        """Whether a line among the conditions says that a list of medicines or allergies is empty."""
        return self.says_none(text) and self._other_list.search(text.lower()) is not None

    def allergy(self, told: Allergy) -> Allergy:
        """An allergy as told; `denied` where the words say that there is none, and nothing beside them names one."""
        if told.denied or not self.says_none(told.to):
            return told
        beside = [c.display for c in told.codes if c.display] + [told.reaction or ""]
        named = [text for text in beside if text and not self.says_none(text)]
        if named:
            return Allergy(f"{told.to}: {', '.join(named)}", codes=told.codes)  # it says both: ask
        return Allergy(told.to, denied=True)

    def of_drugs(self, text: str) -> bool:
        """Whether "none known" is said of drug allergies only, so that a food allergy does not contradict it."""
        return not self._of_drugs.isdisjoint(fold(text).split())
