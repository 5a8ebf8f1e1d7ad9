"""Pictures of a game: where the tiles of a layout lie, and that as SVG."""

from capicua.picture.fold import Placed
from capicua.picture.plan import Plan, plan_layout
from capicua.picture.svg import Step, draw

__all__ = ["Placed", "Plan", "Step", "draw", "plan_layout"]
