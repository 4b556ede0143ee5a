"""A CDS Hooks call: an order is about to be signed, and the cards come back.

medsafe serve --port 8080 &
python examples/cds_hooks.py http://127.0.0.1:8080
"""

import json
import sys
from urllib.error import URLError
from urllib.request import Request, urlopen

base = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"


def order(id: str, name: str, sig: str, status: str) -> dict:
    """A MedicationRequest."""
    return {
        "resourceType": "MedicationRequest", "id": id, "status": status, "intent": "order", "subject": {"reference": "Patient/1"},
        "medicationCodeableConcept": {"text": name}, "dosageInstruction": [{"text": sig}],
    }  # fmt: skip


def bundle(*resources: dict) -> dict:
    """A Bundle of resources."""
    return {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": r} for r in resources]}


request = {
    "hook": "order-sign",
    "hookInstance": "d1577c69-dfbe-44ad-ba6d-3e05e953b2ea",
    "context": {
        "userId": "Practitioner/1", "patientId": "1",
        "draftOrders": bundle(order("new", "ibuprofen 400 mg tablet", "1 tablet three times a day", "draft")),
    },
    "prefetch": {
        "patient": {"resourceType": "Patient", "id": "1", "birthDate": "1954-03-14", "gender": "female"},
        "orders": bundle(order("old", "warfarin 5 mg tablet", "1 tablet once daily", "active")),
    },
}  # fmt: skip
asked = Request(f"{base}/cds-services/medsafe-order-sign", json.dumps(request).encode(), {"Content-Type": "application/json"})
try:
    with urlopen(asked) as answer:
        cards = json.load(answer)["cards"]
except URLError as error:
    sys.exit(f"no answer from {base} ({error.reason}): start `medsafe serve --port 8080`, or pass its address")
for card in cards:
    print(card["indicator"].upper(), card["summary"])
    for suggestion in card.get("suggestions", []):
        print("   may:", suggestion["label"])
