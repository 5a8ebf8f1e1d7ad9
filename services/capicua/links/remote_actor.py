"""Game-actors in other processes, as if they were one in this (implements `ports.GameActor`)."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import chain, zip_longest

from capicua.api.v1.game_service_pb2 import Command, GameSummary, ListGamesRequest, Say, SessionResponse
from capicua.api.v1.types_pb2 import GameOptions
from capicua.api.v1.update_pb2 import CommandAnswer, Refusal, View
from capicua.internal.v1 import game_actor_service_pb2 as internal
from capicua.links.directory import Directory
from capicua.links.router import Routed, Router
from capicua.runtime.ports import ListedTold, Reply, SeatListener, Viewer
from capicua.runtime.shard import SHARDS, shard_of

ROLE = "game-actor"
DEFAULT_PAGE = 20


class RemoteActor:
    """Sends every call to the process that owns the game, wherever it moves to."""

    def __init__(self, directory: Directory, token: bytes) -> None:
        self._router = Router(directory, ROLE, token)
        self._watches: dict[tuple[Viewer, str], Routed] = {}
        self.close = self._router.close

    async def create_game(self, request: internal.CreateGameRequest) -> Refusal | None:
        """Make a game; asking again with the same id changes nothing."""
        outcome = await self._router.ask(shard_of(request.game_id), "CreateGame", request, internal.CreateGameResponse)
        return outcome if isinstance(outcome, Refusal) else None

    async def check_options(self, options: GameOptions) -> internal.CheckOptionsResponse | Refusal:
        """Fill every gap of `options`, or say what is wrong with them; any actor knows."""
        request = internal.CheckOptionsRequest(options=options)
        return await self._router.ask(random.randrange(SHARDS), "CheckOptions", request, internal.CheckOptionsResponse)

    def submit(self, player_id: str, command: Command, reply: Reply) -> None:
        """Carry a command out; `reply` is called exactly once, after the events are stored."""
        request = internal.SubmitCommandRequest(player_id=player_id)
        request.command.CopyFrom(command)
        data = request.SerializeToString()
        game_id, request_id = command.game_id, command.request_id

        def answered(response: bytes, _: int) -> None:
            reply(internal.SubmitCommandResponse.FromString(response).answer)

        def ended(refused: Refusal | None) -> None:
            if refused is not None:
                reply(CommandAnswer(game_id=game_id, request_id=request_id, refused=refused))

        self._router.call(shard_of(game_id), "SubmitCommand", lambda: data, answered, ended)

    def say(self, player_id: str, say: Say, done: Callable[[Refusal | None], None]) -> None:
        """Let all who may hear a player know what they say; `done` is called exactly once."""
        data = internal.SayRequest(player_id=player_id, say=say).SerializeToString()
        self._router.call(shard_of(say.game_id), "Say", lambda: data, lambda *_: None, done)

    def watch(self, viewer: Viewer, game_id: str, last_seen_seq: int) -> None:
        """Send `viewer` what it has not seen, then every update, whoever owns the game meanwhile."""
        self.unwatch(viewer, game_id)
        seen = last_seen_seq

        def request() -> bytes:
            return internal.WatchGameRequest(
                game_id=game_id, player_id=viewer.player_id, last_seen_seq=seen, opened_ms=viewer.opened_ms
            ).SerializeToString()

        def shown(frames: bytes, seq: int) -> None:
            nonlocal seen
            seen = seq or seen
            if not seq and SessionResponse.FromString(frames).frames[0].HasField("said"):
                viewer.hear(frames)
            else:
                viewer.send(frames, seq)

        def ended(refused: Refusal | None) -> None:
            self._watches.pop((viewer, game_id), None)
            if refused is None:
                viewer.ended(game_id)
            else:
                viewer.notice(game_id, refused)

        self._watches[viewer, game_id] = self._router.call(shard_of(game_id), "WatchGame", request, shown, ended)

    def unwatch(self, viewer: Viewer, game_id: str) -> None:
        """Send `viewer` nothing more of this game."""
        if routed := self._watches.pop((viewer, game_id), None):
            routed.cancel()

    async def view(self, game_id: str, player_id: str) -> View | Refusal:
        """The full picture as `player_id` may see it."""
        request = internal.GetViewRequest(game_id=game_id, player_id=player_id)
        outcome = await self._router.ask(shard_of(game_id), "GetView", request, internal.GetViewResponse)
        return outcome if isinstance(outcome, Refusal) else outcome.view

    async def record(self, game_id: str) -> str | Refusal:
        """The text notation of a finished game."""
        request = internal.GetRecordRequest(game_id=game_id)
        outcome = await self._router.ask(shard_of(game_id), "GetRecord", request, internal.GetRecordResponse)
        return outcome if isinstance(outcome, Refusal) else outcome.record

    async def finished_game(self, game_id: str) -> GameSummary | Refusal:
        """A finished game as it ended."""
        request = internal.GetFinishedRequest(game_id=game_id)
        outcome = await self._router.ask(shard_of(game_id), "GetFinished", request, internal.GetFinishedResponse)
        return outcome if isinstance(outcome, Refusal) else outcome.game

    async def live_games(self, request: ListGamesRequest) -> list[GameSummary]:
        """Public games that are being played, the newest of every actor first."""
        asked = internal.ListGamesRequest(request=request)
        pages = await self._router.ask_all("ListGames", asked, internal.ListGamesResponse)
        mixed = chain.from_iterable(zip_longest(*(page.games for page in pages)))
        return [game for game in mixed if game is not None][: request.page_size or DEFAULT_PAGE]

    async def seats_of(self, player_id: str) -> list[internal.PlayerSeat]:
        """Every seat the player holds in a running game."""
        request = internal.ListSeatsRequest(player_id=player_id)
        found = await self._router.ask_all("ListSeats", request, internal.ListSeatsResponse)
        return [seat for response in found for seat in response.seats]

    def on_seat(self, listener: SeatListener) -> None:
        """Call `listener` for each seat there is, then for those of each game that begins or arrives somewhere."""

        def told(_: str, response: bytes) -> None:
            for seat in internal.WatchSeatsResponse.FromString(response).seats:
                listener(seat)

        self._router.stand("WatchSeats", b"", told, lambda _: None)

    def on_listed(self, told: ListedTold) -> None:
        """Tell `told` of the live games of every actor that the lobby lists, now and after each change."""

        def heard(address: str, response: bytes) -> None:
            told(address, internal.WatchListedGamesResponse.FromString(response).listed)

        self._router.stand("WatchListedGames", b"", heard, lambda address: told(address, None))
