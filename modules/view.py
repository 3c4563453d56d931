"""The facts a solver sees, and the facts it still needs.

A solver asks the view for facts. What is known comes back; what is not is noted as a *need* and None comes
back. The map-tool agent turns the needs of one pass into one round of parallel calls and lets the solver run
again: a pipeline such as Nearby → PlaceInfo of each candidate → Trip comes about by itself. What was looked
for and could not be found raises `CannotTellError`, which ends the solver with its reason.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain

from map_tools.errors import UnsupportedError
from map_tools.facts import FailureFact, NearbyFact, NoteFact, PlaceFact, RoutesFact, TravelFact
from map_tools.ids import ID_PREFIX
from map_tools.types import Frozen, LatLng, Place, TravelMode
from mapagent.answer import Status
from mapagent.evidence import Evidence
from mapagent.question import Question
from modules.offline.intents import HERE
from modules.names import SAME_SCORE, mention_score, similarity
from modules.needs import NearbyNeed, Need, PlaceNeed, RoutesNeed, TravelNeed


class CannotTellError(Exception):
    """The evidence does not tell; carries the status and the reason the user is given."""

    def __init__(self, reason: str, status: Status = Status.UNANSWERABLE) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status


class Found(Frozen):
    """A place with the evidence it was found by."""

    place: Place
    evidence_id: str
    rivals: tuple[Place, ...] = ()

    @property
    def name(self) -> str:
        """The name on the map, or the address of an unnamed place."""
        return self.place.name or self.place.address or "(unnamed)"


class Travel(Frozen):
    """Travel between two places with the evidence it was found by."""

    duration_s: float
    distance_m: float | None
    evidence_id: str


class View:
    """Typed access to the evidence of one question. See the module's docstring for how needs work.

    Args:
        evidence: Everything known.
        question: For "here" and the like.
        closed: True if nothing more can be fetched: a missing fact then raises instead of becoming a need.
        now: The present moment (zone-aware), for questions about "now" that bring no moment of their own.
    """

    def __init__(
        self, evidence: Iterable[Evidence], question: Question, *, closed: bool, now: datetime | None = None
    ) -> None:
        self.question = question
        self.closed = closed
        self.now = now
        self.needs: list[Need] = []
        self._evidence = tuple(evidence)

    @property
    def waiting(self) -> bool:
        """True if a fact was asked for that is still to be fetched."""
        return bool(self.needs)

    def place(self, text: str) -> Found | None:
        """The place these words mean.

        Raises:
            CannotTellError: It was looked for and not found, or the view is closed.
        """
        if text == HERE:
            return self._here()
        known = self._known_place(text)
        if known is not None:
            return known
        self._miss(PlaceNeed(text=text), text, f"'{text}' is not among the facts at hand.")
        return None

    def try_place(self, text: str) -> Found | None:
        """As `place`, but a place that cannot be found is None, not an error."""
        try:
            return self.place(text)
        except CannotTellError:
            return None

    def nearby(self, need: NearbyNeed) -> tuple[Evidence, NearbyFact] | None:
        """The list that answers this need."""
        for item, fact in self.facts(NearbyFact):
            if self._serves(fact, need):
                return item, fact
        self._miss(need, need.anchor, f"No list of {need.what.text} around {need.anchor} is at hand.")
        return None

    def routes(self, need: RoutesNeed) -> tuple[Evidence, RoutesFact] | None:
        """The routes that answer this need."""
        for item, fact in self.facts(RoutesFact):
            if (
                fact.mode is need.mode
                and self._same_place(fact.origin, need.origin)
                and self._same_place(fact.destination, need.destination)
                and len(fact.waypoints) == len(need.waypoints)
                and all(map(self._same_place, fact.waypoints, need.waypoints))
                and (fact.complete or not need.alternatives)
            ):
                return item, fact
        subject = f"{need.origin} → {need.destination}"
        self._miss(
            need, subject, f"No {need.mode.value} route from {need.origin} to {need.destination} is at hand."
        )
        return None

    def travel(self, origin: str, destination: str, mode: TravelMode) -> Travel | None:
        """Time and distance of travel: a measured pair, or else the best route between the two.

        The pair whose names fit best counts: a short name may be part of a longer one.
        """
        best: Travel | None = None
        best_score = 0.0
        for score, travel in chain(
            self._measured(origin, destination, mode), self._routed(origin, destination, mode)
        ):
            if score > best_score:
                best, best_score = travel, score
        if best is not None and best_score >= SAME_SCORE:
            return best
        need = TravelNeed(origin=origin, destination=destination, mode=mode)
        subject = f"{origin} → {destination}"
        self._miss(need, subject, f"No {mode.value} time from {origin} to {destination} is at hand.")
        return None

    def facts[F: (PlaceFact, NearbyFact, RoutesFact, TravelFact, NoteFact, FailureFact)](
        self, kind: type[F]
    ) -> Iterator[tuple[Evidence, F]]:
        """All facts of one kind, each with its evidence."""
        for item in self._evidence:
            if isinstance(item.value, kind):
                yield item, item.value

    def _measured(self, origin: str, destination: str, mode: TravelMode) -> Iterator[tuple[float, Travel]]:
        """Measured pairs of this mode, each with how well its names fit."""
        for item, fact in self.facts(TravelFact):
            if fact.mode is mode and fact.duration_s is not None:
                score = min(likeness(fact.origin, origin), likeness(fact.destination, destination))
                yield (
                    score,
                    Travel(duration_s=fact.duration_s, distance_m=fact.distance_m, evidence_id=item.id),
                )

    def _routed(self, origin: str, destination: str, mode: TravelMode) -> Iterator[tuple[float, Travel]]:
        """The fastest of each list of routes of this mode, with how well the names fit."""
        for item, fact in self.facts(RoutesFact):
            timed = [route for route in fact.routes if route.duration_s is not None]
            if fact.mode is mode and timed and not fact.waypoints:
                score = min(likeness(fact.origin, origin), likeness(fact.destination, destination))
                best = min(timed, key=lambda route: route.duration_s or 0.0)
                yield (
                    score,
                    Travel(
                        duration_s=best.duration_s or 0.0, distance_m=best.distance_m, evidence_id=item.id
                    ),
                )

    def _here(self) -> Found:
        if self.question.near is None:
            for item, fact in self.facts(PlaceFact):
                if fact.query == HERE:  # supplied text may say where the user is
                    return Found(place=fact.place, evidence_id=item.id)
            raise CannotTellError("The question needs your position; give it with --near LAT,LON.")
        here = Place(id="here", name="your position", location=self.question.near)
        return Found(place=here, evidence_id="question")

    def _known_place(self, text: str) -> Found | None:
        """An exact query first; then the most similar place any fact speaks of."""
        best: Found | None = None
        best_score = 0.0
        for item, fact in self.facts(PlaceFact):
            if fact.query == text:
                return Found(place=fact.place, evidence_id=item.id, rivals=fact.rivals)
            if item.source.tool == "context":
                score = best_mention(text, (fact.query, fact.place.name, *fact.place.aliases))
                if score > best_score:
                    best, best_score = Found(place=fact.place, evidence_id=item.id), score
        for item, nearby in self.facts(NearbyFact):
            if item.source.tool != "context":
                continue
            for entry in nearby.items:
                score = best_mention(text, (entry.place.name, *entry.place.aliases))
                if score > best_score:
                    best, best_score = Found(place=entry.place, evidence_id=item.id), score
        return best if best_score >= SAME_SCORE else None

    def _same_place(self, a: str, b: str) -> bool:
        return likeness(a, b) >= SAME_SCORE

    def _serves(self, fact: NearbyFact, need: NearbyNeed) -> bool:
        if not self._same_place(fact.anchor, need.anchor) or fact.inside != need.inside:
            return False
        if fact.what != need.what.text and not set(fact.categories) & set(need.what.categories):
            return False
        wide = need.radius_m is None or fact.radius_m is None or fact.radius_m >= need.radius_m
        return wide and (fact.complete or not need.everything)

    def _miss(self, need: Need, subject: str, closed_reason: str) -> None:
        refused = ""
        for _, fact in self.facts(FailureFact):
            if fact.subject != subject:
                continue
            refused = f"{fact.message} {fact.remedy}".strip()
            if not _is_about_outline(fact, need):
                status = Status.AMBIGUOUS if fact.code == "ambiguous" else Status.UNANSWERABLE
                raise CannotTellError(refused, status)
        if self.closed:
            raise CannotTellError(refused or closed_reason)
        if need not in self.needs:
            self.needs.append(need)


def _is_about_outline(fact: FailureFact, need: Need) -> bool:
    """True if an area has no outline, and the need is for places around its centre."""
    return fact.code == UnsupportedError.code and isinstance(need, NearbyNeed) and not need.inside


def likeness(a: str, b: str) -> float:
    """0 to 1: how surely two wordings mean one place; ids are equal or different, never alike."""
    if a == b or a.startswith(ID_PREFIX) or b.startswith(ID_PREFIX):
        return float(a == b)
    return similarity(a, b)


def best_mention(text: str, names: Iterable[str]) -> float:
    """How surely these words name a place of a supplied text that goes by one of the names."""
    return max((mention_score(text, name) for name in names if name), default=0.0)


def location_of(found: Found) -> LatLng:
    """The position of a place.

    Raises:
        CannotTellError: The source gives none.
    """
    if found.place.location is None:
        raise CannotTellError(f"The position of {found.name} is not known.")
    return found.place.location
