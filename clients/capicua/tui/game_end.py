"""The end of a game: the result, the last hands, and where to go from here."""

from __future__ import annotations

from contextlib import suppress
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Button, Static

from capicua.api.v1.table_service_pb2 import Table
from capicua.api.v1.update_pb2 import RematchOffered, RoundEnded, View
from capicua.client import Client, Refused, Unreachable
from capicua.tui.dialog import Dialog, button
from capicua.tui.failure import sentence
from capicua.tui.names import side_of
from capicua.tui.round_end import tell_round, tell_scores
from capicua.tui.telling import who_won
from capicua.tui.tick import Tick
from capicua.tui.words import _, isolated


class GameEnd(Dialog[bool | Table]):
    """Gives True if the table is to be left, the table of a rematch, or False to look at the last layout."""

    # Who is about to play when the game ends must not decide anything by that.
    AUTO_FOCUS: ClassVar[str] = "#look"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "press('rematch')", show=False),
        Binding("d", "press('decline')", show=False),
        Binding("t", "turn", show=False),
        Binding("q", "press('leave')", show=False),
        Binding("p", "press('replay')", show=False),
    ]

    def __init__(self, client: Client, view: View, ended: RoundEnded | None, server: str) -> None:
        """`ended` is how the last round ended, where that was seen; `server` the address of the client's server."""
        super().__init__()
        self._server = server
        self._client = client
        self._view = View()
        self._view.CopyFrom(view)
        self._ended = ended
        self._offer = RematchOffered()

    @property
    def game_id(self) -> str:
        """Of the game that is over."""
        return self._view.game_id

    def compose(self) -> ComposeResult:
        view = self._view
        with VerticalScroll():
            yield Static(self._heading(), classes="heading", markup=False)
            yield Static(who_won(view), markup=False)
            for line in tell_round(view, self._ended) if self._ended else tell_scores(view):
                yield Static(line, markup=False)
            yield Static("", id="offer", markup=False)
            yield Tick(_("everybody moves on by one seat") + " (t)", id="turned")
            yield Static("", id="failed", markup=False)
            with Horizontal(classes="buttons"):
                if view.HasField("own_seat"):
                    yield button(_("Rematch"), "rematch", "r")
                    yield button(_("Decline"), "decline", "d")
                yield button(_("Leave"), "leave", "q")
                yield button(_("Replay"), "replay", "p")
                yield button(_("Table"), "look", "Esc")

    def _heading(self) -> str:
        view = self._view
        if not view.HasField("own_seat"):
            return _("The game is over")
        return _("You win!") if view.winner_side == side_of(view, view.own_seat) else _("You lose this time")

    def on_mount(self) -> None:
        """Somebody may want a rematch already."""
        standing = (offer for offer in self._client.standing_offers if offer.game_id == self.game_id)
        self.tell(next(standing, RematchOffered()))

    def tell(self, offer: RematchOffered) -> None:
        """Show who asks, and what can be answered; how the seats turn is for the first who asks."""
        self._offer = offer
        told = who_asks(offer)
        line = self.query_one("#offer", Static)
        line.update(told)
        line.display = bool(told)
        self.query("#decline").set(display=bool(told))
        # Two sit opposite each other either way.
        may_turn = self._view.HasField("own_seat") and len(self._view.seats) > 2
        self.query_one("#turned").display = may_turn and not told

    def action_turn(self) -> None:
        """The same seats, or not."""
        tick = self.query_one("#turned", Tick)
        if tick.display:
            tick.toggle()

    @on(Button.Pressed, "#rematch")
    @work(exclusive=True, group="rematch")
    async def rematch(self) -> None:
        """Ask for another game with the same people, or agree to one."""
        try:
            turned = self.query_one("#turned", Tick).value
            answer = await self._client.rematch(self.game_id, turned=turned)
        except (Refused, Unreachable) as failure:
            self._failed(failure)
        else:
            self.dismiss(answer.table)

    def _failed(self, failure: Refused | Unreachable) -> None:
        self.query_one("#failed", Static).update(sentence(failure, self._server))

    @on(Button.Pressed, "#decline")
    @work(exclusive=True, group="rematch")
    async def decline(self) -> None:
        """No rematch; the page stays."""
        await decline(self._client, self._offer)

    @on(Button.Pressed, "#leave")
    def leave(self) -> None:
        """Away from the table; who asks for a rematch need not wait."""
        self.app.run_worker(decline(self._client, self._offer))
        self.dismiss(True)

    @on(Button.Pressed, "#look")
    def look(self) -> None:
        """Back to the table as it was at the end."""
        self.dismiss(False)

    @on(Button.Pressed, "#replay")
    async def replay(self) -> None:
        """The whole game again, with all hands."""
        from capicua.tui.replay_screen import ReplayScreen

        try:
            record = await self._client.record(self.game_id)
        except (Refused, Unreachable) as failure:
            self._failed(failure)
            return
        self.app.push_screen(ReplayScreen(record))


def who_asks(offer: RematchOffered) -> str:
    """Who waits for the answer; empty where nobody does any more."""
    if not offer.table_id:
        return ""
    names = ", ".join(isolated(seat.name) for seat in offer.agreed)
    return _("Wants a rematch: {names}").format(names=names)


async def decline(client: Client, offer: RematchOffered) -> None:
    """Say no to an offer, if there is one; who cannot be told finds the seat empty."""
    if offer.table_id:
        with suppress(Refused, Unreachable):
            await client.leave_table(offer.table_id)
