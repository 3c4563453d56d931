"""What depends on a condition: if so, this; else that."""

# Clocks are those of the place; programs stand as they are written.
# ruff: noqa: DTZ001, E501

from datetime import date, datetime

from tests.modules.query.compositional.asking import NotKnown, World, on

SUNDAY = date(2020, 5, 10)
WIFI = ("wlan", "yes", "terminal;wlan")


def _nearest_with_wifi(world: World, anchor: str) -> object:
    raw = world.raw
    start = raw.one(anchor, amenity="library")
    return raw.nearest(
        start, [one for one in raw.others(start, amenity="cafe") if one.tags.get("internet_access") in WIFI]
    )


def test_library_closed_on_sunday_evening(helsinki: World) -> None:
    library = helsinki.raw.one("Rikhardinkadun kirjasto")
    assert not library.open_at(datetime(2020, 5, 10, 20))
    helsinki.check(
        "If the library in Rikhardinkatu is open on Sunday at 8 pm I go there; otherwise name the nearest cafe with wifi.",
        """
        library = place("Rikhardinkadun kirjasto")
        answer(library if is_open(library, "Sun 20:00") else nearest("cafe", to=library, where=lambda p: p.wifi))
        """,
        _nearest_with_wifi(helsinki, "Rikhardinkadun kirjasto"),
        warnings=["it is not known"],
    )


def test_library_open_on_sunday_afternoon(helsinki: World) -> None:
    library = helsinki.raw.one("Rikhardinkadun kirjasto")
    assert library.open_at(datetime(2020, 5, 10, 15))
    helsinki.check(
        "If the library in Rikhardinkatu is open on Sunday at 3 pm I go there; otherwise name the nearest cafe with wifi.",
        """
        library = place("Rikhardinkadun kirjasto")
        answer(library if is_open(library, "Sun 15:00") else nearest("cafe", to=library, where=lambda p: p.wifi))
        """,
        library,
    )


def test_municipal_library_closed_on_sunday(porto: World) -> None:
    library = porto.raw.one("Biblioteca Pública Municipal do Porto")
    assert not porto.raw.spans(library, SUNDAY)
    porto.check(
        "If the municipal library is open on Sunday I go there, otherwise to the nearest cinema. Where do I go?",
        """
        library = place("Biblioteca Pública Municipal do Porto")
        answer(library if is_open(library, "Sun") else nearest("cinema", to=library))
        """,
        porto.raw.next_to(library, amenity="cinema"),
    )


def test_mode_by_distance(helsinki: World) -> None:
    raw = helsinki.raw
    start, end = raw.one("Rikhardinkadun kirjasto"), raw.one("Scandic Paasi")
    assert raw.span(start, end)[0] > 1010
    helsinki.check(
        "How long does it take from the library in Rikhardinkatu to Scandic Paasi: on foot if it is at most 1 km as the "
        "crow flies, else by bike?",
        """
        start = place("Rikhardinkadun kirjasto")
        end = place("Scandic Paasi")
        near = distance(start, end) <= "1 km"
        answer(travel(start, end, "walk").duration if near else travel(start, end, "bike").duration, near=near)
        """,
        helsinki.travel("bike", start, end),
        parts={"near": False},
    )


def test_one_kind_if_there_is_one_else_another(porto: World) -> None:
    raw = porto.raw
    start = raw.one("Cinema Passos Manuel")
    assert not raw.within(start, raw.all(amenity="pharmacy"), 100)
    porto.check(
        "Name a pharmacy within 100 m of Cinema Passos Manuel if there is one, otherwise the nearest supermarket.",
        """
        cinema = place("Cinema Passos Manuel")
        found = places("pharmacy", near=cinema, within="100 m")
        answer(found[0] if count(found) > 0 else nearest("supermarket", to=cinema))
        """,
        raw.next_to(start, shop="supermarket"),
    )


def test_unstated_condition_decides_nothing(helsinki: World) -> None:
    theatre = helsinki.raw.one("Lilla Teatern")
    assert "opening_hours" not in theatre.tags
    helsinki.check(
        "If Lilla Teatern is open on Tuesday at noon, go there, otherwise to Ateneum. Where do I go?",
        """
        theatre = place("Lilla Teatern")
        answer(theatre if is_open(theatre, "Tue 12:00") else place("Ateneum"))
        """,
        NotKnown(("opening hours of Lilla Teatern", "not stated")),
    )


def test_going_on_regardless_of_what_is_not_stated(helsinki: World) -> None:
    helsinki.check(
        "If Lilla Teatern is known to be open on Tuesday at noon, go there, otherwise to Ateneum. Where do I go?",
        """
        theatre = place("Lilla Teatern")
        open = is_open(theatre, "Tue 12:00")
        answer(theatre if known(open) and open else place("Ateneum"))
        """,
        helsinki.raw.one("Ateneum", tourism="museum"),
    )


@on(helsinki="Kinopalatsi", porto="C. Social Vitória")
def test_kind_that_there_is_more_of(world: World, start: str) -> None:
    raw = world.raw
    cafes, hotels = (
        raw.near(raw.one(start), 300, **{key: kind})
        for key, kind in (("amenity", "bar"), ("tourism", "hotel"))
    )
    wanted = raw.nearest(
        raw.one(start), [one for one in (cafes if len(cafes) > len(hotels) else hotels) if one.name]
    )
    world.check(
        f"Within 300 m of {start}: if there are more bars than hotels, the nearest bar, else the nearest hotel.",
        f"""
        bars = places("bar", near="{start}", within="300 m")
        hotels = places("hotel", near="{start}", within="300 m")
        answer(bars[0] if count(bars) > count(hotels) else hotels[0], bars=count(bars), hotels=count(hotels))
        """,
        wanted,
        parts={"bars": len(cafes), "hotels": len(hotels)},
    )


@on(helsinki=("Ateneum", "Amos Rex"), porto=("Arquivo Histórico Municipal", "Farmácia Vitália"))
def test_first_that_is_open(world: World, start: tuple[str, str]) -> None:
    raw = world.raw
    when = datetime(2020, 5, 4, 17, 45)  # a Monday: the first is closed, the second is open
    first, second = (raw.one(name) for name in start)
    assert not first.open_at(when)
    assert second.open_at(when)
    world.check(
        f"Go to {start[0]} if it is open on Monday at 17:45, else to {start[1]} if that is, else stay.",
        f"""
        a = place("{start[0]}")
        b = place("{start[1]}")
        answer(a if is_open(a, "Mon 17:45") else b if is_open(b, "Mon 17:45") else here)
        """,
        second,
        near=(first.lat, first.lng),
    )


@on(helsinki="Alfamer", porto="Farmácia Vitália")
def test_condition_within_a_list(world: World, start: str) -> None:
    raw = world.raw
    anchor = raw.one(start)
    pharmacies = [one for one in raw.near(anchor, 700, amenity="pharmacy") if one.name]
    minutes = [world.travel("walk", anchor, one).total_seconds() / 60 for one in pharmacies]
    world.check(
        f"To which pharmacies within 700 m of {start} do I walk at most seven minutes, and of those farther off which "
        "takes longest?",
        f"""
        found = places("pharmacy", near="{start}", within="700 m")
        close = [p for p in found if travel("{start}", p, "walk").duration <= "7 min"]
        far = [p for p in found if p not in close]
        answer(count(close), longest=max(far, key=lambda p: travel("{start}", p, "walk").duration))
        """,
        sum(one <= 7 for one in minutes),
        parts={"longest": pharmacies[minutes.index(max(minutes))]},
    )
