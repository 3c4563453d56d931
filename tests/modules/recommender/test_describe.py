"""Descriptions and surroundings of places, in words one can check by eye."""

from map_tools.compute.hours import from_osm
from map_tools.types import LatLng, Place, Review
from modules.recommender.describe import (
    MAX_SENTENCES,
    semantic_description,
    semantic_sentences,
    spatial_sentences,
)
from modules.recommender.surroundings import Surroundings, wanted_kinds

# One degree of latitude is 110.6 to 111.7 km long, so 0.001 degrees are 110.6 to 111.7 m.
HERE = LatLng(lat=60.0, lng=25.0)
TRATTORIA = Place(
    id="t",
    name="Trattoria Uno",
    location=HERE,
    categories=("restaurant", "food"),
    address="Harbour Road 5, 00100 Town",
    hours=from_osm("Mo-Sa 08:00-23:30"),
    services={"outdoor_seating": True, "wifi": True, "takeaway": False},
    attributes={"cuisine": "italian;pizza", "fireplace": "yes"},
    reviews=(Review(text="Lovely candlelight."),),
    price_level=2,
)


def test_the_semantic_description_has_what_the_map_states() -> None:
    text = semantic_description(TRATTORIA)
    for stated in ("Trattoria Uno", "restaurant", "italian, pizza", "wifi", "fireplace", "independent"):
        assert stated in text
    for derived in ("open early for breakfast", "open late at night", "moderate", "Lovely candlelight."):
        assert derived in text
    assert "takeaway" not in text
    assert "Harbour Road" not in text


def test_a_chain_is_called_one() -> None:
    chain = TRATTORIA.model_copy(update={"attributes": {"brand": "Uno Group"}})
    assert "chain Uno Group" in semantic_description(chain)
    assert "independent" not in semantic_description(chain)


def test_the_spatial_description_tells_where() -> None:
    where, told = spatial_sentences(TRATTORIA, ("park",))
    assert where == "by a park, green surroundings, outdoor seating, Harbour Road 5"
    assert told == "Lovely candlelight."
    assert spatial_sentences(Place(id="x", name="X"), ()) == ("",)


def test_what_is_told_comes_sentence_by_sentence() -> None:
    told = {"attributes": {"description": "A cellar. Live jazz! Open late?"}}
    sentences = semantic_sentences(TRATTORIA.model_copy(update=told))
    assert sentences[-4:] == ("A cellar.", "Live jazz!", "Open late?", "Lovely candlelight.")
    assert semantic_sentences(Place(id="x", name="")) == ("independent",)


def test_endless_stories_are_cut() -> None:
    story = {"attributes": {"description": " ".join(f"Part {number}." for number in range(100))}}
    sentences = spatial_sentences(TRATTORIA.model_copy(update=story), ())
    assert len(sentences) == 1 + MAX_SENTENCES


def place(identifier: str, category: str, lat: float) -> Place:
    return Place(id=identifier, name=identifier, categories=(category,), location=LatLng(lat=lat, lng=25.0))


def test_surroundings_reach_as_far_as_their_table_says() -> None:
    # The table: parks within 150 m, public transport within 160 m (two minutes at 80 m a minute).
    others = [place("near park", "park", 60.001), place("far park", "park", 59.998)]
    stops = [place("stop", "tram_stop", 60.0014), place("far stop", "tram_stop", 60.0015)]
    assert Surroundings([others[0], stops[0]]).of(TRATTORIA) == ("park", "transit")
    assert Surroundings([others[1], stops[1]]).of(TRATTORIA) == ()


def test_a_place_does_not_surround_itself() -> None:
    bar = place("bar", "bar", 60.0)
    assert Surroundings([bar]).of(bar) == ()
    assert Surroundings([bar, place("pub", "pub", 60.0001)]).of(bar) == ("nightlife",)
    assert Surroundings([bar]).of(Place(id="nowhere", name="Nowhere")) == ()


def test_only_what_is_wished_for_is_searched() -> None:
    categories, reach_m = wanted_kinds(("park", "transit"))
    assert {"park", "tram_stop"} <= set(categories)
    assert "bar" not in categories
    assert reach_m == 160
    assert wanted_kinds(()) == ((), 0.0)
