"""The questions that the language was designed on, asked of real maps."""

# Clocks are those of the place; programs stand as they are written.
# ruff: noqa: DTZ001, E501

from collections import Counter
from datetime import date, datetime, timedelta

import pytest

from tests.modules.query.compositional.asking import Clock, Metres, NotKnown, Option, World, on

FRIDAY = date(2020, 5, 8)
MINUTE = timedelta(minutes=1)
PRICES = "Adults 18 EUR, children half. The island tour lasts two hours."


@on(helsinki="Kinopalatsi", porto="Cathedral Deisgn Apartments")
def test_filters_and_the_best(world: World, start: str) -> None:
    """Ratings are on no map; stars of hotels are."""
    raw = world.raw
    hotels = raw.once(raw.all(tourism="hotel"))
    stars = {one.name: int(one.tags["stars"]) for one in hotels if one.tags.get("stars", "").isdigit()}
    best = max(stars.values())
    world.check(
        "Which hotels have the most stars, how many stars is that, and how many hotels have at least three?",
        """
        rated = places("hotel", where=lambda p: p.stars >= 3)
        best = max(rated, key=lambda p: p.stars)
        answer([h for h in rated if h.stars == best.stars], stars=best.stars, three=count([h for h in rated if h.stars >= 3]) >= 1)
        """,
        [one for one in sorted(hotels, key=lambda one: one.name) if stars.get(one.name) == best],
        parts={"stars": best, "three": True},
    )


def test_ratings_are_not_stated(helsinki: World) -> None:
    helsinki.check(
        "Which Italian restaurant within 500 m of Kino Engel is rated best?",
        """
        found = places("italian restaurant", near="Kino Engel", within="500 m")
        answer(max(found, key=lambda p: p.rating))
        """,
        NotKnown(("stated",)),
    )


@on(helsinki="Robert's Coffee", porto="Pingo Doce")
def test_open_branch_nearest(world: World, start: str) -> None:
    raw = world.raw
    anchor = raw.one({"helsinki": "Kino Engel", "porto": "Cinema da Trindade"}[world.name])
    branches = [one for one in raw._things if one.name == start and one.open_at(datetime(2020, 5, 10, 11))]
    world.check(
        f"Which {start} is open on Sunday at 11 and nearest to {anchor.name}?",
        f"""answer(nearest("{start}", to="{anchor.name}", where=lambda p: is_open(p, "Sun 11:00")))""",
        raw.nearest(anchor, branches),
    )


@on(helsinki=("Ateneum", "15:20"), porto=("Farmácia Vitália", "17:40"))
def test_before_closing(world: World, start: tuple[str, str]) -> None:
    name, told = start
    there = datetime.combine(FRIDAY, datetime.strptime(told, "%H:%M").time())  # noqa: DTZ007
    world.check(
        f"How long before closing am I there if I reach {name} at {told} on a Friday?",
        f"""answer(closes(place("{name}"), "Fri {told}") - "{told}")""",
        world.raw.closes(world.raw.one(name), FRIDAY) - there,
    )


def test_groups_by_where_they_lie(helsinki: World) -> None:
    raw = helsinki.raw
    shops = [one for one in raw.once(raw.all(shop="hairdresser")) if one.tags.get("addr:street")]
    streets = Counter(one.tags["addr:street"] for one in shops)
    (first, most), (_, second) = streets.most_common(2)
    assert most > second
    helsinki.check(
        "How many hairdressers has each street? Which has the most?",
        """
        shops = group([c for c in places("hairdresser") if known(c.street)], by=lambda c: c.street)
        ranked = sort(shops, key=lambda g: count(g.items), reverse=True)
        answer(ranked[0].key, most=count(ranked[0].items), streets=count(ranked), shops=sum([count(g.items) for g in ranked]))
        """,
        first,
        parts={"most": most, "streets": len(streets), "shops": len(shops)},
    )


def test_a_day_with_a_table(helsinki: World) -> None:
    raw = helsinki.raw
    start, museum, table = raw.one("Kino Engel"), raw.one("Amos Rex"), raw.one("Lilla Teatern")
    there = datetime(2020, 5, 6, 11) + helsinki.travel(
        "walk", start, museum
    )  # a Wednesday: the museum opens at 11
    seated = there + timedelta(minutes=90) + helsinki.travel("walk", museum, table)
    helsinki.check(
        "I start at Kino Engel at 11:00 on Wednesday, stay an hour and a half at Amos Rex and want to be at Lilla Teatern "
        "between 12:00 and 14:00. Does that work, and when?",
        """
        day = trip([visit("Amos Rex", stay="90 min"), visit("Lilla Teatern", stay="1 h", window=["12:00", "14:00"])],
                   start=place("Kino Engel"), depart="Wed 11:00", mode="walk")
        answer(day.feasible, at_table=day.visits[1].arrive)
        """,
        True,
        parts={"at_table": Clock(seated.time(), tolerance=MINUTE)},
    )


def test_train_with_a_stop_on_the_way(porto: World) -> None:
    raw = porto.raw
    stops = [raw.one(name) for name in ("Museu dos Clérigos", "Farmácia Vitália", "Cinema da Trindade")]
    leave = datetime(2020, 5, 4, 17, 5) - timedelta(minutes=25) - porto.travel("walk", *stops)
    porto.check(
        "I meet a friend at Cinema da Trindade at 17:05, want to be there 15 minutes early, having stopped at Farmácia "
        "Vitália for 10 minutes. When must I leave Museu dos Clérigos on foot at the latest?",
        """
        day = trip([visit("Farmácia Vitália", stay="10 min")], start=place("Museu dos Clérigos"),
                   end=place("Cinema da Trindade"), arrive="17:05" - "15 min", mode="walk")
        answer(day.depart)
        """,
        Clock(leave.time(), tolerance=MINUTE),
    )


@on(helsinki=("Amos Rex", "Kino Engel"), porto=("Cinema da Trindade", "LeYa na Latina"))
def test_steps_behind_a_street(world: World, start: tuple[str, str]) -> None:
    raw = world.raw
    route = raw.route("pedestrian", *start)
    steps = route["trip"]["legs"][0]["maneuvers"]
    named = [number for number, step in enumerate(steps) if step.get("street_names")]
    street = steps[named[0]]["street_names"][0]
    end = next(
        number
        for number in range(named[0], len(steps))
        if street not in steps[number].get("street_names", ())
    )
    rest_m = sum(step["length"] for step in steps[end:]) * 1000
    world.check(
        f"On the walk from {start[0]} to {start[1]}: how far is it from the end of {street}?",
        f"""
        way = travel("{start[0]}", "{start[1]}", "walk")
        rest = after(way.steps, "{street}")
        answer(sum([s.distance for s in rest]), whole=way.distance)
        """,
        Metres(0.97 * rest_m - 10, 1.03 * rest_m + 10),
        parts={
            "whole": Metres(
                0.97 * raw.road_metres("pedestrian", *start), 1.03 * raw.road_metres("pedestrian", *start)
            )
        },
    )


def test_which_of_these_is_true(helsinki: World) -> None:
    raw = helsinki.raw
    station = raw.one("Amos Rex")
    assert not 315 < raw.bearing("Kino Engel", "Savoy-teatteri") < 360
    assert raw.metres(station, "Kino Engel") > raw.metres(station, "Hotel Arthur")
    assert len(raw.once(raw.all(amenity="cinema"))) <= 10
    assert raw.one("Ateneum").open_at(datetime(2020, 5, 5, 12))
    helsinki.check(
        "Which of these is true?",
        """
        station = place("Amos Rex")
        a = lies(place("Savoy-teatteri"), "north", of=place("Kino Engel"))
        b = distance(station, place("Kino Engel")) > distance(station, place("Hotel Arthur"))
        c = count(places("cinema", inside=area("helsinki"))) > 10
        d = not is_open(place("Ateneum"), "Tue")
        answer(judge([a, b, c, d]))
        """,
        Option(1),
        options=(
            "Savoy-teatteri is north of Kino Engel",
            "Kino Engel is farther from Amos Rex than Hotel Arthur",
            "There are more than ten cinemas",
            "Ateneum is closed on Tuesdays",
        ),
    )


def test_words_of_a_text_reckoned_with(helsinki: World) -> None:
    answer = helsinki.ask(
        "How much do two adults and one child pay for the island tour?",
        """answer(2 * quote("18 EUR", about="Adults") + quote("18 EUR", about="Adults") / 2)""",
        context=PRICES,
    )
    assert "45" in answer.text, answer


@pytest.mark.parametrize("mode", ["walk", "bike", "drive"])
def test_and_by_another_mode(helsinki: World, mode: str) -> None:
    start, end = helsinki.raw.one("Amos Rex"), helsinki.raw.one("Hilton Helsinki Strand")
    helsinki.check(
        f"How long does it take from Amos Rex to Hilton Helsinki Strand ({mode}), and back?",
        f"""
        way = travel("Amos Rex", "Hilton Helsinki Strand", "walk")
        answer(travel(way.origin, way.destination, "{mode}").duration, back=travel(way.destination, way.origin, "{mode}").duration)
        """,
        helsinki.travel(mode, start, end),
        parts={"back": helsinki.travel(mode, end, start)},
    )
