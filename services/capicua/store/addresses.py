"""Where several servers are: the hosts of one URL."""

from __future__ import annotations

Address = tuple[str, int]
"""Host and port."""


def addresses(netloc: str, default_port: int) -> list[Address]:
    """The servers of a URL's `[user[:password]@]host[:port][,host[:port]…]`; an IPv6 host is in brackets.

    Raises ValueError for one that is none.
    """
    return [_address(text, default_port) for text in netloc.rpartition("@")[2].split(",")]


def _address(text: str, default_port: int) -> Address:
    host, colon, port = text.rpartition(":")
    if not colon or port.endswith("]"):
        host, port = text, str(default_port)
    if not host or not port.isdecimal():
        raise ValueError(f"{text!r} is no host:port")
    return host.strip("[]"), int(port)
