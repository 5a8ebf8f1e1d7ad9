"""Levels: the ways in which a bot can choose its plays, from careless to strong."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from capicua.bots import clever, easy, expert, greedy
from capicua.bots.knowledge import Knowledge
from capicua.engine.legal import Play

Choose = Callable[[Knowledge, Random, float], Play]
"""One of the legal plays, from what one seat knows, with chance, in so many seconds at most."""

LEVELS: dict[str, Choose] = {
    "easy": easy.choose,
    "greedy": greedy.choose,
    "clever": clever.choose,
    "expert": expert.choose,
}
"""Every level by its name, from weak to strong."""
DEEP = frozenset({"expert"})
"""The levels that take longer than a stream may wait."""
DEFAULT = "greedy"
"""The level of a bot that was told none."""
