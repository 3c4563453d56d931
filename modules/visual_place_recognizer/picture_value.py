"""What a picture shows, as programs see it: its labels as marks, where it is, its scale."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from map_tools.facts import PictureFact, PictureLabel, PlaceFact
from map_tools.kinds.concepts import label_of
from map_tools.types import Place
from mapagent.core.answer import Evidence
from modules.query.values.amount import LENGTH, Amount
from modules.query.values.things import Items, Thing
from modules.query.values.unknown import Unknown, Why
from modules.visual_place_recognizer.naming import labels_named
from modules.visual_place_recognizer.observing import place_of


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
                if self.fact.frame is None:
                    return Unknown(Why.NOT_STATED, "The scale of the picture is not known.")
                return Amount.of(self.fact.frame.metres_per_px * self.fact.width_px, LENGTH)
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
