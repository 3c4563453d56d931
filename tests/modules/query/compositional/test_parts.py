"""Several things asked at once, each of which has to be answered; and which of the options a value is."""

# Programs stand as they are written.
# ruff: noqa: E501

import random
from datetime import date, timedelta

from tests.e2e.truth import MARGIN_M, NotClearError, best_order
from tests.modules.query.compositional.asking import Metres, Nothing, Option, World, on

THURSDAY = date(2020, 5, 7)


@on(helsinki="Kino Engel", porto="Being Porto")
def test_how_many_and_the_nearest_and_the_farthest(world: World, start: str) -> None:
    raw = world.raw
    found = raw.near(raw.one(start), 800, amenity="pharmacy")
    world.check(
        f"How many pharmacies are there within 800 m of {start}, which is the nearest and which the farthest?",
        f"""
        found = places("pharmacy", near="{start}", within="800 m")
        answer(count(found), nearest=found[0], farthest=found[-1])
        """,
        len(found),
        parts={"nearest": raw.nearest(start, found), "farthest": raw.farthest(raw.one(start), found)},
    )


@on(helsinki="Alfamer", porto="Alma Porto Hostel")
def test_three_nearest_and_their_mean_distance(world: World, start: str) -> None:
    raw = world.raw
    three = raw.nearest_few(start, raw.others(raw.one(start), amenity="theatre"), 3)
    spans = [raw.span(raw.one(start), one) for one in three]
    world.check(
        f"What are the three theatres nearest to {start}, and how far are they away on average?",
        f"""
        three = places("theatre", near="{start}")[:3]
        answer(three, mean=mean([distance("{start}", t) for t in three]))
        """,
        three,
        parts={"mean": Metres(sum(near for near, _ in spans) / 3, sum(far for _, far in spans) / 3)},
    )


@on(helsinki="Apteekki Bulevardia", porto="C. Social Vitória")
def test_two_kinds_and_which_there_are_more_of(world: World, start: str) -> None:
    raw = world.raw
    cafes, pubs = (len(raw.near(raw.one(start), 300, amenity=kind)) for kind in ("cafe", "pub"))
    world.check(
        f"How many cafes and how many pubs are there within 300 m of {start}, and are there more cafes?",
        f"""
        cafes = count(places("cafe", near="{start}", within="300 m"))
        pubs = count(places("pub", near="{start}", within="300 m"))
        answer(cafes > pubs, cafes=cafes, pubs=pubs, both=cafes + pubs)
        """,
        cafes > pubs,
        parts={"cafes": cafes, "pubs": pubs, "both": cafes + pubs},
    )


@on(helsinki="Amos Rex", porto="Livraria Lopes da Silva")
def test_walk_and_ride_and_straight_line(world: World, start: str) -> None:
    raw = world.raw
    end = raw.next_to(raw.one(start), amenity="pharmacy")
    world.check(
        f"How long do I walk and how long do I ride a bike from {start} to the nearest pharmacy, and how far is it "
        "as the crow flies?",
        f"""
        end = nearest("pharmacy", to="{start}")
        walk = travel("{start}", end, "walk")
        answer(walk.duration, bike=travel("{start}", end, "bike").duration, straight=distance("{start}", end), way=walk.distance)
        """,
        world.travel("walk", raw.one(start), end),
        parts={
            "bike": world.travel("bike", raw.one(start), end),
            "straight": Metres(*raw.span(raw.one(start), end)),
            "way": Metres.of(world.way_m("walk", raw.one(start), end)),
        },
    )


def test_facts_of_a_found_place(helsinki: World) -> None:
    raw = helsinki.raw
    museum = raw.one("Amos Rex")
    spans = raw.spans(museum, THURSDAY)
    helsinki.check(
        "In which street is Amos Rex, when does it close on Thursday, for how long is it open then, and what is its "
        "website?",
        """
        museum = place("Amos Rex")
        answer(museum.street, closes=closes(museum, "Thu"), open=sum([s.duration for s in hours(museum, "Thu")]), site=museum.website)
        """,
        museum.tags["addr:street"],
        parts={
            "closes": raw.closes(museum, THURSDAY).time(),
            "open": sum((span.end - span.start for span in spans), timedelta()),
            "site": museum.tags["website"],
        },
    )


@on(helsinki="Rikhardinkadun kirjasto", porto="Farmácia Vitália")
def test_open_now_and_when_it_closes(world: World, start: str) -> None:
    raw = world.raw
    day = date(2020, 5, 4)
    closes = raw.closes(raw.one(start), day)
    world.check(
        f"Is {start} open now, when does it close, and how much time is left?",
        f"""
        answer(is_open("{start}"), closes=closes("{start}"), left=closes("{start}") - now)
        """,
        raw.one(start).open_at(closes.replace(hour=12, minute=0)),
        parts={"closes": closes.time(), "left": closes - closes.replace(hour=12, minute=0)},
    )


def test_part_that_there_is_none_of(helsinki: World) -> None:
    raw = helsinki.raw
    start = raw.one("Amos Rex")
    assert not raw.near(start, 200, amenity="pharmacy")
    cafes = raw.near(start, 200, amenity="cafe")
    helsinki.check(
        "How many cafes are there within 200 m of Amos Rex, and which pharmacy?",
        """
        answer(count(places("cafe", near="Amos Rex", within="200 m")), pharmacy=nearest("pharmacy", to="Amos Rex", within="200 m"))
        """,
        len(cafes),
        parts={"pharmacy": Nothing(("pharmacy", "Amos Rex"))},
    )


@on(helsinki="Hotel Arthur", porto="Farmácia São Jerónimo")
def test_both_near_one_and_near_the_other(world: World, start: str) -> None:
    raw = world.raw
    first = raw.one(start)
    second = raw.next_to(first, tourism="hotel")
    here, there = (raw.near(one, 400, amenity="cafe") for one in (first, second))
    both = {one.osm_id for one in here} & {one.osm_id for one in there}
    world.check(
        f"Which cafes lie within 400 m of {start} as well as of the hotel nearest to it, and how many only of {start}?",
        f"""
        hotel = nearest("hotel", to="{start}")
        close = places("cafe", near="{start}", within="400 m")
        there = places("cafe", near=hotel, within="400 m")
        answer([c for c in close if c in there], only=count([c for c in close if c not in there]))
        """,
        raw.in_order(first, [one for one in here if one.osm_id in both]),
        parts={"only": len([one for one in here if one not in there])},
    )


FOUR = {
    "helsinki": ("Amos Rex", "Kino Engel", "Hotel Arthur", "Lilla Teatern"),
    "porto": ("Cinema da Trindade", "Farmácia Vitália", "LeYa na Latina", "The Yeatman"),
}


def _first(values: list[float], margin: float) -> int:
    """The place of the least value, if it is clearly the least."""
    ordered = sorted(values)
    if ordered[1] - ordered[0] < margin:
        raise NotClearError("two options are as good")
    return values.index(ordered[0])


@on(helsinki="Savoy-teatteri", porto="Museu dos Clérigos")
def test_nearest_option(world: World, start: str) -> None:
    raw, four = world.raw, FOUR[world.name]
    world.check(
        f"Which of these is nearest to {start}?",
        f"""answer(nearest(options, to="{start}"))""",
        Option(_first([raw.metres(start, one) for one in four], MARGIN_M)),
        options=four,
    )


@on(helsinki="Rikhardinkadun kirjasto", porto="Livraria Lopes da Silva")
def test_quickest_option_on_foot(world: World, start: str) -> None:
    raw, four = world.raw, FOUR[world.name]
    times = [world.travel("walk", raw.one(start), raw.one(one)).total_seconds() for one in four]
    world.check(
        f"Which of these is quickest to reach on foot from {start}?",
        f"""answer(min(options, key=lambda o: travel("{start}", o, "walk").duration))""",
        Option(_first(times, 5)),
        options=four,
    )


@on(helsinki="bar", porto="cinema")
def test_option_with_most_around(world: World, start: str) -> None:
    raw, four = world.raw, FOUR[world.name]
    counts = [-len(raw.near(raw.one(one), 200, amenity=start)) for one in four]
    world.check(
        f"Around which of these are the most {start} entries within 200 m?",
        f"""answer(max(options, key=lambda o: count(places("{start}", near=o, within="200 m"))))""",
        Option(_first([float(one) for one in counts], 1)),
        options=four,
    )


@on(helsinki="Kinopalatsi", porto="Being Porto")
def test_number_among_options(world: World, start: str) -> None:
    many = len(world.raw.near(world.raw.one(start), 400, amenity="pub"))
    options = [str(many + step) for step in (-4, 0, 5, 11)]
    world.check(
        f"How many pubs are there within 400 m of {start}?",
        f"""answer(count(places("pub", near="{start}", within="400 m")))""",
        Option(1),
        options=options,
    )


@on(helsinki="Bio Rex", porto="Armazém 14")
def test_true_statement(world: World, start: str) -> None:
    raw, four = world.raw, FOUR[world.name]
    a, b = raw.metres(start, four[0]), raw.metres(start, four[1])
    if abs(a - b) < MARGIN_M:
        raise NotClearError("as far away")
    pharmacies = len(raw.near(raw.one(start), 600, amenity="pharmacy"))
    farther, nearer = (four[0], four[1]) if a > b else (four[1], four[0])
    world.check(
        "Which statement is true?",
        f"""
        a = distance("{start}", "{farther}") < distance("{start}", "{nearer}")
        b = count(places("pharmacy", near="{start}", within="600 m")) > {pharmacies}
        c = count(places("pharmacy", near="{start}", within="600 m")) >= {pharmacies}
        d = lies("{start}", "north", of="{start}")
        answer(judge([a, b, c, False]))
        """.replace(f'        d = lies("{start}", "north", of="{start}")\n', ""),
        Option(2),
        options=(
            f"{farther} is nearer to {start} than {nearer}",
            f"There are more than {pharmacies} pharmacies within 600 m",
            f"There are at least {pharmacies} pharmacies within 600 m",
            "There is a beach",
        ),
    )


@on(helsinki="Hotel Kämp", porto="Arquivo Histórico Distrital do Porto")
def test_only_option_on_one_side(world: World, start: str) -> None:
    raw, four = world.raw, FOUR[world.name]
    turns = [min(raw.bearing(start, one), 360 - raw.bearing(start, one)) for one in four]
    if any(40 < turn < 50 for turn in turns) or sum(turn <= 45 for turn in turns) != 1:
        raise NotClearError("not one of them alone lies clearly north")
    world.check(
        f"Which of these lies north of {start}?",
        f"""answer([o for o in options if lies(o, "north", of="{start}")][0])""",
        Option([turn <= 45 for turn in turns].index(True)),
        options=four,
    )


@on(helsinki="Amos Rex", porto="Cinema da Trindade")
def test_best_order(world: World, start: str) -> None:
    raw, stops = world.raw, FOUR[world.name][1:]
    order = best_order(
        lambda a, b: world.travel("walk", raw.one(a), raw.one(b)).total_seconds(), start, stops
    )
    shuffled = [
        list(order),
        [order[1], order[0], order[2]],
        [order[2], order[1], order[0]],
        [order[0], order[2], order[1]],
    ]
    random.Random(7).shuffle(shuffled)
    world.check(
        f"In which order do I visit these on foot from {start} with the least walking?",
        f"""
        day = trip({list(stops)}, start="{start}", mode="walk", order="free")
        answer(day.order, walking=day.travel)
        """.replace("'", '"'),
        Option(shuffled.index(order)),
        parts={"walking": world.travel("walk", raw.one(start), *(raw.one(one) for one in order))},
        options=[", ".join(one) for one in shuffled],
    )


@on(helsinki="Apteekki Bulevardia", porto="Descobertas")
def test_option_that_is_the_second_nearest(world: World, start: str) -> None:
    raw = world.raw
    found = raw.nearest_few(start, raw.others(raw.one(start), amenity="theatre"), 4)
    names = sorted(one.name for one in found)
    world.check(
        f"Which is the second nearest theatre to {start}?",
        f"""answer(places("theatre", near="{start}")[1])""",
        Option(names.index(found[1].name)),
        options=names,
    )
