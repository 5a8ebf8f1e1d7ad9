"""What a client folds is what the server would show it."""

from __future__ import annotations

import pytest

from capicua.api.v1.update_pb2 import View
from capicua.client import apply
from capicua.engine import VARIANTS
from capicua.store.memory_store import MemoryStore
from kit.actor import Actor, Eyes


def folded(eyes: Eyes) -> View:
    """The view of somebody who was shown these frames."""
    view = View()
    for frame in eyes.frames:
        if frame.HasField("reset"):
            view.CopyFrom(frame.reset.view)
        else:
            apply(view, frame.update)
    return view


@pytest.mark.parametrize("variant", VARIANTS)
async def test_a_folded_view_equals_the_servers_at_every_seq(variant: str) -> None:
    """From any seat and for a spectator, in every variant, after every append of a whole round."""
    actor = Actor(MemoryStore())
    seats = VARIANTS[variant].seats[0]
    game_id = await actor.start(variant, seats)
    players = [f"p-{seat}" for seat in range(seats)] + ["nobody"]
    eyes = {player: actor.watch(player, game_id) for player in players}
    for number in range(80):
        for player in players:
            shown = await actor.view(player, game_id)
            # Updates do not tell who else looks on.
            shown.ClearField("spectators")
            assert shown == folded(eyes[player])
        if not await actor.play(game_id, 1, first=number):
            return
