"""The game-actor: the only writer of games (implements `ports.GameActor`)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import structlog

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.game_service_pb2 import Command, Say
from capicua.api.v1.types_pb2 import GameOptions
from capicua.api.v1.update_pb2 import Accepted, Refusal
from capicua.engine import ExpireTurn, Phase, QuitSeat, Rejection, RestoreClock, StartGame, advance, to_json
from capicua.game_actor import api_codec, log_codec
from capicua.game_actor.deal import SEEDS_MS, new_seal, unfold
from capicua.game_actor.history import find_history, last_seq
from capicua.game_actor.options import rules_of
from capicua.game_actor.outcome import family_of
from capicua.game_actor.players import is_bot, seat_ever
from capicua.game_actor.registry import Registry
from capicua.game_actor.request import Answer, Request, moved
from capicua.game_actor.shards import Outdated, Shards
from capicua.game_actor.talk import heard
from capicua.game_actor.watching import Watching
from capicua.internal.v1.game_actor_service_pb2 import (
    CheckOptionsResponse,
    CreateGameRequest,
    ExpireTurnRequest,
    GetStatsResponse,
)
from capicua.links.installation import Held
from capicua.log.v1 import entry_pb2 as log
from capicua.runtime.clock import Clock
from capicua.runtime.ports import Reply, Timer
from capicua.runtime.refusals import refusal, store_away
from capicua.store.archive import Archive, ArchiveDamaged
from capicua.store.store import SeqTaken, Store, StoreUnavailable

logger = structlog.get_logger()

TOO_LATE_MS = 1_000
"""An expiry that comes later than this was held up by ourselves."""
ARCHIVE_SECONDS = 2.0
"""How long a new game waits for an archive that says nothing."""


class GameActorService:
    """Creates games and carries commands out."""

    def __init__(self, store: Store, timer: Timer, clock: Clock, archive: Archive | None = None) -> None:
        self._registry = registry = Registry(store, archive, timer, clock)
        self.archivist = registry.archivist
        self.shards = Shards(registry)
        self._lookups: set[asyncio.Task[None]] = set()
        watching = Watching(registry)
        self.watch = watching.watch
        self.unwatch = watching.unwatch
        self.view = watching.view
        self.record = watching.record
        self.finished_game = watching.finished_game
        self.live_games = registry.live_games
        self.seats = registry.seats
        self.seats_of = registry.seats_of
        self.on_seat = registry.on_seat
        self.listing = registry.listing
        self.on_listed = registry.on_listed
        self.figures = registry.figures

    async def check_options(self, options: GameOptions) -> CheckOptionsResponse | Refusal:
        """Fill every gap of `options`, or say what is wrong with them."""
        rules = rules_of(options)
        if isinstance(rules, Refusal):
            return rules
        variant, seats = rules.variant, rules.options.seats
        return CheckOptionsResponse(
            options=rules.options,
            family=family_of(variant, seats),
            pairs=variant.pairs(seats),
            seats=variant.seats,
        )

    async def create_game(self, request: CreateGameRequest) -> Refusal | None:
        """Make a game; asking again with the same id changes nothing."""
        rules = rules_of(request.options)
        if isinstance(rules, Refusal):
            return rules
        variant, options = rules.variant, rules.options
        registry, now = self._registry, self._registry.clock()
        seal = new_seal(request.game_id, 1)
        awaited = [number for number, seat in enumerate(request.seats) if seat.gives_seed]
        facts = log.GameStarted(
            variant=variant.key,
            parameters_json=to_json(variant),
            seats=options.seats,
            turn_ms=options.turn_seconds * 1000,
            pairs=variant.pairs(options.seats),
            players=[log.Player(player_id=s.player_id, name=s.name, bot=s.bot) for s in request.seats],
            table_id=request.table_id,
            public=request.table_options.public,
            no_spectators=request.table_options.HasField("spectators") and not request.table_options.spectators,
            delay_moves=request.table_options.delay_moves,
            delay_seconds=request.table_options.delay_seconds,
            talk=log.Talk.ValueType(request.table_options.talk),
            bots=request.table_options.bots,
            overrides_json=options.overrides_json,
            seal=log_codec.stored_seal(seal),
            awaited=awaited,
            deadline_ms=now + SEEDS_MS if awaited else 0,
        )
        epoch = registry.epoch_of(request.game_id)
        if epoch is None:
            return moved()
        if await self._archived(request.game_id):
            return None
        start = StartGame(variant, options.seats, facts.turn_ms, seal, tuple(awaited), facts.deadline_ms)
        started = advance(None, start, now)
        assert not isinstance(started, Rejection)
        steps = unfold(request.game_id, started, now)
        entry = log_codec.entry_bytes(facts, [step.event for step in steps], epoch=epoch, time_ms=now)
        generation = registry.store.generation(request.game_id)
        # The index first: a name in it without a log is dropped at the next start, but a log whose name
        # is not in it would never be found again.
        try:
            await registry.store.add_running(request.game_id)
            await registry.store.append(request.game_id, 1, entry)
        except SeqTaken:
            # Made before, perhaps by an owner that is gone and could not say so.
            return await self._go_on(request.game_id, epoch)
        except StoreUnavailable:
            return store_away()
        if registry.epoch_of(request.game_id) != epoch:
            return moved()
        registry.add(registry.new_game(request.game_id, facts, steps[-1].state, epoch, generation))
        return None

    async def _archived(self, game_id: str) -> bool:
        """Whether the game was made before, ended, and has left the store since."""
        archive = self._registry.archive
        try:
            async with asyncio.timeout(ARCHIVE_SECONDS):
                return archive is not None and bool(await archive.entries(game_id))
        except ArchiveDamaged:
            return True
        except (StoreUnavailable, TimeoutError) as failure:
            # New games must not wait for the archive. Should this one have been there, the two will differ:
            # the second stays in the store, and is reported.
            logger.warning("archive_away", game=game_id, error=str(failure) or "no answer")
            return False

    async def _go_on(self, game_id: str, epoch: int) -> Refusal | None:
        try:
            await self._registry.store.add_running(game_id)
            await self.shards.claim(game_id, Held(epoch, 0))
        except StoreUnavailable:
            return store_away()
        except Outdated:
            return moved()
        return None

    def stats(self) -> GetStatsResponse:
        """How much is going on here."""
        return self._registry.stats()

    def submit(self, player_id: str, command: Command, reply: Reply) -> None:
        """Carry a command out; `reply` is called exactly once, after the events are stored."""
        game_id, request_id = command.game_id, command.request_id

        def done(answer: Answer) -> None:
            reply(api_codec.command_answer(game_id, request_id, answer))

        game = self._registry.get(game_id)
        if game is None:
            if self._registry.epoch_of(game_id) is None:
                done(moved())
                return
            task = asyncio.ensure_future(self._answer_from_log(player_id, command, done))
            self._lookups.add(task)
            task.add_done_callback(self._lookups.discard)
            return
        seat = game.audience.seat(player_id)
        if seat is None and (seat := seat_ever(game.facts, game.state, player_id)) is None:
            done(refusal(reasons.ERROR_REASON_NOT_SEATED, "you have no seat in this game; you may watch it"))
            return
        wanted = api_codec.engine_command(command, seat, game.facts)
        if isinstance(wanted, QuitSeat) and is_bot(game.facts, game.state, player_id):
            wanted = refusal(reasons.ERROR_REASON_NOT_FOR_BOTS, "only people can quit")
        if isinstance(wanted, Refusal):
            done(wanted)
            return
        game.submit(
            Request(
                wanted,
                done,
                seat=seat,
                player_id=player_id,
                request_id=request_id,
                expected_seq=command.expected_seq,
            )
        )

    def say(self, player_id: str, say: Say, done: Callable[[Refusal | None], None]) -> None:
        """Let all who may hear a player know what they say; `done` is called exactly once, at once."""
        done(self._say(player_id, say))

    def _say(self, player_id: str, say: Say) -> Refusal | None:
        game = self._registry.get(say.game_id)
        if game is None:
            nowhere = "no game of this id is being played"
            gone = refusal(reasons.ERROR_REASON_GAME_NOT_FOUND, nowhere)
            return moved() if self._registry.epoch_of(say.game_id) is None else gone
        seat = game.audience.seat(player_id)
        if seat is None:
            return refusal(reasons.ERROR_REASON_NOT_SEATED, "only those who play may talk")
        if is_bot(game.facts, game.state, player_id):
            return refusal(reasons.ERROR_REASON_NOT_FOR_BOTS, "only people talk")
        said = heard(say, game.facts, seat, self._registry.clock())
        if isinstance(said, Refusal):
            return said
        game.audience.hear(said)
        return None

    def expire_turn(self, request: ExpireTurnRequest) -> None:
        """Play for the seat whose deadline has passed; nothing happens if that turn is over (I-8)."""
        game = self._registry.get(request.game_id)
        if game is not None and game.state.turn_seq == request.turn_seq:
            late_ms = self._registry.clock() - game.state.deadline_ms
            # So late, we were not there to take a move either (a paused machine): the time is given back.
            command = RestoreClock(late_ms) if late_ms > TOO_LATE_MS else ExpireTurn()
            # A move that waits before this one makes the seq stale, and the turn is not ended twice.
            game.submit(Request(command, lambda _: None, expected_seq=game.state.seq))

    async def _answer_from_log(self, player_id: str, command: Command, done: Callable[[Answer], None]) -> None:
        """A command for a game that is not running: the answer it got then, or why there is none."""
        history = await find_history(self._registry.store, self._registry.archive, command.game_id)
        if isinstance(history, Refusal):
            done(history)
            return
        seat = seat_ever(history.facts, history.state, player_id)
        for first_seq, entry in history.entries:
            by = entry.seat if entry.HasField("seat") else None
            if by is not None and by == seat and entry.request_id == command.request_id:
                done(Accepted(seq=last_seq(first_seq, entry)))
                return
        if seat is None:
            done(refusal(reasons.ERROR_REASON_NOT_SEATED, "you had no seat in this game"))
        elif history.state.phase is Phase.OVER:
            done(refusal(reasons.ERROR_REASON_GAME_OVER, "the game has ended", history.state.seq))
        else:
            done(store_away())
