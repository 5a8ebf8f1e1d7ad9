"""Bots: they see what their seat sees and speak the public API."""

from capicua.bots.crew import play, run_crew
from capicua.bots.greedy import choose

__all__ = ["choose", "play", "run_crew"]
