"""Questions that the map cannot answer: places that are not on it, and facts it does not hold."""

from evals.generate.mapeval.amounts import duration_text
from evals.generate.mapeval.draft import Bench, Draft
from evals.generate.weekly_hours import DAY_NAMES
from evals.generate.world import fold

SYLLABLES = (
    "bel",
    "cor",
    "dun",
    "far",
    "gol",
    "har",
    "kel",
    "lor",
    "mon",
    "nar",
    "pel",
    "quin",
    "ros",
    "tav",
    "vel",
)
ENDINGS = ("House", "Gallery", "Market", "Tower", "Gardens", "Arcade")
FACT_TAGS = ("stars", "rating", "review", "price", "price_range", "charge", "fee")


def nowhere(bench: Bench) -> Draft | None:
    """A place that does not exist."""
    name = f"{''.join(bench.dice.sample(SYLLABLES, 3)).capitalize()} {bench.dice.choice(ENDINGS)}"
    if any(fold(name) in fold(place.name) for place in bench.raw.places):
        return None
    a, kind = bench.places(1)[0], bench.kind()
    wrong = tuple(duration_text(60 * minutes) for minutes in bench.dice.sample(range(5, 50), 4))
    slots = {"a": a.name, "nowhere": name, "kind": kind.one, "day": bench.dice.choice(DAY_NAMES)}
    return Draft(slots, None, wrong, f"Nothing on the map is called {name}.", (a.osm,))


def unknown_fact(bench: Bench) -> Draft | None:
    """A fact that no tag of the place tells."""
    place = bench.places(1)[0]
    if any(key.startswith(FACT_TAGS) for key in place.tags):
        return None
    wrong = tuple(str(number) for number in bench.dice.sample(range(1, 60), 4))
    return Draft({"a": place.name}, None, wrong, "No tag tells reviews, ratings or prices.", (place.osm,))


def no_phone(bench: Bench) -> Draft | None:
    """The telephone number of a place that has none on the map."""
    place = bench.places(1)[0]
    known = [
        other.tags["phone"]
        for other in bench.raw.unique
        if "phone" in other.tags and ";" not in other.tags["phone"]
    ]
    if any("phone" in key or "mobile" in key for key in place.tags) or len(known) < 4:
        return None
    wrong = tuple(bench.dice.sample(sorted(set(known)), 4)) if len(set(known)) >= 4 else ()
    return (
        Draft({"a": place.name}, None, wrong, "The place has no tag phone.", (place.osm,)) if wrong else None
    )
