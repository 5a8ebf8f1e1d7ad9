"""What clients saw and sent: kept by them, judged by the checker."""

from __future__ import annotations

from dataclasses import dataclass, field

from capicua.api.v1.types_pb2 import Play
from capicua.api.v1.update_pb2 import Reset, Update


@dataclass
class Sent:
    """One command of a client, and every answer that came for it, in order of arrival."""

    request_id: str
    """"" where the client does not know it, for the SDK makes it."""
    expected_seq: int
    play: Play | None
    """None where the player quits."""
    accepted: list[int] = field(default_factory=list)
    """The seqs of acceptances."""
    refused: list[int] = field(default_factory=list)
    """The reasons (`ErrorReason`) of refusals."""
    held_back: bool = False
    """Whether the player had the turn and waited for its end."""


@dataclass
class Transcript:
    """All that one viewer was shown of one game, and all that it sent."""

    game_id: str
    player_id: str = ""
    """Empty for a spectator."""
    shown: list[Update | Reset] = field(default_factory=list)
    sent: list[Sent] = field(default_factory=list)
    followed: bool = False
    """Whether the viewer looked on until it was told that the game is over."""

    def show(self, item: Update | Reset) -> None:
        """Keep what has just arrived."""
        kept = type(item)()
        kept.CopyFrom(item)  # type: ignore[arg-type]
        self.shown.append(kept)
