"""A question beside its picture: what all picture solvers share, and what its words mean in the picture."""

import re
from dataclasses import dataclass

from map_tools.facts import PictureFact, PictureLabel, PictureMarker
from map_tools.kinds.concepts import find_in, lookup, umbrellas_of
from map_tools.text import normalise, same_name
from map_tools.types import Frozen
from mapagent.core.answer import OptionPick, Status, Value
from mapagent.core.question import Question
from modules.visual_place_recognizer.naming import (
    Scored,
    is_readable,
    label_spelt,
    labels_mentioned,
    labels_named,
    options_shown,
)
from modules.visual_place_recognizer.reading import PictureAsk, Region, Side, mended, picture_words, read_ask
from modules.visual_place_recognizer.shapes import Shape, Spot, Spots, Water, street_through

SURE = 0.85
LIKELY = 0.6
WEAK = 0.35
"""About the shares right that kinds of answers had on generated and on MapEval's pictures; in
docs/results/vision.md the latter by themselves."""

GENERAL = frozenset(
    {"attraction", "shop", "supermarket", "convenience", "historic", "government", "park", "bank"}
)
"""Categories of signs that web maps give to places of many kinds."""

ARTICLE = re.compile(r"^(?:the|a|an|any|some|this|that)\s+", re.IGNORECASE)


class Solution(Frozen):
    """What was found in a picture: a value, or why there is none.

    Attributes:
        value: The best value; None if there is none.
        ranking: Further values in falling order.
        explanation: Short derivation in words, with its numbers.
        evidence_ids: What it rests on.
        reason: Why there is no value.
        confidence: 0 to 1, where it can be told.
    """

    status: Status
    value: Value | None = None
    ranking: tuple[Value, ...] = ()
    explanation: str = ""
    evidence_ids: tuple[str, ...] = ()
    reason: str = ""
    warnings: tuple[str, ...] = ()
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """A question with the picture it is asked about.

    Attributes:
        evidence_id: Of the picture.
        options: For each option that names a label: its index and the label.
    """

    question: Question
    ask: PictureAsk
    picture: PictureFact
    evidence_id: str
    options: tuple[Scored, ...]

    @classmethod
    def of(cls, question: Question, picture: PictureFact, evidence_id: str) -> "Case":
        """The case of a question and a picture."""
        options = options_shown(question, picture)
        shown = (picture.labels[index].text for index in labels_mentioned(question.text, picture))
        ask = read_ask(question.text, tuple(name for name in shown if lookup(name) is None))
        return cls(question, ask, picture, evidence_id, options)

    @property
    def placed(self) -> tuple[Scored, ...]:
        """The options that stand on the map itself, not in a list beside it."""
        return tuple(one for one in self.options if one[1].sort != "listing")

    @property
    def mentioned(self) -> tuple[PictureLabel, ...]:
        """The labels that the question mentions, the longest names first."""
        return tuple(
            self.picture.labels[index] for index in labels_mentioned(self.question.text, self.picture)
        )

    def says(self, index: int, kinds: frozenset[str]) -> bool:
        """True if an option's own words name one of the kinds."""
        return any(not kinds.isdisjoint(span.value.ids) for span in find_in(self.question.options[index]))

    def label(self, name: str) -> PictureLabel | None:
        """The label of this name; None if the picture has none."""
        found = labels_named(name, self.picture)
        return self.picture.labels[found[0]] if found else None

    def pick(self, index: int, explanation: str, confidence: float) -> Solution:
        """The option as the answer."""
        text = self.question.options[index].strip()
        return self.answered(OptionPick(index=index, text=text), explanation, confidence)

    def answered(self, value: Value, explanation: str, confidence: float) -> Solution:
        """A solution that rests on the picture."""
        return Solution(
            status=Status.ANSWERED, value=value, explanation=explanation,
            evidence_ids=(self.evidence_id,), confidence=confidence,
        )  # fmt: skip

    def unanswerable(self, reason: str) -> Solution:
        """The picture does not tell."""
        return Solution(status=Status.UNANSWERABLE, reason=reason, evidence_ids=(self.evidence_id,))


def fits_kind(label: PictureLabel, ask: PictureAsk) -> bool:
    """True if a label is of the kind asked for: by its sign, by its words or the map, else by its colour."""
    if ask.phrase and f" {normalise(ask.phrase)} " in f" {normalise(label.text)} ":
        return True
    wanted = ask.categories
    if not wanted.isdisjoint(label.signs):
        return True
    if is_otherwise(label, wanted):
        return False
    if label.categories:
        return not wanted.isdisjoint(label.categories)
    return not label.signs and not wanted.isdisjoint(label.looks_like)


def is_otherwise(label: PictureLabel, wanted: frozenset[str]) -> bool:
    """True if a label's sign stands for another kind; signs of sights, or of all shops, tell little."""
    if not label.signs or label.signs[0] in GENERAL:
        return False
    wider = wanted.union(*(umbrellas_of(category) for category in wanted))
    return wider.isdisjoint(label.signs)


def spot(label: PictureLabel) -> Spot:
    """Where the thing is, in pixels."""
    return label.x_px, label.y_px


def from_edge(label: PictureLabel, side: Side) -> float:
    """How far a label is from a side, but for a constant."""
    return {"left": label.x_px, "right": -label.x_px, "upper": label.y_px, "lower": -label.y_px}[side]


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
