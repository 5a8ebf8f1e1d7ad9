"""Who sits where: pairs are equal, friends are partners."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from capicua.matchmaking.pairing import Kind, Party, Table, Ticket
from capicua.matchmaking.seating import in_order

PAIRS = Kind(b"", b"", 4, True)


def table(*parties: tuple[float, ...]) -> tuple[Table, dict[str, float]]:
    """Parties of these strengths, who came one after the other, and each player's strength."""
    made = [
        Party(tuple(Ticket(f"{n}.{at}", n, (PAIRS,), False, {4: mu}) for at, mu in enumerate(party)))
        for n, party in enumerate(parties)
    ]
    mu = {ticket.player_id: ticket.mu[4] for party in made for ticket in party.tickets}
    return Table(PAIRS, made, 0, 0.0), mu


@given(st.lists(st.integers(0, 50), min_size=4, max_size=4))
def test_the_best_plays_with_the_worst(strengths: list[int]) -> None:
    """Of four who came alone no other pairs are more equal; and who waited longest sits first."""
    made, mu = table(*((each,) for each in strengths))
    order = [mu[player_id] for player_id in in_order(made)]
    low, second, third, high = sorted(strengths)

    assert abs(order[0] + order[2] - order[1] - order[3]) == abs(low + high - second - third)
    assert in_order(made)[0] == "0.0"


@given(st.floats(0, 50), st.floats(0, 50), st.lists(st.floats(0, 50), max_size=2), st.booleans())
def test_friends_are_partners(ana: float, ben: float, others: list[float], first: bool) -> None:
    """Whoever else is there, and whether bots are, friends sit on seats 0 and 2 or on 1 and 3."""
    parties = [(ana, ben), *((each,) for each in others)]
    made, _ = table(*(parties if first else reversed(parties)))
    order = [*in_order(made), *[""] * 4][:4]
    friend = next(party for party in made.parties if party.size == 2).tickets

    assert abs(order.index(friend[0].player_id) - order.index(friend[1].player_id)) == 2
    assert sorted(filter(None, order)) == sorted(ticket.player_id for party in made.parties for ticket in party.tickets)


@given(st.lists(st.floats(0, 50), min_size=2, max_size=3))
def test_people_are_on_both_sides(strengths: list[float]) -> None:
    """With bots, two who came alone play against each other, so that their game counts."""
    made, mu = table(*((each,) for each in strengths))
    order = in_order(made)

    assert len(order) == 4
    assert all(order[side] or order[side + 2] for side in (0, 1))
    assert set(filter(None, order)) == set(mu)
