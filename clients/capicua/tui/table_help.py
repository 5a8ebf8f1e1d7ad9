"""The keys and signs of the table."""

from __future__ import annotations

from capicua.tui.key_help import KeyHelp
from capicua.tui.look import DEBT, MARKER, TURN
from capicua.tui.words import N_

_KEYS = (
    ("← →", N_("choose a tile; with the side asked: play it left or right")),
    ("↑ ↓", N_("the same; with the side asked: play it up or down")),
    ("1-9 0", N_("choose the tile or the place with this number")),
    ("Enter", N_("play the chosen tile, or ask where")),
    ("Esc", N_("back to the tiles")),
    ("PgUp PgDn", N_("move the layout, where it is higher than its room")),
    ("t F2", N_("say something, or hear nothing of somebody")),
    ("r F3", N_("the rules of this game")),
    ("q", N_("leave the table")),
)
_SIGNS = (
    (TURN, N_("is to act; the seconds are those left of the turn")),
    ("7 · 23", N_("tiles left · points")),
    ("╔═╗ { } *", N_("the last play")),
    ("┏━┓ +", N_("the spinner, or the engine tile")),
    (MARKER, N_("this train carries a marker: everyone may play on it")),
    (DEBT, N_("the double on this train must be covered")),
)


class TableHelp(KeyHelp):
    """Of a game that is played or watched."""

    HEADING = N_("At the table")
    GROUPS = (_KEYS, _SIGNS)
    LAST = N_("Draws and passes happen by themselves. A click on a tile or an end plays too.")
