"""What the game-actor counts as it goes."""

from __future__ import annotations

from collections import Counter

from capicua.runtime.histogram import Histogram


class Figures:
    """Of all games of this process since its start."""

    def __init__(self) -> None:
        self.moves = 0
        """Commands that were appended."""
        self.commands: Counter[tuple[str, str]] = Counter()
        """By command ("PlayTile", "ExpireTurn", …) and outcome (ACCEPTED or the reason of its refusal)."""
        self.command_us = Histogram()
        """From a command's arrival to its answer."""
        self.append_us = Histogram()
        """From an append to what became of it: acknowledged, refused, or the connection lost."""
        self.games_taken_over = 0
        """Games loaded from their logs."""
