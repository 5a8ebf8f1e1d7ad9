"""Who sits down with whom, and when bots fill up."""

from hypothesis import given
from hypothesis import strategies as st

from capicua.matchmaking.pairing import Queue, Ticket


@given(st.integers(2, 8), st.lists(st.integers(0, 20_000), max_size=40))
def test_nobody_is_lost_doubled_or_kept_waiting(seats: int, arrivals: list[int]) -> None:
    """Given arrivals at any time, each player sits at one table, in order, within the bot-fill wait."""
    queue, seated = Queue(seats, bot_fill_ms=8000), dict[str, int]()
    for number, arrival in enumerate(sorted(arrivals)):
        # Time only moves when something happens: look at each moment at which bots must fill up.
        while (fill_at := queue.fill_at_ms()) is not None and fill_at <= arrival:
            players = queue.pop_table(fill_at)
            assert 0 < len(players) < seats
            seated |= dict.fromkeys(players, fill_at)
        queue.add(Ticket(f"p-{number}", arrival))
        while players := queue.pop_table(arrival):
            assert len(players) == seats
            seated |= dict.fromkeys(players, arrival)
    while (fill_at := queue.fill_at_ms()) is not None:
        seated |= dict.fromkeys(queue.pop_table(fill_at), fill_at)

    assert list(seated) == [f"p-{number}" for number in range(len(arrivals))]
    waits = [seated[f"p-{number}"] - arrival for number, arrival in enumerate(sorted(arrivals))]
    assert all(0 <= wait <= 8000 for wait in waits)


def test_a_player_has_one_place_however_often_asked() -> None:
    """Given five taps at once, the player still waits once."""
    queue = Queue(2, bot_fill_ms=8000)
    for _ in range(5):
        queue.add(Ticket("p-1", 0))

    assert len(queue) == 1
    assert queue.pop_table(0) == []


def test_who_leaves_is_not_seated() -> None:
    """Given one of two who wait leaves, the other is not paired with a ghost."""
    queue = Queue(2, bot_fill_ms=8000)
    queue.add(Ticket("p-1", 0))
    queue.remove("p-1")
    queue.add(Ticket("p-2", 10))

    assert queue.pop_table(10) == []
    assert queue.pop_table(8010) == ["p-2"]
