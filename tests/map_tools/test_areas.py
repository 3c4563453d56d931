"""Names of areas with and without the word for their kind."""

import pytest

from map_tools.areas import own_plain_area, plain_area


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("Bezirksteil Kreuzviertel", "kreuzviertel"),
        ("Freguesia da Sé", "se"),
        ("Parròquia d'Encamp", "encamp"),
        ("Quartier de l’Anse", "anse"),
        ("Commune de Lully", "lully"),
        ("London Borough of Camden", "camden"),
        ("the district of Kluuvi", "kluuvi"),
        ("Angerviertel district", "angerviertel"),
        ("Kallion kaupunginosa", "kallion"),
        ("Vaduz", None),
        ("district", None),
        ("Stadtpark", None),
        ("Villefranche", None),
    ],
)
def test_the_word_for_the_kind_is_left_out(name: str, plain: str | None) -> None:
    assert plain_area(name) == plain


def test_a_word_behind_an_areas_own_name_belongs_to_it() -> None:
    assert own_plain_area("Kansas City") is None
    assert own_plain_area("Gemeinde Schaan") == "schaan"
