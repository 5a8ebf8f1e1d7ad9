"""The wheel finds every deadline that has passed, and no other (I-8)."""

from hypothesis import given
from hypothesis import strategies as st

from capicua.timer.wheel import Wheel

GAMES = st.sampled_from(["g-a", "g-b", "g-c"])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("schedule"), GAMES, st.integers(0, 100)),
        st.tuples(st.just("cancel"), GAMES, st.just(0)),
        st.tuples(st.just("pass"), st.just(""), st.integers(0, 30)),
    ),
    max_size=60,
)


@given(STEPS)
def test_pops_exactly_what_a_plain_dictionary_would(steps: list[tuple[str, str, int]]) -> None:
    """Given any mix of moved, earlier and cancelled deadlines, when time passes, then all due ones come out once."""
    wheel, plain, now = Wheel(), dict[str, tuple[int, int]](), 0
    for seq, (kind, game, number) in enumerate(steps):
        if kind == "schedule":
            wheel.schedule(game, seq, now + number)
            plain[game] = (now + number, seq)
        elif kind == "cancel":
            wheel.cancel(game)
            plain.pop(game, None)
        else:
            now += number
            due = {(game, turn) for game, (at, turn) in plain.items() if at <= now}
            plain = {game: (at, turn) for game, (at, turn) in plain.items() if at > now}

            assert set(wheel.pop_due(now)) == due
        look = wheel.next_look_ms()

        assert not plain or (look is not None and look <= min(at for at, _ in plain.values()))


def test_a_game_that_moves_on_keeps_one_heap_entry() -> None:
    """A thousand turns that end in time must not leave a thousand entries behind."""
    wheel = Wheel()
    for turn in range(1000):
        wheel.schedule("g-a", turn, 30_000 + turn)

    assert len(wheel) == 1
    assert wheel.pop_due(30_998) == []
    assert wheel.pop_due(30_999) == [("g-a", 999)]
    assert wheel.next_look_ms() is None
