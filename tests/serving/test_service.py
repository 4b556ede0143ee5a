"""The running service: a worker that is killed does no harm, a stop lets answers end, nothing of a patient is logged."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from conftest import REPO

MEDSAFE = str(Path(sys.executable).with_name("medsafe"))
CASE = {
    "patient": {"medications": ["warfarin 5 mg oral", "Advil 400 mg oral"], "conditions": ["Jane Roe's secret"]},
    "as_of": "2026-11-20",
}
LONG = json.dumps([CASE] * 6000).encode()


class Running:
    """A service in a process of its own."""

    def __init__(self, *options: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [MEDSAFE, "serve", "--port", str(port), *options]
        self.process = subprocess.Popen(
            command, cwd=REPO, env={**os.environ, "PYTHONPATH": str(REPO)}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120)
        for _ in range(600):
            try:
                self.http.get("/version")
                return
            except httpx.TransportError:
                time.sleep(0.1)
        raise AssertionError("it did not start")

    def workers(self) -> list[int]:
        """The processes that answer, by what they were started for."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [int(pid) for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]

    def stop(self) -> str:
        """End it as a supervisor would; everything it printed."""
        self.process.send_signal(signal.SIGTERM)
        out, _ = self.process.communicate(timeout=60)
        return out.decode()


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    running = Running("--workers", "2")
    yield running
    if running.process.poll() is None:
        running.stop()


def asking(service: Running, found: list[httpx.Response]) -> threading.Thread:
    """A long request under way."""
    thread = threading.Thread(target=lambda: found.append(service.http.post("/v1/check/batch", content=LONG)))
    thread.start()
    time.sleep(0.7)
    return thread


def test_a_worker_killed_over_a_request_is_replaced_and_the_request_answered_or_refused_cleanly(service: Running) -> None:
    assert len(service.workers()) == 2
    found: list[httpx.Response] = []
    thread = asking(service, found)
    rounds = 0
    while thread.is_alive() and rounds < 40:  # also those that were started in their place
        for pid in service.workers():
            os.kill(pid, signal.SIGKILL)
        rounds += 1
        time.sleep(0.5)
    thread.join(120)
    (answer,) = found
    assert answer.status_code == 503
    assert "a worker was lost" in answer.json()["error"][0]["what"]
    assert answer.headers["retry-after"] == "1"
    again: Any = service.http.post("/v1/check", json=CASE).json()
    assert again["verdict"] == "violated"


def test_a_stop_lets_what_is_under_way_end_and_nothing_of_a_patient_was_printed() -> None:
    service = Running("--workers", "1")
    assert service.http.post("/v1/check", json=CASE).json()["verdict"] == "violated"
    assert service.http.post("/v1/check", content=json.dumps(CASE)[:-1]).status_code == 400
    found: list[httpx.Response] = []
    thread = threading.Thread(target=lambda: found.append(service.http.post("/v1/check/batch", content=json.dumps([CASE] * 60))))
    thread.start()
    time.sleep(0.3)
    printed = service.stop()
    thread.join(60)
    assert [answer.status_code for answer in found] == [200]
    assert len(found[0].json()) == 60
    assert service.process.returncode in (0, -signal.SIGTERM)  # uvicorn ends by the signal that it was sent
    assert "Jane" not in printed
    assert "warfarin" not in printed


def test_importing_safety_loads_nothing_of_the_service() -> None:
    heavy = ("mcp", "fastapi", "starlette", "uvicorn", "fhir", "jwt", "prometheus_client", "anyio", "httpx")
    program = f"import sys, safety; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], cwd=REPO, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
