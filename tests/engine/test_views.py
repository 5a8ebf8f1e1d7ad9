"""What each viewer is shown of a round (R-143 to R-160)."""

from __future__ import annotations

from typing import Any

import pytest

from capicua.engine import NAMES, see
from capicua.engine.view import SeenDeal, SeenDraw, SeenPlay, SeenRoundEnd
from kit.vectors import VECTORS, events_of, load

EXAMPLE = load("views_example.json")


def _shown(viewer: int | None) -> list[dict[str, Any]]:
    """The round as `viewer` sees it, in the form of the example."""
    facts: list[dict[str, Any]] = []
    for event, state in events_of(VECTORS[EXAMPLE["vector"]]):
        seen = see(event, state, viewer)
        match seen:
            case SeenDeal():
                deal: dict[str, Any] = {"type": "deal", "hand_sizes": list(seen.hand_sizes)}
                deal["boneyard"] = seen.boneyard_size
                if seen.hand:
                    deal["your_hand"] = [NAMES[tile] for tile in seen.hand]
                forced = None if seen.forced_lead is None else NAMES[seen.forced_lead]
                facts += [deal, {"type": "lead", "seat": seen.opener, "by": seen.opener_by, "forced": forced}]
            case SeenPlay():
                play = {"type": "play", "seat": seen.seat, "hand_size": seen.hand_size}
                play |= {"boneyard": state.boneyard_size, "tile": NAMES[seen.tile], "end": seen.end}
                facts.append(play | {"ends": dict(seen.ends), "scores": list(seen.scores)})
            case SeenDraw():
                draw = {"type": "draw", "seat": seen.seat, "hand_size": seen.hand_size, "boneyard": seen.boneyard_size}
                facts.append(draw | ({"tile": NAMES[seen.tile]} if seen.tile is not None else {}))
            case SeenRoundEnd():
                end: dict[str, Any] = {"type": "round_end", "reason": seen.reason, "winner": seen.winner_seat}
                end |= {"revealed": [[NAMES[tile] for tile in hand] for hand in seen.revealed]}
                end |= {"hand_pips": list(seen.hand_pips), "awarded": seen.awarded, "scores": list(seen.scores)}
                facts.append(end)
    return facts


@pytest.mark.parametrize(("name", "viewer"), [("seat0", 0), ("seat1", 1), ("spectator", None)])
def test_each_viewer_sees_its_part_of_the_example(name: str, viewer: int | None) -> None:
    """R-160: the three views of one round."""
    assert _shown(viewer) == EXAMPLE[name]
