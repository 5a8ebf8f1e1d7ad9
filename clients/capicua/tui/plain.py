"""Terminals that know no letters but ASCII: all that is shown, in those."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

_COERCED = "C.UTF-8"
_DRAWN = {
    **dict.fromkeys("─╌┄┈╴╶▁▔‾–—", "-"),
    **dict.fromkeys("━═╍┅┉", "="),
    **dict.fromkeys("│╎┆┊╵╷▏▕▎▊▌▐", "|"),
    **dict.fromkeys("┃║╏┇┋", "#"),
    **dict.fromkeys("█▓▒░▀▄■▪▇▆▅▃▂", "#"),
    **dict.fromkeys("•●◉·∙", "*"),
    **dict.fromkeys("○◯", "o"),
    **dict.fromkeys("▶►→▸❯›", ">"),
    **dict.fromkeys("◀◄←◂❮‹", "<"),
    **dict.fromkeys("▲↑▴", "^"),
    **dict.fromkeys("▼↓▾", "v"),
    **dict.fromkeys("„“”«»", '"'),
    **dict.fromkeys("‘’‚", "'"),
    **dict.fromkeys("✓✔×", "x"),
    "…": ".",
    "ł": "l",
    "Ł": "L",
    "\u00a0": " ",
}


def is_plain(environment: Mapping[str, str]) -> bool:
    """Whether the terminal knows ASCII alone, by the locale and by what Python found out."""
    # Python itself says C.UTF-8 where the locale is C or not installed (PEP 538): that is not the terminal's word.
    kinds = (environment.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    locale = next((kind for kind in kinds if kind and kind != _COERCED), environment.get("LC_CTYPE") or "UTF-8")
    encoding = getattr(sys.__stderr__, "encoding", None) or "utf-8"
    return not all(name.lower().replace("-", "").endswith("utf8") for name in (locale, encoding))


@lru_cache(maxsize=4096)
def plain(letter: str) -> str:
    """One letter as ASCII of the same width; "?" where nothing is like it."""
    if letter.isascii():
        return letter
    drawn = _DRAWN.get(letter) or ("+" if 0x2500 <= ord(letter) < 0x2580 else "")
    base = drawn or unicodedata.normalize("NFKD", letter)[0]
    width = cell_len(letter)
    return base if base.isascii() and width == 1 else "?" * width


class Plain(LineFilter):
    """Shows every letter as ASCII."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same segments in ASCII."""
        return [Segment("".join(map(plain, text)), style, control) for text, style, control in segments]
