"""A case as callers write it (plain values from YAML, JSON or Python) → `Case`, or every slip in it at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal, TypeVar, cast

from safety.errors import Place, Problem, RequestError
from safety.model.patient import (
    Age,
    Allergy,
    Case,
    Code,
    ContentTold,
    Gene,
    LabResult,
    Medication,
    Patient,
    Pregnancy,
    Procedure,
    Sex,
    Supply,
    Told,
    Vaccine,
    age_months,
)
from safety.model.quantity import Quantity, number
from safety.text import did_you_mean, lowered, printable

Path_ = tuple[str | int, ...]
Locate = Callable[[Path_], Place]
T = TypeVar("T")

_WEIGHT = {"kg": "kg", "kgs": "kg", "kilogram": "kg", "kilograms": "kg", "kilo": "kg", "g": "g", "gram": "g", "grams": "g",
           "lb": "lb", "lbs": "lb", "pound": "lb", "pounds": "lb"}  # fmt: skip
_HEIGHT = {"cm": "cm", "centimeters": "cm", "m": "m", "meters": "m", "in": "in", "inch": "in", "inches": "in"}
_SEX = {"female": "female", "f": "female", "woman": "female", "male": "male", "m": "male", "man": "male"}
_NOT_TOLD_SEX = {"other", "undisclosed", "intersex"}
_NOT_KNOWN = frozenset({
    "unknown", "unk", "not known", "not told", "not stated", "not recorded", "not documented", "not asked", "not assessed",
    "not available", "not provided", "unavailable", "unspecified", "not specified", "unable to obtain", "unable to assess", "tbd",
})  # fmt: skip
"""What says of a fact, or of a whole list, that it is not known: it is not told."""
_NO_FACT = _NOT_KNOWN | {"", "?", "-", "n/a", "na", "not applicable", "null"}
"""The same of one fact; of a list these may as well mean that there is none, and are read with its lines."""
_AMOUNT = re.compile(r"\s*([0-9][0-9,]*(?:\.[0-9]+)?)\s*([A-Za-z]+)\s*\Z")
_STAGE = re.compile(
    r"(?:(?:yes|pregnant)[\s,;:(-]*)?"
    r"(?:(?P<t>trimester)\s*(?P<n>[123])|(?P<nth>1st|2nd|3rd|first|second|third)\s+trimester|(?:weeks?|ga)\s*(?P<w>\d+(?:\.\d+)?)"
    r"|(?P<wk>\d+(?:\.\d+)?)\s*(?:weeks?|wks?|w)(?:\s*(?:and\s*)?[+]?[0-6]\s*(?:days?|d)|[+][0-6])?)"
    r"(?:\s*(?:pregnant|gestation|of pregnancy|ga))?\)?\Z",
    re.I,
)
"""How far a pregnancy is, in completed weeks or by trimester: "trimester 2", "second trimester", "weeks 23", "yes, 9 weeks",
"23w4d", "31 weeks pregnant"."""
_NTH = {"1st": 1, "first": 1, "2nd": 2, "second": 2, "3rd": 3, "third": 3}
_STAGES = ("weeks", "trimester")
CASE_KEYS = ("id", "as_of", "patient", "plan", "constraints", "gold", "revised", "core", "model")
PATIENT_KEYS = (
    "age", "birth_date", "sex", "weight", "height", "pregnancy", "breastfeeding", "conditions", "allergies", "labs",
    "medications", "medications_complete", "intake", "diet_limits", "genes", "procedures", "devices", "vaccines", "vitals",
)  # fmt: skip
_MEDICATION_KEYS = (
    "drug", "strength", "form", "dose", "frequency", "route", "sig", "as_needed", "supply", "for", "since", "until",
    "last_taken", "days", "contains", "text",
)  # fmt: skip
_CALLED_OTHERWISE = {
    "meds": "medications", "medication": "medications drug", "drugs": "medications", "current_medications": "medications",
    "home_medications": "medications", "home_meds": "medications", "current_meds": "medications", "med_list": "medications",
    "rx": "medications", "medicines": "medications", "dob": "birth_date", "birthdate": "birth_date", "born": "birth_date",
    "gender": "sex", "problems": "conditions", "problem_list": "conditions", "diagnoses": "conditions", "dx": "conditions",
    "pmh": "conditions", "past_medical_history": "conditions", "medical_history": "conditions", "history": "conditions",
    "allergy": "allergies to", "drug_allergies": "allergies", "adr": "allergies", "lab": "labs test", "results": "labs",
    "lab_results": "labs", "laboratory": "labs", "freq": "frequency", "date": "on onset", "day": "on onset", "when": "on onset",
    "name": "drug test to gene text", "medicine": "drug", "drug": "to", "substance": "to", "allergen": "to", "analyte": "test",
    "component": "test", "condition": "text conditions", "problem": "text", "diagnosis": "text", "procedure": "text",
    "vaccine": "text", "wt": "weight", "ht": "height", "pregnant": "pregnancy", "lactating": "breastfeeding",
    "nursing": "breastfeeding", "units": "unit", "result": "value", "directions": "sig", "instructions": "sig",
    "indication": "for", "prn": "as_needed", "start": "since onset", "started": "since", "stop": "until", "stopped": "until",
    "proposed": "plan", "orders": "plan", "new_orders": "plan", "gestational_age": "pregnancy",
    "today": "as_of", "immunizations": "vaccines", "immunisations": "vaccines", "vaccinations": "vaccines",
    "surgeries": "procedures", "past_surgical_history": "procedures", "surgical_history": "procedures", "psh": "procedures",
    "vital_signs": "vitals", "diet": "intake diet_limits", "social_history": "intake", "genetics": "genes",
}  # fmt: skip
"""What other systems call the keys of a case: one key, or several of which the first that is known where it stands counts."""
_NO_LONGER = ("inactive", "resolved", "refuted", "entered-in-error")
"""States of a recorded allergy in which it is none (the words of FHIR)."""
_MAX_ITEMS = 5000


def read_case(value: object, locate: Locate | None = None) -> Case:
    """The case in plain values. Raises RequestError with every problem; what is missing stays "not told"."""
    reader = _Reader(locate or (lambda path: Place("case" + "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path))))
    case = reader.case(value)
    if reader.problems or case is None:
        raise RequestError(sorted(reader.problems))
    return case


def section_of(heading: str) -> str | None:
    """The key of a case that a heading of a plain list stands for ("Home Meds", "PMH", "Allergies"); None for none."""
    word = _key(heading)
    known = (*PATIENT_KEYS, "plan")
    return word if word in known else next((k for k in _CALLED_OTHERWISE.get(word, "").split() if k in known), None)


def _key(text: str) -> str:
    return "_".join(text.lower().replace("-", " ").split())


def _other_key(key: str, known: Sequence[str]) -> str:
    """What a key that is none was meant to be; empty where nothing is near."""
    others = _CALLED_OTHERWISE.get(_key(key), "").split()
    other = next((one for one in others if one in known), None)
    if other is not None:
        return f"did you mean `{other}`?"
    of_patient = "patient" in known and next((one for one in (_key(key), *others) if one in PATIENT_KEYS), None)
    if of_patient:
        return f"it belongs under `patient:`, as `{of_patient}`"
    return did_you_mean(key, known)


def _known(value: object) -> object:
    """A fact, or a list, as it was written; None where all that it says is that it is not known."""
    if isinstance(value, str):
        return None if value.strip().lower() in _NO_FACT else value
    if isinstance(value, list | tuple) and value:
        said = all(isinstance(each, str) and each.strip().lower() in _NOT_KNOWN for each in value)
        return None if said else value
    return value


def read_medications(value: object) -> tuple[Medication, ...]:
    """A list of medications in plain values. Raises RequestError."""
    return read_case({"patient": {"medications": value}}).patient.medications


class _Reader:
    def __init__(self, locate: Locate) -> None:
        self.locate = locate
        self.problems: list[Problem] = []

    def wrong(self, path: Path_, code: str, message: str, hint: str = "") -> None:
        self.problems.append(Problem(self.locate(path), code, message, hint))

    def keys(self, value: object, path: Path_, known: Sequence[str], noun: str) -> Mapping[str, Any]:
        """A mapping with known keys only; an empty one (and problems) otherwise."""
        if not isinstance(value, Mapping):
            self.wrong(path, "R101", f"{noun} must be a mapping of keys, not {_shown(value)}")
            return {}
        for key in value:
            if key not in known:
                hint = _other_key(str(key), known) or "keys here: " + " ".join(known)
                self.wrong((*path, printable(str(key), 60)), "R102", f"`{printable(str(key), 60)}` is not a key of {noun}", hint)
        return value

    def items(self, value: object, path: Path_, each: Callable[[Any, Path_], T | None]) -> tuple[T, ...] | None:
        """A list, read item by item; None where it is not told."""
        if value is None:
            return None
        if isinstance(value, str) or not isinstance(value, Sequence):
            self.wrong(path, "R103", f"`{path[-1]}` must be a list", "write `[]` for none, or a line with `- ` for each")
            return None
        if len(value) > _MAX_ITEMS:
            self.wrong(path, "R104", f"`{path[-1]}` has {len(value):,} items; at most {_MAX_ITEMS:,} are read")
            return None
        read = (each(item, (*path, n)) for n, item in enumerate(value))
        return tuple(item for item in read if item is not None)

    # -------------------------------------------------------------- case

    def case(self, value: object) -> Case | None:
        if not isinstance(value, Mapping):
            self.wrong((), "R101", f"a case must be a mapping with `patient:`, not {_shown(value)}")
            return None
        given = self.keys(value, (), CASE_KEYS, "a case")
        if "patient" not in given:
            self.wrong((), "R105", "`patient` is missing: a case is about one", "write `patient: {}` if nothing is known")
        told = given.get("patient")
        patient = self.patient({} if told is None else told, ("patient",))
        return Case(
            patient=patient,
            id=self.name(given.get("id"), ("id",)),
            as_of=self.day(given.get("as_of"), ("as_of",)),
            plan=self.items(given.get("plan"), ("plan",), self.medication) or (),
            constraints=self.items(given.get("constraints"), ("constraints",), self.text) or (),
            gold=self.items(given.get("gold"), ("gold",), self.medication),
            revised=self.items(given.get("revised"), ("revised",), self.medication),
            core=self.yes_no(given.get("core"), ("core",)),
            model=self.name(given.get("model"), ("model",)),
        )

    def patient(self, value: object, path: Path_) -> Patient:
        given = {key: _known(each) for key, each in self.keys(value, path, PATIENT_KEYS, "a patient").items()}
        complete = self.yes_no(given.get("medications_complete"), (*path, "medications_complete"))
        return Patient(
            age=self.age(given.get("age"), (*path, "age")),
            birth_date=self.day(given.get("birth_date"), (*path, "birth_date")),
            sex=self.sex(given.get("sex"), (*path, "sex")),
            weight=self.measure(given.get("weight"), (*path, "weight"), _WEIGHT),
            height=self.measure(given.get("height"), (*path, "height"), _HEIGHT),
            pregnancy=self.pregnancy(given.get("pregnancy"), (*path, "pregnancy")),
            breastfeeding=self.yes_no(given.get("breastfeeding"), (*path, "breastfeeding")),
            conditions=self.items(given.get("conditions"), (*path, "conditions"), self.condition),
            allergies=self.items(given.get("allergies"), (*path, "allergies"), self.allergy),
            labs=self.items(given.get("labs"), (*path, "labs"), self.lab),
            medications=self.items(given.get("medications"), (*path, "medications"), self.medication) or (),
            medications_complete=complete is not False,
            medications_told=given.get("medications") is not None,
            intake=self.items(given.get("intake"), (*path, "intake"), self.text),
            diet_limits=self.items(given.get("diet_limits"), (*path, "diet_limits"), self.text),
            genes=self.items(given.get("genes"), (*path, "genes"), self.gene),
            procedures=self.items(given.get("procedures"), (*path, "procedures"), self.procedure),
            devices=self.items(given.get("devices"), (*path, "devices"), self.text),
            vaccines=self.items(given.get("vaccines"), (*path, "vaccines"), self.vaccine),
            vitals=self.items(given.get("vitals"), (*path, "vitals"), self.lab),
        )

    # -------------------------------------------------------------- facts

    def text(self, value: object, path: Path_) -> str | None:
        if isinstance(value, str) and value.strip():
            return value.strip()
        if isinstance(value, int | Decimal | float) and number(value) is not None:
            return str(value)
        if value is not None and value != "":
            self.wrong(path, "R106", f"must be text, not {_shown(value)}")
        return None

    def content(self, value: object, path: Path_) -> ContentTold | None:
        """As in "acetaminophen 325 mg"."""
        text = self.text(value, path)
        return ContentTold(text) if text else None

    def name(self, value: object, path: Path_) -> str | None:
        if isinstance(value, str) or (isinstance(value, int) and number(value) is not None):
            return printable(str(value))
        if value is not None:
            self.wrong(path, "R106", f"must be text, not {_shown(value)}")
        return None

    def age(self, value: object, path: Path_) -> Age | None:
        if value is None:
            return None
        plain = number(value) if isinstance(value, int | float | Decimal | str) else None
        if plain is not None:
            months, text = plain * 12, f"{value} y"
        else:
            found = age_months(value) if isinstance(value, str) else None
            if found is None:
                self.wrong(path, "R107", f"{_shown(value)} is not an age", "write `72 y`, `10 months`, `5 days`, or 72 for years")
                return None
            months, text = found, str(value).strip()
        if not 0 <= months <= 12 * 130:
            self.wrong(path, "R107", f"{_shown(value)} cannot be an age", "an age lies between 0 and 130 years")
            return None
        return Age(months, text)

    def sex(self, value: object, path: Path_) -> Sex | None:
        word = str(value).strip().lower() if value is not None else ""
        if word in _SEX:
            return cast(Sex, _SEX[word])
        if word and word not in _NOT_TOLD_SEX:
            self.wrong(
                path, "R108", f"{_shown(value)} is not read as a sex", "write `female` or `male`; leave it out if not told"
            )
        return None

    def measure(self, value: object, path: Path_, units: Mapping[str, str]) -> Quantity | None:
        if value is None:
            return None
        match = _AMOUNT.match(value) if isinstance(value, str) else None
        unit = units.get(lowered(match[2])) if match else None
        amount = number(match[1]) if match else None
        if unit is None or amount is None or amount <= 0:
            allowed = ", ".join(sorted(set(units.values())))
            self.wrong(
                path,
                "R109",
                f"{_shown(value)} is not a {path[-1]}",
                f"a number with its unit ({allowed}), e.g. `81 {allowed.split(', ')[-1]}`",
            )
            return None
        return Quantity(amount, unit)

    def yes_no(self, value: object, path: Path_) -> bool | None:
        if value is None or isinstance(value, bool):
            return value
        word = str(value).strip().lower()
        if word in ("yes", "no", "true", "false"):
            return word in ("yes", "true")
        self.wrong(path, "R110", f"{_shown(value)} must be `yes` or `no`", "leave it out if it is not told")
        return None

    def pregnancy(self, value: object, path: Path_) -> Pregnancy | None:
        if value is None or isinstance(value, bool):
            return None if value is None else Pregnancy(value)
        word = _only_part(value, _STAGES) if isinstance(value, Mapping) else str(value).strip().lower()
        if word in ("yes", "no"):
            return Pregnancy(word == "yes")
        stage = _STAGE.match(word)
        if stage and (told := _pregnant(stage)):
            return told
        hint = "write `no`, `yes`, `trimester 2` or `weeks 23`"
        self.wrong(path, "R111", f"{_shown(value)} is not read as a pregnancy", _one_stage(value) or hint)
        return None

    def day(self, value: object, path: Path_) -> date | None:
        if value is None:
            return None
        if isinstance(value, datetime):
            return value.date()
        if isinstance(value, date):
            return value
        if isinstance(value, str) and re.fullmatch(r"\d{4}-\d{2}-\d{2}(T.*)?", value.strip()):
            try:
                return date.fromisoformat(value.strip()[:10])
            except ValueError as error:
                self.wrong(path, "R112", f"{_shown(value)} is not a day: {error}", "write it as 2026-11-20")
                return None
        self.wrong(path, "R112", f"{_shown(value)} is not a day", "write it as 2026-11-20")
        return None

    def codes(self, given: Mapping[str, Any], path: Path_) -> tuple[Code, ...]:
        code = given.get("code")
        if code is None:
            return ()
        if not isinstance(code, str):
            self.wrong((*path, "code"), "R113", "a code is text", 'put it in quotes: `code: "38341003"`')
            return ()
        return (Code(str(given.get("system") or "").lower(), code, str(given.get("display") or "")),)

    def condition(self, value: object, path: Path_) -> Told | None:
        if isinstance(value, str):
            if not value.strip():
                self.wrong(path, "R105", "an empty line is not a condition", "write `[]` if there are none")
            return Told(value.strip())
        keys = ("text", "system", "code", "display", "status", "onset")
        given = self.keys(value, path, keys, "a condition")
        status = given.get("status", "active")
        if status not in ("active", "past", "resolved"):
            self.wrong((*path, "status"), "R114", f"{_shown(status)} is not a status", "write `active` or `past`")
        codes = self.codes(given, path)
        text = self.text(given.get("text"), (*path, "text")) or (codes[0].display or codes[0].code if codes else None)
        if text is None:
            self.wrong(path, "R105", "a condition needs `text` or a `code`")
            return None
        state: Literal["active", "past"] = "active" if status == "active" else "past"
        return Told(text, codes, state, self.day(given.get("onset"), (*path, "onset")))

    def allergy(self, value: object, path: Path_) -> Allergy | None:
        if isinstance(value, str):
            if not value.strip():
                self.wrong(path, "R105", "an empty line is not an allergy", "write `[]` if there are none")
            return Allergy(value.strip())
        keys = ("to", "reaction", "severity", "status", "system", "code", "display")
        given = self.keys(value, path, keys, "an allergy")
        status = given.get("status", "active")
        if status not in ("active", *_NO_LONGER):
            self.wrong((*path, "status"), "R114", f"{_shown(status)} is not a status", f"one of: active {' '.join(_NO_LONGER)}")
        codes = self.codes(given, path)
        to = self.text(given.get("to"), (*path, "to")) or (codes[0].display if codes else None)
        if to is None:
            self.wrong(path, "R105", "`to` is missing: an allergy is to something")
            return None
        reaction = self.text(given.get("reaction"), (*path, "reaction"))
        if status in _NO_LONGER:
            return None  # it was one, or was taken for one: the list is told, this is not on it
        return Allergy(to, reaction, self.text(given.get("severity"), (*path, "severity")), codes)

    def lab(self, value: object, path: Path_) -> LabResult | None:
        if isinstance(value, str) and value.strip():
            return LabResult(value.strip(), as_written=True)
        keys = ("test", "value", "unit", "on", "system", "code", "display")
        given = self.keys(value, path, keys, "a lab result")
        codes = self.codes(given, path)
        test = self.text(given.get("test"), (*path, "test")) or (codes[0].display or codes[0].code if codes else None)
        if test is None:
            self.wrong(path, "R105", "`test` is missing: which test is it?")
            return None
        raw = given.get("value")
        if isinstance(raw, date):  # YAML reads 2026-11-02 as a day: no value, and asked about
            raw = raw.isoformat()
        exact = number(raw) if isinstance(raw, int | float | Decimal | str) else None
        if raw is not None and not isinstance(raw, str | int | float | Decimal):
            self.wrong((*path, "value"), "R106", f"must be a number or text, not {_shown(raw)}")
            raw = None
        result: Decimal | str | None = (
            exact if exact is not None else (None if raw is None else raw if isinstance(raw, str) else "not a number")
        )
        unit = self.text(given.get("unit"), (*path, "unit"))
        return LabResult(test, result, unit, self.day(given.get("on"), (*path, "on")), codes)

    def gene(self, value: object, path: Path_) -> Gene | None:
        if isinstance(value, str) and value.strip():
            return Gene(value.strip())
        keys = ("gene", "allele", "phenotype", "result")
        given = self.keys(value, path, keys, "a genetic result")
        words = [self.text(given.get(k), (*path, k)) for k in keys]
        if words[0] is None:
            self.wrong(path, "R105", "`gene` is missing: which gene is it?")
            return None
        return Gene(words[0], *words[1:])

    def procedure(self, value: object, path: Path_) -> Procedure | None:
        if isinstance(value, str) and value.strip():
            return Procedure(value.strip())
        given = self.keys(value, path, ("text", "status", "on", "system", "code", "display"), "a procedure")
        status = given.get("status", "done")
        if status not in ("done", "planned"):
            self.wrong((*path, "status"), "R114", f"{_shown(status)} is not a status", "write `done` or `planned`")
        codes = self.codes(given, path)
        text = self.text(given.get("text"), (*path, "text")) or (codes[0].display or codes[0].code if codes else None)
        if text is None:
            self.wrong(path, "R105", "a procedure needs `text` or a `code`")
            return None
        state: Literal["done", "planned"] = "planned" if status == "planned" else "done"
        return Procedure(text, state, self.day(given.get("on"), (*path, "on")), codes)

    def vaccine(self, value: object, path: Path_) -> Vaccine | None:
        if isinstance(value, str) and value.strip():
            return Vaccine(value.strip())
        given = self.keys(value, path, ("text", "on", "status", "system", "code", "display"), "a vaccine")
        status = given.get("status", "")
        if status not in ("", "done", "planned"):
            self.wrong((*path, "status"), "R114", f"{_shown(status)} is not a status", "write `done` or `planned`")
        codes = self.codes(given, path)
        text = self.text(given.get("text"), (*path, "text")) or (codes[0].display or codes[0].code if codes else None)
        if text is None:
            self.wrong(path, "R105", "a vaccine needs `text` or a `code`")
            return None
        state: Literal["", "done", "planned"] = "planned" if status == "planned" else "done" if status == "done" else ""
        return Vaccine(text, self.day(given.get("on"), (*path, "on")), codes, state)

    # -------------------------------------------------------------- medications

    def medication(self, value: object, path: Path_) -> Medication | None:
        if isinstance(value, str):
            if value.strip():
                return Medication(text=value.strip())
            self.wrong(path, "R105", "an empty line is not a medication")
            return None
        given = self.keys(value, path, _MEDICATION_KEYS, "a medication")
        words = {
            k: self.text(given.get(k), (*path, k))
            for k in ("drug", "strength", "form", "dose", "frequency", "route", "sig", "for", "text")
        }
        name = words["drug"] or words["text"]
        if name is None:
            if given or isinstance(value, Mapping):
                self.wrong(path, "R105", "`drug` is missing: which medicine is it?")
            return None
        supply = given.get("supply")
        if supply is not None and supply not in ("prescription", "otc"):
            self.wrong((*path, "supply"), "R115", f"{_shown(supply)} is not a supply", "write `prescription` or `otc`")
            supply = None
        days = given.get("days")
        count = number(days) if isinstance(days, int | float | Decimal | str) else None
        if days is not None and (count is None or count <= 0):
            self.wrong((*path, "days"), "R116", f"{_shown(days)} is not a number of days", "write `days: 5`")
        shown = (name, words["strength"], words["form"], words["dose"], words["route"], words["frequency"], words["sig"])
        return Medication(
            text=words["text"] or " ".join(w for w in shown if w), drug=words["drug"], strength=words["strength"],
            form=words["form"], dose=words["dose"], frequency=words["frequency"], route=words["route"], sig=words["sig"],
            as_needed=self.yes_no(given.get("as_needed"), (*path, "as_needed")), supply=cast(Supply | None, supply),
            indication=words["for"], since=self.day(given.get("since"), (*path, "since")),
            until=self.day(given.get("until"), (*path, "until")),
            last_taken=self.day(given.get("last_taken"), (*path, "last_taken")), days=count,
            contains=self.items(given.get("contains"), (*path, "contains"), self.content) or (),
        )  # fmt: skip


def _only_part(value: Mapping[Any, Any], keys: tuple[str, ...]) -> str:
    """`{weeks: 23}` as it is written on one line; a mapping of more, or of anything else, is not one statement."""
    (key, told), *more = [*value.items()] or [("", "")]
    return f"{key} {told}".strip().lower() if key in keys and not more else ""


def _pregnant(stage: re.Match[str]) -> Pregnancy | None:
    """The stage that is told; none where no pregnancy lasts so long."""
    if stage["t"] or stage["nth"]:
        return Pregnancy(True, trimester=int(stage["n"] or _NTH[lowered(stage["nth"])]))
    weeks = Decimal(stage["w"] or stage["wk"])
    return Pregnancy(True, weeks=weeks) if weeks <= 45 else None


def _one_stage(value: object) -> str:
    """What to write where a stage was told among other keys: the weeks, which say the trimester, too."""
    told = [f"{k} {value[k]}" for k in _STAGES if isinstance(value, Mapping) and type(value.get(k)) is int]
    return f"one statement is read: did you mean `{told[0]}`?" if told else ""


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, bytes | bytearray):
        return "bytes: decode them first"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "a list"
    if value is None:
        return "nothing"
    if isinstance(value, int) and number(value) is None and not isinstance(value, bool):
        return "a number that is too long"
    if isinstance(value, str | int | float | Decimal | date):
        return f"`{printable(str(value), 60)}`"
    return f"a value of the type `{type(value).__name__}`"
