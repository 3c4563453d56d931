"""The option that a picture supports best where no program answers the question: a weak reason, and it says so.

Who asks about a picture of a map with places to choose from has them in the picture, near its middle. So one of those
shown is more likely right than none; where none of them is shown, nothing supports any.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from math import dist

from rapidfuzz import fuzz

from map_tools.compute.geodesy import distance_m
from map_tools.facts import PictureFact, PictureLabel
from map_tools.kinds.concepts import find_in
from map_tools.providers.base import Spot
from map_tools.text import normalise
from map_tools.types import LatLng, Matrix, MatrixCell, Route, TravelMode
from mapagent.core.answer import Quantity
from mapagent.core.question import Question
from modules.answer_generator.matching import Match, match_one
from modules.visual_place_recognizer.naming import labels_mentioned, options_shown
from modules.visual_place_recognizer.world import GENERAL, PictureProvider, kinds_of

TOLD_SCORE, TOLD_LEAD = 60.0, 3.0
"""How well an option must fit what is written beneath a name, and by how much better than any other (0 to 100)."""
COUNT_REACH = 4
"""A count that is no option gives way to the nearest option that is not farther off: labels go unread."""
LARGEST_COUNT = 30
"""Questions do not ask for more to be counted."""

DETOUR = 1.3
"""A way through streets by its straight line (Ballou, Rahardja and Sakai 2002, of many countries)."""
SPEEDS_MPS = {TravelMode.WALKING: 1.3, TravelMode.BICYCLING: 4.2, TravelMode.DRIVING: 8.3}
"""Walking as Bohannon 1997 measured it; 15 km/h by bicycle and 30 km/h through a town are assumed."""


@dataclass(frozen=True, slots=True)
class Support:
    """The option, by its index, and what is said for it."""

    index: int
    reason: str


def nearest_count(counted: int, question: Question) -> Support | None:
    """The option that says a number, else the nearest one; for nothing seen the least one."""
    if counted == 0:
        numbers: Iterable[int] = range(1, LARGEST_COUNT + 1)
    else:
        numbers = [counted, *(counted + off for step in range(1, COUNT_REACH + 1) for off in (step, -step))]
    for number in numbers:
        found = match_one(Quantity(value=number, unit="count"), question) if number > 0 else None
        if isinstance(found, Match):
            return Support(found.index, f"{counted} were counted, and {found.text} comes nearest.")
    return None


def best_supported(question: Question, picture: PictureFact, kinds: frozenset[str]) -> Support | None:
    """The option with most support; None if none has any.

    Support is, in this order: being written beneath what the question mentions; being the only option shown of the
    kind asked for, or the one nearest to what the question mentions, or else to the middle; saying by its own words
    alone that it is of the kind; speaking of most of what is written in the picture, as directions do.

    Args:
        question: With options.
        picture: What was read.
        kinds: Category ids of what is asked for; none if that is not known.
    """
    mentioned = [picture.labels[index] for index in labels_mentioned(question.text, picture)]
    return (
        _written(question, mentioned)
        or _shown(question, mentioned, picture, kinds)
        or _worded(question, picture, kinds)
        or (_telling(question, picture) if mentioned else None)
    )


def _written(question: Question, mentioned: Sequence[PictureLabel]) -> Support | None:
    for label in mentioned:
        notes = [normalise(note) for note in label.notes]
        fits = sorted((_fit(normalise(text), notes), index) for index, text in question.live_options())
        (second, _), (best, index) = ((0.0, -1), *fits)[-2:]
        if best >= max(TOLD_SCORE, second + TOLD_LEAD):
            return Support(index, f"Beneath {label.text} is written: {'; '.join(label.notes)}.")
    return None


def _fit(text: str, notes: Sequence[str]) -> float:
    """How well a text fits one of some notes."""
    return max((fuzz.token_set_ratio(text, note) for note in notes), default=0.0)


def _shown(
    question: Question, mentioned: Sequence[PictureLabel], picture: PictureFact, kinds: frozenset[str]
) -> Support | None:
    options = [one for one in options_shown(question, picture) if one[1].sort != "listing"]
    own = [label for _, label in options]
    spots = [_spot(one) for one in mentioned if one not in own and one.sort != "listing"]
    aims = spots or [(picture.width_px / 2, picture.height_px / 2)]
    named = _named(question, kinds)
    fitting = [one for one in options if one[0] in named or kinds & set(kinds_of(one[1]))]
    fitting = fitting or [one for one in options if not kinds or _may_be(one[1])]
    chosen = [one for one in fitting if one[1].selected] or fitting
    if not chosen:
        return None
    index, label = min(chosen, key=lambda one: sum(dist(_spot(one[1]), aim) for aim in aims))
    return Support(index, f"{label.text} is in the picture.")


def _may_be(label: PictureLabel) -> bool:
    """Whether a label may be of a kind that nothing says it is of: what has no marker is an area."""
    return label.sort != "place" or (label.marked and (not label.signs or label.signs[0] in GENERAL))


def _named(question: Question, kinds: frozenset[str]) -> list[int]:
    """The options whose words name the kind."""
    told = (
        (index, {one for span in find_in(text) for one in span.value.ids})
        for index, text in question.live_options()
    )
    return [index for index, named in told if kinds & named]


def _worded(question: Question, picture: PictureFact, kinds: frozenset[str]) -> Support | None:
    named = _named(question, kinds)
    if len(named) != 1 or not picture.labels:
        return None
    return Support(named[0], "Of the options only its name is that of the kind asked for.")


def _telling(question: Question, picture: PictureFact) -> Support | None:
    told = sorted(
        ((len(labels_mentioned(text, picture)), -index) for index, text in question.live_options()),
        reverse=True,
    )
    if not told or told[0][0] == 0 or (len(told) > 1 and told[1][0] == told[0][0]):
        return None
    return Support(-told[0][1], "It speaks of most of what is written in the picture.")


def _spot(label: PictureLabel) -> tuple[float, float]:
    return label.x_px, label.y_px


class ReckonedWays(PictureProvider):
    """A picture's world with ways reckoned from straight lines: enough to say which option they support."""

    def __init__(self, picture: PictureFact, question: Question) -> None:
        super().__init__(picture, question)
        self.capabilities = self.capabilities.model_copy(update={"modes": frozenset(SPEEDS_MPS)})

    async def directions(
        self,
        origin: Spot,
        destination: Spot,
        *,
        mode: TravelMode,
        waypoints: tuple[Spot, ...] = (),
        alternatives: bool = False,  # noqa: ARG002 (there is one)
        depart_at: datetime | None = None,  # noqa: ARG002 (at any time)
    ) -> tuple[Route, ...]:
        """The one way, without steps."""
        self._check(mode)
        stops = (origin, *waypoints, destination)
        cells = [_cell(a, b, mode) for a, b in pairwise(stops)]
        if any(cell.distance_m is None for cell in cells):
            return ()
        far_m = sum(cell.distance_m or 0.0 for cell in cells)
        return (Route(summary="", distance_m=far_m, duration_s=far_m / SPEEDS_MPS[mode]),)

    async def matrix(
        self, origins: tuple[Spot, ...], destinations: tuple[Spot, ...], *, mode: TravelMode
    ) -> Matrix:
        """The reckoned ways; empty cells for what has no position."""
        self._check(mode)
        rows = tuple(tuple(_cell(start, end, mode) for end in destinations) for start in origins)
        return Matrix(mode=mode, rows=rows)


def _cell(start: Spot, end: Spot, mode: TravelMode) -> MatrixCell:
    a, b = (spot if isinstance(spot, LatLng) else spot.location for spot in (start, end))
    if a is None or b is None:
        return MatrixCell(distance_m=None, duration_s=None)
    far_m = DETOUR * distance_m(a, b)
    return MatrixCell(distance_m=far_m, duration_s=far_m / SPEEDS_MPS[mode])
