"""What scripted models say in these tests, and the town they speak of."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

TOWN = Path(__file__).parents[2] / "fixtures" / "worlds" / "harbour.json"
"""Customs House to Lighthouse Museum: 12 min by Pier Road (3.8 km), 14 min by Coast Highway (5.1 km).
Customs House to Salt & Smoke: 5 min on foot. Salt & Smoke is rated 4.2, Lighthouse Museum 4.6."""


def plain(text: str) -> str:
    """A restated question."""
    return json.dumps({"plain": text})


def call(tool: str, place: str, *others: str, kind: str = "", mode: str = "driving") -> dict[str, Any]:
    """A wanted map-tool call."""
    return {"tool": tool, "place": place, "others": list(others), "kind": kind, "mode": mode, "radius_m": 0}


def calls(*wanted: dict[str, Any], done: bool = False) -> str:
    """A round of map-tool calls."""
    return json.dumps({"calls": list(wanted), "done": done})


def draft(reasoning: str, answer: str) -> str:
    """A drafted solution."""
    return json.dumps({"reasoning": reasoning, "answer": answer})


def outline(*steps: tuple[str, str, Iterable[int]]) -> str:
    """A plan: subgoal, module, the numbers of the steps it needs."""
    goals = [{"subgoal": goal, "module": module, "after": list(after)} for goal, module, after in steps]
    return json.dumps({"steps": goals})


OUTLINE = outline(
    ("Fetch the facts", "map_service", ()),
    ("Work it out", "solution_generator", (1,)),
    ("Answer", "answer_generator", (2,)),
)
