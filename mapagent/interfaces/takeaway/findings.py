"""What is taken away of an answer, whatever the file format: its features, and the words that belong to them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from map_tools.errors import UsageError
from map_tools.providers.base import ANY_BASE_MAP
from mapagent.core.answer import Status
from mapagent.interfaces.takeaway.features import Feature

WAYS = ("route", "alternative", "travel")
GIVEN = ("answer", "visit", "shape")
"""What the answer itself gives; the other roles are what it was found from."""
WHAT_IT_RESTS_ON = ("place", "anchor", "candidate", "label")


@dataclass(frozen=True, slots=True)
class Findings:
    """What there is to see of an answer.

    Attributes:
        title: What was asked.
        text: The answer in words.
        attribution: Whose data it is.
        map: The map of this machine that it comes from; None if it comes from elsewhere.
        features: Of `features.answer_features`.
    """

    title: str
    text: str
    attribution: str
    map: str | None
    features: tuple[Feature, ...]

    @classmethod
    def of(cls, title: str, record: Mapping[str, Any], features: Sequence[Feature]) -> "Findings":
        """The findings of an answer.

        Args:
            title: What was asked.
            record: The answer as plain data (`show.as_record`).
            features: What there is to see of it.

        Raises:
            UsageError: There is no answer, nothing to see, or the terms of its source let nobody keep it.
        """
        base_map = record["base_map"]
        if base_map != ANY_BASE_MAP:
            raise UsageError(
                f"What {base_map} found may be drawn over {base_map} maps only, so it cannot be saved.",
                "Ask with another provider.",
            )
        if record["status"] != Status.ANSWERED:
            raise UsageError("There is no answer, so there is nothing to save.")
        if not features:
            raise UsageError("The answer has no place, way or time, so there is nothing to save.")
        return cls(title, record["answer"], record["attribution"], record["map"], tuple(features))

    def of_role(self, *roles: str) -> Iterator[Feature]:
        """The features of some roles, in their order."""
        return (feature for feature in self.features if feature["properties"]["role"] in roles)

    def visits(self) -> tuple[Feature, ...]:
        """The stays of the trip, in order."""
        return tuple(self.of_role("visit"))

    def ways(self) -> tuple[Feature, ...]:
        """The ways: of a trip those it takes, in order and each once, with its course where that is known."""
        ways = list(self.of_role(*WAYS))
        legs: dict[int, Feature] = {}
        for way in sorted(ways, key=lambda one: WAYS.index(one["properties"]["role"])):
            if "leg" in way["properties"]:
                legs.setdefault(way["properties"]["leg"], way)
        return tuple(legs[number] for number in sorted(legs)) if legs else tuple(ways)

    def points(self) -> tuple[Feature, ...]:
        """The places that matter, each once: those the answer gives and the ends of ways; else all it rests on."""
        roles = ["answer", "visit"]
        if any(self.of_role(*WAYS)):
            roles.append("place")
        found = _distinct(self.of_role(*roles))
        return found or _distinct(self.of_role(*WHAT_IT_RESTS_ON))

    def geojson(self) -> Mapping[str, Any]:
        """A FeatureCollection; what was asked, the answer and the credit are members of it (RFC 7946, 6.1)."""
        return {
            "type": "FeatureCollection",
            "question": self.title,
            "answer": self.text,
            "attribution": self.attribution,
            "features": list(self.features),
        }


def name_of(feature: Feature) -> str:
    """What a feature is called: a way by its ends, another by its name, else by its kind."""
    said = feature["properties"]
    if said["role"] in WAYS:
        ends = f"{said['from']} → {said['to']}" if "from" in said else "way"  # older histories have no ends
        return f"{ends} (via {said['name']})" if said.get("name") else ends
    kind = said.get("kind") or "place"
    return said.get("name") or f"unnamed {kind}"


def _distinct(features: Iterator[Feature]) -> tuple[Feature, ...]:
    """Points: the visits, all of them since a trip may come back, then every other place once."""
    visits: list[Feature] = []
    others: dict[Any, Feature] = {}
    for feature in features:
        if feature["geometry"] is None or feature["geometry"]["type"] != "Point":
            continue
        if feature["properties"]["role"] == "visit":
            visits.append(feature)
        else:
            others.setdefault(_spot(feature), feature)
    for visit in visits:
        others.pop(_spot(visit), None)
    return (*visits, *others.values())


def _spot(point: Feature) -> Any:
    return (*point["geometry"]["coordinates"], point["properties"].get("name"))
