"""What the table shows fits its window, in every language and for every variant."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from capicua.api.v1.types_pb2 import Play, Tile
from capicua.api.v1.update_pb2 import View
from capicua.engine import VARIANTS, Variant
from capicua.game_actor.api_codec import view
from capicua.log.v1 import entry_pb2 as log
from capicua.tui import words
from capicua.tui.canvas import fit
from capicua.tui.profile import Tiles
from capicua.tui.scene import PARTS, Scene, draw_scene, rows
from kit.games import random_game

NAMES = ("Ana", "Бронислава Михайлова", "דוד בן־גוריון", "Żółć", "\u202egnitset", "七七七七七七七七", "é" * 20, "Hugo")
PLAYED = st.tuples(st.sampled_from([(v, n) for v in VARIANTS.values() for n in v.seats]), st.integers(0, 2**32))
SIZES = ((80, 24), (120, 40))


def looked_at(variant: Variant, seats: int, seed: int) -> Iterator[View]:
    """Some moments of a random round, from the seat that is to act."""
    facts = log.GameStarted(
        variant=variant.key,
        seats=seats,
        turn_ms=30_000,
        pairs=variant.pairs(seats),
        players=[log.Player(name=name) for name in NAMES[:seats]],
    )
    for number, (_, state) in enumerate(random_game(variant, seats, seed, rounds=1)):
        if number % 11 == 0:
            yield view("", facts, state, state.turn)


@pytest.mark.parametrize("language", words.LANGUAGES)
@settings(max_examples=15)
@given(PLAYED, st.sampled_from(SIZES), st.sampled_from(["boxes", "unicode"]))
def test_every_row_fits(
    language: str, played: tuple[tuple[Variant, int], int], size: tuple[int, int], tiles: Tiles
) -> None:
    """No part is wider than the window, and all together are as high, but for a chain that is scrolled."""
    words.speak(language)
    (variant, seats), seed = played
    width, height = size
    for seen in looked_at(variant, seats, seed):
        chosen = seen.legal[0].tile if seen.legal else None
        choices = [play for play in seen.legal if play.tile == chosen]
        scene = Scene(seen, 3.0, ["told " * 9] * 5, {0: "[6|4]"}, chosen, choices, "prompt", "keys")

        drawn, first = draw_scene(scene, width, height, tiles)

        assert set(drawn) == set(PARTS)
        for text in drawn.values():
            assert all(cell_len(line) <= width for line in text.plain.split("\n"))
        fixed = sum(rows(text) for part, text in drawn.items() if part != "chain")
        assert fixed + 1 <= height
        assert 0 <= first <= max(0, rows(drawn["chain"]) - (height - fixed))
        assert fixed + rows(drawn["chain"]) >= height


@given(st.text(max_size=40), st.integers(0, 30))
def test_words_are_fitted_to_their_room(told: str, room: int) -> None:
    """Exactly as wide as the room, whatever the script."""
    if "\n" not in told:
        assert cell_len(fit(told, room)) == room


def test_what_can_be_played_is_told_without_colours() -> None:
    """A playable tile has its key below, the chosen one a frame of its own; the place has its key on it."""
    six_four, six_six = Tile(high=6, low=4), Tile(high=6, low=6)
    seen = View(hand=[six_four, six_six], legal=[Play(tile=six_four, end="L"), Play(tile=six_four, end="R")])
    seen.layout.add(seat=0, play=Play(tile=Tile(high=6, low=4), end="-"))
    seen.options.variant = "block"

    drawn, _ = draw_scene(Scene(seen, chosen=six_four, choices=seen.legal), 80, 24, "boxes")

    assert drawn["hand"].plain.split("\n")[-1].split() == ["1"]
    assert "╔6╗" in drawn["hand"].plain
    assert "┌6┐" in drawn["hand"].plain
    assert {"1", "2"} < set(drawn["chain"].plain)


@given(
    st.sampled_from([(v, n) for v in VARIANTS.values() for n in v.seats if v.topology == "line"]), st.integers(0, 2**32)
)
def test_every_open_end_has_its_key(variant: tuple[Variant, int], seed: int) -> None:
    """Given a tile that could go to any open end, each end shows its key, which a click presses too."""
    for seen in looked_at(*variant, seed):
        ends = [open_end.end for open_end in seen.ends]
        choices = [Play(tile=Tile(high=6, low=6), end=end) for end in ends]

        chain = draw_scene(Scene(seen, choices=choices), 80, 24, "boxes")[0]["chain"]

        keys = {
            str(span.style.meta["@click"]): chain.plain[span.start : span.end]
            for span in chain.spans
            if isinstance(span.style, Style) and span.style.meta
        }
        assert keys == {f"screen.play_at('{end}')": str(number) for number, end in enumerate(ends, 1)}
