"""A replay without signing in anywhere."""

from __future__ import annotations

from pathlib import Path

from capicua.tui.app import CapicuaApp
from capicua.tui.replay_screen import ReplayScreen


class ReplayApp(CapicuaApp):
    """Shows one record, and ends with it."""

    def __init__(self, record: str, path: Path | None = None) -> None:
        """`record` is in text notation; `path` is that of the profile. Raises NotationError as ReplayScreen does."""
        super().__init__(path)
        self._page = ReplayScreen(record)

    def begin(self) -> None:
        """The record, and nothing before it."""
        self.push_screen(self._page, lambda _: self.exit())
