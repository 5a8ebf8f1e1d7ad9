"""Bots: they see what their seat sees and speak the public API."""

from capicua.bots.crew import play, run_crew
from capicua.bots.knowledge import Knowledge, Memory
from capicua.bots.levels import LEVELS, Choose

__all__ = ["LEVELS", "Choose", "Knowledge", "Memory", "play", "run_crew"]
