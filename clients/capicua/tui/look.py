"""Colours and signs of the table. Whatever a colour tells, a sign or a word tells too."""

from __future__ import annotations

from rich.style import Style

from capicua.picture.pips import IVORY

_GOLD, _SHADE = "#ffd23f", "#b9b39f"
FELT = "#175437"
TILE = Style(color="#1f1c14", bgcolor=IVORY)
LAST = Style(color="#1f1c14", bgcolor=_GOLD, bold=True)
PLAYABLE = Style(color="#1f1c14", bgcolor=IVORY, bold=True)
UNPLAYABLE = Style(color="#4c493f", bgcolor=_SHADE)
CHOSEN = Style(color="#1f1c14", bgcolor=_GOLD, bold=True)
OPEN = Style(color="#ffffff", bgcolor="#1d5fbf", bold=True)
STRONG = Style(bold=True)
WARNING = Style(bold=True, reverse=True)
FAINT = Style(dim=True)
TURN, MARKER, DEBT = "▶", "▲", "!"
"""Before the name of who is to act; before a train that is open to all, one that must be covered."""
