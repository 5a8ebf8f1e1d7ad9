"""The keys of the table."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from capicua.tui.dialog import Dialog
from capicua.tui.look import DEBT, MARKER, TURN
from capicua.tui.words import N_, _

_KEYS = (
    ("← →", N_("choose a tile; with the side asked: play it left or right")),
    ("↑ ↓", N_("the same; with the side asked: play it up or down")),
    ("1-9 0", N_("choose the tile or the place with this number")),
    ("Enter", N_("play the chosen tile, or ask where")),
    ("Esc", N_("back to the tiles")),
    ("PgUp PgDn", N_("move the layout, where it is higher than its room")),
    ("q", N_("leave the table")),
)
_SIGNS = (
    (TURN, N_("is to act; the seconds are those left of the turn")),
    ("╔═╗ { }", N_("the last play")),
    ("┏━┓", N_("the spinner, or the engine tile")),
    (MARKER, N_("this train carries a marker: everyone may play on it")),
    (DEBT, N_("the double on this train must be covered")),
)


class TableHelp(Dialog[None]):
    """Keys and signs; a click on a tile, and on the number of an end, plays as well."""

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(_("At the table"), classes="heading", markup=False)
            for key, told in _KEYS:
                yield Static(f"{key:<10} {_(told)}", markup=False)
            yield Static(" ")
            for sign, told in _SIGNS:
                yield Static(f"{sign:<10} {_(told)}", markup=False)
            yield Static(" ")
            yield Static(
                _("Draws and passes happen by themselves. A click on a tile or an end plays too."), markup=False
            )

    def on_key(self) -> None:
        """Any key goes back."""
        self.dismiss()
