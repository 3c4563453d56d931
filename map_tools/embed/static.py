"""Static word vectors of the wordllama package: its model comes inside the wheel, nothing is downloaded.

https://github.com/dleemiller/WordLlama: token embeddings of large language models, reduced to 256 dimensions
and averaged. Tens of thousands of texts a second on one core.
"""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from map_tools.embed.port import Vectors, unit_rows
from map_tools.errors import ConfigError

if TYPE_CHECKING:
    from wordllama.inference import WordLlamaInference

_MODEL = "l2_supercat"
_DIMENSIONS = 256
_IN_PLACE = 256
"""So few texts take under 10 ms: a thread would cost more than it saves."""


class StaticEmbedder:
    """Embeds with wordllama (`Embedder`).

    Raises:
        ConfigError: The package is not installed.
    """

    dimensions = _DIMENSIONS

    def __init__(self) -> None:
        if not installed():
            raise ConfigError(
                "The embedding model 'wordllama' is not installed.",
                "Install it: pip install 'mapagent[embed]'.",
            )
        from importlib.metadata import version

        self.identity = f"wordllama-{version('wordllama')}-{_MODEL}-{_DIMENSIONS}"

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """One row for each text; long lists are embedded in a thread."""
        if not texts:
            return unit_rows(_zeros())
        if len(texts) <= _IN_PLACE:
            return _embed(list(texts))
        return await asyncio.to_thread(_embed, list(texts))

    async def close(self) -> None:
        """The model stays loaded for the process."""


def installed() -> bool:
    """True if the package can be imported; it is not imported to find out."""
    return find_spec("wordllama") is not None


def _embed(texts: list[str]) -> Vectors:
    return unit_rows(_model().embed(texts))


def _zeros() -> Vectors:
    import numpy as np

    return np.zeros((0, _DIMENSIONS), np.float32)


@lru_cache(maxsize=1)
def _model() -> "WordLlamaInference":
    """The model; the package looks for its own tokenizer in a cache folder, so it is given its own folder."""
    with _logging_as_it_is():
        import wordllama

    folder = Path(wordllama.__file__).parent
    return wordllama.WordLlama.load(_MODEL, cache_dir=folder, dim=_DIMENSIONS, disable_download=True)


@contextmanager
def _logging_as_it_is() -> Iterator[None]:
    """Keeps a package that sets up the logging of the whole program when it is imported from doing so.

    `logging.basicConfig` does nothing where the root has a handler
    (https://docs.python.org/3/library/logging.html#logging.basicConfig).
    """
    root, taken = logging.getLogger(), logging.NullHandler()
    root.addHandler(taken)
    try:
        yield
    finally:
        root.removeHandler(taken)
