"""A command on its way through the mailbox of its game."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter_ns

from capicua.api.v1 import error_reason_pb2 as reasons
from capicua.api.v1.update_pb2 import Accepted, Refusal
from capicua.engine import Command
from capicua.runtime.refusals import refusal

Answer = Accepted | Refusal
Done = Callable[[Answer], None]


class Request:
    """A command, who sent it from which seat, and who waits for the answer. Expiry and the like come from no seat."""

    __slots__ = ("arrived_ns", "command", "done", "expected_seq", "player_id", "request_id", "seat")

    def __init__(
        self,
        command: Command,
        done: Done,
        *,
        seat: int | None = None,
        player_id: str = "",
        request_id: str = "",
        expected_seq: int | None = None,
    ) -> None:
        self.command = command
        self.done = done
        self.seat = seat
        self.player_id = player_id
        self.request_id = request_id
        self.expected_seq = expected_seq
        self.arrived_ns = perf_counter_ns()


def moved() -> Refusal:
    """The refusal of an actor that does not own the game, or not yet, or not any more."""
    return refusal(reasons.ERROR_REASON_UNAVAILABLE, "the game has moved: send the same again")
