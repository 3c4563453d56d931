"""Short ways to read a text and pick facts of one kind out of it."""

from map_tools.facts import Fact, FailureFact, NearbyFact, NoteFact, PlaceFact, RoutesFact, TravelFact
from map_tools.types import Place
from modules.context_reader.drafts import Finding
from modules.context_reader.reader import read_text


def findings[F: (PlaceFact, NearbyFact, RoutesFact, TravelFact, NoteFact, FailureFact)](
    text: str, kind: type[F]
) -> list[tuple[F, Finding]]:
    """All facts of a kind, each with its finding."""
    found: list[tuple[F, Finding]] = []
    for item in read_text(text).findings:
        fact: Fact = item.fact
        if isinstance(fact, kind):
            found.append((fact, item))
    return found


def facts[F: (PlaceFact, NearbyFact, RoutesFact, TravelFact, NoteFact, FailureFact)](
    text: str, kind: type[F]
) -> list[F]:
    """All facts of a kind."""
    return [fact for fact, _ in findings(text, kind)]


def one_place(text: str) -> Place:
    """The only place a text is about."""
    (fact,) = facts(text, PlaceFact)
    return fact.place
