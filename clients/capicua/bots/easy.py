"""The easy bot: careless but legal."""

from __future__ import annotations

from random import Random

from capicua.bots.knowledge import Knowledge
from capicua.engine.legal import Play


def choose(knowledge: Knowledge, chance: Random, seconds: float) -> Play:
    """Any legal play, each as likely as the others."""
    return chance.choice(knowledge.legal)
