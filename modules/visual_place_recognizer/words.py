"""The vocabulary of questions about pictures (`words.toml`)."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=1)
def picture_words() -> dict[str, Any]:
    """The vocabulary, read once."""
    return tomllib.loads((files("modules.visual_place_recognizer") / "words.toml").read_text("utf-8"))
