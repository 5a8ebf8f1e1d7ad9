"""All keys, and where to read on."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from capicua.tui.leave import DESERTED
from capicua.tui.page import Page
from capicua.tui.words import N_, _

KEYS = (
    ("1-9", N_("choose a line of the first menu, in any keyboard layout")),
    ("Tab, Shift+Tab", N_("to the next or previous field, button or list")),
    ("Enter", N_("press the button, open the list, take the line")),
    ("↑ ↓", N_("move in a list or menu")),
    ("Space", N_("tick or untick a box")),
    ("Esc", N_("back to the page before")),
    ("?, F1", N_("this page, and at a table the keys of the table")),
    ("Ctrl+Q", N_("quit from anywhere; in a game the server then plays for you")),
)


class Help(Page):
    """Keys of every page; a mouse does all of it too."""

    TITLE_TEXT = N_("Help")

    def __init__(self, own: Sequence[tuple[str, str]] = ()) -> None:
        """`own` are the keys of the page that is left for this one, each with what it does, translated."""
        super().__init__()
        self._own = own

    def body(self) -> ComposeResult:
        with VerticalScroll():
            for key, told in (*((key, _(told)) for key, told in KEYS), *self._own):
                yield Static(f"{key:<15} {told}", markup=False)
            yield Static("")
            yield Static(
                _("Everything can be clicked as well. The table has its own help: press ? there."), markup=False
            )
            yield Static(_("If the connection breaks, it is made again by itself; nothing is lost."), markup=False)
            yield Static(_(DESERTED), markup=False)
            yield Static(_("Where a game is chosen and at a table, F3 or r tells its rules."), markup=False)
