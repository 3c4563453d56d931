"""JSON replies of what we made ourselves: nothing is validated twice, and any text can be sent."""

import json
from typing import Any

from starlette.responses import Response


def json_reply(value: Any, headers: dict[str, str] | None = None) -> Response:
    """A value as JSON; half a surrogate pair, which a hand-written world may hold, becomes "?"."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str).encode(errors="replace")
    return Response(body, media_type="application/json", headers=headers)
