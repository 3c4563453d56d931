"""What must be told with routes and travel times: the warnings of the source, and those its terms demand.

Google's terms, for one, ask that the warnings of a route are shown with it, and a sentence with every way on
foot or by bicycle (https://developers.google.com/maps/documentation/routes/reference/rest/v2/TopLevel/computeRoutes,
`warnings` and `travelMode`).
"""

from collections.abc import Iterable, Iterator

from map_tools.facts import ReachFact, RoutesFact, TravelFact
from map_tools.providers.base import Terms
from mapagent.core.evidence import Evidence


def travel_notices(evidence: Iterable[Evidence], terms: Terms | None) -> tuple[str, ...]:
    """The warnings of all routes, travel times and areas of reach among the evidence, each once.

    Args:
        evidence: What was found.
        terms: Those of the provider it was found with; None where only supplied text was read.
    """
    return tuple(dict.fromkeys(_told(evidence, terms)))


def _told(evidence: Iterable[Evidence], terms: Terms | None) -> Iterator[str]:
    for item in evidence:
        fact = item.value
        if not isinstance(fact, RoutesFact | TravelFact | ReachFact):
            continue
        if isinstance(fact, RoutesFact):
            for route in fact.routes:
                yield from route.warnings
        # Text that came with the question is nobody's service.
        if terms is not None and item.source.provider and fact.mode in terms.travel_warnings:
            yield terms.travel_warnings[fact.mode]
