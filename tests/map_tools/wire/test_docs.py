"""The example of the documentation works as it stands."""

import asyncio
import re
from pathlib import Path
from typing import Any

from tests.support.loopback import json_reply, serving

PAGE = Path(__file__).parents[3] / "docs" / "wire.md"


def test_the_example_asks_once_and_keeps_the_id(tmp_path: Path) -> None:
    code = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]
    with serving(lambda asked: json_reply({"id": f"id of {asked.params['q'][0]}"})) as server:
        names: dict[str, Any] = {"Path": Path}
        exec(code.replace("https://atlas.example/v1", server.url), names)
        found = [asyncio.run(names["find"]("tea", "the-secret-key", tmp_path)) for _ in range(2)]
    assert found == ["id of tea"] * 2
    assert len(server.asked) == 1
    assert server.asked[0].headers["x-atlas-key"] == "the-secret-key"
