"""Sets of multiple-choice questions over invented contexts: a folder with `contexts/` and tables of cases."""

import tomllib
from pathlib import Path
from typing import Any

from mapagent.agent import MapAgent
from mapagent.answer import Status
from mapagent.question import Question


def cases_in(folder: Path) -> list[dict[str, Any]]:
    """The cases of all tables of a folder."""
    tables = sorted(folder.glob("*.toml"))
    return [case for table in tables for case in tomllib.loads(table.read_text(encoding="utf-8"))["case"]]


def check_told(agent: MapAgent, folder: Path, case: dict[str, Any]) -> None:
    """Asks, and compares the option chosen; where the context does not tell, none may be."""
    context = (folder / "contexts" / f"{case['context']}.txt").read_text(encoding="utf-8")
    answer = agent.ask_blocking(Question(text=case["text"], options=tuple(case["options"]), context=context))
    if case["right"] == "none":
        assert answer.status is not Status.ANSWERED, answer.text
    else:
        assert answer.option == case["right"], answer.reason or answer.explanation
