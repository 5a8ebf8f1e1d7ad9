"""The full-screen client in this process, on a terminal that a test can read and type into."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual.app import App
from textual.pilot import Pilot

from capicua.tui.app import CapicuaApp
from kit.eventually import eventually

SMALL, LARGE = (80, 24), (120, 40)


def text(app: App[None]) -> str:
    """What the terminal shows."""
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())


async def shows(pilot: Pilot[None], what: str, within: float = 20.0) -> None:
    """Wait until the terminal shows `what`; AssertionError with what it shows instead."""
    try:
        await eventually(lambda: what in text(pilot.app), within)
    except AssertionError:
        raise AssertionError(f"{what!r} is not shown:\n{text(pilot.app)}") from None


@asynccontextmanager
async def opened(
    folder: Path, server: str, *, language: str = "en", size: tuple[int, int] = SMALL, code: str = ""
) -> AsyncIterator[Pilot[None]]:
    """The client as it is opened by a person whose profile is in `folder`."""
    environment = {"LANG": f"{language}.UTF-8"}
    app = CapicuaApp(folder / "profile.json", server=server, code=code, environment=environment)
    async with app.run_test(size=size) as pilot:
        yield pilot


@asynccontextmanager
async def at_home(
    folder: Path, server: str, *, name: str = "Ana", language: str = "en", size: tuple[int, int] = SMALL
) -> AsyncIterator[Pilot[None]]:
    """The client of somebody new who has signed in."""
    async with opened(folder, server, language=language, size=size) as pilot:
        await pilot.press(*name, "enter")
        await shows(pilot, " 1  ")
        yield pilot
