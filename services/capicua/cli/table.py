"""Waiting at a table, as its host or as one who joins it."""

from __future__ import annotations

import asyncio

from capicua.api.v1.table_service_pb2 import Table
from capicua.api.v1.types_pb2 import GameOptions, TableOptions
from capicua.cli.keyboard import Keyboard
from capicua.client import Client, Refused


async def host(client: Client, options: GameOptions, table_options: TableOptions, keyboard: Keyboard) -> str:
    """Make a table and begin when told to; gives the id of the game, or "" if the host leaves instead."""
    table = await client.create_table(options, table_options)
    print(f"Your table has the code {table.code}: others join with  capicua play --code {table.code}")
    if table_options.public:
        print(f"It is in the lobby: others may also join with  capicua play --table {table.table_id}")
    print("Type start to begin (bots take the free seats), or q to leave.", flush=True)
    return await begin(client, table.table_id, keyboard)


async def join(client: Client, keyboard: Keyboard, *, code: str = "", table_id: str = "") -> str:
    """Sit down at the table with this id, code or link and wait; gives the id of its game, or "" if left as host."""
    table_id = (await client.join_table(code, table_id=table_id)).table.table_id
    print("Waiting for the host to begin (Ctrl-C to leave).", flush=True)
    try:
        async for table in client.watch_table(table_id):
            if table.game_id:
                return table.game_id
            _print_people(table)
            if table.seats[table.host_seat].player_id == client.player_id:
                print("The host left, so you are the host now: type start to begin, or q to leave.", flush=True)
                return await begin(client, table_id, keyboard)
    except asyncio.CancelledError:
        await client.leave_table(table_id)
        raise
    raise ConnectionError("the table was closed")


async def begin(client: Client, table_id: str, keyboard: Keyboard) -> str:
    """Wait at a table and take orders; gives the id of its game, or "" if the seat was given up."""
    changes = asyncio.create_task(_game_of(client, table_id))
    orders = asyncio.create_task(_orders(client, table_id, keyboard))
    try:
        await asyncio.wait({changes, orders}, return_when=asyncio.FIRST_COMPLETED)
        return orders.result() if orders.done() else changes.result()
    finally:
        changes.cancel()
        orders.cancel()


async def _orders(client: Client, table_id: str, keyboard: Keyboard) -> str:
    while (line := await keyboard.line()) not in (None, "q"):
        if line != "start":
            print("Type start or q.", flush=True)
            continue
        try:
            return (await client.start_table(table_id)).game_id
        except Refused as no:
            print(no, flush=True)
    await client.leave_table(table_id)
    return ""


async def _game_of(client: Client, table_id: str) -> str:
    """Tell who sits down and who leaves, until the game begins."""
    async for table in client.watch_table(table_id):
        if table.game_id:
            return table.game_id
        _print_people(table)
    raise ConnectionError("the table was closed")


def _print_people(table: Table) -> None:
    names = [seat.name or "(free)" for seat in table.seats]
    for seat in table.awaited:
        names[seat] += " (asked)"
    print(f"At the table: {', '.join(names)}; {table.seats[table.host_seat].name} is the host", flush=True)
