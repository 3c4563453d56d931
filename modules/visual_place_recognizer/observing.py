"""Labels and frame become typed facts, and what programs see of a picture: its marks, where it is, its scale."""

import colorsys
import math
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from map_tools.compute.geodesy import destination
from map_tools.facts import PictureFact, PictureFrame, PictureLabel, PictureMarker, PlaceFact
from map_tools.kinds.concepts import find_in, label_of
from map_tools.types import LatLng, Place
from map_tools.vision.boxes import Label, Marker, Rgb
from map_tools.vision.locating import Located, NotLocated
from map_tools.vision.markers import known_sign, same_sign
from mapagent.core.answer import Evidence
from modules.query.values.amount import LENGTH, Amount
from modules.query.values.things import Items, Thing
from modules.query.values.unknown import Unknown, Why
from modules.visual_place_recognizer.naming import labels_named
from modules.visual_place_recognizer.recognizer import Sighting

OWN_ID = "picture:"
"""Ids of places that only the picture tells of begin so."""

LEAST_NAMED = 2
"""So many named labels must share an unknown sign: a single name may mislead."""
MOST = 0.5
"""An unknown sign means the categories that more than this share of its named labels have."""

SELECTED = "selected"
"""Name in `colors.toml` of the colour of what is selected."""


class Signs:
    """The signs of one picture.

    Args:
        named: Markers of labels, each with the categories that the label's words say for certain.
    """

    def __init__(self, named: Iterable[tuple[Marker, tuple[str, ...]]]) -> None:
        self._named = [(marker, categories) for marker, categories in named if categories]

    def categories(self, marker: Marker | None) -> tuple[str, ...]:
        """What a marker's sign stands for, the surest first; none if that is not known."""
        if marker is None:
            return ()
        sign = known_sign(marker)
        if sign is not None:
            return sign.categories
        alike = [categories for other, categories in self._named if same_sign(marker, other)]
        if len(alike) < LEAST_NAMED:
            return ()
        counted = Counter(category for categories in alike for category in categories)
        return tuple(category for category, times in counted.most_common() if times > MOST * len(alike))


def picture_fact(seen: Sighting, size_px: tuple[int, int], where: Located | NotLocated) -> PictureFact:
    """What the picture shows, as a fact: `size_px` is its width and height."""
    labels = seen.labels
    places = {match.label: match.place for match in where.matches} if isinstance(where, Located) else {}
    known = [_categories(label, places.get(index)) for index, label in enumerate(labels)]
    signs = Signs(
        (label.marker, categories) for label, categories in zip(labels, known, strict=True) if label.marker
    )
    return PictureFact(
        width_px=size_px[0],
        height_px=size_px[1],
        labels=tuple(
            _observed(label, categories, signs, places.get(index))
            for index, (label, categories) in enumerate(zip(labels, known, strict=True))
        ),
        markers=tuple(
            PictureMarker(
                x_px=round(marker.x, 1),
                y_px=round(marker.tip_y, 1),
                signs=signs.categories(marker),
                looks_like=suggested(marker.color),
            )
            for marker in seen.markers
        ),
        water=seen.water,
        metres_per_px=seen.metres_per_px,
        frame=_frame(where) if isinstance(where, Located) else None,
        reason=where.reason if isinstance(where, NotLocated) else "",
    )


def _categories(label: Label, place: Place | None) -> tuple[str, ...]:
    """What the map says for certain, or else a label's words: the map knows that the Old Bank is a pub."""
    if place is not None and place.categories:
        return place.categories
    return tuple(dict.fromkeys(span.value.id for span in find_in(" ".join((label.text, *label.notes[:1])))))


def _observed(label: Label, categories: tuple[str, ...], signs: Signs, place: Place | None) -> PictureLabel:
    x, y = label.spot
    return PictureLabel(
        text=label.text,
        sort=label.kind,
        x_px=round(x, 1),
        y_px=round(y, 1),
        categories=categories,
        signs=signs.categories(label.marker),
        looks_like=suggested(label.box.color) if label.kind == "place" else (),
        marked=label.marker is not None,
        selected=is_selected(label.box.color),
        angle_deg=label.box.angle_deg,
        rating=label.rating,
        rating_count=label.rating_count,
        price=label.price,
        notes=label.notes,
        place=place,
    )


def _frame(where: Located) -> PictureFrame:
    frame = where.frame
    south, west, north, east = frame.bounds
    return PictureFrame(
        center=frame.center, radius_m=frame.radius_m, south=south, west=west, north=north, east=east,
        metres_per_px=frame.metres_per_px, rotation_deg=frame.rotation_deg,
        residual_m=where.residual_m, matched=len(where.matches),
    )  # fmt: skip


def place_of(index: int, picture: PictureFact) -> Place:
    """The place a label names: as the map knows it, with what is written in the picture."""
    label = picture.labels[index]
    written = {
        "rating": label.rating, "rating_count": label.rating_count, "attributes": _attributes(label)
    }  # fmt: skip
    if label.place is not None:
        gaps = {key: value for key, value in written.items() if value and not getattr(label.place, key)}
        return label.place.model_copy(update=gaps)
    return Place(
        id=f"{OWN_ID}{index}",
        name=label.text,
        location=position_of(label.x_px, label.y_px, picture),
        categories=label.categories,
        **written,
    )


def _attributes(label: PictureLabel) -> dict[str, str]:
    told = {"price": label.price, "notes": "; ".join(label.notes)}
    return {key: value for key, value in told.items() if value}


def position_of(x_px: float, y_px: float, picture: PictureFact) -> LatLng | None:
    """Where a spot of the picture is on the map; None where the picture could not be located.

    North is taken to be up, as web maps have it, unless the frame is turned; a section of a town is flat enough
    to be measured in metres.
    """
    frame = picture.frame
    if frame is None:
        return None
    dx, dy = x_px - picture.width_px / 2, y_px - picture.height_px / 2
    away_m = math.hypot(dx, dy) * frame.metres_per_px
    bearing = (math.degrees(math.atan2(dx, -dy)) - frame.rotation_deg) % 360
    return destination(frame.center, bearing, away_m)


@dataclass(frozen=True, slots=True)
class Group:
    """Labels of a colour: hues from `first` to `last` degrees, so saturated, so dark, are of these kinds."""

    name: str
    first: float
    last: float
    saturation: float
    categories: tuple[str, ...]
    most_value: float = 1.0

    def holds(self, hue: float, saturation: float, value: float) -> bool:
        """True for a colour of this group."""
        within = (
            self.first <= hue <= self.last
            if self.first <= self.last
            else hue >= self.first or hue <= self.last
        )
        return within and saturation >= self.saturation and value <= self.most_value


def suggested(color: Rgb | None) -> tuple[str, ...]:
    """The category ids that a colour suggests, the widest first; none for black, grey and other colours."""
    if color is None:
        return ()
    group = _group_of(color)
    return group.categories if group else ()


def is_selected(color: Rgb | None) -> bool:
    """True for the letters of the place that is selected: it alone has them in dark red."""
    group = _group_of(color) if color is not None else None
    return group is not None and group.name == SELECTED


def _group_of(color: Rgb) -> Group | None:
    """The first group that has a colour."""
    hue, saturation, value = colorsys.rgb_to_hsv(*(part / 255 for part in color))
    return next((group for group in _groups() if group.holds(360 * hue, saturation, value)), None)


@lru_cache(maxsize=1)
def _groups() -> tuple[Group, ...]:
    values = tomllib.loads((files("modules.visual_place_recognizer") / "colors.toml").read_text("utf-8"))
    return tuple(
        Group(
            name=str(entry["name"]),
            first=float(entry["hue"][0]),
            last=float(entry["hue"][1]),
            saturation=float(entry["saturation"]),
            categories=tuple(entry["categories"]),
            most_value=float(entry.get("most_value", 1.0)),
        )
        for entry in values["group"]
    )


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that was read.

    Attributes:
        fact: What was read from it.
        evidence_id: The evidence that says so.
        middle: Where its middle is, where that was found out.
    """

    fact: PictureFact
    evidence_id: str
    middle: Place | None = None

    def field(self, name: str) -> Any:
        """A field of the picture; None if it has no such field."""
        match name:
            case "marks":
                marks = tuple(mark_of(self.fact, index) for index in range(len(self.fact.labels)))
                return Items(marks, searched=True, what="mark")
            case "place":
                if self.middle is not None:
                    return Thing(self.middle, role="area")
                return Unknown(Why.NOT_STATED, self.fact.reason or "Where the picture is could not be told.")
            case "text":
                return "; ".join(label.text for label in self.fact.labels)
            case "scale":
                scale = self.fact.frame.metres_per_px if self.fact.frame else self.fact.metres_per_px
                if scale is None:
                    return Unknown(Why.NOT_STATED, "The scale of the picture is not known.")
                return Amount.of(scale * self.fact.width_px, LENGTH)
            case "routes":
                return Unknown(Why.UNSUPPORTED, "Drawn routes are not read from pictures.")
        return None

    def mark(self, label: str) -> Thing | Unknown:
        """The mark of this name."""
        found = labels_named(label, self.fact)
        if found:
            return mark_of(self.fact, found[0])
        near = ", ".join(one.text for one in self.fact.labels[:8])
        return Unknown(
            Why.NOT_FOUND, f"“{label}” is not written in the picture; read were: {near or 'no names'}."
        )


def mark_of(picture: PictureFact, index: int) -> Thing:
    """A label of a picture as a mark; x and y from 0 to 1, the origin is at the top left."""
    label = picture.labels[index]
    extra: list[tuple[str, Any]] = [
        ("label", label.text),
        ("x", Amount.of(round(label.x_px / picture.width_px, 4))),
        ("y", Amount.of(round(label.y_px / picture.height_px, 4))),
        ("side", "left" if label.x_px * 2 < picture.width_px else "right"),
        (
            "kind",
            kind_of(label) or Unknown(Why.NOT_STATED, f"What kind of place {label.text} is, is not shown."),
        ),
        ("notes", Items(label.notes)),
    ]
    if label.rating is not None:
        extra.append(("rating", Amount.of(label.rating)))
    return Thing(place_of(index, picture), role="mark", extra=tuple(extra))


def kind_of(label: PictureLabel) -> str:
    """What kind of place a label stands for, as `.kind` says it; empty where that is not shown."""
    known = label.categories or label.signs or label.looks_like
    return label_of(known[0]) if known else ""


def picture_of(evidence: Sequence[Evidence]) -> Picture | None:
    """The picture that the recognizer's evidence tells of; None if it could not be read."""
    seen = next((item for item in evidence if isinstance(item.value, PictureFact)), None)
    if seen is None or not isinstance(seen.value, PictureFact):
        return None
    middle = next((item.value.place for item in evidence if isinstance(item.value, PlaceFact)), None)
    return Picture(seen.value, seen.id, middle)
