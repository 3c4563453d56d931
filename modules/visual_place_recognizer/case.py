"""A question beside its picture: what all picture solvers share."""

from dataclasses import dataclass

from map_tools.facts import PictureFact, PictureLabel
from map_tools.kinds.concepts import find_in, lookup, umbrellas_of
from mapagent.core.answer import OptionPick, Status, Value
from mapagent.core.question import Question
from modules.names import normalise
from modules.solution import Solution
from modules.visual_place_recognizer.naming import labels_mentioned, labels_named
from modules.visual_place_recognizer.options import Scored, options_shown
from modules.visual_place_recognizer.reading import PictureAsk, Side, read_ask
from modules.visual_place_recognizer.shapes import Spot

SURE = 0.85
LIKELY = 0.6
WEAK = 0.35
"""About the shares right that kinds of answers had on generated and on MapEval's pictures; in
docs/results/vision.md the latter by themselves."""

GENERAL = frozenset(
    {"attraction", "shop", "supermarket", "convenience", "historic", "government", "park", "bank"}
)
"""Categories of signs that web maps give to places of many kinds."""


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
