"""A state written down whole, so that a long game need not be folded from its first event (I-5)."""

from __future__ import annotations

from zlib import crc32

import msgspec

from capicua.engine.state import GameState

STATE_VERSION = crc32(msgspec.json.encode(msgspec.json.schema(GameState), order="deterministic"))
"""Another number for each form of the state, 0 to 2³² - 1: fields that came, went or changed their type."""


def write_state(state: GameState) -> bytes:
    """The state as JSON: masks of large tile sets are wider than the integers of other encodings."""
    return msgspec.json.encode(state)


def read_state(data: bytes) -> GameState:
    """The state that `write_state` wrote under the same STATE_VERSION. Raises ValueError for what can be none."""
    return msgspec.json.decode(data, type=GameState)
