"""Settings: command line first, then the environment (CAPICUA_…), then a sane default."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

DEFAULT_ADDRESS = "127.0.0.1:7600"
LEASE_SECONDS = 2.0


def data_folder() -> str:
    """The user's data folder for Capicua (XDG base directories)."""
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return str(Path(base) / "capicua")


def address(text: str) -> str:
    """`text` if it is "host:port" with a port up to 65535; raises what argparse turns into a usage error."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no address: write host:port, for example {DEFAULT_ADDRESS}")
    return text


def count(text: str) -> int:
    """`text` as a number of things, 1 or more."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} must be 1 or more")
    return int(text)


def whole(text: str) -> int:
    """`text` as a whole number, 0 or more."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} must be 0 or more")
    return int(text)


def one_of(*names: str) -> Callable[[str], str]:
    """The type of a setting that takes one of `names`; argparse lets its own `choices` pass by in a default."""

    def known(text: str) -> str:
        if text not in names:
            raise argparse.ArgumentTypeError(f"{text!r} must be {' or '.join(names)}")
        return text

    return known


def add_server(parser: argparse.ArgumentParser) -> None:
    """Give `parser` the options that say where the server is, and how to speak to it."""
    help_text = f"host:port (default {DEFAULT_ADDRESS})"
    parser.add_argument("--server", type=address, default=DEFAULT_ADDRESS, metavar="ADDRESS", help=help_text)
    parser.add_argument("--tls", action="store_true", help="encrypt, and have the server prove its name")


def seconds(text: str) -> float:
    """`text` as a number of seconds, 0 or more."""
    value = float(text)
    if not value >= 0:
        raise argparse.ArgumentTypeError(f"{text} seconds cannot be")
    return value


def _setting(help_text: str, default: Any, **more: Any) -> Any:
    return field(default=default, metadata={"help": help_text, **more})


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """What `capicua serve` can be told."""

    listen: str = _setting("address for gRPC clients; port 0 takes a free one", DEFAULT_ADDRESS, type=address)
    store: str = _setting("URL of the store (redis, rediss, unix, redis+sentinel, redis+cluster); none starts one", "")
    data: str = _setting("folder of the embedded store", "", shown="the user's data folder")
    durability: str = _setting(
        "how often the embedded store writes to disk", "everysec", choices=("everysec", "always")
    )
    replicas: int = _setting("replicas of the store that must have a move before it is accepted", 0, type=whole)
    archive: str = _setting(
        "URL of the archive of finished games (sqlite, postgresql)", "", shown="a file beside the embedded store"
    )
    bot_fill: float = _setting("seconds a quick match waits before bots fill the free seats", 8.0, type=seconds)
    bot_pause: float = _setting("seconds a bot thinks before it plays", 0.8, type=seconds)
    internal: str = _setting("address for the other processes, where there are several", "127.0.0.1:0", type=address)
    advertise: str = _setting("host at which the other processes reach this one", "", shown="that of the address")
    lease: float = _setting("seconds without a sign of life after which others take over", LEASE_SECONDS, type=seconds)
    tls_cert: str = _setting("PEM file of the certificate for TLS with clients, and its chain", "")
    tls_key: str = _setting("PEM file of its key", "")
    metrics: str | None = _setting("address for /metrics, /healthz and /readyz", None, shown="none", type=address)
    log_format: str = _setting("how log lines are written", "console", choices=("json", "console"))
    log_level: str = _setting("least level that is logged", "info", choices=("debug", "info", "warning"))


def add_arguments(parser: argparse.ArgumentParser, settings: type[ServeSettings]) -> None:
    """Give `parser` one option for each setting."""
    for item in fields(settings):
        meta = item.metadata
        variable = f"CAPICUA_{item.name.upper()}"
        shown = meta.get("shown", item.default)
        default = f"default {shown}, or " if shown != "" else ""
        parser.add_argument(
            f"--{item.name.replace('_', '-')}",
            type=one_of(*meta["choices"]) if "choices" in meta else meta.get("type", str),
            choices=meta.get("choices"),
            default=os.environ.get(variable, item.default),
            help=f"{meta['help']} ({default}${variable})",
        )
