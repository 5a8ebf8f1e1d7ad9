"""The keys of a replay."""

from __future__ import annotations

from capicua.tui.key_help import KeyHelp
from capicua.tui.words import N_

_MOVING = (
    ("← →", N_("a step back or on")),
    ("↑ ↓", N_("to the beginning of a round")),
    ("Home End", N_("to the first or the last step")),
    ("Space", N_("let it run, or stop it")),
    ("+ -", N_("faster, slower")),
    ("k F2", N_("what the next seat knew; after the last seat all hands again")),
)
_SHARING = (
    ("t F3", N_("write the record to a text file")),
    ("s F4", N_("write this step as a picture (SVG)")),
    ("c F5", N_("write the replay as an asciinema cast")),
    ("q Esc", N_("back")),
)


class ReplayHelp(KeyHelp):
    """Of a finished game."""

    HEADING = N_("Replay")
    GROUPS = (_MOVING, _SHARING)
    LAST = N_("Files are written to the folder in which Capicua was started.")
