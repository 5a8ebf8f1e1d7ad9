"""Looking at games: live ones as they go, finished ones from their logs."""

from __future__ import annotations

import asyncio

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.game_service_pb2 import GameSummary
from capicua.api.v1.update_pb2 import Refusal, View
from capicua.engine import Phase, print_record, record_of
from capicua.game_actor import api_codec
from capicua.game_actor.audience import Audience, alone
from capicua.game_actor.game import Game
from capicua.game_actor.history import History, find_history
from capicua.game_actor.players import left_since, seats_at
from capicua.game_actor.registry import Registry
from capicua.game_actor.request import moved
from capicua.runtime.ports import Viewer
from capicua.runtime.refusals import refusal

FAR_BEHIND = 500
"""A viewer that misses more updates than this gets a full view instead."""
BEHIND_SECONDS = 0.2


class Watching:
    """Brings viewers up to date and then to the audience of their game."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._catching_up: dict[tuple[Viewer, str], asyncio.Task[None]] = {}

    def watch(self, viewer: Viewer, game_id: str, last_seen_seq: int) -> None:
        """Send `viewer` what it has not seen, then every update, as its player may see them."""
        self.unwatch(viewer, game_id)
        game = self._registry.get(game_id)
        if game is None and self._registry.epoch_of(game_id) is None:
            viewer.notice(game_id, moved())
        elif game is None or not self._show_now(viewer, game, last_seen_seq):
            task = asyncio.ensure_future(self._catch_up(viewer, game_id, last_seen_seq))
            self._catching_up[viewer, game_id] = task
            task.add_done_callback(lambda done: self._caught_up(viewer, game_id, done))

    def _show_now(self, viewer: Viewer, game: Game, last_seen_seq: int) -> bool:
        """Whether nothing of the log is needed."""
        seat = game.audience.seat(viewer.player_id)
        shown = game.audience.shown(game.state, seat).seq
        if refused := _closed_to(game, seat):
            viewer.notice(game.game_id, refused)
        elif last_seen_seq == 0 or shown - last_seen_seq > FAR_BEHIND or _anew(viewer, game, last_seen_seq):
            viewer.send(api_codec.reset_frame(game.audience.view(game.state, seat)), shown)
            self._join(game, viewer)
        elif last_seen_seq == shown:
            self._resume(game, viewer)
        else:
            return False
        return True

    def unwatch(self, viewer: Viewer, game_id: str) -> None:
        """Send `viewer` nothing more of this game."""
        if task := self._catching_up.pop((viewer, game_id), None):
            task.cancel()
        if game := self._registry.get(game_id):
            spectators = game.audience.spectators
            game.audience.remove(viewer)
            if game.audience.spectators != spectators:
                self._registry.relist(game)

    def _join(self, game: Game, viewer: Viewer) -> None:
        spectators = game.audience.spectators
        game.audience.add(viewer)
        if game.audience.spectators != spectators:
            self._registry.relist(game)

    def _resume(self, game: Game, viewer: Viewer) -> None:
        self._join(game, viewer)
        # What was told of presence meanwhile has no seq by which it could be missed.
        viewer.send(game.audience.present(), 0)

    def _caught_up(self, viewer: Viewer, game_id: str, done: asyncio.Task[None]) -> None:
        # A task that was cancelled for a newer one must not take that one's place away.
        if self._catching_up.get((viewer, game_id)) is done:
            del self._catching_up[viewer, game_id]

    async def _catch_up(self, viewer: Viewer, game_id: str, last_seen_seq: int) -> None:
        while True:
            known = self._registry.get(game_id)
            least = 0 if known is None else known.state.seq
            history = await find_history(self._registry.store, self._registry.archive, game_id)
            if isinstance(history, Refusal):
                viewer.notice(game_id, history)
                return
            if history.state.seq < least:
                # The store has lost some of the log: the game finds out at its next append, and begins again.
                await asyncio.sleep(BEHIND_SECONDS)
                continue
            game = self._registry.get(game_id)
            if game is None and (self._registry.epoch_of(game_id) is None or history.state.phase is not Phase.OVER):
                # What a running game may show, its owner alone knows.
                viewer.notice(game_id, moved())
                return
            audience = _audience(game_id, history) if game is None else game.audience
            seat = audience.seat(viewer.player_id)
            if game is not None and (refused := _closed_to(game, seat)):
                viewer.notice(game_id, refused)
                return
            # Shown is only what the owner has committed; the log may be one append ahead of it.
            owned = history.state if game is None else audience.shown(game.state, seat)
            newest = min(owned.seq, history.state.seq)
            far = last_seen_seq == 0 or last_seen_seq > newest or newest - last_seen_seq > FAR_BEHIND
            if far or _anew(viewer, game or history, last_seen_seq):
                state = history.steps[newest - 1].state
                viewer.send(api_codec.reset_frame(audience.view(state, seat)), newest)
            elif last_seen_seq < newest:
                viewer.send(audience.frames(history.steps[last_seen_seq:newest], seat), newest)
            last_seen_seq = newest
            if game is None:
                viewer.ended(game_id)
                return
            if audience.shown(game.state, seat).seq == last_seen_seq:
                self._resume(game, viewer)
                return

    async def view(self, game_id: str, player_id: str) -> View | Refusal:
        """The full picture as `player_id` may see it."""
        if game := self._registry.get(game_id):
            seat = game.audience.seat(player_id)
            return _closed_to(game, seat) or game.audience.view(game.state, seat)
        history = await self._finished(game_id)
        if isinstance(history, Refusal):
            return history
        if history.state.phase is not Phase.OVER:
            return moved()
        seat = _audience(game_id, history).seat(player_id)
        return api_codec.view(game_id, history.facts, history.state, seat)

    async def record(self, game_id: str) -> str | Refusal:
        """The text notation of a finished game; nothing of a running one, for it names every hand."""
        history = await self._over(game_id)
        if isinstance(history, Refusal):
            return history
        names = [player.name for player in history.facts.players]
        return print_record(record_of([step.event for step in history.steps], names, game_id))

    async def finished_game(self, game_id: str) -> GameSummary | Refusal:
        """A finished game as it ended."""
        history = await self._over(game_id)
        return history if isinstance(history, Refusal) else api_codec.summary(game_id, history.facts, history.state, 0)

    async def _over(self, game_id: str) -> History | Refusal:
        history = await self._finished(game_id)
        if not isinstance(history, Refusal) and history.state.phase is not Phase.OVER:
            # How far the game has come is not said: spectators may not know yet.
            return refusal(
                reasons.ERROR_REASON_GAME_RUNNING,
                "the game is still being played: watch it, or ask again when it is over",
            )
        return history

    async def _finished(self, game_id: str) -> History | Refusal:
        if self._registry.epoch_of(game_id) is None:
            return moved()
        return await find_history(self._registry.store, self._registry.archive, game_id)


def _anew(viewer: Viewer, game: Game | History, last_seen_seq: int) -> bool:
    """Whether the viewer has left a seat since, so that updates do not lead on from what it has seen."""
    return left_since(game.facts, game.state, viewer.player_id, last_seen_seq)


def _closed_to(game: Game, seat: int | None) -> Refusal | None:
    """The refusal of spectators where the table wants none, as long as the game is played."""
    if seat is not None or not game.facts.no_spectators:
        return None
    return alone()


def _audience(game_id: str, history: History) -> Audience:
    """The one that a game has which is not running."""
    return Audience(game_id, history.facts, seats_at(history.facts, history.state))
