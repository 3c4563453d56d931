"""The table of `functions.toml`: what each spatial function is in DuckDB, for geometries and geographies."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from sqlglot import exp

_CLASSES = {"stpoint": "st_point", "stdistance": "st_distance"}
"""Functions that sqlglot has a class for."""


@dataclass(frozen=True, slots=True)
class SpatialFunction:
    """One row of the table.

    Attributes:
        name: PostGIS's name in small letters.
        geometries: How many of its first arguments are geometries.
        arguments: How many arguments it may have.
        geometry: DuckDB's function for geometries, None if PostGIS or DuckDB has none.
        geography: DuckDB's function for geographies.
        points: DuckDB's function for geographies that are points, where there is a faster one.
        refusal: What to do instead where there is none.
        gives: The spatial type of its result: "geometry", "geography" or "same"; None if it is none.
        gives_points: True if its result is always a point.
    """

    name: str
    geometries: int
    arguments: tuple[int, ...]
    geometry: str | None = None
    geography: str | None = None
    points: str | None = None
    refusal: str | None = None
    gives: str | None = None
    gives_points: bool = False


def function_named(name: str) -> SpatialFunction | None:
    """The row of a function; None if the table has none."""
    return _table().get(name)


def row_of(name: str) -> SpatialFunction:
    """The row of a function that the table has.

    Raises:
        KeyError: It has none.
    """
    return _table()[name]


def name_of(node: exp.Expr) -> str:
    """The name a function was written with, in small letters."""
    if isinstance(node, exp.Anonymous):
        return str(node.name).lower()
    return _CLASSES.get(node.key, node.key)


@lru_cache(maxsize=1)
def _table() -> Mapping[str, SpatialFunction]:
    data: Mapping[str, Mapping[str, Any]] = tomllib.loads(
        (files(__package__) / "functions.toml").read_text("utf-8")
    )
    return {name: _row(name, entry) for name, entry in data.items()}


def _row(name: str, entry: Mapping[str, Any]) -> SpatialFunction:
    geometries = entry.get("geometries", 1)
    rest = {key: value for key, value in entry.items() if key not in {"geometries", "arguments"}}
    return SpatialFunction(name, geometries, tuple(entry.get("arguments", (geometries,))), **rest)
