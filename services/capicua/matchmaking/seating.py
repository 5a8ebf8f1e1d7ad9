"""From people who want to play to a running game."""

from __future__ import annotations

from collections.abc import Sequence

from capicua.api.v1.types_pb2 import GameOptions, Seat, TableOptions
from capicua.internal.v1.game_actor_service_pb2 import CreateGameRequest
from capicua.matchmaking.pairing import Table, Ticket
from capicua.runtime.ids import BOTS
from capicua.runtime.names import told_apart
from capicua.store.ratings import START_MU


def in_order(table: Table) -> list[str]:
    """The ids of the players in the order of their seats; "" is a bot's, and bots have the last seats otherwise.

    Who has waited longest sits first. Of two pairs, those of a party are partners; else both pairs have people if
    they can, and are as equal as they can be: the strongest plays with the weakest of four.
    """
    parties = sorted(table.parties, key=lambda party: party.queued_ms)
    tickets = [ticket for party in parties for ticket in party.tickets]
    if not table.kind.pairs:
        return [ticket.player_id for ticket in tickets]
    seats: list[Ticket | None] = [*tickets, *[None] * (4 - len(tickets))]

    def price(partner: int) -> tuple[int, bool, float]:
        ours = [seats[0], seats[partner]]
        theirs = [seats[each] for each in range(1, 4) if each != partner]
        torn = sum(0 < sum(ticket in ours for ticket in party.tickets) < party.size for party in parties)
        return torn, not any(theirs), abs(_strength(ours) - _strength(theirs))

    partner = min(range(1, 4), key=price)
    second, fourth = (each for each in range(1, 4) if each != partner)
    return [ticket.player_id if ticket else "" for ticket in (seats[0], seats[second], seats[partner], seats[fourth])]


def _strength(pair: Sequence[Ticket | None]) -> float:
    return sum(ticket.mu[4] if ticket else START_MU for ticket in pair)


def with_bots(people: Sequence[Seat | None], seats: int) -> list[Seat]:
    """`people` on the first seats in order, bots on the rest and where there is nobody; every seat numbered, and no
    two with names that look alike."""
    ids = {player.player_id for player in people if player}
    bots = [Seat(player_id=player_id, name=name, bot=True) for player_id, name in BOTS if player_id not in ids]
    sitting = [player or bots.pop(0) for player in [*people, *[None] * (seats - len(people))]]
    names = told_apart(player.name for player in sitting)
    return [
        Seat(seat=seat, player_id=player.player_id, name=name, bot=player.bot, gives_seed=player.gives_seed)
        for seat, (player, name) in enumerate(zip(sitting, names, strict=True))
    ]


def newcomer(player: Seat, people: Sequence[Seat]) -> Seat:
    """`player` with a name that looks like nobody's at a table where `people` sit."""
    *_, name = told_apart([*(person.name for person in people), player.name])
    return Seat(player_id=player.player_id, name=name, bot=player.bot, gives_seed=player.gives_seed)


def game_of(
    game_id: str, table_id: str, people: Sequence[Seat | None], options: GameOptions, table_options: TableOptions
) -> CreateGameRequest:
    """A game of complete options for `people`, who get the first seats in order."""
    seats = with_bots(people, options.seats)
    return CreateGameRequest(
        game_id=game_id, table_id=table_id, options=options, seats=seats, table_options=table_options
    )
