"""The greedy bot: the play that the rules also make for a seat whose turn expires (R-79)."""

from __future__ import annotations

from random import Random

from capicua.bots.knowledge import Knowledge
from capicua.engine.legal import Play
from capicua.engine.tiles import PIPS, TOTAL

_FIRST_ENDS = "-LRUDM"


def choose(knowledge: Knowledge, chance: Random, seconds: float) -> Play:
    """The legal play with most pips, then with the larger half, then at the first end (R-79).

    Ends come in the order L R U D; of trains the own comes first, then the Mexican one, then the others
    by seat.
    """
    own_train = str(knowledge.seat)

    def preference(play: Play) -> tuple[int, int, int]:
        tile, end = play
        if end == own_train:
            place = -1
        elif end in _FIRST_ENDS:
            place = _FIRST_ENDS.index(end)
        else:
            place = len(_FIRST_ENDS) + int(end)
        return -TOTAL[tile], -PIPS[tile][0], place

    return min(knowledge.legal, key=preference)
