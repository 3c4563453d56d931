"""Labels and frame become typed facts."""

import math

from map_tools.compute.geodesy import destination
from map_tools.facts import PictureFact, PictureFrame, PictureLabel, PictureMarker
from map_tools.kinds.concepts import find_in
from map_tools.types import LatLng, Place
from map_tools.vision.boxes import Label
from map_tools.vision.locating import Located, NotLocated
from modules.visual_place_recognizer.colors import is_selected, suggested
from modules.visual_place_recognizer.recognizer import Sighting
from modules.visual_place_recognizer.signs import Signs

OWN_ID = "picture:"
"""Ids of places that only the picture tells of begin so."""


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
