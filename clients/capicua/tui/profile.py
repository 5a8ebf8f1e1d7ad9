"""What the client remembers of its user: name, servers with their tokens, tastes, and the games played."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec
import platformdirs

from capicua.api.v1.types_pb2 import GAME_STATE_FINISHED
from capicua.api.v1.update_pb2 import View

DEFAULT_SERVER = "127.0.0.1:7600"
OWN = "own"
"""The name of the own server among the remembered ones: its address is another each time."""
GAMES_KEPT = 200
Tiles = Literal["boxes", "unicode"]


class PlayedGame(msgspec.Struct):
    """A game that was played from here."""

    game_id: str
    server: str
    variant: str
    begun: int
    """Unix seconds."""
    names: list[str] = []
    """Who played, by seat: those who began the game, though a bot may play for one who quit."""
    scores: list[int] = []
    """Of each side, as they stood when the game was left."""
    finished: bool = False
    won: bool = False

    def left(self, view: View) -> None:
        """Keep how the game stands, as its player left it."""
        known = self.names or [""] * len(view.seats)
        self.names = [
            before if seat.quit and before else seat.name for before, seat in zip(known, view.seats, strict=True)
        ]
        self.scores = list(view.scores)
        self.finished = view.state == GAME_STATE_FINISHED
        own_side = view.own_seat % 2 if view.pairs else view.own_seat
        self.won = self.finished and view.HasField("own_seat") and view.winner_side == own_side


class Profile(msgspec.Struct):
    """Remembered in one file of the user's; what is no profile any more is begun anew.

    `language` is empty while it follows the locale. `tokens` are by server.
    """

    name: str = ""
    server: str = DEFAULT_SERVER
    tls: bool = False
    language: str = ""
    colours: bool = True
    ascii: bool = False
    """No letters but ASCII, though the terminal may know more."""
    tiles: Tiles = "boxes"
    variant: str = "block_rounds"
    tokens: dict[str, str] = {}
    games: list[PlayedGame] = []

    @classmethod
    def load(cls, path: Path) -> Profile:
        """The profile in the file, or a new one."""
        with suppress(OSError, msgspec.MsgspecError):
            return msgspec.json.decode(path.read_bytes(), type=cls)
        return cls()

    def save(self, path: Path) -> None:
        """Write it so that only the user may read it, whole or not at all; OSError where that cannot be."""
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(self)))
        fresh.replace(path)

    def began(self, game: PlayedGame) -> PlayedGame:
        """Remember a game as the newest, once; gives it as it is remembered."""
        known = next((old for old in self.games if old.game_id == game.game_id), game)
        self.games = [known, *(old for old in self.games if old is not known)][:GAMES_KEPT]
        return known


def usual_path() -> Path:
    """Where the profile of this user is."""
    return Path(platformdirs.user_data_dir("capicua")) / "profile.json"
