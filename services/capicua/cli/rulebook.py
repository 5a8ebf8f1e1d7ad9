"""The rules of a variant for players: every sentence is made from the parameters that the engine obeys."""

from __future__ import annotations

import gettext

from capicua.cli import told_play, told_points, told_table
from capicua.cli.teller import Teller
from capicua.engine import Variant

Section = tuple[str, list[str]]
"""A heading, and sentences."""


def rulebook(variant: Variant, seats: tuple[int, ...], words: gettext.NullTranslations) -> list[Section]:
    """All rules in the order in which a player needs them, for the seat counts `seats` that can play them.

    Two variants with the same text are played the same.
    """
    t = Teller(variant, seats, words)
    return [
        (t.say("The table"), told_table.table(t)),
        (t.say("The deal"), told_table.deal(t)),
        (t.say("Who begins"), told_table.opening(t)),
        (t.say("Playing"), told_play.playing(t)),
        (t.say("The end of a round"), told_play.round_end(t)),
        (t.say("Points"), told_points.points(t)),
        (t.say("The end of the game"), told_points.game_end(t)),
    ]
