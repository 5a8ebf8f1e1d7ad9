"""The full-screen client: who is signed in where, and which page is shown."""

from __future__ import annotations

import asyncio
import signal
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from os import environ
from pathlib import Path, PurePath
from typing import Any, ClassVar

from textual.app import App
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.filter import LineFilter, NoColor
from textual.reactive import reactive
from textual.screen import Screen

from capicua.cli.own_server import OwnServer
from capicua.client import Client, Connection, Refused, Superseded, Unauthenticated, Unreachable, connect
from capicua.tui import words
from capicua.tui.failure import sentence
from capicua.tui.home import Home
from capicua.tui.page import Page
from capicua.tui.plain import Plain, is_plain
from capicua.tui.profile import OWN, PlayedGame, Profile, usual_path
from capicua.tui.rematch import ask, follow_offers
from capicua.tui.sign_in import SignIn
from capicua.tui.words import N_, _


class CapicuaApp(App[None]):
    """Opened by `capicua`; begins where its user left off."""

    CSS_PATH: ClassVar[str | PurePath] = "style.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", N_("Quit"), show=False, priority=True)]
    reconnecting = reactive(False)
    """Whether the connection is lost and tried again by itself."""

    def __init__(
        self,
        path: Path | None = None,
        *,
        server: str = "",
        tls: bool = False,
        code: str = "",
        environment: Mapping[str, str] = environ,
    ) -> None:
        """Remember things in the file at `path`, by default that of the user.

        `server` is another than the one of last time, `tls` how to speak to it; `code` or link is that of a table to
        join at once.
        """
        super().__init__()
        self.path = path or usual_path()
        self.profile = Profile.load(self.path)
        if server:
            self.profile.server, self.profile.tls = server, False
        self.profile.tls |= tls
        self.code = code
        self.client: Client | None = None
        self.own: OwnServer | None = None
        self.environment = environment
        self._connected = AsyncExitStack()
        self._at_table: PlayedGame | None = None
        self.speak()

    @property
    def page(self) -> Page:
        """The page that is shown, perhaps under a box."""
        return next(page for page in reversed(self.screen_stack) if isinstance(page, Page))

    @property
    def server(self) -> str:
        """The address of the server."""
        return self.own.address if self.own else self.profile.server

    @property
    def games_here(self) -> list[PlayedGame]:
        """The remembered games of this server, newest first."""
        return [game for game in self.profile.games if game.server == self._server_key]

    @property
    def _server_key(self) -> str:
        return OWN if self.own else self.profile.server

    @property
    def plain(self) -> bool:
        """Whether nothing but ASCII may be shown."""
        return self.profile.ascii or is_plain(self.environment)

    @property
    def token(self) -> str:
        """What was signed in with last time; empty if never."""
        return self.profile.tokens.get(self._server_key, "")

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Colours and letters that the terminal or its user cannot see are taken away last."""
        own = [NoColor(self.no_color or not self.profile.colours), Plain(self.plain)]
        return [*super().get_line_filters(), *(chosen for chosen in own if chosen.enabled)]

    def speak(self) -> None:
        """Take the chosen language, or that of the locale; English where its letters cannot be shown."""
        language = self.profile.language or words.wanted(self.environment)
        words.speak("en" if self.plain and language in words.OTHER_LETTERS else language)

    async def restyle(self) -> None:
        """Show every page anew, after a change of language, colours or letters."""
        self.speak()
        self.remember()
        for page in self.screen_stack:
            if isinstance(page, Page):
                await page.restyle()
        self.refresh(layout=True)

    def remember(self) -> None:
        """Keep the profile; a folder that cannot be written is told of, and not in the way."""
        try:
            self.profile.save(self.path)
        except OSError:
            self.notify(
                _("Your settings could not be kept. Check the folder {folder}.").format(folder=self.path.parent)
            )

    def on_mount(self) -> None:
        """Begin."""
        self._heed_signals()
        self.begin()

    def begin(self) -> None:
        """Show the first page."""
        self.push_screen(SignIn())

    async def on_unmount(self) -> None:
        """Leave nothing open and nothing running."""
        await self.leave()
        if self.own:
            await asyncio.to_thread(self.own.__exit__, None, None, None)

    async def start_own(self) -> None:
        """Start a server of one's own, whose games stay; RuntimeError where it does not come up."""
        # Nobody else can come, so there is nobody to wait for.
        own = OwnServer(["--bot-fill", "1"], self.path.with_name("own"))
        self._heed_signals()
        await asyncio.to_thread(own.__enter__)
        self.own = own
        self.run_worker(self._keep_own(own), group="own server", exclusive=True)

    async def _keep_own(self, own: OwnServer) -> None:
        """Nobody else starts it again; who plays there comes back by themselves."""
        while await asyncio.to_thread(own.wait):
            self.notify(_("Your server has stopped and is started again; games go on."))
            try:
                await asyncio.to_thread(own.start_again)
            except (OSError, RuntimeError):
                self.own = None
                self.sign_out(_("Your server has stopped. Start it again here, or sign in at another."))
                return

    async def enter(self, name: str, token: str = "") -> None:
        """Sign in, or come back with `token`; raises Refused and Unreachable."""
        await self.leave()
        stack = AsyncExitStack()
        try:
            client = await stack.enter_async_context(
                connect(
                    self.server,
                    name=name,
                    token=token,
                    tls=self.profile.tls and not self.own,
                    patience=None,
                    seeds=True,
                )
            )
            # This asks whether the token is still good, and who it is.
            client.player_id = (await client.rating("block")).rating.player_id
        except BaseException:
            await stack.aclose()
            raise
        self.client, self._connected = client, stack
        self.profile.name = name
        self.profile.tokens[self._server_key] = client.token
        self.remember()
        self.run_worker(self._follow_seats(client), group="seats", exclusive=True)
        self.run_worker(follow_offers(self, client), group="offers", exclusive=True)
        self.run_worker(self._follow_connection(client), group="connection", exclusive=True)

    async def leave(self) -> None:
        """Sign out, if anybody is signed in."""
        self.client = None
        self.reconnecting = False
        stack, self._connected = self._connected, AsyncExitStack()
        await stack.aclose()

    def signed_out_by(self, failure: Exception) -> bool:
        """Back to the first page, with a reason, if that is what `failure` means."""
        if not isinstance(failure, Superseded | Unauthenticated):
            return False
        if isinstance(failure, Unauthenticated):
            self.profile.tokens.pop(self._server_key, None)
            self.remember()
        self.sign_out(sentence(failure, self.server))
        return True

    def sign_out(self, why: str = "") -> None:
        """Back to the first page, to come in under another name or elsewhere; `why` is said there."""
        self.run_worker(self._sign_out(why), group="sign out", exclusive=True)

    async def _sign_out(self, why: str) -> None:
        # The pages first: they cannot do without a client.
        await self.back_to(SignIn)
        await self.leave()
        page = self.screen
        assert isinstance(page, SignIn)
        page.say(why)

    async def back_to(self, kind: type[Page]) -> None:
        """Close the pages over the one of this kind, which is open."""
        while not isinstance(self.screen, kind):
            await self.pop_screen()

    def open_table(self, game_id: str, *, watching: bool = False) -> None:
        """Show a game in place of the pages over Home; where that fails, the page that is shown says why."""
        # No page may wait for this: it would wait for its own end.
        self.run_worker(self._open_table(game_id, watching=watching), group="table", exclusive=True)

    async def _open_table(self, game_id: str, *, watching: bool) -> None:
        from capicua.tui.table_screen import TableScreen

        assert self.client is not None
        played = None
        if not watching:
            if (view := await self.page.attempt(self.client.view(game_id))) is None:
                return
            names = [seat.name for seat in view.seats]
            game = PlayedGame(game_id, self._server_key, view.options.variant, int(time.time()), names)
            played = self.profile.began(game)
            self.remember()
        await self.back_to(Home)
        # One may come from a table: to its rematch.
        await self.left_table()
        await self.push_screen(TableScreen(self.client, game_id, watching=watching))
        self._at_table = played

    def fill_home(self) -> None:
        """Show on the first page what waits for the player."""
        for page in self.screen_stack:
            if isinstance(page, Home) and page.is_mounted:
                page.fill()

    def ask_rematch(self) -> None:
        """Ask about the newest offer of a rematch that stands."""
        if self.client is not None and (offers := self.client.standing_offers):
            ask(self, offers[-1])

    async def left_table(self) -> None:
        """Keep how the game stands that was just left, as far as the server tells it."""
        if self._at_table is None or self.client is None or not isinstance(self.screen, Home):
            return
        game, self._at_table = self._at_table, None
        with suppress(Refused, Unreachable):
            game.left(await self.client.view(game.game_id))
            self.remember()

    async def _follow_seats(self, client: Client) -> None:
        try:
            async for _seat in client.seats():
                self.fill_home()
        except (Refused, Unreachable) as failure:
            if client is self.client:
                self.signed_out_by(failure)

    async def _follow_connection(self, client: Client) -> None:
        with suppress(Refused, Unreachable):
            async for state in client.connections():
                self.reconnecting = client is self.client and state is Connection.RECONNECTING

    def pop_screen(self) -> AwaitComplete:
        """Close the page on top; what it still waits for may not find half of it."""
        self.workers.cancel_node(self.screen)
        return super().pop_screen()

    def switch_screen(self, screen: Screen[Any] | str) -> AwaitComplete:
        """Put another page in place of the one on top, which is closed likewise."""
        self.workers.cancel_node(self.screen)
        return super().switch_screen(screen)

    async def _shutdown(self) -> None:
        # All pages are closed here, and what they still wait for may not find half of them either.
        self.workers.cancel_all()
        await super()._shutdown()

    def action_help_quit(self) -> None:
        """Ctrl+C quits other programs: say what does here."""
        self.notify(_("Ctrl+Q quits; in a game the server then plays for you."))

    def _heed_signals(self) -> None:
        # Who is ended from outside must still give the terminal back, and stop the own server.
        with suppress(NotImplementedError):
            for number in (signal.SIGTERM, signal.SIGHUP):
                asyncio.get_running_loop().add_signal_handler(number, self.exit)

    def _fatal_error(self) -> None:
        if self.is_headless:
            super()._fatal_error()
            return
        # A person is told what to do; whoever mends it needs the rest.
        log = self.path.with_name("failure.log")
        with suppress(OSError):
            log.write_text(traceback.format_exc())
        told = _("Something unexpected went wrong; {file} says what. Please start Capicua again.").format(file=log)
        self._exit_renderables.append(told)
        self._close_messages_no_wait()
