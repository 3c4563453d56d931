"""Makes everyday questions over one map, in the form of the suite `everyday`: one TOML file, judged by its rules."""

import json
import random
import tomllib
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter

from evals.generate.benchmark import shares
from evals.generate.everyday.draws import CATEGORIES, Draft, MapBench
from evals.generate.gsqa.templates import draw_different
from evals.generate.mapeval.draft import load_wordings
from evals.generate.travel import Travel
from evals.generate.world import RawMap
from map_tools.errors import LimitError, UsageError

ATTEMPTS = 60
"""Draws for each question before a family is given up."""
AUTHOR = "generated"

type Hand = Literal["terse", "chatty", "foreign", "clauses"]
type _Templates = dict[str, dict[str, dict[Hand, tuple[str, ...]]]]


@lru_cache(maxsize=1)
def templates() -> tuple[_Templates, Mapping[str, tuple[str, ...]]]:
    """Category, family, hand → sentences; and the words for each mode of travel."""
    data = tomllib.loads((files("evals.generate.everyday") / "templates.toml").read_text("utf-8"))
    travel = TypeAdapter(dict[str, tuple[str, ...]]).validate_python(data.pop("travel"))
    return TypeAdapter(_Templates).validate_python(data), travel


def generate(folder: Path, each: int, seed: int, out: Path) -> dict[str, Any]:
    """Writes `each` questions of every category; returns how many there are, and what the map gave no more of.

    Raises:
        UsageError: `out` exists, or cannot be written.
        MapStoreError: The folder holds no map.
        LimitError: The map gives no question at all.
    """
    if out.exists():
        raise _exists(out)
    raw = RawMap(folder)
    dice = random.Random(seed)  # noqa: S311 (reproducible, not secret)
    travel = Travel(folder / "tiles") if raw.info["routable"] else None
    bench = MapBench(raw, travel, dice, load_wordings("base"))
    given_up: dict[str, str] = {}
    credit = f"Answers worked out from map data: {raw.info['attribution']}"
    parts = [
        f"# Made by `mapagent generate everyday`, seed {seed}. {credit}",
        f"author = {_toml(AUTHOR)}\nmap = {_toml(raw.info['name'])}",
    ]
    for category, draws in CATEGORIES.items():
        for family, wanted in shares(tuple(draws), each, 0).items():
            drafts, missing = draw_different(
                lambda: draws[family](bench),  # noqa: B023 (called within the turn)
                lambda draft: tuple(sorted(draft.slots.items())),
                wanted,
                attempts=ATTEMPTS,
            )
            if missing:
                given_up[f"{category}, {family}"] = missing
            parts += [_question(dice, category, family, n, draft) for n, draft in enumerate(drafts, 1)]
    made = len(parts) - 2
    if not made:
        raise LimitError("The map gives no question at all.", "Take a larger map.")
    _write(out, "\n\n".join(parts) + "\n")
    return {
        "n": made,
        "map": raw.info["name"],
        "given_up": given_up,
        "attribution": raw.info["attribution"],
    }


def _question(dice: random.Random, category: str, family: str, number: int, draft: Draft) -> str:
    """A question in TOML; its id says by which hand it is."""
    wordings, travel = templates()
    hand = dice.choice(tuple(wordings[category][family]))
    slots = draft.slots | ({"way": dice.choice(travel[draft.mode])} if draft.mode else {})
    fields: dict[str, object] = {
        "id": f"{family}-{number:02d}-{hand}",
        "category": category,
        "text": dice.choice(wordings[category][family][hand]).format(**slots),
        "near": list(draft.near) if draft.near else None,
        "at": draft.at,
        "right": list(draft.right) or None,
    }
    lines = [f"{key} = {_toml(value)}" for key, value in fields.items() if value is not None]
    return "\n".join(["[[questions]]", *lines])


def _toml(value: object) -> str:
    """A value as TOML writes it (https://toml.io/en/v1.0.0); its strings are JSON's but for the character DEL."""
    match value:
        case datetime():
            return value.isoformat()
        case dict():
            return f"{{ {', '.join(f'{key} = {_toml(one)}' for key, one in value.items())} }}"
        case list():
            return f"[{', '.join(map(_toml, value))}]"
        case _:
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _write(out: Path, text: str) -> None:
    try:
        with out.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError as error:
        raise _exists(out) from error
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror}.", "Name another --out.") from error


def _exists(out: Path) -> UsageError:
    return UsageError(f"{out} exists, and nothing is overwritten.", "Name another --out.")
