"""Which figures a server process shows, by the names in docs/operations.md. Read when asked for, never told."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from importlib import metadata

from prometheus_client import Metric
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
)

from capicua.game_actor.service import GameActorService
from capicua.gateway.bind import Gateway
from capicua.links.leases import Leases
from capicua.matchmaking.service import MatchmakingService
from capicua.runtime.histogram import Histogram
from capicua.timer.remote import RemoteTimer
from capicua.timer.service import TimerService


def of_leases(leases: Leases) -> Iterator[Metric]:
    """What every process has: a place in the installation, and its share of shards."""
    yield InfoMetricFamily("capicua", "This process.", {"version": metadata.version("capicua"), "service": leases.role})
    yield _gauge("store_connected", "1 while the store takes this process's signs of life.", leases.beating)
    yield _gauge("tasks", "Tasks of the event loop that have not ended.", len(asyncio.all_tasks()))
    shards = GaugeMetricFamily("capicua_shards", "Shards that this process owns.", labels=["service"])
    shards.add_metric([leases.role], len(leases.held))
    yield shards


def of_actor(actor: GameActorService) -> Iterator[Metric]:
    """Games, their viewers and their commands."""
    stats, figures = actor.stats(), actor.figures
    yield _gauge("games", "Running games.", stats.games)
    yield _gauge("viewers", "Viewers of running games, players and spectators.", stats.viewers)
    yield _gauge("shards_loading", "Shards owned whose games are still being loaded.", actor.shards.loading)
    yield _counter("moves", "Commands whose events were appended.", stats.moves)
    yield _counters("commands", "Commands that reached their game.", ("command", "outcome"), figures.commands)
    yield _histogram("command_seconds", "From a command's arrival to its answer.", figures.command_us)
    yield _histogram("append_seconds", "From an append to what became of it in the store.", figures.append_us)
    yield _counter("games_taken_over", "Games loaded from their logs.", figures.games_taken_over)
    yield _gauge("games_to_archive", "Finished games that have still to leave the store.", len(actor.archivist))


def of_gateway(gateway: Gateway) -> Iterator[Metric]:
    """Clients."""
    yield _gauge("sessions", "Open sessions.", gateway.sessions)
    yield _counters("calls_refused", "Calls that ended with a refusal.", ("method", "reason"), gateway.refused)


def of_matchmaking(matchmaking: MatchmakingService) -> Iterator[Metric]:
    """Who waits for a game."""
    yield _gauge("tickets", "Quick matches that wait for a seat.", matchmaking.tickets)
    yield _gauge("waiting_tables", "Tables that have not started.", matchmaking.waiting_tables)


def of_timer(timer: TimerService | RemoteTimer) -> Iterator[Metric]:
    """Turns that run."""
    yield _gauge("deadlines", "Deadlines that this process watches.", timer.deadlines)


def _gauge(name: str, help_text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"capicua_{name}", help_text, value)


def _counter(name: str, help_text: str, value: float) -> Metric:
    return CounterMetricFamily(f"capicua_{name}", help_text, value)


def _counters(name: str, help_text: str, labels: tuple[str, str], values: Mapping[tuple[str, str], int]) -> Metric:
    family = CounterMetricFamily(f"capicua_{name}", help_text, labels=labels)
    for key, value in values.items():
        family.add_metric(key, value)
    return family


def _histogram(name: str, help_text: str, lengths: Histogram) -> Metric:
    return HistogramMetricFamily(f"capicua_{name}", help_text, lengths.buckets(), lengths.total_us / 1e6)
