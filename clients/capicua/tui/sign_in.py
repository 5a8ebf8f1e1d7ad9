"""The first page: under which name, and at which server."""

from __future__ import annotations

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Button, Checkbox, Input, Static

from capicua.client import Refused, Unreachable
from capicua.tui.home import Home
from capicua.tui.join import Join
from capicua.tui.page import Page
from capicua.tui.profile import DEFAULT_SERVER, OWN
from capicua.tui.tick import Tick
from capicua.tui.words import N_, _


class SignIn(Page):
    """Comes back by itself with what is remembered; asks where that does not do."""

    TITLE_TEXT = N_("Capicua: dominoes for everybody")

    def body(self) -> ComposeResult:
        profile = self.capicua.profile
        name = Input(profile.name, placeholder=_("1 to 20 letters or digits"), max_length=20, id="name")
        name.border_title = _("Your name")
        server = Input(profile.server, placeholder="127.0.0.1:7600", id="server")
        server.border_title = _("Server")
        yield name
        yield server
        yield Tick(_("Encrypted connection (TLS)"), profile.tls, id="tls")
        with Horizontal(classes="buttons"):
            yield Button(_("Sign in"), id="sign-in", variant="primary")
            yield Button(_("Start a server here"), id="own")
        yield Static(_("A server of your own is for you and bots: nobody else can reach it."), classes="hint")

    def on_mount(self) -> None:
        """Whoever was here before need not type anything, and whoever had a server here starts it with one key."""
        self.say("")
        if self.capicua.token:
            self.enter(self.capicua.token)
        elif OWN in self.capicua.profile.tokens and self.capicua.profile.server == DEFAULT_SERVER:
            self.query_one("#own").focus()

    @on(Input.Submitted)
    @on(Button.Pressed, "#sign-in")
    def _signed(self) -> None:
        server = self.query_one("#server", Input).value.strip()
        host, _colon, port = server.rpartition(":")
        if not (host and port.isdecimal() and int(port) <= 65535):
            self.say(_("This is no address. Write host and port, for example 127.0.0.1:7600."))
            return
        if not self._named():
            return
        profile = self.capicua.profile
        same = (profile.name, profile.server) == (self.query_one("#name", Input).value.strip(), server)
        profile.server, profile.tls = server, self.query_one("#tls", Checkbox).value
        self.enter(self.capicua.token if same else "")

    def _named(self) -> bool:
        """Whether there is a name at all, for which no server need be asked."""
        name = self.query_one("#name", Input)
        if not name.value.strip():
            self.say(_("This name cannot be used. Choose one of 1 to 20 letters or digits."))
            name.focus()
            return False
        return True

    @on(Button.Pressed, "#own")
    @work(exclusive=True, group="own")
    async def _own(self) -> None:
        if not self._named():
            return
        self.say(_("Your server is being started…"))
        try:
            if self.capicua.own is None:
                await self.capicua.start_own()
        except (OSError, RuntimeError):
            self.say(_("The server could not be started. Perhaps another one runs already: try 127.0.0.1:7600."))
            return
        self.enter(self.capicua.token)

    @work(exclusive=True, group="enter")
    async def enter(self, token: str) -> None:
        """Go to the home page, or say why not."""
        name = self.query_one("#name", Input).value.strip()
        self.say(_("Signing in…"))
        try:
            await self.capicua.enter(name, token)
        except (Refused, Unreachable) as failure:
            self.failed(failure)
            self.query_one("#own" if isinstance(failure, Unreachable) else "#name").focus()
            return
        self.say("")
        await self.app.push_screen(Home())
        if code := self.capicua.code:
            self.capicua.code = ""
            self.app.push_screen(Join(code))

    async def action_back(self) -> None:
        """There is no page before this one."""
        self.app.exit()
