"""`capicua status`: the processes of an installation, and what each has to do."""

from __future__ import annotations

import argparse
import asyncio
import sys
from dataclasses import astuple, dataclass

from capicua.cli.cluster import running_cluster
from capicua.internal.v1.game_actor_service_pb2 import GetStatsRequest, GetStatsResponse
from capicua.links.installation import Installation, per_owner
from capicua.links.leases import read_installation
from capicua.links.link import Link
from capicua.links.link_server import link_token
from capicua.runtime.loop import run as run_loop
from capicua.runtime.shard import SHARDS
from capicua.store.redis_store import open_store
from capicua.store.store import StoreUnavailable

MEASURED_SECONDS = 1.0
ANSWER_SECONDS = 2.0
ACTOR = "game-actor"
_FORM = "{:14} {:22} {:>8} {:8} {:>6} {:>6} {:>8} {:>8}"


@dataclass
class Load:
    """What one game-actor does: running games, accepted moves a second, viewers."""

    games: int = 0
    moves_per_second: float = 0
    viewers: int = 0


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "status",
        help="show the processes of an installation and what each has to do",
        description="Reads the table of processes from the store and asks each game-actor for its figures. The exit "
        "code is 1 if a shard has no owner.",
        epilog="example: capicua status --store redis://store:6379",
    )
    parser.add_argument("--store", default="", help="URL of the store (default: that of a running `capicua cluster`)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Look and print."""
    try:
        return run_loop(status(arguments.store or running_cluster().read_text()))
    except FileNotFoundError:
        print("capicua status: no `capicua cluster` runs here: name a store with --store", file=sys.stderr)
        return 2
    except (RuntimeError, ValueError, StoreUnavailable) as failure:
        print(f"capicua status: {failure}", file=sys.stderr)
        return 1


async def status(url: str) -> int:
    """Print what the installation on this store does; gives the exit code. Raises as `open_store` does."""
    store = await open_store(url)
    try:
        now_ms, table = await read_installation(store)
        token = link_token(await store.secret("link"))
    finally:
        await store.close()
    # A server that is everything in one process has no address for others.
    actors = {name: member.address for name, member in table.of(ACTOR).items() if member.address}
    found = await asyncio.gather(*(_load(address, token) for address in actors.values()))
    print(describe(table, now_ms, dict(zip(actors, found, strict=True))))
    return 1 if unowned(table, now_ms) else 0


def unowned(table: Installation, now_ms: int) -> dict[str, int]:
    """How many shards of each role have no owner that lives; roles without any such are left out."""
    living = {name for name, member in table.members.items() if member.until_ms > now_ms}
    counts = {ACTOR: SHARDS} | {
        role: sum(count for owner, count in per_owner(table, role).items() if owner not in living)
        for role in table.shards
    }
    return {role: count for role, count in counts.items() if count}


def describe(table: Installation, now_ms: int, loads: dict[str, Load | None]) -> str:
    """The table in words; `loads` are those of the game-actors by name, None for one that did not answer."""
    lines = [_FORM.format("ROLE", "ADDRESS", "SEEN", "", "SHARDS", "GAMES", "MOVES/S", "VIEWERS").rstrip()]
    for name, member in sorted(table.members.items(), key=lambda item: (item[1].role, item[1].address, item[0])):
        seen = f"{max(0, now_ms - member.alive_ms) / 1000:.1f} s"
        shards = per_owner(table, member.role).get(name, "")
        place = (member.role, member.address, seen, "draining" if member.draining else "", shards)
        lines.append(_FORM.format(*place, *(_figures(loads[name]) if name in loads else ("", "", ""))).rstrip())
    known = [load for load in loads.values() if load is not None]
    total = Load(*(sum(column) for column in zip(*map(astuple, known), strict=True))) if known else Load()
    lines.append(_FORM.format("total", f"{len(table.members)} processes", "", "", "", *_figures(total)))
    lines += [f"{count} shards of {role} have no owner" for role, count in unowned(table, now_ms).items()]
    return "\n".join(lines)


def _figures(load: Load | None) -> tuple[object, object, object]:
    return ("no", "answer", "") if load is None else (load.games, f"{load.moves_per_second:.1f}", load.viewers)


async def _load(address: str, token: bytes) -> Load | None:
    """Figures of one game-actor over MEASURED_SECONDS; None if it does not answer."""
    try:
        async with asyncio.timeout(ANSWER_SECONDS + MEASURED_SECONDS):
            link = await Link.connect(address, token, lambda _: None)
            try:
                before = await _stats(link)
                await asyncio.sleep(MEASURED_SECONDS)
                after = await _stats(link)
            finally:
                link.close()
    except (OSError, TimeoutError):
        return None
    return Load(after.games, max(0, after.moves - before.moves) / MEASURED_SECONDS, after.viewers)


async def _stats(link: Link) -> GetStatsResponse:
    answered: asyncio.Future[GetStatsResponse] = asyncio.get_running_loop().create_future()

    def ended(_: object) -> None:
        if not answered.done():
            answered.set_exception(ConnectionError("the link broke"))

    request = GetStatsRequest().SerializeToString()
    link.call("GetStats", request, lambda data, _: answered.set_result(GetStatsResponse.FromString(data)), ended)
    return await answered
