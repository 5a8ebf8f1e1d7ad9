"""Quick match in this process, with time in the test's hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from capicua.api.v1.table_service_pb2 import Assignment, QuickMatchRequest, Waiting
from capicua.api.v1.types_pb2 import GameOptions, Seat
from capicua.api.v1.update_pb2 import Refusal
from capicua.internal.v1.game_actor_service_pb2 import CreateGameRequest
from capicua.matchmaking.quick_match import QuickMatch
from capicua.store.memory_store import MemoryStore
from kit.actor import Actor

News = Waiting | CreateGameRequest | Assignment | Refusal
Cancel = Callable[[], None]


class Hall:
    """A queue on a store in memory, with time in the test's hand, and all that players are told."""

    def __init__(self, bot_fill: float = 60) -> None:
        self.actor = Actor(MemoryStore())
        self.queue = QuickMatch(self.actor.service, self.actor.store, self.actor.clock, bot_fill)
        self.queue.take()

    async def ask(
        self, player_id: str, request: QuickMatchRequest | None = None, waited_ms: int = 0
    ) -> tuple[list[News], Cancel]:
        """Queue a player, for block without more; gives what is told and how to leave."""
        told: list[News] = []
        wish = request or QuickMatchRequest(options=GameOptions(variant="block"))
        cancel = await self.queue.enqueue(Seat(player_id=player_id, name=player_id), wish, told.append, waited_ms)
        if isinstance(cancel, Refusal):
            told.append(cancel)
            return told, lambda: None
        self.queue._tell()
        return told, cancel

    async def games_of(self, player_id: str) -> list[str]:
        """Ids of the games the player sits in."""
        return [seat.game_id for seat in await self.actor.service.seats_of(player_id)]


def seated(told: Iterable[list[News]]) -> bool:
    """Whether each of them was given a seat."""
    return all(news and isinstance(news[-1], Assignment) for news in told)


def seat(told: list[News]) -> Assignment:
    """The seat that was given in the end."""
    assert isinstance(told[-1], Assignment), told[-1]
    return told[-1]


def reason(told: list[News]) -> int:
    """Why it was refused in the end."""
    assert isinstance(told[-1], Refusal), told[-1]
    return told[-1].reason
