"""A table of one's own: which game, how far, how fast, and who may find it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Button, Checkbox, Input, Select

from capicua.api.v1.types_pb2 import TALK_TEXT, GameOptions, TableOptions, Talk
from capicua.engine import VARIANTS
from capicua.tui.game_form import GameForm, GamePage
from capicua.tui.terms import BOTS, TALK
from capicua.tui.tick import Tick
from capicua.tui.waiting_table import WaitingTable
from capicua.tui.words import N_, _, counted

TURN_SECONDS, USUAL_SECONDS = (10, 15, 30, 60, 120), 30
DELAYS = (0, 1, 3, 5, 10)
ROUNDS = (1, 3, 5, 10)
"""Targets that people like where each round won is a point."""


class CreateTable(GamePage):
    """Everything has a good value already; Enter makes the table."""

    TITLE_TEXT = N_("Make a table")

    def body(self) -> ComposeResult:
        variant = VARIANTS.get(self.capicua.profile.variant, VARIANTS["block_rounds"])
        yield GameForm(variant.key)
        with Horizontal(classes="row"):
            target = Input(restrict="[0-9]*", max_length=5, id="target")
            target.border_title = _("Target")
            yield target
            seconds = {n: counted("{n} second", "{n} seconds", n) for n in TURN_SECONDS}
            yield _select("turn", _("Time for a turn"), seconds, USUAL_SECONDS)
        with Horizontal(classes="row"):
            yield Tick(_("In the lobby"), id="public")
            yield Tick(_("May be watched"), True, id="spectators")
            late = {n: counted("{n} play late", "{n} plays late", n) if n else _("at once") for n in DELAYS}
            yield _select("delay", _("Watchers see it"), late)
        with Horizontal(classes="row"):
            yield _select("bots", _("Level of bots"), {level: _(told) for level, told in BOTS.items()})
            yield _select("talk", _("Players talk"), _talk(public=False))
        with Horizontal(classes="buttons"):
            yield Button(_("Make the table"), id="create", variant="primary")

    def on_mount(self) -> None:
        """Enter is enough."""
        self.query_one("#create").focus()

    @on(Select.Changed, "#variant, #seats")
    def _chosen(self) -> None:
        form = self.query_one(GameForm)
        usual = VARIANTS[form.variant].target.value[form.seats]
        told = _("1, 3, 5 or 10; usually {target}") if usual in ROUNDS else _("usually {target}")
        self.query_one("#target", Input).placeholder = told.format(target=usual)

    @on(Checkbox.Changed, "#public")
    def _made_public(self, event: Checkbox.Changed) -> None:
        talk = self.query_one("#talk", Select)
        before, choices = talk.value, _talk(public=event.value)
        talk.set_options((told, choice) for choice, told in choices.items())
        if before in choices:
            talk.value = before

    @on(Button.Pressed, "#create")
    @work(exclusive=True)
    async def _create(self) -> None:
        form = self.query_one(GameForm)
        target = self.query_one("#target", Input).value
        options = GameOptions(
            variant=form.variant,
            seats=form.seats,
            target=int(target) if target.isdecimal() else None,
            turn_seconds=int(str(self.query_one("#turn", Select).value)),
        )
        table_options = TableOptions(
            public=self.query_one("#public", Checkbox).value,
            spectators=self.query_one("#spectators", Checkbox).value,
            delay_moves=int(str(self.query_one("#delay", Select).value)),
            bots=str(self.query_one("#bots", Select).value),
            talk=self.query_one("#talk", Select).value,  # type: ignore[arg-type]
        )
        if table := await self.attempt(self.client.create_table(options, table_options)):
            self.capicua.profile.variant = form.variant
            self.capicua.remember()
            self.app.switch_screen(WaitingTable(table))


def _select(id: str, title: str, choices: Mapping[Any, str], value: object = None) -> Select[Any]:
    """A list with the words of each choice; the first is chosen where `value` is none of them."""
    first = value if value in choices else next(iter(choices))
    select = Select([(told, choice) for choice, told in choices.items()], value=first, allow_blank=False, id=id)
    select.border_title = title
    return select


def _talk(*, public: bool) -> dict[Talk.ValueType, str]:
    """What players may be allowed to say: in public no text of their own."""
    return {talk: _(told) for talk, told in TALK.items() if not public or talk != TALK_TEXT}
