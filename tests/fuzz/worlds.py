"""A small town, recorded: restaurants and sights with ratings and hours, and all ways between them."""

import json
from datetime import UTC, datetime
from itertools import permutations
from pathlib import Path
from typing import Any

NOON = datetime(2026, 5, 8, 12, tzinfo=UTC)
PLACES: dict[str, dict[str, Any]] = {
    "Quay House": {"location": [-12.503, 130.751], "categories": ["hotel"]},
    "Old Light": {"location": [-12.5, 130.75], "categories": ["museum"], "rating": 4.6},
    "Salt Cellar": {"location": [-12.503, 130.753], "categories": ["restaurant"], "rating": 4.1},
    "Green Bowl": {"location": [-12.501, 130.7505], "categories": ["restaurant"], "rating": 3.9},
}
HOURS = {
    "Old Light": "Tu-Su 09:00-21:00",
    "Salt Cellar": "Mo-Su 12:00-15:00",
    "Green Bowl": "Mo-Su 12:00-22:00",
}
MINUTES = {"driving": 3, "walking": 11, "bicycling": 5}


def write_town(path: Path) -> Path:
    """Writes the world and returns its path; the n-th way of a mode takes n minutes more than the first."""
    travel = [
        {
            "origin": a,
            "destination": b,
            "mode": mode,
            "duration": f"{first + number} mins",
            "distance": f"{number + 1} km",
        }
        for mode, first in MINUTES.items()
        for number, (a, b) in enumerate(permutations(PLACES, 2))
    ]
    places = [{"name": name, "hours": HOURS.get(name)} | facts for name, facts in PLACES.items()]
    world = {"format": "mapagent-world", "version": 1, "places": places, "travel_times": travel}
    path.write_text(json.dumps(world), encoding="utf-8")
    return path
