"""Lines of text become labels: names over several lines are joined, details go to the name above them.

What kind of line a line is, a name, a detail beneath one, or furniture, its words tell (`furniture.toml`).

Web maps list what was found in a column of cards: the name, then a line of five stars, then details, all
beginning at one left edge. On the map itself a rating has one star, so lines of stars tell a list. Its cards give
their details to the label of their name on the map, if there is one.
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.resources import files
from statistics import median

from rapidfuzz import fuzz

from map_tools.kinds.concepts import lookup
from map_tools.text import normalise
from map_tools.vision.boxes import Box, Label, color_gap

PITCH = 0.97
"""Lines of one label lie closer than this, middle to middle, in heights of a line as read."""
DETAIL_PITCH = 2.9
"""... and details: between them and the name may stand lines in a script that is not read."""
ALIGNED = 0.45
"""Their left edges, right edges or middles agree within so many heights."""
SAME_HEIGHT = 1.45
SAME_COLOR = 110.0
"""Distance in red, green and blue within which two lines are of one label."""
STREET_DEG = 6.0
GREY = 50
"""Streets' names have letters whose red, green and blue differ by less; many maps paint places' in colour."""
MOST_LINES = 5
SMALLER = 0.93
"""Height of the line that tells the kind, in heights of the name's first line, at most."""
BESIDE = 1.5
"""A tag with a price ends so many heights from the name it belongs to at most."""
SAME_NAME = 90.0
"""How alike the names of a card and of a label on the map are at least (0 to 100)."""


@dataclass
class _Block:
    """Lines that belong together, from top to bottom, each with its kind."""

    lines: list[tuple[Box, str]] = field(default_factory=list)

    @property
    def last(self) -> Box:
        return self.lines[-1][0]


def merge_labels(boxes: Sequence[Box], height_px: int) -> tuple[Label, ...]:
    """The labels of a picture, without its furniture; cards of a list that are not on the map come last.

    Args:
        boxes: Lines of text as read.
        height_px: Height of the picture in pixels.
    """
    cards, rest = split_list(boxes, height_px)
    blocks: list[_Block] = []
    for box in sorted(rest, key=lambda one: (one.y0, one.x0)):
        kind = kind_of(box, height_px)
        if kind == "furniture":
            continue
        above = min(
            (block for block in blocks if _continues(block, box, kind)),
            key=lambda block: (box.y0 - block.last.y0, abs(block.last.center[0] - box.center[0])),
            default=None,
        )
        if above is None:
            blocks.append(_Block([(box, kind)]))
        else:
            above.lines.append((box, kind))
    labels = [label for block in blocks if (label := _label(block)) is not None]
    tags = [block.last for block in blocks if all(kind == "price" for _, kind in block.lines)]
    return _with_cards(_with_tags(labels, tags), cards)


def _with_tags(labels: Sequence[Label], tags: Sequence[Box]) -> list[Label]:
    """The labels with the prices on tags beside them."""
    told = list(labels)
    for tag in tags:
        gaps = [
            (max(tag.x0 - label.box.x1, label.box.x0 - tag.x1), at)
            for at, label in enumerate(told)
            if label.kind == "place" and not label.price and label.box.y0 <= tag.center[1] <= label.box.y1
        ]
        gap, at = min(gaps, default=(float("inf"), 0))
        if gap <= BESIDE * tag.height:
            told[at] = replace(told[at], price=tag.text, area=_around((told[at].box, tag)))
    return told


def _with_cards(labels: Sequence[Label], cards: Sequence[Label]) -> tuple[Label, ...]:
    """Labels on the map with what cards of the same names say; then the cards whose names are not there."""
    told = list(labels)
    left: list[Label] = []
    for card in cards:
        likeness = [
            (fuzz.ratio(normalise(card.text), normalise(label.text)), -at) for at, label in enumerate(told)
        ]
        score, at = max(likeness, default=(0.0, 0))
        if score < SAME_NAME:
            left.append(card)
            continue
        label = told[-at]
        told[-at] = replace(
            label,
            box=replace(label.box, text=card.text),
            rating=card.rating or label.rating, rating_count=card.rating_count or label.rating_count,
            price=label.price or card.price, notes=(*label.notes, *card.notes),
        )  # fmt: skip
    return (*told, *left)


def _continues(block: _Block, box: Box, kind: str) -> bool:
    """True if the line belongs beneath the block's last line."""
    last, last_kind = block.lines[-1]
    if len(block.lines) >= MOST_LINES or "shield" in (kind, last_kind):
        return False
    if last.angle_deg or box.angle_deg:
        return False
    if kind == "name" and last_kind != "name" and not (last_kind == "price" and len(block.lines) == 1):
        return False  # a new name begins; a price alone may stand on a tag above one
    if kind in ("rating", "note"):
        return _is_beneath(last, box, DETAIL_PITCH)
    return _is_beneath(last, box, PITCH) and (
        kind != "name" or last_kind != "name" or color_gap(last, box) <= SAME_COLOR
    )


def _is_beneath(upper: Box, lower: Box, most_pitch: float) -> bool:
    height = (upper.height + lower.height) / 2
    pitch = lower.center[1] - upper.center[1]
    edges = (
        abs(upper.x0 - lower.x0), abs(upper.x1 - lower.x1), abs(upper.center[0] - lower.center[0])
    )  # fmt: skip
    alike = max(upper.height, lower.height) <= SAME_HEIGHT * min(upper.height, lower.height)
    return alike and 0.3 * height < pitch <= most_pitch * height and min(edges) <= ALIGNED * height


def _label(block: _Block) -> Label | None:
    """The label a block makes; None for details without a name."""
    names = [box for box, kind in block.lines if kind in ("name", "shield")]
    kind_line = names.pop() if _ends_with_kind(names) else None
    text = " ".join(cleaned(box.text) for box in names).strip()
    if not names or not text:
        return None
    x0, y0, x1, y1 = _around(names)
    score = min(one.score for one in names)
    box = replace(names[0], text=text, x0=x0, y0=y0, x1=x1, y1=y1, score=score)
    label = Label(box, kind=_kind(block, box), area=_around([line for line, _ in block.lines]))
    if kind_line is not None:
        label = replace(label, notes=(kind_line.text,))
    for line, kind in block.lines:
        if kind == "rating" and label.rating is None:
            rating, count = rating_of(line.text)
            label = replace(label, rating=rating, rating_count=count)
        elif kind == "price":
            label = replace(label, price=line.text)
        elif kind in ("note", "travel_time"):
            label = replace(label, notes=(*label.notes, line.text))
    return label


def _ends_with_kind(names: Sequence[Box]) -> bool:
    """True if the last line tells in smaller letters what kind of place the name is of ("Book store")."""
    if len(names) < 2 or names[-1].height > SMALLER * names[0].height:
        return False
    return lookup(names[-1].text) is not None


def _around(boxes: Sequence[Box]) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of several lines."""
    return (
        min(box.x0 for box in boxes), min(box.y0 for box in boxes),
        max(box.x1 for box in boxes), max(box.y1 for box in boxes),
    )  # fmt: skip


def _kind(block: _Block, box: Box) -> str:
    if block.lines[0][1] == "shield":
        return "shield"
    along = abs(box.angle_deg) > STREET_DEG or (_is_grey(box) and is_street(box.text))
    return "street" if along else "place"


def _is_grey(box: Box) -> bool:
    """True for letters without a colour of their own, as streets have."""
    return box.color is not None and max(box.color) - min(box.color) <= GREY


LEAST_LETTERS = 2
ORNAMENT = re.compile(r"^[^\w(\"'“«]+|[^\w)\"'.!?”»]+$")
"""Icons beside a name are read as signs before or after it."""


@dataclass(frozen=True)
class Furniture:
    """The vocabulary of `furniture.toml`."""

    phrases: frozenset[str]
    chips: frozenset[str]
    chip_band_share: float
    patterns: tuple[re.Pattern[str], ...]
    details: dict[str, re.Pattern[str]]
    shield: re.Pattern[str]
    street: re.Pattern[str]


@lru_cache(maxsize=1)
def furniture() -> Furniture:
    """The vocabulary, read once."""
    values = tomllib.loads((files("map_tools.vision") / "furniture.toml").read_text("utf-8"))
    return Furniture(
        phrases=frozenset(values["phrases"]),
        chips=frozenset(values["chips"]),
        chip_band_share=float(values["chip_band_share"]),
        patterns=tuple(re.compile(pattern, re.IGNORECASE) for pattern in values["patterns"]),
        details={kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in values["details"].items()},
        shield=re.compile(values["shield"]),
        street=re.compile(values["street"], re.IGNORECASE),
    )


def kind_of(box: Box, height_px: int) -> str:
    """One of "name", "shield", "furniture", or a detail: "rating", "price", "note", "travel_time".

    Args:
        box: The line.
        height_px: Of the whole picture: buttons stand at its top.
    """
    words, plain = furniture(), normalise(box.text)
    if plain in words.phrases or (plain in words.chips and box.center[1] < words.chip_band_share * height_px):
        return "furniture"
    for kind, pattern in words.details.items():
        if pattern.fullmatch(box.text):
            return kind
    if any(pattern.fullmatch(box.text) for pattern in words.patterns):
        return "furniture"
    if words.shield.fullmatch(box.text):
        return "shield"
    return "name" if sum(map(str.isalpha, box.text)) >= LEAST_LETTERS else "furniture"


def is_street(text: str) -> bool:
    """True for a name that says that it is a street's ("Mill Rd", "Road No. 5")."""
    return furniture().street.fullmatch(text) is not None


def cleaned(text: str) -> str:
    """A name without the signs that icons beside it were read as."""
    return ORNAMENT.sub("", text).strip()


def rating_of(text: str) -> tuple[float | None, int | None]:
    """Rating and number of ratings of a line such as "4.4 ★ (1.2K)"."""
    found = furniture().details["rating"].fullmatch(text)
    if found is None:
        return None, None
    value = float(found["value"].replace(",", "."))
    raw = found["count"]
    if not raw:
        return value, None
    if found["thousand"]:
        return value, round(1000 * float(raw.replace(",", ".").strip()))
    return value, int(re.sub(r"\D", "", raw))


STARS = "★☆"
LEAST_STARS = 3
AT_EDGE = 0.8
"""Lines of a card begin within so many heights of the same edge."""
NAME_PITCH = 1.6
"""Lines of a name over several lines follow each other within so many heights."""
NAME_GAP = 3.5
"""A name stands at most so many heights above its stars: a line that is not read may lie between."""
MOST_NAME_LINES = 3
NAME_COLOR = 60.0
WIDTH = 22.0
"""A list is so many heights of a line of details wide: 408 pixels where such a line takes 18."""


@dataclass(frozen=True, slots=True)
class _Column:
    """Where the list is: its lines begin at `left`, it ends at `right`, and a line is `line` pixels high."""

    left: float
    right: float
    line: float

    def holds(self, box: Box) -> bool:
        """True for what stands in the list's column, pictures and buttons of its cards included."""
        return box.x0 >= self.left - 2 * self.line and box.center[0] < self.right

    def begins(self, box: Box) -> bool:
        """True for a line that begins at the cards' edge."""
        return abs(box.x0 - self.left) <= AT_EDGE * self.line


def split_list(boxes: Sequence[Box], height_px: int) -> tuple[tuple[Label, ...], tuple[Box, ...]]:
    """The cards of the list beside the map as labels of kind "listing", and the lines outside the list.

    Args:
        boxes: Lines of text as read.
        height_px: Height of the picture in pixels.
    """
    stars = [box for box in boxes if _is_stars(box)]
    if not stars:
        return (), tuple(boxes)
    left = median(box.x0 for box in stars)
    line = median(box.height for box in boxes if abs(box.x0 - left) <= AT_EDGE * stars[0].height)
    column = _Column(left, left + WIDTH * line, line)
    inside = [box for box in boxes if column.holds(box)]
    cards = _cards([box for box in stars if column.begins(box)], inside, column, height_px)
    return cards, tuple(box for box in boxes if not column.holds(box))


def _is_stars(box: Box) -> bool:
    return sum(box.text.count(star) for star in STARS) >= LEAST_STARS or box.text.lower() == "no reviews"


def _cards(stars: Sequence[Box], inside: Sequence[Box], column: _Column, height_px: int) -> tuple[Label, ...]:
    lines = sorted((box for box in inside if column.begins(box)), key=lambda box: box.y0)
    names = [_name_above(star, lines) for star in stars]
    tops = [name[0].y0 if name else star.y0 for name, star in zip(names, stars, strict=True)]
    ends = (*(top - column.line for top in tops[1:]), float("inf"))
    return tuple(
        _card(name, star, [box for box in inside if top - column.line <= box.center[1] < end], height_px)
        for name, star, top, end in zip(names, stars, tops, ends, strict=True)
        if name
    )


def _name_above(stars: Box, lines: Sequence[Box]) -> list[Box]:
    """The lines of the name above a line of stars, from top to bottom."""
    name: list[Box] = []
    for box in reversed([one for one in lines if one.y0 < stars.y0]):
        below = name[0] if name else stars
        reach = (NAME_PITCH if name else NAME_GAP) * stars.height
        if below.center[1] - box.center[1] > reach or len(name) == MOST_NAME_LINES:
            break
        if name and color_gap(box, below) > NAME_COLOR:
            break
        name.insert(0, box)
    return name


def _card(name: list[Box], stars: Box, around: list[Box], height_px: int) -> Label:
    """The label of a card; what is written on its picture (a price) counts too."""
    rating, count = rating_of(stars.text)
    own = Box(
        text=" ".join(box.text for box in name),
        x0=min(box.x0 for box in name), y0=name[0].y0,
        x1=max(box.x1 for box in name), y1=name[-1].y1,
        score=min(box.score for box in name), color=name[0].color,
    )  # fmt: skip
    prices = [box.text for box in around if kind_of(box, height_px) == "price"]
    below = [box for box in around if box.y0 > stars.y0 and box.text not in prices]
    notes = [box.text for box in below if kind_of(box, height_px) != "furniture"]
    return Label(
        own, kind="listing", rating=rating, rating_count=count,
        price=prices[0] if prices else "", notes=tuple(notes),
    )  # fmt: skip
