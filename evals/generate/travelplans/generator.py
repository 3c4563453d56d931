"""Makes day plans to be worked out over a map: the words, the constraints, what plans are judged by, the proof."""

import random
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from evals.generate.benchmark import check_free, manifest_of, write_benchmark
from evals.generate.mapeval.draft import said_clock
from evals.generate.travel import Travel
from evals.generate.travelplans.families import FAMILIES, FAST, SLOW, Bench, Draft, impossible
from evals.generate.world import DAY_NAMES, RawMap
from evals.suites.scoring.plans import (
    Avoids,
    Constraint,
    Costs,
    Ends,
    InOrder,
    Open,
    Over,
    ReachedBy,
    Stays,
    Travels,
    VisitsSome,
)
from map_tools.errors import UsageError

ATTEMPTS = 200
"""Drafts tried for one question before its family is given up for this map."""
LEAST_PLACES = 20
ASKED_AT = datetime(2026, 11, 28, 18)  # noqa: DTZ001 (as the clocks of the place show it)
"""A Saturday evening; the days planned are those until the next Friday."""
TIGHTENED = ("budget", "return", "hours", "latest", "several", "choice")
"""Families that are made impossible too."""

type Hand = Mapping[str, str]


@lru_cache(maxsize=1)
def wordings() -> tuple[Mapping[str, str], tuple[Hand, ...]]:
    """The words for modes of travel, and the hands."""
    text = resources.files("evals.generate.travelplans").joinpath("wordings.toml").read_text("utf-8")
    data = tomllib.loads(text)
    return data["by"], tuple(data["hand"])


def generate(folder: Path, each: int, seed: int, out: Path) -> dict[str, Any]:
    """Writes `dataset.json`, `truth.jsonl` and `manifest.json`; returns the manifest.

    Args:
        folder: The map's folder.
        each: How many questions of each family; as many again of those that can be made impossible.
        seed: Of all choices; equal seeds make equal questions.
        out: The folder to write.

    Raises:
        UsageError: `out` holds something already, or the map has no routes or too few places.
        MapStoreError: The folder holds no map.
    """
    check_free(out)
    raw = RawMap(folder)
    name = raw.info["name"]
    if not raw.info["routable"]:
        raise UsageError(f"The map '{name}' has no routes.", "Take a map that was made with streets.")
    if len(raw.unique) < LEAST_PLACES:
        raise UsageError(
            f"The map '{name}' has only {len(raw.unique)} places with a name of their own.",
            f"Take a map with at least {LEAST_PLACES}.",
        )
    dice = random.Random(seed)  # noqa: S311 (reproducible, not secret)
    bench = Bench(raw, Travel(folder / "tiles"), dice)
    given_up: dict[str, str] = {}
    made = [
        one
        for family in FAMILIES
        for feasible in ((True, False) if family in TIGHTENED else (True,))
        for one in _family(bench, family, each, given_up, feasible=feasible)
    ]
    hands = wordings()[1]
    records, truths = [], []
    for number, (family, draft, tried) in enumerate(made, 1):
        hand = hands[number % len(hands)]
        records.append(_record(f"{name}-{number}", family, draft, hand, feasible=tried is None))
        truths.append(
            {
                "id": f"{name}-{number}",
                "hand": hand["name"],
                "osm": list(draft.places),
                "tried_in_vain": tried,
            }
        )
    by_family = dict(Counter(family for family, _, _ in made))
    manifest = manifest_of(raw.info, made, given_up, seed=seed, by_family=by_family)
    return write_benchmark(out, records, truths, manifest)


type _Made = tuple[str, Draft, int | None]
"""Family, draft, and how many plans were tried in vain where none keeps all constraints."""


def _family(
    bench: Bench, family: str, each: int, given_up: dict[str, str], *, feasible: bool
) -> Iterator[_Made]:
    made = 0
    for _ in range(ATTEMPTS):
        if made == each:
            return
        draft = FAMILIES[family](bench)
        if draft is None or (not feasible and not impossible(draft)):
            continue
        if feasible and draft.soonest(SLOW).plan is not None:
            made += 1
            yield family, draft, None
        elif not feasible and _all_reachable(draft) and (found := draft.soonest(FAST)).plan is None:
            made += 1
            yield family, draft, found.tried
    if made < each:
        what = family if feasible else f"{family}, impossible"
        given_up[what] = f"no material after {ATTEMPTS} attempts, {made} made"


def _all_reachable(draft: Draft) -> bool:
    """Whether there are ways between all places: a trip is to be impossible for what is asked of it."""
    return all(leg is not None for rows in draft.world.travel_s.values() for row in rows for leg in row)


def _record(name: str, family: str, draft: Draft, hand: Hand, *, feasible: bool) -> dict[str, Any]:
    return {
        "id": name,
        "family": family,
        "text": worded(draft, hand),
        "at": ASKED_AT.isoformat(),
        "day": _day(draft).isoformat(),
        "world": draft.world.model_dump(mode="json"),
        "constraints": [one.model_dump(mode="json") for one in draft.constraints],
        "feasible": feasible,
    }


def _day(draft: Draft) -> date:
    return ASKED_AT.date() + timedelta(days=(draft.weekday - ASKED_AT.weekday()) % 7)


def worded(draft: Draft, hand: Hand) -> str:
    """The question in the words of one hand."""
    return " ".join(one for one in _sentences(draft, hand) if one)


def _sentences(draft: Draft, hand: Hand) -> Iterator[str]:
    day, start = _day(draft), draft.start
    told_day = hand["day"].format(weekday=DAY_NAMES[draft.weekday], date=f"{day.day} {day:%B %Y}")
    slots = {"day": told_day, "start": _name(draft, start.place), "clock": _clock(start.at_s, hand)}
    yield hand["opening"].format(**slots)
    yield hand["stops"].format(stops=_listed(_stops(draft, hand)))
    for one in sorted(
        draft.constraints, key=lambda one: _TOLD.index(type(one)) if type(one) in _TOLD else -1
    ):
        yield _sentence(draft, one, hand)
    yield hand["closing"]


_TOLD = (VisitsSome, InOrder, Travels, Avoids, Costs, ReachedBy, Open, Ends, Over)
"""The order in which constraints are told after the stops."""


def _sentence(draft: Draft, one: Constraint, hand: Hand) -> str:
    """A constraint in words; empty for those that the opening and the stops tell."""
    match one:
        case VisitsSome() if draft.some is None:
            names = _listed([_name(draft, place) for place in one.places])
            return hand["some"].format(least=one.least, places=names, stay=_stay(draft, one.places[0]))
        case InOrder():
            first, second, *_ = (_name(draft, place) for place in one.places)
            whole = len(one.places) == len(draft.visits)
            return hand["in_order"] if whole else hand["before"].format(first=first, second=second)
        case Travels():
            by = wordings()[0][one.mode]
            return (
                hand["mode_to"].format(place=_listed([_name(draft, place) for place in one.to]), by=by)
                if one.to
                else hand["mode"].format(by=by)
            )
        case Ends() if one.place == draft.start.place:
            return hand["back"].format(start=_name(draft, one.place))
        case Ends():
            return hand["ends"].format(end=_name(draft, one.place))
        case _:
            return _limit(draft, one, hand)


def _limit(draft: Draft, one: Constraint, hand: Hand) -> str:
    match one:
        case Avoids():
            return hand["avoids"].format(place=_name(draft, one.place))
        case Costs():
            return hand["costs"].format(level=one.most)
        case ReachedBy():
            return hand["reached_by"].format(place=_name(draft, one.place), clock=_clock(one.by_s, hand))
        case Open():
            return hand["open"]
        case Over() if draft.budget:
            return hand["budget"].format(time=_span(one.by_s - draft.start.at_s))
        case Over():
            return hand["over"].format(clock=_clock(one.by_s, hand))
        case _:
            return ""


def _stops(draft: Draft, hand: Hand) -> list[str]:
    stops = [(_name(draft, place), place) for place in draft.visits]
    if draft.some is not None:
        some = next(one for one in draft.constraints if isinstance(one, VisitsSome))
        stops.append((hand["any"].format(kind=draft.some.one), some.places[0]))
    return [hand["stop"].format(place=name, stay=_stay(draft, place)) for name, place in stops]


def _name(draft: Draft, place: str) -> str:
    return draft.places[place].name


def _stay(draft: Draft, place: str) -> str:
    return _span(
        next(one.least_s for one in draft.constraints if isinstance(one, Stays) and place in one.places)
    )


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def _span(seconds: float) -> str:
    hours, minutes = divmod(round(seconds / 60), 60)
    parts = [
        f"{number} {unit}{'s' if number != 1 else ''}"
        for number, unit in ((hours, "hour"), (minutes, "minute"))
    ]
    return " ".join(part for part, number in zip(parts, (hours, minutes), strict=True) if number)


def _clock(seconds: float, hand: Hand) -> str:
    minutes = round(seconds / 60)
    return said_clock(minutes) if hand["clock"] == "12" else f"{minutes // 60:02d}:{minutes % 60:02d}"
