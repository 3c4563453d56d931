"""The four map tools over HTTP, for agents that run in another environment.

The calls go the same way as those of the agents here: the same arguments are checked, the same map is asked,
the same words come back within the same room (`evals.methods.tools`).
"""

import json
from typing import Any

from evals.bench.latency import SlowProvider
from evals.methods.tools import NOT_SHOWN, MapTools
from evals.ports import Desk, Task
from map_tools.emulate.http import Reply, Request
from map_tools.tools import TOOLS, MapTool
from mapagent.config import Settings
from mapagent.ledger import Ledger
from mapagent.ports import Account, ToolCall
from mapagent.trace import Trace


class ToolServer:
    """The handler of the tools' server.

    Args:
        provider: The map.
        settings: Limits of a question.
    """

    def __init__(self, provider: SlowProvider, settings: Settings) -> None:
        self.provider = provider
        self._settings = settings
        self._tools: MapTools | None = None

    def begin(self, task: Task) -> None:
        """A fresh question: room and counts begin anew."""
        self.provider.calls.clear()
        account = Account(Ledger(self._settings.limits()), Trace())
        self._tools = MapTools("bench", task, Desk(self._settings, self.provider), account)

    async def __call__(self, request: Request) -> Reply:
        """`GET /tools`: what there is. `POST /tools/NAME` with arguments as JSON: what it brings, as text."""
        if request.method == "GET":
            return _json(200, [described(tool) for tool in TOOLS.values()])
        if self._tools is None:
            return _json(409, "No question was begun.")
        name = request.path.rpartition("/")[2]
        fetched = await self._tools.fetch(ToolCall(tool=name, arguments=json.loads(request.body)))
        return _json(200, self._tools.show(fetched.facts))


def described(tool: MapTool) -> dict[str, Any]:
    """A tool as functions are declared to models: name, description, plain JSON schema."""
    schema = tool.parameters.model_json_schema()
    properties = {
        name: _plain(field, schema.get("$defs", {}))
        for name, field in schema["properties"].items()
        if name not in NOT_SHOWN
    }
    parameters = {"type": "object", "properties": properties, "required": schema.get("required", [])}
    return {"name": tool.name, "description": tool.description, "parameters": parameters}


def _plain(field: dict[str, Any], named: dict[str, Any]) -> dict[str, Any]:
    """A parameter without references and alternatives."""
    kinds = [field, *field.get("anyOf", ()), named.get(field.get("$ref", "").rpartition("/")[2], {})]
    kind = next(each for each in kinds if each.get("type") not in (None, "null"))
    kept = {key: kind[key] for key in ("type", "items", "enum") if key in kind}
    return {**kept, "description": field.get("description", "")}


def _json(status: int, value: Any) -> Reply:
    return Reply(status, json.dumps(value, ensure_ascii=False).encode())
