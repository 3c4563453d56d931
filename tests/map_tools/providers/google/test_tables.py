"""Place types, prices, fields: the data and what is made of it."""

import tomllib
from importlib.resources import files
from typing import Any

import pytest

from map_tools.kinds import concepts
from map_tools.providers.base import ProviderSetting
from map_tools.providers.google.places import details_mask, search_mask, tier_of
from map_tools.providers.google_common.places import (
    MAX_SEARCH_TYPES,
    categories_of,
    cuisines_of,
    legacy_search_types,
    search_types,
)
from map_tools.providers.google_common.provider import FACTS, USUAL
from map_tools.providers.google_common.terms import cost_of, google_wire
from map_tools.providers.google_legacy.places import details_fields
from map_tools.types import Place

TYPES = tomllib.loads((files("map_tools.data") / "google_types.toml").read_text("utf-8"))
CUISINES = tomllib.loads((files("map_tools.data") / "cuisines.toml").read_text("utf-8"))["cuisines"]


def test_every_type_means_a_category_of_the_vocabulary() -> None:
    known = {**TYPES["types"], **TYPES["results"], **TYPES["legacy"]["words"]}
    assert [category for category in known.values() if concepts.concept(category) is None] == []
    assert [cuisine for cuisine in TYPES["cuisines"].values() if cuisine not in CUISINES] == []
    assert set(TYPES["cuisines"]) <= set(TYPES["types"])
    assert set(TYPES["legacy"]["search"].split()) <= set(TYPES["types"])


@pytest.mark.parametrize(
    ("types", "categories"),
    [
        (("coffee_shop", "cafe", "food", "establishment"), ("cafe", "food")),
        (("art_gallery", "tourist_attraction"), ("gallery", "attraction")),
        (("subway_station", "transit_station"), ("subway_station", "metro", "station", "transit")),
        (("establishment", "point_of_interest"), ()),
    ],
)
def test_categories_most_specific_first(types: tuple[str, ...], categories: tuple[str, ...]) -> None:
    assert categories_of(types) == categories


def test_a_type_may_tell_the_cuisine() -> None:
    assert cuisines_of(("thai_restaurant", "restaurant")) == ("thai",)
    assert cuisines_of(("restaurant",)) == ()


def test_types_to_search_by() -> None:
    assert search_types(("pharmacy",)) == ("drugstore", "pharmacy")
    assert "restaurant" in search_types(("restaurant",))
    assert "thai_restaurant" not in search_types(("restaurant",))
    assert search_types(("defibrillator",)) == ()
    assert legacy_search_types(("hotel",)) == ()
    assert legacy_search_types(("lodging",)) == ("lodging",)


def test_no_umbrella_needs_more_types_than_a_search_takes() -> None:
    for umbrella in ("food", "shop", "attraction", "healthcare", "transit", "sports"):
        found = concepts.concept(umbrella)
        assert found is not None
        assert 1 < len(search_types(found.ids)) <= MAX_SEARCH_TYPES


@pytest.mark.parametrize(
    ("facts", "tier"),
    [
        ((), "pro"),
        (("address", "location"), "pro"),
        (("hours",), "enterprise"),
        (("rating", "phone", "website"), "enterprise"),
        (("hours", "services"), "atmosphere"),
        (("reviews",), "atmosphere"),
    ],
)
def test_the_dearest_fact_sets_the_tier(facts: tuple[str, ...], tier: str) -> None:
    # https://developers.google.com/maps/documentation/places/web-service/data-fields
    assert tier_of(facts).suffix == tier


def test_masks_hold_what_is_wanted_and_no_more() -> None:
    base = "id,displayName,types,primaryType,location,formattedAddress,businessStatus"
    assert details_mask(()) == base
    assert details_mask(("rating",)) == f"{base},rating,userRatingCount"
    assert search_mask(("website",), paged=True).split(",")[-2:] == ["places.websiteUri", "nextPageToken"]
    assert "reviews" not in details_mask(USUAL)
    assert "reviews" in details_mask(FACTS)
    assert " " not in details_mask(FACTS)


def test_declared_facts_are_attributes_of_places() -> None:
    assert set(Place.model_fields) >= FACTS


def test_the_older_client_knows_all_fields() -> None:
    from googlemaps.places import PLACES_DETAIL_FIELDS

    assert set(details_fields(FACTS)) <= PLACES_DETAIL_FIELDS


@pytest.mark.parametrize(
    ("tier", "units", "usd"),
    [
        # US dollars for 1,000 units: https://developers.google.com/maps/billing-and-pricing/pricing
        ("text_search_pro", 1, 0.032),
        ("nearby_search_enterprise", 1, 0.035),
        ("place_details_atmosphere", 1, 0.025),
        ("routes_essentials", 1, 0.005),
        ("matrix_essentials", 12, 0.060),
        ("text_search_ids", 1, 0.0),
    ],
)
def test_prices(tier: str, units: int, usd: float) -> None:
    assert cost_of(tier, units).usd == pytest.approx(usd)


@pytest.mark.parametrize(
    ("more", "per_s"), [({}, 10), ({"processes": 4}, 2.5), ({"base_url": "http://127.0.0.1:1"}, None)]
)
def test_the_quota_of_a_project_is_shared_by_processes(more: dict[str, Any], per_s: float | None) -> None:
    """600 requests a minute for a project
    (https://developers.google.com/maps/documentation/places/web-service/usage-and-billing#other-usage-limits)."""
    policy = google_wire(ProviderSetting(name="google", **more)).policy
    assert policy.requests_per_s == per_s
