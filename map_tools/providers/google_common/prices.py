"""What calls cost: the price tiers of `map_tools/data/google_prices.toml` as costs of the wire."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any

from map_tools.wire import Cost


def cost_of(tier: str, units: int = 1) -> Cost:
    """The cost of a request.

    Args:
        tier: Id of a price tier ("nearby_search_pro").
        units: How many are billed: 1 for a request, the elements of a matrix.
    """
    entry = _tiers()[tier]
    return Cost(sku=entry["name"], usd_each=entry["per_1000"] / 1000, units=units)


@lru_cache(maxsize=1)
def _tiers() -> dict[str, dict[str, Any]]:
    data = tomllib.loads((files("map_tools.data") / "google_prices.toml").read_text("utf-8"))
    tiers: dict[str, dict[str, Any]] = data["tiers"]
    return tiers
