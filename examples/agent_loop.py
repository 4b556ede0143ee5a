"""An agent without a model: the loop that a model would steer, with medsafe's tools called in the same process.

python examples/agent_loop.py
"""

from datetime import date

import safety
from safety.serving.tools import call, problems_of

engine = safety.load()
today = date(2026, 11, 20)
patient = {"age": 72, "sex": "female", "conditions": [], "medications": ["warfarin 5 mg by mouth once daily"]}
said = ["what about some ibuprofin for my knee", "400 mg three times a day"]

# 1. which medicine was meant? A name that is not sure is asked back.
heard = call(engine, "resolve_drug", {"name": "ibuprofin"}, today)
print("heard   ", heard["name"], "- ask:", heard.get("ask", ""))

# 2. what do the directions say?
sig = call(engine, "read_directions", {"text": f"{heard['name']} {said[1]}"}, today)
print("read    ", sig["says"])

# 3. is it safe with what is taken? A slip comes back with the way to mend it.
try:
    call(engine, "check_regimen", {"patient": {"meds": []}}, today)
except safety.RequestError as error:
    print("slip    ", problems_of(error)[0]["hint"])
answer = call(engine, "check_regimen", {"patient": patient, "plan": [f"{heard['name']} {said[1]}"]}, today)
print("verdict ", answer["verdict"])
for finding in answer["findings"]:
    print("task    ", finding["task"])
for question in answer.get("questions", []):
    print("ask     ", question)
print("why     ", call(engine, "explain", {"rule": answer["findings"][0]["rule"]}, today)["why"])
