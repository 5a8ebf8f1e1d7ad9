"""What one viewer saw of the deals of a game while they were made."""

from __future__ import annotations

from collections import defaultdict

from capicua.api.v1.types_pb2 import GAME_STATE_FINISHED, Tile
from capicua.api.v1.update_pb2 import Reset, RoundStarted, Update


class Witness:
    """Kept by a Game as its frames arrive; `verify` holds the record of the game against it.

    It knows of the rounds that were begun while it looked, and of no others.
    """

    def __init__(self) -> None:
        self.seat: int | None = None
        """The own seat, also after it was left; None for a spectator."""
        self.commitments: dict[int, bytes] = {}
        """By round, as they were shown before the deal."""
        self.deals: dict[int, RoundStarted] = {}
        self.held: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
        """By round and seat, tiles that the seat was seen to hold, draw or play."""
        self.seeds: dict[int, bytes] = {}
        """By round, the own seeds that the server accepted."""
        self._round = 0
        self._next = 0

    @property
    def next_round(self) -> int | None:
        """The round of the next deal, for which the server has committed to a seed; None if it has not."""
        return self._next or None

    def take(self, item: Update | Reset) -> None:
        """Learn from a frame; each is taken once, in order."""
        if isinstance(item, Reset):
            view = item.view
            self._round = view.round
            if view.HasField("own_seat"):
                # Whoever has left it since was dealt its tiles all the same.
                self.seat = view.own_seat
            over = view.state == GAME_STATE_FINISHED
            self._committed(view.round + 1, b"" if over else view.next_commitment)
            for tile in view.hand:
                self._saw(view.round, view.own_seat, tile)
            for placed in view.layout:
                self._saw(view.round, placed.seat, placed.play.tile)
            return
        match item.WhichOneof("event"):
            case "game_started":
                self._committed(1, item.game_started.next_commitment)
            case "round_started":
                dealt = item.round_started
                # The first of two counts: a deal that is taken back and made again is no fair one.
                self.deals.setdefault(dealt.round, dealt)
                self._round = dealt.round
                self._committed(dealt.round + 1, dealt.next_commitment)
                for tile in dealt.hand:
                    self._saw(dealt.round, self.seat, tile)
            case "tile_played":
                self._saw(self._round, item.tile_played.seat, item.tile_played.play.tile)
            case "tile_drawn" if item.tile_drawn.HasField("tile"):
                self._saw(self._round, item.tile_drawn.seat, item.tile_drawn.tile)
            case "round_ended":
                for seat, hand in enumerate(item.round_ended.hands):
                    for tile in hand.tiles:
                        self._saw(item.round_ended.round, seat, tile)
            case "game_ended":
                self._next = 0

    def _committed(self, round: int, commitment: bytes) -> None:
        self._next = round if commitment else 0
        if commitment:
            self.commitments.setdefault(round, commitment)

    def _saw(self, round: int, seat: int | None, tile: Tile) -> None:
        if seat is not None:
            self.held[round][seat].add(tile.high * (tile.high + 1) // 2 + tile.low)
