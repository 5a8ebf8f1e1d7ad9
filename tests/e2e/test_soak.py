"""What `make soak` does for hours, in seconds: nothing is left over, and nobody waits for those who do not read."""

from __future__ import annotations

from e2e.soak import NOBODY_PAIRED, Finding, games, one_process, several_processes, slow_readers, storm, streams

GROSS = 1.3
"""So little is done that memory has not settled; only what is kept of every stream or game would show."""


def quietly(progress: str) -> None:
    """Nobody looks on."""


def broken(findings: list[Finding]) -> list[Finding]:
    """Those promises that were not kept."""
    return [finding for finding in findings if not finding.kept]


async def test_streams_leave_nothing_behind_in_one_process() -> None:
    """Every kind of stream, ended in every way, half of them without a goodbye."""
    with one_process(*NOBODY_PAIRED) as (address, patient):
        assert broken(await streams(patient, address, 160, 40, quietly, GROSS)) == []


async def test_streams_leave_nothing_behind_in_several_processes() -> None:
    """The same where every service is a process: neither at the gateway nor where its calls go."""
    async with several_processes() as (address, patient):
        assert broken(await streams(patient, address, 160, 40, quietly, GROSS)) == []


async def test_games_leave_nothing_behind() -> None:
    """Every variant from start to end: memory, connections and the store are as before."""
    with one_process("--bot-fill", "0") as (address, patient):
        assert broken(await games(patient, address, 34, 4, quietly, GROSS)) == []


async def test_slow_readers_are_cut_and_come_back() -> None:
    """RESYNC past the bound, then no gap; who reads is told at once."""
    with one_process() as (address, patient):
        assert broken(await slow_readers(patient, address, 2)) == []


async def test_a_crowd_is_served_while_another_table_plays() -> None:
    """How much slower it plays is for `make soak` to say: here other tests have the processors too."""
    with one_process() as (address, _):
        (finding,) = await storm(address, 50, 1, 1, quietly)

    assert " with 0 updates/s" not in finding.found
