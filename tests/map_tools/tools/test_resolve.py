"""From words to a place: rivals, and what settles them."""

from typing import Any, cast

import pytest

from map_tools.errors import PlaceNotFoundError, UnsupportedError
from map_tools.facts import FailureFact
from map_tools.providers.base import Provider
from map_tools.tools.base import ToolContext
from map_tools.tools.resolve import Resolved, resolve, resolve_all
from map_tools.types import Candidate, LatLng
from tests.map_tools.providers.contract import run
from tests.map_tools.providers.worlds import harbour
from tests.map_tools.tools.fakes import Candidates, candidate

# One minute of latitude is about 1,850 m; 0.001 degrees about 111 m.
NORTH = candidate("Blue Cup", 52.010, 5.0, address="1 North St, Aston")
SOUTH = candidate("Blue Cup", 52.000, 5.0, address="9 South St, Barton")


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
    assert run(resolve("Aston", provider, ToolContext(), outlined=True)).place == border.place
    without = cast("Provider", Candidates(point, outlined[1]))
    assert run(resolve("Aston", without, ToolContext(), outlined=True)).place == point.place


def test_names_that_begin_alike_are_rivals_whatever_their_kind() -> None:
    hotel = candidate("Pier Island Hotel", 52.00, 5.0, categories=("hotel",), score=0.92)
    brewery = candidate("Pier Island Brewery", 52.01, 5.0, categories=("brewery",), score=0.91)
    assert resolved("Pier Island", hotel, brewery).rivals == (brewery.place,)
    assert resolved("Pier Island Hotel", hotel, brewery).rivals == ()


def test_an_own_name_comes_before_a_brand() -> None:
    barber = candidate("Old Barber", 52.00, 5.0, aliases=("Blue Cup",), categories=("hairdresser",))
    assert resolved("Blue Cup, Aston", barber, NORTH).place == NORTH.place


def test_an_ambiguity_does_not_list_everything() -> None:
    branches = [candidate("Blue Cup", 52 + step / 100, 5.0, address=f"Road {step}") for step in range(9)]
    ambiguity = resolved("Blue Cup", *branches).ambiguity()
    assert ambiguity is not None
    assert "any of 9 places" in ambiguity.message
    assert "Road 4" in ambiguity.message
    assert "Road 5" not in ambiguity.message
