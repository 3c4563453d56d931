"""What words of a question mean in the picture: a label, a street, water, or all things of a kind."""

import re

from map_tools.facts import PictureLabel, PictureMarker
from map_tools.kinds.concepts import lookup
from modules.names import same_name
from modules.visual_place_recognizer.case import Case, spot
from modules.visual_place_recognizer.naming import label_spelt, labels_named
from modules.visual_place_recognizer.options import is_readable
from modules.visual_place_recognizer.reading import Region, Side
from modules.visual_place_recognizer.shapes import Shape, Spots, Water, street_through
from modules.visual_place_recognizer.spelling import mended
from modules.visual_place_recognizer.words import picture_words

ARTICLE = re.compile(r"^(?:the|a|an|any|some|this|that)\s+", re.IGNORECASE)


def shape_of(name: str, case: Case) -> Shape | None:
    """Where the thing is that a question calls by this name; None if the picture does not show it."""
    plain = mended(ARTICLE.sub("", name))
    label = case.label(name)
    kind = lookup(plain)
    if is_water(plain) and case.picture.water and not (label and label.marked):
        return Water(label.text if label else plain, case.picture.water)
    if label is not None and (kind is None or same_name(label.text, name)):
        return shape_of_label(label, case)
    if kind is not None:
        return _of_kind(plain, frozenset(kind.ids), case)
    bare = re.sub(picture_words()["street"]["tail"], "", plain, flags=re.IGNORECASE).strip()
    label = case.label(bare) if bare and bare != name else None
    if label is not None:
        return shape_of_label(label, case)
    if not is_readable(name):
        return _only_nameless(name, case)
    spelt = label_spelt(bare, case.picture)
    return None if spelt is None else shape_of_label(case.picture.labels[spelt], case)


def _only_nameless(name: str, case: Case) -> Spots | None:
    """The only marker, stops aside, of which no name was read: its name is in such letters."""
    nameless = [marker for marker in case.picture.markers if "transit" not in marker.signs]
    return Spots(name, ((nameless[0].x_px, nameless[0].y_px),)) if len(nameless) == 1 else None


def shape_of_region(region: Region, case: Case) -> Shape | None:
    """What the sides of a region are sides of: the picture's middle, or a thing in it."""
    if region.of:
        return shape_of(region.of, case)
    return Spots("the picture", ((case.picture.width_px / 2, case.picture.height_px / 2),))


def is_on(one: PictureLabel | PictureMarker, sides: tuple[Side, ...], shape: Shape) -> bool:
    """True if a label or marker lies on all these sides of something."""
    return all(shape.has_on(side, (one.x_px, one.y_px)) for side in sides)


def shape_of_label(label: PictureLabel, case: Case) -> Shape:
    """Where a label's thing is: all along its names if it is a street."""
    if label.sort not in ("street", "shield"):
        return Spots(label.text, (spot(label),))
    same = [case.picture.labels[at] for at in labels_named(label.text, case.picture)]
    return street_through([one for one in same if one.sort == label.sort] or [label], case.picture)


def is_water(words: str) -> bool:
    """True for words that say river, lake or sea, by themselves or with a name."""
    return re.fullmatch(picture_words()["water"]["pattern"], words, re.IGNORECASE) is not None


def _of_kind(text: str, categories: frozenset[str], case: Case) -> Spots | None:
    """All that is surely of a kind, options aside."""
    options = [label for _, label in case.placed]
    labels = [
        spot(label)
        for label in case.picture.labels
        if label not in options and label.sort == "place" and _is_surely(label, categories)
    ]
    markers = [
        (marker.x_px, marker.y_px)
        for marker in case.picture.markers
        if not categories.isdisjoint(marker.signs)
    ]
    spots = (*labels, *markers)
    return Spots(text, spots) if spots else None


def _is_surely(label: PictureLabel, categories: frozenset[str]) -> bool:
    return not categories.isdisjoint(label.signs) or not categories.isdisjoint(label.categories)
