"""What a command of the command line is. Commands are found through the entry points `mapagent.commands`."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """A command: its line in `--help`, its arguments, and what it does.

    `run` returns the exit code: 0 done, 1 the run failed, 2 wrong use. The module that defines a command is loaded
    when the command is given; for the list of all, only those of plug-ins are.
    """

    help: str
    configure: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]


BUILT_IN: Mapping[str, str] = {
    "ask": "answer a question about a map",
    "chat": "ask question after question, each with those before it",
    "query": "run a program of the query language",
    "serve": "serve the web page and the HTTP API",
    "map": "add, update, list and remove maps",
    "places": "name places of your own",
    "provider": "list, check, make and emulate map providers",
    "module": "list the modules and their operators",
    "config": "show the settings and where they come from",
    "doctor": "say what works, what does not, and what to do",
    "cache": "explain or clear the kept replies",
    "mcp": "serve the agent and its tools over MCP",
    "batch": "answer a table of questions",
    "eval": "measure methods over benchmarks",
    "vectors": "embed the places of a map for recommendations",
    "recommend": "recommend a place, and draw it",
    "generate": "make a benchmark from a map",
}
"""The `help` of our own commands, so that `mapagent --help` loads none of them."""
