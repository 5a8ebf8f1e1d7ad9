"""The audience of a game whose spectators see it late."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Set

from capicua.api.v1.update_pb2 import Refusal
from capicua.engine import GameState, RoundEnded
from capicua.game_actor.api_codec import reset_frame
from capicua.game_actor.audience import Audience
from capicua.game_actor.delay import Delay
from capicua.game_actor.history import Step
from capicua.game_actor.players import seats_at
from capicua.log.v1 import entry_pb2 as log
from capicua.runtime.clock import Clock
from capicua.runtime.ports import Viewer


class DelayedAudience(Audience):
    """Players see every step at once. Spectators are an audience of their own, and whatever they ask for, they
    are shown nothing that the delay still holds."""

    def __init__(
        self, game_id: str, facts: log.GameStarted, state: GameState, clock: Clock, on_round: Callable[[], None]
    ) -> None:
        super().__init__(game_id, facts, seats_at(facts, state))
        self._late = Audience(game_id, facts, {}, self.presence)
        self._clock = clock
        self._on_round = on_round
        self._shown = state
        """The last state that spectators may know; a new game's first deal is no secret."""
        self._delay = self._new_delay()
        self._alarm: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return super().__len__() + len(self._late)

    @property
    def viewers(self) -> Set[Viewer]:
        """Everybody who follows."""
        return super().viewers | self._late.viewers

    @property
    def spectators(self) -> int:
        """How many viewers have no seat."""
        return len(self._late)

    def shown(self, newest: GameState, seat: int | None) -> GameState:
        """The state that `seat` may know by now; None is a spectator."""
        return newest if seat is not None else self._shown

    def recall(self, steps: list[Step]) -> None:
        """Know what led to the state with which the game is loaded: all of its steps, none left out."""
        self._delay = self._new_delay()
        self._delay.add(steps)
        if due := self._delay.due(self._clock()):
            self._shown = due[-1].state
        self._wait()

    def add(self, viewer: Viewer) -> None:
        """Show `viewer` every step from now on, or from what spectators may know."""
        if self.seat(viewer.player_id) is None:
            self._late.add(viewer)
        else:
            super().add(viewer)

    def remove(self, viewer: Viewer) -> None:
        """Show `viewer` nothing more."""
        super().remove(viewer)
        self._late.remove(viewer)

    def reseat(self, seats: Mapping[str, int]) -> None:
        """Players have other `seats` now: who has left one begins anew, with what spectators may know."""
        ahead = tuple(super().viewers)
        super().reseat(seats)
        for viewer in ahead:
            if viewer in self._late.viewers:
                viewer.send(reset_frame(self.view(self._shown, None)), self._shown.seq)

    def _misplaced(self) -> list[Viewer]:
        back = [viewer for viewer in self._late.viewers if self.seat(viewer.player_id) is not None]
        return super()._misplaced() + back

    def tell(self, steps: list[Step]) -> None:
        """Show players these steps, and spectators what has become due."""
        super().tell(steps)
        self._delay.add(steps)
        self._release()

    def reset(self, steps: list[Step]) -> None:
        """Show everybody the whole picture after all of a game's `steps` anew, each as far as they may know."""
        super().reset(steps)
        self.recall(steps)
        self._late.reset([step for step in steps if step.state.seq <= self._shown.seq])

    def dismiss(self, refused: Refusal) -> None:
        """Tell everybody that the game cannot be followed here any more."""
        self._quiet()
        super().dismiss(refused)
        self._late.dismiss(refused)

    def end(self) -> None:
        """The game is over: nothing will follow, and nothing is held back."""
        self._quiet()
        self._show(self._delay.flush())
        super().end()
        self._late.end()

    def _new_delay(self) -> Delay:
        return Delay(self._facts.delay_moves, self._facts.delay_seconds * 1000)

    def _release(self) -> None:
        self._show(self._delay.due(self._clock()))
        self._wait()

    def _wait(self) -> None:
        self._quiet()
        due = self._delay.next_ms()
        if due is not None:
            seconds = max(1, due - self._clock()) / 1000
            self._alarm = asyncio.get_running_loop().call_later(seconds, self._release)

    def _show(self, steps: list[Step]) -> None:
        if steps:
            self._shown = steps[-1].state
            self._late.tell(steps)
            if any(isinstance(step.event, RoundEnded) for step in steps):
                self._on_round()

    def _quiet(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
