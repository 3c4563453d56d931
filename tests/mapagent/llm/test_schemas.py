"""Plain schemas: what OpenAI's strict mode and llama.cpp's grammars take."""

from enum import StrEnum
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field

from mapagent.llm.schemas import plain_schema, schema_name, schema_note


class Mode(StrEnum):
    CAR = "car"
    FOOT = "foot"


class Stop(BaseModel):
    """A stop."""

    name: Annotated[str, Field(min_length=1, max_length=9999, pattern=r"\w+")]
    minutes: int | None = Field(default=None, ge=0, description="Minutes spent there.")


class Trip(BaseModel):
    """A trip with stops.

    More words.
    """

    kind: Literal["trip"] = "trip"
    mode: Mode
    stops: list[Stop] = Field(max_length=100)
    pair: tuple[float, float]
    first: Stop | None = None


def test_references_are_written_out_and_bounds_left_out() -> None:
    stop = {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "minutes": {"type": ["integer", "null"], "description": "Minutes spent there."},
        },
        "required": ["name", "minutes"],
        "additionalProperties": False,
    }
    schema = plain_schema(Trip)
    assert schema["required"] == ["kind", "mode", "stops", "pair", "first"]
    assert schema["additionalProperties"] is False
    fields = schema["properties"]
    assert fields["kind"] == {"type": "string", "enum": ["trip"]}
    assert fields["mode"] == {"type": "string", "enum": ["car", "foot"]}
    assert fields["stops"] == {"type": "array", "items": stop | {"description": "A stop."}}
    assert fields["pair"] == {"type": "array", "items": {"type": "number"}}
    assert fields["first"] == stop | {"type": ["object", "null"], "description": "A stop."}


def test_a_shape_is_named_by_its_class_and_first_line() -> None:
    assert (schema_name(Trip), schema_note(Trip)) == ("Trip", "A trip with stops.")


class Knot(BaseModel):
    inner: "Knot | None" = None


class Bag(BaseModel):
    things: dict[str, int]


@pytest.mark.parametrize(("shape", "problem"), [(Knot, "holds itself"), (Bag, "free names")])
def test_what_a_plain_schema_cannot_say_is_an_error(shape: type[BaseModel], problem: str) -> None:
    with pytest.raises(TypeError, match=problem):
        plain_schema(shape)
