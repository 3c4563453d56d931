"""Calls and JSON in the words of models; the expected calls were read off by hand."""

from typing import Any

import pytest

from evals.methods.reading import json_objects, read_call

ROUTE = {"origin": "Quay", "destination": "Alder Hall"}


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ('Route[{"origin": "Quay", "destination": "Alder Hall"}]', "Route", ROUTE),
        ('Route({"origin": "Quay", "destination": "Alder Hall",})', "Route", ROUTE),
        ('Route(origin="Quay", destination="Alder Hall")', "Route", ROUTE),
        ("Route(origin='Quay', destination='Alder Hall')", "Route", ROUTE),
        ('Route("Quay", "Alder Hall")', "Route", ROUTE),
        ("Route[origin: Quay, destination: Alder Hall]", "Route", ROUTE),
        ("PlaceInfo[Alder Hall]", "PlaceInfo", {"location_address": "Alder Hall"}),
        (
            'Nearby(query="cafe", location=$1.name, radius=500, everything=True, type=None)',
            "Nearby",
            {"query": "cafe", "location": "$1.name", "radius": 500, "everything": True, "type": None},
        ),
        (
            'Trip("Quay", ["Alder Hall", "$2.items[0].name"])',
            "Trip",
            {"current_location": "Quay", "visiting_places": ["Alder Hall", "$2.items[0].name"]},
        ),
        ("join()", "join", {}),
        ('I look (as asked) first: Teleport[{"to": "Mars"}]', "Teleport", {"to": "Mars"}),
        (
            '```json\n{"name": "Route", "arguments": {"origin": "Quay", "destination": "Alder Hall"}}\n```',
            "Route",
            ROUTE,
        ),
    ],
)
def test_reads_the_first_well_formed_call(text: str, name: str, arguments: dict[str, Any]) -> None:
    call = read_call(text)
    assert call is not None
    assert (call.tool, call.arguments) == (name, arguments)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I would look at the map.",
        'Route[{"origin": "Quay", "destination": ',
        'Route("Quay", "Alder Hall',
        "the museum (open on Sundays) is near",
        "[" * 5000,
        'Route[{"a":' * 2000,
    ],
)
def test_what_is_broken_is_no_call(text: str) -> None:
    assert read_call(text) is None


def test_code_is_read_as_words_and_never_run() -> None:
    call = read_call("Route(origin=__import__('os').getcwd(), destination='Quay')")
    assert call is None or call.arguments["origin"] == "__import__('os'"


def test_json_is_found_in_prose_fences_first() -> None:
    text = 'First: {"a": 1} and then\n```json\n{"b": {"c": [2]}}\n``` and {broken'
    assert list(json_objects(text)) == [{"b": {"c": [2]}}, {"a": 1}]
    assert list(json_objects('[{"a": 1}, {"a": 2}, {"a": 1}]')) == [{"a": 1}, {"a": 2}]
    assert list(json_objects("none")) == []
