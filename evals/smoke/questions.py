"""The questions of `questions.toml`, with their truths."""

import tomllib
from datetime import time
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from map_tools.types import Frozen


class Says(Frozen):
    """The answer holds any of these texts."""

    kind: Literal["says"]
    any: tuple[str, ...]


class Lists(Frozen):
    """The answer holds all these names, and none of the others."""

    kind: Literal["lists"]
    names: tuple[str, ...]
    others: tuple[str, ...] = Field((), alias="not")


class Count(Frozen):
    """The answer's first number."""

    kind: Literal["count"]
    value: int


class Amount(Frozen):
    """A distance in metres or a duration in minutes, give or take."""

    kind: Literal["metres", "minutes"]
    value: float
    within: float


class Clock(Frozen):
    """A time of day."""

    kind: Literal["clock"]
    value: time


class Yes(Frozen):
    """Yes or no."""

    kind: Literal["yes"]
    value: bool


class Wind(Frozen):
    """Any of these directions, word for word."""

    kind: Literal["wind"]
    any: tuple[str, ...]


class Refuses(Frozen):
    """No answer is right."""

    kind: Literal["refuses"]


Truth = Annotated[Says | Lists | Count | Amount | Clock | Yes | Wind | Refuses, Field(discriminator="kind")]


class SmokeQuestion(Frozen):
    """One question.

    Attributes:
        wording: "plain" as reference books say it, "free" as people do.
        world: "helsinki" (the demo map) or "brookfield" (`world.json`).
        how: How the truth was found, by means that are not the product's.
    """

    id: str
    wording: Literal["plain", "free"]
    world: Literal["helsinki", "brookfield"]
    text: str
    options: tuple[str, ...] = ()
    truth: Truth
    how: str


def questions() -> tuple[SmokeQuestion, ...]:
    """All questions in the file's order."""
    text = files("evals.smoke").joinpath("questions.toml").read_text(encoding="utf-8")
    return tuple(SmokeQuestion.model_validate(one) for one in tomllib.loads(text)["question"])


def world_path() -> Path:
    """The written town."""
    return Path(str(files("evals.smoke").joinpath("world.json")))
