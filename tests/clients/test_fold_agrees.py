"""What a client folds is what the server would show it."""

from __future__ import annotations

import random

import pytest

from capicua.api.v1.types_pb2 import GAME_STATE_RUNNING
from capicua.api.v1.update_pb2 import View
from capicua.client import apply
from capicua.client.fold import present
from capicua.engine import VARIANTS
from capicua.game_actor import presence
from capicua.store.memory_store import MemoryStore
from kit.actor import Actor, Eyes
from kit.eventually import eventually, until


def folded(eyes: Eyes) -> View:
    """The view of somebody who was shown these frames."""
    view = View()
    for frame in eyes.frames:
        if frame.HasField("reset"):
            view.CopyFrom(frame.reset.view)
        elif frame.HasField("presence"):
            present(view, frame.presence)
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


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("variant", ["draw", "partners_200", "mexican_train", "all_fives"])
async def test_who_is_there_is_folded_too(variant: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever turns expire, whoever quits, drops and comes back, views stay equal: dropped, away, quit and hands."""
    monkeypatch.setattr(presence, "GRACE_SECONDS", 0)
    monkeypatch.setattr(presence, "ARRIVAL_SECONDS", 0)
    chance, actor = random.Random(f"{variant} {seed}"), Actor(MemoryStore())
    seats = VARIANTS[variant].seats[-1]
    # How soon a usual game is over lies in the deal.
    game_id = await actor.start(variant, seats, target=20 if variant == "mexican_train" else 10_000)
    players = [f"p-{seat}" for seat in range(seats)] + ["nobody"]
    eyes = {player: actor.watch(player, game_id) for player in players}
    looking, met = {*players}, set[str]()
    for number in range(60):
        player, step = chance.choice(players), chance.choice(["play", "expire", "expire", "expire", "quit", "look"])
        if step == "quit" and number < 30:
            step = "play"
        if number == 50:
            player, step = "p-0", "quit"
        match step:
            case "play":
                await actor.play(game_id, 1, first=number)
            case "expire" if game_id in actor.timer.due:
                expired = actor.timer.due[game_id]
                actor.expire(game_id)
                await eventually(lambda expired=expired: actor.timer.due.get(game_id) != expired)  # type: ignore[misc]
            case "quit":
                await actor.quit(player, game_id)
            case "look" if player in looking:
                looking.remove(player)
                actor.service.unwatch(eyes[player], game_id)
            case "look":
                looking.add(player)
                actor.service.watch(eyes[player], game_id, folded(eyes[player]).seq)
        for player in looking:

            async def agrees(player: str = player) -> bool:
                shown, here = await actor.view(player, game_id), folded(eyes[player])
                met.update(what for what in ("dropped", "away") if getattr(shown, what))
                met.update("quit" for seat in shown.seats if seat.quit)
                shown.spectators = here.spectators
                return shown == here or shown.state != GAME_STATE_RUNNING

            # Who comes back is brought up to date from the log, and drops are told a moment later.
            await until(agrees)
    assert met == {"dropped", "away", "quit"}
