"""From people who want to play to a running game."""

from __future__ import annotations

from capicua.api.v1.types_pb2 import GameOptions, Seat, TableOptions
from capicua.api.v1.update_pb2 import Refusal
from capicua.internal.v1.game_actor_service_pb2 import CreateGameRequest
from capicua.runtime.ids import BOTS
from capicua.runtime.ports import GameActor


def with_bots(people: list[Seat], seats: int) -> list[Seat]:
    """`people` on the first seats in order, bots on the rest; every seat numbered."""
    bots = [Seat(player_id=player_id, name=name, bot=True) for player_id, name in BOTS]
    sitting = [*people, *bots[: seats - len(people)]]
    return [
        Seat(seat=seat, player_id=player.player_id, name=player.name, bot=player.bot, gives_seed=player.gives_seed)
        for seat, player in enumerate(sitting)
    ]


async def start_game(
    actor: GameActor, game_id: str, table_id: str, people: list[Seat], options: GameOptions, table_options: TableOptions
) -> Refusal | None:
    """Make a game of complete options for `people`, who get the first seats in order; once for each `game_id`."""
    seats = with_bots(people, options.seats)
    request = CreateGameRequest(
        game_id=game_id, table_id=table_id, options=options, seats=seats, table_options=table_options
    )
    return await actor.create_game(request)
