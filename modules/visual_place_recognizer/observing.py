"""Labels and frame become typed facts."""

from collections.abc import Iterable, Iterator
from typing import Any

from map_tools.concepts import find_in
from map_tools.facts import PictureFact, PictureFrame, PictureLabel, PictureMarker, PlaceFact
from map_tools.types import Place
from map_tools.vision.boxes import Label
from map_tools.vision.locating import Located, NotLocated
from mapagent.question import Question
from modules.visual_place_recognizer.colors import is_selected, suggested
from modules.visual_place_recognizer.naming import labels_named
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


def place_facts(
    picture: PictureFact, where: Located | NotLocated, words: Iterable[str]
) -> Iterator[PlaceFact]:
    """A fact for each of the words of the question that names labels of the picture."""
    for text in dict.fromkeys(words):
        found = labels_named(text, picture)
        if found:
            places = [_place(index, picture.labels[index], where) for index in found]
            yield PlaceFact(query=text, place=places[0], score=0.95, rivals=tuple(places[1:]))


def words_of(question: Question, intent: Any) -> Iterator[str]:
    """The words of the question that may be names: what the intent's slots hold, and the options."""
    if intent is not None:
        yield from _strings(intent.model_dump(exclude={"kind"}))
    yield from (text for _, text in question.live_options())


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _strings(part)


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


def _place(index: int, label: PictureLabel, where: Located | NotLocated) -> Place:
    """The place a label names: as the map knows it, with what is written in the picture."""
    written = {
        "rating": label.rating, "rating_count": label.rating_count, "attributes": _attributes(label)
    }  # fmt: skip
    if label.place is not None:
        gaps = {key: value for key, value in written.items() if value and not getattr(label.place, key)}
        return label.place.model_copy(update=gaps)
    return Place(
        id=f"{OWN_ID}{index}",
        name=label.text,
        location=where.positions[index] if isinstance(where, Located) else None,
        categories=label.categories,
        **written,
    )


def _attributes(label: PictureLabel) -> dict[str, str]:
    told = {"price": label.price, "notes": "; ".join(label.notes)}
    return {key: value for key, value in told.items() if value}
