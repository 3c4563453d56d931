"""Finds where a map picture is: its labels are looked up, and a frame is fitted to what they may be."""

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from map_tools.providers.base import Provider
from map_tools.text import normalise
from map_tools.types import Candidate, LatLng, Place
from map_tools.vision.boxes import Label
from map_tools.vision.frame import Fit, Frame, fit_frame, to_plane

MOST_LOOKUPS = 48
MOST_PAID_LOOKUPS = 12
"""Of a provider that has to be asked over a network."""
CANDIDATES = 8
LEAST_SCORE = 0.85
"""How well a place's name fits the label at least; readers slip in a letter now and then."""
SHORTEST_NAME = 3
SPOT_PX = 14
LEAST_SPOT_M = 12.0
CANDIDATES_NEARBY = 30
LEAST_LETTERS = 0.72
"""Right where it is looked for, a name may be read with more slips: a letter in four."""
STREETS = frozenset({"street", "footway", "cycleway", "path", "track", "service", "pedestrian"})
"""What has length: the point that stands for it is not where its label is."""


@dataclass(frozen=True, slots=True)
class Match:
    """A label and the place it names; `label` is its index."""

    label: int
    place: Place


@dataclass(frozen=True, slots=True)
class Located:
    """A picture whose place on earth is known.

    Attributes:
        frame: Turns pixels into positions.
        residual_m: Root mean square distance of the matched places from where the frame puts them.
        matches: The labels it rests on.
        positions: Where each label's place is, in the labels' order; of matched ones as the map has it.
    """

    frame: Frame
    residual_m: float
    matches: tuple[Match, ...]
    positions: tuple[LatLng, ...]


@dataclass(frozen=True, slots=True)
class NotLocated:
    """A picture that cannot be placed, with the reason."""

    reason: str


async def locate(
    labels: Sequence[Label], width_px: int, height_px: int, provider: Provider
) -> Located | NotLocated:
    """Where the picture is.

    Args:
        labels: As read from the picture.
        width_px: Width of the picture.
        height_px: Height of the picture.
        provider: Where their names are looked up.

    Raises:
        ToolError: The provider fails.
    """
    chosen = worth_looking_up(
        labels, MOST_LOOKUPS if provider.capabilities.cheap_names else MOST_PAID_LOOKUPS
    )
    if not chosen:
        return NotLocated("No name of a place was read.")
    found = {index: await _candidates(labels[index].text, provider) for index in chosen}
    known = [index for index, places in found.items() if places]
    points = [[to_plane(place.location) for place in found[index] if place.location] for index in known]
    fit = fit_frame([labels[index] for index in known], points, width_px, height_px)
    if fit is None:
        of_them = f"{len(known)} of the {len(chosen)} names looked up are on the map"
        return NotLocated(f"{of_them}, and too few of them agree on one place and scale.")
    matches = tuple(Match(known[row], found[known[row]][number]) for row, number in fit.matches)
    if provider.capabilities.cheap_names:
        matches = (*matches, *await _matched_nearby(labels, matches, fit.frame, provider))
    return _located(labels, matches, fit)


def worth_looking_up(labels: Sequence[Label], most: int) -> list[int]:
    """The labels that tell most: names of places, long ones and surely read ones first."""
    names = [
        index
        for index, label in enumerate(labels)
        if label.kind == "place" and sum(map(str.isalpha, label.text)) >= SHORTEST_NAME
    ]
    return sorted(names, key=lambda index: -labels[index].box.score * min(len(labels[index].text), 20))[:most]


async def _candidates(text: str, provider: Provider) -> tuple[Place, ...]:
    found = await provider.find_place(text, limit=CANDIDATES)
    return tuple(one.place for one in found if _is_spot(one))


def _is_spot(candidate: Candidate) -> bool:
    place = candidate.place
    return (
        candidate.score >= LEAST_SCORE
        and place.location is not None
        and not STREETS.intersection(place.categories)
    )


async def _matched_nearby(
    labels: Sequence[Label], matches: Sequence[Match], frame: Frame, provider: Provider
) -> list[Match]:
    """Labels that no name fitted by itself, matched with what the map has at their very spot."""
    done = {match.label for match in matches}
    radius_m = max(SPOT_PX * frame.metres_per_px, LEAST_SPOT_M)
    added: list[Match] = []
    for index, label in enumerate(labels):
        if index in done or label.kind != "place":
            continue
        around = await provider.nearby(frame.at(*label.spot), radius_m=radius_m, limit=CANDIDATES_NEARBY)
        scored = [(_letters(label.text, item.place.name), item.place) for item in around if item.place.name]
        score, place = max(scored, key=lambda entry: entry[0], default=(0.0, None))
        if place is not None and score >= LEAST_LETTERS:
            added.append(Match(index, place))
    return added


def _letters(read: str, name: str) -> float:
    """0 to 1: how alike two names are letter by letter, blanks aside."""
    a, b = (normalise(text).replace(" ", "") for text in (read, name))
    return fuzz.ratio(a, b) / 100


def _located(labels: Sequence[Label], matches: tuple[Match, ...], fit: Fit) -> Located:
    by_map = {match.label: match.place.location for match in matches}
    positions = tuple(by_map.get(index) or fit.frame.at(*label.spot) for index, label in enumerate(labels))
    return Located(
        frame=fit.frame,
        residual_m=fit.residual_px * fit.frame.metres_per_px,
        matches=matches,
        positions=positions,
    )
