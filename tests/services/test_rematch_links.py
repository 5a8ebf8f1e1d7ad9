"""A rematch whose people are at different gateways, and whose matchmaker dies."""

from __future__ import annotations

import asyncio

from capicua.api.v1.update_pb2 import Refusal, RematchOffered
from capicua.gateway.offers import Offers
from capicua.links.installation import Held
from capicua.runtime.shard import shard_of
from kit.eventually import eventually
from kit.matchmakers import Matchmakers
from kit.room import person


async def test_all_gateways_lead_to_one_table() -> None:
    """Given two ask at once at two gateways, and the third only after the tables have another owner: one game."""
    there = Matchmakers(bot_fill=60)
    await there.start(2)
    game_id = await there.actor.start("block", 3)
    await there.actor.play(game_id, 10_000)
    told: list[tuple[str, RematchOffered]] = []
    offers = Offers(lambda player_id, offer: told.append((player_id, offer)))
    there.gateways[1].on_offers(offers.hear)
    first = await there.take_tickets("first")
    first.taken(shard_of(game_id), Held(1, 0))
    asked = await asyncio.gather(*(there.gateways[n].rematch(person(n), game_id, n == 0) for n in range(2)))
    tables = [each[0] for each in asked if not isinstance(each, Refusal)]
    assert len(tables) == 2
    assert tables[0].table_id == tables[1].table_id
    await eventually(lambda: [len(offer.agreed) for offer in offers.of("p-2")] == [2])

    await there.kill("first")
    await eventually(lambda: not offers.of("p-2"))
    second = await there.take_tickets("second")
    second.taken(shard_of(game_id), Held(2, 0))
    await eventually(lambda: [offer.table_id for offer in offers.of("p-2")] == [tables[0].table_id])
    last = await there.gateways[0].rematch(person(2), game_id, True)
    assert not isinstance(last, Refusal)
    assert (last[0].table_id, bool(last[0].game_id)) == (tables[0].table_id, True)
    await eventually(lambda: told[-1] == ("p-2", RematchOffered(game_id=game_id)))
    assert not any(map(offers.of, ("p-0", "p-1", "p-2")))
    await there.stop()
