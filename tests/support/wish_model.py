"""A language model of the recommender's: replies by what it is asked for, over real HTTP."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.support.chat import completion
from tests.support.loopback import Asked, Loopback, Scripted, json_reply, serving

MARKS = {"what": "You read what kind", "rerank": "You are a local expert"}
"""Words of the prompts' fixed parts."""


@contextmanager
def model(program: str = "", **replies: Any) -> Iterator[Loopback]:
    """A server with a reply for each prompt; whoever else asks, the planner, is given a program."""

    def script(asked: Asked) -> Scripted:
        prompt = asked.body.decode()
        name = next((name for name, mark in MARKS.items() if mark in prompt), "")
        planned = {"tool": "run_query", "arguments": {"program": program}}
        reply = replies.get(name, {"none": "of this"}) if name else planned
        return json_reply(completion(reply if isinstance(reply, str) else json.dumps(reply)))

    with serving(script) as server:
        yield server
