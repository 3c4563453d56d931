"""Lines of text become labels: names over several lines are joined, details go to the name above them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import dist

from map_tools.vision.boxes import Box, Label
from map_tools.vision.lines import cleaned, kind_of, rating_of

PITCH = 0.97
"""Lines of one label lie closer than this, middle to middle, in heights of a line as read."""
ALIGNED = 0.45
"""Their left edges, right edges or middles agree within so many heights."""
SAME_HEIGHT = 1.45
SAME_COLOR = 110.0
"""Distance in red, green and blue within which two lines are of one label."""
STREET_DEG = 6.0
MOST_LINES = 5


@dataclass
class _Block:
    """Lines that belong together, from top to bottom, each with its kind."""

    lines: list[tuple[Box, str]] = field(default_factory=list)

    @property
    def last(self) -> Box:
        return self.lines[-1][0]


def merge_labels(boxes: Sequence[Box], height_px: int) -> tuple[Label, ...]:
    """The labels of a picture, without its furniture.

    Args:
        boxes: Lines of text as read.
        height_px: Height of the picture in pixels.
    """
    blocks: list[_Block] = []
    for box in sorted(boxes, key=lambda one: (one.y0, one.x0)):
        kind = kind_of(box, height_px)
        if kind == "furniture":
            continue
        above = min(
            (block for block in blocks if _continues(block, box, kind)),
            key=lambda block: abs(block.last.center[0] - box.center[0]),
            default=None,
        )
        if above is None:
            blocks.append(_Block([(box, kind)]))
        else:
            above.lines.append((box, kind))
    return tuple(label for block in blocks if (label := _label(block)) is not None)


def _continues(block: _Block, box: Box, kind: str) -> bool:
    """True if the line belongs beneath the block's last line."""
    last, last_kind = block.lines[-1]
    if len(block.lines) >= MOST_LINES or "shield" in (kind, last_kind):
        return False
    if last.angle_deg or box.angle_deg:
        return False
    if kind == "name" and last_kind != "name" and not (last_kind == "price" and len(block.lines) == 1):
        return False  # a new name begins; a price alone may stand on a tag above one
    return _is_beneath(last, box) and (kind != "name" or last_kind != "name" or _same_color(last, box))


def _is_beneath(upper: Box, lower: Box) -> bool:
    height = (upper.height + lower.height) / 2
    pitch = lower.center[1] - upper.center[1]
    edges = (
        abs(upper.x0 - lower.x0), abs(upper.x1 - lower.x1), abs(upper.center[0] - lower.center[0])
    )  # fmt: skip
    alike = max(upper.height, lower.height) <= SAME_HEIGHT * min(upper.height, lower.height)
    return alike and 0.3 * height < pitch <= PITCH * height and min(edges) <= ALIGNED * height


def _same_color(a: Box, b: Box) -> bool:
    return a.color is None or b.color is None or dist(a.color, b.color) <= SAME_COLOR


def _label(block: _Block) -> Label | None:
    """The label a block makes; None for details without a name."""
    names = [box for box, kind in block.lines if kind in ("name", "shield")]
    text = " ".join(cleaned(box.text) for box in names).strip()
    if not names or not text:
        return None
    box = replace(
        names[0],
        text=text,
        x0=min(one.x0 for one in names), y0=min(one.y0 for one in names),
        x1=max(one.x1 for one in names), y1=max(one.y1 for one in names),
        score=min(one.score for one in names),
    )  # fmt: skip
    label = Label(box, kind=_kind(block, box))
    for line, kind in block.lines:
        if kind == "rating" and label.rating is None:
            rating, count = rating_of(line.text)
            label = replace(label, rating=rating, rating_count=count)
        elif kind == "price":
            label = replace(label, price=line.text)
        elif kind in ("note", "travel_time"):
            label = replace(label, notes=(*label.notes, line.text))
    return label


def _kind(block: _Block, box: Box) -> str:
    if block.lines[0][1] == "shield":
        return "shield"
    return "street" if abs(box.angle_deg) > STREET_DEG else "place"
