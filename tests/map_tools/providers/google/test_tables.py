"""Place types, prices, fields and opening hours: Google's data and what is made of it."""

import tomllib
from datetime import UTC, date, datetime
from importlib.resources import files
from typing import Any

import pytest

from map_tools.compute.hours import OpenState, day_spec_text, open_state
from map_tools.kinds import concepts
from map_tools.providers.base import ProviderSetting
from map_tools.providers.google.places import details_mask, search_mask, tier_of
from map_tools.providers.google_common.places import (
    MAX_SEARCH_TYPES,
    Period,
    SpecialDay,
    by_date,
    categories_of,
    closed_for_good,
    cuisines_of,
    hours_of,
    legacy_search_types,
    search_types,
    week_minute,
)
from map_tools.providers.google_common.provider import FACTS, USUAL
from map_tools.providers.google_common.terms import cost_of, google_wire
from map_tools.providers.google_legacy.places import details_fields
from map_tools.types import Hours, Place

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


SUN, MON, TUE, WED, THU, FRI, SAT = range(7)
"""Google's day numbers (https://developers.google.com/maps/documentation/places/web-service/reference/rest/v1/\
places#Point)."""


def period(day: int, opens: int, end_day: int, closes: int) -> Period:
    return Period(
        week_minute(day, opens // 100, opens % 100), week_minute(end_day, closes // 100, closes % 100)
    )


def hours(*periods: Period, special: tuple[SpecialDay, ...] = ()) -> Hours:
    found = hours_of(periods, (), special)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("periods", "spec"),
    [
        ((period(SUN, 800, SUN, 1230),), "Mo-Sa off; Su 08:00-12:30"),
        ((period(FRI, 1800, SAT, 200),), "Mo-Th off; Fr 18:00-02:00; Sa-Su off"),
        ((period(SAT, 2000, SUN, 300),), "Mo-Fr off; Sa 20:00-03:00; Su off"),
        ((period(MON, 0, TUE, 0),), "Mo 00:00-24:00; Tu-Su off"),
        (
            (period(MON, 900, MON, 1200), period(MON, 1300, MON, 1700)),
            "Mo 09:00-12:00,13:00-17:00; Tu-Su off",
        ),
        ((period(FRI, 600, SUN, 200),), "Mo-Th off; Fr 06:00-24:00; Sa 00:00-24:00; Su 00:00-02:00"),
        ((Period(0, None),), "24/7"),
    ],
)
def test_periods_as_a_specification(periods: tuple[Period, ...], spec: str) -> None:
    assert hours(*periods).spec == spec


@pytest.mark.parametrize(
    ("moment", "state"),
    [
        (datetime(2026, 11, 27, 23, 0, tzinfo=UTC), OpenState.OPEN),  # a Friday
        (datetime(2026, 11, 28, 1, 59, tzinfo=UTC), OpenState.OPEN),
        (datetime(2026, 11, 28, 2, 1, tzinfo=UTC), OpenState.CLOSED),
        (datetime(2026, 11, 28, 23, 0, tzinfo=UTC), OpenState.CLOSED),
    ],
)
def test_a_night_belongs_to_the_day_it_begins_on(moment: datetime, state: OpenState) -> None:
    assert open_state(hours(period(FRI, 1800, SAT, 200)), moment) is state


def test_never_closed() -> None:
    assert open_state(hours(Period(0, None)), datetime(2026, 12, 25, 3, 0, tzinfo=UTC)) is OpenState.OPEN


def test_special_days_replace_the_usual_hours() -> None:
    weekdays = tuple(period(day, 900, day, 1700) for day in (MON, TUE, WED, THU, FRI))
    special = by_date(
        {date(2026, 12, 24): [period(THU, 1000, THU, 1330)]}, (date(2026, 12, 24), date(2026, 12, 25))
    )
    found = hours(*weekdays, special=special)
    assert day_spec_text(found, date(2026, 12, 23)) == "9:00 AM – 5:00 PM"
    assert day_spec_text(found, date(2026, 12, 24)) == "10:00 AM – 1:30 PM"
    assert day_spec_text(found, date(2026, 12, 25)) == "closed"
    assert day_spec_text(found, date(2026, 12, 28)) == "9:00 AM – 5:00 PM"


def test_special_days_beside_nights() -> None:
    nights = tuple(period(day, 1800, (day + 1) % 7, 200) for day in range(7))
    found = hours(*nights, special=(SpecialDay(date(2026, 12, 25), ()),))
    assert open_state(found, datetime(2026, 12, 24, 23, 0, tzinfo=UTC)) is OpenState.OPEN
    assert open_state(found, datetime(2026, 12, 25, 20, 0, tzinfo=UTC)) is OpenState.CLOSED
    assert open_state(found, datetime(2026, 12, 27, 1, 0, tzinfo=UTC)) is OpenState.OPEN


def test_lines_are_read_where_there_are_no_periods() -> None:
    found = hours_of((), ("Monday: 9:00 AM – 5:00 PM", "Tuesday: Closed"))
    assert found is not None
    assert day_spec_text(found, date(2026, 11, 23)) == "9:00 AM – 5:00 PM"
    assert hours_of((), ()) is None


@pytest.mark.parametrize("status", ["CLOSED_PERMANENTLY", "CLOSED_TEMPORARILY", "FUTURE_OPENING"])
def test_a_business_out_of_operation_is_never_open(status: str) -> None:
    usual = hours(Period(0, None))
    found = closed_for_good(status, usual)
    assert found is not None
    assert open_state(found, datetime(2026, 11, 27, 12, 0, tzinfo=UTC)) is OpenState.CLOSED
    assert closed_for_good("OPERATIONAL", usual) is usual
