"""The choice of a game: which variant, for how many seats."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Select, Static

from capicua.engine import VARIANTS
from capicua.tui.page import Page
from capicua.tui.rules import Rules
from capicua.tui.words import N_, _, counted, variant_description, variant_name


class GamePage(Page):
    """A page with a GameForm: a key tells the rules of the chosen game."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("r,f3", "rules", N_("Rules"), key_display="F3 r")]

    def action_rules(self) -> None:
        """Of the chosen game, for the chosen seats."""
        form = self.query_one(GameForm)
        self.app.push_screen(Rules(VARIANTS[form.variant], form.seats))


class GameForm(Vertical):
    """Two lists and a line that says what the game is; begins with `variant`."""

    def __init__(self, variant: str) -> None:
        super().__init__()
        self._first = variant if variant in VARIANTS else next(iter(VARIANTS))

    def compose(self) -> ComposeResult:
        names = [(variant_name(key), key) for key in VARIANTS]
        with Horizontal(classes="row"):
            variants = Select(names, value=self._first, allow_blank=False, id="variant")
            variants.border_title = _("Game")
            yield variants
            seats = Select(self._counts(self._first), allow_blank=False, id="seats")
            seats.border_title = _("Seats")
            yield seats
        yield Static(variant_description(self._first), id="description", markup=False)

    @property
    def variant(self) -> str:
        """The key of the chosen variant."""
        return str(self.query_one("#variant", Select).value)

    @property
    def seats(self) -> int:
        """How many seats were chosen; one of the numbers that the variant allows."""
        return int(str(self.query_one("#seats", Select).value))

    @staticmethod
    def _counts(variant: str) -> list[tuple[str, int]]:
        return [(counted("{n} seat", "{n} seats", n), n) for n in VARIANTS[variant].seats]

    @on(Select.Changed, "#variant")
    def _chosen(self) -> None:
        before, counts = self.query_one("#seats", Select).value, self._counts(self.variant)
        seats = self.query_one("#seats", Select)
        seats.set_options(counts)
        if before in VARIANTS[self.variant].seats:
            seats.value = before
        self.query_one("#description", Static).update(variant_description(self.variant))
