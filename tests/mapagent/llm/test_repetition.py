"""Endless repetition, in the words of a real model and in texts that only look like it."""

from collections.abc import Callable

import pytest

from mapagent.llm.repetition import repeats_endlessly


@pytest.mark.parametrize("name", ["smollm2_streets_without_end", "smollm2_json_without_end"])
def test_a_real_model_that_does_not_stop(said: Callable[[str], str], name: str) -> None:
    assert repeats_endlessly(said(name))


@pytest.mark.parametrize(
    "text",
    [
        "ha" * 100,
        "Turn left. " * 30,
        "".join(f"{number}. Turn left.\n" for number in range(40)),
        "Before it, a whole sentence. " + "and so on " * 20 + "and so",
    ],
)
def test_one_passage_over_and_over(text: str) -> None:
    assert repeats_endlessly(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "No. No. No.",
        "Walk along the quay to the tower, cross the bridge, and turn left at the old market hall.",
        ", ".join(f"60.{number * 137 % 100000:05d}" for number in range(100)),
        "".join(f"Stop {name}: leaves at noon.\n" for name in ("Oak", "Elm", "Ash", "Fir", "Yew", "Larch")),
    ],
)
def test_lists_and_prose_are_no_repetition(text: str) -> None:
    assert not repeats_endlessly(text)
