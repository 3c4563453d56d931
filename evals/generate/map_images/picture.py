"""Finds places of a map worth a picture, and draws them."""

import random
from dataclasses import dataclass, replace
from typing import Any

from evals.generate.map_images.frame import Frame
from evals.generate.map_images.labelling import Label, Placement
from evals.generate.map_images.render import paint
from evals.generate.map_images.scene import Drawn, Scene
from evals.generate.map_images.style import Style, load_style
from evals.generate.map_images.variety import Variety

LEAST_LABELS = 12
LEAST_PLACES = 6
ATTEMPTS = 80


@dataclass(frozen=True)
class Shown:
    """A picture's content.

    Attributes:
        frame: What is shown.
        labels: The labels that stand in it whole.
        features: What may be painted.
        style: The look.
        sheet: What is painted before the edges are cut.
        painted: The labels of the sheet.
    """

    frame: Frame
    labels: tuple[Label, ...]
    features: tuple[Drawn, ...]
    style: Style
    sheet: Frame
    painted: tuple[Label, ...]

    @property
    def places(self) -> tuple[Label, ...]:
        """The labels with an icon whose name occurs once in the picture."""
        pois = [label for label in self.labels if label.kind == "poi"]
        names = [label.feature.name for label in self.labels]
        return tuple(label for label in pois if names.count(label.feature.name) == 1)

    def paint(self) -> Any:
        """The sheet, as a Pillow image; its edges are still to be cut."""
        return paint(self.sheet, self.style, self.features, self.painted)

    def record(self) -> dict[str, Any]:
        """Frame and labels for `frames.jsonl`."""
        return {
            **self.frame.record(),
            "labels": [
                {
                    "text": " ".join(label.text),
                    "kind": label.kind,
                    "osm": label.feature.osm,
                    "point": {"lat": label.feature.point[0], "lng": label.feature.point[1]},
                    "anchor_px": [round(value, 1) for value in label.anchor],
                    "rect_px": [round(value, 1) for value in label.rect],
                }
                for label in self.labels
            ],
        }


def show(scene: Scene, dice: random.Random, variety: Variety) -> Shown | None:
    """A picture around some named place; None if no place has enough around it.

    Raises:
        UsageError: There is no style of a name.
    """
    styles = [load_style(name) for name in variety.styles]
    named = [item for item in scene.features if item.name and item.shape is None]
    if not named:
        return None
    for _ in range(ATTEMPTS):
        width_px, height_px = dice.choice(variety.sizes_px)
        lat, lng = dice.choice(named).point
        frame = Frame(lat, lng, dice.choice(variety.zooms), width_px, height_px)
        # The middle of a picture is rarely a place's own position.
        moved = frame.to_latlng(width_px * dice.uniform(0.3, 0.7), height_px * dice.uniform(0.3, 0.7))
        turn_deg = dice.uniform(-variety.turn_deg, variety.turn_deg) if variety.turn_deg else 0.0
        turned = Frame(*moved, frame.zoom, width_px, height_px, turn_deg)
        shown = look(scene, turned, dice.choice(styles), variety.cut_px)
        if len(shown.labels) >= LEAST_LABELS and len(shown.places) >= LEAST_PLACES:
            return shown
    return None


def look(scene: Scene, frame: Frame, style: Style, cut_px: int = 0) -> Shown:
    """What a frame shows; with `cut_px` it is cut out of a sheet that is wider by as much on every side."""
    sheet = frame.wider(cut_px)
    features = scene.within(sheet.bbox)
    placement = Placement(sheet, style)
    placement.place(features)
    painted = tuple(placement.labels)
    moved = (_moved(label, -cut_px) for label in painted)
    labels = tuple(label for label in moved if _is_whole(label, frame))
    return Shown(frame, labels, features, style, sheet, painted)


def _moved(label: Label, by_px: int) -> Label:
    """The label, so far to the right and down."""
    (x, y), (left, top, right, bottom) = label.anchor, label.rect
    rect = (left + by_px, top + by_px, right + by_px, bottom + by_px)
    return replace(label, anchor=(x + by_px, y + by_px), rect=rect)


def _is_whole(label: Label, frame: Frame) -> bool:
    """True for a label that stands in the picture with its icon."""
    (x, y), (left, top, right, bottom) = label.anchor, label.rect
    return (
        min(x, left) >= 0 and max(x, right) <= frame.width_px
        and min(y, top) >= 0 and max(y, bottom) <= frame.height_px
    )  # fmt: skip
