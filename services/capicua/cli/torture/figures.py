"""What is counted while a run goes on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from capicua.cli.torture.transcript import Transcript
from capicua.cli.torture.violation import Violation


@dataclass
class Figures:
    """Counts of the clients, and all that they keep for the checker."""

    transcripts: list[Transcript] = field(default_factory=list)
    thrown_out: list[Violation] = field(default_factory=list)
    moves: int = 0
    """Acknowledged ones."""
    games: int = 0
    """Those that a player has seen to their end."""
    copies: int = 0
    """Commands sent more often than once: at once, late, or to another gateway."""
    quits: int = 0
    """Seats left for good."""
    resumes_ms: list[float] = field(default_factory=list)
    """From the end of a stream to the first frame of the next."""
    refusals: Counter[str] = field(default_factory=Counter)
    """By reason; also those that end a stream."""
    retries: Counter[str] = field(default_factory=Counter)
    """Why tables and queues had to be tried again."""
