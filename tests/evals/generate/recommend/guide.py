"""A made-up travel guide of Helsinki's centre: invented places on a grid, in the two forms that are read."""

import json
import random
from pathlib import Path
from typing import Any

WEST, SOUTH, EAST, NORTH = 24.933, 60.162, 24.955, 60.175
"""Well inside the demo extract."""
TEXTS = (
    "A quiet cellar with candles.",
    "Live jazz every night and a long wine list.",
    "Upscale dining room overlooking the square.",
    "Not cheap, not romantic, but solid.",
    "Families with kids come for the pancakes; there is a patio.",
    "Plain food.",
)
KINDS = ("eat", "eat", "eat", "drink", "drink", "sleep", "see")
TAGS = (
    ("Restaurant", "Wine"),
    ("Restaurant", "Organic", "Brunch"),
    ("Bar", "LiveMusic"),
    ("Cafe",),
    ("SHOPPING",),
)


def wikivoyage(path: Path, count: int = 140) -> Path:
    """Writes listings in the form of `wikivoyage_places_uk_fr_us.jsonl`."""
    dice = random.Random(3)
    records = [
        {
            "id": str(number),
            "name": f"{dice.choice(('Moss', 'Fern', 'Reed', 'Sedge'))} House {_roman(number)}",
            "kind": KINDS[number % len(KINDS)],
            "city": "Helsinki" if number % 10 else "Espoo",
            **_spot(dice),
            "price": f"${dice.randrange(5, 200)}",
            "text": TEXTS[dice.randrange(len(TEXTS))],
        }
        for number in range(count)
    ]
    return _written(path, records)


def myhelsinki(path: Path, count: int = 60) -> Path:
    """Writes places in the form of `helsinki_places_fi.jsonl`."""
    dice = random.Random(4)
    records = [
        {
            "id": str(number),
            "name": f"Paikka {_roman(number)}",
            **_spot(dice),
            "tags": list(TAGS[number % len(TAGS)]),
            "opening_hours": [{"day": 1, "opens": "11:00", "closes": "23:00"}, {"day": 7, "closed": True}],
            "text_fi": "Hyvä paikka.",
        }
        for number in range(count)
    ]
    return _written(path, records)


def _spot(dice: random.Random) -> dict[str, float]:
    return {"lat": round(dice.uniform(SOUTH, NORTH), 6), "lon": round(dice.uniform(WEST, EAST), 6)}


def _written(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def _roman(number: int) -> str:
    """A number in letters, so that names read as names: 0 is "Aa", 27 "Bb"."""
    return f"{chr(65 + number // 26)}{chr(97 + number % 26)}"
