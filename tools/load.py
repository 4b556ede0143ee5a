"""Load on a running service: so many requests a second, whether or not the last was answered, and how long each took.

    python tools/load.py [--rate 200] [--seconds 30] [--workers 2]     # starts a service on loopback, and stops it
    python tools/load.py http://127.0.0.1:8080                         # one that runs already

Prints what was sent, lost and answered, and the milliseconds to the answer at the 50th, 95th and 99th of a hundred.
Exit code 1 where a request was lost or the 99th is above `--most`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import aiohttp

DRUGS = ("warfarin 5 mg daily", "metformin 500 mg bid", "lisinopril 20 mg daily", "atorvastatin 40 mg nightly",
         "sertraline 50 mg daily", "furosemide 40 mg bid", "amlodipine 5 mg daily", "omeprazole 20 mg daily")  # fmt: skip
PLANS = ("ibuprofen 400 mg tid", "amoxicillin 500 mg tid", "naproxen 500 mg bid", "acetaminophen 500 mg every 6 hours")


_JSON = {"Content-Type": "application/json"}


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
    connector = aiohttp.TCPConnector(limit=0)
    patience = aiohttp.ClientTimeout(total=30)
    async with aiohttp.ClientSession(base, connector=connector, timeout=patience) as client:

        async def one(case: bytes) -> None:
            began = time.perf_counter()
            try:
                async with client.post("/v1/check?format=brief", data=case, headers=_JSON) as answer:
                    await answer.read()
                    came[str(answer.status)] += 1
                    took.append(time.perf_counter() - began)
            except (aiohttp.ClientError, TimeoutError) as error:
                came[type(error).__name__] += 1

        told = itertools.cycle([json.dumps(case).encode() for case in cases()])
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


@contextlib.contextmanager
def serving(base: str | None, workers: int) -> Iterator[str]:
    """A service that runs already, or one of our own while it is needed."""
    if base is not None:
        yield base
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).with_name("medsafe")), "serve", "--port", str(port), "--workers", str(workers)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        begun = f"http://127.0.0.1:{port}"
        for _ in range(600):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{begun}/version").close()
                break
            time.sleep(0.1)
        yield begun
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", nargs="?")
    parser.add_argument("--rate", type=float, default=200)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--most", type=float, default=100, help="milliseconds for the 99th of a hundred")
    asked = parser.parse_args()
    with serving(asked.base, asked.workers) as base:
        before = os.getloadavg()[0]
        asyncio.run(run(base, 20, 2))  # what is read at the first use is read now
        came, took = asyncio.run(run(base, asked.rate, asked.seconds))
    lost = sum(came.values()) - came["200"]
    at = {p: 1000 * took[min(len(took) - 1, len(took) * p // 100)] for p in (50, 95, 99)} if took else {}
    shown = ", ".join(f"p{p} {ms:.1f} ms" for p, ms in at.items())
    print(f"{sum(came.values())} sent at {asked.rate:g}/s, {lost} lost ({dict(came)}); {shown}; load before {before:.2f}")
    raise SystemExit(bool(lost or not took or at[99] > asked.most))


if __name__ == "__main__":
    main()
