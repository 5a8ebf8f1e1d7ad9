"""Tiles look like tiles, in every size."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from capicua.engine import PIPS
from capicua.tui.cut import Cut, cuts
from capicua.tui.profile import Tiles
from capicua.tui.tiles import Mark, face

KNOWN = [
    (highest, tiles, cut) for highest in (6, 9, 12) for tiles in ("boxes", "unicode") for cut in cuts(highest, tiles)
]


@pytest.mark.parametrize(("highest", "tiles", "cut"), KNOWN)
def test_a_tile_fills_its_place(highest: int, tiles: Tiles, cut: Cut) -> None:
    """Every tile of the set, either way round, is as wide and as high as its size says."""
    for high, low in PIPS:
        if high > highest:
            continue
        for upright, area in ((False, cut.flat), (True, cut.upright)):
            for mark in Mark:
                rows = face(high, low, cut, upright, mark)

                assert len(rows) == area.height
                assert {cell_len(row) for row in rows} == {area.width}
                assert area.height % 2


@pytest.mark.parametrize("number", range(13))
def test_numbers_are_pips_where_there_is_room(number: int) -> None:
    """A half shows as many pips as its number, lying and standing."""
    pips = cuts(12, "boxes")[0]

    for upright in (False, True):
        assert "".join(face(number, 0, pips, upright)).count("●") == number


def test_faces_as_they_are_seen() -> None:
    """The lying six-three and the standing twelve-seven, in their sizes."""
    pips, boxes, flat, _ = cuts(12, "boxes")
    assert face(6, 3, pips, False) == [
        "┌─────┬─────┐",
        "│● ● ●│●    │",
        "│     │  ●  │",
        "│● ● ●│    ●│",
        "└─────┴─────┘",
    ]
    assert face(12, 7, boxes, True, Mark.LAST) == ["╔══╗", "║12║", "╠══╣", "║ 7║", "╚══╝"]
    assert face(12, 7, flat, True) == ["┌12┐", "├──┤", "└─7┘"]
    assert face(12, 7, flat, False, Mark.LAST) == ["{12|7 }"]
    assert face(6, 3, cuts(6, "unicode")[0], False) == ["🁞 "]
    assert face(6, 3, cuts(6, "unicode")[0], False, Mark.LAST) == ["🁞*"]
