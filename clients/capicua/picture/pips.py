"""The faces of tiles as SVG: each number has its pattern, and a colour besides, as on real double-twelve sets."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement

IVORY = "#f6efdc"
COLOURS = (
    IVORY,
    "#1b7fb5",
    "#1d7a3d",
    "#c8243a",
    "#7a4a1e",
    "#243a8f",
    "#b07a00",
    "#c2408c",
    "#0c7d7d",
    "#6b2fa0",
    "#d05a10",
    "#7d1430",
    "#5a6068",
)
"""The colour of each number, dark enough on ivory to be read as black and white. A blank shows none."""

_CORNERS = ((-1, -1), (1, 1)), ((-1, 1), (1, -1)), ((0, -1), (0, 1)), ((-1, 0), (1, 0))
_ROW_OF_FOUR = {1: (0.0,), 2: (-0.5, 0.5), 3: (-1.0, 0.0, 1.0), 4: (-1.5, -0.5, 0.5, 1.5)}


def pattern(number: int) -> list[tuple[float, float]]:
    """Where the pips of a half lie, from its centre, for a tile that lies along x; 0 to 12 of them.

    Up to nine stand in a square of three by three, more in rows of four, the missing ones in the middle row.
    """
    if number > 9:
        rows = ((-1, 4), (0, number - 8), (1, 4))
        return [(0.215 * x, 0.28 * y) for y, many in rows for x in _ROW_OF_FOUR[many]]
    # Pairs opposite to each other: two corners, the other two, the middles of the long sides, those of the short.
    pairs = _CORNERS[: number // 2]
    middle = ((0, 0),) if number % 2 else ()
    return [(0.27 * x, 0.27 * y) for x, y in (*(spot for pair in pairs for spot in pair), *middle)]


def definitions(highest: int) -> Iterator[Element]:
    """The shapes that tiles are made of, for the numbers up to `highest`; the unit is half a tile."""
    shadow = Element("g", id="shadow", fill="#000")
    for grown, opacity in ((0.05, "0.14"), (0.0, "0.22")):
        shadow.append(_body(grown, {"fill-opacity": opacity}))
    face = Element("g", id="face")
    face.append(_body(0, {"fill": IVORY, "stroke": "#b8a984", "stroke-width": "0.03"}))
    face.append(_body(-0.05, {"fill": "none", "stroke": "#fffdf5", "stroke-width": "0.04"}))
    SubElement(face, "path", d="M0-.36V.36", stroke="#8f8468", fill="none", attrib={"stroke-width": "0.045"})
    SubElement(face, "circle", r="0.07", fill="#c9a227", stroke="#8a6d14", attrib={"stroke-width": "0.02"})
    back = Element("g", id="back")
    back.append(_body(0, {"fill": "#7d4a2b", "stroke": "#4e2c18", "stroke-width": "0.03"}))
    back.append(_body(-0.12, {"fill": "none", "stroke": "#b98a5a", "stroke-width": "0.035"}))
    SubElement(back, "path", d="M-.3 0L0-.2L.3 0L0 .2Z", fill="#b98a5a")
    last = Element("g", id="last")
    last.append(_body(0.09, {"fill": "none", "stroke": "#ffd23f", "stroke-width": "0.14"}))
    due = Element("g", id="due")
    due.append(
        _body(0.09, {"fill": "none", "stroke": "#ff6b4a", "stroke-width": "0.14", "stroke-dasharray": ".24 .14"})
    )
    marker = Element("g", id="marker", fill="#ffd23f", stroke="#6b4a00", attrib={"stroke-width": "0.05"})
    SubElement(marker, "path", d="M-.7 .35V-.3H-.2V0H.2V-.3H.4V0H.7V.35Z")
    for x in (-0.42, 0.0, 0.42):
        SubElement(marker, "circle", cx=f"{x:g}", cy=".38", r=".15")
    yield from (shadow, face, back, last, due, marker)
    for number in range(1, highest + 1):
        group = Element("g", id=f"n{number}", fill=COLOURS[number])
        for x, y in pattern(number):
            SubElement(group, "circle", cx=f"{x:.3g}", cy=f"{y:.3g}", r="0.085" if number > 9 else "0.1")
        yield group


def _body(grown: float, look: dict[str, str]) -> Element:
    """The outline of a tile, a little smaller than its place so that neighbours are seen apart."""
    x, y = 0.97 + grown, 0.47 + grown
    size = {"x": f"{-x:.3g}", "y": f"{-y:.3g}", "width": f"{2 * x:.3g}", "height": f"{2 * y:.3g}"}
    return Element("rect", {**size, "rx": f"{0.13 + grown:.3g}", **look})
