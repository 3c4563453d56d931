"""What depends on a condition: if so, this; else that."""

from datetime import date, datetime

from tests.modules.query.compositional.asking import NotKnown, World

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
        warnings=["it is not stated"],
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
        "If the municipal library is open on Sunday I go there, otherwise to the nearest cafe with wifi. Where do I go?",
        """
        library = place("Biblioteca Pública Municipal do Porto")
        answer(library if is_open(library, "Sun") else nearest("cafe", to=library, where=lambda p: p.wifi))
        """,
        _nearest_with_wifi(porto, "Biblioteca Pública Municipal do Porto"),
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
