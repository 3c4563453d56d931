"""How many labels are of a kind, or of a brand, in a picture or a part of it."""

from map_tools.facts import PictureLabel, PictureMarker
from mapagent.core.answer import Quantity
from modules.answer_generator.matching import Match, match_one
from modules.names import normalise, similarity
from modules.solution import Solution
from modules.visual_place_recognizer.case import LIKELY, SURE, WEAK, Case, fits_kind
from modules.visual_place_recognizer.finding import is_on, shape_of, shape_of_region
from modules.visual_place_recognizer.reading import PictureAsk
from modules.visual_place_recognizer.shapes import Line

BRAND_SCORE = 0.86
ALONG_SHARE = 0.06
"""What stands along a street is no farther from it, as a share of the picture's width."""
COUNT_REACH = 4
"""A count that is no option gives way to the nearest option that is not farther off: labels go unread."""


def count(case: Case) -> Solution | None:
    """How many labels are of a kind, or of a brand, in the part of the picture asked about."""
    ask = case.ask
    if not ask.counts or not (ask.kinds or ask.brand):
        return None
    kept: list[PictureLabel | PictureMarker] = [
        *(label for label in case.picture.labels if _is_counted(label, ask)),
        *(marker for marker in case.picture.markers if not ask.categories.isdisjoint(marker.signs)),
    ]
    if ask.region is not None:
        shape = shape_of_region(ask.region, case)
        if shape is None:
            return case.unanswerable(f"'{ask.region.of}' is not written in the picture.")
        kept = [one for one in kept if is_on(one, ask.region.sides, shape)]
    elif ask.along and isinstance(street := shape_of(ask.along, case), Line):
        reach = ALONG_SHARE * case.picture.width_px
        kept = [one for one in kept if street.distance_px((one.x_px, one.y_px)) <= reach]
    names = [_named(one) for one in kept]
    explanation = (
        f"{len(names)} are seen: {', '.join(names)}." if names else "No such thing is in the picture."
    )
    if not case.question.live_options():
        return case.answered(Quantity(value=len(names), unit="count"), explanation, LIKELY)
    return _option_for(case, len(names), explanation)


def _option_for(case: Case, number: int, explanation: str) -> Solution:
    """The option that says the count, or the nearest number; where nothing is seen nothing supports one."""
    exact = match_one(Quantity(value=number, unit="count"), case.question)
    if isinstance(exact, Match):
        return case.pick(exact.index, explanation, SURE)
    if number == 0:
        return case.unanswerable("No such label is in the picture, and no option says so.")
    for off in range(1, COUNT_REACH + 1):
        for other in (number + off, number - off):
            found = match_one(Quantity(value=other, unit="count"), case.question) if other > 0 else None
            if isinstance(found, Match):
                warning = f"{number} were counted, which is no option; {found.text} comes nearest."
                solution = case.pick(found.index, explanation, WEAK)
                return solution.model_copy(update={"warnings": (warning,)})
    return case.unanswerable(f"{number} were counted, and no option says about as many.")


def _named(one: PictureLabel | PictureMarker) -> str:
    """Words for what was counted; a marker without a readable name is told by its place."""
    return one.text if isinstance(one, PictureLabel) else f"a marker at ({one.x_px:g}, {one.y_px:g})"


def _is_counted(label: PictureLabel, ask: PictureAsk) -> bool:
    if label.sort != "place":
        return False
    if ask.brand:
        wanted, words = normalise(ask.brand).rstrip("s"), normalise(label.text)
        return wanted in words or similarity(ask.brand, label.text) >= BRAND_SCORE
    return fits_kind(label, ask)
