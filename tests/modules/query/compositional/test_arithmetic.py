"""Sums and differences of clocks, durations, distances and counts."""

# Clocks are those of the place; programs stand as they are written.
# ruff: noqa: DTZ001, E501

from datetime import date, datetime, timedelta

from tests.modules.query.compositional.asking import Clock, Metres, SquareMetres, World, on

MONDAY = date(2020, 5, 4)
WEDNESDAY, FRIDAY, SATURDAY = (MONDAY + timedelta(days=days) for days in (2, 4, 5))


def test_time_left_before_closing(helsinki: World) -> None:
    closes = helsinki.raw.closes(helsinki.raw.one("Ateneum", tourism="museum"), FRIDAY)
    helsinki.check(
        "How long before closing time am I there if I reach Ateneum at 15:20 on Friday?",
        """answer(closes("Ateneum", "Fri 15:20") - "15:20")""",
        closes - datetime(2020, 5, 8, 15, 20),
    )


def test_hours_of_a_week(helsinki: World) -> None:
    raw = helsinki.raw
    museum = raw.one("Amos Rex")
    week = [raw.spans(museum, MONDAY + timedelta(days=number)) for number in range(7)]
    helsinki.check(
        "For how many hours a week is Amos Rex open, and on which days is it closed?",
        """
        museum = place("Amos Rex")
        days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        total = sum([sum([s.duration for s in hours(museum, d)]) for d in days if is_open(museum, d)])
        answer(total, closed=[d for d in days if not is_open(museum, d)])
        """,
        sum((span.end - span.start for spans in week for span in spans), timedelta()),
        parts={"closed": ["Tue"]},
    )
    assert [number for number, spans in enumerate(week) if not spans] == [1]


def test_how_much_longer_open_on_one_day(porto: World) -> None:
    raw = porto.raw
    pharmacy = raw.one("Farmácia Vitália")
    friday, saturday = (raw.closes(pharmacy, day) - raw.opens(pharmacy, day) for day in (FRIDAY, SATURDAY))
    porto.check(
        "How much longer is Farmácia Vitália open on Friday than on Saturday?",
        """
        pharmacy = place("Farmácia Vitália")
        answer((closes(pharmacy, "Fri") - opens(pharmacy, "Fri")) - (closes(pharmacy, "Sat") - opens(pharmacy, "Sat")))
        """,
        friday - saturday,
    )


def test_lunch_break(porto: World) -> None:
    raw = porto.raw
    spans = raw.spans(raw.one("Museu dos Transportes e Comunicações"), WEDNESDAY)
    assert len(spans) == 2
    porto.check(
        "How long is the lunch break of the transport museum on Wednesday, and from when to when?",
        """
        spans = hours(place("Museu dos Transportes e Comunicações"), "Wed")
        answer(spans[1].start - spans[0].end, begins=spans[0].end, ends=spans[1].start)
        """,
        spans[1].start - spans[0].end,
        parts={"begins": spans[0].end.time(), "ends": spans[1].start.time()},
    )


def test_difference_of_distances(helsinki: World) -> None:
    raw = helsinki.raw
    start, far, near = raw.one("Kolme seppää", tourism="artwork"), raw.one("Kino Engel"), raw.one("Bio Rex")
    helsinki.check(
        "How much farther from the Three Smiths is Kino Engel than Bio Rex, as the crow flies?",
        """
        smiths = place("Kolme seppää", kind="artwork")
        answer(distance(smiths, "Kino Engel") - distance(smiths, "Bio Rex"))
        """,
        Metres.of(raw.metres(start, far) - raw.metres(start, near)),
    )


def test_mean_distance_and_spread(helsinki: World) -> None:
    raw = helsinki.raw
    start = raw.one("Amos Rex")
    metres = sorted(raw.metres(start, raw.one(name)) for name in ("Bio Rex", "Kinopalatsi", "Kino Engel"))
    helsinki.check(
        "What is the mean straight-line distance from Amos Rex to Bio Rex, Kinopalatsi and Kino Engel, and by how much "
        "do the nearest and the farthest differ?",
        """
        ways = [distance("Amos Rex", p) for p in ["Bio Rex", "Kinopalatsi", "Kino Engel"]]
        answer(mean(ways), spread=max(ways) - min(ways))
        """,
        Metres.of(sum(metres) / 3),
        parts={"spread": Metres.of(metres[2] - metres[0])},
    )


@on(helsinki="Rikhardinkadun kirjasto", porto="ClipHotel")
def test_share_of_what_is_near(world: World, start: str) -> None:
    raw = world.raw
    cafes, pharmacies = (len(raw.near(raw.one(start), 400, amenity=kind)) for kind in ("cafe", "pharmacy"))
    world.check(
        f"How many cafes are there for each pharmacy within 400 m of {start}?",
        f"""
        cafes = count(places("cafe", near="{start}", within="400 m"))
        pharmacies = count(places("pharmacy", near="{start}", within="400 m"))
        answer(cafes / pharmacies, cafes=cafes, pharmacies=pharmacies)
        """,
        cafes / pharmacies,
        parts={"cafes": cafes, "pharmacies": pharmacies},
    )


def test_arriving_after_a_stop(porto: World) -> None:
    raw = porto.raw
    stops = [raw.one(name) for name in ("Cinema da Trindade", "Farmácia Vitália", "Cinema Passos Manuel")]
    arrival = datetime(2020, 5, 4, 18, 40) + porto.travel("walk", *stops) + timedelta(minutes=10)
    porto.check(
        "I leave Cinema da Trindade at 18:40, stop ten minutes at Farmácia Vitália and walk on to Cinema Passos Manuel. "
        "When am I there?",
        """
        first = travel("Cinema da Trindade", "Farmácia Vitália", "walk", depart="18:40")
        second = travel("Farmácia Vitália", "Cinema Passos Manuel", "walk", depart=first.arrive + "10 min")
        answer(second.arrive, walking=first.duration + second.duration)
        """,
        Clock(arrival.time(), tolerance=timedelta(minutes=1)),
        parts={"walking": porto.travel("walk", *stops)},
    )


def test_sizes_of_two_parks(porto: World) -> None:
    raw = porto.raw
    first, second = (
        raw.size_m2(raw.one(name, leisure="park"))
        for name in ("Parque Municipal das Virtudes", "Jardim de Teófilo Braga")
    )
    porto.check(
        "By how much is Parque Municipal das Virtudes larger than Jardim de Teófilo Braga, and how many times as large?",
        """
        first = area("Parque Municipal das Virtudes").size
        second = area("Jardim de Teófilo Braga").size
        answer(first - second, times=first / second)
        """,
        SquareMetres(first - second),
        parts={"times": first / second},
    )
