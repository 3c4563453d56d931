"""A question beside its picture: what all picture solvers share."""

from dataclasses import dataclass

from map_tools.facts import PictureFact, PictureLabel
from mapagent.answer import Claim, OptionPick, Solution, Status, Value
from mapagent.question import Question
from modules.names import normalise
from modules.visual_place_recognizer.naming import labels_named
from modules.visual_place_recognizer.reading import PictureAsk, Region, Side, read_ask

SURE = 0.85
LIKELY = 0.6
WEAK = 0.35
"""Shares right that the kinds of answers had on generated pictures and on MapEval's, rounded down."""

type Spot = tuple[float, float]
type Scored = tuple[int, PictureLabel]


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
        named = ((index, labels_named(text, picture)) for index, text in question.live_options())
        options = tuple((index, picture.labels[found[0]]) for index, found in named if found)
        return cls(question, read_ask(question.text), picture, evidence_id, options)

    def label(self, name: str) -> PictureLabel | None:
        """The label of this name; None if the picture has none."""
        found = labels_named(name, self.picture)
        return self.picture.labels[found[0]] if found else None

    def pick(self, index: int, explanation: str, confidence: float, *claims: Claim) -> Solution:
        """The option as the answer."""
        text = self.question.options[index].strip()
        claim = Claim(rule="option", inputs=(self.evidence_id,), arguments={"texts": [text]}, result=index)
        return self.answered(OptionPick(index=index, text=text), explanation, confidence, *claims, claim)

    def answered(self, value: Value, explanation: str, confidence: float, *claims: Claim) -> Solution:
        """A solution that rests on the picture."""
        return Solution(
            status=Status.ANSWERED, value=value, explanation=explanation, claims=claims,
            evidence_ids=(self.evidence_id,), confidence=confidence,
        )  # fmt: skip

    def unanswerable(self, reason: str) -> Solution:
        """The picture does not tell."""
        return Solution(status=Status.UNANSWERABLE, reason=reason, evidence_ids=(self.evidence_id,))


def fits_kind(label: PictureLabel, ask: PictureAsk) -> bool:
    """True if a label is of the kind asked for: by its words or the map, else by its colour."""
    if ask.phrase and f" {normalise(ask.phrase)} " in f" {normalise(label.text)} ":
        return True
    if not ask.kinds:
        return False
    if label.categories:
        return not ask.categories.isdisjoint(label.categories)
    return not ask.categories.isdisjoint(label.looks_like)


def spot(label: PictureLabel) -> Spot:
    """Where the thing is, in pixels."""
    return label.x_px, label.y_px


def from_edge(label: PictureLabel, side: Side) -> float:
    """How far a label is from a side, but for a constant."""
    return {"left": label.x_px, "right": -label.x_px, "upper": label.y_px, "lower": -label.y_px}[side]


def middle_of(region: Region, case: Case) -> Spot | None:
    """What the sides of a region are sides of: the picture's middle, or a thing in it."""
    if not region.of:
        return case.picture.width_px / 2, case.picture.height_px / 2
    label = case.label(region.of)
    return spot(label) if label else None


def is_on(label: PictureLabel, sides: tuple[Side, ...], middle: Spot) -> bool:
    """True if a label lies on all these sides of a spot."""
    tests = {
        "left": label.x_px < middle[0], "right": label.x_px > middle[0],
        "upper": label.y_px < middle[1], "lower": label.y_px > middle[1],
    }  # fmt: skip
    return all(tests[side] for side in sides)
