"""Runs always end: repeated calls, invented tools, endless questions, sources that hang, refuse or break.

The status says why, and what had been found is kept.
"""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.awkward import FOUND, register
from tests.support.cli import CommandLine

ADDRESS = "12 Quay Lane, Harbourtown"
"""What the world says of `FOUND`."""


@pytest.fixture(autouse=True)
def _plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    register(tmp_path / "site", monkeypatch)


def ask(
    mapagent: CommandLine,
    tmp_path: Path,
    *flags: str,
    question: str = f"What is the address of {FOUND}?",
    code: int = 0,
    **settings: float,
) -> dict[str, Any]:
    """The answer as a record; the run must end soon with this exit code."""
    config = tmp_path / "settings.toml"
    config.write_text("\n".join(f"{name} = {value}" for name, value in settings.items()))
    begun = time.monotonic()
    ran = mapagent("ask", question, *flags, "--config", config, "--json")
    assert time.monotonic() - begun < 5
    assert ran.code == code, ran.err
    assert ran.err == ""
    record: dict[str, Any] = json.loads(ran.out)
    return record


def kept(answer: dict[str, Any]) -> bool:
    """True if the place that was found is among the evidence."""
    return any(item["kind"] == "place" and ADDRESS in item["fact"] for item in answer["evidence"])


def failures(answer: dict[str, Any]) -> list[str]:
    return [item["fact"] for item in answer["evidence"] if item["kind"] == "failure"]


class TestPlanners:
    """Over a world that is sound."""

    def test_a_repeated_call_ends_the_rounds(self, mapagent: CommandLine, tmp_path: Path, world: str) -> None:
        answer = ask(mapagent, tmp_path, "--model", "repeating", "--provider", world)
        assert (answer["status"], answer["reason"]) == ("unanswerable", "The facts do not tell.")
        assert answer["usage"]["tool_calls"] == 1
        assert kept(answer)

    def test_invented_operators_and_fields(self, mapagent: CommandLine, tmp_path: Path, world: str) -> None:
        config = tmp_path / "settings.toml"
        config.write_text("")
        ran = mapagent("ask", "Where?", "--model", "inventing", "--provider", world, "--config", config)
        assert (ran.code, ran.out) == (2, "")
        assert "Line 1: there is no operator `teleport`." in ran.err

    def test_rounds_are_limited(self, mapagent: CommandLine, tmp_path: Path, world: str) -> None:
        answer = ask(mapagent, tmp_path, "--model", "endless", "--provider", world, max_rounds=4)
        assert answer["status"] == "limit"
        assert "The limit of 4 rounds of map calls is reached. Raise max_rounds." in answer["reason"]
        assert answer["usage"]["tool_calls"] == 4
        assert kept(answer)

    def test_calls_are_limited(self, mapagent: CommandLine, tmp_path: Path, world: str) -> None:
        answer = ask(mapagent, tmp_path, "--model", "greedy", "--provider", world, max_tool_calls=7)
        assert answer["status"] == "limit"
        assert (
            "100 more map calls, and 6 are left. Narrow its lists, or raise max_tool_calls."
            in answer["reason"]
        )
        assert answer["usage"]["tool_calls"] == 1
        assert kept(answer)

    def test_no_calls_at_all(self, mapagent: CommandLine, tmp_path: Path, world: str) -> None:
        answer = ask(mapagent, tmp_path, "--provider", world, max_tool_calls=0)
        assert answer["status"] == "limit"
        assert "needs 1 more map calls, and 0 are left" in answer["reason"]

    def test_a_limit_is_not_the_option_that_says_unknown(
        self, mapagent: CommandLine, tmp_path: Path, world: str
    ) -> None:
        options = ("-o", "Cannot be determined", "-o", "Elsewhere")
        cut = ask(mapagent, tmp_path, "--model", "endless", "--provider", world, *options, max_rounds=1)
        assert (cut["status"], cut["option"], cut["answer"]) == ("limit", None, "")

    def test_an_understanding_that_never_comes(
        self, mapagent: CommandLine, tmp_path: Path, world: str
    ) -> None:
        config = tmp_path / "settings.toml"
        config.write_text("deadline_s = 0.2")
        ran = mapagent("ask", "Where?", "--model", "brooding", "--provider", world, "--config", config)
        assert ran.code == 0
        assert "The deadline of 0.2 s passed before there was an answer. Raise deadline_s." in ran.out

    def test_a_breakdown_keeps_what_was_found(
        self, mapagent: CommandLine, tmp_path: Path, world: str
    ) -> None:
        answer = ask(mapagent, tmp_path, "--model", "raving", "--provider", world, code=1)
        assert answer["status"] == "error"
        assert "The planner failed: ZeroDivisionError: no more ideas" in answer["reason"]
        assert kept(answer)


class TestProviders:
    """With the embedded planner, and with one that asks for ever."""

    def test_a_source_that_hangs(self, mapagent: CommandLine, tmp_path: Path) -> None:
        answer = ask(mapagent, tmp_path, "--model", "endless", "--provider", "hanging", deadline_s=0.3)
        assert answer["status"] == "limit"
        assert "The deadline of 0.3 s passed" in answer["reason"]
        assert answer["usage"]["latency_s"] < 2
        assert kept(answer)

    def test_a_source_that_hangs_on_a_route(self, mapagent: CommandLine, tmp_path: Path) -> None:
        answer = ask(
            mapagent,
            tmp_path,
            "--provider",
            "hanging",
            question=f"Which way is it by car from {FOUND} to Green Bowl?",
            deadline_s=0.3,
        )
        assert answer["status"] == "limit"
        assert "The deadline of 0.3 s passed" in answer["reason"]

    def test_a_source_that_refuses(self, mapagent: CommandLine, tmp_path: Path) -> None:
        answer = ask(mapagent, tmp_path, "--provider", "refusing")
        assert answer["status"] == "unanswerable"
        assert answer["reason"] == "The map service is over its quota. Try again tomorrow."
        assert answer["option"] is None

    def test_a_source_that_refuses_for_ever(self, mapagent: CommandLine, tmp_path: Path) -> None:
        answer = ask(mapagent, tmp_path, "--model", "endless", "--provider", "refusing", max_rounds=3)
        assert answer["status"] == "limit"
        assert failures(answer).count("The map service is over its quota. Try again tomorrow.") == 3

    @pytest.mark.parametrize(
        "question",
        [
            "How many cafes are within 1 km of Customs House?",
            "How long does it take to drive from Customs House to Lighthouse Museum?",
        ],
    )
    def test_a_defect_is_no_answer(self, mapagent: CommandLine, tmp_path: Path, question: str) -> None:
        options = ("-o", "0", "-o", "5 min", "-o", "It cannot be determined")
        answer = ask(mapagent, tmp_path, "--provider", "broken", *options, question=question, code=1)
        assert (answer["status"], answer["option"], answer["answer"]) == ("error", None, "")
        assert "KeyError" in answer["reason"]
