"""Another game with the same people, asked for or agreed to at the end of one."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from capicua.cli.keyboard import Keyboard
from capicua.cli.table import begin
from capicua.client import Client, Refused, Unreachable


async def again(client: Client, keyboard: Keyboard, game_id: str) -> str:
    """Ask whether to play on after a finished game; gives the id of the next one, or "" if it was declined."""
    print("Another game? Type again, or turn to move everybody on by one seat; anything else leaves.", flush=True)
    offers = asyncio.create_task(_tell_offers(client, game_id))
    try:
        line = await keyboard.line()
        if line not in ("again", "turn"):
            await _decline(client, game_id)
            return ""
        table = (await client.rematch(game_id, turned=line == "turn")).table
    except Refused as no:
        print(no, flush=True)
        return ""
    finally:
        offers.cancel()
    if table.game_id:
        return table.game_id
    print("The game begins when all have agreed. Others may take the place of who does not want it:")
    print(f"  capicua play --code {table.code}")
    print("The host may type start to begin with bots instead; q leaves.", flush=True)
    return await begin(client, table.table_id, keyboard)


async def _tell_offers(client: Client, game_id: str) -> None:
    # Who is cut off can still be asked, and will hear why.
    with suppress(Refused, Unreachable):
        async for offer in client.offers():
            if offer.game_id == game_id and offer.table_id:
                names = ", ".join(seat.name for seat in offer.agreed)
                print(f"Wants another game: {names}. Type again to agree.", flush=True)


async def _decline(client: Client, game_id: str) -> None:
    for offer in client.standing_offers:
        if offer.game_id == game_id:
            await client.leave_table(offer.table_id)
