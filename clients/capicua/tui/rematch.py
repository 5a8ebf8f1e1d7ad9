"""The question whether one plays on with those of a game that is over."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Button, Static

from capicua.api.v1.update_pb2 import RematchOffered
from capicua.client import Client, Refused, Unreachable
from capicua.tui.dialog import Dialog, button
from capicua.tui.game_end import GameEnd, decline, who_asks
from capicua.tui.home import Home
from capicua.tui.page import Page
from capicua.tui.waiting_table import WaitingTable
from capicua.tui.words import _

if TYPE_CHECKING:
    from capicua.tui.app import CapicuaApp


class RematchAsked(Dialog[bool]):
    """Gives True to agree, False to decline; closed by Escape it leaves the offer as it is."""

    # It comes by itself: whoever is just pressing Enter must not answer by that.
    AUTO_FOCUS: ClassVar[str] = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "press('rematch')", show=False),
        Binding("d", "press('decline')", show=False),
    ]

    def __init__(self, offer: RematchOffered) -> None:
        super().__init__()
        self._offer = offer

    @property
    def game_id(self) -> str:
        """Of the game that is over."""
        return self._offer.game_id

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(_("Another game?"), classes="heading", markup=False)
            yield Static(who_asks(self._offer), id="offer", markup=False)
            with Horizontal(classes="buttons"):
                yield button(_("Rematch"), "rematch", "r")
                yield button(_("Decline"), "decline", "d")
                yield button(_("Later"), "later", "Esc")

    def tell(self, offer: RematchOffered) -> None:
        """More have agreed, or there is nothing to answer any more."""
        if offer.table_id:
            self.query_one("#offer", Static).update(who_asks(offer))
        elif self.is_current:
            self.dismiss(None)

    @on(Button.Pressed, "#rematch")
    def agree(self) -> None:
        """Play on."""
        self.dismiss(True)

    @on(Button.Pressed, "#decline")
    def refuse(self) -> None:
        """The others need not wait."""
        self.dismiss(False)

    @on(Button.Pressed, "#later")
    def later(self) -> None:
        """The first page has it."""
        self.dismiss(None)


def ask(app: CapicuaApp, offer: RematchOffered) -> None:
    """Ask over the page that is shown."""

    def answered(agreed: bool | None) -> None:
        if agreed is not None:
            app.run_worker(_answer(app, offer, agreed), group="rematch", exclusive=True)

    app.push_screen(RematchAsked(offer), answered)


async def _answer(app: CapicuaApp, offer: RematchOffered, agreed: bool) -> None:
    client, page = app.client, app.page
    if client is None:
        return
    if not agreed:
        await decline(client, offer)
    elif answer := await page.attempt(client.rematch(offer.game_id)):
        if answer.table.game_id:
            app.open_table(answer.table.game_id)
        else:
            await app.back_to(Home)
            await app.push_screen(WaitingTable(answer.table))


async def follow_offers(app: CapicuaApp, client: Client) -> None:
    """Ask about each offer once as it comes, or only tell of it to whoever is engaged; the first page has them all."""
    told: set[str] = set()
    with suppress(Refused, Unreachable):
        async for offer in client.offers():
            app.fill_home()
            asking = [box for box in app.screen_stack if isinstance(box, GameEnd | RematchAsked)]
            known = [box for box in asking if box.game_id == offer.game_id]
            for box in known:
                if box.is_mounted:
                    box.tell(offer)
            if known or not offer.table_id or offer.table_id in told:
                continue
            told.add(offer.table_id)
            if any(isinstance(screen, Page) and screen.engaged for screen in app.screen_stack):
                app.notify(who_asks(offer), markup=False)
            else:
                ask(app, offer)
