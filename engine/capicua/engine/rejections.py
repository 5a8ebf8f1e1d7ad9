"""Why the engine refuses a command: a closed list, tested in this order (R-80)."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class RejectReason(StrEnum):
    """The codes of R-80 in the order in which they are tested, then those against a seed in theirs."""

    GAME_OVER = "game_over"
    ROUND_OVER = "round_over"
    NOT_YOUR_TURN = "not_your_turn"
    NO_DRAW_IN_VARIANT = "no_draw_in_variant"
    MUST_PLAY = "must_play"
    BONEYARD_RESERVED = "boneyard_reserved"
    TILE_NOT_IN_HAND = "tile_not_in_hand"
    MUST_LEAD_TILE = "must_lead_tile"
    MUST_COVER_DOUBLE = "must_cover_double"
    TRAIN_PRIVATE = "train_private"
    END_NOT_OPEN = "end_not_open"
    NO_MATCH = "no_match"
    SEED_NOT_DUE = "seed_not_due"
    SEED_GIVEN = "seed_given"
    SEED_USED = "seed_used"


class Rejection(msgspec.Struct, frozen=True, gc=False):
    """A refused command. The state is as it was."""

    reason: RejectReason
