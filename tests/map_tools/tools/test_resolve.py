"""From words to a place: rivals, and what settles them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from map_tools.errors import PlaceNotFoundError, UnsupportedError
from map_tools.facts import FailureFact
from map_tools.providers.base import Provider
from map_tools.providers.osm import OsmProvider
from map_tools.tools.base import ToolContext
from map_tools.tools.candidates import FAINT, told_apart
from map_tools.tools.resolve import Resolved, resolve, resolve_all
from map_tools.types import Candidate, LatLng
from tests.map_tools.providers.contract import run
from tests.map_tools.providers.worlds import harbour
from tests.map_tools.tools.fakes import Candidates, candidate
from tests.support.maps import extract_map
from tests.support.village import Objects, Offset, lat_lng, village_provider

# One minute of latitude is about 1,850 m; 0.001 degrees about 111 m.
NORTH = candidate("Blue Cup", 52.010, 5.0, address="1 North St, Aston")
SOUTH = candidate("Blue Cup", 52.000, 5.0, address="9 South St, Barton")


def position(at: Offset) -> LatLng:
    lat, lng = lat_lng(at)
    return LatLng(lat=lat, lng=lng)


def resolved(text: str, *found: Any, near: LatLng | None = None) -> Resolved:
    provider = cast("Provider", Candidates(*found))
    return run(resolve(text, provider, ToolContext(near=near)))


def test_branches_are_rivals() -> None:
    found = resolved("Blue Cup", NORTH, SOUTH)
    assert found.place == NORTH.place
    assert found.rivals == (SOUTH.place,)
    ambiguity = found.ambiguity()
    assert ambiguity is not None
    assert (ambiguity.code, ambiguity.subject) == ("ambiguous", "Blue Cup")
    assert "1 North St" in ambiguity.message
    assert "9 South St" in ambiguity.message


def test_a_lower_score_is_no_rival() -> None:
    assert resolved("Blue Cup", NORTH, SOUTH.model_copy(update={"score": 0.97})).rivals == ()
    assert resolved("Blue Cup", NORTH, SOUTH.model_copy(update={"score": 0.985})).rivals == (SOUTH.place,)


def test_another_kind_is_no_rival() -> None:
    station = candidate("Blue Cup", 52.0, 5.0, categories=("station",))
    assert resolved("Blue Cup", NORTH, station).rivals == ()


def test_parts_of_one_place_are_no_rivals() -> None:
    beside = candidate("Blue Cup", 52.0110, 5.0)  # 111 m north of NORTH
    assert resolved("Blue Cup", NORTH, beside).rivals == ()


def test_pieces_of_a_street_are_no_rivals() -> None:
    pieces = [candidate("High Street", lat, 5.0, categories=("street",)) for lat in (52.0, 52.1)]
    assert resolved("High Street", *pieces).rivals == ()


def test_the_position_settles() -> None:
    found = resolved("Blue Cup", NORTH, SOUTH, near=LatLng(lat=51.99, lng=5.0))
    assert (found.place, found.rivals) == (SOUTH.place, ())


def nowhere(found: Candidate) -> Candidate:
    """The same place, of whose position the source says nothing."""
    return found.model_copy(update={"place": found.place.model_copy(update={"location": None})})


def test_where_no_position_is_known_none_is_near() -> None:
    here = LatLng(lat=51.99, lng=5.0)
    assert len(resolved("Blue Cup", nowhere(NORTH), nowhere(SOUTH), near=here).rivals) == 1
    assert resolved("Blue Cup", nowhere(NORTH), SOUTH, near=here).place == SOUTH.place


@pytest.mark.parametrize("rivals", [(nowhere(NORTH), nowhere(SOUTH)), (NORTH, nowhere(SOUTH))])
def test_the_other_places_do_not_settle_what_lies_nobody_knows_where(rivals: tuple[Candidate, ...]) -> None:
    provider = cast("Provider", Candidates(*rivals))
    beside_north = run(resolve_all(("Blue Cup", "52.0101, 5.0"), provider, ToolContext()))["Blue Cup"]
    assert isinstance(beside_north, Resolved)
    assert len(beside_north.rivals) == 1


def test_a_qualifier_settles() -> None:
    found = resolved("Blue Cup, Barton", NORTH, SOUTH)
    assert (found.place, found.rivals) == (SOUTH.place, ())


def test_the_other_places_settle_where_one_is_clearly_nearer() -> None:
    provider = harbour()
    # The museum is 1.5 km from one branch and 2.5 km from the other: not clear. Beside a branch it is.
    unclear = run(resolve_all(("Tides Coffee", "Lighthouse Museum"), provider, ToolContext()))
    clear = run(resolve_all(("Tides Coffee", "-12.5201, 130.7401"), provider, ToolContext()))
    first, second = unclear["Tides Coffee"], clear["Tides Coffee"]
    assert isinstance(first, Resolved)
    assert isinstance(second, Resolved)
    assert len(first.rivals) == 1
    assert (second.place.id, second.rivals) == ("tides-south", ())


def test_nothing_found() -> None:
    with pytest.raises(PlaceNotFoundError, match="Nemo's"):
        resolved("Nemo's")
    failed = run(resolve_all(("Nemo's",), cast("Provider", Candidates()), ToolContext()))["Nemo's"]
    assert isinstance(failed, FailureFact)
    assert (failed.code, failed.subject) == ("place_not_found", "Nemo's")


def test_here() -> None:
    context = ToolContext(here=LatLng(lat=1, lng=2))
    assert run(resolve("here", harbour(), context)).place.location == LatLng(lat=1, lng=2)
    with pytest.raises(UnsupportedError, match="--near"):
        run(resolve("My location", harbour(), ToolContext()))


def test_coordinates() -> None:
    found = run(resolve("-12.5, 130.75", harbour(), ToolContext()))
    assert found.place.location == LatLng(lat=-12.5, lng=130.75)
    assert run(resolve("(60, 24.9)", harbour(), ToolContext())).place.location == LatLng(lat=60, lng=24.9)
    with pytest.raises(PlaceNotFoundError, match="not a position"):
        run(resolve("130.75, -12.5", harbour(), ToolContext()))


def test_ids() -> None:
    found = run(resolve("id:tides-north", harbour(), ToolContext()))
    assert (found.place.id, found.rivals) == ("tides-north", ())
    with pytest.raises(PlaceNotFoundError):
        run(resolve("id:none", harbour(), ToolContext()))


def test_a_place_to_search_inside_of_has_an_outline() -> None:
    point = candidate("Aston", 52.0, 5.0, categories=("suburb",), score=0.99)
    border = candidate("Quarter Aston", 52.1, 5.0, categories=("admin",), score=0.95)
    house = candidate("Aston", 52.2, 5.0, categories=("building",), score=0.97)
    outlined = [each.model_copy(update={"outlined": True}) for each in (border, house)]
    provider = cast("Provider", Candidates(point, outlined[1], outlined[0]))
    assert run(resolve("Aston", provider, ToolContext())).place == point.place
    # A building that bears the district's name is not the district.
    assert run(resolve("Aston", provider, ToolContext(), wanted="area")).place == border.place
    without = cast("Provider", Candidates(point, outlined[1]))
    assert run(resolve("Aston", without, ToolContext(), wanted="area")).place == point.place


def test_names_that_begin_alike_are_rivals_whatever_their_kind() -> None:
    hotel = candidate("Pier Island Hotel", 52.00, 5.0, categories=("hotel",), score=0.92)
    brewery = candidate("Pier Island Brewery", 52.01, 5.0, categories=("brewery",), score=0.91)
    assert resolved("Pier Island", hotel, brewery).rivals == (brewery.place,)
    assert resolved("Pier Island Hotel", hotel, brewery).rivals == ()


def test_an_own_name_comes_before_a_brand() -> None:
    barber = candidate("Old Barber", 52.00, 5.0, aliases=("Blue Cup",), categories=("hairdresser",))
    assert resolved("Blue Cup, Aston", barber, NORTH).place == NORTH.place


@pytest.mark.parametrize(("many", "told", "end"), [(9, 9, "Road 8."), (25, 20, "Road 19; and 5 more.")])
def test_an_ambiguity_lists_all_up_to_a_number(many: int, told: int, end: str) -> None:
    branches = [
        candidate("Blue Cup", 52 + step / 100, 5.0, address=f"Road {step}").place for step in range(many)
    ]
    lines = run(told_apart(branches, cast("Provider", Candidates())))
    found = Resolved("Blue Cup", branches[0], rivals=tuple(branches[1:]), told_apart=lines)
    ambiguity = found.ambiguity()
    assert ambiguity is not None
    assert f"any of {many} places" in ambiguity.message
    assert ambiguity.message.count("Blue Cup, Road") == told
    assert ambiguity.message.endswith(end)


@pytest.fixture
def town(tmp_path: Path) -> Iterator[tuple[OsmProvider, dict[str, str]]]:
    """A town with a hall of its own and one of a village, two theatres of which one is an opera, and more."""
    objects = Objects()
    hall = {"amenity": "townhall"}
    languages = {"name__en": "City Hall", "name__fr": "Mairie", "name__it": "Municipio"}
    ids = {
        "hall": objects.node((0, 0), name="Rathaus", wikidata="Q1", **languages, **hall),
        "village hall": objects.node((4000, 0), name="Gemeindehaus", **hall),
        "opera": objects.node((100, 0), amenity="theatre", name="Staatstheater", alt_name="Staatsoper"),
        "stage": objects.node((200, 0), amenity="theatre", name="Kleines Theater", wikidata="Q2"),
        "station": objects.node((300, 0), railway="station", name="Hauptbahnhof"),
        "metro": objects.node((320, 300), railway="station", station="subway", name="Metro", wikidata="Q3"),
        "pharmacy": objects.node((10, 0), amenity="pharmacy", name="Apotheke A"),
        "far pharmacy": objects.node((2000, 0), amenity="pharmacy", name="Apotheke B"),
        "stop": objects.node((900, 900), railway="tram_stop", name="Opera"),
        "park": objects.house((1000, 0), 400, leisure="park", name="Green"),
        "inn": objects.node((1000, 10), amenity="pub", name="Green"),
        "other inn": objects.node((3000, 10), amenity="pub", name="Green"),
        "street": objects.line([(2900, 30), (3100, 30)], highway="residential", name="Mill Lane"),
        "lane": objects.line([(900, 30), (1100, 30)], highway="residential", name="Park Lane"),
    }
    provider = village_provider(objects, tmp_path)
    yield provider, ids
    run(provider.close())


type Town = tuple[OsmProvider, dict[str, str]]


def meant(town: Town, text: str, **more: Any) -> tuple[str, ...]:
    """What a text means on the map of the town, by our names for it; rivals behind it."""
    provider, ids = town
    names = {place: name for name, place in ids.items()}
    found = run(resolve(text, provider, ToolContext(), **more))
    return (names[found.place.id], *(names[rival.id] for rival in found.rivals))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("the town hall", "hall"),
        ("The City Hall", "hall"),
        ("the Opera", "opera"),
        ("opera", "stop"),
        ("the station", "station"),
        ("train station", "station"),
        ("the metro station", "metro"),
        ("the park", "park"),
    ],
)
def test_a_kind_without_a_name_is_the_one_of_the_map(town: Town, text: str, place: str) -> None:
    assert meant(town, text) == (place,)


def test_of_several_of_a_kind_none_is_chosen_unless_one_is_clearly_nearer(town: Town) -> None:
    assert set(meant(town, "the pharmacy")) == {"pharmacy", "far pharmacy"}
    assert meant(town, "the pharmacy", near=position((15, 0))) == ("pharmacy",)
    assert meant(town, "the pharmacy", near=position((1000, 0)))[0] in {"pharmacy", "far pharmacy"}
    assert len(meant(town, "the pharmacy", near=position((1000, 0)))) == 2


def test_a_kind_that_is_not_there(town: Town) -> None:
    provider, _ = town
    with pytest.raises(PlaceNotFoundError, match="the airport"):
        run(resolve("the airport", provider, ToolContext()))


def test_names_among_places_of_a_kind_and_inside_an_area(town: Town) -> None:
    assert meant(town, "Green") == ("park",)
    assert set(meant(town, "Green", kind=("pub",))) == {"inn", "other inn"}
    assert meant(town, "Green", kind=("pub",), near=position((2900, 0))) == ("other inn",)
    assert meant(town, "Green", kind=("pub",), inside=town[1]["park"]) == ("inn",)
    assert meant(town, "the town hall", kind=("townhall",)) == ("hall",)
    with pytest.raises(PlaceNotFoundError, match="No church called 'Green'"):
        meant(town, "Green", kind=("church",))
    with pytest.raises(UnsupportedError, match="outline"):
        meant(town, "Green", inside=town[1]["inn"])


def test_services_that_do_not_narrow_are_narrowed(town: Town) -> None:
    pub = candidate("Green", 52.0, 5.0, categories=("pub",))
    park = candidate("Green", 52.1, 5.0, categories=("park",), score=0.9)
    provider = cast("Provider", Candidates(pub, park))
    assert run(resolve("Green", provider, ToolContext(), kind=("park",))).place == park.place


def test_branches_are_told_apart_by_the_street_that_is_near(town: Town) -> None:
    provider, _ = town
    found = run(resolve("Green", provider, ToolContext(), kind=("pub",)))
    ambiguity = found.ambiguity()
    assert ambiguity is not None
    assert sorted(found.told_apart) == ["Green, Mill Lane", "Green, Park Lane"]
    first, second = found.told_apart
    assert ambiguity.message == f"'Green' may be any of 2 places: 1. {first}; 2. {second}."
    assert ambiguity.candidates == (found.place, *found.rivals)
    assert found.fact().told_apart == found.told_apart


def test_kinds_and_positions_tell_apart_where_addresses_do_not() -> None:
    hotel = candidate("Pier", 52.00, 5.0, categories=("hotel",), score=0.92)
    bar = candidate("Pier", 52.01, 5.0, categories=("bar",), score=0.91)
    provider = cast("Provider", Candidates(hotel))
    assert run(told_apart((hotel.place, bar.place), provider)) == ("Pier, hotel", "Pier, bar")
    twins = (hotel.place, candidate("Pier", 52.02, 5.0, categories=("hotel",)).place)
    assert run(told_apart(twins, provider)) == (
        "Pier, 52.00000, 5.00000",
        "Pier, 52.02000, 5.00000",
    )


@pytest.mark.parametrize("kinds", [("pitch", "sports"), ("church", "building"), ("street",), ()])
def test_what_has_further_words_in_its_name_is_no_area_of_that_name(kinds: tuple[str, ...]) -> None:
    chapel = candidate("Aston Chapel", 52.2, 5.0, categories=kinds, score=0.9)
    stop = candidate("Aston", 52.2, 5.0, categories=("bus_stop", "transit"), score=0.95)
    provider = cast("Provider", Candidates(stop, chapel.model_copy(update={"outlined": True})))
    with pytest.raises(PlaceNotFoundError, match=r"No area called 'Aston' .* Aston Chapel"):
        run(resolve("Aston", provider, ToolContext(), wanted="area"))
    found = run(resolve("Aston Chapel", provider, ToolContext(), wanted="area"))
    assert found.place == chapel.place


def test_a_settlement_comes_before_a_house_though_its_name_has_further_words() -> None:
    house = candidate("Aston", 52.2, 5.0, categories=("building",), score=0.99)
    park = candidate("Aston", 52.3, 5.0, categories=("park",), score=0.99)
    town = candidate("New Town of Aston", 52.0, 5.0, categories=("town",), score=0.88)
    house, park = (one.model_copy(update={"outlined": True}) for one in (house, park))
    for built, meant in ((house, town), (park, park)):
        provider = cast("Provider", Candidates(built, town))
        assert run(resolve("Aston", provider, ToolContext(), wanted="area")).place == meant.place


def test_localities_come_before_what_bears_their_names(tmp_path: Path) -> None:
    objects = Objects()
    for number, name in enumerate(("Golden Bay", "Sliema", "Rose Garden", "Old Square")):
        at = 5_000.0 * number
        place = {
            "Golden Bay": {"natural": "beach"},
            "Sliema": {"place": "town"},
            "Rose Garden": {"leisure": "park"},
            "Old Square": {"place": "square"},
        }[name]
        objects.house((at, 0), 300, name=name, **place)
        objects.node((at + 2_000, 0), shop="clothes", name=name)
        objects.house((at + 2_100, 0), building="yes", name=name)
        objects.line([(at + 1_900, 30), (at + 2_100, 30)], highway="residential", name=name)
        objects.line([(at + 1_900, 60), (at + 2_100, 60)], highway="residential", name=f"{name} Street")
    provider = village_provider(objects, tmp_path)
    for number, name in enumerate(("Golden Bay", "Sliema", "Rose Garden", "Old Square")):
        for near in (None, position((5_000.0 * number + 2_000, 0))):
            found = run(provider.find_place(name, near=near))
            assert not {"shop", "building", "street"} & set(found[0].place.categories)
            resolution = run(resolve(name, provider, ToolContext(near=near)))
            assert (resolution.place, resolution.rivals) == (found[0].place, ())
    run(provider.close())


REAL = (
    ("helsinki-centre-2019-04-21", "the cathedral", "Helsingin tuomiokirkko"),
    ("helsinki-centre-2019-04-21", "the town hall", "Helsingin kaupungintalo"),
    ("helsinki-centre-2019-04-21", "the railway station", "Helsinki"),
    ("monaco-2026-03-09", "the Opera", "Opéra de Monaco"),
    ("monaco-2026-03-09", "the casino", "Casino de Monte Carlo"),
    ("monaco-2026-03-09", "Casino", "Casino de Monte Carlo"),
    ("andorra-2021-10-28", "Juclar hut", "Refugi de Juclar"),
    ("andorra-2021-10-28", "Siscaró hut", "Refugi del Siscaró"),
    ("andorra-2021-10-28", "Tobacco Museum", "Museu del Tabac"),
    ("porto-2020-07-20", "Teixeira Lopes house museum", "Casa-Museu Teixeira Lopes"),
    ("munich-centre-2020-07-20", "Sendlinger Tor gate", "Sendlinger Tor"),
    ("munich-centre-2020-07-20", "the opera house", "Bayerisches Nationaltheater"),
    ("porto-2020-07-20", "the cathedral", "Sé do Porto"),
    ("porto-2020-07-20", "The town hall", "Câmara Municipal do Porto"),
    ("london-city-2020-07-20", "the river", "River Thames"),
    ("london-city-2020-07-20", "the town hall", "Guildhall"),
)


@pytest.mark.parametrize(("name", "text", "place"), REAL)
def test_a_kind_without_a_name_on_a_real_map(name: str, text: str, place: str) -> None:
    provider = OsmProvider.open(extract_map(name))
    found = run(resolve(text, provider, ToolContext()))
    assert (found.place.name, found.rivals) == (place, ())
    run(provider.close())


@pytest.mark.parametrize(
    ("text", "names", "meant"),
    [
        ("tobacco museum", ["Casa del Tabaco"], "Casa del Tabaco"),
        ("old tobacco museum", ["Casa Old Tabaco"], "Casa Old Tabaco"),
        ("tobacco museum", ["Casa del Tabaco", "Mundo de Tabaco"], None),
        ("Crane museum", ["Corney and Barrow"], None),
        ("Potter museum", ["House of St. Peter"], None),
        ("marine museum", ["Casa Moreno"], None),
        ("Dallas museum", ["House of Delos"], None),
        ("naval museum", ["House of the Novel"], None),
        ("1001 museum", ["House of 101"], None),
    ],
)
def test_the_form_of_a_word_in_another_language_is_an_assumption(
    text: str, names: list[str], meant: str | None, tmp_path: Path
) -> None:
    objects = Objects()
    for number, name in enumerate(names):
        objects.node((1_000 * number, 0), tourism="museum", name=name)
    provider = village_provider(objects, tmp_path)
    found = run(resolve_all([text], provider, ToolContext()))[text]
    run(provider.close())
    if isinstance(found, FailureFact):
        assert (found.code, meant) == ("place_not_found", None)
    else:
        assert (found.place.name, found.score) == (meant, FAINT)


def test_the_cathedral_is_no_square_called_so(tmp_path: Path) -> None:
    objects = Objects()
    square = objects.house((0, 0), 100, leisure="park", name="Cathedral Square")
    pub = objects.node((500, 0), amenity="pub", name="The Opera")
    provider = village_provider(objects, tmp_path)
    with pytest.raises(PlaceNotFoundError, match="the cathedral"):
        run(resolve("the cathedral", provider, ToolContext()))
    assert run(resolve("the Cathedral Square", provider, ToolContext())).place.id == square
    assert run(resolve("the opera", provider, ToolContext())).place.id == pub
    run(provider.close())


def test_the_cathedrals_of_a_real_city_are_candidates() -> None:
    provider = OsmProvider.open(extract_map("vancouver-2015-05-02"))
    found = run(resolve("the cathedral", provider, ToolContext()))
    names = {"Christ Church Cathedral", "Holy Rosary Cathedral"}
    assert {place.name for place in (found.place, *found.rivals)} == names
    run(provider.close())


def test_town_halls_of_a_real_country_are_candidates() -> None:
    provider = OsmProvider.open(extract_map("liechtenstein-2022-12-15"))
    ambiguity = run(resolve("the town hall", provider, ToolContext())).ambiguity()
    assert ambiguity is not None
    assert {place.categories[0] for place in ambiguity.candidates} == {"townhall"}
    assert len(ambiguity.candidates) > 5
    assert "1. Rathaus Vaduz" in ambiguity.message
    run(provider.close())


@pytest.mark.parametrize(
    ("text", "name", "kinds", "sure"),
    [
        ("Bank of Elmford", "The Old Bank of Elmford", ("pub", "nightlife"), False),
        ("Elmford International Airport", "Elmford Heliport", ("airport",), False),
        ("Elmford Bridge station", "Elmford Friars", ("station", "transit"), False),
        ("Elmford museum", "Elmford City Museum", ("museum",), True),
        ("Elmford Bank", "Elmford Bank", ("pub", "nightlife"), True),
        ("Elmford museum", "Elmford", ("museum",), True),
        ("Elmford", "Elmford Heliport", ("airport",), True),
    ],
)
def test_what_is_of_another_kind_than_the_name_says_is_hardly_meant(
    text: str, name: str, kinds: tuple[str, ...], sure: bool
) -> None:
    found = resolved(text, candidate(name, 52.0, 5.0, categories=kinds, score=0.92))
    assert found.place.name == name
    assert (found.score > FAINT) is sure


def test_a_line_called_after_its_ends_is_none_of_them() -> None:
    railway = candidate("OB Elmford – Nordby", 52.0, 5.0, categories=("railway",), score=0.9)
    with pytest.raises(PlaceNotFoundError, match="'Nordby'"):
        resolved("Nordby", railway)
    assert resolved("Elmford Nordby", railway).place == railway.place
    provider = cast("Provider", Candidates(railway))
    assert run(resolve("Nordby", provider, ToolContext(), wanted="line")).place == railway.place
