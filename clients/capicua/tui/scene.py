"""All that a table shows, drawn as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len
from rich.text import Text

from capicua.api.v1.types_pb2 import Play, Tile
from capicua.api.v1.update_pb2 import View
from capicua.cli import variant_names
from capicua.engine import VARIANTS
from capicua.tui.canvas import fit
from capicua.tui.chain import draw_chain
from capicua.tui.hand import draw_hand, draw_hands
from capicua.tui.layout import variant_of
from capicua.tui.profile import Tiles
from capicua.tui.seats import draw_seats
from capicua.tui.words import _, counted, rule_words

TALL = 34
"""Rows of a window from which on the tiles of the hand are bigger."""
PARTS = ("header", "seats", "chain", "story", "hand", "prompt")
"""From top to bottom."""


@dataclass
class Scene:
    """All that the table shows. `hands` are open ones, shown in place of the viewer's own."""

    view: View = field(default_factory=View)
    seconds: float | None = None
    story: Sequence[str] = ()
    acts: Mapping[int, str] = field(default_factory=dict)
    chosen: Tile | None = None
    choices: Sequence[Play] = ()
    prompt: str = ""
    keys: str = ""
    hands: Mapping[int, Sequence[Tile]] | None = None
    heard: Mapping[int, str] = field(default_factory=dict)


def draw_scene(scene: Scene, width: int, height: int, tiles: Tiles) -> tuple[dict[str, Text], int]:
    """Each of PARTS, `width` columns wide and together `height` rows high, and the first row of the chain to show.

    The chain alone may be higher than its room; then it is a column narrower, which is for a scroll bar.
    """
    drawn = {
        "header": Text(header(scene.view, width), no_wrap=True),
        "seats": draw_seats(scene.view, width, scene.seconds, scene.acts, scene.heard),
        "story": Text(story(scene.story, width), no_wrap=True),
        "hand": _hand(scene, width, tiles, height >= TALL),
        "prompt": Text(prompt(scene.prompt, scene.keys, width), no_wrap=True),
    }
    room = max(1, height - sum(map(rows, drawn.values())))
    chain, last = draw_chain(scene.view, width, room, tiles, scene.choices)
    if rows(chain) > room:
        chain, last = draw_chain(scene.view, width - 1, room, tiles, scene.choices)
    return {**drawn, "chain": chain}, max(0, min(last - room // 2, rows(chain) - room))


def rows(text: Text) -> int:
    """How many rows a text has."""
    return text.plain.count("\n") + 1 if text.plain else 0


def _hand(scene: Scene, width: int, tiles: Tiles, tall: bool) -> Text:
    if scene.hands is not None:
        return draw_hands(scene.view, scene.hands, width)
    return draw_hand(scene.view, width, tiles, tall, scene.chosen) if scene.view.hand else Text("")


def header(view: View, width: int) -> str:
    """What is played and how far it is."""
    options = view.options
    known, variant = options.variant in VARIANTS, variant_of(options)
    facts = [variant_names.name(options.variant, rule_words()) if known else options.variant]
    if view.round:
        by_rounds = variant is not None and variant.target.kind == "rounds_lowest"
        told = _("round {n} of {target}") if by_rounds else _("round {n} · to {target}")
        facts.append(told.format(n=view.round, target=options.target))
        facts.append(_("boneyard {n}").format(n=view.boneyard_size))
    if variant is not None and variant.in_play.divisors and view.layout:
        facts.append(_("count {n}").format(n=view.count))
    if view.spectators:
        facts.append(counted("{n} watches", "{n} watch", view.spectators))
    return fit(" " + " · ".join(filter(None, facts)), width)


def story(told: Sequence[str], width: int) -> str:
    """As much of what was told as fits, the newest last."""
    line = ""
    for sentence in reversed(told):
        longer = f"{sentence} {line}".rstrip()
        if line and cell_len(longer) > width - 1:
            break
        line = longer
    return fit(" " + line, width) if line else " "


def prompt(words: str, keys: str, width: int) -> str:
    """What to do now, and at the right as many of the keys that always work as there is room for."""
    while keys and cell_len(words) + cell_len(keys) + 3 > width:
        keys = keys.rpartition(" · ")[0]
    return f"{fit(' ' + words, width - cell_len(keys) - 2)} {keys} " if keys else fit(" " + words, width)
