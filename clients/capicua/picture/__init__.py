"""Pictures of a game: where the tiles lie on a table, and that as SVG."""

from capicua.picture.fold import Placed
from capicua.picture.svg import Step, draw
from capicua.picture.table import Table, set_table

__all__ = ["Placed", "Step", "Table", "draw", "set_table"]
