"""A box over the table."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Button

from capicua.tui.words import N_

Result = TypeVar("Result")


class Dialog(ModalScreen[Result]):
    """Closed by Escape; its parts lie one below the other, and scroll where they must."""

    DEFAULT_CSS = """
    Dialog { align: center middle; }
    Dialog > VerticalScroll {
        width: auto; max-width: 100%; min-width: 50%; height: auto; max-height: 100%;
        border: double $primary; padding: 0 2; background: $surface;
    }
    Dialog Static { width: auto; max-width: 100%; height: auto; }
    Dialog .heading { text-style: bold; padding-bottom: 1; }
    Dialog .buttons { height: auto; width: auto; padding-top: 1; }
    Dialog .buttons Button { margin-right: 1; min-width: 10; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", N_("Close"))]

    def action_close(self) -> None:
        """Close it, with nothing decided."""
        self.dismiss(None)

    def action_press(self, button: str) -> None:
        """The key of a button."""
        self.query_one(f"#{button}", Button).press()


def button(label: str, id: str, key: str) -> Button:
    """A button that shows its key, for which the dialog has a binding to `press`."""
    return Button(f"{label} ({key})", id=id)
