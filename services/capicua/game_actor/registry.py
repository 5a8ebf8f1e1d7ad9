"""The running games of this process, all in memory, and who sits where."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from functools import partial

import structlog

from capicua.api.v1.game_service_pb2 import GameSummary, ListGamesRequest
from capicua.api.v1.table_service_pb2 import LobbyEntry
from capicua.engine import GameState
from capicua.game_actor import api_codec
from capicua.game_actor.archivist import Archivist
from capicua.game_actor.figures import Figures
from capicua.game_actor.game import Game
from capicua.game_actor.players import seats_at
from capicua.internal.v1.game_actor_service_pb2 import GetStatsResponse, PlayerSeat
from capicua.log.v1 import entry_pb2 as log
from capicua.runtime.clock import Clock
from capicua.runtime.listing import Listing
from capicua.runtime.ports import ListedTold, SeatListener, Timer
from capicua.runtime.shard import shard_of
from capicua.store.archive import Archive
from capicua.store.store import Store

logger = structlog.get_logger()

DEFAULT_PAGE = 20
RELIST_SECONDS = 1.0
"""The lobby is told of changes of live games this often; of their beginnings and ends at once."""


class Registry:
    """Games by id. A game is here from its creation or take-over until it ends or is lost."""

    def __init__(self, store: Store, archive: Archive | None, timer: Timer, clock: Clock) -> None:
        self.store = store
        self.archive = archive
        self.archivist = Archivist(store, archive)
        self.clock = clock
        self.figures = Figures()
        self.epochs: dict[int, int] = {}
        """The epoch of each shard that is ours and loaded."""
        self._timer = timer
        self._games: dict[str, Game] = {}
        self._by_shard: dict[int, dict[str, Game]] = defaultdict(dict)
        self._seated: dict[str, dict[str, PlayerSeat]] = defaultdict(dict)
        """By player and game."""
        self._sitting: defaultdict[str, set[str]] = defaultdict(set)
        """Players by game."""
        self._listeners: list[SeatListener] = []
        self.listing = Listing()
        self._changed: set[Game] = set()

    def __len__(self) -> int:
        return len(self._games)

    def get(self, game_id: str) -> Game | None:
        """The running game with this id."""
        return self._games.get(game_id)

    def epoch_of(self, game_id: str) -> int | None:
        """The epoch with which this process writes the game; None if another one does, or nobody yet."""
        return self.epochs.get(shard_of(game_id))

    def of_shard(self, shard: int) -> list[Game]:
        """The running games of a shard."""
        return list(self._by_shard.get(shard, {}).values())

    def new_game(self, game_id: str, facts: log.GameStarted, state: GameState, epoch: int, generation: int) -> Game:
        """A game whose log this process writes from now on; it is not listed before `add`.

        `generation` is the store's, asked before the log was read or begun.
        """
        return Game(
            game_id,
            facts,
            state,
            store=self.store,
            timer=self._timer,
            clock=self.clock,
            epoch=epoch,
            generation=generation,
            figures=self.figures,
            on_round=self.relist,
            on_seats=self._reseat,
            on_end=self._end,
            on_lost=self._remove,
            reachable=self._reachable,
        )

    def _reachable(self) -> bool:
        """Whether anybody at all watches one of these games."""
        return any(len(game.audience) for game in self._games.values())

    def add(self, game: Game) -> None:
        """List the game and tell of its seats."""
        self._games[game.game_id] = self._by_shard[shard_of(game.game_id)][game.game_id] = game
        game.arm()
        game.audience.presence.expect(range(game.state.seats))
        self._list(game)
        self._reseat(game)

    def _reseat(self, game: Game) -> None:
        """Know who sits there now, and tell of those who did not before."""
        if self._games.get(game.game_id) is not game:
            return
        seats, before = seats_at(game.facts, game.state), self._sitting[game.game_id]
        for player_id in before - seats.keys():
            self._unseat(player_id, game.game_id)
        self._sitting[game.game_id] = set(seats)
        if before:
            self.relist(game)
        for player_id in [player_id for player_id in seats if player_id not in before]:
            held = PlayerSeat(
                game_id=game.game_id, seat=seats[player_id], table_id=game.facts.table_id, player_id=player_id
            )
            self._seated[player_id][game.game_id] = held
            for listener in self._listeners:
                listener(held)

    def _unseat(self, player_id: str, game_id: str) -> None:
        seats = self._seated[player_id]
        del seats[game_id]
        if not seats:
            del self._seated[player_id]

    def on_seat(self, listener: SeatListener) -> None:
        """Call `listener` for each seat of each game that is added, and for each that gets another player."""
        self._listeners.append(listener)

    def seats(self) -> list[PlayerSeat]:
        """Every seat of every running game."""
        return [seat for held in self._seated.values() for seat in held.values()]

    async def seats_of(self, player_id: str) -> list[PlayerSeat]:
        """Every seat the player holds in a running game."""
        return list(self._seated.get(player_id, {}).values())

    async def live_games(self, request: ListGamesRequest) -> list[GameSummary]:
        """Public games that are being played, newest first."""
        page: list[GameSummary] = []
        for game in reversed(self._games.values()):
            if _open(game) and request.variant in ("", game.facts.variant):
                page.append(_summary(game))
                if len(page) == (request.page_size or DEFAULT_PAGE):
                    break
        return page

    def on_listed(self, told: ListedTold) -> None:
        """Tell `told` of the live games that the lobby lists, now and after each change."""
        self.listing.follow(partial(told, ""))

    def relist(self, game: Game) -> None:
        """Tell the lobby within a moment that a game is not as it was."""
        if _open(game):
            if not self._changed:
                asyncio.get_running_loop().call_later(RELIST_SECONDS, self._relist)
            self._changed.add(game)

    def _relist(self) -> None:
        changed, self._changed = self._changed, set()
        for game in changed:
            if self._games.get(game.game_id) is game:
                self._list(game)

    def _list(self, game: Game) -> None:
        if _open(game):
            self.listing.put(game.game_id, LobbyEntry(game=_summary(game)))

    def stats(self) -> GetStatsResponse:
        """Figures of this process."""
        games = self._games.values()
        viewers = sum(len(game.audience) for game in games)
        return GetStatsResponse(games=len(games), moves=self.figures.moves, viewers=viewers)

    def _end(self, game: Game) -> None:
        self._remove(game)
        game.audience.end()
        self.archivist.ended(game.game_id)
        logger.info("game_ended", game=game.game_id, seq=game.state.seq, scores=game.state.scores)

    def _remove(self, game: Game) -> None:
        if self._games.get(game.game_id) is not game:
            return
        del self._games[game.game_id], self._by_shard[shard_of(game.game_id)][game.game_id]
        self.listing.drop(game.game_id)
        for player_id in self._sitting.pop(game.game_id):
            self._unseat(player_id, game.game_id)


def _open(game: Game) -> bool:
    """Whether the lobby lists it: what is listed can be watched."""
    return game.facts.public and not game.facts.no_spectators


def _summary(game: Game) -> GameSummary:
    audience = game.audience
    return api_codec.summary(game.game_id, game.facts, audience.shown(game.state, None), audience.spectators)
