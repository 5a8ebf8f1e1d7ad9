"""Pieces of an SVG page: text that fits its room, and tiles."""

from __future__ import annotations

from typing import NamedTuple
from unicodedata import east_asian_width
from xml.etree.ElementTree import Element, SubElement

from capicua.engine import NAMES
from capicua.picture.fold import Placed

WIDTH, HEIGHT = 1600, 1000
PALE = "#cfe3d4"
_WIDE = 0.58
"""About how wide a letter is, for its height; nobody has measured the reader's font."""


def felt() -> Element:
    """The green that games are played on, a little darker to the edges."""
    gradient = Element("radialGradient", id="felt", r="0.75")
    for offset, colour in (("0", "#237a50"), ("1", "#175437")):
        SubElement(gradient, "stop", {"offset": offset, "stop-color": colour})
    return gradient


def number(value: float) -> str:
    """A number always written in the same way, two digits behind the point at most."""
    return f"{round(value, 2) + 0.0:g}"


def clean(name: str) -> str:
    """A name without what XML or the eye cannot bear: controls, and marks that turn the direction of writing."""
    return "".join(char for char in name if char.isprintable())


def write(page: Element, words: str, x: float, y: float, size: float, room: float, more: str = "", **look: str) -> None:
    """A line of text on its baseline, in smaller letters where `room` would not do; `more` follows in a paler look."""
    wide = size * _WIDE * sum(2 if east_asian_width(char) in "WF" else 1 for char in words + more)
    fitting = size * min(1.0, room / max(wide, 1))
    place = {"x": number(x), "y": number(y), "font-size": number(fitting)}
    text = SubElement(page, "text", place | {name.replace("_", "-"): value for name, value in look.items()})
    text.text = words
    if more:
        SubElement(text, "tspan", {"dx": "0.6em", "fill": PALE, "font-weight": "normal"}).text = more


class Box(NamedTuple):
    """A part of the page: its upper left corner, width and height."""

    x: float
    y: float
    width: float
    height: float


def rectangle(page: Element, box: Box, rounded: float, **look: str) -> None:
    """A rectangle with round corners."""
    size = {"x": number(box.x), "y": number(box.y), "width": number(box.width), "height": number(box.height)}
    look = {name.replace("_", "-"): value for name, value in look.items()}
    SubElement(page, "rect", {**size, "rx": number(rounded), **look})


def put(page: Element, shape: str, x: float, y: float, scale: float, angle: int) -> Element:
    """A group at a place of the page, turned and scaled, that shows one of the defined shapes."""
    turned = f" rotate({angle})" if angle else ""
    group = SubElement(page, "g", transform=f"translate({number(x)} {number(y)}) scale({number(scale)}){turned}")
    SubElement(group, "use", href=f"#{shape}")
    return group


def put_tile(page: Element, tile: Placed, scale: float, by: str = "") -> Element:
    """A tile face up; `tile` has its centre in units of the page here, and `scale` is half its length.

    `by` is who played it.
    """
    put(page, "shadow", tile.x + 0.05 * scale, tile.y + 0.09 * scale, scale, tile.angle)
    group = put(page, "face", tile.x, tile.y, scale, tile.angle)
    for pips, x in ((tile.first, "-0.5"), (tile.second, "0.5")):
        if pips:
            SubElement(group, "use", href=f"#n{pips}", x=x)
    SubElement(group, "title").text = f"{NAMES[tile.tile]}, {by}" if by else NAMES[tile.tile]
    return group
