"""The greedy bot: the play that the rules also make for a seat whose turn expires (R-79)."""

from __future__ import annotations

from capicua.api.v1.types_pb2 import Play
from capicua.api.v1.update_pb2 import View

_FIRST_ENDS = "-LRUDM"


def choose(view: View) -> Play:
    """The legal play with most pips, then with the larger half, then at the first end (R-79).

    Ends come in the order L R U D; of trains the own comes first, then the Mexican one, then the others
    by seat. Looks at nothing but the view of its own seat, and `view.legal` must not be empty.
    """
    own_train = str(view.own_seat)

    def preference(play: Play) -> tuple[int, int, int]:
        if play.end == own_train:
            place = -1
        elif play.end in _FIRST_ENDS:
            place = _FIRST_ENDS.index(play.end)
        else:
            place = len(_FIRST_ENDS) + int(play.end)
        return -(play.tile.high + play.tile.low), -play.tile.high, place

    return min(view.legal, key=preference)
