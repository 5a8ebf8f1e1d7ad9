"""The full-screen client at a table of a real server in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Static

from capicua.api.v1.types_pb2 import Seat
from capicua.client import Client, connect
from capicua.tui import app
from capicua.tui.app import CapicuaApp
from capicua.tui.home import Home
from capicua.tui.page import Page
from capicua.tui.rematch import follow_offers
from capicua.tui.sign_in import SignIn
from capicua.tui.table import Table
from kit.eventually import eventually
from kit.gateway import ServerHere


class AppAt(CapicuaApp):
    """The app with one page, as if its user had come that far."""

    CSS_PATH = Path(app.__file__).with_name("style.tcss")

    def __init__(self, folder: Path, page: Page, language: str = "en", client: Client | None = None) -> None:
        """`client` is the one whose connection the page tells of."""
        super().__init__(folder / "profile.json", environment={"LC_ALL": f"{language}.UTF-8"})
        self._page = page
        self.client = client

    def begin(self) -> None:
        """Straight to the page, which lies over the first ones of whoever is signed in."""
        if self.client is not None:
            self.push_screen(SignIn())
            self.push_screen(Home())
        self.push_screen(self._page)
        if self.client is not None:
            self.run_worker(self._follow_connection(self.client))
            self.run_worker(follow_offers(self, self.client))


@asynccontextmanager
async def client_of(server: ServerHere, seat: int, address: str = "") -> AsyncIterator[Client]:
    """The player of a seat of `Actor.start`, signed in; a spectator for a seat that is not there.

    `address` is another way to the server than the straight one.
    """
    token = server.tokens.sign(Seat(player_id=f"p-{seat}", name=f"Player {seat}"))
    async with connect(address or server.address, token=token) as client:
        yield client


async def soon(true: Callable[[], bool]) -> None:
    """`eventually`, with the patience that a screen needs on a busy machine."""
    await eventually(true, 20)


def shown(pilot: Pilot[None], part: str = "") -> str:
    """The text of a part of the table, for example "chain"; of all that the top screen shows without."""
    if part:
        return str(pilot.app.screen.query_one(Table).query_one(f"#{part}", Static).render())
    return "\n".join(str(widget.render()) for widget in pilot.app.screen.query(Static))
