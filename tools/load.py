"""Load on a running service: so many requests a second, whether or not the last was answered, and how long each took.

    medsafe serve --port 8080 --workers 2 &
    python tools/load.py http://127.0.0.1:8080 [--rate 200] [--seconds 30]

Prints what was sent, lost and answered, and the milliseconds to the answer at the 50th, 95th and 99th of a hundred.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import time
from collections import Counter

import httpx

DRUGS = ("warfarin 5 mg daily", "metformin 500 mg bid", "lisinopril 20 mg daily", "atorvastatin 40 mg nightly",
         "sertraline 50 mg daily", "furosemide 40 mg bid", "amlodipine 5 mg daily", "omeprazole 20 mg daily")  # fmt: skip
PLANS = ("ibuprofen 400 mg tid", "amoxicillin 500 mg tid", "naproxen 500 mg bid", "acetaminophen 500 mg every 6 hours")


def cases() -> list[dict[str, object]]:
    """Many patients, no two alike."""
    found = []
    for n, (plan, age) in enumerate(itertools.product(PLANS, range(30, 90, 3))):
        taken = [DRUGS[(n + k) % len(DRUGS)] for k in range(2 + n % 5)]
        patient = {"age": age, "sex": "female", "conditions": ["hypertension"], "allergies": [], "medications": taken}
        found.append({"as_of": "2026-11-20", "patient": patient, "plan": [plan]})
    return found


async def run(base: str, rate: float, seconds: float) -> tuple[Counter[str], list[float]]:
    """Send so many a second for so many seconds; what came of each, and the seconds that answers took."""
    came: Counter[str] = Counter()
    took: list[float] = []
    limits = httpx.Limits(max_connections=200, max_keepalive_connections=200)
    async with httpx.AsyncClient(base_url=base, limits=limits, timeout=30) as client:

        async def one(case: dict[str, object]) -> None:
            began = time.perf_counter()
            try:
                answer = await client.post("/v1/check?format=brief", json=case)
                came[str(answer.status_code)] += 1
                took.append(time.perf_counter() - began)
            except httpx.HTTPError as error:
                came[type(error).__name__] += 1

        told = itertools.cycle(cases())
        begun, sent, under_way = time.perf_counter(), 0, set()
        while sent < rate * seconds:
            due = begun + sent / rate
            await asyncio.sleep(max(0, due - time.perf_counter()))
            task = asyncio.create_task(one(next(told)))
            under_way.add(task)
            task.add_done_callback(under_way.discard)
            sent += 1
        await asyncio.gather(*under_way)
    return came, sorted(took)


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base")
    parser.add_argument("--rate", type=float, default=200)
    parser.add_argument("--seconds", type=float, default=30)
    asked = parser.parse_args()
    before = os.getloadavg()[0]
    asyncio.run(run(asked.base, 20, 2))  # what is read at the first use is read now
    came, took = asyncio.run(run(asked.base, asked.rate, asked.seconds))
    lost = sum(came.values()) - came["200"]
    shown = (
        ", ".join(f"p{p} {1000 * took[min(len(took) - 1, len(took) * p // 100)]:.1f} ms" for p in (50, 95, 99)) if took else "-"
    )
    print(f"{sum(came.values())} sent at {asked.rate:g}/s, {lost} lost ({dict(came)}); {shown}; load before {before:.2f}")


if __name__ == "__main__":
    main()
