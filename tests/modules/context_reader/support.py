"""Short ways to read a text and pick facts of one kind out of it."""

from map_tools.facts import NearbyFact, NoteFact, PlaceFact, RoutesFact, TravelFact
from map_tools.types import Place
from modules.context_reader.reader import read_text


def facts[F: (PlaceFact, NearbyFact, RoutesFact, TravelFact, NoteFact)](text: str, kind: type[F]) -> list[F]:
    """All facts of a kind."""
    return [finding.fact for finding in read_text(text).findings if isinstance(finding.fact, kind)]


def one_place(text: str) -> Place:
    """The only place a text is about."""
    (fact,) = facts(text, PlaceFact)
    return fact.place
