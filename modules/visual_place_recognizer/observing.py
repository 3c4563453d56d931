"""Labels and frame become typed facts."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from map_tools.concepts import find_in
from map_tools.facts import PictureFact, PictureFrame, PictureLabel, PlaceFact
from map_tools.types import Place
from map_tools.vision.boxes import Label
from map_tools.vision.locating import Located, NotLocated
from mapagent.question import Question
from modules.visual_place_recognizer.colors import suggested
from modules.visual_place_recognizer.naming import labels_named

OWN_ID = "picture:"
"""Ids of places that only the picture tells of begin so."""


def picture_fact(
    labels: Sequence[Label], width_px: int, height_px: int, where: Located | NotLocated
) -> PictureFact:
    """What the picture shows, as a fact."""
    places = {match.label: match.place for match in where.matches} if isinstance(where, Located) else {}
    return PictureFact(
        width_px=width_px,
        height_px=height_px,
        labels=tuple(_observed(label, places.get(index)) for index, label in enumerate(labels)),
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


def _observed(label: Label, place: Place | None) -> PictureLabel:
    x, y = label.spot
    by_words = [category for span in find_in(label.text) for category in (span.value.id,)]
    known = (*(place.categories if place else ()), *by_words)
    return PictureLabel(
        text=label.text,
        sort=label.kind,
        x_px=round(x, 1),
        y_px=round(y, 1),
        categories=tuple(dict.fromkeys(known)),
        looks_like=suggested(label.box.color) if label.kind == "place" else (),
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
