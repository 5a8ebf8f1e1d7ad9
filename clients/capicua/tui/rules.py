"""The rules of a game, over the page on which it is chosen or played."""

from __future__ import annotations

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from capicua.api.v1.types_pb2 import GameOptions
from capicua.engine import Variant
from capicua.tui.dialog import Dialog
from capicua.tui.layout import variant_of
from capicua.tui.words import _, rulebook, variant_name


class Rules(Dialog[None]):
    """All of them for one number of seats; arrows scroll, Escape closes."""

    DEFAULT_CSS = """
    Rules > VerticalScroll { width: 100%; max-width: 100; }
    Rules .section { text-style: bold; padding-top: 1; }
    """

    def __init__(self, variant: Variant, seats: int) -> None:
        """`seats` is a number that the variant allows."""
        super().__init__()
        self._variant, self._seats = variant, seats

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(variant_name(self._variant.key), classes="heading", markup=False)
            yield Static(_("Arrows scroll, Esc closes."), markup=False)
            for heading, sentences in rulebook(self._variant, self._seats):
                yield Static(heading, classes="section", markup=False)
                for sentence in sentences:
                    yield Static(f"- {sentence}", markup=False)


def rules_of(options: GameOptions) -> Rules | None:
    """The rules of a game with its own target and time; None for a variant that this client does not know.

    All of `options` is set, as the server tells it.
    """
    variant = variant_of(options)
    if variant is None:
        return None
    target = replace(variant.target, value={options.seats: options.target})
    return Rules(replace(variant, target=target, turn_seconds=options.turn_seconds), options.seats)
