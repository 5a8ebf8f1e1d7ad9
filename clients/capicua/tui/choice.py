"""What the player is about to play: which tile, and then where."""

from __future__ import annotations

from collections.abc import Sequence

from capicua.api.v1.types_pb2 import Play, Tile
from capicua.api.v1.update_pb2 import View
from capicua.tui.hand import places, playable

SIDES = {"left": "L", "right": "R", "up": "U", "down": "D"}
"""The end of a line that an arrow key means."""


class Choice:
    """Moved by keys and clicks; what they decide is given back as a play."""

    def __init__(self) -> None:
        self.view = View()
        self.tile: Tile | None = None
        self.where: Sequence[Play] = ()
        """The places to choose from; empty while the tile is not settled."""

    def offer(self, view: View) -> None:
        """The game has gone on: keep what was chosen, if it can still be played."""
        self.view = view
        tiles = playable(view)
        if self.tile not in tiles:
            self.tile, self.where = (tiles[0] if tiles else None), ()
        if len(tiles) == 1 or self.where:
            self._settle()

    def take(self, tile: Tile) -> Play | None:
        """A tile was clicked: it is played if there is one place for it."""
        if tile not in playable(self.view):
            return None
        self.tile = tile
        return self.enter()

    def enter(self) -> Play | None:
        """Play the tile if there is one place for it, else ask where."""
        if self.tile is None:
            return None
        found = places(self.view, self.tile)
        if len(found) == 1:
            return found[0]
        self._settle()
        return None

    def number(self, number: int) -> Play | None:
        """The place, or else the playable tile, with this number from 1."""
        if self.where:
            return self.where[number - 1] if number <= len(self.where) else None
        tiles = playable(self.view)
        if number <= len(tiles):
            self.tile = tiles[number - 1]
            self._settle()
        return None

    def has(self, number: int) -> bool:
        """Whether a place, or else a playable tile, has this number from 1."""
        return number <= len(self.where or playable(self.view))

    def arrow(self, key: str) -> Play | None:
        """The side, where that is asked; else the next playable tile that way."""
        if self.where:
            return self.at(SIDES[key])
        tiles = playable(self.view)
        if self.tile in tiles:
            step = 1 if key in ("right", "down") else -1
            self.tile = tiles[(tiles.index(self.tile) + step) % len(tiles)]
        return None

    def at(self, end: str) -> Play | None:
        """The chosen tile at this end, if it may go there."""
        found = places(self.view, self.tile) if self.tile is not None else []
        return next((play for play in found if play.end == end), None)

    def back(self) -> bool:
        """Choose the tile again; False if there is nothing to go back to."""
        if not self.where or len(playable(self.view)) == 1:
            return False
        self.where = ()
        return True

    def _settle(self) -> None:
        found = places(self.view, self.tile) if self.tile is not None else []
        self.where = found if len(found) > 1 else ()
