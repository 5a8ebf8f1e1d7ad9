"""Who follows a game, and what each of them is shown (I-2, I-7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.game_service_pb2 import SessionResponse
from capicua.api.v1.update_pb2 import Frame, Refusal, Said, View
from capicua.engine import GameState, private_seats
from capicua.game_actor.api_codec import presence_frames, reset_frame, update_frame, view
from capicua.game_actor.history import Step
from capicua.game_actor.presence import Presence
from capicua.log.v1 import entry_pb2 as log
from capicua.runtime.ports import Viewer
from capicua.runtime.refusals import refusal

CLOCKS_DIFFER_MS = 20
SUPERSEDED = "a newer session of the same player took over"


def alone() -> Refusal:
    """The refusal of spectators."""
    why = "this table lets nobody watch: its record is open when the game is over"
    return refusal(reasons.ERROR_REASON_SPECTATORS_NOT_ALLOWED, why)


class Audience:
    """The viewers of one game. A viewer whose player has no seat is a spectator and gets the least."""

    def __init__(
        self, game_id: str, facts: log.GameStarted, seats: Mapping[str, int], presence: Presence | None = None
    ) -> None:
        """`seats` are those that the players have; `presence` is kept elsewhere where none of them is here."""
        self.presence = presence or Presence(self._tell_presence)
        self._game_id = game_id
        self._facts = facts
        self._seat_of = seats
        self._viewers: dict[Viewer, int | None] = {}
        self._seated: dict[int, Viewer] = {}

    def __len__(self) -> int:
        return len(self._viewers)

    @property
    def viewers(self) -> Set[Viewer]:
        """Everybody who follows."""
        return self._viewers.keys()

    @property
    def spectators(self) -> int:
        """How many viewers have no seat."""
        return len(self._viewers) - len(self._seated)

    def shown(self, newest: GameState, seat: int | None) -> GameState:
        """The state that `seat` may know by now; None is a spectator."""
        return newest

    def view(self, newest: GameState, seat: int | None) -> View:
        """The full picture as `seat` may see it by now."""
        shown = self.shown(newest, seat)
        return view(self._game_id, self._facts, shown, seat, self.spectators, self.presence.dropped)

    def seat(self, player_id: str) -> int | None:
        """The seat of a player; None for everybody else."""
        return self._seat_of.get(player_id)

    def add(self, viewer: Viewer) -> None:
        """Show `viewer` every step from now on. A seat has one viewer: the session that was opened last.

        Clocks of two gateways may differ a little: of sessions opened within CLOCKS_DIFFER_MS the last to come wins.
        """
        seat = self.seat(viewer.player_id)
        if seat is not None:
            other = self._seated.get(seat)
            if other is not None and other is not viewer:
                late, old = (
                    (viewer, other) if other.opened_ms <= viewer.opened_ms + CLOCKS_DIFFER_MS else (other, viewer)
                )
                self._viewers.pop(old, None)
                old.notice(self._game_id, refusal(reasons.ERROR_REASON_SUPERSEDED, SUPERSEDED))
                viewer = late
            self._seated[seat] = viewer
        self._viewers[viewer] = seat
        if seat is not None:
            # It hears of itself too, for its view is older than its coming.
            self.presence.came(seat)

    def remove(self, viewer: Viewer) -> None:
        """Show `viewer` nothing more."""
        seat = self._viewers.pop(viewer, None)
        if seat is not None and self._seated.get(seat) is viewer:
            del self._seated[seat]
            self.presence.went(seat)

    def reseat(self, seats: Mapping[str, int]) -> None:
        """Players have other `seats` now: who has left one is a spectator, if the table lets anybody watch."""
        before, self._seat_of = self._seat_of, seats
        misplaced = self._misplaced()
        for viewer in misplaced:
            self.remove(viewer)
        self.presence.expect(seat for player_id, seat in seats.items() if before.get(player_id) != seat)
        for viewer in misplaced:
            if self._facts.no_spectators and self.seat(viewer.player_id) is None:
                viewer.notice(self._game_id, alone())
            else:
                self.add(viewer)

    def _misplaced(self) -> list[Viewer]:
        return [viewer for viewer, seat in self._viewers.items() if self.seat(viewer.player_id) != seat]

    def tell(self, steps: list[Step]) -> None:
        """Show everybody the steps of one append: encoded once for all who may see the same."""
        if not self._viewers:
            return
        seq = steps[-1].state.seq
        public = [self._frame(step, None) for step in steps]
        joined = b"".join(public)
        encoded: dict[int | None, bytes] = {None: joined}
        for viewer, seat in self._viewers.items():
            frames = encoded.get(seat)
            if frames is None:
                own = [
                    self._frame(step, seat) if seat in private_seats(step.event) else shown
                    for step, shown in zip(steps, public, strict=True)
                ]
                frames = encoded[seat] = b"".join(own)
            viewer.send(frames, seq)

    def hear(self, said: Said) -> None:
        """Let everybody but the speaker hear what is said, as far as they see the game as it is now."""
        frames = SessionResponse(frames=[Frame(said=said)]).SerializeToString()
        for viewer, seat in self._viewers.items():
            if seat != said.seat:
                viewer.hear(frames)

    def frames(self, steps: Iterable[Step], seat: int | None) -> bytes:
        """The steps as `seat` may see them; None is a spectator."""
        return b"".join(self._frame(step, seat) for step in steps)

    def recall(self, steps: list[Step]) -> None:
        """Know what led to the state with which the game is loaded."""

    def reset(self, steps: list[Step]) -> None:
        """Show everybody the whole picture after all of a game's `steps` anew: what they saw is not so any more."""
        state = steps[-1].state
        for viewer, seat in self._viewers.items():
            viewer.send(reset_frame(self.view(state, seat)), state.seq)

    def present(self) -> bytes:
        """For each seat whether its player is there."""
        return presence_frames(
            self._game_id, {seat: seat not in self.presence.dropped for seat in self._seat_of.values()}
        )

    def _tell_presence(self, seat: int, connected: bool) -> None:
        frames = presence_frames(self._game_id, {seat: connected})
        for viewer in self.viewers:
            viewer.send(frames, 0)

    def dismiss(self, refused: Refusal) -> None:
        """Tell everybody that the game cannot be followed here any more."""
        self.presence.close()
        for viewer in tuple(self._viewers):
            viewer.notice(self._game_id, refused)
        self._viewers.clear()
        self._seated.clear()

    def end(self) -> None:
        """The game is over: nothing will follow."""
        self.presence.close()
        for viewer in tuple(self._viewers):
            viewer.ended(self._game_id)
        self._viewers.clear()
        self._seated.clear()

    def _frame(self, step: Step, seat: int | None) -> bytes:
        return update_frame(self._game_id, self._facts, step, seat)
