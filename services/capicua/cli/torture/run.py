"""One run: an installation under load and faults, until every game has ended and everything is judged."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from capicua.cli.local_installation import COUNTS, LocalInstallation
from capicua.cli.torture.checker import Log, check
from capicua.cli.torture.faults import Faults, Injected
from capicua.cli.torture.figures import Figures
from capicua.cli.torture.load import Load
from capicua.cli.torture.logs import read_logs
from capicua.cli.torture.proxy import Proxy
from capicua.cli.torture.schedule import Fault
from capicua.cli.torture.violation import Kind, Violation
from capicua.runtime.settings import LEASE_SECONDS

PLAY_OUT_SECONDS = 120.0
PROGRESS_SECONDS = 5.0


@dataclass(frozen=True)
class Plan:
    """What to do. `wait` is how many replicas must have a move before it is accepted; `lease` is in seconds."""

    seed: int
    seconds: float
    faults: Sequence[Fault]
    tables: int = 10
    wait: int = 1
    lease: float = LEASE_SECONDS


@dataclass
class Outcome:
    """What came of it."""

    plan: Plan
    figures: Figures
    injected: list[Injected] = field(default_factory=list)
    skipped: int = 0
    logs: dict[str, Log] = field(default_factory=dict)
    violations: list[Violation] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    """What processes logged as errors, by event."""
    late: int = 0
    """Tables that did not come to an end."""
    seconds: float = 0.0


async def torture(plan: Plan, folder: Path, play_out: float = PLAY_OUT_SECONDS) -> Outcome:
    """Run it with files in `folder`, a new one. Raises RuntimeError if the installation does not come up or heal."""
    options = ("--lease", str(plan.lease), "--bot-fill", "0.3", "--bot-pause", "0.05")
    async with LocalInstallation(folder, counts=COUNTS, wait=plan.wait, options=options) as installation:
        proxies = [Proxy(address) for address in installation.gateways]
        for proxy in proxies:
            await proxy.start()
        faults = Faults(installation, proxies)
        load = Load([proxy.address for proxy in proxies], plan.tables, plan.seed)
        outcome = Outcome(plan, load.figures)
        progress = asyncio.ensure_future(_progress(faults, load.figures))
        began = time.monotonic()
        await faults.run(plan.faults)
        await asyncio.sleep(max(0.0, began + plan.seconds - time.monotonic()))
        await faults.heal()
        outcome.late = await load.stop(play_out)
        outcome.seconds = time.monotonic() - began
        progress.cancel()
        outcome.injected, outcome.skipped = faults.injected, faults.skipped.total()
        outcome.logs = await _final_logs(installation, play_out)
        for proxy in proxies:
            proxy.stop()
    outcome.errors = _errors(folder)
    outcome.violations = [
        *load.figures.thrown_out,
        *check(outcome.logs, load.figures.transcripts),
        *(Violation(Kind.UNENDED, "", "a table did not come to an end") for _ in range(outcome.late)),
    ]
    return outcome


async def _final_logs(installation: LocalInstallation, seconds: float) -> dict[str, Log]:
    """All logs; games whose players never heard of them are given the time to end by themselves."""
    end = time.monotonic() + seconds
    while True:
        logs = await read_logs(installation.cluster.ports)
        if time.monotonic() > end or all(log[-1][1].events[-1].HasField("game_ended") for log in logs.values()):
            return logs
        await asyncio.sleep(1)


def _errors(folder: Path) -> Counter[str]:
    found: Counter[str] = Counter()
    for path in folder.glob("*.log"):
        for line in path.read_text(errors="replace").splitlines():
            if line.startswith("capicua serve: "):
                # It did not come up and said why; it is started again.
                continue
            # What else is no line of ours is the end of a process that nobody expected.
            said = json.loads(line) if line.startswith("{") else {"event": line[:80], "level": "error"}
            if said["level"] in ("error", "critical"):
                found[said["event"]] += 1
    return found


async def _progress(faults: Faults, figures: Figures) -> None:
    began = time.monotonic()
    while True:
        await asyncio.sleep(PROGRESS_SECONDS)
        seconds = time.monotonic() - began
        text = f"{seconds:5.0f} s: {len(faults.injected)} faults, {figures.moves} moves, {figures.games} games seen"
        print(text, file=sys.stderr, flush=True)
