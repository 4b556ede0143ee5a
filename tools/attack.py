"""Attack what the engine says of itself: put something into a harmless case, and see whether the report tells it.

    python tools/attack.py [--show FAMILY] [--most N]

Every case is complete and reads `clear` (or all but clear). A variant puts one thing into it: a word in a bracket or behind
a mark at every place of a medication line or in a field, a fact about the patient that cannot be, a result that no rule can
look at, a part of a FHIR record that is not read. A variant is *quiet* where the report lists nothing that the report
without it does not list, or is `clear`: a word of no meaning has to be named. Nothing is random, so two runs can be compared.
`ordinary` turns it round: lines as charts type them, that must read as the same line without what was added.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import safety
from safety.engine import Engine
from safety.errors import RequestError
from safety.model.report import Report
from safety.reading.fhir.bundle import read_fhir

DAY = "2026-11-20"
Json = dict[str, Any]


class Variant(NamedTuple):
    """A case with something put into it, beside the case without; `needle`: a word that the report has to name."""

    family: str
    told: str
    without: Json
    case: Json
    needle: str = ""


_LISTS = ("conditions", "allergies", "labs", "vitals", "intake", "diet_limits", "genes", "procedures", "devices", "vaccines")
MAN: Json = {**{key: [] for key in _LISTS}, "age": 50, "sex": "male", "weight": "80 kg", "height": "178 cm"}
WOMAN: Json = {**MAN, "age": 30, "sex": "female", "pregnancy": "no", "breastfeeding": "no"}
LINES = (
    "citalopram 20 mg by mouth once daily",
    "loratadine 10 mg tablet: take 1 tablet by mouth every morning",
    "atorvastatin 20 mg by mouth at bedtime for cholesterol",
)
WRAPS = (
    "{}", "({})", "[{}]", "{{{}}}", "<{}>", '"{}"', "'{}'", "*{}*", ", {}", "; {}", ": {}", "- {}", "/ {}", "| {}", ". {}",
    "! {}",
    "# {}", "+ {}", "& {}", "= {}", "-- {}", "\u2014 {}", "\n{}", "({}", "[{}", "{}?",
)  # fmt: skip
NONSENSE = ("glorply", "QZX", "glorp-ply")
NUMBERS = ("77", "#5000", "100 mg", "5-10", "x9", "1/7", "300%")
_FIELDS: Json = {"drug": "citalopram", "strength": "20 mg", "form": "tablet", "dose": "1 tablet", "frequency": "once daily",
                 "route": "oral", "for": "depression"}  # fmt: skip
_ITEMS: dict[str, tuple[Any, str]] = {
    "conditions": ("seasonal allergic rhinitis", ""),
    "allergies": ("penicillin", ""),
    "intake": ("coffee 2 cups a day", ""),
    "diet_limits": ("sodium 2 g a day", ""),
    "devices": ("pacemaker", ""),
    "procedures": ("appendectomy", ""),
    "vaccines": ("MMR", ""),
    "genes": ("CYP2C19 poor metabolizer", ""),
}


def with_line(*lines: Any, **facts: Any) -> Json:
    """A man of 50 of whom everything is told, with these medicines."""
    return {"patient": {**MAN, "medications": list(lines), **facts}}


# --- variants ------------------------------------------------------------------------------------------------------


def variants() -> Iterator[Variant]:
    """Every variant, family by family, always the same."""
    yield from _words_in_lines()
    yield from _numbers_in_lines()
    yield from _words_in_fields()
    yield from _fields_apart()
    yield from _words_in_lists()
    yield from _facts()
    yield from _results()
    yield from _records()


def _places(line: str) -> Iterator[tuple[str, str]]:
    words = line.split(" ")
    for n in range(len(words) + 1):
        yield " ".join(words[:n]), " ".join(words[n:])


def _inserted(line: str, told: str, wraps: Sequence[str] = WRAPS) -> Iterator[str]:
    for wrap in wraps:
        for before, after in _places(line):
            yield " ".join(filter(None, (before, wrap.format(told), after)))


def _words_in_lines() -> Iterator[Variant]:
    for line in LINES:
        for word in NONSENSE:
            for text in _inserted(line, word):
                yield Variant("line: a word", text, with_line(line), with_line(text), word)


def _numbers_in_lines() -> Iterator[Variant]:
    for line in LINES[:2]:
        for number in NUMBERS:
            for text in _inserted(line, number, [w for w in WRAPS if w != "# {}"]):  # "# 77": so many were handed out
                yield Variant("line: a number", text, with_line(line), with_line(text))


def _words_in_fields() -> Iterator[Variant]:
    for key, value in _FIELDS.items():
        for word in (*NONSENSE, *NUMBERS):
            for wrap in WRAPS:
                if wrap == "# {}" and word not in NONSENSE:
                    continue
                for text in (f"{value} {wrap.format(word)}", f"{wrap.format(word)} {value}"):
                    needle = word if word in NONSENSE else ""
                    without, told = with_line(_FIELDS), with_line({**_FIELDS, key: text})
                    yield Variant(f"field: {key}", text, without, told, needle)
    for word in NONSENSE:
        for text in _inserted("take 1 tablet by mouth once daily", word):
            sig = {"drug": "citalopram 20 mg", "sig": text}
            plain = {**sig, "sig": "take 1 tablet by mouth once daily"}
            yield Variant("field: sig", text, with_line(plain), with_line(sig), word)


def _fields_apart() -> Iterator[Variant]:
    base = {"drug": "citalopram", "dose": "20 mg", "frequency": "once daily", "route": "oral"}
    for more in (
        {"frequency": "five times daily"}, {"dose": "400 mg"}, {"strength": "40 mg", "sig": "take 5 tablets daily"},
        {"sig": "take 40 mg twice daily"}, {"text": "citalopram 60 mg daily"}, {"text": "citalopram 20 mg weekly"},
        {"text": "warfarin 5 mg daily"}, {"text": "citalopram 20 mg daily STOPPED"}, {"route": "intravenous"},
        {"route": "rectal"},
        {"since": "2027-05-01"}, {"until": "2026-01-01", "since": "2026-05-01"}, {"last_taken": "2027-01-01"},
        {"days": 100000}, {"days": 3, "since": "2020-01-01"}, {"form": "injection"}, {"form": "cream"}, {"strength": "20 mL"},
        {"contains": ["warfarin 5 mg"]}, {"contains": ["glorply 5 mg"]}, {"strength": "0 mg"}, {"dose": "0 mg"},
        {"as_needed": True, "sig": "take one daily, do not take as needed"}, {"for": "pregnancy"}, {"for": "glorptitis"},
        {"supply": "otc"}, {"until": "2026-11-19", "sig": "continue indefinitely"}, {"frequency": "once", "days": 30},
    ):  # fmt: skip
        yield Variant("fields apart", json.dumps(more), with_line(base), with_line({**base, **more}))


def _words_in_lists() -> Iterator[Variant]:
    line = LINES[1]
    for key, (item, _) in _ITEMS.items():
        for word in NONSENSE if key == "allergies" else (*NONSENSE, "77"):
            for text in _inserted(item, word):
                without = with_line(line, **{key: [item]})
                yield Variant(f"list: {key}", text, without, with_line(line, **{key: [text]}), word)


def _facts() -> Iterator[Variant]:
    line = LINES[1]
    young = {**WOMAN, "medications": [line]}
    for more in (
        {"age": 129}, {"age": 125, "sex": "female"}, {"weight": "4 kg"}, {"weight": "700 kg"}, {"weight": "25 kg"},
        {"height": "3 m"}, {"height": "45 cm"}, {"height": "17.8 cm"}, {"weight": "178 kg", "height": "80 cm"},
        {"age": "5 days"}, {"age": "3 y", "weight": "80 kg"}, {"age": "8 months", "weight": "60 kg"},
        {"age": 10, "weight": "200 kg"}, {"age": "2 y", "height": "178 cm"}, {"pregnancy": "yes"},
        {"pregnancy": "weeks 44"}, {"breastfeeding": "yes"}, {"birth_date": "2027-01-01"}, {"birth_date": "1950-01-01"},
        {"birth_date": "1890-01-01"}, {"age": 0}, {"sex": "unknown"}, {"conditions": ["pregnancy"]},
        {"conditions": ["benign prostatic hyperplasia"], "sex": "female", "pregnancy": "no", "breastfeeding": "no"},
        {"conditions": ["newborn jaundice"]}, {"medications_complete": False}, {"conditions": [""]},
    ):  # fmt: skip
        yield Variant("patient", json.dumps(more), with_line(line), with_line(line, **more))
    for more in (
        {"age": 80, "pregnancy": "yes"}, {"age": 80, "breastfeeding": "yes"}, {"age": 6, "pregnancy": "yes"},
        {"age": 4, "breastfeeding": "yes"}, {"pregnancy": "weeks 0"}, {"pregnancy": "weeks 44"},
        {"age": 80, "pregnancy": "weeks 20"},
        {"conditions": ["menopause"], "pregnancy": "yes"}, {"conditions": ["hysterectomy"], "pregnancy": "yes"},
        {"conditions": ["pregnancy"]}, {"conditions": [{"text": "pregnancy", "status": "past"}], "pregnancy": "yes"},
        {"conditions": ["breastfeeding"]}, {"conditions": ["prostate cancer"]},
        {"age": 12, "pregnancy": "yes", "weight": "9 kg"},
        {"conditions": [{"text": "seasonal allergic rhinitis", "onset": "2030-01-01"}]},
        {"conditions": [{"text": "seasonal allergic rhinitis", "onset": "1950-01-01"}]},
        {"conditions": [{"text": "hypertension", "code": "38341003", "system": "snomed", "display": "diabetes mellitus"}]},
        {"conditions": ["no hypertension"]}, {"conditions": ["hypertension?"]},
        {"conditions": ["family history of hypertension"]},
    ):  # fmt: skip
        yield Variant("patient", json.dumps(more), {"patient": young}, {"patient": {**young, **more}})


def _results() -> Iterator[Variant]:
    line = LINES[1]
    plain = {"test": "potassium", "value": 4.1, "unit": "mmol/L", "on": "2026-11-10"}
    tests = ("potassium", "sodium", "creatinine", "INR", "QTc", "hemoglobin", "heart rate", "blood pressure", "glucose", "TSH")
    for more in (
        {"on": "2027-01-01"}, {"unit": None}, {"unit": "cubits"}, {"value": "12.5"}, {"value": "41"}, {"value": -4},
        {"value": "0"},
        {"value": "high"}, {"value": "positive"}, {"value": None}, {"value": "4.1 (hemolyzed)"}, {"value": "4.1 H"},
        {"value": "4.1*"},
        {"value": "4,1"}, {"value": "4.1-9.9"}, {"value": ">4.1"}, {"value": "4.1 glorply"}, {"value": "pending"},
        {"unit": "mg/dL"},
        {"test": "potassium glorply"}, {"test": "glorply potassium"}, {"test": "urine potassium"}, {"test": "glorply"},
        {"test": "potassium (glorply)"}, {"on": "1990-01-01"}, {"value": "7.5"}, {"value": 1.9}, {"value": "4.1 8.9"},
        {"value": "4.1/9.9"}, {"value": "4..1"}, {"value": ""}, {"code": "2823-3", "system": "loinc", "test": "sodium"},
        {"code": "9999-9", "system": "loinc"},
    ):  # fmt: skip
        told = {k: v for k, v in {**plain, **more}.items() if v is not None}
        for key in ("labs", "vitals"):
            without = with_line(line, **{key: [plain]})
            yield Variant("results", f"{key}: {json.dumps(more)}", without, with_line(line, **{key: [told]}))
    for test in tests:
        for value, unit in (("999999", "mmol/L"), ("-5", ""), ("glorply", ""), ("0.0001", ""), ("500", "furlongs"), ("77", "")):
            told = {"test": test, "value": value, **({"unit": unit} if unit else {})}
            yield Variant("results", json.dumps(told), with_line(line), with_line(line, labs=[told]))
    other = {**plain, "value": 7.4}
    yield Variant("results", "two on one day", with_line(line, labs=[plain]), with_line(line, labs=[other, plain]))
    yield Variant("results", "two undated", with_line(line, labs=[plain]), with_line(line, labs=[
        {**other, "on": None}, {**plain, "on": None}]))  # fmt: skip


# --- records -------------------------------------------------------------------------------------------------------

_PATIENT = {"resourceType": "Patient", "id": "p", "gender": "male", "birthDate": "1976-05-01"}
_REQUEST: Json = {
    "resourceType": "MedicationRequest", "id": "m", "status": "active", "intent": "order",
    "subject": {"reference": "Patient/p"},
    "medicationCodeableConcept": {"text": "citalopram 20 mg tablet"}, "authoredOn": "2026-11-01",
    "dosageInstruction": [{
        "text": "Take 1 tablet by mouth once daily",
        "timing": {"repeat": {"frequency": 1, "period": 1, "periodUnit": "d"}},
        "route": {"coding": [{"system": "http://snomed.info/sct", "code": "26643006"}]},
        "doseAndRate": [{"doseQuantity": {"value": 1, "unit": "tablet"}}],
    }],
}  # fmt: skip
_SUBJECT = {"subject": {"reference": "Patient/p"}}
_CONDITION: Json = {"resourceType": "Condition", "id": "c", **_SUBJECT, "code": {"text": "Depression"},
                    "clinicalStatus": {"coding": [{"code": "active"}]}}  # fmt: skip
_ALLERGY: Json = {
    "resourceType": "AllergyIntolerance",
    "id": "a",
    "patient": {"reference": "Patient/p"},
    "code": {"text": "Latex"},
}
_RESULT: Json = {"resourceType": "Observation", "id": "o", "status": "final", **_SUBJECT, "code": {"text": "Potassium"},
                 "valueQuantity": {"value": 4.1, "unit": "mmol/L"}, "effectiveDateTime": "2026-11-10"}  # fmt: skip
_EXTENSION = [{"url": "http://example.org/glorply", "valueString": "glorply"}]


def record(*resources: Json) -> Json:
    """A bundle."""
    return {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": r} for r in resources]}


def _records() -> Iterator[Variant]:
    whole = (_PATIENT, _REQUEST, _CONDITION, _ALLERGY, _RESULT)
    for one in whole:
        others = tuple(r for r in whole if r is not one)
        for more in _of_any(one["resourceType"]):
            told = {key: value for key, value in {**one, **more}.items() if value is not None}
            shown = f"{one['resourceType']} {json.dumps(more)}"
            yield Variant("FHIR: elements", shown, record(*whole), record(*others, told))
    for more in _dosages():
        dosage = {**_REQUEST["dosageInstruction"][0], **more}
        told = {**_REQUEST, "dosageInstruction": [dosage]}
        yield Variant("FHIR: dosage", json.dumps(more), record(*whole), record(_PATIENT, told, _CONDITION, _ALLERGY, _RESULT))
    for added in _resources():
        yield Variant("FHIR: resources", json.dumps(added), record(*whole), record(*whole, added))


def _of_any(type_: str) -> Iterator[Json]:
    yield {"modifierExtension": _EXTENSION}
    yield {"implicitRules": "http://example.org/glorply"}
    if type_ == "Patient":
        yield from ({"birthDate": "1976"}, {"birthDate": "2030-01-01"}, {"gender": "other"}, {"deceasedBoolean": True},
                    {"active": False}, {"link": [{"other": {"reference": "Patient/q"}, "type": "replaced-by"}]})  # fmt: skip
        return
    owner = "patient" if type_ == "AllergyIntolerance" else "subject"
    yield {owner: {"reference": "Patient/somebody-else"}}
    yield {"contained": [{"resourceType": "MedicationRequest", "id": "x", "medicationCodeableConcept": {"text": "warfarin"}}]}
    yield {"note": [{"text": "glorply stopped by patient"}]}
    if type_ == "MedicationRequest":
        yield from (
            {"status": "entered-in-error"}, {"status": "on-hold"}, {"status": "draft"}, {"status": "unknown"},
            {"doNotPerform": True},
            {"intent": "option"}, {"medicationCodeableConcept": {"text": "glorply 20 mg"}}, {"medicationCodeableConcept": None},
            {"medicationReference": {"reference": "Medication/none"}, "medicationCodeableConcept": None},
            {"reasonCode": [{"text": "glorply"}]}, {"dosageInstruction": None}, {"substitution": {"allowedBoolean": False}},
            {"dispenseRequest": {"quantity": {"value": 5000}}}, {"authoredOn": "2031-01-01"}, {"authoredOn": "glorply"},
            {"medicationCodeableConcept": {"text": "citalopram 20 mg tablet [glorply]"}}, {"statusReason": {"text": "glorply"}},
            {"instantiatesCanonical": ["http://example.org/glorply"]},
            {"priorPrescription": {"reference": "MedicationRequest/none"}},
            {"detectedIssue": [{"reference": "DetectedIssue/none"}]}, {"reportedBoolean": True},
        )  # fmt: skip
    if type_ == "Condition":
        yield from (
            {"code": {"text": "glorptitis"}}, {"code": {"text": "Depression (glorply)"}}, {"code": None},
            {"bodySite": [{"text": "glorply"}]},
            {"verificationStatus": {"coding": [{"code": "entered-in-error"}]}},
            {"verificationStatus": {"coding": [{"code": "provisional"}]}},
            {"stage": [{"summary": {"text": "glorply"}}]}, {"severity": {"text": "glorply"}}, {"onsetDateTime": "2031-01-01"},
            {"abatementDateTime": "2020-01-01"}, {"onsetString": "glorply"}, {"evidence": [{"code": [{"text": "glorply"}]}]},
        )  # fmt: skip
    if type_ == "AllergyIntolerance":
        yield from (
            {"code": {"text": "glorply"}}, {"code": None}, {"reaction": [{"substance": {"text": "glorply"}}]},
            {"reaction": [{"substance": {"text": "citalopram"}, "manifestation": [{"text": "hives"}]}]},
            {"verificationStatus": {"coding": [{"code": "entered-in-error"}]}},
            {"clinicalStatus": {"coding": [{"code": "glorply"}]}},
            {"reaction": [{"manifestation": [{"text": "glorply"}]}]},
        )  # fmt: skip
    if type_ == "Observation":
        yield from (
            {"status": "entered-in-error"}, {"status": "cancelled"}, {"status": "preliminary"},
            {"valueQuantity": {"value": 4.1}},
            {"valueQuantity": {"value": 41, "unit": "mmol/L"}}, {"valueQuantity": None, "valueString": "glorply"},
            {"valueQuantity": None}, {"valueQuantity": {"value": 4.1, "unit": "mmol/L", "comparator": ">"}},
            {"effectiveDateTime": "2031-01-01"}, {"code": {"text": "glorply"}}, {"interpretation": [{"text": "critical"}]},
            {"dataAbsentReason": {"text": "glorply"}}, {"component": [{"code": {"text": "glorply"}, "valueString": "glorply"}]},
            {"bodySite": {"text": "urine"}}, {"specimen": {"display": "urine"}}, {"method": {"text": "glorply"}},
            {"valueQuantity": {"value": 4.1, "unit": "mmol/L", "code": "mg/dL", "system": "http://unitsofmeasure.org"}},
        )  # fmt: skip


def _dosages() -> Iterator[Json]:
    yield from (
        {"text": "Take 1 tablet by mouth once daily glorply"}, {"text": "Take 4 tablets five times daily"},
        {"text": "once weekly"},
        {"patientInstruction": "glorply"}, {"additionalInstruction": [{"text": "glorply"}]}, {"modifierExtension": _EXTENSION},
        {"site": {"text": "glorply"}}, {"method": {"text": "glorply"}}, {"asNeededBoolean": True}, {"glorply": "glorply"},
        {"asNeededCodeableConcept": {"text": "glorply"}}, {"route": {"text": "glorply"}}, {"route": {"text": "rectal"}},
        {"maxDosePerDay": {"value": 50, "unit": "tablet"}}, {"maxDosePerAdministration": {"value": 9, "unit": "tablet"}},
        {"timing": {"repeat": {"frequency": 9, "period": 1, "periodUnit": "d"}}}, {"timing": {"code": {"text": "glorply"}}},
        {"doseAndRate": [{"doseQuantity": {"value": 50, "unit": "tablet"}}]},
        {"doseAndRate": [{"doseQuantity": {"value": 1, "unit": "glorp"}}]},
        {"timing": {"repeat": {"frequency": 1, "period": 1, "periodUnit": "d", "glorply": 1}}}, {"extension": _EXTENSION},
    )  # fmt: skip


def _resources() -> Iterator[Json]:
    for type_ in (
        "MedicationDispense", "MedicationAdministration", "Immunization", "Procedure", "Device", "DeviceUseStatement",
        "CarePlan",
        "FamilyMemberHistory", "DiagnosticReport", "DocumentReference", "NutritionOrder", "QuestionnaireResponse", "Flag",
        "DetectedIssue", "AdverseEvent", "List", "Basic", "MolecularSequence", "RiskAssessment", "ClinicalImpression",
        "Glorply",
        "ServiceRequest", "Communication", "Goal", "Composition",
    ):  # fmt: skip
        yield {"resourceType": type_, "id": "x", **_SUBJECT, "status": "completed", "code": {"text": "glorply"}}
    yield {
        "resourceType": "MedicationStatement",
        "id": "x",
        "status": "active",
        **_SUBJECT,
        "medicationCodeableConcept": {"text": "glorply"},
    }
    yield {"resourceType": "MedicationStatement", "id": "x", "status": "entered-in-error", **_SUBJECT,
           "medicationCodeableConcept": {"text": "warfarin"}}  # fmt: skip
    yield {"resourceType": "MedicationStatement", "id": "x", "status": "active", "subject": {"reference": "Patient/other"},
           "medicationCodeableConcept": {"text": "warfarin"}}  # fmt: skip
    yield {"resourceType": "Medication", "id": "x", "code": {"text": "warfarin"}}
    yield {"id": "x"}
    yield {"resourceType": "Condition", "id": "x", "code": {"text": "glorptitis"}}


# --- ordinary lines ------------------------------------------------------------------------------------------------

ORDINARY = (
    "{} for BP", "{} #30 RF2", "{} per Dr. Smith", "{} last filled 10/3", "{}, #90, 3 refills", "{} (brand only)",
    "{} - taking",
    "{} (taking)", "{} with food", "{} (OTC)", "{}.", "{}; disp #30", "{} since 2019", "{} for depression",
    "{}, started 10/2026",
    "{} Rx #1234567", "{} (home med)", "- {}", "* {}", "1. {}", "{} [home med]", "{} (generic)", "{} per PCP", "{} qty 30",
    "{} refill x 3", "{} DAW", "{} (confirmed with pharmacy)", "{} - last dose this morning", "{} AM", "{} \u2022",
    "Rx: {}", "{} by Dr Jones", "{}, no refills", "{} 30 day supply", "{}, 90-day supply", "{} disp 30 tabs",
)  # fmt: skip


# --- judging the judge ---------------------------------------------------------------------------------------------


def checked(engine: Engine, case: Json) -> Report | None:
    """The report on a case or a record; None where it is refused with a message, which tells it as well."""
    try:
        if case.get("resourceType"):
            told = read_fhir(json.dumps(case))
            return engine.check(told, DAY)
        return engine.check(case, DAY)
    except RequestError:
        return None


def listed(report: Report) -> dict[tuple[str, ...], str]:
    """What a report tells that silence would not: every item, by what makes it one, with its words."""
    found: dict[tuple[str, ...], str] = {}
    for f in report.every_finding:
        found["finding", f.rule, f.severity, *f.saw] = f"{f.title} {f.saw}"
    for u in report.unknown:
        found["unknown", u.rule, *u.needs] = u.ask
    for r in report.unresolved:
        found["unresolved", r.status, str(r.where), r.ask] = f"{r.text} {r.ask}"
    for h in report.unknown_because:
        found["hole", h.because, h.about] = f"{h.text} {h.ask}"
    for m in report.medications:
        found["medicine", str(m.drug), str(m.where), str(m.current), m.status] = m.ask
    for note in report.notes:
        found["note", note] = note
    return found


def quiet(report: Report | None, before: Report | None, needle: str) -> str:
    """How a report swallows what was put in; empty where it tells it."""
    if report is None:
        return ""
    if report.verdict == "clear":
        return "clear"
    known = listed(before) if before is not None else {}
    new = {key: words for key, words in listed(report).items() if key not in known}
    if not new:
        return "nothing new"
    if needle and not any(needle.lower() in words.lower() for words in new.values()):
        return "not named"
    return ""


def attacked(engine: Engine) -> Iterator[tuple[Variant, str]]:
    """Every variant, and how it was swallowed."""
    kept: dict[str, Report | None] = {}
    for one in variants():
        key = json.dumps(one.without, sort_keys=True, default=str)
        if key not in kept:
            kept[key] = checked(engine, one.without)
        yield one, quiet(checked(engine, one.case), kept[key], one.needle)


def noisy(engine: Engine) -> Iterator[tuple[str, list[str]]]:
    """Ordinary lines of which the report says something that it does not say of the line alone."""
    for line in LINES:
        before = listed(engine.check(with_line(line), DAY))
        for shape in ORDINARY:
            text = shape.format(line)
            new = [" ".join(key) for key in listed(engine.check(with_line(text), DAY)) if key not in before]
            yield text, new


def main() -> None:
    """Print the table."""
    args = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    args.add_argument("--show", default=None, help="list the variants of a family that were swallowed")
    args.add_argument("--most", type=int, default=40)
    chosen = args.parse_args()
    engine = safety.load()
    table: dict[str, dict[str, int]] = {}
    shown = 0
    for one, how in attacked(engine):
        row = table.setdefault(one.family, {"variants": 0, "clear": 0, "nothing new": 0, "not named": 0})
        row["variants"] += 1
        if how:
            row[how] += 1
            if chosen.show and one.family.startswith(chosen.show) and shown < chosen.most:
                shown += 1
                print(f"{how:12} {one.family:20} {one.told!r}")
    total = {key: sum(row[key] for row in table.values()) for key in ("variants", "clear", "nothing new", "not named")}
    for family, row in {**table, "all": total}.items():
        swallowed = row["clear"] + row["nothing new"] + row["not named"]
        print(f"{family:22} {row['variants']:6} variants {swallowed:5} quiet", end="")
        print(f"  ({row['clear']} clear, {row['nothing new']} nothing new, {row['not named']} not named)" if swallowed else "")
    lines = list(noisy(engine))
    loud = [(text, new) for text, new in lines if new]
    print(f"{'ordinary':22} {len(lines):6} lines    {len(loud):5} noisy")
    if chosen.show and "ordinary".startswith(chosen.show):
        for text, new in loud:
            print(f"  {text!r}: {new[:2]}")


if __name__ == "__main__":
    main()
