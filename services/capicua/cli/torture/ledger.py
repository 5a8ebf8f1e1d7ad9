"""Counting the tiles of a game over the events of its log, without the engine."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from math import isqrt
from typing import NamedTuple

from capicua.api.v1.types_pb2 import Tile
from capicua.cli.torture.violation import Kind, Violation
from capicua.log.v1.entry_pb2 import Entry, Event, RoundStarted, Seal

Pips = tuple[int, int]
"""A tile as (high, low)."""


def pips(stored: int) -> Pips:
    """The tile of a stored byte, which is high * (high + 1) / 2 + low."""
    high = (isqrt(8 * stored + 1) - 1) // 2
    return high, stored - high * (high + 1) // 2


def shown_pips(tile: Tile) -> Pips:
    """The tile of a public message."""
    return tile.high, tile.low


class Standing(NamedTuple):
    """Where the tiles are after an event; `open` are those that everybody may know."""

    hands: tuple[frozenset[Pips], ...] = ()
    boneyard: tuple[Pips, ...] = ()
    layout: tuple[Pips, ...] = ()
    open: frozenset[Pips] = frozenset()
    turn: int | None = None


class Ledger:
    """One game. `events` and `standings` are by seq, both from 1; `violations` are what is wrong with the log alone."""

    def __init__(self, game_id: str, log: Sequence[tuple[int, Entry]]) -> None:
        self.game_id = game_id
        self.log = log
        self.events: list[Event] = [Event()]
        self.standings = [Standing()]
        self.violations: list[Violation] = []
        self.players: list[str] = []
        """By seat, who began the game there."""
        self.left: dict[int, int] = {}
        """By seat, the seq at which that player quit."""
        self.seeds: set[bytes] = set()
        """The server's own, which nobody may see before the game is over."""
        self._tiles = 0
        epoch = 0
        for first_seq, entry in log:
            if first_seq != len(self.events):
                self._bad(Kind.GAP, f"the log has {first_seq} after {len(self.events) - 1}")
            if entry.epoch < epoch:
                self._bad(Kind.EPOCH, f"entry {first_seq} is of epoch {entry.epoch}, the one before of {epoch}")
            epoch = entry.epoch
            for event in entry.events:
                self._take(event)
        if not log or self.events[-1].WhichOneof("event") != "game_ended":
            self._bad(Kind.UNENDED, f"the log ends at {self.last_seq} without an end of the game")

    @property
    def last_seq(self) -> int:
        """Seq of the last event."""
        return len(self.events) - 1

    def seat_of(self, player_id: str, seq: int) -> int | None:
        """The seat from which a player sees the event `seq`; None for a spectator, as is who has quit."""
        seat = self.players.index(player_id) if player_id in self.players else None
        return None if seat is None or self.left.get(seat, seq + 1) <= seq else seat

    def has_quit(self, player_id: str) -> bool:
        """Whether the player had a seat and left it for good."""
        return player_id in self.players and self.seat_of(player_id, self.last_seq) is None

    def _bad(self, kind: Kind, what: str) -> None:
        self.violations.append(Violation(kind, self.game_id, what))

    def _keep_secret(self, seal: Seal) -> None:
        if seal.seed:
            self.seeds.add(seal.seed)

    def _take(self, event: Event) -> None:
        kind, before, seq = event.WhichOneof("event"), self.standings[-1], len(self.events)
        if self.events[-1].WhichOneof("event") == "game_ended":
            self._bad(Kind.UNENDED, f"{kind} at {seq}, after the end of the game")
        for fault, what in _turn_faults(before, event):
            self._bad(fault, f"{what}, at {seq}")
        match kind:
            case "game_started":
                self.players = [player.player_id for player in event.game_started.players]
                self._keep_secret(event.game_started.seal)
                highest = json.loads(event.game_started.parameters_json)["set"]
                self._tiles = (highest + 1) * (highest + 2) // 2
                after = before
            case "round_started":
                after = _dealt(event.round_started)
                self._keep_secret(event.round_started.next_seal)
                dealt = event.round_started
                stored = [*b"".join(dealt.hands), *dealt.boneyard]
                if dealt.HasField("engine_tile"):
                    stored.append(dealt.engine_tile)
                if sorted(stored) != list(range(self._tiles)):
                    self._bad(Kind.TILES, f"the deal at {seq} is no permutation of the tiles")
            case "seat_quit":
                seat = event.seat_quit.seat
                if seat in self.left:
                    self._bad(Kind.DOUBLED, f"seat {seat} was left at {self.left[seat]} and again at {seq}")
                self.left[seat] = seq
                after = before
            case "turn_started":
                after = before._replace(turn=event.turn_started.seat)
            case "tile_played":
                tile, seat = pips(event.tile_played.tile), event.tile_played.seat
                if tile not in before.hands[seat]:
                    self._bad(Kind.TILES, f"seat {seat} played {tile} at {seq} without holding it")
                after = _moved(before, seat, before.hands[seat] - {tile})
                after = after._replace(layout=(*before.layout, tile), open=before.open | {tile}, turn=None)
            case "tile_drawn":
                tile, seat = pips(event.tile_drawn.tile), event.tile_drawn.seat
                if before.boneyard[:1] != (tile,):
                    self._bad(Kind.TILES, f"seat {seat} drew {tile} at {seq}, which does not come next")
                after = _moved(before, seat, before.hands[seat] | {tile})._replace(boneyard=before.boneyard[1:])
            case "round_ended":
                revealed = tuple(frozenset(map(pips, hand)) for hand in event.round_ended.revealed)
                if revealed != before.hands:
                    self._bad(Kind.TILES, f"the hands revealed at {seq} are not those that were held")
                after = before._replace(open=before.open.union(*revealed))
            case _:
                after = before
        self.events.append(event)
        self.standings.append(after)


def _dealt(event: RoundStarted) -> Standing:
    engine = frozenset({pips(event.engine_tile)} if event.HasField("engine_tile") else ())
    hands = tuple(frozenset(map(pips, hand)) for hand in event.hands)
    return Standing(hands, tuple(map(pips, event.boneyard)), (), engine)


def _moved(standing: Standing, seat: int, hand: frozenset[Pips]) -> Standing:
    return standing._replace(hands=(*standing.hands[:seat], hand, *standing.hands[seat + 1 :]))


def _turn_faults(before: Standing, event: Event) -> Iterator[tuple[Kind, str]]:
    """A turn that was told of ends by a play of its seat. Seats that cannot play pass without being asked."""
    kind, turn = event.WhichOneof("event"), before.turn
    if kind == "tile_played" and event.tile_played.seat != turn:
        yield Kind.TURN, f"seat {event.tile_played.seat} played in the turn of {turn}"
    elif kind == "clock_restored" and turn is None:
        yield Kind.TURN, "the clock of nobody was restored"
    elif kind not in ("tile_played", "clock_restored", "seed_given", "seat_quit") and turn is not None:
        yield Kind.TURN, f"{kind} in the turn of seat {turn}"
