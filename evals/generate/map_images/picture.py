"""Finds places of a map worth a picture, and draws them."""

import random
from dataclasses import dataclass
from typing import Any

from evals.generate.map_images.frame import Frame
from evals.generate.map_images.labelling import Label, Placement
from evals.generate.map_images.render import paint
from evals.generate.map_images.scene import Drawn, Scene
from evals.generate.map_images.style import load_style

SIZES_PX = ((1100, 760), (960, 640), (1280, 800), (840, 900))
ZOOMS = (16, 17)
"""About 2.4 and 1.2 metres a pixel at the equator."""
LEAST_LABELS = 12
LEAST_PLACES = 6
ATTEMPTS = 80


@dataclass(frozen=True)
class Shown:
    """A picture's content."""

    frame: Frame
    labels: tuple[Label, ...]
    features: tuple[Drawn, ...]

    @property
    def places(self) -> tuple[Label, ...]:
        """The labels with an icon whose name occurs once in the picture."""
        pois = [label for label in self.labels if label.kind == "poi"]
        names = [label.feature.name for label in self.labels]
        return tuple(label for label in pois if names.count(label.feature.name) == 1)

    def paint(self) -> Any:
        """The picture, as a Pillow image."""
        return paint(self.frame, load_style(), self.features, self.labels)

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


def show(scene: Scene, dice: random.Random) -> Shown | None:
    """A picture around some named place; None if no place has enough around it."""
    named = [item for item in scene.features if item.name and item.shape is None]
    if not named:
        return None
    for _ in range(ATTEMPTS):
        width_px, height_px = dice.choice(SIZES_PX)
        lat, lng = dice.choice(named).point
        frame = Frame(lat, lng, dice.choice(ZOOMS), width_px, height_px)
        # The middle of a picture is rarely a place's own position.
        moved = frame.to_latlng(width_px * dice.uniform(0.3, 0.7), height_px * dice.uniform(0.3, 0.7))
        shown = look(scene, Frame(*moved, frame.zoom, width_px, height_px))
        if len(shown.labels) >= LEAST_LABELS and len(shown.places) >= LEAST_PLACES:
            return shown
    return None


def look(scene: Scene, frame: Frame) -> Shown:
    """What a frame shows."""
    features = scene.within(frame.bbox)
    placement = Placement(frame, load_style())
    placement.place(features)
    return Shown(frame, tuple(placement.labels), features)
