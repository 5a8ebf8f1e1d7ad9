"""What a run came to, as text that can be read and kept."""

from __future__ import annotations

import os
import platform
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil
from pathlib import Path

from capicua.cli.torture.run import Outcome
from capicua.cli.torture.take_over import take_overs
from capicua.cli.torture.violation import Kind

MARK = "<!-- What follows is written by `capicua torture`. -->\n"
SHOWN = 20
"""So many violations are told one by one."""


def report(outcome: Outcome, command: str) -> str:
    """Markdown: figures, take-overs, violations, and the schedule of faults."""
    return "\n".join(_lines(outcome, command)) + "\n"


def keep(text: str, path: Path) -> None:
    """Put a report into a file, after its mark; without one it is the whole file."""
    head, mark, _ = (path.read_text() if path.exists() else "").partition(MARK)
    path.write_text(f"{head}{mark}\n{text}" if mark else text)


def _lines(outcome: Outcome, command: str) -> Iterator[str]:
    plan, figures = outcome.plan, outcome.figures
    yield f"`{command}`, on {machine()}."
    yield ""
    yield "| what | how much |"
    yield "|---|---|"
    yield f"| seconds, played out | {outcome.seconds:.0f} |"
    yield f"| tables at once, games | {plan.tables}, {len(outcome.logs)} |"
    yield f"| acknowledged moves | {figures.moves} |"
    yield f"| copies of commands | {figures.copies} |"
    yield f"| seats left for good | {figures.quits} |"
    yield f"| views and updates judged | {sum(len(transcript.shown) for transcript in figures.transcripts)} |"
    yield f"| faults, left out | {len(outcome.injected)}, {outcome.skipped} |"
    yield f"| refusals that passed | {_counted(figures.refusals)} |"
    yield f"| tables that had to be tried again | {_counted(figures.retries)} |"
    yield f"| errors in logs | {_counted(outcome.errors)} |"
    found = Counter(violation.kind for violation in outcome.violations)
    for kind in Kind:
        yield f"| {kind} | {found[kind]} |"
    yield ""
    yield "| from | times | p50 ms | p99 ms | max ms |"
    yield "|---|---|---|---|---|"
    held_back = {sent.request_id for transcript in figures.transcripts for sent in transcript.sent if sent.held_back}
    for name, waits in sorted(take_overs(outcome.logs, outcome.injected, held_back).items()):
        yield _times(name, waits)
    yield _times("end of a stream to the first frame of the next", figures.resumes_ms)
    for violation in outcome.violations[:SHOWN]:
        yield f"\n- {violation}"
    yield ""
    yield "<details><summary>Faults</summary>"
    yield ""
    yield "```"
    yield from (str(hit.fault) for hit in outcome.injected)
    yield "```"
    yield ""
    yield "</details>"


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{number} {name}" for name, number in counts.most_common()) or "none"


def _times(name: str, times: Sequence[float]) -> str:
    if not times:
        return f"| {name} | 0 | | | |"
    p99 = sorted(times)[ceil(len(times) * 0.99) - 1]
    return f"| {name} | {len(times)} | {statistics.median(times):.0f} | {p99:.0f} | {max(times):.0f} |"


def machine() -> str:
    """Processor, cores and system of this machine."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line]
        model = names[0] if names else model
    return f"{os.cpu_count()} cores of {model}, {platform.system()}, Python {platform.python_version()}"
