"""Several things asked at once, each of which has to be answered."""

# Programs stand as they are written.
# ruff: noqa: E501

from datetime import date, timedelta

from tests.modules.query.compositional.asking import Metres, Nothing, World, on

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
